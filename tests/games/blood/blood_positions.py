"""Positions of Blood of the Northmen for tests: State JSON from a map in the ledger's notation, and invariants.

Nothing here comes from the package; everything not said is filled up so that the position is a whole game (all 120
tiles, 12 warbands of each colour).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import blood_referee as ref
import blood_referee_tables

TABLES = blood_referee_tables.default_tables()
MAP_A = "58@(0,0)/0 26@(1,0)/0 113@(0,1)/4 97@(-1,1)/1 16@(-1,2)/3 71@(1,-1)/0"
NEUTRAL = {
    **dict.fromkeys("laid placing citadel_side silver_cell move battle bandit".split()),
    **dict.fromkeys("village_left a b drawn".split(), 0),
    **dict.fromkeys("furs_returned performed drew_earlier".split(), False),
}
BANDIT = {
    **dict.fromkeys("next left won bribed".split(), 0),
    **dict.fromkeys("target run forbidden".split()),
    "card": 1,
    "remaining": [],
    "served": [],
    "last_won": False,
}


def seeded(seed: int) -> Callable[[str, int, list[int]], list[int]]:
    """A chance oracle."""
    rng = random.Random(seed)
    return lambda purpose, occurrence, items: rng.sample(items, len(items))


def stacked(*first: int, abilities: tuple[int, ...] = ()) -> Callable[[str, int, list[int]], list[int]]:
    """A chance oracle: these tiles (abilities) come first, everything else ascending."""

    def shuffle(purpose, occurrence, items):
        lead = [x for x in (first if purpose == "tiles" else abilities) if x in items]
        return lead + [x for x in items if x not in lead]

    return shuffle


def at(q: int, r: int, size: int = 32) -> int:
    """The cell with this offset from the first cell."""
    return (size // 2 + q) % size * size + (size // 2 + r) % size


def offset(c: int, size: int = 32) -> tuple[int, int]:
    return c // size - size // 2, c % size - size // 2


def tiles_of(text: str) -> list[tuple[int, tuple[int, int], int]]:
    """Read `t@(q,r)/k ...`."""
    found = re.findall(r"(\d+)@\((-?\d+),(-?\d+)\)/(\d)", text)
    return [(int(t), (int(q), int(r)), int(k)) for t, q, r, k in found]


def position(text="", n=2, warbands=None, **given) -> dict:
    """A State JSON. `warbands`: {(q, r): numbers per colour}; `given`: keys of the State JSON, `options` among them.

    `pile` in `given` lists the first tiles of the pile; `citadels` lists ((q, r), side, owner, permanent).
    """
    options = given.pop("options", {})
    size = options.get("grid_size", 32)
    colours = max(n, 2)
    base = ref.Referee({"num_players": n, **options}, TABLES, stacked()).to_dict()
    d = {**base, **NEUTRAL, "active": 0, "player": 0, "abilities": [None] * n, "discard": []}
    d.update(hands=[[] for _ in range(n)], held=[[] for _ in range(n)])
    cells = sorted((at(*where, size), t, k, where) for t, where, k in tiles_of(text))
    numbers = warbands or {}
    d["map"] = [
        {"cell": c, "tile": t, "rotation": k, "warbands": list(numbers.get(where, [0] * colours))}
        for c, t, k, where in cells
    ]
    for number, (where, side, owner, permanent) in enumerate(given.pop("citadels", [])):
        c = at(*where, size)
        if side > 2:
            dq, dr = {3: (0, 1), 4: (-1, 1), 5: (-1, 0)}[side]
            c, side = at(where[0] + dq, where[1] + dr, size), side - 3
        d["citadels"][number] = {"cell": c, "side": side, "owner": owner, "permanent": permanent}
    first = given.pop("pile", [])
    d.update(given)
    d["settlement"] = given.get("settlement") or [
        12 - d["vp"][p] - d["reserve"][p] - sum(x["warbands"][p] for x in d["map"])
        - sum(x is not None and x["owner"] == p for x in d["citadels"])
        for p in range(colours)
    ]  # fmt: skip
    used = {t for t, _, _ in tiles_of(text)} | {t for tiles in d["hands"] + d["prepared"] for t in tiles}
    used |= set(d["fresh"]) | set(d["discard"]) | set(first)
    used |= {d["placing"]["tile"]} if d["placing"] else set()
    loose = [t for t in range(1, 121) if t not in used]
    gone = 120 - ref.PILE_SIZE[n]
    d["removed"], rest = loose[:gone], loose[gone:]
    if len(d["removed"]) < gone:
        raise ValueError("too many tiles in the position")
    d["pile"] = list(first) + rest
    return d


def grown(*tiles: int, size: int = 32) -> str:
    """A legal map of these tiles, in the ledger's notation: each laid where it fits first, the first in the middle."""
    game = ref.Referee({"citadels": False, "grid_size": size}, TABLES, stacked())
    laid = []
    for t in tiles:
        c, rotations = next(iter(game.placements(t, 0).items()))
        game.map[c] = {"tile": t, "rotation": rotations[0], "warbands": [0, 0]}
        laid.append("{}@({},{})/{}".format(t, *offset(c, size), rotations[0]))
    return " ".join(laid)


def game_at(text="", n=2, warbands=None, **given) -> ref.Referee:
    return ref.Referee.from_dict(position(text, n, warbands, **given), TABLES)


def lay(game: ref.Referee, t: int, where: tuple[int, int], k: int) -> None:
    """Lay tile t of the hand, where and how it is said, at D01."""
    assert game.decision == "D01"
    for point, action in (("D01", ref.TILE0 + t), ("D03", ref.CELL0 + at(*where, game.S)), ("D04", ref.ROT0 + k)):
        if game.decision == point:
            game.apply(action)
    assert game.map[game.laid]["tile"] == t
    assert (game.laid, game.map[game.laid]["rotation"]) == (at(*where, game.S), k)


def offered(game: ref.Referee) -> tuple[set[str], set[tuple[int, int]]]:
    """The legal actions: names of single ones and tiles, and offsets of cells."""
    names = {0: "PASS", 1: "DO", 2: "PILE", 3: "DRAW", 4: "SPEND", 5: "VP", 6: "RES"}
    ranges = [(ref.ROT0, 13, "ROT"), (ref.SIDE0, 19, "SIDE"), (ref.COUNT0 + 1, 31, "COUNT"), (ref.PIECE0, 43, "PIECE")]
    words, cells = set(), set()
    for action in game.legal_actions():
        if action >= ref.CELL0:
            cells.add(offset(action - ref.CELL0, game.S))
        elif action > ref.TILE0:
            words.add(f"TILE {action - ref.TILE0}")
        elif action < 7:
            words.add(names[action])
        else:
            words |= {
                f"{name} {action - low + (name == 'COUNT')}" for low, high, name in ranges if low <= action < high
            }
    return words, cells


def invariants(game: ref.Referee) -> None:
    """BLOOD-CORNER-14."""
    d = game.to_dict()
    for p in range(game.colours):
        assert game.settlement[p] + game.on_map(p) + game.vp[p] + game.reserve[p] + game.citadels_of(p) == 12
        assert min(game.settlement[p], game.vp[p], game.reserve[p], *(game.wb(c, p) for c in game.map), 0) == 0
        assert game.vp[p] <= 6
    assert sorted(t for tiles in game.tiles_by_place() for t in tiles) == list(range(1, 121))
    assert len(game.removed) == 120 - ref.PILE_SIZE[game.n]
    places = [(x["cell"], x["side"]) for x in game.citadels if x is not None]
    assert len(set(places)) == len(places)
    assert all(c in game.map and side <= 2 and game.nb(c, side) in game.map for c, side in places)
    for c in game.map:
        wrong = [d for d in game.mismatched(c) if not waiting(game, c, d)]
        for side in game.met(c):
            citadel = game.citadel_at(c, side)
            assert (side in wrong) == (citadel is not None and citadel["permanent"]) or waiting(game, c, side)
    if game.map:
        found, todo = set(), [next(iter(game.map))]
        while todo:
            c = todo.pop()
            if c not in found:
                found.add(c)
                todo += [game.nb(c, side) for side in game.met(c)]
        assert found == set(game.map)
    assert game.is_terminal() == (game.winners is not None)
    assert max(game.vp) < 6 or game.is_terminal()
    for p in range(game.n):
        assert game.held[p] <= game.own_of(p)
    if not game.options["goods"]:
        assert not any(game.reserve) and not game.fresh and not any(map(len, game.prepared[: game.n]))
    if not game.options["citadels"]:
        assert not places
    neutral(d)


def waiting(game: ref.Referee, c: int, side: int) -> bool:
    """Is it the side that waits for its citadel in D06?"""
    if game.decision != "D06":
        return False
    return (c, side) in (
        (game.laid, game.citadel_side),
        (game.nb(game.laid, game.citadel_side), (game.citadel_side + 3) % 6),
    )


def neutral(d: dict) -> None:
    """The contexts of BLOOD-PHASE-08 are there at the points named with them and neutral at all others."""
    point = d["decision"]
    fight = point in ("D19", "D20", "D21") or d["battle"] is not None
    assert fight == (d["battle"] is not None)
    village = point in ("D08", "D09", "D10", "D11", "D12")
    phase = point in ("D13", "D14", "D15", "D16", "D17", "D18")
    own_battle = fight and d["bandit"] is None
    needed = {
        "laid": point not in ("D01", "D02", "D03", "D04", "D22", "END") and point[0] != "B" and not fight,
        "placing": point in ("D02", "D03", "D04"),
        "citadel_side": point == "D06",
        "village_left": village,
        "silver_cell": point == "D11",
        "move": point in ("D17", "D18"),
        "bandit": point[0] == "B" and not fight,
    }
    for key, value in needed.items():
        if value:
            assert d[key] is not None and d[key] is not False, key
    barred = {
        "laid": point in ("D01", "D02", "D03", "D04", "END"),
        "placing": not needed["placing"],
        "citadel_side": not needed["citadel_side"],
        "village_left": not village,
        "furs_returned": point != "D08",
        "silver_cell": point != "D11",
        "move": not needed["move"],
        "a": not (phase or own_battle),
        "b": not (phase or own_battle),
        "performed": not (phase or own_battle),
        "drawn": not (phase or own_battle),
        "drew_earlier": not (phase or own_battle),
        "bandit": d["num_players"] > 1 or point == "END",
    }
    for key, value in barred.items():
        if value:
            assert d[key] in (None, 0, False), (point, key, d[key])
    if d["placing"]:
        assert (d["placing"]["cell"] is not None) == (point == "D04")
    if d["move"]:
        assert (d["move"]["count"] is not None) == (point == "D18")
    b = d["bandit"]
    if b:
        assert b["run"] is None or point in ("B3", "B4") or fight
        assert point not in ("B3", "B4") or b["run"]["moves"]
        assert (b["target"] is not None) == (point == "B2" and not fight)
        assert not (b["remaining"] or b["served"]) or point in ("B1", "B2")
