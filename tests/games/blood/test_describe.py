"""The observation in words says what a seat knows, by name, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from blood_games import FULL_OPTIONS, Play, hide, load, some
from blood_positions import BANDIT, MAP_A, at, position

from northmen_env.games.blood.actions import action_text, tile_text
from northmen_env.games.blood.observe import OBSERVATION, observe

Edit = Callable[[dict[str, Any]], None]


def texts(play: Play) -> list[str]:
    return [play.say(seat) for seat in range(play.options.num_players)]


def middle(**more: Any) -> dict[str, Any]:
    """Return a position of three seats in the mountain phase of seat 1, with something of everything."""
    return position(
        MAP_A, n=3, warbands={(0, 0): [2, 1, 0], (1, 0): [0, 3, 1]}, decision="D16", active=1, player=1, a=2,
        laid=at(1, -1), hands=[[3, 9], [12, 15, 18], [120]], held=[[9], [], []], prepared=[[24], [1, 100], [2]],
        vp=[0, 4, 0], reserve=[0, 1, 2], abilities=[7, 1, 0], discard=[6, 33], citadels=[((1, 0), 5, 2, False)], **more,
    )  # fmt: skip


def move_tile(source: tuple[Any, ...], target: tuple[Any, ...], tile: int) -> Edit:
    """Return an edit that moves a tile from one list to another."""

    def edit(d: dict[str, Any]) -> None:
        for path, add in ((source, False), (target, True)):
            tiles = d
            for part in path:
                tiles = tiles[part]
            if add:
                tiles.append(tile)
            else:
                tiles.remove(tile)
            if path[0] != "pile":
                tiles.sort()

    return edit


def swap(source: tuple[Any, ...], tile: int) -> Edit:
    """Return an edit that exchanges a tile with one of the pile."""

    def edit(d: dict[str, Any]) -> None:
        other = d["pile"][-1]
        move_tile(("pile",), source, other)(d)
        move_tile(source, ("pile",), tile)(d)

    return edit


def set_to(path: tuple[Any, ...], value: Any, *more: tuple[tuple[Any, ...], Any]) -> Edit:
    def edit(d: dict[str, Any]) -> None:
        for where, what in ((path, value), *more):
            target: Any = d
            for part in where[:-1]:
                target = target[part]
            target[where[-1]] = what

    return edit


EVERYBODY = {0, 1, 2}
CITADEL = {"cell": at(0, 0), "side": 2, "owner": 2, "permanent": False}

# A fact -> (the edit, the seats whose text tells it).
FACTS: dict[str, tuple[Edit, set[int]]] = {
    "own hand": (swap(("hands", 0), 3), {0}),
    "own prepared": (swap(("prepared", 2), 2), {2}),
    "size of a hand": (move_tile(("hands", 1), ("pile",), 12), EVERYBODY),
    "number of prepared tiles": (move_tile(("prepared", 1), ("pile",), 1), EVERYBODY),
    "order of the pile": (lambda d: d["pile"].reverse(), set()),
    "tiles that left the game": (swap(("removed",), 4), set()),
    "held": (set_to(("held", 0), [3]), EVERYBODY),
    "discard": (swap(("discard",), 6), EVERYBODY),
    "points": (set_to(("vp", 2), 1, (("settlement", 2), 7)), EVERYBODY),
    "reserve": (set_to(("reserve", 2), 1, (("settlement", 2), 9)), EVERYBODY),
    "ability": (set_to(("abilities", 2), 5), EVERYBODY),
    "warbands": (set_to(("map", 3, "warbands"), [0, 3, 0], (("settlement", 2), 9)), EVERYBODY),
    "actions": (set_to(("a",), 1), EVERYBODY),
    "performed": (set_to(("performed",), True), EVERYBODY),
    "drew earlier": (set_to(("drew_earlier",), True), EVERYBODY),
    "citadel": (set_to(("citadels", 0, "owner"), 0, (("settlement", 0), 9), (("settlement", 2), 9)), EVERYBODY),
    "number of a citadel": (set_to(("citadels", 0), None, (("citadels", 3), CITADEL)), EVERYBODY),
    "laid": (set_to(("laid",), at(1, 0)), EVERYBODY),
}  # fmt: skip


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-INFO-03", "BLOOD-ACTION-03")
@pytest.mark.parametrize("fact", FACTS)
def test_the_text_tells_each_fact_to_those_who_know_it(fact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("northmen_env.games.blood.reading.check", lambda rules, state: 0)  # edits need not fit rules
    edit, knows = FACTS[fact]
    before = middle()
    after = copy.deepcopy(before)
    edit(after)
    assert after != before
    told = {p for p, (a, b) in enumerate(zip(texts(load(before)), texts(load(after)), strict=True)) if a != b}
    assert told == knows


def test_the_position_of_the_facts_is_one_of_a_game() -> None:
    assert load(middle()).to_dict() == middle()


@pytest.mark.rule("BLOOD-INFO-04", "BLOOD-INFO-05")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_what_a_seat_cannot_know_does_not_change_its_text(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "northmen_env.games.blood.reading.check", lambda rules, state: 0
    )  # decisions may not be offered
    choose = Random(4)
    for play in some(6, 37, **options):
        d = play.to_dict()
        for seat in range(options["num_players"]):
            assert load(hide(d, seat, choose)).say(seat) == play.say(seat)


def seen(play: Play, seat: int) -> bytes:
    out = np.empty(OBSERVATION.size, np.float32)
    observe(play.rules, play.record, seat, out)
    return out.tobytes()


@pytest.mark.rule("BLOOD-INFO-05")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_whatever_changes_what_a_seat_sees_changes_its_text(options: dict[str, Any]) -> None:
    """The text says as much as the observation, and the observation as much as the text."""
    before: Play | None = None
    for play in some(6, 7, **options):
        for seat in range(options["num_players"] if before is not None else 0):
            same = seen(before, seat) == seen(play, seat)
            assert (before.say(seat) == play.say(seat)) == same
        before = play


def test_hands_are_named_to_their_owners_alone() -> None:
    play = Play(num_players=3).start(2)
    d = play.to_dict()
    for p, text in enumerate(texts(play)):
        for q in range(3):
            for tile in d["hands"][q]:
                open_tile = tile in d["held"][q]
                assert (tile_text(play.rules, tile) in text) == (p == q or open_tile)


@pytest.mark.rule("BLOOD-ACTION-03", "BLOOD-PHASE-03")
def test_the_text_has_the_decision_with_its_legal_actions() -> None:
    for options in FULL_OPTIONS:
        for play in some(12, 23, **options):
            for seat, text in enumerate(texts(play)):
                acting = seat == play.record.player
                assert ("Your legal actions:" in text) == acting
                assert ("It is your decision" in text) == acting
                assert ("Waiting for" in text) == (not acting and not play.over())
                if acting:
                    listed = text.split("Your legal actions:\n")[1].split("\n\n")[0].splitlines()
                    assert [line.strip() for line in listed] == [action_text(play.rules, a) for a in play.legal()]


@pytest.mark.rule("BLOOD-ACTION-03")
def test_pending_choices_are_said() -> None:
    fight = {"cell": at(0, 0), "order": [1, 0], "owed": [1, 2], "revealed": [[109], []], "strength": [1, 0], "add": 0}
    d = middle(battle=fight)
    d |= {"decision": "D20", "performed": True, "a": 1, "pile": [t for t in d["pile"] if t != 109]}
    text = load(d).say(1)
    assert "It is your decision (D20): reveal a hand tile as a basic tile" in text
    assert "Battle on tile 58 on cell 528 (q 16 r 16)." in text
    assert "  seat 1: strength 1 (tile 109), 1 basic tile still to reveal" in text
    assert "  seat 0: strength 0 (nothing), 2 basic tiles still to reveal" in text
    move = {"kind": "LAKE", "source": at(0, 0), "count": 1}
    text = load(middle() | {"decision": "D18", "a": 1, "move": move}).say(1)
    assert "Lake move from tile 58 on cell 528 (q 16 r 16) with 1 warband." in text
    placing = position(MAP_A, n=2, decision="D03", placing={"tile": 8, "cell": None})
    text = load(placing).say(0)
    assert "Tile to be laid: tile 8 (FLLR--)." in text
    # (0, 2) lies south of 113 at (0, 1), turned by 4 to LR--LL, and south-east of 16 at (-1, 2), turned by 3 to -L-F-F.
    assert f"  cell {at(0, 2)} (q 16 r 18): N - of {at(0, 1)}, NW - of {at(-1, 2)}\n" in text


@pytest.mark.rule("BLOOD-SOLO-04", "BLOOD-ACTION-03")
def test_the_bandits_are_explained_to_the_player() -> None:
    run = {"kind": "MOVES", "moves": ["LAKE", "LAKE", "ROAD"], "from": at(-1, 2), "via": None, "one": None}
    d = position(MAP_A, n=1, warbands={(-1, 2): [0, 2], (1, 0): [1, 0]}, decision="B4", laid=at(1, -1),
                 bandit={**BANDIT, "card": 31, "next": 2, "run": run})  # fmt: skip
    text = load(d).say(0)
    assert "Blood of the Northmen, solo against the bandits. You are seat 0." in text
    assert "It is your decision (B4): choose where the bandits move." in text
    assert "Bandit card 031: LAKE(2); ROAD(1). Effects begun: 2." in text
    assert "Run of moves (MOVES), actions left: LAKE, LAKE, ROAD." in text
    assert f"The army moves from tile 16 on cell {at(-1, 2)}" in text
    assert "the bandits: points 0, settlement 10, on the map 2" in text


@pytest.mark.rule("BLOOD-HEX-01", "BLOOD-HEX-03")
def test_the_map_names_neighbours_and_empty_cells() -> None:
    text = load(middle()).say(0)
    line = next(line for line in text.splitlines() if line.startswith("  cell 528 "))
    assert line.startswith(
        "  cell 528 (q 16 r 16), tile 58: N F (527), NE F 559, SE - 560 citadel 0, S L 529, SW L 497"
    )
    assert line.endswith("; you: 2; seat 1: 1")
    assert "citadel 0 of seat 2 between side SE of cell 528 and cell 560" in text
    assert "Mead village" not in text
