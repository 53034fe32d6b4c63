"""Games of Blood played on the kernels: short random games, and positions read from State JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from northmen_env.games.blood import codec
from northmen_env.games.blood.actions import DRAW, PASS, PILE
from northmen_env.games.blood.bounds import MAX_LEGAL
from northmen_env.games.blood.describe import observation_text
from northmen_env.games.blood.options import Options
from northmen_env.games.blood.render import render_svg, render_text
from northmen_env.games.blood.rules import legal_ids, step
from northmen_env.games.blood.setup import setup
from northmen_env.games.blood.state import STATE
from northmen_env.games.blood.tables import build_rules

FULL_OPTIONS = [
    {"num_players": 1},
    {"num_players": 2},
    {"num_players": 3, "goods": False, "grid_size": 64},
    {"num_players": 4, "citadels": False, "grid_size": 10},
    {"num_players": 5, "vikings_every_turn": True, "reward": "win"},
]
"""One configuration for each number of players; every option has another value in one of them."""


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

    def start(self, seed: int) -> Play:
        setup(self.rules, self.record, np.uint64(seed))
        return self

    def read(self, d: Mapping[str, Any], seed: int = 0) -> Play:
        self.array["seed"] = np.uint64(seed)
        codec.from_dict(self.options, self.rules, d, self.record)
        return self

    def copy(self) -> Play:
        other = Play.__new__(Play)
        other.options, other.rules, other.array = self.options, self.rules, self.array.copy()
        return other

    def to_dict(self) -> dict[str, Any]:
        return codec.to_dict(self.options, self.rules, self.record)

    def legal(self) -> list[int]:
        ids = np.empty(MAX_LEGAL, np.int16)
        return [] if self.over() else ids[: legal_ids(self.rules, self.record, ids)].tolist()

    def over(self) -> bool:
        return int(self.record.player) < 0

    def step(self, *actions: int) -> Play:
        for action in actions:
            assert action in self.legal()
            step(self.rules, self.record, action)
        return self

    def svg(self, seat: int | None = None) -> str:
        return render_svg(self.rules, self.record, seat)

    def text(self, seat: int | None = None) -> str:
        return render_text(self.rules, self.record, seat)

    def say(self, seat: int) -> str:
        return observation_text(self.rules, self.record, seat)


def walk(seed: int, **options: Any) -> Iterator[Play]:
    """Yield each state of one game with arbitrary, fixed choices that rather act than pass."""
    play, choose = Play(**options).start(seed), Random(seed)
    while not play.over():
        yield play
        legal = play.legal()
        acts = [a for a in legal if a not in (PASS, DRAW) and (a != PILE or choose.random() < 0.2)]
        play.step(choose.choice(acts if acts and choose.random() < 0.85 else legal))
    yield play


def some(seed: int, every: int, **options: Any) -> Iterator[Play]:
    """Yield a copy of every n-th state of a game, and its end."""
    for i, play in enumerate(walk(seed, **options)):
        if i % every == 0 or play.over():
            yield play.copy()


def load(d: Mapping[str, Any], seed: int = 0) -> Play:
    """Return the position of a State JSON object in the game with its own options."""
    names = {key: value for key, value in d["options"].items() if not key.endswith("_table")}
    return Play(num_players=d["num_players"], **names).read(d, seed)


def hide(d: dict[str, Any], viewer: int | None, choose: Random) -> dict[str, Any]:
    """Return the position with all that the viewer cannot know spread anew over the same places (BLOOD-INFO-06)."""
    n = d["num_players"]
    hidden = [*d["pile"], *d["removed"]]
    hidden += [t for p in range(n) if p != viewer for t in d["hands"][p] if t not in d["held"][p]]
    hidden += [t for p in range(len(d["prepared"])) if p != viewer for t in d["prepared"][p]
               if p >= n or t not in d["held"][p]]  # fmt: skip
    active_hides = d["active"] != viewer
    hidden += [t for t in d["fresh"] if t not in d["held"][d["active"]]] if active_hides else []
    choose.shuffle(hidden)

    def anew(tiles: list[int], known: list[int]) -> list[int]:
        return sorted([t for t in tiles if t in known] + [hidden.pop() for t in tiles if t not in known])

    new = dict(d)
    new["hands"] = [anew(d["hands"][p], d["held"][p]) if p != viewer else d["hands"][p] for p in range(n)]
    new["prepared"] = [
        tiles if p == viewer else anew(tiles, d["held"][p] if p < n else []) for p, tiles in enumerate(d["prepared"])
    ]
    new["fresh"] = anew(d["fresh"], d["held"][d["active"]]) if active_hides else d["fresh"]
    new["removed"] = sorted(hidden.pop() for _ in d["removed"])
    new["pile"] = hidden
    return new
