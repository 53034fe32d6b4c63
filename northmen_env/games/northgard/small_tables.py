"""The die, creatures, achievements and the numbers of NORTH-DATA-01 … -03, each a CSV."""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from typing import NamedTuple

from northmen_env.engine.csvfiles import Row, Table, check_ids, integer, parse_table
from northmen_env.games.northgard.card_table import ACHIEVEMENTS, FIRST_ACHIEVEMENT, MOST_FAME
from northmen_env.games.northgard.options import SEATS
from northmen_env.games.northgard.tile_table import TILES

FACES = 6
CREATURES = 9
UNITS = 14
HIGHEST = 99
"""Largest number in these tables; no game comes near it, and sums stay small."""

CREATURE_BYTES = 32
TOP_VALUE = 6
"""Creature cards of this value or less can be in the upper part of the pile (NORTH-SETUP-11)."""


class Kind(IntEnum):
    """The kinds of creatures; what each does is fixed by its name (NORTH-CRE-32 … -35)."""

    WOLF = 0
    BEAR = 1
    DRAUGR = 2
    VALKYRIE = 3


KINDS = {"Wolf": Kind.WOLF, "Brown Bear": Kind.BEAR, "Draugr": Kind.DRAUGR, "Fallen Valkyrie": Kind.VALKYRIE}
KIND_COUNT = {Kind.WOLF: 3, Kind.BEAR: 2, Kind.DRAUGR: 2, Kind.VALKYRIE: 2}


class Priority(IntEnum):
    """What a moving creature looks for (NORTH-CRE-23)."""

    BUILDINGS = 0
    UNITS = 1
    RESOURCES = 2


PRIORITIES = {"B": Priority.BUILDINGS, "U": Priority.UNITS, "R": Priority.RESOURCES}


class Face(NamedTuple):
    """A die face; with `choice` its roller takes the axes or the skulls."""

    axes: int
    skulls: int
    choice: bool


class Creature(NamedTuple):
    """A creature card."""

    name: str
    colour: str
    kind: Kind
    value: int
    fame: int
    priorities: tuple[Priority, ...]


class Weight(IntEnum):
    """What an achievement counts (NORTH-DATA-04): a column of its table."""

    SMALL_BUILDING = 0
    LARGE_BUILDING = 1
    SMALL_SPACE = 2
    LARGE_SPACE = 3
    FOOD = 4
    WOOD = 5
    LORE = 6
    LAIR = 7
    FIGURE = 8


DIE_HEADER = "face,axes,skulls,or"
CREATURE_HEADER = "creature,name,colour,value,fame,prio1,prio2,prio3"
ACHIEVEMENT_HEADER = ",".join(["card", *(weight.name.lower().replace("_", " ") for weight in Weight)])
START_HEADER = "place,food,wood,lore"
WINTER_HEADER = "units,food,wood"
HARVEST_HEADER = "size,fame"


def read_die(file: str, content: bytes, faults: list[str]) -> tuple[Face, ...]:
    """Return the six faces."""
    table = parse_table(file, content, DIE_HEADER, faults)
    if table is None:
        return ()
    _check_numbers(table, "face", 0, FACES, "faces", faults)
    return tuple(_face(row, faults) for row in table.rows if row.fields)


def _face(row: Row, faults: list[str]) -> Face:
    axes, skulls = (integer(row, column, 0, 9, faults) or 0 for column in ("axes", "skulls"))
    choice = bool(integer(row, "or", 0, 1, faults))
    if choice and not (axes and skulls):
        faults.append(
            row.fault("or is 1, so axes and skulls must both be 1 or more: the roller takes the one or the other")
        )
    return Face(axes, skulls, choice)


def read_creatures(file: str, content: bytes, faults: list[str]) -> tuple[Creature, ...]:
    """Return the creature cards by id."""
    table = parse_table(file, content, CREATURE_HEADER, faults)
    if table is None:
        return ()
    _check_numbers(table, "creature", 0, CREATURES, "creatures", faults)
    found = [(row, _creature(row, faults)) for row in table.rows if row.fields]
    seen: dict[tuple[str, str], int] = {}
    for row, creature in found:
        pair = (creature.name, creature.colour)
        if pair in seen:
            faults.append(row.fault(f"a second {pair[0]} in {pair[1]}; line {seen[pair]} has one"))
        seen.setdefault(pair, row.line)
    count = Counter(creature.name for _, creature in found)
    for name, kind in KINDS.items():
        if count[name] != KIND_COUNT[kind]:
            faults.append(table.fault(f"{count[name]} cards {name}; a data set has exactly {KIND_COUNT[kind]}"))
    return tuple(creature for _, creature in found)


def _creature(row: Row, faults: list[str]) -> Creature:
    name, colour = row.fields["name"], row.fields["colour"]
    if name not in KINDS:
        faults.append(row.fault(f"name must be one of {', '.join(KINDS)}, not {name[:80]!r}"))
    if not colour or colour != colour.strip() or not colour.isprintable() or len(colour.encode()) > CREATURE_BYTES:
        faults.append(row.fault(f"colour must be printable text of 1 to {CREATURE_BYTES} bytes, not {colour[:80]!r}"))
    value = integer(row, "value", 1, HIGHEST, faults) or 1
    fame = integer(row, "fame", 0, MOST_FAME, faults) or 0
    kind = KINDS.get(name, Kind.WOLF)
    if name in KINDS and (value > TOP_VALUE) != (kind == Kind.VALKYRIE):
        allowed = f"more than {TOP_VALUE}" if kind == Kind.VALKYRIE else f"at most {TOP_VALUE}"
        faults.append(row.fault(f"the value of a {name} must be {allowed}, not {value}: the pile is made by it"))
    letters = [row.fields[column] for column in ("prio1", "prio2", "prio3")]
    if sorted(letters) != sorted(PRIORITIES):
        faults.append(
            row.fault(f"prio1, prio2 and prio3 must be B, U and R in some order, not {','.join(letters)[:80]}")
        )
    return Creature(name, colour, kind, value, fame, tuple(PRIORITIES.get(letter, Priority(0)) for letter in letters))


def read_achievements(file: str, content: bytes, faults: list[str]) -> tuple[tuple[int, ...], ...]:
    """Return for each achievement card, by id, how much fame it gives for one of each `Weight`."""
    table = parse_table(file, content, ACHIEVEMENT_HEADER, faults)
    if table is None:
        return ()
    _check_numbers(table, "card", FIRST_ACHIEVEMENT, ACHIEVEMENTS, "achievements", faults)
    columns = ACHIEVEMENT_HEADER.split(",")[1:]
    rows = [row for row in table.rows if row.fields]
    return tuple(tuple(integer(row, column, 0, 9, faults) or 0 for column in columns) for row in rows)


def read_start(file: str, content: bytes, faults: list[str]) -> tuple[tuple[int, ...], ...]:
    """Return the food, wood and lore of each place in turn order (NORTH-DATA-01)."""
    table = parse_table(file, content, START_HEADER, faults)
    if table is None:
        return ()
    _check_numbers(table, "place", 1, SEATS, "places", faults)
    rows = [row for row in table.rows if row.fields]
    return tuple(
        tuple(integer(row, column, 0, HIGHEST, faults) or 0 for column in ("food", "wood", "lore")) for row in rows
    )


def read_winter(file: str, content: bytes, faults: list[str]) -> tuple[tuple[int, ...], ...]:
    """Return (food, wood) to pay by number of units on the map, 0 to 14 (NORTH-DATA-02)."""
    table = parse_table(file, content, WINTER_HEADER, faults)
    return () if table is None else _steps(table, ("units", "food", "wood"), 0, UNITS, faults)


def read_harvest(file: str, content: bytes, faults: list[str]) -> tuple[tuple[int, ...], ...]:
    """Return (fame,) by size of a closed territory, 0 to 35 tiles (NORTH-DATA-03)."""
    table = parse_table(file, content, HARVEST_HEADER, faults)
    return () if table is None else _steps(table, ("size", "fame"), 2, TILES, faults)


def _steps(
    table: Table, columns: tuple[str, ...], first: int, last: int, faults: list[str]
) -> tuple[tuple[int, ...], ...]:
    """Return the values for 0 … last of a table whose rows hold from their first column on; 0 before the first row."""
    key, *others = columns
    steps: list[tuple[int, ...]] = [(0,) * len(others)] * (last + 1)
    before = first - 1
    for row in (row for row in table.rows if row.fields):
        at = integer(row, key, 0, last, faults)
        values = tuple(integer(row, column, 0, HIGHEST, faults) or 0 for column in others)
        if at is None:
            continue
        if before < first and at != first:
            faults.append(row.fault(f"the first row must be of {key} {first}, not {at}"))
        elif at <= before:
            faults.append(row.fault(f"{key} {at} comes after {key} {before}; rows go up"))
        elif any(value < old for value, old in zip(values, steps[at], strict=True)):
            faults.append(row.fault(f"{' and '.join(others)} must not be less than in the row before"))
        before = max(before, at)
        steps[at:] = [values] * (last + 1 - at)
    if not table.rows:
        faults.append(table.fault(f"the table has no row; the first must be of {key} {first}"))
    return tuple(steps)


def _check_numbers(table: Table, column: str, first: int, count: int, noun: str, faults: list[str]) -> None:
    """Tell rows whose number in the first column is not due, and any other number of rows."""
    rows = [
        Row(row.file, row.line, {**row.fields, "id": row.fields[column]} if row.fields else {}) for row in table.rows
    ]
    check_ids(Table(table.file, rows), count, noun, faults, first=first)
