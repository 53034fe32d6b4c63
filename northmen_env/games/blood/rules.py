"""The verbs `step` and `legal_ids`: dispatch on the decision point, nothing else. The rules are in `phases/`."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.blood.phases.actions import act_in_forest, legal_forest
from northmen_env.games.blood.phases.bandits import (
    attack,
    bribe,
    choose_bandit_point,
    legal_attack,
    legal_bribe,
)
from northmen_env.games.blood.phases.battles import (
    act_on_mountain,
    add_warbands,
    battle_point,
    legal_add,
    legal_bandit_source,
    legal_basic,
    legal_mountain,
    legal_prepared,
    show_basic,
    show_prepared,
)
from northmen_env.games.blood.phases.citadels import choose_founders, choose_side, legal_citadel, legal_founders
from northmen_env.games.blood.phases.ending import legal_point_source, vikings_point
from northmen_env.games.blood.phases.flow import advance
from northmen_env.games.blood.phases.laying import (
    choose_cell,
    choose_rotation,
    choose_tile,
    judge_revealed,
    legal_cell,
    legal_revealed,
    legal_rotation,
    legal_tile,
)
from northmen_env.games.blood.phases.moves import (
    choose_count,
    choose_destination,
    choose_source,
    legal_count,
    legal_destination,
    legal_source,
)
from northmen_env.games.blood.phases.placing import choose_bandit, choose_target, legal_bandit, legal_target
from northmen_env.games.blood.phases.runs import choose_end, choose_start, legal_end, legal_start
from northmen_env.games.blood.phases.villages import (
    choose_silver,
    discard_for_silver,
    do_furs,
    do_mead,
    do_tusk,
    legal_furs,
    legal_hand,
    legal_mead,
    legal_sails,
    legal_silver,
    legal_tusk,
    sail,
)
from northmen_env.games.blood.state import Decision


@kernel
def step(rules, state, action):
    """Apply a legal action and all that follows without a choice."""
    decision = np.int64(state.decision)
    if decision <= Decision.D04:
        stage = step_laying(rules, state, decision, action)
    elif decision <= Decision.D12:
        stage = step_village(rules, state, decision, action)
    elif decision <= Decision.D18:
        stage = step_action(rules, state, decision, action)
    elif decision <= Decision.D22:
        stage = step_battle(rules, state, decision, action)
    else:
        stage = step_bandits(rules, state, decision, action)
    advance(rules, state, stage)


@kernel
def step_laying(rules, state, decision, action):
    if decision == Decision.D01:
        return choose_tile(rules, state, action)
    if decision == Decision.D02:
        return judge_revealed(rules, state, action)
    if decision == Decision.D03:
        return choose_cell(rules, state, action)
    return choose_rotation(rules, state, action)


@kernel
def step_village(rules, state, decision, action):
    if decision == Decision.D05:
        return choose_side(rules, state, action)
    if decision == Decision.D06:
        return choose_founders(rules, state, action)
    if decision == Decision.D07:
        return sail(rules, state, action)
    if decision == Decision.D08:
        return do_furs(rules, state, action)
    if decision == Decision.D09:
        return do_mead(rules, state, action)
    if decision == Decision.D10:
        return choose_silver(rules, state, action)
    if decision == Decision.D11:
        return discard_for_silver(rules, state, action)
    return do_tusk(rules, state, action)


@kernel
def step_action(rules, state, decision, action):
    if decision == Decision.D13:
        return act_in_forest(rules, state, action)
    if decision == Decision.D16:
        return act_on_mountain(rules, state, action)
    if decision == Decision.D17:
        return choose_count(rules, state, action)
    if decision == Decision.D18:
        return choose_destination(rules, state, action)
    return choose_source(rules, state, action)


@kernel
def step_battle(rules, state, decision, action):
    if decision == Decision.D19:
        return show_prepared(rules, state, action)
    if decision == Decision.D20:
        return show_basic(rules, state, action)
    if decision == Decision.D21:
        return add_warbands(rules, state, action)
    return battle_point(rules, state, action) if state.battle_tile > 0 else vikings_point(rules, state, action)


@kernel
def step_bandits(rules, state, decision, action):
    if decision == Decision.B1:
        return choose_target(rules, state, action)
    if decision == Decision.B2:
        return choose_bandit(rules, state, action)
    if decision == Decision.B3:
        return choose_start(rules, state, action)
    if decision == Decision.B4:
        return choose_end(rules, state, action)
    if decision == Decision.B5:
        return attack(rules, state, action)
    if decision == Decision.B6:
        return bribe(rules, state, action)
    return battle_point(rules, state, action) if state.battle_tile > 0 else choose_bandit_point(rules, state, action)


@kernel
def legal_ids(rules, state, ids):
    """Write the legal actions of the seat to act, ascending, into `ids`; return how many (BLOOD-ACTION-02)."""
    decision = np.int64(state.decision)
    if decision <= Decision.D04:
        return legal_in_laying(rules, state, decision, ids)
    if decision <= Decision.D12:
        return legal_in_village(rules, state, decision, ids)
    if decision <= Decision.D18:
        return legal_in_action(rules, state, decision, ids)
    if decision <= Decision.D22:
        return legal_in_battle(rules, state, decision, ids)
    return legal_for_bandits(rules, state, decision, ids)


@kernel
def legal_in_laying(rules, state, decision, ids):
    if decision == Decision.D01:
        return legal_tile(rules, state, ids)
    if decision == Decision.D02:
        return legal_revealed(rules, state, ids)
    if decision == Decision.D03:
        return legal_cell(rules, state, ids)
    return legal_rotation(rules, state, ids)


@kernel
def legal_in_village(rules, state, decision, ids):
    if decision == Decision.D05:
        return legal_citadel(rules, state, ids)
    if decision == Decision.D06:
        return legal_founders(rules, state, ids)
    if decision == Decision.D07:
        return legal_sails(rules, state, ids)
    if decision == Decision.D08:
        return legal_furs(rules, state, ids)
    if decision == Decision.D09:
        return legal_mead(rules, state, ids)
    if decision == Decision.D10:
        return legal_silver(rules, state, ids)
    if decision == Decision.D11:
        return legal_hand(rules, state, ids)
    return legal_tusk(rules, state, ids)


@kernel
def legal_in_action(rules, state, decision, ids):
    if decision == Decision.D13:
        return legal_forest(rules, state, ids)
    if decision == Decision.D16:
        return legal_mountain(rules, state, ids)
    if decision == Decision.D17:
        return legal_count(rules, state, ids)
    if decision == Decision.D18:
        return legal_destination(rules, state, ids)
    return legal_source(rules, state, ids)


@kernel
def legal_in_battle(rules, state, decision, ids):
    if decision == Decision.D19:
        return legal_prepared(rules, state, ids)
    if decision == Decision.D20:
        return legal_basic(rules, state, ids)
    if decision == Decision.D21:
        return legal_add(rules, state, ids)
    return legal_point_source(rules, state, ids)


@kernel
def legal_for_bandits(rules, state, decision, ids):
    if decision == Decision.B1:
        return legal_target(rules, state, ids)
    if decision == Decision.B2:
        return legal_bandit(rules, state, ids)
    if decision == Decision.B3:
        return legal_start(rules, state, ids)
    if decision == Decision.B4:
        return legal_end(rules, state, ids)
    if decision == Decision.B5:
        return legal_attack(rules, state, ids)
    if decision == Decision.B6:
        return legal_bribe(rules, state, ids)
    if decision == Decision.B7:
        return legal_bandit_source(rules, state, ids)
    return 0
