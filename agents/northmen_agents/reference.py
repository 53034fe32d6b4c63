"""Agents that others are compared with: each has a version, and a digest of its moves on fixed positions.

A result that names `mcts-200` version 0 can be compared with another only if both played the same moves. `moves_digest`
tells whether this installation's agent does; a test holds it for the digests below. Whoever changes an agent's moves
raises its class's `version` and writes the new digest here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from northmen_agents.arena.play import Seat
from northmen_agents.kinds import AgentFactory, make_factory
from northmen_env.engine import boundary
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, stream

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State

SEED = 20_260_101
EVERY = 25  # decisions between two positions of a game


@dataclass(frozen=True)
class Reference:
    """A reference agent at one game.

    Attributes:
        name: under which results name it.
        kind, parameters: what it is.
        version: of its class, which results store.
        game: name of the game.
        digests: what `moves_digest` returns for the game with 2 and with 4 players.
    """

    name: str
    kind: str
    parameters: dict[str, Any]
    version: int
    game: str
    digests: tuple[str, str]

    def factory(self) -> AgentFactory:
        """Return the factory of the agent."""
        return make_factory(self.kind, **self.parameters)


REFERENCES = (
    Reference("random", "random", {}, 0, "saga", ("f36c5d5c0da9cf01", "7c7876afdf17188b")),
    Reference("heuristic", "heuristic", {}, 0, "saga", ("420f6d05bd74ee6d", "d78edb88a3039113")),
    Reference("flat-mc-200", "flat-mc", {"simulations": 200}, 0, "saga", ("a176d63a311cd00c", "ab43dc24ddf5cb80")),
    Reference("mcts-200", "mcts", {"simulations": 200}, 0, "saga", ("a2cc9e699af0f967", "3c9d9adc2d73a090")),
    Reference("pimc-200", "pimc", {"simulations": 200}, 0, "saga", ("56277c311875e901", "e2b1e5e461acc806")),
    Reference("ppo", "ppo", {"greedy": True}, 1, "saga", ("420f6d05bd74ee6d", "095d09fb9323dbef")),
)


def positions(game: Game) -> Iterator[State]:
    """Yield positions of one game that is played half by the heuristic's rules of thumb and half at random.

    The states are always the same: the game's seed and the sampler's stream are fixed.
    """
    state, key = game.new_initial_state(SEED), np.uint64(stream(np.uint64(SEED), PURPOSE_SAMPLER, 0, 0))
    decision = 0
    while not state.is_terminal():
        if decision % EVERY == 0:
            yield state.clone()
        legal = state.legal_actions()
        action = legal[below(draw(key, decision), len(legal))]
        if decision % 2 == 0:
            action = int(boundary.suggest(game.rules, state.array, state.current_player, np.uint64(decision)))
        state.apply_action(action)
        decision += 1


def moves_digest(factory: AgentFactory, game: Game) -> str:
    """Return 16 hex digits of a SHA-256 over what new agents of this factory play in `positions(game)`."""
    moves = []
    for number, state in enumerate(positions(game)):
        moves.append(Seat(game, state.current_player, factory, SEED + number).act(state))
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]
