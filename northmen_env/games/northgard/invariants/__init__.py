"""What holds in every state: the verb `check`, which also judges states read from JSON or bytes.

Checks run in an order in which each may rely on those before it: ranges first, because the others use the numbers as
indices. Each returns 0 or the number of the invariant that is broken. What the state keeps up to date along the way
(territories, borders, cells) is computed anew here from the tiles alone.
"""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.invariants.cards import check_cards
from northmen_env.games.northgard.invariants.cells import check_cells
from northmen_env.games.northgard.invariants.context import check_context
from northmen_env.games.northgard.invariants.figures import check_figures
from northmen_env.games.northgard.invariants.land import check_land
from northmen_env.games.northgard.invariants.numbers import INVARIANTS, Broken
from northmen_env.games.northgard.invariants.offer import check_offer
from northmen_env.games.northgard.invariants.ranges import check_ranges
from northmen_env.games.northgard.invariants.turn import check_turn

__all__ = ["INVARIANTS", "Broken", "check"]


@kernel
def check(rules, state):
    """Return 0, or the number of the first broken invariant (a key of `INVARIANTS`)."""
    broken = check_turn(rules, state)
    if broken == Broken.NONE:
        broken = check_ranges(rules, state)
    if broken == Broken.NONE:
        broken = check_cards(rules, state)
    if broken == Broken.NONE:
        broken = check_cells(rules, state)
    if broken == Broken.NONE:
        broken = check_land(rules, state)
    if broken == Broken.NONE:
        broken = check_figures(rules, state)
    if broken == Broken.NONE:
        broken = check_context(rules, state)
    if broken == Broken.NONE:
        broken = check_offer(rules, state)
    return broken.value
