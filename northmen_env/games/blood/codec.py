"""State JSON (BLOOD-PHASE-08): a state as plain objects. Reading it back is in `reading.py`."""

from __future__ import annotations

from typing import Any

from northmen_env.games.blood.options import Options
from northmen_env.games.blood.reading import from_dict
from northmen_env.games.blood.state import CITADELS, Decision, Move, Run
from northmen_env.games.blood.tables import TILES, hashes, tables_sha256
from northmen_env.games.blood.tilesets import PER_WORD, WORDS

__all__ = ["facts", "from_dict", "members", "options_dict", "to_dict"]


def options_dict(options: Options) -> dict[str, Any]:
    """Return every option as JSON values, tables by their hashes.

    Raises:
        ValueError: a table of the options violates BLOOD-OPT-04.
    """
    return {"num_players": options.num_players, **options.to_json(*tables_sha256(options))}


def to_dict(options: Options, rules: Any, state: Any) -> dict[str, Any]:
    """Return the State JSON object of a state: everything but the random generator and the event log."""
    found = facts(rules, state)
    head = {"game": "blood", "num_players": int(rules.num_players), "options": options.to_json(*hashes(rules))}
    return head | found


def facts(rules: Any, state: Any) -> dict[str, Any]:
    """Return State JSON but for `game`, `num_players` and `options`."""
    n, colours = int(rules.num_players), int(rules.colours)
    return {
        "decision": Decision(int(state.decision)).name,
        "player": _or_none(state.player),
        "active": int(state.active),
        "winners": [p for p in range(colours) if int(state.winners) >> p & 1] or None,
        "pile": state.pile[int(state.pile_top) :].tolist(),
        "discard": members(state.discard),
        "removed": members(state.removed),
        "hands": [members(state.hand[p]) for p in range(n)],
        "held": [members(state.held[p]) for p in range(n)],
        "abilities": [_or_none(state.ability[p]) for p in range(n)],
        "prepared": [members(state.prepared[p]) for p in range(colours)],
        "fresh": members(state.fresh),
        "settlement": state.settlement[:colours].tolist(),
        "vp": state.vp[:colours].tolist(),
        "reserve": state.reserve[:colours].tolist(),
        "map": _map(state, colours),
        "citadels": [_citadel(state, number) for number in range(CITADELS)],
        **_turn(state),
        "battle": _battle(state),
        "bandit": _bandit(state) if state.card else None,
    }


def members(words: Any) -> list[int]:
    """Return the tiles of a set, ascending."""
    word = sum(int(words[w]) << PER_WORD * w for w in range(WORDS))
    return [tile for tile in range(1, TILES + 1) if word >> tile & 1]


def _or_none(value: Any) -> int | None:
    return None if value < 0 else int(value)


def _cell(state: Any, tile: Any) -> int | None:
    return int(state.cell[tile]) if tile else None


def _cells(state: Any, words: Any) -> list[int]:
    return sorted(int(state.cell[tile]) for tile in members(words))


def _map(state: Any, colours: int) -> list[dict[str, Any]]:
    tiles = [
        {
            "cell": int(state.cell[tile]),
            "tile": tile,
            "rotation": int(state.rotation[tile]),
            "warbands": state.warbands[tile, :colours].tolist(),
        }
        for tile in members(state.on_map)
    ]
    return sorted(tiles, key=lambda entry: entry["cell"])


def _citadel(state: Any, number: int) -> dict[str, Any] | None:
    if state.citadel_owner[number] < 0:
        return None
    return {
        "cell": _cell(state, state.citadel_tile[number]),
        "side": int(state.citadel_side[number]),
        "owner": int(state.citadel_owner[number]),
        "permanent": bool(state.citadel_permanent[number]),
    }


def _turn(state: Any) -> dict[str, Any]:
    """Return the contexts of a turn."""
    placing = {"tile": int(state.placing_tile), "cell": _or_none(state.placing_cell)} if state.placing_tile else None
    return {
        "laid": _cell(state, state.laid),
        "placing": placing,
        "citadel_side": _or_none(state.breach),
        "village_left": int(state.village_left),
        "furs_returned": bool(state.furs_returned),
        "silver_cell": _cell(state, state.silver_tile),
        "a": int(state.a),
        "b": int(state.b),
        "performed": bool(state.performed),
        "drawn": int(state.drawn),
        "drew_earlier": bool(state.drew_earlier),
        "move": _move(state),
    }


def _move(state: Any) -> dict[str, Any] | None:
    if state.move_kind == Move.NONE:
        return None
    return {
        "kind": Move(int(state.move_kind)).name,
        "source": _cell(state, state.move_source),
        "count": int(state.move_count) or None,
    }


def _battle(state: Any) -> dict[str, Any] | None:
    if not state.battle_tile:
        return None
    size = int(state.battle_size)
    return {
        "cell": _cell(state, state.battle_tile),
        "order": state.battle_order[:size].tolist(),
        "owed": state.battle_owed[:size].tolist(),
        "revealed": [members(state.battle_revealed[entry]) for entry in range(size)],
        "strength": state.battle_strength[:size].tolist(),
        "add": int(state.battle_add),
    }


def _bandit(state: Any) -> dict[str, Any]:
    banned = [_cell(state, state.forbidden_from), _cell(state, state.forbidden_to)]
    return {
        "card": int(state.card),
        "next": int(state.effect),
        "left": int(state.left),
        "target": _cell(state, state.target),
        "remaining": _cells(state, state.remaining),
        "served": _cells(state, state.served),
        "run": _run(state),
        "forbidden": banned if state.forbidden_from else None,
        "won": int(state.won),
        "last_won": bool(state.last_won),
        "bribed": int(state.bribed),
    }


def _run(state: Any) -> dict[str, Any] | None:
    if state.run_kind == Run.NONE:
        return None
    kinds, first = (Move.LAKE.name, Move.ROAD.name), int(state.run_first) - 1
    moves = [kinds[(first + i) % 2] for i, left in enumerate(state.run_left.tolist()) for _ in range(left)]
    return {
        "kind": Run(int(state.run_kind)).name,
        "moves": moves,
        "from": _cell(state, state.move_from),
        "via": _cell(state, state.move_via),
        "one": _cell(state, state.one),
    }
