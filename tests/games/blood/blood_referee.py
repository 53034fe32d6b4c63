"""Slow, plain referee for Blood of the Northmen, written from the rules ledger alone.

It shares no code and no data file with the package. Every step is spelled out with lists, sets and dicts, so that a
fast engine can be compared with it state by state. Comments name the ledger rule that a line follows. The map is in
`blood_referee_map`, the bandits in `blood_referee_bandits`, knowledge in `blood_referee_information`, the printed
tables in `blood_referee_tables`.

Chance is used in set-up only (BLOOD-SETUP-11) and comes from an oracle `shuffle(purpose, occurrence, items)` that
returns the items in a new order:

* `("abilities", 0, pool)`: the pool after SETUP-03, ascending; seat i gets item i of the result (SETUP-02);
* `("tiles", k, [1 .. 120])`: the first 60, 90 or 120 of the result are the pile, top first, the rest leaves the game
  (SETUP-04, -05). k = 0, and one more each time the deal for the first player ran the pile out (SETUP-07).

A game can also go on from any State JSON (`from_dict`), so with the hidden set-up of another implementation.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

from blood_referee_bandits import BANDITS, BanditRules
from blood_referee_information import Information
from blood_referee_map import SUPPLY, MapRules

Shuffle = Callable[[str, int, list[int]], list[int]]

WARBANDS, TILES, TO_WIN = 12, 120, 6
PILE_SIZE = {1: 60, 2: 60, 3: 90, 4: 120, 5: 120}  # BLOOD-SETUP-04

# BLOOD-ACTION-01
PASS, DO, PILE, DRAW, SPEND, VP, RES = range(7)
ROT0, SIDE0, COUNT0, PIECE0, TILE0, CELL0 = 7, 13, 18, 31, 42, 163  # TILE0 + t with t >= 1, COUNT0 + k with k >= 1

# BLOOD-ABIL-02 to -09
CORSAIRS, MARAUDERS, SAILS, WARRIORS, NORMAN, BANDITS_ABILITY, VIKINGS = 0, 1, 2, 4, 5, 6, 7  # and PICAROON = 3

DEFAULT_OPTIONS = {  # BLOOD-OPT-01; the two tables are given beside the options
    "goods": True,
    "citadels": True,
    "abilities": True,
    "ability_pool": list(range(8)),
    "grid_size": 32,
    "vikings_every_turn": False,
    "reward": "rank",
}

VILLAGE_POINT = {"Furs": "D08", "Mead": "D09", "Silver": "D10", "Tusk": "D12"}
PHASES = {"D13": "F", "D14": "L", "D15": "R", "D16": "M"}  # BLOOD-PHASE-05
NEXT_PHASE = {"D13": "D14", "D14": "D15", "D15": "D16"}
NO_TURN = {"a": 0, "b": 0, "performed": False, "drawn": 0, "drew_earlier": False}


class Referee(MapRules, BanditRules, Information):
    """One game. All forced choices are made by the time a method returns; only real ones are asked (BLOOD-PHASE-02)."""

    # keys of BLOOD-PHASE-08 whose values are plain (numbers, booleans, null, ordered lists, objects) in this object too
    PLAIN = (
        "decision player active winners pile abilities settlement vp reserve citadels laid placing citadel_side "
        "village_left furs_returned silver_cell a b performed drawn drew_earlier move battle bandit"
    ).split()
    # keys whose values are one set or one set per seat or colour here, and sorted lists in the JSON
    SET = "discard removed fresh".split()
    SETS = "hands held prepared".split()

    def __init__(self, options: dict, tables: dict, shuffle: Shuffle):
        self._configure(options, tables)
        n, colours = self.n, self.colours
        self.settlement = [WARBANDS] * colours  # BLOOD-SETUP-01, -10
        self.vp, self.reserve = [0] * colours, [0] * colours
        self.prepared = [set() for _ in range(colours)]
        self.fresh: set[int] = set()
        self.discard: set[int] = set()
        self.map: dict[int, dict] = {}
        self.citadels: list[dict | None] = [None] * SUPPLY
        self.winners: list[int] | None = None
        self._no_context()
        self.abilities: list[int | None] = [None] * n
        if self.options["abilities"]:  # BLOOD-SETUP-02
            self.abilities = _shuffled(shuffle, "abilities", 0, self.pool())[:n]
        self._deal(shuffle)
        self._start_turn()
        self._settle()

    def _configure(self, options: dict, tables: dict) -> None:
        given = {key: value for key, value in options.items() if key != "num_players"}
        if set(given) - set(DEFAULT_OPTIONS):
            raise ValueError(f"unknown options {sorted(set(given) - set(DEFAULT_OPTIONS))}")
        self.options = {**DEFAULT_OPTIONS, **given}
        self.options["ability_pool"] = sorted(self.options["ability_pool"])
        self.n = options.get("num_players", 2)
        self.colours = max(self.n, 2)
        self.S = self.options["grid_size"]
        self.tables = tables
        self.sides, self.villages = tables["sides"], tables["villages"]
        pool = self.options["ability_pool"]
        if self.n not in PILE_SIZE or not 8 <= self.S <= 64 or self.options["reward"] not in ("rank", "win", "score"):
            raise ValueError("players, grid size or reward")
        if len(set(pool)) < len(pool) or not set(pool) <= set(range(8)):
            raise ValueError("the abilities are 0 to 7")
        if self.options["abilities"] and len(self.pool()) < self.n:
            raise ValueError("too few abilities")

    def pool(self) -> list[int]:
        """Abilities that can act (BLOOD-SETUP-03)."""
        barred = [SAILS] * (not self.options["goods"]) + [BANDITS_ABILITY] * (not self.options["citadels"])
        return [x for x in self.options["ability_pool"] if x not in barred]

    def _deal(self, shuffle: Shuffle) -> None:
        n = self.n
        occurrence, first = 0, None
        while first is None:
            order = _shuffled(shuffle, "tiles", occurrence, list(range(1, TILES + 1)))
            self.pile, self.removed = order[: PILE_SIZE[n]], set(order[PILE_SIZE[n] :])
            self.hands = [set() for _ in range(n)]
            first = self._first_player() if n > 1 else 0  # BLOOD-SETUP-10
            occurrence += 1
        self.held = [set(hand) for hand in self.hands]  # BLOOD-SETUP-09, BLOOD-INFO-03
        for j in range(n):  # BLOOD-SETUP-08
            p = (first + j) % n
            while len(self.hands[p]) < 3 + j:
                self.hands[p].add(self.pile.pop(0))
        self.active = first

    def _first_player(self) -> int | None:
        """BLOOD-SETUP-06, -07; None if the pile ran out."""
        tied = list(range(self.n))
        while len(tied) > 1:
            if len(self.pile) < len(tied):
                return None
            newest = {p: self.pile.pop(0) for p in tied}
            for p in tied:
                self.hands[p].add(newest[p])
            most = max(self.mountains(t) for t in newest.values())
            tied = [p for p in tied if self.mountains(newest[p]) == most]
        return tied[0]

    # ------------------------------------------------------------------------------------------------ helpers

    def mountains(self, t: int) -> int:
        return self.sides[t].count("M")

    def _ask(self, decision: str, player: int) -> None:
        self.decision, self.player = decision, player

    def _no_context(self) -> None:
        """Everything from `laid` on is neutral (BLOOD-PHASE-08)."""
        self.laid = self.placing = self.citadel_side = self.silver_cell = None
        self.move = self.battle = self.bandit = None
        self.village_left, self.furs_returned = 0, False
        self.__dict__.update(NO_TURN)

    def _leave(self, p: int, t: int) -> None:
        """A tile leaves hand and prepared tiles of seat p (BLOOD-INFO-03)."""
        for place in (self.hands[p], self.prepared[p]):
            place.discard(t)
        self.held[p].discard(t)

    def _draw(self, p: int) -> None:
        if self.pile:
            self.hands[p].add(self.pile.pop(0))

    # ------------------------------------------------------------------------------------------------- public

    @property
    def current_player(self) -> int:
        return -1 if self.player is None else self.player

    def is_terminal(self) -> bool:
        return self.decision == "END"

    def legal_actions(self) -> list[int]:
        """BLOOD-PHASE-04, BLOOD-ACTION-01: the legal actions of the seat to act, ascending."""
        if self.decision == "END":
            return []
        if self.decision[0] == "B":
            return [CELL0 + c for c in self._bandit_cells()]
        return sorted(getattr(self, f"_legal_{self.decision}")(self.player))

    def apply(self, action: int) -> None:
        """Refuse an illegal action; else do it and whatever is forced after it."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal in {self.decision}")
        self._do(int(action))
        self._settle()

    def _settle(self) -> None:
        """BLOOD-PHASE-02: a decision point with exactly one legal action is not shown."""
        while self.decision != "END":
            legal = self.legal_actions()
            assert legal, f"nothing is legal in {self.decision}"
            if len(legal) > 1:
                break
            self._do(legal[0])

    def _do(self, action: int) -> None:
        if self.decision[0] == "B":
            self._do_bandit_choice(action - CELL0)
        else:
            getattr(self, f"_do_{self.decision}")(self.player, action)

    # --------------------------------------------------------------------------------- adding a tile, D01-D04

    def _start_turn(self) -> None:
        self._no_context()
        self._ask("D01", self.active)

    def _legal_D01(self, p: int) -> list[int]:
        borders = self.borders()
        return [TILE0 + t for t in self.hands[p] if self.placements(t, p, borders)] + [PILE]

    def _do_D01(self, p: int, action: int) -> None:
        if action == PILE:  # BLOOD-REVEAL-01
            self.placing = {"tile": self.pile.pop(0), "cell": None}
            self._ask("D02", p)
        else:
            self._leave(p, action - TILE0)
            self.placing = {"tile": action - TILE0, "cell": None}
            self._ask("D03", p)

    def _legal_D02(self, p: int) -> list[int]:
        return [PASS] + [DO] * bool(self.placements(self.placing["tile"], p))

    def _do_D02(self, p: int, action: int) -> None:
        if action == DO:  # BLOOD-REVEAL-02
            self._ask("D03", p)
            return
        self.discard.add(self.placing["tile"])  # BLOOD-REVEAL-03
        self.placing = None
        self._draw(p)
        self._end_of_turn()

    def _legal_D03(self, p: int) -> list[int]:
        return [CELL0 + c for c in self.placements(self.placing["tile"], p)]

    def _do_D03(self, p: int, action: int) -> None:
        self.placing["cell"] = action - CELL0
        self._ask("D04", p)

    def _legal_D04(self, p: int) -> list[int]:
        return [ROT0 + k for k in self.placements(self.placing["tile"], p)[self.placing["cell"]]]

    def _do_D04(self, p: int, action: int) -> None:
        c = self.laid = self.placing["cell"]
        self.map[c] = {"tile": self.placing["tile"], "rotation": action - ROT0, "warbands": [0] * self.colours}
        self.placing = None
        wrong = self.mismatched(c)
        if wrong:  # BLOOD-CIT-07
            self._begin_citadel(p, wrong[0])
        elif self.can_citadel(p) and self.met(c):
            self._ask("D05", p)
        else:
            self._after_citadel(p)

    # ------------------------------------------------------------------------------------- citadels, D05, D06

    def _legal_D05(self, p: int) -> list[int]:
        return [SIDE0 + d for d in self.met(self.laid)] + [PASS]

    def _do_D05(self, p: int, action: int) -> None:
        if action == PASS:
            self._after_citadel(p)
        else:
            self._begin_citadel(p, action - SIDE0)

    def _begin_citadel(self, p: int, side: int) -> None:
        self.citadel_side = side
        if None in self.citadels and self.settlement[p] >= 1:  # BLOOD-CIT-05
            self.settlement[p] -= 1
            self._place_citadel(p)
        else:
            self._ask("D06", p)

    def _legal_D06(self, p: int) -> list[int]:
        pieces = [PIECE0 + j for j in self.removable(p)]
        if None not in self.citadels:  # BLOOD-CIT-06
            return pieces
        cells = [CELL0 + c for c in self.cells_of(p)]
        return pieces + cells + [VP] * (self.vp[p] >= 1) + [RES] * (self.reserve[p] >= 1)

    def _do_D06(self, p: int, action: int) -> None:
        if action == VP:
            self.vp[p] -= 1
        elif action == RES:
            self.reserve[p] -= 1
        elif action >= CELL0:
            self.map[action - CELL0]["warbands"][p] -= 1
        else:  # its warband moves into the new one
            self.citadels[action - PIECE0] = None
        self._place_citadel(p)

    def _place_citadel(self, p: int) -> None:
        c, d = self.laid, self.citadel_side
        permanent = d in self.mismatched(c)  # BLOOD-CIT-07
        if d > 2:
            c, d = self.nb(c, d), d - 3
        number = self.citadels.index(None)  # BLOOD-COMP-04
        self.citadels[number] = {"cell": c, "side": d, "owner": p, "permanent": permanent}
        self.citadel_side = None
        self._after_citadel(p)

    # ------------------------------------------------------------------------------- village actions, D07-D12

    def _after_citadel(self, p: int) -> None:
        if not self.options["goods"] or self.village(self.laid) is None:
            self._begin_phase("D13")
        elif self.has_ability(p, SAILS) and self._village_tiles(p):  # BLOOD-ABIL-04
            self._ask("D07", p)
        else:
            self._begin_village(p, 0)

    def _village_tiles(self, p: int) -> list[int]:
        return [t for t in self.hands[p] if self.villages[t] is not None]

    def _legal_D07(self, p: int) -> list[int]:
        return [TILE0 + t for t in self._village_tiles(p)] + [PASS]

    def _do_D07(self, p: int, action: int) -> None:
        more = 0
        if action != PASS:
            t = action - TILE0
            self._leave(p, t)
            self.discard.add(t)
            more = 2 if self.villages[t] == self.village(self.laid) else 1
        self._begin_village(p, more)

    def _begin_village(self, p: int, more: int) -> None:
        """BLOOD-VILL-01, -02."""
        laid = self.village(self.laid)
        alone = [c for c in self.map if self.village(c) and self.wb(c, p) >= 1 and self.enemies(c, p) == 0]
        self.village_left = more + len(alone) + sum(self.village(c) == laid for c in alone)
        self.furs_returned = False
        self._village_point(p)

    def _village_point(self, p: int) -> None:
        if self.village_left > 0:
            self._ask(VILLAGE_POINT[self.village(self.laid)], p)
        else:
            self._end_village()

    def _end_village(self) -> None:
        self.village_left, self.furs_returned = 0, False
        self._begin_phase("D13")

    def _village_action_done(self, p: int) -> None:
        self.village_left -= 1
        self._village_point(p)

    def _legal_D08(self, p: int) -> list[int]:
        """BLOOD-FURS-03."""
        v, s = self.vp[p], self.settlement[p]
        if not self.furs_returned:
            v, s = 0, s + v
        on_map, cit = self.on_map(p), self.citadels_of(p)
        if s >= 1:
            return [PASS] + [DO] * (v + 1 <= on_map + cit)
        cells = [CELL0 + c for c in self.cells_of(p) if v + 1 <= on_map - 1 + cit]
        return [PASS, *cells] + [RES] * (self.reserve[p] >= 1 and v + 1 <= on_map + cit)

    def _do_D08(self, p: int, action: int) -> None:
        if action == PASS:
            self._end_village()
            return
        if not self.furs_returned:  # BLOOD-FURS-01
            self.settlement[p] += self.vp[p]
            self.vp[p] = 0
            self.furs_returned = True
        self._take_warband(p, action)
        self.vp[p] += 1
        if not self._sixth_point():
            self._village_action_done(p)

    def _take_warband(self, p: int, action: int) -> None:
        """Take a warband from where the action says."""
        if action == DO:
            self.settlement[p] -= 1
        elif action == VP:
            self.vp[p] -= 1
        elif action == RES:
            self.reserve[p] -= 1
        else:
            self.map[action - CELL0]["warbands"][p] -= 1

    def _legal_D09(self, p: int) -> list[int]:
        """BLOOD-MEAD-01."""
        if self.settlement[p] >= 1:
            return [PASS, DO]
        return [PASS] + [CELL0 + c for c in self.cells_of(p)] + [VP] * (self.vp[p] >= 1)

    def _do_D09(self, p: int, action: int) -> None:
        if action == PASS:
            self._end_village()
            return
        self._take_warband(p, action)
        self.reserve[p] += 1
        self._village_action_done(p)

    def _legal_D10(self, p: int) -> list[int]:
        """BLOOD-SILVER-01."""
        return [PASS] + [CELL0 + c for c in self.map if self.contested(c, p) and self.hands[p]]

    def _do_D10(self, p: int, action: int) -> None:
        if action == PASS:
            self._end_village()
            return
        self.silver_cell = action - CELL0
        self._ask("D11", p)

    def _legal_D11(self, p: int) -> list[int]:
        return [TILE0 + t for t in self.hands[p]]

    def _do_D11(self, p: int, action: int) -> None:
        self._leave(p, action - TILE0)
        self.discard.add(action - TILE0)
        for q in range(self.colours):
            if q != p and self.wb(self.silver_cell, q) >= 1:
                self.map[self.silver_cell]["warbands"][q] -= 1
                self.settlement[q] += 1
        self.silver_cell = None
        self._village_action_done(p)

    def _legal_D12(self, p: int) -> list[int]:
        return [PASS] + [TILE0 + t for t in self.hands[p]]

    def _do_D12(self, p: int, action: int) -> None:
        if action == PASS:
            self._end_village()
            return
        self.hands[p].remove(action - TILE0)  # BLOOD-TUSK-01; `held` stays (BLOOD-INFO-03)
        self.fresh.add(action - TILE0)
        self._village_action_done(p)

    # ------------------------------------------------------------------------------- the four phases, D13-D18

    def _begin_phase(self, phase: str) -> None:
        """BLOOD-ACT-01, BLOOD-CIT-03."""
        p, letters = self.active, self.letters(self.laid)
        free = [letters[d] for d in range(6) if self.citadel_at(self.laid, d) is None]
        self.drew_earlier = phase != "D13" and (self.drew_earlier or self.drawn > 0)
        self.a, self.b, self.performed, self.drawn = free.count(PHASES[phase]), 0, False, 0
        if phase == "D13" and self.has_ability(p, WARRIORS) and letters.count("F") == 1:  # BLOOD-ABIL-06
            self.a += 1
        if (phase == "D14" and self.has_ability(p, CORSAIRS)) or (phase == "D15" and self.has_ability(p, NORMAN)):
            self.b = 1
        self._ask(phase, p)

    def _end_phase(self) -> None:
        if self.decision in NEXT_PHASE:
            self._begin_phase(NEXT_PHASE[self.decision])
        else:
            self.__dict__.update(NO_TURN)
            self._end_of_turn()

    def _common(self, p: int) -> list[int]:
        """DRAW, SPEND and PASS (BLOOD-ACT-05, -06)."""
        may_draw = not self.performed and not self.drew_earlier and bool(self.pile)
        legal = [PASS]
        if may_draw and self.a >= 1 and self.drawn < self.settlement[p]:
            legal.append(DRAW)
        if self.reserve[p] >= 1:
            if may_draw or (self.drawn == 0 and self._could_perform(p, self.a + self.reserve[p])):
                legal.append(SPEND)
        return legal

    def _could_perform(self, p: int, a: int) -> bool:
        if self.decision == "D13":
            return True
        if self.decision == "D16":
            return any(self.contested(c, p) for c in self.map)
        return bool(self._sources(p, a))

    def _destinations(self, p: int, c: int, count: int, a: int) -> dict[int, tuple[int, int]]:
        kind = self.move["kind"] if self.move else {"D14": "LAKE", "D15": "ROAD"}[self.decision]
        if kind == "LAKE":
            return self.lake_destinations(c, p, a, self.b)
        return self.road_destinations(c, p, count, a, self.b)

    def _sources(self, p: int, a: int) -> list[int]:
        """BLOOD-LAKE-07, BLOOD-ROAD-07: tiles whose army has a payable destination."""
        return [c for c in self.cells_of(p) if self._destinations(p, c, self.wb(c, p), a)]

    def _do_common(self, p: int, action: int) -> bool:
        """Do DRAW, SPEND or PASS; return whether it was one of them."""
        if action == DRAW:
            self.a -= 1
            self.drawn += 1
            self._draw(p)
        elif action == SPEND:  # BLOOD-MEAD-03
            self.reserve[p] -= 1
            self.settlement[p] += 1
            self.a += 1
        elif action == PASS:
            self._end_phase()
        return action in (DRAW, SPEND, PASS)

    def _legal_D13(self, p: int) -> list[int]:
        """BLOOD-FOREST-02."""
        legal = self._common(p)
        if self.a == 0 or self.drawn > 0:
            return legal
        if self.settlement[p] >= 1:
            return [*legal, DO]
        return legal + [CELL0 + c for c in self.cells_of(p) if c != self.laid] + [VP] * (self.vp[p] >= 1)

    def _do_D13(self, p: int, action: int) -> None:
        if self._do_common(p, action):
            return
        self._take_warband(p, action)
        self.map[self.laid]["warbands"][p] += 1
        self.a -= 1
        self.performed = True

    def _legal_move(self, p: int) -> list[int]:
        sources = self._sources(p, self.a) if self.drawn == 0 else []
        return self._common(p) + [CELL0 + c for c in sources]

    def _begin_move(self, p: int, kind: str, action: int) -> None:
        if not self._do_common(p, action):
            self.move = {"kind": kind, "source": action - CELL0, "count": None}
            self._ask("D17", p)

    def _legal_D14(self, p: int) -> list[int]:
        return self._legal_move(p)

    def _do_D14(self, p: int, action: int) -> None:
        self._begin_move(p, "LAKE", action)

    def _legal_D15(self, p: int) -> list[int]:
        return self._legal_move(p)

    def _do_D15(self, p: int, action: int) -> None:
        self._begin_move(p, "ROAD", action)

    def _legal_D17(self, p: int) -> list[int]:
        there = self.wb(self.move["source"], p)
        return [COUNT0 + k for k in range(1, 1 + (min(3, there) if self.move["kind"] == "LAKE" else there))]

    def _do_D17(self, p: int, action: int) -> None:
        self.move["count"] = action - COUNT0
        self._ask("D18", p)

    def _legal_D18(self, p: int) -> list[int]:
        return [CELL0 + c for c in self._destinations(p, self.move["source"], self.move["count"], self.a)]

    def _do_D18(self, p: int, action: int) -> None:
        source, count, target = self.move["source"], self.move["count"], action - CELL0
        cost = self._destinations(p, source, count, self.a)[target]
        self.a -= cost[0]
        self.b -= cost[1]
        self.map[source]["warbands"][p] -= count
        self.map[target]["warbands"][p] += count
        self.performed = True
        self._ask("D14" if self.move["kind"] == "LAKE" else "D15", p)
        self.move = None

    # ---------------------------------------------------------------------------------------- battle, D16-D22

    def _legal_D16(self, p: int) -> list[int]:
        """BLOOD-BATTLE-01."""
        fights = [c for c in self.map if self.contested(c, p)] if self.a >= 1 and self.drawn == 0 else []
        return self._common(p) + [CELL0 + c for c in fights]

    def _do_D16(self, p: int, action: int) -> None:
        if not self._do_common(p, action):
            self.a -= 1
            self.performed = True
            self._begin_battle(action - CELL0, p)

    def _begin_battle(self, c: int, starter: int) -> None:
        """BLOOD-BATTLE-02; the bandits (colour 1) start their own attacks (BLOOD-SOLO-09)."""
        order = [(starter + i) % self.colours for i in range(self.colours)]
        order = [p for p in order if self.wb(c, p) >= 1]
        around = [x for x in (self.citadel_at(c, d) for d in range(6)) if x is not None]
        owed, strength = [], []
        for p in order:
            own = sum(x["owner"] == p for x in around) if self.has_ability(p, BANDITS_ABILITY) else 0
            owed.append(self.wb(c, p) + (p == starter) + 2 * own)  # BLOOD-ABIL-08
            strength.append(int(self.has_ability(p, MARAUDERS) and self.wb(c, p) == 1))  # BLOOD-ABIL-03
        revealed = [[] for _ in order]
        self.battle = {"cell": c, "order": order, "owed": owed, "revealed": revealed, "strength": strength, "add": 0}
        self._participant(0)

    def is_bandits(self, p: int) -> bool:
        return self.n == 1 and p == BANDITS

    def _participant(self, i: int) -> None:
        """The i-th participant begins to reveal."""
        if i == len(self.battle["order"]):
            self._resolve()
            return
        p = self.battle["order"][i]
        if self.is_bandits(p):  # BLOOD-SOLO-09
            for t in sorted(self.prepared[p]):
                self._reveal(i, t)
            self.prepared[p].clear()
            while self.battle["owed"][i] > 0:
                self._reveal_from_pile(i)
            self._participant(i + 1)
        elif self.prepared[p]:  # BLOOD-BATTLE-04
            self._ask("D19", p)
        else:
            self._basic_tiles(i)

    def _basic_tiles(self, i: int) -> None:
        if self.battle["owed"][i] > 0:
            self._ask("D20", self.battle["order"][i])
        else:
            self._participant(i + 1)

    def _reveal(self, i: int, t: int) -> None:
        self.battle["revealed"][i] = sorted([*self.battle["revealed"][i], t])
        self.battle["strength"][i] += self.mountains(t)

    def _reveal_from_pile(self, i: int) -> None:
        if self.pile:  # else BLOOD-BATTLE-05
            self._reveal(i, self.pile.pop(0))
        self.battle["owed"][i] -= 1

    def _legal_D19(self, p: int) -> list[int]:
        return [TILE0 + t for t in self.prepared[p]] + [PASS]

    def _do_D19(self, p: int, action: int) -> None:
        i = self.battle["order"].index(p)
        if action != PASS:
            self._leave(p, action - TILE0)
            self._reveal(i, action - TILE0)
        if action == PASS or not self.prepared[p]:
            self._basic_tiles(i)

    def _legal_D20(self, p: int) -> list[int]:
        return [TILE0 + t for t in self.hands[p]] + [PILE]

    def _do_D20(self, p: int, action: int) -> None:
        i = self.battle["order"].index(p)
        if action == PILE:
            self._reveal_from_pile(i)
        else:
            self._leave(p, action - TILE0)
            self._reveal(i, action - TILE0)
            self.battle["owed"][i] -= 1
        self._basic_tiles(i)

    def strongest(self) -> list[int]:
        battle = self.battle
        return [p for p, s in zip(battle["order"], battle["strength"]) if s == max(battle["strength"])]

    def _resolve(self) -> None:
        """Losses (BLOOD-RESOLVE-01 to -04), then the addition (-05)."""
        c, best = self.battle["cell"], self.strongest()
        for p, s in zip(self.battle["order"], self.battle["strength"]):
            loss = max(self.battle["strength"]) - s
            if p in best:
                loss = 1 if len(best) > 1 else 0
            loss = min(loss, self.wb(c, p))
            self.map[c]["warbands"][p] -= loss
            self.settlement[p] += loss
        if len(best) > 1:
            self._points(0)
        elif self.is_bandits(best[0]):
            self.battle["add"] = self._room(best[0])
            self._bandits_add()
        elif min(self._room(best[0]), self.settlement[best[0]]) >= 1:
            self._ask("D21", best[0])
        else:
            self._points(0)

    def _room(self, p: int) -> int:
        return 2 if self.enemies(self.battle["cell"], p) == 0 else 1

    def _legal_D21(self, p: int) -> list[int]:
        return [PASS] + [COUNT0 + k for k in range(1, 1 + min(self._room(p), self.settlement[p]))]

    def _do_D21(self, p: int, action: int) -> None:
        if action != PASS:
            self.settlement[p] -= action - COUNT0
            self.map[self.battle["cell"]]["warbands"][p] += action - COUNT0
        self._points(0)

    def _points(self, first: int) -> None:
        """BLOOD-RESOLVE-06, from that participant on."""
        for p in self.battle["order"][first:]:
            if p in self.strongest() and not self._score(p):
                return
        self._end_battle()

    def _score(self, p: int) -> bool:
        """One point for p; return False if somebody has to say first which warband marks it."""
        if self.settlement[p] >= 1:
            self.settlement[p] -= 1
            self.vp[p] += 1
        elif self.on_map(p) >= 1:
            if self.is_bandits(p):
                self._ask("B7", 0)  # BLOOD-SOLO-08
            else:
                self._ask("D22", p)
            return False
        return True

    def _legal_D22(self, p: int) -> list[int]:
        return [PASS] + [CELL0 + c for c in self.cells_of(p)]

    def _do_D22(self, p: int, action: int) -> None:
        if action != PASS:
            self._take_warband(p, action)
            self.vp[p] += 1
        if self.battle is not None:
            self._points(self.battle["order"].index(p) + 1)
        else:
            self._after_vikings()

    def _end_battle(self) -> None:
        best = self.strongest()
        for tiles in self.battle["revealed"]:  # BLOOD-BATTLE-06
            self.discard |= set(tiles)
        self.battle = None
        if self._sixth_point():
            return
        if self.bandit is not None:
            self._after_attack(best == [BANDITS])
        else:
            self._ask("D16", self.active)

    # -------------------------------------------------------------------------------- end of turn and of game

    def _end_of_turn(self) -> None:
        """BLOOD-PHASE-06."""
        p = self.active
        self.prepared[p] |= self.fresh
        self.fresh = set()
        if self.bjarmia(p):
            self._end([p])
            return
        holders = [q for q in range(self.n) if self.has_ability(q, VIKINGS)]
        for q in holders:
            if (q == p or self.options["vikings_every_turn"]) and self._vikings(q) and not self._score(q):
                return
        self._after_vikings()

    def _vikings(self, p: int) -> bool:
        """BLOOD-ABIL-09."""
        types = [self.village(c) for c in self.cells_of(p) if self.village(c)]
        return any(types.count(village) >= 2 for village in types)

    def _after_vikings(self) -> None:
        if self._sixth_point():
            return
        if not self.pile:
            self._end([BANDITS] if self.n == 1 else self.final_winners())  # BLOOD-SOLO-12, BLOOD-END-05
        elif self.n == 1:
            self._bandit_phase()
        else:
            self.active = (self.active + 1) % self.n
            self._start_turn()

    def _sixth_point(self) -> bool:
        """BLOOD-END-01."""
        winners = [p for p in range(self.colours) if self.vp[p] >= TO_WIN]
        if winners:
            self._end(winners)
        return bool(winners)

    def _end(self, winners: list[int]) -> None:
        self._no_context()
        self.winners = winners
        self.decision, self.player = "END", None

    def key(self, p: int) -> tuple[int, int, int]:
        """BLOOD-END-05: villages held, points, warbands on the map."""
        return sum(self.village(c) is not None for c in self.cells_of(p)), self.vp[p], self.on_map(p)

    def final_winners(self) -> list[int]:
        best = max(self.key(p) for p in range(self.n))
        return [p for p in range(self.n) if self.key(p) == best]

    def scores(self) -> list[int]:
        return self.vp[: self.n]

    def ranks(self) -> list[int]:
        """BLOOD-END-08: winners first, then by `key`. Solo ranks the player against the bandits."""
        winners = self.winners or []
        keys = [(1,) if p in winners else (0, *self.key(p)) for p in range(self.colours)]
        return [1 + sum(other > mine for other in keys) for mine in keys[: self.n]]

    def returns(self) -> list[float]:
        """BLOOD-END-06, -08."""
        if not self.is_terminal():
            return [0.0] * self.n
        n, winners, reward = self.n, self.winners, self.options["reward"]
        if n == 1:
            if winners == [0]:
                return [1.0]
            if reward == "score":
                return [(self.vp[0] - self.vp[BANDITS]) / TO_WIN]
            return [0.0 if 0 in winners else -1.0]
        if reward == "win":
            share = (n / len(winners) - 1) / (n - 1)
            return [share if p in winners else -1 / (n - 1) for p in range(n)]
        if reward == "rank":
            ranks = self.ranks()
            return [(sum(o > r for o in ranks) - sum(o < r for o in ranks)) / (n - 1) for r in ranks]
        return [(v - (sum(self.vp) - v) / (n - 1)) / TO_WIN for v in self.vp]

    # --------------------------------------------------------------------------------------------- State JSON

    def to_dict(self) -> dict:
        """BLOOD-PHASE-08."""
        named = {"tile_table": self.tables["tile_table"], "bandit_table": self.tables["bandit_table"]}
        out = {"game": "blood", "num_players": self.n, "options": {**self.options, **named}}
        out |= {key: getattr(self, key) for key in self.PLAIN}
        out |= {key: sorted(getattr(self, key)) for key in self.SET}
        out |= {key: [sorted(members) for members in getattr(self, key)] for key in self.SETS}
        out["map"] = [{"cell": c, **self.map[c]} for c in sorted(self.map)]
        return copy.deepcopy(out)

    @classmethod
    def from_dict(cls, d: dict, tables: dict) -> Referee:
        """Return the state as it is; nothing is done automatically before the next action."""
        d = copy.deepcopy(d)
        options = {key: value for key, value in d["options"].items() if key not in ("tile_table", "bandit_table")}
        self = cls.__new__(cls)
        self._configure({**options, "num_players": d["num_players"]}, tables)
        if d["game"] != "blood" or any(d["options"][key] != tables[key] for key in ("tile_table", "bandit_table")):
            raise ValueError("not a state of this game with these tables")
        for key in cls.PLAIN:
            setattr(self, key, d[key])
        for key in cls.SET:
            setattr(self, key, set(d[key]))
        for key in cls.SETS:
            setattr(self, key, [set(members) for members in d[key]])
        self.map = {x.pop("cell"): x for x in d["map"]}
        return self

    def clone(self) -> Referee:
        return type(self).from_dict(self.to_dict(), self.tables)


def _shuffled(shuffle: Shuffle, purpose: str, occurrence: int, items: list[int]) -> list[int]:
    result = list(shuffle(purpose, occurrence, list(items)))
    if sorted(result) != sorted(items):
        raise ValueError("the shuffle lost or invented something")
    return result
