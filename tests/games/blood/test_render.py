"""The board as text and as SVG: all that is public, and nothing that the viewer may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from blood_games import FULL_OPTIONS, Play, hide, load, some
from blood_positions import BANDIT, MAP_A, at, position

from northmen_env.games.blood.render import COLUMNS
from northmen_env.games.blood.scene import scene
from northmen_env.games.blood.svg import HEIGHT, WIDTH
from northmen_env.games.blood.svg_tiles import BANDIT_FILL, BANDIT_INK, SEAT_FILL, SEAT_INK
from northmen_env.games.blood.tables import sides_text

SIDES = ("N", "NE", "SE", "S", "SW", "NW")


def both(play: Play, seat: int | None = None) -> tuple[str, str]:
    return play.svg(seat), play.text(seat)


class Picture:
    """The `data-` attributes of an SVG document."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.elements: list[dict[str, str]] = []
        self.by_name: dict[str, list[dict[str, str]]] = {}
        for element in self.root.iter():
            data = {name[5:]: value for name, value in element.attrib.items() if name.startswith("data-")}
            self.elements.append(data)
            for name in data:
                self.by_name.setdefault(name, []).append(data)

    def get(self, name: str, **where: int) -> str:
        """Return the one value of an attribute among the elements with the given other attributes."""
        keys = {key.replace("_", "-"): str(value) for key, value in where.items()}
        found = [e[name] for e in self.by_name.get(name, []) if keys.items() <= e.items()]
        assert len(found) == 1, (name, where, found)
        return found[0]

    def has(self, name: str) -> bool:
        return name in self.by_name


def word(value: Any) -> str:
    """Return a JSON value as the document writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "none" if value is None else str(value)


# ---- All that is public ----------------------------------------------------------------------------------------------


def public_picture(d: dict[str, Any]) -> dict[tuple[str, str, int], str]:
    """Return what a spectator's picture of a State JSON must say: (attribute, key of its element, id) -> value."""
    want: dict[tuple[str, str, int], Any] = {
        ("pile-size", "", 0): len(d["pile"]),
        ("removed-size", "", 0): len(d["removed"]),
        ("discard", "", 0): d["discard"],
        ("citadel-supply", "", 0): d["citadels"].count(None),
    }
    for key in ("decision", "player", "active", "winners", "num_players"):
        want[key.replace("_", "-"), "", 0] = d[key]
    for key in ("laid", "citadel_side", "village_left", "furs_returned", "silver_cell", "a", "b", "performed", "drawn",
                "drew_earlier"):  # fmt: skip
        want[key.replace("_", "-"), "", 0] = d[key]
    placing = d["placing"] or {"tile": None, "cell": None}
    want |= {("placing-tile", "", 0): placing["tile"], ("placing-cell", "", 0): placing["cell"]}
    for entry in d["map"]:
        for key in ("tile", "rotation", "warbands"):
            want[key, "cell", entry["cell"]] = entry[key]
    for number, citadel in enumerate(d["citadels"]):
        if citadel is not None:
            want["at-cell", "citadel", number] = citadel["cell"]
            want |= {(key, "citadel", number): citadel[key] for key in ("side", "owner", "permanent")}
    for p in range(len(d["settlement"])):
        for key in ("settlement", "vp", "reserve"):
            want[key, "colour", p] = d[key][p]
        want["prepared-size", "colour", p] = len(d["prepared"][p])
        want["fresh-size", "colour", p] = len(d["fresh"]) if p == d["active"] else 0
        seat = p < d["num_players"]
        want["hand-size", "colour", p] = len(d["hands"][p]) if seat else None
        want["held", "colour", p] = d["held"][p] if seat else []
    for name in ("goods", "citadels", "abilities", "grid_size", "vikings_every_turn", "reward"):
        want[f"option-{name.replace('_', '-')}", "", 0] = d["options"][name]
    return {key: word(value) for key, value in (want | contexts(d)).items()}


def contexts(d: dict[str, Any]) -> dict[tuple[str, str, int], Any]:
    """Return what the picture must say of a move, a battle and the bandits."""
    want: dict[tuple[str, str, int], Any] = {}
    if d["move"] is not None:
        want |= {(f"move-{key}", "", 0): value for key, value in d["move"].items()}
    if d["battle"] is not None:
        b = d["battle"]
        want |= {("battle-cell", "", 0): b["cell"], ("battle-add", "", 0): b["add"]}
        for i, colour in enumerate(b["order"]):
            want["fighter", "battle_entry", i] = colour
            want |= {(key, "battle_entry", i): b[key][i] for key in ("owed", "revealed", "strength")}
    if d["bandit"] is not None:
        b = d["bandit"]
        for key in ("card", "next", "left", "target", "remaining", "served", "won", "last_won", "bribed"):
            want[f"bandit-{key.replace('_', '-')}", "", 0] = b[key]
        want["bandit-forbidden", "", 0] = b["forbidden"] or []
        if b["run"] is not None:
            want |= {(f"run-{key}", "", 0): value for key, value in b["run"].items()}
    return want


def check_public(play: Play, seat: int | None) -> None:
    picture, d = Picture(play.svg(seat)), play.to_dict()
    for (name, key, number), value in public_picture(d).items():
        assert picture.get(name, **({key: number} if key else {})) == value, (name, key, number)
    for entry in d["map"]:
        sides = picture.get("sides", cell=entry["cell"])
        assert sides == sides_text(play.rules, entry["tile"], entry["rotation"])
    assert len(picture.by_name.get("rotation", [])) == len(d["map"])
    assert len(picture.by_name.get("citadel", [])) == 12 - d["citadels"].count(None)


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-PHASE-08")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_the_public_state_is_recovered_from_the_picture(options: dict[str, Any]) -> None:
    for i, play in enumerate(some(1, 29, **options)):
        check_public(play, None if i % 2 else i % options["num_players"])


RUN = {"kind": "MOVES", "moves": ["LAKE", "LAKE", "ROAD"], "from": at(-1, 2), "via": None, "one": None}
FIGHT = {"cell": at(0, 0), "order": [0, 1], "owed": [2, 2], "revealed": [[120], []], "strength": [1, 0], "add": 0}


def rare() -> Iterator[dict[str, Any]]:
    """Yield positions at rarer decisions."""
    two = {"warbands": {(0, 0): [2, 2], (1, 0): [0, 1]}, "n": 2, "laid": at(1, -1)}
    yield position(MAP_A, decision="D18", a=1, move={"kind": "LAKE", "source": at(0, 0), "count": 2}, **two)
    yield position(MAP_A, decision="D17", a=1, move={"kind": "LAKE", "source": at(0, 0), "count": None}, **two)
    battle = position(MAP_A, decision="D20", performed=True, hands=[[3, 4], [5]], held=[[3], []], battle=FIGHT, **two)
    yield battle | {"pile": [tile for tile in battle["pile"] if tile != 120]}
    yield position(MAP_A, decision="D02", placing={"tile": 8, "cell": None}, n=2)
    solo = {"n": 1, "warbands": {(-1, 2): [0, 2], (1, 0): [1, 0]}, "decision": "B4", "laid": at(1, -1)}
    yield position(MAP_A, **solo, bandit={**BANDIT, "card": 31, "next": 2, "run": RUN})


@pytest.mark.rule("BLOOD-ACTION-03", "BLOOD-PHASE-08")
@pytest.mark.parametrize("number", range(5))
def test_the_public_state_is_recovered_at_the_rarer_decisions(number: int) -> None:
    d = list(rare())[number]
    play = load(d)
    for seat in (None, *range(d["num_players"])):
        check_public(play, seat)


@pytest.mark.rule("BLOOD-INFO-01")
@pytest.mark.parametrize("options", [FULL_OPTIONS[1], FULL_OPTIONS[4]], ids=str)
def test_a_seat_sees_its_own_tiles(options: dict[str, Any]) -> None:
    for play in some(2, 61, **options):
        d = play.to_dict()
        for seat in range(options["num_players"]):
            picture, text = Picture(play.svg(seat)), f" {play.text(seat)}"
            assert picture.get("hand", colour=seat) == word(d["hands"][seat])
            assert picture.get("prepared", colour=seat) == word(d["prepared"][seat])
            assert picture.get("fresh", colour=seat) == word(d["fresh"] if seat == d["active"] else [])
            assert [len(picture.by_name[name]) for name in ("hand", "prepared", "fresh")] == [1, 1, 1]
            assert all(f" {tile} " in text for tile in d["hands"][seat])
        spectator = Picture(play.svg())
        assert not any(map(spectator.has, ("hand", "prepared", "fresh")))


def test_points_ranks_and_winners_stand_in_the_picture() -> None:
    for options in FULL_OPTIONS:
        *_, end = some(3, 10**6, **options)
        d, picture = end.to_dict(), Picture(end.svg())
        for p in range(len(d["vp"])):
            assert picture.get("vp", colour=p) == str(d["vp"][p])
            assert picture.get("winner", colour=p) == word(p in d["winners"])
        ranks = [picture.get("rank", colour=p) for p in range(len(d["vp"]))]
        assert ranks == ["none", "none"] if len(d["hands"]) == 1 else "1" in ranks


# ---- The document ----------------------------------------------------------------------------------------------------


def test_the_document_is_self_contained_and_sized() -> None:
    for options in FULL_OPTIONS:
        for play in some(4, 97, **options):
            svg = play.svg(0)
            root = ElementTree.fromstring(svg)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.attrib["viewBox"] == f"0 0 {WIDTH} {HEIGHT}"
            assert not re.search(r"href|url\(|<style|<script|<image", svg)
            assert svg.isascii()


def wide(tiles: int) -> dict[str, Any]:
    """Return a map of two long rows, the widest there is: 61 columns at 120 tiles, of tiles that fit by mountains."""
    d = position("", n=4, options={"grid_size": 64}, decision="D01")
    places = [(q, 0 if i % 2 == 0 else 1) for i, q in enumerate(x for x in range(tiles) for _ in (0, 1))][:tiles]
    cells = sorted(at(q - 30, r - q // 2, 64) for q, r in places)
    d["map"] = [{"cell": c, "tile": t, "rotation": 0, "warbands": [0] * 4} for t, c in enumerate(cells, 1)]
    return d


@pytest.mark.parametrize("tiles", [1, 2, 30, 119])
def test_everything_lies_inside_the_view_box(tiles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are moved, never turned: the sum of the moves is where a shape stands. The map need not be a legal one."""
    monkeypatch.setattr("northmen_env.games.blood.reading.check", lambda rules, state: 0)
    wide_map = load(wide(tiles))
    real = [play for options in FULL_OPTIONS for play in some(8, 211, **options)] if tiles == 1 else []
    for play in (wide_map, *real):
        for x, y in positions(ElementTree.fromstring(play.svg(0)), 0, 0):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
        assert max(map(len, play.text(0).splitlines())) <= COLUMNS


def positions(element: ElementTree.Element, x: float, y: float) -> Iterator[tuple[float, float]]:
    moved = re.match(r"translate\((\S+) (\S+)\)", element.attrib.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
        yield x, y
    a = {
        name: float(element.attrib[name])
        for name in ("x", "y", "width", "height", "cx", "cy")
        if name in element.attrib
    }
    if element.tag.endswith("rect"):
        yield x + a["x"], y + a["y"]
        yield x + a["x"] + a["width"], y + a["y"] + a["height"]
    elif element.tag.endswith(("text", "circle")):
        yield x + a.get("x", a.get("cx", 0)), y + a.get("y", a.get("cy", 0))
    for child in element:
        yield from positions(child, x, y)


def test_tiles_of_a_large_map_stay_readable() -> None:
    """Random play lays 120 tiles on less than 20 columns: a letter of a side is 8 units high there or more."""
    most = max(
        (play for seed in (1, 2) for play in some(seed, 10**6, **FULL_OPTIONS[4])), key=lambda p: p.record.map_size
    )
    letters = [
        e for e in ElementTree.fromstring(most.svg()).iter() if e.tag.endswith("text") and e.text in tuple("FLRM")
    ]
    assert most.record.map_size > 60
    assert min(float(e.attrib["font-size"]) for e in letters) >= 8


def test_the_picture_is_fixed_by_the_state() -> None:
    first, second = (Play(num_players=4).start(5) for _ in range(2))
    assert both(first) == both(second)
    first.step(first.legal()[0])
    assert first.svg() != second.svg()
    assert first.text() != second.text()


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_seat_numbers_are_readable_on_their_colours() -> None:
    assert len(SEAT_FILL) == len(SEAT_INK) == 5
    for fill, ink in zip((*SEAT_FILL, BANDIT_FILL), (*SEAT_INK, BANDIT_INK), strict=True):
        dark, light = sorted((luminance(fill), luminance(ink)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5  # WCAG 2.2, criterion 1.4.3


# ---- Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-INFO-02", "BLOOD-INFO-03", "BLOOD-INFO-04", "BLOOD-INFO-05")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_what_a_viewer_cannot_know_does_not_change_its_picture(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "northmen_env.games.blood.reading.check", lambda rules, state: 0
    )  # decisions may not be offered
    choose = Random(4)
    for play in some(6, 31, **options):
        d = play.to_dict()
        for viewer in (None, *range(options["num_players"])):
            other = load(hide(d, viewer, choose))
            assert other.to_dict()["pile"] != d["pile"] or len(d["pile"]) < 2
            assert both(other, viewer) == both(play, viewer)


@pytest.mark.rule("BLOOD-INFO-01")
def test_what_the_seat_knows_changes_its_picture() -> None:
    d = position(MAP_A, n=2, warbands={(0, 0): [2, 2]}, decision="D16", a=1, laid=at(1, -1), hands=[[3, 9], [12, 15]],
                 prepared=[[18], [21]])  # fmt: skip
    play = load(d)
    for key, seat in (("hands", 0), ("hands", 1), ("prepared", 0), ("prepared", 1)):
        taken, left = d[key][seat][-1], [tiles[:] for tiles in d[key]]
        left[seat] = sorted([*d[key][seat][:-1], d["pile"][-1]])
        other = load({**d, key: left, "pile": [*d["pile"][:-1], taken]})
        for viewer in (None, 0, 1):
            assert (both(other, viewer) != both(play, viewer)) == (viewer == seat), (key, seat, viewer)


# ---- Text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_text_fits_a_terminal(options: dict[str, Any]) -> None:
    for play in some(9, 41, **options):
        for seat in (None, 0):
            text = play.text(seat)
            assert max(map(len, text.splitlines())) <= COLUMNS == 100
            assert text.isascii()
            assert "\0" not in text


@pytest.mark.rule("BLOOD-HEX-01")
def test_the_map_of_the_text_has_each_side_where_it_lies() -> None:
    """A tile is drawn with its letters N, NE, SE, S, SW, NW round its cell, and neighbours lie where they touch it."""
    walls = [((0, 0), 2, 1, False)]
    d = position(
        MAP_A, n=2, warbands={(0, 0): [2, 0], (1, 0): [1, 3]}, citadels=walls, decision="D01", hands=[[8], [9]]
    )
    play = load(d)
    lines = play.text().splitlines()
    for entry in d["map"]:
        sides = sides_text(play.rules, entry["tile"], entry["rotation"])
        (row,) = [i for i, line in enumerate(lines) if re.search(rf"[FLRM#-]{entry['cell']} [FLRM#-]", line)]
        column = lines[row].index(f"{entry['cell']} ") - 1
        drawn = {
            "N": lines[row - 1][column + 2], "NE": lines[row][column + 5], "SE": lines[row + 1][column + 5],
            "S": lines[row + 2][column + 2], "SW": lines[row + 1][column], "NW": lines[row][column],
        }  # fmt: skip
        for side, letter in zip(SIDES, sides, strict=True):
            walled = (entry["cell"], side) in ((at(0, 0), "SE"), (at(1, 0), "NW"))
            assert drawn[side] == ("#" if walled else letter), (entry["cell"], side)
        facts = lines[row + 1][column + 1 : column + 5].strip()
        village = "S" if entry["tile"] == 54 else ""
        assert facts == village + {at(0, 0): "a2", at(1, 0): "*4"}.get(entry["cell"], "")
    assert "Warbands: cell 528 (tile 58): seat 0 2; cell 560 (tile 26): seat 0 1, seat 1 3" in lines
    assert "Citadels: 0 on side SE of cell 528 (seat 1)" in lines


def test_tables_of_the_text_are_aligned_and_right() -> None:
    for play in some(10, 53, **FULL_OPTIONS[1]):
        d, lines = play.to_dict(), play.text().splitlines()
        (head,) = [line for line in lines if line.startswith("  Player")]
        names = head.split()[1:]
        for p in range(2):
            row = lines[lines.index(head) + 1 + p]
            cells = dict(zip(names, re.sub(r".*?seat \d", "", row, count=1).split(), strict=True))
            assert [int(cells[k]) for k in ("points", "settlement", "reserve", "map", "hand", "prep.", "fresh")] == [
                d["vp"][p], d["settlement"][p], d["reserve"][p], sum(e["warbands"][p] for e in d["map"]),
                len(d["hands"][p]), len(d["prepared"][p]), len(d["fresh"]) if p == d["active"] else 0,
            ]  # fmt: skip
        supply = d["citadels"].count(None)
        assert f"Pile {len(d['pile'])}, not in the game 60, citadels in the supply {supply}" in lines


@pytest.mark.rule("BLOOD-END-01")
def test_text_names_the_winners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("northmen_env.games.blood.reading.check", lambda rules, state: 0)
    for n, winners, words in (
        (3, [1], "The game is over, seat 1 wins."),
        (3, [0, 2], "The game is over, a draw between seat 0 and seat 2."),
        (4, [0, 1, 3], "The game is over, a draw between seat 0, seat 1 and seat 3."),
        (1, [0], "The game is over, seat 0 wins."),
        (1, [1], "The game is over, the bandits win."),
        (1, [0, 1], "The game is over, a draw between seat 0 and the bandits."),
    ):
        d = position(MAP_A, n=n, decision="END", player=None, winners=winners)
        assert load(d).text().splitlines()[1] == words


# ---- Arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    play = Play(num_players=3).start(1)
    for render in (play.svg, play.text):
        with pytest.raises(ValueError, match=rf"there is no seat {seat} .* 0\.\.2"):
            render(seat)


def test_the_scene_is_plain_values() -> None:
    play = Play(num_players=2).start(1)
    view = scene(play.rules, play.record, 0)
    assert {type(c.settlement) for c in view.colours} == {type(view.pile_size)} == {int}
    assert view == scene(play.rules, play.copy().record, 0)
