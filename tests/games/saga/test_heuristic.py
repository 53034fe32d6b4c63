"""The heuristic: legal, blind to what its seat cannot know, and much better than chance; the evaluation's form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from positions import CUBE, HIRE, PASS, game, load, play, position
from test_observe import RARE, walk

from northmen_env.engine import boundary

CONFIGURATIONS = [{"num_players": n, **more} for n in (2, 3, 4) for more in ({}, RARE | {"recall": "table"})]


def suggested(state, seed=0):
    return int(boundary.suggest(state.game.rules, state.array, state.current_player, np.uint64(seed)))


def evaluated(state):
    out = np.full(4, 9.0)
    boundary.evaluate(state.game.rules, state.array, out)
    return out


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_a_suggestion_is_legal_and_uses_only_what_its_seat_knows(options) -> None:
    for i, state in enumerate(walk(options, 4)):
        if state.is_terminal() or i % 3:
            continue
        before, action = state.array.tobytes(), suggested(state, i)
        assert action in state.legal_actions()
        assert state.array.tobytes() == before
        assert {suggested(state.resample(state.current_player, seed), i) for seed in range(20)} == {action}


def test_whole_games_by_suggestion_end_for_every_seat_alike() -> None:
    for options in CONFIGURATIONS:
        state = game(**options).new_initial_state(seed=8)
        while not state.is_terminal():
            state.apply_action(suggested(state, 8))


@pytest.mark.parametrize(("n", "games", "least"), [(2, 120, 0.80), (3, 90, 0.60), (4, 120, 0.60)])
def test_one_heuristic_beats_random_players(n, games, least) -> None:
    """First places, ties shared; Wilson's lower bound at 95 %."""
    won, rng = 0.0, np.random.default_rng(1)
    for number in range(games):
        state, seat = game(num_players=n).new_initial_state(seed=number // n), number % n
        while not state.is_terminal():
            mine = state.current_player == seat
            state.apply_action(suggested(state, number) if mine else int(rng.choice(state.legal_actions())))
        ranks = state.ranks()
        won += (ranks[seat] == 1) / ranks.count(1)
    share, z = won / games, 1.96
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    assert (share + z * z / (2 * games) - spread) / (1 + z * z / games) >= least


def test_it_sends_what_wins_a_region_and_no_more() -> None:
    """Three cubes from the Norwegians, Finland with four tokens, held by one cube of the other seat, who leads."""
    d = position(
        2, "CUBE", leader=1, piles={0: [48, 49]}, cubes={6: {0: 3}, 10: {1: 1}}, tokens={3: 4, 5: 1},
        march={"kingdom": 6},
    )  # fmt: skip
    state, sent = load(d), []
    while not state.is_terminal() and state.to_dict()["decision"] == "CUBE" and state.current_player == 0:
        action = suggested(state)
        sent.append(action - CUBE)
        state = play(state, action)
    assert sent.count(3) == 2


def test_it_hires_where_one_piece_decides_and_not_in_vain() -> None:
    def after_playing(mine, theirs):
        return load(
            position(
                2, "HIRE", infamy=[9, 3], piles={0: [8, 9, 10, 12], 1: [16, 11, 13]}, cubes={1: {0: mine, 1: theirs}},
                routes_open=[[3, 4, 5], []],
            )
        )  # fmt: skip

    assert suggested(after_playing(4, 4)) == HIRE
    assert suggested(after_playing(6, 0)) == PASS


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_estimates_are_in_range_and_sum_to_zero(options) -> None:
    n = options["num_players"]
    right, pairs = 0, 0
    for seed in range(6):
        states = list(walk(options, seed))
        for state in states[:: len(states) // 6]:
            out = evaluated(state)
            assert np.abs(out).max() <= 1
            assert abs(out.sum()) < 1e-12
            assert not out[n:].any()
        final, late = states[-1].returns(), evaluated(states[-1])
        for p in range(n):
            for q in range(p):
                pairs += final[p] != final[q]
                right += (final[p] - final[q]) * (late[p] - late[q]) > 0
    assert right >= 0.8 * pairs
