"""Printed tables of Blood of the Northmen and the RULES record made from them and the options."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.layout import record_dtype
from northmen_env.games.blood.bandit_table import CARDS, MAX_EFFECTS
from northmen_env.games.blood.tile_table import SIDES, TILES

SEATS = 5
IDS = TILES + 1
"""Length of an axis indexed by tile id 1-120 (or card number); row 0 is unused."""

KINDS = 5
"""Letters of a side: `tile_table.Side`."""

ABILITIES = 8
REWARDS = ("rank", "win", "score")

RULES = record_dtype(
    "blood_rules",
    [
        # Read by generic code.
        ("num_players", np.int32),
        ("history", np.int32),  # rows of the seat's own events appended to an observation; 0: no event log
        ("dense", np.int32),  # 1: rewards are differences of public scores (engine)
        # Options (BLOOD-OPT-01).
        ("colours", np.int32),  # num_players, 2 in solo
        ("solo", np.int32),  # 0 or 1, as all flags
        ("goods", np.int32),
        ("citadels", np.int32),
        ("abilities", np.int32),
        ("num_abilities", np.int32),  # abilities in the pool, after the filter of SETUP-03; 0 without abilities
        ("ability_pool", np.int32, (ABILITIES,)),  # their ids, ascending; -1 beyond
        ("grid_size", np.int32),  # S, 8..64
        ("vikings_every_turn", np.int32),
        ("reward", np.int32),  # index into REWARDS
        ("pile_size", np.int32),  # tiles in the game: 60, 90 or 120 (SETUP-04)
        # Tiles, by id.
        ("letters", np.int32, (IDS, SIDES)),  # Side of the six printed sides
        ("village", np.int32, (IDS,)),  # Village, -1 none (and at id 0)
        ("mountains", np.int32, (IDS,)),  # mountain sides
        ("period", np.int32, (IDS,)),  # rotations that look different: 1, 2, 3 or 6
        ("shape", np.int32, (IDS, SIDES)),  # by rotation k: bit 5 * d + letter for each side d of the turned tile
        ("kind_sides", np.int32, (IDS, SIDES, KINDS)),  # by rotation k and letter: bit d for each side that shows it
        ("fail", np.int32, (KINDS,)),  # bit set of the letters that do not match this letter (PLACE-05)
        ("village_set", np.int64, (KINDS, 2)),  # tile sets by Village type 0..3, [4] all; bit t % 61 of word t // 61
        # Bandit cards, by number.
        ("card_redirect", np.int32, (CARDS + 1,)),  # 1..30, 0 on the cards that act directly
        ("card_effects", np.int32, (CARDS + 1,)),  # number of effects
        ("effect_op", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Op, 0 beyond
        ("effect_count", np.int32, (CARDS + 1, MAX_EFFECTS)),  # k where the unit is NUMBER
        ("effect_unit", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Unit
        ("effect_what", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Where or Pick
        ("effect_if_won", np.int32, (CARDS + 1, MAX_EFFECTS)),  # 1: IFWON(...)
        # For State JSON.
        ("tile_sha256", np.uint8, (32,)),
        ("bandit_sha256", np.uint8, (32,)),
    ],
)
