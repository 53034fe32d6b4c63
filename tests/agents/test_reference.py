"""Reference agents play what their digests say: whoever changes a move raises the version and writes the new digest."""

from __future__ import annotations

import pytest

import northmen_env as nm
from northmen_agents.reference import REFERENCES, Reference, moves_digest, positions


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda each: f"{each.name}-{each.game}")
def test_a_reference_agent_plays_the_same_moves_as_ever(reference: Reference) -> None:
    factory = reference.factory()
    assert factory.described(reference.game)["version"] == reference.version
    games = [nm.load(reference.game, num_players=n) for n in (2, 4)]
    digest = tuple(moves_digest(factory, game, reference.every) for game in games)
    assert digest == reference.digests, f"{reference.name} plays other moves: raise its version, and keep {digest}"


def test_the_positions_are_fixed_and_are_decisions_of_all_seats() -> None:
    game = nm.load("saga", num_players=4)
    first, again = (list(positions(game)) for _ in range(2))
    assert first == again
    assert len(first) >= 8
    assert len({state.current_player for state in first}) >= 3


def test_agents_that_play_otherwise_have_other_digests() -> None:
    assert len({reference.digests for reference in REFERENCES}) == len(REFERENCES)
