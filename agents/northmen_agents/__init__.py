"""Agents for the games of northmen-env, and the arena in which they meet.

    from northmen_agents import make_factory

    factory = make_factory("flat-mc", simulations=200)
    agent = factory(game, seat=0, seed=7)        # one object per seat and per game
    action = agent.act(observation, info)

Kinds of agent are listed by `kinds()`; installed packages add their own through the entry-point group
`northmen.agents`.
"""

from __future__ import annotations

from northmen_agents.kinds import AgentFactory, kinds, make_factory

__all__ = ["AgentFactory", "kinds", "make_factory"]
