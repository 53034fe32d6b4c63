"""Games as choices with ties, counted and fitted: the conditional logit behind `ratings`, which explains the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

GHOST = 0.5
"""Wins, and losses, of each agent against the ghost."""

PRIOR = 1.0 / (2.0 * 3.0**2)
"""Weight of the squared effects of seats and ties: a normal prior of standard deviation 3 in log worth."""

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

    def parts(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[int, float]]:
        """Return strengths (K,), effects of seats (n,) and the log delta of each size of tie."""
        strength, seat, ties = np.split(w, [self.agents, self.agents + self.seats])
        return strength, seat, dict(zip(self.tie_sizes, ties.tolist()))

    def _posterior(self, times: np.ndarray, weight: float) -> _Posterior:
        """Return what is to be maximised when block `b` counts `times[b] * weight`; `times` are whole numbers.

        Whole numbers are summed exactly, hence the same in any order of games.
        """
        results = np.bincount(self._game_result, times[self._game_block], int(self._stage_result[-1]) + 1)
        games = np.bincount(self._stage_row, results[self._stage_result], len(self.design))
        y = self.fixed + weight * games
        keep = np.add.reduceat(y, self.first)[self.group] > 0
        group = self.group[keep]
        first = np.flatnonzero(np.r_[True, np.diff(group) > 0])
        penalty = np.r_[np.zeros(self.agents), np.full(self.design.shape[1] - self.agents, PRIOR)]
        return _Posterior(self.design[keep], y[keep], first, penalty)

    def fit(self) -> np.ndarray:
        """Return the parameters (P,) of largest posterior density."""
        return self._posterior(np.ones(self.blocks), 1.0).maximum(np.zeros(self.design.shape[1]))

    def resampled(self, best: np.ndarray, samples: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Yield the parameters of bootstrap samples of the blocks, each of one block fewer (Rao & Wu 1988).

        Args:
            best: where to begin: the answer of `fit`.
            samples: how many; none are drawn of a single block.
            rng: draws the blocks.
        """
        blocks = self.blocks
        for _ in range(samples if blocks > 1 else 0):
            times = np.bincount(rng.integers(blocks, size=blocks - 1), minlength=blocks)
            yield self._posterior(times.astype(float), blocks / (blocks - 1)).maximum(best)


class _Posterior:
    """Negative log posterior of the conditional logit, with its derivatives.

    Args:
        x: float64 (R, P), features of the rows.
        y: float64 (R,), how often each was chosen.
        first: int64 (G,), first row of each group.
        penalty: float64 (P,), weights of the squared parameters.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, first: np.ndarray, penalty: np.ndarray) -> None:
        self.x, self.y, self.first, self.penalty = x, y, first, penalty
        self.lengths = np.diff(np.r_[first, len(y)])
        self.totals = np.add.reduceat(y, first)
        self.total = np.repeat(self.totals, self.lengths)

    def _log_probabilities(self, w: np.ndarray) -> np.ndarray:
        utility = self.x @ w
        utility -= np.repeat(np.maximum.reduceat(utility, self.first), self.lengths)
        norm = np.log(np.add.reduceat(np.exp(utility), self.first))
        found: np.ndarray = utility - np.repeat(norm, self.lengths)
        return found

    def value(self, w: np.ndarray) -> float:
        return float(self.penalty @ (w * w) - self.y @ self._log_probabilities(w))

    def gradient(self, w: np.ndarray) -> np.ndarray:
        expected = self.total * np.exp(self._log_probabilities(w))
        gradient: np.ndarray = 2.0 * self.penalty * w - self.x.T @ (self.y - expected)
        return gradient

    def hessian(self, w: np.ndarray) -> np.ndarray:
        weighted = np.exp(self._log_probabilities(w))[:, None] * self.x
        mean = np.add.reduceat(weighted, self.first, axis=0)
        second = self.x.T @ (self.total[:, None] * weighted)
        hessian: np.ndarray = second - mean.T @ (self.totals[:, None] * mean) + np.diag(2.0 * self.penalty)
        return hessian

    def maximum(self, start: np.ndarray) -> np.ndarray:
        """Return the parameters of largest density to the last digit: scipy's answer, then Newton steps.

        Near the answer, as from one bootstrap sample to the next, Newton steps alone do; they are taken if they arrive.
        """
        found = self._newton(start, 20) if start.any() else None
        if found is None:
            answer = minimize(self.value, start, jac=self.gradient, hess=self.hessian, method="trust-exact").x
            found = self._newton(answer, 50)
        if found is None:
            raise ArithmeticError("the fit of the ratings did not converge; please report the results file")
        return found

    def _newton(self, w: np.ndarray, steps: int) -> np.ndarray | None:
        """Return where Newton steps lead, or None where they do not become small.

        Once the steps are short the curvature hardly changes, and computing it is nearly all of the work.
        """
        last = np.inf
        curvature = None
        for _ in range(steps):
            if curvature is None or last > 1e-4:
                curvature = cho_factor(self.hessian(w))
            step = cho_solve(curvature, self.gradient(w))
            size = float(np.abs(step).max())
            if not size < 10.0:
                return None
            w = w - step
            if size < 1e-13 or (size < 1e-10 and size > last / 4):
                return w
            last = size
        return None
