"""Moves: LAKE (D14), ROAD (D15), COUNT (D17), DESTINATION (D18)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import COUNT, Event
from northmen_env.games.blood.amounts import LAKE_ARMY, ONE, ZERO
from northmen_env.games.blood.board import put_warbands, take_warbands
from northmen_env.games.blood.phases.actions import LAKE, do_common, is_common, list_common, payable
from northmen_env.games.blood.phases.choices import any_of, list_cells, seat_of, several, tile_on
from northmen_env.games.blood.phases.ending import leave_move
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import (
    has_tile,
    high_bit,
    lake_destinations,
    lake_of,
    low_bit,
    neighbours,
    open_sides,
    road_destinations,
    road_search,
)
from northmen_env.games.blood.state import Decision, Move
from northmen_env.games.blood.tilesets import PER_WORD, WORDS

# D14 LAKE, D15 ROAD --------------------------------------------------------------------------------------------------


@kernel
def legal_source(rules, state, ids):
    """Own tiles from which a move has a payable destination, beside what all phases offer."""
    n = list_common(rules, state, ids)
    if state.drawn > 0:
        return n
    p, a = np.int64(state.active), np.int64(state.a)
    w0, w1 = 0, 0
    for w in range(WORDS):
        rest = state.army[p, w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if payable(rules, state, tile, a):
                w0 |= low_bit(tile)
                w1 |= high_bit(tile)
    return list_cells(state, w0, w1, ids, n)


@kernel
def choose_source(rules, state, action):
    if is_common(action):
        return do_common(rules, state, action)
    state.move_kind = Move.LAKE if state.phase == LAKE else Move.ROAD
    state.move_source = tile_on(state, action)
    return Stage.COUNT


# D17 COUNT -----------------------------------------------------------------------------------------------------------


@kernel
def most_moved(state):
    """Return how many warbands the move may carry."""
    there = np.int64(state.warbands[state.move_source, state.active])
    return min(there, LAKE_ARMY) if state.move_kind == Move.LAKE else there


@kernel
def offer_count(rules, state):
    if most_moved(state) == 1:
        state.move_count = 1
        return Stage.DESTINATION
    state.decision = Decision.D17
    return Stage.OFFERED


@kernel
def legal_count(rules, state, ids):
    n = most_moved(state)
    for i in range(n):
        ids[i] = COUNT + 1 + i
    return n


@kernel
def choose_count(rules, state, action):
    state.move_count = action - COUNT
    return Stage.DESTINATION


# D18 DESTINATION -----------------------------------------------------------------------------------------------------


@kernel
def destinations(rules, state):
    """Return the set of payable destinations of the move under way."""
    p, source = np.int64(state.active), np.int64(state.move_source)
    a, b = np.int64(state.a), np.int64(state.b)
    if state.move_kind == Move.LAKE:
        return lake_destinations(state, source, p, a, b)
    return road_destinations(rules, state, source, p, np.int64(state.move_count), a, b)


@kernel
def offer_destination(rules, state):
    w0, w1 = destinations(rules, state)
    if not several(w0, w1):
        return move_to(rules, state, any_of(w0, w1))
    state.decision = Decision.D18
    return Stage.OFFERED


@kernel
def legal_destination(rules, state, ids):
    w0, w1 = destinations(rules, state)
    return list_cells(state, w0, w1, ids, ZERO)


@kernel
def choose_destination(rules, state, action):
    return move_to(rules, state, tile_on(state, action))


@kernel
def move_to(rules, state, tile):
    """Pay for the move and make it (BLOOD-LAKE-06, BLOOD-ROAD-06)."""
    p, source = np.int64(state.active), np.int64(state.move_source)
    if state.move_kind == Move.LAKE:
        pay_lake(state, source, p, tile)
    else:
        pay_road(rules, state, source, p, tile)
    carry(rules, state, p, source, tile, np.int64(state.move_count), np.int64(state.move_kind))
    leave_move(state)
    state.performed = 1
    return Stage.ACTION


@kernel
def pay_lake(state, source, p, tile):
    w0, w1 = lake_of(state, source, p)
    if has_tile(w0, w1, tile):
        pay_one(state, ONE)
        return
    w0, w1 = neighbours(state, source, open_sides(state, source, p))
    state.a -= 1 if has_tile(w0, w1, tile) else 2  # BLOOD-LAKE-04


@kernel
def pay_road(rules, state, source, p, tile):
    w0, w1, _, _ = road_search(rules, state, source, p, np.int64(state.move_count))
    pay_one(state, ONE if has_tile(w0, w1, tile) else ZERO)


@kernel
def pay_one(state, free):
    """Pay with the restricted free action where it serves (`free` = 1), else with an ordinary one."""
    if free == 1 and state.b >= 1:
        state.b -= 1
    else:
        state.a -= 1


@kernel
def carry(rules, state, p, source, tile, number, kind):
    """Move warbands of a colour from tile to tile."""
    take_warbands(state, p, source, number)
    put_warbands(state, p, tile, number)
    emit(rules, state, Event.MOVE, seat_of(rules, p), source, number)
    emit(rules, state, Event.ARRIVE, seat_of(rules, p), tile, kind)
