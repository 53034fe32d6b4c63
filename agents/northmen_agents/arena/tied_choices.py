"""Games as choices with ties, counted and fitted: the conditional logit behind `ratings`, which explains the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import minimize

GHOST = 0.5
"""Wins, and losses, of each agent against the ghost."""

PRIOR = 1.0 / (2.0 * 3.0**2)
"""Weight of the squared effects of seats and ties: a normal prior of standard deviation 3 in log worth."""

TOGETHER = 2_000_000
"""Numbers in the arrays of bootstrap samples that are fitted together."""

Entry = tuple[int, int]  # (agent, seat)
Choice = tuple[tuple[Entry, ...], tuple[Entry, ...]]  # entries left, entries that take the next rank together


def stages(agents: Sequence[int], ranks: Sequence[int]) -> list[Choice]:
    """Return the choices that a result consists of."""
    entries = sorted((agent, seat) for seat, agent in enumerate(agents))
    found = []
    for rank in sorted(set(ranks)):
        winners = tuple(entry for entry in entries if ranks[entry[1]] == rank)
        if len(entries) > 1:
            found.append((tuple(entries), winners))
        entries = [entry for entry in entries if ranks[entry[1]] > rank]
    return found


class Choices:
    """All choices of the games as one conditional logit: rows are possible sets, grouped by who was left.

    The P parameters are strengths of agents, effects of seats, log deltas of the sizes of ties that occurred.

    Args:
        count: number of agents, K.
        agents: int64 (N, n), agent on each seat.
        ranks: int64 (N, n), rank of each seat.
        blocks: int64 (N,), block of each game.

    Attributes:
        seats: n.
        blocks: how many blocks there are, B.
        tie_sizes: the sizes of ties that occurred.
        design: float64 (R, P), features of each row.
        group: int64 (R,), number of the choice that a row belongs to, ascending; `first` (G,), where each begins.
        fixed: float64 (R,), counts that do not come from games (the ghost's).
    """

    def __init__(self, count: int, agents: np.ndarray, ranks: np.ndarray, blocks: np.ndarray) -> None:
        self.agents, self.seats = count, agents.shape[1]
        places = (ranks[:, :, None] > ranks[:, None, :]).sum(2)
        results, of_game = np.unique(np.concatenate([agents, places], 1), axis=0, return_inverse=True)
        chosen = [stages(row[: self.seats], row[self.seats :]) for row in results.tolist()]
        self.tie_sizes = sorted({len(winners) for choices in chosen for _, winners in choices} - {1})
        row = self._build(sorted({left for choices in chosen for left, _ in choices}))
        self._game_result = of_game.ravel()
        self._game_block = np.unique(blocks, return_inverse=True)[1].ravel()
        self.blocks = int(self._game_block.max()) + 1
        self._stage_result = np.repeat(np.arange(len(chosen)), [len(choices) for choices in chosen])
        self._stage_row = np.array([row[choice] for choices in chosen for choice in choices])

    def _build(self, lefts: Sequence[tuple[Entry, ...]]) -> dict[Choice, int]:
        """Fill in the rows and return the number of each."""
        k, ghost = self.agents, len(lefts)
        sets: list[tuple[Entry, ...]] = []
        group: list[int] = []
        row: dict[Choice, int] = {}
        for number, left in enumerate(lefts):
            for size in (1, *(size for size in self.tie_sizes if size <= len(left))):
                for winners in combinations(left, size):
                    row[left, winners] = len(sets)
                    sets.append(winners)
                    group.append(number)
        design = np.zeros((len(sets) + 2 * k, k + self.seats + len(self.tie_sizes)))
        size_of = np.array([len(winners) for winners in sets])
        for column, size in enumerate((1, *self.tie_sizes)):
            rows = np.flatnonzero(size_of == size)
            members = np.array([sets[i] for i in rows.tolist()], np.int64).reshape(-1, size, 2)
            for entry in range(size):
                design[rows, members[:, entry, 0]] += 1.0 / size
                design[rows, k + members[:, entry, 1]] += 1.0 / size
            if size > 1:
                design[rows, k + self.seats + column - 1] = 1.0
        against_ghost = len(sets) + 2 * np.arange(k)  # the agent wins in these rows, and the ghost in the next ones
        design[against_ghost, np.arange(k)] = 1.0
        self.design, self.group = design, np.array([*group, *np.repeat(ghost + np.arange(k), 2).tolist()])
        self.first = np.flatnonzero(np.r_[True, np.diff(self.group) > 0])
        self.fixed = np.zeros(len(design))
        self.fixed[len(sets) :] = GHOST
        return row

    def parts(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[int, np.ndarray]]:
        """Return strengths (..., K), effects of seats (..., n) and the log delta (...) of each size of tie."""
        strength, seat, ties = np.split(w, [self.agents, self.agents + self.seats], axis=-1)
        return strength, seat, {size: ties[..., i] for i, size in enumerate(self.tie_sizes)}

    def counts(self, times: np.ndarray, weight: float) -> np.ndarray:
        """Return float64 (S, R): how often each row was chosen when block `b` counts `times[:, b] * weight`.

        Args:
            times: float64 (S, B), whole numbers: these are summed exactly, hence the same in any order of games.
            weight: of all of them.
        """
        y = np.empty((len(times), len(self.design)))
        for sample, row in enumerate(times):
            results = np.bincount(self._game_result, row[self._game_block], int(self._stage_result[-1]) + 1)
            y[sample] = np.bincount(self._stage_row, results[self._stage_result], len(self.design))
        return self.fixed + weight * y

    def fit(self) -> np.ndarray:
        """Return the parameters (P,) of largest posterior density."""
        return _Posteriors(self, self.counts(np.ones((1, self.blocks)), 1.0)).by_scipy(np.zeros(self.design.shape[1]))

    def curvature(self, best: np.ndarray) -> np.ndarray:
        """Return float64 (P, P): the second derivatives of the negative log posterior at `best` (P,)."""
        hessian: np.ndarray = _Posteriors(self, self.counts(np.ones((1, self.blocks)), 1.0)).hessian(best[None])[0]
        return hessian

    def resampled(self, best: np.ndarray, samples: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Yield the parameters (S, P) of bootstrap samples, some at a time; of each, one block fewer (Rao & Wu 1988).

        Args:
            best: where to begin: the answer of `fit`.
            samples: how many in all; none are drawn of a single block.
            rng: draws the blocks.
        """
        blocks = self.blocks
        together = max(1, TOGETHER // self.design.size)
        drawn = [rng.integers(blocks, size=blocks - 1) for _ in range(samples if blocks > 1 else 0)]
        for begin in range(0, len(drawn), together):
            times = np.array([np.bincount(row, minlength=blocks) for row in drawn[begin : begin + together]], float)
            yield _Posteriors(self, self.counts(times, blocks / (blocks - 1))).near(best)


class _Posteriors:
    """Negative log posteriors of S conditional logits of one design, with their derivatives.

    Args:
        choices: the design, of R rows and P parameters.
        y: float64 (S, R), how often each row was chosen.
    """

    def __init__(self, choices: Choices, y: np.ndarray) -> None:
        self.choices, self.y = choices, y
        self.x, self.first = choices.design, choices.first
        self.lengths = np.diff(np.r_[self.first, len(self.x)])
        self.penalty = np.r_[np.zeros(choices.agents), np.full(self.x.shape[1] - choices.agents, PRIOR)]
        self.totals = np.add.reduceat(y, self.first, axis=1)
        self.total = np.repeat(self.totals, self.lengths, axis=1)

    def _log_probabilities(self, w: np.ndarray) -> np.ndarray:
        utility = w @ self.x.T
        utility -= np.repeat(np.maximum.reduceat(utility, self.first, axis=1), self.lengths, axis=1)
        norm = np.log(np.add.reduceat(np.exp(utility), self.first, axis=1))
        found: np.ndarray = utility - np.repeat(norm, self.lengths, axis=1)
        return found

    def value(self, w: np.ndarray) -> np.ndarray:
        """Return float64 (S,) at w (S, P)."""
        value: np.ndarray = w**2 @ self.penalty - (self.y * self._log_probabilities(w)).sum(1)
        return value

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """Return float64 (S, P)."""
        expected = self.total * np.exp(self._log_probabilities(w))
        gradient: np.ndarray = 2.0 * self.penalty * w - (self.y - expected) @ self.x
        return gradient

    def hessian(self, w: np.ndarray) -> np.ndarray:
        """Return float64 (S, P, P)."""
        p = np.exp(self._log_probabilities(w))
        mean = np.add.reduceat(p[:, :, None] * self.x, self.first, axis=1)
        second = np.swapaxes((self.total * p)[:, :, None] * self.x, 1, 2) @ self.x
        hessian: np.ndarray = second - np.swapaxes(self.totals[:, :, None] * mean, 1, 2) @ mean
        return hessian + np.diag(2.0 * self.penalty)

    def by_scipy(self, start: np.ndarray) -> np.ndarray:
        """Return the parameters (P,) of largest density where S = 1, to the last digit: Newton steps end the search."""
        answer = minimize(
            lambda w: self.value(w[None])[0],
            start,
            jac=lambda w: self.gradient(w[None])[0],
            hess=lambda w: self.hessian(w[None])[0],
            method="trust-exact",
        )
        found, arrived = self._newton(answer.x[None], 50)
        if not arrived[0]:
            raise ArithmeticError("the fit of the ratings did not converge; please report the results file")
        best: np.ndarray = found[0]
        return best

    def near(self, start: np.ndarray) -> np.ndarray:
        """Return the parameters (S, P) of largest density, near which `start` (P,) is: mostly Newton steps will do."""
        found, arrived = self._newton(np.tile(start, (len(self.y), 1)), 20)
        for sample in np.flatnonzero(~arrived).tolist():
            found[sample] = _Posteriors(self.choices, self.y[sample : sample + 1]).by_scipy(start)
        return found

    def _newton(self, w: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
        """Return where Newton steps lead (S, P), and which arrived (S,).

        Once the steps are short the curvature hardly changes, and computing it is nearly all of the work.
        """
        last = np.full(len(w), np.inf)
        inverse = np.empty(0)
        arrived = np.zeros(len(w), bool)
        for _ in range(steps):
            if not last.max() <= 1e-4:
                inverse = np.linalg.inv(self.hessian(w))
            step = (inverse @ self.gradient(w)[:, :, None])[:, :, 0]
            size = np.abs(step).max(1)
            lost = ~(size < 10.0)  # these are fitted anew
            w = np.where(lost[:, None], w, w - step)
            arrived = ~lost & ((size < 1e-13) | ((size < 1e-10) & (size > last / 4)))
            if (arrived | lost).all():
                break
            last = np.where(lost, 0.0, size)
        return w, arrived
