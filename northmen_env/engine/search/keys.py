"""Which node a state belongs to: a 64-bit hash of what a seat sees.

The hash is NH (Black, Halevi, Krawczyk, Krovetz & Rogaway: UMAC, CRYPTO 1999) over the bits of the float32 observation:
the sum of products of pairs of words, each word shifted by a constant of its own. With random constants two different
observations collide with probability 2**-32; two independent sums make it 2**-64. It is a sum without a chain of
dependences, so the processor works on several words at once.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from northmen_env.engine.random import PURPOSE_SAMPLER, mix, stream

_LOW = 0xFFFFFFFF
_MASK = (1 << 64) - 1


def hash_constants(width: int) -> np.ndarray:
    """Return uint32 (2, width): the constants of the two sums, the same in every process."""
    key = int(stream(0, PURPOSE_SAMPLER, 0, 0))
    return np.array([[mix(mix(key, row), i) & _LOW for i in range(width)] for row in range(2)], np.uint32)


def observation_key(bits, constants, seat):
    """Return the uint64 key of an observation of `seat`.

    Args:
        bits: uint32 (D,), the bits of the float32 observation, D even.
        constants: uint32 (2, D) of `hash_constants`.
        seat: mixed in, because observations are relative: two seats may see the same numbers.
    """
    half = bits.shape[0] // 2
    sums = []
    for row in range(2):
        shifted = (bits.astype(np.uint64) + constants[row]) & np.uint64(_LOW)
        sums.append(int((shifted[:half] * shifted[half:]).sum(dtype=np.uint64)))
    return mix(mix(seat, sums[0]), sums[1])


@overload(observation_key, inline="never")
def _observation_key_compiled(bits, constants, seat):
    low = np.uint64(_LOW)

    def implementation(bits, constants, seat):
        half = bits.shape[0] // 2
        first, second = np.uint64(0), np.uint64(0)
        for i in range(half):
            a, b = np.uint64(bits[i]), np.uint64(bits[half + i])
            first += ((a + np.uint64(constants[0, i])) & low) * ((b + np.uint64(constants[0, half + i])) & low)
            second += ((a + np.uint64(constants[1, i])) & low) * ((b + np.uint64(constants[1, half + i])) & low)
        return mix(mix(seat, first), second)

    return implementation
