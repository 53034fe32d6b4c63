"""A sequential test between two agents: play deals until it is clear enough which of two differences is the true one.

One deal, with all its line-ups and seat orders, is one observation: the share of the meetings that the first agent won
(ties half). Games of one deal share their luck, so they count together and never one by one. This is the generalised
sequential probability ratio test (Li, Liu & Ying: Generalized sequential probability ratio test for separate families
of hypotheses, Sequential Analysis 33, 2014) as engine testers use it on pairs of games (Van den Bergh: A practical
introduction to the GSPRT, 2020; "Fishtest mathematics": the pentanomial model), with a normal law of unknown variance,
whose likelihood is maximised under either hypothesis:

    log-likelihood ratio = n / 2 * log((V + S(low)) / (V + S(high)))
    S(difference) = sum over n deals of (share - expected share at that difference) ** 2

V = `CAUTION` stands for four unseen deals of the greatest possible variance, 1 / 4. It keeps a handful of equal deals
from ending the test at once and hardly matters after a hundred.

The test ends at the first deal, *in the order of their numbers*, at which the ratio has left Wald's bounds. Later deals
that were played meanwhile do not count, so the verdict depends neither on workers nor on the order of completion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, log10
from typing import Literal

import numpy as np

from northmen_agents.arena.schedule import GameKey, Schedule

Decision = Literal["low", "high", "undecided"]

CAUTION = 1.0


@dataclass(frozen=True)
class Verdict:
    """Where a sequential test stands.

    Attributes:
        decision: the hypothesis that was accepted, `"low"` or `"high"`, or `"undecided"`.
        deals: how many deals, from number 0 on, the verdict rests on; games of later deals have no part in it.
        ratio: log-likelihood ratio of "high" against "low" after these deals.
        score: share of the meetings that the first agent won, ties half; NaN before the first deal.
    """

    decision: Decision
    deals: int
    ratio: float
    score: float

    @property
    def points(self) -> float:
        """The difference in rating points that `score` alone would mean; biased away from 0 once a test has ended."""
        return points_of(self.score)


@dataclass(frozen=True)
class SequentialTest:
    """The test of one difference in rating points against another.

    Attributes:
        agents: the first agent, whose lead is tested, and the second.
        low, high: differences in rating points. An agent that leads by `low` (or less) is taken for one that leads by
            `high` with probability `alpha` at most; one that leads by `high` (or more) for `low` with `beta` at most.
            The rates hold as far as the normal law does (docs/tournaments.md gives the measured ones).

    Raises:
        ValueError: the entries make no test; the sentence says why.
    """

    agents: tuple[str, str]
    low: float = 0.0
    high: float = 35.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if len(self.agents) != 2 or self.agents[0] == self.agents[1]:
            raise ValueError(f"a sequential test compares two different agents, not {', '.join(self.agents)}")
        if not -2000.0 <= self.low < self.high <= 2000.0:
            raise ValueError(f"low must be less than high, both within ±2000 points, not {self.low} and {self.high}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta are error rates between 0 and 0.5, not {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio: up to the first "low" is accepted, from the second on "high"."""
        return log(self.beta / (1.0 - self.alpha)), log((1.0 - self.beta) / self.alpha)

    def ratios(self, scores: Sequence[float] | np.ndarray) -> np.ndarray:
        """Return float64 (n,): the log-likelihood ratio after each deal.

        Args:
            scores: (n,), the first agent's share of each deal, in the order of the deals.
        """
        x = np.asarray(scores, float)
        off_low = CAUTION + np.cumsum((x - score_of(self.low)) ** 2)
        off_high = CAUTION + np.cumsum((x - score_of(self.high)) ** 2)
        ratios: np.ndarray = np.arange(1, len(x) + 1) / 2.0 * np.log(off_low / off_high)
        return ratios

    def judge(self, scores: Sequence[float] | np.ndarray) -> Verdict:
        """Return the verdict at the first deal that allows one, or at the last; `scores` as in `ratios`."""
        if len(scores) == 0:
            return Verdict("undecided", 0, 0.0, float("nan"))
        ratios = self.ratios(scores)
        lower, upper = self.bounds
        outside = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        last = int(outside[0]) if outside.size else len(ratios) - 1
        ratio = float(ratios[last])
        decision: Decision = "high" if ratio >= upper else "low" if ratio <= lower else "undecided"
        return Verdict(decision, last + 1, ratio, float(np.mean(np.asarray(scores)[: last + 1])))

    def described(self, verdict: Verdict) -> str:
        """Return the verdict in a sentence."""
        first, second = self.agents
        rates = f"error rates {100 * self.alpha:g} % and {100 * self.beta:g} %"
        state = f"{verdict.deals} deals, log-likelihood ratio {verdict.ratio:+.2f}"
        if verdict.decision == "undecided":
            lower, upper = self.bounds
            return (
                f"Sequential test: undecided between {first} leading {second} by {self.low:g} and by {self.high:g} "
                f"points ({state}, bounds {lower:.2f} and {upper:.2f})."
            )
        taken, other = (self.high, self.low) if verdict.decision == "high" else (self.low, self.high)
        side = "or more" if verdict.decision == "high" else "or less"
        return (
            f"Sequential test: {first} leads {second} by {taken:g} points {side}, rather than by {other:g} "
            f"({state}; {rates})."
        )


class DealByDeal:
    """Judges a test while games come in, in any order.

    Args:
        test: what is tested.
        schedule: of these two agents only; a deal counts once all its games are in.

    Raises:
        ValueError: the schedule has other agents, or is solo.
    """

    def __init__(self, test: SequentialTest, schedule: Schedule) -> None:
        if set(schedule.names) != set(test.agents) or len(schedule.sides) < 2:
            raise ValueError(
                f"a sequential test of {test.agents[0]} and {test.agents[1]} needs games between these two and nobody "
                f"else; the agents are: {', '.join(schedule.names)}"
            )
        self.test = test
        self._first = test.agents[0]
        self._seats = [side[0] for side in schedule.sides]
        self._games = schedule.games_per_deal
        self._open: dict[int, tuple[int, int, int]] = {}  # deal -> games, half points of the first agent, meetings
        self._complete: dict[int, float] = {}  # deals that wait for one before them
        self._scores: list[float] = []  # of deals 0, 1, ... as far as they are complete
        self.verdict = test.judge([])

    def add(self, key: GameKey, agents: Sequence[str], ranks: Sequence[int]) -> Verdict:
        """Count a game and return the verdict so far; once it is decided, no further game changes it.

        Args:
            key: of the game; no game twice.
            agents, ranks: of each seat.
        """
        return self.add_all([(key, agents, ranks)])

    def add_all(self, games: Iterable[tuple[GameKey, Sequence[str], Sequence[int]]]) -> Verdict:
        """Count games, as `add`, and return the verdict."""
        for key, agents, ranks in games:
            self._count(key.deal, agents, ranks)
        before = len(self._scores)
        while len(self._scores) in self._complete:
            self._scores.append(self._complete.pop(len(self._scores)))
        if self.verdict.decision == "undecided" and len(self._scores) > before:
            self.verdict = self.test.judge(self._scores)
        return self.verdict

    def _count(self, deal: int, agents: Sequence[str], ranks: Sequence[int]) -> None:
        games, half_points, meetings = self._open.pop(deal, (0, 0, 0))
        for mine in self._seats:
            for other in self._seats:
                if agents[mine] == self._first and agents[other] != self._first:
                    half_points += 2 if ranks[mine] < ranks[other] else 1 if ranks[mine] == ranks[other] else 0
                    meetings += 1
        if games + 1 < self._games:
            self._open[deal] = (games + 1, half_points, meetings)
        else:
            self._complete[deal] = half_points / (2 * meetings)


def score_of(points: float) -> float:
    """Return the expected share, ties half, of an agent that leads another by `points` where seats do not matter."""
    return float(1.0 / (1.0 + 10.0 ** (-points / 400.0)))


def points_of(score: float) -> float:
    """Return the inverse of `score_of`; infinite for 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return float("-inf") if score <= 0.0 else float("inf")
    return 400.0 * log10(score / (1.0 - score))
