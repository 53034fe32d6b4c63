"""The operations EXPLORE and BUILD of the referee (sections 4.6 and 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import BLDG, CELL, DONE, PICK, ROT, TERR, WOOD, YES
from northgard_referee_map import BEARS, BOAR, GOAT, RAVEN, STAG
from northgard_referee_tables import CARVED, CARVED_SPACE, LARGE, cost_of

if TYPE_CHECKING:
    from northgard_referee import Steps

REDRAW, ANYWHERE, TILE_ICONS = 1, 2, 4  # EXPLORE
DUP, NO_SPACE, REPLACE, GATHER = 1, 2, 4, 8  # BUILD


class ExploreRules:
    # ------------------------------------------------------------------------------------------ explore

    def explore_cell(self, p: int, row: dict):
        """The condition on cells, (b) of NORTH-EXPL-06."""
        return lambda cell: bool(row["fl"] & ANYWHERE) or self.explores_to(cell, p)

    def can_explore(self, p: int, row: dict) -> bool:  # NORTH-EXPL-01
        allowed = self.explore_cell(p, row)
        return bool(self.stack) and any(allowed(cell) and self.fits_grid(cell) for cell in self.cells())

    def explore(self, p: int, card: int, row: dict) -> Steps:
        frame = self.push("EXPLORE", row=card, left=row["b"])
        for k in range(row["b"]):
            if k > 0:  # NORTH-EXPL-13
                if not self.can_explore(p, row) or (yield from self.ask("EX_AGAIN", p, [DONE, YES])) == DONE:
                    break
            frame["left"] -= 1
            yield from self.explore_once(p, row, frame)
            frame["redrawn"] = False
        self.pop("EXPLORE")

    def put_under(self, tiles: list[int], mask: int) -> None:
        self.stack += [[tile, mask] for tile in sorted(tiles)]

    def draw_tiles(self, p: int, row: dict, k: int) -> tuple[list[int], dict[int, dict]]:
        """Draw until a tile fits (NORTH-EXPL-02, -03). Returns the drawn tiles and the placements of those that fit."""
        most, drawn = len(self.stack), []
        while True:
            fresh = [self.stack.pop(0)[0] for _ in range(min(k, len(self.stack)))]
            drawn += fresh
            fits = {t: where for t in fresh if (where := self.placements(t, self.explore_cell(p, row)))}
            if fits:
                return sorted(fresh), fits
            self.put_under(fresh, self.everybody())
            if len(drawn) >= most:
                return [], {}
            k = 1

    def explore_once(self, p: int, row: dict, frame: dict) -> Steps:
        frame["drawn"], fits = self.draw_tiles(p, row, row["a"])
        if fits and row["fl"] & REDRAW and self.stack:  # NORTH-EXPL-04
            if (yield from self.ask("EX_REDRAW", p, [DONE, YES])) == YES:
                frame["redrawn"] = True
                self.put_under(frame["drawn"], 1 << p)
                frame["drawn"], fits = self.draw_tiles(p, row, 1)
        if not fits:
            return
        picks = [PICK + i for i, tile in enumerate(frame["drawn"]) if tile in fits]
        tile = frame["drawn"][(yield from self.ask("EX_PICK", p, picks)) - PICK]
        self.put_under([t for t in frame["drawn"] if t != tile], 1 << p)  # NORTH-EXPL-05
        frame["drawn"], frame["tile"] = [], tile
        if row["fl"] & TILE_ICONS:
            for area in self.tables["tiles"][tile]["areas"]:
                for r in range(3):
                    self.resources[p][r] += area["fwl"[r]]
        where = fits[tile]
        cell = frame["cell"] = (yield from self.ask("EX_CELL", p, [CELL + c for c in where])) - CELL
        turn = (yield from self.ask("EX_ROT", p, [ROT + r for r in where[cell]])) - ROT
        frame["tile"] = frame["cell"] = None
        yield from self.explored(p, self.lay(tile, self.cell_of(cell), turn))

    def explored(self, p: int, index: int) -> Steps:  # NORTH-EXPL-09
        closed = [t for t in self.areas_of(index) if not self.is_open(t)]
        own = [t for t in closed if self.controls(p, t)]
        for t in own:
            self.fame[p] += self.size(t) + (self.clan[p] == STAG)  # NORTH-EXPL-10, NORTH-CLAN-14
            if self.clan[p] == RAVEN:  # NORTH-CLAN-08
                self.collect(p, t)
        if self.clan[p] == BOAR and not closed:  # NORTH-CLAN-06
            self.resources[p][2] += 1
        for t in self.lairs_of(index):
            yield from self.appear_and_act(t)

    def collect(self, p: int, t: int) -> None:
        for r in range(3):
            self.resources[p][r] += self.harvest_of(t, r)

    # ------------------------------------------------------------------------------------------ build

    def buildable(self, p: int, t: int, row: dict, large_done: bool, wood: int | None = None) -> list[int]:
        """Legal types in t with this much wood (NORTH-BUILD-04)."""
        if not self.controls(p, t) or self.has(t, BEARS):
            return []
        wood = self.resources[p][WOOD] if wood is None else wood
        found = []
        for kind in range(8):
            price, small = max(0, cost_of(kind) - row["b"]), kind not in LARGE
            if not self.supply[kind] or wood < price or (kind in self.standing(t) and not row["fl"] & DUP):
                continue
            if not small and row["a"] >= 2 and large_done:
                continue
            if self.fitting_spaces(t, kind) or (small and row["fl"] & NO_SPACE):
                found.append(kind)
        return found

    def build_places(self, p: int, row: dict, large_done: bool) -> dict[int, bool]:
        """Legal territories; true where only collecting first makes a type affordable (NORTH-BUILD-07)."""
        places = {}
        for t in self.owned(p):
            if self.buildable(p, t, row, large_done):
                places[t] = False
            elif row["fl"] & GATHER:
                wood = self.resources[p][WOOD] + self.harvest_of(t, WOOD)
                if self.buildable(p, t, row, large_done, wood):
                    places[t] = True
        return places

    def can_build(self, p: int, row: dict) -> bool:
        return row["a"] >= 1 and bool(self.build_places(p, row, False))

    def build(self, p: int, card: int, row: dict) -> Steps:
        frame = self.push("BUILD", row=card, left=row["a"])
        while frame["left"]:
            places = self.build_places(p, row, frame["large"])
            if not places:
                break
            first = frame["left"] == row["a"]
            answer = yield from self.ask("BD_TERR", p, [TERR + t for t in places] + [DONE] * (not first))
            if answer == DONE:
                break
            frame["terr"] = answer - TERR
            yield from self.build_one(p, row, frame, places[answer - TERR])
            frame["terr"] = frame["gather"] = frame["type"] = None
            frame["left"] -= 1
        if row["fl"] & REPLACE:
            yield from self.replace(p, frame)
        self.pop("BUILD")

    def build_one(self, p: int, row: dict, frame: dict, must_gather: bool) -> Steps:
        t, fl = frame["terr"], row["fl"]
        if fl & GATHER:
            choices = [YES] if must_gather else [DONE, YES]
            frame["gather"] = (yield from self.ask("BD_GATHER", p, choices)) == YES
            if frame["gather"]:
                self.collect(p, t)
        kinds = self.buildable(p, t, row, frame["large"])
        kind = (yield from self.ask("BD_TYPE", p, [BLDG + kind for kind in kinds])) - BLDG
        if kind not in LARGE and fl & NO_SPACE:  # NORTH-BUILD-06
            self.spaceless[t, kind] = self.spaceless.get((t, kind), 0) + 1
        else:  # NORTH-BUILD-05
            spaces = self.fitting_spaces(t, kind)
            carved = [s for s in spaces if self.area(s)["s"] == CARVED_SPACE]
            plain = [s for s in spaces if s not in carved]
            if carved and plain:
                frame["type"] = kind
                spaces = carved if (yield from self.ask("BD_CARVED", p, [DONE, YES])) == YES else plain
            self.buildings[min(spaces)] = kind
        self.supply[kind] -= 1
        self.resources[p][WOOD] -= max(0, cost_of(kind) - row["b"])
        frame["large"] = frame["large"] or kind in LARGE
        if self.clan[p] == GOAT:  # NORTH-CLAN-07
            self.resources[p][0] += 2 if kind in LARGE else 1
        if frame["gather"] is False:
            self.collect(p, t)

    # ------------------------------------------------------------------------------------------ replace

    def replaced_copy(self, t: int, old: int, new: int) -> int | str | None:
        """The slot of the token that goes, or "spaceless", or None (NORTH-BUILD-08)."""
        slots = [s for s in self.slots(t) if self.buildings.get(s) == old]
        carved = [s for s in slots if self.area(s)["s"] == CARVED_SPACE]
        loose = ["spaceless"] if self.spaceless.get((t, old)) else []
        plain = [s for s in slots if s not in carved]
        order = carved[:1] + loose if new == CARVED else plain[:1] + loose + carved[:1]
        return order[0] if order else None

    def replacements(self, t: int, old: int) -> list[int]:
        return [
            new
            for new in range(8)
            if new != old
            and (new in LARGE) == (old in LARGE)
            and self.supply[new]
            and self.replaced_copy(t, old, new) is not None
        ]

    def replace(self, p: int, frame: dict) -> Steps:
        olds = {}
        for t in self.owned(p):
            kinds = [old for old in set(self.standing(t)) if self.replacements(t, old)]
            if kinds and not self.has(t, BEARS):
                olds[t] = kinds
        answer = yield from self.ask("RP_TERR", p, [DONE, *[TERR + t for t in olds]])
        if answer == DONE:
            return
        t = frame["terr"] = answer - TERR
        old = frame["old"] = (yield from self.ask("RP_OLD", p, [BLDG + kind for kind in olds[t]])) - BLDG
        new = (yield from self.ask("RP_NEW", p, [BLDG + kind for kind in self.replacements(t, old)])) - BLDG
        where = self.replaced_copy(t, old, new)
        if where == "spaceless":
            self.spaceless[t, old] -= 1
            if not self.spaceless[t, old]:
                del self.spaceless[t, old]
            self.spaceless[t, new] = self.spaceless.get((t, new), 0) + 1
        else:
            self.buildings[where] = new
        self.supply[old] += 1
        self.supply[new] -= 1
