"""The action space (NORTH-ACT-01), its texts and features, and the events that seats see."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from northmen_env.engine.layout import ActionRange, ActionTable
from northmen_env.engine.spec import EventKind
from northmen_env.games.northgard.options import CLANS, Clan
from northmen_env.games.northgard.state import CELLS
from northmen_env.games.northgard.tables import (
    BUILDINGS,
    CARDS,
    CREATURES,
    RESOURCES,
    SEATS,
    SIDES,
    TILES,
    Group,
    building_name,
    card_name,
    creature_name,
)

SLOTS = TILES * SIDES
"""Slots, the canonical ids of territories (NORTH-TILE-07)."""

NUMBERS = 16

ACTIONS = ActionTable(
    [
        ActionRange("DONE", 1, "stop, decline, skip, no"),
        ActionRange("YES", 1, "accept; FT_CARD: draw a card"),
        ActionRange("MODE", 6, "0 play, 1 wait, 2 replace, 3 remove, 4 upgrade, 5 pass"),
        ActionRange("CARD", CARDS, "card id"),
        ActionRange("TERR", SLOTS, "canonical territory id 4 p + a"),
        ActionRange("CELL", CELLS, "4 p + d: the cell at world side d of the p-th placed tile"),
        ActionRange("ROT", SIDES, "quarter turns clockwise"),
        ActionRange("PICK", 3, "i-th tile by ascending id"),
        ActionRange("NUM", NUMBERS, "number"),
        ActionRange("BLDG", BUILDINGS, "building type"),
        ActionRange("RES", RESOURCES, "0 food, 1 wood, 2 lore"),
        ActionRange("ACT", 4, "0 recruit, 1 move, 2 explore, 3 build"),
        ActionRange("PLAYER", SEATS - 1, "the seat offset + 1 places clockwise after the decider"),
        ActionRange("CRE", CREATURES, "creature id"),
        ActionRange("CLAN", CLANS, "clan id"),
        ActionRange("FACE", 2, "0 axe, 1 skull"),
    ]
)

# First action of each range, as plain integers for kernels.
DONE = ACTIONS["DONE"].start
YES = ACTIONS["YES"].start
MODE = ACTIONS["MODE"].start
CARD = ACTIONS["CARD"].start
TERR = ACTIONS["TERR"].start
CELL = ACTIONS["CELL"].start
ROT = ACTIONS["ROT"].start
PICK = ACTIONS["PICK"].start
NUM = ACTIONS["NUM"].start
BLDG = ACTIONS["BLDG"].start
RES = ACTIONS["RES"].start
ACT = ACTIONS["ACT"].start
PLAYER = ACTIONS["PLAYER"].start
CRE = ACTIONS["CRE"].start
CLAN = ACTIONS["CLAN"].start
FACE = ACTIONS["FACE"].start

PLAY, WAIT, REPLACE, REMOVE, UPGRADE, PASS = (MODE + mode for mode in range(6))


# ---- Events ---------------------------------------------------------------------------------------------------------


class Event(IntEnum):
    """Codes of the event log; `EVENTS[code]` says what the columns mean. Seat -1 is nobody, or a creature.

    Territories are named by their slot (the canonical id at that moment).
    """

    CLAN = 0
    FIRST = 1
    TILE = 2
    LAY = 3
    TURN_TILE = 4
    UNITS = 5
    KAIJA = 6
    YEAR = 7
    DRAW = 8
    DRAWS = 9
    SHUFFLE = 10
    SHOW = 11
    PLAY = 12
    CANCEL = 13
    WAIT = 14
    REPLACE = 15
    REMOVE = 16
    UPGRADE = 17
    TAKE = 18
    PASS = 19
    PICK = 20
    TOKEN = 21
    PAY = 22
    GAIN = 23
    FAME = 24
    MOVE = 25
    GROUP = 26
    COMBAT = 27
    FIGHT = 28
    FOOD = 29
    ROLL = 30
    FACE = 31
    SCORE = 32
    WIN = 33
    LOSE = 34
    RETREAT = 35
    PUSH = 36
    UNDER = 37
    SHOWN = 38
    CLOSE = 39
    BUILD = 40
    UNBUILD = 41
    CHOOSE = 42
    COPY = 43
    STRIKE = 44
    SEE = 45
    DISCARD = 46
    NAMED = 47
    RANSOM = 48
    BRIBE = 49
    FETCH = 50
    KEEP = 51
    ON_TOP = 52
    CONQUER = 53
    SCORCH = 54
    HARVEST = 55
    TRADE = 56
    SWAP = 57
    APPEAR = 58
    ROAM = 59
    SLAIN = 60
    WINTER = 61
    UNREST = 62
    SECOND = 63
    END = 64


EVENTS = (
    EventKind("clan", "the seat leads clan a"),
    EventKind("first", "the seat takes the first-player marker"),
    EventKind("tile", "the seat takes tile a (known to the seat alone)"),
    EventKind("lay", "tile a is laid on cell b by the seat"),
    EventKind("turn_tile", "tile a lies turned by b quarters"),
    EventKind("units", "the seat puts b units into territory a"),
    EventKind("kaija", "the seat puts Kaija into territory a"),
    EventKind("year", "year a begins"),
    EventKind("draw", "the seat draws card a (known to the seat alone)"),
    EventKind("draws", "the seat draws a cards"),
    EventKind("shuffle", "the seat shuffles its discard pile into a draw pile; seat -1: the tile stack (a = 0) or the "
              "creature cards (a = 1) are shuffled"),
    EventKind("show", "card a joins the display"),
    EventKind("play", "the seat plays card a"),
    EventKind("cancel", "the seat cancels card a with card b"),
    EventKind("wait", "the seat waits with card a"),
    EventKind("replace", "the seat replaces card a"),
    EventKind("remove", "the seat removes card a from the game"),
    EventKind("upgrade", "the seat gives card a for an upgrade; b = 1: it leaves the game"),
    EventKind("take", "the seat takes card a into its hand"),
    EventKind("pass", "the seat passes"),
    EventKind("pick", "the seat puts card a of the display on its draw pile"),
    EventKind("token", "the seat puts the Scorched Earth token into territory a"),
    EventKind("pay", "the seat pays one resource of kind a to seat b, -1 the supply"),
    EventKind("gain", "the seat gains b resources of kind a"),
    EventKind("fame", "the seat gains a fame"),
    EventKind("move", "the seat moves from territory a to territory b"),
    EventKind("group", "a units of the seat, and Kaija if b = 1, move there"),
    EventKind("combat", "the seat attacks seat b in territory a"),
    EventKind("fight", "the seat and creature b fight in territory a"),
    EventKind("food", "the seat discards a food"),
    EventKind("roll", "the seat, -1 a creature, rolls face a"),
    EventKind("face", "the seat takes a: 0 axe, 1 skull"),
    EventKind("score", "the attacker has a points, the defender b"),
    EventKind("win", "the seat, -1 a creature or nobody, wins in territory a"),
    EventKind("lose", "the seat loses b figures in territory a"),
    EventKind("retreat", "b units of the seat, 0: Kaija, retreat to territory a"),
    EventKind("push", "a unit of the seat is pushed from territory a to territory b"),
    EventKind("under", "the seat puts tile a under the stack (known to the seat alone)"),
    EventKind("shown", "the seat puts tile a under the stack, shown to all"),
    EventKind("close", "the seat closes territory a of size b"),
    EventKind("build", "the seat builds type b in territory a"),
    EventKind("unbuild", "the seat takes away type b in territory a"),
    EventKind("choose", "the seat takes the basic action a"),
    EventKind("copy", "the seat copies card a of seat b"),
    EventKind("strike", "the seat removes a figure of seat b in territory a"),
    EventKind("see", "the seat sees card a in the hand of seat b (known to these two)"),
    EventKind("discard", "the seat discards card a from its hand"),
    EventKind("named", "card a is named in the hand of the seat (known to the seat, and to who named it)"),
    EventKind("ransom", "the seat keeps the card and gives two resources to seat a"),
    EventKind("bribe", "the seat bribes units in territory a to move to territory b"),
    EventKind("fetch", "the seat takes card a from its discard pile"),
    EventKind("keep", "the seat keeps the drawn card a (known to the seat alone)"),
    EventKind("on_top", "the seat puts card a on its draw pile (known to the seat alone)"),
    EventKind("conquer", "the seat ignores towers and fortresses this year"),
    EventKind("scorch", "the seat takes a resource of kind a from the harvest of seat b"),
    EventKind("harvest", "the seat harvests"),
    EventKind("trade", "the seat trades for a resource of kind a"),
    EventKind("swap", "the seat gives its teammate kind a for kind b"),
    EventKind("appear", "creature a appears in territory b"),
    EventKind("roam", "creature a moves to territory b"),
    EventKind("slain", "the seat slays creature a"),
    EventKind("winter", "the seat pays a food and b wood in winter"),
    EventKind("unrest", "the seat takes an Unrest card (a = 1) or loses fame (a = 0)"),
    EventKind("second", "the seat gets a second chance"),
    EventKind("end", "the game is over"),
)  # fmt: skip

_KINDS = ("food", "wood", "lore")
_ACTS = ("Recruit", "Move", "Explore", "Build")
_CHOICES = ("an axe", "a skull")
_MODES = ("play", "wait", "replace", "remove", "upgrade", "pass")

_EVENT_TEXTS = {
    Event.CLAN: "{who} leads the {clan_a}",
    Event.FIRST: "{who} takes the first-player marker",
    Event.TILE: "{who} takes {tile_a}",
    Event.LAY: "{who} lays {tile_a} on cell {b}",
    Event.TURN_TILE: "{tile_a} lies turned by {b} quarters",
    Event.UNITS: "{who} puts {b} units into territory {a}",
    Event.KAIJA: "{who} puts Kaija into territory {a}",
    Event.YEAR: "year {a} begins",
    Event.DRAW: "{who} draws {card_a}",
    Event.DRAWS: "{who} draws {a} cards",
    Event.SHUFFLE: "{shuffled}",
    Event.SHOW: "{card_a} joins the display",
    Event.PLAY: "{who} plays {card_a}",
    Event.CANCEL: "{who} cancels {card_a} with {card_b}",
    Event.WAIT: "{who} waits with {card_a}",
    Event.REPLACE: "{who} replaces {card_a}",
    Event.REMOVE: "{who} removes {card_a} from the game",
    Event.UPGRADE: "{who} gives {card_a} for an upgrade",
    Event.TAKE: "{who} takes {card_a} into the hand",
    Event.PASS: "{who} passes",
    Event.PICK: "{who} puts {card_a} of the display on the draw pile",
    Event.TOKEN: "{who} puts the Scorched Earth token into territory {a}",
    Event.PAY: "{who} pays one {kind_a} to {other_b}",
    Event.GAIN: "{who} gains {b} {kind_a}",
    Event.FAME: "{who} gains {a} fame",
    Event.MOVE: "{who} moves from territory {a} to territory {b}",
    Event.GROUP: "{who} moves {a} units{kaija_b}",
    Event.COMBAT: "{who} attacks {other_b} in territory {a}",
    Event.FIGHT: "{who} and {creature_b} fight in territory {a}",
    Event.FOOD: "{who} discards {a} food",
    Event.ROLL: "{roller} rolls face {a}",
    Event.FACE: "{who} takes {choice_a}",
    Event.SCORE: "the attacker has {a} points and the defender {b}",
    Event.WIN: "{winner} wins in territory {a}",
    Event.LOSE: "{who} loses {b} figures in territory {a}",
    Event.RETREAT: "{group_b} of {who} retreat to territory {a}",
    Event.PUSH: "a unit of {who} is pushed from territory {a} to territory {b}",
    Event.UNDER: "{who} puts {tile_a} under the stack",
    Event.SHOWN: "{who} puts {tile_a} under the stack for all to see",
    Event.CLOSE: "{who} closes territory {a} of size {b}",
    Event.BUILD: "{who} builds a {building_b} in territory {a}",
    Event.UNBUILD: "{who} takes away a {building_b} in territory {a}",
    Event.CHOOSE: "{who} takes the action {act_a}",
    Event.COPY: "{who} copies {card_a} of {other_b}",
    Event.STRIKE: "{who} removes a figure of {other_b} in territory {a}",
    Event.SEE: "{who} sees {card_a} in the hand of {other_b}",
    Event.DISCARD: "{who} discards {card_a}",
    Event.NAMED: "{card_a} is named in the hand of {who}",
    Event.RANSOM: "{who} keeps the card and gives two resources to {other_a}",
    Event.BRIBE: "{who} bribes units in territory {a} to move to territory {b}",
    Event.FETCH: "{who} takes {card_a} from the discard pile",
    Event.KEEP: "{who} keeps {card_a}",
    Event.ON_TOP: "{who} puts {card_a} on the draw pile",
    Event.CONQUER: "{who} ignores towers and fortresses this year",
    Event.SCORCH: "{who} takes one {kind_a} from the harvest of {other_b}",
    Event.HARVEST: "{who} harvests",
    Event.TRADE: "{who} trades for one {kind_a}",
    Event.SWAP: "{who} gives the teammate one {kind_a} for one {kind_b}",
    Event.APPEAR: "{creature_a} appears in territory {b}",
    Event.ROAM: "{creature_a} moves to territory {b}",
    Event.SLAIN: "{who} slays {creature_a}",
    Event.WINTER: "{who} pays {a} food and {b} wood in winter",
    Event.UNREST: "{who} {unrest_a}",
    Event.SECOND: "{who} gets a second chance",
    Event.END: "the game is over",
}


# ---- Texts ----------------------------------------------------------------------------------------------------------


def clan_name(clan: int) -> str:
    """Return the printed name of a clan."""
    return f"{Clan(clan).name.title()} clan"


def action_text(rules: Any, action: int) -> str:
    """Return the name of an action: unique, one line, no commas.

    Raises:
        ValueError: `action` is outside the action space.
    """
    kind, i = ACTIONS.locate(action)
    about = {
        "MODE": lambda: _MODES[i],
        "CARD": lambda: f"{i} ({card_name(rules, i)})",
        "CELL": lambda: f"{i} (side {'NESW'[i % SIDES]} of laid tile #{i // SIDES})",
        "TERR": lambda: str(i),
        "BLDG": lambda: building_name(i),
        "RES": lambda: _KINDS[i],
        "ACT": lambda: _ACTS[i],
        "PLAYER": lambda: f"+{i + 1}",
        "CRE": lambda: creature_name(rules, i),
        "CLAN": lambda: Clan(i).name.title(),
        "FACE": lambda: ("axe", "skull")[i],
        "DONE": lambda: "",
        "YES": lambda: "",
    }.get(kind, lambda: str(i))()
    return f"{kind} {about}".strip().replace(",", "")


def event_text(rules: Any, viewer: int, row: tuple[int, int, int, int]) -> str:
    """Return one line for the event `(code, seat, a, b)` as `viewer` saw it; -1 stands for what it does not know.

    Raises:
        ValueError: the code is unknown.
    """
    code, seat, a, b = (int(value) for value in row)

    def name(other: int, nobody: str = "nobody") -> str:
        if other < 0:
            return nobody
        return f"seat {other} (you)" if other == viewer else f"seat {other}"

    return _EVENT_TEXTS[Event(code)].format(
        who=name(seat),
        roller=name(seat, "the creature"),
        winner=name(seat, "no player"),
        other_a=name(a, "the supply"),
        other_b=name(b, "the supply"),
        a=a,
        b=b,
        card_a=_named(card_name, rules, a, CARDS, "a card"),
        card_b=_named(card_name, rules, b, CARDS, "a card"),
        tile_a=f"tile t{a}" if a >= 0 else "a tile",
        creature_a=_named(creature_name, rules, a, CREATURES, "a creature"),
        creature_b=_named(creature_name, rules, b, CREATURES, "a creature"),
        building_b=building_name(b % BUILDINGS),
        clan_a=clan_name(a % CLANS),
        kind_a=_KINDS[a % RESOURCES],
        kind_b=_KINDS[b % RESOURCES],
        act_a=_ACTS[a % 4],
        choice_a=_CHOICES[a % 2],
        group_b=f"{b} units" if b > 0 else "Kaija",
        kaija_b=" and Kaija" if b > 0 else "",
        unrest_a="takes an Unrest card" if a > 0 else "loses fame for unrest",
        shuffled=f"{name(seat)} shuffles the discard pile into a draw pile" if seat >= 0
        else ("the tile stack is shuffled" if a == 0 else "the creature cards are shuffled"),
    )  # fmt: skip


def _named(namer: Any, rules: Any, number: int, size: int, unknown: str) -> str:
    return str(namer(rules, number)) if 0 <= number < size else unknown


# ---- Features -------------------------------------------------------------------------------------------------------

_RANGES = tuple(entry.name.lower() for entry in ACTIONS.ranges)
_GROUPS = tuple(group.name.lower() for group in Group)
_NUMBERED = ("MODE", "ROT", "PICK", "NUM", "BLDG", "RES", "ACT", "PLAYER", "CRE", "CLAN", "FACE")

FEATURE_COLUMNS = (
    *_RANGES,
    "number",
    "card",
    *(f"group_{group}" for group in _GROUPS),
    *(f"op_{op}" for op in range(16)),
    *(f"card_{column}" for column in ("a", "b", "c", "d", "flash", "fame")),
    "tile",
    *(f"area_{area}" for area in range(SIDES)),
    *(f"side_{side}" for side in "nesw"),
)
"""Columns of `action_features`: the range; the offset in 16ths of a small range; for CARD the card in 86ths, its group,
its operation, its numbers in 16ths, Flash, its fame in fifths; for TERR the index of its tile in 35ths and its area;
for CELL the index of the tile that names it and the side."""


def action_features(rules: Any) -> np.ndarray:
    """Return float32 (num_actions, F): what each action is about, in the columns `FEATURE_COLUMNS`."""
    features = np.zeros((ACTIONS.num_actions, len(FEATURE_COLUMNS)), np.float32)
    column = {name: i for i, name in enumerate(FEATURE_COLUMNS)}
    for action in range(len(features)):
        kind, i = ACTIONS.locate(action)
        row = features[action]
        row[column[kind.lower()]] = 1.0
        if kind in _NUMBERED:
            row[column["number"]] = np.float32(i) / np.float32(NUMBERS)
        if kind in ("TERR", "CELL"):
            row[column["tile"]] = np.float32(i // SIDES) / np.float32(TILES)
            first = column["area_0"] if kind == "TERR" else column["side_n"]
            row[first + i % SIDES] = 1.0
        if kind == "CARD":
            _card_features(rules, i, row, column)
    return features


def _card_features(rules: Any, card: int, row: np.ndarray, column: dict[str, int]) -> None:
    row[column["card"]] = np.float32(card) / np.float32(CARDS)
    row[column[f"group_{Group(int(rules.card_group[card])).name.lower()}"]] = 1.0
    row[column[f"op_{int(rules.card_op[card])}"]] = 1.0
    for name in ("a", "b", "c", "d"):
        row[column[f"card_{name}"]] = np.float32(int(rules[f"card_{name}"][card])) / np.float32(NUMBERS)
    row[column["card_flash"]] = np.float32(int(rules.card_flash[card]))
    row[column["card_fame"]] = np.float32(int(rules.card_fame[card])) / np.float32(5)
