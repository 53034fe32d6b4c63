"""The observation as named blocks (NORTH-INFO); `observe.py` writes them.

Seats are relative: column 0 is the observer, then clockwise. Rows of absent seats are zero, as are features that an
option removes.

Actions name rows. `TERR 4 p + a` is row `[p, a]` of the blocks `terr_*`, which hold a territory in the row of its
canonical id and nothing elsewhere; `CELL 4 p + d` is the cell across `tile_sides[p, d]`, side d of the p-th tile;
`PICK i` is row i of the blocks `held_*`; `CARD c` is `hand[c]`, and for 5 <= c <= 84 row c - 5 of the blocks `card_*`.

Cards. Development, achievement and clan cards (5-84) are single: `card_seat` tells by place whose card it is.
Starting cards and Unrest are counted by seat and place in `common`. The places of a seat's cards:

    unseen   hand, draw pile and cards of a running DRAW together (NORTH-INFO-04)
    hand     of these, what the observer knows to be in the hand: all of its own
    discard, played, idle   face up: discard pile, active area marked played, rest of the active area

A sum of 16ths is exact, so counts may be summed up in place.
"""

from __future__ import annotations

from northmen_env.engine.layout import Block, ObservationLayout
from northmen_env.games.northgard.options import CLANS, Clan
from northmen_env.games.northgard.state import DECK, HAND_TILES, ROLLS, Decision, Frame, Phase
from northmen_env.games.northgard.tables import (
    ACHIEVEMENTS,
    BUILDINGS,
    CARDS,
    CREATURES,
    FACES,
    FIRST_EARLY,
    RESOURCES,
    REWARDS,
    SEATS,
    SIDES,
    TILES,
    TOKENS,
    UNITS,
    UNREST,
    Building,
)

MANY, MOST_FAME, MOST_RESOURCES, MOST_NUMBER = 32, 512, 128, 16
"""Clips: larger numbers, which no game with the printed tables reaches, are shown as these."""

SINGLES = UNREST - FIRST_EARLY
"""Card types with one copy: 5 ... 84."""

COMMONS = FIRST_EARLY + 1
"""Card types of which several seats have copies: 0 ... 4 and Unrest."""

PLACES = ("unseen", "hand", "discard", "played", "idle")
HELD = HAND_TILES + 1
"""Own tiles not yet laid: those to pick from, and the chosen one in the last row."""

PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""Pairs of areas of a tile, as the columns of its table."""

ROWS = ("copy", "choose", "operation", "combat")
POINTERS = ("place", "src", "dst", "combat", "retreat")
SEAT_FLAGS = ("passed", "taken", "kaija_free", "conquer")
OPTION_FLAGS = ("ten_years", "teams", "creatures", "more_creatures", "five_tile_in_stack", "clan_choice")
BITS = 7
"""Bits of `fl` of an operation: at most those of MOVE."""

RECRUITED = 16
"""Places of RECRUIT's `placed`: 14 units, Kaija."""

_SEATS = ("own", "next", "second", "third", "fourth")
_SIDES = ("n", "e", "s", "w")
_KINDS = ("food", "wood", "lore")
_COMMON = ("recruit", "move", "explore", "build", "feast", "unrest")
_CONTEXT_SEATS = ("copied", "victim", "payer", "payee", "attacker", "defender", "loser")

_ONE, _SEAT, _CARD, _TILE, _SIDE = 1.0, 1 / SEATS, 1 / CARDS, 1 / TILES, 1 / SIDES
_SLOT, _MANY, _SMALL, _DECK, _UNIT = 1 / (TILES * SIDES), 1 / MANY, 1 / MOST_NUMBER, 1 / DECK, 1 / UNITS
_TOKENS, _CREATURE, _FACE, _TYPE, _TWO = 1 / TOKENS, 1 / CREATURES, 1 / FACES, 1 / BUILDINGS, 1 / 2


def _per_seat(name: str, kind: str, scale: float, about: str) -> Block:
    return Block(name, (SEATS,), kind, scale, _SEATS, about)


def _one(name: str, kind: str, scale: float, about: str) -> Block:
    return Block(name, (1,), kind, scale, (), about)


OBSERVATION = ObservationLayout(
    [
        # The situation: public, but for a REACT of another seat, which shows neither decision nor seat (NORTH-INFO-08).
        Block("decision", (len(Decision),), "onehot", _ONE, tuple(d.name for d in Decision), "decision point"),
        _per_seat("acting", "onehot", _ONE, "seat asked; none at the end"),
        Block("phase", (len(Phase),), "onehot", _ONE, tuple(p.name for p in Phase), "phase"),
        _per_seat("turn", "onehot", _ONE, "seat that sets up, has the turn, harvests or gets its second chance"),
        _per_seat("marker", "onehot", _ONE, "seat with the first-player marker"),
        _one("year", "count", 1 / 10, "year"),
        _one("setup_round", "count", _TWO, "round of SETUP, else 0"),
        Block("turn_flags", (2,), "flag", _ONE, ("main_used", "resolved"), "main card used, some card resolved"),
        # Seats: public.
        _per_seat("present", "flag", _ONE, "seats in the game"),
        Block("clan", (SEATS, CLANS), "onehot", _ONE, tuple(c.name.lower() for c in Clan), "clan"),
        Block("resources", (SEATS, RESOURCES), "count", 1 / MOST_RESOURCES, _KINDS, "resources; clipped at 128"),
        _per_seat("fame", "signed", 1 / MOST_FAME, "fame tokens; clipped at 512"),
        _per_seat("on_map", "count", _UNIT, "units on the map"),
        _per_seat("hand_size", "count", _DECK, "cards in hand"),
        _per_seat("pile_size", "count", _DECK, "cards in the draw pile"),
        _per_seat("tile_hand_size", "count", 1 / HAND_TILES, "tiles in the setup hand"),
        Block("seat_flags", (SEATS, len(SEAT_FLAGS)), "flag", _ONE, SEAT_FLAGS, "of this year"),
        Block("upgrades", (SEATS, 2), "flag", _ONE, ("first", "second"), "upgrades lying aside"),
        # Cards.
        Block("hand", (CARDS,), "count", 1 / 16, (), "copies in the own hand (the owner)"),
        Block("card_seat", (SINGLES, len(PLACES)), "index", _SEAT, PLACES,
              "seat with card 5 + row there; public, hand: what the observer knows (NORTH-INFO-04, -07)"),
        Block("card_middle", (SINGLES, 2), "flag", _ONE, ("display", "removed"), "cards of no seat (public)"),
        Block("common", (SEATS, COMMONS, len(PLACES)), "count", 1 / 16, PLACES, "copies of cards 0-4, Unrest by seat"),
        Block("common_removed", (COMMONS,), "count", 1 / 16, _COMMON, "copies removed from the game (public)"),
        Block("pile", (SEATS, DECK), "index", _CARD, (),
              "draw piles, top first: cards whose place the observer knows (NORTH-INFO-06, -07)"),
        _one("drawn_size", "count", _DECK, "cards of a running DRAW (public)"),
        Block("drawn", (DECK,), "index", _CARD, (), "of these, sorted, what the observer knows: all of its own"),
        Block("achievements", (ACHIEVEMENTS,), "flag", _ONE, (), "laid out for the last year (public)"),
        _one("deck_size", "count", 1 / 45, "cards of the development deck (public)"),
        _one("unrest", "count", 1 / 10, "Unrest cards left (public)"),
        # Tiles.
        Block("tile_id", (TILES,), "index", _TILE, (), "placed tiles in the order of placing (public)"),
        Block("tile_at", (TILES, 2), "signed", _TILE, ("x", "y"), "their cells, the starting tile at (0, 0)"),
        Block("tile_turn", (TILES,), "index", _SIDE, (), "their rotations"),
        Block("tile_sides", (TILES, SIDES), "index", _SLOT, _SIDES, "territory on each of their world sides"),
        _one("stack_size", "count", _TILE, "tiles in the stack (public)"),
        Block("stack", (TILES,), "index", _TILE, (), "tile stack, top first: tiles whose place the observer knows"),
        Block("loose", (2,), "count", 1 / HAND_TILES, ("drawn", "chosen"),
              "tiles drawn by an Explore and not chosen; chosen and not yet laid (public)"),
        Block("held_id", (HELD,), "index", _TILE, (),
              "own tiles to pick from, ascending; in the last row the chosen one (the owner)"),
        Block("held_sides", (HELD, SIDES), "index", _SIDE, _SIDES, "their areas on the printed sides"),
        Block("held_icons", (HELD, SIDES, RESOURCES), "count", _SMALL, _KINDS, "icons of their areas"),
        Block("held_space", (HELD, SIDES), "index", 1 / 4, (), "spaces of their areas: 0 small, 1 carved, 2 large"),
        Block("held_lair", (HELD, SIDES), "flag", _ONE, (), "lairs of their areas"),
        Block("held_border", (HELD, len(PAIRS)), "count", _TWO, ("01", "02", "03", "12", "13", "23"),
              "borders of their areas: 1 regular, 2 rough"),
        # Territories: public.
        Block("terr_units", (TILES, SIDES, SEATS), "count", _UNIT, _SEATS, "units"),
        Block("terr_size", (TILES, SIDES), "signed", _TILE, (), "size in tiles, negative while it is open"),
        Block("terr_yields", (TILES, SIDES, RESOURCES), "count", _MANY, _KINDS, "prod(t, r); clipped at 32"),
        Block("terr_free", (TILES, SIDES, 3), "count", _MANY, ("small", "carved", "large"), "free spaces"),
        Block("terr_defence", (TILES, SIDES), "count", _MANY, (),
              "combat points and casualties that its buildings bring to its defender; clipped at 32"),
        Block("terr_mark", (TILES, SIDES), "signed", _MANY, (),
              "RECRUIT: room left, -1 unlimited; MOVE: combat due with a player 1, with creature c 2 + c"),
        Block("lairs", (11,), "index", _SLOT, (), "territories with lairs, ascending"),
        Block("kaija", (1,), "index", _SLOT, (), "territory of Kaija"),
        Block("token", (1,), "index", _SLOT, (), "territory of the Scorched Earth token"),
        Block("buildings", (BUILDINGS, TOKENS), "signed", _SLOT, (),
              "tokens of each type on the map: 1 + slot of the space, ascending; then those that stand on no space: "
              "-1 - territory"),
        Block("supply", (BUILDINGS,), "count", _TOKENS, tuple(b.name.lower() for b in Building), "tokens left"),
        # Creatures: public.
        Block("creature_at", (CREATURES,), "index", _SLOT, (), "territory of each creature on the map"),
        Block("creature_line", (CREATURES,), "index", _CREATURE, (), "its place in the line"),
        Block("creature_pile", (CREATURES,), "flag", _ONE, (), "in the draw pile (the order is hidden)"),
        Block("creature_discard", (CREATURES,), "flag", _ONE, (), "in the discard pile"),
        _one("creature_top", "count", _CREATURE, "cards of the pile's upper part, without Valkyries (NORTH-INFO-07)"),
        Block("creature_now", (CREATURES,), "onehot", _ONE, (), "PASS, CREATURES: being placed or activated"),
        Block("creature_awake", (CREATURES,), "flag", _ONE, (), "CREATURES: activated so far"),
        # Dice.
        _one("rolls", "count", 1 / ROLLS, "dice rolled since the last answered decision (public)"),
        Block("rolled", (ROLLS,), "index", _FACE, (), "their faces in order"),
        # Running operations: public unless said. Each kind runs at most once, the higher number within the lower.
        Block("frames", (len(Frame) - 1,), "flag", _ONE, tuple(f.name for f in Frame if f), "operations running"),
        Block("rows", (len(ROWS),), "index", _CARD, ROWS, "cards whose rows they run"),
        Block("row_numbers", (4,), "count", _SMALL, ("a", "b", "c", "d"), "numbers of the innermost row but COMBAT's"),
        Block("row_bits", (BITS,), "flag", _ONE, (), "its bits of fl"),
        _one("card", "index", _CARD, "CARD: card played; UPGRADE: card chosen (its owner)"),
        Block("left", (4,), "count", _SMALL, ("left", "keep", "top", "owed"), "left to do; clipped at 16"),
        _one("last", "index", _CARD, "DRAW: card kept last (its owner)"),
        _one("cell", "index", _SLOT, "CELL chosen"),
        Block("pointers", (len(POINTERS),), "index", _SLOT, POINTERS, "territories that the decision is about"),
        _one("num", "index", _SMALL, "MOVE: units chosen"),
        Block("recruited", (RECRUITED,), "index", _SLOT, (), "RECRUIT: territories that got a figure, ascending"),
        Block("chosen", (4,), "flag", _ONE, ("recruit", "move", "explore", "build"), "CHOOSE: actions begun"),
        Block("context_flags", (8,), "flag", _ONE,
              ("recruit_kaija", "second_placed", "swaps_over", "redrawn", "large_built", "struck", "named", "attacked"),
              "of the operations; named: HAND, a card of the victim is named"),
        _one("named", "index", _CARD, "HAND: card named (its victim, and an actor who sees the hand)"),
        Block("gathered", (2,), "onehot", _ONE, ("after", "now"), "BUILD: when the resources are collected"),
        Block("build", (2,), "index", _TYPE, ("type", "old"), "BUILD: types chosen"),
        Block("swap", (2, RESOURCES), "onehot", _ONE, _KINDS, "HARVEST: kinds given and taken"),
        _one("swaps", "count", _SMALL, "HARVEST: swaps made"),
        Block("paid_last", (RESOURCES,), "onehot", _ONE, _KINDS, "PAY: kind paid last"),
        Block("context_seats", (len(_CONTEXT_SEATS), SEATS), "onehot", _ONE, _SEATS, ", ".join(_CONTEXT_SEATS)),
        _one("foe", "index", _CREATURE, "COMBAT: creature that takes part"),
        Block("food", (2,), "index", _SMALL, ("attacker", "defender"), "COMBAT: bids"),
        Block("roll", (2,), "index", _FACE, ("attacker", "defender"), "COMBAT: faces"),
        Block("face", (3,), "index", _TWO, ("attacker", "defender", "either"), "COMBAT: 0 axe, 1 skull"),
        # Options (section 8).
        Block("num_players", (SEATS - 1,), "onehot", _ONE, ("2", "3", "4", "5"), "number of players"),
        Block("options", (len(OPTION_FLAGS),), "flag", _ONE, OPTION_FLAGS, "options of the rules"),
        _one("map_size", "count", 1 / 64, "side S of the torus"),
        Block("reward", (len(REWARDS),), "onehot", _ONE, REWARDS, "what the final rewards measure"),
    ]
)  # fmt: skip
