"""The observation as named blocks (BLOOD-INFO); `observe.py` writes them.

Seats and colours are relative: column 0 is the observer, then clockwise; in solo column 1 is the bandits. Rows of
absent seats are zero, as are features that an option removes.

Tiles. The blocks `tile_*` have a row for each tile, tile `t` at `t - 1`: together they are the list of tiles that the
seat knows the place of, with 28 columns (`planes.tile_list`). A `TILE t` action names a row. The sides of a row are
those of the tile as it lies on the map, or as printed where it lies elsewhere; discarded tiles have no sides.

Frame. Cells are given in a frame that moves with the map: place `(1, 1)` is in the leftmost column and in the first row
with tiles, so that a cell beside the map has a place, too. With `frame` = `(q0, r0, columns, rows)` and the torus
coordinates `(q, r)` of a cell (those of CELL actions in `action_features`) its place is `((q - q0) % S, (r - r0) % S)`,
another one for each cell (`planes.cell_places`); `planes.index_map` gives the row of the tile on each place.
"""

from __future__ import annotations

from northmen_env.engine.layout import Block, ObservationLayout
from northmen_env.games.blood.amounts import PIECES
from northmen_env.games.blood.bandit_table import Op, Unit, Where
from northmen_env.games.blood.options import Ability
from northmen_env.games.blood.state import CITADELS, Decision
from northmen_env.games.blood.tables import ABILITIES, KINDS, MAX_EFFECTS, REWARDS, SEATS, SIDES, TILES
from northmen_env.games.blood.tile_table import VILLAGES

FRAME = 64
"""Places of the frame along q and along r, as many as the largest torus has."""

MANY, MOST_STRENGTH, MOST_LEFT = 32, 128, 64
"""Clips: larger numbers, which no game with the printed tables reaches, are shown as these."""

_SEATS = ("own", "next", "second", "third", "fourth")
_SIDES = ("n", "ne", "se", "s", "sw", "nw")
_DECISIONS = tuple(decision.name for decision in Decision)
OPS = tuple(op.name.lower() for op in Op if op != Op.NONE)
PLACES = ("map", "hand", "prepared", "fresh", "discard", "placing")
POINTERS = ("laid", "silver", "source", "battle", "target", "from", "via", "one", "banned_from", "banned_to")
FLAGS = ("free", "performed", "drew_earlier", "furs_returned")
OPTION_FLAGS = ("goods", "citadels", "abilities", "vikings_every_turn")

_UNIT, _FRAME, _PIECES, _TILES, _POINTS = 1.0, 1 / FRAME, 1 / PIECES, 1 / TILES, 1 / 6
_MANY, _STRENGTH, _LEFT = 1 / MANY, 1 / MOST_STRENGTH, 1 / MOST_LEFT
_SEAT, _LETTER, _VILLAGE, _SIXTH = 1 / SEATS, 1 / KINDS, 1 / (len(VILLAGES) - 1), 1 / SIDES


def _per_seat(name: str, kind: str, scale: float, about: str) -> Block:
    return Block(name, (SEATS,), kind, scale, _SEATS, about)


OBSERVATION = ObservationLayout(
    [
        # The situation.
        Block("decision", (len(_DECISIONS),), "onehot", _UNIT, _DECISIONS, "decision point (public)"),
        _per_seat("acting", "onehot", _UNIT, "seat to act; none at the end"),
        _per_seat("active", "onehot", _UNIT, "seat whose turn it is (public)"),
        _per_seat("present", "flag", _UNIT, "colours in the game, in solo the bandits next to the player"),
        _per_seat("winners", "flag", _UNIT, "at the end: colours that win or draw"),
        # Colours.
        _per_seat("settlement", "count", _PIECES, "warbands in the settlement, bandits in their supply (public)"),
        _per_seat("vp", "count", _POINTS, "victory points (public)"),
        _per_seat("reserve", "count", _PIECES, "warbands in the reserve (public)"),
        _per_seat("hand_size", "count", _TILES, "tiles in hand (public)"),
        _per_seat("prepared_size", "count", _TILES, "usable prepared tiles (public)"),
        Block("ability", (SEATS, ABILITIES), "onehot", _UNIT, tuple(a.name.lower() for a in Ability), "(public)"),
        # Tiles.
        Block("fresh_size", (1,), "count", _TILES, (), "fresh prepared tiles of the active seat (public)"),
        Block("pile_size", (1,), "count", _TILES, (), "tiles in the pile (public)"),
        Block("frame", (4,), "count", _FRAME, ("q", "r", "columns", "rows"),
              "torus coordinates of place (0, 0), number of columns and rows with tiles; zero on an empty map"),
        Block("tile_place", (TILES, len(PLACES)), "onehot", _UNIT, PLACES,
              "map, discard, placing (revealed in D02 or chosen): public; hand, prepared, fresh: the own ones"),
        Block("tile_held", (TILES, SEATS), "onehot", _UNIT, _SEATS,
              "whose hand or prepared tiles it is known to all to lie in (BLOOD-INFO-03)"),
        Block("tile_revealed", (TILES,), "index", _SEAT, (), "colour that revealed it in the running battle (public)"),
        Block("tile_each", (TILES,), "signed", _UNIT, (), "EACH in progress: 1 still to get a bandit, -1 got one"),
        Block("tile_at", (TILES, 2), "count", _FRAME, ("q", "r"), "place in the frame of a tile on the map (public)"),
        Block("tile_rotation", (TILES,), "index", _SIXTH, (), "rotation of a tile on the map (public)"),
        Block("tile_sides", (TILES, SIDES), "index", _LETTER, _SIDES,
              "0 forest, 1 lake, 2 road, 3 mountain, 4 empty: turned on the map, printed elsewhere"),
        Block("tile_village", (TILES,), "index", _VILLAGE, (), "0 mead, 1 silver, 2 furs, 3 tusk, where sides are"),
        Block("tile_warbands", (TILES, SEATS), "count", _PIECES, _SEATS, "warbands by colour (public)"),
        Block("citadel_at", (CITADELS, 2), "count", _FRAME, ("q", "r"),
              "by number: place of the tile on whose side n, ne or se the citadel stands; zero in the supply (public)"),
        Block("citadel_side", (CITADELS, 3), "onehot", _UNIT, _SIDES[:3], "that side"),
        Block("citadel_owner", (CITADELS, SEATS), "onehot", _UNIT, _SEATS, "its owner (public)"),
        Block("citadel_permanent", (CITADELS,), "flag", _UNIT, (), "it can never be removed (public)"),
        # Context of the decision (BLOOD-ACTION-03); all of it is public.
        Block("context_tile", (len(POINTERS),), "index", _TILES, POINTERS, "tiles that the decision is about, id - 1"),
        Block("context_at", (len(POINTERS) + 1, 2), "count", _FRAME, ("q", "r"),
              "their places, and in the last row the cell of D04; (0, 0) for none"),
        Block("citadel_due", (SIDES,), "onehot", _UNIT, _SIDES, "D06: side of the laid tile that gets the citadel"),
        Block("village_left", (1,), "count", _MANY, (), "D08-D12: village actions left; clipped at 32"),
        Block("phase", (4,), "onehot", _UNIT, ("forest", "lake", "road", "mountain"), "action phase"),
        Block("actions_left", (1,), "count", _MANY, (), "ordinary actions left (a); clipped at 32"),
        Block("drawn", (1,), "count", _MANY, (), "tiles drawn in this phase; clipped at 32"),
        Block("turn", (len(FLAGS),), "flag", _UNIT, FLAGS, "a free action is left (b), an action was performed, ..."),
        Block("move_kind", (2,), "onehot", _UNIT, ("lake", "road"), "D17, D18: kind of the move"),
        Block("move_count", (1,), "count", _PIECES, (), "D18: warbands that move"),
        Block("battle_order", (SEATS, SEATS), "onehot", _UNIT, _SEATS, "participants from the starter on"),
        Block("battle_owed", (SEATS,), "count", _MANY, (), "basic tiles that each has still to reveal; clipped at 32"),
        Block("battle_strength", (SEATS,), "count", _STRENGTH, (), "strength of each so far; clipped at 128"),
        Block("battle_at", (SEATS,), "onehot", _UNIT, (), "participant that is due"),
        Block("battle_add", (1,), "count", 1 / 2, (), "B2: bandits still to be added"),
        # The bandit phase.
        Block("card", (1,), "index", _TILES, (), "bandit card in force, number - 1"),
        Block("effect_op", (MAX_EFFECTS, len(OPS)), "onehot", _UNIT, OPS, "effects of its row"),
        Block("effect_count", (MAX_EFFECTS,), "count", _PIECES, (), "their numbers, 0 where counted in the game"),
        Block("effect_unit", (MAX_EFFECTS,), "count", 1 / (len(Unit) - 1), (), "what is counted: bandit_table.Unit"),
        Block("effect_what", (MAX_EFFECTS,), "count", 1 / (len(Where) - 1), (), "bandit_table.Where, Pick of ATTACK"),
        Block("effect_if_won", (MAX_EFFECTS,), "flag", _UNIT, (), "IFWON(...)"),
        Block("effect_next", (1,), "count", 1 / MAX_EFFECTS, (), "place of the first effect not yet begun"),
        Block("effect_left", (1,), "count", _LEFT, (), "repetitions left of the effect in progress; clipped at 64"),
        Block("run_kind", (3,), "onehot", _UNIT, ("moves", "roadone", "roadattack"), "run of moves in progress"),
        Block("run_first", (2,), "onehot", _UNIT, ("lake", "road"), "kind of its first actions; kinds alternate"),
        Block("run_left", (MAX_EFFECTS,), "count", _LEFT, (), "actions left, kind by kind; clipped at 64"),
        Block("bandit_won", (1,), "count", _LEFT, (), "battles that bandits won on this card; clipped at 64"),
        Block("bandit_bribed", (1,), "count", _LEFT, (), "warbands bribed on this card; clipped at 64"),
        Block("bandit_last_won", (1,), "flag", _UNIT, (), "the last ATTACK took place and was won"),
        # Options (BLOOD-OPT-01).
        Block("num_players", (SEATS,), "onehot", _UNIT, ("1", "2", "3", "4", "5"), "number of players"),
        Block("options", (len(OPTION_FLAGS),), "flag", _UNIT, OPTION_FLAGS, "options of the rules"),
        Block("ability_pool", (ABILITIES,), "flag", _UNIT, tuple(a.name.lower() for a in Ability), "abilities dealt"),
        Block("grid_size", (1,), "count", _FRAME, (), "side S of the torus"),
        Block("reward", (len(REWARDS),), "onehot", _UNIT, REWARDS, "what the final rewards measure"),
    ]
)  # fmt: skip
