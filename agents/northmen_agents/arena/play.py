"""One game between agents: the host holds the true state, the agents get what their seats may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from northmen_agents.arena.schedule import GameKey, Job
from northmen_agents.base import Agent
from northmen_agents.kinds import AgentFactory
from northmen_env.engine.random import PURPOSE_RESAMPLE, mix

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


class Seats:
    """The agents of one game, asked by the host: each sees its own observation, mask and, if it searches, view.

    Args:
        game: the configuration.
        factories: of the agent on each seat; called once, so that no two seats or games share an object.
        seeds: of the agents.
    """

    def __init__(self, game: Game, factories: Sequence[AgentFactory], seeds: Sequence[int]) -> None:
        self.agents: list[Agent] = [
            factory(game, seat, seed) for seat, (factory, seed) in enumerate(zip(factories, seeds))
        ]
        self._view_keys = [mix(mix(seed, PURPOSE_RESAMPLE), seat) for seat, seed in enumerate(seeds)]
        self._decisions = [0] * len(self.agents)

    def act(self, state: State) -> int:
        """Return the action of the seat to act; `state` is not changed and not handed over."""
        seat = state.current_player
        agent = self.agents[seat]
        observation = {"observation": state.observation(seat), "action_mask": state.legal_action_mask()}
        self._decisions[seat] += 1
        info: dict[str, Any] = {}
        if agent.needs_view:
            info["view"] = own_view(state, seat, mix(self._view_keys[seat], self._decisions[seat]))
        return int(agent.act(observation, info))


def own_view(state: State, seat: int, seed: int) -> Any:
    """Return a view of what `seat` knows, made of one resample of `state`."""
    from northmen_env.engine.view import View

    return View(state, seat, seed)


def play_game(game: Game, job: Job, factories: Mapping[str, AgentFactory]) -> GameResult:
    """Play one game to its end.

    Raises:
        AgentError: an agent raised an exception or chose an illegal action.
    """
    state = game.new_initial_state(seed=job.seed)
    seats = Seats(game, [factories[name] for name in job.agents], job.agent_seeds)
    seconds, decisions, actions = [0.0] * game.num_players, [0] * game.num_players, []
    while not state.is_terminal():
        seat = state.current_player
        started = perf_counter()
        action = _asked(seats, state, job)
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


def _asked(seats: Seats, state: State, job: Job) -> int:
    """Return a legal action of the seat to act, or say which agent failed where."""
    seat = state.current_player
    where = f"agent {job.agents[seat]!r} on seat {seat} of game {tuple(job.key)}"
    try:
        action = seats.act(state)
    except Exception as error:
        raise AgentError(f"{where} failed at its decision: {type(error).__name__}: {error}") from error
    if action not in state.legal_actions():
        raise AgentError(f"{where} chose action {action}, which is illegal; legal: {state.legal_actions()}")
    return action
