"""PPO: frames per second of `northmen train` and of the stock way, and what share of it the environment costs.

    python benchmarks/training.py [--game saga] [--players 2] [--frames 32768] [--rounds 3] [--markdown FILE]

A frame is a decision of the learner. The stock way is our Gymnasium environment in a `DummyVecEnv` of 8 with
`ActionMasker`, and `MaskablePPO`: with its defaults, and with the settings that we train with. All are measured in one
run, in turn, by the clock and with the same number of torch's threads; figures are medians of the rounds.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

import northmen_env as nm
from northmen_agents.train.config import TrainConfig, validated_training
from northmen_agents.train.model import Trunk, network_of, new_model
from northmen_agents.train.pool import Pool
from northmen_agents.train.vecenv import SelfPlayVecEnv

STOCK_ENVS = 8
SETTINGS = {
    "envs": 128, "rollout": 64, "batch": 2048, "epochs": 3, "learning_rate": 3e-4, "anneal": False,
}  # fmt: skip


class Timed(SelfPlayVecEnv):
    """Counts the seconds that games, masks and opponents take."""

    spent = 0.0

    def step_wait(self) -> Any:
        started = time.perf_counter()
        found = super().step_wait()
        self.spent += time.perf_counter() - started
        return found

    def action_masks(self) -> np.ndarray:
        started = time.perf_counter()
        found = super().action_masks()
        self.spent += time.perf_counter() - started
        return found


def configuration(game: str, players: int, opponents: str) -> TrainConfig:
    """Return a training: against random opponents, or against the learner itself, itself earlier, and two others."""
    members = {"random": {"kind": "random"}}
    if opponents == "pool":
        members["heuristic"] = {"kind": "heuristic"}
    pool = {"latest": 0.5 if opponents == "pool" else 0.0, "past": 0, "members": members}
    given = {"name": "bench", "game": {"name": game}, "players": players, "steps": 1, "ppo": SETTINGS, "pool": pool}
    return validated_training(given)


class Nobody:
    """Plays until the learner's own policy is there."""

    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


def native(game: str, players: int, opponents: str) -> tuple[Any, Timed]:
    """Return a learner on our batched environment."""
    config = configuration(game, players, opponents)
    games = config.load_games()
    pool = Pool(config.pool, games[0], Nobody())
    envs = Timed(games, config.ppo.envs, pool, config.seed)
    model = new_model(config, envs)
    pool.set_latest(network_of(model.policy))
    return model, envs


def stock(game: str, players: int, tuned: bool) -> Any:
    """Return a learner on the stock way, with the defaults of `MaskablePPO` or with our settings."""

    def one() -> Any:
        env = nm.make_gym(game, num_players=players, opponents="random", mask_in="info")
        return ActionMasker(env, lambda wrapped: wrapped.unwrapped.action_masks())

    envs = DummyVecEnv([one] * STOCK_ENVS)
    if not tuned:
        return MaskablePPO("MlpPolicy", envs, device="cpu", seed=0)
    frames = SETTINGS["envs"] * SETTINGS["rollout"]
    return MaskablePPO(
        "MlpPolicy", envs, device="cpu", seed=0, n_steps=frames // STOCK_ENVS, batch_size=SETTINGS["batch"],
        n_epochs=SETTINGS["epochs"], learning_rate=SETTINGS["learning_rate"], gamma=1.0,
        policy_kwargs={
            "features_extractor_class": Trunk, "features_extractor_kwargs": {"sizes": [256]},
            "net_arch": {"pi": [128], "vf": [128]}, "activation_fn": nn.ReLU,
        },
    )  # fmt: skip


def rate(model: Any, frames: int) -> tuple[float, float]:
    """Return frames per second of so many frames more, and the seconds that they took."""
    before, started = model.num_timesteps, time.perf_counter()
    model.learn(frames, reset_num_timesteps=False)
    seconds = time.perf_counter() - started
    return (model.num_timesteps - before) / seconds, seconds


def random_play(envs: SelfPlayVecEnv, frames: int) -> float:
    """Return the learner's decisions per second where nothing is learned."""
    rng, started, taken = np.random.default_rng(0), time.perf_counter(), 0
    while taken < frames:
        masks = envs.action_masks()
        envs.step((masks * rng.random(masks.shape, np.float32)).argmax(axis=1))
        taken += envs.num_envs
    return taken / (time.perf_counter() - started)


def report(game: str, players: int, frames: int, rounds: int, threads: int) -> str:
    """Measure, and return the table of `docs/results/ppo.md`."""
    torch.set_num_threads(threads)
    load = os.getloadavg()[0]
    ours = {name: native(game, players, name) for name in ("random", "pool")}
    models: dict[str, Any] = {
        "`northmen train`, random opponents": ours["random"][0],
        "`northmen train`, half self-play, random, heuristic": ours["pool"][0],
        "stock, our settings": stock(game, players, tuned=True),
        "stock, defaults of MaskablePPO": stock(game, players, tuned=False),
    }
    rates: dict[str, list[float]] = {name: [] for name in models}
    shares: dict[str, list[float]] = {name: [] for name in models}
    for model in models.values():
        model.set_logger(Logger(None, []))
        model.learn(1, reset_num_timesteps=False)  # compiles
    for _ in range(rounds):
        for name, model in models.items():
            envs = model.env if isinstance(model.env, Timed) else None
            if envs is not None:
                envs.spent = 0.0
            found, seconds = rate(model, frames)
            rates[name].append(found)
            if envs is not None:
                shares[name].append(envs.spent / seconds)
    median: Callable[[list[float]], float] = statistics.median
    best = median(rates["`northmen train`, random opponents"])
    lines = [
        f"northmen-env {version('northmen-env')}, torch {torch.__version__} ({threads} thread{'s' * (threads > 1)}), "
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores;",
        f"load of the machine before the run: {load:.1f}. {game}, {players} players, {frames:,} frames a round, "
        f"{rounds} rounds.",
        "",
        "| | frames/s | ours against it | environment, masks and opponents | aim |",
        "|---|---:|---:|---:|---|",
    ]
    for name in models:
        share = f"{median(shares[name]):.0%}" if shares[name] else ""
        aim = "< 30 % of the time" if shares[name] else "4 times"
        ratio = "" if shares[name] else f"{best / median(rates[name]):.1f}"
        lines.append(f"| {name} | {median(rates[name]):,.0f} | {ratio} | {share} | {aim} |")
    lines += [
        "",
        f"The same environment without learning, random play: {random_play(ours['random'][1], frames):,.0f} frames/s.",
        "",
        "Written by `python benchmarks/training.py --markdown docs/results/ppo.md`.",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="saga", choices=nm.games())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--frames", type=int, default=32_768, help="a round and way")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of torch")
    parser.add_argument("--markdown", type=Path, help="write the table here")
    arguments = parser.parse_args()
    text = report(arguments.game, arguments.players, arguments.frames, arguments.rounds, arguments.threads)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(f"# PPO: speed\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
