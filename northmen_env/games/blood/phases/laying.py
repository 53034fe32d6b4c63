"""Adding a tile: TILE (D01), REVEALED (D02), CELL (D03), ROTATION (D04)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit, emit_secret
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import CELL, DO, PASS, PILE, ROT, TILE, Event
from northmen_env.games.blood.amounts import NOTHING, ZERO
from northmen_env.games.blood.board import (
    failing_side,
    fits,
    fits_somehow,
    fits_somewhere,
    front_at,
    put_tile,
    room_at,
)
from northmen_env.games.blood.phases.citadels import can_citadel
from northmen_env.games.blood.phases.piles import into_hand, out_of_hand, take_top
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, include


@kernel
def begin_turn(rules, state):
    """Offer D01, or reveal the top of the pile where no hand tile can be laid (BLOOD-CORNER-01)."""
    p = np.int64(state.active)
    state.player = p
    emit(rules, state, Event.TURN, p, NOTHING, NOTHING)
    breaches = can_citadel(rules, state, p)
    for w in range(WORDS):
        rest = state.hand[p, w]
        while rest != 0:
            if fits_somewhere(rules, state, PER_WORD * w + lowest(rest), breaches):
                state.decision = Decision.D01
                return Stage.OFFERED
            rest &= rest - 1
    return reveal(rules, state)


# D01 TILE ------------------------------------------------------------------------------------------------------------


@kernel
def legal_tile(rules, state, ids):
    """The pile, and every hand tile with a legal placement."""
    p = np.int64(state.player)
    breaches = can_citadel(rules, state, p)
    ids[0] = PILE
    n = 1
    for w in range(WORDS):
        rest = state.hand[p, w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if fits_somewhere(rules, state, tile, breaches):
                ids[n] = TILE + tile
                n += 1
    return n


@kernel
def choose_tile(rules, state, action):
    if action == PILE:
        return reveal(rules, state)
    tile = action - TILE
    out_of_hand(state, np.int64(state.player), tile)
    state.placing_tile = tile
    emit(rules, state, Event.CHOOSE, np.int64(state.player), tile, NOTHING)
    return Stage.CELL


# D02 REVEALED --------------------------------------------------------------------------------------------------------


@kernel
def reveal(rules, state):
    """Turn the top tile of the pile up (BLOOD-REVEAL-01); a turn never starts without one (BLOOD-END-03)."""
    p = np.int64(state.player)
    tile = take_top(state)
    state.placing_tile = tile
    emit(rules, state, Event.REVEAL, p, tile, NOTHING)
    if fits_somewhere(rules, state, tile, can_citadel(rules, state, p)):
        state.decision = Decision.D02
        return Stage.OFFERED
    return refuse(rules, state)


@kernel
def legal_revealed(rules, state, ids):
    ids[0] = PASS
    ids[1] = DO
    return 2


@kernel
def judge_revealed(rules, state, action):
    return Stage.CELL if action == DO else refuse(rules, state)


@kernel
def refuse(rules, state):
    """Discard the revealed tile and take the next one unseen; the turn ends (BLOOD-REVEAL-03)."""
    p = np.int64(state.player)
    tile = np.int64(state.placing_tile)
    state.placing_tile = 0
    include(state.discard, tile)
    emit(rules, state, Event.REFUSE, p, tile, NOTHING)
    taken = take_top(state)
    if taken != 0:
        into_hand(state, p, taken)
        emit_secret(rules, state, Event.TAKE, p, taken, NOTHING)
    return Stage.END_TURN


# D03 CELL ------------------------------------------------------------------------------------------------------------


@kernel
def offer_cell(rules, state):
    """Offer the cells where the chosen tile fits, or take the only one."""
    if state.map_size == 0:
        half = np.int64(rules.grid_size) // 2
        return lay(rules, state, half * np.int64(rules.grid_size) + half, ZERO)  # BLOOD-HEX-06
    tile = np.int64(state.placing_tile)
    breaches = can_citadel(rules, state, np.int64(state.player))
    found = -1
    for i in range(np.int64(state.front_size)):
        if room_at(rules, state, i) and fits_somehow(rules, state, tile, i, breaches):
            if found >= 0:
                state.decision = Decision.D03
                return Stage.OFFERED
            found = i
    return offer_rotation(rules, state, np.int64(state.front_cell[found]))


@kernel
def legal_cell(rules, state, ids):
    tile = np.int64(state.placing_tile)
    breaches = can_citadel(rules, state, np.int64(state.player))
    n = 0
    for i in range(np.int64(state.front_size)):
        if room_at(rules, state, i) and fits_somehow(rules, state, tile, i, breaches):
            ids[n] = CELL + np.int64(state.front_cell[i])
            n += 1
    return n


@kernel
def choose_cell(rules, state, action):
    return offer_rotation(rules, state, action - CELL)


# D04 ROTATION --------------------------------------------------------------------------------------------------------


@kernel
def rotations_at(rules, state, cell):
    """Return the bit set of the legal rotations of the chosen tile on a cell."""
    tile, i = np.int64(state.placing_tile), front_at(state, cell)
    breaches = can_citadel(rules, state, np.int64(state.player))
    found = 0
    for rotation in range(np.int64(rules.period[tile])):
        if fits(rules, state, tile, rotation, i, breaches):
            found |= 1 << rotation
    return found


@kernel
def offer_rotation(rules, state, cell):
    found = rotations_at(rules, state, cell)
    if found & (found - 1) == 0:
        return lay(rules, state, cell, lowest(found))
    state.placing_cell = cell
    state.decision = Decision.D04
    return Stage.OFFERED


@kernel
def legal_rotation(rules, state, ids):
    rest = rotations_at(rules, state, np.int64(state.placing_cell))
    n = 0
    while rest != 0:
        ids[n] = ROT + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def choose_rotation(rules, state, action):
    return lay(rules, state, np.int64(state.placing_cell), action - ROT)


@kernel
def lay(rules, state, cell, rotation):
    """Lay the chosen tile; a side that fails to match waits for its citadel (BLOOD-CIT-07)."""
    tile = np.int64(state.placing_tile)
    state.placing_tile = 0
    state.placing_cell = -1
    put_tile(rules, state, tile, cell, rotation)
    state.laid = tile
    emit(rules, state, Event.LAY, np.int64(state.player), tile, cell)
    emit(rules, state, Event.ROTATE, np.int64(state.player), tile, rotation)
    state.breach = failing_side(rules, state, tile)
    return Stage.LAID
