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
    CUBES = 5
    HEROES = 6
    TOKENS = 7
    CARD_LISTS = 8
    HAND_SIZES = 9
    CARDS = 10
    SLOTS = 11
    ROUTE_LISTS = 12
    ROUTES = 13
    CARD = 14
    MARCH = 15
    SYMBOLS = 16
    ROUTE_CONTEXT = 17
    HOLD_CONTEXT = 18
    GROUP = 19
    CONTROL = 20
    DELAYS = 21
    KINGDOMS = 22
    REGIONS = 23
    PLACED = 24
    KNOWN_HANDS = 25
    FIRST_ROUND = 26
    PLANNED = 27
    HELD_CARDS = 28
    ROUTE_POSITIONS = 29
    ROUTE_HOLDERS = 30
    OFFER = 31


INVARIANTS: dict[int, str] = {
    Broken.TURN: (
        "decision, acting seat, round and leader must fit: a seat acts exactly until END, which comes after round 3, "
        "and planning in round 3 needs the option final_planning"
    ),
    Broken.RANGES: "a number is outside its range",
    Broken.ABSENT: (
        "everything of seats, kingdoms, regions, cards and routes that the game does not have must be zero"
    ),
    Broken.EVENTS: "the event log holds a row that no event writes",
    Broken.CUBES: "each seat has 30 cubes: reserve + infamy + cubes on the board (SAGA-DATA-02)",
    Broken.HEROES: "each seat has 3 heroes: supply + heroes on the board (SAGA-DATA-02)",
    Broken.TOKENS: (
        "tokens in regions + collected tokens + group + 15 for each round to come must be 45 (SAGA-DATA-03)"
    ),
    Broken.CARD_LISTS: "piles, slots and draw pile must hold card ids, and nothing beyond their ends",
    Broken.HAND_SIZES: "a hand has at most six cards, five while its owner has yet to draw, and its size must fit",
    Broken.CARDS: (
        "each influence card lies in exactly one of draw pile, slots, hands and piles, or among the discards of the "
        "seats that have planned, which are as many as those seats did not hold"
    ),
    Broken.SLOTS: "a face-up slot is empty only when the draw pile is (SAGA-RALLY-14)",
    Broken.ROUTE_LISTS: "the trade deck must hold route ids, and nothing beyond its end",
    Broken.ROUTES: (
        "each trade route is in exactly one of the deck, the open and the completed routes of one seat, and the drawn "
        "pair, which exists exactly in KEEP"
    ),
    Broken.CARD: "`card` is the top card of the acting seat's pile in HIRE and DRAW, and none elsewhere",
    Broken.MARCH: (
        "the march context exists exactly in DELAY, CUBE and HERO, names a kingdom that the acting seat controls and "
        "that is to move in this pass, and its numbers are 0 where they say nothing"
    ),
    Broken.SYMBOLS: (
        "armies and fleets are the symbols of the kingdom's suit in the acting seat's pile; land and sea are cubes it "
        "has sent, within them; last is a region it can have sent to, and 0 under march_order = free"
    ),
    Broken.ROUTE_CONTEXT: "route_last is a route completed by the acting seat in ROUTE, and -1 elsewhere",
    Broken.HOLD_CONTEXT: (
        "held and hold_last are hand cards of the acting seat in HOLD, hold_last the highest one held, and empty and "
        "-1 elsewhere"
    ),
    Broken.GROUP: "tokens are left in the group exactly while the rally lasts (SAGA-RALLY-11)",
    Broken.CONTROL: (
        "a kingdom with pieces is controlled by their owner during the march, and nobody controls a kingdom outside it"
    ),
    Broken.DELAYS: (
        "a time token is used exactly by a seat with one delayed kingdom, which it controls (SAGA-MARCH-08)"
    ),
    Broken.KINGDOMS: "pieces stand only in kingdoms that are still to move",
    Broken.REGIONS: "pieces stand in regions only during the march, and after the battles of one seat at most",
    Broken.PLACED: (
        "a seat has no more cubes in a kingdom than symbols of that suit in its pile (SAGA-MARCH-12), and no hero "
        "without a cube, unless hero_needs_cube is off (SAGA-RALLY-08)"
    ),
    Broken.KNOWN_HANDS: "cards known to be in a hand must be in it",
    Broken.FIRST_ROUND: (
        "until a seat has planned in round 1 it holds 0 cards of 0, none is known, and every card may be new (SAGA- "
        "INFO-05)"
    ),
    Broken.PLANNED: (
        "the facts of a seat's last planning must fit: held cards at most the hand before, known ones among them, and "
        "right after it the hand is what was held (SAGA-INFO-10)"
    ),
    Broken.HELD_CARDS: "what is known about held cards must be possible (SAGA-INFO-11)",
    Broken.ROUTE_POSITIONS: "a known position in the trade deck must be the route's position (SAGA-INFO-07)",
    Broken.ROUTE_HOLDERS: "a seat known to hold a route must have it open (SAGA-INFO-07)",
    Broken.OFFER: (
        "the pending decision is not offered here: the acting seat has fewer than two legal actions (SAGA-TURN-03) or "
        "cannot pay"
    ),
}
"""A sentence for each invariant, by its number."""
