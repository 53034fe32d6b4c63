"""What follows a decision without a choice: stage after stage, in one flat loop."""

from __future__ import annotations

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.phases.actions import FOREST, begin_phase, next_action
from northmen_env.games.blood.phases.bandits import next_attack, next_bribe, next_effect, next_score, turn_card
from northmen_env.games.blood.phases.battles import begin_reveal, end_battle, next_point, resolve
from northmen_env.games.blood.phases.citadels import offer_citadel, offer_founders
from northmen_env.games.blood.phases.ending import after_vikings, end_turn
from northmen_env.games.blood.phases.laying import begin_turn, offer_cell
from northmen_env.games.blood.phases.moves import offer_count, offer_destination
from northmen_env.games.blood.phases.placing import add_bandits, next_served, place_on
from northmen_env.games.blood.phases.runs import next_move
from northmen_env.games.blood.phases.stages import Stage
from northmen_env.games.blood.phases.villages import begin_village, next_village_action


@kernel
def advance(rules, state, stage):
    """Run the machine from `stage` until a seat has at least two legal actions, or to the end (BLOOD-PHASE-02)."""
    while stage != Stage.OFFERED:
        if stage <= Stage.DESTINATION:
            stage = advance_turn(rules, state, stage)
        elif stage <= Stage.FOUGHT:
            stage = advance_battle(rules, state, stage)
        elif stage == Stage.END_TURN:
            stage = end_turn(rules, state)
        elif stage == Stage.RAIDED:
            stage = after_vikings(rules, state)
        else:
            stage = advance_bandits(rules, state, stage)


@kernel
def advance_turn(rules, state, stage):
    if stage == Stage.ACTION:
        return next_action(rules, state)
    if stage == Stage.CELL:
        return offer_cell(rules, state)
    if stage == Stage.COUNT:
        return offer_count(rules, state)
    if stage == Stage.DESTINATION:
        return offer_destination(rules, state)
    if stage == Stage.TURN:
        return begin_turn(rules, state)
    if stage == Stage.LAID:
        return offer_citadel(rules, state)
    if stage == Stage.FOUND:
        return offer_founders(rules, state)
    if stage == Stage.VILLAGE:
        return begin_village(rules, state)
    if stage == Stage.VILLAGE_ACTION:
        return next_village_action(rules, state)
    return begin_phase(rules, state, FOREST)


@kernel
def advance_battle(rules, state, stage):
    if stage == Stage.REVEAL:
        return begin_reveal(rules, state)
    if stage == Stage.RESOLVE:
        return resolve(rules, state)
    if stage == Stage.POINTS:
        return next_point(rules, state)
    return end_battle(rules, state)


@kernel
def advance_bandits(rules, state, stage):
    if stage == Stage.ADDING:
        return add_bandits(rules, state)
    if stage == Stage.CARD:
        return turn_card(rules, state)
    if stage == Stage.EFFECT:
        return next_effect(rules, state)
    if stage == Stage.PLACING:
        return place_on(rules, state)
    if stage == Stage.SERVING:
        return next_served(rules, state)
    if stage == Stage.RUNNING:
        return next_move(rules, state)
    if stage == Stage.ATTACKING:
        return next_attack(rules, state)
    if stage == Stage.SCORING:
        return next_score(rules, state)
    return next_bribe(rules, state)
