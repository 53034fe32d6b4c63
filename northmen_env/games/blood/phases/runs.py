"""Moves of the bandits: MOVE FROM (B3) and MOVE TO (B4), by the procedure of BLOOD-SOLO-11."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import BANDITS, DIVIDED, HIGH, LAKE_ARMY, LOW, ONE, PLAYER, ZERO
from northmen_env.games.blood.bandit_table import Op
from northmen_env.games.blood.phases.battles import begin_battle
from northmen_env.games.blood.phases.choices import any_of, list_cells, several, tile_on
from northmen_env.games.blood.phases.counting import effect_number
from northmen_env.games.blood.phases.ending import leave_run
from northmen_env.games.blood.phases.moves import carry
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import (
    forest_sides,
    high_bit,
    lake_destinations,
    low_bit,
    neighbours,
    road_destinations,
)
from northmen_env.games.blood.state import Decision, Move, Run
from northmen_env.games.blood.tables import MAX_EFFECTS
from northmen_env.games.blood.tilesets import PER_WORD, WORDS

DIRECT, ROUNDABOUT = np.int64(1), np.int64(2)
"""Steps 1 and 2 of the procedure."""


# ---- The list of actions --------------------------------------------------------------------------------------------


@kernel
def begin_run(rules, state, card, i):
    """Begin effect `i` of the card and, if it is a plain LAKE or ROAD, all such effects that follow it at once."""
    op = np.int64(rules.effect_op[card, i])
    if op == Op.ROADONE or op == Op.ROADATTACK:
        state.run_kind = Run.ROADONE if op == Op.ROADONE else Run.ROADATTACK
        add_actions(state, Move.ROAD.value, effect_number(rules, state, card, i))
        return Stage.RUNNING
    state.run_kind = Run.MOVES
    add_actions(state, kind_of_op(op), effect_number(rules, state, card, i))
    while rules.effect_if_won[card, i] == 0 and joins_run(rules, card, i + 1):
        i += 1
        add_actions(state, kind_of_op(np.int64(rules.effect_op[card, i])), effect_number(rules, state, card, i))
    state.effect = i + 1
    return Stage.RUNNING


@kernel
def joins_run(rules, card, i):
    """Return whether effect `i` exists and is a LAKE or ROAD outside IFWON."""
    if i >= rules.card_effects[card] or rules.effect_if_won[card, i] != 0:
        return False
    return rules.effect_op[card, i] == Op.LAKE or rules.effect_op[card, i] == Op.ROAD


@kernel
def kind_of_op(op):
    return Move.LAKE.value if op == Op.LAKE else Move.ROAD.value


@kernel
def add_actions(state, kind, number):
    """Append actions to the list: segments of one kind each, which alternate."""
    if number == 0:
        return
    if state.run_left[0] == 0:
        state.run_first = kind
    last = 0
    while last + 1 < MAX_EFFECTS and state.run_left[last + 1] > 0:
        last += 1
    if state.run_left[0] > 0 and segment_kind(state, last) != kind:
        last += 1
    state.run_left[last] += number


@kernel
def segment_kind(state, segment):
    """Return the kind of a segment."""
    first = np.int64(state.run_first)
    return first if segment % 2 == 0 else Move.LAKE.value + Move.ROAD.value - first


@kernel
def kind_at(state, i):
    """Return the kind of action `i` = 0 or 1 of the list, NONE where it ends before."""
    if state.run_left[0] > i:
        return np.int64(state.run_first)
    if state.run_left[0] == 0 or state.run_left[1] == 0:
        return Move.NONE.value
    return segment_kind(state, ONE)


@kernel
def drop_action(state):
    """Take the first action off the list."""
    state.run_left[0] -= 1
    if state.run_left[0] > 0:
        return
    state.run_first = segment_kind(state, ONE) if state.run_left[1] > 0 else Move.NONE.value
    for i in range(MAX_EFFECTS - 1):
        state.run_left[i] = state.run_left[i + 1]
    state.run_left[MAX_EFFECTS - 1] = 0


# ---- Where bandits can go -------------------------------------------------------------------------------------------


@kernel
def manned(state, w):
    """Return word `w` of the tiles that hold miniatures of either side."""
    return state.army[PLAYER, w] | state.army[BANDITS, w]


@kernel
def reach(rules, state, tile, kind):
    """Return the set of tiles that bandits reach from a tile with one action (BLOOD-SOLO-10)."""
    if kind == Move.LAKE:
        return lake_destinations(state, tile, BANDITS, ONE, ZERO)
    return road_destinations(rules, state, tile, BANDITS, ONE, ONE, ZERO)


@kernel
def without_ban(state, x, w0, w1):
    """Take the forbidden end out of the ends of a move that starts on `x`."""
    if state.forbidden_from == x:
        return w0 & ~low_bit(np.int64(state.forbidden_to)), w1 & ~high_bit(np.int64(state.forbidden_to))
    return w0, w1


@kernel
def direct_ends(rules, state, x):
    """Return the ends of step 1 from `x`: tiles with miniatures, reached with the first action."""
    w0, w1 = reach(rules, state, x, kind_at(state, ZERO))
    return without_ban(state, x, w0 & manned(state, LOW), w1 & manned(state, HIGH))


@kernel
def ends_via(rules, state, x, m):
    """Return the ends of step 2 from `x` by way of `m`."""
    w0, w1 = reach(rules, state, m, kind_at(state, ONE))
    w0 &= manned(state, LOW) & ~low_bit(x)
    w1 &= manned(state, HIGH) & ~high_bit(x)
    return without_ban(state, x, w0, w1)


@kernel
def forest_ends(rules, state, x):
    """Return the ends of step 2 from `x` across a forest side, if both actions are of the lake."""
    if kind_at(state, ZERO) != Move.LAKE or kind_at(state, ONE) != Move.LAKE:
        return 0, 0
    w0, w1 = neighbours(state, x, forest_sides(state, x, BANDITS))
    return without_ban(state, x, w0 & manned(state, LOW), w1 & manned(state, HIGH))


@kernel
def ways(rules, state, x):
    """Return the set of step 2's tiles m from `x`."""
    w0, w1 = reach(rules, state, x, kind_at(state, ZERO))
    rest0, rest1 = w0 & ~manned(state, LOW), w1 & ~manned(state, HIGH)
    w0, w1 = 0, 0
    while rest0 | rest1 != 0:
        m = any_of(rest0, rest1)
        rest0 &= ~low_bit(m)
        rest1 &= ~high_bit(m)
        end0, end1 = ends_via(rules, state, x, m)
        if end0 | end1 != 0:
            w0 |= low_bit(m)
            w1 |= high_bit(m)
    return w0, w1


@kernel
def next_tiles(rules, state, x, direct):
    """Return what B4 may choose first for a move from `x`: ends of step 1, or forest ends and ways of step 2."""
    if direct == DIRECT:
        return direct_ends(rules, state, x)
    end0, end1 = forest_ends(rules, state, x)
    way0, way1 = ways(rules, state, x)
    return end0 | way0, end1 | way1


@kernel
def starts(rules, state, direct):
    """Return the set of tiles x from which a move of step 1 (`direct`) or 2 exists."""
    w0, w1 = 0, 0
    for w in range(WORDS):
        rest = np.int64(state.army[BANDITS, w])
        while rest != 0:
            x = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if state.one > 0 and x != state.one:
                continue
            end0, end1 = next_tiles(rules, state, x, direct)
            if end0 | end1 != 0:
                w0 |= low_bit(x)
                w1 |= high_bit(x)
    return w0, w1


@kernel
def step_in_force(rules, state):
    """Return DIRECT where step 1 applies, else ROUNDABOUT."""
    w0, w1 = starts(rules, state, DIRECT)
    return DIRECT if w0 | w1 != 0 else ROUNDABOUT


# ---- The procedure --------------------------------------------------------------------------------------------------


@kernel
def next_move(rules, state):
    """Steps 1 to 3 for the actions that are left."""
    while state.run_left[0] > 0:
        direct = DIRECT
        w0, w1 = starts(rules, state, DIRECT)
        if w0 | w1 == 0 and kind_at(state, ONE) != Move.NONE:
            direct = ROUNDABOUT
            w0, w1 = starts(rules, state, ROUNDABOUT)
        if w0 | w1 == 0:
            drop_action(state)
            continue
        state.player = PLAYER
        if several(w0, w1):
            state.decision = Decision.B3
            return Stage.OFFERED
        return offer_end(rules, state, any_of(w0, w1), direct)
    leave_run(state)
    return Stage.EFFECT


@kernel
def legal_start(rules, state, ids):
    w0, w1 = starts(rules, state, DIRECT)
    if w0 | w1 == 0:
        w0, w1 = starts(rules, state, ROUNDABOUT)
    return list_cells(state, w0, w1, ids, ZERO)


@kernel
def choose_start(rules, state, action):
    return offer_end(rules, state, tile_on(state, action), step_in_force(rules, state))


@kernel
def offer_end(rules, state, x, direct):
    state.move_from = x
    w0, w1 = next_tiles(rules, state, x, direct)
    if several(w0, w1):
        state.decision = Decision.B4
        return Stage.OFFERED
    return take_end(rules, state, any_of(w0, w1), direct)


@kernel
def legal_end(rules, state, ids):
    x, m = np.int64(state.move_from), np.int64(state.move_via)
    if m > 0:
        w0, w1 = ends_via(rules, state, x, m)
    else:
        w0, w1 = next_tiles(rules, state, x, step_in_force(rules, state))
    return list_cells(state, w0, w1, ids, ZERO)


@kernel
def choose_end(rules, state, action):
    if state.move_via > 0:
        return make_move(rules, state, tile_on(state, action), ROUNDABOUT)
    return take_end(rules, state, tile_on(state, action), step_in_force(rules, state))


@kernel
def take_end(rules, state, tile, direct):
    """Go to the tile, or ask for the end behind it when it holds no miniature."""
    manned_there = (manned(state, LOW) & low_bit(tile)) | (manned(state, HIGH) & high_bit(tile)) != 0
    if manned_there:
        return make_move(rules, state, tile, direct)
    state.move_via = tile
    w0, w1 = ends_via(rules, state, np.int64(state.move_from), tile)
    if several(w0, w1):
        state.decision = Decision.B4
        return Stage.OFFERED
    return make_move(rules, state, any_of(w0, w1), ROUNDABOUT)


@kernel
def army_moved(state, tile, kind):
    """Return how many bandits an action moves: as many as possible (BLOOD-SOLO-10), one in a ROADONE."""
    there = np.int64(state.warbands[tile, BANDITS])
    if state.run_kind == Run.ROADONE:
        return 1
    return min(there, LAKE_ARMY) if kind == Move.LAKE else there


@kernel
def make_move(rules, state, y, direct):
    """Move from `move_from`, by way of `move_via`, to `y`; use up the actions; forbid the way back."""
    x, m = np.int64(state.move_from), np.int64(state.move_via)
    kind, second = kind_at(state, ZERO), kind_at(state, ONE)
    number = army_moved(state, x, kind)
    left_behind = x if left_by(state, x, number) else 0
    if m > 0:
        carry(rules, state, BANDITS, x, m, number, kind)
        number = army_moved(state, m, second)
        left_behind = m if left_by(state, m, number) else left_behind
        carry(rules, state, BANDITS, m, y, number, second)
    else:
        carry(rules, state, BANDITS, x, y, number, kind)
    drop_action(state)
    if direct == ROUNDABOUT:
        drop_action(state)
    state.move_from = 0
    state.move_via = 0
    if state.run_kind == Run.ROADONE:
        state.one = y
        left_behind = x
    state.forbidden_from = y if left_behind > 0 else 0
    state.forbidden_to = left_behind
    if state.run_kind == Run.ROADATTACK and state.warbands[y, PLAYER] > 0:
        return begin_battle(rules, state, BANDITS, y)
    return Stage.RUNNING


@kernel
def left_by(state, tile, number):
    """Return whether a move of `number` bandits leaves some of an army of four or more behind."""
    there = np.int64(state.warbands[tile, BANDITS])
    return there >= DIVIDED and number < there
