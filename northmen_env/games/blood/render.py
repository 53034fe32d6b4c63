"""The board as text: at most 100 columns, plain ASCII. The picture is in `svg.py`.

A tile of the map is drawn with its cell in the middle, its letters round it, and a line for village and warbands:

      LL        NN
    R528 M    NW  NE        a2: two warbands of seat 0 alone; *5: five warbands of several colours;
    -Fa2 -    SW  SE        F: a Furs village; a citadel hides the letter under it: #
      RR        SS
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from northmen_env.games.blood.actions import SIDE_NAMES
from northmen_env.games.blood.scene import Colour, Place, Scene, Tile, context_lines, scene, status
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.svg import render_svg

__all__ = ["render_svg", "render_text"]

COLUMNS = 100
MARKS = "abcde"
"""The letter of each colour on the map."""

_CELL_W, _CELL_H = 7, 4  # a tile takes 6 by 4 signs, the next column begins 7 further right and 2 lower
_BAND = (COLUMNS - 2) // _CELL_W  # columns of tiles side by side; a wider map is drawn in parts
_GLUE = "\0"  # stands for the spaces within an item, where no line may break
_LEGEND = (
    "A tile: its cell in the middle, letters of its sides round it (F forest, L lake, R road, M mountain, - empty; # a "
    "citadel), then its village (M, S, F, T) and warbands: a2 two of one colour, *5 five of several."
)


def render_text(rules: Any, state: Any, seat: int | None) -> str:
    """Return the board as text, as `seat` sees it (None: a spectator, who sees no hands)."""
    s = scene(rules, state, seat)
    blocks = [_heading(s), *_map(s), textwrap.wrap(_LEGEND, COLUMNS), _pieces(s), _players(s), _supply(s)]
    blocks += [_belongings(c) for c in s.colours]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _heading(s: Scene) -> list[str]:
    view = "spectator's view" if s.viewer is None else f"view of seat {s.viewer}"
    words = status(s)
    turn = "" if s.decision is Decision.END else f", turn of seat {s.active}"
    lines = [f"Blood of the Northmen{turn} ({view})", f"{words[0].upper()}{words[1:]}."]
    for line in context_lines(s):
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(line, COLUMNS, subsequent_indent=f"{indent}  ")
    return lines


# ---- Map ------------------------------------------------------------------------------------------------------------


def _map(s: Scene) -> list[list[str]]:
    """Return the map, in blocks of columns where it is wide."""
    spots = {(p.column, p.row): _tile_lines(s, p) for p in s.places}
    if s.decision in (Decision.D03, Decision.D04):
        for cell, column, row in s.frontier:
            spots[column, row] = _empty_lines(cell, cell == s.placing_cell)
    if not spots:
        return [["The map is empty."]]
    columns = range(min(column for column, _ in spots), max(column for column, _ in spots) + 1)
    bands = [columns[i : i + _BAND] for i in range(0, len(columns), _BAND)]
    return [_band(s, {at: lines for at, lines in spots.items() if at[0] in band}, band) for band in bands]


def _band(s: Scene, spots: dict[tuple[int, int], list[str]], band: range) -> list[str]:
    height = {at: _CELL_H * at[1] + _CELL_H // 2 * at[0] for at in spots}  # in lines
    top, bottom = min(height.values()), max(height.values()) + _CELL_H
    canvas = [[" "] * (_CELL_W * len(band)) for _ in range(bottom - top)]
    for at, lines in spots.items():
        x, y = _CELL_W * (at[0] - band[0]), height[at] - top
        for dy, line in enumerate(lines):
            for dx, sign in enumerate(line):
                if sign != " ":
                    canvas[y + dy][x + dx] = sign
    heads = [f"q {(s.origin[0] + column) % s.grid_size}".center(_CELL_W - 1) for column in band]
    lines = ["".join(line).rstrip() for line in canvas]
    while lines and not lines[-1]:
        lines.pop()
    return [" ".join(heads).rstrip(), *lines]


def _tile_lines(s: Scene, place: Place) -> list[str]:
    n, ne, se, south, sw, nw = (
        "#" if citadel is not None else letter for letter, citadel in zip(place.sides, place.citadels, strict=True)
    )
    facts = f"{place.tile.village[0] if place.tile.village else ' '}{_warbands(place)}"
    return [f"  {n}{n}  ", f"{nw}{place.cell:^4}{ne}", f"{sw}{facts:<4}{se}", f"  {south}{south}  "]


def _warbands(place: Place) -> str:
    present = [colour for colour, number in enumerate(place.warbands) if number]
    if not present:
        return ""
    return f"{MARKS[present[0]] if len(present) == 1 else '*'}{sum(place.warbands)}"


def _empty_lines(cell: int, chosen: bool) -> list[str]:
    mark = "<>" if chosen else "[]"
    return ["", f"{mark[0]}{cell:^4}{mark[1]}"]


def _pieces(s: Scene) -> list[str]:
    """Return all tiles with warbands, and all citadels."""
    rows = []
    for place in s.places:
        if any(place.warbands):
            here = [f"{s.colours[p].name} {number}" for p, number in enumerate(place.warbands) if number]
            village = f" {place.tile.village}" if place.tile.village else ""
            rows.append(f"cell {place.cell} (tile {place.tile.id}{village}): {', '.join(here)}")
    lines = _wrapped("Warbands: ", rows, "; ")
    walls = []
    for citadel in s.citadels:
        kind = ", permanent" if citadel.permanent else ""
        owner = s.colours[citadel.owner].name
        walls.append(f"{citadel.number} on side {SIDE_NAMES[citadel.side]} of cell {citadel.cell} ({owner}{kind})")
    return lines + _wrapped("Citadels: ", walls, "; ")


# ---- Players --------------------------------------------------------------------------------------------------------


def _players(s: Scene) -> list[str]:
    heads = ["  Player", "points", "rank", "settlement", "reserve", "map", "forts", "villages", "hand", "prep.",
             "fresh", "ability"]  # fmt: skip
    at_end = s.decision is Decision.END and not s.solo
    rows = [heads]
    for c in s.colours:
        mark = ">" if s.player == c.colour else " "
        hand = "-" if c.hand_size is None else str(c.hand_size)
        numbers = [c.vp, c.rank or 0, c.settlement, c.reserve, c.on_map, c.citadels, c.villages]
        row = [f"{mark} {MARKS[c.colour]} {c.name.removeprefix('the ')}", *(str(number) for number in numbers), hand]
        rows.append([*row, str(c.prepared_size), str(c.fresh_size), c.ability or "-"])
    if not at_end:
        rows = [[cell for i, cell in enumerate(row) if i != heads.index("rank")] for row in rows]
    return _table(rows, "l" + "r" * (len(rows[0]) - 2) + "l")


def _supply(s: Scene) -> list[str]:
    sizes = f"Pile {s.pile_size}, not in the game {s.removed_size}, citadels in the supply {s.citadel_supply}"
    return [sizes, *_wrapped(f"Discard pile ({len(s.discard)}): ", [str(tile.id) for tile in s.discard])]


def _belongings(c: Colour) -> list[str]:
    known = c.held if c.hand is None else ()
    parts = (("hand", c.hand), ("prepared", c.prepared), ("fresh", c.fresh), ("surely in hand or prepared", known))
    lines = []
    for label, listed in parts:
        lines += _wrapped(f"  {label}: ", [_tile(tile) for tile in listed or ()])
    return [c.name.capitalize(), *lines] if lines else []


def _tile(tile: Tile) -> str:
    """Return for instance `3 LLMR-- Mead`: sides from N clockwise as printed."""
    return f"{tile.id} {tile.sides}{' ' + tile.village if tile.village else ''}"


def _table(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(sides))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(w) if side == "l" else cell.rjust(w) for cell, w, side in zip(row, widths, sides, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _wrapped(label: str, items: Sequence[str], separator: str = ", ") -> list[str]:
    """Return the items after their label, in as many lines as they need; nothing without items."""
    if not items:
        return []
    indent = " " * (len(label) - len(label.lstrip()) + 2)
    words = separator.join(item.replace(" ", _GLUE) for item in items)
    lines = textwrap.wrap(words, COLUMNS, initial_indent=label, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_GLUE, " ") for line in lines]
