"""The effect vocabulary of the referee: what may be run, and all operations off the map (1.7, 4.3, 4.7, 4.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import ACT, CARD, DONE, NUM, PLAYER, RES, TERR, YES
from northgard_referee_map import BEARS
from northgard_referee_tables import CAMP

if TYPE_CHECKING:
    from northgard_referee import Steps

(NONE, RECRUIT, MOVE, EXPLORE, BUILD, DRAW, GAIN, CHOOSE, STRIKE, COPY, HAND, BRIBE, FETCH, FORESEE, CONQUER, REACT) = (
    range(16)
)
BASIC = {0: RECRUIT, 1: MOVE, 2: EXPLORE, 3: BUILD}  # ACT: the starting card of this number
PAY2, PULL, KAIJA_FREE = 1, 2, 4  # RECRUIT
PAY3, PER_CLOSED = 1, 2  # DRAW
RANSOM = 1  # HAND


class CardRules:
    # ------------------------------------------------------------------------------------------ may it be run?

    def can_run(self, p: int, card: int) -> bool:
        """P of the operation (NORTH-FX-00 to -15)."""
        row = self.tables["cards"][card]
        own = self.owned(p)
        tests = {
            RECRUIT: lambda: bool(row["fl"] & KAIJA_FREE or (self.recruits_left(p) and self.recruit_room(p, row))),
            MOVE: lambda: self.can_move(p, row),
            EXPLORE: lambda: self.can_explore(p, row),
            BUILD: lambda: self.can_build(p, row),
            DRAW: lambda: 1 <= self.draw_sizes(p, row)[0] <= self.avail(p),
            GAIN: lambda: True,
            CHOOSE: lambda: bool(self.choices(p, row, [])),
            STRIKE: lambda: bool(self.strike_targets(p, row) or (row["b"] == 3 and self.reserve(p) and own)),
            COPY: lambda: self.can_copy(p, row),
            HAND: lambda: bool(any(self.hand[q] for q in self.enemies(p)) or (row["d"] and self.avail(p))),
            BRIBE: lambda: bool(self.bribe_sources(p)),
            FETCH: lambda: self.avail(p) >= 1,
            FORESEE: lambda: bool(self.display) and not self.taken[p],
            CONQUER: lambda: True,
        }
        return tests.get(row["op"], lambda: False)()

    def run(self, p: int, card: int, played: bool = False) -> Steps:
        """Run the operation of a card's row; `played`: the card itself, no copy and no part of another."""
        row = self.tables["cards"][card]
        op = row["op"]
        self.begun(card, op)
        if op == GAIN:  # NORTH-SPEC-01
            for r, key in enumerate("abc"):
                self.resources[p][r] += row[key]
        elif op == CONQUER:
            self.conquer[p] = True
        elif op == MOVE:
            yield from self.move(p, card, row, played)
        else:
            steps = {
                RECRUIT: self.recruit, EXPLORE: self.explore, BUILD: self.build, DRAW: self.draw_cards,
                CHOOSE: self.choose, STRIKE: self.strike, COPY: self.copy, HAND: self.hand_attack, BRIBE: self.bribe,
                FETCH: self.fetch, FORESEE: self.foresee,
            }  # fmt: skip
            yield from steps[op](p, card, row)

    def begun(self, card: int, op: int) -> None:
        """For observers."""

    # ------------------------------------------------------------------------------------------ RECRUIT

    def recruits_left(self, p: int) -> int:
        return self.reserve(p) + self.kaija_in_reserve(p)

    def recruit_room(self, p: int, row: dict) -> dict[int, int | None]:
        """NORTH-RECR-02, -04: room by territory, None for unlimited."""
        own, free = self.owned(p), [t for t in self.territories() if self.neutral(t)]
        where = {0: own, 1: own + free, 2: free}[row["b"]]
        if row["b"] == 0 and not self.figures_on_map(p):
            where = free
        room = {}
        for t in sorted(where):
            if self.has(t, BEARS) or (self.neutral(t) and self.valkyries_at(t)):
                continue
            if row["c"] == 2 and not self.recruit_filter(p, t, row["d"]):
                continue
            room[t] = {0: None, 1: None, 2: 1, 3: self.prod(t, row["d"]) if row["c"] == 3 else 0}[row["c"]]
        return {t: left for t, left in room.items() if left is None or left > 0}

    def recruit_filter(self, p: int, t: int, d: int) -> bool:
        if d == 1:
            return self.is_open(t) or self.icons(t, 1) > 0
        if d == 2:
            return any(self.is_enemy_land(v, p) for v in self.neighbours(t))
        return True

    def recruit(self, p: int, card: int, row: dict) -> Steps:
        fl = row["fl"]
        if fl & KAIJA_FREE:  # NORTH-RECR-11
            self.kaija_free[p] = True
        together = row["c"] == 1 or (row["b"] == 0 and not self.figures_on_map(p))  # NORTH-RECR-04
        room = self.recruit_room(p, row)
        frame = self.push("RECRUIT", row=card, left=row["a"], room=_pairs(room))
        units = 0
        while frame["left"] and self.recruits_left(p) and room:
            may_stop = frame["placed"] or fl & KAIJA_FREE
            answer = yield from self.ask("REC_TERR", p, [TERR + t for t in room] + [DONE] * bool(may_stop))
            if answer == DONE:
                break
            t = frame["terr"] = answer - TERR
            units += yield from self.place_figure(p, t, frame)
            frame["terr"] = None
            frame["placed"] = sorted({*frame["placed"], t})
            frame["left"] -= 1
            if together:
                room = {t: room[t]}
            if room[t] is not None:
                room[t] -= 1
            room = {t: left for t, left in room.items() if left != 0}
            frame["room"] = _pairs(room)
        frame["left"], frame["room"] = 0, []
        yield from self.recruited(p, fl, frame, units)
        self.pop("RECRUIT")

    def place_figure(self, p: int, t: int, frame: dict) -> Steps:
        """Return the units placed (NORTH-RECR-05)."""
        kinds = [DONE] * bool(self.reserve(p)) + [YES] * self.kaija_in_reserve(p)
        if (yield from self.ask("REC_KAIJA", p, kinds)) == YES:
            self.kaija, frame["kaija"] = t, True
            return 0
        self.add_units(t, p, 1)
        return 1

    def recruited(self, p: int, fl: int, frame: dict, units: int) -> Steps:
        placed = frame["placed"]
        if fl & PAY2 and units and self.reserve(p) and sum(self.resources[p]) >= 2:  # NORTH-RECR-06
            if (yield from self.ask("REC_PAY", p, [DONE, YES])) == YES:
                yield from self.pay(p, 2)
                self.add_units(placed[0], p, 1)
        for t in placed:  # NORTH-RECR-08, -09
            most = min(self.count_of(t, CAMP), self.reserve(p))
            frame["terr"] = t
            k = (yield from self.ask("REC_CAMP", p, [NUM + k for k in range(most + 1)])) - NUM
            self.add_units(t, p, k)
        frame["terr"] = None
        if fl & PULL and placed:  # NORTH-RECR-10
            near = self.neighbours(placed[0])
            places = [t for t in near if self.controls(p, t) and self.unit_count(t, p) and not self.has(t, BEARS)]
            answer = yield from self.ask("REC_PULL", p, [DONE, *[TERR + t for t in places]])
            if answer != DONE:
                self.add_units(answer - TERR, p, -1)
                self.add_units(placed[0], p, 1)

    # ------------------------------------------------------------------------------------------ DRAW

    def draw_sizes(self, p: int, row: dict) -> tuple[int, int]:
        if row["fl"] & PER_CLOSED:  # NORTH-DRAW-04
            k = sum(not self.is_open(t) and self.size(t) >= 3 for t in self.owned(p))
            return k, k
        return row["a"], row["b"]

    def draw_cards(self, p: int, card: int, row: dict) -> Steps:  # NORTH-DRAW-02, -03
        a, b = self.draw_sizes(p, row)
        drawn = self.draw(p, a)
        if row["d"]:
            drawn = [[c, 1 << p] for c, _ in drawn]  # NORTH-INFO-06
        keep = min(b, len(drawn))
        frame = self.push("DRAW", row=card, keep=keep, top=min(row["d"], len(drawn) - keep))
        _show(frame, drawn)
        if frame["keep"] == len(drawn):
            self.hand[p] += drawn
            drawn, frame["keep"] = [], 0
        while frame["keep"]:
            ids = sorted(c for c, _ in drawn if c >= (frame["last"] or 0))
            answer = yield from self.ask_card("DR_KEEP", p, ids[: len(ids) - frame["keep"] + 1])
            kept = min((x for x in drawn if x[0] == answer), key=lambda x: (bin(x[1]).count("1"), x[1]))
            drawn.remove(kept)
            self.hand[p].append(kept)
            frame["keep"], frame["last"] = frame["keep"] - 1, answer
            _show(frame, drawn)
        frame["last"] = None
        while frame["top"]:
            answer = yield from self.ask_card("DR_TOP", p, [c for c, _ in drawn])
            put = max((x for x in drawn if x[0] == answer), key=lambda x: (bin(x[1]).count("1"), x[1]))
            drawn.remove(put)
            self.pile[p].insert(0, put)
            frame["top"] -= 1
            _show(frame, drawn)
        self.discard[p] += [c for c, _ in drawn]
        _show(frame, [])
        if row["fl"] & PAY3 and sum(self.resources[p]) >= 3 and self.avail(p):  # NORTH-DRAW-05
            if (yield from self.ask("DR_PAY", p, [DONE, YES])) == YES:
                yield from self.pay(p, 3)
                self.draw_to_hand(p, 1)
        self.pop("DRAW")

    # ------------------------------------------------------------------------------------------ CHOOSE, COPY

    def choices(self, p: int, row: dict, done: list[int]) -> list[int]:
        return [k for k in BASIC if row["b"] >> k & 1 and k not in done and self.can_run(p, k)]

    def choose(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-02, -03
        frame = self.push("CHOOSE", row=card)
        while len(frame["done"]) < row["a"]:
            legal = [ACT + k for k in self.choices(p, row, frame["done"])] + [DONE] * bool(frame["done"])
            answer = (yield from self.ask("ACT", p, legal)) if legal else DONE
            if answer == DONE:
                break
            frame["done"] = sorted([*frame["done"], answer - ACT])
            yield from self.run(p, answer - ACT)
        self.pop("CHOOSE")

    def copyable(self, p: int, cards: list[int]) -> list[int]:
        rows = self.tables["cards"]
        return sorted(c for c in set(cards) if rows[c]["op"] not in (NONE, COPY, REACT) and self.can_run(p, c))

    def copy_sources(self, p: int, row: dict, token_places: list[int]) -> dict[int, list[int]]:
        """Copyable cards by the seat that owns them (NORTH-SPEC-05)."""
        if row["a"] == 1:
            sources = {p: self.played[p]}
        elif row["a"] == 2:
            near = [q for q in self.enemies(p) if any(self.near_own(t, p) for t in self.owned(q))]
            sources = {q: self.in_play(q) for q in near}
        else:
            seats = {self.controller(t) for t in token_places}
            sources = {q: self.in_play(q) for q in self.enemies(p) if q in seats}
        found = {q: self.copyable(p, cards) for q, cards in sources.items()}
        return {q: cards for q, cards in found.items() if cards}

    def here(self) -> list[int]:
        return [] if self.token is None else [self.token]

    def can_copy(self, p: int, row: dict) -> bool:
        return bool(self.copy_sources(p, row, self.here() + self.token_places(p)))

    def copy(self, p: int, card: int, row: dict) -> Steps:
        sources = self.copy_sources(p, row, self.here())
        if not sources:
            return
        frame = self.push("COPY", row=card)
        who = next(iter(sources))
        if row["a"] == 2:
            legal = [PLAYER + (q - p) % self.n - 1 for q in sources]
            who = (p + (yield from self.ask("CP_WHO", p, legal)) - PLAYER + 1) % self.n
        frame["who"] = who if row["a"] != 1 else None
        copied = yield from self.ask_card("CP_CARD", p, sources[who])
        yield from self.run(p, copied)
        self.pop("COPY")

    # ------------------------------------------------------------------------------------------ STRIKE

    def strike_targets(self, p: int, row: dict) -> list[int]:
        lands = [t for t in self.territories() if self.is_enemy_land(t, p)]
        return [t for t in lands if row["a"] == 2 or self.near_own(t, p)]

    def strike(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-04
        frame = self.push("STRIKE", row=card)
        adds = row["b"] == 3 and self.reserve(p) and self.owned(p)
        legal = [TERR + t for t in self.strike_targets(p, row)] + [DONE] * bool(adds)
        answer = (yield from self.ask("ST_TERR", p, legal)) if legal else DONE
        if answer != DONE:
            t = answer - TERR
            self.remove_figure(t, self.controller(t))
            frame["struck"] = True
            if row["b"] == 1:
                self.draw_to_hand(p, 1)
            kinds = [RES + r for r in range(3) if self.prod(t, r)]
            if row["b"] == 2 and kinds:
                frame["terr"] = t
                self.resources[p][(yield from self.ask("ST_RES", p, kinds)) - RES] += 1
                frame["terr"] = None
        if row["b"] == 3 and self.reserve(p) and self.owned(p):
            legal = [TERR + t for t in self.owned(p)] + [DONE] * frame["struck"]
            answer = yield from self.ask("ST_ADD", p, legal)
            if answer != DONE:
                self.add_units(answer - TERR, p, 1)
        self.pop("STRIKE")

    # ------------------------------------------------------------------------------------------ HAND

    def hand_attack(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-06
        frame = self.push("HAND", row=card)
        victims = [q for q in self.enemies(p) if self.hand[q]]
        may_skip = bool(self.avail(p)) and (row["a"] == 2 or row["d"] >= 1)
        if victims and row["a"] == 1:
            legal = [PLAYER + (q - p) % self.n - 1 for q in victims] + [DONE] * may_skip
            answer = yield from self.ask("HD_WHO", p, legal)
            victims = [] if answer == DONE else [(p + answer - PLAYER + 1) % self.n]
        elif victims and (yield from self.ask("HD_ALL", p, [YES] + [DONE] * may_skip)) == DONE:
            victims = []
        frame["attacked"] = bool(victims)
        for q in victims:
            frame["victim"] = q
            if row["b"] == 1:
                self.hand[q] = [[c, mask | 1 << p] for c, mask in self.hand[q]]
            frame["left"] = 1 if row["b"] == 1 else row["c"]
            while frame["left"] and self.hand[q]:
                yield from self.attack_hand(p, q, row, frame)
                frame["left"] -= 1
        frame["victim"], frame["left"] = None, 0
        if row["d"] and self.avail(p):
            if not frame["attacked"] or (yield from self.ask("HD_DRAW", p, [DONE, YES])) == YES:
                self.draw_to_hand(p, row["d"])
        self.pop("HAND")

    def attack_hand(self, p: int, q: int, row: dict, frame: dict) -> Steps:
        card = yield from self.ask_card("HD_CARD", p if row["b"] == 1 else q, self.hand_cards(q))
        if row["fl"] & RANSOM and sum(self.resources[q]) >= 2:
            frame["card"] = card
            pays = (yield from self.ask("HD_RANSOM", q, [DONE, YES])) == YES
            frame["card"] = None
            if pays:
                yield from self.pay(q, 2, to=p)
                return
        self.discard[q].append(self.leave_hand(q, card))

    # ------------------------------------------------------------------------------------------ BRIBE, FETCH, FORESEE

    def bribe_goals(self, p: int, t: int) -> list[int]:
        owner = self.controller(t)
        return [
            v
            for v in self.neighbours(t)
            if not self.valkyries_at(v) and (self.mate(owner) is None or self.controller(v) != self.mate(owner))
        ]

    def bribe_sources(self, p: int) -> list[int]:
        lands = [t for t in self.territories() if self.is_enemy_land(t, p) and self.unit_count(t, self.controller(t))]
        return [t for t in lands if self.bribe_goals(p, t)]

    def bribe(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-07
        sources = self.bribe_sources(p)
        if not sources:
            return
        frame = self.push("BRIBE", row=card)
        t = (yield from self.ask("BR_SRC", p, [TERR + t for t in sources])) - TERR
        frame["src"] = t
        owner = self.controller(t)
        v = (yield from self.ask("BR_DST", p, [TERR + v for v in self.bribe_goals(p, t)])) - TERR
        frame["dst"] = v
        most = min(row["a"], self.unit_count(t, owner))
        k = (yield from self.ask("BR_NUM", p, [NUM + k for k in range(1, most + 1)])) - NUM
        self.intruder = owner
        self.add_units(t, owner, -k)
        self.add_units(v, owner, k)
        if len(self.seats_at(v)) > 1:
            yield from self.combat(v, owner, None)
        self.pop("BRIBE")

    def fetch(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-08
        self.push("FETCH", row=card)
        legal = [CARD + c for c in self.discard[p]] + [YES] * bool(self.avail(p))
        answer = (yield from self.ask("FT_CARD", p, legal)) if legal else DONE
        if answer == YES:
            self.draw_to_hand(p, 1)
        elif answer != DONE:
            self.discard[p].remove(answer - CARD)
            self.hand[p].append([answer - CARD, self.everybody()])
        self.pop("FETCH")

    def foresee(self, p: int, card: int, row: dict) -> Steps:  # NORTH-SPEC-09
        self.push("FORESEE", row=card)
        if self.display and not self.taken[p]:
            self.take_displayed(p, (yield from self.ask_card("FS_CARD", p, self.display)))
        self.pop("FORESEE")


def _pairs(room: dict) -> list[list]:
    return [[t, left] for t, left in sorted(room.items())]


def _show(frame: dict, drawn: list[list[int]]) -> None:
    drawn.sort()
    frame["drawn"], frame["drawn_known"] = [c for c, _ in drawn], [mask for _, mask in drawn]
