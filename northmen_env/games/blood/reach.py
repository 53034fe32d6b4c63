"""How far armies get: lakes, roads, the way round the map edge, and the connection of Bjarmia.

Searches keep their work as sets of tiles in plain integers: (w0, w1) are the two words of a set (`tilesets`).
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import HIGH, LOW
from northmen_env.games.blood.board import (
    ALL_SIDES,
    FOREST_LINK,
    LAKE_LINK,
    OPEN_LINK,
    ROAD_LINK,
    enemies,
    met_sides,
    own_walls,
    rivals,
    sides_of,
    walled_sides,
)
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.tables import SIDES
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD

CLOCKWISE, COUNTER_CLOCKWISE = np.int64(1), np.int64(5)
_ROAD = np.int64(Side.ROAD)


@kernel
def low_bit(tile):
    """Return the tile's bit in word 0, or 0."""
    return 1 << tile if tile < PER_WORD else 0


@kernel
def high_bit(tile):
    """Return the tile's bit in word 1, or 0."""
    return 1 << (tile - PER_WORD) if tile >= PER_WORD else 0


@kernel
def has_tile(w0, w1, tile):
    """Return whether a set holds a tile."""
    return (w0 & low_bit(tile)) | (w1 & high_bit(tile)) != 0


# ---- Sides for a colour ---------------------------------------------------------------------------------------------


@kernel
def links_for(state, tile, p):
    """Return `links` as they are for a colour: a citadel's side is open to its owner and closed to others (CIT-08)."""
    links = np.int64(state.links[tile])
    if state.citadel_sides[tile] == 0:
        return links
    free = ALL_SIDES & ~walled_sides(state, tile)
    for group in (OPEN_LINK, FOREST_LINK, LAKE_LINK, ROAD_LINK):
        links &= ~((ALL_SIDES & ~free) << group)
    return links | (own_walls(state, tile, p) << OPEN_LINK)


@kernel
def open_sides(state, tile, p):
    """Return the sides of status OPEN (BLOOD-LAKE-02)."""
    return (links_for(state, tile, p) >> OPEN_LINK) & ALL_SIDES


@kernel
def forest_sides(state, tile, p):
    """Return the sides of status FOREST."""
    return (links_for(state, tile, p) >> FOREST_LINK) & ALL_SIDES


@kernel
def lake_sides(state, tile, p):
    """Return the sides of status LAKE."""
    return (links_for(state, tile, p) >> LAKE_LINK) & ALL_SIDES


@kernel
def road_sides(state, tile, p):
    """Return the sides that are road links (BLOOD-ROAD-03, BLOOD-ABIL-05)."""
    links = np.int64(state.links[tile]) >> ROAD_LINK
    if state.citadel_sides[tile] == 0:
        return links & ALL_SIDES
    roads = links & ALL_SIDES & ~walled_sides(state, tile)
    if state.ability[p] == Ability.PICAROON:
        roads |= own_walls(state, tile, p)
    return roads


@kernel
def neighbours(state, tile, sides):
    """Return the set (w0, w1) of the tiles across some sides."""
    w0, w1 = 0, 0
    while sides != 0:
        other = np.int64(state.neighbour[tile, lowest(sides)])
        sides &= sides - 1
        w0 |= low_bit(other)
        w1 |= high_bit(other)
    return w0, w1


# ---- Lake -----------------------------------------------------------------------------------------------------------


@kernel
def lake_of(state, tile, p):
    """Return the set of the other tiles on the tile's lake (BLOOD-LAKE-05)."""
    todo0, todo1 = low_bit(tile), high_bit(tile)
    seen0, seen1 = todo0, todo1
    while todo0 | todo1 != 0:
        if todo0 != 0:
            at = lowest(todo0)
            todo0 &= todo0 - 1
        else:
            at = PER_WORD + lowest(todo1)
            todo1 &= todo1 - 1
        near0, near1 = neighbours(state, at, lake_sides(state, at, p))
        todo0 |= near0 & ~seen0
        todo1 |= near1 & ~seen1
        seen0 |= near0
        seen1 |= near1
    return seen0 & ~low_bit(tile), seen1 & ~high_bit(tile)


@kernel
def lake_payable(state, tile, p, a, b):
    """Return whether a lake move from the tile has a destination that `a` and `b` can pay (BLOOD-LAKE-06)."""
    links = links_for(state, tile, p)
    if a >= 1:
        wanted = (ALL_SIDES << OPEN_LINK) | (ALL_SIDES << LAKE_LINK)
        if a >= 2:
            wanted |= ALL_SIDES << FOREST_LINK
    elif b >= 1:
        wanted = ALL_SIDES << LAKE_LINK
    else:
        wanted = 0
    return links & wanted != 0


@kernel
def lake_destinations(state, tile, p, a, b):
    """Return the set of payable destinations of a lake move."""
    w0, w1 = 0, 0
    if a + b >= 1:
        w0, w1 = lake_of(state, tile, p)
    if a >= 1:
        sides = open_sides(state, tile, p)
        if a >= 2:
            sides |= forest_sides(state, tile, p)
        near0, near1 = neighbours(state, tile, sides)
        w0 |= near0
        w1 |= near1
    return w0, w1


# ---- Road -----------------------------------------------------------------------------------------------------------


@kernel
def passes(rules, state, tile, p, number):
    """Return whether an army of `number` may go on from a tile that it has reached (BLOOD-ROAD-01, BLOOD-ABIL-05)."""
    hostile = enemies(rules, state, p, tile)
    return hostile == 0 or (state.ability[p] == Ability.PICAROON and number > hostile)


@kernel
def road_search(rules, state, tile, p, number):
    """Return the sets reached over road links and expanded, both with the source (BLOOD-ROAD-05): four words."""
    todo0, todo1 = low_bit(tile), high_bit(tile)
    seen0, seen1 = todo0, todo1
    gone0, gone1 = 0, 0
    while todo0 | todo1 != 0:
        if todo0 != 0:
            at = lowest(todo0)
            todo0 &= todo0 - 1
        else:
            at = PER_WORD + lowest(todo1)
            todo1 &= todo1 - 1
        if at != tile and not passes(rules, state, at, p, number):  # BLOOD-ROAD-04
            continue
        gone0 |= low_bit(at)
        gone1 |= high_bit(at)
        near0, near1 = neighbours(state, at, road_sides(state, at, p))
        todo0 |= near0 & ~seen0
        todo1 |= near1 & ~seen1
        seen0 |= near0
        seen1 |= near1
    return seen0, seen1, gone0, gone1


@kernel
def road_destinations(rules, state, tile, p, number, a, b):
    """Return the set of payable destinations of a road move (BLOOD-ROAD-05, -06)."""
    if a + b == 0:
        return 0, 0
    w0, w1, rest0, rest1 = road_search(rules, state, tile, p, number)
    if a >= 1:
        while rest0 | rest1 != 0:
            if rest0 != 0:
                at = lowest(rest0)
                rest0 &= rest0 - 1
            else:
                at = PER_WORD + lowest(rest1)
                rest1 &= rest1 - 1
            far0, far1 = arrivals(rules, state, at)
            w0 |= far0
            w1 |= far1
    return w0 & ~low_bit(tile), w1 & ~high_bit(tile)


@kernel
def road_payable(rules, state, tile, p, a, b):
    """Return whether a road move from the tile has a payable destination.

    The number that moves has no part in it: the source is always expanded.
    """
    if a + b == 0:
        return False
    if road_sides(state, tile, p) != 0:
        return True
    if a == 0:
        return False
    w0, w1 = arrivals(rules, state, tile)
    return (w0 & ~low_bit(tile)) | (w1 & ~high_bit(tile)) != 0


# ---- Round the map edge ---------------------------------------------------------------------------------------------


@kernel
def road_exits(rules, state, tile):
    """Return the road sides of a tile at the map edge."""
    return sides_of(rules, state, tile, _ROAD) & ~met_sides(state, tile)


@kernel
def arrivals(rules, state, tile):
    """Return the set of the tiles where the ways round the edge from a tile's road sides end (BLOOD-EDGE-04)."""
    w0, w1 = 0, 0
    exits = road_exits(rules, state, tile)
    while exits != 0:
        side = lowest(exits)
        exits &= exits - 1
        one = round_edge(rules, state, tile, side, CLOCKWISE)
        two = round_edge(rules, state, tile, side, COUNTER_CLOCKWISE)
        w0 |= low_bit(one) | low_bit(two)
        w1 |= high_bit(one) | high_bit(two)
    return w0 & ~1, w1  # 0 is no tile


@kernel
def round_edge(rules, state, tile, side, turn):
    """Return the tile of the next road side along the edge, or 0 if there is no other (BLOOD-EDGE-02, -04)."""
    at, d = tile, side
    while True:
        ahead = d + turn
        if ahead >= SIDES:
            ahead -= SIDES
        other = np.int64(state.neighbour[at, ahead])
        if other == 0:
            d = ahead
        else:
            at = other
            d = d - turn if d >= turn else d - turn + SIDES
        if at == tile and d == side:
            return 0
        if (sides_of(rules, state, at, _ROAD) >> d) & 1 != 0:
            return at


# ---- Bjarmia --------------------------------------------------------------------------------------------------------


@kernel
def reaches_bjarmia(rules, state, p):
    """Return whether the colour stands in connected villages of all four types (BLOOD-BJAR-01, -02)."""
    for village in range(1, 4):
        if (state.army[p, 0] & rules.village_set[village, 0]) | (state.army[p, 1] & rules.village_set[village, 1]) == 0:
            return False
    rest0, rest1 = state.army[p, 0] & rules.village_set[0, 0], state.army[p, 1] & rules.village_set[0, 1]
    while rest0 | rest1 != 0:
        start = lowest(rest0) if rest0 != 0 else PER_WORD + lowest(rest1)
        w0, w1 = country_of(rules, state, start, p)
        if holds_all_types(rules, w0 & state.army[p, 0], w1 & state.army[p, 1]):
            return True
        rest0 &= ~w0
        rest1 &= ~w1
    return False


@kernel
def holds_all_types(rules, w0, w1):
    for village in range(4):
        if (w0 & rules.village_set[village, 0]) | (w1 & rules.village_set[village, 1]) == 0:
            return False
    return True


@kernel
def country_of(rules, state, tile, p):
    """Return the set of usable tiles connected with a usable tile, itself included."""
    usable0 = ~(rivals(rules, state, p, LOW) & ~state.army[p, 0])
    usable1 = ~(rivals(rules, state, p, HIGH) & ~state.army[p, 1])
    todo0, todo1 = low_bit(tile), high_bit(tile)
    seen0, seen1 = todo0, todo1
    while todo0 | todo1 != 0:
        if todo0 != 0:
            at = lowest(todo0)
            todo0 &= todo0 - 1
        else:
            at = PER_WORD + lowest(todo1)
            todo1 &= todo1 - 1
        links = links_for(state, at, p)
        sides = ((links >> OPEN_LINK) | (links >> FOREST_LINK) | (links >> LAKE_LINK)) & ALL_SIDES
        near0, near1 = neighbours(state, at, sides)
        near0 &= usable0 & ~seen0
        near1 &= usable1 & ~seen1
        todo0 |= near0
        todo1 |= near1
        seen0 |= near0
        seen1 |= near1
    return seen0, seen1
