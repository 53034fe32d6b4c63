"""The operations by their number, all but COPY, which runs one of these for another card (`copying.py`)."""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.card_table import Op
from northmen_env.games.northgard.cards.bribery import begin_bribe, can_bribe
from northmen_env.games.northgard.cards.choosing import begin_choose, can_choose
from northmen_env.games.northgard.cards.hands import begin_raid, can_raid
from northmen_env.games.northgard.cards.plain import begin_fetch, begin_foresee, can_foresee, run_conquer, run_gain
from northmen_env.games.northgard.cards.striking import begin_strike, can_strike
from northmen_env.games.northgard.decks import avail
from northmen_env.games.northgard.phases.build import begin_build, can_build
from northmen_env.games.northgard.phases.draw import begin_draw, can_draw
from northmen_env.games.northgard.phases.explore import begin_explore, can_explore
from northmen_env.games.northgard.phases.move import begin_move, can_move
from northmen_env.games.northgard.phases.recruit import begin_recruit, can_recruit
from northmen_env.games.northgard.phases.stages import Stage


@kernel
def can_perform(rules, state, p, row):
    """Return whether the P of a row holds for a seat (NORTH-FX-00 … -15); False for COPY."""
    op = rules.card_op[row]
    if op == Op.RECRUIT:
        return can_recruit(rules, state, p, row)
    if op == Op.MOVE:
        return can_move(rules, state, p, row)
    if op == Op.EXPLORE:
        return can_explore(rules, state, p, row)
    if op == Op.BUILD:
        return can_build(rules, state, p, row)
    if op == Op.DRAW:
        return can_draw(rules, state, p, row)
    if op == Op.GAIN or op == Op.CONQUER:
        return True
    if op == Op.CHOOSE:
        return can_choose(rules, state, p, row)
    if op == Op.STRIKE:
        return can_strike(rules, state, p, row)
    if op == Op.HAND:
        return can_raid(rules, state, p, row)
    if op == Op.BRIBE:
        return can_bribe(rules, state, p)
    if op == Op.FETCH:
        return avail(state, p) > 0
    if op == Op.FORESEE:
        return can_foresee(state, p)
    return False  # NONE, REACT


@kernel
def perform(rules, state, row):
    """Let the turn player run the operation of a row, any but COPY."""
    op = rules.card_op[row]
    if op == Op.RECRUIT:
        return begin_recruit(rules, state, row)
    if op == Op.MOVE:
        return begin_move(rules, state, row)
    if op == Op.EXPLORE:
        return begin_explore(rules, state, row)
    if op == Op.BUILD:
        return begin_build(rules, state, row)
    if op == Op.DRAW:
        return begin_draw(rules, state, row)
    if op == Op.GAIN:
        return run_gain(rules, state, row)
    if op == Op.CHOOSE:
        return begin_choose(rules, state, row)
    if op == Op.STRIKE:
        return begin_strike(rules, state, row)
    if op == Op.HAND:
        return begin_raid(rules, state, row)
    if op == Op.BRIBE:
        return begin_bribe(rules, state, row)
    if op == Op.FETCH:
        return begin_fetch(rules, state, row)
    if op == Op.FORESEE:
        return begin_foresee(rules, state, row)
    if op == Op.CONQUER:
        return run_conquer(rules, state)
    return Stage.RESUME
