"""Many runs as one table: what differs between them as columns, runs of several seeds taken together."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from northmen_agents.arena.report import svg
from northmen_agents.arena.report.aggregate import iqm_band, iqm_interval
from northmen_agents.arena.report.content import Cell, Report, ReportError, Section, Table
from northmen_agents.arena.report.curves import LOG, Curve, read_curve
from northmen_agents.arena.report.tournament import Tournament, count, label, number, percent
from northmen_agents.arena.results import FILE_NAME, ResultsError
from northmen_env.version import __version__

SEED = "seed"
TASKS = ("game", "players")
"""Columns that say what is played, with the options of the game; everything else says by whom."""

_ITEM = re.compile(r",(?=[+~]*[A-Za-z_][\w./@-]*=)")
_NOT_CHOSEN = ("package_version", "ledger_version", "tables_sha256", "observation_schema")


@dataclass(frozen=True)
class Run:
    """One run of a sweep.

    Attributes:
        name: its folder, relative to the sweep's.
        folder: the same, to be opened.
        chosen: its configuration, flat: `{"players": "2", "agents.mine.simulations": "100", ...}`.
        tournament: its games, if it is a tournament.
        curve: its log, if it is a training.
    """

    name: str
    folder: Path
    chosen: dict[str, str]
    tournament: Tournament | None = None
    curve: Curve | None = None


@dataclass(frozen=True)
class Sweep:
    """The runs of a sweep.

    Attributes:
        folder: where they are.
        runs: by name.
        columns: the entries of the configuration in which they differ.
        left_out: sentences on runs that cannot be read.
    """

    folder: Path
    runs: list[Run]
    columns: tuple[str, ...]
    left_out: list[str] = field(default_factory=list)

    def tables(self) -> dict[str, Table]:
        """Return the tables by the names of their files."""
        made = {"agents": _agents(self), "training": _training(self), "seeds": _seeds(self), "all-games": _tasks(self)}
        return {name: table for name, table in made.items() if table.rows}


# -- reading -----------------------------------------------------------------------------------------------------------


def gather(folder: Path) -> Sweep:
    """Return the runs in and below a folder: each has a results file, or a log of training, or both.

    Raises:
        ReportError: there are none, or none that can be read.
    """
    homes = sorted({path.parent for name in (FILE_NAME, LOG) for path in folder.rglob(name)})
    if not homes:
        raise ReportError(f"there is neither {FILE_NAME} nor {LOG} in {folder} or below")
    read = [_read_or_told(folder, home) for home in homes]
    runs = [found for found in read if isinstance(found, Run)]
    left_out = [found for found in read if isinstance(found, str)]
    if not runs:
        raise ReportError("; ".join(left_out))
    values: dict[str, set[str]] = {}
    for run in runs:
        for name, value in run.chosen.items():
            values.setdefault(name, set()).add(value)
    different = [name for name, found in values.items() if len(found) > 1]
    columns = sorted(different, key=lambda name: (name not in TASKS, name == SEED, name))
    runs.sort(key=lambda run: [_in_order(run.chosen.get(name, "")) for name in columns])
    return Sweep(folder, runs, tuple(columns), left_out)


def _in_order(value: str) -> tuple[bool, float, str]:
    """Return what values are sorted by: numbers as numbers, before all else."""
    try:
        return False, float(value), value
    except ValueError:
        return True, 0.0, value


def _read_or_told(root: Path, home: Path) -> Run | str:
    """Return a run, or the sentence why it cannot be read: it is being played, has just begun, or is damaged."""
    try:
        return _read(root, home)
    except ResultsError as error:
        return str(error)


def _read(root: Path, home: Path) -> Run:
    name = home.relative_to(root).as_posix()
    curve = read_curve(home / LOG, name) if (home / LOG).is_file() else None
    if not (home / FILE_NAME).is_file():
        return Run(name, home, _from_beside(home), curve=curve)
    tournament = Tournament.read(home)
    config = {key: value for key, value in tournament.config.items() if key not in _NOT_CHOSEN}
    chosen = {_as_override(key): value for key, value in flat(config).items()}
    return Run(name, home, chosen, tournament, curve)


def _from_beside(home: Path) -> dict[str, str]:
    """Return the configuration of a training: from `config.json` beside its log, or else from its folder's name."""
    path = home / "config.json"
    if path.is_file():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ReportError(f"{path} cannot be read: {error}") from None
        if not isinstance(found, dict):
            raise ReportError(f"{path} is not a configuration")
        return {key: value for key, value in flat(found).items() if key not in ("name", "results", "overwrite")}
    items = (item.partition("=") for item in _ITEM.split(home.name))
    return {name.lstrip("+~"): value for name, equals, value in items if equals}


def _as_override(key: str) -> str:
    """Return an entry of the stored configuration as one would write it on the command line."""
    if key == "options.num_players":
        return "players"
    return f"game.{key}" if key.startswith("options.") else key


def flat(config: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Return nested entries under dotted names, values as text."""
    found: dict[str, str] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{before}{key}.")
        else:
            found[before + str(key)] = value if isinstance(value, str) else json.dumps(value)
    return found


# -- tables ------------------------------------------------------------------------------------------------------------


def _agents(sweep: Sweep) -> Table:
    """Return a row for each agent of each tournament."""
    figures = ("rating", "low", "high", "first", "mean rank", "games", "s / decision")
    headings = ("run", *sweep.columns, "agent", *figures, "folder")
    rows = []
    for n, run in enumerate(sweep.runs, 1):
        if run.tournament is None:
            continue
        summary = run.tournament.summary
        ratings = summary.ratings
        parts = (ratings.rating, ratings.low, ratings.high) if ratings else [np.full(len(summary.names), math.nan)] * 3
        best = summary.solo.wins if summary.solo is not None else parts[0]
        for i in np.argsort(-best, kind="stable").tolist():
            rows.append(
                [
                    Cell(str(n), link=f"{run.name}/report.html" if (run.folder / "report.html").is_file() else ""),
                    *_chosen(run, sweep.columns),
                    Cell(label(summary, i)),
                    *(number(part[i], ".0f") for part in parts),
                    percent(_won(run.tournament, i)),
                    number(summary.mean_rank[i], ".2f"),
                    count(summary.played[i]),
                    number(summary.seconds[i], ".6f"),
                    Cell(run.name),
                ]
            )
    return Table("agents", "Agents of all tournaments, the best of each first", headings, rows)


def _won(tournament: Tournament, agent: int) -> float:
    summary = tournament.summary
    return float((summary.solo.wins if summary.solo is not None else summary.first)[agent])


def _training(sweep: Sweep) -> Table:
    """Return a row for each log of training: where its metrics end."""
    metrics = _metrics(sweep)
    rows = []
    for n, run in enumerate(sweep.runs, 1):
        if run.curve is not None:
            last = [run.curve.known(metric)[1][-1:].tolist() for metric in metrics]
            step = run.curve.step[-1:].tolist()
            cells = [Cell(f"{value[0]:.4g}", value[0]) if value else Cell("") for value in [step, *last]]
            rows.append([Cell(str(n)), *_chosen(run, sweep.columns), *cells, Cell(run.name)])
    return Table("training", "Where training ended", ("run", *sweep.columns, "step", *metrics, "folder"), rows)


def _metrics(sweep: Sweep) -> list[str]:
    return list(dict.fromkeys(name for run in sweep.runs if run.curve is not None for name in run.curve.metrics))


def _chosen(run: Run, columns: Iterable[str]) -> list[Cell]:
    return [Cell(run.chosen.get(name, "")) for name in columns]


Scores = dict[tuple[tuple[str, ...], str, str], list[tuple[Run, float]]]


def _scores(sweep: Sweep, columns: Sequence[str]) -> Scores:
    """Return all results by (the columns' values, agent, measure), each with its run."""
    found: Scores = {}

    def add(run: Run, agent: str, measure: str, value: float) -> None:
        if math.isfinite(value):
            values = tuple(run.chosen.get(name, "") for name in columns)
            found.setdefault((values, agent, measure), []).append((run, value))

    for run in sweep.runs:
        if run.tournament is not None:
            summary = run.tournament.summary
            for i in range(len(summary.names)):
                if summary.ratings is not None:
                    add(run, label(summary, i), "rating", float(summary.ratings.rating[i]))
                add(run, label(summary, i), "first", _won(run.tournament, i))
        if run.curve is not None:
            for metric in run.curve.metrics:
                values = run.curve.known(metric)[1]
                add(run, "", metric, float(values[-1]) if len(values) else math.nan)
    return found


def _is_task(name: str) -> bool:
    return name in TASKS or name.startswith("game.")


def _seeds(sweep: Sweep) -> Table:
    """Return the runs that differ in their seed alone, together."""
    columns = tuple(name for name in sweep.columns if name != SEED)
    rows = []
    for (values, agent, measure), scores in _scores(sweep, columns).items():
        if len({run.chosen.get(SEED) for run, _ in scores}) > 1:
            mean, low, high = iqm_interval([np.array([value for _, value in scores])])
            ends = [_measured(measure, value) for value in (mean, low, high)]
            rows.append([Cell(measure), *(Cell(value) for value in values), Cell(agent), *ends, count(len(scores))])
    measures = list(dict.fromkeys(row[0].text for row in rows))
    rows.sort(key=lambda row: measures.index(row[0].text))
    headings = ("measure", *columns, "agent", "IQM", "low", "high", "seeds")
    return Table("seeds", "Seeds together: interquartile mean and its 95 % interval", headings, rows)


def _tasks(sweep: Sweep) -> Table:
    """Return the runs of all games together, each game a stratum of the bootstrap; ratings of games do not mix."""
    columns = tuple(name for name in sweep.columns if name != SEED and not _is_task(name))
    tasks = tuple(name for name in sweep.columns if _is_task(name))
    rows = []
    for (values, agent, measure), scores in _scores(sweep, columns).items() if tasks else ():
        strata: dict[tuple[str, ...], list[float]] = {}
        for run, value in scores:
            strata.setdefault(tuple(run.chosen.get(name, "") for name in tasks), []).append(value)
        if len(strata) > 1 and measure != "rating":
            mean, low, high = iqm_interval([np.array(part) for part in strata.values()])
            ends = [_measured(measure, value) for value in (mean, low, high)]
            counts = [count(len(strata)), count(len(scores))]
            rows.append([Cell(measure), *(Cell(value) for value in values), Cell(agent), *ends, *counts])
    headings = ("measure", *columns, "agent", "IQM", "low", "high", "games", "runs")
    return Table("all-games", "All games together: interquartile mean and its 95 % interval", headings, rows)


def _measured(measure: str, value: float) -> Cell:
    if measure == "first":
        return percent(value) if math.isfinite(value) else Cell("–")
    return number(value, ".0f" if measure == "rating" else ".4g")


def table_csv(table: Table) -> str:
    """Return a table as CSV, numbers in full precision."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        writer.writerow([repr(cell.value) if cell.value is not None else cell.text.replace("–", "") for cell in row])
    return out.getvalue()


# -- the report --------------------------------------------------------------------------------------------------------

_ABOUT = {
    "agents": (
        "A row for each agent of each tournament; the columns after the run are what differs between the runs. "
        "First is the share of its games that an agent won, a shared first place counting its part."
    ),
    "training": "The last value of each metric.",
    "seeds": (
        "Runs that differ in their seed alone. Interquartile mean and percentile interval of a bootstrap over the runs "
        "(Agarwal et al. 2021); with a handful of seeds the interval is narrower than it should be."
    ),
    "all-games": (
        "The same over all games, numbers of players and options; the bootstrap draws the runs of each of them apart. "
        "It says something only of measures that mean the same in each."
    ),
}


def sweep_report(sweep: Sweep, *, linked: bool = True) -> Report:
    """Return the report of a sweep; `linked`: the page stands in the sweep's folder, so links to the runs work."""
    sections = []
    for name, table in sweep.tables().items():
        if not linked:
            rows = [[Cell(cell.text, cell.value, cell.shade) for cell in row] for row in table.rows]
            table = Table(table.name, table.caption, table.headings, rows)
        drawings = _ladders(table, sweep) if name == "seeds" else []
        title = {"agents": "Agents", "training": "Training", "seeds": "Seeds", "all-games": "All games"}[name]
        sections.append(Section(name, title, [_ABOUT[name]], [table], drawings))
    drawings = _bands(sweep)
    if drawings:
        about = "Each line is the interquartile mean of the runs that differ in their seed alone, in its 95 % band."
        sections.append(Section("curves", "Learning curves", [about], drawings=drawings))
    warnings = [f"Left out: {text}" for text in sweep.left_out]
    warnings += [
        f"Not finished: {r.name}" for r in sweep.runs if r.tournament is not None and not r.tournament.finished
    ]
    names = ", ".join(sweep.columns) or "nothing"
    said = f"{len(sweep.runs)} run{'s' if len(sweep.runs) > 1 else ''}; what differs between them: {names}."
    sections.insert(0, Section("overview", "Overview", [said], warnings=warnings))
    footer = f"Written by northmen-env {__version__} from the runs in {sweep.folder.resolve().name}."
    return Report(f"Sweep {sweep.folder.resolve().name}", sections, footer)


def _ladders(table: Table, sweep: Sweep) -> list[svg.Drawing]:
    """Draw the means of each measure with their intervals."""
    drawings = []
    end = table.headings.index("IQM")
    for k, measure in enumerate(dict.fromkeys(row[0].text for row in table.rows)):
        rows = [row for row in table.rows if row[0].text == measure]
        labels = [" ".join(cell.text for cell in row[1:end] if cell.text) or measure for row in rows]
        parts = [[_value(row[end + i]) for row in rows] for i in range(3)]
        title = (
            f"{measure}: interquartile mean over seeds with its 95 % interval, by {', '.join(table.headings[1:end])}"
        )
        drawings.append(svg.dots(f"seeds-{k}", title, labels, *parts, unit=measure))
    return drawings


def _value(cell: Cell) -> float:
    return math.nan if cell.value is None else float(cell.value)


def _bands(sweep: Sweep) -> list[svg.Drawing]:
    """Draw each metric over the steps, runs of several seeds as one line with a band."""
    columns = tuple(name for name in sweep.columns if name != SEED)
    drawings = []
    for k, metric in enumerate(_metrics(sweep)):
        groups: dict[tuple[str, ...], list[tuple[np.ndarray, np.ndarray]]] = {}
        for run in sweep.runs:
            if run.curve is not None:
                x, y = run.curve.known(metric)
                if len(x):
                    groups.setdefault(tuple(run.chosen.get(name, "") for name in columns), []).append((x, y))
        drawn = []
        for values, curves in groups.items():
            x, mean, low, high = (part.tolist() for part in iqm_band(curves))
            name = " ".join(f"{column}={value}" for column, value in zip(columns, values)) or "all runs"
            if x:
                drawn.append(svg.Line(name, x, mean, *((low, high) if len(curves) > 1 else ((), ()))))
        if drawn:
            drawings.append(svg.lines(f"curve-{k}", f"{metric} while training", drawn, unit=metric))
    return drawings
