"""Bandits that are put on the map: PLACE and EACH, additions after a battle; TARGET (B1) and SOURCE (B2)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import FROM_SETTLEMENT, Event
from northmen_env.games.blood.amounts import BANDITS, HIGH, LOW, NOTHING, ONE, PLAYER, ZERO
from northmen_env.games.blood.bandit_table import Where
from northmen_env.games.blood.board import put_warbands, sides_of, take_warbands
from northmen_env.games.blood.phases.battles import begin_points
from northmen_env.games.blood.phases.choices import any_of, list_cells, several, tile_on
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import high_bit, low_bit
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, clear, exclude, include

# ---- PLACE and EACH -------------------------------------------------------------------------------------------------


@kernel
def suits(rules, state, tile, what):
    """Return whether a tile of the map is what a PLACE or EACH asks for."""
    if what == Where.VILLAGE:
        return rules.village[tile] >= 0
    if what == Where.EMPTY:
        return state.warbands[tile, PLAYER] == 0 and state.warbands[tile, BANDITS] == 0
    if what == Where.MOUNTAIN:
        return sides_of(rules, state, tile, Side.MOUNTAIN.value) != 0
    if what == Where.LAKE:
        return sides_of(rules, state, tile, Side.LAKE.value) != 0
    if what == Where.ROAD:
        return sides_of(rules, state, tile, Side.ROAD.value) != 0
    if what == Where.FOREST:
        return sides_of(rules, state, tile, Side.FOREST.value) != 0
    if what == Where.WARBAND:
        return state.warbands[tile, PLAYER] > 0
    if what == Where.JUSTPLACED:
        return tile == state.laid
    return True


@kernel
def eligible(rules, state, what, w):
    """Return word `w` of the set of tiles that suit."""
    found, rest = 0, state.on_map[w]
    while rest != 0:
        bit = rest & -rest
        if suits(rules, state, PER_WORD * w + lowest(rest), what):
            found |= bit
        rest &= rest - 1
    return found


@kernel
def begin_place(rules, state, what, number):
    """PLACE: choose one tile for all bandits (B1), or nothing where none is eligible."""
    w0, w1 = eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH)
    if w0 | w1 == 0:
        return Stage.EFFECT
    state.left = number
    if several(w0, w1):
        state.decision = Decision.B1
        return Stage.OFFERED
    state.target = any_of(w0, w1)
    return Stage.PLACING


@kernel
def legal_target(rules, state, ids):
    """B1: the tiles that suit a PLACE, or that an EACH has still to serve."""
    if state.left > 0:
        what = np.int64(rules.effect_what[state.card, state.effect - 1])
        return list_cells(state, eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH), ids, ZERO)
    return list_cells(state, servable(state, LOW), servable(state, HIGH), ids, ZERO)


@kernel
def choose_target(rules, state, action):
    state.target = tile_on(state, action)
    return Stage.PLACING if state.left > 0 else serve(rules, state)


@kernel
def begin_each(rules, state, what):
    """EACH: at once where the supply covers all tiles."""
    w0, w1 = eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH)
    if count(w0) + count(w1) > state.settlement[BANDITS]:
        state.remaining[0] = w0
        state.remaining[1] = w1
        return Stage.SERVING
    for w in range(WORDS):
        rest = w0 if w == 0 else w1
        while rest != 0:
            put_bandit(rules, state, PER_WORD * w + lowest(rest), FROM_SETTLEMENT)
            rest &= rest - 1
    return Stage.EFFECT


@kernel
def put_bandit(rules, state, tile, source):
    """Put a bandit on a tile, from the supply or from another tile."""
    if source == FROM_SETTLEMENT:
        state.settlement[BANDITS] -= 1
    else:
        take_warbands(state, BANDITS, source, ONE)
    put_warbands(state, BANDITS, tile, ONE)
    emit(rules, state, Event.PLACE, NOTHING, tile, source)


@kernel
def place_on(rules, state):
    """Put the bandits of a PLACE one by one (BLOOD-SOLO-07): those placed lie on the target, never a source."""
    tile = np.int64(state.target)
    while state.left > 0:
        if state.settlement[BANDITS] > 0:
            source = FROM_SETTLEMENT
        else:
            w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
            if w0 | w1 == 0:
                break
            if several(w0, w1):
                state.decision = Decision.B2
                return Stage.OFFERED
            source = any_of(w0, w1)
        put_bandit(rules, state, tile, source)
        state.left -= 1
    state.left = 0
    state.target = 0
    return Stage.EFFECT


@kernel
def sources(state, target, w):
    """Return word `w` of the tiles from which a bandit may come, but for those that an EACH has just put there."""
    found = state.army[BANDITS, w] & ~(low_bit(target) if w == 0 else high_bit(target))
    rest = found & state.served[w]
    while rest != 0:
        if state.warbands[PER_WORD * w + lowest(rest), BANDITS] == 1:
            found &= ~(rest & -rest)
        rest &= rest - 1
    return found


@kernel
def servable(state, w):
    """Return word `w` of the remaining tiles of an EACH that can get a bandit."""
    if state.settlement[BANDITS] > 0:
        return np.int64(state.remaining[w])
    found, rest = 0, state.remaining[w]
    while rest != 0:
        tile = PER_WORD * w + lowest(rest)
        if sources(state, tile, LOW) | sources(state, tile, HIGH) != 0:
            found |= rest & -rest
        rest &= rest - 1
    return found


@kernel
def next_served(rules, state):
    """Choose the next tile of an EACH (B1)."""
    w0, w1 = servable(state, LOW), servable(state, HIGH)
    if w0 | w1 == 0:
        clear(state.remaining)
        clear(state.served)
        return Stage.EFFECT
    if several(w0, w1):
        state.decision = Decision.B1
        return Stage.OFFERED
    state.target = any_of(w0, w1)
    return serve(rules, state)


@kernel
def serve(rules, state):
    """Choose the bandit for the tile of an EACH (B2)."""
    tile = np.int64(state.target)
    if state.settlement[BANDITS] > 0:
        return serve_from(rules, state, FROM_SETTLEMENT)
    w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
    if several(w0, w1):
        state.decision = Decision.B2
        return Stage.OFFERED
    return serve_from(rules, state, any_of(w0, w1))


@kernel
def serve_from(rules, state, source):
    tile = np.int64(state.target)
    put_bandit(rules, state, tile, source)
    exclude(state.remaining, tile)
    include(state.served, tile)
    state.target = 0
    return Stage.SERVING


# B2 SOURCE -----------------------------------------------------------------------------------------------------------


@kernel
def legal_bandit(rules, state, ids):
    """Tiles from which the next bandit may come: of a battle's addition, a PLACE or an EACH."""
    target = np.int64(state.battle_tile if state.battle_tile > 0 else state.target)
    return list_cells(state, sources(state, target, LOW), sources(state, target, HIGH), ids, ZERO)


@kernel
def choose_bandit(rules, state, action):
    source = tile_on(state, action)
    if state.battle_tile > 0:
        put_bandit(rules, state, np.int64(state.battle_tile), source)
        state.battle_add -= 1
        return Stage.ADDING
    if state.left == 0:
        return serve_from(rules, state, source)
    put_bandit(rules, state, np.int64(state.target), source)
    state.left -= 1
    return Stage.PLACING


@kernel
def add_bandits(rules, state):
    """The bandits' additions after a battle that they alone have won (BLOOD-SOLO-09)."""
    tile = np.int64(state.battle_tile)
    while state.battle_add > 0:
        if state.settlement[BANDITS] > 0:
            source = FROM_SETTLEMENT
        else:
            w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
            if w0 | w1 == 0:
                break
            if several(w0, w1):
                state.player = PLAYER
                state.decision = Decision.B2
                return Stage.OFFERED
            source = any_of(w0, w1)
        put_bandit(rules, state, tile, source)
        state.battle_add -= 1
    state.battle_add = 0
    return begin_points(state)
