"""Printed amounts that neither an option nor a data set changes."""

from __future__ import annotations

import numpy as np

ROUNDS = 3  # SAGA-END-01
HAND = 6  # SAGA-SETUP-03
GROUP = 15  # plunder tokens of a round (SAGA-DATA-03)
CUBES = 30  # per colour (SAGA-DATA-02)
HEROES = 3  # per colour
START_ROUTES = 2  # SAGA-SETUP-04

HERO_COST = 3  # SAGA-RALLY-06
DELAY_COST = 5
ROUTE_COST = 3
HOLD_COST = 1

NOTHING = np.int64(-1)  # an argument that an event does not have
