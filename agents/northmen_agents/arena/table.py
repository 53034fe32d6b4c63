"""What a finished tournament says: numbers first, then the tables that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from northmen_agents.arena.play import GameResult
from northmen_agents.arena.ratings import MEAN, RatedGame, Ratings, fit_ratings

FEW_DISTINCT = 0.9


@dataclass(frozen=True)
class Summary:
    """The numbers behind the tables; arrays are in the order of `ratings.names` (K agents) or of the seats (n).

    Attributes:
        games, deals: how many there were.
        distinct: share of the games that differ from all others in their deal or their moves.
        ratings: see `ratings.Ratings`.
        played: int64 (K,), seats taken.
        mean_rank: float64 (K,), ties share the mean of the places they take.
        first: float64 (K,), share of the games won, a shared first place counting its part.
        seconds: float64 (K,), per decision.
        above: float64 (K, K), how often row finished above column, ties half; NaN where they never met.
        seat_rank, seat_first: float64 (n,), mean rank and share of first places of each seat, whoever sat there.
    """

    games: int
    deals: int
    distinct: float
    ratings: Ratings
    played: np.ndarray
    mean_rank: np.ndarray
    first: np.ndarray
    seconds: np.ndarray
    above: np.ndarray
    seat_rank: np.ndarray
    seat_first: np.ndarray


def summarise(results: Sequence[GameResult], *, bootstrap: int, seed: int) -> Summary:
    """Return the summary of the games of a tournament, which all have the same number of seats."""
    rated = [RatedGame(result.key.deal, result.agents, result.ranks) for result in results]
    ratings = fit_ratings(rated, bootstrap=bootstrap, seed=seed)
    index = {name: i for i, name in enumerate(ratings.names)}
    agents = np.array([[index[name] for name in result.agents] for result in results])
    ranks = np.array([result.ranks for result in results])
    places = (ranks[:, :, None] > ranks[:, None, :]).sum(2) + ((ranks[:, :, None] == ranks[:, None, :]).sum(2) + 1) / 2
    firsts = (ranks == 1) / (ranks == 1).sum(1, keepdims=True)
    k = len(ratings.names)
    played = np.bincount(agents.ravel(), minlength=k)
    spent = np.bincount(agents.ravel(), np.array([result.seconds for result in results]).ravel(), k)
    decided = np.bincount(agents.ravel(), np.array([result.decisions for result in results]).ravel(), k)
    return Summary(
        games=len(results),
        deals=len({result.key.deal for result in results}),
        distinct=len({(result.seed, result.actions) for result in results}) / len(results),
        ratings=ratings,
        played=played,
        mean_rank=np.bincount(agents.ravel(), places.ravel(), k) / played,
        first=np.bincount(agents.ravel(), firsts.ravel(), k) / played,
        seconds=spent / np.maximum(decided, 1),
        above=_cross_table(agents, ranks, k),
        seat_rank=places.mean(0),
        seat_first=firsts.mean(0),
    )


def _cross_table(agents: np.ndarray, ranks: np.ndarray, k: int) -> np.ndarray:
    """Return float64 (K, K): share of the meetings in which row finished above column, ties half."""
    won, met = np.zeros((k, k)), np.zeros((k, k))
    for a in range(agents.shape[1]):
        for b in range(agents.shape[1]):
            if a == b:
                continue
            better = (ranks[:, a] < ranks[:, b]) + 0.5 * (ranks[:, a] == ranks[:, b])
            np.add.at(won, (agents[:, a], agents[:, b]), better)
            np.add.at(met, (agents[:, a], agents[:, b]), 1.0)
    np.fill_diagonal(met, 0.0)
    shares: np.ndarray = np.divide(won, met, out=np.full((k, k), np.nan), where=met > 0)
    return shares


def show(summary: Summary, console: Console, title: str) -> None:
    """Print the tables and what their numbers mean."""
    order = np.argsort(-summary.ratings.rating, kind="stable").tolist()
    console.print(_rating_table(summary, order, title))
    console.print(
        f"Rating: 400 points are odds of 10 : 1 to finish above, mean {MEAN:.0f}; fitted to all ranks at once, "
        f"seats and ties included. ± is the 95 % interval of a bootstrap over the {summary.deals} deals.",
        style="dim",
    )
    console.print(_above_table(summary, order))
    console.print(_seat_table(summary))
    console.print(f"{summary.games} games, {100 * summary.distinct:.1f} % of them distinct.")
    if summary.distinct < FEW_DISTINCT:
        console.print(
            f"Warning: fewer than {100 * FEW_DISTINCT:.0f} % of the games are distinct; agents without chance of "
            "their own repeat themselves, so the games say less than their number.",
            style="yellow",
        )


def _rating_table(summary: Summary, order: Sequence[int], title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("agent", no_wrap=True)
    for heading in ("rating", "± 95 %", "games", "mean rank", "first", "s / decision"):
        table.add_column(heading, justify="right", no_wrap=True)
    ratings = summary.ratings
    for i in order:
        half = (ratings.high[i] - ratings.low[i]) / 2
        table.add_row(
            ratings.names[i],
            f"{ratings.rating[i]:.0f}",
            "–" if np.isnan(half) else f"± {half:.0f}",
            str(summary.played[i]),
            f"{summary.mean_rank[i]:.2f}",
            f"{100 * summary.first[i]:.1f} %",
            f"{summary.seconds[i]:.6f}",
        )
    return table


def _above_table(summary: Summary, order: Sequence[int]) -> Table:
    table = Table(title="Row finishes above column (%, ties half)", title_justify="left", title_style="bold")
    table.add_column("", no_wrap=True)
    for i in order:
        table.add_column(summary.ratings.names[i], justify="right", no_wrap=True)
    for i in order:
        cells = [summary.above[i, j] for j in order]
        table.add_row(summary.ratings.names[i], *("" if np.isnan(cell) else f"{100 * cell:.1f}" for cell in cells))
    return table


def _seat_table(summary: Summary) -> Table:
    table = Table(title="Seats", title_justify="left", title_style="bold")
    for heading in ("seat", "effect", "± 95 %", "mean rank", "first"):
        table.add_column(heading, justify="right", no_wrap=True)
    ratings = summary.ratings
    for seat, effect in enumerate(ratings.seat_effect.tolist()):
        half = (ratings.seat_high[seat] - ratings.seat_low[seat]) / 2
        table.add_row(
            str(seat),
            f"{effect:+.0f}",
            "–" if np.isnan(half) else f"± {half:.0f}",
            f"{summary.seat_rank[seat]:.2f}",
            f"{100 * summary.seat_first[seat]:.1f} %",
        )
    return table
