"""The table as an SVG picture, drawn from a `Scene`, which holds nothing the viewer may not know.

Every public piece of the State JSON is an element with `data-` attributes, named like its key; lists are parted by
spaces, pairs within them by `:`, null is `none`.

    root          game, viewer, num-players, year, phase, decision, player, turn, marker, main-used, last-rolls,
                  option-<name>
    the map       tile (its id): index, x, y, rotation, borders (area-area:code)
                  slot: territory, sides, icons, space, building, lair
    territories   land (canonical id): open, size, units (one number a seat), kaija, yields, free, buildings,
                  spaceless, creatures, token, regular, rough
    the supply    stack-size, stack-known, deck-size, unrest, supply, display, achievements, removed, creature-line,
                  creature-pile, creature-top, creature-discard
    seats         seat: clan, resources, fame, passed, taken, kaija-free, conquer, hand-size, pile-size, discard,
                  played, idle, upgrades, hand-known, pile-known, unseen, tile-hand-size, total, rank
    the viewer    seat: hand, pile (sorted), tile-hand
    frames        frame (its kind): row and all fields that are set
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from northmen_env.engine.svg import INK, Drawing, fit
from northmen_env.games.northgard import svg_seats
from northmen_env.games.northgard import svg_tiles as tiles
from northmen_env.games.northgard.scene import Place, Scene, Territory, scene
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.svg_tiles import FAINT, LINE, PANEL, PAPER
from northmen_env.games.northgard.tables import BUILDINGS
from northmen_env.games.northgard.words import creature_letter, frame_lines, names, status

WIDTH, HEIGHT = 1600, 1000

MAP_LEFT, MAP_TOP, MAP_W, MAP_H = 12, 64, 1000, 924
SIDE_LEFT, SIDE_W = 1024, 564
_LARGEST = 82  # radius of a tile on a small map
_SUPPLY_H = 190
_LAYING = (Decision.SETUP_CELL, Decision.SETUP_ROT, Decision.EX_CELL, Decision.EX_ROT, Decision.SC_CELL,
           Decision.SC_ROT)  # fmt: skip


def render_svg(rules: Any, state: Any, seat: int | None) -> str:
    """Return the table as an SVG document of 1600 by 1000 units, as `seat` sees it (None: a spectator, no hands)."""
    return draw(scene(rules, state, seat))


def draw(s: Scene) -> str:
    """Return the SVG document of a scene."""
    root: dict[str, object] = {
        "game": "northgard",
        "viewer": s.viewer,
        "num-players": s.num_players,
        "year": s.year,
        "phase": s.phase.name,
        "decision": "NONE" if s.decision is None else s.decision.name,
        "player": s.player,
        "turn": s.turn,
        "marker": s.marker,
        "main-used": s.main_used,
        "last-rolls": joined(s.last_rolls),
    }
    root |= {f"option-{name.replace('_', '-')}": value for name, value in s.options.items()}
    d = Drawing(WIDTH, HEIGHT, f"Northgard: {status(s)}", root)
    d.rect(0, 0, WIDTH, HEIGHT, PAPER)
    _header(d, s)
    _map(d, s)
    _supply(d, s)
    top = MAP_TOP + _SUPPLY_H + 8
    height = (MAP_H - _SUPPLY_H - 8 - 8 * (len(s.seats) - 1)) / len(s.seats)
    for seat in s.seats:
        svg_seats.panel(d, s, seat, (SIDE_LEFT, top + seat.seat * (height + 8)), (SIDE_W, height))
    for frame in s.frames:
        d.mark({key.replace("_", "-"): _plain(value) for key, value in frame.items() if value is not None})
    return str(d)


def joined(items: Iterable[object]) -> str:
    """Return a list as an attribute writes it."""
    return " ".join(":".join(map(str, item)) if isinstance(item, (list, tuple)) else str(item) for item in items)


def _plain(value: object) -> object:
    return joined(value) if isinstance(value, list) else value


def _header(d: Drawing, s: Scene) -> None:
    d.text(14, 32, "Northgard: Uncharted Lands", 24, bold=True)
    for year in range(1, s.years + 1):
        left = 14 + 26 * (year - 1)
        fill = INK if year == s.year else PANEL
        d.rect(left, 40, 22, 18, fill, LINE, 1, 3)
        d.text(left + 11, 53.5, year, 12, PANEL if year == s.year else FAINT, "middle")
    x = 390.0
    if s.player is not None:
        tiles.seat_badge(d, s.player, x, 14, 28)
        x += 40
    words = status(s)
    d.text(x, 30, fit(words[0].upper() + words[1:], WIDTH - 12 - x, 17), 17, bold=True)
    rolled = [f"Faces rolled: {joined(s.last_rolls)}."] if s.last_rolls else []
    d.text(x, 51, fit(" ".join([*rolled, *frame_lines(s)]), WIDTH - 12 - x, 13), 13, FAINT)


# ---- The map --------------------------------------------------------------------------------------------------------


class _Frame:
    """Where the tiles of a map lie in its panel: the largest size at which all tiles and the cells round them fit."""

    def __init__(self, s: Scene) -> None:
        spots = [(place.column, place.row) for place in s.places] + [(x, y) for _, x, y in s.frontier]
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        width, height = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        self.s = min(_LARGEST, (MAP_W - 16) / (2 * width), (MAP_H - 16) / (2 * height))
        self.x = MAP_W / 2 - self.s * (max(xs) + min(xs))
        self.y = MAP_H / 2 - self.s * (max(ys) + min(ys))

    def at(self, column: int, row: int) -> tuple[float, float]:
        return self.x + 2 * self.s * column, self.y + 2 * self.s * row


def _map(d: Drawing, s: Scene) -> None:
    frame = _Frame(s)
    with d.group({"part": "map"}, at=(MAP_LEFT, MAP_TOP)):
        d.rect(0, 0, MAP_W, MAP_H, "#dfe7ea", LINE, 1, 10)
        if s.decision in _LAYING:
            chosen = {part.get("cell") for part in s.frames}
            for name, column, row in s.frontier:
                _empty_cell(d, frame, name, column, row, name in chosen)
        for place in s.places:
            _place(d, frame, place)
        homes = {area.slot: (place, area) for place in s.places for area in place.areas}
        for land in s.territories:
            place, area = homes[land.id]
            x, y = frame.at(place.column, place.row)
            dx, dy = tiles.middle(area)
            _land(d, s, land, x + dx * frame.s, y + dy * frame.s, frame.s)


def _empty_cell(d: Drawing, frame: _Frame, name: int, column: int, row: int, chosen: bool) -> None:
    x, y = frame.at(column, row)
    s = frame.s * 0.94
    d.rect(x - s, y - s, 2 * s, 2 * s, "#f6f3ea" if chosen else "none", "#c0281c" if chosen else "#9fb0b5", 1.2, 4)
    d.text(x, y + frame.s * 0.1, name, frame.s * 0.3, FAINT, "middle")


def _place(d: Drawing, frame: _Frame, place: Place) -> None:
    x, y = frame.at(place.column, place.row)
    facts: dict[str, object] = {
        "tile": place.tile,
        "index": place.index,
        "x": place.column,
        "y": place.row,
        "rotation": place.rotation,
        "borders": joined(f"{a}-{b}:{code}" for a, b, code in place.borders),
    }
    with d.group(facts):
        tiles.tile_face(d, place, x, y, frame.s)
        for area in place.areas:
            about = {
                "slot": area.slot,
                "territory": area.territory,
                "sides": joined(area.sides),
                "icons": joined(area.icons),
                "space": area.space,
                "building": area.building,
                "lair": area.lair,
            }
            dx, dy = tiles.middle(area)
            with d.group(about):
                tiles.contents(d, area, x + dx * frame.s, y + dy * frame.s + frame.s * 0.17, frame.s)
                if area.territory != area.slot:
                    size = frame.s * 0.14
                    d.text(x + dx * frame.s, y + dy * frame.s - frame.s * 0.02, area.territory, size, FAINT, "middle")
        d.text(x - frame.s * 0.96, y + frame.s * 0.97, place.tile, frame.s * 0.13, FAINT)


def _land(d: Drawing, s: Scene, land: Territory, x: float, y: float, size: float) -> None:
    """Draw the name of a territory and what stands in it."""
    facts: dict[str, object] = {
        "land": land.id,
        "open": land.open,
        "size": land.size,
        "units": joined(land.units),
        "kaija": land.kaija,
        "yields": joined(land.yields),
        "free": joined(land.free),
        "buildings": joined(land.buildings),
        "spaceless": joined(land.spaceless),
        "creatures": joined(land.creatures),
        "token": land.token,
        "regular": joined(land.regular),
        "rough": joined(land.rough),
    }
    with d.group(facts):
        pieces: list[tuple[str, Any]] = [("name", f"{land.id}" if land.open else f"{land.id}*")]
        pieces += [("units", (p, n)) for p, n in enumerate(land.units) if n]
        pieces += [("kaija", None)] * land.kaija + [("beast", creature) for creature in land.creatures]
        pieces += [("token", None)] * land.token
        extra = sum(land.spaceless)
        pieces += [("spaceless", extra)] if extra else []
        r = size * 0.14
        left = x - r * 1.05 * (len(pieces) - 1)
        for i, (kind, what) in enumerate(pieces):
            _piece(d, s, kind, what, left + 2.1 * r * i, y - size * 0.1, r)


def _piece(d: Drawing, s: Scene, kind: str, what: Any, x: float, y: float, r: float) -> None:
    if kind == "name":
        d.text(x, y + r * 0.45, what, r * 1.3, INK, "middle", bold=True)
    elif kind == "units":
        tiles.disc(d, x, y, r, what[0], f"{tiles.MARKS[what[0]]}{what[1]}")
    elif kind == "kaija":
        bear = next(seat.seat for seat in s.seats if seat.clan == "Bear")
        tiles.disc(d, x, y, r, bear, "K")
    elif kind == "beast":
        tiles.beast(d, x, y, r, creature_letter(s, what))
    elif kind == "token":
        tiles.flame(d, x, y, r)
    else:
        d.rect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r, "#6d4b2a", INK, max(0.6, r / 9), 2)
        d.text(x, y + r * 0.4, f"+{what}", r, "#ffffff", "middle")


# ---- Supply ---------------------------------------------------------------------------------------------------------


def _supply(d: Drawing, s: Scene) -> None:
    with d.group({"part": "supply"}, at=(SIDE_LEFT, MAP_TOP)):
        d.rect(0, 0, SIDE_W, _SUPPLY_H, PANEL, LINE, 1, 10)
        stacks = (
            ("stack-size", s.stack_size, "tiles"),
            ("deck-size", s.deck_size, "cards to come"),
            ("unrest", s.unrest, "Unrest"),
        )
        for index, (name, number, label) in enumerate(stacks):
            with d.group({name: number}, at=(10 + 82 * index, 8)):
                d.rect(0, 0, 76, 40, "#4d5a6b", INK, 1, 6)
                d.text(38, 20, number, 17, "#ffffff", "middle", bold=True)
                d.text(38, 34, label, 10, "#f3ecda", "middle")
        with d.group({"supply": joined(s.supply)}, at=(262, 8)):
            for b in range(BUILDINGS):
                d.rect(36 * b, 0, 32, 24, "#6d4b2a", INK, 0.8, 3)
                d.text(36 * b + 16, 16, tiles.BUILDING_LETTER[b], 12, "#ffffff", "middle", bold=True)
                d.text(36 * b + 16, 38, s.supply[b], 12, anchor="middle")
        _lines(d, s)
        _creatures(d, s)
        d.mark({"stack-known": joined(s.stack_known)})


def _lines(d: Drawing, s: Scene) -> None:
    rows = (
        ("display", s.display, "Display"),
        ("achievements", s.achievements, "Achievements"),
        ("removed", s.removed, "Removed"),
    )
    for index, (name, cards, label) in enumerate(rows):
        with d.group({name: joined(card.id for card in cards)}, at=(10, 66 + 20 * index)):
            d.text(0, 0, label, 12, FAINT)
            d.text(86, 0, fit(names(cards) or "none", SIDE_W - 110, 12), 12)


def _creatures(d: Drawing, s: Scene) -> None:
    facts: dict[str, object] = {
        "creature-line": joined(s.creatures),
        "creature-pile": joined(s.creature_pile),
        "creature-top": s.creature_top,
        "creature-discard": joined(s.creature_discard),
    }
    with d.group(facts, at=(10, 128)):
        if s.options["creatures"] == "true":
            line = [f"{s.creature_names[c]} in {slot}" for c, slot in s.creatures]
            d.text(0, 0, "Creatures", 12, FAINT)
            d.text(86, 0, fit(", ".join(line) or "none", SIDE_W - 110, 12), 12)
            pile = f"pile {len(s.creature_pile)}, {s.creature_top} of the upper part; slain {len(s.creature_discard)}"
            d.text(86, 18, pile, 12, FAINT)
        legend = "F food, W wood, L lore; squares are spaces (crossed: carved); red dashes: rough border; *: closed"
        d.text(0, 42, legend, 11, FAINT)
