"""Places and scales of the observation's blocks, and helpers to write them."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import OBSERVATION

YES = np.float32(1.0)


def starts(*names: str) -> tuple[np.int64, ...]:
    """Return where some blocks begin."""
    return tuple(np.int64(OBSERVATION[name].start) for name in names)


def scale(name: str) -> np.float32:
    """Return the float32 constant that a block's integers are multiplied with."""
    return np.float32(OBSERVATION[name].scale)


PER_SLOT, PER_CARD, PER_TILE, PER_SEAT = map(scale, ("pointers", "card", "tile_id", "card_seat"))


@kernel
def relative(player, seat, n):
    """Return the place of `seat` counted clockwise from `player`."""
    return seat - player if seat >= player else seat - player + n


@kernel
def put_seat(out, base, player, seat, n):
    """Write a seat, -1 for none, as one of the columns from `base` on."""
    if seat >= 0:
        out[base + (seat - player if seat >= player else seat - player + n)] = YES


@kernel
def put_choice(out, base, choice):
    """Write a number, -1 for none, as one of the columns from `base` on."""
    if choice >= 0:
        out[base + choice] = YES


@kernel
def put_index(out, base, number, unit):
    """Write a number plus one; -1 says none."""
    out[base] = np.float32(number + 1) * unit


@kernel
def put_terr(state, out, base, t):
    """Write a territory, -1 for none, by its canonical id."""
    if t >= 0:
        out[base] = np.float32(np.int64(state.slot[t]) + 1) * PER_SLOT
