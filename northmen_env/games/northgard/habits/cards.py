"""What cards are worth: to hold for the rest of the game, and to play now; in hundredths of a fame."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.amounts import FOOD, WOOD, ZERO
from northmen_env.games.northgard.card_table import UNREST, BuildBit, Op
from northmen_env.games.northgard.habits.fights import best_move
from northmen_env.games.northgard.habits.land import building_worth, harvests_left, income, large_site, most_units
from northmen_env.games.northgard.phases.build import affords, legal_types
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.scoring import card_value
from northmen_env.games.northgard.tables import Group

_GATHER = int(BuildBit.GATHER)
_LARGE_PRICE = 3

_BASE = np.array([0, 30, 22, 55, 38, 60, 55, 60, 45, 30, 35, 15, 40, 35, 15, 20], np.int64)
"""What an operation is worth each time it is played, by `Op`."""

_PER_A = np.array([0, 25, 7, 12, 20, 0, 25, 25, 0, 0, 0, 5, 0, 0, 0, 0], np.int64)
"""What each of its `a` adds to that."""

_TURN = np.array([0, 60, 50, 65, 45, 80, 95, 40, 55, 35, 58, 30, 75, 78, 48, 0], np.int64)
"""Which operation comes first in a year: cards and goods, then figures, tiles, moves and buildings."""


@kernel
def strength(rules, card):
    """Return what a card is worth each time it is played."""
    op = np.int64(rules.card_op[card])
    worth = _BASE[op] + _PER_A[op] * min(np.int64(rules.card_a[card]), np.int64(4))
    if op == Op.MOVE:
        worth += 8 * np.int64(rules.card_b[card])
    if op == Op.EXPLORE:
        worth += 40 * (np.int64(rules.card_b[card]) - 1)
    if op == Op.GAIN:
        worth += 30 * (np.int64(rules.card_b[card]) + np.int64(rules.card_c[card]))
    if op == Op.DRAW:
        worth += 25 * np.int64(rules.card_b[card])
    return worth + 15 * np.int64(rules.card_flash[card])


@kernel
def keeping_worth(rules, state, p, card):
    """Return what it is worth to have a card in the deck until the end."""
    value = 100 * np.int64(card_value(rules, state, p, card))
    return value + strength(rules, card) * (harvests_left(rules, state) - 1)


@kernel
def junk(rules, state, p, card):
    """Return how gladly a card of the hand is given away: Unrest first, then weak cards without fame."""
    if card == UNREST:
        return np.int64(1000)
    worth = strength(rules, card)
    if rules.card_group[card] == Group.ACHIEVEMENT:
        return np.int64(900)
    return 300 - worth


@kernel
def riddance(rules, state, p, card):
    """Return how gladly a card leaves the game: only starting cards do, the others have fame or serve."""
    if rules.card_group[card] != Group.STARTING:
        return np.int64(-1000) - 100 * np.int64(rules.card_fame[card])
    return 200 - strength(rules, card)


# To play now ---------------------------------------------------------------------------------------------------------


@kernel
def best_building(rules, state, p, row):
    """Return the worth of the best building that a row can build now, its wood counted at half a fame each."""
    best = np.int64(-1000)
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & ~np.int64(state.bears[w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            wood = affords(rules, state, p, t, row, np.int64(rules.card_fl[row]) & _GATHER)
            best = max(best, best_type(rules, state, p, t, legal_types(rules, state, t, row, wood, ZERO), row))
    return best


@kernel
def best_type(rules, state, p, t, types, row):
    best = np.int64(-1000)
    while types != 0:
        best = max(best, type_worth(rules, state, p, t, lowest(types), row))
        types &= types - 1
    return best


@kernel
def type_worth(rules, state, p, t, b, row):
    """Return what it is worth to build a type, less its wood; what is saved for a large building counts more."""
    wood = max(np.int64(rules.build_wood[b]) - np.int64(rules.card_b[row]), 0)
    price = 35 * wood
    if wood > 0 and rules.build_large[b] == 0 and state.resources[p, WOOD] - wood < _LARGE_PRICE:
        if large_site(rules, state, p) and income(state, p, WOOD) > 0:
            price += 150
    return building_worth(rules, state, p, t, b) - price


@kernel
def play_worth(rules, state, p, card):
    """Return how gladly a card is played now; below zero it had better be kept."""
    op = np.int64(rules.card_op[card])
    turn = 2 * _TURN[op] + strength(rules, card) // 4
    if op == Op.RECRUIT:
        if state.on_map[p] >= most_units(state, p):
            return np.int64(-5)
        return turn + (100 if state.on_map[p] < 4 else 0)
    if op == Op.MOVE:
        gain = best_move(rules, state, p, np.int64(rules.card_b[card]))
        return turn + min(gain, np.int64(400)) // 8 if gain > 0 else np.int64(1)
    if op == Op.BUILD:
        gain = best_building(rules, state, p, card)
        return turn + gain // 4 if gain > 0 else np.int64(-5)
    if op == Op.CONQUER:
        return np.int64(-5) if best_move(rules, state, p, np.int64(2)) <= 0 else turn
    if op == Op.BRIBE or op == Op.COPY:
        return turn
    if op == Op.HAND and rules.card_d[card] == 0:
        return turn // 2
    return turn


@kernel
def act_worth(rules, state, p, row):
    """Return what a basic action gains now (CHOOSE)."""
    op = np.int64(rules.card_op[row])
    if op == Op.RECRUIT:
        room = most_units(state, p) - np.int64(state.on_map[p])
        return np.int64(-20) if room <= 0 else 60 + 15 * min(room, np.int64(6))
    if op == Op.MOVE:
        return min(best_move(rules, state, p, ZERO), np.int64(500))
    if op == Op.EXPLORE:
        return np.int64(180)
    return best_building(rules, state, p, row)


@kernel
def winter_food(rules, state, p):
    """Return the food that the coming winter asks of a seat."""
    return np.int64(rules.winter_food[np.int64(state.on_map[p])])


@kernel
def short_of_food(rules, state, p):
    return winter_food(rules, state, p) - np.int64(state.resources[p, FOOD])
