"""Sets of tiles in a pair of int64 words: id `t` (0-120) is bit `t % 61` of word `t // 61`.

Every word stays non-negative (`engine.bits`). The members of a set `words`, ascending:

    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel

WORDS = 2
PER_WORD = 61


@kernel
def has(words, tile):
    """Return whether the set holds the tile."""
    w = 1 if tile >= PER_WORD else 0
    return (np.int64(words[w]) >> (tile - PER_WORD * w)) & 1 != 0


@kernel
def include(words, tile):
    """Put a tile into the set."""
    w = 1 if tile >= PER_WORD else 0
    words[w] |= 1 << (tile - PER_WORD * w)


@kernel
def exclude(words, tile):
    """Take a tile out of the set."""
    w = 1 if tile >= PER_WORD else 0
    words[w] &= ~(1 << (tile - PER_WORD * w))


@kernel
def size(words):
    """Return how many tiles the set holds."""
    return count(words[0]) + count(words[1])


@kernel
def is_empty(words):
    """Return whether the set is empty."""
    return (words[0] | words[1]) == 0


@kernel
def first(words):
    """Return the lowest tile of a set, which must not be empty."""
    if words[0] != 0:
        return lowest(words[0])
    return PER_WORD + lowest(words[1])


@kernel
def clear(words):
    """Empty the set."""
    words[0] = 0
    words[1] = 0


@kernel
def join(into, words):
    """Add all tiles of `words` to the set `into`."""
    into[0] |= words[0]
    into[1] |= words[1]
