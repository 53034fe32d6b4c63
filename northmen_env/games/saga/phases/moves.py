"""The move of one kingdom: CUBE (D5) and HERO (D6)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import highest, lowest, several
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import CUBE, HERO, Event
from northmen_env.games.saga.amounts import NOTHING
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import BOTH, KINGDOMS, LAND, SEA


@kernel
def begin_move(rules, state, seat):
    """Count the soldiers and ships on the controller's own cards of the suit (SAGA-MARCH-11, -12)."""
    kingdom = np.int64(state.kingdom)
    armies, fleets = 0, 0
    for i in range(np.int64(state.pile_size[seat])):
        card = np.int64(state.pile[seat, i])
        if rules.card_suit[card] == kingdom:
            armies += np.int64(rules.card_armies[card])
            fleets += np.int64(rules.card_fleets[card])
    emit(rules, state, Event.MARCH, seat, kingdom, NOTHING)
    state.player = seat
    state.armies = armies
    state.fleets = fleets
    return Stage.CUBES


# D5 CUBE --------------------------------------------------------------------------------------------------------------


@kernel
def up_to(rules, regions):
    """Return the regions from which one of `regions` can still be reached: those at or below the highest of them."""
    if regions == 0:
        return 0
    if rules.free_march != 0:  # in any order, all of them
        return -1
    return (2 << highest(regions)) - 1


@kernel
def symbol_regions(rules, own, other, both, rest, own_symbols, other_symbols):
    """Return which of the regions `own`, whose cubes each use one of `own_symbols`, leave the `rest` a way on.

    Conditions 2 and 3 of SAGA-MARCH-15 for the regions of class LAND or SEA; `other` are those of the other class.
    """
    spare = own_symbols - 1
    if spare < 0:
        return 0
    if rest <= spare:
        return own
    way_on = up_to(rules, both)
    if rest <= spare + other_symbols:
        way_on |= up_to(rules, other)
    return own & way_on


@kernel
def cube_regions(rules, state):
    """Return the set of regions that are legal for the next cube (SAGA-MARCH-15)."""
    kingdom = np.int64(state.kingdom)
    land = rules.march_regions[kingdom, LAND]
    sea = rules.march_regions[kingdom, SEA]
    both = rules.march_regions[kingdom, BOTH]
    rest = np.int64(state.cubes[kingdom, state.player]) - 1
    armies = np.int64(state.armies) - np.int64(state.land)
    fleets = np.int64(state.fleets) - np.int64(state.sea)
    by_land = symbol_regions(rules, land, sea, both, rest, armies, fleets)
    by_sea = symbol_regions(rules, sea, land, both, rest, fleets, armies)
    return (both | by_land | by_sea) & (-1 << np.int64(state.last))


@kernel
def next_cube(rules, state):
    """Offer the next cube; forced ones move at once. All cubes must leave (SAGA-MARCH-14)."""
    kingdom, seat = np.int64(state.kingdom), np.int64(state.player)
    while state.cubes[kingdom, seat] > 0:
        regions = cube_regions(rules, state)
        if several(regions):
            state.decision = Decision.CUBE
            return Stage.OFFERED
        move_cube(rules, state, lowest(regions))
    state.last = 0
    return Stage.HEROES


@kernel
def legal_cube(rules, state, ids):
    rest = cube_regions(rules, state)
    n = 0
    while rest != 0:
        ids[n] = CUBE + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def move_cube(rules, state, region):
    """One cube leaves for a region; whether by land or by sea matters only where one way is open."""
    kingdom, seat = np.int64(state.kingdom), np.int64(state.player)
    state.cubes[kingdom, seat] -= 1
    state.cubes[KINGDOMS + region, seat] += 1
    way = np.int64(rules.march_class[kingdom, region])
    if way == LAND:
        state.land += 1
    elif way == SEA:
        state.sea += 1
    if rules.free_march == 0:
        state.last = region
    emit(rules, state, Event.CUBE, seat, kingdom, region)
    return Stage.CUBES


# D6 HERO --------------------------------------------------------------------------------------------------------------


@kernel
def hero_regions(rules, state):
    """Return the set of regions that are legal for the next hero (SAGA-MARCH-16)."""
    kingdom = np.int64(state.kingdom)
    reach = rules.march_regions[kingdom, LAND] | rules.march_regions[kingdom, SEA] | rules.march_regions[kingdom, BOTH]
    return reach & (-1 << np.int64(state.last))


@kernel
def next_hero(rules, state):
    """Offer the next hero; when none is left, the kingdom's move is over."""
    kingdom, seat = np.int64(state.kingdom), np.int64(state.player)
    while state.heroes[kingdom, seat] > 0:
        regions = hero_regions(rules, state)
        if several(regions):
            state.decision = Decision.HERO
            return Stage.OFFERED
        move_hero(rules, state, lowest(regions))
    state.armies = 0
    state.fleets = 0
    state.land = 0
    state.sea = 0
    state.last = 0
    state.kingdom = kingdom + 1
    return Stage.KINGDOM


@kernel
def legal_hero(rules, state, ids):
    rest = hero_regions(rules, state)
    n = 0
    while rest != 0:
        ids[n] = HERO + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def move_hero(rules, state, region):
    kingdom, seat = np.int64(state.kingdom), np.int64(state.player)
    state.heroes[kingdom, seat] -= 1
    state.heroes[KINGDOMS + region, seat] += 1
    if rules.free_march == 0:
        state.last = region
    emit(rules, state, Event.HERO, seat, kingdom, region)
    return Stage.HEROES
