"""Hands that make the pending decision of another seat possible (BLOOD-INFO-06)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import draw, mix, shuffle
from northmen_env.games.blood.amounts import ALL_VILLAGES, NOTHING, ZERO
from northmen_env.games.blood.board import fits_somewhere
from northmen_env.games.blood.phases.citadels import can_citadel
from northmen_env.games.blood.resampling.dealing import deal_rest, list_tiles
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import TILES
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, clear, has, include, size

_UNIT = 2.0**-53
_HIDDEN, _HELD, _NUMBERS = (np.int64(TILES + 10 + i) for i in range(3))  # streams of one deal, beside those of tiles


@kernel
def seat_in_question(state, player):
    """Return the seat whose pending decision tells `player` something of its hand, or -1."""
    if state.player < 0 or state.player == player:
        return NOTHING
    if state.decision == Decision.D01 or state.decision == Decision.D07:
        return np.int64(state.player)
    return NOTHING


@kernel
def is_wanted(rules, state, q, tile):
    """Return whether this tile in the hand of `q` makes the decision possible: D01 one to lay, D07 a village."""
    if state.decision == Decision.D07:
        return has(rules.village_set[ALL_VILLAGES], tile)
    return fits_somewhere(rules, state, tile, can_citadel(rules, state, q))


@kernel
def is_offered(rules, state, q):
    """Return whether the hand of `q` makes the decision possible."""
    for w in range(WORDS):
        rest = state.hand[q, w]
        while rest != 0:
            if is_wanted(rules, state, q, PER_WORD * w + lowest(rest)):
                return True
            rest &= rest - 1
    return False


@kernel
def deal_an_offer(rules, state, player, q, hidden, number, key):
    """Deal as `deal_to_all` does, given that the hand of `q` holds a wanted tile.

    First the numbers of wanted and other tiles in that hand are drawn, by how many states have them, then the tiles.
    No tile is fresh at these points. `number` tiles are hidden.
    """
    held = np.empty(TILES, np.int16)
    held_wanted = front_wanted(rules, state, q, held, list_tiles(state.held[q], held))
    held_other = size(state.held[q]) - held_wanted
    shuffle(mix(key, _HELD), held, held_wanted)
    shuffle(mix(key, _HELD), held[held_wanted:], held_other)
    wanted = front_wanted(rules, state, q, hidden, number)
    shuffle(mix(key, _HIDDEN), hidden, wanted)
    shuffle(mix(key, _HIDDEN), hidden[wanted:], number - wanted)
    take = np.empty(4, np.int64)
    draw_numbers(state, q, held_wanted, held_other, wanted, number - wanted, mix(key, _NUMBERS), take)
    in_hand, kept = size(state.prepared[q]), ZERO
    clear(state.hand[q])
    clear(state.prepared[q])
    for i in range(held_wanted + held_other):
        mine = i < take[0] if i < held_wanted else i - held_wanted < take[1]
        include(state.hand[q] if mine else state.prepared[q], np.int64(held[i]))
    for i in range(number):
        if i < take[2] if i < wanted else i - wanted < take[3]:
            include(state.hand[q], np.int64(hidden[i]))
        else:
            hidden[kept] = hidden[i]
            kept += 1
    shuffle(key, hidden, kept)
    more = in_hand - size(state.prepared[q])
    for i in range(more):
        include(state.prepared[q], np.int64(hidden[i]))
    deal_rest(rules, state, player, q, hidden[more:], key)


@kernel
def front_wanted(rules, state, q, items, number):
    """Bring the wanted tiles among `items[:number]` to the front; return how many there are."""
    n = ZERO
    for i in range(number):
        tile = items[i]
        if is_wanted(rules, state, q, np.int64(tile)):
            items[i] = items[n]
            items[n] = tile
            n += 1
    return n


@kernel
def draw_numbers(state, q, held_wanted, held_other, wanted, other, key, take):
    """Draw how many held wanted, held other, hidden wanted and hidden other tiles are in the hand of `q`."""
    total = 0.0
    for numbers in range(2):
        goal = (draw(key, 0) >> 9) * _UNIT * total
        reached = 0.0
        for i in range(held_wanted + 1):
            for j in range(held_other + 1):
                for k in range(wanted + 1):
                    weight = states_with(state, q, held_wanted, held_other, wanted, other, i, j, k)
                    if weight == 0.0:
                        continue
                    reached += weight
                    if numbers == 1:
                        take[0], take[1], take[2] = i, j, k
                        take[3] = np.int64(state.hand_size[q]) - i - j - k
                        if reached > goal:
                            return
        total = reached


@kernel
def states_with(state, q, held_wanted, held_other, wanted, other, i, j, k):
    """Return in how many ways the hand and prepared tiles of `q` can be filled with these numbers in hand."""
    rest = np.int64(state.hand_size[q]) - i - j - k
    prepared = size(state.prepared[q]) - (held_wanted + held_other - i - j)
    if i + k == 0 or rest < 0 or rest > other or prepared < 0 or prepared > wanted + other - k - rest:
        return 0.0
    in_hand = ways(held_wanted, i) * ways(held_other, j) * ways(wanted, k) * ways(other, rest)
    return in_hand * ways(wanted + other - k - rest, prepared)


@kernel
def ways(m, k):
    """Return the binomial coefficient of 0 <= k <= m as float64."""
    product = 1.0
    for i in range(min(k, m - k)):
        product = product * (m - i) / (i + 1)
    return product
