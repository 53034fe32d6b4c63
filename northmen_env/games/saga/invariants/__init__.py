"""What holds in every state (SAGA-EDGE-11): the verb `check`, which also judges states read from JSON or bytes.

Checks run in an order in which each may rely on those before it: ranges first, because the others use the numbers as
indices. Each returns 0 or the number of the invariant that is broken.
"""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.saga.invariants.cards import check_cards
from northmen_env.games.saga.invariants.context import check_context
from northmen_env.games.saga.invariants.knowledge import check_knowledge
from northmen_env.games.saga.invariants.numbers import INVARIANTS, Broken
from northmen_env.games.saga.invariants.offer import check_offer
from northmen_env.games.saga.invariants.places import check_places
from northmen_env.games.saga.invariants.ranges import check_ranges
from northmen_env.games.saga.invariants.routes import check_routes

__all__ = ["INVARIANTS", "Broken", "check"]


@kernel
def check(rules, state):
    """Return 0, or the number of the first broken invariant (a key of `INVARIANTS`)."""
    broken = check_ranges(rules, state)
    if broken == Broken.NONE:
        broken = check_cards(rules, state)
    if broken == Broken.NONE:
        broken = check_routes(rules, state)
    if broken == Broken.NONE:
        broken = check_context(rules, state)
    if broken == Broken.NONE:
        broken = check_places(rules, state)
    if broken == Broken.NONE:
        broken = check_knowledge(rules, state)
    if broken == Broken.NONE:
        broken = check_offer(rules, state)
    return broken.value
