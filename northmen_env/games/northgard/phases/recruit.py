"""RECRUIT (NORTH-RECR): figures come from the reserve onto the map.

The frame RECRUIT goes on at one of these steps:

    PLACING  the loop of REC_TERR
    BUYING   the loop is over; next is REC_PAY
    PAID     PAY lies on it; next is the unit that was paid for
    CAMPING  REC_CAMP for the territories after `state.place`
    PULLING  REC_PULL
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, NUM, YES, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, TWO, WOOD, ZERO
from northmen_env.games.northgard.board import (
    built_yield,
    has_figures,
    list_terr,
    near_own_word,
    neutral_word,
    put_kaija,
    put_units,
    reserve,
    take_units,
    terr_of,
)
from northmen_env.games.northgard.card_table import RecruitBit
from northmen_env.games.northgard.cards.paying import begin_pay
from northmen_env.games.northgard.goods import total
from northmen_env.games.northgard.phases.frames import ask, pop, push, set_step, top_row, top_step
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS, has, include
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import BUILDINGS

PLACING, BUYING, PAID, CAMPING, PULLING = (np.int64(step) for step in range(5))

_PAY2, _PULL, _KAIJA_FREE = int(RecruitBit.PAY2), int(RecruitBit.PULL), int(RecruitBit.KAIJA_FREE)
OWN, OWN_OR_NEUTRAL = 0, 1  # b: where; else neutral only
SINGLE, SPREAD, BY_YIELD = 1, 2, 3  # c: all in one, at most one in each, at most prod(t, d) in each
OPEN_OR_WOOD = 1  # d with c = SPREAD; else next to an enemy


# Where ---------------------------------------------------------------------------------------------------------------


@kernel
def kaija_waits(state, p):
    """Return whether a seat has Kaija in reserve."""
    return state.bear == p and state.kaija < 0


@kernel
def eligible_word(rules, state, p, row, w):
    """Return a word of the set E of NORTH-RECR-02, without territories that have no room."""
    where, spread = rules.card_b[row], rules.card_c[row]
    neutral = neutral_word(state, w) & ~np.int64(state.valkyries[w])
    own = np.int64(state.owned[p, w])
    if where == OWN:
        found = own if has_figures(state, p) else neutral  # NORTH-RECR-04
    elif where == OWN_OR_NEUTRAL:
        found = own | neutral
    else:
        found = neutral
    found &= ~np.int64(state.bears[w])
    if spread == SPREAD and rules.card_d[row] != OPEN_OR_WOOD:
        return found & near_enemy_word(rules, state, p, w)
    if spread >= SPREAD:
        return filtered(rules, state, row, found, w)
    return found


@kernel
def near_enemy_word(rules, state, p, w):
    """Return a word of the set of territories adjacent to an enemy territory."""
    near = np.int64(0)
    for other in range(np.int64(rules.num_players)):
        if (np.int64(rules.enemies[p]) >> other) & 1 != 0:
            near |= near_own_word(state, other, w)
    return near


@kernel
def filtered(rules, state, row, words, w):
    """Return the territories of a word that are open or show wood (c = 2), or that produce the kind d (c = 3)."""
    found, rest = np.int64(0), words
    by_yield, kind = rules.card_c[row] == BY_YIELD, np.int64(rules.card_d[row])
    while rest != 0:
        bit = rest & -rest
        t = PER_WORD * w + lowest(rest)
        rest &= rest - 1
        if by_yield:
            fits = state.yields[t, kind] > 0
        else:
            fits = has(state.open_land, t) or state.yields[t, WOOD] > built_yield(rules, state, t, WOOD)
        if fits:
            found |= bit
    return found


@kernel
def can_recruit(rules, state, p, row):
    """P: a placement is possible, or bit KAIJA_FREE (NORTH-FX-01)."""
    if rules.card_fl[row] & _KAIJA_FREE != 0:
        return True
    if reserve(state, p) == 0 and not kaija_waits(state, p):
        return False
    for w in range(WORDS):
        if eligible_word(rules, state, p, row, np.int64(w)) != 0:
            return True
    return False


# The loop ------------------------------------------------------------------------------------------------------------


@kernel
def begin_recruit(rules, state, row):
    """Fix where there is room (NORTH-RECR-02), then place figure after figure."""
    p = np.int64(state.turn)
    push(state, Frame.RECRUIT, row)
    state.left = rules.card_a[row]
    if rules.card_fl[row] & _KAIJA_FREE != 0:
        state.kaija_free[p] = 1
    spread, kind = rules.card_c[row], np.int64(rules.card_d[row])
    for w in range(WORDS):
        rest = eligible_word(rules, state, p, row, np.int64(w))
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if spread == SPREAD:
                state.room[t] = 1
            elif spread == BY_YIELD:
                state.room[t] = state.yields[t, kind]
            else:
                state.room[t] = -1
    return next_figure(rules, state)


@kernel
def has_room(state):
    """Return whether some territory has room."""
    for t in range(np.int64(state.plots)):
        if state.room[t] != 0:
            return True
    return False


@kernel
def next_figure(rules, state):
    """Offer REC_TERR, as long as another figure can be placed (NORTH-RECR-03)."""
    p = np.int64(state.turn)
    if state.left > 0 and (reserve(state, p) > 0 or kaija_waits(state, p)) and has_room(state):
        ask(state, p, Decision.REC_TERR)
        return Stage.OFFERED
    return end_placing(rules, state)


@kernel
def list_recruit(rules, state, ids):
    """REC_TERR."""
    n = 0
    if rules.card_fl[top_row(state)] & _KAIJA_FREE != 0 or state.recruited[0] | state.recruited[1] != 0:
        ids[0] = DONE
        n = 1
    low, high = np.int64(0), np.int64(0)
    for t in range(np.int64(state.plots)):
        if state.room[t] != 0:
            if t < PER_WORD:
                low |= 1 << t
            else:
                high |= 1 << (t - PER_WORD)
    return list_terr(state, low, high, ids, np.int64(n))


@kernel
def answer_recruit(rules, state, action):
    if action == DONE:
        return end_placing(rules, state)
    p, t = np.int64(state.turn), terr_of(state, action)
    state.place = t
    if not kaija_waits(state, p):
        return place_figure(rules, state, ZERO)
    if reserve(state, p) == 0:
        return place_figure(rules, state, ONE)
    ask(state, p, Decision.REC_KAIJA)
    return Stage.OFFERED


@kernel
def list_yes_no(rules, state, ids):
    """DONE and YES."""
    ids[0] = DONE
    ids[1] = YES
    return 2


@kernel
def answer_recruit_kaija(rules, state, action):
    return place_figure(rules, state, ONE if action == YES else ZERO)


@kernel
def place_figure(rules, state, kaija):
    """Put a unit, or Kaija (1), into `state.place` (NORTH-RECR-05)."""
    p, t, row = np.int64(state.turn), np.int64(state.place), top_row(state)
    single = rules.card_c[row] == SINGLE or (not has_figures(state, p) and rules.card_b[row] == OWN)
    if kaija != 0:
        put_kaija(state, t)
        state.recruit_kaija = 1
        emit(rules, state, Event.KAIJA, p, np.int64(state.slot[t]), NOTHING)
    else:
        put_units(state, p, t, ONE)
        emit(rules, state, Event.UNITS, p, np.int64(state.slot[t]), ONE)
    include(state.recruited, t)
    if state.room[t] > 0:
        state.room[t] -= 1
    if single:  # NORTH-RECR-03, -04: only this territory remains
        rest = np.int64(state.room[t])
        state.room[:] = 0
        state.room[t] = rest
    state.left -= 1
    state.place = -1
    return next_figure(rules, state)


@kernel
def end_placing(rules, state):
    """The loop is over: REC_PAY, if a unit was placed and another one can be paid for (NORTH-RECR-06)."""
    p, row = np.int64(state.turn), top_row(state)
    units = np.int64(rules.card_a[row]) - np.int64(state.left) - np.int64(state.recruit_kaija)
    state.left = 0
    state.room[:] = 0
    set_step(state, CAMPING)
    if rules.card_fl[row] & _PAY2 != 0 and units > 0 and reserve(state, p) > 0 and total(state, p) >= TWO:
        set_step(state, BUYING)
        ask(state, p, Decision.REC_PAY)
        return Stage.OFFERED
    return Stage.RESUME


# After the loop ------------------------------------------------------------------------------------------------------


@kernel
def go_on_recruit(rules, state):
    step = top_step(state)
    if step == PAID:
        p, t = np.int64(state.turn), first_recruited(state)
        put_units(state, p, t, ONE)
        emit(rules, state, Event.UNITS, p, np.int64(state.slot[t]), ONE)
        set_step(state, CAMPING)
    if step == PULLING:
        return end_recruit(state)
    return next_camp(rules, state)


@kernel
def first_recruited(state):
    """Return the first territory that got a figure; one did."""
    return lowest(state.recruited[0]) if state.recruited[0] != 0 else PER_WORD + lowest(state.recruited[1])


@kernel
def answer_recruit_pay(rules, state, action):
    if action == DONE:
        set_step(state, CAMPING)
        return Stage.RESUME
    set_step(state, PAID)
    return begin_pay(rules, state, np.int64(state.turn), TWO, NOTHING)


@kernel
def camp_units(rules, state, t):
    """Return how many more units the Training Camps of a territory allow."""
    units = 0
    for b in range(BUILDINGS):
        units += np.int64(state.buildings[t, b]) * np.int64(rules.build_units[b])
    return units


@kernel
def next_camp(rules, state):
    """Ask REC_CAMP for the next territory with camps (NORTH-RECR-08), after the last REC_PULL."""
    p = np.int64(state.turn)
    if reserve(state, p) > 0:
        for w in range(WORDS):
            rest = np.int64(state.recruited[w])
            while rest != 0:
                t = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                if t > state.place and camp_units(rules, state, t) > 0:
                    state.place = t
                    ask(state, p, Decision.REC_CAMP)
                    return Stage.OFFERED
    state.place = -1
    set_step(state, PULLING)
    if rules.card_fl[top_row(state)] & _PULL != 0 and state.recruited[0] | state.recruited[1] != 0:
        ask(state, p, Decision.REC_PULL)
        return Stage.OFFERED
    return Stage.RESUME


@kernel
def list_camp(rules, state, ids):
    """REC_CAMP."""
    most = min(camp_units(rules, state, np.int64(state.place)), reserve(state, np.int64(state.turn)))
    for i in range(most + 1):
        ids[i] = NUM + i
    return most + 1


@kernel
def answer_camp(rules, state, action):
    p, t, n = np.int64(state.turn), np.int64(state.place), action - NUM
    if n > 0:
        put_units(state, p, t, n)
        emit(rules, state, Event.UNITS, p, np.int64(state.slot[t]), n)
    return next_camp(rules, state)


@kernel
def list_pull(rules, state, ids):
    """REC_PULL: adjacent own territories with a unit and without a Brown Bear (NORTH-RECR-10)."""
    p, t = np.int64(state.turn), first_recruited(state)
    ids[0] = DONE
    low, high = np.int64(0), np.int64(0)
    for w in range(WORDS):
        rest = np.int64(state.near[t, w]) & np.int64(state.owned[p, w]) & ~np.int64(state.bears[w])
        while rest != 0:
            bit, u = rest & -rest, PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if state.units[u, p] > 0 and w == 0:
                low |= bit
            elif state.units[u, p] > 0:
                high |= bit
    return list_terr(state, low, high, ids, ONE)


@kernel
def answer_pull(rules, state, action):
    if action != DONE:
        p, t, u = np.int64(state.turn), first_recruited(state), terr_of(state, action)
        take_units(state, p, u, ONE)
        put_units(state, p, t, ONE)
        emit(rules, state, Event.MOVE, p, np.int64(state.slot[u]), np.int64(state.slot[t]))
    return end_recruit(state)


@kernel
def end_recruit(state):
    state.recruited[:] = 0
    state.recruit_kaija = 0
    pop(state)
    return Stage.RESUME
