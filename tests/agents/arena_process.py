"""Tournaments of a process of their own, for tests that kill them or compare ways of running them.

python arena_process.py ways FOLDER WAY...             plays one tournament in each way, as 2-spawn
python arena_process.py ray FOLDER                     plays one tournament here and on a Ray cluster of two nodes
python arena_process.py stops FOLDER STOPS             begins to play and stops, again and again
python arena_process.py kills FOLDER KILLS SEED DEALS  kills one tournament again and again, and ends it

Prints a JSON object. A killed tournament is forked from this process, so that it starts at once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rich.console import Console

import northmen_env as nm
import northmen_env.registry as registry
from coin_league import TINY_GAMES
from northmen_agents.arena import execute
from northmen_agents.arena.results import FILE_NAME, ResultsFile, StoredResults
from northmen_agents.arena.run import run_tournament
from northmen_agents.arena.schedule import Schedule
from northmen_agents.config import validated

TESTS = Path(__file__).resolve().parents[1]
registry.GAMES.update(TINY_GAMES)

AGENTS = {"random": {"kind": "random"}, "heuristic": {"kind": "heuristic"}, "mc": {"kind": "flat-mc", "simulations": 8}}


def play(folder: Path, deals: int, **executor: Any) -> None:
    """Play the tournament, or what is missing of it; without `executor` in this process."""
    config = validated(
        {
            "name": "x",
            "game": {"name": "coin"},
            "players": 3,
            "agents": AGENTS,
            "deals": deals,
            "bootstrap": 0,
            "executor": executor or {"workers": 1},
        }
    )
    with open(os.devnull, "w") as nowhere:
        run_tournament(config, folder, Console(file=nowhere))


def exported(folder: Path) -> str:
    with StoredResults(folder) as stored:
        return stored.export()


def ways(folder: Path, names: list[str]) -> dict[str, str]:
    """Return the export of each way."""
    for name in names:
        workers, _, start_method = name.partition("-")
        play(folder / name, 8, workers=int(workers), start_method=start_method)
    return {name: exported(folder / name) for name in names}


def on_ray(folder: Path) -> dict[str, str]:
    """Return the export of this process and that of a cluster of two nodes on this machine."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])  # for the nodes
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_AUTH_MODE"] = "disabled"  # a token would be written into the home of whoever runs the tests
    from ray.cluster_utils import Cluster

    play(folder / "local", 8)
    node = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(**node)
        play(folder / "ray", 8, kind="ray", address=cluster.address)
    finally:
        cluster.shutdown()
    return {name: exported(folder / name) for name in ("local", "ray")}


def stops(count: int) -> dict[str, Any]:
    """Stop workers that do nothing but answer at length; return which threads of theirs go on."""
    draw = random.Random(5)
    game, factories = nm.load("coin"), {}
    execute.play_game = lambda *_: bytes(20_000_000)  # type: ignore[assignment]
    for _ in range(count):
        results = execute.run_in_processes(game, factories, Schedule(("a", "b"), 2, 100_000), 2, "fork")
        next(results)
        time.sleep(draw.uniform(0.0, 0.1))
        results.close()
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    for thread in others:
        thread.join(20)
    return {"left": [thread.name for thread in others if thread.is_alive()]}


def kills(folder: Path, count: int, seed: int, deals: int) -> dict[str, Any]:
    """Kill one tournament `count` times and end it: at any moment, while games come in, or within a write."""
    draw = random.Random(seed)
    play(folder / "whole", deals)
    counts, reported = [], []
    for number in range(count):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)  # the workers belong to its group and die with it
            _watch_writes(writer, draw.randrange(1, 100) if number % 3 == 0 else None)
            play(folder / "killed", deals, workers=2, start_method="fork")
            os._exit(0)
        os.setpgid(pid, pid)  # here too: whichever process comes first
        os.close(writer)
        if number % 3 < 2:
            os.read(reader, 1)  # it plays
        time.sleep(draw.uniform(0.0, 0.12))
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        with open(reader, "rb") as pipe:
            told = pipe.read().split()
        reported.append(int(told[-1]) if told else 0)
        counts.append(_games(folder / "killed"))
    play(folder / "killed", deals, workers=2, start_method="fork")
    return {
        "counts": counts,
        "reported": reported,
        "whole": exported(folder / "whole"),
        "killed": exported(folder / "killed"),
        "left": sorted(path.name for path in (folder / "killed").iterdir()),
    }


def _watch_writes(writer: int, statement: int | None) -> None:
    """Report how many games are safe after each write, and die at this statement of the writes."""
    add_all = ResultsFile.add_all

    def watched(self: ResultsFile, results: Any) -> None:
        nonlocal statement
        if statement is not None:
            left = iter(range(statement, -1, -1))
            self._db.set_trace_callback(lambda text: next(left) or os.killpg(0, signal.SIGKILL))
            statement = None
        add_all(self, results)
        os.write(writer, f" {len(self)}".encode())

    ResultsFile.add_all = watched  # type: ignore[method-assign]


def _games(folder: Path) -> int:
    if not (folder / FILE_NAME).exists():
        return 0
    with StoredResults(folder) as stored:
        return len(stored)


def main() -> None:
    what, folder, *rest = sys.argv[1:]
    if what == "ways":
        answer: dict[str, Any] = ways(Path(folder), rest)
    elif what == "ray":
        answer = on_ray(Path(folder))
    elif what == "stops":
        answer = stops(*map(int, rest))
    else:
        answer = kills(Path(folder), *map(int, rest))
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
