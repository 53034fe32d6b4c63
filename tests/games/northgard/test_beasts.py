"""The creatures module (NORTH-CRE), with the worked examples 10 to 13."""

from __future__ import annotations

from typing import Any

import pytest
from northgard_scenes import CREATURE, FIELD, Play, army, do, go, load, offered, places, play, scene
from northgard_years import all_pass, end_year, first

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
WITH: dict[str, Any] = {"options": {"creatures": True}}
TWO = {0: {0: 3}, 1: {2: 3}}
LAIR_FIRST = [18, *(t for t in range(1, 35) if t not in (3, 14, 18))]  # tile 18: a lair in its area 0


# ---- Attacking a creature -----------------------------------------------------------------------------------------


@pytest.mark.rule(
    "NORTH-EX-10", "NORTH-CRE-05", "NORTH-CRE-10", "NORTH-CRE-11", "NORTH-CRE-14", "NORTH-CRE-15", "NORTH-CRE-16",
    "NORTH-CRE-18",
)  # fmt: skip
def test_a_wolf_wins_the_tie_as_defender() -> None:
    game = scene(
        FIELD, {0: {0: 2, 1: 1}, 1: {2: 1}}, {0: [1]}, creatures=[[0, 1]], resources=[[1, 0, 0], [0, 0, 0]],
        dice={0: [5], CREATURE: [2]}, **WITH,
    )  # fmt: skip
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 2; MV_CRE: CRE 0; CB_FOOD_A: NUM 1")
    assert army(game, 0) == {1: 3} and game["fame"] == [0, 0] and game["creatures"] == [[0, 1]]
    assert game["last_rolls"] == [5, 2] and game["resources"][0] == [0, 0, 0]


@pytest.mark.rule("NORTH-CRE-06", "NORTH-CRE-12", "NORTH-MOVE-03", "NORTH-MOVE-04", "NORTH-CRE-16", "NORTH-CRE-19")
def test_entering_a_valkyries_territory() -> None:
    def start(units: int, dice: Any) -> Play:
        return play(
            scene(
                FIELD, {0: {0: units}, 1: {2: 3}}, {0: [9]}, creatures=[[7, 1]], clans=[STAG, BOAR], dice=dice, **WITH
            ),
            9,
        )

    game = do(start(3, {0: [1], CREATURE: [4]}), "TERR 0", "TERR 1", "NUM 2")
    assert game.decision == "MV_SRC" and 1 not in places(game)  # who entered must stop
    do(game, "DONE")  # the fight is forced: 2 + 3 to 7, and both figures die of its two skulls
    assert army(game, 0) == {0: 1} and game["creatures"] == [[7, 1]] and game["last_rolls"] == [1, 4]
    game = do(start(6, {0: [1], CREATURE: [0]}), "TERR 0", "TERR 1", "NUM 6")  # 9 to 9: the creature defends
    assert game.decision == "RT_TERR" and places(game) == {0, 3, 8}
    game = do(start(7, {0: [1], CREATURE: [0]}), "TERR 0", "TERR 1", "NUM 7")
    assert army(game, 0) == {1: 7} and game["fame"][0] == 4 + 1 and game["creature_discard"] == [7]
    game = play(scene(FIELD, TWO, {0: [1]}, creatures=[[7, 1], [8, 1]], **WITH), 1)
    do(game, "TERR 0")
    assert game["frames"][-1]["dst"] == 3  # two of them: nobody may enter


@pytest.mark.rule("NORTH-CRE-11", "NORTH-CRE-13", "NORTH-CRE-17", "NORTH-CRE-32", "NORTH-CLAN-15", "NORTH-CRE-19")
def test_attacking_where_one_stands() -> None:
    units = {0: {0: 3, 1: 9}, 1: {2: 3}}
    game = scene(
        FIELD,
        units,
        {0: [1]},
        creatures=[[0, 0], [5, 1], [3, 1]],
        clans=[WOLF, BOAR],
        dice={0: [3], CREATURE: [0]},
        **WITH,
    )
    play(game, 1)
    assert 1 not in places(game)  # a Brown Bear holds them
    do(game, "DONE")
    assert game.decision == "MV_CRE" and offered(game) == {"DONE", "CRE 0"}
    do(game, "DONE")
    assert offered(game) == {"DONE", "CRE 3", "CRE 5"}
    do(game, "CRE 5")  # 9 + 2 to 5 + 2
    assert game["creatures"] == [[0, 0], [3, 1]] and game["fame"][0] == 2 and game["resources"][0] == [1, 0, 0]
    assert game["creature_discard"] == [5]


@pytest.mark.rule("NORTH-CRE-14", "NORTH-CLAN-12", "NORTH-CRE-15")
def test_a_choice_of_the_die_is_an_axe() -> None:
    def fight(units: int) -> Play:
        game = scene(
            FIELD, {0: {0: units}, 1: {2: 1}}, {0: [23]}, creatures=[[0, 0]], clans=[SNAKE, BOAR], token=0,
            dice={0: [2], CREATURE: [2]}, **WITH,
        )  # fmt: skip
        return do(play(game, 23), "DONE", "CRE 0")  # EITHER: one axe

    game = fight(2)  # 2 + 1 (token) + 1 + 1 = 5 to 4 + 1: a tie
    assert game["creatures"] == [[0, 0]] and army(game, 0) == {0: 2}
    game = fight(3)  # 6 to 5, and one axe less would be a tie
    assert game["creatures"] == [] and army(game, 0) == {0: 3} and game["fame"][0] == 1


# ---- Appearing ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-CRE-02", "NORTH-CRE-03", "NORTH-CRE-04", "NORTH-CRE-07", "NORTH-CRE-08", "NORTH-CRE-33")
def test_a_creature_appears_with_an_explored_tile() -> None:
    others = [1, 2, 3, 4, 6, 7, 8]
    for pile, lost in (([5, 0, *others], 1), ([0, 5, *others], 0)):
        game = scene(FIELD, TWO, {0: [2]}, tile_stack=LAIR_FIRST, creature_pile=pile, **WITH)
        play(game, 2)
        do(game, "ROT 2")  # the lair's area joins territory 0
        assert game["creatures"] == [[pile[0], 0]] and army(game, 0) == {0: 3 - lost}
        assert game["creature_pile"] == pile[1:]
    held = [[c, 8] for c in (0, 2, 3, 4, 5, 6)]
    game = scene(
        FIELD, TWO, {0: [2]}, tile_stack=LAIR_FIRST, creatures=[*held, [7, 3], [8, 1]], creature_pile=[],
        creature_discard=[1], **WITH,
    )  # fmt: skip
    play(game, 2)
    do(game, "ROT 2")
    assert game["creatures"][-1] == [1, 0] and game["creature_discard"] == []  # reshuffled


@pytest.mark.rule("NORTH-CRE-34", "NORTH-CRE-07", "NORTH-EX-12")
def test_a_valkyrie_appears_and_attacks_the_explorer() -> None:
    game = scene(
        FIELD, TWO, {0: [2]}, tile_stack=LAIR_FIRST, creature_pile=[7, 0, 1, 2, 3, 4, 5, 6, 8],
        resources=[[1, 0, 0], [0, 0, 0]], dice={0: [0], CREATURE: [1]}, **WITH,
    )  # fmt: skip
    play(game, 2)
    do(game, "ROT 2")
    assert game.decision == "CB_FOOD_D" and [f["frame"] for f in game["frames"]] == ["CARD", "EXPLORE", "COMBAT"]
    do(game, "NUM 0")  # 3 + 2 to 7 + 3
    assert game.decision == "RT_TERR" and game.player == 0


@pytest.mark.rule("NORTH-CRE-30", "NORTH-CRE-31", "NORTH-CRE-33", "NORTH-CRE-08")
def test_more_creatures() -> None:
    more = {"options": {"creatures": True, "more_creatures": True}}
    pile = [5, 0, 1, 2, 3, 4, 6, 7, 8]
    game = scene(FIELD, TWO, {0: [1]}, creature_pile=pile, creature_top=2, **more)
    assert game.decision == "MENU" or game.decision == "PASS_PICK"
    while game.decision != "PASS_PICK":
        do(game, "PASS")
    first(game)
    assert game.decision == "PASS_CRE" and game["frames"] == []
    do(game, "YES")
    assert game.decision == "PASS_CRE_AT" and places(game) == {0, 1, 2, 3, 8}  # no lair on the map
    assert game["frames"] == [{"frame": "PASS", "creature": 5}] and game["creature_top"] == 1
    do(game, "TERR 2")
    assert game["creatures"] == [[5, 2]] and army(game, 1) == {2: 2} and game.player == 1


@pytest.mark.rule("NORTH-CRE-30", "NORTH-CRE-34", "NORTH-PH-10")
def test_a_valkyrie_revealed_by_passing_attacks_and_the_position_is_read_again() -> None:
    more = {"options": {"creatures": True, "more_creatures": True}}
    pile = [7, 0, 1, 2, 3, 4, 5, 6, 8]
    game = scene(FIELD, TWO, {0: [1]}, creature_pile=pile, resources=[[0, 0, 0], [2, 0, 0]], **more)
    while game.decision != "PASS_PICK":
        do(game, "PASS")
    do(first(game), "YES", "TERR 2")
    assert game.decision == "CB_FOOD_D" and [f["frame"] for f in game["frames"]] == ["PASS", "COMBAT"]
    assert game["creatures"] == [[7, 2]] and load(game.to_dict()).to_dict() == game.to_dict()


# ---- The Creature phase -------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-CRE-20", "NORTH-CRE-21", "NORTH-CRE-22", "NORTH-CRE-24", "NORTH-CRE-05")
def test_creature_phase() -> None:
    # both move; the second may not join the first; nobody else's figures are near
    game = end_year(scene(FIELD, {0: {8: 1}, 1: {3: 3}}, {0: [1]}, creatures=[[0, 0], [5, 2]], **WITH))
    assert game["creatures"] == [[0, 3], [5, 1]] and army(game, 1) == {3: 3}
    game = end_year(scene(FIELD, {0: {8: 1}, 1: {1: 3}}, {0: [1]}, creatures=[[5, 0], [6, 3], [0, 2], [1, 1]], **WITH))
    assert game["creatures"] == [[5, 0], [6, 3], [0, 2], [1, 8]] and army(game, 0) == {8: 1}  # three are hemmed in


@pytest.mark.rule("NORTH-CRE-23", "NORTH-PH-08", "NORTH-TURN-12")
def test_the_marker_holder_breaks_ties() -> None:
    game = all_pass(scene("0@(0,0)/0", {0: {0: 1}, 1: {2: 1}}, {0: [1]}, creatures=[[5, 1]], **WITH))
    assert game.decision == "CR_MOVE" and game.player == 0 and places(game) == {0, 2} and game["turn"] is None
    assert game["phase"] == "CREATURES" and game["frames"] == [{"frame": "CREATURES", "creature": 5, "queue": []}]


@pytest.mark.rule("NORTH-EX-11", "NORTH-CRE-23", "NORTH-CRE-33", "NORTH-CLAN-05")
def test_a_draugr_goes_by_units_then_buildings_then_resources() -> None:
    made = [[1, CAMP, 1], [2, TOWER, 1]]  # 1 has one food and one wood, 2 nothing
    game = end_year(scene(FIELD, {0: {1: 3}, 1: {2: 3}}, {0: [1]}, creatures=[[5, 3]], spaceless=made, **WITH))
    assert game["creatures"] == [[5, 1]] and army(game, 0) == {1: 2} and army(game, 1) == {2: 3}


@pytest.mark.rule("NORTH-EX-12", "NORTH-EX-13", "NORTH-CRE-06", "NORTH-CRE-17", "NORTH-CRE-18", "NORTH-CRE-34")
def test_a_valkyrie_attacks() -> None:
    def start(face: int) -> Play:
        return all_pass(
            scene(
                FIELD, {0: {1: 3}, 1: {2: 1}}, {0: [1]}, creatures=[[7, 3]], dice={0: [face], CREATURE: [2]},
                resources=[[3, 0, 0], [0, 0, 0]], buildings=[[9, CAMP]], **WITH,
            )
        )  # fmt: skip

    game = start(4)
    assert game["phase"] == "CREATURES" and game.decision == "CB_FOOD_D" and game.player == 0
    assert places(game, "NUM") == {0, 1, 2, 3}
    assert game["frames"][0] == {"frame": "CREATURES", "creature": 7, "queue": []}
    do(game, "NUM 3")
    assert game.decision == "RT_TERR" and places(game) == {0, 3, 8} and game["last_rolls"] == [2, 4]
    go(game, "RT_TERR: TERR 0; RT_NUM: NUM 1; RT_TERR: TERR 8; RT_NUM: NUM 2")
    assert army(game, 0) == {0: 1, 8: 2} and game["creatures"] == [[7, 1]] and game["fame"][0] == 0
    game = do(start(0), "NUM 3")  # 3 + 3 + 2 = 8: the defender wins the tie
    assert army(game, 0) == {1: 3} and game["creatures"] == [] and game["creature_discard"] == [7]
    assert game["fame"][0] == 4  # the card may come back by a reshuffle


@pytest.mark.rule("NORTH-CRE-35", "NORTH-HARV-02", "NORTH-HARV-03")
def test_a_wolf_takes_the_harvest_of_the_tiles() -> None:
    held = [[0, 1], [1, 0], [2, 2], [3, 3], [4, 8]]  # none of them can move
    game = scene(
        FIELD,
        {0: {1: 1}, 1: {2: 3}},
        {0: [1]},
        creatures=held,
        spaceless=[[1, LODGE, 1]],
        buildings=[[4, ALTAR]],
        **WITH,
    )
    end_year(game)
    assert game["resources"][0] == [0, 1, 0] and game["fame"][0] == 3


@pytest.mark.rule("NORTH-CRE-36", "NORTH-CLAN-13", "NORTH-CRE-35")
def test_scorched_earth_under_a_wolf() -> None:
    held = [[0, 1], [1, 0], [2, 2], [3, 3], [4, 8]]
    bare = {"clans": [BOAR, SNAKE], "token": 1, "creatures": held, **WITH}
    game = end_year(scene(FIELD, {0: {1: 1}, 1: {0: 3}}, {0: [1]}, **bare))
    assert game["year"] == 2 and game["resources"][0] == [0, 0, 0]  # nothing to scorch
    game = all_pass(scene(FIELD, {0: {1: 1}, 1: {0: 3}}, {0: [1]}, buildings=[[9, SILO]], **bare))
    assert game.decision == "HV_SCORCH" and offered(game) == {"DONE", "RES 0"}


@pytest.mark.rule("NORTH-CRE-32", "NORTH-CRE-01")
def test_a_brown_bear_holds_what_is_there() -> None:
    units = {0: {1: 3}, 1: {2: 3}}
    wood = {"resources": [[0, 5, 0], [0, 0, 0]]}
    game = scene(FIELD, units, {0: [0, 1, 2, 3, 22]}, creatures=[[3, 1]], **wood, **WITH)
    do(game, "PLAY")
    assert places(game, "CARD") == {1, 22}  # no recruiting, no exploring, no building; Move only for its fights
    free = do(scene(FIELD, units, {0: [0, 1, 2, 3, 22]}, **wood), "PLAY")
    assert places(free, "CARD") == {0, 1, 2, 3, 22}
