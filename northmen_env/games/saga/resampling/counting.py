"""A uniformly random deal within bounds, by counting.

The unseen cards fall into five categories, in this order: for each opponent the cards known to have been in its hand
before planning, then those that nobody can have held, then all others. Within a category cards are alike, so a deal is
drawn in two steps: how many cards of each category each opponent gets, with probability in proportion to the number of
deals with these numbers; then which ones, by a shuffle.

    T[c, f0, f1, f2]   number of ways to fill f0, f1, f2 free places of the hands from the categories c, c + 1, ...

The numbers are products and sums of exact binomial coefficients in float64 (relative rounding below 2**-48).
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.amounts import HAND
from northmen_env.games.saga.resampling.choices import CHOOSE, fraction, list_set, mix_up, ways
from northmen_env.games.saga.tables import CARDS, SEATS

OPPONENTS = SEATS - 1

# Rows of a task: an int64 array (5, OPPONENTS).
FREE, KNOWN_BEFORE, AT_LEAST, AT_MOST, CLOSED = range(5)

_OLD, _OTHERS, _CATEGORIES = OPPONENTS, OPPONENTS + 1, OPPONENTS + 2
_NEVER = np.inf
_COUNTS, _CHOICE = 102, 110  # labels of draws


@kernel
def deal_by_counting(key, task, unseen, old, items, size, dealt, discards):
    """Order `items` so that a random possible deal comes first; return how many forced discards follow it.

    Where no deal is possible (facts that contradict each other), a plain shuffle.
    """
    sets = np.zeros(_CATEGORIES, np.int64)
    sets[:OPPONENTS] = task[KNOWN_BEFORE]
    sets[_OLD] = old
    sets[_OTHERS] = unseen & ~(old | sets[0] | sets[1] | sets[2])
    table = count_deals(task, sets)
    numbers = np.zeros((_CATEGORIES, OPPONENTS), np.int64)
    free = task[FREE].copy()
    total = walk_closed(table, task, sets, free, size - dealt, discards, _NEVER, numbers)
    if total == 0.0:
        mix_up(mix(key, _COUNTS), items, 0, size, dealt)
        return 0
    counts = mix(key, _COUNTS)
    walk_closed(table, task, sets, free, size - dealt, discards, fraction(counts, 0) * total, numbers)
    for j in range(OPPONENTS):
        if task[CLOSED, j] != 0:
            free[j] -= numbers[j, j]
    for c in range(_OTHERS):
        if c < OPPONENTS and task[CLOSED, c] != 0:
            continue
        goal = fraction(counts, 1 + c) * table[c, free[0], free[1], free[2]]
        walk(table, task, sets, c, free[0], free[1], free[2], goal, numbers)
        free -= numbers[c]
    numbers[_OTHERS] = free
    return choose_cards(key, task, sets, numbers, items, dealt)


@kernel
def count_deals(task, sets):
    """Return T. A closed category is skipped: `walk_closed` counts it."""
    side = HAND + 1
    table = np.zeros((_CATEGORIES, side, side, side))
    others, unused = count(sets[_OTHERS]), np.zeros((_CATEGORIES, OPPONENTS), np.int64)
    for f0 in range(task[FREE, 0] + 1):
        for f1 in range(task[FREE, 1] + 1):
            for f2 in range(task[FREE, 2] + 1):
                table[_OTHERS, f0, f1, f2] = ways(others, f0, f1, f2)
    for c in range(_OLD, -1, -1):
        for f0 in range(task[FREE, 0] + 1):
            for f1 in range(task[FREE, 1] + 1):
                for f2 in range(task[FREE, 2] + 1):
                    table[c, f0, f1, f2] = walk(table, task, sets, c, f0, f1, f2, _NEVER, unused)
    return table


@kernel
def lower(task, c, j):
    """Return how many cards of category `c` opponent `j` must get at least."""
    return int(task[AT_LEAST, j]) if c == j else 0


@kernel
def upper(task, c, j, free):
    """Return how many cards of category `c` opponent `j` can get at most."""
    return min(free, int(task[AT_MOST, j])) if c == _OLD else free


@kernel
def walk(table, task, sets, c, f0, f1, f2, goal, numbers):
    """Add up the deals over all numbers for category `c`; stop at the first ones that lead beyond `goal`.

    Returns the sum; the numbers reached are written into `numbers[c]`.
    """
    size, total = count(sets[c]), 0.0
    if c < OPPONENTS and task[CLOSED, c] != 0:
        return table[c + 1, f0, f1, f2]
    for a in range(lower(task, c, 0), min(size, upper(task, c, 0, f0)) + 1):
        for b in range(lower(task, c, 1), min(size - a, upper(task, c, 1, f1)) + 1):
            for d in range(lower(task, c, 2), min(size - a - b, upper(task, c, 2, f2)) + 1):
                total += ways(size, a, b, d) * table[c + 1, f0 - a, f1 - b, f2 - d]
                if total > goal:
                    numbers[c, 0] = a
                    numbers[c, 1] = b
                    numbers[c, 2] = d
                    return total
    return total


@kernel
def closed_numbers(task, sets, j):
    """Return the least and the largest number of cards of closed category `j` that stay in the hand."""
    if task[CLOSED, j] == 0:
        return 0, 0
    return int(task[AT_LEAST, j]), min(count(sets[j]), int(task[FREE, j]))


@kernel
def walk_closed(table, task, sets, free, rest, discards, goal, numbers):
    """As `walk`, over all closed categories at once, because what a hand does not keep takes room on the discards.

    Args:
        rest: cards that are not dealt to hands, of which `discards` are discards and the others the draw pile.
    """
    low0, high0 = closed_numbers(task, sets, 0)
    low1, high1 = closed_numbers(task, sets, 1)
    low2, high2 = closed_numbers(task, sets, 2)
    size0 = count(sets[0]) if task[CLOSED, 0] != 0 else 0
    size1 = count(sets[1]) if task[CLOSED, 1] != 0 else 0
    size2 = count(sets[2]) if task[CLOSED, 2] != 0 else 0
    total = 0.0
    for a in range(low0, high0 + 1):
        for b in range(low1, high1 + 1):
            for d in range(low2, high2 + 1):
                forced = size0 + size1 + size2 - a - b - d
                if forced > discards:
                    continue
                deals = (
                    CHOOSE[size0, a] * CHOOSE[size1, b] * CHOOSE[size2, d] * CHOOSE[rest - forced, discards - forced]
                )
                total += deals * table[0, free[0] - a, free[1] - b, free[2] - d]
                if total > goal:
                    numbers[0, 0] = a
                    numbers[1, 1] = b
                    numbers[2, 2] = d
                    return total
    return total


@kernel
def choose_cards(key, task, sets, numbers, items, dealt):
    """Fill `items`: the hands, then the forced discards (their number is returned), then what is left."""
    at = np.zeros(OPPONENTS, np.int64)
    at[1] = task[FREE, 0]
    at[2] = task[FREE, 0] + task[FREE, 1]
    cards = np.empty(CARDS, np.int16)
    after, forced = dealt, 0
    for c in range(_CATEGORIES):
        size, used = list_set(sets[c], cards, 0), 0
        mix_up(mix(key, _CHOICE + c), cards, 0, size, int(numbers[c, 0] + numbers[c, 1] + numbers[c, 2]))
        for j in range(OPPONENTS):
            for _ in range(numbers[c, j]):
                items[at[j]] = cards[used]
                at[j] += 1
                used += 1
        is_closed = c < OPPONENTS and task[CLOSED, c] != 0
        after, forced = put_back(items, cards, used, size, after, dealt + forced, is_closed, forced)
    return forced


@kernel
def put_back(items, cards, first, last, after, forced_end, is_closed, forced):
    """Put what the hands did not take behind them, forced discards before all others."""
    for i in range(first, last):
        if is_closed:
            items[after] = items[forced_end]
            items[forced_end] = cards[i]
            forced_end += 1
            forced += 1
        else:
            items[after] = cards[i]
        after += 1
    return after, forced
