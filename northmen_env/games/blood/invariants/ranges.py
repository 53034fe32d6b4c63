"""Ranges, so that all later checks may use the numbers as indices; what is absent; the event log."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import EVENTS
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import FROM_CITADEL, Event
from northmen_env.games.blood.amounts import PIECES
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.state import CELLS, CITADELS, FRONTIER, Decision, Move, Run
from northmen_env.games.blood.tables import ABILITIES, IDS, MAX_EFFECTS, SEATS, SIDES, TILES
from northmen_env.games.blood.tilesets import PER_WORD, is_empty

_LAST_EVENT = int(Event.END)
_LOW_WORD = (1 << PER_WORD) - 2
_HIGH_WORD = (1 << (IDS - PER_WORD)) - 1
_MANY = 1000


@kernel
def check_ranges(rules, state):
    if not turn_holds(rules, state):
        return Broken.TURN
    if not (sets_in_range(state) and map_in_range(rules, state) and colours_in_range(rules, state)):
        return Broken.RANGES
    if not (context_in_range(state) and battle_in_range(rules, state) and bandits_in_range(rules, state)):
        return Broken.RANGES
    if not absent_is_empty(rules, state):
        return Broken.ABSENT
    if not events_hold(rules, state):
        return Broken.EVENTS
    return Broken.NONE


@kernel
def turn_holds(rules, state):
    n, decision = np.int64(rules.num_players), np.int64(state.decision)
    if not Decision.D01 <= decision <= Decision.END or not 0 <= state.active < n:
        return False
    if decision == Decision.END:
        return state.player == -1 and 0 < state.winners < 1 << np.int64(rules.colours)
    if state.winners != 0 or not 0 <= state.player < n:
        return False
    if decision > Decision.D22:
        return rules.solo != 0
    return decision >= Decision.D19 or state.player == state.active


@kernel
def set_in_range(words):
    return np.int64(words[0]) & ~_LOW_WORD == 0 and np.int64(words[1]) & ~_HIGH_WORD == 0


@kernel
def sets_in_range(state):
    for p in range(SEATS):
        if not (set_in_range(state.hand[p]) and set_in_range(state.prepared[p]) and set_in_range(state.held[p])):
            return False
        if not (set_in_range(state.army[p]) and set_in_range(state.battle_revealed[p])):
            return False
    if not (set_in_range(state.fresh) and set_in_range(state.discard) and set_in_range(state.removed)):
        return False
    return set_in_range(state.on_map) and set_in_range(state.remaining) and set_in_range(state.served)


@kernel
def is_tile(value):
    return 0 <= value <= TILES


@kernel
def map_in_range(rules, state):
    cells, size = np.int64(rules.grid_size) * np.int64(rules.grid_size), np.int64(rules.grid_size)
    for tile in range(IDS):
        if not 0 <= state.cell[tile] < cells or not 0 <= state.rotation[tile] < SIDES:
            return False
        for side in range(SIDES):
            if state.neighbour[tile, side] > TILES:
                return False
    for cell in range(CELLS):
        if state.grid[cell] > TILES:
            return False
    for number in range(CITADELS):
        if not is_tile(state.citadel_tile[number]) or not 0 <= state.citadel_side[number] <= 2:
            return False
        if not -1 <= state.citadel_owner[number] < rules.num_players:
            return False
        if not 0 <= state.citadel_permanent[number] <= 1:
            return False
    if not 0 <= state.map_size <= TILES or not 0 <= state.front_size <= FRONTIER:
        return False
    if not 0 <= state.q_min < size or not 0 <= state.r_min < size:
        return False
    return 0 <= state.q_span <= size and 0 <= state.r_span <= size


@kernel
def colours_in_range(rules, state):
    for p in range(SEATS):
        if not 0 <= state.settlement[p] <= PIECES or not 0 <= state.vp[p] <= 6 or not 0 <= state.reserve[p] <= PIECES:
            return False
        if not 0 <= state.mustered[p] <= PIECES or not 0 <= state.walls[p] <= CITADELS:
            return False
        if not -1 <= state.ability[p] < ABILITIES or not 0 <= state.hand_size[p] <= TILES:
            return False
        for tile in range(IDS):
            if not 0 <= state.warbands[tile, p] <= PIECES:
                return False
    return 0 <= state.pile_top <= TILES


@kernel
def is_flag(value):
    return 0 <= value <= 1


@kernel
def context_in_range(state):
    if not (is_tile(state.laid) and is_tile(state.placing_tile) and is_tile(state.silver_tile)):
        return False
    if not is_tile(state.move_source) or not -1 <= state.placing_cell < CELLS or not -1 <= state.breach < SIDES:
        return False
    if not 0 <= state.village_left <= _MANY or not is_flag(state.furs_returned) or not is_flag(state.performed):
        return False
    if not 0 <= state.a <= _MANY or not is_flag(state.b) or not is_flag(state.drew_earlier):
        return False
    if not 0 <= state.drawn <= TILES or not Move.NONE <= state.move_kind <= Move.ROAD:
        return False
    if state.phase != 0 and not Decision.D13 <= state.phase <= Decision.D16:
        return False
    return 0 <= state.move_count <= PIECES


@kernel
def battle_in_range(rules, state):
    if not is_tile(state.battle_tile) or not 0 <= state.battle_size <= rules.colours:
        return False
    if not 0 <= state.battle_at <= max(0, np.int64(state.battle_size) - 1) or not 0 <= state.battle_add <= 2:
        return False
    for i in range(SEATS):
        if not -1 <= state.battle_order[i] < rules.colours or not 0 <= state.battle_owed[i] <= _MANY:
            return False
        if not 0 <= state.battle_strength[i] <= _MANY:
            return False
    return True


@kernel
def bandits_in_range(rules, state):
    if not (is_tile(state.card) and is_tile(state.target) and is_tile(state.one)):
        return False
    if not (is_tile(state.move_from) and is_tile(state.move_via)):
        return False
    if not (is_tile(state.forbidden_from) and is_tile(state.forbidden_to)):
        return False
    if not 0 <= state.effect <= rules.card_effects[state.card] or not 0 <= state.left <= _MANY:
        return False
    if not Run.NONE <= state.run_kind <= Run.ROADATTACK or not Move.NONE <= state.run_first <= Move.ROAD:
        return False
    for i in range(MAX_EFFECTS):
        if not 0 <= state.run_left[i] <= _MANY:
            return False
    return 0 <= state.won <= _MANY and 0 <= state.bribed <= _MANY and is_flag(state.last_won)


@kernel
def absent_is_empty(rules, state):
    """Seats and colours that the game does not have; row 0 of what is counted by tile."""
    n, colours = np.int64(rules.num_players), np.int64(rules.colours)
    for p in range(n, SEATS):
        if not is_empty(state.hand[p]) or not is_empty(state.held[p]) or state.hand_size[p] != 0:
            return False
        if state.ability[p] != -1 or state.walls[p] != 0 or state.reserve[p] != 0:
            return False
    for p in range(colours, SEATS):
        if state.settlement[p] != 0 or state.vp[p] != 0 or not is_empty(state.prepared[p]):
            return False
        for tile in range(IDS):
            if state.warbands[tile, p] != 0:
                return False
    for cell in range(np.int64(rules.grid_size) * np.int64(rules.grid_size), CELLS):
        if state.grid[cell] != 0:
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
            if not 0 <= row[0] <= _LAST_EVENT or not -1 <= row[1] < rules.num_players:
                return False
            if not -1 <= row[2] < FROM_CITADEL + CITADELS or not -1 <= row[3] < CELLS:
                return False
    return True
