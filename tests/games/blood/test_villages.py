"""Village actions and what they leave behind: furs, mead, silver, tusk (BLOOD-VILL … BLOOD-TUSK)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_positions import MAP_A, at
from blood_scenes import (
    SAILS,
    SE,
    S,
    end_phases,
    fight,
    go,
    lay,
    offered,
    placements,
    point,
    scene,
    there,
    words,
)

# A row of village tiles: 9 and 21 Furs, 33 Furs.
FURS_ROW = "9@(0,0)/0 21@(-1,0)/0 33@(-2,0)/3 4@(-2,1)/5"


def on_village(tile, decision, **given):
    """A village tile was laid on MAP-A, where it fits first."""
    found = placements(scene(MAP_A, hands=[[tile], [2]]), tile, 0)
    where = min(found)
    text = f"{MAP_A} {tile}@({where[0]},{where[1]})/{found[where][0]}"
    return scene(text, decision=decision, laid=at(*where), **given)


def on_furs(warbands, left=3, **given):
    """A Furs tile was laid: D08."""
    return on_village(57, "D08", warbands=warbands, village_left=left, hands=[[4], [1]], **given)


@pytest.mark.rule("BLOOD-VILL-01", "BLOOD-VILL-02", "BLOOD-VILL-03", "BLOOD-TEST-11")
def test_how_many_village_actions() -> None:
    def laid(numbers, **given):
        warbands = dict(zip(((0, 0), (-1, 0), (-2, 0), (-2, 1)), numbers, strict=True))
        play = scene(FURS_ROW, warbands=warbands, hands=[[45, 8], [1]], **given)
        found = placements(play, 45, 0)
        lay(play, 45, min(found), found[min(found)][0])
        if point(play) == "D05":
            go(play, "PASS")
        return play

    alone, shared, none = [1, 0], [1, 1], [0, 1]
    # three Furs villages held alone count twice for a Furs tile; one shared with an enemy does not count
    assert laid([alone, alone, alone, none]).to_dict()["village_left"] == 6
    assert laid([alone, shared, alone, none]).to_dict()["village_left"] == 4
    assert laid([alone, none, none, alone]).to_dict()["village_left"] == 2  # tile 4 is no village
    play = laid([alone, alone, alone, none])
    assert point(play) == "D08" and words(play) == {"DO", "PASS"}
    d = go(play, "DO", "PASS")  # one used, five given up; no draws for them
    assert d["village_left"] == 0 and d["decision"] != "D08"
    assert laid([none, none, none, alone]).to_dict()["decision"] != "D08"
    assert laid([alone, alone, alone, none], options={"goods": False}).to_dict()["decision"] not in ("D07", "D08")


@pytest.mark.rule("BLOOD-ABIL-04", "BLOOD-TEST-11")
def test_sails_discard_a_village_tile() -> None:
    def laid(**given):
        warbands = {(0, 0): [1, 0], (-1, 0): [1, 0]}
        play = scene(FURS_ROW, warbands=warbands, hands=[[45, 57, 15, 8], [1]], abilities=[SAILS, None], **given)
        found = placements(play, 45, 0)
        lay(play, 45, min(found), found[min(found)][0])
        go(play, "PASS")
        return play

    play = laid()
    assert point(play) == "D07" and words(play) == {"PASS", "TILE 57", "TILE 15"}  # 57 Furs, 15 Mead
    for name, left in (("PASS", 4), ("TILE 15", 5), ("TILE 57", 6)):
        d = go(play.copy(), name)
        assert d["decision"] == "D08" and d["village_left"] == left
        discarded = [] if name == "PASS" else [int(name.removeprefix("TILE "))]
        assert d["discard"] == discarded and sorted(d["hands"][0] + discarded) == [8, 15, 57]


@pytest.mark.rule("BLOOD-FURS-01", "BLOOD-FURS-03", "BLOOD-TEST-12")
def test_the_first_furs_action_returns_all_points() -> None:
    play = on_furs({(1, 0): [2, 0]}, vp=[1, 0])
    assert words(play) == {"DO", "PASS"}
    passed = go(play.copy(), "PASS")
    assert passed["vp"][0] == 1  # no action, no return
    d = go(play, "DO")
    assert (d["vp"][0], d["settlement"][0], d["furs_returned"]) == (1, 9, True)
    d = go(play, "DO")
    assert d["vp"][0] == 2 and d["decision"] != "D08"  # a third would exceed two warbands on the map


@pytest.mark.rule("BLOOD-FURS-02", "BLOOD-FURS-03", "BLOOD-TEST-12", "BLOOD-CORNER-05")
def test_furs_without_a_settlement() -> None:
    play = on_furs({(1, 0): [2, 0]}, vp=[1, 0], reserve=[9, 0])
    go(play, "DO")  # with the point that came back
    assert offered(play) == {"RES", "PASS"}  # a warband of the map would leave two points and one warband
    d = go(play, "RES")
    assert d["vp"][0] == 2 and d["reserve"][0] == 8
    play = on_furs({(1, 0): [2, 0], (0, 1): [2, 0]}, vp=[1, 0], reserve=[7, 0], furs_returned=True)
    assert offered(play) == {"RES", "PASS", (1, 0), (0, 1)}
    d = go(play, (0, 1))
    assert d["vp"][0] == 2 and there(play, (0, 1)) == [1, 0]
    play = on_furs({(1, 0): [2, 0], (0, 1): [2, 0]}, vp=[3, 0], reserve=[5, 0], furs_returned=True)
    assert offered(play) == {"RES", "PASS"}


@pytest.mark.rule("BLOOD-FURS-03", "BLOOD-TEST-16", "BLOOD-CORNER-06", "BLOOD-OPT-02")
def test_citadels_count_for_furs() -> None:
    own = [((0, 0), S, 0, False), ((0, 0), SE, 0, False)]
    play = on_furs({(1, 0): [3, 0]}, left=6, citadels=own)
    for points in range(1, 6):
        assert go(play, "DO")["vp"][0] == points
    assert point(play) != "D08"
    none = on_furs({}, left=6, citadels=own)  # no warband on the map: as many points as citadels
    go(none, "DO", "DO")
    assert none.to_dict()["vp"][0] == 2 and point(none) != "D08"


@pytest.mark.rule("BLOOD-END-01", "BLOOD-PHASE-07")
def test_the_sixth_point_of_furs_ends_the_game_at_once() -> None:
    play = on_furs({(1, 0): [6, 0]}, left=9)
    for _ in range(5):
        assert go(play, "DO")["decision"] == "D08"
    d = go(play, "DO")
    assert (d["decision"], d["winners"], d["vp"]) == ("END", [0], [6, 0])


@pytest.mark.rule("BLOOD-END-01")
def test_points_that_are_given_back_do_not_count() -> None:
    play = on_furs({(1, 0): [6, 0]}, left=9, vp=[5, 0])
    assert go(play, "DO")["vp"][0] == 1


@pytest.mark.rule("BLOOD-MEAD-01", "BLOOD-CORNER-05")
def test_mead_puts_a_warband_into_the_reserve() -> None:
    play = on_village(63, "D09", village_left=3, hands=[[4], [1]], warbands={(1, 0): [1, 0]})
    assert words(play) == {"DO", "PASS"}
    d = go(play, "DO", "DO")
    assert d["reserve"] == [2, 0] and d["settlement"][0] == 9 and d["village_left"] == 1
    empty = on_village(
        63, "D09", village_left=2, hands=[[4], [1]], warbands={(1, 0): [9, 0], (0, 0): [1, 0]}, vp=[2, 0]
    )
    assert offered(empty) == {"VP", "PASS", (1, 0), (0, 0)}
    d = go(empty, "VP", (0, 0))
    assert d["vp"][0] == 1 and d["reserve"][0] == 2 and there(empty, (0, 0)) == [0, 0]


@pytest.mark.rule("BLOOD-SILVER-01", "BLOOD-TEST-13")
def test_silver_sends_one_warband_of_each_other_colour_home() -> None:
    given = {
        "n": 3,
        "warbands": {(1, 0): [1, 2, 1], (0, 0): [2, 0, 0], (0, 1): [0, 1, 1]},
        "hands": [[4, 5, 8], [1], []],
    }
    play = on_village(66, "D10", village_left=3, **given)
    assert offered(play) == {"PASS", (1, 0)}  # contested for the player
    d = go(play, (1, 0))
    assert d["decision"] == "D11" and words(play) == {"TILE 4", "TILE 5", "TILE 8"}  # no way back
    assert d["village_left"] == 3
    d = go(play, "TILE 5")
    assert there(play, (1, 0)) == [1, 1, 0] and d["settlement"] == [9, 10, 11] and d["discard"] == [5]
    assert d["vp"] == [0, 0, 0] and d["village_left"] == 2
    d = go(play, (1, 0), "TILE 4")
    assert there(play, (1, 0)) == [1, 0, 0] and d["hands"][0] == [8] and d["decision"] != "D10"


@pytest.mark.rule("BLOOD-SILVER-01", "BLOOD-PHASE-02")
def test_silver_needs_a_hand_tile_and_takes_the_only_one() -> None:
    play = on_village(66, "D10", village_left=3, hands=[[4], [1]], warbands={(1, 0): [1, 2]})
    d = go(play, (1, 0))
    assert d["hands"][0] == [] and d["discard"] == [4] and there(play, (1, 0)) == [1, 1]
    assert d["decision"] != "D10"  # two actions left, no tile


@pytest.mark.rule("BLOOD-TUSK-01", "BLOOD-TUSK-02", "BLOOD-TEST-14")
def test_tusk_prepares_tiles_for_later_turns() -> None:
    play = on_village(12, "D12", village_left=2, hands=[[4, 5], [1]], held=[[4], []], warbands={(0, 0): [1, 1]})
    assert words(play) == {"TILE 4", "TILE 5", "PASS"}
    d = go(play, "TILE 4")
    assert d["fresh"] == [4] and d["held"][0] == [4] and d["hands"][0] == [5] and d["prepared"][0] == []
    d = end_phases(play)
    assert d["fresh"] == [] and d["prepared"][0] == [4] and d["active"] == 1


@pytest.mark.rule("BLOOD-TUSK-02", "BLOOD-TEST-14", "BLOOD-BATTLE-04")
def test_a_tile_prepared_in_this_turn_is_not_offered() -> None:
    play = fight([1, 2], [[4], [6]], [8, 13], prepared=[[49, 1], []], fresh=[28])
    d = play.to_dict()
    assert (d["decision"], d["player"]) == ("D19", 0) and words(play) == {"TILE 49", "TILE 1", "PASS"}
    assert d["battle"]["owed"] == [2, 2]
    d = go(play, "TILE 49")
    assert d["decision"] == "D19" and words(play) == {"TILE 1", "PASS"}
    d = go(play, "PASS")
    assert d["decision"] == "D20" and d["prepared"][0] == [1] and d["battle"]["revealed"] == [[49], []]
    assert d["battle"]["strength"] == [3, 0]
