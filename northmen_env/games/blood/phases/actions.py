"""The four action phases: what they share, and FOREST (D13)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.events import emit, emit_secret
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import DO, DRAW, FROM_POINTS, FROM_SETTLEMENT, PASS, SPEND, VP, Event
from northmen_env.games.blood.amounts import HIGH, LOW, NOTHING, ONE, ZERO
from northmen_env.games.blood.board import contested, put_warbands, sides_of, take_warbands, walled_sides
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.choices import list_cells, tile_on
from northmen_env.games.blood.phases.ending import leave_actions
from northmen_env.games.blood.phases.piles import into_hand, pile_left, take_top
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import high_bit, lake_payable, low_bit, road_payable
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD, WORDS

FOREST, LAKE, ROAD, MOUNTAIN = (np.int64(d) for d in (Decision.D13, Decision.D14, Decision.D15, Decision.D16))


# ---- Phases ---------------------------------------------------------------------------------------------------------


@kernel
def begin_phase(rules, state, phase):
    """Begin an action phase: count its actions (BLOOD-ACT-01)."""
    p, laid = np.int64(state.active), np.int64(state.laid)
    if state.drawn > 0:
        state.drew_earlier = 1  # BLOOD-ACT-04
    state.phase = phase
    state.performed = 0
    state.drawn = 0
    sides = sides_of(rules, state, laid, kind_of(phase))
    state.a = count(sides & ~walled_sides(state, laid))  # BLOOD-CIT-03
    state.b = 0
    if phase == FOREST and state.ability[p] == Ability.WARRIORS and count(sides) == 1:  # BLOOD-ABIL-06
        state.a += 1
    elif phase == free_phase(np.int64(state.ability[p])):
        state.b = 1
    return Stage.ACTION


@kernel
def free_phase(ability):
    """Return the phase with a restricted free action by an ability, 0 for none (BLOOD-ABIL-02, -07)."""
    if ability == Ability.CORSAIRS:
        return LAKE
    return ROAD if ability == Ability.NORMAN else ZERO


@kernel
def is_common(action):
    """Return whether an action is one that all phases offer."""
    return action == PASS or DRAW <= action <= SPEND


@kernel
def kind_of(phase):
    """Return the letter whose sides give actions of a phase."""
    if phase == FOREST:
        return Side.FOREST.value
    if phase == LAKE:
        return Side.LAKE.value
    return Side.ROAD.value if phase == ROAD else Side.MOUNTAIN.value


@kernel
def end_phase(rules, state):
    """Go on to the next kind, in the fixed order (BLOOD-PHASE-05)."""
    if state.phase == MOUNTAIN:
        leave_actions(state)
        return Stage.END_TURN
    return begin_phase(rules, state, np.int64(state.phase) + 1)


@kernel
def next_action(rules, state):
    """Offer the phase's decision if anything but PASS is legal (BLOOD-PHASE-05)."""
    state.player = state.active
    if can_draw(state) or can_spend(rules, state) or can_act(rules, state, np.int64(state.a)):
        state.decision = state.phase
        return Stage.OFFERED
    return end_phase(rules, state)


@kernel
def can_act(rules, state, a):
    """Return whether an action could be performed with `a` ordinary actions (BLOOD-ACT-01)."""
    if state.drawn > 0 or a + state.b == 0:
        return False
    p = np.int64(state.active)
    if state.phase == FOREST:
        return state.settlement[p] > 0 or state.vp[p] > 0 or elsewhere(state, p)
    if state.phase == MOUNTAIN:
        return contested(rules, state, p, LOW) | contested(rules, state, p, HIGH) != 0
    for w in range(WORDS):
        rest = state.army[p, w]
        while rest != 0:
            if payable(rules, state, PER_WORD * w + lowest(rest), a):
                return True
            rest &= rest - 1
    return False


@kernel
def payable(rules, state, tile, a):
    """Return whether a move of the phase from an own tile has a payable destination (BLOOD-LAKE-07, BLOOD-ROAD-07)."""
    p, b = np.int64(state.active), np.int64(state.b)
    if state.phase == LAKE:
        return lake_payable(state, tile, p, a, b)
    return road_payable(rules, state, tile, p, a, b)


@kernel
def elsewhere(state, p):
    """Return whether the colour has warbands on other tiles than the one laid in this turn."""
    laid = np.int64(state.laid)
    return (state.army[p, 0] & ~low_bit(laid)) | (state.army[p, 1] & ~high_bit(laid)) != 0


# ---- DRAW and SPEND -------------------------------------------------------------------------------------------------


@kernel
def may_draw_yet(state):
    """Return whether this phase may still serve to draw, were there actions and room (BLOOD-ACT-02, -04)."""
    return state.performed == 0 and state.drew_earlier == 0 and pile_left(state) > 0


@kernel
def can_draw(state):
    """BLOOD-ACT-05."""
    return state.a >= 1 and state.drawn < state.settlement[state.active] and may_draw_yet(state)


@kernel
def can_spend(rules, state):
    """BLOOD-ACT-06; without the module nobody has a reserve."""
    reserve = np.int64(state.reserve[state.active])
    if reserve == 0:
        return False
    if may_draw_yet(state):
        return True
    if state.phase == FOREST:
        return state.drawn == 0
    return can_act(rules, state, np.int64(state.a) + reserve)


@kernel
def list_common(rules, state, ids):
    """Write PASS, DRAW and SPEND as far as they are legal; return how many."""
    ids[0] = PASS
    n = 1
    if can_draw(state):
        ids[n] = DRAW
        n += 1
    if can_spend(rules, state):
        ids[n] = SPEND
        n += 1
    return n


@kernel
def do_common(rules, state, action):
    """Apply PASS, DRAW or SPEND."""
    p = np.int64(state.active)
    if action == PASS:
        return end_phase(rules, state)
    if action == DRAW:
        tile = take_top(state)
        into_hand(state, p, tile)
        state.a -= 1
        state.drawn += 1
        emit_secret(rules, state, Event.DRAW, p, tile, NOTHING)
    else:
        state.reserve[p] -= 1
        state.settlement[p] += 1
        state.a += 1
        emit(rules, state, Event.SPEND, p, NOTHING, NOTHING)
    return Stage.ACTION


# D13 FOREST ----------------------------------------------------------------------------------------------------------


@kernel
def legal_forest(rules, state, ids):
    n = list_common(rules, state, ids)
    p = np.int64(state.active)
    if state.a == 0 or state.drawn > 0:
        return n
    if state.settlement[p] > 0:
        return insert_do(ids, n)
    if state.vp[p] > 0:
        ids[n] = VP
        n += 1
    laid = np.int64(state.laid)
    return list_cells(state, state.army[p, 0] & ~low_bit(laid), state.army[p, 1] & ~high_bit(laid), ids, n)


@kernel
def insert_do(ids, n):
    """Put DO behind PASS."""
    for i in range(n, 1, -1):
        ids[i] = ids[i - 1]
    ids[1] = DO
    return n + 1


@kernel
def act_in_forest(rules, state, action):
    """Place a warband on the tile laid in this turn (BLOOD-FOREST-01, -02)."""
    if is_common(action):
        return do_common(rules, state, action)
    p = np.int64(state.active)
    source = FROM_SETTLEMENT
    if action == DO:
        state.settlement[p] -= 1
    elif action == VP:
        source = FROM_POINTS
        state.vp[p] -= 1
    else:
        source = tile_on(state, action)
        take_warbands(state, p, source, ONE)
    put_warbands(state, p, np.int64(state.laid), ONE)
    state.a -= 1
    state.performed = 1
    emit(rules, state, Event.SETTLE, p, source, NOTHING)
    return Stage.ACTION
