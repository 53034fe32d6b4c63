"""The creatures module of the referee (section 8.3); fights are in `northgard_referee_combat`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import DONE, TERR, YES
from northgard_referee_map import DRAUGAR, VALKYRIES

if TYPE_CHECKING:
    from northgard_referee import Steps


class CreatureRules:
    def stack_creatures(self) -> None:  # NORTH-SETUP-11
        values = [creature["value"] for creature in self.tables["creatures"]]
        small = [c for c, value in enumerate(values) if value <= 6]
        order = self.chance.shuffle("beasts", None, small)
        top, rest = order[: self.n + 1], order[self.n + 1 :]
        bottom = self.chance.shuffle("bottom", None, sorted(rest + [c for c in range(len(values)) if c not in small]))
        self.creature_pile, self.creature_top = top + bottom, self.n + 1

    def reveal(self) -> int | None:  # NORTH-CRE-04
        if not self.creature_pile and self.creature_discard:
            self.creature_pile = self.chance.shuffle("slain", None, sorted(self.creature_discard))
            self.creature_discard, self.creature_top = [], 0
        if not self.creature_pile:
            return None
        self.creature_top = max(0, self.creature_top - 1)
        return self.creature_pile.pop(0)

    def lairs_of(self, index: int) -> list[int]:
        """Territories of the lairs on the tile just laid, one entry per lair, without the module none."""
        if not self.options["creatures"]:
            return []
        areas = self.tables["tiles"][self.tiles[index][0]]["areas"]
        return [self.territory(4 * index + a) for a, area in enumerate(areas) for _ in range(area["x"])]

    def appear(self, t: int) -> int | None:  # NORTH-CRE-03
        creature = self.reveal()
        if creature is not None:
            self.creatures.append([creature, t])
        return creature

    def appear_and_act(self, t: int) -> Steps:
        creature = self.appear(t)
        if creature is not None:
            yield from self.act(creature)

    def where_is(self, creature: int) -> int:
        return next(t for c, t in self.creatures if c == creature)

    def act(self, creature: int) -> Steps:  # NORTH-CRE-33, -34
        t = self.where_is(creature)
        seat = self.controller(t)
        if seat is None:
            return
        if creature in DRAUGAR:
            self.remove_figure(t, seat)
        elif creature in VALKYRIES:
            yield from self.fight_creature(t, creature, seat, None)

    # ------------------------------------------------------------------------------------------ Creature phase

    def creature_phase(self) -> Steps:  # NORTH-CRE-20
        frame = self.push("CREATURES", queue=[c for c, _ in self.creatures])
        while frame["queue"]:
            creature = frame["creature"] = frame["queue"].pop(0)
            if creature in [c for c, _ in self.creatures]:
                yield from self.activate(creature)
        self.pop("CREATURES")

    def candidates(self, creature: int) -> list[int]:  # NORTH-CRE-21 to -23
        found = [v for v in self.neighbours(self.where_is(creature)) if not self.creatures_at(v)]
        found = [v for v in found if not self.neutral(v)] or found
        measures = {
            "B": self.building_points,
            "U": lambda v: sum(self.figures(v, q) for q in range(self.n)),
            "R": lambda v: sum(self.prod(v, r) for r in range(3)),
        }
        for letter in self.tables["creatures"][creature]["order"]:
            most = max(map(measures[letter], found), default=0)
            found = [v for v in found if measures[letter](v) == most]
        return found

    def activate(self, creature: int) -> Steps:
        places = self.candidates(creature)
        if not places:  # NORTH-CRE-24
            return
        target = (yield from self.ask("CR_MOVE", self.marker, [TERR + t for t in places])) - TERR
        next(x for x in self.creatures if x[0] == creature)[1] = target
        yield from self.act(creature)

    # ------------------------------------------------------------------------------------------ More Creatures

    def pass_creature(self, p: int) -> Steps:  # NORTH-CRE-30
        if len(self.creatures) >= self.n or not (self.creature_pile or self.creature_discard):
            return
        places = self.creature_places()
        if not places or (yield from self.ask("PASS_CRE", p, [DONE, YES])) == DONE:
            return
        creature = self.reveal()
        self.push("PASS", creature=creature)
        t = (yield from self.ask("PASS_CRE_AT", p, [TERR + t for t in places])) - TERR
        self.creatures.append([creature, t])
        yield from self.act(creature)
        self.pop("PASS")

    def creature_places(self) -> list[int]:  # NORTH-CRE-31
        free = [t for t in self.territories() if not self.creatures_at(t)]
        return [t for t in free if self.lairs(t)] or free
