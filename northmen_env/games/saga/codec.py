"""State JSON (SAGA-TURN-08): a state as plain objects, and back with every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.games.saga.amounts import CUBES, GROUP, HAND, HEROES, ROUNDS
from northmen_env.games.saga.invariants import INVARIANTS, check
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.state import STATE, Decision
from northmen_env.games.saga.tables import KINGDOMS, SLOTS, data_sha256, tables_sha256

_TOKENS = GROUP * ROUNDS
_DECISIONS = tuple(d.name for d in Decision if d != Decision.NONE)
_MOVING = ("CUBE", "HERO")

_HEAD = (
    "game",
    "num_players",
    "options",
    "round",
    "leader",
    "decision",
    "player",
    "slots",
    "draw_pile",
    "card",
    "march",
)
_BOARD = ("cubes", "heroes", "tokens", "group", "controller", "delayed", "time_used", "piles")
_TRADE = ("route_deck", "routes_drawn", "route_last", "held", "hold_last", "route_pos", "route_known_holder")
_CARD_SETS = {  # per seat; key: field
    "hands": "hand",
    "known_hand": "known_hand",
    "known_hand_prev": "known_hand_prev",
    "not_held": "not_held",
}
_ROUTE_SETS = ("routes_open", "routes_done")
_COUNTS = {  # per seat; key = field: largest value
    "reserve": CUBES,
    "infamy": CUBES,
    "hero_supply": HEROES,
    "plunder": _TOKENS,
    "held_count": HAND,
    "hand_before_hold": HAND,
}
KEYS = frozenset((*_HEAD, *_BOARD, *_TRADE, *_CARD_SETS, *_ROUTE_SETS, *_COUNTS))
"""The keys of a State JSON object."""

_MARCH = ("kingdom", "pass")
_MOVE = ("armies", "fleets", "land", "sea", "last")


def options_dict(options: Options) -> dict[str, Any]:
    """Return every option as JSON values, a data set by its hash.

    Raises:
        ValueError: `options.data` is a folder that violates SAGA-DATA-20.
    """
    return options.to_json(tables_sha256(options))


# ---- Writing ---------------------------------------------------------------------------------------------------------


def to_dict(options: Options, rules: Any, state: Any) -> dict[str, Any]:
    """Return the State JSON object of a state: everything but the random generator and the event log."""
    n, kingdoms, regions = int(rules.num_players), int(rules.num_kingdoms), int(rules.num_regions)
    routes = int(rules.num_routes)
    places = [*range(kingdoms), *range(KINGDOMS, KINGDOMS + regions)]
    out = {
        "game": "saga",
        "num_players": n,
        "options": options.to_json(data_sha256(rules)),
        "round": int(state.round_number),
        "leader": int(state.leader),
        "decision": Decision(int(state.decision)).name,
        "player": _or_none(state.player),
        "piles": [state.pile[p, : state.pile_size[p]].tolist() for p in range(n)],
        "slots": [_or_none(card) for card in state.slot],
        "draw_pile": state.draw_pile[state.draw_top : state.draw_end].tolist(),
        "cubes": [state.cubes[place, :n].tolist() for place in places],
        "heroes": [state.heroes[place, :n].tolist() for place in places],
        "tokens": state.tokens[:regions].tolist(),
        "group": int(state.group),
        "time_used": [bool(used) for used in state.time_used[:n]],
        "controller": [_or_none(seat) for seat in state.controller[:kingdoms]],
        "delayed": [bool(mark) for mark in state.delayed[:kingdoms]],
        "route_deck": state.route_deck[: state.route_count].tolist(),
        "routes_drawn": [int(route) for route in state.routes_drawn if route >= 0],
        "card": _or_none(state.card),
        "march": _march(state),
        "route_last": int(state.route_last),
        "held": _members(state.held),
        "hold_last": int(state.hold_last),
        "route_pos": state.route_pos[:n, :routes].tolist(),
        "route_known_holder": [[_or_none(seat) for seat in row[:routes]] for row in state.route_holder[:n]],
    }
    for key, field in _CARD_SETS.items():
        out[key] = [_members(cards) for cards in state[field][:n]]
    for key in _ROUTE_SETS:
        out[key] = [_members(routes) for routes in state[key][:n]]
    for key in _COUNTS:
        out[key] = state[key][:n].tolist()
    return out


def _or_none(value: Any) -> int | None:
    return None if value < 0 else int(value)


def _members(bits: Any) -> list[int]:
    word = int(bits)
    return [i for i in range(word.bit_length()) if word >> i & 1]


def _march(state: Any) -> dict[str, int] | None:
    if state.march_pass == 0:
        return None
    march = {"kingdom": int(state.kingdom), "pass": int(state.march_pass)}
    if state.decision != Decision.DELAY:
        march |= {key: int(state[key]) for key in _MOVE}
    return march


# ---- Reading ---------------------------------------------------------------------------------------------------------


def from_dict(options: Options, rules: Any, d: Mapping[str, Any], state: Any) -> None:
    """Fill `state` from a State JSON object; its `seed` stays and keys the chance still to come, its event log is new.

    Raises:
        ValueError: a key is missing or unknown, a value has the wrong type or range, the options are not the game's,
            or the position cannot be (the sentence of the broken invariant); `state` is untouched then.
    """
    _check_keys(d, KEYS, "a State JSON object of Saga")
    _check_game(options, rules, d)
    array = np.zeros(1, STATE)
    scratch = array[0]
    scratch.seed = state.seed
    _read_turn(rules, d, scratch)
    _read_cards(rules, d, scratch)
    _read_board(rules, d, scratch)
    _read_routes(rules, d, scratch)
    _read_march(rules, d["march"], scratch)
    broken = int(check(rules, scratch))
    if broken:
        raise ValueError(f"this State JSON is not a position of the game: {INVARIANTS[broken]}")
    for field in STATE.names or ():
        state[field] = scratch[field]


def _check_keys(d: Any, keys: frozenset[str], what: str) -> None:
    if not isinstance(d, Mapping):
        raise ValueError(f"{what} must be an object, not {_shown(d)}")
    missing, unknown = sorted(keys - set(d)), sorted(map(str, set(d) - keys))
    if missing or unknown:
        raise ValueError(f"{what} has exactly the keys of SAGA-TURN-08; missing: {missing}, unknown: {unknown}")


def _check_game(options: Options, rules: Any, d: Mapping[str, Any]) -> None:
    if d["game"] != "saga":
        raise ValueError(f"`game` must be 'saga', not {_shown(d['game'])}")
    _integer(d["num_players"], "num_players", 2, 4)
    own = options.to_json(data_sha256(rules))
    _check_keys(d["options"], frozenset(own), "`options`")
    for key, value in own.items():
        given = d["options"][key]
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        right_type = (
            isinstance(given, (int, float)) and not isinstance(given, bool) if number else type(given) is type(value)
        )
        if not right_type or given != value:
            raise ValueError(
                f"`options.{key}` is {_shown(given)}, but this game has {value!r}; load the game with the same options"
            )
    if d["num_players"] != own["num_players"]:
        raise ValueError(f"`num_players` is {d['num_players']}, but `options.num_players` is {own['num_players']}")


def _read_turn(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    last_seat = int(rules.num_players) - 1
    if not isinstance(d["decision"], str) or d["decision"] not in _DECISIONS:
        raise ValueError(f"`decision` must be one of {' '.join(_DECISIONS)}, not {_shown(d['decision'])}")
    state.decision = Decision[d["decision"]]
    state.player = _optional(d["player"], "player", last_seat)
    state.round_number = _integer(d["round"], "round", 1, ROUNDS)
    state.leader = _integer(d["leader"], "leader", 0, last_seat)


def _read_cards(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    n, cards = int(rules.num_players), int(rules.num_cards)
    for key, field in _CARD_SETS.items():
        for p, value in enumerate(_list(d[key], key, n)):
            state[field][p] = _set(value, f"{key}[{p}]", cards)
    for p, value in enumerate(_list(d["piles"], "piles", n)):
        pile = _sequence(value, f"piles[{p}]", cards)
        state.pile[p, :] = -1
        state.pile[p, : len(pile)] = pile
        state.pile_size[p] = len(pile)
        state.hand_size[p] = count(state.hand[p])
    state.slot[:] = [
        _optional(card, f"slots[{i}]", cards - 1) for i, card in enumerate(_list(d["slots"], "slots", SLOTS))
    ]
    draw_pile = _sequence(d["draw_pile"], "draw_pile", cards)
    state.draw_end = cards
    state.draw_top = cards - len(draw_pile)
    state.draw_pile[:] = -1
    state.draw_pile[state.draw_top : cards] = draw_pile
    state.card = _optional(d["card"], "card", cards - 1)
    state.held = _set(d["held"], "held", cards)
    state.hold_last = _integer(d["hold_last"], "hold_last", -1, cards - 1)


def _read_board(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    n, kingdoms, regions = int(rules.num_players), int(rules.num_kingdoms), int(rules.num_regions)
    places = [*range(kingdoms), *range(KINGDOMS, KINGDOMS + regions)]
    for key, most in (("cubes", CUBES), ("heroes", HEROES)):
        rows = _list(d[key], key, len(places))
        for i, (place, row) in enumerate(zip(places, rows)):
            state[key][place, :n] = _integers(row, f"{key}[{i}]", n, 0, most)
    for key, most in _COUNTS.items():
        state[key][:n] = _integers(d[key], key, n, 0, most)
    state.tokens[:regions] = _integers(d["tokens"], "tokens", regions, 0, _TOKENS)
    state.group = _integer(d["group"], "group", 0, GROUP)
    state.time_used[:n] = _flags(d["time_used"], "time_used", n)
    controllers = _list(d["controller"], "controller", kingdoms)
    state.controller[:] = -1
    state.controller[:kingdoms] = [_optional(seat, f"controller[{i}]", n - 1) for i, seat in enumerate(controllers)]
    state.delayed[:kingdoms] = _flags(d["delayed"], "delayed", kingdoms)


def _read_routes(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    n, routes = int(rules.num_players), int(rules.num_routes)
    for key in _ROUTE_SETS:
        for p, value in enumerate(_list(d[key], key, n)):
            state[key][p] = _set(value, f"{key}[{p}]", routes)
    deck = _sequence(d["route_deck"], "route_deck", routes)
    state.route_count = len(deck)
    state.route_deck[:] = -1
    state.route_deck[: len(deck)] = deck
    drawn = _sequence(d["routes_drawn"], "routes_drawn", routes)
    if len(drawn) > 2:
        raise ValueError(f"`routes_drawn` has at most two routes, not {len(drawn)}")
    state.routes_drawn[:] = -1
    state.routes_drawn[: len(drawn)] = drawn
    state.route_last = _integer(d["route_last"], "route_last", -1, routes - 1)
    for p, row in enumerate(_list(d["route_pos"], "route_pos", n)):
        state.route_pos[p, :] = -1
        state.route_pos[p, :routes] = _integers(row, f"route_pos[{p}]", routes, -1, routes - 1)
    for p, row in enumerate(_list(d["route_known_holder"], "route_known_holder", n)):
        where = f"route_known_holder[{p}]"
        state.route_holder[p, :] = -1
        state.route_holder[p, :routes] = [
            _optional(seat, f"{where}[{t}]", n - 1) for t, seat in enumerate(_list(row, where, routes))
        ]


def _read_march(rules: Any, march: Any, state: Any) -> None:
    state.kingdom = -1
    if march is None:
        return
    moving = Decision(int(state.decision)).name in _MOVING
    _check_keys(
        march, frozenset((*_MARCH, *_MOVE) if moving else _MARCH), f"`march` in {Decision(int(state.decision)).name}"
    )
    state.kingdom = _integer(march["kingdom"], "march.kingdom", 0, int(rules.num_kingdoms) - 1)
    state.march_pass = _integer(march["pass"], "march.pass", 1, 2)
    if moving:
        for key in _MOVE:
            most = int(rules.num_regions) - 1 if key == "last" else 3 * int(rules.num_cards)
            state[key] = _integer(march[key], f"march.{key}", 0, most)


# ---- Values ----------------------------------------------------------------------------------------------------------


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _is_integer(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _integer(value: Any, where: str, low: int, high: int) -> int:
    if not _is_integer(value) or not low <= value <= high:
        raise ValueError(f"`{where}` must be an integer in {low}..{high}, not {_shown(value)}")
    return value


def _optional(value: Any, where: str, high: int) -> int:
    """Return an id, -1 for null."""
    if value is None:
        return -1
    if not _is_integer(value) or not 0 <= value <= high:
        raise ValueError(f"`{where}` must be null or an integer in 0..{high}, not {_shown(value)}")
    return value


def _list(value: Any, where: str, length: int) -> list[Any]:
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ValueError(f"`{where}` must be a list of {length} entries, not {_shown(value)}")
    return list(value)


def _integers(value: Any, where: str, length: int, low: int, high: int) -> list[int]:
    return [_integer(item, f"{where}[{i}]", low, high) for i, item in enumerate(_list(value, where, length))]


def _flags(value: Any, where: str, length: int) -> list[bool]:
    flags = _list(value, where, length)
    for i, flag in enumerate(flags):
        if not isinstance(flag, bool):
            raise ValueError(f"`{where}[{i}]` must be true or false, not {_shown(flag)}")
    return flags


def _sequence(value: Any, where: str, ids: int) -> list[int]:
    """Return a list of different ids, in order."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"`{where}` must be a list of ids, not {_shown(value)}")
    items = [_integer(item, f"{where}[{i}]", 0, ids - 1) for i, item in enumerate(value)]
    if len(set(items)) < len(items):
        raise ValueError(f"`{where}` names an id twice: {_shown(value)}")
    return items


def _set(value: Any, where: str, ids: int) -> int:
    """Return the bit set of a list of ids, which must be ascending."""
    items = _sequence(value, where, ids)
    if items != sorted(items):
        raise ValueError(f"`{where}` is a set and must be sorted by id, not {_shown(value)}")
    return sum(1 << item for item in items)
