"""Comparing what a learner could do by playouts (`northmen_agents.train.playouts`)."""

from __future__ import annotations

import numpy as np
import pytest

from northmen_agents.train.playouts import NONE, choose_candidates, compare_games
from northmen_env.engine import boundary, verbs
from northmen_env.engine.game import Game
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, mix, stream
from northmen_env.engine.state import State
from northmen_env.envs.learners import NorthmenVectorEnv
from tiny import ask, coin

GAMES = {"coin": Game(coin.GAME, num_players=3), "ask": Game(ask.GAME, num_players=4)}


def test_candidates_are_legal_different_and_hold_the_suggestion_and_what_is_taken() -> None:
    rng, counts = np.random.default_rng(0), set()
    for _ in range(200):
        masks = (rng.random((8, 10)) < 0.4).astype(np.int8)
        masks[:, 3] = 1
        drawn = [rng.choice(np.flatnonzero(mask), 2) for mask in masks]
        suggested, taken = np.array(drawn).T
        found = choose_candidates(masks, suggested, taken, 4, rng)
        assert found.shape == (8, 4)
        for row, mask, own in zip(found, masks, drawn):
            there = row[row != NONE].tolist()
            assert len(set(there)) == len(there) == min(4, mask.sum())
            assert mask[there].all() and set(own.tolist()) <= set(there)
            counts.add(len(there))
    assert counts >= {1, 2, 3, 4}
    few = choose_candidates(np.ones((2, 3), np.int8), np.array([0, 1]), np.array([2, 1]), 5, rng)
    assert [sorted(row.tolist()) for row in few] == [[NONE, NONE, 0, 1, 2]] * 2
    many = np.concatenate([choose_candidates(np.ones((400, 10), np.int8), *np.zeros((2, 400), int), 3, rng)])
    others = np.bincount(many[many > 0], minlength=10)[1:]
    assert others.min() > 50, "the others are drawn evenly"


def value(state: State, seat: int) -> float:
    """Return the estimate of an unfinished game, and the mean of result and estimate of a finished one."""
    estimate = np.zeros(state.game.seats)
    verbs.evaluate(state.game.rules[0], state.array[0], estimate)
    return float(estimate[seat] if not state.is_terminal() else (state.returns()[seat] + estimate[seat]) / 2)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("limit", [0, 2, 1000])
def test_what_a_candidate_is_worth_is_what_playing_it_out_in_python_says(name: str, limit: int) -> None:
    game, worlds, n = GAMES[name], 3, 4
    envs = NorthmenVectorEnv([game], n, "random", "random")
    envs.reset(seed=4)
    rng, seen = np.random.default_rng(1), set()
    for _ in range(8):
        suggested = envs.suggestions(rng.integers(2**64, size=n, dtype=np.uint64))
        candidates = choose_candidates(envs.action_masks(), suggested, suggested, 3, rng)
        keys, worth = rng.integers(2**64, size=n, dtype=np.uint64), np.full(candidates.shape, 9.0)
        before = envs.get_state()
        compare_games(envs.batch, keys, candidates, worlds, limit, np.zeros((n, 2), game.spec.state_dtype), worth, 0, n)
        assert envs.get_state() == before
        for i in range(n):
            true = envs.game_state(i)
            seat = true.current_player
            for action, found in zip(candidates[i].tolist(), worth[i].tolist()):
                if action == NONE:
                    assert found == 0.0
                    continue
                total = 0.0
                for number in range(worlds):
                    state = true.resample(seat, int(stream(keys[i], PURPOSE_RESAMPLE, seat, number)))
                    state.apply_action(action)
                    draws = stream(keys[i], PURPOSE_SAMPLER, 1, number)
                    for decision in range(limit):
                        if state.is_terminal():
                            break
                        key = np.uint64(mix(draws, decision))
                        state.apply_action(boundary.suggest(game.rules, state.array, state.current_player, key))
                    total += value(state, seat)
                    seen.add(state.is_terminal())
                assert found == pytest.approx(total / worlds, abs=1e-9)
        envs.step(suggested)
    assert seen == ({True, False} if limit < 1000 else {True})
