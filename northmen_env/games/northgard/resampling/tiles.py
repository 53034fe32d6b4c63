"""Tiles that lie not on the map dealt anew: stack, setup hands, drawn and chosen tiles (NORTH-INFO-02, -05, -06)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw, mix, shuffle
from northmen_env.games.northgard.amounts import ZERO
from northmen_env.games.northgard.phases.stack import insert_tile
from northmen_env.games.northgard.state import HAND_TILES, Phase
from northmen_env.games.northgard.tables import TILES

_CHOICE = TILES
"""Stream of the chosen tile, beside those of the tiles."""


@kernel
def deal_tiles(rules, state, player, key):
    """Deal the tiles that `player` does not know to the places where it does not know them."""
    hidden = np.empty(TILES, np.int16)
    number = list_hidden(rules, state, player, hidden)
    shuffle(key, hidden, number)
    at = ZERO
    if state.turn >= 0 and state.turn != player:
        if state.tile >= 0 and state.phase != Phase.SETUP:
            state.tile = hidden[at]
            at += 1
        at = refill(state.drawn_tile, hidden, at)
    if state.phase == Phase.SETUP:
        for q in range(np.int64(rules.num_players)):
            if q != player:
                at = refill(state.tile_hand[q], hidden, at)
        if state.tile >= 0 and state.turn != player:
            choose_tile(state, mix(key, _CHOICE))
    for i in range(np.int64(state.stack_size)):
        if (np.int64(state.stack_known[i]) >> player) & 1 == 0:
            state.stack[i] = hidden[at]
            at += 1


@kernel
def list_hidden(rules, state, player, hidden):
    """Write the tiles that a seat does not know the place of into `hidden`; return how many."""
    number = ZERO
    for i in range(np.int64(state.stack_size)):
        if (np.int64(state.stack_known[i]) >> player) & 1 == 0:
            hidden[number] = state.stack[i]
            number += 1
    if state.turn >= 0 and state.turn != player:
        if state.tile >= 0 and state.phase != Phase.SETUP:
            hidden[number] = state.tile
            number += 1
        number = append(state.drawn_tile, hidden, number)
    if state.phase == Phase.SETUP:
        for q in range(np.int64(rules.num_players)):
            if q != player:
                number = append(state.tile_hand[q], hidden, number)
    return number


@kernel
def append(tiles, hidden, number):
    """Append a hand of tiles to a list; return its new length."""
    for i in range(HAND_TILES):
        if tiles[i] >= 0:
            hidden[number] = tiles[i]
            number += 1
    return number


@kernel
def refill(tiles, hidden, at):
    """Replace the tiles of a hand by hidden ones; return the next of them."""
    size = 0
    for i in range(HAND_TILES):
        if tiles[i] >= 0:
            size += 1
            tiles[i] = -1
    for i in range(size):
        insert_tile(tiles, hidden[at + i])
    return at + size


@kernel
def choose_tile(state, key):
    """Setup: any tile of the turn player's hand is the chosen one."""
    p, size = np.int64(state.turn), ZERO
    while size < HAND_TILES and state.tile_hand[p, size] >= 0:
        size += 1
    state.tile = state.tile_hand[p, below(draw(key, ZERO), size)]
