"""Whether phase, decision, seat and frames of a State JSON object fit (NORTH-PH-10), and where each frame goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from northmen_env.games.northgard.cards import playing, scorched, trading
from northmen_env.games.northgard.phases import draw, move, recruit, second
from northmen_env.games.northgard.state import Decision, Frame, Phase

PHASE_OF: Mapping[Frame, Phase] = {
    Frame.SETUP: Phase.SETUP,
    Frame.CREATURES: Phase.CREATURES,
    Frame.HARVEST: Phase.HARVEST,
    Frame.SECOND: Phase.SECOND,
    **dict.fromkeys((Frame.UPGRADE, Frame.PASS, Frame.CARD), Phase.ACTIONS),
}
"""The phase of an outermost frame."""


def _on(frame: Frame, *names: str) -> dict[Decision, tuple[Frame, ...]]:
    return {Decision[name]: (frame,) for name in names}


TOP: Mapping[Decision, tuple[Frame, ...]] = {
    **_on(Frame.SETUP, "SETUP_TILE", "SETUP_CELL", "SETUP_ROT", "SETUP_TERR", "SETUP_KAIJA"),
    **_on(Frame.NONE, "CLAN", "MENU", "PLAY_CARD", "CONT", "WAIT_CARD", "REPLACE_CARD", "REMOVE_CARD", "UPG_CARD"),
    **_on(Frame.NONE, "UPG_PICK", "PASS_PICK", "PASS_CRE", "END"),
    **_on(Frame.UPGRADE, "UPG_DEST"),
    **_on(Frame.PASS, "PASS_CRE_AT"),
    **_on(Frame.CARD, "REACT"),
    Decision.TOKEN: (Frame.CARD, Frame.MOVE),  # before the operation; after a Move with bit TOKEN_AFTER
    **_on(Frame.RECRUIT, "REC_TERR", "REC_KAIJA", "REC_PAY", "REC_CAMP", "REC_PULL"),
    **_on(Frame.PAY, "PAY"),
    **_on(Frame.MOVE, "MV_SRC", "MV_DST", "MV_NUM", "MV_KAIJA", "MV_CRE", "CB_PICK"),
    **_on(Frame.COMBAT, "CB_PUSH", "CB_FOOD_A", "CB_FOOD_D", "CB_FACE_A", "CB_EITHER", "CB_FACE_D"),
    **_on(Frame.COMBAT, "RT_TERR", "RT_NUM", "RT_KAIJA"),
    **_on(Frame.EXPLORE, "EX_AGAIN", "EX_REDRAW", "EX_PICK", "EX_CELL", "EX_ROT"),
    **_on(Frame.BUILD, "BD_TERR", "BD_GATHER", "BD_TYPE", "BD_CARVED", "RP_TERR", "RP_OLD", "RP_NEW"),
    **_on(Frame.DRAW, "DR_KEEP", "DR_TOP", "DR_PAY"),
    **_on(Frame.CHOOSE, "ACT"),
    **_on(Frame.STRIKE, "ST_TERR", "ST_RES", "ST_ADD"),
    **_on(Frame.COPY, "CP_WHO", "CP_CARD"),
    **_on(Frame.HAND, "HD_WHO", "HD_ALL", "HD_DRAW", "HD_CARD", "HD_RANSOM"),
    **_on(Frame.BRIBE, "BR_SRC", "BR_DST", "BR_NUM"),
    **_on(Frame.FETCH, "FT_CARD"),
    **_on(Frame.FORESEE, "FS_CARD"),
    **_on(Frame.HARVEST, "HV_SCORCH", "TR_GIVE", "TR_TAKE", "SW_GIVE", "SW_TAKE", "SW_OK"),
    **_on(Frame.CREATURES, "CR_MOVE"),
    **_on(Frame.SECOND, "SC_TERR", "SC_KAIJA", "SC_CELL", "SC_ROT"),
}
"""The innermost frame at each decision."""

SET: Mapping[Frame, Mapping[str, str]] = {
    Frame.SETUP: {"tile": "SETUP_CELL SETUP_ROT", "cell": "SETUP_ROT", "terr": "SETUP_KAIJA"},
    Frame.UPGRADE: {"card": "UPG_DEST"},
    Frame.HARVEST: {"give": "SW_TAKE SW_OK", "take": "SW_OK"},
    Frame.SECOND: {"tile": "SC_CELL SC_ROT", "cell": "SC_ROT", "terr": "SC_KAIJA"},
    Frame.RECRUIT: {"terr": "REC_KAIJA REC_CAMP"},
    Frame.MOVE: {"src": "MV_DST MV_NUM MV_KAIJA", "dst": "MV_NUM MV_KAIJA", "num": "MV_KAIJA", "terr": "MV_CRE"},
    Frame.EXPLORE: {"tile": "EX_CELL EX_ROT", "cell": "EX_ROT"},
    Frame.BUILD: {"type": "BD_CARVED", "old": "RP_NEW"},
    Frame.STRIKE: {"terr": "ST_RES"},
    Frame.HAND: {"card": "HD_RANSOM"},
    Frame.BRIBE: {"dst": "BR_NUM"},
    Frame.COMBAT: {"loser": "RT_TERR RT_NUM RT_KAIJA", "to": "RT_NUM"},
}
"""Fields that are set at these decisions, when their frame is the innermost one, and null at all its others."""

NEEDED: Mapping[Frame, Mapping[str, str]] = {
    Frame.PASS: {"creature": "PASS_CRE_AT"},
    Frame.CREATURES: {"creature": "CR_MOVE"},
    Frame.BUILD: {"terr": "BD_GATHER BD_TYPE BD_CARVED RP_OLD RP_NEW"},
    Frame.HAND: {"victim": "HD_CARD HD_RANSOM"},
    Frame.BRIBE: {"src": "BR_DST BR_NUM"},
    Frame.COPY: {},
}
"""Fields that must be set at these decisions."""


FIELD: Mapping[tuple[Frame, str], str] = {
    (Frame.HAND, "card"): "named",
    (Frame.HARVEST, "give"): "swap_give",
    (Frame.HARVEST, "take"): "swap_take",
    (Frame.BUILD, "type"): "build_type",
    (Frame.BUILD, "old"): "build_old",
    (Frame.COMBAT, "to"): "retreat_to",
}
"""The field of the state for a key of a frame, where its name is another one."""

STEP: Mapping[tuple[Frame, str], int] = {
    (Frame.CARD, "REACT"): int(playing.ASKED),
    (Frame.CARD, "TOKEN"): int(playing.RUN),
    (Frame.CARD, "above"): int(playing.OVER),
    (Frame.HARVEST, "HV_SCORCH"): int(scorched.SCORCHED),
    **{(Frame.HARVEST, name): int(trading.TRADES) for name in ("TR_GIVE", "SW_GIVE", "SW_TAKE", "SW_OK")},
    (Frame.HARVEST, "TR_TAKE"): int(trading.PAID),
    (Frame.HARVEST, "above"): int(trading.PAID),
    (Frame.RECRUIT, "REC_PAY"): int(recruit.BUYING),
    (Frame.RECRUIT, "REC_CAMP"): int(recruit.CAMPING),
    (Frame.RECRUIT, "REC_PULL"): int(recruit.PULLING),
    (Frame.RECRUIT, "above"): int(recruit.PAID),
    (Frame.DRAW, "above"): int(draw.PAID),
    (Frame.MOVE, "MV_CRE"): int(move.DECLARING),
    (Frame.MOVE, "CB_PICK"): int(move.FIGHTING),
    (Frame.MOVE, "above"): int(move.FIGHTING),
    (Frame.MOVE, "TOKEN"): int(move.MARKING),
}
"""The step of a frame at a decision of its own, or ("above") while another frame lies on it; 0 at all others."""


def check_moment(rules: Any, state: Any) -> None:
    """Check that the decision is possible with this phase, these frames and this seat, and set the frames' steps.

    Raises:
        ValueError: it is not; the sentence says what does not fit.
    """
    decision = Decision(int(state.decision))
    kinds = [Frame(int(kind)) for kind in state.frame_kind[: int(state.depth)]]
    top = kinds[-1] if kinds else Frame.NONE
    if top not in TOP[decision]:
        wanted = " or ".join("no frame" if kind == Frame.NONE else f"the frame {kind.name}" for kind in TOP[decision])
        raise ValueError(f"`decision` {decision.name} needs {wanted} innermost, not {top.name if kinds else 'none'}")
    _check_phase(state, decision, kinds[0] if kinds else Frame.NONE)
    if top != Frame.NONE:
        _check_fields(state, decision, top)
    for kind in kinds[:-1]:
        for key in SET.get(kind, {}):
            if state[field_of(kind, key)] >= 0 and (kind, key) not in KEPT:
                raise ValueError(f"`{key}` of the frame {kind.name} must be null while {top.name} lies on it")
    _check_seats(rules, state, decision)
    _check_cards(rules, state, kinds)
    for depth, kind in enumerate(kinds):
        moment = decision.name if depth == len(kinds) - 1 else "above"
        step = second.PLACED if kind == Frame.SECOND and state.second_placed else STEP.get((kind, moment), 0)
        state.frame_step[depth] = step


KEPT = ((Frame.BRIBE, "dst"),)
"""Keys of `SET` that stay set while another frame lies on theirs."""


def field_of(kind: Frame, key: str) -> str:
    return FIELD.get((kind, key), "place" if key == "terr" and kind != Frame.COMBAT else key)


def _check_phase(state: Any, decision: Decision, outermost: Frame) -> None:
    if decision in (Decision.CLAN, Decision.END):
        due = Phase[decision.name]
    else:
        due = PHASE_OF.get(outermost, Phase.ACTIONS)
    if state.phase != due:
        raise ValueError(f"`phase` must be {due.name} at {decision.name}, not {Phase(int(state.phase)).name}")
    if due in (Phase.CLAN, Phase.SETUP) and state.year != 1:
        raise ValueError(f"`year` must be 1 in the phase {due.name}, not {int(state.year)}")
    if due != Phase.ACTIONS and (state.main_used or state.resolved):
        raise ValueError(f"`main_used` and `resolved` must be false in the phase {due.name}")
    has_turn = due in (Phase.SETUP, Phase.ACTIONS, Phase.HARVEST, Phase.SECOND)
    if (state.turn >= 0) != has_turn:
        raise ValueError(f"`turn` must be {'a seat' if has_turn else 'null'} in the phase {due.name}")
    if (state.marker >= 0) != (due != Phase.CLAN):
        raise ValueError(f"`marker` must be {'null' if due == Phase.CLAN else 'a seat'} in the phase {due.name}")


def _check_fields(state: Any, decision: Decision, top: Frame) -> None:
    for key, decisions in SET.get(top, {}).items():
        due = decision.name in decisions.split()
        if (state[field_of(top, key)] >= 0) != due:
            what = "must be set" if due else "must be null"
            raise ValueError(f"`{key}` of the frame {top.name} {what} at {decision.name}")
    for key, decisions in NEEDED.get(top, {}).items():
        if decision.name in decisions.split() and state[field_of(top, key)] < 0:
            raise ValueError(f"`{key}` of the frame {top.name} must be set at {decision.name}")


def _check_seats(rules: Any, state: Any, decision: Decision) -> None:
    """The seat asked follows from the rest (section 3.2); every seat has its clan once clans are chosen."""
    n, player = int(rules.num_players), int(state.player)
    clans = [int(clan) for clan in state.clan[:n]]
    if decision == Decision.CLAN:
        if player < 0 or [clan >= 0 for clan in clans] != [seat < player for seat in range(n)]:
            raise ValueError("`clan`: in the phase CLAN the seats before `player` have a clan and no other seat")
        return
    if -1 in clans:
        raise ValueError(f"`clan` must name the clan of every seat in the phase {Phase(int(state.phase)).name}")
    if decision == Decision.REACT:
        asked = [seat for seat in range(n) if int(rules.enemies[int(state.turn)]) >> seat & 1]
        if player not in asked or int(rules.react_card) not in state.hand[player, : int(state.hand_size[player])]:
            raise ValueError(f"`player` must be an enemy of the turn player with the reaction in hand, not {player}")
        return
    due = _asked(rules, state, decision)
    if player != due:
        whom = "null" if due < 0 else f"seat {due}"
        raise ValueError(f"`player` must be {whom} at {decision.name}, not {player if player >= 0 else 'null'}")


def _check_cards(rules: Any, state: Any, kinds: list[Frame]) -> None:
    """Cards, tiles and units that a frame names are where they must be."""
    turn, victim = int(state.turn), int(state.victim)
    if Frame.SETUP in kinds and state.tile >= 0 and int(state.tile) not in state.tile_hand[turn]:
        raise ValueError(f"`tile` of the frame SETUP must be in the tile hand of seat {turn}, not {int(state.tile)}")
    if Frame.UPGRADE in kinds and int(state.card) not in state.hand[turn, : int(state.hand_size[turn])]:
        raise ValueError(f"`card` of the frame UPGRADE must be in the hand of seat {turn}, not {int(state.card)}")
    if Frame.CARD in kinds and int(state.card) not in state.played[turn, : int(state.played_size[turn])]:
        raise ValueError(f"`card` of the frame CARD must be a played card of seat {turn}, not {int(state.card)}")
    if state.named >= 0 and int(state.named) not in state.hand[victim, : int(state.hand_size[victim])]:
        raise ValueError(f"`card` of the frame HAND must be in the hand of seat {victim}, not {int(state.named)}")
    if victim >= 0 and not int(rules.enemies[turn]) >> victim & 1:
        raise ValueError(f"`victim` of the frame HAND must be an enemy of seat {turn}, not {victim}")
    if kinds and kinds[-1] == Frame.BRIBE and state.src >= 0:
        owners = [p for p in range(int(rules.num_players)) if state.units[int(state.src), p]]
        if len(owners) != 1 or not int(rules.enemies[turn]) >> owners[0] & 1:
            raise ValueError("`src` of the frame BRIBE must hold units of an enemy")


def _asked(rules: Any, state: Any, decision: Decision) -> int:
    name = decision.name
    if decision == Decision.END:
        return -1
    if decision == Decision.PAY:
        return int(state.payer)
    if name.startswith("RT_"):
        return int(state.loser)
    if decision in (Decision.CB_FOOD_D, Decision.CB_FACE_D):
        return int(state.defender)
    if decision in (Decision.CB_PUSH, Decision.CB_FOOD_A, Decision.CB_FACE_A, Decision.CB_EITHER):
        return int(state.attacker)
    if decision == Decision.HD_RANSOM or (decision == Decision.HD_CARD and not _seen(rules, state)):
        return int(state.victim)
    if decision == Decision.HV_SCORCH:
        return int(state.snake)
    if decision == Decision.SW_OK:
        return int(rules.ally[int(state.turn)])
    return int(state.marker if decision == Decision.CR_MOVE else state.turn)


def _seen(rules: Any, state: Any) -> bool:
    """Return whether the actor of a HAND chooses the card."""
    return int(rules.card_b[int(state.frame_row[int(state.depth) - 1])]) == 1
