"""The referee by itself: the creatures module and setup."""

from __future__ import annotations

import northgard_referee as ref
import pytest
from northgard_referee_positions import (
    FIELD,
    TABLES,
    Seeded,
    Stacked,
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
WITH = {"options": {"creatures": True}}
TWO = {0: {0: 3}, 1: {2: 3}}

# ------------------------------------------------------------------------------------------- creatures


@pytest.mark.rule("NORTH-CRE-12", "NORTH-CRE-06", "NORTH-MOVE-03", "NORTH-MOVE-04", "NORTH-CRE-18", "NORTH-CRE-19")
def test_entering_a_valkyries_territory():
    game = scene(FIELD, TWO, {0: [9]}, creatures=[[7, 1]], clans=[STAG, BOAR], dice=(1, 4), **WITH)
    play(game, 9)
    do(game, "TERR 0", "TERR 1", "NUM 2")
    assert game.decision == "MV_SRC" and 1 not in places(game)
    do(game, "DONE")  # the fight is forced: 2 + 3 to 7, and both figures die of its two skulls
    assert army(game, 0) == {0: 1} and game.creatures == [[7, 1]] and game.last_rolls == [1, 4]
    game = scene(FIELD, {0: {0: 6}, 1: {2: 3}}, {0: [9]}, creatures=[[7, 1]], clans=[STAG, BOAR], dice=(1, 0), **WITH)
    play(game, 9)
    do(game, "TERR 0", "TERR 1", "NUM 6")  # 9 to 9: the creature defends
    assert game.decision == "RT_TERR" and places(game) == {0, 3, 8}
    game = scene(FIELD, {0: {0: 7}, 1: {2: 3}}, {0: [9]}, creatures=[[7, 1]], clans=[STAG, BOAR], dice=(1, 0), **WITH)
    play(game, 9)
    do(game, "TERR 0", "TERR 1", "NUM 7")
    assert army(game, 0) == {1: 7} and game.fame[0] == 4 + 1 and game.creature_discard == [7]
    game = scene(FIELD, TWO, {0: [1]}, creatures=[[7, 1], [8, 1]], **WITH)
    play(game, 1)
    do(game, "TERR 0")
    assert game.to_dict()["frames"][-1]["dst"] == 3  # two of them: nobody may enter


@pytest.mark.rule("NORTH-CRE-11", "NORTH-CRE-13", "NORTH-MOVE-11", "NORTH-CRE-17", "NORTH-CLAN-15", "NORTH-CRE-19")
def test_attacking_where_one_stands():
    units = {0: {0: 3, 1: 9}, 1: {2: 3}}
    game = scene(FIELD, units, {0: [1]}, creatures=[[0, 0], [5, 1], [3, 1]], clans=[WOLF, BOAR], dice=(3, 0), **WITH)
    play(game, 1)
    assert 1 not in places(game)  # a Brown Bear holds them
    do(game, "DONE")
    assert game.decision == "MV_CRE" and offered(game) == {"DONE", "CRE 0"}
    do(game, "DONE")
    assert offered(game) == {"DONE", "CRE 3", "CRE 5"}
    do(game, "CRE 5")  # 9 + 2 to 5 + 2
    assert game.creatures == [[0, 0], [3, 1]] and game.fame[0] == 2 and game.resources[0] == [1, 0, 0]


@pytest.mark.rule("NORTH-CRE-14", "NORTH-CLAN-12", "NORTH-CRE-15")
def test_face_2_counts_as_an_axe():
    game = scene(
        FIELD, {0: {0: 2}, 1: {2: 1}}, {0: [23]}, creatures=[[0, 0]], clans=[SNAKE, BOAR], token=0, dice=(2, 2), **WITH
    )
    play(game, 23)  # EITHER: one axe
    do(game, "DONE")
    do(game, "CRE 0")  # 2 + 1 (token) + 1 + 1 = 5 to 4 + 1: a tie
    assert game.creatures == [[0, 0]] and army(game, 0) == {0: 2}


@pytest.mark.rule("NORTH-CRE-07", "NORTH-CRE-03", "NORTH-CRE-08", "NORTH-CRE-04", "NORTH-CRE-33")
def test_a_creature_appears_with_an_explored_tile():
    stack = [18, *(t for t in range(1, 35) if t not in (3, 14, 18))]  # tile 18: a lair in its area 0
    for pile, lost in (([5, 0], 1), ([0, 5], 0)):
        game = scene(FIELD, {0: {0: 3}, 1: {2: 3}}, {0: [2]}, tile_stack=stack, creature_pile=pile, **WITH)
        play(game, 2)
        do(game, "ROT 2")  # the lair's area joins territory 0
        assert game.lairs(0) == 1 and game.creatures == [[pile[0], 0]] and army(game, 0) == {0: 3 - lost}
    game = scene(FIELD, TWO, {0: [2]}, tile_stack=stack, creature_pile=[], creature_discard=[1], **WITH)
    play(game, 2)
    do(game, "ROT 2")
    assert game.creatures == [[1, 0]] and game.creature_discard == []


@pytest.mark.rule("NORTH-CRE-34", "NORTH-CRE-07")
def test_a_valkyrie_appears_and_attacks_the_explorer():
    stack = [18, *(t for t in range(1, 35) if t not in (3, 14, 18))]
    game = scene(
        FIELD, TWO, {0: [2]}, tile_stack=stack, creature_pile=[7], resources=[[1, 0, 0], [0, 0, 0]], dice=(1, 0), **WITH
    )
    play(game, 2)
    do(game, "ROT 2")
    assert game.decision == "CB_FOOD_D" and [f["frame"] for f in game.frames] == ["CARD", "EXPLORE", "COMBAT"]
    do(game, "NUM 0")  # 3 + 2 to 7 + 3
    assert game.decision == "RT_TERR" and game.player == 0


@pytest.mark.rule("NORTH-CRE-20", "NORTH-CRE-21", "NORTH-CRE-22", "NORTH-CRE-24", "NORTH-CRE-23")
def test_creature_phase():
    # both move; the second may not join the first; nobody else's figures are near
    game = scene(FIELD, {0: {8: 1}, 1: {3: 3}}, {}, creatures=[[0, 0], [5, 2]], **WITH)
    end_year(game)
    assert game.creatures == [[0, 3], [5, 1]] and army(game, 1) == {3: 3}
    game = scene(FIELD, {0: {8: 1}, 1: {1: 3}}, {}, creatures=[[5, 0], [6, 3], [0, 2], [1, 1]], **WITH)
    end_year(game)  # 5, 6 and 0 are hemmed in; 1 goes to 8
    assert game.creatures == [[5, 0], [6, 3], [0, 2], [1, 8]] and army(game, 0) == {8: 1}


@pytest.mark.rule("NORTH-CRE-23", "NORTH-PH-08")
def test_the_marker_holder_breaks_ties():
    game = scene("0@(0,0)/0", {0: {0: 1}, 1: {2: 1}}, {}, creatures=[[5, 1]], **WITH)
    all_pass(game)
    assert game.decision == "CR_MOVE" and game.player == 0 and places(game) == {0, 2} and game.to_dict()["turn"] is None
    assert game.phase == "CREATURES" and game.to_dict()["frames"] == [
        {"frame": "CREATURES", "creature": 5, "queue": []}
    ]


@pytest.mark.rule("NORTH-CRE-30", "NORTH-CRE-31", "NORTH-PH-10")
def test_more_creatures():
    more = {"options": {"creatures": True, "more_creatures": True}}
    game = scene(FIELD, TWO, {}, display=[7, 9], creature_pile=[5, 0], creature_top=2, **more)
    assert game.decision == "PASS_PICK"
    do(game, "CARD 9")
    assert game.decision == "PASS_CRE" and game.frames == []
    do(game, "YES")
    assert game.decision == "PASS_CRE_AT" and places(game) == {0, 1, 2, 3, 8}  # no lair on the map
    assert game.to_dict()["frames"] == [{"frame": "PASS", "creature": 5}] and game.creature_top == 1
    do(game, "TERR 2")
    assert game.creatures == [[5, 2]] and army(game, 1) == {2: 2} and game.player == 1


@pytest.mark.rule("NORTH-CRE-35", "NORTH-HARV-02")
def test_a_wolf_takes_the_harvest_of_the_tiles():
    held = [[0, 1], [1, 0], [2, 2], [3, 3], [4, 8]]
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {}, creatures=held, spaceless=[[1, 1, 1]], buildings=[[4, 7]], **WITH)
    end_year(game)
    assert game.resources[0] == [0, 1, 0] and game.fame[0] == 3


# ------------------------------------------------------------------------------------------- setup


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.rule(
    "NORTH-SETUP-02", "NORTH-SETUP-03", "NORTH-SETUP-06", "NORTH-SETUP-07", "NORTH-SETUP-10", "NORTH-SETUP-12"
)
def test_setup(n):
    game = ref.Referee({"num_players": n}, TABLES, Stacked(first=1, early=[20, 19], stack=[34, 33]))
    d = game.to_dict()
    assert d["phase"] == "CLAN" and d["marker"] is None and d["turn"] is None and len(game.legal_actions()) == 7
    assert d["hand"] == [[]] * n == d["draw_pile"] and d["resources"] == [[0, 0, 0]] * n and d["clan"] == [None] * n
    assert (
        d["dev_deck"][:2] == [20, 19] and len(d["dev_deck"]) == 6 * n and d["achievements"] == list(range(57, 57 + n))
    )
    for _ in range(n):
        do(game, f"CLAN {max(places(game, 'CLAN'))}")
    assert game.clan == [6, 5, 4, 3, 2][:n] and game.marker == 1 and game.turn == 1
    goods = [game.resources[(1 + k) % n] for k in range(n)]
    assert goods == [[2, 2, 0]] * min(n, 3) + [[3, 2, 0]] * max(0, n - 3)
    assert all(len(game.pile[p]) == 7 and len(game.upgrades[p]) == 2 for p in range(n))
    assert [len(hand) for hand in game.tile_hands] == [3] * n and set(game.tile_hands[1]) >= {34, 33}
    assert game.decision == "SETUP_TILE" and game.frames[0]["frame"] == "SETUP"


@pytest.mark.rule(
    "NORTH-SETUP-13", "NORTH-SETUP-14", "NORTH-SETUP-16", "NORTH-SETUP-17", "NORTH-SETUP-20", "NORTH-SETUP-21"
)
def test_the_first_groups():
    options = {"num_players": 2, "clan_selection": [BEAR, BOAR]}
    game = ref.Referee(options, TABLES, Stacked(stack=[2, 3, 4, 5, 6, 7]))
    assert game.phase == "SETUP" and game.tile_hands == [[2, 3, 4], [5, 6, 7]]
    do(game, "PICK 0")
    frame = game.to_dict()["frames"][0]
    assert frame == {"frame": "SETUP", "tile": 2, "cell": None, "terr": None} and game.tile_hands[0] == [2, 3, 4]
    assert places(game, "CELL") == {0, 1, 2, 3}
    go(game, "SETUP_CELL: CELL 0; SETUP_ROT: ROT 0")
    assert game.tile_hands[0] == [3, 4] and places(game) == {0, 4, 5, 7}
    do(game, "TERR 0")
    assert game.decision == "SETUP_KAIJA" and game.to_dict()["frames"][0]["terr"] == 0
    do(game, "YES")
    assert army(game, 0) == {0: 3} and game.kaija == 0 and game.turn == 1
    while game.phase == "SETUP":
        game.apply(game.legal_actions()[0])
    assert len(game.tiles) == 5 and len(game.stack) == 34 - 4 and game.tile_hands == [[], []]
    assert game.units_on_map(0) == 5 and game.units_on_map(1) == 6 and game.fame == [0, 0]
    assert game.year == 1 and [len(hand) for hand in game.hand] == [4, 4] and len(game.display) == 2


@pytest.mark.rule("NORTH-SETUP-11", "NORTH-SETUP-19", "NORTH-INFO-07")
def test_creatures_in_setup():
    options = {"num_players": 2, "clan_selection": [BOAR, GOAT], "creatures": True}
    game = ref.Referee(options, TABLES, Stacked(stack=[5, 18, 23, 26, 28, 2], beasts=[5, 6, 3], bottom=[8, 7]))
    assert game.creature_pile[:5] == [5, 6, 3, 8, 7] and game.creature_top == 3 and len(game.creature_pile) == 9
    while game.decision != "SETUP_TERR":
        game.apply(game.legal_actions()[0])
    assert [c for c, _ in game.creatures] == [5] and game.creature_top == 2
    do(game, f"TERR {game.creatures[0][1]}")
    assert game.units_on_map(game.marker) == 3  # the Draugr does not act


@pytest.mark.rule("NORTH-SETUP-18", "NORTH-SETUP-15")
def test_a_hand_without_any_placement():
    game = ref.Referee({"num_players": 2, "clan_selection": "random"}, TABLES, Seeded(5))
    fits, tries = game.placements, []
    game.placements = lambda tile, allowed, group=False: tries.append(tile) or {}
    steps = game.place_group(0, 1)
    assert next(steps, None) is None and len(set(tries)) == len(game.stack) + 3 and game.units_on_map(0) == 0
    game.placements = fits


@pytest.mark.rule("NORTH-VAR-01", "NORTH-VAR-02", "NORTH-YEAR-02", "NORTH-YEAR-03")
def test_the_longer_game():
    game = ref.Referee({"num_players": 5, "years": 10, "clan_selection": "random"}, TABLES, Seeded(1))
    assert [5 <= card <= 20 for card in game.dev_deck] == [True] * 15 + [False] * 30


@pytest.mark.rule("NORTH-PH-05", "NORTH-YEAR-01", "NORTH-YEAR-03", "NORTH-BLD-01")
def test_start_of_year():
    game = scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {}, buildings=[[4, 6]], conquer=[True, False], year=6)
    end_year(game)
    assert len(game.hand[0]) == 5 and len(game.hand[1]) == 4 and game.conquer == [False, False]
    assert game.year == 7 and game.display == [57, 58] and game.to_dict()["achievements"] == []
