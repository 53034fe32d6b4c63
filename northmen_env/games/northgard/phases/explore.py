"""EXPLORE (NORTH-EXPL): draw tiles, place one, take what its closing gives.

The frame EXPLORE goes on at one step only: a creature that appeared has acted; next is EX_AGAIN.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CELL, DONE, PICK, ROT, YES, Event
from northmen_env.games.northgard.amounts import LORE, NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import NAMES, cell_x, cell_y, lay_tile
from northmen_env.games.northgard.card_table import ExploreBit
from northmen_env.games.northgard.goods import add_fame, collect, gain
from northmen_env.games.northgard.laying import allows, can_lay, reach_word
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.lairs import place_creature, reveal
from northmen_env.games.northgard.phases.roaming import act
from northmen_env.games.northgard.phases.stack import draw_tile, insert_tile, put_under
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import has
from northmen_env.games.northgard.state import HAND_TILES, Decision, Frame
from northmen_env.games.northgard.tables import RESOURCES, TILES

_REDRAW, _TILE_ICONS = int(ExploreBit.REDRAW), int(ExploreBit.TILE_ICONS)


@kernel
def can_explore(rules, state, p, row):
    """P: a tile in the stack and a cell that may be explored (NORTH-EXPL-01)."""
    if state.stack_size == 0:
        return False
    fl = np.int64(rules.card_fl[row])
    w0, w1 = reach_word(state, p, fl, ZERO), reach_word(state, p, fl, ONE)
    if rules.map_size > TILES:
        return (w0 & state.open_land[0]) | (w1 & state.open_land[1]) != 0
    for w in range(3):
        rest = np.int64(state.front[w])
        while rest != 0:
            if allows(rules, state, NAMES * w + lowest(rest), w0, w1):
                return True
            rest &= rest - 1
    return False


@kernel
def begin_explore(rules, state, row):
    push(state, Frame.EXPLORE, row)
    state.left = np.int64(rules.card_b[row]) - 1
    return start_explore(rules, state)


@kernel
def start_explore(rules, state):
    """Draw the tiles of one explore (NORTH-EXPL-02)."""
    p = np.int64(state.turn)
    held = np.int64(state.stack_size)
    for _ in range(min(np.int64(rules.card_a[top_row(state)]), held)):
        take_tile(rules, state, p)
    return find_placeable(rules, state, held)


@kernel
def take_tile(rules, state, p):
    """Draw a tile into the frame; only the actor sees it."""
    tile = draw_tile(state)
    insert_tile(state.drawn_tile, tile)
    emit_to(rules, state, p, Event.TILE, p, tile, NOTHING)


@kernel
def drawn_count(state):
    n = 0
    while n < HAND_TILES and state.drawn_tile[n] >= 0:
        n += 1
    return n


@kernel
def find_placeable(rules, state, held):
    """Draw anew until a tile can be placed, at most `held` tiles in all (NORTH-EXPL-03); then go on with these."""
    p, vain = np.int64(state.turn), 0
    while not any_placeable(rules, state):
        n = drawn_count(state)
        vain += n
        for i in range(n):
            tile = np.int64(state.drawn_tile[i])
            state.drawn_tile[i] = -1
            put_under(state, tile, (1 << np.int64(rules.num_players)) - 1)
            emit(rules, state, Event.SHOWN, p, tile, NOTHING)
        if vain >= held:
            return after_explore(rules, state)
        take_tile(rules, state, p)
    fl = np.int64(rules.card_fl[top_row(state)])
    if fl & _REDRAW != 0 and state.redrawn == 0 and state.stack_size > 0:
        ask(state, p, Decision.EX_REDRAW)
    else:
        ask(state, p, Decision.EX_PICK)
    return Stage.OFFERED


@kernel
def any_placeable(rules, state):
    for i in range(drawn_count(state)):
        if can_lay(rules, state, np.int64(state.drawn_tile[i])):
            return True
    return False


@kernel
def put_back(rules, state):
    """Put the drawn tiles under the stack unseen, by ascending id."""
    p = np.int64(state.turn)
    for i in range(drawn_count(state)):
        tile = np.int64(state.drawn_tile[i])
        state.drawn_tile[i] = -1
        put_under(state, tile, 1 << p)
        emit_to(rules, state, p, Event.UNDER, p, tile, NOTHING)


# EX_REDRAW, EX_PICK --------------------------------------------------------------------------------------------------


@kernel
def answer_redraw(rules, state, action):
    """YES draws one new tile in place of those drawn (NORTH-EXPL-04)."""
    if action == DONE:
        ask(state, np.int64(state.turn), Decision.EX_PICK)
        return Stage.OFFERED
    state.redrawn = 1
    put_back(rules, state)
    held = np.int64(state.stack_size)
    take_tile(rules, state, np.int64(state.turn))
    return find_placeable(rules, state, held)


@kernel
def list_drawn(rules, state, ids):
    """EX_PICK."""
    n = 0
    for i in range(drawn_count(state)):
        if can_lay(rules, state, np.int64(state.drawn_tile[i])):
            ids[n] = PICK + i
            n += 1
    return n


@kernel
def answer_drawn(rules, state, action):
    """The chosen tile stays; with bit TILE_ICONS its resources are gained at once (NORTH-EXPL-05)."""
    p, tile = np.int64(state.turn), np.int64(state.drawn_tile[action - PICK])
    for i in range(action - PICK, HAND_TILES - 1):
        state.drawn_tile[i] = state.drawn_tile[i + 1]
    state.drawn_tile[HAND_TILES - 1] = -1
    put_back(rules, state)
    state.tile = tile
    if rules.card_fl[top_row(state)] & _TILE_ICONS != 0:
        for r in range(RESOURCES):
            gain(rules, state, p, r, np.int64(rules.tile_total[tile, r]))
    ask(state, p, Decision.EX_CELL)
    return Stage.OFFERED


@kernel
def answer_explore_cell(rules, state, action):
    state.cell = action - CELL
    ask(state, np.int64(state.turn), Decision.EX_ROT)
    return Stage.OFFERED


# The placement (NORTH-EXPL-09) ---------------------------------------------------------------------------------------


@kernel
def lay_chosen(rules, state, turn):
    """Lay `state.tile` on `state.cell`, in setup, by an Explore or in a second chance."""
    p, tile, name = np.int64(state.turn), np.int64(state.tile), np.int64(state.cell)
    emit(rules, state, Event.LAY, p, tile, name)
    emit(rules, state, Event.TURN_TILE, p, tile, turn)
    lay_tile(rules, state, tile, cell_x(state, name), cell_y(state, name), turn)
    state.tile = -1
    state.cell = -1


@kernel
def answer_explore_turn(rules, state, action):
    p, tile = np.int64(state.turn), np.int64(state.tile)
    lay_chosen(rules, state, action - ROT)
    close_lands(rules, state, p)
    return wake_lair(rules, state, tile)


@kernel
def close_lands(rules, state, p):
    """Give the actor what the newly closed territories bring (NORTH-EXPL-10, NORTH-CLAN-06, -08, -14)."""
    first, closed = np.int64(state.plot_base[state.tiles - 1]), False
    clan = np.int64(state.clan[p])
    for t in range(np.int64(state.plots)):
        if not closes(state, t, first):
            continue
        closed = True
        emit(rules, state, Event.CLOSE, p, np.int64(state.slot[t]), np.int64(state.extent[t]))
        if has(state.owned[p], t):
            add_fame(rules, state, p, np.int64(state.extent[t]))
            if clan == Clan.STAG:
                add_fame(rules, state, p, ONE)
            elif clan == Clan.RAVEN:
                collect(rules, state, p, t)
    if not closed and clan == Clan.BOAR:
        gain(rules, state, p, LORE, ONE)


@kernel
def closes(state, t, first):
    """Return whether `t` is a closed territory with a plot from `first` on, the areas of the tile laid last."""
    if state.root[t] != t or has(state.open_land, t):
        return False
    for plot in range(first, np.int64(state.plots)):
        if state.root[plot] == t:
            return True
    return False


@kernel
def wake_lair(rules, state, tile):
    """With the creatures module a lair on the new tile brings a creature, which acts at once (NORTH-CRE-07)."""
    area = np.int64(rules.tile_lair[tile])
    if rules.creatures == 0 or area < 0:
        return Stage.RESUME
    creature = reveal(rules, state)
    if creature < 0:
        return Stage.RESUME
    t = np.int64(state.root[np.int64(state.plot_base[state.tiles - 1]) + area])
    place_creature(rules, state, creature, t)
    return act(rules, state, creature)


# EX_AGAIN ------------------------------------------------------------------------------------------------------------


@kernel
def go_on_explore(rules, state):
    return after_explore(rules, state)


@kernel
def after_explore(rules, state):
    """Offer another explore (NORTH-EXPL-13)."""
    p = np.int64(state.turn)
    state.redrawn = 0
    if state.left > 0 and can_explore(rules, state, p, top_row(state)):
        ask(state, p, Decision.EX_AGAIN)
        return Stage.OFFERED
    state.left = 0
    pop(state)
    return Stage.RESUME


@kernel
def answer_again(rules, state, action):
    if action == YES:
        state.left -= 1
        return start_explore(rules, state)
    state.left = 0
    pop(state)
    return Stage.RESUME
