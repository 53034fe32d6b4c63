"""One game, five faces: the same actions give the same rewards, flags, observations and masks in all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from cases import Case, every_case, returns_after_illegal
from northmen_env.engine.game import Game
from northmen_env.engine.random import PURPOSE_AGENT, secret_seed
from northmen_env.engine.state import State
from northmen_env.envs.aec import NorthmenAEC
from northmen_env.envs.gym import NorthmenGym
from northmen_env.envs.vector import make_vector

SEED = 11


@dataclass
class Script:
    """A game as `State` plays it: who acted, what it saw, what it did."""

    seed: int
    players: list[int] = field(default_factory=list)
    observations: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    final: list[np.ndarray] = field(default_factory=list)  # each seat's last observation
    returns: list[float] = field(default_factory=list)


Choose = Callable[[State, np.random.Generator], int]


def random_choice(state: State, rng: np.random.Generator) -> int:
    """Return any legal action."""
    return int(rng.choice(state.legal_actions()))


def written(game: Game, choose: Choose, seed: int, illegal_at: int | None = None) -> Script:
    """Return the game of this seed that `choose` plays; its decision number `illegal_at` is an illegal action."""
    state, rng, script = game.new_initial_state(seed), np.random.default_rng(seed), Script(seed)
    while not state.is_terminal():
        script.players.append(state.current_player)
        script.observations.append(state.observation(state.current_player))
        script.masks.append(state.legal_action_mask())
        if illegal_at == len(script.actions):
            script.actions.append(int(script.masks[-1].argmin()))
            break
        script.actions.append(choose(state, rng))
        state.apply_action(script.actions[-1])
    script.final = [state.observation(p) for p in range(game.num_players)]
    script.returns = state.returns().tolist()
    if not state.is_terminal():
        script.returns = returns_after_illegal(game, script.players[-1])
    return script


def in_aec(game: Game, script: Script) -> list[list[float]]:
    """Play the script in the PettingZoo form; return, for each seat, the reward at each own decision and at the end."""
    env = NorthmenAEC(game)
    env.reset(seed=script.seed)
    rewards: list[list[float]] = [[] for _ in range(game.num_players)]
    for number, action in enumerate(script.actions):
        observation, reward, terminated, truncated, _ = env.last()
        assert env.agent_selection == f"player_{script.players[number]}"
        assert np.array_equal(observation["observation"], script.observations[number])
        assert np.array_equal(observation["action_mask"], script.masks[number])
        assert (terminated, truncated) == (False, False)
        rewards[script.players[number]].append(reward)
        env.step(action)
    for seat, agent in enumerate(env.agent_iter()):
        observation, reward, terminated, truncated, _ = env.last()
        assert agent == f"player_{seat}"
        assert np.array_equal(observation["observation"], script.final[seat])
        assert not observation["action_mask"].any()
        assert (terminated, truncated) == (True, False)
        rewards[seat].append(reward)
        env.step(None)
    return rewards


class FromScript:
    """An opponent that plays its own part of the script, and in later games the first legal action."""

    def __init__(self, script: Script, seat: int, seed: int) -> None:
        self.script = script
        rows = [row for row, player in enumerate(script.players) if player == seat]
        self.rows = rows if seed == secret_seed(np.uint64(script.seed), PURPOSE_AGENT, seat, 0) else []

    def act(self, observation: Any, info: Any) -> int:
        if not self.rows:
            return int(observation["action_mask"].argmax())
        row = self.rows.pop(0)
        assert np.array_equal(observation["observation"], self.script.observations[row])
        assert np.array_equal(observation["action_mask"], self.script.masks[row])
        return self.script.actions[row]


def in_gym(env: Any, script: Script, seat: int, vectored: bool) -> list[float]:
    """Play the seat's part of the script in the Gymnasium form, or in row 0 of its batched form; return the rewards."""
    observation, _ = env.reset(seed=script.seed)
    rewards, terminated = [], False
    for row, action in enumerate(script.actions):
        if script.players[row] != seat:
            continue
        now = {key: value[0] for key, value in observation.items()} if vectored else observation
        assert not terminated
        assert np.array_equal(now["observation"], script.observations[row])
        assert np.array_equal(now["action_mask"], script.masks[row])
        observation, reward, terminated, truncated, info = env.step([action] if vectored else action)
        assert not truncated
        rewards.append(float(np.ravel(reward)[0]))
    assert terminated
    final = info["final_obs"][0] if vectored else observation
    assert np.array_equal(final["observation"], script.final[seat])
    assert not final["action_mask"].any()
    return rewards


def in_vector(game: Game, script: Script) -> list[list[float]]:
    """Play the script in row 1 of the batched form of all seats; return what each seat was paid at each step."""
    env = make_vector(game, 3)
    observation, info = env.reset(seed=script.seed - 1)
    paid: list[list[float]] = []
    for row, action in enumerate(script.actions):
        assert info["player"][1] == script.players[row]
        assert np.array_equal(observation["observation"][1], script.observations[row])
        assert np.array_equal(observation["action_mask"][1], script.masks[row])
        actions = observation["action_mask"].argmax(axis=1)
        actions[1] = action
        observation, rewards, terminated, truncated, info = env.step(actions)
        assert terminated[1] == (row + 1 == len(script.actions))
        assert not truncated.any()
        paid.append(rewards[1][: game.num_players].tolist())
    assert np.array_equal(info["final_obs"][1], script.final[script.players[-1]])
    return paid


def check_faces(game: Game, script: Script) -> None:
    """Play the script in every face, with the learner in each seat that decides."""
    by_seat = in_aec(game, script)
    for seat in range(game.num_players):
        assert sum(by_seat[seat]) == pytest.approx(script.returns[seat])
    paid = in_vector(game, script)
    assert np.sum(paid, axis=0) == pytest.approx(script.returns)
    for seat in range(game.num_players):
        own = [row for row, player in enumerate(script.players) if player == seat]
        between = [sum(step[seat] for step in paid[a:b]) for a, b in zip([0, *own], [*own, len(paid)])]
        assert by_seat[seat] == pytest.approx(between)
        if not own:
            continue
        expected = [by_seat[seat][0] + by_seat[seat][1], *by_seat[seat][2:]]  # a reset returns no reward
        opponents = [lambda game, p, seed: FromScript(script, p, seed)] * (game.num_players - 1)
        single = NorthmenGym(game, seat=seat, opponents=opponents)
        assert in_gym(single, script, seat, vectored=False) == pytest.approx(expected)
        batched = make_vector(game, 1, seat=seat, opponents=opponents)
        assert in_gym(batched, script, seat, vectored=True) == pytest.approx(expected)


@every_case
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("illegal_at", [None, 3])
def test_all_faces_play_the_same_game(case: Case, dense: bool, illegal_at: int | None) -> None:
    game = case.game(dense=dense, history=2)
    check_faces(game, written(game, random_choice, SEED, illegal_at))


@every_case
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("opponents", ["random", "heuristic"])
def test_a_batch_of_learners_is_as_many_single_environments(case: Case, dense: bool, opponents: str) -> None:
    """Bit by bit, rewards included, through several games and illegal actions."""
    game, rng = case.game(dense=dense), np.random.default_rng(3)
    batch = make_vector(game, 4, seat="random", opponents=opponents, mask_in="both")
    singles = [NorthmenGym(game, seat="random", opponents=opponents, mask_in="both") for _ in range(4)]
    observation, info = batch.reset(seed=SEED)
    given = [env.reset(seed=SEED + i) for i, env in enumerate(singles)]
    for step in range(60):
        mask = observation["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        if step % 9 == 8:
            actions[step % 4] = mask[step % 4].argmin()
        for i in range(4):
            assert np.array_equal(observation["observation"][i], given[i][0]["observation"])
            assert np.array_equal(mask[i], given[i][0]["action_mask"])
            assert info["player"][i] == given[i][1]["player"]
        observation, rewards, terminated, truncated, info = batch.step(actions)
        for i, env in enumerate(singles):
            seen, reward, ended, cut, told = env.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, cut)
            given[i] = (seen, told)
            if ended:
                final = {key: value[i] for key, value in info["final_info"].items()}
                assert np.array_equal(info["final_obs"][i]["observation"], seen["observation"])
                assert np.array_equal(final["returns"][: game.num_players], told["returns"])
                assert np.array_equal(final["scores"][: game.num_players], told["scores"])
                assert (final["player"], final["decisions"]) == (told["player"], told["decisions"])
                assert final["illegal_action"] == told.get("illegal_action", False)
                given[i] = env.reset()
