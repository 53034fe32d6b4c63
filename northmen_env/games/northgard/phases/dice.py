"""The Northgard die (NORTH-DIE-01)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw, stream
from northmen_env.games.northgard.actions import Event
from northmen_env.games.northgard.amounts import NOTHING, ZERO
from northmen_env.games.northgard.state import ROLLS
from northmen_env.games.northgard.tables import FACES, SEATS

# Purpose of random draws: owner = the roller, SEATS for creatures, occurrence = number of its roll, item 0.
PURPOSE_DICE = np.int64(2)
FACE_COUNT = np.int64(FACES)


@kernel
def roll(rules, state, p):
    """Roll a die for a seat, -1 for a creature; return the face."""
    owner = p if p >= 0 else SEATS
    key = stream(state.seed, PURPOSE_DICE, np.int64(owner), np.int64(state.dice[owner]))
    state.dice[owner] += 1
    face = below(draw(key, ZERO), FACE_COUNT)
    n = np.int64(state.rolls)
    if n < ROLLS:
        state.rolled[n] = face
        state.rolls = n + 1
    emit(rules, state, Event.ROLL, p, face, NOTHING)
    return face


@kernel
def axes(rules, face, choice):
    """Return the axes of a face; `choice` is what its roller took where the face offers it, -1 for no choice."""
    if face < 0 or (rules.die_choice[face] != 0 and choice == 1):
        return 0
    return np.int64(rules.die_axes[face])


@kernel
def skulls(rules, face, choice):
    """Return the skulls of a face; without a choice a face that offers it has axes (NORTH-CRE-14)."""
    if face < 0 or (rules.die_choice[face] != 0 and choice != 1):
        return 0
    return np.int64(rules.die_skulls[face])
