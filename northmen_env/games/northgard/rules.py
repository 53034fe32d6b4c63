"""The verbs `step` and `legal_ids`, and the machine between two decisions.

The rules are in `phases/` (setup, turns, the basic actions, combats, the year) and `cards/` (the interpreter of the
cards). The machine (NORTH-PH-02) goes from stage to stage until a seat has at least two legal actions.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.answering import answer_any
from northmen_env.games.northgard.cards.bribery import go_on_bribe
from northmen_env.games.northgard.cards.choosing import go_on_choose
from northmen_env.games.northgard.cards.copying import go_on_copy
from northmen_env.games.northgard.cards.hands import go_on_raid
from northmen_env.games.northgard.cards.playing import go_on_card
from northmen_env.games.northgard.listing import list_any
from northmen_env.games.northgard.phases.draw import go_on_draw
from northmen_env.games.northgard.phases.explore import go_on_explore
from northmen_env.games.northgard.phases.founding import next_founder
from northmen_env.games.northgard.phases.frames import ask, top_kind
from northmen_env.games.northgard.phases.move import go_on_move
from northmen_env.games.northgard.phases.recruit import go_on_recruit
from northmen_env.games.northgard.phases.roaming import go_on_roaming
from northmen_env.games.northgard.phases.second import go_on_second
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.phases.turns import go_on_pass, next_turn, offer_menu
from northmen_env.games.northgard.phases.year import begin_year, go_on_harvest, next_harvest, next_second
from northmen_env.games.northgard.state import Decision, Frame

# Verbs ---------------------------------------------------------------------------------------------------------------


@kernel
def step(rules, state, action):
    """Apply a legal action and all that follows without a choice."""
    for i in range(np.int64(state.rolls)):
        state.rolled[i] = 0
    state.rolls = 0
    advance(rules, state, answer_any(rules, state, action))


@kernel
def legal_ids(rules, state, ids):
    """Write the legal actions of the seat to act, ascending, into `ids`; return how many (NORTH-ACT-02)."""
    n = np.int64(state.legal_count)
    for i in range(n):
        ids[i] = state.legal[i]
    return n


# The machine ---------------------------------------------------------------------------------------------------------


@kernel
def advance(rules, state, stage):
    """Run the machine from `stage` until a seat has at least two legal actions, or to the end (NORTH-PH-02)."""
    while True:
        while stage != Stage.OFFERED:
            stage = resume(rules, state) if stage == Stage.RESUME else begin(rules, state, stage)
        if refresh(rules, state) != 1:
            return
        stage = answer_any(rules, state, np.int64(state.legal[0]))


@kernel
def refresh(rules, state):
    """Write the legal actions of the seat asked into the state; return how many."""
    n = list_any(rules, state, state.legal) if state.player >= 0 else 0
    for i in range(n, np.int64(state.legal_count)):
        state.legal[i] = 0
    state.legal_count = n
    return n


@kernel
def begin(rules, state, stage):
    """Begin what no frame waits for."""
    if stage == Stage.MENU:
        return offer_menu(state)
    if stage == Stage.CONT:
        ask(state, np.int64(state.turn), Decision.CONT)
        return Stage.OFFERED
    if stage == Stage.TURN_OVER:
        return next_turn(rules, state)
    if stage == Stage.SETUP:
        return next_founder(rules, state)
    if stage == Stage.YEAR:
        return begin_year(rules, state)
    if stage == Stage.HARVEST:
        return next_harvest(rules, state)
    return next_second(rules, state)


@kernel
def resume(rules, state):
    """Let the frame on top go on. Those that are not listed are never resumed."""
    kind = top_kind(state)
    if kind >= Frame.CARD:
        return resume_operation(rules, state, kind)
    if kind == Frame.HARVEST:
        return go_on_harvest(rules, state)
    if kind == Frame.CREATURES:
        return go_on_roaming(rules, state)
    if kind == Frame.PASS:
        return go_on_pass(rules, state)
    return go_on_second(rules, state)


@kernel
def resume_operation(rules, state, kind):
    if kind == Frame.CARD:
        return go_on_card(rules, state)
    if kind == Frame.COPY:
        return go_on_copy(rules, state)
    if kind == Frame.CHOOSE:
        return go_on_choose(rules, state)
    if kind == Frame.RECRUIT:
        return go_on_recruit(rules, state)
    if kind == Frame.MOVE:
        return go_on_move(rules, state)
    if kind == Frame.EXPLORE:
        return go_on_explore(rules, state)
    if kind == Frame.DRAW:
        return go_on_draw(rules, state)
    if kind == Frame.HAND:
        return go_on_raid(rules, state)
    return go_on_bribe(rules, state)
