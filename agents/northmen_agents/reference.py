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
ALL, FEW = 1, 25  # decisions between two positions of a game


@dataclass(frozen=True)
class Reference:
    """A reference agent at one game.

    Attributes:
        name: under which results name it.
        kind, parameters: what it is.
        version: of its class, which results store.
        game: name of the game.
        every: decisions between two positions; those who do not search are asked at all.
        digests: what `moves_digest` returns for the game with 2 and with 4 players.
    """

    name: str
    kind: str
    parameters: dict[str, Any]
    version: int
    game: str
    every: int
    digests: tuple[str, str]

    def factory(self) -> AgentFactory:
        """Return the factory of the agent."""
        return make_factory(self.kind, **self.parameters)


REFERENCES = (
    Reference("random", "random", {}, 0, "saga", ALL, ("a88d20ed1b5c3c6a", "4536c140c0bd813a")),
    Reference("heuristic", "heuristic", {}, 0, "saga", ALL, ("1f8ddf2e4569125b", "3d2c782bed3d1163")),
    Reference("flat-mc-200", "flat-mc", {"simulations": 200}, 0, "saga", FEW, ("a176d63a311cd00c", "ab43dc24ddf5cb80")),
    Reference("mcts-200", "mcts", {"simulations": 200}, 0, "saga", FEW, ("a2cc9e699af0f967", "3c9d9adc2d73a090")),
    Reference("pimc-200", "pimc", {"simulations": 200}, 0, "saga", FEW, ("56277c311875e901", "e2b1e5e461acc806")),
    Reference("ppo", "ppo", {"greedy": True}, 1, "saga", ALL, ("d3d4378792cf6498", "09032b0201ea3f2d")),
    Reference("heuristic", "heuristic", {}, 0, "blood", ALL, ("ae93d7dfbedbbd05", "d6bb22629f815ff3")),
    Reference("mcts-200", "mcts", {"simulations": 200}, 0, "blood", FEW, ("bbb16de851cba798", "2bd2676c1bc742a8")),
    Reference("pimc-200", "pimc", {"simulations": 200}, 0, "blood", FEW, ("599d4320b2cbd665", "0ef420249c1a68c0")),
    Reference("ppo", "ppo", {"greedy": True}, 1, "blood", ALL, ("247db50dd3b888c8", "1f29a63a46dd62aa")),
    Reference("heuristic", "heuristic", {}, 0, "northgard", ALL, ("d5c1eaf672f0dd30", "96b6d71a76b1d424")),
    Reference("mcts-200", "mcts", {"simulations": 200}, 0, "northgard", FEW, ("a8e993e23089e642", "aff872f1211a0b2f")),
    Reference("pimc-200", "pimc", {"simulations": 200}, 0, "northgard", FEW, ("470d95f2e2f5a43f", "45b272255c5bdab4")),
    Reference("ppo", "ppo", {"greedy": True}, 1, "northgard", ALL, ("b591570a7e73a84c", "a4fa2bd67831371e")),
)


def positions(game: Game, every: int = FEW) -> Iterator[State]:
    """Yield each so many positions of a game that is played half by the heuristic's rules of thumb, half at random.

    The states are always the same: the game's seed and the sampler's stream are fixed.
    """
    state, key = game.new_initial_state(SEED), np.uint64(stream(np.uint64(SEED), PURPOSE_SAMPLER, 0, 0))
    decision = 0
    while not state.is_terminal():
        if decision % every == 0:
            yield state.clone()
        legal = state.legal_actions()
        action = legal[below(draw(key, decision), len(legal))]
        if decision % 2 == 0:
            action = int(boundary.suggest(game.rules, state.array, state.current_player, np.uint64(decision)))
        state.apply_action(action)
        decision += 1


def moves_digest(factory: AgentFactory, game: Game, every: int = FEW) -> str:
    """Return 16 hex digits of a SHA-256 over what new agents of this factory play in `positions(game, every)`."""
    moves = []
    for number, state in enumerate(positions(game, every)):
        moves.append(Seat(game, state.current_player, factory, SEED + number).act(state))
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]
