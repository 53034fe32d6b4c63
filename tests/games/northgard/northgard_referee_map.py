"""The map of the referee: tiles, territories, who stands where, placements. Everything is recomputed when asked."""

from __future__ import annotations

from collections.abc import Callable

from northgard_referee_tables import BUILDING_KIND, CARVED, CARVED_SPACE, LARGE, LARGE_SPACE, PLAIN_SPACE

DX, DY = (0, 1, 0, -1), (-1, 0, 1, 0)  # north, east, south, west; y grows to the south (NORTH-TILE-04)
REGULAR, ROUGH = 1, 2
BEAR_CLAN, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF_CLAN = range(7)
WOLVES, BEARS, DRAUGAR, VALKYRIES = (0, 1, 2), (3, 4), (5, 6), (7, 8)
UNITS = 14


class MapRules:
    """Needs `n`, `S`, `options`, `tables` and the pieces on the map, see `northgard_referee.Referee`."""

    # ------------------------------------------------------------------------------------------ tiles and slots

    def side_area(self, tile: int, rotation: int, s: int) -> int:
        """Area that owns the world side s (NORTH-TILE-04)."""
        return self.tables["tiles"][tile]["sides"][(s - rotation) % 4]

    def grid(self) -> dict[tuple[int, int], int]:
        """Placement index by cell."""
        return {(x, y): p for p, (_, x, y, _) in enumerate(self.tiles)}

    def beside(self, cell: tuple[int, int], s: int) -> tuple[int, int]:
        return (cell[0] + DX[s]) % self.S, (cell[1] + DY[s]) % self.S

    def area(self, slot: int) -> dict:
        return self.tables["tiles"][self.tiles[slot // 4][0]]["areas"][slot % 4]

    def map(self) -> dict:
        """Territories, openness and borders of the present tiles."""
        key = tuple(map(tuple, self.tiles))
        if getattr(self, "_map_key", None) != key:
            self._map_key, self._map = key, self._read_map()
        return self._map

    def _read_map(self) -> dict:
        grid = self.grid()
        slots = [
            4 * p + a for p, (t, *_) in enumerate(self.tiles) for a in range(len(self.tables["tiles"][t]["areas"]))
        ]
        name = {s: s for s in slots}

        def join(s: int, t: int) -> None:  # NORTH-TILE-06, -07: the smaller id stays
            low, high = sorted((name[s], name[t]))
            for slot in slots:
                if name[slot] == high:
                    name[slot] = low

        open_slots = set()
        for p, (t, x, y, r) in enumerate(self.tiles):
            for s in range(4):
                slot = 4 * p + self.side_area(t, r, s)
                q = grid.get(self.beside((x, y), s))
                if q is None:
                    open_slots.add(slot)
                else:
                    other, _, _, turned = self.tiles[q]
                    join(slot, 4 * q + self.side_area(other, turned, (s + 2) % 4))
        borders: dict[int, dict[int, int]] = {t: {} for t in name.values()}
        for p, (tile, *_) in enumerate(self.tiles):
            for (a, b), code in self.tables["tiles"][tile]["borders"].items():
                u, v = name[4 * p + a], name[4 * p + b]
                if u != v:  # NORTH-TILE-09, NORTH-CORN-20
                    for one, two in ((u, v), (v, u)):
                        borders[one][two] = min(code, borders[one].get(two, ROUGH))
        members = {t: [s for s in slots if name[s] == t] for t in set(name.values())}
        opened = {name[s] for s in open_slots}
        return {"name": name, "members": members, "open": opened, "borders": borders}

    def territories(self) -> list[int]:
        return sorted(self.map()["members"])

    def territory(self, slot: int) -> int:
        return self.map()["name"][slot]

    def slots(self, t: int) -> list[int]:
        return self.map()["members"][t]

    def is_open(self, t: int) -> bool:
        return t in self.map()["open"]

    def size(self, t: int) -> int:  # NORTH-TILE-10
        return len({slot // 4 for slot in self.slots(t)})

    def neighbours(self, t: int) -> list[int]:
        return sorted(self.map()["borders"][t])

    def border(self, t: int, v: int) -> int | None:
        return self.map()["borders"][t].get(v)

    # ------------------------------------------------------------------------------------------ who stands there

    def unit_count(self, t: int, p: int) -> int:
        return self.units.get((t, p), 0)

    def kaija_owner(self) -> int | None:
        return self.clan.index(BEAR_CLAN) if BEAR_CLAN in self.clan else None

    def kaija_at(self, t: int, p: int) -> bool:
        return self.kaija == t and self.kaija_owner() == p

    def kaija_in_reserve(self, p: int) -> bool:
        return self.kaija is None and self.kaija_owner() == p

    def figures(self, t: int, p: int) -> int:
        return self.unit_count(t, p) + self.kaija_at(t, p)

    def points(self, t: int, p: int) -> int:  # NORTH-COMB-04, NORTH-CLAN-02
        return self.unit_count(t, p) + 2 * self.kaija_at(t, p)

    def units_on_map(self, p: int) -> int:
        return sum(k for (_, q), k in self.units.items() if q == p)

    def figures_on_map(self, p: int) -> int:
        return self.units_on_map(p) + (self.kaija is not None and self.kaija_owner() == p)

    def reserve(self, p: int) -> int:
        return UNITS - self.units_on_map(p)

    def seats_at(self, t: int) -> list[int]:
        return [p for p in range(self.n) if self.figures(t, p)]

    def controller(self, t: int) -> int | None:
        """While two seats stand there, the one that did not come in (the defender, or the teammate passed through)."""
        seats = self.seats_at(t)
        if len(seats) == 2:
            seats.remove(self.intruder)
        assert len(seats) < 2, (t, seats)
        return seats[0] if seats else None

    def controls(self, p: int, t: int) -> bool:
        return self.controller(t) == p

    def owned(self, p: int) -> list[int]:
        return [t for t in self.territories() if self.controls(p, t)]

    def neutral(self, t: int) -> bool:
        return not self.seats_at(t)

    def mate(self, p: int | None) -> int | None:
        return (p + 2) % 4 if self.options["teams"] and p is not None else None

    def enemies(self, p: int) -> list[int]:
        """Clockwise after p (NORTH-TEAM-03)."""
        seats = [(p + k) % self.n for k in range(1, self.n)]
        return [q for q in seats if q != self.mate(p)]

    def is_enemy_land(self, t: int, p: int) -> bool:
        return self.controller(t) in self.enemies(p)

    def near_own(self, t: int, p: int) -> bool:
        """Adjacent, by any border, to a territory that p controls."""
        return any(self.controls(p, v) for v in self.neighbours(t))

    def add_units(self, t: int, p: int, k: int) -> None:
        self.units[t, p] = self.unit_count(t, p) + k
        assert self.units[t, p] >= 0 and self.reserve(p) >= 0
        if not self.units[t, p]:
            del self.units[t, p]

    def remove_figure(self, t: int, p: int) -> None:
        """NORTH-CLAN-05: units go first."""
        if self.unit_count(t, p):
            self.add_units(t, p, -1)
        elif self.kaija_at(t, p):
            self.kaija = None

    # ------------------------------------------------------------------------------------------ creatures, buildings

    def creatures_at(self, t: int) -> list[int]:
        return [c for c, where in self.creatures if where == t]

    def has(self, t: int, kind: tuple[int, ...]) -> bool:
        return any(c in kind for c in self.creatures_at(t))

    def valkyries_at(self, t: int) -> int:
        return sum(c in VALKYRIES for c in self.creatures_at(t))

    def lairs(self, t: int) -> int:
        return sum(self.area(slot)["x"] for slot in self.slots(t))

    def standing(self, t: int) -> list[int]:
        """Types of all building tokens of a territory, with repetitions."""
        found = [kind for slot, kind in self.buildings.items() if self.territory(slot) == t]
        for (where, kind), k in self.spaceless.items():
            found += [kind] * (k if where == t else 0)
        return sorted(found)

    def count_of(self, t: int, building: int) -> int:  # NORTH-BLD-02
        return self.standing(t).count(building)

    def free_spaces(self, t: int, space: int) -> list[int]:
        return [s for s in self.slots(t) if self.area(s)["s"] == space and s not in self.buildings]

    def fitting_spaces(self, t: int, building: int) -> list[int]:
        """Free slots where the building may stand (NORTH-BLD-01)."""
        if building in LARGE:
            return self.free_spaces(t, LARGE_SPACE)
        plain = [] if building == CARVED else self.free_spaces(t, PLAIN_SPACE)
        return plain + self.free_spaces(t, CARVED_SPACE)

    def icons(self, t: int, r: int) -> int:
        return sum(self.area(slot)["fwl"[r]] for slot in self.slots(t))

    def made(self, t: int, r: int) -> int:
        """What the buildings alone produce."""
        return sum(BUILDING_KIND.get(kind) == r for kind in self.standing(t))

    def prod(self, t: int, r: int) -> int:
        return self.icons(t, r) + self.made(t, r)

    def harvest_of(self, t: int, r: int) -> int:
        """prod(t, r) as in a harvest: the Wolf keeps the icons of the tiles (NORTH-CRE-35)."""
        return self.made(t, r) if self.has(t, WOLVES) else self.prod(t, r)

    def building_points(self, t: int) -> int:
        return sum(3 if kind in LARGE else 1 for kind in self.standing(t))

    # ------------------------------------------------------------------------------------------ placing tiles

    def rotations(self, tile: int) -> list[int]:
        """NORTH-TILE-13."""
        seen, kept = set(), []
        for r in range(4):
            sides = tuple(self.side_area(tile, r, s) for s in range(4))
            if sides not in seen:
                kept.append(r)
            seen.add(sides)
        return kept

    def cells(self) -> dict[tuple[int, int], int]:
        """The empty cells beside tiles, by cell the smallest CELL offset (NORTH-EXPL-08)."""
        grid, names = self.grid(), {}
        for p, (_, x, y, _) in enumerate(self.tiles):
            for s in range(4):
                cell = self.beside((x, y), s)
                if cell not in grid and cell not in names:
                    names[cell] = 4 * p + s
        return names

    def cell_of(self, name: int) -> tuple[int, int]:
        _, x, y, _ = self.tiles[name // 4]
        return self.beside((x, y), name % 4)

    def fits_grid(self, cell: tuple[int, int]) -> bool:  # NORTH-TILE-12, NORTH-EXPL-06 (f)
        columns = {x for _, x, _, _ in self.tiles} | {cell[0]}
        rows = {y for _, _, y, _ in self.tiles} | {cell[1]}
        return len(columns) < self.S and len(rows) < self.S

    def explores_to(self, cell: tuple[int, int], p: int) -> bool:
        """NORTH-EXPL-06 (b)."""
        grid = self.grid()
        for s in range(4):
            q = grid.get(self.beside(cell, s))
            if q is not None:
                tile, _, _, r = self.tiles[q]
                t = self.territory(4 * q + self.side_area(tile, r, (s + 2) % 4))
                if self.controls(p, t) and not self.has(t, BEARS):
                    return True
        return False

    def borders_continue(self, tile: int, cell: tuple[int, int], rotation: int) -> bool:
        """NORTH-EXPL-06 (c)."""
        grid = self.grid()

        def ends(where: tuple[int, int], s: int, z: int) -> bool:
            t, _, _, r = self.tiles[grid[where]]
            return self.side_area(t, r, s % 4) != self.side_area(t, r, z % 4)

        for c in range(4):
            one, two = self.beside(cell, c), self.beside(cell, (c + 1) % 4)
            across = self.beside(one, (c + 1) % 4)
            if not all(where in grid for where in (one, two, across)):
                continue
            own = self.side_area(tile, rotation, c) != self.side_area(tile, rotation, (c + 1) % 4)
            if own + ends(one, c + 1, c + 2) + ends(two, c, c + 3) + ends(across, c + 2, c + 3) == 1:
                return False
        return True

    def joins_well(self, tile: int, cell: tuple[int, int], rotation: int, group: bool) -> bool:
        """NORTH-EXPL-06 (d), (e); with `group` also a place without figures (NORTH-SETUP-15, NORTH-EOY-06)."""
        grid, parts = self.grid(), []  # parts: territories that become one, with the areas that join them
        for a in range(len(self.tables["tiles"][tile]["areas"])):
            joined = set()
            for s in range(4):
                q = grid.get(self.beside(cell, s))
                if q is not None and self.side_area(tile, rotation, s) == a:
                    other, _, _, turned = self.tiles[q]
                    joined.add(self.territory(4 * q + self.side_area(other, turned, (s + 2) % 4)))
            apart = [part for part in parts if not part & joined]
            parts = [*apart, joined.union(*(part for part in parts if part & joined))]
        empty = False
        for part in parts:
            seats = {p for t in part for p in self.seats_at(t)}
            if len(seats) > 1 or (seats and any(self.valkyries_at(t) for t in part)):
                return False
            empty = empty or not seats
        return empty or not group

    def placements(
        self, tile: int, allowed: Callable[[tuple[int, int]], bool], group: bool = False
    ) -> dict[int, list[int]]:
        """Legal rotations by CELL offset, on the allowed cells."""
        found = {}
        for cell, name in self.cells().items():
            if self.fits_grid(cell) and allowed(cell):
                turns = [
                    r
                    for r in self.rotations(tile)
                    if self.borders_continue(tile, cell, r) and self.joins_well(tile, cell, r, group)
                ]
                if turns:
                    found[name] = turns
        return found

    def lay(self, tile: int, cell: tuple[int, int], rotation: int) -> int:
        """Place a tile and rename what stands in joined territories (NORTH-TILE-07); return its placement index."""
        self.tiles.append([tile, cell[0] % self.S, cell[1] % self.S, rotation])
        name = self.map()["name"]
        units, spaceless = self.units, self.spaceless
        self.units, self.spaceless = {}, {}
        for (t, q), k in units.items():
            self.units[name[t], q] = self.units.get((name[t], q), 0) + k
        for (t, kind), k in spaceless.items():
            self.spaceless[name[t], kind] = self.spaceless.get((name[t], kind), 0) + k
        self.kaija = None if self.kaija is None else name[self.kaija]
        self.token = None if self.token is None else name[self.token]
        self.creatures = [[c, name[t]] for c, t in self.creatures]
        return len(self.tiles) - 1

    def areas_of(self, p: int) -> list[int]:
        """Territories with an area on the p-th tile."""
        return sorted({t for slot, t in self.map()["name"].items() if slot // 4 == p})
