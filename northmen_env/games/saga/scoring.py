"""Scores, ranks and rewards (SAGA-END)."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import REWARDS

_WIN = REWARDS.index("win")
_SCORE = REWARDS.index("score")


@kernel
def route_points(rules, state, seat):
    """Return the value of the seat's completed routes."""
    points = 0
    rest = state.routes_done[seat]
    while rest != 0:
        points += np.int64(rules.route_value[lowest(rest)])
        rest &= rest - 1
    return points


@kernel
def infamy_bonus(rules, state, seat):
    """Return 1 + completed routes for a seat with most infamy, else 0, were the game over (SAGA-END-02, -03)."""
    for other in range(np.int64(rules.num_players)):
        if state.infamy[other] > state.infamy[seat]:
            return 0
    return 1 + count(state.routes_done[seat])


@kernel
def score(rules, state, seat):
    """Return the seat's public points: tokens and routes, at the end of the game with the bonus (SAGA-END-04)."""
    points = np.int64(state.plunder[seat]) + route_points(rules, state, seat)
    if state.decision == Decision.END:
        points += infamy_bonus(rules, state, seat)
    return points


@kernel
def winner_key(rules, state, seat):
    """Return (score, infamy) as one number: more is better (SAGA-END-05)."""
    return score(rules, state, seat) * 64 + np.int64(state.infamy[seat])


@kernel
def count_higher(rules, state, seat):
    """Return how many seats have a higher key."""
    own, higher = winner_key(rules, state, seat), 0
    for other in range(np.int64(rules.num_players)):
        if winner_key(rules, state, other) > own:
            higher += 1
    return higher


@kernel
def count_lower(rules, state, seat):
    """Return how many seats have a lower key."""
    own, lower = winner_key(rules, state, seat), 0
    for other in range(np.int64(rules.num_players)):
        if winner_key(rules, state, other) < own:
            lower += 1
    return lower


# Verbs ----------------------------------------------------------------------------------------------------------------


@kernel
def scores(rules, state, out):
    """Write each seat's public points so far, the final scores at the end."""
    out[:] = 0.0
    for seat in range(np.int64(rules.num_players)):
        out[seat] = score(rules, state, seat)


@kernel
def returns(rules, state, out):
    """Write each seat's reward of the game, 0 before the end (SAGA-END-07, -08)."""
    out[:] = 0.0
    if state.decision != Decision.END:
        return
    for seat in range(np.int64(rules.num_players)):
        if rules.reward == _WIN:
            out[seat] = win_reward(rules, state, seat)
        elif rules.reward == _SCORE:
            out[seat] = score_reward(rules, state, seat)
        else:
            ahead = count_lower(rules, state, seat) - count_higher(rules, state, seat)
            out[seat] = ahead / (np.int64(rules.num_players) - 1)


@kernel
def win_reward(rules, state, seat):
    """Return n/(n-1) * ([winner]/|winners| - 1/n), written with one rounding less."""
    n, winners = np.int64(rules.num_players), 0
    for other in range(n):
        if count_higher(rules, state, other) == 0:
            winners += 1
    share = n / winners if count_higher(rules, state, seat) == 0 else 0.0
    return (share - 1.0) / (n - 1)


@kernel
def score_reward(rules, state, seat):
    """Return the score's lead over the mean of the others' scores, in units of `score_scale`."""
    n, own, others = np.int64(rules.num_players), score(rules, state, seat), 0
    for other in range(n):
        if other != seat:
            others += score(rules, state, other)
    return (own - others / (n - 1)) / rules.score_scale


def ranks(rules: Any, state: Any) -> list[int]:
    """Return each seat's rank by (score, infamy), 1 is best, ties share the better rank (SAGA-END-06).

    Before the end the points so far count, without the infamy bonus.
    """
    return [1 + int(count_higher(rules, state, seat)) for seat in range(int(rules.num_players))]
