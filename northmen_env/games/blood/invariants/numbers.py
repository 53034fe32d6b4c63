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
    WARBANDS = 5
    PILE = 6
    HAND_SIZES = 7
    TILES = 8
    HELD = 9
    MODULES = 10
    ABILITIES = 11
    CELLS = 12
    NEIGHBOURS = 13
    FRONTIER = 14
    WINDOW = 15
    CONNECTED = 16
    CITADELS = 17
    SIDES = 18
    ARMIES = 19
    POINTS = 20
    PLACING = 21
    LAID = 22
    VILLAGE = 23
    ACTIONS = 24
    MOVE = 25
    BATTLE = 26
    REVEALED = 27
    BANDITS = 28
    RUN = 29
    OFFER = 30


INVARIANTS: dict[int, str] = {
    Broken.TURN: (
        "decision, acting seat, active seat and winners must fit: a seat acts and nobody has won exactly until END, "
        "only a battle or Vikings ask another seat than the active one, and bandits are met in solo play only"
    ),
    Broken.RANGES: "a number is outside its range",
    Broken.ABSENT: "everything of seats and colours that the game does not have must be empty",
    Broken.EVENTS: "the event log holds a row that no event writes",
    Broken.WARBANDS: (
        "each colour has 12 warbands: settlement + map + victory points + reserve + citadels (BLOOD-COMP-03)"
    ),
    Broken.PILE: "the pile must hold tile ids, and nothing beyond its ends",
    Broken.HAND_SIZES: "the size of a hand must be the number of its tiles",
    Broken.TILES: (
        "each tile lies in exactly one of map, pile, hands, prepared, fresh and discarded tiles, battle row, removed "
        "tiles, or is being placed; the tiles removed are those that the game is played without (BLOOD-SETUP-05)"
    ),
    Broken.HELD: "tiles known to be held must be in the hand or among the prepared tiles of their seat (BLOOD-INFO-03)",
    Broken.MODULES: (
        "without Goods there are no reserves and no prepared tiles but the bandits', without Citadels no citadel; "
        "tiles are fresh only from the village actions on"
    ),
    Broken.ABILITIES: "abilities come from the pool, none twice, and none when the option is off (BLOOD-SETUP-02)",
    Broken.CELLS: "tiles of the map lie on cells of their own, and warbands on tiles of the map",
    Broken.NEIGHBOURS: "neighbours and links must be those of the tiles",
    Broken.FRONTIER: "the frontier must be the empty cells that touch the map, with the letters that fail there",
    Broken.WINDOW: "the tiles span more columns or rows than the grid allows (BLOOD-HEX-04)",
    Broken.CONNECTED: "the map must be connected",
    Broken.CITADELS: "each citadel lies on an inner side of its own and is marked there",
    Broken.SIDES: (
        "inner sides match, but for those with a permanent citadel or waiting for one in D06, which do not "
        "(BLOOD-PLACE-05, BLOOD-CIT-07)"
    ),
    Broken.ARMIES: "sets and sums of warbands and citadels must be those of the map",
    Broken.POINTS: "the game is over when somebody has six points, but for a battle whose points are being scored",
    Broken.PLACING: (
        "a tile is being placed exactly in D02, D03 and D04, on a cell of the frontier exactly in D04; no turn begins "
        "with an empty pile (BLOOD-END-03)"
    ),
    Broken.LAID: ("a tile was laid in this turn from D05 on, and a side of it waits for a citadel exactly in D06"),
    Broken.VILLAGE: (
        "village actions are left exactly in D08 to D12, of the laid tile's village; the return of FURS-01 belongs to "
        "D08, a contested tile chosen to D11"
    ),
    Broken.ACTIONS: "actions, draws and the phase exist exactly in D13 to D18 and battles begun in D16, and must fit",
    Broken.MOVE: (
        "a move exists exactly in D17 and D18, of the phase's kind, with own warbands at its source and somewhere to go"
    ),
    Broken.BATTLE: (
        "a battle exists exactly in D19 to D21 and in those D22, B2 and B7 that belong to one; its participants, "
        "clockwise from the starter, and what they owe must fit the decision"
    ),
    Broken.REVEALED: "strengths are the mountains revealed and Marauders' point; nobody reveals before its turn",
    Broken.BANDITS: "the card in force and its effect must ask for the decision that is pending",
    Broken.RUN: "a run of moves exists in B3, B4 and battles of ROADATTACK, and must fit them",
    Broken.OFFER: "the pending decision is not offered here: there are fewer than two legal actions (BLOOD-PHASE-02)",
}
"""A sentence for each invariant, by its number."""
