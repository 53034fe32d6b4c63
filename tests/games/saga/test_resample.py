"""The law of `resample` (SAGA-INFO-11), against an enumeration of all possible states, and samplers that must fail.

Every check is a function of the sampler, so that mutants of it can be passed in: `test_mutants_fail` holds that each of
them is caught.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from positions import game, load, position
from scipy.stats import chi2_contingency, chisquare
from test_observe import RARE, first, moved, planned, walk

from northmen_env.engine import boundary

CONFIGURATIONS = [
    {"num_players": n, **options}
    for n in (2, 3, 4)
    for options in ({}, {"recall": "table"}, RARE | {"march_order": "free"})
]
P_VALUE = 1e-6


def honest(state, player, seed):
    return state.resample(player, seed)


# ---- Enumeration, plainly --------------------------------------------------------------------------------------------


def worlds(d, p):
    """Return every state possible for seat `p`, as `key`s, read off SAGA-INFO-11."""
    return {
        key(world)
        for cards in card_worlds(d, p)
        for routes in route_worlds(d, p)
        for world in hold_worlds({**d, **cards, **routes}, p)
    }


def key(d):
    """Return what of a State JSON is hidden from somebody, but for knowledge."""
    parts = ("hands", "piles", "draw_pile", "routes_open", "route_deck", "routes_drawn", "held", "hold_last", "infamy")
    return json.dumps([d[part] for part in parts] + [d["reserve"]])


def card_worlds(d, p):
    n, table = d["num_players"], d["options"]["recall"] == "table"
    others = [q for q in range(n) if q != p]
    seen = set(d["hands"][p]) | {c for c in d["slots"] if c is not None} | set(own_discards(d, p))
    for q, pile in enumerate(d["piles"]):
        seen |= set(pile) if q == p or not table else {c for c in pile if is_shown(d, q, c)}
    unseen = [c for c in range(56) if c not in seen]
    for piles, rest in pile_worlds(d, [q for q in others if table], d["piles"], unseen):
        for hands, left in hand_worlds(d, others, d["hands"], rest):
            for deck in permutations(left, len(d["draw_pile"])):
                world = {"hands": hands, "piles": piles, "draw_pile": list(deck)}
                if is_possible(d, p, world, set(left) - set(deck), table):
                    yield world


def own_discards(d, p):
    if p not in planned(d):
        return []
    return set(d["not_held"][p]) - {c for pile in d["piles"] for c in pile} - set(d["slots"]) - set(d["hands"][p])


def is_shown(d, q, card):
    return card == d["piles"][q][-1] or (card // 8 in moved(d) and d["controller"][card // 8] == q)


def pile_worlds(d, seats, piles, unseen):
    """Yield (piles, cards left): covered cards of `seats` in every order, what lies revealed among them included."""
    if not seats or not d["piles"][seats[0]]:
        yield from pile_worlds(d, seats[1:], piles, unseen) if seats else [(piles, unseen)]
        return
    q, *following = seats
    pile = d["piles"][q]
    revealed = [c for c in pile[:-1] if is_shown(d, q, c)]
    for covered in combinations(unseen, len(pile) - 1 - len(revealed)):
        left = [c for c in unseen if c not in covered]
        for below in permutations([*revealed, *covered]):
            mine = [[*below, pile[-1]] if seat == q else other for seat, other in enumerate(piles)]
            yield from pile_worlds(d, following, mine, left)


def hand_worlds(d, seats, hands, unseen):
    if not seats:
        yield hands, unseen
        return
    q, *following = seats
    for hand in combinations(unseen, len(d["hands"][q])):
        mine = [sorted(hand) if seat == q else other for seat, other in enumerate(hands)]
        yield from hand_worlds(d, following, mine, [c for c in unseen if c not in hand])


def is_possible(d, p, world, discards, table):
    """Return whether the cards of a world fit what `p` knows."""
    others = [q for q in range(d["num_players"]) if q != p]
    if table:
        return all(pile_fits(d, q, world["piles"][q]) for q in others)
    for q in others:
        hand = set(world["hands"][q])
        if not set(d["known_hand"][q]) <= hand:
            return False
        held, before = d["held_count"][q], set(d["known_hand_prev"][q])
        least = held - (d["hand_before_hold"][q] - len(before))
        if q in planned(d):  # its hand is what it held, its discards are the rest
            if not before <= hand | discards or len(before & hand) < least:
                return False
        elif d["round"] > 1:
            had = hand | set(world["piles"][q])
            if len(before & had) < least or (p not in planned(d) and len(had - set(d["not_held"][p])) < held):
                return False
    return True


def pile_fits(d, q, pile):
    """Return whether a pile shows the symbols of its owner's cubes, and nothing more of suits that lie revealed."""
    value = game(num_players=d["num_players"]).rules[0].card_value
    for k in range(7):
        suit = [c for c in pile if c // 8 == k]
        if k in moved(d) and d["controller"][k] == q and set(suit) != {c for c in d["piles"][q] if c // 8 == k}:
            return False
        if sum(int(value[c]) for c in suit) < d["cubes"][k][q]:
            return False
    return True


def hold_worlds(d, p):
    """Yield the states in which the seat asked in HOLD can have come so far in this step."""
    q = d["player"]
    if d["decision"] != "HOLD" or q == p:
        yield d
        return
    infamy, reserve = d["infamy"][q] + len(d["held"]), d["reserve"][q] - len(d["held"])
    for number in range(len(d["hands"][q])):
        for held in combinations(d["hands"][q], number):
            if number < infamy and max(held, default=-1) < d["hands"][q][-1]:
                points, cubes = list(d["infamy"]), list(d["reserve"])
                points[q], cubes[q] = infamy - number, reserve + number
                yield {**d, "held": list(held), "hold_last": max(held, default=-1), "infamy": points, "reserve": cubes}


def route_worlds(d, p):
    n, table = d["num_players"], d["options"]["recall"] == "table"
    places = {} if table else {place: t for t, place in enumerate(d["route_pos"][p]) if place >= 0}
    holders = {} if table else {t: q for t, q in enumerate(d["route_known_holder"][p]) if q not in (None, p)}
    drawn = d["routes_drawn"] if d["player"] == p else []
    seen = {t for routes in d["routes_done"] for t in routes} | set(d["routes_open"][p]) | set(drawn)
    unseen = [t for t in range(20) if t not in seen]
    others = [q for q in range(n) if q != p]
    for opened, left in open_worlds(d, others, d["routes_open"], unseen):
        if any(t not in opened[q] for t, q in holders.items()) or not is_offered(d, p, opened):
            continue
        for order in permutations(left):
            pair = list(drawn) if drawn else list(order[: len(d["routes_drawn"])])
            deck = list(order if drawn else order[len(pair) :])
            if all(deck[place] == t for place, t in places.items()):
                yield {"routes_open": opened, "routes_drawn": pair, "route_deck": deck}


def open_worlds(d, seats, opened, unseen):
    if not seats:
        yield opened, unseen
        return
    q, *following = seats
    for routes in combinations(unseen, len(d["routes_open"][q])):
        mine = [sorted(routes) if seat == q else other for seat, other in enumerate(opened)]
        yield from open_worlds(d, following, mine, [t for t in unseen if t not in routes])


def is_offered(d, p, opened):
    """Return whether the seat asked in ROUTE has something to complete."""
    q, rules = d["player"], game(num_players=d["num_players"]).rules[0]
    if d["decision"] != "ROUTE" or q == p:
        return True
    for t in opened[q]:
        has_cube = d["cubes"][7 + rules.route_region[t]][q] > 0
        if t > d["route_last"] and d["controller"][rules.route_kingdom[t]] == q and has_cube:
            return True
    return False


# ---- Small positions -------------------------------------------------------------------------------------------------

MINE = [0, 1, 2, 3, 4, 5]
TOP = [6, 7, 8]


def few_cards(unseen, piles=None, **more):
    """Return a position for seat 0 that leaves `unseen` open: all other cards lie on the own pile."""
    piles = piles or {}
    shown = {c for pile in piles.values() for c in pile}
    own = [c for c in range(9, 56) if c not in unseen and c not in shown]
    n = more.pop("num_players", 2)
    nobody = [[] for _ in range(n - 1)]
    routes = {"routes_done": [[*range(18)], *nobody], "routes_open": [[18], *nobody], "route_deck": [19]}
    more = {"hands": {0: MINE, **more.pop("hands")}, "slots": TOP, **routes, **more}
    return position(n, piles={**piles, 0: [*own, *piles.get(0, [])]}, **more)


def few_routes(**more):
    """Return a position in which seat 0 knows where all cards are, for the routes' sake."""
    n = more.pop("num_players", 2)
    hands = {0: MINE, **{q: [9 + q] for q in range(1, n)}, **more.pop("hands", {})}
    held = {c for hand in hands.values() for c in hand} | set(TOP)
    piles = {0: [c for c in range(56) if c not in held]}
    known = [[], *[hands[q] for q in range(1, n)]]
    return position(n, hands=hands, piles=piles, slots=TOP, draw_pile=[], known_hand=known, **more)


def old_round(n, **more):
    """Return what is known of held cards in round 2; seats without entries held nothing."""
    facts = {"held_count": [0] * n, "hand_before_hold": [6] * n, "known_hand_prev": [[] for _ in range(n)]}
    return {"in_round": 2, "not_held": [[] for _ in range(n)], **facts, **more}


SMALL = {
    "first round": lambda: few_cards([10, 11, 12, 13, 14], hands={1: [10, 11]}),
    "known hand": lambda: few_cards(
        [10, 11, 12, 13, 14, 15], hands={1: [10, 11, 12]}, known_hand=[[0], [12]]
    ),
    "three seats": lambda: few_cards([10, 11, 12, 13, 14], num_players=3, hands={1: [10, 11], 2: [12]}),
    "held cards": lambda: few_cards(
        [10, 11, 20, 21, 30, 31], hands={1: [10, 20, 21]},
        **old_round(2, held_count=[0, 2], hand_before_hold=[6, 4], known_hand_prev=[[], [20, 21, 30]],
                    not_held=[[*range(9), 10, 11, *range(40, 56)], []]),
    ),
    "held cards on the pile": lambda: few_cards(
        [10, 11, 20, 21, 30, 31], hands={1: [10, 20]}, piles={1: [30, 32]},
        **old_round(2, held_count=[0, 3], hand_before_hold=[6, 5], known_hand_prev=[[], [20, 21, 30]],
                    not_held=[[*range(9), 10, 11, *range(40, 56)], []]),
    ),
    "held cards of two": lambda: few_cards(
        [10, 11, 20, 21, 30, 31], num_players=3, hands={1: [20, 10], 2: [21, 30]},
        **old_round(3, held_count=[0, 1, 2], hand_before_hold=[6, 3, 2], known_hand_prev=[[], [20, 21], [30]],
                    not_held=[[*range(9), 11, *range(40, 56)], [], []]),
    ),
    "held cards, few shuffles fit": lambda: few_cards(
        [10, 11, 20, 21, 22, 30, 31], num_players=3, hands={1: [10, 20, 21], 2: [30, 31]},
        **old_round(3, held_count=[0, 3, 2], hand_before_hold=[6, 4, 2], known_hand_prev=[[], [20, 21, 22], [30, 31]],
                    not_held=[[*range(9), 11, *range(40, 56)], [], []]),
    ),
    "held cards of three": lambda: few_cards(
        [10, 11, 20, 21, 30, 31, 40], num_players=4, hands={1: [10, 20], 2: [30, 31], 3: [40]},
        **old_round(4, held_count=[0, 1, 2, 1], hand_before_hold=[6, 2, 2, 3],
                    known_hand_prev=[[], [20, 21], [30, 31], []], not_held=[[*range(12)], [], [], []]),
    ),
    "planning, others have planned": lambda: few_cards(
        [10, 11, 20, 21, 30, 31], num_players=3, decision="BUY", player=0, leader=1, infamy=[9, 0, 0],
        hands={1: [20], 2: [30]}, held_count=[0, 1, 1], hand_before_hold=[0, 2, 3], draw_pile=[31],
        known_hand_prev=[[], [20, 21], [10]], known_hand=[[], [], []],
        not_held=[[*range(56)], without([*MINE, 10, 11, 30, 31]), without([*MINE, 20, 21, 31])],
    ),
    "planning, own turn over": lambda: few_cards(
        [9, 10, 11, 20, 21, 30], num_players=3, decision="HOLD", player=1, leader=2, infamy=[0, 2, 0],
        hands={0: [0, 1], 1: [10, 20, 21], 2: [30]}, piles={0: [2]}, held_count=[2, 0, 1], hand_before_hold=[5, 0, 2],
        known_hand_prev=[[], [], [30]], known_hand=[[], [20], []], draw_pile=[9],
        not_held=[without([9, 10, 11, 20, 21, 30]), [*range(56)], without([0, 1, 3, 4, 5, 9, 10, 20, 21])],
    ),
    "a step of holding": lambda: few_cards(
        [10, 11, 20, 21, 30], decision="HOLD", player=1, leader=1, infamy=[3, 1], hands={1: [10, 20, 30]},
        held=[10, 20], hold_last=20,
    ),
    "covered cards": lambda: few_cards(
        [10, 11, 16, 18, 24, 25], piles={1: [10, 16, 40]}, hands={1: [11, 18]}, cubes={1: {1: 2}, 2: {1: 3}, 5: {1: 3}},
        options={"recall": "table"},
    ),
    "covered cards of two": lambda: few_cards(
        [11, 16, 18, 24, 25], num_players=3, piles={1: [16, 40], 2: [24, 41]}, hands={1: [11], 2: [18]},
        cubes={2: {1: 2}, 3: {2: 1}}, options={"recall": "table"},
    ),
    "covered cards in the march": lambda: few_cards(
        [11, 16, 18, 24, 25], decision="CUBE", player=0, leader=1, piles={1: [9, 16, 11, 40, 10], 0: [32]},
        hands={1: [18]}, cubes={5: {1: 3}, 4: {0: 2}, 2: {1: 2}},
        controller=[None, 1, 1, None, 0, 1, None], march={"kingdom": 4, "pass": 1}, options={"recall": "table"},
        delayed=[False, False, True, False, False, False, False], time_used=[False, True],
    ),
    "routes": lambda: few_routes(
        routes_done=[[*range(8, 20)], []], routes_open=[[0], [1, 2]], route_deck=[3, 4, 5, 6, 7],
        route_pos=[[-1] * 6 + [3] + [-1] * 13, [-1] * 20],
    ),
    "holders": lambda: few_routes(
        num_players=3, routes_done=[[*range(6, 20)], [], []], routes_open=[[0], [1, 2], [3]], route_deck=[4, 5],
        route_known_holder=[[None, None, 1] + [None] * 17, [None] * 20, [None, 1] + [None] * 18],
    ),
    "another seat keeps": lambda: few_routes(
        decision="KEEP", player=1, leader=1, routes_done=[[*range(7, 20)], []], routes_open=[[0], [1]],
        routes_drawn=[2, 3], route_deck=[4, 5, 6], route_pos=[[-1] * 5 + [1] + [-1] * 14, [-1] * 20],
    ),
    "another seat trades": lambda: few_routes(
        decision="ROUTE", player=1, leader=1, cubes={14: {1: 1}, 10: {1: 1}},
        controller=[1, 1, None, None, None, None, None], routes_done=[[*range(9, 20)], [0]],
        routes_open=[[2], [1, 3]], route_deck=[4, 5, 6, 7, 8], route_last=0,
    ),
}  # fmt: skip


def without(cards):
    return [c for c in range(56) if c not in cards]


def small(name):
    return load(SMALL[name]())


# ---- Checks ----------------------------------------------------------------------------------------------------------


def check_uniform(state, player, sampler):
    """All possible states occur, nothing else does, and all about equally often."""
    possible = worlds(state.to_dict(), player)
    assert key(state.to_dict()) in possible
    draws = max(2000, 12 * len(possible))
    counts = Counter(key(sampler(state, player, seed).to_dict()) for seed in range(draws))
    assert set(counts) <= possible, "a sample is not possible"
    p = chisquare([counts[world] for world in sorted(possible)]).pvalue
    assert len(possible) == 1 or p > P_VALUE, f"samples are not uniform (p = {p:.1e})"


def check_view(state, player, sampler):
    """The seat cannot tell the sample from the state, and the sample is a state of the game."""
    before = bytes(state.array.tobytes())
    for seed in (1, 2):
        sample = sampler(state, player, seed)
        assert np.array_equal(sample.observation(player), state.observation(player))
        assert sample.observation_text(player) == state.observation_text(player)
        assert sample.current_player == state.current_player
        assert sample.to_dict()["decision"] == state.to_dict()["decision"]
        if state.current_player == player:
            assert sample.legal_actions() == state.legal_actions()
        assert boundary.check(sample.game.rules, sample.array) == 0
        assert sample.array.tobytes() == sampler(state, player, seed).array.tobytes()
    assert state.array.tobytes() == before


def check_fresh_chance(state, player, sampler):
    """The chance to come is a new one in every sample."""
    seeds = [int(sampler(state, player, seed).record.seed) for seed in range(20)]
    assert len(set(seeds)) == 20
    assert int(state.record.seed) not in seeds


def check_distinct(state, player, sampler, number):
    """A thousand samples differ as much as `number` worlds let them."""
    found = {key(sampler(state, player, seed).to_dict()) for seed in range(1000)}
    assert len(found) > 0.9 * min(1000, number), f"{len(found)} different samples of {number} worlds"


def check_independent(state, player, sampler):
    """The sample says nothing of the true state: from each state of the information set the samples are the same."""
    truths = [state, honest(state, player, 7), honest(state, player, 8)]
    for seed in range(20):
        samples = {sampler(truth, player, seed).array.tobytes() for truth in truths}
        assert len(samples) == 1, "one seed gives another sample in another true state"
    samples = [
        [sampler(truth, player, 1000 * i + seed).to_dict() for seed in range(120)] for i, truth in enumerate(truths)
    ]
    for part in ("hands", "draw_pile", "routes_open", "route_deck"):
        tables = [Counter(str(item) for sample in row for item in leaves(sample, part, player)) for row in samples]
        names = sorted(name for name in set().union(*tables) if sum(t[name] for t in tables) >= 20)
        if len(names) > 1:
            p = chi2_contingency([[table[name] for name in names] for table in tables]).pvalue
            assert p > P_VALUE, f"the law of {part} depends on the true state (p = {p:.1e})"


def leaves(d, part, player):
    """Return (where, id) pairs of a part of the State JSON: who has which card, what lies on top."""
    value = d[part]
    if part in ("hands", "routes_open"):
        q = (player + 1) % len(value)
        return [(q, item) for item in value[q]]
    return list(enumerate(value[:1]))


def check_redrawn(states, player, sampler):
    """Over some positions, every part that the seat does not know differs from the truth in some sample."""
    differs = Counter()
    for state in states:
        truth = state.to_dict()
        for seed in (1, 2, 3):
            sample = sampler(state, player, seed).to_dict()
            for q in range(truth["num_players"]):
                if q != player:
                    differs[f"hand of {q}"] += truth["hands"][q] != sample["hands"][q]
                    differs[f"routes of {q}"] += truth["routes_open"][q] != sample["routes_open"][q]
            differs["draw pile"] += sorted(truth["draw_pile"]) != sample["draw_pile"] != truth["draw_pile"]
            differs["order"] += order_of(truth, sample) is False
            differs["trade deck"] += truth["route_deck"] != sample["route_deck"]
    missing = [name for name, number in differs.items() if number == 0]
    assert not missing, f"never redrawn: {missing}"


def order_of(truth, sample):
    """Return whether the cards that lie in both draw piles lie there in the same order."""
    common = [c for c in sample["draw_pile"] if c in truth["draw_pile"]]
    return common == [c for c in truth["draw_pile"] if c in common] if len(common) > 3 else None


def check_plays_on(state, player, sampler):
    """A game that goes on from a sample keeps every invariant to its end."""
    sample = sampler(state, player, 5)
    rng = np.random.default_rng(5)
    while not sample.is_terminal():
        sample.apply_action(int(rng.choice(sample.legal_actions())))
        assert boundary.check(sample.game.rules, sample.array) == 0


def along(options, every, seed=3):
    return [state for i, state in enumerate(walk(options, seed)) if i % every == seed % every or state.is_terminal()]


# ---- Tests -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-INFO-11", "SAGA-INFO-06", "SAGA-INFO-07", "SAGA-INFO-08", "SAGA-INFO-10")
@pytest.mark.parametrize("name", SMALL)
def test_samples_are_uniform_over_all_possible_states(name) -> None:
    state = small(name)
    check_uniform(state, 0, honest)
    check_view(state, 0, honest)
    check_independent(state, 0, honest)


@pytest.mark.rule("SAGA-INFO-11")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_samples_keep_the_view_and_can_be_played_on(options) -> None:
    states = along(options, 9)
    for i, state in enumerate(states):
        for player in range(options["num_players"]):
            check_view(state, player, honest)
            if i % 6 == 0:
                check_plays_on(state, player, honest)
                check_fresh_chance(state, player, honest)
    check_redrawn(states, 0, honest)


@pytest.mark.rule("SAGA-INFO-11")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_samples_tell_nothing_of_the_true_state(n) -> None:
    for recall in ("full", "table"):
        for state in along({"num_players": n, "recall": recall}, 90):
            check_independent(state, 0, honest)


def test_samples_differ() -> None:
    for n in (2, 4):
        check_distinct(first({"num_players": n}, lambda d: d["round"] == 2), 0, honest, 10**6)
    for name in ("first round", "held cards", "holders"):
        check_distinct(small(name), 0, honest, len(worlds(small(name).to_dict(), 0)))


@pytest.mark.rule("SAGA-SETUP-08")
def test_the_next_deal_differs_between_samples_of_one_world() -> None:
    state = first({"num_players": 2}, lambda d: d["round"] == 1 and d["decision"] == "HOLD")
    deals = set()
    for seed in range(10):
        sample = honest(state, state.current_player, seed)
        while sample.to_dict()["round"] == 1:
            sample.apply_action(177)
        deals.add(str(sample.to_dict()["slots"]))
    assert len(deals) == 10


# ---- Mutants ---------------------------------------------------------------------------------------------------------


def clone(state, player, seed):
    return state.clone()


def keeps_a_hand(state, player, seed):
    """Resamples, then gives the next seat its true hand back, card by card."""
    sample, q = honest(state, player, seed), (player + 1) % state.game.num_players
    r, truth = sample.record, int(state.record.hand[q])
    wrong = [c for c in range(56) if int(r.hand[q]) & ~truth & 1 << c]
    for card in [c for c in range(56) if truth & ~int(r.hand[q]) & 1 << c]:
        exchange(r, q, wrong.pop(), card, player)
    return sample


def exchange(r, q, mine, wanted, player):
    """Exchange a hand card of seat `q` for one that lies elsewhere."""
    for other in range(4):
        if int(r.hand[other]) & 1 << wanted:
            r.hand[other] = int(r.hand[other]) & ~(1 << wanted) | 1 << mine
    r.draw_pile[r.draw_pile == wanted] = mine
    r.hand[q] = int(r.hand[q]) & ~(1 << mine) | 1 << wanted


def keeps_the_order(state, player, seed):
    """Resamples, then lets the cards of the draw pile lie in their true order."""
    sample = honest(state, player, seed)
    r, truth = sample.record, state.to_dict()["draw_pile"]
    pile = [int(c) for c in r.draw_pile[r.draw_top : r.draw_end]]
    r.draw_pile[r.draw_top : r.draw_end] = sorted(pile, key=lambda c: truth.index(c) if c in truth else 99)
    return sample


def keeps_the_generator(state, player, seed):
    sample = honest(state, player, seed)
    sample.record.seed = state.record.seed
    return sample


def rejects_by_mask(state, player, seed):
    """Resamples until the legal actions are the true ones: of another seat they tell its hand."""
    for k in range(200):
        sample = honest(state, player, 1000 * seed + k)
        if sample.legal_actions() == state.legal_actions():
            return sample
    return state.clone()


MUTANTS = [clone, keeps_a_hand, keeps_the_order, keeps_the_generator, rejects_by_mask]


def check_all(sampler):
    """Run the checks on small positions and along a game."""
    for name in ("first round", "held cards", "routes"):
        check_uniform(small(name), 0, sampler)
        check_distinct(small(name), 0, sampler, len(worlds(small(name).to_dict(), 0)))
    states = along({"num_players": 2}, 20)
    for state in states:
        check_view(state, 0, sampler)
        check_fresh_chance(state, 0, sampler)
    check_redrawn(states, 0, sampler)
    check_independent(states[1], 0, sampler)
    other_acts = load({**SMALL["first round"](), "player": 1})
    check_uniform(other_acts, 0, sampler)


def test_the_honest_sampler_passes() -> None:
    check_all(honest)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_fail(mutant) -> None:
    with pytest.raises(AssertionError):
        check_all(mutant)


@pytest.mark.rule("SAGA-INFO-11")
def test_a_sample_of_a_sample_for_other_seats_is_a_state_too() -> None:
    """Searches that model opponents chain samples across seats; this chain once broke the law of the third seat."""
    state = game(num_players=4).new_initial_state(seed=499243)
    draws = random.Random(499243)
    for _ in range(187):
        legal = state.legal_actions()
        wanted = [a for a in legal if a in (112, 113, 114) or 56 <= a < 112]
        state.apply_action(draws.choice(wanted) if wanted and draws.random() < 0.85 else draws.choice(legal))
    chained = state.resample(3, 432).resample(1, 802).resample(2, 573)
    assert boundary.check(chained.game.rules, chained.array) == 0
    for seed in range(300):
        world = state
        for depth in range(4):
            world = world.resample((seed + depth * (1 + seed % 3)) % 4, 1000 * seed + depth)
            assert boundary.check(world.game.rules, world.array) == 0, (seed, depth)
