"""The running operations: which may lie on which, what they ask, and fields that say nothing without them."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.card_table import Op
from northmen_env.games.northgard.invariants.figures import due_holds
from northmen_env.games.northgard.invariants.numbers import Broken
from northmen_env.games.northgard.phases.frames import runs, top_kind
from northmen_env.games.northgard.plots import PLOTS
from northmen_env.games.northgard.state import FRAMES, HAND_TILES, Decision, Frame, Phase
from northmen_env.games.northgard.tables import FIRST_EARLY

_CHOSEN = FIRST_EARLY - 1  # rows 0 to 3 are the actions of CHOOSE


@kernel
def check_context(rules, state):
    if not (frames_hold(rules, state) and top_holds(state)):
        return Broken.FRAMES
    if not (operations_neutral(state) and picks_neutral(state) and combat_neutral(state)):
        return Broken.NEUTRAL
    if not (due_holds(state) and asked_holds(rules, state) and phase_holds(rules, state)):
        return Broken.CONTEXT
    return Broken.NONE


# Frames --------------------------------------------------------------------------------------------------------------


@kernel
def frames_hold(rules, state):
    depth = np.int64(state.depth)
    for i in range(FRAMES):
        kind, row = np.int64(state.frame_kind[i]), np.int64(state.frame_row[i])
        if i >= depth:
            if kind != 0 or row != -1 or state.frame_step[i] != 0:
                return False
            continue
        below = np.int64(state.frame_kind[i - 1]) if i > 0 else np.int64(0)
        if kind == 0 or not may_lie_on(kind, below) or not row_fits(rules, kind, row):
            return False
        if below == Frame.CHOOSE and row >= _CHOSEN:
            return False
    return True


@kernel
def may_lie_on(kind, below):
    """Return whether a frame may lie on another, 0 for the bottom (NORTH-PH-10)."""
    if kind <= Frame.CARD:
        return below == 0
    if kind == Frame.COPY:
        return below == Frame.CARD
    if kind == Frame.CHOOSE:
        return below in (Frame.CARD, Frame.COPY)
    if kind == Frame.PAY:
        return below in (Frame.RECRUIT, Frame.DRAW, Frame.HAND, Frame.HARVEST)
    if kind == Frame.COMBAT:
        quiet = below in (Frame.PASS, Frame.SECOND, Frame.CREATURES)
        return quiet or below in (Frame.MOVE, Frame.BRIBE, Frame.EXPLORE)
    return below in (Frame.CARD, Frame.COPY, Frame.CHOOSE)


@kernel
def row_fits(rules, kind, row):
    """Return whether a frame runs a row of its own operation; frames that are no operation run none."""
    if kind <= Frame.CARD or kind == Frame.PAY:
        return row == -1
    if kind == Frame.COMBAT:
        return row == -1 or rules.card_op[row] == Op.MOVE
    if row < 0:
        return False
    op = np.int64(rules.card_op[row])
    if kind == Frame.COPY:
        return op == Op.COPY
    if kind == Frame.CHOOSE:
        return op == Op.CHOOSE
    if kind <= Frame.DRAW:
        return op == kind - Frame.RECRUIT + Op.RECRUIT
    if kind == Frame.STRIKE:
        return op == Op.STRIKE
    return op == kind - Frame.HAND + Op.HAND


@kernel
def frame_of(decision):
    """Return the frame that asks a decision; -1 where it depends, 0 for none (section 3.2)."""
    if decision in (Decision.TOKEN, Decision.PASS_CRE):
        return np.int64(-1)
    if decision <= Decision.SETUP_KAIJA:
        frame = Frame.NONE if decision == Decision.CLAN else Frame.SETUP
    elif decision <= Decision.PASS_PICK:
        frame = Frame.UPGRADE if decision == Decision.UPG_DEST else Frame.NONE
    elif decision <= Decision.REACT:
        frame = Frame.CARD if decision == Decision.REACT else Frame.PASS
    elif decision <= Decision.REC_PULL:
        frame = Frame.RECRUIT
    elif decision == Decision.PAY:
        frame = Frame.PAY
    elif decision <= Decision.CB_PICK:
        frame = Frame.MOVE
    elif decision <= Decision.RT_KAIJA:
        frame = Frame.COMBAT
    elif decision <= Decision.EX_ROT:
        frame = Frame.EXPLORE
    elif decision <= Decision.RP_NEW:
        frame = Frame.BUILD
    else:
        frame = late_frame_of(decision)
    return np.int64(frame)


@kernel
def late_frame_of(decision):
    if decision <= Decision.DR_PAY:
        return Frame.DRAW
    if decision == Decision.ACT:
        return Frame.CHOOSE
    if decision <= Decision.ST_ADD:
        return Frame.STRIKE
    if decision <= Decision.CP_CARD:
        return Frame.COPY
    if decision <= Decision.HD_RANSOM:
        return Frame.HAND
    if decision <= Decision.BR_NUM:
        return Frame.BRIBE
    if decision <= Decision.FS_CARD:
        return Frame.FETCH if decision == Decision.FT_CARD else Frame.FORESEE
    if decision <= Decision.SW_OK:
        return Frame.HARVEST
    if decision == Decision.CR_MOVE:
        return Frame.CREATURES
    return Frame.NONE if decision == Decision.END else Frame.SECOND


@kernel
def top_holds(state):
    """The frame on top asks the decision; frames at the bottom belong to their phase."""
    due, top = frame_of(np.int64(state.decision)), top_kind(state)
    if due >= 0 and top != due:
        return False
    if state.decision == Decision.TOKEN and top != Frame.CARD and top != Frame.MOVE:
        return False
    if state.decision == Decision.PASS_CRE and top != 0 and top != Frame.PASS:
        return False
    bottom, phase = np.int64(state.frame_kind[0]), np.int64(state.phase)
    if bottom == Frame.SETUP:
        return phase == Phase.SETUP
    if bottom == Frame.CREATURES:
        return phase == Phase.CREATURES
    if bottom == Frame.HARVEST:
        return phase == Phase.HARVEST
    if bottom == Frame.SECOND:
        return phase == Phase.SECOND
    return phase == Phase.ACTIONS if bottom != 0 else phase in (Phase.CLAN, Phase.ACTIONS, Phase.END)


# Fields of frames that do not run ------------------------------------------------------------------------------------


@kernel
def operations_neutral(state):
    if not (runs(state, Frame.CARD) or runs(state, Frame.UPGRADE)) and state.card != -1:
        return False
    if not (runs(state, Frame.SETUP) or runs(state, Frame.SECOND) or runs(state, Frame.EXPLORE)):
        if state.tile != -1 or state.cell != -1:
            return False
    if not runs(state, Frame.SECOND) and state.second_placed != 0:
        return False
    if not (runs(state, Frame.PASS) or runs(state, Frame.CREATURES)) and state.creature != -1:
        return False
    if not runs(state, Frame.CREATURES) and state.awake != 0:
        return False
    if not runs(state, Frame.HARVEST):
        if state.swap_give != -1 or state.swap_take != -1 or state.swaps != 0 or state.swaps_over != 0:
            return False
    if not runs(state, Frame.COPY) and state.copy_who != -1:
        return False
    if not runs(state, Frame.CHOOSE) and state.chosen != 0:
        return False
    if not (runs(state, Frame.MOVE) or runs(state, Frame.BRIBE)) and (state.src != -1 or state.dst != -1):
        return False
    if not runs(state, Frame.MOVE) and (state.num != -1 or state.due_size != 0):
        return False
    if not runs(state, Frame.RECRUIT):
        if state.recruit_kaija != 0 or state.recruited[0] != 0 or state.recruited[1] != 0:
            return False
        for t in range(PLOTS):
            if state.room[t] != 0:
                return False
    return True


@kernel
def picks_neutral(state):
    counted = runs(state, Frame.RECRUIT) or runs(state, Frame.MOVE) or runs(state, Frame.EXPLORE)
    if not (counted or runs(state, Frame.BUILD) or runs(state, Frame.HAND)) and state.left != 0:
        return False
    placed = runs(state, Frame.RECRUIT) or runs(state, Frame.MOVE) or runs(state, Frame.BUILD)
    if not (placed or runs(state, Frame.STRIKE) or runs(state, Frame.SETUP) or runs(state, Frame.SECOND)):
        if state.place != -1:
            return False
    if not runs(state, Frame.EXPLORE):
        if state.redrawn != 0:
            return False
        for i in range(HAND_TILES):
            if state.drawn_tile[i] != -1:
                return False
    if not runs(state, Frame.BUILD):
        if state.large_built != 0 or state.gathered != -1 or state.build_type != -1 or state.build_old != -1:
            return False
    if not runs(state, Frame.DRAW):
        if state.drawn_size != 0 or state.keep != 0 or state.top != 0 or state.last != -1:
            return False
    if not runs(state, Frame.STRIKE) and state.struck != 0:
        return False
    if not runs(state, Frame.HAND) and (state.victim != -1 or state.named != -1 or state.attacked != 0):
        return False
    if runs(state, Frame.PAY):
        return True
    return state.payer == -1 and state.owed == 0 and state.paid_last == -1 and state.paid_to == -1


@kernel
def combat_neutral(state):
    if runs(state, Frame.COMBAT):
        return True
    if state.fight_at != -1 or state.attacker != -1 or state.defender != -1 or state.foe != -1:
        return False
    if state.food_a != -1 or state.food_d != -1 or state.roll_a != -1 or state.roll_d != -1:
        return False
    if state.face_a != -1 or state.face_d != -1 or state.either != -1:
        return False
    return state.loser == -1 and state.retreat_to == -1


# Fields of frames that run -------------------------------------------------------------------------------------------


@kernel
def asked_holds(rules, state):
    """Who is asked, and what the operations of cards need."""
    decision, player, turn = np.int64(state.decision), np.int64(state.player), np.int64(state.turn)
    if runs(state, Frame.CARD) and state.card < 0:
        return False
    if decision == Decision.REACT:
        return player != turn and (np.int64(rules.enemies[turn]) >> player) & 1 != 0
    if decision == Decision.PAY:
        return player == state.payer and state.owed > 0
    if decision == Decision.HD_RANSOM:
        return player == state.victim and state.named >= 0
    if decision == Decision.HD_CARD:
        return state.victim >= 0 and state.left > 0 and player in (turn, np.int64(state.victim))
    if decision == Decision.HV_SCORCH:
        return player == state.snake and state.token >= 0
    if decision == Decision.SW_OK:
        return player == rules.ally[turn] and state.swap_give >= 0 and state.swap_take >= 0
    if decision == Decision.SW_TAKE:
        return player == turn and state.swap_give >= 0
    if decision == Decision.ST_RES:
        return player == turn and state.place >= 0
    if decision in (Decision.BR_DST, Decision.BR_NUM):
        return player == turn and state.src >= 0 and (state.dst >= 0) == (decision == Decision.BR_NUM)
    if runs(state, Frame.COMBAT):
        return state.fight_at >= 0 and player in (np.int64(state.attacker), np.int64(state.defender), turn)
    if decision == Decision.CR_MOVE:
        return player == state.marker and state.creature >= 0
    return turn < 0 or player == turn


@kernel
def phase_holds(rules, state):
    """Flags of the phase: who has passed has no turn, and only seats of the team game have teammates."""
    if state.phase == Phase.ACTIONS and state.passed[state.turn] != 0:
        passing = state.decision in (Decision.PASS_PICK, Decision.PASS_CRE) or runs(state, Frame.PASS)
        return passing
    return True
