"""STATE of Northgard: everything that changes during a game, one field a line.

A comment gives the range and who knows the field: *public*, *owner* (the seat of its first axis), *nobody*, or a *mask*
rule. What lies beyond a size, and a frame's field while the frame does not run, is neutral: 0, or -1 where 0 says
something. So equal states are equal bytes, but for `seed`, the counters of the random streams and the event rings.

Map. The areas of the placed tiles are numbered in the order of their slots (NORTH-TILE-05): area `a` of the `p`-th tile
is *plot* `plot_base[p] + a`, and `slot[plot] = 4 p + a`. A *territory* is named by its smallest plot, whose slot is the
canonical id of NORTH-TILE-07; a field of length PLOTS that belongs to territories is zero at every other plot. A set of
territories is a pair of int64 words (`plots.py`). A cell is named by CELL (NORTH-EXPL-08), 4 p + world side; a cell of
the grid is `(y mod GRID) * GRID + x mod GRID`, in coordinates that are not wrapped around.

Piles have their bottom at index 0 and their top at `size - 1`. All other lists of cards are sorted by (card, mask). A
mask is the sum of 2^seat over the seats that know the card (or tile) is there (NORTH-INFO-06).

Running operations (NORTH-PH-10): `depth` frames, outermost first, of kinds `frame_kind`. Each kind runs at most once,
so the fields of a kind are fields of the state; kinds that never run together share some.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from northmen_env.engine.events import event_fields
from northmen_env.engine.layout import record_dtype
from northmen_env.games.northgard.plots import PLOTS, WORDS
from northmen_env.games.northgard.tables import (
    BUILDINGS,
    CARDS,
    CREATURES,
    RESOURCES,
    SEATS,
    SIDES,
    TILES,
)

DECK = 29
"""Most cards of one player (NORTH-CORN-02)."""

DEVELOPMENT = 45
"""Most cards of the development deck: five players, ten years (NORTH-VAR-01)."""

HAND_TILES = 3
GRID = 40
"""Side of the grid: more than the 35 tiles of a straight row and an empty cell at each end."""

CELLS = TILES * SIDES
"""Names of cells (NORTH-EXPL-08)."""

DUE = 16
"""Most unresolved combats of one Move: 14 units and Kaija."""

ROLLS = 24
"""Most dice rolled between two answered decisions."""

FRAMES = 5
LEGAL = 104
"""Most actions that can be legal at once: one for each territory, and DONE."""


class Phase(IntEnum):
    """`Phase.name` is what State JSON writes."""

    CLAN = 0
    SETUP = 1
    ACTIONS = 2
    CREATURES = 3
    HARVEST = 4
    SECOND = 5
    END = 6


class Decision(IntEnum):
    """Decision points (section 3.2); `Decision.name` is what State JSON writes."""

    CLAN = 1
    SETUP_TILE = 2
    SETUP_CELL = 3
    SETUP_ROT = 4
    SETUP_TERR = 5
    SETUP_KAIJA = 6
    MENU = 7
    PLAY_CARD = 8
    CONT = 9
    WAIT_CARD = 10
    REPLACE_CARD = 11
    REMOVE_CARD = 12
    UPG_CARD = 13
    UPG_DEST = 14
    UPG_PICK = 15
    PASS_PICK = 16
    PASS_CRE = 17
    PASS_CRE_AT = 18
    REACT = 19
    TOKEN = 20
    REC_TERR = 21
    REC_KAIJA = 22
    REC_PAY = 23
    REC_CAMP = 24
    REC_PULL = 25
    PAY = 26
    MV_SRC = 27
    MV_DST = 28
    MV_NUM = 29
    MV_KAIJA = 30
    MV_CRE = 31
    CB_PICK = 32
    CB_PUSH = 33
    CB_FOOD_A = 34
    CB_FOOD_D = 35
    CB_FACE_A = 36
    CB_EITHER = 37
    CB_FACE_D = 38
    RT_TERR = 39
    RT_NUM = 40
    RT_KAIJA = 41
    EX_AGAIN = 42
    EX_REDRAW = 43
    EX_PICK = 44
    EX_CELL = 45
    EX_ROT = 46
    BD_TERR = 47
    BD_GATHER = 48
    BD_TYPE = 49
    BD_CARVED = 50
    RP_TERR = 51
    RP_OLD = 52
    RP_NEW = 53
    DR_KEEP = 54
    DR_TOP = 55
    DR_PAY = 56
    ACT = 57
    ST_TERR = 58
    ST_RES = 59
    ST_ADD = 60
    CP_WHO = 61
    CP_CARD = 62
    HD_WHO = 63
    HD_ALL = 64
    HD_DRAW = 65
    HD_CARD = 66
    HD_RANSOM = 67
    BR_SRC = 68
    BR_DST = 69
    BR_NUM = 70
    FT_CARD = 71
    FS_CARD = 72
    HV_SCORCH = 73
    TR_GIVE = 74
    TR_TAKE = 75
    SW_GIVE = 76
    SW_TAKE = 77
    SW_OK = 78
    CR_MOVE = 79
    SC_TERR = 80
    SC_KAIJA = 81
    SC_CELL = 82
    SC_ROT = 83
    END = 84


class Frame(IntEnum):
    """Kinds of running operations; `Frame.name` is what State JSON writes."""

    NONE = 0
    SETUP = 1
    UPGRADE = 2
    PASS = 3
    CREATURES = 4
    HARVEST = 5
    SECOND = 6
    CARD = 7
    COPY = 8
    CHOOSE = 9
    RECRUIT = 10
    MOVE = 11
    EXPLORE = 12
    BUILD = 13
    DRAW = 14
    STRIKE = 15
    HAND = 16
    BRIBE = 17
    FETCH = 18
    FORESEE = 19
    PAY = 20
    COMBAT = 21


STATE = record_dtype(
    "northgard",
    [
        ("seed", np.uint64),  # key of all chance of this game; nobody
        ("player", np.int16),  # seat asked, -1 at the end; public, but hidden in REACT
        ("decision", np.int16),  # Decision; public, but hidden in REACT
        ("phase", np.int16),  # Phase; public
        ("year", np.int16),  # 1..10; public
        ("turn", np.int16),  # seat that sets up, has the turn, harvests or gets its second chance, else -1; public
        ("marker", np.int16),  # seat with the first-player marker, -1 in CLAN; public
        ("setup_round", np.int16),  # 1 or 2 in SETUP, else 0; public
        ("main_used", np.int16),  # 1: the main card of this turn is used; 0 outside ACTIONS; public
        ("resolved", np.int16),  # 1: a card was resolved in this turn; 0 outside ACTIONS; public
        # What the seat asked may do, written when it is asked: ascending; 0 beyond legal_count.
        ("legal_count", np.int16),  # at least 2, 0 at the end; the seat asked
        ("legal", np.int16, (LEGAL,)),  # the seat asked
        # Seats; zero (clan -1) for absent ones.
        ("passed", np.int8, (SEATS,)),  # 1: passed this year; public
        ("taken", np.int8, (SEATS,)),  # 1: took a card of the display this year; public
        ("kaija_free", np.int8, (SEATS,)),  # 1: ran a RECRUIT with that bit this year; public
        ("conquer", np.int8, (SEATS,)),  # 1: CONQUER this year; public
        ("clan", np.int8, (SEATS,)),  # 0..6, -1 none yet; public
        ("resources", np.int16, (SEATS, RESOURCES)),  # food, wood, lore; public
        ("fame", np.int16, (SEATS,)),  # public, may be negative
        ("on_map", np.int8, (SEATS,)),  # 0..14 units on the map, without Kaija; public
        ("bear", np.int16),  # seat of the Bear clan, -1 none; public
        ("snake", np.int16),  # seat of the Snake clan, -1 none; public
        # Cards of the seats. The multiset hand + pile + cards of a running DRAW is public (NORTH-INFO-04).
        ("hand_size", np.int8, (SEATS,)),  # public
        ("hand", np.int8, (SEATS, DECK)),  # sorted cards; seats of the mask
        ("hand_known", np.int8, (SEATS, DECK)),  # their masks, the owner in each; seats of the mask
        ("pile_size", np.int8, (SEATS,)),  # public
        ("pile", np.int8, (SEATS, DECK)),  # draw pile, top last; place: seats of the mask
        ("pile_known", np.int8, (SEATS, DECK)),  # masks; seats of the mask
        ("discard_size", np.int8, (SEATS,)),  # public
        ("discard", np.int8, (SEATS, DECK)),  # sorted; public
        ("played_size", np.int8, (SEATS,)),  # public
        ("played", np.int8, (SEATS, DECK)),  # active area, marked played, sorted; public
        ("idle_size", np.int8, (SEATS,)),  # public
        ("idle", np.int8, (SEATS, DECK)),  # rest of the active area, sorted; public
        ("upgrades", np.int8, (SEATS,)),  # bit k - 1: upgrade k = 1, 2 of the clan lies aside; public
        # Cards in the middle.
        ("removed", np.int8, (CARDS,)),  # how often a card was removed from the game; public
        ("display_size", np.int16),  # public
        ("display", np.int8, (SEATS,)),  # sorted; public
        ("achievements_size", np.int16),  # N, 0 in the last year; public
        ("achievements", np.int8, (SEATS,)),  # laid out, sorted, until they are the display; public
        ("deck_size", np.int16),  # public
        ("deck", np.int8, (DEVELOPMENT,)),  # development deck, top last; nobody
        ("unrest", np.int16),  # 0..10 cards left; public
        ("supply", np.int8, (BUILDINGS,)),  # 0..7 tokens left by type; public
        # Tiles.
        ("tiles", np.int16),  # number placed, 1..35; public
        ("tile_id", np.int8, (TILES,)),  # in the order of placing; public
        ("tile_x", np.int8, (TILES,)),  # -34..34, not wrapped around; public
        ("tile_y", np.int8, (TILES,)),  # public
        ("tile_turn", np.int8, (TILES,)),  # rotation 0..3; public
        ("stack_size", np.int16),  # public
        ("stack", np.int8, (TILES,)),  # tile stack, top last; the set is public, the place for the seats of the mask
        ("stack_known", np.int8, (TILES,)),  # masks; seats of the mask
        ("tile_hand", np.int8, (SEATS, HAND_TILES)),  # setup: sorted tile ids, -1 beyond; owner
        # Map: all of it public.
        ("plots", np.int16),  # areas of the placed tiles
        ("plot_base", np.int8, (TILES,)),  # first plot of the p-th tile, 0 beyond
        ("slot", np.int16, (PLOTS,)),  # slot of a plot, 0 beyond
        ("root", np.int8, (PLOTS,)),  # territory of a plot, 0 beyond
        ("land", np.int64, (WORDS,)),  # set of all territories
        ("open_land", np.int64, (WORDS,)),  # set: open ones (NORTH-TILE-08)
        ("lairs", np.int64, (WORDS,)),  # set: with a lair
        ("owned", np.int64, (SEATS, WORDS)),  # sets: with figures of the seat
        ("near", np.int64, (PLOTS, WORDS)),  # by territory: set of the adjacent ones (NORTH-TILE-09)
        ("smooth", np.int64, (PLOTS, WORDS)),  # by territory: set of the regular-adjacent ones
        ("open_sides", np.int8, (PLOTS,)),  # by territory: tile sides that face an empty cell
        ("extent", np.int8, (PLOTS,)),  # by territory: its size in tiles (NORTH-TILE-10)
        ("yields", np.int8, (PLOTS, RESOURCES)),  # by territory: prod(t, r), buildings included
        ("spaces", np.int8, (PLOTS, 3)),  # by territory: free small, carved, large spaces
        ("buildings", np.int8, (PLOTS, BUILDINGS)),  # by territory: tokens of a type, spaceless ones included
        ("built", np.int8, (PLOTS,)),  # by plot: 1 + type of the building on its space, 0 none
        ("units", np.int8, (PLOTS, SEATS)),  # by territory: units of a seat
        ("kaija", np.int16),  # territory, -1 in reserve or not in the game
        ("token", np.int16),  # territory of the Scorched Earth token, -1 off the map
        # Creatures.
        ("creature_at", np.int8, (CREATURES,)),  # territory, -1 off the map; public
        ("line_size", np.int16),  # public
        ("line", np.int8, (CREATURES,)),  # creatures on the map in order of appearance; public
        ("creature_pile_size", np.int16),  # public
        ("creature_pile", np.int8, (CREATURES,)),  # top last; nobody
        ("creature_top", np.int16),  # cards of the upper part left (NORTH-SETUP-11), 0 after a reshuffle; public
        ("creature_discard", np.int16),  # bit set; public
        ("bears", np.int64, (WORDS,)),  # set: territories with a Brown Bear; public
        ("wolves", np.int64, (WORDS,)),  # set: with a Wolf; public
        ("valkyries", np.int64, (WORDS,)),  # set: with a Fallen Valkyrie; public
        # Cells that touch the map, by name: all public.
        ("front", np.int64, (3,)),  # set of the names: name n is bit n % 60 of word n // 60
        ("front_plot", np.int8, (CELLS, SIDES)),  # plot across each side, -1 none; -1 for other names
        ("front_need", np.int8, (CELLS,)),  # corners where a border must end (NORTH-EXPL-06 c)
        ("front_bar", np.int8, (CELLS,)),  # corners where no border may end
        ("grid", np.uint8, (GRID * GRID,)),  # 0 empty, 1 + p the p-th tile, 64 + name an empty cell that touches
        # Dice.
        ("rolls", np.int16),  # dice rolled since the last answered decision; public
        ("rolled", np.int8, (ROLLS,)),  # their faces in order, 0 beyond; public
        # Occurrences of the random streams so far (setup.py); nobody's business.
        ("dice", np.int16, (SEATS + 1,)),  # dice rolled by each seat, and for creatures
        ("shuffles", np.int16, (SEATS + 2,)),  # shuffles of each draw pile, of the tile stack, of the creature pile
        # Running operations: all public unless said.
        ("depth", np.int16),  # 0..5
        ("frame_kind", np.int8, (FRAMES,)),  # Frame, 0 beyond
        ("frame_row", np.int8, (FRAMES,)),  # card whose row runs (COPY, CHOOSE and operations), -1 others and beyond
        ("frame_step", np.int8, (FRAMES,)),  # where the frame goes on, a number of its module's own; 0 beyond
        ("card", np.int16),  # UPGRADE: card chosen (the turn player); CARD: card being played; else -1
        ("tile", np.int16),  # SETUP, SECOND, EXPLORE: tile chosen (the turn player), -1
        ("cell", np.int16),  # SETUP, SECOND, EXPLORE: CELL chosen, -1
        ("place", np.int16),  # SETUP, SECOND, RECRUIT, MOVE, BUILD, STRIKE: `terr`, a territory, -1
        ("left", np.int16),  # RECRUIT, MOVE, EXPLORE, BUILD, HAND: `left`
        ("creature", np.int16),  # PASS, CREATURES: creature being placed or activated, -1
        ("awake", np.int16),  # CREATURES: bit set of the creatures activated so far, the present one included
        ("second_placed", np.int16),  # SECOND: 1 once the tile lies
        ("swap_give", np.int16),  # HARVEST: kinds, -1
        ("swap_take", np.int16),
        ("swaps", np.int16),  # swaps made in this step
        ("swaps_over", np.int16),  # 1 after a refusal
        ("copy_who", np.int16),  # COPY: seat chosen, -1
        ("chosen", np.int16),  # CHOOSE: bit set of the ACT numbers begun
        ("room", np.int8, (PLOTS,)),  # RECRUIT: room left by territory, -1 unlimited, 0 full or not in E
        ("recruited", np.int64, (WORDS,)),  # RECRUIT: set of the territories that got a figure
        ("recruit_kaija", np.int16),  # RECRUIT: 1 if Kaija was placed
        ("src", np.int16),  # MOVE, BRIBE: territory, -1
        ("dst", np.int16),  # MOVE, BRIBE: territory, -1
        ("num", np.int16),  # MOVE: units chosen, -1
        ("due_size", np.int16),  # MOVE: unresolved combats
        ("due_place", np.int8, (DUE,)),  # their territories, ascending; -1 beyond
        ("due_creature", np.int8, (DUE,)),  # creature fought there, -1 a player
        ("drawn_tile", np.int8, (HAND_TILES,)),  # EXPLORE: tiles drawn, sorted, -1 beyond; the turn player
        ("redrawn", np.int16),  # EXPLORE: 1 once EX_REDRAW was accepted
        ("large_built", np.int16),  # BUILD: 1 once a large one was built
        ("gathered", np.int16),  # BUILD: 1 collected, 0 to be collected after building; -1 unset
        ("build_type", np.int16),  # BUILD: type chosen (BD_CARVED), -1
        ("build_old", np.int16),  # BUILD: type to be replaced (RP_NEW), -1
        ("drawn_size", np.int16),  # DRAW
        ("drawn", np.int8, (DECK,)),  # DRAW: cards drawn, sorted by (card, mask); seats of the mask
        ("drawn_known", np.int8, (DECK,)),  # DRAW: their masks; seats of the mask
        ("keep", np.int16),  # DRAW: picks left for the hand
        ("top", np.int16),  # DRAW: picks left for the draw pile
        ("last", np.int16),  # DRAW: card kept last, -1; the turn player
        ("struck", np.int16),  # STRIKE: 1 once a figure was removed
        ("victim", np.int16),  # HAND: seat being attacked, -1
        ("named", np.int16),  # HAND: card named (HD_RANSOM), -1; actor (b = 1) and victim
        ("attacked", np.int16),  # HAND: 1 once somebody was attacked
        ("payer", np.int16),  # PAY: seat, -1
        ("owed", np.int16),  # PAY: resources due
        ("paid_last", np.int16),  # PAY: kind paid last, -1
        ("paid_to", np.int16),  # PAY: seat that receives, -1 the supply
        ("fight_at", np.int16),  # COMBAT: territory, -1
        ("attacker", np.int16),  # COMBAT: seat, -1 (a creature attacks)
        ("defender", np.int16),  # COMBAT: seat, -1
        ("foe", np.int16),  # COMBAT: creature that takes part, -1
        ("food_a", np.int16),  # COMBAT: bids, -1 unset
        ("food_d", np.int16),
        ("roll_a", np.int16),  # COMBAT: faces, -1
        ("roll_d", np.int16),
        ("face_a", np.int16),  # COMBAT: choices 0 axe, 1 skull, -1 unset
        ("face_d", np.int16),
        ("either", np.int16),
        ("loser", np.int16),  # COMBAT: seat that retreats (RT_*), -1
        ("retreat_to", np.int16),  # COMBAT: destination (RT_NUM), -1
        *event_fields(SEATS),
    ],
)
