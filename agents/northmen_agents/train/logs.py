"""Logs of a training (needs torch): a CSV file and TensorBoard, which go on where a killed run's state is."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch.utils.tensorboard.writer import SummaryWriter

from northmen_agents.checkpoint import write_atomically

CSV = "progress.csv"
COLUMNS = (
    "step", "seconds", "games", "return", "length", "imitation_loss", "playouts_loss", "policy_loss", "value_loss",
    "entropy", "clipped", "kl",
)  # fmt: skip
BOARD = "tensorboard"


class Logs:
    """Writes one row for each update.

    Args:
        folder: of the run.
        steps: of the state that the run goes on from; rows behind it are dropped, because they come again.
        scores: names of the columns of the pool's scores, which are fixed for a file; others stand in TensorBoard only.
    """

    def __init__(self, folder: Path, steps: int, scores: list[str]) -> None:
        self._path = folder / CSV
        self._columns = [*COLUMNS, *(f"score_{name}" for name in scores)]
        kept = [row for row in self._rows() if int(row["step"]) <= steps]
        write_atomically(self._path, self._text(kept, header=True).encode())
        self._board = SummaryWriter(str(folder / BOARD), purge_step=steps + 1)

    def _rows(self) -> list[dict[str, str]]:
        if not self._path.is_file():
            return []
        with self._path.open(encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if None not in row.values()]

    def _text(self, rows: list[dict[str, Any]], header: bool) -> str:
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, self._columns, extrasaction="ignore", restval="", lineterminator="\n")
        if header:
            writer.writeheader()
        writer.writerows(rows)
        return buffer.getvalue()

    def write(self, row: dict[str, Any], scores: dict[str, float]) -> None:
        """Write a row; `scores` are of the pool's members."""
        whole = {**row, **{f"score_{name}": round(value, 4) for name, value in scores.items()}}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(self._text([whole], header=False))
        for name, value in whole.items():
            if name != "step" and value != "":
                group, _, own = name.partition("_") if name.startswith("score_") else ("train", "", name)
                self._board.add_scalar(f"{group}/{own}", float(value), int(row["step"]))

    def close(self) -> None:
        """Write what TensorBoard still holds."""
        self._board.close()


@contextmanager
def progress(total: int, done: int, quiet: bool = False) -> Iterator[Callable[[int, str], None]]:
    """Show a bar on standard error, or where that is no terminal a line for each tenth; call with steps and a text."""
    if quiet:
        yield lambda steps, told: None
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total, done)
        return
    columns = (
        TextColumn("steps"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} {task.fields[told]}"),
    )
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("steps", total=total, completed=done, told="")
        yield lambda steps, told: bar.update(task, completed=steps, told=told)


class _Lines:
    def __init__(self, total: int, done: int) -> None:
        self._total, self._tenth = total, 10 * done // total
        sys.stderr.write(f"training: {done} of {total} steps are done\n")

    def __call__(self, steps: int, told: str) -> None:
        tenth = 10 * steps // self._total
        if tenth > self._tenth:
            self._tenth = tenth
            sys.stderr.write(f"{steps} of {self._total} steps  {told}\n")
            sys.stderr.flush()
