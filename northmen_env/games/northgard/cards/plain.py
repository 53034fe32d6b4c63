"""Operations of one step: GAIN, CONQUER, FETCH, FORESEE (NORTH-SPEC-01, -08 … -10)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD, YES, Event
from northmen_env.games.northgard.amounts import FOOD, LORE, NOTHING, ONE, WOOD, ZERO
from northmen_env.games.northgard.decks import (
    add_to_hand,
    avail,
    draw_cards,
    extract,
    list_cards,
    push_pile,
    take_discard,
)
from northmen_env.games.northgard.goods import gain
from northmen_env.games.northgard.phases.frames import ask, pop, push
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision, Frame


@kernel
def run_gain(rules, state, row):
    p = np.int64(state.turn)
    gain(rules, state, p, FOOD, np.int64(rules.card_a[row]))
    gain(rules, state, p, WOOD, np.int64(rules.card_b[row]))
    gain(rules, state, p, LORE, np.int64(rules.card_c[row]))
    return Stage.RESUME


@kernel
def run_conquer(rules, state):
    p = np.int64(state.turn)
    state.conquer[p] = 1
    emit(rules, state, Event.CONQUER, p, NOTHING, NOTHING)
    return Stage.RESUME


@kernel
def all_seats(rules):
    """Return the mask of what everybody knows."""
    return (1 << np.int64(rules.num_players)) - 1


# FETCH ---------------------------------------------------------------------------------------------------------------


@kernel
def begin_fetch(rules, state, row):
    """P: there is a card in the draw or the discard pile."""
    push(state, Frame.FETCH, row)
    p = np.int64(state.turn)
    if avail(state, p) == 0:
        return end_plain(state)
    ask(state, p, Decision.FT_CARD)
    return Stage.OFFERED


@kernel
def list_fetch(rules, state, ids):
    p = np.int64(state.turn)
    ids[0] = YES  # there is a card to draw, since FT_CARD was asked
    return list_cards(state.discard[p], np.int64(state.discard_size[p]), ids, ONE)


@kernel
def answer_fetch(rules, state, action):
    p = np.int64(state.turn)
    if action == YES:
        draw_cards(rules, state, p, ONE)
    else:
        take_discard(state, p, action - CARD)
        add_to_hand(state, p, action - CARD, all_seats(rules))
        emit(rules, state, Event.FETCH, p, action - CARD, NOTHING)
    return end_plain(state)


# FORESEE -------------------------------------------------------------------------------------------------------------


@kernel
def can_foresee(state, p):
    """P: a card is displayed, and the player has not taken one this year (NORTH-FX-13)."""
    return state.display_size > 0 and state.taken[p] == 0


@kernel
def begin_foresee(rules, state, row):
    push(state, Frame.FORESEE, row)
    p = np.int64(state.turn)
    if not can_foresee(state, p):
        return end_plain(state)
    ask(state, p, Decision.FS_CARD)
    return Stage.OFFERED


@kernel
def list_displayed(rules, state, ids):
    """FS_CARD, PASS_PICK."""
    return list_cards(state.display, np.int64(state.display_size), ids, ZERO)


@kernel
def answer_foresee(rules, state, action):
    take_displayed(rules, state, np.int64(state.turn), action - CARD)
    return end_plain(state)


@kernel
def take_displayed(rules, state, p, card):
    """A seat puts a card of the display on its draw pile, openly (NORTH-TURN-13, NORTH-SPEC-09)."""
    extract(state.display, np.int64(state.display_size), card)
    state.display_size -= 1
    push_pile(state, p, card, all_seats(rules))
    state.taken[p] = 1
    emit(rules, state, Event.PICK, p, card, NOTHING)


@kernel
def end_plain(state):
    pop(state)
    return Stage.RESUME
