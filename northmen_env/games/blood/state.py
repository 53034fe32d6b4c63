"""STATE of Blood of the Northmen: everything that changes during a game, one field a line.

A comment gives the range and who knows the field: *public*, *owner* (the seat of its first axis), *nobody*.

Tiles are named by their id 1-120 everywhere; 0 stands for no tile. An axis of length IDS is indexed by the id, row 0 is
always zero. A set of tiles is a pair of int64 words: id `t` is bit `t % 61` of word `t // 61` (`tilesets.py`). Colours
are seats, in solo 0 the player and 1 the bandits; what lies beyond the colours in play is zero. A cell is a torus index
`q * S + r` (BLOOD-HEX-03). Nothing depends on the order in which tiles were laid: equal states are equal bytes, but for
`seed` and the event rings.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from northmen_env.engine.events import event_fields
from northmen_env.engine.layout import record_dtype
from northmen_env.games.blood.tables import IDS, MAX_EFFECTS, SEATS, SIDES, TILES
from northmen_env.games.blood.tilesets import WORDS

CELLS = 64 * 64
FRONTIER = 2 * TILES + 4
"""Most empty cells that touch a connected map of 120 tiles (a straight row)."""

CITADELS = 12


class Decision(IntEnum):
    """Decision points (BLOOD-PHASE-04); `Decision.name` is what State JSON writes."""

    D01 = 1  # TILE
    D02 = 2  # REVEALED
    D03 = 3  # CELL
    D04 = 4  # ROTATION
    D05 = 5  # CITADEL
    D06 = 6  # CITADEL SOURCE
    D07 = 7  # SAILS
    D08 = 8  # FURS
    D09 = 9  # MEAD
    D10 = 10  # SILVER
    D11 = 11  # SILVER DISCARD
    D12 = 12  # TUSK
    D13 = 13  # FOREST
    D14 = 14  # LAKE
    D15 = 15  # ROAD
    D16 = 16  # MOUNTAIN
    D17 = 17  # COUNT
    D18 = 18  # DESTINATION
    D19 = 19  # PREPARED
    D20 = 20  # BATTLE TILE
    D21 = 21  # ADD
    D22 = 22  # POINT SOURCE
    B1 = 23  # TARGET
    B2 = 24  # SOURCE
    B3 = 25  # MOVE FROM
    B4 = 26  # MOVE TO
    B5 = 27  # ATTACK
    B6 = 28  # BRIBE
    B7 = 29  # POINT SOURCE of the bandits
    END = 30


class Move(IntEnum):
    """Kind of a move (`state.move_kind`, segments of a bandit run)."""

    NONE = 0
    LAKE = 1
    ROAD = 2


class Run(IntEnum):
    """Kind of a bandit run (`state.run_kind`)."""

    NONE = 0
    MOVES = 1
    ROADONE = 2
    ROADATTACK = 3


STATE = record_dtype(
    "blood",
    [
        ("seed", np.uint64),  # key of all chance of this game; nobody
        ("player", np.int16),  # seat to act, -1 at the end; public
        ("decision", np.int16),  # Decision; public
        ("active", np.int16),  # active seat, at the end the last one; public
        ("winners", np.int16),  # bit set of the colours that win or draw, 0 before the end; public
        # Tiles off the map.
        ("pile", np.int16, (TILES,)),  # top at [pile_top], bottom at [TILES - 1]; 0 elsewhere; nobody
        ("pile_top", np.int16),  # TILES - pile_top = size; public
        ("hand", np.int64, (SEATS, WORDS)),  # sets; owner
        ("hand_size", np.int16, (SEATS,)),  # public
        ("prepared", np.int64, (SEATS, WORDS)),  # sets, usable ones; owner, the bandits' nobody; sizes public
        ("fresh", np.int64, (WORDS,)),  # set, of the active player; the active player; its size public
        ("held", np.int64, (SEATS, WORDS)),  # sets: known to lie in hand or prepared tiles (INFO-03); public
        ("discard", np.int64, (WORDS,)),  # set; public
        ("removed", np.int64, (WORDS,)),  # set (SETUP-05); nobody
        # Map.
        ("on_map", np.int64, (WORDS,)),  # set of the tiles on the map; public
        ("map_size", np.int16),  # their number; public
        ("cell", np.int16, (IDS,)),  # cell of a tile on the map, 0 for others; public
        ("rotation", np.int8, (IDS,)),  # 0..5; public
        ("warbands", np.int8, (IDS, SEATS)),  # 0..12 by colour; public
        ("citadel_tile", np.int16, (CITADELS,)),  # by number: tile of the description with side <= 2, or 0; public
        ("citadel_side", np.int16, (CITADELS,)),  # 0..2; 0 for a citadel in the supply; public
        ("citadel_owner", np.int16, (CITADELS,)),  # seat, -1 in the supply; public
        ("citadel_permanent", np.int16, (CITADELS,)),  # 0 or 1; public
        # Colours.
        ("settlement", np.int16, (SEATS,)),  # 0..12, the bandits' supply included; public
        ("vp", np.int16, (SEATS,)),  # 0..6; public
        ("reserve", np.int16, (SEATS,)),  # 0..12; public
        ("ability", np.int16, (SEATS,)),  # 0..7 (tables.Ability), -1 none; -1 beyond the seats; public
        # What the map says in other words, kept up to date (board.py: `derive` writes it anew).
        ("army", np.int64, (SEATS, WORDS)),  # sets: tiles with warbands of the colour
        ("mustered", np.int16, (SEATS,)),  # map(p): warbands of the colour on the map
        ("walls", np.int16, (SEATS,)),  # cit(p): citadels of the seat on the map
        ("grid", np.uint8, (CELLS,)),  # tile on a cell, 0 none
        ("neighbour", np.uint8, (IDS, SIDES)),  # tile across each side, 0 none
        (
            "links",
            np.int32,
            (IDS,),
        ),  # groups of 6 sides: open, forest, lake, road (citadels left out), met by a tile
        ("citadel_sides", np.int32, (IDS,)),  # SEATS groups of 6 sides with a citadel of the seat, both tiles of a side
        ("front_size", np.int16),  # number of empty cells that touch the map
        ("front_cell", np.int16, (FRONTIER,)),  # these cells, ascending; 0 beyond
        ("front_fail", np.int32, (FRONTIER,)),  # bit 5 * d + letter: this letter on side d fails to match; 0 beyond
        ("front_count", np.int8, (FRONTIER,)),  # tiles that the cell touches, 1..6; 0 beyond
        ("q_min", np.int16),  # torus column of the leftmost tile (HEX-04), 0 on an empty map
        ("q_span", np.int16),  # columns from there to the rightmost, 0 on an empty map
        ("r_min", np.int16),
        ("r_span", np.int16),
        # Context of the turn (BLOOD-PHASE-08): neutral (0, or -1 where 0 says something) outside its points.
        ("laid", np.int16),  # tile laid in this turn, from D05 to its end; public
        ("placing_tile", np.int16),  # D02-D04: the tile, in no other place; public
        ("placing_cell", np.int16),  # D04: cell, else -1; public
        ("breach", np.int16),  # D06: side of the laid tile that gets the citadel, else -1; public
        ("village_left", np.int16),  # D08-D12: village actions left; public
        ("furs_returned", np.int16),  # D08: 1 after the return of FURS-01; public
        ("silver_tile", np.int16),  # D11: tile chosen in D10; public
        ("phase", np.int16),  # D13-D18 and battles begun in D16: Decision D13..D16 of the phase, else 0; public
        ("a", np.int16),  # ordinary actions left (ACT-01); public
        ("b", np.int16),  # restricted free action left, 0 or 1; public
        ("performed", np.int16),  # 1: an action was performed in this phase; public
        ("drawn", np.int16),  # tiles drawn in this phase; public
        ("drew_earlier", np.int16),  # 1: a draw was made in an earlier phase of this turn; public
        ("move_kind", np.int16),  # D17, D18: Move; public
        ("move_source", np.int16),  # D17, D18: tile; public
        ("move_count", np.int16),  # D18: warbands that move; public
        # Battle: D19-D21 and those D22, B2, B7 that belong to one.
        ("battle_tile", np.int16),  # public
        ("battle_size", np.int16),  # participants; public
        ("battle_at", np.int16),  # entry that reveals, or (resolved) that is due next; public
        ("battle_order", np.int16, (SEATS,)),  # colours from the starter on, -1 beyond; public
        ("battle_owed", np.int16, (SEATS,)),  # by entry: basic tiles still to be revealed; public
        ("battle_strength", np.int16, (SEATS,)),  # by entry, Marauders' point included; public
        ("battle_revealed", np.int64, (SEATS, WORDS)),  # by entry: sets; public
        ("battle_add", np.int16),  # B2: bandits still to be added, this one included, else 0; public
        # Bandit phase (solo): all public.
        ("card", np.int16),  # row in force, 0 outside the bandit phase
        ("effect", np.int16),  # index of its first effect not yet begun
        ("left", np.int16),  # repetitions of the effect in progress, the present one included
        ("target", np.int16),  # B2 without battle: tile that gets the bandit
        ("remaining", np.int64, (WORDS,)),  # set: EACH in progress: tiles still to be served, `target` included
        ("served", np.int64, (WORDS,)),  # set: EACH in progress: tiles that got one
        ("run_kind", np.int16),  # Run
        ("run_first", np.int16),  # Move of the first segment of actions left; segments alternate
        ("run_left", np.int16, (MAX_EFFECTS,)),  # actions left by segment, 0 beyond
        ("move_from", np.int16),  # B4: tile x
        ("move_via", np.int16),  # B4 after m: tile m
        ("one", np.int16),  # that bandit's tile after the first move of a ROADONE
        ("forbidden_from", np.int16),  # tile y of `forbidden`, or 0
        ("forbidden_to", np.int16),  # tile z
        ("won", np.int16),  # battles won by the bandits on this card
        ("last_won", np.int16),  # 1: the last ATTACK took place and was won
        ("bribed", np.int16),  # warbands bribed on this card
        *event_fields(SEATS),
    ],
)
