"""The bandit phase of solo play and the effects of its cards, but for moves: B1, B2, B5, B6, B7."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import FROM_SETTLEMENT, Event
from northmen_env.games.blood.amounts import ALL_VILLAGES, BANDITS, BANDITS_WIN, HIGH, LOW, NOTHING, ONE, PLAYER, ZERO
from northmen_env.games.blood.bandit_table import Op, Pick, Unit, Where
from northmen_env.games.blood.board import contested, put_warbands, sides_of, take_warbands
from northmen_env.games.blood.phases.battles import begin_battle, begin_points
from northmen_env.games.blood.phases.choices import any_of, list_cells, several, tile_on
from northmen_env.games.blood.phases.ending import (
    end_game,
    leave_bandits,
    next_turn,
    score_point,
    sixth_points,
)
from northmen_env.games.blood.phases.piles import pile_left, take_top
from northmen_env.games.blood.phases.runs import begin_run
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.reach import high_bit, low_bit
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, clear, exclude, include

# ---- Cards ----------------------------------------------------------------------------------------------------------


@kernel
def turn_card(rules, state):
    """Turn the top tile over as a card (BLOOD-SOLO-05); the pile is not empty."""
    tile = take_top(state)
    include(state.discard, tile)
    card = np.int64(rules.card_redirect[tile])
    if card == 0 or state.mustered[BANDITS] > 0:
        card = tile
    emit(rules, state, Event.CARD, NOTHING, tile, card)
    state.player = PLAYER
    state.card = card
    state.effect = 0
    state.won = 0
    state.last_won = 0
    state.bribed = 0
    return Stage.EFFECT


@kernel
def end_bandits(rules, state):
    """BLOOD-SOLO-12, then the player's next turn."""
    leave_bandits(state)
    if pile_left(state) == 0:
        return end_game(rules, state, BANDITS_WIN)
    return next_turn(rules, state)


@kernel
def next_effect(rules, state):
    """Begin the next effect of the card (BLOOD-EFFECT-01)."""
    card, i = np.int64(state.card), np.int64(state.effect)
    if i == rules.card_effects[card]:
        return end_bandits(rules, state)
    state.effect = i + 1
    if rules.effect_if_won[card, i] != 0 and state.last_won == 0:
        return Stage.EFFECT
    op, what = np.int64(rules.effect_op[card, i]), np.int64(rules.effect_what[card, i])
    if Op.LAKE <= op <= Op.ROADATTACK:
        return begin_run(rules, state, card, i)
    if op == Op.PLACE:
        return begin_place(rules, state, what, effect_number(rules, state, card, i))
    if op == Op.EACH:
        return begin_each(rules, state, what)
    if op == Op.ATTACK:
        state.left = effect_number(rules, state, card, i)
        return Stage.ATTACKING
    if op == Op.SCORE:
        state.left = effect_number(rules, state, card, i)
        return Stage.SCORING
    if op == Op.BRIBE:
        state.left = effect_number(rules, state, card, i)
        return Stage.BRIBING
    if op == Op.BRIBEVILLAGES:
        return bribe_villages(rules, state)
    if op == Op.PREPARE:
        return prepare(rules, state, effect_number(rules, state, card, i))
    if op == Op.DISCARD:
        return discard(rules, state, effect_number(rules, state, card, i))
    if op == Op.PLAY:
        return turn_card(rules, state) if pile_left(state) > 0 else Stage.EFFECT
    return end_game(rules, state, BANDITS_WIN)  # WIN


@kernel
def effect_number(rules, state, card, i):
    """Return the number of an effect, as things stand now."""
    unit = np.int64(rules.effect_unit[card, i])
    if unit == Unit.ARMIES:
        return count(state.army[BANDITS, 0]) + count(state.army[BANDITS, 1])
    if unit == Unit.VILLAGES:
        return count(state.on_map[0] & rules.village_set[ALL_VILLAGES, 0]) + count(
            state.on_map[1] & rules.village_set[ALL_VILLAGES, 1]
        )
    if unit == Unit.WARBANDS:
        return np.int64(state.mustered[PLAYER])
    if unit == Unit.WON:
        return np.int64(state.won)
    if unit == Unit.BRIBED:
        return np.int64(state.bribed)
    return np.int64(rules.effect_count[card, i])


# ---- PLACE and EACH -------------------------------------------------------------------------------------------------


@kernel
def suits(rules, state, tile, what):
    """Return whether a tile of the map is what a PLACE or EACH asks for."""
    if what == Where.VILLAGE:
        return rules.village[tile] >= 0
    if what == Where.EMPTY:
        return state.warbands[tile, PLAYER] == 0 and state.warbands[tile, BANDITS] == 0
    if what == Where.MOUNTAIN:
        return sides_of(rules, state, tile, Side.MOUNTAIN.value) != 0
    if what == Where.LAKE:
        return sides_of(rules, state, tile, Side.LAKE.value) != 0
    if what == Where.ROAD:
        return sides_of(rules, state, tile, Side.ROAD.value) != 0
    if what == Where.FOREST:
        return sides_of(rules, state, tile, Side.FOREST.value) != 0
    if what == Where.WARBAND:
        return state.warbands[tile, PLAYER] > 0
    if what == Where.JUSTPLACED:
        return tile == state.laid
    return True


@kernel
def eligible(rules, state, what, w):
    """Return word `w` of the set of tiles that suit."""
    found, rest = 0, state.on_map[w]
    while rest != 0:
        bit = rest & -rest
        if suits(rules, state, PER_WORD * w + lowest(rest), what):
            found |= bit
        rest &= rest - 1
    return found


@kernel
def begin_place(rules, state, what, number):
    """PLACE: choose one tile for all bandits (B1), or nothing where none is eligible."""
    w0, w1 = eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH)
    if w0 | w1 == 0:
        return Stage.EFFECT
    state.left = number
    if several(w0, w1):
        state.decision = Decision.B1
        return Stage.OFFERED
    state.target = any_of(w0, w1)
    return Stage.PLACING


@kernel
def legal_target(rules, state, ids):
    """B1: the tiles that suit a PLACE, or that an EACH has still to serve."""
    if state.left > 0:
        what = np.int64(rules.effect_what[state.card, state.effect - 1])
        return list_cells(state, eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH), ids, ZERO)
    return list_cells(state, servable(state, LOW), servable(state, HIGH), ids, ZERO)


@kernel
def choose_target(rules, state, action):
    state.target = tile_on(state, action)
    return Stage.PLACING if state.left > 0 else serve(rules, state)


@kernel
def begin_each(rules, state, what):
    """EACH: at once where the supply covers all tiles."""
    w0, w1 = eligible(rules, state, what, LOW), eligible(rules, state, what, HIGH)
    if count(w0) + count(w1) > state.settlement[BANDITS]:
        state.remaining[0] = w0
        state.remaining[1] = w1
        return Stage.SERVING
    for w in range(WORDS):
        rest = w0 if w == 0 else w1
        while rest != 0:
            put_bandit(rules, state, PER_WORD * w + lowest(rest), FROM_SETTLEMENT)
            rest &= rest - 1
    return Stage.EFFECT


@kernel
def put_bandit(rules, state, tile, source):
    """Put a bandit on a tile, from the supply or from another tile."""
    if source == FROM_SETTLEMENT:
        state.settlement[BANDITS] -= 1
    else:
        take_warbands(state, BANDITS, source, ONE)
    put_warbands(state, BANDITS, tile, ONE)
    emit(rules, state, Event.PLACE, NOTHING, tile, source)


@kernel
def place_on(rules, state):
    """Put the bandits of a PLACE one by one (BLOOD-SOLO-07): those placed lie on the target, never a source."""
    tile = np.int64(state.target)
    while state.left > 0:
        if state.settlement[BANDITS] > 0:
            source = FROM_SETTLEMENT
        else:
            w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
            if w0 | w1 == 0:
                break
            if several(w0, w1):
                state.decision = Decision.B2
                return Stage.OFFERED
            source = any_of(w0, w1)
        put_bandit(rules, state, tile, source)
        state.left -= 1
    state.left = 0
    state.target = 0
    return Stage.EFFECT


@kernel
def sources(state, target, w):
    """Return word `w` of the tiles from which a bandit may come, but for those that an EACH has just put there."""
    found = state.army[BANDITS, w] & ~(low_bit(target) if w == 0 else high_bit(target))
    rest = found & state.served[w]
    while rest != 0:
        if state.warbands[PER_WORD * w + lowest(rest), BANDITS] == 1:
            found &= ~(rest & -rest)
        rest &= rest - 1
    return found


@kernel
def servable(state, w):
    """Return word `w` of the remaining tiles of an EACH that can get a bandit."""
    if state.settlement[BANDITS] > 0:
        return np.int64(state.remaining[w])
    found, rest = 0, state.remaining[w]
    while rest != 0:
        tile = PER_WORD * w + lowest(rest)
        if sources(state, tile, LOW) | sources(state, tile, HIGH) != 0:
            found |= rest & -rest
        rest &= rest - 1
    return found


@kernel
def next_served(rules, state):
    """Choose the next tile of an EACH (B1)."""
    w0, w1 = servable(state, LOW), servable(state, HIGH)
    if w0 | w1 == 0:
        clear(state.remaining)
        clear(state.served)
        return Stage.EFFECT
    if several(w0, w1):
        state.decision = Decision.B1
        return Stage.OFFERED
    state.target = any_of(w0, w1)
    return serve(rules, state)


@kernel
def serve(rules, state):
    """Choose the bandit for the tile of an EACH (B2)."""
    tile = np.int64(state.target)
    if state.settlement[BANDITS] > 0:
        return serve_from(rules, state, FROM_SETTLEMENT)
    w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
    if several(w0, w1):
        state.decision = Decision.B2
        return Stage.OFFERED
    return serve_from(rules, state, any_of(w0, w1))


@kernel
def serve_from(rules, state, source):
    tile = np.int64(state.target)
    put_bandit(rules, state, tile, source)
    exclude(state.remaining, tile)
    include(state.served, tile)
    state.target = 0
    return Stage.SERVING


# B2 SOURCE -----------------------------------------------------------------------------------------------------------


@kernel
def legal_bandit(rules, state, ids):
    """Tiles from which the next bandit may come: of a battle's addition, a PLACE or an EACH."""
    target = np.int64(state.battle_tile if state.battle_tile > 0 else state.target)
    return list_cells(state, sources(state, target, LOW), sources(state, target, HIGH), ids, ZERO)


@kernel
def choose_bandit(rules, state, action):
    source = tile_on(state, action)
    if state.battle_tile > 0:
        put_bandit(rules, state, np.int64(state.battle_tile), source)
        state.battle_add -= 1
        return Stage.ADDING
    if state.left == 0:
        return serve_from(rules, state, source)
    put_bandit(rules, state, np.int64(state.target), source)
    state.left -= 1
    return Stage.PLACING


@kernel
def add_bandits(rules, state):
    """The bandits' additions after a battle that they alone have won (BLOOD-SOLO-09)."""
    tile = np.int64(state.battle_tile)
    while state.battle_add > 0:
        if state.settlement[BANDITS] > 0:
            source = FROM_SETTLEMENT
        else:
            w0, w1 = sources(state, tile, LOW), sources(state, tile, HIGH)
            if w0 | w1 == 0:
                break
            if several(w0, w1):
                state.player = PLAYER
                state.decision = Decision.B2
                return Stage.OFFERED
            source = any_of(w0, w1)
        put_bandit(rules, state, tile, source)
        state.battle_add -= 1
    state.battle_add = 0
    return begin_points(state)


# ---- ATTACK, B5 -----------------------------------------------------------------------------------------------------


@kernel
def next_attack(rules, state):
    """The next battle of an ATTACK; where nothing is contested the rest is skipped."""
    if state.left == 0:
        return Stage.EFFECT
    pick = np.int64(rules.effect_what[state.card, state.effect - 1])
    w0, w1 = attackable(rules, state, pick, LOW), attackable(rules, state, pick, HIGH)
    if w0 | w1 == 0:
        state.left = 0
        state.last_won = 0
        return Stage.EFFECT
    if several(w0, w1):
        state.player = PLAYER
        state.decision = Decision.B5
        return Stage.OFFERED
    return begin_battle(rules, state, BANDITS, any_of(w0, w1))


@kernel
def attackable(rules, state, pick, w):
    """Return word `w` of the contested tiles that an ATTACK may choose."""
    best, found = best_pick(rules, state, pick), 0
    rest = contested(rules, state, BANDITS, w)
    while rest != 0:
        if pick_value(state, pick, PER_WORD * w + lowest(rest)) == best:
            found |= rest & -rest
        rest &= rest - 1
    return found


@kernel
def pick_value(state, pick, tile):
    if pick == Pick.SMALLEST:
        return -np.int64(state.warbands[tile, PLAYER])
    return np.int64(state.warbands[tile, BANDITS]) if pick == Pick.LARGEST else 0


@kernel
def best_pick(rules, state, pick):
    best = -100
    for w in range(WORDS):
        rest = contested(rules, state, BANDITS, w)
        while rest != 0:
            best = max(best, pick_value(state, pick, PER_WORD * w + lowest(rest)))
            rest &= rest - 1
    return best


@kernel
def legal_attack(rules, state, ids):
    pick = np.int64(rules.effect_what[state.card, state.effect - 1])
    return list_cells(state, attackable(rules, state, pick, LOW), attackable(rules, state, pick, HIGH), ids, ZERO)


@kernel
def attack(rules, state, action):
    return begin_battle(rules, state, BANDITS, tile_on(state, action))


# ---- SCORE, B7 ------------------------------------------------------------------------------------------------------


@kernel
def next_score(rules, state):
    """Score the points of an effect one by one; the sixth ends the game (BLOOD-SOLO-08)."""
    while state.left > 0:
        source = FROM_SETTLEMENT
        if state.settlement[BANDITS] == 0:
            w0, w1 = state.army[BANDITS, 0], state.army[BANDITS, 1]
            if several(w0, w1):
                state.decision = Decision.B7
                return Stage.OFFERED
            source = any_of(w0, w1)
        if bandit_point(rules, state, source):
            return Stage.OFFERED
    return Stage.EFFECT


@kernel
def bandit_point(rules, state, source):
    """Score one point of an effect; return whether it ended the game."""
    score_point(rules, state, BANDITS, source)
    state.left -= 1
    winners = sixth_points(rules, state)
    if winners == 0:
        return False
    end_game(rules, state, winners)
    return True


@kernel
def choose_bandit_point(rules, state, action):
    """B7 of an effect."""
    return Stage.OFFERED if bandit_point(rules, state, tile_on(state, action)) else Stage.SCORING


# ---- BRIBE, B6 ------------------------------------------------------------------------------------------------------


@kernel
def next_bribe(rules, state):
    """The next warband of a BRIBE; where nothing is contested the rest is skipped (BLOOD-EFFECT-03)."""
    while state.left > 0:
        w0, w1 = contested(rules, state, BANDITS, LOW), contested(rules, state, BANDITS, HIGH)
        if w0 | w1 == 0:
            state.left = 0
            break
        if several(w0, w1):
            state.decision = Decision.B6
            return Stage.OFFERED
        bribe_on(rules, state, any_of(w0, w1))
        state.left -= 1
    return Stage.EFFECT


@kernel
def legal_bribe(rules, state, ids):
    return list_cells(state, contested(rules, state, BANDITS, LOW), contested(rules, state, BANDITS, HIGH), ids, ZERO)


@kernel
def bribe(rules, state, action):
    bribe_on(rules, state, tile_on(state, action))
    state.left -= 1
    return Stage.BRIBING


@kernel
def bribe_on(rules, state, tile):
    """One player warband goes home."""
    take_warbands(state, PLAYER, tile, ONE)
    state.settlement[PLAYER] += 1
    state.bribed += 1
    emit(rules, state, Event.BRIBE, NOTHING, tile, NOTHING)


@kernel
def bribe_villages(rules, state):
    """Bribe in each village with a bandit, and score for those without a warband (BLOOD-EFFECT-04)."""
    empty = 0
    for w in range(WORDS):
        rest = state.army[BANDITS, w] & rules.village_set[ALL_VILLAGES, w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if state.warbands[tile, PLAYER] > 0:
                bribe_on(rules, state, tile)
            else:
                empty += 1
    state.left = empty
    return Stage.SCORING


# ---- PREPARE, DISCARD -----------------------------------------------------------------------------------------------


@kernel
def prepare(rules, state, number):
    """Put tiles of the pile face down before the bandits, unseen by anybody."""
    number = min(number, pile_left(state))
    for _ in range(number):
        include(state.prepared[BANDITS], take_top(state))
    emit(rules, state, Event.PREPARE, NOTHING, number, NOTHING)
    return Stage.EFFECT


@kernel
def discard(rules, state, number):
    for _ in range(min(number, pile_left(state))):
        tile = take_top(state)
        include(state.discard, tile)
        emit(rules, state, Event.DISCARD, NOTHING, tile, NOTHING)
    return Stage.EFFECT
