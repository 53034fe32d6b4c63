"""Tiles, pieces and colours of the SVG board."""

from __future__ import annotations

import math
from collections.abc import Sequence

from northmen_env.engine.svg import INK, Drawing
from northmen_env.games.blood.scene import Tile
from northmen_env.games.blood.tables import SIDES

PAPER, PANEL, LINE, FAINT = "#faf7f0", "#fffdf8", "#cfc6b2", "#6b655b"

# Seat colours that stay apart for people with any kind of colour blindness, and an ink that is readable on each. A
# seat's warbands have a place of their own on a tile, so colour is not the only sign.
SEAT_FILL = ("#1b559f", "#f0a818", "#4fb791", "#7a1f45", "#f4f1ea")
SEAT_INK = ("#ffffff", "#1d1c1a", "#1d1c1a", "#ffffff", "#1d1c1a")
BANDIT_FILL, BANDIT_INK = "#2b2a28", "#ffffff"

SIDE_FILL = {"F": "#8fbd7a", "L": "#8cc3e6", "R": "#d3ad73", "M": "#a8a097", "-": "#f1ead8"}
VILLAGE_FILL = {"Mead": "#e8c14a", "Silver": "#d5dbe2", "Furs": "#c79a6b", "Tusk": "#f7f3e6"}

ROOT3 = math.sqrt(3)
_INNER = 0.58  # where the band of a side ends, of the radius of a tile


def _corner(i: int, radius: float = 1.0) -> tuple[float, float]:
    """Return corner `i` of a flat-topped hexagon: side d lies between the corners d and d + 1."""
    angle = math.radians(60 * i - 120)
    return radius * math.cos(angle), radius * math.sin(angle)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + "Z"


_HEX = _path([_corner(i) for i in range(SIDES)])
_BAND = tuple(
    _path([_corner(d), _corner(d + 1), _corner(d + 1, _INNER), _corner(d, _INNER)]) for d in range(SIDES)
)  # fmt: skip
_HOUSE = "M-1 .1L0 -.9L1 .1H.7V.9H-.7V.1Z"
_TOWER = "M-.8 1V-1H-.4V-.6H-.2V-1H.2V-.6H.4V-1H.8V1Z"


def side_middle(d: int, radius: float = 1.0) -> tuple[float, float]:
    """Return the middle of side `d` of a tile with radius 1, moved inwards by `radius`."""
    (x1, y1), (x2, y2) = _corner(d, radius), _corner(d + 1, radius)
    return (x1 + x2) / 2, (y1 + y2) / 2


def colours(solo: bool, colour: int) -> tuple[str, str]:
    """Return fill and ink of a colour."""
    return (BANDIT_FILL, BANDIT_INK) if solo and colour == 1 else (SEAT_FILL[colour], SEAT_INK[colour])


def hexagon(d: Drawing, x: float, y: float, s: float, fill: str, stroke: str, width: float) -> None:
    """Draw a hexagon of radius `s`; the width of its line is in units of the view box."""
    d.path(_HEX, fill, stroke, width / s, at=(x, y), scale=s)


def tile_face(d: Drawing, tile: Tile, sides: str, x: float, y: float, s: float) -> None:
    """Draw a tile of radius `s`: a coloured band with its letter for each side, its village, its number."""
    hexagon(d, x, y, s, SIDE_FILL["-"], INK, max(0.8, s / 40))
    for letter in sorted(set(sides) - {"-"}):
        bands = "".join(_BAND[side] for side in range(SIDES) if sides[side] == letter)
        d.path(bands, SIDE_FILL[letter], "#57524a", 0.02, at=(x, y), scale=s)
    size = s * 0.27
    for side, letter in enumerate(sides):
        if letter != "-":
            dx, dy = side_middle(side, 0.79)
            d.text(x + dx * s, y + dy * s + size * 0.36, letter, size, anchor="middle")
    if tile.village:
        d.path(_HOUSE, VILLAGE_FILL[tile.village], INK, 0.12, at=(x, y - s * 0.04), scale=s * 0.17)
        d.text(x, y + s * 0.06, tile.village[0], s * 0.2, anchor="middle", bold=True)
    d.text(x, y - s * 0.26, tile.id, s * 0.21, FAINT, "middle")


def warband(d: Drawing, x: float, y: float, r: float, paint: tuple[str, str], number: int) -> None:
    """Draw the warbands of a colour as a disc with their number."""
    d.circle(x, y, r, paint[0], INK, max(0.6, r / 9))
    d.text(x, y + r * 0.4, number, r * 1.15, paint[1], "middle", bold=True)


def tower(d: Drawing, x: float, y: float, size: float, fill: str, permanent: bool) -> None:
    """Draw a citadel; a permanent one has a heavy outline."""
    d.path(_TOWER, fill, INK, 0.34 if permanent else 0.16, at=(x, y), scale=size)


def seat_badge(d: Drawing, paint: tuple[str, str], words: object, x: float, y: float, size: float) -> None:
    """Draw a seat's colour with its number."""
    d.rect(x, y, size, size, paint[0], INK, 0.8, r=4)
    d.text(x + size / 2, y + size * 0.73, words, size * 0.66, paint[1], "middle", bold=True)
