"""A results file in other forms: CSV and Parquet with a row per seat, JSON lines, and the payoff tensor.

Every function takes a results file (its path, or one that is open) and the path to write, and replaces what is there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from northmen_agents.arena.games import Games, unpacked
from northmen_agents.arena.results import ResultsError, StoredResults

File = str | Path | StoredResults

COLUMNS = (
    "deal",
    "line_up",
    "order",
    "seed",
    "seat",
    "agent",
    "rank",
    "return",
    "score",
    "decisions",
    "digest",
    "seconds",
)
"""Of the CSV and the Parquet file: a row for each seat of each game, ordered by game key and seat. `seconds`, spent by
the agent on this seat, is the last one, because it is the only one that another run of the same games changes."""

MOST_ENTRIES = 50_000_000
"""Of the payoff tensor: 400 MB."""


def export_json(file: File, path: str | Path) -> None:
    """Write one JSON object a line for each game, its actions included, without times."""
    with _opened(file) as stored:
        Path(path).write_text(stored.export(), encoding="utf-8")


def export_csv(file: File, path: str | Path) -> None:
    """Write `COLUMNS` as CSV."""
    with _opened(file) as stored:
        columns = _columns(stored.games())
    with Path(path).open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(zip(*columns.values()))


def export_parquet(file: File, path: str | Path) -> None:
    """Write `COLUMNS` as Parquet, and `actions` (a list of int16 for the whole game) in the row of seat 0.

    Raises:
        ResultsError: pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ResultsError("Parquet needs pyarrow: pip install 'northmen-env[report]'") from None
    with _opened(file) as stored:
        games = stored.games()
    columns = _columns(games)
    columns["seed"] = np.array(columns["seed"], np.uint64)
    nothing = [None] * max(games.seats - 1, 0)
    actions = [row for game in games.actions for row in (unpacked(game), *nothing)]
    table = pyarrow.table({**columns, "actions": pyarrow.array(actions, pyarrow.list_(pyarrow.int16()))})
    parquet.write_table(table, str(path))


def export_payoff(file: File, path: str | Path) -> None:
    """Write the payoff tensor as `.npz`, see `payoff`.

    Raises:
        ResultsError: there are too many agents for a tensor of this many seats.
    """
    with _opened(file) as stored:
        tensor = payoff(stored.games())
    with Path(path).open("wb") as out:
        np.savez_compressed(out, agents=tensor["agents"], payoff=tensor["payoff"], games=tensor["games"])


def payoff(games: Games) -> dict[str, np.ndarray]:
    """Return the payoff tensor of the empirical game, K agents on n seats.

    Returns:
        agents: text (K,), sorted; entry number k of every axis below that is K long.
        payoff: float64 (n, K, …, K): mean return of seat s when agent a_i sits on seat i, at [s, a_0, …, a_(n-1)]; NaN
            where that was never played. `list(payoff)` is what OpenSpiel's α-rank and replicator dynamics take.
        games: int64 (K, …, K), how many games are behind each.

    Raises:
        ResultsError: there are too many agents for a tensor of this many seats.
    """
    k, n = len(games.names), games.seats
    if (n + 1) * k**n > MOST_ENTRIES:
        raise ResultsError(
            f"the payoff tensor of {k} agents on {n} seats has {n} × {k}^{n} entries; export CSV instead"
        )
    shape = (k,) * n
    cell = np.ravel_multi_index(tuple(games.agents.T), shape) if len(games) else np.empty(0, np.int64)
    count = np.bincount(cell, minlength=k**n)
    sums = np.array([np.bincount(cell, games.returns[:, seat], k**n) for seat in range(n)]).reshape(n, -1)
    mean = np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0)
    return {"agents": np.array(games.names, np.str_), "payoff": mean.reshape(n, *shape), "games": count.reshape(shape)}


def _columns(games: Games) -> dict[str, Any]:
    """Return `COLUMNS` as lists of equal length."""
    seats = games.seats

    def each(values: Any) -> list[Any]:
        return [value for value in values for _ in range(seats)]

    return {
        "deal": each(games.deal.tolist()),
        "line_up": each(games.line_ups),
        "order": each(games.order.tolist()),
        "seed": each(games.seeds),
        "seat": list(range(seats)) * len(games),
        "agent": [games.names[i] for i in games.agents.ravel().tolist()],
        "rank": games.ranks.ravel().tolist(),
        "return": games.returns.ravel().tolist(),
        "score": games.scores.ravel().tolist(),
        "decisions": games.decisions.ravel().tolist(),
        "digest": each(games.digests),
        "seconds": games.seconds.ravel().tolist(),
    }


@contextmanager
def _opened(file: File) -> Iterator[StoredResults]:
    """Open a results file by its path; one that is open stays so."""
    if isinstance(file, StoredResults):
        yield file
        return
    with StoredResults(file) as stored:
        yield stored
