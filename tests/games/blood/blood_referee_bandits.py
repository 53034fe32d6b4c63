"""The bandits of the solo game (BLOOD-SOLO, BLOOD-EFFECT): one phase after each turn of the player, driven by cards.

All that a phase remembers is in `self.bandit`, the object of BLOOD-PHASE-08. An effect runs until the player has to
choose; `_effects` goes on with the card afterwards.
"""

from __future__ import annotations

BANDITS = 1
PLAYER = 0
LETTER = {"MOUNTAIN": "M", "LAKE": "L", "ROAD": "R", "FOREST": "F"}


class BanditRules:
    """What the bandits do. Uses the state and the battles of the referee."""

    # ------------------------------------------------------------------------------------------------ the card

    def _bandit_phase(self) -> None:
        """BLOOD-SOLO-05."""
        self.bandit = {"forbidden": None}
        self._turn_over()
        self._effects()

    def _turn_over(self) -> None:
        """The top tile goes to the discard pile and its card comes into force; nothing of an earlier card counts on."""
        number = self.pile.pop(0)
        self.discard.add(number)
        if self.tables["redirect"][number] is not None and self.on_map(BANDITS) == 0:
            number = self.tables["redirect"][number]
        self.bandit.update(card=number, next=0, left=0, target=None, remaining=[], served=[], run=None)
        self.bandit.update(won=0, last_won=False, bribed=0)

    def _effects(self) -> None:
        """Begin one effect after the other until a choice is asked, the game ends or the card is done."""
        row = self._row()
        while self.bandit["next"] < len(row):
            effect = row[self.bandit["next"]]
            self.bandit["next"] += 1
            if effect[0] == "PLAY":
                if self.pile:
                    self._turn_over()
                    row = self._row()
            elif not self._begin(effect, row):
                return
        self.bandit = None
        if not self.pile:  # BLOOD-SOLO-12
            self._end([BANDITS])
        else:
            self._start_turn()

    def _row(self) -> list:
        return self.tables["effects"][self.bandit["card"]]

    def _current(self) -> tuple:
        """The effect in progress; inside IFWON the inner one."""
        effect = self._row()[self.bandit["next"] - 1]
        return effect[1] if effect[0] == "IFWON" else effect

    def _begin(self, effect: tuple, row: list) -> bool:
        """Begin an effect; return whether it is over already and the game goes on (BLOOD-EFFECT-01)."""
        name, first, second = effect
        b = self.bandit
        if name == "IFWON":
            return self._begin(first, []) if b["last_won"] else True
        if name == "WIN":
            self._end([BANDITS])
            return False
        if name == "PLACE":
            return self._begin_place(first, second)
        if name == "EACH":
            b["remaining"] = [c for c in sorted(self.map) if self._fits(c, first)]
            return self._each()
        if name in ("LAKE", "ROAD"):
            return self._begin_run("MOVES", [effect, *self._joined(row)])
        if name in ("ROADONE", "ROADATTACK"):
            return self._begin_run(name, [("ROAD", first, None)])
        if name == "ATTACK":
            b["left"] = first
            return self._attack()
        if name == "SCORE":
            b["left"] = self._number(first)
            return self._score_points()
        if name == "BRIBE":
            b["left"] = first
            return self._bribe()
        if name == "BRIBEVILLAGES":
            b["left"] = self._bribe_villages()
            return self._score_points()
        top = self.pile[: self._number(first)]
        self.pile = self.pile[len(top) :]
        if name == "PREPARE":
            self.prepared[BANDITS] |= set(top)
        else:
            assert name == "DISCARD"
            self.discard |= set(top)
        return True

    def _joined(self, row: list) -> list:
        """The LAKE and ROAD effects that follow the present one; they begin together with it (BLOOD-SOLO-11)."""
        found = []
        while self.bandit["next"] < len(row) and row[self.bandit["next"]][0] in ("LAKE", "ROAD"):
            found.append(row[self.bandit["next"]])
            self.bandit["next"] += 1
        return found

    def _number(self, k: int | str) -> int:
        if k == "ARMIES":
            return len(self.cells_of(BANDITS))
        if k == "VILLAGES":
            return sum(self.village(c) is not None for c in self.map)
        if k == "WARBANDS":
            return self.on_map(PLAYER)
        if k == "WON":
            return self.bandit["won"]
        if k == "BRIBED":
            return self.bandit["bribed"]
        return k

    # --------------------------------------------------------------------------------------- choices, B1 to B7

    def _bandit_cells(self) -> list[int]:
        """The cells offered in B1 to B7, ascending."""
        b, point = self.bandit, self.decision
        if point == "B1":
            name, _, where = self._current()
            if name == "PLACE":
                return [c for c in sorted(self.map) if self._fits(c, where)]
            return self._each_choices()
        if point == "B2":
            return self._origins(b["target"] if self.battle is None else self.battle["cell"])
        if point == "B3":
            return sorted({x for x, _, _ in self._moves()})
        if point == "B4":
            return sorted({m if m is not None and b["run"]["via"] is None else y for _, m, y in self._moves()})
        if point == "B5":
            return self._attackable()
        if point == "B6":
            return self._bribable()
        return self.cells_of(BANDITS)  # B7

    def _do_bandit_choice(self, c: int) -> None:
        b, point = self.bandit, self.decision
        if point == "B1":
            if self._current()[0] == "PLACE":
                b["target"] = c
                done = self._place()
            else:
                done = self._each_chosen(c)
        elif point == "B2" and self.battle is not None:
            self.map[c]["warbands"][BANDITS] -= 1
            self.map[self.battle["cell"]]["warbands"][BANDITS] += 1
            self.battle["add"] -= 1
            self._bandits_add()
            return
        elif point == "B2":
            self.map[c]["warbands"][BANDITS] -= 1
            self.map[b["target"]]["warbands"][BANDITS] += 1
            if self._current()[0] == "PLACE":
                b["left"] -= 1
                done = self._place()
            else:
                self._served(b["target"])
                done = self._each()
        elif point == "B3":
            b["run"]["from"] = c
            self._ask("B4", PLAYER)
            return
        elif point == "B4":
            done = self._move_chosen(c)
        elif point == "B5":
            self._begin_battle(c, BANDITS)
            return
        elif point == "B6":
            self._take_bribe(c)
            b["left"] -= 1
            done = self._bribe()
        else:
            self.map[c]["warbands"][BANDITS] -= 1
            self.vp[BANDITS] += 1
            if self.battle is not None:
                self._points(self.battle["order"].index(BANDITS) + 1)
                return
            b["left"] -= 1
            done = not self._sixth_point() and self._score_points()
        if done:
            self._effects()

    # ------------------------------------------------------------------------------------------ PLACE and EACH

    def _fits(self, c: int, where: str) -> bool:
        """Is the tile eligible for W?"""
        if where == "ANY":
            return True
        if where == "VILLAGE":
            return self.village(c) is not None
        if where == "EMPTY":
            return sum(self.map[c]["warbands"]) == 0
        if where == "WARBAND":
            return self.wb(c, PLAYER) >= 1
        if where == "JUSTPLACED":
            return c == self.laid
        return LETTER[where] in self.letters(c)

    def _origins(self, target: int) -> list[int]:
        """Cells from which a bandit may go to the target (BLOOD-SOLO-07); one placed by the same EACH stays."""
        served = self.bandit["served"] if self.bandit is not None and self.battle is None else []
        return [c for c in self.cells_of(BANDITS) if c != target and self.wb(c, BANDITS) > (c in served)]

    def _begin_place(self, count: int, where: str) -> bool:
        if not any(self._fits(c, where) for c in self.map):
            return True
        self.bandit["left"] = count
        self._ask("B1", PLAYER)
        return False

    def _place(self) -> bool:
        """Put the bandits still owed on the target, one by one."""
        b = self.bandit
        while b["left"] > 0:
            if self.settlement[BANDITS] >= 1:
                self.settlement[BANDITS] -= 1
                self.map[b["target"]]["warbands"][BANDITS] += 1
                b["left"] -= 1
            elif self._origins(b["target"]):
                self._ask("B2", PLAYER)
                return False
            else:
                b["left"] = 0  # BLOOD-SOLO-06
        b["target"] = None
        return True

    def _each_choices(self) -> list[int]:
        remaining = self.bandit["remaining"]
        if self.settlement[BANDITS] >= 1:
            return list(remaining)
        return [c for c in remaining if self._origins(c)]

    def _each(self) -> bool:
        """The next of the tiles that still get one bandit each."""
        b = self.bandit
        b["target"] = None
        if self.settlement[BANDITS] >= len(b["remaining"]):
            for c in list(b["remaining"]):
                self._from_supply(c)
        if self._each_choices():
            self._ask("B1", PLAYER)
            return False
        b["remaining"], b["served"] = [], []
        return True

    def _from_supply(self, c: int) -> None:
        self.settlement[BANDITS] -= 1
        self.map[c]["warbands"][BANDITS] += 1
        self._served(c)

    def _served(self, c: int) -> None:
        self.bandit["remaining"].remove(c)
        self.bandit["served"] = sorted([*self.bandit["served"], c])

    def _each_chosen(self, c: int) -> bool:
        if self.settlement[BANDITS] >= 1:
            self._from_supply(c)
            return self._each()
        self.bandit["target"] = c
        self._ask("B2", PLAYER)
        return False

    # ------------------------------------------------------------------------------------------- runs of moves

    def _begin_run(self, kind: str, effects: list) -> bool:
        moves = [name for name, k, _ in effects for _ in range(self._number(k))]
        self.bandit["run"] = {"kind": kind, "moves": moves, "from": None, "via": None, "one": None}
        return self._next_move()

    def _next_move(self) -> bool:
        run = self.bandit["run"]
        run["from"] = run["via"] = None
        while run["moves"]:
            if self._moves():
                self._ask("B3", PLAYER)
                return False
            run["moves"].pop(0)  # step 3
        self.bandit["run"] = None
        return True

    def _moves(self) -> list[tuple[int, int | None, int]]:
        """All (x, m, y) of step 1 or else step 2 of BLOOD-SOLO-11 (m None: x to y directly) that fit what is chosen."""
        run = self.bandit["run"]
        found = self._one_action() or self._two_actions()
        if run["from"] is not None:
            found = [move for move in found if move[0] == run["from"]]
        if run["via"] is not None:
            found = [move for move in found if move[1] == run["via"]]
        return found

    def _one_action(self) -> list[tuple[int, None, int]]:
        action = self.bandit["run"]["moves"][0]
        pairs = [(x, y) for x in self._movers() for y in self._reach(x, action)]
        return [(x, None, y) for x, y in pairs if y != x and self._holds(y) and self._allowed(x, y)]

    def _two_actions(self) -> list[tuple[int, int | None, int]]:
        actions = self.bandit["run"]["moves"][:2]
        found: list[tuple[int, int | None, int]] = []
        if len(actions) < 2:
            return found
        for x in self._movers():
            if actions == ["LAKE", "LAKE"]:
                across = [n for n, status in self.statuses(x, BANDITS) if status == "FOREST"]
                found += [(x, None, y) for y in across if self._holds(y) and self._allowed(x, y)]
            for m in self._reach(x, actions[0]):
                if not self._holds(m):
                    ends = [y for y in self._reach(m, actions[1]) if y != x and self._holds(y)]
                    found += [(x, m, y) for y in ends if self._allowed(x, y)]
        return found

    def _movers(self) -> list[int]:
        one = self.bandit["run"]["one"]
        return self.cells_of(BANDITS) if one is None else [one]

    def _reach(self, c: int, action: str) -> set[int]:
        """BLOOD-SOLO-10: one lake action (an OPEN side or a lake) or one road action (round the edge too)."""
        if action == "LAKE":
            return {n for n, status in self.statuses(c, BANDITS) if status == "OPEN"} | self.lake_of(c, BANDITS)
        on, off = self.road_reach(c, BANDITS, 0)
        return on | off

    def _holds(self, c: int) -> bool:
        return sum(self.map[c]["warbands"]) >= 1

    def _allowed(self, x: int, y: int) -> bool:
        return self.bandit["forbidden"] != [x, y]

    def _move_chosen(self, c: int) -> bool:
        """B4: the end of the move, or the empty tile on its way."""
        b, run = self.bandit, self.bandit["run"]
        moves = self._moves()
        if run["via"] is None and c in {m for _, m, _ in moves}:
            run["via"] = c
            self._ask("B4", PLAYER)
            return False
        x, m = run["from"], run["via"]
        crossing = m is None and not self._one_action()
        steps = [(x, c)] if m is None else [(x, m), (m, c)]
        one = run["kind"] == "ROADONE"
        ban = [c, x] if one else None
        for (start, end), action in zip(steps, list(run["moves"])):
            army = self.wb(start, BANDITS)
            count = 1 if one else min(3, army) if action == "LAKE" else army
            self.map[start]["warbands"][BANDITS] -= count
            self.map[end]["warbands"][BANDITS] += count
            if not one and army >= 4 and count < army:
                ban = [c, start]
        b["forbidden"] = ban
        run["moves"] = run["moves"][2 if crossing or m is not None else 1 :]
        run["from"] = run["via"] = None
        if one:
            run["one"] = c
        if run["kind"] == "ROADATTACK" and self.wb(c, PLAYER) >= 1:
            self._begin_battle(c, BANDITS)
            return False
        return self._next_move()

    # -------------------------------------------------------------------------------- ATTACK, SCORE and BRIBE

    def _attackable(self) -> list[int]:
        cells = [c for c in sorted(self.map) if self.contested(c, BANDITS)]
        how = self._current()[2]
        if how == "SMALLEST":
            least = min((self.wb(c, PLAYER) for c in cells), default=0)
            return [c for c in cells if self.wb(c, PLAYER) == least]
        if how == "LARGEST":
            most = max((self.wb(c, BANDITS) for c in cells), default=0)
            return [c for c in cells if self.wb(c, BANDITS) == most]
        return cells

    def _attack(self) -> bool:
        if self.bandit["left"] > 0 and self._attackable():
            self._ask("B5", PLAYER)
            return False
        if self.bandit["left"] > 0:
            self.bandit["last_won"] = False  # a skipped battle was not won
        self.bandit["left"] = 0
        return True

    def _after_attack(self, won: bool) -> None:
        """A battle of the bandit phase is over and nobody has won the game by it."""
        b = self.bandit
        b["won"] += won
        if b["run"] is not None:
            done = self._next_move()
        else:
            b["last_won"] = won  # BLOOD-EFFECT-02
            b["left"] -= 1
            done = self._attack()
        if done:
            self._effects()

    def _bandits_add(self) -> None:
        """The bandits alone are the strongest: they add the most allowed (BLOOD-SOLO-09)."""
        battle = self.battle
        while battle["add"] > 0:
            if self.settlement[BANDITS] >= 1:
                self.settlement[BANDITS] -= 1
                self.map[battle["cell"]]["warbands"][BANDITS] += 1
                battle["add"] -= 1
            elif self._origins(battle["cell"]):
                self._ask("B2", PLAYER)
                return
            else:
                battle["add"] = 0
        self._points(0)

    def _score_points(self) -> bool:
        """BLOOD-SOLO-08: points one by one."""
        b = self.bandit
        while b["left"] > 0:
            if not self._score(BANDITS):
                return False
            b["left"] -= 1
            if self._sixth_point():
                return False
        return True

    def _bribable(self) -> list[int]:
        return [c for c in sorted(self.map) if self.contested(c, BANDITS)]  # BLOOD-EFFECT-03

    def _bribe(self) -> bool:
        if self.bandit["left"] > 0 and self._bribable():
            self._ask("B6", PLAYER)
            return False
        self.bandit["left"] = 0
        return True

    def _take_bribe(self, c: int) -> None:
        self.map[c]["warbands"][PLAYER] -= 1
        self.settlement[PLAYER] += 1
        self.bandit["bribed"] += 1

    def _bribe_villages(self) -> int:
        """Return the number of village tiles with a bandit and, before the bribe, no warband (BLOOD-EFFECT-04)."""
        count = 0
        for c in self.cells_of(BANDITS):
            if self.village(c) is not None and self.wb(c, PLAYER) >= 1:
                self._take_bribe(c)
            elif self.village(c) is not None:
                count += 1
        return count
