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
from northmen_env.games.northgard.state import Decision, Phase
from northmen_env.games.northgard.tables import ACHIEVEMENTS, CARDS, SEATS, TILES, TOKENS, UNREST_CARDS, Group

# Owner 0, occurrence 0, item = card: the first cards of each group are in the deck, the first one on top.
PURPOSE_DEVELOPMENT = np.int64(5)
# Owner 0, occurrence 0, item = card.
PURPOSE_ACHIEVEMENTS = np.int64(6)

NORTH_UP = np.int64(0)  # rotation of the starting tiles


@kernel
def setup(rules, state, seed):
    """Write a new game, up to its first decision. Everything in `state` is overwritten."""
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
    shuffle(stream(state.seed, PURPOSE_ACHIEVEMENTS, ZERO, ZERO), items, ACHIEVEMENTS)
    for i in range(n):
        insert(state.achievements, i, np.int64(items[i]))
    state.achievements_size = n


@kernel
def take_group(rules, items, group, key):
    """Write the cards of a group into `items`, shuffled."""
    size = 0
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
    """Write what a game begins with before anything lies on the table: 0, or -1 where 0 says something."""
    state.player = 0
    state.decision = 0
    state.phase = 0
    state.year = 0
    state.turn = -1
    state.marker = -1
    state.setup_round = 0
    state.main_used = 0
    state.resolved = 0
    state.legal_count = 0
    state.legal[:] = 0
    state.passed[:] = 0
    state.taken[:] = 0
    state.kaija_free[:] = 0
    state.conquer[:] = 0
    state.clan[:] = -1
    state.resources[:, :] = 0
    state.fame[:] = 0
    state.on_map[:] = 0
    state.bear = -1
    state.snake = -1
    state.hand_size[:] = 0
    state.hand[:, :] = 0
    state.hand_known[:, :] = 0
    state.pile_size[:] = 0
    state.pile[:, :] = 0
    state.pile_known[:, :] = 0
    state.discard_size[:] = 0
    state.discard[:, :] = 0
    state.played_size[:] = 0
    state.played[:, :] = 0
    state.idle_size[:] = 0
    state.idle[:, :] = 0
    state.upgrades[:] = 0
    state.removed[:] = 0
    state.display_size = 0
    state.display[:] = 0
    state.achievements_size = 0
    state.achievements[:] = 0
    state.deck_size = 0
    state.deck[:] = 0
    state.unrest = 0
    state.supply[:] = 0
    state.tiles = 0
    state.tile_id[:] = 0
    state.tile_x[:] = 0
    state.tile_y[:] = 0
    state.tile_turn[:] = 0
    state.stack_size = 0
    state.stack[:] = 0
    state.stack_known[:] = 0
    state.tile_hand[:, :] = -1
    state.plots = 0
    state.plot_base[:] = 0
    state.slot[:] = 0
    state.root[:] = 0
    state.land[:] = 0
    state.open_land[:] = 0
    state.lairs[:] = 0
    state.owned[:, :] = 0
    state.near[:, :] = 0
    state.smooth[:, :] = 0
    state.open_sides[:] = 0
    state.extent[:] = 0
    state.yields[:, :] = 0
    state.spaces[:, :] = 0
    state.buildings[:, :] = 0
    state.built[:] = 0
    state.units[:, :] = 0
    state.kaija = -1
    state.token = -1
    state.creature_at[:] = -1
    state.line_size = 0
    state.line[:] = 0
    state.creature_pile_size = 0
    state.creature_pile[:] = 0
    state.creature_top = 0
    state.creature_discard = 0
    state.bears[:] = 0
    state.wolves[:] = 0
    state.valkyries[:] = 0
    state.front[:] = 0
    state.front_plot[:, :] = -1
    state.front_need[:] = 0
    state.front_bar[:] = 0
    state.grid[:] = 0
    state.rolls = 0
    state.rolled[:] = 0
    state.dice[:] = 0
    state.shuffles[:] = 0
    state.depth = 0
    state.frame_kind[:] = 0
    state.frame_row[:] = -1
    state.frame_step[:] = 0
    state.card = -1
    state.tile = -1
    state.cell = -1
    state.place = -1
    state.left = 0
    state.creature = -1
    state.awake = 0
    state.second_placed = 0
    state.swap_give = -1
    state.swap_take = -1
    state.swaps = 0
    state.swaps_over = 0
    state.copy_who = -1
    state.chosen = 0
    state.room[:] = 0
    state.recruited[:] = 0
    state.recruit_kaija = 0
    state.src = -1
    state.dst = -1
    state.num = -1
    state.due_size = 0
    state.due_place[:] = -1
    state.due_creature[:] = -1
    state.drawn_tile[:] = -1
    state.redrawn = 0
    state.large_built = 0
    state.gathered = -1
    state.build_type = -1
    state.build_old = -1
    state.drawn_size = 0
    state.drawn[:] = 0
    state.drawn_known[:] = 0
    state.keep = 0
    state.top = 0
    state.last = -1
    state.struck = 0
    state.victim = -1
    state.named = -1
    state.attacked = 0
    state.payer = -1
    state.owed = 0
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
    for viewer in range(SEATS):
        if state.event_count[viewer] != 0:
            state.event_count[viewer] = 0
            state.event_rows[viewer, :, :] = 0
