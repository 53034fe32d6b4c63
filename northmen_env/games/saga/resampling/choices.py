"""Random choices from short lists, and counting: the tools of the redraws."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw
from northmen_env.games.saga.tables import CARDS


def _binomials(size: int) -> np.ndarray:
    rows = np.zeros((size, size))
    rows[:, 0] = 1
    for m in range(1, size):
        rows[m, 1:] = rows[m - 1, 1:] + rows[m - 1, :-1]
    return rows


CHOOSE = _binomials(CARDS + 1)
"""`CHOOSE[m, k]`: binomial coefficients as float64, all exact (the largest, 56 over 28, is below 2**53)."""

_UNIT = 2.0**-53


@kernel
def ways(m, a, b, c):
    """Return in how many ways `m` things can give `a`, `b` and `c` of them to three takers."""
    if a + b + c > m:
        return 0.0
    return CHOOSE[m, a] * CHOOSE[m - a, b] * CHOOSE[m - a - b, c]


@kernel
def fraction(key, item):
    """Return a float64 that is uniform in [0, 1)."""
    return (draw(key, item) >> 9) * _UNIT


@kernel
def list_set(members, items, first):
    """Write the members of a bit set into `items` from place `first` on, ascending; return the place after them."""
    while members != 0:
        items[first] = lowest(members)
        members &= members - 1
        first += 1
    return first


@kernel
def set_of(items, first, last):
    """Return the bit set of `items[first:last]`."""
    members = 0
    for i in range(first, last):
        members |= 1 << int(items[i])
    return members


@kernel
def mix_up(key, items, first, last, wanted):
    """Bring a random choice of `items[first:last]`, in random order, to its first `wanted` places (Fisher, Yates)."""
    for i in range(first, first + wanted):
        j = i + below(draw(key, i), last - i)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@kernel
def some_of(key, members, wanted, items):
    """Return a random subset of a bit set with `wanted` members, all where it has fewer; `items` is scratch."""
    last = list_set(members, items, 0)
    wanted = min(wanted, last)
    mix_up(key, items, 0, last, wanted)
    return set_of(items, 0, wanted)
