"""State JSON with one number altered: what the engine does with it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from northgard_walks import Table, choose

from northmen_env.games.northgard.invariants import INVARIANTS, check

PLAYED = 30
"""Decisions taken after an altered object was read."""

SEATS = ("passed", "taken", "kaija_free", "conquer", "fame", "clan")

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where a number, a truth value or null stands, but for the options."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in ("options", "game", "num_players"):
                yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    elif not isinstance(value, str):
        yield path


def altered(d: dict[str, Any], rng: Random) -> tuple[dict[str, Any], str]:
    """Return the object with one number, truth value or null changed into another likely one, and what was changed.

    Half of the time it is in a frame, where it has one.
    """
    found = copy.deepcopy(d)
    paths = list(leaves(found))
    inside = [path for path in paths if path[0] == "frames"]
    single = [path for path in paths if len(path) == 1]
    small = [path for path in paths if len(path) == 2 and path[0] in SEATS]
    path = rng.choice(rng.choice([inside, inside, inside, single, small, paths]) or paths)
    *way, last = path
    target: Any = found
    for part in way:
        target = target[part]
    old = target[last]
    target[last] = new = _other(old, rng)
    return found, f"{d['decision']}: {'.'.join(map(str, path))} {old} -> {new}"


def _other(value: Any, rng: Random) -> Any:
    if isinstance(value, bool):
        return not value
    likely = [None, *range(6), rng.randrange(15), rng.randrange(60)]
    if value is not None:
        likely += [value + 1, value + 1, value - 1, value - 1]
    return rng.choice([item for item in likely if item != value])


def misbehaviour(table: Table, d: dict[str, Any], rng: Random, every: int = 1) -> str | None:
    """Return what goes wrong when the game is played on from the object; "" if nothing does, None if it is refused.

    The invariants are checked after every so many decisions.
    """
    try:
        table.read(d, rng.randrange(2**32))
    except ValueError:
        return None
    for number in range(1, PLAYED + 1):
        if table.over():
            break
        table.step(choose(table.legal(), rng))
        broken = int(check(table.rules, table.record)) if number % every == 0 else 0
        if broken:
            return f"after {number} decisions: {INVARIANTS[broken]}"
    return ""
