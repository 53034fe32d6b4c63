"""Agents for the games of northmen-env, and the arena in which they meet.

    from northmen_agents import make_factory

    factory = make_factory("flat-mc", simulations=200)
    agent = factory(game, seat=0, seed=7)        # one object per seat and per game
    action = agent.act(observation, info)

Kinds of agent are listed by `kinds()`; installed packages add their own through the entry-point group
`northmen.agents`. `BaseAgent` is the class to begin with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from northmen_agents.kinds import AgentFactory, kinds, make_factory

if TYPE_CHECKING:
    from northmen_agents.base import BaseAgent

__all__ = ["AgentFactory", "BaseAgent", "kinds", "make_factory"]


def __getattr__(name: str) -> Any:
    """Import `BaseAgent` when it is asked for: it needs numba, and names and parameters do not."""
    if name == "BaseAgent":
        from northmen_agents.base import BaseAgent

        return BaseAgent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
