"""The batch of learners as a `VecEnv` of stable-baselines3 (needs torch): no call per environment, masks included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from northmen_agents.train.config import PlayoutsConfig
from northmen_agents.train.playouts import NONE, choose_candidates, compare_games
from northmen_agents.train.pool import Pool
from northmen_env.engine.game import Game
from northmen_env.engine.playout import UNLIMITED
from northmen_env.envs.learners import NorthmenVectorEnv

UNKNOWN = -1
"""Stands where there is no suggestion."""


class SelfPlayVecEnv(VecEnv):
    """One learner in each of many games, in a random seat, against opponents that a pool draws for each game.

    Args:
        games: configurations of one game; env `i` plays `games[i % len(games)]`.
        num_envs: number of games.
        pool: draws opponents and is told how games ended.
        seed: of the games and of the draws.
        num_threads: threads that the games are divided among.
        told: whether observations have one more column, what the game's heuristic would do (-1 where nothing is known).
        departure: what a learner pays for an action that is not the suggested one; the suggestions have to be there.

    Attributes:
        finished: how the games since the last `forget` ended: return, decisions of the learner, number of players.
        compared: what was found in each step since `compare`: candidates int64 (N, K), and what they are worth.

    Raises:
        ValueError: departures are to be paid for, or compared, without suggestions.
    """

    def __init__(
        self,
        games: Sequence[Game],
        num_envs: int,
        pool: Pool,
        seed: int,
        num_threads: int = 1,
        told: bool = False,
        departure: float = 0.0,
    ) -> None:
        self.envs = NorthmenVectorEnv(games, num_envs, "random", "random", mask_in="info", num_threads=num_threads)
        self.pool = pool
        self.envs.policies = pool.policies  # one list: who joins the pool is known here
        self.rng = np.random.default_rng(seed)
        self.finished: list[tuple[float, int, int]] = []
        self._seed, self._actions = seed, np.zeros(num_envs, np.int64)
        if departure > 0 and not told:
            raise ValueError("departure is paid by learners that are told the suggestion: set told too")
        self.compared: list[tuple[np.ndarray, np.ndarray]] = []
        self._compare: PlayoutsConfig | None = None
        self._told, self._departure, self._suggested = told, departure, np.full(num_envs, UNKNOWN)
        seen: Any = self.envs.single_observation_space
        if told:
            low, high = np.append(seen.low, np.float32(UNKNOWN)), np.append(seen.high, np.float32(games[0].num_actions))
            seen = spaces.Box(low, high, dtype=np.float32)
        super().__init__(num_envs, seen, self.envs.single_action_space)

    # -- playing -------------------------------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """Start the first games; return float32 (N, D)."""
        self.pool.choose(self.rng, self.envs.learners.kinds)
        observation, _ = self.envs.reset(seed=self._seed)
        self.pool.choose(self.rng, self.envs.learners.kinds)
        return self._seen(np.asarray(observation))

    def _seen(self, observation: np.ndarray) -> np.ndarray:
        """Return observations of the decisions at hand with what belongs into the last column."""
        if not self._told:
            return observation
        self._suggested = self.envs.suggestions(self.rng.integers(0, 2**64, self.num_envs, np.uint64))
        return np.column_stack([observation, self._suggested.astype(np.float32)])

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions
        if self._compare is not None:
            self.compared.append(self._worth(self._compare))

    def compare(self, how: PlayoutsConfig | None) -> None:
        """Forget what was compared; compare the learners' decisions with others from here on, or with None no more."""
        if how is not None and not self._told:
            raise ValueError("the suggestion is one of the candidates: set told")
        self._compare, self.compared = how, []

    def warm_up(self) -> None:
        """Compile what `compare` needs."""
        n, none = self.num_envs, np.full((1, 2), NONE)
        scratch = np.zeros((n, 2), self.envs.batch.states.dtype)
        compare_games(self.envs.batch, np.zeros(n, np.uint64), none, 1, 0, scratch, np.zeros((1, 2)), 0, 0)

    def _worth(self, how: PlayoutsConfig) -> tuple[np.ndarray, np.ndarray]:
        """Return candidates, and what they are worth in the decisions at hand."""
        n = self.num_envs
        found = choose_candidates(self.action_masks(), self._suggested, self._actions, how.candidates, self.rng)
        keys, worth = self.rng.integers(0, 2**64, n, np.uint64), np.zeros(found.shape)
        limit = UNLIMITED if how.limit is None else how.limit
        scratch = np.zeros((n, 2), self.envs.batch.states.dtype)
        self.envs.run_kernel(compare_games, keys, found, how.worlds, limit, scratch, worth)
        return found, worth - self._departure * ((found != self._suggested[:, None]) & (found != NONE))

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the learners' actions; return observations (N, D), rewards float32 (N,), dones (N,) and infos."""
        who = self.envs.learners
        seats, kinds = who.seat.copy(), who.others["kind"].copy()
        observation, rewards, ended, _, info = self.envs.step(self._actions)
        rewards = rewards - self._departure * (self._actions != self._suggested)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rows = np.flatnonzero(ended)
        for i in rows.tolist():
            infos[i] = self._closed(i, int(seats[i]), kinds[i], info)
        if rows.size:
            drawn = who.kinds[rows]
            self.pool.choose(self.rng, drawn)
            who.kinds[rows] = drawn
        return self._seen(observation), rewards.astype(np.float32), ended, infos

    def _closed(self, i: int, seat: int, kinds: np.ndarray, info: dict[str, Any]) -> dict[str, Any]:
        """Tell the pool how game `i` ended; return its info."""
        n = self.envs.games[int(self.envs.batch.config[i])].num_players
        returns, decisions = info["final_info"]["returns"][i], int(info["final_info"]["decisions"][i])
        own = float(returns[seat])
        teams = self.envs.batch.teams[int(self.envs.batch.config[i])]
        for distance in range(1, n):
            other = (seat + distance) % n
            if teams[other] == teams[seat]:
                continue
            self.pool.record(int(kinds[other]), 0.5 + 0.5 * float(np.sign(own - returns[other])))
        self.finished.append((own, decisions, n))
        last = np.append(info["final_obs"][i], np.float32(UNKNOWN)) if self._told else info["final_obs"][i]
        return {"terminal_observation": last, "episode": {"r": own, "l": decisions, "t": 0.0}}

    def action_masks(self) -> np.ndarray:
        """Return int8 (N, A) of all learners at once; never a row without a legal action."""
        return self.envs.action_masks()

    def forget(self) -> list[tuple[float, int, int]]:
        """Return `finished` and begin a new one."""
        found, self.finished = self.finished, []
        return found

    def playing(self) -> set[int]:
        """Return the kinds of opponents that are in a game, or chosen for the next."""
        who = self.envs.learners
        return {*np.unique(who.others["kind"]).tolist(), *np.unique(who.kinds).tolist()}

    # -- state ---------------------------------------------------------------------------------------------------------

    def saved(self) -> tuple[bytes, dict[str, Any]]:
        """Return what `restore` needs: the games' bytes, and JSON values."""
        return self.envs.get_state(), {
            "rng": self.rng.bit_generator.state,
            "kinds": self.envs.learners.kinds.tolist(),
            "suggested": self._suggested.tolist(),
        }

    def restore(self, games: bytes, more: dict[str, Any]) -> np.ndarray:
        """Undo `saved`; return the observations."""
        self.envs.learners.kinds[:] = more["kinds"]
        self.envs.set_state(games)
        self.rng.bit_generator.state = more["rng"]
        self._suggested[:] = more["suggested"]
        observation = self.envs.batch.observation.copy()
        return np.column_stack([observation, self._suggested.astype(np.float32)]) if self._told else observation

    # -- what VecEnv asks for ------------------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Do nothing: the seed is given once, when the environment is made."""
        return [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute once for each env. Raises AttributeError where there is none."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name!r} cannot be set here: the environments of a batch share their attributes")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """Call a method of the whole batch; `action_masks` is what MaskablePPO asks for."""
        if method_name != "action_masks":
            raise AttributeError(f"the environments of a batch have no method {method_name!r} of their own")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        self.envs.close()
