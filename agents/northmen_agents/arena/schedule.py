"""What a tournament plays: line-ups, deals and seat orders, each game with a key that says all about its chance.

A *deal* is a seed of the game. Every line-up plays every deal in all its seat orders, so that neither the cards nor the
seats favour anybody, and the same deal is met by all line-ups. All seeds are hashes of what they belong to, never of a
counter: results do not depend on workers, on interruptions or on the order in which agents are listed.

The seat orders of a line-up are its images under a group of permutations of the seats: all of them, the rotations, or
the maps x -> a x + b over the field of as many elements as there are seats. That last group is sharply 2-transitive
(Dixon & Mortimer: Permutation Groups, 1996, section 7.6): every ordered pair of agents takes every ordered pair of
seats exactly once. A line-up that holds an agent several times meets each of its images equally often, so playing the
distinct ones once keeps the balance.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any, Literal, NamedTuple

from northmen_env.engine.random import PURPOSE_EPISODE, mix

LineUps = Literal["round-robin", "one-against-many", "many-against-one"]
Orders = Literal["auto", "all", "rotations", "balanced"]

MANY_ORDERS = 24
"""`orders="auto"` plays all seat orders of a line-up up to this many, and a balanced choice of them beyond."""

_FIELD_OF_4 = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))  # products; sums are exclusive ors


class GameKey(NamedTuple):
    """Identity of one game of a tournament; keys sort in the order of the export.

    Attributes:
        deal: number of the deal, 0..deals - 1.
        line_up: names of the agents, one per side, sorted, joined by commas.
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

    A *side* is what one agent plays: a seat, or all seats of a team where the game has partners. A game of one side
    (solo) is played by every agent alone.

    Attributes:
        names: the agents.
        players: seats of a game.
        deals: how many deals are played.
        seed: the tournament's seed.
        line_ups: `"round-robin"`: every set of as many agents as there are sides; with fewer agents than sides, every
            multiset that holds each of them at least once. `"one-against-many"`: one agent against copies of another
            on all other sides, for every such pair whose *one* is in `focus`. `"many-against-one"`: the same, for
            every pair whose *many* are in `focus`. Without `focus` these two are the same set of games.
        orders: the seat orders in which a line-up plays a deal: `"all"` distinct ones; `"balanced"`: every two agents
            take every two seats equally often; `"rotations"`: every agent takes every seat equally often;
            `"auto"`: all, or balanced for a line-up with more than 24.
        focus: the agents that are the one or the many; in a round-robin, every line-up holds one of them. Empty: all.
        teams: the seats of each side, as `game.teams`; empty: every seat is a side of its own.

    Raises:
        ValueError: the entries do not fit together; the sentence says how.
    """

    names: tuple[str, ...]
    players: int
    deals: int
    seed: int = 0
    line_ups: LineUps = "round-robin"
    orders: Orders = "all"
    focus: tuple[str, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names) or not self.names:
            raise ValueError(f"a tournament needs agents of different names, not {', '.join(self.names) or 'none'}")
        unknown = sorted({*self.focus} - {*self.names})
        if unknown:
            raise ValueError(f"focus names {unknown[0]!r}, which is not an agent; agents: {', '.join(self.names)}")
        if sorted(seat for side in self.sides for seat in side) != list(range(self.players)):
            raise ValueError(f"teams {self.teams} do not hold each of the {self.players} seats once")
        if self.line_ups != "round-robin" and len(self.names) < 2 and len(self.sides) > 1:
            raise ValueError(f"{self.line_ups} needs at least two agents")
        if self.orders == "balanced":
            _affine(len(self.sides))

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return self.teams or tuple((seat,) for seat in range(self.players))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The seats of each side as text: `("0", "1")`, or `("0+2", "1+3")` with partners."""
        return tuple("+".join(map(str, side)) for side in self.sides)

    def all_line_ups(self) -> list[tuple[str, ...]]:
        """Return the line-ups, each a sorted tuple of names, one per side, in alphabetical order."""
        names, sides = sorted(self.names), len(self.sides)
        focus = {*(self.focus or names)}
        if self.line_ups != "round-robin" and sides > 1:
            as_one = self.line_ups == "one-against-many"
            found = {
                tuple(sorted((one, *[many] * (sides - 1))))
                for one, many in permutations(names, 2)
                if (one if as_one else many) in focus
            }
        elif len(names) >= sides:
            found = {chosen for chosen in combinations(names, sides) if focus & {*chosen}}
        else:
            found = {chosen for chosen in combinations_with_replacement(names, sides) if {*chosen} == {*names}}
        return sorted(found)

    def seat_orders(self, line_up: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the orders in which a line-up takes the sides of a deal, without repetition."""
        n = len(line_up)
        if self.orders == "rotations":
            group = [tuple((side + shift) % n for side in range(n)) for shift in range(n)]
            return list(dict.fromkeys(_images(line_up, group)))
        if self.orders == "balanced":
            return sorted(set(_images(line_up, _affine(n))))
        every = sorted(set(permutations(line_up)))
        if self.orders == "auto" and len(every) > MANY_ORDERS:
            return sorted(set(_images(line_up, _affine(n))))
        return every

    @cached_property
    def _patterns(self) -> Counter[tuple[str, ...]]:
        """How many line-ups repeat their agents alike; the pattern of (fox, fox, owl) is ("0", "0", "1")."""
        return Counter(
            tuple(str(sorted({*line_up}).index(name)) for name in line_up) for line_up in self.all_line_ups()
        )

    @cached_property
    def games_per_deal(self) -> int:
        """How many games each deal is played in."""
        return sum(count * len(self.seat_orders(pattern)) for pattern, count in self._patterns.items())

    def __len__(self) -> int:
        return self.deals * self.games_per_deal

    def __iter__(self) -> Iterator[Job]:
        """Yield the games, deal by deal, so that an interrupted tournament is balanced too."""
        return self.missing(())

    def missing(self, done: Container[GameKey]) -> Iterator[Job]:
        """Yield the games that are not in `done`, in the order in which they are played."""
        plan = [(",".join(line_up), self.seat_orders(line_up)) for line_up in self.all_line_ups()]
        for deal in range(self.deals):
            for line_up, orders in plan:
                for number, agents in enumerate(orders):
                    key = GameKey(deal, line_up, number)
                    if key not in done:
                        yield self.job(key, agents)

    def job(self, key: GameKey, order: tuple[str, ...]) -> Job:
        """Return the game `key`, in which the agents take the sides in this order."""
        agents = [""] * self.players
        for name, side in zip(order, self.sides):
            for seat in side:
                agents[seat] = name
        seeds = tuple(agent_seed(self.seed, key.deal, seat, name) for seat, name in enumerate(agents))
        return Job(key, tuple(agents), self.deal_seed(key.deal), seeds)

    def deal_seed(self, deal: int) -> int:
        """Return the seed of the game in deal number `deal`."""
        return mix(mix(self.seed, PURPOSE_EPISODE), deal)

    def described(self) -> str:
        """Return a sentence for the table: which line-ups, how many games of a deal, by which seat orders."""
        games = f"{self.games_per_deal} game{'s' if self.games_per_deal != 1 else ''} per deal"
        if len(self.sides) == 1:
            return f"Solo: each of {len(self.names)} agents plays each deal alone; {games}."
        count = len(self.all_line_ups())
        focus = f" with focus on {', '.join(sorted(self.focus))}" if self.focus else ""
        line_ups = f"{count} line-up{'s' if count != 1 else ''} ({self.line_ups}{focus})"
        partners = f" of partners on seats {' and '.join(self.side_names)}" if self.teams_play else ""
        return f"{line_ups}{partners}; {games}: {self._orders_described()}."

    @property
    def teams_play(self) -> bool:
        """Whether an agent plays several seats as partners."""
        return any(len(side) > 1 for side in self.sides)

    def _orders_described(self) -> str:
        words = {
            "all": "all seat orders",
            "rotations": "rotations, every agent on every seat equally often",
            "balanced": "a balanced choice of the seat orders, every two agents on every two seats equally often",
        }
        if self.orders != "auto":
            return words[self.orders]
        full = [len(self.seat_orders(pattern)) == len(set(permutations(pattern))) for pattern in self._patterns]
        if all(full):
            return words["all"]
        if not any(full):
            return words["balanced"]
        return f"{words['all']} of a line-up with up to {MANY_ORDERS}, of others {words['balanced']}"


def _images(line_up: Sequence[str], group: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    return [tuple(line_up[i] for i in mapped) for mapped in group]


def _affine(n: int) -> list[tuple[int, ...]]:
    """Return the n (n - 1) permutations x -> a x + b of the field of `n` elements, a not 0.

    Raises:
        ValueError: there is no such field, or only one that no game here needs.
    """
    if n == 4:
        return [tuple(_FIELD_OF_4[a][x] ^ b for x in range(4)) for a in range(1, 4) for b in range(4)]
    if n > 1 and any(n % divisor == 0 for divisor in range(2, n)):
        raise ValueError(f"there are balanced seat orders for 2, 3, 4, 5 or 7 sides, not for {n}; use orders=rotations")
    return [tuple((a * x + b) % n for x in range(n)) for a in range(1, max(n, 2)) for b in range(n)]


def agent_seed(*belongs_to: Any) -> int:
    """Return the seed of an agent's own chance: a one-way hash, so that no agent can find the game's seed from its own.

    Args:
        belongs_to: JSON values that tell the agent's games apart: a seed, a seat, ...
    """
    return int.from_bytes(hashlib.sha256(json.dumps(belongs_to).encode()).digest()[:8], "little")
