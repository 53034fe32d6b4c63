"""The referee by itself: worked examples, random games with all invariants, information rules."""

from __future__ import annotations

import copy
import importlib.util
import itertools
import json
import random
import sys
from pathlib import Path

import pytest


def _load():
    name = "saga_referee"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("referee.py"))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


ref = _load()
TABLES = ref.default_tables()
NORMANS, RUS, MAGYARS, SAXONS, DANES, BYZANTINES, NORWEGIANS = range(7)
AFRICA, ARABIA, BULGARIA, FINLAND, HRE, IBERIA, IRELAND, ITALY, POLAND = range(9)
HIRE, DELAY, BUY, PASS = 174, 175, 176, 177


# ------------------------------------------------------------------------------------------------- helpers


def front(*first):
    """A chance oracle: the given cards first (influence), everything else ascending."""

    def shuffle(purpose, occurrence, items):
        if purpose == "routes":
            return list(items)
        lead = [c for c in first if c in items]
        return lead + [c for c in items if c not in lead]

    return shuffle


def seeded(seed):
    rng = random.Random(seed)
    return lambda purpose, occurrence, items: rng.sample(items, len(items))


def fresh(n=2, first=(), **options):
    return ref.Referee({"num_players": n, **options}, TABLES, front(*first))


def load(d, shuffle=None):
    return ref.Referee.from_dict(d, TABLES, shuffle or front())


def take_card(d, card):
    for cards in d["hands"] + d["piles"] + [d["draw_pile"]]:
        if card in cards:
            cards.remove(card)
    d["slots"] = [None if c == card else c for c in d["slots"]]


def set_cards(d, key, p, cards):
    """Make `cards` the hand (or pile) of p; what was there goes to the draw pile."""
    for c in cards:
        take_card(d, c)
    d["draw_pile"] += d[key][p]
    d[key][p] = list(cards)


def set_routes(d, p, routes):
    for t in routes:
        for where in d["routes_open"] + d["routes_done"] + [d["route_deck"]]:
            if t in where:
                where.remove(t)
    d["route_deck"] += d["routes_open"][p]
    d["routes_open"][p] = sorted(routes)


def balance(d):
    """Reserves and hero supplies such that SAGA-DATA-02 holds; tokens such that SAGA-DATA-03 holds."""
    for p in range(d["num_players"]):
        d["reserve"][p] = 30 - d["infamy"][p] - sum(row[p] for row in d["cubes"])
        d["hero_supply"][p] = 3 - sum(row[p] for row in d["heroes"])
        assert d["reserve"][p] >= 0 and d["hero_supply"][p] >= 0


def position(n=2, leader=0, **options):
    """An empty board with nobody's infamy, as a State JSON to be edited."""
    d = fresh(n, first_leader=leader, **options).to_dict()
    d["infamy"] = [0] * n
    balance(d)
    return d


def last_token(d, p, card=53):
    """p is about to play `card` (Norwegians, Bulgaria, no mark), which places the 15th token."""
    hand = [c for c in d["hands"][p] if c != card][:5]
    set_cards(d, "hands", p, sorted([*hand, card]))
    d.update(decision="PLAY", player=p, group=1)
    d["plunder"][p] += 14
    balance(d)
    return load(d)


def last_move(d, p):
    """The last cube of the march: p controls the Norwegians with one fleet; the other pieces have arrived."""
    set_cards(d, "piles", p, d["piles"][p] + [48])
    d["cubes"][NORWEGIANS][p] = 1
    d["controller"][NORWEGIANS] = p
    d["march"] = {"kingdom": 6, "pass": 1, "armies": 0, "fleets": 3, "land": 0, "sea": 0, "last": 0}
    d.update(decision="CUBE", player=p, group=0)
    d["plunder"][p] += 15 - sum(d["tokens"])
    balance(d)
    return load(d)


def ended(n, infamy, plunder, done=None, **options):
    d = position(n, **options)
    d.update(decision="END", player=None, round=3, infamy=list(infamy), plunder=list(plunder))
    for p, routes in enumerate(done or []):
        set_routes(d, p, [])
        for t in routes:
            for where in d["routes_open"] + [d["route_deck"]]:
                if t in where:
                    where.remove(t)
        d["routes_done"][p] = sorted(routes)
    balance(d)
    return load(d)


def span(first, last):
    return list(range(first, last + 1))


# ---------------------------------------------------------------------------------------------------- data


@pytest.mark.rule("SAGA-DATA-06")
def test_chart_numbers():
    totals = [[0, 0] for _ in range(7)]
    for card in TABLES["cards"]:
        totals[card["suit"]][0] += card["armies"]
        totals[card["suit"]][1] += card["fleets"]
    assert totals == [[8, 7], [10, 6], [10, 4], [7, 8], [7, 9], [8, 6], [5, 10]]


@pytest.mark.rule("SAGA-DATA-12")
def test_class_table():
    letters = {"SEA": "s", "LAND": "l", "BOTH": "b", "NONE": "n"}
    rows = ["".join(letters[ref.region_class(TABLES, k, r)] for r in range(9)) for k in range(7)]
    assert rows == [
        "sssslbsbn", "ssbbnsssl", "ssbslsssl", "sssslsbsn", "sssslsssl", "bbbsnssbn", "sssbnsbsn",
    ]  # fmt: skip


@pytest.mark.rule("SAGA-DATA-16")
@pytest.mark.rule("SAGA-DATA-17")
@pytest.mark.rule("SAGA-DATA-19")
def test_default_deck_constraints():
    cards = TABLES["cards"]
    values = [c["armies"] + c["fleets"] for c in cards]
    assert [values.count(v) for v in (3, 2, 1)] == [12, 25, 19] and sum(values) == 105
    assert len({tuple(c.values()) for c in cards}) == 56
    for r in range(9):
        suits = [c["suit"] for c in cards if c["region"] == r]
        assert len(suits) == len(set(suits)) == 5
        assert sum(c["region"] == r and c["mark"] != "-" for c in cards) == 1
    assert [sum(ref.places(TABLES, c, n) for c in range(56)) for n in (2, 3, 4)] == [45, 40, 36]
    assert sum(t["value"] for t in TABLES["routes"]) == 57
    for t in TABLES["routes"]:
        kind = ref.region_class(TABLES, t["kingdom"], t["region"])
        assert t["value"] == {"BOTH": 2, "SEA": 3, "LAND": 3, "NONE": 4}[kind]


def write_folder(folder, **changed):
    names = ("kingdoms", "regions", "adjacency", "cards", "routes")
    for name in names:
        (folder / f"{name}.csv").write_text(changed.get(name, getattr(ref, f"{name.upper()}_CSV")))


@pytest.mark.rule("SAGA-DATA-20")
def test_folder_reads_back(tmp_path):
    write_folder(tmp_path)
    assert ref.tables_from_folder(tmp_path) == TABLES


@pytest.mark.rule("SAGA-DATA-20")
@pytest.mark.parametrize(
    "name, old, new",
    [
        ("cards", "0,Normans,3,0,-,-", "0,Normans,3,1,-,-"),
        ("cards", "0,Normans,3,0,-,-", "0,Normans,0,0,-,-"),
        ("cards", "0,Normans,3,0,-,-", "0,Normans,3,0,-,4"),
        ("cards", "0,Normans,3,0,-,-", "0,Rus,3,0,-,-"),
        ("cards", "0,Normans,3,0,-,-", "0,Normans,3,0,Atlantis,-"),
        ("cards", "0,Normans,3,0,-,-\n", ""),
        ("cards", "Holy Roman Empire,3-4", "Holy Roman Empire,2"),
        ("routes", "0,Normans,Africa,3", "0,Normans,Italy,3"),
        ("routes", "0,Normans,Africa,3", "0,Normans,Africa,0"),
        ("adjacency", "Norwegians,Finland;Ireland", "Norwegians,"),
        ("regions", "0,Africa,yes", "0,Africa,maybe"),
    ],
)
def test_bad_folder_is_rejected(tmp_path, name, old, new):
    text = getattr(ref, f"{name.upper()}_CSV")
    assert old in text
    write_folder(tmp_path, **{name: text.replace(old, new)})
    with pytest.raises(ValueError):
        ref.tables_from_folder(tmp_path)


# --------------------------------------------------------------------------------------------------- setup


@pytest.mark.rule("SAGA-SETUP-03")
@pytest.mark.rule("SAGA-SETUP-04")
@pytest.mark.rule("SAGA-SETUP-08")
@pytest.mark.parametrize("n, leader", [(2, 0), (2, 1), (3, 2), (4, 3)])
def test_setup_deals_from_the_front(n, leader):
    asked = []

    def shuffle(purpose, occurrence, items):
        asked.append((purpose, occurrence, list(items)))
        return list(reversed(items))

    game = ref.Referee({"num_players": n, "first_leader": leader}, TABLES, shuffle)
    d = game.to_dict()
    assert asked == [("influence", 1, list(range(56))), ("routes", 1, list(range(20)))]
    cards, routes = list(reversed(range(56))), list(reversed(range(20)))
    for i in range(n):
        p = (leader + i) % n
        assert d["hands"][p] == sorted(cards[6 * i : 6 * i + 6])
        assert d["routes_open"][p] == sorted(routes[2 * i : 2 * i + 2])
    assert d["slots"] == cards[6 * n : 6 * n + 3]
    assert d["draw_pile"] == cards[6 * n + 3 :] and len(d["draw_pile"]) == {2: 41, 3: 35, 4: 29}[n]
    assert d["route_deck"] == routes[2 * n :]
    assert (d["decision"], d["player"], d["leader"]) == ("PLAY", leader, leader)


@pytest.mark.rule("SAGA-SETUP-02")
def test_random_leader():
    game = ref.Referee({"num_players": 4, "first_leader": "random"}, TABLES, front(), lambda n: n - 2)
    assert game.current_player == 2 and game.to_dict()["options"]["first_leader"] == "random"
    assert [game.infamy[p] for p in (2, 3, 0, 1)] == [5, 4, 3, 6]


@pytest.mark.rule("SAGA-EX-12")
def test_ex12_reserves():
    for n, expected in ((2, [27, 24]), (3, [27, 27, 27]), (4, [25, 26, 27, 24])):
        for leader in range(n):
            game = fresh(n, first_leader=leader)
            assert [game.reserve[(leader + i) % n] for i in range(n)] == expected


# --------------------------------------------------------------------------------------------------- rally


@pytest.mark.rule("SAGA-EX-01")
def test_ex01_rollo():
    game = fresh(2, first=[26])
    assert game.current_player == 0 and game.infamy[0] == 3 and game.reserve[0] == 27
    assert 26 in game.legal_actions()
    game.apply(26)
    d = game.to_dict()
    assert (d["cubes"][SAXONS][0], d["heroes"][SAXONS][0], d["reserve"][0]) == (2, 0, 25)
    assert game.legal_actions() == [HIRE, PASS] and d["card"] == 26 and d["group"] == 15
    game.apply(HIRE)
    d = game.to_dict()
    assert (d["infamy"][0], d["reserve"][0], d["hero_supply"][0]) == (0, 28, 2)
    assert (d["cubes"][SAXONS][0], d["heroes"][SAXONS][0]) == (2, 1)
    assert d["tokens"][BULGARIA] == 1 and d["group"] == 14
    assert game.legal_actions() == [112, 113, 114, 115] and game.current_player == 0
    for n in (3, 4):
        game = fresh(n, first=[26])
        game.apply(26)
        game.apply(PASS)
        assert game.to_dict()["tokens"][BULGARIA] == 1


@pytest.mark.rule("SAGA-EX-06")
@pytest.mark.parametrize(
    "card, region, counts", [(7, HRE, (2,)), (27, FINLAND, (2, 3)), (8, None, ()), (26, BULGARIA, (2, 3, 4))]
)
def test_ex06_marks(card, region, counts):
    for n in (2, 3, 4):
        game = fresh(n, first=[card])
        game.apply(card)
        game.apply(PASS)
        expected = [int(r == region and n in counts) for r in range(9)]
        assert game.to_dict()["tokens"] == expected


@pytest.mark.rule("SAGA-EX-07")
@pytest.mark.parametrize("reserve", [1, 0])
def test_ex07_short_reserve(reserve):
    d = position(2)
    set_cards(d, "hands", 0, [24, *[c for c in d["hands"][0] if c != 24][:5]])
    d["infamy"][0] = 4
    d["cubes"][RUS][0] = 30 - 4 - reserve
    balance(d)
    assert d["reserve"][0] == reserve and d["hero_supply"][0] == 3
    game = load(d)
    game.apply(24)
    if reserve:
        assert game.cubes[SAXONS][0] == 1 and game.reserve[0] == 0
        assert game.legal_actions() == [HIRE, PASS]
        game.apply(HIRE)
        assert game.reserve[0] == 3 and game.infamy[0] == 1
    assert game.decision == "DRAW"
    assert game.cubes[SAXONS][0] == reserve and game.tokens[AFRICA] == 1


@pytest.mark.rule("SAGA-RALLY-08")
def test_hero_without_cube_is_an_option():
    for needs in (True, False):
        d = position(2, hero_needs_cube=needs)
        set_cards(d, "hands", 0, [24, *[c for c in d["hands"][0] if c != 24][:5]])
        d["infamy"][0] = 4
        d["cubes"][RUS][0] = 26
        balance(d)
        game = load(d)
        game.apply(24)
        assert game.decision == ("DRAW" if needs else "HIRE")


@pytest.mark.rule("SAGA-RALLY-13")
@pytest.mark.rule("SAGA-RALLY-14")
def test_draw_replaces_in_the_same_slot():
    game = fresh(2)
    game.apply(5)
    game.apply(PASS)
    d = game.to_dict()
    game.apply(113)
    e = game.to_dict()
    assert d["slots"][1] in e["hands"][0] and e["slots"] == [d["slots"][0], d["draw_pile"][0], d["slots"][2]]
    assert e["draw_pile"] == d["draw_pile"][1:] and e["known_hand"] == [[d["slots"][1]], []]
    # no draw pile: the slot stays empty; with one card left the draw is forced; with none it is skipped
    for slots, forced in (([3, None, 4], False), ([None, 3, None], True), ([None] * 3, True)):
        d = fresh(2, first=[5]).to_dict()
        rest = [c for c in d["draw_pile"] + d["slots"] if c not in slots]
        d.update(draw_pile=[], slots=list(slots))
        d["hands"][0] = [c for c in d["hands"][0] if c not in slots]
        d["piles"][1] = [c for c in rest if c not in slots]
        game = load(d)
        game.apply(5)
        game.apply(PASS)
        assert (game.decision, game.current_player) == (("PLAY", 1) if forced else ("DRAW", 0))
        if not forced:
            assert game.legal_actions() == [112, 114]
            game.apply(114)
            assert game.slots == [3, None, None] and 4 in game.hands[0]
        else:
            assert game.slots == [None] * 3


@pytest.mark.rule("SAGA-RALLY-03")
@pytest.mark.rule("SAGA-RALLY-15")
def test_empty_hands():
    d = fresh(3, first=[22, 38]).to_dict()
    d["draw_pile"] += d["hands"][1]
    d["hands"][1] = []
    d["infamy"] = [2, 2, 2]
    balance(d)
    game = load(d)
    game.apply(22)
    game.apply(115)
    assert (game.decision, game.current_player) == ("PLAY", 2)
    d = position(2)
    d["piles"][1] = sorted(set(range(56)) - {22, 38})
    d.update(hands=[[22, 38], []], slots=[None] * 3, draw_pile=[])
    game = load(d)
    game.apply(38)  # the last card is forced, then the rally is over without the 15th token
    assert game.group == 15 and game.decision == "CUBE" and game.march["kingdom"] == MAGYARS


# --------------------------------------------------------------------------------------------------- march


@pytest.mark.rule("SAGA-EX-02")
@pytest.mark.parametrize(
    "n, leader, pieces, winner, gains",
    [
        (2, 0, {0: (3, 0), 1: (3, 0)}, 0, {1: (3, 0)}),
        (2, 1, {0: (3, 0), 1: (3, 0)}, 1, {0: (3, 0)}),
        (2, 0, {0: (3, 0), 1: (2, 1)}, 1, {0: (3, 0)}),
        (2, 1, {0: (3, 0), 1: (2, 1)}, 1, {0: (3, 0)}),
        (2, 0, {0: (4, 0), 1: (2, 1)}, 0, {1: (2, 1)}),
        (2, 1, {0: (4, 0), 1: (2, 1)}, 0, {1: (2, 1)}),
        (3, 2, {0: (3, 0), 1: (3, 0)}, 0, {1: (3, 0)}),
    ],
)
def test_ex02_control(n, leader, pieces, winner, gains):
    d = position(n, leader)
    set_cards(d, "piles", 0, [0, 2])
    set_cards(d, "piles", 1, [1, 3])
    for p, (cubes, heroes) in pieces.items():
        d["cubes"][NORMANS][p], d["heroes"][NORMANS][p] = cubes, heroes
    game = last_token(d, leader)
    before = game.to_dict()
    game.apply(53)
    after = game.to_dict()
    assert after["controller"][NORMANS] == winner and after["controller"][SAXONS] is None
    assert (after["decision"], after["player"]) == ("CUBE", winner)
    for p in range(n):
        infamy, heroes = gains.get(p, (0, 0))
        assert after["infamy"][p] - before["infamy"][p] == infamy
        assert after["hero_supply"][p] - before["hero_supply"][p] == heroes
        mine = pieces[p] if p == winner else (0, 0)
        assert (after["cubes"][NORMANS][p], after["heroes"][NORMANS][p]) == mine


@pytest.mark.rule("SAGA-EX-03")
def test_ex03_ragnar():
    d = position(2)
    set_cards(d, "piles", 0, [16, 22, 19])
    d["cubes"][MAGYARS][0], d["heroes"][MAGYARS][0] = 6, 2
    game = last_token(d, 0)
    game.apply(53)
    assert game.to_dict()["march"] == {
        "kingdom": MAGYARS, "pass": 1, "armies": 4, "fleets": 2, "land": 0, "sea": 0, "last": 0,
    }  # fmt: skip
    steps = [
        (span(116, 123), 118),
        (span(118, 123), 119),
        (span(119, 124), 119),
        ([120, 124], 124),
        (span(125, 133), 128),
        (span(128, 133), 133),
    ]
    for mask, action in steps:
        assert game.current_player == 0 and game.legal_actions() == mask
        game.apply(action)
    assert game.to_dict()["march"]["kingdom"] == NORWEGIANS
    board = {r: (game.cubes[7 + r][0], game.heroes[7 + r][0]) for r in range(9)}
    assert board == {**dict.fromkeys(range(9), (0, 0)), BULGARIA: (1, 0), FINLAND: (2, 1), POLAND: (3, 1)}
    assert game.cubes[MAGYARS] == [0, 0] and game.heroes[MAGYARS] == [0, 0]


def danes(cubes):
    d = position(2)
    set_cards(d, "piles", 0, [32, 35])
    d["cubes"][DANES][0] = cubes
    game = last_token(d, 0)
    game.apply(53)
    assert game.march["kingdom"] == DANES and (game.march["armies"], game.march["fleets"]) == (3, 2)
    return game


@pytest.mark.rule("SAGA-EX-08")
def test_ex08_short_reserve_in_the_march():
    game = danes(4)
    assert game.legal_actions() == span(116, 123)
    other = game.clone()
    game.apply(120)
    game.apply(120)
    assert game.legal_actions() == span(120, 123)
    game.apply(121)
    assert game.legal_actions() == span(121, 124)
    other.apply(121)
    other.apply(121)
    assert other.march["kingdom"] == NORWEGIANS  # both last cubes were forced to Poland
    assert other.cubes[7 + POLAND][0] == 2 and other.cubes[7 + IBERIA][0] == 2
    game = danes(5)
    game.apply(119)
    assert game.legal_actions() == span(119, 123)
    game.apply(120)
    assert game.legal_actions() == span(120, 123)


def march_outcomes(order, kingdom, a, s, c):
    """Walk the whole CUBE tree: each final list of regions (sorted) with the number of paths to it."""
    game = fresh(2, march_order=order)
    game._ask("CUBE", 0)
    todo, paths = {((), 0, 0, 0): 1}, {}
    for left in range(c, 0, -1):
        following: dict = {}
        for (sent, land, sea, last), count in todo.items():
            game.cubes[kingdom][0] = left
            game.march = {"kingdom": kingdom, "armies": a, "fleets": s, "last": last}
            game.march |= {"land": land, "sea": sea}
            actions = game.legal_actions()
            assert actions, "dead end"
            for action in actions:
                r = action - 116
                kind = ref.region_class(TABLES, kingdom, r)
                last_now = r if order == "sorted" else 0
                node = (tuple(sorted((*sent, r))), land + (kind == "LAND"), sea + (kind == "SEA"), last_now)
                following[node] = following.get(node, 0) + count
        todo = following
    for (sent, *_), count in todo.items():
        paths[sent] = paths.get(sent, 0) + count
    return paths


@pytest.mark.rule("SAGA-MARCH-13")
@pytest.mark.rule("SAGA-MARCH-15")
@pytest.mark.rule("SAGA-OPT-03")
@pytest.mark.parametrize("order", ["sorted", "free"])
def test_march_mask_reaches_exactly_the_printed_outcomes(order):
    """Compare the CUBE tree with soldiers and ships handed out as the rulebook prints it."""
    for kingdom, a, s in itertools.product(range(7), range(3), range(3)):
        near = TABLES["adjacent"][kingdom]
        coast = [r for r in range(9) if TABLES["coastal"][r]]
        for c in range(1, a + s + 1):
            printed = set()
            for by_land in range(max(0, c - s), min(a, c) + 1):
                for x in itertools.combinations_with_replacement(near, by_land):
                    for y in itertools.combinations_with_replacement(coast, c - by_land):
                        printed.add(tuple(sorted(x + y)))
            paths = march_outcomes(order, kingdom, a, s, c)
            assert set(paths) == printed
            if order == "sorted":
                assert set(paths.values()) == {1}


@pytest.mark.rule("SAGA-OPT-02")
def test_free_order_keeps_last_at_zero():
    d = position(2, march_order="free")
    set_cards(d, "piles", 0, [16, 22, 19])
    d["cubes"][MAGYARS][0], d["heroes"][MAGYARS][0] = 6, 2
    game = last_token(d, 0)
    game.apply(53)
    assert game.legal_actions() == span(116, 124)  # all regions are looked at, so Poland is no dead end
    game.apply(124)
    assert game.march["last"] == 0 and game.march["land"] == 1 and 116 in game.legal_actions()


@pytest.mark.rule("SAGA-EX-04")
@pytest.mark.parametrize("leader", [0, 1, 2])
def test_ex04_battle(leader):
    erik, harald, sigrid = 0, 1, 2
    d = position(3, leader)
    place = 7 + HRE
    d["cubes"][place], d["heroes"][place] = [2, 4, 3], [0, 0, 1]
    d["tokens"][HRE] = 5
    d["controller"][MAGYARS] = sigrid  # with a route to the Empire, so that there is a pause before M7
    set_routes(d, sigrid, [8, 19])
    game = last_move(d, erik)
    before = game.to_dict()
    game.apply(116)
    now = game.to_dict()
    assert (now["decision"], now["player"]) == ("ROUTE", sigrid)
    assert now["cubes"][place] == [0, 0, 3] and now["heroes"][place] == [0, 0, 1]
    assert [now["infamy"][p] - before["infamy"][p] for p in range(3)] == [2, 4, 0]
    assert [now["plunder"][p] - before["plunder"][p] for p in range(3)] == [0, 0, 5]
    assert now["tokens"][HRE] == 0
    game.apply(PASS)
    after = game.to_dict()
    assert after["cubes"][place] == [0, 0, 0] and after["heroes"][place] == [0, 0, 0]
    assert after["reserve"][sigrid] == before["reserve"][sigrid] + 3
    assert after["hero_supply"][sigrid] == before["hero_supply"][sigrid] + 1 == 3
    assert after["reserve"][erik] == before["reserve"][erik] + 1  # only the cube from Africa
    assert after["reserve"][harald] == before["reserve"][harald]


@pytest.mark.rule("SAGA-EX-09")
def test_ex09_end_of_rally():
    asked = []

    def shuffle(purpose, occurrence, items):
        asked.append((purpose, occurrence, list(items)))
        return list(reversed(items))

    d = position(4)
    d["infamy"] = [5, 0, 0, 0]
    d["draw_pile"] = d["draw_pile"][::-1]
    last_token(d, 0)
    game = load(d, shuffle)
    game.apply(53)
    assert game.legal_actions() == [HIRE, PASS]
    game.apply(PASS)
    assert game.group == 0 and game.decision == "DELAY"  # M1 has followed at once, no DRAW
    assert len(game.hands[0]) == 5 and game.tokens[BULGARIA] == 1
    game.apply(PASS)
    while game.decision == "CUBE":
        game.apply(game.legal_actions()[0])
    assert game.decision == "BUY" and game.current_player == 0
    game.apply(PASS)
    hand = sorted(game.hands[0])
    for i, card in enumerate(hand):
        assert game.legal_actions() == [56 + c for c in hand[i:]] + [PASS]
        game.apply(56 + card)
    # nobody else has infamy: the next round begins by itself
    assert game.round == 2 and game.group == 15 and game.leader == 1 and game.current_player == 1
    assert asked == [("influence", 2, [c for c in range(56) if c not in hand])]
    dealt = list(reversed(asked[0][2]))
    assert game.hands[0] == set(hand) | {dealt[0]}
    assert [game.hands[p] for p in (1, 2, 3)] == [set(dealt[1 + 6 * i : 7 + 6 * i]) for i in range(3)]
    assert game.slots == dealt[19:22] and game.draw_pile == dealt[22:]
    assert game.held_count == [5, 0, 0, 0] and game.hand_before_hold == [5, 6, 6, 6]


@pytest.mark.rule("SAGA-RALLY-12")
def test_draw_after_last_token_option():
    d = position(4, draw_after_last_token=True)
    game = last_token(d, 0)
    game.apply(53)
    assert game.decision == "DRAW" and game.group == 0
    game.apply(115)
    assert game.decision == "CUBE" and len(game.hands[0]) == 6


def delay_position(**options):
    d = position(2, **options)
    set_cards(d, "piles", 0, [0, 8, 22])
    d["cubes"][NORMANS][0] = d["cubes"][RUS][0] = 2
    d["infamy"][0] = 5
    game = last_token(d, 1)
    game.apply(53)
    assert (game.decision, game.current_player, game.march) == ("DELAY", 0, {"kingdom": NORMANS, "pass": 1})
    assert game.legal_actions() == [DELAY, PASS]
    return game


def moving_order(game):
    order = []
    while game.decision in ("CUBE", "HERO"):
        if game.march["kingdom"] not in order:
            order.append(game.march["kingdom"])
        game.apply(game.legal_actions()[0])
    return order


@pytest.mark.rule("SAGA-EX-10")
def test_ex10_delay():
    game = delay_position()
    reserve = game.reserve[0]
    game.apply(DELAY)
    assert game.infamy[0] == 0 and game.reserve[0] == reserve + 5 and game.time_used == [True, False]
    assert game.decision == "CUBE" and game.delayed[NORMANS]
    assert moving_order(game) == [RUS, NORWEGIANS, NORMANS]
    game = delay_position()
    game.apply(PASS)
    assert game.decision == "CUBE" and game.march["kingdom"] == NORMANS
    assert moving_order(game) == [NORMANS]
    assert (game.decision, game.march) == ("DELAY", {"kingdom": RUS, "pass": 1})
    game.apply(DELAY)
    assert moving_order(game) == [NORWEGIANS, RUS]


@pytest.mark.rule("SAGA-MARCH-10")
def test_cubes_lost_in_m1_pay_for_a_delay():
    d = position(2)
    set_cards(d, "piles", 0, [8])
    d["cubes"][NORMANS] = [5, 6]
    d["cubes"][RUS][0] = 2
    game = last_token(d, 0)
    set_cards(d, "piles", 1, [0, 1])
    game = load(d)
    game.apply(53)
    while game.march["kingdom"] == NORMANS:
        assert game.current_player == 1
        game.apply(game.legal_actions()[0])
    assert (game.decision, game.current_player, game.infamy[0]) == ("DELAY", 0, 5)


@pytest.mark.rule("SAGA-EX-14")
@pytest.mark.parametrize("collect", [False, True])
def test_ex14_hero_alone(collect):
    d = position(2, 1, heroes_collect=collect)
    d["heroes"][7 + ITALY][0] = 1
    d["cubes"][7 + ITALY][1] = 1
    d["tokens"][ITALY] = 4
    game = last_move(d, 0)
    before = list(game.plunder)
    game.apply(116 + IRELAND)
    assert game.decision == "HOLD" and game.current_player == 1  # in planning now, with one infamy
    assert game.infamy == [0, 1]
    assert game.tokens[ITALY] == (0 if collect else 4)
    assert game.plunder == [before[0] + (4 if collect else 0), before[1]]


@pytest.mark.rule("SAGA-EX-15")
@pytest.mark.parametrize("collect", [False, True])
@pytest.mark.parametrize("two", [False, True])
def test_ex15_routes(two, collect):
    d = position(2, heroes_collect=collect)
    d["controller"][NORMANS] = d["controller"][RUS] = 0
    d["cubes"][7 + IBERIA] = [1, 2]  # the Norman cube will be lost here
    d["cubes"][7 + ITALY][0] = 1
    d["heroes"][7 + POLAND][0] = 1  # route 2 (Normans-Poland): a hero alone is not enough
    set_routes(d, 0, [1, 2] + ([0] if two else []))
    d["cubes"][7 + AFRICA][0] = int(two)
    game = last_move(d, 1)
    game.apply(116 + IRELAND)
    assert game.cubes[7 + IBERIA] == [0, 2] and game.infamy[0] == 1
    extra = [136] if collect else []
    if not two:
        assert game.legal_actions() == [135, *extra, PASS]
        return
    assert (game.decision, game.current_player) == ("ROUTE", 0)
    assert game.legal_actions() == [134, 135, *extra, PASS]
    game.route_known_holder[1][0] = game.route_known_holder[1][2] = 0
    other = game.clone()
    game.apply(134)
    assert game.route_known_holder[1][:3] == [None, None, 0]  # SAGA-INFO-07: until it is completed
    assert game.legal_actions() == [135, *extra, PASS] and game.route_last == 0
    assert game.scores()[0] - other.scores()[0] == 3
    other.apply(135)
    assert other.decision == ("ROUTE" if collect else "HOLD")
    assert 134 not in other.legal_actions() and other.routes_open[0] == {0, 2}


# ------------------------------------------------------------------------------------------------ planning


def planning(hand, infamy, n=2):
    d = position(n)
    set_cards(d, "hands", 0, hand)
    while len(d["hands"][1]) < 6:
        d["hands"][1].append(d["draw_pile"].pop())
    d["infamy"][:2] = infamy
    d.update(decision="BUY", player=0, group=0)
    d["plunder"][0] = 15
    balance(d)
    return d


@pytest.mark.rule("SAGA-EX-11")
def test_ex11_planning():
    d = planning([3, 10, 26, 40, 41, 50], [4, 1])
    deck, reserve = d["route_deck"], d["reserve"][0]
    game = load(d)
    assert game.legal_actions() == [BUY, PASS]
    game.apply(BUY)
    assert game.infamy[0] == 1 and game.decision == "KEEP"
    assert game.legal_actions() == sorted(154 + t for t in deck[:2])
    game.apply(154 + deck[1])
    assert deck[1] in game.routes_open[0] and game.route_deck == deck[2:] + deck[:1]
    assert game.decision == "HOLD" and game.legal_actions() == [59, 66, 82, 96, 97, 106, 177]
    game.apply(66)
    assert (game.decision, game.current_player) == ("HOLD", 1)
    assert game.infamy[0] == 0 and game.hands[0] == {10} and game.reserve[0] == reserve + 4
    game.apply(PASS)
    assert game.round == 2
    dealt = [c for c in range(56) if c != 10]
    assert game.hands[0] == {10} | set(dealt[:5]) and game.hands[1] == set(dealt[5:11])
    assert game.slots == dealt[11:14] and game.draw_pile == dealt[14:]


@pytest.mark.rule("SAGA-PLAN-04")
@pytest.mark.rule("SAGA-INFO-07")
def test_short_route_deck_and_positions():
    d = planning([3, 10, 26, 40, 41, 50], [9, 6], n=3)
    d["routes_done"][2] = d["route_deck"][3:]
    deck = d["route_deck"] = d["route_deck"][:3]
    game = load(d)
    game.apply(BUY)
    game.apply(154 + deck[0])
    assert game.route_deck == [deck[2], deck[1]]
    assert game.route_pos[0][deck[1]] == 1 and game.route_pos[1] == game.route_pos[2] == [-1] * 20
    game.apply(BUY)  # a returned card may come back
    assert game.legal_actions() == sorted([154 + deck[1], 154 + deck[2]])
    assert game.route_pos[0] == [-1] * 20
    game.apply(154 + deck[2])
    assert game.route_deck == [deck[1]] and game.route_pos[0][deck[1]] == 0
    game.apply(PASS)
    while game.decision == "HOLD":
        game.apply(PASS)
    assert (game.decision, game.current_player) == ("BUY", 1)
    game.apply(BUY)  # one card: it is kept, and seat 0 knows which it was
    assert game.route_deck == [] and game.decision == "HOLD" and game.infamy[1] == 3
    assert deck[1] in game.routes_open[1] and game.route_pos[0][deck[1]] == -1
    assert [game.route_known_holder[p][deck[1]] for p in range(3)] == [1, None, None]


@pytest.mark.rule("SAGA-INFO-07")
def test_known_position_moves_up():
    d = planning([3, 10, 26, 40, 41, 50], [3, 6])
    deck = d["route_deck"]
    game = load(d)
    game.apply(BUY)
    returned = max(deck[:2])
    game.apply(154 + min(deck[:2]))
    assert game.route_pos[0][returned] == len(deck) - 2
    assert game.current_player == 1
    game.apply(BUY)
    assert game.route_pos[0][returned] == len(deck) - 4
    game.apply(game.legal_actions()[0])
    assert game.route_pos[0][returned] == len(deck) - 4
    assert game.route_deck[len(deck) - 4] == returned


@pytest.mark.rule("SAGA-INFO-04")
@pytest.mark.rule("SAGA-INFO-10")
@pytest.mark.parametrize("hold_all", [False, True])
def test_facts_written_at_the_end_of_a_planning_turn(hold_all):
    hand = [3, 10, 26]
    d = planning(hand, [3, 0])
    d["known_hand"] = [[10], [d["hands"][1][0]]]
    set_cards(d, "piles", 0, [53, 52])
    set_cards(d, "piles", 1, [55])
    game = load(d)
    game.apply(PASS)
    for card in hand if hold_all else hand[1:2]:
        assert game.known_hand[0] == {10} and game.held_count == [0, 0]
        game.apply(56 + card)
    if not hold_all:
        game.apply(PASS)
    assert game.round == 2 and game.known_hand_prev == [{10}, {d["hands"][1][0]}]
    assert game.known_hand == ([{10}, set()] if hold_all else [set(), set()])
    assert game.held_count == [3 if hold_all else 1, 0] and game.hand_before_hold == [3, 6]
    public = {53, 52, 55} | set(d["slots"])
    assert game.not_held == [public | set(hand), public | set(d["hands"][1])]


# ----------------------------------------------------------------------------------------------------- end


@pytest.mark.rule("SAGA-EX-05")
def test_ex05_bonus():
    game = ended(3, [5, 5, 2], [10, 4, 7], [[0, 1], [], [2, 3, 4]])
    plain = [10 + 3 + 2, 4, 7 + 4 + 3 + 2]
    assert [s - x for s, x in zip(game.scores(), plain)] == [3, 1, 0]
    game = ended(2, [0, 0], [1, 1], [[0, 1], []])
    assert game.scores() == [1 + 5 + 3, 1 + 1]  # SAGA-END-03


@pytest.mark.rule("SAGA-EX-13")
def test_ex13_rewards():
    # plunder such that the bonus of 1 for the most infamy leads to the stated scores
    first = {"n": 4, "infamy": [3, 5, 5, 0], "plunder": [20, 17, 17, 11]}
    game = ended(**first)
    assert game.scores() == [20, 18, 18, 11] and game.returns() == [1, 0, 0, -1]
    assert game.ranks() == [1, 2, 2, 4]
    third = 1 / 3
    assert ended(**first, reward="win").returns() == pytest.approx([1, -third, -third, -third])
    game = ended(3, [2, 6, 9], [20, 20, 8])
    assert game.scores() == [20, 20, 9] and game.returns() == [0, 1, -1] and game.ranks() == [2, 1, 3]
    for reward in ("rank", "win", "score"):
        game = ended(2, [4, 4], [11, 11], reward=reward)
        assert game.scores() == [12, 12] and game.returns() == [0, 0] and game.ranks() == [1, 1]


@pytest.mark.rule("SAGA-END-08")
def test_score_reward():
    game = ended(3, [2, 6, 9], [20, 20, 8], reward="score", score_scale=10)
    assert game.returns() == pytest.approx([0.55, 0.55, -1.1])
    shared = ended(3, [6, 6, 0], [10, 10, 8], reward="win")
    assert shared.returns() == pytest.approx([0.25, 0.25, -0.5])


# ------------------------------------------------------------------------------------------- random games


class Watched(ref.Referee):
    """Checks what SAGA-EDGE-11 says about the insides of the march, where no decision shows it."""

    def _m1_control(self):
        super()._m1_control()
        for row in zip(self.cubes[:7], self.heroes[:7]):
            assert sum(c + h > 0 for c, h in zip(*row)) <= 1

    def _m4_battles(self):
        assert not any(map(any, self.cubes[:7])) and not any(map(any, self.heroes[:7]))
        super()._m4_battles()
        for row in zip(self.cubes[7:], self.heroes[7:]):
            assert sum(c + h > 0 for c, h in zip(*row)) <= 1

    def _m7_clean_up(self):
        super()._m7_clean_up()
        assert not any(map(any, self.cubes)) and not any(map(any, self.heroes))
        assert not any(self.time_used) and not any(self.delayed)

    def _begin_move(self, pass_no, kingdom):
        super()._begin_move(pass_no, kingdom)
        p = self.controller[kingdom]
        assert self.cubes[kingdom][p] <= self.march["armies"] + self.march["fleets"]  # SAGA-MARCH-12

    def _do(self, action):
        super()._do(action)
        check_counts(self)


def check_counts(game):
    n = game.n
    for p in range(n):  # SAGA-DATA-02
        assert game.reserve[p] + game.infamy[p] + sum(row[p] for row in game.cubes) == 30
        assert game.hero_supply[p] + sum(row[p] for row in game.heroes) == 3
        owned = [k for k in range(7) if game.delayed[k] and game.controller[k] == p]
        assert len(owned) == int(game.time_used[p])
    left = 15 * (3 - game.round)
    assert sum(game.tokens) + sum(game.plunder) + game.group + left == 45  # SAGA-DATA-03
    numbers = game.reserve + game.infamy + game.hero_supply + game.plunder + game.tokens + [game.group]
    assert min(numbers + [x for row in game.cubes + game.heroes for x in row]) >= 0
    cards = list(game.draw_pile) + [c for c in game.slots if c is not None]
    cards += [c for part in list(game.hands) + game.piles for c in part]
    assert len(cards) == len(set(cards)) and set(cards) <= set(range(56))
    after_planning = game.decision == "END" and game.options["final_planning"]
    assert game.decision in ("BUY", "KEEP", "HOLD") or after_planning or len(cards) == 56
    routes = list(game.route_deck) + list(game.routes_drawn)
    routes += [t for part in game.routes_open + game.routes_done for t in part]
    assert sorted(routes) == list(range(20))
    if not game.options["draw_after_last_token"]:
        assert game.decision != "DRAW" or game.group > 0
    turns = sum(map(len, game.piles))
    assert turns <= 71 - sum(ref.places(TABLES, c, n) for c in range(56))  # SAGA-EDGE-09


def check_knowledge(game):
    """What the referee books as known is true, whatever it is."""
    for q in range(game.n):
        assert game.known_hand[q] <= game.hands[q]
        for t in range(20):
            where, holder = game.route_pos[q][t], game.route_known_holder[q][t]
            assert where == -1 or game.route_deck[where] == t
            assert holder is None or t in game.routes_open[holder]
            assert where == -1 or holder is None


def play(seed, n, deep=False, **options):
    rng = random.Random(seed)
    game = Watched({"num_players": n, **options}, TABLES, seeded(seed), lambda k: seed % k)
    decisions = 0
    while not game.is_terminal():
        legal = game.legal_actions()
        assert len(legal) >= 2 and legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] <= 177
        assert game.returns() == [0.0] * n and game.current_player in range(n)
        if deep and (decisions % 4 == 0 or game.decision in ("ROUTE", "KEEP", "HOLD")):
            check_knowledge(game)
            d = game.to_dict()
            back = ref.Referee.from_dict(json.loads(json.dumps(d)), TABLES, front())
            assert back.to_dict() == d and back.legal_actions() == legal
            for p in range(n):
                assert game.possible(d, p), (p, game.decision, game.round)
                json.dumps(game.view(p))
            with pytest.raises(ValueError):
                game.apply(next(a for a in range(-1, 179) if a not in legal))
            assert game.to_dict() == d
        game.apply(rng.choice(legal))
        decisions += 1
    bound = {2: 536, 3: 624, 4: 700}[n]
    bound += 7 * n * bool(options.get("final_planning")) + 3 * bool(options.get("draw_after_last_token"))
    assert decisions <= bound
    assert game.round == 3 and game.group == 0 and game.legal_actions() == [] and game.current_player == -1
    assert sum(game.returns()) == pytest.approx(0, abs=1e-9)
    assert min(game.ranks()) == 1
    check_knowledge(game)
    with pytest.raises(ValueError):
        game.apply(PASS)
    return decisions


OPTION_SETS = [
    {},
    {"final_planning": True},
    {"draw_after_last_token": True},
    {"hero_needs_cube": False},
    {"heroes_collect": True},
    {"march_order": "free"},
    {"recall": "table"},
    {"reward": "win", "first_leader": "random"},
    {"reward": "score", "score_scale": 5, "first_leader": 1},
    {
        "final_planning": True,
        "draw_after_last_token": True,
        "hero_needs_cube": False,
        "heroes_collect": True,
        "march_order": "free",
        "recall": "table",
        "first_leader": "random",
    },
]


@pytest.mark.rule("SAGA-EDGE-10")
@pytest.mark.rule("SAGA-EDGE-11")
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("number", range(len(OPTION_SETS)))
def test_random_games(n, number):
    for seed in range(6):
        play(1000 * number + seed, n, **OPTION_SETS[number])


@pytest.mark.rule("SAGA-INFO-11")
@pytest.mark.rule("SAGA-TURN-08")
@pytest.mark.rule("SAGA-ACT-03")
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("number", [0, 9])
def test_true_state_is_always_possible(n, number):
    for seed in range(2):
        play(77 * number + seed, n, deep=True, **OPTION_SETS[number])


@pytest.mark.rule("SAGA-EDGE-10")
@pytest.mark.parametrize("n, mean", [(2, 193), (3, 218), (4, 249)])
def test_mean_length_of_random_games(n, mean):
    lengths = [play(5000 + seed, n) for seed in range(40)]
    assert sum(lengths) / len(lengths) == pytest.approx(mean, abs=8)


@pytest.mark.rule("SAGA-TURN-08")
def test_state_json_keys():
    d = fresh(3).to_dict()
    assert sorted(d) == sorted(
        "game num_players options round leader decision player hands piles slots draw_pile cubes heroes "
        "tokens group reserve infamy hero_supply time_used plunder controller delayed route_deck "
        "routes_open routes_done routes_drawn card march route_last held hold_last known_hand "
        "known_hand_prev held_count "
        "hand_before_hold not_held route_pos route_known_holder".split()
    )
    assert sorted(d["options"]) == sorted(ref.DEFAULT_OPTIONS)


@pytest.mark.rule("SAGA-TURN-08")
def test_restored_game_continues_alike():
    for seed in range(6):
        game = ref.Referee({"num_players": 2 + seed % 3}, TABLES, seeded(seed))
        rng = random.Random(seed)
        for _ in range(40 + 20 * seed):
            game.apply(rng.choice(game.legal_actions()))
        d = game.to_dict()
        copies = [load(d), game.clone()]
        copies[1].shuffle = front()
        for _ in range(100):
            if copies[0].is_terminal():
                break
            action = rng.choice(copies[0].legal_actions())
            for other in copies:
                other.apply(action)
            assert copies[0].to_dict() == copies[1].to_dict()
        assert game.to_dict() == d


# --------------------------------------------------------------------------------------------- information


@pytest.mark.rule("SAGA-INFO-08")
def test_route_decision_is_masked():
    d = position(3)
    d["controller"][NORMANS] = 0
    d["cubes"][7 + ITALY][0] = 1
    set_routes(d, 0, [1, 2])
    game = last_move(d, 1)
    game.apply(116 + IRELAND)
    assert game.decision == "ROUTE"
    asked = game.view(0)
    assert (asked["decision"], asked["acting"], asked["context"]) == ("ROUTE", 0, {"last": -1})
    # whether or not the hidden routes of seat 0 can be completed, the others see the same and no decision
    for p in (1, 2):
        view = game.view(p)
        assert (view["decision"], view["acting"], view["context"]) == ("NONE", None, {})
        swapped = game.to_dict()
        set_routes(swapped, 0, [2, 19])
        assert load(swapped).view(p) == view
        assert not game.possible(swapped, p)  # the decision would not be offered


@pytest.mark.rule("SAGA-INFO-08")
def test_hold_step_is_masked():
    game = load(planning([3, 10, 26, 40, 41, 50], [6, 1]))
    game.apply(PASS)
    start = game.view(1)
    assert (start["decision"], start["acting"], start["hand_sizes"]) == ("HOLD", 0, [6, 6])
    game.apply(56 + 10)
    game.apply(56 + 40)
    assert game.view(1) == start
    own = game.view(0)
    assert own["context"] == {"held": [10, 40], "last": 40} and own["infamy"][0] == 4
    game.apply(PASS)
    after = game.view(1)
    assert after["hand_sizes"] == [2, 6] and after["infamy"] == [4, 1] and after["held_count"] == [2, 0]


@pytest.mark.rule("SAGA-INFO-09")
def test_keep_is_private():
    game = load(planning([3, 10, 26, 40, 41, 50], [4, 1]))
    drawn = game.route_deck[:2]
    game.apply(BUY)
    assert game.view(0)["context"] == {"drawn": drawn}
    assert (game.view(1)["decision"], game.view(1)["acting"], game.view(1)["context"]) == ("KEEP", 0, {})


@pytest.mark.rule("SAGA-INFO-03")
def test_table_recall_shows_tops_and_moved_kingdoms():
    d = position(2, recall="table")
    set_cards(d, "piles", 0, [16, 0, 22, 8, 19])
    d["cubes"][MAGYARS][0] = d["cubes"][RUS][0] = 2
    game = last_token(d, 1)
    view = game.view(1)
    assert view["pile_cards"] == [[19], []] and view["pile_tops"] == [19, None] and view["piles"][0] is None
    assert view["pile_sizes"] == [5, 0]
    for key in ("known_hand", "known_hand_prev", "not_held", "route_pos", "route_known_holder"):
        assert key not in view
    assert game.view(0)["piles"][0] == [16, 0, 22, 8, 19]
    game.apply(53)
    assert game.march["kingdom"] == RUS and game.view(1)["pile_cards"][0] == [8, 19]
    while game.march["kingdom"] == RUS:
        game.apply(game.legal_actions()[0])
    assert game.march["kingdom"] == MAGYARS and game.view(1)["pile_cards"][0] == [8, 16, 19, 22]
    delayed = delay_position(recall="table")
    delayed.apply(DELAY)
    while delayed.march["pass"] == 1:
        assert delayed.view(1)["pile_cards"][0] == [8, 22]  # the Normans (card 0) have not been revealed
        delayed.apply(delayed.legal_actions()[0])
    assert delayed.march["kingdom"] == NORMANS and delayed.view(1)["pile_cards"][0] == [0, 8, 22]
    full = load({**game.to_dict(), "options": {**d["options"], "recall": "full"}}).view(1)
    assert full["piles"][0] == [16, 0, 22, 8, 19] and full["known_hand"] == [[], []]


@pytest.mark.rule("SAGA-INFO-11")
def test_possible_conditions():
    game = ref.Referee({"num_players": 3}, TABLES, seeded(5))
    game.apply(sorted(game.hands[0])[0])
    while game.current_player == 0:
        game.apply({"HIRE": PASS, "DRAW": 112}[game.decision])
    d = game.to_dict()
    (known,) = d["known_hand"][0]

    def swapped(owner, mine, index):
        e = copy.deepcopy(d)
        e["hands"][owner].remove(mine)
        e["hands"][owner] = sorted(e["hands"][owner] + [e["draw_pile"][index]])
        e["draw_pile"][index] = mine
        return e

    unknown = next(c for c in d["hands"][0] if c != known)
    assert game.possible(swapped(0, unknown, 4), 1) and game.possible(swapped(0, unknown, 4), 2)
    assert not game.possible(swapped(0, unknown, 4), 0)  # its own hand
    assert not game.possible(swapped(0, known, 4), 1)  # taken openly
    e = copy.deepcopy(d)
    e["hands"][0].remove(unknown)  # sizes
    e["draw_pile"].append(unknown)
    assert not game.possible(e, 1)
    e = copy.deepcopy(d)
    e["draw_pile"].reverse()
    e["route_deck"].reverse()
    assert game.possible(e, 1)
    e["plunder"][0] += 1
    assert not game.possible(e, 1)
    e = copy.deepcopy(d)
    e["draw_pile"][0] = e["draw_pile"][1]  # a card twice
    assert not game.possible(e, 1)
    e = copy.deepcopy(d)
    e["routes_open"][2][0], e["route_deck"][0] = e["route_deck"][0], e["routes_open"][2][0]
    e["routes_open"][2].sort()
    assert game.possible(e, 0) and not game.possible(e, 2)


@pytest.mark.rule("SAGA-INFO-07")
@pytest.mark.rule("SAGA-INFO-11")
def test_known_deck_positions_are_kept():
    game = load(planning([3, 10, 26, 40, 41, 50], [3, 6]))
    game.apply(BUY)
    game.apply(game.legal_actions()[0])
    d = game.to_dict()
    e = copy.deepcopy(d)
    e["route_deck"][-1], e["route_deck"][0] = e["route_deck"][0], e["route_deck"][-1]
    assert game.possible(e, 1) and not game.possible(e, 0)
    e = copy.deepcopy(d)
    e["route_deck"][1], e["route_deck"][0] = e["route_deck"][0], e["route_deck"][1]
    assert game.possible(e, 0)


@pytest.mark.rule("SAGA-INFO-11")
def test_held_cards_must_exist():
    """Round 2: seat 1 held two of its six cards, of which {20, 21} were known; seat 0 saw 0..9."""
    d = position(2)
    set_cards(d, "hands", 0, [50, 51, 52, 53, 54, 55])
    set_cards(d, "hands", 1, [20, 30, 31, 32, 33, 34])
    d["round"], d["held_count"], d["hand_before_hold"] = 2, [0, 2], [6, 6]
    d["not_held"][0] = [*list(range(10)), 32, 33, 34]
    d["known_hand_prev"] = [[], [20, 21, 22, 23, 24]]  # one of the two held ones was known
    game = load(d)
    assert game.possible(d, 0)

    def with_hand(hand):
        e = copy.deepcopy(d)
        set_cards(e, "hands", 1, hand)
        return e

    assert game.possible(with_hand([20, 30, 32, 33, 34, 35]), 0)
    assert not game.possible(with_hand([0, 1, 20, 32, 33, 34]), 0)  # only one card that can have been held
    assert not game.possible(with_hand([30, 31, 35, 36, 37, 38]), 0)  # none of the known ones
    e = with_hand([29, 30, 31, 32, 33, 34])
    assert not game.possible(e, 0)
    # the same card already played counts as well
    d2 = copy.deepcopy(d)
    set_cards(d2, "piles", 1, [21])
    d2["hands"][1] = [29, 30, 31, 32, 33, 34]
    take = [c for c in d2["draw_pile"] if c not in (29, 30, 31, 32, 33, 34)]
    d2["draw_pile"] = [*take, 20]
    assert load(d2).possible(d2, 0)


@pytest.mark.rule("SAGA-INFO-10")
@pytest.mark.rule("SAGA-INFO-11")
def test_facts_of_different_planning_phases_are_not_mixed():
    """Round 2: seat 0 has planned and holds two cards that were played in round 1; seat 1 has not planned."""
    d = planning([0, 1, 2, 3, 4, 5], [2, 1])
    d.update(round=2, decision="HOLD", hand_before_hold=[6, 6])
    d["not_held"] = [list(range(20)), list(range(20))]
    d["plunder"][0] += 15
    game = load(d)
    game.apply(56 + 0)
    game.apply(56 + 1)
    assert (game.decision, game.current_player, game.hands[0]) == ("HOLD", 1, {0, 1})
    assert game.possible(game.to_dict(), 1)


@pytest.mark.rule("SAGA-INFO-11")
def test_own_discards_are_nowhere():
    game = load(planning([3, 10, 26, 40, 41, 50], [1, 2]))
    game.decision = "HOLD"
    game.apply(56 + 10)
    assert (game.decision, game.current_player, game.hands[0]) == ("HOLD", 1, {10})
    d = game.to_dict()
    victim = d["hands"][1][0]
    e = copy.deepcopy(d)
    e["hands"][1] = sorted([c for c in e["hands"][1] if c != victim] + [26])
    assert not game.possible(e, 0)  # 26 was discarded by seat 0 itself
    e = copy.deepcopy(d)
    e["draw_pile"][0] = 26
    assert not game.possible(e, 0)


def tiny(opponent_hand, draw, opponent_routes, deck, decision="PLAY"):
    """Two seats, seat 0 to move, nearly all cards and routes lie open."""
    d = position(2)
    own = [54, 55]
    rest = [c for c in range(56) if c not in own + opponent_hand + draw]
    d.update(hands=[own, sorted(opponent_hand)], slots=[None] * 3, draw_pile=list(draw))
    d["piles"] = [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
    hidden = opponent_routes + deck
    d["routes_open"] = [[], sorted(opponent_routes)]
    d["routes_done"] = [[t for t in range(20) if t not in hidden], []]
    d["route_deck"] = list(deck)
    d["decision"] = decision
    return d


def worlds_as_states(game, keys):
    base = game.to_dict()
    for key in keys:
        world = json.loads(key)
        d = {**copy.deepcopy(base), **world}
        if game.decision == "HOLD":
            q = game.player
            held = len(world["held"]) - len(base["held"])
            d["infamy"][q] -= held
            d["reserve"][q] += held
        yield d


@pytest.mark.rule("SAGA-INFO-11")
def test_enumerate_worlds():
    d = tiny([10, 11], [12, 13, 14], [3], [4, 5])
    game = load(d)
    worlds = ref.enumerate_worlds(game, 0, 1000)
    assert len(worlds) == 10 * 6 * 3 * 2 == len(set(worlds)) and ref.world_key(d) in worlds
    assert all(game.possible(e, 0) for e in worlds_as_states(game, worlds))
    with pytest.raises(ValueError):
        ref.enumerate_worlds(game, 0, 359)
    game.known_hand[1] = {11}
    game.route_pos[0][5] = 1
    worlds = ref.enumerate_worlds(game, 0, 1000)
    assert len(worlds) == 4 * 6 * 2  # 11 and one of four others; 3 and 4 change places, 5 stays
    assert all(game.possible(e, 0) for e in worlds_as_states(game, worlds))
    game.route_pos[0][5] = -1
    game.route_known_holder[0][3] = 1
    assert len(ref.enumerate_worlds(game, 0, 1000)) == 4 * 6 * 2


@pytest.mark.rule("SAGA-INFO-11")
def test_enumerate_worlds_agrees_with_possible():
    """Try every arrangement of the hidden cards and routes; the listed worlds are exactly the possible."""
    d = tiny([10, 11], [12, 13], [3], [4])
    d.update(round=2, held_count=[0, 1], hand_before_hold=[6, 3])
    d["known_hand_prev"][1] = [10, 12, 13]
    d["not_held"][0] = [*list(range(10)), 12, *list(range(15, 56))]
    game = load(d)
    listed = set(ref.enumerate_worlds(game, 0, 1000))
    tried = possible = 0
    for cards in itertools.permutations([10, 11, 12, 13]):
        if cards[0] > cards[1]:
            continue
        for routes in itertools.permutations([3, 4]):
            e = copy.deepcopy(d)
            e["hands"][1], e["draw_pile"] = list(cards[:2]), list(cards[2:])
            e["routes_open"][1], e["route_deck"] = [routes[0]], [routes[1]]
            tried += 1
            possible += game.possible(e, 0)
            assert game.possible(e, 0) == (ref.world_key(e) in listed)
    assert possible == len(listed) and 0 < possible <= tried


@pytest.mark.rule("SAGA-INFO-11")
def test_enumerate_worlds_in_route_hold_and_keep():
    # ROUTE of seat 1: only deals in which it can be asked
    d = tiny([10, 11], [12], [3, 7], [4])
    d.update(decision="ROUTE", player=1, group=0)
    d["controller"][RUS] = 1
    d["cubes"][7 + FINLAND][1] = 1
    d["routes_open"][1], d["route_deck"] = [4, 7], [3]  # 4 = Rus-Finland; Arabia and Bulgaria are empty
    game = load(d)
    worlds = ref.enumerate_worlds(game, 0, 1000)
    assert len(worlds) == 3 * 2 and all(4 in json.loads(w)["routes_open"][1] for w in worlds)
    assert all(game.possible(e, 0) for e in worlds_as_states(game, worlds))
    # HOLD of seat 1 with infamy 2: it may have held nothing or its lower card
    d = tiny([10, 11], [12], [3], [])
    d.update(decision="HOLD", player=1, leader=1, group=0)
    d["infamy"][1] = 2
    balance(d)
    game = load(d)
    assert len(ref.enumerate_worlds(game, 0, 1000)) == 3 * 2
    assert len(ref.enumerate_worlds(game, 0, 1000, hold="start")) == 3
    game.apply(56 + 10)
    worlds = ref.enumerate_worlds(game, 0, 1000)
    assert len(worlds) == 3 * 2 and ref.world_key(game.to_dict()) in worlds
    assert all(game.possible(e, 0) for e in worlds_as_states(game, worlds))
    # KEEP of seat 1: the drawn pair is hidden and has an order
    d = tiny([10, 11], [12], [3], [4, 5, 6])
    d.update(decision="BUY", player=1, leader=1, group=0)
    d["infamy"][1] = 3
    balance(d)
    game = load(d)
    game.apply(BUY)
    assert game.decision == "KEEP"
    worlds = ref.enumerate_worlds(game, 0, 1000)
    assert len(worlds) == 3 * 4 * 3 * 2 and ref.world_key(game.to_dict()) in worlds
    # seat 1 itself knows its pair and so the one route in the deck; open are two of {12, 54, 55}
    assert len(ref.enumerate_worlds(game, 1, 1000)) == 3
