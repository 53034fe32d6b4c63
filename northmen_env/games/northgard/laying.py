"""Where a tile may be laid (NORTH-EXPL-06), in setup, by an Explore and in a second chance."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CELL, ROT
from northmen_env.games.northgard.amounts import ONE, ZERO
from northmen_env.games.northgard.board import NAMES, cell_x, cell_y
from northmen_env.games.northgard.plots import PER_WORD, has
from northmen_env.games.northgard.state import Frame
from northmen_env.games.northgard.tables import SEATS, SIDES, TILES

HOLDERS = (1 << SEATS) - 1
VALKYRIE = 1 << SEATS
"""Bit sets of who is in a territory: the seats, and a Fallen Valkyrie."""

EXPLORE_ANYWHERE = 2


@kernel
def who_is_in(state, t):
    """Return the bit set of the seats with figures in a territory, and of a Fallen Valkyrie there."""
    found = 0
    for p in range(SEATS):
        if has(state.owned[p], t):
            found |= 1 << p
    if has(state.valkyries, t):
        found |= VALKYRIE
    return found


@kernel
def clash(who):
    """Return whether these cannot share a territory (NORTH-EXPL-06 d, e)."""
    seats = who & HOLDERS
    return seats & (seats - 1) != 0 or (who > HOLDERS and seats != 0)


@kernel
def joined_sides(rules, state, tile, turn, name, side):
    """Return the bit set of the sides whose territories become one with that of `side` when the tile is laid."""
    joined, before = 1 << side, 0
    while joined != before:
        before = joined
        for d in range(SIDES):
            if (joined >> d) & 1 == 0:
                continue
            joined |= np.int64(rules.tile_facing[tile, turn, np.int64(rules.tile_world[tile, turn, d])])
            plot = np.int64(state.front_plot[name, d])
            for e in range(SIDES):
                other = np.int64(state.front_plot[name, e])
                if plot >= 0 and other >= 0 and state.root[plot] == state.root[other]:
                    joined |= 1 << e
    return joined


@kernel
def around(state, name):
    """Return who is in the four territories around an empty cell: eight bits for each side, from side 0 on."""
    found = 0
    for d in range(SIDES):
        plot = np.int64(state.front_plot[name, d])
        if plot >= 0:
            found |= who_is_in(state, np.int64(state.root[plot])) << (8 * d)
    return found


@kernel
def legal_turns(rules, state, tile, name, who, free):
    """Return the bit set of the rotations of a tile that are legal on a cell (NORTH-EXPL-06 c, d, e).

    Args:
        who: `around(state, name)`.
        free: whether some area of the tile must be in a territory without figures (NORTH-SETUP-15).
    """
    need, bar = np.int64(state.front_need[name]), np.int64(state.front_bar[name])
    union = (who | (who >> 8) | (who >> 16) | (who >> 24)) & 255
    judged = clash(union) or (free and union & HOLDERS != 0)
    found = 0
    for turn in range(np.int64(rules.tile_rotations[tile])):
        corners = np.int64(rules.tile_corners[tile, turn])
        if corners & need != need or corners & bar != 0:
            continue
        if judged and not joins_well(rules, state, tile, turn, name, who, free):
            continue
        found |= 1 << turn
    return found


@kernel
def joins_well(rules, state, tile, turn, name, who, free):
    """Return whether nobody clashes in the territories of the new tile and, with `free`, one has no figures."""
    left, room = (1 << SIDES) - 1, False
    while left != 0:
        joined = joined_sides(rules, state, tile, turn, name, lowest(left))
        left &= ~joined
        present = ZERO
        for d in range(SIDES):
            if (joined >> d) & 1 != 0:
                present |= (who >> (8 * d)) & 255
        if clash(present):
            return False
        room = room or present & HOLDERS == 0
    return room or not free


# Which cells count ---------------------------------------------------------------------------------------------------


@kernel
def in_reach(state, name, w0, w1):
    """Return whether a side of a cell faces a territory of a set."""
    for d in range(SIDES):
        plot = np.int64(state.front_plot[name, d])
        if plot >= 0:
            t = np.int64(state.root[plot])
            if ((w0 >> t) if t < PER_WORD else (w1 >> (t - PER_WORD))) & 1 != 0:
                return True
    return False


@kernel
def first_round_cell(rules, state, name):
    """Return whether a cell touches a starting tile (NORTH-SETUP-13)."""
    starting = np.int64(rules.tile_areas[0])
    if rules.num_players == SEATS:
        starting += np.int64(rules.tile_areas[1])
    for d in range(SIDES):
        if 0 <= state.front_plot[name, d] < starting:
            return True
    return False


@kernel
def keeps_margin(rules, state, name):
    """Return whether the torus keeps an empty column and an empty row (NORTH-TILE-12)."""
    size = np.int64(rules.map_size)
    if size > TILES:
        return True
    x, y = cell_x(state, name), cell_y(state, name)
    west, east, north, south = x, x, y, y
    for p in range(np.int64(state.tiles)):
        west, east = min(west, np.int64(state.tile_x[p])), max(east, np.int64(state.tile_x[p]))
        north, south = min(north, np.int64(state.tile_y[p])), max(south, np.int64(state.tile_y[p]))
    return east - west + 2 <= size and south - north + 2 <= size


@kernel
def reach_word(state, p, fl, w):
    """Return a word of the set of territories a seat explores from (NORTH-EXPL-06 b): all with bit ANYWHERE."""
    if fl & EXPLORE_ANYWHERE != 0:
        return np.int64(state.land[w])
    return np.int64(state.owned[p, w]) & ~np.int64(state.bears[w])


@kernel
def allows(rules, state, name, w0, w1):
    """Return whether the running frame may use a cell at all (NORTH-EXPL-06 a, b, f; NORTH-SETUP-13, -14)."""
    if state.setup_round == 1 and not first_round_cell(rules, state, name):
        return False
    return in_reach(state, name, w0, w1) and keeps_margin(rules, state, name)


@kernel
def reach_of_frame(rules, state, w):
    """Return a word of the set of territories that the cell must touch, for the frame that lays a tile."""
    depth = np.int64(state.depth) - 1
    if state.frame_kind[depth] != Frame.EXPLORE:
        return np.int64(state.land[w])
    row = np.int64(state.frame_row[depth])
    return reach_word(state, np.int64(state.turn), np.int64(rules.card_fl[row]), w)


@kernel
def wants_room(state):
    """Return whether the frame that lays a tile needs a territory without figures on it."""
    return state.frame_kind[state.depth - 1] != Frame.EXPLORE


@kernel
def can_lay(rules, state, tile):
    """Return whether the running frame can lay a tile somewhere."""
    w0, w1, free = reach_of_frame(rules, state, ZERO), reach_of_frame(rules, state, ONE), wants_room(state)
    for w in range(3):
        rest = np.int64(state.front[w])
        while rest != 0:
            name = NAMES * w + lowest(rest)
            rest &= rest - 1
            if (
                allows(rules, state, name, w0, w1)
                and legal_turns(rules, state, tile, name, around(state, name), free) != 0
            ):
                return True
    return False


@kernel
def list_laying_cells(rules, state, ids):
    """List CELL for each cell where `state.tile` has a legal rotation."""
    w0, w1, free = reach_of_frame(rules, state, ZERO), reach_of_frame(rules, state, ONE), wants_room(state)
    tile, n = np.int64(state.tile), 0
    for w in range(3):
        rest = np.int64(state.front[w])
        while rest != 0:
            name = NAMES * w + lowest(rest)
            rest &= rest - 1
            if (
                allows(rules, state, name, w0, w1)
                and legal_turns(rules, state, tile, name, around(state, name), free) != 0
            ):
                ids[n] = CELL + name
                n += 1
    return n


@kernel
def list_laying_turns(rules, state, ids):
    """List ROT for each legal rotation of `state.tile` on `state.cell`."""
    name, n = np.int64(state.cell), 0
    turns = legal_turns(rules, state, np.int64(state.tile), name, around(state, name), wants_room(state))
    while turns != 0:
        ids[n] = ROT + lowest(turns)
        turns &= turns - 1
        n += 1
    return n
