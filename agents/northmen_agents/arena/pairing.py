"""What it is worth that all games of a deal share their luck: the variance of a difference, with and without.

The difference of two agents in a deal is a weighted sum over its games: the share of opponents that the first left
behind, on average over its games, less the same of the second. When the games share a deal, the variance of that sum is
what is seen from deal to deal; had every game a deal of its own, its variance would be the sum of the variances of its
parts. Both come from the same games, so no others have to be played to compare them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from northmen_agents.arena.games import Games
from northmen_agents.arena.play import GameResult


@dataclass(frozen=True)
class Pairing:
    """Variance of the difference between two agents, per deal.

    Attributes:
        deals, games: how many deals there were, and games of each in which one of the two played.
        difference: mean difference, in shares of opponents left behind, -1..1.
        shared: variance of one deal's difference, all its games being of one deal.
        independent: its variance if every game had a deal of its own.
        low, high: ends of a 95 % interval of `ratio`, by bootstrap over the deals.
    """

    deals: int
    games: int
    difference: float
    shared: float
    independent: float
    low: float
    high: float

    @property
    def ratio(self) -> float:
        """`shared` / `independent`: the share of the games that an interval of the same width takes; NaN for 0 / 0."""
        return self.shared / self.independent if self.independent > 0 else float("nan")


def pairing(results: Iterable[GameResult], first: str, second: str, *, bootstrap: int = 1000, seed: int = 0) -> Pairing:
    """Measure the variance of the difference between two agents with shared and with independent deals.

    Args:
        results: a tournament, every deal played in the same line-ups and orders, none in which partners win together.
        first, second: the agents.
        bootstrap: resamples of the deals behind the interval.
        seed: of the bootstrap.

    Raises:
        ValueError: there are fewer than two deals, deals differ in their games, or one of the two did not play.
    """
    parts = differences(Games.of(results), first, second)
    if len(parts) < 2:
        raise ValueError("variances need at least two deals")

    def variances(values: np.ndarray) -> tuple[float, float]:
        return float(values.sum(1).var(ddof=1)), float(values.var(0, ddof=1).sum())

    shared, independent = variances(parts)
    rng = np.random.default_rng(seed)
    drawn = [variances(parts[rng.integers(len(parts), size=len(parts))]) for _ in range(bootstrap)]
    ratios = [a / b for a, b in drawn if b > 0]
    low, high = np.quantile(ratios, [0.025, 0.975]) if ratios else (np.nan, np.nan)
    return Pairing(len(parts), parts.shape[1], float(parts.sum(1).mean()), shared, independent, float(low), float(high))


def differences(games: Games, first: str, second: str) -> np.ndarray:
    """Return float64 (deals, games): what each game of a deal adds to the difference between two agents.

    Raises:
        ValueError: deals differ in their games, or one of the two did not play.
    """
    for name in (first, second):
        if name not in games.names:
            raise ValueError(f"{name!r} did not play; the agents are: {', '.join(games.names)}")
    behind = (games.ranks[:, :, None] < games.ranks[:, None, :]).sum(2)
    level = (games.ranks[:, :, None] == games.ranks[:, None, :]).sum(2) - 1
    share = (behind + level / 2) / max(games.seats - 1, 1)
    deals, deal = np.unique(games.deal, return_inverse=True)
    total = np.zeros(len(games))
    concerned = np.zeros(len(games), bool)
    for name, sign in ((first, 1.0), (second, -1.0)):
        played = games.agents == games.names.index(name)
        total += sign * (share * played).sum(1) * len(deals) / played.sum()
        concerned |= played.any(1)
    keys = {key: i for i, key in enumerate(sorted({*zip(games.line_ups, games.order.tolist())}))}
    column = np.array([keys[key] for key in zip(games.line_ups, games.order.tolist())])
    if len(games) != len(deals) * len(keys) or len({*zip(deal.tolist(), column.tolist())}) != len(games):
        raise ValueError("every deal has to be played in the same line-ups and orders")
    parts = np.zeros((len(deals), len(keys)))
    parts[deal, column] = total
    return parts[:, np.unique(column[concerned])]
