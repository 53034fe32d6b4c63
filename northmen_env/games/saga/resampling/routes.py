"""Trade routes: the others' uncompleted routes, the pair that another seat has drawn, and the deck.

`player` knows its own routes, the completed ones, and as facts of SAGA-INFO-07 places in the deck and holders (with
`recall = table` neither). All else is shuffled. While another seat is asked in ROUTE, it holds a route that it can
complete now, above the last one it completed.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import above, count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import mix
from northmen_env.games.saga.observe import absolute
from northmen_env.games.saga.phases.pieces import present
from northmen_env.games.saga.resampling.choices import CHOOSE, fraction, list_set, mix_up, set_of, some_of
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS, ROUTES, SEATS

_ASKED, _REST, _COUNT, _KNOWN = 301, 302, 303, 310  # labels of draws


@kernel
def redraw_routes(rules, state, player, key):
    """Deal the routes anew that `player` does not know the place of."""
    n = int(rules.num_players)
    unknown = unknown_routes(rules, state, player)
    places = known_places(rules, state)
    holders = known_holders(rules, state, player)
    asked = asked_seat(state, player)
    items = np.empty(ROUTES, np.int16)
    size = list_set(unknown, items, 0)
    at = 0
    if asked >= 0:
        at = deal_asked(rules, state, player, asked, mix(key, _ASKED), items, size)
    mix_up(mix(key, _REST), items, at, size, size - at)
    for j in range(n - 1):
        seat = absolute(player, j + 1, n)
        if seat != asked:
            following = at + hidden_routes(rules, state, player, seat)
            state.routes_open[seat] = kept_routes(rules, state, player, seat) | set_of(items, at, following)
            at = following
    if state.decision == Decision.KEEP and state.player != player:
        state.routes_drawn[0] = items[at]
        state.routes_drawn[1] = items[at + 1]
        at += 2
    put_deck(rules, state, player, items, at)
    relabel_places(rules, state, player, places)
    relabel_holders(rules, state, player, holders, key)


# What stays -----------------------------------------------------------------------------------------------------------


@kernel
def unknown_routes(rules, state, player):
    """Return the routes whose place `player` does not know."""
    routes = (1 << int(rules.num_routes)) - 1
    for seat in range(int(rules.num_players)):
        routes &= ~(int(state.routes_done[seat]) | kept_routes(rules, state, player, seat))
    if state.decision == Decision.KEEP and state.player == player:
        routes &= ~(1 << int(state.routes_drawn[0]) | 1 << int(state.routes_drawn[1]))
    for i in range(int(state.route_count)):
        if knows_place(rules, state, player, i):
            routes &= ~(1 << int(state.route_deck[i]))
    return routes


@kernel
def kept_routes(rules, state, player, seat):
    """Return the open routes of `seat` that `player` knows: all own ones, and known holders (SAGA-INFO-07)."""
    if seat == player:
        return int(state.routes_open[player])
    routes = 0
    if rules.table_recall == 0:
        for route in range(int(rules.num_routes)):
            if state.route_holder[player, route] == seat:
                routes |= 1 << route
    return routes


@kernel
def hidden_routes(rules, state, player, seat):
    """Return how many open routes of another seat `player` does not know."""
    return count(state.routes_open[seat]) - count(kept_routes(rules, state, player, seat))


@kernel
def knows_place(rules, state, player, i):
    """Return whether `player` knows which route lies at place `i` of the deck."""
    return rules.table_recall == 0 and state.route_pos[player, state.route_deck[i]] == i


@kernel
def put_deck(rules, state, player, items, at):
    """Fill the places of the deck that `player` does not know."""
    for i in range(int(state.route_count)):
        if not knows_place(rules, state, player, i):
            state.route_deck[i] = items[at]
            at += 1


# The seat that is asked -----------------------------------------------------------------------------------------------


@kernel
def asked_seat(state, player):
    """Return the other seat that is asked in ROUTE, or -1."""
    if state.decision != Decision.ROUTE or state.player == player:
        return -1
    return int(state.player)


@kernel
def completable_now(rules, state, seat):
    """Return the routes that `seat`, asked in ROUTE, could complete if it held them."""
    routes = 0
    for route in range(int(rules.num_routes)):
        if state.controller[rules.route_kingdom[route]] != seat:
            continue
        if present(rules, state, KINGDOMS + int(rules.route_region[route]), seat):
            routes |= 1 << route
    return above(routes, int(state.route_last))


@kernel
def deal_asked(rules, state, player, seat, key, items, size):
    """Deal the open routes of the seat asked in ROUTE, from the front of `items`; return how many it got.

    At least one of them, or of those known to be there, is completable: the number j of such routes is drawn in
    proportion to the C(s, j) * C(m - s, f - j) hands with it, j > 0.
    """
    kept, free = kept_routes(rules, state, player, seat), hidden_routes(rules, state, player, seat)
    wanted = completable_now(rules, state, seat)
    pool = set_of(items, 0, size)
    if kept & wanted == 0:
        wanted &= pool
        number = draw_number(key, count(wanted), size, free)
        list_set(pool & ~wanted, items, list_set(wanted, items, 0))
        mix_up(mix(key, _ASKED), items, 0, count(wanted), number)
        # The rest of the completable ones change places with what follows the hand.
        mix_up(mix(key, _REST), items, count(wanted), size, free - number)
        for i in range(free - number):
            other = items[number + i]
            items[number + i] = items[count(wanted) + i]
            items[count(wanted) + i] = other
    else:
        mix_up(key, items, 0, size, free)
    state.routes_open[seat] = kept | set_of(items, 0, free)
    return free


@kernel
def draw_number(key, wanted, size, free):
    """Draw how many of `free` routes out of `size` are among the `wanted`, at least one where that is possible."""
    total = 0.0
    for number in range(1, min(wanted, free) + 1):
        total += CHOOSE[wanted, number] * CHOOSE[size - wanted, free - number]
    goal, reached = fraction(key, _COUNT) * total, 0.0
    for number in range(1, min(wanted, free) + 1):
        reached += CHOOSE[wanted, number] * CHOOSE[size - wanted, free - number]
        if reached > goal:
            return number
    return 0


# What the others know -------------------------------------------------------------------------------------------------
# Everybody saw who returned a route and when, so *that* a seat knows a place is no secret; *what* lies there is.


@kernel
def known_places(rules, state):
    """Return, for each seat, the bit set of the deck's places it knows: int64 (4,)."""
    places = np.zeros(SEATS, np.int64)
    for seat in range(int(rules.num_players)):
        for route in range(int(rules.num_routes)):
            if state.route_pos[seat, route] >= 0:
                places[seat] |= 1 << int(state.route_pos[seat, route])
    return places


@kernel
def relabel_places(rules, state, player, places):
    """Let each seat know what lies now at the places it knows."""
    for seat in range(int(rules.num_players)):
        if seat == player and rules.table_recall == 0:
            continue
        state.route_pos[seat, :] = -1
        rest = places[seat]
        while rest != 0:
            place = lowest(rest)
            rest &= rest - 1
            state.route_pos[seat, state.route_deck[place]] = place


@kernel
def known_holders(rules, state, player):
    """Return how many routes of each seat the others know to be there: int64 (4, 4), viewer by holder."""
    numbers = np.zeros((SEATS, SEATS), np.int64)
    for viewer in range(int(rules.num_players)):
        for route in range(int(rules.num_routes)):
            holder = int(state.route_holder[viewer, route])
            if holder >= 0:
                numbers[viewer, holder] += 1
    return numbers


@kernel
def relabel_holders(rules, state, player, numbers, key):
    """Let each seat know as many routes of each holder as before; a route of `player` is one that `player` knows of."""
    items = np.empty(ROUTES, np.int16)
    taken = 0
    for seat in range(int(rules.num_players)):
        taken |= kept_routes(rules, state, player, seat)
    for viewer in range(int(rules.num_players)):
        if viewer == player and rules.table_recall == 0:
            continue
        for holder in range(int(rules.num_players)):
            if holder == player or numbers[viewer, holder] == 0:
                continue
            forget_holder(rules, state, viewer, holder)
            label = mix(key, _KNOWN + viewer * SEATS + holder)
            routes = some_of(label, int(state.routes_open[holder]) & ~taken, int(numbers[viewer, holder]), items)
            taken |= routes
            while routes != 0:
                state.route_holder[viewer, lowest(routes)] = holder
                routes &= routes - 1


@kernel
def forget_holder(rules, state, viewer, holder):
    for route in range(int(rules.num_routes)):
        if state.route_holder[viewer, route] == holder:
            state.route_holder[viewer, route] = -1
