"""Whole games, written down once, are still played the same, to the letter."""

from __future__ import annotations

import pytest

import golden_playthrough as golden

MOST_BYTES = 100_000


@pytest.mark.parametrize(("name", "num_players"), golden.configurations())
def test_the_game_is_played_as_written_down(name, num_players):
    """If a change of the rules, the tables or the observation is meant: `python tests/golden/regenerate.py`."""
    written = golden.path(name, num_players).read_text(encoding="utf-8").splitlines()
    assert golden.playthrough(name, num_players).splitlines() == written


def test_every_game_and_number_of_players_has_a_playthrough_and_nothing_else_has_one():
    assert {golden.path(*entry) for entry in golden.configurations()} == set(golden.FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", sorted(golden.FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_playthroughs_stay_small_enough_to_read(file):
    assert 10_000 < file.stat().st_size < MOST_BYTES
