"""Moves over lakes, over roads and round the map edge (BLOOD-LAKE, BLOOD-ROAD, BLOOD-EDGE)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_positions import MAP_A, at, offset
from blood_scenes import (
    CORSAIRS,
    NORMAN,
    PICAROON,
    PLAIN,
    ROADS,
    SE,
    S,
    cells,
    go,
    lay,
    offered,
    point,
    scene,
    there,
    tile_id,
    tiles_to_offsets,
    words,
)

from northmen_env.games.blood import reach
from northmen_env.games.blood.board import FACING

RING = "94@(0,-1)/0 86@(1,-1)/1 59@(1,0)/2 84@(0,1)/0 33@(-1,1)/5 37@(-1,0)/1"
ROADS_AND_23 = f"{ROADS} 23@(-1,1)/0"


def lake_phase(a, text=MAP_A, **given):
    given = {"hands": [[4], [1]], "drew_earlier": True, **given}
    return scene(text, decision="D14", laid=at(0, 1), a=a, **given)


def road_phase(a, text=ROADS_AND_23, **given):
    given = {"hands": [[36], [1]], "drew_earlier": True, **given}
    return scene(text, decision="D15", laid=at(-1, 1), a=a, **given)


def move(play, source, number=None):
    """Choose source and number; stop at the destinations."""
    go(play, source)
    if point(play) == "D17":
        go(play, f"COUNT {number or 1}")
    return cells(play) if point(play) == "D18" else None


# ---- Lake -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-LAKE-01", "BLOOD-LAKE-07")
def test_a_lake_action_moves_one_to_three_warbands() -> None:
    play = lake_phase(1, warbands={(0, 0): [5, 0]})
    assert offered(play) == {"PASS", (0, 0)}
    go(play, (0, 0))
    assert point(play) == "D17" and words(play) == {"COUNT 1", "COUNT 2", "COUNT 3"}
    d = go(play, "COUNT 3")
    assert d["decision"] == "D18" and d["move"] == {"kind": "LAKE", "source": at(0, 0), "count": 3}
    go(play, (-1, 2))
    assert there(play, (-1, 2)) == [3, 0] and there(play, (0, 0)) == [2, 0]
    two = lake_phase(1, warbands={(0, 0): [2, 0]})
    go(two, (0, 0))
    assert words(two) == {"COUNT 1", "COUNT 2"}


@pytest.mark.rule("BLOOD-TEST-04", "BLOOD-LAKE-03", "BLOOD-LAKE-05")
def test_the_lake_example() -> None:
    without = " ".join(word for word in MAP_A.split() if not word.startswith("71@"))
    play = scene(without, warbands={(0, 0): [2, 0]}, hands=[[71], [1]], options=PLAIN)
    d = lay(play, 71, (1, -1), 0)
    assert (d["decision"], d["a"]) == ("D13", 1)
    d = go(play, "DO")
    assert d["decision"] == "D14" and d["a"] == 1 and cells(play) == {(0, 0)}
    go(play, (0, 0), "COUNT 2")
    assert cells(play) == {(1, 0), (0, 1), (-1, 1), (-1, 2)}
    for where in cells(play):
        again = play.copy()
        d = go(again, where)
        assert there(again, where) == [2, 0] and d["decision"] != "D14"  # each costs the one action


@pytest.mark.rule("BLOOD-LAKE-05")
def test_others_on_the_way_do_not_stop_an_army_on_a_lake() -> None:
    play = lake_phase(1, warbands={(0, 0): [1, 0], (0, 1): [0, 3], (-1, 1): [0, 1], (-1, 2): [0, 2]})
    assert {(0, 1), (-1, 1), (-1, 2)} <= move(play, (0, 0))


@pytest.mark.rule("BLOOD-LAKE-02", "BLOOD-CIT-08")
def test_what_a_side_is_for_a_colour() -> None:
    text = "105@(0,0)/4 94@(1,0)/0 43@(2,0)/0 61@(3,0)/1 60@(0,1)/4"
    play = scene(text, hands=[[75], [1]], citadels=[((2, 0), SE, 0, False), ((0, 0), SE, 1, False)])
    state = play.record

    def status(where, side, p):
        links = reach.links_for(state, tile_id(play, where), p)
        return [name for name, bit in (("open", 0), ("forest", 6), ("lake", 12)) if links >> (bit + side) & 1]

    assert status((2, 0), SE, 0) == ["open"] and status((2, 0), SE, 1) == []  # '-' against M under a citadel
    assert status((0, 0), SE, 1) == ["open"] and status((0, 0), SE, 0) == []
    assert status((1, 0), SE, 0) == status((1, 0), SE, 1)
    map_a = scene(MAP_A, hands=[[4], [1]])
    state = map_a.record
    kinds = {}
    for e in map_a.to_dict()["map"]:
        for side in range(6):
            other = int(state.neighbour[e["tile"], side])
            if other:
                letters = letter(map_a, e["tile"], side) + letter(map_a, other, FACING[side])
                links = reach.links_for(state, e["tile"], 0) >> side
                kinds["".join(sorted(letters))] = (links & 1, links >> 6 & 1, links >> 12 & 1, links >> 18 & 1)
    expected = {"--": (1, 0, 0, 0), "RR": (1, 0, 0, 1), "FF": (0, 1, 0, 0), "LL": (0, 0, 1, 0)}
    assert all(kinds[pair] == expected.get(pair, (0, 0, 0, 0)) for pair in kinds) and len(kinds) >= 4


def letter(play, tile, side):
    return "FLRM-"[int(play.rules.letters[tile, (side - int(play.record.rotation[tile])) % 6])]


@pytest.mark.rule("BLOOD-LAKE-04", "BLOOD-TEST-05")
def test_two_actions_cross_a_forest_side() -> None:
    text, given = "58@(0,0)/0 16@(0,-1)/3", {"warbands": {(0, 0): [1, 0]}, "laid": at(0, -1)}
    one = scene(text, decision="D14", a=1, hands=[[4], [1]], **given)
    assert cells(one) == set()
    two = scene(text, decision="D14", a=2, hands=[[4], [1]], **given)
    assert cells(two) == {(0, 0)}
    go(two, (0, 0))  # one warband, one destination: no further choice
    assert there(two, (0, -1)) == [1, 0] and two.to_dict()["active"] == 1
    # both are paid: nothing is left but to spend the reserve on going back
    paid = scene(text, decision="D14", a=2, hands=[[4], [1]], reserve=[2, 0], **given)
    d = go(paid, (0, 0))
    assert (d["decision"], d["a"]) == ("D14", 0) and offered(paid) == {"PASS", "SPEND"}


@pytest.mark.rule("BLOOD-LAKE-06", "BLOOD-ABIL-02", "BLOOD-TEST-20")
def test_how_lake_moves_are_paid() -> None:
    corsairs = {"abilities": [CORSAIRS, None], "warbands": {(0, 0): [1, 0]}}
    free = lake_phase(0, b=1, **corsairs)
    assert move(free, (0, 0)) == {(0, 1), (-1, 1), (-1, 2)}  # over the lake, not (1, 0)
    both = lake_phase(1, b=1, abilities=[CORSAIRS, None], warbands={(0, 0): [2, 0]})
    assert move(both, (0, 0)) == {(0, 1), (-1, 1), (-1, 2), (1, 0)}
    d = go(both.copy(), (0, 1))
    assert (d["a"], d["b"]) == (1, 0)  # the lake is paid by the free action
    d = go(both, (1, 0))
    assert (d["a"], d["b"]) == (0, 1)
    laid = scene(MAP_A, hands=[[40], [1]], options=PLAIN, **corsairs)
    d = lay(laid, 40, (-1, 0), 1)
    assert d["decision"] == "D14" and (d["a"], d["b"]) == (0, 1)  # every turn in which a tile is laid


@pytest.mark.rule("BLOOD-TEST-15", "BLOOD-CIT-08")
def test_the_citadel_example() -> None:
    text = "105@(0,0)/4 94@(1,0)/0 43@(2,0)/0 61@(3,0)/1 60@(0,1)/4"
    own = [((2, 0), SE, 0, False)]
    play = scene(text, warbands={(0, 0): [1, 0]}, hands=[[75], [1]], citadels=own)
    lay(play, 75, (1, 1), 4)
    d = go(play, "PASS")  # no citadel
    assert (d["decision"], d["village_left"]) == ("D09", 1)  # alone in one Furs village
    d = go(play, "PASS")
    assert (d["decision"], d["a"]) == ("D14", 3)
    w0, w1 = reach.lake_destinations(play.record, tile_id(play, (2, 0)), 1, 3, 0)
    assert (3, 0) not in tiles_to_offsets(play, w0, w1)  # for another colour
    for start, end in (((0, 0), (1, 0)), ((1, 0), (2, 0)), ((2, 0), (3, 0))):
        go(play, start)
        if point(play) == "D18":
            go(play, end)
        assert there(play, end) == [1, 0]
    assert point(play) == "D15" and play.to_dict()["a"] == 1
    assert move(play, (3, 0)) == {(0, 1), (2, 0)}


# ---- Road -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-ROAD-01", "BLOOD-ROAD-02", "BLOOD-ROAD-07")
def test_a_road_action_moves_any_number_and_the_army_stays_whole() -> None:
    play = road_phase(1, warbands={(0, 0): [5, 0], (0, 1): [1, 0]})
    go(play, (0, 0))
    assert words(play) == {f"COUNT {k}" for k in range(1, 6)}
    go(play, "COUNT 4")
    assert cells(play) == {(0, 1), (1, 1), (-1, 1)}
    go(play, (1, 1))
    assert there(play, (1, 1)) == [4, 0] and there(play, (0, 1)) == [1, 0] and there(play, (0, 0)) == [1, 0]


@pytest.mark.rule("BLOOD-ROAD-01", "BLOOD-ROAD-05", "BLOOD-TEST-06", "BLOOD-EDGE-01")
def test_the_road_example() -> None:
    play = scene(ROADS, warbands={(0, 0): [1, 0], (0, 1): [0, 1]}, hands=[[23], [1]], options=PLAIN)
    lay(play, 23, (-1, 1), 0)
    d = go(play, "DO")
    assert (d["decision"], d["a"]) == ("D14", 1)
    go(play, "DRAW")
    assert point(play) == "D15" and offered(play) == {"PASS", (0, 0), (-1, 1)}
    again = play.copy()
    assert move(again, (0, 0)) == {(0, 1), (1, 1), (-1, 1)}  # the enemy stops the army on (0, 1)
    on0, on1, _, _ = reach.road_search(play.rules, play.record, tile_id(play, (0, 0)), 0, 1)
    assert tiles_to_offsets(play, on0, on1) == {(0, 0), (0, 1)}
    assert move(play, (-1, 1)) == {(0, 0), (1, 1)}
    free = road_phase(1, warbands={(0, 0): [1, 0]})
    on0, on1, _, _ = reach.road_search(free.rules, free.record, tile_id(free, (0, 0)), 0, 1)
    assert tiles_to_offsets(free, on0, on1) == {(0, 0), (0, 1), (1, 1)}
    assert move(free, (0, 0)) == {(0, 1), (1, 1), (-1, 1)}


@pytest.mark.rule("BLOOD-ROAD-04")
def test_enemies_on_the_start_tile_do_not_hold_the_army_back() -> None:
    play = road_phase(1, warbands={(0, 0): [1, 4]})
    assert move(play, (0, 0)) == {(0, 1), (1, 1), (-1, 1)}


@pytest.mark.rule("BLOOD-ROAD-03", "BLOOD-CIT-08", "BLOOD-ABIL-05")
def test_a_citadel_on_a_road_side_stops_all_but_picaroon() -> None:
    for owner, ability, goes_on in ((0, None, False), (1, None, False), (0, PICAROON, True), (1, PICAROON, False)):
        play = road_phase(1, warbands={(0, 0): [3, 0]}, abilities=[ability, None], citadels=[((0, 0), S, owner, False)])
        seen0, seen1, _, _ = reach.road_search(play.rules, play.record, tile_id(play, (0, 0)), 0, 3)
        assert ((0, 1) in tiles_to_offsets(play, seen0, seen1)) == goes_on


@pytest.mark.rule("BLOOD-ABIL-05")
def test_enemies_do_not_stop_a_larger_army_of_picaroon() -> None:
    for ability, number, reached in ((None, 3, False), (PICAROON, 2, False), (PICAROON, 3, True)):
        play = road_phase(1, warbands={(0, 0): [3, 0], (0, 1): [0, 2]}, abilities=[ability, None])
        seen0, seen1, _, _ = reach.road_search(play.rules, play.record, tile_id(play, (0, 0)), 0, number)
        assert ((1, 1) in tiles_to_offsets(play, seen0, seen1)) == reached


@pytest.mark.rule("BLOOD-ROAD-06", "BLOOD-ABIL-07", "BLOOD-TEST-20")
def test_how_road_moves_are_paid() -> None:
    given = {"abilities": [NORMAN, None], "warbands": {(0, 0): [1, 0], (0, 1): [0, 1], (-1, 1): [1, 0]}}
    free = road_phase(0, b=1, **given)
    assert cells(free) == {(0, 0)}  # nothing leads off (-1, 1) on the map
    go(free, (0, 0))
    assert there(free, (0, 1)) == [1, 1]
    both = road_phase(1, b=1, **given)
    assert cells(both) == {(0, 0), (-1, 1)} and move(both, (0, 0)) == {(0, 1), (1, 1), (-1, 1)}
    d = go(both.copy(), (0, 1))
    assert (d["a"], d["b"]) == (1, 0)
    d = go(both, (1, 1))  # only round the edge: the free action does not pay for it
    assert (d["a"], d["b"]) == (0, 1) or d["active"] == 1


# ---- Edge -----------------------------------------------------------------------------------------------------------


def walk_round(play, where, side, turn):
    """The sides along the edge from a boundary side, by BLOOD-EDGE-02, until it comes back."""
    state = play.record
    at_tile, d, seen = tile_id(play, where), side, []
    start = (at_tile, d)
    while True:
        ahead = (d + turn) % 6
        other = int(state.neighbour[at_tile, ahead])
        at_tile, d = (at_tile, ahead) if other == 0 else (other, (d - turn) % 6)
        if (at_tile, d) == start:
            return seen
        seen.append((offset(int(state.cell[at_tile])), d))


@pytest.mark.rule("BLOOD-EDGE-02", "BLOOD-EDGE-04", "BLOOD-TEST-07")
def test_the_way_round_ends_on_the_next_road_side() -> None:
    play = road_phase(1, warbands={(0, 0): [1, 0]})
    assert len(walk_round(play, (0, 0), 1, 1)) == 15  # sixteen sides
    checked = 0
    for e in play.to_dict()["map"]:
        exits = int(reach.road_exits(play.rules, play.record, e["tile"]))
        for side in range(6):
            if exits >> side & 1:
                for turn in (reach.CLOCKWISE, reach.COUNTER_CLOCKWISE):
                    way = walk_round(play, offset(e["cell"]), side, int(turn))
                    roads = [w for w, d in way if letter(play, tile_id(play, w), d) == "R"]
                    arrival = reach.round_edge(play.rules, play.record, e["tile"], side, turn)
                    assert arrival == (tile_id(play, roads[0]) if roads else 0)
                    checked += 1
    assert checked >= 6


@pytest.mark.rule("BLOOD-EDGE-04")
def test_there_is_no_arrival_without_another_road_side_and_none_on_the_source() -> None:
    # 25 is LR-R--: alone with two road sides, each way ends on the same tile
    play = scene("25@(0,0)/0", decision="D15", laid=at(0, 0), a=1, hands=[[4], [1]], warbands={(0, 0): [1, 0]})
    assert reach.arrivals(play.rules, play.record, 25) == (1 << 25, 0) and cells(play) == set()


@pytest.mark.rule("BLOOD-EDGE-01", "BLOOD-ROAD-05")
def test_an_army_leaves_also_after_steps_on_the_road_and_enemies_at_the_end_do_not_matter() -> None:
    play = road_phase(1, warbands={(0, 1): [1, 0], (-1, 1): [0, 3]})
    assert reach.road_exits(play.rules, play.record, tile_id(play, (0, 1))) == 0  # its roads lead to tiles of the map
    assert move(play, (0, 1)) == {(0, 0), (1, 1), (-1, 1)}
    go(play, (-1, 1))
    assert there(play, (-1, 1)) == [1, 3]


@pytest.mark.rule("BLOOD-EDGE-03")
def test_a_hole_has_a_curve_of_its_own() -> None:
    play = scene(RING, hands=[[118, 120], [1]], warbands={(0, -1): [1, 0]}, decision="D15", laid=at(0, -1), a=1)
    curves = set()
    for e in play.to_dict()["map"]:
        for side in range(6):
            if int(play.record.neighbour[e["tile"], side]) == 0:
                way = walk_round(play, offset(e["cell"]), side, 1)
                curves.add(frozenset([*way, (offset(e["cell"]), side)]))
    inner = min(curves, key=len)
    assert len(curves) == 2 and len(inner) == 6 and len({where for where, _ in inner}) == 6
    # from a road side at the hole one gets to the next road side of the hole, never outside
    roads = {where for where, d in inner if letter(play, tile_id(play, where), d) == "R"}
    for where, d in inner:
        if where in roads:
            arrival = int(reach.round_edge(play.rules, play.record, tile_id(play, where), d, reach.CLOCKWISE))
            assert (offset(int(play.record.cell[arrival])) if arrival else where) in roads
