"""CHOOSE (NORTH-SPEC-02, -03): up to `a` different basic actions, each run as the starting card of its name."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import ACT, DONE, Event
from northmen_env.games.northgard.amounts import NOTHING
from northmen_env.games.northgard.card_table import BUILD, EXPLORE, MOVE, RECRUIT
from northmen_env.games.northgard.phases.build import begin_build, can_build
from northmen_env.games.northgard.phases.explore import begin_explore, can_explore
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.move import begin_move, can_move
from northmen_env.games.northgard.phases.recruit import begin_recruit, can_recruit
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision, Frame

_RECRUIT, _MOVE, _EXPLORE, _BUILD = (np.int64(row) for row in (RECRUIT, MOVE, EXPLORE, BUILD))
ACTS = 4
"""The basic actions: ACT `k` runs row `k`, and is bit `k` of a set (NORTH-FX-07)."""


@kernel
def possible_acts(rules, state, p, acts):
    """Return those basic actions out of a set whose P holds."""
    possible = np.int64(0)
    if acts & 1 != 0 and can_recruit(rules, state, p, _RECRUIT):
        possible |= 1
    if acts & 2 != 0 and can_move(rules, state, p, _MOVE):
        possible |= 2
    if acts & 4 != 0 and can_explore(rules, state, p, _EXPLORE):
        possible |= 4
    if acts & 8 != 0 and can_build(rules, state, p, _BUILD):
        possible |= 8
    return possible


@kernel
def can_choose(rules, state, p, row):
    """P: one of the actions has its P."""
    return possible_acts(rules, state, p, np.int64(rules.card_b[row])) != 0


@kernel
def begin_choose(rules, state, row):
    push(state, Frame.CHOOSE, row)
    return go_on_choose(rules, state)


@kernel
def go_on_choose(rules, state):
    """Offer the next action, if one may follow and can be performed."""
    row = top_row(state)
    if count(state.chosen) < rules.card_a[row] and acts_left(rules, state, row) != 0:
        ask(state, np.int64(state.turn), Decision.ACT)
        return Stage.OFFERED
    return end_choose(state)


@kernel
def end_choose(state):
    state.chosen = 0
    pop(state)
    return Stage.RESUME


@kernel
def acts_left(rules, state, row):
    return possible_acts(rules, state, np.int64(state.turn), np.int64(rules.card_b[row]) & ~np.int64(state.chosen))


@kernel
def list_act(rules, state, ids):
    n = 0
    if state.chosen != 0:
        ids[0] = DONE
        n = 1
    acts = acts_left(rules, state, top_row(state))
    for act in range(ACTS):
        if (acts >> act) & 1 != 0:
            ids[n] = ACT + act
            n += 1
    return n


@kernel
def answer_act(rules, state, action):
    if action == DONE:
        return end_choose(state)
    act = action - ACT
    state.chosen |= 1 << act
    emit(rules, state, Event.CHOOSE, np.int64(state.turn), act, NOTHING)
    if act == RECRUIT:
        return begin_recruit(rules, state, _RECRUIT)
    if act == MOVE:
        return begin_move(rules, state, _MOVE)
    if act == EXPLORE:
        return begin_explore(rules, state, _EXPLORE)
    return begin_build(rules, state, _BUILD)
