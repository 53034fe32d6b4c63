"""Combats between players, fights with creatures and retreats (section 4.9, NORTH-CRE-14 to -19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import DONE, FACE, FOOD, NUM, TERR
from northgard_referee_map import REGULAR, SNAKE, STAG, VALKYRIES, WOLF_CLAN
from northgard_referee_tables import FORTRESS, TOWER

if TYPE_CHECKING:
    from northgard_referee import Steps

SMOOTH, PUSH, EITHER = 1, 4, 8
AXE, SKULL = 0, 1
NO_CARD = {"a": 0, "b": 0, "c": 0, "d": 0, "fl": 0}


class CombatRules:
    def row_of(self, row: int | None) -> dict:
        return NO_CARD if row is None else self.tables["cards"][row]

    def roll(self, seat: int | None) -> int:
        face = self.chance.die(seat)
        self.last_rolls.append(face)
        return face

    def choose_face(self, decision: str, p: int, face: int) -> Steps:
        """Return the choice (or None), axes and skulls of a roll; face 2 is one or the other (NORTH-COMB-08)."""
        row = self.tables["die"][face]
        if not row["or"]:
            return None, row["axes"], row["skulls"]
        choice = (yield from self.ask(decision, p, [FACE + AXE, FACE + SKULL])) - FACE
        return choice, row["axes"] * (choice == AXE), row["skulls"] * (choice == SKULL)

    def bid(self, decision: str, p: int, t: int) -> Steps:  # NORTH-COMB-06
        most = min(self.resources[p][FOOD], self.figures(t, p))
        food = (yield from self.ask(decision, p, [NUM + k for k in range(most + 1)])) - NUM
        self.resources[p][FOOD] -= food
        return food

    def scorched(self, p: int, t: int) -> int:  # NORTH-CLAN-12
        return int(self.clan[p] == SNAKE and self.token == t)

    def lose_figures(self, t: int, p: int, k: int) -> None:  # NORTH-COMB-14
        for _ in range(k):
            self.remove_figure(t, p)

    # ------------------------------------------------------------------------------------------ players

    def combat(self, t: int, attacker: int, row: int | None) -> Steps:
        defender = self.controller(t)
        frame = self.push("COMBAT", terr=t, attacker=attacker, defender=defender, row=row)
        yield from self.push_away(frame)
        if self.figures(t, defender):
            yield from self.fight(frame)
        self.pop("COMBAT")

    def push_away(self, frame: dict) -> Steps:  # NORTH-COMB-03
        t, attacker, defender = frame["terr"], frame["attacker"], frame["defender"]
        if not self.row_of(frame["row"])["fl"] & PUSH or not self.unit_count(t, defender):
            return
        places = [
            v
            for v in self.neighbours(t)
            if (self.neutral(v) or self.controls(defender, v)) and not self.disputed(v) and not self.valkyries_at(v)
        ]
        answer = yield from self.ask("CB_PUSH", attacker, [DONE, *[TERR + v for v in places]])
        if answer != DONE:
            self.add_units(t, defender, -1)
            self.add_units(answer - TERR, defender, 1)

    def fight(self, frame: dict) -> Steps:
        t, attacker, defender, card = frame["terr"], frame["attacker"], frame["defender"], self.row_of(frame["row"])
        blind = self.conquer[attacker]
        score_a = self.points(t, attacker) + card["b"] + self.scorched(attacker, t)  # NORTH-COMB-04, -05
        score_d = self.points(t, defender) + self.scorched(defender, t)
        score_d += 0 if blind else 2 * self.count_of(t, FORTRESS)
        frame["food_a"] = yield from self.bid("CB_FOOD_A", attacker, t)
        frame["food_d"] = yield from self.bid("CB_FOOD_D", defender, t)
        frame["roll_a"] = self.roll(attacker)  # NORTH-COMB-07
        frame["face_a"], axes_a, skulls_a = yield from self.choose_face("CB_FACE_A", attacker, frame["roll_a"])
        if card["fl"] & EITHER:  # NORTH-COMB-09
            frame["either"] = (yield from self.ask("CB_EITHER", attacker, [FACE + AXE, FACE + SKULL])) - FACE
            axes_a, skulls_a = axes_a + (frame["either"] == AXE), skulls_a + (frame["either"] == SKULL)
        frame["roll_d"] = self.roll(defender)
        frame["face_d"], axes_d, skulls_d = yield from self.choose_face("CB_FACE_D", defender, frame["roll_d"])
        score_a += frame["food_a"] + axes_a
        score_d += frame["food_d"] + axes_d
        hurt_d = skulls_a  # NORTH-COMB-11
        hurt_a = max(0, skulls_d + (0 if blind else self.count_of(t, TOWER)) - card["c"])
        a_gone, d_gone = hurt_a >= self.figures(t, attacker), hurt_d >= self.figures(t, defender)
        if a_gone and d_gone:  # NORTH-COMB-12, -13
            winner = None
        elif a_gone or d_gone:
            winner = defender if a_gone else attacker
        else:
            winner = attacker if score_a > score_d else defender
        self.lose_figures(t, attacker, hurt_a)
        self.lose_figures(t, defender, hurt_d)
        if winner == attacker:  # NORTH-COMB-15
            self.fame[attacker] += self.clan[attacker] == STAG
            self.resources[attacker][FOOD] += self.clan[attacker] == WOLF_CLAN
        if winner is not None:
            yield from self.retreat(frame, defender if winner == attacker else attacker)

    # ------------------------------------------------------------------------------------------ creatures

    def fight_creature(self, t: int, creature: int, seat: int, row: int | None, attacks: bool = False) -> Steps:
        """`attacks`: the seat attacks the creature; otherwise the creature attacks."""
        parts = {"attacker": seat} if attacks else {"defender": seat}
        frame = self.push("COMBAT", terr=t, creature=creature, row=row, **parts)
        card, beast = self.row_of(row), self.tables["creatures"][creature]
        score = self.points(t, seat) + self.scorched(seat, t)  # NORTH-CRE-14, -19
        score += card["b"] if attacks else 2 * self.count_of(t, FORTRESS)
        food = yield from self.bid("CB_FOOD_A" if attacks else "CB_FOOD_D", seat, t)
        frame["food_a" if attacks else "food_d"] = food
        for key in ("roll_a", "roll_d"):
            frame[key] = self.roll(seat if (key == "roll_a") == attacks else None)
        mine, its = (frame["roll_a"], frame["roll_d"]) if attacks else (frame["roll_d"], frame["roll_a"])
        die = self.tables["die"]
        score += food + die[mine]["axes"] + int(bool(card["fl"] & EITHER))
        value = beast["value"] + die[its]["axes"]
        hurt = max(0, (0 if die[its]["or"] else die[its]["skulls"]) - card["c"])  # NORTH-CRE-15
        won = hurt < self.figures(t, seat) and (score > value or (score == value and not attacks))  # NORTH-CRE-16
        self.lose_figures(t, seat, hurt)
        if won:  # NORTH-CRE-17
            self.fame[seat] += beast["fame"]
            self.creatures.remove([creature, t])
            self.creature_discard.append(creature)
            if attacks:
                self.resources[seat][FOOD] += self.clan[seat] == WOLF_CLAN
                self.fame[seat] += self.clan[seat] == STAG and creature in VALKYRIES
        elif not attacks or creature in VALKYRIES:  # NORTH-CRE-18
            yield from self.retreat(frame, seat)
        self.pop("COMBAT")

    # ------------------------------------------------------------------------------------------ retreat

    def disputed(self, t: int) -> bool:
        """In an unresolved combat, the one being resolved included."""
        due = [where for f in self.frames if f["frame"] == "MOVE" for where, _ in f["due"]]
        return t in due or any(f["terr"] == t for f in self.frames if f["frame"] == "COMBAT")

    def refuges(self, frame: dict, loser: int) -> list[int]:  # NORTH-COMB-16
        smooth = self.row_of(frame["row"])["fl"] & SMOOTH and loser == self.turn
        return [
            v
            for v in self.neighbours(frame["terr"])
            if (smooth or self.border(frame["terr"], v) == REGULAR)
            and (self.neutral(v) or self.controls(loser, v))
            and not self.disputed(v)
            and not self.valkyries_at(v)
        ]

    def retreat(self, frame: dict, loser: int) -> Steps:
        t, places = frame["terr"], self.refuges(frame, loser)
        if not places:  # NORTH-COMB-17
            self.lose_figures(t, loser, self.figures(t, loser))
            return
        frame["loser"] = loser
        while (left := self.unit_count(t, loser)) > 0:
            to = (yield from self.ask("RT_TERR", loser, [TERR + v for v in places])) - TERR
            frame["to"] = to
            k = left
            if len(places) > 1:
                k = (yield from self.ask("RT_NUM", loser, [NUM + k for k in range(1, left + 1)])) - NUM
            frame["to"] = None
            self.add_units(t, loser, -k)
            self.add_units(to, loser, k)
        if self.kaija_at(t, loser):
            self.kaija = (yield from self.ask("RT_KAIJA", loser, [TERR + v for v in places])) - TERR
