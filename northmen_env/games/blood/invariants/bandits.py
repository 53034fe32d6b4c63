"""The bandit phase (BLOOD-PHASE-08): the card in force, the effect in progress, the run of moves."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import BANDITS, HIGH, LOW
from northmen_env.games.blood.bandit_table import Op
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.phases.runs import DIRECT, ends_via, manned, step_in_force, ways
from northmen_env.games.blood.reach import has_tile
from northmen_env.games.blood.state import Decision, Move, Run
from northmen_env.games.blood.tables import MAX_EFFECTS
from northmen_env.games.blood.tilesets import has, is_empty


@kernel
def check_bandits(rules, state):
    if state.card == 0:
        return Broken.NONE if no_bandits(state) else Broken.BANDITS
    if rules.solo == 0 or state.effect == 0 or not in_bandit_phase(state) or not tiles_hold(state):
        return Broken.BANDITS
    if not run_holds(state) or not moves_hold(rules, state):
        return Broken.RUN
    if not effect_holds(rules, state):
        return Broken.BANDITS
    return Broken.NONE


@kernel
def no_bandits(state):
    """Nothing of a bandit phase; then only a battle of the player asks B2 or B7."""
    decision = np.int64(state.decision)
    if Decision.B1 <= decision <= Decision.B7 and (state.battle_tile == 0 or state.phase == 0):
        return False
    if state.effect + state.left + state.target + state.won + state.last_won + state.bribed != 0:
        return False
    if not is_empty(state.remaining) or not is_empty(state.served) or state.run_kind != Run.NONE:
        return False
    return state.forbidden_from == 0 and state.forbidden_to == 0 and no_run(state)


@kernel
def in_bandit_phase(state):
    decision = np.int64(state.decision)
    return Decision.B1 <= decision <= Decision.B7 or (Decision.D19 <= decision <= Decision.D22 and state.phase == 0)


@kernel
def on_map_or_none(state, tile):
    return tile == 0 or has(state.on_map, tile)


@kernel
def tiles_hold(state):
    """The tiles that the phase names lie on the map."""
    for w in range(2):
        if (state.remaining[w] | state.served[w]) & ~state.on_map[w] != 0 or state.remaining[w] & state.served[w] != 0:
            return False
    if (state.forbidden_from == 0) != (state.forbidden_to == 0):
        return False
    if not on_map_or_none(state, np.int64(state.forbidden_from)):
        return False
    return on_map_or_none(state, np.int64(state.forbidden_to)) and on_map_or_none(state, np.int64(state.target))


@kernel
def effect_holds(rules, state):
    """The effect that was begun last asks for the decision."""
    decision, op = np.int64(state.decision), np.int64(rules.effect_op[state.card, state.effect - 1])
    each = not is_empty(state.remaining)
    if each != (op == Op.EACH) or (not each and not is_empty(state.served)):
        return False
    if (state.target > 0) != (decision == Decision.B2 and state.battle_tile == 0):
        return False
    if each and state.target > 0 and not has(state.remaining, np.int64(state.target)):
        return False
    counted = op == Op.PLACE or op == Op.ATTACK or op == Op.SCORE or op == Op.BRIBE or op == Op.BRIBEVILLAGES
    if (state.left > 0) != counted:
        return False
    if state.battle_tile > 0:
        return op == Op.ATTACK or state.run_kind == Run.ROADATTACK
    if decision == Decision.B1 or decision == Decision.B2:
        return (op == Op.PLACE or op == Op.EACH) and (decision == Decision.B1 or state.settlement[BANDITS] == 0)
    if decision == Decision.B3 or decision == Decision.B4:
        return state.run_kind != Run.NONE
    if decision == Decision.B5:
        return op == Op.ATTACK
    if decision == Decision.B6:
        return op == Op.BRIBE
    return (op == Op.SCORE or op == Op.BRIBEVILLAGES) and state.settlement[BANDITS] == 0


# Runs ----------------------------------------------------------------------------------------------------------------


@kernel
def no_run(state):
    for i in range(MAX_EFFECTS):
        if state.run_left[i] != 0:
            return False
    return state.run_first == Move.NONE and state.move_from + state.move_via + state.one == 0


@kernel
def run_holds(state):
    """Segments without gaps; a run in B3, B4 and the battles of ROADATTACK."""
    decision = np.int64(state.decision)
    moving = decision == Decision.B3 or decision == Decision.B4
    if state.run_kind == Run.NONE:
        return not moving and no_run(state)
    if not moving and (state.run_kind != Run.ROADATTACK or state.battle_tile == 0):
        return False
    if moving and state.run_left[0] == 0:
        return False
    for i in range(1, MAX_EFFECTS):
        if state.run_left[i] > 0 and (state.run_left[i - 1] == 0 or state.run_kind != Run.MOVES):
            return False
    if (state.run_first == Move.NONE) != (state.run_left[0] == 0):
        return False
    return state.run_kind == Run.MOVES or state.run_first != Move.LAKE


@kernel
def moves_hold(rules, state):
    """The bandits that move, and the tile on their way."""
    decision, x, m = np.int64(state.decision), np.int64(state.move_from), np.int64(state.move_via)
    if state.one > 0 and (state.run_kind != Run.ROADONE or state.warbands[state.one, BANDITS] == 0):
        return False
    if decision != Decision.B4:
        return x == 0 and m == 0
    if x == 0 or state.warbands[x, BANDITS] == 0 or (state.one > 0 and x != state.one):
        return False
    if m == 0:
        return True
    if not has(state.on_map, m) or has_tile(manned(state, LOW), manned(state, HIGH), m):
        return False
    if step_in_force(rules, state) == DIRECT:
        return False
    w0, w1 = ways(rules, state, x)
    end0, end1 = ends_via(rules, state, x, m)
    return has_tile(w0, w1, m) and end0 | end1 != 0
