"""Piles, hands, discards and draw pile where covered cards are not known (`recall = table`).

Of another seat's pile `player` knows the size, the top card and, during the march, all cards of the kingdoms that have
moved (SAGA-INFO-03). The covered cards are unseen as well, and a deal is possible when

    * no covered card belongs to a kingdom of its owner that has moved: it would lie revealed;
    * the cards of each suit in a pile show at least as many symbols as its owner has cubes waiting in that kingdom,
      because each cube was placed by one (SAGA-MARCH-12).

Facts that this option removes from the observation (KH, KHprev, NOTHELD) restrict nothing. The covered cards are drawn
suit by suit by counting (`suits.py`); what is left is shuffled.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.observe import absolute, discards_of, has_moved, pile_cards, revealed_cards
from northmen_env.games.saga.resampling.choices import list_set, mix_up, set_of
from northmen_env.games.saga.resampling.counting import OPPONENTS
from northmen_env.games.saga.resampling.suits import FORBIDDEN, draw_covered
from northmen_env.games.saga.setup import all_cards
from northmen_env.games.saga.tables import CARDS, KINGDOMS, SLOTS

_REST, _ORDER = 201, 210  # labels of draws


@kernel
def redraw_table(rules, state, player, key):
    """Deal covered and unseen cards anew; return the set of the others' discards."""
    n = int(rules.num_players)
    revealed = revealed_cards(rules, state)
    shown = np.zeros(OPPONENTS, np.int64)  # what each opponent's pile shows, clockwise
    needs = np.zeros((KINGDOMS, OPPONENTS), np.int64)
    covered = np.zeros(OPPONENTS, np.int64)  # number of cards to draw for each pile
    for j in range(n - 1):
        seat = absolute(player, j + 1, n)
        shown[j] = shown_cards(state, seat, revealed)
        covered[j] = int(state.pile_size[seat]) - count(shown[j])
        pile_needs(rules, state, seat, j, shown[j], needs)
    unseen = unseen_cards(rules, state, player) & ~(shown[0] | shown[1] | shown[2])
    hidden = np.zeros(OPPONENTS, np.int64)
    draw_covered(rules, key, unseen, needs, covered, hidden)
    for j in range(n - 1):
        put_pile(state, absolute(player, j + 1, n), shown[j] | hidden[j], mix(key, _ORDER + j))
    return deal_rest(rules, state, player, unseen & ~(hidden[0] | hidden[1] | hidden[2]), mix(key, _REST))


@kernel
def unseen_cards(rules, state, player):
    """Return all cards but the own ones and the face-up row."""
    cards = all_cards(rules) & ~(state.hand[player] | pile_cards(state, player) | discards_of(rules, state, player))
    for i in range(SLOTS):
        if state.slot[i] >= 0:
            cards &= ~(1 << int(state.slot[i]))
    return cards


@kernel
def shown_cards(state, seat, revealed):
    """Return the cards of a pile that lie open to everybody: the top one and the revealed ones."""
    size = int(state.pile_size[seat])
    if size == 0:
        return 0
    return (pile_cards(state, seat) & revealed) | (1 << int(state.pile[seat, size - 1]))


@kernel
def pile_needs(rules, state, seat, j, shown, needs):
    """Write how many symbols of each suit the covered cards must show at least."""
    for kingdom in range(int(rules.num_kingdoms)):
        suit = int(rules.suit_cards[kingdom])
        needs[kingdom, j] = int(state.cubes[kingdom, seat]) - symbols(rules, shown & suit)
        if state.controller[kingdom] == seat and has_moved(state, kingdom):
            needs[kingdom, j] = FORBIDDEN


@kernel
def symbols(rules, cards):
    """Return the number of symbols on a set of cards."""
    total = 0
    for card in range(int(rules.num_cards)):
        total += ((cards >> card) & 1) * int(rules.card_value[card])
    return total


@kernel
def put_pile(state, seat, cards, key):
    """Write a pile: its top card stays, the others lie below in random order."""
    last = int(state.pile_size[seat]) - 1
    if last < 1:
        return
    items = np.empty(CARDS, np.int16)
    size = list_set(cards & ~(1 << int(state.pile[seat, last])), items, 0)
    mix_up(key, items, 0, size, size)
    for i in range(last):
        state.pile[seat, i] = items[i]


@kernel
def deal_rest(rules, state, player, cards, key):
    """Deal hands, discards and draw pile from `cards`; return the discards."""
    n, at = int(rules.num_players), 0
    items = np.empty(CARDS, np.int16)
    size = list_set(cards, items, 0)
    mix_up(key, items, 0, size, size)
    for j in range(n - 1):
        seat = absolute(player, j + 1, n)
        following = at + int(state.hand_size[seat])
        state.hand[seat] = set_of(items, at, following)
        at = following
    top = int(state.draw_top)
    drawn = int(state.draw_end) - top
    for i in range(drawn):
        state.draw_pile[top + i] = items[at + i]
    return set_of(items, at + drawn, size)
