"""A card is played (NORTH-TURN-05): from the hand to the active area, reaction, token, operation, and what next.

The frame CARD goes on at one of these steps:

    ASKED  an enemy decides whether to cancel the card (REACT)
    RUN    the token is placed or not (TOKEN); next is the operation
    OVER   the operation runs; next is the rest of the turn
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD, DONE, PLAY, YES, Event
from northmen_env.games.northgard.amounts import NOTHING
from northmen_env.games.northgard.cards.rows import can_play_any, list_playable, run_row
from northmen_env.games.northgard.cards.scorched import may_place, offer_token
from northmen_env.games.northgard.decks import (
    add_discard,
    add_idle,
    add_played,
    hand_has,
    take_from_hand,
    take_played,
)
from northmen_env.games.northgard.phases.frames import ask, pop, push, set_step, top_step
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision, Frame

ASKED, RUN, OVER = np.int64(0), np.int64(1), np.int64(2)


# PLAY_CARD -----------------------------------------------------------------------------------------------------------


@kernel
def offer_play(rules, state):
    """Ask which card is played, once it is known that there is one."""
    ask(state, np.int64(state.turn), Decision.PLAY_CARD)
    return Stage.OFFERED


@kernel
def list_play(rules, state, ids):
    return list_playable(rules, state, np.int64(state.turn), ids)


@kernel
def answer_play(rules, state, action):
    p, card = np.int64(state.turn), action - CARD
    take_from_hand(state, p, card)
    add_played(state, p, card)
    push(state, Frame.CARD, NOTHING)
    state.card = card
    emit(rules, state, Event.PLAY, p, card, NOTHING)
    return ask_reaction(rules, state, p)


# REACT: a hidden prompt, so there is no event of a reaction declined (NORTH-INFO-08) ---------------------------------


@kernel
def ask_reaction(rules, state, after):
    """Ask the next enemy clockwise after the seat `after` that can react; if there is none, go on (NORTH-TURN-09)."""
    p, n, react = np.int64(state.turn), np.int64(rules.num_players), np.int64(rules.react_card)
    if react >= 0:
        other = (after + 1) % n
        while other != p:
            if (np.int64(rules.enemies[p]) >> other) & 1 != 0 and hand_has(state, other, react):
                ask(state, other, Decision.REACT)
                return Stage.OFFERED
            other = (other + 1) % n
    card = np.int64(state.card)
    set_step(state, RUN)
    return offer_token(rules, state) if may_place(rules, state, p, card) else Stage.RESUME


@kernel
def list_reaction(rules, state, ids):
    ids[0] = DONE
    ids[1] = YES
    return 2


@kernel
def answer_reaction(rules, state, action):
    other, p = np.int64(state.player), np.int64(state.turn)
    if action == DONE:
        return ask_reaction(rules, state, other)
    card, react = np.int64(state.card), np.int64(rules.react_card)
    take_from_hand(state, other, react)
    add_idle(state, other, react)
    take_played(state, p, card)
    add_discard(state, p, card)
    emit(rules, state, Event.CANCEL, other, card, react)
    end_card(state)
    return Stage.CONT if state.resolved != 0 else Stage.MENU


# The frame CARD ------------------------------------------------------------------------------------------------------


@kernel
def go_on_card(rules, state):
    card = np.int64(state.card)
    if top_step(state) == RUN:
        set_step(state, OVER)
        return run_row(rules, state, card)
    state.resolved = 1
    if rules.card_flash[card] == 0:
        state.main_used = 1
    end_card(state)
    return Stage.CONT


@kernel
def end_card(state):
    state.card = -1
    pop(state)


# CONT ----------------------------------------------------------------------------------------------------------------


@kernel
def list_more(rules, state, ids):
    """CONT."""
    ids[0] = DONE
    if not can_play_any(rules, state, np.int64(state.turn)):
        return 1
    ids[1] = PLAY
    return 2


@kernel
def answer_more(rules, state, action):
    return Stage.TURN_OVER if action == DONE else offer_play(rules, state)
