"""The bandit phase of solo play: its cards and their effects but for places and moves; B5, B6, B7."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.actions import FROM_SETTLEMENT, Event
from northmen_env.games.blood.amounts import ALL_VILLAGES, BANDITS, BANDITS_WIN, HIGH, LOW, NOTHING, ONE, PLAYER, ZERO
from northmen_env.games.blood.bandit_table import Op, Pick
from northmen_env.games.blood.board import contested, take_warbands
from northmen_env.games.blood.phases.battles import begin_battle
from northmen_env.games.blood.phases.choices import any_of, list_cells, several, tile_on
from northmen_env.games.blood.phases.counting import effect_number
from northmen_env.games.blood.phases.ending import (
    end_game,
    leave_bandits,
    next_turn,
    score_point,
    sixth_points,
)
from northmen_env.games.blood.phases.piles import pile_left, take_top
from northmen_env.games.blood.phases.placing import begin_each, begin_place
from northmen_env.games.blood.phases.runs import begin_run
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, include

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
