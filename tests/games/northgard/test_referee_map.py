"""The referee by itself: the map, decks, what is public, and the rest of the ledger's corner cases."""

from __future__ import annotations

import random

import northgard_referee as ref
import pytest
from northgard_referee_actions import ACTIONS, RANGES, name_of
from northgard_referee_information import view
from northgard_referee_positions import (
    FIELD,
    TABLES,
    TWO_CLOSED,
    Seeded,
    Stacked,
    army,
    do,
    end_year,
    go,
    offered,
    places,
    play,
    position,
    scene,
)
from northgard_referee_setup import FIVE

BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
TWO = {0: {0: 3}, 1: {2: 3}}
WITH = {"options": {"creatures": True}}

# ------------------------------------------------------------------------------------------- tiles


@pytest.mark.rule("NORTH-TILE-04", "NORTH-TILE-13", "NORTH-TILE-02", "NORTH-TILE-11")
def test_rotations():
    game = scene(FIELD, TWO)
    assert [game.side_area(30, 1, s) for s in range(4)] == [2, 0, 1, 1]  # printed north 0, east 1, south 1, west 2
    assert [t for t in TABLES["tiles"] if game.rotations(t) == [0]] == [14]
    assert all(game.rotations(t) == [0, 1, 2, 3] for t in TABLES["tiles"] if t != 14)


@pytest.mark.rule("NORTH-TILE-05", "NORTH-TILE-06", "NORTH-TILE-07", "NORTH-TILE-08", "NORTH-TILE-10")
def test_territories():
    game = scene(TWO_CLOSED, TWO)
    assert game.slots(0) == [0, 5, 11] and game.slots(4) == [4, 12, 17] and game.slots(18) == [18, 21]
    assert {t for t in game.territories() if not game.is_open(t)} == {0, 4}
    assert game.size(0) == 3 and game.size(18) == 2 and game.size(1) == 1
    two_areas = scene("0@(0,0)/0 3@(1,0)/0 14@(2,0)/0 7@(1,1)/0", TWO)  # tile 3 owns three sides with one area
    assert two_areas.territory(5) == 1 and two_areas.size(1) == 4 and two_areas.slots(1) == [1, 5, 8, 12]


@pytest.mark.rule("NORTH-TILE-09", "NORTH-CORN-20")
def test_borders():
    game = scene(TWO_CLOSED, TWO)
    assert game.border(0, 4) == 2 and game.border(0, 1) == 1 and game.border(0, 2) is None
    assert all(t not in game.neighbours(t) for t in game.territories())
    assert all(game.border(v, t) == game.border(t, v) for t in game.territories() for v in game.neighbours(t))


@pytest.mark.rule("NORTH-EXPL-07", "NORTH-EXPL-06", "NORTH-EXPL-11", "NORTH-CORN-13")
def test_merging_keeps_everything():
    text = "0@(0,0)/0 14@(1,0)/0 6@(0,1)/0"  # tile 21 at (1, 1) joins 1 (slots 1, 4) and 9
    game = scene(
        text, {0: {1: 2}, 1: {3: 1}}, {0: [33]}, clans=[BOAR, SNAKE], token=9, creatures=[[0, 1], [1, 9]],
        buildings=[[4, FORTRESS]], spaceless=[[9, SILO, 1], [1, SILO, 1]], **WITH,
    )  # fmt: skip
    one, other = game.territory(1), game.territory(9)
    assert one != other
    assert game.borders_continue(21, (1, 1), 0) and game.joins_well(21, (1, 1), 0, False)
    game.lay(21, (1, 1), 0)
    assert game.territory(9) == 1 and game.creatures == [[0, 1], [1, 1]] and game.token == 1
    assert game.spaceless == {(1, SILO): 2} and game.count_of(1, SILO) == 2 and game.count_of(1, FORTRESS) == 1
    assert game.prod(1, 0) >= 2 and army(game, 0) == {1: 2}


@pytest.mark.rule("NORTH-TILE-17", "NORTH-CRE-05", "NORTH-CRE-01")
def test_figures_move_through_creatures():
    game = scene(FIELD, {0: {0: 2}, 1: {2: 1}}, {0: [9]}, creatures=[[0, 1], [5, 1]], **WITH)
    play(game, 9)
    do(game, "TERR 0", "TERR 1", "NUM 1", "TERR 1", "TERR 8")
    assert army(game, 0) == {0: 1, 8: 1} and game.last_rolls == []
    quiet = scene("0@(0,0)/0 18@(0,-1)/2", {0: {0: 1}, 1: {2: 1}}, {})
    assert quiet.lairs(0) == 1 and end_year(quiet).creatures == []


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.rule("NORTH-TILE-16", "NORTH-SETUP-15", "NORTH-SETUP-05")
def test_setup_offers_many_places(n):
    game = ref.Referee({"num_players": n, "clan_selection": "random"}, TABLES, Seeded(n))
    offers = []
    rng = random.Random(n)
    while game.phase == "SETUP":
        if game.decision == "SETUP_TILE":
            inside = game.setup_cells(1 if len(offers) < n else 2).__contains__
            found = [game.placements(t, inside, group=True) for t in game.tile_hands[game.turn]]
            offers.append(sum(len(turns) for where in found for turns in where.values()))
        game.apply(rng.choice(game.legal_actions()))
    assert 20 < sum(offers[:n]) / n < 80 and 40 < sum(offers[n:]) / n < 150
    assert FIVE in [t for t, _ in game.stack] + [tile[0] for tile in game.tiles]


# ------------------------------------------------------------------------------------------- setup, years, decks


@pytest.mark.rule(
    "NORTH-SETUP-01", "NORTH-SETUP-08", "NORTH-SETUP-09", "NORTH-DATA-01", "NORTH-COMP-01", "NORTH-CARD-02"
)
def test_what_each_player_begins_with():
    game = ref.Referee({"num_players": 3, "clan_selection": [BEAR, SNAKE, WOLF]}, TABLES, Stacked(first=2))
    assert game.marker == 2 and game.turn == 2 and game.year == 1 and game.unrest == 10 and game.supply == [7] * 8
    assert sorted(c for c, _ in game.pile[0]) == [0, 1, 2, 3, 4, 4, 64] and game.upgrades[1] == [77, 78]
    assert [game.reserve(p) for p in range(3)] == [14] * 3 and game.kaija_in_reserve(0) and not game.kaija_in_reserve(1)
    assert game.token is None  # NORTH-CLAN-09


@pytest.mark.rule("NORTH-SETUP-22", "NORTH-PH-01", "NORTH-PH-07", "NORTH-EOY-02", "NORTH-EOY-03", "NORTH-CLAN-09")
def test_the_phases_of_a_year_in_order():
    goods = [[3, 0, 0], [3, 0, 0]]
    game = scene(FIELD, {0: {1: 1}}, {}, creatures=[[5, 8]], resources=goods, clans=[BOAR, SNAKE], marker=1, **WITH)
    met = [game.phase]
    while game.year == 1:
        if game.phase != met[-1]:
            met.append(game.phase)
        do(game, "DONE") if game.decision == "TR_GIVE" else game.apply(game.legal_actions()[-1])
    assert met == ["ACTIONS", "HARVEST", "SECOND"] and game.phase == "ACTIONS" and game.year == 2
    assert game.player == game.marker


@pytest.mark.rule("NORTH-DECK-01", "NORTH-DECK-02", "NORTH-DECK-03", "NORTH-DECK-04", "NORTH-CORN-07")
def test_draws_are_lost_when_no_card_is_left():
    game = scene(FIELD, TWO, {}, draw_pile=[[1], [0, 2, 3, 4]], discard=[[2, 3], []], removed=[0, 4, 4, 70])
    assert game.deck(0) == [1, 2, 3]
    end_year(game)
    assert sorted(game.hand_cards(0))[:3] == [1, 2, 3] and len(game.hand[0]) == 4  # the picked card is the fourth
    empty = scene(FIELD, TWO, {1: [1]}, draw_pile=[[], [0, 2, 3, 4]], taken=[True, True], turn=1, player=1)
    do(empty, "PASS")  # seat 0 has nothing and passes unasked
    assert empty.year == 2 and empty.hand[0] == []


@pytest.mark.rule("NORTH-FX-06", "NORTH-SPEC-01", "NORTH-COMP-04")
def test_gains():
    game = scene(FIELD, TWO, {0: [22, 24, 45]}, resources=[[99, 99, 99], [0, 0, 0]], passed=[False, True])
    play(game, 22)
    play(game, 24)
    play(game, 45)
    assert game.resources[0] == [102, 102, 101]


@pytest.mark.rule("NORTH-EXPL-13", "NORTH-CLAN-06")
def test_a_second_explore_is_optional():
    game = scene(FIELD, {0: {0: 1, 3: 1, 8: 1}, 1: {2: 1}}, {0: [38]}, clans=[BOAR, GOAT])  # Rangers
    play(game, 38)
    while game.decision != "EX_AGAIN":
        game.apply(game.legal_actions()[0])
    assert offered(game) == {"DONE", "YES"} and game.to_dict()["frames"][-1]["left"] == 1
    assert len(game.tiles) == 4 and game.fame[0] == 2 and game.resources[0][2] == 0  # territory 0 is closed
    do(game, "DONE")
    assert game.turn == 1 and len(game.tiles) == 4


# ------------------------------------------------------------------------------------------- fights and lands


@pytest.mark.rule("NORTH-COMB-01", "NORTH-COMB-15", "NORTH-COMB-18", "NORTH-COMB-19", "NORTH-BUILD-09", "NORTH-HARV-05")
def test_a_won_territory_keeps_its_buildings():
    game = scene(
        FIELD, {0: {0: 4}, 1: {1: 2}}, {0: [1]}, buildings=[[9, SILO]], dice=(0, 0), **WITH, creatures=[[3, 8]]
    )
    play(game, 1)
    do(game, "TERR 0", "TERR 1", "NUM 4")
    assert game.decision == "RT_TERR" and places(game) == {0, 2, 3, 8}  # a Brown Bear stops no retreat
    do(game, "TERR 8", "NUM 1")
    assert places(game) == {0, 2, 3, 8}  # now friendly, so still there
    do(game, "TERR 8")
    assert army(game, 0) == {1: 4} and army(game, 1) == {8: 2} and game.buildings == {9: SILO}
    neutral = end_year(scene(FIELD, {0: {0: 1}, 1: {2: 1}}, {}, buildings=[[9, SILO]]))
    assert neutral.resources == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.rule("NORTH-ACT-03", "NORTH-PH-03", "NORTH-ACT-01")
def test_numbers_and_names():
    assert name_of(0) == "DONE" and name_of(1) == "YES" and name_of(396) == "NUM 15" and name_of(433) == "FACE 1"
    firsts = sorted(RANGES.values())
    sizes = [b - a for a, b in zip(firsts, [*firsts[1:], ACTIONS])]
    assert sizes == [1, 1, 6, 86, 140, 140, 4, 3, 16, 8, 3, 4, 4, 9, 7, 2]
    game = scene(FIELD, {0: {0: 14}, 1: {1: 1}}, {0: [1]}, clans=[BEAR, GOAT], kaija=0, kaija_free=[True, False],
                 resources=[[15, 0, 0], [0, 0, 0]], dice=(0, 0))  # fmt: skip
    play(game, 1)
    do(game, "TERR 0", "TERR 1")
    assert places(game, "NUM") == set(range(15))
    do(game, "NUM 14", "YES")
    assert game.decision == "CB_FOOD_A" and places(game, "NUM") == set(range(16))


@pytest.mark.rule("NORTH-END-04", "NORTH-END-05", "NORTH-CORN-14", "NORTH-END-06")
def test_ties():
    last = {"year": 7, "display": [], "achievements": [], "taken": [True, True]}
    even = end_year(scene(FIELD, {0: {0: 1}, 1: {2: 1}}, {}, **last))
    assert even.ranks() == [1, 1] and even.returns() == [0, 0]
    lands = end_year(scene(FIELD, {0: {0: 1, 3: 1}, 1: {2: 3}}, {}, **last))
    assert lands.ranks() == [1, 2]
    figures = end_year(scene(FIELD, {0: {0: 1}, 1: {2: 1}}, {}, clans=[BEAR, GOAT], kaija=0, **last))
    assert figures.ranks() == [1, 2]
    tokens = end_year(scene(FIELD, {0: {8: 1}, 1: {2: 1}}, {}, buildings=[[8, TOWER]], **last))
    assert tokens.ranks() == [1, 2]
    three = {**last, "taken": [True] * 3, "options": {"reward": "win"}, "fame": [5, 5, 1]}
    shared = end_year(scene("0@(0,0)/0", {0: {0: 1}, 1: {1: 1}, 2: {2: 1}}, {}, 3, **three))
    assert shared.ranks() == [1, 1, 3] and shared.returns() == [0.25, 0.25, -0.5]
    fame = {**three, "options": {"reward": "fame"}}
    assert end_year(scene("0@(0,0)/0", {0: {0: 1}, 1: {1: 1}, 2: {2: 1}}, {}, 3, **fame)).returns() == [
        0.04,
        0.04,
        -0.08,
    ]


@pytest.mark.rule("NORTH-TEAM-09", "NORTH-TEAM-01", "NORTH-EXPL-10")
def test_closing_the_teammates_territory():
    text = "0@(0,0)/0 16@(0,-1)/2 31@(1,0)/0"
    stack = [30, *(t for t in range(1, 35) if t not in (16, 30, 31))]
    units = {0: {8: 2}, 1: {3: 1}, 2: {0: 3}, 3: {2: 1}}
    game = scene(text, units, {0: [2]}, 4, options={"teams": True, "creatures": True}, tile_stack=stack)
    assert game.sides() == [[0, 2], [1, 3]] and game.enemies(0) == [1, 3]
    play(game, 2)
    go(game, "EX_ROT: ROT 0")
    assert not game.is_open(0) and game.fame == [0, 0, 0, 0]


# ------------------------------------------------------------------------------------------- information


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-02", "NORTH-INFO-03", "NORTH-INFO-04", "NORTH-INFO-05", "NORTH-INFO-09")
def test_what_a_seat_sees():
    d = position(FIELD, TWO, {0: [1, 4], 1: [2, 3, 26]}, discard=[[2], []])
    mine, other = view(d, 0, TABLES), view(d, 1, TABLES)
    assert mine["known_hand"] == [[1, 4], []] and other["known_hand"] == [[], [2, 3, 26]]
    assert mine["hand_sizes"] == [2, 3] and mine["draw_sizes"] == [4, 5] and mine["discard"] == [[2], []]
    assert mine["public_decks"] == other["public_decks"] and mine["public_decks"][1].count(4) == 2
    assert mine["fame"] == other["fame"] and not {"hand", "draw_pile", "dev_deck", "tile_stack"} & set(mine)
    exchanged = {**d, "hand": [[1, 4], [0, 2, 26]], "draw_pile": [d["draw_pile"][0], [3, 1, 4, 4, 67]]}
    assert view(exchanged, 0, TABLES) == mine and view(exchanged, 1, TABLES) != other


@pytest.mark.rule("NORTH-INFO-10", "NORTH-INFO-06", "NORTH-INFO-07")
def test_which_worlds_are_possible():
    d = position(FIELD, TWO, {0: [1, 4], 1: [2, 3, 26]}, **WITH, creature_top=3)
    game = ref.Referee.from_dict(d, TABLES, Stacked())
    assert game.possible(d, 0) and game.possible(d, 1)
    stack = [*d["tile_stack"][1:], d["tile_stack"][0]]
    assert game.possible({**d, "tile_stack": stack}, 0)
    known = {**d, "tile_known": [1, *d["tile_known"][1:]]}
    seen = ref.Referee.from_dict(known, TABLES, Stacked())
    assert not seen.possible({**known, "tile_stack": stack}, 0) and seen.possible({**known, "tile_stack": stack}, 1)
    swapped = {**d, "hand": [[1, 4], [0, 3, 26]], "draw_pile": [d["draw_pile"][0], [2, 1, 4, 4, 67]]}
    assert game.possible(swapped, 0) and not game.possible(swapped, 1)
    assert not game.possible({**d, "hand": [[1, 4], [2, 3, 21]]}, 0)
    pile = [7, *(c for c in d["creature_pile"] if c != 7)]
    assert not game.possible({**d, "creature_pile": pile}, 0)
    deck = d["dev_deck"][::-1]
    assert not game.possible({**d, "dev_deck": deck}, 0)


@pytest.mark.rule("NORTH-INFO-08", "NORTH-INFO-02", "NORTH-EXPL-02")
def test_drawn_tiles_are_seen_by_the_actor_alone():
    game = scene(FIELD, TWO, {0: [39]})
    play(game, 39)
    assert len(game.view(0)["frames"][-1]["drawn"]) == 2 and game.view(1)["frames"][-1]["drawn"] == 2


@pytest.mark.rule("NORTH-CORN-02", "NORTH-CORN-01")
def test_no_game_is_long():
    game = ref.Referee({"num_players": 2, "clan_selection": "random"}, TABLES, Seeded(8))
    rng, decisions = random.Random(8), 0
    while not game.is_terminal():
        game.apply(rng.choice(game.legal_actions()))
        decisions += 1
    assert decisions < 1345 and game.year <= 7
