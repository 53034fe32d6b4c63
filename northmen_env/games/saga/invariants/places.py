"""Where pieces may stand, who controls what, and the delayed kingdoms (SAGA-EDGE-11)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.saga.invariants.context import in_march, symbols_in_pile
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.phases.march import FIRST_PASS
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS


@kernel
def check_places(rules, state):
    for kingdom in range(np.int64(rules.num_kingdoms)):
        if not control_holds(rules, state, kingdom):
            return Broken.CONTROL
        if not waits(state, kingdom) and any_pieces(rules, state, kingdom):
            return Broken.KINGDOMS
        if not placed_holds(rules, state, kingdom):
            return Broken.PLACED
    if not delays_hold(rules, state):
        return Broken.DELAYS
    for region in range(np.int64(rules.num_regions)):
        owners = count_owners(rules, state, KINGDOMS + region)
        if owners > 0 and not in_march(state) and (state.decision != Decision.ROUTE or owners > 1):
            return Broken.REGIONS
    return Broken.NONE


@kernel
def any_pieces(rules, state, place):
    return count_owners(rules, state, place) > 0


@kernel
def count_owners(rules, state, place):
    """Return how many seats have pieces in a place."""
    owners = 0
    for p in range(np.int64(rules.num_players)):
        if state.cubes[place, p] > 0 or state.heroes[place, p] > 0:
            owners += 1
    return owners


@kernel
def waits(state, kingdom):
    """Return whether the kingdom's pieces are still to move, or may still be placed."""
    if state.decision <= Decision.DRAW:
        return True
    if not in_march(state):
        return False
    if kingdom == state.kingdom:
        return True
    if state.march_pass == FIRST_PASS:
        return kingdom > state.kingdom or state.delayed[kingdom] != 0
    return kingdom > state.kingdom and state.delayed[kingdom] != 0


@kernel
def control_holds(rules, state, kingdom):
    """The owner of the pieces controls the kingdom in the march; one that waits without pieces has no controller."""
    controller = np.int64(state.controller[kingdom])
    if not in_march(state) and state.decision != Decision.ROUTE:
        return controller == -1
    owners = count_owners(rules, state, kingdom)
    if owners == 0:
        return controller == -1 or not waits(state, kingdom)
    if owners > 1 or controller < 0:
        return False
    return state.cubes[kingdom, controller] > 0 or state.heroes[kingdom, controller] > 0


@kernel
def placed_holds(rules, state, kingdom):
    moving = kingdom == state.kingdom and state.decision == Decision.HERO
    for p in range(np.int64(rules.num_players)):
        cubes = np.int64(state.cubes[kingdom, p])
        if cubes > 0:
            armies, fleets = symbols_in_pile(rules, state, p, kingdom)
            if cubes > armies + fleets:
                return False
        elif state.heroes[kingdom, p] > 0 and rules.hero_needs_cube != 0 and not moving:
            return False
    return True


@kernel
def delays_hold(rules, state):
    for p in range(np.int64(rules.num_players)):
        delayed = 0
        for kingdom in range(np.int64(rules.num_kingdoms)):
            if state.delayed[kingdom] != 0 and state.controller[kingdom] == p:
                delayed += 1
        if delayed != state.time_used[p]:
            return False
    for kingdom in range(np.int64(rules.num_kingdoms)):
        if state.delayed[kingdom] == 0:
            continue
        if state.controller[kingdom] < 0 or (state.march_pass == FIRST_PASS and kingdom >= state.kingdom):
            return False
    return True
