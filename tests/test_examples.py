"""The examples run with settings that take seconds, and stay as short as they promise."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

import northmen_env.registry as registry
from coin_league import TINY_GAMES

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "ppo_torch.py"


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setitem(registry.GAMES, "coin", TINY_GAMES["coin"])
    found = importlib.util.spec_from_file_location("ppo_torch", EXAMPLE)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "ppo_torch", module)
    found.loader.exec_module(module)
    threads = torch.get_num_threads()
    yield module
    torch.set_num_threads(threads)


def test_it_is_one_file_of_torch_alone() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 300
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported - set(sys.stdlib_module_names) == {"numpy", "torch", "northmen_env"}


def test_it_learns(ppo: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever guesses what the coins most often show, given its own, beats random guesses."""
    args = ppo.parsed(
        "--game coin --players 2 --steps 12000 --envs 16 --rollout 32 --epochs 4 --minibatches 4 --hidden 32 "
        "--learning-rate 0.003 --games 320".split()
    )
    _, returns = ppo.train(args)
    assert min(returns) > 0.1
    assert "mean returns against random opponents" in capsys.readouterr().out


def test_a_few_decisions_are_no_trouble(ppo: ModuleType) -> None:
    args = ppo.parsed("--game coin --players 2 --steps 24 --envs 2 --rollout 2 --minibatches 4 --games 2".split())
    network, returns = ppo.train(args)
    assert all(bool(torch.isfinite(weights).all()) for weights in network.parameters())
    assert np.isfinite(returns).all()


def test_the_first_ratio_is_one_and_a_mask_of_zeros_raises(ppo: ModuleType) -> None:
    args = ppo.parsed(["--game", "coin", "--players", "3"])
    envs = ppo.nm.make_vec("coin", 8, num_players=3)
    game = envs.games[0]
    network = ppo.Network(game.observation_size, game.num_actions, args.hidden)
    rollout, _ = ppo.collect(network, envs, ppo.Assembler(envs, 20), envs.reset(seed=1))
    masks = torch.from_numpy(rollout.action_mask)
    with torch.no_grad():
        distribution, values = network(torch.from_numpy(rollout.observation), masks)
        ratio = (distribution.log_prob(torch.from_numpy(rollout.action)) - torch.from_numpy(rollout.log_prob)).exp()
    assert ratio.numpy() == pytest.approx(np.ones(len(rollout)), abs=1e-5)
    assert values.numpy() == pytest.approx(rollout.value, abs=1e-5)
    masks[3] = 0
    with pytest.raises(ValueError, match="all zero"):
        network(torch.from_numpy(rollout.observation), masks)
