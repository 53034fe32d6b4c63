"""State JSON (NORTH-PH-10): a state as plain objects. Reading it back is in `reading.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import HAND_TILES, Decision, Frame, Phase
from northmen_env.games.northgard.tables import CREATURES, SEATS, clan_cards, data_sha256
from northmen_env.games.northgard.tables import tables_sha256 as hash_of

__all__ = ["facts", "members", "options_dict", "to_dict"]


def options_dict(options: Options) -> dict[str, Any]:
    """Return every option as JSON values, a data set by its hash.

    Raises:
        ValueError: the data set of the options violates NORTH-DATA-06.
    """
    return options.to_json(hash_of(options))


def to_dict(options: Options, rules: Any, state: Any) -> dict[str, Any]:
    """Return the State JSON object of a state: everything but the random generator and the event log."""
    found = facts(rules, state)
    head = {"game": "northgard", "num_players": int(rules.num_players), "options": options.to_json(data_sha256(rules))}
    return head | found


def facts(rules: Any, state: Any) -> dict[str, Any]:
    """Return State JSON but for `game`, `num_players` and `options`."""
    n = int(rules.num_players)
    over = int(state.decision) == Decision.END
    return {
        "year": int(state.year),
        "phase": Phase(int(state.phase)).name,
        "decision": Decision(int(state.decision)).name,
        "player": None if over else _or_none(state.player),
        "turn": _or_none(state.turn),
        "marker": _or_none(state.marker),
        "main_used": bool(state.main_used),
        "resolved": bool(state.resolved),
        **{key: [bool(flag) for flag in state[key][:n]] for key in ("passed", "taken", "kaija_free", "conquer")},
        "resources": state.resources[:n].tolist(),
        "fame": state.fame[:n].tolist(),
        "clan": [_or_none(clan) for clan in state.clan[:n]],
        "upgrades": [_upgrades(state, p) for p in range(n)],
        **_cards(state, n),
        "unrest": int(state.unrest),
        "supply": state.supply.tolist(),
        **_tiles(rules, state, n),
        **_map(state),
        **_creatures(state),
        "last_rolls": state.rolled[: int(state.rolls)].tolist(),
        "frames": [_frame(state, depth) for depth in range(int(state.depth))],
    }


def members(words: Any) -> list[int]:
    """Return the territories of a set, by plot, ascending."""
    word = sum(int(words[w]) << PER_WORD * w for w in range(WORDS))
    return [t for t in range(word.bit_length()) if word >> t & 1]


def _or_none(value: Any) -> int | None:
    return None if value < 0 else int(value)


def _terr(state: Any, plot: Any) -> int | None:
    """Return the canonical id of a territory (NORTH-TILE-07), None for none."""
    return None if plot < 0 else int(state.slot[int(plot)])


# ---- Cards and tiles ------------------------------------------------------------------------------------------------


def _upgrades(state: Any, p: int) -> list[int]:
    if state.clan[p] < 0:
        return []
    upgrades = clan_cards(int(state.clan[p]))[1:]
    return [card for k, card in enumerate(upgrades) if int(state.upgrades[p]) >> k & 1]


def _cards(state: Any, n: int) -> dict[str, Any]:
    def lists(field: str, size: str, top_first: bool = False) -> list[list[int]]:
        found = [state[field][p, : int(state[size][p])].tolist() for p in range(n)]
        return [cards[::-1] for cards in found] if top_first else found

    return {
        "hand": lists("hand", "hand_size"),
        "hand_known": lists("hand_known", "hand_size"),
        "draw_pile": lists("pile", "pile_size", top_first=True),
        "draw_known": lists("pile_known", "pile_size", top_first=True),
        "discard": lists("discard", "discard_size"),
        "played": lists("played", "played_size"),
        "idle": lists("idle", "idle_size"),
        "removed": [card for card, count in enumerate(state.removed.tolist()) for _ in range(count)],
        "display": state.display[: int(state.display_size)].tolist(),
        "achievements": state.achievements[: int(state.achievements_size)].tolist(),
        "dev_deck": state.deck[: int(state.deck_size)].tolist()[::-1],
    }


def _tiles(rules: Any, state: Any, n: int) -> dict[str, Any]:
    size, stack = int(rules.map_size), int(state.stack_size)
    count = int(state.tiles)
    placed = zip(*(state[field][:count].tolist() for field in ("tile_id", "tile_x", "tile_y", "tile_turn")))
    return {
        "tiles": [[tile, x % size, y % size, turn] for tile, x, y, turn in placed],
        "tile_stack": state.stack[:stack].tolist()[::-1],
        "tile_known": state.stack_known[:stack].tolist()[::-1],
        "tile_hands": [[tile for tile in state.tile_hand[p].tolist() if tile >= 0] for p in range(n)],
    }


# ---- Map ------------------------------------------------------------------------------------------------------------


def _map(state: Any) -> dict[str, Any]:
    land, slot, units = members(state.land), state.slot.tolist(), state.units.tolist()
    built = [(plot, kind - 1) for plot, kind in enumerate(state.built[: int(state.plots)].tolist()) if kind]
    return {
        "units": [[slot[t], p, units[t][p]] for t in land for p in range(SEATS) if units[t][p]],
        "kaija": _terr(state, state.kaija),
        "token": _terr(state, state.token),
        "buildings": [[slot[plot], kind] for plot, kind in built],
        "spaceless": _spaceless(state, land, built),
    }


def _spaceless(state: Any, land: list[int], built: list[tuple[int, int]]) -> list[list[int]]:
    """Return the buildings that stand on no space (NORTH-BUILD-06); `built`: those on spaces, by plot."""
    slot, root, rest = state.slot.tolist(), state.root.tolist(), state.buildings.tolist()
    for plot, kind in built:
        rest[root[plot]][kind] -= 1
    return [[slot[t], kind, number] for t in land for kind, number in enumerate(rest[t]) if number]


def _creatures(state: Any) -> dict[str, Any]:
    line = state.line[: int(state.line_size)].tolist()
    return {
        "creatures": [[creature, int(state.slot[int(state.creature_at[creature])])] for creature in line],
        "creature_pile": state.creature_pile[: int(state.creature_pile_size)].tolist()[::-1],
        "creature_top": int(state.creature_top),
        "creature_discard": [c for c in range(CREATURES) if int(state.creature_discard) >> c & 1],
    }


# ---- Running operations ---------------------------------------------------------------------------------------------


def _frame(state: Any, depth: int) -> dict[str, Any]:
    kind = Frame(int(state.frame_kind[depth]))
    row = {"row": _or_none(state.frame_row[depth])} if kind in WITH_ROW else {}
    return {"frame": kind.name, **row, **_FIELDS[kind](state)}


WITH_ROW = (
    Frame.COPY,
    Frame.CHOOSE,
    Frame.RECRUIT,
    Frame.MOVE,
    Frame.EXPLORE,
    Frame.BUILD,
    Frame.DRAW,
    Frame.STRIKE,
    Frame.HAND,
    Frame.BRIBE,
    Frame.FETCH,
    Frame.FORESEE,
    Frame.COMBAT,
)
"""Frames whose object has the field `row`."""


def _setup(state: Any) -> dict[str, Any]:
    return {"tile": _or_none(state.tile), "cell": _or_none(state.cell), "terr": _terr(state, state.place)}


def _awaited(state: Any) -> dict[str, Any]:
    line = state.line[: int(state.line_size)].tolist()
    queue = [creature for creature in line if not int(state.awake) >> creature & 1]
    return {"creature": _or_none(state.creature), "queue": queue}


def _harvest(state: Any) -> dict[str, Any]:
    return {
        "give": _or_none(state.swap_give),
        "take": _or_none(state.swap_take),
        "swaps": int(state.swaps),
        "swaps_over": bool(state.swaps_over),
    }


def _recruit(state: Any) -> dict[str, Any]:
    rooms = [(t, room) for t, room in enumerate(state.room[: int(state.plots)].tolist()) if room]
    return {
        "left": int(state.left),
        "room": [[int(state.slot[t]), _or_none(room)] for t, room in rooms],
        "placed": [int(state.slot[t]) for t in members(state.recruited)],
        "kaija": bool(state.recruit_kaija),
        "terr": _terr(state, state.place),
    }


def _move(state: Any) -> dict[str, Any]:
    due = [[_terr(state, state.due_place[i]), _or_none(state.due_creature[i])] for i in range(int(state.due_size))]
    return {
        "left": int(state.left),
        "src": _terr(state, state.src),
        "dst": _terr(state, state.dst),
        "num": _or_none(state.num),
        "terr": _terr(state, state.place),
        "due": due,
    }


def _explore(state: Any) -> dict[str, Any]:
    return {
        "left": int(state.left),
        "drawn": [int(tile) for tile in state.drawn_tile[:HAND_TILES] if tile >= 0],
        "redrawn": bool(state.redrawn),
        "tile": _or_none(state.tile),
        "cell": _or_none(state.cell),
    }


def _build(state: Any) -> dict[str, Any]:
    return {
        "left": int(state.left),
        "large": bool(state.large_built),
        "terr": _terr(state, state.place),
        "gather": None if state.gathered < 0 else bool(state.gathered),
        "type": _or_none(state.build_type),
        "old": _or_none(state.build_old),
    }


def _draw(state: Any) -> dict[str, Any]:
    size = int(state.drawn_size)
    return {
        "drawn": state.drawn[:size].tolist(),
        "drawn_known": state.drawn_known[:size].tolist(),
        "keep": int(state.keep),
        "top": int(state.top),
        "last": _or_none(state.last),
    }


def _hand(state: Any) -> dict[str, Any]:
    return {
        "victim": _or_none(state.victim),
        "left": int(state.left),
        "card": _or_none(state.named),
        "attacked": bool(state.attacked),
    }


def _pay(state: Any) -> dict[str, Any]:
    return {
        "payer": _or_none(state.payer),
        "left": int(state.owed),
        "last": _or_none(state.paid_last),
        "to": _or_none(state.paid_to),
    }


def _combat(state: Any) -> dict[str, Any]:
    numbers = ("food_a", "food_d", "roll_a", "roll_d", "face_a", "face_d", "either", "loser")
    return {
        "terr": _terr(state, state.fight_at),
        "attacker": _or_none(state.attacker),
        "defender": _or_none(state.defender),
        "creature": _or_none(state.foe),
        **{key: _or_none(state[key]) for key in numbers},
        "to": _terr(state, state.retreat_to),
    }


_FIELDS: dict[Frame, Callable[[Any], dict[str, Any]]] = {
    Frame.SETUP: _setup,
    Frame.UPGRADE: lambda state: {"card": _or_none(state.card)},
    Frame.PASS: lambda state: {"creature": _or_none(state.creature)},
    Frame.CREATURES: _awaited,
    Frame.HARVEST: _harvest,
    Frame.SECOND: lambda state: {**_setup(state), "placed": bool(state.second_placed)},
    Frame.CARD: lambda state: {"card": _or_none(state.card)},
    Frame.COPY: lambda state: {"who": _or_none(state.copy_who)},
    Frame.CHOOSE: lambda state: {"done": [act for act in range(4) if int(state.chosen) >> act & 1]},
    Frame.RECRUIT: _recruit,
    Frame.MOVE: _move,
    Frame.EXPLORE: _explore,
    Frame.BUILD: _build,
    Frame.DRAW: _draw,
    Frame.STRIKE: lambda state: {"terr": _terr(state, state.place), "struck": bool(state.struck)},
    Frame.HAND: _hand,
    Frame.BRIBE: lambda state: {"src": _terr(state, state.src), "dst": _terr(state, state.dst)},
    Frame.FETCH: lambda state: {},
    Frame.FORESEE: lambda state: {},
    Frame.PAY: _pay,
    Frame.COMBAT: _combat,
}
