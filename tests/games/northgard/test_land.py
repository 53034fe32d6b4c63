"""Tiles, territories and exploring (NORTH-TILE, NORTH-EXPL), with the worked examples 4 and 5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from northgard_scenes import FIELD, Play, army, do, offered, places, play, scene

from northmen_env.games.northgard.board import built_yield
from northmen_env.games.northgard.phases.explore import can_explore
from northmen_env.games.northgard.plots import has

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
TWO = {0: {0: 3}, 1: {2: 3}}
EX_04 = "0@(0,0)/0 16@(0,-1)/2 31@(1,0)/0"
EX_05 = "0@(0,0)/0 28@(1,0)/3 34@(1,1)/2 29@(-1,0)/0 17@(-1,1)/1"
TWO_CLOSED = "0@(0,0)/0 34@(0,-1)/3 7@(0,-2)/3 27@(-1,-1)/1 26@(-1,-2)/1 15@(-2,-2)/0"  # 0 and 4 are closed
RIDGE = "0@(0,0)/0 23@(0,-1)/0"


def slots(game: Play, t: int) -> list[int]:
    """Return the slots of the territory that is called `t`."""
    s = game.record
    return [int(s.slot[p]) for p in range(int(s.plots)) if int(s.slot[s.root[p]]) == t]


def plot(game: Play, t: int) -> int:
    """Return the plot of a slot."""
    return [int(slot) for slot in game.record.slot[: int(game.record.plots)]].index(t)


def is_open(game: Play, t: int) -> bool:
    return bool(has(game.record.open_land, plot(game, t)))


def border(game: Play, t: int, u: int) -> str:
    s, a, b = game.record, plot(game, t), plot(game, u)
    if has(s.smooth[a], b):
        return "regular"
    return "rough" if has(s.near[a], b) else "none"


def first_tiles(*tiles: int, on_map: str) -> dict[str, Any]:
    """The tile stack with these tiles on top."""
    laid = {int(entry.split("@")[0]) for entry in on_map.split()}
    return {"tile_stack": [*tiles, *(t for t in range(1, 35) if t not in laid and t not in tiles)]}


# ---- Territories --------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-TILE-05", "NORTH-TILE-06", "NORTH-TILE-07", "NORTH-TILE-08", "NORTH-TILE-10", "NORTH-EXPL-11")
def test_areas_join_over_sides_and_keep_the_smaller_name() -> None:
    game = scene(FIELD, TWO, {0: [1]})
    assert slots(game, 1) == [1, 4, 9] and game.record.extent[plot(game, 1)] == 3 and is_open(game, 1)
    assert [int(game.record.yields[plot(game, 1), r]) for r in range(3)] == [1, 1, 0]
    made = [[1, SILO, 1], [8, SILO, 1]]
    game = scene(EX_04, {0: {8: 2}, 1: {0: 3}}, {0: [2]}, spaceless=[[0, SILO, 1]], **first_tiles(30, on_map=EX_04))
    do(play(game, 2), "ROT 0")
    assert slots(game, 0) == [0, 4, 14] and not is_open(game, 0) and slots(game, 8) == [8, 13] and is_open(game, 8)
    assert game["spaceless"] == [[0, SILO, 1]] and made  # what stood there stays
    s = game.record
    assert int(s.yields[plot(game, 0), 0]) - int(built_yield(game.rules, s, np.int64(plot(game, 0)), np.int64(0))) == 0


@pytest.mark.rule("NORTH-TILE-07", "NORTH-TILE-17", "NORTH-CORN-13", "NORTH-EXPL-11")
def test_all_that_stands_in_two_territories_is_in_the_joint_one() -> None:
    bridge = "0@(0,0)/0 5@(1,0)/0 8@(1,-1)/0"  # tile 14 on the cell 0 joins the territories 0 and 9
    game = scene(
        bridge, {0: {0: 2, 9: 1}, 1: {2: 1}}, {0: [2]}, clans=[BEAR, SNAKE], kaija=9, token=9, creatures=[[0, 9]],
        options={"creatures": True}, spaceless=[[0, SILO, 1], [9, TOWER, 1]], **first_tiles(14, on_map=bridge),
    )  # fmt: skip
    do(play(game, 2), "CELL 0")
    assert slots(game, 0) == [0, 9, 12] and game["units"] == [[0, 0, 3], [2, 1, 1]]
    assert (game["kaija"], game["token"], game["creatures"]) == (0, 0, [[0, 0]])
    assert game["spaceless"] == [[0, SILO, 1], [0, TOWER, 1]]


@pytest.mark.rule("NORTH-TILE-09", "NORTH-CORN-20", "NORTH-MOVE-01")
def test_regular_and_rough_borders() -> None:
    game = scene(RIDGE, {0: {0: 2}, 1: {2: 1}}, {0: [1]})
    assert slots(game, 0) == [0, 6]
    assert [border(game, 0, 7), border(game, 0, 5), border(game, 5, 4)] == ["regular", "regular", "rough"]
    assert border(game, 0, 0) == "none" and border(game, 1, 5) == "none"  # touching at a corner only


@pytest.mark.rule("NORTH-TILE-17", "NORTH-TILE-11")
def test_figures_belong_to_the_territory_as_a_whole() -> None:
    game = scene(FIELD, {0: {1: 2}, 1: {2: 1}}, {0: [1]})
    do(play(game, 1), "TERR 1")
    assert game["units"] == [[1, 0, 2], [2, 1, 1]] and places(game) == {0, 2, 3, 8}  # beside any of its areas


# ---- Exploring ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clan", range(7))
@pytest.mark.parametrize("actor", ["Red", "Yellow"])
@pytest.mark.rule(
    "NORTH-EX-04", "NORTH-EXPL-08", "NORTH-EXPL-09", "NORTH-EXPL-10", "NORTH-CLAN-06", "NORTH-CLAN-08", "NORTH-CLAN-14",
)  # fmt: skip
def test_closing(clan: int, actor: str) -> None:
    units = {0: {8: 2}, 1: {0: 3}} if actor == "Red" else {0: {0: 3}, 1: {8: 2}}
    game = scene(EX_04, units, {0: [2]}, clans=[clan, (clan + 1) % 7], **first_tiles(30, on_map=EX_04))
    play(game, 2)
    assert game.decision == "EX_ROT" and game["frames"][-1]["cell"] == 5 and places(game, "ROT") == {0, 2, 3}
    do(game, "ROT 0")
    assert game["fame"][0] == (0 if actor == "Red" else 4 if clan == STAG else 3) and game["fame"][1] == 0
    assert game["resources"][0] == [0, 0, 0]  # the Boar neither: a territory was closed, whoever has it


@pytest.mark.rule("NORTH-CLAN-06", "NORTH-CLAN-08", "NORTH-EXPL-10")
def test_what_the_boar_and_the_raven_gain() -> None:
    gained = set()
    alone = {"clans": [BOAR, GOAT], **first_tiles(3, on_map="0@(0,0)/0")}  # tile 3: an area of one side, one of three
    start = play(scene("0@(0,0)/0", {0: {0: 1, 1: 1}, 1: {2: 1}}, {0: [2]}, **alone), 2)
    for cell in sorted(places(start, "CELL")):
        chosen = do(start.copy(), f"CELL {cell}")
        turns = sorted(places(chosen, "ROT")) if chosen.decision == "EX_ROT" else []
        for turn in turns:
            game = do(chosen.copy(), f"ROT {turn}")
            new = {int(game.record.root[p]) for p in range(int(game.record.plot_base[1]), int(game.record.plots))}
            closed = [t for t in new if not has(game.record.open_land, t)]
            assert game["resources"][0] == [0, 0, 0 if closed else 1]  # whoever has the territory
            gained.add(bool(closed))
    assert gained == {True, False}
    given = {"clans": [RAVEN, GOAT], "spaceless": [[0, SILO, 2]], **first_tiles(30, on_map=EX_04)}
    game = scene(EX_04, {0: {0: 3}, 1: {8: 2}}, {0: [2]}, **given)
    do(play(game, 2), "ROT 0")
    assert game["resources"][0] == [2, 0, 0] and game["fame"][0] == 3


@pytest.mark.rule("NORTH-EX-05", "NORTH-EXPL-06", "NORTH-EXPL-07", "NORTH-EXPL-12")
def test_forbidden_placement() -> None:
    game = scene(EX_05, {0: {9: 2, 0: 1}, 1: {2: 2}}, {0: [2]}, **first_tiles(22, on_map=EX_05))
    assert slots(game, 9) == [9] and slots(game, 2) == [2]
    play(game, 2)
    # the cell (0, 1) is called 2: two rotations break a border, the others would join 9 and 2
    assert 2 not in places(game, "CELL") and 9 in places(game, "CELL")
    do(game, "CELL 9")
    assert places(game, "ROT") == {0, 1, 2, 3}
    do(game, "ROT 0")
    assert game["tiles"][-1] == [22, 2, 1, 0]


@pytest.mark.rule("NORTH-EXPL-01", "NORTH-CORN-05", "NORTH-EXPL-02", "NORTH-EXPL-05", "NORTH-CORN-06", "NORTH-INFO-02")
def test_tiles_are_drawn_privately_and_one_must_be_placed() -> None:
    game = scene(FIELD, TWO, {0: [39]})  # Upgraded Scout Camp: two tiles
    top = sorted(game["tile_stack"][:2])
    play(game, 39)
    assert game.decision == "EX_PICK" and game["frames"][-1]["drawn"] == top and "DONE" not in offered(game)
    do(game, "PICK 1")
    d = game.to_dict()
    assert d["tile_stack"][-1] == top[0] and d["tile_known"][-1] == 1 and d["frames"][-1]["tile"] == top[1]
    assert can_explore(game.rules, game.record, np.int64(0), np.int64(2))
    game.array["stack_size"] = 0
    assert not can_explore(game.rules, game.record, np.int64(0), np.int64(2))


@pytest.mark.rule("NORTH-EXPL-01", "NORTH-TILE-08", "NORTH-TURN-06")
def test_closed_territories_are_no_place_to_explore_from() -> None:
    for units, playable in (({0: 2}, {0, 1}), ({0: 2, 10: 1}, {0, 1, 2})):
        game = do(scene(TWO_CLOSED, {0: units, 1: {1: 1}}, {0: [0, 1, 2]}), "PLAY")
        assert places(game, "CARD") == playable


@pytest.mark.rule("NORTH-EXPL-02", "NORTH-EXPL-01", "NORTH-CORN-05")
@pytest.mark.parametrize("left", [3, 2, 1, 0])
def test_the_last_tiles(left: int) -> None:
    """All other tiles lie in a row; Lay of the Land draws three."""
    row = " ".join(f"{tile}@({tile},0)/0" for tile in range(35 - left))
    game = scene(row, TWO, {0: [0, 1, 69]}, clans=[BOAR, GOAT])
    assert len(game["tile_stack"]) == left
    do(game, "PLAY")
    assert places(game, "CARD") == ({0, 1, 69} if left else {0, 1})
    if left:
        do(game, "CARD 69")
        frame = game["frames"][-1]
        held = [*frame["drawn"], *([] if frame["tile"] is None else [frame["tile"]])]
        assert held == list(range(35 - left, 35)) and game["tile_stack"] == []


@pytest.mark.rule("NORTH-EXPL-09", "NORTH-CRE-07", "NORTH-CRE-33")
def test_what_closing_brings_comes_before_the_creature() -> None:
    given = {"options": {"creatures": True}, "creature_pile": [5, *(c for c in range(9) if c != 5)]}
    game = scene(FIELD, {0: {0: 1, 3: 1}, 1: {2: 3}}, {0: [2]}, **given, **first_tiles(18, on_map=FIELD))
    do(play(game, 2), "CELL 0", "ROT 2")  # the lair's area closes territory 0; the Draugr takes the unit there
    assert game["creatures"] == [[5, 0]] and army(game, 0) == {3: 1} and game["fame"] == [2, 0]


@pytest.mark.rule("NORTH-EXPL-03")
def test_tiles_without_a_placement_are_shown_and_go_under_the_stack() -> None:
    # two tiles in a row of a narrow map: whatever fits nowhere goes under the stack, known to all
    game = scene(EX_05, {0: {9: 2, 0: 1}, 1: {2: 2}}, {0: [2]}, **first_tiles(22, on_map=EX_05))
    before = len(game["tile_stack"])
    play(game, 2)
    known = [mask for mask in game["tile_known"] if mask]
    assert len(game["tile_stack"]) == before - 1 and all(mask == 3 for mask in known)


@pytest.mark.rule("NORTH-EXPL-04", "NORTH-EXPL-03")
def test_scout_camp_draws_again() -> None:
    game = scene(FIELD, TWO, {0: [16]})
    top = game["tile_stack"][:2]
    play(game, 16)
    assert game.decision == "EX_REDRAW" and game["frames"][-1]["drawn"] == top[:1]
    do(game, "YES")
    d = game.to_dict()
    assert d["frames"][-1]["redrawn"] and d["tile_stack"][-1] == top[0] and d["tile_known"][-1] == 1
    assert top[1] in (d["frames"][-1]["tile"], *d["frames"][-1]["drawn"])


@pytest.mark.rule("NORTH-EXPL-13", "NORTH-EXPL-09")
def test_a_second_explore_is_offered() -> None:
    game = scene(FIELD, {0: {0: 1, 3: 1, 8: 1}, 1: {2: 1}}, {0: [38]}, clans=[STAG, GOAT])  # Rangers: two explores
    play(game, 38)
    while game.decision != "EX_AGAIN":
        game.step(game.legal()[0])
    assert offered(game) == {"DONE", "YES"} and len(game["tiles"]) == 4 and game["frames"][-1]["left"] == 1
    do(game, "YES")
    assert game["frames"][-1]["left"] == 0 and len(game["tiles"]) == 4


@pytest.mark.rule("NORTH-TILE-12", "NORTH-EXPL-06")
def test_a_narrow_map_keeps_an_empty_column() -> None:
    row = " ".join(f"{t}@({x},0)/0" for x, t in enumerate((0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12)))
    game = scene(row, TWO, {0: [33]}, options={"map_size": 12})  # from any open territory
    play(game, 33)
    while game.decision != "EX_CELL":
        game.step(game.legal()[0])
    xs = {(int(game.record.tile_x[c // 4]) + (0, 1, 0, -1)[c % 4]) for c in places(game, "CELL")}
    assert xs and -1 not in xs and 11 not in xs
    wide = scene(row, TWO, {0: [33]})
    play(wide, 33)
    while wide.decision != "EX_CELL":
        wide.step(wide.legal()[0])
    xs = {(int(wide.record.tile_x[c // 4]) + (0, 1, 0, -1)[c % 4]) for c in places(wide, "CELL")}
    assert {-1, 11} & xs


@pytest.mark.rule("NORTH-CORN-13", "NORTH-EXPL-11", "NORTH-CLAN-09")
def test_a_merged_territory_keeps_token_creatures_and_buildings() -> None:
    given = {"options": {"creatures": True}, "creatures": [[0, 8], [1, 2]], "token": 8, "clans": [GOAT, SNAKE]}
    game = scene(
        EX_04, {0: {8: 2}, 1: {0: 3}}, {0: [2]}, spaceless=[[8, SILO, 1]], **given, **first_tiles(30, on_map=EX_04)
    )
    do(play(game, 2), "ROT 0")
    assert slots(game, 8) == [8, 13] and game["token"] == 8 and [0, 8] in game["creatures"]
    assert game["spaceless"] == [[8, SILO, 1]] and army(game, 0) == {8: 2}
