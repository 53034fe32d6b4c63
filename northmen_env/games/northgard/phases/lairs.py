"""Creature cards and the line of creatures on the map (NORTH-CRE-02 … -04)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import shuffle, stream
from northmen_env.games.northgard.actions import Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, ZERO
from northmen_env.games.northgard.plots import bit_of, include
from northmen_env.games.northgard.tables import CREATURES, SEATS, Kind

# Purpose of random draws: owner 0, occurrence 0 the creatures that are no Valkyries, 1 the lower part of the pile, from
# 2 on the reshuffles; item = creature.
PURPOSE_CREATURES = np.int64(3)
COUNTER = SEATS + 1
"""Place in `state.shuffles`."""


@kernel
def shuffle_creatures(state, items, size):
    """Order creatures by the next draws of their stream."""
    shuffle(stream(state.seed, PURPOSE_CREATURES, ZERO, np.int64(state.shuffles[COUNTER])), items, size)
    state.shuffles[COUNTER] += 1


@kernel
def pile_up(rules, state):
    """Make the creature draw pile (NORTH-SETUP-11): its upper part holds no Valkyrie."""
    upper = np.int64(rules.num_players) + 1
    items = np.empty(CREATURES, np.int16)
    size = ZERO
    for creature in range(CREATURES):
        if rules.creature_kind[creature] != Kind.VALKYRIE:
            items[size] = creature
            size += 1
    shuffle_creatures(state, items, size)
    for i in range(upper):
        state.creature_pile[CREATURES - 1 - i] = items[i]
    for i in range(upper, size):
        items[i - upper] = items[i]
    size -= upper
    for creature in range(CREATURES):
        if rules.creature_kind[creature] == Kind.VALKYRIE:
            items[size] = creature
            size += 1
    shuffle_creatures(state, items, size)
    for i in range(size):
        state.creature_pile[size - 1 - i] = items[i]
    state.creature_pile_size = CREATURES
    state.creature_top = upper


@kernel
def reveal(rules, state):
    """Take the top creature card, from the discard pile shuffled anew if need be (NORTH-CRE-04); -1: there is none."""
    if state.creature_pile_size == 0:
        items = np.empty(CREATURES, np.int16)
        size, rest = ZERO, np.int64(state.creature_discard)
        for creature in range(CREATURES):
            if (rest >> creature) & 1 != 0:
                items[size] = creature
                size += 1
        if size == 0:
            return NOTHING
        shuffle_creatures(state, items, size)
        for i in range(size):
            state.creature_pile[size - 1 - i] = items[i]
        state.creature_pile_size = size
        state.creature_discard = 0
        emit(rules, state, Event.SHUFFLE, NOTHING, ONE, NOTHING)
    at = np.int64(state.creature_pile_size) - 1
    creature = np.int64(state.creature_pile[at])
    state.creature_pile[at] = 0
    state.creature_pile_size = at
    if state.creature_top > 0:
        state.creature_top -= 1
    return creature


@kernel
def place_creature(rules, state, creature, t):
    """A creature appears in a territory, at the right end of the line (NORTH-CRE-03)."""
    size = np.int64(state.line_size)
    state.line[size] = creature
    state.line_size = size + 1
    state.creature_at[creature] = t
    mark(rules, state)
    emit(rules, state, Event.APPEAR, NOTHING, creature, np.int64(state.slot[t]))


@kernel
def mark(rules, state):
    """Write the sets of territories with Brown Bears, Wolves and Fallen Valkyries anew."""
    state.bears[:] = 0
    state.wolves[:] = 0
    state.valkyries[:] = 0
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        t, kind = np.int64(state.creature_at[creature]), rules.creature_kind[creature]
        if kind == Kind.BEAR:
            include(state.bears, t)
        elif kind == Kind.WOLF:
            include(state.wolves, t)
        elif kind == Kind.VALKYRIE:
            include(state.valkyries, t)


@kernel
def slay(rules, state, p, creature):
    """A creature leaves the map and the line; its card goes to the creature discard pile (NORTH-CRE-17)."""
    size, kept = np.int64(state.line_size), 0
    for i in range(size):
        if state.line[i] != creature:
            state.line[kept] = state.line[i]
            kept += 1
    state.line[kept] = 0
    state.line_size = kept
    state.creature_at[creature] = -1
    state.creature_discard |= 1 << creature
    state.awake &= ~(1 << creature)
    mark(rules, state)
    emit(rules, state, Event.SLAIN, p, creature, NOTHING)


@kernel
def creatures_in(state, t):
    """Return the bit set of the creatures in a territory."""
    found = 0
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        if state.creature_at[creature] == t:
            found |= 1 << creature
    return found


@kernel
def crowded_word(rules, state, w):
    """Return a word of the set of territories with two or more Fallen Valkyries (NORTH-CRE-06)."""
    if state.valkyries[w] == 0:
        return np.int64(0)
    once, twice = np.int64(0), np.int64(0)
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        if rules.creature_kind[creature] == Kind.VALKYRIE:
            bit = bit_of(np.int64(state.creature_at[creature]), w)
            twice |= once & bit
            once |= bit
    return twice
