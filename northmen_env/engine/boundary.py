"""The kernels that Python calls once per decision: check, act, list what is legal next, observe.

They take arrays and an index, because numba passes an array of records four times faster than a record. The number
they return packs the seat to act and the count of its legal actions: `(player + 1) << 16 | count`; -1 is a refusal.

A game begins with the action BEGIN, not with a kernel of its own: `setup` may contain the whole game, as far as it can
go on without a choice, and would be compiled, kept and loaded twice.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.observation import write_observation
from northmen_env.engine.rewards import pay

REFUSED = -1
BEGIN = -1
"""In place of an action: set up the game of the seed in `states[0]`, whose other bytes are all zero."""


@kernel
def legal(rules, states, ids):
    """List the legal actions of `states[0]` in int16 `ids` (max_legal,)."""
    count = verbs.legal_ids(rules[0], states[0], ids)
    return ((int(states[0].player) + 1) << 16) | int(count)


@kernel
def is_legal(rules, state, action, ids):
    """Return whether `action` is legal; `ids` is scratch."""
    count = verbs.legal_ids(rules, state, ids)
    for i in range(count):
        if ids[i] == action:
            return True
    return False


@kernel
def advance(rules, states, action, ids):
    """Take `action` (or BEGIN) if it is legal and list the next legal actions; an illegal one changes nothing."""
    if action == BEGIN:
        verbs.setup(rules[0], states[0], states[0].seed)
        return legal(rules, states, ids)
    if not is_legal(rules[0], states[0], action, ids):
        return REFUSED
    verbs.step(rules[0], states[0], action)
    return legal(rules, states, ids)


@kernel
def observe(rules, states, player, out):
    """Write the observation of `player` into float32 `out` (D,)."""
    write_observation(rules[0], states[0], player, out)


@kernel
def turn(rules, states, action, ids, mask, observation, paid, rewards):
    """`advance`, and what an environment returns: mask and observation of the next seat, every seat's reward.

    At the end the mask is zero and the observation is that of the seat that made the last decision. BEGIN pays nothing.
    """
    if action == BEGIN:
        verbs.setup(rules[0], states[0], states[0].seed)
        return view(rules, states, 0, ids, mask, observation)
    actor = int(states[0].player)
    if not is_legal(rules[0], states[0], action, ids):
        return REFUSED
    verbs.step(rules[0], states[0], action)
    pay(rules[0], states[0], paid, rewards)
    return view(rules, states, actor, ids, mask, observation)


@kernel
def view(rules, states, otherwise, ids, mask, observation):
    """Write mask and observation of the seat to act (at the end: no mask, and the observation of `otherwise`)."""
    code = legal(rules, states, ids)
    mask[:] = 0
    for i in range(code & 65535):
        mask[ids[i]] = 1
    player = int(states[0].player)
    write_observation(rules[0], states[0], player if player >= 0 else otherwise, observation)
    return code


@kernel
def resample(rules, states, player, seed):
    """Replace `states[0]` by another state that `player` cannot tell from it."""
    verbs.resample(rules[0], states[0], player, seed)


@kernel
def suggest(rules, states, player, seed):
    """Return the heuristic's action for `player`, who is to act in `states[0]`."""
    return verbs.suggest(rules[0], states[0], player, seed)


@kernel
def returns(rules, states, out):
    """Write the returns into float64 `out` (seats,)."""
    verbs.returns(rules[0], states[0], out)


@kernel
def scores(rules, states, out):
    """Write the public points into float64 `out` (seats,)."""
    verbs.scores(rules[0], states[0], out)


@kernel
def evaluate(rules, states, out):
    """Write the heuristic's estimates of the returns into float64 `out` (seats,)."""
    verbs.evaluate(rules[0], states[0], out)


@kernel
def check(rules, states):
    """Return 0, or the number of the first invariant of the game that `states[0]` breaks."""
    return verbs.check(rules[0], states[0])


def unpack(code: int) -> tuple[int, int]:
    """Return `(player, count)` of a packed number; player is -1 at the end."""
    return (code >> 16) - 1, code & 65535


def new_buffer(dtype: np.dtype) -> tuple[bytearray, np.ndarray]:
    """Return zeroed memory for one record and the (1,) array over it (ten times faster than `np.zeros`)."""
    buffer = bytearray(dtype.itemsize)
    return buffer, np.ndarray((1,), dtype, buffer)
