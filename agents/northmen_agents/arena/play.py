"""One game between agents: the host holds the true state, the agents get what their seats may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, Any

from northmen_agents.arena.schedule import GameKey, Job
from northmen_agents.base import Agent
from northmen_agents.kinds import AgentFactory
from northmen_env.engine.random import PURPOSE_RESAMPLE, mix
from northmen_env.engine.view import View

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State


class AgentError(Exception):
    """An agent broke down or chose what is not legal; the sentence names the agent and the game."""


@dataclass(frozen=True)
class GameResult:
    """What is kept of one game; `seconds` is the only part that another run of the same game may change.

    Attributes:
        key: identity of the game.
        agents: name of the agent on each seat.
        seed: the game's seed.
        ranks: rank of each seat, 1 is best, ties share the better rank.
        returns, scores: of each seat.
        decisions: made by each seat.
        actions: all actions in order.
        digest: SHA-256 of the final State JSON.
        seconds: spent by each seat's agent, its view included.
    """

    key: GameKey
    agents: tuple[str, ...]
    seed: int
    ranks: tuple[int, ...]
    returns: tuple[float, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    actions: tuple[int, ...]
    digest: str
    seconds: tuple[float, ...]


class Seat:
    """An agent on its seat in one game, asked by the host: it gets the seat's observation, mask and, to search, view.

    Args:
        game: the configuration.
        seat: 0..num_players - 1.
        factory: called once, so that no two seats or games share an object.
        seed: of the agent.
    """

    def __init__(self, game: Game, seat: int, factory: Callable[[Game, int, int], Agent], seed: int) -> None:
        self.agent = factory(game, seat, seed)
        self._seat = seat
        self._view_key = mix(mix(seed, PURPOSE_RESAMPLE), seat)
        self._decisions = 0

    def act(self, state: State) -> int:
        """Return the agent's action in `state`, which is not changed and not handed over; the seat is to act."""
        observation = {"observation": state.observation(self._seat), "action_mask": state.legal_action_mask()}
        self._decisions += 1
        info: dict[str, Any] = {}
        if getattr(self.agent, "needs_view", False):
            info["view"] = View(state, self._seat, mix(self._view_key, self._decisions))
        return index(self.agent.act(observation, info))  # 2.7 and None are no actions


def seated(game: Game, seat: int, factory: Callable[[Game, int, int], Agent], seed: int, name: str, where: str) -> Seat:
    """Return the agent on its seat. Raises AgentError with its `name` and `where` if it cannot be made."""
    try:
        return Seat(game, seat, factory, seed)
    except Exception as error:
        raise AgentError(f"agent {name!r} cannot take seat {seat} of {where}: {_told(error)}") from error


def decided(host: Seat, state: State, name: str, where: str) -> int:
    """Return a legal action of the seat to act. Raises AgentError, which tells the agent's `name` and `where`."""
    who = f"agent {name!r} on seat {state.current_player} of {where}"
    try:
        action = host.act(state)
    except Exception as error:
        raise AgentError(f"{who} failed at its decision: {_told(error)}") from error
    if action not in state.legal_actions():
        raise AgentError(f"{who} chose action {action}, which is illegal; legal: {state.legal_actions()}")
    return action


def _told(error: Exception) -> str:
    """Return an exception in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def warm(game: Game, factories: Mapping[str, AgentFactory] | Iterable[AgentFactory]) -> None:
    """Make the kernels that the host and these agents use ready, for later processes to find in the disk cache.

    Args:
        game: the configuration.
        factories: by the agents' names, or without names: errors then tell the kind.

    Raises:
        AgentError: an agent cannot make its first decision.
    """
    state = game.new_initial_state(seed=0)
    state.returns(), state.scores(), state.ranks(), state.digest()
    named = factories.items() if isinstance(factories, Mapping) else [(_kind(each), each) for each in factories]
    where = f"a first game of {game.name} (seed 0)"
    for name, factory in named:
        state = game.new_initial_state(seed=0)
        host = seated(game, state.current_player, factory, 0, name, where)
        state.apply_action(decided(host, state, name, where))


def _kind(factory: AgentFactory) -> str:
    return str(getattr(factory, "kind", factory))


def play_game(game: Game, job: Job, factories: Mapping[str, AgentFactory]) -> GameResult:
    """Play one game to its end.

    Raises:
        AgentError: an agent raised an exception or chose an illegal action.
    """
    state = game.new_initial_state(seed=job.seed)
    where = f"game {tuple(job.key)}"
    seats = [
        seated(game, seat, factories[name], job.agent_seeds[seat], name, where) for seat, name in enumerate(job.agents)
    ]
    seconds, decisions, actions = [0.0] * game.num_players, [0] * game.num_players, []
    while not state.is_terminal():
        seat = state.current_player
        started = perf_counter()
        action = decided(seats[seat], state, job.agents[seat], where)
        seconds[seat] += perf_counter() - started
        decisions[seat] += 1
        actions.append(action)
        state.apply_action(action)
    return GameResult(
        key=job.key,
        agents=job.agents,
        seed=job.seed,
        ranks=tuple(state.ranks()),
        returns=tuple(state.returns().tolist()),
        scores=tuple(state.scores().tolist()),
        decisions=tuple(decisions),
        actions=tuple(actions),
        digest=state.digest(),
        seconds=tuple(seconds),
    )
