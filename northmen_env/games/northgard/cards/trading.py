"""Trades in the harvest and swaps between teammates (NORTH-HARV-06, -08, NORTH-TEAM-06, -07).

They belong to the frame HARVEST, at these of its steps:

    TRADES    TR_GIVE … SW_OK; next is another trade
    PAID      PAY lies on HARVEST: the second and third resource of a trade; next is TR_TAKE
    TRADED    the trades are over
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, PLAYER, RES, YES, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, THREE, TWO
from northmen_env.games.northgard.cards.paying import go_on_paying, hand_over, list_payable
from northmen_env.games.northgard.goods import gain, total
from northmen_env.games.northgard.phases.frames import ask, set_step, top_step
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import RESOURCES

TRADES, TRADED, PAID = np.int64(2), np.int64(3), np.int64(4)
SWAPS = 6
"""Most swaps between teammates in one harvest (NORTH-TEAM-07)."""


# Trades --------------------------------------------------------------------------------------------------------------


@kernel
def next_trade(rules, state):
    """Offer what a trade brings, or another trade, as long as there can be one."""
    p = np.int64(state.turn)
    if top_step(state) == PAID:
        ask(state, p, Decision.TR_TAKE)
        return Stage.OFFERED
    if total(state, p) < THREE and not may_swap(rules, state, p):
        return end_trades(state)
    ask(state, p, Decision.TR_GIVE)
    return Stage.OFFERED


@kernel
def end_trades(state):
    state.swaps = 0
    state.swaps_over = 0
    set_step(state, TRADED)
    return Stage.RESUME


@kernel
def list_give(rules, state, ids):
    """TR_GIVE."""
    p = np.int64(state.turn)
    ids[0] = DONE
    n = list_payable(state, p, THREE, NOTHING, ids, ONE)
    if may_swap(rules, state, p):
        distance = (np.int64(rules.ally[p]) - p) % np.int64(rules.num_players)
        ids[n] = PLAYER + distance - 1
        n += 1
    return n


@kernel
def answer_give(rules, state, action):
    if action == DONE:
        return end_trades(state)
    p = np.int64(state.turn)
    if action >= PLAYER:
        ask(state, p, Decision.SW_GIVE)
        return Stage.OFFERED
    hand_over(rules, state, p, action - RES, NOTHING)
    set_step(state, PAID)
    return go_on_paying(rules, state, p, TWO, NOTHING, action - RES)


@kernel
def list_take(rules, state, ids):
    """TR_TAKE."""
    for r in range(RESOURCES):
        ids[r] = RES + r
    return RESOURCES


@kernel
def answer_take(rules, state, action):
    p = np.int64(state.turn)
    gain(rules, state, p, action - RES, ONE)
    emit(rules, state, Event.TRADE, p, action - RES, NOTHING)
    set_step(state, TRADES)
    return next_trade(rules, state)


# Swaps between teammates ---------------------------------------------------------------------------------------------


@kernel
def has_other(state, p, kind):
    """Return whether a seat owns a resource of another kind."""
    return total(state, p) > state.resources[p, kind]


@kernel
def may_swap(rules, state, p):
    ally = np.int64(rules.ally[p])
    if ally < 0 or state.swaps >= SWAPS or state.swaps_over != 0:
        return False
    for r in range(RESOURCES):
        if state.resources[p, r] > 0 and has_other(state, ally, r):
            return True
    return False


@kernel
def list_swap_give(rules, state, ids):
    """SW_GIVE."""
    p, n = np.int64(state.turn), 0
    ally = np.int64(rules.ally[p])
    for r in range(RESOURCES):
        if state.resources[p, r] > 0 and has_other(state, ally, r):
            ids[n] = RES + r
            n += 1
    return n


@kernel
def answer_swap_give(rules, state, action):
    state.swap_give = action - RES
    ask(state, np.int64(state.turn), Decision.SW_TAKE)
    return Stage.OFFERED


@kernel
def list_swap_take(rules, state, ids):
    """SW_TAKE."""
    ally, n = np.int64(rules.ally[np.int64(state.turn)]), 0
    for r in range(RESOURCES):
        if r != state.swap_give and state.resources[ally, r] > 0:
            ids[n] = RES + r
            n += 1
    return n


@kernel
def answer_swap_take(rules, state, action):
    state.swap_take = action - RES
    ask(state, np.int64(rules.ally[np.int64(state.turn)]), Decision.SW_OK)
    return Stage.OFFERED


@kernel
def list_swap_consent(rules, state, ids):
    """SW_OK."""
    ids[0] = DONE
    ids[1] = YES
    return 2


@kernel
def answer_swap_consent(rules, state, action):
    p = np.int64(state.turn)
    ally, give, take = np.int64(rules.ally[p]), np.int64(state.swap_give), np.int64(state.swap_take)
    state.swap_give = -1
    state.swap_take = -1
    if action == DONE:
        state.swaps_over = 1
    else:
        state.resources[p, give] -= 1
        state.resources[ally, give] += 1
        state.resources[ally, take] -= 1
        state.resources[p, take] += 1
        state.swaps += 1
        emit(rules, state, Event.SWAP, p, give, take)
    return next_trade(rules, state)
