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
deals times the bootstrap's standard deviation; both keep the intervals of few deals from being too narrow. Intervals of
probabilities are made the same way in log odds.

Where all deals end alike there is nothing to draw: the bootstrap would call a rating certain after two deals. So where
its standard deviation is less than a quarter of the standard error that the curvature of the likelihood gives (delta
method at the fit, every game an independent observation), the latter takes its place. Above that the bootstrap stands
by itself, because deals that are shared really make differences more certain than independent games would.

Anchors move the scale and nothing else: the table is shifted so that the anchors have, on average, the ratings that
they are given. Differences between agents are always those of the games at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, logit, stdtrit

from northmen_agents.arena.odds import above_matrix
from northmen_agents.arena.tied_choices import Choices

SCALE = 400.0 / np.log(10.0)
"""Points per unit of log worth: 400 points are odds of 10 : 1, as in Elo's scale."""

LEAST = 0.25
"""The least bootstrap standard deviation that is believed, in standard errors by the curvature of the likelihood."""

MEAN = 1500.0
"""The mean rating of the agents of a tournament without anchors."""


@dataclass(frozen=True)
class RatedGame:
    """What the fit needs of a game.

    Attributes:
        block: number of the deal.
        agents: name of the agent on each seat; where the game has partners, on each side.
        ranks: rank of each seat or side; smaller is better, equal is a tie; only the order counts.
    """

    block: int
    agents: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Ratings:
    """The fitted model. K agents, n seats (sides, where the game has partners); intervals are NaN without bootstrap.

    Attributes:
        names: the agents, sorted.
        rating: float64 (K,), Elo-like; mean 1500, or as the anchors want it.
        low, high: float64 (K,), ends of the 95 % interval; NaN with fewer than two deals. They are intervals of the
            distance to what fixes the scale: the mean of all agents, or of the anchors.
        seat_effect: float64 (n,), points by which each seat is better than the mean seat.
        seat_low, seat_high: float64 (n,), as `low` and `high`.
        ties: size of a tie -> log delta, for the sizes that occurred.
        above: float64 (K, K), probability that row finishes above column, ties half, see `odds.above_matrix`; NaN on
            the diagonal.
        above_low, above_high: float64 (K, K), as `low` and `high`.
        anchors: agent -> the rating that it was given.
    """

    names: tuple[str, ...]
    rating: np.ndarray
    low: np.ndarray
    high: np.ndarray
    seat_effect: np.ndarray
    seat_low: np.ndarray
    seat_high: np.ndarray
    ties: dict[int, float]
    above: np.ndarray
    above_low: np.ndarray
    above_high: np.ndarray
    anchors: dict[str, float] = field(default_factory=dict)

    @property
    def strength(self) -> np.ndarray:
        """float64 (K,): log worth of each agent, mean 0."""
        strength: np.ndarray = (self.rating - self.rating.mean()) / SCALE
        return strength

    @property
    def seat_strength(self) -> np.ndarray:
        """float64 (n,): effect of each seat in log worth, mean 0."""
        effect: np.ndarray = self.seat_effect / SCALE
        return effect


def fit_ratings(
    games: Sequence[RatedGame], *, bootstrap: int = 200, seed: int = 0, anchors: Mapping[str, float] | None = None
) -> Ratings:
    """Fit the ratings of all agents that occur in `games`.

    Args:
        games: at least one, all of the same number of seats, at least two.
        bootstrap: number of resamples of the blocks, at least 2; 0 for no intervals.
        seed: of the bootstrap, so that the same results give the same table.
        anchors: agent -> rating, see above.

    Raises:
        ValueError: there are no games, they have fewer than two seats or different numbers, or an anchor did not play.
    """
    if not games or min(len(game.agents) for game in games) < 2:
        raise ValueError("ratings need at least one game of at least two seats")
    if len({len(game.agents) for game in games}) > 1:
        raise ValueError("ratings need games of one number of seats")
    names = tuple(sorted({name for game in games for name in game.agents}))
    index = {name: i for i, name in enumerate(names)}
    agents = np.array([[index[name] for name in game.agents] for game in games])
    ranks = np.array([game.ranks for game in games])
    blocks = np.array([game.block for game in games])
    return fit_columns(names, agents, ranks, blocks, bootstrap=bootstrap, seed=seed, anchors=anchors)


def fit_columns(
    names: Sequence[str],
    agents: np.ndarray,
    ranks: np.ndarray,
    blocks: np.ndarray,
    *,
    bootstrap: int = 200,
    seed: int = 0,
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """Fit ratings to N games given as columns; otherwise as `fit_ratings`.

    Args:
        names: the K agents, sorted.
        agents: int64 (N, n), number of the agent on each seat; every agent occurs.
        ranks: int64 (N, n), rank of each seat.
        blocks: int64 (N,), number of each game's deal.
        bootstrap, seed, anchors: see `fit_ratings`.
    """
    anchors = dict(anchors or {})
    for name in anchors:
        if name not in names:
            raise ValueError(f"the anchor {name!r} did not play; rated are: {', '.join(names)}")
    choices = Choices(len(names), agents, ranks, blocks)
    anchored = np.array([names.index(name) for name in anchors] or range(len(names)))
    target = float(np.mean(list(anchors.values()))) if anchors else MEAN

    def estimates(w: np.ndarray) -> np.ndarray:
        """Everything that gets an interval, in a row for each of (S, P): ratings, seat effects, log odds."""
        strength, seat, ties = choices.parts(w)
        rating = target + SCALE * (strength - strength[:, anchored].mean(1, keepdims=True))
        effect = SCALE * (seat - seat.mean(1, keepdims=True))
        above = logit(above_matrix(strength, seat, ties))
        return np.concatenate([rating, effect, above.reshape(len(w), -1)], 1)

    best = choices.fit()
    found = estimates(best[None])[0]
    samples = [estimates(w) for w in choices.resampled(best, bootstrap, np.random.default_rng(seed))]
    half = np.full(len(found), np.nan)
    if samples and bootstrap > 1:
        drawn, model = np.std(np.concatenate(samples), axis=0, ddof=1), _standard_errors(estimates, choices, best)
        half = stdtrit(choices.blocks - 1, 0.975) * np.where(drawn < LEAST * model, model, drawn)
    k, n = len(names), choices.seats
    rating, seat, above = np.split(found, [k, k + n])
    low_rating, low_seat, low_above = np.split(found - half, [k, k + n])
    high_rating, high_seat, high_above = np.split(found + half, [k, k + n])
    return Ratings(
        names=tuple(names),
        rating=rating,
        low=low_rating,
        high=high_rating,
        seat_effect=seat,
        seat_low=low_seat,
        seat_high=high_seat,
        ties={size: float(delta) for size, delta in choices.parts(best)[2].items()},
        above=expit(above).reshape(k, k),
        above_low=expit(low_above).reshape(k, k),
        above_high=expit(high_above).reshape(k, k),
        anchors=anchors,
    )


def _standard_errors(estimates: Callable[[np.ndarray], np.ndarray], choices: Choices, best: np.ndarray) -> np.ndarray:
    """Return the standard error of each estimate by the curvature at the fit (delta method, central differences)."""
    nudge = 1e-5 * np.eye(len(best))
    slopes = (estimates(best + nudge) - estimates(best - nudge)) / 2e-5
    variance = np.einsum("pe,pq,qe->e", slopes, np.linalg.inv(choices.curvature(best)), slopes)
    found: np.ndarray = np.sqrt(np.maximum(variance, 0.0))
    return found
