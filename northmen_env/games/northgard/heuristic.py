"""The game's heuristic: `suggest`, a player of sound habits, and `evaluate`, a guess of the returns.

`suggest` rates the legal actions of its own decision by what its seat knows, and takes the best. Habits:

    turn       every card that gains something is played, cards and goods first; lore is for better cards
    recruit    as many units as the food feeds, where there is land to take or to hold
    explore    tiles that close and enlarge own territories, and leave the enemies' open
    move       to the dearest land that is free or weakly held, one figure staying behind where land would be lost
    build      large buildings in closed territories above all: three of them win (NORTH-END-01)
    fight      food for as much as decides the fight, skulls where they wipe out
    pick       achievements by their value, other cards by fame and what they will do

Worths are integers in hundredths of a fame (`habits/`); ties are broken by `seed`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_AGENT, draw, stream
from northmen_env.games.northgard.actions import (
    ACT,
    BLDG,
    CARD,
    CELL,
    CRE,
    DONE,
    FACE,
    NUM,
    PASS,
    PICK,
    PLAY,
    PLAYER,
    REMOVE,
    REPLACE,
    RES,
    ROT,
    UPGRADE,
    YES,
)
from northmen_env.games.northgard.amounts import FOOD, LORE, ONE, WOOD, ZERO
from northmen_env.games.northgard.board import controller, figures, terr_of
from northmen_env.games.northgard.bounds import MAX_LEGAL
from northmen_env.games.northgard.card_table import Op
from northmen_env.games.northgard.habits.cards import (
    act_worth,
    best_type,
    junk,
    keeping_worth,
    play_worth,
    riddance,
    short_of_food,
    strength,
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
    building_worth,
    income,
    land_worth,
    large_site,
    most_units,
    recruit_worth,
    strongholds_of,
    threat,
)
from northmen_env.games.northgard.habits.laying import cell_worth, laying_worth, tile_worth
from northmen_env.games.northgard.phases.build import affords, legal_types
from northmen_env.games.northgard.phases.frames import top_row
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.rules import legal_ids
from northmen_env.games.northgard.scoring import count_higher, count_lower, side_key, sides, total_fame
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import SEATS, Group

_NEVER = np.int64(-1000000)
_TIE = 6  # bits of the random tie-break
_WEAK = 60  # strength of a card that is better given for another


@kernel
def suggest(rules, state, player, seed):
    """Return a legal action for `player`, the seat to act."""
    ids = np.empty(MAX_LEGAL, np.int16)
    number = legal_ids(rules, state, ids)
    key = stream(seed, PURPOSE_AGENT, player, ZERO)
    best, chosen = np.int64(-(1 << 50)), ZERO
    for i in range(number):
        action = np.int64(ids[i])
        worth = (worth_of(rules, state, player, action) << _TIE) | (draw(key, action) & ((1 << _TIE) - 1))
        if worth > best:
            best, chosen = worth, action
    return chosen


@kernel
def worth_of(rules, state, p, action):
    """Return how gladly an action is taken, comparable among the actions of one decision."""
    decision = np.int64(state.decision)
    exploring = Decision.EX_AGAIN <= decision <= Decision.EX_ROT
    if exploring or decision <= Decision.SETUP_KAIJA or decision >= Decision.SC_TERR:
        return worth_in_laying(rules, state, p, action)
    if decision <= Decision.TOKEN:
        return worth_in_turn(rules, state, p, action)
    if decision <= Decision.PAY:
        return worth_in_recruiting(rules, state, p, action)
    if decision <= Decision.CB_PICK:
        return worth_in_moving(rules, state, p, action)
    if decision <= Decision.RT_KAIJA:
        return worth_in_combat(rules, state, p, action)
    if decision <= Decision.RP_NEW:
        return worth_in_building(rules, state, p, action)
    if decision <= Decision.FS_CARD:
        return worth_in_cards(rules, state, p, action)
    return worth_in_harvest(rules, state, p, action)


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
        return _NEVER if action == DONE else land_worth(rules, state, p, terr_of(state, action))
    if decision == Decision.EX_REDRAW:
        worth = tile_worth(rules, state, np.int64(state.drawn_tile[0]))
        return np.int64(60) if action == YES else worth
    return ONE if action == YES else ZERO


# ---- The turn -------------------------------------------------------------------------------------------------------


@kernel
def best_play(rules, state, p):
    """Return the worth of the best card of the hand, whether or not it can be played."""
    best = _NEVER
    for i in range(np.int64(state.hand_size[p])):
        card = np.int64(state.hand[p, i])
        if state.main_used == 0 or rules.card_flash[card] != 0:
            best = max(best, play_worth(rules, state, p, card))
    return best


@kernel
def weakest(rules, state, p):
    """Return the strength of the weakest starting card in the hand, a high number without one."""
    least = np.int64(1000)
    for i in range(np.int64(state.hand_size[p])):
        card = np.int64(state.hand[p, i])
        if rules.card_group[card] == Group.STARTING:
            least = min(least, strength(rules, card))
    return least


@kernel
def worth_in_menu(rules, state, p, action):
    early = rules.years - state.year >= 2
    if action == PLAY:
        return best_play(rules, state, p)
    if action == UPGRADE:
        return np.int64(250) if early and weakest(rules, state, p) < _WEAK else np.int64(-10)
    if action == REMOVE:
        spare = state.resources[p, LORE] >= 5 or state.upgrades[p] == 0
        return np.int64(120) if early and spare and weakest(rules, state, p) < _WEAK else np.int64(-10)
    if action == REPLACE:
        return np.int64(0) if state.resources[p, LORE] >= 4 or not early else np.int64(-10)
    return np.int64(-1) if action == PASS else np.int64(-20)


@kernel
def worth_in_turn(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.MENU:
        return worth_in_menu(rules, state, p, action)
    if decision == Decision.CONT:
        return ZERO if action == DONE else best_play(rules, state, p)
    if decision == Decision.PLAY_CARD:
        return play_worth(rules, state, p, action - CARD)
    if decision == Decision.REMOVE_CARD:
        return riddance(rules, state, p, action - CARD)
    if decision in (Decision.WAIT_CARD, Decision.REPLACE_CARD, Decision.UPG_CARD):
        return junk(rules, state, p, action - CARD)
    if decision == Decision.UPG_DEST:
        gone = rules.card_group[np.int64(state.card)] == Group.STARTING
        return ONE if (action == YES) == gone else ZERO
    if decision in (Decision.UPG_PICK, Decision.PASS_PICK):
        return keeping_worth(rules, state, p, action - CARD)
    if decision == Decision.PASS_CRE:
        return ONE if action == DONE else ZERO
    if decision == Decision.REACT:
        worth = strength(rules, np.int64(state.card)) + 20 * np.int64(rules.card_op[np.int64(state.card)] == Op.MOVE)
        return worth - 70 if action == YES else ZERO
    if action == DONE:  # TOKEN
        return ZERO
    t = terr_of(state, action)
    holder = controller(state, t)
    return land_worth(rules, state, p, t) * (2 if holder >= 0 and holder != p else 1)


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


# ---- Operations of cards --------------------------------------------------------------------------------------------


@kernel
def worth_in_cards(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.DR_KEEP:
        return worth_of_keeping(rules, state, p, action - CARD)
    if decision in (Decision.DR_TOP, Decision.CP_CARD):
        return strength(rules, action - CARD)
    if decision == Decision.DR_PAY:
        return ZERO if action == DONE else np.int64(state.resources[p, 0] + state.resources[p, 1]) - 5
    if decision == Decision.ACT:
        return ZERO if action == DONE else act_worth(rules, state, p, action - ACT)
    if decision <= Decision.ST_ADD:
        return worth_of_strike(rules, state, p, action)
    if decision in (Decision.HD_WHO, Decision.CP_WHO):
        if action == DONE:
            return _NEVER
        return np.int64(state.fame[(p + action - PLAYER + 1) % np.int64(rules.num_players)])
    if decision == Decision.HD_CARD:
        worth = strength(rules, action - CARD)
        return worth if p == state.turn else -worth
    if decision == Decision.HD_RANSOM:
        return ZERO if action == DONE else strength(rules, np.int64(state.named)) - 90
    if Decision.BR_SRC <= decision <= Decision.BR_NUM:
        return worth_of_bribe(rules, state, p, action)
    if decision == Decision.FT_CARD:
        return np.int64(55) if action == YES else strength(rules, action - CARD)
    if decision == Decision.FS_CARD:
        return keeping_worth(rules, state, p, action - CARD)
    return ONE if action == YES else ZERO  # HD_ALL, HD_DRAW


@kernel
def worth_of_keeping(rules, state, p, card):
    """Of the drawn cards that belong to the best ones the smallest id comes first (NORTH-DRAW-03)."""
    better, mine = 0, play_worth(rules, state, p, card)
    for i in range(np.int64(state.drawn_size)):
        other = np.int64(state.drawn[i])
        if other != card and play_worth(rules, state, p, other) > mine:
            better += 1
    return 1000 - card if better < state.keep else mine - 1000


@kernel
def worth_of_strike(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.ST_RES:
        return 10 if action == RES + WOOD else ONE
    if action == DONE:
        return ZERO if decision == Decision.ST_TERR else np.int64(100) - 100 * room_for_units(rules, state, p)
    t = terr_of(state, action)
    if decision == Decision.ST_ADD:
        return recruit_worth(rules, state, p, t)
    alone = figures(state, t, controller(state, t)) == 1
    return 10 + land_worth(rules, state, p, t) * (3 if alone else 1)


@kernel
def room_for_units(rules, state, p):
    return ONE if state.on_map[p] < most_units(state, p) else ZERO


@kernel
def worth_of_bribe(rules, state, p, action):
    """Units of the dearest land go where they harm nobody, as many as there are."""
    decision = np.int64(state.decision)
    if decision == Decision.BR_NUM:
        return action - NUM
    t = terr_of(state, action)
    holder = controller(state, t)
    if decision == Decision.BR_SRC:
        return land_worth(rules, state, p, t) * (3 if figures(state, t, holder) <= 2 else 1)
    if holder == p:
        return np.int64(-100) + 10 * figures(state, t, p)
    if holder >= 0 and (np.int64(rules.enemies[p]) >> holder) & 1 != 0:
        return np.int64(1) if holder == controller(state, np.int64(state.src)) else np.int64(500)
    return -land_worth(rules, state, p, t)


# ---- Harvest --------------------------------------------------------------------------------------------------------


@kernel
def worth_in_harvest(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.CR_MOVE:
        t = terr_of(state, action)
        return -land_worth(rules, state, p, t) if controller(state, t) == p else ZERO
    if decision == Decision.HV_SCORCH:
        return ZERO if action == DONE else (10 if action == RES + WOOD else ONE)
    lack = short_of_food(rules, state, p)
    if decision == Decision.TR_GIVE:
        return worth_of_trade(rules, state, p, action, lack)
    if decision in (Decision.TR_TAKE, Decision.SW_TAKE):
        wanted = FOOD if lack > 0 else WOOD
        return ONE if action == RES + wanted else ZERO
    if decision == Decision.SW_GIVE:
        return np.int64(state.resources[p, action - RES]) - (20 if action == RES + FOOD and lack >= 0 else 0)
    kind, own = np.int64(state.swap_give), np.int64(state.resources[p, state.swap_take])  # SW_OK: a teammate asks
    fair = own > state.resources[p, kind] and not (state.swap_take == FOOD and lack >= 0)
    return ONE if (action == YES) == fair else ZERO


@kernel
def worth_of_trade(rules, state, p, action, lack):
    """Trade for the food that the winter asks, or for the last wood of a large building that wins or nearly wins."""
    if action == DONE:
        return ZERO
    if action >= PLAYER:
        return ONE if lack > 0 and state.swaps == 0 else np.int64(-1)
    wood = np.int64(state.resources[p, WOOD])
    near_end = wood == 2 and large_site(rules, state, p) and strongholds_of(rules, state, p) + 1 >= rules.conquest > 0
    if lack <= 0 and not near_end:
        return np.int64(-5)
    spare = np.int64(0)
    for r in range(3):
        if r != (FOOD if lack > 0 else WOOD):
            spare += np.int64(state.resources[p, r])
    if spare < 3 or action == RES + (FOOD if lack > 0 else WOOD):
        return np.int64(-3)
    return ONE


# ---- A guess of the returns -----------------------------------------------------------------------------------------


@kernel
def standing(rules, state, side):
    """Return the fame of a side, with what its land will bring."""
    fame = np.int64(0)
    for p in range(np.int64(rules.num_players)):
        if rules.team[p] != side:
            continue
        fame += 100 * np.int64(total_fame(rules, state, p)) + 300 * strongholds_of(rules, state, p)
        for r in range(3):
            fame += 30 * income(state, p, np.int64(r))
        fame += land_fame(rules, state, p)
    return fame


@kernel
def land_fame(rules, state, p):
    found = np.int64(0)
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            found += land_worth(rules, state, p, PER_WORD * w + lowest(rest))
            rest &= rest - 1
    return found


@kernel
def evaluate(rules, state, out):
    """Write an estimate of each seat's returns: half the rank as if it were over, half the lead in fame."""
    out[:] = 0.0
    n = sides(rules)
    keys, worth = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    for side in range(n):
        keys[side] = side_key(rules, state, side)
        worth[side] = standing(rules, state, side)
    for p in range(np.int64(rules.num_players)):
        side = np.int64(rules.team[p])
        most = np.int64(-(1 << 40))
        for other in range(n):
            if other != side:
                most = max(most, worth[other])
        lead = min(max(worth[side] - most, np.int64(-4000)), np.int64(4000)) / 4000.0
        rank = (count_lower(keys, n, side) - count_higher(keys, n, side)) / (n - 1)
        out[p] = 0.5 * rank + 0.5 * lead
