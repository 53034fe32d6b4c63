"""Years and turns of the referee: start of year, the Actions phase, playing cards (sections 3.1, 4.1 and 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from northgard_referee_actions import (
    CARD,
    DONE,
    LORE,
    PASS,
    PLAY,
    REMOVE,
    REPLACE,
    RES,
    TERR,
    UNREST,
    UPGRADE,
    WAIT,
    YES,
)
from northgard_referee_map import SNAKE
from northgard_referee_tables import FORGE

if TYPE_CHECKING:
    from northgard_referee import Steps


class TurnRules:
    # ------------------------------------------------------------------------------------------ cards of a seat

    def avail(self, p: int) -> int:
        return len(self.pile[p]) + len(self.discard[p])

    def draw(self, p: int, k: int) -> list[list[int]]:
        """Draw up to k cards; return them, not yet in the hand, the owner knowing them (NORTH-DECK-02, -03)."""
        drawn = []
        for _ in range(k):
            if not self.pile[p] and self.discard[p]:
                order = self.chance.shuffle("discard", p, sorted(self.discard[p]))
                self.pile[p], self.discard[p] = [[card, 0] for card in order], []
            if self.pile[p]:
                card, mask = self.pile[p].pop(0)
                drawn.append([card, mask | 1 << p])
        return drawn

    def draw_to_hand(self, p: int, k: int) -> None:
        self.hand[p] += self.draw(p, k)

    def leave_hand(self, p: int, card: int) -> int:
        """Take a card out of the hand, of equal ones the one known to most (NORTH-INFO-06)."""
        same = [x for x in self.hand[p] if x[0] == card]
        first = max(same, key=lambda x: (bin(x[1]).count("1"), x[1]))
        self.hand[p].remove(first)
        return card

    def everybody(self) -> int:
        return (1 << self.n) - 1

    def hand_cards(self, p: int) -> list[int]:
        return [card for card, _ in self.hand[p]]

    def in_play(self, p: int) -> list[int]:
        """The active area."""
        return self.played[p] + self.idle[p]

    # ------------------------------------------------------------------------------------------ payments

    def payable(self, p: int, due: int, last: int) -> list[int]:
        """Kinds that may be paid next (NORTH-TURN-15)."""
        own = self.resources[p]
        return [r for r in range(last, 3) if own[r] and sum(own[r:]) >= due]

    def pay(self, p: int, due: int, to: int | None = None, last: int | None = None) -> Steps:
        frame = self.push("PAY", payer=p, left=due, last=last, to=to)
        while frame["left"]:
            legal = [RES + r for r in self.payable(p, frame["left"], frame["last"] or 0)]
            r = (yield from self.ask("PAY", p, legal)) - RES
            self.resources[p][r] -= 1
            if to is not None:
                self.resources[to][r] += 1
            frame["left"], frame["last"] = frame["left"] - 1, r
        self.pop("PAY")

    # ------------------------------------------------------------------------------------------ the years

    def clockwise(self, first: int) -> list[int]:
        return [(first + k) % self.n for k in range(self.n)]

    def all_years(self, resume: int | None = None) -> Steps:
        """Play to the end; `resume` is the seat whose turn goes on (NORTH-PH-01)."""
        while True:
            if resume is None:
                self.start_of_year()
            self.phase = "ACTIONS"
            yield from self.actions_phase(resume)
            resume, self.turn = None, None
            if self.options["creatures"]:
                self.phase = "CREATURES"
                yield from self.creature_phase()
            self.phase = "HARVEST"
            for p in self.clockwise(self.marker):
                yield from self.harvest(p)
            self.turn = None
            for p in self.clockwise(self.marker):
                self.winter(p)
            if self.game_over():  # NORTH-EOY-01, -02
                return
            self.phase = "SECOND"
            for p in self.clockwise(self.marker):
                yield from self.second_chance(p)
            self.turn = None
            self.year += 1

    def start_of_year(self) -> None:  # NORTH-PH-05
        for flags in (self.passed, self.taken, self.kaija_free, self.conquer):
            flags[:] = [False] * self.n
        for p in self.clockwise(self.marker):
            self.draw_to_hand(p, 4 + sum(self.count_of(t, FORGE) for t in self.owned(p)))
        if self.year == self.years:  # NORTH-YEAR-03
            self.display, self.achievements = self.achievements, []
        else:
            self.display, self.dev_deck = self.display + self.dev_deck[: self.n], self.dev_deck[self.n :]

    def actions_phase(self, resume: int | None) -> Steps:
        p = self.marker if resume is None else resume
        while not all(self.passed):
            if not self.passed[p]:  # NORTH-PH-06
                self.turn = p
                yield from self.take_turn(p)
                self.main_used = self.resolved = False
            p = (p + 1) % self.n

    # ------------------------------------------------------------------------------------------ a turn

    def playable(self, p: int) -> list[int]:
        """PLAY_CARD (NORTH-TURN-03, -06)."""
        rows = self.tables["cards"]
        return [t for t in set(self.hand_cards(p)) if (rows[t]["flash"] or not self.main_used) and self.can_run(p, t)]

    def menu(self, p: int) -> list[int]:  # NORTH-TURN-02
        hand, lore = self.hand_cards(p), self.resources[p][LORE]
        offer = {
            PLAY: bool(self.playable(p)),
            WAIT: bool(hand),
            REPLACE: bool(hand) and lore >= 1,
            REMOVE: any(card != UNREST for card in hand) and lore >= 2,
            UPGRADE: bool(hand) and lore >= 3 and bool(self.upgrades[p]),
            PASS: True,
        }
        return [mode for mode, legal in offer.items() if legal]

    def ask_card(self, decision: str, p: int, cards: list[int]) -> Steps:
        return (yield from self.ask(decision, p, [CARD + card for card in cards])) - CARD

    def take_turn(self, p: int) -> Steps:
        while True:
            if not self.resolved:
                mode = yield from self.ask("MENU", p, self.menu(p))
                if mode != PLAY:
                    yield from self.other_turn(p, mode)
                    return
            else:
                go_on = yield from self.ask("CONT", p, [DONE, *[PLAY] * bool(self.playable(p))])
                if go_on == DONE:
                    return
            card = yield from self.ask_card("PLAY_CARD", p, self.playable(p))
            yield from self.play(p, card)

    def other_turn(self, p: int, mode: int) -> Steps:
        own = self.resources[p]
        if mode == PASS:
            yield from self.pass_turn(p)
        elif mode == WAIT:  # NORTH-TURN-07
            card = yield from self.ask_card("WAIT_CARD", p, self.hand_cards(p))
            self.idle[p].append(self.leave_hand(p, card))
        elif mode == REPLACE:  # NORTH-TURN-08, -16
            own[LORE] -= 1
            card = yield from self.ask_card("REPLACE_CARD", p, self.hand_cards(p))
            self.idle[p].append(self.leave_hand(p, card))
            self.draw_to_hand(p, 1)
        elif mode == REMOVE:  # NORTH-TURN-10
            own[LORE] -= 2
            card = yield from self.ask_card("REMOVE_CARD", p, [c for c in self.hand_cards(p) if c != UNREST])
            self.removed.append(self.leave_hand(p, card))
            self.draw_to_hand(p, 2)
        else:  # NORTH-TURN-11
            own[LORE] -= 3
            card = yield from self.ask_card("UPG_CARD", p, self.hand_cards(p))
            self.push("UPGRADE", card=card)
            gone = yield from self.ask("UPG_DEST", p, [DONE, *[YES] * (card != UNREST)])
            self.pop("UPGRADE")
            (self.removed if gone == YES else self.idle[p]).append(self.leave_hand(p, card))
            taken = yield from self.ask_card("UPG_PICK", p, self.upgrades[p])
            self.upgrades[p].remove(taken)
            self.hand[p].append([taken, self.everybody()])

    def pass_turn(self, p: int) -> Steps:
        if not any(self.passed):  # NORTH-PH-08
            self.marker = p
        self.passed[p] = True
        self.discard[p] += self.hand_cards(p) + self.in_play(p)  # NORTH-TURN-12
        self.hand[p], self.played[p], self.idle[p] = [], [], []
        if not self.taken[p] and self.display:  # NORTH-TURN-13
            card = yield from self.ask_card("PASS_PICK", p, self.display)
            self.take_displayed(p, card)
        if self.options["more_creatures"]:
            yield from self.pass_creature(p)

    def take_displayed(self, p: int, card: int) -> None:
        self.display.remove(card)
        self.pile[p].insert(0, [card, self.everybody()])
        self.taken[p] = True

    # ------------------------------------------------------------------------------------------ playing a card

    def play(self, p: int, card: int) -> Steps:  # NORTH-TURN-05
        self.played[p].append(self.leave_hand(p, card))
        self.push("CARD", card=card)
        reaction = self.reaction()
        for q in self.enemies(p):  # NORTH-TURN-09
            if reaction in self.hand_cards(q) and (yield from self.ask("REACT", q, [DONE, YES])) == YES:
                self.idle[q].append(self.leave_hand(q, reaction))
                self.played[p].remove(card)
                self.discard[p].append(card)
                self.pop("CARD")
                return
        if self.clan[p] == SNAKE and self.tables["cards"][card]["group"] == f"C{SNAKE}":  # NORTH-CLAN-10
            yield from self.place_token(p)
        yield from self.run(p, card, played=True)
        self.pop("CARD")
        if not self.tables["cards"][card]["flash"]:
            self.main_used = True
        self.resolved = True

    def reaction(self) -> int | None:
        """The card with the operation REACT: 26 on the printed cards."""
        return next((card for card, row in enumerate(self.tables["cards"]) if row["op"] == 15), None)

    def token_places(self, p: int) -> list[int]:  # NORTH-CLAN-11
        return [
            t
            for t in self.territories()
            if (self.neutral(t) or self.is_enemy_land(t, p)) and self.near_own(t, p) and t != self.token
        ]

    def place_token(self, p: int) -> Steps:
        answer = yield from self.ask("TOKEN", p, [DONE, *[TERR + t for t in self.token_places(p)]])
        if answer != DONE:
            self.token = answer - TERR
