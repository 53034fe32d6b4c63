"""The batched forms, over every game and player count."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import northmen_env as nm
from cases import SEATS, TINY, Case, every_seat_count, returns_after_illegal
from northmen_env.engine.random import episode_seed
from northmen_env.envs.opponents import random_agent
from northmen_env.envs.vector import NorthmenVector, make_vector
from northmen_env.testing.traces import by_value, difference

MIXED = [{"num_players": 2}, {"num_players": 3, "dense": True}, {"num_players": 4}]


def random_actions(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random legal action for each row."""
    assert mask.any(axis=1).all()
    return (rng.random(mask.shape) * mask).argmax(axis=1)


# -- all seats ---------------------------------------------------------------------------------------------------------


@every_seat_count
def test_a_game_that_ends_is_replaced_and_told_about(case: Case) -> None:
    game = case.game(history=1)
    env, rng = make_vector(game, 7, legal="both"), np.random.default_rng(0)
    assert isinstance(env, NorthmenVector)
    observation, info = env.reset(seed=2**64 - 3)
    paid, made, ended = np.zeros((7, game.seats)), np.zeros(7, int), np.zeros(7, int)
    while ended.min() < 3:
        before = [env.game_state(i) for i in range(7)]
        actions = random_actions(observation["action_mask"], rng)
        observation, rewards, terminated, truncated, info = env.step(actions)
        paid += rewards
        made += 1
        assert not truncated.any()
        for i, state in enumerate(before):
            player = state.current_player
            state.apply_action(int(actions[i]))
            assert terminated[i] == info["_final_obs"][i] == state.is_terminal()
            if terminated[i]:
                final = info["final_info"]
                seed = int(episode_seed(np.uint64((2**64 - 3 + i) % 2**64), int(ended[i])))
                assert (final["player"][i], final["decisions"][i], int(final["seed"][i])) == (player, made[i], seed)
                assert np.array_equal(final["returns"][i][: game.num_players], state.returns())
                assert np.array_equal(final["scores"][i][: game.num_players], state.scores())
                assert paid[i] == pytest.approx(final["returns"][i])
                assert not final["illegal_action"][i]
                assert np.array_equal(info["final_obs"][i], state.observation(player))
                ended[i] += 1
                paid[i], made[i] = 0.0, 0
                seed = int(episode_seed(np.uint64((2**64 - 3 + i) % 2**64), int(ended[i])))
                state = game.new_initial_state(seed)
            assert env.game_state(i) == state
            assert info["player"][i] == state.current_player
            assert np.array_equal(observation["observation"][i], state.observation(state.current_player))
            assert np.array_equal(observation["action_mask"][i], state.legal_action_mask())
            count = observation["legal_count"][i]
            assert observation["legal_ids"][i][:count].tolist() == state.legal_actions()
            assert (observation["legal_ids"][i][count:] == -1).all()


@every_seat_count
@pytest.mark.parametrize("dense", [False, True])
def test_an_illegal_action_ends_its_game_and_no_other(case: Case, dense: bool) -> None:
    game = case.game(dense=dense)
    env, rng = make_vector(game, 4), np.random.default_rng(1)
    observation, info = env.reset(seed=3)
    paid = np.zeros((4, game.seats))
    for _ in range(2):
        observation, rewards, _, _, info = env.step(random_actions(observation["action_mask"], rng))
        paid += rewards
    players, states = info["player"].copy(), [env.game_state(i) for i in range(4)]
    actions = random_actions(observation["action_mask"], rng)
    actions[2] = observation["action_mask"][2].argmin()
    _, rewards, terminated, truncated, info = env.step(actions)
    assert terminated.tolist() == [False, False, True, False]
    assert not truncated.any()
    paid += rewards
    assert paid[2][: game.num_players] == pytest.approx(returns_after_illegal(game, int(players[2])))
    assert info["final_info"]["returns"][2] == pytest.approx(paid[2])
    assert info["final_info"]["illegal_action"].tolist() == [False, False, True, False]
    assert np.array_equal(info["final_obs"][2], states[2].observation(int(players[2])))


@pytest.mark.parametrize("name", sorted({case.name for case in SEATS}))
def test_configurations_are_mixed_and_threads_change_nothing(name: str) -> None:
    first = next(case for case in SEATS if case.name == name).game()
    envs = [make_vector(first, 11, configurations=MIXED, num_threads=threads) for threads in (1, 2, 5)]
    rngs = [np.random.default_rng(0) for _ in envs]
    shown = [by_value(env.reset(seed=1)) for env in envs]
    for _ in range(300):
        for k, env in enumerate(envs):
            shown[k] = by_value(env.step(random_actions(shown[k][0]["action_mask"], rngs[k])))
        assert difference(shown[0], shown[1]) is None
        assert difference(shown[0], shown[2]) is None
    rewards = shown[0][1]
    assert (rewards[0::3, 2:] == 0).all()
    counts = [env.num_players for env in envs[0].games]
    assert counts == [2, 3, 4]
    for i in range(11):
        assert envs[0].game_state(i).game.num_players == counts[i % 3]
    envs[1].close()


def test_buffers_are_the_callers_and_are_written_in_place() -> None:
    game = TINY[0].game()
    own = {
        "observation": np.zeros((3, game.observation_size), np.float32),
        "action_mask": np.zeros((3, game.num_actions), np.int8),
        "rewards": np.zeros((3, game.seats)),
        "player": np.zeros(3, np.int64),
        "terminated": np.zeros(3, np.bool_),
        "final_obs": np.zeros((3, game.observation_size), np.float32),
    }
    env = make_vector(game, 3, buffers=own)
    observation, info = env.reset(seed=0)
    for _ in range(30):
        observation, rewards, terminated, _, info = env.step(observation["action_mask"].argmax(axis=1))
        assert observation["observation"] is own["observation"]
        assert observation["action_mask"] is own["action_mask"] is info["action_mask"]
        assert rewards is own["rewards"]
        assert terminated is own["terminated"]
        assert info["player"] is own["player"]
        assert info["final_obs"] is own["final_obs"]
    for name, array in own.items():
        for bad in (array[:2], array.astype(np.float16), np.stack([array, array], -1)[..., 0], "no"):
            with pytest.raises(ValueError, match=f"buffer '{name}' must be a C-contiguous, writeable"):
                make_vector(game, 3, buffers={name: bad})
    with pytest.raises(ValueError, match="no buffer 'legal_ids' here"):
        make_vector(game, 3, buffers={"legal_ids": np.zeros((3, game.max_legal), np.int16)})


def test_what_a_caller_writes_into_buffers_makes_nothing_legal() -> None:
    env = make_vector(TINY[0].game(), 2, legal="both")
    observation, _ = env.reset(seed=0)
    for array in (observation["action_mask"], observation["legal_ids"], observation["legal_count"]):
        array[...] = 1
    _, _, terminated, _, _ = env.step(np.array([6, 0]))
    assert terminated.tolist() == [True, False]


def test_parts_that_nobody_wants_are_left_out() -> None:
    game = TINY[2].game()
    env = make_vector(game, 3, legal="ids", observe=False)
    observation, info = env.reset(seed=0)
    assert set(observation) == {"observation", "legal_ids", "legal_count"}
    assert observation["observation"].shape == (3, 0)
    for _ in range(40):
        observation, _, _, _, info = env.step(observation["legal_ids"][:, 0])
    assert info["final_obs"].shape == (3, 0)
    assert "action_mask" not in info


def wrong_actions() -> list[tuple[Any, type[Exception], str]]:
    return [
        (np.zeros(4, int), ValueError, r"actions has shape \(5,\)"),
        (np.zeros((5, 1), int), ValueError, r"actions has shape \(5,\)"),
        (np.zeros(5), TypeError, "actions are integers, not float64"),
        (np.zeros(5, bool), TypeError, "actions are integers, not bool"),
        (np.array([0, 0, -1, 0, 0]), ValueError, r"action -1 of env 2 is outside"),
        (np.array([0, 0, 0, 2**40, 0]), ValueError, r"of env 3 is outside"),
        (None, ValueError, "shape"),
        (["a"] * 5, TypeError, "integers"),
    ]


@pytest.mark.parametrize(
    "arguments", [{}, {"seat": 0}, {"seat": 0, "opponents": random_agent}], ids=("all", "learner", "python")
)
def test_wrong_actions_raise_and_change_nothing(arguments: dict[str, Any]) -> None:
    env = make_vector(TINY[1].game(), 5, **arguments)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(np.zeros(5, int))
    env.reset(seed=0)
    states = [env.game_state(i) for i in range(5)] if hasattr(env, "game_state") else None
    for actions, error, sentence in wrong_actions():
        with pytest.raises(error, match=sentence):
            env.step(actions)
        assert states is None or states == [env.game_state(i) for i in range(5)]
    env.step([0] * 5)
    env.step(np.zeros(5, np.uint8))


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"num_envs": 0}, ValueError, "num_envs must be an integer from 1"),
        ({"num_envs": 2, "num_threads": 0}, ValueError, "num_threads must be an integer from 1"),
        ({"num_envs": 2, "legal": "list"}, ValueError, "legal must be one of"),
        ({"num_envs": 2, "opponents": "random"}, ValueError, "give its seat too"),
        ({"num_envs": 2, "configurations": []}, ValueError, "configurations is empty"),
        ({"num_envs": 2, "configurations": [{"history": 0}, {"history": 2}]}, ValueError, "equal spaces"),
        ({"num_envs": 2, "configurations": [3]}, TypeError, "a configuration is a dict"),
        ({"num_envs": 2, "seat": 0, "configurations": MIXED, "opponents": ["random"]}, ValueError, "a list of 1, but"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        make_vector(TINY[0].game(), **arguments)


def test_a_reset_without_a_seed_starts_the_next_games() -> None:
    game = TINY[0].game()
    env = make_vector(game, 2)
    env.reset(seed=10)
    for k in (1, 2):
        env.reset()
        seeds = [int(episode_seed(np.uint64(10 + i), k)) for i in range(2)]
        assert [env.game_state(i) for i in range(2)] == [game.new_initial_state(seed) for seed in seeds]
    entropy = [make_vector(game, 1) for _ in range(3)]
    for each in entropy:
        each.reset()
    assert len({int(each.game_state(0).array["seed"][0]) for each in entropy}) == 3


# -- one learner -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask_in", ["obs", "info", "both"])
@pytest.mark.parametrize("opponents", ["random", random_agent])
def test_the_strict_form_is_a_vector_environment_of_gymnasium(opponents: Any, mask_in: str) -> None:
    env = make_vector(TINY[1].game(), 4, seat="random", opponents=opponents, mask_in=mask_in)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    recorded = RecordEpisodeStatistics(env)
    observation, info = recorded.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(30):
        assert env.observation_space.contains(observation)
        mask = info["action_mask"] if mask_in == "info" else observation["action_mask"]
        assert np.array_equal(mask, env.action_masks())
        observation, rewards, terminated, truncated, info = recorded.step(random_actions(mask, rng))
        assert rewards.shape == terminated.shape == truncated.shape == (4,)
        assert rewards.dtype == np.float64
        assert terminated.any() == ("final_obs" in info)
    assert recorded.episode_count > 8


@pytest.mark.parametrize("copied", [True, False])
def test_what_the_strict_form_returns_is_a_copy_unless_that_is_not_wanted(copied: bool) -> None:
    env = make_vector(TINY[1].game(), 4, seat=0, copy=copied)
    first, _ = env.reset(seed=0)
    second, rewards, _, _, _ = env.step(first["action_mask"].argmax(axis=1))
    assert np.shares_memory(first["observation"], second["observation"]) != copied
    assert np.shares_memory(rewards, env.step(second["action_mask"].argmax(axis=1))[1]) != copied


def test_learners_of_mixed_configurations() -> None:
    env = make_vector(TINY[0].game(), 6, seat="random", opponents="heuristic", configurations=MIXED, num_threads=2)
    single = make_vector(TINY[0].game(), 6, seat="random", opponents="heuristic", configurations=MIXED)
    rng = np.random.default_rng(0)
    observation, _ = env.reset(seed=0)
    single.reset(seed=0)
    for _ in range(50):
        actions = random_actions(observation["action_mask"], rng)
        given, same = env.step(actions), single.step(actions)
        assert difference(given, same) is None
        observation = given[0]


def test_gymnasium_makes_the_batched_form() -> None:
    for name in nm.games():
        env = gymnasium.make_vec(f"northmen/{name}-v0", num_envs=3, num_players=3)
        observation, _ = env.reset(seed=0)
        assert env.observation_space.contains(observation)
        assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        env.step(env.unwrapped.action_masks().argmax(axis=1))


# -- copies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["none", "random", "last"])
@every_seat_count
def test_copies_go_on_alike(case: Case, learner: str) -> None:
    game, rng = case.game(dense=True), np.random.default_rng(0)
    last = {"seat": game.num_players - 1, "opponents": "heuristic"}
    arguments: dict[str, Any] = {"none": {}, "random": {"seat": "random"}, "last": last}[learner]
    env = make_vector(game, 3, **arguments)
    assert copy.deepcopy(env).get_state() == env.get_state()
    env.action_space.seed(1)
    observation, _ = env.reset(seed=5)
    for _ in range(3):
        for _ in range(6):
            observation = env.step(random_actions(observation["action_mask"], rng))[0]
        restored = make_vector(game, 3, **arguments)
        restored.set_state(env.get_state())
        others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), restored]
        assert len({other.action_space.sample().tobytes() for other in others}) == 1
        actions, ahead = random_actions(observation["action_mask"], rng), np.random.default_rng(7)
        shown = [by_value(other.step(actions))[:4] for other in others]
        for _ in range(20):
            actions = random_actions(shown[0][0]["action_mask"], ahead)
            shown = [by_value(other.step(actions))[:4] for other in others]
            assert difference(shown[0], shown[1]) is None
            assert difference(shown[0], shown[2]) is None
        assert env.get_state() == env.get_state()
    data = env.get_state()
    with pytest.raises(ValueError, match="these bytes"):
        env.set_state(data[:-2])
    with pytest.raises(ValueError, match="num_envs = 4"):
        env.set_state(make_vector(game, 4, **arguments).get_state())
    assert env.get_state() == data


def traced(**environment: str) -> str:
    """Return what the batched forms show in another process."""
    command = [sys.executable, "-W", "error", str(Path(__file__).with_name("batch_trace.py"))]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2 + len(nm.games())
    return done.stdout


def test_batches_are_the_same_without_the_jit() -> None:
    assert traced(NUMBA_DISABLE_JIT="1") == traced()


@pytest.mark.long
def test_batches_are_the_same_with_bounds_checks() -> None:
    """An index out of range raises there; the kernels are compiled anew for it."""
    assert traced(NUMBA_BOUNDSCHECK="1") == traced()
