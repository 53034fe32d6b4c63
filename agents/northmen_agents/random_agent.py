"""An agent that chooses uniformly among the legal actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from northmen_agents.base import BaseAgent, Observation, legal_ids


class RandomAgent(BaseAgent):
    """Uniformly random over the mask of the observation."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        ids = legal_ids(observation)
        return int(ids[(self.next_key() * ids.size) >> 64])
