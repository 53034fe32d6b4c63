"""The tiles on the grid, the empty cells around them, and the borders where four tiles meet."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.amounts import ZERO
from northmen_env.games.northgard.board import DX, DY, NAMED, NAMES, cell_x, cell_y, front_has, grid_at, plot_facing
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.state import CELLS, GRID
from northmen_env.games.northgard.tables import SIDES, TILES


@kernel
def check_cells(rules, state):
    if not grid_holds(rules, state):
        return Broken.GRID
    if not plots_hold(rules, state):
        return Broken.TERRITORIES
    if not front_holds(rules, state):
        return Broken.FRONT
    if not borders_hold(rules, state):
        return Broken.BORDERS
    return Broken.NONE


@kernel
def tile_at(state, x, y):
    """Return the tile on a cell by its place in the order, -1 for none."""
    found = grid_at(state, x, y)
    return found - 1 if 0 < found < NAMED else -1


@kernel
def grid_holds(rules, state):
    """Each tile lies on its cell beside an earlier one, and nothing else is on the grid but names."""
    tiles = np.int64(state.tiles)
    west, east, north, south = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for p in range(tiles):
        x, y = np.int64(state.tile_x[p]), np.int64(state.tile_y[p])
        if tile_at(state, x, y) != p or state.tile_turn[p] >= rules.tile_rotations[np.int64(state.tile_id[p])]:
            return False
        west, east, north, south = min(west, x), max(east, x), min(north, y), max(south, y)
        touches = p == 0
        for side in range(SIDES):
            other = tile_at(state, x + DX[side], y + DY[side])
            touches = touches or 0 <= other < p
        if not touches:
            return False
    if state.tile_id[0] != 0 or state.tile_x[0] != 0 or state.tile_y[0] != 0 or state.tile_turn[0] != 0:
        return False
    filled = 0
    for cell in range(GRID * GRID):
        filled += 1 if 0 < state.grid[cell] < NAMED else 0
    size = np.int64(rules.map_size)
    return filled == tiles and (size > TILES or (east - west + 2 <= size and south - north + 2 <= size))


@kernel
def plots_hold(rules, state):
    """Plots are numbered through in the order of their slots."""
    base = np.int64(0)
    for p in range(TILES):
        if p >= state.tiles:
            if state.tile_id[p] + state.tile_turn[p] + state.plot_base[p] != 0:
                return False
            continue
        if state.plot_base[p] != base:
            return False
        for a in range(np.int64(rules.tile_areas[np.int64(state.tile_id[p])])):
            if state.slot[base] != SIDES * p + a:
                return False
            base += 1
    return state.plots == base


@kernel
def front_holds(rules, state):
    """Every empty cell that touches the map is named once, by its smallest name, and its surroundings are right."""
    named = 0
    for name in range(CELLS):
        if not front_has(state, name):
            if state.front_need[name] != 0 or state.front_bar[name] != 0:
                return False
            for side in range(SIDES):
                if state.front_plot[name, side] != -1:
                    return False
            continue
        named += 1
        if name >= SIDES * np.int64(state.tiles) or not name_holds(rules, state, name):
            return False
    if (np.int64(state.front[2]) >> (CELLS - 2 * NAMES)) != 0:
        return False
    on_grid = 0
    for cell in range(GRID * GRID):
        on_grid += 1 if state.grid[cell] >= NAMED else 0
    return named == on_grid and named == empty_neighbours(state)


@kernel
def name_holds(rules, state, name):
    x, y = cell_x(state, name), cell_y(state, name)
    if grid_at(state, x, y) != NAMED + name:
        return False
    for side in range(SIDES):
        other = tile_at(state, x + DX[side], y + DY[side])
        across = (side + 2) % SIDES
        plot = plot_facing(rules, state, other, across) if other >= 0 else -1
        if state.front_plot[name, side] != plot or (other >= 0 and SIDES * other + across < name):
            return False
    need, bar = 0, 0
    for corner in range(SIDES):
        tiles, ends = around_corner(rules, state, x, y, corner)
        if tiles == SIDES - 1 and ends == 1:
            need |= 1 << corner
        if tiles == SIDES - 1 and ends == 0:
            bar |= 1 << corner
    return state.front_need[name] == need and state.front_bar[name] == bar


@kernel
def around_corner(rules, state, x, y, corner):
    """Return how many of the four cells at a corner of a cell have tiles, and how many tiles a border that ends there.

    Seen from the cell, its corner `c` is corner `c + 1` of the cell across side `c`, and so on around.
    """
    c, d = corner, (corner + 1) % SIDES
    tiles, ends = 0, 0
    for i in range(SIDES):
        at_x = x + (DX[c] if i in (1, 2) else 0) + (DX[d] if i in (2, 3) else 0)
        at_y = y + (DY[c] if i in (1, 2) else 0) + (DY[d] if i in (2, 3) else 0)
        p = tile_at(state, at_x, at_y)
        if p >= 0:
            tiles += 1
            own = (corner + i) % SIDES
            if plot_facing(rules, state, p, own) != plot_facing(rules, state, p, (own + 1) % SIDES):
                ends += 1
    return tiles, ends


@kernel
def empty_neighbours(state):
    """Return how many empty cells touch the map."""
    found = 0
    for p in range(np.int64(state.tiles)):
        for side in range(SIDES):
            x, y = np.int64(state.tile_x[p]) + DX[side], np.int64(state.tile_y[p]) + DY[side]
            first = tile_at(state, x, y) < 0
            for back in range(SIDES):
                other = tile_at(state, x + DX[back], y + DY[back])
                first = first and not 0 <= other < p
            found += 1 if first else 0
    return found


@kernel
def borders_hold(rules, state):
    """Where four tiles meet, not exactly one has a border that ends there (NORTH-EXPL-06 c)."""
    for p in range(np.int64(state.tiles)):
        x, y = np.int64(state.tile_x[p]), np.int64(state.tile_y[p])
        tiles, ends = around_corner(rules, state, x, y, ZERO)  # corner 0 of just one of the four
        if tiles == SIDES and ends == 1:
            return False
    return True
