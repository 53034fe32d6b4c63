"""Games of Northgard, what seats see of them, and states dealt anew, in terms of `northgard_scenes.Play`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from northgard_scenes import Play

from northmen_env.games.northgard.actions import ACTIONS, DONE, PASS, PLAY, REMOVE, REPLACE, UPGRADE, WAIT
from northmen_env.games.northgard.invariants import check
from northmen_env.games.northgard.observe import OBSERVATION, observe
from northmen_env.games.northgard.resample import resample
from northmen_env.games.northgard.rules import step
from northmen_env.games.northgard.state import STATE, Decision

CONFIGURATIONS = [
    {"num_players": 2, "creatures": True, "clan_selection": [3, 4]},
    {"num_players": 3, "years": 10, "reward": "win", "five_tile_in_stack": False},
    {"num_players": 4, "teams": True, "creatures": True, "more_creatures": True, "reward": "fame"},
    {"num_players": 5, "clan_selection": "random", "creatures": True, "map_size": 12},
]
"""One configuration for each number of players; every option has another value in one of them."""

_MODES = {PLAY: 20, UPGRADE: 12, REPLACE: 2, REMOVE: 2, WAIT: 1, PASS: 1}


def choose(play: Play, rng: Random) -> int:
    """Return an action that rather plays cards than passes, and rather goes on than stops."""
    legal = play.legal()
    if int(play.record.decision) == Decision.MENU:
        return rng.choices(legal, [_MODES[action] for action in legal])[0]
    acts = [action for action in legal if action != DONE]
    return rng.choice(acts if rng.random() < 0.85 else legal)


def walk(seed: int, **options: Any) -> Iterator[Play]:
    """Yield each state of one game with arbitrary, fixed choices."""
    play, rng = Play(**options).start(seed), Random(seed)
    while not play.over():
        yield play
        step(play.rules, play.record, choose(play, rng))
    yield play


def some(seed: int, every: int, **options: Any) -> Iterator[Play]:
    """Yield a copy of every n-th state of a game, and its end."""
    for i, play in enumerate(walk(seed, **options)):
        if i % every == 0 or play.over():
            yield play.copy()


def look(play: Play, seat: int) -> np.ndarray:
    """Return the seat's observation."""
    out = np.full(OBSERVATION.size, 9, np.float32)
    observe(play.rules, play.record, seat, out)
    return out


def blocks(play: Play, seat: int) -> dict[str, np.ndarray]:
    """Return the seat's observation by block, as whole numbers."""
    return OBSERVATION.decode(look(play, seat))


def dealt_anew(play: Play, seat: int, seed: int) -> Play:
    """Return another state that the seat cannot tell from this one."""
    other = play.copy()
    other.array = np.frombuffer(bytearray(play.array.tobytes()), STATE)  # to the byte, what no field names included
    resample(other.rules, other.record, seat, np.uint64(seed))
    return other


def is_sound(play: Play) -> bool:
    """Return whether all invariants hold."""
    return int(check(play.rules, play.record)) == 0


def name_of(action: int) -> str:
    kind, offset = ACTIONS.locate(action)
    return kind if kind in ("DONE", "YES") else f"{kind} {offset}"
