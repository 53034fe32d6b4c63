"""What a trainer may let a network predict: the hidden part of a state, by absolute seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.games.blood.tables import TILES
from northmen_env.games.blood.tilesets import PER_WORD


def hidden_targets(rules: Any, state: Any) -> dict[str, np.ndarray]:
    """Return the secrets of a state; tile `t` stands at `t - 1`, absent seats are zero.

    `hands`: float32 (SEATS, TILES), 1 for each tile in the seat's hand. `prepared`: float32 (SEATS, TILES), 1 for each
    usable prepared tile, in solo those of the bandits in row 1. `fresh`: float32 (TILES,), 1 for each tile that the
    active seat has prepared in this turn. `removed`: float32 (TILES,), 1 for each tile that left the game unseen.
    `pile`: int64 (TILES,), tile ids from the top, 0 below the last.
    """
    pile, left = np.zeros(TILES, np.int64), state.pile[int(state.pile_top) :]
    pile[: len(left)] = left
    return {
        "hands": _flags(state.hand),
        "prepared": _flags(state.prepared),
        "fresh": _flags(state.fresh),
        "removed": _flags(state.removed),
        "pile": pile,
    }


def _flags(sets: np.ndarray) -> np.ndarray:
    """Return sets (..., WORDS) as flags (..., TILES)."""
    words, bits = np.divmod(np.arange(1, TILES + 1), PER_WORD)
    return (sets[..., words] >> bits & 1).astype(np.float32)
