"""The planning phase: BUY (D8), KEEP (D9), HOLD (D10), seat by seat in leader order."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import above, count, lowest
from northmen_env.engine.events import emit, emit_secret, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import BUY, HOLD, KEEP, PASS, Event
from northmen_env.games.saga.amounts import HOLD_COST, NOTHING, ROUNDS, ROUTE_COST
from northmen_env.games.saga.phases.pieces import next_seat, spend
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import SLOTS

# D8 BUY ---------------------------------------------------------------------------------------------------------------


@kernel
def offer_buy(rules, state):
    """Draws are bought one at a time, while infamy and the deck last (SAGA-PLAN-03, -04)."""
    if state.infamy[state.player] < ROUTE_COST or state.route_count == 0:
        return Stage.HOLDING
    state.decision = Decision.BUY
    return Stage.OFFERED


@kernel
def legal_buy(rules, state, ids):
    ids[0] = BUY
    ids[1] = PASS
    return 2


@kernel
def buy(rules, state, action):
    """Pay 3 and draw the top two routes; a single one is kept without a choice (SAGA-PLAN-02, -04)."""
    if action != BUY:
        return Stage.HOLDING
    seat = np.int64(state.player)
    spend(state, seat, ROUTE_COST)
    emit(rules, state, Event.BUY, seat, NOTHING, NOTHING)
    drawn = draw_routes(rules, state, seat)
    if drawn == 1:
        route = np.int64(state.routes_drawn[0])
        state.routes_drawn[0] = -1
        state.routes_open[seat] |= 1 << route
        emit_secret(rules, state, Event.KEEP, seat, route, NOTHING)
        return Stage.BUYING
    state.decision = Decision.KEEP
    return Stage.OFFERED


@kernel
def draw_routes(rules, state, seat):
    """Move the top routes, two at most, to `routes_drawn`; return how many."""
    size = np.int64(state.route_count)
    drawn = min(2, size)
    for i in range(drawn):
        route = np.int64(state.route_deck[i])
        state.routes_drawn[i] = route
        emit_to(rules, state, seat, Event.DRAWN, seat, route, NOTHING)
    for i in range(drawn, size):
        state.route_deck[i - drawn] = state.route_deck[i]
    for i in range(size - drawn, size):
        state.route_deck[i] = -1
    state.route_count = size - drawn
    for viewer in range(np.int64(rules.num_players)):
        shift_positions(rules, state, viewer, seat, drawn)
    return drawn


@kernel
def shift_positions(rules, state, viewer, buyer, drawn):
    """Keep what `viewer` knows about the trade deck up to date when `drawn` routes leave its top (SAGA-INFO-07)."""
    for route in range(np.int64(rules.num_routes)):
        position = np.int64(state.route_pos[viewer, route])
        if position < 0:
            continue
        if position >= drawn:
            state.route_pos[viewer, route] = position - drawn
            continue
        state.route_pos[viewer, route] = -1
        if drawn == 1:
            state.route_holder[viewer, route] = buyer


# D9 KEEP --------------------------------------------------------------------------------------------------------------


@kernel
def legal_keep(rules, state, ids):
    first, second = np.int64(state.routes_drawn[0]), np.int64(state.routes_drawn[1])
    ids[0] = KEEP + min(first, second)
    ids[1] = KEEP + max(first, second)
    return 2


@kernel
def keep(rules, state, route):
    """Keep one of the two, put the other under the trade deck (SAGA-PLAN-02)."""
    seat = np.int64(state.player)
    other = np.int64(state.routes_drawn[0]) + np.int64(state.routes_drawn[1]) - route
    state.routes_drawn[0] = -1
    state.routes_drawn[1] = -1
    state.routes_open[seat] |= 1 << route
    bottom = np.int64(state.route_count)
    state.route_deck[bottom] = other
    state.route_count = bottom + 1
    state.route_pos[seat, other] = bottom  # SAGA-INFO-07
    emit_secret(rules, state, Event.KEEP, seat, route, other)
    return Stage.BUYING


# D10 HOLD -------------------------------------------------------------------------------------------------------------


@kernel
def holdable(state):
    """Return the hand cards above the last held one (SAGA-PLAN-06)."""
    return above(state.hand[state.player], np.int64(state.hold_last))


@kernel
def offer_hold(rules, state):
    if state.infamy[state.player] < HOLD_COST or holdable(state) == 0:
        return Stage.PLANNED
    state.decision = Decision.HOLD
    return Stage.OFFERED


@kernel
def legal_hold(rules, state, ids):
    rest = holdable(state)
    n = 0
    while rest != 0:
        ids[n] = HOLD + lowest(rest)
        rest &= rest - 1
        n += 1
    ids[n] = PASS
    return n + 1


@kernel
def hold(rules, state, action):
    """Pay 1 to hold a card for the next round, or finish (SAGA-PLAN-05)."""
    if action == PASS:
        return Stage.PLANNED
    seat, card = np.int64(state.player), action - HOLD
    spend(state, seat, HOLD_COST)
    state.held |= 1 << card
    state.hold_last = card
    emit_to(rules, state, seat, Event.HOLD, seat, card, NOTHING)
    return Stage.HOLDING


@kernel
def end_planning(rules, state):
    """The end of a seat's planning turn, with its lasting facts in the order of SAGA-INFO-10."""
    seat = np.int64(state.player)
    held, hand = state.held, state.hand[seat]
    held_count, hand_size = count(held), np.int64(state.hand_size[seat])
    state.known_hand_prev[seat] = state.known_hand[seat]
    state.held_count[seat] = held_count
    state.hand_before_hold[seat] = hand_size
    state.not_held[seat] = hand | open_cards(rules, state)
    if held_count != hand_size:
        state.known_hand[seat] = 0
    state.hand[seat] = held  # the others are discarded
    state.hand_size[seat] = held_count
    state.held = 0
    state.hold_last = -1
    emit(rules, state, Event.HELD, seat, held_count, NOTHING)
    state.player = next_seat(rules, seat)
    if state.player != state.leader:
        return Stage.BUYING
    if state.round_number == ROUNDS:
        return Stage.FINAL
    return Stage.CHANGE


@kernel
def open_cards(rules, state):
    """Return the set of the cards in all piles and in the face-up row."""
    cards = 0
    for seat in range(np.int64(rules.num_players)):
        for i in range(np.int64(state.pile_size[seat])):
            cards |= 1 << np.int64(state.pile[seat, i])
    for i in range(SLOTS):
        if state.slot[i] >= 0:
            cards |= 1 << np.int64(state.slot[i])
    return cards
