"""What a picture of a game may show: the state as one viewer sees it, as plain Python values.

Text and SVG are drawn from a `Scene` and never from the state, so that neither can show what the viewer may not know
(BLOOD-INFO-01 … -04).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from northmen_env.games.blood.actions import SIDE_NAMES
from northmen_env.games.blood.amounts import BANDITS
from northmen_env.games.blood.board import beside
from northmen_env.games.blood.codec import facts
from northmen_env.games.blood.options import ABILITIES, Ability
from northmen_env.games.blood.scoring import count_higher, villages_held
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import REWARDS, SIDES, card_effects, sides_text
from northmen_env.games.blood.tile_table import VILLAGES

Context = dict[str, Any]

VILLAGE_NAMES = {int(village): name for name, village in VILLAGES.items() if village >= 0}
ABILITY_NAMES = {int(ability): ability.name.capitalize() for ability in Ability}


@dataclass(frozen=True)
class Tile:
    """A tile as printed."""

    id: int
    sides: str
    village: str | None

    @property
    def mountains(self) -> int:
        return self.sides.count("M")


@dataclass(frozen=True)
class Place:
    """A tile of the map; `column` and `row` are its plain coordinates, the westernmost and northernmost being 0."""

    cell: int
    column: int
    row: int
    tile: Tile
    rotation: int
    sides: str  # letters N, NE, SE, S, SW, NW as they lie
    warbands: tuple[int, ...]
    citadels: tuple[int | None, ...]  # number of the citadel on each side


@dataclass(frozen=True)
class Citadel:
    """A citadel on the map, described as in State JSON."""

    number: int
    cell: int
    side: int
    owner: int
    permanent: bool


@dataclass(frozen=True)
class Colour:
    """A seat, or the bandits. What the viewer may not see is None; `hand_size` is None for the bandits."""

    colour: int
    name: str
    settlement: int
    vp: int
    reserve: int
    on_map: int
    citadels: int
    villages: int
    ability: str | None
    hand_size: int | None
    hand: tuple[Tile, ...] | None
    held: tuple[Tile, ...]
    prepared_size: int
    prepared: tuple[Tile, ...] | None
    fresh_size: int
    fresh: tuple[Tile, ...] | None
    rank: int | None  # at the end
    winner: bool


@dataclass(frozen=True)
class Scene:
    """The table as `viewer` (a seat, or None for a spectator) sees it.

    Attributes that are named as keys of State JSON (BLOOD-PHASE-08) have their meaning there.
    """

    viewer: int | None
    num_players: int
    solo: bool
    options: dict[str, str]
    grid_size: int
    origin: tuple[int, int]  # torus coordinates of column 0 and row 0
    decision: Decision
    player: int | None
    active: int
    winners: tuple[int, ...]
    pile_size: int
    discard: tuple[Tile, ...]
    removed_size: int
    places: tuple[Place, ...]
    citadels: tuple[Citadel, ...]
    citadel_supply: int
    colours: tuple[Colour, ...]
    laid: int | None
    placing: Tile | None
    placing_cell: int | None
    turn: Context  # citadel_side, village_left, furs_returned, silver_cell, a, b, performed, drawn, drew_earlier
    move: Context | None
    battle: Context | None
    bandit: Context | None
    card_effects: tuple[str, ...]  # of the bandit card in force
    frontier: tuple[tuple[int, int, int], ...]  # empty cells that touch the map: cell, column, row

    def place(self, cell: int) -> Place:
        """Return the tile on a cell."""
        return next(place for place in self.places if place.cell == cell)

    def spot(self, cell: int) -> tuple[int, int]:
        """Return column and row of a cell in or beside the map."""
        q, r = divmod(cell, self.grid_size)
        return _plain(q - self.origin[0], self.grid_size), _plain(r - self.origin[1], self.grid_size)


_TURN = ("citadel_side", "village_left", "furs_returned", "silver_cell", "a", "b", "performed", "drawn", "drew_earlier")


def scene(rules: Any, state: Any, viewer: int | None) -> Scene:
    """Return the table as `viewer` sees it.

    Args:
        rules, state: the two records.
        viewer: a seat, or None for a spectator, who sees no hand at all.

    Raises:
        ValueError: `viewer` is not a seat of this game.
    """
    n, size = int(rules.num_players), int(rules.grid_size)
    if viewer is not None and not 0 <= viewer < n:
        raise ValueError(f"there is no seat {viewer} to show the board to; the seats are 0..{n - 1}, or None")
    d = facts(rules, state)
    origin = int(state.q_min), int(state.r_min)
    citadels = tuple(Citadel(number, **value) for number, value in enumerate(d["citadels"]) if value is not None)
    placing = d["placing"] or {"tile": 0, "cell": None}
    front = [int(cell) for cell in state.front_cell[: int(state.front_size)]]
    return Scene(
        viewer=viewer,
        num_players=n,
        solo=bool(rules.solo),
        options=_options(rules),
        grid_size=size,
        origin=origin,
        decision=Decision[d["decision"]],
        player=d["player"],
        active=d["active"],
        winners=tuple(d["winners"] or ()),
        pile_size=len(d["pile"]),
        discard=tuple(_tile(rules, tile) for tile in d["discard"]),
        removed_size=len(d["removed"]),
        places=_places(rules, d, origin, citadels),
        citadels=citadels,
        citadel_supply=len(d["citadels"]) - len(citadels),
        colours=tuple(_colour(rules, state, d, viewer, colour) for colour in range(int(rules.colours))),
        laid=d["laid"],
        placing=_tile(rules, placing["tile"]) if placing["tile"] else None,
        placing_cell=placing["cell"],
        turn={key: d[key] for key in _TURN},
        move=d["move"],
        battle=d["battle"],
        bandit=d["bandit"],
        card_effects=tuple(map(str, card_effects(rules, d["bandit"]["card"]))) if d["bandit"] else (),
        frontier=tuple((cell, *_spot(cell, origin, size)) for cell in front),
    )


def _tile(rules: Any, tile: int) -> Tile:
    return Tile(tile, sides_text(rules, tile), VILLAGE_NAMES.get(int(rules.village[tile])))


def _plain(step: int, size: int) -> int:
    """Return a step on the torus as a plain one: the map is at most `size - 2` wide, so -1 means just outside it."""
    step %= size
    return -1 if step == size - 1 else step


def _spot(cell: int, origin: tuple[int, int], size: int) -> tuple[int, int]:
    return _plain(cell // size - origin[0], size), _plain(cell % size - origin[1], size)


def _places(rules: Any, d: Context, origin: tuple[int, int], citadels: tuple[Citadel, ...]) -> tuple[Place, ...]:
    size = int(rules.grid_size)
    sides: dict[tuple[int, int], int] = {}  # (cell, side) -> number of the citadel there, from both tiles
    for citadel in citadels:
        sides[citadel.cell, citadel.side] = citadel.number
        sides[int(beside(rules, citadel.cell, citadel.side)), citadel.side + 3] = citadel.number
    places = []
    for entry in d["map"]:
        column, row = _spot(entry["cell"], origin, size)
        tile, rotation = _tile(rules, entry["tile"]), entry["rotation"]
        turned = sides_text(rules, entry["tile"], rotation)
        here = tuple(sides.get((entry["cell"], side)) for side in range(SIDES))
        places.append(Place(entry["cell"], column, row, tile, rotation, turned, tuple(entry["warbands"]), here))
    return tuple(places)


def _colour(rules: Any, state: Any, d: Context, viewer: int | None, colour: int) -> Colour:
    seat = colour < int(rules.num_players)
    own = seat and viewer == colour
    hand = d["hands"][colour] if seat else []
    fresh = d["fresh"] if d["active"] == colour else []
    ability = d["abilities"][colour] if seat else None
    rank = 1 + int(count_higher(rules, state, colour)) if seat and not rules.solo else None
    return Colour(
        colour=colour,
        name=f"seat {colour}" if seat else "the bandits",
        settlement=d["settlement"][colour],
        vp=d["vp"][colour],
        reserve=d["reserve"][colour],
        on_map=sum(entry["warbands"][colour] for entry in d["map"]),
        citadels=sum(citadel is not None and citadel["owner"] == colour for citadel in d["citadels"]),
        villages=int(villages_held(rules, state, colour)),
        ability=None if ability is None else ABILITY_NAMES[ability],
        hand_size=len(hand) if seat else None,
        hand=_tiles(rules, hand) if own else None,
        held=_tiles(rules, d["held"][colour]) if seat else (),
        prepared_size=len(d["prepared"][colour]),
        prepared=_tiles(rules, d["prepared"][colour]) if own else None,
        fresh_size=len(fresh),
        fresh=_tiles(rules, fresh) if own else None,
        rank=rank if d["decision"] == "END" else None,
        winner=colour in (d["winners"] or ()),
    )


def _tiles(rules: Any, tiles: list[int]) -> tuple[Tile, ...]:
    return tuple(_tile(rules, tile) for tile in tiles)


def _options(rules: Any) -> dict[str, str]:
    """Return the options that change the rules, as the configuration spells them (BLOOD-OPT-01)."""
    pool = rules.ability_pool[: int(rules.num_abilities)]
    return {
        "goods": _truth(rules.goods),
        "citadels": _truth(rules.citadels),
        "abilities": _truth(rules.abilities),
        "ability_pool": " ".join(str(int(ability)) for ability in pool) if len(pool) < ABILITIES else "all",
        "grid_size": str(int(rules.grid_size)),
        "vikings_every_turn": _truth(rules.vikings_every_turn),
        "reward": REWARDS[int(rules.reward)],
    }


def _truth(value: Any) -> str:
    return "true" if value else "false"


# ---- Words ----------------------------------------------------------------------------------------------------------

_TASKS = {
    Decision.D01: "chooses a tile to lay, or takes the top of the pile",
    Decision.D02: "may lay the revealed tile",
    Decision.D03: "chooses a cell for the tile",
    Decision.D04: "chooses how the tile is turned",
    Decision.D05: "may put a citadel on a side of the tile just laid",
    Decision.D06: "chooses where the warband of the citadel comes from",
    Decision.D07: "may discard a village tile for the sails",
    Decision.D08: "may perform a furs action",
    Decision.D09: "may perform a mead action",
    Decision.D10: "may perform a silver action",
    Decision.D11: "chooses a tile to discard for the silver action",
    Decision.D12: "may perform a tusk action",
    Decision.D13: "is in the forest phase",
    Decision.D14: "is in the lake phase",
    Decision.D15: "is in the road phase",
    Decision.D16: "is in the mountain phase",
    Decision.D17: "chooses how many warbands move",
    Decision.D18: "chooses where they move",
    Decision.D19: "may reveal a prepared tile in the battle",
    Decision.D20: "reveals a tile in the battle",
    Decision.D21: "may add warbands to the battle tile",
    Decision.D22: "chooses the warband that becomes a point",
    Decision.B1: "chooses a tile for the bandits",
    Decision.B2: "chooses where a bandit comes from",
    Decision.B3: "chooses the bandits that move",
    Decision.B4: "chooses where the bandits move",
    Decision.B5: "chooses where the bandits attack",
    Decision.B6: "chooses where the bandits bribe",
    Decision.B7: "chooses the bandit that becomes a point",
}


def status(s: Scene) -> str:
    """Return who decides what, or how the game ended."""
    if s.decision is not Decision.END:
        return f"seat {s.player} {_TASKS[s.decision]} ({s.decision.name})"
    names = [s.colours[p].name for p in s.winners]
    if len(names) == 1:
        return f"the game is over, {names[0]} {'win' if s.solo and s.winners[0] == BANDITS else 'wins'}"
    return f"the game is over, a draw between {', '.join(names[:-1])} and {names[-1]}"


def context_lines(s: Scene) -> list[str]:
    """Return the context of the pending decision, a sentence a line (BLOOD-ACTION-03)."""
    lines = []
    if s.placing is not None:
        at = "" if s.placing_cell is None else f", for {cell_words(s, s.placing_cell)}"
        lines.append(f"Tile to be laid: {tile_words(s.placing)}{at}.")
    if s.laid is not None:
        lines.append(f"Laid in this turn: {place_words(s, s.laid)}.")
    if s.turn["citadel_side"] is not None:
        lines.append(f"The citadel goes on its side {SIDE_NAMES[s.turn['citadel_side']]}.")
    lines += _action_lines(s)
    if s.move is not None:
        number = "" if s.move["count"] is None else f" with {_counted(s.move['count'], 'warband')}"
        lines.append(f"{s.move['kind'].capitalize()} move from {place_words(s, s.move['source'])}{number}.")
    return lines + _battle_lines(s) + _bandit_lines(s)


def _action_lines(s: Scene) -> list[str]:
    turn, lines = s.turn, []
    if turn["village_left"]:
        returned = "; the points of FURS-01 are returned" if turn["furs_returned"] else ""
        lines.append(f"Village actions left: {turn['village_left']}{returned}.")
    if turn["silver_cell"] is not None:
        lines.append(f"Silver action on {place_words(s, turn['silver_cell'])}.")
    if Decision.D13 <= s.decision <= Decision.D18 or (s.battle is not None and s.bandit is None):
        free = ", 1 restricted free action" if turn["b"] else ""
        performed = ", an action was performed in this phase" if turn["performed"] else ""
        drawn = f", {_counted(turn['drawn'], 'tile')} drawn in this phase" if turn["drawn"] else ""
        earlier = ", tiles were drawn in an earlier phase" if turn["drew_earlier"] else ""
        lines.append(f"Actions left in this phase: {turn['a']}{free}{performed}{drawn}{earlier}.")
    return lines


def _battle_lines(s: Scene) -> list[str]:
    if s.battle is None:
        return []
    b = s.battle
    lines = [f"Battle on {place_words(s, b['cell'])}."]
    for i, colour in enumerate(b["order"]):
        revealed = ", ".join(f"tile {tile}" for tile in b["revealed"][i]) or "nothing"
        owed = f", {_counted(b['owed'][i], 'basic tile')} still to reveal" if b["owed"][i] else ""
        lines.append(f"  {s.colours[colour].name}: strength {b['strength'][i]} ({revealed}){owed}")
    if b["add"]:
        lines.append(f"The bandits still add {b['add']}.")
    return lines


def _bandit_lines(s: Scene) -> list[str]:
    if s.bandit is None:
        return []
    b = s.bandit
    lines = [f"Bandit card {b['card']:03d}: {'; '.join(s.card_effects)}. Effects begun: {b['next']}."]
    if b["left"]:
        lines.append(f"Repetitions of the effect in progress, this one included: {b['left']}.")
    if b["target"] is not None:
        lines.append(f"A bandit goes to {place_words(s, b['target'])}.")
    for key, words in (("remaining", "Tiles still to get a bandit"), ("served", "Tiles that got one")):
        if b[key]:
            lines.append(f"{words}: {', '.join(cell_words(s, cell) for cell in b[key])}.")
    lines += _run_lines(s, b["run"])
    if b["forbidden"] is not None:
        y, z = (cell_words(s, cell) for cell in b["forbidden"])
        lines.append(f"The next move may not go from {y} to {z}.")
    won = ", the last attack was won" if b["last_won"] else ""
    lines.append(f"On this card: battles won {b['won']}{won}, warbands bribed {b['bribed']}.")
    return lines


def _run_lines(s: Scene, run: Context | None) -> list[str]:
    if run is None:
        return []
    lines = [f"Run of moves ({run['kind']}), actions left: {', '.join(run['moves']) or 'none'}."]
    for key, words in (("from", "The army moves from"), ("via", "by way of"), ("one", "The one bandit stands on")):
        if run[key] is not None:
            lines.append(f"{words[0].upper()}{words[1:]} {place_words(s, run[key])}.")
    return lines


def tile_words(tile: Tile) -> str:
    """Return a tile as printed, for example `tile 3 (LLMR-- Mead)`."""
    return f"tile {tile.id} ({tile.sides}{' ' + tile.village if tile.village else ''})"


def cell_words(s: Scene, cell: int) -> str:
    """Return a cell as actions name it."""
    return f"cell {cell} (q {cell // s.grid_size} r {cell % s.grid_size})"


def place_words(s: Scene, cell: int) -> str:
    """Return a tile of the map and its cell."""
    return f"tile {s.place(cell).tile.id} on {cell_words(s, cell)}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
