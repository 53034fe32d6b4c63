"""Kinds of agent by name, and the factories that make an agent for a seat."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from northmen_env.envs.offered import GROUP, offered

if TYPE_CHECKING:
    from northmen_agents.base import Agent
    from northmen_env.engine.game import Game
    from northmen_env.envs.opponents import Policy

BUILT_IN = {
    "random": "northmen_agents.random_agent:RandomAgent",
    "heuristic": "northmen_agents.heuristic:HeuristicAgent",
    "flat-mc": "northmen_agents.flat_mc:FlatMCAgent",
    "mcts": "northmen_agents.mcts:MCTSAgent",
    "pimc": "northmen_agents.mcts:PIMCAgent",
    "ppo": "northmen_agents.ppo:PPOAgent",
}
"""Name -> class, found without an installation too. Entry points add other packages' kinds."""


def kinds() -> tuple[str, ...]:
    """Return the names of the kinds that can be used here, in alphabetical order."""
    return tuple(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))


@cache
def kind_class(name: str) -> Callable[..., Agent]:
    """Return the class (or factory function) of a kind.

    Raises:
        ValueError: there is no such kind, or it cannot be loaded.
    """
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        found: Callable[..., Agent] = getattr(importlib.import_module(module), attribute)
        return found
    loaded: Callable[..., Agent] | None = offered(name)
    if loaded is not None:
        return loaded
    raise ValueError(f"there is no kind of agent {name!r}; the kinds are: {', '.join(kinds())}")


@dataclass(frozen=True)
class AgentFactory:
    """Makes an agent for a seat of a game: `factory(game, seat, seed)`. Can be pickled.

    Attributes:
        kind: the name of the kind.
        parameters: all its parameters, defaults filled in.
    """

    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)

    def __call__(self, game: Game, seat: int, seed: int) -> Agent:
        return kind_class(self.kind)(game, seat, seed, **self.parameters)

    def many(self, game: Game) -> Policy | None:
        """Return the policy that plays many games at once in place of the agents, None for kinds that have none."""
        make = getattr(kind_class(self.kind), "many", None)
        policy: Policy | None = None if make is None else make(game, **self.parameters)
        return policy

    def described(self, game: str) -> dict[str, Any]:
        """Return what is stored with results at the game of this name: kind, version, whether it cheats, parameters.

        A kind that reads files adds what they are by a class method `identity(game, **parameters)`.
        """
        made = kind_class(self.kind)
        identity = getattr(made, "identity", None)
        return {
            "kind": self.kind,
            "version": getattr(made, "version", 0),
            "cheats": bool(getattr(made, "cheats", False)),
            **self.parameters,
            **({} if identity is None else identity(game, **self.parameters)),
        }


def make_factory(kind: str, /, **parameters: Any) -> AgentFactory:
    """Return the factory of a kind of agent with these parameters.

    Raises:
        ValueError: no such kind, no such parameter or a wrong value; the sentence says what is allowed.
    """
    made = kind_class(kind)
    model = getattr(made, "Parameters", None)
    if model is None:
        return _accepted(AgentFactory(kind, dict(parameters)), made)
    if not isinstance(model, type) or not issubclass(model, BaseModel):
        raise ValueError(f"Parameters of the kind of agent {kind!r} must be a pydantic model, not {model!r}")
    for name in parameters:
        if name not in model.model_fields:
            known = ", ".join(model.model_fields) or "none"
            raise ValueError(f"the kind of agent {kind!r} has no parameter {name!r}; its parameters are: {known}")
    try:
        return _accepted(AgentFactory(kind, model(**parameters).model_dump()), made)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        if not name:
            raise ValueError(f"the kind of agent {kind!r}: {first['msg'].removeprefix('Value error, ')}") from None
        raise ValueError(
            f"parameter {name!r} of the kind of agent {kind!r} cannot be {first['input']!r}: {first['msg']}"
        ) from None


def _accepted(factory: AgentFactory, made: Callable[..., Agent]) -> AgentFactory:
    """Return the factory, whose class or function has to take a game, a seat, a seed and the parameters."""
    try:
        signature = inspect.signature(made)
    except (TypeError, ValueError):
        return factory  # written in C: it has to be tried
    try:
        signature.bind(None, 0, 0, **factory.parameters)
    except TypeError as error:
        given = "".join(f", {name}=..." for name in factory.parameters)
        raise ValueError(
            f"the kind of agent {factory.kind!r} cannot be called as kind(game, seat, seed{given}): {error}"
        ) from None
    return factory


class Preset:
    """A kind of agent that is another kind with parameters of its own, so that it can be named without any.

    Attributes:
        kind: name of the other kind.
        parameters: those that differ from its defaults.
    """

    def __init__(self, kind: str, **parameters: Any) -> None:
        self.kind = kind
        self.parameters = parameters

    def __call__(self, game: Game, seat: int, seed: int) -> Agent:
        return make_factory(self.kind, **self.parameters)(game, seat, seed)

    def many(self, game: Game) -> Policy | None:
        """As `AgentFactory.many`."""
        return make_factory(self.kind, **self.parameters).many(game)

    @property
    def version(self) -> int:
        """The version of the other kind, which is stored with results."""
        return int(getattr(kind_class(self.kind), "version", 0))


flat_mc_20 = Preset("flat-mc", simulations=20)
flat_mc_200 = Preset("flat-mc", simulations=200)
mcts_200 = Preset("mcts", simulations=200)
mcts_2000 = Preset("mcts", simulations=2000)
pimc_200 = Preset("pimc", simulations=200)
