"""Ids of the environments and their makers, registered by entry-point strings: importing this imports no numba."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo.env_registry.registration import register as register_pettingzoo

from northmen_env.registry import GAMES

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

    from northmen_env.envs.aec import NorthmenAEC
    from northmen_env.envs.gym import NorthmenGym
    from northmen_env.envs.vector import NorthmenVector


def register_all() -> None:
    """Register `northmen/<game>-v<N>` with PettingZoo and Gymnasium, once."""
    for name, (_, version) in GAMES.items():
        env_id = f"northmen/{name}-v{version}"
        if env_id in gymnasium.registry:
            continue
        register_pettingzoo("aec", env_id, "northmen_env.envs.registration:make", kwargs={"name": name})
        gymnasium.register(
            env_id,
            entry_point="northmen_env.envs.registration:make_gym",
            vector_entry_point="northmen_env.envs.registration:make_learners",
            kwargs={"name": name},
            disable_env_checker=False,
        )


def make(name: str, **options: Any) -> NorthmenAEC:
    """Return a PettingZoo AEC environment; see `northmen_env.envs.aec.NorthmenAEC` for the arguments."""
    from northmen_env.envs.aec import NorthmenAEC

    return NorthmenAEC(name, **options)


def make_gym(name: str, **options: Any) -> NorthmenGym:
    """Return a Gymnasium environment of one learner; see `northmen_env.envs.gym.NorthmenGym` for the arguments."""
    from northmen_env.envs.gym import NorthmenGym

    return NorthmenGym(name, **options)


def make_learners(
    name: str, num_envs: int, *, seat: int | str = "random", **options: Any
) -> NorthmenVector | VectorEnv:
    """Return the batched environment of one learner in each game: what `gymnasium.make_vec` gives for an id."""
    return make_vec(name, num_envs, seat=seat, **options)


def make_vec(name: str, num_envs: int, **options: Any) -> NorthmenVector | VectorEnv:
    """Return a batched environment; see `northmen_env.envs.vector` for its two forms and their arguments."""
    from northmen_env.envs.vector import make_vector

    return make_vector(name, num_envs, **options)
