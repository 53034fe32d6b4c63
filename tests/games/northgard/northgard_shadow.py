"""The engine as the referee's shadow: whatever a test makes the referee do, the engine does and must agree.

Before each action the engine reads the State JSON of the referee; it then takes the action itself, in a game whose seed
rolls the same dice, and must come to the same State JSON and offer the same actions. What a shuffle brought
about is left out of the comparison, because the referee's tests order their piles by hand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from northgard_referee import Referee
from northgard_referee_positions import STARTING
from northgard_scenes import CREATURE, ZONES, Play, seed_for

SHUFFLED = {"hand", "hand_known", "draw_pile", "draw_known", "tile_hands", "tile_stack", "tile_known", "creature_pile",
            "creatures", "dev_deck", "frames"}  # fmt: skip
"""Keys of the State JSON that an order of cards or tiles decides."""


class Recorder:
    """A chance oracle that notes what another one answers."""

    def __init__(self, chance: Any) -> None:
        self.chance, self.shuffles = chance, 0
        self.faces: dict[int, list[int]] = defaultdict(list)

    def first(self, n: int) -> int:
        return int(self.chance.first(n))

    def die(self, seat: int | None) -> int:
        face = int(self.chance.die(seat))
        self.faces[CREATURE if seat is None else seat].append(face)
        return face

    def shuffle(self, what: str, seat: int | None, items: list[int]) -> list[int]:
        self.shuffles += 1
        return list(self.chance.shuffle(what, seat, items))


def sound(d: dict[str, Any]) -> dict[str, Any]:
    """Return a position of a test with as many cards as a game has, which the engine insists on.

    Starting and clan cards that are nowhere are taken as removed.
    """
    d = {**d}
    n = d["num_players"]
    held = [card for key in ZONES for cards in d[key] for card in cards]
    held += [card for frame in d["frames"] if frame["frame"] == "DRAW" for card in frame["drawn"]]
    d["upgrades"] = [[card for card in cards if card not in held] for cards in d["upgrades"]]
    wanted = Counter({card: n * STARTING.count(card) for card in STARTING})
    wanted.update(64 + 3 * clan + k for clan in d["clan"] if clan is not None for k in range(3))
    there = Counter([*held, *d["removed"], *(card for cards in d["upgrades"] for card in cards)])
    if d["phase"] not in ("CLAN", "SETUP"):
        d["removed"] = sorted([*d["removed"], *(wanted - there).elements()])
    return d


class Shadow:
    """Checks every action of every referee while it is installed."""

    def __init__(self) -> None:
        self.compared = self.refused = 0
        self.reasons: list[str] = []

    def install(self, monkeypatch: Any) -> Shadow:
        original = Referee.apply

        def apply(referee: Referee, action: int) -> None:
            self.follow(original, referee, action)

        monkeypatch.setattr(Referee, "apply", apply)
        return self

    def follow(self, original: Callable[[Referee, int], None], referee: Referee, action: int) -> None:
        before, legal = sound(referee.to_dict()), referee.legal_actions()
        chance, recorder = referee.chance, Recorder(referee.chance)
        referee.chance = recorder
        try:
            original(referee, action)
        finally:
            referee.chance = chance
        try:
            play = Play(**options_of(before)).read(before, seed_for(recorder.faces))
        except ValueError as error:  # a position that no game reaches
            self.refused += 1
            self.reasons.append(str(error))
            return
        assert play.legal() == legal, (before["decision"], play.legal(), legal)
        play.step(action)
        left_setup = before["phase"] == "SETUP" and referee.phase != "SETUP"  # the stack is shuffled
        self.compare(play, referee, recorder.shuffles > 0 or left_setup)

    def compare(self, play: Play, referee: Referee, shuffled: bool) -> None:
        mine, other = play.to_dict(), sound(referee.to_dict())
        left_out = SHUFFLED | {"upgrades"} if shuffled else {"dev_deck", "upgrades"}
        different = {key: (mine[key], other[key]) for key in other if key not in left_out and mine[key] != other[key]}
        assert different == {}, (referee.decision, different)
        if not shuffled:
            assert play.legal() == referee.legal_actions(), referee.decision
        self.compared += 1


def options_of(d: dict[str, Any]) -> dict[str, Any]:
    """The options of a State JSON as `Options` takes them."""
    clans = d["options"]["clan_selection"]
    return {**d["options"], "clan_selection": clans if isinstance(clans, str) else tuple(clans)}
