"""Plain numbers that kernels pass to each other.

They are int64 objects, because numba compiles a kernel anew for each number that is written into a call.
"""

from __future__ import annotations

import numpy as np

NOTHING = np.int64(-1)  # an argument that an event does not have
ZERO, ONE, TWO = np.int64(0), np.int64(1), np.int64(2)
LOW, HIGH = np.int64(0), np.int64(1)  # the two words of a set of tiles

PLAYER, BANDITS = np.int64(0), np.int64(1)  # colours of solo play
PLAYER_WINS, BANDITS_WIN = np.int64(1), np.int64(2)  # `state.winners` of solo play

PIECES = 12  # warbands of a colour (BLOOD-COMP-02)
SIX = 6  # points that win (BLOOD-END-01)
LAKE_ARMY = 3  # warbands that one lake action moves at most (BLOOD-LAKE-01)
DIVIDED = 4  # a divided army of so many bandits does not go back (BLOOD-SOLO-11)
FIRST_HAND = 3  # tiles of the first player, and in solo play (BLOOD-SETUP-08, -10)
ALL_VILLAGES = np.int64(4)  # row of `rules.village_set` with the villages of all types
