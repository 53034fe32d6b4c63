"""Writing reports: the page, Markdown, pictures and exports, beside the results or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from northmen_agents.arena.export import export_csv, export_parquet, export_payoff
from northmen_agents.arena.report.content import Report, ReportError
from northmen_agents.arena.report.markdown import markdown_of
from northmen_agents.arena.report.page import html_of
from northmen_agents.arena.report.svg import Drawing
from northmen_agents.arena.report.sweep import gather, sweep_report, table_csv
from northmen_agents.arena.report.tournament import Tournament, report_of
from northmen_agents.arena.results import ResultsError

REPORT, SWEEP = ("report", "figures"), ("sweep", "sweep-figures")
"""Names of page and Markdown, without suffix, and of the folder of the pictures."""

EXPORTS: dict[str, Callable[[Any, Any], None]] = {
    "games.csv": export_csv,
    "games.parquet": export_parquet,
    "payoff.npz": export_payoff,
}
PIXELS = 2.0
"""Pixels of a PNG per unit of a drawing."""


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes:
        page: the HTML page.
        files: the rest.
        left_out: sentences on what could not be made here, and why.
    """

    page: Path
    files: Sequence[Path]
    left_out: Sequence[str]


def write_page(tournament: Tournament) -> Path:
    """Write the HTML page beside the results of a tournament, and nothing else; return its path.

    Raises:
        ReportError: it cannot be written.
    """
    path = tournament.path.parent / f"{REPORT[0]}.html"
    _save(path, html_of(report_of(tournament)))
    return path


def write_report(results: str | Path, folder: Path | None = None) -> Written:
    """Write page, Markdown, pictures and exports of a tournament.

    Args:
        results: its results file, or the folder of that.
        folder: where to write; by default where the results are.

    Raises:
        ReportError: there is nothing to report, or it cannot be written.
        ResultsError: the results cannot be used.
    """
    tournament = Tournament.read(results)
    folder = tournament.path.parent if folder is None else folder
    page, files, left_out = _written(report_of(tournament), folder, *REPORT)
    for name in EXPORTS:
        told = _exported(name, tournament.path, folder)
        if told:
            left_out.append(told)
        else:
            files.append(folder / name)
    return Written(page, files, left_out)


def write_sweep(runs: Path, folder: Path | None = None) -> Written:
    """Write one table of all runs below a folder, as page, Markdown and CSV, and the pictures of seeds together.

    Args:
        runs: the folder of a sweep.
        folder: where to write; by default `runs`.

    Raises:
        ReportError: there are no runs, none of them can be read, or the report cannot be written.
    """
    sweep = gather(runs)
    folder = runs if folder is None else folder
    page, files, left_out = _written(sweep_report(sweep, linked=folder == runs), folder, *SWEEP)
    for name, table in sweep.tables().items():
        _save(folder / f"{name}.csv", table_csv(table))
        files.append(folder / f"{name}.csv")
    return Written(page, files, [*left_out, *sweep.left_out])


def _exported(name: str, results: Path, folder: Path) -> str:
    """Write an export; return the sentence why it cannot be made, or nothing."""
    try:
        EXPORTS[name](results, folder / name)
    except ResultsError as error:
        return f"{name}: {error}"
    except OSError as error:
        raise ReportError(f"{folder / name} cannot be written: {error.strerror or error}") from error
    return ""


def _written(report: Report, folder: Path, name: str, pictures: str) -> tuple[Path, list[Path], list[str]]:
    """Write page, pictures and Markdown."""
    page, markdown, suffix, left_out = folder / f"{name}.html", folder / f"{name}.md", ".png", []
    _save(page, html_of(report))
    files = [markdown]
    for drawing in report.drawings:
        files.append(folder / pictures / f"{drawing.name}.svg")
        _save(files[-1], drawing.markup(1.0) + "\n")
    try:
        for drawing in report.drawings:
            _save_png(folder / pictures / f"{drawing.name}.png", drawing)
            files.append(folder / pictures / f"{drawing.name}.png")
    except ImportError:
        suffix = ".svg"
        left_out.append("figures as PNG (they are there as SVG): pip install 'northmen-env[report]'")
    _save(markdown, markdown_of(report, pictures, suffix))
    return page, files, left_out


def _save_png(path: Path, drawing: Drawing) -> None:
    from PIL import Image

    from northmen_env.envs.picture import svg_to_rgb

    picture = Image.fromarray(svg_to_rgb(drawing.markup(PIXELS)))
    try:
        picture.save(path)
    except OSError as error:
        raise ReportError(f"{path} cannot be written: {error.strerror or error}") from error


def _save(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ReportError(f"{path} cannot be written: {error.strerror or error}") from error
