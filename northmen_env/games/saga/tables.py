"""Printed tables of Saga: the CSV folder (SAGA-DATA-20) and the RULES record made from it and the options."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from northmen_env.engine.csvfiles import Row, Table, check_ids, integer, lookup, parse_table, read_folder, read_names
from northmen_env.engine.layout import record_dtype

if TYPE_CHECKING:
    from northmen_env.games.saga.options import Options

SEATS = 4
KINGDOMS = 7
REGIONS = 9
PLACES = KINGDOMS + REGIONS
CARDS = 56
ROUTES = 20
SLOTS = 3

SUIT_SIZE = CARDS // KINGDOMS
NAME_BYTES = 64
MAX_ROUTE_VALUE = 999

NONE, LAND, SEA, BOTH = 0, 1, 2, 3
"""Classes of SAGA-DATA-12: bit 0 = armies reach the region, bit 1 = fleets do."""

RULES = record_dtype(
    "saga_rules",
    [
        # Read by generic code.
        ("num_players", np.int32),
        ("history", np.int32),  # rows of the seat's own events appended to an observation; 0: no event log
        ("dense", np.int32),  # 1: rewards are differences of public scores (engine)
        # Sizes of the tables.
        ("num_kingdoms", np.int32),
        ("num_regions", np.int32),
        ("num_cards", np.int32),
        ("num_routes", np.int32),
        # Tables.
        ("card_suit", np.int32, (CARDS,)),
        ("card_armies", np.int32, (CARDS,)),
        ("card_fleets", np.int32, (CARDS,)),
        ("card_value", np.int32, (CARDS,)),  # armies + fleets
        ("card_region", np.int32, (CARDS,)),  # region or -1
        ("card_mark", np.int32, (CARDS,)),  # 0 none, 1 "3-4", 2 "4"
        ("card_places", np.int32, (CARDS,)),  # places(c, n) of SAGA-DATA-14 for this num_players
        ("suit_cards", np.int64, (KINGDOMS,)),  # bit set of each suit
        ("chart_armies", np.int32, (KINGDOMS,)),  # armies on all cards of the suit (SAGA-DATA-06)
        ("chart_fleets", np.int32, (KINGDOMS,)),
        ("coastal", np.int32, (REGIONS,)),  # 1: touches the sea
        ("adjacent", np.int32, (KINGDOMS, REGIONS)),  # 0 or 1
        ("march_class", np.int32, (KINGDOMS, REGIONS)),  # SAGA-DATA-12: 0 NONE, 1 LAND, 2 SEA, 3 BOTH
        ("march_regions", np.int64, (KINGDOMS, 4)),  # bit set of the regions of each class
        ("route_kingdom", np.int32, (ROUTES,)),
        ("route_region", np.int32, (ROUTES,)),
        ("route_value", np.int32, (ROUTES,)),
        ("start_infamy", np.int32, (SEATS,)),  # by leader distance (SAGA-SETUP-07)
        # Options (SAGA-OPT-02).
        ("first_leader", np.int32),  # seat, -1 for random
        ("final_planning", np.int32),
        ("draw_after_last_token", np.int32),
        ("hero_needs_cube", np.int32),
        ("heroes_collect", np.int32),
        ("free_march", np.int32),  # march_order = free
        ("table_recall", np.int32),  # recall = table
        ("reward", np.int32),  # 0 rank, 1 win, 2 score
        ("score_scale", np.float64),
        # For texts only. Bytes, because numba knows no text in a record: UTF-8, filled up with zeros.
        ("kingdom_name", np.uint8, (KINGDOMS, NAME_BYTES)),
        ("region_name", np.uint8, (REGIONS, NAME_BYTES)),
        ("data_sha256", np.uint8, (32,)),  # over the bytes of the five files, in order
    ],
)

FILES = {
    "kingdoms.csv": "id,name",
    "regions.csv": "id,name,coastal",
    "adjacency.csv": "kingdom,adjacent regions",
    "cards.csv": "id,suit,armies,fleets,plunder,mark",
    "routes.csv": "id,kingdom,region,value",
}
"""The files of a data set with their headers, in the order in which their bytes are hashed (SAGA-DATA-20)."""

MARKS = ("-", "3-4", "4")
TOKENS_PER_GROUP = 15
START_INFAMY = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}  # SAGA-SETUP-07
REWARDS = ("rank", "win", "score")


class Card(NamedTuple):
    """An influence card; `region` is -1 for none, `mark` an index into `MARKS`."""

    suit: int
    armies: int
    fleets: int
    region: int
    mark: int

    def places(self, num_players: int) -> bool:
        """Return whether the card places a plunder token (SAGA-DATA-14)."""
        marked_from = (SEATS + 1, 3, 4)[self.mark]
        return self.region >= 0 and num_players < marked_from


class Route(NamedTuple):
    """A trade route card."""

    kingdom: int
    region: int
    value: int


@dataclass(frozen=True)
class Tables:
    """A data set as read: tuples indexed by id, adjacent region ids per kingdom, and the hash of its bytes."""

    kingdoms: tuple[str, ...]
    regions: tuple[str, ...]
    coastal: tuple[bool, ...]
    adjacent: tuple[frozenset[int], ...]
    cards: tuple[Card, ...]
    routes: tuple[Route, ...]
    sha256: str


# ---- From a folder to Tables ----------------------------------------------------------------------------------------


def check_data(path: str) -> list[str]:
    """Return a sentence for each violated condition of SAGA-DATA-20, `file.csv:line: …`; empty for a sound folder."""
    return _read(path)[1]


def load_tables(data: str) -> Tables:
    """Return the tables of the folder `data`, or of the package for `"builtin"`.

    Raises:
        ValueError: the folder violates SAGA-DATA-20.
    """
    if data == "builtin":
        return _builtin()
    tables, faults = _read(data)
    if tables is None:
        more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
        raise ValueError(
            f"the Saga data in {data!r} cannot be used: {'; '.join(faults[:3])}{more}. "
            f"`northmen data check saga {data}` lists everything that is wrong"
        )
    return tables


@cache
def _builtin() -> Tables:
    tables, faults = _read("builtin")
    if tables is None:
        raise ValueError(f"the tables inside the package are damaged, install it again: {'; '.join(faults[:3])}")
    return tables


def _read(data: str) -> tuple[Tables | None, list[str]]:
    """Read a data set; the tables are None exactly when there are faults."""
    folder = files(__package__).joinpath("data") if data == "builtin" else Path(data)
    faults: list[str] = []
    contents = read_folder(folder, FILES, faults)
    table: dict[str, Table | None] = {
        name: parse_table(name, content, FILES[name], faults) for name, content in contents.items()
    }
    kingdoms = _kingdoms(table.get("kingdoms.csv"), faults)
    regions, coastal = _regions(table.get("regions.csv"), faults)
    adjacent = _adjacency(table.get("adjacency.csv"), kingdoms, regions, faults)
    cards = _cards(table.get("cards.csv"), kingdoms, regions, faults)
    routes = _routes(table.get("routes.csv"), kingdoms, regions, faults)
    if faults:
        return None, faults
    digest = hashlib.sha256(b"".join(contents[name] for name in FILES)).hexdigest()
    return Tables(tuple(kingdoms), tuple(regions), coastal, adjacent, cards, routes, digest), faults


def _kingdoms(table: Table | None, faults: list[str]) -> dict[str, int]:
    if table is None:
        return {}
    return read_names(table, check_ids(table, KINGDOMS, "kingdoms", faults), NAME_BYTES, faults)


def _regions(table: Table | None, faults: list[str]) -> tuple[dict[str, int], tuple[bool, ...]]:
    if table is None:
        return {}, ()
    names = read_names(table, check_ids(table, REGIONS, "regions", faults), NAME_BYTES, faults)
    coastal = []
    for row in table.rows:
        word = row.fields.get("coastal", "yes")
        coastal.append(word == "yes")
        if word not in ("yes", "no"):
            faults.append(row.fault(f"coastal must be yes or no, not {word[:80]!r}"))
            coastal[-1] = True
    if not any(coastal):
        faults.append(table.fault("no region is coastal; at least one must be, or fleets have nowhere to go"))
    return names, tuple(coastal)


def _adjacency(
    table: Table | None, kingdoms: Mapping[str, int], regions: Mapping[str, int], faults: list[str]
) -> tuple[frozenset[int], ...]:
    if table is None:
        return ()
    found: dict[int, frozenset[int]] = {}
    for row in table.rows:
        if not row.fields:
            continue
        kingdom = lookup(row, "kingdom", row.fields["kingdom"], kingdoms, faults)
        adjacent = _adjacent_regions(row, regions, faults)
        if kingdom in found:
            faults.append(row.fault(f"{row.fields['kingdom']} has a second row; each kingdom has one"))
        if kingdom is not None:
            found.setdefault(kingdom, adjacent)
    for name, kingdom in kingdoms.items():
        if kingdom not in found:
            faults.append(table.fault(f"{name} has no row; every kingdom needs at least one adjacent region"))
    return tuple(found.get(kingdom, frozenset()) for kingdom in range(KINGDOMS))


def _adjacent_regions(row: Row, regions: Mapping[str, int], faults: list[str]) -> frozenset[int]:
    text = row.fields["adjacent regions"]
    if not text:
        faults.append(row.fault(f"{row.fields['kingdom']} has no adjacent region; every kingdom needs at least one"))
        return frozenset()
    names = text.split(";")
    for name in sorted(set(names)):
        if names.count(name) > 1:
            faults.append(row.fault(f"{name} is named {names.count(name)} times; name an adjacent region once"))
    ids = [lookup(row, "region", name, regions, faults) for name in dict.fromkeys(names)]
    return frozenset(region for region in ids if region is not None)


def _cards(
    table: Table | None, kingdoms: Mapping[str, int], regions: Mapping[str, int], faults: list[str]
) -> tuple[Card, ...]:
    if table is None:
        return ()
    ids = check_ids(table, CARDS, "cards", faults)
    pairs = zip(table.rows, ids, strict=True)
    cards = [_card(row, card, kingdoms, regions, faults) for row, card in pairs if row.fields]
    for n in range(2, SEATS + 1):
        placing = sum(card.places(n) for card in cards) + len(table.rows) - len(cards)
        if placing < TOKENS_PER_GROUP:
            faults.append(
                table.fault(
                    f"only {placing} cards place a plunder token with {n} players; at least {TOKENS_PER_GROUP} must"
                )
            )
    return tuple(cards)


def _card(row: Row, card: int, kingdoms: Mapping[str, int], regions: Mapping[str, int], faults: list[str]) -> Card:
    suit = lookup(row, "kingdom", row.fields["suit"], kingdoms, faults)
    due = card // SUIT_SIZE
    if suit is not None and card < CARDS and suit != due:
        faults.append(row.fault(f"card {card} is of suit {suit} ({row.fields['suit']}); its suit is id div 8 = {due}"))
    armies, fleets = integer(row, "armies", 0, 3, faults), integer(row, "fleets", 0, 3, faults)
    if armies is not None and fleets is not None and not 1 <= armies + fleets <= 3:
        faults.append(row.fault(f"the value armies + fleets is {armies + fleets}; it must be 1, 2 or 3"))
    name, mark = row.fields["plunder"], row.fields["mark"]
    region = -1 if name == "-" else lookup(row, "region", name, regions, faults)
    if mark not in MARKS:
        faults.append(row.fault(f"mark must be one of {', '.join(MARKS)}, not {mark[:80]!r}"))
    elif mark != "-" and name == "-":
        faults.append(row.fault(f"the mark {mark} needs a region in the column plunder"))
    known_mark = MARKS.index(mark) if mark in MARKS else 0
    return Card(suit or 0, armies or 0, fleets or 0, 0 if region is None else region, known_mark)


def _routes(
    table: Table | None, kingdoms: Mapping[str, int], regions: Mapping[str, int], faults: list[str]
) -> tuple[Route, ...]:
    if table is None:
        return ()
    ids = check_ids(table, ROUTES, "trade routes", faults)
    routes: list[Route] = []
    seen: dict[tuple[str, str], int] = {}
    for row, route in zip(table.rows, ids, strict=True):
        if not row.fields:
            continue
        kingdom = lookup(row, "kingdom", row.fields["kingdom"], kingdoms, faults)
        region = lookup(row, "region", row.fields["region"], regions, faults)
        value = integer(row, "value", 1, MAX_ROUTE_VALUE, faults)
        pair = (row.fields["kingdom"], row.fields["region"])
        if pair in seen:
            faults.append(row.fault(f"{pair[0]} and {pair[1]} are joined by route {seen[pair]} already"))
        seen.setdefault(pair, route)
        routes.append(Route(kingdom or 0, region or 0, value or 0))
    return tuple(routes)


# ---- From Tables to RULES -------------------------------------------------------------------------------------------


def build_rules(options: Options) -> np.ndarray:
    """Return the (1,) RULES array of a configuration, with `history` = `dense` = 0.

    Raises:
        ValueError: `options.data` is a folder that violates SAGA-DATA-20.
    """
    return rules_from(load_tables(options.data), options)


def tables_sha256(options: Options) -> str:
    """Return the SHA-256 (hex) over the bytes of the five files that `options` plays with.

    Raises:
        ValueError: `options.data` is a folder that violates SAGA-DATA-20.
    """
    return load_tables(options.data).sha256


def rules_from(tables: Tables, options: Options) -> np.ndarray:
    """Return the (1,) RULES array of any tables within the maxima, smaller ones included."""
    array = np.zeros(1, RULES)
    rules = array[0]
    rules.num_players = options.num_players
    _put_places(rules, tables)
    _put_cards(rules, tables.cards, options.num_players)
    rules.num_routes = len(tables.routes)
    for i, route in enumerate(tables.routes):
        rules.route_kingdom[i], rules.route_region[i], rules.route_value[i] = route
    rules.start_infamy[: options.num_players] = START_INFAMY[options.num_players]
    rules.data_sha256[:] = np.frombuffer(bytes.fromhex(tables.sha256), np.uint8)
    _put_options(rules, options)
    return array


def _put_places(rules: Any, tables: Tables) -> None:
    rules.num_kingdoms, rules.num_regions = len(tables.kingdoms), len(tables.regions)
    rules.coastal[: len(tables.regions)] = tables.coastal
    for kingdom, adjacent in enumerate(tables.adjacent):
        rules.adjacent[kingdom, sorted(adjacent)] = 1
        for region, coastal in enumerate(tables.coastal):
            rules.march_class[kingdom, region] = LAND * (region in adjacent) | SEA * coastal
            rules.march_regions[kingdom, rules.march_class[kingdom, region]] |= 1 << region
    for names, field in ((tables.kingdoms, rules.kingdom_name), (tables.regions, rules.region_name)):
        for i, name in enumerate(names):
            data = name.encode()
            field[i, : len(data)] = np.frombuffer(data, np.uint8)


def _put_cards(rules: Any, cards: Sequence[Card], num_players: int) -> None:
    rules.num_cards = len(cards)
    rules.card_region[:] = -1
    for i, card in enumerate(cards):
        rules.card_suit[i], rules.card_armies[i], rules.card_fleets[i], rules.card_region[i], rules.card_mark[i] = card
        rules.card_value[i] = card.armies + card.fleets
        rules.card_places[i] = card.places(num_players)
        rules.suit_cards[card.suit] |= 1 << i
        rules.chart_armies[card.suit] += card.armies
        rules.chart_fleets[card.suit] += card.fleets


def _put_options(rules: Any, options: Options) -> None:
    rules.first_leader = -1 if options.first_leader == "random" else options.first_leader
    rules.final_planning = options.final_planning
    rules.draw_after_last_token = options.draw_after_last_token
    rules.hero_needs_cube = options.hero_needs_cube
    rules.heroes_collect = options.heroes_collect
    rules.free_march = options.march_order == "free"
    rules.table_recall = options.recall == "table"
    rules.reward = REWARDS.index(options.reward)
    rules.score_scale = options.score_scale


# ---- Reading RULES --------------------------------------------------------------------------------------------------


def kingdom_name(rules: Any, kingdom: int) -> str:
    """Return the printed name of a kingdom."""
    return bytes(rules.kingdom_name[kingdom]).rstrip(b"\0").decode()


def region_name(rules: Any, region: int) -> str:
    """Return the printed name of a region."""
    return bytes(rules.region_name[region]).rstrip(b"\0").decode()


def place_name(rules: Any, place: int) -> str:
    """Return the name of a place: kingdoms 0–6, then regions 7–15 (rows of `state.cubes`)."""
    return kingdom_name(rules, place) if place < KINGDOMS else region_name(rules, place - KINGDOMS)


def data_sha256(rules: Any) -> str:
    """Return the SHA-256 (hex) of the tables that a RULES record was made from."""
    return bytes(rules.data_sha256).hex()
