"""Observations hold exactly the facts of the ledger's section 5 (NORTH-INFO)."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from northgard_decoded_view import comparable, decoded_view
from northgard_referee import DEFAULT_OPTIONS, Referee
from northgard_referee_disturbed import disturbed_game
from northgard_referee_information import view
from northgard_referee_positions import TABLES, Seeded
from northgard_scenes import Play, do, load, scene
from northgard_seats import CONFIGURATIONS, blocks, choose, look, some, walk
from northgard_secrets import BOAR, FIELD, POSITIONS, small, table

from northmen_env.engine.events import EVENTS
from northmen_env.games.northgard.actions import (
    ACTIONS,
    CARD,
    CELL,
    DONE,
    FEATURE_COLUMNS,
    PICK,
    TERR,
    YES,
    Event,
    action_features,
)
from northmen_env.games.northgard.blocks import OBSERVATION
from northmen_env.games.northgard.rules import step
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import build_rules

EVERYBODY = {0, 1, 2}


def edited(play: Play, change: Callable[[Any], Any]) -> Play:
    """Return a copy with a changed record."""
    other = play.copy()
    change(other.record)
    return other


def seers(one: Play, other: Play) -> set[int]:
    """Return the seats that can tell the two states apart."""
    return {p for p in range(int(one.rules.num_players)) if not np.array_equal(look(one, p), look(other, p))}


@cache
def crowded(seed: int, n: int = 3, **options: Any) -> Play:
    """Return a position with a grown map, armies, buildings and creatures, at MENU."""
    given = {**DEFAULT_OPTIONS, "num_players": n, "clan_selection": "random", **options}
    judge = disturbed_game(lambda: Referee(given, TABLES, Seeded(seed)), seed, Referee, lambda: Seeded(seed))
    return load(judge.to_dict())


# ---- Everything, at every decision ----------------------------------------------------------------------------------


def assert_tells_all(play: Play) -> None:
    """The observation of every seat decodes to what the referee lets it know."""
    d = play.to_dict()
    for p in range(d["num_players"]):
        assert decoded_view(OBSERVATION, look(play, p), p) == comparable(view(d, p, TABLES))


@pytest.mark.rule(
    "NORTH-INFO-01", "NORTH-INFO-02", "NORTH-INFO-03", "NORTH-INFO-04", "NORTH-INFO-06", "NORTH-INFO-07",
    "NORTH-INFO-09", "NORTH-ACT-02",
)  # fmt: skip
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_an_observation_decodes_to_what_the_referee_lets_its_seat_know(options: dict[str, Any]) -> None:
    seen: Counter[int] = Counter()
    for seed in (1, 2):
        for play in walk(seed, **options):
            seen[int(play.record.decision)] += 1
            if seen[int(play.record.decision)] <= 5:
                assert_tells_all(play)
    assert len(seen) > 25


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-07", "NORTH-INFO-08")
@pytest.mark.parametrize("name", POSITIONS)
def test_small_positions_are_told(name: str) -> None:
    assert_tells_all(POSITIONS[name]()[0])


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-04")
@pytest.mark.parametrize("seed", range(6))
def test_crowded_positions_are_told(seed: int) -> None:
    play, rng = crowded(seed, creatures=seed % 2 == 0).copy(), Random(seed)
    for _ in range(60):
        assert_tells_all(play)
        if play.over():
            return
        step(play.rules, play.record, choose(play, rng))


def test_an_observation_has_one_length_for_all_configurations() -> None:
    assert OBSERVATION.size <= 4000
    for options in CONFIGURATIONS:
        for play in some(4, 60, **options):
            for p in range(options["num_players"]):
                assert not (look(play, p) == 9).any()  # written whole


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_values_are_integers_times_the_scale_and_within_one(options: dict[str, Any]) -> None:
    for play in some(4, 23, **options):
        observation = look(play, 0)
        assert observation.dtype == np.float32
        assert np.abs(observation).max() <= 1
        for block, whole in zip(OBSERVATION.blocks, OBSERVATION.decode(observation).values(), strict=True):
            values = whole.astype(np.float32) * np.float32(block.scale)
            assert np.array_equal(observation[block.slice], values.reshape(-1)), block.name


LARGEST = {
    "year": 10, "resources": 9999, "fame": 9999, "on_map": 14, "unrest": 10, "extent": 35, "yields": 100, "spaces": 100,
    "units": 14, "left": 99, "keep": 99, "top": 99, "owed": 99, "num": 14, "food_a": 15, "food_d": 15, "roll_a": 5,
    "roll_d": 5, "swaps": 99, "room": 99, "rolls": 24, "rolled": 5,
}  # fmt: skip


def test_the_largest_numbers_stay_within_one() -> None:
    def raise_all(r: Any) -> None:
        for field, value in LARGEST.items():
            r[field] = value
        r.depth, r.frame_kind[:2] = 2, (Frame.RECRUIT, Frame.COMBAT)
        r.frame_row[:2], r.fight_at = 84, 0

    play = edited(crowded(1), raise_all)
    for p in range(3):
        assert np.abs(look(play, p)).max() == 1
        whole = blocks(play, p)
        assert (whole["resources"][0] == 128).all()
        assert whole["fame"][0] == 512
        assert whole["terr_yields"].max() == whole["terr_free"].max() == whole["terr_mark"].max() == 32
        assert (whole["left"] == 16).all()
    assert blocks(edited(play, lambda r: r.fame.__setitem__(0, -9999)), 0)["fame"][0] == -512


# ---- Relative seats -------------------------------------------------------------------------------------------------

BY_SEAT = (
    "passed taken kaija_free conquer resources fame clan upgrades hand hand_known draw_pile draw_known discard played "
    "idle tile_hands"
).split()


def turned(d: dict[str, Any]) -> dict[str, Any]:
    """Return the same state with every seat one place further clockwise."""
    n, new = d["num_players"], copy.deepcopy(d)

    def seat(q: int | None) -> int | None:
        return None if q is None else (q + 1) % n

    def masks(values: list[int]) -> list[int]:
        return [sum(1 << (q + 1) % n for q in range(n) if mask >> q & 1) for mask in values]

    for key in BY_SEAT:
        new[key] = [new[key][(p - 1) % n] for p in range(n)]
    for key in ("hand_known", "draw_known"):
        new[key] = [masks(values) for values in new[key]]
    for p in range(n):
        pairs = sorted(zip(new["hand"][p], new["hand_known"][p], strict=True))
        new["hand_known"][p] = [mask for _, mask in pairs]
    new["tile_known"] = masks(d["tile_known"])
    new["units"] = sorted([t, seat(p), k] for t, p, k in d["units"])
    for key in ("player", "turn", "marker"):
        new[key] = seat(d[key])
    for frame in new["frames"]:
        for key in ("who", "victim", "payer", "attacker", "defender", "loser", *(["to"] if "payer" in frame else [])):
            if key in frame:
                frame[key] = seat(frame[key])
        if "drawn_known" in frame:
            frame["drawn_known"] = masks(frame["drawn_known"])
    return new


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_seats_are_relative_to_the_observer(options: dict[str, Any]) -> None:
    for play in some(5, 37, **options):
        if play.record.decision != Decision.CLAN:
            other = load(turned(play.to_dict()))
            for p in range(options["num_players"]):
                assert np.array_equal(look(play, p), look(other, (p + 1) % options["num_players"]))


# ---- For each fact, two states that differ in it alone --------------------------------------------------------------


def put(field: str, where: Any, value: Any) -> Callable[[Any], None]:
    def change(r: Any) -> None:
        r[field][where] = value(r[field][where]) if callable(value) else value

    return change


def set_to(field: str, value: Any) -> Callable[[Any], None]:
    def change(r: Any) -> None:
        r[field] = value(r[field]) if callable(value) else value

    return change


def to_the_pile(r: Any) -> None:
    """Seat 1 has its last hand card on its draw pile instead."""
    hand, pile = int(r.hand_size[1]) - 1, int(r.pile_size[1])
    r.pile[1, pile], r.pile_known[1, pile] = r.hand[1, hand], 0
    r.hand[1, hand] = r.hand_known[1, hand] = 0
    r.hand_size[1], r.pile_size[1] = hand, pile + 1


def to_a_face_up_place(name: str) -> Callable[[Any], None]:
    """Seat 1 has its first hand card in another place instead of the clan's second upgrade."""

    def change(r: Any) -> None:
        size = int(r[f"{name}_size"][1])
        r[name][1, size], r[f"{name}_size"][1] = 69, size + 1

    return change


def a_land(r: Any) -> int:
    """Return a territory of seat 1."""
    words = [int(word) for word in r.owned[1]]
    bits = words[0] | words[1] << 61
    return (bits & -bits).bit_length() - 1


PUBLIC = {
    "decision": set_to("decision", Decision.CONT),
    "acting seat": set_to("player", lambda x: (x + 1) % 3),
    "phase": set_to("phase", 4),
    "turn": set_to("turn", lambda x: (x + 1) % 3),
    "marker": set_to("marker", lambda x: (x + 1) % 3),
    "year": set_to("year", lambda x: x - 1),
    "round of setup": set_to("setup_round", 1),
    "main card used": set_to("main_used", 1),
    "card resolved": set_to("resolved", 1),
    **{name: put(name, 1, lambda x: 1 - x) for name in ("passed", "taken", "kaija_free", "conquer")},
    "clan": put("clan", 1, lambda x: (x + 1) % 7),
    "resources": put("resources", (1, 2), lambda x: x + 1),
    "fame": put("fame", 1, lambda x: x - 99),
    "units on the map": put("on_map", 1, lambda x: (x + 1) % 15),
    "size of hand and pile": to_the_pile,
    "discard pile": to_a_face_up_place("discard"),
    "played cards": to_a_face_up_place("played"),
    "waiting cards": to_a_face_up_place("idle"),
    "upgrades": put("upgrades", 1, lambda x: x ^ 2),
    "removed cards": put("removed", 4, 2),
    "removed development cards": put("removed", 30, lambda x: 1 - x),
    "display": lambda r: (put("display", 0, 55)(r), set_to("display_size", 1)(r)),
    "achievements": lambda r: (put("achievements", 0, 59)(r), set_to("achievements_size", 1)(r)),
    "development deck": set_to("deck_size", lambda x: x + 1),
    "Unrest": set_to("unrest", lambda x: x - 1),
    "supply": put("supply", 3, lambda x: (x + 1) % 8),
    "a placed tile": put("tile_id", 2, lambda x: x + 1),
    "its cell": put("tile_x", 2, 20),
    "its rotation": put("tile_turn", 2, lambda x: (x + 1) % 4),
    "a joined area": put("root", 6, 0),
    "stack size": set_to("stack_size", lambda x: x - 1),
    "units": lambda r: put("units", (a_land(r), 1), lambda x: x % 14 + 1)(r),
    "open": lambda r: put("open_land", 0, lambda x: x ^ 1)(r),
    "size": put("extent", 0, lambda x: x + 1),
    "yields": put("yields", (0, 1), lambda x: x + 1),
    "free spaces": put("spaces", (0, 2), lambda x: x + 1),
    "lairs": put("lairs", 0, lambda x: x ^ 1),
    "Kaija": set_to("kaija", lambda x: 0 if x else 1),
    "the token": set_to("token", lambda x: 0 if x else 1),
    "dice": lambda r: (set_to("rolls", 1)(r), put("rolled", 0, 3)(r)),
    "creature": lambda r: put("creature_at", int(r.line[0]), lambda x: 0 if x else 1)(r),
    "creature line": lambda r: r.line.__setitem__(slice(0, 2), r.line[[1, 0]]),
    "creature discard": set_to("creature_discard", lambda x: x ^ 1),
    "creature top": set_to("creature_top", lambda x: x + 1),
}


@cache
def middle() -> Play:
    """Return a crowded position with two creatures on the map and cards in every hand."""
    for seed in range(40):
        play = crowded(seed, creatures=True)
        r = play.record
        if r.line_size > 1 and r.hand_size[1] > 1 and r.pile_size[1] > 1 and r.owned[1].any() and r.stack_size > 2:
            return play
    raise AssertionError("no such position")


@pytest.mark.rule("NORTH-INFO-01", "NORTH-INFO-03", "NORTH-INFO-07")
@pytest.mark.parametrize("fact", PUBLIC)
def test_public_facts_are_seen_by_all(fact: str) -> None:
    assert seers(middle(), edited(middle(), PUBLIC[fact])) == EVERYBODY


@pytest.mark.rule("NORTH-INFO-01", "NORTH-BUILD-06")
def test_buildings_are_seen_by_all() -> None:
    play = table([0], [], buildings=[[4, 6]], spaceless=[[1, 2, 1]])
    for change in (put("built", slice(None), 0), put("buildings", (1, 2), 2)):
        moved = edited(play, lambda r, change=change: (change(r), set_to("supply", 5)(r)))
        assert seers(edited(play, set_to("supply", 5)), moved) == {0, 1}
    whole = blocks(play, 1)
    assert whole["buildings"][6].tolist() == [5, 0, 0, 0, 0, 0, 0]
    assert whole["buildings"][2].tolist() == [-2, 0, 0, 0, 0, 0, 0]
    assert whole["terr_defence"].sum() == 1


CONTEXT: list[tuple[Frame, str, Any]] = [
    (Frame.PASS, "creature", 3), (Frame.CREATURES, "creature", 3), (Frame.CREATURES, "awake", 511),
    (Frame.HARVEST, "swap_give", 1), (Frame.HARVEST, "swap_take", 2), (Frame.HARVEST, "swaps", 2),
    (Frame.HARVEST, "swaps_over", 1), (Frame.SECOND, "second_placed", 1), (Frame.SECOND, "cell", 9),
    (Frame.SECOND, "place", 1), (Frame.CARD, "card", 9), (Frame.COPY, "copy_who", 1), (Frame.CHOOSE, "chosen", 2),
    (Frame.RECRUIT, "left", 2), (Frame.RECRUIT, "room", 1), (Frame.RECRUIT, "recruited", 1),
    (Frame.RECRUIT, "recruit_kaija", 1), (Frame.MOVE, "src", 0), (Frame.MOVE, "dst", 0), (Frame.MOVE, "num", 3),
    (Frame.MOVE, "due_size", 1), (Frame.EXPLORE, "redrawn", 1), (Frame.EXPLORE, "cell", 5),
    (Frame.BUILD, "large_built", 1), (Frame.BUILD, "gathered", 1), (Frame.BUILD, "build_type", 4),
    (Frame.BUILD, "build_old", 4), (Frame.DRAW, "keep", 1), (Frame.DRAW, "top", 1), (Frame.STRIKE, "struck", 1),
    (Frame.HAND, "victim", 1), (Frame.HAND, "attacked", 1), (Frame.PAY, "payer", 1), (Frame.PAY, "owed", 2),
    (Frame.PAY, "paid_last", 1), (Frame.PAY, "paid_to", 1), (Frame.COMBAT, "fight_at", 0),
    (Frame.COMBAT, "attacker", 1), (Frame.COMBAT, "defender", 1), (Frame.COMBAT, "foe", 4), (Frame.COMBAT, "food_a", 2),
    (Frame.COMBAT, "food_d", 2), (Frame.COMBAT, "roll_a", 0), (Frame.COMBAT, "roll_d", 0), (Frame.COMBAT, "face_a", 1),
    (Frame.COMBAT, "face_d", 1), (Frame.COMBAT, "either", 1), (Frame.COMBAT, "loser", 1),
    (Frame.COMBAT, "retreat_to", 0), (Frame.COPY, "frame_row", 50), (Frame.MOVE, "frame_row", 30),
    (Frame.COMBAT, "frame_row", 30),
]  # fmt: skip


def running(frame: Frame) -> Play:
    """Return the position with one operation running, as if the seat after the turn player looked on."""

    def begin(r: Any) -> None:
        r.depth, r.frame_kind[0], r.turn = 1, frame, 0
        r.frame_row[0] = 9 if frame in range(Frame.COPY, Frame.PAY) or frame == Frame.COMBAT else -1
        r.due_place[0] = 0

    return edited(middle(), begin)


@pytest.mark.rule("NORTH-INFO-01", "NORTH-ACT-02", "NORTH-PH-09")
@pytest.mark.parametrize(("frame", "field", "value"), CONTEXT, ids=lambda x: getattr(x, "name", str(x)))
def test_running_operations_are_seen_by_all(frame: Frame, field: str, value: Any) -> None:
    play = running(frame)
    change = put(field, 0, value) if play.record[field].shape else set_to(field, value)
    assert seers(play, edited(play, change)) == EVERYBODY
    assert seers(play, middle()) == EVERYBODY


SECRET: list[tuple[Frame, str, set[int]]] = [
    (Frame.SETUP, "tile", {0}), (Frame.SECOND, "tile", {0}), (Frame.EXPLORE, "tile", {0}),
    (Frame.EXPLORE, "drawn_tile", {0}), (Frame.UPGRADE, "card", {0}), (Frame.DRAW, "last", {0}),
    (Frame.HAND, "named", {1}),
]  # fmt: skip


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-08")
@pytest.mark.parametrize(("frame", "field", "knows"), SECRET, ids=lambda x: getattr(x, "name", str(x)))
def test_what_is_chosen_in_secret_is_seen_by_its_owner_alone(frame: Frame, field: str, knows: set[int]) -> None:
    def with_value(value: int) -> Play:
        play = running(frame)
        play.record.victim = 1
        play.record.frame_row[0] = 27 if frame == Frame.HAND else play.record.frame_row[0]
        (put(field, 0, value) if play.record[field].shape else set_to(field, value))(play.record)
        return play

    assert seers(with_value(6), with_value(7)) == knows


@pytest.mark.rule("NORTH-INFO-08")
def test_who_sees_a_hand_sees_which_of_its_cards_is_named() -> None:
    play, _, _, _ = small("names a card")
    assert seers(play, edited(play, set_to("named", 0))) == {0, 1}
    assert seers(play, edited(play, set_to("named", -1))) == EVERYBODY


# ---- Cards and tiles that lie hidden --------------------------------------------------------------------------------


def swapped(r: Any, p: int, place: int) -> None:
    """Exchange the first hand card of a seat for a card of its draw pile; the masks stay."""
    i = int(r.pile_size[p]) - 1 - place
    r.hand[p, 0], r.pile[p, i] = int(r.pile[p, i]), int(r.hand[p, 0])
    order = np.argsort(r.hand[p, : int(r.hand_size[p])], kind="stable")
    r.hand[p, : len(order)] = r.hand[p, : len(order)][order]


def three(**given: Any) -> Play:
    """Return three seats; seat 0 has a hand of two and a draw pile of five cards."""
    units = {0: {1: 3}, 1: {8: 3}, 2: {0: 3}}
    hands = {0: [0, 4], 1: BOAR, 2: [0, 1, 2, 3, 4, 4, 73]}
    return scene(FIELD, units, hands, 3, **given)


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-04", "NORTH-INFO-05")
def test_hands_are_seen_by_their_owner_and_orders_by_nobody() -> None:
    play = three()
    assert seers(play, edited(play, lambda r: swapped(r, 0, 2))) == {0}
    assert (
        seers(play, edited(play, lambda r: r.pile.__setitem__((0, slice(0, 5)), r.pile[0, :5][::-1].copy()))) == set()
    )
    assert seers(play, edited(play, lambda r: r.stack.__setitem__(slice(0, 9), r.stack[:9][::-1].copy()))) == set()
    assert seers(play, edited(play, lambda r: r.deck.__setitem__(slice(0, 9), r.deck[:9][::-1].copy()))) == set()
    assert seers(play, edited(play, put("deck", 0, lambda x: 56 if x != 56 else 55))) == set()
    assert seers(play, edited(play, set_to("seed", 99))) == set()
    assert seers(play, edited(play, set_to("shuffles", 5))) == set()


@pytest.mark.rule("NORTH-INFO-06", "NORTH-INFO-07")
@pytest.mark.parametrize(("mask", "knows"), [(0, set()), (1, {0}), (2, {1}), (6, {1, 2}), (7, {0, 1, 2})])
def test_a_place_of_a_draw_pile_is_seen_by_the_seats_of_its_mask(mask: int, knows: set[int]) -> None:
    play = three(draw_known=[[mask, 0, 0, 0, 0], [], []])

    def exchange(r: Any) -> None:
        r.pile[0, 4], r.pile[0, 1] = int(r.pile[0, 1]), int(r.pile[0, 4])

    assert seers(play, edited(play, exchange)) == knows


@pytest.mark.rule("NORTH-INFO-06", "NORTH-INFO-07")
@pytest.mark.parametrize(("mask", "knows"), [(1, {0}), (3, {0, 1}), (5, {0, 2}), (7, {0, 1, 2})])
def test_a_card_of_a_hand_is_seen_by_the_seats_of_its_mask(mask: int, knows: set[int]) -> None:
    play = edited(three(), put("hand_known", (0, slice(0, 2)), mask))
    assert seers(play, edited(play, lambda r: swapped(r, 0, 2))) == knows


@pytest.mark.rule("NORTH-INFO-06")
@pytest.mark.parametrize(("mask", "knows"), [(0, set()), (4, {2}), (7, {0, 1, 2})])
def test_a_place_of_the_tile_stack_is_seen_by_the_seats_of_its_mask(mask: int, knows: set[int]) -> None:
    play = edited(three(), put("stack_known", 0, mask))
    assert seers(play, edited(play, lambda r: r.stack.__setitem__(slice(0, 2), r.stack[[1, 0]]))) == knows


@pytest.mark.rule("NORTH-INFO-02", "NORTH-SETUP-12")
def test_setup_tiles_are_seen_by_their_holder_alone() -> None:
    play = Play(num_players=3, clan_selection="random").start(3)
    for p in range(3):

        def exchange(r: Any, p: int = p) -> None:
            r.tile_hand[p, 2], r.stack[0] = int(r.stack[0]), int(r.tile_hand[p, 2])

        assert seers(play, edited(play, exchange)) == {p}
    assert blocks(play, play.player)["held_id"][:3].tolist() == (play.record.tile_hand[play.player] + 1).tolist()


@pytest.mark.rule("NORTH-INFO-07", "NORTH-INFO-05")
def test_of_the_creature_pile_only_the_set_is_seen() -> None:
    play = three(options={"creatures": True}, creature_pile=[0, 3, 7, 5, 8], creature_discard=[1, 2, 4, 6])
    size = int(play.record.creature_pile_size)
    other = edited(play, lambda r: r.creature_pile.__setitem__(slice(0, size), r.creature_pile[:size][::-1].copy()))
    assert seers(play, other) == set()
    assert seers(play, edited(play, put("creature_pile", 0, int(play.record.creature_pile[1])))) == EVERYBODY


@pytest.mark.rule("NORTH-INFO-06", "NORTH-INFO-07")
def test_a_card_of_a_running_draw_is_seen_by_its_owner_and_who_knew_its_place() -> None:
    play = table([36, 4], [0, 1], "MENU: PLAY; PLAY_CARD: CARD 36", draw_known=[[3, 0, 0, 0], []])
    d = play.to_dict()
    known = d["frames"][-1]["drawn"][d["frames"][-1]["drawn_known"].index(3)]
    assert blocks(play, 1)["drawn"][:2].tolist() == [known + 1, 0]
    assert blocks(play, 0)["drawn"][:3].tolist() == [card + 1 for card in d["frames"][-1]["drawn"]]


# ---- Choices --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-06")
@pytest.mark.parametrize("name", ["keeps", "puts back", "picks a tile", "settles"])
def test_what_is_kept_or_picked_is_seen_by_its_owner_alone(name: str) -> None:
    play, other, _, _ = small(name)
    hidden = [OBSERVATION[block].slice for block in ("hand", "pile", "drawn", "held_id", "last")]
    first, second = (play.copy().step(action) for action in play.legal()[:2])
    if first.decision != second.decision or first.player != second.player:  # the next decision is public
        assert all(np.array_equal(look(first, other)[s], look(second, other)[s]) for s in hidden)
    else:
        assert other not in seers(first, second)
    assert play.player in seers(first, second)


# ---- REACT, a hidden prompt -----------------------------------------------------------------------------------------


def watched(hand: list[int], pile: list[int]) -> Play:
    """Return three seats with an event log, seat 1 having these cards; the public multiset is the same for all."""
    units = {0: {1: 3}, 1: {8: 3}, 2: {0: 3}}
    hands = {0: [0, 1, 4], 1: [4, 26], 2: [0, 1, 2, 3, 4, 4, 73]}
    d = scene(FIELD, units, hands, 3, discard=[[2, 3, 4, 70], [1, 2, 3, 4], []], clans=(2, 1, 3)).to_dict()
    d["hand"][1], d["draw_pile"][1] = hand, pile
    play = load(d)
    rules = build_rules(play.options)
    rules["history"] = 8
    play.rules = rules[0]
    return play


def received(play: Play, seat: int, actions: list[str]) -> list[Any]:
    """Return what a seat receives at its own decisions while these actions are taken; REACT is declined."""
    log = []
    for name in [*actions, ""]:
        while play.record.decision == Decision.REACT:
            play.step(DONE)
        if play.player == seat:
            log.append((look(play, seat), play.legal(), int(play.record.event_count[seat]),
                        play.record.event_rows[seat].copy()))  # fmt: skip
        if name:
            do(play, name)
    return log


@pytest.mark.rule("NORTH-INFO-08", "NORTH-TURN-09")
@pytest.mark.parametrize("seat", [0, 2])
def test_asked_and_declined_and_never_asked_give_equal_sequences(seat: int) -> None:
    holder, other = watched([4, 26], [0, 67]), watched([4, 67], [0, 26])
    assert holder.copy().player == other.player == 0
    asked = do(holder.copy(), "PLAY", "CARD 4")
    assert asked.decision == "REACT"
    actions = ["PLAY", "CARD 4", "ACT 1", "DONE", "WAIT", "CARD 4", "WAIT", "CARD 2", "WAIT", "CARD 1"]
    one, two = received(holder, seat, actions), received(other, seat, actions)
    assert len(one) == len(two) > 1
    for mine, theirs in zip(one, two, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


@pytest.mark.rule("NORTH-INFO-08")
def test_while_a_reaction_is_asked_the_others_see_no_decision() -> None:
    asked = do(watched([4, 26], [0, 67]), "PLAY", "CARD 4")
    never = edited(do(watched([4, 67], [0, 26]), "PLAY", "CARD 4"), lambda r: None)
    told = OBSERVATION["decision"], OBSERVATION["acting"]
    for seat in (0, 2):
        assert not any(look(asked, seat)[block.slice].any() for block in told)
    for block in told:
        assert look(asked, 1)[block.slice].sum() == 1
        assert look(never, 0)[block.slice].sum() == 1
    moved = edited(asked, set_to("player", 2))  # who is asked makes no difference to the actor
    assert np.array_equal(look(asked, 0), look(moved, 0))


PRIVATE_EVENTS = (Event.TILE, Event.DRAW, Event.UNDER, Event.KEEP, Event.ON_TOP)


@pytest.mark.rule("NORTH-INFO-02", "NORTH-INFO-06", "NORTH-INFO-08")
@pytest.mark.parametrize("options", CONFIGURATIONS[:2], ids=str)
def test_events_tell_cards_and_tiles_to_their_owner_alone(options: dict[str, Any]) -> None:
    play, rng = Play(**options), Random(6)
    rules = build_rules(play.options)
    rules["history"] = 64
    play.rules = rules[0]
    play.start(6)
    seen: Counter[int] = Counter()
    read = [0] * options["num_players"]
    while not play.over():
        for p, done in enumerate(read):
            for i in range(done, int(play.record.event_count[p])):
                code, seat, _, b = play.record.event_rows[p, i % EVENTS].tolist()
                seen[code] += 1
                assert code not in PRIVATE_EVENTS or seat == p
                assert code != Event.SEE or p in (seat, b)
            read[p] = int(play.record.event_count[p])
        step(play.rules, play.record, choose(play, rng))
    assert all(seen[code] for code in (Event.TILE, Event.DRAW, Event.DRAWS))


# ---- Actions name rows ----------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-ACT-01")
def test_actions_name_rows_of_the_observation() -> None:
    seen: Counter[str] = Counter()
    for options in CONFIGURATIONS:
        for play in some(11, 3, **options):
            whole = None if play.over() else blocks(play, play.player)
            for action in [] if whole is None else play.legal():
                kind, i = ACTIONS.locate(action)
                seen[kind] += 1
                if kind == "TERR":
                    assert whole["terr_size"].reshape(-1)[action - TERR] != 0
                elif kind == "CELL":
                    p, side = divmod(action - CELL, 4)
                    place = whole["tile_at"][p] + [(0, -1), (1, 0), (0, 1), (-1, 0)][side]
                    placed = whole["tile_at"][whole["tile_id"] > 0]
                    assert whole["tile_sides"][p, side] > 0
                    assert not (placed == place).all(1).any()
                elif kind == "PICK":
                    assert whole["held_id"][action - PICK] > 0
                elif play.decision in ("PLAY_CARD", "WAIT_CARD", "REMOVE_CARD", "UPG_CARD"):
                    assert whole["hand"][action - CARD] > 0
                elif kind == "YES":
                    assert action == YES
                assert i >= 0
    assert min(seen[kind] for kind in ("TERR", "CELL", "PICK", "CARD", "ROT", "NUM")) > 20


@pytest.mark.rule("NORTH-ACT-01")
def test_action_features_name_what_an_action_points_at() -> None:
    play = table([0], [])
    features = action_features(play.rules)
    column = {name: i for i, name in enumerate(FEATURE_COLUMNS)}
    assert features.shape == (ACTIONS.num_actions, len(FEATURE_COLUMNS))
    for first, names in ((TERR, "area_0 area_1 area_2 area_3"), (CELL, "side_n side_e side_s side_w")):
        for i in range(140):
            assert round(float(features[first + i, column["tile"]]) * 35) == i // 4
            told = [features[first + i, column[name]] for name in names.split()]
            assert told == [side == i % 4 for side in range(4)]
    for card in range(86):
        assert round(float(features[CARD + card, column["card"]]) * 86) == card
        assert features[CARD + card, column[f"op_{int(play.rules.card_op[card])}"]] == 1
    assert len(np.unique(features, axis=0)) == len(features)


def test_own_tiles_are_told_as_printed() -> None:
    play = Play(num_players=2, clan_selection="random").start(4)
    whole = blocks(play, play.player)
    for row, tile in enumerate(play.record.tile_hand[play.player].tolist()):
        printed = TABLES["tiles"][tile]
        assert whole["held_id"][row] == tile + 1
        assert (whole["held_sides"][row] - 1).tolist() == list(printed["sides"])
