"""The names of the top level stay what they are, whatever is imported before or after."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import northmen_env as nm


def test_games_lists_the_games_before_and_after_their_folder_is_imported() -> None:
    code = (
        "import northmen_env as nm; before = nm.games(); import northmen_env.games.saga.state as state; "
        "from northmen_env import games; assert before == nm.games() == games() and 'saga' in before; "
        "assert nm.games.saga.state is state; print('same')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "same\n", done.stderr


@pytest.mark.parametrize("name", nm.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert hasattr(nm, name)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no game 'chess'.*saga"):
        nm.load("chess")


def test_importing_again_registers_nothing_twice() -> None:
    importlib.reload(nm)
    assert callable(nm.games)
