"""State JSON read back (BLOOD-PHASE-08): every value is checked before a kernel may use it as an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from northmen_env.engine.jsonvalues import (
    ascending,
    check_keys,
    entries,
    flag,
    integer,
    integers,
    optional,
    sequence,
    shown,
    word,
)
from northmen_env.games.blood.amounts import BANDITS, PIECES, SIX
from northmen_env.games.blood.board import STEP_Q, STEP_R, derive
from northmen_env.games.blood.invariants import INVARIANTS, check
from northmen_env.games.blood.options import ABILITIES, Options
from northmen_env.games.blood.state import CITADELS, STATE, Decision, Move, Run
from northmen_env.games.blood.tables import MAX_EFFECTS, SIDES, TILES, hashes
from northmen_env.games.blood.tilesets import PER_WORD

_RULE = "BLOOD-PHASE-08"
_HEAD = ("game", "num_players", "options", "decision", "player", "active", "winners")
_TILES = ("pile", "discard", "removed", "hands", "held", "abilities", "prepared", "fresh")
_BOARD = ("settlement", "vp", "reserve", "map", "citadels")
_TURN = ("laid", "placing", "citadel_side", "village_left", "furs_returned", "silver_cell", "a", "b", "performed")
_LATER = ("drawn", "drew_earlier", "move", "battle", "bandit")
KEYS = (*_HEAD, *_TILES, *_BOARD, *_TURN, *_LATER)
"""The keys of a State JSON object."""

_MAP = ("cell", "tile", "rotation", "warbands")
_CITADEL = ("cell", "side", "owner", "permanent")
_MOVE = ("kind", "source", "count")
_BATTLE = ("cell", "order", "owed", "revealed", "strength", "add")
BANDIT_KEYS = ("card", "next", "left", "target", "remaining", "served", "run", "forbidden", "won", "last_won", "bribed")
_RUN = ("kind", "moves", "from", "via", "one")

_DECISIONS = tuple(Decision.__members__)
_MOVES = (Move.LAKE.name, Move.ROAD.name)
_RUNS = (Run.MOVES.name, Run.ROADONE.name, Run.ROADATTACK.name)
_LONGEST_RUN = MAX_EFFECTS * TILES
_MOST = 1000
"""Numbers that no game reaches: strengths, actions, tiles owed."""


def from_dict(options: Options, rules: Any, d: Mapping[str, Any], state: Any) -> None:
    """Fill `state` from a State JSON object; its `seed` stays, its event log is new.

    Raises:
        ValueError: a key is missing or unknown, a value has the wrong type or range, the options are not the game's,
            or the position cannot be (the sentence of the broken invariant); `state` is untouched then.
    """
    check_keys(d, KEYS, "a State JSON object of Blood", _RULE)
    _check_game(options, rules, d)
    array = np.zeros(1, STATE)
    scratch = array[0]
    scratch.seed = state.seed
    _Reader(rules, d, scratch).read()
    derive(rules, scratch)
    broken = int(check(rules, scratch))
    if broken:
        raise ValueError(f"this State JSON is not a position of the game: {INVARIANTS[broken]}")
    for field in STATE.names or ():
        state[field] = scratch[field]


def _check_game(options: Options, rules: Any, d: Mapping[str, Any]) -> None:
    if d["game"] != "blood":
        raise ValueError(f"`game` must be 'blood', not {shown(d['game'])}")
    own = {"num_players": int(rules.num_players), **options.to_json(*hashes(rules))}
    integer(d["num_players"], "num_players", 1, 5)
    given = {
        "num_players": d["num_players"],
        **check_keys(d["options"], own.keys() - {"num_players"}, "`options`", _RULE),
    }
    for key, value in own.items():
        if not _same(given[key], value):
            where = key if key == "num_players" else f"options.{key}"
            raise ValueError(
                f"`{where}` is {shown(given[key])}, but this game has {value!r}; load the game with the same options"
            )


def _same(given: Any, own: Any) -> bool:
    """Return whether two JSON values are equal in kind, too (True is not 1)."""
    if isinstance(own, list):
        return isinstance(given, (list, tuple)) and len(given) == len(own) and all(map(_same, given, own))
    return type(given) is type(own) and bool(given == own)


class _Reader:
    """Reads the parts of one object into a zeroed record."""

    def __init__(self, rules: Any, d: Mapping[str, Any], state: Any) -> None:
        self.rules, self.d, self.state = rules, d, state
        self.n, self.colours = int(rules.num_players), int(rules.colours)
        self.last_cell = int(rules.grid_size) ** 2 - 1
        self.tile_on: dict[int, int] = {}  # cell -> tile

    def read(self) -> None:
        self.turn()
        self.tiles()
        self.colours_hold()
        self.map()
        self.citadels()
        self.laying()
        self.actions()
        self.battle()
        self.bandit()
        self.derived()

    # -- turn and tiles ------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        d, state = self.d, self.state
        state.decision = Decision[word(d["decision"], "decision", _DECISIONS)]
        state.player = optional(d["player"], "player", self.n - 1)
        state.active = integer(d["active"], "active", 0, self.n - 1)
        if d["winners"] is not None:
            winners = ascending(d["winners"], "winners", 0, self.colours - 1, self.colours)
            if not winners:
                raise ValueError("`winners` must be null or name somebody, not []")
            state.winners = sum(1 << p for p in winners)

    def tiles(self) -> None:
        d, state = self.d, self.state
        pile = sequence(d["pile"], "pile", 1, TILES, TILES)
        state.pile_top = TILES - len(pile)
        state.pile[TILES - len(pile) :] = pile
        state.ability[:] = -1
        for p, ability in enumerate(entries(d["abilities"], "abilities", self.n)):
            state.ability[p] = optional(ability, f"abilities[{p}]", ABILITIES - 1)
        for key, field, length in (
            ("hands", "hand", self.n),
            ("held", "held", self.n),
            ("prepared", "prepared", self.colours),
        ):
            for p, value in enumerate(entries(d[key], key, length)):
                state[field][p] = _words(ids(value, f"{key}[{p}]"))
        for key in ("discard", "removed", "fresh"):
            state[key] = _words(ids(d[key], key))
        for p, hand in enumerate(d["hands"]):
            state.hand_size[p] = len(hand)

    def colours_hold(self) -> None:
        for key, most in (("settlement", PIECES), ("vp", SIX), ("reserve", PIECES)):
            self.state[key][: self.colours] = integers(self.d[key], key, self.colours, 0, most)

    # -- map -----------------------------------------------------------------------------------------------------------

    def map(self) -> None:
        tiles = self.d["map"]
        if not isinstance(tiles, (list, tuple)) or len(tiles) > TILES:
            raise ValueError(f"`map` must be a list of at most {TILES} tiles, not {shown(tiles)}")
        last = -1
        for i, entry in enumerate(tiles):
            where = f"map[{i}]"
            check_keys(entry, _MAP, f"`{where}`", _RULE)
            cell = integer(entry["cell"], f"{where}.cell", 0, self.last_cell)
            tile = integer(entry["tile"], f"{where}.tile", 1, TILES)
            if cell <= last:
                raise ValueError(f"`map` must be sorted by cell, one tile a cell; cell {cell} stands after {last}")
            if tile in self.tile_on.values():
                raise ValueError(f"`map` has tile {tile} twice")
            last = cell
            self.tile_on[cell] = tile
            self.put_tile(entry, where, tile)
        self.state.on_map = _words(sorted(self.tile_on.values()))

    def put_tile(self, entry: Mapping[str, Any], where: str, tile: int) -> None:
        state, period = self.state, int(self.rules.period[tile])
        state.cell[tile] = entry["cell"]
        state.rotation[tile] = integer(entry["rotation"], f"{where}.rotation", 0, period - 1)  # BLOOD-PLACE-07
        numbers = integers(entry["warbands"], f"{where}.warbands", self.colours, 0, PIECES)
        state.warbands[tile, : self.colours] = numbers

    def tile(self, value: Any, where: str) -> int:
        """Return the tile on a cell, 0 for null."""
        cell = optional(value, where, self.last_cell)
        if cell >= 0 and cell not in self.tile_on:
            raise ValueError(f"`{where}` is cell {cell}, which holds no tile")
        return self.tile_on[cell] if cell >= 0 else 0

    def tile_set(self, value: Any, where: str) -> list[int]:
        """Return the words of the set of tiles on a sorted list of cells."""
        cells = ascending(value, where, 0, self.last_cell, TILES)
        return _words(sorted(self.tile(cell, f"{where}[{i}]") for i, cell in enumerate(cells)))

    def citadels(self) -> None:
        state, places = self.state, set()
        state.citadel_owner[:] = -1
        for number, value in enumerate(entries(self.d["citadels"], "citadels", CITADELS)):
            if value is None:
                continue
            where = f"citadels[{number}]"
            check_keys(value, _CITADEL, f"`{where}`", _RULE)
            if value["cell"] is None:
                raise ValueError(f"`{where}.cell` must be a cell, not None")
            tile = self.tile(value["cell"], f"{where}.cell")
            side = integer(value["side"], f"{where}.side", 0, 2)
            if self.across(value["cell"], side) not in self.tile_on:
                raise ValueError(f"`{where}` must stand between two tiles; there is none across side {side}")
            if (tile, side) in places:
                raise ValueError(f"`{where}` stands where another citadel stands")
            places.add((tile, side))
            state.citadel_tile[number] = tile
            state.citadel_side[number] = side
            state.citadel_owner[number] = integer(value["owner"], f"{where}.owner", 0, self.n - 1)
            state.citadel_permanent[number] = flag(value["permanent"], f"{where}.permanent")

    def across(self, cell: int, side: int) -> int:
        size = int(self.rules.grid_size)
        q, r = divmod(cell, size)
        return (q + STEP_Q[side]) % size * size + (r + STEP_R[side]) % size

    # -- contexts ------------------------------------------------------------------------------------------------------

    def laying(self) -> None:
        d, state = self.d, self.state
        state.laid = self.tile(d["laid"], "laid")
        state.placing_cell = -1
        if d["placing"] is not None:
            placing = check_keys(d["placing"], ("tile", "cell"), "`placing`", _RULE)
            state.placing_tile = integer(placing["tile"], "placing.tile", 1, TILES)
            state.placing_cell = optional(placing["cell"], "placing.cell", self.last_cell)
        state.breach = optional(d["citadel_side"], "citadel_side", SIDES - 1)
        state.village_left = integer(d["village_left"], "village_left", 0, _MOST)
        state.furs_returned = flag(d["furs_returned"], "furs_returned")
        state.silver_tile = self.tile(d["silver_cell"], "silver_cell")

    def actions(self) -> None:
        d, state = self.d, self.state
        state.a = integer(d["a"], "a", 0, _MOST)
        state.b = integer(d["b"], "b", 0, 1)
        state.performed = flag(d["performed"], "performed")
        state.drawn = integer(d["drawn"], "drawn", 0, TILES)
        state.drew_earlier = flag(d["drew_earlier"], "drew_earlier")
        if d["move"] is not None:
            move = check_keys(d["move"], _MOVE, "`move`", _RULE)
            state.move_kind = Move[word(move["kind"], "move.kind", _MOVES)]
            state.move_source = self.needed_tile(move["source"], "move.source")
            if move["count"] is not None:
                state.move_count = integer(move["count"], "move.count", 1, PIECES)

    def needed_tile(self, value: Any, where: str) -> int:
        tile = self.tile(value, where)
        if tile == 0:
            raise ValueError(f"`{where}` must be a cell, not None")
        return tile

    def battle(self) -> None:
        state, value = self.state, self.d["battle"]
        state.battle_order[:] = -1
        if value is None:
            return
        check_keys(value, _BATTLE, "`battle`", _RULE)
        order = sequence(value["order"], "battle.order", 0, self.colours - 1, self.colours)
        size = len(order)
        state.battle_tile = self.needed_tile(value["cell"], "battle.cell")
        state.battle_size = size
        state.battle_order[:size] = order
        state.battle_owed[:size] = integers(value["owed"], "battle.owed", size, 0, _MOST)
        state.battle_strength[:size] = integers(value["strength"], "battle.strength", size, 0, _MOST)
        for i, revealed in enumerate(entries(value["revealed"], "battle.revealed", size)):
            state.battle_revealed[i] = _words(ids(revealed, f"battle.revealed[{i}]"))
        state.battle_add = integer(value["add"], "battle.add", 0, 2)

    def bandit(self) -> None:
        state, value = self.state, self.d["bandit"]
        if value is None:
            return
        check_keys(value, BANDIT_KEYS, "`bandit`", _RULE)
        state.card = integer(value["card"], "bandit.card", 1, TILES)
        state.effect = integer(value["next"], "bandit.next", 0, MAX_EFFECTS)
        state.left = integer(value["left"], "bandit.left", 0, _MOST)
        state.target = self.tile(value["target"], "bandit.target")
        state.remaining = self.tile_set(value["remaining"], "bandit.remaining")
        state.served = self.tile_set(value["served"], "bandit.served")
        self.run(value["run"])
        if value["forbidden"] is not None:
            y, z = entries(value["forbidden"], "bandit.forbidden", 2)
            state.forbidden_from = self.needed_tile(y, "bandit.forbidden[0]")
            state.forbidden_to = self.needed_tile(z, "bandit.forbidden[1]")
        state.won = integer(value["won"], "bandit.won", 0, _MOST)
        state.last_won = flag(value["last_won"], "bandit.last_won")
        state.bribed = integer(value["bribed"], "bandit.bribed", 0, _MOST)

    def run(self, value: Any) -> None:
        state = self.state
        if value is None:
            return
        check_keys(value, _RUN, "`bandit.run`", _RULE)
        state.run_kind = Run[word(value["kind"], "bandit.run.kind", _RUNS)]
        moves = value["moves"]
        if not isinstance(moves, (list, tuple)) or len(moves) > _LONGEST_RUN:
            raise ValueError(f"`bandit.run.moves` must be a list of at most {_LONGEST_RUN} moves, not {shown(moves)}")
        segment, before = -1, ""
        for i, item in enumerate(moves):
            kind = word(item, f"bandit.run.moves[{i}]", _MOVES)
            segment += kind != before
            before = kind
            if segment == MAX_EFFECTS:
                raise ValueError(
                    f"`bandit.run.moves` changes between lakes and roads more than {MAX_EFFECTS - 1} times"
                )
            state.run_left[segment] += 1
        state.run_first = Move[moves[0]] if moves else Move.NONE
        state.move_from = self.tile(value["from"], "bandit.run.from")
        state.move_via = self.tile(value["via"], "bandit.run.via")
        state.one = self.tile(value["one"], "bandit.run.one")

    # -- what follows --------------------------------------------------------------------------------------------------

    def derived(self) -> None:
        """Write the fields that say in other words what the object says: the phase and the participant that is due."""
        state, decision = self.state, Decision(int(self.state.decision))
        if state.battle_tile:
            state.phase = Decision.D16 if state.card == 0 else 0
            due = int(state.player) if decision <= Decision.D22 else int(BANDITS)
            order = state.battle_order[: int(state.battle_size)].tolist()
            if due not in order:
                raise ValueError(f"`battle.order` is {order}, but {decision.name} waits for colour {due}")
            state.battle_at = order.index(due)
        elif state.move_kind != Move.NONE:
            state.phase = Decision.D14 if state.move_kind == Move.LAKE else Decision.D15
        elif Decision.D13 <= decision <= Decision.D16:
            state.phase = decision


def ids(value: Any, where: str) -> list[int]:
    """Return a sorted list of tile ids."""
    return ascending(value, where, 1, TILES, TILES)


def _words(tiles: list[int]) -> list[int]:
    """Return the two words of a set of tiles."""
    bits = sum(1 << tile for tile in tiles)
    return [bits & (1 << PER_WORD) - 1, bits >> PER_WORD]
