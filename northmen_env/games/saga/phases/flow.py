"""What follows a decision without a choice: stage after stage, in one flat loop."""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.saga.phases.march import begin_kingdom, clean_up, fight_and_collect, take_control
from northmen_env.games.saga.phases.moves import next_cube, next_hero
from northmen_env.games.saga.phases.planning import end_planning, offer_buy, offer_hold
from northmen_env.games.saga.phases.rally import begin_turn, place_plunder
from northmen_env.games.saga.phases.round_change import change_round, end_game
from northmen_env.games.saga.phases.routes import visit_routes
from northmen_env.games.saga.phases.stages import Stage


@kernel
def advance(rules, state, stage):
    """Run the phase machine from `stage` until a seat has at least two legal actions, or to the end (SAGA-TURN-03)."""
    while stage != Stage.OFFERED:
        if stage == Stage.TURN:
            stage = begin_turn(rules, state)
        elif stage == Stage.PLUNDER:
            stage = place_plunder(rules, state)
        elif stage == Stage.CONTROL:
            stage = take_control(rules, state)
        elif stage == Stage.KINGDOM:
            stage = begin_kingdom(rules, state)
        elif stage == Stage.CUBES:
            stage = next_cube(rules, state)
        elif stage == Stage.HEROES:
            stage = next_hero(rules, state)
        elif stage == Stage.BATTLES:
            stage = fight_and_collect(rules, state)
        elif stage == Stage.ROUTES:
            stage = visit_routes(rules, state)
        elif stage == Stage.CLEANUP:
            stage = clean_up(rules, state)
        elif stage == Stage.BUYING:
            stage = offer_buy(rules, state)
        elif stage == Stage.HOLDING:
            stage = offer_hold(rules, state)
        elif stage == Stage.PLANNED:
            stage = end_planning(rules, state)
        elif stage == Stage.CHANGE:
            stage = change_round(rules, state)
        else:
            stage = end_game(rules, state)
