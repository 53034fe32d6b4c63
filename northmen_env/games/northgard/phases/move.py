"""MOVE (NORTH-MOVE): single moves, then declarations against creatures, then the combats.

The frame MOVE goes on at one of these steps:

    MOVING    single moves
    DECLARING MV_CRE for the territories after `state.place`
    FIGHTING  the due combats; COMBAT lies on it
    MARKING   the Snake's token (bit TOKEN_AFTER); next is the end
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CRE, DONE, NUM, TERR, YES, Event
from northmen_env.games.northgard.amounts import FOOD, NOTHING, ONE, WOOD, ZERO
from northmen_env.games.northgard.board import (
    ally_word,
    enemy_word,
    has_figures,
    has_kaija,
    list_terr,
    put_kaija,
    put_units,
    take_kaija,
    take_units,
    terr_of,
)
from northmen_env.games.northgard.card_table import MoveBit
from northmen_env.games.northgard.cards.scorched import offer_token_after
from northmen_env.games.northgard.goods import gain
from northmen_env.games.northgard.phases.combat import begin_combat
from northmen_env.games.northgard.phases.frames import ask, pop, push, set_step, top_row, top_step
from northmen_env.games.northgard.phases.lairs import creatures_in, crowded_word
from northmen_env.games.northgard.phases.passage import ally_exits
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS, bit_of, has
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import Kind

MOVING, DECLARING, FIGHTING, MARKING = (np.int64(step) for step in range(4))
_SMOOTH, _THROUGH, _GATHER = int(MoveBit.SMOOTH), int(MoveBit.THROUGH), int(MoveBit.GATHER)
_TOKEN_AFTER, _ANYWHERE = int(MoveBit.TOKEN_AFTER), int(MoveBit.ANYWHERE)


@kernel
def can_move(rules, state, p, row):
    """P: the player has a figure on the map (NORTH-FX-02)."""
    return has_figures(state, p)


@kernel
def begin_move(rules, state, row):
    push(state, Frame.MOVE, row)
    state.left = rules.card_a[row]
    return next_move(state)


@kernel
def next_move(state):
    ask(state, np.int64(state.turn), Decision.MV_SRC)
    return Stage.OFFERED


# Where a group may go ------------------------------------------------------------------------------------------------


@kernel
def targets_word(rules, state, t, kaija, w):
    """Return a word of the set of destinations of a group in `t` (NORTH-MOVE-04, -09), `kaija` 1: with Kaija in it."""
    p, left, fl = np.int64(state.turn), np.int64(state.left), np.int64(rules.card_fl[top_row(state)])
    if left == 0:
        return np.int64(0)
    if fl & _ANYWHERE != 0:
        found = np.int64(state.open_land[w]) & ~bit_of(t, w) & ~ally_word(rules, state, p, w)
    else:
        near = np.int64(state.near[t, w])
        easy = near if fl & _SMOOTH != 0 else np.int64(state.smooth[t, w])
        found = easy if left == 1 else near
        allied = found & ally_word(rules, state, p, w)
        if allied != 0:
            through = easy & ally_exits(rules, state, p, kaija, left - 1, fl, w)
            through |= ally_exits(rules, state, p, kaija, left - 2, fl, w)
            found &= ~allied | through
    found &= ~crowded_word(rules, state, w)
    if kaija != 0 and state.kaija_free[p] == 0:  # NORTH-CLAN-04
        found &= ~enemy_word(rules, state, p, w)
    return found


@kernel
def group_targets_word(rules, state, t, w):
    """Return a word of the set of destinations of at least one figure of the actor in `t`."""
    p = np.int64(state.turn)
    alone = state.units[t, p] == 0 or (has_kaija(state, t, p) == 1 and is_passing(rules, state, p, t))
    return targets_word(rules, state, t, ONE if alone else ZERO, w)


@kernel
def is_passing(rules, state, p, t):
    """Return whether a seat's figures stand in its teammate's territory: all must go on (NORTH-TEAM-05)."""
    ally = np.int64(rules.ally[p])
    return ally >= 0 and has(state.owned[ally], t)


@kernel
def passing_from(rules, state, p):
    """Return the teammate's territory where figures of a seat stand, -1 if there is none."""
    for w in range(WORDS):
        shared = np.int64(state.owned[p, w]) & ally_word(rules, state, p, np.int64(w))
        if shared != 0:
            return PER_WORD * w + lowest(shared)
    return -1


@kernel
def price(rules, state, t, u):
    """Return what a single move costs (NORTH-MOVE-01, -09)."""
    fl = np.int64(rules.card_fl[top_row(state)])
    return ONE if fl & (_SMOOTH | _ANYWHERE) != 0 or has(state.smooth[t], u) else ONE + ONE


# MV_SRC … MV_KAIJA ---------------------------------------------------------------------------------------------------


@kernel
def list_source(rules, state, ids):
    """MV_SRC (NORTH-MOVE-02, -03)."""
    p = np.int64(state.turn)
    passing = passing_from(rules, state, p)
    if passing >= 0:
        ids[0] = TERR + np.int64(state.slot[passing])
        return 1
    ids[0] = DONE
    if state.left == 0:
        return 1
    n, through = 1, rules.card_fl[top_row(state)] & _THROUGH != 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & ~np.int64(state.bears[w]) & ~np.int64(state.valkyries[w])
        if not through:
            rest &= ~enemy_word(rules, state, p, np.int64(w))
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if group_targets_word(rules, state, t, ZERO) | group_targets_word(rules, state, t, ONE) != 0:
                ids[n] = TERR + np.int64(state.slot[t])
                n += 1
    return n


@kernel
def answer_source(rules, state, action):
    if action == DONE:
        return end_moves(rules, state)
    state.src = terr_of(state, action)
    ask(state, np.int64(state.turn), Decision.MV_DST)
    return Stage.OFFERED


@kernel
def list_target(rules, state, ids):
    """MV_DST."""
    t = np.int64(state.src)
    return list_terr(
        state, group_targets_word(rules, state, t, ZERO), group_targets_word(rules, state, t, ONE), ids, ZERO
    )


@kernel
def answer_target(rules, state, action):
    state.dst = terr_of(state, action)
    ask(state, np.int64(state.turn), Decision.MV_NUM)
    return Stage.OFFERED


@kernel
def kaija_may_go(rules, state):
    """Return whether Kaija is in the source and may enter the destination."""
    p, t, u = np.int64(state.turn), np.int64(state.src), np.int64(state.dst)
    if has_kaija(state, t, p) == 0:
        return False
    w = ONE if u >= PER_WORD else ZERO
    return targets_word(rules, state, t, ONE, w) & bit_of(u, w) != 0


@kernel
def list_number(rules, state, ids):
    """MV_NUM (NORTH-MOVE-05)."""
    p, t = np.int64(state.turn), np.int64(state.src)
    units = np.int64(state.units[t, p])
    if is_passing(rules, state, p, t):
        ids[0] = NUM + units
        return 1
    least = 0 if kaija_may_go(rules, state) else 1
    for k in range(least, units + 1):
        ids[k - least] = NUM + k
    return units + 1 - least


@kernel
def answer_number(rules, state, action):
    n = action - NUM
    if n == 0:
        return move_group(rules, state, ZERO, ONE)
    if kaija_may_go(rules, state):
        state.num = n
        ask(state, np.int64(state.turn), Decision.MV_KAIJA)
        return Stage.OFFERED
    return move_group(rules, state, n, ZERO)


@kernel
def list_with_kaija(rules, state, ids):
    """MV_KAIJA."""
    if is_passing(rules, state, np.int64(state.turn), np.int64(state.src)):
        ids[0] = YES
        return 1
    ids[0] = DONE
    ids[1] = YES
    return 2


@kernel
def answer_with_kaija(rules, state, action):
    return move_group(rules, state, np.int64(state.num), ONE if action == YES else ZERO)


@kernel
def move_group(rules, state, n, kaija):
    """The group goes from `state.src` to `state.dst`."""
    p, t, u = np.int64(state.turn), np.int64(state.src), np.int64(state.dst)
    emit(rules, state, Event.MOVE, p, np.int64(state.slot[t]), np.int64(state.slot[u]))
    emit(rules, state, Event.GROUP, p, n, kaija)
    if kaija != 0 and rules.card_fl[top_row(state)] & _GATHER != 0:  # NORTH-MOVE-10
        gain(rules, state, p, FOOD, np.int64(state.yields[t, FOOD]))
        gain(rules, state, p, WOOD, np.int64(state.yields[t, WOOD]))
    state.left -= price(rules, state, t, u)
    if n > 0:
        take_units(state, p, t, n)
        put_units(state, p, u, n)
    if kaija != 0:
        take_kaija(state)
        put_kaija(state, u)
    state.src = -1
    state.dst = -1
    state.num = -1
    return next_move(state)


# Creatures, then combats (NORTH-MOVE-11) -----------------------------------------------------------------------------


@kernel
def end_moves(rules, state):
    set_step(state, DECLARING)
    return next_declaration(rules, state)


@kernel
def go_on_move(rules, state):
    step = top_step(state)
    if step == FIGHTING:
        return next_fight(rules, state)
    return end_move(state)


@kernel
def next_declaration(rules, state):
    """Ask which creature is attacked in the next territory with one (NORTH-CRE-11)."""
    p = np.int64(state.turn)
    if state.line_size > 0:
        for w in range(WORDS):
            rest = np.int64(state.owned[p, w]) & ~enemy_word(rules, state, p, np.int64(w))
            while rest != 0:
                t = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                if t > state.place and creatures_in(state, t) != 0:
                    state.place = t
                    ask(state, p, Decision.MV_CRE)
                    return Stage.OFFERED
    state.place = -1
    list_due(rules, state)
    set_step(state, FIGHTING)
    return next_fight(rules, state)


@kernel
def list_prey(rules, state, ids):
    """MV_CRE: with a Fallen Valkyrie nothing but her (NORTH-CRE-12)."""
    t, n = np.int64(state.place), 0
    rest, valkyrie = creatures_in(state, t), has(state.valkyries, t)
    if not valkyrie:
        ids[0] = DONE
        n = 1
    while rest != 0:
        creature = lowest(rest)
        rest &= rest - 1
        if not valkyrie or rules.creature_kind[creature] == Kind.VALKYRIE:
            ids[n] = CRE + creature
            n += 1
    return n


@kernel
def answer_prey(rules, state, action):
    if action != DONE:
        add_due(state, np.int64(state.place), action - CRE)
    return next_declaration(rules, state)


@kernel
def add_due(state, t, creature):
    """Put a combat on the list of those due, by territory."""
    i = np.int64(state.due_size)
    state.due_size = i + 1
    while i > 0 and state.due_place[i - 1] > t:
        state.due_place[i] = state.due_place[i - 1]
        state.due_creature[i] = state.due_creature[i - 1]
        i -= 1
    state.due_place[i] = t
    state.due_creature[i] = creature


@kernel
def list_due(rules, state):
    """Add the combats with players: where figures of the actor stand with enemies (NORTH-MOVE-07, -08)."""
    p = np.int64(state.turn)
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w]) & enemy_word(rules, state, p, np.int64(w))
        while rest != 0:
            add_due(state, PER_WORD * w + lowest(rest), NOTHING)
            rest &= rest - 1


@kernel
def next_fight(rules, state):
    """Ask which combat comes next; after the last one the token."""
    if state.due_size > 0:
        ask(state, np.int64(state.turn), Decision.CB_PICK)
        return Stage.OFFERED
    set_step(state, MARKING)
    if rules.card_fl[top_row(state)] & _TOKEN_AFTER != 0:
        return offer_token_after(rules, state)
    return Stage.RESUME


@kernel
def list_fights(rules, state, ids):
    """CB_PICK."""
    for i in range(np.int64(state.due_size)):
        ids[i] = TERR + np.int64(state.slot[np.int64(state.due_place[i])])
    return np.int64(state.due_size)


@kernel
def answer_fight(rules, state, action):
    p, t, row = np.int64(state.turn), terr_of(state, action), top_row(state)
    i = 0
    while state.due_place[i] != t:
        i += 1
    creature = np.int64(state.due_creature[i])
    defender = NOTHING if creature >= 0 else enemy_in(rules, state, p, t)
    return begin_combat(rules, state, t, p, defender, creature, row)


@kernel
def enemy_in(rules, state, p, t):
    """Return the enemy with figures in a territory."""
    for other in range(np.int64(rules.num_players)):
        if (np.int64(rules.enemies[p]) >> other) & 1 != 0 and has(state.owned[other], t):
            return other
    return NOTHING


@kernel
def end_move(state):
    state.left = 0
    pop(state)
    return Stage.RESUME
