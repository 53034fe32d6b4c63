"""Which cards may be played, and the operation of a card: the interpreter's entry (section 1.7)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD
from northmen_env.games.northgard.card_table import Op
from northmen_env.games.northgard.cards.copying import begin_copy, can_copy
from northmen_env.games.northgard.cards.operations import can_perform, perform


@kernel
def can_run(rules, state, p, row):
    """Return whether the P of a row holds for a seat (NORTH-TURN-06)."""
    if rules.card_op[row] == Op.COPY:
        return can_copy(rules, state, p, row)
    return can_perform(rules, state, p, row)


@kernel
def run_row(rules, state, row):
    """Let the turn player run the operation of a row."""
    if rules.card_op[row] == Op.COPY:
        return begin_copy(rules, state, row)
    return perform(rules, state, row)


@kernel
def may_play(rules, state, p, card):
    """Return whether a card may be played now: after the main card only Flash (NORTH-TURN-03)."""
    return (state.main_used == 0 or rules.card_flash[card] != 0) and can_run(rules, state, p, card)


@kernel
def list_playable(rules, state, p, ids):
    """Write `CARD c` for each card of a hand that may be played now, ascending; return how many."""
    n, last = 0, -1
    for i in range(np.int64(state.hand_size[p])):
        card = np.int64(state.hand[p, i])
        if card == last:
            continue
        last = card
        if may_play(rules, state, p, card):
            ids[n] = CARD + card
            n += 1
    return n


@kernel
def can_play_any(rules, state, p):
    """Return whether some card of the hand may be played now (NORTH-TURN-02)."""
    last = -1
    for i in range(np.int64(state.hand_size[p])):
        card = np.int64(state.hand[p, i])
        if card == last:
            continue
        last = card
        if may_play(rules, state, p, card):
            return True
    return False
