"""The automatic stages of the phase machine (SAGA-TURN-05), between two decisions."""

from __future__ import annotations

from enum import IntEnum


class Stage(IntEnum):
    """What to go on with; `OFFERED`: a seat has a choice, or the game is over."""

    OFFERED = 0
    TURN = 1  # the rally turn of state.player, or of the next seat with cards
    PLUNDER = 2  # step 4 of that turn, and the offer of step 5
    CONTROL = 3  # M1
    KINGDOM = 4  # the turn of state.kingdom in pass state.march_pass (M2, M3)
    CUBES = 5  # the cubes left in state.kingdom
    HEROES = 6  # the heroes left in state.kingdom
    BATTLES = 7  # M4, M5
    ROUTES = 8  # M6, the visit of state.player
    CLEANUP = 9  # M7
    BUYING = 10  # the planning turn of state.player: draws of routes
    HOLDING = 11  # ... held cards
    PLANNED = 12  # ... its end
    CHANGE = 13  # round change
    FINAL = 14
