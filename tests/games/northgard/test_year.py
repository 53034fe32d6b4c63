"""The course of a year: draws, display, harvest, winter, second chances, and how games end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from northgard_scenes import Play, army, do, go, offered, places, scene
from northgard_walks import WALKS, some, walk

from northmen_env.games.northgard import scoring
from northmen_env.games.northgard.state import LEGAL
from northmen_env.games.northgard.tables import SEATS

FIELD = "0@(0,0)/0 14@(1,0)/0 3@(1,-1)/0"
# Territory 1 (slots 1, 4, 9) is open, has a large (4) and a small space (9), one food and one wood.
TWO_CLOSED = "0@(0,0)/0 34@(0,-1)/3 7@(0,-2)/3 27@(-1,-1)/1 26@(-1,-2)/1 15@(-2,-2)/0"
# 0 (one wood) and 4 (one food) are closed, of size 3; 10 has one lore.
STRONGHOLDS = (
    "0@(0,0)/0 3@(0,-1)/2 18@(1,0)/3 34@(1,-1)/2 25@(-1,0)/3 15@(-1,-1)/2 14@(2,-1)/0 32@(2,0)/1 16@(1,1)/2 "
    "6@(0,1)/3 33@(2,1)/2 19@(1,2)/3"
)
# 2, 9 and 32 are closed and have large spaces (slots 37, 9, 32); 0, 1 and 3 are closed, 5 is open.
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = range(7)
FIRST_DECK = {GOAT: [0, 1, 2, 3, 4, 4, 70], BOAR: [0, 1, 2, 3, 4, 4, 67]}
LAST = {"year": 7, "display": [57, 58], "achievements": []}


def all_pass(game: Play) -> Play:
    """Pass until the turns of the year are over, taking the first of what is offered."""
    year = game["year"]
    while game["phase"] == "ACTIONS" and game["year"] == year:
        do(game, "PASS") if game.decision == "MENU" else game.step(game.legal()[0])
    return game


def end_year(game: Play) -> Play:
    """Pass, trade nothing, and stop at the first decision of another kind or of the next year."""
    year = game["year"]
    all_pass(game)
    while game.decision == "TR_GIVE" and game["year"] == year:
        do(game, "DONE")
    return game


def ranks(game: Play) -> list[int]:
    return scoring.ranks(game.rules, game.record)


def numbers(game: Play, verb: Any) -> list[float]:
    """Return what `scores` or `returns` writes, for the seats of the game."""
    out = np.zeros(SEATS)
    verb(game.rules, game.record, out)
    return out[: game["num_players"]].tolist()


# ---- Start of Year ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-PH-05", "NORTH-YEAR-01", "NORTH-YEAR-03", "NORTH-PH-01", "NORTH-BLD-02")
def test_the_last_year_begins_with_the_achievements() -> None:
    flags = {"conquer": [True, False], "kaija_free": [True, False]}
    game = end_year(scene(FIELD, {0: {1: 1}, 1: {2: 3}}, {0: [4]}, buildings=[[4, FORGE]], year=6, **flags))
    assert [len(hand) for hand in game["hand"]] == [5, 4]  # one card more for the Forge
    assert (game["conquer"], game["kaija_free"], game["taken"]) == ([False] * 2, [False] * 2, [False] * 2)
    assert (game["year"], game["display"], game["achievements"]) == (7, [57, 58], [])
    assert game["phase"] == "ACTIONS"


@pytest.mark.rule("NORTH-YEAR-02", "NORTH-SETUP-02", "NORTH-VAR-01")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_early_cards_come_in_the_first_years(options: dict[str, Any]) -> None:
    early = 3 if options.get("years") == 10 else 2
    seen = set()
    for table in walk(5, **options):
        d = table.to_dict()
        if d["phase"] == "ACTIONS" and not any(d["passed"]) and d["year"] not in seen:
            seen.add(d["year"])
            assert len(d["display"]) == d["num_players"]
            last = d["year"] == d["options"]["years"]
            groups = {"H" if card > 56 else "E" if card <= 20 else "A" for card in d["display"]}
            assert groups == {"H" if last else "E" if d["year"] <= early else "A"}
    assert len(seen) > 3


@pytest.mark.rule("NORTH-DECK-01", "NORTH-DECK-02", "NORTH-DECK-03", "NORTH-DECK-04", "NORTH-CORN-07")
def test_draws_are_lost_when_no_card_is_left() -> None:
    piles = {"draw_pile": [[1], FIRST_DECK[BOAR]], "discard": [[2, 3], []], "removed": [0, 4, 4, 70]}
    game = end_year(scene(FIELD, {0: {1: 1}, 1: {2: 1}}, {1: [7]}, turn=1, player=1, marker=1, **piles))
    assert len(game["hand"][0]) == 4  # 1, the discard pile 2 and 3 shuffled, and the picked card
    assert set(game["hand"][0]) > {1, 2, 3}
    assert game["draw_pile"][0] == []
    assert game["discard"][0] == []


# ---- Harvest and winter ----------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "NORTH-EX-09", "NORTH-HARV-02", "NORTH-HARV-03", "NORTH-HARV-04", "NORTH-HARV-05", "NORTH-WINT-01", "NORTH-PH-07"
)
def test_harvest_and_winter() -> None:
    made = [[0, SILO, 3], [0, CARVED, 2], [4, LODGE, 1], [10, LODGE, 2]]
    units = {0: {10: 7}, 1: {0: 4}, 2: {4: 2, 8: 1}}
    food = [[2, 0, 0], [1, 0, 0], [0, 0, 0]]
    game = scene(
        TWO_CLOSED, units, {0: [1]}, 3, clans=[2, 1, 0], resources=food, spaceless=made, buildings=[[16, ALTAR]]
    )
    all_pass(game)
    assert (game.decision, game["turn"], game["resources"][0]) == ("TR_GIVE", 0, [2, 2, 1])
    do(game, "DONE")
    assert (game.decision, game["turn"], game["resources"][1]) == ("TR_GIVE", 1, [4, 1, 2])
    do(game, "DONE")
    assert (game["year"], game["fame"], game["unrest"]) == (2, [0, 2, 5], 10)
    assert game["resources"] == [[0, 2, 1], [3, 1, 2], [1, 1, 0]]


@pytest.mark.rule("NORTH-HARV-06", "NORTH-HARV-08", "NORTH-TURN-15", "NORTH-EX-17", "NORTH-COMP-04")
def test_three_resources_for_one() -> None:
    game = all_pass(scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {0: [4]}, resources=[[1, 0, 2], [0, 0, 0]]))
    assert (game.decision, offered(game)) == ("TR_GIVE", {"DONE", "RES 0"})  # food < wood < lore
    do(game, "RES 0")  # the rest is forced
    assert (game.decision, game["resources"][0]) == ("TR_TAKE", [0, 0, 0])
    do(game, "RES 1")
    assert game["year"] == 2
    assert game["resources"][0] == [0, 1, 0]
    game = all_pass(scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {0: [4]}, resources=[[2, 1, 1], [0, 0, 0]]))
    assert offered(game) == {"DONE", "RES 0"}  # wood would leave too few
    do(game, "RES 0")
    assert (game.decision, offered(game)) == ("PAY", {"RES 0", "RES 1"})
    rich = all_pass(scene(FIELD, {0: {2: 1}, 1: {3: 1}}, {0: [4]}, resources=[[900, 0, 0], [0, 0, 0]]))
    go(rich, "TR_GIVE: RES 0; TR_TAKE: RES 2")
    assert rich["resources"][0] == [897, 0, 1]


HUNGRY = {0: {0: 8}, 1: {2: 3}}


@pytest.mark.rule("NORTH-WINT-01", "NORTH-WINT-02", "NORTH-WINT-03", "NORTH-DATA-02")
def test_who_cannot_pay_takes_unrest() -> None:
    game = end_year(scene(FIELD, HUNGRY, {0: [4]}, resources=[[1, 0, 0], [0, 0, 0]]))
    assert 85 in game["hand"][0]  # it lay on top, and the new year's cards are drawn
    assert 85 not in game["hand"][1]
    assert (game["unrest"], game["resources"][0], game["fame"][0]) == (9, [0, 0, 0], 0)
    paid = end_year(scene(FIELD, HUNGRY, {0: [4]}, resources=[[2, 0, 0], [0, 0, 0]]))
    assert (paid["unrest"], paid["resources"][0]) == (10, [0, 0, 0])


@pytest.mark.rule("NORTH-WINT-04", "NORTH-WINT-05")
def test_without_unrest_cards_fame_and_the_top_card_are_lost() -> None:
    game = scene(FIELD, HUNGRY, {0: [4]}, unrest=0, discard=[[], [85] * 10], display=[7, 9])
    end_year(game)
    assert (game["fame"][0], game["unrest"]) == (-5, 0)
    assert 7 in game["discard"][0]  # the picked card lay on top
    assert 7 not in game["hand"][0]


# ---- Passing and the marker ------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-PH-06", "NORTH-PH-08", "NORTH-TURN-12", "NORTH-TURN-13", "NORTH-TURN-14")
def test_the_first_to_pass_goes_first() -> None:
    hands = {0: [4], 1: [0, 3], 2: []}
    game = scene(FIELD, {0: {1: 1}, 1: {2: 1}, 2: {3: 1}}, hands, 3, turn=1, player=1, marker=0)
    do(game, "PASS")
    assert (game["marker"], game["passed"], game["hand"][1]) == (1, [False, True, False], [])
    assert game["discard"][1] == [0, 3]
    assert (game.decision, game.player) == ("PASS_PICK", 1)
    card = max(places(game, "CARD"))
    do(game, f"CARD {card}")
    assert (game["draw_pile"][1][0], game["draw_known"][1][0]) == (card, 0b111)
    # Seat 2 has no card and passes unasked, but for the card it takes.
    assert (game.decision, game.player, game["passed"]) == ("PASS_PICK", 2, [False, True, True])
    do(game, f"CARD {max(places(game, 'CARD'))}")
    assert (game.decision, game.player, game["marker"]) == ("MENU", 0, 1)
    end_year(game)
    assert (game["turn"], game["year"]) == (1, 2)


# ---- Second chances --------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-EOY-03", "NORTH-EOY-04", "NORTH-EOY-05", "NORTH-CORN-15")
def test_a_second_chance() -> None:
    game = end_year(scene(FIELD, {1: {2: 3}}, {0: [4]}, clans=[BEAR, BOAR]))
    assert (game["phase"], game.decision) == ("SECOND", "SC_TERR")
    assert offered(game) == {"DONE", "TERR 0", "TERR 1", "TERR 3", "TERR 8"}
    go(game, "SC_TERR: TERR 1; SC_KAIJA: YES")
    assert (army(game, 0), game["kaija"], game["year"]) == ({1: 3}, 1, 2)
    declined = do(end_year(scene(FIELD, {1: {2: 3}}, {0: [4]})), "DONE")
    assert (army(declined, 0), declined["year"]) == ({}, 2)
    alone = end_year(scene(FIELD, {1: {2: 3}}, {0: [4]}, clans=[BEAR, BOAR], kaija=0))
    assert alone["year"] == 2  # Kaija is a figure


@pytest.mark.rule("NORTH-EOY-06")
def test_a_second_chance_on_a_new_tile() -> None:
    game = end_year(scene(FIELD, {1: {0: 1, 1: 1, 2: 1, 3: 1, 8: 1}}, {0: [4]}))
    frame = game["frames"][0]
    assert (game.decision, frame["tile"], frame["placed"]) == ("SC_CELL", 1, False)
    while game.decision != "SC_TERR":
        game.step(game.legal()[0])
    assert game["frames"][0]["placed"]
    assert "DONE" in offered(game)
    held = {slot for slot, _, _ in game["units"]}
    assert places(game)
    assert not places(game) & held
    assert game["fame"] == [0, 0]


# ---- The end ---------------------------------------------------------------------------------------------------------


def ended(units: Mapping[int, Mapping[int, int]], large: list[int], **given: Any) -> Play:
    """Return the game after the year in which fortresses stand on these slots."""
    built = [[slot, FORTRESS] for slot in sorted(large)]
    return end_year(scene(STRONGHOLDS, units, {0: [4]}, buildings=built, **{**LAST, **given}))


@pytest.mark.rule("NORTH-EX-16", "NORTH-EOY-01", "NORTH-EOY-02", "NORTH-END-01", "NORTH-END-02", "NORTH-END-05")
def test_three_fortresses_win_over_fame() -> None:
    units = {0: {2: 1, 9: 1, 32: 1}, 1: {5: 1}}
    game = ended(units, [37, 9, 32], fame=[20, 60])
    assert (game.decision, ranks(game)) == ("END", [1, 2])
    assert numbers(game, scoring.returns) == [1.0, -1.0]
    assert numbers(game, scoring.scores)[0] < numbers(game, scoring.scores)[1]
    assert ranks(ended(units, [37, 9], fame=[20, 60])) == [2, 1]
    early = {"year": 3, "display": [5, 6], "achievements": [57, 58]}
    assert ended(units, [37, 9, 32], **early).decision == "END"
    assert ended(units, [37, 9], **early).decision != "END"


@pytest.mark.rule("NORTH-END-04", "NORTH-END-05", "NORTH-END-06", "NORTH-CORN-14")
def test_ties() -> None:
    last = {"year": 7, "display": [], "achievements": [], "taken": [True, True]}
    last |= {"discard": [[60], [61]]}  # worth nothing here

    def end(units: Mapping[int, Mapping[int, int]], **given: Any) -> Play:
        return end_year(scene(FIELD, units, {0: [4]}, **{**last, **given}))

    even = end({0: {3: 1}, 1: {2: 1}})
    assert ranks(even) == [1, 1]
    assert numbers(even, scoring.returns) == [0, 0]
    assert ranks(end({0: {0: 1, 3: 1}, 1: {2: 3}})) == [1, 2]  # territories before figures
    assert ranks(end({0: {3: 1}, 1: {2: 2}})) == [2, 1]
    assert ranks(end({0: {3: 1}, 1: {2: 1}}, spaceless=[[3, TOWER, 1]])) == [1, 2]  # buildings last


@pytest.mark.rule("NORTH-END-06")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_rewards_sum_to_nothing_and_follow_the_ranks(options: dict[str, Any]) -> None:
    *_, end = some(3, 10**6, **options)
    n = options["num_players"]
    got, place = np.zeros(SEATS), scoring.ranks(end.rules, end.record)
    scoring.returns(end.rules, end.record, got)
    assert sum(got) == pytest.approx(0)
    for p in range(n):
        for q in range(n):
            if place[p] < place[q] and options.get("reward") != "fame":
                assert got[p] >= got[q]
    if options.get("teams"):
        assert (got[0], got[1]) == (got[2], got[3])
    first = [p for p in range(n) if place[p] == 1]
    if options.get("reward") == "win":
        assert got[first[0]] == pytest.approx((n / len(first) - 1) / (n - 1))


@pytest.mark.rule("NORTH-END-03", "NORTH-DATA-04", "NORTH-CORN-17")
def test_total_fame() -> None:
    hands = {0: [57, 58, 8, 85]}
    game = scene(
        FIELD, {0: {1: 3, 8: 1}, 1: {2: 3}}, hands, fame=[4, 0], resources=[[2, 1, 1], [0, 0, 0]], unrest=9,
        buildings=[[4, FORTRESS], [9, SILO]], year=7, display=[], achievements=[], taken=[True, True],
    )  # fmt: skip
    # Tokens 4, resources 4 // 3, Builder 1 + 3, Explorer 1 (the small space of territory 8), Merchant 1, Unrest -5.
    assert numbers(game, scoring.scores)[0] == 4 + 1 + 4 + 1 + 1 - 5
    assert numbers(game, scoring.scores)[1] == 0


@pytest.mark.rule("NORTH-END-07", "NORTH-CORN-01", "NORTH-CORN-18", "NORTH-PH-02")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_games_end_and_nobody_is_ever_stuck(options: dict[str, Any]) -> None:
    for table in walk(11, **options):
        assert 2 <= len(table.legal()) <= LEGAL or table.over()
        d_phase = int(table.record.phase)
        assert (d_phase == 6) == table.over()
    assert table.record.year <= table.rules.years
