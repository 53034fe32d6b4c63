"""The context of the pending decision (SAGA-INFO-09): there where it says something, empty elsewhere (SAGA-TURN-08)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import highest
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.phases.march import SECOND_PASS
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS, LAND, NONE, SEA


@kernel
def check_context(rules, state):
    if not card_holds(state):
        return Broken.CARD
    if not march_holds(state):
        return Broken.MARCH
    if not symbols_hold(rules, state):
        return Broken.SYMBOLS
    if not route_context_holds(state):
        return Broken.ROUTE_CONTEXT
    if not hold_context_holds(state):
        return Broken.HOLD_CONTEXT
    if not group_holds(rules, state):
        return Broken.GROUP
    return Broken.NONE


@kernel
def in_march(state):
    """Return whether a kingdom's turn is under way."""
    return Decision.DELAY <= state.decision <= Decision.HERO


@kernel
def card_holds(state):
    if state.decision != Decision.HIRE and state.decision != Decision.DRAW:
        return state.card == -1
    size = np.int64(state.pile_size[state.player])
    return size > 0 and state.card == state.pile[state.player, size - 1]


@kernel
def march_holds(state):
    numbers = state.armies != 0 or state.fleets != 0 or state.land != 0 or state.sea != 0 or state.last != 0
    if not in_march(state):
        return state.kingdom == -1 and state.march_pass == 0 and not numbers
    if state.kingdom < 0 or state.march_pass == 0 or state.controller[state.kingdom] != state.player:
        return False
    if (state.march_pass == SECOND_PASS) != (state.delayed[state.kingdom] != 0):
        return False
    return state.decision != Decision.DELAY or (state.march_pass != SECOND_PASS and not numbers)


@kernel
def symbols_in_pile(rules, state, seat, kingdom):
    """Return the soldiers and ships on the seat's own cards of a suit."""
    armies, fleets = 0, 0
    for i in range(np.int64(state.pile_size[seat])):
        card = np.int64(state.pile[seat, i])
        if rules.card_suit[card] == kingdom:
            armies += np.int64(rules.card_armies[card])
            fleets += np.int64(rules.card_fleets[card])
    return armies, fleets


@kernel
def symbols_hold(rules, state):
    if state.decision != Decision.CUBE and state.decision != Decision.HERO:
        return True
    kingdom, seat = np.int64(state.kingdom), np.int64(state.player)
    armies, fleets = symbols_in_pile(rules, state, seat, kingdom)
    if state.armies != armies or state.fleets != fleets or state.land > armies or state.sea > fleets:
        return False
    if state.cubes[kingdom, seat] + state.land + state.sea > armies + fleets:
        return False
    by_land, by_sea = 0, 0
    for region in range(np.int64(rules.num_regions)):
        way = np.int64(rules.march_class[kingdom, region])
        if way == LAND:
            by_land += np.int64(state.cubes[KINGDOMS + region, seat])
        elif way == SEA:
            by_sea += np.int64(state.cubes[KINGDOMS + region, seat])
    return state.land <= by_land and state.sea <= by_sea and last_holds(rules, state, kingdom, seat)


@kernel
def last_holds(rules, state, kingdom, seat):
    """A piece of the seat stands in the region `last`, which is 0 before the first one."""
    last = np.int64(state.last)
    if last == 0:
        return True
    if rules.free_march != 0 or rules.march_class[kingdom, last] == NONE:
        return False
    if state.decision == Decision.CUBE:
        return state.cubes[KINGDOMS + last, seat] > 0
    return state.heroes[KINGDOMS + last, seat] > 0


@kernel
def route_context_holds(state):
    if state.route_last < 0:
        return True
    return state.decision == Decision.ROUTE and (state.routes_done[state.player] >> np.int64(state.route_last)) & 1 != 0


@kernel
def hold_context_holds(state):
    if state.held == 0:
        return state.hold_last == -1
    if state.decision != Decision.HOLD or (state.held & ~state.hand[state.player]) != 0:
        return False
    return state.hold_last == highest(state.held)


@kernel
def group_holds(rules, state):
    if state.decision == Decision.PLAY or state.decision == Decision.HIRE:
        return state.group > 0
    if state.decision == Decision.DRAW:
        after_last = rules.draw_after_last_token != 0 and rules.card_places[state.card] != 0
        return state.group > 0 or after_last
    return state.group == 0 or not state.hand.any()  # SAGA-RALLY-15
