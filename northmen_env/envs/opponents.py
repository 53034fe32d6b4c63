"""Who plays the seats that do not learn: names and factories, and the built-in random agent.

An agent is made by `factory(game, seat, seed)`, once for each seat and each game, and asked with
`agent.act(observation, info) -> int` at its own decisions. `observation` is `{"observation", "action_mask"}` as in the
PettingZoo form. If the agent has a true attribute `needs_view`, `info["view"]` is a `northmen_env.engine.view.View`.
Nothing leads from what an agent receives to the true state.

A factory may have a method `many(game)` that returns a `Policy`, which batched environments ask about many games at
once in place of agents (or None, if there is none for this game). It then plays as the agents would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, ClassVar, Protocol

import numpy as np

from northmen_env.engine.game import Game
from northmen_env.engine.opponents import ASKED, HEURISTIC, PYTHON, RANDOM
from northmen_env.engine.random import below, draw
from northmen_env.envs.offered import GROUP, offered

COMPILED = {"random": RANDOM, "heuristic": HEURISTIC}
"""Names of the opponents that play inside kernels, without a crossing to Python."""


class NoLegalAction(ValueError):
    """A mask without a legal action: it is not this seat's turn."""


class Agent(Protocol):
    """What plays a seat for one game."""

    def act(self, observation: Mapping[str, np.ndarray], info: Mapping[str, Any]) -> int:
        """Return a legal action."""
        ...


class Policy(Protocol):
    """What plays seats of many games at once, and remembers nothing from one decision to the next.

    If a policy has a true attribute `needs_suggestion`, `act_many` gets a fourth argument: int64 (B,), what the game's
    heuristic would do in each row by the chance `suggestion_keys(keys)`.
    """

    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return a legal action for each row.

        Args:
            observations: float32 (B, D), of the seats to act.
            masks: int8 (B, A).
            keys: uint64 (B,), the chance of each decision: what `northmen_agents.BaseAgent.next_key` gives.
        """
        ...


def suggestion_keys(keys: np.ndarray) -> np.ndarray:
    """Return uint64 (B,): the chance of the heuristic where a policy that chooses by the chance `keys` asks it."""
    return keys ^ np.uint64(0x9E3779B97F4A7C15)


Factory = Callable[[Game, int, int], Agent]
Opponents = str | Factory | Sequence[str | Factory]


class RandomAgent:
    """Uniform over the legal actions: the same moves as the opponent "random" that plays inside kernels."""

    needs_view: ClassVar[bool] = False

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self._key = np.uint64(seed)
        self._made = 0

    def act(self, observation: Mapping[str, np.ndarray], info: Mapping[str, Any]) -> int:
        """Return an action. Raises `NoLegalAction` where the mask is all zero."""
        ids = np.flatnonzero(observation["action_mask"])
        if ids.size == 0:
            raise NoLegalAction("the action mask is all zero: it is not this seat's turn")
        self._made += 1
        return int(ids[below(draw(self._key, self._made - 1), ids.size)])


def random_agent(game: Game, seat: int, seed: int) -> Agent:
    """Return a `RandomAgent`: the factory behind the name "random" where an agent in Python is wanted."""
    return RandomAgent(game, seat, seed)


def resolve(opponents: Opponents, num_players: int) -> tuple[list[int], list[Factory | None]]:
    """Return the kinds (of `engine.opponents`) and factories of the other seats, clockwise from the learner.

    Args:
        opponents: a name or a factory for all other seats, or a list of them with one for each other seat.
        num_players: seats of the game.

    Raises:
        ValueError: no such name, one that cannot be loaded, or a list of another length.
        TypeError: something that is neither a name nor callable.
    """
    others = num_players - 1
    if isinstance(opponents, str) or callable(opponents):
        chosen = [opponents] * others
    elif isinstance(opponents, Sequence):
        chosen = list(opponents)
    else:
        raise TypeError(
            f"opponents is a name, a factory (game, seat, seed) -> agent, or a list of them, not {opponents!r}"
        )
    if len(chosen) != others:
        raise ValueError(
            f"opponents is a list of {len(chosen)}, but there are {others} other seats (clockwise from the learner)"
        )
    kinds: list[int] = []
    factories: list[Factory | None] = []
    for one in chosen:
        name = one if isinstance(one, str) else ""
        kinds.append(COMPILED.get(name, PYTHON))
        factories.append(None if name in COMPILED else _factory(one))
    return kinds, factories


def policies_of(
    kinds: list[int], factories: Sequence[Factory | None], game: Game
) -> tuple[list[int], list[Policy]] | None:
    """Return kinds with ASKED and more where an agent in Python stood, and the policies that play in their place.

    Returns:
        None where one of the agents has no such policy: it has to be asked game by game.
    """
    made: list[tuple[Factory, int]] = []
    policies: list[Policy] = []
    found = list(kinds)
    for i, factory in enumerate(factories):
        if factory is None:
            continue
        known = next((number for other, number in made if other == factory), None)
        if known is None:
            many = getattr(factory, "many", None)
            policy = many(game) if callable(many) else None
            if policy is None:
                return None
            known = len(policies)
            policies.append(policy)
            made.append((factory, known))
        found[i] = ASKED + known
    return found, policies


def _factory(one: Any) -> Factory:
    if callable(one):
        return one  # type: ignore[no-any-return]
    if not isinstance(one, str):
        raise TypeError(f"an opponent is a name or a factory (game, seat, seed) -> agent, not {one!r}")
    found: Factory | None = offered(one)
    if found is not None:
        return found
    names = sorted({*COMPILED, *(point.name for point in entry_points(group=GROUP))})
    raise ValueError(
        f"there is no opponent {one!r}; the names here are {', '.join(names)} (installed packages add theirs through "
        f"the entry-point group {GROUP!r}), and a factory (game, seat, seed) -> agent can be given instead"
    )
