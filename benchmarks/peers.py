"""Connect four, the same game in several libraries, measured side by side in one run on one core.

    pip install 'northmen-env[peers]' 'pettingzoo[classic]'
    python benchmarks/peers.py [--seconds 1] [--rounds 5] [--markdown FILE] [--json FILE]

Every engine plays uniformly random games to the end. The rounds go through all engines in turn, so that a busy machine
slows all of them; each figure is the median of its rounds, after a warm-up that includes compiling. What is compared
is a ratio within one run, not a figure of one day with a figure of another.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

sys.path.insert(0, str(Path(__file__).parent))

import connect_four
import numpy as np

Runner = Callable[[], int]
"""Plays for a while and returns the number of decisions made."""

MEAN_LENGTH = 21.3
"""Mean number of moves of a random game, measured by `Game.playouts` over 100,000 games (printed again below)."""


def ours_core() -> Runner:
    game = connect_four.load()
    seeds = iter(range(10**9))
    return lambda: game.playouts(20_000, next(seeds)).total_decisions


def ours_state() -> Runner:
    game = connect_four.load()
    draw = random.Random(1).random

    def run() -> int:
        decisions = 0
        for seed in range(200):
            state = game.new_initial_state(seed)
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions

    return run


def open_spiel_core() -> Runner:
    """C++ rollouts: a search of one simulation whose leaf is valued by many random games."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    rollouts = 5_000
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 1, False)
    state = game.new_initial_state()

    def run() -> int:
        bot.step(state)  # the two simulations roll out from positions after one and two moves
        return int(rollouts * ((MEAN_LENGTH - 1) + (MEAN_LENGTH - 1)))

    return run


def open_spiel_python() -> Runner:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    draw = random.Random(1).random

    def run() -> int:
        decisions = 0
        for _ in range(200):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions

    return run


def pgx_batch(batch: int) -> Runner:
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("connect_four")
    steps = max(64, 200_000 // batch)

    def one_step(carry: Any, _: Any) -> Any:
        states, key, decisions = carry
        key, sub = jax.random.split(key)
        running = ~(states.terminated | states.truncated)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(sub, logits, axis=-1)
        stepped = jax.vmap(env.step)(states, actions)
        fresh = jax.vmap(env.init)(jax.random.split(sub, batch))
        ended = ~running
        states = jax.tree_util.tree_map(
            lambda a, b: jnp.where(ended.reshape((-1,) + (1,) * (a.ndim - 1)), a, b), fresh, stepped
        )
        return (states, key, decisions + running.sum()), None

    @jax.jit
    def play(key: Any) -> Any:
        key, sub = jax.random.split(key)
        states = jax.vmap(env.init)(jax.random.split(sub, batch))
        (_, _, decisions), _ = jax.lax.scan(one_step, (states, key, jnp.int32(0)), None, length=steps)
        return decisions

    keys = iter(range(10**9))
    return lambda: int(play(jax.random.PRNGKey(next(keys))))


def aec_loop(env: Any) -> Runner:
    draw = random.Random(1).random

    def run() -> int:
        decisions = 0
        for _ in range(20):
            env.reset()
            for _agent in env.agent_iter():
                observation, _reward, terminated, truncated, _info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[int(draw() * len(legal))]))
                decisions += 1
        return decisions

    return run


def ours_aec() -> Runner:
    from northmen_env.envs.aec import NorthmenAEC

    return aec_loop(NorthmenAEC(connect_four.load()))


def pettingzoo_aec() -> Runner:
    from pettingzoo import make

    return aec_loop(make("aec", "classic/connect_four-v3"))


def pettingzoo_bare() -> Runner:
    from pettingzoo import make

    return aec_loop(make("aec", "classic/connect_four-v3").unwrapped)


ENGINES: dict[str, Callable[[], Runner]] = {
    "northmen-env core": ours_core,
    "OpenSpiel C++ rollouts": open_spiel_core,
    **{f"pgx, batch {b}": (lambda b=b: pgx_batch(b)) for b in (1, 16, 256, 1024, 4096)},
    "northmen-env State face": ours_state,
    "OpenSpiel from Python": open_spiel_python,
    "northmen-env AEC": ours_aec,
    "PettingZoo AEC": pettingzoo_aec,
    "PettingZoo AEC, no wrappers": pettingzoo_bare,
}


def measure(seconds: float, rounds: int) -> dict[str, float]:
    """Return decisions per second by engine: medians over rounds that go through all engines in turn."""
    runners = {}
    for name, make_runner in ENGINES.items():
        print(f"preparing {name}", file=sys.stderr)
        runner = make_runner()
        runner()
        runners[name] = runner
    rates: dict[str, list[float]] = {name: [] for name in runners}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for name, runner in runners.items():
            decisions, start = 0, time.perf_counter()
            while time.perf_counter() - start < seconds:
                decisions += runner()
            rates[name].append(decisions / (time.perf_counter() - start))
    return {name: statistics.median(values) for name, values in rates.items()}


def comparisons(rates: dict[str, float]) -> list[tuple[str, float, float]]:
    """Return (what is compared, ratio, aim)."""
    core, state, aec = (rates[f"northmen-env {face}"] for face in ("core", "State face", "AEC"))
    best_pgx = max(rate for name, rate in rates.items() if name.startswith("pgx"))
    return [
        ("core / OpenSpiel C++ rollouts", core / rates["OpenSpiel C++ rollouts"], 3.0),
        ("core / best pgx batch", core / best_pgx, 2.0),
        ("State face / OpenSpiel from Python", state / rates["OpenSpiel from Python"], 1.0),
        ("AEC / PettingZoo AEC (the same checks)", aec / rates["PettingZoo AEC"], 5.0),
    ]


def markdown(rates: dict[str, float]) -> str:
    """Return the two tables of `docs/results/peers.md`."""
    packages = {"northmen-env": "northmen-env", "open-spiel": "OpenSpiel", "pgx": "pgx", "pettingzoo": "PettingZoo"}
    versions = ", ".join(f"{label} {version(name)}" for name, label in packages.items())
    rows = "\n".join(f"| {name} | {rate:,.0f} |" for name, rate in rates.items())
    ratios = "\n".join(f"| {what} | {ratio:.2f} | {aim:g} |" for what, ratio, aim in comparisons(rates))
    return (
        f"{versions}; Python {platform.python_version()}, {platform.machine()}, one core. Random games of connect\n"
        "four; medians of rounds that go through all engines in turn. pgx runs on the CPU here; its figure on a GPU,\n"
        "which is what it is made for, was not measured.\n\n"
        f"| engine | decisions per second |\n|---|---:|\n{rows}\n\n"
        f"| ratio within this run | measured | aim |\n|---|---:|---:|\n{ratios}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1.0, help="per engine and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--markdown", type=Path, help="write the tables here")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    rates = measure(arguments.seconds, arguments.rounds)
    text = markdown(rates)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(f"# Connect four against other libraries\n\n{text}", encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps(rates, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
