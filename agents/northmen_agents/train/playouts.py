"""What other actions would have been worth: a few playouts of each, under the same luck (no torch needed).

For a decision at hand some of the legal actions are compared: each is taken in the same imagined worlds, which the seat
cannot tell from the true one, and each world is played on by the game's heuristic, all seats with the same chance. The
differences are unbiased estimates of what departing from the heuristic once is worth, which a network that sees many
decisions averages: a rollout algorithm (Tesauro & Galperin: On-line policy improvement using Monte-Carlo search, NIPS
1996) whose result is learned (Lagoudakis & Parr: Reinforcement learning as classification, ICML 2003).
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.playout import play_on, value_of
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, stream

WORLD, PLAYOUT = 0, 1
NONE = -1


@kernel
def compare_games(b, keys, candidates, worlds, limit, states, worth, first, last):
    """Write what candidate actions are worth in the envs of [first, last).

    Args:
        b: an `engine.batch.Batch`; each env is at a decision.
        keys: uint64 (N,), the chance of each comparison.
        candidates: int64 (N, K), legal actions, NONE where there is none.
        worlds: playouts of each candidate.
        limit: decisions of a playout before the game's `evaluate` estimates the rest.
        states: (N, 2) STATE, scratch.
        worth: float64 (N, K): filled with mean values (`value_of`) to the seat to act; 0 where there is no candidate.
    """
    for i in range(first, last):
        rules, player = b.rules[b.config[i]], int(b.states[i].player)
        payoff = np.zeros(b.rewards.shape[1])
        worth[i] = 0.0
        for number in range(worlds):
            states[i, WORLD] = b.states[i]
            verbs.resample(rules, states[i, WORLD], player, stream(keys[i], PURPOSE_RESAMPLE, player, number))
            for k in range(candidates.shape[1]):
                if candidates[i, k] == NONE:
                    continue
                states[i, PLAYOUT] = states[i, WORLD]
                verbs.step(rules, states[i, PLAYOUT], candidates[i, k])
                play_on(rules, states[i, PLAYOUT], stream(keys[i], PURPOSE_SAMPLER, 1, number), limit)
                worth[i, k] += value_of(rules, states[i, PLAYOUT], player, 1, payoff) / worlds


def choose_candidates(
    masks: np.ndarray, suggested: np.ndarray, taken: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Return int64 (N, count): the suggestion, the action that is taken, and others at random; NONE where none is left.

    Args:
        masks: int8 (N, A).
        suggested, taken: int64 (N,), legal.
        count: at least 2.
        rng: draws the others.
    """
    rows = np.arange(len(masks))
    order = np.where(masks != 0, rng.random(masks.shape, np.float32), np.float32(-1.0))
    order[rows, taken] = 2.0
    order[rows, suggested] = 3.0
    most = min(count, masks.shape[1])
    best = np.argpartition(-order, most - 1, axis=1)[:, :most]
    found = np.full((len(masks), count), NONE)
    found[:, :most] = np.where(np.take_along_axis(order, best, 1) >= 0.0, best, NONE)
    return found
