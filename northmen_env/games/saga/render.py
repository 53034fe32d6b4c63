"""The board as text: at most 100 columns, plain ASCII but for the names of a data set. The picture is in `svg.py`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from northmen_env.games.saga.board import Board, Card, Player, Route, board, march_line, short_names, status
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.svg import render_svg

__all__ = ["render_svg", "render_text"]

COLUMNS = 100
_NAME = 22
_GLUE = "\0"  # stands for the spaces within an item, where no line may break
_LEGEND = "2+1h: 2 cubes, 1 hero; A: army, F: fleet; >region: places a token, (region): places none"


def render_text(rules: Any, state: Any, seat: int | None) -> str:
    """Return the board as text, as `seat` sees it (None: a spectator, who sees no hands)."""
    b = board(rules, state, seat)
    blocks = [_heading(b), _map(b), _neighbours(b), _supply(b), _players(b), *(_belongings(b, p) for p in b.players)]
    blocks.append([_LEGEND])
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _heading(b: Board) -> list[str]:
    view = "spectator's view" if b.viewer is None else f"view of seat {b.viewer}"
    words = status(b)
    lines = [
        f"Saga of the Northmen, round {b.round_number} of 3, {b.phase}, leader seat {b.leader} ({view})",
        f"{words[0].upper()}{words[1:]}.",
    ]
    march = march_line(b)
    return [*lines, *textwrap.wrap(f"{march[0].upper()}{march[1:]}.", COLUMNS)] if march else lines


def _map(b: Board) -> list[str]:
    rows = [["  Kingdom", "symbols", "control", "march", *_seats(b)]]
    for k, name in enumerate(b.kingdoms):
        moving = b.march is not None and b.march.kingdom == k
        march = "moved" if b.moved[k] and not moving else "delayed" if b.delayed[k] else ""
        control = "-" if b.controller[k] is None else f"seat {b.controller[k]}"
        mark = ">" if moving else " "
        rows.append([f"{mark} {k + 1} {name[:_NAME]}", str(b.military[k]), control, march, *_pieces(b, k)])
    rows += [[""] * len(rows[0]), ["  Region", "tokens", "", "", *_seats(b)]]
    for r, name in enumerate(b.regions):
        coast = "" if b.coastal[r] else "landlocked"
        rows.append([f"  {name[:_NAME]}", _or_dot(b.tokens[r]), coast, "", *_pieces(b, len(b.kingdoms) + r)])
    return _table(rows, "lrll" + "r" * b.num_players)


def _neighbours(b: Board) -> list[str]:
    reach = [[b.regions[r] for kingdom, r in b.roads if kingdom == k] for k in range(len(b.kingdoms))]
    items = [f"{name}: {', '.join(regions)}" for name, regions in zip(b.kingdoms, reach, strict=True)]
    return ["Armies reach", *_wrapped("  ", items, "; ")]


def _supply(b: Board) -> list[str]:
    row = [f"[{i}] {_card(b, card) if card else 'empty'}" for i, card in enumerate(b.slots)]
    decks = f"draw pile {b.draw_size}, trade deck {b.route_deck_size}, tokens left this round {b.group}"
    lines = [f"Face-up row: {'   '.join(row)}", f"Decks: {decks}"]
    if b.card is not None:
        lines.append(f"Just played: {_card(b, b.card)}")
    return lines


def _players(b: Board) -> list[str]:
    heads = ["  Seat", "points", "rank", "reserve", "infamy", "heroes", "time", "plunder", "hand", "open", "done"]
    rows = [heads if b.decision is Decision.END else [head for head in heads if head != "rank"]]
    for p in b.players:
        mark = ">" if b.player == p.seat else " "
        row = [f"{mark} seat {p.seat}{' (leader)' if b.leader == p.seat else ''}", str(p.score)]
        if b.decision is Decision.END:
            row.append(str(p.rank))
        row += [str(x) for x in (p.reserve, p.infamy, p.hero_supply)]
        row += ["used" if p.time_used else "free", str(p.plunder), str(p.hand_size)]
        rows.append([*row, str(p.routes_open_count), str(len(p.routes_done))])
    return _table(rows, "l" + "r" * (len(rows[0]) - 1))


def _belongings(b: Board, p: Player) -> list[str]:
    lines = [f"Seat {p.seat}"]
    lines += _wrapped("  done routes: ", [_route(b, route) for route in p.routes_done])
    if p.routes_open is not None:
        lines += _wrapped("  open routes: ", [_route(b, route) for route in p.routes_open])
        lines += _wrapped("  drawn routes: ", [_route(b, route) for route in b.routes_drawn])
    if p.hand is not None:
        lines += _wrapped("  hand: ", [_card(b, card) for card in p.hand])
        lines += _wrapped("  held so far: ", [_card(b, card) for card in b.held])
    elif p.known_hand:
        lines += _wrapped("  surely in hand: ", [_card(b, card) for card in p.known_hand])
    if p.hand_before_hold:
        lines.append(f"  held {p.held_count} of {p.hand_before_hold} cards")
        lines += _wrapped("  known before that: ", [_card(b, card) for card in p.known_hand_prev or ()])
    cards = ["covered" if card is None else _card(b, card) for card in p.pile]
    return lines + _wrapped("  pile, top last: ", cards)


def _seats(b: Board) -> list[str]:
    return [f"seat {seat}" for seat in range(b.num_players)]


def _pieces(b: Board, place: int) -> list[str]:
    """Return cubes, with heroes after a plus sign, for each seat."""
    cells = []
    for cubes, heroes in zip(b.cubes[place], b.heroes[place], strict=True):
        cells.append(f"{cubes}+{heroes}h" if heroes else _or_dot(cubes))
    return cells


def _or_dot(number: int) -> str:
    return str(number) if number else "."


def _card(b: Board, card: Card) -> str:
    """Return for instance `Sax AA>Bul`: two armies, a token for Bulgaria; `(Fin)` for a region that gets none."""
    text = f"{short_names(b.kingdoms)[card.suit]} {'A' * card.armies}{'F' * card.fleets}"
    if card.region is None:
        return text
    region = short_names(b.regions)[card.region]
    return f"{text}>{region}" if card.places else f"{text}({region})"


def _route(b: Board, route: Route) -> str:
    return f"{b.kingdoms[route.kingdom]}-{b.regions[route.region]} {route.value}"


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
    lines = textwrap.wrap(words, COLUMNS, initial_indent=label, subsequent_indent=indent)
    return [line.replace(_GLUE, " ") for line in lines]
