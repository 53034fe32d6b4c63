"""More games for `extensive`: rows of three for 2 to 4 seats, partners, an opponent to be trusted, random trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_agents import make_factory
from northmen_env.engine.view import View
from tiny.extensive import PUZZLES, Options, Tables, load

__all__ = ["ROWS", "load", "max_n", "shown"]

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

# Squares of each seat on a board of 3 by 3, from the seat to act clockwise, and the moves that are right.
WIN = {
    2: (((0, 1), (3, 4)), {2}),
    3: (((0, 1), (3, 4), (6, 8)), {2}),
    4: (((0, 1), (3, 4), (6, 7), (8,)), {2}),
}
BLOCK = {  # the next seat would win there
    2: (((4, 7), (0, 1)), {2}),
    3: (((4, 8), (0, 1), (6, 5)), {2}),
    4: (((4, 8), (0, 1), (6,), (5,)), {2}),
}
FORK = {2: (((0, 4), (8, 1)), {3, 6})}  # two threats at once: the win is three decisions away
ROWS = {"win": WIN, "block": BLOCK, "fork": FORK}


def row_of_three(kind: str, options: Options) -> Tables:
    """Whoever has three squares in a row wins 1, which the others lose in equal parts. Seat `number` is to act."""
    n = options.num_players
    squares = ROWS[kind][n][0]
    taken = {square: (options.number + i) % n for i, group in enumerate(squares) for square in group}
    t = Tables()
    _expand(t, taken, options.number, n)
    return t


def _expand(t: Tables, taken: dict[int, int], seat: int, n: int) -> int:
    before = (seat - 1) % n
    if any(all(taken.get(square) == before for square in line) for line in LINES):
        return t.add(-1, tuple(1.0 if p == before else -1.0 / (n - 1) for p in range(n)))
    if len(taken) == 9:
        return t.add(-1, (0.0,) * n)
    node = t.add(seat)
    for square in set(range(9)) - set(taken):
        t.lead(node, square, _expand(t, {**taken, square: seat}, (seat + 1) % n, n))
    return node


def partners(options: Options) -> Tables:
    """Seat 0 wins a little for itself, or more for its partner, seat 2, whose value counts as its own."""
    t = Tables(partners=True)
    root = t.add(0)
    t.lead(root, 0, t.add(-1, (0.4, -0.2, 0.0, -0.2)))
    t.lead(root, 1, t.add(-1, (0.0, -0.5, 1.0, -0.5)))
    return t


def trust(options: Options) -> Tables:
    """Seat 0 takes 0, or lets seat 1 choose, for whom it is better that seat 0 wins."""
    t = Tables()
    root, other = t.add(0), t.add(1)
    t.lead(root, 0, t.add(-1, (0.0, 0.0, 0.0)))
    t.lead(root, 1, other)
    t.lead(other, 0, t.add(-1, (0.5, 0.5, -1.0)))
    t.lead(other, 1, t.add(-1, (-1.0, 0.4, 0.6)))
    return t


def sometimes(options: Options) -> Tables:
    """Seat 0 hands over to seat 1, who sees the coin and has a third choice with heads only: the best one."""
    t = Tables(worlds=2)
    root, other = t.add(0), t.add(1)
    t.lead(root, 0, t.add(-1, (-1.0, 1.0)))
    t.lead(root, 1, other)
    t.lead(other, 0, t.add(-1, (0.2, -0.2)))
    t.lead(other, 1, t.add(-1, (0.3, -0.3)))
    best = t.add(-1, (-1.0, 1.0))
    t.lead(other, 2, best, -1)
    for w in range(2):
        t.sight[1, other, w] = 1000 + w
    return t


def random_tree(options: Options) -> Tables:
    """Four decisions, by the seats in turn, two or three actions each; `number` is the seed.

    Everywhere the best action is better by 0.2 than the others for the seat that decides, so that no search has to tell
    near ties apart.
    """
    rng, n, t = np.random.default_rng(options.number), options.num_players, Tables()

    def grow(depth: int) -> tuple[Any, tuple[float, ...]]:
        """Return a subtree as nested lists, and its value."""
        if depth == 4:
            payoff = tuple(rng.uniform(-1, 1, n).round(3).tolist())
            return payoff, payoff
        while True:
            branches = [grow(depth + 1) for _ in range(int(rng.integers(2, 4)))]
            ranked = sorted((value for _, value in branches), key=lambda value: -value[depth % n])
            if ranked[0][depth % n] - ranked[1][depth % n] >= 0.2:
                return [branch for branch, _ in branches], ranked[0]

    def write(branch: Any, depth: int) -> int:
        if depth == 4:
            return t.add(-1, branch)
        node = t.add(depth % n)
        for action, below in enumerate(branch):
            t.lead(node, action, write(below, depth + 1))
        return node

    write(grow(0)[0], 0)
    return t


def max_n(tables: Tables, node: int = 0) -> tuple[float, ...]:
    """Return the seats' values where each maximises its own, by looking at everything (games of one world)."""
    if tables.actor[node] < 0:
        return tables.payoff[node]
    values = [max_n(tables, target) for (_, world), target in tables.child[node].items() if world == 0]
    return max(values, key=lambda value: value[tables.actor[node]])


def shown() -> list[Any]:
    """Return what a few searches find, as JSON values: for comparison between processes."""
    found = []
    for puzzle, players in (("safe or gamble", 2), ("block", 3), ("random tree", 4)):
        for kind in ("mcts", "pimc"):
            game = load(puzzle, players)
            state = game.new_initial_state(5)
            agent = make_factory(kind, simulations=30, exploration=0.9)(game, 0, 7)
            result = agent.search(View(state, 0, 9))
            found.append([result.visits.tolist(), result.values.tolist(), result.decisions, result.nodes])
    return found


PUZZLES["win"] = lambda options: row_of_three("win", options)
PUZZLES["block"] = lambda options: row_of_three("block", options)
PUZZLES["fork"] = lambda options: row_of_three("fork", options)
PUZZLES["partners"] = partners
PUZZLES["trust"] = trust
PUZZLES["sometimes"] = sometimes
PUZZLES["random tree"] = random_tree
