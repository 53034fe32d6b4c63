"""Small positions of Northgard that leave little open to one seat, by what is hidden in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from northgard_scenes import Play, do, go, load, scene
from northgard_worlds import worlds

from northmen_env.games.northgard.listing import list_any
from northmen_env.games.northgard.phases.explore import any_placeable
from northmen_env.games.northgard.state import LEGAL, Decision

BOAR = [0, 1, 2, 3, 4, 4, 67]
"""The seven first cards of seat 1."""

UNITS = {0: {1: 3}, 1: {8: 3}}
FIELD = "0@(0,0)/0 14@(1,0)/0 3@(1,-1)/0"
Position = tuple[Play, int, str]
"""A game, the seat that looks on, and what is hidden from it: `cards`, `tiles` or `creatures`."""


def table(hand: list[int], gone: list[int], text: str = "", n: int = 2, **given: Any) -> Play:
    """Return seat 0 (Goat) with this hand; `gone` lie on its discard pile, seat 1 has all its cards in hand."""
    hands = given.pop("hands", {1: BOAR})
    given = {"discard": [gone, *[[] for _ in range(n - 1)]], **given}
    return go(scene(FIELD, given.pop("units", UNITS), {0: hand, **hands}, n, **given), text)


def known_but(play: Play, seat: int, places: list[int]) -> Play:
    """Let a seat know every place of the tile stack but these, counted from the top."""
    d = play.to_dict()
    d["tile_known"] = [0 if i in places else 1 << seat for i in range(len(d["tile_stack"]))]
    return load(d)


def settling(text: str) -> Position:
    """Return the first player in setup, after some decisions; four places of the stack are open to the other seat."""
    play = Play(num_players=2, clan_selection=[2, 1]).start(1)
    first = play.player
    return go(known_but(play, 1 - first, [0, 1, 2]), text), 1 - first, "tiles"


def exploring(card: int, text: str) -> Position:
    """Return seat 0 exploring with this card; the tiles drawn and two more places are open to seat 1."""
    play = known_but(table([card], [0, 1, 2, 3, 4, 4, 70]), 1, [0, 1, 2, 3])
    return go(play, f"MENU: PLAY; {text}" if play.decision == "MENU" else text), 1, "tiles"


def kept(play: Play) -> Play:
    """Keep the lowest of the cards drawn."""
    return do(play, f"CARD {play.legal()[0] - 8}")


def ransom(text: str) -> Position:
    """Return a Snake (seat 0) that takes a card of seat 1 or a ransom for it, for seat 2 to see."""
    clans, hands = (4, 1, 2), {1: [0, 4, 4], 2: [0, 1, 2, 3, 4, 4, 70]}
    play = scene(FIELD, {0: {1: 3}, 1: {8: 3}, 2: {0: 3}}, {0: [77, 0, 1, 2, 3, 4, 4, 76], **hands}, 3, clans=clans,
                 discard=[[], [1, 2], []], resources=[[0, 0, 0], [2, 0, 0], [0, 0, 0]])  # fmt: skip
    do(play, "PLAY", "CARD 77")
    return go(play, text), 2, "cards"


POSITIONS: dict[str, Callable[[], Position]] = {
    "hand and draw pile": lambda: (table([0, 4, 4], [1, 2]), 1, "cards"),
    "known places": lambda: (table([0, 4], [1], draw_known=[[2, 1, 0, 2], []]), 1, "cards"),
    "the own draw pile": lambda: (table([0, 4], [], draw_known=[[0, 1, 0, 2, 0], []]), 0, "cards"),
    "a hand known in part": lambda: (seen_in_part(), 1, "cards"),
    "waits": lambda: (table([0, 4, 4], [1, 2], "MENU: WAIT"), 1, "cards"),
    "removes": lambda: (
        table([0, 4, 85], [1, 2], "MENU: REMOVE", unrest=9, resources=[[0, 0, 2], [0, 0, 0]]), 1, "cards"
    ),
    "plays": lambda: (table([0, 1, 3], [2], "MENU: PLAY"), 1, "cards"),
    "has more to play": lambda: (
        table([7, 0], [1, 4], "MENU: PLAY; PLAY_CARD: CARD 0"), 1, "cards"
    ),
    "upgrades": lambda: (
        table([0, 4, 4, 85], [1, 2], "MENU: UPGRADE; UPG_CARD: CARD 4", unrest=9, resources=[[0, 0, 3], [0, 0, 0]]),
        1, "cards",
    ),
    "upgrades one of two": lambda: (two_known("MENU: UPGRADE; UPG_CARD: CARD 4"), 1, "cards"),
    "may cancel": lambda: (
        do(table([0, 1], [2, 3, 4, 4, 70], "MENU: PLAY", hands={1: [4, 26]}, discard=[[2, 3, 4, 4, 70], [0, 1]]),
           "CARD 0"), 0, "cards",
    ),
    "keeps": lambda: (table([36, 4], [0, 1], "MENU: PLAY; PLAY_CARD: CARD 36"), 1, "cards"),
    "keeps a second one": lambda: (kept(table([36, 4], [1], "MENU: PLAY; PLAY_CARD: CARD 36")), 1, "cards"),
    "puts back": lambda: (kept(table([54, 4], [1], "MENU: PLAY; PLAY_CARD: CARD 54")), 1, "cards"),
    "takes a card of another": lambda: ransom("TOKEN: DONE; HD_WHO: PLAYER 0"),
    "names a card": lambda: ransom("TOKEN: DONE; HD_WHO: PLAYER 0; HD_CARD: CARD 4"),
    "settles": lambda: settling(""),
    "settles with a tile": lambda: settled(1),
    "settles on a cell": lambda: settled(2),
    "picks a tile": lambda: exploring(39, ""),
    "explores with a tile": lambda: explored(39, 1),
    "explores a cell": lambda: explored(39, 2),
    "may draw another tile": lambda: exploring(16, ""),
    "creatures": lambda: (
        table([0, 4], [1], options={"creatures": True}, creature_pile=[0, 3, 7, 5, 8], creature_top=2,
              creature_discard=[1, 2, 4, 6]), 1, "creatures",
    ),
}  # fmt: skip


def seen_in_part() -> Play:
    """Return a hand of which seat 1 knows one of two Feasts, and not the other one."""
    d = table([0, 4, 4], [1, 2]).to_dict()
    d["hand_known"][0] = [1, 1, 3]
    return load(d)


def two_known(text: str) -> Play:
    """Return a hand of which seat 1 knows both Feasts, after some decisions."""
    d = table([0, 4, 4], [1, 2], resources=[[0, 0, 3], [0, 0, 0]]).to_dict()
    d["hand_known"][0] = [1, 3, 3]
    return go(load(d), text)


def settled(steps: int) -> Position:
    """Take the first tile and perhaps the first cell that leave something to decide."""
    play, seat, part = settling("")
    return _step_on(play, steps, ("SETUP_CELL", "SETUP_ROT")), seat, part


def explored(card: int, steps: int) -> Position:
    play, seat, part = exploring(card, "")
    return _step_on(play, steps, ("EX_CELL", "EX_ROT")), seat, part


def _step_on(play: Play, steps: int, points: tuple[str, ...]) -> Play:
    """Take actions until the decision is the `steps`-th of these."""
    for action in play.legal():
        other = play.copy().step(action)
        if other.decision == points[0]:
            if steps == 1:
                return other
            for cell in other.legal():
                last = other.copy().step(cell)
                if last.decision == points[1]:
                    return last
    raise AssertionError(f"no {points[steps - 1]} here")


def poked(play: Play, world: dict[str, Any]) -> Play:
    """Return a copy in which everything hidden lies as in another world."""
    other = play.copy()
    r = other.record
    for key, known, cards, masks in (("hand", "hand_known", r.hand, r.hand_known),
                                     ("draw_pile", "draw_known", r.pile, r.pile_known)):  # fmt: skip
        for q in range(world["num_players"]):
            back = -1 if key == "draw_pile" else 1
            cards[q, : len(world[key][q])] = world[key][q][::back]
            masks[q, : len(world[known][q])] = world[known][q][::back]
    r.stack[: len(world["tile_stack"])] = world["tile_stack"][::-1]
    r.creature_pile[: len(world["creature_pile"])] = world["creature_pile"][::-1]
    for q, tiles in enumerate(world["tile_hands"]):
        r.tile_hand[q, : len(tiles)] = tiles
    for frame in world["frames"]:
        kind = frame["frame"]
        if kind == "DRAW":
            r.drawn[: len(frame["drawn"])], r.drawn_known[: len(frame["drawn"])] = frame["drawn"], frame["drawn_known"]
        if kind == "EXPLORE":
            r.drawn_tile[: len(frame["drawn"])] = frame["drawn"]
        for kinds, key, field in (
            (("DRAW",), "last", "last"),
            (("UPGRADE",), "card", "card"),
            (("HAND",), "card", "named"),
            (("SETUP", "EXPLORE", "SECOND"), "tile", "tile"),
        ):
            if kind in kinds and frame[key] is not None:
                r[field] = frame[key]
    return other


def offered(play: Play) -> bool:
    """Return whether the pending decision is one."""
    r = play.record
    if r.decision == Decision.REACT:
        return int(play.rules.react_card) in r.hand[r.player, : r.hand_size[r.player]]
    if r.decision == Decision.EX_REDRAW:
        return bool(any_placeable(play.rules, r))
    return bool(list_any(play.rules, r, np.empty(LEGAL, np.int16)) >= 2)


@cache
def small(name: str) -> tuple[Play, int, str, dict[str, int]]:
    """Return a small position with all worlds that its seat finds possible, and their weights."""
    play, seat, part = POSITIONS[name]()
    found = worlds(play.to_dict(), seat, part, lambda world: offered(poked(play, world)))
    return play, seat, part, dict(found)
