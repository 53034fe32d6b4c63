"""The same games in other worlds: without the JIT, with bounds checks, under any hash seed, in any process."""

import pytest

import northmen_env as nm
from other_worlds import trace, usual_trace


def test_games_are_the_same_with_bounds_checks():
    """An index out of range raises there, and reads or writes anything elsewhere."""
    checked = trace("--short", NUMBA_BOUNDSCHECK="1")
    assert set(checked) <= set(usual_trace())
    assert {line.split()[0] for line in checked} == set(nm.games())


def test_games_are_the_same_without_the_jit():
    assert trace(NUMBA_DISABLE_JIT="1") == usual_trace()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_games_are_the_same_for_any_hash_seed(hash_seed):
    assert trace(PYTHONHASHSEED=hash_seed) == usual_trace()
