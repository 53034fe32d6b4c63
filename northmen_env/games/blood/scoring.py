"""Winners, scores, ranks and rewards (BLOOD-END)."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import ALL_VILLAGES
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import REWARDS

_WIN = REWARDS.index("win")
_SCORE = REWARDS.index("score")


@kernel
def villages_held(rules, state, p):
    """Return the number of village tiles with a warband of the colour."""
    held0 = state.army[p, 0] & rules.village_set[ALL_VILLAGES, 0]
    held1 = state.army[p, 1] & rules.village_set[ALL_VILLAGES, 1]
    return count(held0) + count(held1)


@kernel
def final_key(rules, state, p):
    """Return (villages held, points, warbands on the map) as one number: more is better (BLOOD-END-05)."""
    return (villages_held(rules, state, p) * 16 + np.int64(state.vp[p])) * 16 + np.int64(state.mustered[p])


@kernel
def final_winners(rules, state):
    """Return the bit set of the seats with the best key."""
    best, winners = -1, 0
    for p in range(np.int64(rules.num_players)):
        key = final_key(rules, state, p)
        if key > best:
            best, winners = key, 1 << p
        elif key == best:
            winners |= 1 << p
    return winners


@kernel
def rank_key(rules, state, p):
    """Return the key by which seats are ranked: winners before all others, alike (BLOOD-END-08)."""
    if (np.int64(state.winners) >> p) & 1 != 0:
        return 1 << 20
    return final_key(rules, state, p)


@kernel
def count_higher(rules, state, p):
    """Return how many colours are ranked higher."""
    own, higher = rank_key(rules, state, p), 0
    for other in range(np.int64(rules.colours)):
        if rank_key(rules, state, other) > own:
            higher += 1
    return higher


@kernel
def count_lower(rules, state, p):
    """Return how many colours are ranked lower."""
    own, lower = rank_key(rules, state, p), 0
    for other in range(np.int64(rules.colours)):
        if rank_key(rules, state, other) < own:
            lower += 1
    return lower


# Verbs ---------------------------------------------------------------------------------------------------------------


@kernel
def scores(rules, state, out):
    """Write each seat's victory points."""
    out[:] = 0.0
    for p in range(np.int64(rules.num_players)):
        out[p] = np.int64(state.vp[p])


@kernel
def returns(rules, state, out):
    """Write each seat's reward of the game, 0 before the end (BLOOD-END-06, -08)."""
    out[:] = 0.0
    if state.decision != Decision.END:
        return
    if rules.solo != 0:
        out[0] = solo_reward(rules, state)
        return
    for p in range(np.int64(rules.num_players)):
        if rules.reward == _WIN:
            out[p] = win_reward(rules, state, p)
        elif rules.reward == _SCORE:
            out[p] = score_reward(rules, state, p)
        else:
            ahead = count_lower(rules, state, p) - count_higher(rules, state, p)
            out[p] = ahead / (np.int64(rules.num_players) - 1)


@kernel
def win_reward(rules, state, p):
    """Return the winner's share of a zero-sum game (BLOOD-END-06)."""
    n, winners = np.int64(rules.num_players), np.int64(state.winners)
    share = n / count(winners) if (winners >> p) & 1 != 0 else 0.0
    return (share - 1.0) / (n - 1)


@kernel
def score_reward(rules, state, p):
    """Return the lead in points over the mean of the others, in sixths."""
    n, others = np.int64(rules.num_players), 0
    for other in range(n):
        if other != p:
            others += np.int64(state.vp[other])
    return (np.int64(state.vp[p]) - others / (n - 1)) / 6.0


@kernel
def solo_reward(rules, state):
    """Return +1 for a win; else -1 or, in a draw, 0; with reward = score the difference of points, in sixths."""
    if state.winners == 1:
        return 1.0
    if rules.reward == _SCORE:
        return (np.int64(state.vp[0]) - np.int64(state.vp[1])) / 6.0
    return -1.0 if state.winners == 2 else 0.0


def ranks(rules: Any, state: Any) -> list[int]:
    """Return each seat's rank, 1 is best, ties share the better rank (BLOOD-END-08).

    Before the end seats are ordered by (villages held, points, warbands on the map). In solo play the bandits are
    ranked with the player.
    """
    return [1 + int(count_higher(rules, state, p)) for p in range(int(rules.num_players))]
