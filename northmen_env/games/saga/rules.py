"""The verbs `step` and `legal_ids`: dispatch on the decision point, nothing else. The rules are in `phases/`."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import CUBE, DRAW, HERO, KEEP, PLAY
from northmen_env.games.saga.phases.flow import advance
from northmen_env.games.saga.phases.march import delay, legal_delay
from northmen_env.games.saga.phases.moves import legal_cube, legal_hero, move_cube, move_hero
from northmen_env.games.saga.phases.planning import buy, hold, keep, legal_buy, legal_hold, legal_keep
from northmen_env.games.saga.phases.rally import draw_card, hire, legal_draw, legal_hire, legal_play, play
from northmen_env.games.saga.phases.routes import complete, legal_route
from northmen_env.games.saga.state import Decision


@kernel
def step(rules, state, action):
    """Apply a legal action and all that follows without a choice."""
    decision = np.int64(state.decision)
    if decision == Decision.PLAY:
        stage = play(rules, state, action - PLAY)
    elif decision == Decision.HIRE:
        stage = hire(rules, state, action)
    elif decision == Decision.DRAW:
        stage = draw_card(rules, state, action - DRAW)
    elif decision == Decision.DELAY:
        stage = delay(rules, state, action)
    elif decision == Decision.CUBE:
        stage = move_cube(rules, state, action - CUBE)
    elif decision == Decision.HERO:
        stage = move_hero(rules, state, action - HERO)
    elif decision == Decision.ROUTE:
        stage = complete(rules, state, action)
    elif decision == Decision.BUY:
        stage = buy(rules, state, action)
    elif decision == Decision.KEEP:
        stage = keep(rules, state, action - KEEP)
    else:
        stage = hold(rules, state, action)
    advance(rules, state, stage)


@kernel
def legal_ids(rules, state, ids):
    """Write the legal actions of the seat to act, ascending, into `ids`; return how many (SAGA-ACT-02)."""
    decision = np.int64(state.decision)
    if decision == Decision.PLAY:
        return legal_play(rules, state, ids)
    if decision == Decision.HIRE:
        return legal_hire(rules, state, ids)
    if decision == Decision.DRAW:
        return legal_draw(rules, state, ids)
    if decision == Decision.DELAY:
        return legal_delay(rules, state, ids)
    if decision == Decision.CUBE:
        return legal_cube(rules, state, ids)
    if decision == Decision.HERO:
        return legal_hero(rules, state, ids)
    if decision == Decision.ROUTE:
        return legal_route(rules, state, ids)
    if decision == Decision.BUY:
        return legal_buy(rules, state, ids)
    if decision == Decision.KEEP:
        return legal_keep(rules, state, ids)
    if decision == Decision.HOLD:
        return legal_hold(rules, state, ids)
    return 0
