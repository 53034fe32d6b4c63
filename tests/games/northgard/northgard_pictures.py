"""Reading SVG pictures of Northgard back: their `data-` attributes, and what a State JSON object makes them say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

from northgard_walks import Table, hide, load

Fact = tuple[str, str, int]
"""Attribute, the attribute that names its element ("" the root or a lone element), and the value of that."""


class Picture:
    """The `data-` attributes of an SVG document."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.by_name: dict[str, list[dict[str, str]]] = {}
        for element in self.root.iter():
            data = {name[5:]: value for name, value in element.attrib.items() if name.startswith("data-")}
            for name in data:
                self.by_name.setdefault(name, []).append(data)

    def get(self, name: str, key: str = "", number: int = 0) -> str:
        """Return the one value of an attribute, of the element with `key` = `number`."""
        found = [e[name] for e in self.by_name.get(name, []) if not key or e.get(key) == str(number)]
        assert len(found) == 1, (name, key, number, found)
        return found[0]

    def has(self, name: str) -> bool:
        return name in self.by_name


def word(value: Any) -> str:
    """Return a JSON value as the document writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(":".join(map(str, item)) if isinstance(item, list) else str(item) for item in value)
    return "none" if value is None else str(value)


def public_picture(d: dict[str, Any]) -> dict[Fact, str]:
    """Return what every picture of a State JSON must say, but for decision and player."""
    want: dict[Fact, Any] = {
        ("stack-size", "", 0): len(d["tile_stack"]),
        ("deck-size", "", 0): len(d["dev_deck"]),
        ("creature-line", "", 0): d["creatures"],
        ("creature-pile", "", 0): sorted(d["creature_pile"]),
    }
    for key in ("year", "phase", "turn", "marker", "main_used", "num_players", "last_rolls", "unrest", "supply",
                "display", "achievements", "removed", "creature_top", "creature_discard"):  # fmt: skip
        want[key.replace("_", "-"), "", 0] = d[key]
    for index, (tile, _, _, rotation) in enumerate(d["tiles"]):
        want |= {("index", "tile", tile): index, ("rotation", "tile", tile): rotation}
    for name, value in d["options"].items():
        if name not in ("num_players", "data"):
            want[f"option-{name.replace('_', '-')}", "", 0] = value
    if d["num_players"] == 5:
        want["option-five-tile-in-stack", "", 0] = True
    return {key: word(value) for key, value in (want | _seats(d) | _lands(d)).items()}


def _seats(d: dict[str, Any]) -> dict[Fact, Any]:
    want: dict[Fact, Any] = {}
    drawn = [card for frame in d["frames"] if frame["frame"] == "DRAW" for card in frame["drawn"]]
    for p in range(d["num_players"]):
        for key in ("resources", "fame", "passed", "taken", "kaija_free", "conquer", "discard", "played", "idle",
                    "upgrades"):  # fmt: skip
            want[key.replace("_", "-"), "seat", p] = d[key][p]
        mine = drawn if p == d["turn"] else []
        want["hand-size", "seat", p] = len(d["hand"][p])
        want["pile-size", "seat", p] = len(d["draw_pile"][p])
        want["tile-hand-size", "seat", p] = len(d["tile_hands"][p])
        want["unseen", "seat", p] = sorted([*d["hand"][p], *d["draw_pile"][p], *mine])
    return want


def _lands(d: dict[str, Any]) -> dict[Fact, Any]:
    want: dict[Fact, Any] = {}
    for slot, p, number in d["units"]:
        units = [0] * d["num_players"]
        for other, seat, more in d["units"]:
            if other == slot:
                units[seat] = more
        want["units", "land", slot] = units
        assert units[p] == number
    for slot, kind in d["buildings"]:
        want["building", "slot", slot] = kind
    for slot in {slot for slot, _, _ in d["spaceless"]}:
        counts = [0] * 8
        for other, kind, number in d["spaceless"]:
            if other == slot:
                counts[kind] = number
        want["spaceless", "land", slot] = counts
    for slot in {slot for _, slot in d["creatures"]}:
        want["creatures", "land", slot] = [creature for creature, at in d["creatures"] if at == slot]
    if d["kaija"] is not None:
        want["kaija", "land", d["kaija"]] = True
    if d["token"] is not None:
        want["token", "land", d["token"]] = True
    return want


def positions(element: ElementTree.Element, x: float = 0, y: float = 0) -> Iterator[tuple[float, float]]:
    """Yield where the shapes below an element stand. Groups are moved, never turned."""
    moved = element.attrib.get("transform", "")
    if moved.startswith("translate("):
        dx, dy = moved[len("translate(") :].split(")")[0].split()
        x, y = x + float(dx), y + float(dy)
        yield x, y
    names = ("x", "y", "width", "height", "cx", "cy", "x1", "y1", "x2", "y2")
    a = {name: float(element.attrib[name]) for name in names if name in element.attrib}
    if element.tag.endswith("rect"):
        yield x + a["x"], y + a["y"]
        yield x + a["x"] + a["width"], y + a["y"] + a["height"]
    elif element.tag.endswith("line"):
        yield x + a["x1"], y + a["y1"]
        yield x + a["x2"], y + a["y2"]
    elif element.tag.endswith(("text", "circle")):
        yield x + a.get("x", a.get("cx", 0)), y + a.get("y", a.get("cy", 0))
    for child in element:
        yield from positions(child, x, y)


def twin(table: Table, viewer: int | None, rng: Random) -> Table | None:
    """Return another state that the viewer cannot tell from this one; None where chance gave none that is a game.

    The decision of another seat has to be offered in the twin, too (NORTH-INFO-10); a few deals are tried.
    """
    d = table.to_dict()
    for _ in range(4):
        other = hide(d, viewer, rng)
        try:
            return load(other)
        except ValueError:
            continue
    return None
