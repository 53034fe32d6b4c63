"""What a seat sees: the verb `observe`, which writes the blocks of `blocks.py` (NORTH-INFO).

Every fact is decided by its owner or by its mask, never by the phase: a block holds either what is public, or what
`player` knows. The one hidden prompt is REACT: to all but the seat asked it shows no decision and no seat
(NORTH-INFO-08). The vector is cleared once and then written sparsely.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import OBSERVATION
from northmen_env.games.northgard.observing.cards import put_cards
from northmen_env.games.northgard.observing.context import put_frames
from northmen_env.games.northgard.observing.land import (
    put_buildings,
    put_creatures,
    put_loose_tiles,
    put_territories,
    put_tiles,
)
from northmen_env.games.northgard.observing.table import put_options, put_seats, put_situation, put_table

__all__ = ["OBSERVATION", "observe"]


@kernel
def observe(rules, state, player, out):
    """Write what `player` knows into float32 `out` (OBSERVATION.size,): valid for every seat, at the end too."""
    out[:] = np.float32(0.0)
    n, seat = np.int64(rules.num_players), np.int64(player)
    put_situation(rules, state, seat, out, n)
    put_seats(rules, state, seat, out, n)
    put_table(rules, state, out)
    put_cards(rules, state, seat, out, n)
    put_tiles(rules, state, out)
    put_territories(rules, state, seat, out, n)
    put_buildings(rules, state, out)
    put_loose_tiles(rules, state, seat, out)
    if rules.creatures != 0:
        put_creatures(rules, state, out)
    if state.depth > 0:
        put_frames(rules, state, seat, out, n)
    put_options(rules, out, n)
