"""All states that a seat of Northgard holds possible, by brute force on State JSON (NORTH-INFO-10).

Copies of a card are told apart: a world that more divisions of them lead to has a greater weight.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import combinations, permutations
from typing import Any

World = dict[str, Any]


def world_key(d: World, part: str) -> str:
    """Return what is hidden of a part of the state: `cards`, `tiles` or `creatures`."""
    keys = {"cards": ("hand", "draw_pile"), "tiles": ("tile_stack", "tile_hands"), "creatures": ("creature_pile",)}
    secret = [[frame.get(key) for key in ("card", "last", "tile", "drawn")] for frame in d["frames"]]
    return json.dumps([[d[key] for key in keys[part]], secret])


def worlds(d: World, seat: int, part: str, offered: Callable[[World], bool]) -> Counter[str]:
    """Return the keys of all possible worlds with their weights.

    Args:
        d: State JSON.
        seat: who holds them possible.
        part: what is dealt anew; the rest stays.
        offered: whether a world is a state of the game in which the pending decision is one.
    """
    deals = {"cards": _card_deals, "tiles": _tile_deals, "creatures": _creature_deals}[part]
    found: Counter[str] = Counter()
    possible: dict[str, bool] = {}
    for world in deals(d, seat):
        key = world_key(world, part)
        if key not in possible:
            possible[key] = offered(world)
        found[key] += possible[key]
    return +found


# ---- Cards ----------------------------------------------------------------------------------------------------------


def _card_deals(d: World, seat: int) -> Iterator[World]:
    worlds = [deepcopy(d)]
    for q in range(d["num_players"]):
        worlds = [deal for world in worlds for deal in _deals_of(world, q, seat)]
    for world in worlds:
        yield from _secret_choices(world, seat)


def _deals_of(d: World, q: int, seat: int) -> Iterator[World]:
    bit = 1 << seat
    drawing = next((f for f in d["frames"] if f["frame"] == "DRAW" and d["turn"] == q and q != seat), None)
    hand = _split(d["hand"][q], d["hand_known"][q], bit) if q != seat else (None, [])
    drawn = _split(drawing["drawn"], drawing["drawn_known"], bit) if drawing else (None, [])
    places = [i for i, mask in enumerate(d["draw_known"][q]) if not mask & bit]
    hidden = [*hand[1], *drawn[1], *(d["draw_pile"][q][i] for i in places)]
    everything = range(len(hidden))
    for in_hand in combinations(everything, len(hand[1])):
        rest = [i for i in everything if i not in in_hand]
        for in_draw in combinations(rest, len(drawn[1])):
            for order in permutations([i for i in rest if i not in in_draw]):
                world = deepcopy(d)
                if q != seat:
                    known = hand[0] + [(hidden[i], 1 << q) for i in in_hand]
                    world["hand"][q], world["hand_known"][q] = _unzip(known)
                if drawing:
                    frame = next(f for f in world["frames"] if f["frame"] == "DRAW")
                    frame["drawn"], frame["drawn_known"] = _unzip(drawn[0] + [(hidden[i], 1 << q) for i in in_draw])
                for place, i in zip(places, order, strict=True):
                    world["draw_pile"][q][place] = hidden[i]
                yield world


def _split(cards: list[int], masks: list[int], bit: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the known cards with their masks, and the others."""
    pairs = list(zip(cards, masks, strict=True))
    return [pair for pair in pairs if pair[1] & bit], [card for card, mask in pairs if not mask & bit]


def _unzip(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    pairs = sorted(pairs)
    return [card for card, _ in pairs], [mask for _, mask in pairs]


def _secret_choices(d: World, seat: int) -> Iterator[World]:
    """Vary the card that another seat has chosen or named in secret: any of its hand."""
    for i, frame in enumerate(d["frames"]):
        key, owner = {
            "UPGRADE": ("card", d["turn"]), "DRAW": ("last", d["turn"]), "HAND": ("card", frame.get("victim"))
        }.get(frame["frame"], (None, None))  # fmt: skip
        if key and frame[key] is not None and owner != seat:
            for card in sorted(set(d["hand"][owner])):
                world = deepcopy(d)
                world["frames"][i][key] = card
                yield world
            return
    yield d


# ---- Tiles ----------------------------------------------------------------------------------------------------------


def _tile_deals(d: World, seat: int) -> Iterator[World]:
    """Deal tiles in every order to the places that the seat does not know; hands of tiles are sorted afterwards."""
    places: list[tuple[Any, ...]] = []
    for i, frame in enumerate(d["frames"]):
        if d["turn"] != seat and frame["frame"] == "EXPLORE":
            places += [("frames", i, "drawn", j) for j in range(len(frame["drawn"]))]
        if d["turn"] != seat and frame["frame"] in ("EXPLORE", "SECOND") and frame["tile"] is not None:
            places.append(("frames", i, "tile"))
    places += [("tile_hands", q, j) for q, hand in enumerate(d["tile_hands"]) if q != seat for j in range(len(hand))]
    places += [("tile_stack", i) for i, mask in enumerate(d["tile_known"]) if not mask >> seat & 1]
    hidden = [_at(d, place) for place in places]
    for order in permutations(hidden):
        world = deepcopy(d)
        for place, tile in zip(places, order, strict=True):
            _at(world, place[:-1])[place[-1]] = tile
        world["tile_hands"] = [sorted(hand) for hand in world["tile_hands"]]
        for frame in world["frames"]:
            if frame["frame"] == "EXPLORE":
                frame["drawn"].sort()
        yield from _chosen_tiles(world, seat)


def _at(d: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        d = d[step]
    return d


def _chosen_tiles(d: World, seat: int) -> Iterator[World]:
    frame = next((f for f in d["frames"] if f["frame"] == "SETUP" and f["tile"] is not None), None)
    if frame is None or d["turn"] == seat:
        yield d
        return
    for tile in d["tile_hands"][d["turn"]]:
        world = deepcopy(d)
        next(f for f in world["frames"] if f["frame"] == "SETUP")["tile"] = tile
        yield world


# ---- Creatures ------------------------------------------------------------------------------------------------------


def _creature_deals(d: World, seat: int) -> Iterator[World]:
    for order in permutations(d["creature_pile"]):
        if not any(creature in (7, 8) for creature in order[: d["creature_top"]]):
            yield {**deepcopy(d), "creature_pile": list(order)}
