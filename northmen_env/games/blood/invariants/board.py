"""The map: cells, neighbours, frontier, window, sides, citadels, and what is counted on it (BLOOD-CORNER-14)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.board import (
    ALL_SIDES,
    FACING,
    FOREST_LINK,
    LAKE_LINK,
    MET,
    OPEN_LINK,
    ROAD_LINK,
    beside,
    front_at,
    letter_at,
    line_used,
    matches,
)
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.phases.choices import any_of
from northmen_env.games.blood.reach import high_bit, low_bit, neighbours
from northmen_env.games.blood.state import CELLS, CITADELS, FRONTIER, Decision
from northmen_env.games.blood.tables import IDS, SEATS, SIDES
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import has, size

_FOREST, _LAKE, _ROAD, _EMPTY = (np.int64(side) for side in (Side.FOREST, Side.LAKE, Side.ROAD, Side.EMPTY))


@kernel
def check_board(rules, state):
    if not cells_hold(state):
        return Broken.CELLS
    for tile in range(IDS):
        if not neighbours_hold(rules, state, tile):
            return Broken.NEIGHBOURS
    if not frontier_holds(rules, state):
        return Broken.FRONTIER
    if not window_holds(rules, state):
        return Broken.WINDOW
    if not connected(state):
        return Broken.CONNECTED
    if not citadels_hold(state):
        return Broken.CITADELS
    if not sides_hold(rules, state):
        return Broken.SIDES
    for p in range(SEATS):
        if not army_holds(state, p):
            return Broken.ARMIES
    return Broken.NONE


@kernel
def cells_hold(state):
    filled = 0
    for cell in range(CELLS):
        filled += 1 if state.grid[cell] != 0 else 0
    if filled != state.map_size or filled != size(state.on_map):
        return False
    for tile in range(IDS):
        if has(state.on_map, tile):
            if state.grid[state.cell[tile]] != tile:
                return False
            continue
        if state.cell[tile] != 0 or state.rotation[tile] != 0:
            return False
        for p in range(SEATS):
            if state.warbands[tile, p] != 0:
                return False
    return True


@kernel
def neighbours_hold(rules, state, tile):
    links = 0
    on_map = has(state.on_map, tile)
    for side in range(SIDES):
        other = 0
        if on_map:
            other = np.int64(state.grid[beside(rules, np.int64(state.cell[tile]), side)])
        if state.neighbour[tile, side] != other:
            return False
        if other > 0:
            links |= link(letter_at(rules, state, tile, side), letter_at(rules, state, other, FACING[side])) << side
    return state.links[tile] == links


@kernel
def link(a, b):
    """Return the groups of `state.links` for two letters that meet, as BLOOD-LAKE-02 and -ROAD-03 say."""
    groups = 1 << MET
    if a != b:
        return groups
    if a in (_EMPTY, _ROAD):
        groups |= 1 << OPEN_LINK
    if a == _ROAD:
        groups |= 1 << ROAD_LINK
    if a == _FOREST:
        groups |= 1 << FOREST_LINK
    if a == _LAKE:
        groups |= 1 << LAKE_LINK
    return groups


@kernel
def frontier_holds(rules, state):
    """Every entry is right, they ascend, and no empty cell beside a tile is missing."""
    end = np.int64(state.front_size)
    cells = np.int64(rules.grid_size) * np.int64(rules.grid_size)
    for i in range(end):
        cell = np.int64(state.front_cell[i])
        if not 0 <= cell < cells or state.grid[cell] != 0 or (i > 0 and state.front_cell[i - 1] >= cell):
            return False
        fail, touched = 0, 0
        for side in range(SIDES):
            tile = np.int64(state.grid[beside(rules, cell, side)])
            if tile > 0:
                touched += 1
                fail |= np.int64(rules.fail[letter_at(rules, state, tile, FACING[side])]) << (5 * side)
        if touched == 0 or touched != state.front_count[i] or fail != state.front_fail[i]:
            return False
    for i in range(end, FRONTIER):
        if state.front_cell[i] != 0 or state.front_fail[i] != 0 or state.front_count[i] != 0:
            return False
    for tile in range(IDS):
        if has(state.on_map, tile) and not surrounded(rules, state, tile):
            return False
    return True


@kernel
def surrounded(rules, state, tile):
    for side in range(SIDES):
        cell = beside(rules, np.int64(state.cell[tile]), side)
        if state.grid[cell] == 0:
            at = front_at(state, cell)
            if at == state.front_size or state.front_cell[at] != cell:
                return False
    return True


@kernel
def window_holds(rules, state):
    """Columns and rows with tiles are those of the window, at most S - 2 (BLOOD-HEX-04)."""
    side = np.int64(rules.grid_size)
    if state.map_size == 0:
        return state.q_span + state.r_span + state.q_min + state.r_min == 0
    if not 1 <= state.q_span <= side - 2 or not 1 <= state.r_span <= side - 2:
        return False
    for i in range(side):
        column, row = (np.int64(state.q_min) + i) % side, (np.int64(state.r_min) + i) % side
        if line_used(state, column * side, 1, side) != (i < state.q_span):
            return False
        if line_used(state, row, side, side) != (i < state.r_span):
            return False
    return True


@kernel
def connected(state):
    if state.map_size == 0:
        return True
    start = any_of(state.on_map[0], state.on_map[1])
    todo0, todo1 = low_bit(start), high_bit(start)
    seen0, seen1 = todo0, todo1
    while todo0 | todo1 != 0:
        at = any_of(todo0, todo1)
        todo0 &= ~low_bit(at)
        todo1 &= ~high_bit(at)
        near0, near1 = neighbours(state, at, (np.int64(state.links[at]) >> MET) & ALL_SIDES)
        todo0 |= near0 & ~seen0
        todo1 |= near1 & ~seen1
        seen0 |= near0
        seen1 |= near1
    return seen0 == state.on_map[0] and seen1 == state.on_map[1]


@kernel
def citadels_hold(state):
    """Each lies on an inner side, two never on one, and both tiles show it; the supply is empty of facts."""
    marks = 0
    for number in range(CITADELS):
        tile, side, p = state.citadel_tile[number], state.citadel_side[number], state.citadel_owner[number]
        if p < 0:
            if tile != 0 or side != 0 or state.citadel_permanent[number] != 0:
                return False
            continue
        if tile == 0 or state.neighbour[tile, side] == 0:
            return False
        other = np.int64(state.neighbour[tile, side])
        if not marked(state, np.int64(tile), np.int64(side), np.int64(p)):
            return False
        if not marked(state, other, FACING[side], np.int64(p)):
            return False
        for before in range(number):
            if state.citadel_tile[before] == tile and state.citadel_side[before] == side:
                return False
        marks += 2
    for tile in range(IDS):
        rest = np.int64(state.citadel_sides[tile])
        if rest < 0:
            return False
        while rest != 0:
            rest &= rest - 1
            marks -= 1
    return marks == 0


@kernel
def marked(state, tile, side, p):
    return (np.int64(state.citadel_sides[tile]) >> (SIDES * p + side)) & 1 != 0


@kernel
def sides_hold(rules, state):
    """A side fails to match exactly where a permanent citadel stands, or waits to (BLOOD-CIT-07)."""
    for tile in range(IDS):
        for side in range(3):
            other = np.int64(state.neighbour[tile, side])
            if other == 0:
                continue
            permanent = has_permanent(state, tile, side)
            waits = waits_for_citadel(state, tile, side) or waits_for_citadel(state, other, FACING[side])
            if matches(rules, state, tile, side):
                if permanent:
                    return False
            elif not permanent and not waits:
                return False
    return True


@kernel
def has_permanent(state, tile, side):
    for number in range(CITADELS):
        if state.citadel_owner[number] >= 0 and state.citadel_permanent[number] != 0:
            if state.citadel_tile[number] == tile and state.citadel_side[number] == side:
                return True
    return False


@kernel
def waits_for_citadel(state, tile, side):
    """Return whether this is the side of D06."""
    return state.decision == Decision.D06 and state.laid == tile and state.breach == side


@kernel
def army_holds(state, p):
    number, walls = 0, 0
    for tile in range(IDS):
        there = np.int64(state.warbands[tile, p])
        number += there
        if has(state.army[p], tile) != (there > 0):
            return False
    for citadel in range(CITADELS):
        if state.citadel_owner[citadel] == p:
            walls += 1
    return number == state.mustered[p] and walls == state.walls[p]
