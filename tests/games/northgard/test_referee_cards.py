"""The referee by itself: turns and operations off the map (sections 4.1 to 4.4, 4.7, 4.8)."""

from __future__ import annotations

import pytest
from northgard_referee_positions import (
    FIELD,
    FOUR_CLOSED,
    TWO_CLOSED,
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
RICH = [[5, 5, 5], [5, 5, 5]]
CREATURES = {"creatures": True}

# ------------------------------------------------------------------------------------------- turns


@pytest.mark.rule("NORTH-TURN-01", "NORTH-TURN-02", "NORTH-TURN-07", "NORTH-TURN-08", "NORTH-TURN-16")
def test_menu_wait_and_replace():
    game = scene(FIELD, TWO, {0: [1, 85], 1: [1]}, resources=[[0, 0, 1], [0, 0, 0]])
    assert offered(game) == {"MODE 0", "MODE 1", "MODE 2", "MODE 5"}
    do(game, "WAIT")
    assert game.decision == "WAIT_CARD" and places(game, "CARD") == {1, 85}
    do(game, "CARD 85")
    assert game.idle[0] == [85] and game.turn == 1
    do(game, "WAIT")
    assert game.turn == 0 and offered(game) == {"MODE 0", "MODE 1", "MODE 2", "MODE 5"}
    do(game, "REPLACE")  # the only card goes, one is drawn
    assert game.resources[0][2] == 0 and game.idle[0] == [85, 1] and game.hand[0] == [[0, 1]]


@pytest.mark.rule("NORTH-TURN-10", "NORTH-TURN-11", "NORTH-CARD-04", "NORTH-INFO-06")
def test_remove_and_upgrade():
    game = scene(FIELD, TWO, {0: [1, 2, 85]}, resources=[[0, 0, 5], [0, 0, 0]], passed=[False, True])
    do(game, "REMOVE")
    assert places(game, "CARD") == {1, 2}
    do(game, "CARD 1")
    assert 1 in game.removed and game.resources[0][2] == 3 and [c for c, _ in game.hand[0]] == [2, 85, 0, 3]
    do(game, "UPGRADE", "CARD 85")
    assert game.decision == "UPG_PICK" and game.idle[0] == [85]  # Unrest cannot leave the game
    do(game, "CARD 72")
    assert [72, 3] in game.hand[0] and game.upgrades[0] == [71] and game.resources[0][2] == 0


@pytest.mark.rule("NORTH-TURN-11", "NORTH-PH-10")
def test_upgrade_out_of_the_game():
    game = scene(FIELD, TWO, {0: [1, 2]}, resources=[[0, 0, 3], [0, 0, 0]])
    go(game, "MENU: UPGRADE; UPG_CARD: CARD 2")
    d = game.to_dict()
    assert (
        d["frames"] == [{"frame": "UPGRADE", "card": 2}] and d["hand"][0] == [1, 2] and offered(game) == {"DONE", "YES"}
    )
    go(game, "UPG_DEST: YES; UPG_PICK: CARD 71")
    assert game.removed == [2] and game.turn == 1


@pytest.mark.rule("NORTH-TURN-12", "NORTH-TURN-13", "NORTH-PH-08", "NORTH-PH-06", "NORTH-TURN-14")
def test_passing_takes_the_marker_and_a_card():
    game = scene(FIELD, TWO, {0: [1], 1: [2, 3]}, marker=0, turn=1, player=1, display=[7, 9])
    do(game, "PASS")
    assert game.marker == 1 and game.decision == "PASS_PICK" and game.passed == [False, True]
    assert game.hand[1] == [] and sorted(game.discard[1]) == [2, 3]
    do(game, "CARD 9")
    assert game.pile[1][0] == [9, 3] and game.display == [7] and game.taken[1] and game.turn == 0
    do(game, "PASS")  # the last card is not asked
    assert game.year == 2 and game.marker == 1 and game.player == 1 and 9 in game.hand_cards(1)


@pytest.mark.rule("NORTH-TURN-03", "NORTH-TURN-04", "NORTH-TURN-05")
def test_flash_cards_around_the_main_card():
    game = scene(FIELD, TWO, {0: [22, 32, 12, 8]}, passed=[False, True])
    play(game, 22)
    assert game.resources[0] == [3, 0, 0] and game.decision == "CONT" and not game.main_used and game.resolved
    play(game, 12)
    assert game.main_used and game.decision == "CONT"
    do(game, "PLAY")  # 32 is the only Flash card left
    assert game.conquer[0] and sorted(game.played[0]) == [12, 22, 32]
    assert game.decision == "MENU" and not game.main_used and not game.resolved  # no more flash: the turn is over


@pytest.mark.rule("NORTH-TURN-06", "NORTH-CARD-04", "NORTH-CARD-05")
def test_only_useful_cards_can_be_played():
    game = scene(FIELD, TWO, {0: [57, 85, 26, 3, 13]}, resources=[[0, 0, 0], [5, 5, 5]])
    game.apply(2)
    assert game.played[0] == [13]  # 3 lacks wood; the others are never played


@pytest.mark.rule("NORTH-TURN-09", "NORTH-FX-15", "NORTH-CORN-19", "NORTH-INFO-08")
def test_reaction_cancels_a_card():
    game = scene(FIELD, TWO, {0: [1], 1: [26]}, display=[7, 9])
    do(game, "PLAY")
    assert game.decision == "REACT" and game.player == 1 and game.turn == 0
    view = game.view(0)
    assert view["decision"] == "NONE" and view["player"] is None and game.view(1)["decision"] == "REACT"
    assert game.to_dict()["frames"] == [{"frame": "CARD", "card": 1}]
    do(game, "YES")  # nothing is left: seat 0 passes at once
    assert game.decision == "PASS_PICK" and sorted(game.discard[0]) == [1] and game.idle[1] == [26] and game.player == 0
    game = scene(FIELD, TWO, {0: [1, 7], 1: [26]})
    play(game, 7)
    do(game, "DONE")
    assert game.decision == "CONT" and army(game, 0) == {0: 4}
    do(game, "PLAY", "YES")
    assert game.turn == 1 and game.discard[0] == [1] and game.played[0] == [7]


# ------------------------------------------------------------------------------------------- recruit


@pytest.mark.rule("NORTH-RECR-04", "NORTH-RECR-01", "NORTH-CORN-08")
def test_recruit_without_any_figure():
    game = scene(FIELD, {1: {2: 3}}, {0: [43, 1]})
    assert 1 not in game.playable(0)
    play(game, 43)
    assert places(game) == {0, 1, 3, 8}
    do(game, "TERR 3")
    assert offered(game) == {"TERR 3", "DONE"}
    do(game, "TERR 3")
    assert army(game, 0) == {3: 2}
    assert not scene(FIELD, {1: {2: 3}}, {0: [1]}).playable(0)


@pytest.mark.rule("NORTH-RECR-02", "NORTH-RECR-07", "NORTH-FX-01")
def test_recruit_rooms():
    game = scene(FIELD, {0: {1: 3}, 1: {2: 3}}, {0: [28]})  # Hunters: up to the food of each territory
    play(game, 28)
    assert game.turn == 1 and army(game, 0) == {1: 4}  # one food: forced, and no second one
    game = scene(FIELD, {0: {0: 3}, 1: {2: 3}}, {0: [68]})  # Osmosis: open or with a wood icon, one each
    play(game, 68)
    assert army(game, 0) == {0: 4}
    game = scene(FIELD, {0: {0: 1, 1: 1, 3: 1, 8: 1}, 1: {2: 3}}, {0: [84]}, clans=[WOLF, BEAR])
    play(game, 84)  # Call to War: one each beside an enemy
    assert places(game) == {1, 3}
    do(game, "TERR 1")
    assert offered(game) == {"TERR 3", "DONE"}
    game = scene(FIELD, TWO, {0: [51]})  # Allies from the Wild: neutral only
    play(game, 51)
    assert places(game) == {1, 3, 8}
    do(game, "TERR 1")
    assert game.to_dict()["frames"][-1]["room"] == [[1, None], [3, None], [8, None]]
    do(game, "TERR 1")
    assert offered(game) == {"TERR 1", "TERR 3", "TERR 8", "DONE"}


@pytest.mark.rule("NORTH-RECR-02", "NORTH-CRE-32")
def test_no_recruits_to_a_bear():
    game = scene(FIELD, {0: {0: 1, 1: 1}, 1: {2: 3}}, {0: [43]}, options=CREATURES, creatures=[[3, 1], [7, 3]])
    play(game, 43)
    assert army(game, 0) == {0: 2, 1: 1} and offered(game) == {"DONE", "TERR 0"}
    game = scene(FIELD, {0: {0: 1, 1: 1}, 1: {2: 3}}, {0: [51]}, options=CREATURES, creatures=[[3, 1], [7, 3]])
    play(game, 51)
    assert places(game) == {8} and game.to_dict()["frames"][-1]["room"] == [[8, None]]


@pytest.mark.rule("NORTH-RECR-05", "NORTH-CLAN-01", "NORTH-CLAN-03", "NORTH-CORN-03")
def test_kaija_is_recruited():
    game = scene(FIELD, TWO, {0: [43]}, clans=[BEAR, GOAT])
    play(game, 43)
    assert game.decision == "REC_KAIJA"
    do(game, "YES")
    assert game.kaija == 0 and army(game, 0) == {0: 4} and game.units_on_map(0) == 3 and game.reserve(0) == 11
    do(game, "TERR 0")
    assert army(game, 0) == {0: 5}
    full = {0: {0: 14}, 1: {2: 3}}
    assert not scene(FIELD, full, {0: [43]}, clans=[GOAT, BEAR]).playable(0)
    game = scene(FIELD, full, {0: [43]}, clans=[BEAR, GOAT], passed=[False, True])
    play(game, 43)
    assert game.kaija == 0 and game.reserve(0) == 0


@pytest.mark.rule("NORTH-RECR-11", "NORTH-CLAN-04", "NORTH-RECR-03", "NORTH-CORN-03")
def test_the_bear_awakens():
    game = scene(FIELD, {0: {0: 14}, 1: {2: 3}}, {0: [65, 1]}, clans=[BEAR, GOAT], kaija=3, upgrades=[[66], [71, 72]])
    assert set(game.playable(0)) == {1, 65}
    play(game, 65)
    assert game.kaija_free[0] and game.decision == "CONT"
    play(game, 1)
    do(game, "TERR 3")
    assert 2 in places(game)
    locked = scene(FIELD, {0: {0: 14}, 1: {2: 3}}, {0: [1]}, clans=[BEAR, GOAT], kaija=3)
    play(locked, 1)
    do(locked, "TERR 3")
    assert 2 not in places(locked)


@pytest.mark.rule("NORTH-RECR-06", "NORTH-RECR-10", "NORTH-TURN-15")
def test_raven_mercenaries_and_stag_clan():
    game = scene(
        FIELD, TWO, {0: [75]}, clans=[RAVEN, GOAT], resources=[[1, 1, 0], [0, 0, 0]], upgrades=[[74], [71, 72]]
    )
    play(game, 75)
    do(game, "TERR 8", "TERR 8")
    assert game.decision == "REC_PAY"
    do(game, "YES")
    assert army(game, 0) == {0: 3, 8: 3} and game.resources[0] == [0, 0, 0] and game.turn == 1
    game = scene(FIELD, {0: {0: 1, 3: 1}, 1: {2: 3}}, {0: [79]}, clans=[STAG, GOAT])
    play(game, 79)
    do(game, "TERR 0")
    assert game.decision == "REC_PULL" and offered(game) == {"DONE", "TERR 3"}
    frame = game.to_dict()["frames"][-1]
    assert frame == {"frame": "RECRUIT", "row": 79, "left": 0, "room": [], "placed": [0], "kaija": False, "terr": None}
    do(game, "TERR 3")
    assert army(game, 0) == {0: 3}


# ------------------------------------------------------------------------------------------- build


@pytest.mark.rule("NORTH-BUILD-03", "NORTH-BUILD-04", "NORTH-CORN-04", "NORTH-FX-04")
def test_what_may_be_built():
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [3]}, resources=RICH, supply=[7, 0, 7, 7, 7, 7, 7, 7])
    play(game, 3)
    assert places(game, "BLDG") == {SILO, TOWER, CAMP, FORTRESS, FORGE, ALTAR}
    do(game, "BLDG 5")
    assert game.buildings == {4: FORTRESS} and game.resources[0] == [7, 2, 5]  # Goat: two food
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [3]}, resources=RICH, buildings=[[4, SILO]])
    play(game, 3)
    assert SILO not in places(game, "BLDG") and FORGE not in places(game, "BLDG")
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [70]}, resources=RICH, buildings=[[4, SILO]])
    play(game, 70)  # Goat Clan: the type may already be there
    assert SILO in places(game, "BLDG")


@pytest.mark.rule("NORTH-BUILD-05", "NORTH-BUILD-06")
def test_carved_spaces_and_buildings_without_a_space():
    text = "0@(0,0)/0 3@(1,0)/0 19@(2,0)/0"  # slots 1 and 5 (plain) and 8 (carved) are one territory
    for answer, slot in (("YES", 8), ("DONE", 5)):
        game = scene(text, {0: {1: 1}, 1: {2: 3}}, {0: [3]}, resources=RICH)
        play(game, 3)
        do(game, "BLDG 0")
        assert game.decision == "BD_CARVED" and game.to_dict()["frames"][-1]["type"] == SILO
        do(game, answer)
        assert game.buildings == {slot: SILO}
    game = scene(FIELD, {0: {0: 1}, 1: {2: 3}}, {0: [44]}, resources=RICH)  # Amenities
    play(game, 44)
    assert places(game, "BLDG") == {SILO, LODGE, TOWER, CAMP, CARVED}
    do(game, "BLDG 4")
    assert game.spaceless == {(0, CARVED): 1} and game.prod(0, 2) == 1 and game.supply[CARVED] == 6


@pytest.mark.rule("NORTH-BUILD-07", "NORTH-CLAN-07", "NORTH-CRE-35")
def test_glory_of_the_clan_collects_first_or_after():
    def start(wood, **given):
        game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [80]}, clans=[STAG, GOAT], resources=[[0, wood, 0], [0, 0, 0]],
                     upgrades=[[81], [71, 72]], **given)  # fmt: skip
        return game

    game = start(0)
    play(game, 80)
    assert game.decision == "BD_TYPE" and game.resources[0] == [1, 1, 0]  # forced: only collecting pays
    do(game, "BLDG 0")
    assert game.resources[0] == [1, 0, 0]
    game = start(1)
    play(game, 80)
    assert game.decision == "BD_GATHER"
    do(game, "DONE", "BLDG 0")
    assert game.resources[0] == [2, 1, 0]  # the new silo counts
    assert not start(0, options=CREATURES, creatures=[[0, 1]]).playable(0)  # a Wolf keeps the wood


@pytest.mark.rule("NORTH-BUILD-08")
def test_industrious_villagers_replace():
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [25]}, resources=[[0, 1, 0], [0, 0, 0]], buildings=[[4, FORTRESS]])
    play(game, 25)
    assert places(game, "BLDG") == {SILO, LODGE, TOWER, CAMP}
    do(game, "BLDG 0")
    assert game.decision == "RP_TERR" and offered(game) == {"DONE", "TERR 1"}
    go(game, "RP_TERR: TERR 1; RP_OLD: BLDG 5")
    assert places(game, "BLDG") == {FORGE, ALTAR} and game.to_dict()["frames"][-1]["old"] == FORTRESS
    do(game, "BLDG 7")
    assert game.buildings == {4: ALTAR, 9: SILO} and game.supply == [6, 7, 7, 7, 7, 7, 7, 6]


@pytest.mark.rule("NORTH-BUILD-04", "NORTH-FX-04")
def test_carpentry_mastery_builds_one_large():
    text = FIELD + " 25@(0,1)/0"  # territory 2 has a large space too
    game = scene(text, {0: {1: 1, 2: 1}, 1: {3: 3}}, {0: [31]}, resources=[[0, 9, 0], [0, 0, 0]])
    play(game, 31)
    do(game, "TERR 1", "BLDG 5")
    assert game.decision == "BD_TERR" and offered(game) == {"DONE", "TERR 1"}
    do(game, "TERR 1")
    assert places(game, "BLDG") == {SILO, LODGE, TOWER, CAMP}


# ------------------------------------------------------------------------------------------- draw


@pytest.mark.rule("NORTH-DRAW-01", "NORTH-DRAW-02", "NORTH-DRAW-03", "NORTH-DECK-02", "NORTH-INFO-06")
def test_drawing_keeping_and_putting_back():
    game = scene(FIELD, TWO, {0: [40]}, draw_pile=[[4, 1], [0]], discard=[[0, 2], []], draw_known=[[2, 0], [0]])
    play(game, 40)  # Greater Trade Routes: three drawn, two kept, one on top
    frame = game.to_dict()["frames"][-1]
    assert frame["drawn"] == [0, 1, 4] and frame["drawn_known"] == [1, 1, 1] and places(game, "CARD") == {0, 1}
    do(game, "CARD 1")
    assert game.hand[0] == [[1, 1], [4, 1]] and game.pile[0] == [[0, 1], [2, 0]] and game.turn == 1
    assert not scene(FIELD, TWO, {0: [40]}, draw_pile=[[4, 1], [0]], discard=[[], []]).playable(0)


@pytest.mark.rule("NORTH-DRAW-03", "NORTH-INFO-06")
def test_of_equal_cards_the_less_known_is_kept():
    game = scene(FIELD, TWO, {0: [8]}, draw_pile=[[4, 4, 1], [0]], draw_known=[[2, 0, 0], [0]])
    play(game, 8)  # Merchant: one of three is kept
    do(game, "CARD 4")
    assert game.hand[0] == [[4, 1]] and sorted(game.discard[0]) == [1, 4]


@pytest.mark.rule("NORTH-DRAW-04", "NORTH-DRAW-05")
def test_draw_by_closed_territories_and_paying_for_one_more():
    game = scene(TWO_CLOSED, {0: {0: 1, 4: 1}, 1: {2: 1}}, {0: [66]}, clans=[BEAR, GOAT], draw_pile=[[4, 1, 0], [0]])
    play(game, 66)
    assert sorted(game.hand_cards(0)) == [1, 4]
    assert not scene(FOUR_CLOSED, {0: {0: 1}, 1: {2: 1}}, {0: [66]}, clans=[BEAR, GOAT]).playable(0)  # size 2 only
    game = scene(FIELD, TWO, {0: [72]}, resources=[[2, 0, 1], [0, 0, 0]], draw_pile=[[4, 1, 0], [0]])
    play(game, 72)
    assert game.decision == "DR_PAY"
    do(game, "YES")
    assert sorted(game.hand_cards(0)) == [0, 1, 4] and game.resources[0] == [0, 0, 0]
    assert end_year(game).year == 2
