"""`observation_text`: what a seat knows in words, for a person or a language model.

The text is written from the seat's `Scene`, which holds nothing the seat may not know, and from the legal actions of
its own decision.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from northmen_env.games.blood.actions import SIDE_NAMES, action_text
from northmen_env.games.blood.board import STEP_Q, STEP_R
from northmen_env.games.blood.bounds import MAX_LEGAL
from northmen_env.games.blood.rules import legal_ids
from northmen_env.games.blood.scene import (
    Colour,
    Place,
    Scene,
    Tile,
    cell_words,
    context_lines,
    scene,
    status,
    tile_words,
)
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import SIDES

_TASKS = {
    Decision.D01: "choose a tile of your hand to lay, or PILE: reveal the top tile of the pile instead",
    Decision.D02: "DO: lay the revealed tile; PASS: discard it, take the next tile unseen and end the turn",
    Decision.D03: "choose the cell for the tile",
    Decision.D04: "choose how many sixths the tile is turned clockwise",
    Decision.D05: "put a citadel on a side of the tile just laid, or PASS",
    Decision.D06: "choose where the warband inside the citadel comes from",
    Decision.D07: "discard another village tile for more village actions (Sails), or PASS",
    Decision.D08: "score a point by a furs action (the first one in a turn returns all your points), or PASS",
    Decision.D09: "put a warband into the reserve by a mead action, or PASS",
    Decision.D10: "choose a contested tile to remove a warband of each other colour (silver), or PASS",
    Decision.D11: "choose the hand tile that you discard for the silver action",
    Decision.D12: "prepare a hand tile for later battles by a tusk action, or PASS",
    Decision.D13: "forest phase: place a warband on the tile laid in this turn, DRAW, SPEND a reserve warband, or PASS",
    Decision.D14: "lake phase: choose the tile from which up to three warbands move, DRAW, SPEND, or PASS",
    Decision.D15: "road phase: choose the tile from which warbands move by road, DRAW, SPEND, or PASS",
    Decision.D16: "mountain phase: choose a contested tile for a battle, DRAW, SPEND, or PASS",
    Decision.D17: "choose how many warbands move",
    Decision.D18: "choose where they move",
    Decision.D19: "reveal a prepared tile in addition to the basic tiles, or PASS",
    Decision.D20: "reveal a hand tile as a basic tile, or PILE: the top tile of the pile",
    Decision.D21: "add warbands from your settlement to the tile you have won, or PASS",
    Decision.D22: "choose the warband of the map that becomes your point, or PASS for no point",
    Decision.B1: "choose the tile that gets bandits",
    Decision.B2: "choose the tile from which a bandit comes",
    Decision.B3: "choose the tile from which bandits move",
    Decision.B4: "choose where the bandits move",
    Decision.B5: "choose the tile on which the bandits attack",
    Decision.B6: "choose the tile on which the bandits bribe one of your warbands",
    Decision.B7: "choose the bandit of the map that becomes their point",
}
_LETTERS = "F forest, L lake, R road, M mountain, - empty"
_REWARDS = {
    "rank": "players beaten less players ahead",
    "win": "the first place alone",
    "score": "the lead in points over the mean of the others",
}


def observation_text(rules: Any, state: Any, player: int) -> str:
    """Return all that `player` knows, in sections; at its own decision with the legal actions by name."""
    s = scene(rules, state, player)
    sections = [
        _situation(s),
        _choices(rules, state, s),
        _players(s),
        _map(s),
        _cells(s),
        _tiles(s),
        _known(s),
        _rules(s),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _who(s: Scene, colour: int) -> str:
    if colour == s.viewer:
        return "you"
    return f"seat {colour}" if colour < s.num_players else "the bandits"


def _situation(s: Scene) -> list[str]:
    others = "solo against the bandits" if s.solo else f"{s.num_players} players"
    lines = [f"Blood of the Northmen, {others}. You are seat {s.viewer}."]
    if s.decision is Decision.END:
        words = status(s)
        return [*lines, f"{words[0].upper()}{words[1:]}."]
    lines.append(f"Turn of {_who(s, s.active)}. Pile: {s.pile_size} tiles; the game ends when it is empty.")
    if s.player == s.viewer:
        lines.append(f"It is your decision ({s.decision.name}): {_TASKS[s.decision]}.")
    else:
        lines.append(f"Waiting for {_who(s, int(s.player or 0))} ({s.decision.name}).")
    return lines + context_lines(s)


def _choices(rules: Any, state: Any, s: Scene) -> list[str]:
    if s.player != s.viewer:
        return []
    ids = np.empty(MAX_LEGAL, np.int16)
    number = legal_ids(rules, state, ids)
    return ["Your legal actions:", *(f"  {action_text(rules, int(action))}" for action in ids[:number])]


def _players(s: Scene) -> list[str]:
    lines = ["Players (12 warbands each; six points win):"]
    for c in s.colours:
        name = _who(s, c.colour)
        who = f"you, seat {c.colour}" if c.colour == s.viewer else name
        lines.append(f"  {who}: {', '.join(_numbers(c))}")
    return lines


def _numbers(c: Colour) -> Iterable[str]:
    yield f"points {c.vp}"
    yield f"settlement {c.settlement}"
    yield f"on the map {c.on_map}"
    yield f"reserve {c.reserve}"
    yield f"citadels {c.citadels}"
    yield f"villages held {c.villages}"
    if c.hand_size is not None:
        yield f"hand {c.hand_size} tiles"
    yield f"prepared {c.prepared_size} tiles"
    if c.fresh_size:
        yield f"prepared in this turn {c.fresh_size} tiles"
    if c.hand_size is not None:
        yield f"ability {c.ability or 'none'}"
    if c.rank is not None:
        yield f"rank {c.rank}"


# ---- Map ------------------------------------------------------------------------------------------------------------


def _map(s: Scene) -> list[str]:
    if not s.places:
        return ["The map is empty."]
    here = {place.cell for place in s.places}
    lines = [
        f"Map: each tile with its sides clockwise from N ({_LETTERS}) and the cell across, empty cells in brackets:"
    ]
    for place in s.places:
        village = f" {place.tile.village} village" if place.tile.village else ""
        parts = [f"{cell_words(s, place.cell)}, tile {place.tile.id}{village}: {', '.join(_sides(s, place, here))}"]
        parts += [f"{_who(s, p)}: {number}" for p, number in enumerate(place.warbands) if number]
        lines.append(f"  {'; '.join(parts)}")
    for citadel in s.citadels:
        kind = "permanent citadel" if citadel.permanent else "citadel"
        at = f"side {SIDE_NAMES[citadel.side]} of cell {citadel.cell} and cell {_across(s, citadel.cell, citadel.side)}"
        lines.append(f"  {kind} {citadel.number} of {_who(s, citadel.owner)} between {at}")
    lines.append(f"Citadels in the supply: {s.citadel_supply}")
    return lines


def _across(s: Scene, cell: int, side: int) -> int:
    q, r = divmod(cell, s.grid_size)
    return (q + STEP_Q[side]) % s.grid_size * s.grid_size + (r + STEP_R[side]) % s.grid_size


def _sides(s: Scene, place: Place, here: set[int]) -> Iterable[str]:
    for side, letter in enumerate(place.sides):
        cell = _across(s, place.cell, side)
        wall = "" if place.citadels[side] is None else f" citadel {place.citadels[side]}"
        yield f"{SIDE_NAMES[side]} {letter} {cell if cell in here else f'({cell})'}{wall}"


def _cells(s: Scene) -> list[str]:
    """Return what an empty cell faces, where a cell or a rotation is chosen."""
    if s.decision not in (Decision.D03, Decision.D04):
        return []
    places = {place.cell: place for place in s.places}
    lines = ["Empty cells beside the map, with the letters they face:"]
    for cell, _, _ in s.frontier:
        if s.placing_cell not in (None, cell):
            continue
        facing = []
        for side in range(SIDES):
            place = places.get(_across(s, cell, side))
            if place is not None:
                facing.append(f"{SIDE_NAMES[side]} {place.sides[(side + 3) % SIDES]} of {place.cell}")
        lines.append(f"  {cell_words(s, cell)}: {', '.join(facing)}")
    return lines


# ---- Tiles off the map ----------------------------------------------------------------------------------------------


def _listed(tiles: Iterable[Tile]) -> str:
    return "; ".join(tile_words(tile) for tile in tiles) or "none"


def _tiles(s: Scene) -> list[str]:
    own = s.colours[s.viewer or 0]
    lines = [f"Your hand: {_listed(own.hand or ())}"]
    if own.prepared:
        lines.append(f"Your prepared tiles, usable in any battle: {_listed(own.prepared)}")
    if own.fresh:
        lines.append(f"Your tiles prepared in this turn, usable from its end on: {_listed(own.fresh)}")
    lines.append(f"Discard pile: {', '.join(str(tile.id) for tile in s.discard) or 'empty'}")
    if s.removed_size:
        lines.append(f"Tiles that left the game unseen: {s.removed_size}")
    return lines


def _known(s: Scene) -> list[str]:
    lines = []
    for c in s.colours:
        if c.held:
            whose = "your hand or your prepared tiles" if c.colour == s.viewer else f"the hand of {_who(s, c.colour)}"
            more = "" if c.colour == s.viewer else " or among its prepared tiles"
            lines.append(f"All know to be in {whose}{more}: {_listed(c.held)}")
    return lines


def _rules(s: Scene) -> list[str]:
    o = s.options
    modules = [name.capitalize() for name in ("goods", "citadels") if o[name] == "true"]
    abilities = "none" if o["abilities"] == "false" else o["ability_pool"]
    raids = ", Vikings may score after every turn" if o["vikings_every_turn"] == "true" else ""
    return [
        f"Modules: {' and '.join(modules) or 'none'}. Ability pool: {abilities}{raids}. "
        f"Grid: {o['grid_size']} cells a side. Final reward: {o['reward']} ({_REWARDS[o['reward']]})."
    ]
