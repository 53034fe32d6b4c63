"""One agent for the heuristics of all games: it plays what the game's verb `suggest` says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from northmen_agents.base import BaseAgent, Observation, view_of


class HeuristicAgent(BaseAgent):
    """The game's own heuristic (`heuristic.py` in the folder of the game), which uses only what the seat knows."""

    needs_view: ClassVar[bool] = True

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        return int(self.own(view_of(info)).suggest(self.next_key()))
