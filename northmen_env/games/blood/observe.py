"""What a seat sees: the verb `observe`, which writes the blocks of `blocks.py` (BLOOD-INFO).

Every fact is decided by its owner, never by the phase: a block holds either what is public, or what `player` alone
knows. The vector is cleared once and then written sparsely.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.blood.amounts import ONE, ZERO
from northmen_env.games.blood.blocks import MANY, MOST_LEFT, MOST_STRENGTH, OBSERVATION, OPS, PLACES, POINTERS
from northmen_env.games.blood.phases.piles import pile_left
from northmen_env.games.blood.state import CITADELS, Decision
from northmen_env.games.blood.tables import ABILITIES, MAX_EFFECTS, SEATS, SIDES
from northmen_env.games.blood.tilesets import PER_WORD, WORDS, size


def _start(name: str) -> int:
    return OBSERVATION[name].start


def _scale(name: str) -> np.float32:
    return np.float32(OBSERVATION[name].scale)


DECISION, ACTING, ACTIVE, PRESENT, WINNERS = map(_start, ("decision", "acting", "active", "present", "winners"))
SETTLEMENT, VP, RESERVE, HAND_SIZE, PREPARED_SIZE, ABILITY = map(
    _start, ("settlement", "vp", "reserve", "hand_size", "prepared_size", "ability")
)
FRESH_SIZE, PILE_SIZE, FRAME_AT = map(_start, ("fresh_size", "pile_size", "frame"))
PLACE, HELD, REVEALED, EACH = map(_start, ("tile_place", "tile_held", "tile_revealed", "tile_each"))
AT, ROTATION, TILE_SIDES, TILE_VILLAGE, WARBANDS = map(
    _start, ("tile_at", "tile_rotation", "tile_sides", "tile_village", "tile_warbands")
)
CITADEL_AT, CITADEL_SIDE, CITADEL_OWNER, PERMANENT = map(
    _start, ("citadel_at", "citadel_side", "citadel_owner", "citadel_permanent")
)
CONTEXT_TILE, CONTEXT_AT, DUE, VILLAGE_LEFT = map(_start, ("context_tile", "context_at", "citadel_due", "village_left"))
PHASE, ACTIONS_LEFT, DRAWN, TURN, MOVE_KIND, MOVE_COUNT = map(
    _start, ("phase", "actions_left", "drawn", "turn", "move_kind", "move_count")
)
ORDER, OWED, STRENGTH, BATTLE_AT, BATTLE_ADD = map(
    _start, ("battle_order", "battle_owed", "battle_strength", "battle_at", "battle_add")
)
CARD, OP, COUNT, UNIT, WHAT, IF_WON = map(
    _start, ("card", "effect_op", "effect_count", "effect_unit", "effect_what", "effect_if_won")
)
NEXT, LEFT, RUN_KIND, RUN_FIRST, RUN_LEFT = map(
    _start, ("effect_next", "effect_left", "run_kind", "run_first", "run_left")
)
WON, BRIBED, LAST_WON = map(_start, ("bandit_won", "bandit_bribed", "bandit_last_won"))
NUM_PLAYERS, OPTIONS, POOL, GRID, REWARD = map(
    _start, ("num_players", "options", "ability_pool", "grid_size", "reward")
)

_NUM_PLACES, _NUM_OPS, _NUM_POINTERS = len(PLACES), len(OPS), len(POINTERS)
_PER_ROW = np.int64(_NUM_PLACES)
_ON_MAP, _IN_HAND, _PREPARED, _FRESH, _DISCARDED, _PLACING = (np.int64(i) for i in range(len(PLACES)))
_LAID, _SILVER, _SOURCE, _BATTLE, _TARGET, _FROM, _VIA, _ONE_BANDIT, _BANNED_FROM, _BANNED_TO = (
    np.int64(i) for i in range(len(POINTERS))
)
_INVERSE = 20  # bits: (cell * (2**20 // S + 1)) >> 20 is cell // S for all cells below 4096

_ONE, _MINUS_ONE = np.float32(1.0), np.float32(-1.0)
_PER_FRAME, _PER_PIECE, _PER_TILE, _PER_POINT = map(_scale, ("frame", "settlement", "pile_size", "vp"))
_PER_MANY, _PER_STRENGTH, _PER_LEFT, _PER_TWO = map(
    _scale, ("battle_owed", "battle_strength", "effect_left", "battle_add")
)
_PER_SEAT, _PER_LETTER, _PER_VILLAGE, _PER_SIXTH = map(
    _scale, ("tile_revealed", "tile_sides", "tile_village", "tile_rotation")
)
_PER_UNIT, _PER_WHAT, _PER_EFFECT = map(_scale, ("effect_unit", "effect_what", "effect_next"))


@kernel
def observe(rules, state, player, out):
    """Write what `player` knows into float32 `out` (OBSERVATION.size,): valid for every seat, at the end too."""
    out[:] = np.float32(0.0)
    colours = np.int64(rules.colours)
    _write_situation(rules, state, player, out, colours)
    _write_colours(rules, state, player, out, colours)
    _write_frame(rules, state, out)
    _write_map(rules, state, player, out, colours)
    _write_citadels(rules, state, player, out, colours)
    _write_tiles(rules, state, player, out, colours)
    _write_turn(rules, state, out)
    if state.battle_tile > 0:
        _write_battle(rules, state, player, out, colours)
    if state.card > 0:
        _write_bandits(rules, state, out)
    _write_options(rules, out)


# Helpers --------------------------------------------------------------------------------------------------------------


@kernel
def relative(player, colour, colours):
    """Return the place of `colour` counted clockwise from `player`."""
    return colour - player if colour >= player else colour - player + colours


@kernel
def put_at(rules, state, out, base, cell):
    """Write the place of a cell in the frame to `base` and `base + 1`."""
    side = np.int64(rules.grid_size)
    q = (cell * ((1 << _INVERSE) // side + 1)) >> _INVERSE
    r = cell - q * side
    q += 1 - np.int64(state.q_min)
    r += 1 - np.int64(state.r_min)
    out[base] = np.float32(q + side if q < 0 else (q - side if q >= side else q)) * _PER_FRAME
    out[base + 1] = np.float32(r + side if r < 0 else (r - side if r >= side else r)) * _PER_FRAME


@kernel
def put_printed(rules, out, tile, rotation):
    """Write the sides of a tile turned by `rotation`, and its village."""
    k = SIDES - rotation if rotation > 0 else 0
    base = TILE_SIDES + SIDES * (tile - 1)
    for side in range(SIDES):
        out[base + side] = np.float32(np.int64(rules.letters[tile, k]) + 1) * _PER_LETTER
        k = k + 1 if k < SIDES - 1 else 0
    out[TILE_VILLAGE + tile - 1] = np.float32(np.int64(rules.village[tile]) + 1) * _PER_VILLAGE


@kernel
def put_places(rules, out, words, place):
    """Write where the tiles of a set lie that are not on the map, and what is printed on them."""
    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            out[PLACE + _NUM_PLACES * (tile - 1) + place] = _ONE
            put_printed(rules, out, tile, ZERO)


@kernel
def put_flags(out, base, stride, words, value):
    """Write a value at `base + stride * (tile - 1)` for each tile of a set."""
    for w in range(WORDS):
        rest = words[w]
        while rest != 0:
            out[base + stride * (PER_WORD * w + lowest(rest) - 1)] = value
            rest &= rest - 1


@kernel
def put_pointer(rules, state, out, i, tile):
    """Write a tile of the map that the context names."""
    if tile > 0:
        out[CONTEXT_TILE + i] = np.float32(tile) * _PER_TILE
        put_at(rules, state, out, CONTEXT_AT + 2 * i, np.int64(state.cell[tile]))


# Parts of the observation ---------------------------------------------------------------------------------------------


@kernel
def _write_situation(rules, state, player, out, colours):
    out[DECISION + np.int64(state.decision) - 1] = _ONE
    if state.player >= 0:
        out[ACTING + relative(player, np.int64(state.player), colours)] = _ONE
    out[ACTIVE + relative(player, np.int64(state.active), colours)] = _ONE
    out[FRESH_SIZE] = np.float32(size(state.fresh)) * _PER_TILE
    out[PILE_SIZE] = np.float32(pile_left(state)) * _PER_TILE


@kernel
def _write_colours(rules, state, player, out, colours):
    """Write the public numbers of all colours."""
    for colour in range(colours):
        k = relative(player, colour, colours)
        out[PRESENT + k] = _ONE
        out[WINNERS + k] = np.float32((np.int64(state.winners) >> colour) & 1)
        out[SETTLEMENT + k] = np.float32(np.int64(state.settlement[colour])) * _PER_PIECE
        out[VP + k] = np.float32(np.int64(state.vp[colour])) * _PER_POINT
        out[RESERVE + k] = np.float32(np.int64(state.reserve[colour])) * _PER_PIECE
        out[HAND_SIZE + k] = np.float32(np.int64(state.hand_size[colour])) * _PER_TILE
        out[PREPARED_SIZE + k] = np.float32(size(state.prepared[colour])) * _PER_TILE
        if state.ability[colour] >= 0:
            out[ABILITY + ABILITIES * k + np.int64(state.ability[colour])] = _ONE


@kernel
def _write_frame(rules, state, out):
    if state.map_size == 0:
        return
    side, q, r = np.int64(rules.grid_size), np.int64(state.q_min), np.int64(state.r_min)
    out[FRAME_AT] = np.float32(q - 1 if q > 0 else side - 1) * _PER_FRAME
    out[FRAME_AT + 1] = np.float32(r - 1 if r > 0 else side - 1) * _PER_FRAME
    out[FRAME_AT + 2] = np.float32(np.int64(state.q_span)) * _PER_FRAME
    out[FRAME_AT + 3] = np.float32(np.int64(state.r_span)) * _PER_FRAME


@kernel
def _write_map(rules, state, player, out, colours):
    for w in range(WORDS):
        rest = state.on_map[w]
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            rotation = np.int64(state.rotation[tile])
            out[PLACE + _NUM_PLACES * (tile - 1)] = _ONE
            put_at(rules, state, out, AT + 2 * (tile - 1), np.int64(state.cell[tile]))
            out[ROTATION + tile - 1] = np.float32(rotation + 1) * _PER_SIXTH
            put_printed(rules, out, tile, rotation)
    for colour in range(colours):
        k = relative(player, colour, colours)
        for w in range(WORDS):
            rest = state.army[colour, w]
            while rest != 0:
                tile = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                number = np.float32(np.int64(state.warbands[tile, colour]))
                out[WARBANDS + SEATS * (tile - 1) + k] = number * _PER_PIECE


@kernel
def _write_citadels(rules, state, player, out, colours):
    for number in range(CITADELS):
        owner = np.int64(state.citadel_owner[number])
        if owner < 0:
            continue
        put_at(rules, state, out, CITADEL_AT + 2 * number, np.int64(state.cell[state.citadel_tile[number]]))
        out[CITADEL_SIDE + 3 * number + np.int64(state.citadel_side[number])] = _ONE
        out[CITADEL_OWNER + SEATS * number + relative(player, owner, colours)] = _ONE
        out[PERMANENT + number] = np.float32(np.int64(state.citadel_permanent[number]))


@kernel
def _write_tiles(rules, state, player, out, colours):
    """Write the known tiles off the map: the own ones, open ones, and those known to lie with a seat."""
    put_places(rules, out, state.hand[player], _IN_HAND)
    put_places(rules, out, state.prepared[player], _PREPARED)
    if state.active == player:
        put_places(rules, out, state.fresh, _FRESH)
    put_flags(out, PLACE + _DISCARDED, _PER_ROW, state.discard, _ONE)
    if state.placing_tile > 0:
        tile = np.int64(state.placing_tile)
        out[PLACE + _NUM_PLACES * (tile - 1) + _PLACING] = _ONE
        put_printed(rules, out, tile, ZERO)
    for seat in range(np.int64(rules.num_players)):
        base = HELD + relative(player, seat, colours)
        for w in range(WORDS):
            rest = state.held[seat, w]
            while rest != 0:
                tile = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                out[base + SEATS * (tile - 1)] = _ONE
                put_printed(rules, out, tile, ZERO)


@kernel
def _write_turn(rules, state, out):
    put_pointer(rules, state, out, _LAID, np.int64(state.laid))
    put_pointer(rules, state, out, _SILVER, np.int64(state.silver_tile))
    put_pointer(rules, state, out, _SOURCE, np.int64(state.move_source))
    if state.placing_cell >= 0:
        put_at(rules, state, out, CONTEXT_AT + 2 * _NUM_POINTERS, np.int64(state.placing_cell))
    if state.breach >= 0:
        out[DUE + np.int64(state.breach)] = _ONE
    out[VILLAGE_LEFT] = np.float32(min(np.int64(state.village_left), MANY)) * _PER_MANY
    out[TURN + 3] = np.float32(np.int64(state.furs_returned))
    if state.phase == 0:
        return
    out[PHASE + np.int64(state.phase) - Decision.D13] = _ONE
    out[ACTIONS_LEFT] = np.float32(min(np.int64(state.a), MANY)) * _PER_MANY
    out[DRAWN] = np.float32(min(np.int64(state.drawn), MANY)) * _PER_MANY
    out[TURN] = np.float32(np.int64(state.b))
    out[TURN + 1] = np.float32(np.int64(state.performed))
    out[TURN + 2] = np.float32(np.int64(state.drew_earlier))
    if state.move_kind > 0:
        out[MOVE_KIND + np.int64(state.move_kind) - 1] = _ONE
        out[MOVE_COUNT] = np.float32(np.int64(state.move_count)) * _PER_PIECE


@kernel
def _write_battle(rules, state, player, out, colours):
    put_pointer(rules, state, out, _BATTLE, np.int64(state.battle_tile))
    out[BATTLE_AT + np.int64(state.battle_at)] = _ONE
    out[BATTLE_ADD] = np.float32(np.int64(state.battle_add)) * _PER_TWO
    for i in range(np.int64(state.battle_size)):
        k = relative(player, np.int64(state.battle_order[i]), colours)
        out[ORDER + SEATS * i + k] = _ONE
        out[OWED + i] = np.float32(min(np.int64(state.battle_owed[i]), MANY)) * _PER_MANY
        out[STRENGTH + i] = np.float32(min(np.int64(state.battle_strength[i]), MOST_STRENGTH)) * _PER_STRENGTH
        for w in range(WORDS):
            rest = state.battle_revealed[i, w]
            while rest != 0:
                tile = PER_WORD * w + lowest(rest)
                rest &= rest - 1
                out[REVEALED + tile - 1] = np.float32(k + 1) * _PER_SEAT
                put_printed(rules, out, tile, ZERO)


@kernel
def _write_bandits(rules, state, out):
    card = np.int64(state.card)
    out[CARD] = np.float32(card) * _PER_TILE
    for i in range(np.int64(rules.card_effects[card])):
        out[OP + _NUM_OPS * i + np.int64(rules.effect_op[card, i]) - 1] = _ONE
        out[COUNT + i] = np.float32(np.int64(rules.effect_count[card, i])) * _PER_PIECE
        out[UNIT + i] = np.float32(np.int64(rules.effect_unit[card, i])) * _PER_UNIT
        out[WHAT + i] = np.float32(np.int64(rules.effect_what[card, i])) * _PER_WHAT
        out[IF_WON + i] = np.float32(np.int64(rules.effect_if_won[card, i]))
    out[NEXT] = np.float32(np.int64(state.effect)) * _PER_EFFECT
    out[LEFT] = np.float32(min(np.int64(state.left), MOST_LEFT)) * _PER_LEFT
    out[WON] = np.float32(min(np.int64(state.won), MOST_LEFT)) * _PER_LEFT
    out[BRIBED] = np.float32(min(np.int64(state.bribed), MOST_LEFT)) * _PER_LEFT
    out[LAST_WON] = np.float32(np.int64(state.last_won))
    put_pointer(rules, state, out, _TARGET, np.int64(state.target))
    put_pointer(rules, state, out, _BANNED_FROM, np.int64(state.forbidden_from))
    put_pointer(rules, state, out, _BANNED_TO, np.int64(state.forbidden_to))
    put_flags(out, np.int64(EACH), ONE, state.remaining, _ONE)
    put_flags(out, np.int64(EACH), ONE, state.served, _MINUS_ONE)
    if state.run_kind > 0:
        _write_run(rules, state, out)


@kernel
def _write_run(rules, state, out):
    out[RUN_KIND + np.int64(state.run_kind) - 1] = _ONE
    if state.run_first > 0:
        out[RUN_FIRST + np.int64(state.run_first) - 1] = _ONE
    for i in range(MAX_EFFECTS):
        out[RUN_LEFT + i] = np.float32(min(np.int64(state.run_left[i]), MOST_LEFT)) * _PER_LEFT
    put_pointer(rules, state, out, _FROM, np.int64(state.move_from))
    put_pointer(rules, state, out, _VIA, np.int64(state.move_via))
    put_pointer(rules, state, out, _ONE_BANDIT, np.int64(state.one))


@kernel
def _write_options(rules, out):
    out[NUM_PLAYERS + np.int64(rules.num_players) - 1] = _ONE
    out[OPTIONS] = np.float32(np.int64(rules.goods))
    out[OPTIONS + 1] = np.float32(np.int64(rules.citadels))
    out[OPTIONS + 2] = np.float32(np.int64(rules.abilities))
    out[OPTIONS + 3] = np.float32(np.int64(rules.vikings_every_turn))
    for i in range(np.int64(rules.num_abilities)):
        out[POOL + np.int64(rules.ability_pool[i])] = _ONE
    out[GRID] = np.float32(np.int64(rules.grid_size)) * _PER_FRAME
    out[REWARD + np.int64(rules.reward)] = _ONE
