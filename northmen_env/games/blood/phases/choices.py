"""Lists of legal actions that several decision points share."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import CELL, TILE
from northmen_env.games.blood.tilesets import PER_WORD, WORDS


@kernel
def several(w0, w1):
    """Return whether a set has at least two members."""
    return (w0 != 0 and w1 != 0) or w0 & (w0 - 1) != 0 or w1 & (w1 - 1) != 0


@kernel
def any_of(w0, w1):
    """Return the lowest member of a set, which must not be empty."""
    return lowest(w0) if w0 != 0 else PER_WORD + lowest(w1)


@kernel
def list_tiles(words, ids, n):
    """Append `TILE t` for each tile of a set; return the new length."""
    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            ids[n] = TILE + PER_WORD * w + lowest(rest)
            rest &= rest - 1
            n += 1
    return n


@kernel
def list_cells(state, w0, w1, ids, n):
    """Append `CELL c` for the cell of each tile of a set, ascending; return the new length."""
    start = n
    for w in range(WORDS):
        rest = w0 if w == 0 else w1
        while rest != 0:
            action = CELL + np.int64(state.cell[PER_WORD * w + lowest(rest)])
            rest &= rest - 1
            at = n
            while at > start and ids[at - 1] > action:
                ids[at] = ids[at - 1]
                at -= 1
            ids[at] = action
            n += 1
    return n


@kernel
def tile_on(state, action):
    """Return the tile on the cell of a `CELL` action."""
    return np.int64(state.grid[action - CELL])


@kernel
def decider(rules, p):
    """Return the seat that decides for a colour: in solo the player, for the bandits too (BLOOD-SOLO-04)."""
    return 0 if rules.solo != 0 else p


@kernel
def seat_of(rules, p):
    """Return the seat of a colour as events name it: the bandits are nobody."""
    return -1 if rules.solo != 0 and p == 1 else p
