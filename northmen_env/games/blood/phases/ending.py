"""The end of a turn and of the game (BLOOD-PHASE-06, BLOOD-END)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import FROM_SETTLEMENT, PASS, Event
from northmen_env.games.blood.amounts import BANDITS_WIN, NOTHING, ONE, SIX
from northmen_env.games.blood.board import take_warbands
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.choices import decider, list_cells, seat_of, tile_on
from northmen_env.games.blood.phases.piles import pile_left
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import reaches_bjarmia
from northmen_env.games.blood.scoring import final_winners
from northmen_env.games.blood.state import Decision, Move, Run
from northmen_env.games.blood.tables import SEATS
from northmen_env.games.blood.tilesets import WORDS, clear

# ---- Points ---------------------------------------------------------------------------------------------------------


@kernel
def score_point(rules, state, p, source):
    """Score a point of a colour with a warband from `source`: FROM_SETTLEMENT or a tile of the map."""
    if source == FROM_SETTLEMENT:
        state.settlement[p] -= 1
    else:
        take_warbands(state, p, source, ONE)
    state.vp[p] += 1
    emit(rules, state, Event.POINT, seat_of(rules, p), source, NOTHING)


@kernel
def sixth_points(rules, state):
    """Return the bit set of the colours with six points."""
    winners = 0
    for p in range(np.int64(rules.colours)):
        if state.vp[p] >= SIX:
            winners |= 1 << p
    return winners


@kernel
def offer_point_source(rules, state, p, decision):
    """Ask where the warband for a point comes from: D22, for bandits B7."""
    state.player = decider(rules, p)
    state.decision = decision
    return Stage.OFFERED


@kernel
def legal_point_source(rules, state, ids):
    """D22: any own tile of the map, or no point (BLOOD-RESOLVE-06)."""
    p = np.int64(state.player)
    ids[0] = PASS
    return list_cells(state, state.army[p, 0], state.army[p, 1], ids, ONE)


@kernel
def vikings_point(rules, state, action):
    """D22 of Vikings."""
    if action != PASS:
        score_point(rules, state, np.int64(state.player), tile_on(state, action))
    return Stage.RAIDED


# ---- End of a turn --------------------------------------------------------------------------------------------------


@kernel
def end_turn(rules, state):
    """Steps 1 to 3 of PHASE-06."""
    p = np.int64(state.active)
    for w in range(WORDS):
        state.prepared[p, w] |= state.fresh[w]  # BLOOD-TUSK-02
    clear(state.fresh)
    if reaches_bjarmia(rules, state, p):
        emit(rules, state, Event.BJARMIA, p, NOTHING, NOTHING)
        return end_game(rules, state, 1 << p)
    raider = find_raider(rules, state)
    if raider < 0 or (state.settlement[raider] == 0 and state.mustered[raider] == 0):
        return Stage.RAIDED
    emit(rules, state, Event.VIKINGS, raider, NOTHING, NOTHING)
    if state.settlement[raider] == 0:
        return offer_point_source(rules, state, raider, Decision.D22)
    score_point(rules, state, raider, FROM_SETTLEMENT)
    return Stage.RAIDED


@kernel
def find_raider(rules, state):
    """Return the seat whose Vikings score now, or -1 (BLOOD-ABIL-09)."""
    for p in range(np.int64(rules.num_players)):
        if state.ability[p] == Ability.VIKINGS and (p == state.active or rules.vikings_every_turn != 0):
            for village in range(4):
                held0 = state.army[p, 0] & rules.village_set[village, 0]
                held1 = state.army[p, 1] & rules.village_set[village, 1]
                if count(held0) + count(held1) >= 2:
                    return p
    return -1


@kernel
def after_vikings(rules, state):
    """The rest of PHASE-06."""
    winners = sixth_points(rules, state)
    if winners != 0:
        return end_game(rules, state, winners)
    if pile_left(state) == 0:
        return end_game(rules, state, BANDITS_WIN if rules.solo != 0 else final_winners(rules, state))
    if rules.solo != 0:
        return Stage.CARD
    return next_turn(rules, state)


@kernel
def next_turn(rules, state):
    """Make the next seat active."""
    state.laid = 0
    following = np.int64(state.active) + 1
    state.active = following if following < rules.num_players else 0
    return Stage.TURN


# ---- End of the game ------------------------------------------------------------------------------------------------


@kernel
def end_game(rules, state, winners):
    """Write the end; every context is empty there, but for the fresh tiles (BLOOD-PHASE-08)."""
    state.winners = winners
    state.player = -1
    state.decision = Decision.END
    state.laid = 0
    leave_village(state)
    leave_actions(state)
    leave_battle(state)
    leave_bandits(state)
    emit(rules, state, Event.END, NOTHING, NOTHING, NOTHING)
    return Stage.OFFERED


@kernel
def leave_village(state):
    state.village_left = 0
    state.furs_returned = 0
    state.silver_tile = 0


@kernel
def leave_actions(state):
    state.phase = 0
    state.a = 0
    state.b = 0
    state.performed = 0
    state.drawn = 0
    state.drew_earlier = 0
    leave_move(state)


@kernel
def leave_move(state):
    state.move_kind = Move.NONE
    state.move_source = 0
    state.move_count = 0


@kernel
def leave_battle(state):
    state.battle_tile = 0
    state.battle_size = 0
    state.battle_at = 0
    state.battle_add = 0
    for i in range(SEATS):
        state.battle_order[i] = -1
        state.battle_owed[i] = 0
        state.battle_strength[i] = 0
        clear(state.battle_revealed[i])


@kernel
def leave_bandits(state):
    state.card = 0
    state.effect = 0
    state.left = 0
    state.target = 0
    clear(state.remaining)
    clear(state.served)
    leave_run(state)
    state.forbidden_from = 0
    state.forbidden_to = 0
    state.won = 0
    state.last_won = 0
    state.bribed = 0


@kernel
def leave_run(state):
    state.run_kind = Run.NONE
    state.run_first = Move.NONE
    state.run_left[:] = 0
    state.move_from = 0
    state.move_via = 0
    state.one = 0
