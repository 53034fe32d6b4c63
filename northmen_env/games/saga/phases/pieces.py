"""Who has most pieces in a place, how pieces are lost, and how infamy is spent."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel


@kernel
def distance(rules, state, seat):
    """Return the leader distance d(seat)."""
    n = np.int64(rules.num_players)
    return (seat - np.int64(state.leader) + n) % n


@kernel
def next_seat(rules, seat):
    """Return the seat that follows clockwise."""
    return (seat + 1) % np.int64(rules.num_players)


@kernel
def strongest(rules, state, place):
    """Return best(pieces) of a place, -1 where nobody has any (SAGA-MARCH-01, -02, -18)."""
    winner, most = -1, 0
    for seat in range(np.int64(rules.num_players)):
        heroes = np.int64(state.heroes[place, seat])
        pieces = np.int64(state.cubes[place, seat]) + heroes
        if pieces == 0:
            continue
        # (pieces, heroes, -distance), compared lexicographically
        strength = (pieces * 8 + heroes) * 8 + 7 - distance(rules, state, seat)
        if strength > most:
            winner, most = seat, strength
    return winner


@kernel
def drive_out(rules, state, place, winner):
    """Remove the pieces of all but `winner`; return whether there were any (SAGA-MARCH-03, -19)."""
    fought = False
    for seat in range(np.int64(rules.num_players)):
        if seat == winner or state.cubes[place, seat] + state.heroes[place, seat] == 0:
            continue
        fought = True
        state.infamy[seat] += state.cubes[place, seat]
        state.hero_supply[seat] += state.heroes[place, seat]
        state.cubes[place, seat] = 0
        state.heroes[place, seat] = 0
    return fought


@kernel
def spend(state, seat, amount):
    """Pay infamy: as many cubes go back to the reserve at once (SAGA-RALLY-09)."""
    state.infamy[seat] -= amount
    state.reserve[seat] += amount


@kernel
def present(rules, state, place, seat):
    """Return whether the seat collects and trades in a place: with a cube there (SAGA-MARCH-22, -24)."""
    return state.cubes[place, seat] > 0 or (rules.heroes_collect != 0 and state.heroes[place, seat] > 0)
