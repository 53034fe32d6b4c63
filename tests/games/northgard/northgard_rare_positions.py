"""Disturbed positions for the short run, some of them changed further so that a rare rule has its day.

A change takes State JSON at MENU, the referee with the same map, and a random generator, and changes the object.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from northgard_referee import Referee
from northgard_referee_actions import UNREST
from northgard_referee_disturbed import disturbed
from northgard_referee_positions import position

FEAST, FIRST_ACHIEVEMENT = 4, 57
VALKYRIES = (7, 8)
ZONES = ("hand", "draw_pile", "discard", "played", "idle")
Change = Callable[[dict[str, Any], Referee, random.Random], None]


def rare_game(
    options: dict[str, Any], names: tuple[str, ...], seed: int, cls: type[Referee], tables: dict, chance: Any
) -> Referee:
    """Return a game at a disturbed MENU with a real choice, changed as the names say.

    Args:
        options: as the State JSON has them.
        names: of `CHANGES` and `GROWTHS`.
        chance: gives a fresh oracle.
    """
    rng = random.Random(seed)
    n, plain = options["num_players"], {key: value for key, value in options.items() if key != "num_players"}
    selection = plain.pop("clan_selection", "choose")
    while True:
        clans = rng.sample(range(7), n) if isinstance(selection, str) else list(selection)
        text = "0@(0,0)/0 1@(1,0)/0" if n == 5 else "0@(0,0)/0"
        left_out = n == 5 or not options.get("five_tile_in_stack", True)
        stack = rng.sample(range(2 if left_out else 1, 35), 33 if left_out else 34)
        d = position(text, {}, {0: [1]}, n, clans=clans, options=dict(plain), tile_stack=stack)
        d["options"]["clan_selection"] = selection
        judge = cls.from_dict(d, tables, chance())
        for name in names:
            if name in GROWTHS:
                GROWTHS[name](judge, rng)
        d = disturbed(judge, rng)
        for name in names:
            if name in CHANGES:
                CHANGES[name](d, judge, rng)
        game = cls.from_dict(d, tables, chance())
        if game.decision == "MENU" and game.to_dict() == d:
            return game


# ---- The map --------------------------------------------------------------------------------------------------------


def sprawl(judge: Referee, rng: random.Random) -> None:
    """Lay nearly all tiles, so that few or none are left to explore."""
    for tile, _ in list(judge.stack):
        _lay_by(judge, tile, rng, lambda cell: rng.random())


def stretch(judge: Referee, rng: random.Random) -> None:
    """Lay tiles in a line from one edge of a narrow grid to the other."""
    along = rng.randrange(2)
    for tile, _ in list(judge.stack):
        if len({cell[along] for cell in judge.grid()}) < judge.S - 1:
            _lay_by(judge, tile, rng, lambda cell: (cell[along] + judge.S // 2) % judge.S)


def _lay_by(judge: Referee, tile: int, rng: random.Random, worth: Callable[[tuple[int, int]], float]) -> None:
    """Lay a tile of the stack where it is worth most, if it fits and is not the last one."""
    where = judge.placements(tile, lambda cell: True)
    if where and len(judge.stack) > 1:
        judge.stack = [entry for entry in judge.stack if entry[0] != tile]
        name = max(sorted(where), key=lambda name: worth(judge.cell_of(name)))
        judge.lay(tile, judge.cell_of(name), rng.choice(where[name]))


def haunt(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put both Fallen Valkyries, or one and another creature, into one neutral territory beside a figure."""
    if not d["options"]["creatures"]:
        return
    lands = [t for t in judge.territories() if judge.neutral(t)]
    near = [t for t in lands if any(judge.near_own(t, p) for p in range(judge.n))] or lands
    if near:
        t = rng.choice(near)
        chosen = rng.sample(VALKYRIES, rng.choice([1, 1, 2]))
        chosen += rng.sample(range(7), 2 - len(chosen))
        d["creatures"] = [entry for entry in d["creatures"] if entry[0] not in chosen] + [[c, t] for c in chosen]
        for key in ("creature_pile", "creature_discard"):
            d[key] = [c for c in d[key] if c not in chosen]


# ---- Cards ----------------------------------------------------------------------------------------------------------


def few(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave each seat one card or two in hand, Unrest if it has any, and the turn player lore."""
    for p in range(judge.n):
        held = sorted(zip(d["hand"][p], d["hand_known"][p]), key=lambda pair: (pair[0] != UNREST, rng.random()))
        number = rng.choice([1, 2])
        _hold(d, p, held[:number])
        d["discard"][p] = sorted(d["discard"][p] + [card for card, _ in held[number:]])
    d["resources"][d["turn"]][2] = rng.choice([2, 3])


def twins(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put both Feasts of each seat into its hand, or on top of its draw pile, known to different seats."""
    for p in range(judge.n):
        for zone in ZONES:
            while FEAST in d[zone][p]:
                place = d[zone][p].index(FEAST)
                for key in (zone, {"hand": "hand_known", "draw_pile": "draw_known"}.get(zone)):
                    if key:
                        del d[key][p][place]
        others = [q for q in range(judge.n) if q != p]
        first, second = (rng.sample(others, 2) if len(others) > 1 else (p, others[0])) if rng.random() < 0.7 else (p, p)
        masks = sorted([1 << first, 1 << second])
        if rng.random() < 0.5:
            _hold(d, p, [*zip(d["hand"][p], d["hand_known"][p]), *((FEAST, mask | 1 << p) for mask in masks)])
        else:
            d["draw_pile"][p] = [FEAST, FEAST, *d["draw_pile"][p]]
            d["draw_known"][p] = [*rng.sample(masks, 2), *d["draw_known"][p]]


def _hold(d: dict[str, Any], p: int, pairs: list[tuple[int, int]]) -> None:
    """Give a seat these cards with their masks as its hand."""
    pairs = sorted(pairs)
    d["hand"][p], d["hand_known"][p] = [card for card, _ in pairs], [mask for _, mask in pairs]


# ---- The year -------------------------------------------------------------------------------------------------------


def late(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let all others have passed and taken their card of the display."""
    for p in range(judge.n):
        if p != d["turn"]:
            d["passed"][p] = d["taken"][p] = True
            d["draw_pile"][p].insert(0, d["display"].pop(rng.randrange(len(d["display"]))))
            d["draw_known"][p].insert(0, (1 << judge.n) - 1)
            d["discard"][p] = sorted(d["discard"][p] + d["hand"][p] + d["played"][p] + d["idle"][p])
            for key in ("hand", "hand_known", "played", "idle"):
                d[key][p] = []


def rich(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Give everybody resources."""
    d["resources"] = [[rng.randint(3, 9) for _ in range(3)] for _ in range(judge.n)]


def poor(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave everybody without resources."""
    d["resources"] = [[0, 0, 0] for _ in range(judge.n)]


def level(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Make seats equal but for one or two things: one unit and some buildings each, in open land, no fame at all."""
    poor(d, judge, rng)
    d["fame"] = [rng.choice([0, 0, 5]) for _ in range(judge.n)]
    for p in range(judge.n):
        for key in ZONES:
            kept = [i for i, card in enumerate(d[key][p]) if card < 5 or 64 <= card < UNREST]
            d["removed"] += [card for card in d[key][p] if 5 <= card < FIRST_ACHIEVEMENT]
            d["unrest"] += d[key][p].count(UNREST)
            for name in (key, {"hand": "hand_known", "draw_pile": "draw_known"}.get(key)):
                if name:
                    d[name][p] = [d[name][p][i] for i in kept]
    goals = [card for card in d["display"] + d["achievements"] if card >= FIRST_ACHIEVEMENT]
    d["removed"] += [card for card in d["display"] + d["dev_deck"] if card < FIRST_ACHIEVEMENT]
    d["removed"].sort()
    d["display"], d["achievements"], d["dev_deck"] = sorted(goals), [], []
    d["year"], d["kaija"] = judge.years, None
    lands = [t for t in judge.territories() if judge.is_open(t)]
    seats = sorted(rng.sample(range(judge.n), rng.choice([0, judge.n]))) if len(lands) >= judge.n else []
    d["units"] = sorted([t, p, 1] for t, p in zip(rng.sample(lands, len(seats)), seats))


CHANGES: dict[str, Change] = {
    "haunt": haunt, "few": few, "twins": twins, "late": late, "rich": rich, "poor": poor, "level": level
}  # fmt: skip
GROWTHS: dict[str, Callable[[Referee, random.Random], None]] = {"sprawl": sprawl, "stretch": stretch}
