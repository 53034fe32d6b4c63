"""Kernels that only kernels call: linked into their callers, and whole as soon as Python calls them."""

import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError

from northmen_env.engine.jit import kernel, lean_kernel


@kernel
def half(x):
    if x % 2:
        raise ValueError("an odd number", x)
    return x // 2


@kernel
def quarter(x):
    return half(half(x))


@kernel
def factorial(n):
    if n == 0:
        return 1
    return n * factorial(n - 1)


@kernel
def factorials(n):
    return factorial(n) + factorial(n)


@kernel
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


@kernel
def odd(n):
    if n == 0:
        return False
    return even(n - 1)


@kernel
def text_length(x):
    with numba.objmode(n="int64"):
        n = len(str(x))
    return n


@kernel
def caller_of(kind, x):
    return text_length(x) if kind else x


def test_python_calls_a_kernel_before_and_after_kernels_call_it():
    @kernel
    def double(x):
        return x + x

    @kernel
    def fourfold(x):
        return double(double(x))

    assert fourfold(3) == 12
    assert not double.overloads
    assert double(3) == 6
    assert list(double.overloads) == [(numba.int64,)]
    assert double(3.0) == 6.0  # Python first
    assert fourfold(3.0) == 12.0
    assert fourfold(3) == 12


def test_an_exception_leaves_a_linked_kernel_with_its_values():
    for function, argument, odd_one in ((quarter, 6, 3), (half, 5, 5)):
        with pytest.raises(ValueError, match="an odd number") as error:
            function(argument)
        assert error.value.args == ("an odd number", odd_one)


def test_a_kernel_may_call_itself_but_no_circle_is_compiled():
    assert factorial(10) == 3628800
    assert factorials(10) == 2 * 3628800
    with pytest.raises(NumbaError, match="kernels cannot call each other in a circle"):
        even(4)


@pytest.mark.filterwarnings("ignore:Code running in object mode:numba.core.errors.NumbaWarning")
def test_object_mode_is_refused_where_it_could_not_be_run():
    with pytest.raises(NumbaError, match="no block in object mode"):
        caller_of(True, 12)


class Several(NamedTuple):
    first: np.ndarray
    second: np.ndarray


@lean_kernel
def doubled(arrays, i):
    arrays.second[i] = 2 * arrays.first[i]


@lean_kernel
def lean_sum(arrays, count):
    for i in range(count):
        doubled(arrays, i)
    return total_of_copy(arrays)


@kernel
def total_of_copy(arrays):
    """Make an array, in a kernel that a lean one calls."""
    return (arrays.second + np.ones(arrays.second.size, np.int64)).sum()


@lean_kernel
def makes_an_array(count):
    return np.zeros(count, np.int64).sum()


def test_a_lean_kernel_does_the_same_without_numba_s_runtime():
    arrays = Several(np.arange(5), np.zeros(5, np.int64))
    held = [sys.getrefcount(array) for array in arrays]
    assert lean_sum(arrays, 5) == 25
    assert arrays.second.tolist() == [0, 2, 4, 6, 8]
    doubled(arrays, 1)
    if not numba.config.DISABLE_JIT:
        assert [sys.getrefcount(array) for array in arrays] == held
        with pytest.raises(NumbaError, match=r"NRT required|Only accept returning of array"):
            makes_an_array(3)
