"""The game's heuristic: `suggest`, a player of sound habits, and `evaluate`, a guess of the returns.

`suggest` looks at what its seat knows and at nothing else: the board, the face-up row, the own hand and routes. Habits:

    PLAY, DRAW   cards that turn or strengthen a kingdom, above all one of an own trade route; strong cards before weak
    HIRE         where one piece decides a kingdom
    DELAY        the largest own kingdom, to move when the others have shown where they go
    CUBE, HERO   as many pieces as win a region, the dearest regions per piece first; what is left over strengthens the
                 dearest one, or is lost for infamy
    ROUTE        everything, in ascending order
    BUY, HOLD    routes while there is time to complete them and infamy left for a delay, then strong cards

The numbers were chosen by matches of 12,000 games of one seat with a change against others without it.

Worths are integers in hundredths of a point, so that compiled and plain Python agree. Ties are broken by `seed`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_AGENT, draw, stream
from northmen_env.games.saga.actions import (
    BUY,
    COMPLETE,
    CUBE,
    DELAY,
    DRAW,
    HERO,
    HIRE,
    HOLD,
    KEEP,
    PASS,
    PLAY,
)
from northmen_env.games.saga.amounts import ROUNDS
from northmen_env.games.saga.phases.moves import cube_regions, hero_regions
from northmen_env.games.saga.phases.pieces import distance
from northmen_env.games.saga.phases.planning import holdable
from northmen_env.games.saga.phases.rally import PILE, draw_options
from northmen_env.games.saga.phases.routes import completable
from northmen_env.games.saga.scoring import infamy_bonus, route_points
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS, LAND, REGIONS, SEA, SLOTS

_CHANCE = np.array([1, 3, 7, 16, 38, 62, 80, 91, 96, 98, 99], np.int64)
"""Chance in percent to control a kingdom, by the lead in pieces, -4 to 6, while the rally lasts."""

_EASE = np.array([30, 40, 45, 55], np.int64)
"""Chance in percent to complete a route some day, by the class of its region for its kingdom: NONE, LAND, SEA, BOTH."""

_TIE = 6  # bits of the random tie-break


@kernel
def suggest(rules, state, player, seed):
    """Return a legal action for `player`, the seat to act."""
    key = stream(seed, PURPOSE_AGENT, player, 0)
    decision = int(state.decision)
    if decision == Decision.PLAY:
        return suggest_play(rules, state, player, key)
    if decision == Decision.HIRE:
        return suggest_hire(rules, state, player)
    if decision == Decision.DRAW:
        return suggest_draw(rules, state, player, key)
    if decision == Decision.DELAY:
        return suggest_delay(rules, state, player)
    if decision == Decision.CUBE:
        return suggest_cube(rules, state, player, key)
    if decision == Decision.HERO:
        return suggest_hero(rules, state, player, key)
    if decision == Decision.ROUTE:
        return COMPLETE + lowest(completable(rules, state, player, int(state.route_last)))
    if decision == Decision.BUY:
        return suggest_buy(state, player)
    if decision == Decision.KEEP:
        return suggest_keep(rules, state, player)
    return suggest_hold(rules, state, player)


# Rally ----------------------------------------------------------------------------------------------------------------


@kernel
def pieces(state, place, seat):
    return int(state.cubes[place, seat]) + int(state.heroes[place, seat])


@kernel
def most_of_others(rules, state, place, player):
    """Return the pieces of the strongest other seat in a place."""
    most = 0
    for seat in range(int(rules.num_players)):
        if seat != player:
            most = max(most, pieces(state, place, seat))
    return most


@kernel
def chance(lead):
    return _CHANCE[min(max(lead + 4, 0), 10)]


@kernel
def wish(rules, state, player, kingdom):
    """Return what controlling a kingdom is worth beyond its pieces: own routes that start there."""
    total, rest = 0, int(state.routes_open[player])
    while rest != 0:
        route = lowest(rest)
        rest &= rest - 1
        if rules.route_kingdom[route] == kingdom:
            total += 30 * int(rules.route_value[route])
    return total


@kernel
def worth_of_pieces(rules, state, player, kingdom, more):
    """Return what `more` pieces in a kingdom are worth: chance of control times what then marches and trades."""
    own = pieces(state, kingdom, player)
    lead = own - most_of_others(rules, state, kingdom, player)
    after = chance(lead + more)
    before = chance(lead) if own > 0 else 0
    marching = 60 * ((own + more) * after - own * before)
    lost = 40 * ((own + more) * (100 - after) - own * (100 - before))  # becomes infamy
    return (marching + lost + wish(rules, state, player, kingdom) * (after - before)) // 100


@kernel
def worth_of_card(rules, state, player, card):
    """Return what playing a card is worth now."""
    more = min(int(rules.card_value[card]), int(state.reserve[player]))
    return worth_of_pieces(rules, state, player, int(rules.card_suit[card]), more)


@kernel
def with_tie_break(worth, key, item):
    return (worth << _TIE) | (draw(key, item) & ((1 << _TIE) - 1))


@kernel
def suggest_play(rules, state, player, key):
    best, best_worth, rest = -1, 0, int(state.hand[player])
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        worth = with_tie_break(worth_of_card(rules, state, player, card), key, card)
        if best < 0 or worth > best_worth:
            best, best_worth = card, worth
    return PLAY + best


@kernel
def suggest_draw(rules, state, player, key):
    options = draw_options(state)
    best, best_worth = -1, 0
    if (options >> PILE) & 1 != 0:
        best, best_worth = PILE, with_tie_break(130, key, PILE)
    for i in range(SLOTS):
        if (options >> i) & 1 != 0:
            worth = with_tie_break(worth_of_card(rules, state, player, int(state.slot[i])), key, i)
            if best < 0 or worth > best_worth:
                best, best_worth = i, worth
    return DRAW + best


@kernel
def suggest_hire(rules, state, player):
    """Hire where the hero is worth more than the infamy, which buys routes or the bonus at the end."""
    price = 100 if state.round_number < ROUNDS else 200
    worth = worth_of_pieces(rules, state, player, int(rules.card_suit[state.card]), 1)
    return HIRE if worth > price else PASS


# March ----------------------------------------------------------------------------------------------------------------


@kernel
def suggest_delay(rules, state, player):
    """Delay the largest own kingdom, so that it moves when most others have shown where they go."""
    cubes = int(state.cubes[state.kingdom, player])
    if cubes < 4 or waiting(rules, state, player) == 0:
        return PASS
    for kingdom in range(int(state.kingdom) + 1, int(rules.num_kingdoms)):
        if state.cubes[kingdom, player] >= cubes:
            return PASS
    return DELAY


@kernel
def missing(rules, state, region, player):
    """Return how many more pieces win a region as things stand (0: it is won), cubes in it or not."""
    place = KINGDOMS + region
    own = pieces(state, place, player)
    own_rank = int(state.heroes[place, player]) * 8 + 7 - distance(rules, state, player)
    needed = 0
    for seat in range(int(rules.num_players)):
        theirs = pieces(state, place, seat)
        if seat == player or theirs == 0:
            continue
        rank = int(state.heroes[place, seat]) * 8 + 7 - distance(rules, state, seat)
        needed = max(needed, theirs - own + (1 if rank > own_rank else 0))
    return needed


@kernel
def prize(rules, state, region, player):
    """Return what winning a region with a cube in it is worth: its tokens and the own routes that end there."""
    total, rest = 100 * int(state.tokens[region]), int(state.routes_open[player])
    while rest != 0:
        route = lowest(rest)
        rest &= rest - 1
        if rules.route_region[route] == region and state.controller[rules.route_kingdom[route]] == player:
            total += 100 * int(rules.route_value[route]) + 50
    return total


@kernel
def waiting(rules, state, player):
    """Return how many pieces of the others have still to move."""
    total = 0
    for kingdom in range(int(rules.num_kingdoms)):
        for seat in range(int(rules.num_players)):
            if seat != player:
                total += pieces(state, kingdom, seat)
    return total


@kernel
def suggest_cube(rules, state, player, key):
    """Plan all cubes of the kingdom, then send one to the first region of the plan."""
    legal, kingdom = cube_regions(rules, state), int(state.kingdom)
    plan = np.zeros(REGIONS, np.int64)
    rest = int(state.cubes[kingdom, player])
    armies, fleets = int(state.armies) - int(state.land), int(state.fleets) - int(state.sea)
    open_regions = legal
    while rest > 0 and open_regions != 0:
        region, cubes = best_target(rules, state, player, open_regions, rest, armies, fleets)
        if region < 0:
            break
        open_regions &= ~(1 << region)
        way = int(rules.march_class[kingdom, region])
        plan[region] = cubes
        rest -= cubes
        armies -= cubes if way == LAND else 0
        fleets -= cubes if way == SEA else 0
    for region in range(REGIONS):
        if plan[region] > 0:
            return CUBE + region
    return CUBE + spare_target(rules, state, player, legal, key)


@kernel
def best_target(rules, state, player, regions, rest, armies, fleets):
    """Return the region with the highest prize per cube, and the cubes to send; -1 where none is worth it."""
    kingdom = int(state.kingdom)
    best, best_cubes, best_rate = -1, 0, 0
    while regions != 0:
        region = lowest(regions)
        regions &= regions - 1
        way = int(rules.march_class[kingdom, region])
        room = min(rest, armies if way == LAND else fleets if way == SEA else rest)
        needed = missing(rules, state, region, player)
        cubes = max(needed, 0 if state.cubes[KINGDOMS + region, player] > 0 else 1)
        worth = prize(rules, state, region, player)
        if not 0 < cubes <= room:
            continue
        rate = worth * 16 // cubes
        if rate > best_rate:
            best, best_cubes, best_rate = region, cubes, rate
    return best, best_cubes


@kernel
def spare_target(rules, state, player, regions, key):
    """Return where a cube that no region needs goes: to strengthen the dearest region that is held."""
    best, best_worth = -1, 0
    while regions != 0:
        region = lowest(regions)
        regions &= regions - 1
        lead = -missing(rules, state, region, player)
        worth = prize(rules, state, region, player)
        if lead < -3:
            worth = 20  # lost, and infamy gained
        worth = with_tie_break(worth, key, region)
        if best < 0 or worth > best_worth:
            best, best_worth = region, worth
    return best


@kernel
def suggest_hero(rules, state, player, key):
    """Send the hero where one piece decides most."""
    regions = hero_regions(rules, state)
    best, best_worth = -1, 0
    while regions != 0:
        region = lowest(regions)
        regions &= regions - 1
        needed = missing(rules, state, region, player)
        worth = prize(rules, state, region, player)
        if state.cubes[KINGDOMS + region, player] == 0:
            worth //= 4  # denies the region, collects nothing
        elif needed > 1:
            worth //= 8
        elif needed == 1:
            worth *= 2
        worth = with_tie_break(worth, key, region)
        if best < 0 or worth > best_worth:
            best, best_worth = region, worth
    return HERO + best


# Planning -------------------------------------------------------------------------------------------------------------


@kernel
def suggest_buy(state, player):
    """Buy while there is time to complete a route, and infamy is left for a delay and for the bonus at the end."""
    if state.round_number == ROUNDS:
        return PASS
    return BUY if state.infamy[player] >= (6 if state.round_number == 1 else 9) else PASS


@kernel
def suggest_keep(rules, state, player):
    first, second = int(state.routes_drawn[0]), int(state.routes_drawn[1])
    return KEEP + (first if worth_of_route(rules, first) >= worth_of_route(rules, second) else second)


@kernel
def worth_of_route(rules, route):
    way = int(rules.march_class[rules.route_kingdom[route], rules.route_region[route]])
    return (int(rules.route_value[route]) * 2 + 1) * int(_EASE[way])


@kernel
def suggest_hold(rules, state, player):
    """Hold the first strong card, as long as another round follows."""
    if state.round_number == ROUNDS:
        return PASS
    rest = holdable(state)
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if rules.card_value[card] == 3:
            return HOLD + card
    return PASS


# Evaluation -----------------------------------------------------------------------------------------------------------


@kernel
def evaluate(rules, state, out):
    """Write an estimate of each seat's return into `out`: in [-1, 1], summing to 0."""
    out[:] = 0.0
    n = int(rules.num_players)
    for seat in range(n):
        for other in range(seat):
            gap = outlook(rules, state, seat) - outlook(rules, state, other)
            part = gap / (600.0 + abs(gap)) / (n - 1)
            out[seat] += part
            out[other] -= part


@kernel
def outlook(rules, state, seat):
    """Return the points a seat can hope for, in hundredths."""
    points = 100 * (int(state.plunder[seat]) + route_points(rules, state, seat) + infamy_bonus(rules, state, seat))
    rest = int(state.routes_open[seat])
    while rest != 0:
        points += 50 * worth_of_route(rules, lowest(rest)) // 100
        rest &= rest - 1
    points += 20 * int(state.infamy[seat])
    return points
