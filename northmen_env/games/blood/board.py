"""The map: laying a tile, and all that follows from tiles, rotations, warbands and citadels.

Cells are torus indices (BLOOD-HEX-03). The empty cells that touch the map, the *frontier*, are kept in ascending order,
each with the letters that fail on each of its sides, so that a rotation of a tile fits by one AND and a count of bits.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import ONE
from northmen_env.games.blood.state import CITADELS, FRONTIER
from northmen_env.games.blood.tables import IDS, SEATS, SIDES
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, clear, include

# Steps across sides 0..5 (BLOOD-HEX-01), and the side of the neighbour that faces each.
STEP_Q = (0, 1, 1, 0, -1, -1)
STEP_R = (-1, -1, 0, 1, 1, 0)
FACING = (3, 4, 5, 0, 1, 2)

# First bits of the groups of `state.links`.
OPEN_LINK = 0
FOREST_LINK = 6
LAKE_LINK = 12
ROAD_LINK = 18
MET = 24
ALL_SIDES = 63

_FOREST, _LAKE, _ROAD, _EMPTY = (np.int64(side) for side in (Side.FOREST, Side.LAKE, Side.ROAD, Side.EMPTY))
_LETTER_BITS = 5


# ---- Cells and sides ------------------------------------------------------------------------------------------------


@kernel
def beside(rules, cell, side):
    """Return the cell across a side."""
    size = np.int64(rules.grid_size)
    q = cell // size + STEP_Q[side]
    r = cell % size + STEP_R[side]
    if q < 0:
        q += size
    elif q == size:
        q = 0
    if r < 0:
        r += size
    elif r == size:
        r = 0
    return q * size + r


@kernel
def letter_at(rules, state, tile, side):
    """Return what a side of a tile on the map shows (BLOOD-HEX-02)."""
    k = side - np.int64(state.rotation[tile])
    return np.int64(rules.letters[tile, k if k >= 0 else k + SIDES])


@kernel
def sides_of(rules, state, tile, letter):
    """Return the bit set of the sides of a tile on the map that show a letter."""
    return np.int64(rules.kind_sides[tile, np.int64(state.rotation[tile]), letter])


@kernel
def met_sides(state, tile):
    """Return the bit set of the sides with a neighbour."""
    return (np.int64(state.links[tile]) >> MET) & ALL_SIDES


@kernel
def walled_sides(state, tile):
    """Return the bit set of the sides with anybody's citadel."""
    walls = np.int64(state.citadel_sides[tile])
    walls |= walls >> 12
    return (walls | (walls >> 6) | (walls >> 12)) & ALL_SIDES


@kernel
def own_walls(state, tile, p):
    """Return the bit set of the sides with a citadel of `p`."""
    return (np.int64(state.citadel_sides[tile]) >> (SIDES * p)) & ALL_SIDES


@kernel
def matches(rules, state, tile, side):
    """Return whether a side of a tile on the map matches what it meets, if it meets anything (BLOOD-PLACE-05)."""
    other = np.int64(state.neighbour[tile, side])
    if other == 0:
        return True
    facing = letter_at(rules, state, other, FACING[side])
    return (np.int64(rules.fail[letter_at(rules, state, tile, side)]) >> facing) & 1 == 0


@kernel
def failing_side(rules, state, tile):
    """Return the first side of a tile on the map that fails to match its neighbour, or -1."""
    for side in range(SIDES):
        if not matches(rules, state, tile, side):
            return side
    return -1


# ---- Laying a tile --------------------------------------------------------------------------------------------------


@kernel
def put_tile(rules, state, tile, cell, rotation):
    """Put a tile on an empty cell."""
    state.cell[tile] = cell
    state.rotation[tile] = rotation
    state.grid[cell] = tile
    include(state.on_map, tile)
    state.map_size += 1
    widen(rules, state, cell)
    leave_front(state, cell)
    for side in range(SIDES):
        at = beside(rules, cell, side)
        other = np.int64(state.grid[at])
        if other == 0:
            extend_front(rules, state, at, FACING[side], letter_at(rules, state, tile, side))
        else:
            join_sides(rules, state, tile, side, other)


@kernel
def join_sides(rules, state, tile, side, other):
    """Note that two tiles are neighbours, and by what their common side links them (BLOOD-LAKE-02, BLOOD-ROAD-03)."""
    back = FACING[side]
    state.neighbour[tile, side] = other
    state.neighbour[other, back] = tile
    a, b = letter_at(rules, state, tile, side), letter_at(rules, state, other, back)
    groups = 1 << MET
    if a == b and a == _EMPTY:
        groups |= 1 << OPEN_LINK
    elif a == b and a == _ROAD:
        groups |= (1 << OPEN_LINK) | (1 << ROAD_LINK)
    elif a == b and a == _FOREST:
        groups |= 1 << FOREST_LINK
    elif a == b and a == _LAKE:
        groups |= 1 << LAKE_LINK
    state.links[tile] |= groups << side
    state.links[other] |= groups << back


@kernel
def widen(rules, state, cell):
    """Let the window of columns and rows hold a cell next to it (BLOOD-HEX-04)."""
    size = np.int64(rules.grid_size)
    q, r = cell // size, cell % size
    if state.q_span == 0:
        state.q_min, state.q_span, state.r_min, state.r_span = q, 1, r, 1
        return
    if (q - np.int64(state.q_min)) % size == state.q_span:
        state.q_span += 1
    elif (q - np.int64(state.q_min)) % size == size - 1:
        state.q_min = q
        state.q_span += 1
    if (r - np.int64(state.r_min)) % size == state.r_span:
        state.r_span += 1
    elif (r - np.int64(state.r_min)) % size == size - 1:
        state.r_min = r
        state.r_span += 1


# ---- Frontier -------------------------------------------------------------------------------------------------------


@kernel
def front_at(state, cell):
    """Return the index of the first frontier cell that is not below `cell`."""
    low, high = 0, np.int64(state.front_size)
    while low < high:
        middle = (low + high) >> 1
        if state.front_cell[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def leave_front(state, cell):
    """Take a cell out of the frontier, if it is there."""
    at, end = front_at(state, cell), np.int64(state.front_size) - 1
    if at > end or state.front_cell[at] != cell:
        return
    for i in range(at, end):
        state.front_cell[i] = state.front_cell[i + 1]
        state.front_fail[i] = state.front_fail[i + 1]
        state.front_count[i] = state.front_count[i + 1]
    state.front_cell[end] = 0
    state.front_fail[end] = 0
    state.front_count[end] = 0
    state.front_size = end


@kernel
def extend_front(rules, state, cell, side, letter):
    """Note that `side` of an empty cell now faces a tile that shows `letter` there."""
    at, end = front_at(state, cell), np.int64(state.front_size)
    if at == end or state.front_cell[at] != cell:
        if end == FRONTIER:
            return  # only a map that is not connected needs more
        for i in range(end, at, -1):
            state.front_cell[i] = state.front_cell[i - 1]
            state.front_fail[i] = state.front_fail[i - 1]
            state.front_count[i] = state.front_count[i - 1]
        state.front_cell[at] = cell
        state.front_fail[at] = 0
        state.front_count[at] = 0
        state.front_size = end + 1
    state.front_fail[at] |= np.int64(rules.fail[letter]) << (_LETTER_BITS * side)
    state.front_count[at] += 1


@kernel
def outside_window(rules, state, cell):
    """Return whether HEX-04 rules a frontier cell out."""
    size = np.int64(rules.grid_size)
    if state.q_span == size - 2 and (cell // size - np.int64(state.q_min)) % size >= state.q_span:
        return True
    return state.r_span == size - 2 and (cell % size - np.int64(state.r_min)) % size >= state.r_span


@kernel
def room_at(rules, state, i):
    """Return whether frontier cell `i` touches as many tiles as it must (BLOOD-PLACE-02, -03) within the window."""
    touched = np.int64(state.front_count[i])
    if touched < 2 if state.map_size >= 3 else touched != 1:
        return False
    if state.q_span < rules.grid_size - 2 and state.r_span < rules.grid_size - 2:
        return True
    return not outside_window(rules, state, np.int64(state.front_cell[i]))


@kernel
def fits(rules, state, tile, rotation, i, breaches):
    """Return whether a turned tile fails on at most `breaches` sides of frontier cell `i` (BLOOD-PLACE-05, -06)."""
    return count(np.int64(rules.turned[tile, rotation]) & np.int64(state.front_fail[i])) <= breaches


@kernel
def fits_somehow(rules, state, tile, i, breaches):
    """Return whether some rotation of a tile fits on frontier cell `i`."""
    for rotation in range(np.int64(rules.period[tile])):
        if fits(rules, state, tile, rotation, i, breaches):
            return True
    return False


@kernel
def fits_somewhere(rules, state, tile, breaches):
    """Return whether a tile has a legal placement (BLOOD-PLACE-07)."""
    if state.map_size == 0:
        return True  # BLOOD-PLACE-01
    for i in range(np.int64(state.front_size)):
        if room_at(rules, state, i) and fits_somehow(rules, state, tile, i, breaches):
            return True
    return False


# ---- Warbands and citadels ------------------------------------------------------------------------------------------


@kernel
def put_warbands(state, p, tile, number):
    """Put warbands of a colour on a tile."""
    state.warbands[tile, p] += number
    state.mustered[p] += number
    include(state.army[p], tile)


@kernel
def take_warbands(state, p, tile, number):
    """Take warbands of a colour from a tile."""
    state.warbands[tile, p] -= number
    state.mustered[p] -= number
    if state.warbands[tile, p] == 0:
        w = 1 if tile >= PER_WORD else 0
        state.army[p, w] &= ~(1 << (tile - PER_WORD * w))


@kernel
def rivals(rules, state, p, w):
    """Return word `w` of the set of tiles with warbands of other colours."""
    found = 0
    for other in range(np.int64(rules.colours)):
        if other != p:
            found |= state.army[other, w]
    return found


@kernel
def enemies(rules, state, p, tile):
    """Return how many warbands of other colours stand on a tile."""
    number = 0
    for other in range(np.int64(rules.colours)):
        if other != p:
            number += np.int64(state.warbands[tile, other])
    return number


@kernel
def contested(rules, state, p, w):
    """Return word `w` of the set of tiles contested for a colour."""
    return state.army[p, w] & rivals(rules, state, p, w)


@kernel
def mark_citadel(state, number, add):
    """Show a placed citadel on both tiles of its side (`add` = 1), or no more (0)."""
    tile, side = np.int64(state.citadel_tile[number]), np.int64(state.citadel_side[number])
    other, p = np.int64(state.neighbour[tile, side]), np.int64(state.citadel_owner[number])
    for at, d in ((tile, side), (other, FACING[side])):
        bit = 1 << (SIDES * p + d)
        state.citadel_sides[at] = np.int64(state.citadel_sides[at]) & ~bit | bit * add
    state.walls[p] += 2 * add - 1


# ---- From the facts -------------------------------------------------------------------------------------------------


@kernel
def derive(rules, state):
    """Write anew what the map says in other words, from `cell`, `rotation`, `on_map`, `warbands` and the citadels.

    Tiles must lie on different cells; the map need not be legal (`invariants` judges it).
    """
    forget(state)
    for w in range(WORDS):
        rest = state.on_map[w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            state.grid[state.cell[tile]] = tile
            state.map_size += 1
    for w in range(WORDS):
        rest = state.on_map[w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            look_round(rules, state, tile)
    find_window(rules, state)
    for tile in range(1, IDS):
        for p in range(SEATS):
            number = np.int64(state.warbands[tile, p])
            if number > 0:
                state.mustered[p] += number
                include(state.army[p], tile)
    for number in range(CITADELS):
        if state.citadel_owner[number] >= 0:
            mark_citadel(state, number, ONE)


@kernel
def look_round(rules, state, tile):
    cell = np.int64(state.cell[tile])
    for side in range(SIDES):
        at = beside(rules, cell, side)
        other = np.int64(state.grid[at])
        if other == 0:
            extend_front(rules, state, at, FACING[side], letter_at(rules, state, tile, side))
        else:
            join_sides(rules, state, tile, side, other)


@kernel
def find_window(rules, state):
    """Find the columns and rows that hold tiles: on a connected map one unbroken interval each."""
    size = np.int64(rules.grid_size)
    for i in range(size):
        before = i - 1 if i > 0 else size - 1
        if line_used(state, i * size, 1, size):
            state.q_span += 1
            if not line_used(state, before * size, 1, size):
                state.q_min = i
        if line_used(state, i, size, size):
            state.r_span += 1
            if not line_used(state, before, size, size):
                state.r_min = i


@kernel
def line_used(state, cell, stride, size):
    """Return whether one of `size` cells from `cell` on holds a tile."""
    for _ in range(size):
        if state.grid[cell] != 0:
            return True
        cell += stride
    return False


@kernel
def forget(state):
    """Empty all fields that `derive` writes."""
    state.map_size = 0
    state.grid[:] = 0
    state.neighbour[:, :] = 0
    state.links[:] = 0
    state.citadel_sides[:] = 0
    state.mustered[:] = 0
    state.walls[:] = 0
    state.front_size = 0
    state.front_cell[:] = 0
    state.front_fail[:] = 0
    state.front_count[:] = 0
    state.q_min = 0
    state.q_span = 0
    state.r_min = 0
    state.r_span = 0
    for p in range(SEATS):
        clear(state.army[p])
