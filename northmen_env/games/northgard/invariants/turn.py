"""Phase, decision and the seats they name."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.state import Decision, Phase

_LOWEST, _HIGHEST = int(Decision.CLAN), int(Decision.END)
_SETUP, _SETUP_END = int(Decision.SETUP_TILE), int(Decision.SETUP_KAIJA)
_ACTIONS, _ACTIONS_END = int(Decision.MENU), int(Decision.FS_CARD)
_COMBAT, _COMBAT_END = int(Decision.CB_FOOD_A), int(Decision.RT_KAIJA)
_HARVEST, _HARVEST_END = int(Decision.HV_SCORCH), int(Decision.SW_OK)
_SECOND, _SECOND_END = int(Decision.SC_TERR), int(Decision.SC_ROT)


@kernel
def check_turn(rules, state):
    return Broken.NONE if decision_fits(state) and seats_fit(rules, state) and flags_fit(rules, state) else Broken.TURN


@kernel
def decision_fits(state):
    """Return whether the decision is one of its phase (section 3.2)."""
    phase, decision = np.int64(state.phase), np.int64(state.decision)
    if not _LOWEST <= decision <= _HIGHEST:
        return False
    fights = _COMBAT <= decision <= _COMBAT_END
    if phase == Phase.CLAN:
        return decision == Decision.CLAN
    if phase == Phase.SETUP:
        return _SETUP <= decision <= _SETUP_END
    if phase == Phase.ACTIONS:
        return _ACTIONS <= decision <= _ACTIONS_END
    if phase == Phase.CREATURES:
        return fights or decision == Decision.CR_MOVE
    if phase == Phase.HARVEST:
        return decision == Decision.PAY or _HARVEST <= decision <= _HARVEST_END
    if phase == Phase.SECOND:
        return fights or _SECOND <= decision <= _SECOND_END
    return phase == Phase.END and decision == Decision.END


@kernel
def seats_fit(rules, state):
    phase, n = np.int64(state.phase), np.int64(rules.num_players)
    if phase == Phase.END:
        if state.player != -1:
            return False
    elif not 0 <= state.player < n:
        return False
    has_turn = phase in (Phase.SETUP, Phase.ACTIONS, Phase.HARVEST, Phase.SECOND)
    if has_turn != (0 <= state.turn < n) or not -1 <= state.turn < n:
        return False
    if phase == Phase.CLAN:
        return state.marker == -1
    return 0 <= state.marker < n


@kernel
def flags_fit(rules, state):
    if not 1 <= state.year <= rules.years:
        return False
    if (state.phase == Phase.SETUP) != (1 <= state.setup_round <= 2) or not 0 <= state.setup_round <= 2:
        return False
    if not 0 <= state.main_used <= 1 or not 0 <= state.resolved <= 1:
        return False
    return state.phase == Phase.ACTIONS or state.main_used + state.resolved == 0
