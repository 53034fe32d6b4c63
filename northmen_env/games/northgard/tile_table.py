"""The map tiles: areas, icons, spaces and borders (NORTH-TILE-03), and `tiles.csv`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

from northmen_env.engine.csvfiles import Row, Table, check_ids, integer, parse_table

TILES = 35
SIDES = 4
AREAS = 4
RESOURCES = 3
START_TILE, FIVE_TILE = 0, 1
EAST, WEST = 1, 3
MOST_ICONS = 9

PAIRS = tuple(combinations(range(AREAS), 2))
"""Pairs of areas in the order of the border columns."""

ICONS = ("f", "w", "l")
SIDE_COLUMNS = ("N", "E", "S", "W")
HEADER = ",".join(
    [
        "id,n,N,E,S,W",
        *(f"{column}{area}" for area in range(AREAS) for column in "fwlsx"),
        *(f"b{a}{b}" for a, b in PAIRS),
    ]
)


class Space(IntEnum):
    """The building space of an area (NORTH-TILE-11)."""

    NONE = 0
    SMALL = 1
    CARVED = 2
    LARGE = 3


class Border(IntEnum):
    """What lies between two areas of a tile."""

    NONE = 0
    REGULAR = 1
    ROUGH = 2


class Area(NamedTuple):
    """One area of a tile: icons of food, wood and lore, its building space, and whether it has a lair."""

    icons: tuple[int, ...]
    space: Space
    lair: bool


class Tile(NamedTuple):
    """A map tile: the area on each printed side N, E, S, W, the areas, and the border of each pair of `PAIRS`."""

    sides: tuple[int, ...]
    areas: tuple[Area, ...]
    borders: tuple[Border, ...]

    def turned(self, rotation: int) -> tuple[int, ...]:
        """Return the areas on the world sides N, E, S, W after quarter turns clockwise (NORTH-TILE-04)."""
        return tuple(self.sides[(side - rotation) % SIDES] for side in range(SIDES))

    @property
    def rotations(self) -> int:
        """Rotations with different side ownership, those from 0 on (NORTH-TILE-13): 1, 2 or 4."""
        return next(k for k in (1, 2, 4) if self.turned(k % SIDES) == self.sides)

    @property
    def lair(self) -> int:
        """The area with the lair, -1 for none."""
        return next((number for number, area in enumerate(self.areas) if area.lair), -1)


TOTALS: tuple[tuple[str, int, Callable[[Tile], int]], ...] = (
    ("tiles with one area", 1, lambda tile: len(tile.areas) == 1),
    ("tiles with two areas", 7, lambda tile: len(tile.areas) == 2),
    ("tiles with three areas", 20, lambda tile: len(tile.areas) == 3),
    ("tiles with four areas", 7, lambda tile: len(tile.areas) == 4),
    ("areas", 103, lambda tile: len(tile.areas)),
    ("food icons", 12, lambda tile: sum(area.icons[0] for area in tile.areas)),
    ("wood icons", 11, lambda tile: sum(area.icons[1] for area in tile.areas)),
    ("lore icons", 8, lambda tile: sum(area.icons[2] for area in tile.areas)),
    ("small spaces", 45, lambda tile: _spaces(tile, Space.SMALL)),
    ("carved spaces", 8, lambda tile: _spaces(tile, Space.CARVED)),
    ("large spaces", 14, lambda tile: _spaces(tile, Space.LARGE)),
    ("lairs", 11, lambda tile: sum(area.lair for area in tile.areas)),
    ("regular borders", 76, lambda tile: tile.borders.count(Border.REGULAR)),
    ("rough borders", 21, lambda tile: tile.borders.count(Border.ROUGH)),
)
"""What NORTH-TILE-15 counts: name, number, count in one tile."""


def _spaces(tile: Tile, space: Space) -> int:
    return sum(area.space == space for area in tile.areas)


def read_tiles(file: str, content: bytes, faults: list[str]) -> tuple[Tile, ...]:
    """Return the tiles of a CSV by id, telling every violated condition."""
    table = parse_table(file, content, HEADER, faults)
    if table is None:
        return ()
    ids = check_ids(table, TILES, "tiles", faults)
    found = [(row, number, _tile(row, faults)) for row, number in zip(table.rows, ids, strict=True) if row.fields]
    if all(tile is not None for _, _, tile in found) and len(found) == len(table.rows):
        _check_totals(table, [tile for _, _, tile in found if tile is not None], faults)
        _check_middle({number: (row, tile) for row, number, tile in found if tile is not None}, faults)
    return tuple(tile for _, _, tile in found if tile is not None)


def _tile(row: Row, faults: list[str]) -> Tile | None:
    """Return the tile of a row, or None with faults told."""
    told = len(faults)
    count = integer(row, "n", 1, AREAS, faults) or AREAS
    sides = tuple(integer(row, side, 0, count - 1, faults) or 0 for side in SIDE_COLUMNS)
    areas = tuple(_area(row, area, faults) for area in range(AREAS))
    borders = tuple(Border(integer(row, f"b{a}{b}", 0, len(Border) - 1, faults) or 0) for a, b in PAIRS)
    if len(faults) == told:
        tile = Tile(sides, areas[:count], borders)
        _check_areas(row, tile, areas[count:], faults)
        _check_borders(row, tile, faults)
    return Tile(sides, areas[:count], borders) if len(faults) == told else None


def _area(row: Row, area: int, faults: list[str]) -> Area:
    icons = tuple(integer(row, f"{column}{area}", 0, MOST_ICONS, faults) or 0 for column in ICONS)
    space = Space(integer(row, f"s{area}", 0, len(Space) - 1, faults) or 0)
    return Area(icons, space, bool(integer(row, f"x{area}", 0, 1, faults)))


def _check_areas(row: Row, tile: Tile, beyond: Sequence[Area], faults: list[str]) -> None:
    count = len(tile.areas)
    for area, content in enumerate(beyond, count):
        if content != Area((0, 0, 0), Space.NONE, False):
            faults.append(row.fault(f"the tile has {count} areas (n), so the columns of area {area} must be 0"))
    for area in range(count):
        if area not in tile.sides:
            faults.append(row.fault(f"area {area} has no side; every area of a tile reaches at least one side"))
    north, east, south, west = tile.sides
    if north == south != east == west:
        faults.append(row.fault(f"areas {north} and {east} cross: one has the sides N and S, the other E and W"))
    if sum(area.lair for area in tile.areas) > 1:
        faults.append(row.fault("the tile has more than one lair; a creature would not know where to appear"))


def _check_borders(row: Row, tile: Tile, faults: list[str]) -> None:
    count = len(tile.areas)
    meeting = {tuple(sorted((side, tile.sides[at - 1]))) for at, side in enumerate(tile.sides)}
    for pair, border in zip(PAIRS, tile.borders, strict=True):
        name = f"b{pair[0]}{pair[1]}"
        if pair[1] >= count and border:
            faults.append(row.fault(f"the tile has {count} areas (n), so {name} must be 0"))
        elif pair in meeting and not border:
            faults.append(row.fault(f"areas {pair[0]} and {pair[1]} meet in a corner, so {name} must be 1 or 2, not 0"))


def _check_totals(table: Table, tiles: Sequence[Tile], faults: list[str]) -> None:
    for name, due, count in TOTALS:
        total = sum(int(count(tile)) for tile in tiles)
        if total != due:
            faults.append(table.fault(f"{total} {name}; a data set has exactly {due}"))


def _check_middle(tiles: dict[int, tuple[Row, Tile]], faults: list[str]) -> None:
    """With five players the starting tile and the five-player tile close their middle territory (NORTH-SETUP-04)."""
    for number, side, name in ((START_TILE, EAST, "E"), (FIVE_TILE, WEST, "W")):
        if number not in tiles:
            continue
        row, tile = tiles[number]
        if tile.sides.count(tile.sides[side]) > 1:
            faults.append(row.fault(f"the area on side {name} of tile {number} must have no other side, so that the "
                                    "middle territory of five players is closed"))  # fmt: skip
    if FIVE_TILE in tiles:
        row, tile = tiles[FIVE_TILE]
        if not tile.areas[tile.sides[WEST]].icons[0]:
            faults.append(row.fault("tile 1 is the five-player tile: the area on its side W must have food"))
