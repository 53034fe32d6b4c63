"""Cards: public places, the public multiset of each seat, and what the observer knows of hands and piles.

NORTH-INFO-04, -06, -07.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import COMMONS, PLACES
from northmen_env.games.northgard.observing.numbers import PER_CARD, PER_SEAT, YES, relative, scale, starts
from northmen_env.games.northgard.state import DECK
from northmen_env.games.northgard.tables import CARDS, FIRST_EARLY, UNREST

HAND, BY_SEAT, MIDDLE, COMMON, REMOVED, PILE, DRAWN_SIZE, DRAWN = starts(
    "hand", "card_seat", "card_middle", "common", "common_removed", "pile", "drawn_size", "drawn"
)
_UNSEEN, _HAND, _DISCARD, _PLAYED, _IDLE = (np.int64(i) for i in range(len(PLACES)))
_NUM_PLACES = len(PLACES)
_COPY, _PER_DECK = scale("common"), scale("drawn_size")


@kernel
def put_cards(rules, state, player, out, n):
    """Write where the cards are."""
    for p in range(n):
        k = relative(player, p, n)
        put_hand(state, player, p, k, out)
        put_pile(state, player, p, k, out)
        for i in range(np.int64(state.discard_size[p])):
            put_card(out, k, np.int64(state.discard[p, i]), _DISCARD)
        for i in range(np.int64(state.played_size[p])):
            put_card(out, k, np.int64(state.played[p, i]), _PLAYED)
        for i in range(np.int64(state.idle_size[p])):
            put_card(out, k, np.int64(state.idle[p, i]), _IDLE)
    if state.drawn_size > 0:
        put_drawn(state, player, relative(player, np.int64(state.turn), n), out)
    for i in range(np.int64(state.display_size)):
        out[MIDDLE + 2 * (np.int64(state.display[i]) - FIRST_EARLY)] = YES
    for card in range(CARDS):
        number = np.int64(state.removed[card])
        if number == 0:
            continue
        if FIRST_EARLY <= card < UNREST:
            out[MIDDLE + 2 * (card - FIRST_EARLY) + 1] = YES
        else:
            out[REMOVED + (card if card < FIRST_EARLY else FIRST_EARLY)] = np.float32(number) * _COPY


@kernel
def put_card(out, k, card, place):
    """Write one card of the seat with the relative number `k`; copies add up, which is exact in 16ths."""
    if FIRST_EARLY <= card < UNREST:
        out[BY_SEAT + _NUM_PLACES * (card - FIRST_EARLY) + place] = np.float32(k + 1) * PER_SEAT
    else:
        row = COMMONS * k + (card if card < FIRST_EARLY else FIRST_EARLY)
        out[COMMON + _NUM_PLACES * row + place] += _COPY


@kernel
def put_hand(state, player, p, k, out):
    for i in range(np.int64(state.hand_size[p])):
        card = np.int64(state.hand[p, i])
        put_card(out, k, card, _UNSEEN)
        if p == player:
            out[HAND + card] += _COPY
            put_card(out, k, card, _HAND)
        elif (np.int64(state.hand_known[p, i]) >> player) & 1 != 0:
            put_card(out, k, card, _HAND)


@kernel
def put_pile(state, player, p, k, out):
    size = np.int64(state.pile_size[p])
    for i in range(size):
        card = np.int64(state.pile[p, i])
        put_card(out, k, card, _UNSEEN)
        if (np.int64(state.pile_known[p, i]) >> player) & 1 != 0:
            out[PILE + DECK * k + size - 1 - i] = np.float32(card + 1) * PER_CARD


@kernel
def put_drawn(state, player, k, out):
    """Write the cards of a running DRAW; they belong to the public multiset of the turn player."""
    out[DRAWN_SIZE] = np.float32(np.int64(state.drawn_size)) * _PER_DECK
    known = 0
    for i in range(np.int64(state.drawn_size)):
        card = np.int64(state.drawn[i])
        put_card(out, k, card, _UNSEEN)
        if k == 0 or (np.int64(state.drawn_known[i]) >> player) & 1 != 0:
            out[DRAWN + known] = np.float32(card + 1) * PER_CARD
            known += 1
