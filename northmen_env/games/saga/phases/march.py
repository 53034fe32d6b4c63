"""The marching phase up to the moves: control (M1), kingdom turns (M2, M3) and DELAY (D4); battles, collecting (M4,
M5) and the clean-up (M7)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import DELAY, PASS, Event
from northmen_env.games.saga.amounts import DELAY_COST, NOTHING, ROUNDS
from northmen_env.games.saga.phases.moves import begin_move
from northmen_env.games.saga.phases.pieces import drive_out, present, spend, strongest
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS

FIRST_PASS = 1  # M2
SECOND_PASS = 2  # M3


@kernel
def take_control(rules, state):
    """M1: the strongest seat of each kingdom keeps its pieces, the others lose theirs (SAGA-MARCH-01..06)."""
    for kingdom in range(np.int64(rules.num_kingdoms)):
        winner = strongest(rules, state, kingdom)
        state.controller[kingdom] = winner
        if winner >= 0:
            drive_out(rules, state, kingdom, winner)
            emit(rules, state, Event.CONTROL, winner, kingdom, NOTHING)
    state.march_pass = FIRST_PASS
    state.kingdom = 0
    return Stage.KINGDOM


@kernel
def begin_kingdom(rules, state):
    """M2, M3: the turn of `state.kingdom`, in chart order (SAGA-MARCH-07, -09)."""
    kingdom = np.int64(state.kingdom)
    if kingdom == rules.num_kingdoms:
        return end_pass(state)
    seat = np.int64(state.controller[kingdom])
    if state.march_pass == SECOND_PASS:
        if state.delayed[kingdom] != 0:
            return begin_move(rules, state, seat)
    elif seat >= 0:
        if state.time_used[seat] != 0 or state.infamy[seat] < DELAY_COST:
            return begin_move(rules, state, seat)
        state.player = seat
        state.decision = Decision.DELAY
        return Stage.OFFERED
    state.kingdom = kingdom + 1
    return Stage.KINGDOM


@kernel
def end_pass(state):
    if state.march_pass == FIRST_PASS:
        state.march_pass = SECOND_PASS
        state.kingdom = 0
        return Stage.KINGDOM
    state.march_pass = 0
    state.kingdom = -1
    return Stage.BATTLES


# D4 DELAY -------------------------------------------------------------------------------------------------------------


@kernel
def legal_delay(rules, state, ids):
    ids[0] = DELAY
    ids[1] = PASS
    return 2


@kernel
def delay(rules, state, action):
    """Pay 5 and put the time token on the kingdom: it moves after all others (SAGA-MARCH-08)."""
    seat, kingdom = np.int64(state.player), np.int64(state.kingdom)
    if action != DELAY:
        return begin_move(rules, state, seat)
    spend(state, seat, DELAY_COST)
    state.time_used[seat] = 1
    state.delayed[kingdom] = 1
    emit(rules, state, Event.DELAY, seat, kingdom, NOTHING)
    state.kingdom = kingdom + 1
    return Stage.KINGDOM


# After the moves ------------------------------------------------------------------------------------------------------


@kernel
def fight_and_collect(rules, state):
    """M4 and M5: region by region, because battles do not depend on each other (SAGA-MARCH-18..22)."""
    for region in range(np.int64(rules.num_regions)):
        place = KINGDOMS + region
        winner = strongest(rules, state, place)
        if winner < 0:
            continue
        if drive_out(rules, state, place, winner):
            emit(rules, state, Event.BATTLE, winner, region, NOTHING)
        tokens = np.int64(state.tokens[region])
        if tokens > 0 and present(rules, state, place, winner):
            state.plunder[winner] += tokens
            state.tokens[region] = 0
            emit(rules, state, Event.COLLECT, winner, region, tokens)
    state.player = state.leader
    return Stage.ROUTES


@kernel
def clean_up(rules, state):
    """M7: pieces in regions and time tokens return to their owners (SAGA-MARCH-26)."""
    for seat in range(np.int64(rules.num_players)):
        for region in range(np.int64(rules.num_regions)):
            place = KINGDOMS + region
            state.reserve[seat] += state.cubes[place, seat]
            state.hero_supply[seat] += state.heroes[place, seat]
            state.cubes[place, seat] = 0
            state.heroes[place, seat] = 0
        state.time_used[seat] = 0
    for kingdom in range(np.int64(rules.num_kingdoms)):
        state.controller[kingdom] = -1
        state.delayed[kingdom] = 0
    if state.round_number == ROUNDS and rules.final_planning == 0:  # SAGA-TURN-02
        return Stage.FINAL
    state.player = state.leader
    return Stage.BUYING
