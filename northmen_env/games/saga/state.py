"""STATE of Saga: everything that changes during a game (SAGA-TURN-07), one field a line.

Sets of cards and routes are int64 bit sets (bit i = id i). Seats beyond `num_players` are zero. A comment gives the
range and who knows the field: *public*, *owner* (the seat of its first axis), *nobody*.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from northmen_env.engine.events import event_fields
from northmen_env.engine.layout import record_dtype
from northmen_env.games.saga.tables import CARDS, KINGDOMS, PLACES, REGIONS, ROUTES, SEATS, SLOTS


class Decision(IntEnum):
    """Decision points (SAGA-TURN-04). NONE is what others see while a hidden prompt is pending (SAGA-INFO-08)."""

    NONE = 0
    PLAY = 1
    HIRE = 2
    DRAW = 3
    DELAY = 4
    CUBE = 5
    HERO = 6
    ROUTE = 7
    BUY = 8
    KEEP = 9
    HOLD = 10
    END = 11


STATE = record_dtype(
    "saga",
    [
        ("seed", np.uint64),  # key of all chance of this game; nobody
        ("player", np.int16),  # seat to act, -1 at the end; public but in ROUTE
        ("decision", np.int16),  # Decision; public but in ROUTE
        ("round_number", np.int16),  # 1..3; public
        ("leader", np.int16),  # seat; public
        # Cards.
        ("hand", np.int64, (SEATS,)),  # bit sets of cards; owner
        ("hand_size", np.int16, (SEATS,)),  # 0..6; public
        ("pile", np.int16, (SEATS, CARDS)),  # cards played this round, oldest first, then -1; public (recall)
        ("pile_size", np.int16, (SEATS,)),  # public
        ("slot", np.int16, (SLOTS,)),  # face-up card or -1; public
        ("draw_pile", np.int16, (CARDS,)),  # top at [draw_top], end at [draw_end - 1]; -1 elsewhere; nobody
        ("draw_top", np.int16),  # draw_end - draw_top = size; public
        ("draw_end", np.int16),  # number of cards: the pile always ends there, so that equal piles are equal bytes
        ("card", np.int16),  # card just played while HIRE or DRAW is pending, else -1; public
        # Board.
        ("cubes", np.int16, (PLACES, SEATS)),  # kingdoms 0..6, then regions; public
        ("heroes", np.int16, (PLACES, SEATS)),  # public
        ("tokens", np.int16, (REGIONS,)),  # public
        ("group", np.int16),  # tokens left in the current group, 0..15; public
        ("reserve", np.int16, (SEATS,)),  # 0..30; public
        ("infamy", np.int16, (SEATS,)),  # 0..30; public
        ("hero_supply", np.int16, (SEATS,)),  # 0..3; public
        ("time_used", np.int16, (SEATS,)),  # 0 or 1; public
        ("plunder", np.int16, (SEATS,)),  # public
        ("controller", np.int16, (KINGDOMS,)),  # seat or -1; public
        ("delayed", np.int16, (KINGDOMS,)),  # 0 or 1; public
        # Trade routes.
        ("route_deck", np.int16, (ROUTES,)),  # top first, -1 beyond route_count; nobody, but for route_pos
        ("route_count", np.int16),  # public
        ("routes_open", np.int64, (SEATS,)),  # bit sets of routes not completed; owner (their number is public)
        ("routes_done", np.int64, (SEATS,)),  # bit sets of completed routes; public
        ("routes_drawn", np.int16, (2,)),  # the pair waiting for KEEP, in draw order, else -1; the acting seat
        # Context of the pending decision (SAGA-INFO-09).
        ("kingdom", np.int16),  # moving or asked kingdom in DELAY, CUBE, HERO, else -1; public
        ("march_pass", np.int16),  # 1 for M2, 2 for M3, 0 outside DELAY, CUBE, HERO; public
        ("armies", np.int16),  # a of SAGA-MARCH-12 in CUBE and HERO, else 0; public
        ("fleets", np.int16),  # s
        ("land", np.int16),  # L of SAGA-MARCH-15
        ("sea", np.int16),  # F
        ("last", np.int16),  # last region in CUBE, HERO, else 0; public
        ("route_last", np.int16),  # last route completed in this visit of ROUTE, else -1; the acting seat
        ("held", np.int64),  # bit set of cards held so far in HOLD; the acting seat
        ("hold_last", np.int16),  # last card held, else -1; the acting seat
        # Knowledge (SAGA-INFO-04, -05, -07).
        ("known_hand", np.int64, (SEATS,)),  # KH: bit sets; public (recall)
        ("known_hand_prev", np.int64, (SEATS,)),  # KHprev: bit sets; public (recall)
        ("held_count", np.int16, (SEATS,)),  # held_n; public
        ("hand_before_hold", np.int16, (SEATS,)),  # H; public
        ("not_held", np.int64, (SEATS,)),  # NOTHELD: bit sets; owner
        ("route_pos", np.int16, (SEATS, ROUTES)),  # pos: index from the top or -1; owner
        ("route_holder", np.int16, (SEATS, ROUTES)),  # seat known to hold the route or -1; owner
        *event_fields(SEATS),
    ],
)
