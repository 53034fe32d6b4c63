"""The rulebook's Setup, the deal of a round, and the purposes of Saga's random draws."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw, shuffle, stream
from northmen_env.games.saga.actions import Event
from northmen_env.games.saga.amounts import CUBES, GROUP, HAND, HEROES, NOTHING, START_ROUTES
from northmen_env.games.saga.phases.pieces import distance, next_seat
from northmen_env.games.saga.phases.rally import take_top
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import SEATS, SLOTS

# Purposes of random draws (SAGA-SETUP-08): nothing else in the game is left to chance.
PURPOSE_LEADER = 1  # owner 0, occurrence 0, item 0
PURPOSE_CARDS = 2  # owner 0, occurrence = round, item = card
PURPOSE_ROUTES = 3  # owner 0, occurrence 1, item = route


@kernel
def setup(rules, state, seed):
    """Write a new game: the leader's first PLAY. Everything in `state` is overwritten."""
    clear(rules, state)
    n = np.int64(rules.num_players)
    state.seed = seed
    leader = np.int64(rules.first_leader)  # SAGA-SETUP-02
    if leader < 0:
        leader = below(draw(stream(state.seed, PURPOSE_LEADER, 0, 0), 0), n)
    state.leader = leader
    state.round_number = 1
    state.group = GROUP
    for seat in range(n):
        infamy = np.int64(rules.start_infamy[distance(rules, state, seat)])  # SAGA-SETUP-07
        state.infamy[seat] = infamy
        state.reserve[seat] = CUBES - infamy
        state.hero_supply[seat] = HEROES
        state.not_held[seat] = all_cards(rules)  # SAGA-INFO-05
        state.pile[seat, :] = -1
        state.route_pos[seat, :] = -1
        state.route_holder[seat, :] = -1
    deal(rules, state, all_cards(rules))
    deal_routes(rules, state)
    state.player = leader
    state.decision = Decision.PLAY
    emit(rules, state, Event.ROUND, leader, np.int64(state.round_number), NOTHING)


@kernel
def all_cards(rules):
    """Return the set of all influence cards."""
    return (1 << np.int64(rules.num_cards)) - 1


@kernel
def deal(rules, state, cards):
    """Shuffle the set `cards`, fill each hand to six in leader order, turn up three (SAGA-SETUP-03, SAGA-PLAN-09).

    The draw pile always ends at index `num_cards`, so that equal piles are equal bytes.
    """
    end = np.int64(rules.num_cards)
    size = count(cards)
    top = end - size
    state.draw_pile[:] = -1
    rest, at = cards, top
    while rest != 0:
        state.draw_pile[at] = lowest(rest)
        rest &= rest - 1
        at += 1
    shuffle(stream(state.seed, PURPOSE_CARDS, 0, np.int64(state.round_number)), state.draw_pile[top:], size)
    state.draw_top = top
    state.draw_end = end
    seat = np.int64(state.leader)
    for _ in range(np.int64(rules.num_players)):
        fill_hand(rules, state, seat)
        seat = next_seat(rules, seat)
    for i in range(SLOTS):
        card = take_top(state)
        state.slot[i] = card
        emit(rules, state, Event.REVEAL, NOTHING, i, card)


@kernel
def fill_hand(rules, state, seat):
    hand = np.int64(state.hand[seat])
    for _ in range(HAND - np.int64(state.hand_size[seat])):
        card = take_top(state)
        hand |= 1 << card
        emit_to(rules, state, seat, Event.DEAL, seat, card, NOTHING)
    state.hand[seat] = hand
    state.hand_size[seat] = HAND


@kernel
def deal_routes(rules, state):
    """Shuffle the trade routes and deal two to each seat in leader order; both are kept (SAGA-SETUP-04)."""
    size = np.int64(rules.num_routes)
    for route in range(size):
        state.route_deck[route] = route
    shuffle(stream(state.seed, PURPOSE_ROUTES, 0, 1), state.route_deck, size)
    seat, dealt = np.int64(state.leader), 0
    for _ in range(np.int64(rules.num_players)):
        for _ in range(START_ROUTES):
            route = np.int64(state.route_deck[dealt])
            state.routes_open[seat] |= 1 << route
            emit_to(rules, state, seat, Event.DEAL_ROUTE, seat, route, NOTHING)
            dealt += 1
        seat = next_seat(rules, seat)
    for i in range(dealt, size):
        state.route_deck[i - dealt] = state.route_deck[i]
    for i in range(size - dealt, size):
        state.route_deck[i] = -1
    state.route_count = size - dealt


@kernel
def clear(rules, state):
    """Write what every game begins with; seats beyond `num_players` are zero."""
    state.march_pass = 0
    state.armies = 0
    state.fleets = 0
    state.land = 0
    state.sea = 0
    state.last = 0
    state.card = -1
    state.kingdom = -1
    state.route_last = -1
    state.hold_last = -1
    state.held = 0
    state.hand[:] = 0
    state.hand_size[:] = 0
    state.pile[:, :] = 0
    state.pile_size[:] = 0
    state.cubes[:, :] = 0
    state.heroes[:, :] = 0
    state.tokens[:] = 0
    state.reserve[:] = 0
    state.infamy[:] = 0
    state.hero_supply[:] = 0
    state.time_used[:] = 0
    state.plunder[:] = 0
    state.controller[:] = -1
    state.delayed[:] = 0
    state.route_deck[:] = -1
    state.routes_open[:] = 0
    state.routes_done[:] = 0
    state.routes_drawn[:] = -1
    state.known_hand[:] = 0
    state.known_hand_prev[:] = 0
    state.held_count[:] = 0
    state.hand_before_hold[:] = 0
    state.not_held[:] = 0
    state.route_pos[:, :] = 0
    state.route_holder[:, :] = 0
    for viewer in range(SEATS):
        if state.event_count[viewer] != 0:
            state.event_count[viewer] = 0
            state.event_rows[viewer, :, :] = 0
