"""Uniformly random play inside one kernel, and the sampler that Python code can follow step by step.

The sampler: in the game with seed `s`, decision number `t` (from 0) takes the legal action at index
`below(draw(stream(s, PURPOSE_SAMPLER, 0, 0), t), count)` of the ascending legal actions.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, episode_seed, mix, stream

UNLIMITED = 2**40
"""Decisions of a playout that is played to the end: more than any game has."""


@kernel
def play_on(rules, state, key, limit):
    """Play by the heuristic, with the chance of stream `key`, to the end or for `limit` decisions."""
    for decision in range(limit):
        if state.player < 0:
            return
        verbs.step(rules, state, verbs.suggest(rules, state, int(state.player), mix(key, decision)))


@kernel
def value_of(rules, state, player, with_estimate, payoff):
    """Return what a playout that came to `state` is worth to `player`.

    That is the game's estimate where it was cut off; and where the game ended the returns, or with `with_estimate` (0
    or 1) the mean of both, so that a clear result counts for more than a narrow one. `payoff` float64 (seats,) is
    scratch.
    """
    share, value = 0.0, 0.0
    if state.player < 0:
        verbs.returns(rules, state, payoff)
        share = 0.5 if with_estimate != 0 else 1.0
        value = share * payoff[player]
    if share < 1.0:
        verbs.evaluate(rules, state, payoff)
        value += (1.0 - share) * payoff[player]
    return value


@kernel
def play_to_end(rules, state, key, ids):
    """Play uniformly at random from `state` to the end, with the draws of stream `key`; return the decisions made."""
    decisions = 0
    while state.player >= 0:
        count = verbs.legal_ids(rules, state, ids)
        verbs.step(rules, state, int(ids[below(draw(key, decisions), count)]))
        decisions += 1
    return decisions


@kernel
def fingerprint(words):
    """Hash the uint64 words of a state's bytes, event rings and seed included, to a uint64."""
    key = mix(0, words.shape[0])
    for i in range(words.shape[0]):
        key = mix(key, words[i])
    return key


@kernel
def playouts(rules, states, words, first, games, seed, ids, mask, decisions, returns):
    """Play games number `first` .. `first + games - 1` of the run `seed` and return the hash of their final states.

    Args:
        rules, states: arrays (1,); `states` is used up.
        words: the uint64 view of the bytes of `states`.
        ids: int16 (max_legal,) scratch.
        mask: int8 (num_actions,), zero; holds the legal actions' mask at each decision, as a user would read it.
        decisions: int64 (games,), and returns: float64 (games, seats): filled in.
    """
    key = mix(0, 0)
    for g in range(games):
        game_seed = episode_seed(seed, first + g)
        words[:] = 0
        verbs.setup(rules[0], states[0], game_seed)
        decisions[g] = _play_with_masks(rules[0], states[0], stream(game_seed, PURPOSE_SAMPLER, 0, 0), ids, mask)
        verbs.returns(rules[0], states[0], returns[g])
        key = mix(key, fingerprint(words))
    return key


@kernel
def _play_with_masks(rules, state, key, ids, mask):
    decisions = 0
    while state.player >= 0:
        count = verbs.legal_ids(rules, state, ids)
        for i in range(count):
            mask[ids[i]] = 1
        action = int(ids[below(draw(key, decisions), count)])
        for i in range(count):
            mask[ids[i]] = 0
        verbs.step(rules, state, action)
        decisions += 1
    return decisions


@kernel
def suggested_games(rules, states, words, first, games, seed, decisions, returns):
    """As `playouts`, every seat playing by the game's heuristic (`verbs.suggest`)."""
    key = mix(0, 0)
    for g in range(games):
        game_seed = episode_seed(seed, first + g)
        words[:] = 0
        verbs.setup(rules[0], states[0], game_seed)
        made = 0
        while states[0].player >= 0:
            draws = stream(game_seed, PURPOSE_SAMPLER, 1, made)
            verbs.step(rules[0], states[0], verbs.suggest(rules[0], states[0], int(states[0].player), draws))
            made += 1
        decisions[g] = made
        verbs.returns(rules[0], states[0], returns[g])
        key = mix(key, fingerprint(words))
    return key


@kernel
def observed_games(rules, states, words, first, games, seed, ids, out, decisions):
    """As `playouts`, writing the acting seat's observation into float32 `out` (D,) at each decision."""
    key = mix(0, 0)
    for g in range(games):
        game_seed = episode_seed(seed, first + g)
        words[:] = 0
        verbs.setup(rules[0], states[0], game_seed)
        draws = stream(game_seed, PURPOSE_SAMPLER, 0, 0)
        made = 0
        while states[0].player >= 0:
            verbs.observe(rules[0], states[0], int(states[0].player), out)
            count = verbs.legal_ids(rules[0], states[0], ids)
            verbs.step(rules[0], states[0], int(ids[below(draw(draws, made), count)]))
            made += 1
        decisions[g] = made
        key = mix(key, fingerprint(words))
    return key


def state_words(states: np.ndarray) -> np.ndarray:
    """Return the uint64 view of the bytes of a contiguous array of states."""
    return states.view(np.uint8).reshape(-1).view(np.uint64)
