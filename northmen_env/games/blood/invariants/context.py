"""The context of the pending decision: there where it says something, empty elsewhere (BLOOD-PHASE-08)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import HIGH, LOW, SIX
from northmen_env.games.blood.board import contested, front_at, met_sides, walled_sides
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.actions import free_phase, payable
from northmen_env.games.blood.phases.moves import most_moved
from northmen_env.games.blood.phases.piles import pile_left
from northmen_env.games.blood.reach import has_tile
from northmen_env.games.blood.state import Decision, Move
from northmen_env.games.blood.tile_table import Village
from northmen_env.games.blood.tilesets import has


@kernel
def check_context(rules, state):
    if not points_hold(rules, state):
        return Broken.POINTS
    if not placing_holds(state):
        return Broken.PLACING
    if not laid_holds(rules, state):
        return Broken.LAID
    if not village_holds(rules, state):
        return Broken.VILLAGE
    if not actions_hold(rules, state):
        return Broken.ACTIONS
    if not move_holds(rules, state):
        return Broken.MOVE
    return Broken.NONE


@kernel
def points_hold(rules, state):
    scoring = state.decision == Decision.D22 or state.decision == Decision.B7
    if state.decision == Decision.END or (scoring and state.battle_tile > 0):
        return True
    for p in range(np.int64(rules.colours)):
        if state.vp[p] >= SIX:
            return False
    return True


@kernel
def placing_holds(state):
    decision = np.int64(state.decision)
    if decision == Decision.D01 and pile_left(state) == 0:  # BLOOD-END-03
        return False
    if Decision.D02 <= decision <= Decision.D04:
        if state.placing_tile == 0:
            return False
    elif state.placing_tile != 0:
        return False
    if decision != Decision.D04:
        return state.placing_cell == -1
    at = front_at(state, np.int64(state.placing_cell))
    return at < state.front_size and state.front_cell[at] == state.placing_cell


@kernel
def laid_holds(rules, state):
    decision, laid = np.int64(state.decision), np.int64(state.laid)
    if decision < Decision.D05 or decision == Decision.END:
        return laid == 0 and state.breach == -1
    if laid == 0:
        return decision > Decision.D18 and state.phase == 0 and state.breach == -1
    if not has(state.on_map, laid):
        return False
    if decision > Decision.D06:
        return state.breach == -1
    if rules.citadels == 0 or walled_sides(state, laid) != 0:
        return False
    if decision == Decision.D05:
        return state.breach == -1
    return state.breach >= 0 and (met_sides(state, laid) >> np.int64(state.breach)) & 1 != 0


@kernel
def village_of(decision):
    """Return the village of a decision point D08-D12."""
    if decision == Decision.D08:
        return Village.FURS.value
    if decision == Decision.D09:
        return Village.MEAD.value
    return Village.TUSK.value if decision == Decision.D12 else Village.SILVER.value


@kernel
def village_holds(rules, state):
    decision, village = np.int64(state.decision), np.int64(rules.village[state.laid])
    if decision == Decision.D07 and (village < 0 or rules.goods == 0):
        return False
    if decision == Decision.D07 and state.ability[state.player] != Ability.SAILS:
        return False
    if not Decision.D08 <= decision <= Decision.D12:
        return state.village_left == 0 and state.furs_returned == 0 and state.silver_tile == 0
    if rules.goods == 0 or state.village_left == 0 or village != village_of(decision):
        return False
    if decision != Decision.D08 and state.furs_returned != 0:
        return False
    if decision != Decision.D11:
        return state.silver_tile == 0
    p = np.int64(state.player)
    w0, w1 = contested(rules, state, p, LOW), contested(rules, state, p, HIGH)
    return state.silver_tile > 0 and has_tile(w0, w1, np.int64(state.silver_tile))


@kernel
def actions_hold(rules, state):
    decision, phase = np.int64(state.decision), np.int64(state.phase)
    if phase == 0:
        empty = state.a + state.b + state.performed + state.drawn + state.drew_earlier == 0
        return empty and not Decision.D13 <= decision <= Decision.D18
    if decision <= Decision.D16:
        if decision != phase:
            return False
    elif decision <= Decision.D18:
        if phase != Decision.D14 and phase != Decision.D15:
            return False
    elif state.battle_tile == 0 or phase != Decision.D16 or state.performed == 0 or state.card != 0:
        return False
    if state.b > 0 and free_phase(np.int64(state.ability[state.active])) != phase:
        return False
    return state.drawn == 0 or (state.performed == 0 and state.drew_earlier == 0)


@kernel
def move_holds(rules, state):
    decision, source = np.int64(state.decision), np.int64(state.move_source)
    if decision != Decision.D17 and decision != Decision.D18:
        return state.move_kind == Move.NONE and source == 0 and state.move_count == 0
    kind = Move.LAKE if state.phase == Decision.D14 else Move.ROAD
    if state.move_kind != kind or state.drawn > 0 or source == 0 or state.warbands[source, state.active] == 0:
        return False
    if decision == Decision.D17:
        return state.move_count == 0 and payable(rules, state, source, np.int64(state.a))
    return 1 <= state.move_count <= most_moved(state)
