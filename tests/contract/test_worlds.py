"""The same games in other worlds: without the JIT, with bounds checks, under any hash seed, in any process."""

import pytest

import other_worlds


@pytest.fixture(scope="module")
def usual():
    return other_worlds.trace()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_games_are_the_same_for_any_hash_seed(usual, hash_seed):
    assert other_worlds.trace(PYTHONHASHSEED=hash_seed) == usual


def test_games_are_the_same_with_bounds_checks(usual):
    """An index out of range raises there, and reads or writes anything elsewhere."""
    checked = other_worlds.begin()["bounds checks"].result()
    assert checked == usual[-len(checked) :]
    assert checked


def test_games_are_the_same_without_the_jit(usual):
    assert other_worlds.begin()["no JIT"].result() == usual
