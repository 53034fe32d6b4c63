"""The territories, computed anew from the tiles: names, open sides, sizes, borders, spaces, buildings, production."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.board import DX, DY, plot_facing
from northmen_env.games.northgard.invariants.cells import tile_at
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.plots import PER_WORD, PLOTS, WORDS, has
from northmen_env.games.northgard.tables import BUILDINGS, RESOURCES, SIDES, TOKENS, Border, Space

_LARGE, _CARVED = int(Space.LARGE), int(Space.CARVED)


@kernel
def check_land(rules, state):
    if not (roots_hold(rules, state) and land_holds(rules, state)):
        return Broken.TERRITORIES
    if not near_holds(rules, state):
        return Broken.ADJACENCY
    if not spaces_hold(rules, state):
        return Broken.SPACES
    if not supply_holds(rules, state):
        return Broken.SUPPLY
    return Broken.NONE if yields_hold(rules, state) else Broken.YIELDS


# Territories ---------------------------------------------------------------------------------------------------------


@kernel
def lead(parent, plot):
    """Return the smallest plot of a class."""
    while parent[plot] != plot:
        plot = parent[plot]
    return plot


@kernel
def roots_hold(rules, state):
    """Join areas over the sides of neighbouring tiles (NORTH-TILE-06); a class is named by its smallest plot."""
    parent = np.arange(PLOTS)
    for p in range(np.int64(state.tiles)):
        for side in range(SIDES):
            other = tile_at(state, np.int64(state.tile_x[p]) + DX[side], np.int64(state.tile_y[p]) + DY[side])
            if other > p:
                a = lead(parent, plot_facing(rules, state, p, side))
                b = lead(parent, plot_facing(rules, state, other, (side + 2) % SIDES))
                parent[max(a, b)] = min(a, b)
    for plot in range(PLOTS):
        inside = plot < state.plots
        if state.root[plot] != (lead(parent, plot) if inside else 0):
            return False
        if has(state.land, plot) != (inside and parent[plot] == plot):
            return False
    return True


@kernel
def land_holds(rules, state):
    """Open sides, sizes and lairs of the territories (NORTH-TILE-08, -10)."""
    open_sides, extent, lairs = np.zeros(PLOTS, np.int64), np.zeros(PLOTS, np.int64), np.zeros(PLOTS, np.int64)
    for p in range(np.int64(state.tiles)):
        tile, base = np.int64(state.tile_id[p]), np.int64(state.plot_base[p])
        for side in range(SIDES):
            if tile_at(state, np.int64(state.tile_x[p]) + DX[side], np.int64(state.tile_y[p]) + DY[side]) < 0:
                open_sides[state.root[plot_facing(rules, state, p, side)]] += 1
        for a in range(np.int64(rules.tile_areas[tile])):
            t = np.int64(state.root[base + a])
            first = True
            for b in range(a):
                first = first and state.root[base + b] != t
            extent[t] += 1 if first else 0
            lairs[t] += 1 if rules.tile_lair[tile] == a else 0
    for t in range(PLOTS):
        if state.open_sides[t] != open_sides[t] or state.extent[t] != extent[t]:
            return False
        if has(state.open_land, t) != (open_sides[t] > 0) or has(state.lairs, t) != (lairs[t] > 0):
            return False
    return True


@kernel
def near_holds(rules, state):
    """Two territories are adjacent where a tile has a border between them (NORTH-TILE-09)."""
    near, smooth = np.zeros((PLOTS, WORDS), np.int64), np.zeros((PLOTS, WORDS), np.int64)
    for p in range(np.int64(state.tiles)):
        tile, base = np.int64(state.tile_id[p]), np.int64(state.plot_base[p])
        areas = np.int64(rules.tile_areas[tile])
        for a in range(areas):
            for b in range(areas):
                t, u = np.int64(state.root[base + a]), np.int64(state.root[base + b])
                border = np.int64(rules.tile_border[tile, a, b])
                if t == u or border == Border.NONE:
                    continue
                w = u // PER_WORD
                near[t, w] |= 1 << (u - PER_WORD * w)
                if border == Border.REGULAR:
                    smooth[t, w] |= 1 << (u - PER_WORD * w)
    for t in range(PLOTS):
        for w in range(WORDS):
            if state.near[t, w] != near[t, w] or state.smooth[t, w] != smooth[t, w]:
                return False
    return True


# Buildings -----------------------------------------------------------------------------------------------------------


@kernel
def fits_space(rules, b, space):
    """Return whether a building type may stand on a space (NORTH-BLD-01)."""
    if space == Space.NONE:
        return False
    if rules.build_large[b] != 0:
        return space == _LARGE
    return space == _CARVED if rules.build_carved[b] != 0 else space != _LARGE


@kernel
def spaces_hold(rules, state):
    """Buildings stand on fitting spaces or, small ones, on none; the other spaces are free."""
    free, on_space = np.zeros((PLOTS, RESOURCES), np.int64), np.zeros((PLOTS, BUILDINGS), np.int64)
    for p in range(np.int64(state.tiles)):
        tile, base = np.int64(state.tile_id[p]), np.int64(state.plot_base[p])
        for a in range(np.int64(rules.tile_areas[tile])):
            t, space, built = np.int64(state.root[base + a]), np.int64(rules.tile_space[tile, a]), state.built[base + a]
            if built > 0:
                if not fits_space(rules, built - 1, space):
                    return False
                on_space[t, built - 1] += 1
            elif space != Space.NONE:
                free[t, space - 1] += 1
    for t in range(PLOTS):
        if t >= state.plots and state.built[t] != 0:
            return False
        for k in range(RESOURCES):
            if state.spaces[t, k] != free[t, k]:
                return False
        for b in range(BUILDINGS):
            spaceless = state.buildings[t, b] - on_space[t, b]
            if spaceless < 0 or (spaceless > 0 and (rules.build_large[b] != 0 or not has(state.land, t))):
                return False
    return True


@kernel
def supply_holds(rules, state):
    for b in range(BUILDINGS):
        tokens = np.int64(state.supply[b])
        for t in range(PLOTS):
            tokens += np.int64(state.buildings[t, b])
        if tokens != TOKENS:
            return False
    return True


@kernel
def yields_hold(rules, state):
    """What a territory produces: icons and buildings."""
    found = np.zeros((PLOTS, RESOURCES), np.int64)
    for p in range(np.int64(state.tiles)):
        tile, base = np.int64(state.tile_id[p]), np.int64(state.plot_base[p])
        for a in range(np.int64(rules.tile_areas[tile])):
            for r in range(RESOURCES):
                found[state.root[base + a], r] += np.int64(rules.tile_icons[tile, a, r])
    for t in range(PLOTS):
        for r in range(RESOURCES):
            for b in range(BUILDINGS):
                found[t, r] += np.int64(state.buildings[t, b]) * np.int64(rules.build_prod[b, r])
            if state.yields[t, r] != found[t, r]:
                return False
    return True
