"""The situation, the seats, what lies beside the map, and the options: all of it public."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import MOST_FAME, MOST_RESOURCES, SEAT_FLAGS
from northmen_env.games.northgard.observing.numbers import YES, put_choice, put_seat, relative, scale, starts
from northmen_env.games.northgard.state import HAND_TILES, Decision
from northmen_env.games.northgard.tables import BUILDINGS, CLANS, FIRST_ACHIEVEMENT, RESOURCES

DECISION, ACTING, PHASE, TURN, MARKER, YEAR, ROUND, FLAGS = starts(
    "decision", "acting", "phase", "turn", "marker", "year", "setup_round", "turn_flags"
)
PRESENT, CLAN, GOODS, FAME, ON_MAP, HAND_SIZE, PILE_SIZE, TILE_HAND, SEAT_AT, UPGRADES = starts(
    "present", "clan", "resources", "fame", "on_map", "hand_size", "pile_size", "tile_hand_size", "seat_flags",
    "upgrades",
)  # fmt: skip
ACHIEVEMENTS, DECK_SIZE, UNREST, SUPPLY, STACK_SIZE, ROLLS, ROLLED = starts(
    "achievements", "deck_size", "unrest", "supply", "stack_size", "rolls", "rolled"
)
NUM_PLAYERS, OPTIONS, MAP_SIZE, REWARD = starts("num_players", "options", "map_size", "reward")
_PER_YEAR, _PER_ROUND, _PER_GOOD, _PER_FAME, _PER_UNIT, _PER_CARD = map(
    scale, ("year", "setup_round", "resources", "fame", "on_map", "hand_size")
)
_PER_HELD, _PER_DECK, _PER_UNREST, _PER_TOKEN, _PER_TILE = map(
    scale, ("tile_hand_size", "deck_size", "unrest", "supply", "stack_size")
)
_PER_ROLL, _PER_FACE, _PER_COLUMN = map(scale, ("rolls", "rolled", "map_size"))
_NUM_FLAGS = len(SEAT_FLAGS)
_LONG = 10  # years


@kernel
def put_situation(rules, state, player, out, n):
    """Write who decides what; a REACT of another seat is hidden (NORTH-INFO-08)."""
    if state.decision != Decision.REACT or state.player == player:
        out[DECISION + np.int64(state.decision) - 1] = YES
        put_seat(out, ACTING, player, np.int64(state.player), n)
    out[PHASE + np.int64(state.phase)] = YES
    put_seat(out, TURN, player, np.int64(state.turn), n)
    put_seat(out, MARKER, player, np.int64(state.marker), n)
    out[YEAR] = np.float32(np.int64(state.year)) * _PER_YEAR
    out[ROUND] = np.float32(np.int64(state.setup_round)) * _PER_ROUND
    out[FLAGS] = np.float32(np.int64(state.main_used))
    out[FLAGS + 1] = np.float32(np.int64(state.resolved))


@kernel
def put_seats(rules, state, player, out, n):
    """Write the public numbers of all seats."""
    for p in range(n):
        k = relative(player, p, n)
        out[PRESENT + k] = YES
        put_choice(out, CLAN + CLANS * k, np.int64(state.clan[p]))
        for r in range(RESOURCES):
            number = min(np.int64(state.resources[p, r]), MOST_RESOURCES)
            out[GOODS + RESOURCES * k + r] = np.float32(number) * _PER_GOOD
        fame = max(-MOST_FAME, min(np.int64(state.fame[p]), MOST_FAME))
        out[FAME + k] = np.float32(fame) * _PER_FAME
        out[ON_MAP + k] = np.float32(np.int64(state.on_map[p])) * _PER_UNIT
        out[HAND_SIZE + k] = np.float32(np.int64(state.hand_size[p])) * _PER_CARD
        out[PILE_SIZE + k] = np.float32(np.int64(state.pile_size[p])) * _PER_CARD
        held = 0
        while held < HAND_TILES and state.tile_hand[p, held] >= 0:
            held += 1
        out[TILE_HAND + k] = np.float32(held) * _PER_HELD
        base = SEAT_AT + _NUM_FLAGS * k
        out[base] = np.float32(np.int64(state.passed[p]))
        out[base + 1] = np.float32(np.int64(state.taken[p]))
        out[base + 2] = np.float32(np.int64(state.kaija_free[p]))
        out[base + 3] = np.float32(np.int64(state.conquer[p]))
        out[UPGRADES + 2 * k] = np.float32(np.int64(state.upgrades[p]) & 1)
        out[UPGRADES + 2 * k + 1] = np.float32((np.int64(state.upgrades[p]) >> 1) & 1)


@kernel
def put_table(rules, state, out):
    """Write what lies beside the map, and the dice."""
    for i in range(np.int64(state.achievements_size)):
        out[ACHIEVEMENTS + np.int64(state.achievements[i]) - FIRST_ACHIEVEMENT] = YES
    out[DECK_SIZE] = np.float32(np.int64(state.deck_size)) * _PER_DECK
    out[UNREST] = np.float32(np.int64(state.unrest)) * _PER_UNREST
    for kind in range(BUILDINGS):
        out[SUPPLY + kind] = np.float32(np.int64(state.supply[kind])) * _PER_TOKEN
    out[STACK_SIZE] = np.float32(np.int64(state.stack_size)) * _PER_TILE
    out[ROLLS] = np.float32(np.int64(state.rolls)) * _PER_ROLL
    for i in range(np.int64(state.rolls)):
        out[ROLLED + i] = np.float32(np.int64(state.rolled[i]) + 1) * _PER_FACE


@kernel
def put_options(rules, out, n):
    """Write the options."""
    out[NUM_PLAYERS + n - 2] = YES
    out[OPTIONS] = np.float32(1 if rules.years == _LONG else 0)
    out[OPTIONS + 1] = np.float32(np.int64(rules.teams))
    out[OPTIONS + 2] = np.float32(np.int64(rules.creatures))
    out[OPTIONS + 3] = np.float32(np.int64(rules.more_creatures))
    out[OPTIONS + 4] = np.float32(np.int64(rules.five_tile_in_stack))
    out[OPTIONS + 5] = np.float32(np.int64(rules.clan_choice))
    out[MAP_SIZE] = np.float32(np.int64(rules.map_size)) * _PER_COLUMN
    out[REWARD + np.int64(rules.reward)] = YES
