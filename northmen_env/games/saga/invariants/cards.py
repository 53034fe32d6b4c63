"""The 56 influence cards are partitioned over draw pile, slots, hands, piles and discards (SAGA-EDGE-11)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.amounts import HAND
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.phases.pieces import distance
from northmen_env.games.saga.setup import all_cards
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import CARDS, SLOTS

TWICE = -1


@kernel
def check_cards(rules, state):
    if not lists_hold(rules, state):
        return Broken.CARD_LISTS
    if not hands_hold(rules, state):
        return Broken.HAND_SIZES
    cards = cards_in_play(rules, state)
    if cards == TWICE or count(all_cards(rules) & ~cards) != discarded(rules, state):
        return Broken.CARDS
    for i in range(SLOTS):
        if state.slot[i] < 0 and state.draw_top < state.draw_end:
            return Broken.SLOTS
    return Broken.NONE


@kernel
def list_holds(cards, first, end, ids):
    """Return whether `cards[first:end]` are ids below `ids` and all else is -1."""
    for i in range(cards.shape[0]):
        if first <= i < end:
            if not 0 <= cards[i] < ids:
                return False
        elif cards[i] != -1:
            return False
    return True


@kernel
def lists_hold(rules, state):
    cards = np.int64(rules.num_cards)
    for p in range(np.int64(rules.num_players)):
        if not list_holds(state.pile[p], 0, np.int64(state.pile_size[p]), cards):
            return False
    for i in range(SLOTS):
        if not -1 <= state.slot[i] < cards:
            return False
    return list_holds(state.draw_pile, np.int64(state.draw_top), np.int64(state.draw_end), cards)


@kernel
def hands_hold(rules, state):
    everything = all_cards(rules)
    for p in range(np.int64(rules.num_players)):
        hand = state.hand[p]
        if (hand & ~everything) != 0 or count(hand) != state.hand_size[p] or state.hand_size[p] > HAND:
            return False
    if state.decision == Decision.HIRE or state.decision == Decision.DRAW:
        return state.hand_size[state.player] < HAND
    return True


@kernel
def joined(cards, card):
    """Add a card to a set; TWICE if it is in it already, or the set is TWICE."""
    if cards == TWICE or (cards >> int(card)) & 1 != 0:
        return TWICE
    return cards | (1 << int(card))


@kernel
def cards_in_play(rules, state):
    """Return the set of all cards in hands, piles, slots and draw pile, TWICE if one occurs twice."""
    cards = 0
    for p in range(np.int64(rules.num_players)):
        if (cards & state.hand[p]) != 0:
            return TWICE
        cards |= state.hand[p]
    for p in range(np.int64(rules.num_players)):
        for i in range(np.int64(state.pile_size[p])):
            cards = joined(cards, state.pile[p, i])
    for i in range(SLOTS):
        if state.slot[i] >= 0:
            cards = joined(cards, state.slot[i])
    for i in range(np.int64(state.draw_top), min(CARDS, np.int64(state.draw_end))):
        cards = joined(cards, state.draw_pile[i])
    return cards


@kernel
def has_planned(rules, state, seat):
    """Return whether the seat's planning turn of this round is over, its hand being what it held."""
    decision = np.int64(state.decision)
    if decision == Decision.END:
        return rules.final_planning != 0
    if decision == Decision.BUY or decision == Decision.KEEP or decision == Decision.HOLD:
        return distance(rules, state, seat) < distance(rules, state, np.int64(state.player))
    return False


@kernel
def discarded(rules, state):
    """Return how many cards the seats that have planned threw away."""
    cards = 0
    for p in range(np.int64(rules.num_players)):
        if has_planned(rules, state, p):
            cards += np.int64(state.hand_before_hold[p]) - np.int64(state.held_count[p])
    return cards
