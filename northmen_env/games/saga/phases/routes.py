"""Trade routes: ROUTE (D7), the visits of M6."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import above, lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import COMPLETE, PASS, Event
from northmen_env.games.saga.amounts import NOTHING
from northmen_env.games.saga.phases.pieces import next_seat, present
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS


@kernel
def completable(rules, state, seat, last):
    """Return the open routes above `last` whose kingdom the seat controls and whose region it holds (SAGA-MARCH-23)."""
    routes = 0
    rest = above(state.routes_open[seat], last)
    while rest != 0:
        route = lowest(rest)
        rest &= rest - 1
        place = KINGDOMS + np.int64(rules.route_region[route])
        if state.controller[rules.route_kingdom[route]] == seat and present(rules, state, place, seat):
            routes |= 1 << route
    return routes


@kernel
def visit_routes(rules, state):
    """Offer the visit of `state.player` and of the seats after it in leader order (SAGA-MARCH-25)."""
    seat = np.int64(state.player)
    while completable(rules, state, seat, np.int64(state.route_last)) == 0:
        state.route_last = -1
        seat = next_seat(rules, seat)
        if seat == state.leader:
            return Stage.CLEANUP
    state.player = seat
    state.decision = Decision.ROUTE
    return Stage.OFFERED


@kernel
def legal_route(rules, state, ids):
    rest = completable(rules, state, np.int64(state.player), np.int64(state.route_last))
    n = 0
    while rest != 0:
        ids[n] = COMPLETE + lowest(rest)
        rest &= rest - 1
        n += 1
    ids[n] = PASS
    return n + 1


@kernel
def complete(rules, state, action):
    """The route is laid open for good, or the visit ends."""
    seat = np.int64(state.player)
    if action == PASS:
        state.route_last = -1
        state.player = next_seat(rules, seat)
        if state.player == state.leader:
            return Stage.CLEANUP
        return Stage.ROUTES
    route = action - COMPLETE
    state.routes_open[seat] &= ~(1 << route)
    state.routes_done[seat] |= 1 << route
    state.route_last = route
    for viewer in range(np.int64(rules.num_players)):
        state.route_holder[viewer, route] = -1  # SAGA-INFO-07
    emit(rules, state, Event.COMPLETE, seat, route, NOTHING)
    return Stage.ROUTES
