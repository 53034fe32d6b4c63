"""The referee by itself: the worked examples of the ledger (section 9) and random games with all invariants."""

from __future__ import annotations

import random
from collections import Counter

import northgard_referee as ref
import northgard_referee_tables
import pytest
from northgard_referee_play import SAMPLERS
from northgard_referee_positions import (
    FIELD,
    FOUR_CLOSED,
    TABLES,
    TWO_CLOSED,
    Seeded,
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

# ------------------------------------------------------------------------------------------- data


@pytest.mark.rule("NORTH-TILE-15", "NORTH-TILE-14", "NORTH-TILE-03", "NORTH-COMP-03")
def test_tile_totals():
    tiles = TABLES["tiles"]
    areas = [area for tile in tiles.values() for area in tile["areas"]]
    assert sorted(tiles) == list(range(35)) and len(areas) == 103
    assert Counter(len(tile["areas"]) for tile in tiles.values()) == {1: 1, 2: 7, 3: 20, 4: 7}
    assert [sum(area[key] for area in areas) for key in "fwlx"] == [12, 11, 8, 11]
    assert [sum(area["s"] == space for area in areas) for space in (1, 2, 3)] == [45, 8, 14]
    assert Counter(code for tile in tiles.values() for code in tile["borders"].values()) == {1: 76, 2: 21}


@pytest.mark.rule("NORTH-CARD-01", "NORTH-COMP-05", "NORTH-DATA-05", "NORTH-DIE-01", "NORTH-DATA-02", "NORTH-BLD-01")
def test_other_tables():
    groups = Counter(card["group"] for card in TABLES["cards"])
    assert groups == {"S": 5, "E": 16, "A": 36, "H": 7, "U": 1, **{f"C{c}": 3 for c in range(7)}}
    assert len(TABLES["cards"]) == 86 and [c["value"] for c in TABLES["creatures"]] == [4, 4, 4, 6, 6, 5, 5, 7, 7]
    rows = [northgard_referee_tables.step_of(TABLES["winter"], "units", k) for k in range(15)]
    winter = [(row["food"], row["wood"]) for row in rows]
    assert winter == [(0, 0)] * 4 + [(1, 0)] * 3 + [(2, 0)] * 3 + [(3, 1)] * 3 + [(4, 2)] * 2
    assert [northgard_referee_tables.cost_of(kind) for kind in range(8)] == [1] * 5 + [3] * 3


# ------------------------------------------------------------------------------------------- section 9


@pytest.mark.rule("NORTH-EX-01", "NORTH-EX-03", "NORTH-COMB-06", "NORTH-COMB-11", "NORTH-COMB-12", "NORTH-COMB-13")
def test_combat_1():
    fort = {"buildings": [[4, FORTRESS], [9, TOWER]]}
    game = scene(FIELD, {0: {0: 5}, 1: {1: 2}}, {0: [1]}, resources=[[6, 0, 0], [6, 0, 0]], dice=(4, 0), **fort)
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 5")
    assert places(game, "NUM") == set(range(6)) and game.player == 0
    go(game, "CB_FOOD_A: NUM 2")
    assert places(game, "NUM") == {0, 1, 2} and game.player == 1 and game.decision == "CB_FOOD_D"
    do(game, "NUM 2")
    assert army(game, 0) == {1: 4} and army(game, 1) == {} and game.last_rolls == [4, 0]
    assert game.resources == [[4, 0, 0], [4, 0, 0]] and game.fame == [0, 0]


@pytest.mark.rule("NORTH-EX-02", "NORTH-COMB-08", "NORTH-COMB-14", "NORTH-COMB-16", "NORTH-COMB-20", "NORTH-MOVE-12")
def test_combat_2():
    fort = {"buildings": [[4, FORTRESS], [9, TOWER]]}
    game = scene(FIELD, {0: {0: 4}, 1: {1: 2}}, {0: [18]}, resources=[[6, 0, 0], [2, 0, 0]], dice=(5, 2), **fort)
    play(game, 18)  # Bodyguard: one axe
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 4; CB_FOOD_A: NUM 0; CB_FOOD_D: NUM 2")
    assert game.decision == "CB_FACE_D" and game.last_rolls == [5, 2]
    do(game, "FACE 1")
    assert army(game, 1) == {1: 1} and game.decision == "RT_TERR" and game.player == 0
    assert game.to_dict()["frames"][-1] == {
        "frame": "COMBAT", "terr": 1, "attacker": 0, "defender": 1, "creature": None, "row": 18, "food_a": 0,
        "food_d": 2, "roll_a": 5, "roll_d": 2, "face_a": None, "face_d": 1, "either": None, "loser": 0, "to": None,
    }  # fmt: skip
    assert places(game) == {0, 2, 3, 8}
    go(game, "RT_TERR: TERR 0; RT_NUM: NUM 1; RT_TERR: TERR 2")
    assert army(game, 0) == {0: 1, 2: 1} and army(game, 1) == {1: 1}


EX_04 = "0@(0,0)/0 16@(0,-1)/2 31@(1,0)/0"


@pytest.mark.parametrize("clan", range(7))
@pytest.mark.parametrize("actor", ["Red", "Yellow"])
@pytest.mark.rule("NORTH-EX-04", "NORTH-EXPL-08", "NORTH-EXPL-09", "NORTH-EXPL-10", "NORTH-CLAN-06", "NORTH-CLAN-08")
def test_closing(clan, actor):
    units = {0: {8: 2}, 1: {0: 3}} if actor == "Red" else {0: {0: 3}, 1: {8: 2}}
    stack = [30, *(t for t in range(1, 35) if t not in (16, 30, 31))]
    game = scene(EX_04, units, {0: [2]}, clans=[clan, (clan + 1) % 7], tile_stack=stack)
    assert game.slots(0) == [0, 4] and game.is_open(0) and game.slots(8) == [8] and game.is_open(8)
    assert game.placements(30, lambda cell: game.explores_to(cell, 0)) == {5: [0, 2, 3]}
    assert all(game.borders_continue(30, (1, -1 % 36), r) for r in range(4))  # rotation 1 would join both players
    play(game, 2)
    assert game.decision == "EX_ROT" and game.to_dict()["frames"][-1]["cell"] == 5
    do(game, "ROT 0")
    assert game.slots(0) == [0, 4, 14] and not game.is_open(0) and game.size(0) == 3
    assert game.slots(8) == [8, 13] and game.is_open(8)
    assert game.fame[0] == (0 if actor == "Red" else 4 if clan == STAG else 3) and game.fame[1] == 0
    assert game.resources[0] == [0, 0, 0]


EX_05 = "0@(0,0)/0 28@(1,0)/3 34@(1,1)/2 29@(-1,0)/0 17@(-1,1)/1"


@pytest.mark.rule("NORTH-EX-05", "NORTH-EXPL-06", "NORTH-EXPL-12")
def test_forbidden_placement():
    stack = [22, *(t for t in range(1, 35) if t not in (17, 22, 28, 29, 34))]
    game = scene(EX_05, {0: {9: 2, 0: 1}, 1: {2: 2}}, {0: [2]}, tile_stack=stack)
    assert game.slots(9) == [9] and game.slots(2) == [2]
    assert [game.borders_continue(22, (0, 1), r) for r in range(4)] == [False, True, False, True]
    assert [game.joins_well(22, (0, 1), r, False) for r in (1, 3)] == [False, False]
    play(game, 2)
    assert game.cells()[0, 1] not in places(game, "CELL") and 9 in places(game, "CELL")
    do(game, "CELL 9")
    assert places(game, "ROT") == {0, 1, 2, 3} and game.cell_of(9) == (2, 1)


EX_06 = "0@(0,0)/0 23@(0,-1)/0"


@pytest.mark.rule("NORTH-EX-06", "NORTH-MOVE-01", "NORTH-MOVE-02", "NORTH-MOVE-03", "NORTH-MOVE-05", "NORTH-MOVE-06")
def test_move_4():
    game = scene(EX_06, {0: {0: 2, 5: 4}, 1: {2: 1}}, {0: [47]})
    assert game.slots(0) == [0, 6]
    assert [game.border(0, 7), game.border(0, 5), game.border(5, 4)] == [1, 1, 2]
    play(game, 47)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 7; MV_NUM: NUM 1")
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 5; MV_SRC: TERR 5; MV_DST: TERR 4; MV_NUM: NUM 4")
    assert army(game, 0) == {4: 4, 5: 1, 7: 1} and game.neutral(0) and game.turn == 1


@pytest.mark.rule("NORTH-EX-06", "NORTH-MOVE-01")
def test_a_rough_border_costs_two():
    game = scene(EX_06, {0: {5: 4}, 1: {2: 1}}, {0: [1]})
    play(game, 1)
    do(game, "TERR 5")
    assert places(game) == {0, 7}


@pytest.mark.rule("NORTH-EX-07", "NORTH-RECR-03", "NORTH-RECR-08", "NORTH-RECR-09", "NORTH-BLD-02")
def test_recruit_2_with_training_camps():
    def start():
        game = scene(FIELD, {0: {8: 1, 1: 1}, 1: {2: 1}}, {0: [43]}, buildings=[[8, CAMP], [9, CAMP]])
        return play(game, 43)

    game = start()
    assert offered(game) == {"TERR 1", "TERR 8"}
    do(game, "TERR 1")
    assert offered(game) == {"TERR 1", "TERR 8", "DONE"}
    go(game, "REC_TERR: TERR 8; REC_CAMP: NUM 1; REC_CAMP: NUM 1")
    assert army(game, 0) == {1: 3, 8: 3}
    game = start()
    go(game, "REC_TERR: TERR 1; REC_TERR: TERR 1; REC_CAMP: NUM 1")
    assert army(game, 0) == {1: 4, 8: 1} and game.turn == 1


BUILD_MAP = "0@(0,0)/0 2@(0,-1)/0 19@(1,0)/0 25@(0,1)/0"


@pytest.mark.rule("NORTH-EX-08", "NORTH-BUILD-01", "NORTH-BUILD-02", "NORTH-BUILD-04")
def test_build_with_2_wood():
    game = scene(BUILD_MAP, {0: {0: 1, 1: 1, 2: 1}, 1: {3: 1}}, {0: [3, 67]}, resources=[[0, 2, 0], [0, 0, 0]])
    spaces = {t: sorted(game.area(s)["s"] for s in game.slots(t) if game.area(s)["s"]) for t in (0, 1, 2)}
    assert spaces == {0: [1], 1: [2], 2: [3]}
    play(game, 3)
    assert places(game) == {0, 1}
    do(game, "TERR 1")
    assert places(game, "BLDG") == {0, 1, 2, 3, 4}
    game = scene(
        BUILD_MAP, {0: {0: 1, 1: 1, 2: 1}, 1: {3: 1}}, {0: [67]}, clans=[1, 2], resources=[[0, 2, 0], [0, 0, 0]]
    )
    play(game, 67)
    assert places(game) == {0, 1, 2}
    do(game, "TERR 0")
    assert places(game, "BLDG") == {0, 1, 2, 3}


@pytest.mark.rule("NORTH-EX-09", "NORTH-HARV-02", "NORTH-HARV-03", "NORTH-HARV-04", "NORTH-WINT-01", "NORTH-DATA-03")
def test_harvest_and_winter():
    # Purple 7 units, Red 4, Yellow 3; what the tiles do not give comes from buildings without a space
    made = [[10, LODGE, 2], [0, SILO, 3], [0, CARVED, 2], [4, LODGE, 1]]
    units = {0: {10: 7}, 1: {0: 4}, 2: {4: 3}}
    food = [[2, 0, 0], [1, 0, 0], [0, 0, 0]]
    game = scene(
        TWO_CLOSED, units, {0: [1]}, 3, clans=[2, 1, 0], resources=food, spaceless=made, buildings=[[12, ALTAR]]
    )
    all_pass(game)
    assert game.decision == "TR_GIVE" and game.turn == 0 and game.resources[0] == [2, 2, 1]
    do(game, "DONE")
    assert game.decision == "TR_GIVE" and game.turn == 1 and game.resources[1] == [4, 1, 2]
    do(game, "DONE")
    assert game.year == 2 and game.fame == [0, 2, 5]
    assert game.resources == [[0, 2, 1], [3, 1, 2], [1, 1, 0]] and game.unrest == 10


CREATURES = {"creatures": True}


@pytest.mark.rule(
    "NORTH-EX-10", "NORTH-CRE-10", "NORTH-CRE-11", "NORTH-CRE-14", "NORTH-CRE-15", "NORTH-CRE-16", "NORTH-CRE-18"
)
def test_wolf_wins_the_tie():
    game = scene(FIELD, {0: {0: 2, 1: 1}, 1: {2: 1}}, {0: [1]}, options=CREATURES, creatures=[[0, 1]],
                 resources=[[1, 0, 0], [0, 0, 0]], dice=(5, 2))  # fmt: skip
    play(game, 1)
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 2; MV_CRE: CRE 0; CB_FOOD_A: NUM 1")
    assert army(game, 0) == {1: 3} and game.fame == [0, 0] and game.creatures == [[0, 1]]
    assert game.last_rolls == [5, 2] and game.resources[0] == [0, 0, 0]


@pytest.mark.rule("NORTH-EX-11", "NORTH-CRE-20", "NORTH-CRE-21", "NORTH-CRE-22", "NORTH-CRE-23", "NORTH-CRE-33")
def test_draugr_moves_to_most_units_then_buildings_then_resources():
    made = [[1, CAMP, 1], [2, TOWER, 1]]  # 1 has one food and one wood; 2 one lore from the carved stone
    game = scene(FIELD, {0: {1: 3}, 1: {2: 3}}, {}, options=CREATURES, creatures=[[5, 3]], spaceless=made)
    assert sorted(game.neighbours(3)) == [0, 1, 2] and game.neutral(0)
    end_year(game)
    assert game.creatures == [[5, 1]] and army(game, 0) == {1: 2} and army(game, 1) == {2: 3}


@pytest.mark.rule("NORTH-EX-12", "NORTH-CRE-06", "NORTH-CRE-34", "NORTH-CRE-17", "NORTH-CRE-18", "NORTH-EX-13")
def test_valkyrie_attacks():
    def start(dice, food):
        return scene(FIELD, {0: {1: 3}, 1: {2: 1}}, {}, options=CREATURES, creatures=[[7, 3]], dice=dice,
                     resources=[[food, 0, 0], [0, 0, 0]], buildings=[[9, CAMP]])  # fmt: skip

    game = all_pass(start((2, 4), 3))
    assert game.phase == "CREATURES" and game.decision == "CB_FOOD_D" and game.player == 0
    assert places(game, "NUM") == {0, 1, 2, 3}
    assert game.to_dict()["frames"][0] == {"frame": "CREATURES", "creature": 7, "queue": []}
    do(game, "NUM 3")
    assert game.decision == "RT_TERR" and places(game) == {0, 3, 8} and game.last_rolls == [2, 4]
    go(game, "RT_TERR: TERR 0; RT_NUM: NUM 1; RT_TERR: TERR 8; RT_NUM: NUM 2")
    assert army(game, 0) == {0: 1, 8: 2} and game.creatures == [[7, 1]] and game.fame[0] == 0
    game = all_pass(start((2, 0), 3))  # 3 + 3 + 2 = 8: the defender wins the tie
    do(game, "NUM 3")
    assert army(game, 0) == {1: 3} and game.creatures == [] and game.creature_discard == [7] and game.fame[0] == 4


@pytest.mark.rule("NORTH-EX-14", "NORTH-SETUP-04", "NORTH-SETUP-05")
def test_middle_territory_of_five_players():
    game = ref.Referee({"num_players": 5, "clan_selection": "random"}, TABLES, Seeded(3))
    assert game.tiles[:2] == [[0, 0, 0, 0], [1, 1, 0, 0]] and len(game.stack) == 33 - 15
    assert game.slots(1) == [1, 7] and not game.is_open(1) and game.size(1) == 2
    assert [game.prod(1, r) for r in range(3)] == [1, 0, 0]


@pytest.mark.rule("NORTH-EX-15", "NORTH-CLAN-10", "NORTH-CLAN-11", "NORTH-MOVE-13")
def test_snake_places_the_token_before_and_after_the_move():
    game = scene(FIELD, {0: {0: 3}, 1: {2: 1}}, {0: [76, 76]}, clans=[SNAKE, BOAR])
    play(game, 76)
    assert game.decision == "TOKEN" and places(game) == {1, 3} and "DONE" in offered(game)
    do(game, "TERR 1")
    assert [frame["frame"] for frame in game.to_dict()["frames"]] == ["CARD", "MOVE"]
    go(game, "MV_SRC: TERR 0; MV_DST: TERR 1; MV_NUM: NUM 1")
    assert game.decision == "TOKEN" and places(game) == {2, 3, 8}
    assert [frame["frame"] for frame in game.to_dict()["frames"]] == ["CARD", "MOVE"]
    do(game, "TERR 2")
    assert game.token == 2 and game.decision == "CONT"


LAST = {"year": 7, "display": [57, 58], "achievements": []}


@pytest.mark.rule("NORTH-EX-16", "NORTH-EOY-01", "NORTH-END-01", "NORTH-END-02", "NORTH-END-05", "NORTH-END-06")
def test_three_fortresses_win_over_fame():
    def end(*large, **given):
        made = [[t, FORTRESS, 1] for t in large]
        units = {0: {0: 1, 3: 1, 4: 1}, 1: {2: 1}}
        return end_year(scene(FOUR_CLOSED, units, {}, fame=[20, 60], spaceless=made, **{**LAST, **given}))

    game = end(0, 3, 4)
    assert game.is_terminal() and game.ranks() == [1, 2] and game.returns() == [1.0, -1.0]
    assert game.total_fame(0) < game.total_fame(1)
    game = end(0, 3)
    assert game.is_terminal() and game.ranks() == [2, 1]
    early = {"year": 3, "display": [5, 6], "achievements": [57, 58]}
    assert end(0, 3, 4, **early).is_terminal() and not end(0, 3, **early).is_terminal()
    assert not end(0, 3, 4, **early, options={"years": 10}).is_terminal()


@pytest.mark.rule("NORTH-EX-17", "NORTH-TURN-15", "NORTH-HARV-08", "NORTH-HARV-06")
def test_canonical_payment():
    game = scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {}, resources=[[1, 0, 2], [0, 0, 0]])
    all_pass(game)
    assert game.decision == "TR_GIVE" and offered(game) == {"DONE", "RES 0"}
    do(game, "RES 0")
    assert game.decision == "TR_TAKE" and game.resources[0] == [0, 0, 0]
    do(game, "RES 1")
    assert game.resources[0] == [0, 1, 0]
    game = scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {}, resources=[[2, 1, 1], [0, 0, 0]])
    all_pass(game)
    assert offered(game) == {"DONE", "RES 0"}
    do(game, "RES 0")
    assert game.decision == "PAY" and offered(game) == {"RES 0", "RES 1"}
    assert game.to_dict()["frames"][-1] == {"frame": "PAY", "payer": 0, "left": 2, "last": 0, "to": None}


# ------------------------------------------------------------------------------------------- random games


def invariants(game):
    """What holds in every state, whatever happened."""
    d = game.to_dict()
    n = game.n
    for p in range(n):
        assert 0 <= game.units_on_map(p) <= 14 and min(game.resources[p]) >= 0
    for kind in range(8):
        standing = sum(k == kind for k in game.buildings.values()) + sum(
            k for (_, t), k in game.spaceless.items() if t == kind
        )
        assert standing + game.supply[kind] == 7
    assert len(set(game.buildings)) == len(game.buildings)
    drawn = [c for frame in d["frames"] if frame["frame"] == "DRAW" for c in frame["drawn"]]
    owned = [
        c for key in ("hand", "draw_pile", "discard", "played", "idle", "upgrades") for cards in d[key] for c in cards
    ]
    cards = Counter(owned + drawn + d["removed"] + d["display"] + d["achievements"] + d["dev_deck"])
    assert cards[85] + game.unrest == 10
    if game.phase != "CLAN":
        clans = {card for c in game.clan for card in range(64 + 3 * c, 67 + 3 * c)}
        assert [cards[c] for c in range(5)] == [n, n, n, n, 2 * n]
        assert {c for c in cards if 64 <= c < 85} == clans and all(cards[c] == 1 for c in cards if 5 <= c < 85)
    flying = [
        t
        for f in d["frames"]
        if f["frame"] in ("EXPLORE", "SECOND")
        for t in [*f.get("drawn", []), f["tile"]]
        if t is not None
    ]
    tiles = d["tile_stack"] + [t for hand in d["tile_hands"] for t in hand] + [t[0] for t in d["tiles"]] + flying
    assert sorted(tiles) == [t for t in range(35) if t != 1 or game.options["five_tile_in_stack"] or n == 5]
    if game.options["creatures"] and game.phase != "CLAN":
        beasts = d["creature_pile"] + d["creature_discard"] + [c for c, _ in d["creatures"]]
        beasts += [f["creature"] for f in d["frames"] if f["frame"] == "PASS" and f["creature"] not in beasts]
        assert sorted(beasts) == list(range(9))
    for t in game.territories():
        in_fight = game.decision.startswith(("MV_", "CB_", "RT_"))
        assert len(game.seats_at(t)) <= 1 or in_fight
    for frame in d["frames"]:
        assert set(frame) == {"frame", *ref.FRAMES[frame["frame"]]}
    assert len(d["frames"]) <= 5
    assert game.is_terminal() or len(game.legal_actions()) >= 2
    for p in range(n):
        assert game.possible(d, p)


OPTIONS = [
    {"num_players": 2},
    {"num_players": 3, "creatures": True, "more_creatures": True, "clan_selection": "random", "reward": "win"},
    {"num_players": 4, "teams": True, "creatures": True, "map_size": 12, "clan_selection": [3, 0, 4, 6]},
    {"num_players": 5, "years": 10, "reward": "fame"},
    {"num_players": 4, "five_tile_in_stack": False, "creatures": True},
]


@pytest.mark.parametrize("number", range(len(OPTIONS)))
@pytest.mark.parametrize("name", list(SAMPLERS))
@pytest.mark.rule("NORTH-PH-02", "NORTH-PH-09", "NORTH-CORN-01", "NORTH-CORN-18", "NORTH-END-07")
def test_random_games_end_and_keep_all_pieces(number, name):
    rng = random.Random(number)
    game = ref.Referee(OPTIONS[number], TABLES, Seeded(100 + number))
    decisions = 0
    while not game.is_terminal():
        if decisions % 5 == 0:
            invariants(game)
        game.apply(SAMPLERS[name](game, rng))
        decisions += 1
    invariants(game)
    assert 30 < decisions < 3000
    assert abs(sum(game.returns())) < 1e-9 and min(game.ranks()) == 1
    assert game.legal_actions() == []
