"""Trajectories for anybody's algorithm: what each seat of each game saw, did and was paid, in NumPy arrays.

The batched environment of all seats gives one decision of one seat per game and step. A learner wants it by seat: the
reward of a decision is all that the seat is paid until it decides again, and what it sees next is what it sees then,
with the others' decisions in between. `Assembler` sorts that out.

    envs = nm.make_vec("saga", 64, num_players=3)
    assembler = Assembler(envs, steps=128)
    observation, info = envs.reset(seed=7)
    while not assembler.full:
        actions, log_probs, values = policy(observation["observation"], observation["action_mask"])
        assembler.decided(observation, info, actions, log_probs, values)
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assembler.paid(rewards, terminated)
    rollout = assembler.take()
    advantages = rollout.advantages(gamma=1.0, lam=0.95)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from northmen_env.engine.game import checked_int
from northmen_env.envs.vector import NorthmenVector

NONE = -1


@dataclass(frozen=True)
class Rollout:
    """M decisions that are complete: each seat has decided again since, or its game has ended. In order of time.

    Attributes:
        env, seat: int64 (M,), whose decision.
        observation: float32 (M, D).
        action_mask: int8 (M, A).
        action: int64 (M,).
        log_prob, value: float32 (M,), as the policy gave them at the decision.
        reward: float64 (M,), paid to the seat from this decision until its next one. What a seat is paid before its
            first decision in a game belongs to that one.
        done: bool (M,), whether the game ended before the seat decided again.
        next_observation: float32 (M, D), at the seat's next decision; zeros where `done`.
        next_value: float32 (M,), the value there; 0 where `done`.
        next: int64 (M,), row of the seat's next decision in this rollout; -1 where `done`, and where that decision is
            not complete yet.
    """

    env: np.ndarray
    seat: np.ndarray
    observation: np.ndarray
    action_mask: np.ndarray
    action: np.ndarray
    log_prob: np.ndarray
    value: np.ndarray
    reward: np.ndarray
    done: np.ndarray
    next_observation: np.ndarray
    next_value: np.ndarray
    next: np.ndarray
    _steps: np.ndarray  # (M,) int64, ascending: rows of one step are of different envs, or seats

    def __len__(self) -> int:
        return len(self.action)

    def advantages(self, gamma: float = 1.0, lam: float = 0.95) -> np.ndarray:
        """Return float64 (M,): generalised advantage estimates along each seat's own decisions.

        Source: Schulman et al.: High-dimensional continuous control using generalized advantage estimation, ICLR 2016.
        `advantages + value` are the targets of the value function.
        """
        delta = self.reward + gamma * self.next_value.astype(np.float64) - self.value
        found = delta.copy()
        edges = [*np.flatnonzero(np.diff(self._steps, prepend=NONE)).tolist(), len(self)]
        for first, last in zip(edges[-2::-1], edges[:0:-1]):
            following = self.next[first:last]
            found[first:last] += gamma * lam * np.where(following >= 0, found[following], 0.0)
        return np.asarray(found)


class Assembler:
    """Collects `steps` steps of a `NorthmenVector` at a time.

    Decisions that are open when a rollout is taken (their seats have not decided again) are kept, and complete in the
    next one: nothing is lost. Their log-probabilities are then of the policy that took them, an update ago.

    Args:
        envs: the batched environment of all seats, with observations and masks.
        steps: of a rollout.

    Attributes:
        full: whether `steps` steps have been taken since the last rollout.
    """

    def __init__(self, envs: NorthmenVector, steps: int) -> None:
        if not isinstance(envs, NorthmenVector) or envs.legal == "ids" or not envs.observed:
            raise TypeError("trajectories are of the batched environment of all seats, with observations and masks")
        self.steps = checked_int("steps", steps, 1, 2**31)
        game = envs.games[0]
        n, seats = envs.num_envs, game.seats
        rows = n * (self.steps + seats)  # each seat of each env may have an open decision from before
        self._n, self._envs = n, envs
        self._begin()
        self._open = np.full((n, seats), NONE, np.int64)  # row of the seat's last decision in this game
        self._early = np.zeros((n, seats))  # paid before its first
        self._columns: dict[str, np.ndarray] = {
            "env": np.zeros(rows, np.int64),
            "seat": np.zeros(rows, np.int64),
            "observation": np.zeros((rows, game.observation_size), np.float32),
            "action_mask": np.zeros((rows, game.num_actions), np.int8),
            "action": np.zeros(rows, np.int64),
            "log_prob": np.zeros(rows, np.float32),
            "value": np.zeros(rows, np.float32),
            "reward": np.zeros(rows),
            "done": np.zeros(rows, np.bool_),
            "next": np.zeros(rows, np.int64),
            "_steps": np.zeros(rows, np.int64),
        }

    def _begin(self) -> None:
        self._used, self._step, self._waiting, self._starts = 0, 0, False, self._envs.starts

    def reset(self) -> None:
        """Forget what was not taken, as after `envs.reset()` within a rollout: its games will not be played on."""
        self._begin()
        self._open[:], self._early[:] = NONE, 0.0

    @property
    def full(self) -> bool:
        return self._step == self.steps

    def decided(
        self,
        observation: Mapping[str, np.ndarray],
        info: Mapping[str, Any],
        actions: np.ndarray,
        log_probs: np.ndarray | float = 0.0,
        values: np.ndarray | float = 0.0,
    ) -> None:
        """Take down what the seats see and choose, before `envs.step(actions)`.

        Args:
            observation, info: as the environment returned them; they are copied.
            actions, log_probs, values: (N,), or numbers for all.

        Raises:
            RuntimeError: the rollout is full; `paid` was not called for the step before; or the environments were reset
                while decisions wait for what follows.
        """
        if self._starts != self._envs.starts:
            if self._used > 0:
                raise RuntimeError(
                    "the environments were reset or put back, and decisions of the games before wait for what follows: "
                    "call reset() of the assembler after it"
                )
            self._starts = self._envs.starts
        if self.full:
            raise RuntimeError(f"the rollout has its {self.steps} steps: take() it")
        if self._waiting:
            raise RuntimeError("call paid() with what the step returned before the next decided()")
        envs, player = np.arange(self._n), np.asarray(info["player"], np.int64).copy()
        rows = np.arange(self._used, self._used + self._n)
        before = self._open[envs, player]
        c = self._columns
        c["next"][before[before >= 0]] = rows[before >= 0]
        self._open[envs, player] = rows
        values_of = {
            "env": envs, "seat": player, "observation": observation["observation"],
            "action_mask": observation["action_mask"], "action": actions, "log_prob": log_probs, "value": values,
            "reward": self._early[envs, player], "done": False, "next": NONE, "_steps": self._step + 1,
        }  # fmt: skip
        for name, given in values_of.items():
            c[name][rows] = given
        self._early[envs, player] = 0.0
        self._used += self._n
        self._waiting = True

    def paid(self, rewards: np.ndarray, terminated: np.ndarray) -> None:
        """Take down what `envs.step` returned: rewards (N, S) and terminated (N,)."""
        if not self._waiting:
            raise RuntimeError("call decided() before the step whose rewards these are")
        reward, began = self._columns["reward"], self._open >= 0
        reward[self._open[began]] += rewards[began]
        self._early += np.where(began, 0.0, rewards)
        ended = np.asarray(terminated, np.bool_)
        closed = self._open[ended]
        self._columns["done"][closed[closed >= 0]] = True
        self._open[ended], self._early[ended] = NONE, 0.0
        self._step += 1
        self._waiting = False

    def take(self) -> Rollout:
        """Return the decisions that are complete, and begin the next rollout with those that are not.

        Raises:
            RuntimeError: between `decided` and `paid`.
        """
        if self._waiting:
            raise RuntimeError("call paid() with what the last step returned before take()")
        c, used = self._columns, self._used
        done, following = c["done"][:used], c["next"][:used]
        complete = done | (following >= 0)
        rows, kept = np.flatnonzero(complete), np.flatnonzero(~complete)
        place = np.full(used + 1, NONE)  # of each row in the rollout; the last is for those without a next
        place[rows] = np.arange(len(rows))
        after = following[rows]
        ended = done[rows]
        columns = {name: array[rows] for name, array in c.items()}
        columns["next"] = place[after]
        rollout = Rollout(
            **columns,
            next_observation=np.where(ended[:, None], np.float32(0.0), c["observation"][after]),
            next_value=np.where(ended, np.float32(0.0), c["value"][after]),
        )
        for array in c.values():
            array[: len(kept)] = array[kept]
        c["_steps"][: len(kept)] = 0
        self._open[c["env"][: len(kept)], c["seat"][: len(kept)]] = np.arange(len(kept))
        self._used, self._step = len(kept), 0
        return rollout


__all__ = ["Assembler", "Rollout"]
