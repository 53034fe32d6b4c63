"""The action space (SAGA-ACT-01), its texts and features, and the events that seats see."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from northmen_env.engine.layout import ActionRange, ActionTable
from northmen_env.engine.spec import EventKind
from northmen_env.games.saga.tables import CARDS, KINGDOMS, REGIONS, ROUTES, SLOTS, kingdom_name, region_name

ACTIONS = ActionTable(
    [
        ActionRange("PLAY", CARDS, "card id: play this hand card"),
        ActionRange("HOLD", CARDS, "card id: pay 1 infamy to keep this hand card for the next round"),
        ActionRange("DRAW", SLOTS + 1, "0-2: take the card in this face-up slot; 3: draw from the pile"),
        ActionRange("CUBE", REGIONS, "region id: send one cube of the moving kingdom there"),
        ActionRange("HERO", REGIONS, "region id: send one hero of the moving kingdom there"),
        ActionRange("COMPLETE", ROUTES, "route id: complete this trade route"),
        ActionRange("KEEP", ROUTES, "route id: keep this one of the two drawn routes"),
        ActionRange("HIRE", 1, "pay 3 infamy for a hero in the kingdom just added to"),
        ActionRange("DELAY", 1, "pay 5 infamy and the time token to let the kingdom move later"),
        ActionRange("BUY", 1, "pay 3 infamy to draw two trade routes"),
        ActionRange("PASS", 1, "decline, or be done"),
    ]
)

# First action of each range, as plain integers for kernels.
PLAY = ACTIONS["PLAY"].start
HOLD = ACTIONS["HOLD"].start
DRAW = ACTIONS["DRAW"].start
DRAW_PILE = DRAW + SLOTS
CUBE = ACTIONS["CUBE"].start
HERO = ACTIONS["HERO"].start
COMPLETE = ACTIONS["COMPLETE"].start
KEEP = ACTIONS["KEEP"].start
HIRE = ACTIONS["HIRE"].start
DELAY = ACTIONS["DELAY"].start
BUY = ACTIONS["BUY"].start
PASS = ACTIONS["PASS"].start


class Event(IntEnum):
    """Codes of the event log; `EVENTS[code]` says what the columns mean."""

    DEAL = 0
    DEAL_ROUTE = 1
    REVEAL = 2
    PLAY = 3
    HIRE = 4
    TOKEN = 5
    TAKE = 6
    DRAW = 7
    CONTROL = 8
    DELAY = 9
    MARCH = 10
    CUBE = 11
    HERO = 12
    BATTLE = 13
    COLLECT = 14
    COMPLETE = 15
    BUY = 16
    DRAWN = 17
    KEEP = 18
    HOLD = 19
    HELD = 20
    ROUND = 21
    END = 22


EVENTS = (
    EventKind("deal", "the seat alone is dealt card a"),
    EventKind("deal_route", "the seat alone is dealt trade route a"),
    EventKind("reveal", "face-up slot a shows card b"),
    EventKind("play", "the seat plays card a"),
    EventKind("hire", "the seat hires a hero in kingdom a"),
    EventKind("token", "a plunder token is put on region a by the seat's card"),
    EventKind("take", "the seat takes card b from face-up slot a"),
    EventKind("draw", "the seat draws card a from the pile (known to the seat alone)"),
    EventKind("control", "the seat controls kingdom a for this round"),
    EventKind("delay", "the seat delays kingdom a"),
    EventKind("march", "the seat begins to move kingdom a"),
    EventKind("cube", "the seat sends a cube from kingdom a to region b"),
    EventKind("hero", "the seat sends a hero from kingdom a to region b"),
    EventKind("battle", "the seat wins the battle in region a"),
    EventKind("collect", "the seat collects b plunder tokens in region a"),
    EventKind("complete", "the seat completes trade route a"),
    EventKind("buy", "the seat pays for a draw of trade routes"),
    EventKind("drawn", "the seat alone sees that it drew trade route a"),
    EventKind("keep", "the seat keeps route a and returns route b, -1 for none (known to the seat alone)"),
    EventKind("hold", "the seat alone sees that it holds card a"),
    EventKind("held", "the seat holds a cards for the next round"),
    EventKind("round", "round a begins, led by the seat"),
    EventKind("end", "the game is over"),
)

_EVENT_TEXTS = {
    Event.DEAL: "{who} is dealt {card_a}",
    Event.DEAL_ROUTE: "{who} is dealt {route_a}",
    Event.REVEAL: "face-up slot {a} shows {card_b}",
    Event.PLAY: "{who} plays {card_a}",
    Event.HIRE: "{who} hires a hero in {kingdom_a}",
    Event.TOKEN: "{who} puts a plunder token on {region_a}",
    Event.TAKE: "{who} takes {card_b} from face-up slot {a}",
    Event.DRAW: "{who} draws {card_a} from the pile",
    Event.CONTROL: "{who} controls {kingdom_a}",
    Event.DELAY: "{who} delays {kingdom_a}",
    Event.MARCH: "{who} moves {kingdom_a}",
    Event.CUBE: "{who} sends a cube from {kingdom_a} to {region_b}",
    Event.HERO: "{who} sends a hero from {kingdom_a} to {region_b}",
    Event.BATTLE: "{who} wins the battle in {region_a}",
    Event.COLLECT: "{who} collects {tokens_b} in {region_a}",
    Event.COMPLETE: "{who} completes {route_a}",
    Event.BUY: "{who} pays 3 infamy for trade routes",
    Event.DRAWN: "{who} draws {route_a}",
    Event.KEEP: "{who} keeps {route_a}{returned_b}",
    Event.HOLD: "{who} holds {card_a}",
    Event.HELD: "{who} holds {cards_a} for the next round",
    Event.ROUND: "round {a} begins led by {who}",
    Event.END: "the game is over",
}


# ---- Texts ----------------------------------------------------------------------------------------------------------


def _plural(count: int, one: str, many: str) -> str:
    return f"{count if count >= 0 else 'some'} {one if count == 1 else many}"


def card_text(rules: Any, card: int) -> str:
    """Return what a card shows, for example `Saxons 2 armies / Bulgaria (card 26)`; -1 is an unknown card."""
    if not 0 <= card < rules.num_cards:
        return "a card" if card < 0 else f"no such card (card {card})"
    armies, fleets = int(rules.card_armies[card]), int(rules.card_fleets[card])
    parts = [kingdom_name(rules, rules.card_suit[card])]
    if armies:
        parts.append(_plural(armies, "army", "armies"))
    if fleets:
        parts.append(_plural(fleets, "fleet", "fleets"))
    region = int(rules.card_region[card])
    if region >= 0:
        parts.append(f"/ {region_name(rules, region)}" + ("" if rules.card_places[card] else " without token"))
    return f"{' '.join(parts)} (card {card})"


def route_text(rules: Any, route: int) -> str:
    """Return what a route shows, for example `Normans - Italy worth 2 (route 1)`; -1 is an unknown route."""
    if not 0 <= route < rules.num_routes:
        return "a trade route" if route < 0 else f"no such route (route {route})"
    kingdom = kingdom_name(rules, rules.route_kingdom[route])
    region = region_name(rules, rules.route_region[route])
    return f"{kingdom} - {region} worth {rules.route_value[route]} (route {route})"


def action_text(rules: Any, action: int) -> str:
    """Return the name of an action: unique, one line, no commas.

    Raises:
        ValueError: `action` is outside 0..177.
    """
    kind, i = ACTIONS.locate(action)
    if kind in ("PLAY", "HOLD"):
        return f"{kind} {card_text(rules, i)}"
    if kind in ("COMPLETE", "KEEP"):
        return f"{kind} {route_text(rules, i)}"
    if kind in ("CUBE", "HERO"):
        region = region_name(rules, i) if i < rules.num_regions else f"no such region (region {i})"
        return f"{kind} to {region}"
    if kind == "DRAW":
        return f"DRAW from face-up slot {i}" if i < SLOTS else "DRAW from the pile"
    return {
        "HIRE": "HIRE a hero for 3 infamy",
        "DELAY": "DELAY the kingdom for 5 infamy",
        "BUY": "BUY trade routes for 3 infamy",
    }.get(kind, kind)


def event_text(rules: Any, viewer: int, row: tuple[int, int, int, int]) -> str:
    """Return one line for the event `(code, seat, a, b)` as `viewer` saw it; -1 stands for what it does not know.

    Raises:
        ValueError: the code is unknown.
    """
    code, seat, a, b = (int(value) for value in row)
    who = f"seat {seat}" if seat >= 0 else "nobody"
    return _EVENT_TEXTS[Event(code)].format(
        who=f"{who} (you)" if 0 <= seat == viewer else who,
        a=a,
        card_a=card_text(rules, a),
        card_b=card_text(rules, b),
        cards_a=_plural(a, "card", "cards"),
        route_a=route_text(rules, a),
        returned_b=f" and returns {route_text(rules, b)}" if b >= 0 else "",
        kingdom_a=kingdom_name(rules, a) if 0 <= a < rules.num_kingdoms else "a kingdom",
        region_a=region_name(rules, a) if 0 <= a < rules.num_regions else "a region",
        region_b=region_name(rules, b) if 0 <= b < rules.num_regions else "a region",
        tokens_b=_plural(b, "plunder token", "plunder tokens"),
    )


# ---- Features -------------------------------------------------------------------------------------------------------

_KINDS = tuple(entry.name for entry in ACTIONS.ranges)

FEATURE_COLUMNS = (
    *(f"kind_{name.lower()}" for name in _KINDS),
    *(f"kingdom_{i}" for i in range(KINGDOMS)),
    *(f"region_{i}" for i in range(REGIONS)),
    "region_coastal",  # the card's, march's or route's region touches the sea
    "armies",  # of the card, / 3
    "fleets",  # of the card, / 3
    "value",  # of the card, / 3
    "places_token",
    "route_value",  # / 8, at most 1
    "route_land",  # armies of the route's kingdom reach its region
    "route_sea",  # fleets do
    *(f"slot_{i}" for i in range(SLOTS)),
    "draw_pile",
)
"""Names of the columns of `action_features`."""

_THIRD = np.float32(1 / 3)
_EIGHTH = np.float32(1 / 8)
_COLUMN = {name: i for i, name in enumerate(FEATURE_COLUMNS)}


def action_features(rules: Any) -> np.ndarray:
    """Return what each action is about: float32 (178, F) in [0, 1], columns `FEATURE_COLUMNS`.

    A network that scores actions by their features shares its weights over cards, regions and routes. Features are of
    the action alone; what lies in a face-up slot is in the observation.
    """
    out = np.zeros((ACTIONS.num_actions, len(FEATURE_COLUMNS)), np.float32)
    for action in range(ACTIONS.num_actions):
        kind, i = ACTIONS.locate(action)
        row = out[action]
        row[_KINDS.index(kind)] = 1
        if kind in ("PLAY", "HOLD") and i < rules.num_cards:
            _card_features(rules, i, row)
        elif kind in ("CUBE", "HERO") and i < rules.num_regions:
            _region_features(rules, i, row)
        elif kind in ("COMPLETE", "KEEP") and i < rules.num_routes:
            _route_features(rules, i, row)
        elif kind == "DRAW":
            row[_COLUMN["slot_0"] + i] = 1
    return out


def _region_features(rules: Any, region: int, row: np.ndarray) -> None:
    row[_COLUMN["region_0"] + region] = 1
    row[_COLUMN["region_coastal"]] = rules.coastal[region]


def _card_features(rules: Any, card: int, row: np.ndarray) -> None:
    row[_COLUMN["kingdom_0"] + int(rules.card_suit[card])] = 1
    if rules.card_region[card] >= 0:
        _region_features(rules, int(rules.card_region[card]), row)
    row[_COLUMN["armies"]] = np.float32(rules.card_armies[card]) * _THIRD
    row[_COLUMN["fleets"]] = np.float32(rules.card_fleets[card]) * _THIRD
    row[_COLUMN["value"]] = np.float32(rules.card_value[card]) * _THIRD
    row[_COLUMN["places_token"]] = rules.card_places[card]


def _route_features(rules: Any, route: int, row: np.ndarray) -> None:
    kingdom, region = int(rules.route_kingdom[route]), int(rules.route_region[route])
    row[_COLUMN["kingdom_0"] + kingdom] = 1
    _region_features(rules, region, row)
    row[_COLUMN["route_value"]] = np.float32(min(int(rules.route_value[route]), 8)) * _EIGHTH
    row[_COLUMN["route_land"]] = rules.march_class[kingdom, region] & 1
    row[_COLUMN["route_sea"]] = rules.march_class[kingdom, region] >> 1
