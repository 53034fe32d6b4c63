"""A whole training (needs torch): from a configuration to a checkpoint, logs and a table; killed runs go on."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from filelock import FileLock, Timeout
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from torch.distributions import Distribution

from northmen_agents.arena.run import output_console
from northmen_agents.checkpoint import write_atomically
from northmen_agents.network import Greedy, PolicyNetwork, write_policy
from northmen_agents.train import evaluate
from northmen_agents.train.config import TrainConfig, factories
from northmen_agents.train.errors import BusyRunError, DivergedTraining, InterruptedTraining
from northmen_agents.train.logs import Logs, progress
from northmen_agents.train.model import arrays_of, network_of, new_model
from northmen_agents.train.pool import Pool
from northmen_agents.train.state import STATE, restore_state, write_state
from northmen_agents.train.vecenv import SelfPlayVecEnv

POLICY = "policy.safetensors"
CONFIG = "config.json"
MEASURED = "evaluation.json"
SELVES = "selves"
LOCK = "training.lock"


@dataclass(frozen=True)
class Trained:
    """What a training leaves.

    Attributes:
        policy: path of the checkpoint.
        fared: how it does in each seat against each opponent of `measure`.
        seconds: spent on training, all parts of it together.
    """

    policy: Path
    fared: list[evaluate.Fared]
    seconds: float


def run_training(
    config: TrainConfig,
    folder: Path,
    console: Console | None = None,
    compiling: Callable[[], AbstractContextManager[None]] = nullcontext,
    quiet: bool = False,
) -> Trained:
    """Train, or go on with a training; write the policy; measure it; print a table.

    Args:
        config: the checked configuration.
        folder: of the run: `training.safetensors` (what it goes on from), `policy.safetensors` (what agents play),
            `progress.csv`, `tensorboard/`, `selves/`, `config.json`, `evaluation.json`.
        console: where the table goes (default: standard output).
        compiling: entered while kernels are made ready.
        quiet: whether nothing is said about the progress on standard error.

    Raises:
        ConfigError: the configuration names what does not exist; nothing was written.
        BusyRunError: another process trains in the folder.
        CheckpointError, ChangedRunError: what is in the folder cannot be gone on with.
        InterruptedTraining: Ctrl-C; what was learned until the last save is kept.
    """
    games = config.load_games(dense=config.dense)
    opponents = factories(config.measure.opponents, "measure.opponents")
    for factory in opponents.values():
        factory.many(games[0])  # what cannot play at the end is said at the beginning
    with _alone(folder), _settings(config.threads):
        try:
            run = _Run(config, folder, games, compiling)
        except KeyboardInterrupt:
            raise InterruptedTraining(
                "interrupted before the first step; the same command begins again where it was"
            ) from None
        try:
            run.learn(quiet)
        except KeyboardInterrupt:
            kept = f"of which {run.saved} are safe in {folder / STATE}; run the same command again to go on"
            if run.saved == 0:
                kept = "of which none was saved yet; the same command begins anew"
            raise InterruptedTraining(
                f"interrupted after {run.model.num_timesteps} of {config.steps} steps, {kept}"
            ) from None
        finally:
            run.envs.close()
        policy = run.finish()
        try:
            fared = evaluate.measure(
                _playing(network_of(run.model.policy), config),
                games,
                config.measure,
                config.seed + 1,
                config.env_threads,
            )
        except KeyboardInterrupt:
            raise InterruptedTraining(
                f"interrupted while the trained policy was measured; it is whole in {policy}, and the same command "
                "measures it again"
            ) from None
    told = {
        "steps": run.model.num_timesteps, "seconds": round(run.seconds, 1), "seed": config.seed + 1,
        "opponents": {name: factory.described(config.game.name) for name, factory in opponents.items()},
    }  # fmt: skip
    write_atomically(folder / MEASURED, json.dumps(evaluate.as_json(fared, told), indent=1).encode())
    console = console or output_console()
    evaluate.show(fared, console, f"{games[0].spec.title} after {told['steps']} steps")
    console.print(f"Policy: {policy}", soft_wrap=True)
    return Trained(policy, fared, run.seconds)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run's folder; what is left empty is removed by who made it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BusyRunError(f"another process trains in {folder}; wait until it ends, or choose another name=") from None
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / LOCK).unlink()
        lock.release()
        with suppress(OSError):
            folder.rmdir()


def _playing(network: PolicyNetwork, config: TrainConfig) -> Any:
    return Greedy(network) if config.measure.greedy else network


class _Run:
    """The objects of a run, new or as they were saved."""

    def __init__(self, config: TrainConfig, folder: Path, games: list[Any], compiling: Any) -> None:
        self.config, self.folder = config, folder
        self.identity = config.identity()  # as files are now: what was replaced later did not train
        self.games = games
        self.pool = Pool(config.pool, games[0], _Nobody())
        self.envs = SelfPlayVecEnv(
            games, config.ppo.envs, self.pool, config.seed, config.env_threads, config.told, config.departure
        )
        self.model = new_model(config, self.envs)
        self.model.set_logger(Logger(None, []))
        self.seconds, self.saved, self.next_self = 0.0, 0, config.pool.every
        if config.overwrite:
            _throw_away(folder)
        if (folder / STATE).is_file():
            more = restore_state(folder / STATE, self.model, self.envs, self.identity)
            self.seconds, self.next_self, self.saved = more["seconds"], more["next_self"], self.model.num_timesteps
        self.refresh()
        with compiling():
            if config.playouts.steps > 0:
                self.envs.warm_up()
            if self.model._last_obs is None:
                self.model._last_obs = self.envs.reset()
                self.model._last_episode_starts = np.ones(config.ppo.envs, np.bool_)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / CONFIG, json.dumps(config.model_dump(mode="json"), indent=1).encode())

    def refresh(self) -> None:
        """Let the pool's latest be the learner as it is."""
        try:
            self.pool.set_latest(network_of(self.model.policy))
        except ValueError as error:
            raise DivergedTraining(
                f"after {self.model.num_timesteps} steps the network is no policy any more: {error}; choose a smaller "
                "ppo.learning_rate (or that of imitation or playouts), and another name= or overwrite=true"
            ) from None

    def learn(self, quiet: bool) -> None:
        """Take the steps that are missing."""
        left = self.config.steps - self.model.num_timesteps
        if left <= 0:
            return
        logs = Logs(self.folder, self.model.num_timesteps, list(self.config.pool.members))
        with progress(self.config.steps, self.model.num_timesteps, quiet) as advance:
            try:
                self.model.learn(left, callback=_Between(self, logs, advance), reset_num_timesteps=False)
            finally:
                logs.close()
        self.save()

    def add_self(self) -> None:
        """Put the learner as it is into the pool."""
        name = f"self-{self.model.num_timesteps:010d}"
        file = f"{SELVES}/{name}.safetensors"
        arrays = arrays_of(self.model.policy)
        write_policy(self.folder / file, arrays, self.games[0], steps=self.model.num_timesteps)
        gone = self.pool.add_past_self(name, PolicyNetwork(arrays), file, self.envs.playing())
        self.save()
        for old in gone:  # after the state that no longer names them
            (self.folder / old).unlink(missing_ok=True)

    def save(self) -> None:
        """Write what a killed run goes on from."""
        more = {"seconds": self.seconds, "next_self": self.next_self}
        write_state(self.folder / STATE, self.model, self.envs, self.identity, more)
        self.saved = self.model.num_timesteps

    def finish(self) -> Path:
        """Write the policy; return its path."""
        path = self.folder / POLICY
        about = {
            "steps": self.model.num_timesteps, "seconds": round(self.seconds, 1), "players": self.config.players,
            "history": self.config.history, "options": self.games[0].options_dict, "config": self.identity,
        }  # fmt: skip
        write_policy(path, arrays_of(self.model.policy), self.games[0], **about)
        return path


class _Nobody:
    """Holds the place of the learner's policy until there is one."""

    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        raise RuntimeError("the learner has no policy yet")


class _Between(BaseCallback):
    """What happens between two updates: logs, the pool, the state."""

    def __init__(self, run: _Run, logs: Logs, advance: Callable[[int, str], None]) -> None:
        super().__init__()
        self._run, self._logs, self._advance = run, logs, advance
        self._since = time.perf_counter()
        self._fresh = True

    def _on_rollout_start(self) -> None:
        if self._fresh:  # nothing was learned since the state was written
            self._fresh = False
            return
        self._between()

    def _on_training_end(self) -> None:
        self._between()

    def _on_step(self) -> bool:
        return True

    def _between(self) -> None:
        run, steps = self._run, self._run.model.num_timesteps
        now = time.perf_counter()
        run.seconds, self._since = run.seconds + now - self._since, now
        run.refresh()
        scores = run.pool.scores()
        row = _row(run, steps)
        self._logs.write(row, scores)
        self._advance(
            steps, f"return {row['return']}  {', '.join(f'{n} {s:.2f}' for n, s in list(scores.items())[:4])}"
        )
        if run.config.pool.past and steps >= run.next_self:
            run.next_self += run.config.pool.every * (1 + (steps - run.next_self) // run.config.pool.every)
            run.add_self()
        elif steps - run.saved >= run.config.save:
            run.save()


def _row(run: _Run, steps: int) -> dict[str, Any]:
    ended, values = run.envs.forget(), run.model.logger.name_to_value
    names = {
        "policy_loss": "train/policy_gradient_loss", "value_loss": "train/value_loss",
        "entropy": "train/entropy_loss", "clipped": "train/clip_fraction", "kl": "train/approx_kl",
        "imitation_loss": "train/imitation_loss", "playouts_loss": "train/playouts_loss",
    }  # fmt: skip
    told: dict[str, Any] = {own: round(float(values[name]), 5) if name in values else "" for own, name in names.items()}
    if told["entropy"] != "":
        told["entropy"] = -told["entropy"]
    returns = [each[0] for each in ended]
    return {
        "step": steps, "seconds": round(run.seconds, 2), "games": len(ended),
        "return": round(float(np.mean(returns)), 4) if ended else "",
        "length": round(float(np.mean([each[1] for each in ended])), 2) if ended else "", **told,
    }  # fmt: skip


@contextmanager
def _settings(threads: int) -> Iterator[None]:
    """Set torch's threads, and put them and NumPy's global stream back: stable-baselines3 seeds and draws from it.

    Nor does torch check every distribution it makes, which takes a tenth of the time of a large network.
    """
    before, stream = torch.get_num_threads(), np.random.get_state()
    checked = Distribution._validate_args
    torch.set_num_threads(threads)
    Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        Distribution.set_default_validate_args(checked)
        np.random.set_state(stream)


def _throw_away(folder: Path) -> None:
    """Remove what a training writes, and nothing else."""
    for name in (STATE, POLICY, CONFIG, MEASURED, "progress.csv"):
        (folder / name).unlink(missing_ok=True)
    for name in (SELVES, "tensorboard"):
        shutil.rmtree(folder / name, ignore_errors=True)
