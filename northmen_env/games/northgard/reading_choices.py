"""Whether what a frame of a State JSON object holds as chosen was on offer (NORTH-PH-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from northmen_env.games.northgard.actions import BLDG, CELL, NUM, RES, TERR
from northmen_env.games.northgard.reading_moment import field_of
from northmen_env.games.northgard.rules import refresh
from northmen_env.games.northgard.state import STATE, Decision, Frame

CHOSEN: Mapping[Frame, tuple[tuple[str, str, int, str], ...]] = {
    Frame.SETUP: (("terr", "SETUP_TERR", TERR, "SETUP_KAIJA"), ("cell", "SETUP_CELL", CELL, "SETUP_ROT")),
    Frame.SECOND: (("terr", "SC_TERR", TERR, "SC_KAIJA"), ("cell", "SC_CELL", CELL, "SC_ROT")),
    Frame.HARVEST: (("take", "SW_TAKE", RES, "SW_OK"), ("give", "SW_GIVE", RES, "SW_TAKE SW_OK")),
    Frame.RECRUIT: (("terr", "REC_TERR", TERR, "REC_KAIJA"),),
    Frame.MOVE: (
        ("num", "MV_NUM", NUM, "MV_KAIJA"),
        ("dst", "MV_DST", TERR, "MV_NUM MV_KAIJA"),
        ("src", "MV_SRC", TERR, "MV_DST MV_NUM MV_KAIJA"),
    ),
    Frame.EXPLORE: (("cell", "EX_CELL", CELL, "EX_ROT"),),
    Frame.BUILD: (
        ("type", "BD_TYPE", BLDG, "BD_CARVED"),
        ("terr", "BD_TERR", TERR, "BD_GATHER BD_TYPE BD_CARVED"),
        ("old", "RP_OLD", BLDG, "RP_NEW"),
        ("terr", "RP_TERR", TERR, "RP_OLD RP_NEW"),
    ),
    Frame.BRIBE: (("dst", "BR_DST", TERR, "BR_NUM"), ("src", "BR_SRC", TERR, "BR_DST BR_NUM")),
    Frame.COMBAT: (("to", "RT_TERR", TERR, "RT_NUM"),),
}
"""By frame: its field, the decision that set it, the first action of the range, the decisions where it is set; the
last choice first."""


def check_choices(rules: Any, state: Any) -> None:
    """Take choices back, the last one first, and look whether the decision before offers them.

    Raises:
        ValueError: one was not on offer; the sentence names the field.
    """
    if state.depth == 0:
        return
    top, decision = Frame(int(state.frame_kind[int(state.depth) - 1])), Decision(int(state.decision))
    chosen = [entry for entry in CHOSEN.get(top, ()) if decision.name in entry[3].split()]
    if not chosen:
        return
    array = np.zeros(1, STATE)
    before = array[0]
    for name in STATE.names or ():
        before[name] = state[name]
    for key, asked, first, _ in chosen:
        field = field_of(top, key)
        value = int(before[field])
        before[field] = -1
        before.decision = Decision[asked]
        before.player = state.loser if top == Frame.COMBAT else state.turn
        action = first + (int(state.slot[value]) if first == TERR else value)
        refresh(rules, before)
        if action not in before.legal[: int(before.legal_count)]:
            shown = action - first
            raise ValueError(f"`{key}` of the frame {top.name} is {shown}, which {asked} does not offer there")
