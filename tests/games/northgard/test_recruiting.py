"""Recruiting and building (NORTH-RECR, NORTH-BUILD), with the worked examples 7 and 8."""

from __future__ import annotations

import pytest
from northgard_scenes import FIELD, Play, army, do, go, offered, places, play, scene

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
BEASTS = {"creatures": True}
BUILD_MAP = "0@(0,0)/0 2@(0,-1)/0 19@(1,0)/0 25@(0,1)/0"  # spaces: 0 small, 1 carved, 2 large


# ---- Recruit ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-EX-07", "NORTH-RECR-03", "NORTH-RECR-08", "NORTH-RECR-09", "NORTH-BLD-02")
def test_recruit_2_with_training_camps() -> None:
    def start() -> Play:
        return play(scene(FIELD, {0: {8: 1, 1: 1}, 1: {2: 1}}, {0: [43]}, buildings=[[8, CAMP], [9, CAMP]]), 43)

    game = start()
    assert offered(game) == {"TERR 1", "TERR 8"}  # no DONE before the first figure
    do(game, "TERR 1")
    assert offered(game) == {"TERR 1", "TERR 8", "DONE"}
    go(game, "REC_TERR: TERR 8; REC_CAMP: NUM 1; REC_CAMP: NUM 1")
    assert army(game, 0) == {1: 3, 8: 3}
    game = go(start(), "REC_TERR: TERR 1; REC_TERR: TERR 1; REC_CAMP: NUM 1")
    assert army(game, 0) == {1: 4, 8: 1} and game["turn"] == 1  # one camp, once, and it asks for no other
    game = go(start(), "REC_TERR: TERR 1; REC_TERR: DONE; REC_CAMP: NUM 0")
    assert army(game, 0) == {1: 2, 8: 1}


@pytest.mark.rule("NORTH-RECR-02", "NORTH-RECR-04", "NORTH-CORN-08")
def test_without_a_figure_one_neutral_territory_is_chosen() -> None:
    game = play(scene(FIELD, {1: {2: 3}}, {0: [43]}), 43)  # Upgraded Town Hall: two figures
    assert offered(game) == {"TERR 0", "TERR 1", "TERR 3", "TERR 8"}
    do(game, "TERR 1")
    assert offered(game) == {"TERR 1", "DONE"}  # and the second one only there
    do(game, "TERR 1")
    assert army(game, 0) == {1: 2}
    game = play(scene(FIELD, {1: {2: 3}}, {0: [43]}, options=BEASTS, creatures=[[3, 0], [7, 1]]), 43)
    assert offered(game) == {"TERR 3", "TERR 8"}  # neither under a Brown Bear nor with a Fallen Valkyrie


@pytest.mark.rule("NORTH-RECR-05", "NORTH-RECR-11", "NORTH-CLAN-01", "NORTH-CORN-03")
def test_kaija_is_recruited_like_a_unit() -> None:
    game = play(scene(FIELD, {0: {0: 2}, 1: {2: 1}}, {0: [65]}, clans=[BEAR, BOAR]), 65)
    assert game["kaija_free"] == [True, False] and offered(game) == {"DONE", "TERR 0"}  # bit KAIJA_FREE: none need come
    go(game, "REC_TERR: TERR 0; REC_KAIJA: YES")
    assert game["kaija"] == 0 and game["units"] == [[0, 0, 2], [2, 1, 1]]
    full = play(scene(FIELD, {0: {0: 7, 3: 7}, 1: {2: 1}}, {0: [0, 22]}, clans=[BEAR, BOAR]), 0)
    do(full, "TERR 3")
    assert full["kaija"] == 3  # no unit is left: it is Kaija without a question
    other = scene(FIELD, {0: {0: 7, 3: 7}, 1: {2: 1}}, {0: [0, 22]})
    do(other, "PLAY")
    assert other["resources"][0] == [3, 0, 0]  # Recruit has no P, so Fishing was the only card


@pytest.mark.rule("NORTH-RECR-06", "NORTH-RECR-07")
def test_mercenaries_are_paid_for_and_go_together() -> None:
    game = play(
        scene(FIELD, {0: {0: 1}, 1: {2: 1}}, {0: [75]}, clans=[RAVEN, BOAR], resources=[[1, 1, 1], [0, 0, 0]]), 75
    )
    assert places(game) == {1, 3, 8}  # neutral only
    do(game, "TERR 8")
    assert offered(game) == {"DONE", "TERR 8"}  # neutral when the card was played
    go(game, "REC_TERR: TERR 8; REC_PAY: YES; PAY: RES 1")
    assert army(game, 0) == {0: 1, 8: 3} and game["resources"][0] == [1, 0, 0]
    poor = play(
        scene(FIELD, {0: {0: 1}, 1: {2: 1}}, {0: [75]}, clans=[RAVEN, BOAR], resources=[[1, 0, 0], [0, 0, 0]]), 75
    )
    go(poor, "REC_TERR: TERR 8; REC_TERR: DONE")
    assert army(poor, 0) == {0: 1, 8: 1} and poor["turn"] == 1


@pytest.mark.rule("NORTH-RECR-10", "NORTH-CLAN-05")
def test_the_stag_pulls_a_unit_along() -> None:
    game = play(scene(FIELD, {0: {0: 1, 8: 2}, 1: {2: 1}}, {0: [79]}, clans=[STAG, BOAR]), 79)
    do(game, "TERR 0")
    assert army(game, 0) == {0: 2, 8: 2} and game["turn"] == 1  # 8 is not beside 0
    game = play(scene(FIELD, {0: {0: 1, 1: 2}, 1: {2: 1}}, {0: [79]}, clans=[STAG, BOAR]), 79)
    do(game, "TERR 0")
    assert game.decision == "REC_PULL" and offered(game) == {"DONE", "TERR 1"}
    do(game, "TERR 1")
    assert army(game, 0) == {0: 3, 1: 1}


# ---- Build --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-EX-08", "NORTH-BUILD-01", "NORTH-BUILD-02", "NORTH-BUILD-04", "NORTH-BUILD-05")
def test_build_with_2_wood() -> None:
    units = {0: {0: 1, 1: 1, 2: 1}, 1: {3: 1}}
    game = play(scene(BUILD_MAP, units, {0: [3]}, resources=[[0, 2, 0], [0, 0, 0]]), 3)
    assert places(game) == {0, 1}  # a large building costs three
    do(game, "TERR 1")
    assert places(game, "BLDG") == {0, 1, 2, 3, 4}
    do(game, "BLDG 4")
    assert game["resources"][0][1] == 1 and game["supply"][CARVED] == 6 and len(game["buildings"]) == 1
    game = play(scene(BUILD_MAP, units, {0: [67]}, clans=[BOAR, GOAT], resources=[[0, 2, 0], [0, 0, 0]]), 67)
    assert places(game) == {0, 1, 2}  # the discount of one
    do(game, "TERR 0")
    assert places(game, "BLDG") == {0, 1, 2, 3}  # no Carved Stone on a plain space
    do(game, "BLDG 0")
    assert game["resources"][0] == [0, 2, 0]


@pytest.mark.rule("NORTH-BUILD-03", "NORTH-CORN-04", "NORTH-COMP-02", "NORTH-CLAN-07")
def test_no_second_one_of_a_type_and_none_without_a_token() -> None:
    given = {"resources": [[0, 9, 0], [0, 0, 0]], "buildings": [[4, FORTRESS]]}
    game = play(scene(FIELD, {0: {1: 1, 8: 1}, 1: {2: 1}}, {0: [3]}, **given), 3)
    do(game, "TERR 1")
    assert places(game, "BLDG") == {0, 1, 2, 3}  # the large space is taken
    do(game, "BLDG 2")
    assert game["buildings"] == [[4, FORTRESS], [9, TOWER]] and game["resources"][0] == [1, 8, 0]  # the Goat's food
    used = [[0, SILO, 7]]
    game = play(scene(FIELD, {0: {1: 1}, 1: {2: 1}}, {0: [3]}, spaceless=used, resources=[[0, 1, 0], [0, 0, 0]]), 3)
    assert game["supply"][SILO] == 0 and places(game, "BLDG") == {1, 2, 3}
