"""What territories, units and buildings are worth to a seat, in hundredths of a fame."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.amounts import FOOD, WOOD
from northmen_env.games.northgard.board import controller, figures
from northmen_env.games.northgard.plots import PER_WORD, WORDS, has
from northmen_env.games.northgard.tables import BUILDINGS, RESOURCES, UNITS, Building, Space

_LARGE = int(Space.LARGE) - 1
_SILO, _LODGE, _TOWER, _CAMP, _FORTRESS = (
    int(kind)
    for kind in (
        Building.FOOD_SILO,
        Building.WOODCUTTER_LODGE,
        Building.DEFENSE_TOWER,
        Building.TRAINING_CAMP,
        Building.FORTRESS,
    )
)
GOODS = 45  # one of a resource
ENOUGH = 9  # units that are worth their winter without an income of food

NEVER = np.int64(-1000000)
"""Worth of what is not taken while there is anything else."""


@kernel
def harvests_left(rules, state):
    """Return how many harvests are still to come, the one of this year included."""
    return np.int64(rules.years) - np.int64(state.year) + 1


@kernel
def income(state, p, kind):
    """Return what a seat's territories produce of a kind."""
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            found += np.int64(state.yields[PER_WORD * w + lowest(rest), kind])
            rest &= rest - 1
    return found


@kernel
def most_units(state, p):
    """Return how many units a seat should have on the map."""
    return min(np.int64(UNITS), ENOUGH + income(state, p, FOOD))


@kernel
def is_stronghold(rules, state, t):
    """Return whether a large building stands in a territory."""
    for b in range(BUILDINGS):
        if rules.build_large[b] != 0 and state.buildings[t, b] > 0:
            return True
    return False


@kernel
def strongholds_of(rules, state, p):
    """Return the closed territories of a seat with a large building (NORTH-EOY-01)."""
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & ~np.int64(state.open_land[w])
        while rest != 0:
            if is_stronghold(rules, state, PER_WORD * w + lowest(rest)):
                found += 1
            rest &= rest - 1
    return found


@kernel
def land_worth(rules, state, p, t):
    """Return what it is worth to control a territory until the end."""
    left, closed = harvests_left(rules, state), not has(state.open_land, t)
    worth = 15
    for r in range(RESOURCES):
        worth += GOODS * left * np.int64(state.yields[t, r])
    if closed:
        worth += 100 * left * np.int64(rules.harvest_fame[np.int64(state.extent[t])])
    for b in range(BUILDINGS):
        worth += 100 * left * np.int64(state.buildings[t, b]) * np.int64(rules.build_fame[b])
    worth += 20 * (np.int64(state.spaces[t, 0]) + np.int64(state.spaces[t, 1])) + 60 * np.int64(state.spaces[t, _LARGE])
    if closed and is_stronghold(rules, state, t):
        worth += 400
    return worth


@kernel
def threat(rules, state, p, t):
    """Return the most figures of one enemy in a territory next to this one."""
    most = 0
    for w in range(WORDS):
        rest = np.int64(state.near[t, w])
        while rest != 0:
            u = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            holder = controller(state, u)
            if holder >= 0 and (np.int64(rules.enemies[p]) >> holder) & 1 != 0:
                most = max(most, figures(state, u, holder))
    return most


@kernel
def prospects(rules, state, p, t):
    """Return the best neutral territory next to this one, by its worth."""
    best = 0
    for w in range(WORDS):
        rest = np.int64(state.near[t, w])
        while rest != 0:
            u = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if controller(state, u) < 0:
                best = max(best, land_worth(rules, state, p, u))
    return best


@kernel
def recruit_worth(rules, state, p, t):
    """Return what a new figure in a territory is worth, beyond its cost in winter."""
    if controller(state, t) < 0:
        return 40 + land_worth(rules, state, p, t)
    own, worth = figures(state, t, p), np.int64(20)
    if own == 1:
        worth += prospects(rules, state, p, t) // 2
    if threat(rules, state, p, t) > own:
        worth += land_worth(rules, state, p, t) // 4
    return worth + 60 * np.int64(state.buildings[t, _CAMP])


@kernel
def building_worth(rules, state, p, t, b):
    """Return what a building of a type is worth in a territory of the seat."""
    left, closed = harvests_left(rules, state), not has(state.open_land, t)
    worth = 100 * left * np.int64(rules.build_fame[b]) + 90 * (left - 1) * np.int64(rules.build_cards[b])
    for r in range(RESOURCES):
        worth += GOODS * left * np.int64(rules.build_prod[b, r])
    if b == _SILO and income(state, p, FOOD) < 2:
        worth += 100
    if b == _LODGE and income(state, p, WOOD) < 2:
        worth += 120
    if b == _CAMP:
        worth += 90
    if b == _TOWER:
        worth += 30 + 30 * min(threat(rules, state, p, t), np.int64(3))
    if b == _FORTRESS:
        worth += 150
    if rules.build_large[b] != 0 and closed and rules.conquest > 0 and not is_stronghold(rules, state, t):
        held = strongholds_of(rules, state, p)
        worth += 300 + 200 * held
        if held + 1 >= rules.conquest:
            worth += 20000
    if not closed and rules.build_large[b] != 0:
        worth -= 40
    return worth


@kernel
def large_site(rules, state, p):
    """Return whether a seat has a free large space."""
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            if state.spaces[PER_WORD * w + lowest(rest), _LARGE] > 0:
                return True
            rest &= rest - 1
    return False
