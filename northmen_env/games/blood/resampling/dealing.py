"""Dealing hidden tiles to the places that a seat does not see."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix, shuffle
from northmen_env.games.blood.amounts import NOTHING, ZERO
from northmen_env.games.blood.reach import high_bit, low_bit
from northmen_env.games.blood.tables import TILES
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, clear, include, size

_ALL = ((1 << PER_WORD) - 2, (1 << (TILES + 1 - PER_WORD)) - 1)
"""The words of the set of all tiles."""

_OWN = TILES + 1
"""Streams of one deal for the own tiles of each colour, beside those of the tiles."""


@kernel
def list_hidden(rules, state, player, items):
    """Write the hidden tiles of a seat (BLOOD-INFO-04) into `items`, ascending; return how many there are."""
    n = ZERO
    for w in range(WORDS):
        rest = _ALL[w] & ~known_word(rules, state, player, w)
        while rest != 0:
            items[n] = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            n += 1
    return n


@kernel
def known_word(rules, state, player, w):
    """Return word `w` of the set of the tiles that a seat knows the place, or with `held` the owner of."""
    known = state.on_map[w] | state.discard[w] | state.hand[player, w] | state.prepared[player, w]
    if state.active == player:
        known |= state.fresh[w]
    for q in range(np.int64(rules.num_players)):
        known |= state.held[q, w]
    for i in range(np.int64(state.battle_size)):
        known |= state.battle_revealed[i, w]
    placing = np.int64(state.placing_tile)
    if placing > 0:
        known |= low_bit(placing) if w == 0 else high_bit(placing)
    return known


@kernel
def list_tiles(words, items):
    """Write a set into `items`, ascending; return its size."""
    n = ZERO
    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            items[n] = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            n += 1
    return n


@kernel
def fill(words, items, start, number):
    """Make a set of `number` items from place `start` on; return the place after them."""
    clear(words)
    for i in range(start, start + number):
        include(words, np.int64(items[i]))
    return start + number


@kernel
def deal_to_all(rules, state, player, hidden, number, key):
    """Shuffle the hidden tiles and deal them to all places that `player` does not see."""
    shuffle(key, hidden, number)
    deal_rest(rules, state, player, NOTHING, hidden, key)


@kernel
def deal_rest(rules, state, player, done, hidden, key):
    """Deal shuffled tiles to the seats but `player` and `done`, to the removed tiles and to the pile."""
    at = ZERO
    for q in range(np.int64(rules.colours)):
        if q != player and q != done:
            at = deal_to_seat(state, q, hidden, at, key)
    at = fill(state.removed, hidden, at, size(state.removed))
    for i in range(np.int64(state.pile_top), TILES):
        state.pile[i] = hidden[at]
        at += 1


@kernel
def deal_to_seat(state, q, hidden, at, key):
    """Deal a colour its hand, prepared and fresh tiles, the held ones anywhere among them; return the next place."""
    in_hand, prepared = np.int64(state.hand_size[q]), size(state.prepared[q])
    fresh = size(state.fresh) if q == state.active else ZERO
    if state.held[q, 0] | state.held[q, 1] == 0:
        at = fill(state.hand[q], hidden, at, in_hand)
        at = fill(state.prepared[q], hidden, at, prepared)
        return fill(state.fresh, hidden, at, fresh) if fresh > 0 else at
    own = np.empty(TILES, np.int16)
    n = list_tiles(state.held[q], own)
    while n < in_hand + prepared + fresh:
        own[n] = hidden[at]
        n += 1
        at += 1
    if prepared + fresh > 0:
        shuffle(mix(key, _OWN + q), own, n)
    next_own = fill(state.hand[q], own, ZERO, in_hand)
    next_own = fill(state.prepared[q], own, next_own, prepared)
    if fresh > 0:
        fill(state.fresh, own, next_own, fresh)
    return at
