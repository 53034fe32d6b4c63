"""DRAW (NORTH-DRAW): draw cards, keep some, put some back, discard the rest.

The frame DRAW goes on at one of these steps:

    DEALING  the drawn cards are dealt with
    PAID     PAY lies on it; next is the card that was paid for
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD, DONE, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, THREE, ZERO
from northmen_env.games.northgard.card_table import DrawBit
from northmen_env.games.northgard.cards.paying import begin_pay
from northmen_env.games.northgard.decks import (
    add_discard,
    add_to_hand,
    avail,
    best_known,
    draw_cards,
    extract_at,
    insert_known,
    least_known,
    list_cards,
    pop_pile,
    push_pile,
)
from northmen_env.games.northgard.goods import total
from northmen_env.games.northgard.phases.frames import ask, pop, push, set_step, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import Decision, Frame

DEALING, PAID = np.int64(0), np.int64(1)
_PAY3, _PER_CLOSED = int(DrawBit.PAY3), int(DrawBit.PER_CLOSED)
WIDE = 3  # tiles of a territory that counts for PER_CLOSED


@kernel
def wide_closed(state, p):
    """Return the number of closed territories of size >= 3 of a seat (NORTH-DRAW-04)."""
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & ~np.int64(state.open_land[w])
        while rest != 0:
            if state.extent[PER_WORD * w + lowest(rest)] >= WIDE:
                found += 1
            rest &= rest - 1
    return found


@kernel
def cards_to_draw(rules, state, p, row):
    """Return how many cards a row draws."""
    if rules.card_fl[row] & _PER_CLOSED != 0:
        return wide_closed(state, p)
    return np.int64(rules.card_a[row])


@kernel
def can_draw(rules, state, p, row):
    """P: at least one card is drawn, and there are as many (NORTH-DRAW-01)."""
    n = cards_to_draw(rules, state, p, row)
    return n >= 1 and avail(state, p) >= n


@kernel
def begin_draw(rules, state, row):
    """Draw the cards; those that go into the hand without a choice go at once."""
    p = np.int64(state.turn)
    push(state, Frame.DRAW, row)
    n = cards_to_draw(rules, state, p, row)
    keep = n if rules.card_fl[row] & _PER_CLOSED != 0 else np.int64(rules.card_b[row])
    if keep >= n:
        draw_cards(rules, state, p, n)
        return offer_more(rules, state)
    take_cards(rules, state, p, n, rules.card_d[row] > 0)
    state.keep = keep
    state.top = rules.card_d[row]
    return next_kept(rules, state)


@kernel
def take_cards(rules, state, p, n, alone):
    """Draw cards into the frame; `alone`: their owner alone knows them from now on (NORTH-INFO-06)."""
    for _ in range(n):
        found = pop_pile(rules, state, p)
        if found < 0:
            break
        size = np.int64(state.drawn_size)
        mask = 1 << p if alone else (found // 128) | (1 << p)
        insert_known(state.drawn, state.drawn_known, size, found % 128, mask)
        state.drawn_size = size + 1
        emit_to(rules, state, p, Event.DRAW, p, found % 128, NOTHING)
    emit(rules, state, Event.DRAWS, p, np.int64(state.drawn_size), NOTHING)


# DR_KEEP, DR_TOP -----------------------------------------------------------------------------------------------------


@kernel
def next_kept(rules, state):
    """Ask for the next card to keep, then for the next one to put back; the rest is discarded (NORTH-DRAW-03)."""
    p = np.int64(state.turn)
    if state.keep > 0 and state.drawn_size > 0:
        ask(state, p, Decision.DR_KEEP)
        return Stage.OFFERED
    state.keep = 0
    state.last = -1
    if state.top > 0 and state.drawn_size > 0:
        ask(state, p, Decision.DR_TOP)
        return Stage.OFFERED
    state.top = 0
    for i in range(np.int64(state.drawn_size)):
        card = np.int64(state.drawn[i])
        add_discard(state, p, card)
        emit(rules, state, Event.DISCARD, p, card, NOTHING)
        state.drawn[i] = 0
        state.drawn_known[i] = 0
    state.drawn_size = 0
    return offer_more(rules, state)


@kernel
def list_keep(rules, state, ids):
    """DR_KEEP: not below the card kept last, and enough cards from it on for the picks that are left."""
    size, n = np.int64(state.drawn_size), 0
    for i in range(size):
        card = state.drawn[i]
        if (i == 0 or card != state.drawn[i - 1]) and card >= state.last and size - i >= state.keep:
            ids[n] = CARD + np.int64(card)
            n += 1
    return n


@kernel
def answer_keep(rules, state, action):
    p, card, size = np.int64(state.turn), action - CARD, np.int64(state.drawn_size)
    i = least_known(state.drawn, state.drawn_known, size, card)
    mask = np.int64(state.drawn_known[i])
    extract_at(state.drawn, state.drawn_known, size, i)
    state.drawn_size = size - 1
    add_to_hand(state, p, card, mask)
    emit_to(rules, state, p, Event.KEEP, p, card, NOTHING)
    state.keep -= 1
    state.last = card
    return next_kept(rules, state)


@kernel
def list_top(rules, state, ids):
    """DR_TOP."""
    return list_cards(state.drawn, np.int64(state.drawn_size), ids, ZERO)


@kernel
def answer_top(rules, state, action):
    p, card, size = np.int64(state.turn), action - CARD, np.int64(state.drawn_size)
    extract_at(state.drawn, state.drawn_known, size, best_known(state.drawn, state.drawn_known, size, card))
    state.drawn_size = size - 1
    push_pile(state, p, card, 1 << p)
    emit_to(rules, state, p, Event.ON_TOP, p, card, NOTHING)
    state.top -= 1
    return next_kept(rules, state)


# DR_PAY --------------------------------------------------------------------------------------------------------------


@kernel
def offer_more(rules, state):
    """Offer one more card for three resources (NORTH-DRAW-05)."""
    p = np.int64(state.turn)
    if rules.card_fl[top_row(state)] & _PAY3 != 0 and total(state, p) >= THREE and avail(state, p) >= 1:
        ask(state, p, Decision.DR_PAY)
        return Stage.OFFERED
    return end_draw(state)


@kernel
def answer_draw_pay(rules, state, action):
    if action == DONE:
        return end_draw(state)
    set_step(state, PAID)
    return begin_pay(rules, state, np.int64(state.turn), THREE, NOTHING)


@kernel
def go_on_draw(rules, state):
    """All is paid."""
    draw_cards(rules, state, np.int64(state.turn), ONE)
    return end_draw(state)


@kernel
def end_draw(state):
    pop(state)
    return Stage.RESUME
