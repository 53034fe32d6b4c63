"""What seats know must be true, or at least possible (SAGA-INFO-04, -05, -07, -10, -11)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.invariants.cards import has_planned
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.phases.planning import open_cards
from northmen_env.games.saga.setup import all_cards


@kernel
def check_knowledge(rules, state):
    for p in range(np.int64(rules.num_players)):
        if (state.known_hand[p] & ~state.hand[p]) != 0:
            return Broken.KNOWN_HANDS
        if state.round_number == 1 and not has_planned(rules, state, p):
            if not first_round_holds(rules, state, p):
                return Broken.FIRST_ROUND
        elif not planned_holds(rules, state, p):
            return Broken.PLANNED
    if not held_cards_hold(rules, state):
        return Broken.HELD_CARDS
    for p in range(np.int64(rules.num_players)):
        if not positions_hold(rules, state, p):
            return Broken.ROUTE_POSITIONS
        if not holders_hold(rules, state, p):
            return Broken.ROUTE_HOLDERS
    return Broken.NONE


@kernel
def first_round_holds(rules, state, seat):
    if state.held_count[seat] != 0 or state.hand_before_hold[seat] != 0 or state.known_hand_prev[seat] != 0:
        return False
    return state.not_held[seat] == all_cards(rules)


@kernel
def planned_holds(rules, state, seat):
    held, before = np.int64(state.held_count[seat]), np.int64(state.hand_before_hold[seat])
    previous, not_held = state.known_hand_prev[seat], state.not_held[seat]
    if held > before or count(previous) > before or ((previous | not_held) & ~all_cards(rules)) != 0:
        return False
    if not has_planned(rules, state, seat):
        return True
    known = previous if held == before else 0
    if state.hand_size[seat] != held or state.known_hand[seat] != known:
        return False
    visible = open_cards(rules, state)
    if ((visible | state.hand[seat]) & ~not_held) != 0:
        return False
    return count(not_held) == count(visible) + before


@kernel
def held_cards_hold(rules, state):
    """A set of held cards exists for each seat, as far as each opponent knows (SAGA-INFO-11)."""
    n = np.int64(rules.num_players)
    for q in range(n):
        if state.round_number == 1 or has_planned(rules, state, q):
            continue
        own = own_cards(state, q)
        held, previous = np.int64(state.held_count[q]), state.known_hand_prev[q]
        if count(own & previous) < held - (np.int64(state.hand_before_hold[q]) - count(previous)):
            return False
        for p in range(n):
            if p == q or has_planned(rules, state, p):
                continue
            if count(own & ~state.not_held[p]) < held:
                return False
            if (state.not_held[p] & previous) != 0:  # one lay open or was in p's hand, the other was in q's
                return False
    return True


@kernel
def own_cards(state, seat):
    """Return the set of the cards in a seat's hand and pile."""
    cards = state.hand[seat]
    for i in range(np.int64(state.pile_size[seat])):
        cards |= 1 << np.int64(state.pile[seat, i])
    return cards


@kernel
def positions_hold(rules, state, seat):
    for route in range(np.int64(rules.num_routes)):
        position = np.int64(state.route_pos[seat, route])
        if position < -1 or position >= state.route_count:
            return False
        if position >= 0 and state.route_deck[position] != route:
            return False
    return True


@kernel
def holders_hold(rules, state, seat):
    for route in range(np.int64(rules.num_routes)):
        holder = np.int64(state.route_holder[seat, route])
        if holder < -1 or holder >= rules.num_players:
            return False
        if holder >= 0 and (state.routes_open[holder] >> route) & 1 == 0:
            return False
    return True
