"""Learning curves: a log of training is a `progress.csv` with a column `step` and one column per metric."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from northmen_agents.arena.report import svg
from northmen_agents.arena.report.content import Cell, ReportError, Section, Table

LOG = "progress.csv"


@dataclass(frozen=True)
class Curve:
    """One log of training.

    Attributes:
        label: whose it is.
        step: float64 (T,), ascending.
        metrics: name -> float64 (T,); NaN where a row has no value.
    """

    label: str
    step: np.ndarray
    metrics: dict[str, np.ndarray]

    def known(self, metric: str) -> tuple[np.ndarray, np.ndarray]:
        """Return steps and values where the metric has one."""
        values = self.metrics.get(metric, np.full(len(self.step), math.nan))
        there = np.isfinite(values)
        return self.step[there], values[there]


def read_curve(path: Path, label: str) -> Curve:
    """Return the log in a CSV file.

    Raises:
        ReportError: it cannot be read, has no column `step`, or something in it is not a number.
    """
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReportError(f"{path} cannot be read: {error}") from None
    headings = rows[0] if rows else []
    if "step" not in headings or len(set(headings)) < len(headings):
        raise ReportError(f"{path} needs a first line with the column step and one column for each metric")
    columns: dict[str, list[float]] = {name: [] for name in headings}
    for number, row in enumerate(rows[1:], 2):
        if not row or (number == len(rows) and len(row) < len(headings)):  # the last line may be half written
            continue
        try:
            values = [float(text) if text.strip() else math.nan for text in row]
        except ValueError:
            raise ReportError(f"{path}, line {number}: {row} are not numbers") from None
        if len(values) != len(headings):
            raise ReportError(f"{path}, line {number} has {len(values)} values for {len(headings)} columns")
        for name, value in zip(headings, values):
            columns[name].append(value)
    arrays = {name: np.array(values, np.float64) for name, values in columns.items()}
    step = arrays.pop("step")
    if not np.isfinite(step).all():
        raise ReportError(f"{path}: every line needs a step")
    order = np.argsort(step, kind="stable")
    return Curve(label, step[order], {name: values[order] for name, values in arrays.items()})


def curves_beside(folder: Path) -> list[Curve]:
    """Return the logs in a folder and in the folders directly below, labelled by folder."""
    found = [folder / LOG, *sorted(folder.glob(f"*/{LOG}"))]
    return [read_curve(path, path.parent.name) for path in found if path.is_file()]


def curves_section(curves: Sequence[Curve]) -> list[Section]:
    """Return a section with each metric over the steps; nothing if there are no logs."""
    metrics = list(dict.fromkeys(name for curve in curves for name in curve.metrics))
    drawings, rows = [], []
    for number, metric in enumerate(metrics):
        known = [(curve.label, *curve.known(metric)) for curve in curves]
        drawn = [svg.Line(label, x.tolist(), y.tolist()) for label, x, y in known if len(x)]
        if drawn:
            drawings.append(svg.lines(f"curve-{number}", f"{metric} while training", drawn, unit=metric))
        for label, x, y in known:
            if len(x):
                last = [Cell(f"{x[-1]:g}", float(x[-1])), Cell(f"{y[-1]:.4g}", float(y[-1]))]
                rows.append([Cell(label), Cell(metric), *last])
    if not rows:
        return []
    table = Table("curves", "Where each curve ends", ("log", "metric", "step", "value"), rows)
    return [Section("curves", "Learning curves", (), [table], drawings)]
