"""Tournaments as a whole: the same results however they are run, interrupted and continued."""

from __future__ import annotations

import io
import json
import os
import random
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from coin_league import TINY_GAMES, coin_game, comparable, league, played, tournament
from northmen_agents.arena.play import AgentError, GameResult, play_game
from northmen_agents.arena.results import FILE_NAME, StoredResults
from northmen_agents.arena.run import run_tournament
from northmen_agents.arena.schedule import Job, Schedule
from northmen_agents.arena.table import summarise
from northmen_agents.config import validated
from northmen_agents.kinds import AgentFactory
from northmen_env import registry
from northmen_env.engine.game import Game


def finished(command: list[str], status: int = 0) -> str:
    """Run a command, check its exit status and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


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
    assert {path.name for path in folder.iterdir()} == {FILE_NAME, "report.html"}
    assert str(folder / "report.html") in text
    again = finished(command)
    assert again in text, "the second run prints the same tables and nothing else"


def answer(*arguments: str) -> dict[str, Any]:
    """Return what `arena_process.py` prints."""
    command = [sys.executable, str(Path(__file__).parent / "arena_process.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def same_in_all(exports: dict[str, str]) -> None:
    assert {name: text == exports["1-spawn"] for name, text in exports.items()} == dict.fromkeys(exports, True)
    assert exports["1-spawn"].count("\n") == 48


def test_the_export_does_not_depend_on_workers_or_how_they_start(tmp_path: Path) -> None:
    same_in_all(answer("ways", str(tmp_path), "1-spawn", "2-spawn", "2-fork", "2-forkserver", "8-fork"))


def test_a_sequential_test_ends_with_the_same_games_in_any_order_of_completion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.GAMES, *next(iter(TINY_GAMES.items())))
    agents = {name: {"kind": name} for name in ("random", "heuristic")}
    sequential = {"agents": ["heuristic", "random"], "low": 0, "high": 300, "alpha": 0.1, "beta": 0.1}
    entries = {"name": "x", "game": {"name": "coin"}, "players": 2, "agents": agents, "deals": 4000, "bootstrap": 0}
    silent = Console(file=io.StringIO())

    def exported_after(name: str, **executor: Any) -> str:
        run_tournament(validated({**entries, "sequential": sequential, "executor": executor}), tmp_path / name, silent)
        with StoredResults(tmp_path / name) as stored:
            assert stored.finished
            return stored.export()

    def shuffled(game: Game, factories: dict[str, AgentFactory], jobs: Iterator[Job]) -> Iterator[list[GameResult]]:
        while block := list(islice(jobs, 150)):
            random.Random(len(block)).shuffle(block)
            for job in block:
                yield [play_game(game, job, factories)]

    plain = exported_after("plain", workers=1)
    assert 10 < plain.count("\n") < 2000, "decided long before all deals were played"
    assert exported_after("processes", workers=2) == plain
    monkeypatch.setattr("northmen_agents.arena.run.run_here", shuffled)
    assert exported_after("shuffled", workers=1) == plain
    assert exported_after("plain", workers=1) == plain, "a finished test plays no more"


@pytest.mark.long
def test_the_export_does_not_depend_on_eight_workers_that_start_afresh(tmp_path: Path) -> None:
    same_in_all(answer("ways", str(tmp_path), "1-spawn", "8-spawn", "8-forkserver"))


def test_20_kills_at_any_moment_lose_games_in_flight_only(tmp_path: Path) -> None:
    """kill -9 of the whole process group: as it starts, while games come in, and within the transaction of a write."""
    seed = secrets.randbits(32)
    found = answer("kills", str(tmp_path), "20", str(seed), "400")
    counts, reported = found["counts"], found["reported"]
    where = f"seed {seed}: {counts}, reported {reported}"
    assert len(counts) == 20, where
    assert counts == sorted(counts), f"a game that was safe was lost: {where}"
    assert all(told <= there for told, there in zip(reported, counts)), f"a reported game is not there: {where}"
    assert len(set(counts)) >= 6, f"most kills came before the first game: {where}"
    assert counts[10] < found["whole"].count("\n") == 2400, f"half of the kills met a finished file: {where}"
    assert found["killed"] == found["whole"], where
    assert found["left"] == ["report.html", FILE_NAME]


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


def test_workers_may_be_stopped_at_any_moment(tmp_path: Path) -> None:
    """Also within an answer, half of which then stays in the pipe: what reads there has to end, or Ctrl-C hangs."""
    assert answer("stops", str(tmp_path), "10")["left"] == []


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        tournament(tmp_path, "deals=100000", "executor.workers=2", "bootstrap=0"),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
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
    k = len(summary.names)
    for i in range(k):
        for j in range(i):
            assert abs(summary.above[i, j] + summary.above[j, i] - 1.0) < 1e-9


def test_repeated_games_are_not_counted_as_distinct() -> None:
    results = played(2, 1)
    assert summarise(results * 2, bootstrap=0, seed=0).distinct <= 0.5
