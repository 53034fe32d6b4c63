"""State JSON (SAGA-TURN-07, -08) and the invariants that judge it (SAGA-EDGE-11, SAGA-DATA-02, -03)."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from positions import (
    ARABIA,
    BULGARIA,
    CUBE,
    DANES,
    HIRE,
    HOLD,
    ITALY,
    MAGYARS,
    NORMANS,
    PASS,
    POLAND,
    REGION,
    RUS,
    SAXONS,
    after,
    flat,
    game,
    load,
    play,
    position,
)

import northmen_env as nm
from northmen_env.engine import boundary
from northmen_env.games.saga.invariants import INVARIANTS, Broken
from northmen_env.games.saga.state import STATE

KEYS = """game num_players options round leader decision player hands piles slots draw_pile cubes heroes tokens group
reserve infamy hero_supply time_used plunder controller delayed route_deck routes_open routes_done routes_drawn card
march route_last held hold_last known_hand known_hand_prev held_count hand_before_hold not_held route_pos
route_known_holder""".split()

OPTIONS = [
    {},
    {"final_planning": True, "heroes_collect": True, "recall": "table", "reward": "win"},
    {"draw_after_last_token": True, "march_order": "free", "hero_needs_cube": False, "first_leader": "random"},
]


def games(**options):
    """Play a game by an arithmetic rule; yield every state."""
    state = game(**options).new_initial_state(seed=9)
    turn = 0
    yield state
    while not state.is_terminal():
        legal = state.legal_actions()
        turn += 1
        state.apply_action(legal[turn * 5 % len(legal)])
        yield state


# ---- To JSON and back -----------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-TURN-07", "SAGA-TURN-08", "SAGA-EDGE-11")
@pytest.mark.parametrize("n", (2, 3, 4))
@pytest.mark.parametrize("options", OPTIONS)
def test_every_state_survives_json_to_the_byte(n: int, options) -> None:
    decisions = set()
    for state in games(num_players=n, **options):
        d = state.to_dict()
        decisions.add(d["decision"])
        assert set(d) == set(KEYS)
        again = state.game.state_from_dict(json.loads(json.dumps(d)), seed=int(state.record.seed))
        assert again.record.tobytes() == state.record.tobytes()
        assert boundary.check(state.game.rules, state.array) == 0
    assert decisions >= {"PLAY", "HIRE", "DRAW", "CUBE", "HERO", "BUY", "KEEP", "HOLD", "END"}


def shape(value):
    """Return the types of a JSON value, lists of one type by that type alone."""
    if isinstance(value, list):
        return [shape(item) for item in value]
    return type(value)


@pytest.mark.rule("SAGA-TURN-08")
def test_the_values_have_the_ledgers_form() -> None:
    d = position(
        3, "CUBE", piles={1: [16, 22, 19]}, player=1, leader=2, cubes={MAGYARS: {1: 6}}, heroes={MAGYARS: {1: 2}},
        march={"kingdom": MAGYARS}, routes_open=[[3, 1], [], []], routes_done=[[], [7], []],
    )  # fmt: skip
    e = load(d).to_dict()
    assert e == d
    assert e["march"] == {"kingdom": 2, "pass": 1, "armies": 4, "fleets": 2, "land": 0, "sea": 0, "last": 0}
    assert (e["game"], e["num_players"], e["round"], e["leader"], e["decision"], e["player"]) == (
        "saga",
        3,
        1,
        2,
        "CUBE",
        1,
    )
    assert e["options"] == {
        "num_players": 3, "first_leader": 0, "final_planning": False, "draw_after_last_token": False,
        "hero_needs_cube": True, "heroes_collect": False, "march_order": "sorted", "recall": "full",
        "reward": "rank", "score_scale": 20, "data": "builtin",
    }  # fmt: skip
    assert len(e["cubes"]) == len(e["heroes"]) == 16 and e["cubes"][MAGYARS] == [0, 6, 0]
    assert e["controller"] == [None, None, 1, None, None, None, None] and e["delayed"] == [False] * 7
    assert e["time_used"] == [False] * 3 and e["routes_open"] == [[1, 3], [], []]
    assert e["route_pos"] == [[-1] * 20] * 3 and e["route_known_holder"] == [[None] * 20] * 3
    assert (e["card"], e["route_last"], e["held"], e["hold_last"], e["routes_drawn"]) == (None, -1, [], -1, [])
    assert shape(e) == shape(json.loads(json.dumps(e)))


@pytest.mark.rule("SAGA-TURN-08")
def test_contexts_stand_only_where_they_say_something() -> None:
    for n, options in ((2, OPTIONS[0]), (4, OPTIONS[2])):
        for state in games(num_players=n, **options):
            d = state.to_dict()
            what, march = d["decision"], d["march"]
            assert (d["card"] is not None) == (what in ("HIRE", "DRAW"))
            assert (march is not None) == (what in ("DELAY", "CUBE", "HERO"))
            if what in ("CUBE", "HERO"):
                assert set(march) == {"kingdom", "pass", "armies", "fleets", "land", "sea", "last"}
            if what == "DELAY":
                assert set(march) == {"kingdom", "pass"}
            assert what == "ROUTE" or d["route_last"] == -1
            assert what == "HOLD" or (d["held"], d["hold_last"]) == ([], -1)
            assert len(d["routes_drawn"]) == (2 if what == "KEEP" else 0)
            if what not in ("DELAY", "CUBE", "HERO", "ROUTE"):
                assert d["controller"] == [None] * 7 and d["delayed"] == [False] * 7


@pytest.mark.rule("SAGA-TURN-08")
def test_land_and_sea_stay_in_hero() -> None:
    d = position(
        decision="CUBE", piles={0: [16, 22, 19]}, cubes={MAGYARS: {0: 6}}, heroes={MAGYARS: {0: 1}},
        march={"kingdom": MAGYARS},
    )  # fmt: skip
    march = after(d, 118, 119, 119, 124)["march"]
    assert march == {"kingdom": 2, "pass": 1, "armies": 4, "fleets": 2, "land": 3, "sea": 2, "last": 0}


@pytest.mark.rule("SAGA-TURN-07", "SAGA-SETUP-08")
def test_a_state_from_json_plays_on_as_the_original_but_for_the_next_shuffle() -> None:
    state = game(num_players=3).new_initial_state(seed=4)
    other = state.game.state_from_dict(state.to_dict(), seed=4)
    for _ in range(150):
        action = state.legal_actions()[0]
        state.apply_action(action)
        other.apply_action(action)
        assert other.to_dict() == state.to_dict()
    assert state.to_dict()["round"] > 1


@pytest.mark.rule("SAGA-TURN-08", "SAGA-DATA-03")
def test_unused_parts_of_the_record_are_canonical() -> None:
    """Games that reach one position in two ways have equal bytes."""
    d = position(hands={0: [8, 15, 20, 21, 22, 23]}, infamy=[0, 0])
    one = play(d, 8, 112 + 3)
    other = load(one.to_dict())
    assert one.record.tobytes() == other.record.tobytes()
    absent = game(num_players=2).new_initial_state(seed=1).record
    for field in STATE.names:
        if absent[field].shape[:1] == (4,):
            assert not absent[field][2:].any(), field


# ---- What is refused ------------------------------------------------------------------------------------------------


def refused(d, match: str, n: int = 2, **options) -> None:
    g = game(num_players=n, **options)
    with pytest.raises(ValueError, match=match):
        g.state_from_dict(d)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_needed_and_checked(key: str) -> None:
    d = position()
    refused({k: v for k, v in d.items() if k != key}, f"missing: .*{key}")
    for nonsense in (object(), "x", 1.5, [[[]]], {"a": 1}, True, -2, 10**30):
        refused({**d, key: nonsense}, key)


def test_unknown_keys_and_foreign_objects_are_refused() -> None:
    d = position()
    refused({**d, "seed": 3}, "unknown: .*seed")
    refused({**d, "game": "blood"}, "saga")
    for foreign in (None, [], "state", 3):
        refused(foreign, "dict|object")
    refused({**d, "march": {"kingdom": 0}}, "march")


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("round", 0, "round"), ("round", 4, "round"), ("round", True, "round"), ("round", 1.0, "round"),
        ("leader", 2, "leader"), ("player", 2, "player"), ("decision", "NONE", "decision"), ("group", 16, "group"),
        ("slots", [None, 56, 1], r"slots\[1\]"), ("slots", [1, 2], "slots"), ("draw_pile", [3, 3], "twice"),
        ("hands", [[5, 4, 3, 2, 1, 0], []], "sorted"), ("hands", [[0, 0], []], "twice"), ("hands", [[0]], "hands"),
        ("piles", [[56], []], r"piles\[0\]\[0\]"), ("time_used", [0, 1], r"time_used\[0\]"),
        ("delayed", [None] * 7, "delayed"), ("controller", [2, *[None] * 6], r"controller\[0\]"),
        ("cubes", [[0, 0]] * 15, "cubes"), ("cubes", [[0, -1], *[[0, 0]] * 15], r"cubes\[0\]\[1\]"),
        ("heroes", [[0, 4], *[[0, 0]] * 15], r"heroes\[0\]\[1\]"), ("reserve", [31, 0], r"reserve\[0\]"),
        ("infamy", ["3", 3], r"infamy\[0\]"), ("routes_drawn", [1, 2, 3], "routes_drawn"), ("held", [57], "held"),
        ("route_pos", [[20, *[-1] * 19], [-1] * 20], r"route_pos\[0\]\[0\]"), ("hold_last", -2, "hold_last"),
        ("route_known_holder", [[2, *[None] * 19], [None] * 20], r"route_known_holder\[0\]\[0\]"),
    ],
)  # fmt: skip
def test_values_out_of_range_are_named(key: str, value, match: str) -> None:
    refused({**position(), key: value}, match)


def test_options_must_be_the_games() -> None:
    d = position(options={"march_order": "free"})
    refused(d, r"options\.march_order")
    refused({**d, "options": {**d["options"], "march_order": "sorted", "score_scale": True}}, "score_scale")
    refused({**position(), "num_players": 3}, "num_players")
    refused(position(3), r"options\.num_players")
    same = position()
    same["options"]["score_scale"] = 20.0  # the same number
    assert load(same).to_dict()["options"]["score_scale"] == 20
    refused({**position(), "options": {**same["options"], "final_planning": 0}}, "final_planning")


def changed(d, **more):
    return copy.deepcopy(d) | more


DRAWING = {"decision": "DRAW", "piles": {0: [26]}, "cubes": {SAXONS: {0: 2}}}
MOVING = {
    "decision": "CUBE", "piles": {0: [16, 22, 19], 1: [48]}, "cubes": {MAGYARS: {0: 6}, 6: {1: 2}},
    "heroes": {MAGYARS: {0: 2}}, "march": {"kingdom": MAGYARS},
}  # fmt: skip
VISIT = {
    "decision": "ROUTE",
    "cubes": {REGION + ARABIA: {0: 1}},
    "routes_open": [[3], []],
    "controller": [None, 0, *[None] * 5],
}
HELD = {"decision": "HOLD", "infamy": [5, 0], "hands": {0: [3, 10, 26]}, "held": [3], "hold_last": 3}
SECOND = {"in_round": 2}
SECOND_SEAT = {"decision": "HOLD", "player": 1, "infamy": [0, 1], "hands": {0: [3], 1: [4, 5]}, "piles": {0: [9]}}


def second_seat(**more):
    d = position(**{**SECOND_SEAT, **more})
    visible = [9, *d["slots"]]
    return changed(d, held_count=[1, 0], hand_before_hold=[2, 0], not_held=[sorted([3, 50, *visible]), list(range(56))],
                   draw_pile=[c for c in d["draw_pile"] if c != 50])  # fmt: skip


def impossible():
    """Pairs of the invariant that is broken and a position that breaks it."""
    p, m = position(), position(**MOVING)
    play_ = {"hands": {0: [26, 0, 1, 2, 3, 4]}}
    yield Broken.TURN, changed(p, player=None)
    yield Broken.TURN, changed(position(decision="END", player=None, in_round=3), round=2, plunder=[0, 30])
    yield Broken.TURN, position(decision="BUY", in_round=3)
    yield Broken.CUBES, changed(p, reserve=[26, 27])
    yield Broken.CUBES, changed(p, infamy=[4, 3])
    yield Broken.HEROES, changed(p, hero_supply=[3, 2])
    yield Broken.TOKENS, changed(p, plunder=[1, 0])
    yield Broken.TOKENS, changed(p, group=14)
    yield Broken.TOKENS, changed(p, round=2)
    yield Broken.HAND_SIZES, position(hands={0: [0, 1, 2, 3, 4, 5, 6]})
    yield Broken.HAND_SIZES, position(**DRAWING, hands={0: [0, 1, 2, 3, 4, 5]})
    yield Broken.CARDS, changed(p, draw_pile=p["draw_pile"][1:])
    yield Broken.CARDS, changed(p, slots=[0, *p["slots"][1:]])
    yield Broken.CARDS, changed(p, piles=[[p["draw_pile"][5]], []])
    yield Broken.CARDS, changed(second_seat(), held_count=[1, 0], hand_before_hold=[1, 0])
    yield Broken.SLOTS, position(slots=[None, 54, 55])
    yield Broken.ROUTES, changed(p, route_deck=p["route_deck"][:-1])
    yield Broken.ROUTES, changed(p, routes_open=[[0], [0]])
    yield Broken.ROUTES, changed(p, routes_open=[[0], []])
    yield Broken.ROUTES, position(routes_drawn=[4, 5])
    yield Broken.ROUTES, position(decision="KEEP", routes_drawn=[4])
    yield Broken.CARD, changed(position(**DRAWING), card=None)
    yield Broken.CARD, changed(position(**{**DRAWING, "piles": {0: [26, 27]}}), card=26)
    yield Broken.CARD, changed(p, card=p["draw_pile"][0])
    yield Broken.MARCH, changed(m, march=None)
    yield Broken.MARCH, changed(m, player=1)
    yield Broken.MARCH, changed(m, march={**m["march"], "pass": 2})
    yield Broken.MARCH, changed(m, march={**m["march"], "kingdom": RUS})
    yield Broken.MARCH, changed(p, march={"kingdom": 0, "pass": 1})
    yield Broken.SYMBOLS, changed(m, march={**m["march"], "armies": 5})
    yield Broken.SYMBOLS, changed(m, march={**m["march"], "fleets": 1})
    yield Broken.SYMBOLS, changed(m, march={**m["march"], "land": 1})
    yield Broken.SYMBOLS, changed(m, march={**m["march"], "last": 3})
    yield Broken.ROUTE_CONTEXT, changed(p, route_last=2)
    yield Broken.ROUTE_CONTEXT, position(**VISIT, route_last=1)
    yield Broken.HOLD_CONTEXT, changed(p, held=[0], hold_last=0)
    yield Broken.HOLD_CONTEXT, changed(position(**HELD), hold_last=10)
    yield Broken.HOLD_CONTEXT, changed(position(**HELD), held=[4], hold_last=4)
    yield Broken.HOLD_CONTEXT, changed(position(**HELD), held=[])
    yield Broken.GROUP, position(**play_, group=0)
    yield Broken.GROUP, position(**MOVING, group=3)
    yield Broken.CONTROL, changed(m, controller=[None, None, 0, *[None] * 4])
    yield Broken.CONTROL, changed(p, controller=[0, *[None] * 6])
    yield Broken.CONTROL, position(**{**MOVING, "piles": {0: [16, 22, 19], 1: [18]}, "cubes": {MAGYARS: {0: 6, 1: 1}}})
    yield Broken.DELAYS, changed(m, time_used=[True, False])
    yield Broken.DELAYS, changed(m, delayed=[*[False] * 6, True])
    yield Broken.DELAYS, changed(m, delayed=[*[False] * 6, True], time_used=[False, True])
    yield (
        Broken.KINGDOMS,
        position(**{**MOVING, "piles": {0: [16, 22, 19], 1: [0]}, "cubes": {MAGYARS: {0: 6}, 0: {1: 1}}}),
    )
    yield Broken.KINGDOMS, position(decision="BUY", piles={0: [0]}, cubes={NORMANS: {0: 1}})
    yield Broken.REGIONS, position(cubes={REGION + ITALY: {0: 1}})
    yield Broken.REGIONS, position(**{**VISIT, "cubes": {REGION + ARABIA: {0: 1, 1: 1}}})
    yield Broken.PLACED, position(cubes={NORMANS: {0: 1}})
    yield Broken.PLACED, position(heroes={NORMANS: {0: 1}})
    yield Broken.KNOWN_HANDS, changed(p, known_hand=[[55], []])
    yield Broken.FIRST_ROUND, changed(p, held_count=[1, 0])
    yield Broken.FIRST_ROUND, changed(p, not_held=[[], []])
    yield Broken.PLANNED, changed(position(**SECOND), held_count=[4, 0], hand_before_hold=[3, 6])
    yield Broken.PLANNED, changed(second_seat(), known_hand=[[3], []])
    yield Broken.PLANNED, changed(second_seat(), not_held=[[3, 9, 50], list(range(56))])
    second = position(**SECOND)
    yield Broken.HELD_CARDS, changed(second, held_count=[1, 0], not_held=[[], list(range(56))])
    yield Broken.HELD_CARDS, changed(second, held_count=[6, 0], known_hand_prev=[[55], []])
    yield Broken.ROUTE_POSITIONS, changed(p, route_pos=[[1, *[-1] * 19], [-1] * 20])
    yield Broken.ROUTE_HOLDERS, changed(p, route_known_holder=[[1, *[None] * 19], [None] * 20])
    yield Broken.OFFER, position(hands={0: [26]})
    yield Broken.OFFER, position(decision="HIRE", piles={0: [26]}, cubes={SAXONS: {0: 2}}, infamy=[2, 3])
    yield Broken.OFFER, position(decision="HIRE", piles={0: [26]})
    yield Broken.OFFER, position(decision="BUY", infamy=[2, 3])
    yield Broken.OFFER, position(decision="BUY", routes_open=[[*range(20)], []])
    yield Broken.OFFER, position(decision="HOLD", infamy=[0, 3])
    yield Broken.OFFER, position(**{**HELD, "held": [3, 26], "hold_last": 26})
    yield Broken.OFFER, position(**{**VISIT, "routes_open": [[4], []]})
    yield (
        Broken.OFFER,
        position(decision="DELAY", piles={0: [0]}, cubes={NORMANS: {0: 1}}, march={"kingdom": 0}, infamy=[4, 9]),
    )
    yield Broken.OFFER, position(decision="HOLD", hands={0: []})
    yield Broken.OFFER, position(
        decision="CUBE", piles={0: [32]}, cubes={DANES: {0: 1}, REGION + POLAND: {0: 2}},
        march={"kingdom": DANES, "land": 2, "last": POLAND},
    )  # fmt: skip
    yield Broken.OFFER, position(
        decision="HERO", piles={0: [32]}, heroes={DANES: {0: 1}, REGION + POLAND: {0: 1}},
        march={"kingdom": DANES, "last": POLAND},
    )  # fmt: skip


CASES = list(impossible())


@pytest.mark.rule("SAGA-EDGE-11", "SAGA-DATA-02", "SAGA-DATA-03", "SAGA-TURN-03")
@pytest.mark.parametrize("case", range(len(CASES)))
def test_an_impossible_position_is_refused_with_the_sentence_of_its_invariant(case: int) -> None:
    broken, d = CASES[case]
    with pytest.raises(ValueError) as error:
        load(d)
    assert INVARIANTS[broken] in str(error.value)


def test_each_invariant_has_a_sentence_and_a_case() -> None:
    only_in_bytes = {Broken.RANGES, Broken.ABSENT, Broken.EVENTS, Broken.CARD_LISTS, Broken.ROUTE_LISTS}
    assert set(INVARIANTS) == set(Broken) - {Broken.NONE}
    assert {broken for broken, _ in CASES} == set(INVARIANTS) - only_in_bytes


def test_a_refused_object_leaves_the_state_as_it_was() -> None:
    state = load(position(3, in_round=2), seed=3)
    before = state.record.tobytes()
    for d in (position(3, hands={0: [26]}), {**position(3), "group": 3}, {**position(3), "piles": 3}):
        with pytest.raises(ValueError):
            state.game.spec.from_dict(state.game.options, state.game.rules[0], d, state.record)
        assert state.record.tobytes() == before


@pytest.mark.rule("SAGA-EDGE-11")
def test_any_bytes_are_judged_without_harm() -> None:
    """Flipped bytes are refused by number, or are another sound state that can be played on."""
    state = play(position(3, decision="DRAW", piles={0: [26]}, cubes={SAXONS: {0: 2}}), 115)
    size, seed_bytes = STATE.itemsize, range(STATE.fields["seed"][1], STATE.fields["seed"][1] + 8)
    found = set()
    for at in range(size):
        if at in seed_bytes:
            continue
        for flip in (1, 128, 255):
            array = state.array.copy()
            array.view(np.uint8)[at] ^= flip
            found.add(int(boundary.check(state.game.rules, array)))
    assert found - {0} <= set(INVARIANTS)
    assert found >= {Broken.RANGES, Broken.ABSENT, Broken.EVENTS, Broken.CARD_LISTS, Broken.ROUTE_LISTS, Broken.CARDS}


@pytest.mark.rule("SAGA-EDGE-11", "SAGA-DATA-02", "SAGA-DATA-03")
@pytest.mark.parametrize("n", (2, 3, 4))
def test_the_ledgers_invariants_in_plain_words(n: int) -> None:
    for state in games(num_players=n, final_planning=True):
        d = state.to_dict()
        for p in range(n):
            assert d["reserve"][p] + d["infamy"][p] + sum(row[p] for row in d["cubes"]) == 30
            assert d["hero_supply"][p] + sum(row[p] for row in d["heroes"]) == 3
        assert sum(d["tokens"]) + sum(d["plunder"]) + d["group"] + 15 * (3 - d["round"]) == 45
        cards = [*flat(d["hands"] + d["piles"]), *d["draw_pile"], *(c for c in d["slots"] if c is not None)]
        assert len(cards) == len(set(cards))
        assert len(cards) == 56 or d["decision"] in ("BUY", "KEEP", "HOLD", "END")
        routes = [*d["route_deck"], *flat(d["routes_open"] + d["routes_done"]), *d["routes_drawn"]]
        assert sorted(routes) == list(range(20))
        assert state.is_terminal() or len(state.legal_actions()) >= 2


@pytest.mark.rule("SAGA-EDGE-11")
def test_a_position_built_by_hand_is_sound() -> None:
    for d in (position(), position(4), position(**MOVING), position(**VISIT), position(**HELD), second_seat(),
              position(**DRAWING), position(**SECOND)):  # fmt: skip
        assert load(d).to_dict() == d
    assert after(position(decision="HIRE", piles={0: [26]}, cubes={SAXONS: {0: 2}}), HIRE)["tokens"][BULGARIA] == 1
    assert after(position(**HELD), HOLD + 10, PASS)["round"] == 2
    assert after(position(**VISIT), PASS)["decision"] == "BUY"
    assert after(position(**MOVING), CUBE + BULGARIA)["march"]["last"] == BULGARIA


@pytest.mark.rule("SAGA-INFO-05", "SAGA-INFO-10")
def test_a_card_that_lay_open_was_not_in_another_hand() -> None:
    """NOTHELD[p] and KHprev[q] have no card in common: samples could not keep the law otherwise."""
    game = nm.load("saga", num_players=2)
    state = game.new_initial_state(seed=5)
    while state.record.round_number < 2:
        state.apply_action(state.legal_actions()[0])
    d = state.to_dict()
    known = d["not_held"][0][0]
    assert known not in d["known_hand_prev"][1]
    d["known_hand_prev"][1] = sorted({*d["known_hand_prev"][1], known})
    with pytest.raises(ValueError):
        game.state_from_dict(d)
