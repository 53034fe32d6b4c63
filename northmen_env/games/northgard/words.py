"""Sentences about a `Scene`: who decides what, and the operations that are running."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from northmen_env.games.northgard.card_words import ACTS, KINDS
from northmen_env.games.northgard.scene import Card, Context, Scene
from northmen_env.games.northgard.state import Decision
from northmen_env.games.northgard.tables import building_name


class Task(NamedTuple):
    """What is decided: told to the seat asked, and of it to others."""

    you: str
    other: str


def _both(words: str) -> Task:
    """Return a task whose two forms differ in the first verb alone: `choose|s a clan`, `decide|s …`."""
    return Task(words.replace("|s", ""), words.replace("|", ""))


TASKS = {
    Decision.CLAN: _both("choose|s a clan"),
    Decision.SETUP_TILE: _both("choose|s a tile of the hand to lay"),
    Decision.SETUP_CELL: _both("choose|s the cell for the tile"),
    Decision.SETUP_ROT: _both("choose|s how many quarters the tile is turned clockwise"),
    Decision.SETUP_TERR: _both("choose|s the territory of the new tile for a group of three units"),
    Decision.SETUP_KAIJA: _both("decide|s on two units and Kaija (YES) or three units (DONE)"),
    Decision.MENU: _both("choose|s what to do in this turn"),
    Decision.PLAY_CARD: _both("choose|s the card to play"),
    Decision.CONT: _both("may play another card, or end|s the turn with DONE"),
    Decision.WAIT_CARD: _both("choose|s the card to wait with"),
    Decision.REPLACE_CARD: _both("choose|s the card to replace"),
    Decision.REMOVE_CARD: _both("choose|s the card that leaves the game"),
    Decision.UPG_CARD: _both("choose|s the hand card to give for an upgrade"),
    Decision.UPG_DEST: _both("decide|s whether that card leaves the game (YES) or goes to the active area (DONE)"),
    Decision.UPG_PICK: _both("choose|s the upgrade"),
    Decision.PASS_PICK: _both("take|s a card of the display, on top of the draw pile"),
    Decision.PASS_CRE: _both("decide|s whether a creature appears"),
    Decision.PASS_CRE_AT: _both("choose|s where the creature appears"),
    Decision.REACT: _both("decide|s whether to cancel the card just played (YES) or not (DONE)"),
    Decision.TOKEN: _both("may put the Scorched Earth token into a territory"),
    Decision.REC_TERR: _both("choose|s where the next figure is placed"),
    Decision.REC_KAIJA: _both("decide|s on Kaija (YES) or a unit (DONE)"),
    Decision.REC_PAY: _both("may pay two resources for one more unit"),
    Decision.REC_CAMP: _both("choose|s how many more units the Training Camps bring"),
    Decision.REC_PULL: _both("may move one unit from an adjacent own territory there"),
    Decision.PAY: _both("pay|s a resource"),
    Decision.MV_SRC: _both("choose|s where the next move begins, or end|s the moves with DONE"),
    Decision.MV_DST: _both("choose|s where the move goes"),
    Decision.MV_NUM: _both("choose|s how many units move"),
    Decision.MV_KAIJA: _both("decide|s whether Kaija goes along"),
    Decision.MV_CRE: _both("may attack a creature"),
    Decision.CB_PICK: _both("choose|s the combat that is resolved next"),
    Decision.CB_PUSH: _both("may push one defending unit into a territory"),
    Decision.CB_FOOD_A: _both("choose|s how much food to discard as attacker"),
    Decision.CB_FOOD_D: _both("choose|s how much food to discard as defender"),
    Decision.CB_FACE_A: _both("choose|s an axe or a skull of the attacker's die"),
    Decision.CB_EITHER: _both("add|s an axe or a skull"),
    Decision.CB_FACE_D: _both("choose|s an axe or a skull of the defender's die"),
    Decision.RT_TERR: _both("choose|s where units retreat"),
    Decision.RT_NUM: _both("choose|s how many units retreat there"),
    Decision.RT_KAIJA: _both("choose|s where Kaija retreats"),
    Decision.EX_AGAIN: _both("may explore again"),
    Decision.EX_REDRAW: _both("may put the drawn tile under the stack and draw another"),
    Decision.EX_PICK: _both("choose|s the drawn tile to lay"),
    Decision.EX_CELL: _both("choose|s the cell for the tile"),
    Decision.EX_ROT: _both("choose|s how many quarters the tile is turned clockwise"),
    Decision.BD_TERR: _both("choose|s the territory to build in"),
    Decision.BD_GATHER: _both("decide|s whether to collect its resources before (YES) or after building (DONE)"),
    Decision.BD_TYPE: _both("choose|s the building"),
    Decision.BD_CARVED: _both("decide|s on a carved space (YES) or a plain one (DONE)"),
    Decision.RP_TERR: _both("may choose a territory in which a building is exchanged"),
    Decision.RP_OLD: _both("choose|s the building that is replaced"),
    Decision.RP_NEW: _both("choose|s the building that replaces it"),
    Decision.DR_KEEP: _both("choose|s a drawn card to keep"),
    Decision.DR_TOP: _both("choose|s a drawn card to put on the draw pile"),
    Decision.DR_PAY: _both("may pay three resources to draw one more card"),
    Decision.ACT: _both("choose|s a basic action"),
    Decision.ST_TERR: _both("choose|s the territory where an enemy figure is removed"),
    Decision.ST_RES: _both("choose|s the resource to collect there"),
    Decision.ST_ADD: _both("choose|s where a unit is added"),
    Decision.CP_WHO: _both("choose|s whose card is copied"),
    Decision.CP_CARD: _both("choose|s the card that is copied"),
    Decision.HD_WHO: _both("choose|s the enemy whose hand is attacked"),
    Decision.HD_ALL: _both("decide|s whether the hands of all enemies are attacked"),
    Decision.HD_DRAW: _both("decide|s whether to draw"),
    Decision.HD_CARD: _both("choose|s the card of the attacked hand that is discarded"),
    Decision.HD_RANSOM: _both("may give two resources to keep the card"),
    Decision.BR_SRC: _both("choose|s the territory of the units to bribe"),
    Decision.BR_DST: _both("choose|s where the bribed units move"),
    Decision.BR_NUM: _both("choose|s how many bribed units move"),
    Decision.FT_CARD: _both("take|s a card of the own discard pile, or draw|s one (YES)"),
    Decision.FS_CARD: _both("take|s a card of the display, on top of the draw pile"),
    Decision.HV_SCORCH: _both("may take a resource of the scorched territory out of the harvest"),
    Decision.TR_GIVE: _both("may trade resources three for one, or end|s trading with DONE"),
    Decision.TR_TAKE: _both("choose|s the resource traded for"),
    Decision.SW_GIVE: _both("choose|s the resource offered to the teammate"),
    Decision.SW_TAKE: _both("choose|s the resource asked for it"),
    Decision.SW_OK: _both("accept|s the swap (YES) or not (DONE)"),
    Decision.CR_MOVE: _both("choose|s where the creature moves"),
    Decision.SC_TERR: _both("may place a new group in a neutral territory"),
    Decision.SC_KAIJA: _both("decide|s on two units and Kaija (YES) or three units (DONE)"),
    Decision.SC_CELL: _both("choose|s the cell for the tile drawn for the new group"),
    Decision.SC_ROT: _both("choose|s how many quarters the tile is turned clockwise"),
}
"""What is decided at each decision point (section 3.2)."""


def status(s: Scene) -> str:
    """Return who decides what, or how the game ended."""
    if s.decision is Decision.END:
        best = [seat.name for seat in s.seats if seat.rank == 1]
        if len(best) == 1:
            return f"the game is over, {best[0]} wins"
        teams = " (a team)" if s.teams and len(best) == 2 else ""
        return f"the game is over, {', '.join(best[:-1])} and {best[-1]} share the first place{teams}"
    if s.decision is None or s.player is None:
        return f"seat {s.turn} is playing a card"
    return f"seat {s.player} {TASKS[s.decision].other} ({s.decision.name})"


def names(cards: Iterable[Card]) -> str:
    """Return cards by name with their ids, equal ones counted."""
    counted: dict[Card, int] = {}
    for card in cards:
        counted[card] = counted.get(card, 0) + 1
    return ", ".join(
        f"{card.name} [{card.id}]" + (f" x{number}" if number > 1 else "") for card, number in counted.items()
    )


def creature_letter(s: Scene, creature: int) -> str:
    """Return the first letter of a creature's kind: W, B, D or V."""
    return s.creature_names[creature].split(" (")[0].split()[-1][0]


def frame_lines(s: Scene) -> list[str]:
    """Return a sentence for each running operation, outermost first."""
    return [f"{frame['frame'].capitalize()}{_of(s, frame)}: {_facts(s, frame)}." for frame in s.frames]


def _of(s: Scene, frame: Context) -> str:
    return f" of {s.card_names[frame['row']]}" if frame.get("row") is not None else ""


_WORDS = {
    "terr": "territory",
    "src": "from territory",
    "dst": "to territory",
    "num": "units",
    "left": "left",
    "who": "of seat",
    "victim": "attacks seat",
    "payer": "seat",
    "give": "gives",
    "take": "for",
    "swaps": "swaps made",
    "loser": "retreat of seat",
    "keep": "to keep",
    "top": "to put back",
    "food_a": "attacker's food",
    "food_d": "defender's food",
    "roll_a": "attacker's face",
    "roll_d": "defender's face",
    "face_a": "attacker takes",
    "face_d": "defender takes",
    "either": "added",
    "attacker": "attacker seat",
    "defender": "defender seat",
    "to": "to",
}


def _facts(s: Scene, frame: Context) -> str:
    parts = []
    for key, value in frame.items():
        if key in ("frame", "row", "drawn_known") or value is None or value is False or value == []:
            continue
        parts.append(_list(s, frame["frame"], key, value) if isinstance(value, list) else _fact(s, frame, key, value))
    return ", ".join(parts) or "begins"


def _fact(s: Scene, frame: Context, key: str, value: int) -> str:
    if value is True:
        return key.replace("_", " ")
    if key in ("give", "take") or (frame["frame"] == "PAY" and key == "last"):
        return f"{_WORDS.get(key, 'last')} {KINDS[value]}"
    if key in ("card", "last"):
        return f"{'' if key == 'card' else 'last '}card {s.card_names[value]}"
    if key == "creature":
        return s.creature_names[value]
    if key in ("type", "old"):
        return f"{'replaces ' if key == 'old' else ''}{building_name(value)}"
    if key in ("face_a", "face_d", "either"):
        return f"{_WORDS[key]} {('axe', 'skull')[value]}"
    return f"{_WORDS.get(key, key)} {'t' * (key == 'tile')}{value}"


def _list(s: Scene, kind: str, key: str, value: list[Any]) -> str:
    if kind == "EXPLORE":
        words = [f"t{tile}" for tile in value]
    elif kind == "DRAW":
        words = [s.card_names[card] for card in value]
    elif key == "queue":
        words = [s.creature_names[creature] for creature in value]
    elif key == "done":
        words = [ACTS[act] for act in value]
    elif key == "room":
        words = [f"{t} (any)" if room is None else f"{t} ({room})" for t, room in value]
    elif key == "due":
        words = [f"{t}" if creature is None else f"{t} ({s.creature_names[creature]})" for t, creature in value]
    else:
        words = [str(item) for item in value]
    return f"{_LISTS.get(key, key)} {', '.join(words)}"


_LISTS = {"queue": "still to come", "room": "room in", "placed": "placed in", "due": "combats in"}
