"""Adding a tile, taking one from the pile instead, citadels (BLOOD-PLACE, BLOOD-REVEAL, BLOOD-CIT)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import walk
from blood_positions import MAP_A, at
from blood_scenes import (
    PLAIN,
    SE,
    S,
    cells,
    fight,
    go,
    lay,
    offered,
    placements,
    point,
    scene,
    tile_at,
    words,
)

from northmen_env.games.blood import board, scoring
from northmen_env.games.blood.actions import PASS, PILE
from northmen_env.games.blood.phases.citadels import removable
from northmen_env.games.blood.tile_table import LETTERS

MATCHING = {"F": "FM", "L": "LM", "M": "FLM-", "R": "R", "-": "M-"}
STUCK = 48  # MR-R-R
NUMBERS = {8: (4, 19), 40: (1, 8), 49: (15, 31), 75: (4, 18), 1: (19, 29), 100: (7, 21), 36: (5, 24)}


# ---- Placing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-PLACE-02", "BLOOD-PLACE-04", "BLOOD-TEST-01")
def test_the_second_and_third_tile_touch_exactly_one() -> None:
    play = scene("8@(0,0)/0", hands=[[40], [1]], options=PLAIN)
    go(play, "TILE 40")
    assert point(play) == "D03" and offered(play) == {(-1, 0), (-1, 1), (0, 1)}
    shown = {(-1, 0): 1, (-1, 1): 0, (0, 1): 0}
    for where, rotation in shown.items():
        again = play.copy()
        d = go(again, where)  # D04 never appears
        assert d["decision"] not in ("D03", "D04") and tile_at(d, where)["rotation"] == rotation
    # with two tiles on the map a cell that touches both is not allowed, whoever's turn it is
    two = scene("47@(0,0)/0 100@(0,-1)/2", hands=[[1, 11, 37], [2]], options=PLAIN)
    assert two.record.map_size == 2
    for tile in (1, 11, 37):
        for where in placements(two, tile, 0):
            assert sum(e["cell"] in around(where) for e in two.to_dict()["map"]) == 1


def around(where: tuple[int, int]) -> set[int]:
    steps = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
    return {at(where[0] + q, where[1] + r) for q, r in steps}


@pytest.mark.rule("BLOOD-PLACE-03")
def test_later_tiles_touch_at_least_two() -> None:
    play = scene(MAP_A, hands=[[40, 49, 1], [2]], options=PLAIN)
    filled = {e["cell"] for e in play.to_dict()["map"]}
    for tile in (40, 49, 1):
        chosen = play.copy()
        go(chosen, f"TILE {tile}")
        if point(chosen) == "D03":
            assert cells(chosen) == set(placements(play, tile, 0))
            assert all(len(around(where) & filled) >= 2 for where in cells(chosen))


@pytest.mark.rule("BLOOD-PLACE-05", "BLOOD-TEST-02")
def test_which_sides_match() -> None:
    rules = scene(MAP_A, hands=[[40], [2]]).rules
    for new, letter in enumerate(LETTERS):
        for old, other in enumerate(LETTERS):
            assert (int(rules.fail[old]) >> new & 1 == 0) == (other in MATCHING[letter])


@pytest.mark.rule("BLOOD-TEST-02", "BLOOD-PLACE-05", "BLOOD-PLACE-06")
@pytest.mark.parametrize("tile", NUMBERS)
def test_placements_on_map_a(tile: int) -> None:
    play = scene(MAP_A, hands=[[tile, 120], [2]])
    found = tuple(sum(map(len, placements(play, tile, breaches).values())) for breaches in (0, 1))
    assert found == NUMBERS[tile]
    if tile == 40:
        assert placements(play, 40, 0) == {(-1, 0): [1]}
    if tile == 8:
        assert placements(play, 8, 0) == {(0, 2): [1], (1, 1): [1], (2, -1): [0, 5]}
    for options, breaches in ((PLAIN, 0), ({}, 1)):
        chosen = scene(MAP_A, hands=[[tile, 120], [2]], options=options)
        go(chosen, f"TILE {tile}")
        assert point(chosen) != "D03" or cells(chosen) == set(placements(play, tile, breaches))


@pytest.mark.rule("BLOOD-PLACE-06", "BLOOD-CIT-07")
def test_one_side_may_fail_where_a_citadel_is_placed_and_it_is_permanent() -> None:
    play = scene(MAP_A, hands=[[49], [2]])
    (where,) = [w for w in placements(play, 49, 1) if w not in placements(play, 49, 0)][:1]
    rotation = placements(play, 49, 1)[where][0]
    d = lay(play, 49, where, rotation)
    assert d["decision"] != "D05"  # the side is taken without asking
    (citadel,) = [c for c in d["citadels"] if c is not None]
    assert citadel["permanent"] and citadel["owner"] == 0 and d["settlement"][0] == 11
    assert removable(play.record, 0) == 0  # never returned
    failing = [side for side in range(6) if not board.matches(play.rules, play.record, 49, side)]
    assert len(failing) == 1
    side = failing[0]
    assert (citadel["side"] == side and citadel["cell"] == at(*where)) or citadel["side"] == side - 3
    # no placement has two failing sides
    for cell, turns in placements(play, 36, 1).items():
        i = board.front_at(play.record, at(*cell))
        for k in turns:
            met = int(play.rules.turned[36, k]) & int(play.record.front_fail[i])
            assert met.bit_count() <= 1


@pytest.mark.rule("BLOOD-PLACE-07")
def test_rotations_that_look_alike_are_offered_once() -> None:
    # tile 40 is R-R-R-: two rotations; all others of this hand have six
    play = scene(MAP_A, hands=[[40, 43, 50], [2]])
    assert [int(play.rules.period[t]) for t in (40, 43, 50)] == [2, 3, 6]
    assert all(max(turns) < 2 for turns in placements(play, 40, 1).values())
    go(play, "TILE 43")
    (where,) = [w for w, turns in placements(play, 43, 1).items() if len(turns) > 1][:1]
    go(play, where)
    assert point(play) == "D04" and words(play) == {f"ROT {k}" for k in placements(play, 43, 1)[where]}
    assert words(play) <= {"ROT 0", "ROT 1", "ROT 2"}


# ---- The pile instead -----------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-REVEAL-01", "BLOOD-REVEAL-02")
def test_the_top_of_the_pile_may_be_revealed_and_laid_instead() -> None:
    play = scene(MAP_A, hands=[[1], [2]], pile=[49, 8])
    assert "PILE" in words(play)
    d = go(play, "PILE")
    assert d["decision"] == "D02" and d["placing"] == {"tile": 49, "cell": None} and d["pile"][0] == 8
    assert words(play) == {"DO", "PASS"}
    go(play, "DO")
    assert point(play) == "D03" and cells(play) == set(placements(play, 49, 1))
    where = min(placements(play, 49, 0))
    d = lay(play, 49, where, placements(play, 49, 0)[where][0])
    assert d["laid"] == at(*where) and d["hands"][0] == [1]


@pytest.mark.rule("BLOOD-REVEAL-01")
def test_the_first_player_may_reveal_too() -> None:
    play = scene(hands=[[1, 2, 3], [4, 5, 6, 7]], pile=[9])
    assert go(play, "PILE")["decision"] == "D02" and words(play) == {"DO", "PASS"}


@pytest.mark.rule("BLOOD-REVEAL-03", "BLOOD-REVEAL-04")
def test_a_refused_tile_is_discarded_the_next_taken_and_the_turn_ends() -> None:
    given = {"abilities": [5, None], "reserve": [3, 0], "warbands": {(0, 0): [2, 1]}}
    play = scene(MAP_A, hands=[[1], [2]], pile=[49, 8, 7], prepared=[[], [4]], **given)
    d = go(play, "PILE", "PASS")
    assert d["discard"] == [49] and d["hands"] == [[1, 8], [2]] and d["pile"][0] == 7
    assert (d["decision"], d["active"]) == ("D01", 1)  # no free action, no reserve
    assert d["held"] == [[], []]
    last = scene(MAP_A, hands=[[1], [2]], pile=[], decision="D02", placing={"tile": 49, "cell": None},
                 discard=[t for t in range(3, 121) if t not in (49, 58, 26, 113, 97, 16, 71)][:51])  # fmt: skip
    assert last.to_dict()["pile"] == []
    end = go(last, "PASS")
    assert end["hands"][0] == [1] and end["decision"] == "END"


@pytest.mark.rule("BLOOD-REVEAL-04")
def test_the_discard_pile_only_grows() -> None:
    before: set[int] = set()
    for play in walk(3, num_players=3):
        now = set(play.to_dict()["discard"])
        assert before <= now
        before = now
    assert before


@pytest.mark.rule("BLOOD-CORNER-01")
def test_without_a_tile_that_can_be_laid_the_pile_is_revealed() -> None:
    # tile 40 fits nowhere on a map without free road sides
    text = "58@(0,0)/0 26@(1,0)/0 113@(0,1)/4"
    play = scene(text, hands=[[40], []], options=PLAIN, active=1, player=1, decision="D02",
                 placing={"tile": 49, "cell": None}, pile=[3, 37, 4])  # fmt: skip
    assert placements(play, 40, 0) == {}
    d = go(play, "PASS")
    assert d["active"] == 0 and d["decision"] == "D02" and d["placing"]["tile"] == 37
    # the revealed tile cannot be laid either: discard, draw, end of turn
    play = scene(text, hands=[[40], []], options=PLAIN, active=1, player=1, decision="D02",
                 placing={"tile": 49, "cell": None}, pile=[3, STUCK, 4, 37])  # fmt: skip
    assert placements(play, STUCK, 0) == {}
    d = go(play, "PASS")
    assert STUCK in d["discard"] and d["hands"][0] == [4, 40] and d["active"] == 1


@pytest.mark.rule("BLOOD-CORNER-02")
def test_the_last_tile_revealed_and_not_laid_ends_the_game() -> None:
    rest = [t for t in range(1, 121) if t not in (1, 2, 49, 58, 26, 113, 97, 16, 71)]
    play = scene(MAP_A, hands=[[1], [2]], pile=[49], discard=rest[:51], warbands={(0, 0): [0, 1]})
    assert play.to_dict()["pile"] == [49]
    d = go(play, "PILE", "PASS")
    assert d["decision"] == "END" and 49 in d["discard"] and d["hands"] == [[1], [2]] and d["winners"] == [1]


@pytest.mark.rule("BLOOD-CORNER-03", "BLOOD-CORNER-04")
def test_all_hands_may_be_empty_and_the_map_too() -> None:
    play = scene(hands=[[], []], active=1, player=1, decision="D02", placing={"tile": 49, "cell": None}, pile=[4, 5])
    d = go(play, "PASS")
    assert d["active"] == 0 and d["decision"] == "D02" and d["hands"] == [[], [4]] and d["placing"]["tile"] == 5
    while not play.over():
        play.step(PILE if point(play) == "D01" else PASS)
    d = play.to_dict()
    assert d["decision"] == "END" and d["map"] == [] and d["winners"] == [0, 1]


# ---- Citadels -------------------------------------------------------------------------------------------------------


def with_tile(tile: int = 100, where: tuple[int, int] | None = None, rotation: int | None = None, **given):
    """Lay a tile that matches on MAP-A; stop at D05."""
    play = scene(MAP_A, hands=[[tile], [2]], **given)
    found = placements(play, tile, 0)
    where = min(found) if where is None else where
    lay(play, tile, where, found[where][0] if rotation is None else rotation)
    return play, where


@pytest.mark.rule("BLOOD-CIT-01", "BLOOD-CIT-02")
def test_a_citadel_may_be_placed_on_a_side_shared_with_a_neighbour() -> None:
    play, _ = with_tile()
    assert point(play) == "D05"
    met = [side for side in range(6) if board.met_sides(play.record, 100) >> side & 1]
    assert words(play) == {"PASS", *(f"SIDE {side}" for side in met)} and len(met) >= 2
    none = play.copy()
    assert go(none, "PASS")["citadels"] == [None] * 12
    d = go(play, f"SIDE {met[0]}")
    assert d["settlement"][0] == 11 and d["decision"] not in ("D05", "D06")  # one at most, from the settlement
    (citadel,) = [c for c in d["citadels"] if c]
    assert citadel["owner"] == 0 and not citadel["permanent"] and citadel["side"] <= 2
    first = scene(hands=[[8, 1], [2]])
    assert go(first, "TILE 8")["decision"] != "D05"  # no neighbour
    assert with_tile(options=PLAIN)[0].to_dict()["decision"] != "D05"


@pytest.mark.rule("BLOOD-COMP-04", "BLOOD-CIT-05")
def test_a_citadel_takes_the_lowest_free_number() -> None:
    own = [((0, 0), S, 1, False), ((0, 0), SE, 0, False)]
    play, _ = with_tile(citadels=own, warbands={(0, 0): [3, 0]}, reserve=[8, 0])
    go(play, sorted(words(play) - {"PASS"})[0])
    assert point(play) == "D06" and words(play) == {"RES", "PIECE 1"} and cells(play) == {(0, 0)}
    again = play.copy()
    d = go(again, "RES")
    assert d["citadels"][2]["owner"] == 0 and d["reserve"][0] == 7
    d = go(play, "PIECE 1")  # returned first, then its number is free again
    assert d["citadels"][1]["owner"] == 0 and d["citadels"][2] is None and d["settlement"][0] == 0


@pytest.mark.rule("BLOOD-CIT-05", "BLOOD-CORNER-05")
def test_with_an_empty_settlement_the_warband_comes_from_elsewhere() -> None:
    own = [((0, 0), S, 0, False), ((0, 0), SE, 1, False)]
    play, _ = with_tile(warbands={(0, 0): [4, 0], (1, 0): [2, 0]}, vp=[2, 0], reserve=[3, 0], citadels=own)
    d = go(play, sorted(words(play) - {"PASS"})[0])
    assert d["decision"] == "D06" and d["citadel_side"] is not None
    assert offered(play) == {"VP", "RES", "PIECE 0", (0, 0), (1, 0)}
    for name, key, left in (("VP", "vp", 1), ("RES", "reserve", 2)):
        again = play.copy()
        assert go(again, name)[key][0] == left
    again = play.copy()
    assert tile_at(go(again, (1, 0)), (1, 0))["warbands"] == [1, 0]
    # a single source is taken without asking
    alone, _ = with_tile(warbands={(0, 0): [12, 0]})
    d = go(alone, sorted(words(alone) - {"PASS"})[0])
    assert d["decision"] != "D06" and tile_at(d, (0, 0))["warbands"] == [11, 0]


def inner_sides(text: str) -> list[tuple[tuple[int, int], int]]:
    """Return the inner sides of a map, each once, as a tile and one of its sides 0-2."""
    play = scene(text, hands=[[120], [119]])
    found = []
    for e in play.to_dict()["map"]:
        for side in range(3):
            if play.record.neighbour[e["tile"], side]:
                q, r = e["cell"] // 32 - 16, e["cell"] % 32 - 16
                found.append(((q, r), side))
    return found


def full_supply(owner: int, permanent: bool):
    """All twelve citadels of a larger map, for one seat or the other."""
    sides = inner_sides(BIG)[:12]
    assert len(sides) == 12
    return BIG, [(where, side, owner, permanent) for where, side in sides]


BIG = f"{MAP_A} 40@(-1,0)/1 49@(2,-1)/0"


@pytest.mark.rule("BLOOD-CIT-06", "BLOOD-CIT-04", "BLOOD-CORNER-07")
def test_with_an_empty_supply_an_own_removable_citadel_moves() -> None:
    text, mine = full_supply(0, False)
    mine = [(*c[:2], 0 if i < 2 else 1, False) for i, c in enumerate(mine)]
    play = scene(text, hands=[[47, 118], [2]], citadels=mine)
    assert sum(c is not None for c in play.to_dict()["citadels"]) == 12
    go(play, "TILE 47")
    assert cells(play) == set(placements(play, 47, 1))  # PLACE-06 is open: one may be returned
    matching = placements(play, 47, 0)
    where = min(matching)
    lay(play, 47, where, matching[where][0])
    assert point(play) == "D05"
    d = go(play, sorted(words(play) - {"PASS"})[0])
    assert d["decision"] == "D06" and offered(play) == {"PIECE 0", "PIECE 1"}
    settlement = d["settlement"]
    d = go(play, "PIECE 1")
    assert d["settlement"] == settlement and sum(c is not None for c in d["citadels"]) == 12
    assert sum(c["owner"] == 0 for c in d["citadels"]) == 2
    # no removable one of one's own: no citadel, and no side may fail
    closed = scene(text, hands=[[47, 118], [2]], citadels=[(*c[:2], 1, False) for c in mine])
    go(closed, "TILE 47")
    assert cells(closed) == set(placements(closed, 47, 0))
    assert placements(closed, 47, 0) != placements(closed, 47, 1)
    lay(closed, 47, where, matching[where][0])
    assert point(closed) != "D05"


@pytest.mark.rule("BLOOD-CORNER-07", "BLOOD-CIT-07")
def test_with_an_empty_supply_a_permanent_citadel_opens_nothing() -> None:
    before = scene(BIG, hands=[[36], [2]])
    matching = placements(before, 36, 0)
    where, turns = next((w, turns) for w, turns in placements(before, 36, 1).items() if w not in matching)
    failing = int(before.rules.turned[36, turns[0]]) & int(
        before.record.front_fail[board.front_at(before.record, at(*where))]
    )
    side = (failing.bit_length() - 1) // len(LETTERS)
    full = [(where, side, 0, True), *((*place, 1, False) for place in inner_sides(BIG)[:11])]
    play = scene(f"{BIG} 36@({where[0]},{where[1]})/{turns[0]}", hands=[[47, 118], [2]], citadels=full)
    assert play.record.walls[0] == 1 and sum(c is not None for c in play.to_dict()["citadels"]) == 12
    go(play, "TILE 47")
    assert cells(play) == set(placements(play, 47, 0)) != set(placements(play, 47, 1))


@pytest.mark.rule("BLOOD-CIT-03", "BLOOD-TEST-22")
def test_the_side_under_the_new_citadel_gives_no_action() -> None:
    # 117 is L---R-; its lake side lies against the lake side of 16 or 113
    play = scene(MAP_A, hands=[[117], [2]], warbands={(0, 0): [1, 0]})
    found = [(w, k, s) for w, turns in placements(play, 117, 0).items() for k in turns for s in met_lake(play, w, k)]
    where, rotation, side = found[0]
    lay(play, 117, where, rotation)
    with_citadel = play.copy()
    go(play, "PASS")
    if point(play) == "D08":
        go(play, "PASS")
    assert point(play) == "D14" and play.to_dict()["a"] == 1 and "DRAW" in words(play)
    go(with_citadel, f"SIDE {side}")
    assert with_citadel.to_dict()["decision"] != "D14"


def met_lake(play, where, rotation):
    """Return the sides of tile 117, laid so, that show its lake against a neighbour."""
    side = rotation  # the lake is printed on side 0
    met = around_side(where, side)
    return [side] if any(e["cell"] == met for e in play.to_dict()["map"]) else []


def around_side(where, side):
    q, r = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)][side]
    return at(where[0] + q, where[1] + r)


@pytest.mark.rule("BLOOD-CIT-09")
def test_warbands_inside_citadels_are_not_on_the_map() -> None:
    own = [((0, 0), S, 1, False)]
    play = scene(MAP_A, hands=[[100], [2]], citadels=own, warbands={(0, 0): [1, 0]}, decision="D16", laid=at(0, 1), a=1,
                 reserve=[1, 0])  # fmt: skip
    assert "SPEND" in words(play) and cells(play) == set()  # no enemy stands on (0, 0) or (0, 1)
    assert play.record.mustered[1] == 0 and play.record.walls[1] == 1
    assert scoring.ranks(play.rules, play.record) == [1, 2]  # one warband on the map against none (BLOOD-END-05)


def test_battles_do_not_count_the_warbands_in_citadels() -> None:
    play = fight([1, 2], [[4], [6]], [8, 13], citadels=[((0, 0), S, 1, False)])
    assert play.to_dict()["battle"]["owed"] == [2, 2]
