"""A decision is pending only where its seat has a choice (BLOOD-PHASE-02)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.bounds import MAX_LEGAL
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.rules import legal_ids
from northmen_env.games.blood.state import Decision


@kernel
def check_offer(rules, state):
    ids = np.empty(MAX_LEGAL, np.int16)
    count = legal_ids(rules, state, ids)
    if state.decision == Decision.END:
        return Broken.NONE if count == 0 else Broken.OFFER
    return Broken.NONE if count >= 2 else Broken.OFFER
