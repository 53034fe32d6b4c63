"""State JSON read back (NORTH-PH-10): every value is checked before a kernel may use it as an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from northmen_env.engine.jsonvalues import check_keys, entries, flag, integer, integers, optional, sequence, shown, word
from northmen_env.games.northgard import board
from northmen_env.games.northgard.invariants import INVARIANTS, check
from northmen_env.games.northgard.options import CLANS, Clan, Options
from northmen_env.games.northgard.plots import include
from northmen_env.games.northgard.reading_choices import check_choices
from northmen_env.games.northgard.reading_counts import check_counts
from northmen_env.games.northgard.reading_frames import FrameReader
from northmen_env.games.northgard.reading_moment import check_moment
from northmen_env.games.northgard.reading_pieces import check_pieces
from northmen_env.games.northgard.rules import refresh
from northmen_env.games.northgard.setup import empty
from northmen_env.games.northgard.state import DECK, DEVELOPMENT, HAND_TILES, ROLLS, STATE, Decision, Phase
from northmen_env.games.northgard.tables import (
    BUILDINGS,
    CARDS,
    CREATURES,
    FACES,
    RESOURCES,
    SIDES,
    TILES,
    TOKENS,
    UNITS,
    UNREST_CARDS,
    Kind,
    clan_cards,
    data_sha256,
)

RULE = "NORTH-PH-10"
_TURN = ("year", "phase", "decision", "player", "turn", "marker", "main_used", "resolved")
_SEATS = ("passed", "taken", "kaija_free", "conquer", "resources", "fame", "clan", "upgrades")
_CARDS = ("hand", "hand_known", "draw_pile", "draw_known", "discard", "played", "idle", "removed")
_MIDDLE = ("display", "achievements", "dev_deck", "unrest", "supply")
_TILES = ("tiles", "tile_stack", "tile_known", "tile_hands")
_MAP = ("units", "kaija", "token", "buildings", "spaceless")
_CREATURES = ("creatures", "creature_pile", "creature_top", "creature_discard")
KEYS = ("game", "num_players", "options", *_TURN, *_SEATS, *_CARDS, *_MIDDLE, *_TILES, *_MAP, *_CREATURES,
        "last_rolls", "frames")  # fmt: skip
"""The keys of a State JSON object, in the order of the ledger."""

_MOST = 9999
"""A number of resources or fame that no game reaches."""

_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def from_dict(options: Options, rules: Any, d: Mapping[str, Any], state: Any) -> None:
    """Fill `state` from a State JSON object; its `seed` stays, its event log is new.

    Raises:
        ValueError: a key is missing or unknown, a value has the wrong type or range, the options are not the game's,
            or the position cannot be (pieces twice or missing, frames that never run together, a decision without a
            choice); `state` is untouched then.
    """
    check_keys(d, KEYS, "a State JSON object of Northgard", RULE)
    _check_game(options, rules, d)
    array = np.zeros(1, STATE)
    scratch = array[0]
    empty(scratch)
    scratch.seed = state.seed
    reader = _Reader(rules, d, scratch)
    reader.read()
    check_pieces(rules, d, scratch)
    check_counts(rules, scratch)
    check_choices(rules, scratch)
    if scratch.decision != Decision.END:
        refresh(rules, scratch)
        if scratch.legal_count < 2:
            name = Decision(int(scratch.decision)).name
            raise ValueError(f"this State JSON is not a position of the game: {name} leaves no choice there")
    broken = int(check(rules, scratch))
    if broken:
        raise ValueError(f"this State JSON is not a position of the game: {INVARIANTS[broken]}")
    for field in STATE.names or ():
        state[field] = scratch[field]


def _check_game(options: Options, rules: Any, d: Mapping[str, Any]) -> None:
    if d["game"] != "northgard":
        raise ValueError(f"`game` must be 'northgard', not {shown(d['game'])}")
    own = options.to_json(data_sha256(rules))
    integer(d["num_players"], "num_players", 2, 5)
    given = check_keys(d["options"], own.keys(), "`options`", RULE)
    wrong = [("num_players", d["num_players"], own["num_players"])]
    wrong += [(f"options.{key}", given[key], value) for key, value in own.items()]
    for where, found, value in wrong:
        if not _same(found, value):
            raise ValueError(
                f"`{where}` is {shown(found)}, but this game has {value!r}; load the game with the same options"
            )


def _same(given: Any, own: Any) -> bool:
    """Return whether two JSON values are equal in kind, too (True is not 1)."""
    if isinstance(own, list):
        return isinstance(given, (list, tuple)) and len(given) == len(own) and all(map(_same, given, own))
    return type(given) is type(own) and bool(given == own)


def sorted_cards(value: Any, where: str, longest: int, high: int = CARDS - 1) -> list[int]:
    """Return a multiset, which is written as a sorted list."""
    cards = listed(value, where, longest, high)
    if cards != sorted(cards):
        raise ValueError(f"`{where}` is a multiset and must be sorted, not {shown(value)}")
    return cards


def listed(value: Any, where: str, longest: int, high: int) -> list[int]:
    """Return a list of at most `longest` integers in [0, high]."""
    if not isinstance(value, (list, tuple)) or len(value) > longest:
        raise ValueError(f"`{where}` must be a list of at most {longest} integers, not {shown(value)}")
    return [integer(item, f"{where}[{i}]", 0, high) for i, item in enumerate(value)]


def rows(value: Any, where: str, *ranges: tuple[int, int]) -> list[list[int]]:
    """Return a sorted list of different lists of integers in the given ranges."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"`{where}` must be a list, not {shown(value)}")
    found = []
    for i, entry in enumerate(value):
        items = entries(entry, f"{where}[{i}]", len(ranges))
        pairs = zip(items, ranges, strict=True)
        found.append([integer(item, f"{where}[{i}][{j}]", *limits) for j, (item, limits) in enumerate(pairs)])
    if any(before >= after for before, after in pairwise(found)):
        raise ValueError(f"`{where}` must be sorted and name nothing twice, not {shown(value)}")
    return found


class _Reader:
    """Reads the parts of one object into a record of an empty game."""

    def __init__(self, rules: Any, d: Mapping[str, Any], state: Any) -> None:
        self.rules, self.d, self.state = rules, d, state
        self.n = int(rules.num_players)
        self.all_seats = (1 << self.n) - 1

    def read(self) -> None:
        self.turn()
        self.seats()
        self.cards()
        self.tiles()
        self.map()
        self.creatures()
        rolls = listed(self.d["last_rolls"], "last_rolls", ROLLS, FACES - 1)
        self.state.rolls = len(rolls)
        self.state.rolled[: len(rolls)] = rolls
        FrameReader(self.rules, self.d["frames"], self.state, self.territory).read()
        check_moment(self.rules, self.state)
        self.setup_round()

    def turn(self) -> None:
        d, state = self.d, self.state
        state.year = integer(d["year"], "year", 1, int(self.rules.years))
        state.phase = Phase[word(d["phase"], "phase", tuple(Phase.__members__))]
        state.decision = Decision[word(d["decision"], "decision", tuple(Decision.__members__))]
        for key in ("player", "turn", "marker"):
            state[key] = optional(d[key], key, self.n - 1)
        for key in ("main_used", "resolved"):
            state[key] = flag(d[key], key)

    # -- seats and cards -----------------------------------------------------------------------------------------------

    def seats(self) -> None:
        d, state, n = self.d, self.state, self.n
        for key in ("passed", "taken", "kaija_free", "conquer"):
            state[key][:n] = [flag(item, f"{key}[{p}]") for p, item in enumerate(entries(d[key], key, n))]
        for p, entry in enumerate(entries(d["resources"], "resources", n)):
            state.resources[p] = integers(entry, f"resources[{p}]", RESOURCES, 0, _MOST)
        state.fame[:n] = integers(d["fame"], "fame", n, -_MOST, _MOST)
        clans = [optional(item, f"clan[{p}]", CLANS - 1) for p, item in enumerate(entries(d["clan"], "clan", n))]
        chosen = [clan for clan in clans if clan >= 0]
        if len(set(chosen)) < len(chosen):
            raise ValueError(f"`clan` names a clan twice: {shown(d['clan'])}")
        state.clan[:n] = clans
        state.bear = clans.index(Clan.BEAR) if Clan.BEAR in clans else -1
        state.snake = clans.index(Clan.SNAKE) if Clan.SNAKE in clans else -1
        for p, entry in enumerate(entries(d["upgrades"], "upgrades", n)):
            cards = sorted_cards(entry, f"upgrades[{p}]", 2)
            own = clan_cards(clans[p])[1:] if clans[p] >= 0 else ()
            if len(set(cards)) < len(cards) or not set(cards) <= set(own):
                raise ValueError(f"`upgrades[{p}]` must be some of {list(own)}, the upgrades of its clan, not {cards}")
            state.upgrades[p] = sum(1 << own.index(card) for card in cards)

    def cards(self) -> None:
        d, state, n = self.d, self.state, self.n
        for p, entry in enumerate(entries(d["hand"], "hand", n)):
            known = entries(d["hand_known"], "hand_known", n)[p]
            self.known_cards(entry, known, f"hand[{p}]", f"hand_known[{p}]", 1 << p, ("hand", "hand_known"), p)
            state.hand_size[p] = len(entry)
        for p, entry in enumerate(entries(d["draw_pile"], "draw_pile", n)):
            pile = listed(entry, f"draw_pile[{p}]", DECK, CARDS - 1)
            where, masks = f"draw_known[{p}]", entries(d["draw_known"], "draw_known", n)[p]
            state.pile[p, : len(pile)] = pile[::-1]
            state.pile_known[p, : len(pile)] = integers(masks, where, len(pile), 0, self.all_seats)[::-1]
            state.pile_size[p] = len(pile)
        for key in ("discard", "played", "idle"):
            for p, entry in enumerate(entries(d[key], key, n)):
                cards = sorted_cards(entry, f"{key}[{p}]", DECK)
                state[key][p, : len(cards)] = cards
                state[f"{key}_size"][p] = len(cards)
        for card in sorted_cards(d["removed"], "removed", 5 * DECK):
            state.removed[card] += 1
        self.middle()

    def known_cards(
        self, cards: Any, masks: Any, where: str, known: str, own: int, fields: tuple[str, str], p: int | None
    ) -> int:
        """Put a list sorted by (card, mask), each mask with the bits `own`; return its length."""
        found = listed(cards, where, DECK, CARDS - 1)
        seats = integers(masks, known, len(found), 0, self.all_seats)
        pairs = list(zip(found, seats, strict=True))
        if pairs != sorted(pairs):
            raise ValueError(f"`{where}` and its masks must be sorted by (card, mask), not {shown(pairs)}")
        if any(mask & own != own for mask in seats):
            raise ValueError(f"`{known}` must hold the owner in each mask (bit {own}), not {shown(seats)}")
        for field, values in zip(fields, (found, seats), strict=True):
            target = self.state[field] if p is None else self.state[field][p]
            target[: len(found)] = values
        return len(found)

    def middle(self) -> None:
        d, state = self.d, self.state
        for key in ("display", "achievements"):
            cards = sorted_cards(d[key], key, self.n)
            state[key][: len(cards)] = cards
            state[f"{key}_size"] = len(cards)
        deck = listed(d["dev_deck"], "dev_deck", DEVELOPMENT, CARDS - 1)
        state.deck[: len(deck)] = deck[::-1]
        state.deck_size = len(deck)
        state.unrest = integer(d["unrest"], "unrest", 0, UNREST_CARDS)
        self.supply = integers(d["supply"], "supply", BUILDINGS, 0, TOKENS)

    # -- tiles and map -------------------------------------------------------------------------------------------------

    def tiles(self) -> None:
        d, state = self.d, self.state
        placed = d["tiles"]
        if not isinstance(placed, (list, tuple)) or not 1 <= len(placed) <= TILES:
            raise ValueError(f"`tiles` must be a list of 1 to {TILES} tiles, not {shown(placed)}")
        size = int(self.rules.map_size) - 1
        spots: dict[tuple[int, int], int] = {}
        for i, entry in enumerate(placed):
            self.lay(spots, i, integers(entry, f"tiles[{i}]", 4, 0, max(size, TILES - 1)))
        stack = sequence(d["tile_stack"], "tile_stack", 0, TILES - 1, TILES)
        masks = integers(d["tile_known"], "tile_known", len(stack), 0, self.all_seats)
        state.stack_size = len(stack)
        state.stack[: len(stack)] = stack[::-1]
        state.stack_known[: len(stack)] = masks[::-1]
        for p, entry in enumerate(entries(d["tile_hands"], "tile_hands", self.n)):
            hand = sorted_cards(entry, f"tile_hands[{p}]", HAND_TILES, TILES - 1)
            state.tile_hand[p, : len(hand)] = hand

    def lay(self, spots: dict[tuple[int, int], int], i: int, entry: Sequence[int]) -> None:
        tile, x, y, turn = entry
        size = int(self.rules.map_size)
        where = f"tiles[{i}]"
        integer(tile, f"{where}[0]", 0, TILES - 1)
        integer(x, f"{where}[1]", 0, size - 1)
        integer(y, f"{where}[2]", 0, size - 1)
        integer(turn, f"{where}[3]", 0, int(self.rules.tile_rotations[tile]) - 1)  # NORTH-TILE-13
        if i == 0 and entry != [0, 0, 0, 0]:
            raise ValueError(f"`tiles[0]` must be the starting tile [0, 0, 0, 0] (NORTH-SETUP-04), not {entry}")
        if tile in spots.values():
            raise ValueError(f"`tiles` has tile {tile} twice")
        at = (0, 0)
        if i > 0:
            beside = [(a + dx, b + dy) for a, b in spots for dx, dy in _STEPS]
            found = sorted({spot for spot in beside if (spot[0] - x) % size == 0 and (spot[1] - y) % size == 0})
            if not found or found[0] in spots:
                raise ValueError(f"`{where}` lies at {x}, {y}, which is no empty cell beside the tiles before it")
            at = found[0]
        spots[at] = tile
        board.lay_tile(self.rules, self.state, tile, *at, turn)

    def territory(self, value: Any, where: str, none: bool = True) -> int:
        """Return the territory of a canonical id; with `none`, -1 for null."""
        if value is None and none:
            return -1
        slot = integer(value, where, 0, SIDES * int(self.state.tiles) - 1)
        tile = int(self.state.tile_id[slot // SIDES])
        if slot % SIDES < int(self.rules.tile_areas[tile]):
            plot = int(board.plot_of(self.state, slot))
            if self.state.root[plot] == plot:
                return plot
        raise ValueError(f"`{where}` is {slot}, which is no canonical territory id (NORTH-TILE-07)")

    def map(self) -> None:
        d, state, slots = self.d, self.state, (0, SIDES * TILES - 1)
        for i, (slot, p, number) in enumerate(rows(d["units"], "units", slots, (0, self.n - 1), (1, UNITS))):
            if state.on_map[p] + number > UNITS:
                raise ValueError(f"`units` has more than {UNITS} units of seat {p}")
            board.put_units(state, p, self.territory(slot, f"units[{i}][0]", none=False), number)
        kaija = self.territory(d["kaija"], "kaija")
        if kaija >= 0:
            if state.bear < 0:
                raise ValueError("`kaija` must be null: no seat has the Bear clan")
            board.put_kaija(state, kaija)
        state.token = self.territory(d["token"], "token")
        if state.token >= 0 and state.snake < 0:
            raise ValueError("`token` must be null: no seat has the Snake clan")
        self.buildings()

    def buildings(self) -> None:
        d, state, slots = self.d, self.state, (0, SIDES * TILES - 1)
        state.supply[:] = TOKENS
        for i, (slot, kind) in enumerate(rows(d["buildings"], "buildings", slots, (0, BUILDINGS - 1))):
            integer(slot, f"buildings[{i}][0]", 0, SIDES * int(state.tiles) - 1)
            space = int(self.rules.tile_space[int(state.tile_id[slot // SIDES]), slot % SIDES])
            fitting = ((3,), (2,), (1, 2))[
                0 if self.rules.build_large[kind] else 1 if self.rules.build_carved[kind] else 2
            ]
            plot = int(board.plot_of(state, slot))
            if space not in fitting or state.built[plot]:
                raise ValueError(f"`buildings[{i}]`: slot {slot} has no free space for a building of type {kind}")
            self.take_token(kind)
            board.set_building(self.rules, state, plot, kind)
        limits = (slots, (0, BUILDINGS - 1), (1, TOKENS))
        for i, (slot, kind, number) in enumerate(rows(d["spaceless"], "spaceless", *limits)):
            if self.rules.build_large[kind]:
                raise ValueError(f"`spaceless[{i}]`: a large building (type {kind}) needs a space (NORTH-BUILD-06)")
            t = self.territory(slot, f"spaceless[{i}][0]", none=False)
            for _ in range(number):
                self.take_token(kind)
                board.add_building(self.rules, state, t, kind)
        if state.supply.tolist() != self.supply:
            raise ValueError(
                f"`supply` is {self.supply}, but with the buildings of the map {state.supply.tolist()} are left"
            )

    def take_token(self, kind: int) -> None:
        if self.state.supply[kind] == 0:
            raise ValueError(f"the map has more than {TOKENS} buildings of type {kind} (NORTH-COMP-02)")

    def creatures(self) -> None:
        d, state = self.d, self.state
        line = d["creatures"]
        if not isinstance(line, (list, tuple)) or len(line) > CREATURES:
            raise ValueError(f"`creatures` must be a list of at most {CREATURES} pairs, not {shown(line)}")
        kinds = {Kind.BEAR: state.bears, Kind.WOLF: state.wolves, Kind.VALKYRIE: state.valkyries}
        for i, entry in enumerate(line):
            creature, slot = entries(entry, f"creatures[{i}]", 2)
            integer(creature, f"creatures[{i}][0]", 0, CREATURES - 1)
            t = self.territory(slot, f"creatures[{i}][1]", none=False)
            state.line[i], state.creature_at[creature] = creature, t
            kind = Kind(int(self.rules.creature_kind[creature]))
            if kind in kinds:
                include(kinds[kind], t)
        state.line_size = len(line)
        pile = sequence(d["creature_pile"], "creature_pile", 0, CREATURES - 1, CREATURES)
        state.creature_pile[: len(pile)] = pile[::-1]
        state.creature_pile_size = len(pile)
        state.creature_top = integer(d["creature_top"], "creature_top", 0, len(pile))
        discard = sorted_cards(d["creature_discard"], "creature_discard", CREATURES, CREATURES - 1)
        state.creature_discard = sum(1 << creature for creature in set(discard))

    def setup_round(self) -> None:
        """Write which round of setup it is: in the second, seats before the turn have one tile, those after it two."""
        state = self.state
        if state.phase != Phase.SETUP:
            return
        sizes = [len(hand) for hand in self.d["tile_hands"]]
        turn, first = int(state.turn), int(state.marker)
        lies = state.decision >= Decision.SETUP_TERR
        own = sizes[turn] + lies
        later = [sizes[(first + i) % self.n] for i in range((turn - first) % self.n + 1, self.n)]
        state.setup_round = 2 if own < HAND_TILES or 1 in sizes or HAND_TILES - 1 in later else 1
