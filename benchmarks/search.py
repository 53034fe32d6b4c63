"""Tree search: how fast it is, against the game's raw playouts, with two threads, and on connect four.

    python benchmarks/search.py [--seconds 1] [--rounds 5] [--simulations 2000] [--markdown FILE]

Figures are medians of rounds that go through everything that is compared in turn, so that a busy machine slows all of
it; what is compared is a ratio within one run. Decisions searched per second are simulations per second times decisions
per simulation, in the tree and in its playout. Processor time is used where one thread works, the clock where two do.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import connect_four

import northmen_env as nm
from northmen_agents import make_factory
from northmen_env.engine.game import Game
from northmen_env.engine.view import View

RANDOM = {"playout": "random", "value": "returns"}
OPEN_SPIEL = 153_000
"""Simulations per second of OpenSpiel's `MCTSBot` on connect four, measured on two cores like those of the aims."""

Work = Callable[[], int]
"""Does something for a while and returns how much."""


def playouts(game: Game) -> Work:
    """Return what plays random games and counts their decisions."""
    seeds = iter(range(10**9))
    return lambda: game.playouts(200, next(seeds)).total_decisions


def searches(game: Game, count: str, **parameters: Any) -> Work:
    """Return what searches the first decision of a game again and again and counts simulations or decisions.

    Args:
        count: an attribute of `SearchResult`.
    """
    state = game.new_initial_state(seed=1)
    view = View(state, state.current_player, 2)
    agent: Any = make_factory("mcts", **parameters)(game, state.current_player, 3)
    return lambda: int(getattr(agent.search(view), count))


def measured(works: dict[str, Work], seconds: float, rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return how much each does per second: medians over rounds that go through all of them."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()  # compiles
    for _ in range(rounds):
        for name, work in works.items():
            done, begun = 0, clock()
            while clock() - begun < seconds:
                done += work()
            rates[name].append(done / (clock() - begun))
    return {name: statistics.median(values) for name, values in rates.items()}


def report(simulations: int, seconds: float, rounds: int) -> str:
    """Measure, and return the tables of `docs/results/search.md`."""
    lines = [
        f"northmen-env {version('northmen-env')}, Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores; load of the",
        f"machine before the run: {os.getloadavg()[0]:.1f}. {simulations:,} simulations per decision, random playouts.",
        "",
        "| game, one thread | simulations/s | decisions searched/s | raw playouts, decisions/s | ratio | aim |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in nm.games():
        for players in (2, 4):
            game = nm.load(name, num_players=players)
            for observer in ("acting", "root"):
                how = {**RANDOM, "simulations": simulations, "observer": observer}
                works = {
                    "simulations": searches(game, "simulations", **how),
                    "decisions": searches(game, "decisions", **how),
                    "raw": playouts(game),
                }
                rate = measured(works, seconds, rounds, time.process_time)
                lines.append(
                    f"| {name}, {players} players, observer {observer} | {rate['simulations']:,.0f} | "
                    f"{rate['decisions']:,.0f} | {rate['raw']:,.0f} | {rate['decisions'] / rate['raw']:.2f} | 0.5 |"
                )
    four = connect_four.load()
    rate = measured({"": searches(four, "simulations", **RANDOM, simulations=simulations)}, seconds, rounds,
                    time.process_time)  # fmt: skip
    lines += [
        "",
        "| connect four | simulations/s | aim: twice OpenSpiel's `MCTSBot` |",
        "|---|---:|---:|",
        f"| one thread | {rate['']:,.0f} | {2 * OPEN_SPIEL:,} |",
        "",
        "| two threads against one, by the clock | simulations/s, one | two | ratio | aim |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in nm.games():
        game = nm.load(name, num_players=2)
        works = {
            str(threads): searches(game, "simulations", **RANDOM, simulations=simulations, threads=threads)
            for threads in (1, 2)
        }
        rate = measured(works, seconds, rounds, time.perf_counter)
        lines.append(f"| {name}, 2 players | {rate['1']:,.0f} | {rate['2']:,.0f} | {rate['2'] / rate['1']:.2f} | 1.7 |")
    lines += [
        "",
        f"| memory, allocated once | MB for {simulations:,} simulations | MB at most by default |",
        "|---|---:|---:|",
    ]
    for name in nm.games():
        game = nm.load(name, num_players=4)
        agents: Any = [make_factory("mcts", simulations=n)(game, 0, 0) for n in (simulations, 10_000_000)]
        own, most = (agent.searcher.memory / 1e6 for agent in agents)
        lines.append(f"| {name}, 4 players | {own:.2f} | {most:.0f} |")
    lines += [
        "",
        "Written by `python benchmarks/search.py --markdown docs/results/search.md`.",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1.0, help="per round and figure")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--markdown", type=Path, help="write the tables here")
    arguments = parser.parse_args()
    text = report(arguments.simulations, arguments.seconds, arguments.rounds)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(f"# Tree search: speed\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
