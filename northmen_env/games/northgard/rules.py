"""The verbs `step` and `legal_ids`, and the machine between two decisions: dispatch, nothing else.

The rules are in `phases/` (setup, turns, the basic actions, combats, the year) and `cards/` (the interpreter of the
cards). The machine (NORTH-PH-02) goes from stage to stage until a seat has at least two legal actions.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.cards.bribery import (
    answer_bribe_number,
    answer_bribe_source,
    answer_bribe_target,
    go_on_bribe,
    list_bribe_number,
    list_bribe_source,
    list_bribe_target,
)
from northmen_env.games.northgard.cards.choosing import answer_act, go_on_choose, list_act
from northmen_env.games.northgard.cards.copying import (
    answer_copy_card,
    answer_copy_seat,
    go_on_copy,
    list_copy_card,
    list_copy_seat,
)
from northmen_env.games.northgard.cards.hands import (
    answer_all,
    answer_draw,
    answer_lost,
    answer_ransom,
    answer_victim,
    go_on_raid,
    list_all,
    list_lost,
    list_victim,
)
from northmen_env.games.northgard.cards.paying import answer_pay, list_pay
from northmen_env.games.northgard.cards.plain import answer_fetch, answer_foresee, list_displayed, list_fetch
from northmen_env.games.northgard.cards.playing import (
    answer_more,
    answer_play,
    answer_reaction,
    go_on_card,
    list_more,
    list_play,
)
from northmen_env.games.northgard.cards.scorched import answer_scorch, answer_token, list_scorch, list_token
from northmen_env.games.northgard.cards.striking import (
    answer_addition,
    answer_spoil,
    answer_strike,
    list_addition,
    list_spoil,
    list_strike,
)
from northmen_env.games.northgard.cards.trading import (
    answer_give,
    answer_swap_consent,
    answer_swap_give,
    answer_swap_take,
    answer_take,
    list_give,
    list_swap_give,
    list_swap_take,
    list_take,
)
from northmen_env.games.northgard.laying import list_laying_cells, list_laying_turns
from northmen_env.games.northgard.phases.build import (
    answer_build,
    answer_carved,
    answer_exchange,
    answer_gather,
    answer_new,
    answer_old,
    answer_type,
    list_build,
    list_exchange,
    list_gather,
    list_new,
    list_old,
    list_types,
)
from northmen_env.games.northgard.phases.combat import (
    answer_face,
    answer_food,
    answer_push,
    answer_retreat,
    answer_retreat_kaija,
    answer_retreating,
    list_faces,
    list_food,
    list_push,
    list_refuges,
    list_retreating,
)
from northmen_env.games.northgard.phases.draw import (
    answer_draw_pay,
    answer_keep,
    answer_top,
    go_on_draw,
    list_keep,
    list_top,
)
from northmen_env.games.northgard.phases.explore import (
    answer_again,
    answer_drawn,
    answer_explore_cell,
    answer_explore_turn,
    answer_redraw,
    go_on_explore,
    list_drawn,
)
from northmen_env.games.northgard.phases.founding import (
    answer_clan,
    answer_founding_cell,
    answer_founding_kaija,
    answer_founding_place,
    answer_founding_tile,
    answer_founding_turn,
    list_clans,
    list_founding_places,
    list_founding_tiles,
    next_founder,
)
from northmen_env.games.northgard.phases.frames import ask, top_kind
from northmen_env.games.northgard.phases.move import (
    answer_fight,
    answer_number,
    answer_prey,
    answer_source,
    answer_target,
    answer_with_kaija,
    go_on_move,
    list_fights,
    list_number,
    list_prey,
    list_source,
    list_target,
    list_with_kaija,
)
from northmen_env.games.northgard.phases.recruit import (
    answer_camp,
    answer_pull,
    answer_recruit,
    answer_recruit_kaija,
    answer_recruit_pay,
    go_on_recruit,
    list_camp,
    list_pull,
    list_recruit,
    list_yes_no,
)
from northmen_env.games.northgard.phases.roaming import answer_way, go_on_roaming, list_ways
from northmen_env.games.northgard.phases.second import (
    answer_second,
    answer_second_cell,
    answer_second_kaija,
    answer_second_turn,
    go_on_second,
    list_second,
)
from northmen_env.games.northgard.phases.stages import Stage
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
    go_on_pass,
    list_creature_places,
    list_leaving,
    list_menu,
    list_own_hand,
    list_upgrades,
    next_turn,
    offer_menu,
)
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


# What is legal --------------------------------------------------------------------------------------------------------


@kernel
def list_any(rules, state, ids):
    """Write what the seat asked may do, ascending, into `ids`; return how many."""
    decision = np.int64(state.decision)
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
    if decision == Decision.SETUP_TERR:
        return list_founding_places(rules, state, ids)
    return list_yes_no(rules, state, ids)


@kernel
def list_turn_point(rules, state, decision, ids):
    if decision == Decision.MENU:
        return list_menu(rules, state, ids)
    if decision == Decision.PLAY_CARD:
        return list_play(rules, state, ids)
    if decision == Decision.CONT:
        return list_more(rules, state, ids)
    if (
        decision == Decision.WAIT_CARD
        or decision == Decision.REPLACE_CARD
        or decision == Decision.REMOVE_CARD
        or decision == Decision.UPG_CARD
    ):
        return list_own_hand(rules, state, ids)
    if decision == Decision.UPG_DEST:
        return list_leaving(rules, state, ids)
    if decision == Decision.UPG_PICK:
        return list_upgrades(rules, state, ids)
    if decision == Decision.PASS_PICK:
        return list_displayed(rules, state, ids)
    if decision == Decision.PASS_CRE or decision == Decision.REACT:
        return list_yes_no(rules, state, ids)
    if decision == Decision.PASS_CRE_AT:
        return list_creature_places(rules, state, ids)
    return list_token(rules, state, ids)


@kernel
def list_recruit_point(rules, state, decision, ids):
    if decision == Decision.REC_TERR:
        return list_recruit(rules, state, ids)
    if decision == Decision.REC_KAIJA or decision == Decision.REC_PAY:
        return list_yes_no(rules, state, ids)
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
    if decision == Decision.CB_FOOD_A or decision == Decision.CB_FOOD_D:
        return list_food(rules, state, ids)
    if decision == Decision.CB_FACE_A or decision == Decision.CB_EITHER or decision == Decision.CB_FACE_D:
        return list_faces(rules, state, ids)
    if decision == Decision.RT_TERR or decision == Decision.RT_KAIJA:
        return list_refuges(rules, state, ids)
    return list_retreating(rules, state, ids)


@kernel
def list_explore_point(rules, state, decision, ids):
    if decision == Decision.EX_AGAIN or decision == Decision.EX_REDRAW:
        return list_yes_no(rules, state, ids)
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
    if decision == Decision.BD_CARVED:
        return list_yes_no(rules, state, ids)
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
    if decision == Decision.DR_PAY or decision == Decision.HD_DRAW or decision == Decision.HD_RANSOM:
        return list_yes_no(rules, state, ids)
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
    if decision == Decision.SW_OK or decision == Decision.SC_KAIJA:
        return list_yes_no(rules, state, ids)
    if decision == Decision.CR_MOVE:
        return list_ways(rules, state, ids)
    if decision == Decision.SC_TERR:
        return list_second(rules, state, ids)
    if decision == Decision.SC_CELL:
        return list_laying_cells(rules, state, ids)
    return list_laying_turns(rules, state, ids)


# What follows --------------------------------------------------------------------------------------------------------


@kernel
def answer_any(rules, state, action):
    """Apply an action; return what the machine goes on with."""
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
    if decision == Decision.CB_FOOD_A or decision == Decision.CB_FOOD_D:
        return answer_food(rules, state, action)
    if decision == Decision.CB_FACE_A or decision == Decision.CB_EITHER or decision == Decision.CB_FACE_D:
        return answer_face(rules, state, action)
    if decision == Decision.RT_TERR:
        return answer_retreat(rules, state, action)
    if decision == Decision.RT_NUM:
        return answer_retreating(rules, state, action)
    return answer_retreat_kaija(rules, state, action)


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
