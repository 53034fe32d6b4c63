"""The four action phases: actions, draws, reserve warbands; forest (BLOOD-ACT, BLOOD-FOREST, BLOOD-MEAD-02, -03)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import walk
from blood_positions import MAP_A, at
from blood_scenes import (
    CORSAIRS,
    NORMAN,
    PLAIN,
    WARRIORS,
    cells,
    end_phases,
    go,
    lay,
    offered,
    placements,
    point,
    scene,
    there,
    words,
)


def phase(decision, a, **given):
    """A phase of seat 0 after it laid tile 16 on MAP-A."""
    given = {"hands": [[4], [1]], **given}
    return scene(MAP_A, decision=decision, laid=at(-1, 2), a=a, **given)


def laid(tile, **given):
    """Lay a tile that fits on MAP-A, without a citadel."""
    play = scene(MAP_A, hands=[[tile, 120], [1]], options=PLAIN, **given)
    found = placements(play, tile, 0)
    lay(play, tile, min(found), found[min(found)][0])
    return play, min(found)


@pytest.mark.rule("BLOOD-ACT-01", "BLOOD-PHASE-01", "BLOOD-PHASE-05")
def test_as_many_actions_as_sides_in_the_order_forest_lake_road_mountain() -> None:
    # 61 is FR-LMR: one forest, one lake, two roads, one mountain
    play, _ = laid(61, warbands={(0, 0): [2, 1], (0, 1): [1, 0]})
    seen = {}
    while play.to_dict()["active"] == 0 and not play.over():
        d = play.to_dict()
        seen[d["decision"]] = d["a"]
        go(play, "PASS")
    assert seen == {"D13": 1, "D14": 1, "D15": 2, "D16": 1} and list(seen) == sorted(seen)


@pytest.mark.rule("BLOOD-PHASE-05", "BLOOD-PHASE-02")
def test_a_phase_with_nothing_but_pass_passes_by_itself() -> None:
    play, _ = laid(40)  # R-R-R-, no warband on the map: only draws for the roads
    assert point(play) == "D15" and words(play) == {"DRAW", "PASS"}


@pytest.mark.rule("BLOOD-ACT-02", "BLOOD-ACT-05", "BLOOD-TEST-03")
def test_all_actions_of_one_kind_serve_one_purpose() -> None:
    play = phase("D14", 2, warbands={(0, 0): [1, 0]})
    assert words(play) == {"PASS", "DRAW"} and cells(play) == {(0, 0)}
    drawing = play.copy()
    d = go(drawing, "DRAW")
    assert d["drawn"] == 1 and d["a"] == 1 and offered(drawing) == {"PASS", "DRAW"}  # no move any more
    d = go(drawing, "DRAW")
    assert len(d["hands"][0]) == 3 and d["active"] == 1
    play = phase("D14", 3, warbands={(0, 0): [1, 0]})
    go(play, (0, 0), (0, 1))
    assert play.to_dict()["performed"] and "DRAW" not in words(play) and cells(play) == {(0, 1)}


@pytest.mark.rule("BLOOD-ACT-03", "BLOOD-TEST-03")
def test_draws_are_limited_by_the_settlement() -> None:
    # twelve warbands: one in the settlement
    play = phase("D14", 3, warbands={(0, 0): [8, 0]}, vp=[3, 0])
    assert play.to_dict()["settlement"][0] == 1
    go(play, "DRAW")
    assert play.to_dict()["active"] == 1  # a second draw is illegal, and nothing else is left
    none = phase("D14", 3, warbands={(0, 0): [9, 0]}, vp=[3, 0])
    assert "DRAW" not in words(none)


@pytest.mark.rule("BLOOD-ACT-04", "BLOOD-TEST-03")
def test_who_has_drawn_cannot_draw_in_a_later_phase() -> None:
    play, _ = laid(100, warbands={(0, 0): [1, 0]})  # FLL---
    assert point(play) == "D13" and words(play) == {"DO", "DRAW", "PASS"}
    d = go(play, "DRAW")
    assert d["decision"] == "D14" and d["drew_earlier"] and "DRAW" not in words(play) and cells(play)
    other, _ = laid(100, warbands={(0, 0): [1, 0]})
    go(other, "DO")
    assert "DRAW" in words(other) and not other.to_dict()["drew_earlier"]


@pytest.mark.rule("BLOOD-ACT-05")
def test_no_draw_from_an_empty_pile_and_none_for_a_free_action() -> None:
    used = [t for t in range(1, 121) if t not in (58, 26, 113, 97, 16, 71, 4, 1)]
    play = phase("D14", 2, warbands={(0, 0): [1, 0]}, discard=used[:52])
    assert play.to_dict()["pile"] == [] and "DRAW" not in words(play)
    free = phase("D14", 0, b=1, abilities=[CORSAIRS, None], warbands={(0, 0): [1, 0]})
    assert words(free) == {"PASS"} and cells(free)
    drawn = phase("D14", 1, b=1, abilities=[CORSAIRS, None], warbands={(0, 0): [1, 0]})
    assert go(drawn, "DRAW")["active"] == 1  # after a draw the free action is lost as well


@pytest.mark.rule("BLOOD-ACT-06", "BLOOD-MEAD-02", "BLOOD-MEAD-03")
def test_reserve_warbands_pay_actions_of_every_phase() -> None:
    # tile 40 has roads only
    play = scene(MAP_A, hands=[[40], [2]], reserve=[3, 0], warbands={(0, 0): [9, 1]})
    lay(play, 40, (-1, 0), 1)
    go(play, "PASS")  # no citadel
    d = play.to_dict()
    assert (d["decision"], d["a"]) == ("D13", 0) and offered(play) == {"SPEND", "PASS"}
    d = go(play, "SPEND")  # to the settlement before the action it pays
    assert (d["a"], d["settlement"][0], d["reserve"][0]) == (1, 1, 2)
    assert offered(play) == {"DO", "DRAW", "SPEND", "PASS"}
    d = go(play, "DO")
    assert d["settlement"][0] == 0 and there(play, (-1, 0)) == [1, 0] and offered(play) == {"SPEND", "PASS"}
    d = go(play, "PASS")
    assert d["decision"] == "D14" and words(play) == {"SPEND", "PASS"}
    go(play, "SPEND", "DRAW")
    assert words(play) == {"SPEND", "PASS"}  # one drawn, settlement 1
    d = go(play, "PASS")
    assert d["decision"] == "D15" and "DRAW" not in words(play) and d["reserve"][0] == 1


@pytest.mark.rule("BLOOD-ACT-06")
def test_spending_needs_something_to_pay_for() -> None:
    drew = {"reserve": [2, 0], "drew_earlier": True}
    assert "SPEND" in words(phase("D14", 1, warbands={(0, 0): [1, 0]}, **drew))  # a move could be paid
    lonely = phase("D16", 1, warbands={(0, 0): [1, 1], (0, 1): [1, 0]}, **drew)
    assert "SPEND" in words(lonely)  # a contested tile
    road = phase("D15", 1, warbands={(0, 1): [1, 0]}, **drew)
    before = set(words(road))
    assert "SPEND" in before
    # nothing to move and no draw possible: no spending in lake, road and mountain phases, always in the forest phase
    forest = phase("D13", 0, **drew)
    assert words(forest) == {"SPEND", "PASS"}
    d = go(forest, "PASS")
    assert d["active"] == 1
    assert end_phases(phase("D13", 1, options={"goods": False}))["active"] == 1


@pytest.mark.rule("BLOOD-MEAD-02")
def test_a_reserve_warband_pays_for_a_battle_after_the_last_is_known() -> None:
    play = phase("D16", 1, warbands={(0, 0): [3, 3]}, reserve=[2, 0], hands=[[], []], pile=[8, 13, 4, 9, 7, 10, 12])
    go(play, (0, 0))
    while point(play) in ("D19", "D20", "D21", "D22"):
        go(play, "PASS" if "PASS" in words(play) else "PILE")
    d = play.to_dict()
    assert d["decision"] == "D16" and d["a"] == 0 and d["performed"] and offered(play) == {"SPEND", "PASS"}
    d = go(play, "SPEND")
    assert d["reserve"][0] == 1 and (0, 0) in cells(play)


@pytest.mark.rule("BLOOD-ACT-07")
def test_everything_is_optional() -> None:
    for play in walk(21, num_players=3):
        if point(play) in ("D05", "D07", "D08", "D09", "D10", "D12", "D13", "D14", "D15", "D16", "D19", "D21", "D22"):
            assert "PASS" in words(play)


# ---- Forest ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-FOREST-01")
def test_a_forest_action_places_a_warband_on_the_laid_tile() -> None:
    play = phase("D13", 3, warbands={(-1, 2): [0, 2], (0, 0): [1, 0]})
    d = go(play, "DO", "DO")
    assert there(play, (-1, 2)) == [2, 2] and d["settlement"][0] == 9 and d["a"] == 1


@pytest.mark.rule("BLOOD-FOREST-02", "BLOOD-CORNER-05")
def test_with_an_empty_settlement_it_comes_from_another_tile_or_the_points() -> None:
    play = phase("D13", 2, warbands={(-1, 2): [2, 0], (0, 0): [6, 0], (1, 0): [2, 0]}, vp=[2, 0])
    assert offered(play) == {"PASS", "VP", (0, 0), (1, 0)}  # not from the laid tile
    d = go(play, (0, 0), "VP")
    assert there(play, (-1, 2)) == [4, 0] and there(play, (0, 0)) == [5, 0] and d["vp"][0] == 1
    drawn = phase("D13", 2, warbands={(0, 0): [1, 0]})
    go(drawn, "DRAW")
    assert offered(drawn) == {"DRAW", "PASS"}


@pytest.mark.rule("BLOOD-ABIL-06", "BLOOD-TEST-20")
@pytest.mark.parametrize(("tile", "plain"), ((100, 1), (52, 2), (4, 1), (47, 0)))
def test_warriors_have_one_more_forest_action_with_exactly_one_forest_side(tile: int, plain: int) -> None:
    play, _ = laid(tile, abilities=[WARRIORS, None])
    other, _ = laid(tile, abilities=[NORMAN, None])
    actions = [p.to_dict()["a"] if point(p) == "D13" else 0 for p in (play, other)]
    assert actions == [plain + (plain == 1), plain]
    if plain:
        go(play, "DRAW", "DRAW")  # ordinary actions, also for draws
        assert point(play) != "D13" and len(play.to_dict()["hands"][0]) == 3


@pytest.mark.rule("BLOOD-ABIL-06")
def test_a_citadel_on_the_forest_side_leaves_the_printed_side_counted() -> None:
    # 5 is FM---L: its forest side meets the forest of 58
    play = scene(MAP_A, hands=[[100], [1]], abilities=[WARRIORS, None])
    for where, turns in placements(play, 100, 0).items():
        for rotation in turns:
            again = play.copy()
            lay(again, 100, where, rotation)
            if f"SIDE {rotation}" in words(again):  # the forest is printed on side 0
                go(again, f"SIDE {rotation}")
                assert point(again) == "D13" and again.to_dict()["a"] == 1
                return
    raise AssertionError("the forest side of tile 100 meets nothing")


@pytest.mark.rule("BLOOD-CORNER-06")
def test_without_warbands_on_the_map_there_is_nothing_but_forest_and_draws() -> None:
    play, _ = laid(61)
    assert point(play) == "D13"
    go(play, "DRAW")
    assert play.to_dict()["active"] == 1
