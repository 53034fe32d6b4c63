"""State JSON with one number altered is refused, or it is a position that plays on soundly (NORTH-PH-10)."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest
from northgard_altered import PLAYED, altered, misbehaviour
from northgard_walks import WALKS, Table, walk

from northmen_env.engine.jit import JIT_ENABLED


def trials(options: dict[str, Any], seed: int, games: int, number: int, every: int) -> tuple[int, int]:
    """Alter positions of random games, all decision points alike; return how many were refused, and not."""
    rng, found, longest = Random(seed), defaultdict(list), 10**6 if games > 1 else 60
    for game in range(games):
        for step, table in enumerate(walk(seed + game, **options)):
            if step >= longest:
                break
            found[table.decision].append(table.to_dict())
    refused, table = 0, Table(**options)
    for _ in range(number):
        d, what = altered(rng.choice(found[rng.choice(sorted(found))]), rng)
        wrong = misbehaviour(table, d, rng, every)
        refused += wrong is None
        assert not wrong, f"{what}: {wrong}"
    return refused, number - refused


@pytest.mark.rule("NORTH-PH-10")
@pytest.mark.parametrize("options", WALKS[:1], ids=str)
def test_an_altered_number_is_refused_or_plays_on(options: dict[str, Any]) -> None:
    refused, played = trials(options, 3, 1, 400 if JIT_ENABLED else 12, 1 if JIT_ENABLED else PLAYED)
    assert refused > 0 and played > 0


@pytest.mark.long
@pytest.mark.rule("NORTH-PH-10")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_many_altered_numbers_are_refused_or_play_on(options: dict[str, Any]) -> None:
    refused, played = trials(options, 11, 6, 4000, 1)
    assert refused > 400 and played > 400
