"""Checks that need nothing but a PettingZoo AEC environment, whoever wrote it.

`make` is a function without arguments that returns a new environment, or its place as
`"module:function"`. Play is uniformly random over the action masks.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from gymnasium.error import Error
from pettingzoo import AECEnv

from northmen_env.testing.traces import (
    arrays,
    counted,
    difference,
    made,
    mask_of,
    next_action,
    play,
    snapshot,
    trace_digest,
)

Make = str | Callable[[], AECEnv]
REFUSALS = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, Error)
"""What an environment may raise to refuse an action."""


def check_spaces(make: Make, *, games: int = 2, seed: int = 0) -> None:
    """Each agent has space objects of its own that stay the same, and whatever it observes at any time lies in them."""
    counted(games=games)
    env, rng = made(make), np.random.default_rng(seed)
    kept = {agent: (env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents}
    everything = [space for pair in kept.values() for space in pair]
    assert len({id(space) for space in everything}) == len(everything), (
        "two agents share a space object, so seeding the one's seeds the other's"
    )
    for number in range(games):
        env.reset(seed=seed if number == 0 else None)
        ply = 0
        while env.agents:
            where = f"at step {ply} of game {number} from seed {seed}"
            for agent in env.agents:
                observing, acting = kept[agent]
                assert env.observation_space(agent) is observing and env.action_space(agent) is acting, (
                    f"{where} a space of {agent} is another object, so its seed and its random state are lost"
                )
                seen = env.observe(agent)
                assert observing.contains(seen), f"{where} {agent} observes what is outside of its space: {seen!r}"
            env.step(next_action(env, rng))
            ply += 1
    env.close()


def check_masks(make: Make, *, games: int = 1, seed: int = 0, positions: int = 10, outside: int = 200) -> None:
    """The mask of the agent to act offers exactly the actions that are accepted, and everybody else's is all zero.

    An action is refused where `step` raises, where nothing that can be seen has changed, or where
    `infos[agent]["illegal_action"]` is true. An action outside the mask also counts as refused where it ends the game
    for all and the agent that chose it is paid less than every other one.

    Args:
        make: makes an environment.
        games, seed: how much is played, from where.
        positions: how many positions of each game are tried with each action, on replays.
        outside: how many actions outside the mask are tried at each; where there are more, they are drawn at random.
    """
    counted(games=games, positions=positions, outside=outside)
    for number in range(games):
        env, rng = _replayed(make, seed + number, ()), np.random.default_rng(seed + number)
        played: list[Any] = []
        while env.agents:
            _check_other_masks(env, f"after {len(played)} steps from seed {seed + number}")
            played.append(next_action(env, rng))
            env.step(played[-1])
        env.close()
        alive = [ply for ply, action in enumerate(played) if action is not None]
        for ply in alive[:: max(1, len(alive) // positions)][:positions]:
            _check_mask_at(make, seed + number, played[:ply], outside)


def _check_other_masks(env: AECEnv, where: str) -> None:
    ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    for agent in env.agents:
        mask = mask_of(env.observe(agent), env.infos[agent])
        assert mask is None or not mask.any() or (agent == env.agent_selection and not ended), (
            f"{where} {agent} is not to act and its action mask is not all zero: it shows somebody else's legal "
            "actions, or offers moves where there are none"
        )


def _check_mask_at(make: Make, seed: int, played: Sequence[Any], outside: int) -> None:
    env = _replayed(make, seed, played)
    observation, _, _, _, info = env.last()
    mask = mask_of(observation, info)
    assert mask is not None, "check_masks needs an action mask in the observation or in the info"
    before = snapshot(env)
    env.close()
    not_offered = np.flatnonzero(np.asarray(mask) == 0)
    drawn = np.random.default_rng([seed, len(played)]).permutation(not_offered)[:outside]
    for action in [*np.flatnonzero(mask).tolist(), *sorted(drawn.tolist())]:
        offered = bool(mask[action])
        env = _replayed(make, seed, played)
        agent = env.agent_selection
        refused = _is_refused(env, action, before)
        if not refused and not offered:
            refused = _is_beaten(env, agent)
        env.close()
        assert refused != offered, f"after {len(played)} steps from seed {seed} the mask of {agent} " + (
            f"offers action {action}, which step refuses" if offered else f"leaves out {action}, which step accepts"
        )


def _is_refused(env: AECEnv, action: int, before: dict[str, Any]) -> bool:
    agent = env.agent_selection
    try:
        env.step(action)
    except REFUSALS:
        return True
    return bool(env.infos.get(agent, {}).get("illegal_action")) or difference(before, snapshot(env)) is None


def _is_beaten(env: AECEnv, agent: Any) -> bool:
    ended = all(env.terminations[other] or env.truncations[other] for other in env.agents)
    return ended and all(env.rewards[agent] < env.rewards[other] for other in env.agents if other != agent)


def _replayed(make: Make, seed: int, played: Sequence[Any]) -> AECEnv:
    env = made(make)
    env.reset(seed=seed)
    for action in played:
        env.step(action)
    return env


# -- rewards, the end, the arrays ------------------------------------------------------------------------------------


def check_reward_sums(
    make: Make, *, returns: Callable[[AECEnv], Sequence[float]] | None = None, games: int = 5, seed: int = 0
) -> None:
    """For each agent the rewards that `last` reports add up to those that `step` paid, and to its return where given.

    `returns(env)` is called when a game has ended for all, and gives a number for each possible agent.
    """
    counted(games=games)
    env, rng = made(make), np.random.default_rng(seed)
    for number in range(games):
        env.reset(seed=seed if number == 0 else None)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        reported = dict.fromkeys(env.possible_agents, 0.0)
        expected: Sequence[float] | None = None
        while env.agents:
            if returns is not None and expected is None and all(map(_over(env), env.agents)):
                expected = [float(value) for value in returns(env)]
            reported[env.agent_selection] += float(env.last(observe=False)[1])
            env.step(next_action(env, rng))
            for agent, reward in env.rewards.items():
                paid[agent] += float(reward)
        for i, agent in enumerate(env.possible_agents):
            assert abs(paid[agent] - reported[agent]) < 1e-9, (
                f"in game {number} from seed {seed} step paid {agent} {paid[agent]}, last reported {reported[agent]}"
            )
            assert expected is None or abs(paid[agent] - expected[i]) < 1e-9, (
                f"in game {number} from seed {seed} {agent} was paid {paid[agent]}, but its return is {expected[i]}"
            )
    env.close()


def _over(env: AECEnv) -> Callable[[Any], bool]:
    return lambda agent: bool(env.terminations[agent] or env.truncations[agent])


def check_dead_steps(make: Make, *, games: int = 3, seed: int = 0) -> None:
    """Each agent that has ended is selected once more, accepts None and nothing else, and the last one leaves nobody.

    An agent that has not ended accepts no None, and exactly one of its flags is set at the end.
    """
    counted(games=games)
    env, rng = made(make), np.random.default_rng(seed)
    for number in range(games):
        where = f"in game {number} from seed {seed}"
        env.reset(seed=seed if number == 0 else None)
        left: list[Any] = []
        while env.agents:
            agent, action = env.agent_selection, next_action(env, rng)
            assert agent in env.agents, f"{where} {agent} is selected and not among the agents {env.agents}"
            before = snapshot(env)
            _check_refuses(env, 0 if action is None else None, f"{where} {agent}")
            found = difference(before, snapshot(env))
            assert found is None, f"{where} a step that {agent} may not take changed the environment: {found}"
            if action is None:
                left.append(agent)
                assert env.terminations[agent] != env.truncations[agent], (
                    f"{where} {agent} is both, or neither, at its end"
                )
            env.step(action)
            assert action is not None or agent not in env.agents, f"{where} {agent} has ended and does not leave"
        assert sorted(left) == sorted(env.possible_agents), f"{where} these agents left, in this order: {left}"
    env.close()


def _check_refuses(env: AECEnv, action: Any, who: str) -> None:
    try:
        env.step(action)
    except REFUSALS:
        return
    raise AssertionError(f"{who} {'is to act' if action is None else 'has ended'}, and step({action}) is accepted")


def check_aliasing(make: Make, *, games: int = 2, seed: int = 0) -> None:
    """Arrays that are handed out are fresh: none shares memory with another, and writing into them changes nothing."""
    counted(games=games)
    plain, spoiled = made(make), made(make)
    rng = np.random.default_rng(seed)
    for number in range(games):
        plain.reset(seed=seed if number == 0 else None)
        spoiled.reset(seed=seed if number == 0 else None)
        kept: list[np.ndarray] = []
        ply = 0
        while plain.agents:
            where = f"at step {ply} of game {number} from seed {seed}"
            found = difference(snapshot(plain), snapshot(spoiled))
            assert found is None, f"{where} an array that was written into is still in use: {found}"
            handed = [array for each in _handed_out(spoiled) for array in arrays(each)]
            for i, array in enumerate(handed):
                assert not any(np.shares_memory(array, other) for other in (*handed[:i], *kept)), (
                    f"{where} an array shares memory with one that was handed out before"
                )
            kept = handed
            action = next_action(plain, rng)
            for array in handed:
                if array.flags.writeable:
                    array[...] = 1 - array
            plain.step(action)
            spoiled.step(action)
            ply += 1
    plain.close()
    spoiled.close()


def _handed_out(env: AECEnv) -> list[Any]:
    return [env.last()[0], env.last()[0], *(env.observe(agent) for agent in env.agents)]


# -- copies and other processes --------------------------------------------------------------------------------------


def check_determinism(
    make: str | Callable[..., AECEnv],
    arguments: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    games: int = 2,
    chance: bool = True,
    hash_seeds: Sequence[str] = ("0", "random"),
) -> None:
    """The same seed shows the same, next games included, and the global random generators are neither read nor moved.

    Args:
        make: a function that returns an environment. As `"module:function"` it is also run in other processes, one for
            each value of PYTHONHASHSEED in `hash_seeds`.
        arguments: keyword arguments for it.
        seed, games: how much is played, from where.
        chance: whether there is chance for a seed to decide; without it other seeds may give the same games.
        hash_seeds: see `make`.
    """
    counted(games=games)
    before = _global_states()
    first = trace_digest(make, arguments, seed=seed, games=games)
    assert _global_states() == before, "the environment draws from a global random generator, or seeds it"
    random.random()
    vars(np.random)["random"]()
    assert trace_digest(make, arguments, seed=seed, games=games) == first, (
        f"two environments that are reset with seed {seed} and get the same actions show different things"
    )
    others = {trace_digest(make, arguments, seed=seed + k, games=games) for k in range(1, 6 if chance else 1)}
    assert others != {first}, (
        f"the seeds {seed} to {seed + 5} give the same games: the seed is ignored, or there is no chance to decide "
        "(then say chance=False)"
    )
    for value in hash_seeds if isinstance(make, str) else ():
        code = (
            "import json, sys; from northmen_env.testing import trace_digest; a = json.loads(sys.argv[1]); "
            "print(trace_digest(a[0], a[1], seed=a[2], games=a[3]))"
        )
        told = json.dumps([make, dict(arguments or {}), seed, games])
        environment = {**os.environ, "PYTHONHASHSEED": value, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run([sys.executable, "-c", code, told], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"another process could not play {make}: {done.stderr}"
        assert done.stdout.split()[-1] == first, f"another process (PYTHONHASHSEED={value}) shows different things"


def _global_states() -> tuple[Any, ...]:
    return random.getstate(), repr(vars(np.random)["get_state"]())


def check_copy(
    make: Make,
    *,
    ways: Mapping[str, Callable[[AECEnv], AECEnv]] | None = None,
    games: int = 1,
    seed: int = 0,
    stride: int = 1,
) -> None:
    """A copy made at any point shows and does what the original does, and neither disturbs the other.

    Args:
        make: makes an environment.
        ways: how to copy, by name. By default `copy.deepcopy` and `pickle`, and `get_state` with `set_state` where
            there are such methods.
        games, seed: how much is played, from where.
        stride: copies are made before the reset, at every `stride`-th step, those of agents that have ended included,
            and at the end; each is played on to the end and into the next game.
    """
    counted(games=games, stride=stride)
    ways = _usual_ways(make) if ways is None else ways
    for number in range(games):
        env, rng = made(make), np.random.default_rng(seed + number)
        for i, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(seed + i)
            env.observation_space(agent).seed(seed + i)
        copies = []
        for name, way in ways.items():
            with _told(f"the copy by {name} before the first reset"):
                copies.append((name, 0, way(env)))
                copies[-1][2].reset(seed=seed + number)
        env.reset(seed=seed + number)
        shown: list[dict[str, Any]] = []
        actions: list[Any] = []
        while True:
            shown.append(snapshot(env))
            if len(actions) % stride == 0 or not env.agents:
                at = len(actions)
                for name, way in ways.items():
                    with _told(f"the copy by {name} at step {at} from seed {seed + number}"):
                        copies.append((name, at, _copied(name, way, env)))
            if not env.agents:
                break
            actions.append(next_action(env, rng))
            env.step(actions[-1])
        env.reset()
        shown.append(snapshot(env))
        for name, start, other in copies:
            what = f"the copy by {name} at step {start} from seed {seed + number}"
            with _told(what):
                _check_continuation(other, shown, actions, start, what)
        env.close()


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn an exception of an environment that was copied into a sentence."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(
            f"{what} cannot be made or played on ({type(error).__name__}: {error}). Environments with EzPickle "
            "keep their constructor's arguments and nothing of the game; name ways that work by ways={...}"
        ) from error


def _usual_ways(make: Make) -> dict[str, Callable[[AECEnv], AECEnv]]:
    ways: dict[str, Callable[[AECEnv], AECEnv]] = {
        "copy.deepcopy": copy.deepcopy,
        "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    }
    if hasattr(made(make), "get_state"):

        def through_bytes(env: Any) -> Any:
            other: Any = made(make)
            other.reset(seed=1)  # wrappers that enforce an order want it
            other.set_state(env.get_state())
            return other

        ways["get_state and set_state"] = through_bytes
    return ways


def _copied(name: str, way: Callable[[AECEnv], AECEnv], env: AECEnv) -> AECEnv:
    before = snapshot(env)
    other, played = way(env), way(env)
    play(played, np.random.default_rng(0), most=3)
    found = difference(before, snapshot(env))
    assert found is None, f"playing on in a copy by {name} changed the original: {found}"
    return other


def _check_continuation(env: AECEnv, shown: list[dict[str, Any]], actions: list[Any], start: int, what: str) -> None:
    for ply in range(start, len(actions) + 1):
        found = difference(shown[ply], snapshot(env))
        assert found is None, f"{what} differs from the original {ply - start} steps later: {found}"
        if ply < len(actions):
            env.step(actions[ply])
    env.reset()
    found = difference(shown[-1], snapshot(env))
    assert found is None, f"{what} goes on to another next game: {found}"
    env.close()
