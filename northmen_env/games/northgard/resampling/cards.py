"""Hands, draw piles and running draws dealt anew; the development deck and the creature pile put into a new order."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import shuffle
from northmen_env.games.northgard.card_table import FIRST_ADVANCED
from northmen_env.games.northgard.cards.plain import all_seats
from northmen_env.games.northgard.decks import insert_known
from northmen_env.games.northgard.state import DECK
from northmen_env.games.northgard.tables import CARDS, CREATURES, FIRST_ACHIEVEMENT, FIRST_EARLY, Kind

_EARLY, _ADVANCED = np.int64(FIRST_EARLY), np.int64(FIRST_ADVANCED)


# Cards of a seat -----------------------------------------------------------------------------------------------------


@kernel
def deal_seat(rules, state, player, q, key):
    """Deal the cards of a seat that `player` does not know the place of to hand, running DRAW and draw pile.

    Copies of a card are told apart, so that every division of them is equally likely (NORTH-INFO-10).
    """
    hidden = np.empty(DECK, np.int16)
    in_hand, in_draw, number = 0, 0, 0
    if q != player:
        in_hand = set_aside(state.hand[q], state.hand_known[q], np.int64(state.hand_size[q]), player, hidden, number)
        number = in_hand
        if q == state.turn:
            in_draw = set_aside(state.drawn, state.drawn_known, np.int64(state.drawn_size), player, hidden, number)
            number += in_draw
    size = np.int64(state.pile_size[q])
    for i in range(size):
        if (np.int64(state.pile_known[q, i]) >> player) & 1 == 0:
            hidden[number] = name_copy(np.int64(state.pile[q, i]), hidden, number)
            number += 1
    shuffle(key, hidden, number)
    at = 0
    if q != player:
        forget_others(rules, state.hand_known[q], np.int64(state.hand_size[q]) - in_hand, player, q)
        fill_up(state.hand[q], state.hand_known[q], np.int64(state.hand_size[q]), hidden, in_hand, q)
        at = in_hand
        if q == state.turn and state.drawn_size > 0:
            forget_others(rules, state.drawn_known, np.int64(state.drawn_size) - in_draw, player, q)
            fill_up(state.drawn, state.drawn_known, np.int64(state.drawn_size), hidden[at:], in_draw, q)
            at += in_draw
    for i in range(size):
        if (np.int64(state.pile_known[q, i]) >> player) & 1 == 0:
            state.pile[q, i] = np.int64(hidden[at]) % CARDS
            at += 1


@kernel
def name_copy(card, hidden, number):
    """Return a name for the next copy of a card in a list of names: card + 86 * copy."""
    copy = 0
    for i in range(number):
        if hidden[i] % CARDS == card:
            copy += 1
    return card + CARDS * copy


@kernel
def set_aside(cards, masks, size, player, hidden, number):
    """Move the cards of a list that `player` does not know to `hidden[number:]`; return how many they are.

    Those that it knows stay in order at the front of the list, with its bit in their masks.
    """
    kept = 0
    for i in range(size):
        card, mask = np.int64(cards[i]), np.int64(masks[i])
        if (mask >> player) & 1 != 0:
            cards[kept] = card
            masks[kept] = mask
            kept += 1
        else:
            hidden[number + i - kept] = name_copy(card, hidden, number + i - kept)
    return size - kept


@kernel
def forget_others(rules, masks, kept, player, q):
    """Of cards known in another hand it is public whether all seats know them; whether some more do is forgotten."""
    seats = all_seats(rules)
    for i in range(kept):
        if masks[i] != seats:
            masks[i] = (1 << q) | (1 << player)


@kernel
def fill_up(cards, masks, size, hidden, number, q):
    """Put the first `number` hidden cards into a list that then has `size`; their owner alone knows them."""
    for i in range(number):
        insert_known(cards, masks, size - number + i, np.int64(hidden[i]) % CARDS, np.int64(1 << q))


# Piles that nobody knows ---------------------------------------------------------------------------------------------


@kernel
def shuffle_development(rules, state, early_key, advanced_key):
    """Draw the development deck anew from all cards that lie nowhere else: Early ones above Advanced ones."""
    size = np.int64(state.deck_size)
    if size == 0:
        return
    seen = seen_development(rules, state)
    lower = min(size, np.int64(rules.deck_advanced) - count(seen >> FIRST_ADVANCED))
    put_development(state, seen, _EARLY, _ADVANCED, lower, size, early_key)
    put_development(state, seen, _ADVANCED, np.int64(FIRST_ACHIEVEMENT), np.int64(0), lower, advanced_key)


@kernel
def put_development(state, seen, first, beyond, bottom, top, key):
    """Fill the places `bottom ... top - 1` of the deck with unseen cards of one group."""
    items, number = np.empty(CARDS, np.int16), 0
    for card in range(first, beyond):
        if (seen >> card) & 1 == 0:
            items[number] = card
            number += 1
    shuffle(key, items, number)
    for i in range(bottom, top):
        state.deck[i] = items[i - bottom]


@kernel
def seen_development(rules, state):
    """Return the bit set of the development cards of decks, display and removed ones: all of that is public."""
    seen = np.int64(0)
    for q in range(np.int64(rules.num_players)):
        seen |= bits_of(state.hand[q], np.int64(state.hand_size[q]))
        seen |= bits_of(state.pile[q], np.int64(state.pile_size[q]))
        seen |= bits_of(state.discard[q], np.int64(state.discard_size[q]))
        seen |= bits_of(state.played[q], np.int64(state.played_size[q]))
        seen |= bits_of(state.idle[q], np.int64(state.idle_size[q]))
    seen |= bits_of(state.drawn, np.int64(state.drawn_size))
    seen |= bits_of(state.display, np.int64(state.display_size))
    for card in range(FIRST_EARLY, FIRST_ACHIEVEMENT):
        if state.removed[card] != 0:
            seen |= 1 << card
    return seen


@kernel
def bits_of(cards, size):
    """Return the bit set of the development cards of a list."""
    found = np.int64(0)
    for i in range(size):
        card = np.int64(cards[i])
        if FIRST_EARLY <= card < FIRST_ACHIEVEMENT:
            found |= 1 << card
    return found


@kernel
def shuffle_creatures_anew(rules, state, upper_key, lower_key):
    """Put the creature pile into another order; its upper part holds no Fallen Valkyrie (NORTH-INFO-07)."""
    size, top = np.int64(state.creature_pile_size), np.int64(state.creature_top)
    if size == 0:
        return
    items, number = np.empty(CREATURES, np.int16), 0
    rest, left = np.empty(CREATURES, np.int16), 0
    for i in range(size):
        creature = np.int64(state.creature_pile[i])
        if rules.creature_kind[creature] == Kind.VALKYRIE:
            rest[left] = creature
            left += 1
        else:
            items[number] = creature
            number += 1
    shuffle(upper_key, items, number)
    for i in range(number):
        if i < top:
            state.creature_pile[size - 1 - i] = items[i]
        else:
            rest[left] = items[i]
            left += 1
    shuffle(lower_key, rest, left)
    for i in range(left):
        state.creature_pile[i] = rest[i]
