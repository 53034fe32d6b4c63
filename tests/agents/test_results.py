"""The results file: what it keeps, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from coin_league import comparable, played
from northmen_agents.arena.games import Games
from northmen_agents.arena.results import FILE_NAME, ChangedConfigError, ResultsError, ResultsFile, StoredResults

CONFIG = {"game": "coin", "agents": {"a": {"kind": "random"}}, "deals": 3}


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    results = played(2, 1)
    file = ResultsFile(tmp_path / "r.sqlite", CONFIG)
    for result in reversed(results):
        file.add(result)
    file.close()
    file = ResultsFile(tmp_path / "r.sqlite", CONFIG)
    assert file.results() == sorted(results, key=lambda result: result.key)
    assert file.keys() == {result.key for result in results}
    file.close()
    assert [path.name for path in tmp_path.iterdir()] == ["r.sqlite"]


def test_the_export_is_ordered_by_key_and_has_no_times(tmp_path: Path) -> None:
    results = played(2, 1)
    texts = []
    for name, order in (("a", results), ("b", results[::-1])):
        file = ResultsFile(tmp_path / name, CONFIG)
        for result in order:
            file.add(result)
        texts.append(file.export())
        file.close()
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == len(results)
    assert "seconds" not in texts[0]


def test_a_changed_configuration_is_refused_with_the_difference(tmp_path: Path) -> None:
    ResultsFile(tmp_path / "r", CONFIG).close()
    changed = {"game": "coin", "agents": {"a": {"kind": "heuristic"}, "b": {"kind": "random"}}, "deals": 3}
    with pytest.raises(ChangedConfigError) as caught:
        ResultsFile(tmp_path / "r", changed)
    text = str(caught.value)
    assert 'agents.a.kind: "random" in the file, "heuristic" now' in text
    assert 'agents.b: absent in the file, {"kind": "random"} now' in text
    assert "deals" not in text


def test_overwrite_starts_anew(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r", CONFIG)
    file.add(played(2, 1)[0])
    file.close()
    file = ResultsFile(tmp_path / "r", {"other": 1}, overwrite=True)
    assert file.keys() == set()
    file.close()


def test_a_foreign_or_damaged_file_is_refused_in_a_sentence_and_kept(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough to look at" * 50)
    with pytest.raises(ResultsError, match="is not a results file, or it is damaged"):
        ResultsFile(text, CONFIG)
    assert text.read_text().startswith("no database")
    other = tmp_path / "other"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE birds (name TEXT)")
    db.commit()
    db.close()
    with pytest.raises(ResultsError, match="not of a tournament"):
        ResultsFile(other, CONFIG)
    ResultsFile(text, CONFIG, overwrite=True).close()


def test_a_file_without_its_configuration_is_refused(tmp_path: Path) -> None:
    ResultsFile(tmp_path / "r", CONFIG).close()
    db = sqlite3.connect(tmp_path / "r")
    db.execute("UPDATE meta SET value = '{' WHERE key = 'config'")
    db.commit()
    db.close()
    with pytest.raises(ResultsError, match="damaged"):
        ResultsFile(tmp_path / "r", CONFIG)


def changed_meta(path: Path, key: str, value: str) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    db.commit()
    db.close()


def test_a_file_says_what_its_results_were_made_by(tmp_path: Path) -> None:
    config = {**CONFIG, "package_version": "1.2", "ledger_version": "ab", "tables_sha256": "cd"}
    ResultsFile(tmp_path / FILE_NAME, config, {"bootstrap": 5}).close()
    ResultsFile(tmp_path / FILE_NAME, config, {"bootstrap": 7}).close()
    with StoredResults(tmp_path) as stored:
        assert stored.config == config
        assert stored.settings == {"bootstrap": 7}, "of the last run: it may draw other intervals"
        assert not stored.finished
    db = sqlite3.connect(tmp_path / FILE_NAME)
    meta = dict(db.execute("SELECT key, value FROM meta"))
    db.close()
    assert (meta["package_version"], meta["ledger_version"], meta["tables_sha256"]) == ("1.2", "ab", "cd")
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    assert meta["config_hash"] == hashlib.sha256(text.encode()).hexdigest()


def test_the_older_schema_is_refused_in_a_sentence_for_reading_and_for_going_on(tmp_path: Path) -> None:
    ResultsFile(tmp_path / FILE_NAME, CONFIG).close()
    changed_meta(tmp_path / FILE_NAME, "schema", "1")
    sentence = "has schema 1, this version of northmen-env reads and writes schema 2; choose another name="
    with pytest.raises(ResultsError, match=sentence):
        ResultsFile(tmp_path / FILE_NAME, CONFIG)
    with pytest.raises(ResultsError, match=sentence):
        StoredResults(tmp_path)


def test_reading_what_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.sqlite"):
        with pytest.raises(ResultsError, match="there is no results file"):
            StoredResults(path)
    assert list(tmp_path.iterdir()) == []


def test_games_are_removed_that_a_sequential_test_did_not_need(tmp_path: Path) -> None:
    results = played(2, 3)
    file = ResultsFile(tmp_path / "r", CONFIG)
    file.add_all(results)
    file.finish(last_deal=1)
    assert file.finished
    assert file.results() == sorted((r for r in results if r.key.deal <= 1), key=lambda result: result.key)
    file.close()


def test_a_write_ahead_log_that_is_cut_off_anywhere_leaves_whole_games(tmp_path: Path) -> None:
    """As after a power cut: the file and a part of its log, in the middle of a page or between two of them."""
    results = played(2, 2)
    live = tmp_path / "live"
    file = ResultsFile(live, CONFIG)
    for result in results:
        file.add(result)
    log = Path(f"{live}-wal").read_bytes()
    copy = tmp_path / "copy"
    counts = []
    for size in [0, 20, *range(32, len(log), len(log) // 23), len(log)]:
        copy.write_bytes(live.read_bytes())
        Path(f"{copy}-wal").write_bytes(log[:size])
        again = ResultsFile(copy, CONFIG)
        there = again.results()
        counts.append(len(there))
        by_key = {result.key: result for result in results}
        assert all(by_key[result.key] == result for result in there)
        done = again.keys()
        again.add_all([result for result in results if result.key not in done])
        assert again.export() == file.export()
        again.close()
    file.close()
    assert counts == sorted(counts) and counts[0] == 0 and counts[-1] == len(results)


def test_a_file_that_is_cut_off_is_called_damaged(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r", CONFIG)
    file.add_all(played(2, 20))
    file.close()
    whole = (tmp_path / "r").read_bytes()
    for size in (100, len(whole) // 2, len(whole) - 5000):
        (tmp_path / "r").write_bytes(whole[:size])
        with pytest.raises(ResultsError, match="damaged"), StoredResults(tmp_path / "r") as stored:
            stored.games()


def test_columns_are_the_games(tmp_path: Path) -> None:
    results = played(3, 2)
    games = Games.of(results)
    assert list(games) == results
    assert games[-1] == results[-1]
    assert games[1:3] == results[1:3]
    assert Games.of(games) is games
    assert len(Games.of([])) == 0
    with pytest.raises(ValueError, match="one number of seats"):
        Games.of([*results, *played(2, 1)])


def test_another_schema_is_refused(tmp_path: Path) -> None:
    ResultsFile(tmp_path / "r", CONFIG).close()
    db = sqlite3.connect(tmp_path / "r")
    db.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    db.commit()
    db.close()
    with pytest.raises(ResultsError, match="schema 999"):
        ResultsFile(tmp_path / "r", CONFIG)


def test_two_runs_of_one_tournament_at_once_are_refused(tmp_path: Path) -> None:
    first = ResultsFile(tmp_path / "r", CONFIG)
    for overwrite in (False, True):
        with pytest.raises(ResultsError, match="is in use"):
            ResultsFile(tmp_path / "r", CONFIG, overwrite=overwrite)
    first.add(played(2, 1)[0])
    first.close()


def test_games_are_comparable_by_everything_but_time() -> None:
    assert comparable(played(3, 1)) == comparable(played(3, 1)[::-1])


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games", "ranks", "5"),
        ("games", "ranks", "[1]"),
        ("games", "ranks", '["a", "b"]'),
        ("games", "ranks", "[2, 2]"),
        ("games", "returns", "[0.5]"),
        ("timings", "seconds", "x"),
    ],
)
def test_a_game_that_makes_no_sense_is_called_damage(tmp_path: Path, table: str, column: str, value: str) -> None:
    """Not another process, as an exception behind an open cursor once had it, and no table of wrong figures."""
    file = ResultsFile(tmp_path / "r", CONFIG)
    file.add(played(2, 1)[0])
    file.close()
    db = sqlite3.connect(tmp_path / "r")
    db.execute(f"UPDATE {table} SET {column} = ?", (value,))
    db.commit()
    db.close()
    file = ResultsFile(tmp_path / "r", CONFIG)
    with pytest.raises(ResultsError, match="is damaged: a game in it cannot be read"):
        file.results()
    file.close()
