"""The number of a bandit effect, where it is counted in the game (BLOOD-EFFECT-01)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import ALL_VILLAGES, BANDITS, PLAYER
from northmen_env.games.blood.bandit_table import Unit


@kernel
def effect_number(rules, state, card, i):
    """Return the number of an effect, as things stand now."""
    unit = np.int64(rules.effect_unit[card, i])
    if unit == Unit.ARMIES:
        return count(state.army[BANDITS, 0]) + count(state.army[BANDITS, 1])
    if unit == Unit.VILLAGES:
        return count(state.on_map[0] & rules.village_set[ALL_VILLAGES, 0]) + count(
            state.on_map[1] & rules.village_set[ALL_VILLAGES, 1]
        )
    if unit == Unit.WARBANDS:
        return np.int64(state.mustered[PLAYER])
    if unit == Unit.WON:
        return np.int64(state.won)
    if unit == Unit.BRIBED:
        return np.int64(state.bribed)
    return np.int64(rules.effect_count[card, i])
