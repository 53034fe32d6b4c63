"""What the checks are made of: legal random play, snapshots of an environment, and comparisons that say where."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

MOST_STEPS = 100_000


def mask_of(observation: Any, info: Mapping[str, Any]) -> np.ndarray | None:
    """Return the action mask of an observation or an info, None where the environment has none."""
    if isinstance(observation, Mapping) and "action_mask" in observation:
        return np.asarray(observation["action_mask"])
    return np.asarray(info["action_mask"]) if "action_mask" in info else None


def next_action(env: AECEnv, rng: np.random.Generator) -> Any:
    """Return a random legal action of the agent to act, None where it has terminated.

    Uniform over the action mask, or over its Discrete space where there is none.
    """
    observation, _, terminated, truncated, info = env.last()
    if terminated or truncated:
        return None
    mask = mask_of(observation, info)
    if mask is None:
        space = env.action_space(env.agent_selection)
        assert isinstance(space, spaces.Discrete), f"without an action mask only Discrete actions work, not {space}"
        return int(space.start + rng.integers(space.n))
    ids = np.flatnonzero(mask)
    assert ids.size > 0, f"{env.agent_selection} is to act and its action mask is all zero"
    return int(ids[rng.integers(ids.size)])


def play(env: AECEnv, rng: np.random.Generator, most: int = MOST_STEPS) -> list[Any]:
    """Play a game that has been reset to its end, or for `most` steps; return the actions."""
    actions: list[Any] = []
    while env.agents and len(actions) < most:
        actions.append(next_action(env, rng))
        env.step(actions[-1])
    assert len(actions) < MOST_STEPS, f"the game has not ended after {MOST_STEPS} steps"
    return actions


def snapshot(env: AECEnv) -> dict[str, Any]:
    """Return all that can be seen of an environment that has been reset, by value."""
    taken: dict[str, Any] = {"agents": list(env.agents)}
    for name in ("rewards", "terminations", "truncations", "infos"):
        taken[name] = by_value(getattr(env, name))
    taken["observations"] = {agent: by_value(env.observe(agent)) for agent in env.agents}
    if env.agents:
        taken["agent_selection"] = env.agent_selection
        taken["last"] = by_value(env.last())
    agents = getattr(env, "possible_agents", env.agents)
    taken["generators"] = [_generator(space) for agent in agents for space in _spaces(env, agent)]
    return taken


def _spaces(env: AECEnv, agent: Any) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    return env.observation_space(agent), env.action_space(agent)


def _generator(space: spaces.Space[Any]) -> Any:
    return None if space._np_random is None else space._np_random.bit_generator.state


def by_value(value: Any) -> Any:
    """Return a deep copy of nested dicts, lists, tuples and arrays."""
    if isinstance(value, Mapping):
        return {key: by_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(by_value(part) for part in value)
    return value.copy() if isinstance(value, np.ndarray) else value


def difference(first: Any, second: Any, path: str = "") -> str | None:
    """Return where two nested values differ, as a phrase; None where they are equal, types included."""
    here = path or "the value"
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        if set(first) != set(second):
            return f"{here} has the keys {sorted(map(str, first))} and {sorted(map(str, second))}"
        return _first(difference(first[key], second[key], f"{path}[{key!r}]") for key in first)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        if len(first) != len(second):
            return f"{here} has {len(first)} and {len(second)} entries"
        return _first(difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(first, second)))
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return _array_difference(np.asarray(first), np.asarray(second), here)
    return None if type(first) is type(second) and first == second else f"{here} is {first!r} and {second!r}"


def _first(found: Iterator[str | None]) -> str | None:
    return next((one for one in found if one is not None), None)


def _array_difference(first: np.ndarray, second: np.ndarray, here: str) -> str | None:
    if first.shape != second.shape or first.dtype != second.dtype:
        return f"{here} is {first.dtype} {first.shape} and {second.dtype} {second.shape}"
    if first.dtype == object:
        return difference(first.tolist(), second.tolist(), here)
    if np.array_equal(first, second):
        return None
    where = np.argwhere(np.atleast_1d(first != second))[0].tolist()
    at = tuple(where)
    return f"{here}{where} is {np.atleast_1d(first)[at]} and {np.atleast_1d(second)[at]}"


def arrays(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays in a nested value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from arrays(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from arrays(part)


def trace_digest(
    make: str | Callable[..., AECEnv],
    arguments: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    games: int = 2,
    moves: int = 0,
) -> str:
    """Return a SHA-256 over everything that random play shows: the same for the same environment and seed anywhere.

    Args:
        make: a function that returns an environment, or its place as `"module:function"`.
        arguments: keyword arguments for it.
        seed: of the first reset; later resets have no seed.
        games: number of games.
        moves: seed of the random moves.
    """
    counted(games=games)
    env = made(make, arguments)
    rng = np.random.default_rng(moves)
    digest = hashlib.sha256()
    for number in range(games):
        env.reset(seed=seed if number == 0 else None)
        while env.agents:
            action = next_action(env, rng)
            digest.update(_text(action, snapshot(env)).encode())
            env.step(action)
        digest.update(_text(snapshot(env)).encode())
    env.close()
    return digest.hexdigest()


def _text(*values: Any) -> str:
    return repr([_plain(value) for value in values])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    if isinstance(value, Mapping):
        return [(key, _plain(part)) for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


def made(make: str | Callable[..., AECEnv], arguments: Mapping[str, Any] | None = None) -> AECEnv:
    """Return a new environment.

    Raises:
        TypeError: `make` is no function and no place of one, or what it returns is no AEC environment.
        ValueError: there is no such place.
    """
    if isinstance(make, str):
        make = _placed(make)
    if not callable(make):
        raise TypeError(f"give a function that makes the environment, as lambda: make_my_env(), not {make!r}")
    env = make(**(arguments or {}))
    missing = [name for name in ("reset", "step", "last", "observe") if not hasattr(env, name)]
    if missing:
        raise TypeError(
            f"make returned {env!r}, which is no PettingZoo AEC environment: it has no {missing[0]} (parallel "
            "ones can be turned by pettingzoo.utils.parallel_to_aec)"
        )
    return env


def _placed(place: str) -> Any:
    module, colon, name = place.partition(":")
    if not colon:
        raise ValueError(f'the place of a function is written "module:function", not {place!r}')
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"there is no function {place!r}: {error}") from error


def counted(**counts: Any) -> None:
    """Raise ValueError or TypeError unless each of these is an integer from 1 on: less would check nothing."""
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise TypeError(f"{name} is a number of them, 1 or more, not {count!r}")
        if count < 1:
            raise ValueError(f"{name}={count} would check nothing; give 1 or more")
