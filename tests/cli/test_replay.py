"""`northmen replay` as a user calls it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import coin_league
from northmen_agents.arena import replay
from northmen_env import registry
from northmen_env.cli.app import northmen


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(northmen, [str(argument) for argument in arguments])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A replay of a random game."""
    coin, rng, actions = coin_league.coin_game(), np.random.default_rng(0), []
    state = coin.new_initial_state(seed=3)
    while not state.is_terminal():
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    path = tmp_path / "game.jsonl"
    replay.write(replay.full_replay(coin, 3, actions, ["a", "b"]), path)
    return path


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """The folder of a finished tournament."""
    configs = ["--config-dir", str(coin_league.CONFIGS), f"results={tmp_path}"]
    done = run("tournament", *configs, "game=coin", "tournament=smoke", "executor.workers=1")
    assert done.exit_code == 0, done.output
    return tmp_path / "coin-2p-smoke"


def test_a_sound_replay_is_called_so(game: Path) -> None:
    result = run("replay", game)
    assert result.exit_code == 0, result.output
    assert "Guess the coins, 2 players, seed 3: all 8 decisions and the result are as recorded" in result.output


def test_a_replay_that_departs_says_where_with_status_1(game: Path) -> None:
    lines = game.read_text().splitlines()
    lines[4] = json.dumps({**json.loads(lines[4]), "digest": "0" * 64})
    game.write_text("\n".join(lines) + "\n")
    result = run("replay", game)
    assert result.exit_code == 1
    assert "departs at decision 3: player 1's GUESS" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"format": "northmen-replay", "version": 99}\n{}\n', "install a newer northmen-env to read it"),
        ("deal,line_up\n", "is not a replay of northmen-env"),
        ("SQLite format 3\0 and then nothing", "results file"),
        ("", "is not a replay of northmen-env"),
    ],
)
def test_newer_foreign_and_damaged_files_are_refused_with_status_1(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    result = run("replay", path)
    assert result.exit_code == 1, result.output
    assert sentence in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_what_a_seat_knew_is_written_and_compared(game: Path, tmp_path: Path) -> None:
    written = run("replay", game, "--seat", "1", "--write", tmp_path / "out")
    assert written.exit_code == 0, written.output
    own = tmp_path / "out" / "game-seat-1.jsonl"
    assert run("replay", own).exit_code == 0
    assert "by --against" in " ".join(run("replay", own).output.split())
    compared = run("replay", own, "--against", game)
    assert compared.exit_code == 0
    assert f"all are as in {game}" in " ".join(compared.output.split())
    lines = own.read_text().splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), "observation": "0" * 64})
    own.write_text("\n".join(lines) + "\n")
    changed = run("replay", own, "--against", game)
    assert changed.exit_code == 1
    assert "departs at the seat's decision 1: observation" in " ".join(changed.output.split())


def test_a_tournament_s_games_are_played_again_and_written(results: Path, tmp_path: Path) -> None:
    for file in (results, results / "results.sqlite"):
        checked = run("replay", file)
        assert checked.exit_code == 0, checked.output
        assert "4 games of Guess the coins played again, all ended as recorded" in " ".join(checked.output.split())
    assert run("replay", results, "--write", tmp_path / "all").exit_code == 0
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert names == [f"game-{number:06d}.jsonl" for number in range(4)]
    for name in names:
        assert run("replay", tmp_path / "all" / name).exit_code == 0
    one = run("replay", results, "--game", "1/heuristic,random/0", "--seat", "0", "--write", tmp_path / "one.jsonl")
    assert one.exit_code == 0, one.output
    assert run("replay", tmp_path / "one.jsonl", "--against", tmp_path / "all" / names[2]).exit_code == 0


def test_a_changed_results_file_is_found_out(results: Path) -> None:
    db = sqlite3.connect(results / "results.sqlite")
    db.execute("UPDATE games SET digest = ? WHERE deal = 1 AND seat_order = 1", ("0" * 64,))
    db.commit()
    db.close()
    result = run("replay", results)
    assert result.exit_code == 1
    assert "game 1/heuristic,random/1 ends as another one: final digest" in " ".join(result.output.split())
    assert run("replay", results, "--game", "1/heuristic,random/0").exit_code == 0


def test_games_of_other_tables_are_not_compared(results: Path) -> None:
    db = sqlite3.connect(results / "results.sqlite")
    text = db.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()[0]
    db.execute(
        "UPDATE meta SET value = ? WHERE key = 'config'", (json.dumps({**json.loads(text), "tables_sha256": "0"}),)
    )
    db.commit()
    db.close()
    result = run("replay", results)
    assert result.exit_code == 1
    assert "played with other tables or rules (tables_sha256 0, here" in " ".join(result.output.split())


def test_mistakes_are_told_with_status_2(game: Path, results: Path, tmp_path: Path) -> None:
    run("replay", game, "--seat", "0", "--write", tmp_path / "own.jsonl")
    for arguments, sentence in (
        (["no-such-file"], "does not exist"),
        ([game, "--seat", "0"], "give --write too"),
        ([game, "--seat", "2", "--write", tmp_path / "x"], "--seat takes a seat from 0 to 1, not '2'"),
        ([game, "--game", "0/a,b/0"], "--game chooses from a results file"),
        ([game, "--against", game], "is a full one"),
        ([game, "--write", game], "would replace"),
        ([tmp_path / "own.jsonl", "--against", tmp_path / "own.jsonl"], "--against needs a full replay"),
        ([tmp_path / "own.jsonl", "--write", tmp_path / "x"], "--write needs the full replay"),
        ([results, "--game", "one"], "named DEAL/LINE_UP/ORDER"),
        ([results, "--game", "7/heuristic,random/0"], "its first is 0/heuristic,random/0"),
        ([results, "--write", tmp_path / "x.jsonl"], "4 games need a folder"),
        ([results, "--against", game], "this is a results file"),
    ):
        result = run("replay", *arguments)
        assert result.exit_code == 2, (arguments, result.output)
        assert sentence in " ".join(result.output.replace("│", " ").split())
