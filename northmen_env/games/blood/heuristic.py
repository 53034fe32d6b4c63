"""The game's heuristic in its first form: `suggest` acts rather than passes, `evaluate` takes the present standing.

`suggest` looks at what its seat knows and at nothing else: at the legal actions of its own decision. Where there are
several that act, it takes one of them by `seed`; it lays village tiles first, and passes or draws only where nothing
else is legal.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_AGENT, below, draw, stream
from northmen_env.games.blood.actions import DRAW, PASS, PILE, TILE
from northmen_env.games.blood.amounts import ONE, ZERO
from northmen_env.games.blood.bounds import MAX_LEGAL
from northmen_env.games.blood.rules import legal_ids
from northmen_env.games.blood.scoring import count_higher, count_lower
from northmen_env.games.blood.state import Decision

_RELUCTANT = ZERO  # PASS, DRAW, and the pile in place of a hand tile
_PLAIN = ONE
_VILLAGE = np.int64(2)


@kernel
def suggest(rules, state, player, seed):
    """Return a legal action for `player`, the seat to act."""
    ids = np.empty(MAX_LEGAL, np.int16)
    count = legal_ids(rules, state, ids)
    best, number = ZERO, 0
    for i in range(count):
        worth = worth_of(rules, state, np.int64(ids[i]))
        if worth > best:
            best, number = worth, 0
        if worth == best:
            ids[number] = ids[i]
            number += 1
    key = stream(seed, PURPOSE_AGENT, player, ZERO)
    return np.int64(ids[below(draw(key, ZERO), number)])


@kernel
def worth_of(rules, state, action):
    """Return how gladly an action is taken."""
    if action in (PASS, DRAW, PILE):
        return _RELUCTANT
    if state.decision == Decision.D01 and rules.village[action - TILE] >= 0:
        return _VILLAGE
    return _PLAIN


@kernel
def evaluate(rules, state, out):
    """Write an estimate of each seat's returns: the rank by (villages held, points, warbands), as if it were over."""
    out[:] = 0.0
    colours = np.int64(rules.colours)
    for p in range(np.int64(rules.num_players)):
        out[p] = (count_lower(rules, state, p) - count_higher(rules, state, p)) / (colours - 1)
