"""What holds in every state (BLOOD-CORNER-14): the verb `check`, which also judges states read from JSON or bytes.

Checks run in an order in which each may rely on those before it: ranges first, because the others use the numbers as
indices. Each returns 0 or the number of the invariant that is broken.
"""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.invariants.bandits import check_bandits
from northmen_env.games.blood.invariants.battle import check_battle
from northmen_env.games.blood.invariants.board import check_board
from northmen_env.games.blood.invariants.context import check_context
from northmen_env.games.blood.invariants.numbers import INVARIANTS, Broken
from northmen_env.games.blood.invariants.offer import check_offer
from northmen_env.games.blood.invariants.ranges import check_ranges
from northmen_env.games.blood.invariants.tiles import check_tiles

__all__ = ["INVARIANTS", "Broken", "check"]


@kernel
def check(rules, state):
    """Return 0, or the number of the first broken invariant (a key of `INVARIANTS`)."""
    broken = check_ranges(rules, state)
    if broken == Broken.NONE:
        broken = check_tiles(rules, state)
    if broken == Broken.NONE:
        broken = check_board(rules, state)
    if broken == Broken.NONE:
        broken = check_context(rules, state)
    if broken == Broken.NONE:
        broken = check_battle(rules, state)
    if broken == Broken.NONE:
        broken = check_bandits(rules, state)
    if broken == Broken.NONE:
        broken = check_offer(rules, state)
    return broken.value
