"""Self-play PPO in one file: all seats learn with one network. NumPy, PyTorch and northmen-env; nothing else.

    python examples/ppo_torch.py --game saga --players 2 --steps 500000
    python examples/ppo_torch.py --help

To be read from top to bottom. Every seat of every game is played by the network that learns, and every decision of
every seat is learned from: `Assembler` turns the batch of all seats into trajectories by seat. What `northmen
train` has in addition are opponents from a pool, checkpoints and logs.

The algorithm is Schulman et al., Proximal policy optimization algorithms, 2017, with invalid-action masking (Huang &
Ontañón, A closer look at invalid action masking in policy gradient algorithms, FLAIRS 2022).
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import northmen_env as nm
from northmen_env.envs.trajectories import Assembler, Rollout
from northmen_env.envs.vector import NorthmenVector

Seen = tuple[dict[str, np.ndarray], dict[str, Any]]  # observation and info of the batch


@dataclass
class Args:
    """What can be set on the command line."""

    game: str = "saga"
    players: int = 2
    steps: int = 500_000  # decisions to learn from, of all seats together
    envs: int = 64  # games at once
    rollout: int = 64  # decisions of each game between two updates
    epochs: int = 4  # passes over a rollout
    minibatches: int = 8  # parts of a pass
    learning_rate: float = 3e-4
    gamma: float = 1.0  # games end, so nothing needs to be discounted
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01  # weight of the bonus for staying undecided
    value_weight: float = 0.5
    max_gradient: float = 0.5
    hidden: int = 256
    seed: int = 0
    threads: int = 1  # of torch
    games: int = 200  # against random opponents, in each seat, at the end


# -- network -----------------------------------------------------------------------------------------------------------


def layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a linear layer with orthogonal weights."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


class Network(nn.Module):
    """Policy and value over one trunk."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int) -> None:
        super().__init__()
        gain = 2**0.5
        self.trunk = nn.Sequential(
            layer(observation_size, hidden, gain), nn.ReLU(), layer(hidden, hidden, gain), nn.ReLU()
        )
        self.policy = layer(hidden, num_actions, 0.01)
        self.value = layer(hidden, 1, 1.0)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over the legal actions, and the expected returns (B,) of the seats to act."""
        hidden = self.trunk(observations)
        return masked(self.policy(hidden), masks), self.value(hidden)[:, 0]


def masked(logits: torch.Tensor, masks: torch.Tensor) -> Categorical:
    """Return the distribution of logits over the actions that a mask allows.

    Raises:
        ValueError: a row without a legal action, which would be a distribution over nothing.
    """
    legal = masks != 0
    if not bool(legal.any(dim=1).all()):
        raise ValueError("an action mask is all zero: that seat is not to act")
    # a finite number, where -inf would bring 0 * log 0 into the entropy
    return Categorical(logits=logits.masked_fill(~legal, -1e9), validate_args=False)


# -- collecting --------------------------------------------------------------------------------------------------------


@torch.no_grad()
def collect(network: Network, envs: NorthmenVector, assembler: Assembler, seen: Seen) -> tuple[Rollout, Seen]:
    """Play until the assembler is full; return the rollout and what is seen next."""
    observation, info = seen
    while not assembler.full:
        distribution, values = network(*tensors(observation["observation"], observation["action_mask"]))
        actions = distribution.sample()
        log_probs = distribution.log_prob(actions)
        assembler.decided(observation, info, actions.numpy(), log_probs.numpy(), values.numpy())
        observation, rewards, terminated, _, info = envs.step(actions.numpy())
        assembler.paid(rewards, terminated)
    return assembler.take(), (observation, info)


def tensors(*arrays: np.ndarray) -> tuple[torch.Tensor, ...]:
    """Return tensors over the same memory."""
    return tuple(torch.from_numpy(array) for array in arrays)


# -- learning ----------------------------------------------------------------------------------------------------------


def update(
    network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, args: Args, rng: np.random.Generator
) -> dict[str, float]:
    """Learn from a rollout; return means of what is worth watching."""
    advantages = rollout.advantages(args.gamma, args.gae_lambda).astype(np.float32)
    targets = advantages + rollout.value
    sums = {"policy_loss": 0.0, "value_loss": 0.0, "entropy": 0.0, "clipped": 0.0}
    parts = 0
    for _ in range(args.epochs):
        for rows in np.array_split(rng.permutation(len(rollout)), args.minibatches):
            if len(rows) == 0:
                continue
            observations, masks, actions, old, advantage, target = tensors(
                rollout.observation[rows], rollout.action_mask[rows], rollout.action[rows],
                rollout.log_prob[rows], advantages[rows], targets[rows],
            )  # fmt: skip
            distribution, values = network(observations, masks)
            ratio = (distribution.log_prob(actions) - old).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
            limited = ratio.clamp(1 - args.clip, 1 + args.clip)
            policy_loss = -torch.min(ratio * advantage, limited * advantage).mean()
            value_loss = (values - target).square().mean()
            entropy = distribution.entropy().mean()
            loss = policy_loss + args.value_weight * value_loss - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_gradient)
            optimizer.step()
            sums["policy_loss"] += policy_loss.item()
            sums["value_loss"] += value_loss.item()
            sums["entropy"] += entropy.item()
            sums["clipped"] += ((ratio - 1).abs() > args.clip).float().mean().item()
            parts += 1
    return {name: total / max(parts, 1) for name, total in sums.items()}


# -- measuring ---------------------------------------------------------------------------------------------------------


@torch.no_grad()
def against_random(network: Network, args: Args) -> list[float]:
    """Return the mean return of each seat in `args.games` games against random opponents; above 0 is better."""
    means = []
    for seat in range(args.players):
        envs = nm.make_vec(args.game, args.envs, num_players=args.players, seat=seat, opponents="random")
        observation, _ = envs.reset(seed=args.seed + 1_000_000)
        share = -(-args.games // args.envs)  # as many games of each env: the quick ones must not count for more
        returns: list[list[float]] = [[] for _ in range(args.envs)]
        while min(map(len, returns)) < share:
            distribution, _ = network(*tensors(observation["observation"], observation["action_mask"]))
            observation, _, terminated, _, info = envs.step(distribution.sample().numpy())
            for env in np.flatnonzero(terminated).tolist():
                returns[env].append(float(info["final_info"]["returns"][env][seat]))
        means.append(float(np.mean([row[:share] for row in returns])))
    return means


# -- all together ------------------------------------------------------------------------------------------------------


def train(args: Args) -> tuple[Network, list[float]]:
    """Train; return the network and its mean return in each seat against random opponents."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = np.random.default_rng(args.seed)
    envs = nm.make_vec(args.game, args.envs, num_players=args.players)
    game = envs.games[0]
    network = Network(game.observation_size, game.num_actions, args.hidden)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate, eps=1e-5)
    assembler = Assembler(envs, args.rollout)
    seen = envs.reset(seed=args.seed)
    started, learned = time.perf_counter(), 0
    while learned < args.steps:
        rollout, seen = collect(network, envs, assembler, seen)
        means = update(network, optimizer, rollout, args, rng)
        learned += len(rollout)
        rate = learned / (time.perf_counter() - started)
        told = "  ".join(f"{name} {value:.3f}" for name, value in means.items())
        print(f"{learned} decisions  {rate:.0f}/s  {told}", flush=True)
    found = against_random(network, args)
    told = ", ".join(f"seat {seat}: {mean:+.2f}" for seat, mean in enumerate(found))
    print(f"mean returns against random opponents: {told}")
    return network, found


def parsed(arguments: list[str] | None = None) -> Args:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Self-play PPO in one file.")
    for each in fields(Args):
        parser.add_argument(
            f"--{each.name.replace('_', '-')}", type=type(each.default), default=each.default, metavar="X",
            help=f"default: {each.default}",
        )  # fmt: skip
    return Args(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    train(parsed())
