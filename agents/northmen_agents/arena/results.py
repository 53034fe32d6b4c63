"""The results file: one SQLite database per tournament, written game by game, readable by anything.

    meta(key, value)     schema; config (JSON: what decides the results) and config_hash; package_version,
                         ledger_version, tables_sha256, observation_schema: parts of config, to be read at a glance;
                         settings (JSON: the whole configuration of the last run); state ("running" or "finished")
    games(...)           one row per game, everything that another run must reproduce; a value per seat is a JSON list,
                         actions are little-endian int16
    timings(...)         seconds per seat, apart, because no run reproduces them

Games are written in transactions in write-ahead mode, so killing the process at any moment, the write included, loses
only games that were still in flight.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from northmen_agents.arena.games import Games, numbered, packed
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.schedule import GameKey

SCHEMA = 2
"""1: without settings and the versions of rules and tables."""

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


class StoredResults:
    """A results file, open for reading. A context manager.

    Args:
        path: the file, or the folder of a tournament that holds it.

    Raises:
        ResultsError: there is no such file, it is not a results file, is damaged, in use, or of another schema.
    """

    path: Path
    _db: sqlite3.Connection

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path) / FILE_NAME if Path(path).is_dir() else Path(path)
        if not self.path.is_file():
            raise ResultsError(f"there is no results file {self.path}")
        with _sentences(self.path):
            # A file left in the middle of a run is put in order by whoever opens it; nothing else is written.
            uri = f"{self.path.resolve().as_uri()}?mode=rw"
            self._db = sqlite3.connect(uri, uri=True, timeout=0.5, isolation_level=None)
            try:
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._check()
            except BaseException:
                self._db.close()
                raise

    def _check(self) -> None:
        tables = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"meta", "games", "timings"} <= tables:
            raise ResultsError(f"{self.path} is a database, but not of a tournament; choose another name=")
        schema = self._meta("schema")
        if schema != str(SCHEMA):
            raise ResultsError(
                f"{self.path} has schema {schema}, this version of northmen-env reads and writes schema {SCHEMA}; "
                "choose another name=, or overwrite=true to start anew"
            )

    def __enter__(self) -> StoredResults:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise ResultsError(f"{self.path} is damaged: it has no {key}; use overwrite=true to start anew")
        return str(row[0])

    @property
    def config(self) -> dict[str, Any]:
        """Everything that decides the results; see `TournamentConfig.identity`."""
        with _sentences(self.path):
            found: dict[str, Any] = json.loads(self._meta("config"))
        return found

    @property
    def settings(self) -> dict[str, Any]:
        """The whole configuration of the last run, as `TournamentConfig` has it."""
        with _sentences(self.path):
            found: dict[str, Any] = json.loads(self._meta("settings"))
        return found

    @property
    def finished(self) -> bool:
        """Whether all games are there."""
        with _sentences(self.path):
            return self._meta("state") == "finished"

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def keys(self) -> set[GameKey]:
        """Return the keys of the games that are there."""
        return {GameKey(*row) for row in self._rows("SELECT deal, line_up, seat_order FROM games")}

    def games(self) -> Games:
        """Return all games, ordered by key.

        Raises:
            ResultsError: the file is damaged.
        """
        rows = self._rows(
            "SELECT deal, line_up, seat_order, agents, seed, ranks, returns, scores, decisions, actions, digest,"
            " seconds FROM games JOIN timings USING (deal, line_up, seat_order) ORDER BY deal, line_up, seat_order"
        )
        try:
            return _columns(rows)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise ResultsError(
                f"{self.path} is damaged: a game in it cannot be read ({error}); overwrite=true starts anew"
            ) from error

    def results(self) -> list[GameResult]:
        """Return all games, ordered by key, one by one."""
        return list(self.games())

    def export(self) -> str:
        """Return the games as JSON lines ordered by key, timings left out: equal for every way of running them."""
        return "".join(json.dumps(line, sort_keys=True) + "\n" for line in exported(self.games()))

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with _sentences(self.path):
            return self._db.execute(query).fetchall()


class ResultsFile(StoredResults):
    """The results of one tournament, open for writing by this process alone.

    Args:
        path: the file; made if it does not exist.
        config: everything that decides the results, as JSON values.
        settings: the whole configuration, kept for whoever reads the file; not compared.
        overwrite: whether to start anew if the file exists.

    Raises:
        ChangedConfigError: the file holds results of another configuration.
        ResultsError: the file is not a results file, is corrupt, in use, or cannot be written.
    """

    def __init__(
        self,
        path: Path,
        config: Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        self.path = path
        with _sentences(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if overwrite:
                _remove_unused(path)
            self._db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
            try:
                self._open(dict(config), dict(settings or {}))
            except BaseException:
                self._db.close()
                raise

    def _open(self, config: dict[str, Any], settings: dict[str, Any]) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("BEGIN EXCLUSIVE")
        if self._db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            self._create(config)
        else:
            self._check()
            self._compare(config)
        self._put("settings", _canonical(settings))
        self._db.execute("COMMIT")

    def _create(self, config: dict[str, Any]) -> None:
        for statement in _TABLES.strip().rstrip(";").split(";\n"):
            self._db.execute(statement)
        text = _canonical(config)
        self._put("schema", str(SCHEMA))
        self._put("config", text)
        self._put("config_hash", hashlib.sha256(text.encode()).hexdigest())
        for key in ("package_version", "ledger_version", "tables_sha256", "observation_schema"):
            self._put(key, str(config.get(key)))
        self._put("state", "running")

    def _put(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _compare(self, config: dict[str, Any]) -> None:
        stored = json.loads(self._meta("config"))
        lines = difference(stored, json.loads(_canonical(config)))
        if lines:
            raise ChangedConfigError(
                f"{self.path} holds results of another configuration:\n"
                + "\n".join(f"  {line}" for line in lines)
                + "\nUse another name=, or overwrite=true to throw the old results away."
            )

    def add(self, result: GameResult) -> None:
        """Write one game, as one transaction."""
        self.add_all([result])

    def add_all(self, results: Sequence[GameResult]) -> None:
        """Write games, as one transaction: all of them are kept or none."""
        games, timings = [], []
        for result in results:
            key = tuple(result.key)
            games.append(
                (
                    *key,
                    json.dumps(result.agents),
                    str(result.seed),
                    json.dumps(result.ranks),
                    json.dumps(result.returns),
                    json.dumps(result.scores),
                    json.dumps(result.decisions),
                    result.digest,
                    packed(result.actions),
                )
            )
            timings.append((*key, json.dumps(result.seconds)))
        with self._transaction():
            self._db.executemany(f"INSERT INTO games VALUES ({', '.join('?' * 11)})", games)
            self._db.executemany("INSERT INTO timings VALUES (?, ?, ?, ?)", timings)

    def finish(self, last_deal: int | None = None) -> None:
        """Say that all games are there.

        Args:
            last_deal: games of later deals are removed, in the same transaction: they were on their way when a
                sequential test stopped, and another run would not have them.
        """
        with self._transaction():
            if last_deal is not None:
                for table in ("games", "timings"):
                    self._db.execute(f"DELETE FROM {table} WHERE deal > ?", (last_deal,))
            self._put("state", "finished")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _sentences(self.path):
            try:
                self._db.execute("BEGIN")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:  # interrupted between two statements
                    self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file, leaving nothing beside it."""
        with _sentences(self.path):
            try:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._db.execute("PRAGMA journal_mode = DELETE")
            finally:
                self._db.close()


def _columns(rows: list[tuple[Any, ...]]) -> Games:
    """Return the rows of `StoredResults.games` as columns. Raises ValueError or TypeError where they make no sense."""
    deal, line_ups, order, agents, seeds, ranks, returns, scores, decisions, actions, digests, seconds = (
        zip(*rows) if rows else [()] * 12
    )
    tuples = {text: tuple(json.loads(text)) for text in set(agents)}
    names, numbers = numbered([tuples[text] for text in agents])
    numbers = numbers.reshape(len(rows), -1) if rows else np.empty((0, 0), np.int64)
    places = _lists(ranks, numbers, "ranks")
    if numbers.shape[1] > 1 and not (places == 1).any(1).all():
        raise ValueError("there is a game without a first place")
    return Games(
        names=names,
        agents=numbers,
        deal=np.array(deal, np.int64),
        order=np.array(order, np.int64),
        line_ups=line_ups,
        seeds=[int(seed) for seed in seeds],
        ranks=places.astype(np.int64),
        decisions=_lists(decisions, numbers, "decisions").astype(np.int64),
        returns=_lists(returns, numbers, "returns").astype(np.float64),
        scores=_lists(scores, numbers, "scores").astype(np.float64),
        seconds=_lists(seconds, numbers, "seconds").astype(np.float64),
        digests=digests,
        actions=actions,
    )


def _lists(texts: Sequence[str], like: np.ndarray, name: str) -> np.ndarray:
    """Return JSON lists of numbers, one a row, as an array of the shape of `like`: one parse instead of thousands."""
    if not texts:
        return like
    if {text.count(",") + 1 for text in texts} != {like.shape[1]}:
        raise ValueError(f"{name} is not a list of a number for each seat")
    values = np.array(json.loads(",".join(texts).replace("],[", ",")))  # one flat list: few objects to make
    if values.shape != (like.size,) or values.dtype.kind not in "iuf":
        raise ValueError(f"{name} is not a list of a number for each seat")
    return values.reshape(like.shape)


def exported(results: Iterable[GameResult]) -> Iterator[dict[str, Any]]:
    """Yield what `StoredResults.export` writes of each game."""
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


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn the errors of the database into a `ResultsError` that says what to do."""
    try:
        yield
    except (sqlite3.Error, OSError, json.JSONDecodeError) as error:
        raise ResultsError(_explained(path, error)) from error


def _explained(path: Path, error: Exception) -> str:
    text = str(error)
    if "locked" in text:
        return f"{path} is in use: another process is running this tournament; wait for it, or choose another name="
    if isinstance(error, ValueError) or "not a database" in text or "malformed" in text:
        return f"{path} is not a results file, or it is damaged ({text}); overwrite=true starts anew"
    return f"the results cannot be written to {path} ({text}); choose another folder with results="
