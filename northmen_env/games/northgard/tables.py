"""Printed tables of Northgard: the CSV folder (option `data`) and the RULES record made from it and the options."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from northmen_env.engine.csvfiles import read_folder
from northmen_env.engine.layout import record_dtype
from northmen_env.games.northgard import card_table, small_tables, tile_table
from northmen_env.games.northgard.card_table import (
    ACHIEVEMENTS,
    CARDS,
    CLAN_CARDS,
    FIRST_ACHIEVEMENT,
    FIRST_EARLY,
    NAME_BYTES,
    STARTING,
    UNREST,
    Card,
    Group,
    Op,
    clan_cards,
)
from northmen_env.games.northgard.options import BUILTIN, CLANS, REWARDS, SEATS, Clan
from northmen_env.games.northgard.small_tables import (
    CREATURE_BYTES,
    CREATURES,
    FACES,
    UNITS,
    Creature,
    Face,
    Kind,
    Priority,
    Weight,
)
from northmen_env.games.northgard.tile_table import AREAS, PAIRS, RESOURCES, SIDES, TILES, Border, Space, Tile

if TYPE_CHECKING:
    from northmen_env.games.northgard.options import Options

__all__ = [
    "ACHIEVEMENTS",
    "AREAS",
    "BUILDINGS",
    "CARDS",
    "CLANS",
    "CLAN_CARDS",
    "CREATURES",
    "DRAWN_PER_YEAR",
    "FACES",
    "FIRST_ACHIEVEMENT",
    "FIRST_EARLY",
    "RESOURCES",
    "REWARDS",
    "RULES",
    "SEATS",
    "SIDES",
    "STARTING",
    "TILES",
    "TOKENS",
    "UNITS",
    "UNREST",
    "UNREST_CARDS",
    "Border",
    "Building",
    "Clan",
    "Group",
    "Kind",
    "Op",
    "Priority",
    "Space",
    "Weight",
    "build_rules",
    "check_data",
    "clan_cards",
    "load_tables",
]

TOKENS = 7
"""Building tokens of each type (NORTH-COMP-02)."""

UNREST_CARDS = 10
DRAWN_PER_YEAR = 4
"""Cards drawn at the start of a year, without Forges (NORTH-YEAR-01)."""

LAST_SHORT_YEAR = 7


class Building(IntEnum):
    """The building types; their numbers are the actions BLDG (NORTH-BLD-01)."""

    FOOD_SILO = 0
    WOODCUTTER_LODGE = 1
    DEFENSE_TOWER = 2
    TRAINING_CAMP = 3
    CARVED_STONE = 4
    FORTRESS = 5
    FORGE = 6
    ALTAR_OF_KINGS = 7


BUILDINGS = len(Building)


class Plan(NamedTuple):
    """What NORTH-BLD-01 says of a building type, all per token in a controlled territory."""

    name: str
    wood: int  # cost
    large: int = 0  # 1: stands on a large space
    carved: int = 0  # 1: stands on a carved space only
    prod: tuple[int, int, int] = (0, 0, 0)  # food, wood, lore in the harvest
    casualties: int = 0  # inflicted by the defender in a combat here
    units: int = 0  # more that a recruiting here may place
    points: int = 0  # of the defender in a combat here
    cards: int = 0  # drawn at the start of the year
    fame: int = 0  # in the harvest


PLANS = (
    Plan("Food Silo", 1, prod=(1, 0, 0)),
    Plan("Woodcutter Lodge", 1, prod=(0, 1, 0)),
    Plan("Defense Tower", 1, casualties=1),
    Plan("Training Camp", 1, units=1),
    Plan("Carved Stone", 1, carved=1, prod=(0, 0, 1)),
    Plan("Fortress", 3, large=1, points=2),
    Plan("Forge", 3, large=1, cards=1),
    Plan("Altar of Kings", 3, large=1, fame=3),
)
"""By `Building`. Printed in the rulebook, so no part of a data set."""

RULES = record_dtype(
    "northgard_rules",
    [
        # Read by generic code.
        ("num_players", np.int32),
        ("history", np.int32),  # rows of the seat's own events appended to an observation; 0: no event log
        ("dense", np.int32),  # 1: rewards are differences of public scores (engine)
        # Options (section 8); flags are 0 or 1.
        ("clan_choice", np.int32),  # 1: seats choose (decision CLAN), 0: `clan_list`, or at random if that is -1
        ("clan_list", np.int32, (SEATS,)),  # clan of each seat by an explicit list; -1 without one
        ("years", np.int32),  # 7 or 10
        ("teams", np.int32),
        ("creatures", np.int32),
        ("more_creatures", np.int32),
        ("map_size", np.int32),  # S, 12..64
        ("five_tile_in_stack", np.int32),  # 1: tile 1 is in the stack; 0 also with five players, where it is placed
        ("reward", np.int32),  # index into REWARDS
        # What follows from the options.
        ("num_tiles", np.int32),  # placed or in the stack at the beginning, the starting tile included: 34 or 35
        ("deck_early", np.int32),  # development cards of each group in the deck (NORTH-SETUP-02, NORTH-VAR-01)
        ("deck_advanced", np.int32),
        ("conquest", np.int32),  # closed territories with a large building for End 1: 3, teams 5; 0: no End 1
        ("ally", np.int32, (SEATS,)),  # seat of the teammate, -1 none
        ("team", np.int32, (SEATS,)),  # players of the ranking: the seat, or with teams seat mod 2; -1 absent
        ("enemies", np.int64, (SEATS,)),  # bit set of the seats that are enemies of a seat; 0 for absent ones
        # Tiles, by id. World sides are 0 N, 1 E, 2 S, 3 W after a rotation (NORTH-TILE-04).
        ("tile_areas", np.int32, (TILES,)),  # 1..4
        ("tile_world", np.int32, (TILES, SIDES, SIDES)),  # by rotation and world side: the area
        ("tile_facing", np.int32, (TILES, SIDES, AREAS)),  # by rotation and area: bit set of its world sides
        ("tile_corners", np.int32, (TILES, SIDES)),  # by rotation: bit c if a border ends between sides c and c + 1
        ("tile_rotations", np.int32, (TILES,)),  # rotations 0..k-1 are different (NORTH-TILE-13): 1, 2 or 4
        ("tile_icons", np.int32, (TILES, AREAS, RESOURCES)),
        ("tile_total", np.int32, (TILES, RESOURCES)),  # icons of the whole tile
        ("tile_space", np.int32, (TILES, AREAS)),  # Space
        ("tile_lair", np.int32, (TILES,)),  # area with the lair, -1 none
        ("tile_border", np.int32, (TILES, AREAS, AREAS)),  # Border, both ways
        # Buildings, by Building (NORTH-BLD-01), all numbers per token.
        ("build_wood", np.int32, (BUILDINGS,)),  # cost
        ("build_large", np.int32, (BUILDINGS,)),
        ("build_carved", np.int32, (BUILDINGS,)),  # 1: on a carved space only
        ("build_prod", np.int32, (BUILDINGS, RESOURCES)),
        ("build_casualties", np.int32, (BUILDINGS,)),
        ("build_units", np.int32, (BUILDINGS,)),
        ("build_points", np.int32, (BUILDINGS,)),
        ("build_cards", np.int32, (BUILDINGS,)),
        ("build_fame", np.int32, (BUILDINGS,)),
        # Die (NORTH-DIE-01).
        ("die_axes", np.int32, (FACES,)),
        ("die_skulls", np.int32, (FACES,)),
        ("die_choice", np.int32, (FACES,)),  # 1: axes or skulls, by the roller's choice
        # NORTH-DATA-01 … -05.
        ("start_resources", np.int32, (SEATS, RESOURCES)),  # by place in turn order
        ("winter_food", np.int32, (UNITS + 1,)),  # by units on the map
        ("winter_wood", np.int32, (UNITS + 1,)),
        ("harvest_fame", np.int32, (TILES + 1,)),  # by size of a closed territory
        ("achievement", np.int32, (ACHIEVEMENTS, len(Weight))),  # fame for one of each Weight, card 57 first
        ("creature_kind", np.int32, (CREATURES,)),  # Kind
        ("creature_value", np.int32, (CREATURES,)),
        ("creature_fame", np.int32, (CREATURES,)),
        ("creature_prio", np.int32, (CREATURES, len(Priority))),  # Priority, first one first
        # Cards, by id (section 1.6).
        ("card_group", np.int32, (CARDS,)),  # Group
        ("card_clan", np.int32, (CARDS,)),  # clan of a clan card, -1 otherwise
        ("card_flash", np.int32, (CARDS,)),
        ("card_fame", np.int32, (CARDS,)),  # printed fame (development cards)
        ("card_op", np.int32, (CARDS,)),  # Op
        ("card_a", np.int32, (CARDS,)),
        ("card_b", np.int32, (CARDS,)),
        ("card_c", np.int32, (CARDS,)),
        ("card_d", np.int32, (CARDS,)),
        ("card_fl", np.int32, (CARDS,)),  # bits of the operation
        ("react_card", np.int32),  # the card with op REACT, -1 none
        # For texts and State JSON only. Bytes, because numba knows no text in a record: UTF-8, filled up with zeros.
        ("card_name", np.uint8, (CARDS, NAME_BYTES)),
        ("creature_colour", np.uint8, (CREATURES, CREATURE_BYTES)),
        ("data_sha256", np.uint8, (32,)),
    ],
)


@dataclass(frozen=True)
class Tables:
    """A data set as read: rows by id, and the hash of its bytes."""

    achievements: tuple[tuple[int, ...], ...]
    cards: tuple[Card, ...]
    creatures: tuple[Creature, ...]
    die: tuple[Face, ...]
    harvest: tuple[tuple[int, ...], ...]
    start: tuple[tuple[int, ...], ...]
    tiles: tuple[Tile, ...]
    winter: tuple[tuple[int, ...], ...]
    sha256: str


# ---- From a folder to Tables ----------------------------------------------------------------------------------------

Reader = Callable[[str, bytes, list[str]], tuple[Any, ...]]

_READERS: dict[str, tuple[str, Reader]] = {
    "achievements.csv": (small_tables.ACHIEVEMENT_HEADER, small_tables.read_achievements),
    "cards.csv": (card_table.HEADER, card_table.read_cards),
    "creatures.csv": (small_tables.CREATURE_HEADER, small_tables.read_creatures),
    "die.csv": (small_tables.DIE_HEADER, small_tables.read_die),
    "harvest.csv": (small_tables.HARVEST_HEADER, small_tables.read_harvest),
    "start.csv": (small_tables.START_HEADER, small_tables.read_start),
    "tiles.csv": (tile_table.HEADER, tile_table.read_tiles),
    "winter.csv": (small_tables.WINTER_HEADER, small_tables.read_winter),
}

FILES = {name: header for name, (header, _) in sorted(_READERS.items())}
"""The files of a data set with their headers, in the order in which their bytes are hashed."""


def check_data(path: str) -> list[str]:
    """Return a sentence for each violated condition of NORTH-DATA-06, `file.csv:line: …`; empty for a sound folder."""
    return _read(path)[1]


def load_tables(data: str) -> Tables:
    """Return the tables of the folder `data`, or of the package for `"builtin"`.

    Raises:
        ValueError: the folder violates NORTH-DATA-06.
    """
    if data == BUILTIN:
        return _builtin()
    tables, faults = _read(data)
    if tables is None:
        more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
        raise ValueError(
            f"the Northgard data in {data!r} cannot be used: {'; '.join(faults[:3])}{more}. "
            f"`northmen data check northgard {data}` lists everything that is wrong"
        )
    return tables


@cache
def _builtin() -> Tables:
    tables, faults = _read(BUILTIN)
    if tables is None:
        raise ValueError(f"the tables inside the package are damaged, install it again: {'; '.join(faults[:3])}")
    return tables


def _read(data: str) -> tuple[Tables | None, list[str]]:
    """Read a data set; the tables are None exactly when there are faults."""
    folder = files(__package__).joinpath("data") if data == BUILTIN else Path(data)
    faults: list[str] = []
    contents = read_folder(folder, FILES, faults)
    rows = {name.removesuffix(".csv"): _READERS[name][1](name, content, faults) for name, content in contents.items()}
    if faults:
        return None, faults
    digest = hashlib.sha256(b"".join(contents[name] for name in FILES)).hexdigest()
    return Tables(**rows, sha256=digest), faults


# ---- From Tables to RULES -------------------------------------------------------------------------------------------


def build_rules(options: Options) -> np.ndarray:
    """Return the (1,) RULES array of a configuration, with `history` = `dense` = 0.

    Raises:
        ValueError: `options.data` is a folder that violates NORTH-DATA-06.
    """
    return rules_from(load_tables(options.data), options)


def tables_sha256(options: Options) -> str:
    """Return the SHA-256 (hex) over the bytes of the files that `options` play with, in name order.

    Raises:
        ValueError: `options.data` is a folder that violates NORTH-DATA-06.
    """
    return load_tables(options.data).sha256


def rules_from(tables: Tables, options: Options) -> np.ndarray:
    """Return the (1,) RULES array of tables that were read."""
    array = np.zeros(1, RULES)
    rules = array[0]
    for number, tile in enumerate(tables.tiles):
        _put_tile(rules, number, tile)
    _put_buildings(rules)
    _put_small_tables(rules, tables)
    _put_cards(rules, tables.cards)
    rules.data_sha256[:] = np.frombuffer(bytes.fromhex(tables.sha256), np.uint8)
    _put_options(rules, options)
    return array


def _put_tile(rules: Any, number: int, tile: Tile) -> None:
    rules.tile_areas[number] = len(tile.areas)
    rules.tile_rotations[number] = tile.rotations
    rules.tile_lair[number] = tile.lair
    for rotation in range(SIDES):
        world = tile.turned(rotation)
        rules.tile_world[number, rotation] = world
        for side, area in enumerate(world):
            rules.tile_facing[number, rotation, area] |= 1 << side
            rules.tile_corners[number, rotation] |= (area != world[(side + 1) % SIDES]) << side
    for at, content in enumerate(tile.areas):
        rules.tile_icons[number, at] = content.icons
        rules.tile_space[number, at] = content.space
    rules.tile_total[number] = rules.tile_icons[number].sum(axis=0)
    for (a, b), border in zip(PAIRS, tile.borders, strict=True):
        rules.tile_border[number, a, b] = rules.tile_border[number, b, a] = border


def _put_buildings(rules: Any) -> None:
    for number, plan in enumerate(PLANS):
        rules.build_wood[number] = plan.wood
        rules.build_large[number] = plan.large
        rules.build_carved[number] = plan.carved
        rules.build_prod[number] = plan.prod
        rules.build_casualties[number] = plan.casualties
        rules.build_units[number] = plan.units
        rules.build_points[number] = plan.points
        rules.build_cards[number] = plan.cards
        rules.build_fame[number] = plan.fame


def _put_small_tables(rules: Any, tables: Tables) -> None:
    for number, face in enumerate(tables.die):
        rules.die_axes[number], rules.die_skulls[number], rules.die_choice[number] = face
    rules.start_resources[:] = tables.start
    rules.winter_food[:], rules.winter_wood[:] = zip(*tables.winter, strict=True)
    rules.harvest_fame[:] = [fame for (fame,) in tables.harvest]
    rules.achievement[:] = tables.achievements
    for number, creature in enumerate(tables.creatures):
        rules.creature_kind[number] = creature.kind
        rules.creature_value[number] = creature.value
        rules.creature_fame[number] = creature.fame
        rules.creature_prio[number] = creature.priorities
        _put_text(rules.creature_colour[number], creature.colour)


def _put_cards(rules: Any, cards: tuple[Card, ...]) -> None:
    rules.react_card = -1
    for number, card in enumerate(cards):
        for column in ("group", "clan", "flash", "fame", "op", "a", "b", "c", "d", "fl"):
            rules[f"card_{column}"][number] = getattr(card, column)
        if card.op == Op.REACT:
            rules.react_card = number
        _put_text(rules.card_name[number], card.name)


def _put_text(field: np.ndarray, text: str) -> None:
    data = text.encode()
    field[: len(data)] = np.frombuffer(data, np.uint8)


def _put_options(rules: Any, options: Options) -> None:
    n, clans = options.num_players, options.clan_selection
    rules.num_players = n
    rules.clan_choice = clans == "choose"
    rules.clan_list[:] = -1
    if isinstance(clans, tuple):
        rules.clan_list[:n] = clans
    rules.years = options.years
    rules.teams = options.teams
    rules.creatures = options.creatures
    rules.more_creatures = options.more_creatures
    rules.map_size = options.map_size
    rules.five_tile_in_stack = options.five_tile_in_stack and n < SEATS
    rules.reward = REWARDS.index(options.reward)
    rules.num_tiles = TILES if n == SEATS or options.five_tile_in_stack else TILES - 1
    short = options.years == LAST_SHORT_YEAR
    rules.deck_early, rules.deck_advanced = (2 * n, 4 * n) if short else (3 * n, 6 * n)
    rules.conquest = (5 if options.teams else 3) if short else 0
    rules.ally[:] = rules.team[:] = -1
    for seat in range(n):
        rules.team[seat] = seat % 2 if options.teams else seat
        rules.ally[seat] = (seat + 2) % n if options.teams else -1
        rules.enemies[seat] = sum(1 << other for other in range(n) if other not in (seat, rules.ally[seat]))


# ---- Reading RULES --------------------------------------------------------------------------------------------------


def card_name(rules: Any, card: int) -> str:
    """Return the printed name of a card type."""
    return bytes(rules.card_name[card]).rstrip(b"\0").decode()


def creature_name(rules: Any, creature: int) -> str:
    """Return kind and colour of a creature (`"Wolf (beige)"`), which no other one has."""
    kinds = {kind: name for name, kind in small_tables.KINDS.items()}
    colour = bytes(rules.creature_colour[creature]).rstrip(b"\0").decode()
    return f"{kinds[Kind(int(rules.creature_kind[creature]))]} ({colour})"


def building_name(building: int) -> str:
    """Return the printed name of a building type."""
    return PLANS[building].name


def data_sha256(rules: Any) -> str:
    """Return the SHA-256 (hex) of the tables that a RULES record was made from."""
    return bytes(rules.data_sha256).hex()
