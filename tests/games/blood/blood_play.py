"""Random play of the referee: two samplers, and a table of what occurred."""

from __future__ import annotations

import random
from collections import Counter

import blood_referee as ref
from blood_referee import CELL0, PASS, PILE, SIDE0, TILE0, Referee
from blood_referee_map import PICAROON

POINTS = [f"D{k:02d}" for k in range(1, 23)] + [f"B{k}" for k in range(1, 8)]


def uniform(game: Referee, legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


def eager(game: Referee, legal: list[int], rng: random.Random) -> int:
    """Lays tiles, villages first; seldom passes or draws; goes to villages and enemies, often with one warband only."""
    if game.decision == "D01":
        tiles = [a for a in legal if a != PILE]
        village = [a for a in tiles if game.villages[a - TILE0]]
        return rng.choice(village or tiles or legal) if rng.random() < 0.95 else PILE
    if game.decision == "D17" and rng.random() < 0.5:
        return legal[0]
    if game.decision == "D18":
        wanted = [a for a in legal if game.village(a - CELL0) or game.enemies(a - CELL0, game.player)]
        return rng.choice(wanted or legal)
    if game.decision == "D16" and rng.random() < 0.3:
        return PASS  # so that contested tiles stay
    acts = [a for a in legal if a not in (PASS, ref.DRAW)]
    return rng.choice(acts if acts and rng.random() < 0.9 else legal)


SAMPLERS = {"uniform": uniform, "eager": eager}


ABILITIES = dict(enumerate("Corsairs Marauders Sails Picaroon Warriors Norman Bandits Vikings".split()))
EFFECTS = (
    "PLACE EACH LAKE ROAD ROADONE ROADATTACK ATTACK SCORE BRIBE BRIBEVILLAGES PREPARE DISCARD PLAY IFWON WIN"
).split()


class Watched(Referee):
    """The referee, counting what happens without a decision: cards, effects, abilities that made a difference."""

    seen: Counter[str]

    def __init__(self, *given) -> None:
        self.seen = Counter()
        super().__init__(*given)

    def clone(self) -> Watched:
        copy = super().clone()
        copy.seen = Counter()
        return copy

    def _mark(self, what: str) -> None:
        self.seen[what] += 1

    def _turn_over(self) -> None:
        super()._turn_over()
        self._mark(f"card {self.bandit['card']:03d}")

    def _begin(self, effect: tuple, row: list) -> bool:
        self._mark(f"effect {effect[0]}")
        return super()._begin(effect, row)

    def _begin_phase(self, phase: str) -> None:
        super()._begin_phase(phase)
        if phase == "D13" and self.has_ability(self.active, ref.WARRIORS) and self.letters(self.laid).count("F") == 1:
            self._mark("ability Warriors")

    def _do_D18(self, p: int, action: int) -> None:
        free, source, target = self.b, self.move["source"], action - CELL0
        if self.has_ability(p, PICAROON):
            plain = self.clone()
            plain.abilities[p] = None
            if target not in plain._destinations(p, source, self.move["count"], self.a):
                self._mark("ability Picaroon")
        super()._do_D18(p, action)
        if self.b < free:
            self._mark(f"ability {ABILITIES[self.abilities[p]]}")

    def _do_D07(self, p: int, action: int) -> None:
        self.seen["ability Sails"] += action != PASS
        super()._do_D07(p, action)

    def _participant(self, i: int) -> None:
        if i == 0:
            self.seen["ability Marauders"] += any(self.battle["strength"])
            basic = [self.wb(self.battle["cell"], p) + 1 for p in self.battle["order"]]
            self.seen["ability Bandits"] += any(o > b for o, b in zip(self.battle["owed"], basic))
        super()._participant(i)

    def _vikings(self, p: int) -> bool:
        scored = super()._vikings(p)
        self.seen["ability Vikings"] += scored
        return scored

    def bjarmia(self, p: int) -> bool:
        founded = super().bjarmia(p)
        self.seen["Bjarmia"] += founded
        return founded


def kind(action: int) -> str:
    """Return the name of an action; rotations one by one."""
    ranges = {CELL0: "CELL", TILE0 + 1: "TILE", ref.PIECE0: "PIECE", ref.COUNT0 + 1: "COUNT", SIDE0: "SIDE"}
    for low, name in ranges.items():
        if action >= low:
            return name
    return f"ROT {action - ref.ROT0}" if action >= ref.ROT0 else "PASS DO PILE DRAW SPEND VP RES".split()[action]


def count(game: Referee, action: int, seen: Counter[str]) -> None:
    """Count decision point, kind of action, bandit card and rare circumstances."""
    seen[f"point {game.decision}"] += 1
    seen[f"action {game.decision} {kind(action)}"] += 1
    if game.bandit is not None:
        seen[f"bandits in {game.bandit['card']:03d} at {game.decision}"] += 1
        seen["ban in force"] += game.bandit["forbidden"] is not None
    if game.battle is not None:
        seen["battle of three or more"] += len(game.battle["order"]) > 2 and game.decision == "D20"
        seen["empty pile in battle"] += not game.pile


def count_end(game: Referee, seen: Counter[str]) -> None:
    """Count how the game ended."""
    seen["games"] += 1
    reason = "draw" if len(game.winners) > 1 else "win"
    how = "sixth point" if max(game.vp) >= 6 else "pile" if not game.pile else "Bjarmia or card 068"
    seen[f"end by {how}, {reason}"] += 1


def report(seen: Counter[str]) -> str:
    """Return the table of occurrences."""
    return "\n".join(f"{number:9d}  {what}" for what, number in sorted(seen.items()))
