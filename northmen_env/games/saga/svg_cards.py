"""Pieces, cards and icons of the SVG board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from northmen_env.engine.svg import INK, Drawing, fit
from northmen_env.games.saga.board import Board, Card, Player, Route, short_names

PAPER, FAINT, GOLD = "#faf7f0", "#6b655b", "#e8c14a"
_BACK = "#4d5a6b"

# Seat colours that stay apart for people with any kind of colour blindness, and an ink that is readable on each.
SEAT_FILL = ("#1b559f", "#f0a818", "#4fb791", "#7a1f45")
SEAT_INK = ("#ffffff", "#1d1c1a", "#1d1c1a", "#ffffff")
# Pale tints of the suits; names stand beside them everywhere.
SUIT_FILL = ("#dfe3f3", "#f6dcd6", "#e4edd0", "#f7ecc4", "#d8ecec", "#ecdcf0", "#e3e0da")

# Outlines in a square of side 1.
_SHIELD = "M0 0h.86v.5q0 .36 -.43 .5q-.43 -.14 -.43 -.5z"
_SHIP = "M0 .62h1q-.12 .38 -.36 .38h-.3q-.26 0 -.34 -.38zM.46 .52v-.52l.4 .52z"

_LEFT = 41  # room for the label of a row


class Grid(NamedTuple):
    """Rows of small cards in a panel: cards a row, their size, the size of their letters."""

    per_row: int
    w: float
    h: float
    letters: float

    @property
    def row(self) -> float:
        return self.h + 2

    def cell(self, index: int, top: float) -> tuple[float, float]:
        row, column = divmod(index, self.per_row)
        return _LEFT + column * (self.w + 2), top + row * self.row

    def room(self, top: float, bottom: float) -> int:
        """Return how many cards fit below `top`."""
        return max(1, int((bottom - top + 2) // self.row)) * self.per_row

    def below(self, count: int, top: float) -> float:
        """Return where the row after `count` cards begins."""
        return top + -(-count // self.per_row) * self.row + 2


GRIDS = {2: Grid(3, 104.5, 23, 13), 3: Grid(4, 78, 19, 10.5), 4: Grid(4, 78, 17, 10.5)}
"""The grid by number of players: fewer panels are taller."""


def seat_badge(d: Drawing, seat: int, x: float, y: float, size: float) -> None:
    """Draw a seat's colour with its number."""
    d.rect(x, y, size, size, SEAT_FILL[seat], r=4)
    d.text(x + size / 2, y + size * 0.73, seat, size * 0.66, SEAT_INK[seat], "middle", bold=True)


def cube(d: Drawing, x: float, y: float, seat: int, count: int) -> None:
    d.rect(x, y, 16, 19, SEAT_FILL[seat], r=2.5)
    d.text(x + 8, y + 14, count, 12.5 if count < 10 else 11.5, SEAT_INK[seat], "middle", bold=True)


def hero(d: Drawing, x: float, y: float, seat: int, count: int) -> None:
    d.circle(x, y, 6.3, SEAT_FILL[seat], INK, 1.3)
    d.text(x, y + 3.7, count, 10, SEAT_INK[seat], "middle", bold=True)


def coin(d: Drawing, x: float, y: float, r: float, count: int) -> None:
    d.circle(x, y, r, GOLD, "#8a6a14", 1.5)
    d.text(x, y + r * 0.36, count, r, anchor="middle", bold=True)


def hourglass(d: Drawing, x: float, y: float, size: float) -> None:
    """Draw a time token, centred."""
    h, w = size / 2, size / 3
    d.path(f"M{-w:.1f} {-h:.1f}h{2 * w:.1f}l{-2 * w:.1f} {2 * h:.1f}h{2 * w:.1f}z", "#ffffff", INK, 1.4, at=(x, y))


def waves(d: Drawing, x: float, y: float) -> None:
    for dy in (-2.5, 2.5):
        d.path("M-6 0q3 -3.6 6 0t6 0", "none", "#3f7f9f", 1.6, at=(x, y + dy))


def mountains(d: Drawing, x: float, y: float) -> None:
    d.path("M-8 5l5 -9l3 5l2.5 -4l5.5 8z", "#8b8172", at=(x, y))


def symbols(d: Drawing, x: float, y: float, armies: int, fleets: int, size: float) -> None:
    """Draw one shield per army and one ship per fleet, from left to right."""
    for index in range(armies + fleets):
        shape, fill = (_SHIELD, "#8c2f22") if index < armies else (_SHIP, "#23527c")
        d.path(shape, fill, at=(x + index * size * 15 / 14, y), scale=size)


def large_card(d: Drawing, b: Board, card: Card | None) -> None:
    """Draw a face-up card, 86 by 118."""
    if card is None:
        d.rect(0, 0, 86, 118, "none", FAINT, 1, 7)
        d.text(43, 63, "empty", 12, FAINT, "middle")
        return
    d.rect(0, 0, 86, 118, "#ffffff", INK, 1.2, 7)
    d.rect(5, 5, 76, 24, SUIT_FILL[card.suit], r=4)
    d.text(43, 21, fit(b.kingdoms[card.suit], 74, 12), 12, anchor="middle", bold=True)
    count = card.armies + card.fleets
    symbols(d, 43 - (count * 21.4 - 1.4) / 2, 42, card.armies, card.fleets, 20)
    if card.region is None:
        d.text(43, 95, "no plunder", 10.5, FAINT, "middle")
        return
    name = b.regions[card.region]
    if card.places:
        d.circle(43, 82, 6, GOLD, "#8a6a14", 1.2)
        d.text(43, 106, fit(name, 80, 10.5), 10.5, anchor="middle")
    else:
        d.text(43, 86, "(no token)", 9.5, FAINT, "middle")
        d.text(43, 106, fit(name, 80, 10.5), 10.5, FAINT, "middle")


def small_card(d: Drawing, b: Board, card: Card, at: tuple[float, float], grid: Grid, strong: bool = False) -> None:
    """Draw a card of a hand or pile: suit, symbols, and the region where it places a token."""
    size = grid.letters
    with d.group({"card": card.id}, at=at):
        d.rect(0, 0, grid.w, grid.h, SUIT_FILL[card.suit], INK if strong else "#b9b09d", 1.8 if strong else 0.8, 3)
        base = grid.h / 2 + size * 0.36
        d.text(size * 0.33, base, short_names(b.kingdoms)[card.suit], size)
        symbols(d, size * 3.25, grid.h / 2 - size * 0.33, card.armies, card.fleets, size * 0.63)
        if card.region is not None and card.places:
            name = short_names(b.regions)[card.region]
            d.text(grid.w - size * 0.25, base, name, size * 0.9, "#7a5b00", "end")


def back(d: Drawing, w: float, h: float, count: int, label: str, fill: str = _BACK) -> None:
    """Draw a face-down deck with its size."""
    d.rect(3, 3, w, h, "#cfc6b2", r=7)
    d.rect(0, 0, w, h, fill, INK, 1, 7)
    middle = h / 2
    d.text(w / 2, middle + 3, count, 22, "#ffffff", "middle", bold=True)
    d.text(w / 2, middle + 17, label, 10, "#f3ecda", "middle")


def route_rows(
    d: Drawing, b: Board, label: str, routes: Sequence[Route], top: float, bottom: float, grid: Grid
) -> float:
    """Draw routes in rows; return where the next row begins."""
    if not routes:
        return top
    _label(d, label, top, grid)
    kingdoms, regions = short_names(b.kingdoms), short_names(b.regions)
    size, base = grid.letters * 0.92, grid.h / 2 + grid.letters * 0.34
    shown = routes[: grid.room(top, bottom)]
    for index, route in enumerate(shown):
        with d.group({"route": route.id}, at=grid.cell(index, top)):
            d.rect(0, 0, grid.w, grid.h, "#ffffff", "#a08a5a", 1, grid.h / 2)
            d.text(size * 0.6, base, f"{kingdoms[route.kingdom]}-{regions[route.region]}", size)
            d.text(grid.w - size * 0.6, base, route.value, grid.letters, "#7a5b00", "end", bold=True)
    return grid.below(len(shown), top)


def card_rows(
    d: Drawing, b: Board, label: str, cards: Sequence[Card], top: float, grid: Grid, strong: Sequence[Card] = ()
) -> float:
    """Draw a hand in rows, the cards of `strong` framed; return where the next row begins."""
    _label(d, label, top, grid)
    for index, card in enumerate(cards):
        small_card(d, b, card, grid.cell(index, top), grid, card in strong)
    return grid.below(max(1, len(cards)), top)


def hidden_hand(d: Drawing, b: Board, p: Player, top: float, grid: Grid) -> float:
    """Draw the cards of a hand that everybody knows, then a back for each other; return where the next row begins."""
    _label(d, "hand", top, grid)
    known = p.known_hand or ()
    for index, card in enumerate(known):
        small_card(d, b, card, grid.cell(index, top), grid)
    hidden = p.hand_size - len(known)
    x, y = grid.cell(len(known), top)
    for index in range(hidden):
        d.rect(x + 13 * index, y, 11, grid.h, _BACK, r=2)
    return grid.below(len(known) + (1 if hidden > 0 or not known else 0), top)


def pile_rows(d: Drawing, b: Board, pile: Sequence[Card | None], top: float, bottom: float, grid: Grid) -> None:
    """Draw a pile, newest card first and framed, as far as there is room."""
    _label(d, "pile", top, grid)
    room = grid.room(top, bottom)
    shown = pile[::-1] if len(pile) <= room else pile[:-room:-1]
    for index, card in enumerate(shown):
        at = grid.cell(index, top)
        if card is None:
            d.rect(*at, grid.w, grid.h, _BACK, r=3)
        else:
            small_card(d, b, card, at, grid, strong=index == 0)
    if len(shown) < len(pile):
        x, y = grid.cell(len(shown), top)
        d.text(x + 6, y + grid.h * 0.7, f"{len(pile) - len(shown)} more", 10, FAINT)


def _label(d: Drawing, words: str, top: float, grid: Grid) -> None:
    d.text(9, top + grid.h * 0.7, words, 10, FAINT)
