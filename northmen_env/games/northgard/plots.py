"""Plots, the areas of the placed tiles, and sets of territories in a pair of int64 words.

A territory is named by its smallest plot (`state.py`): plot `t` (0-102) is bit `t % 61` of word `t // 61`. Every word
stays non-negative (`engine.bits`). The members of a set `words`, ascending:

    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel

PLOTS = 103
"""Areas of the 35 tiles (NORTH-TILE-15)."""

WORDS = 2
PER_WORD = 61


@kernel
def has(words, t):
    """Return whether the set holds the territory."""
    w = 1 if t >= PER_WORD else 0
    return (np.int64(words[w]) >> (t - PER_WORD * w)) & 1 != 0


@kernel
def include(words, t):
    """Put a territory into the set."""
    w = 1 if t >= PER_WORD else 0
    words[w] |= 1 << (t - PER_WORD * w)


@kernel
def exclude(words, t):
    """Take a territory out of the set."""
    w = 1 if t >= PER_WORD else 0
    words[w] &= ~(1 << (t - PER_WORD * w))


@kernel
def size(words):
    """Return how many territories the set holds."""
    return count(words[0]) + count(words[1])


@kernel
def bit_of(t, w):
    """Return the word `w` of the set that holds `t` alone."""
    at = t - PER_WORD * w
    return 1 << at if 0 <= at < PER_WORD else 0
