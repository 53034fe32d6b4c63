"""What a tournament plays: line-ups, deals and seat orders, each game with a key that says all about its chance.

A *deal* is a seed of the game. Every line-up plays every deal in all its seat orders, so that neither the cards nor the
seats favour anybody, and the same deal is met by all line-ups. All seeds are hashes of what they belong to, never of a
counter: results do not depend on workers, on interruptions or on the order in which agents are listed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any, Literal, NamedTuple

from northmen_env.engine.random import PURPOSE_EPISODE, mix

LineUps = Literal["round-robin", "one-against-many"]
Orders = Literal["all", "rotations"]


class GameKey(NamedTuple):
    """Identity of one game of a tournament; keys sort in the order of the export.

    Attributes:
        deal: number of the deal, 0..deals - 1.
        line_up: names of the agents, sorted, joined by commas.
        order: number of the seat order within the line-up.
    """

    deal: int
    line_up: str
    order: int


@dataclass(frozen=True)
class Job:
    """One game to play.

    Attributes:
        key: its identity.
        agents: name of the agent on each seat.
        seed: the game's seed, shared by every game of the deal.
        agent_seeds: seed of each seat's agent; it depends on the deal, the seat and the agent's name only.
    """

    key: GameKey
    agents: tuple[str, ...]
    seed: int
    agent_seeds: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament, in the order in which they are played.

    Attributes:
        names: the agents.
        players: seats of a game.
        deals: how many deals are played.
        seed: the tournament's seed.
        line_ups: `"round-robin"`: every set of `players` agents; with fewer agents than seats, every multiset that
            holds each of them at least once. `"one-against-many"`: for every ordered pair of agents, one of the first
            against `players - 1` of the second.
        orders: `"all"` distinct seat orders of a line-up, or its `"rotations"` (each agent once on each seat).
    """

    names: tuple[str, ...]
    players: int
    deals: int
    seed: int = 0
    line_ups: LineUps = "round-robin"
    orders: Orders = "all"

    def all_line_ups(self) -> list[tuple[str, ...]]:
        """Return the line-ups, each a sorted tuple of names, in alphabetical order."""
        names = sorted(self.names)
        if self.line_ups == "one-against-many":
            found = {tuple(sorted((one, *[many] * (self.players - 1)))) for one, many in permutations(names, 2)}
        elif len(names) >= self.players:
            found = set(combinations(names, self.players))
        else:
            found = {
                chosen for chosen in combinations_with_replacement(names, self.players) if set(chosen) == set(names)
            }
        return sorted(found)

    def seat_orders(self, line_up: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the seat orders in which a line-up plays a deal, without repetition."""
        if self.orders == "rotations":
            found = [tuple(line_up[shift:]) + tuple(line_up[:shift]) for shift in range(len(line_up))]
            return list(dict.fromkeys(found))
        return sorted(set(permutations(line_up)))

    def __len__(self) -> int:
        return self.deals * sum(len(self.seat_orders(line_up)) for line_up in self.all_line_ups())

    def __iter__(self) -> Iterator[Job]:
        """Yield the games, deal by deal, so that an interrupted tournament is balanced too."""
        plan = [(",".join(line_up), self.seat_orders(line_up)) for line_up in self.all_line_ups()]
        for deal in range(self.deals):
            for line_up, orders in plan:
                for number, agents in enumerate(orders):
                    yield self.job(GameKey(deal, line_up, number), agents)

    def job(self, key: GameKey, agents: tuple[str, ...]) -> Job:
        """Return the game `key`, in which `agents` take the seats in this order."""
        seeds = tuple(agent_seed(self.seed, key.deal, seat, name) for seat, name in enumerate(agents))
        return Job(key, agents, self.deal_seed(key.deal), seeds)

    def deal_seed(self, deal: int) -> int:
        """Return the seed of the game in deal number `deal`."""
        return mix(mix(self.seed, PURPOSE_EPISODE), deal)


def agent_seed(*belongs_to: Any) -> int:
    """Return the seed of an agent's own chance: a one-way hash, so that no agent can find the game's seed from its own.

    Args:
        belongs_to: JSON values that tell the agent's games apart: a seed, a seat, ...
    """
    return int.from_bytes(hashlib.sha256(json.dumps(belongs_to).encode()).digest()[:8], "little")
