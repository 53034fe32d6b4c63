"""Scenes for tests of the rules: positions of the engine from a map in words, and actions by name.

A position is that of `northgard_referee_positions.position`; `dice` says what the seats will roll, because the seed of
the game is chosen by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from northgard_referee_positions import FIELD, development, number, position

from northmen_env.engine.jit import JIT_ENABLED
from northmen_env.engine.random import below, draw, stream
from northmen_env.games.northgard import codec, reading
from northmen_env.games.northgard.actions import ACTIONS
from northmen_env.games.northgard.invariants import INVARIANTS, check
from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.phases.dice import PURPOSE_DICE
from northmen_env.games.northgard.rules import legal_ids, step
from northmen_env.games.northgard.setup import setup
from northmen_env.games.northgard.state import LEGAL, STATE
from northmen_env.games.northgard.tables import FACES, SEATS, build_rules

__all__ = ["FIELD", "Play", "army", "do", "go", "load", "offered", "places", "play", "scene"]

ZONES = ("hand", "draw_pile", "discard", "played", "idle")
CREATURE = SEATS
"""Whose dice a creature rolls."""


@cache
def _rules(options: Options) -> np.ndarray:
    return build_rules(options)


class Play:
    """A game in one configuration with its state."""

    def __init__(self, **options: Any) -> None:
        self.options = Options(**options)
        self.rules = _rules(self.options)[0]
        self.array = np.zeros(1, STATE)

    @property
    def record(self) -> Any:
        return self.array[0]

    @property
    def decision(self) -> str:
        return str(self.to_dict()["decision"])

    @property
    def player(self) -> int:
        return int(self.record.player)

    def __getitem__(self, key: str) -> Any:
        """Return a value of the State JSON."""
        return self.to_dict()[key]

    def start(self, seed: int) -> Play:
        self.array[:] = np.zeros(1, STATE)
        setup(self.rules, self.record, np.uint64(seed))
        return self

    def read(self, d: Mapping[str, Any], seed: int = 0) -> Play:
        self.array["seed"] = np.uint64(seed)
        reading.from_dict(self.options, self.rules, d, self.record)
        return self.judge()

    def judge(self) -> Play:
        """Assert the invariants; they are slow without the JIT."""
        if JIT_ENABLED:
            assert check(self.rules, self.record) == 0, INVARIANTS[check(self.rules, self.record)]
        return self

    def copy(self) -> Play:
        other = Play.__new__(Play)
        other.options, other.rules, other.array = self.options, self.rules, self.array.copy()
        return other

    def to_dict(self) -> dict[str, Any]:
        return codec.to_dict(self.options, self.rules, self.record)

    def legal(self) -> list[int]:
        ids = np.empty(LEGAL, np.int16)
        return [] if self.over() else ids[: legal_ids(self.rules, self.record, ids)].tolist()

    def over(self) -> bool:
        return int(self.record.player) < 0

    def step(self, action: int) -> Play:
        assert action in self.legal(), (self.decision, ACTIONS.locate(action), offered(self))
        step(self.rules, self.record, action)
        return self.judge()


def faces(seed: int, owner: int, count: int) -> list[int]:
    """Return the first faces that a seat (or `CREATURE`) rolls in a game with this seed."""
    keys = [np.uint64(stream(np.uint64(seed), PURPOSE_DICE, np.int64(owner), np.int64(k))) for k in range(count)]
    return [int(below(draw(key, np.int64(0)), np.int64(FACES))) for key in keys]


def seed_for(dice: Mapping[int, Sequence[int]]) -> int:
    """Return a seed with which the seats roll these faces first."""
    return next(
        seed for seed in range(10**6) if all(faces(seed, p, len(wish)) == list(wish) for p, wish in dice.items())
    )


def load(d: Mapping[str, Any], seed: int = 0) -> Play:
    """Return the position of a State JSON object in the game with its own options."""
    return Play(**d["options"]).read(d, seed)


def scene(text: str, units: Mapping[int, Mapping[int, int]], hands: Any = None, n: int = 2, **given: Any) -> Play:
    """Return seat 0 at MENU in the engine, see `northgard_referee_positions.position`; `dice`: faces by seat."""
    dice = given.pop("dice", {})
    d = position(text, units, hands, n, **given)
    held = [card for key in ZONES for cards in d[key] for card in cards]
    d["upgrades"] = [[card for card in cards if card not in held] for cards in d["upgrades"]]
    for key in ("discard", "played", "idle"):
        d[key] = [sorted(cards) for cards in d[key]]
    return load(development(d), seed_for(dice))


def name_of(action: int) -> str:
    kind, offset = ACTIONS.locate(action)
    if kind == "MODE":
        return "PLAY WAIT REPLACE REMOVE UPGRADE PASS".split()[offset]
    return kind if kind in ("DONE", "YES") else f"{kind} {offset}"


def offered(play: Play) -> set[str]:
    """Return the legal actions by name."""
    return {name_of(action) for action in play.legal()}


def places(play: Play, kind: str = "TERR") -> set[int]:
    """Return the offsets of the legal actions of this kind."""
    return {int(name.split()[1]) for name in offered(play) if name.startswith(kind + " ")}


def do(play: Play, *names: str) -> Play:
    """Take actions by name; every state on the way is checked."""
    for name in names:
        play.step(number(name))
    return play


def go(play: Play, text: str) -> Play:
    """Take the actions `POINT: NAME; POINT: NAME; …`, the decision point being asserted before each."""
    for entry in filter(None, (entry.strip() for entry in text.split(";"))):
        point, _, name = entry.partition(": ")
        assert play.decision == point, (entry, play.decision, offered(play))
        do(play, name)
    return play


def play(game: Play, card: int) -> Play:
    """Play a card at MENU or CONT, as far as there is a choice."""
    if game.decision in ("MENU", "CONT"):
        do(game, "PLAY")
    if game.decision == "PLAY_CARD":
        do(game, f"CARD {card}")
    return game


def army(game: Play, p: int) -> dict[int, int]:
    """Return the figures of a seat by territory."""
    d = game.to_dict()
    found = {t: k for t, seat, k in d["units"] if seat == p}
    if d["kaija"] is not None and d["clan"][p] == 0:
        found[d["kaija"]] = found.get(d["kaija"], 0) + 1
    return found
