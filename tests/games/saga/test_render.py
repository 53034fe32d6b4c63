"""The board as text and as SVG: all that is public, and nothing that the viewer may not know."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import northmen_env as nm
from northmen_env.games.saga import tables
from northmen_env.games.saga.board import board, short_names
from northmen_env.games.saga.render import COLUMNS, render_svg, render_text
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.svg_cards import SEAT_FILL, SEAT_INK

COUNTS = (2, 3, 4)
BUILTIN = Path(tables.__file__).parent / "data"


def states(game: Any, seed: int, step: int = 1) -> Iterator[Any]:
    """Yield every `step`-th state of a game with arbitrary, fixed choices, and its end."""
    state, choose = game.new_initial_state(seed=seed), Random(seed)
    for number in itertools.count():
        if state.is_terminal():
            break
        if number % step == 0:
            yield state.clone()
        state.apply_action(choose.choice(state.legal_actions()))
    yield state


def find(game: Any, wanted: Callable[[Any], bool]) -> Any:
    """Return the first state of some games for which `wanted(record)` holds."""
    for seed in range(200):
        for state in states(game, seed):
            if wanted(state.record):
                return state
    raise AssertionError("no such state in 200 games")


def svg_of(state: Any, seat: int | None = None) -> str:
    return render_svg(state.game.rules[0], state.record, seat)


def text_of(state: Any, seat: int | None = None) -> str:
    return render_text(state.game.rules[0], state.record, seat)


def both_of(state: Any, seat: int | None = None) -> tuple[str, str]:
    return svg_of(state, seat), text_of(state, seat)


# ---- All that is public ----------------------------------------------------------------------------------------------


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


def public_picture(d: dict[str, Any]) -> dict[tuple[str, str, int], str]:
    """Return what a spectator's picture of a State JSON must say: (attribute, key of its element, id) -> value."""
    want = {
        ("round", "", 0): d["round"],
        ("leader", "", 0): d["leader"],
        ("decision", "", 0): d["decision"],
        ("player", "", 0): d["player"],
        ("num-players", "", 0): d["num_players"],
        ("group", "", 0): d["group"],
        ("draw-pile", "", 0): len(d["draw_pile"]),
        ("route-deck", "", 0): len(d["route_deck"]),
        ("played-card", "", 0): d["card"],
    }
    for seat in range(d["num_players"]):
        for key in ("reserve", "infamy", "hero_supply", "time_used", "plunder", "held_count", "hand_before_hold"):
            want[key.replace("_", "-"), "seat", seat] = d[key][seat]
        for key in ("routes_done", "known_hand", "known_hand_prev"):
            want[key.replace("_", "-"), "seat", seat] = d[key][seat]
        want["pile", "seat", seat] = d["piles"][seat]
        want["hand-size", "seat", seat] = len(d["hands"][seat])
        want["routes-open-count", "seat", seat] = len(d["routes_open"][seat])
    for region, tokens in enumerate(d["tokens"]):
        want["tokens", "region_id", region] = tokens
    for kingdom in range(len(d["controller"])):
        want["controller", "kingdom_id", kingdom] = d["controller"][kingdom]
        want["delayed", "kingdom_id", kingdom] = d["delayed"][kingdom]
    for slot, card in enumerate(d["slots"]):
        want["card", "slot", slot] = card
    if d["march"] is not None:
        names = {"kingdom": "march-kingdom", "pass": "march-pass"}
        want |= {(names.get(key, key), "", 0): value for key, value in d["march"].items()}
    for name in ("first_leader", "final_planning", "draw_after_last_token", "hero_needs_cube", "heroes_collect"):
        want[f"option-{name.replace('_', '-')}", "", 0] = d["options"][name]
    want["option-march-order", "", 0] = d["options"]["march_order"]
    want["option-recall", "", 0] = d["options"]["recall"]
    return {key: word(value) for key, value in want.items()}


def as_begun(d: dict[str, Any]) -> dict[str, Any]:
    """Return the State JSON of what others than the acting seat see of ROUTE and HOLD (SAGA-INFO-08)."""
    if d["decision"] == "ROUTE":
        return d | {"decision": "NONE", "player": None}
    if d["decision"] == "HOLD":
        seat, paid = d["player"], len(d["held"])
        infamy, reserve = list(d["infamy"]), list(d["reserve"])
        infamy[seat] += paid
        reserve[seat] -= paid
        return d | {"infamy": infamy, "reserve": reserve}
    return d


def check_public(state: Any, seat: int | None) -> None:
    picture, d = Picture(svg_of(state, seat)), state.to_dict()
    shown = d if seat == d["player"] else as_begun(d)
    for (name, key, number), value in public_picture(shown).items():
        assert picture.get(name, **({key: number} if key else {})) == value, (name, key, number)
    for place, (cubes, heroes) in enumerate(zip(shown["cubes"], shown["heroes"], strict=True)):
        for owner in range(d["num_players"]):
            assert picture.get("cubes", place_id=place, seat=owner) == str(cubes[owner])
            assert picture.get("heroes", place_id=place, seat=owner) == str(heroes[owner])


@pytest.mark.rule("SAGA-INFO-01", "SAGA-TURN-08")
@pytest.mark.parametrize("num_players", COUNTS)
def test_the_public_state_is_recovered_from_the_picture(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players, first_leader="random", final_planning=True)
    seen = set()
    for seed in (1, 2):
        for state in states(game, seed, step=11):
            check_public(state, None)
            check_public(state, seed % num_players)
            seen.add(state.to_dict()["decision"])
    assert seen >= {"PLAY", "DRAW", "CUBE", "END"}


@pytest.mark.rule("SAGA-INFO-08")
@pytest.mark.parametrize("decision", [Decision.DELAY, Decision.ROUTE, Decision.KEEP, Decision.HOLD])
def test_the_public_state_is_recovered_at_the_rarer_decisions(decision: Decision) -> None:
    game = nm.load("saga", num_players=3)
    state = find(game, lambda r: r.decision == decision and (decision != Decision.HOLD or r.held != 0))
    for seat in (None, 0, 1, 2):
        check_public(state, seat)


@pytest.mark.rule("SAGA-INFO-09", "SAGA-SETUP-05")
@pytest.mark.parametrize("num_players", COUNTS)
def test_a_seat_sees_its_own_hand_and_routes(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    keep = find(game, lambda r: r.decision == Decision.KEEP)
    hold = find(game, lambda r: r.decision == Decision.HOLD and r.held != 0)
    for state in (keep, hold, *states(game, 3, step=25)):
        d = state.to_dict()
        for seat in range(num_players):
            picture, own_turn = Picture(svg_of(state, seat)), d["player"] == seat
            assert picture.get("hand", seat=seat) == word(d["hands"][seat])
            assert picture.get("routes-open", seat=seat) == word(d["routes_open"][seat])
            assert picture.get("routes-drawn", seat=seat) == (word(d["routes_drawn"]) if own_turn else "")
            assert picture.get("held", seat=seat) == (word(d["held"]) if own_turn else "")
        spectator = Picture(svg_of(state))
        assert not any(map(spectator.has, ("hand", "routes-open", "routes-drawn", "held")))


@pytest.mark.parametrize("num_players", COUNTS)
def test_scores_and_ranks_stand_in_the_picture(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    for state in states(game, 4, step=40):
        picture = Picture(svg_of(state))
        for seat, score in enumerate(state.scores()):
            assert float(picture.get("score", seat=seat)) == score
            assert picture.get("rank", seat=seat) == (str(state.ranks()[seat]) if state.is_terminal() else "none")


@pytest.mark.parametrize("num_players", COUNTS)
def test_every_card_and_route_that_lies_open_is_drawn(num_players: int) -> None:
    """The lists in the attributes are what is drawn, too, as far as a panel has room."""
    game = nm.load("saga", num_players=num_players)
    for state in states(game, 6, step=17):
        root = ElementTree.fromstring(svg_of(state, 0))
        for group in root.iter():
            listed = group.attrib.get("data-hand", group.attrib.get("data-pile", group.attrib.get("data-routes-done")))
            if listed is None or "data-hand" in group.attrib:
                continue
            drawn = [e.attrib[k] for e in group.iter() for k in ("data-card", "data-route") if k in e.attrib]
            ids = listed.split() if "data-routes-done" in group.attrib else listed.split()[::-1]
            assert drawn == ids[: len(drawn)]
            assert len(drawn) >= min(len(ids), 8)


# ---- The document ----------------------------------------------------------------------------------------------------


def foreign_data(folder: Path) -> str:
    """Write a data set with names that would break careless XML or tables, and return its folder."""
    names = {
        "Saxons": "S<axons> & 'Sons'",
        "Italy": "Ítalía " + "x" * 50,
        "Normans": "N" * 64,
        "Norwegians": "N" * 63,
        "Poland": "N" * 62,
        "Bulgaria": "<!--&amp]]>",
    }
    for file in BUILTIN.glob("*.csv"):
        text = file.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        (folder / file.name).write_text(text, encoding="utf-8", newline="\n")
    return str(folder)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return nm.load("saga", num_players=4, data=foreign_data(tmp_path_factory.mktemp("data")))


def test_names_are_escaped_and_kept_whole(foreign: Any) -> None:
    for state in states(foreign, 1, step=11):
        picture = Picture(svg_of(state, 1))
        places = {e["place-id"]: e["place"] for e in picture.elements if "place" in e}
        assert places["3"] == "S<axons> & 'Sons'"
        assert places["9"] == "<!--&amp]]>"
        assert places["0"] == "N" * 64


@pytest.mark.parametrize("num_players", COUNTS)
def test_the_document_is_self_contained_and_sized(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    for state in states(game, 2, step=50):
        svg = svg_of(state)
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.attrib["viewBox"] == "0 0 1200 900"
        assert not re.search(r"href|url\(|<style|<script|<image", svg)
        assert svg.isascii()


def test_everything_lies_inside_the_view_box() -> None:
    """Groups are moved, never turned: the sum of the moves is where a shape stands."""
    for num_players in COUNTS:
        for state in states(nm.load("saga", num_players=num_players), 8, step=17):
            for x, y in positions(ElementTree.fromstring(svg_of(state, 0)), 0, 0):
                assert 0 <= x <= 1200
                assert 0 <= y <= 900


def positions(element: ElementTree.Element, x: float, y: float) -> Iterator[tuple[float, float]]:
    moved = re.match(r"translate\((\S+) (\S+)\)", element.attrib.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
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


def test_the_picture_is_fixed_by_the_state() -> None:
    first, second = (nm.load("saga", num_players=4).new_initial_state(seed=5) for _ in range(2))
    assert both_of(first) == both_of(second)
    first.apply_action(first.legal_actions()[0])
    assert svg_of(first) != svg_of(second)
    assert text_of(first) != text_of(second)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_seat_numbers_are_readable_on_their_colours() -> None:
    for fill, ink in zip(SEAT_FILL, SEAT_INK, strict=True):
        dark, light = sorted((luminance(fill), luminance(ink)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5  # WCAG 2.2, criterion 1.4.3


# ---- Secrets ---------------------------------------------------------------------------------------------------------


def hide(state: Any, viewer: int | None, choose: Random) -> Any:
    """Return a copy in which everything the viewer cannot know is replaced by something else of equal size."""
    other = state.clone()
    r, n = other.record, other.game.num_players
    if state.game.rules[0].table_recall:  # SAGA-INFO-03: what was seen once is not shown
        for field in ("known_hand", "known_hand_prev"):
            r[field][:n] = [bits(choose.sample(range(56), int(size))) for size in r.hand_size[:n]]
    for seat in range(n):
        if seat == viewer:
            continue
        known = int(r.known_hand[seat]) if not state.game.rules[0].table_recall else 0
        free = [c for c in range(56) if not known >> c & 1]
        r.hand[seat] = known | bits(choose.sample(free, int(r.hand[seat]).bit_count() - known.bit_count()))
        r.routes_open[seat] = bits(choose.sample(range(20), int(r.routes_open[seat]).bit_count()))
        r.not_held[seat] = choose.getrandbits(56)
        r.route_pos[seat] = choose.randrange(20)
        r.route_holder[seat] = choose.randrange(n)
    choose.shuffle(r.draw_pile[r.draw_top : r.draw_end])
    choose.shuffle(r.route_deck[: r.route_count])
    r.seed = choose.getrandbits(63)
    if viewer != r.player:
        hide_step(r, n, viewer, choose)
    return other


def hide_step(r: Any, n: int, viewer: int | None, choose: Random) -> None:
    """Change the steps of ROUTE, KEEP and HOLD that only the acting seat sees."""
    if r.decision == Decision.ROUTE:
        r.player = choose.choice([seat for seat in range(n) if seat != viewer])
        r.route_last = choose.randrange(-1, 20)
    elif r.decision == Decision.KEEP:
        r.routes_drawn = choose.sample(range(20), 2)
    elif r.decision == Decision.HOLD:
        total = int(r.infamy[r.player]) + int(r.held).bit_count()
        held = choose.sample(range(56), choose.randrange(min(total, 6)))
        r.reserve[r.player] += len(held) - int(r.held).bit_count()
        r.infamy[r.player] = total - len(held)
        r.held, r.hold_last = bits(held), max(held, default=-1)


def bits(members: list[int]) -> int:
    return sum(1 << member for member in members)


@pytest.mark.rule("SAGA-INFO-02", "SAGA-INFO-08")
@pytest.mark.parametrize("recall", ["full", "table"])
@pytest.mark.parametrize("num_players", COUNTS)
def test_nothing_hidden_changes_a_picture(num_players: int, recall: str) -> None:
    game = nm.load("saga", num_players=num_players, recall=recall)
    choose = Random(num_players)
    for state in states(game, 7, step=17):
        for viewer in (None, *range(num_players)):
            assert both_of(hide(state, viewer, choose), viewer) == both_of(state, viewer)


@pytest.mark.rule("SAGA-INFO-08")
@pytest.mark.parametrize("decision", [Decision.ROUTE, Decision.KEEP, Decision.HOLD])
def test_hidden_prompts_show_others_the_public_picture(decision: Decision) -> None:
    state = find(nm.load("saga", num_players=4), lambda r: r.decision == decision and (r.decision != 10 or r.held != 0))
    acting, choose = state.current_player, Random(1)
    for viewer in (None, *range(4)):
        for _ in range(4):
            same = both_of(hide(state, viewer, choose), viewer) == both_of(state, viewer)
            assert same, viewer
    own = Picture(svg_of(state, acting))
    assert own.root.attrib["data-player"] == str(acting)
    assert own.root.attrib["data-decision"] == decision.name
    if decision == Decision.ROUTE:
        assert Picture(svg_of(state)).root.attrib["data-player"] == "none"
        assert f"seat {acting} " not in text_of(state, (acting + 1) % 4).splitlines()[1].lower()


@pytest.mark.rule("SAGA-SETUP-05")
def test_what_the_seat_knows_changes_its_picture() -> None:
    state = nm.load("saga", num_players=3).new_initial_state(seed=1)
    for field in ("hand", "routes_open"):
        other = state.clone()
        other.record[field][1] = bits([0, 1, 2, 3, 4, 6]) if field == "hand" else bits([7, 8])
        assert svg_of(other, 1) != svg_of(state, 1)
        assert text_of(other, 1) != text_of(state, 1)
        assert both_of(other, 0) == both_of(state, 0)


@pytest.mark.rule("SAGA-INFO-03", "SAGA-OPT-02")
def test_table_recall_covers_piles_until_a_kingdom_moves() -> None:
    game = nm.load("saga", num_players=3, recall="table")
    revealed = 0
    for state in states(game, 2, step=3):
        d, picture = state.to_dict(), Picture(svg_of(state, 0))
        assert not picture.has("known-hand")
        assert not picture.has("known-hand-prev")
        for seat, pile in enumerate(d["piles"]):
            shown = picture.get("pile", seat=seat).split()
            assert picture.get("pile-size", seat=seat) == str(len(pile))
            if seat == 0:
                assert shown == list(map(str, pile))
                continue
            suits = {kingdom for kingdom in range(7) if open_kingdom(d, kingdom, seat)}
            laid_open = sorted(card for card in pile[:-1] if card // 8 in suits)  # their places stay unknown
            want = [*["-"] * (len(pile[:-1]) - len(laid_open)), *laid_open, *pile[-1:]]
            assert shown == list(map(str, want))
            revealed += len(suits)
    assert revealed > 0


def open_kingdom(d: dict[str, Any], kingdom: int, seat: int) -> bool:
    """Return whether the seat's cards of a kingdom lie open: it controls it, and the move has begun (SAGA-INFO-03)."""
    if d["controller"][kingdom] != seat:
        return False
    if d["march"] is None:
        return d["decision"] == "ROUTE"
    now, second = d["march"]["kingdom"], d["march"]["pass"] == 2
    if kingdom == now:
        return d["decision"] != "DELAY"
    if d["delayed"][kingdom]:
        return second and kingdom < now
    return second or kingdom < now


# ---- Text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", COUNTS)
def test_text_fits_a_terminal(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    for state in states(game, 9, step=13):
        for seat in (None, 0):
            text = text_of(state, seat)
            assert max(map(len, text.splitlines())) <= COLUMNS == 100
            assert text.isascii()
            assert "\0" not in text


def test_text_with_long_names_fits_a_terminal(foreign: Any) -> None:
    for state in states(foreign, 2, step=13):
        for seat in (None, 2):
            assert max(map(len, text_of(state, seat).splitlines())) <= COLUMNS


@pytest.mark.parametrize("num_players", COUNTS)
def test_tables_of_the_text_are_aligned_and_right(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    for state in states(game, 10, step=15):
        d, lines = as_begun(state.to_dict()), text_of(state).splitlines()
        (head,) = [line for line in lines if line.startswith("  Seat ")]
        names = head.split()[1:]
        for seat in range(num_players):
            row = lines[lines.index(head) + 1 + seat]
            assert len(row) == len(head)
            cells = dict(zip(names, re.sub(r".*?seat \d( \(leader\))?", "", row, count=1).split(), strict=True))
            assert [int(cells[k]) for k in ("reserve", "infamy", "heroes", "plunder", "hand", "open", "done")] == [
                d["reserve"][seat], d["infamy"][seat], d["hero_supply"][seat], d["plunder"][seat],
                len(d["hands"][seat]), len(d["routes_open"][seat]), len(d["routes_done"][seat]),
            ]  # fmt: skip
        (italy,) = [line for line in lines if line.startswith("  Italy ")]
        pieces = [
            f"{c}+{h}h" if h else str(c) if c else "." for c, h in zip(d["cubes"][14], d["heroes"][14], strict=True)
        ]
        assert italy.split()[1:] == [str(d["tokens"][7] or "."), *pieces]


def test_text_names_the_winners() -> None:
    game = nm.load("saga", num_players=4)
    *_, end = states(game, 3, step=1000)
    winners = [seat for seat, rank in enumerate(end.ranks()) if rank == 1]
    assert (
        text_of(end).splitlines()[1]
        == f"The game is over, seat {winners[0]} wins with {int(max(end.scores()))} points."
    )
    r = end.record
    r.plunder, r.infamy, r.routes_done = 5, 2, 0
    assert text_of(end).splitlines()[1] == "The game is over, seats 0, 1, 2 and 3 share the win with 6 points."


# ---- Arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    state = nm.load("saga", num_players=3).new_initial_state(seed=1)
    for render in (svg_of, text_of):
        with pytest.raises(ValueError, match=rf"there is no seat {seat} .* 0\.\.2"):
            render(state, seat)


def test_the_board_is_plain_values() -> None:
    state = nm.load("saga", num_players=2).new_initial_state(seed=1)
    view = board(state.game.rules[0], state.record, 0)
    assert {type(x) for row in view.cubes for x in row} == {int}
    assert view == board(state.game.rules[0], state.clone().record, 0)


def test_short_names_differ() -> None:
    assert short_names(("Normans", "Norwegians", "Rus", "Italy", "Ital")) == ("Norm", "Norw", "Rus", "Italy", "Ita4")
    assert len(set(short_names(tuple("A" * size for size in range(6, 13))))) == 7
