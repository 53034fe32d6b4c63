"""The tables of Saga: the printed data and what RULES makes of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import northmen_env as nm
from northmen_env.games.saga import tables
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.tables import BOTH, LAND, NONE, SEA, build_rules, load_tables

ROOT = Path(__file__).resolve().parents[3]
LEDGER = (ROOT / "docs" / "rules" / "saga.md").read_text(encoding="utf-8")
BUILTIN = Path(tables.__file__).parent / "data"
T = load_tables("builtin")
NORMANS, RUS, MAGYARS, SAXONS, DANES, BYZANTINES, NORWEGIANS = range(7)
AFRICA, ARABIA, BULGARIA, FINLAND, EMPIRE, IBERIA, IRELAND, ITALY, POLAND = range(9)
COUNTS = (2, 3, 4)


def rules(num_players: int = 2) -> np.record:
    return build_rules(Options(num_players=num_players))[0]


def printed_csv(header: str) -> str:
    """Return the CSV block of the ledger that begins with `header`."""
    (block,) = re.findall(rf"```csv\n({re.escape(header)}\n.*?)```", LEDGER, re.DOTALL)
    return block


def play_out(game: Any, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the State JSON before each decision of one game with arbitrary, fixed choices."""
    state, choose = game.new_initial_state(seed=seed), Random(seed)
    while not state.is_terminal():
        yield state.to_dict()
        state.apply_action(choose.choice(state.legal_actions()))
    yield state.to_dict()


# ---- Components -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-DATA-01")
def test_counts_of_the_components() -> None:
    r = rules(4)
    assert (r.num_kingdoms, r.num_regions, r.num_cards, r.num_routes) == (7, 9, 56, 20)
    assert [bin(int(cards)).count("1") for cards in r.suit_cards] == [8] * 7
    assert np.bitwise_or.reduce(r.suit_cards) == 2**56 - 1


@pytest.mark.rule("SAGA-DATA-01")
@pytest.mark.parametrize("num_players", COUNTS)
def test_counts_of_the_pieces(num_players: int) -> None:
    """30 cubes, 3 heroes and a time token for each colour in the game, 15 of the 45 plunder tokens for each round."""
    s = nm.load("saga", num_players=num_players).new_initial_state(seed=1).to_dict()
    assert [a + b for a, b in zip(s["reserve"], s["infamy"], strict=True)] == [30] * num_players
    assert (s["hero_supply"], s["time_used"]) == ([3] * num_players, [False] * num_players)
    assert s["group"] * 3 == 45


@pytest.mark.rule("SAGA-DATA-02", "SAGA-DATA-03")
@pytest.mark.parametrize("num_players", COUNTS)
def test_pieces_and_tokens_are_conserved(num_players: int) -> None:
    for s in play_out(nm.load("saga", num_players=num_players), seed=num_players):
        for p in range(num_players):
            cubes, heroes = sum(row[p] for row in s["cubes"]), sum(row[p] for row in s["heroes"])
            assert s["reserve"][p] + s["infamy"][p] + cubes == 30
            assert s["hero_supply"][p] + heroes == 3
            on_chart = sum(d for d, c in zip(s["delayed"], s["controller"], strict=True) if c == p)
            assert on_chart == s["time_used"][p]
        assert sum(s["tokens"]) + sum(s["plunder"]) + s["group"] + 15 * (3 - s["round"]) == 45


@pytest.mark.rule("SAGA-DATA-04")
def test_three_groups_of_fifteen_tokens_are_played() -> None:
    groups = {s["round"]: s["group"] for s in play_out(nm.load("saga"), seed=5)}
    assert groups == {1: 0, 2: 0, 3: 0}
    first = nm.load("saga").new_initial_state(seed=5).to_dict()
    assert first["group"] == tables.TOKENS_PER_GROUP == 45 // 3


# ---- Kingdoms, regions, adjacency -----------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-DATA-05", "SAGA-DATA-06", "SAGA-DATA-07")
def test_chart_order_and_numbers_are_the_printed_ones() -> None:
    table = re.findall(r"^\| (\d) \| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", LEDGER, re.MULTILINE)
    r = rules()
    assert [int(row[0]) for row in table] == list(range(7))
    assert [row[1] for row in table] == [tables.kingdom_name(r, k) for k in range(7)]
    assert [int(row[2]) for row in table] == r.chart_armies.tolist()
    assert [int(row[3]) for row in table] == r.chart_fleets.tolist()
    assert [int(row[4]) for row in table] == (r.chart_armies + r.chart_fleets).tolist()
    assert (T.kingdoms[0], T.kingdoms[-1]) == ("Normans", "Norwegians")


@pytest.mark.rule("SAGA-DATA-07")
def test_suit_totals_meet_their_constraints() -> None:
    r = rules()
    assert all(14 <= total <= 16 for total in r.chart_armies + r.chart_fleets)
    assert (int(r.chart_armies.sum()), int(r.chart_fleets.sum())) == (55, 50)
    assert r.chart_armies[MAGYARS] >= 4
    assert r.chart_fleets[MAGYARS] >= 2
    for land in (RUS, MAGYARS, BYZANTINES):
        assert r.chart_armies[land] > r.chart_fleets[land]
    for sea in (SAXONS, DANES, NORWEGIANS):
        assert r.chart_fleets[sea] > r.chart_armies[sea]


@pytest.mark.rule("SAGA-DATA-08")
def test_regions_are_the_printed_ones() -> None:
    printed = re.findall(r"^\| (\d) \| ([\w ]+) \| (yes|no)(?: \(landlocked\))? \|$", LEDGER, re.MULTILINE)
    assert [(int(i), name, coast == "yes") for i, name, coast in printed] == list(
        zip(range(9), T.regions, T.coastal, strict=True)
    )
    assert list(T.regions) == sorted(T.regions)


@pytest.mark.rule("SAGA-DATA-09")
def test_two_landlocked_regions_and_one_sea_for_all_fleets() -> None:
    assert [name for name, coastal in zip(T.regions, T.coastal, strict=True) if not coastal] == [
        "Holy Roman Empire",
        "Poland",
    ]
    r = rules()
    for kingdom in range(7):
        assert (r.march_class[kingdom] & SEA > 0).tolist() == list(T.coastal)


@pytest.mark.rule("SAGA-DATA-10")
def test_bulgaria_is_a_region() -> None:
    assert T.regions[BULGARIA] == "Bulgaria"
    assert not [name for name in T.kingdoms if "Bulgar" in name]
    assert BULGARIA in T.adjacent[MAGYARS]


@pytest.mark.rule("SAGA-DATA-11")
def test_adjacency_is_the_printed_one_and_meets_its_constraints() -> None:
    assert (BUILTIN / "adjacency.csv").read_text(encoding="utf-8") == printed_csv("kingdom,adjacent regions")
    assert sum(len(adjacent) for adjacent in T.adjacent) == 19
    assert all(len(adjacent) >= 2 for adjacent in T.adjacent)
    neighbours = Counter(region for adjacent in T.adjacent for region in adjacent)
    assert set(neighbours) == set(range(9))
    assert all(neighbours[region] >= 3 for region in range(9) if not T.coastal[region])
    assert {BULGARIA, POLAND} <= T.adjacent[MAGYARS]
    assert EMPIRE in T.adjacent[DANES]


@pytest.mark.rule("SAGA-DATA-12")
def test_derived_classes_are_the_printed_ones() -> None:
    header, *lines = printed_csv("kingdom," + ",".join(T.regions)).splitlines()
    words = {"NONE": NONE, "LAND": LAND, "SEA": SEA, "BOTH": BOTH}
    assert header.split(",")[1:] == list(T.regions)
    assert [line.split(",")[0] for line in lines] == list(T.kingdoms)
    assert [[words[word] for word in line.split(",")[1:]] for line in lines] == rules().march_class.tolist()


# ---- Cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-DATA-13")
def test_value_is_armies_plus_fleets() -> None:
    r = rules()
    assert (r.card_value == r.card_armies + r.card_fleets).all()
    assert set(r.card_value.tolist()) == {1, 2, 3}
    assert set(r.card_suit.tolist()) == set(range(7))


@pytest.mark.rule("SAGA-DATA-14")
@pytest.mark.parametrize(("num_players", "silent"), [(2, set()), (3, {"3-4"}), (4, {"3-4", "4"})])
def test_marks_silence_a_card_by_the_number_of_players(num_players: int, silent: set[str]) -> None:
    r = rules(num_players)
    for line in (BUILTIN / "cards.csv").read_text(encoding="utf-8").splitlines()[1:]:
        card, *_, region, mark = line.split(",")
        assert r.card_places[int(card)] == (region != "-" and mark not in silent)
        assert (r.card_region[int(card)] >= 0) == (region != "-")


@pytest.mark.rule("SAGA-EX-06")
def test_worked_example_of_marks() -> None:
    places = {n: rules(n).card_places for n in COUNTS}
    assert [int(places[n][7]) for n in COUNTS] == [1, 0, 0]
    assert [int(places[n][27]) for n in COUNTS] == [1, 1, 0]
    assert [int(places[n][8]) for n in COUNTS] == [0, 0, 0]
    assert T.cards[7] == (NORMANS, 0, 1, EMPIRE, tables.MARKS.index("3-4"))
    assert T.cards[27] == (SAXONS, 0, 2, FINLAND, tables.MARKS.index("4"))


@pytest.mark.rule("SAGA-DATA-15")
def test_mixed_cards_carry_one_army_and_one_fleet() -> None:
    mixed = [card for card in T.cards if card.armies and card.fleets]
    assert len(mixed) == 6
    assert all((card.armies, card.fleets) == (1, 1) for card in mixed)


@pytest.mark.rule("SAGA-DATA-16")
def test_deck_is_the_printed_one_and_meets_its_constraints() -> None:
    assert (BUILTIN / "cards.csv").read_text(encoding="utf-8") == printed_csv("id,suit,armies,fleets,plunder,mark")
    assert [card.suit for card in T.cards] == [i // 8 for i in range(56)]
    values = Counter(card.armies + card.fleets for card in T.cards)
    assert values == {3: 12, 2: 25, 1: 19}
    assert sum(value * count for value, count in values.items()) == 105
    assert len(set(T.cards)) == 56
    assert T.cards[26] == (SAXONS, 2, 0, BULGARIA, 0)


@pytest.mark.rule("SAGA-DATA-16")
def test_every_region_is_named_evenly() -> None:
    named = [card for card in T.cards if card.region >= 0]
    assert len(named) == 45
    for region in range(9):
        here = [card for card in named if card.region == region]
        assert len({card.suit for card in here}) == len(here) == 5
        assert sum(card.mark > 0 for card in here) == 1
    assert Counter(tables.MARKS[card.mark] for card in named) == {"-": 36, "3-4": 5, "4": 4}
    for suit in range(7):
        mine = [card for card in T.cards if card.suit == suit]
        heaviest = max(card.armies + card.fleets for card in mine)
        assert [card for card in mine if card.armies + card.fleets == heaviest and card.region < 0]


@pytest.mark.rule("SAGA-DATA-17")
@pytest.mark.parametrize(
    ("num_players", "placing", "mean", "most"), [(2, 45, 18.6, 26), (3, 40, 20.9, 31), (4, 36, 23.1, 35)]
)
def test_clock_of_the_deck(num_players: int, placing: int, mean: float, most: int) -> None:
    count = int(rules(num_players).card_places.sum())
    assert count == placing >= 15
    assert 56 - count + 15 == most  # every card that places none, and fifteen that do
    # The 15th of `placing` marked cards in a random order of 56 stands at 15 * 57 / (placing + 1) on average.
    assert abs(15 * 57 / (count + 1) - mean) < 0.05
    draw_pile = 56 - 6 * num_players - 3
    assert (most - 1 > draw_pile) == (num_players == 4)  # who ends the rally draws no card


# ---- Trade routes ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-DATA-18", "SAGA-DATA-19")
def test_routes_are_the_printed_ones_and_meet_their_constraints() -> None:
    assert (BUILTIN / "routes.csv").read_text(encoding="utf-8") == printed_csv("id,kingdom,region,value")
    assert len({(route.kingdom, route.region) for route in T.routes}) == 20
    for column, size in (("kingdom", 7), ("region", 9)):
        found = Counter(getattr(route, column) for route in T.routes)
        assert set(found) == set(range(size))
        assert set(found.values()) <= {2, 3}
    assert sum(route.value for route in T.routes) == 57
    r = rules()
    worth = {BOTH: 2, SEA: 3, LAND: 3, NONE: 4}
    for i, route in enumerate(T.routes):
        assert route.value == worth[int(r.march_class[route.kingdom, route.region])]
        assert (r.route_kingdom[i], r.route_region[i], r.route_value[i]) == route


# ---- RULES ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-OPT-01")
def test_player_count_changes_infamy_and_marks_only() -> None:
    two, four = rules(2), rules(4)
    different = {name for name in tables.RULES.names if not np.array_equal(two[name], four[name])}
    assert different == {"num_players", "start_infamy", "card_places"}
    assert [rules(n).start_infamy.tolist() for n in COUNTS] == [[3, 6, 0, 0], [3, 3, 3, 0], [5, 4, 3, 6]]


def test_rules_are_fresh_and_without_engine_settings() -> None:
    first, second = build_rules(Options()), build_rules(Options())
    assert first.shape == (1,)
    assert first.dtype == tables.RULES
    assert (first[0].history, first[0].dense) == (0, 0)
    first["card_value"] = 0
    assert second["card_value"].all()
    assert build_rules(Options())["card_value"].all()


def test_names_survive_in_the_record() -> None:
    r = rules()
    assert [tables.place_name(r, place) for place in range(16)] == [*T.kingdoms, *T.regions]


def test_smaller_tables_make_rules_of_their_size() -> None:
    small = tables.Tables(T.kingdoms[:2], T.regions[:3], T.coastal[:3], T.adjacent[5:7], T.cards[:2], (), "00" * 32)
    r = tables.rules_from(small, Options())[0]
    assert (r.num_kingdoms, r.num_regions, r.num_cards, r.num_routes) == (2, 3, 2, 0)
    assert r.suit_cards.tolist() == [3, 0, 0, 0, 0, 0, 0]
    assert r.card_region[2:].tolist() == [-1] * 54
    assert not r.march_class[2:].any()
