"""Trajectories are what a plain loop over the same games finds, seat by seat; so are their advantages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import northmen_env as nm
from northmen_env.engine.game import Game
from northmen_env.envs.trajectories import Assembler, Rollout
from northmen_env.envs.vector import make_vector
from tiny import ask, coin

GAMES: dict[str, Game] = {
    **{f"coin-{n}": Game(coin.GAME, num_players=n) for n in (2, 3, 4)},
    **{f"ask-{n}": Game(ask.GAME, num_players=n, dense=True) for n in (2, 3)},
    "saga-3": nm.load("saga", num_players=3, dense=True),
    "blood-5": nm.load("blood", num_players=5, dense=True),
}
ENVS, STEPS = 3, 70


def played(game: Game, rollouts: int, illegal_at: int | None = None) -> tuple[list[Rollout], list[dict[str, Any]]]:
    """Return rollouts, and every step as a plain record of what went into them."""
    envs, rng = make_vector(game, ENVS), np.random.default_rng(5)
    assembler, steps, taken = Assembler(envs, STEPS), [], []
    observation, info = envs.reset(seed=11)
    for _ in range(rollouts):
        while not assembler.full:
            mask = observation["action_mask"]
            actions = (rng.random(mask.shape) * mask).argmax(axis=1)
            if len(steps) == illegal_at:
                actions[1] = mask[1].argmin()
            log_probs, values = rng.random(ENVS).astype(np.float32), rng.normal(size=ENVS).astype(np.float32)
            seen = {"observation": observation["observation"].copy(), "mask": mask.copy()}
            step = {**seen, "player": info["player"].copy(), "action": actions, "log_prob": log_probs, "value": values}
            assembler.decided(observation, info, actions, log_probs, values)
            observation, rewards, terminated, _, info = envs.step(actions)
            assembler.paid(rewards, terminated)
            steps.append({**step, "rewards": rewards.copy(), "terminated": terminated.copy()})
        taken.append(assembler.take())
    return taken, steps


def by_seat(game: Game, steps: list[dict[str, Any]]) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the decisions of each (env, seat), by a slow loop over games and seats."""
    found: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for env in range(ENVS):
        for seat in range(game.num_players):
            rows: list[dict[str, Any]] = []
            early, begun = 0.0, False
            for step in steps:
                if step["player"][env] == seat:
                    own = {key: step[key][env] for key in ("observation", "mask", "action", "log_prob", "value")}
                    rows.append({**own, "reward": early, "done": False})
                    early, begun = 0.0, True
                if begun:
                    rows[-1]["reward"] += step["rewards"][env, seat]
                else:
                    early += step["rewards"][env, seat]
                if step["terminated"][env]:
                    if begun:
                        rows[-1]["done"] = True
                    early, begun = 0.0, False
            found[env, seat] = rows
    return found


def slow_advantages(rows: list[dict[str, Any]], last: int, gamma: float, lam: float) -> list[float]:
    """Return the estimates of the first `last` decisions, by the recursion as it is written in the paper."""
    found, following = [0.0] * last, 0.0
    for t in reversed(range(last)):
        value = float(rows[t]["value"])
        if rows[t]["done"]:
            following = rows[t]["reward"] - value
        else:
            delta = rows[t]["reward"] + gamma * float(rows[t + 1]["value"]) - value
            following = delta + gamma * lam * following
        found[t] = following
    return found


@pytest.mark.parametrize("name", GAMES)
def test_each_seat_has_its_own_trajectory(name: str) -> None:
    game = GAMES[name]
    rollouts, steps = played(game, 3, illegal_at=20)
    expected = by_seat(game, steps)
    for (env, seat), rows in expected.items():
        at = 0
        for rollout in rollouts:
            own = np.flatnonzero((rollout.env == env) & (rollout.seat == seat))
            for i in own.tolist():
                row = rows[at]
                assert np.array_equal(rollout.observation[i], row["observation"])
                assert np.array_equal(rollout.action_mask[i], row["mask"])
                assert rollout.action[i] == row["action"] and rollout.log_prob[i] == row["log_prob"]
                assert rollout.reward[i] == pytest.approx(row["reward"], abs=1e-12)
                assert rollout.done[i] == row["done"]
                after = None if row["done"] else rows[at + 1]
                assert rollout.next_value[i] == (after["value"] if after else 0.0)
                sees = after["observation"] if after else np.zeros_like(row["observation"])
                assert np.array_equal(rollout.next_observation[i], sees)
                at += 1
        assert at in (len(rows), len(rows) - 1), "at most the last decision is still open"
    assert any(rollout.done.any() for rollout in rollouts) or name == "blood-5"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0)])
def test_advantages_are_those_of_a_slow_loop(name: str, gamma: float, lam: float) -> None:
    game = GAMES[name]
    rollouts, steps = played(game, 2)
    expected = by_seat(game, steps)
    starts = dict.fromkeys(expected, 0)
    for rollout in rollouts:
        found = rollout.advantages(gamma, lam)
        for key, rows in expected.items():
            own = np.flatnonzero((rollout.env == key[0]) & (rollout.seat == key[1]))
            part = rows[starts[key] :]
            assert found[own] == pytest.approx(slow_advantages(part, len(own), gamma, lam), abs=1e-9)
            starts[key] += len(own)


def test_an_assembler_says_what_was_called_out_of_turn() -> None:
    game = GAMES["coin-2"]
    envs = make_vector(game, 2)
    assembler = Assembler(envs, 1)
    observation, info = envs.reset(seed=1)
    with pytest.raises(RuntimeError, match="call decided"):
        assembler.paid(np.zeros((2, 4)), np.zeros(2, np.bool_))
    assembler.decided(observation, info, np.zeros(2, np.int64))
    with pytest.raises(RuntimeError, match="call paid"):
        assembler.take()
    with pytest.raises(RuntimeError, match="before the next decided"):
        assembler.decided(observation, info, np.zeros(2, np.int64))
    assembler.paid(np.zeros((2, 4)), np.zeros(2, np.bool_))
    with pytest.raises(RuntimeError, match="has its 1 steps"):
        assembler.decided(observation, info, np.zeros(2, np.int64))
    assert len(assembler.take()) == 0
    for again in (lambda: envs.reset(seed=2), lambda: envs.set_state(envs.get_state())):
        again()
        with pytest.raises(RuntimeError, match=r"were reset or put back, .* call reset\(\) of the assembler"):
            assembler.decided(observation, info, np.zeros(2, np.int64))
        assembler.reset()
        assembler.decided(observation, info, np.zeros(2, np.int64))
        assembler.paid(np.zeros((2, 4)), np.zeros(2, np.bool_))
        assert assembler.full and len(assembler.take()) == 0
    with pytest.raises(TypeError, match="batched environment of all seats"):
        Assembler(make_vector(game, 2, seat=0), 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="with observations and masks"):
        Assembler(make_vector(game, 2, observe=False), 1)
