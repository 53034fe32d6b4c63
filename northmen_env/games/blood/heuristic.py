"""The game's heuristic: `suggest`, a player of sound habits, and `evaluate`, a guess of the returns.

`suggest` rates the legal actions of its own decision by what its seat knows, and takes the best. Habits:

    TILE, CELL     lay what can be used now: forests for warbands, mountains where a battle waits; near the armies
    CITADEL        only where a side has to fail
    FURS           only if more points come back than are given up
    FOREST         always, as long as the settlement has warbands
    LAKE, ROAD     to a tile where the army may fight with the odds on its side, or to a village of its own
    MOUNTAIN       a battle wherever the starter is no weaker than the others; a tie is a point too
    BATTLE         strong hand tiles, weak ones only where they decide; prepared ones while they help
    draws          where nothing better is to be done
    bandits        keep away from the player, and attack where the player is strong

Worths are integers; ties are broken by `seed`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_AGENT, draw, stream
from northmen_env.games.blood.actions import CELL, COUNT, DO, DRAW, PASS, PIECE, PILE, RES, ROT, SPEND, TILE, VP
from northmen_env.games.blood.amounts import BANDITS, HIGH, LAKE_ARMY, LOW, ONE, SIX, ZERO
from northmen_env.games.blood.board import FACING, beside, contested, enemies, front_at, letter_at, sides_of
from northmen_env.games.blood.bounds import MAX_LEGAL
from northmen_env.games.blood.phases.actions import LAKE
from northmen_env.games.blood.reach import lake_destinations, road_destinations
from northmen_env.games.blood.rules import legal_ids
from northmen_env.games.blood.scoring import count_higher, count_lower, villages_held
from northmen_env.games.blood.state import Decision
from northmen_env.games.blood.tables import SIDES
from northmen_env.games.blood.tile_table import Side
from northmen_env.games.blood.tilesets import PER_WORD, WORDS

_NEVER = np.int64(-1000)
_TIE = 6  # bits of the random tie-break
_FOREST, _LAKE, _ROAD, _MOUNTAIN = (np.int64(s) for s in (Side.FOREST, Side.LAKE, Side.ROAD, Side.MOUNTAIN))


@kernel
def suggest(rules, state, player, seed):
    """Return a legal action for `player`, the seat to act."""
    ids = np.empty(MAX_LEGAL, np.int16)
    number = legal_ids(rules, state, ids)
    key = stream(seed, PURPOSE_AGENT, player, ZERO)
    best, chosen = np.int64(-(1 << 40)), ZERO
    for i in range(number):
        action = np.int64(ids[i])
        worth = (worth_of(rules, state, player, action) << _TIE) | (draw(key, action) & ((1 << _TIE) - 1))
        if worth > best:
            best, chosen = worth, action
    return chosen


@kernel
def worth_of(rules, state, p, action):
    """Return how gladly an action is taken, comparable among the actions of one decision."""
    decision = np.int64(state.decision)
    if decision <= Decision.D04:
        return worth_in_laying(rules, state, p, action)
    if decision <= Decision.D12:
        return worth_in_village(rules, state, p, action)
    if decision <= Decision.D18:
        return worth_in_action(rules, state, p, action)
    if decision <= Decision.D22:
        return worth_in_battle(rules, state, p, action)
    return worth_for_bandits(rules, state, action)


# ---- Armies ---------------------------------------------------------------------------------------------------------


@kernel
def margin(rules, state, p, tile, number):
    """Return by how many basic tiles `p`, as the starter with `number` warbands, reveals more than the strongest."""
    most = ZERO
    for other in range(np.int64(rules.colours)):
        if other != p:
            most = max(most, np.int64(state.warbands[tile, other]))
    return number + 1 - most


@kernel
def ammunition(rules, state, p):
    """Return the number of strong tiles (two mountains or more) that a seat holds for battles."""
    number = ZERO
    for w in range(WORDS):
        rest = state.hand[p, w] | state.prepared[p, w]
        while rest != 0:
            if rules.mountains[PER_WORD * w + lowest(rest)] >= 2:
                number += 1
            rest &= rest - 1
    return number


@kernel
def battles_to_come(rules, state, p):
    """Return how many battles the turn allows after the present phase."""
    fights = np.int64(state.reserve[p])
    if state.laid != 0:
        fights += count(sides_of(rules, state, np.int64(state.laid), _MOUNTAIN))
    return fights


@kernel
def stand(rules, state, p, tile, number, fights):
    """Return what it is worth to have `number` warbands on a tile, `fights` battles being possible this turn."""
    if number <= 0:
        return ZERO
    worth = np.int64(3)
    if rules.village[tile] >= 0:
        worth += 14
    hostile = enemies(rules, state, p, tile)
    if hostile == 0:
        return worth + min(number, np.int64(3))
    lead = margin(rules, state, p, tile, number)
    if fights > 0 and lead >= 0:
        return worth + 60 + 3 * min(lead, np.int64(4))
    return worth + 4 * min(max(lead - 2, np.int64(-5)), np.int64(2))


@kernel
def best_margin(rules, state, p):
    """Return the best margin of a battle that could be begun now, or `_NEVER`."""
    best = _NEVER
    for w in range(WORDS):
        rest = contested(rules, state, p, LOW if w == 0 else HIGH)
        while rest != 0:
            tile = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            best = max(best, margin(rules, state, p, tile, np.int64(state.warbands[tile, p])))
    return best


# ---- Laying: D01-D04 ------------------------------------------------------------------------------------------------


@kernel
def worth_in_laying(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.D01:
        return np.int64(26) if action == PILE else worth_of_tile(rules, state, p, action - TILE)
    if decision == Decision.D02:
        return ONE if action == DO else ZERO
    tile = np.int64(state.placing_tile)
    if decision == Decision.D04:
        return worth_of_place(rules, state, p, tile, np.int64(state.placing_cell), action - ROT)
    cell, best = action - CELL, _NEVER
    fail = np.int64(state.front_fail[front_at(state, cell)])
    for rotation in range(np.int64(rules.period[tile])):
        if count(np.int64(rules.turned[tile, rotation]) & fail) <= 1:
            best = max(best, worth_of_place(rules, state, p, tile, cell, rotation))
    return best


@kernel
def worth_of_tile(rules, state, p, tile):
    """Return what laying a hand tile promises."""
    forests = count(np.int64(rules.kind_sides[tile, 0, _FOREST]))
    ways = count(np.int64(rules.kind_sides[tile, 0, _LAKE])) + count(np.int64(rules.kind_sides[tile, 0, _ROAD]))
    mountains = np.int64(rules.mountains[tile])
    worth = 11 * min(forests, np.int64(state.settlement[p]))
    if state.mustered[p] > 0:
        worth += 5 * ways
    if best_margin(rules, state, p) >= 0:
        worth += 30 * min(mountains, np.int64(2))
    elif mountains > 0:
        worth += (8 if ways + forests > 0 and state.mustered[p] > 0 else 0) - 5 * mountains
    if rules.village[tile] >= 0:
        worth += 8 + 6 * rules.goods * min(villages_held(rules, state, p), np.int64(3))
    return worth


@kernel
def worth_of_place(rules, state, p, tile, cell, rotation):
    """Return what a place is worth by the ways that it opens to armies beside it."""
    worth = ZERO
    for side in range(SIDES):
        other = np.int64(state.grid[beside(rules, cell, side)])
        if other == 0:
            continue
        shift = side - rotation
        here = np.int64(rules.letters[tile, shift if shift >= 0 else shift + SIDES])
        there = letter_at(rules, state, other, FACING[side])
        if (np.int64(rules.fail[here]) >> there) & 1 != 0:
            worth -= 15  # a citadel, and a warband in it
            continue
        if here == _MOUNTAIN or there == _MOUNTAIN:
            continue
        hostile = enemies(rules, state, p, other)
        own = np.int64(state.warbands[other, p])
        near = 3 * min(hostile, np.int64(3)) + 3 * min(own, np.int64(3)) + (4 if rules.village[other] >= 0 else 0)
        worth += near if here == _FOREST else 2 * near
    return worth


# ---- Citadels and villages: D05-D12 ---------------------------------------------------------------------------------


@kernel
def worth_in_village(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.D05 or decision == Decision.D11 or decision == Decision.D07:
        if action == PASS:
            return ONE if decision == Decision.D05 else _NEVER
        if decision == Decision.D05:
            return ZERO
        return -np.int64(rules.mountains[action - TILE])
    if decision == Decision.D08:
        return worth_of_furs(rules, state, p, action)
    if decision == Decision.D12:
        return ONE if action == PASS else 2 * np.int64(rules.mountains[action - TILE])
    if action == PASS:
        return ZERO
    if action >= CELL:
        if decision == Decision.D10:
            return ONE + enemies(rules, state, p, np.int64(state.grid[action - CELL]))
        return np.int64(-5) - worth_left(rules, state, p, action)
    if action == VP:
        return np.int64(-200)
    return np.int64(10) if action in (DO, RES) or action >= PIECE else ONE


@kernel
def worth_left(rules, state, p, action):
    """Return what is lost when a warband leaves the tile of a `CELL` action."""
    tile = np.int64(state.grid[action - CELL])
    there = np.int64(state.warbands[tile, p])
    return stand(rules, state, p, tile, there, ONE) - stand(rules, state, p, tile, there - 1, ONE)


@kernel
def worth_of_furs(rules, state, p, action):
    """Furs give all points back first (BLOOD-FURS-01), so they pay only if there are more actions than points."""
    pays = state.furs_returned != 0 or np.int64(state.village_left) > np.int64(state.vp[p])
    if action == PASS:
        return ZERO
    if not pays:
        return np.int64(-100)
    return np.int64(40) - worth_left(rules, state, p, action) if action >= CELL else np.int64(50)


# ---- Actions: D13-D18 -----------------------------------------------------------------------------------------------


@kernel
def worth_in_action(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.D17:
        return -abs(action - COUNT - number_to_move(rules, state, p, np.int64(state.move_source)))
    if decision == Decision.D18:
        tile, there = np.int64(state.grid[action - CELL]), ZERO
        return worth_of_arrival(rules, state, p, tile, there + np.int64(state.move_count))
    if action == PASS:
        return np.int64(2)
    if action == DRAW:
        return np.int64(12) - np.int64(state.hand_size[p])
    if action == VP:
        return _NEVER
    if decision == Decision.D13:
        if action == SPEND:
            return _NEVER
        return np.int64(30) if action == DO else np.int64(8) - worth_left(rules, state, p, action)
    if decision == Decision.D16:
        return worth_of_battle(rules, state, p, action)
    return _NEVER if action == SPEND else worth_of_move(rules, state, p, action)


@kernel
def worth_of_battle(rules, state, p, action):
    if action == SPEND:
        return np.int64(40) if state.a == 0 and best_margin(rules, state, p) >= 0 else _NEVER
    tile = np.int64(state.grid[action - CELL])
    lead = margin(rules, state, p, tile, np.int64(state.warbands[tile, p]))
    strong = min(ammunition(rules, state, p), np.int64(2))
    return 50 + 10 * lead if lead + strong >= 0 else np.int64(-50)


@kernel
def number_to_move(rules, state, p, source):
    """Return how many warbands to move: all, but a village that nobody disputes keeps one."""
    there = np.int64(state.warbands[source, p])
    most = min(there, np.int64(LAKE_ARMY)) if state.phase == LAKE else there
    if most == there and there > 1 and rules.village[source] >= 0 and enemies(rules, state, p, source) == 0:
        return most - 1
    return most


@kernel
def worth_of_arrival(rules, state, p, tile, number):
    """Return what it gains to bring `number` warbands to a tile."""
    fights, there = battles_to_come(rules, state, p), np.int64(state.warbands[tile, p])
    return stand(rules, state, p, tile, there + number, fights) - stand(rules, state, p, tile, there, fights)


@kernel
def worth_of_move(rules, state, p, action):
    """Return the gain of the best move from the tile of a `CELL` action."""
    source = np.int64(state.grid[action - CELL])
    number, fights = number_to_move(rules, state, p, source), battles_to_come(rules, state, p)
    a, b = np.int64(state.a), np.int64(state.b)
    if state.phase == LAKE:
        w0, w1 = lake_destinations(state, source, p, a, b)
    else:
        w0, w1 = road_destinations(rules, state, source, p, number, a, b)
    best = _NEVER
    while w0 | w1 != 0:
        if w0 != 0:
            tile = lowest(w0)
            w0 &= w0 - 1
        else:
            tile = PER_WORD + lowest(w1)
            w1 &= w1 - 1
        best = max(best, worth_of_arrival(rules, state, p, tile, number))
    there = np.int64(state.warbands[source, p])
    left = stand(rules, state, p, source, there - number, fights) - stand(rules, state, p, source, there, fights)
    return best + left


# ---- Battles: D19-D22 -----------------------------------------------------------------------------------------------


@kernel
def worth_in_battle(rules, state, p, action):
    decision = np.int64(state.decision)
    if decision == Decision.D21:
        spare = np.int64(state.settlement[p]) - 1  # one scores the point (BLOOD-RESOLVE-04)
        return ZERO if action == PASS else (action - COUNT if action - COUNT <= spare else np.int64(-1))
    if decision == Decision.D22:
        return np.int64(-50) if action == PASS else -worth_left(rules, state, p, action)
    need = missing(state)
    if decision == Decision.D19:
        if action == PASS:
            return ZERO
        return np.int64(rules.mountains[action - TILE]) if need > 0 else np.int64(-1)
    if action == PILE:
        return np.int64(8)
    mountains = np.int64(rules.mountains[action - TILE])
    if need <= 0:
        return ZERO
    if mountains >= 2:
        return 10 * mountains
    return np.int64(9) if mountains == 1 and need <= np.int64(state.battle_owed[state.battle_at]) else ZERO


@kernel
def missing(state):
    """Return how much strength the seat that reveals lacks to be the only strongest, as far as can be foreseen."""
    at = np.int64(state.battle_at)
    most = ZERO
    for i in range(np.int64(state.battle_size)):
        if i != at:
            most = max(most, np.int64(state.battle_strength[i]) + np.int64(state.battle_owed[i]))
    return most + 1 - np.int64(state.battle_strength[at])


# ---- Bandits: B1-B7 -------------------------------------------------------------------------------------------------


@kernel
def worth_for_bandits(rules, state, action):
    """The player decides for the bandits (BLOOD-SOLO-04), and wishes them ill."""
    decision = np.int64(state.decision)
    tile = np.int64(state.grid[action - CELL])
    own, there = np.int64(state.warbands[tile, 0]), np.int64(state.warbands[tile, BANDITS])
    if decision == Decision.B5:
        return own - there
    if decision == Decision.B6:
        return own
    if decision == Decision.B2 or decision == Decision.B7:
        return (own > 0) * (10 - own + there)
    if decision == Decision.B3:
        return (own > 0) * (there - own)
    if own == 0:
        return 20 + min(there, np.int64(5))  # B1, B4: where they harm nobody
    return own - there


# ---- A guess of the returns -----------------------------------------------------------------------------------------


@kernel
def standing(rules, state, p):
    """Return how well a colour stands, in twelfths of a victory: points first, then villages and warbands."""
    return 2 * np.int64(state.vp[p]) + min(villages_held(rules, state, p), np.int64(4))


@kernel
def evaluate(rules, state, out):
    """Write an estimate of each seat's returns: half the rank as if it were over, half the lead in points."""
    out[:] = 0.0
    colours = np.int64(rules.colours)
    for p in range(np.int64(rules.num_players)):
        most = _NEVER
        for other in range(colours):
            if other != p:
                most = max(most, standing(rules, state, other))
        lead = min(max(standing(rules, state, p) - most, np.int64(-2 * SIX)), np.int64(2 * SIX)) / (2.0 * SIX)
        rank = (count_lower(rules, state, p) - count_higher(rules, state, p)) / (colours - 1)
        out[p] = 0.5 * rank + 0.5 * lead
