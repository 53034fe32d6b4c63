"""Tournaments as a whole: the same results however they are run, interrupted and continued."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from coin_league import coin_game, comparable, league, played, tournament
from northmen_agents.arena.execute import run_in_processes
from northmen_agents.arena.play import AgentError, play_game
from northmen_agents.arena.results import FILE_NAME, ResultsFile
from northmen_agents.arena.schedule import Schedule
from northmen_agents.arena.table import summarise
from northmen_env.engine.game import Game


def finished(command: list[str], status: int = 0) -> str:
    """Run a command, check its exit status and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def exported(file: Path) -> str:
    db = sqlite3.connect(file)
    config = db.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()[0]
    db.close()
    results = ResultsFile(file, json.loads(config))
    text = results.export()
    results.close()
    return text


@pytest.mark.parametrize(("players", "workers"), [(2, 2), (3, 1)])
def test_processes_play_the_same_games_as_one_process(players: int, workers: int) -> None:
    plan = Schedule(tuple(league()), players, deals=4)
    apart = list(run_in_processes(coin_game(players), league(), plan, workers))
    assert comparable(apart) == comparable(played(players, 4))


def test_one_more_deal_leaves_the_others_as_they_were() -> None:
    shorter, longer = comparable(played(2, 2)), comparable(played(2, 3))
    assert longer[: len(shorter)] == shorter


def test_another_agent_leaves_the_games_of_the_others_as_they_were() -> None:
    factories = league()
    names = tuple(factories)
    fewer = [play_game(coin_game(2), job, factories) for job in Schedule(names[:2], 2, 3)]
    more = [play_game(coin_game(2), job, factories) for job in Schedule(names[:3], 2, 3)]
    assert all(line in comparable(more) for line in comparable(fewer))


def test_a_tournament_from_the_command_line_ends_with_tables_and_prints_them_again_at_once(tmp_path: Path) -> None:
    command = tournament(tmp_path, "players=3", "executor.workers=2")
    text = finished(command)
    for part in ("rating", "heuristic", "Row finishes above column", "Seats", "% of them distinct", FILE_NAME):
        assert part in text
    assert "games/s" not in text, "the progress bar is for terminals"
    folder = tmp_path / "coin-3p"
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]
    again = finished(command)
    assert again in text, "the second run prints the same tables and nothing else"


def test_one_worker_and_two_write_the_same_export(tmp_path: Path) -> None:
    for workers in (1, 2):
        finished(tournament(tmp_path, f"executor.workers={workers}", f"name=w{workers}"))
    assert exported(tmp_path / "w1" / FILE_NAME) == exported(tmp_path / "w2" / FILE_NAME)


KILL_WHEN_WRITTEN = """
import os, signal, sqlite3
from northmen_agents.arena import results
written = 0
add = results.ResultsFile.add
def add_and_die(self, result):
    global written
    written += 1
    if written == {games}:
        {how}
    add(self, result)
results.ResultsFile.add = add_and_die
"""
IN_FLIGHT = "os.kill(os.getpid(), signal.SIGKILL)"
IN_THE_WRITE = """self._db.set_trace_callback(
            lambda statement: statement.startswith('INSERT INTO timings') and os.kill(os.getpid(), signal.SIGKILL))"""


@pytest.mark.parametrize(("workers", "how"), [(1, IN_THE_WRITE), (2, IN_FLIGHT)], ids=["in the write", "in flight"])
def test_kill_9_loses_the_games_in_flight_only_and_the_same_command_goes_on(
    tmp_path: Path, workers: int, how: str
) -> None:
    options = ("deals=5", f"executor.workers={workers}")
    finished(tournament(tmp_path, *options, "name=whole"))
    for games in (1, 4):
        before = KILL_WHEN_WRITTEN.format(games=games, how=how)
        finished(tournament(tmp_path, *options, "name=killed", before=before), status=-signal.SIGKILL)
    db = sqlite3.connect(tmp_path / "killed" / FILE_NAME)
    assert db.execute("SELECT count(*) FROM games").fetchone() == (3,)
    assert db.execute("SELECT count(*) FROM timings").fetchone() == (3,)
    db.close()
    finished(tournament(tmp_path, *options, "name=killed"))
    assert exported(tmp_path / "killed" / FILE_NAME) == exported(tmp_path / "whole" / FILE_NAME)


def test_workers_end_when_their_tournament_is_killed(tmp_path: Path) -> None:
    process = subprocess.Popen(
        tournament(tmp_path, "deals=100000", "executor.workers=2", "bootstrap=0"), stderr=subprocess.DEVNULL
    )
    workers: list[int] = []
    deadline = time.monotonic() + 120
    while len(workers) < 3 and time.monotonic() < deadline:  # two workers and the resource tracker
        time.sleep(0.2)
        workers = children(process.pid)
    file = tmp_path / "coin-2p" / FILE_NAME
    while not Path(f"{file}-wal").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.kill()
    process.wait()
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(workers) >= 2
    assert not any(alive(pid) for pid in workers)


def children(pid: int) -> list[int]:
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listing.read_text().split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        tournament(tmp_path, "deals=100000", "executor.workers=2", "bootstrap=0"),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    file = tmp_path / "coin-2p" / f"{FILE_NAME}-wal"
    deadline = time.monotonic() + 120
    while (not file.exists() or file.stat().st_size < 50_000) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, text = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run the same command again to go on" in text
    assert "Traceback" not in text
    db = sqlite3.connect(tmp_path / "coin-2p" / FILE_NAME)
    games = db.execute("SELECT count(*) FROM games").fetchone()[0]
    db.close()
    assert f"interrupted after {games} of 200000 games" in text


class Broken:
    """An agent that raises, or chooses what is not legal."""

    needs_view = False

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.game = game

    def act(self, observation: object, info: object) -> int:
        raise RuntimeError("out of ideas")


class Cheater(Broken):
    def act(self, observation: object, info: object) -> int:
        return self.game.num_actions + 5


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [(Broken, "failed at its decision: RuntimeError: out of ideas"), (Cheater, "which is illegal; legal: ")],
)
def test_an_agent_that_breaks_down_is_named(agent: type[Broken], sentence: str) -> None:
    job = next(iter(Schedule(("bad", "good"), 2, 1)))
    with pytest.raises(AgentError) as caught:
        play_game(coin_game(2), job, {"bad": agent, "good": agent})  # type: ignore[dict-item]
    assert "agent 'bad' on seat " in str(caught.value)
    assert sentence in str(caught.value)


def test_the_tables_count_ties_and_shared_first_places() -> None:
    results = played(3, 3)
    summary = summarise(results, bootstrap=5, seed=0)
    assert summary.games == len(results)
    assert summary.played.sum() == 3 * len(results)
    assert abs((summary.first * summary.played).sum() - len(results)) < 1e-9, "each game has one first place to share"
    assert abs((summary.mean_rank * summary.played).sum() - 6 * len(results)) < 1e-9, "places add up to 1 + 2 + 3"
    k = len(summary.ratings.names)
    for i in range(k):
        for j in range(i):
            assert abs(summary.above[i, j] + summary.above[j, i] - 1.0) < 1e-9


def test_repeated_games_are_not_counted_as_distinct() -> None:
    results = played(2, 1)
    assert summarise(results * 2, bootstrap=0, seed=0).distinct <= 0.5
