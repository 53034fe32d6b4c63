"""How gladly an action is taken at the decision points of the map: laying tiles, Recruit, Move, Combat, Build."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import (
    BLDG,
    CELL,
    CRE,
    DONE,
    FACE,
    NUM,
    PICK,
    RES,
    ROT,
    YES,
)
from northmen_env.games.northgard.amounts import ONE, ZERO
from northmen_env.games.northgard.board import controller, figures, terr_of
from northmen_env.games.northgard.habits.cards import (
    best_type,
    type_worth,
)
from northmen_env.games.northgard.habits.fights import (
    arrival_worth,
    best_step,
    lead_in,
    movers,
    step_worth,
    walls,
)
from northmen_env.games.northgard.habits.land import (
    NEVER,
    building_worth,
    land_worth,
    most_units,
    recruit_worth,
    threat,
)
from northmen_env.games.northgard.habits.laying import cell_worth, laying_worth, tile_worth
from northmen_env.games.northgard.phases.build import affords, legal_types
from northmen_env.games.northgard.phases.frames import top_row
from northmen_env.games.northgard.state import Decision

# ---- Setup, Explore, second chance ----------------------------------------------------------------------------------


@kernel
def worth_in_laying(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.SETUP_TILE:
        return tile_worth(rules, state, np.int64(state.tile_hand[p, action - PICK]))
    if decision == Decision.EX_PICK:
        return tile_worth(rules, state, np.int64(state.drawn_tile[action - PICK]))
    if decision in (Decision.SETUP_CELL, Decision.EX_CELL, Decision.SC_CELL):
        return cell_worth(rules, state, p, np.int64(state.tile), action - CELL)
    if decision in (Decision.SETUP_ROT, Decision.EX_ROT, Decision.SC_ROT):
        return laying_worth(rules, state, p, np.int64(state.tile), np.int64(state.cell), action - ROT)
    if decision in (Decision.SETUP_TERR, Decision.SC_TERR):
        return NEVER if action == DONE else land_worth(rules, state, p, terr_of(state, action))
    if decision == Decision.EX_REDRAW:
        worth = tile_worth(rules, state, np.int64(state.drawn_tile[0]))
        return np.int64(60) if action == YES else worth
    return ONE if action == YES else ZERO


# ---- Recruit, payments ----------------------------------------------------------------------------------------------


@kernel
def worth_in_recruiting(rules, state, p, action):
    decision = np.int64(state.decision)
    room = most_units(state, p) - np.int64(state.on_map[p])
    if decision == Decision.REC_TERR:
        if action == DONE:
            return ZERO
        t = terr_of(state, action)
        upkeep = np.int64(0) if room > 0 else np.int64(100) - 60 * room
        return recruit_worth(rules, state, p, t) - upkeep
    if decision == Decision.REC_CAMP:
        return -abs(action - NUM - max(room, 0))
    if decision == Decision.PAY:
        return np.int64(state.resources[p, action - RES])
    if decision == Decision.REC_PAY:
        return ZERO if action == DONE else room - 3
    if decision == Decision.REC_PULL:
        return ZERO if action == DONE else np.int64(figures(state, terr_of(state, action), p)) - 2
    return ONE if action == YES else ZERO  # REC_KAIJA


# ---- Move -----------------------------------------------------------------------------------------------------------


@kernel
def worth_in_moving(rules, state, p, action):
    decision = np.int64(state.decision)
    axes = np.int64(rules.card_b[top_row(state)])
    if decision == Decision.MV_SRC:
        return ZERO if action == DONE else best_step(rules, state, p, terr_of(state, action), axes)
    if decision == Decision.MV_DST:
        return step_worth(rules, state, p, np.int64(state.src), terr_of(state, action), axes)
    if decision == Decision.MV_NUM:
        return -abs(action - NUM - number_to_move(rules, state, p, axes))
    if decision == Decision.MV_KAIJA:
        calm = controller(state, np.int64(state.dst)) == -1
        return ONE if (action == YES) != calm else ZERO
    if decision == Decision.MV_CRE:
        if action == DONE:
            return ZERO
        t, creature = np.int64(state.place), action - CRE
        lead = lead_in(rules, state, p, t, figures(state, t, p), axes)
        return lead - np.int64(rules.creature_value[creature]) - 1
    return ZERO  # CB_PICK


@kernel
def number_to_move(rules, state, p, axes):
    """Return how many units go: one into free land, all but one into a fight, all where the land is given up."""
    t, u = np.int64(state.src), np.int64(state.dst)
    units = np.int64(state.units[t, p])
    stay = movers(state, p, t)
    gain = arrival_worth(rules, state, p, u, stay, axes)
    if units == 1 or gain < arrival_worth(rules, state, p, u, units, axes) - land_worth(rules, state, p, t) - 20:
        return units
    if controller(state, u) >= 0 or stay <= 1:
        return stay
    return max(ONE, stay - 1 - threat(rules, state, p, t)) if threat(rules, state, p, u) > 0 else max(ONE, stay // 2)


# ---- Combat ---------------------------------------------------------------------------------------------------------


@kernel
def worth_in_combat(rules, state, p, action):
    decision, t = np.int64(state.decision), np.int64(state.fight_at)
    if decision in (Decision.CB_FOOD_A, Decision.CB_FOOD_D):
        return -abs(action - NUM - food_to_bid(rules, state, p, decision == Decision.CB_FOOD_A))
    if decision in (Decision.CB_FACE_A, Decision.CB_FACE_D, Decision.CB_EITHER):
        other = np.int64(state.defender) if state.attacker == p else np.int64(state.attacker)
        deadly = figures(state, t, other) <= (1 if decision != Decision.CB_EITHER else 2)
        return ONE if (action == FACE) != deadly else ZERO
    if decision == Decision.RT_NUM:
        return action - NUM
    if action == DONE:  # CB_PUSH
        return ZERO
    u = terr_of(state, action)
    if decision == Decision.CB_PUSH:
        return ONE if controller(state, u) < 0 else ONE + ONE
    return 10 * figures(state, u, p) + land_worth(rules, state, p, u) // 10  # RT_TERR, RT_KAIJA


@kernel
def food_to_bid(rules, state, p, attacks):
    """Return the bid that wins on equal dice, with one more as the attacker, whom the defender answers."""
    t = np.int64(state.fight_at)
    if state.foe >= 0:
        return max(np.int64(rules.creature_value[state.foe]) + 1 - figures(state, t, p), 0)
    other = np.int64(state.defender) if attacks else np.int64(state.attacker)
    mine, theirs = figures(state, t, p), figures(state, t, other)
    buildings = walls(rules, state, t, state.attacker >= 0 and state.conquer[state.attacker] != 0)
    if attacks:
        row = top_row(state)
        mine += np.int64(rules.card_b[row]) if row >= 0 else ZERO
        lack = theirs + buildings + 2 - mine
    else:
        lack = theirs + np.int64(state.food_a) + 1 - mine - buildings
    return ZERO if lack > mine + 2 else max(lack, 0)


# ---- Build ----------------------------------------------------------------------------------------------------------


@kernel
def worth_in_building(rules, state, p, action):
    decision = np.int64(state.decision)
    row = top_row(state)
    if decision == Decision.BD_TERR:
        if action == DONE:
            return ZERO
        t = terr_of(state, action)
        wood = affords(rules, state, p, t, row, ONE)
        small = ONE if state.large_built != 0 and rules.card_a[row] > 1 else ZERO
        return best_type(rules, state, p, t, legal_types(rules, state, t, row, wood, small), row)
    if decision == Decision.BD_TYPE:
        return type_worth(rules, state, p, np.int64(state.place), action - BLDG, row)
    if decision == Decision.RP_NEW:
        return building_worth(rules, state, p, np.int64(state.place), action - BLDG)
    if decision in (Decision.BD_CARVED, Decision.RP_TERR):
        return ONE if action == DONE else ZERO
    return ONE if action == YES else ZERO  # BD_GATHER, RP_OLD
