"""Total fame, the end, ranks and rewards (NORTH-END)."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.board import has_kaija
from northmen_env.games.northgard.card_table import UNREST
from northmen_env.games.northgard.cards.achieving import achievement_fame
from northmen_env.games.northgard.plots import PER_WORD, WORDS, size
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import BUILDINGS, REWARDS, SEATS, Group

_WIN = REWARDS.index("win")
_FAME = REWARDS.index("fame")
UNREST_FAME = 5
"""Fame that an Unrest card costs (NORTH-CARD-04)."""


# Fame ----------------------------------------------------------------------------------------------------------------


@kernel
def card_value(rules, state, p, card):
    """Return the fame of a card of a seat's deck at the end."""
    if card == UNREST:
        return np.int64(-UNREST_FAME)
    if rules.card_group[card] == Group.ACHIEVEMENT:
        return np.int64(achievement_fame(rules, state, p, card))
    return np.int64(rules.card_fame[card])


@kernel
def list_value(rules, state, p, cards, n):
    """Return the fame of a list of cards."""
    fame = 0
    for i in range(n):
        fame += card_value(rules, state, p, np.int64(cards[i]))
    return fame


@kernel
def total_fame(rules, state, p):
    """Return a seat's total fame as if the game ended now (NORTH-END-03)."""
    goods = np.int64(state.resources[p, 0]) + np.int64(state.resources[p, 1]) + np.int64(state.resources[p, 2])
    fame = np.int64(state.fame[p]) + goods // 3
    fame += list_value(rules, state, p, state.hand[p], np.int64(state.hand_size[p]))
    fame += list_value(rules, state, p, state.pile[p], np.int64(state.pile_size[p]))
    fame += list_value(rules, state, p, state.discard[p], np.int64(state.discard_size[p]))
    fame += list_value(rules, state, p, state.played[p], np.int64(state.played_size[p]))
    fame += list_value(rules, state, p, state.idle[p], np.int64(state.idle_size[p]))
    if state.drawn_size > 0 and state.turn == p:
        fame += list_value(rules, state, p, state.drawn, np.int64(state.drawn_size))
    return fame


# Tie-breaks (NORTH-END-01, -04) --------------------------------------------------------------------------------------


@kernel
def territories(state, p):
    """Return the number of territories of a seat."""
    return size(state.owned[p])


@kernel
def figures_on_map(state, p):
    """Return the number of figures of a seat, Kaija as one."""
    return np.int64(state.on_map[p]) + has_kaija(state, np.int64(state.kaija), p)


@kernel
def buildings_held(state, p):
    """Return the number of building tokens in territories of a seat."""
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            for b in range(BUILDINGS):
                found += np.int64(state.buildings[t, b])
    return found


@kernel
def strongholds(rules, state, p):
    """Return the number of closed territories of a seat with a large building."""
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & ~np.int64(state.open_land[w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            for b in range(BUILDINGS):
                if rules.build_large[b] != 0 and state.buildings[t, b] > 0:
                    found += 1
                    break
    return found


# Players of the ranking: seats, or teams (NORTH-TEAM-08) -------------------------------------------------------------


@kernel
def sides(rules):
    """Return the number of players of the ranking."""
    return 2 if rules.teams != 0 else np.int64(rules.num_players)


@kernel
def conquers_land(rules, state, side):
    """Return whether a side has the closed territories of End 1; `rules.conquest` is 0 where End 1 does not exist."""
    if rules.conquest == 0:
        return False
    found = 0
    for p in range(np.int64(rules.num_players)):
        if rules.team[p] == side:
            found += strongholds(rules, state, p)
    return found >= rules.conquest


@kernel
def ends_by_conquest(rules, state):
    """Return whether the game ends by End 1 (NORTH-EOY-01)."""
    for side in range(sides(rules)):
        if conquers_land(rules, state, side):
            return True
    return False


@kernel
def side_fame(rules, state, side):
    """Return the total fame of a side."""
    fame = 0
    for p in range(np.int64(rules.num_players)):
        if rules.team[p] == side:
            fame += total_fame(rules, state, p)
    return fame


@kernel
def side_key(rules, state, side):
    """Return (End 1, fame, territories, figures, buildings) as one number: more is better (NORTH-END-05)."""
    land, figures, tokens = 0, 0, 0
    for p in range(np.int64(rules.num_players)):
        if rules.team[p] == side:
            land += territories(state, p)
            figures += figures_on_map(state, p)
            tokens += buildings_held(state, p)
    won = 1 if conquers_land(rules, state, side) else 0
    fame = side_fame(rules, state, side) + (1 << 20)
    return (((won * (1 << 22) + fame) * 256 + land) * 256 + figures) * 256 + tokens


# Verbs ---------------------------------------------------------------------------------------------------------------


@kernel
def scores(rules, state, out):
    """Write each seat's total fame as if the game ended now; the composition of decks is public (NORTH-INFO-04)."""
    out[:] = 0.0
    for p in range(np.int64(rules.num_players)):
        out[p] = total_fame(rules, state, p)


@kernel
def returns(rules, state, out):
    """Write each seat's reward of the game, 0 before the end (NORTH-END-06)."""
    out[:] = 0.0
    if state.decision != Decision.END:
        return
    n = sides(rules)
    keys = np.zeros(SEATS, np.int64)
    for side in range(n):
        keys[side] = side_fame(rules, state, side) if rules.reward == _FAME else side_key(rules, state, side)
    for p in range(np.int64(rules.num_players)):
        side = np.int64(rules.team[p])
        if rules.reward == _FAME:
            out[p] = fame_reward(keys, n, side)
        elif rules.reward == _WIN:
            out[p] = win_reward(keys, n, side)
        else:
            out[p] = (count_lower(keys, n, side) - count_higher(keys, n, side)) / (n - 1)


@kernel
def count_higher(keys, n, side):
    """Return how many sides are ranked higher."""
    higher = 0
    for other in range(n):
        if keys[other] > keys[side]:
            higher += 1
    return higher


@kernel
def count_lower(keys, n, side):
    """Return how many sides are ranked lower."""
    lower = 0
    for other in range(n):
        if keys[other] < keys[side]:
            lower += 1
    return lower


@kernel
def win_reward(keys, n, side):
    """Return the share of the first rank, in a zero-sum game."""
    first = 0
    for other in range(n):
        if count_higher(keys, n, other) == 0:
            first += 1
    share = n / first if count_higher(keys, n, side) == 0 else 0.0
    return (share - 1.0) / (n - 1)


@kernel
def fame_reward(keys, n, side):
    """Return the lead in total fame over the mean of the others, in fiftieths."""
    others = 0
    for other in range(n):
        if other != side:
            others += keys[other]
    return (keys[side] - others / (n - 1)) / 50.0


def ranks(rules: Any, state: Any) -> list[int]:
    """Return each seat's rank, 1 is best, ties share the better rank; members of a team have one (NORTH-END-05)."""
    n = int(sides(rules))
    keys = np.array([side_key(rules, state, np.int64(side)) for side in range(n)], np.int64)
    return [1 + int(count_higher(keys, n, int(rules.team[p]))) for p in range(int(rules.num_players))]
