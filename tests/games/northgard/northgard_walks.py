"""Games of Northgard played on the kernels at random, by a player who seldom passes and likes to play cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from northmen_env.games.northgard import codec, reading
from northmen_env.games.northgard.actions import PASS, PLAY
from northmen_env.games.northgard.describe import observation_text
from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.render import render_svg, render_text
from northmen_env.games.northgard.rules import legal_ids, step
from northmen_env.games.northgard.setup import setup
from northmen_env.games.northgard.state import LEGAL, STATE, Decision
from northmen_env.games.northgard.tables import build_rules

WALKS = [
    {"num_players": 2, "clan_selection": "choose", "map_size": 12},
    {"num_players": 3, "clan_selection": [0, 4, 6], "creatures": True, "years": 10, "reward": "win"},
    {"num_players": 4, "clan_selection": "random", "teams": True, "five_tile_in_stack": False, "reward": "fame"},
    {"num_players": 5, "clan_selection": "random", "creatures": True, "more_creatures": True, "map_size": 64},
]
"""One configuration for each number of players; every option has another value in one of them."""


@cache
def _rules(options: Options) -> np.ndarray:
    return build_rules(options)


class Table:
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
        return Decision(int(self.record.decision)).name

    def start(self, seed: int) -> Table:
        self.array[:] = np.zeros(1, STATE)
        setup(self.rules, self.record, np.uint64(seed))
        return self

    def read(self, d: Mapping[str, Any], seed: int = 0) -> Table:
        self.array["seed"] = np.uint64(seed)
        reading.from_dict(self.options, self.rules, d, self.record)
        return self

    def copy(self) -> Table:
        other = Table.__new__(Table)
        other.options, other.rules, other.array = self.options, self.rules, self.array.copy()
        return other

    def to_dict(self) -> dict[str, Any]:
        return codec.to_dict(self.options, self.rules, self.record)

    def legal(self) -> list[int]:
        ids = np.empty(LEGAL, np.int16)
        return [] if self.over() else ids[: legal_ids(self.rules, self.record, ids)].tolist()

    def over(self) -> bool:
        return int(self.record.player) < 0

    def step(self, action: int) -> Table:
        assert action in self.legal()
        step(self.rules, self.record, action)
        return self

    def svg(self, seat: int | None = None) -> str:
        return render_svg(self.rules, self.record, seat)

    def text(self, seat: int | None = None) -> str:
        return render_text(self.rules, self.record, seat)

    def words(self, seat: int) -> str:
        return observation_text(self.rules, self.record, seat)


def load(d: Mapping[str, Any], seed: int = 0) -> Table:
    """Return the position of a State JSON object in the game with its own options."""
    return Table(**d["options"]).read(d, seed)


def choose(legal: list[int], rng: Random) -> int:
    """Return an action: cards are played rather than waited with, and passing comes late."""
    if PLAY in legal and rng.random() < 0.8:
        return PLAY
    wanted = [action for action in legal if action != PASS] or legal
    return rng.choice(wanted if rng.random() < 0.93 else legal)


def walk(seed: int, **options: Any) -> Iterator[Table]:
    """Yield the game before each decision and at its end; it is one and the same table."""
    table, rng = Table(**options).start(seed), Random(seed)
    yield table
    while not table.over():
        step(table.rules, table.record, choose(table.legal(), rng))
        yield table


def some(seed: int, every: int, **options: Any) -> Iterator[Table]:
    """Yield copies of every so many states of a game, and its end."""
    for number, table in enumerate(walk(seed, **options)):
        if number % every == 0 or table.over():
            yield table.copy()


def hide(d: dict[str, Any], seat: int | None, rng: Random) -> dict[str, Any]:
    """Return State JSON in which what the seat (None: nobody) may not know is dealt anew (NORTH-INFO-10).

    Hands and draw piles of others change cards of equal standing: those whose place the seat does not know.
    """
    d = {**d}
    for p in range(d["num_players"]):
        if p != seat:
            _redeal(d, p, 0 if seat is None else 1 << seat, rng)
    d["dev_deck"] = rng.sample(d["dev_deck"], len(d["dev_deck"]))
    d["dev_deck"].sort(key=lambda card: card > 20)  # Early cards stay on top
    knows = 0 if seat is None else 1 << seat
    places = [i for i, mask in enumerate(d["tile_known"]) if not mask & knows]
    stack = list(d["tile_stack"])
    for i, tile in zip(places, rng.sample([stack[i] for i in places], len(places)), strict=True):
        stack[i] = tile
    d["tile_stack"] = stack
    lower = d["creature_pile"][d["creature_top"] :]
    d["creature_pile"] = d["creature_pile"][: d["creature_top"]] + rng.sample(lower, len(lower))
    return d


def _redeal(d: dict[str, Any], p: int, knows: int, rng: Random) -> None:
    hand = list(zip(d["hand"][p], d["hand_known"][p], strict=True))
    pile = list(zip(d["draw_pile"][p], d["draw_known"][p], strict=True))
    free = [("hand", i) for i, (_, mask) in enumerate(hand) if not mask & knows]
    free += [("pile", i) for i, (_, mask) in enumerate(pile) if not mask & knows]
    lists = {"hand": hand, "pile": pile}
    cards = [lists[zone][i][0] for zone, i in free]
    for (zone, i), card in zip(free, rng.sample(cards, len(cards)), strict=True):
        lists[zone][i] = (card, lists[zone][i][1])
    hand.sort()
    for key, known, entries in (("hand", "hand_known", hand), ("draw_pile", "draw_known", pile)):
        d[key] = [[card for card, _ in entries] if q == p else list(cards) for q, cards in enumerate(d[key])]
        d[known] = [[mask for _, mask in entries] if q == p else list(masks) for q, masks in enumerate(d[known])]
