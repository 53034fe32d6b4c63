"""What a trainer may let a network predict: the hidden part of a state, by absolute seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.games.saga.tables import CARDS, ROUTES


def hidden_targets(rules: Any, state: Any) -> dict[str, np.ndarray]:
    """Return the secrets of a state; absent seats are zero.

    `hands`: float32 (SEATS, CARDS), 1 for each card in the seat's hand. `routes_open`: float32 (SEATS, ROUTES), 1 for
    each route that the seat has not completed. `draw_pile`: int64 (CARDS,), card ids from the top, -1 below the last.
    `route_deck`: int64 (ROUTES,), likewise.
    """
    draw_pile = np.full(CARDS, -1, np.int64)
    size = int(state.draw_end) - int(state.draw_top)
    draw_pile[:size] = state.draw_pile[state.draw_top : state.draw_end]
    return {
        "hands": _planes(state.hand, CARDS),
        "routes_open": _planes(state.routes_open, ROUTES),
        "draw_pile": draw_pile,
        "route_deck": state.route_deck.astype(np.int64),
    }


def _planes(sets: np.ndarray, ids: int) -> np.ndarray:
    return (sets[:, None] >> np.arange(ids) & 1).astype(np.float32)
