"""The tile stack, top last, and small sorted hands of tiles."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.engine.random import shuffle, stream
from northmen_env.games.northgard.amounts import ZERO
from northmen_env.games.northgard.state import HAND_TILES
from northmen_env.games.northgard.tables import SEATS, TILES

# Purpose of random draws: owner 0, occurrence = number of the shuffle of the stack, item = tile.
PURPOSE_TILES = np.int64(4)
COUNTER = SEATS
"""Place in `state.shuffles`."""


@kernel
def draw_tile(state):
    """Take the top tile of the stack, which must not be empty."""
    at = np.int64(state.stack_size) - 1
    tile = np.int64(state.stack[at])
    state.stack[at] = 0
    state.stack_known[at] = 0
    state.stack_size = at
    return tile


@kernel
def put_under(state, tile, mask):
    """Put a tile under the stack, known there to the seats of the mask."""
    size = np.int64(state.stack_size)
    for i in range(size, 0, -1):
        state.stack[i] = state.stack[i - 1]
        state.stack_known[i] = state.stack_known[i - 1]
    state.stack[0] = tile
    state.stack_known[0] = mask
    state.stack_size = size + 1


@kernel
def shuffle_stack(state):
    """Shuffle the stack; nobody knows where a tile is."""
    size = np.int64(state.stack_size)
    items = np.empty(TILES, np.int16)
    for i in range(size):
        items[i] = state.stack[i]
    shuffle(stream(state.seed, PURPOSE_TILES, ZERO, np.int64(state.shuffles[COUNTER])), items, size)
    state.shuffles[COUNTER] += 1
    for i in range(size):
        state.stack[size - 1 - i] = items[i]
        state.stack_known[i] = 0


@kernel
def insert_tile(tiles, tile):
    """Put a tile into a sorted hand of up to three, -1 beyond."""
    i = HAND_TILES - 1
    while i > 0 and (tiles[i - 1] < 0 or tiles[i - 1] > tile):
        tiles[i] = tiles[i - 1]
        i -= 1
    tiles[i] = tile


@kernel
def take_tile_out(tiles, tile):
    """Take a tile out of a sorted hand that holds it."""
    i = 0
    while tiles[i] != tile:
        i += 1
    for j in range(i, HAND_TILES - 1):
        tiles[j] = tiles[j + 1]
    tiles[HAND_TILES - 1] = -1
