"""A decision is pending only where its seat has a choice and can pay for it (SAGA-TURN-03, -04)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import several
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.amounts import DELAY_COST, HERO_COST, HOLD_COST, ROUTE_COST
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.phases.moves import cube_regions, hero_regions
from northmen_env.games.saga.phases.planning import holdable
from northmen_env.games.saga.phases.rally import draw_options
from northmen_env.games.saga.phases.routes import completable
from northmen_env.games.saga.state import Decision


@kernel
def check_offer(rules, state):
    if state.decision == Decision.END or offered(rules, state):
        return Broken.NONE
    return Broken.OFFER


@kernel
def offered(rules, state):
    seat, decision = np.int64(state.player), np.int64(state.decision)
    infamy = np.int64(state.infamy[seat])
    if decision == Decision.PLAY:
        return several(state.hand[seat])
    if decision == Decision.HIRE:
        return hire_offered(rules, state, seat)
    if decision == Decision.DRAW:
        return several(draw_options(state))
    if decision == Decision.DELAY:
        return infamy >= DELAY_COST and state.time_used[seat] == 0
    if decision == Decision.CUBE:
        return state.cubes[state.kingdom, seat] > 0 and several(cube_regions(rules, state))
    if decision == Decision.HERO:
        return hero_offered(rules, state, seat)
    if decision == Decision.ROUTE:
        return completable(rules, state, seat, np.int64(state.route_last)) != 0
    if decision == Decision.BUY:
        return infamy >= ROUTE_COST and state.route_count > 0
    if decision == Decision.HOLD:
        return infamy >= HOLD_COST and holdable(state) != 0
    return True  # KEEP: the pair is there


@kernel
def hire_offered(rules, state, seat):
    kingdom = np.int64(rules.card_suit[state.card])
    if state.infamy[seat] < HERO_COST or state.hero_supply[seat] == 0:
        return False
    return state.cubes[kingdom, seat] > 0 or rules.hero_needs_cube == 0


@kernel
def hero_offered(rules, state, seat):
    if state.cubes[state.kingdom, seat] > 0 or state.heroes[state.kingdom, seat] == 0:
        return False
    return several(hero_regions(rules, state))
