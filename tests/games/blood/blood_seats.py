"""What seats of Blood see, and states dealt anew for them, in terms of `blood_games.Play`."""

from __future__ import annotations

from typing import Any

import numpy as np
from blood_games import Play

from northmen_env.games.blood.codec import members
from northmen_env.games.blood.invariants import check
from northmen_env.games.blood.observe import OBSERVATION, observe
from northmen_env.games.blood.resample import resample
from northmen_env.games.blood.state import STATE
from northmen_env.games.blood.tilesets import PER_WORD


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


def hidden_part(play: Play) -> dict[str, Any]:
    """Return the keys of State JSON that hold something hidden."""
    r = play.record
    n, colours = int(play.rules.num_players), int(play.rules.colours)
    return {
        "pile": r.pile[int(r.pile_top) :].tolist(),
        "removed": members(r.removed),
        "hands": [members(r.hand[p]) for p in range(n)],
        "prepared": [members(r.prepared[p]) for p in range(colours)],
        "fresh": members(r.fresh),
    }


def words(tiles: Any) -> list[int]:
    """Return the two words of a set of tiles."""
    bits = sum(1 << int(tile) for tile in tiles)
    return [bits & (1 << PER_WORD) - 1, bits >> PER_WORD]
