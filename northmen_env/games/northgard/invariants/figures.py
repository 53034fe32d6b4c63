"""Units and Kaija, who controls what, and the creatures."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, several
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.board import has_kaija
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.phases.frames import runs
from northmen_env.games.northgard.plots import PLOTS, has
from northmen_env.games.northgard.state import DUE, Decision, Frame, Phase
from northmen_env.games.northgard.tables import CREATURES, SEATS, UNITS, Kind

_FIGHTS = int(Decision.CB_PICK)
_BEAR, _WOLF, _VALKYRIE = int(Kind.BEAR), int(Kind.WOLF), int(Kind.VALKYRIE)


@kernel
def check_figures(rules, state):
    if not units_hold(rules, state):
        return Broken.UNITS
    if not shared_holds(state):
        return Broken.SHARED
    if not (creatures_hold(rules, state) and haunts_hold(rules, state)):
        return Broken.CREATURES
    return Broken.NONE


@kernel
def units_hold(rules, state):
    for p in range(SEATS):
        on_map = 0
        for t in range(PLOTS):
            units = np.int64(state.units[t, p])
            on_map += units
            figures = units + has_kaija(state, t, p)
            if (figures > 0) != has(state.owned[p], t) or (figures > 0 and not has(state.land, t)):
                return False
        if state.on_map[p] != on_map or on_map > UNITS or (on_map > 0 and p >= rules.num_players):
            return False
    if state.kaija >= 0 and (state.bear < 0 or not has(state.land, np.int64(state.kaija))):
        return False
    if state.token < 0:
        return True
    return state.snake >= 0 and has(state.land, np.int64(state.token))


@kernel
def holders(state, t):
    """Return the bit set of the seats with figures in a territory."""
    found = 0
    for p in range(SEATS):
        if has(state.owned[p], t):
            found |= 1 << p
    return found


@kernel
def is_contested(state, t):
    """Return whether an unresolved combat between players explains that two of them are in a territory.

    While a Move goes on, its figures stand with others where a combat will be due, or on a visit to a teammate.
    """
    if state.fight_at == t:
        return True
    if not runs(state, Frame.MOVE):
        return False
    if (state.decision < _FIGHTS and state.due_size == 0) or state.decision == Decision.MV_CRE:
        return has(state.owned[state.turn], t)
    for i in range(np.int64(state.due_size)):
        if state.due_place[i] == t and state.due_creature[i] < 0:
            return True
    return False


@kernel
def shared_holds(state):
    for t in range(np.int64(state.plots)):
        who = holders(state, t)
        if several(who) and (count(who) > 2 or not is_contested(state, t)):
            return False
    return True


# Creatures -----------------------------------------------------------------------------------------------------------


@kernel
def creatures_hold(rules, state):
    """The nine cards are divided over line, draw pile and discard pile; one may be about to be placed."""
    seen, line = np.int64(state.creature_discard), 0
    total = count(seen)
    for i in range(CREATURES):
        if i < state.line_size:
            line |= 1 << np.int64(state.line[i])
            total += 1
        elif state.line[i] != 0:
            return False
        if i < state.creature_pile_size:
            seen |= 1 << np.int64(state.creature_pile[i])
            total += 1
        elif state.creature_pile[i] != 0:
            return False
    for creature in range(CREATURES):
        if (state.creature_at[creature] >= 0) != ((line >> creature) & 1 != 0):
            return False
        if state.creature_at[creature] >= 0 and not has(state.land, np.int64(state.creature_at[creature])):
            return False
    seen |= line
    if state.creature >= 0 and runs(state, Frame.PASS) and not (line >> np.int64(state.creature)) & 1:
        seen |= 1 << np.int64(state.creature)
        total += 1
    due = CREATURES if rules.creatures != 0 and state.phase != Phase.CLAN else 0
    return total == due and count(seen) == due


@kernel
def haunts_hold(rules, state):
    """The sets of territories with a creature of a kind."""
    for t in range(PLOTS):
        kinds = 0
        for creature in range(CREATURES):
            if state.creature_at[creature] == t:
                kinds |= 1 << np.int64(rules.creature_kind[creature])
        if has(state.bears, t) != ((kinds >> _BEAR) & 1 != 0):
            return False
        if has(state.wolves, t) != ((kinds >> _WOLF) & 1 != 0):
            return False
        if has(state.valkyries, t) != ((kinds >> _VALKYRIE) & 1 != 0):
            return False
    return True


@kernel
def due_holds(state):
    """Unresolved combats are listed by territory, once each; in a Move only."""
    size = np.int64(state.due_size)
    for i in range(DUE):
        if i >= size:
            if state.due_place[i] != -1 or state.due_creature[i] != -1:
                return False
            continue
        t = np.int64(state.due_place[i])
        if t < 0 or not has(state.land, t) or (i > 0 and state.due_place[i - 1] >= t):
            return False
    return size == 0 or runs(state, Frame.MOVE)
