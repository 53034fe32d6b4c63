"""Setup (SAGA-SETUP): what a new game looks like, and that nothing but the stated draws is left to chance."""

from __future__ import annotations

import numpy as np
import pytest
from positions import game, load

from northmen_env.engine.random import shuffle, stream

COUNTS = (2, 3, 4)
STARTING_INFAMY = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}


def shuffled(seed: int, purpose: int, occurrence: int, ids: list[int]) -> list[int]:
    items = np.asarray(ids, np.int16)
    shuffle(np.uint64(stream(np.uint64(seed), purpose, 0, occurrence)), items, len(ids))
    return items.tolist()


@pytest.mark.rule("SAGA-SETUP-01")
@pytest.mark.parametrize("n", COUNTS)
def test_every_seat_has_the_pieces_of_one_colour(n: int) -> None:
    d = game(num_players=n).new_initial_state(seed=5).to_dict()
    assert [a + b for a, b in zip(d["reserve"], d["infamy"], strict=True)] == [30] * n
    assert d["hero_supply"] == [3] * n
    assert d["time_used"] == [False] * n
    assert not any(map(any, d["cubes"])) and not any(map(any, d["heroes"]))


@pytest.mark.rule("SAGA-SETUP-02", "SAGA-OPT-02")
def test_seat_0_leads_unless_the_option_says_otherwise() -> None:
    for n in COUNTS:
        for leader in range(n):
            d = game(num_players=n, first_leader=leader).new_initial_state(seed=1).to_dict()
            assert (d["leader"], d["player"], d["decision"]) == (leader, leader, "PLAY")
        assert game(num_players=n).new_initial_state(seed=1).to_dict()["leader"] == 0
        drawn = game(num_players=n, first_leader="random")
        leaders = [drawn.new_initial_state(seed=seed).to_dict()["leader"] for seed in range(60)]
        assert set(leaders) == set(range(n))
        assert leaders == [drawn.new_initial_state(seed=seed).to_dict()["leader"] for seed in range(60)]


@pytest.mark.rule("SAGA-SETUP-03")
@pytest.mark.parametrize("n", COUNTS)
def test_cards_are_dealt_from_the_top_in_leader_order(n: int) -> None:
    d = game(num_players=n, first_leader=1).new_initial_state(seed=12).to_dict()
    order = shuffled(12, 2, 1, list(range(56)))
    for distance in range(n):
        assert d["hands"][(1 + distance) % n] == sorted(order[6 * distance : 6 * distance + 6])
    assert d["slots"] == order[6 * n : 6 * n + 3]
    assert d["draw_pile"] == order[6 * n + 3 :]
    assert len(d["draw_pile"]) == {2: 41, 3: 35, 4: 29}[n]
    assert d["piles"] == [[] for _ in range(n)]


@pytest.mark.rule("SAGA-SETUP-04")
@pytest.mark.parametrize("n", COUNTS)
def test_two_routes_each_in_leader_order(n: int) -> None:
    d = game(num_players=n, first_leader=1).new_initial_state(seed=12).to_dict()
    order = shuffled(12, 3, 1, list(range(20)))
    for distance in range(n):
        assert d["routes_open"][(1 + distance) % n] == sorted(order[2 * distance : 2 * distance + 2])
    assert d["route_deck"] == order[2 * n :]
    assert len(d["route_deck"]) == {2: 16, 3: 14, 4: 12}[n]


@pytest.mark.rule("SAGA-SETUP-05")
def test_only_the_owner_sees_what_is_dealt() -> None:
    state = game(num_players=3).new_initial_state(seed=3)
    d = state.to_dict()
    names = [kind.name for kind in state.game.spec.events]
    for p in range(3):
        rows = state.events(p)
        dealt = [(seat, card) for code, seat, card, _ in rows if names[code] == "deal"]
        assert sorted(dealt) == [(p, card) for card in d["hands"][p]]
        routes = [(seat, route) for code, seat, route, _ in rows if names[code] == "deal_route"]
        assert sorted(routes) == [(p, route) for route in d["routes_open"][p]]


@pytest.mark.rule("SAGA-SETUP-06")
def test_one_group_of_tokens_waits_for_the_first_rally() -> None:
    for n in COUNTS:
        d = game(num_players=n).new_initial_state(seed=2).to_dict()
        assert (d["group"], d["tokens"], d["plunder"]) == (15, [0] * 9, [0] * n)


@pytest.mark.rule("SAGA-SETUP-07", "SAGA-EX-12")
@pytest.mark.parametrize("n", COUNTS)
def test_starting_infamy_goes_by_leader_distance(n: int) -> None:
    for leader in range(n):
        d = game(num_players=n, first_leader=leader).new_initial_state(seed=0).to_dict()
        infamy = [d["infamy"][(leader + distance) % n] for distance in range(n)]
        assert tuple(infamy) == STARTING_INFAMY[n]
        reserve = [d["reserve"][(leader + distance) % n] for distance in range(n)]
        assert reserve == {2: [27, 24], 3: [27, 27, 27], 4: [25, 26, 27, 24]}[n]


@pytest.mark.rule("SAGA-SETUP-08")
def test_only_the_shuffles_are_left_to_chance() -> None:
    start = game(num_players=3).new_initial_state(seed=8).to_dict()
    one, other = load(start, seed=1), load(start, seed=2)
    while one.to_dict()["round"] == 1:
        assert one.to_dict() == other.to_dict()
        action = one.legal_actions()[-1]
        one.apply_action(action)
        other.apply_action(action)
    first, second = one.to_dict(), other.to_dict()
    cards = ("hands", "slots", "draw_pile")
    assert all(first[key] != second[key] for key in cards)
    assert {k: v for k, v in first.items() if k not in cards} == {k: v for k, v in second.items() if k not in cards}


@pytest.mark.rule("SAGA-SETUP-08")
def test_games_of_one_seed_are_equal_and_of_two_seeds_are_not() -> None:
    def final(seed: int) -> str:
        state = game(num_players=4).new_initial_state(seed=seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        return state.digest()

    assert final(2**64 - 1) == final(2**64 - 1)
    assert final(0) != final(1)
