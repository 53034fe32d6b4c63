"""The rulebook's Setup, and the purposes of Blood's random draws."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit, emit_secret
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import draw, shuffle, stream
from northmen_env.games.blood.actions import Event
from northmen_env.games.blood.amounts import FIRST_HAND, NOTHING, PIECES, ZERO
from northmen_env.games.blood.board import forget
from northmen_env.games.blood.phases.ending import (
    leave_actions,
    leave_bandits,
    leave_battle,
    leave_village,
)
from northmen_env.games.blood.phases.laying import begin_turn
from northmen_env.games.blood.phases.piles import into_hand, take_top
from northmen_env.games.blood.state import CITADELS
from northmen_env.games.blood.tables import SEATS, TILES
from northmen_env.games.blood.tilesets import clear, include

# Purposes of random draws: nothing after set-up is left to chance (BLOOD-SETUP-11).
# Owner 0, occurrence 0, item = ability id: the seats get those with the lowest draws, in order.
PURPOSE_ABILITIES = np.int64(1)
# Owner 0, occurrence = number of the deal (0, or more after BLOOD-SETUP-07), item = tile id.
PURPOSE_TILES = np.int64(2)


@kernel
def setup(rules, state, seed):
    """Write a new game, up to its first decision. Everything in `state` is overwritten.

    On an empty map every tile can be laid (BLOOD-PLACE-01), so that the first turn always begins with a choice.
    """
    empty(state)
    state.seed = seed
    for p in range(np.int64(rules.colours)):
        state.settlement[p] = PIECES
    deal_abilities(rules, state)
    first, occurrence = NOTHING, ZERO
    while first < 0:
        shuffle_tiles(rules, state, occurrence)
        first = deal_first(rules, state)
        occurrence += 1
    fill_hands(rules, state, first)
    state.active = first
    begin_turn(rules, state)


@kernel
def empty(state):
    """Write what every game begins with."""
    state.player = 0
    state.decision = 0
    state.active = 0
    state.winners = 0
    state.pile[:] = 0
    state.pile_top = TILES
    state.hand[:, :] = 0
    state.hand_size[:] = 0
    state.prepared[:, :] = 0
    state.held[:, :] = 0
    clear(state.fresh)
    clear(state.discard)
    clear(state.removed)
    clear(state.on_map)
    state.cell[:] = 0
    state.rotation[:] = 0
    state.warbands[:, :] = 0
    for number in range(CITADELS):
        state.citadel_tile[number] = 0
        state.citadel_side[number] = 0
        state.citadel_owner[number] = -1
        state.citadel_permanent[number] = 0
    state.settlement[:] = 0
    state.vp[:] = 0
    state.reserve[:] = 0
    state.ability[:] = -1
    forget(state)
    state.laid = 0
    state.placing_tile = 0
    state.placing_cell = -1
    state.breach = -1
    leave_village(state)
    leave_actions(state)
    leave_battle(state)
    leave_bandits(state)
    for viewer in range(SEATS):
        if state.event_count[viewer] != 0:
            state.event_count[viewer] = 0
            state.event_rows[viewer, :, :] = 0


@kernel
def deal_abilities(rules, state):
    """Give each seat an ability of the pool, none twice (BLOOD-SETUP-02)."""
    key = stream(state.seed, PURPOSE_ABILITIES, ZERO, ZERO)
    size, taken = np.int64(rules.num_abilities), 0
    if size == 0:
        return
    for p in range(np.int64(rules.num_players)):
        best, lowest = -1, 0
        for i in range(size):
            ability = np.int64(rules.ability_pool[i])
            value = draw(key, ability)
            if (taken >> ability) & 1 == 0 and (best < 0 or value < lowest):
                best, lowest = ability, value
        taken |= 1 << best
        state.ability[p] = best


@kernel
def shuffle_tiles(rules, state, occurrence):
    """Shuffle all tiles; the first `pile_size` of them are the pile, the others leave the game (SETUP-04, -05)."""
    for i in range(TILES):
        state.pile[i] = 1 + i
    shuffle(stream(state.seed, PURPOSE_TILES, ZERO, occurrence), state.pile, TILES)
    size = np.int64(rules.pile_size)
    top = TILES - size
    clear(state.removed)
    for i in range(size, TILES):
        include(state.removed, np.int64(state.pile[i]))
    for i in range(TILES - 1, -1, -1):
        state.pile[i] = state.pile[i - top] if i >= top else 0  # the pile always ends at TILES
    state.pile_top = top


@kernel
def deal_first(rules, state):
    """Deal tiles face up until one seat alone has most mountain sides; return it (BLOOD-SETUP-06, -07).

    Returns -1 where the pile runs out before: then all is shuffled anew. In solo play nothing is dealt.
    """
    n = np.int64(rules.num_players)
    if n == 1:
        return 0
    state.hand[:, :] = 0
    state.held[:, :] = 0
    state.hand_size[:] = 0
    tied = (1 << n) - 1
    while tied & (tied - 1) != 0:
        best, leaders = -1, 0
        for p in range(n):
            if (tied >> p) & 1 == 0:
                continue
            tile = take_top(state)
            if tile == 0:
                return -1
            into_hand(state, p, tile)
            include(state.held[p], tile)  # BLOOD-SETUP-09
            emit(rules, state, Event.DEAL_UP, p, tile, NOTHING)
            mountains = np.int64(rules.mountains[tile])
            if mountains > best:
                best, leaders = mountains, 1 << p
            elif mountains == best:
                leaders |= 1 << p
        tied = leaders
    first = 0
    while (tied >> first) & 1 == 0:
        first += 1
    return first


@kernel
def fill_hands(rules, state, first):
    """Fill the hands face down, clockwise from the first player: to three, four, five and so on (BLOOD-SETUP-08)."""
    n = np.int64(rules.num_players)
    for distance in range(n):
        p = (first + distance) % n
        while state.hand_size[p] < FIRST_HAND + distance:
            tile = take_top(state)
            into_hand(state, p, tile)
            emit_secret(rules, state, Event.DEAL, p, tile, NOTHING)
