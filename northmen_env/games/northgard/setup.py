"""The rulebook's Setup (section 2), and the purposes of Northgard's random draws.

1 draw piles (decks.py)          4 the tile stack (phases/stack.py)   7 first player (phases/founding.py)
2 dice (phases/dice.py)          5 development cards                  8 clans (phases/founding.py)
3 creatures (phases/lairs.py)    6 achievements
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.engine.random import shuffle, stream
from northmen_env.games.northgard.amounts import ZERO
from northmen_env.games.northgard.board import lay_tile
from northmen_env.games.northgard.card_table import FIRST_ACHIEVEMENT
from northmen_env.games.northgard.decks import insert
from northmen_env.games.northgard.phases.founding import deal_clans, prepare
from northmen_env.games.northgard.phases.frames import ask
from northmen_env.games.northgard.phases.stack import shuffle_stack
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.rules import advance
from northmen_env.games.northgard.state import CELLS, DUE, FRAMES, HAND_TILES, Decision, Phase
from northmen_env.games.northgard.tables import (
    ACHIEVEMENTS,
    CARDS,
    CREATURES,
    SEATS,
    SIDES,
    TILES,
    TOKENS,
    UNREST_CARDS,
    Group,
)

# Owner 0, occurrence 0, item = card: the first cards of each group are in the deck, the first one on top.
PURPOSE_DEVELOPMENT = np.int64(5)
# Owner 0, occurrence 0, item = card.
PURPOSE_ACHIEVEMENTS = np.int64(6)

NORTH_UP = np.int64(0)  # rotation of the starting tiles


@kernel
def setup(rules, state, seed):
    """Write a new game, up to its first decision, into a state of zero bytes."""
    empty(state)
    state.seed = seed
    state.year = 1
    state.unrest = UNREST_CARDS
    state.supply[:] = TOKENS
    lay_out_cards(rules, state)
    lay_tile(rules, state, ZERO, ZERO, ZERO, NORTH_UP)
    fill_stack(rules, state)
    if rules.clan_choice != 0:
        state.phase = Phase.CLAN
        ask(state, ZERO, Decision.CLAN)
        advance(rules, state, Stage.OFFERED)
    else:
        deal_clans(rules, state)
        advance(rules, state, prepare(rules, state))


@kernel
def lay_out_cards(rules, state):
    """Make the development deck and lay out the achievements (NORTH-SETUP-02, -03)."""
    items, n = np.empty(CARDS, np.int16), np.int64(rules.num_players)
    key = stream(state.seed, PURPOSE_DEVELOPMENT, ZERO, ZERO)
    early, advanced = np.int64(rules.deck_early), np.int64(rules.deck_advanced)
    take_group(rules, items, Group.ADVANCED, key)
    for i in range(advanced):
        state.deck[advanced - 1 - i] = items[i]
    take_group(rules, items, Group.EARLY, key)
    for i in range(early):
        state.deck[advanced + early - 1 - i] = items[i]
    state.deck_size = advanced + early
    for i in range(ACHIEVEMENTS):
        items[i] = FIRST_ACHIEVEMENT + i
    shuffle(stream(state.seed, PURPOSE_ACHIEVEMENTS, ZERO, ZERO), items, np.int64(ACHIEVEMENTS))
    for i in range(n):
        insert(state.achievements, i, np.int64(items[i]))
    state.achievements_size = n


@kernel
def take_group(rules, items, group, key):
    """Write the cards of a group into `items`, shuffled."""
    size = ZERO
    for card in range(CARDS):
        if rules.card_group[card] == group:
            items[size] = card
            size += 1
    shuffle(key, items, size)


@kernel
def fill_stack(rules, state):
    """Lay the five-player tile, if it is in use, and shuffle all others into the stack (NORTH-SETUP-04, -05)."""
    five = rules.num_players == SEATS
    if five:
        lay_tile(rules, state, np.int64(1), np.int64(1), ZERO, NORTH_UP)
    for tile in range(1, TILES):
        if tile > 1 or (rules.five_tile_in_stack != 0 and not five):
            state.stack[state.stack_size] = tile
            state.stack_size += 1
    shuffle_stack(state)


@kernel
def empty(state):
    """Write what a game begins with, into a state of zero bytes: -1 where 0 says something."""
    state.turn = -1
    state.marker = -1
    state.bear = -1
    state.snake = -1
    state.kaija = -1
    state.token = -1
    for p in range(SEATS):
        state.clan[p] = -1
        for i in range(HAND_TILES):
            state.tile_hand[p, i] = -1
    for creature in range(CREATURES):
        state.creature_at[creature] = -1
    for name in range(CELLS):
        for side in range(SIDES):
            state.front_plot[name, side] = -1
    empty_frames(state)


@kernel
def empty_frames(state):
    """Write the -1 of operations that do not run."""
    for i in range(FRAMES):
        state.frame_row[i] = -1
    for i in range(DUE):
        state.due_place[i] = -1
        state.due_creature[i] = -1
    for i in range(HAND_TILES):
        state.drawn_tile[i] = -1
    state.card = -1
    state.tile = -1
    state.cell = -1
    state.place = -1
    state.creature = -1
    state.swap_give = -1
    state.swap_take = -1
    state.copy_who = -1
    state.src = -1
    state.dst = -1
    state.num = -1
    state.gathered = -1
    state.build_type = -1
    state.build_old = -1
    state.last = -1
    state.victim = -1
    state.named = -1
    state.payer = -1
    state.paid_last = -1
    state.paid_to = -1
    state.fight_at = -1
    state.attacker = -1
    state.defender = -1
    state.foe = -1
    state.food_a = -1
    state.food_d = -1
    state.roll_a = -1
    state.roll_d = -1
    state.face_a = -1
    state.face_d = -1
    state.either = -1
    state.loser = -1
    state.retreat_to = -1
