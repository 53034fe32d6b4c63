"""Moves and combats between players (NORTH-MOVE, NORTH-COMB), with the worked examples 1, 2, 3 and 6."""

from __future__ import annotations

import pytest
from northgard_scenes import FIELD, Play, army, do, go, offered, places, play, scene

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
TWO = {0: {0: 3}, 1: {2: 3}}
RIDGE = "0@(0,0)/0 23@(0,-1)/0"  # 5 and 4: a rough border; 0 (slots 0, 6) has regular ones to 5 and 7
FORT = {"buildings": [[4, FORTRESS], [9, TOWER]]}  # both in territory 1


def frame(game: Play) -> dict:
    return game["frames"][-1]


# ---- Moves --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-EX-06", "NORTH-MOVE-01", "NORTH-MOVE-02", "NORTH-MOVE-05", "NORTH-MOVE-06", "NORTH-CORN-20")
def test_four_moves_of_one_card() -> None:
    game = play(scene(RIDGE, {0: {0: 2, 5: 4}, 1: {2: 1}}, {0: [47]}), 47)
    assert offered(game) == {"DONE", "TERR 0", "TERR 5"}  # before the first move as well
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 7; MV_NUM: NUM 1")
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 5; MV_SRC: TERR 5; MV_DST: TERR 4; MV_NUM: NUM 4")
    assert army(game, 0) == {4: 4, 5: 1, 7: 1} and game["turn"] == 1  # 1 + 1 + 2: none is left
    game = play(scene(RIDGE, {0: {5: 4}, 1: {2: 1}}, {0: [1]}), 1)
    do(game, "TERR 5")
    assert places(game) == {0, 7}  # the rough border costs two, and moves of two cards do not add up


@pytest.mark.rule(
    "NORTH-MOVE-03",
    "NORTH-MOVE-04",
    "NORTH-MOVE-07",
    "NORTH-MOVE-11",
    "NORTH-COMB-01",
    "NORTH-COMB-02",
    "NORTH-CORN-12",
)
def test_groups_stop_among_enemies_and_fight_once() -> None:
    game = play(scene(FIELD, {0: {0: 6}, 1: {1: 1, 3: 1}}, {0: [9]}, dice={0: [0, 0], 1: [0, 0]}), 9)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 2")
    assert offered(game) == {"DONE", "TERR 0"}  # not from 1: an enemy is there
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 3; MV_NUM: NUM 2")
    assert game.decision == "CB_PICK" and frame(game)["due"] == [[1, None], [3, None]]
    do(game, "TERR 3")
    assert army(game, 0) == {0: 2, 1: 2, 3: 2} and game.decision == "RT_TERR" and places(game) == {2, 8}
    game = scene(FIELD, {0: {0: 2, 3: 2}, 1: {1: 1}}, {0: [9]}, dice={0: [0], 1: [0]})
    play(game, 9)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1; MV_SRC: TERR 3; MV_DST: TERR 1; MV_NUM: NUM 1")
    assert (
        game["last_rolls"] == [0, 0] and game.decision == "RT_TERR" and game.player == 1
    )  # one combat for both groups


@pytest.mark.rule("NORTH-MOVE-11", "NORTH-CORN-08", "NORTH-MOVE-02")
def test_nothing_need_be_moved() -> None:
    game = play(scene(FIELD, TWO, {0: [1]}), 1)
    do(game, "DONE")
    assert army(game, 0) == {0: 3} and game["turn"] == 1 and game["played"][0] == [1]
    game = scene(FIELD, {1: {2: 3}}, {0: [0, 1]})
    do(game, "PLAY")  # without a figure a Move cannot be played; the recruit has a choice
    assert game.decision == "REC_TERR" and places(game) == {0, 1, 3, 8}


@pytest.mark.rule("NORTH-MOVE-05", "NORTH-CLAN-02", "NORTH-CLAN-03", "NORTH-CLAN-04", "NORTH-MOVE-10", "NORTH-ACT-03")
def test_kaija_goes_along_or_alone() -> None:
    def start() -> Play:
        return do(play(scene(FIELD, {0: {1: 2}, 1: {2: 3}}, {0: [64]}, clans=[BEAR, BOAR], kaija=1), 64), "TERR 1")

    game = start()
    assert places(game) == {0, 2, 3, 8}
    do(game, "TERR 0")
    assert game.decision == "MV_NUM" and places(game, "NUM") == {0, 1, 2}
    do(game, "NUM 1")
    assert game.decision == "MV_KAIJA" and frame(game)["num"] == 1
    do(game, "YES")
    assert game["kaija"] == 0 and game["resources"][0] == [1, 1, 0] and army(game, 0) == {0: 2, 1: 1}
    game = do(start(), "TERR 0", "NUM 0")
    assert game["kaija"] == 0 and army(game, 0) == {0: 1, 1: 2} and game["resources"][0] == [1, 1, 0]
    game = do(start(), "TERR 2")
    assert places(game, "NUM") == {1, 2}  # Kaija may not enter, and nobody moves without a unit


# ---- Combats ------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "NORTH-EX-01", "NORTH-EX-03", "NORTH-COMB-04", "NORTH-COMB-05", "NORTH-COMB-06", "NORTH-COMB-10", "NORTH-COMB-11",
    "NORTH-COMB-12", "NORTH-COMB-13", "NORTH-COMB-18", "NORTH-BLD-02",
)  # fmt: skip
def test_combat_1_the_lower_score_wins() -> None:
    game = scene(
        FIELD, {0: {0: 5}, 1: {1: 2}}, {0: [1]}, resources=[[6, 0, 0], [6, 0, 0]], dice={0: [4], 1: [0]}, **FORT
    )
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 5")
    assert places(game, "NUM") == set(range(6)) and game.player == 0
    go(game, "CB_FOOD_A: NUM 2")
    assert places(game, "NUM") == {0, 1, 2} and game.player == 1 and game.decision == "CB_FOOD_D"
    do(game, "NUM 2")  # 5 + 2 + 0 to 2 + 2 + 2 + 2, but two skulls, and one more casualty by the tower
    assert army(game, 0) == {1: 4} and army(game, 1) == {} and game["last_rolls"] == [4, 0]
    assert game["resources"] == [[4, 0, 0], [4, 0, 0]] and game["fame"] == [0, 0]
    assert game["buildings"] == [[4, FORTRESS], [9, TOWER]]


@pytest.mark.rule(
    "NORTH-EX-02", "NORTH-COMB-07", "NORTH-COMB-08", "NORTH-COMB-14", "NORTH-COMB-16", "NORTH-COMB-20", "NORTH-MOVE-12",
    "NORTH-COMB-19",
)  # fmt: skip
def test_combat_2_the_defender_wins_the_tie() -> None:
    game = scene(
        FIELD, {0: {0: 4}, 1: {1: 2}}, {0: [18]}, resources=[[6, 0, 0], [2, 0, 0]], dice={0: [5], 1: [2]}, **FORT
    )
    play(game, 18)  # Bodyguard: one axe
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 4; CB_FOOD_A: NUM 0; CB_FOOD_D: NUM 2")
    assert game.decision == "CB_FACE_D" and game.player == 1 and game["last_rolls"] == [5, 2]
    do(game, "FACE 1")
    assert army(game, 1) == {1: 1} and game.decision == "RT_TERR" and game.player == 0
    assert frame(game) == {
        "frame": "COMBAT", "terr": 1, "attacker": 0, "defender": 1, "creature": None, "row": 18, "food_a": 0,
        "food_d": 2, "roll_a": 5, "roll_d": 2, "face_a": None, "face_d": 1, "either": None, "loser": 0, "to": None,
    }  # fmt: skip
    assert places(game) == {0, 2, 3, 8}  # the source is one destination among others
    go(game, "RT_TERR: TERR 0; RT_NUM: NUM 1; RT_TERR: TERR 2")
    assert army(game, 0) == {0: 1, 2: 1} and army(game, 1) == {1: 1}


@pytest.mark.rule("NORTH-COMB-16", "NORTH-COMB-17", "NORTH-CORN-11", "NORTH-CORN-09")
def test_no_refuge_while_the_neighbour_is_disputed() -> None:
    game = scene("0@(0,0)/0", {0: {0: 7}, 1: {1: 1, 3: 1}, 2: {2: 1}}, {0: [9]}, 3, dice={0: [0, 0], 1: [0, 0]})
    play(game, 9)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 3; MV_SRC: TERR 0; MV_DST: TERR 3; MV_NUM: NUM 3")
    go(game, "CB_PICK: TERR 3")  # beside 3: 0 (Red's), 1 (disputed), 2 (Yellow's); beside 1: 0, 3 (Red's), 2
    assert army(game, 0) == {0: 1, 1: 3, 3: 3} and army(game, 1) == {}


@pytest.mark.rule("NORTH-COMB-16", "NORTH-FX-02", "NORTH-CLAN-15", "NORTH-COMB-15")
def test_rough_borders_and_retreats() -> None:
    game = play(scene(RIDGE, {0: {5: 4}, 1: {4: 1}}, {0: [82]}, clans=[WOLF, BOAR], dice={0: [4], 1: [0]}), 82)
    do(game, "TERR 5")
    assert places(game) == {0, 4, 7}  # SMOOTH
    do(game, "TERR 4", "NUM 4")
    assert army(game, 0) == {4: 4} and army(game, 1) == {} and game["resources"][0] == [1, 0, 0]  # the Wolf's food
    # the loser may not cross the rough border from 4 to 5, the actor under SMOOTH may
    game = play(scene(RIDGE, {0: {5: 1, 0: 1}, 1: {4: 3}}, {0: [82]}, clans=[WOLF, BOAR], dice={0: [0], 1: [0]}), 82)
    do(game, "TERR 5", "TERR 4")
    assert game.decision == "RT_TERR" and game.player == 0 and 5 in places(game)


@pytest.mark.rule("NORTH-COMB-14", "NORTH-CLAN-05", "NORTH-CLAN-02", "NORTH-COMB-12")
def test_kaija_falls_last_and_counts_as_one() -> None:
    game = scene(
        FIELD, {0: {0: 1}, 1: {1: 4}}, {0: [1]}, clans=[BEAR, BOAR], kaija=0, kaija_free=[True, False],
        dice={0: [0], 1: [5]},
    )  # fmt: skip
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1; MV_KAIJA: YES")
    # 1 + 2 + 2 to 4 + 1: the tie is the defender's; its skull takes the unit, Kaija retreats
    assert game.decision == "RT_KAIJA" and places(game) == {0, 2, 3, 8} and game["units"] == [[1, 1, 4]]
    do(game, "TERR 8")
    assert game["kaija"] == 8 and army(game, 0) == {8: 1}


@pytest.mark.rule("NORTH-COMB-06", "NORTH-CLAN-02")
def test_food_is_bid_up_to_the_figures_or_what_one_has() -> None:
    game = scene(
        FIELD, {0: {0: 2}, 1: {1: 4}}, {0: [1]}, clans=[BEAR, BOAR], kaija=0, kaija_free=[True, False],
        resources=[[9, 0, 0], [3, 0, 0]], dice={0: [0], 1: [0]},
    )  # fmt: skip
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1; MV_KAIJA: YES")
    assert game.decision == "CB_FOOD_A" and places(game, "NUM") == {0, 1, 2}  # a unit and Kaija
    do(game, "NUM 2")
    assert (game.decision, game.player) == ("CB_FOOD_D", 1) and places(game, "NUM") == {0, 1, 2, 3}
    do(game, "NUM 1")  # 1 + 2 + 2 + 2 to 4 + 1 + 2: a tie, the defender's
    assert game.decision == "RT_TERR" and game.player == 0 and game["resources"] == [[7, 0, 0], [2, 0, 0]]


@pytest.mark.rule("NORTH-CORN-10", "NORTH-CLAN-14", "NORTH-COMB-12", "NORTH-COMB-18")
def test_both_sides_wiped_out() -> None:
    game = scene(FIELD, {0: {0: 1}, 1: {1: 1}}, {0: [1]}, clans=[STAG, BOAR], dice={0: [3], 1: [3]})
    play(game, 1)
    go(game, "MV_SRC: TERR 0")
    if game.decision == "MV_DST":
        do(game, "TERR 1")
    assert army(game, 0) == {} == army(game, 1) and game["fame"] == [0, 0] and game["units"] == []


@pytest.mark.rule("NORTH-CLAN-14", "NORTH-COMB-09", "NORTH-COMB-07")
def test_the_stag_gains_fame_for_a_victory() -> None:
    game = play(scene(FIELD, {0: {0: 2}, 1: {1: 1}}, {0: [23]}, clans=[STAG, BOAR], dice={0: [2], 1: [3]}), 23)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 2; CB_FACE_A: FACE 0")
    assert game.decision == "CB_EITHER" and frame(game)["face_a"] == 0 and frame(game)["roll_d"] is None
    do(game, "FACE 1")  # one skull: the defender is gone; it rolled a skull: one attacker too
    assert army(game, 0) == {1: 1} and army(game, 1) == {} and game["fame"] == [1, 0]


@pytest.mark.rule("NORTH-CLAN-12", "NORTH-COMB-05")
def test_the_token_is_a_point_for_the_snake() -> None:
    for token, wins in ((1, True), (8, False)):
        game = scene(FIELD, {0: {0: 3}, 1: {1: 2}}, {0: [1]}, clans=[SNAKE, BOAR], token=token, dice={0: [0], 1: [1]})
        play(game, 1)
        go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 3")
        assert game.player == (1 if wins else 0) and game.decision == "RT_TERR"  # 3 + 2 (+ 1) to 2 + 3


@pytest.mark.rule("NORTH-COMB-18", "NORTH-MOVE-06", "NORTH-BUILD-09")
def test_buildings_belong_to_whoever_controls_them() -> None:
    game = scene(FIELD, {0: {0: 3}, 1: {2: 2}}, {0: [1]}, buildings=[[4, FORTRESS]])
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 3")  # neutral: controlled at once
    assert army(game, 0) == {1: 3} and game["buildings"] == [[4, FORTRESS]] and game["last_rolls"] == []
