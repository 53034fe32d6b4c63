"""COPY (NORTH-SPEC-05): the turn player runs the row of another card, in every role."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD, PLAYER, Event
from northmen_env.games.northgard.board import controller, near_own_word
from northmen_env.games.northgard.cards.operations import can_perform, perform
from northmen_env.games.northgard.cards.scorched import may_place, token_word
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import WORDS
from northmen_env.games.northgard.state import Decision, Frame

OWN, NEIGHBOUR, SCORCHED = 1, 2, 3  # a: whose cards


# Whose cards ---------------------------------------------------------------------------------------------------------


@kernel
def is_enemy(rules, p, other):
    return (np.int64(rules.enemies[p]) >> other) & 1 != 0


@kernel
def is_beside(state, p, other):
    """Return whether a seat controls a territory adjacent to one of `p`."""
    for w in range(WORDS):
        if state.owned[other, w] & near_own_word(state, p, np.int64(w)) != 0:
            return True
    return False


@kernel
def is_scorched(rules, state, other):
    """Return whether a seat controls the territory of the Scorched Earth token."""
    return state.token >= 0 and controller(state, np.int64(state.token)) == other


@kernel
def can_be_scorched(rules, state, p, row, other):
    """Return whether `p`, playing the row, could put the token into a territory of a seat."""
    if not may_place(rules, state, p, row):
        return False
    for w in range(WORDS):
        if state.owned[other, w] & token_word(rules, state, p, np.int64(w)) != 0:
            return True
    return False


@kernel
def may_copy_from(rules, state, p, row, other):
    """Return whether the row takes its card from the active area of a seat."""
    whose = rules.card_a[row]
    if whose == OWN:
        return other == p
    if not is_enemy(rules, p, other):
        return False
    return is_beside(state, p, other) if whose == NEIGHBOUR else is_scorched(rules, state, other)


# Which cards ---------------------------------------------------------------------------------------------------------


@kernel
def list_copyable(rules, state, p, other, ids):
    """Write `CARD c` for each card in the active area of a seat that `p` may copy, ascending; return how many.

    Of the own cards only those marked played count.
    """
    n, i, j = 0, 0, 0
    played, idle = np.int64(state.played_size[other]), np.int64(state.idle_size[other])
    if other == p:
        idle = np.int64(0)
    last = -1
    while i < played or j < idle:
        if j >= idle or (i < played and state.played[other, i] <= state.idle[other, j]):
            card = np.int64(state.played[other, i])
            i += 1
        else:
            card = np.int64(state.idle[other, j])
            j += 1
        if card != last and can_perform(rules, state, p, card):
            ids[n] = CARD + card
            n += 1
        last = card
    return n


@kernel
def has_copyable(rules, state, p, other):
    for i in range(np.int64(state.played_size[other])):
        if can_perform(rules, state, p, np.int64(state.played[other, i])):
            return True
    if other != p:
        for i in range(np.int64(state.idle_size[other])):
            if can_perform(rules, state, p, np.int64(state.idle[other, i])):
                return True
    return False


@kernel
def can_copy(rules, state, p, row):
    """P: some card may be copied, where the token is or where it could be put."""
    for other in range(np.int64(rules.num_players)):
        if may_copy_from(rules, state, p, row, other):
            if has_copyable(rules, state, p, other):
                return True
        elif rules.card_a[row] == SCORCHED and is_enemy(rules, p, other):
            if can_be_scorched(rules, state, p, row, other) and has_copyable(rules, state, p, other):
                return True
    return False


# The operation -------------------------------------------------------------------------------------------------------


@kernel
def begin_copy(rules, state, row):
    push(state, Frame.COPY, row)
    p = np.int64(state.turn)
    for other in range(np.int64(rules.num_players)):
        if may_copy_from(rules, state, p, row, other) and has_copyable(rules, state, p, other):
            ask(state, p, Decision.CP_CARD if rules.card_a[row] == OWN else Decision.CP_WHO)
            return Stage.OFFERED
    return end_copy(state)


@kernel
def go_on_copy(rules, state):
    """The copied operation is over."""
    return end_copy(state)


@kernel
def end_copy(state):
    state.copy_who = -1
    pop(state)
    return Stage.RESUME


@kernel
def list_copy_seat(rules, state, ids):
    """CP_WHO."""
    p, row, n, seats = np.int64(state.turn), top_row(state), 0, np.int64(rules.num_players)
    for distance in range(1, seats):
        other = (p + distance) % seats
        if may_copy_from(rules, state, p, row, other) and has_copyable(rules, state, p, other):
            ids[n] = PLAYER + distance - 1
            n += 1
    return n


@kernel
def answer_copy_seat(rules, state, action):
    p = np.int64(state.turn)
    state.copy_who = (p + action - PLAYER + 1) % np.int64(rules.num_players)
    ask(state, p, Decision.CP_CARD)
    return Stage.OFFERED


@kernel
def copied_seat(state):
    """Return the seat whose card is copied: the turn player for a = 1."""
    return np.int64(state.copy_who) if state.copy_who >= 0 else np.int64(state.turn)


@kernel
def list_copy_card(rules, state, ids):
    """CP_CARD."""
    return list_copyable(rules, state, np.int64(state.turn), copied_seat(state), ids)


@kernel
def answer_copy_card(rules, state, action):
    card = action - CARD
    emit(rules, state, Event.COPY, np.int64(state.turn), card, copied_seat(state))
    return perform(rules, state, card)
