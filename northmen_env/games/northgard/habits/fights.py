"""What a fight promises: leads in combat points, worths in hundredths of a fame."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.amounts import FOOD
from northmen_env.games.northgard.board import controller, figures, has_kaija
from northmen_env.games.northgard.habits.land import land_worth
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.plots import PER_WORD, WORDS, has
from northmen_env.games.northgard.tables import BUILDINGS, CREATURES, Kind

NEVER = np.int64(-100000)


@kernel
def walls(rules, state, t, conquers):
    """Return what the buildings of a territory add for its defender, a casualty counting as a point."""
    points = 0
    if not conquers:
        for b in range(BUILDINGS):
            tokens = np.int64(state.buildings[t, b])
            points += tokens * (np.int64(rules.build_points[b]) + np.int64(rules.build_casualties[b]))
    return points


@kernel
def beast_value(rules, state, t):
    """Return the value of the strongest Fallen Valkyrie in a territory, 0 without one."""
    value = 0
    if not has(state.valkyries, t):
        return value
    for creature in range(CREATURES):
        if state.creature_at[creature] == t and rules.creature_kind[creature] == Kind.VALKYRIE:
            value = max(value, np.int64(rules.creature_value[creature]))
    return value


@kernel
def lead_in(rules, state, p, t, number, axes):
    """Return by how many points `number` figures of a seat beat whoever holds a territory, its food included."""
    mine = number + axes + min(np.int64(state.resources[p, FOOD]), number) // 2
    holder = controller(state, t)
    if holder < 0 or holder == p:
        return mine - beast_value(rules, state, t)
    there = figures(state, t, holder) + has_kaija(state, t, holder)
    theirs = there + min(np.int64(state.resources[holder, FOOD]), there)
    return mine - theirs - walls(rules, state, t, state.conquer[p] != 0)


@kernel
def arrival_worth(rules, state, p, t, number, axes):
    """Return what it is worth to move `number` figures of a seat into a territory."""
    holder = controller(state, t)
    if holder == p:
        return np.int64(-30)
    if holder < 0 and not has(state.valkyries, t):
        return land_worth(rules, state, p, t)
    if holder >= 0 and (np.int64(rules.enemies[p]) >> holder) & 1 == 0:
        return NEVER
    lead = lead_in(rules, state, p, t, number, axes)
    if lead < 1:
        return NEVER
    worth = land_worth(rules, state, p, t) if holder >= 0 else land_worth(rules, state, p, t) // 2 + 200
    if state.clan[p] == Clan.STAG:
        worth += 100
    return worth * min(4 + lead, np.int64(8)) // 8 + (land_worth(rules, state, p, t) // 3 if holder >= 0 else 0)


@kernel
def movers(state, p, t):
    """Return the units of a seat that a move from a territory takes, one figure staying if there are several."""
    units, kaija = np.int64(state.units[t, p]), has_kaija(state, t, p)
    return units if units <= 1 or kaija == 1 else units - 1


@kernel
def step_worth(rules, state, p, t, u, axes):
    """Return what a single move from `t` to `u` gains, with the better of all figures and all but one."""
    units = np.int64(state.units[t, p])
    stay = NEVER
    if units > 1:
        stay = arrival_worth(rules, state, p, u, movers(state, p, t), axes)
    leave = arrival_worth(rules, state, p, u, max(units, np.int64(1)), axes) - land_worth(rules, state, p, t) - 20
    return max(stay, leave)


@kernel
def best_step(rules, state, p, t, axes):
    """Return the best single move out of a territory by its worth."""
    best = NEVER
    for w in range(WORDS):
        rest = np.int64(state.near[t, w])
        while rest != 0:
            best = max(best, step_worth(rules, state, p, t, PER_WORD * w + lowest(rest), axes))
            rest &= rest - 1
    return best


@kernel
def best_move(rules, state, p, axes):
    """Return the worth of the best single move of a seat."""
    best = NEVER
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            best = max(best, best_step(rules, state, p, PER_WORD * w + lowest(rest), axes))
            rest &= rest - 1
    return best
