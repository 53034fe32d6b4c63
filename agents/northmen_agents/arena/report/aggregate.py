"""Runs that differ in their seed alone, taken together: interquartile mean and stratified bootstrap.

Both are those of Agarwal, Schwarzer, Castro, Courville & Bellemare (2021), Deep reinforcement learning at the edge of
the statistical precipice, as their library rliable computes them: the mean of the middle half of all scores, and the
percentile interval of the same mean over resamples in which each stratum (a task) draws its own runs with replacement.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RESAMPLES = 5_000


def interquartile_mean(scores: np.ndarray) -> np.ndarray:
    """Return the mean of the middle half of the last axis: a quarter is cut at each end, rounded down."""
    cut = int(0.25 * scores.shape[-1])
    middle: np.ndarray = np.sort(scores, axis=-1)[..., cut : scores.shape[-1] - cut].mean(-1)
    return middle


def iqm_interval(strata: Sequence[np.ndarray], *, resamples: int = RESAMPLES, seed: int = 0) -> tuple[float, ...]:
    """Return the interquartile mean of all scores and the ends of its 95 % interval.

    Args:
        strata: float64 (runs,) of each task.
        resamples: of the bootstrap.
        seed: of the bootstrap, so that the same runs give the same interval.

    Returns:
        mean, low, high; the ends are NaN where no task has more than one run.
    """
    whole = np.concatenate(strata)
    if all(len(scores) < 2 for scores in strata):
        return float(interquartile_mean(whole)), float("nan"), float("nan")
    rng = np.random.default_rng(seed)
    drawn = [scores[rng.integers(len(scores), size=(resamples, len(scores)))] for scores in strata]
    low, high = np.percentile(interquartile_mean(np.concatenate(drawn, axis=1)), [2.5, 97.5]).tolist()
    return float(interquartile_mean(whole)), low, high


def iqm_band(curves: Sequence[tuple[np.ndarray, np.ndarray]], *, points: int = 100) -> tuple[np.ndarray, ...]:
    """Return the interquartile mean of several curves over the steps that all of them cover.

    Args:
        curves: (steps, values) of each run, at least one point each.
        points: of the result, where the runs do not share their steps.

    Returns:
        steps, mean, low, high: float64 (T,) each; T is 0 where the curves have no step in common.
    """
    first, last = max(x[0] for x, _ in curves), min(x[-1] for x, _ in curves)
    if first > last:
        nothing = np.empty(0)
        return nothing, nothing, nothing, nothing
    shared = curves[0][0]
    if any(len(x) != len(shared) or (x != shared).any() for x, _ in curves):
        shared = np.linspace(first, last, points if last > first else 1)
    values = np.array([np.interp(shared, x, y) for x, y in curves])
    ends = np.array([iqm_interval([column], resamples=1_000) for column in values.T])
    return shared, ends[:, 0], ends[:, 1], ends[:, 2]
