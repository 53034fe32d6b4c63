"""The same games in other worlds: without the JIT, with bounds checks, under any hash seed, in any process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("trace.py")


def trace(*arguments, **environment):
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)  # the package that is tested here
    process = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), *arguments],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=1200,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


@pytest.fixture(scope="module")
def usual():
    return trace()


def test_games_are_the_same_without_the_jit(usual):
    assert trace(NUMBA_DISABLE_JIT="1") == usual


def test_games_are_the_same_with_bounds_checks(usual):
    """An index out of range raises there, and reads or writes anything elsewhere."""
    checked = trace("--short", NUMBA_BOUNDSCHECK="1")
    assert checked == usual[-len(checked) :]


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_games_are_the_same_for_any_hash_seed(usual, hash_seed):
    assert trace(PYTHONHASHSEED=hash_seed) == usual
