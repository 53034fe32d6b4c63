"""The agent that plays a checkpoint which `northmen train` wrote: a network's policy, run by NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from pydantic import BaseModel, Field

from northmen_agents.base import BaseAgent, NoParameters, Observation, legal_ids, view_of
from northmen_agents.checkpoint import CheckpointError
from northmen_agents.network import Greedy, PolicyNetwork, load_policy
from northmen_env.envs.opponents import suggestion_keys

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.envs.opponents import Policy


BASELINE = "baseline"
BASELINES = Path(__file__).parent / "baselines"
"""Folder of the trained baselines: `<game>.safetensors`."""


class PPOParameters(NoParameters):
    """Parameters of `PPOAgent`.

    Attributes:
        checkpoint: path of the file, `policy.safetensors` in the folder of a training; or "baseline": the one that
            comes with this package for the game.
        greedy: whether the most probable action is taken; otherwise actions are drawn from the policy.
    """

    checkpoint: str = Field(BASELINE, min_length=1)
    greedy: bool = False


class PPOAgent(BaseAgent):
    """Plays by the policy of a checkpoint, which is refused where it was trained for something else."""

    version: ClassVar[int] = 1
    Parameters: ClassVar[type[BaseModel]] = PPOParameters
    parameters: PPOParameters

    def __init__(self, game: Game, seat: int, seed: int, **parameters: Any) -> None:
        super().__init__(game, seat, seed, **parameters)
        self.network = _network(game, self.parameters)
        self.needs_view = self.network.needs_suggestion  # type: ignore[misc]  # of this agent, not of its class

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        legal_ids(observation)
        keys = np.array([self.next_key()], np.uint64)
        seen, mask = observation["observation"][None], observation["action_mask"][None]
        told = np.array([self.own(view_of(info)).suggest(int(suggestion_keys(keys)[0]))]) if self.needs_view else None
        return int(self.network.act_many(seen, mask, None if self.parameters.greedy else keys, told)[0])

    @classmethod
    def many(cls, game: Game, **parameters: Any) -> Policy:
        """Return what plays many games at once, as agents with these parameters would."""
        p = PPOParameters(**parameters)
        network = _network(game, p)
        return Greedy(network) if p.greedy else network

    @classmethod
    def identity(cls, game: str, **parameters: Any) -> dict[str, Any]:
        """Return what is stored with results beside the parameters: the file itself, by its SHA-256."""
        return {"checkpoint_sha256": load_policy(checkpoint_path(parameters["checkpoint"], game))[0].sha256}


def checkpoint_path(checkpoint: str, game: str) -> Path:
    """Return the file that a parameter `checkpoint` means for the game of this name.

    Raises:
        CheckpointError: it is "baseline", and none was trained for the game.
    """
    if checkpoint != BASELINE:
        return Path(checkpoint)
    path = BASELINES / f"{game}.safetensors"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in BASELINES.glob("*.safetensors"))) or "none"
        raise CheckpointError(
            f"there is no trained baseline for {game}, only for: {known}; give the path of a checkpoint, as in "
            "checkpoint=results/my-run/policy.safetensors"
        )
    return path


def _network(game: Game, parameters: PPOParameters) -> PolicyNetwork:
    checkpoint, network = load_policy(checkpoint_path(parameters.checkpoint, game.name))
    checkpoint.refuse_other_games(game)
    return network
