"""What an action does: dispatch on the decision point, nothing else."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.cards.bribery import answer_bribe_number, answer_bribe_source, answer_bribe_target
from northmen_env.games.northgard.cards.choosing import answer_act
from northmen_env.games.northgard.cards.copying import answer_copy_card, answer_copy_seat
from northmen_env.games.northgard.cards.hands import answer_all, answer_draw, answer_lost, answer_ransom, answer_victim
from northmen_env.games.northgard.cards.paying import answer_pay
from northmen_env.games.northgard.cards.plain import answer_fetch, answer_foresee
from northmen_env.games.northgard.cards.playing import answer_more, answer_play, answer_reaction
from northmen_env.games.northgard.cards.scorched import answer_scorch, answer_token
from northmen_env.games.northgard.cards.striking import answer_addition, answer_spoil, answer_strike
from northmen_env.games.northgard.cards.trading import (
    answer_give,
    answer_swap_consent,
    answer_swap_give,
    answer_swap_take,
    answer_take,
)
from northmen_env.games.northgard.phases.build import (
    answer_build,
    answer_carved,
    answer_exchange,
    answer_gather,
    answer_new,
    answer_old,
    answer_type,
)
from northmen_env.games.northgard.phases.combat import (
    answer_face,
    answer_food,
    answer_push,
    answer_retreat,
    answer_retreat_kaija,
    answer_retreating,
)
from northmen_env.games.northgard.phases.draw import answer_draw_pay, answer_keep, answer_top
from northmen_env.games.northgard.phases.explore import (
    answer_again,
    answer_drawn,
    answer_explore_cell,
    answer_explore_turn,
    answer_redraw,
)
from northmen_env.games.northgard.phases.founding import (
    answer_clan,
    answer_founding_cell,
    answer_founding_kaija,
    answer_founding_place,
    answer_founding_tile,
    answer_founding_turn,
)
from northmen_env.games.northgard.phases.move import (
    answer_fight,
    answer_number,
    answer_prey,
    answer_source,
    answer_target,
    answer_with_kaija,
)
from northmen_env.games.northgard.phases.recruit import (
    answer_camp,
    answer_pull,
    answer_recruit,
    answer_recruit_kaija,
    answer_recruit_pay,
)
from northmen_env.games.northgard.phases.roaming import answer_way
from northmen_env.games.northgard.phases.second import (
    answer_second,
    answer_second_cell,
    answer_second_kaija,
    answer_second_turn,
)
from northmen_env.games.northgard.phases.turns import (
    answer_creature,
    answer_creature_place,
    answer_leaving,
    answer_menu,
    answer_pick,
    answer_remove,
    answer_replace,
    answer_upgrade,
    answer_upgraded,
    answer_wait,
)
from northmen_env.games.northgard.state import Decision


@kernel
def answer_any(rules, state, action):
    """Apply an action of the decision at hand; return what the machine goes on with."""
    decision = np.int64(state.decision)
    if decision <= Decision.SETUP_KAIJA:
        return answer_setup_point(rules, state, decision, action)
    if decision <= Decision.TOKEN:
        return answer_turn_point(rules, state, decision, action)
    if decision <= Decision.PAY:
        return answer_recruit_point(rules, state, decision, action)
    if decision <= Decision.MV_CRE:
        return answer_move_point(rules, state, decision, action)
    if decision <= Decision.RT_KAIJA:
        return answer_combat_point(rules, state, decision, action)
    if decision <= Decision.EX_ROT:
        return answer_explore_point(rules, state, decision, action)
    if decision <= Decision.RP_NEW:
        return answer_build_point(rules, state, decision, action)
    if decision <= Decision.FS_CARD:
        return answer_card_point(rules, state, decision, action)
    return answer_year_point(rules, state, decision, action)


@kernel
def answer_setup_point(rules, state, decision, action):
    if decision == Decision.CLAN:
        return answer_clan(rules, state, action)
    if decision == Decision.SETUP_TILE:
        return answer_founding_tile(rules, state, action)
    if decision == Decision.SETUP_CELL:
        return answer_founding_cell(rules, state, action)
    if decision == Decision.SETUP_ROT:
        return answer_founding_turn(rules, state, action)
    if decision == Decision.SETUP_TERR:
        return answer_founding_place(rules, state, action)
    return answer_founding_kaija(rules, state, action)


@kernel
def answer_turn_point(rules, state, decision, action):
    if decision == Decision.MENU:
        return answer_menu(rules, state, action)
    if decision == Decision.PLAY_CARD:
        return answer_play(rules, state, action)
    if decision == Decision.CONT:
        return answer_more(rules, state, action)
    if decision == Decision.WAIT_CARD:
        return answer_wait(rules, state, action)
    if decision == Decision.REPLACE_CARD:
        return answer_replace(rules, state, action)
    if decision == Decision.REMOVE_CARD:
        return answer_remove(rules, state, action)
    if decision == Decision.UPG_CARD:
        return answer_upgraded(rules, state, action)
    if decision == Decision.UPG_DEST:
        return answer_leaving(rules, state, action)
    if decision == Decision.UPG_PICK:
        return answer_upgrade(rules, state, action)
    if decision == Decision.PASS_PICK:
        return answer_pick(rules, state, action)
    if decision == Decision.PASS_CRE:
        return answer_creature(rules, state, action)
    if decision == Decision.PASS_CRE_AT:
        return answer_creature_place(rules, state, action)
    if decision == Decision.REACT:
        return answer_reaction(rules, state, action)
    return answer_token(rules, state, action)


@kernel
def answer_recruit_point(rules, state, decision, action):
    if decision == Decision.REC_TERR:
        return answer_recruit(rules, state, action)
    if decision == Decision.REC_KAIJA:
        return answer_recruit_kaija(rules, state, action)
    if decision == Decision.REC_PAY:
        return answer_recruit_pay(rules, state, action)
    if decision == Decision.REC_CAMP:
        return answer_camp(rules, state, action)
    if decision == Decision.REC_PULL:
        return answer_pull(rules, state, action)
    return answer_pay(rules, state, action)


@kernel
def answer_move_point(rules, state, decision, action):
    if decision == Decision.MV_SRC:
        return answer_source(rules, state, action)
    if decision == Decision.MV_DST:
        return answer_target(rules, state, action)
    if decision == Decision.MV_NUM:
        return answer_number(rules, state, action)
    if decision == Decision.MV_KAIJA:
        return answer_with_kaija(rules, state, action)
    return answer_prey(rules, state, action)


@kernel
def answer_combat_point(rules, state, decision, action):
    if decision == Decision.CB_PICK:
        return answer_fight(rules, state, action)
    if decision == Decision.CB_PUSH:
        return answer_push(rules, state, action)
    if decision == Decision.RT_TERR:
        return answer_retreat(rules, state, action)
    if decision == Decision.RT_NUM:
        return answer_retreating(rules, state, action)
    if decision == Decision.RT_KAIJA:
        return answer_retreat_kaija(rules, state, action)
    if decision == Decision.CB_FOOD_A or decision == Decision.CB_FOOD_D:
        return answer_food(rules, state, action)
    return answer_face(rules, state, action)


@kernel
def answer_explore_point(rules, state, decision, action):
    if decision == Decision.EX_AGAIN:
        return answer_again(rules, state, action)
    if decision == Decision.EX_REDRAW:
        return answer_redraw(rules, state, action)
    if decision == Decision.EX_PICK:
        return answer_drawn(rules, state, action)
    if decision == Decision.EX_CELL:
        return answer_explore_cell(rules, state, action)
    return answer_explore_turn(rules, state, action)


@kernel
def answer_build_point(rules, state, decision, action):
    if decision == Decision.BD_TERR:
        return answer_build(rules, state, action)
    if decision == Decision.BD_GATHER:
        return answer_gather(rules, state, action)
    if decision == Decision.BD_TYPE:
        return answer_type(rules, state, action)
    if decision == Decision.BD_CARVED:
        return answer_carved(rules, state, action)
    if decision == Decision.RP_TERR:
        return answer_exchange(rules, state, action)
    if decision == Decision.RP_OLD:
        return answer_old(rules, state, action)
    return answer_new(rules, state, action)


@kernel
def answer_card_point(rules, state, decision, action):
    if decision == Decision.DR_KEEP:
        return answer_keep(rules, state, action)
    if decision == Decision.DR_TOP:
        return answer_top(rules, state, action)
    if decision == Decision.DR_PAY:
        return answer_draw_pay(rules, state, action)
    if decision == Decision.ACT:
        return answer_act(rules, state, action)
    if decision == Decision.ST_TERR:
        return answer_strike(rules, state, action)
    if decision == Decision.ST_RES:
        return answer_spoil(rules, state, action)
    if decision == Decision.ST_ADD:
        return answer_addition(rules, state, action)
    if decision == Decision.CP_WHO:
        return answer_copy_seat(rules, state, action)
    if decision == Decision.CP_CARD:
        return answer_copy_card(rules, state, action)
    if decision == Decision.HD_WHO:
        return answer_victim(rules, state, action)
    if decision == Decision.HD_ALL:
        return answer_all(rules, state, action)
    if decision == Decision.HD_DRAW:
        return answer_draw(rules, state, action)
    if decision == Decision.HD_CARD:
        return answer_lost(rules, state, action)
    if decision == Decision.HD_RANSOM:
        return answer_ransom(rules, state, action)
    if decision == Decision.BR_SRC:
        return answer_bribe_source(rules, state, action)
    if decision == Decision.BR_DST:
        return answer_bribe_target(rules, state, action)
    if decision == Decision.BR_NUM:
        return answer_bribe_number(rules, state, action)
    if decision == Decision.FT_CARD:
        return answer_fetch(rules, state, action)
    return answer_foresee(rules, state, action)


@kernel
def answer_year_point(rules, state, decision, action):
    if decision == Decision.HV_SCORCH:
        return answer_scorch(rules, state, action)
    if decision == Decision.TR_GIVE:
        return answer_give(rules, state, action)
    if decision == Decision.TR_TAKE:
        return answer_take(rules, state, action)
    if decision == Decision.SW_GIVE:
        return answer_swap_give(rules, state, action)
    if decision == Decision.SW_TAKE:
        return answer_swap_take(rules, state, action)
    if decision == Decision.SW_OK:
        return answer_swap_consent(rules, state, action)
    if decision == Decision.CR_MOVE:
        return answer_way(rules, state, action)
    if decision == Decision.SC_TERR:
        return answer_second(rules, state, action)
    if decision == Decision.SC_KAIJA:
        return answer_second_kaija(rules, state, action)
    if decision == Decision.SC_CELL:
        return answer_second_cell(rules, state, action)
    return answer_second_turn(rules, state, action)
