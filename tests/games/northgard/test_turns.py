"""Turns, the phase machine, clan powers outside combats, teams and the corner cases of both (NORTH-TURN, PH, TEAM)."""

from __future__ import annotations

import numpy as np
import pytest
from northgard_scenes import FIELD, Play, army, do, go, offered, places, play, scene
from northgard_years import all_pass, end_year

from northmen_env.engine.random import below, draw, stream
from northmen_env.games.northgard.bounds import max_decisions

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
TWO = {0: {0: 3}, 1: {2: 3}}
LORE = {"resources": [[0, 0, 9], [0, 0, 0]]}
TEAMS = {"options": {"teams": True}}
EVERYWHERE = {0: {0: 2}, 1: {8: 1}, 2: {1: 1}, 3: {3: 1}}


# ---- Turns --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-TURN-01", "NORTH-TURN-02", "NORTH-TURN-07", "NORTH-TURN-08", "NORTH-TURN-16", "NORTH-PH-03")
def test_menu_wait_and_replace() -> None:
    game = scene(FIELD, TWO, {0: [0, 85], 1: [1]}, resources=[[0, 0, 1], [0, 0, 0]], unrest=9)
    assert offered(game) == {"PLAY", "WAIT", "REPLACE", "PASS"}
    do(game, "WAIT", "CARD 85")
    assert (
        game["idle"][0] == [85] and game["played"][0] == [] and game["turn"] == 1 and game["resources"][0] == [0, 0, 1]
    )
    game = scene(FIELD, TWO, {0: [0, 85], 1: [1]}, resources=[[0, 0, 1], [0, 0, 0]], unrest=9)
    do(game, "REPLACE")
    assert game.decision == "REPLACE_CARD" and game["resources"][0] == [0, 0, 0]  # paid, and not to be taken back
    do(game, "CARD 0")
    assert game["idle"][0] == [0] and len(game["hand"][0]) == 2 and game["turn"] == 1
    assert offered(scene(FIELD, TWO, {0: [26, 85]}, unrest=9, **LORE)) == {
        "WAIT",
        "REPLACE",
        "REMOVE",
        "UPGRADE",
        "PASS",
    }
    assert offered(scene(FIELD, TWO, {0: [85]}, resources=[[0, 0, 2], [0, 0, 0]], unrest=9)) == {
        "WAIT",
        "REPLACE",
        "PASS",
    }


@pytest.mark.rule("NORTH-TURN-10", "NORTH-CARD-04", "NORTH-CORN-07", "NORTH-DECK-03")
def test_remove() -> None:
    game = scene(FIELD, TWO, {0: [0, 1, 85]}, unrest=9, **LORE)
    do(game, "REMOVE")
    assert game.decision == "REMOVE_CARD" and places(game, "CARD") == {0, 1}  # never Unrest
    do(game, "CARD 1")
    d = game.to_dict()
    assert d["removed"] == [1] and d["resources"][0] == [0, 0, 7] and len(d["hand"][0]) == 4 and d["turn"] == 1
    gone = [0, 2, 3, 4, 4, 70, 71, 72]
    game = scene(
        FIELD, TWO, {0: [1], 1: [0]}, draw_pile=[[], [1, 2, 3, 4, 4, 67]], removed=gone, upgrades=[[], [68, 69]], **LORE
    )
    do(game, "REMOVE")
    assert game["removed"] == sorted([*gone, 1]) and game["hand"][0] == [] == game["draw_pile"][0]
    do(game, "PASS")  # seat 1; seat 0 has nothing but to pass
    assert game["passed"] == [True, True] or game["phase"] != "ACTIONS" or game.decision == "PASS_PICK"


@pytest.mark.rule("NORTH-TURN-11", "NORTH-CARD-04", "NORTH-INFO-06", "NORTH-PH-10")
def test_upgrade() -> None:
    game = scene(FIELD, TWO, {0: [0, 1]}, resources=[[0, 0, 3], [0, 0, 0]])
    go(game, "MENU: UPGRADE; UPG_CARD: CARD 1")
    assert game.decision == "UPG_DEST" and game["hand"][0] == [0, 1] and game["resources"][0] == [0, 0, 0]
    assert game["frames"] == [{"frame": "UPGRADE", "card": 1}]
    do(game, "YES")
    assert (
        game.decision == "UPG_PICK"
        and game["frames"] == []
        and game["removed"] == [1]
        and game["upgrades"][0] == [71, 72]
    )
    do(game, "CARD 72")
    d = game.to_dict()
    assert d["hand"][0] == [0, 72] and d["hand_known"][0] == [1, 3] and d["upgrades"][0] == [71] and d["turn"] == 1
    game = scene(FIELD, TWO, {0: [0, 85]}, resources=[[0, 0, 3], [0, 0, 0]], unrest=9)
    go(game, "MENU: UPGRADE; UPG_CARD: CARD 85")
    assert game.decision == "UPG_PICK" and game["idle"][0] == [85]  # Unrest stays in the deck


@pytest.mark.rule("NORTH-TURN-12", "NORTH-TURN-13", "NORTH-TURN-14", "NORTH-PH-06", "NORTH-PH-08", "NORTH-CORN-18")
def test_passing_takes_the_marker_and_a_card() -> None:
    game = scene(FIELD, TWO, {0: [0, 1], 1: [3]}, marker=1, played=[[4], []], idle=[[2], []])
    do(game, "PASS")
    d = game.to_dict()
    assert d["marker"] == 0 and d["discard"][0] == [0, 1, 2, 4] and d["hand"][0] == d["played"][0] == d["idle"][0] == []
    assert d["decision"] == "PASS_PICK" and d["passed"] == [True, False]
    shown = d["display"]
    do(game, f"CARD {shown[1]}")
    d = game.to_dict()
    assert d["draw_pile"][0][0] == shown[1] and d["draw_known"][0][0] == 3 and d["taken"] == [True, False]
    assert d["turn"] == 1 and d["display"] == shown[:1]
    do(game, "PASS")
    assert game["year"] == 2 and game["marker"] == 0  # the second to pass takes what is left, and not the marker
    game = scene(FIELD, TWO, {0: [0, 1], 1: [3]}, taken=[True, False])
    shown = game["display"]
    do(game, "PASS")  # its card of the year came by FORESEE
    assert (game.decision, game.player, game["display"]) == ("MENU", 1, shown)


@pytest.mark.rule("NORTH-TURN-03", "NORTH-TURN-04", "NORTH-TURN-05")
def test_flash_cards_around_the_main_card() -> None:
    game = scene(FIELD, TWO, {0: [0, 1, 22, 24]})
    go(game, "MENU: PLAY; PLAY_CARD: CARD 22")
    assert game.decision == "CONT" and not game["main_used"] and game["resolved"] and game["resources"][0] == [3, 0, 0]
    go(game, "CONT: PLAY; PLAY_CARD: CARD 0")
    assert game["main_used"] and game["played"][0] == [0, 22]
    do(game, "PLAY")  # only Flash is left, and there is one card of it
    assert game["turn"] == 1 and game["hand"][0] == [1] and game["resources"][0] == [3, 0, 2]
    game = scene(FIELD, TWO, {0: [1, 22]})
    go(game, "MENU: PLAY; PLAY_CARD: CARD 22; CONT: DONE")
    assert game["turn"] == 1 and game["hand"][0] == [1]  # Flash alone is a turn


# ---- The machine --------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-PH-01", "NORTH-PH-05", "NORTH-PH-07", "NORTH-EOY-03", "NORTH-SETUP-22", "NORTH-SPEC-10")
def test_the_phases_of_a_year_in_order() -> None:
    goods = [[0, 0, 0], [3, 0, 0]]
    game = scene(
        FIELD, {0: {1: 7}}, {0: [1]}, creatures=[[5, 8]], resources=goods, clans=[BOAR, SNAKE], marker=1,
        options={"creatures": True}, conquer=[True, False], kaija_free=[False, True],
    )  # fmt: skip
    met = [game["phase"]]
    while game["year"] == 1:
        if game["phase"] != met[-1]:
            met.append(game["phase"])
        do(game, "DONE") if game.decision == "TR_GIVE" else game.step(game.legal()[-1])
    d = game.to_dict()
    assert met == ["ACTIONS", "HARVEST", "SECOND"] and d["phase"] == "ACTIONS" and d["player"] == d["marker"]
    # The Draugr takes a unit, the harvest gives a food and a wood, and winter costs six units a food, seven two.
    assert army(game, 0) == {1: 6} and d["resources"][0] == [0, 1, 0] and d["unrest"] == 10
    assert d["conquer"] == d["kaija_free"] == d["passed"] == d["taken"] == [False, False]


@pytest.mark.rule("NORTH-PH-04", "NORTH-SETUP-09", "NORTH-DIE-01")
def test_chance_is_drawn_by_purpose_and_occurrence() -> None:
    game = Play(num_players=3, clan_selection="random").start(77)
    key = stream(np.uint64(77), np.int64(7), np.int64(0), np.int64(0))
    assert game["marker"] == below(draw(key, np.int64(0)), np.int64(3))
    leaders = {Play(num_players=3, clan_selection="random").start(seed)["marker"] for seed in range(12)}
    assert leaders == {0, 1, 2}


@pytest.mark.rule("NORTH-CORN-01", "NORTH-CORN-02", "NORTH-PH-02")
def test_a_game_ends_within_the_bound() -> None:
    game = Play(num_players=2, clan_selection="random").start(8)
    decisions = 0
    while not game.over():
        assert len(game.legal()) >= 2
        game.step(game.legal()[decisions % len(game.legal())])
        decisions += 1
    assert decisions < max_decisions(game.options) and game["decision"] == "END" and game["player"] is None


@pytest.mark.rule("NORTH-CORN-15", "NORTH-EOY-04", "NORTH-CORN-08")
def test_all_get_a_second_chance_in_order() -> None:
    game = end_year(scene(FIELD, {}, {0: [1]}, clans=[GOAT, BOAR], marker=1))
    assert game["phase"] == "SECOND" and game.player == game["marker"] == 0
    do(game, "TERR 1")
    assert game.player == 1 and 1 not in places(game)
    do(game, "TERR 3")
    assert army(game, 0) == {1: 3} and army(game, 1) == {3: 3} and game["year"] == 2


# ---- Clans --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-CLAN-09", "NORTH-CLAN-10", "NORTH-CLAN-11", "NORTH-EX-15", "NORTH-MOVE-13")
def test_the_snake_places_the_token_before_and_after_the_move() -> None:
    game = scene(FIELD, {0: {0: 3}, 1: {2: 1}}, {0: [22, 76]}, clans=[SNAKE, BOAR])
    assert game["token"] is None
    play(game, 76)
    assert game.decision == "TOKEN" and places(game) == {1, 3} and "DONE" in offered(game)
    do(game, "TERR 1")
    assert [frame["frame"] for frame in game["frames"]] == ["CARD", "MOVE"]
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1")
    assert game.decision == "TOKEN" and places(game) == {2, 3, 8}
    do(game, "TERR 2")
    assert game["token"] == 2 and game.decision == "CONT"


@pytest.mark.rule("NORTH-CLAN-13", "NORTH-HARV-01")
def test_the_scorched_harvest() -> None:
    game = all_pass(scene(FIELD, {0: {1: 1}, 1: {0: 3}}, {0: [1]}, clans=[BOAR, SNAKE], token=1))
    assert game.decision == "HV_SCORCH" and game.player == 1 and game["turn"] == 0
    assert offered(game) == {"DONE", "RES 0", "RES 1"}
    do(game, "RES 1")
    assert game["resources"] == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.rule("NORTH-EX-17", "NORTH-TURN-15", "NORTH-HARV-08", "NORTH-HARV-06")
def test_canonical_payment() -> None:
    game = all_pass(scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {0: [1]}, resources=[[1, 0, 2], [0, 0, 0]]))
    assert game.decision == "TR_GIVE" and offered(game) == {"DONE", "RES 0"}
    do(game, "RES 0")  # lore, lore: forced
    assert game.decision == "TR_TAKE" and game["resources"][0] == [0, 0, 0]
    do(game, "RES 1")
    assert game["resources"][0] == [0, 1, 0]
    game = all_pass(scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {0: [1]}, resources=[[2, 1, 1], [0, 0, 0]]))
    assert offered(game) == {"DONE", "RES 0"}  # from wood on there are too few
    do(game, "RES 0")
    assert game.decision == "PAY" and offered(game) == {"RES 0", "RES 1"}
    assert game["frames"][-1] == {"frame": "PAY", "payer": 0, "left": 2, "last": 0, "to": None}


# ---- Teams --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-TEAM-01", "NORTH-TEAM-02", "NORTH-TEAM-03", "NORTH-TEAM-04", "NORTH-TEAM-05")
def test_moving_through_the_teammate() -> None:
    def start(card: int, **given: object) -> Play:
        return do(play(scene(FIELD, EVERYWHERE, {0: [card]}, 4, **{**TEAMS, **given}), card), "TERR 0")

    assert start(1)["frames"][-1]["dst"] == 3  # one move: 1 is the teammate's, 3 an enemy's
    game = start(9)
    assert places(game) == {1, 3}
    do(game, "TERR 1", "NUM 2")
    assert game.decision == "MV_DST" and places(game) == {0, 2, 3, 8}  # the same figures go on
    assert game["units"] == [[1, 0, 2], [1, 2, 1], [3, 3, 1], [8, 1, 1]]
    bear = start(9, options={"teams": True, "creatures": True}, creatures=[[3, 1]])
    assert bear["frames"][-1]["dst"] == 3  # a Brown Bear would not let them out


@pytest.mark.rule("NORTH-TEAM-06", "NORTH-TEAM-07")
def test_teammates_swap() -> None:
    units = {0: {0: 1}, 1: {1: 1}, 2: {2: 1}, 3: {3: 1}}
    goods = [[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]]
    game = all_pass(scene(FIELD, units, {0: [1]}, 4, resources=goods, **TEAMS))
    assert game.decision == "TR_GIVE" and offered(game) == {"DONE", "PLAYER 1"}
    do(game, "PLAYER 1")
    assert game.decision == "SW_TAKE" and offered(game) == {"RES 1", "RES 2"}
    do(game, "RES 2")
    assert game.decision == "SW_OK" and game.player == 2
    assert game["frames"][-1] == {"frame": "HARVEST", "give": 0, "take": 2, "swaps": 0, "swaps_over": False}
    do(game, "DONE")
    assert game["turn"] == 2  # refused: no more swaps for seat 0, and nothing else to trade
    go(game, "TR_GIVE: PLAYER 1; SW_GIVE: RES 2; SW_OK: YES")
    assert game["resources"][0] == [0, 0, 1] and game["resources"][2] == [1, 1, 0]
