"""The map: tiles, territories joined over them, what stands in them, and the cells around.

Territories are kept as union-find with small classes: `state.root` names the territory of each plot directly, and a
merger relabels the plots of the part with the larger name (NORTH-TILE-06, -07). Open sides, extent, production, free
spaces, buildings, units and adjacency are rows of the territory's name and are added when two parts join.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import TERR
from northmen_env.games.northgard.plots import PER_WORD, WORDS, exclude, has, include
from northmen_env.games.northgard.state import GRID
from northmen_env.games.northgard.tables import BUILDINGS, RESOURCES, SEATS, SIDES, UNITS, Border, Space

NAMED = 64
"""`state.grid`: 64 + name of an empty cell that touches the map; 1 + p for the p-th tile; 0 for all others."""

NAMES = 60
"""Names of cells in a word of `state.front`."""

DX = (0, 1, 0, -1)
DY = (-1, 0, 1, 0)


# Cells ---------------------------------------------------------------------------------------------------------------


@kernel
def grid_at(state, x, y):
    """Return what the grid says of a cell."""
    return np.int64(state.grid[(y % GRID) * GRID + x % GRID])


@kernel
def front_has(state, name):
    """Return whether a name of a cell is in use (NORTH-EXPL-08)."""
    return (np.int64(state.front[name // NAMES]) >> (name % NAMES)) & 1 != 0


@kernel
def cell_x(state, name):
    """Return the x coordinate of the cell with this name."""
    return np.int64(state.tile_x[name // SIDES]) + DX[name % SIDES]


@kernel
def cell_y(state, name):
    """Return the y coordinate of the cell with this name."""
    return np.int64(state.tile_y[name // SIDES]) + DY[name % SIDES]


@kernel
def plot_facing(rules, state, p, side):
    """Return the plot on a world side of the p-th tile."""
    return np.int64(state.plot_base[p]) + np.int64(
        rules.tile_world[np.int64(state.tile_id[p]), np.int64(state.tile_turn[p]), side]
    )


# Laying a tile -------------------------------------------------------------------------------------------------------


@kernel
def lay_tile(rules, state, tile, x, y, turn):
    """Put a tile on the map and join its areas to their neighbours: geometry only, no fame, power or creature."""
    p, base = np.int64(state.tiles), np.int64(state.plots)
    areas = np.int64(rules.tile_areas[tile])
    state.tile_id[p] = tile
    state.tile_x[p] = x
    state.tile_y[p] = y
    state.tile_turn[p] = turn
    state.plot_base[p] = base
    state.tiles = p + 1
    state.plots = base + areas
    for a in range(areas):
        new_plot(rules, state, tile, turn, a, SIDES * p + a, base + a)
    for a in range(areas):
        for b in range(a):
            border = np.int64(rules.tile_border[tile, a, b])
            if border != Border.NONE:
                link(state, base + a, base + b, border == Border.REGULAR)
    cover_cell(rules, state, p, x, y)
    for a in range(areas):
        t = np.int64(state.root[base + a])
        if state.open_sides[t] > 0:
            include(state.open_land, t)
        else:
            exclude(state.open_land, t)


@kernel
def new_plot(rules, state, tile, turn, a, slot, plot):
    """Begin a territory of one area."""
    state.slot[plot] = slot
    state.root[plot] = plot
    include(state.land, plot)
    state.open_sides[plot] = count(np.int64(rules.tile_facing[tile, turn, a]))
    state.extent[plot] = 1
    for r in range(RESOURCES):
        state.yields[plot, r] = rules.tile_icons[tile, a, r]
    space = np.int64(rules.tile_space[tile, a])
    if space != Space.NONE:
        state.spaces[plot, space - 1] = 1
    if rules.tile_lair[tile] == a:
        include(state.lairs, plot)


@kernel
def link(state, t, u, regular):
    """Make two territories adjacent (NORTH-TILE-09)."""
    include(state.near[t], u)
    include(state.near[u], t)
    if regular:
        include(state.smooth[t], u)
        include(state.smooth[u], t)


@kernel
def cover_cell(rules, state, p, x, y):
    """Let the p-th tile take its cell: join the sides it meets, name the empty cells it touches."""
    was = grid_at(state, x, y)
    if was >= NAMED:
        name = was - NAMED
        state.front[name // NAMES] &= ~(1 << (name % NAMES))
        state.front_need[name] = 0
        state.front_bar[name] = 0
        state.front_plot[name, :] = -1
    state.grid[(y % GRID) * GRID + x % GRID] = 1 + p
    for side in range(SIDES):
        plot, across = plot_facing(rules, state, p, side), (side + 2) % SIDES
        at_x, at_y = x + DX[side], y + DY[side]
        found = grid_at(state, at_x, at_y)
        if found == 0:
            name = SIDES * p + side
            state.grid[(at_y % GRID) * GRID + at_x % GRID] = NAMED + name
            state.front[name // NAMES] |= 1 << (name % NAMES)
            state.front_plot[name, across] = plot
        elif found >= NAMED:
            state.front_plot[found - NAMED, across] = plot
        else:
            other = plot_facing(rules, state, found - 1, across)
            state.open_sides[state.root[plot]] -= 1
            state.open_sides[state.root[other]] -= 1
            join(state, np.int64(state.root[plot]), np.int64(state.root[other]))
    for at_y in range(y - 1, y + 2):
        for at_x in range(x - 1, x + 2):
            found = grid_at(state, at_x, at_y)
            if found >= NAMED:
                judge_corners(rules, state, found - NAMED, at_x, at_y)


@kernel
def judge_corners(rules, state, name, x, y):
    """Say at which corners of an empty cell a border must end, and where none may (NORTH-EXPL-06 c)."""
    need, bar = 0, 0
    for c in range(SIDES):
        d = (c + 1) % SIDES
        ends = corner_ends(rules, state, x + DX[c], y + DY[c], d)
        beside = corner_ends(rules, state, x + DX[d], y + DY[d], (c + 3) % SIDES)
        beyond = corner_ends(rules, state, x + DX[c] + DX[d], y + DY[c] + DY[d], (c + 2) % SIDES)
        if ends < 0 or beside < 0 or beyond < 0:
            continue
        total = ends + beside + beyond
        if total == 0:
            bar |= 1 << c
        elif total == 1:
            need |= 1 << c
    state.front_need[name] = need
    state.front_bar[name] = bar


@kernel
def corner_ends(rules, state, x, y, corner):
    """Return 1 if the tile on a cell has a border that ends at its corner, 0 if not, -1 without a tile."""
    found = grid_at(state, x, y)
    if found == 0 or found >= NAMED:
        return -1
    p = found - 1
    corners = np.int64(rules.tile_corners[np.int64(state.tile_id[p]), np.int64(state.tile_turn[p])])
    return (corners >> corner) & 1


@kernel
def join(state, t, u):
    """Make one territory of two (NORTH-TILE-06): the smaller name stays."""
    if t == u:
        return
    keep, gone = min(t, u), max(t, u)
    for plot in range(gone, np.int64(state.plots)):
        if state.root[plot] == gone:
            state.root[plot] = keep
    join_rows(state, keep, gone)
    join_borders(state, keep, gone)
    exclude(state.land, gone)
    exclude(state.open_land, gone)  # `lay_tile` decides about the joint territory
    rename(state.lairs, gone, keep)
    for p in range(SEATS):
        rename(state.owned[p], gone, keep)
    if state.kaija == gone:
        state.kaija = keep
    if state.token == gone:
        state.token = keep
    if state.line_size > 0:
        rename(state.bears, gone, keep)
        rename(state.wolves, gone, keep)
        rename(state.valkyries, gone, keep)
        for i in range(np.int64(state.line_size)):
            creature = np.int64(state.line[i])
            if state.creature_at[creature] == gone:
                state.creature_at[creature] = keep


@kernel
def rename(words, gone, keep):
    """Put `keep` into a set in place of `gone`."""
    if has(words, gone):
        exclude(words, gone)
        include(words, keep)


@kernel
def join_rows(state, keep, gone):
    """Add the rows of a territory to those of another, and count its tiles anew (NORTH-TILE-10)."""
    state.open_sides[keep] += state.open_sides[gone]
    state.open_sides[gone] = 0
    for r in range(RESOURCES):
        state.yields[keep, r] += state.yields[gone, r]
        state.yields[gone, r] = 0
        state.spaces[keep, r] += state.spaces[gone, r]
        state.spaces[gone, r] = 0
    for b in range(BUILDINGS):
        state.buildings[keep, b] += state.buildings[gone, b]
        state.buildings[gone, b] = 0
    for p in range(SEATS):
        state.units[keep, p] += state.units[gone, p]
        state.units[gone, p] = 0
    extent, last = 0, -1
    for plot in range(keep, np.int64(state.plots)):
        tile = np.int64(state.slot[plot]) // SIDES
        if state.root[plot] == keep and tile != last:
            extent += 1
            last = tile
    state.extent[keep] = extent
    state.extent[gone] = 0


@kernel
def join_borders(state, keep, gone):
    """Give the neighbours of a territory to another; a border of a territory with itself counts for nothing."""
    for w in range(WORDS):
        rest = np.int64(state.near[gone, w])
        while rest != 0:
            u = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            exclude(state.near[u], gone)
            if u != keep:
                include(state.near[u], keep)
                include(state.near[keep], u)
        rest = np.int64(state.smooth[gone, w])
        while rest != 0:
            u = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            exclude(state.smooth[u], gone)
            if u != keep:
                include(state.smooth[u], keep)
                include(state.smooth[keep], u)
        state.near[gone, w] = 0
        state.smooth[gone, w] = 0


# Names of territories ------------------------------------------------------------------------------------------------


@kernel
def plot_of(state, slot):
    """Return the plot of a slot of a placed tile."""
    return np.int64(state.plot_base[slot // SIDES]) + slot % SIDES


@kernel
def terr_of(state, action):
    """Return the territory of a TERR action."""
    return plot_of(state, action - TERR)


@kernel
def list_terr(state, w0, w1, ids, n):
    """Append `TERR t` for each territory of a set, ascending; return the new length."""
    for w in range(WORDS):
        rest = w0 if w == 0 else w1
        while rest != 0:
            ids[n] = TERR + np.int64(state.slot[PER_WORD * w + lowest(rest)])
            rest &= rest - 1
            n += 1
    return n


# Figures -------------------------------------------------------------------------------------------------------------


@kernel
def has_kaija(state, t, p):
    """Return 1 if Kaija is the seat's and stands in the territory, else 0."""
    return 1 if state.kaija == t and state.bear == p and t >= 0 else 0


@kernel
def figures(state, t, p):
    """Return the number of figures of a seat in a territory."""
    return np.int64(state.units[t, p]) + has_kaija(state, t, p)


@kernel
def reserve(state, p):
    """Return the units that a seat has not on the map."""
    return UNITS - np.int64(state.on_map[p])


@kernel
def has_figures(state, p):
    """Return whether the seat has a figure on the map."""
    return (state.owned[p, 0] | state.owned[p, 1]) != 0


@kernel
def controller(state, t):
    """Return the seat with figures in a territory, -1 if it is neutral; not while a combat is unresolved there."""
    for p in range(SEATS):
        if has(state.owned[p], t):
            return p
    return -1


@kernel
def put_units(state, p, t, n):
    """Put units from the reserve into a territory."""
    if n > 0:
        state.units[t, p] += n
        state.on_map[p] += n
        include(state.owned[p], t)


@kernel
def take_units(state, p, t, n):
    """Take units out of a territory, back to the reserve."""
    state.units[t, p] -= n
    state.on_map[p] -= n
    if state.units[t, p] == 0 and has_kaija(state, t, p) == 0:
        exclude(state.owned[p], t)


@kernel
def put_kaija(state, t):
    """Put Kaija into a territory."""
    state.kaija = t
    include(state.owned[state.bear], t)


@kernel
def take_kaija(state):
    """Take Kaija off the map."""
    t, p = np.int64(state.kaija), np.int64(state.bear)
    state.kaija = -1
    if state.units[t, p] == 0:
        exclude(state.owned[p], t)


@kernel
def remove_figures(state, p, t, n):
    """Remove figures of a seat from a territory, units before Kaija (NORTH-CLAN-05); return how many went."""
    units = min(n, np.int64(state.units[t, p]))
    take_units(state, p, t, units)
    if n > units and has_kaija(state, t, p) == 1:
        take_kaija(state)
        return units + 1
    return units


# Sets of territories, by word ----------------------------------------------------------------------------------------


@kernel
def neutral_word(state, w):
    """Return a word of the set of neutral territories."""
    held = np.int64(0)
    for p in range(SEATS):
        held |= state.owned[p, w]
    return np.int64(state.land[w]) & ~held


@kernel
def enemy_word(rules, state, p, w):
    """Return a word of the set of territories with figures of an enemy of the seat."""
    held = np.int64(0)
    for other in range(SEATS):
        if (np.int64(rules.enemies[p]) >> other) & 1 != 0:
            held |= state.owned[other, w]
    return held


@kernel
def ally_word(rules, state, p, w):
    """Return a word of the set of territories with figures of the seat's teammate."""
    ally = np.int64(rules.ally[p])
    return np.int64(state.owned[ally, w]) if ally >= 0 else np.int64(0)


@kernel
def near_own_word(state, p, w):
    """Return a word of the set of territories adjacent, by any border, to one with figures of the seat."""
    near = np.int64(0)
    for v in range(WORDS):
        rest = np.int64(state.owned[p, v])
        while rest != 0:
            near |= state.near[PER_WORD * v + lowest(rest), w]
            rest &= rest - 1
    return near


# Buildings -----------------------------------------------------------------------------------------------------------


@kernel
def set_building(rules, state, plot, b):
    """Put a building token of the supply on the space of a plot."""
    t = np.int64(state.root[plot])
    p = np.int64(state.slot[plot]) // SIDES
    space = np.int64(rules.tile_space[np.int64(state.tile_id[p]), np.int64(state.slot[plot]) % SIDES])
    state.built[plot] = 1 + b
    state.spaces[t, space - 1] -= 1
    add_building(rules, state, t, b)


@kernel
def add_building(rules, state, t, b):
    """Let a token of the supply stand in a territory without a space (NORTH-BUILD-06)."""
    state.buildings[t, b] += 1
    state.supply[b] -= 1
    for r in range(RESOURCES):
        state.yields[t, r] += rules.build_prod[b, r]


@kernel
def drop_building(rules, state, t, b):
    """Return a token of a territory to the supply; its space is the caller's business."""
    state.buildings[t, b] -= 1
    state.supply[b] += 1
    for r in range(RESOURCES):
        state.yields[t, r] -= rules.build_prod[b, r]


@kernel
def built_yield(rules, state, t, r):
    """Return what the buildings of a territory produce of a kind."""
    total = 0
    for b in range(BUILDINGS):
        total += np.int64(state.buildings[t, b]) * np.int64(rules.build_prod[b, r])
    return total
