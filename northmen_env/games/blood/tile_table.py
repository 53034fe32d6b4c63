"""The map tiles: letters of sides, how they match, and the CSV of option `tile_table` (BLOOD-TILE-01, -03)."""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from typing import NamedTuple

from northmen_env.engine.csvfiles import Row, Table, check_ids, parse_table

TILES = 120
SIDES = 6
HEADER = "id,village,sides"
LETTERS = "FLRM-"
"""Letter of each `Side`, in the order of the action phases (BLOOD-PHASE-05)."""

VILLAGE_TILES_PER_TYPE = 10
TERRAIN_TILES = 80
LOSERS = 4
"""Rivals of the first player at most: so many tiles must have fewer mountains than the best one (BLOOD-OPT-04)."""


class Side(IntEnum):
    """What a side of a tile shows."""

    FOREST = 0
    LAKE = 1
    ROAD = 2
    MOUNTAIN = 3
    EMPTY = 4


class Village(IntEnum):
    """What stands in the middle of a tile; NONE is -1, so that the four types index tables."""

    NONE = -1
    MEAD = 0
    SILVER = 1
    FURS = 2
    TUSK = 3


VILLAGES = {"-": Village.NONE, "Mead": Village.MEAD, "Silver": Village.SILVER, "Furs": Village.FURS,
            "Tusk": Village.TUSK}  # fmt: skip


class Tile(NamedTuple):
    """A map tile: six letters clockwise from its own side 0 (BLOOD-HEX-02)."""

    village: Village
    sides: str

    def turned(self, rotation: int) -> str:
        """Return the letters on sides 0..5 after a turn by `rotation` sixths clockwise."""
        return self.sides[SIDES - rotation :] + self.sides[: SIDES - rotation]

    @property
    def period(self) -> int:
        """Rotations that look different, 1, 2, 3 or 6: those from 0 on (BLOOD-PLACE-07)."""
        return next(k for k in (1, 2, 3, 6) if k == SIDES or self.turned(k) == self.sides)

    @property
    def shape(self) -> str:
        """The same text for tiles that differ in rotation alone."""
        return min(self.turned(k) for k in range(SIDES))


def match(new: str, old: str) -> bool:
    """Return whether two letters may meet without a citadel (BLOOD-PLACE-05)."""
    if "M" in (new, old):
        return "R" not in (new, old)
    return new == old


def read_tiles(file: str, content: bytes, faults: list[str]) -> tuple[Tile, ...]:
    """Return the tiles of a CSV, tile `id` at `id - 1`, telling every violated condition of BLOOD-OPT-04."""
    table = parse_table(file, content, HEADER, faults)
    if table is None:
        return ()
    ids = check_ids(table, TILES, "tiles", faults, first=1)
    found = [(row, tile, _tile(row, faults)) for row, tile in zip(table.rows, ids, strict=True) if row.fields]
    _check_villages(table, [tile for _, _, tile in found], faults)
    _check_terrain(found, faults)
    _check_mountains(table, [tile for _, _, tile in found], faults)
    return tuple(tile for _, _, tile in found)


def _tile(row: Row, faults: list[str]) -> Tile:
    village, sides = row.fields["village"], row.fields["sides"]
    if village not in VILLAGES:
        faults.append(row.fault(f"village must be one of {', '.join(VILLAGES)}, not {village[:80]!r}"))
    if len(sides) != SIDES:
        faults.append(row.fault(f"sides must be six letters, not {sides[:80]!r}"))
    for letter in sorted(set(sides) - set(LETTERS)):
        meaning = "F forest, L lake, R road, M mountain, - empty"
        faults.append(row.fault(f"unknown letter {letter!r} in sides; known are {meaning}"))
    return Tile(VILLAGES.get(village, Village.NONE), sides)


def _check_villages(table: Table, tiles: list[Tile], faults: list[str]) -> None:
    count = Counter(tile.village for tile in tiles)
    for name, village in VILLAGES.items():
        due = TERRAIN_TILES if village == Village.NONE else VILLAGE_TILES_PER_TYPE
        kind = "terrain tiles without a village" if village == Village.NONE else f"{name} tiles"
        if count[village] != due:
            faults.append(table.fault(f"{count[village]} {kind}; a tile table has exactly {due}"))


def _check_terrain(found: list[tuple[Row, int, Tile]], faults: list[str]) -> None:
    first: dict[str, int] = {}
    for row, number, tile in found:
        if tile.village != Village.NONE or len(tile.sides) != SIDES:
            continue
        if tile.shape in first:
            same = f"terrain tile {number} ({tile.sides}) is tile {first[tile.shape]} turned"
            faults.append(row.fault(f"{same}; no two terrain tiles are alike"))
        first.setdefault(tile.shape, number)


def _check_mountains(table: Table, tiles: list[Tile], faults: list[str]) -> None:
    mountains = sorted(tile.sides.count("M") for tile in tiles)
    if len(mountains) > LOSERS and mountains[LOSERS - 1] == mountains[-1]:
        faults.append(
            table.fault(
                f"fewer than {LOSERS} tiles have fewer mountain sides than the tile with most ({mountains[-1]}); "
                "the deal for the first player could go on for ever"
            )
        )
