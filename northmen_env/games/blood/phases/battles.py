"""Battles: MOUNTAIN (D16), PREPARED (D19), BATTLE TILE (D20), ADD (D21), POINT SOURCE (D22)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import COUNT, FROM_SETTLEMENT, PASS, PILE, TILE, Event
from northmen_env.games.blood.amounts import BANDITS, HIGH, LOW, NOTHING, ONE, ZERO
from northmen_env.games.blood.board import contested, enemies, own_walls, put_warbands, take_warbands
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.phases.actions import do_common, is_common, list_common
from northmen_env.games.blood.phases.choices import decider, list_cells, list_tiles, seat_of, tile_on
from northmen_env.games.blood.phases.ending import (
    end_game,
    leave_battle,
    offer_point_source,
    score_point,
    sixth_points,
)
from northmen_env.games.blood.phases.piles import out_of_hand, take_top
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.state import Decision, Run
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, exclude, include, is_empty, join

# D16 MOUNTAIN --------------------------------------------------------------------------------------------------------


@kernel
def legal_mountain(rules, state, ids):
    """Contested tiles, beside what all phases offer (BLOOD-BATTLE-01)."""
    n = list_common(rules, state, ids)
    if state.a == 0 or state.drawn > 0:
        return n
    p = np.int64(state.active)
    return list_cells(state, contested(rules, state, p, LOW), contested(rules, state, p, HIGH), ids, n)


@kernel
def act_on_mountain(rules, state, action):
    if is_common(action):
        return do_common(rules, state, action)
    state.a -= 1
    state.performed = 1
    return begin_battle(rules, state, np.int64(state.active), tile_on(state, action))


@kernel
def begin_battle(rules, state, starter, tile):
    """Line up all colours on the tile, clockwise from the starter, with the tiles they owe (BLOOD-BATTLE-02)."""
    emit(rules, state, Event.BATTLE, seat_of(rules, starter), tile, NOTHING)
    state.battle_tile = tile
    state.battle_at = 0
    colours, n = np.int64(rules.colours), 0
    for step in range(colours):
        p = (starter + step) % colours
        there = np.int64(state.warbands[tile, p])
        if there == 0:
            continue
        state.battle_order[n] = p
        state.battle_owed[n] = there + (1 if p == starter else 0)
        if state.ability[p] == Ability.BANDITS:  # BLOOD-ABIL-08
            state.battle_owed[n] += 2 * count(own_walls(state, tile, p))
        state.battle_strength[n] = 1 if state.ability[p] == Ability.MARAUDERS and there == 1 else 0  # BLOOD-ABIL-03
        n += 1
    state.battle_size = n
    return Stage.REVEAL


# D19 PREPARED, D20 BATTLE TILE ---------------------------------------------------------------------------------------


@kernel
def begin_reveal(rules, state):
    """Let the participant at `battle_at` reveal: prepared tiles if it has any, then basic ones."""
    if state.battle_at == state.battle_size:
        return Stage.RESOLVE
    p = np.int64(state.battle_order[state.battle_at])
    if rules.solo != 0 and p == BANDITS:
        return bandits_reveal(rules, state)
    return offer_prepared(rules, state, p)


@kernel
def offer_prepared(rules, state, p):
    if is_empty(state.prepared[p]):
        return offer_basic(rules, state)
    state.player = p
    state.decision = Decision.D19
    return Stage.OFFERED


@kernel
def legal_prepared(rules, state, ids):
    """Any usable prepared tile (BLOOD-BATTLE-04)."""
    ids[0] = PASS
    return list_tiles(state.prepared[state.player], ids, ONE)


@kernel
def show_prepared(rules, state, action):
    if action == PASS:
        return offer_basic(rules, state)
    p, tile = np.int64(state.player), action - TILE
    exclude(state.prepared[p], tile)
    exclude(state.held[p], tile)
    emit(rules, state, Event.PREPARED, p, tile, NOTHING)
    show(rules, state, tile)
    return offer_prepared(rules, state, p)


@kernel
def show(rules, state, tile):
    """Lay an open tile into the battle row (BLOOD-BATTLE-06)."""
    at = np.int64(state.battle_at)
    include(state.battle_revealed[at], tile)
    state.battle_strength[at] += rules.mountains[tile]


@kernel
def offer_basic(rules, state):
    """Ask for the next basic tile; with an empty hand it comes from the pile."""
    at = np.int64(state.battle_at)
    p = np.int64(state.battle_order[at])
    while state.battle_owed[at] > 0:
        if state.hand_size[p] > 0:
            state.player = p
            state.decision = Decision.D20
            return Stage.OFFERED
        show_from_pile(rules, state, p)
    state.battle_at += 1
    return Stage.REVEAL


@kernel
def legal_basic(rules, state, ids):
    """The pile, also an empty one (BLOOD-BATTLE-05), or any hand tile."""
    ids[0] = PILE
    return list_tiles(state.hand[state.player], ids, ONE)


@kernel
def show_basic(rules, state, action):
    p = np.int64(state.player)
    if action == PILE:
        show_from_pile(rules, state, p)
    else:
        tile = action - TILE
        out_of_hand(state, p, tile)
        emit(rules, state, Event.FROM_HAND, p, tile, NOTHING)
        show(rules, state, tile)
        state.battle_owed[state.battle_at] -= 1
    return offer_basic(rules, state)


@kernel
def show_from_pile(rules, state, p):
    """Reveal the top of the pile as a basic tile; an empty pile gives one without mountains."""
    tile = take_top(state)
    emit(rules, state, Event.FROM_PILE, seat_of(rules, p), tile, NOTHING)
    if tile != 0:
        show(rules, state, tile)
    state.battle_owed[state.battle_at] -= 1


@kernel
def bandits_reveal(rules, state):
    """Bandits show all their prepared tiles, then their basic tiles from the pile (BLOOD-SOLO-09)."""
    at = np.int64(state.battle_at)
    for w in range(WORDS):
        rest = state.prepared[BANDITS, w]
        state.prepared[BANDITS, w] = 0
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            emit(rules, state, Event.PREPARED, NOTHING, tile, NOTHING)
            show(rules, state, tile)
    while state.battle_owed[at] > 0:
        show_from_pile(rules, state, BANDITS)
    state.battle_at += 1
    return Stage.REVEAL


# Resolution ----------------------------------------------------------------------------------------------------------


@kernel
def strongest(state):
    """Return the highest strength and how many have it."""
    best, winners = -1, 0
    for i in range(np.int64(state.battle_size)):
        strength = np.int64(state.battle_strength[i])
        if strength > best:
            best, winners = strength, 1
        elif strength == best:
            winners += 1
    return best, winners


@kernel
def resolve(rules, state):
    """Take the losses (BLOOD-RESOLVE-01, -02, -03), then let a single winner add warbands (BLOOD-RESOLVE-05)."""
    best, winners = strongest(state)
    tile, winner = np.int64(state.battle_tile), 0
    for i in range(np.int64(state.battle_size)):
        p, short = np.int64(state.battle_order[i]), best - np.int64(state.battle_strength[i])
        if short == 0:
            winner = i
            short = 1 if winners > 1 else 0
        lost = min(short, np.int64(state.warbands[tile, p]))
        if lost > 0:
            take_warbands(state, p, tile, lost)
            state.settlement[p] += lost
        emit(rules, state, Event.LOSE, seat_of(rules, p), lost, np.int64(state.battle_strength[i]))
    state.battle_at = 0
    if winners > 1:
        return Stage.POINTS
    state.battle_at = winner
    return offer_add(rules, state, np.int64(state.battle_order[winner]))


@kernel
def add_limit(rules, state, p):
    """Return how many warbands a single winner may add, were they in its settlement."""
    return 2 if enemies(rules, state, p, np.int64(state.battle_tile)) == 0 else 1


# D21 ADD -------------------------------------------------------------------------------------------------------------


@kernel
def offer_add(rules, state, p):
    if rules.solo != 0 and p == BANDITS:
        state.battle_add = add_limit(rules, state, p)
        return Stage.ADDING
    if state.settlement[p] == 0:
        return begin_points(state)
    state.player = p
    state.decision = Decision.D21
    return Stage.OFFERED


@kernel
def legal_add(rules, state, ids):
    p = np.int64(state.player)
    n = min(add_limit(rules, state, p), np.int64(state.settlement[p]))
    ids[0] = PASS
    for i in range(n):
        ids[1 + i] = COUNT + 1 + i
    return n + 1


@kernel
def add_warbands(rules, state, action):
    if action != PASS:
        p, number = np.int64(state.player), action - COUNT
        state.settlement[p] -= number
        put_warbands(state, p, np.int64(state.battle_tile), number)
        emit(rules, state, Event.ADD, p, number, NOTHING)
    return begin_points(state)


# Points, D22 POINT SOURCE --------------------------------------------------------------------------------------------


@kernel
def begin_points(state):
    state.battle_at = 0
    return Stage.POINTS


@kernel
def next_point(rules, state):
    """Let the strongest score, clockwise from the starter (BLOOD-RESOLVE-04, -06)."""
    best, _ = strongest(state)
    for i in range(np.int64(state.battle_at), np.int64(state.battle_size)):
        p = np.int64(state.battle_order[i])
        if state.battle_strength[i] < best:
            continue
        if state.settlement[p] > 0:
            score_point(rules, state, p, FROM_SETTLEMENT)
        elif state.mustered[p] > 0:
            state.battle_at = i
            return offer_battle_point(rules, state, p)
    return Stage.FOUGHT


@kernel
def offer_battle_point(rules, state, p):
    """Ask for the tile whose warband becomes the point; bandits must take one (BLOOD-SOLO-08)."""
    if decider(rules, p) == p:
        return offer_point_source(rules, state, p, Decision.D22)
    if count(state.army[p, 0]) + count(state.army[p, 1]) > 1:
        return offer_point_source(rules, state, p, Decision.B7)
    for w in range(WORDS):
        if state.army[p, w] != 0:
            score_point(rules, state, p, PER_WORD * w + lowest(state.army[p, w]))
            break
    state.battle_at += 1
    return Stage.POINTS


@kernel
def legal_bandit_source(rules, state, ids):
    """B7: any tile with bandits."""
    return list_cells(state, state.army[BANDITS, 0], state.army[BANDITS, 1], ids, ZERO)


@kernel
def battle_point(rules, state, action):
    """D22 and B7 in a battle."""
    p = np.int64(state.battle_order[state.battle_at])
    if action != PASS:
        score_point(rules, state, p, tile_on(state, action))
    state.battle_at += 1
    return Stage.POINTS


@kernel
def end_battle(rules, state):
    """Discard the tiles, check the sixth point, and go on where the battle began."""
    for i in range(np.int64(state.battle_size)):
        join(state.discard, state.battle_revealed[i])
    bandits_won = bandits_win(rules, state)
    leave_battle(state)
    winners = sixth_points(rules, state)
    if winners != 0:
        return end_game(rules, state, winners)
    if state.phase != 0:
        return Stage.ACTION
    state.won += bandits_won
    if state.run_kind == Run.ROADATTACK:
        return Stage.RUNNING
    state.last_won = bandits_won
    state.left -= 1
    return Stage.ATTACKING


@kernel
def bandits_win(rules, state):
    """Return 1 if the bandits were the single strongest (BLOOD-EFFECT-02), else 0."""
    if rules.solo == 0:
        return 0
    best, winners = strongest(state)
    for i in range(np.int64(state.battle_size)):
        if state.battle_order[i] == BANDITS and state.battle_strength[i] == best:
            return 1 if winners == 1 else 0
    return 0
