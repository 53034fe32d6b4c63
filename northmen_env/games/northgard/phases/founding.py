"""The decisions of Setup: clans, then two rounds of tiles and groups (NORTH-SETUP-06 … -20).

The frame SETUP never goes on by itself: each of its decisions leads to the next.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw, stream
from northmen_env.games.northgard.actions import CELL, CLAN, PICK, ROT, YES, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import terr_of
from northmen_env.games.northgard.card_table import FIRST_CLAN, STARTING
from northmen_env.games.northgard.decks import add_discard, shuffle_discard
from northmen_env.games.northgard.laying import can_lay
from northmen_env.games.northgard.options import CLANS, Clan
from northmen_env.games.northgard.phases.explore import lay_chosen
from northmen_env.games.northgard.phases.frames import ask, pop, push
from northmen_env.games.northgard.phases.lairs import pile_up, place_creature, reveal
from northmen_env.games.northgard.phases.recruit import kaija_waits
from northmen_env.games.northgard.phases.second import list_group_places, put_group
from northmen_env.games.northgard.phases.stack import draw_tile, insert_tile, put_under, shuffle_stack, take_tile_out
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import HAND_TILES, Decision, Frame, Phase
from northmen_env.games.northgard.tables import CLAN_CARDS, RESOURCES

# Purposes of random draws. Owner 0, occurrence 0: item 0, the first player; item = clan, the lowest draws are dealt.
PURPOSE_FIRST = np.int64(7)
PURPOSE_CLANS = np.int64(8)

BOTH_UPGRADES = 3  # bit set


# CLAN (NORTH-SETUP-06) -----------------------------------------------------------------------------------------------


@kernel
def list_clans(rules, state, ids):
    """CLAN."""
    n = 0
    for clan in range(CLANS):
        free = True
        for p in range(np.int64(rules.num_players)):
            free = free and state.clan[p] != clan
        if free:
            ids[n] = CLAN + clan
            n += 1
    return n


@kernel
def answer_clan(rules, state, action):
    p = np.int64(state.player)
    take_clan(rules, state, p, action - CLAN)
    if p + 1 < rules.num_players:
        ask(state, p + 1, Decision.CLAN)
        return Stage.OFFERED
    return prepare(rules, state)


@kernel
def take_clan(rules, state, p, clan):
    state.clan[p] = clan
    if clan == Clan.BEAR:
        state.bear = p
    elif clan == Clan.SNAKE:
        state.snake = p
    emit(rules, state, Event.CLAN, p, clan, NOTHING)


@kernel
def deal_clans(rules, state):
    """Give the seats the clans of the configuration's list, or different ones at random."""
    key, taken = stream(state.seed, PURPOSE_CLANS, ZERO, ZERO), 0
    for p in range(np.int64(rules.num_players)):
        best, lowest = np.int64(rules.clan_list[p]), 0
        if best < 0:
            for clan in range(CLANS):
                value = draw(key, clan)
                if (taken >> clan) & 1 == 0 and (best < 0 or value < lowest):
                    best, lowest = np.int64(clan), value
            taken |= 1 << best
        take_clan(rules, state, p, best)


# What each player gets (NORTH-SETUP-07 … -12) ------------------------------------------------------------------------


@kernel
def prepare(rules, state):
    """Deck, marker, resources, creature pile and three tiles for each player; then the two rounds begin."""
    n = np.int64(rules.num_players)
    for p in range(n):
        for card in STARTING:
            add_discard(state, p, card)
        add_discard(state, p, FIRST_CLAN + CLAN_CARDS * np.int64(state.clan[p]))
        shuffle_discard(rules, state, p)
        state.upgrades[p] = BOTH_UPGRADES
    first = below(draw(stream(state.seed, PURPOSE_FIRST, ZERO, ZERO), ZERO), n)
    state.marker = first
    emit(rules, state, Event.FIRST, first, NOTHING, NOTHING)
    for place in range(n):
        for r in range(RESOURCES):
            state.resources[(first + place) % n, r] = rules.start_resources[place, r]
    if rules.creatures != 0:
        pile_up(rules, state)
    for place in range(n):
        p = (first + place) % n
        for _ in range(HAND_TILES):
            take_setup_tile(rules, state, p)
    state.phase = Phase.SETUP
    state.setup_round = 1
    return Stage.SETUP


@kernel
def take_setup_tile(rules, state, p):
    """Draw a tile into a seat's private hand."""
    tile = draw_tile(state)
    insert_tile(state.tile_hand[p], tile)
    emit_to(rules, state, p, Event.TILE, p, tile, NOTHING)


# Two rounds (NORTH-SETUP-13, -14) ------------------------------------------------------------------------------------


@kernel
def next_founder(rules, state):
    """Let the next seat of the round place a tile; after the second round the first year begins."""
    n = np.int64(rules.num_players)
    if state.turn < 0:
        state.turn = state.marker
    else:
        state.turn = (np.int64(state.turn) + 1) % n
        if state.turn == state.marker:
            if state.setup_round == 2:
                return end_setup(rules, state)
            state.setup_round = 2
    push(state, Frame.SETUP, NOTHING)
    if not find_founding_tile(rules, state):
        pop(state)
        return Stage.SETUP
    ask(state, np.int64(state.turn), Decision.SETUP_TILE)
    return Stage.OFFERED


@kernel
def find_founding_tile(rules, state):
    """Exchange tiles until one of the hand can be placed, at most once through the stack (NORTH-SETUP-18)."""
    p = np.int64(state.turn)
    for _ in range(np.int64(state.stack_size)):
        if hand_fits(rules, state, p):
            return True
        tile = np.int64(state.tile_hand[p, 0])
        take_tile_out(state.tile_hand[p], tile)
        put_under(state, tile, 1 << p)
        emit_to(rules, state, p, Event.UNDER, p, tile, NOTHING)
        take_setup_tile(rules, state, p)
    return hand_fits(rules, state, p)


@kernel
def hand_fits(rules, state, p):
    """Return whether a tile of the hand has a placement."""
    for i in range(HAND_TILES):
        tile = np.int64(state.tile_hand[p, i])
        if tile >= 0 and can_lay(rules, state, tile):
            return True
    return False


@kernel
def list_founding_tiles(rules, state, ids):
    """SETUP_TILE."""
    p, n = np.int64(state.turn), 0
    for i in range(HAND_TILES):
        tile = np.int64(state.tile_hand[p, i])
        if tile >= 0 and can_lay(rules, state, tile):
            ids[n] = PICK + i
            n += 1
    return n


@kernel
def answer_founding_tile(rules, state, action):
    p = np.int64(state.turn)
    state.tile = state.tile_hand[p, action - PICK]
    ask(state, p, Decision.SETUP_CELL)
    return Stage.OFFERED


@kernel
def answer_founding_cell(rules, state, action):
    state.cell = action - CELL
    ask(state, np.int64(state.turn), Decision.SETUP_ROT)
    return Stage.OFFERED


@kernel
def answer_founding_turn(rules, state, action):
    """The tile is laid; a creature appears in its lair without acting (NORTH-SETUP-19)."""
    p, tile = np.int64(state.turn), np.int64(state.tile)
    take_tile_out(state.tile_hand[p], tile)
    lay_chosen(rules, state, action - ROT)
    area = np.int64(rules.tile_lair[tile])
    if rules.creatures != 0 and area >= 0:
        creature = reveal(rules, state)
        if creature >= 0:
            t = np.int64(state.root[np.int64(state.plot_base[state.tiles - 1]) + area])
            place_creature(rules, state, creature, t)
    ask(state, p, Decision.SETUP_TERR)
    return Stage.OFFERED


@kernel
def list_founding_places(rules, state, ids):
    """SETUP_TERR."""
    return list_group_places(state, ids, ZERO)


@kernel
def answer_founding_place(rules, state, action):
    p = np.int64(state.turn)
    state.place = terr_of(state, action)
    if kaija_waits(state, p):
        ask(state, p, Decision.SETUP_KAIJA)
        return Stage.OFFERED
    return found(rules, state, ZERO)


@kernel
def answer_founding_kaija(rules, state, action):
    return found(rules, state, ONE if action == YES else ZERO)


@kernel
def found(rules, state, kaija):
    """Put the group into `state.place` (NORTH-SETUP-17)."""
    put_group(rules, state, np.int64(state.turn), np.int64(state.place), kaija)
    state.place = -1
    pop(state)
    return Stage.SETUP


@kernel
def end_setup(rules, state):
    """The tiles that are left go back into the stack, which is shuffled (NORTH-SETUP-20)."""
    for p in range(np.int64(rules.num_players)):
        for i in range(HAND_TILES):
            tile = np.int64(state.tile_hand[p, i])
            if tile >= 0:
                put_under(state, tile, ZERO)
            state.tile_hand[p, i] = -1
    shuffle_stack(state)
    emit(rules, state, Event.SHUFFLE, NOTHING, ZERO, NOTHING)
    state.setup_round = 0
    return Stage.YEAR
