"""Ranges, so that all later checks may use the numbers as indices; and conservation of pieces (SAGA-DATA-02, -03)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import EVENTS
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import Event
from northmen_env.games.saga.amounts import CUBES, GROUP, HAND, HEROES, ROUNDS
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS, PLACES, REGIONS, SEATS

_TOKENS = GROUP * ROUNDS
_LAST_EVENT = int(Event.END)


@kernel
def check_ranges(rules, state):
    if not turn_holds(rules, state):
        return Broken.TURN
    if not numbers_hold(rules, state) or not context_in_range(rules, state):
        return Broken.RANGES
    if not absent_is_zero(rules, state):
        return Broken.ABSENT
    if not events_hold(rules, state):
        return Broken.EVENTS
    return conservation(rules, state)


@kernel
def turn_holds(rules, state):
    n, decision = np.int64(rules.num_players), np.int64(state.decision)
    if not Decision.PLAY <= decision <= Decision.END:
        return False
    if not 1 <= state.round_number <= ROUNDS or not 0 <= state.leader <= n - 1:
        return False
    if decision == Decision.END:
        return state.player == -1 and state.round_number == ROUNDS
    if not 0 <= state.player <= n - 1:
        return False
    planning = decision >= Decision.BUY
    return not planning or state.round_number < ROUNDS or rules.final_planning != 0


@kernel
def numbers_hold(rules, state):
    """Numbers of seats and places."""
    n = np.int64(rules.num_players)
    for p in range(n):
        if not 0 <= state.reserve[p] <= CUBES or not 0 <= state.infamy[p] <= CUBES:
            return False
        if not 0 <= state.hero_supply[p] <= HEROES or not 0 <= state.time_used[p] <= 1:
            return False
        if not 0 <= state.plunder[p] <= _TOKENS or not 0 <= state.pile_size[p] <= rules.num_cards:
            return False
        if not 0 <= state.held_count[p] <= HAND or not 0 <= state.hand_before_hold[p] <= HAND:
            return False
        for place in range(PLACES):
            if not 0 <= state.cubes[place, p] <= CUBES or not 0 <= state.heroes[place, p] <= HEROES:
                return False
    for region in range(REGIONS):
        if not 0 <= state.tokens[region] <= _TOKENS:
            return False
    for kingdom in range(KINGDOMS):
        if not -1 <= state.controller[kingdom] <= n - 1 or not 0 <= state.delayed[kingdom] <= 1:
            return False
    return True


@kernel
def context_in_range(rules, state):
    symbols = 3 * np.int64(rules.num_cards)
    if not 0 <= state.group <= GROUP or not -1 <= state.card <= rules.num_cards - 1:
        return False
    if state.draw_end != rules.num_cards or not 0 <= state.draw_top <= state.draw_end:
        return False
    if not 0 <= state.route_count <= rules.num_routes or not -1 <= state.route_last <= rules.num_routes - 1:
        return False
    if not -1 <= state.hold_last <= rules.num_cards - 1:
        return False
    if not -1 <= state.kingdom <= rules.num_kingdoms - 1 or not 0 <= state.march_pass <= 2:
        return False
    if not 0 <= state.armies <= symbols or not 0 <= state.fleets <= symbols:
        return False
    if not 0 <= state.land <= CUBES or not 0 <= state.sea <= CUBES:
        return False
    return 0 <= state.last <= rules.num_regions - 1


@kernel
def absent_is_zero(rules, state):
    """Seats and places that the game does not have."""
    n = np.int64(rules.num_players)
    for p in range(n, SEATS):
        if state.hand[p] != 0 or state.hand_size[p] != 0 or state.pile_size[p] != 0 or state.pile[p].any():
            return False
        if state.reserve[p] != 0 or state.infamy[p] != 0 or state.hero_supply[p] != 0 or state.time_used[p] != 0:
            return False
        if state.plunder[p] != 0 or state.routes_open[p] != 0 or state.routes_done[p] != 0:
            return False
        if state.known_hand[p] != 0 or state.known_hand_prev[p] != 0 or state.not_held[p] != 0:
            return False
        if state.held_count[p] != 0 or state.hand_before_hold[p] != 0:
            return False
        if state.route_pos[p].any() or state.route_holder[p].any():
            return False
    for place in range(PLACES):
        absent = rules.num_kingdoms <= place < KINGDOMS or place >= KINGDOMS + rules.num_regions
        for p in range(0 if absent else n, SEATS):
            if state.cubes[place, p] != 0 or state.heroes[place, p] != 0:
                return False
    for region in range(np.int64(rules.num_regions), REGIONS):
        if state.tokens[region] != 0:
            return False
    for kingdom in range(np.int64(rules.num_kingdoms), KINGDOMS):
        if state.controller[kingdom] != -1 or state.delayed[kingdom] != 0:
            return False
    return True


@kernel
def events_hold(rules, state):
    """Rows are used as indices by observations and texts."""
    for viewer in range(SEATS):
        rows = np.int64(state.event_count[viewer])
        if rows < 0 or (rows > 0 and viewer >= rules.num_players):
            return False
        for i in range(min(rows, EVENTS)):
            row = state.event_rows[viewer, i]
            if not 0 <= row[0] <= _LAST_EVENT or not -1 <= row[1] <= rules.num_players - 1:
                return False
            if not -1 <= row[2] <= 63 or not -1 <= row[3] <= 63:
                return False
    return True


@kernel
def conservation(rules, state):
    tokens = np.int64(state.group) + GROUP * (ROUNDS - np.int64(state.round_number))
    for region in range(REGIONS):
        tokens += np.int64(state.tokens[region])
    for p in range(np.int64(rules.num_players)):
        cubes, heroes = np.int64(state.reserve[p]) + np.int64(state.infamy[p]), np.int64(state.hero_supply[p])
        for place in range(PLACES):
            cubes += np.int64(state.cubes[place, p])
            heroes += np.int64(state.heroes[place, p])
        if cubes != CUBES:
            return Broken.CUBES
        if heroes != HEROES:
            return Broken.HEROES
        tokens += np.int64(state.plunder[p])
    if tokens != _TOKENS:
        return Broken.TOKENS
    return Broken.NONE
