"""Hands, discards and draw pile where the piles are known (`recall = full`).

What `player` does not see lies in the others' hands, on their discards and in the draw pile. A way of dealing it out is
possible when it respects, for each opponent q, what is known of the cards q held (SAGA-INFO-11):

    KNOWN_BEFORE  the unseen cards that were certainly in q's hand before its last planning turn
    AT_LEAST      so many of them q must have
    AT_MOST       no more of the cards that nobody can have held may go to q
    CLOSED        q's planning turn of this round is over: the rest of KNOWN_BEFORE are discards

All possible deals are equally likely. Most often a plain shuffle is possible; a bounded number of them is tried, then
the deal is drawn by counting (`counting.py`). Both ways are exact, hence so is their mixture.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.observe import absolute, discards_of, has_planned, pile_cards
from northmen_env.games.saga.phases.planning import open_cards
from northmen_env.games.saga.resampling.choices import list_set, mix_up, set_of
from northmen_env.games.saga.resampling.counting import (
    AT_LEAST,
    AT_MOST,
    CLOSED,
    FREE,
    KNOWN_BEFORE,
    OPPONENTS,
    deal_by_counting,
)
from northmen_env.games.saga.setup import all_cards
from northmen_env.games.saga.tables import CARDS

TRIES = 12
"""Shuffles tried before counting."""

_REST = 101  # labels of the draws that are not tries


@kernel
def redraw_hands(rules, state, player, key):
    """Deal the unseen cards anew; return the set of the others' discards."""
    unseen = all_cards(rules) & ~(open_cards(rules, state) | state.hand[player] | discards_of(rules, state, player))
    for seat in range(int(rules.num_players)):
        unseen &= ~state.known_hand[seat]
    task = hand_task(rules, state, player, unseen)
    old = int(state.not_held[player]) & unseen
    for j in range(OPPONENTS):
        old &= ~int(task[KNOWN_BEFORE, j])
    items = np.empty(CARDS, np.int16)
    size = list_set(unseen, items, 0)
    dealt = int(task[FREE, 0] + task[FREE, 1] + task[FREE, 2])
    discards = size - dealt - (int(state.draw_end) - int(state.draw_top))
    forced = deal(key, task, unseen, old, items, size, dealt, discards)
    mix_up(mix(key, _REST), items, dealt + forced, size, size - dealt - forced)
    give_hands(rules, state, player, task, items)
    put_draw_pile(state, items, dealt + discards)
    return set_of(items, dealt, dealt + discards)


@kernel
def hand_task(rules, state, player, unseen):
    """Return the int64 (5, 3) task: what has to be dealt to each opponent, clockwise, and within which bounds."""
    n = int(rules.num_players)
    task = np.zeros((5, OPPONENTS), np.int64)
    closed = 0
    for j in range(n - 1):
        bound_hand(rules, state, player, absolute(player, j + 1, n), j, task)
        task[KNOWN_BEFORE, j] &= unseen
        if task[CLOSED, j] != 0:
            closed |= task[KNOWN_BEFORE, j]
    for j in range(n - 1):
        if task[CLOSED, j] == 0:
            task[KNOWN_BEFORE, j] &= ~closed
            if task[AT_LEAST, j] == 0:
                task[KNOWN_BEFORE, j] = 0
    return task


@kernel
def bound_hand(rules, state, player, seat, j, task):
    """Write what SAGA-INFO-11 demands of one opponent's hand.

    Facts of two planning turns are compared only when they are of the same planning phase: while that phase goes on,
    what `player` knows of held cards and what the others say of them can be a round apart.
    """
    known = int(state.known_hand[seat])
    free = int(state.hand_size[seat]) - count(known)
    task[FREE, j] = free
    task[AT_MOST, j] = free
    planned = has_planned(rules, state, seat)
    if state.round_number == 1 and not planned:
        return
    before, held = int(state.known_hand_prev[seat]), int(state.held_count[seat])
    here = known if planned else known | pile_cards(state, seat)
    not_held_at_most = int(state.hand_before_hold[seat]) - count(before)
    task[KNOWN_BEFORE, j] = before
    task[AT_LEAST, j] = max(0, held - not_held_at_most - count(before & here))
    if planned:
        task[CLOSED, j] = 1
    elif not has_planned(rules, state, player):
        task[AT_MOST, j] = min(free, free - held + count(here & ~state.not_held[player]))


@kernel
def deal(key, task, unseen, old, items, size, dealt, discards):
    """Order `items` so that the hands come first; return how many of the cards after them are discards for certain."""
    bound, closed = False, False
    for j in range(OPPONENTS):
        bound = bound or task[AT_LEAST, j] > 0 or task[AT_MOST, j] < min(task[FREE, j], count(old))
        closed = closed or (task[CLOSED, j] != 0 and task[KNOWN_BEFORE, j] != 0)
    if not closed:
        for attempt in range(TRIES if bound else 1):
            mix_up(mix(key, attempt), items, 0, size, dealt)
            if not bound or is_possible(task, old, items):
                return 0
    return deal_by_counting(key, task, unseen, old, items, size, dealt, discards)


@kernel
def is_possible(task, old, items):
    """Return whether the hands at the front of `items` keep the bounds."""
    at = 0
    for j in range(OPPONENTS):
        following = at + int(task[FREE, j])
        hand = set_of(items, at, following)
        at = following
        if count(hand & task[KNOWN_BEFORE, j]) < task[AT_LEAST, j] or count(hand & old) > task[AT_MOST, j]:
            return False
    return True


@kernel
def give_hands(rules, state, player, task, items):
    n, at = int(rules.num_players), 0
    for j in range(n - 1):
        seat, following = absolute(player, j + 1, n), at + int(task[FREE, j])
        state.hand[seat] = state.known_hand[seat] | set_of(items, at, following)
        at = following


@kernel
def put_draw_pile(state, items, first):
    top = int(state.draw_top)
    for i in range(int(state.draw_end) - top):
        state.draw_pile[top + i] = items[first + i]
