"""Bit sets in int64 words: sets of up to 62 small ids (cards of a hand, routes, regions).

Sets are never negative, so bit 63 stays clear. The functions are plain Python with compiled twins of the same name:
a twin is one machine instruction (`cttz`, `ctpop`, `ctlz` of LLVM), without a branch.

The members of a set, ascending:

    rest = cards
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from northmen_env.engine.jit import kernel

_I64 = ir.IntType(64)
_NOT_ZERO = ir.Constant(ir.IntType(1), 1)


@intrinsic
def _cttz(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], _NOT_ZERO)

    return types.int64(types.int64), build


@intrinsic
def _ctlz(typing, x):
    def build(context, builder, signature, args):
        return builder.ctlz(args[0], _NOT_ZERO)

    return types.int64(types.int64), build


@intrinsic
def _ctpop(typing, x):
    def build(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


def lowest(x: int) -> int:
    """Return the smallest member of the set `x`, which must not be empty."""
    x = int(x)
    return (x & -x).bit_length() - 1


@overload(lowest, inline="never")
def _lowest_compiled(x):
    return lambda x: _cttz(np.int64(x))


def highest(x: int) -> int:
    """Return the largest member of the set `x`, which must not be empty."""
    return int(x).bit_length() - 1


@overload(highest, inline="never")
def _highest_compiled(x):
    return lambda x: 63 - _ctlz(np.int64(x))


def count(x: int) -> int:
    """Return how many members the set `x` has."""
    return int(x).bit_count()


@overload(count, inline="never")
def _count_compiled(x):
    return lambda x: _ctpop(np.int64(x))


@kernel
def above(x, last):
    """Return the members of `x` that are larger than `last` (-1 <= last <= 61)."""
    return x & (-1 << (last + 1))


@kernel
def several(x):
    """Return whether the set `x` has at least two members."""
    return (x & (x - 1)) != 0
