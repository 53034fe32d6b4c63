"""Citadels (module): CITADEL (D05) and CITADEL SOURCE (D06)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import (
    CELL,
    FROM_CITADEL,
    FROM_POINTS,
    FROM_RESERVE,
    FROM_SETTLEMENT,
    PASS,
    PIECE,
    RES,
    SIDE,
    VP,
    Event,
)
from northmen_env.games.blood.amounts import NOTHING, ONE, ZERO
from northmen_env.games.blood.board import FACING, mark_citadel, matches, met_sides, take_warbands
from northmen_env.games.blood.phases.choices import any_of, list_cells, several, tile_on
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.state import CITADELS, Decision


@kernel
def supply_left(rules, state):
    """Return how many citadels lie in the supply."""
    left = CITADELS
    for p in range(np.int64(rules.num_players)):
        left -= np.int64(state.walls[p])
    return left


@kernel
def removable(state, p):
    """Return the bit set of the citadels that a seat may return (BLOOD-CIT-07)."""
    found = 0
    for number in range(CITADELS):
        if state.citadel_owner[number] == p and state.citadel_permanent[number] == 0:
            found |= 1 << number
    return found


@kernel
def can_citadel(rules, state, p):
    """Return 1 if the seat could place a citadel now, else 0: the sides that may fail to match (BLOOD-CIT-04)."""
    if rules.citadels == 0:
        return 0
    return 1 if supply_left(rules, state) > 0 or removable(state, p) != 0 else 0


# D05 CITADEL ---------------------------------------------------------------------------------------------------------


@kernel
def offer_citadel(rules, state):
    """Offer a side of the tile just laid; a side that fails to match is taken without asking (BLOOD-CIT-07)."""
    if state.breach >= 0:
        return Stage.FOUND
    if met_sides(state, np.int64(state.laid)) == 0 or can_citadel(rules, state, np.int64(state.player)) == 0:
        return Stage.VILLAGE
    state.decision = Decision.D05
    return Stage.OFFERED


@kernel
def legal_citadel(rules, state, ids):
    ids[0] = PASS
    rest = met_sides(state, np.int64(state.laid))
    n = 1
    while rest != 0:
        ids[n] = SIDE + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def choose_side(rules, state, action):
    if action == PASS:
        return Stage.VILLAGE
    state.breach = action - SIDE
    return Stage.FOUND


# D06 CITADEL SOURCE --------------------------------------------------------------------------------------------------


@kernel
def offer_founders(rules, state):
    """Take the warband from the settlement, or ask where it comes from (BLOOD-CIT-05, -06)."""
    p = np.int64(state.player)
    supply = supply_left(rules, state)
    if supply > 0 and state.settlement[p] >= 1:
        return found(rules, state, FROM_SETTLEMENT)
    pieces = removable(state, p)
    w0, w1 = 0, 0
    others = 0
    if supply > 0:
        w0, w1 = state.army[p, 0], state.army[p, 1]
        others = (1 if state.vp[p] > 0 else 0) + (1 if state.reserve[p] > 0 else 0)
    kinds = others + (1 if pieces != 0 else 0) + (1 if w0 | w1 != 0 else 0)
    if kinds != 1 or several(w0, w1) or pieces & (pieces - 1) != 0:
        state.decision = Decision.D06
        return Stage.OFFERED
    if pieces != 0:
        return found(rules, state, FROM_CITADEL + lowest(pieces))
    if w0 | w1 != 0:
        return found(rules, state, any_of(w0, w1))
    return found(rules, state, FROM_POINTS if state.vp[p] > 0 else FROM_RESERVE)


@kernel
def legal_founders(rules, state, ids):
    p = np.int64(state.player)
    supply = supply_left(rules, state)
    n = 0
    if supply > 0 and state.vp[p] > 0:
        ids[n] = VP
        n += 1
    if supply > 0 and state.reserve[p] > 0:
        ids[n] = RES
        n += 1
    rest = removable(state, p)
    while rest != 0:
        ids[n] = PIECE + lowest(rest)
        rest &= rest - 1
        n += 1
    if supply > 0:
        n = list_cells(state, state.army[p, 0], state.army[p, 1], ids, n)
    return n


@kernel
def choose_founders(rules, state, action):
    if action == VP:
        return found(rules, state, FROM_POINTS)
    if action == RES:
        return found(rules, state, FROM_RESERVE)
    if action >= CELL:
        return found(rules, state, tile_on(state, action))
    return found(rules, state, FROM_CITADEL + action - PIECE)


@kernel
def found(rules, state, source):
    """Put a citadel with the warband from `source` on side `state.breach` of the tile just laid (BLOOD-CIT-02)."""
    p = np.int64(state.player)
    if source == FROM_SETTLEMENT:
        state.settlement[p] -= 1
    elif source == FROM_POINTS:
        state.vp[p] -= 1
    elif source == FROM_RESERVE:
        state.reserve[p] -= 1
    elif source >= FROM_CITADEL:
        return_citadel(state, source - FROM_CITADEL)
    else:
        take_warbands(state, p, source, ONE)
    number = 0
    while state.citadel_owner[number] >= 0:  # BLOOD-COMP-04
        number += 1
    place_citadel(rules, state, number, p)
    emit(rules, state, Event.CITADEL, p, number, np.int64(state.breach))
    emit(rules, state, Event.FOUND, p, source, NOTHING)
    state.breach = -1
    return Stage.VILLAGE


@kernel
def return_citadel(state, number):
    """Return a citadel to the supply; its warband is in nobody's count until it has moved on."""
    mark_citadel(state, number, ZERO)
    state.citadel_tile[number] = 0
    state.citadel_side[number] = 0
    state.citadel_owner[number] = -1
    state.citadel_permanent[number] = 0


@kernel
def place_citadel(rules, state, number, p):
    tile, side = np.int64(state.laid), np.int64(state.breach)
    other, back = np.int64(state.neighbour[tile, side]), FACING[side]
    state.citadel_tile[number] = tile if side <= 2 else other
    state.citadel_side[number] = side if side <= 2 else back
    state.citadel_owner[number] = p
    state.citadel_permanent[number] = 0 if matches(rules, state, tile, side) else 1
    mark_citadel(state, number, ONE)
