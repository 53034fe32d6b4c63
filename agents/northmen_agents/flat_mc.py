"""Flat Monte Carlo over determinisations: the simplest searcher, and the yardstick for better ones.

Each simulation draws a world that the seat cannot tell from the true one, plays one of the legal actions there and then
plays that world to its end. The action with the best mean value is played (Ginsberg: GIB, steps toward an expert-level
bridge-playing program, IJCAI 1999, with playouts in place of a solver). Playouts follow the game's heuristic by
default, which makes this a rollout algorithm (Tesauro & Galperin: On-line policy improvement using Monte-Carlo search,
NIPS 1996): with enough simulations it plays better than the heuristic that it rolls out. Known weaknesses: it believes
that everybody, itself included, plays like the playouts afterwards, and that the hidden cards are open from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from northmen_agents.base import BaseAgent, Observation, view_of
from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.playout import UNLIMITED, play_on, play_to_end, value_of
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, shuffle, stream

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

ROOT, WORLD, PLAYOUT = 0, 1, 2


class FlatMCParameters(BaseModel):
    """Parameters of `FlatMCAgent`.

    Attributes:
        simulations: playouts per decision, over all legal actions together.
        playout: `"suggest"`: all seats play by the game's heuristic; `"random"`: uniformly at random.
        value: what a playout is worth: `"returns"`; or `"returns+evaluate"`, the mean with the game's estimate of the
            final state, so that a clear result counts for more than a narrow one and few playouts say more.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    simulations: int = Field(200, ge=1, le=10_000_000, strict=True)
    playout: Literal["suggest", "random"] = "suggest"
    value: Literal["returns", "returns+evaluate"] = "returns+evaluate"


@kernel
def flat_monte_carlo(
    rules, states, player, key, simulations, by_suggest, with_estimate, ids, scratch, payoff, totals, visits
):  # fmt: skip
    """Spend `simulations` playouts on the legal actions of `states[ROOT]`; return how many actions there are.

    The actions take turns in a random order, and every round of turns shares one world and one stream of playout
    moves, so that actions are compared under the same luck.

    Args:
        rules: array (1,).
        states: array (3,): the root (kept), the world, the playout.
        player: the seat to act.
        key: uint64, the chance of this decision.
        by_suggest, with_estimate: 0 or 1, see `FlatMCParameters`.
        ids: int16 (max_legal,): filled with the legal actions in the order of their turns.
        scratch: int16 (max_legal,), and payoff: float64 (seats,).
        totals, visits: float64 and int64 (max_legal,): sum of the values and number of playouts, by turn.

    `ids` are ordered by `shuffle`, which takes ids below 4096.
    """
    count = verbs.legal_ids(rules[0], states[ROOT], ids)
    shuffle(stream(key, PURPOSE_SAMPLER, 0, 0), ids, count)
    totals[:count] = 0.0
    visits[:count] = 0
    for simulation in range(simulations):
        turn = simulation % count
        number = simulation // count
        if turn == 0:
            states[WORLD] = states[ROOT]
            verbs.resample(rules[0], states[WORLD], player, stream(key, PURPOSE_RESAMPLE, player, number))
        states[PLAYOUT] = states[WORLD]
        verbs.step(rules[0], states[PLAYOUT], int(ids[turn]))
        play_out(rules[0], states[PLAYOUT], stream(key, PURPOSE_SAMPLER, 1, number), by_suggest, scratch)
        totals[turn] += value_of(rules[0], states[PLAYOUT], player, with_estimate, payoff)
        visits[turn] += 1
    return count


@kernel
def play_out(rules, state, key, by_suggest, scratch):
    """Play to the end with the chance of stream `key`."""
    if by_suggest == 0:
        play_to_end(rules, state, key, scratch)
    else:
        play_on(rules, state, key, UNLIMITED)


class FlatMCAgent(BaseAgent):
    """Flat Monte Carlo with a fixed number of simulations per decision and no clock: one seed, one game."""

    needs_view: ClassVar[bool] = True
    Parameters: ClassVar[type[BaseModel]] = FlatMCParameters
    parameters: FlatMCParameters

    def __init__(self, game: Game, seat: int, seed: int, **parameters: Any) -> None:
        super().__init__(game, seat, seed, **parameters)
        self._states = np.zeros(3, game.spec.state_dtype)
        self._ids = np.zeros(game.max_legal, np.int16)
        self._scratch = np.zeros(game.max_legal, np.int16)
        self._payoff = np.zeros(game.seats)
        self._totals = np.zeros(game.max_legal)
        self._visits = np.zeros(game.max_legal, np.int64)

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        means = self.evaluate(view_of(info))
        return max(means, key=lambda action: means[action])

    def evaluate(self, view: Any) -> dict[int, float]:
        """Return the mean value of each legal action that was tried, in the (random) order of the turns."""
        key = self.next_key()
        sample = self.own(view).sample(key)
        self._states[:1].view(np.uint8)[:] = sample.array.view(np.uint8)
        count = flat_monte_carlo(
            self.game.rules,
            self._states,
            self.seat,
            np.uint64(key),
            self.parameters.simulations,
            int(self.parameters.playout == "suggest"),
            int(self.parameters.value == "returns+evaluate"),
            self._ids,
            self._scratch,
            self._payoff,
            self._totals,
            self._visits,
        )
        tried = min(count, self.parameters.simulations)
        means = self._totals[:tried] / self._visits[:tried]
        return dict(zip(self._ids[:tried].tolist(), means.tolist()))
