"""The panel of a seat in the SVG table: resources, fame, piles, cards."""

from __future__ import annotations

from collections.abc import Sequence

from northmen_env.engine.svg import INK, Drawing, fit
from northmen_env.games.northgard import svg_tiles as tiles
from northmen_env.games.northgard.scene import Card, Scene, Seat
from northmen_env.games.northgard.svg_tiles import FAINT, LINE, PANEL
from northmen_env.games.northgard.words import names


def panel(d: Drawing, s: Scene, seat: Seat, at: tuple[float, float], size: tuple[float, float]) -> None:
    """Draw the panel of a seat."""
    width, height = size
    active = s.player == seat.seat
    with d.group(_facts(seat), at=at):
        framed = active or seat.rank == 1
        d.rect(0, 0, width, height, PANEL, INK if framed else LINE, 2.5 if framed else 1, 10)
        fill, ink = tiles.SEAT_FILL[seat.seat], tiles.SEAT_INK[seat.seat]
        d.path(f"M0 26v-16a10 10 0 0 1 10 -10h{width - 20:.0f}a10 10 0 0 1 10 10v16z", fill, LINE)
        d.text(12, 19, f"{tiles.MARKS[seat.seat]}  {seat.name.capitalize()}", 15, ink, bold=True)
        d.text(120, 18.5, fit(", ".join(_notes(s, seat)), width - 130, 13), 13, ink)
        _numbers(d, seat)
        _cards(d, s, seat, width, height)


def _facts(seat: Seat) -> dict[str, object]:
    facts: dict[str, object] = {
        "seat": seat.seat,
        "clan": seat.clan,
        "resources": " ".join(map(str, seat.resources)),
        "fame": seat.fame,
        "passed": seat.passed,
        "taken": seat.taken,
        "kaija-free": seat.kaija_free,
        "conquer": seat.conquer,
        "hand-size": seat.hand_size,
        "pile-size": seat.pile_size,
        "tile-hand-size": seat.tile_hand_size,
        "total": seat.total,
        "rank": seat.rank,
        "pile-known": " ".join(f"{place}:{card.id}" for place, card in seat.pile_known),
    }
    for key in ("discard", "played", "idle", "upgrades", "hand_known", "unseen"):
        facts[key.replace("_", "-")] = _ids(getattr(seat, key))
    if seat.hand is not None:
        facts["hand"] = _ids(seat.hand)
        facts["pile"] = _ids(seat.pile or ())
        facts["tile-hand"] = " ".join(map(str, seat.tile_hand or ()))
    return facts


def _ids(cards: Sequence[Card]) -> str:
    return " ".join(str(card.id) for card in cards)


def _notes(s: Scene, seat: Seat) -> list[str]:
    notes = [f"{seat.clan} clan"] if seat.clan else []
    notes += ["you"] * (s.viewer == seat.seat) + ["to act"] * (s.player == seat.seat)
    notes += ["first player"] * (s.marker == seat.seat) + ["passed"] * seat.passed
    notes += ["conquers"] * seat.conquer + ["Kaija free"] * seat.kaija_free
    if s.teams:
        notes.append(f"team of seats {seat.seat % 2} and {seat.seat % 2 + 2}")
    return notes + ([f"total {seat.total}, rank {seat.rank}"] if seat.rank is not None else [])


def _numbers(d: Drawing, seat: Seat) -> None:
    for kind, number in enumerate(seat.resources):
        x = 18 + 46 * kind
        d.circle(x, 42, 8, tiles.ICON_FILL[kind], INK, 0.8)
        d.text(x, 46, tiles.ICON_LETTER[kind], 10, "#ffffff", "middle", bold=True)
        d.text(x + 12, 47, number, 14, bold=True)
    numbers = (
        ("fame", seat.fame),
        ("units", seat.units),
        ("territories", seat.territories),
        ("hand", seat.hand_size),
        ("pile", seat.pile_size),
        ("discarded", len(seat.discard)),
    )
    for index, (label, number) in enumerate(numbers):
        x = 176 + 64 * index
        d.text(x, 43, number, 14, anchor="middle", bold=True)
        d.text(x, 54, label, 10, FAINT, "middle")


def _cards(d: Drawing, s: Scene, seat: Seat, width: float, height: float) -> None:
    """Write the cards the viewer may know, a list a line, as many as there is room for."""
    rows: list[tuple[str, Sequence[Card]]] = [
        ("hand", seat.hand or ()),
        ("known in hand", seat.hand_known),
        ("played", seat.played),
        ("active", seat.idle),
        ("discard", seat.discard),
        ("upgrades", seat.upgrades),
        ("draw pile", seat.pile or ()),
        ("hand + pile", () if seat.hand is not None else seat.unseen),
    ]
    y = 72.0
    for label, cards in rows:
        if not cards:
            continue
        for line, words in enumerate(_split(names(cards), width - 108, 11.5)):
            if y > height - 4:
                return
            d.text(8, y, label if line == 0 else "", 11, FAINT)
            d.text(92, y, words, 11.5)
            y += 14
    if seat.tile_hand:
        d.text(8, y, "tiles", 11, FAINT)
        d.text(92, y, ", ".join(map(str, seat.tile_hand)), 11.5)


def _split(words: str, width: float, size: float) -> list[str]:
    """Break a list at its commas into lines that fit."""
    room = int(width / (size * 0.52))
    lines = [""]
    for item in words.split(", "):
        longer = f"{lines[-1]}, {item}" if lines[-1] else item
        if len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(item)
    return [fit(line, width, size * 0.95) for line in lines if line]
