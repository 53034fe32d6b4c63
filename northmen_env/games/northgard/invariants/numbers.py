"""The invariants by number, with a sentence for each."""

from __future__ import annotations

from enum import IntEnum


class Broken(IntEnum):
    """Number of an invariant; 0: none is broken."""

    NONE = 0
    TURN = 1
    RANGES = 2
    ABSENT = 3
    EVENTS = 4
    LISTS = 5
    CLANS = 6
    CARDS = 7
    TILES = 8
    GRID = 9
    FRONT = 10
    BORDERS = 11
    TERRITORIES = 12
    ADJACENCY = 13
    SPACES = 14
    SUPPLY = 15
    YIELDS = 16
    UNITS = 17
    SHARED = 18
    CREATURES = 19
    FRAMES = 20
    NEUTRAL = 21
    CONTEXT = 22
    OFFER = 23
    YEAR = 24


INVARIANTS: dict[int, str] = {
    Broken.TURN: (
        "phase, decision, seat asked, turn player and marker must fit: a seat is asked exactly until END, and each "
        "decision belongs to its phase (NORTH-PH-10)"
    ),
    Broken.RANGES: "a number is outside its range",
    Broken.ABSENT: "everything of seats that the game does not have must be empty",
    Broken.EVENTS: "the event log holds a row that no event writes",
    Broken.LISTS: (
        "a list of cards or tiles must be sorted where order says nothing, hold ids up to its size and nothing beyond; "
        "an owner knows the own hand"
    ),
    Broken.CLANS: "no clan is taken twice, and the seats of Bear and Snake are those of their clans",
    Broken.CARDS: (
        "cards are conserved: starting and clan cards of each seat, the Early and Advanced cards of the game, N "
        "achievements, ten Unrest cards (NORTH-COMP-05, NORTH-DECK-04)"
    ),
    Broken.TILES: "each tile of the game lies in exactly one of map, stack, hands, drawn tiles, or is being laid",
    Broken.GRID: "the tiles of the map lie on cells of their own that hang together, within the torus (NORTH-TILE-12)",
    Broken.FRONT: "the cells that touch the map must have their smallest names, plots around and corners",
    Broken.BORDERS: "a border stops in the middle of surrounding tiles (NORTH-EXPL-06 c)",
    Broken.TERRITORIES: "territories, open sides, sizes and lairs must be those of the tiles (NORTH-TILE-06, -10)",
    Broken.ADJACENCY: "adjacent territories must be those with a border between them (NORTH-TILE-09)",
    Broken.SPACES: "a building stands on a space of the wrong kind, or free spaces are miscounted",
    Broken.SUPPLY: "there are seven tokens of each building type (NORTH-COMP-02)",
    Broken.YIELDS: "what territories produce must be their icons and buildings",
    Broken.UNITS: (
        "units of a seat on the map are those of its territories, at most 14; figures stand in territories, Kaija is "
        "the Bear's (NORTH-SETUP-08)"
    ),
    Broken.SHARED: "figures of two players share a territory outside a combat or a Move (NORTH-COMB-01)",
    Broken.CREATURES: "each creature is in exactly one of line, pile, discard, or being placed (NORTH-CRE-02)",
    Broken.FRAMES: "the running operations cannot lie on each other like this, or ask what is asked (NORTH-PH-10)",
    Broken.NEUTRAL: "a field of an operation that does not run must say nothing",
    Broken.CONTEXT: "a field of a running operation does not fit its decision",
    Broken.OFFER: "what is offered must be the legal actions of the seat asked, at least two (NORTH-PH-02)",
    Broken.YEAR: (
        "development deck and achievements hold what later years deal, Early cards on top; the display has a card of "
        "this year for each seat that took none, and who has passed took one (NORTH-YEAR-02, -03, NORTH-TURN-13)"
    ),
}
"""A sentence for each invariant, by its number."""
