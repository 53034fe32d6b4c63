"""A view is the information set of a seat, and nothing behind it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cases import TINY, Case
from northmen_env.engine import boundary
from northmen_env.engine.game import Game
from northmen_env.engine.random import secret_seed
from northmen_env.engine.state import State
from northmen_env.engine.view import View
from tiny import coin

every_tiny_game = pytest.mark.parametrize("case", TINY, ids=str)


def coins(state: State) -> tuple[int, ...]:
    return tuple(state.to_dict()["coin"])


@every_tiny_game
def test_samples_are_states_that_the_seat_cannot_tell_from_the_true_one(case: Case) -> None:
    game = case.game(history=3)
    state = game.new_initial_state(4)
    while not state.is_terminal():
        player = state.current_player
        view = View(state, player, 1)
        assert (view.game, view.player, view.legal_actions()) == (game, player, state.legal_actions())
        assert view.suggest(5) == boundary.suggest(game.rules, state.array, player, np.uint64(5))
        for sample in (view.sample(7), *view.sample_many(3, 8)):
            assert np.array_equal(sample.observation(player), state.observation(player))
            assert sample.legal_actions() == state.legal_actions()
            assert sample.array["seed"] != state.array["seed"]
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(ValueError, match="has no view"):
        View(state, 0, 1)


def test_only_the_seat_to_act_has_a_view() -> None:
    state = Game(coin.GAME).new_initial_state(4)
    with pytest.raises(ValueError, match="player 1 is not to act"):
        View(state, 1, 0)
    with pytest.raises(ValueError, match="player must be an integer from 0 to 1"):
        View(state, 2, 0)


def test_samples_follow_from_their_seed_and_leave_the_state_alone() -> None:
    state = Game(coin.GAME, num_players=4).new_initial_state(4)
    before = state.to_bytes()
    view = View(state, 0, 1)
    assert view.sample(3) == view.sample(3)
    assert view.sample_many(5, 3) == view.sample_many(5, 3) != view.sample_many(5, 4)
    assert len({sample.to_bytes() for sample in view.sample_many(50, 3)}) == 50
    records = view.sample_records(5, 3)
    assert [records[i : i + 1].tobytes() for i in range(5)] == [s.array.tobytes() for s in view.sample_many(5, 3)]
    assert state.to_bytes() == before


def test_the_law_of_samples_is_that_of_resampling_whichever_resample_the_view_holds() -> None:
    state = Game(coin.GAME, num_players=3).new_initial_state(4)
    for seed in range(5):
        counts = Counter(coins(sample) for sample in View(state, 0, seed).sample_many(4000, seed))
        assert len(counts) == 4
        assert all(abs(count - 1000) < 150 for count in counts.values())


def test_samples_can_be_weighted() -> None:
    state = Game(coin.GAME, num_players=3).new_initial_state(4)
    view = View(state, 0, 1)
    counts = Counter(coins(sample)[1:3] for sample in view.sample_many(4000, 2, lambda s: 1.0 + 3.0 * coins(s)[1]))
    heads = counts[1, 0] + counts[1, 1]
    assert abs(heads - 3200) < 200
    assert abs(counts[1, 0] - counts[1, 1]) < 300
    none = Counter(coins(sample) for sample in view.sample_many(1000, 2, lambda s: 0.0))
    assert len(none) == 4
    for bad in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite number"):
            view.sample_many(3, 1, lambda s, bad=bad: bad)


def test_wrong_numbers_are_named() -> None:
    view = View(Game(coin.GAME).new_initial_state(4), 0, 1)
    for call in (lambda: view.sample_many(0, 1), lambda: view.sample(-1), lambda: view.sample_records(3, 2**64)):
        with pytest.raises(ValueError, match="must be an integer from"):
            call()


def test_a_secret_seed_is_not_a_bijection_of_the_seed_it_comes_from() -> None:
    """Draws of a stream could be traced back; this one cannot by inverting the mixing function."""
    seeds = [int(secret_seed(np.uint64(seed), 1, 0, 0)) for seed in range(1000)]
    assert len(set(seeds)) == 1000
    bits = np.array([[seed >> bit & 1 for bit in range(64)] for seed in seeds])
    assert abs(bits.mean(axis=0) - 0.5).max() < 0.08
