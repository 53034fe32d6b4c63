"""Observations hold exactly the facts of the ledger's section 5 (SAGA-INFO), read off the full state here once more."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from decoded_view import decoded_view
from positions import COMPLETE, HOLD, PASS, game, load, play, position

from northmen_env.games.saga.observe import OBSERVATION

RARE = {"final_planning": True, "draw_after_last_token": True, "hero_needs_cube": False, "heroes_collect": True}
CONFIGURATIONS = [
    {"num_players": n, **options}
    for n in (2, 3, 4)
    for options in ({}, {"recall": "table", **RARE}, {"march_order": "free", "reward": "win", "first_leader": "random"})
]


def walk(options, seed):
    """Yield the states of a random game, the last one included."""
    rng = np.random.default_rng(seed)
    state = game(**options).new_initial_state(seed=seed)
    while True:
        yield state
        if state.is_terminal():
            return
        state = state.clone()
        state.apply_action(int(rng.choice(state.legal_actions())))


def first(options, wanted, seeds=range(40)):
    """Return the first state of random games for which `wanted(State JSON)` holds."""
    for seed in seeds:
        for state in walk(options, seed):
            if wanted(state.to_dict()):
                return state
    raise AssertionError("no such state in these games")


# ---- Section 5, read off the State JSON ------------------------------------------------------------------------------


def seat_facts(d, p):
    """Return what seat `p` knows of the state `d`, in the form of `decoded_view`."""
    n, table = d["num_players"], d["options"]["recall"] == "table"
    asked = None if d["decision"] == "ROUTE" and d["player"] != p else d["player"]
    facts = {key: d[key] for key in ("round", "leader", "cubes", "heroes", "tokens", "group", "controller", "delayed")}
    facts |= {key: d[key] for key in ("time_used", "slots", "hero_supply", "plunder", "routes_done", "held_count")}
    facts |= {
        "player": p,
        "num_players": n,
        "decision": "NONE" if asked is None and d["player"] is not None else d["decision"],
        "acting": asked,
        "reserve": list(d["reserve"]),
        "infamy": list(d["infamy"]),
        "draw_pile_size": len(d["draw_pile"]),
        "hand_sizes": [len(hand) for hand in d["hands"]],
        "pile_sizes": [len(pile) for pile in d["piles"]],
        "routes_open_counts": [len(routes) for routes in d["routes_open"]],
        "route_deck_size": len(d["route_deck"]),
        "hand": d["hands"][p],
        "routes_open": d["routes_open"][p],
        "hand_before_hold": d["hand_before_hold"],
        "pile_tops": [pile[-1] if pile else None for pile in d["piles"]],
        "context": context_facts(d, p),
    }
    if d["decision"] == "HOLD" and d["player"] != p:  # as it was when the step began
        facts["infamy"][d["player"]] += len(d["held"])
        facts["reserve"][d["player"]] -= len(d["held"])
    if not table:
        facts |= {"piles": d["piles"], "pile_cards": [sorted(pile) for pile in d["piles"]]}
        facts |= {key: d[key] for key in ("known_hand", "known_hand_prev")}
        facts |= {key: d[key][p] for key in ("not_held", "route_pos", "route_known_holder")}
        return facts
    facts["piles"] = [pile if q == p else None for q, pile in enumerate(d["piles"])]
    shown = [
        {c for c in pile if c // 8 in moved(d) and d["controller"][c // 8] == q} for q, pile in enumerate(d["piles"])
    ]
    facts["pile_cards"] = [sorted(pile if q == p else shown[q] | set(pile[-1:])) for q, pile in enumerate(d["piles"])]
    return facts


def context_facts(d, p):
    """Return the context of the decision that `p` sees (SAGA-INFO-09)."""
    march, own = d["march"] or {}, d["player"] == p
    k, q = march.get("kingdom"), d["player"]
    if d["decision"] == "HIRE":
        return {"card": d["card"]}
    if d["decision"] == "DELAY":
        return {"kingdom": k}
    if d["decision"] == "CUBE":
        numbers = {key: march[key] for key in ("armies", "fleets", "land", "sea", "last")}
        return {"kingdom": k, **numbers, "cubes_left": d["cubes"][k][q]}
    if d["decision"] == "HERO":
        return {"kingdom": k, "last": march["last"], "heroes_left": d["heroes"][k][q]}
    if own and d["decision"] == "ROUTE":
        return {"last": d["route_last"]}
    if own and d["decision"] == "KEEP":
        return {"drawn": d["routes_drawn"]}
    if own and d["decision"] == "HOLD":
        return {"held": d["held"], "last": d["hold_last"]}
    return {}


def moved(d):
    """Return the kingdoms whose move has begun in this march, until M7 (SAGA-INFO-03)."""
    owned = [k for k in range(7) if d["controller"][k] is not None]
    if d["march"] is None:
        return owned if d["decision"] == "ROUTE" else []
    now = (d["march"]["pass"], d["march"]["kingdom"])
    turn = {k: (2 if d["delayed"][k] else 1, k) for k in owned}
    return [k for k in owned if turn[k] < now or (turn[k] == now and d["decision"] != "DELAY")]


def planned(d):
    """Return the seats whose planning turn of this round is over."""
    n = d["num_players"]
    if d["decision"] == "END":
        return list(range(n)) if d["options"]["final_planning"] else []
    if d["decision"] not in ("BUY", "KEEP", "HOLD"):
        return []
    return [q for q in range(n) if (q - d["leader"]) % n < (d["player"] - d["leader"]) % n]


# ---- Everything, at every decision -----------------------------------------------------------------------------------


@pytest.mark.rule(
    "SAGA-INFO-01", "SAGA-INFO-02", "SAGA-INFO-03", "SAGA-INFO-04", "SAGA-INFO-05", "SAGA-INFO-07", "SAGA-INFO-08",
    "SAGA-INFO-09", "SAGA-INFO-10", "SAGA-SETUP-05", "SAGA-PLAN-08",
)  # fmt: skip
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_an_observation_decodes_to_the_facts_of_its_seat(options) -> None:
    for seed in (1, 2) if len(options) == 1 else (1,):
        before, discards = None, {}
        for state in walk(options, seed):
            d = state.to_dict()
            discards = {q: discards.get(q) or thrown_away(before, d, q) for q in planned(d)}
            for p in range(d["num_players"]):
                observation = state.observation(p)
                assert decoded_view(OBSERVATION, observation, p) == seat_facts(d, p)
                assert_rest(d, OBSERVATION.decode(observation), sorted(discards.get(p, ())))
            before = d


def thrown_away(before, d, q):
    """Return the cards that seat `q` discarded between two decisions."""
    return set(before["hands"][q]) - set(d["hands"][q]) - set(d["piles"][q])


def assert_rest(d, blocks, discards):
    """Look at the blocks that `decoded_view` leaves out: discards, the pass of the march, options."""
    assert np.flatnonzero(blocks["own_discards"]).tolist() == discards
    assert blocks["march_pass"].tolist() == [int(d["march"] is not None and d["march"]["pass"] == i) for i in (1, 2)]
    chosen = d["options"]
    flags = dict(zip(OBSERVATION["options"].columns, blocks["options"].tolist(), strict=True))
    assert flags["free_march"] == (chosen["march_order"] == "free")
    assert flags["table_recall"] == (chosen["recall"] == "table")
    assert all(flags[name] == chosen[name] for name in RARE)
    assert OBSERVATION["reward"].columns[int(blocks["reward"].argmax())] == chosen["reward"]


def test_values_are_integers_times_the_scale_and_within_one() -> None:
    for options in CONFIGURATIONS:
        for state in walk(options, 3):
            observation = state.observation(0)
            assert observation.dtype == np.float32
            assert np.abs(observation).max() <= 1
            for block, whole in zip(OBSERVATION.blocks, OBSERVATION.decode(observation).values(), strict=True):
                values = whole.astype(np.float32) * np.float32(block.scale)
                assert np.array_equal(observation[block.slice], values.reshape(-1)), block.name


@pytest.mark.rule("SAGA-DATA-02", "SAGA-DATA-03")
def test_the_largest_numbers_stay_within_one() -> None:
    state = load(position(4))
    r = state.record
    for field, value in {
        "infamy": 30,
        "hero_supply": 3,
        "plunder": 45,
        "hand_size": 6,
        "tokens": 45,
        "group": 15,
    }.items():
        r[field] = value
    r.reserve[:], r.cubes[0, :], r.heroes[0, :] = 0, 0, 3
    r.held_count[:], r.hand_before_hold[:], r.route_count, r.draw_top, r.draw_end = 6, 6, 20, 0, 56
    for p in range(4):
        assert state.observation(p).max() == 1


# ---- Relative seats --------------------------------------------------------------------------------------------------


def turned(d):
    """Return the same state with every seat one place further clockwise."""
    n = d["num_players"]

    def seat(q):
        return None if q is None else (q + 1) % n

    def row(values):
        return [values[(q - 1) % n] for q in range(n)]

    per_seat = (
        "hands",
        "piles",
        "reserve",
        "infamy",
        "hero_supply",
        "time_used",
        "plunder",
        "routes_open",
        "routes_done",
    )
    per_seat += ("known_hand", "known_hand_prev", "held_count", "hand_before_hold", "not_held", "route_pos")
    out = {**d, **{key: row(d[key]) for key in per_seat}, "leader": seat(d["leader"]), "player": seat(d["player"])}
    out |= {key: [row(values) for values in d[key]] for key in ("cubes", "heroes")}
    out["controller"] = [seat(q) for q in d["controller"]]
    out["route_known_holder"] = row([[seat(q) for q in holders] for holders in d["route_known_holder"]])
    return out


@pytest.mark.parametrize("n", [2, 3, 4])
def test_turning_the_table_turns_the_observations(n) -> None:
    for i, state in enumerate(walk({"num_players": n}, 5)):
        if i % 5 == 0:
            other = load(turned(state.to_dict()))
            for p in range(n):
                assert np.array_equal(state.observation(p), other.observation((p + 1) % n))


# ---- One fact at a time ----------------------------------------------------------------------------------------------

EVERYBODY = {0, 1, 2}


def edited(state, change):
    other = state.clone()
    change(other.record)
    return other


def seers(one, other):
    """Return the seats that can tell two states apart."""
    return {p for p in EVERYBODY if not np.array_equal(one.observation(p), other.observation(p))}


def put(field, index, value):
    def change(r):
        r[field][index] = value if not callable(value) else value(r[field][index])

    return change


@cache
def middle(recall):
    """Return a PLAY decision of round 2 with three cards and more in each pile, and cards known in seat 1's hand."""

    def wanted(d):
        piles = min(len(pile) for pile in d["piles"])
        return d["round"] == 2 and d["decision"] == "PLAY" and piles >= 3 and d["known_hand"][1] and d["routes_done"][1]

    return first({"num_players": 3, "recall": recall}, wanted)


PUBLIC = {
    "round": lambda r: setattr(r, "round_number", 3),
    "leader": lambda r: setattr(r, "leader", (r.leader + 1) % 3),
    "acting seat": lambda r: setattr(r, "player", (r.player + 1) % 3),
    "cubes in a kingdom": put("cubes", (3, 1), lambda x: x + 1),
    "cubes in a region": lambda r: (put("cubes", (9, 1), 1)(r), put("reserve", 1, lambda x: x - 1)(r)),
    "heroes": lambda r: (put("heroes", (10, 1), 1)(r), put("hero_supply", 1, lambda x: x - 1)(r)),
    "controller": put("controller", 2, 1),
    "reserve": put("reserve", 1, lambda x: x - 1),
    "infamy": put("infamy", 1, lambda x: x + 1),
    "hero supply": put("hero_supply", 1, lambda x: 2 if x != 2 else 1),
    "time token": put("time_used", 1, 1),
    "tokens in a region": put("tokens", 4, lambda x: x + 1),
    "tokens left": lambda r: setattr(r, "group", r.group + 1),
    "collected tokens": put("plunder", 1, lambda x: x + 1),
    "completed routes": put("routes_done", 1, lambda x: x ^ 3),
    "number of uncompleted routes": put("routes_open", 1, lambda x: x & (x - 1)),
    "trade deck size": lambda r: setattr(r, "route_count", r.route_count - 1),
    "face-up row": put("slot", 0, lambda x: (x + 1) % 56),
    "face-up row by slot": lambda r: r.slot.__setitem__(slice(None), r.slot[[1, 0, 2]]),
    "draw pile size": lambda r: setattr(r, "draw_top", r.draw_top + 1),
    "hand size": put("hand_size", 1, lambda x: x - 1),
    "cards held": put("held_count", 1, lambda x: (x + 1) % 6),
    "hand before holding": put("hand_before_hold", 1, lambda x: x - 1),
    "pile size": put("pile_size", 1, lambda x: x - 1),
}


@pytest.mark.rule("SAGA-INFO-01")
@pytest.mark.parametrize("recall", ["full", "table"])
@pytest.mark.parametrize("fact", PUBLIC)
def test_public_facts_are_seen_by_all(fact, recall) -> None:
    state = middle(recall)
    assert seers(state, edited(state, PUBLIC[fact])) == EVERYBODY


def swap_covered(r):
    r.pile[1, [0, 1]] = r.pile[1, [1, 0]]


def other_hand(r):
    """Seat 1 has the top card of the draw pile instead of its first unknown card."""
    unknown = int(r.hand[1]) & ~int(r.known_hand[1])
    lowest = unknown & -unknown
    card = int(r.draw_pile[r.draw_top])
    r.draw_pile[r.draw_top] = lowest.bit_length() - 1
    r.hand[1] = int(r.hand[1]) & ~lowest | 1 << card


def other_route(r):
    lowest = int(r.routes_open[1]) & -int(r.routes_open[1])
    route = int(r.route_deck[0])
    r.route_deck[0] = lowest.bit_length() - 1
    r.routes_open[1] = int(r.routes_open[1]) & ~lowest | 1 << route


PRIVATE = {  # fact: (change, who knows it with recall = full, with recall = table)
    "own hand": (other_hand, {1}, {1}),
    "uncompleted routes": (other_route, {1}, {1}),
    "order of covered cards": (swap_covered, EVERYBODY, {1}),
    "known hand": (put("known_hand", 1, 0), EVERYBODY, set()),
    "known hand before": (put("known_hand_prev", 1, lambda x: x ^ 1), EVERYBODY, set()),
    "NOTHELD": (put("not_held", 1, lambda x: x ^ 1), {1}, set()),
    "place of a route": (put("route_pos", (1, 5), 3), {1}, set()),
    "holder of a route": (put("route_holder", (1, 5), 2), {1}, set()),
    "order of the draw pile": (lambda r: put("draw_pile", slice(50, 56), lambda x: x[::-1])(r), set(), set()),
    "order of the trade deck": (lambda r: put("route_deck", slice(0, 5), lambda x: x[::-1])(r), set(), set()),
    "chance to come": (lambda r: setattr(r, "seed", 99), set(), set()),
}


@pytest.mark.rule("SAGA-INFO-01", "SAGA-INFO-03", "SAGA-INFO-05", "SAGA-INFO-07")
@pytest.mark.parametrize("recall", ["full", "table"])
@pytest.mark.parametrize("fact", PRIVATE)
def test_private_facts_are_seen_by_their_owner_alone(fact, recall) -> None:
    change, full, table = PRIVATE[fact]
    state = middle(recall)
    assert seers(state, edited(state, change)) == (full if recall == "full" else table)


@pytest.mark.rule("SAGA-INFO-01", "SAGA-INFO-09", "SAGA-PLAN-08")
def test_drawn_routes_and_own_discards_are_seen_by_their_owner_alone() -> None:
    keep = load(
        position(
            3, "KEEP", player=1, hands={0: range(6)}, slots=[18, 19, 20], routes_drawn=[4, 9],
            not_held=[[*range(6), 18, 19, 20], [*range(56)], [*range(56)]],
            held_count=[6, 0, 0], hand_before_hold=[6, 0, 0],
        )
    )  # fmt: skip
    assert seers(keep, edited(keep, put("routes_drawn", slice(0, 2), lambda x: x[::-1]))) == {1}

    def wanted(d):
        return d["decision"] == "BUY" and planned(d) and len(d["hands"][planned(d)[0]]) < 5

    state = first({"num_players": 3}, wanted)
    owner = planned(state.to_dict())[0]
    thrown = np.flatnonzero(OBSERVATION.decode(state.observation(owner))["own_discards"]).tolist()

    def other_discard(r):  # with the last card of the draw pile
        r.not_held[owner] = int(r.not_held[owner]) & ~(1 << thrown[0]) | 1 << int(r.draw_pile[r.draw_end - 1])
        r.draw_pile[r.draw_end - 1] = thrown[0]

    assert seers(state, edited(state, other_discard)) == {owner}


# ---- Hidden prompts --------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-INFO-08")
def test_the_steps_of_hold_are_seen_by_their_owner_alone() -> None:
    start = load(position(3, "HOLD", infamy=[3, 0, 0], hands={0: [3, 10, 26, 40, 41, 50]}))
    one, two = play(start, HOLD + 3), play(start, HOLD + 10, HOLD + 26)
    assert seers(start, one) == seers(start, two) == seers(one, two) == {0}
    for seat in (1, 2):
        blocks = OBSERVATION.decode(start.observation(seat))
        assert blocks["acting"].tolist() == [int(k == (0 - seat) % 3) for k in range(4)]
        assert blocks["infamy"][(0 - seat) % 3] == 3
        assert not blocks["held"].any()
    assert (
        seers(play(start, HOLD + 3, PASS), play(start, HOLD + 10, HOLD + 26, PASS)) == EVERYBODY
    )  # how many, at its end
    assert seers(play(start, HOLD + 3, PASS), play(start, HOLD + 10, PASS)) == {0}  # which ones, never


def trading(mine, theirs):
    """Seat 0 and 1 control Normans and Rus and have cubes in Italy and Finland; seat 2 has the last visit."""
    return load(
        position(
            3, "ROUTE", cubes={14: {0: 1}, 10: {1: 1}}, controller=[0, 1, None, None, None, None, None],
            routes_open=[mine, theirs, [19]],
        )
    )  # fmt: skip


@pytest.mark.rule("SAGA-INFO-08", "SAGA-INFO-02")
def test_who_is_asked_in_route_is_not_seen_by_others() -> None:
    state = trading([1, 9], [4, 12])
    later = play(state, PASS)
    assert (state.current_player, later.current_player) == (0, 1)
    assert seers(state, later) == {0, 1}
    blocks = OBSERVATION.decode(state.observation(2))
    assert OBSERVATION["decision"].columns[int(blocks["decision"].argmax())] == "NONE"
    assert not blocks["acting"].any()
    assert seers(later, play(state, COMPLETE + 1)) == EVERYBODY  # what was completed is public


@pytest.mark.rule("SAGA-INFO-08")
def test_asked_and_declined_and_never_asked_look_alike() -> None:
    declined = play(trading([1, 9], [4, 12]), PASS, PASS)
    never_asked = play(trading([1, 9], [6, 12]), PASS)
    assert declined.current_player == never_asked.current_player
    assert seers(declined, never_asked) == {1}  # whose own routes differ
