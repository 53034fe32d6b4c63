"""`observation_text`: what a seat knows in words, for a person or a language model.

The text is written from the decoded observation and the printed tables, so it cannot say more than the observation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from northmen_env.games.saga.actions import action_text, card_text, route_text
from northmen_env.games.saga.observe import OBSERVATION, PILE_PLACES, observe
from northmen_env.games.saga.rules import legal_ids
from northmen_env.games.saga.tables import CARDS, KINGDOMS, kingdom_name, region_name

Facts = dict[str, np.ndarray]

_WAYS = ("out of reach", "armies only", "fleets only", "armies or fleets")
_TASKS = {
    "PLAY": "play one card of your hand",
    "HIRE": "hire a hero for 3 infamy in the kingdom just added to, or pass",
    "DRAW": "take a face-up card or draw from the pile",
    "DELAY": "delay the kingdom for 5 infamy and the time token, or move it now (pass)",
    "CUBE": "send one cube of the moving kingdom to a region",
    "HERO": "send one hero of the moving kingdom to a region",
    "ROUTE": "complete one of your trade routes, or pass",
    "BUY": "pay 3 infamy to draw two trade routes and keep one, or pass",
    "KEEP": "choose which of the two drawn routes to keep; the other goes under the trade deck",
    "HOLD": "pay 1 infamy to keep a hand card for the next round, or pass; the cards not held are discarded",
}
_REWARDS = {
    "rank": "players beaten less players ahead",
    "win": "the first place alone",
    "score": "the lead over the mean score of the others",
}


def observation_text(rules: Any, state: Any, player: int) -> str:
    """Return all that `player` knows, in sections; at its own decision with the legal actions by name."""
    out = np.empty(OBSERVATION.size, np.float32)
    observe(rules, state, player, out)
    writer = _Writer(rules, OBSERVATION.decode(out), player)
    sections = [
        writer.situation(),
        writer.choices(state),
        writer.players(),
        writer.places(),
        writer.cards(),
        writer.memory(),
        writer.routes(),
        writer.rules_in_force(),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


class _Writer:
    def __init__(self, rules: Any, facts: Facts, player: int) -> None:
        self.rules, self.facts, self.player = rules, facts, player
        self.n = int(facts["present"].sum())
        self.decision = OBSERVATION["decision"].columns[_only(facts["decision"])]
        acting = _members(facts["acting"])
        self.acting = acting[0] if acting else None  # relative, as all seats here

    # -- words ---------------------------------------------------------------------------------------------------------

    def who(self, k: int) -> str:
        return "you" if k == 0 else f"seat {(self.player + k) % self.n}"

    def card(self, card: int) -> str:
        return card_text(self.rules, card)

    def listed(self, cards: Iterable[int]) -> str:
        return "; ".join(self.card(card) for card in cards) or "none"

    def route(self, route: int) -> str:
        text = route_text(self.rules, route)
        way = self.rules.march_class[self.rules.route_kingdom[route], self.rules.route_region[route]]
        return f"{text}, {_WAYS[way]}"

    def place(self, place: int) -> str:
        return kingdom_name(self.rules, place) if place < KINGDOMS else region_name(self.rules, place - KINGDOMS)

    def number(self, name: str, k: int) -> int:
        return int(self.facts[name][k])

    # -- sections ------------------------------------------------------------------------------------------------------

    def situation(self) -> list[str]:
        f = self.facts
        head = (
            f"Saga of the Northmen, {self.n} players. You are seat {self.player}. Round {1 + _only(f['round'])} of 3."
        )
        return [
            head,
            f"Leader: {self.who(_only(f['leader']))}. Plunder tokens left in this round's group: {f['group'][0]}.",
            self.turn(),
            *self.context(),
        ]

    def turn(self) -> str:
        if self.decision == "END":
            return "The game is over."
        if self.acting is None:
            return "Trade routes are being completed; whether another player is asked is not shown."
        if self.acting == 0:
            return f"It is your decision ({self.decision}): {_TASKS[self.decision]}."
        return f"Waiting for {self.who(self.acting)} ({self.decision})."

    def context(self) -> list[str]:
        """Return the context of the pending decision (SAGA-INFO-09)."""
        f, lines = self.facts, []
        for card in _members(f["card"]):
            lines.append(f"Card just played: {self.card(card)}.")
        for kingdom in _members(f["kingdom"]):
            lines += self.march(kingdom)
        for route in _members(f["route_last"]):
            lines.append(f"Last route you completed in this visit: {self.route(route)}.")
        drawn = [_only(row) for row in f["routes_drawn"] if row.any()]
        if drawn:
            lines.append(f"Routes drawn: {'; '.join(self.route(route) for route in drawn)}.")
        if self.decision == "HOLD" and self.acting == 0:
            lines.append(f"Held so far: {self.listed(_members(f['held']))}.")
        return lines

    def march(self, kingdom: int) -> list[str]:
        armies, fleets, land, sea = self.facts["march"].tolist()
        which = "first pass" if self.facts["march_pass"][0] else "delayed kingdoms"
        lines = [f"Kingdom: {kingdom_name(self.rules, kingdom)} ({which})."]
        if self.decision == "DELAY":
            return lines
        left = self.facts["pieces_left"][0]
        last = region_name(self.rules, _only(self.facts["last_region"]))
        kind = "cubes" if self.decision == "CUBE" else "heroes"
        order = "in any order" if self.rules.free_march else f"in the order of the regions, from {last} on"
        lines.append(
            f"{armies} armies and {fleets} fleets; {land} cubes sent by land only, {sea} by sea only; "
            f"{left} {kind} left to send, {order}."
        )
        return lines

    def choices(self, state: Any) -> list[str]:
        if self.acting != 0:
            return []
        ids = np.empty(CARDS + 1, np.int16)
        number = legal_ids(self.rules, state, ids)
        return ["Your legal actions:", *(f"  {action_text(self.rules, int(a))}" for a in ids[:number])]

    def players(self) -> list[str]:
        lines = ["Players:"]
        for k in range(self.n):
            time = "used" if self.number("time_used", k) else "free"
            done = _members(self.facts["routes_done"][k])
            lines.append(
                f"  {'you, ' if k == 0 else ''}seat {(self.player + k) % self.n}: "
                f"plunder {self.number('plunder', k)}, infamy {self.number('infamy', k)}, "
                f"reserve {self.number('reserve', k)} cubes, {self.number('hero_supply', k)} heroes in supply, "
                f"time token {time}, {self.number('hand_size', k)} cards in hand, "
                f"{self.number('pile_size', k)} cards played this round, "
                f"{self.number('routes_open_count', k)} uncompleted routes, "
                f"completed: {'; '.join(self.route(route) for route in done) or 'none'}; "
                f"held {self.number('held_count', k)} of {self.number('hand_before_hold', k)} cards last planning"
            )
        return lines

    def places(self) -> list[str]:
        """Return kingdoms in movement order, then regions, with their pieces."""
        lines = ["Kingdoms, in the order in which they move:"]
        for kingdom in range(int(self.rules.num_kingdoms)):
            controller = _members(self.facts["controller"][kingdom])
            control = f"controlled by {self.who(controller[0])}" if controller else "no controller"
            delayed = ", delayed" if self.facts["delayed"][kingdom] else ""
            symbols = int(self.rules.chart_armies[kingdom]) + int(self.rules.chart_fleets[kingdom])
            lines.append(
                f"  {self.place(kingdom)} ({symbols} symbols on its cards, armies reach {self.reach(kingdom)}): "
                f"{control}{delayed}; {self.pieces(kingdom)}"
            )
        lines.append("Regions:")
        for region in range(int(self.rules.num_regions)):
            coast = "coastal" if self.rules.coastal[region] else "landlocked"
            place, tokens = KINGDOMS + region, self.facts["tokens"][region]
            lines.append(f"  {self.place(place)} ({coast}): plunder tokens {tokens}; {self.pieces(place)}")
        return lines

    def reach(self, kingdom: int) -> str:
        regions = range(int(self.rules.num_regions))
        return ", ".join(region_name(self.rules, region) for region in regions if self.rules.adjacent[kingdom, region])

    def pieces(self, place: int) -> str:
        parts = []
        for k in range(self.n):
            cubes, heroes = int(self.facts["cubes"][place, k]), int(self.facts["heroes"][place, k])
            if cubes or heroes:
                parts.append(f"{self.who(k)}: cubes {cubes}, heroes {heroes}")
        return "; ".join(parts) or "no pieces"

    def cards(self) -> list[str]:
        f = self.facts
        slots = [self.card(_only(row)) if row.any() else "empty" for row in f["slots"]]
        lines = [
            f"Your hand: {self.listed(_members(f['own_hand']))}",
            f"Face-up slots: {'; '.join(f'[{i}] {slot}' for i, slot in enumerate(slots))}",
            f"Draw pile: {f['draw_pile_size'][0]} cards",
        ]
        discards = _members(f["own_discards"])
        if discards:
            lines.append(f"Your discards: {self.listed(discards)}")
        for k in range(self.n):
            pile = _in_order(f["pile"][k])
            what = "Cards played by" if k == 0 or not self.rules.table_recall else "Top card of"
            if pile:
                lines.append(f"{what} {self.who(k)}, oldest first: {self.listed(pile)}")
        revealed = _members(f["revealed"])
        if revealed:
            lines.append(f"Revealed cards of kingdoms that have moved: {self.listed(revealed)}")
        return lines

    def memory(self) -> list[str]:
        f, lines = self.facts, []
        for k in range(self.n):
            now, before = _members(f["known_hand"][k]), _members(f["known_hand_prev"][k])
            whose = "your hand" if k == 0 else f"the hand of {self.who(k)}"
            if now:
                lines.append(f"Publicly known to be in {whose}: {self.listed(now)}")
            if before:
                lines.append(f"Publicly known to have been in {whose} before its last planning: {self.listed(before)}")
        maybe = _members(f["maybe_held"])
        if maybe:
            lines.append(f"Cards that an opponent can have held at the last planning: {self.listed(maybe)}")
        return lines

    def routes(self) -> list[str]:
        f = self.facts
        lines = [f"Trade deck: {f['route_deck_size'][0]} routes", "Your uncompleted routes:"]
        lines += [f"  {self.route(route)}" for route in _members(f["own_routes"])] or ["  none"]
        for route in _members(f["route_pos"]):
            lines.append(f"Place {f['route_pos'][route]} from the top of the trade deck: {self.route(route)}")
        for route in range(int(self.rules.num_routes)):
            for k in _members(f["route_holder"][route]):
                lines.append(f"You know that {self.who(k)} hold(s): {self.route(route)}")
        return lines

    def rules_in_force(self) -> list[str]:
        flags = [
            name
            for name, value in zip(OBSERVATION["options"].columns, self.facts["options"], strict=True)
            if bool(value)
        ]
        reward = OBSERVATION["reward"].columns[_only(self.facts["reward"])]
        return [f"Options: {', '.join(flags) or 'none'}. Final reward: {reward} ({_REWARDS[reward]})."]


def _members(row: np.ndarray) -> list[int]:
    return [int(i) for i in np.flatnonzero(row)]


def _in_order(row: np.ndarray) -> list[int]:
    """Return the cards of a pile, oldest first."""
    return sorted(_members(row), key=lambda card: PILE_PLACES - int(row[card]))


def _only(row: np.ndarray) -> int:
    return int(np.flatnonzero(row)[0])
