"""What a trainer may let a network predict: the hidden part of a state, by absolute seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.games.northgard.state import DECK, DEVELOPMENT
from northmen_env.games.northgard.tables import CARDS, CREATURES, SEATS, TILES


def hidden_targets(rules: Any, state: Any) -> dict[str, np.ndarray]:
    """Return the secrets of a state; absent seats are zero. Piles name cards and tiles plus one, 0 below the last.

    `hands`: float32 (SEATS, 86), copies of each card in the seat's hand. `draw_piles`: int64 (SEATS, 29), card ids plus
    one from the top. `drawn`: float32 (86,), copies among the cards of a running DRAW. `development`: int64 (45,), card
    ids plus one of the development deck from the top. `tile_hands`: float32 (SEATS, 35), 1 for each tile in the seat's
    setup hand. `drawn_tiles`: float32 (35,), 1 for each tile drawn by an Explore or a second chance and not yet laid.
    `tile_stack`: int64 (35,), tile ids plus one from the top. `creature_pile`: int64 (9,), creatures plus one from the
    top.
    """
    hands, piles = np.zeros((SEATS, CARDS), np.float32), np.zeros((SEATS, DECK), np.int64)
    tile_hands, drawn_tiles = np.zeros((SEATS, TILES), np.float32), np.zeros(TILES, np.float32)
    for p in range(int(rules.num_players)):
        hands[p] = np.bincount(state.hand[p, : int(state.hand_size[p])], minlength=CARDS)
        piles[p] = _from_top(state.pile[p], int(state.pile_size[p]), DECK)
        tile_hands[p, [tile for tile in state.tile_hand[p] if tile >= 0]] = 1.0
    loose = [tile for tile in state.drawn_tile if tile >= 0]
    if state.tile >= 0 and not tile_hands[:, int(state.tile)].any():
        loose.append(state.tile)
    drawn_tiles[loose] = 1.0
    drawn = np.bincount(state.drawn[: int(state.drawn_size)], minlength=CARDS)
    return {
        "hands": hands,
        "draw_piles": piles,
        "drawn": drawn.astype(np.float32),
        "development": _from_top(state.deck, int(state.deck_size), DEVELOPMENT),
        "tile_hands": tile_hands,
        "drawn_tiles": drawn_tiles,
        "tile_stack": _from_top(state.stack, int(state.stack_size), TILES),
        "creature_pile": _from_top(state.creature_pile, int(state.creature_pile_size), CREATURES),
    }


def _from_top(pile: np.ndarray, size: int, length: int) -> np.ndarray:
    """Return a pile, top last, as ids plus one from the top, filled up with zeros."""
    found = np.zeros(length, np.int64)
    found[:size] = pile[:size][::-1].astype(np.int64) + 1
    return found
