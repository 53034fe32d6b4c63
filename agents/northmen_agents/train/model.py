"""The learner (needs torch): a network with one trunk, MaskablePPO around it, and the way to a `PolicyNetwork`.

Before PPO a learner may imitate the game's heuristic: it plays as it is, and is told what the heuristic would have done
where it came to (Ross, Gordon & Bagnell: A reduction of imitation learning and structured prediction to no-regret
online learning, AISTATS 2011, without a share of the teacher's own play). Its value learns the returns of its own play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from northmen_agents.network import PolicyNetwork
from northmen_agents.train.config import ImitationConfig, TrainConfig

LAST_RATE = 0.1
"""What is left of the rate of imitation at its end."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share."""

    def __init__(self, observation_space: Any, sizes: list[int]) -> None:
        super().__init__(observation_space, sizes[-1])
        layers: list[nn.Module] = []
        for inputs, outputs in zip([observation_space.shape[0], *sizes], sizes):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layers(observations)
        return found


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib, which would take a mask without a legal action for one in which all are equal."""

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        refuse_empty(action_masks)
        return super().forward(obs, deterministic, action_masks)

    def evaluate_actions(self, obs: Any, actions: Any, action_masks: Any = None) -> Any:
        refuse_empty(action_masks)
        return super().evaluate_actions(obs, actions, action_masks)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        refuse_empty(action_masks)
        return super().get_distribution(obs, action_masks)


def refuse_empty(masks: Any) -> None:
    """Raise ValueError where a mask (B, A) is missing or allows nothing."""
    if masks is None:
        raise ValueError("there is no action mask: without it the policy would choose illegal actions")
    if not bool((masks != 0).any(-1).all()):
        raise ValueError("an action mask is all zero: that seat is not to act, so there is nothing to choose or learn")


class Learner(MaskablePPO):
    """MaskablePPO that imitates the heuristic in its first steps.

    Attributes:
        imitation: how, and how long.
    """

    imitation: ImitationConfig

    def collect_rollouts(self, env: Any, *arguments: Any, **more: Any) -> bool:
        """As MaskablePPO; while it imitates, `env` keeps what the heuristic would have done."""
        env.teach(self.num_timesteps < self.imitation.steps)
        going_on: bool = super().collect_rollouts(env, *arguments, **more)
        return going_on

    def train(self) -> None:
        """Learn from the rollout: by imitation if it was taught, by PPO if not."""
        env: Any = self.env
        taught = env.taught()
        if taught is None:
            super().train()
        else:
            self._imitate(taught)

    def _imitate(self, taught: np.ndarray) -> None:
        """Take gradient steps on -log p(taught) and the value's error; `taught` int64 (rollout, envs)."""
        buffer = self.rollout_buffer
        samples, mean_loss = taught.size, 0.0
        columns = [buffer.observations, buffer.action_masks, buffer.returns, taught]
        observations, masks, returns, actions = (
            torch.as_tensor(np.asarray(column).reshape(samples, *np.asarray(column).shape[2:])) for column in columns
        )
        self.policy.set_training_mode(True)
        left = max(1.0 - self.num_timesteps / self.imitation.steps, LAST_RATE)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = self.imitation.learning_rate * left
        for _ in range(self.imitation.epochs):
            for rows in torch.randperm(samples).split(self.imitation.batch):
                values, log_probs, _ = self.policy.evaluate_actions(observations[rows], actions[rows], masks[rows])
                imitated = -log_probs.mean()
                loss = imitated + self.vf_coef * nn.functional.mse_loss(values.flatten(), returns[rows])
                self.policy.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                mean_loss += float(imitated.detach()) * len(rows) / (samples * self.imitation.epochs)
        self._n_updates += self.imitation.epochs
        self.logger.record("train/imitation_loss", mean_loss)


def new_model(config: TrainConfig, env: Any) -> Learner:
    """Return a learner with new weights, on the processor."""
    p, sizes = config.ppo, config.network
    rate: Any = (lambda left: left * p.learning_rate) if p.anneal else p.learning_rate
    model = Learner(
        MaskedPolicy, env, learning_rate=rate, n_steps=p.rollout, batch_size=p.batch, n_epochs=p.epochs, gamma=p.gamma,
        gae_lambda=p.gae_lambda, clip_range=p.clip, ent_coef=p.entropy, vf_coef=p.value_weight,
        max_grad_norm=p.max_gradient, target_kl=p.target_kl, seed=config.seed, device="cpu",
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"sizes": list(sizes.trunk)},
            "net_arch": {"pi": list(sizes.policy), "vf": list(sizes.value)},
            "activation_fn": nn.ReLU,
            "optimizer_kwargs": {"eps": 1e-5},
        },
    )  # fmt: skip
    model.imitation = config.imitation
    return model


def layers_of(policy: Any) -> dict[str, list[nn.Linear]]:
    """Return the linear layers by the names of `northmen_agents.network`."""
    return {
        "trunk": _linear(policy.features_extractor.layers),
        "policy": [*_linear(policy.mlp_extractor.policy_net), policy.action_net],
        "value": [*_linear(policy.mlp_extractor.value_net), policy.value_net],
    }


def _linear(modules: Any) -> list[nn.Linear]:
    return [module for module in modules if isinstance(module, nn.Linear)]


def arrays_of(policy: Any) -> dict[str, np.ndarray]:
    """Return copies of the weights by the names of `northmen_agents.network`."""
    found = {}
    for part, layers in layers_of(policy).items():
        for i, layer in enumerate(layers):
            found[f"{part}.{i}.weight"] = layer.weight.detach().numpy().copy()
            found[f"{part}.{i}.bias"] = layer.bias.detach().numpy().copy()
    return found


def network_of(policy: Any) -> PolicyNetwork:
    """Return the policy as it is now, for NumPy."""
    return PolicyNetwork(arrays_of(policy))
