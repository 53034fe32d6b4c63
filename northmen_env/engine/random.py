"""Counter-based randomness: every draw is a hash of (seed, purpose, owner seat, occurrence, item).

Nothing is advanced, so an action of one player never shifts a draw of another, and two games with one seed keep their
common luck after their play diverges. A shuffle sorts items by their draws.

The functions here are plain Python and have compiled twins of the same name (`numba.extending.overload`): 64-bit
wrap-around is native in compiled code, and explicit in Python, where NumPy would warn. Both give the same numbers.

The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
OOPSLA 2014), applied once per absorbed word.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from northmen_env.engine.jit import kernel

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB

# Purposes 0-99 belong to the games (each lists its own); the engine's are below.
PURPOSE_SAMPLER = 100
PURPOSE_EPISODE = 101
PURPOSE_RESAMPLE = 102
PURPOSE_AGENT = 103
PURPOSE_SEAT = 104


def mix(key: int, word: int) -> int:
    """Absorb `word` into `key`; both are taken modulo 2**64. Returns a 64-bit unsigned integer."""
    z = (int(key) + _GOLDEN * (2 * (int(word) & _MASK) + 1)) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    return z ^ (z >> 31)


@overload(mix, inline="never")
def _mix_compiled(key, word):
    golden, mix_1, mix_2 = np.uint64(_GOLDEN), np.uint64(_MIX_1), np.uint64(_MIX_2)

    def implementation(key, word):
        z = np.uint64(key) + golden * (np.uint64(2) * np.uint64(word) + np.uint64(1))
        z = (z ^ (z >> np.uint64(30))) * mix_1
        z = (z ^ (z >> np.uint64(27))) * mix_2
        return z ^ (z >> np.uint64(31))

    return implementation


def to_draw(key: int) -> int:
    """Return the upper 62 bits of `key` as a non-negative signed integer."""
    return int(key) >> 2


@overload(to_draw)
def _to_draw_compiled(key):
    return lambda key: np.int64(key >> np.uint64(2))


@kernel
def stream(seed, purpose, owner, occurrence):
    """Return the key of one stream: uint64, to be passed to `draw`."""
    return mix(mix(mix(seed, purpose), owner), occurrence)


@kernel
def draw(key, item):
    """Return the draw of `item` in the stream `key`: an int64, uniform in [0, 2**62)."""
    return to_draw(mix(key, item))


@kernel
def below(value, bound):
    """Map a draw to an int64 that is uniform in [0, bound), 1 <= bound < 2**31 (bias below bound / 2**31)."""
    return ((value >> 31) * bound) >> 31


@kernel
def shuffle(key, items, count):
    """Order `items[:count]` (distinct non-negative int16 ids below 4096) by their draws in the stream `key`, in place.

    The order of two items depends on the key and on these two only, never on what else is shuffled with them.
    """
    words = np.empty(count, np.int64)  # draw and item in one word
    bucket = np.zeros(65, np.int64)  # by the upper six bits: four times faster than a plain sort of 56 cards
    for i in range(count):
        item = int(items[i])
        words[i] = ((draw(key, item) >> 12) << 12) | item
        bucket[(words[i] >> 56) + 1] += 1
    for b in range(64):
        bucket[b + 1] += bucket[b]
    order = np.empty(count, np.int64)
    for i in range(count):
        b = words[i] >> 56
        order[bucket[b]] = words[i]
        bucket[b] += 1
    _insertion_sort(order, count)
    for i in range(count):
        items[i] = order[i] & 4095


@kernel
def _insertion_sort(words, count):
    for i in range(1, count):
        word = words[i]
        j = i - 1
        while j >= 0 and words[j] > word:
            words[j + 1] = words[j]
            j -= 1
        words[j + 1] = word


@kernel
def episode_seed(seed, episode):
    """Return the seed (uint64) of game number `episode` that follows a start with `seed`; game 0 uses `seed` itself."""
    if episode == 0:
        return mix_identity(seed)
    return stream(seed, PURPOSE_EPISODE, 0, episode)


@kernel
def secret_seed(seed, purpose, owner, occurrence):
    """Return a seed (uint64) for somebody who must not learn `seed`: an agent, or a state that it may search.

    A stream's key can be traced back to the seed, because each absorption is a bijection; adding the key to its own
    image (Davies-Meyer) is not one.
    """
    key = stream(seed, purpose, owner, occurrence)
    return mix(key, 0) ^ key


def mix_identity(seed: int) -> int:
    """Return `seed` as a 64-bit unsigned integer."""
    return int(seed) & _MASK


@overload(mix_identity)
def _mix_identity_compiled(seed):
    return lambda seed: np.uint64(seed)
