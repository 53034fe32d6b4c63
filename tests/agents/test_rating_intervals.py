"""Intervals where the bootstrap has nothing to draw: results that are all alike are few results, not certain ones."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from northmen_agents.arena.ratings import RatedGame, fit_ratings

PARTS = ("rating", "low", "high", "seat_effect", "seat_low", "seat_high", "above", "above_low", "above_high")


@pytest.mark.parametrize("deals", [2, 20])
@pytest.mark.parametrize("ranks", [(1, 2), (1, 1)], ids=["one always wins", "always a tie"])
def test_deals_that_all_end_alike_are_no_certainty(deals: int, ranks: tuple[int, int]) -> None:
    games = [RatedGame(deal, order, ranks[:: 1 if order == ("a", "b") else -1]) for deal in range(deals)
             for order in (("a", "b"), ("b", "a"))]  # fmt: skip
    found = fit_ratings(games, bootstrap=30)
    assert (found.high - found.low > 50).all()
    assert (found.seat_high - found.seat_low > 50).all()
    assert found.above_low[0, 1] < found.above[0, 1] - 0.01
    assert found.above[0, 1] < found.above_high[0, 1] - 0.001
    more = fit_ratings([*games, *(RatedGame(g.block + deals, g.agents, g.ranks) for g in games)], bootstrap=30)
    if ranks == (1, 1):  # with more wins in a row the strength itself goes on growing
        assert (more.high - more.low < found.high - found.low).all()


def test_one_agent_that_always_wins_is_no_certainty_among_others_that_vary() -> None:
    rng = np.random.default_rng(0)
    games = [
        RatedGame(deal, pair, (1, 2) if "a" in pair or rng.random() < 0.5 else (2, 1))
        for deal in range(12)
        for pair in (("a", "b"), ("a", "c"), ("b", "c"), ("c", "b"))
    ]
    found = fit_ratings(games, bootstrap=100)
    assert (found.high - found.low)[0] > (found.high - found.low)[1:].max(), "nobody knows how strong it is"


def test_where_deals_vary_the_bootstrap_stands_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    games = [
        RatedGame(deal, pair, (1, 2) if rng.random() < 0.6 else (2, 1))
        for deal in range(20)
        for pair in permutations("abc", 2)
    ]
    found = fit_ratings(games, bootstrap=50)
    monkeypatch.setattr("northmen_agents.arena.ratings.LEAST", 0.0)
    plain = fit_ratings(games, bootstrap=50)
    for part in PARTS:
        np.testing.assert_array_equal(getattr(found, part), getattr(plain, part))
