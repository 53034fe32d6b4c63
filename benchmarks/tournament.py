"""Tournaments of Saga: games per second at 1 and 2 workers, what the arena costs per game, how long resuming takes.

    python benchmarks/tournament.py [--seconds 5] [--rounds 3] [--games 100000] [--markdown FILE] [--json FILE]

Random agents, so that next to nothing of a game is thinking. Rounds alternate between one worker and two. Beside the
clock stands the processor time that a game takes in all processes together, which other work on the machine hardly
changes; the ratio that it allows is 2 × (one worker) / (two workers).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import northmen_env as nm
from northmen_agents import make_factory
from northmen_agents.arena.execute import run_here, run_in_processes
from northmen_agents.arena.play import GameResult, play_game, warm
from northmen_agents.arena.results import FILE_NAME, ResultsFile
from northmen_agents.arena.schedule import Schedule
from northmen_agents.config import configs_folder, validated
from northmen_env.engine.game import Game

AIM_RATIO, AIM_RESUME = 1.7, 5.0
PLAYERS = 2
AGENTS = {"random-a": make_factory("random"), "random-b": make_factory("random")}
SETTLED = 2.0
"""Processor seconds of each worker before its games count: it has loaded its libraries, and chunks have grown."""

Figures = dict[str, float]


def throughput(workers: int, seconds: float) -> tuple[float, float]:
    """Return games per second, played and written, and processor seconds per game in all processes."""
    game = nm.load("saga", num_players=PLAYERS)
    jobs = iter(Schedule(tuple(AGENTS), PLAYERS, 10**7))
    chunks = run_here(game, AGENTS, jobs) if workers == 1 else run_in_processes(game, AGENTS, jobs, workers)
    with tempfile.TemporaryDirectory() as folder, closing(ResultsFile(Path(folder) / FILE_NAME, {})) as file:
        for results in chunks:
            file.add_all(results)
            busy = [spent for spent in map(processor_seconds, _children()) if spent > 0.2]  # not the resource tracker
            if workers == 1 or (len(busy) == workers and min(busy) > SETTLED):
                break
        games, began, spent = 0, time.perf_counter(), processor_seconds(os.getpid(), *_children())
        for results in chunks:
            file.add_all(results)
            games += len(results)
            if time.perf_counter() - began >= seconds:
                break
        elapsed = time.perf_counter() - began
        spent = processor_seconds(os.getpid(), *_children()) - spent
        chunks.close()
    return games / elapsed, spent / games


def processor_seconds(*pids: int) -> float:
    """Return the processor time of these processes until now."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _children() -> list[int]:
    own = f"/proc/{os.getpid()}/task"
    return [int(pid) for task in os.listdir(own) for pid in Path(own, task, "children").read_text().split()]


def per_game(games: int) -> Figures:
    """Return microseconds of processor time per game: as playouts, in the arena, and its parts."""
    game = nm.load("saga", num_players=PLAYERS)
    jobs = [job for job, _ in zip(Schedule(tuple(AGENTS), PLAYERS, 10**7), range(games))]
    game.playouts(10, 0), play_game(game, jobs[0], AGENTS)
    played, arena = timed(lambda: [play_game(game, job, AGENTS) for job in jobs])
    many, playouts = timed(lambda: game.playouts(100 * games, 0))
    _, host = timed(lambda: [stepped(game, result) for result in played])
    with tempfile.TemporaryDirectory() as folder:
        file = ResultsFile(Path(folder) / FILE_NAME, {})
        _, written = timed(lambda: [file.add(result) for result in played])
        file.close()
    decisions = sum(len(result.actions) for result in played) / games
    return {
        "decisions": decisions,
        "playout_decisions": many.total_decisions / many.games,
        "playout": 1e6 * playouts / many.games,
        "arena": 1e6 * (arena + written) / games,
        "agents": 1e6 * (arena - host) / games,
        "host": 1e6 * host / games,
        "written": 1e6 * written / games,
    }


def stepped(game: Game, result: GameResult) -> str:
    """Play a game again without asking anybody; return its digest."""
    state = game.new_initial_state(result.seed)
    for action in result.actions:
        state.apply_action(action)
    return state.digest()


def timed(work: Any) -> tuple[Any, float]:
    """Return what `work()` returns, and the processor seconds it took."""
    began = time.process_time()
    answer = work()
    return answer, time.process_time() - began


def resume(games: int) -> Figures:
    """Return seconds from the command to its end, on a file of `games` games that is not, and that is finished."""
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    deals = -(-games // 12)
    with tempfile.TemporaryDirectory() as folder:
        overrides = [f"players={PLAYERS}", f"deals={deals}", f"results={folder}", "name=large"]
        with initialize_config_dir(str(configs_folder()), version_base="1.3"):
            config = validated(OmegaConf.to_container(compose("tournament", overrides), resolve=True))
        game, factories = config.load_game(), config.factories()
        warm(game, factories.values())
        path = Path(folder) / "large" / FILE_NAME
        file = ResultsFile(path, config.identity(game, factories), config.settings())
        count = 0
        for batch in invented(config.schedule(game)):
            file.add_all(batch)
            count += len(batch)
        file.close()
        figures: Figures = {"games": count, "megabytes": path.stat().st_size / 1e6}
        for name in ("resumed", "finished"):
            before, began = os.times(), time.perf_counter()
            command = [sys.executable, "-m", "northmen_env.cli", "tournament", *overrides]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = os.times()
            figures[name] = time.perf_counter() - began
            figures[f"{name}_cpu"] = after.children_user + after.children_system
            figures[f"{name}_cpu"] -= before.children_user + before.children_system
        return figures


def invented(schedule: Schedule) -> Any:
    """Yield results for all games of a schedule: one real game, with other ranks, scores, times and actions."""
    game, draw, batch = nm.load("saga", num_players=PLAYERS), random.Random(0), []
    pattern: GameResult | None = None
    for job in schedule:
        if pattern is None:
            pattern = play_game(game, job, dict.fromkeys(job.agents, AGENTS["random-a"]))
        ranks = draw.choice([(1, 2), (2, 1), (1, 1)])
        batch.append(
            replace(
                pattern,
                key=job.key,
                agents=job.agents,
                seed=job.seed,
                ranks=ranks,
                returns=tuple(float(sum(other > rank for other in ranks)) for rank in ranks),
                scores=tuple(float(draw.randrange(200)) for _ in ranks),
                actions=(*pattern.actions[1:], draw.randrange(100)),
                seconds=tuple(draw.random() for _ in ranks),
            )
        )
        if len(batch) == 1000:
            yield batch
            batch = []
    yield batch


def markdown(figures: dict[str, Any]) -> str:
    """Return the page `docs/results/tournament.md`."""
    one, two, game, large = figures["1"], figures["2"], figures["per_game"], figures["resume"]
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    size = f"{large['games']:,.0f} games in {large['megabytes']:.0f} MB"
    return f"""# Tournaments: speed, overhead, resuming

northmen-env {nm.__version__}, {machine}; load of the machine before the run:
{figures["load"]:.1f} (other work slows the clock, processor time less). Saga, {PLAYERS} players, random agents, spawned
workers, every game written; medians of {figures["rounds"]} rounds.

| workers | games per second | processor time per game, all processes |
|---:|---:|---:|
| 1 | {one["rate"]:,.0f} | {1e3 * one["cpu"]:.2f} ms |
| 2 | {two["rate"]:,.0f} | {1e3 * two["cpu"]:.2f} ms |

| two workers against one | measured | aim |
|---|---:|---:|
| by the clock | {two["rate"] / one["rate"]:.2f} | {AIM_RATIO:g} |
| that processor time allows | {2 * one["cpu"] / two["cpu"]:.2f} | {AIM_RATIO:g} |

| a game, processor time | µs |
|---|---:|
| as one of `game.playouts`, {game["playout_decisions"]:.0f} decisions | {game["playout"]:,.1f} |
| in the arena, {game["decisions"]:.0f} decisions | {game["arena"]:,.0f} |
| – the agents with their observations and masks, the check of their answers, clocks | {game["agents"]:,.0f} |
| – stepping the state, the digest of the end | {game["host"]:,.0f} |
| – writing it | {game["written"]:,.0f} |

So the arena costs {game["arena"] / game["decisions"]:.0f} µs a decision with agents that do not think. An agent that
searches for a millisecond does not notice; rollouts belong into `game.playouts` and the search's kernels.

| `northmen tournament` again, {size} | seconds | processor time | aim |
|---|---:|---:|---:|
| killed after the last game | {large["resumed"]:.1f} | {large["resumed_cpu"]:.1f} | {AIM_RESUME:g} |
| finished | {large["finished"]:.1f} | {large["finished_cpu"]:.1f} | {AIM_RESUME:g} |

The whole command is measured: start of Python, reading, ratings with 200 resamples, tables, the page of the report.

Written by `python benchmarks/tournament.py --markdown docs/results/tournament.md`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=5.0, help="per round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=100_000, help="in the file that is resumed")
    parser.add_argument("--markdown", type=Path, help="write the page here")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"load": os.getloadavg()[0], "rounds": arguments.rounds}
    warm(nm.load("saga", num_players=PLAYERS), AGENTS.values())
    rounds: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for number in range(arguments.rounds):
        for workers, found in rounds.items():
            print(f"round {number + 1} of {arguments.rounds}, {workers} workers", file=sys.stderr)
            found.append(throughput(workers, arguments.seconds))
    for workers, found in rounds.items():
        rates, costs = zip(*found)
        figures[str(workers)] = {"rate": statistics.median(rates), "cpu": statistics.median(costs)}
    print("a game", file=sys.stderr)
    figures["per_game"] = per_game(500)
    print("resuming", file=sys.stderr)
    figures["resume"] = resume(arguments.games)
    text = markdown(figures)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text, encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
