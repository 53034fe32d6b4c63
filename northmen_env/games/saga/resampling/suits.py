"""The covered cards of all piles, drawn suit by suit by counting.

Within a suit cards of one value are alike. For each value v the unseen cards of the suit are shared out among three
piles and the rest; a share-out of the three values is possible when each pile then shows the symbols it needs.

    S[k, j0, j1, j2]   number of ways to give j0, j1, j2 cards of suit k to the piles
    T[k, c0, c1, c2]   number of ways to fill c0, c1, c2 covered places from the suits k, k + 1, ...

First the numbers of cards are drawn suit by suit in proportion to S * T, then the share-outs, then the cards.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.resampling.choices import fraction, list_set, mix_up, set_of, ways
from northmen_env.games.saga.resampling.counting import OPPONENTS
from northmen_env.games.saga.tables import CARDS, KINGDOMS, SUIT_SIZE

FORBIDDEN = 1 << 20
"""A need that says: no covered card of this suit at all."""

VALUES = 3  # a card shows one to three symbols (SAGA-DATA-13)
_MOST_SHARES = 165  # ways to share eight equal things among three takers and the rest
_WAYS = OPPONENTS  # column of a row of share-outs
_NEVER = np.inf
_NUMBERS, _SHARES, _CARDS, _PLAIN = 220, 240, 260, 299  # labels of draws


@kernel
def draw_covered(rules, key, unseen, needs, covered, hidden):
    """Write the set of covered cards of each opponent into int64 `hidden` (3,)."""
    if not is_bound(rules, needs, covered):
        draw_plain(key, unseen, covered, hidden)
        return
    suits = np.zeros((KINGDOMS, side(covered[0]), side(covered[1]), side(covered[2])))
    shares = np.empty((KINGDOMS, VALUES, _MOST_SHARES, OPPONENTS + 1))
    rows = np.zeros((KINGDOMS, VALUES), np.int64)
    for kingdom in range(int(rules.num_kingdoms)):
        share_suit(rules, kingdom, unseen, needs[kingdom], covered, shares[kingdom], rows[kingdom])
        count_suit(shares[kingdom], rows[kingdom], needs[kingdom], suits[kingdom])
    table = np.zeros((KINGDOMS + 1, covered[0] + 1, covered[1] + 1, covered[2] + 1))
    fill_table(rules, suits, needs, covered, table)
    if table[0, covered[0], covered[1], covered[2]] == 0.0:  # facts that contradict each other
        draw_plain(key, unseen, covered, hidden)
        return
    rest, numbers = covered.copy(), np.zeros(OPPONENTS, np.int64)
    for kingdom in range(int(rules.num_kingdoms)):
        goal = fraction(key, _NUMBERS + kingdom) * table[kingdom, rest[0], rest[1], rest[2]]
        walk_suit(suits[kingdom], table[kingdom + 1], rest[0], rest[1], rest[2], goal, numbers)
        rest -= numbers
        goal = fraction(key, _SHARES + kingdom) * suits[kingdom, numbers[0], numbers[1], numbers[2]]
        chosen = pick_share(shares[kingdom], rows[kingdom], needs[kingdom], numbers, goal)
        take_cards(rules, mix(key, _CARDS + kingdom), kingdom, unseen, shares[kingdom], chosen, hidden)


@kernel
def side(covered):
    """Return how many numbers of cards of one suit a pile can get, none included."""
    return min(int(covered), SUIT_SIZE) + 1


@kernel
def is_bound(rules, needs, covered):
    """Return whether any pile with covered cards needs something."""
    for j in range(OPPONENTS):
        for kingdom in range(int(rules.num_kingdoms)):
            if covered[j] > 0 and needs[kingdom, j] > 0:
                return True
    return False


@kernel
def draw_plain(key, unseen, covered, hidden):
    items, at = np.empty(CARDS, np.int16), 0
    size = list_set(unseen, items, 0)
    mix_up(mix(key, _PLAIN), items, 0, size, int(covered[0] + covered[1] + covered[2]))
    for j in range(OPPONENTS):
        hidden[j] = set_of(items, at, at + int(covered[j]))
        at += int(covered[j])


@kernel
def of_value(rules, kingdom, unseen, value):
    """Return the unseen cards of a suit with `value` symbols."""
    cards, rest = 0, int(rules.suit_cards[kingdom]) & unseen
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if rules.card_value[card] == value:
            cards |= 1 << card
    return cards


@kernel
def share_suit(rules, kingdom, unseen, needs, covered, shares, rows):
    """List the share-outs of each value: the number of cards for each pile, then the number of ways to do it."""
    for value in range(1, VALUES + 1):
        size, row = count(of_value(rules, kingdom, unseen, value)), 0
        for a in range(most(needs, covered, 0, size) + 1):
            for b in range(min(most(needs, covered, 1, size), size - a) + 1):
                for c in range(min(most(needs, covered, 2, size), size - a - b) + 1):
                    shares[value - 1, row, 0] = a
                    shares[value - 1, row, 1] = b
                    shares[value - 1, row, 2] = c
                    shares[value - 1, row, _WAYS] = ways(size, a, b, c)
                    row += 1
        rows[value - 1] = row


@kernel
def most(needs, covered, j, size):
    """Return how many of `size` cards of a suit pile `j` may get."""
    return 0 if needs[j] == FORBIDDEN else min(size, int(covered[j]))


@kernel
def is_enough(shares, needs, x, y, z):
    """Return whether the share-outs in rows x, y, z of the three values give each pile the symbols it needs."""
    for j in range(OPPONENTS):
        if needs[j] != FORBIDDEN and shares[0, x, j] + 2 * shares[1, y, j] + 3 * shares[2, z, j] < needs[j]:
            return False
    return True


@kernel
def cards_for(shares, j, x, y, z):
    """Return how many cards pile `j` gets."""
    return int(shares[0, x, j] + shares[1, y, j] + shares[2, z, j])


@kernel
def count_suit(shares, rows, needs, suit):
    """Add up S of one suit."""
    for x in range(rows[0]):
        for y in range(rows[1]):
            two = shares[0, x, _WAYS] * shares[1, y, _WAYS]
            for z in range(rows[2]):
                a, b, c = cards_for(shares, 0, x, y, z), cards_for(shares, 1, x, y, z), cards_for(shares, 2, x, y, z)
                if a >= suit.shape[0] or b >= suit.shape[1] or c >= suit.shape[2]:
                    continue
                if is_enough(shares, needs, x, y, z):
                    suit[a, b, c] += two * shares[2, z, _WAYS]


@kernel
def pick_share(shares, rows, needs, numbers, goal):
    """Return the rows (x, y, z) of the first share-out with these `numbers` that leads beyond `goal`."""
    total = 0.0
    for x in range(rows[0]):
        for y in range(rows[1]):
            two = shares[0, x, _WAYS] * shares[1, y, _WAYS]
            for z in range(rows[2]):
                a, b, c = cards_for(shares, 0, x, y, z), cards_for(shares, 1, x, y, z), cards_for(shares, 2, x, y, z)
                if a != numbers[0] or b != numbers[1] or c != numbers[2] or not is_enough(shares, needs, x, y, z):
                    continue
                total += two * shares[2, z, _WAYS]
                if total > goal:
                    return x, y, z
    return 0, 0, 0


@kernel
def fill_table(rules, suits, needs, covered, table):
    """Fill T from the last suit on, as far as it can be reached when each suit gets what it needs."""
    last, numbers = int(rules.num_kingdoms), np.zeros(OPPONENTS, np.int64)
    table[last, 0, 0, 0] = 1.0
    spare = covered.copy()  # places left when every suit got the least
    for kingdom in range(last):
        for j in range(OPPONENTS):
            spare[j] -= least(needs[kingdom, j])
    after = np.zeros(OPPONENTS, np.int64)  # what the suits from `kingdom` on need at least
    for kingdom in range(last - 1, -1, -1):
        for j in range(OPPONENTS):
            after[j] += least(needs[kingdom, j])
        for a in range(after[0], after[0] + spare[0] + 1):
            for b in range(after[1], after[1] + spare[1] + 1):
                for c in range(after[2], after[2] + spare[2] + 1):
                    table[kingdom, a, b, c] = walk_suit(suits[kingdom], table[kingdom + 1], a, b, c, _NEVER, numbers)


@kernel
def least(need):
    """Return how many cards show `need` symbols at least."""
    if need == FORBIDDEN or need <= 0:
        return 0
    return (int(need) + VALUES - 1) // VALUES


@kernel
def walk_suit(suit, following, c0, c1, c2, goal, numbers):
    """Add up the ways over all numbers of cards of one suit; stop at the first ones that lead beyond `goal`."""
    total = 0.0
    for a in range(min(c0, suit.shape[0] - 1) + 1):
        for b in range(min(c1, suit.shape[1] - 1) + 1):
            for c in range(min(c2, suit.shape[2] - 1) + 1):
                if suit[a, b, c] == 0.0:
                    continue
                total += suit[a, b, c] * following[c0 - a, c1 - b, c2 - c]
                if total > goal:
                    numbers[0] = a
                    numbers[1] = b
                    numbers[2] = c
                    return total
    return total


@kernel
def take_cards(rules, key, kingdom, unseen, shares, chosen, hidden):
    """Add the chosen numbers of cards of each value to the piles' covered cards."""
    items = np.empty(CARDS, np.int16)
    for value in range(1, VALUES + 1):
        row, at = chosen[value - 1], 0
        size = list_set(of_value(rules, kingdom, unseen, value), items, 0)
        mix_up(mix(key, value), items, 0, size, size)
        for j in range(OPPONENTS):
            following = at + int(shares[value - 1, row, j])
            hidden[j] |= set_of(items, at, following)
            at = following
