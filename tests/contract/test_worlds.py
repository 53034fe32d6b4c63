"""The same games in other worlds: without the JIT, with bounds checks, under any hash seed, in any process."""

import pytest

import northmen_env as nm
from other_worlds import trace, usual_trace


def each_game_of(lines):
    """Return the lines, among which is every game, and which the usual world prints too."""
    assert set(lines) <= set(usual_trace())
    assert {line.split()[0] for line in lines} == set(nm.games())
    return lines


@pytest.mark.long
def test_games_are_the_same_with_bounds_checks():
    """An index out of range raises there, and reads or writes anything elsewhere; all kernels are compiled anew."""
    assert each_game_of(trace("--short", NUMBA_BOUNDSCHECK="1"))


def test_games_are_the_same_without_the_jit():
    assert each_game_of(trace("--short", NUMBA_DISABLE_JIT="1"))


@pytest.mark.long
def test_games_of_every_number_of_players_are_the_same_without_the_jit():
    assert trace(NUMBA_DISABLE_JIT="1") == usual_trace()


@pytest.mark.parametrize("hash_seed", ["0", "random"])
def test_games_are_the_same_for_any_hash_seed(hash_seed):
    assert each_game_of(trace("--short", PYTHONHASHSEED=hash_seed))
