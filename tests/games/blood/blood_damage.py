"""Damages a State JSON object so that most of it still fits: the hard part of judging it is left to the engine."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

State = dict[str, Any]
Damage = Callable[[State, Random], None]

DECISIONS = (*(f"D{k:02d}" for k in range(1, 23)), *(f"B{k}" for k in range(1, 8)), "END")


def cells(d: State) -> list[int]:
    return [entry["cell"] for entry in d["map"]]


def any_cell(d: State, rng: Random, none: int = 0) -> int | None:
    """Return a cell of the map; `none` times as likely as each of them: None."""
    options: list[int | None] = [*cells(d), *[None] * none]
    return rng.choice(options) if options else None


def run_down_the_pile(d: State, rng: Random) -> None:
    taken = rng.choice([len(d["pile"]), rng.randrange(len(d["pile"]) + 1)])
    d["discard"] = sorted(d["discard"] + d["pile"][:taken])
    d["pile"] = d["pile"][taken:]


def move_warbands(d: State, rng: Random) -> None:
    p = rng.randrange(len(d["settlement"]))
    number = rng.randint(0, d["settlement"][p])
    d["settlement"][p] -= number
    where = rng.choice(["vp", "reserve", "map"]) if d["map"] else "vp"
    if where == "map":
        rng.choice(d["map"])["warbands"][p] += number
    else:
        d[where][p] += number


def call_warbands_back(d: State, rng: Random) -> None:
    if d["map"]:
        entry, p = rng.choice(d["map"]), rng.randrange(len(d["settlement"]))
        d["settlement"][p] += entry["warbands"][p]
        entry["warbands"][p] = 0


def prepare(d: State, rng: Random) -> None:
    p, q = rng.randrange(len(d["hands"])), rng.randrange(len(d["prepared"]))
    if d["hands"][p]:
        tile = rng.choice(d["hands"][p])
        for tiles in (d["hands"][p], d["held"][p]):
            if tile in tiles:
                tiles.remove(tile)
        d["prepared"][q] = sorted([*d["prepared"][q], tile])


def put(key: str, *values: Any) -> Damage:
    def damage(d: State, rng: Random) -> None:
        d[key] = rng.choice(values)

    return damage


def turn(d: State, rng: Random) -> None:
    d[rng.choice(["player", "active"])] = rng.randrange(len(d["hands"]))


def laid(d: State, rng: Random) -> None:
    d["laid"] = any_cell(d, rng, 1)


def move(d: State, rng: Random) -> None:
    if d["map"]:
        count = rng.choice([None, 1, 2, 3, 12])
        d["move"] = {"kind": rng.choice(["LAKE", "ROAD"]), "source": any_cell(d, rng), "count": count}


def battle(d: State, rng: Random) -> None:
    b = d["battle"]
    if b is None:
        return
    size = len(b["order"])
    numbers = [rng.choice([0, 1, 2, 5, 1000]) for _ in range(size)]
    key = rng.choice(["cell", "owed", "strength", "order", "add"])
    b[key] = {"cell": any_cell(d, rng), "add": rng.randrange(3), "order": rng.sample(b["order"], size)}.get(
        key, numbers
    )


def card(d: State, rng: Random) -> None:
    if d["bandit"] is not None:
        key = rng.choice(["card", "next", "left", "won", "bribed"])
        d["bandit"][key] = rng.choice([0, 1, 2, 3, 6, *({"card": [120], "next": []}.get(key, [1000]))])


def tiles_of_the_card(d: State, rng: Random) -> None:
    if d["bandit"] is not None and d["map"]:
        b, some = d["bandit"], sorted(rng.sample(cells(d), min(2, len(d["map"]))))
        key = rng.choice(["target", "forbidden", "remaining", "served"])
        pair = [any_cell(d, rng), any_cell(d, rng)]
        b[key] = {"target": any_cell(d, rng), "forbidden": pair}.get(key, some)


def run(d: State, rng: Random) -> None:
    if d["bandit"] is not None and d["map"]:
        moves = [rng.choice(["LAKE", "ROAD"]) for _ in range(rng.randrange(4))]
        places = {key: any_cell(d, rng, len(d["map"])) for key in ("from", "via", "one")}
        d["bandit"]["run"] = {"kind": rng.choice(["MOVES", "ROADONE", "ROADATTACK"]), "moves": moves, **places}


def ability(d: State, rng: Random) -> None:
    d["abilities"][rng.randrange(len(d["abilities"]))] = rng.choice([None, *range(8)])


DAMAGES: tuple[Damage, ...] = (
    run_down_the_pile, move_warbands, move_warbands, call_warbands_back, prepare, turn, laid, move, battle, card,
    tiles_of_the_card, run, ability, put("decision", *DECISIONS), put("a", *range(5)), put("b", 0, 1),
    put("performed", False, True), put("drew_earlier", False, True), put("furs_returned", False, True),
    put("drawn", *range(4)), put("village_left", 0, 1, 2, 900),
)  # fmt: skip


def damaged(d: State, rng: Random) -> State:
    """Return a copy with one to three damages."""
    d = copy.deepcopy(d)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(DAMAGES)(d, rng)
    return d
