"""The board as an SVG picture, drawn from a `Board`, which holds nothing the viewer may not know.

Every public piece of the State JSON is an element with `data-` attributes; lists are parted by spaces, none is `none`.

    root           round, phase, leader, decision, player, num-players, viewer, option-<name>
    places         place, place-id (row of `cubes`), seat: cubes, heroes
    regions        region, region-id: tokens, coastal
    chart          kingdom, kingdom-id: controller, delayed, moved
    supply         slot: card; draw-pile, route-deck (sizes); group; played-card (`card`); march-kingdom, march-pass,
                   armies, fleets, land, sea, last
    seats          seat: reserve, infamy, hero-supply, time-used, plunder, hand-size, routes-open-count, routes-done,
                   score, rank, pile (`-` for a covered card), pile-size, held-count, hand-before-hold, known-hand,
                   known-hand-prev (the last two not under recall = table)
    the viewer     seat: hand, held, routes-open, routes-drawn
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from northmen_env.engine.svg import INK, Drawing, fit
from northmen_env.games.saga import svg_cards as cards
from northmen_env.games.saga.board import Board, Card, Player, Route, board, march_line, status
from northmen_env.games.saga.svg_cards import FAINT, GOLD, PAPER, SEAT_FILL, SEAT_INK, SUIT_FILL
from northmen_env.games.saga.tables import KINGDOMS

WIDTH, HEIGHT = 1200, 900

_SEA, _LAND, _SHORE, _PANEL, _LINE = "#d9e6ec", "#efe7d3", "#c9bb98", "#fffdf8", "#cfc6b2"
_ROAD = "#9a7f4f"

# Centres of the places on the map, kingdoms first; a chart of Europe bent so that no road crosses a third place.
_CENTRES = (
    *((215, 334), (698, 152), (566, 345), (240, 212), (408, 186), (552, 448), (300, 72)),
    *((268, 508), (716, 500), (714, 350), (524, 76), (392, 300), (88, 424), (84, 140), (388, 410), (556, 246)),
)
_NODE_W, _NODE_H = 132, 56

# Outlines of the land masses, points of smooth closed curves.
_COASTS = (
    ((196, 96), (216, 40), (320, 22), (450, 26), (560, 20), (640, 40), (634, 112), (540, 122), (440, 112), (330, 122)),
    ((14, 140), (26, 96), (84, 90), (146, 100), (160, 142), (142, 184), (82, 190), (26, 182)),
    ((164, 212), (178, 172), (240, 162), (304, 172), (318, 214), (300, 254), (236, 262), (178, 252)),
    (
        *((330, 190), (350, 148), (410, 136), (480, 150), (530, 196), (592, 192), (626, 150), (650, 104), (720, 80)),
        *((776, 104), (790, 190), (792, 300), (790, 384), (720, 410), (652, 412), (636, 460), (610, 494), (550, 502)),
        *((496, 488), (470, 462), (420, 458), (340, 456), (306, 430), (292, 384), (230, 384)),
        *((178, 412), (156, 462), (88, 476), (22, 462), (14, 410), (60, 376), (124, 366), (136, 322), (178, 288)),
        *((262, 280), (318, 268), (338, 234)),
    ),
    ((150, 540), (176, 482), (260, 460), (340, 474), (396, 506), (430, 540), (290, 544)),
    ((628, 536), (640, 486), (700, 456), (768, 458), (786, 500), (776, 538), (700, 542)),
)


def render_svg(rules: Any, state: Any, seat: int | None) -> str:
    """Return the board as an SVG document of 1200 by 900 units, as `seat` sees it (None: a spectator, no hands)."""
    return draw(board(rules, state, seat))


def draw(b: Board) -> str:
    """Return the SVG document of a board."""
    root = {
        "game": "saga",
        "viewer": b.viewer,
        "num-players": b.num_players,
        "round": b.round_number,
        "phase": b.phase,
        "leader": b.leader,
        "decision": b.decision.name,
        "player": b.player,
    }
    root.update({f"option-{name.replace('_', '-')}": value for name, value in b.options.items()})
    d = Drawing(WIDTH, HEIGHT, f"Saga of the Northmen, round {b.round_number}: {status(b)}", root)
    d.rect(0, 0, WIDTH, HEIGHT, PAPER)
    _header(d, b)
    _map(d, b)
    _chart(d, b)
    _supply(d, b)
    top, height = 64, (824 - 8 * (b.num_players - 1)) / b.num_players
    for player in b.players:
        _panel(d, b, player, 824, top + player.seat * (height + 8), height)
    return str(d)


def _header(d: Drawing, b: Board) -> None:
    d.text(14, 38, "Saga of the Northmen", 24, bold=True)
    d.text(290, 38, f"Round {b.round_number} of 3", 16)
    for index, phase in enumerate(("rally", "march", "planning")):
        now = phase == b.phase
        d.rect(392 + 84 * index, 20, 78, 26, INK if now else "#ece5d6", r=13)
        d.text(431 + 84 * index, 37.5, phase, 13, PAPER if now else FAINT, "middle")
    if b.player is not None:
        cards.seat_badge(d, b.player, 672, 22, 22)
    at, march = 704 if b.player is not None else 672, march_line(b)
    words = status(b)
    d.text(at, 29 if march else 38, fit(words[0].upper() + words[1:], 1188 - at, 16), 16, bold=True)
    d.text(at, 48, fit(march, 1188 - at, 12.5), 12.5, FAINT)


# The map.


def _map(d: Drawing, b: Board) -> None:
    with d.group({"part": "map"}, at=(12, 64)):
        d.rect(0, 0, 800, 552, _SEA, _LINE, 1, 10)
        for coast in _COASTS:
            d.path(_smooth(coast), _LAND, _SHORE, 1.5)
        moving = b.march.kingdom if b.march is not None else None
        for kingdom, region in b.roads:
            (x1, y1), (x2, y2) = _CENTRES[kingdom], _CENTRES[KINGDOMS + region]
            d.line(x1, y1, x2, y2, _ROAD, 4 if kingdom == moving else 2, "" if kingdom == moving else "5 4")
        for kingdom in range(len(b.kingdoms)):
            _kingdom(d, b, kingdom)
        for region in range(len(b.regions)):
            _region(d, b, region)


@cache
def _smooth(points: tuple[tuple[float, float], ...]) -> str:
    """Return path commands of the closed Catmull-Rom curve through the points."""
    n = len(points)
    commands = [f"M{points[0][0]} {points[0][1]}"]
    for i in range(n):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        first, second = (x1 + (x2 - x0) / 6, y1 + (y2 - y0) / 6), (x2 - (x3 - x1) / 6, y2 - (y3 - y1) / 6)
        commands.append(f"C{first[0]:.1f} {first[1]:.1f} {second[0]:.1f} {second[1]:.1f} {x2} {y2}")
    return " ".join(commands) + "Z"


def _kingdom(d: Drawing, b: Board, kingdom: int) -> None:
    x, y = _CENTRES[kingdom]
    left, top = x - _NODE_W / 2, y - _NODE_H / 2
    controller = b.controller[kingdom]
    if b.march is not None and b.march.kingdom == kingdom:
        d.rect(left - 6, top - 6, _NODE_W + 12, _NODE_H + 12, "none", INK, 2.5, 11)
    d.rect(left, top, _NODE_W, _NODE_H, _PANEL, r=7)
    d.path(f"M{left} {top + 21}v-14a7 7 0 0 1 7 -7h{_NODE_W - 14}a7 7 0 0 1 7 7v14z", SUIT_FILL[kingdom])
    stroke, width = ("#8d8472", 1.2) if controller is None else (SEAT_FILL[controller], 4)
    d.rect(left, top, _NODE_W, _NODE_H, "none", stroke, width, 7)
    d.text(x, top + 15.5, fit(b.kingdoms[kingdom], _NODE_W - 12, 13), 13, anchor="middle", bold=True)
    if b.delayed[kingdom]:
        cards.hourglass(d, left + _NODE_W - 14, top + 11, 12)
    _pieces(d, b, kingdom, b.kingdoms[kingdom], x, top + 26)


def _region(d: Drawing, b: Board, region: int) -> None:
    x, y = _CENTRES[KINGDOMS + region]
    left, top = x - _NODE_W / 2, y - _NODE_H / 2
    d.rect(left, top, _NODE_W, _NODE_H, _PANEL, "#8d8472", 1.2, 20)
    terrain = cards.waves if b.coastal[region] else cards.mountains
    terrain(d, left + 16, top + 13)
    size = 12 if len(b.regions[region]) < 14 else 10.2
    d.text(x + 7, top + 17, fit(b.regions[region], _NODE_W - 28, size), size, anchor="middle")
    _pieces(d, b, len(b.kingdoms) + region, b.regions[region], x, top + 26)
    facts = {"region": b.regions[region], "region-id": region, "tokens": b.tokens[region], "coastal": b.coastal[region]}
    with d.group(facts):
        if b.tokens[region]:
            cards.coin(d, left + _NODE_W - 3, top - 1, 13, b.tokens[region])


def _pieces(d: Drawing, b: Board, place: int, name: str, x: float, top: float) -> None:
    """Draw cubes (squares) and heroes (discs); each seat has a column of its own, so colour is not the only sign."""
    step = 31
    for seat in range(b.num_players):
        cubes, heroes = b.cubes[place][seat], b.heroes[place][seat]
        left = x - step * b.num_players / 2 + step * seat
        with d.group({"place": name, "place-id": place, "seat": seat, "cubes": cubes, "heroes": heroes}):
            if cubes:
                cards.cube(d, left + 0.5, top + 3, seat, cubes)
            if heroes:
                cards.hero(d, left + 23.5, top + 12.5, seat, heroes)


# Chart, cards and decks below the map.


def _chart(d: Drawing, b: Board) -> None:
    with d.group({"part": "chart"}, at=(12, 624)):
        d.rect(0, 0, 380, 264, _PANEL, _LINE, 1, 10)
        d.text(14, 24, "Kingdom chart", 14, bold=True)
        for at, words, anchor in ((186, "symbols", "middle"), (250, "controller", "middle"), (300, "march", "start")):
            d.text(at, 24, words, 11, FAINT, anchor)
        for kingdom, name in enumerate(b.kingdoms):
            facts = {
                "kingdom": name,
                "kingdom-id": kingdom,
                "controller": b.controller[kingdom],
                "delayed": b.delayed[kingdom],
                "moved": b.moved[kingdom],
            }
            with d.group(facts, at=(0, 34 + 32 * kingdom)):
                _chart_row(d, b, kingdom)


def _chart_row(d: Drawing, b: Board, kingdom: int) -> None:
    moving = b.march is not None and b.march.kingdom == kingdom
    d.rect(8, 1, 364, 29, SUIT_FILL[kingdom], INK if moving else "", 2, 5)
    d.text(24, 20.5, kingdom + 1, 13, FAINT, "middle")
    d.text(42, 20.5, fit(b.kingdoms[kingdom], 124, 14), 14)
    d.text(186, 20.5, b.military[kingdom], 13, anchor="middle")
    controller = b.controller[kingdom]
    if controller is not None:
        cards.seat_badge(d, controller, 239, 4.5, 22)
    if b.delayed[kingdom]:
        cards.hourglass(d, 306, 15.5, 16)
    words = "moving" if moving and b.moved[kingdom] else "moved" if b.moved[kingdom] else ""
    words = words or ("delayed" if b.delayed[kingdom] else "to move" if moving else "")
    d.text(318, 20.5, words, 12)


def _supply(d: Drawing, b: Board) -> None:
    with d.group({"part": "supply"}, at=(404, 624)):
        d.rect(0, 0, 408, 264, _PANEL, _LINE, 1, 10)
        d.text(14, 24, "Face-up row", 14, bold=True)
        for index, card in enumerate(b.slots):
            with d.group({"slot": index, "card": card.id if card else None}, at=(14 + 98 * index, 34)):
                cards.large_card(d, b, card)
        with d.group({"draw-pile": b.draw_size}, at=(308, 34)):
            cards.back(d, 86, 118, b.draw_size, "draw pile")
        with d.group({"route-deck": b.route_deck_size}, at=(14, 164)):
            cards.back(d, 86, 46, b.route_deck_size, "trade deck", "#6d5b3f")
        with d.group({"group": b.group}, at=(112, 164)):
            d.rect(0, 0, 86, 46, "#f3ecda", _LINE, 1, 6)
            cards.coin(d, 20, 23, 13, b.group)
            d.text(38, 21, "tokens left", 9, FAINT)
            d.text(38, 34, "this round", 9, FAINT)
        with d.group({"played-card": b.card.id if b.card else None}, at=(210, 164)):
            d.rect(0, 0, 184, 46, "#f3ecda", _LINE, 1, 6)
            d.text(10, 27, "just played", 10, FAINT)
            if b.card is not None:
                cards.small_card(d, b, b.card, (70, 12), cards.GRIDS[2])
        if b.march is not None:
            m = b.march
            d.mark(
                {
                    "march-kingdom": m.kingdom,
                    "march-pass": m.march_pass,
                    "armies": m.armies,
                    "fleets": m.fleets,
                    "land": m.land,
                    "sea": m.sea,
                    "last": m.last,
                }
            )
        _legend(d)


def _legend(d: Drawing) -> None:
    with d.group({"part": "legend"}, at=(14, 232)):
        d.rect(0, -8, 15, 15, "#77716a", r=2)
        d.text(20, 4, "cubes", 11, FAINT)
        d.circle(66, 0, 7.5, "#77716a")
        d.text(78, 4, "heroes", 11, FAINT)
        d.circle(128, 0, 7.5, GOLD, "#8a6a14")
        d.text(140, 4, "plunder", 11, FAINT)
        cards.symbols(d, 194, -5, 1, 0, 11)
        d.text(208, 4, "army", 11, FAINT)
        cards.symbols(d, 244, -5, 0, 1, 11)
        d.text(260, 4, "fleet", 11, FAINT)
        cards.mountains(d, 300, 0)
        d.text(311, 4, "landlocked", 11, FAINT)
        d.text(0, 24, "Dashed lines join a kingdom with its neighbours; fleets reach every coast.", 10.5, FAINT)


# A player's panel.


def _panel(d: Drawing, b: Board, p: Player, x: float, y: float, height: float) -> None:
    with d.group({"panel": p.seat}, at=(x, y)):
        active = b.player == p.seat
        framed = active or p.rank == 1
        d.rect(0, 0, 364, height, _PANEL, INK if framed else _LINE, 2.5 if framed else 1, 10)
        d.path("M0 28v-18a10 10 0 0 1 10 -10h344a10 10 0 0 1 10 10v18z", SEAT_FILL[p.seat])
        ink = SEAT_INK[p.seat]
        d.text(12, 20, f"Seat {p.seat}", 16, ink, bold=True)
        notes = [
            "leader" if b.leader == p.seat else "",
            "you" if b.viewer == p.seat else "",
            "to act" if active else "",
            f"held {p.held_count} of {p.hand_before_hold}" if p.hand_before_hold else "",
        ]
        d.text(76, 19.5, ", ".join(note for note in notes if note), 12.5, ink)
        with d.group({"seat": p.seat, "score": p.score, "rank": p.rank}):
            rank = f"rank {p.rank}, " if p.rank is not None else ""
            d.text(352, 20, f"{rank}{p.score} points", 15, ink, "end", bold=True)
        _stats(d, p)
        _belongings(d, b, p, height)


def _stats(d: Drawing, p: Player) -> None:
    stats: tuple[tuple[str, object, str, object], ...] = (
        ("reserve", p.reserve, "reserve", p.reserve),
        ("infamy", p.infamy, "infamy", p.infamy),
        ("hero-supply", p.hero_supply, "heroes", p.hero_supply),
        ("time-used", p.time_used, "time token", "used" if p.time_used else "free"),
        ("plunder", p.plunder, "plunder", p.plunder),
        ("hand-size", p.hand_size, "hand", p.hand_size),
        ("routes-open-count", p.routes_open_count, "open routes", p.routes_open_count),
    )
    for index, (name, value, label, shown) in enumerate(stats):
        with d.group({"seat": p.seat, name: value}, at=(8 + 49.8 * index, 30)):
            d.text(24.5, 17, shown, 15, anchor="middle", bold=True)
            d.text(24.5, 28, label, 8.8, FAINT, "middle")


def _belongings(d: Drawing, b: Board, p: Player, height: float) -> None:
    """Draw routes, hand and pile in rows of four small cards; the pile gets the rows that are left."""
    top, bottom, grid = 66.0, height - 6, cards.GRIDS[b.num_players]
    with d.group({"seat": p.seat, "routes-done": _ids(p.routes_done)}):
        top = cards.route_rows(d, b, "done", p.routes_done, top, bottom, grid)
    if p.routes_open is not None:
        with d.group({"seat": p.seat, "routes-open": _ids(p.routes_open), "routes-drawn": _ids(b.routes_drawn)}):
            top = cards.route_rows(d, b, "open", p.routes_open, top, bottom, grid)
            top = cards.route_rows(d, b, "drawn", b.routes_drawn, top, bottom, grid)
    knowledge: dict[str, object] = {"seat": p.seat, "held-count": p.held_count, "hand-before-hold": p.hand_before_hold}
    if p.known_hand is not None and p.known_hand_prev is not None:
        knowledge |= {"known-hand": _ids(p.known_hand), "known-hand-prev": _ids(p.known_hand_prev)}
    with d.group(knowledge):
        if p.hand is not None:
            d.mark({"seat": p.seat, "hand": _ids(p.hand), "held": _ids(b.held)})
            top = cards.card_rows(d, b, "hand", p.hand, top, grid, b.held)
        else:
            top = cards.hidden_hand(d, b, p, top, grid)
    with d.group({"seat": p.seat, "pile": _ids(p.pile), "pile-size": len(p.pile)}):
        cards.pile_rows(d, b, p.pile, top, bottom, grid)


def _ids(items: Iterable[Card | Route | None]) -> str:
    """Return the ids parted by spaces, a dash for a covered card."""
    return " ".join("-" if item is None else str(item.id) for item in items)
