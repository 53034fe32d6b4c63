"""The 120 tiles are divided over their places, and the warbands over theirs (BLOOD-CORNER-14)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import BANDITS, PIECES
from northmen_env.games.blood.invariants.numbers import Broken
from northmen_env.games.blood.reach import high_bit, low_bit
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import IDS, SEATS, TILES
from northmen_env.games.blood.tilesets import WORDS, is_empty, size


@kernel
def check_tiles(rules, state):
    for p in range(np.int64(rules.colours)):
        if warbands_of(state, p) != PIECES:
            return Broken.WARBANDS
    if not pile_holds(state):
        return Broken.PILE
    for p in range(np.int64(rules.num_players)):
        if size(state.hand[p]) != state.hand_size[p]:
            return Broken.HAND_SIZES
    if not divided(rules, state):
        return Broken.TILES
    for p in range(np.int64(rules.num_players)):
        if not held_holds(state, p):
            return Broken.HELD
    if not modules_hold(rules, state):
        return Broken.MODULES
    if not abilities_hold(rules, state):
        return Broken.ABILITIES
    return Broken.NONE


@kernel
def warbands_of(state, p):
    """Return settle + map + vp + res + cit (BLOOD-COMP-03), citadels counted anew."""
    found = np.int64(state.settlement[p]) + np.int64(state.vp[p]) + np.int64(state.reserve[p])
    for tile in range(IDS):
        found += np.int64(state.warbands[tile, p])
    for number in range(state.citadel_owner.shape[0]):
        if state.citadel_owner[number] == p:
            found += 1
    return found


@kernel
def pile_holds(state):
    for i in range(TILES):
        inside = i >= state.pile_top
        if inside and not 1 <= state.pile[i] <= TILES:
            return False
        if not inside and state.pile[i] != 0:
            return False
    return True


@kernel
def divided(rules, state):
    """Return whether no tile lies in two places and none is missing."""
    tiles = size(state.removed) + size(state.discard) + size(state.fresh) + size(state.on_map)
    for p in range(SEATS):
        tiles += size(state.hand[p]) + size(state.prepared[p]) + size(state.battle_revealed[p])
    all0, all1 = joined(state, 0), joined(state, 1)
    if state.placing_tile > 0:
        tiles += 1
        all0 |= low_bit(np.int64(state.placing_tile))
        all1 |= high_bit(np.int64(state.placing_tile))
    for i in range(np.int64(state.pile_top), TILES):
        tiles += 1
        all0 |= low_bit(np.int64(state.pile[i]))
        all1 |= high_bit(np.int64(state.pile[i]))
    if tiles != TILES or size((all0, all1)) != TILES:
        return False
    return size(state.removed) == TILES - rules.pile_size


@kernel
def joined(state, w):
    """Return word `w` of the union of all sets of tiles."""
    found = state.removed[w] | state.discard[w] | state.fresh[w] | state.on_map[w]
    for p in range(SEATS):
        found |= state.hand[p, w] | state.prepared[p, w] | state.battle_revealed[p, w]
    return found


@kernel
def held_holds(state, p):
    for w in range(WORDS):
        own = state.hand[p, w] | state.prepared[p, w]
        if p == state.active:
            own |= state.fresh[w]
        if state.held[p, w] & ~own != 0:
            return False
    return True


@kernel
def modules_hold(rules, state):
    for p in range(np.int64(rules.colours)):
        bandits = rules.solo != 0 and p == BANDITS
        if rules.goods == 0 and (state.reserve[p] > 0 or (not bandits and not is_empty(state.prepared[p]))):
            return False
        if rules.citadels == 0 and state.walls[p] > 0:
            return False
    if is_empty(state.fresh):
        return True
    if rules.goods == 0 or state.decision < Decision.D08:
        return False
    return state.decision == Decision.END or state.decision == Decision.D12 or state.phase != 0


@kernel
def abilities_hold(rules, state):
    seen = 0
    for p in range(np.int64(rules.num_players)):
        ability = np.int64(state.ability[p])
        if ability < 0:
            continue
        if (seen >> ability) & 1 != 0 or not in_pool(rules, ability):
            return False
        seen |= 1 << ability
    return True


@kernel
def in_pool(rules, ability):
    for i in range(np.int64(rules.num_abilities)):
        if rules.ability_pool[i] == ability:
            return True
    return False
