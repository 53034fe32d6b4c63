"""Hex planes and lists of tiles, made from observations when somebody wants them: nothing of this is ever stored.

All functions take one observation `(D,)` or a batch `(..., D)`, as a NumPy array or as a torch tensor, with or without
the blocks that `history` appends, and return the same kind of array on the same device. Places are those of the frame
that `observe` describes: it moves with the map, so that equal maps give equal planes wherever they lie on the torus.

    planes(observation)        (..., 63, 64, 64): channel, then q, then r
    tile_list(observation)     (..., 120, 28): one row for each tile, for attention
    index_map(observation)     (..., 64, 64): the row of the tile on each place, -1 for none
    cell_places(observation)   (..., 4096): the place of each cell of the torus, so of each CELL action

Neighbours of the hex `(q, r)` are `(q, r-1)`, `(q+1, r-1)`, `(q+1, r)`, `(q, r+1)`, `(q-1, r+1)` and `(q-1, r)`: those
of a 3 x 3 window without the corners (-1, -1) and (+1, +1).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from northmen_env.games.blood.blocks import FRAME, OBSERVATION, POINTERS
from northmen_env.games.blood.tables import KINDS, SEATS, SIDES, TILES

_SIDES = ("n", "ne", "se", "s", "sw", "nw")
_LETTERS = ("forest", "lake", "road", "mountain", "empty")
_VILLAGES = ("mead", "silver", "furs", "tusk")
_SEATS = ("own", "next", "second", "third", "fourth")
_LISTED = (
    "tile_place", "tile_held", "tile_revealed", "tile_each", "tile_at", "tile_rotation", "tile_sides", "tile_village",
    "tile_warbands",
)  # fmt: skip

PLANES = (
    "tile",
    *(f"{letter}_{side}" for side in _SIDES for letter in _LETTERS),
    *_VILLAGES,
    *(f"warbands_{seat}" for seat in _SEATS),
    "each",
    *(f"own_citadel_{side}" for side in _SIDES),
    *(f"other_citadel_{side}" for side in _SIDES),
    *POINTERS,
)
"""Names of the channels of `planes`. `warbands_*` hold numbers / 12, `each` 1 or -1, all others 0 or 1."""

TILE_COLUMNS = tuple(
    f"{name.removeprefix('tile_')}_{column}" if column else name.removeprefix("tile_")
    for name in _LISTED
    for column in (OBSERVATION[name].columns or ("",))
)
"""Names of the columns of `tile_list`."""

_FIRST_LETTER = 1
_FIRST_VILLAGE = _FIRST_LETTER + SIDES * KINDS
_FIRST_WARBANDS = _FIRST_VILLAGE + len(_VILLAGES)
_EACH = _FIRST_WARBANDS + SEATS
_FIRST_OWN = _EACH + 1
_FIRST_OTHER = _FIRST_OWN + SIDES
_FIRST_POINTER = _FIRST_OTHER + SIDES

# Steps across n, ne and se, to the other tile of a citadel's side.
_ACROSS = ((0, -1), (1, -1), (1, 0))


class _Like:
    """The few array functions that NumPy and torch name differently."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.torch: Any = None
        if isinstance(array, np.ndarray):
            return
        self.torch = sys.modules.get("torch")  # whoever has a tensor has imported it
        if self.torch is None or not isinstance(array, self.torch.Tensor):
            raise TypeError(f"an observation is a NumPy array or a torch tensor, not {type(array).__name__}")

    def zeros(self, *shape: int) -> Any:
        """Return zeros of the observation's type."""
        return np.zeros(shape, self.array.dtype) if self.torch is None else self.array.new_zeros(shape)

    def whole(self, values: Any) -> Any:
        """Return rounded values as int64."""
        return np.rint(values).astype(np.int64) if self.torch is None else values.round().to(self.torch.int64)

    def none(self, *shape: int) -> Any:
        """Return int64 of -1."""
        if self.torch is None:
            return np.full(shape, -1, np.int64)
        return self.torch.full(shape, -1, dtype=self.torch.int64, device=self.array.device)

    def where(self, flags: Any) -> tuple[Any, ...]:
        """Return the indices of what is true, axis by axis."""
        return np.nonzero(flags) if self.torch is None else flags.nonzero(as_tuple=True)

    def count(self, number: int) -> Any:
        """Return 0, 1, ... as int64."""
        return np.arange(number) if self.torch is None else self.torch.arange(number, device=self.array.device)

    def joined(self, parts: list[Any]) -> Any:
        """Return arrays put together along the last axis."""
        return np.concatenate(parts, -1) if self.torch is None else self.torch.cat(parts, -1)


def planes(observation: Any) -> Any:
    """Return the map as hex planes.

    Args:
        observation: float32 (..., D), D at least `OBSERVATION.size`; NumPy array or torch tensor.

    Returns:
        The same kind of array, (..., len(PLANES), 64, 64), zero where no tile lies; place `(q, r)` of the frame at
        `[..., q, r]`. A citadel stands on both tiles of its side. A pointer (`laid`, `source`, ...) marks one tile.

    Raises:
        TypeError, ValueError: `observation` is no array of observations.
    """
    like, flat, lead = _flat(observation)
    n = len(flat)
    out = like.zeros(n, FRAME, FRAME, len(PLANES))
    rows = _block(flat, "tile_place")[:, :, 0] > 0.5
    game, tile = like.where(rows)
    at = like.whole(_block(flat, "tile_at")[game, tile] * FRAME)
    out[game, at[:, 0], at[:, 1]] = _tile_values(like, flat, game, tile)
    _put_citadels(like, flat, out)
    _put_pointers(like, flat, out)
    turned = np.moveaxis(out, -1, 1) if like.torch is None else out.permute(0, 3, 1, 2)
    return turned.reshape(*lead, len(PLANES), FRAME, FRAME)


def tile_list(observation: Any) -> Any:
    """Return the tiles as (..., 120, 28), tile `t` in row `t - 1`, with the columns `TILE_COLUMNS` in their scales."""
    like, flat, lead = _flat(observation)
    parts = [_block(flat, name).reshape(len(flat), TILES, -1) for name in _LISTED]
    return like.joined(parts).reshape(*lead, TILES, len(TILE_COLUMNS))


def index_map(observation: Any) -> Any:
    """Return int64 (..., 64, 64): `t - 1` on the place of tile `t`, its row in `tile_list`; -1 where no tile lies."""
    like, flat, lead = _flat(observation)
    out = like.none(len(flat), FRAME, FRAME)
    game, tile = like.where(_block(flat, "tile_place")[:, :, 0] > 0.5)
    at = like.whole(_block(flat, "tile_at")[game, tile] * FRAME)
    out[game, at[:, 0], at[:, 1]] = tile
    return out.reshape(*lead, FRAME, FRAME)


def cell_places(observation: Any) -> Any:
    """Return int64 (..., 4096): `64 * q + r` for the place of cell `c` in the frame, so of the action `CELL c`.

    With a smaller grid only the first `S * S` cells exist; the others are -1. On an empty map, where no action names a
    cell, a cell's place is its own torus coordinates.
    """
    like, flat, lead = _flat(observation)
    side = like.whole(_block(flat, "grid_size") * FRAME)
    origin = like.whole(_block(flat, "frame") * FRAME)
    cell = like.count(FRAME * FRAME)[None]
    q, r = cell // side, cell % side
    place = FRAME * ((q - origin[:, :1]) % side) + (r - origin[:, 1:2]) % side
    out = like.none(len(flat), FRAME * FRAME)
    inside = like.where(q < side)
    out[inside] = place[inside]
    return out.reshape(*lead, FRAME * FRAME)


def _flat(observation: Any) -> tuple[_Like, Any, tuple[int, ...]]:
    """Return the functions for the array, the array as (N, D), and its leading axes."""
    like = _Like(observation)
    shape = tuple(observation.shape)
    if not shape or shape[-1] < OBSERVATION.size:
        raise ValueError(
            f"an observation has at least {OBSERVATION.size} numbers along its last axis, not shape {shape}"
        )
    return like, observation.reshape(-1, shape[-1]), shape[:-1]


def _block(flat: Any, name: str) -> Any:
    """Return a block of all observations as (N, *shape)."""
    block = OBSERVATION[name]
    return flat[:, block.slice].reshape(len(flat), *block.shape)


def _tile_values(like: _Like, flat: Any, game: Any, tile: Any) -> Any:
    """Return the values (K, channels) of K tiles on maps, but for citadels and pointers."""
    values = like.zeros(len(game), len(PLANES))
    values[:, 0] = 1.0
    row = like.count(len(game))
    letters = like.whole(_block(flat, "tile_sides")[game, tile] * KINDS) - 1
    for side in range(SIDES):
        values[row, _FIRST_LETTER + KINDS * side + letters[:, side]] = 1.0
    village = like.whole(_block(flat, "tile_village")[game, tile] * len(_VILLAGES))
    (here,) = like.where(village > 0)
    values[here, _FIRST_VILLAGE - 1 + village[here]] = 1.0
    values[:, _FIRST_WARBANDS : _FIRST_WARBANDS + SEATS] = _block(flat, "tile_warbands")[game, tile]
    values[:, _EACH] = _block(flat, "tile_each")[game, tile]
    return values


def _put_citadels(like: _Like, flat: Any, out: Any) -> None:
    sides, owners = _block(flat, "citadel_side"), _block(flat, "citadel_owner")
    at = like.whole(_block(flat, "citadel_at") * FRAME)
    for side, (step_q, step_r) in enumerate(_ACROSS):
        game, number = like.where(sides[:, :, side] > 0.5)
        q, r = at[game, number, 0], at[game, number, 1]
        other = like.whole(1 - owners[game, number, 0])
        first = _FIRST_OWN + (_FIRST_OTHER - _FIRST_OWN) * other
        out[game, q, r, first + side] = 1.0
        out[game, q + step_q, r + step_r, first + side + SIDES // 2] = 1.0


def _put_pointers(like: _Like, flat: Any, out: Any) -> None:
    game, pointer = like.where(_block(flat, "context_tile") > 0)
    at = like.whole(_block(flat, "context_at")[game, pointer] * FRAME)
    out[game, at[:, 0], at[:, 1], _FIRST_POINTER + pointer] = 1.0
