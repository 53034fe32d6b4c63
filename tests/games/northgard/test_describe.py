"""The observation in words says what a seat knows, by name, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from northgard_pictures import twin
from northgard_referee_positions import TWO_CLOSED, development, position
from northgard_walks import WALKS, Table, load, some, walk

import northmen_env as nm
from northmen_env.games.northgard.actions import ACTIONS, action_text
from northmen_env.games.northgard.card_words import card_words
from northmen_env.games.northgard.describe import choice_text
from northmen_env.games.northgard.tables import CARDS, Op, card_name

Edit = Callable[[dict[str, Any]], None]
EVERYBODY = {0, 1, 2}


def texts(table: Table) -> list[str]:
    return [table.words(seat) for seat in range(table.options.num_players)]


def middle() -> dict[str, Any]:
    """Return a position of three seats at MENU of seat 0 with something of everything."""
    d = position(
        TWO_CLOSED, {0: {0: 3, 10: 1}, 1: {4: 2}, 2: {1: 4}}, {0: [4, 9, 26], 1: [0, 7], 2: [22, 85]}, n=3,
        clans=[0, 4, 2], buildings=[[4, 0]], kaija=0, token=1, options={"creatures": True}, creatures=[[5, 10]],
        resources=[[1, 2, 3], [0, 1, 0], [2, 0, 4]], fame=[4, 0, 7], discard=[[], [1], []], played=[[], [2], []],
        idle=[[], [], [3]], unrest=9, passed=[False, False, True], taken=[False, False, True], marker=2, year=2,
        hand_known=[[1, 1, 5], [2, 2], [4, 4]],
    )  # fmt: skip
    return development(d)


def set_to(path: tuple[Any, ...], value: Any, *more: tuple[tuple[Any, ...], Any]) -> Edit:
    def edit(d: dict[str, Any]) -> None:
        for where, what in ((path, value), *more):
            target: Any = d
            for part in where[:-1]:
                target = target[part]
            target[where[-1]] = what

    return edit


def swap_hand_and_pile(p: int) -> Edit:
    """Return an edit that exchanges the last card of a hand with the top of the same seat's draw pile."""

    def edit(d: dict[str, Any]) -> None:
        hand, pile = d["hand"][p], d["draw_pile"][p]
        hand[-1], pile[0] = pile[0], hand[-1]
        pairs = sorted(zip(hand, d["hand_known"][p], strict=True))
        d["hand"][p], d["hand_known"][p] = [card for card, _ in pairs], [mask for _, mask in pairs]

    return edit


def reversed_list(key: str, p: int | None = None) -> Edit:
    def edit(d: dict[str, Any]) -> None:
        (d[key] if p is None else d[key][p]).reverse()

    return edit


def late_deck(d: dict[str, Any]) -> None:
    d["dev_deck"][-2:] = d["dev_deck"][:-3:-1]


def foreseen(d: dict[str, Any]) -> None:
    """Seat 0 has taken a card of the display."""
    d["taken"][0] = True
    d["draw_pile"][0].insert(0, d["display"].pop())
    d["draw_known"][0].insert(0, 7)


def a_year_later(d: dict[str, Any]) -> None:
    d["year"] += 1
    d["removed"] = sorted(d["removed"] + d["display"])
    d["display"], d["dev_deck"] = sorted(d["dev_deck"][:2]), d["dev_deck"][3:]
    d["draw_pile"][2].append(next(card for card in range(21, 57) if card not in cards_of(d)))
    d["draw_known"][2].append(0)


def cards_of(d: dict[str, Any]) -> set[int]:
    zones = [cards for key in ("hand", "draw_pile", "discard", "played", "idle") for cards in d[key]]
    return {card for cards in [*zones, d["display"], d["removed"], d["dev_deck"]] for card in cards}


# A fact -> (the edit, the seats whose text tells it).
FACTS: dict[str, tuple[Edit, set[int]]] = {
    "hand against draw pile, seat 1": (swap_hand_and_pile(1), {1}),
    "hand against draw pile, seat 2": (swap_hand_and_pile(2), {2}),
    "order of a draw pile": (reversed_list("draw_pile", 1), set()),
    "order of the development deck": (late_deck, set()),
    "order of the tile stack": (reversed_list("tile_stack"), set()),
    "order of the creature pile": (reversed_list("creature_pile"), set()),
    "who knows a card in a hand": (set_to(("hand_known", 1), [3, 2]), {0}),
    "a known place in a draw pile": (set_to(("draw_known", 1, 0), 2), {1}),
    "a known place for two": (set_to(("draw_known", 1, 0), 6), {1, 2}),
    "a known tile of the stack": (set_to(("tile_known", 3), 4), {2}),
    "fame": (set_to(("fame", 2), 8), EVERYBODY),
    "resources": (set_to(("resources", 1, 1), 2), EVERYBODY),
    "units": (set_to(("units", 0), [0, 0, 4]), EVERYBODY),
    "Kaija": (set_to(("kaija",), 10), EVERYBODY),
    "token": (set_to(("token",), 4), EVERYBODY),
    "passed": (set_to(("passed", 2), False), EVERYBODY),
    "taken": (foreseen, EVERYBODY),
    "conquer": (set_to(("conquer", 1), True), EVERYBODY),
    "Kaija free": (set_to(("kaija_free", 0), True), EVERYBODY),
    "marker": (set_to(("marker",), 1), EVERYBODY),
    "year": (a_year_later, EVERYBODY),
    "rolls": (set_to(("last_rolls",), [2, 3]), EVERYBODY),
    "building": (set_to(("buildings", 0), [4, 2], (("supply", 0), 7), (("supply", 2), 6)), EVERYBODY),
    "main card used": (set_to(("main_used",), True), EVERYBODY),
    "discarded or played": (set_to(("discard", 1), [2], (("played", 1), [1])), EVERYBODY),
    "played or active": (set_to(("played", 1), [], (("idle", 1), [2])), EVERYBODY),
    "creature": (set_to(("creatures", 0), [5, 0]), EVERYBODY),
}  # fmt: skip


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-02", "NORTH-INFO-03", "NORTH-INFO-04", "NORTH-INFO-05", "NORTH-INFO-06")
@pytest.mark.parametrize("fact", FACTS)
def test_the_text_tells_each_fact_to_those_who_know_it(fact: str) -> None:
    edit, knows = FACTS[fact]
    before = middle()
    if fact == "main card used":
        before |= {"decision": "CONT", "resolved": True}
    after = copy.deepcopy(before)
    edit(after)
    assert after != before
    told = {p for p, (a, b) in enumerate(zip(texts(load(before)), texts(load(after)), strict=True)) if a != b}
    assert told == knows


def test_the_position_of_the_facts_is_one_of_a_game() -> None:
    assert load(middle()).to_dict() == middle()


@pytest.mark.rule("NORTH-INFO-05", "NORTH-INFO-06", "NORTH-INFO-07")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_what_a_seat_cannot_know_does_not_change_its_text(options: dict[str, Any]) -> None:
    rng, compared = Random(8), 0
    for table in some(6, 15 * options["num_players"], **options):
        for viewer in range(options["num_players"]):
            other = twin(table, viewer, rng)
            if other is None or other.to_dict() == table.to_dict():
                continue
            assert other.words(viewer) == table.words(viewer)
            compared += 1
    assert compared > 10


@pytest.mark.rule("NORTH-ACT-02")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_the_legal_actions_stand_in_the_text_of_the_seat_asked_alone(options: dict[str, Any]) -> None:
    for table in some(2, 19, **options):
        names = [f"  {action_text(table.rules, action)}" for action in table.legal()]
        for seat in range(options["num_players"]):
            text = table.words(seat)
            listed = text.split("Your legal actions:\n")[1].split("\n\n")[0].split("\n") if "Your legal" in text else []
            assert listed == (names if seat == table.record.player else [])


@pytest.mark.rule("NORTH-ACT-02", "NORTH-EXPL-08", "NORTH-TILE-03")
def test_choices_say_which_tile_cell_seat_and_card_is_meant() -> None:
    seen = set()
    for table in walk(7, **WALKS[1]):
        state = table.record
        for action in table.legal():
            kind, offset = ACTIONS.locate(action)
            told = choice_text(table.rules, state, action)
            seen.add(kind)
            if kind == "PICK":
                tiles = state.tile_hand[state.turn] if table.decision == "SETUP_TILE" else state.drawn_tile
                printed = next(
                    line for line in table.words(int(state.turn)).split("\n") if f"t{tiles[offset]} as" in line
                )
                assert told == f"tile t{tiles[offset]}, " + printed.split(": ", 1)[1]
            elif kind == "CELL":
                laid = offset // 4
                assert told.startswith(f"{'NESW'[offset % 4]} of t{state.tile_id[laid]} at x {state.tile_x[laid]} ")
                assert f"laid tile #{laid})" in action_text(table.rules, action)
            elif kind == "PLAYER":
                assert told == f"seat {(state.turn + offset + 1) % 3}"
            else:
                assert bool(told) == (kind == "CARD") and (not told or told in card_words(table.rules, offset))
        if {"PICK", "CELL", "CARD"} <= seen and state.year > 1:
            break
    assert {"PICK", "CELL", "CARD"} <= seen


def test_the_teams_are_told_and_the_first_decks_are_not_shuffled_from_a_discard_pile() -> None:
    table = next(table for table in walk(5, **WALKS[2]) if table.decision == "MENU")
    assert "Teams: seats 0 (a) and 2 (c) against seats 1 (b) and 3 (d)" in table.text()
    assert "Teams:" not in next(walk(5, **WALKS[0])).text()
    told = nm.load("northgard", clan_selection="random").new_initial_state(seed=5).information_state(0)
    assert "takes the first-player marker" in told and "shuffles" not in told


@pytest.mark.rule("NORTH-INFO-08")
def test_a_reaction_is_told_to_nobody_else() -> None:
    d = middle()
    d |= {"hand": [[4], [0, 26], [22, 85]], "hand_known": [[1], [2, 2], [4, 4]], "played": [[9], [2], []]}
    d |= {"decision": "REACT", "player": 1, "frames": [{"frame": "CARD", "card": 9}], "removed": []}
    table = load(development(d))
    for seat in (0, 2):
        assert "Waiting for seat 0." in table.words(seat)
        assert "REACT" not in table.words(seat)
    assert "It is your decision (REACT)" in table.words(1)


@pytest.mark.rule("NORTH-CARD-03", "NORTH-FX-00")
def test_the_words_of_a_card_tell_every_number_of_its_row() -> None:
    """Two rows with different numbers have different words, so nothing that matters is left out."""
    rules = Table().rules.copy()
    words = [card_words(rules, card) for card in range(CARDS)]
    assert all(text.startswith(f"{card_name(rules, card)} [{card}]: ") for card, text in enumerate(words))
    columns = ("op", "a", "b", "c", "d", "fl")
    rows = [tuple(int(rules[f"card_{name}"][card]) for name in columns) for card in range(CARDS)]
    effect: dict[tuple[int, ...], str] = {}
    for card, row in enumerate(rows):
        if row[0] != Op.NONE:
            text = words[card].split("]: ")[1].split("; Flash")[0].split("; fame")[0]
            assert effect.setdefault(row, text) == text
    assert len(set(effect.values())) == len(effect)


def test_words_of_some_cards() -> None:
    rules = Table().rules
    assert card_words(rules, 40) == "Greater Trade Routes [40]: draw 3 cards, keep 2, put 1 on the pile"
    assert card_words(rules, 82) == "Wolf Clan [82]: move 1; rough borders cost one move; Flash"
    worth = "fame at the end, in own territories: 1 for each small building and 3 for each large building"
    assert card_words(rules, 57) == f"Builder [57]: {worth}"
    assert card_words(rules, 85) == "Unrest [85]: -5 fame at the end"
