"""The strict batched form: `gymnasium.vector.VectorEnv` of one learner in each game, reward (N,), SAME_STEP autoreset.

Opponents "random" and "heuristic" play inside the kernels, and policies (`envs.opponents.Policy`) are asked about all
games in which they are to act at once. Where another one is wanted, the same environment is made of `NorthmenGym`
objects in a `SyncVectorEnv`; both give what N `NorthmenGym` with the seeds s, s + 1, ... give (policies up to the
rounding of a batch).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from northmen_env.engine import batch
from northmen_env.engine.game import Game, checked_int
from northmen_env.engine.opponents import ASKED, PYTHON
from northmen_env.engine.random import PURPOSE_RESAMPLE, episode_seed, secret_seed
from northmen_env.engine.state import State
from northmen_env.engine.view import View
from northmen_env.envs.episodes import (
    MASK_IN,
    as_action,
    checked_choice,
    game_header,
    generators,
    observation_space,
    pack,
    set_generators,
    unpack,
)
from northmen_env.envs.gym import NorthmenGym, checked_seat
from northmen_env.envs.opponents import Agent, Factory, Opponents, Policy, policies_of, resolve, suggestion_keys
from northmen_env.envs.vector import (
    METADATA,
    Blocks,
    checked_actions,
    checked_seeds,
    configured,
    refuse_closed,
    refuse_impossible_games,
    restore_arrays,
    saved_arrays,
    start_seeds,
    state_of,
)

_SKIPPED = f"{batch.MOST_SKIPPED} games in a row ended before the learner was asked anything"


def make_learners(
    game: str | Game,
    num_envs: int,
    seat: int | str,
    opponents: Opponents,
    configurations: Sequence[Mapping[str, Any] | Game] | None,
    num_threads: int,
    **arguments: Any,
) -> VectorEnv:
    """Return the form that the opponents need; arguments as `make_vector` and `NorthmenVectorEnv`."""
    own = {name: arguments.pop(name) for name in ("mask_in", "copy") if name in arguments}
    games = configured(game, configurations, arguments)
    if any(asked_about(each, opponents) is None for each in games):
        checked_int("num_envs", num_envs, 1, 2**31)
        return NorthmenSyncVectorEnv(games, num_envs, seat, opponents, **own)
    return NorthmenVectorEnv(games, num_envs, seat, opponents, num_threads=num_threads, **own)


def asked_about(game: Game, opponents: Opponents) -> tuple[list[int], list[Policy]] | None:
    """Return the opponents' kinds and policies, or None where agents have to be asked game by game."""
    kinds, factories = resolve(opponents, game.num_players)
    return policies_of(kinds, factories, game)


class NorthmenVectorEnv(VectorEnv):
    """One learner in each of many games, opponents inside the kernels or asked in batches.

    Observations, rewards, flags and the rules for seats, opponents and illegal actions are those of `NorthmenGym`, one
    row for each env; seeds as in `NorthmenVector`. Where a game ended, `final_obs` holds the learner's terminal
    observation and `final_info` its terminal info, as `SyncVectorEnv` with SAME_STEP autoreset gives them.

    Args:
        games: configurations of one game; env `i` plays `games[i % len(games)]`.
        num_envs: number of games.
        seat: the learner's seat, or "random".
        opponents: "random", "heuristic" or a factory with a policy for all, or a list clockwise from the learner.
        mask_in: "obs", "info" or "both".
        copy: whether returned arrays are yours; False returns buffers that the next step overwrites.
        num_threads: threads that the games are divided among.
    """

    metadata = METADATA

    def __init__(
        self,
        games: Sequence[Game],
        num_envs: int,
        seat: int | str,
        opponents: Opponents,
        *,
        mask_in: str = "obs",
        copy: bool = True,
        num_threads: int = 1,
    ) -> None:
        self.games, self.num_envs = list(games), checked_int("num_envs", num_envs, 1, 2**31)
        seats = {checked_seat(game, seat) for game in games}
        longest = max(games, key=lambda game: game.num_players)
        for game in games:
            resolve(opponents, game.num_players)  # a list must fit each configuration
        found = asked_about(longest, opponents)
        if found is None:
            raise ValueError(f"{opponents!r} are agents without a policy for batches: use make_vec, which asks each")
        kinds, policies = found
        self.policies: list[Policy | OneByOne] = list(policies)
        self.seat, self.opponents, self.copy = seat, opponents, bool(copy)
        self.mask_in = checked_choice("mask_in", mask_in, MASK_IN)
        self.batch = batch.new_batch(self.games, num_envs, {}, False)
        self.learners = batch.new_learners(self.batch, seats.pop(), kinds)
        self._threads = Blocks(num_envs, num_threads)
        self._seeded = self._has_reset = False
        self.single_observation_space = observation_space(games[0], mask_in)
        self.single_action_space = spaces.Discrete(games[0].num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game in each env and return the learners' first observations; all `options` are ignored.

        A list of seeds, one for each env, is taken too, as `SyncVectorEnv` does.
        """
        refuse_closed(self.closed, "reset")
        seed = checked_seeds(seed, self.num_envs)
        super().reset(seed=None if isinstance(seed, list) else seed)
        start_seeds(self.batch, seed, self._seeded)
        self._seeded = self._has_reset = True
        self._run(batch.begin_learners)
        self._answer()
        return self._observation(), self._info()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take the learners' actions (N,) and play on to their next decisions.

        Raises:
            TypeError, ValueError: no integers, another shape or outside of the action space; nothing has changed.
            ResetNeeded: before the first reset.
            ClosedEnvironmentError: after `close`.
        """
        refuse_closed(self.closed, "step")
        if not self._has_reset:
            raise ResetNeeded("call reset() before step()")
        checked = checked_actions(actions, self.num_envs, self.games[0].num_actions)
        self._run(batch.step_learners, checked)
        self._answer()
        truncated = np.zeros(self.num_envs, np.bool_)
        ended = self._own(self.batch.terminated)
        return self._observation(), self._own(self.learners.reward), ended, truncated, self._info()

    def _run(self, kernel: Callable[..., Any], *arguments: Any) -> None:
        if not self._threads.run(kernel, self.batch, self.learners, *arguments):
            raise RuntimeError(_SKIPPED)

    def _answer(self) -> None:
        """Ask the policies until every learner is to act."""
        who, b, begun = self.learners, self.batch, self.batch.episode.copy()
        while (waiting := np.flatnonzero(who.asked != PYTHON)).size:
            actions, asked = np.zeros(self.num_envs, np.int64), who.asked[waiting]
            suggested: np.ndarray | None = None
            for kind in np.unique(asked).tolist():
                rows = waiting[asked == kind]
                policy = self.policies[kind - ASKED]
                if isinstance(policy, OneByOne):
                    actions[rows] = policy.act_rows(self, rows)
                    continue
                given: tuple[np.ndarray, ...] = (b.observation[rows], b.mask[rows], who.keys[rows])
                if getattr(policy, "needs_suggestion", False):
                    suggested = self.suggestions(suggestion_keys(who.keys)) if suggested is None else suggested
                    given = (*given, suggested[rows])
                actions[rows] = policy.act_many(*given)
            self._run(batch.answer_learners, actions)
            if (b.episode - begun).max() > batch.MOST_SKIPPED:
                raise RuntimeError(_SKIPPED)

    def _own(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _observation(self) -> Any:
        observation = self._own(self.batch.observation)
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": self._own(self.batch.mask)}

    def _info(self) -> dict[str, Any]:
        b, n = self.batch, self.num_envs
        info: dict[str, Any] = {"player": self._own(self.learners.seat), "_player": np.ones(n, np.bool_)}
        if self.mask_in != "obs":
            info.update(action_mask=self._own(b.mask), _action_mask=np.ones(n, np.bool_))
        if not b.terminated.any():
            return info
        ended = b.terminated.copy()
        final_obs = np.full(n, None, object)
        for i in np.flatnonzero(ended).tolist():
            final_obs[i] = self._final(i)
        final: dict[str, Any] = {
            "player": b.final_player.copy(),
            "returns": b.final_returns.copy(),
            "scores": b.final_scores.copy(),
            "decisions": b.final_decisions.copy(),
            "illegal_action": b.illegal.copy(),
        }
        final.update({f"_{name}": ended.copy() for name in final})
        info.update(final_obs=final_obs, _final_obs=ended, final_info=final, _final_info=ended.copy())
        return info

    def _final(self, i: int) -> Any:
        observation = self.batch.final_obs[i].copy()
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": np.zeros(self.games[0].num_actions, np.int8)}

    def action_masks(self) -> np.ndarray:
        """Return int8 (N, A): 1 for each legal action of the learners; never a row without one."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before action_masks()")
        return self.batch.mask.copy()

    def run_kernel(self, kernel: Callable[..., Any], *arguments: Any) -> None:
        """Call `kernel(batch, *arguments, first, last)` for the envs of [first, last), by the threads of this batch."""
        self._threads.run(kernel, self.batch, *arguments)

    def suggestions(self, keys: np.ndarray) -> np.ndarray:
        """Return int64 (N,): what the game's heuristic would do for each learner; it knows what the learner knows.

        Args:
            keys: uint64 (N,), the chance of each.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before suggestions()")
        actions = np.zeros(self.num_envs, np.int64)
        self.run_kernel(batch.suggest_games, checked_keys(keys, self.num_envs), actions)
        return actions

    def game_state(self, env: int) -> State:
        """Return a copy of the state of one game: full information, for trainers; whoever acts on it cheats."""
        return state_of(self.batch, self.games, env)

    def get_state(self) -> bytes:
        """Return everything that `set_state` needs to go on from here."""
        head = {**self._header(), "seeded": self._seeded, "has_reset": self._has_reset}
        head["generators"] = [generators(space) for space in self._spaces()]
        who = self.learners
        more = [who.seat.tobytes(), who.carried.tobytes(), who.others.view(np.uint8).tobytes()]
        return pack(head, *saved_arrays(self.batch), *more)

    def set_state(self, data: bytes) -> None:
        """Go on from where `get_state` was called, in an environment made with the same arguments.

        Raises:
            ValueError: the bytes are corrupt or of another configuration; nothing has changed.
        """
        head, parts = unpack(data, self._header())
        if head["has_reset"]:
            refuse_impossible_games(self.games, parts[0])
        for space, states in zip(self._spaces(), head["generators"]):
            set_generators(space, states)
        self._seeded, self._has_reset = head["seeded"], head["has_reset"]
        restore_arrays(self.batch, parts[:-3])
        who = self.learners
        who.seat[:], who.carried[:] = np.frombuffer(parts[-3], np.int64), np.frombuffer(parts[-2])
        who.others.view(np.uint8)[:] = np.frombuffer(parts[-1], np.uint8).reshape(who.others.view(np.uint8).shape)
        who.reward[:] = 0.0
        if self._has_reset:
            self._threads.run(batch.show_games, self.batch)

    def _header(self) -> dict[str, Any]:
        return {
            "kind": "learners",
            "num_envs": self.num_envs,
            "games": [game_header(game) for game in self.games],
            "seat": self.seat,
            "opponents": self.learners.kinds[0].tolist(),
        }

    def _spaces(self) -> list[spaces.Space[Any]]:
        return [self.single_observation_space, self.single_action_space, self.observation_space, self.action_space]

    def __deepcopy__(self, memo: dict[int, Any]) -> NorthmenVectorEnv:
        make, arguments = self.__reduce__()
        other: NorthmenVectorEnv = make(*arguments)
        memo[id(self)] = other
        return other

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        options = {"mask_in": self.mask_in, "copy": self.copy, "num_threads": self._threads.number}
        return _rebuild, (type(self), self.games, self.num_envs, self.seat, self.opponents, options, self.get_state())

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self._threads.stop()


def checked_keys(keys: np.ndarray, num_envs: int) -> np.ndarray:
    """Return `keys` as uint64 (N,). Raises ValueError for another shape."""
    keys = np.ascontiguousarray(keys, np.uint64)
    if keys.shape != (num_envs,):
        raise ValueError(f"keys must have the shape ({num_envs},), one for each env, not {keys.shape}")
    return keys


class OneByOne:
    """Stands among the policies for agents that have none, and asks each about its own game: what it costs is seen.

    Agents are made anew where a batch is restored in the middle of their games.
    """

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._agents: dict[tuple[int, int], tuple[int, Agent]] = {}

    def act_rows(self, envs: NorthmenVectorEnv, rows: np.ndarray) -> list[int]:
        """Return the actions of the seats to act in the games `rows`."""
        return [self._act(envs, i) for i in rows.tolist()]

    def _act(self, envs: NorthmenVectorEnv, i: int) -> int:
        b, p = envs.batch, int(envs.batch.player[i])
        game, seat = envs.games[int(b.config[i])], envs.learners.others[i, p]
        key = int(seat["key"])
        held = self._agents.get((i, p))
        if held is None or held[0] != key:
            held = self._agents[i, p] = (key, self._factory(game, p, key))
        info: dict[str, Any] = {}
        if getattr(held[1], "needs_view", False):
            game_seed = np.uint64(episode_seed(b.seed[i], b.episode[i]))
            seed = secret_seed(game_seed, PURPOSE_RESAMPLE, p, int(seat["made"]))
            info["view"] = View(envs.game_state(i), p, int(seed))
        seen = {"observation": b.observation[i].copy(), "action_mask": b.mask[i].copy()}
        return as_action(held[1].act(seen, info), game.num_actions)


def _rebuild(
    kind: type, games: Sequence[Game], n: int, seat: Any, opponents: Any, options: dict[str, Any], state: bytes
) -> NorthmenVectorEnv:
    env: NorthmenVectorEnv = kind(games, n, seat, opponents, **options)
    env.set_state(state)
    return env


class NorthmenSyncVectorEnv(SyncVectorEnv):
    """One learner in each of many games, against agents in Python: a row of `NorthmenGym` objects."""

    def __init__(
        self,
        games: Sequence[Game],
        num_envs: int,
        seat: int | str,
        opponents: Opponents,
        *,
        mask_in: str = "obs",
        copy: bool = True,
    ) -> None:
        makers = [
            partial(NorthmenGym, games[i % len(games)], seat=seat, opponents=opponents, mask_in=mask_in)
            for i in range(num_envs)
        ]
        super().__init__(makers, copy=bool(copy), autoreset_mode=AutoresetMode.SAME_STEP)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As `NorthmenVectorEnv.reset`; a list of seeds, one for each env, is taken too."""
        refuse_closed(self.closed, "reset")
        seed = checked_seeds(seed, self.num_envs)
        if isinstance(seed, int):
            seed = [(seed + i) % 2**64 for i in range(self.num_envs)]
        return super().reset(seed=seed, options=options)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """As `NorthmenVectorEnv.step`."""
        refuse_closed(self.closed, "step")
        return super().step(checked_actions(actions, self.num_envs, int(self.single_action_space.n)))  # type: ignore[attr-defined]

    def action_masks(self) -> np.ndarray:
        """Return int8 (N, A): 1 for each legal action of the learners; never a row without one."""
        return np.stack([env.unwrapped.action_masks() for env in self.envs])  # type: ignore[attr-defined]

    def suggestions(self, keys: np.ndarray) -> np.ndarray:
        """As `NorthmenVectorEnv.suggestions`."""
        keys = checked_keys(keys, self.num_envs)
        return np.array([env.unwrapped.suggestion(int(key)) for env, key in zip(self.envs, keys)])  # type: ignore[attr-defined]
