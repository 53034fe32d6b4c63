"""Harvest, winter, end of year and scores of the referee (sections 4.10 to 4.12 and 7, teams included)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import CELL, DONE, FOOD, PLAYER, RES, ROT, TERR, UNREST, WOOD, YES
from northgard_referee_map import SNAKE, WOLVES
from northgard_referee_tables import ALTAR, CARVED_SPACE, LARGE, LARGE_SPACE, PLAIN_SPACE, step_of

if TYPE_CHECKING:
    from northgard_referee import Steps

SWAPS = 6
DEVELOPMENT = range(5, 57)


class YearRules:
    # ------------------------------------------------------------------------------------------ harvest

    def harvest(self, p: int) -> Steps:
        self.turn = p
        frame = self.push("HARVEST")
        less = yield from self.scorch(p)
        for t in self.owned(p):
            if not self.is_open(t) and not self.has(t, WOLVES):  # NORTH-HARV-02, NORTH-DATA-03
                row = step_of(self.tables["harvest"], "size", self.size(t))
                self.fame[p] += row["fame"] if row else 0
            self.fame[p] += 3 * self.count_of(t, ALTAR)  # NORTH-HARV-03
            for r in range(3):
                self.resources[p][r] += self.harvest_of(t, r) - ((t, r) == less)  # NORTH-HARV-04
        yield from self.trade(p, frame)
        self.pop("HARVEST")

    def scorch(self, p: int) -> Steps:
        """NORTH-CLAN-13; return the territory and kind that gives one less."""
        snake = self.clan.index(SNAKE) if SNAKE in self.clan else None
        if snake is None or self.token is None or p not in self.enemies(snake) or not self.controls(p, self.token):
            return None
        kinds = [RES + r for r in range(3) if self.harvest_of(self.token, r)]
        answer = yield from self.ask("HV_SCORCH", snake, [DONE, *kinds])
        if answer == DONE:
            return None
        self.resources[snake][answer - RES] += 1
        return self.token, answer - RES

    def trade(self, p: int, frame: dict) -> Steps:  # NORTH-HARV-08
        while True:
            legal = [RES + r for r in self.payable(p, 3, 0)]
            if self.swap_gives(p) and frame["swaps"] < SWAPS and not frame["swaps_over"]:
                legal.append(PLAYER + 1)  # the teammate sits opposite
            answer = yield from self.ask("TR_GIVE", p, [DONE, *legal])
            if answer == DONE:
                return
            if answer == PLAYER + 1:
                yield from self.swap(p, frame)
                continue
            self.resources[p][answer - RES] -= 1
            yield from self.pay(p, 2, last=answer - RES)
            taken = (yield from self.ask("TR_TAKE", p, [RES, RES + 1, RES + 2])) - RES
            self.resources[p][taken] += 1

    def swap_gives(self, p: int) -> list[int]:
        """Kinds that p owns while the teammate owns another (NORTH-TEAM-07)."""
        mate = self.mate(p)
        if mate is None:
            return []
        return [
            r for r in range(3) if self.resources[p][r] and any(self.resources[mate][k] for k in range(3) if k != r)
        ]

    def swap(self, p: int, frame: dict) -> Steps:
        mate = self.mate(p)
        give = frame["give"] = (yield from self.ask("SW_GIVE", p, [RES + r for r in self.swap_gives(p)])) - RES
        kinds = [RES + r for r in range(3) if r != give and self.resources[mate][r]]
        take = frame["take"] = (yield from self.ask("SW_TAKE", p, kinds)) - RES
        if (yield from self.ask("SW_OK", mate, [DONE, YES])) == YES:
            for seat, less, more in ((p, give, take), (mate, take, give)):
                self.resources[seat][less] -= 1
                self.resources[seat][more] += 1
            frame["swaps"] += 1
        else:
            frame["swaps_over"] = True
        frame["give"] = frame["take"] = None

    # ------------------------------------------------------------------------------------------ winter

    def winter(self, p: int) -> None:
        unpaid = 0
        cost = step_of(self.tables["winter"], "units", self.units_on_map(p))
        for kind, due in ((FOOD, cost["food"]), (WOOD, cost["wood"])):
            paid = min(due, self.resources[p][kind])
            self.resources[p][kind] -= paid
            unpaid += due - paid
        if not unpaid:
            return
        if self.unrest:  # NORTH-WINT-03
            self.unrest -= 1
            self.pile[p].insert(0, [UNREST, self.everybody()])
        else:  # NORTH-WINT-04, -05
            self.fame[p] -= 5
            if self.pile[p]:
                self.discard[p].append(self.pile[p].pop(0)[0])

    # ------------------------------------------------------------------------------------------ end of year

    def sides(self) -> list[list[int]]:
        """The parties that win together."""
        return [[0, 2], [1, 3]] if self.options["teams"] else [[p] for p in range(self.n)]

    def strongholds(self, p: int) -> int:
        """Closed territories with a large building."""
        return sum(not self.is_open(t) and any(kind in LARGE for kind in self.standing(t)) for t in self.owned(p))

    def meets_end_1(self, side: list[int]) -> bool:
        needed = 5 if self.options["teams"] else 3  # NORTH-TEAM-08
        return self.years == 7 and sum(self.strongholds(p) for p in side) >= needed

    def game_over(self) -> bool:
        return any(self.meets_end_1(side) for side in self.sides()) or self.year == self.years

    def second_chance(self, p: int) -> Steps:
        if self.figures_on_map(p):
            return
        self.turn = p
        frame = self.push("SECOND")
        free = [t for t in self.territories() if self.neutral(t) and not self.valkyries_at(t)]  # NORTH-EOY-05
        if not free:
            free = yield from self.second_tile(p, frame)
        answer = yield from self.ask("SC_TERR", p, [DONE, *[TERR + t for t in free]])
        if answer != DONE:
            frame["terr"] = answer - TERR
            yield from self.add_group("SC_KAIJA", p, answer - TERR)
        self.pop("SECOND")

    def second_tile(self, p: int, frame: dict) -> Steps:  # NORTH-EOY-06
        for _ in range(len(self.stack)):
            tile = self.stack.pop(0)[0]
            where = self.placements(tile, lambda cell: True, group=True)
            if where:
                break
            self.stack.append([tile, self.everybody()])
        else:
            return []
        frame["tile"] = tile
        cell = frame["cell"] = (yield from self.ask("SC_CELL", p, [CELL + c for c in where])) - CELL
        turn = (yield from self.ask("SC_ROT", p, [ROT + r for r in where[cell]])) - ROT
        frame["tile"], frame["cell"], frame["placed"] = None, None, True
        index = self.lay(tile, self.cell_of(cell), turn)
        for t in self.lairs_of(index):
            yield from self.appear_and_act(t)
        free = [t for t in self.areas_of(index) if self.neutral(t)]
        return [t for t in free if not self.valkyries_at(t)] or free

    # ------------------------------------------------------------------------------------------ scores

    def deck(self, p: int) -> list[int]:
        return self.hand_cards(p) + [card for card, _ in self.pile[p]] + self.discard[p] + self.in_play(p)

    def achievement(self, p: int, card: int) -> int:  # NORTH-DATA-04
        lands = self.owned(p)
        tokens = [kind in LARGE for t in lands for kind in self.standing(t)]
        held = [
            tokens.count(False),
            tokens.count(True),
            sum(len(self.free_spaces(t, PLAIN_SPACE)) + len(self.free_spaces(t, CARVED_SPACE)) for t in lands),
            sum(len(self.free_spaces(t, LARGE_SPACE)) for t in lands),
            *[sum(self.prod(t, r) for t in lands) for r in range(3)],
            sum(self.lairs(t) for t in lands),
            self.figures_on_map(p),
        ]
        return sum(weight * number for weight, number in zip(self.tables["achievements"][card], held))

    def total_fame(self, p: int) -> int:  # NORTH-END-03
        total = self.fame[p] + sum(self.resources[p]) // 3
        for card in self.deck(p):
            if card in DEVELOPMENT:
                total += self.tables["cards"][card]["fame"]
            elif card == UNREST:
                total -= 5
            elif 57 <= card <= 63:
                total += self.achievement(p, card)
        return total

    def standing_of(self, side: list[int]) -> tuple[int, ...]:
        """What decides, most important first (NORTH-END-01, -04, -05, NORTH-TEAM-08)."""
        fame = sum(self.total_fame(p) for p in side)
        lands = [t for p in side for t in self.owned(p)]
        figures, tokens = sum(self.figures_on_map(p) for p in side), sum(len(self.standing(t)) for t in lands)
        return int(self.meets_end_1(side)), fame, len(lands), figures, tokens

    def scores(self) -> list[int]:
        return [self.total_fame(p) for p in range(self.n)]

    def side_ranks(self) -> list[int]:
        keys = [self.standing_of(side) for side in self.sides()]
        return [1 + sum(other > key for other in keys) for key in keys]

    def per_seat(self, values: list) -> list:
        """Values per side, spread over the seats."""
        return [next(v for v, side in zip(values, self.sides()) if p in side) for p in range(self.n)]

    def ranks(self) -> list[int]:
        return self.per_seat(self.side_ranks())

    def returns(self) -> list[float]:  # NORTH-END-06
        if not self.is_terminal():
            return [0.0] * self.n
        sides, ranks = self.sides(), self.side_ranks()
        k, first, how = len(sides), ranks.count(1), self.options["reward"]
        if how == "rank":
            rewards = [1 - 2 * (r + (ranks.count(r) - 1) / 2 - 1) / (k - 1) for r in ranks]
        elif how == "win":
            rewards = [(k / first - 1) / (k - 1) if r == 1 else -1 / (k - 1) for r in ranks]
        else:
            fame = [sum(self.total_fame(p) for p in side) for side in sides]
            rewards = [(f - (sum(fame) - f) / (k - 1)) / 50 for f in fame]
        return self.per_seat(rewards)
