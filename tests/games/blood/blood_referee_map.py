"""The map of the referee: cells, matching, placements, ways of armies and connections.

BLOOD-HEX, -PLACE, -CIT, -LAKE, -ROAD, -EDGE and -BJAR are here.

Cells are torus indices throughout. By HEX-04 at least one column and one row of the torus stay empty, so a step across
a side means the same on the torus as on the plane.
"""

from __future__ import annotations

from functools import cache

DELTA = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]  # BLOOD-HEX-01: N NE SE S SW NW
PICAROON = 3
SUPPLY = 12  # citadels

MATCHES = {  # BLOOD-PLACE-05, the letters that may lie against each letter
    "F": "FM",
    "L": "LM",
    "M": "FLM-",
    "R": "R",
    "-": "M-",
}


class MapRules:
    """What follows from tiles, rotations, warbands and citadels alone.

    Uses: `S`, `map` (cell -> {"tile", "rotation", "warbands"}), `citadels` (12 entries), `sides`, `villages`,
    `abilities` (per seat), `options`.
    """

    # -------------------------------------------------------------------------------------- cells and letters

    def nb(self, c: int, d: int) -> int:
        """Return the cell across side d (BLOOD-HEX-01, -03)."""
        return neighbours(self.S)[c][d % 6]

    def occ(self, c: int) -> bool:
        return c in self.map

    def rotated(self, t: int, k: int) -> str:
        """Return the letters of a tile turned k times, by side (BLOOD-HEX-02)."""
        return turned(self.sides[t], k)

    def letters(self, c: int) -> str:
        return self.rotated(self.map[c]["tile"], self.map[c]["rotation"])

    def letter(self, c: int, d: int) -> str:
        return self.letters(c)[d % 6]

    def village(self, c: int) -> str | None:
        return self.villages[self.map[c]["tile"]]

    # ------------------------------------------------------------------------------------------------- pieces

    def wb(self, c: int, p: int) -> int:
        return self.map[c]["warbands"][p]

    def enemies(self, c: int, p: int) -> int:
        return sum(self.map[c]["warbands"]) - self.wb(c, p)

    def contested(self, c: int, p: int) -> bool:
        return self.wb(c, p) >= 1 and self.enemies(c, p) >= 1

    def on_map(self, p: int) -> int:
        return sum(self.wb(c, p) for c in self.map)

    def cells_of(self, p: int) -> list[int]:
        return [c for c in sorted(self.map) if self.wb(c, p) >= 1]

    def citadel_at(self, c: int, d: int) -> dict | None:
        """Return the citadel on side d of c; of the two descriptions of its place the one with `side` <= 2 is kept."""
        place = (c, d % 6) if d % 6 <= 2 else (self.nb(c, d), (d + 3) % 6)
        for x in self.citadels:
            if x is not None and (x["cell"], x["side"]) == place:
                return x
        return None

    def citadels_of(self, p: int) -> int:
        return sum(x is not None and x["owner"] == p for x in self.citadels)

    def removable(self, p: int) -> list[int]:
        """Numbers of p's citadels that may be returned (BLOOD-CIT-07)."""
        return [j for j, x in enumerate(self.citadels) if x is not None and x["owner"] == p and not x["permanent"]]

    def can_citadel(self, p: int) -> bool:
        """BLOOD-CIT-04."""
        return self.options["citadels"] and (None in self.citadels or bool(self.removable(p)))

    # ----------------------------------------------------------------------------------------- adding a tile

    def rotations(self, t: int) -> list[int]:
        """Rotations that look different, the smallest of each look (BLOOD-PLACE-07)."""
        looks = [self.rotated(t, k) for k in range(6)]
        return [k for k in range(6) if looks[k] not in looks[:k]]

    def window(self, c: int) -> bool:
        """BLOOD-HEX-04. The map is connected and thus without a gap in q or r, so different indices count the span."""
        columns, rows = {x // self.S for x in self.map}, {x % self.S for x in self.map}
        return len(columns | {c // self.S}) <= self.S - 2 and len(rows | {c % self.S}) <= self.S - 2

    def frontier(self) -> list[int]:
        """Empty cells that a new tile may take as far as their number of neighbours goes (BLOOD-PLACE-01 to -04)."""
        beside: dict[int, int] = {}
        for c in self.map:
            for d in range(6):
                if not self.occ(self.nb(c, d)):
                    beside[self.nb(c, d)] = beside.get(self.nb(c, d), 0) + 1
        fits = (lambda touched: touched == 1) if len(self.map) < 3 else (lambda touched: touched >= 2)
        return [c for c in sorted(beside) if fits(beside[c]) and self.window(c)]

    def met(self, c: int) -> dict[int, str]:
        """Return the letters that a tile on the empty cell c would meet, by its side."""
        across = [(d, self.nb(c, d)) for d in range(6)]
        return {d: self.letter(n, d + 3) for d, n in across if self.occ(n)}

    def placements(self, t: int, p: int, borders: dict[int, dict[int, str]] | None = None) -> dict[int, list[int]]:
        """Return the legal rotations of tile t by cell (BLOOD-PLACE-07); `borders` = `self.borders()` if at hand."""
        if not self.map:
            return {self.S // 2 * self.S + self.S // 2: [0]}  # BLOOD-HEX-06
        allowed = 1 if self.can_citadel(p) else 0  # BLOOD-PLACE-06
        looks = {k: self.rotated(t, k) for k in self.rotations(t)}
        result = {}
        for c, border in (self.borders() if borders is None else borders).items():
            legal = [k for k, look in looks.items() if len(failing(look, border)) <= allowed]
            if legal:
                result[c] = legal
        return result

    def borders(self) -> dict[int, dict[int, str]]:
        return {c: self.met(c) for c in self.frontier()}

    def mismatched(self, c: int) -> list[int]:
        """Sides of the tile on c that meet a neighbour and do not match it."""
        return failing(self.letters(c), self.met(c))

    # -------------------------------------------------------------------------------------------------- lake

    def status(self, c: int, d: int, p: int) -> str:
        """Status of the side between two tiles for colour p (BLOOD-LAKE-02)."""
        citadel = self.citadel_at(c, d)
        if citadel is not None:
            return "OPEN" if citadel["owner"] == p else "BLOCKED"
        pair = self.letter(c, d) + self.letter(self.nb(c, d), d + 3)
        if "M" in pair:
            return "BLOCKED"
        return {"--": "OPEN", "RR": "OPEN", "FF": "FOREST", "LL": "LAKE"}[pair]

    def statuses(self, c: int, p: int) -> list[tuple[int, str]]:
        """Neighbouring tiles of c with the status of the side towards them."""
        return [(self.nb(c, d), self.status(c, d, p)) for d in range(6) if self.occ(self.nb(c, d))]

    def lake_of(self, c: int, p: int) -> set[int]:
        """Tiles reached over LAKE sides only, without c (BLOOD-LAKE-05)."""
        found, todo = {c}, [c]
        while todo:
            for n, status in self.statuses(todo.pop(), p):
                if status == "LAKE" and n not in found:
                    found.add(n)
                    todo.append(n)
        return found - {c}

    def lake_destinations(self, c: int, p: int, a: int, b: int) -> dict[int, tuple[int, int]]:
        """Payable destinations and what they take off a and b (BLOOD-LAKE-06)."""
        ways = self.statuses(c, p)
        lake = self.lake_of(c, p)
        open_ = {n for n, status in ways if status == "OPEN"}
        forest = {n for n, status in ways if status == "FOREST"}
        price = dict.fromkeys(forest, (2, 0))
        price |= dict.fromkeys(open_, (1, 0))
        price |= dict.fromkeys(lake, (0, 1) if b >= 1 else (1, 0))
        return {n: cost for n, cost in price.items() if cost[0] <= a and cost[1] <= b}

    # -------------------------------------------------------------------------------------------------- road

    def has_ability(self, p: int, ability: int) -> bool:
        """Bandits (colour 1 in solo) have none (BLOOD-SOLO-01)."""
        return p < len(self.abilities) and self.abilities[p] == ability

    def road_link(self, c: int, d: int, p: int) -> bool:
        """BLOOD-ROAD-03, BLOOD-ABIL-05; nb(c, d) is a tile."""
        citadel = self.citadel_at(c, d)
        if citadel is not None:
            return self.has_ability(p, PICAROON) and citadel["owner"] == p
        return self.letter(c, d) == "R" and self.letter(self.nb(c, d), d + 3) == "R"

    def passes_on(self, c: int, p: int, count: int) -> bool:
        """May an army of this size go on from a tile that it has reached? (BLOOD-ROAD-01, BLOOD-ABIL-05)"""
        enemies = self.enemies(c, p)
        return enemies == 0 or (self.has_ability(p, PICAROON) and count > enemies)

    def road_reach(self, source: int, p: int, count: int) -> tuple[set[int], set[int]]:
        """Return the destinations on the map and those round its edge (BLOOD-ROAD-05)."""
        on, off, todo = {source}, set(), [source]
        while todo:
            c = todo.pop()
            for d in range(6):
                n = self.nb(c, d)
                if not self.occ(n):
                    if self.letter(c, d) == "R":
                        off |= {self.walk_to_road(c, d, turn) for turn in (+1, -1)}
                elif n not in on and self.road_link(c, d, p):
                    on.add(n)
                    if self.passes_on(n, p, count):
                        todo.append(n)
        return on - {source}, off - {source, None}

    def road_destinations(self, c: int, p: int, count: int, a: int, b: int) -> dict[int, tuple[int, int]]:
        """Payable destinations and what they take off a and b (BLOOD-ROAD-06)."""
        on, off = self.road_reach(c, p, count)
        price = dict.fromkeys(off, (1, 0)) | dict.fromkeys(on, (0, 1) if b >= 1 else (1, 0))
        return {n: cost for n, cost in price.items() if cost[0] <= a and cost[1] <= b}

    def edge_step(self, c: int, d: int, turn: int) -> tuple[int, int]:
        """Return the next boundary side, clockwise for turn = +1 (BLOOD-EDGE-02)."""
        n = self.nb(c, d + turn)
        return (n, (d - turn) % 6) if self.occ(n) else (c, (d + turn) % 6)

    def walk_to_road(self, c: int, d: int, turn: int) -> int | None:
        """Return the tile of the next road side along the edge, None if the walk comes back first (BLOOD-EDGE-04)."""
        x, e = self.edge_step(c, d, turn)
        while (x, e) != (c, d):
            if self.letter(x, e) == "R":
                return x
            x, e = self.edge_step(x, e, turn)
        return None

    # ----------------------------------------------------------------------------------------------- Bjarmia

    def bjarmia(self, p: int) -> bool:
        """BLOOD-BJAR-01, -02."""
        usable = {c for c in self.map if self.enemies(c, p) == 0 or self.wb(c, p) >= 1}
        while usable:
            todo = [usable.pop()]
            part = set(todo)
            while todo:
                for n, status in self.statuses(todo.pop(), p):
                    if status != "BLOCKED" and n in usable:
                        usable.remove(n)
                        part.add(n)
                        todo.append(n)
            if len({self.village(c) for c in part if self.village(c) and self.wb(c, p) >= 1}) == 4:
                return True
        return False


@cache
def neighbours(size: int) -> list[list[int]]:
    """Return the six neighbours of every cell of the torus."""
    cells = [divmod(c, size) for c in range(size * size)]
    return [[(q + dq) % size * size + (r + dr) % size for dq, dr in DELTA] for q, r in cells]


@cache
def turned(sides: str, k: int) -> str:
    """Return six letters after k turns: side d shows letter (d - k) mod 6."""
    return "".join(sides[(d - k) % 6] for d in range(6))


def failing(look: str, border: dict[int, str]) -> list[int]:
    """Return the sides of a tile that looks so which do not match what they meet (BLOOD-PLACE-05)."""
    return [d for d, met in border.items() if look[d] not in MATCHES[met]]
