"""The protocol of an agent, and what most agents share: their seat, their checked parameters, their own stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel, ConfigDict

from northmen_env.engine.random import PURPOSE_AGENT, mix
from northmen_env.envs.opponents import NoLegalAction

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.view import View

Observation = Mapping[str, np.ndarray]
"""`{"observation": float32 (D,), "action_mask": int8 (A,)}`, as the environments give it."""


@runtime_checkable
class Agent(Protocol):
    """What plays one seat of one game.

    If an agent has a true attribute `needs_view`, the host puts a `northmen_env.engine.view.View` of the seat's own
    information set into `info["view"]` at each of the agent's decisions. Nothing else about the game is handed over.
    """

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        """Return a legal action for the seat, which is to act."""
        ...


class NoParameters(BaseModel):
    """The parameters of a kind of agent that has none."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BaseAgent:
    """Base class of the agents here: `factory(game, seat, seed)` is the class itself.

    Attributes:
        needs_view: see `Agent`.
        version: raised when the moves of the agent change; stored with every result.
        cheats: whether it acts on what its seat cannot know; stored with every result.
        Parameters: pydantic model of the keyword arguments.
    """

    needs_view: ClassVar[bool] = False
    version: ClassVar[int] = 0
    cheats: ClassVar[bool] = False
    Parameters: ClassVar[type[BaseModel]] = NoParameters

    def __init__(self, game: Game, seat: int, seed: int, **parameters: Any) -> None:
        """Take a seat.

        Args:
            game: the configuration that is played; it holds no state.
            seat: 0..num_players - 1.
            seed: 0..2**64 - 1; determines the agent's own stream of chance, and with the game's seed all its moves.
            parameters: see `Parameters`.
        """
        self.game = game
        self.seat = game.checked_player(seat)
        self.parameters = self.Parameters(**parameters)
        self._key = mix(mix(mix(game.checked_seed(seed), PURPOSE_AGENT), self.seat), 0)
        self._decisions = 0

    def own(self, view: View) -> View:
        """Return a view of the agent's own seat as it is. Raises ValueError for another seat's."""
        if view.player != self.seat:
            raise ValueError(
                f"this agent has seat {self.seat}, but the view is of seat {view.player}: each seat has its own agent"
            )
        return view

    def next_key(self) -> int:
        """Return the key (0..2**64 - 1) of the chance of the next decision: the agent's stream moves on by one."""
        self._decisions += 1
        return mix(self._key, self._decisions)


def legal_ids(observation: Observation) -> np.ndarray:
    """Return the legal actions, ascending.

    Raises:
        NoLegalAction: the mask is all zero: nobody is to act, or another seat is.
    """
    ids = np.flatnonzero(observation["action_mask"])
    if ids.size == 0:
        raise NoLegalAction("the action mask is all zero: it is not this seat's turn, so there is nothing to choose")
    return ids


class NoViewError(KeyError):
    """An agent that looks into its information set was asked without one."""

    def __str__(self) -> str:
        return str(self.args[0])


def view_of(info: Mapping[str, Any]) -> View:
    """Return the view of the agent's information set that the host has put into `info`.

    Raises:
        NoViewError: there is none; the sentence says how to make one.
    """
    if "view" not in info:
        raise NoViewError(
            "this agent has needs_view = True, but info has no 'view'; environments and the arena give one to their "
            "agents, and by hand it is info = {'view': View(state, state.current_player, seed)} with "
            "northmen_env.engine.view.View"
        )
    view: View = info["view"]
    return view
