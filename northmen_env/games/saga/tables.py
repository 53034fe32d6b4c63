"""Printed tables of Saga as arrays: maxima and the RULES record."""

from __future__ import annotations

import numpy as np

SEATS = 4
KINGDOMS = 7
REGIONS = 9
PLACES = KINGDOMS + REGIONS
CARDS = 56
ROUTES = 20
SLOTS = 3

RULES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Read by generic code.
                ("num_players", np.int32),
                ("history", np.int32),  # rows of the seat's own events appended to an observation; 0: no event log
                ("dense", np.int32),  # 1: rewards are differences of public scores (engine)
                # Sizes of the tables.
                ("num_kingdoms", np.int32),
                ("num_regions", np.int32),
                ("num_cards", np.int32),
                ("num_routes", np.int32),
                # Tables.
                ("card_suit", np.int32, (CARDS,)),
                ("card_armies", np.int32, (CARDS,)),
                ("card_fleets", np.int32, (CARDS,)),
                ("card_value", np.int32, (CARDS,)),  # armies + fleets
                ("card_region", np.int32, (CARDS,)),  # region or -1
                ("card_places", np.int32, (CARDS,)),  # places(c, n) of SAGA-DATA-14 for this num_players
                ("suit_cards", np.int64, (KINGDOMS,)),  # bit set of each suit
                ("march_class", np.int32, (KINGDOMS, REGIONS)),  # SAGA-DATA-12: 0 NONE, 1 LAND, 2 SEA, 3 BOTH
                ("route_kingdom", np.int32, (ROUTES,)),
                ("route_region", np.int32, (ROUTES,)),
                ("route_value", np.int32, (ROUTES,)),
                ("start_infamy", np.int32, (SEATS,)),  # by leader distance (SAGA-SETUP-07)
                # Options (SAGA-OPT-02).
                ("first_leader", np.int32),  # seat, -1 for random
                ("final_planning", np.int32),
                ("draw_after_last_token", np.int32),
                ("hero_needs_cube", np.int32),
                ("heroes_collect", np.int32),
                ("free_march", np.int32),  # march_order = free
                ("table_recall", np.int32),  # recall = table
                ("reward", np.int32),  # 0 rank, 1 win, 2 score
                ("score_scale", np.float64),
            ],
            align=True,
        ),
    )
)
