"""Tiles, pieces and colours of the SVG table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from northmen_env.engine.svg import INK, Drawing
from northmen_env.games.northgard.scene import Area, Place
from northmen_env.games.northgard.tables import SIDES, Border, Building, Space

PAPER, PANEL, LINE, FAINT = "#faf7f0", "#fffdf8", "#cfc6b2", "#6b655b"

# Seat colours that stay apart for people with any kind of colour blindness, and an ink that is readable on each. The
# letter of the seat stands beside its number, so colour is not the only sign.
SEAT_FILL = ("#1b559f", "#f0a818", "#4fb791", "#7a1f45", "#f4f1ea")
SEAT_INK = ("#ffffff", "#1d1c1a", "#1d1c1a", "#ffffff", "#1d1c1a")
MARKS = "abcde"

AREA_FILL = ("#dfe6cf", "#e9e0c6", "#d3e0d8", "#e6d8cf")
ICON_FILL = ("#d9773b", "#6b8f3c", "#5a6fb5")
ICON_LETTER = "FWL"
BUILDING_LETTER = ("Si", "Lo", "To", "Ca", "St", "Fo", "Fg", "Al")
BORDER_PAINT = {Border.REGULAR: ("#5b4a33", ""), Border.ROUGH: ("#b3261e", "5 3")}

Point = tuple[float, float]

_CORNERS: tuple[Point, ...] = ((1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0))
"""Corner c of a tile of radius 1 lies between its world sides c and c + 1."""

_TOWARD: tuple[Point, ...] = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
_APEX = 0.26


def border_of(place: Place, a: int, b: int) -> int:
    """Return the Border between two areas of a tile."""
    return next((code for x, y, code in place.borders if {x, y} == {a, b}), int(Border.NONE))


def apexes(place: Place) -> tuple[Point, ...]:
    """Return, for each world side, the inner corner of its part of the tile.

    All four meet in the middle, unless two opposite sides belong to one area, or to two that share a border and meet
    in no corner: then the parts of the other sides end before the middle.
    """
    around = place.around
    points: list[Point] = [(0.0, 0.0)] * SIDES
    for side in range(2):
        here, there = around[side], around[side + 2]
        if here == there or facing_border(place, side):
            for other in (side + 1, (side + 3) % SIDES):
                if around[other] != here:
                    dx, dy = _TOWARD[other]
                    points[other] = (dx * _APEX, dy * _APEX)
    return tuple(points)


def facing_border(place: Place, side: int) -> int:
    """Return the Border of the areas of two opposite sides that meet in no corner of the tile."""
    around = place.around
    here, there = around[side], around[(side + 2) % SIDES]
    meeting = [{around[corner], around[(corner + 1) % SIDES]} for corner in range(SIDES)]
    return int(Border.NONE) if here == there or {here, there} in meeting else border_of(place, here, there)


def outline(place: Place, side: int) -> list[Point]:
    """Return the corners of the part of a tile at one world side."""
    points = apexes(place)
    before, after = (side + 3) % SIDES, (side + 1) % SIDES
    inner = [points[side]] if points[side] != (0.0, 0.0) else [points[after], points[side], points[before]]
    return [_CORNERS[before], _CORNERS[side], *inner]


def seams(place: Place) -> list[tuple[Point, Point, int]]:
    """Return the borders of a tile as lines: from, to, Border."""
    around, points = place.around, apexes(place)
    found = []
    for corner in range(SIDES):
        a, b = around[corner], around[(corner + 1) % SIDES]
        if a != b:
            ends = [points[corner], points[(corner + 1) % SIDES]]
            inner = max(ends, key=lambda point: abs(point[0]) + abs(point[1]))
            found.append((_CORNERS[corner], inner, border_of(place, a, b)))
    for side in range(2):
        border = facing_border(place, side)
        if border:
            found.append((points[side + 1], points[(side + 3) % SIDES], border))
    return found


def middle(area: Area) -> Point:
    """Return the point of an area round which its contents are drawn, in a tile of radius 1."""
    if len(area.sides) == SIDES or {0, 2} == set(area.sides) or {1, 3} == set(area.sides):
        return (0.0, 0.0)
    x = sum(_TOWARD[side][0] for side in area.sides) / len(area.sides)
    y = sum(_TOWARD[side][1] for side in area.sides) / len(area.sides)
    reach = 0.62 if len(area.sides) == 1 else 0.86
    return (x * reach, y * reach)


def path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + "Z"


def tile_face(d: Drawing, place: Place, x: float, y: float, s: float) -> None:
    """Draw a tile of radius `s`: its areas and borders."""
    for number, area in enumerate(place.areas):
        whole = "".join(path(outline(place, side)) for side in area.sides)
        d.path(whole, AREA_FILL[number], AREA_FILL[number], 0.02, at=(x, y), scale=s)
    d.rect(x - s, y - s, 2 * s, 2 * s, "none", "#8d8471", max(0.6, s / 60))
    for (x1, y1), (x2, y2), border in seams(place):
        stroke, dash = BORDER_PAINT[Border(border)]
        d.line(x + x1 * s, y + y1 * s, x + x2 * s, y + y2 * s, stroke, max(1.2, s / 18), dash)


def contents(d: Drawing, area: Area, x: float, y: float, s: float) -> None:
    """Draw icons, space, building and lair of an area in a row round a point; `s` is the radius of the tile."""
    marks = [kind for kind, number in enumerate(area.icons) for _ in range(number)]
    size = s * 0.125
    items = len(marks) + (area.space != Space.NONE) + area.lair
    at = x - size * (items - 1)
    for kind in marks:
        d.circle(at, y, size * 0.82, ICON_FILL[kind], INK, max(0.4, s / 90))
        d.text(at, y + size * 0.4, ICON_LETTER[kind], size * 1.1, "#ffffff", "middle", bold=True)
        at += 2 * size
    if area.space != Space.NONE:
        space(d, area, at, y, size)
        at += 2 * size
    if area.lair:
        d.path("M-1 .8L0 -.9L1 .8Z", "#57524a", INK, 0.1, at=(at, y), scale=size * 0.9)
        d.text(at, y + size * 0.6, "L", size * 0.8, "#ffffff", "middle")


def space(d: Drawing, area: Area, x: float, y: float, size: float) -> None:
    """Draw a building space, with the building on it."""
    half = size * (1.05 if area.space == Space.LARGE else 0.78)
    filled = area.building is not None
    d.rect(x - half, y - half, 2 * half, 2 * half, "#6d4b2a" if filled else "#fffdf8", INK, max(0.6, size / 12), 1.5)
    if filled:
        letters = BUILDING_LETTER[Building(area.building or 0)]
        d.text(x, y + size * 0.4, letters, size * 1.05, "#ffffff", "middle", bold=True)
    elif area.space == Space.CARVED:
        d.line(x - half, y - half, x + half, y + half, INK, max(0.6, size / 14))
        d.line(x - half, y + half, x + half, y - half, INK, max(0.6, size / 14))
    elif area.space == Space.LARGE:
        d.rect(x - half * 0.6, y - half * 0.6, 1.2 * half, 1.2 * half, "none", INK, max(0.5, size / 16))


def disc(d: Drawing, x: float, y: float, r: float, seat: int, words: object) -> None:
    """Draw the figures of a seat as a disc with its letter and their number."""
    d.circle(x, y, r, SEAT_FILL[seat], INK, max(0.6, r / 9))
    d.text(x, y + r * 0.36, words, r * 0.95, SEAT_INK[seat], "middle", bold=True)


def beast(d: Drawing, x: float, y: float, r: float, letter: str) -> None:
    """Draw a creature."""
    points = [(math.cos(math.radians(a)), math.sin(math.radians(a))) for a in range(0, 360, 60)]
    d.path(path(points), "#4a2e5c", INK, 0.1, at=(x, y), scale=r)
    d.text(x, y + r * 0.4, letter, r * 1.1, "#ffffff", "middle", bold=True)


def flame(d: Drawing, x: float, y: float, r: float) -> None:
    """Draw the Scorched Earth token."""
    d.path("M0 -1Q.9 -.1 .6 .6Q.3 1 0 1Q-.3 1 -.6 .6Q-.9 -.1 0 -1Z", "#d2401e", INK, 0.1, at=(x, y), scale=r)


def seat_badge(d: Drawing, seat: int, x: float, y: float, size: float) -> None:
    """Draw a seat's colour with its letter."""
    d.rect(x, y, size, size, SEAT_FILL[seat], INK, 0.8, r=4)
    d.text(x + size / 2, y + size * 0.73, MARKS[seat], size * 0.66, SEAT_INK[seat], "middle", bold=True)
