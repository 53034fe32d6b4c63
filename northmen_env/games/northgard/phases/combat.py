"""Combats between players (NORTH-COMB) and with creatures (NORTH-CRE-14 … -19): the frame COMBAT.

It goes from one step to the next without another frame on it, so it never goes on by itself. A side is a seat; in a
combat with a creature the other side is `state.foe`: the seat is the attacker, or the defender of a creature's attack.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, FACE, NUM, Event
from northmen_env.games.northgard.amounts import FOOD, NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import (
    figures,
    has_kaija,
    list_terr,
    neutral_word,
    put_kaija,
    put_units,
    remove_figures,
    take_kaija,
    take_units,
    terr_of,
)
from northmen_env.games.northgard.card_table import MoveBit
from northmen_env.games.northgard.goods import add_fame, gain
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.dice import axes, roll, skulls
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.lairs import slay
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import bit_of
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import BUILDINGS, Kind

AXE, SKULL = 0, 1
_SMOOTH, _PUSH, _EITHER = np.int64(MoveBit.SMOOTH), np.int64(MoveBit.PUSH), np.int64(MoveBit.EITHER)


# What a side has -----------------------------------------------------------------------------------------------------


@kernel
def card_bit(rules, row, bit):
    """Return whether the row with the combat's bonuses has a bit; -1 is no row."""
    return row >= 0 and rules.card_fl[row] & bit != 0


@kernel
def strength(rules, state, p):
    """Return the points of a seat's figures, with the Snake's (NORTH-COMB-04, NORTH-CLAN-02, -12)."""
    t = np.int64(state.fight_at)
    points = np.int64(state.units[t, p]) + 2 * has_kaija(state, t, p)
    return points + 1 if state.snake == p and state.token == t else points


@kernel
def fortresses(rules, state):
    """Return the points of the Fortresses for the defender (NORTH-COMB-05, NORTH-BLD-02)."""
    t, points = np.int64(state.fight_at), 0
    for b in range(BUILDINGS):
        points += np.int64(state.buildings[t, b]) * np.int64(rules.build_points[b])
    return points


@kernel
def towers(rules, state):
    """Return the casualties that the Defense Towers inflict (NORTH-COMB-11)."""
    t, casualties = np.int64(state.fight_at), 0
    for b in range(BUILDINGS):
        casualties += np.int64(state.buildings[t, b]) * np.int64(rules.build_casualties[b])
    return casualties


# Begin, CB_PUSH ------------------------------------------------------------------------------------------------------


@kernel
def begin_combat(rules, state, t, attacker, defender, foe, row):
    """Begin a combat in a territory.

    Args:
        attacker, defender: seats; -1 where `foe`, a creature (-1 none), is that side.
        row: the card with the attacker's bonuses, -1 none.
    """
    push(state, Frame.COMBAT, row)
    state.fight_at = t
    state.attacker = attacker
    state.defender = defender
    state.foe = foe
    if foe >= 0:
        emit(rules, state, Event.FIGHT, max(attacker, defender), np.int64(state.slot[t]), foe)
    else:
        emit(rules, state, Event.COMBAT, attacker, np.int64(state.slot[t]), defender)
        if card_bit(rules, row, _PUSH) and state.units[t, defender] > 0:
            ask(state, attacker, Decision.CB_PUSH)
            return Stage.OFFERED
    return ask_food(rules, state)


@kernel
def unresolved_word(state, w):
    """Return a word of the set of territories with an unresolved combat, the one being resolved included."""
    found = bit_of(np.int64(state.fight_at), w)
    for i in range(np.int64(state.due_size)):
        found |= bit_of(np.int64(state.due_place[i]), w)
    return found


@kernel
def haven_word(rules, state, p, w):
    """Return a word of the set of territories that are neutral or the seat's, quiet and without a Fallen Valkyrie."""
    calm = neutral_word(state, w) | np.int64(state.owned[p, w])
    return calm & ~unresolved_word(state, w) & ~np.int64(state.valkyries[w])


@kernel
def list_push(rules, state, ids):
    """CB_PUSH (NORTH-COMB-03)."""
    t, p = np.int64(state.fight_at), np.int64(state.defender)
    ids[0] = DONE
    low = np.int64(state.near[t, 0]) & haven_word(rules, state, p, ZERO)
    return list_terr(state, low, np.int64(state.near[t, 1]) & haven_word(rules, state, p, ONE), ids, ONE)


@kernel
def answer_push(rules, state, action):
    if action != DONE:
        t, p, u = np.int64(state.fight_at), np.int64(state.defender), terr_of(state, action)
        take_units(state, p, t, ONE)
        put_units(state, p, u, ONE)
        emit(rules, state, Event.PUSH, p, np.int64(state.slot[t]), np.int64(state.slot[u]))
        if figures(state, t, p) == 0:
            return end_combat(state)
    return ask_food(rules, state)


# Food (NORTH-COMB-06) ------------------------------------------------------------------------------------------------


@kernel
def ask_food(rules, state):
    """Ask the attacker, then the defender, each if it is a seat."""
    if state.attacker >= 0 and state.food_a < 0:
        ask(state, np.int64(state.attacker), Decision.CB_FOOD_A)
        return Stage.OFFERED
    if state.defender >= 0 and state.food_d < 0:
        ask(state, np.int64(state.defender), Decision.CB_FOOD_D)
        return Stage.OFFERED
    return roll_first(rules, state)


@kernel
def list_food(rules, state, ids):
    """CB_FOOD_A, CB_FOOD_D."""
    p = np.int64(state.player)
    most = min(np.int64(state.resources[p, FOOD]), figures(state, np.int64(state.fight_at), p))
    for i in range(most + 1):
        ids[i] = NUM + i
    return most + 1


@kernel
def answer_food(rules, state, action):
    p, food = np.int64(state.player), action - NUM
    if state.decision == Decision.CB_FOOD_A:
        state.food_a = food
    else:
        state.food_d = food
    if food > 0:
        state.resources[p, FOOD] -= food
        emit(rules, state, Event.FOOD, p, food, NOTHING)
    return ask_food(rules, state)


# Dice (NORTH-COMB-07 … -09) ------------------------------------------------------------------------------------------


@kernel
def roll_first(rules, state):
    """Roll the attacker's die."""
    face = roll(rules, state, np.int64(state.attacker))
    state.roll_a = face
    if state.foe < 0 and rules.die_choice[face] != 0:
        ask(state, np.int64(state.attacker), Decision.CB_FACE_A)
        return Stage.OFFERED
    return offer_either(rules, state)


@kernel
def list_faces(rules, state, ids):
    """CB_FACE_A, CB_EITHER, CB_FACE_D."""
    ids[0] = FACE + AXE
    ids[1] = FACE + SKULL
    return 2


@kernel
def answer_face(rules, state, action):
    choice = action - FACE
    emit(rules, state, Event.FACE, np.int64(state.player), choice, NOTHING)
    if state.decision == Decision.CB_FACE_A:
        state.face_a = choice
        return offer_either(rules, state)
    if state.decision == Decision.CB_EITHER:
        state.either = choice
        return roll_second(rules, state)
    state.face_d = choice
    return resolve(rules, state)


@kernel
def offer_either(rules, state):
    """Bit EITHER: one axe or one skull more; against a creature an axe, since skulls would not count."""
    if state.foe < 0 and card_bit(rules, top_row(state), _EITHER):
        ask(state, np.int64(state.attacker), Decision.CB_EITHER)
        return Stage.OFFERED
    return roll_second(rules, state)


@kernel
def roll_second(rules, state):
    """Roll the defender's die."""
    face = roll(rules, state, np.int64(state.defender))
    state.roll_d = face
    if state.foe < 0 and rules.die_choice[face] != 0:
        ask(state, np.int64(state.defender), Decision.CB_FACE_D)
        return Stage.OFFERED
    return resolve(rules, state)


# The result ----------------------------------------------------------------------------------------------------------


@kernel
def resolve(rules, state):
    if state.foe >= 0:
        return resolve_creature(rules, state)
    return resolve_players(rules, state)


@kernel
def attack_points(rules, state):
    """Return the attacking seat's score (NORTH-COMB-10)."""
    row, p = top_row(state), np.int64(state.attacker)
    points = strength(rules, state, p) + np.int64(state.food_a)
    points += axes(rules, np.int64(state.roll_a), np.int64(state.face_a))
    if row >= 0:
        points += np.int64(rules.card_b[row])
        if card_bit(rules, row, _EITHER) and state.either != SKULL:
            points += 1
    return points


@kernel
def defence_points(rules, state):
    """Return the defending seat's score; a CONQUER of the attacker makes Fortresses useless (NORTH-COMB-05)."""
    points = strength(rules, state, np.int64(state.defender)) + np.int64(state.food_d)
    points += axes(rules, np.int64(state.roll_d), np.int64(state.face_d))
    return points if conquers(state) else points + fortresses(rules, state)


@kernel
def conquers(state):
    """Return whether the attacker is a seat with the CONQUER flag."""
    return state.attacker >= 0 and state.conquer[state.attacker] != 0


@kernel
def resolve_players(rules, state):
    """Compare scores and casualties (NORTH-COMB-10 … -15)."""
    t, a, d, row = np.int64(state.fight_at), np.int64(state.attacker), np.int64(state.defender), top_row(state)
    score_a, score_d = attack_points(rules, state), defence_points(rules, state)
    lost_d = skulls(rules, np.int64(state.roll_a), np.int64(state.face_a))
    if state.either == SKULL:
        lost_d += 1
    lost_a = skulls(rules, np.int64(state.roll_d), np.int64(state.face_d))
    if not conquers(state):
        lost_a += towers(rules, state)
    if row >= 0:
        lost_a = max(lost_a - np.int64(rules.card_c[row]), 0)
    dead_a, dead_d = lost_a >= figures(state, t, a), lost_d >= figures(state, t, d)
    emit(rules, state, Event.SCORE, NOTHING, score_a, score_d)
    lose(rules, state, a, lost_a)
    lose(rules, state, d, lost_d)
    if dead_a and dead_d:  # NORTH-CORN-10
        emit(rules, state, Event.WIN, NOTHING, np.int64(state.slot[t]), NOTHING)
        return end_combat(state)
    wins = dead_d or (not dead_a and score_a > score_d)
    emit(rules, state, Event.WIN, a if wins else d, np.int64(state.slot[t]), NOTHING)
    if wins:
        if state.clan[a] == Clan.STAG:  # NORTH-CLAN-14
            add_fame(rules, state, a, ONE)
        if state.clan[a] == Clan.WOLF:  # NORTH-CLAN-15
            gain(rules, state, a, FOOD, ONE)
    return begin_retreat(rules, state, d if wins else a)


@kernel
def lose(rules, state, p, n):
    """Remove the casualties of a seat, at most all its figures (NORTH-COMB-14)."""
    t = np.int64(state.fight_at)
    if n > 0:
        gone = remove_figures(state, p, t, n)
        emit(rules, state, Event.LOSE, p, np.int64(state.slot[t]), np.int64(gone))


@kernel
def resolve_creature(rules, state):
    """Compare the scores of a seat and a creature (NORTH-CRE-14 … -18)."""
    t, foe, row, attacks = np.int64(state.fight_at), np.int64(state.foe), top_row(state), state.attacker >= 0
    p = np.int64(state.attacker) if attacks else np.int64(state.defender)
    own = attack_points(rules, state) if attacks else defence_points(rules, state)
    face = np.int64(state.roll_d) if attacks else np.int64(state.roll_a)
    value = np.int64(rules.creature_value[foe]) + axes(rules, face, NOTHING)
    lost = skulls(rules, face, NOTHING)
    if row >= 0:
        lost = max(lost - np.int64(rules.card_c[row]), 0)
    dead = lost >= figures(state, t, p)
    emit(rules, state, Event.SCORE, NOTHING, own if attacks else value, value if attacks else own)
    lose(rules, state, p, lost)
    if not dead and (own > value or (own == value and not attacks)):
        win_over_creature(rules, state, p, attacks)
        return end_combat(state)
    emit(rules, state, Event.WIN, NOTHING, np.int64(state.slot[t]), NOTHING)
    if attacks and rules.creature_kind[foe] != Kind.VALKYRIE:
        return end_combat(state)  # they stay
    return begin_retreat(rules, state, p)


@kernel
def win_over_creature(rules, state, p, attacks):
    """The creature leaves, its card gives fame (NORTH-CRE-17); clan powers by NORTH-CRE-19."""
    foe = np.int64(state.foe)
    emit(rules, state, Event.WIN, p, np.int64(state.slot[state.fight_at]), NOTHING)
    slay(rules, state, p, foe)
    add_fame(rules, state, p, np.int64(rules.creature_fame[foe]))
    if attacks and state.clan[p] == Clan.WOLF:
        gain(rules, state, p, FOOD, ONE)
    if attacks and state.clan[p] == Clan.STAG and rules.creature_kind[foe] == Kind.VALKYRIE:
        add_fame(rules, state, p, ONE)


# Retreat (NORTH-COMB-16, -17) ----------------------------------------------------------------------------------------


@kernel
def refuge_word(rules, state, w):
    """Return a word of the set of territories to which the loser may retreat."""
    t, p = np.int64(state.fight_at), np.int64(state.loser)
    across = p == state.turn and card_bit(rules, top_row(state), _SMOOTH)
    near = np.int64(state.near[t, w]) if across else np.int64(state.smooth[t, w])
    return near & haven_word(rules, state, p, w)


@kernel
def begin_retreat(rules, state, p):
    """All figures that the loser has left must go; without a destination they are removed."""
    t = np.int64(state.fight_at)
    left = figures(state, t, p)
    if left == 0:
        return end_combat(state)
    state.loser = p
    if refuge_word(rules, state, ZERO) | refuge_word(rules, state, ONE) == 0:
        remove_figures(state, p, t, left)
        emit(rules, state, Event.LOSE, p, np.int64(state.slot[t]), left)
        return end_combat(state)
    return next_retreat(rules, state)


@kernel
def next_retreat(rules, state):
    """Ask where units go, at last where Kaija goes."""
    t, p = np.int64(state.fight_at), np.int64(state.loser)
    if figures(state, t, p) == 0:
        return end_combat(state)
    ask(state, p, Decision.RT_TERR if state.units[t, p] > 0 else Decision.RT_KAIJA)
    return Stage.OFFERED


@kernel
def list_refuges(rules, state, ids):
    """RT_TERR, RT_KAIJA."""
    return list_terr(state, refuge_word(rules, state, ZERO), refuge_word(rules, state, ONE), ids, ZERO)


@kernel
def answer_retreat(rules, state, action):
    """RT_TERR; with one destination all units go."""
    p = np.int64(state.loser)
    state.retreat_to = terr_of(state, action)
    if count(refuge_word(rules, state, ZERO)) + count(refuge_word(rules, state, ONE)) == 1:
        return go_back(rules, state, np.int64(state.units[state.fight_at, p]))
    ask(state, p, Decision.RT_NUM)
    return Stage.OFFERED


@kernel
def list_retreating(rules, state, ids):
    """RT_NUM."""
    n = np.int64(state.units[state.fight_at, state.loser])
    for i in range(n):
        ids[i] = NUM + 1 + i
    return n


@kernel
def answer_retreating(rules, state, action):
    return go_back(rules, state, action - NUM)


@kernel
def go_back(rules, state, n):
    """Units retreat to `state.retreat_to`."""
    t, p, u = np.int64(state.fight_at), np.int64(state.loser), np.int64(state.retreat_to)
    take_units(state, p, t, n)
    put_units(state, p, u, n)
    state.retreat_to = -1
    emit(rules, state, Event.RETREAT, p, np.int64(state.slot[u]), n)
    return next_retreat(rules, state)


@kernel
def answer_retreat_kaija(rules, state, action):
    u = terr_of(state, action)
    take_kaija(state)
    put_kaija(state, u)
    emit(rules, state, Event.RETREAT, np.int64(state.loser), np.int64(state.slot[u]), ZERO)
    return next_retreat(rules, state)


# End -----------------------------------------------------------------------------------------------------------------


@kernel
def drop_due(state, t):
    """Take the combat in a territory off the list of those of a Move."""
    size, kept = np.int64(state.due_size), 0
    for i in range(size):
        if state.due_place[i] != t:
            state.due_place[kept] = state.due_place[i]
            state.due_creature[kept] = state.due_creature[i]
            kept += 1
    for i in range(kept, size):
        state.due_place[i] = -1
        state.due_creature[i] = -1
    state.due_size = kept


@kernel
def end_combat(state):
    drop_due(state, np.int64(state.fight_at))
    state.fight_at = -1
    state.attacker = -1
    state.defender = -1
    state.foe = -1
    state.food_a = -1
    state.food_d = -1
    state.roll_a = -1
    state.roll_d = -1
    state.face_a = -1
    state.face_d = -1
    state.either = -1
    state.loser = -1
    state.retreat_to = -1
    pop(state)
    return Stage.RESUME
