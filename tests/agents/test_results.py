"""The results file: what it keeps, and what it refuses."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from coin_league import comparable, played
from northmen_agents.arena.results import ChangedConfigError, ResultsError, ResultsFile

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
