"""The observation as all faces give it: the game's blocks and, behind them, the last events the seat saw."""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.events import EVENTS, MOST_KINDS
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import Block, ObservationLayout

_CODE_SCALE = 1.0 / (MOST_KINDS + 1)
_SEAT_SCALE = 1.0 / 8.0
_ARGUMENT_SCALE = 1.0 / 256.0
_CODE, _SEAT, _ARGUMENT = np.float32(_CODE_SCALE), np.float32(_SEAT_SCALE), np.float32(_ARGUMENT_SCALE)


def with_history(layout: ObservationLayout, history: int) -> ObservationLayout:
    """Return `layout` followed by four blocks of `history` rows, the latest event first."""
    if history == 0:
        return layout
    about = "of the last events this seat saw, the latest first"
    more = [
        Block("history_code", (history,), "index", _CODE_SCALE, (), f"code {about}"),
        Block("history_seat", (history,), "index", _SEAT_SCALE, (), f"seat, counted from the own one, {about}"),
        Block("history_a", (history,), "index", _ARGUMENT_SCALE, (), f"first argument (at most 255) {about}"),
        Block("history_b", (history,), "index", _ARGUMENT_SCALE, (), f"second argument (at most 255) {about}"),
    ]
    return layout.extended(more)


@kernel
def write_observation(rules, state, player, out):
    """Write the whole observation of `player`: float32 `out` (base size + 4 * history,)."""
    history = int(rules.history)
    if history == 0:
        verbs.observe(rules, state, player, out)
        return
    base = out.shape[0] - 4 * history
    verbs.observe(rules, state, player, out[:base])
    _write_history(rules, state, player, out[base:], history)


@kernel
def _write_history(rules, state, player, out, history):
    out[:] = np.float32(0.0)
    n = int(rules.num_players)
    count = int(state.event_count[player])
    for i in range(min(history, count, EVENTS)):
        row = (count - 1 - i) % EVENTS
        seat = int(state.event_rows[player, row, 1])
        relative = (seat - player) % n if seat >= 0 else -1
        out[i] = np.float32(int(state.event_rows[player, row, 0]) + 1) * _CODE
        out[history + i] = np.float32(relative + 1) * _SEAT
        out[2 * history + i] = np.float32(min(int(state.event_rows[player, row, 2]), 255) + 1) * _ARGUMENT
        out[3 * history + i] = np.float32(min(int(state.event_rows[player, row, 3]), 255) + 1) * _ARGUMENT
