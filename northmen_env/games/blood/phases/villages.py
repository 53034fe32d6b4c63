"""Village actions (module Goods): SAILS (D07), FURS (D08), MEAD (D09), SILVER (D10, D11), TUSK (D12)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.events import emit, emit_secret
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import (
    DO,
    FROM_POINTS,
    FROM_RESERVE,
    FROM_SETTLEMENT,
    PASS,
    RES,
    TILE,
    VP,
    Event,
)
from northmen_env.games.blood.amounts import ALL_VILLAGES, HIGH, LOW, NOTHING, ONE, ZERO
from northmen_env.games.blood.board import contested, rivals, take_warbands
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.choices import any_of, list_cells, list_tiles, tile_on
from northmen_env.games.blood.phases.ending import end_game, leave_village, sixth_points
from northmen_env.games.blood.phases.piles import out_of_hand
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tile_table import Village
from northmen_env.games.blood.tilesets import exclude, include


@kernel
def begin_village(rules, state):
    """Offer Sails, or count the village actions; without a village or the module go on to the forest phase."""
    p, laid = np.int64(state.player), np.int64(state.laid)
    if rules.goods == 0 or rules.village[laid] < 0:
        return Stage.FOREST
    in_hand = villages_in_hand(rules, state, p, LOW) | villages_in_hand(rules, state, p, HIGH)
    if state.ability[p] == Ability.SAILS and in_hand != 0:
        state.decision = Decision.D07
        return Stage.OFFERED
    return count_actions(rules, state, ZERO)


@kernel
def villages_in_hand(rules, state, p, w):
    """Return word `w` of the set of village tiles in a hand."""
    return state.hand[p, w] & rules.village_set[ALL_VILLAGES, w]


# D07 SAILS -----------------------------------------------------------------------------------------------------------


@kernel
def legal_sails(rules, state, ids):
    p = np.int64(state.player)
    ids[0] = PASS
    return list_tiles((villages_in_hand(rules, state, p, LOW), villages_in_hand(rules, state, p, HIGH)), ids, ONE)


@kernel
def sail(rules, state, action):
    """The discarded village counts as one more held alone (BLOOD-ABIL-04)."""
    if action == PASS:
        return count_actions(rules, state, ZERO)
    tile = action - TILE
    out_of_hand(state, np.int64(state.player), tile)
    include(state.discard, tile)
    emit(rules, state, Event.SAILS, np.int64(state.player), tile, NOTHING)
    return count_actions(rules, state, 2 if rules.village[tile] == rules.village[state.laid] else 1)


@kernel
def count_actions(rules, state, more):
    """Take the count of VILL-01: villages held alone, those of the laid type twice."""
    p, village = np.int64(state.player), np.int64(rules.village[state.laid])
    for w in range(2):
        alone = state.army[p, w] & ~rivals(rules, state, p, w)
        more += count(alone & rules.village_set[ALL_VILLAGES, w]) + count(alone & rules.village_set[village, w])
    state.village_left = more
    return Stage.VILLAGE_ACTION


@kernel
def next_village_action(rules, state):
    """Offer the next village action, as long as one is left that can be performed."""
    village = np.int64(rules.village[state.laid])
    if state.village_left > 0:
        if village == Village.FURS and any_furs(rules, state):
            state.decision = Decision.D08
            return Stage.OFFERED
        if village == Village.MEAD and any_mead(state):
            state.decision = Decision.D09
            return Stage.OFFERED
        if village == Village.SILVER and any_silver(rules, state):
            state.decision = Decision.D10
            return Stage.OFFERED
        if village == Village.TUSK and state.hand_size[state.player] > 0:
            state.decision = Decision.D12
            return Stage.OFFERED
    return end_village(rules, state)


@kernel
def end_village(rules, state):
    leave_village(state)
    return Stage.FOREST


# D08 FURS ------------------------------------------------------------------------------------------------------------


@kernel
def points_before_furs(state, p):
    """Return the points from which the next furs action counts on (BLOOD-FURS-01)."""
    return np.int64(state.vp[p]) if state.furs_returned != 0 else 0


@kernel
def settlement_before_furs(state, p):
    """Return the settlement after the return of FURS-01, if that is still due."""
    return np.int64(state.settlement[p]) + (0 if state.furs_returned != 0 else np.int64(state.vp[p]))


@kernel
def furs_limit(state, p):
    """Return map + cit of FURS-03."""
    return np.int64(state.mustered[p]) + np.int64(state.walls[p])


@kernel
def any_furs(rules, state):
    """Return whether a furs action can be performed."""
    p = np.int64(state.player)
    points, limit = points_before_furs(state, p) + 1, furs_limit(state, p)
    if settlement_before_furs(state, p) >= 1 or state.reserve[p] >= 1:
        return points <= limit
    return state.mustered[p] > 0 and points <= limit - 1


@kernel
def legal_furs(rules, state, ids):
    p = np.int64(state.player)
    points, limit = points_before_furs(state, p) + 1, furs_limit(state, p)
    ids[0] = PASS
    if settlement_before_furs(state, p) >= 1:
        ids[1] = DO
        return 2 if points <= limit else 1
    n = 1
    if state.reserve[p] >= 1 and points <= limit:
        ids[n] = RES
        n += 1
    if points <= limit - 1:
        n = list_cells(state, state.army[p, 0], state.army[p, 1], ids, n)
    return n


@kernel
def do_furs(rules, state, action):
    if action == PASS:
        return end_village(rules, state)
    p = np.int64(state.player)
    if state.furs_returned == 0:
        points = np.int64(state.vp[p])
        state.settlement[p] += points
        state.vp[p] = 0
        state.furs_returned = 1
        emit(rules, state, Event.RETURN, p, points, NOTHING)
    source = FROM_SETTLEMENT
    if action == DO:
        state.settlement[p] -= 1
    elif action == RES:
        source = FROM_RESERVE
        state.reserve[p] -= 1
    else:
        source = tile_on(state, action)
        take_warbands(state, p, source, ONE)
    state.vp[p] += 1
    state.village_left -= 1
    emit(rules, state, Event.FURS, p, source, NOTHING)
    winners = sixth_points(rules, state)
    if winners != 0:
        return end_game(rules, state, winners)
    return Stage.VILLAGE_ACTION


# D09 MEAD ------------------------------------------------------------------------------------------------------------


@kernel
def any_mead(state):
    p = np.int64(state.player)
    return state.settlement[p] > 0 or state.vp[p] > 0 or state.mustered[p] > 0


@kernel
def legal_mead(rules, state, ids):
    """From the settlement; where that is empty, from the map or the points (BLOOD-MEAD-01)."""
    p = np.int64(state.player)
    ids[0] = PASS
    if state.settlement[p] > 0:
        ids[1] = DO
        return 2
    n = 1
    if state.vp[p] > 0:
        ids[n] = VP
        n += 1
    return list_cells(state, state.army[p, 0], state.army[p, 1], ids, n)


@kernel
def do_mead(rules, state, action):
    if action == PASS:
        return end_village(rules, state)
    p = np.int64(state.player)
    source = FROM_SETTLEMENT
    if action == DO:
        state.settlement[p] -= 1
    elif action == VP:
        source = FROM_POINTS
        state.vp[p] -= 1
    else:
        source = tile_on(state, action)
        take_warbands(state, p, source, ONE)
    state.reserve[p] += 1
    state.village_left -= 1
    emit(rules, state, Event.MEAD, p, source, NOTHING)
    return Stage.VILLAGE_ACTION


# D10 SILVER, D11 SILVER DISCARD --------------------------------------------------------------------------------------


@kernel
def any_silver(rules, state):
    p = np.int64(state.player)
    return state.hand_size[p] > 0 and contested(rules, state, p, LOW) | contested(rules, state, p, HIGH) != 0


@kernel
def legal_silver(rules, state, ids):
    p = np.int64(state.player)
    ids[0] = PASS
    return list_cells(state, contested(rules, state, p, LOW), contested(rules, state, p, HIGH), ids, ONE)


@kernel
def choose_silver(rules, state, action):
    """Choose the tile; the discard is owed then, and not asked for where there is one hand tile only."""
    if action == PASS:
        return end_village(rules, state)
    p = np.int64(state.player)
    state.silver_tile = tile_on(state, action)
    if state.hand_size[p] == 1:
        return do_silver(rules, state, any_of(state.hand[p, 0], state.hand[p, 1]))
    state.decision = Decision.D11
    return Stage.OFFERED


@kernel
def legal_hand(rules, state, ids):
    """Any hand tile: D11."""
    return list_tiles(state.hand[state.player], ids, ZERO)


@kernel
def discard_for_silver(rules, state, action):
    return do_silver(rules, state, action - TILE)


@kernel
def do_silver(rules, state, tile):
    """Discard a hand tile and send home one warband of each other colour (BLOOD-SILVER-01)."""
    p, at = np.int64(state.player), np.int64(state.silver_tile)
    out_of_hand(state, p, tile)
    include(state.discard, tile)
    for other in range(np.int64(rules.colours)):
        if other != p and state.warbands[at, other] > 0:
            take_warbands(state, other, at, ONE)
            state.settlement[other] += 1
    emit(rules, state, Event.SILVER, p, at, tile)
    state.silver_tile = 0
    state.village_left -= 1
    return Stage.VILLAGE_ACTION


# D12 TUSK ------------------------------------------------------------------------------------------------------------


@kernel
def legal_tusk(rules, state, ids):
    ids[0] = PASS
    return list_tiles(state.hand[state.player], ids, ONE)


@kernel
def do_tusk(rules, state, action):
    """Put a hand tile face down among the prepared ones; it stays in `held` if it was there (BLOOD-INFO-03)."""
    if action == PASS:
        return end_village(rules, state)
    p, tile = np.int64(state.player), action - TILE
    exclude(state.hand[p], tile)
    state.hand_size[p] -= 1
    include(state.fresh, tile)
    state.village_left -= 1
    emit_secret(rules, state, Event.TUSK, p, tile, NOTHING)
    return Stage.VILLAGE_ACTION
