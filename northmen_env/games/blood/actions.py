"""The action space (BLOOD-ACTION-01), its texts and features, and the events that seats see."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from northmen_env.engine.layout import ActionRange, ActionTable
from northmen_env.engine.spec import EventKind
from northmen_env.games.blood.amounts import PIECES
from northmen_env.games.blood.state import CELLS, CITADELS
from northmen_env.games.blood.tile_table import LETTERS, SIDES, TILES, VILLAGES

ACTIONS = ActionTable(
    [
        ActionRange("PASS", 1, "decline, stop, discard the revealed tile"),
        ActionRange("DO", 1, "keep the revealed tile; one furs, mead or forest action from the settlement"),
        ActionRange("PILE", 1, "take the top tile of the pile"),
        ActionRange("DRAW", 1, "draw one tile in place of an action"),
        ActionRange("SPEND", 1, "spend one reserve warband"),
        ActionRange("VP", 1, "take the warband from the victory points"),
        ActionRange("RES", 1, "take the warband from the reserve"),
        ActionRange("ROT", SIDES, "k: lay the tile turned clockwise by k sixths"),
        ActionRange("SIDE", SIDES, "side of the laid tile: put a citadel there"),
        ActionRange("COUNT", PIECES, "number - 1: so many warbands"),
        ActionRange("PIECE", CITADELS, "number: take the warband out of this citadel"),
        ActionRange("TILE", TILES, "id - 1: this tile of the own hand or prepared tiles"),
        ActionRange("CELL", CELLS, "cell q * S + r of the torus; a smaller grid has the first S * S of them"),
    ]
)
"""All actions of the largest grid; a game has the first `163 + grid_size ** 2` of them (`num_actions`)."""

# First action of each range, as plain integers for kernels. TILE is the action of "tile 0": TILE + t is tile t's.
PASS = ACTIONS["PASS"].start
DO = ACTIONS["DO"].start
PILE = ACTIONS["PILE"].start
DRAW = ACTIONS["DRAW"].start
SPEND = ACTIONS["SPEND"].start
VP = ACTIONS["VP"].start
RES = ACTIONS["RES"].start
ROT = ACTIONS["ROT"].start
SIDE = ACTIONS["SIDE"].start
COUNT = ACTIONS["COUNT"].start - 1
PIECE = ACTIONS["PIECE"].start
TILE = ACTIONS["TILE"].start - 1
CELL = ACTIONS["CELL"].start


def num_actions(grid_size: int) -> int:
    """Return the size of the action space with this grid: 163 + S * S."""
    return CELL + grid_size * grid_size


# ---- Events ---------------------------------------------------------------------------------------------------------

# Where a warband comes from, as an argument of an event: a tile id 1-120 stands for that tile of the map.
FROM_SETTLEMENT = np.int64(0)
FROM_POINTS = np.int64(TILES + 1)
FROM_RESERVE = np.int64(TILES + 2)
FROM_CITADEL = np.int64(TILES + 3)  # + number of the citadel


class Event(IntEnum):
    """Codes of the event log; `EVENTS[code]` says what the columns mean. Seat -1 is nobody, in solo the bandits."""

    DEAL_UP = 0
    DEAL = 1
    TURN = 2
    CHOOSE = 3
    REVEAL = 4
    REFUSE = 5
    TAKE = 6
    LAY = 7
    ROTATE = 8
    CITADEL = 9
    FOUND = 10
    SAILS = 11
    RETURN = 12
    FURS = 13
    MEAD = 14
    SILVER = 15
    TUSK = 16
    SETTLE = 17
    SPEND = 18
    DRAW = 19
    MOVE = 20
    ARRIVE = 21
    BATTLE = 22
    PREPARED = 23
    FROM_HAND = 24
    FROM_PILE = 25
    LOSE = 26
    ADD = 27
    POINT = 28
    VIKINGS = 29
    BJARMIA = 30
    CARD = 31
    PLACE = 32
    BRIBE = 33
    PREPARE = 34
    DISCARD = 35
    END = 36


EVENTS = (
    EventKind("deal_up", "the seat is dealt tile a face up"),
    EventKind("deal", "the seat is dealt tile a face down (known to the seat alone)"),
    EventKind("turn", "the seat's turn begins"),
    EventKind("choose", "the seat chooses tile a of its hand to lay"),
    EventKind("reveal", "the seat reveals tile a, the top of the pile"),
    EventKind("refuse", "the seat discards the revealed tile a"),
    EventKind("take", "the seat takes tile a from the pile after that (known to the seat alone)"),
    EventKind("lay", "the seat lays tile a on cell b"),
    EventKind("rotate", "tile a lies turned by b sixths"),
    EventKind("citadel", "the seat puts citadel a on side b of the tile just laid"),
    EventKind("found", "the warband of that citadel comes from source a"),
    EventKind("sails", "the seat discards village tile a for its sails"),
    EventKind("return", "the seat returns its a victory points to its settlement"),
    EventKind("furs", "the seat scores a point for furs with the warband from source a"),
    EventKind("mead", "the seat puts the warband from source a into its reserve"),
    EventKind("silver", "the seat discards tile b and removes a warband of each other colour from tile a"),
    EventKind("tusk", "the seat prepares tile a (known to the seat alone)"),
    EventKind("settle", "the seat places the warband from source a on the tile just laid"),
    EventKind("spend", "the seat spends a reserve warband"),
    EventKind("draw", "the seat draws tile a from the pile (known to the seat alone)"),
    EventKind("move", "the seat moves b warbands away from tile a"),
    EventKind("arrive", "they arrive on tile a by a move of kind b: 1 lake, 2 road"),
    EventKind("battle", "the seat begins a battle on tile a"),
    EventKind("prepared", "the seat reveals its prepared tile a"),
    EventKind("from_hand", "the seat reveals tile a from its hand"),
    EventKind("from_pile", "the seat reveals tile a from the pile; 0: the pile is empty"),
    EventKind("lose", "the seat's strength is b; it loses a warbands"),
    EventKind("add", "the seat adds a warbands to the battle tile"),
    EventKind("point", "the seat scores a point with the warband from source a"),
    EventKind("vikings", "the seat's villages of one type are worth a point"),
    EventKind("bjarmia", "the seat holds connected villages of all four types"),
    EventKind("card", "tile a of the pile is turned over as a card; card b is done"),
    EventKind("place", "a bandit from source b is put on tile a"),
    EventKind("bribe", "the bandits bribe a warband on tile a"),
    EventKind("prepare", "the bandits prepare a tiles"),
    EventKind("discard", "tile a of the pile is discarded"),
    EventKind("end", "the game is over"),
)

_EVENT_TEXTS = {
    Event.DEAL_UP: "{who} is dealt {tile_a} face up",
    Event.DEAL: "{who} is dealt {tile_a} face down",
    Event.TURN: "the turn of {who} begins",
    Event.CHOOSE: "{who} chooses {tile_a}",
    Event.REVEAL: "{who} reveals {tile_a}",
    Event.REFUSE: "{who} discards the revealed {tile_a}",
    Event.TAKE: "{who} takes {tile_a} from the pile",
    Event.LAY: "{who} lays {tile_a} on {cell_b}",
    Event.ROTATE: "{tile_a} lies turned by {b} sixths",
    Event.CITADEL: "{who} puts citadel {a} on side {side_b}",
    Event.FOUND: "{who} takes the warband of the citadel from {source_a}",
    Event.SAILS: "{who} discards {tile_a} for the sails",
    Event.RETURN: "{who} returns {points_a} to the settlement",
    Event.FURS: "{who} scores a point for furs with a warband from {source_a}",
    Event.MEAD: "{who} puts a warband from {source_a} into the reserve",
    Event.SILVER: "{who} discards {tile_b} to clear {tile_a}",
    Event.TUSK: "{who} prepares {tile_a}",
    Event.SETTLE: "{who} places a warband from {source_a}",
    Event.SPEND: "{who} spends a reserve warband",
    Event.DRAW: "{who} draws {tile_a}",
    Event.MOVE: "{who} moves {warbands_b} from {tile_a}",
    Event.ARRIVE: "they arrive on {tile_a} by {kind_b}",
    Event.BATTLE: "{who} begins a battle on {tile_a}",
    Event.PREPARED: "{who} reveals the prepared {tile_a}",
    Event.FROM_HAND: "{who} reveals {tile_a} from the hand",
    Event.FROM_PILE: "{who} reveals {tile_a} from the pile",
    Event.LOSE: "{who} has strength {b} and loses {warbands_a}",
    Event.ADD: "{who} adds {warbands_a}",
    Event.POINT: "{who} scores a point with a warband from {source_a}",
    Event.VIKINGS: "{who} holds two villages of one type",
    Event.BJARMIA: "{who} has reached Bjarmia",
    Event.CARD: "card {a:03d} is turned over; card {b:03d} is done",
    Event.PLACE: "a bandit from {source_b} is put on {tile_a}",
    Event.BRIBE: "the bandits bribe a warband on {tile_a}",
    Event.PREPARE: "the bandits prepare {tiles_a}",
    Event.DISCARD: "{tile_a} is discarded from the pile",
    Event.END: "the game is over",
}


# ---- Texts ----------------------------------------------------------------------------------------------------------

SIDE_NAMES = ("N", "NE", "SE", "S", "SW", "NW")

_VILLAGE_NAMES = {int(village): name for name, village in VILLAGES.items()}
_PLAIN = {
    "DO": "DO it",
    "PILE": "PILE: the top tile",
    "DRAW": "DRAW a tile",
    "SPEND": "SPEND a reserve warband",
    "VP": "VP: from the victory points",
    "RES": "RES: from the reserve",
}


def _plural(count: int, one: str, many: str) -> str:
    return f"{count if count >= 0 else 'some'} {one if count == 1 else many}"


def tile_text(rules: Any, tile: int) -> str:
    """Return what a tile shows, for example `tile 3 (LLMR-- Mead)`; -1 is an unknown tile, 0 none."""
    if not 1 <= tile <= TILES:
        return "a tile" if tile < 0 else "no tile"
    sides = "".join(LETTERS[int(letter)] for letter in rules.letters[tile])
    village = int(rules.village[tile])
    return f"tile {tile} ({sides}{'' if village < 0 else ' ' + _VILLAGE_NAMES[village]})"


def cell_text(rules: Any, cell: int) -> str:
    """Return a cell by its torus coordinates, for example `cell 528 (q 16 r 16)`."""
    size = int(rules.grid_size)
    return f"cell {cell} (q {cell // size} r {cell % size})" if cell >= 0 else "a cell"


def source_text(rules: Any, source: int) -> str:
    """Return where a warband comes from (`FROM_SETTLEMENT` …)."""
    if source >= FROM_CITADEL:
        return f"citadel {source - FROM_CITADEL}"
    plain: dict[Any, str] = {
        FROM_SETTLEMENT: "the settlement",
        FROM_POINTS: "the victory points",
        FROM_RESERVE: "the reserve",
    }
    return plain[source] if source in plain else tile_text(rules, source)


def action_text(rules: Any, action: int) -> str:
    """Return the name of an action: unique, one line, no commas.

    Raises:
        ValueError: `action` is outside the action space.
    """
    if action >= num_actions(int(rules.grid_size)):
        raise ValueError(f"action {action} is outside 0..{num_actions(int(rules.grid_size)) - 1}")
    kind, i = ACTIONS.locate(action)
    if kind == "TILE":
        return f"TILE {tile_text(rules, i + 1).removeprefix('tile ')}"
    if kind == "CELL":
        return f"CELL {cell_text(rules, i).removeprefix('cell ')}"
    numbers = {"ROT": f"ROT {i}", "SIDE": f"SIDE {SIDE_NAMES[i % SIDES]}", "COUNT": f"COUNT {i + 1}",
               "PIECE": f"PIECE {i}"}  # fmt: skip
    return numbers.get(kind, _PLAIN.get(kind, kind))


def event_text(rules: Any, viewer: int, row: tuple[int, int, int, int]) -> str:
    """Return one line for the event `(code, seat, a, b)` as `viewer` saw it; -1 stands for what it does not know.

    Raises:
        ValueError: the code is unknown.
    """
    code, seat, a, b = (int(value) for value in row)
    nobody = "the bandits" if rules.solo else "nobody"
    who = f"seat {seat}" if seat >= 0 else nobody
    return _EVENT_TEXTS[Event(code)].format(
        who=f"{who} (you)" if 0 <= seat == viewer else who,
        a=a,
        b=b,
        tile_a=tile_text(rules, a),
        tile_b=tile_text(rules, b),
        tiles_a=_plural(a, "tile", "tiles"),
        cell_b=cell_text(rules, b),
        side_b=SIDE_NAMES[b % SIDES],
        source_a=source_text(rules, a),
        source_b=source_text(rules, b),
        points_a=_plural(a, "victory point", "victory points"),
        warbands_a=_plural(a, "warband", "warbands"),
        warbands_b=_plural(b, "warband", "warbands"),
        kind_b={1: "lake", 2: "road"}.get(b, "no way"),
    )


# ---- Features -------------------------------------------------------------------------------------------------------

_KINDS = tuple(entry.name.lower() for entry in ACTIONS.ranges)

FEATURE_COLUMNS = (
    *_KINDS,
    "number",
    *(f"side_{name.lower()}" for name in SIDE_NAMES),
    *(f"tile_{name}" for name in ("forest", "lake", "road", "mountain", "empty")),
    *(f"tile_{name.lower()}" for name in VILLAGES if name != "-"),
    "cell_q",
    "cell_r",
)
"""Columns of `action_features`: the range; the number of ROT, COUNT or PIECE in 12ths; the side of ROT (where its
printed side 0 comes to lie) or SIDE; for TILE its sides of each kind in sixths and its village; for CELL the torus
coordinates in 64ths."""


def action_features(rules: Any) -> np.ndarray:
    """Return float32 (num_actions, F): what each action is about, in the columns `FEATURE_COLUMNS`."""
    size = int(rules.grid_size)
    features = np.zeros((num_actions(size), len(FEATURE_COLUMNS)), np.float32)
    column = {name: i for i, name in enumerate(FEATURE_COLUMNS)}
    for action in range(len(features)):
        kind, i = ACTIONS.locate(action)
        row = features[action]
        row[column[kind.lower()]] = 1.0
        if kind in ("ROT", "COUNT", "PIECE"):
            row[column["number"]] = np.float32(i + (kind == "COUNT")) / np.float32(PIECES)
        if kind in ("ROT", "SIDE"):
            row[column["side_n"] + i] = 1.0
        if kind == "TILE":
            _tile_features(rules, i + 1, row, column)
        if kind == "CELL":
            row[column["cell_q"]] = np.float32(i // size) / np.float32(64)
            row[column["cell_r"]] = np.float32(i % size) / np.float32(64)
    return features


def _tile_features(rules: Any, tile: int, row: np.ndarray, column: dict[str, int]) -> None:
    for letter in rules.letters[tile]:
        row[column["tile_forest"] + int(letter)] += np.float32(1 / SIDES)
    village = int(rules.village[tile])
    if village >= 0:
        row[column["tile_mead"] + village] = 1.0
