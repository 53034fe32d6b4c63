"""The running battle (BLOOD-PHASE-08): who takes part, what is owed and revealed."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import BANDITS
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.battles import strongest
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import SEATS
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, has, is_empty


@kernel
def check_battle(rules, state):
    if state.battle_tile == 0:
        return Broken.NONE if no_battle(rules, state) else Broken.BATTLE
    if not (points_of_a_battle(state) and line_up_holds(rules, state) and pending_holds(rules, state)):
        return Broken.BATTLE
    for i in range(np.int64(state.battle_size)):
        if not revealed_holds(rules, state, i):
            return Broken.REVEALED
    return Broken.NONE


@kernel
def no_battle(rules, state):
    decision = np.int64(state.decision)
    if Decision.D19 <= decision <= Decision.D21:
        return False
    if decision == Decision.D22:
        p = np.int64(state.player)
        turn = p == state.active or rules.vikings_every_turn != 0
        asked = state.settlement[p] == 0 and state.card == 0
        if state.ability[p] != Ability.VIKINGS or not turn or not asked:
            return False
    if state.battle_size + state.battle_at + state.battle_add != 0:
        return False
    for i in range(SEATS):
        if state.battle_order[i] != -1 or state.battle_owed[i] != 0 or state.battle_strength[i] != 0:
            return False
        if not is_empty(state.battle_revealed[i]):
            return False
    return True


@kernel
def points_of_a_battle(state):
    decision = np.int64(state.decision)
    if decision == Decision.B2 or decision == Decision.B7:
        return True
    return Decision.D19 <= decision <= Decision.D22


@kernel
def line_up_holds(rules, state):
    """Participants clockwise from the starter, each colour once; the starter fits what began the battle."""
    n, colours = np.int64(state.battle_size), np.int64(rules.colours)
    if n < 2 or not has(state.on_map, np.int64(state.battle_tile)):
        return False
    starter, last = np.int64(state.battle_order[0]), -1
    for i in range(SEATS):
        p = np.int64(state.battle_order[i])
        if (p >= 0) != (i < n):
            return False
        if p < 0:
            if state.battle_owed[i] != 0 or state.battle_strength[i] != 0 or not is_empty(state.battle_revealed[i]):
                return False
            continue
        distance = (p - starter) % colours
        if distance <= last:
            return False
        last = distance
    if state.phase != 0:
        return starter == state.active
    return state.card > 0 and starter == BANDITS


@kernel
def pending_holds(rules, state):
    """What each has still to reveal, and whose decision it is."""
    decision, at = np.int64(state.decision), np.int64(state.battle_at)
    p = np.int64(state.battle_order[at])
    if p != (BANDITS if decision == Decision.B2 or decision == Decision.B7 else state.player):
        return False
    if (state.battle_add > 0) != (decision == Decision.B2):
        return False
    revealing = decision <= Decision.D20
    for i in range(np.int64(state.battle_size)):
        due = revealing and i >= at
        if (state.battle_owed[i] > 0) != due:
            return False
        if revealing and state.warbands[state.battle_tile, state.battle_order[i]] == 0:
            return False
    if revealing:
        return True
    best, winners = strongest(state)
    if state.battle_strength[at] != best:
        return False
    if decision == Decision.D21:
        return winners == 1 and state.settlement[p] > 0
    if decision == Decision.B2:
        return winners == 1 and state.settlement[p] == 0
    return state.settlement[p] == 0 and state.mustered[p] > 0


@kernel
def revealed_holds(rules, state, i):
    mountains = 0
    for w in range(WORDS):
        rest = state.battle_revealed[i, w]
        while rest != 0:
            mountains += np.int64(rules.mountains[PER_WORD * w + lowest(rest)])
            rest &= rest - 1
    more = np.int64(state.battle_strength[i]) - mountains
    if more != 0 and (more != 1 or state.ability[state.battle_order[i]] != Ability.MARAUDERS):
        return False
    return state.decision > Decision.D20 or i <= state.battle_at or is_empty(state.battle_revealed[i])
