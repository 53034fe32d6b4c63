"""What is offered: kept in the state, and computed anew here (NORTH-PH-02)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.listing import list_any
from northmen_env.games.northgard.state import LEGAL, Decision


@kernel
def check_offer(rules, state):
    size = np.int64(state.legal_count)
    for i in range(size, LEGAL):
        if state.legal[i] != 0:
            return Broken.OFFER
    if state.decision == Decision.END:
        return Broken.NONE if size == 0 else Broken.OFFER
    ids = np.empty(LEGAL, np.int16)
    if size < 2 or list_any(rules, state, ids) != size:
        return Broken.OFFER
    for i in range(size):
        if state.legal[i] != ids[i] or (i > 0 and ids[i - 1] >= ids[i]):
            return Broken.OFFER
    return Broken.NONE
