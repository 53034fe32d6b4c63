"""The operation MOVE of the referee (section 4.5, NORTH-TEAM-04, -05, NORTH-CRE-06, -10 to -13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import CRE, DONE, FOOD, NUM, TERR, WOOD, YES
from northgard_referee_map import BEARS, REGULAR, SNAKE, VALKYRIES

if TYPE_CHECKING:
    from northgard_referee import Steps

SMOOTH, THROUGH, GATHER, TOKEN_AFTER, ANYWHERE = 1, 2, 16, 32, 64
NEVER = 10**6


class MoveRules:
    # ------------------------------------------------------------------------------------------ what a move may do

    def cost(self, t: int, v: int, fl: int) -> int:
        """NORTH-MOVE-01, -09."""
        if fl & ANYWHERE:
            return 1 if self.is_open(v) else NEVER
        code = self.border(t, v)
        if code is None:
            return NEVER
        return 1 if code == REGULAR or fl & SMOOTH else 2

    def on_visit(self, t: int, p: int) -> bool:
        """Figures of p in a territory of the teammate, on their way through."""
        return self.mate(p) is not None and bool(self.figures(t, p)) and bool(self.figures(t, self.mate(p)))

    def kaija_may_end(self, p: int, v: int) -> bool:  # NORTH-CLAN-04
        return self.kaija_free[p] or not self.is_enemy_land(v, p)

    def may_end(self, p: int, v: int, kaija: bool) -> bool:
        """May a group end a move in v, whatever it costs? (NORTH-MOVE-04)"""
        if self.valkyries_at(v) >= 2 or self.owner_is_mate(v, p):
            return False
        return not kaija or self.kaija_may_end(p, v)

    def owner_is_mate(self, v: int, p: int) -> bool:
        return self.mate(p) is not None and bool(self.figures(v, self.mate(p)))

    def exit_cost(self, u: int, p: int, kaija: bool, fl: int, seen: frozenset[int] = frozenset()) -> int:
        """Least cost to leave the teammate's territory u for good (NORTH-TEAM-05)."""
        if self.has(u, BEARS) or self.has(u, VALKYRIES):
            return NEVER
        best = NEVER
        for v in self.neighbours(u):
            if self.may_end(p, v, kaija):
                best = min(best, self.cost(u, v, fl))
            elif self.owner_is_mate(v, p) and v not in seen:
                best = min(best, self.cost(u, v, fl) + self.exit_cost(v, p, kaija, fl, seen | {u}))
        return best

    def may_enter(self, p: int, t: int, v: int, left: int, fl: int, kaija: bool) -> bool:
        """May a group, with or without Kaija, move from t to v?"""
        price = self.cost(t, v, fl)
        if v == t or price > left or self.valkyries_at(v) >= 2:
            return False
        if self.owner_is_mate(v, p):
            return not fl & ANYWHERE and self.exit_cost(v, p, kaija, fl) <= left - price
        return self.may_end(p, v, kaija)

    def destinations(self, p: int, t: int, left: int, fl: int) -> list[int]:
        """NORTH-MOVE-04; figures on a visit all go (NORTH-TEAM-05)."""
        kaija = self.kaija_at(t, p)
        if self.on_visit(t, p):
            groups = [kaija]
        else:
            groups = [False] * bool(self.unit_count(t, p)) + [True] * kaija
        return [v for v in self.territories() if any(self.may_enter(p, t, v, left, fl, k) for k in groups)]

    def sources(self, p: int, left: int, fl: int) -> list[int]:  # NORTH-MOVE-03
        found = []
        for t in self.territories():
            fought = any(self.figures(t, q) for q in self.enemies(p)) and not fl & THROUGH
            if not self.figures(t, p) or fought or self.has(t, BEARS) or self.has(t, VALKYRIES):
                continue
            if self.destinations(p, t, left, fl):
                found.append(t)
        return found

    # ------------------------------------------------------------------------------------------ the operation

    def can_move(self, p: int, row: dict) -> bool:
        return self.figures_on_map(p) > 0

    def move(self, p: int, card: int, row: dict, played: bool) -> Steps:
        self.intruder = p
        frame = self.push("MOVE", row=card, left=row["a"])
        fl = row["fl"]
        while True:
            visits = [t for t in self.territories() if self.on_visit(t, p)]
            if visits:
                legal = [TERR + t for t in visits]
            else:
                legal = [DONE, *[TERR + t for t in self.sources(p, frame["left"], fl)]]
            answer = yield from self.ask("MV_SRC", p, legal)
            if answer == DONE:
                break
            frame["src"] = answer - TERR
            yield from self.single_move(p, frame, fl)
            frame["src"] = frame["dst"] = frame["num"] = None
        yield from self.declare(p, frame)
        yield from self.resolve(p, frame, card)
        if fl & TOKEN_AFTER and played and self.token_owner() == p:  # NORTH-MOVE-13
            yield from self.place_token(p)
        self.pop("MOVE")

    def single_move(self, p: int, frame: dict, fl: int) -> Steps:
        t, left = frame["src"], frame["left"]
        units, kaija, visit = self.unit_count(t, p), self.kaija_at(t, p), self.on_visit(t, p)
        v = (yield from self.ask("MV_DST", p, [TERR + v for v in self.destinations(p, t, left, fl)])) - TERR
        frame["dst"] = v
        kaija_can = kaija and self.may_enter(p, t, v, left, fl, True)
        units_can = units > 0 and (visit or self.may_enter(p, t, v, left, fl, False))
        if visit:
            k, goes = units, kaija
        else:  # NORTH-MOVE-05
            numbers = [0] * kaija_can + (list(range(1, units + 1)) if units_can else [])
            k = (yield from self.ask("MV_NUM", p, [NUM + k for k in numbers])) - NUM
            frame["num"] = k
            goes = k == 0
            if k and kaija_can:
                goes = (yield from self.ask("MV_KAIJA", p, [DONE, YES])) == YES
        if goes and fl & GATHER:  # NORTH-MOVE-10
            for r in (FOOD, WOOD):
                self.resources[p][r] += self.prod(t, r)
        self.add_units(t, p, -k)
        self.add_units(v, p, k)
        if goes:
            self.kaija = v
        frame["left"] -= self.cost(t, v, fl)

    def declare(self, p: int, frame: dict) -> Steps:  # NORTH-CRE-10 to -12
        if not self.options["creatures"]:
            return
        for t in self.territories():
            here = self.creatures_at(t)
            if not here or not self.figures(t, p) or any(self.figures(t, q) for q in self.enemies(p)):
                continue
            frame["terr"] = t
            fiends = [CRE + c for c in here if c in VALKYRIES]
            answer = yield from self.ask("MV_CRE", p, fiends or [DONE, *[CRE + c for c in here]])
            if answer != DONE:
                frame["due"].append([t, answer - CRE])
        frame["terr"] = None

    def resolve(self, p: int, frame: dict, card: int) -> Steps:  # NORTH-MOVE-11
        for t in self.territories():
            if self.figures(t, p) and any(self.figures(t, q) for q in self.enemies(p)):
                frame["due"].append([t, None])
        frame["due"].sort(key=lambda due: due[0])
        while frame["due"]:
            t = (yield from self.ask("CB_PICK", p, [TERR + t for t, _ in frame["due"]])) - TERR
            due = next(due for due in frame["due"] if due[0] == t)
            if due[1] is None:
                yield from self.combat(t, p, card)
            else:
                yield from self.fight_creature(t, due[1], p, card, attacks=True)
            frame["due"].remove(due)

    def token_owner(self) -> int | None:
        return self.clan.index(SNAKE) if SNAKE in self.clan else None
