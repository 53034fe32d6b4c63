"""The game's heuristic: `suggest`, a player of sound habits, and `evaluate`, a guess of the returns.

`suggest` rates the legal actions of its own decision by what its seat knows, and takes the best. Habits:

    turn       every card that gains something is played, cards and goods first; lore is for better cards
    recruit    as many units as the food feeds, where there is land to take or to hold
    explore    tiles that close and enlarge own territories, and leave the enemies' open
    move       to the dearest land that is free or weakly held, one figure staying behind where land would be lost
    build      large buildings in closed territories above all: three of them win (NORTH-END-01)
    fight      food for as much as decides the fight, skulls where they wipe out
    pick       achievements by their value, other cards by fame and what they will do

Worths are integers in hundredths of a fame: of land, cards and fights in `habits/`, put together for each decision
in `habits/map_points.py` and `habits/card_points.py`. Ties are broken by `seed`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_AGENT, draw, stream
from northmen_env.games.northgard.amounts import ZERO
from northmen_env.games.northgard.bounds import MAX_LEGAL
from northmen_env.games.northgard.habits.card_points import worth_in_cards, worth_in_harvest, worth_in_turn
from northmen_env.games.northgard.habits.land import (
    income,
    land_worth,
    strongholds_of,
)
from northmen_env.games.northgard.habits.map_points import (
    worth_in_building,
    worth_in_combat,
    worth_in_laying,
    worth_in_moving,
    worth_in_recruiting,
)
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.rules import legal_ids
from northmen_env.games.northgard.scoring import count_higher, count_lower, side_key, sides, total_fame
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import SEATS

_TIE = 6  # bits of the random tie-break


@kernel
def suggest(rules, state, player, seed):
    """Return a legal action for `player`, the seat to act."""
    ids = np.empty(MAX_LEGAL, np.int16)
    number = legal_ids(rules, state, ids)
    key = stream(seed, PURPOSE_AGENT, player, ZERO)
    best, chosen = np.int64(-(1 << 50)), ZERO
    for i in range(number):
        action = np.int64(ids[i])
        worth = (worth_of(rules, state, player, action) << _TIE) | (draw(key, action) & ((1 << _TIE) - 1))
        if worth > best:
            best, chosen = worth, action
    return chosen


@kernel
def worth_of(rules, state, p, action):
    """Return how gladly an action is taken, comparable among the actions of one decision."""
    decision = np.int64(state.decision)
    exploring = Decision.EX_AGAIN <= decision <= Decision.EX_ROT
    if exploring or decision <= Decision.SETUP_KAIJA or decision >= Decision.SC_TERR:
        return worth_in_laying(rules, state, p, action)
    if decision <= Decision.TOKEN:
        return worth_in_turn(rules, state, p, action)
    if decision <= Decision.PAY:
        return worth_in_recruiting(rules, state, p, action)
    if decision <= Decision.CB_PICK:
        return worth_in_moving(rules, state, p, action)
    if decision <= Decision.RT_KAIJA:
        return worth_in_combat(rules, state, p, action)
    if decision <= Decision.RP_NEW:
        return worth_in_building(rules, state, p, action)
    if decision <= Decision.FS_CARD:
        return worth_in_cards(rules, state, p, action)
    return worth_in_harvest(rules, state, p, action)


# ---- A guess of the returns -----------------------------------------------------------------------------------------


@kernel
def standing(rules, state, side):
    """Return the fame of a side, with what its land will bring."""
    fame = np.int64(0)
    for p in range(np.int64(rules.num_players)):
        if rules.team[p] != side:
            continue
        fame += 100 * np.int64(total_fame(rules, state, p)) + 300 * strongholds_of(rules, state, p)
        for r in range(3):
            fame += 30 * income(state, p, np.int64(r))
        fame += land_fame(rules, state, p)
    return fame


@kernel
def land_fame(rules, state, p):
    found = np.int64(0)
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            found += land_worth(rules, state, p, PER_WORD * w + lowest(rest))
            rest &= rest - 1
    return found


@kernel
def evaluate(rules, state, out):
    """Write an estimate of each seat's returns: half the rank as if it were over, half the lead in fame."""
    out[:] = 0.0
    n = sides(rules)
    keys, worth = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    for side in range(n):
        keys[side] = side_key(rules, state, side)
        worth[side] = standing(rules, state, side)
    for p in range(np.int64(rules.num_players)):
        side = np.int64(rules.team[p])
        most = np.int64(-(1 << 40))
        for other in range(n):
            if other != side:
                most = max(most, worth[other])
        lead = min(max(worth[side] - most, np.int64(-4000)), np.int64(4000)) / 4000.0
        rank = (count_lower(keys, n, side) - count_higher(keys, n, side)) / (n - 1)
        out[p] = 0.5 * rank + 0.5 * lead
