"""What the seat asked may do: dispatch on the decision point, nothing else."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, YES
from northmen_env.games.northgard.cards.bribery import list_bribe_number, list_bribe_source, list_bribe_target
from northmen_env.games.northgard.cards.choosing import list_act
from northmen_env.games.northgard.cards.copying import list_copy_card, list_copy_seat
from northmen_env.games.northgard.cards.hands import list_all, list_lost, list_victim
from northmen_env.games.northgard.cards.paying import list_pay
from northmen_env.games.northgard.cards.plain import list_displayed, list_fetch
from northmen_env.games.northgard.cards.playing import list_more, list_play
from northmen_env.games.northgard.cards.scorched import list_scorch, list_token
from northmen_env.games.northgard.cards.striking import list_addition, list_spoil, list_strike
from northmen_env.games.northgard.cards.trading import list_give, list_swap_give, list_swap_take, list_take
from northmen_env.games.northgard.laying import list_laying_cells, list_laying_turns
from northmen_env.games.northgard.phases.build import (
    list_build,
    list_exchange,
    list_gather,
    list_new,
    list_old,
    list_types,
)
from northmen_env.games.northgard.phases.combat import list_faces, list_food, list_push, list_refuges, list_retreating
from northmen_env.games.northgard.phases.draw import list_keep, list_top
from northmen_env.games.northgard.phases.explore import list_drawn
from northmen_env.games.northgard.phases.founding import list_clans, list_founding_places, list_founding_tiles
from northmen_env.games.northgard.phases.move import (
    list_fights,
    list_number,
    list_prey,
    list_source,
    list_target,
    list_with_kaija,
)
from northmen_env.games.northgard.phases.recruit import list_camp, list_pull, list_recruit
from northmen_env.games.northgard.phases.roaming import list_ways
from northmen_env.games.northgard.phases.second import list_second
from northmen_env.games.northgard.phases.turns import (
    list_creature_places,
    list_leaving,
    list_menu,
    list_own_hand,
    list_removable,
    list_upgrades,
)
from northmen_env.games.northgard.state import Decision

_YES_OR_NO = tuple(
    decision
    in (
        Decision.SETUP_KAIJA,
        Decision.PASS_CRE,
        Decision.REACT,
        Decision.REC_KAIJA,
        Decision.REC_PAY,
        Decision.EX_AGAIN,
        Decision.EX_REDRAW,
        Decision.BD_CARVED,
        Decision.DR_PAY,
        Decision.HD_DRAW,
        Decision.HD_RANSOM,
        Decision.SW_OK,
        Decision.SC_KAIJA,
    )
    for decision in range(len(Decision) + 1)
)
"""By decision: whether it is a plain question, YES or DONE."""


@kernel
def list_any(rules, state, ids):
    """Write what the seat asked may do, ascending, into `ids`; return how many (NORTH-ACT-02)."""
    decision = np.int64(state.decision)
    if _YES_OR_NO[decision]:
        ids[0] = DONE
        ids[1] = YES
        return 2
    if decision <= Decision.SETUP_KAIJA:
        return list_setup_point(rules, state, decision, ids)
    if decision <= Decision.TOKEN:
        return list_turn_point(rules, state, decision, ids)
    if decision <= Decision.PAY:
        return list_recruit_point(rules, state, decision, ids)
    if decision <= Decision.MV_CRE:
        return list_move_point(rules, state, decision, ids)
    if decision <= Decision.RT_KAIJA:
        return list_combat_point(rules, state, decision, ids)
    if decision <= Decision.EX_ROT:
        return list_explore_point(rules, state, decision, ids)
    if decision <= Decision.RP_NEW:
        return list_build_point(rules, state, decision, ids)
    if decision <= Decision.FS_CARD:
        return list_card_point(rules, state, decision, ids)
    return list_year_point(rules, state, decision, ids)


@kernel
def list_setup_point(rules, state, decision, ids):
    if decision == Decision.CLAN:
        return list_clans(rules, state, ids)
    if decision == Decision.SETUP_TILE:
        return list_founding_tiles(rules, state, ids)
    if decision == Decision.SETUP_CELL:
        return list_laying_cells(rules, state, ids)
    if decision == Decision.SETUP_ROT:
        return list_laying_turns(rules, state, ids)
    return list_founding_places(rules, state, ids)


@kernel
def list_turn_point(rules, state, decision, ids):
    if decision == Decision.MENU:
        return list_menu(rules, state, ids)
    if decision == Decision.PLAY_CARD:
        return list_play(rules, state, ids)
    if decision == Decision.CONT:
        return list_more(rules, state, ids)
    if decision == Decision.REMOVE_CARD:
        return list_removable(rules, state, ids)
    if decision == Decision.UPG_DEST:
        return list_leaving(rules, state, ids)
    if decision == Decision.UPG_PICK:
        return list_upgrades(rules, state, ids)
    if decision == Decision.PASS_PICK:
        return list_displayed(rules, state, ids)
    if decision == Decision.PASS_CRE_AT:
        return list_creature_places(rules, state, ids)
    if decision == Decision.TOKEN:
        return list_token(rules, state, ids)
    return list_own_hand(rules, state, ids)


@kernel
def list_recruit_point(rules, state, decision, ids):
    if decision == Decision.REC_TERR:
        return list_recruit(rules, state, ids)
    if decision == Decision.REC_CAMP:
        return list_camp(rules, state, ids)
    if decision == Decision.REC_PULL:
        return list_pull(rules, state, ids)
    return list_pay(rules, state, ids)


@kernel
def list_move_point(rules, state, decision, ids):
    if decision == Decision.MV_SRC:
        return list_source(rules, state, ids)
    if decision == Decision.MV_DST:
        return list_target(rules, state, ids)
    if decision == Decision.MV_NUM:
        return list_number(rules, state, ids)
    if decision == Decision.MV_KAIJA:
        return list_with_kaija(rules, state, ids)
    return list_prey(rules, state, ids)


@kernel
def list_combat_point(rules, state, decision, ids):
    if decision == Decision.CB_PICK:
        return list_fights(rules, state, ids)
    if decision == Decision.CB_PUSH:
        return list_push(rules, state, ids)
    if decision == Decision.RT_NUM:
        return list_retreating(rules, state, ids)
    if decision == Decision.CB_FOOD_A or decision == Decision.CB_FOOD_D:
        return list_food(rules, state, ids)
    if decision == Decision.CB_FACE_A or decision == Decision.CB_EITHER or decision == Decision.CB_FACE_D:
        return list_faces(rules, state, ids)
    return list_refuges(rules, state, ids)


@kernel
def list_explore_point(rules, state, decision, ids):
    if decision == Decision.EX_PICK:
        return list_drawn(rules, state, ids)
    if decision == Decision.EX_CELL:
        return list_laying_cells(rules, state, ids)
    return list_laying_turns(rules, state, ids)


@kernel
def list_build_point(rules, state, decision, ids):
    if decision == Decision.BD_TERR:
        return list_build(rules, state, ids)
    if decision == Decision.BD_GATHER:
        return list_gather(rules, state, ids)
    if decision == Decision.BD_TYPE:
        return list_types(rules, state, ids)
    if decision == Decision.RP_TERR:
        return list_exchange(rules, state, ids)
    if decision == Decision.RP_OLD:
        return list_old(rules, state, ids)
    return list_new(rules, state, ids)


@kernel
def list_card_point(rules, state, decision, ids):
    if decision == Decision.DR_KEEP:
        return list_keep(rules, state, ids)
    if decision == Decision.DR_TOP:
        return list_top(rules, state, ids)
    if decision == Decision.ACT:
        return list_act(rules, state, ids)
    if decision == Decision.ST_TERR:
        return list_strike(rules, state, ids)
    if decision == Decision.ST_RES:
        return list_spoil(rules, state, ids)
    if decision == Decision.ST_ADD:
        return list_addition(rules, state, ids)
    if decision == Decision.CP_WHO:
        return list_copy_seat(rules, state, ids)
    if decision == Decision.CP_CARD:
        return list_copy_card(rules, state, ids)
    if decision == Decision.HD_WHO:
        return list_victim(rules, state, ids)
    if decision == Decision.HD_ALL:
        return list_all(rules, state, ids)
    if decision == Decision.HD_CARD:
        return list_lost(rules, state, ids)
    if decision == Decision.BR_SRC:
        return list_bribe_source(rules, state, ids)
    if decision == Decision.BR_DST:
        return list_bribe_target(rules, state, ids)
    if decision == Decision.BR_NUM:
        return list_bribe_number(rules, state, ids)
    if decision == Decision.FT_CARD:
        return list_fetch(rules, state, ids)
    return list_displayed(rules, state, ids)


@kernel
def list_year_point(rules, state, decision, ids):
    if decision == Decision.HV_SCORCH:
        return list_scorch(rules, state, ids)
    if decision == Decision.TR_GIVE:
        return list_give(rules, state, ids)
    if decision == Decision.TR_TAKE:
        return list_take(rules, state, ids)
    if decision == Decision.SW_GIVE:
        return list_swap_give(rules, state, ids)
    if decision == Decision.SW_TAKE:
        return list_swap_take(rules, state, ids)
    if decision == Decision.CR_MOVE:
        return list_ways(rules, state, ids)
    if decision == Decision.SC_TERR:
        return list_second(rules, state, ids)
    if decision == Decision.SC_CELL:
        return list_laying_cells(rules, state, ids)
    return list_laying_turns(rules, state, ids)
