"""Each card row is played at least once, and what it does is seen (NORTH-CARD-03, NORTH-FX-00 … -15)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from northgard_scenes import FIELD, Play, army, do, go, offered, places, play, scene

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
FLASH = {6, 7, 9, 10, 18, 22, 24, 32, 34, 43, 45, 46, 50, 55, 64, 65, 67, 70, 73, 74, 76, 78, 79, 81, 82, 83}
HOME = {0: {0: 2, 3: 1}, 1: {2: 1}}
"""On FIELD: 0 and 3 are the actor's, 2 the enemy's, 1 (a food, a wood, a small and a large space) and 8 neutral."""


def clan_of(card: int) -> int:
    return (card - 64) // 3 if 64 <= card < 85 else GOAT


def begin(card: int, units: Any = None, text: str = FIELD, n: int = 2, more: Any = (), **given: Any) -> Play:
    """Seat 0 has just played a card out of a hand with nothing else that can be played, but for `more`."""
    own = clan_of(card)
    others = [clan for clan in (BOAR, WOLF, STAG, BEAR, RAVEN) if clan != own]
    given.setdefault("clans", [own, *others[: n - 1]])
    game = scene(text, units or HOME, {0: [card, *more], **given.pop("hands", {})}, n, **given)
    play(game, card)
    return game


def over(game: Play, card: int) -> Play:
    """The card is resolved: it lies in the active area, and counts as the main card without Flash."""
    d = game.to_dict()
    assert card in d["played"][0] and d["frames"] == []
    if d["decision"] == "CONT":
        assert d["main_used"] is (card not in FLASH) and d["resolved"] is True
    else:
        assert d["turn"] != 0 or d["decision"] == "MENU"
    return game


def settle(game: Play, *names: str) -> Play:
    """Take these actions where they are offered, else the first one, until no operation runs."""
    while game["frames"]:
        legal = offered(game)
        do(game, next((name for name in names if name in legal), min(legal)))
    return game


# ---- RECRUIT ------------------------------------------------------------------------------------------------------

RECRUITS: list[tuple[int, Any, str, dict[int, int], dict[str, Any]]] = [
    (0, None, "REC_TERR: TERR 3", {0: 2, 3: 2}, {}),
    (7, None, "REC_TERR: TERR 0", {0: 3, 3: 1}, {}),
    (11, None, "REC_TERR: TERR 0; REC_TERR: TERR 0", {0: 4, 3: 1}, {}),
    (13, None, "REC_TERR: TERR 8", {0: 2, 3: 1, 8: 1}, {}),
    (28, {0: {0: 1, 1: 1}, 1: {2: 1}}, "REC_TERR: TERR 0; REC_TERR: TERR 1; REC_TERR: TERR 0", {0: 3, 1: 2},
     {"spaceless": [[0, SILO, 2]]}),
    (41, {0: {0: 1, 1: 1}, 1: {2: 1}}, "REC_TERR: TERR 0; REC_TERR: TERR 1; REC_TERR: TERR 0", {0: 3, 1: 2},
     {"spaceless": [[0, LODGE, 2]]}),
    (52, {0: {0: 1, 1: 1}, 1: {2: 1}}, "REC_TERR: TERR 0; REC_TERR: TERR 1; REC_TERR: TERR 0", {0: 3, 1: 2},
     {"spaceless": [[0, CARVED, 2], [1, CARVED, 1]]}),
    (29, None, "REC_TERR: TERR 8; REC_TERR: TERR 8", {0: 2, 3: 1, 8: 2}, {}),
    (43, None, "REC_TERR: TERR 0; REC_TERR: TERR 3", {0: 3, 3: 2}, {}),
    (51, None, "REC_TERR: TERR 1; REC_TERR: TERR 8; REC_TERR: TERR 1", {0: 2, 1: 2, 3: 1, 8: 1}, {}),
    (65, None, "REC_TERR: TERR 0; REC_KAIJA: YES; REC_TERR: TERR 3", {0: 3, 3: 2}, {}),
    (68, {0: {0: 1, 1: 1, 3: 1}, 1: {2: 1}}, "REC_TERR: TERR 0; REC_TERR: TERR 1; REC_TERR: TERR 3",
     {0: 2, 1: 2, 3: 2}, {}),
    (75, None, "REC_TERR: TERR 8; REC_TERR: TERR 8; REC_PAY: YES", {0: 2, 3: 1, 8: 3},
     {"resources": [[1, 1, 0], [0, 0, 0]]}),
    (79, None, "REC_TERR: TERR 3; REC_PULL: TERR 0", {0: 1, 3: 3}, {}),
    (84, {0: {0: 1, 1: 1, 3: 1}, 1: {2: 1}}, "REC_TERR: TERR 1; REC_TERR: TERR 3", {0: 1, 1: 2, 3: 2}, {}),
]  # fmt: skip


@pytest.mark.rule("NORTH-FX-01", "NORTH-CARD-03", "NORTH-RECR-01", "NORTH-RECR-02", "NORTH-TURN-05")
@pytest.mark.parametrize(("card", "units", "text", "after", "given"), RECRUITS, ids=[str(row[0]) for row in RECRUITS])
def test_recruits(card: int, units: Any, text: str, after: dict[int, int], given: dict[str, Any]) -> None:
    game = begin(card, units, **given)
    before = sum(army(game, 0).values())
    steps = text.split("; ")
    go(game, "; ".join(steps[:-1]))
    # the last step may have been the only one left
    if game["frames"] != [] and game.decision == steps[-1].split(":")[0]:
        go(game, steps[-1])
    assert army(game, 0) == after and sum(after.values()) > before
    over(game, card)


# ---- MOVE ---------------------------------------------------------------------------------------------------------

SIDE_BY_SIDE = {0: {3: 2}, 1: {2: 2}}
ROUGH = "0@(0,0)/0 23@(0,-1)/0"
"""4 and 5 share a rough border, as 5 and 6 … and regular ones with territory 0."""


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-01")
def test_move() -> None:
    game = begin(1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1")
    assert army(over(game, 1), 0) == {0: 1, 1: 1, 3: 1}


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-01", "NORTH-MOVE-02")
@pytest.mark.parametrize(("card", "moves"), [(9, 2), (47, 4)])
def test_longer_moves(card: int, moves: int) -> None:
    game = begin(card, {0: {0: 2}, 1: {2: 1}})
    way = [0, 1, 8, 1, 0][: moves + 1]
    for src, dst in pairwise(way):
        go(game, f"MV_SRC: TERR {src}")
        if game.decision == "MV_DST":
            go(game, f"MV_DST: TERR {dst}")
        go(game, "MV_NUM: NUM 2")
    assert army(over(game, card), 0) == {way[-1]: 2}


def attack(card: int, faces: tuple[int, int], defenders: int = 2, **given: Any) -> Play:
    """Two figures of seat 0 have moved from 3 to 2, where seat 1 defends; nobody has food, the dice are known."""
    units = {0: {3: 2}, 1: {2: defenders}}
    game = begin(card, units, dice={0: faces[:1], 1: faces[1:]}, **given)
    go(game, "MV_SRC: TERR 3; MV_DST: TERR 2; MV_NUM: NUM 2")
    if game.decision == "MV_SRC":
        do(game, "DONE")
    return game


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-12", "NORTH-COMB-05", "NORTH-COMB-10", "NORTH-COMB-12")
@pytest.mark.parametrize(("card", "axes"), [(18, 1), (35, 2), (48, 1), (53, 1)])
def test_axes_of_a_move(card: int, axes: int) -> None:
    """Both roll two axes: without the card's axes the defender would win the tie."""
    game = settle(attack(card, (0, 0), 1 + axes))
    assert army(over(game, card), 0) == {2: 2} and 2 not in army(game, 1)
    game = settle(attack(card, (0, 0), 2 + axes))
    assert army(game, 1) == {2: 2 + axes}


@pytest.mark.rule("NORTH-FX-02", "NORTH-COMB-11")
def test_shieldbearers_cancel_a_casualty() -> None:
    game = settle(attack(17, (0, 5), 1))  # the defender rolls an axe and a skull: 4 to 2 points, no casualty
    assert army(over(game, 17), 0) == {2: 2}
    assert army(settle(attack(53, (0, 5), 1)), 0) == {2: 1}


@pytest.mark.rule("NORTH-FX-02", "NORTH-COMB-03")
def test_intimidate_pushes_a_unit_away() -> None:
    game = attack(14, (0, 0), 1)
    assert game.decision == "CB_PUSH" and places(game) == {1, 3} and "DONE" in offered(game)
    do(game, "TERR 1")
    assert army(over(game, 14), 0) == {2: 2} and army(game, 1) == {1: 1} and game["last_rolls"] == []


@pytest.mark.rule("NORTH-FX-02", "NORTH-COMB-09")
def test_axe_throwers_add_an_axe_or_a_skull() -> None:
    game = attack(23, (0, 0))
    assert game.decision == "CB_EITHER"
    won = settle(do(game.copy(), "FACE 0"))
    assert army(over(won, 23), 0) == {2: 2}
    lost = settle(do(game, "FACE 1"))  # a tie: the defender stays, with a unit less
    assert army(lost, 1) == {2: 1} and 2 not in army(lost, 0)


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-09")
def test_hidden_ways_lead_to_any_open_territory() -> None:
    game = begin(30, {0: {8: 2}, 1: {2: 1}})
    assert places(game) == {0, 1, 2, 3} if game.decision == "MV_DST" else do(game, "TERR 8")
    assert places(game) == {0, 1, 2, 3}
    go(game, "MV_DST: TERR 3; MV_NUM: NUM 2")
    assert army(over(game, 30), 0) == {3: 2}


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-08")
def test_infiltration_passes_enemies() -> None:
    game = begin(42, {0: {3: 2}, 1: {2: 2}})
    go(game, "MV_SRC: TERR 3; MV_DST: TERR 2; MV_NUM: NUM 2; MV_SRC: TERR 2; MV_DST: TERR 1; MV_NUM: NUM 2")
    if game.decision == "MV_SRC":
        do(game, "DONE")
    assert army(over(game, 42), 0) == {1: 2} and army(game, 1) == {2: 2} and game["last_rolls"] == []


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-10", "NORTH-CLAN-01", "NORTH-CLAN-03")
def test_bear_clan_gathers_where_kaija_leaves() -> None:
    game = begin(64, {0: {1: 2}, 1: {2: 1}}, kaija=1)
    assert game.decision == "MV_SRC"
    go(game, "MV_SRC: TERR 1; MV_DST: TERR 8; MV_NUM: NUM 1; MV_KAIJA: YES")
    assert game["resources"][0] == [1, 1, 0] and game["kaija"] == 8 and army(over(game, 64), 0) == {1: 1, 8: 2}
    game = begin(64, {0: {1: 2}, 1: {2: 1}}, kaija=1)
    go(game, "MV_SRC: TERR 1; MV_DST: TERR 8; MV_NUM: NUM 1; MV_KAIJA: DONE")
    assert game["resources"][0] == [0, 0, 0] and game["kaija"] == 1


@pytest.mark.rule("NORTH-FX-02", "NORTH-CLAN-10", "NORTH-CLAN-11", "NORTH-MOVE-13")
def test_snake_clan_places_the_token_twice() -> None:
    game = begin(76, {0: {0: 3}, 1: {2: 1}})
    assert game.decision == "TOKEN" and places(game) == {1, 3} and "DONE" in offered(game)
    do(game, "TERR 1")
    assert game["token"] == 1
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1")
    assert game.decision == "TOKEN" and places(game) == {2, 3, 8}
    assert [frame["frame"] for frame in game["frames"]] == ["CARD", "MOVE"]
    do(game, "DONE")
    assert over(game, 76)["token"] == 1


@pytest.mark.rule("NORTH-FX-02", "NORTH-TILE-09")
def test_wolf_clan_crosses_rough_borders() -> None:
    units = {0: {5: 4}, 1: {2: 1}}
    game = do(begin(1, units, ROUGH), "TERR 5")
    assert places(game) == {0, 7}
    game = do(begin(82, units, ROUGH), "TERR 5")
    assert places(game) == {0, 4, 7}
    go(game, "MV_DST: TERR 4; MV_NUM: NUM 4")
    assert army(over(game, 82), 0) == {4: 4}


# ---- EXPLORE ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-03", "NORTH-EXPL-01", "NORTH-EXPL-02")
@pytest.mark.parametrize("card", [2, 6])
def test_explore_places_a_tile(card: int) -> None:
    game = settle(begin(card, tile_stack=stack_of(17)))
    assert game["tiles"][-1][0] == 17 and len(game["tiles"]) == 4
    over(game, card)


def stack_of(*first: int) -> list[int]:
    """The stack of a game on FIELD, these tiles on top."""
    return [*first, *(tile for tile in range(1, 35) if tile not in (14, 3, *first))]


@pytest.mark.rule("NORTH-FX-03", "NORTH-EXPL-04")
def test_scout_camp_draws_again() -> None:
    game = begin(16, tile_stack=stack_of(17, 22))
    assert game.decision == "EX_REDRAW" and offered(game) == {"YES", "DONE"}
    kept = settle(do(game.copy(), "DONE"))
    assert over(kept, 16)["tiles"][-1][0] == 17
    do(game, "YES")
    assert game.decision != "EX_REDRAW"  # once
    game = settle(game)
    assert over(game, 16)["tiles"][-1][0] == 22 and game["tile_stack"][-1] == 17 and game["tile_known"][-1] == 1


@pytest.mark.rule("NORTH-FX-03", "NORTH-EXPL-06")
def test_huginn_and_muninn_explore_anywhere() -> None:
    cells = {}
    for card in (2, 33):
        game = begin(card, {0: {8: 2}, 1: {2: 1}}, tile_stack=stack_of(17))
        cells[card] = places(game, "CELL") if game.decision == "EX_CELL" else set()
        over(settle(game), card)
    assert cells[2] < cells[33] and 2 in cells[33]


@pytest.mark.rule("NORTH-FX-03", "NORTH-EXPL-13")
def test_rangers_explore_twice() -> None:
    game = settle(begin(38, tile_stack=stack_of(17, 22)), "YES")
    assert [tile[0] for tile in over(game, 38)["tiles"][3:]] == [17, 22]
    game = settle(begin(38, tile_stack=stack_of(17, 22)), "DONE")
    assert len(game["tiles"]) == 4


@pytest.mark.rule("NORTH-FX-03", "NORTH-EXPL-05")
@pytest.mark.parametrize(("card", "drawn"), [(39, (17, 22)), (69, (17, 22, 27)), (73, (17, 22))])
def test_explore_with_a_choice_of_tiles(card: int, drawn: tuple[int, ...]) -> None:
    game = begin(card, tile_stack=stack_of(*drawn))
    assert game.decision == "EX_PICK" and game["frames"][-1]["drawn"] == sorted(drawn)
    do(game, f"PICK {len(drawn) - 1}")
    game = settle(game)
    assert game["tiles"][-1][0] == max(drawn) and game["tile_stack"][-1] == sorted(drawn)[-2]
    # 69 takes the icons of the tile first: 27 has one food and one wood
    assert game["resources"][0][:2] == ([1, 1] if card == 69 else [0, 0])
    over(game, card)


# ---- BUILD --------------------------------------------------------------------------------------------------------

ON_LAND = {0: {0: 1, 1: 1, 8: 1}, 1: {2: 1}}


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-02")
@pytest.mark.parametrize(("card", "wood", "paid"), [(3, 1, 1), (10, 1, 1), (19, 0, 0), (67, 0, 0)])
def test_build(card: int, wood: int, paid: int) -> None:
    game = begin(card, ON_LAND, resources=[[0, wood, 0], [0, 0, 0]])
    assert places(game) == {1, 8}
    go(game, f"BD_TERR: TERR 8; BD_TYPE: BLDG {TOWER}")
    assert over(game, card)["buildings"] == [[8, TOWER]] and game["resources"][0][1] == wood - paid
    assert game["supply"][TOWER] == 6


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-03", "NORTH-CLAN-07")
def test_goat_clan_builds_doubles() -> None:
    given: dict[str, Any] = {"resources": [[0, 4, 0], [0, 0, 0]], "spaceless": [[8, TOWER, 1]]}
    plain = do(begin(3, ON_LAND, **given), "TERR 8")
    assert TOWER not in places(plain, "BLDG")
    game = do(begin(70, ON_LAND, **given), "TERR 8")
    assert TOWER in places(game, "BLDG")
    do(game, f"BLDG {TOWER}")
    assert over(game, 70)["buildings"] == [[8, TOWER]] and game["resources"][0] == [1, 3, 0]  # Goat: 1 food


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-08")
def test_industrious_villagers_exchange_a_building() -> None:
    game = begin(25, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]], buildings=[[9, TOWER]])
    go(game, f"BD_TYPE: BLDG {SILO}")
    assert game["buildings"] == [[8, SILO], [9, TOWER]] and game.decision == "RP_TERR"
    go(game, f"RP_TERR: TERR 1; RP_NEW: BLDG {CAMP}")
    assert over(game, 25)["buildings"] == [[8, SILO], [9, CAMP]] and game["resources"][0][1] == 0
    assert [game["supply"][b] for b in (SILO, TOWER, CAMP)] == [6, 7, 6]


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-04")
def test_carpentry_mastery_builds_twice_one_large() -> None:
    game = begin(31, ON_LAND, resources=[[0, 5, 0], [0, 0, 0]])
    go(game, f"BD_TERR: TERR 1; BD_TYPE: BLDG {FORGE}")
    assert game.decision == "BD_TERR" and "DONE" in offered(game)
    go(game, "BD_TERR: TERR 8")
    assert places(game, "BLDG") == {SILO, LODGE, TOWER, CAMP}
    do(game, f"BLDG {LODGE}")
    assert over(game, 31)["buildings"] == [[4, FORGE], [8, LODGE]] and game["resources"][0] == [2 + 1, 1, 0]  # Goat


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-06")
def test_amenities_need_no_space() -> None:
    game = begin(44, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]])
    assert places(game) == {0, 1, 8}
    go(game, f"BD_TERR: TERR 0; BD_TYPE: BLDG {CARVED}")
    assert over(game, 44)["spaceless"] == [[0, CARVED, 1]] and game["buildings"] == []


@pytest.mark.rule("NORTH-FX-04", "NORTH-BUILD-07")
def test_glory_of_the_clan_gathers() -> None:
    game = begin(80, ON_LAND)  # no wood: only territory 1 can pay, with its own
    assert game.decision == "BD_TYPE" and game["resources"][0] == [1, 1, 0]
    do(game, f"BLDG {CAMP}")
    assert over(game, 80)["buildings"] == [[9, CAMP]] and game["resources"][0] == [1, 0, 0]
    game = begin(80, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]])
    go(game, f"BD_TERR: TERR 1; BD_GATHER: DONE; BD_TYPE: BLDG {LODGE}")
    assert over(game, 80)["resources"][0] == [1, 2, 0]  # the new lodge counts


# ---- DRAW ---------------------------------------------------------------------------------------------------------

PILE = [0, 1, 2, 3, 4, 4]
DRAWS = [(8, 3, 1, 0), (12, 2, 2, 0), (34, 2, 2, 0), (36, 3, 2, 0), (40, 3, 2, 1), (49, 3, 1, 1), (54, 3, 1, 2)]


@pytest.mark.rule("NORTH-FX-05", "NORTH-DRAW-01", "NORTH-DRAW-02", "NORTH-DRAW-03")
@pytest.mark.parametrize(("card", "drawn", "kept", "top"), DRAWS)
def test_draw(card: int, drawn: int, kept: int, top: int) -> None:
    game = begin(card, draw_pile=[[*PILE, 70], [0, 1, 2, 3, 4, 4, 67]])
    if kept < drawn:
        assert game.decision == "DR_KEEP" and game["frames"][-1]["drawn"] == PILE[:drawn]
    game = settle(game)  # keeps the smallest cards first
    assert game["hand"][0] == PILE[:kept] and game["draw_pile"][0][:top] == PILE[kept : kept + top][::-1]
    assert game["discard"][0] == PILE[kept + top : drawn] and len(game["draw_pile"][0]) == 7 - drawn + top
    over(game, card)


@pytest.mark.rule("NORTH-DRAW-01", "NORTH-DECK-01")
def test_who_has_too_few_cards_does_not_draw() -> None:
    for discard, gone, playable in (([2], [3], {0, 1}), ([2, 3], [], {0, 1, 36})):  # Upgraded Trading Post draws three
        game = scene(
            FIELD, HOME, {0: [0, 1, 36]}, draw_pile=[[4], [0, 1, 2, 3, 4, 4, 67]], discard=[discard, []],
            removed=[*gone, 4, 70, 71, 72], upgrades=[[], [68, 69]], clans=[GOAT, BOAR],
        )  # fmt: skip
        assert places(do(game, "PLAY"), "CARD") == playable


@pytest.mark.rule("NORTH-FX-05", "NORTH-DRAW-05")
def test_resourceful_people_pay_for_a_third_card() -> None:
    game = begin(72, resources=[[1, 1, 1], [0, 0, 0]])
    assert game.decision == "DR_PAY" and len(game["hand"][0]) == 2
    do(game, "YES")
    assert len(game["hand"][0]) == 3 and game["resources"][0] == [0, 0, 0]
    over(game, 72)


WIDE = "0@(0,0)/0 9@(0,-1)/3 7@(-1,0)/1 25@(0,-2)/0"
"""Territory 0 is closed and three tiles large."""


@pytest.mark.rule("NORTH-FX-05", "NORTH-DRAW-04", "NORTH-TURN-06")
def test_protector_of_the_land_draws_per_closed_territory() -> None:
    game = begin(66, {0: {0: 1, 3: 1}, 1: {2: 1}}, WIDE)
    assert len(over(game, 66)["hand"][0]) == 1
    outside = scene(WIDE, {0: {3: 1}, 1: {2: 1}}, {0: [66, 4, 0]}, clans=[BEAR, BOAR])
    assert offered(do(outside, "PLAY")) == {"CARD 0", "CARD 4"}


# ---- GAIN, CONQUER ------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-06", "NORTH-SPEC-01")
@pytest.mark.parametrize(("card", "gained"), [(22, [3, 0, 0]), (24, [0, 0, 2]), (45, [0, 3, 0])])
def test_gain(card: int, gained: list[int]) -> None:
    assert over(begin(card), card)["resources"][0] == gained


@pytest.mark.rule("NORTH-FX-14", "NORTH-SPEC-10", "NORTH-COMB-05", "NORTH-COMB-11")
def test_conqueror_ignores_towers_and_fortresses() -> None:
    given: dict[str, Any] = {"spaceless": [[2, TOWER, 1]], "dice": {0: [0], 1: [0]}}
    steps = "MV_SRC: TERR 3; MV_DST: TERR 2; MV_NUM: NUM 2"
    game = begin(32, {0: {3: 2}, 1: {2: 1}}, more=[1], **given)
    assert over(game, 32)["conquer"] == [True, False]
    go(play(game, 1), steps)
    assert army(game, 0) == {2: 2}
    game = go(begin(1, {0: {3: 2}, 1: {2: 1}}, **given), steps)
    assert army(game, 0) == {2: 1}


# ---- CHOOSE -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-07", "NORTH-SPEC-02")
@pytest.mark.parametrize("card", [4, 15])
def test_feast_is_one_of_four_actions(card: int) -> None:
    game = begin(card, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]])
    assert game.decision == "ACT" and offered(game) == {f"ACT {k}" for k in range(4)}
    go(game, "ACT: ACT 0; REC_TERR: TERR 1")
    assert army(over(game, card), 0) == {0: 1, 1: 2, 8: 1}


@pytest.mark.rule("NORTH-FX-07", "NORTH-SPEC-03")
@pytest.mark.parametrize(("card", "acts"), [(71, {0, 1, 2, 3}), (81, {1, 2})])
def test_two_actions(card: int, acts: set[int]) -> None:
    game = begin(card, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]], tile_stack=stack_of(17))
    assert places(game, "ACT") == acts and "DONE" not in offered(game)
    go(game, "ACT: ACT 1; MV_SRC: TERR 8")
    assert army(game, 0) == {0: 1, 1: 2} and game.decision == "ACT" and "DONE" in offered(game)
    assert places(game, "ACT") == acts - {1} and game["frames"][-1]["done"] == [1]
    game = settle(do(game, "ACT 2"))
    assert len(over(game, card)["tiles"]) == 4
    game = begin(card, ON_LAND, resources=[[0, 1, 0], [0, 0, 0]], tile_stack=stack_of(17))
    assert go(game, "ACT: ACT 1; MV_SRC: DONE; ACT: DONE")["frames"] == []


# ---- STRIKE -------------------------------------------------------------------------------------------------------

FAR = {0: {0: 1}, 1: {2: 2, 3: 1}}


@pytest.mark.rule("NORTH-FX-08", "NORTH-SPEC-04")
def test_plunder_draws_a_card() -> None:
    game = begin(83, FAR)  # 3 is adjacent to 0, 2 is not
    assert army(over(game, 83), 1) == {2: 2} and len(game["hand"][0]) == 1


@pytest.mark.rule("NORTH-FX-08", "NORTH-SPEC-04")
def test_raiding_party_collects() -> None:
    game = begin(74, {0: {0: 1}, 1: {1: 2, 2: 1, 8: 1}})
    assert places(game) == {1, 2, 8}
    go(game, "ST_TERR: TERR 1; ST_RES: RES 1")
    assert army(over(game, 74), 1) == {1: 1, 2: 1, 8: 1} and game["resources"][0] == [0, 1, 0]


@pytest.mark.rule("NORTH-FX-08", "NORTH-SPEC-04", "NORTH-CORN-09")
def test_capture_removes_and_adds() -> None:
    units = {0: {0: 1, 1: 1}, 1: {2: 2, 3: 1}}
    game = begin(55, units)
    assert places(game) == {2, 3} and "DONE" in offered(game)
    do(game, "TERR 3")
    assert army(game, 1) == {2: 2} and offered(game) == {"TERR 0", "TERR 1", "DONE"}
    assert army(over(do(game, "TERR 1"), 55), 0) == {0: 1, 1: 2}
    game = go(begin(55, units), "ST_TERR: DONE; ST_ADD: TERR 0")
    assert army(over(game, 55), 0) == {0: 2, 1: 1} and army(game, 1) == {2: 2, 3: 1}


# ---- COPY ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-09", "NORTH-SPEC-05")
def test_legendary_heroes_copy_an_own_card() -> None:
    game = begin(50, played=[[22, 24], []], idle=[[1], []])
    assert game.decision == "CP_CARD" and places(game, "CARD") == {22, 24}
    do(game, "CARD 24")
    assert over(game, 50)["resources"][0] == [0, 0, 2]


@pytest.mark.rule("NORTH-FX-09", "NORTH-SPEC-05")
def test_enemy_secrets_copy_a_neighbours_card() -> None:
    units = {0: {0: 1}, 1: {3: 1}, 2: {8: 1}, 3: {1: 1}}
    given: dict[str, Any] = {"played": [[], [22], [45], [24]], "idle": [[], [], [], [1]]}
    game = begin(27, units, n=4, **given)
    assert game.decision == "CP_WHO" and offered(game) == {"PLAYER 0", "PLAYER 2"}  # 8 is not adjacent to 0
    do(game, "PLAYER 2")
    assert game.decision == "CP_CARD" and places(game, "CARD") == {1, 24}
    assert game["frames"][-1] == {"frame": "COPY", "row": 27, "who": 3}
    do(game, "CARD 1")
    assert game.decision == "MV_SRC" or game.decision == "MV_DST"
    game = begin(27, units, n=4, **given)
    do(game, "PLAYER 0")
    assert over(game, 27)["resources"][0] == [3, 0, 0]


@pytest.mark.rule("NORTH-FX-09", "NORTH-SPEC-05", "NORTH-CLAN-11")
def test_stolen_lore_copies_where_the_token_is() -> None:
    units = {0: {0: 1}, 1: {3: 1}, 2: {1: 1}}
    game = begin(78, units, n=3, played=[[], [22], [24]])
    assert game.decision == "TOKEN" and places(game) == {1, 3}
    stolen = do(game.copy(), "TERR 1")
    assert over(stolen, 78)["resources"][0] == [0, 0, 2] and stolen["token"] == 1
    nothing = do(game, "DONE")
    assert over(nothing, 78)["resources"][0] == [0, 0, 0] and nothing["token"] is None


# ---- HAND ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-10", "NORTH-SPEC-06")
def test_spy_sees_a_hand() -> None:
    hands = {1: [0, 1, 3], 2: [2]}
    game = begin(21, {0: {0: 2}, 1: {2: 1}, 2: {8: 1}}, n=3, hands=hands)
    assert game.decision == "HD_WHO" and offered(game) == {"PLAYER 0", "PLAYER 1", "DONE"}
    drawn = do(game.copy(), "DONE")
    assert len(over(drawn, 21)["hand"][0]) == 1 and drawn["hand"][1] == [0, 1, 3]
    do(game, "PLAYER 0")
    assert game.decision == "HD_CARD" and game.player == 0 and game["hand_known"][1] == [3, 3, 3]
    do(game, "CARD 1")
    assert game["hand"][1] == [0, 3] and game["discard"][1] == [1] and game.decision == "HD_DRAW"
    assert over(do(game, "DONE"), 21)["hand"][0] == []


@pytest.mark.rule("NORTH-FX-10", "NORTH-SPEC-06")
def test_ancestral_curse_hits_everybody() -> None:
    hands = {1: [0, 1], 2: [2, 3]}
    game = begin(37, {0: {0: 2}, 1: {2: 1}, 2: {8: 1}}, n=3, hands=hands)
    assert game.decision == "HD_ALL" and offered(game) == {"YES", "DONE"}
    do(game, "YES")
    assert game.decision == "HD_CARD" and game.player == 1 and game["hand_known"][1] == [2, 2]
    do(game, "CARD 0")
    assert game.decision == "HD_CARD" and game.player == 2
    do(game, "CARD 3")
    assert game["discard"][1:] == [[0], [3]]
    go(game, "HD_DRAW: YES")
    assert len(over(game, 37)["hand"][0]) == 1


@pytest.mark.rule("NORTH-FX-10", "NORTH-SPEC-06")
def test_veiled_threats_take_two_cards() -> None:
    game = begin(56, hands={1: [0, 1, 2]})
    do(game, "PLAYER 0")
    assert game.player == 1 and game["frames"][-1]["left"] == 2
    go(game, "HD_CARD: CARD 0; HD_CARD: CARD 2; HD_DRAW: YES")
    assert over(game, 56)["hand"][1] == [1] and game["discard"][1] == [0, 2] and len(game["hand"][0]) == 1


@pytest.mark.rule("NORTH-FX-10", "NORTH-SPEC-06", "NORTH-TURN-15", "NORTH-INFO-06")
def test_rapacious_exploitation_takes_a_ransom() -> None:
    given: dict[str, Any] = {"hands": {1: [0, 1]}, "resources": [[0, 0, 0], [1, 1, 1]]}
    game = begin(77, {0: {0: 1}, 1: {2: 1}}, **given)
    go(game, "TOKEN: DONE; HD_CARD: CARD 1")
    assert game.decision == "HD_RANSOM" and game.player == 1 and game["frames"][-1]["card"] == 1
    lost = do(game.copy(), "DONE")
    assert lost["discard"][1] == [1]
    go(game, "HD_RANSOM: YES; PAY: RES 0")
    assert game.decision == "PAY" and game.player == 1 and game["frames"][-1] == {
        "frame": "PAY", "payer": 1, "left": 1, "last": 0, "to": 0
    }  # fmt: skip
    do(game, "RES 2")
    assert game["resources"] == [[1, 0, 1], [0, 1, 0]] and game["hand"][1] == [0, 1]
    assert game["hand_known"][1] == [3, 3]
    over(game, 77)
    poor = begin(77, {0: {0: 1}, 1: {2: 1}}, hands={1: [0, 1]}, resources=[[0, 0, 0], [1, 0, 0]])
    go(poor, "TOKEN: DONE; HD_CARD: CARD 1")
    assert poor["discard"][1] == [1]


# ---- BRIBE --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-11", "NORTH-SPEC-07")
def test_bribery_moves_enemy_units() -> None:
    units = {0: {0: 1}, 1: {2: 3}}
    game = begin(46, units)
    assert game.decision == "BR_DST" and places(game) == {1, 3}
    go(game, "BR_DST: TERR 1; BR_NUM: NUM 2")
    assert army(over(game, 46), 1) == {1: 2, 2: 1} and game["last_rolls"] == []


@pytest.mark.rule("NORTH-SPEC-07", "NORTH-COMB-01")
def test_bribed_units_attack() -> None:
    units = {0: {3: 3}, 1: {2: 3}}
    game = begin(46, units, dice={0: [0], 1: [0]}, resources=[[1, 0, 0], [1, 0, 0]])
    go(game, "BR_DST: TERR 3; BR_NUM: NUM 2")
    frame = game["frames"][-1]
    assert game.decision == "CB_FOOD_A" and game.player == 1
    assert (frame["attacker"], frame["defender"], frame["row"], frame["terr"]) == (1, 0, None, 3)
    settle(go(game, "CB_FOOD_A: NUM 0; CB_FOOD_D: NUM 0"))
    assert army(over(game, 46), 0) == {3: 3} and sum(army(game, 1).values()) == 3 and 3 not in army(game, 1)


# ---- FETCH, FORESEE, REACT ----------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-12", "NORTH-SPEC-08", "NORTH-INFO-06")
def test_negotiation_fetches_or_draws() -> None:
    game = begin(5, discard=[[0, 2], []])
    assert game.decision == "FT_CARD" and offered(game) == {"YES", "CARD 0", "CARD 2"}
    drawn = over(do(game.copy(), "YES"), 5)
    assert len(drawn["hand"][0]) == 1 and drawn["discard"][0] == [0, 2] and drawn["hand_known"][0] == [1]
    do(game, "CARD 2")
    assert over(game, 5)["hand"][0] == [2] and game["discard"][0] == [0] and game["hand_known"][0] == [3]


@pytest.mark.rule("NORTH-FX-13", "NORTH-SPEC-09", "NORTH-TURN-13")
def test_future_sight_takes_a_displayed_card() -> None:
    game = begin(20, display=[6, 7], hands={1: [0, 1]})
    assert game.decision == "FS_CARD" and offered(game) == {"CARD 6", "CARD 7"}
    do(game, "CARD 7")
    assert game["draw_pile"][0][0] == 7 and game["draw_known"][0][0] == 3 and game["display"] == [6]
    assert over(game, 20)["taken"] == [True, False]


@pytest.mark.rule("NORTH-FX-15", "NORTH-TURN-09", "NORTH-CORN-19")
def test_defensive_strategy_cancels() -> None:
    game = begin(22, hands={1: [26, 0]})
    assert game.decision == "REACT" and game.player == 1 and offered(game) == {"YES", "DONE"}
    declined = do(game.copy(), "DONE")
    assert declined["resources"][0] == [3, 0, 0] and declined["hand"][1] == [0, 26]
    do(game, "YES")
    assert game["resources"][0] == [0, 0, 0] and game["discard"][0][:1] == [22] and game["played"][0] == []
    assert game["hand"][1] == [0] and game["idle"][1] == [26] and game["played"][1] == []
    assert game["passed"][0] is True  # nothing resolved and no card left
    game = begin(0, hands={1: [26, 0]}, more=[3, 22], resources=[[0, 1, 0], [0, 0, 0]])
    do(game, "YES")
    assert game.decision == "MENU" and game["main_used"] is False and game.player == 0


@pytest.mark.rule("NORTH-TURN-09")
def test_a_second_card_cancelled_leaves_the_turn_going() -> None:
    game = scene(FIELD, HOME, {0: [22, 24, 45], 1: [26]}, clans=[GOAT, BOAR])
    go(game, "MENU: PLAY; PLAY_CARD: CARD 22; REACT: DONE; CONT: PLAY; PLAY_CARD: CARD 24; REACT: YES")
    assert game.decision == "CONT" and game["resources"][0] == [3, 0, 0] and game["discard"][0] == [24]


@pytest.mark.rule("NORTH-TURN-09")
def test_enemies_are_asked_clockwise_and_copies_not_at_all() -> None:
    game = scene(FIELD, {0: {0: 1}, 1: {3: 1}, 2: {2: 1}}, {0: [50, 22], 2: [26]}, 3, played=[[45], [], []])
    go(game, "MENU: PLAY; PLAY_CARD: CARD 50")
    assert game.decision == "REACT" and game.player == 2
    go(game, "REACT: DONE")
    assert game["resources"][0] == [0, 3, 0] and game.decision == "CONT"


# ---- cards without an action --------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-FX-00", "NORTH-CARD-04", "NORTH-CARD-05", "NORTH-TURN-06")
@pytest.mark.parametrize("card", [*range(57, 64), 85, 26])
def test_cards_that_cannot_be_played(card: int) -> None:
    given: dict[str, Any] = {"unrest": 9} if card == 85 else {}
    if 57 <= card < 64:
        rest = [other for other in range(57, 64) if other != card]
        given = {"achievements": rest[:1]}
    game = scene(FIELD, HOME, {0: [card, 0]}, **given)
    assert offered(do(game.copy(), "PLAY")) != {f"CARD {card}"}
    waited = do(game, "WAIT", f"CARD {card}")
    assert waited["idle"][0] == [card] and waited["played"][0] == []
