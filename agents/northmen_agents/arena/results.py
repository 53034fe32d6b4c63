"""The results file: one SQLite database per tournament, written game by game, readable by anything.

    meta(key, value)     schema, config (JSON), config_hash, state ("running" or "finished")
    games(...)           one row per game, everything that another run must reproduce
    timings(...)         seconds per seat, apart, because no run reproduces them

Each game is one transaction in write-ahead mode, so killing the process at any moment, the write included, loses only
games that were still in flight.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from northmen_agents.arena.play import GameResult
from northmen_agents.arena.schedule import GameKey

SCHEMA = 1
FILE_NAME = "results.sqlite"

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    deal INTEGER NOT NULL, line_up TEXT NOT NULL, seat_order INTEGER NOT NULL,
    agents TEXT NOT NULL, seed TEXT NOT NULL, ranks TEXT NOT NULL, returns TEXT NOT NULL, scores TEXT NOT NULL,
    decisions TEXT NOT NULL, digest TEXT NOT NULL, actions BLOB NOT NULL,
    PRIMARY KEY (deal, line_up, seat_order)) WITHOUT ROWID;
CREATE TABLE timings (
    deal INTEGER NOT NULL, line_up TEXT NOT NULL, seat_order INTEGER NOT NULL, seconds TEXT NOT NULL,
    PRIMARY KEY (deal, line_up, seat_order)) WITHOUT ROWID;
"""


class ResultsError(Exception):
    """The results file cannot be used; the sentence says why and what to do."""


class ChangedConfigError(ResultsError):
    """The file belongs to another configuration; the sentence shows the difference."""


class ResultsFile:
    """The results of one tournament, open for writing by this process alone.

    Args:
        path: the file; made if it does not exist.
        config: everything that decides the results, as JSON values.
        overwrite: whether to start anew if the file exists.

    Raises:
        ChangedConfigError: the file holds results of another configuration.
        ResultsError: the file is not a results file, is corrupt, in use, or cannot be written.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, overwrite: bool = False) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if overwrite:
                _remove_unused(path)
            self._db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
            try:
                self._open(dict(config))
            except BaseException:
                self._db.close()
                raise
        except (sqlite3.Error, OSError, json.JSONDecodeError) as error:
            raise ResultsError(_explained(path, error)) from error

    def _open(self, config: dict[str, Any]) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("BEGIN EXCLUSIVE")
        tables = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables:
            self._create(config)
        elif not {"meta", "games", "timings"} <= tables:
            raise ResultsError(f"{self.path} is a database, but not of a tournament; choose another name=")
        else:
            self._compare(config)
        self._db.execute("COMMIT")

    def _create(self, config: dict[str, Any]) -> None:
        for statement in _TABLES.strip().rstrip(";").split(";\n"):
            self._db.execute(statement)
        text = _canonical(config)
        meta = {
            "schema": str(SCHEMA),
            "config": text,
            "config_hash": hashlib.sha256(text.encode()).hexdigest(),
            "state": "running",
        }
        self._db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())

    def _compare(self, config: dict[str, Any]) -> None:
        schema = self._meta("schema")
        if schema != str(SCHEMA):
            raise ResultsError(
                f"{self.path} has schema {schema}, this version of northmen-env writes schema {SCHEMA}; "
                "choose another name=, or overwrite=true to start anew"
            )
        stored = json.loads(self._meta("config"))
        lines = difference(stored, json.loads(_canonical(config)))
        if lines:
            raise ChangedConfigError(
                f"{self.path} holds results of another configuration:\n"
                + "\n".join(f"  {line}" for line in lines)
                + "\nUse another name=, or overwrite=true to throw the old results away."
            )

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise ResultsError(f"{self.path} is damaged: it has no {key}; use overwrite=true to start anew")
        return str(row[0])

    # -- writing -------------------------------------------------------------------------------------------------------

    def add(self, result: GameResult) -> None:
        """Write one game, as one transaction."""
        key = (result.key.deal, result.key.line_up, result.key.order)
        row = (
            *key,
            json.dumps(result.agents),
            str(result.seed),
            json.dumps(result.ranks),
            json.dumps(result.returns),
            json.dumps(result.scores),
            json.dumps(result.decisions),
            result.digest,
            np.asarray(result.actions, "<i2").tobytes(),
        )
        try:
            self._db.execute("BEGIN")
            self._db.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
            self._db.execute("INSERT INTO timings VALUES (?, ?, ?, ?)", (*key, json.dumps(result.seconds)))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise ResultsError(_explained(self.path, error)) from error
        finally:
            if self._db.in_transaction:  # interrupted between two statements
                self._db.execute("ROLLBACK")

    def finish(self) -> None:
        """Say that all games are there."""
        self._db.execute("UPDATE meta SET value = 'finished' WHERE key = 'state'")

    def close(self) -> None:
        """Close the file, leaving nothing beside it."""
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise ResultsError(_explained(self.path, error)) from error
        finally:
            self._db.close()

    # -- reading -------------------------------------------------------------------------------------------------------

    def keys(self) -> set[GameKey]:
        """Return the keys of the games that are there."""
        return {GameKey(*row) for row in self._rows("SELECT deal, line_up, seat_order FROM games")}

    def results(self) -> list[GameResult]:
        """Return all games, ordered by key."""
        rows = self._rows(
            "SELECT deal, line_up, seat_order, agents, seed, ranks, returns, scores, decisions, actions, digest,"
            " seconds FROM games JOIN timings USING (deal, line_up, seat_order) ORDER BY deal, line_up, seat_order"
        )
        try:
            return [_checked(_read(*row)) for row in list(rows)]
        except (ValueError, TypeError, AttributeError) as error:
            raise ResultsError(
                f"{self.path} is damaged: a game in it cannot be read ({error}); overwrite=true starts anew"
            ) from error

    def export(self) -> str:
        """Return the games as JSON lines ordered by key, timings left out: equal for every way of running them."""
        return "".join(json.dumps(line, sort_keys=True) + "\n" for line in exported(self.results()))

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._db.execute(query)
        except sqlite3.Error as error:
            raise ResultsError(_explained(self.path, error)) from error


def _read(
    deal: int, line_up: str, order: int, agents: str, seed: str, ranks: str, returns: str, scores: str,
    decisions: str, actions: bytes, digest: str, seconds: str,
) -> GameResult:  # fmt: skip
    return GameResult(
        key=GameKey(deal, line_up, order),
        agents=tuple(json.loads(agents)),
        seed=int(seed),
        ranks=tuple(json.loads(ranks)),
        returns=tuple(json.loads(returns)),
        scores=tuple(json.loads(scores)),
        decisions=tuple(json.loads(decisions)),
        actions=tuple(np.frombuffer(actions, "<i2").tolist()),
        digest=digest,
        seconds=tuple(json.loads(seconds)),
    )


def _checked(result: GameResult) -> GameResult:
    """Return a result whose parts fit each other. Raises ValueError."""
    seats = len(result.agents)
    parts = (result.ranks, result.returns, result.scores, result.decisions, result.seconds)
    numbers = all(type(x) in (int, float) for part in parts for x in part)
    if seats < 2 or any(len(part) != seats for part in parts) or not numbers or 1 not in result.ranks:
        raise ValueError(f"game {tuple(result.key)} has no rank and number for each of its seats")
    return result


def exported(results: Iterable[GameResult]) -> Iterator[dict[str, Any]]:
    """Yield what `ResultsFile.export` writes of each game."""
    for result in results:
        line = dict(vars(result))
        del line["seconds"]
        yield line


def difference(old: Any, new: Any, name: str = "") -> list[str]:
    """Return one line for each value in which two configurations differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        lines = []
        for key in sorted({*old, *new}):
            inner = f"{name}.{key}" if name else key
            lines += difference(old.get(key, _Absent), new.get(key, _Absent), inner)
        return lines
    return [] if old == new else [f"{name}: {_shown(old)} in the file, {_shown(new)} now"]


class _Absent:
    """Stands for a value that is not there."""


def _shown(value: Any) -> str:
    return "absent" if value is _Absent else json.dumps(value)


def _canonical(config: Mapping[str, Any]) -> str:
    return json.dumps(config, sort_keys=True, separators=(",", ":"))


def _remove_unused(path: Path) -> None:
    """Remove a results file, whatever is in it, unless another process is writing to it."""
    if path.exists():
        db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            pass  # damaged: that is a reason to start anew
        finally:
            db.close()
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _explained(path: Path, error: Exception) -> str:
    text = str(error)
    if "locked" in text:
        return f"{path} is in use: another process is running this tournament; wait for it, or choose another name="
    if isinstance(error, ValueError) or "not a database" in text or "malformed" in text:
        return f"{path} is not a results file, or it is damaged ({text}); overwrite=true starts anew"
    return f"the results cannot be written to {path} ({text}); choose another folder with results="
