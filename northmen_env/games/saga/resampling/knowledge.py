"""What the others know about cards, made up anew so that it fits the redrawn world and tells nothing of the true one.

A seat's NOTHELD is all piles, the face-up row and the own hand at its last planning turn (SAGA-INFO-05). In the new
world it is put together from the same parts:

    its turn is over in this planning phase   what lies open now, its hand and its discards
    not so, in round 1                        all cards
    not so, later                             an old round: a set of cards that lay open then, and an old hand

Of that old round only what `player` knows is kept: NOTHELD[player], the sizes of hands before holding, how many cards
each seat held and which ones were known. For each seat a set of held cards is chosen out of what it has had this
round, then the rest of its old hand, then what lay open.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.observe import has_planned, pile_cards
from northmen_env.games.saga.phases.planning import open_cards
from northmen_env.games.saga.resampling.choices import list_set, mix_up, set_of, some_of
from northmen_env.games.saga.setup import all_cards
from northmen_env.games.saga.tables import CARDS, SEATS

_SHARE, _FILL, _OPEN, _KNOWN, _HELD = 401, 402, 403, 410, 420  # labels of draws


@kernel
def redraw_knowledge(rules, state, player, discards, own_discards, key):
    """Rebuild NOTHELD of all seats whose NOTHELD `player` does not know; `discards` are the others' now."""
    if rules.table_recall != 0:  # nobody observes them
        state.known_hand[:] = 0
        state.known_hand_prev[:] = 0
        if has_planned(rules, state, player):
            state.not_held[player] = open_cards(rules, state) | state.hand[player] | own_discards
    share_discards(rules, state, player, discards, mix(key, _SHARE))
    if state.round_number > 1:
        remember_old_round(rules, state, player, key)


@kernel
def share_discards(rules, state, player, discards, key):
    """Give the discards to those who have planned; the known cards that one did not hold are its own."""
    rest, n = discards, int(rules.num_players)
    for seat in range(n):
        if seat != player and has_planned(rules, state, seat):
            rest &= ~int(state.known_hand_prev[seat])
    items, at = np.empty(CARDS, np.int16), 0
    size = list_set(rest, items, 0)
    mix_up(key, items, 0, size, size)
    for seat in range(n):
        if seat == player or not has_planned(rules, state, seat):
            continue
        own = int(state.known_hand_prev[seat]) & discards
        wanted = int(state.hand_before_hold[seat]) - int(state.held_count[seat]) - count(own)
        following = min(at + wanted, size)
        own |= set_of(items, at, following)
        at = following
        state.not_held[seat] = open_cards(rules, state) | state.hand[seat] | own


@kernel
def is_old(rules, state, seat):
    """Return whether what `seat` knows of held cards is of an earlier round."""
    return state.round_number > 1 and not has_planned(rules, state, seat)


@kernel
def remember_old_round(rules, state, player, key):
    """Make up NOTHELD of an earlier round for those to whom it is one, but for `player`, who knows its own."""
    everything, n = all_cards(rules), int(rules.num_players)
    bound = rules.table_recall == 0 and is_old(rules, state, player)
    own_view = int(state.not_held[player]) if bound else 0
    held = np.zeros(SEATS, np.int64)
    known, taken = 0, 0
    for seat in range(n):
        if is_old(rules, state, seat):
            held[seat] = held_cards(rules, state, player, seat, bound, own_view, mix(key, _HELD + seat))
            known |= int(state.known_hand_prev[seat])
            taken |= held[seat]
    free = everything & ~(known | taken)
    items = np.empty(CARDS, np.int16)
    hands = np.zeros(SEATS, np.int64)
    for seat in range(n):
        if is_old(rules, state, seat):
            hands[seat] = held[seat] | (int(state.known_hand_prev[seat]) & ~taken)
            wanted = int(state.hand_before_hold[seat]) - count(hands[seat])
            room = free
            if bound:
                room &= own_view if seat == player else ~own_view
            hands[seat] |= some_of(mix(key, _KNOWN + seat), room, wanted, items)
            free &= ~hands[seat]
    if bound:
        lay_open = own_view & ~hands[player]
    else:
        lay_open = some_of(mix(key, _OPEN), free, count(open_cards(rules, state)), items)
    for seat in range(n):
        if is_old(rules, state, seat) and not (bound and seat == player):
            # What was known of another's hand was not in this one: `redraw_hands` relies on it.
            own = int(state.known_hand_prev[seat])
            state.not_held[seat] = lay_open | (hands[seat] & (own | ~known))


@kernel
def held_cards(rules, state, player, seat, bound, own_view, key):
    """Choose a set of cards that `seat` may have held, out of its hand and pile (SAGA-INFO-11)."""
    pool = int(state.hand[seat]) | pile_cards(state, seat)
    if bound:
        pool &= own_view if seat == player else ~own_view
    before, number = int(state.known_hand_prev[seat]), int(state.held_count[seat])
    others = 0
    for other in range(int(rules.num_players)):
        if other != seat and is_old(rules, state, other):
            others |= int(state.known_hand_prev[other])
    items = np.empty(CARDS, np.int16)
    least = max(0, number - (int(state.hand_before_hold[seat]) - count(before)))
    held = some_of(mix(key, _FILL), pool & before, least, items)
    held |= some_of(mix(key, _FILL + 1), pool & ~(others | held), number - count(held), items)
    held |= some_of(mix(key, _FILL + 2), pool & ~held, number - count(held), items)
    if bound and seat == player and count(held) < number:  # NOTHELD of a sampled state can be too small for that
        pool = int(state.hand[seat]) | pile_cards(state, seat)
        held |= some_of(mix(key, _FILL + 3), pool & ~held, number - count(held), items)
    return held
