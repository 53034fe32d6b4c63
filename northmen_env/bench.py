"""Measurements behind `northmen bench`: how fast a game is through each of its faces, on one thread.

All faces play the same uniformly random games wherever they can (seed 0, the sampler of `engine.playout`), so their
digests can be compared: `game.playouts(games, seed=0).digest` is what each of them has to print.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from northmen_env.engine import playout, verbs
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, below, draw, episode_seed, mix, stream
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State

SEED = 0
PLAYED_BEFORE = 20
"""Random decisions before the state that is cloned and resampled."""


@dataclass(frozen=True)
class Rate:
    """One throughput.

    Attributes:
        decisions, games: how many were made and played.
        seconds: that it took.
        digest: 16 hex digits over the final states, in order.
    """

    decisions: int
    games: int
    seconds: float
    digest: str

    @property
    def per_second(self) -> float:
        return self.decisions / self.seconds


class Played(NamedTuple):
    """What a runner did: decisions made, games finished, digest of the final states."""

    decisions: int
    games: int
    digest: str


Runner = Callable[[int], Played]
"""Plays that many games from the first on (the batched form: that many steps of the batch)."""


def measured(run: Runner, seconds: float) -> Rate:
    """Time `run` on as much as takes about `seconds`, after finding out how much that is."""
    run(1)  # compiled and in the caches of the processor
    amount, taken = 1, 0.0
    while taken < 0.2 * seconds:
        amount = max(2 * amount, int(amount * min(0.25 * seconds / max(taken, 1e-6), 50.0)))
        taken = _timed(run, amount).seconds
    return _timed(run, max(1, round(amount * seconds / taken)))


def _timed(run: Runner, amount: int) -> Rate:
    started = perf_counter()
    played = run(amount)
    return Rate(played.decisions, played.games, perf_counter() - started, played.digest)


# -- kernels -----------------------------------------------------------------------------------------------------------


def playouts(game: Game) -> Runner:
    """Random play inside one kernel, masks included."""

    def run(games: int) -> Played:
        played = game.playouts(games, seed=SEED)
        return Played(played.total_decisions, games, played.digest)

    return run


def suggested(game: Game) -> Runner:
    """The heuristic on every seat, inside one kernel."""

    def run(games: int) -> Played:
        _, states = new_buffer(game.spec.state_dtype)
        decisions, returns = np.zeros(games, np.int64), np.zeros((games, game.num_players))
        words = playout.state_words(states)
        key = playout.suggested_games(game.rules, states, words, 0, games, np.uint64(SEED), decisions, returns)
        return Played(int(decisions.sum()), games, f"{int(key):016x}")

    return run


def observed(game: Game) -> Runner:
    """Random play inside one kernel, the acting seat's observation written at each decision."""

    def run(games: int) -> Played:
        _, states = new_buffer(game.spec.state_dtype)
        decisions, out = np.zeros(games, np.int64), np.zeros(game.observation_size, np.float32)
        ids, words = np.zeros(game.max_legal, np.int16), playout.state_words(states)
        key = playout.observed_games(game.rules, states, words, 0, games, np.uint64(SEED), ids, out, decisions)
        return Played(int(decisions.sum()), games, f"{int(key):016x}")

    return run


@kernel
def picked(mask: np.ndarray, key: Any, number: int) -> int:
    """Return decision number `number` of the documented sampler: an action with a 1 in the int8 `mask`."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action])
    left = below(draw(key, number), count)
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return -1


@kernel
def resample_many(rules: np.ndarray, states: np.ndarray, player: int, count: int) -> None:
    """Resample `states[0]` into `states[1]` `count` times."""
    for i in range(count):
        states[1] = states[0]
        verbs.resample(rules[0], states[1], player, stream(i, PURPOSE_RESAMPLE, player, 0))


# -- faces -------------------------------------------------------------------------------------------------------------


class Digest:
    """The digest of `Game.playouts`, state by state."""

    def __init__(self) -> None:
        self._key = mix(0, 0)

    def add(self, state: State) -> None:
        """Take in a final state."""
        self._key = mix(self._key, int(state.fingerprint(), 16))

    def __str__(self) -> str:
        return f"{self._key:016x}"


def sampler_keys(games: int) -> Iterator[tuple[int, Any]]:
    """Yield the seed of each game and the key of its sampler."""
    for number in range(games):
        seed = int(episode_seed(np.uint64(SEED), number))
        yield seed, np.uint64(stream(np.uint64(seed), PURPOSE_SAMPLER, 0, 0))


def stepped_states(game: Game) -> Runner:
    """The `State` face: `legal_actions` and `apply_action`."""

    def run(games: int) -> Played:
        digest, total = Digest(), 0
        for seed, key in sampler_keys(games):
            state = game.new_initial_state(seed=seed)
            made = 0
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[below(draw(key, made), len(legal))])
                made += 1
            total += made
            digest.add(state)
        return Played(total, games, str(digest))

    return run


def stepped_aec(game: Game) -> Runner:
    """PettingZoo's loop: `agent_iter`, `last`, `step`."""
    from northmen_env.envs.aec import NorthmenAEC

    env = NorthmenAEC(game)

    def run(games: int) -> Played:
        digest, total = Digest(), 0
        for seed, key in sampler_keys(games):
            env.reset(seed=seed)
            made = 0
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(picked(observation["action_mask"], key, made))
                    made += 1
            total += made
            digest.add(env.game_state())
        return Played(total, games, str(digest))

    return run


def stepped_gym(game: Game) -> Runner:
    """Gymnasium's loop, a learner on a random seat against random opponents; its own decisions count."""
    from northmen_env.envs.gym import NorthmenGym

    env = NorthmenGym(game, seat="random", opponents="random")

    def run(games: int) -> Played:
        digest, total = Digest(), 0
        for seed, key in sampler_keys(games):
            observation, _ = env.reset(seed=seed)
            made, terminated = 0, False
            while not terminated:
                observation, _, terminated, _, _ = env.step(picked(observation["action_mask"], key, made))
                made += 1
            total += made
            digest.add(env.game_state())
        return Played(total, games, str(digest))

    return run


NUM_ENVS = 1024


@kernel
def pick_actions(ids: np.ndarray, counts: np.ndarray, number: int, actions: np.ndarray) -> None:
    """Choose a legal action for each game."""
    key = stream(SEED, PURPOSE_SAMPLER, 2, number)
    for i in range(actions.shape[0]):
        actions[i] = ids[i, below(draw(key, i), counts[i])]


def stepped_vector(game: Game) -> Runner:
    """The batched form: 1,024 games, all seats, one thread; the digest is that of the states after the last step."""
    from northmen_env.envs.vector import NorthmenVector

    env = NorthmenVector(game, NUM_ENVS, legal="both")
    actions = np.zeros(NUM_ENVS, np.int64)

    def run(steps: int) -> Played:
        observation, _ = env.reset(seed=SEED)
        ended = 0
        for number in range(steps):
            pick_actions(observation["legal_ids"], observation["legal_count"], number, actions)
            observation, _, terminated, _, _ = env.step(actions)
            ended += int(np.count_nonzero(terminated))
        digest = Digest()
        for number in range(NUM_ENVS):
            digest.add(env.game_state(number))
        return Played(steps * NUM_ENVS, ended, str(digest))

    return run


# -- single calls ------------------------------------------------------------------------------------------------------


def some_state(game: Game) -> State:
    """Return a state in the middle of a random game."""
    _, key = next(sampler_keys(1))
    state = game.new_initial_state(seed=SEED)
    for number in range(PLAYED_BEFORE):
        legal = state.legal_actions()
        state.apply_action(legal[int(below(draw(key, number), len(legal)))])
        if state.is_terminal():
            return game.new_initial_state(seed=SEED)
    return state


def microseconds(call: Callable[[int], Any], seconds: float) -> float:
    """Return the median time of one call over eleven blocks of calls that take about `seconds` together."""
    call(0)
    started = perf_counter()
    count = 0
    while perf_counter() - started < seconds / 20:
        call(count)
        count += 1
    blocks = []
    for _ in range(11):
        started = perf_counter()
        for number in range(count):
            call(number)
        blocks.append((perf_counter() - started) / count)
    return 1e6 * statistics.median(blocks)


def clone_us(game: Game, seconds: float) -> float:
    """Return the microseconds of `State.clone`."""
    state = some_state(game)
    return microseconds(lambda _: state.clone(), seconds)


def resample_us(game: Game, seconds: float) -> float:
    """Return the microseconds of `State.resample`, from Python."""
    state = some_state(game)
    player = state.current_player
    return microseconds(lambda number: state.resample(player, number), seconds)


def resample_kernel_us(game: Game, seconds: float) -> float:
    """Return the microseconds of copying a state and resampling the copy, inside a kernel."""
    state = some_state(game)
    states = np.zeros(2, game.spec.state_dtype)
    states[:1].view(np.uint8)[:] = state.array.view(np.uint8)
    calls = 1000
    player = state.current_player
    return microseconds(lambda _: resample_many(game.rules, states, player, calls), seconds) / calls


# -- new processes -----------------------------------------------------------------------------------------------------

_IMPORT = "import time; t = time.perf_counter(); import northmen_env; print(time.perf_counter() - t)"

_FIRST_GAME = """
import sys, northmen_env as nm
game, players = sys.argv[1], int(sys.argv[2])
env = nm.make(game, num_players=players)
env.reset(seed=0)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
"""


def import_s() -> float:
    """Return the seconds of `import northmen_env` in a new process (median of five)."""
    return statistics.median(float(_python(_IMPORT, {}).stdout) for _ in range(5))


def start_s(game: Game) -> tuple[float, float]:
    """Return the seconds from a new process to its first completed game, with an empty and with a filled cache."""
    with tempfile.TemporaryDirectory(prefix="northmen-bench-") as folder:
        cold = _first_game(game, folder)
        return cold, statistics.median(_first_game(game, folder) for _ in range(3))


def _first_game(game: Game, cache: str) -> float:
    started = perf_counter()
    _python(_FIRST_GAME, {"NORTHMEN_CACHE_DIR": cache}, game.name, str(game.num_players))
    return perf_counter() - started


def _python(code: str, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a new interpreter that finds the same packages."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


# -- all together ------------------------------------------------------------------------------------------------------

RATES: dict[str, tuple[str, Callable[[Game], Runner]]] = {
    "playout_decisions_per_s": ("random play in one kernel, masks included", playouts),
    "heuristic_decisions_per_s": ("the heuristic in one kernel", suggested),
    "observed_decisions_per_s": ("random play in one kernel, with observations", observed),
    "state_decisions_per_s": ("State: legal_actions + apply_action", stepped_states),
    "aec_decisions_per_s": ("PettingZoo AEC: agent_iter, last, step", stepped_aec),
    "gym_decisions_per_s": ("Gymnasium against random opponents, the learner's decisions", stepped_gym),
    "vector_decisions_per_s": (
        "1,024 games in a batch, observations and masks written (digest: of the last states)",
        stepped_vector,
    ),
}
TIMES: dict[str, tuple[str, Callable[[Game, float], float]]] = {
    "clone_us": ("State.clone", clone_us),
    "resample_us": ("State.resample, from Python", resample_us),
    "resample_kernel_us": ("copy + resample in a kernel", resample_kernel_us),
}


METRICS = (
    *RATES, *TIMES, "import_s", "cold_start_s", "warm_start_s", "mean_decisions_per_game", "state_bytes",
    "observation_floats",
)  # fmt: skip


def empty_report(game: Game) -> dict[str, Any]:
    """Return a report without measurements: `{"game", "players", "version", "machine", "threads", "metrics"}`.

    The metrics are there by name and None; a metric that is not measured stays so.
    """
    return {
        "game": game.name,
        "players": game.num_players,
        "version": __version__,
        "machine": machine(),
        "threads": 1,
        "metrics": dict.fromkeys(METRICS),
    }


def measure(
    game: Game, seconds: float, metrics: dict[str, float | None], say: Callable[[str], None], *, starts: bool = True
) -> None:
    """Measure everything and put it into `metrics`, one after the other: what was measured before an error is there.

    Args:
        game: the configuration.
        seconds: roughly, for each throughput.
        metrics: of `empty_report`.
        say: receives a line for each result.
        starts: whether new processes are measured: import, cold and warm start.
    """
    for name, (about, runner) in RATES.items():
        rate = measured(runner(game), seconds)
        metrics[name] = rate.per_second
        say(f"{name:27} {rate.per_second:12,.0f}   {about}; {rate.games:,} games, digest {rate.digest}")
        if name == "playout_decisions_per_s":
            metrics["mean_decisions_per_game"] = rate.decisions / rate.games
    for name, (about, time) in TIMES.items():
        metrics[name] = time(game, min(seconds, 1.0))
        say(f"{name:27} {metrics[name]:12.3f}   {about}")
    if starts:
        metrics["import_s"] = import_s()
        say(f"{'import_s':27} {metrics['import_s']:12.3f}   import northmen_env")
        metrics["cold_start_s"], metrics["warm_start_s"] = start_s(game)
        say(f"{'cold_start_s':27} {metrics['cold_start_s']:12.3f}   new process to first completed game, empty cache")
        say(f"{'warm_start_s':27} {metrics['warm_start_s']:12.3f}   the same, filled cache")
    metrics["state_bytes"] = game.spec.state_dtype.itemsize
    metrics["observation_floats"] = game.observation_size
    for name in ("mean_decisions_per_game", "state_bytes", "observation_floats"):
        say(f"{name:27} {metrics[name]:12,.1f}")


def report(game: Game, seconds: float, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure everything and return the report."""
    found = empty_report(game)
    measure(game, seconds, found["metrics"], say)
    return found


def machine() -> str:
    """Return what the figures were measured on, in a line."""
    import numba

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numba {numba.__version__}, NumPy {np.__version__}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
