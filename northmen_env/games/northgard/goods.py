"""Resources and fame."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import Event
from northmen_env.games.northgard.amounts import NOTHING
from northmen_env.games.northgard.board import built_yield
from northmen_env.games.northgard.plots import has
from northmen_env.games.northgard.tables import RESOURCES


@kernel
def gain(rules, state, p, kind, n):
    """Give a seat resources of a kind."""
    if n > 0:
        state.resources[p, kind] += n
        emit(rules, state, Event.GAIN, p, kind, n)


@kernel
def spend(rules, state, p, kind, n):
    """Let a seat pay resources of a kind to the supply."""
    state.resources[p, kind] -= n
    for _ in range(n):
        emit(rules, state, Event.PAY, p, kind, NOTHING)


@kernel
def add_fame(rules, state, p, n):
    """Give a seat fame."""
    if n != 0:
        state.fame[p] += n
        emit(rules, state, Event.FAME, p, n, NOTHING)


@kernel
def total(state, p):
    """Return the number of resources of a seat."""
    return np.int64(state.resources[p, 0]) + np.int64(state.resources[p, 1]) + np.int64(state.resources[p, 2])


@kernel
def harvest_yield(rules, state, t, kind):
    """Return what a territory gives of a kind in a harvest: under a Wolf only its buildings (NORTH-CRE-35)."""
    if has(state.wolves, t):
        return built_yield(rules, state, t, kind)
    return np.int64(state.yields[t, kind])


@kernel
def collect(rules, state, p, t):
    """Give a seat the resources of a territory as in a harvest."""
    for kind in range(RESOURCES):
        gain(rules, state, p, kind, harvest_yield(rules, state, t, kind))
