"""Tiles between pile, hands, prepared tiles and discard pile."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.tables import TILES
from northmen_env.games.blood.tilesets import exclude, include


@kernel
def pile_left(state):
    """Return how many tiles lie in the pile."""
    return TILES - np.int64(state.pile_top)


@kernel
def take_top(state):
    """Take the top tile of the pile, 0 where it is empty."""
    top = np.int64(state.pile_top)
    if top == TILES:
        return 0
    tile = np.int64(state.pile[top])
    state.pile[top] = 0
    state.pile_top = top + 1
    return tile


@kernel
def into_hand(state, p, tile):
    """Put a tile into a hand."""
    include(state.hand[p], tile)
    state.hand_size[p] += 1


@kernel
def out_of_hand(state, p, tile):
    """Take a tile out of a hand for all to see (BLOOD-INFO-03)."""
    exclude(state.hand[p], tile)
    exclude(state.held[p], tile)
    state.hand_size[p] -= 1
