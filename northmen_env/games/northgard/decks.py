"""The cards of a seat: hand, draw pile, discard pile, active area (NORTH-DECK), and who knows where a card is.

Lists are sorted by (card, mask); a mask is the sum of 2^seat over the seats that know the card is there
(NORTH-INFO-06). The top of a draw pile is its last entry.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import shuffle, stream
from northmen_env.games.northgard.actions import CARD, Event
from northmen_env.games.northgard.amounts import NOTHING
from northmen_env.games.northgard.state import DECK, Phase
from northmen_env.games.northgard.tables import CARDS

# Purpose of random draws: owner = seat, occurrence = number of the seat's shuffle, item = card + 86 * copy.
PURPOSE_DECK = np.int64(1)


# Sorted lists --------------------------------------------------------------------------------------------------------


@kernel
def insert(cards, size, card):
    """Put a card into a sorted list of `size` cards."""
    i = size
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card


@kernel
def extract(cards, size, card):
    """Take one copy of a card out of a sorted list of `size` cards that holds it."""
    i = 0
    while cards[i] != card:
        i += 1
    for j in range(i, size - 1):
        cards[j] = cards[j + 1]
    cards[size - 1] = 0


@kernel
def holds(cards, size, card):
    """Return whether a list holds a card."""
    for i in range(size):
        if cards[i] == card:
            return True
    return False


@kernel
def insert_known(cards, masks, size, card, mask):
    """Put a card with its mask into a list of `size` cards sorted by (card, mask)."""
    i = size
    while i > 0 and (cards[i - 1] > card or (cards[i - 1] == card and masks[i - 1] > mask)):
        cards[i] = cards[i - 1]
        masks[i] = masks[i - 1]
        i -= 1
    cards[i] = card
    masks[i] = mask


@kernel
def extract_at(cards, masks, size, i):
    """Take entry `i` out of a list of `size` cards."""
    for j in range(i, size - 1):
        cards[j] = cards[j + 1]
        masks[j] = masks[j + 1]
    cards[size - 1] = 0
    masks[size - 1] = 0


@kernel
def best_known(cards, masks, size, card):
    """Return the copy of a card that the most seats know, of several the larger mask; -1 if the list lacks it."""
    best, seats = -1, -1
    for i in range(size):
        if cards[i] == card and count(np.int64(masks[i])) >= seats:
            best, seats = i, count(np.int64(masks[i]))
    return best


@kernel
def least_known(cards, masks, size, card):
    """Return the copy of a card that the fewest seats know, of several the smaller mask."""
    best, seats = -1, 99
    for i in range(size):
        if cards[i] == card and count(np.int64(masks[i])) < seats:
            best, seats = i, count(np.int64(masks[i]))
    return best


@kernel
def list_cards(cards, size, ids, n):
    """Append `CARD c` for each different card of a sorted list; return the new length."""
    for i in range(size):
        if i == 0 or cards[i] != cards[i - 1]:
            ids[n] = CARD + np.int64(cards[i])
            n += 1
    return n


# Hand ----------------------------------------------------------------------------------------------------------------


@kernel
def add_to_hand(state, p, card, mask):
    """Put a card into a hand; the owner knows it."""
    size = np.int64(state.hand_size[p])
    insert_known(state.hand[p], state.hand_known[p], size, card, mask | (1 << p))
    state.hand_size[p] = size + 1


@kernel
def take_from_hand(state, p, card):
    """Take a card out of a hand, of equal ones that known to most seats (NORTH-INFO-06); return its mask."""
    size = np.int64(state.hand_size[p])
    i = best_known(state.hand[p], state.hand_known[p], size, card)
    mask = np.int64(state.hand_known[p, i])
    extract_at(state.hand[p], state.hand_known[p], size, i)
    state.hand_size[p] = size - 1
    return mask


@kernel
def hand_has(state, p, card):
    """Return whether a hand holds a card."""
    return holds(state.hand[p], np.int64(state.hand_size[p]), card)


@kernel
def list_hand(state, p, ids, n):
    """Append `CARD c` for each different card of a hand; return the new length."""
    return list_cards(state.hand[p], np.int64(state.hand_size[p]), ids, n)


@kernel
def see_hand(rules, state, viewer, p):
    """Let a seat see a whole hand."""
    size = np.int64(state.hand_size[p])
    for i in range(size):
        card = np.int64(state.hand[p, i])
        emit_to(rules, state, viewer, Event.SEE, viewer, card, p)
        emit_to(rules, state, p, Event.SEE, viewer, card, p)
        mask = np.int64(state.hand_known[p, i]) | (1 << viewer)
        j = i  # cards stay in place; among equal ones the masks are sorted again
        while j > 0 and state.hand[p, j - 1] == card and state.hand_known[p, j - 1] > mask:
            state.hand_known[p, j] = state.hand_known[p, j - 1]
            j -= 1
        state.hand_known[p, j] = mask


# Draw pile and discard pile ------------------------------------------------------------------------------------------


@kernel
def avail(state, p):
    """Return the number of cards in draw and discard pile."""
    return np.int64(state.pile_size[p]) + np.int64(state.discard_size[p])


@kernel
def add_discard(state, p, card):
    """Put a card on a seat's discard pile."""
    size = np.int64(state.discard_size[p])
    insert(state.discard[p], size, card)
    state.discard_size[p] = size + 1


@kernel
def take_discard(state, p, card):
    """Take a card out of a seat's discard pile."""
    size = np.int64(state.discard_size[p])
    extract(state.discard[p], size, card)
    state.discard_size[p] = size - 1


@kernel
def push_pile(state, p, card, mask):
    """Put a card on top of a seat's draw pile, known there to the seats of the mask."""
    size = np.int64(state.pile_size[p])
    state.pile[p, size] = card
    state.pile_known[p, size] = mask
    state.pile_size[p] = size + 1


@kernel
def pop_pile(rules, state, p):
    """Take the top card of a seat's draw pile, shuffled anew if it is empty; return card + 128 * mask, -1: none."""
    if state.pile_size[p] == 0:
        shuffle_discard(rules, state, p)
    size = np.int64(state.pile_size[p])
    if size == 0:
        return NOTHING
    found = np.int64(state.pile[p, size - 1]) + 128 * np.int64(state.pile_known[p, size - 1])
    state.pile[p, size - 1] = 0
    state.pile_known[p, size - 1] = 0
    state.pile_size[p] = size - 1
    return found


@kernel
def shuffle_discard(rules, state, p):
    """Shuffle the discard pile into a new draw pile (NORTH-DECK-02); nobody knows where a card is."""
    size = np.int64(state.discard_size[p])
    if size == 0:
        return
    items = np.empty(DECK, np.int16)
    copy = 0
    for i in range(size):
        copy = copy + 1 if i > 0 and state.discard[p, i] == state.discard[p, i - 1] else 0
        items[i] = np.int64(state.discard[p, i]) + CARDS * copy
    shuffle(stream(state.seed, PURPOSE_DECK, p, np.int64(state.shuffles[p])), items, size)
    state.shuffles[p] += 1
    for i in range(size):
        state.pile[p, size - 1 - i] = np.int64(items[i]) % CARDS
        state.pile_known[p, i] = 0
        state.discard[p, i] = 0
    state.pile_size[p] = size
    state.discard_size[p] = 0
    if state.phase >= Phase.ACTIONS:  # the first deck comes out of the box
        emit(rules, state, Event.SHUFFLE, p, NOTHING, NOTHING)


@kernel
def draw_cards(rules, state, p, n):
    """Draw up to `n` cards into the hand, as many as there are (NORTH-DECK-03); return how many."""
    drawn = 0
    for _ in range(n):
        found = pop_pile(rules, state, p)
        if found < 0:
            break
        drawn += 1
        add_to_hand(state, p, found % 128, found // 128)
        emit_to(rules, state, p, Event.DRAW, p, found % 128, NOTHING)
    if drawn > 0:
        emit(rules, state, Event.DRAWS, p, np.int64(drawn), NOTHING)
    return drawn


# Active area ---------------------------------------------------------------------------------------------------------


@kernel
def add_played(state, p, card):
    """Put a card into the active area, marked played."""
    size = np.int64(state.played_size[p])
    insert(state.played[p], size, card)
    state.played_size[p] = size + 1


@kernel
def take_played(state, p, card):
    """Take a played card out of the active area."""
    size = np.int64(state.played_size[p])
    extract(state.played[p], size, card)
    state.played_size[p] = size - 1


@kernel
def add_idle(state, p, card):
    """Put a card into the active area without effect."""
    size = np.int64(state.idle_size[p])
    insert(state.idle[p], size, card)
    state.idle_size[p] = size + 1


@kernel
def clear_table(state, p):
    """Put the whole hand and active area on the discard pile (NORTH-TURN-12)."""
    for i in range(np.int64(state.hand_size[p])):
        add_discard(state, p, np.int64(state.hand[p, i]))
        state.hand[p, i] = 0
        state.hand_known[p, i] = 0
    for i in range(np.int64(state.played_size[p])):
        add_discard(state, p, np.int64(state.played[p, i]))
        state.played[p, i] = 0
    for i in range(np.int64(state.idle_size[p])):
        add_discard(state, p, np.int64(state.idle[p, i]))
        state.idle[p, i] = 0
    state.hand_size[p] = 0
    state.played_size[p] = 0
    state.idle_size[p] = 0
