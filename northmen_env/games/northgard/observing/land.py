"""Tiles, territories and what stands in them: the map is public, tiles in hands and their stack are not."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import HELD, MANY, MOST_NUMBER, OBSERVATION, PAIRS
from northmen_env.games.northgard.observing.numbers import (
    PER_SLOT,
    PER_TILE,
    YES,
    put_index,
    put_terr,
    relative,
    scale,
    starts,
)
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import HAND_TILES, Phase
from northmen_env.games.northgard.tables import AREAS, BUILDINGS, CREATURES, RESOURCES, SEATS, SIDES, TOKENS

TILE_ID, TILE_AT, TILE_TURN, TILE_SIDES, STACK, LOOSE = starts(
    "tile_id", "tile_at", "tile_turn", "tile_sides", "stack", "loose"
)
HELD_ID, HELD_SIDES, HELD_ICONS, HELD_SPACE, HELD_LAIR, HELD_BORDER = starts(
    "held_id", "held_sides", "held_icons", "held_space", "held_lair", "held_border"
)
UNITS, SIZE, YIELDS, FREE, DEFENCE = starts("terr_units", "terr_size", "terr_yields", "terr_free", "terr_defence")
LAIRS, KAIJA, TOKEN, TOKENS_AT = starts("lairs", "kaija", "token", "buildings")
CREATURE_AT, LINE, PILE, DISCARD, TOP = starts(
    "creature_at", "creature_line", "creature_pile", "creature_discard", "creature_top"
)
_PER_UNIT, _PER_MANY, _PER_TURN, _PER_ICON, _PER_SPACE, _PER_BORDER = map(
    scale, ("terr_units", "terr_yields", "tile_turn", "held_icons", "held_space", "held_border")
)
_PER_LOOSE, _PER_CREATURE = map(scale, ("loose", "creature_top"))
_SPACES = 3
_CHOSEN = np.int64(HELD - 1)
_MOST_LAIRS = OBSERVATION["lairs"].size


# The map -------------------------------------------------------------------------------------------------------------


@kernel
def put_tiles(rules, state, out):
    """Write the placed tiles."""
    for p in range(np.int64(state.tiles)):
        tile, turn = np.int64(state.tile_id[p]), np.int64(state.tile_turn[p])
        put_index(out, TILE_ID + p, tile, PER_TILE)
        out[TILE_AT + 2 * p] = np.float32(np.int64(state.tile_x[p])) * PER_TILE
        out[TILE_AT + 2 * p + 1] = np.float32(np.int64(state.tile_y[p])) * PER_TILE
        put_index(out, TILE_TURN + p, turn, _PER_TURN)
        base = np.int64(state.plot_base[p])
        for side in range(SIDES):
            t = np.int64(state.root[base + np.int64(rules.tile_world[tile, turn, side])])
            out[TILE_SIDES + SIDES * p + side] = np.float32(np.int64(state.slot[t]) + 1) * PER_SLOT


@kernel
def put_territories(rules, state, player, out, n):
    """Write the territories in the rows of their canonical ids."""
    lairs = 0
    for w in range(WORDS):
        rest = np.int64(state.land[w])
        while rest != 0:
            bit = rest & -rest
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            slot, size = np.int64(state.slot[t]), np.int64(state.extent[t])
            out[SIZE + slot] = np.float32(-size if np.int64(state.open_land[w]) & bit != 0 else size) * PER_TILE
            for r in range(RESOURCES):
                number = min(np.int64(state.yields[t, r]), MANY)
                out[YIELDS + RESOURCES * slot + r] = np.float32(number) * _PER_MANY
            for kind in range(_SPACES):
                number = min(np.int64(state.spaces[t, kind]), MANY)
                out[FREE + _SPACES * slot + kind] = np.float32(number) * _PER_MANY
            if np.int64(state.lairs[w]) & bit != 0 and lairs < _MOST_LAIRS:
                put_index(out, LAIRS + lairs, slot, PER_SLOT)
                lairs += 1
    for p in range(n):
        base = UNITS + relative(player, p, n)
        for w in range(WORDS):
            rest = np.int64(state.owned[p, w])
            while rest != 0:
                t = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                number = np.int64(state.units[t, p])
                out[base + SEATS * np.int64(state.slot[t])] = np.float32(number) * _PER_UNIT
    put_terr(state, out, KAIJA, np.int64(state.kaija))
    put_terr(state, out, TOKEN, np.int64(state.token))


@kernel
def put_buildings(rules, state, out):
    """Write where the tokens of each type stand, and what they are worth to a defender."""
    for plot in range(np.int64(state.plots)):
        if state.built[plot] != 0:
            row = TOKENS_AT + TOKENS * (np.int64(state.built[plot]) - 1)
            put_index(out, first_free(out, row), np.int64(state.slot[plot]), PER_SLOT)
    for kind in range(BUILDINGS):
        placed = TOKENS - np.int64(state.supply[kind])
        worth = np.int64(rules.build_points[kind]) + np.int64(rules.build_casualties[kind])
        if placed == 0 or (worth == 0 and out[TOKENS_AT + TOKENS * kind + placed - 1] != 0):
            continue
        for t in range(np.int64(state.plots)):
            number = np.int64(state.buildings[t, kind])
            if number > 0:
                put_tokens(state, out, kind, t, number, worth)


@kernel
def first_free(out, row):
    """Return the first empty place of a row of tokens."""
    while out[row] != 0:
        row += 1
    return row


@kernel
def put_tokens(state, out, kind, t, number, worth):
    """Write the worth of a territory's tokens of a type, and those of them that stand on no space (NORTH-BUILD-06)."""
    slot = np.int64(state.slot[t])
    out[DEFENCE + slot] = min(out[DEFENCE + slot] + np.float32(number * worth) * _PER_MANY, YES)
    for plot in range(t, np.int64(state.plots)):
        if state.root[plot] == t and state.built[plot] == 1 + kind:
            number -= 1
    for _ in range(number):
        at = first_free(out, TOKENS_AT + TOKENS * kind)
        out[at] = np.float32(-1 - slot) * PER_SLOT


@kernel
def put_creatures(rules, state, out):
    """Write the creatures; of their draw pile only which they are."""
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        put_terr(state, out, CREATURE_AT + creature, np.int64(state.creature_at[creature]))
        put_index(out, LINE + creature, i, _PER_CREATURE)
    for i in range(np.int64(state.creature_pile_size)):
        out[PILE + np.int64(state.creature_pile[i])] = YES
    for creature in range(CREATURES):
        out[DISCARD + creature] = np.float32((np.int64(state.creature_discard) >> creature) & 1)
    out[TOP] = np.float32(np.int64(state.creature_top)) * _PER_CREATURE


# Tiles not yet laid --------------------------------------------------------------------------------------------------


@kernel
def put_loose_tiles(rules, state, player, out):
    """Write what the observer knows of the stack, and the own tiles in hand or drawn (NORTH-INFO-02, -06)."""
    size = np.int64(state.stack_size)
    for i in range(size):
        if (np.int64(state.stack_known[i]) >> player) & 1 != 0:
            put_index(out, STACK + size - 1 - i, np.int64(state.stack[i]), PER_TILE)
    if state.phase == Phase.SETUP:
        for i in range(HAND_TILES):
            put_held(rules, out, i, np.int64(state.tile_hand[player, i]))
    drawn = 0
    for i in range(HAND_TILES):
        if state.drawn_tile[i] >= 0:
            drawn += 1
            if state.turn == player:
                put_held(rules, out, i, np.int64(state.drawn_tile[i]))
    out[LOOSE] = np.float32(drawn) * _PER_LOOSE
    if state.tile >= 0:
        out[LOOSE + 1] = _PER_LOOSE
        if state.turn == player:
            put_held(rules, out, _CHOSEN, np.int64(state.tile))


@kernel
def put_held(rules, out, row, tile):
    """Write a tile, -1 for none, as it is printed."""
    if tile < 0:
        return
    put_index(out, HELD_ID + row, tile, PER_TILE)
    for side in range(SIDES):
        put_index(out, HELD_SIDES + SIDES * row + side, np.int64(rules.tile_world[tile, 0, side]), _PER_TURN)
    for a in range(np.int64(rules.tile_areas[tile])):
        at = AREAS * row + a
        for r in range(RESOURCES):
            icons = min(np.int64(rules.tile_icons[tile, a, r]), MOST_NUMBER)
            out[HELD_ICONS + RESOURCES * at + r] = np.float32(icons) * _PER_ICON
        out[HELD_SPACE + at] = np.float32(np.int64(rules.tile_space[tile, a])) * _PER_SPACE
        if rules.tile_lair[tile] == a:
            out[HELD_LAIR + at] = YES
    for i in range(len(PAIRS)):
        border = np.int64(rules.tile_border[tile, PAIRS[i][0], PAIRS[i][1]])
        out[HELD_BORDER + len(PAIRS) * row + i] = np.float32(border) * _PER_BORDER
