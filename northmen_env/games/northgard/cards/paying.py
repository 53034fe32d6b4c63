"""Payments of "any k resources", one at a time in one canonical order (NORTH-TURN-15): the frame PAY.

PAY lies on the operation that asked for it (RECRUIT, DRAW, HAND) or on HARVEST, which goes on when all is paid.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import RES, Event
from northmen_env.games.northgard.amounts import NOTHING, ZERO
from northmen_env.games.northgard.phases.frames import ask, pop, push
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import RESOURCES


@kernel
def list_payable(state, p, owed, last, ids, n):
    """Append `RES r` for each kind that a seat may pay next, `owed` being due; return the new length.

    A kind is not below the one paid last, and enough of it and the kinds above must be there for all that is due.
    """
    there = np.int64(0)
    for r in range(RESOURCES):
        there += np.int64(state.resources[p, r])
    for r in range(RESOURCES):
        own = np.int64(state.resources[p, r])
        if r >= last and own > 0 and there >= owed:
            ids[n] = RES + r
            n += 1
        there -= own
    return n


@kernel
def hand_over(rules, state, p, kind, to):
    """One resource goes to the seat `to`, or to the supply (-1)."""
    state.resources[p, kind] -= 1
    if to >= 0:
        state.resources[to, kind] += 1
    emit(rules, state, Event.PAY, p, kind, to)


@kernel
def begin_pay(rules, state, p, number, to):
    """Let `p`, who owns as many, pay `number` resources to the seat `to` (-1: the supply)."""
    return go_on_paying(rules, state, p, number, to, NOTHING)


@kernel
def go_on_paying(rules, state, p, number, to, last):
    """As `begin_pay`, the kind `last` having been paid before the frame began (a trade)."""
    push(state, Frame.PAY, NOTHING)
    state.payer = p
    state.owed = number
    state.paid_last = last
    state.paid_to = to
    ask(state, p, Decision.PAY)
    return Stage.OFFERED


@kernel
def list_pay(rules, state, ids):
    return list_payable(state, np.int64(state.payer), np.int64(state.owed), np.int64(state.paid_last), ids, ZERO)


@kernel
def answer_pay(rules, state, action):
    kind = action - RES
    hand_over(rules, state, np.int64(state.payer), kind, np.int64(state.paid_to))
    state.paid_last = kind
    state.owed -= 1
    if state.owed > 0:
        return Stage.OFFERED
    state.payer = -1
    state.paid_last = -1
    state.paid_to = -1
    pop(state)
    return Stage.RESUME
