"""BRIBE (NORTH-SPEC-07): enemy units move to an adjacent territory, and fight there if it is not their owner's."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import NUM, TERR, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import controller, enemy_word, list_terr, put_units, take_units, terr_of
from northmen_env.games.northgard.phases.combat import begin_combat
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import Decision, Frame


@kernel
def target_word(rules, state, t, owner, w):
    """Return the word `w` of the set of territories to which units of `owner` in `t` can be moved."""
    targets = np.int64(state.near[t, w]) & ~np.int64(state.valkyries[w])
    ally = np.int64(rules.ally[owner])
    return targets if ally < 0 else targets & ~np.int64(state.owned[ally, w])


@kernel
def is_source(rules, state, t):
    """Return whether a territory of an enemy holds a unit and a destination is legal."""
    owner = controller(state, t)
    if state.units[t, owner] == 0:
        return False
    for w in range(WORDS):
        if target_word(rules, state, t, owner, np.int64(w)) != 0:
            return True
    return False


@kernel
def list_sources(rules, state, p, ids):
    """Write `TERR t` for each source, ascending; return how many."""
    n = 0
    for w in range(WORDS):
        rest = enemy_word(rules, state, p, np.int64(w))
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if is_source(rules, state, t):
                ids[n] = TERR + np.int64(state.slot[t])
                n += 1
    return n


@kernel
def can_bribe(rules, state, p):
    """P: a source exists."""
    for w in range(WORDS):
        rest = enemy_word(rules, state, p, np.int64(w))
        while rest != 0:
            if is_source(rules, state, PER_WORD * w + lowest(rest)):
                return True
            rest &= rest - 1
    return False


@kernel
def begin_bribe(rules, state, row):
    push(state, Frame.BRIBE, row)
    p = np.int64(state.turn)
    if not can_bribe(rules, state, p):
        return end_bribe(state)
    ask(state, p, Decision.BR_SRC)
    return Stage.OFFERED


@kernel
def go_on_bribe(rules, state):
    """The combat is over."""
    return end_bribe(state)


@kernel
def end_bribe(state):
    state.src = -1
    state.dst = -1
    pop(state)
    return Stage.RESUME


@kernel
def list_bribe_source(rules, state, ids):
    return list_sources(rules, state, np.int64(state.turn), ids)


@kernel
def answer_bribe_source(rules, state, action):
    state.src = terr_of(state, action)
    ask(state, np.int64(state.turn), Decision.BR_DST)
    return Stage.OFFERED


@kernel
def list_bribe_target(rules, state, ids):
    t = np.int64(state.src)
    owner = controller(state, t)
    low = target_word(rules, state, t, owner, ZERO)
    return list_terr(state, low, target_word(rules, state, t, owner, ONE), ids, ZERO)


@kernel
def answer_bribe_target(rules, state, action):
    state.dst = terr_of(state, action)
    ask(state, np.int64(state.turn), Decision.BR_NUM)
    return Stage.OFFERED


@kernel
def list_bribe_number(rules, state, ids):
    t = np.int64(state.src)
    most = min(np.int64(rules.card_a[top_row(state)]), np.int64(state.units[t, controller(state, t)]))
    for number in range(1, most + 1):
        ids[number - 1] = NUM + number
    return most


@kernel
def answer_bribe_number(rules, state, action):
    number, src, dst = action - NUM, np.int64(state.src), np.int64(state.dst)
    owner, holder = controller(state, src), controller(state, dst)
    emit(rules, state, Event.BRIBE, np.int64(state.turn), np.int64(state.slot[src]), np.int64(state.slot[dst]))
    emit(rules, state, Event.GROUP, owner, number, ZERO)
    take_units(state, owner, src, number)
    put_units(state, owner, dst, number)
    if holder < 0 or holder == owner:
        return end_bribe(state)
    return begin_combat(rules, state, dst, owner, holder, NOTHING, NOTHING)
