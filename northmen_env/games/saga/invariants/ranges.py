"""Ranges, so that all later checks may use the numbers as indices; and conservation of pieces (SAGA-DATA-02, -03)."""

from __future__ import annotations

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
def within(value, low, high):
    return low <= value <= high


@kernel
def turn_holds(rules, state):
    n, decision = int(rules.num_players), int(state.decision)
    if not within(decision, Decision.PLAY, Decision.END):
        return False
    if not within(state.round_number, 1, ROUNDS) or not within(state.leader, 0, n - 1):
        return False
    if decision == Decision.END:
        return state.player == -1 and state.round_number == ROUNDS
    if not within(state.player, 0, n - 1):
        return False
    planning = decision >= Decision.BUY
    return not planning or state.round_number < ROUNDS or rules.final_planning != 0


@kernel
def numbers_hold(rules, state):
    """Numbers of seats and places."""
    n = int(rules.num_players)
    for p in range(n):
        if not within(state.reserve[p], 0, CUBES) or not within(state.infamy[p], 0, CUBES):
            return False
        if not within(state.hero_supply[p], 0, HEROES) or not within(state.time_used[p], 0, 1):
            return False
        if not within(state.plunder[p], 0, _TOKENS) or not within(state.pile_size[p], 0, rules.num_cards):
            return False
        if not within(state.held_count[p], 0, HAND) or not within(state.hand_before_hold[p], 0, HAND):
            return False
        for place in range(PLACES):
            if not within(state.cubes[place, p], 0, CUBES) or not within(state.heroes[place, p], 0, HEROES):
                return False
    for region in range(REGIONS):
        if not within(state.tokens[region], 0, _TOKENS):
            return False
    for kingdom in range(KINGDOMS):
        if not within(state.controller[kingdom], -1, n - 1) or not within(state.delayed[kingdom], 0, 1):
            return False
    return True


@kernel
def context_in_range(rules, state):
    symbols = 3 * int(rules.num_cards)
    if not within(state.group, 0, GROUP) or not within(state.card, -1, rules.num_cards - 1):
        return False
    if state.draw_end != rules.num_cards or not within(state.draw_top, 0, state.draw_end):
        return False
    if not within(state.route_count, 0, rules.num_routes) or not within(state.route_last, -1, rules.num_routes - 1):
        return False
    if not within(state.hold_last, -1, rules.num_cards - 1):
        return False
    if not within(state.kingdom, -1, rules.num_kingdoms - 1) or not within(state.march_pass, 0, 2):
        return False
    if not within(state.armies, 0, symbols) or not within(state.fleets, 0, symbols):
        return False
    if not within(state.land, 0, CUBES) or not within(state.sea, 0, CUBES):
        return False
    return within(state.last, 0, rules.num_regions - 1)


@kernel
def absent_is_zero(rules, state):
    """Seats and places that the game does not have."""
    n = int(rules.num_players)
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
    for region in range(int(rules.num_regions), REGIONS):
        if state.tokens[region] != 0:
            return False
    for kingdom in range(int(rules.num_kingdoms), KINGDOMS):
        if state.controller[kingdom] != -1 or state.delayed[kingdom] != 0:
            return False
    return True


@kernel
def events_hold(rules, state):
    """Rows are used as indices by observations and texts."""
    for viewer in range(SEATS):
        rows = int(state.event_count[viewer])
        if rows < 0 or (rows > 0 and viewer >= rules.num_players):
            return False
        for i in range(min(rows, EVENTS)):
            row = state.event_rows[viewer, i]
            if not within(row[0], 0, _LAST_EVENT) or not within(row[1], -1, rules.num_players - 1):
                return False
            if not within(row[2], -1, 63) or not within(row[3], -1, 63):
                return False
    return True


@kernel
def conservation(rules, state):
    tokens = int(state.group) + GROUP * (ROUNDS - int(state.round_number))
    for region in range(REGIONS):
        tokens += int(state.tokens[region])
    for p in range(int(rules.num_players)):
        cubes, heroes = int(state.reserve[p]) + int(state.infamy[p]), int(state.hero_supply[p])
        for place in range(PLACES):
            cubes += int(state.cubes[place, p])
            heroes += int(state.heroes[place, p])
        if cubes != CUBES:
            return Broken.CUBES
        if heroes != HEROES:
            return Broken.HEROES
        tokens += int(state.plunder[p])
    if tokens != _TOKENS:
        return Broken.TOKENS
    return Broken.NONE
