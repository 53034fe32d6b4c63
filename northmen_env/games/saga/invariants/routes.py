"""The 20 trade routes are partitioned over deck, open and completed routes and the drawn pair (SAGA-EDGE-11)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.saga.invariants.cards import TWICE, joined, list_holds
from northmen_env.games.saga.invariants.numbers import Broken
from northmen_env.games.saga.state import Decision


@kernel
def check_routes(rules, state):
    routes = np.int64(rules.num_routes)
    if not list_holds(state.route_deck, 0, np.int64(state.route_count), routes):
        return Broken.ROUTE_LISTS
    pair = 2 if state.decision == Decision.KEEP else 0
    if not list_holds(state.routes_drawn, 0, pair, routes):
        return Broken.ROUTES
    if routes_in_play(rules, state) != (1 << routes) - 1:
        return Broken.ROUTES
    return Broken.NONE


@kernel
def routes_in_play(rules, state):
    """Return the set of all routes in deck, drawn pair and with seats, TWICE if one occurs twice."""
    routes = 0
    for p in range(np.int64(rules.num_players)):
        own, done = state.routes_open[p], state.routes_done[p]
        if (own & done) != 0 or (routes & (own | done)) != 0:
            return TWICE
        routes |= own | done
    for i in range(np.int64(state.route_count)):
        routes = joined(routes, state.route_deck[i])
    for i in range(2):
        if state.routes_drawn[i] >= 0:
            routes = joined(routes, state.routes_drawn[i])
    return routes
