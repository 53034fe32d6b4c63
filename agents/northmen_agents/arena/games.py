"""The games of a tournament as columns, because 100,000 of them one by one are slow to read and to count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np

from northmen_agents.arena.play import GameResult
from northmen_agents.arena.schedule import GameKey


@dataclass(frozen=True, eq=False)
class Games(Sequence[GameResult]):
    """Games of one number of seats, in a fixed order; `games[i]` is the `GameResult` of one.

    N games of n seats between K agents.

    Attributes:
        names: the K agents that occur, sorted.
        agents: int64 (N, n), number in `names` of the agent on each seat.
        deal, order: int64 (N,), see `schedule.GameKey`.
        line_ups: N texts, see `schedule.GameKey`.
        seeds: N ints.
        ranks, decisions: int64 (N, n), of each seat.
        returns, scores, seconds: float64 (N, n), of each seat.
        digests: N texts, SHA-256 of the final State JSON.
        actions: N bytes objects, the actions of a game as little-endian int16.
    """

    names: tuple[str, ...]
    agents: np.ndarray
    deal: np.ndarray
    order: np.ndarray
    line_ups: Sequence[str]
    seeds: Sequence[int]
    ranks: np.ndarray
    decisions: np.ndarray
    returns: np.ndarray
    scores: np.ndarray
    seconds: np.ndarray
    digests: Sequence[str]
    actions: Sequence[bytes]

    @classmethod
    def of(cls, results: Iterable[GameResult]) -> Games:
        """Return the columns of these games, in this order; `Games` are returned as they are.

        Raises:
            ValueError: two games have different numbers of seats.
        """
        if isinstance(results, Games):
            return results
        rows = list(results)
        seats = {len(row.agents) for row in rows}
        if len(seats) > 1:
            raise ValueError(f"the games of one tournament have one number of seats, not {sorted(seats)}")
        shape = (len(rows), seats.pop() if seats else 0)
        names, agents = numbered([row.agents for row in rows])
        return cls(
            names=names,
            agents=agents.reshape(shape),
            deal=np.array([row.key.deal for row in rows], np.int64),
            order=np.array([row.key.order for row in rows], np.int64),
            line_ups=[row.key.line_up for row in rows],
            seeds=[row.seed for row in rows],
            ranks=np.array([row.ranks for row in rows], np.int64).reshape(shape),
            decisions=np.array([row.decisions for row in rows], np.int64).reshape(shape),
            returns=np.array([row.returns for row in rows], np.float64).reshape(shape),
            scores=np.array([row.scores for row in rows], np.float64).reshape(shape),
            seconds=np.array([row.seconds for row in rows], np.float64).reshape(shape),
            digests=[row.digest for row in rows],
            actions=[packed(row.actions) for row in rows],
        )

    def __len__(self) -> int:
        return len(self.deal)

    @overload
    def __getitem__(self, index: int) -> GameResult: ...

    @overload
    def __getitem__(self, index: slice) -> list[GameResult]: ...

    def __getitem__(self, index: int | slice) -> GameResult | list[GameResult]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return GameResult(
            key=GameKey(int(self.deal[index]), self.line_ups[index], int(self.order[index])),
            agents=tuple(self.names[i] for i in self.agents[index].tolist()),
            seed=self.seeds[index],
            ranks=tuple(self.ranks[index].tolist()),
            returns=tuple(self.returns[index].tolist()),
            scores=tuple(self.scores[index].tolist()),
            decisions=tuple(self.decisions[index].tolist()),
            actions=unpacked(self.actions[index]),
            digest=self.digests[index],
            seconds=tuple(self.seconds[index].tolist()),
        )

    def __iter__(self) -> Iterator[GameResult]:
        return (self[i] for i in range(len(self)))

    @property
    def seats(self) -> int:
        """Seats of each game; 0 if there are no games."""
        return int(self.agents.shape[1])


def numbered(line_ups: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the names that occur, sorted, and int64 (N, n): the number of each name."""
    names = tuple(sorted(set(chain.from_iterable(set(line_ups)))))
    index = {name: number for number, name in enumerate(names)}
    rows = {line_up: [index[name] for name in line_up] for line_up in set(line_ups)}
    return names, np.array([rows[line_up] for line_up in line_ups], np.int64)


def packed(actions: Sequence[int]) -> bytes:
    """Return actions as they are kept: little-endian int16."""
    return np.asarray(actions, "<i2").tobytes()


def unpacked(actions: bytes) -> tuple[int, ...]:
    """Return what `packed` was given."""
    return tuple(np.frombuffer(actions, "<i2").tolist())
