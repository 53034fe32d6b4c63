"""The checkpoints that come with the package: small, of the games as they are, and played by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import northmen_env as nm
from northmen_agents import make_factory
from northmen_agents.checkpoint import CheckpointError
from northmen_agents.network import load_policy
from northmen_agents.ppo import BASELINE, BASELINES, checkpoint_path
from northmen_agents.train.config import MeasureConfig
from northmen_agents.train.evaluate import measure
from northmen_env.engine.game import Game
from tiny import coin

MOST_BYTES = 3_000_000


@pytest.mark.parametrize("name", nm.games())
def test_every_game_has_a_small_baseline_that_fits_it(name: str) -> None:
    path = checkpoint_path(BASELINE, name)
    assert path.stat().st_size <= MOST_BYTES
    checkpoint, network = load_policy(path)
    for players in checkpoint.about["players"]:
        game = nm.load(name, num_players=players)
        checkpoint.refuse_other_games(game)
        assert (network.observation_size, network.num_actions) == (game.observation_size, game.num_actions)
    assert make_factory("ppo").described(name)["checkpoint_sha256"] == checkpoint.sha256
    assert checkpoint.about["config"]["steps"] <= checkpoint.about["steps"]  # whole, and it says how it was made


def test_a_game_without_a_baseline_is_told_whose_there_are() -> None:
    with pytest.raises(CheckpointError, match=r"no trained baseline for coin, only for: blood, northgard, saga"):
        make_factory("ppo")(Game(coin.GAME, num_players=2), 0, 0)


def test_a_path_is_a_path() -> None:
    assert checkpoint_path("some/policy.safetensors", "saga") == Path("some/policy.safetensors")
    assert checkpoint_path(BASELINE, "saga").parent == BASELINES


def test_the_baseline_is_an_opponent_by_its_name_alone() -> None:
    env = nm.make_vec("saga", 4, seat=0, opponents="ppo", num_players=3)
    observation, _ = env.reset(seed=1)
    for _ in range(5):
        observation, *_ = env.step(observation["action_mask"].argmax(axis=1))


@pytest.mark.long
@pytest.mark.parametrize("name", nm.games())
def test_the_baseline_beats_random_from_every_seat(name: str) -> None:
    policy = make_factory("ppo", greedy=True).many(nm.load(name))
    assert policy is not None
    for row in measure(policy, [nm.load(name, num_players=n) for n in (2, 4)], MeasureConfig(games=200), 5):
        assert row.low > row.equal, row
