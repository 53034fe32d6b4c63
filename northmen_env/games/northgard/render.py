"""The table as text: at most 100 columns, plain ASCII. The picture is in `svg.py`.

A tile of the map is drawn with the territory of each of its sides, and a letter for the seat that holds it:

     4        its north side belongs to territory 4, its west side to territory 0, held by seat 0 (a), the
    0a t7 12  other two sides to territory 12; it is the tile with id 7
     12
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from northmen_env.games.northgard.scene import Card, Place, Scene, Seat, Territory, scene
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.svg import render_svg
from northmen_env.games.northgard.tables import BUILDINGS
from northmen_env.games.northgard.words import frame_lines, names, status

__all__ = ["render_svg", "render_text"]

COLUMNS = 100
MARKS = "abcde"
"""The letter of each seat on the map."""

_CELL_W, _CELL_H = 14, 4
_BAND = COLUMNS // _CELL_W  # columns of tiles side by side; a wider map is drawn in parts
_GLUE = "\0"  # stands for the spaces within an item, where no line may break
_LEGEND = (
    "A tile: the territory of each side, with a letter for the seat that holds it (a seat 0 ... e seat 4, * a combat), "
    "and t with the tile's id. Where a cell is chosen: its number, in brackets. #0 is the tile laid first."
)
_SHORT = ("silo", "lodge", "tower", "camp", "stone", "fortress", "forge", "altar")


def render_text(rules: Any, state: Any, seat: int | None) -> str:
    """Return the table as text, as `seat` sees it (None: a spectator, who sees no hands)."""
    s = scene(rules, state, seat)
    blocks = [_heading(s), *_map(s), textwrap.wrap(_LEGEND, COLUMNS), _territories(s), _supply(s), _seats(s)]
    blocks += [_belongings(seat) for seat in s.seats]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _heading(s: Scene) -> list[str]:
    view = "spectator's view" if s.viewer is None else f"view of seat {s.viewer}"
    turn = "" if s.turn is None else f", turn of seat {s.turn}"
    words = status(s)
    lines = [f"Northgard, year {s.year} of {s.years}, {s.phase.name.lower()}{turn} ({view})"]
    lines += textwrap.wrap(f"{words[0].upper()}{words[1:]}.", COLUMNS)
    for line in frame_lines(s):
        lines += textwrap.wrap(line, COLUMNS, subsequent_indent="  ")
    if s.teams:
        sides = [" and ".join(f"{p} ({MARKS[p]})" for p in (first, first + 2)) for first in range(2)]
        lines.append(f"Teams: seats {sides[0]} against seats {sides[1]}")
    if s.last_rolls:
        lines.append(f"Faces rolled: {' '.join(map(str, s.last_rolls))}")
    return lines


# ---- Map ------------------------------------------------------------------------------------------------------------


def holder(t: Territory) -> str:
    """Return the letter of the seat that holds a territory, `*` where two meet, nothing if it is neutral."""
    here = [p for p, number in enumerate(t.units) if number]
    if not here:
        return ""
    return MARKS[here[0]] if len(here) == 1 else "*"


def _map(s: Scene) -> list[list[str]]:
    """Return the map, in blocks of columns where it is wide."""
    spots = {(place.column, place.row): _tile_lines(s, place) for place in s.places}
    if s.decision in (Decision.SETUP_CELL, Decision.SETUP_ROT, Decision.EX_CELL, Decision.EX_ROT, Decision.SC_CELL,
                      Decision.SC_ROT):  # fmt: skip
        spots |= {(x, y): ["", f"[{name}]".center(_CELL_W - 1), ""] for name, x, y in s.frontier}
    columns = range(min(x for x, _ in spots), max(x for x, _ in spots) + 1)
    rows = range(min(y for _, y in spots), max(y for _, y in spots) + 1)
    bands = [columns[i : i + _BAND] for i in range(0, len(columns), _BAND)]
    return [_band(spots, band, rows) for band in bands]


def _band(spots: dict[tuple[int, int], list[str]], band: range, rows: range) -> list[str]:
    lines = ["".join(f"x {x}".center(_CELL_W) for x in band).rstrip()]
    for y in rows:
        cells = [spots.get((x, y), ["", "", ""]) for x in band]
        for part in range(_CELL_H - 1):
            lines.append("".join(cell[part].ljust(_CELL_W) for cell in cells).rstrip())
        lines.append("")
    while not lines[-1]:
        lines.pop()
    return lines


def _tile_lines(s: Scene, place: Place) -> list[str]:
    sides = []
    for area in place.around:
        t = s.territory(place.areas[area].territory)
        sides.append(f"{t.id}{'k' if t.kaija and not holder(t) else holder(t)}")
    north, east, south, west = sides
    middle = f"{west:<4} {f't{place.tile}':^3} {east:>4}"
    return [north.center(13), middle, south.center(13)]


def _territories(s: Scene) -> list[str]:
    heads = ["Terr.", "figures", "F W L", "free", "buildings", "state", "next to (~ rough)"]
    rows = [heads]
    for t in s.territories:
        figures = [f"{MARKS[p]}{number}" for p, number in enumerate(t.units) if number] + ["K"] * t.kaija
        free = "".join(letter * number for letter, number in zip("scL", t.free, strict=True))
        built = [f"{_SHORT[b]}{f' x{n}' if n > 1 else ''}" for b, n in enumerate(t.buildings) if n]
        marks = [f"open {t.size}" if t.open else f"closed {t.size}", *["lair"] * t.lair, *["scorched"] * t.token]
        marks += [s.creature_names[creature].split(" (")[0] for creature in t.creatures]
        near = [str(u) for u in t.regular] + [f"~{u}" for u in t.rough]
        yields = " ".join(map(str, t.yields))
        rows.append(
            [str(t.id), " ".join(figures) or "-", yields, free or "-", ", ".join(built) or "-", ", ".join(marks),
             " ".join(near)]
        )  # fmt: skip
    return [line for row in _table(rows, "rlllll" + "l") for line in _folded(row)]


def _folded(line: str) -> list[str]:
    return (
        textwrap.wrap(line, COLUMNS, subsequent_indent=" " * 8, drop_whitespace=True) if len(line) > COLUMNS else [line]
    )


def _supply(s: Scene) -> list[str]:
    tokens = ", ".join(f"{_SHORT[b]} {s.supply[b]}" for b in range(BUILDINGS))
    lines = [
        f"Tile stack {s.stack_size}, development deck {s.deck_size}, Unrest cards {s.unrest}",
        f"Buildings left: {tokens}",
        *_wrapped("Display: ", [names([card]) for card in s.display]),
        *_wrapped("Achievements: ", [names([card]) for card in s.achievements]),
        *_wrapped("Removed from the game: ", [names([card]) for card in s.removed]),
    ]
    if s.options["creatures"] == "true":
        pile = f"{len(s.creature_pile)}, {s.creature_top} of them of the upper part"
        lines.append(f"Creature cards in the pile: {pile}; slain: {len(s.creature_discard)}")
        for creature, slot in s.creatures:
            value, fame = s.creature_values[creature]
            lines.append(f"  {s.creature_names[creature]} in territory {slot}: value {value}, fame {fame}")
    if s.stack_known:
        lines += _wrapped("Known places of the stack: ", [f"{place}: tile t{tile}" for place, tile in s.stack_known])
    return lines


# ---- Seats ----------------------------------------------------------------------------------------------------------


def _seats(s: Scene) -> list[str]:
    heads = ["  Seat", "clan", "fame", "food", "wood", "lore", "units", "terr.", "hand", "pile", "disc.", "state"]
    over = s.decision is Decision.END
    rows = [heads + ["total", "rank"] * over]
    for seat in s.seats:
        mark = ">" if s.player == seat.seat else " "
        flags = [*["marker"] * (s.marker == seat.seat), *["passed"] * seat.passed, *["took"] * seat.taken]
        flags += [*["conquers"] * seat.conquer, *["Kaija free"] * seat.kaija_free]
        numbers = [seat.fame, *seat.resources, seat.units, seat.territories, seat.hand_size, seat.pile_size]
        row = [f"{mark} {MARKS[seat.seat]} {seat.name}", seat.clan or "-", *map(str, numbers), str(len(seat.discard))]
        rows.append([*row, ", ".join(flags) or "-", *([str(seat.total), str(seat.rank)] if over else [])])
    if over:
        rows = [[cell for i, cell in enumerate(row) if i != heads.index("state")] for row in rows]
    return [part for row in _table(rows, "ll" + "r" * 9 + ("rr" if over else "l")) for part in _folded(row)]


def _belongings(seat: Seat) -> list[str]:
    parts: list[tuple[str, Iterable[Card]]] = [
        ("played", seat.played),
        ("active", seat.idle),
        ("discard pile", seat.discard),
        ("upgrades aside", seat.upgrades),
        ("hand", seat.hand or ()),
        ("known in hand", seat.hand_known),
        ("draw pile, in some order", seat.pile or ()),
        ("hand and draw pile", () if seat.hand is not None else seat.unseen),
    ]
    lines = []
    for label, cards in parts:
        lines += _wrapped(f"  {label}: ", _counted(cards))
    places = [f"{place}: {names([card])}" for place, card in seat.pile_known]
    lines += _wrapped("  known in the draw pile (1 is the top): ", places)
    if seat.tile_hand is not None:
        lines += _wrapped("  tiles: ", [f"t{tile}" for tile in seat.tile_hand])
    elif seat.tile_hand_size:
        lines.append(f"  tiles in hand: {seat.tile_hand_size}")
    return [seat.name.capitalize(), *lines] if lines else []


def _counted(cards: Iterable[Card]) -> list[str]:
    text = names(cards)
    return text.split(", ") if text else []


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
