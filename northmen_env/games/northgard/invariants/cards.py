"""The cards are divided over their places (NORTH-COMP-05, NORTH-DECK-04), as the year has it; so are the tiles."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.card_table import FIRST_ADVANCED, FIRST_CLAN, STARTING
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.frames import runs
from northmen_env.games.northgard.state import HAND_TILES, Decision, Frame, Phase
from northmen_env.games.northgard.tables import (
    CARDS,
    CLAN_CARDS,
    FIRST_ACHIEVEMENT,
    FIRST_EARLY,
    SEATS,
    TILES,
    UNREST,
    UNREST_CARDS,
    Group,
)

_COPIES = tuple(STARTING.count(card) for card in range(FIRST_EARLY))
_SECOND_TILE = 1  # the tile that only five players begin with


@kernel
def check_cards(rules, state):
    if not lists_hold(rules, state):
        return Broken.LISTS
    if not clans_hold(rules, state):
        return Broken.CLANS
    if not cards_conserved(rules, state):
        return Broken.CARDS
    if not tiles_conserved(rules, state):
        return Broken.TILES
    if not year_holds(rules, state):
        return Broken.YEAR
    return Broken.NONE


# Lists ---------------------------------------------------------------------------------------------------------------


@kernel
def is_sorted(cards, size):
    """Return whether a list ascends and holds nothing beyond its size."""
    for i in range(len(cards)):
        if i >= size and cards[i] != 0:
            return False
        if 0 < i < size and cards[i - 1] > cards[i]:
            return False
    return True


@kernel
def is_sorted_known(cards, masks, size, owner):
    """Return whether a list ascends by (card, mask), its owner knows every card, and nothing lies beyond its size."""
    for i in range(len(cards)):
        if i >= size:
            if cards[i] != 0 or masks[i] != 0:
                return False
            continue
        if (np.int64(masks[i]) >> owner) & 1 == 0:
            return False
        if i > 0 and (cards[i - 1] > cards[i] or (cards[i - 1] == cards[i] and masks[i - 1] > masks[i])):
            return False
    return True


@kernel
def is_cut(cards, size):
    """Return whether a pile holds nothing beyond its size."""
    for i in range(size, len(cards)):
        if cards[i] != 0:
            return False
    return True


@kernel
def lists_hold(rules, state):
    for p in range(SEATS):
        hand, pile = np.int64(state.hand_size[p]), np.int64(state.pile_size[p])
        if not is_sorted_known(state.hand[p], state.hand_known[p], hand, p):
            return False
        if not (is_cut(state.pile[p], pile) and is_cut(state.pile_known[p], pile)):
            return False
        if not is_sorted(state.discard[p], np.int64(state.discard_size[p])):
            return False
        if not is_sorted(state.played[p], np.int64(state.played_size[p])):
            return False
        if not is_sorted(state.idle[p], np.int64(state.idle_size[p])):
            return False
    if not is_sorted_known(state.drawn, state.drawn_known, np.int64(state.drawn_size), max(0, np.int64(state.turn))):
        return False
    if not is_sorted(state.display, np.int64(state.display_size)):
        return False
    if not is_sorted(state.achievements, np.int64(state.achievements_size)):
        return False
    stack = np.int64(state.stack_size)
    if not (is_cut(state.deck, np.int64(state.deck_size)) and is_cut(state.stack, stack)):
        return False
    return is_cut(state.stack_known, stack) and is_cut(state.rolled, np.int64(state.rolls))


# Cards ---------------------------------------------------------------------------------------------------------------


@kernel
def clans_hold(rules, state):
    seen, bear, snake = 0, -1, -1
    for p in range(np.int64(rules.num_players)):
        clan = np.int64(state.clan[p])
        if clan < 0:
            if state.phase != Phase.CLAN or state.upgrades[p] != 0:
                return False
            continue
        if (seen >> clan) & 1 != 0:
            return False
        seen |= 1 << clan
        if clan == Clan.BEAR:
            bear = p
        elif clan == Clan.SNAKE:
            snake = p
    return state.bear == bear and state.snake == snake


@kernel
def count_cards(cards, size, found):
    for i in range(size):
        found[cards[i]] += 1


@kernel
def cards_found(rules, state, found):
    """Count the cards of each type wherever they are."""
    for card in range(CARDS):
        found[card] = state.removed[card]
    for p in range(np.int64(rules.num_players)):
        count_cards(state.hand[p], np.int64(state.hand_size[p]), found)
        count_cards(state.pile[p], np.int64(state.pile_size[p]), found)
        count_cards(state.discard[p], np.int64(state.discard_size[p]), found)
        count_cards(state.played[p], np.int64(state.played_size[p]), found)
        count_cards(state.idle[p], np.int64(state.idle_size[p]), found)
        for k in range(1, CLAN_CARDS):
            if (np.int64(state.upgrades[p]) >> (k - 1)) & 1 != 0:
                found[FIRST_CLAN + CLAN_CARDS * np.int64(state.clan[p]) + k] += 1
    count_cards(state.drawn, np.int64(state.drawn_size), found)
    count_cards(state.display, np.int64(state.display_size), found)
    count_cards(state.achievements, np.int64(state.achievements_size), found)
    count_cards(state.deck, np.int64(state.deck_size), found)
    found[UNREST] += state.unrest


@kernel
def cards_conserved(rules, state):
    found = np.zeros(CARDS, np.int64)
    cards_found(rules, state, found)
    n = np.int64(rules.num_players)
    dealt = state.phase != Phase.CLAN
    for card in range(FIRST_EARLY):
        if found[card] != (n * _COPIES[card] if dealt else 0):
            return False
    early, advanced, achievements = 0, 0, 0
    for card in range(FIRST_EARLY, FIRST_CLAN):
        if found[card] > 1:
            return False
        if card < FIRST_ADVANCED:
            early += found[card]
        elif card < FIRST_ACHIEVEMENT:
            advanced += found[card]
        else:
            achievements += found[card]
    if early != rules.deck_early or advanced != rules.deck_advanced or achievements != n:
        return False
    taken = 0
    for p in range(n):
        if state.clan[p] >= 0:
            taken |= 1 << np.int64(state.clan[p])
    for card in range(FIRST_CLAN, UNREST):
        clan = (card - FIRST_CLAN) // CLAN_CARDS
        if found[card] != (1 if dealt and (taken >> clan) & 1 != 0 else 0):
            return False
    return found[UNREST] == UNREST_CARDS and state.removed[UNREST] == 0


# Middle --------------------------------------------------------------------------------------------------------------


@kernel
def year_holds(rules, state):
    """The middle holds what later years deal, and of this year a card for each seat that took none (NORTH-YEAR)."""
    n, year, last = np.int64(rules.num_players), np.int64(state.year), np.int64(rules.years)
    begun = 0 if state.phase in (Phase.CLAN, Phase.SETUP) else year
    if state.deck_size != max(0, last - 1 - begun) * n or state.achievements_size != (0 if begun == last else n):
        return False
    early = max(0, np.int64(rules.deck_early) - begun * n)
    for i in range(np.int64(state.deck_size)):
        if (state.deck[i] < FIRST_ADVANCED) != (i >= state.deck_size - early):
            return False
    if begun == 0:
        return state.display_size == 0
    group = Group.ACHIEVEMENT if year == last else Group.EARLY if year * n <= rules.deck_early else Group.ADVANCED
    for i in range(np.int64(state.display_size)):
        if rules.card_group[state.display[i]] != group:
            return False
    return state.display_size == untaken(rules, state)


@kernel
def untaken(rules, state):
    """Return how many seats may still take a card this year; -1 if `passed` and `taken` do not fit."""
    turn, number = np.int64(state.turn), 0
    asked = turn if state.decision == Decision.PASS_PICK else -1
    for p in range(np.int64(rules.num_players)):
        if state.phase != Phase.ACTIONS and state.passed[p] == 0:
            return -1
        if state.passed[p] != 0 and (state.taken[p] == 0) != (p == asked):
            return -1
        number += 1 - np.int64(state.taken[p])
    return number


# Tiles ---------------------------------------------------------------------------------------------------------------


@kernel
def tiles_conserved(rules, state):
    """Each tile is somewhere exactly once; without five players the second starting tile may be left out."""
    seen = np.int64(0)
    total = np.int64(state.tiles) + np.int64(state.stack_size)
    for i in range(np.int64(state.tiles)):
        seen |= 1 << np.int64(state.tile_id[i])
    for i in range(np.int64(state.stack_size)):
        seen |= 1 << np.int64(state.stack[i])
    for i in range(HAND_TILES):
        for p in range(np.int64(rules.num_players)):
            if state.tile_hand[p, i] >= 0:
                seen |= 1 << np.int64(state.tile_hand[p, i])
                total += 1
        if state.drawn_tile[i] >= 0:
            seen |= 1 << np.int64(state.drawn_tile[i])
            total += 1
    if state.tile >= 0 and not runs(state, Frame.SETUP):
        seen |= 1 << np.int64(state.tile)
        total += 1
    every = (1 << TILES) - 1
    if rules.num_tiles < TILES:
        every &= ~(1 << _SECOND_TILE)
    return total == rules.num_tiles and count(seen) == total and seen == every
