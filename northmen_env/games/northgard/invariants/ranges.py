"""Ranges, so that all later checks may use the numbers as indices; what is absent; the event log."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import EVENTS
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import SLOTS, Event
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.plots import PER_WORD, PLOTS, WORDS
from northmen_env.games.northgard.state import CELLS, DECK, DEVELOPMENT, DUE, FRAMES, HAND_TILES, LEGAL, ROLLS, Frame
from northmen_env.games.northgard.tables import (
    BUILDINGS,
    CARDS,
    CLANS,
    CREATURES,
    FACES,
    RESOURCES,
    SEATS,
    SIDES,
    TILES,
    TOKENS,
    UNITS,
    UNREST_CARDS,
)

_LAST_EVENT = int(Event.END)
_LAST_FRAME = int(Frame.COMBAT)
_WORD_0 = (1 << PER_WORD) - 1
_WORD_1 = (1 << (PLOTS - PER_WORD)) - 1
_MANY = 30000


@kernel
def check_ranges(rules, state):
    if not (seats_in_range(rules, state) and piles_in_range(rules, state) and tiles_in_range(rules, state)):
        return Broken.RANGES
    if not (map_in_range(state) and front_in_range(state) and creatures_in_range(state)):
        return Broken.RANGES
    if not (context_in_range(rules, state) and combat_in_range(rules, state) and counts_in_range(state)):
        return Broken.RANGES
    if not absent_is_empty(rules, state):
        return Broken.ABSENT
    if not events_hold(rules, state):
        return Broken.EVENTS
    return Broken.NONE


@kernel
def is_flag(value):
    return 0 <= value <= 1


@kernel
def is_plot(value):
    return -1 <= value < PLOTS


@kernel
def set_in_range(words):
    return np.int64(words[0]) & ~_WORD_0 == 0 and np.int64(words[1]) & ~_WORD_1 == 0


@kernel
def seats_in_range(rules, state):
    n = np.int64(rules.num_players)
    if not -1 <= state.bear < n or not -1 <= state.snake < n:
        return False
    for p in range(SEATS):
        if not (is_flag(state.passed[p]) and is_flag(state.taken[p]) and is_flag(state.conquer[p])):
            return False
        if not is_flag(state.kaija_free[p]) or not -1 <= state.clan[p] < CLANS or not 0 <= state.upgrades[p] <= 3:
            return False
        if not 0 <= state.on_map[p] <= UNITS or not -_MANY <= state.fame[p] <= _MANY:
            return False
        for r in range(RESOURCES):
            if not 0 <= state.resources[p, r] <= _MANY:
                return False
    return True


@kernel
def piles_in_range(rules, state):
    everybody = (1 << np.int64(rules.num_players)) - 1
    for p in range(SEATS):
        if not (0 <= state.hand_size[p] <= DECK and 0 <= state.pile_size[p] <= DECK):
            return False
        if not (0 <= state.discard_size[p] <= DECK and 0 <= state.played_size[p] <= DECK):
            return False
        if not 0 <= state.idle_size[p] <= DECK:
            return False
        for i in range(DECK):
            if not (0 <= state.hand[p, i] < CARDS and 0 <= state.pile[p, i] < CARDS):
                return False
            if not (0 <= state.hand_known[p, i] <= everybody and 0 <= state.pile_known[p, i] <= everybody):
                return False
            if not (0 <= state.discard[p, i] < CARDS and 0 <= state.played[p, i] < CARDS):
                return False
            if not 0 <= state.idle[p, i] < CARDS:
                return False
    for i in range(DECK):
        if not 0 <= state.drawn[i] < CARDS or not 0 <= state.drawn_known[i] <= everybody:
            return False
    for card in range(CARDS):
        if not 0 <= state.removed[card] <= DECK:
            return False
    for i in range(SEATS):
        if not 0 <= state.display[i] < CARDS or not 0 <= state.achievements[i] < CARDS:
            return False
    for i in range(DEVELOPMENT):
        if not 0 <= state.deck[i] < CARDS:
            return False
    if not 0 <= state.display_size <= SEATS or not 0 <= state.achievements_size <= SEATS:
        return False
    return 0 <= state.deck_size <= DEVELOPMENT and 0 <= state.drawn_size <= DECK and 0 <= state.unrest <= UNREST_CARDS


@kernel
def tiles_in_range(rules, state):
    everybody = (1 << np.int64(rules.num_players)) - 1
    if not 1 <= state.tiles <= TILES or not 0 <= state.stack_size <= TILES:
        return False
    for p in range(TILES):
        if not (0 <= state.tile_id[p] < TILES and 0 <= state.tile_turn[p] < SIDES and 0 <= state.plot_base[p] < PLOTS):
            return False
        if not (-TILES < state.tile_x[p] < TILES and -TILES < state.tile_y[p] < TILES):
            return False
        if not 0 <= state.stack[p] < TILES or not 0 <= state.stack_known[p] <= everybody:
            return False
    for p in range(SEATS):
        for i in range(HAND_TILES):
            if not -1 <= state.tile_hand[p, i] < TILES:
                return False
    for i in range(HAND_TILES):
        if not -1 <= state.drawn_tile[i] < TILES:
            return False
    return True


@kernel
def map_in_range(state):
    if not 1 <= state.plots <= PLOTS or not is_plot(state.kaija) or not is_plot(state.token):
        return False
    if not (set_in_range(state.land) and set_in_range(state.open_land) and set_in_range(state.lairs)):
        return False
    if not (set_in_range(state.bears) and set_in_range(state.wolves) and set_in_range(state.valkyries)):
        return False
    if not set_in_range(state.recruited):
        return False
    for p in range(SEATS):
        if not set_in_range(state.owned[p]):
            return False
    for t in range(PLOTS):
        if not plot_in_range(state, t):
            return False
    for b in range(BUILDINGS):
        if not 0 <= state.supply[b] <= TOKENS:
            return False
    return True


@kernel
def plot_in_range(state, t):
    if not (0 <= state.slot[t] < SLOTS and 0 <= state.root[t] < PLOTS and 0 <= state.built[t] <= BUILDINGS):
        return False
    if not (set_in_range(state.near[t]) and set_in_range(state.smooth[t])):
        return False
    if not (0 <= state.open_sides[t] <= SLOTS - SIDES and 0 <= state.extent[t] <= TILES):
        return False
    if not -1 <= state.room[t] <= np.int64(127):
        return False
    for r in range(RESOURCES):
        if state.yields[t, r] < 0 or state.spaces[t, r] < 0:
            return False
    for b in range(BUILDINGS):
        if not 0 <= state.buildings[t, b] <= TOKENS:
            return False
    for p in range(SEATS):
        if not 0 <= state.units[t, p] <= UNITS:
            return False
    return True


@kernel
def front_in_range(state):
    for name in range(CELLS):
        if not 0 <= state.front_need[name] < 1 << SIDES or not 0 <= state.front_bar[name] < 1 << SIDES:
            return False
        for side in range(SIDES):
            if not is_plot(state.front_plot[name, side]):
                return False
    return True


@kernel
def creatures_in_range(state):
    if not 0 <= state.line_size <= CREATURES or not 0 <= state.creature_pile_size <= CREATURES:
        return False
    if not 0 <= state.creature_top <= state.creature_pile_size or not 0 <= state.creature_discard < 1 << CREATURES:
        return False
    if not -1 <= state.creature < CREATURES or not 0 <= state.awake < 1 << CREATURES:
        return False
    for i in range(CREATURES):
        if not is_plot(state.creature_at[i]) or not 0 <= state.line[i] < CREATURES:
            return False
        if not 0 <= state.creature_pile[i] < CREATURES:
            return False
    return True


@kernel
def context_in_range(rules, state):
    n = np.int64(rules.num_players)
    if not 0 <= state.depth <= FRAMES or not 0 <= state.legal_count <= LEGAL or not 0 <= state.rolls <= ROLLS:
        return False
    for i in range(FRAMES):
        if not 0 <= state.frame_kind[i] <= _LAST_FRAME or not -1 <= state.frame_row[i] < CARDS:
            return False
        if not 0 <= state.frame_step[i] <= np.int64(127):
            return False
    if not (-1 <= state.card < CARDS and -1 <= state.named < CARDS and -1 <= state.last < CARDS):
        return False
    if not (-1 <= state.tile < TILES and -1 <= state.cell < CELLS and is_plot(state.place)):
        return False
    if not (is_plot(state.src) and is_plot(state.dst) and -1 <= state.num <= UNITS and 0 <= state.left <= UNITS):
        return False
    if not (-1 <= state.swap_give < RESOURCES and -1 <= state.swap_take < RESOURCES and is_flag(state.swaps_over)):
        return False
    if not (-1 <= state.copy_who < n and 0 <= state.chosen < 16 and is_flag(state.recruit_kaija)):
        return False
    if not (is_flag(state.redrawn) and is_flag(state.large_built) and -1 <= state.gathered <= 1):
        return False
    if not (-1 <= state.build_type < BUILDINGS and -1 <= state.build_old < BUILDINGS and is_flag(state.struck)):
        return False
    if not (-1 <= state.victim < n and is_flag(state.attacked) and is_flag(state.second_placed)):
        return False
    if not (-1 <= state.payer < n and -1 <= state.paid_to < n and -1 <= state.paid_last < RESOURCES):
        return False
    return 0 <= state.owed <= 3 and 0 <= state.swaps <= 6 and 0 <= state.keep <= DECK and 0 <= state.top <= DECK


@kernel
def combat_in_range(rules, state):
    n = np.int64(rules.num_players)
    if not 0 <= state.due_size <= DUE:
        return False
    for i in range(DUE):
        if not is_plot(state.due_place[i]) or not -1 <= state.due_creature[i] < CREATURES:
            return False
    for i in range(ROLLS):
        if not 0 <= state.rolled[i] < FACES:
            return False
    if not (is_plot(state.fight_at) and is_plot(state.retreat_to) and -1 <= state.foe < CREATURES):
        return False
    if not (-1 <= state.attacker < n and -1 <= state.defender < n and -1 <= state.loser < n):
        return False
    if not (-1 <= state.food_a <= UNITS + 1 and -1 <= state.food_d <= UNITS + 1):
        return False
    if not (-1 <= state.roll_a < FACES and -1 <= state.roll_d < FACES):
        return False
    return -1 <= state.face_a <= 1 and -1 <= state.face_d <= 1 and -1 <= state.either <= 1


@kernel
def counts_in_range(state):
    """Occurrences of the random streams."""
    for i in range(SEATS + 1):
        if state.dice[i] < 0:
            return False
    for i in range(SEATS + 2):
        if state.shuffles[i] < 0:
            return False
    return True


@kernel
def absent_is_empty(rules, state):
    for p in range(np.int64(rules.num_players), SEATS):
        if state.clan[p] != -1 or state.upgrades[p] != 0 or state.on_map[p] != 0 or state.fame[p] != 0:
            return False
        if state.passed[p] + state.taken[p] + state.kaija_free[p] + state.conquer[p] != 0:
            return False
        if state.hand_size[p] + state.pile_size[p] + state.discard_size[p] != 0:
            return False
        if state.played_size[p] + state.idle_size[p] != 0:
            return False
        for r in range(RESOURCES):
            if state.resources[p, r] != 0:
                return False
        for i in range(HAND_TILES):
            if state.tile_hand[p, i] != -1:
                return False
        for w in range(WORDS):
            if state.owned[p, w] != 0:
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
    return True
