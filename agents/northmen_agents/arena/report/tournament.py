"""The report of one tournament: from its results file to sections."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from northmen_agents.arena.games import Games
from northmen_agents.arena.ratings import MEAN, Ratings
from northmen_agents.arena.report import svg
from northmen_agents.arena.report.content import Cell, Report, ReportError, Section, Table
from northmen_agents.arena.report.curves import curves_beside, curves_section
from northmen_agents.arena.results import StoredResults
from northmen_agents.arena.summary import FEW_DISTINCT, Solo, Summary, summarise
from northmen_agents.config import ConfigError, validated
from northmen_env.version import __version__


@dataclass(frozen=True)
class Tournament:
    """What a results file holds, read once.

    Attributes:
        path: the file.
        title: the game and its seats.
        config, settings: see `StoredResults`.
        finished: whether all games are there.
        games: all that are.
        summary: their numbers.
    """

    path: Path
    title: str
    config: dict[str, Any]
    settings: dict[str, Any]
    finished: bool
    games: Games
    summary: Summary

    @classmethod
    def read(cls, path: str | Path) -> Tournament:
        """Return the tournament of a results file, or of the folder that holds it.

        Raises:
            ReportError: there are no games in it yet, or its game is not known here.
            ResultsError: it is not a results file, or damaged.
        """
        with StoredResults(path) as stored:
            config, settings, finished = stored.config, stored.settings, stored.finished
            games, file = stored.games(), stored.path
        if len(games) == 0:
            raise ReportError(f"{file} holds no games yet")
        try:
            chosen = validated({name: value for name, value in settings.items() if name != "executor"})
            game = chosen.load_game()
            summary = summarise(
                games,
                bootstrap=chosen.bootstrap,
                seed=chosen.seed,
                schedule=chosen.schedule(game),
                anchors=chosen.anchors,
                cheats=cheats_in(config),
                sequential=chosen.sequential.test() if chosen.sequential else None,
            )
        except (ConfigError, ValueError) as error:
            raise ReportError(f"{file} cannot be summarised: {error}") from error
        title = f"{game.spec.title}, {game.num_players} player{'s' if game.num_players > 1 else ''}"
        return cls(file, title, config, settings, finished, games, summary)


def cheats_in(config: dict[str, Any]) -> list[str]:
    """Return the names of the agents that act on what their seat cannot know."""
    return [name for name, entry in config.get("agents", {}).items() if entry.get("cheats")]


def report_of(tournament: Tournament) -> Report:
    """Return the report of a tournament."""
    summary = tournament.summary
    sections = [_overview(tournament)]
    if summary.ratings is not None:
        order = np.argsort(-summary.ratings.rating, kind="stable").tolist()
        sections += [
            _ratings(summary, summary.ratings, order),
            _cross_table(summary, order),
            _model(summary, summary.ratings, order),
            _seats(summary, summary.ratings),
        ]
    if summary.solo is not None:
        order = np.argsort(-summary.solo.wins, kind="stable").tolist()
        sections.append(_solo(summary, summary.solo, order))
    sections += [_lengths(tournament.games), _seconds(summary, order)]
    sections += curves_section(curves_beside(tournament.path.parent))
    text = json.dumps(tournament.config, indent=2, sort_keys=True)
    sections.append(Section("configuration", "Configuration", ["Everything that decides the results."], text=text))
    footer = f"Written by northmen-env {__version__} from {tournament.path.name}."
    return Report(tournament.title, sections, footer)


# -- cells -------------------------------------------------------------------------------------------------------------


def number(value: float, form: str = ".1f") -> Cell:
    """Return a cell with a number; a dash for NaN."""
    if math.isnan(value):
        return Cell("–")
    text = format(value, form)
    return Cell(text if float(text) else text.strip("+-"), float(value))  # neither +0 nor -0


def count(value: int) -> Cell:
    """Return a cell with a whole number."""
    return Cell(str(int(value)), int(value))


def percent(share: float, *, heat: bool = False) -> Cell:
    """Return a cell with a share in percent, whose value stays a share; empty for NaN."""
    if math.isnan(share):
        return Cell("")
    return Cell(f"{100 * share:.1f} %", float(share), float(share) if heat else None)


def label(summary: Summary, agent: int) -> str:
    """Return the name of an agent, marked if it cheats."""
    name = summary.names[agent]
    return f"{name} (cheats)" if name in summary.cheats else name


# -- sections ----------------------------------------------------------------------------------------------------------


def _overview(tournament: Tournament) -> Section:
    summary, config = tournament.summary, tournament.config
    rows = [
        ("games", count(summary.games)),
        ("deals", count(summary.deals)),
        ("distinct games", percent(summary.distinct)),
        ("decisions per game", number(summary.game_length)),
        ("seed", Cell(str(config.get("seed")))),
        ("northmen-env", Cell(str(config.get("package_version")))),
        ("rules (ledger)", Cell(str(config.get("ledger_version")))),
        ("tables (SHA-256)", Cell(str(config.get("tables_sha256")))),
        ("observation schema", Cell(str(config.get("observation_schema")))),
    ]
    sentences = [summary.plan] if summary.plan else []
    if summary.test is not None and summary.verdict is not None:
        sentences.append(summary.test.described(summary.verdict))
    warnings = []
    if not tournament.finished:
        warnings.append("The tournament is not finished; these are the games so far.")
    if summary.cheats:
        names = ", ".join(sorted(summary.cheats))
        warnings.append(f"Marked (cheats): {names}. Such an agent acts on what its seat cannot know.")
    if summary.distinct < FEW_DISTINCT:
        warnings.append(
            f"Fewer than {100 * FEW_DISTINCT:.0f} % of the games are distinct: agents without chance of their own "
            "repeat themselves, so the games say less than their number."
        )
    table = Table("overview", "What was played", ("what", "value"), [[Cell(name), cell] for name, cell in rows])
    return Section("overview", "Overview", sentences, [table], warnings=warnings)


def _ratings(summary: Summary, ratings: Ratings, order: Sequence[int]) -> Section:
    headings = ("agent", "rating", "low", "high", "games", "mean rank", "first", "decisions per game")
    rows = [
        [
            Cell(label(summary, i)),
            number(ratings.rating[i], ".0f"),
            number(ratings.low[i], ".0f"),
            number(ratings.high[i], ".0f"),
            count(summary.played[i]),
            number(summary.mean_rank[i], ".2f"),
            percent(summary.first[i]),
            number(summary.decisions[i]),
        ]
        for i in order
    ]
    held = ", ".join(f"{name} at {value:.0f}" for name, value in sorted(ratings.anchors.items()))
    scale = f"the mean is {MEAN:.0f}" if not held else f"on average the anchors have what they were given ({held})"
    sentences = [
        f"400 points are odds of 10 to 1 to finish above; {scale}. One fit to all ranks, seats and ties included; "
        f"low and high are the 95 % interval of a bootstrap over the {summary.deals} deals.",
    ]
    drawing = svg.dots(
        "ratings",
        "Ratings with their 95 % intervals, the best first",
        [label(summary, i) for i in order],
        ratings.rating[order].tolist(),
        ratings.low[order].tolist(),
        ratings.high[order].tolist(),
        unit="rating",
    )
    table = Table("ratings", "Ratings, the best first", headings, rows)
    return Section("ratings", "Ratings", sentences, [table], [drawing])


def _square(
    name: str, caption: str, summary: Summary, order: Sequence[int], shares: np.ndarray
) -> tuple[Table, svg.Drawing]:
    """Return a square of agents against agents as a table and as a drawing."""
    labels = [label(summary, i) for i in order]
    rows = [[Cell(labels[a]), *(percent(shares[i, j], heat=True) for j in order)] for a, i in enumerate(order)]
    ordered = shares[np.ix_(order, order)].tolist()
    return Table(name, caption, ("agent", *labels), rows), svg.heat_map(name, caption, labels, ordered)


def _cross_table(summary: Summary, order: Sequence[int]) -> Section:
    caption = "How often row finished above column, ties half: the games"
    table, drawing = _square("above", caption, summary, order, summary.above)
    return Section("above", "Cross table", ["Empty where two agents never met."], [table], [drawing])


def _model(summary: Summary, ratings: Ratings, order: Sequence[int]) -> Section:
    caption = "Probability that row finishes above column, ties half: the model"
    table, drawing = _square("model", caption, summary, order, ratings.above)
    sentences = ["What the fitted ratings expect of two agents on average over the seats."]
    tables = [table]
    if np.isfinite(ratings.above_low).any():
        labels = [label(summary, i) for i in order]
        ends = [[_range(ratings.above_low[i, j], ratings.above_high[i, j]) for j in order] for i in order]
        rows = [[Cell(name), *cells] for name, cells in zip(labels, ends)]
        tables.append(Table("model-interval", "Its 95 % intervals", ("agent", *labels), rows))
    return Section("model", "Probability of finishing above", sentences, tables, [drawing])


def _range(low: float, high: float) -> Cell:
    return Cell("") if math.isnan(low) else Cell(f"{100 * low:.1f}–{100 * high:.1f} %")


def _seats(summary: Summary, ratings: Ratings) -> Section:
    headings = ("seat", "effect", "low", "high", "mean rank", "first")
    rows = [
        [
            Cell(side),
            number(ratings.seat_effect[i], "+.0f"),
            number(ratings.seat_low[i], "+.0f"),
            number(ratings.seat_high[i], "+.0f"),
            number(summary.side_rank[i], ".2f"),
            percent(summary.side_first[i]),
        ]
        for i, side in enumerate(summary.side_names)
    ]
    drawing = svg.dots(
        "seats",
        "Points by which each seat is better than the mean seat, with 95 % intervals",
        [f"seat {side}" for side in summary.side_names],
        ratings.seat_effect.tolist(),
        ratings.seat_low.tolist(),
        ratings.seat_high.tolist(),
        unit="effect of the seat (points)",
        zero=True,
    )
    table = Table("seats", "Seats, whoever sat there", headings, rows)
    sentences = ["The effect is estimated with the ratings, so that neither takes what belongs to the other."]
    return Section("seats", "Seats", sentences, [table], [drawing])


def _solo(summary: Summary, solo: Solo, order: Sequence[int]) -> Section:
    ends = ("won, low", "won, high", "mean score", "score, low", "score, high")
    headings = ("agent", "won", *ends, "games", "decisions per game")
    rows = [
        [
            Cell(label(summary, i)),
            *(percent(part[i]) for part in (solo.wins, solo.wins_low, solo.wins_high)),
            *(number(part[i], ".2f") for part in (solo.score, solo.score_low, solo.score_high)),
            count(summary.played[i]),
            number(summary.decisions[i]),
        ]
        for i in order
    ]
    drawing = svg.dots(
        "wins",
        "Share of the games won, with Wilson's 95 % intervals",
        [label(summary, i) for i in order],
        (100 * solo.wins[order]).tolist(),
        (100 * solo.wins_low[order]).tolist(),
        (100 * solo.wins_high[order]).tolist(),
        unit="games won (%)",
    )
    sentences = ["Intervals are 95 %, over the deals: Wilson's for wins, Student's for scores."]
    return Section("wins", "Wins", sentences, [Table("wins", "Games won", headings, rows)], [drawing])


def _lengths(games: Games) -> Section:
    lengths = games.decisions.sum(1)
    low, first, middle, third, high = np.percentile(lengths, [0, 25, 50, 75, 100]).tolist()
    figures = {
        "shortest": low, "first quartile": first, "median": middle, "third quartile": third, "longest": high,
        "mean": float(lengths.mean()),
    }  # fmt: skip
    rows = [[Cell(name), number(value, ".1f")] for name, value in figures.items()]
    drawing = svg.histogram("lengths", "Decisions in a game, all seats together", lengths.tolist(), unit="decisions")
    table = Table("lengths", "Decisions in a game, all seats together", ("game", "decisions"), rows)
    return Section("lengths", "Game lengths", (), [table], [drawing])


def _seconds(summary: Summary, order: Sequence[int]) -> Section:
    rows = [[Cell(label(summary, i)), number(summary.seconds[i], ".6f")] for i in order]
    drawing = svg.dots(
        "seconds",
        "Seconds per decision, on a logarithmic axis",
        [label(summary, i) for i in order],
        summary.seconds[order].tolist(),
        unit="seconds per decision",
        log=True,
    )
    table = Table("seconds", "Seconds per decision", ("agent", "seconds"), rows)
    sentences = ["Wall time of the agent, its view of the game included; the one figure that depends on the machine."]
    return Section("seconds", "Seconds per decision", sentences, [table], [drawing])
