"""How gladly an action is taken at the decision points of the cards: the turn, operations of cards, the harvest."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import (
    ACT,
    CARD,
    DONE,
    NUM,
    PASS,
    PLAY,
    PLAYER,
    REMOVE,
    REPLACE,
    RES,
    UPGRADE,
    YES,
)
from northmen_env.games.northgard.amounts import FOOD, LORE, ONE, WOOD, ZERO
from northmen_env.games.northgard.board import controller, figures, terr_of
from northmen_env.games.northgard.card_table import Op
from northmen_env.games.northgard.habits.cards import (
    act_worth,
    junk,
    keeping_worth,
    play_worth,
    riddance,
    short_of_food,
    strength,
)
from northmen_env.games.northgard.habits.land import (
    NEVER,
    land_worth,
    large_site,
    most_units,
    recruit_worth,
    strongholds_of,
)
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import Group

_WEAK = 60  # strength of a card that is better given for another


# ---- The turn -------------------------------------------------------------------------------------------------------


@kernel
def best_play(rules, state, p):
    """Return the worth of the best card of the hand, whether or not it can be played."""
    best = NEVER
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
            return NEVER
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
