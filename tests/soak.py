"""Random games inside one kernel, every state of which is checked: the soak's inner loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.jit import kernel
from northmen_env.engine.playout import state_words
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, episode_seed, stream

BROKEN, FEW_ACTIONS, DISORDER, OFF_TABLE, DECISIONS = range(5)
"""Columns of the report: number of a broken invariant (0: none); 1 for fewer than two legal actions; 1 for legal
actions that do not ascend; 1 for one outside the table; most decisions of a game."""


@kernel
def soak_games(rules, states, words, first, games, seed, ids, num_actions, report):
    """Play games `first` .. `first + games - 1` of the run `seed` at random and fill `report` (5,); return decisions.

    It ends at the first fault and leaves its state in `states`. `ids` (max_legal,) is scratch.
    """
    total = 0
    for g in range(first, first + games):
        game_seed = episode_seed(seed, g)
        key = stream(game_seed, PURPOSE_SAMPLER, 0, 0)
        words[:] = 0
        verbs.setup(rules[0], states[0], game_seed)
        decisions = 0
        while fits(rules[0], states[0], ids, num_actions, report) and states[0].player >= 0:
            legal = verbs.legal_ids(rules[0], states[0], ids)
            verbs.step(rules[0], states[0], int(ids[below(draw(key, decisions), legal)]))
            decisions += 1
        total += decisions
        report[DECISIONS] = max(report[DECISIONS], decisions)
        if states[0].player >= 0:
            return total
    return total


@kernel
def fits(rules, state, ids, num_actions, report):
    """Return whether the invariants hold and the legal actions are what agents may rely on."""
    report[BROKEN] = verbs.check(rules, state)
    legal = verbs.legal_ids(rules, state, ids)
    if state.player < 0:
        report[FEW_ACTIONS] = int(legal != 0)
        return report[BROKEN] == 0 and legal == 0
    report[FEW_ACTIONS] = int(legal < 2)
    for i in range(1, legal):
        if ids[i - 1] >= ids[i]:
            report[DISORDER] = 1
    if legal > 0 and (ids[0] < 0 or ids[legal - 1] >= num_actions):
        report[OFF_TABLE] = 1
    return report[BROKEN] + report[FEW_ACTIONS] + report[DISORDER] + report[OFF_TABLE] == 0


def soak(game: Any, first: int, games: int, seed: int) -> tuple[int, np.ndarray]:
    """Return the decisions made and the report over some games of a configuration (its `history` must be positive)."""
    _, states = new_buffer(game.spec.state_dtype)
    report = np.zeros(5, np.int64)
    ids, words = np.zeros(game.max_legal, np.int16), state_words(states)
    made = soak_games(game.rules, states, words, first, games, np.uint64(seed), ids, game.num_actions, report)
    return int(made), report
