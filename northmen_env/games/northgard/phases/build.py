"""BUILD (NORTH-BUILD): tokens of the supply come into own territories.

The frame BUILD never goes on by itself: every step leads to a decision or to the end.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import BLDG, DONE, TERR, YES, Event
from northmen_env.games.northgard.amounts import FOOD, ONE, TWO, WOOD, ZERO
from northmen_env.games.northgard.board import add_building, drop_building, set_building, terr_of
from northmen_env.games.northgard.card_table import BuildBit
from northmen_env.games.northgard.goods import collect, gain, harvest_yield, spend
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import BUILDINGS, SIDES

_DUP, _NO_SPACE = int(BuildBit.DUP), int(BuildBit.NO_SPACE)
_REPLACE, _GATHER = int(BuildBit.REPLACE), int(BuildBit.GATHER)
_SMALL, _CARVED, _LARGE = np.int64(0), np.int64(1), np.int64(2)  # columns of `state.spaces`: Space - 1
NO_SLOT = np.int64(-1)


# What may be built ---------------------------------------------------------------------------------------------------


@kernel
def ground_word(state, p, w):
    """Return a word of the set of territories where a seat may build: its own without a Brown Bear."""
    return np.int64(state.owned[p, w]) & ~np.int64(state.bears[w])


@kernel
def price(rules, row, b):
    """Return the wood that a type costs with the discount of a row (NORTH-BUILD-02)."""
    return max(np.int64(rules.build_wood[b]) - np.int64(rules.card_b[row]), 0)


@kernel
def legal_types(rules, state, t, row, wood, small_only):
    """Return the bit set of the types that `wood` allows to build in a territory (NORTH-BUILD-04)."""
    fl, found = np.int64(rules.card_fl[row]), 0
    for b in range(BUILDINGS):
        if state.supply[b] == 0 or price(rules, row, b) > wood:
            continue
        if state.buildings[t, b] > 0 and fl & _DUP == 0:
            continue
        if rules.build_large[b] != 0:
            fits = state.spaces[t, _LARGE] > 0 and small_only == 0
        elif fl & _NO_SPACE != 0:
            fits = True
        elif rules.build_carved[b] != 0:
            fits = state.spaces[t, _CARVED] > 0
        else:
            fits = state.spaces[t, _SMALL] > 0 or state.spaces[t, _CARVED] > 0
        if fits:
            found |= 1 << b
    return found


@kernel
def affords(rules, state, p, t, row, gathering):
    """Return the wood for a building in a territory; `gathering` counts what the territory yields (NORTH-BUILD-07)."""
    wood = np.int64(state.resources[p, WOOD])
    if gathering != 0:
        wood += harvest_yield(rules, state, t, WOOD)
    return wood


@kernel
def can_build_in(rules, state, p, t, row, small_only):
    """Return whether a build in a territory is legal, with bit GATHER after collecting its resources."""
    wood = affords(rules, state, p, t, row, np.int64(rules.card_fl[row]) & _GATHER)
    return legal_types(rules, state, t, row, wood, small_only) != 0


@kernel
def can_build(rules, state, p, row):
    """P: a first build is possible (NORTH-FX-04)."""
    for w in range(WORDS):
        rest = ground_word(state, p, w)
        while rest != 0:
            if can_build_in(rules, state, p, PER_WORD * w + lowest(rest), row, ZERO):
                return True
            rest &= rest - 1
    return False


# BD_TERR -------------------------------------------------------------------------------------------------------------


@kernel
def begin_build(rules, state, row):
    push(state, Frame.BUILD, row)
    state.left = rules.card_a[row]
    return next_build(rules, state)


@kernel
def small_only(rules, state, row):
    """Return 1 if only small buildings are left: at most one of two is large (NORTH-FX-04)."""
    return ONE if rules.card_a[row] == TWO and state.large_built != 0 else ZERO


@kernel
def next_build(rules, state):
    """Offer another build, if there can be one, else the exchange."""
    p, row = np.int64(state.turn), top_row(state)
    if state.left > 0:
        small = small_only(rules, state, row)
        for w in range(WORDS):
            rest = ground_word(state, p, w)
            while rest != 0:
                if can_build_in(rules, state, p, PER_WORD * w + lowest(rest), row, small):
                    ask(state, p, Decision.BD_TERR)
                    return Stage.OFFERED
                rest &= rest - 1
    return offer_exchange(rules, state)


@kernel
def list_build(rules, state, ids):
    """BD_TERR."""
    p, row, n = np.int64(state.turn), top_row(state), 0
    if state.left < rules.card_a[row]:
        ids[0] = DONE
        n = 1
    small = small_only(rules, state, row)
    for w in range(WORDS):
        rest = ground_word(state, p, w)
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if can_build_in(rules, state, p, t, row, small):
                ids[n] = TERR + np.int64(state.slot[t])
                n += 1
    return n


@kernel
def answer_build(rules, state, action):
    if action == DONE:
        return offer_exchange(rules, state)
    state.place = terr_of(state, action)
    gathers = rules.card_fl[top_row(state)] & _GATHER != 0
    ask(state, np.int64(state.turn), Decision.BD_GATHER if gathers else Decision.BD_TYPE)
    return Stage.OFFERED


# BD_GATHER, BD_TYPE, BD_CARVED ---------------------------------------------------------------------------------------


@kernel
def list_gather(rules, state, ids):
    """BD_GATHER: YES is forced where only the resources of the territory pay for a building."""
    p, t, row, n = np.int64(state.turn), np.int64(state.place), top_row(state), 0
    wood = affords(rules, state, p, t, row, ZERO)
    if legal_types(rules, state, t, row, wood, small_only(rules, state, row)) != 0:
        ids[0] = DONE
        n = 1
    ids[n] = YES
    return n + 1


@kernel
def answer_gather(rules, state, action):
    p = np.int64(state.turn)
    state.gathered = 0
    if action == YES:
        state.gathered = 1
        collect(rules, state, p, np.int64(state.place))
    ask(state, p, Decision.BD_TYPE)
    return Stage.OFFERED


@kernel
def list_types(rules, state, ids):
    """BD_TYPE."""
    p, t, row = np.int64(state.turn), np.int64(state.place), top_row(state)
    wood = affords(rules, state, p, t, row, ZERO)
    return list_buildings(legal_types(rules, state, t, row, wood, small_only(rules, state, row)), ids)


@kernel
def list_buildings(types, ids):
    """List BLDG for each type of a bit set."""
    n = 0
    while types != 0:
        ids[n] = BLDG + lowest(types)
        types &= types - 1
        n += 1
    return n


@kernel
def answer_type(rules, state, action):
    b, t, row = action - BLDG, np.int64(state.place), top_row(state)
    large, carved = rules.build_large[b] != 0, rules.build_carved[b] != 0
    if large:
        return build_on(rules, state, b, _LARGE)
    if rules.card_fl[row] & _NO_SPACE != 0:
        return build_on(rules, state, b, NO_SLOT)
    if carved or state.spaces[t, _SMALL] == 0:
        return build_on(rules, state, b, _CARVED)
    if state.spaces[t, _CARVED] == 0:
        return build_on(rules, state, b, _SMALL)
    state.build_type = b
    ask(state, np.int64(state.turn), Decision.BD_CARVED)
    return Stage.OFFERED


@kernel
def answer_carved(rules, state, action):
    b = np.int64(state.build_type)
    state.build_type = -1
    return build_on(rules, state, b, _CARVED if action == YES else _SMALL)


@kernel
def space_of(rules, state, plot):
    """Return the column of `state.spaces` for the space of a plot, -1 without one."""
    slot = np.int64(state.slot[plot])
    return np.int64(rules.tile_space[np.int64(state.tile_id[slot // SIDES]), slot % SIDES]) - 1


@kernel
def free_plot(rules, state, t, space):
    """Return the smallest plot of a territory with a free space of a kind (NORTH-BUILD-05)."""
    for plot in range(t, np.int64(state.plots)):
        if state.root[plot] == t and state.built[plot] == 0 and space_of(rules, state, plot) == space:
            return plot
    return NO_SLOT


@kernel
def build_on(rules, state, b, space):
    """Build a type in `state.place` on a space of a kind, or without one; then the next build."""
    p, t, row = np.int64(state.turn), np.int64(state.place), top_row(state)
    spend(rules, state, p, WOOD, price(rules, row, b))
    if space == NO_SLOT:
        add_building(rules, state, t, b)
    else:
        set_building(rules, state, free_plot(rules, state, t, space), b)
    emit(rules, state, Event.BUILD, p, np.int64(state.slot[t]), b)
    if rules.build_large[b] != 0:
        state.large_built = 1
    if state.clan[p] == Clan.GOAT:  # NORTH-CLAN-07
        gain(rules, state, p, FOOD, TWO if rules.build_large[b] != 0 else ONE)
    if state.gathered == 0:
        collect(rules, state, p, t)
    state.gathered = -1
    state.place = -1
    state.left -= 1
    return next_build(rules, state)


# The exchange: bit REPLACE (NORTH-BUILD-08) --------------------------------------------------------------------------


@kernel
def count_built(state, t, b):
    """Return how many tokens of a type stand on spaces of a territory."""
    found = 0
    for plot in range(t, np.int64(state.plots)):
        if state.root[plot] == t and state.built[plot] == 1 + b:
            found += 1
    return found


@kernel
def replaced_plot(rules, state, t, old, new):
    """Return the plot whose token is replaced, -1 for a spaceless one, -2 if none can be (NORTH-BUILD-08)."""
    plain, carved = NO_SLOT, NO_SLOT
    for plot in range(np.int64(state.plots) - 1, t - 1, -1):
        if state.root[plot] == t and state.built[plot] == 1 + old:
            if space_of(rules, state, plot) == _CARVED:
                carved = plot
            else:
                plain = plot
    spaceless = np.int64(state.buildings[t, old]) > count_built(state, t, old)
    if rules.build_carved[new] != 0:
        if carved >= 0:
            return carved
        return NO_SLOT if spaceless else NO_SLOT - 1
    if plain >= 0:
        return plain
    return NO_SLOT if spaceless else carved


@kernel
def successors(rules, state, t, old):
    """Return the bit set of the types that may replace a type in a territory."""
    found = 0
    for new in range(BUILDINGS):
        if new == old or state.supply[new] == 0 or rules.build_large[new] != rules.build_large[old]:
            continue
        if replaced_plot(rules, state, t, old, new) >= NO_SLOT:
            found |= 1 << new
    return found


@kernel
def replaceable(rules, state, t):
    """Return the bit set of the types in a territory that may be replaced."""
    found = 0
    for b in range(BUILDINGS):
        if state.buildings[t, b] > 0 and successors(rules, state, t, b) != 0:
            found |= 1 << b
    return found


@kernel
def offer_exchange(rules, state):
    """Offer RP_TERR, where a row has the bit and something can be exchanged."""
    p = np.int64(state.turn)
    if rules.card_fl[top_row(state)] & _REPLACE != 0:
        ask(state, p, Decision.RP_TERR)
        return Stage.OFFERED
    return end_build(state)


@kernel
def list_exchange(rules, state, ids):
    """RP_TERR."""
    p, n = np.int64(state.turn), 1
    ids[0] = DONE
    for w in range(WORDS):
        rest = ground_word(state, p, w)
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if replaceable(rules, state, t) != 0:
                ids[n] = TERR + np.int64(state.slot[t])
                n += 1
    return n


@kernel
def answer_exchange(rules, state, action):
    if action == DONE:
        return end_build(state)
    state.place = terr_of(state, action)
    ask(state, np.int64(state.turn), Decision.RP_OLD)
    return Stage.OFFERED


@kernel
def list_old(rules, state, ids):
    """RP_OLD."""
    return list_buildings(replaceable(rules, state, np.int64(state.place)), ids)


@kernel
def answer_old(rules, state, action):
    state.build_old = action - BLDG
    ask(state, np.int64(state.turn), Decision.RP_NEW)
    return Stage.OFFERED


@kernel
def list_new(rules, state, ids):
    """RP_NEW."""
    return list_buildings(successors(rules, state, np.int64(state.place), np.int64(state.build_old)), ids)


@kernel
def answer_new(rules, state, action):
    p, t, old, new = np.int64(state.turn), np.int64(state.place), np.int64(state.build_old), action - BLDG
    plot = replaced_plot(rules, state, t, old, new)
    drop_building(rules, state, t, old)
    add_building(rules, state, t, new)
    if plot >= 0:
        state.built[plot] = 1 + new
    emit(rules, state, Event.UNBUILD, p, np.int64(state.slot[t]), old)
    emit(rules, state, Event.BUILD, p, np.int64(state.slot[t]), new)
    return end_build(state)


@kernel
def end_build(state):
    state.left = 0
    state.large_built = 0
    state.place = -1
    state.build_old = -1
    pop(state)
    return Stage.RESUME
