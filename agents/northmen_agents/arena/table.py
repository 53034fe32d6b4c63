"""The tables that a tournament ends with, on a terminal or in a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from northmen_agents.arena.odds import expected_ranks
from northmen_agents.arena.ratings import MEAN, Ratings
from northmen_agents.arena.summary import FEW_DISTINCT, Solo, Summary, summarise

__all__ = ["Summary", "show", "summarise"]

MANY_AGENTS = 10
"""Tables of agents against agents are printed up to this many."""


def show(summary: Summary, console: Console, title: str) -> None:
    """Print the tables and what their numbers mean."""
    if summary.ratings is not None:
        _show_ratings(summary, summary.ratings, console, title)
    if summary.solo is not None:
        _print_table(console, title, _solo_table(summary, summary.solo))
        console.print("Intervals are 95 %, over the deals: Wilson's for wins, Student's for scores.", style="dim")
    if summary.cheats:
        console.print("cheats: the agent acts on what its seat cannot know.", style="yellow")
    if summary.plan:
        console.print(summary.plan)
    if summary.test is not None and summary.verdict is not None:
        console.print(summary.test.described(summary.verdict))
    console.print(
        f"{summary.games} games of {summary.deals} deals, {summary.game_length:.0f} decisions each on average, "
        f"{100 * summary.distinct:.1f} % of them distinct."
    )
    if summary.distinct < FEW_DISTINCT:
        console.print(
            f"Warning: fewer than {100 * FEW_DISTINCT:.0f} % of the games are distinct; agents without chance of "
            "their own repeat themselves, so the games say less than their number.",
            style="yellow",
        )


def _show_ratings(summary: Summary, ratings: Ratings, console: Console, title: str) -> None:
    order = np.argsort(-ratings.rating, kind="stable").tolist()
    _print_table(console, title, _rating_table(summary, ratings, order))
    console.print(
        f"Rating: 400 points are odds of 10 : 1 to finish above; {_scale(ratings)}; fitted to all ranks at once, "
        f"seats and ties included. ± is the 95 % interval of a bootstrap over the {summary.deals} deals.",
        style="dim",
    )
    if len(order) <= MANY_AGENTS:
        title = "Row finishes above column (%, ties half)"
        _print_table(console, f"{title}: the games", _above_table(summary, order))
        _print_table(console, f"{title}: the model and its 95 % interval", _model_table(summary, ratings, order))
        _show_line_ups(summary, ratings, order, console)
    else:
        console.print(f"More than {MANY_AGENTS} agents: `northmen report` shows who finishes above whom.")
    _print_table(console, "Seats", _seat_table(summary, ratings))


def _scale(ratings: Ratings) -> str:
    if not ratings.anchors:
        return f"mean {MEAN:.0f}"
    if len(ratings.anchors) == 1:
        return "".join(f"{name} is held at {value:.0f}" for name, value in ratings.anchors.items())
    held = ", ".join(f"{name} {value:.0f}" for name, value in sorted(ratings.anchors.items()))
    return f"on average the anchors have the ratings they were given ({held})"


def _label(summary: Summary, agent: int) -> str:
    name = summary.names[agent]
    return f"{name} (cheats)" if name in summary.cheats else name


def _print_table(console: Console, title: str, table: Table) -> None:
    """Print a table under its title, which may be wider."""
    console.print(title, style="bold", markup=False)
    console.print(table)


def _table(left: str, headings: Sequence[str]) -> Table:
    table = Table()
    table.add_column(left, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _half(low: np.ndarray, high: np.ndarray, i: int) -> str:
    half = (high[i] - low[i]) / 2
    return "–" if np.isnan(half) else f"± {half:.0f}"


def _rating_table(summary: Summary, ratings: Ratings, order: Sequence[int]) -> Table:
    headings = ("rating", "± 95 %", "games", "mean rank", "first", "decisions / game", "s / decision")
    table = _table("agent", headings)
    for i in order:
        table.add_row(
            _label(summary, i),
            f"{ratings.rating[i]:.0f}",
            _half(ratings.low, ratings.high, i),
            str(summary.played[i]),
            f"{summary.mean_rank[i]:.2f}",
            f"{100 * summary.first[i]:.1f} %",
            f"{summary.decisions[i]:.1f}",
            f"{summary.seconds[i]:.6f}",
        )
    return table


def _above_table(summary: Summary, order: Sequence[int]) -> Table:
    names = [_label(summary, i) for i in order]
    table = _table("", names)
    for i in order:
        cells = [summary.above[i, j] for j in order]
        table.add_row(_label(summary, i), *("" if np.isnan(cell) else f"{100 * cell:.1f}" for cell in cells))
    return table


def _model_table(summary: Summary, ratings: Ratings, order: Sequence[int]) -> Table:
    names = [_label(summary, i) for i in order]
    table = _table("", names)
    for i in order:
        cells = []
        for j in order:
            low, p, high = (100 * part[i, j] for part in (ratings.above_low, ratings.above, ratings.above_high))
            cells.append("" if i == j else f"{p:.1f}" if np.isnan(low) else f"{p:.1f} ({low:.0f}–{high:.0f})")
        table.add_row(_label(summary, i), *cells)
    return table


def _show_line_ups(summary: Summary, ratings: Ratings, order: Sequence[int], console: Console) -> None:
    """Print what to expect of the best agents at one table; with two seats the tables above say it."""
    n = len(ratings.seat_effect)
    if n < 3:
        return
    best = [ratings.names[order[i % len(order)]] for i in range(n)]
    ranks = expected_ranks(ratings, best)
    line_up = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(best, ranks))
    console.print(f"Expected place in a game of {'these' if len(order) == n else 'the best'} {n}: {line_up}.")


def _seat_table(summary: Summary, ratings: Ratings) -> Table:
    table = _table("seat", ("effect", "± 95 %", "mean rank", "first"))
    for side, effect in enumerate(ratings.seat_effect.tolist()):
        table.add_row(
            summary.side_names[side],
            f"{effect:+.0f}",
            _half(ratings.seat_low, ratings.seat_high, side),
            f"{summary.side_rank[side]:.2f}",
            f"{100 * summary.side_first[side]:.1f} %",
        )
    return table


def _solo_table(summary: Summary, solo: Solo) -> Table:
    headings = ("won", "95 %", "mean score", "95 %", "games", "decisions / game", "s / decision")
    table = _table("agent", headings)
    for i in np.argsort(-solo.wins, kind="stable").tolist():
        table.add_row(
            _label(summary, i),
            f"{100 * solo.wins[i]:.1f} %",
            f"{100 * solo.wins_low[i]:.1f}–{100 * solo.wins_high[i]:.1f} %",
            f"{solo.score[i]:.2f}",
            "–" if np.isnan(solo.score_low[i]) else f"{solo.score_low[i]:.2f}–{solo.score_high[i]:.2f}",
            str(summary.played[i]),
            f"{summary.decisions[i]:.1f}",
            f"{summary.seconds[i]:.6f}",
        )
    return table
