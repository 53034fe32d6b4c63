"""Slow, plain referee for Saga of the Northmen, written from the rules ledger alone.

It shares no code and no data file with the package. Every step is spelled out with lists, sets and dicts, so
that a fast engine can be compared with it state by state. Comments name the ledger rule that a line follows.
"""

from __future__ import annotations

import copy
import csv
import io
import json
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from pathlib import Path

# ---------------------------------------------------------------------------------------------------------
# Data (SAGA-DATA-06, -08, -11, -16, -19), typed in the form of SAGA-DATA-20
# ---------------------------------------------------------------------------------------------------------

KINGDOMS_CSV = """\
id,name
0,Normans
1,Rus
2,Magyars
3,Saxons
4,Danes
5,Byzantines
6,Norwegians
"""

REGIONS_CSV = """\
id,name,coastal
0,Africa,yes
1,Arabia,yes
2,Bulgaria,yes
3,Finland,yes
4,Holy Roman Empire,no
5,Iberia,yes
6,Ireland,yes
7,Italy,yes
8,Poland,no
"""

ADJACENCY_CSV = """\
kingdom,adjacent regions
Normans,Holy Roman Empire;Iberia;Italy
Rus,Bulgaria;Finland;Poland
Magyars,Bulgaria;Holy Roman Empire;Poland
Saxons,Holy Roman Empire;Ireland
Danes,Holy Roman Empire;Poland
Byzantines,Africa;Arabia;Bulgaria;Italy
Norwegians,Finland;Ireland
"""

CARDS_CSV = """\
id,suit,armies,fleets,plunder,mark
0,Normans,3,0,-,-
1,Normans,0,3,Arabia,-
2,Normans,2,0,Ireland,-
3,Normans,0,2,Poland,-
4,Normans,1,1,Bulgaria,-
5,Normans,1,0,Africa,-
6,Normans,1,0,Finland,-
7,Normans,0,1,Holy Roman Empire,3-4
8,Rus,3,0,-,-
9,Rus,3,0,Iberia,-
10,Rus,2,0,Italy,-
11,Rus,0,2,Holy Roman Empire,-
12,Rus,0,2,Poland,-
13,Rus,1,1,Ireland,3-4
14,Rus,1,0,Arabia,-
15,Rus,0,1,-,-
16,Magyars,3,0,-,-
17,Magyars,2,0,Africa,3-4
18,Magyars,2,0,Finland,-
19,Magyars,0,2,Italy,-
20,Magyars,1,1,Iberia,-
21,Magyars,1,0,Ireland,-
22,Magyars,1,0,-,-
23,Magyars,0,1,Poland,-
24,Saxons,3,0,Africa,-
25,Saxons,0,3,-,-
26,Saxons,2,0,Bulgaria,-
27,Saxons,0,2,Finland,4
28,Saxons,1,1,Holy Roman Empire,-
29,Saxons,1,0,Italy,-
30,Saxons,0,1,Arabia,-
31,Saxons,0,1,Iberia,-
32,Danes,3,0,-,-
33,Danes,0,3,Bulgaria,-
34,Danes,2,0,Arabia,4
35,Danes,0,2,Ireland,-
36,Danes,0,2,Italy,-
37,Danes,1,1,Finland,-
38,Danes,1,0,-,-
39,Danes,0,1,Africa,-
40,Byzantines,3,0,-,-
41,Byzantines,2,0,Finland,-
42,Byzantines,2,0,Holy Roman Empire,-
43,Byzantines,0,2,Iberia,-
44,Byzantines,0,2,Ireland,-
45,Byzantines,1,0,Bulgaria,3-4
46,Byzantines,0,1,Poland,4
47,Byzantines,0,1,-,-
48,Norwegians,0,3,-,-
49,Norwegians,0,3,Poland,-
50,Norwegians,2,0,Holy Roman Empire,-
51,Norwegians,0,2,Arabia,-
52,Norwegians,1,1,Africa,-
53,Norwegians,1,0,Bulgaria,-
54,Norwegians,1,0,Italy,3-4
55,Norwegians,0,1,Iberia,4
"""

ROUTES_CSV = """\
id,kingdom,region,value
0,Normans,Africa,3
1,Normans,Italy,2
2,Normans,Poland,4
3,Rus,Arabia,3
4,Rus,Finland,2
5,Rus,Ireland,3
6,Magyars,Arabia,3
7,Magyars,Bulgaria,2
8,Magyars,Holy Roman Empire,3
9,Saxons,Ireland,2
10,Saxons,Italy,3
11,Saxons,Poland,4
12,Danes,Bulgaria,3
13,Danes,Iberia,3
14,Danes,Poland,3
15,Byzantines,Africa,2
16,Byzantines,Holy Roman Empire,4
17,Norwegians,Arabia,3
18,Norwegians,Finland,2
19,Norwegians,Iberia,3
"""

KINGDOMS, REGIONS, CARDS, ROUTES, SUIT_SIZE = 7, 9, 56, 20, 8  # SAGA-DATA-01
HAND_SIZE, GROUP_SIZE, ROUNDS = 6, 15, 3
CUBES_EACH, HEROES_EACH = 30, 3
HERO_COST, DELAY_COST, BUY_COST, HOLD_COST = 3, 5, 3, 1  # SAGA-RALLY-06
START_INFAMY = {2: [3, 6], 3: [3, 3, 3], 4: [5, 4, 3, 6]}  # SAGA-SETUP-07, by leader distance

# SAGA-ACT-01
PLAY0, HOLD0, DRAW0, CUBE0, HERO0, COMPLETE0, KEEP0 = 0, 56, 112, 116, 125, 134, 154
HIRE, DELAY, BUY, PASS = 174, 175, 176, 177
DRAW_PILE = DRAW0 + 3

DEFAULT_OPTIONS = {  # SAGA-OPT-02
    "num_players": 2,
    "first_leader": 0,
    "final_planning": False,
    "draw_after_last_token": False,
    "hero_needs_cube": True,
    "heroes_collect": False,
    "march_order": "sorted",
    "recall": "full",
    "reward": "rank",
    "score_scale": 20,
    "data": "builtin",
}


YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
OPTION_VALUES = {
    "num_players": (2, 3, 4),
    "march_order": ("sorted", "free"),
    "recall": ("full", "table"),
    "reward": ("rank", "win", "score"),
}


def _rows(text: str) -> list[dict]:
    return [{k.strip(): v.strip() for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]


def parse_tables(kingdoms: str, regions: str, adjacency: str, cards: str, routes: str) -> dict:
    """Five CSV texts -> one dict with ids instead of names; checked by SAGA-DATA-20."""
    kingdom_rows, region_rows, card_rows, route_rows = map(_rows, (kingdoms, regions, cards, routes))
    for rows in (kingdom_rows, region_rows, card_rows, route_rows):
        if [int(row["id"]) for row in rows] != list(range(len(rows))):
            raise ValueError("ids must count up from 0")
    kingdom_id = {row["name"]: int(row["id"]) for row in kingdom_rows}
    region_id = {row["name"]: int(row["id"]) for row in region_rows}
    adjacent: list[list[int]] = [[] for _ in kingdom_rows]
    try:
        for row in _rows(adjacency):
            names = [name.strip() for name in row["adjacent regions"].split(";") if name.strip()]
            adjacent[kingdom_id[row["kingdom"]]] = sorted(region_id[name] for name in names)
        tables = {
            "kingdoms": [row["name"] for row in kingdom_rows],
            "regions": [row["name"] for row in region_rows],
            "coastal": [YES_NO[row["coastal"].lower()] for row in region_rows],
            "adjacent": adjacent,
            "cards": [
                {
                    "suit": kingdom_id[row["suit"]],
                    "armies": int(row["armies"]),
                    "fleets": int(row["fleets"]),
                    "region": None if row["plunder"] == "-" else region_id[row["plunder"]],
                    "mark": row["mark"],
                }
                for row in card_rows
            ],
            "routes": [
                {
                    "kingdom": kingdom_id[row["kingdom"]],
                    "region": region_id[row["region"]],
                    "value": int(row["value"]),
                }
                for row in route_rows
            ],
        }
    except KeyError as error:
        raise ValueError(f"unknown name {error}") from error
    check_tables(tables)
    return tables


def check_tables(tables: dict) -> None:
    """SAGA-DATA-20: raise ValueError for a data set that must be rejected."""

    def need(condition: bool, text: str) -> None:
        if not condition:
            raise ValueError(text)

    cards, routes = tables["cards"], tables["routes"]
    need(len(set(tables["kingdoms"])) == len(tables["kingdoms"]) == KINGDOMS, "seven kingdoms")
    need(len(set(tables["regions"])) == len(tables["regions"]) == REGIONS, "nine regions")
    need(len(cards) == CARDS, "56 cards")
    for c, card in enumerate(cards):
        need(card["suit"] == c // SUIT_SIZE, f"card {c}: suit = id div 8")
        need(min(card["armies"], card["fleets"]) >= 0, f"card {c}: negative symbols")
        need(1 <= card["armies"] + card["fleets"] <= 3, f"card {c}: value 1-3")
        need(card["mark"] in ("-", "3-4", "4"), f"card {c}: mark")
        need(card["region"] is not None or card["mark"] == "-", f"card {c}: mark without region")
    for n in (2, 3, 4):
        need(sum(places(tables, c, n) for c in range(CARDS)) >= GROUP_SIZE, f"too few placing cards, n={n}")
    need(all(tables["adjacent"]), "every kingdom has an adjacent region")
    need(any(tables["coastal"]), "a coastal region")
    need(len(routes) == ROUTES, "20 routes")
    need(len({(t["kingdom"], t["region"]) for t in routes}) == ROUTES, "routes differ")
    need(all(t["value"] >= 1 for t in routes), "route values")


def default_tables() -> dict:
    return parse_tables(KINGDOMS_CSV, REGIONS_CSV, ADJACENCY_CSV, CARDS_CSV, ROUTES_CSV)


def tables_from_folder(path) -> dict:
    names = ("kingdoms", "regions", "adjacency", "cards", "routes")  # SAGA-DATA-20
    return parse_tables(*[(Path(path) / f"{name}.csv").read_text(encoding="utf-8") for name in names])


def places(tables: dict, card: int, n: int) -> bool:
    """SAGA-DATA-14: does playing this card place a plunder token with n players?"""
    row = tables["cards"][card]
    if row["region"] is None:
        return False
    if row["mark"] == "3-4":
        return n == 2
    if row["mark"] == "4":
        return n < 4
    return True


def region_class(tables: dict, kingdom: int, region: int) -> str:
    """SAGA-DATA-12."""
    near, coast = region in tables["adjacent"][kingdom], tables["coastal"][region]
    if near:
        return "BOTH" if coast else "LAND"
    return "SEA" if coast else "NONE"


def world_key(d: dict) -> str:
    """The hidden part of a State JSON as one canonical string: hands as sets, decks as orders.

    What other seats know for themselves (their NOTHELD, pos, known holders) is no part of a world."""
    keys = ("draw_pile", "route_deck", "routes_drawn", "hold_last")
    world = {key: list(d[key]) if isinstance(d[key], list) else d[key] for key in keys}
    world["hands"] = [sorted(hand) for hand in d["hands"]]
    world["routes_open"] = [sorted(routes) for routes in d["routes_open"]]
    world["held"] = sorted(d["held"])
    return json.dumps(world, sort_keys=True, separators=(",", ":"))


class Referee:
    """One game. All automatic steps are done by the time a method returns; only real choices are asked."""

    # keys of SAGA-TURN-08 whose values are plain (numbers, booleans, null, ordered lists) in this object too
    PLAIN = (
        "round leader decision player piles slots draw_pile cubes heroes tokens group reserve infamy "
        "hero_supply time_used plunder controller delayed route_deck routes_drawn card march route_last "
        "hold_last held_count hand_before_hold route_pos route_known_holder"
    ).split()
    # keys whose values are sets here (one set per seat) and sorted lists in the JSON
    SETS = "hands routes_open routes_done known_hand known_hand_prev not_held".split()

    def __init__(
        self,
        options: dict,
        tables: dict,
        shuffle: Callable[[str, int, list[int]], list[int]],
        first_leader: Callable[[int], int] | None = None,
    ):
        self._configure(options, tables, shuffle)
        n = self.n
        # setup, SAGA-SETUP-01..08; the order of the chance events is leader, influence, routes
        self.round = 1
        if self.options["first_leader"] == "random":
            if first_leader is None:
                raise ValueError("first_leader is random, but there is no callable for it")
            self.leader = first_leader(n)
        else:
            self.leader = self.options["first_leader"]
        if self.leader not in range(n):
            raise ValueError("no such seat")
        self.hands = [set() for _ in range(n)]
        self.piles = [[] for _ in range(n)]
        self.slots = [None, None, None]
        self.draw_pile = []
        self.cubes = [[0] * n for _ in range(KINGDOMS + REGIONS)]
        self.heroes = [[0] * n for _ in range(KINGDOMS + REGIONS)]
        self.tokens = [0] * REGIONS
        self.group = GROUP_SIZE  # SAGA-SETUP-06
        self.infamy = [START_INFAMY[n][self.distance(p)] for p in range(n)]  # SAGA-SETUP-07
        self.reserve = [CUBES_EACH - x for x in self.infamy]
        self.hero_supply = [HEROES_EACH] * n
        self.time_used = [False] * n
        self.plunder = [0] * n
        self.controller = [None] * KINGDOMS
        self.delayed = [False] * KINGDOMS
        self.routes_open = [set() for _ in range(n)]
        self.routes_done = [set() for _ in range(n)]
        self.routes_drawn = []
        self.card = None
        self.march = None
        self.route_last = -1
        self.held = set()
        self.hold_last = -1
        # knowledge, SAGA-INFO-05 and -07
        self.known_hand = [set() for _ in range(n)]
        self.known_hand_prev = [set() for _ in range(n)]
        self.held_count = [0] * n
        self.hand_before_hold = [0] * n
        self.not_held = [set(range(CARDS)) for _ in range(n)]
        self.route_pos = [[-1] * ROUTES for _ in range(n)]
        self.route_known_holder = [[None] * ROUTES for _ in range(n)]

        self._deal(list(range(CARDS)))  # SAGA-SETUP-03
        deck = self._shuffled("routes", 1, list(range(ROUTES)))  # SAGA-SETUP-04
        for p in self.leader_order():
            self.routes_open[p] = set(deck[:2])
            deck = deck[2:]
        self.route_deck = deck
        self._rally_turn(self.leader)
        self._settle()

    def _configure(self, options: dict, tables: dict, shuffle) -> None:
        unknown = set(options) - set(DEFAULT_OPTIONS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.options = {**DEFAULT_OPTIONS, **options}
        for name, allowed in OPTION_VALUES.items():
            if self.options[name] not in allowed:
                raise ValueError(f"{name} must be one of {allowed}")
        if not self.options["score_scale"] > 0:
            raise ValueError("score_scale must be positive")
        self.n = self.options["num_players"]
        self.tables = tables
        self.shuffle = shuffle

    # ------------------------------------------------------------------------------------------------ helpers

    def distance(self, p: int) -> int:
        return (p - self.leader) % self.n

    def leader_order(self) -> list[int]:
        return [(self.leader + d) % self.n for d in range(self.n)]

    def _shuffled(self, purpose: str, occurrence: int, items: list[int]) -> list[int]:
        result = list(self.shuffle(purpose, occurrence, list(items)))
        if sorted(result) != sorted(items):
            raise ValueError("the shuffle lost or invented something")
        return result

    def _deal(self, cards: list[int]) -> None:
        """Shuffle, fill every hand to six in leader order, rest = draw pile, turn up three.

        SAGA-SETUP-03 and SAGA-PLAN-09."""
        deck = self._shuffled("influence", self.round, sorted(cards))
        for p in self.leader_order():
            missing = HAND_SIZE - len(self.hands[p])
            self.hands[p] |= set(deck[:missing])
            deck = deck[missing:]
        self.slots = deck[:3]
        self.draw_pile = deck[3:]

    def _ask(self, decision: str, player: int) -> None:
        self.decision, self.player = decision, player

    def _pay(self, p: int, amount: int) -> None:
        """SAGA-RALLY-09: spent infamy goes back to the reserve at once."""
        self.infamy[p] -= amount
        self.reserve[p] += amount

    def _best(self, place: int) -> int | None:
        """SAGA-MARCH-02: most pieces, then most heroes, then smallest leader distance."""
        seats = [p for p in range(self.n) if self.cubes[place][p] + self.heroes[place][p] > 0]
        if not seats:
            return None

        def key(p: int) -> tuple[int, int, int]:
            cubes, heroes = self.cubes[place][p], self.heroes[place][p]
            return cubes + heroes, heroes, -self.distance(p)

        return max(seats, key=key)

    def _remove_losers(self, place: int, winner: int | None) -> None:
        """SAGA-MARCH-03, -19: cubes of all others become infamy, their heroes go home."""
        for p in range(self.n):
            if p != winner:
                self.infamy[p] += self.cubes[place][p]
                self.hero_supply[p] += self.heroes[place][p]
                self.cubes[place][p] = self.heroes[place][p] = 0

    def _present(self, region: int, p: int) -> bool:
        """SAGA-MARCH-22, -24: a cube there; with heroes_collect a hero does as well."""
        place = KINGDOMS + region
        if self.cubes[place][p] > 0:
            return True
        return bool(self.options["heroes_collect"]) and self.heroes[place][p] > 0

    def _completable(self, p: int, last: int) -> list[int]:
        """SAGA-MARCH-23, -25."""
        result = []
        for t in sorted(self.routes_open[p]):
            route = self.tables["routes"][t]
            if t > last and self.controller[route["kingdom"]] == p and self._present(route["region"], p):
                result.append(t)
        return result

    # ------------------------------------------------------------------------------------------------- public

    @property
    def current_player(self) -> int:
        return -1 if self.player is None else self.player

    def is_terminal(self) -> bool:
        return self.decision == "END"

    def legal_actions(self) -> list[int]:
        """SAGA-ACT-02."""
        p = self.player
        if self.decision == "END":
            return []
        if self.decision == "PLAY":  # SAGA-RALLY-02
            return [PLAY0 + c for c in sorted(self.hands[p])]
        if self.decision == "HIRE":
            return [HIRE, PASS]
        if self.decision == "DRAW":  # SAGA-RALLY-13, -14
            slots = [DRAW0 + i for i in range(3) if self.slots[i] is not None]
            return slots + ([DRAW_PILE] if self.draw_pile else [])
        if self.decision == "DELAY":
            return [DELAY, PASS]
        if self.decision == "CUBE":
            return [CUBE0 + r for r in range(REGIONS) if self._cube_legal(r)]
        if self.decision == "HERO":  # SAGA-MARCH-16
            kingdom, last = self.march["kingdom"], self.march["last"]
            kind = [region_class(self.tables, kingdom, r) for r in range(REGIONS)]
            return [HERO0 + r for r in range(REGIONS) if r >= last and kind[r] != "NONE"]
        if self.decision == "ROUTE":
            return [COMPLETE0 + t for t in self._completable(p, self.route_last)] + [PASS]
        if self.decision == "BUY":
            return [BUY, PASS]
        if self.decision == "KEEP":
            return [KEEP0 + t for t in sorted(self.routes_drawn)]
        if self.decision == "HOLD":  # SAGA-PLAN-06
            return [HOLD0 + c for c in sorted(self.hands[p]) if c > self.hold_last] + [PASS]
        raise AssertionError(self.decision)

    def _cube_legal(self, r: int) -> bool:
        """SAGA-MARCH-15, conditions 1 to 3 as written there."""
        march = self.march
        kingdom, a, s = march["kingdom"], march["armies"], march["fleets"]
        kind = [region_class(self.tables, kingdom, x) for x in range(REGIONS)]
        if r < march["last"] or kind[r] == "NONE":  # 1
            return False
        land = march["land"] + (kind[r] == "LAND")
        sea = march["sea"] + (kind[r] == "SEA")
        if land > a or sea > s:  # 2
            return False
        remaining = self.cubes[kingdom][self.player] - 1  # 3
        lowest = 0 if self.options["march_order"] == "free" else r
        later = kind[lowest:]
        if remaining == 0 or "BOTH" in later:
            return True
        room = (a - land if "LAND" in later else 0) + (s - sea if "SEA" in later else 0)
        return room >= remaining

    def apply(self, action: int) -> None:
        """SAGA-ACT-03: an illegal action is refused and changes nothing."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal in {self.decision}")
        self._do(int(action))
        self._settle()

    def _settle(self) -> None:
        """SAGA-TURN-03: a decision point with exactly one legal action is not offered."""
        while self.decision != "END":
            legal = self.legal_actions()
            if len(legal) != 1:
                break
            self._do(legal[0])

    def _do(self, action: int) -> None:
        p, decision = self.player, self.decision
        if decision == "PLAY":
            self._play(p, action - PLAY0)
        elif decision == "HIRE":
            if action == HIRE:  # SAGA-RALLY-07
                self._pay(p, HERO_COST)
                self.hero_supply[p] -= 1
                self.heroes[self.tables["cards"][self.card]["suit"]][p] += 1
            self._place_plunder(p)
        elif decision == "DRAW":
            self._draw(p, action)
        elif decision == "DELAY":
            kingdom = self.march["kingdom"]
            if action == DELAY:  # SAGA-MARCH-08
                self._pay(p, DELAY_COST)
                self.time_used[p] = True
                self.delayed[kingdom] = True
                self._next_kingdom(1, kingdom + 1)
            else:
                self._begin_move(1, kingdom)
        elif decision == "CUBE":
            self._move_cube(p, action - CUBE0)
        elif decision == "HERO":
            self._move_hero(p, action - HERO0)
        elif decision == "ROUTE":
            if action == PASS:
                self._m6_routes(self.distance(p) + 1)
            else:
                self._complete(p, action - COMPLETE0)
        elif decision == "BUY":
            if action == PASS:
                self._begin_hold(p)
            else:
                self._buy(p)
        elif decision == "KEEP":
            self._keep(p, action - KEEP0)
        elif decision == "HOLD":
            if action == PASS:
                self._end_planning_turn(p)
            else:  # SAGA-PLAN-05
                self._pay(p, HOLD_COST)
                self.held.add(action - HOLD0)
                self.hold_last = action - HOLD0
                self._hold_step(p)

    # -------------------------------------------------------------------------------------------- rally phase

    def _rally_turn(self, first: int) -> None:
        """SAGA-RALLY-03, -15: next seat with cards, or the end of the rally."""
        self.card = None
        for step in range(self.n):
            p = (first + step) % self.n
            if self.hands[p]:
                self._ask("PLAY", p)
                return
        self._march()

    def _play(self, p: int, card: int) -> None:
        row = self.tables["cards"][card]
        self.hands[p].remove(card)
        self.known_hand[p].discard(card)  # SAGA-INFO-04
        self.piles[p].append(card)
        self.card = card
        placed = min(row["armies"] + row["fleets"], self.reserve[p])  # SAGA-RALLY-04, -05
        self.reserve[p] -= placed
        self.cubes[row["suit"]][p] += placed
        may_hire = placed >= 1 or not self.options["hero_needs_cube"]  # SAGA-RALLY-08
        if may_hire and self.infamy[p] >= HERO_COST and self.hero_supply[p] >= 1:
            self._ask("HIRE", p)
        else:
            self._place_plunder(p)

    def _place_plunder(self, p: int) -> None:
        if places(self.tables, self.card, self.n):  # SAGA-RALLY-10
            self.tokens[self.tables["cards"][self.card]["region"]] += 1
            self.group -= 1
            if self.group == 0 and not self.options["draw_after_last_token"]:  # SAGA-RALLY-11, -12
                self._march()
                return
        if self.draw_pile or any(card is not None for card in self.slots):  # SAGA-RALLY-14
            self._ask("DRAW", p)
        else:
            self._end_turn(p)

    def _draw(self, p: int, action: int) -> None:
        if action == DRAW_PILE:
            self.hands[p].add(self.draw_pile.pop(0))
        else:  # SAGA-RALLY-13
            slot = action - DRAW0
            self.hands[p].add(self.slots[slot])
            self.known_hand[p].add(self.slots[slot])  # SAGA-INFO-04
            self.slots[slot] = self.draw_pile.pop(0) if self.draw_pile else None
        self._end_turn(p)

    def _end_turn(self, p: int) -> None:
        if self.group == 0:  # only with draw_after_last_token
            self._march()
        else:
            self._rally_turn((p + 1) % self.n)

    # ----------------------------------------------------------------------------------------- marching phase

    def _march(self) -> None:
        self.card = None
        self._m1_control()
        self._next_kingdom(1, 0)

    def _m1_control(self) -> None:
        for kingdom in range(KINGDOMS):  # SAGA-MARCH-01 to -05
            winner = self._best(kingdom)
            self._remove_losers(kingdom, winner)
            self.controller[kingdom] = winner

    def _next_kingdom(self, pass_no: int, first: int) -> None:
        """M2 (pass 1) and M3 (pass 2) in chart order, SAGA-MARCH-07 to -10."""
        self.march = None
        if pass_no == 1:
            for kingdom in range(first, KINGDOMS):
                p = self.controller[kingdom]
                if p is None:
                    continue
                if not self.time_used[p] and self.infamy[p] >= DELAY_COST:
                    self.march = {"kingdom": kingdom, "pass": 1}
                    self._ask("DELAY", p)
                else:
                    self._begin_move(1, kingdom)
                return
            first = 0
        for kingdom in range(first, KINGDOMS):
            if self.delayed[kingdom]:
                self._begin_move(2, kingdom)
                return
        self._after_moves()

    def _begin_move(self, pass_no: int, kingdom: int) -> None:
        """SAGA-MARCH-11, -12: all symbols on the controller's own cards of this suit."""
        p = self.controller[kingdom]
        rows = [self.tables["cards"][c] for c in self.piles[p]]
        rows = [row for row in rows if row["suit"] == kingdom]
        self.march = {
            "kingdom": kingdom,
            "pass": pass_no,
            "armies": sum(row["armies"] for row in rows),
            "fleets": sum(row["fleets"] for row in rows),
            "land": 0,
            "sea": 0,
            "last": 0,
        }
        self._continue_cubes(p)

    def _continue_cubes(self, p: int) -> None:
        if self.cubes[self.march["kingdom"]][p] > 0:
            self._ask("CUBE", p)
        else:
            self.march["last"] = 0  # SAGA-MARCH-16: heroes start again at region 0
            self._continue_heroes(p)

    def _continue_heroes(self, p: int) -> None:
        if self.heroes[self.march["kingdom"]][p] > 0:
            self._ask("HERO", p)
        else:
            self._next_kingdom(self.march["pass"], self.march["kingdom"] + 1)

    def _move_cube(self, p: int, region: int) -> None:
        march = self.march
        self.cubes[march["kingdom"]][p] -= 1
        self.cubes[KINGDOMS + region][p] += 1
        kind = region_class(self.tables, march["kingdom"], region)
        march["land"] += kind == "LAND"
        march["sea"] += kind == "SEA"
        if self.options["march_order"] == "sorted":
            march["last"] = region
        self._continue_cubes(p)

    def _move_hero(self, p: int, region: int) -> None:
        self.heroes[self.march["kingdom"]][p] -= 1
        self.heroes[KINGDOMS + region][p] += 1
        if self.options["march_order"] == "sorted":
            self.march["last"] = region
        self._continue_heroes(p)

    def _after_moves(self) -> None:
        self._m4_battles()
        self._m5_collect()
        self._m6_routes(0)

    def _m4_battles(self) -> None:
        for region in range(REGIONS):  # SAGA-MARCH-18 to -20; with one owner nothing changes
            self._remove_losers(KINGDOMS + region, self._best(KINGDOMS + region))

    def _m5_collect(self) -> None:
        for region in range(REGIONS):  # SAGA-MARCH-21, -22
            for p in range(self.n):
                if self._present(region, p):
                    self.plunder[p] += self.tokens[region]
                    self.tokens[region] = 0

    def _m6_routes(self, first: int) -> None:
        """Visits in leader order from leader distance `first` on, SAGA-MARCH-25."""
        self.route_last = -1
        for p in self.leader_order()[first:]:
            if self._completable(p, -1):
                self._ask("ROUTE", p)
                return
        self._m7_clean_up()
        if self.round == ROUNDS and not self.options["final_planning"]:  # SAGA-TURN-02
            self._final()
        else:
            self._planning_turn(0)

    def _complete(self, p: int, route: int) -> None:
        self.routes_open[p].remove(route)
        self.routes_done[p].add(route)
        for q in range(self.n):
            self.route_known_holder[q][route] = None  # SAGA-INFO-07: until it is completed
        self.route_last = route
        if self._completable(p, route):
            self._ask("ROUTE", p)
        else:
            self._m6_routes(self.distance(p) + 1)

    def _m7_clean_up(self) -> None:
        for place in range(KINGDOMS, KINGDOMS + REGIONS):  # SAGA-MARCH-26
            for p in range(self.n):
                self.reserve[p] += self.cubes[place][p]
                self.hero_supply[p] += self.heroes[place][p]
                self.cubes[place][p] = self.heroes[place][p] = 0
        self.time_used = [False] * self.n
        self.controller = [None] * KINGDOMS
        self.delayed = [False] * KINGDOMS

    # ----------------------------------------------------------------------------------------- planning phase

    def _planning_turn(self, d: int) -> None:
        if d < self.n:  # SAGA-PLAN-01
            self._buy_step(self.leader_order()[d])
        elif self.round == ROUNDS:
            self._final()
        else:
            self._change()

    def _buy_step(self, p: int) -> None:
        if self.infamy[p] >= BUY_COST and self.route_deck:  # SAGA-PLAN-03, -04
            self._ask("BUY", p)
        else:
            self._begin_hold(p)

    def _buy(self, p: int) -> None:
        self._pay(p, BUY_COST)
        drawn, self.route_deck = self.route_deck[:2], self.route_deck[2:]
        for q in range(self.n):  # SAGA-INFO-07
            for t in range(ROUTES):
                if self.route_pos[q][t] >= len(drawn):
                    self.route_pos[q][t] -= len(drawn)
                elif self.route_pos[q][t] >= 0:
                    self.route_pos[q][t] = -1
                    if len(drawn) == 1:
                        self.route_known_holder[q][t] = p
        if len(drawn) == 1:  # SAGA-PLAN-04
            self.routes_open[p].add(drawn[0])
            self._buy_step(p)
        else:
            self.routes_drawn = drawn
            self._ask("KEEP", p)

    def _keep(self, p: int, route: int) -> None:
        (other,) = [t for t in self.routes_drawn if t != route]
        self.routes_drawn = []
        self.routes_open[p].add(route)
        self.route_deck.append(other)  # SAGA-PLAN-02: under the deck
        self.route_pos[p][other] = len(self.route_deck) - 1  # SAGA-INFO-07
        self._buy_step(p)

    def _begin_hold(self, p: int) -> None:
        self.held, self.hold_last = set(), -1
        self._hold_step(p)

    def _hold_step(self, p: int) -> None:
        if self.infamy[p] >= HOLD_COST and any(c > self.hold_last for c in self.hands[p]):
            self._ask("HOLD", p)
        else:
            self._end_planning_turn(p)

    def _end_planning_turn(self, p: int) -> None:
        # SAGA-INFO-10, in the order given there
        self.known_hand_prev[p] = set(self.known_hand[p])
        self.held_count[p] = len(self.held)
        self.hand_before_hold[p] = len(self.hands[p])
        played = {c for pile in self.piles for c in pile}
        face_up = {c for c in self.slots if c is not None}
        self.not_held[p] = played | face_up | self.hands[p]
        if self.held_count[p] != self.hand_before_hold[p]:
            self.known_hand[p] = set()
        self.hands[p] = set(self.held)
        self.held, self.hold_last = set(), -1
        self._planning_turn(self.distance(p) + 1)

    def _change(self) -> None:
        """Round change, SAGA-PLAN-09, -10: the leader token passes after dealing."""
        self.round += 1
        self.piles = [[] for _ in range(self.n)]
        held = set().union(*self.hands)
        self._deal([c for c in range(CARDS) if c not in held])
        self.group = GROUP_SIZE
        self.leader = (self.leader + 1) % self.n
        self._rally_turn(self.leader)

    # ------------------------------------------------------------------------------------------------ scoring

    def _final(self) -> None:
        self.decision, self.player = "END", None

    def scores(self) -> list[int]:
        """Public points so far; from the end on the score of SAGA-END-04 with the infamy bonus."""
        values = [sum(self.tables["routes"][t]["value"] for t in done) for done in self.routes_done]
        result = [self.plunder[p] + values[p] for p in range(self.n)]
        if self.is_terminal():  # SAGA-END-02, -03
            most = max(self.infamy)
            for p in range(self.n):
                if self.infamy[p] == most:
                    result[p] += 1 + len(self.routes_done[p])
        return result

    def _keys(self) -> list[tuple[int, int]]:
        return list(zip(self.scores(), self.infamy))  # SAGA-END-05

    def ranks(self) -> list[int]:
        """SAGA-END-06."""
        keys = self._keys()
        return [1 + sum(other > key for other in keys) for key in keys]

    def returns(self) -> list[float]:
        """SAGA-END-07, -08."""
        n = self.n
        if not self.is_terminal():
            return [0.0] * n
        keys, scores = self._keys(), self.scores()
        if self.options["reward"] == "rank":
            return [(sum(o < k for o in keys) - sum(o > k for o in keys)) / (n - 1) for k in keys]
        if self.options["reward"] == "win":
            best = [p for p in range(n) if keys[p] == max(keys)]
            return [n / (n - 1) * ((1 / len(best) if p in best else 0.0) - 1 / n) for p in range(n)]
        scale = self.options["score_scale"]
        return [(scores[p] - (sum(scores) - scores[p]) / (n - 1)) / scale for p in range(n)]

    # --------------------------------------------------------------------------------------------- State JSON

    def to_dict(self) -> dict:
        """SAGA-TURN-08."""
        d = {"game": "saga", "num_players": self.n, "options": dict(self.options)}
        for key in self.PLAIN:
            d[key] = copy.deepcopy(getattr(self, key))
        for key in self.SETS:
            d[key] = [sorted(members) for members in getattr(self, key)]
        d["held"] = sorted(self.held)
        return d

    @classmethod
    def from_dict(cls, d: dict, tables: dict, shuffle) -> Referee:
        """The state as it is; nothing is applied automatically before the next action."""
        if d["game"] != "saga" or d["num_players"] != d["options"]["num_players"]:
            raise ValueError("not a state of this game")
        self = cls.__new__(cls)
        self._configure(d["options"], tables, shuffle)
        for key in cls.PLAIN:
            setattr(self, key, copy.deepcopy(d[key]))
        for key in cls.SETS:
            setattr(self, key, [set(members) for members in d[key]])
        self.held = set(d["held"])
        return self

    def clone(self) -> Referee:
        return type(self).from_dict(self.to_dict(), self.tables, self.shuffle)

    # -------------------------------------------------------------------------------------------- information

    def view(self, player: int) -> dict:
        """What this seat may know under the option `recall`, and nothing else (section 5)."""
        return self._view(player, self.options["recall"])

    def _view(self, player: int, recall: str) -> dict:
        n = self.n
        own_decision = self.player == player
        v = {
            "player": player,
            "num_players": n,
            "round": self.round,
            "leader": self.leader,
            "decision": self.decision,
            "acting": self.player,
            # public board, SAGA-INFO-01
            "cubes": copy.deepcopy(self.cubes),
            "heroes": copy.deepcopy(self.heroes),
            "tokens": list(self.tokens),
            "group": self.group,
            "reserve": list(self.reserve),
            "infamy": list(self.infamy),
            "hero_supply": list(self.hero_supply),
            "time_used": list(self.time_used),
            "plunder": list(self.plunder),
            "controller": list(self.controller),
            "delayed": list(self.delayed),
            "slots": list(self.slots),
            "draw_pile_size": len(self.draw_pile),
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile_sizes": [len(pile) for pile in self.piles],
            "pile_tops": [pile[-1] if pile else None for pile in self.piles],
            "routes_done": [sorted(done) for done in self.routes_done],
            "routes_open_counts": [len(routes) for routes in self.routes_open],
            "route_deck_size": len(self.route_deck),
            "held_count": list(self.held_count),
            "hand_before_hold": list(self.hand_before_hold),
            # own secrets
            "hand": sorted(self.hands[player]),
            "routes_open": sorted(self.routes_open[player]),
        }
        # cards played: `piles` in order where the order is known, `pile_cards` as a set, SAGA-INFO-03
        v["piles"] = [list(self.piles[q]) if recall == "full" or q == player else None for q in range(n)]
        v["pile_cards"] = [self._pile_cards(q, player, recall) for q in range(n)]
        if recall == "full":
            v["known_hand"] = [sorted(cards) for cards in self.known_hand]
            v["known_hand_prev"] = [sorted(cards) for cards in self.known_hand_prev]
            v["not_held"] = sorted(self.not_held[player])
            v["route_pos"] = list(self.route_pos[player])
            v["route_known_holder"] = list(self.route_known_holder[player])
        # context of the decision, SAGA-INFO-09; all of it public except in ROUTE, KEEP, HOLD
        context: dict = {}
        if self.decision == "HIRE":
            context = {"card": self.card}
        elif self.decision == "DELAY":
            context = {"kingdom": self.march["kingdom"]}
        elif self.decision == "CUBE":
            context = {key: self.march[key] for key in ("kingdom", "armies", "fleets", "land", "sea", "last")}
            context["cubes_left"] = self.cubes[self.march["kingdom"]][self.player]
        elif self.decision == "HERO":
            context = {key: self.march[key] for key in ("kingdom", "last")}
            context["heroes_left"] = self.heroes[self.march["kingdom"]][self.player]
        elif self.decision == "ROUTE" and own_decision:
            context = {"last": self.route_last}
        elif self.decision == "KEEP" and own_decision:
            context = {"drawn": list(self.routes_drawn)}
        elif self.decision == "HOLD" and own_decision:
            context = {"held": sorted(self.held), "last": self.hold_last}
        v["context"] = context
        # masking, SAGA-INFO-08
        if self.decision == "ROUTE" and not own_decision:
            v["decision"], v["acting"] = "NONE", None
        if self.decision == "HOLD" and not own_decision:
            v["infamy"][self.player] += HOLD_COST * len(self.held)
            v["reserve"][self.player] -= HOLD_COST * len(self.held)
        return v

    def _moved_kingdoms(self) -> list[int]:
        """Kingdoms that have moved or are moving now, from M2 until M7 (SAGA-INFO-03)."""
        controlled = [k for k in range(KINGDOMS) if self.controller[k] is not None]
        if self.decision == "ROUTE":
            return controlled
        if self.decision not in ("DELAY", "CUBE", "HERO"):
            return []
        moving = self.march["kingdom"] if self.decision != "DELAY" else None
        if self.march["pass"] == 1:
            done = [k for k in controlled if k < self.march["kingdom"] and not self.delayed[k]]
        else:
            done = [k for k in controlled if not self.delayed[k] or k < self.march["kingdom"]]
        return done + ([moving] if moving is not None else [])

    def _pile_cards(self, q: int, player: int, recall: str) -> list[int]:
        pile = self.piles[q]
        if recall == "full" or q == player:
            return sorted(pile)
        seen = set(pile[-1:])
        for kingdom in self._moved_kingdoms():
            if self.controller[kingdom] == q:
                seen |= {c for c in pile if self.tables["cards"][c]["suit"] == kingdom}
        return sorted(seen)

    def _planned(self, q: int) -> bool:
        """Has q finished the planning turn of this round?"""
        if self.decision in ("BUY", "KEEP", "HOLD"):
            return self.distance(q) < self.distance(self.player)
        return self.decision == "END" and bool(self.options["final_planning"])

    def _own_discards(self, player: int) -> set[int]:
        """Cards this seat discarded in this planning phase: in its hand then, not any more."""
        if not self._planned(player):
            return set()
        visible = {c for pile in self.piles for c in pile} | {c for c in self.slots if c is not None}
        return self.not_held[player] - visible - self.hands[player]

    def possible(self, d_candidate: dict, player: int) -> bool:
        """SAGA-INFO-11: may the candidate be the true state, for all that this seat knows in this one?

        `recall` changes observations only (SAGA-OPT-02), so the facts of full recall are used here. What
        other seats know for themselves is left open."""
        other = Referee.from_dict(d_candidate, self.tables, self.shuffle)
        if (other.options, other.decision, other.player) != (self.options, self.decision, self.player):
            return False
        if other.route_last != self.route_last or other._view(player, "full") != self._view(player, "full"):
            return False
        if not self.is_terminal() and len(other.legal_actions()) < 2:  # the decision is offered there too
            return False
        return other._cards_possible(player) and other._routes_possible(player)

    def _cards_possible(self, player: int) -> bool:
        n = self.n
        placed = list(self.draw_pile) + [c for c in self.slots if c is not None]
        placed += [c for pile in self.piles for c in pile] + [c for hand in self.hands for c in hand]
        if len(placed) != len(set(placed)) or not set(placed) <= set(range(CARDS)):
            return False
        if self._own_discards(player) & set(placed):
            return False
        if any(not self.known_hand[q] <= self.hands[q] for q in range(n)):
            return False
        if self.decision == "HOLD":
            if not self.held <= self.hands[self.player] or self.hold_last != max(self.held, default=-1):
                return False
        if self.round == 1:
            return True
        for q in range(n):
            if q == player:
                continue
            x = self.hands[q] | set(self.piles[q])
            # NOTHELD of this seat and held_n of q speak of the same planning phase only if both or neither of
            # them have had their planning turn of this round
            if self._planned(q) == self._planned(player):
                if len(x - self.not_held[player]) < self.held_count[q]:
                    return False
            unknown_before = self.hand_before_hold[q] - len(self.known_hand_prev[q])
            if len(x & self.known_hand_prev[q]) < self.held_count[q] - unknown_before:
                return False
        return True

    def _routes_possible(self, player: int) -> bool:
        placed = list(self.route_deck) + list(self.routes_drawn)
        placed += [t for routes in self.routes_open + self.routes_done for t in routes]
        if sorted(placed) != list(range(ROUTES)):
            return False
        if len(self.routes_drawn) != (2 if self.decision == "KEEP" else 0):
            return False
        for t in range(ROUTES):
            where = self.route_pos[player][t]
            if where >= 0 and (where >= len(self.route_deck) or self.route_deck[where] != t):
                return False
            holder = self.route_known_holder[player][t]
            if holder is not None and t not in self.routes_open[holder]:
                return False
        return self.decision != "ROUTE" or bool(self._completable(self.player, self.route_last))


# ---------------------------------------------------------------------------------------------------------
# All possible worlds of a small position
# ---------------------------------------------------------------------------------------------------------


def _splits(items: set[int], sizes: list[int]) -> Iterator[list[set[int]]]:
    """All ways to hand out disjoint sets of these sizes; the last element of each list is what is left."""
    if not sizes:
        yield [set(items)]
        return
    for chosen in combinations(sorted(items), sizes[0]):
        for rest in _splits(items - set(chosen), sizes[1:]):
            yield [set(chosen), *rest]


def _subsets(items: set[int]) -> Iterator[set[int]]:
    for size in range(len(items) + 1):
        for chosen in combinations(sorted(items), size):
            yield set(chosen)


def _card_worlds(referee: Referee, player: int, hold: str) -> Iterator[Referee]:
    """Every way to place hands, held cards and draw pile (as a set, in ascending order)."""
    known = set(referee.hands[player]) | {c for pile in referee.piles for c in pile}
    known |= {c for c in referee.slots if c is not None} | referee._own_discards(player)
    others = [q for q in range(referee.n) if q != player]
    sizes = [len(referee.hands[q]) for q in others] + [len(referee.draw_pile)]
    for parts in _splits(set(range(CARDS)) - known, sizes):
        world = referee.clone()
        for q, hand in zip(others, parts):
            world.hands[q] = hand
        world.draw_pile = sorted(parts[len(others)])
        if referee.decision == "HOLD" and referee.player != player:
            q = referee.player
            total = referee.infamy[q] + HOLD_COST * len(referee.held)
            free = referee.reserve[q] - HOLD_COST * len(referee.held)
            for held in _subsets(world.hands[q]) if hold == "any" else [set()]:
                last = max(held, default=-1)
                if total - HOLD_COST * len(held) < 1 or not any(c > last for c in world.hands[q]):
                    continue
                option = world.clone()
                option.held, option.hold_last = held, last
                option.infamy[q] = total - HOLD_COST * len(held)
                option.reserve[q] = free + HOLD_COST * len(held)
                if option._cards_possible(player):
                    yield option
        elif world._cards_possible(player):
            yield world


def _route_worlds(referee: Referee, player: int) -> Iterator[tuple[list[set[int]], list[int], list[int]]]:
    """Every (open routes per seat, drawn pair in order, deck in order)."""
    n = referee.n
    fixed: list = [None] * len(referee.route_deck)
    held: list[set[int]] = [set() for _ in range(n)]
    held[player] = set(referee.routes_open[player])
    for t in range(ROUTES):
        if referee.route_pos[player][t] >= 0:
            fixed[referee.route_pos[player][t]] = t
        if referee.route_known_holder[player][t] is not None:
            held[referee.route_known_holder[player][t]].add(t)
    own_pair = referee.decision == "KEEP" and referee.player == player
    unknown = set(range(ROUTES)) - {t for t in fixed if t is not None}
    unknown -= {t for routes in held + referee.routes_done for t in routes}
    if own_pair:
        unknown -= set(referee.routes_drawn)
    sizes = [len(referee.routes_open[q]) - len(held[q]) for q in range(n)]
    sizes.append(0 if own_pair else len(referee.routes_drawn))
    for parts in _splits(unknown, sizes):
        opens = [held[q] | parts[q] for q in range(n)]
        world = referee.clone()
        world.routes_open = opens
        if referee.decision == "ROUTE" and not world._completable(referee.player, referee.route_last):
            continue
        pairs = [list(referee.routes_drawn)] if own_pair else map(list, permutations(sorted(parts[n])))
        for pair in pairs:
            for order in permutations(sorted(parts[n + 1])):
                free = iter(order)
                yield opens, pair, [next(free) if t is None else t for t in fixed]


def enumerate_worlds(referee: Referee, player: int, limit: int, hold: str = "any") -> list[str]:
    """All states possible for the seat (SAGA-INFO-11) as sorted `world_key` strings; brute force.

    While another seat is in HOLD, `hold="any"` lists every set it may have held so far, and `hold="start"`
    only the states as they were when the step began. More than `limit` worlds: ValueError."""
    result = set()
    for world in _card_worlds(referee, player, hold):
        for opens, pair, deck in _route_worlds(referee, player):
            for order in permutations(world.draw_pile):
                world_dict = {
                    "hands": world.hands,
                    "held": world.held,
                    "hold_last": world.hold_last,
                    "draw_pile": list(order),
                    "routes_open": opens,
                    "routes_drawn": pair,
                    "route_deck": deck,
                }
                result.add(world_key(world_dict))
                if len(result) > limit:
                    raise ValueError(f"more than {limit} worlds")
    return sorted(result)
