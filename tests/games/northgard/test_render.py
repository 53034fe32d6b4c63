"""The table as text and as SVG: all that is public, and nothing that the viewer may not know."""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from northgard_pictures import Picture, positions, public_picture, twin, word
from northgard_referee_positions import FIELD, development, position
from northgard_walks import WALKS, Table, load, some

from northmen_env.games.northgard import scene as scenes
from northmen_env.games.northgard import svg_tiles
from northmen_env.games.northgard.actions import CELL
from northmen_env.games.northgard.render import COLUMNS
from northmen_env.games.northgard.scene import Place, scene
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.svg import HEIGHT, WIDTH
from northmen_env.games.northgard.svg_tiles import SEAT_FILL, SEAT_INK, apexes, outline, seams
from northmen_env.games.northgard.tables import SIDES, TILES, Border
from northmen_env.games.northgard.words import TASKS


def both(table: Table, seat: int | None = None) -> tuple[str, str]:
    return table.svg(seat), table.text(seat)


# ---- All that is public ----------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-03", "NORTH-INFO-04", "NORTH-PH-10")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_the_public_state_is_recovered_from_the_picture(options: dict[str, Any]) -> None:
    for number, table in enumerate(some(1, 17, **options)):
        d = table.to_dict()
        seat = None if number % 2 else number % options["num_players"]
        picture = Picture(table.svg(seat))
        for (name, key, at), value in public_picture(d).items():
            assert picture.get(name, key, at) == value, (name, key, at)
        if d["decision"] != "REACT":
            assert picture.get("decision") == d["decision"]
            assert picture.get("player") == word(d["player"])
        assert len(picture.by_name["rotation"]) == len(d["tiles"])
        assert len(picture.by_name["land"]) == len(scene(table.rules, table.record, seat).territories)


@pytest.mark.rule("NORTH-TILE-03", "NORTH-TILE-04", "NORTH-TILE-06", "NORTH-TILE-08", "NORTH-TILE-09", "NORTH-TILE-10")
def test_the_picture_shows_the_map_as_it_lies() -> None:
    """Areas, borders, territories and adjacency are read off the picture alone and must agree with each other."""
    *_, table = some(2, 10**6, **WALKS[3])
    picture = Picture(table.svg())
    rules = table.rules
    at, home, parts = {}, {}, {}
    for e in picture.by_name["rotation"]:
        at[int(e["x"]), int(e["y"])] = int(e["index"])
        tile, turn = int(e["tile"]), int(e["rotation"])
        codes = dict(part.split(":") for part in e["borders"].split())
        parts[int(e["index"])] = {tuple(map(int, pair.split("-"))): int(code) for pair, code in codes.items()}
        for area in range(int(rules.tile_areas[tile])):
            slot = SIDES * int(e["index"]) + area
            sides = [side for side in range(SIDES) if rules.tile_world[tile, turn, side] == area]
            assert picture.get("sides", "slot", slot) == word(sides)
            assert picture.get("icons", "slot", slot) == word(rules.tile_icons[tile, area].tolist())
            assert picture.get("space", "slot", slot) == word(int(rules.tile_space[tile, area]))
            assert picture.get("lair", "slot", slot) == word(bool(rules.tile_lair[tile] == area))
            home[slot] = int(picture.get("territory", "slot", slot))
    across = {(x, y, side): (x + dx, y + dy) for x, y in at for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1),
                                                                                            (-1, 0)))}  # fmt: skip
    side_slot = {}
    for slot in home:
        for side in picture.get("sides", "slot", slot).split():
            side_slot[slot // SIDES, int(side)] = slot
    is_open = dict.fromkeys(home.values(), False)
    for (x, y, side), there in across.items():
        slot = side_slot[at[x, y], side]
        if there in at:
            assert home[side_slot[at[there], (side + 2) % SIDES]] == home[slot]
        else:
            is_open[home[slot]] = True
    regular: set[tuple[int, int]] = set()
    rough: set[tuple[int, int]] = set()
    for index, borders in parts.items():
        for (a, b), code in borders.items():
            pair = (home[SIDES * index + a], home[SIDES * index + b])
            if pair[0] != pair[1]:
                (regular if code == Border.REGULAR else rough).update({pair, pair[::-1]})
    for land in set(home.values()):
        slots = [slot for slot in home if home[slot] == land]
        assert land == min(slots)
        assert picture.get("open", "land", land) == word(is_open[land])
        assert picture.get("size", "land", land) == str(len({slot // SIDES for slot in slots}))
        assert picture.get("regular", "land", land) == word(sorted(b for a, b in regular if a == land))
        assert picture.get("rough", "land", land) == word(sorted(b for a, b in rough - regular if a == land))


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-06", "NORTH-INFO-07")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_a_seat_sees_its_own_cards_and_what_it_knows_of_others(options: dict[str, Any]) -> None:
    for table in some(2, 41, **options):
        d = table.to_dict()
        for seat in range(options["num_players"]):
            picture = Picture(table.svg(seat))
            assert picture.get("hand", "seat", seat) == word(d["hand"][seat])
            assert picture.get("pile", "seat", seat) == word(sorted(d["draw_pile"][seat]))
            assert picture.get("tile-hand", "seat", seat) == word(d["tile_hands"][seat])
            assert [len(picture.by_name[name]) for name in ("hand", "pile", "tile-hand")] == [1, 1, 1]
            for p in range(options["num_players"]):
                cards = zip(d["hand"][p], d["hand_known"][p], strict=True)
                known = [card for card, mask in cards if p != seat and mask >> seat & 1]
                assert picture.get("hand-known", "seat", p) == word(known)
                pile = enumerate(zip(d["draw_pile"][p], d["draw_known"][p], strict=True), 1)
                places = [[place, card] for place, (card, mask) in pile if mask >> seat & 1]
                assert picture.get("pile-known", "seat", p) == word(places)
        spectator = Picture(table.svg())
        assert not any(map(spectator.has, ("hand", "pile", "tile-hand")))
        assert {spectator.get("hand-known", "seat", p) for p in range(options["num_players"])} == {""}


@pytest.mark.rule("NORTH-INFO-08")
def test_a_reaction_that_is_asked_shows_others_no_decision() -> None:
    d = development(position(FIELD, {0: {1: 3}, 1: {0: 2}}, {0: [6], 1: [26]}, n=3, played=[[9], [], []]))
    table = load(d | {"decision": "REACT", "player": 1, "frames": [{"frame": "CARD", "card": 9}]})
    for seat in (None, 0, 2):
        picture = Picture(table.svg(seat))
        assert (picture.get("decision"), picture.get("player")) == ("NONE", "none")
        assert "REACT" not in table.text(seat) + table.svg(seat)
    assert (Picture(table.svg(1)).get("decision"), Picture(table.svg(1)).get("player")) == ("REACT", "1")


def test_fame_and_ranks_stand_in_the_picture_of_the_end() -> None:
    for options in WALKS:
        *_, end = some(3, 10**6, **options)
        picture = Picture(end.svg())
        seats = range(options["num_players"])
        ranks = [int(picture.get("rank", "seat", p)) for p in seats]
        totals = [int(picture.get("total", "seat", p)) for p in seats]
        assert 1 in ranks
        assert picture.get("decision") == "END"
        if not options.get("teams") and not end.rules.conquest:  # ten years: fame alone decides
            assert totals[ranks.index(1)] == max(totals)


# ---- The document ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", WALKS, ids=str)
def test_the_document_is_self_contained_and_everything_lies_inside(options: dict[str, Any]) -> None:
    for table in some(4, 61, **options):
        svg = table.svg(0)
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.attrib["viewBox"] == f"0 0 {WIDTH} {HEIGHT}"
        assert not re.search(r"href|url\(|<style|<script|<image", svg)
        assert svg.isascii()
        for x, y in positions(root):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT


def places() -> list[Place]:
    """Return every tile in every rotation."""
    table = Table().start(1)
    found = []
    for tile, turn in itertools.product(range(TILES), range(SIDES)):
        if turn < int(table.rules.tile_rotations[tile]):
            d = {"tiles": [[tile, 0, 0, turn]], "buildings": []}
            found.append(_place(table, d))
    return found


def _place(table: Table, d: dict[str, Any]) -> Place:
    return scenes._places(table.rules, table.record, d)[0]


@pytest.mark.rule("NORTH-TILE-02")
def test_the_areas_of_a_drawn_tile_fill_it_and_each_border_is_drawn_once() -> None:
    for place in places():
        halves = sum(_area([*outline(place, side)]) for side in range(SIDES))
        assert halves == pytest.approx(4.0)  # the square from -1 to 1: no gap, nothing twice
        drawn = [border for _, _, border in seams(place)]
        assert Border.NONE not in drawn
        assert {code for _, _, code in place.borders} == set(drawn)
        assert len(apexes(place)) == SIDES


def _area(points: list[tuple[float, float]]) -> float:
    around = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in around)) / 2


def test_the_picture_is_fixed_by_the_state() -> None:
    first, second = (Table(num_players=4).start(5) for _ in range(2))
    assert both(first) == both(second)
    first.step(first.legal()[0])
    assert first.svg() != second.svg()
    assert first.text() != second.text()


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_letters_are_readable_on_their_colours() -> None:
    assert len(SEAT_FILL) == len(SEAT_INK) == len(svg_tiles.MARKS) == 5
    for fill, ink in zip(SEAT_FILL, SEAT_INK, strict=True):
        dark, light = sorted((luminance(fill), luminance(ink)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5  # WCAG 2.2, criterion 1.4.3


# ---- Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-05", "NORTH-INFO-06", "NORTH-INFO-07")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_what_a_viewer_cannot_know_does_not_change_its_picture(options: dict[str, Any]) -> None:
    rng, compared = Random(4), 0
    for table in some(6, 12 * options["num_players"], **options):
        for viewer in (None, *range(options["num_players"])):
            other = twin(table, viewer, rng)
            if other is None or other.to_dict() == table.to_dict():
                continue
            assert both(other, viewer) == both(table, viewer)
            compared += 1
    assert compared > 20


# ---- Text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", WALKS, ids=str)
def test_text_fits_a_terminal(options: dict[str, Any]) -> None:
    for table in some(9, 29, **options):
        for seat in (None, 0):
            text = table.text(seat)
            assert max(map(len, text.splitlines())) <= COLUMNS == 100
            assert text.isascii()
            assert "\0" not in text


@pytest.mark.rule("NORTH-TILE-04", "NORTH-TILE-07")
def test_the_map_of_the_text_has_each_side_where_it_lies() -> None:
    table = load(development(position(FIELD, {0: {1: 3}, 1: {0: 2}}, {0: [6]})))
    lines = table.text().splitlines()
    top = next(i for i, line in enumerate(lines) if "t3 " in line)
    # Tile 3 lies at (1, -1): its north side is territory 8, its other sides belong to 1, which seat 0 holds (a).
    assert lines[top - 1].split() == ["8"]
    assert lines[top].split() == ["1a", "t3", "1a"]
    assert lines[top + 1].split() == ["1a"]
    start = next(line for line in lines if "t0 " in line)
    assert start.split() == ["3", "t0", "1a", "1a", "t14", "1a"]


@pytest.mark.rule("NORTH-EXPL-08")
def test_cells_are_named_where_one_is_chosen() -> None:
    for table in some(9, 1, **WALKS[0]):
        if table.decision in ("SETUP_CELL", "EX_CELL"):
            text, svg = table.text(0), table.svg(0)
            cells = {int(name) for name in re.findall(r"\[(\d+)\]", text.split("A tile:")[0])}
            offered = {action - CELL for action in table.legal()}
            assert offered <= cells
            assert all(f">{cell}</text>" in svg for cell in cells)
            return
    raise AssertionError("no tile was laid")


def test_every_decision_has_words() -> None:
    assert set(TASKS) == set(Decision) - {Decision.END}
    for task in TASKS.values():
        assert "|" not in task.you + task.other
        assert not task.you.startswith(("chooses", "decides", "takes"))
