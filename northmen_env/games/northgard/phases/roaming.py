"""What creatures do: act on appearing and after a move (NORTH-CRE-08), and the Creature phase (NORTH-CRE-20 … -24).

The frame CREATURES goes on with the next creature of the line that has not been activated.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import controller, has_kaija, list_terr, neutral_word, remove_figures, terr_of
from northmen_env.games.northgard.phases.combat import begin_combat
from northmen_env.games.northgard.phases.frames import ask, pop, push
from northmen_env.games.northgard.phases.lairs import mark
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS, bit_of
from northmen_env.games.northgard.state import Decision, Frame, Phase
from northmen_env.games.northgard.tables import BUILDINGS, RESOURCES, SEATS, Kind, Priority

LARGE_POINTS = 3  # building points of a large one, 1 of a small one (NORTH-CRE-23)


@kernel
def act(rules, state, creature):
    """A creature that appeared or moved acts (NORTH-CRE-33, -34); then the frame on top goes on."""
    t, kind = np.int64(state.creature_at[creature]), rules.creature_kind[creature]
    p = np.int64(controller(state, t))
    if p < 0:
        return Stage.RESUME
    if kind == Kind.DRAUGR:
        remove_figures(state, p, t, ONE)
        emit(rules, state, Event.LOSE, p, np.int64(state.slot[t]), ONE)
    if kind == Kind.VALKYRIE:
        return begin_combat(rules, state, t, NOTHING, p, creature, NOTHING)
    return Stage.RESUME


# The Creature phase --------------------------------------------------------------------------------------------------


@kernel
def begin_roaming(rules, state):
    """Begin the Creature phase."""
    state.phase = Phase.CREATURES
    state.turn = -1
    push(state, Frame.CREATURES, NOTHING)
    return go_on_roaming(rules, state)


@kernel
def go_on_roaming(rules, state):
    """Activate the next creature from left to right; after the last one comes the harvest."""
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        if (np.int64(state.awake) >> creature) & 1 != 0:
            continue
        state.awake |= 1 << creature
        w0, w1 = way_word(rules, state, creature, ZERO), way_word(rules, state, creature, ONE)
        if w0 | w1 == 0:
            continue  # NORTH-CRE-24
        state.creature = creature
        ask(state, np.int64(state.marker), Decision.CR_MOVE)
        return Stage.OFFERED
    state.creature = -1
    state.awake = 0
    pop(state)
    return Stage.HARVEST


@kernel
def way_word(rules, state, creature, w):
    """Return a word of the set of territories to which a creature can move (NORTH-CRE-21)."""
    found = np.int64(state.near[state.creature_at[creature], w])
    for i in range(np.int64(state.line_size)):
        found &= ~bit_of(np.int64(state.creature_at[np.int64(state.line[i])]), w)
    return found


@kernel
def list_ways(rules, state, ids):
    """CR_MOVE: those that are best by NORTH-CRE-22 and -23."""
    creature = np.int64(state.creature)
    w0, w1 = way_word(rules, state, creature, ZERO), way_word(rules, state, creature, ONE)
    held0, held1 = w0 & ~neutral_word(state, ZERO), w1 & ~neutral_word(state, ONE)
    if held0 | held1 != 0:
        w0, w1 = held0, held1
    best, low, high = np.int64(-1), ZERO, ZERO
    for w in range(WORDS):
        rest = w0 if w == 0 else w1
        while rest != 0:
            bit, t = rest & -rest, PER_WORD * w + lowest(rest)
            rest &= rest - 1
            value = allure(rules, state, creature, t)
            if value > best:
                best, low, high = value, ZERO, ZERO
            if value == best and w == 0:
                low |= bit
            elif value == best:
                high |= bit
    return list_terr(state, low, high, ids, ZERO)


@kernel
def allure(rules, state, creature, t):
    """Return how much a territory draws a creature, its first priority weighing most."""
    value = np.int64(0)
    for i in range(3):
        priority, amount = rules.creature_prio[creature, i], 0
        if priority == Priority.BUILDINGS:
            for b in range(BUILDINGS):
                amount += np.int64(state.buildings[t, b]) * (LARGE_POINTS if rules.build_large[b] != 0 else 1)
        elif priority == Priority.UNITS:
            for p in range(SEATS):
                amount += np.int64(state.units[t, p]) + has_kaija(state, t, p)
        else:
            for r in range(RESOURCES):
                amount += np.int64(state.yields[t, r])
        value = value * 1024 + amount
    return value


@kernel
def answer_way(rules, state, action):
    creature, t = np.int64(state.creature), terr_of(state, action)
    state.creature_at[creature] = t
    mark(rules, state)
    emit(rules, state, Event.ROAM, NOTHING, creature, np.int64(state.slot[t]))
    return act(rules, state, creature)
