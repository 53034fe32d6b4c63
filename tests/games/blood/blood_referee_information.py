"""What each seat of the referee knows (section 5 of the ledger), and all states that its knowledge leaves open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, permutations

TILES = 120


class Information:
    """Views and possible worlds. Uses the state of the referee and its State JSON."""

    def view(self, player: int) -> dict:
        """What this seat may know, and nothing else (BLOOD-INFO-01 to -05): the State JSON without what is hidden.

        Hidden lists become their sizes; `hand`, `own_prepared` and `own_fresh` are the seat's own tiles, the last
        two None where it has no part in them.
        """
        d = self.to_dict()
        v = {key: value for key, value in d.items() if key not in ("pile", "removed", "hands", "prepared", "fresh")}
        v |= {"viewer": player, "pile_size": len(d["pile"]), "removed_size": len(d["removed"])}
        v |= {"hand_sizes": [len(hand) for hand in d["hands"]], "fresh_size": len(d["fresh"])}
        v["prepared_sizes"] = [len(tiles) for tiles in d["prepared"]]
        v["hand"], v["own_prepared"] = d["hands"][player], d["prepared"][player]
        v["own_fresh"] = d["fresh"] if self.active == player else []
        return v

    def hidden(self, player: int) -> set[int]:
        """The tiles whose place this seat does not know (BLOOD-INFO-04), the `held` ones of others left out."""
        known = set(self.discard) | self.hands[player] | self.prepared[player]
        known |= {x["tile"] for x in self.map.values()}
        known |= self.fresh if self.active == player else set()
        known |= {t for tiles in (self.battle["revealed"] if self.battle else []) for t in tiles}
        known |= {self.placing["tile"]} if self.placing else set()
        known |= {t for q in range(self.n) if q != player for t in self.held[q]}
        return set(range(1, TILES + 1)) - known

    def tiles_by_place(self) -> list[list[int]]:
        """All tiles, by where they are; every id has to occur once (BLOOD-CORNER-14)."""
        places = [list(self.pile), self.discard, self.removed, self.fresh, *self.hands, *self.prepared]
        places.append([x["tile"] for x in self.map.values()])
        places += self.battle["revealed"] if self.battle else []
        places.append([self.placing["tile"]] if self.placing else [])
        return [sorted(tiles) for tiles in places]

    def own_of(self, q: int) -> set[int]:
        """Hand and prepared tiles of a seat, fresh ones included (BLOOD-INFO-03)."""
        return self.hands[q] | self.prepared[q] | (self.fresh if self.active == q else set())

    def consistent(self) -> bool:
        """No tile is lost or doubled, the `held` sets are true, and the decision is offered (BLOOD-INFO-06)."""
        if sorted(t for tiles in self.tiles_by_place() for t in tiles) != list(range(1, TILES + 1)):
            return False
        if any(not self.held[q] <= self.own_of(q) for q in range(self.n)):
            return False
        return self.is_terminal() or len(self.legal_actions()) >= 2

    def possible(self, candidate: dict, player: int) -> bool:
        """BLOOD-INFO-06: may the candidate (State JSON) be the true state, for all that this seat knows in this one?"""
        other = type(self).from_dict(candidate, self.tables)
        return other.view(player) == self.view(player) and other.consistent()

    def worlds(self, player: int) -> Iterator[dict]:
        """Every State JSON that is possible for this seat; brute force, for positions with few hidden tiles."""
        others = [q for q in range(self.n) if q != player]
        owners = [("hands", q) for q in others] + [("prepared", q) for q in range(self.colours) if q != player]
        owners += [("fresh", self.active)] if self.active != player else []
        loose = self.hidden(player)
        for kept in self._spread([(t, q) for q in others for t in sorted(self.held[q])], owners):
            sizes = []
            for place in owners:
                tiles = self.fresh if place[0] == "fresh" else getattr(self, place[0])[place[1]]
                sizes.append(len(tiles) - len(kept[place]))
            if min(sizes, default=0) < 0:
                continue
            for parts in _splits(loose, [*sizes, len(self.removed)]):
                world = self.clone()
                for place, part in zip(owners, parts):
                    if place[0] == "fresh":
                        world.fresh = kept[place] | part
                    else:
                        getattr(world, place[0])[place[1]] = kept[place] | part
                world.removed = parts[-2]
                world.pile = sorted(parts[-1])
                if not world.consistent():
                    continue
                for order in permutations(world.pile):
                    yield {**world.to_dict(), "pile": list(order)}

    def _spread(self, held: list[tuple[int, int]], owners: list) -> Iterator[dict]:
        """Every way to put the known tiles of each seat among its own places."""
        if not held:
            yield {place: set() for place in owners}
            return
        (t, q), rest = held[0], held[1:]
        for kept in self._spread(rest, owners):
            for place in owners:
                if place[1] == q:
                    yield {**kept, place: kept[place] | {t}}


def world_key(d: dict) -> str:
    """The hidden part of a State JSON as one canonical string."""
    return json.dumps([d[key] for key in ("pile", "removed", "hands", "prepared", "fresh")], separators=(",", ":"))


def _splits(items: set[int], sizes: list[int]) -> Iterator[list[set[int]]]:
    """All ways to hand out disjoint sets of these sizes; the last element of each list is what is left."""
    if not sizes:
        yield [set(items)]
        return
    for chosen in combinations(sorted(items), sizes[0]):
        for rest in _splits(items - set(chosen), sizes[1:]):
            yield [set(chosen), *rest]
