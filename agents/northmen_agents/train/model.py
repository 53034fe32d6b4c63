"""The learner (needs torch): a network with one trunk, MaskablePPO around it, and the way to a `PolicyNetwork`.

Before PPO a learner may imitate the game's heuristic: it plays as it is, and is told what the heuristic would have done
where it came to (Ross, Gordon & Bagnell: A reduction of imitation learning and structured prediction to no-regret
online learning, AISTATS 2011, without a share of the teacher's own play). Its value learns the returns of its own play.
A residual policy plays with the suggestion meanwhile, and imitates it by what it would do without. Then it may learn
from playouts what other actions would have been worth (`train.playouts`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from northmen_agents.network import PolicyNetwork
from northmen_agents.train.config import ImitationConfig, PlayoutsConfig, TrainConfig
from northmen_agents.train.vecenv import UNKNOWN

LAST_RATE = 0.02
"""What is left of the rate of imitation at its end."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share."""

    def __init__(self, observation_space: Any, sizes: list[int], told: bool = False) -> None:
        super().__init__(observation_space, sizes[-1])
        self.floats = floats = observation_space.shape[0] - int(told)
        layers: list[nn.Module] = []
        for inputs, outputs in zip([floats, *sizes], sizes):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layers(observations[:, : self.floats])
        return found


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib with two differences.

    A mask without a legal action is refused, which that would take for one in which all are equal. And with `trust` it
    is a residual policy (see `NetworkConfig.trust`), whose observations end with the heuristic's suggestion.
    """

    def __init__(self, *arguments: Any, trust: float | None = None, **more: Any) -> None:
        self.trust = trust
        super().__init__(*arguments, **more)

    def _build(self, lr_schedule: Any) -> None:
        self.trust_net = None
        if self.trust is not None:  # before the optimizer is made
            self.trust_net = nn.Linear(self.features_dim, 1)
            nn.init.zeros_(self.trust_net.weight)
            nn.init.constant_(self.trust_net.bias, self.trust)
        super()._build(lr_schedule)

    def _parts(self, obs: Any, action_masks: Any) -> tuple[Any, torch.Tensor]:
        """Return the distribution of the actions and the values."""
        refuse_empty(action_masks)
        features = self.extract_features(obs)
        latent_policy, latent_value = self.mlp_extractor(features)
        logits = self.action_net(latent_policy)
        if self.trust_net is not None:
            suggested = obs[:, -1:].long()
            trust = self.trust_net(features) * (suggested >= 0)
            logits = logits.scatter_add(1, suggested.clamp(min=0), trust)
        distribution: Any = self.action_dist.proba_distribution(action_logits=logits)
        distribution.apply_masking(action_masks)
        return distribution, self.value_net(latent_value)

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        distribution, values = self._parts(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Any, actions: Any, action_masks: Any = None) -> Any:
        distribution, values = self._parts(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        return self._parts(obs, action_masks)[0]


def refuse_empty(masks: Any) -> None:
    """Raise ValueError where a mask (B, A) is missing or allows nothing."""
    if masks is None:
        raise ValueError("there is no action mask: without it the policy would choose illegal actions")
    if not bool((masks != 0).any(-1).all()):
        raise ValueError("an action mask is all zero: that seat is not to act, so there is nothing to choose or learn")


class Learner(MaskablePPO):
    """MaskablePPO that first imitates the heuristic, and then learns from playouts, for as many steps as it is told.

    Attributes:
        imitation, playouts: how, and how long.
    """

    imitation: ImitationConfig
    playouts: PlayoutsConfig

    def _part(self, steps: int) -> ImitationConfig | PlayoutsConfig | None:
        """Return by what a rollout is learned from that began after so many steps; None: PPO."""
        if steps < self.imitation.steps:
            return self.imitation
        return self.playouts if steps < self.imitation.steps + self.playouts.steps else None

    def collect_rollouts(self, env: Any, *arguments: Any, **more: Any) -> bool:
        """As MaskablePPO; `env` plays out what else could be done, if that is what is learned from."""
        part = self._part(self.num_timesteps)
        env.compare(part if isinstance(part, PlayoutsConfig) else None)
        going_on: bool = super().collect_rollouts(env, *arguments, **more)
        return going_on

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        """Let the rate of an update be that of where its rollout began: the last one may end after `steps`."""
        super()._update_current_progress_remaining(num_timesteps - self.n_steps * self.n_envs, total_timesteps)

    def train(self) -> None:
        """Learn from the rollout."""
        part = self._part(self.num_timesteps - self.n_steps * self.n_envs)
        if part is None:
            super().train()
        elif isinstance(part, ImitationConfig):
            self._supervise(part, self._imitated(), 0, "imitation_loss")
        else:
            self._supervise(part, self._compared(part), self.imitation.steps, "playouts_loss")

    def _column(self, array: Any) -> torch.Tensor:
        """Return an array of the rollout (steps, envs, ...) as samples (steps x envs, ...)."""
        found = np.asarray(array)
        return torch.as_tensor(found.reshape(-1, *found.shape[2:]))

    def _imitated(self) -> Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
        """Return what gives -log p(suggestion) and the values for rows of the samples."""
        observations, masks = (
            self._column(self.rollout_buffer.observations),
            self._column(self.rollout_buffer.action_masks),
        )
        actions = observations[:, -1].long()
        observations[:, -1] = UNKNOWN

        def errors(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            values, log_probs, _ = self.policy.evaluate_actions(observations[rows], actions[rows], masks[rows])
            return -log_probs, values

        return errors

    def _compared(self, how: PlayoutsConfig) -> Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
        """Return what gives the squared error of the differences of worth, and the values, for rows of the samples."""
        env: Any = self.env
        observations, masks = (
            self._column(self.rollout_buffer.observations),
            self._column(self.rollout_buffer.action_masks),
        )
        candidates, worth = (self._column(np.stack(column)) for column in zip(*env.compared))
        legal, worth = candidates >= 0, worth.float()

        def errors(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            distribution, values = self.policy._parts(observations[rows], masks[rows])
            there = legal[rows]
            logits = distribution.distribution.logits.gather(1, candidates[rows].clamp(min=0))
            weights = logits.detach().masked_fill(~there, -torch.inf).softmax(1)
            weights = (1.0 - how.even) * weights + how.even * there / there.sum(1, keepdim=True)
            wrong = (how.temperature * logits - worth[rows]).masked_fill(~there, 0.0)
            wrong = wrong - (weights * wrong).sum(1, keepdim=True)
            # in units in which the gradients are neither clipped nor below Adam's epsilon
            return (weights * wrong.square()).sum(1) / how.temperature, values

        return errors

    def _supervise(self, part: ImitationConfig | PlayoutsConfig, errors: Any, before: int, name: str) -> None:
        """Take gradient steps on the mean of `errors` and the value's error; the part began `before` steps."""
        returns, mean_error = self._column(self.rollout_buffer.returns), 0.0
        samples = len(returns)
        self.policy.set_training_mode(True)
        left = max(1.0 - (self.num_timesteps - before) / part.steps, LAST_RATE)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = part.learning_rate * left
        for _ in range(part.epochs):
            for rows in torch.randperm(samples).split(part.batch):
                found, values = errors(rows)
                loss = found.mean() + self.vf_coef * nn.functional.mse_loss(values.flatten(), returns[rows])
                self.policy.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                mean_error += float(found.detach().sum()) / (samples * part.epochs)
        self._n_updates += part.epochs
        self.logger.record(f"train/{name}", mean_error)


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
            "features_extractor_kwargs": {"sizes": list(sizes.trunk), "told": config.told},
            "trust": sizes.trust,
            "net_arch": {"pi": list(sizes.policy), "vf": list(sizes.value)},
            "activation_fn": nn.ReLU,
            "optimizer_kwargs": {"eps": 1e-5},
        },
    )  # fmt: skip
    model.imitation, model.playouts = config.imitation, config.playouts
    return model


def layers_of(policy: Any) -> dict[str, list[nn.Linear]]:
    """Return the linear layers by the names of `northmen_agents.network`."""
    found = {
        "trunk": _linear(policy.features_extractor.layers),
        "policy": [*_linear(policy.mlp_extractor.policy_net), policy.action_net],
        "value": [*_linear(policy.mlp_extractor.value_net), policy.value_net],
    }
    return found if policy.trust_net is None else {**found, "trust": [policy.trust_net]}


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
