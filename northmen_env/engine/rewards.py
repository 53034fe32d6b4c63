"""Rewards as increments towards a target, the one mechanism behind sparse, dense and illegal endings.

At every step each seat is paid `target - paid so far`. The target is 0 (or, with `dense`, the potential below) while
the game goes on, `returns` when it ends, and the penalty when an illegal action ended it; so the sum of a seat's
rewards is always the last target.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel

DENSE_SCALE = 64.0
"""Public points that a dense reward of 1 stands for."""


@kernel
def dense_potential(rules, state, out):
    """Write each seat's lead in public points over the mean of the others, in units of `DENSE_SCALE`; sums to 0."""
    n = int(rules.num_players)
    verbs.scores(rules, state, out)
    total = 0.0
    for p in range(n):
        total += out[p]
    for p in range(n):
        out[p] = (n * out[p] - total) / (max(n - 1, 1) * DENSE_SCALE)


@kernel
def illegal_target(teams, offender, num_players, out):
    """Write -1 for the offender's team and an equal share of +1 for each other team (solo: -1 alone).

    `teams` gives each seat's team number; a team counts as one player.
    """
    others = 0
    for p in range(num_players):
        first = True
        for q in range(p):
            if teams[q] == teams[p]:
                first = False
        if first and teams[p] != teams[offender]:
            others += 1
    for p in range(num_players):
        out[p] = -1.0 if teams[p] == teams[offender] else 1.0 / others


@kernel
def pay(rules, state, paid, rewards):
    """Write each seat's reward for what just happened into `rewards` and add it to `paid` (both float64 (seats,))."""
    n = int(rules.num_players)
    if int(state.player) < 0:
        verbs.returns(rules, state, rewards)
    elif rules.dense != 0:
        dense_potential(rules, state, rewards)
    else:
        rewards[:n] = 0.0
    settle(paid, rewards, n)


@kernel
def pay_illegal(teams, offender, num_players, paid, rewards):
    """As `pay`, for a game that an illegal action of `offender` ended."""
    illegal_target(teams, offender, num_players, rewards)
    settle(paid, rewards, num_players)


@kernel
def settle(paid, rewards, num_players):
    """Turn the targets in `rewards` into payments."""
    for p in range(num_players):
        target = rewards[p]
        rewards[p] = target - paid[p]
        paid[p] = target


def team_numbers(teams: tuple[tuple[int, ...], ...], seats: int) -> np.ndarray:
    """Return int64 (seats,): each seat's team number; absent seats get -1."""
    numbers = np.full(seats, -1, np.int64)
    for number, members in enumerate(teams):
        numbers[list(members)] = number
    return numbers
