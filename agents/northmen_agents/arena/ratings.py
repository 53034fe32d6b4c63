"""Ratings from ranks: one batch fit over all games, with ties and seat effects, and intervals by bootstrap.

The model is Davidson–Luce (Firth, Kosmidis & Turner: Davidson–Luce model for multi-item choice with ties, 2019), the
extension of Plackett–Luce to ties; with two seats it is Davidson's (1970). A game is a series of choices: from the
seats not placed yet, a set S takes the next rank together with probability proportional to

    delta(|S|) * (product of worth(i) over i in S) ** (1 / |S|),      log worth = strength(agent) + effect(seat)

which is a conditional logit, so the likelihood is concave. Each agent also wins half a game and loses half a game
against a ghost of average strength (Turner, van Etten, Firth & Kosmidis 2020), so that an agent that never lost has a
finite rating; the effects of seats and ties have a wide normal prior for the same reason.

Games enter as counts per distinct choice, in sorted order: the fit does not depend on the order of games or agents. The
bootstrap draws whole deals (with all their line-ups and seat orders), because games of one deal share their luck; it
draws one fewer than there are (Rao & Wu 1988). An interval is the rating ± Student's 97.5 % quantile for that many
deals times the bootstrap's standard deviation; both keep the intervals of few deals from being too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import minimize
from scipy.special import stdtrit

SCALE = 400.0 / np.log(10.0)
"""Points per unit of log worth: 400 points are odds of 10 : 1, as in Elo's scale."""

MEAN = 1500.0
"""The mean rating of the agents of a tournament."""

GHOST = 0.5
"""Wins, and losses, of each agent against the ghost."""

PRIOR = 1.0 / (2.0 * 3.0**2)
"""Weight of the squared effects of seats and ties: a normal prior of standard deviation 3 in log worth."""

Entry = tuple[int, int]  # (agent, seat)


@dataclass(frozen=True)
class RatedGame:
    """What the fit needs of a game.

    Attributes:
        block: number of the deal.
        agents: name of the agent on each seat.
        ranks: rank of each seat; smaller is better, equal is a tie; only the order counts.
    """

    block: int
    agents: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Ratings:
    """The fitted model.

    Attributes:
        names: the agents, sorted.
        rating: float64 (K,), Elo-like, mean 1500.
        low, high: float64 (K,), ends of the 95 % interval; NaN with fewer than two deals.
        seat_effect: float64 (n,), points by which each seat is better than the mean seat.
        seat_low, seat_high: float64 (n,), as `low` and `high`.
        ties: size of a tie -> log delta, for the sizes that occurred.
    """

    names: tuple[str, ...]
    rating: np.ndarray
    low: np.ndarray
    high: np.ndarray
    seat_effect: np.ndarray
    seat_low: np.ndarray
    seat_high: np.ndarray
    ties: dict[int, float]


class _Choices:
    """All choices of the games as one conditional logit: rows are possible sets, grouped by who was left.

    Attributes:
        design: float64 (R, P), features of each row; the parameters are strengths, seat effects, log deltas.
        group: int64 (R,), number of the choice that a row belongs to, ascending.
        start: int64 (G,), first row of each group.
        game_row, game_block: int64, the rows chosen in the games and the numbers of their blocks.
        fixed: float64 (R,), counts that do not come from games (the ghost's).
    """

    def __init__(self, games: Sequence[RatedGame]) -> None:
        self.names = tuple(sorted({name for game in games for name in game.agents}))
        self.seats = max(len(game.agents) for game in games)
        index = {name: i for i, name in enumerate(self.names)}
        chosen = [stages([index[name] for name in game.agents], game.ranks) for game in games]
        sizes = sorted({len(winners) for game in chosen for _, winners in game})
        self.tie_sizes = [size for size in sizes if size > 1]
        left = sorted({remaining for game in chosen for remaining, _ in game})
        self._build(left)
        blocks = sorted({game.block for game in games})
        self.blocks = len(blocks)
        number = {block: i for i, block in enumerate(blocks)}
        pairs = sorted(
            (number[game.block], self._row[remaining, winners])
            for game, choices in zip(games, chosen)
            for remaining, winners in choices
        )
        self.game_block, self.game_row = np.array(pairs, np.int64).T

    def _build(self, left: list[tuple[Entry, ...]]) -> None:
        agents, seats = len(self.names), self.seats
        self.parameters = agents + seats + len(self.tie_sizes)
        tie_column = {size: agents + seats + i for i, size in enumerate(self.tie_sizes)}
        self._row: dict[tuple[tuple[Entry, ...], tuple[Entry, ...]], int] = {}
        rows: list[np.ndarray] = []
        group: list[int] = []
        fixed: list[float] = []
        for number, remaining in enumerate(left):
            for size in (1, *self.tie_sizes):
                for winners in combinations(remaining, size):
                    self._row[remaining, winners] = len(rows)
                    features = np.zeros(self.parameters)
                    for agent, seat in winners:
                        features[agent] += 1.0 / size
                        features[agents + seat] += 1.0 / size
                    if size > 1:
                        features[tie_column[size]] = 1.0
                    rows.append(features)
                    group.append(number)
                    fixed.append(0.0)
        for agent in range(agents):
            features = np.zeros(self.parameters)
            features[agent] = 1.0
            rows += [features, np.zeros(self.parameters)]
            group += [len(left) + agent] * 2
            fixed += [GHOST, GHOST]
        self.design, self.group, self.fixed = np.array(rows), np.array(group), np.array(fixed)
        self.start = np.flatnonzero(np.r_[True, np.diff(self.group) > 0])

    def counts(self, weights: np.ndarray) -> np.ndarray:
        """Return float64 (R,): how often each row was chosen when block `b` counts `weights[b]` times."""
        games = np.bincount(self.game_row, weights[self.game_block], len(self.design))
        return self.fixed + games

    def fit(self, weights: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return the parameters (P,) of largest posterior density."""
        y = self.counts(weights)
        keep = np.add.reduceat(y, self.start)[self.group] > 0
        x, y = self.design[keep], y[keep]
        group = np.unique(self.group[keep], return_inverse=True)[1]
        first = np.flatnonzero(np.r_[True, np.diff(group) > 0])
        totals = np.add.reduceat(y, first)
        penalty = np.r_[np.zeros(len(self.names)), np.full(self.parameters - len(self.names), PRIOR)]
        problem = _Posterior(x, y, group, first, totals, penalty)
        found = minimize(problem.value, start, jac=problem.gradient, hess=problem.hessian, method="trust-exact")
        return problem.polished(found.x)


@dataclass
class _Posterior:
    """Negative log posterior of the conditional logit, with its derivatives."""

    x: np.ndarray
    y: np.ndarray
    group: np.ndarray
    first: np.ndarray
    totals: np.ndarray
    penalty: np.ndarray

    def _probabilities(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        utility = self.x @ w
        top = np.maximum.reduceat(utility, self.first)[self.group]
        weight = np.exp(utility - top)
        norm = np.add.reduceat(weight, self.first)[self.group]
        return weight / norm, utility - top - np.log(norm)

    def value(self, w: np.ndarray) -> float:
        return float(self.penalty @ (w * w) - self.y @ self._probabilities(w)[1])

    def gradient(self, w: np.ndarray) -> np.ndarray:
        expected = self.totals[self.group] * self._probabilities(w)[0]
        gradient: np.ndarray = 2.0 * self.penalty * w - self.x.T @ (self.y - expected)
        return gradient

    def hessian(self, w: np.ndarray) -> np.ndarray:
        p = self._probabilities(w)[0]
        mean = np.add.reduceat(p[:, None] * self.x, self.first, axis=0)
        second = self.x.T @ ((self.totals[self.group] * p)[:, None] * self.x)
        hessian: np.ndarray = second - mean.T @ (self.totals[:, None] * mean) + np.diag(2.0 * self.penalty)
        return hessian

    def polished(self, w: np.ndarray) -> np.ndarray:
        """Newton steps from the optimiser's answer to the last digit."""
        for _ in range(5):
            step = np.linalg.solve(self.hessian(w), self.gradient(w))
            w = w - step
            if np.abs(step).max() < 1e-13:
                break
        return w


def stages(agents: Sequence[int], ranks: Sequence[int]) -> list[tuple[tuple[Entry, ...], tuple[Entry, ...]]]:
    """Return the choices that a result consists of: (entries left, entries that take the next rank together)."""
    entries = sorted((agent, seat) for seat, agent in enumerate(agents))
    found = []
    for rank in sorted(set(ranks)):
        winners = tuple(entry for entry in entries if ranks[entry[1]] == rank)
        if len(entries) > 1:
            found.append((tuple(entries), winners))
        entries = [entry for entry in entries if ranks[entry[1]] > rank]
    return found


def fit_ratings(games: Sequence[RatedGame], *, bootstrap: int = 200, seed: int = 0) -> Ratings:
    """Fit the ratings of all agents that occur in `games`.

    Args:
        games: at least one, of at least two seats.
        bootstrap: number of resamples of the blocks, at least 2; 0 for no intervals.
        seed: of the bootstrap, so that the same results give the same table.

    Raises:
        ValueError: there are no games, or one has fewer than two seats.
    """
    if not games or min(len(game.agents) for game in games) < 2:
        raise ValueError("ratings need at least one game of at least two seats")
    choices = _Choices(games)
    best = choices.fit(np.ones(choices.blocks), np.zeros(choices.parameters))
    rng = np.random.default_rng(seed)
    samples = []
    blocks = choices.blocks
    for _ in range(bootstrap if blocks > 1 and bootstrap > 1 else 0):
        drawn = rng.integers(blocks, size=blocks - 1)
        weights = np.bincount(drawn, minlength=blocks) * (blocks / (blocks - 1))
        samples.append(_points(choices, choices.fit(weights, best)))
    rating = _points(choices, best)
    half = stdtrit(blocks - 1, 0.975) * np.std(samples, axis=0, ddof=1) if samples else np.full(len(rating), np.nan)
    low, high = rating - half, rating + half
    k = len(choices.names)
    ties = {size: float(best[k + choices.seats + i]) for i, size in enumerate(choices.tie_sizes)}
    return Ratings(choices.names, rating[:k], low[:k], high[:k], rating[k:], low[k:], high[k:], ties)


def _points(choices: _Choices, w: np.ndarray) -> np.ndarray:
    """Return ratings (K,) and seat effects (n,) in points, each about its mean."""
    k = len(choices.names)
    strength, seat = w[:k], w[k : k + choices.seats]
    return np.concatenate([MEAN + SCALE * (strength - strength.mean()), SCALE * (seat - seat.mean())])
