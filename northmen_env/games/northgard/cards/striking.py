"""STRIKE (NORTH-SPEC-04): remove an enemy figure, and what its card adds to it."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, RES, Event
from northmen_env.games.northgard.amounts import ONE, ZERO
from northmen_env.games.northgard.board import (
    controller,
    enemy_word,
    list_terr,
    near_own_word,
    put_units,
    remove_figures,
    reserve,
    terr_of,
)
from northmen_env.games.northgard.decks import draw_cards
from northmen_env.games.northgard.goods import gain
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import WORDS
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import RESOURCES

NEAR = 1  # a: only territories adjacent to an own one
DRAW, COLLECT, ADD = 1, 2, 3  # b: what follows


@kernel
def target_word(rules, state, p, row, w):
    """Return the word `w` of the set of territories that may be struck."""
    targets = enemy_word(rules, state, p, w)
    if rules.card_a[row] == NEAR:
        targets &= near_own_word(state, p, w)
    return targets


@kernel
def can_hit(rules, state, p, row):
    for w in range(WORDS):
        if target_word(rules, state, p, row, np.int64(w)) != 0:
            return True
    return False


@kernel
def can_add(rules, state, p, row):
    """Return whether the row adds a unit and this is possible."""
    return rules.card_b[row] == ADD and reserve(state, p) > 0 and state.owned[p, 0] | state.owned[p, 1] != 0


@kernel
def can_strike(rules, state, p, row):
    """P: a target exists, or a unit can be added (NORTH-FX-08)."""
    return can_add(rules, state, p, row) or can_hit(rules, state, p, row)


@kernel
def begin_strike(rules, state, row):
    push(state, Frame.STRIKE, row)
    p = np.int64(state.turn)
    if can_hit(rules, state, p, row):
        ask(state, p, Decision.ST_TERR)
        return Stage.OFFERED
    return offer_addition(rules, state)


@kernel
def end_strike(state):
    state.struck = 0
    state.place = -1
    pop(state)
    return Stage.RESUME


@kernel
def offer_addition(rules, state):
    p = np.int64(state.turn)
    if not can_add(rules, state, p, top_row(state)):
        return end_strike(state)
    ask(state, p, Decision.ST_ADD)
    return Stage.OFFERED


@kernel
def list_strike(rules, state, ids):
    p, row, n = np.int64(state.turn), top_row(state), ZERO
    if can_add(rules, state, p, row):
        ids[0] = DONE
        n = ONE
    low = target_word(rules, state, p, row, ZERO)
    return list_terr(state, low, target_word(rules, state, p, row, ONE), ids, n)


@kernel
def answer_strike(rules, state, action):
    if action == DONE:
        return offer_addition(rules, state)
    p, row, t = np.int64(state.turn), top_row(state), terr_of(state, action)
    victim = controller(state, t)
    emit(rules, state, Event.STRIKE, p, np.int64(state.slot[t]), victim)
    remove_figures(state, victim, t, ONE)
    state.struck = 1
    follows = np.int64(rules.card_b[row])
    if follows == ADD:
        return offer_addition(rules, state)
    if follows == DRAW:
        draw_cards(rules, state, p, ONE)
        return end_strike(state)
    if state.yields[t, 0] + state.yields[t, 1] + state.yields[t, 2] == 0:
        return end_strike(state)
    state.place = t
    ask(state, p, Decision.ST_RES)
    return Stage.OFFERED


@kernel
def list_spoil(rules, state, ids):
    n = 0
    for r in range(RESOURCES):
        if state.yields[state.place, r] > 0:
            ids[n] = RES + r
            n += 1
    return n


@kernel
def answer_spoil(rules, state, action):
    gain(rules, state, np.int64(state.turn), action - RES, ONE)
    return end_strike(state)


@kernel
def list_addition(rules, state, ids):
    p, n = np.int64(state.turn), ZERO
    if state.struck != 0:
        ids[0] = DONE
        n = ONE
    return list_terr(state, np.int64(state.owned[p, 0]), np.int64(state.owned[p, 1]), ids, n)


@kernel
def answer_addition(rules, state, action):
    if action != DONE:
        p, t = np.int64(state.turn), terr_of(state, action)
        put_units(state, p, t, ONE)
        emit(rules, state, Event.UNITS, p, np.int64(state.slot[t]), ONE)
    return end_strike(state)
