"""Plain numbers that kernels pass to each other.

They are int64 objects, because numba compiles a kernel anew for each number that is written into a call.
"""

from __future__ import annotations

import numpy as np

NOTHING = np.int64(-1)  # a seat, card or territory that there is not
ZERO, ONE, TWO, THREE = np.int64(0), np.int64(1), np.int64(2), np.int64(3)
FOOD, WOOD, LORE = np.int64(0), np.int64(1), np.int64(2)
GROUP = np.int64(3)  # units that a player starts with, twice (NORTH-SETUP-13)
