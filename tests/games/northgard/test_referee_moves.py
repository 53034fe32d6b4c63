"""The referee by itself: moves, combats, special operations, harvest and the end of a year."""

from __future__ import annotations

import pytest
from northgard_referee_positions import (
    FIELD,
    FOUR_CLOSED,
    TWO_CLOSED,
    all_pass,
    army,
    do,
    end_year,
    go,
    offered,
    places,
    play,
    scene,
)

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
TWO = {0: {0: 3}, 1: {2: 3}}
EX_06 = "0@(0,0)/0 23@(0,-1)/0"  # 5 and 4: a rough border; 0 (slots 0, 6) has regular ones to 5 and 7

# ------------------------------------------------------------------------------------------- move


@pytest.mark.rule("NORTH-MOVE-02", "NORTH-MOVE-07", "NORTH-COMB-02", "NORTH-CORN-12")
def test_two_combats_in_the_order_of_the_actor():
    units = {0: {0: 6}, 1: {1: 1, 3: 1}}
    game = scene(FIELD, units, {0: [9]}, dice=(0, 0, 0, 0))
    play(game, 9)
    assert offered(game) == {"DONE", "TERR 0"}
    do(game, "TERR 0", "TERR 1", "NUM 2", "TERR 0", "TERR 3", "NUM 2")
    assert game.decision == "CB_PICK" and game.to_dict()["frames"][-1]["due"] == [[1, None], [3, None]]
    do(game, "TERR 3")  # won; beside 3 are 0 (the actor's), 1 (disputed) and 2: the loser goes there unasked
    assert army(game, 0) == {0: 2, 1: 2, 3: 2} and army(game, 1) == {1: 1, 2: 1}
    assert game.decision == "RT_TERR" and game.player == 1 and places(game) == {2, 8}


@pytest.mark.rule("NORTH-CORN-11", "NORTH-COMB-17", "NORTH-COMB-16")
def test_no_refuge_while_the_neighbour_is_disputed():
    game = scene("0@(0,0)/0", {0: {0: 7}, 1: {1: 1, 3: 1}, 2: {2: 1}}, {0: [9]}, 3, dice=(0, 0, 0, 0))
    play(game, 9)
    do(game, "TERR 0", "TERR 1", "NUM 3", "TERR 0", "TERR 3", "NUM 3")
    assert game.decision == "CB_PICK"
    do(game, "TERR 3")  # beside 3: 0 (Red's), 1 (disputed), 2 (Yellow's); beside 1: 0 and 3 (Red's), 2
    assert army(game, 0) == {0: 1, 1: 3, 3: 3} and army(game, 1) == {}


@pytest.mark.rule("NORTH-FX-02", "NORTH-MOVE-01", "NORTH-COMB-16")
def test_smooth_moves():
    game = scene(EX_06, {0: {5: 4}, 1: {4: 1}}, {0: [82]}, clans=[WOLF, BOAR], dice=(4, 0))
    play(game, 82)
    assert offered(game) == {"DONE", "TERR 5"}
    do(game, "TERR 5")
    assert places(game) == {0, 4, 7}
    do(game, "TERR 4", "NUM 4")
    assert army(game, 0) == {4: 4} and game.resources[0] == [1, 0, 0]  # the Wolf's food


@pytest.mark.rule("NORTH-MOVE-08", "NORTH-MOVE-03")
def test_infiltration_goes_through():
    game = scene(FIELD, {0: {0: 2}, 1: {1: 2}}, {0: [42]}, dice=(0, 0))
    play(game, 42)
    do(game, "TERR 0", "TERR 1", "NUM 2")
    assert game.decision == "MV_SRC" and offered(game) == {"DONE", "TERR 1"}
    do(game, "TERR 1", "TERR 8", "NUM 1")
    do(game, "DONE")  # one stayed behind: a combat
    assert army(game, 0)[8] >= 1 and army(game, 1) == {1: 2}


@pytest.mark.rule("NORTH-COMB-03", "NORTH-CLAN-05")
def test_pushing_a_unit_away():
    game = scene(FIELD, {0: {0: 2}, 1: {1: 1}}, {0: [14]}, clans=[STAG, BOAR])
    play(game, 14)
    do(game, "TERR 0", "TERR 1", "NUM 2")
    assert game.decision == "CB_PUSH" and offered(game) == {"DONE", "TERR 0", "TERR 2", "TERR 3", "TERR 8"}
    do(game, "TERR 8")
    assert army(game, 0) == {1: 2} and army(game, 1) == {8: 1} and game.fame == [0, 0] and game.last_rolls == []


@pytest.mark.rule("NORTH-COMB-09", "NORTH-COMB-07", "NORTH-COMB-10", "NORTH-CLAN-14", "NORTH-CORN-10")
def test_axe_throwers_choose_after_the_roll():
    game = scene(FIELD, {0: {0: 2}, 1: {1: 1}}, {0: [23]}, clans=[STAG, BOAR], dice=(2, 3))
    play(game, 23)
    do(game, "TERR 0", "TERR 1", "NUM 2")
    assert game.decision == "CB_FACE_A" and game.last_rolls == [2]
    do(game, "FACE 0")
    assert game.decision == "CB_EITHER" and game.to_dict()["frames"][-1]["face_a"] == 0
    do(game, "FACE 1")  # one skull: the defender is gone; it rolled a skull: one attacker too
    assert army(game, 0) == {1: 1} and army(game, 1) == {} and game.fame == [1, 0]
    game = scene(FIELD, {0: {0: 1}, 1: {1: 1}}, {0: [1]}, clans=[STAG, BOAR], dice=(3, 3))
    play(game, 1)
    do(game, "TERR 0", "TERR 1")
    assert army(game, 0) == {} == army(game, 1) and game.fame == [0, 0] and game.neutral(1)


@pytest.mark.rule("NORTH-SPEC-10", "NORTH-COMB-05", "NORTH-COMB-11", "NORTH-FX-14")
def test_conqueror_ignores_buildings():
    fort = {"buildings": [[4, FORTRESS], [9, TOWER]]}
    game = scene(FIELD, {0: {0: 3}, 1: {1: 1}}, {0: [32, 1]}, dice=(0, 0), **fort)
    play(game, 32)
    do(game, "PLAY", "TERR 0", "TERR 1", "NUM 3")
    assert game.decision == "RT_TERR" and army(game, 0) == {1: 3}  # 5 to 3, no casualty


@pytest.mark.rule("NORTH-CLAN-02", "NORTH-CLAN-05", "NORTH-MOVE-05", "NORTH-MOVE-10", "NORTH-COMB-04", "NORTH-CLAN-03")
def test_kaija_moves_and_gathers():
    game = scene(FIELD, {0: {1: 2}, 1: {2: 3}}, {0: [64]}, clans=[BEAR, BOAR], kaija=1)
    play(game, 64)
    do(game, "TERR 1")
    assert places(game) == {0, 2, 3, 8}
    do(game, "TERR 0")
    assert game.decision == "MV_NUM" and places(game, "NUM") == {0, 1, 2}
    do(game, "NUM 1")
    assert game.decision == "MV_KAIJA" and game.to_dict()["frames"][-1]["num"] == 1
    do(game, "YES")
    assert game.kaija == 0 and game.resources[0] == [1, 1, 0] and army(game, 0) == {0: 2, 1: 1}
    game = scene(FIELD, {0: {1: 2}, 1: {2: 3}}, {0: [64]}, clans=[BEAR, BOAR], kaija=1)
    play(game, 64)
    do(game, "TERR 1", "TERR 2")
    assert places(game, "NUM") == {1, 2}  # Kaija may not enter


@pytest.mark.rule("NORTH-MOVE-09")
def test_hidden_ways():
    game = scene(TWO_CLOSED, {0: {0: 1}, 1: {4: 3}}, {0: [30]})
    play(game, 30)
    do(game, "TERR 0")
    assert places(game) == {t for t in game.territories() if game.is_open(t)}


@pytest.mark.rule("NORTH-TEAM-04", "NORTH-TEAM-05", "NORTH-TEAM-03", "NORTH-TEAM-02")
def test_moving_through_the_teammate():
    units = {0: {0: 2}, 1: {8: 1}, 2: {1: 1}, 3: {3: 1}}

    def start(card, **given):
        game = scene(FIELD, units, {0: [card]}, 4, options={"teams": True}, **given)
        play(game, card)
        return do(game, "TERR 0")

    assert start(1).to_dict()["frames"][-1]["dst"] == 3  # one move: 1 is the teammate's
    game = start(9)
    assert places(game) == {1, 3}
    do(game, "TERR 1", "NUM 2")
    assert game.decision == "MV_DST" and places(game) == {0, 2, 3, 8}  # the same figures go on
    assert [game.figures(1, p) for p in range(4)] == [2, 0, 1, 0]
    bear = {"options": {"teams": True, "creatures": True}, "creatures": [[3, 1]]}
    game = scene(FIELD, units, {0: [9]}, 4, **bear)
    play(game, 9)
    do(game, "TERR 0")
    assert game.to_dict()["frames"][-1]["dst"] == 3


# ------------------------------------------------------------------------------------------- explore


@pytest.mark.rule("NORTH-CORN-05", "NORTH-EXPL-01", "NORTH-SPEC-03")
def test_empty_tile_stack():
    game = scene(FIELD, TWO, {0: [2, 4, 10, 81, 22]}, tile_stack=[])
    assert set(game.playable(0)) == {4, 81, 22} and 2 not in game.choices(0, {"b": 15}, [])


@pytest.mark.rule("NORTH-EXPL-02", "NORTH-EXPL-05", "NORTH-CORN-06", "NORTH-INFO-06", "NORTH-FX-03")
def test_exploring_with_a_choice_of_two():
    game = scene(FIELD, TWO, {0: [39]})  # Upgraded Scout Camp
    first = sorted(tile for tile, _ in game.stack[:2])
    play(game, 39)
    assert game.decision == "EX_PICK" and game.to_dict()["frames"][-1]["drawn"] == first
    do(game, "PICK 1")
    assert game.stack[-1] == [first[0], 1] and game.to_dict()["frames"][-1]["tile"] == first[1]
    assert "DONE" not in offered(game)


@pytest.mark.rule("NORTH-EXPL-04", "NORTH-EXPL-03")
def test_scout_camp_draws_again():
    game = scene(FIELD, TWO, {0: [16]})
    top = [tile for tile, _ in game.stack[:2]]
    play(game, 16)
    assert game.decision == "EX_REDRAW" and game.to_dict()["frames"][-1]["drawn"] == top[:1]
    do(game, "YES")
    frame = game.to_dict()["frames"][-1]
    assert frame["redrawn"] and frame["tile"] == top[1] and game.stack[-1] == [top[0], 1]


@pytest.mark.rule("NORTH-EXPL-06", "NORTH-CRE-32", "NORTH-FX-03")
def test_where_one_may_explore():
    game = scene(FIELD, TWO, {0: [2, 33]})
    cells = [game.cell_of(c) for c in game.placements(34, lambda cell: game.explores_to(cell, 0))]
    assert cells == [(0, 35)]
    assert len(game.placements(34, lambda cell: True)) > 3
    bear = {"options": {"creatures": True}, "creatures": [[3, 0]]}
    game = scene(FIELD, TWO, {0: [2, 33]}, **bear)
    assert game.playable(0) == [33]  # Huginn and Muninn start anywhere


@pytest.mark.rule("NORTH-TILE-12", "NORTH-EXPL-06")
def test_a_narrow_map():
    row = " ".join(f"{t}@({x},0)/0" for x, t in enumerate((0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12)))
    game = scene(row, TWO, {0: [2]}, options={"map_size": 12})
    assert not game.fits_grid((11, 0)) and game.fits_grid((4, 1))


# ------------------------------------------------------------------------------------------- special operations


@pytest.mark.rule("NORTH-SPEC-04", "NORTH-FX-08", "NORTH-CORN-09")
def test_strikes():
    game = scene(FIELD, {0: {0: 3}, 1: {1: 1, 8: 1}}, {0: [83]}, clans=[WOLF, BOAR])  # Plunder: adjacent, then draw
    play(game, 83)
    assert army(game, 1) == {8: 1} and game.decision in ("CONT", "MENU") and len(game.hand[0]) == 1
    game = scene(FIELD, {0: {0: 3}, 1: {1: 2, 8: 1}}, {0: [74]}, clans=[RAVEN, BOAR])  # Raiding Party: anywhere
    play(game, 74)
    assert places(game) == {1, 8}
    do(game, "TERR 1")
    assert game.decision == "ST_RES" and offered(game) == {"RES 0", "RES 1"}
    do(game, "RES 1")
    assert game.resources[0] == [0, 1, 0] and army(game, 1) == {1: 1, 8: 1}
    game = scene(FIELD, {0: {0: 3}, 1: {1: 2}}, {0: [55]})  # Capture
    play(game, 55)
    assert offered(game) == {"DONE", "TERR 1"}
    do(game, "TERR 1")
    assert game.decision == "ST_ADD" and offered(game) == {"DONE", "TERR 0"}
    do(game, "TERR 0")
    assert army(game, 0) == {0: 4} and army(game, 1) == {1: 1}


@pytest.mark.rule("NORTH-SPEC-05", "NORTH-FX-09", "NORTH-TURN-05")
def test_copying():
    game = scene(FIELD, TWO, {0: [50]}, played=[[22, 1, 13], [2]], idle=[[12], [4]])  # Legendary Heroes
    play(game, 50)
    assert game.decision == "CP_CARD" and places(game, "CARD") == {1, 13, 22}
    do(game, "CARD 22")
    assert game.resources[0] == [3, 0, 0]
    game = scene(FIELD, {0: {0: 3}, 1: {1: 3}}, {0: [27]}, played=[[], [8, 85]], idle=[[], [4, 26]])  # Enemy Secrets
    play(game, 27)
    assert places(game, "CARD") == {8, 4} and game.to_dict()["frames"][-1]["who"] == 1
    game = scene(FIELD, {0: {0: 3}, 1: {1: 3}}, {0: [78]}, clans=[SNAKE, BOAR], played=[[], [22]])  # Stolen Lore
    play(game, 78)
    do(game, "TERR 1")  # the token goes to the enemy, so there is something to copy
    assert game.resources[0] == [3, 0, 0]
    game = scene(FIELD, {0: {0: 3}, 1: {1: 3}}, {0: [78]}, clans=[SNAKE, BOAR], played=[[], [22]])
    play(game, 78)
    do(game, "TERR 3")
    assert game.resources[0] == [0, 0, 0] and game.token == 3


@pytest.mark.rule("NORTH-SPEC-06", "NORTH-FX-10", "NORTH-INFO-06", "NORTH-INFO-08")
def test_attacks_on_hands():
    game = scene(FIELD, TWO, {0: [21], 1: [1, 85]})  # Spy
    play(game, 21)
    assert game.decision == "HD_WHO" and offered(game) == {"DONE", "PLAYER 0"}
    do(game, "PLAYER 0")
    assert game.decision == "HD_CARD" and game.player == 0 and places(game, "CARD") == {1, 85}
    assert game.to_dict()["hand_known"][1] == [3, 3]
    do(game, "CARD 1")
    assert game.discard[1] == [1] and game.decision == "HD_DRAW"
    game = scene(FIELD, TWO, {0: [77], 1: [1, 85]}, clans=[SNAKE, BOAR], resources=[[0, 0, 0], [2, 0, 1]])
    play(game, 77)
    do(game, "DONE")
    assert game.decision == "HD_CARD"
    do(game, "CARD 1")
    assert game.decision == "HD_RANSOM" and game.player == 1 and game.to_dict()["frames"][-1]["card"] == 1
    assert game.view(0)["frames"][-1]["card"] == 1
    do(game, "YES")
    assert game.decision == "PAY" and game.to_dict()["frames"][-2]["left"] == 1
    do(game, "RES 2")  # the first food was forced
    assert game.resources == [[1, 0, 1], [1, 0, 0]] and len(game.hand[1]) == 2


@pytest.mark.rule("NORTH-SPEC-06")
def test_veiled_threats_and_ancestral_curse():
    game = scene(FIELD, {0: {0: 1}, 1: {1: 1}, 2: {2: 1}}, {0: [37], 1: [], 2: [1, 2, 3]}, 3)
    play(game, 37)
    assert game.decision == "HD_ALL" and offered(game) == {"DONE", "YES"}
    do(game, "YES")
    assert game.decision == "HD_CARD" and game.player == 2
    do(game, "CARD 2")
    assert game.decision == "HD_DRAW" and game.discard[2] == [2]
    game = scene(FIELD, {0: {0: 1}, 1: {1: 1}}, {0: [56], 1: [1, 2, 3]})
    play(game, 56)
    do(game, "PLAYER 0", "CARD 3")
    assert game.to_dict()["frames"][-1]["left"] == 1 and game.decision == "HD_CARD"
    game = scene(FIELD, {0: {0: 1}, 1: {1: 1}}, {0: [37], 1: []})
    play(game, 37)
    assert len(game.hand[0]) == 1 and game.turn == 1  # drawn without asking


@pytest.mark.rule("NORTH-SPEC-07", "NORTH-FX-11")
def test_bribery():
    game = scene(FIELD, {0: {0: 3}, 1: {1: 3}}, {0: [46]}, dice=(0, 0))
    play(game, 46)
    assert game.decision == "BR_DST" and places(game) == {0, 2, 3, 8}
    do(game, "TERR 0")
    assert game.decision == "BR_NUM" and places(game, "NUM") == {1, 2}
    do(game, "NUM 2")  # 4 to 5: the owner of the moved units loses and retreats
    assert game.decision == "RT_TERR" and game.player == 1 and places(game) == {1, 3}
    frames = game.to_dict()["frames"]
    assert [f["frame"] for f in frames] == ["CARD", "BRIBE", "COMBAT"] and frames[-1]["attacker"] == 1


@pytest.mark.rule("NORTH-SPEC-08", "NORTH-SPEC-09", "NORTH-FX-12", "NORTH-FX-13", "NORTH-CORN-16")
def test_fetching_and_foreseeing():
    game = scene(FIELD, TWO, {0: [5]}, discard=[[1, 4], []])
    play(game, 5)
    assert offered(game) == {"YES", "CARD 1", "CARD 4"}
    do(game, "CARD 4")
    assert game.hand[0] == [[4, 3]] and game.discard[0] == [1]
    game = scene(FIELD, TWO, {0: [20, 1]}, display=[7, 9])
    play(game, 20)
    do(game, "CARD 9")
    assert game.pile[0][0] == [9, 3] and game.taken[0]
    assert game.pile[1][0] == [7, 3] and game.display == []  # seat 1, without a hand, passes
    do(game, "PASS")
    assert game.year == 3


@pytest.mark.rule("NORTH-SPEC-02", "NORTH-SPEC-03", "NORTH-FX-07")
def test_feasts():
    game = scene(FIELD, TWO, {0: [71]}, resources=[[0, 1, 0], [0, 0, 0]])  # Teamwork: two of four
    play(game, 71)
    assert game.decision == "ACT" and offered(game) == {"ACT 0", "ACT 1", "ACT 2"}  # no space to build
    do(game, "ACT 1", "DONE")
    assert game.decision == "ACT" and offered(game) == {"ACT 0", "ACT 2", "DONE"}
    assert game.to_dict()["frames"][-1] == {"frame": "CHOOSE", "row": 71, "done": [1]}
    do(game, "DONE")
    assert game.turn == 1


# ------------------------------------------------------------------------------------------- the year


@pytest.mark.rule("NORTH-CLAN-12", "NORTH-CLAN-13", "NORTH-CRE-36", "NORTH-HARV-01")
def test_scorched_harvest():
    def start(**given):
        game = scene(FIELD, {0: {1: 1}, 1: {0: 3}}, {}, clans=[BOAR, SNAKE], token=1, **given)
        return all_pass(game)

    game = start()
    assert game.decision == "HV_SCORCH" and game.player == 1 and game.turn == 0
    assert offered(game) == {"DONE", "RES 0", "RES 1"}
    do(game, "RES 1")
    assert game.resources == [[1, 0, 0], [0, 1, 0]]
    wolf = {"options": {"creatures": True}, "creatures": [[0, 1], [1, 0], [2, 2], [3, 3], [4, 8]]}
    game = start(**wolf)  # the Wolf cannot move; only buildings would give something
    assert game.year == 2 and game.resources[0] == [0, 0, 0]
    game = start(**wolf, buildings=[[9, SILO]])
    assert game.decision == "HV_SCORCH" and offered(game) == {"DONE", "RES 0"}


@pytest.mark.rule("NORTH-WINT-02", "NORTH-WINT-03", "NORTH-WINT-04", "NORTH-WINT-05")
def test_winter():
    hungry = {0: {0: 8}, 1: {2: 3}}
    game = end_year(scene(FIELD, hungry, {}, resources=[[1, 0, 0], [0, 0, 0]], draw_pile=[[1, 2, 3, 4, 0], [0]]))
    assert 85 in game.hand_cards(0) and game.unrest == 9 and game.resources[0] == [0, 0, 0]
    game = end_year(scene(FIELD, hungry, {}, unrest=0, draw_pile=[[1, 2, 3, 4, 0], [0]], display=[7, 9]))
    assert game.fame[0] == -5 and game.discard[0] == [7] and game.unrest == 0  # the picked card lay on top


@pytest.mark.rule("NORTH-EOY-04", "NORTH-EOY-05", "NORTH-CORN-15")
def test_second_chance():
    game = scene(FIELD, {1: {2: 3}}, {}, clans=[BEAR, BOAR])
    end_year(game)
    assert game.phase == "SECOND" and game.decision == "SC_TERR" and offered(game) == {
        "DONE", "TERR 0", "TERR 1", "TERR 3", "TERR 8",
    }  # fmt: skip
    do(game, "TERR 1")
    assert game.decision == "SC_KAIJA"
    do(game, "YES")
    assert army(game, 0) == {1: 3} and game.kaija == 1 and game.year == 2
    alone = end_year(scene(FIELD, {1: {2: 3}}, {}, clans=[BEAR, BOAR], kaija=0))
    assert alone.year == 2


@pytest.mark.rule("NORTH-EOY-06")
def test_second_chance_on_a_new_tile():
    everywhere = {1: {0: 1, 1: 1, 2: 1, 3: 1, 8: 1}}
    game = end_year(scene(FIELD, everywhere, {}))
    assert game.decision == "SC_CELL"
    frame = game.to_dict()["frames"][0]
    assert frame["tile"] == 1 and not frame["placed"]
    game.apply(game.legal_actions()[0])
    while game.decision != "SC_TERR":
        game.apply(game.legal_actions()[0])
    assert game.to_dict()["frames"][0]["placed"] and "DONE" in offered(game)
    assert all(game.neutral(t) for t in places(game))


@pytest.mark.rule("NORTH-TEAM-06", "NORTH-TEAM-07")
def test_teammates_swap():
    units = {0: {0: 1}, 1: {1: 1}, 2: {2: 1}, 3: {3: 1}}
    goods = [[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]]
    game = all_pass(scene(FIELD, units, {}, 4, options={"teams": True}, resources=goods))
    assert game.decision == "TR_GIVE" and offered(game) == {"DONE", "PLAYER 1"}
    do(game, "PLAYER 1")
    assert game.decision == "SW_TAKE" and offered(game) == {"RES 1", "RES 2"}
    do(game, "RES 2")
    assert game.decision == "SW_OK" and game.player == 2
    assert game.to_dict()["frames"][-1] == {"frame": "HARVEST", "give": 0, "take": 2, "swaps": 0, "swaps_over": False}
    do(game, "DONE")
    assert game.turn == 2  # refused: no more swaps for seat 0, and nothing else to trade
    go(game, "TR_GIVE: PLAYER 1; SW_GIVE: RES 2; SW_OK: YES")
    assert game.resources[0] == [0, 0, 1] and game.resources[2] == [1, 1, 0]


@pytest.mark.rule("NORTH-TEAM-08", "NORTH-END-06", "NORTH-CORN-14")
def test_teams_win_together():
    units = {0: {0: 1, 3: 1}, 1: {1: 1}, 2: {4: 1, 9: 1}, 3: {2: 1}}
    made = [[t, FORTRESS, 1] for t in (0, 3, 4, 9)]
    last = {"year": 7, "display": [57, 58, 59, 60], "achievements": []}
    game = scene(FOUR_CLOSED, units, {}, 4, options={"teams": True}, spaceless=made, fame=[0, 30, 0, 30], **last)
    end_year(game)
    assert game.is_terminal() and game.ranks() == [2, 1, 2, 1] and game.returns() == [-1, 1, -1, 1]


@pytest.mark.rule("NORTH-END-03", "NORTH-DATA-04", "NORTH-CORN-17")
def test_total_fame():
    game = scene(
        FIELD, {0: {1: 3, 8: 1}, 1: {2: 3}}, {0: [57, 58, 59, 60, 61, 62, 63, 8, 85]}, fame=[4, 0],
        resources=[[2, 1, 1], [0, 0, 0]], buildings=[[4, FORTRESS], [9, SILO]],
    )  # fmt: skip
    # Builder 4, Explorer 1 (slot 8), Food 2·2, Wood 2·1, Scholar 0, Trapper 0, Warlord 4; Merchant 1; Unrest -5
    assert [game.achievement(0, card) for card in range(57, 64)] == [4, 1, 4, 2, 0, 0, 4]
    assert game.total_fame(0) == 4 + 1 + 15 + 1 - 5
