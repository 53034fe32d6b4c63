"""The board as an SVG picture, drawn from a `Scene`, which holds nothing the viewer may not know.

Every public piece of the State JSON is an element with `data-` attributes, named like its key; lists are parted by
spaces, null is `none`.

    root          decision, player, active, winners, num-players, viewer, option-<name>
    the map       cell: tile, rotation, sides (as they lie, N first), village, warbands (one number a colour)
    citadels      citadel (number): at-cell, side, owner, permanent
    the piles     pile-size, discard (ids), removed-size, citadel-supply
    colours       colour: settlement, vp, reserve, on-map, placed-citadels, villages, ability, hand-size, held,
                  prepared-size, fresh-size, rank, winner
    the viewer    colour: hand, prepared, fresh
    contexts      laid, placing-tile, placing-cell, citadel-side, village-left, furs-returned, silver-cell, a, b,
                  performed, drawn, drew-earlier, move-kind, move-source, move-count
    a battle      battle-cell, battle-add; battle-entry: fighter (colour), owed, revealed (ids), strength
    bandits       bandit-card, bandit-next, bandit-left, bandit-target, bandit-remaining, bandit-served,
                  bandit-forbidden, bandit-won, bandit-last-won, bandit-bribed, run-kind, run-moves, run-from, run-via,
                  run-one
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from northmen_env.engine.svg import INK, Drawing, fit
from northmen_env.games.blood import svg_tiles as tiles
from northmen_env.games.blood.scene import Colour, Place, Scene, Tile, context_lines, scene, status
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.svg_tiles import FAINT, LINE, PANEL, PAPER, ROOT3

WIDTH, HEIGHT = 1600, 1000

_MAP_LEFT, _MAP_TOP, _MAP_W, _MAP_H = 12, 64, 1110, 924
_SIDE_LEFT, _SIDE_W = 1134, 454
_LARGEST = 58  # radius of a tile on a small map
_SUPPLY_H = 214
_TALL = 220
_HAND, _SMALL_HAND = (7, 27.0, 54.5), (10, 19.0, 39.5)
"""Tiles in a row of a panel that is tall, and of others: their number, radius and distance."""


def render_svg(rules: Any, state: Any, seat: int | None) -> str:
    """Return the board as an SVG document of 1600 by 1000 units, as `seat` sees it (None: a spectator, no hands)."""
    return draw(scene(rules, state, seat))


def draw(s: Scene) -> str:
    """Return the SVG document of a scene."""
    root: dict[str, object] = {
        "game": "blood",
        "viewer": s.viewer,
        "num-players": s.num_players,
        "decision": s.decision.name,
        "player": s.player,
        "active": s.active,
        "winners": _joined(s.winners) or None,
    }
    root |= {f"option-{name.replace('_', '-')}": value for name, value in s.options.items()}
    d = Drawing(WIDTH, HEIGHT, f"Blood of the Northmen: {status(s)}", root)
    d.rect(0, 0, WIDTH, HEIGHT, PAPER)
    _header(d, s)
    _map(d, s)
    _supply(d, s)
    _contexts(d, s)
    top = _MAP_TOP + _SUPPLY_H + 8
    height = (_MAP_H - _SUPPLY_H - 8 - 8 * (len(s.colours) - 1)) / len(s.colours)
    for colour in s.colours:
        _panel(d, s, colour, top + colour.colour * (height + 8), height)
    return str(d)


def _joined(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


def _ids(listed: Sequence[Tile]) -> str:
    return _joined(tile.id for tile in listed)


def _header(d: Drawing, s: Scene) -> None:
    d.text(14, 40, "Blood of the Northmen", 26, bold=True)
    x = 330.0
    if s.player is not None:
        tiles.seat_badge(d, tiles.colours(s.solo, s.player), s.player, x, 18, 28)
        x += 40
    words = status(s)
    lines = [line.strip() for line in context_lines(s)]
    d.text(x, 30 if lines else 40, fit(words[0].upper() + words[1:], WIDTH - 12 - x, 17), 17, bold=True)
    d.text(x, 51, fit(" ".join(lines), WIDTH - 12 - x, 13), 13, FAINT)


# ---- The map --------------------------------------------------------------------------------------------------------


class _Frame:
    """Where the tiles of a map lie in its panel: the largest size at which all tiles and the cells round them fit."""

    def __init__(self, s: Scene) -> None:
        spots = [(p.column, p.row) for p in s.places] + [(column, row) for _, column, row in s.frontier] or [(0, 0)]
        xs = [1.5 * column for column, _ in spots]
        ys = [ROOT3 * (row + column / 2) for column, row in spots]
        width, height = max(xs) - min(xs) + 2, max(ys) - min(ys) + ROOT3
        self.s = min(_LARGEST, (_MAP_W - 12) / width, (_MAP_H - 12) / height)
        self.x = _MAP_W / 2 - self.s * (max(xs) + min(xs)) / 2
        self.y = _MAP_H / 2 - self.s * (max(ys) + min(ys)) / 2

    def at(self, column: int, row: int) -> tuple[float, float]:
        return self.x + 1.5 * self.s * column, self.y + ROOT3 * self.s * (row + column / 2)


def _map(d: Drawing, s: Scene) -> None:
    frame = _Frame(s)
    with d.group({"part": "map"}, at=(_MAP_LEFT, _MAP_TOP)):
        d.rect(0, 0, _MAP_W, _MAP_H, "#e6ebe4", LINE, 1, 10)
        if s.decision in (Decision.D03, Decision.D04):
            for cell, column, row in s.frontier:
                _empty_cell(d, frame, cell, column, row, cell == s.placing_cell)
        for place in s.places:
            _place(d, s, frame, place)
        for place in s.places:
            if place.cell in _marked(s):
                tiles.hexagon(d, *frame.at(place.column, place.row), frame.s * 0.97, "none", "#c0281c", frame.s / 14)
        for citadel in s.citadels:
            home = s.place(citadel.cell)
            x, y = frame.at(home.column, home.row)
            dx, dy = tiles.side_middle(citadel.side)
            facts = {"citadel": citadel.number, "at-cell": citadel.cell, "side": citadel.side}
            with d.group({**facts, "owner": citadel.owner, "permanent": citadel.permanent}):
                fill = tiles.colours(s.solo, citadel.owner)[0]
                tiles.tower(d, x + dx * frame.s, y + dy * frame.s, frame.s * 0.17, fill, citadel.permanent)


def _marked(s: Scene) -> set[int]:
    """Return the cells that the pending decision is about."""
    cells: list[int | None] = [s.turn["silver_cell"]]
    cells += [s.laid] if s.battle is None and s.move is None and s.bandit is None else []
    cells += [s.move["source"]] if s.move else []
    cells += [s.battle["cell"]] if s.battle else []
    cells += [s.bandit["target"], *s.bandit["remaining"]] if s.bandit and not s.battle else []
    run = s.bandit["run"] if s.bandit else None
    cells += [run["from"], run["via"], run["one"]] if run and not s.battle else []
    return {cell for cell in cells if cell is not None}


def _empty_cell(d: Drawing, frame: _Frame, cell: int, column: int, row: int, chosen: bool) -> None:
    x, y = frame.at(column, row)
    tiles.hexagon(d, x, y, frame.s * 0.94, "#f6f3ea" if chosen else "none", "#c0281c" if chosen else "#a7b0a3", 1.2)
    d.text(x, y + frame.s * 0.1, cell, frame.s * 0.3, FAINT, "middle")


def _place(d: Drawing, s: Scene, frame: _Frame, place: Place) -> None:
    x, y = frame.at(place.column, place.row)
    facts: dict[str, object] = {
        "cell": place.cell,
        "tile": place.tile.id,
        "rotation": place.rotation,
        "sides": place.sides,
        "village": place.tile.village,
        "warbands": _joined(place.warbands),
    }
    with d.group(facts):
        tiles.tile_face(d, place.tile, place.sides, x, y, frame.s)
        step = frame.s * min(0.34, 1.2 / len(place.warbands))
        height = frame.s * (0.33 if place.tile.village else 0.16)
        for colour, number in enumerate(place.warbands):
            if number:
                dx = step * (colour - (len(place.warbands) - 1) / 2)
                paint = tiles.colours(s.solo, colour)
                tiles.warband(d, x + dx, y + height, step * 0.55, paint, number)


# ---- Piles and contexts ---------------------------------------------------------------------------------------------


def _supply(d: Drawing, s: Scene) -> None:
    with d.group({"part": "supply"}, at=(_SIDE_LEFT, _MAP_TOP)):
        d.rect(0, 0, _SIDE_W, _SUPPLY_H, PANEL, LINE, 1, 10)
        stacks: tuple[tuple[str, int, str], ...] = (
            ("pile-size", s.pile_size, "pile"),
            ("removed-size", s.removed_size, "not in game"),
            ("citadel-supply", s.citadel_supply, "citadels"),
        )
        for index, (name, number, label) in enumerate(stacks):
            with d.group({name: number}, at=(14 + 92 * index, 12)):
                d.rect(0, 0, 80, 46, "#4d5a6b" if index < 2 else "#e9e2d2", INK, 1, 6)
                d.text(40, 24, number, 19, "#ffffff" if index < 2 else INK, "middle", bold=True)
                d.text(40, 39, label, 11, "#f3ecda" if index < 2 else FAINT, "middle")
        with d.group({"discard": _ids(s.discard)}, at=(290, 12)):
            d.rect(0, 0, 150, 46, "#e9e2d2", INK, 1, 6)
            d.text(75, 24, len(s.discard), 19, anchor="middle", bold=True)
            d.text(75, 39, "discard pile", 11, FAINT, "middle")
        if s.battle is not None:
            _battle(d, s, s.battle)
        elif s.bandit is not None:
            _card(d, s, s.bandit)
        elif s.placing is not None:
            d.text(14, 82, "Tile to be laid", 13, bold=True)
            tiles.tile_face(d, s.placing, s.placing.sides, 80, 145, 54)
        else:
            _legend(d)


def _legend(d: Drawing) -> None:
    words = {"F": "forest", "L": "lake", "R": "road", "M": "mountain", "-": "empty"}
    for index, (letter, word) in enumerate(words.items()):
        x, y = 14 + 88 * index, 76
        d.rect(x, y, 18, 18, tiles.SIDE_FILL[letter], INK, 0.8, 3)
        d.text(x + 9, y + 14, "" if letter == "-" else letter, 13, anchor="middle")
        d.text(x + 23, y + 14, word, 12, FAINT)
    for index, (village, fill) in enumerate(tiles.VILLAGE_FILL.items()):
        x, y = 14 + 88 * index, 106
        d.rect(x, y, 18, 18, fill, INK, 0.8, 9)
        d.text(x + 9, y + 14, village[0], 13, anchor="middle", bold=True)
        d.text(x + 23, y + 14, village, 12, FAINT)
    tiles.warband(d, 23, 148, 9, ("#77716a", "#ffffff"), 2)
    d.text(38, 152, "warbands, by seat from left to right", 12, FAINT)
    tiles.tower(d, 272, 148, 9, "#77716a", False)
    d.text(288, 152, "citadel;", 12, FAINT)
    tiles.tower(d, 346, 148, 9, "#77716a", True)
    d.text(362, 152, "permanent", 12, FAINT)


def _battle(d: Drawing, s: Scene, b: dict[str, Any]) -> None:
    with d.group({"battle-cell": b["cell"], "battle-add": b["add"]}):
        d.text(14, 80, f"Battle on tile {s.place(b['cell']).tile.id}", 13, bold=True)
        for i, colour in enumerate(b["order"]):
            revealed = b["revealed"][i]
            facts = {"battle-entry": i, "fighter": colour, "owed": b["owed"][i], "strength": b["strength"][i]}
            with d.group({**facts, "revealed": _joined(revealed)}, at=(14, 88 + 24 * i)):
                paint = tiles.colours(s.solo, colour)
                tiles.seat_badge(d, paint, "B" if s.solo and colour == 1 else colour, 0, 0, 19)
                owed = f", {b['owed'][i]} to reveal" if b["owed"][i] else ""
                words = f"strength {b['strength'][i]}{owed}; tiles {_joined(revealed) or 'none'}"
                d.text(26, 14, fit(words, _SIDE_W - 54, 12.5), 12.5)


def _card(d: Drawing, s: Scene, b: dict[str, Any]) -> None:
    d.text(14, 84, f"Bandit card {b['card']:03d}", 14, bold=True)
    for i, effect in enumerate(s.card_effects):
        begun = i < b["next"]
        d.text(14 + 216 * (i % 2), 106 + 20 * (i // 2), fit(effect, 200, 13), 13, FAINT if begun else INK)
    counts = f"battles won {b['won']}, bribed {b['bribed']}, repetitions left {b['left']}"
    d.text(14, 172, fit(counts, _SIDE_W - 28, 12.5), 12.5, FAINT)
    run = b["run"]
    if run is not None:
        moves = ", ".join(move.lower() for move in run["moves"]) or "none"
        d.text(14, 192, fit(f"moves left: {moves}", _SIDE_W - 28, 12.5), 12.5, FAINT)


def _contexts(d: Drawing, s: Scene) -> None:
    """Mark what is pending; the header says it in words."""
    d.mark({"laid": s.laid, **{key.replace("_", "-"): value for key, value in s.turn.items()}})
    d.mark({"placing-tile": s.placing.id if s.placing else None, "placing-cell": s.placing_cell})
    if s.move is not None:
        d.mark({f"move-{key}": value for key, value in s.move.items()})
    if s.bandit is None:
        return
    simple = ("card", "next", "left", "target", "won", "last_won", "bribed")
    facts: dict[str, object] = {f"bandit-{key.replace('_', '-')}": s.bandit[key] for key in simple}
    facts |= {f"bandit-{key}": _joined(s.bandit[key] or ()) for key in ("remaining", "served", "forbidden")}
    d.mark(facts)
    run = s.bandit["run"]
    if run is not None:
        d.mark(
            {**{f"run-{key}": run[key] for key in ("kind", "from", "via", "one")}, "run-moves": _joined(run["moves"])}
        )


# ---- A colour's panel -----------------------------------------------------------------------------------------------


def _panel(d: Drawing, s: Scene, c: Colour, y: float, height: float) -> None:
    paint, active = tiles.colours(s.solo, c.colour), s.player == c.colour
    with d.group({"panel": c.colour}, at=(_SIDE_LEFT, y)):
        framed = active or c.winner
        d.rect(0, 0, _SIDE_W, height, PANEL, INK if framed else LINE, 2.5 if framed else 1, 10)
        d.path(f"M0 28v-18a10 10 0 0 1 10 -10h{_SIDE_W - 20}a10 10 0 0 1 10 10v18z", paint[0], LINE)
        d.text(12, 20, c.name.capitalize(), 16, paint[1], bold=True)
        notes = [
            c.ability or "",
            "active" if s.active == c.colour and s.decision is not Decision.END else "",
            "you" if s.viewer == c.colour else "",
            "to act" if active else "",
            f"rank {c.rank}" if c.rank is not None else "winner" if c.winner else "",
        ]
        d.text(120, 19.5, ", ".join(note for note in notes if note), 13, paint[1])
        with d.group({"colour": c.colour, "vp": c.vp, "rank": c.rank, "winner": c.winner, "ability": c.ability}):
            _campfire(d, c.vp, paint)
        _stats(d, c)
        _belongings(d, c, height)


def _campfire(d: Drawing, vp: int, paint: tuple[str, str]) -> None:
    """Draw the six places of the campfire, those of the points filled."""
    for index in range(6):
        d.circle(_SIDE_W - 18 - 17 * (5 - index), 14, 6, paint[1] if index < vp else "none", paint[1], 1.2)


def _stats(d: Drawing, c: Colour) -> None:
    stats: tuple[tuple[str, object, str], ...] = (
        ("settlement", c.settlement, "settlement"),
        ("reserve", c.reserve, "reserve"),
        ("on-map", c.on_map, "on the map"),
        ("placed-citadels", c.citadels, "citadels"),
        ("villages", c.villages, "villages"),
        ("hand-size", c.hand_size, "hand"),
        ("prepared-size", c.prepared_size, "prepared"),
        ("fresh-size", c.fresh_size, "fresh"),
    )
    for index, (name, value, label) in enumerate(stats):
        with d.group({"colour": c.colour, name: value}, at=(6 + 55.4 * index, 30)):
            d.text(27, 17, "-" if value is None else value, 16, anchor="middle", bold=True)
            d.text(27, 29, label, 10, FAINT, "middle")


def _belongings(d: Drawing, c: Colour, height: float) -> None:
    """Draw the tiles the viewer may see, in rows of small tiles: hand, prepared and fresh ones, or what all know."""
    rows: list[tuple[str, Sequence[Tile]]] = []
    if c.hand is not None and c.prepared is not None and c.fresh is not None:
        d.mark({"colour": c.colour, "hand": _ids(c.hand), "prepared": _ids(c.prepared), "fresh": _ids(c.fresh)})
        rows = [("hand", c.hand), ("prepared", c.prepared), ("fresh", c.fresh)]
    elif c.hand_size is not None:
        rows = [("known", c.held)]
    d.mark({"colour": c.colour, "held": _ids(c.held)})
    per_row, s, step = _HAND if height > _TALL else _SMALL_HAND
    top, line_height = 70.0, s * ROOT3 + 3
    for label, listed in rows:
        if not listed:
            continue
        room = max(1, int((height - top - 4) // line_height)) * per_row
        shown = listed if len(listed) <= room else listed[: room - 1]
        d.text(8, top + s, label, 10, FAINT)
        for index, tile in enumerate(shown):
            line, place = divmod(index, per_row)
            at = 55 + s + step * place, top + s * ROOT3 / 2 + line_height * line
            tiles.tile_face(d, tile, tile.sides, *at, s)
        if len(shown) < len(listed):
            line, place = divmod(len(shown), per_row)
            d.text(60 + step * place, top + s + line_height * line, f"+{len(listed) - len(shown)}", 12, FAINT)
        top += -(-len(shown) // per_row) * line_height + 2
