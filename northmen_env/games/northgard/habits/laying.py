"""Where to lay a tile: territories closed and enlarged, seen from one seat, in hundredths of a fame."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.board import controller
from northmen_env.games.northgard.habits.land import GOODS, harvests_left
from northmen_env.games.northgard.laying import around, joined_sides, legal_turns, wants_room
from northmen_env.games.northgard.tables import AREAS, RESOURCES, SIDES, TILES, Space


@kernel
def tile_worth(rules, state, tile):
    """Return what a tile is worth wherever it lies: icons and spaces."""
    worth = 0
    for r in range(RESOURCES):
        worth += 30 * np.int64(rules.tile_total[tile, r])
    for a in range(AREAS):
        space = np.int64(rules.tile_space[tile, a])
        if space != Space.NONE:
            worth += 40 if space == Space.LARGE else 12
    return worth - 8 * np.int64(rules.tile_areas[tile])


@kernel
def area_worth(rules, tile, turn, joined, left):
    """Return the icons and spaces that the areas on these sides add to a territory."""
    worth, seen = 0, 0
    for d in range(SIDES):
        area = np.int64(rules.tile_world[tile, turn, d])
        if (joined >> d) & 1 == 0 or (seen >> area) & 1 != 0:
            continue
        seen |= 1 << area
        for r in range(RESOURCES):
            worth += GOODS * left * np.int64(rules.tile_icons[tile, area, r])
        space = np.int64(rules.tile_space[tile, area])
        if space != Space.NONE:
            worth += 80 if space == Space.LARGE else 25
    return worth


@kernel
def laying_worth(rules, state, p, tile, name, turn):
    """Return what it is worth to lay a tile on a cell with a rotation."""
    worth, todo = np.int64(0), (1 << SIDES) - 1
    while todo != 0:
        joined = joined_sides(rules, state, tile, turn, name, lowest(todo))
        todo &= ~joined
        worth += joint_worth(rules, state, p, tile, name, turn, joined)
    return worth


@kernel
def joint_worth(rules, state, p, tile, name, turn, joined):
    """Return what the territory on these sides of the new tile is worth."""
    left, holder, extent, open_sides, own_sides, roots = harvests_left(rules, state), -1, 1, 0, 0, 0
    parts = 0
    for d in range(SIDES):
        if (joined >> d) & 1 == 0:
            continue
        plot = np.int64(state.front_plot[name, d])
        if plot < 0:
            open_sides += 1
            continue
        t = np.int64(state.root[plot])
        own_sides += 1
        first = True
        for e in range(d):
            other = np.int64(state.front_plot[name, e])
            if (joined >> e) & 1 != 0 and other >= 0 and state.root[other] == t:
                first = False
        if first:
            parts += 1
            extent += np.int64(state.extent[t])
            roots += np.int64(state.open_sides[t])
            found = controller(state, t)
            holder = found if found >= 0 else holder
    if parts == 0:
        return np.int64(0)
    extent = min(extent, np.int64(TILES))
    open_after = roots - own_sides + open_sides
    gain = area_worth(rules, tile, turn, joined, left)
    fame = left * 100 * np.int64(rules.harvest_fame[extent])
    if holder == p or holder < 0:
        share = np.int64(4) if holder == p else np.int64(1)
        if open_after == 0:
            gain += fame + (100 * extent if holder == p else 0)
        else:
            gain += (20 * extent - 25 * open_after) if open_after <= 3 else np.int64(-20)
        return share * gain // 4
    if (np.int64(rules.enemies[p]) >> holder) & 1 != 0:
        return -(gain + (fame if open_after == 0 else 0)) // 3
    return gain // 4


@kernel
def cell_worth(rules, state, p, tile, name):
    """Return the worth of the best rotation of a tile on a cell."""
    turns = legal_turns(rules, state, tile, name, around(state, name), wants_room(state))
    best = np.int64(-100000)
    while turns != 0:
        best = max(best, laying_worth(rules, state, p, tile, name, lowest(turns)))
        turns &= turns - 1
    return best
