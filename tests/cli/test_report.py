"""`northmen report` as a user calls it, and the page that a tournament ends with."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import coin_league
from northmen_env import registry
from northmen_env.cli.app import northmen


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(northmen, [str(argument) for argument in arguments])


def tournament(folder: Path, *overrides: str) -> Result:
    flags = [text for text in overrides if text.startswith("--")]
    base = [f"results={folder}", "game=coin", "tournament=smoke", "executor.workers=1"]
    entries = [text for text in overrides if text not in flags]
    return run("tournament", *flags, "--config-dir", coin_league.CONFIGS, *base, *entries)


def words(result: Result) -> str:
    return " ".join(result.output.split())


def test_a_tournament_ends_with_the_paths_of_its_results_and_of_its_page(tmp_path: Path) -> None:
    result = tournament(tmp_path)
    assert result.exit_code == 0, result.output
    folder = tmp_path / "coin-2p-smoke"
    assert result.stdout.splitlines()[-2:] == [f"Results: {folder}/results.sqlite", f"Report: {folder}/report.html"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Guess the coins, 2 players" in page
    (folder / "report.html").write_text("old")
    assert tournament(tmp_path).stdout == result.stdout
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_a_report_of_a_tournament_has_page_markdown_pictures_and_exports(tmp_path: Path) -> None:
    tournament(tmp_path)
    folder = tmp_path / "coin-2p-smoke"
    page = (folder / "report.html").read_bytes()
    for path in (folder, folder / "results.sqlite"):
        result = run("report", path)
        assert result.exit_code == 0, result.output
        assert f"Report: {folder}/report.html" in result.output
        assert "report.md, games.csv, games.parquet, payoff.npz" in words(result)
        assert "Left out" not in result.output
    names = {file.name for file in folder.iterdir()}
    assert names == {
        "results.sqlite",
        "report.html",
        "report.md",
        "figures",
        "games.csv",
        "games.parquet",
        "payoff.npz",
    }
    assert (folder / "report.html").read_bytes() == page, "the page is the one that the tournament wrote"
    assert run("report", folder, "--out", tmp_path / "elsewhere").exit_code == 0
    assert (tmp_path / "elsewhere" / "report.html").read_bytes() == page


def test_a_sweep_is_gathered_from_its_folder(tmp_path: Path) -> None:
    swept = tournament(tmp_path, "--multirun", "players=2,3", "seed=0,1")
    assert swept.exit_code == 0, swept.output
    result = run("report", tmp_path)
    assert result.exit_code == 0, result.output
    assert "sweep.md, agents.csv, seeds.csv, all-games.csv" in words(result)
    rows = (tmp_path / "agents.csv").read_text().splitlines()
    assert rows[0].startswith("run,players,seed,agent,rating")
    assert len(rows) == 1 + 4 * 2
    page = (tmp_path / "sweep.html").read_text(encoding="utf-8")
    assert 'href="coin-2p-smoke/' in page and '/report.html"' in page
    tournament(tmp_path / "coin-2p-smoke", "name=own")
    own = tmp_path / "coin-2p-smoke" / "own"
    assert run("report", own).output.startswith(f"Report: {own}")
    assert "agents.csv" in words(run("report", "--sweep", own))


def test_what_cannot_be_reported_is_told_in_a_sentence(tmp_path: Path) -> None:
    tournament(tmp_path)
    file = tmp_path / "coin-2p-smoke" / "results.sqlite"
    (tmp_path / "text").write_text("no database " * 100)
    (tmp_path / "empty").mkdir()
    newer = tmp_path / "newer.sqlite"
    newer.write_bytes(file.read_bytes())
    db = sqlite3.connect(newer)
    db.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    db.commit()
    db.close()
    for arguments, status, sentence in (
        ([tmp_path / "none"], 2, "does not exist"),
        ([file, "--sweep"], 2, "--sweep takes the folder of many runs"),
        ([tmp_path / "text"], 1, "is not a results file"),
        ([tmp_path / "empty"], 1, "neither results.sqlite nor progress.csv"),
        ([newer], 1, "schema 999"),
        ([file, "--out", tmp_path / "text" / "below"], 1, "cannot be written"),
    ):
        result = run("report", *arguments)
        assert result.exit_code == status, (arguments, result.output)
        assert sentence in " ".join(result.output.replace("│", " ").split())
        assert "Traceback" not in result.output
