"""The second chance of a player without figures (NORTH-EOY-04 … -06).

The frame SECOND goes on at one of these steps:

    LOOKING  is there a neutral territory, or a tile to place
    PLACED   the tile lies and its creature has acted; next is the group
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CELL, DONE, ROT, YES, Event
from northmen_env.games.northgard.amounts import GROUP, NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import list_terr, neutral_word, put_kaija, put_units, terr_of
from northmen_env.games.northgard.laying import can_lay
from northmen_env.games.northgard.phases.explore import lay_chosen, wake_lair
from northmen_env.games.northgard.phases.frames import ask, pop, set_step, top_step
from northmen_env.games.northgard.phases.recruit import kaija_waits
from northmen_env.games.northgard.phases.stack import draw_tile, put_under
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import bit_of
from northmen_env.games.northgard.state import Decision

LOOKING, PLACED = np.int64(0), np.int64(1)


@kernel
def free_word(state, w):
    """Return a word of the set of neutral territories without a Fallen Valkyrie."""
    return neutral_word(state, w) & ~np.int64(state.valkyries[w])


@kernel
def new_word(state, w):
    """Return a word of the set of territories with an area on the tile laid last."""
    found = np.int64(0)
    for plot in range(np.int64(state.plot_base[state.tiles - 1]), np.int64(state.plots)):
        found |= bit_of(np.int64(state.root[plot]), w)
    return found


@kernel
def list_group_places(state, ids, n):
    """Append TERR for the territories of the new tile without figures, one with a Fallen Valkyrie only if all have one.

    NORTH-SETUP-16, NORTH-EOY-06.
    """
    w0, w1 = neutral_word(state, ZERO) & new_word(state, ZERO), neutral_word(state, ONE) & new_word(state, ONE)
    calm0, calm1 = w0 & ~np.int64(state.valkyries[0]), w1 & ~np.int64(state.valkyries[1])
    if calm0 | calm1 != 0:
        return list_terr(state, calm0, calm1, ids, n)
    return list_terr(state, w0, w1, ids, n)


@kernel
def put_group(rules, state, p, t, kaija):
    """Put three units, or with `kaija` = 1 two and Kaija, into a territory."""
    units = GROUP - kaija
    put_units(state, p, t, units)
    emit(rules, state, Event.UNITS, p, np.int64(state.slot[t]), units)
    if kaija != 0:
        put_kaija(state, t)
        emit(rules, state, Event.KAIJA, p, np.int64(state.slot[t]), NOTHING)


@kernel
def go_on_second(rules, state):
    p = np.int64(state.turn)
    if top_step(state) == LOOKING and free_word(state, ZERO) | free_word(state, ONE) == 0:
        return find_tile(rules, state)
    ask(state, p, Decision.SC_TERR)
    return Stage.OFFERED


@kernel
def find_tile(rules, state):
    """Find the top tile of the stack that can be placed; others are shown and go under the stack (NORTH-EOY-06)."""
    p = np.int64(state.turn)
    for _ in range(np.int64(state.stack_size)):
        tile = draw_tile(state)
        if can_lay(rules, state, tile):
            state.tile = tile
            ask(state, p, Decision.SC_CELL)
            return Stage.OFFERED
        put_under(state, tile, (1 << np.int64(rules.num_players)) - 1)
        emit(rules, state, Event.SHOWN, p, tile, NOTHING)
    return end_second(state)


@kernel
def answer_second_cell(rules, state, action):
    state.cell = action - CELL
    ask(state, np.int64(state.turn), Decision.SC_ROT)
    return Stage.OFFERED


@kernel
def answer_second_turn(rules, state, action):
    tile = np.int64(state.tile)
    lay_chosen(rules, state, action - ROT)
    state.second_placed = 1
    set_step(state, PLACED)
    return wake_lair(rules, state, tile)


@kernel
def list_second(rules, state, ids):
    """SC_TERR."""
    ids[0] = DONE
    if top_step(state) == PLACED:
        return list_group_places(state, ids, ONE)
    return list_terr(state, free_word(state, ZERO), free_word(state, ONE), ids, ONE)


@kernel
def answer_second(rules, state, action):
    p = np.int64(state.turn)
    if action == DONE:
        return end_second(state)
    state.place = terr_of(state, action)
    if kaija_waits(state, p):
        ask(state, p, Decision.SC_KAIJA)
        return Stage.OFFERED
    put_group(rules, state, p, np.int64(state.place), ZERO)
    return end_second(state)


@kernel
def answer_second_kaija(rules, state, action):
    put_group(rules, state, np.int64(state.turn), np.int64(state.place), ONE if action == YES else ZERO)
    return end_second(state)


@kernel
def end_second(state):
    state.second_placed = 0
    state.place = -1
    pop(state)
    return Stage.SECOND
