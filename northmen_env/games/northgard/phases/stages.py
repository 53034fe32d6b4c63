"""What the machine goes on with, between two decisions (`flow.py`)."""

from __future__ import annotations

from enum import IntEnum


class Stage(IntEnum):
    """`OFFERED`: `state.player` and `state.decision` are set; a single legal action is then applied at once."""

    OFFERED = 0
    RESUME = 1  # the frame on top goes on, by its `frame_step`
    MENU = 2  # the turn player chooses what to do in the turn
    CONT = 3  # ... what else to play, after a card
    TURN_OVER = 4  # the turn of state.turn is over
    SETUP = 5  # the next seat of the setup round
    YEAR = 6  # a year begins
    HARVEST = 7  # the harvest of the next seat after state.turn
    SECOND = 8  # the second chance of the next seat after state.turn
