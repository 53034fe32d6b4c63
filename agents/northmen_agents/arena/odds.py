"""What fitted ratings say about games: who finishes above whom, and where an agent of a line-up finishes.

All of it is exact arithmetic on the model of `ratings`: a game is a series of choices, so a sum over the sets of those
that have not been placed yet gives every probability. Arrays of utilities may have leading dimensions (seat orders,
bootstrap samples), which are carried along.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from northmen_agents.arena.ratings import Ratings


class Outcome(NamedTuple):
    """What can be expected of n entries that play one game.

    Attributes:
        place: float64 (..., n, n), probability that the entry (row) takes the place (column, best first); those who
            tie take the places of their tie with equal probability. Rows and columns sum to 1.
        above: float64 (..., n, n), probability that row finishes above column, a tie counting half; 0 on the diagonal.
    """

    place: np.ndarray
    above: np.ndarray


def outcome(utility: np.ndarray, ties: Mapping[int, float]) -> Outcome:
    """Return what the model expects of one game.

    Args:
        utility: float64 (..., n), log worth of each entry on its seat.
        ties: size of a tie -> log delta; sizes that are missing do not occur.
    """
    *lead, n = utility.shape
    place, above = np.zeros((*lead, n, n)), np.zeros((*lead, n, n))
    reached = {(1 << n) - 1: np.ones(lead)}  # probability that these entries, as bits, are left at some moment
    for left in range((1 << n) - 1, 0, -1):
        if left not in reached:
            continue
        entries = [i for i in range(n) if left >> i & 1]
        sets, chance = _choices(utility, left, ties)
        chance = chance * reached.pop(left)[..., None]
        best = n - len(entries)
        for number, chosen in enumerate(sets):
            p, rest = chance[..., number], left & ~sum(1 << i for i in chosen)
            for i in chosen:
                place[..., i, best : best + len(chosen)] += p[..., None] / len(chosen)
                for j in entries:
                    if j != i:
                        above[..., i, j] += 0.5 * p if j in chosen else p
            if rest:
                reached[rest] = reached.get(rest, 0.0) + p
    return Outcome(place, above)


def line_up_outcome(ratings: Ratings, line_up: Sequence[str], *, in_order: bool = False) -> Outcome:
    """Return what to expect of a line-up, averaged over all its seat orders.

    Args:
        ratings: the fitted model.
        line_up: as many names (of rated agents, repetition allowed) as a game has sides.
        in_order: whether the agents take the seats as they are listed, in one game.

    Raises:
        ValueError: the number of names or a name does not fit; the sentence says which.
    """
    n = len(ratings.seat_effect)
    if len(line_up) != n:
        raise ValueError(f"a line-up of these games has {n} agents, not {len(line_up)}")
    unknown = [name for name in line_up if name not in ratings.names]
    if unknown:
        raise ValueError(f"{unknown[0]!r} has no rating; rated are: {', '.join(ratings.names)}")
    strength = ratings.strength[[ratings.names.index(name) for name in line_up]]
    seats = np.array([list(range(n))] if in_order else list(permutations(range(n))))
    found = outcome(strength + ratings.seat_strength[seats], ratings.ties)
    return Outcome(found.place.mean(0), found.above.mean(0))


def finish_probabilities(ratings: Ratings, line_up: Sequence[str], *, in_order: bool = False) -> np.ndarray:
    """Return float64 (n, n): probability that each agent of a line-up (row) takes each place; see `line_up_outcome`."""
    return line_up_outcome(ratings, line_up, in_order=in_order).place


def expected_ranks(ratings: Ratings, line_up: Sequence[str], *, in_order: bool = False) -> np.ndarray:
    """Return float64 (n,): expected place of each agent of a line-up, 1 is best; see `line_up_outcome`."""
    ranks: np.ndarray = finish_probabilities(ratings, line_up, in_order=in_order) @ np.arange(1.0, len(line_up) + 1.0)
    return ranks


def above_matrix(strength: np.ndarray, seat: np.ndarray, ties: Mapping[int, float | np.ndarray]) -> np.ndarray:
    """Return float64 (..., K, K): probability that row finishes above column, ties half, NaN on the diagonal.

    It is that of a game in which the other seats, if there are more than two, are held by agents of mean strength;
    averaged over all seat orders.

    Args:
        strength: float64 (..., K), log worth.
        seat: float64 (..., n), effects in log worth.
        ties: size of a tie -> log delta, a number or float64 (...).
    """
    k, n = strength.shape[-1], seat.shape[-1]
    first, second = np.triu_indices(k, 1)
    # The others are alike, so who sits where matters for the two alone; without ties the others do not matter at all
    # (Luce's axiom: they never change the odds between two).
    shown = n if ties else 2
    seats = np.array([[i, j, *sorted({*range(n)} - {i, j})][:shown] for i, j in permutations(range(n), 2)])
    others = np.broadcast_to(strength.mean(-1)[..., None, None], (*strength.shape[:-1], len(first), shown - 2))
    pairs = np.concatenate([strength[..., first, None], strength[..., second, None], others], -1)
    utility = pairs[..., None, :] + seat[..., None, seats]  # (..., pairs, orders, shown)
    deltas = {size: np.asarray(delta)[..., None, None] for size, delta in ties.items()}
    found = _first_above_second(utility, deltas).mean(-1)
    matrix = np.full((*strength.shape, k), np.nan)
    matrix[..., first, second], matrix[..., second, first] = found, 1.0 - found
    return matrix


def _first_above_second(utility: np.ndarray, ties: Mapping[int, np.ndarray]) -> np.ndarray:
    """Return float64 (...): probability that entry 0 finishes above entry 1, a tie counting half."""
    n = utility.shape[-1]
    above = np.zeros(utility.shape[:-1])
    reached = {(1 << n) - 1: np.ones(utility.shape[:-1])}
    for left in range((1 << n) - 1, 2, -4):  # those with entries 0 and 1 in them: the lowest two bits are set
        if left not in reached:
            continue
        sets, chance = _choices(utility, left, ties)
        chance = chance * reached.pop(left)[..., None]
        for number, chosen in enumerate(sets):
            if 0 in chosen:
                above += chance[..., number] * (0.5 if 1 in chosen else 1.0)
            elif 1 not in chosen:
                rest = left & ~sum(1 << i for i in chosen)
                reached[rest] = reached.get(rest, 0.0) + chance[..., number]
    return above


def _choices(
    utility: np.ndarray, left: int, ties: Mapping[int, float] | Mapping[int, np.ndarray]
) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """Return the sets that can take the next rank together, and float64 (..., sets) their probabilities.

    Args:
        utility, ties: as in `outcome`.
        left: the entries that are left, as bits.
    """
    entries = [i for i in range(utility.shape[-1]) if left >> i & 1]
    sizes = [1, *(size for size in sorted(ties) if size <= len(entries))]
    sets = [chosen for size in sizes for chosen in combinations(entries, size)]
    value = np.stack([utility[..., list(s)].mean(-1) + (ties[len(s)] if len(s) > 1 else 0.0) for s in sets], -1)
    weight = np.exp(value - value.max(-1, keepdims=True))
    chance: np.ndarray = weight / weight.sum(-1, keepdims=True)
    return sets, chance
