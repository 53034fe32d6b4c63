"""The batched forms: many games stepped by one kernel call.

`make_vector` without a seat makes a `NorthmenVector`: one step is one decision in each game, of whichever seat is to
act there. With `seat=` and `opponents=` it makes a strict `gymnasium.vector.VectorEnv` of one learner in each game
(`northmen_env.envs.learners`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from northmen_env.engine import batch
from northmen_env.engine.game import Game, checked_int
from northmen_env.engine.state import State, refuse_impossible
from northmen_env.envs.episodes import (
    checked_choice,
    game_header,
    game_of,
    generators,
    observation_space,
    pack,
    refuse_arguments_of_other_forms,
    set_generators,
    unpack,
)
from northmen_env.envs.opponents import Opponents

METADATA: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
BUFFERS = {
    "observation": "observation",
    "action_mask": "mask",
    "legal_ids": "legal_ids",
    "legal_count": "legal_count",
    "player": "player",
    "rewards": "rewards",
    "terminated": "terminated",
    "final_obs": "final_obs",
}
"""Arrays that a caller may bring, and the fields of `engine.batch.Batch` that they become."""


def make_vector(
    game: str | Game,
    num_envs: int,
    *,
    seat: int | str | None = None,
    opponents: Opponents | None = None,
    configurations: Sequence[Mapping[str, Any] | Game] | None = None,
    num_threads: int = 1,
    **arguments: Any,
) -> NorthmenVector | VectorEnv:
    """Return a batched environment.

    Args:
        game: a name of `northmen_env.games()`, or a `Game`.
        num_envs: number of games.
        seat: None for all seats' decisions; a seat or "random" for one learner in each game.
        opponents: of the learner, "random" by default; see `northmen_env.envs.opponents`.
        configurations: options of several configurations of the game, each on top of `arguments`; env `i` plays number
            `i % len(configurations)`.
        num_threads: threads that the games are divided among; results do not depend on it.
        arguments: of `NorthmenVector`, or of `northmen_env.envs.learners.NorthmenVectorEnv` with a seat; and options of
            the game, `history` and `dense`.
    """
    if seat is None and opponents is not None:
        raise ValueError('opponents play against a learner: give its seat too (0, 1, ... or "random")')
    if seat is None:
        return NorthmenVector(game, num_envs, configurations=configurations, num_threads=num_threads, **arguments)
    from northmen_env.envs.learners import make_learners

    opponents = "random" if opponents is None else opponents
    return make_learners(game, num_envs, seat, opponents, configurations, num_threads, **arguments)


class NorthmenVector:
    """Many games at once, all seats of each; SAME_STEP autoreset.

    Description:
        `step` takes one action for each game, of the seat `info["player"]` to act there. All arrays that `reset` and
        `step` return are the environment's buffers, written in place by the next call: copy what you keep.

    Observation:
        A dict with `observation` float32 (N, D) and, by `legal`, `action_mask` int8 (N, A) ("mask", "both") or
        `legal_ids` int16 (N, K), ascending, -1 beyond `legal_count` int64 (N,) ("ids", "both"), of the seats to act.

    Rewards:
        float64 (N, S), S the most seats of the game: what each seat was paid in this step. Absent seats get 0.

    Episode End:
        `terminated` bool (N,); `truncated` is always False. Where a game ended, the observation, mask and player are
        those of the next game already. `info["final_obs"]` float32 (N, D) is then the terminal observation of the seat
        that made the last decision, and `info["final_info"]` tells of the game that ended: `player` (that seat),
        `returns` and `scores` float64 (N, S), `decisions`, `seed` and `illegal_action`. Both are valid where
        `info["_final_obs"]` (the same array as `terminated`) is True; elsewhere they hold what was there before.

    Illegal actions:
        As in the PettingZoo form: the game ends, -1 for who chose it, an equal share of +1 for each other player. An
        array of another shape or of no integers, or a number outside of the action space, raises and changes nothing.

    Seeds:
        After `reset(seed=s)` env `i` plays the game of seed `s + i` modulo 2**64, and game number `k` after it has the
        seed `engine.random.episode_seed(s + i, k)`. `reset(seed=[...])` gives each env its own (None: its next game).
        A reset without a seed starts the next game of each env.

    Args:
        game, num_envs, configurations, num_threads: see `make_vector`.
        legal: "mask", "ids" or "both".
        observe: False leaves the observations out (shape (N, 0)), for play that needs none.
        buffers: arrays to write into, by the names `observation`, `action_mask`, `legal_ids`, `legal_count`, `player`,
            `rewards`, `terminated` and `final_obs`: C-contiguous, writeable, of the shapes and types above.
        options: of the game, `history` and `dense`; none with a `Game`.

    Attributes:
        games: the configurations.
        batch: all arrays, for kernels (`engine.batch.Batch`).
        starts: how often all games were begun, or put back, at once.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        configurations: Sequence[Mapping[str, Any] | Game] | None = None,
        num_threads: int = 1,
        legal: str = "mask",
        observe: bool = True,
        buffers: Mapping[str, np.ndarray] | None = None,
        **options: Any,
    ) -> None:
        self.games = configured(game, configurations, options)
        self.num_envs = n = checked_int("num_envs", num_envs, 1, 2**31)
        self.legal, self.observed = checked_choice("legal", legal, ("mask", "ids", "both")), bool(observe)
        first = self.games[0]
        given = checked_buffers(buffers or {}, first, n, self.legal)
        if legal == "ids":
            given["mask"] = np.zeros((n, 0), np.int8)
        if not observe:
            given["observation"] = given["final_obs"] = np.zeros((n, 0), np.float32)
        self.batch = batch.new_batch(self.games, n, given, legal != "mask")
        self._threads = Blocks(n, num_threads)
        self._seeded = self._has_reset = self.closed = False
        self.starts = 0
        self._truncated = np.zeros(n, np.bool_)
        self.single_observation_space = observation_space(first, "obs" if legal != "ids" else "info")
        self.single_action_space = spaces.Discrete(first.num_actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Start a new game in each env; see "Seeds" above. All `options` are ignored."""
        refuse_closed(self.closed, "reset")
        seed = checked_seeds(seed, self.num_envs)
        start_seeds(self.batch, seed, self._seeded)
        self._seeded = self._has_reset = True
        self._threads.run(batch.begin_games, self.batch)
        self.starts += 1
        return self._observation(), self._info()

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take integer `actions` (N,), one for each game.

        Returns:
            observation, rewards (N, S), terminated (N,), truncated (N,), info.

        Raises:
            TypeError, ValueError: see "Illegal actions" above.
            ResetNeeded: before the first reset.
            ClosedEnvironmentError: after `close`.
        """
        refuse_closed(self.closed, "step")
        if not self._has_reset:
            raise ResetNeeded("call reset() before step()")
        checked = checked_actions(actions, self.num_envs, self.games[0].num_actions)
        self._threads.run(batch.step_games, self.batch, checked)
        self._truncated.fill(False)
        return self._observation(), self.batch.rewards, self.batch.terminated, self._truncated, self._info()

    def _observation(self) -> dict[str, np.ndarray]:
        return {"observation": self.batch.observation, **self._legal()}

    def _legal(self) -> dict[str, np.ndarray]:
        b = self.batch
        mask = {} if self.legal == "ids" else {"action_mask": b.mask}
        ids = {} if self.legal == "mask" else {"legal_ids": b.legal_ids, "legal_count": b.legal_count}
        return {**mask, **ids}

    def _info(self) -> dict[str, Any]:
        b = self.batch
        info: dict[str, Any] = {"player": b.player, **self._legal()}
        info.update(final_obs=b.final_obs, _final_obs=b.terminated, _final_info=b.terminated)
        info["final_info"] = {
            "player": b.final_player,
            "returns": b.final_returns,
            "scores": b.final_scores,
            "decisions": b.final_decisions,
            "seed": b.final_seed,
            "illegal_action": b.illegal,
        }
        return info

    def game_state(self, env: int) -> State:
        """Return a copy of the state of one game: full information, for trainers; whoever acts on it cheats."""
        return state_of(self.batch, self.games, env)

    def get_state(self) -> bytes:
        """Return everything that `set_state` needs to go on from here; the `final_*` buffers are not part of it."""
        head = {**self._header(), "seeded": self._seeded, "has_reset": self._has_reset}
        head["generators"] = [generators(space) for space in self._spaces()]
        return pack(head, *saved_arrays(self.batch))

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
        restore_arrays(self.batch, parts)
        self.starts += 1
        if self._has_reset:
            self._threads.run(batch.show_games, self.batch)

    def _header(self) -> dict[str, Any]:
        return {"kind": "vector", "num_envs": self.num_envs, "games": [game_header(game) for game in self.games]}

    def _spaces(self) -> list[spaces.Space[Any]]:
        return [self.single_observation_space, self.single_action_space, self.observation_space, self.action_space]

    def __deepcopy__(self, memo: dict[int, Any]) -> NorthmenVector:
        make, arguments = self.__reduce__()
        other: NorthmenVector = make(*arguments)
        memo[id(self)] = other
        return other

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        arguments = {"num_threads": self._threads.number, "legal": self.legal, "observe": self.observed}
        return _rebuild, (type(self), self.games, self.num_envs, arguments, self.get_state())

    def close(self) -> None:
        """Stop the threads; `step` and `reset` are refused from here on."""
        self.closed = True
        self._threads.stop()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.games[0].name}, num_envs={self.num_envs})"


def _rebuild(
    kind: type, games: Sequence[Game], num_envs: int, arguments: dict[str, Any], state: bytes
) -> NorthmenVector:
    env: NorthmenVector = kind(games[0], num_envs, configurations=games, **arguments)
    env.set_state(state)
    return env


# -- shared by both batched forms --------------------------------------------------------------------------------------


def refuse_closed(closed: bool, name: str) -> None:
    """Raise ClosedEnvironmentError, as Gymnasium's batches do, after `close`."""
    if closed:
        raise ClosedEnvironmentError(f"this batch is closed, so there is no {name}(); make a new one")


class Blocks:
    """Runs a batched kernel over all envs, by threads over blocks of them (kernels release the GIL)."""

    def __init__(self, num_envs: int, num_threads: int) -> None:
        self.number = checked_int("num_threads", num_threads, 1, 1024)
        blocks = min(self.number, num_envs)
        self._edges = [num_envs * k // blocks for k in range(blocks + 1)]
        self._pool: ThreadPoolExecutor | None = None

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> bool:
        """Call `kernel(*arguments, first, last)` for each block; return whether none of them returned False."""
        ranges = list(zip(self._edges, self._edges[1:]))
        if len(ranges) == 1:
            return kernel(*arguments, *ranges[0]) is not False
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(ranges), "northmen-vector")
        calls = [self._pool.submit(kernel, *arguments, first, last) for first, last in ranges]
        results = [call.result() for call in calls]  # of all blocks, before the arrays are used
        return False not in results

    def stop(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def configured(
    game: str | Game, configurations: Sequence[Mapping[str, Any] | Game] | None, options: dict[str, Any]
) -> list[Game]:
    """Return the configurations of a batch, which must be of one game and have equal spaces."""
    refuse_arguments_of_other_forms(options)
    if configurations is None:
        return [game_of(game, options)]
    if not configurations:
        raise ValueError("configurations is empty; leave it out, or give at least one dict of options")
    games = [_configuration(game, each, options) for each in configurations]
    first = games[0]
    for other in games[1:]:
        sizes = (other.spec, other.observation_size, other.num_actions)
        if sizes != (first.spec, first.observation_size, first.num_actions):
            raise ValueError(
                f"configurations of one batch are of one game and have equal spaces (and history), unlike {other!r} "
                f"and {first!r}"
            )
    return games


def _configuration(game: str | Game, each: Mapping[str, Any] | Game, options: dict[str, Any]) -> Game:
    if isinstance(each, Game):
        return each
    if not isinstance(each, Mapping):
        raise TypeError(f"a configuration is a dict of options, not {each!r}")
    if not isinstance(game, Game):
        return game_of(game, {**options, **each})
    given = {"history": game.history, "dense": game.dense, **game.options.model_dump(), **options, **each}
    return Game(game.spec, **given)


def checked_actions(actions: Any, num_envs: int, num_actions: int) -> np.ndarray:
    """Return int64 (num_envs,), each in the action space."""
    array = np.asarray(actions)
    if array.shape != (num_envs,):
        raise ValueError(f"actions has shape ({num_envs},), one for each env, not {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"actions are integers, not {array.dtype}")
    low, high = array.min(), array.max()
    if low < 0 or high >= num_actions:
        where = int(np.flatnonzero((array < 0) | (array >= num_actions))[0])
        raise ValueError(f"action {array[where]} of env {where} is outside the action space 0..{num_actions - 1}")
    return np.ascontiguousarray(array, np.int64)


def checked_buffers(given: Mapping[str, Any], game: Game, num_envs: int, legal: str) -> dict[str, np.ndarray]:
    """Return a caller's arrays by the names of `Batch`, after a check of shape, type, layout and purpose."""
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "observation": ((game.observation_size,), np.float32),
        "legal_count": ((), np.int64),
        "player": ((), np.int64),
        "rewards": ((game.seats,), np.float64),
        "terminated": ((), np.bool_),
        "final_obs": ((game.observation_size,), np.float32),
    }
    if legal != "ids":
        shapes["action_mask"] = ((game.num_actions,), np.int8)
    if legal != "mask":
        shapes["legal_ids"] = ((game.max_legal,), np.int16)
    checked = {}
    for name, array in given.items():
        if name not in shapes:
            raise ValueError(f"there is no buffer {name!r} here; the buffers are {', '.join(shapes)}")
        shape, dtype = (num_envs, *shapes[name][0]), np.dtype(shapes[name][1])
        fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
        if not fits or not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            raise ValueError(f"the buffer {name!r} must be a C-contiguous, writeable {dtype} array of shape {shape}")
        checked[BUFFERS[name]] = array
    return checked


Seeds = int | Sequence[int | None] | None


def checked_seeds(seed: Any, num_envs: int) -> int | list[int | None] | None:
    """Return the argument `seed` of a reset: a number, None, or a list with one of them for each env."""
    if isinstance(seed, np.ndarray) and seed.ndim == 1:
        seed = seed.tolist()
    if not isinstance(seed, (list, tuple)):
        return None if seed is None else Game.checked_seed(seed)
    if len(seed) != num_envs:
        raise ValueError(f"seed is a list of {len(seed)}, but there are {num_envs} environments, each of which has one")
    return [None if each is None else Game.checked_seed(each) for each in seed]


def start_seeds(b: batch.Batch, seed: int | Sequence[int | None] | None, seeded: bool) -> None:
    """Set the seeds of the first games, or go on to the next games."""
    if isinstance(seed, Sequence):
        for env, each in enumerate(seed):
            if each is None and seeded:
                b.episode[env] += 1
            else:
                b.seed[env], b.episode[env] = np.uint64(Game.checked_seed(each)), 0
        return
    if seed is None and seeded:
        b.episode[:] += 1
        return
    start = np.uint64(Game.checked_seed(seed))
    b.seed[:] = np.arange(b.seed.shape[0], dtype=np.uint64) + start  # wraps around at 2**64
    b.episode[:] = 0


def state_of(b: batch.Batch, games: Sequence[Game], env: int) -> State:
    """Return a copy of the state of one game of a batch."""
    env = checked_int("env", env, 0, b.states.shape[0] - 1)
    return State._from_record_bytes(games[int(b.config[env])], b.states[env : env + 1].tobytes())


_SAVED = ("words", "seed", "episode", "paid", "decisions")


def saved_arrays(b: batch.Batch) -> list[bytes]:
    """Return the arrays that determine the rest."""
    return [getattr(b, name).tobytes() for name in _SAVED]


def refuse_impossible_games(games: Sequence[Game], words: bytes) -> None:
    """Raise ValueError unless the bytes of a batch's states are possible ones."""
    size = games[0].spec.state_dtype.itemsize
    for env, at in enumerate(range(0, len(words), size)):
        refuse_impossible(games[env % len(games)], words[at : at + size])


def restore_arrays(b: batch.Batch, parts: Sequence[bytes]) -> None:
    """Undo `saved_arrays`; what the last step returned is cleared."""
    for name, part in zip(_SAVED, parts):
        array = getattr(b, name)
        array[:] = np.frombuffer(part, array.dtype).reshape(array.shape)
    b.rewards[:], b.terminated[:], b.illegal[:] = 0.0, False, False


__all__ = ["NorthmenVector", "make_vector"]
