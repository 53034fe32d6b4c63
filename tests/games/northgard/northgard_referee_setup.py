"""Setup of the referee (section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import CELL, CLAN, DONE, PICK, ROT, TERR, YES

if TYPE_CHECKING:
    from northgard_referee import Steps

START, FIVE = 0, 1  # tile ids
STARTING_CARDS = [0, 1, 2, 3, 4, 4]  # NORTH-CARD-02
EARLY, ADVANCED, ACHIEVEMENTS = range(5, 21), range(21, 57), range(57, 64)


class SetupRules:
    def setup(self) -> Steps:
        n, shuffle = self.n, self.chance.shuffle
        longer = 1 if self.years == 10 else 0  # NORTH-VAR-01
        early = shuffle("early", None, list(EARLY))[: (2 + longer) * n]
        advanced = shuffle("advanced", None, list(ADVANCED))[: (4 + 2 * longer) * n]
        self.dev_deck = early + advanced  # NORTH-SETUP-02
        self.achievements = sorted(shuffle("achievements", None, list(ACHIEVEMENTS))[:n])
        self.tiles = [[START, 0, 0, 0]]
        rest = [t for t in self.tables["tiles"] if t != START]
        if n == 5:  # NORTH-SETUP-04
            self.tiles.append([FIVE, 1, 0, 0])
        if n == 5 or not self.options["five_tile_in_stack"]:
            rest.remove(FIVE)
        self.stack = [[t, 0] for t in shuffle("stack", None, rest)]
        yield from self.choose_clans()
        self.phase = "SETUP"
        for p in range(n):  # NORTH-SETUP-07
            own = 64 + 3 * self.clan[p]
            self.pile[p] = [[card, 0] for card in shuffle("deck", p, sorted([*STARTING_CARDS, own]))]
            self.upgrades[p] = [own + 1, own + 2]
        self.marker = self.chance.first(n)
        for place, p in enumerate(self.clockwise(self.marker)):  # NORTH-DATA-01
            self.resources[p] = [self.tables["start"][place][kind] for kind in ("food", "wood", "lore")]
        if self.options["creatures"]:
            self.stack_creatures()
        for p in self.clockwise(self.marker):
            for _ in range(3):
                self.tile_hands[p].append(self.stack.pop(0)[0])
        for round_ in (1, 2):
            for p in self.clockwise(self.marker):
                self.turn = p
                yield from self.place_group(p, round_)
        self.turn = None
        loose = sorted([t for t, _ in self.stack] + [t for hand in self.tile_hands for t in hand])  # NORTH-SETUP-20
        self.tile_hands = [[] for _ in range(n)]
        self.stack = [[t, 0] for t in shuffle("returned", None, loose)]

    def choose_clans(self) -> Steps:  # NORTH-SETUP-06
        how = self.options["clan_selection"]
        if how == "choose":
            for p in range(self.n):
                free = [CLAN + c for c in range(7) if c not in self.clan]
                self.clan[p] = (yield from self.ask("CLAN", p, free)) - CLAN
        elif how == "random":
            self.clan = self.chance.shuffle("clans", None, list(range(7)))[: self.n]
        else:
            self.clan = list(how)

    def setup_cells(self, round_: int) -> set[tuple[int, int]]:  # NORTH-SETUP-13, -14
        start = [t for t in self.tiles if t[0] == START or (self.n == 5 and t[0] == FIVE)]
        return {self.beside((x, y), s) for _, x, y, _ in (start if round_ == 1 else self.tiles) for s in range(4)}

    def place_group(self, p: int, round_: int) -> Steps:
        frame = self.push("SETUP")
        cells, hand = self.setup_cells(round_), self.tile_hands[p]

        def fits(tile: int) -> dict[int, list[int]]:  # NORTH-SETUP-15
            return self.placements(tile, lambda cell: cell in cells, group=True)

        tries = len(self.stack)
        while not any(fits(tile) for tile in hand):  # NORTH-SETUP-18
            if tries == 0:
                self.pop("SETUP")
                return
            tries -= 1
            lost = min(hand)
            hand.remove(lost)
            self.stack.append([lost, 1 << p])
            hand.append(self.stack.pop(0)[0])
        hand.sort()
        picks = [PICK + i for i, tile in enumerate(hand) if fits(tile)]
        tile = frame["tile"] = hand[(yield from self.ask("SETUP_TILE", p, picks)) - PICK]
        where = fits(tile)
        cell = frame["cell"] = (yield from self.ask("SETUP_CELL", p, [CELL + c for c in where])) - CELL
        turn = (yield from self.ask("SETUP_ROT", p, [ROT + r for r in where[cell]])) - ROT
        hand.remove(tile)
        frame["tile"] = frame["cell"] = None
        index = self.lay(tile, self.cell_of(cell), turn)
        for t in self.lairs_of(index):  # NORTH-SETUP-19
            self.appear(t)
        free = [t for t in self.areas_of(index) if self.neutral(t)]  # NORTH-SETUP-16
        quiet = [t for t in free if not self.valkyries_at(t)]
        terr = (yield from self.ask("SETUP_TERR", p, [TERR + t for t in quiet or free])) - TERR
        frame["terr"] = terr
        yield from self.add_group("SETUP_KAIJA", p, terr)
        self.pop("SETUP")

    def add_group(self, decision: str, p: int, terr: int) -> Steps:
        """Three units, or two and Kaija (NORTH-SETUP-17)."""
        kaija = self.kaija_in_reserve(p) and (yield from self.ask(decision, p, [DONE, YES])) == YES
        if kaija:
            self.kaija = terr
        self.add_units(terr, p, 2 if kaija else 3)
