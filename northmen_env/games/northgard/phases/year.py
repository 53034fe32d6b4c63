"""Start of Year, Harvest, Winter and End of Year (NORTH-YEAR, -HARV, -WINT, -EOY).

The frame HARVEST goes on at one of these steps (those between belong to `cards/scorched.py` and `cards/trading.py`):

    0  Scorched Earth          2, 4  trades
    1  the harvest itself      3     the end
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, TWO, ZERO
from northmen_env.games.northgard.board import has_figures
from northmen_env.games.northgard.card_table import UNREST
from northmen_env.games.northgard.cards.plain import all_seats
from northmen_env.games.northgard.cards.scorched import offer_scorch
from northmen_env.games.northgard.cards.trading import next_trade
from northmen_env.games.northgard.decks import add_discard, draw_cards, insert, push_pile
from northmen_env.games.northgard.goods import add_fame, gain, harvest_yield
from northmen_env.games.northgard.phases.frames import pop, push, set_step, top_step
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import PER_WORD, WORDS, has
from northmen_env.games.northgard.scoring import ends_by_conquest
from northmen_env.games.northgard.state import Decision, Frame, Phase
from northmen_env.games.northgard.tables import BUILDINGS, DRAWN_PER_YEAR

SCORCHING, COLLECTING, OVER = np.int64(0), np.int64(1), np.int64(3)
UNREST_FAME = np.int64(5)
FOOD, WOOD = 0, 1


# Start of Year -------------------------------------------------------------------------------------------------------


@kernel
def begin_year(rules, state):
    """Clear the year flags, draw cards, fill the display (NORTH-PH-05, NORTH-YEAR)."""
    n = np.int64(rules.num_players)
    state.phase = Phase.ACTIONS
    for p in range(n):
        state.passed[p] = 0
        state.taken[p] = 0
        state.kaija_free[p] = 0
        state.conquer[p] = 0
    emit(rules, state, Event.YEAR, NOTHING, np.int64(state.year), NOTHING)
    for i in range(n):
        p = (np.int64(state.marker) + i) % n
        draw_cards(rules, state, p, DRAWN_PER_YEAR + forge_cards(rules, state, p))
    fill_display(rules, state)
    state.turn = state.marker
    return Stage.MENU


@kernel
def forge_cards(rules, state, p):
    """Return how many more cards a seat draws for its Forges."""
    cards = 0
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            for b in range(BUILDINGS):
                cards += np.int64(state.buildings[t, b]) * np.int64(rules.build_cards[b])
    return cards


@kernel
def fillable(rules, state):
    """Return how many cards join the display: as many as it lacks, which are always there."""
    there = state.achievements_size if state.year == rules.years else state.deck_size
    return min(np.int64(rules.num_players) - np.int64(state.display_size), np.int64(there))


@kernel
def fill_display(rules, state):
    """Fill the display from the development deck, in the last year with the achievements (NORTH-YEAR-02, -03)."""
    for _ in range(fillable(rules, state)):
        size = np.int64(state.display_size)
        if state.year == rules.years:
            at = np.int64(state.achievements_size) - 1
            card = np.int64(state.achievements[at])
            state.achievements[at] = 0
            state.achievements_size = at
        else:
            at = np.int64(state.deck_size) - 1
            card = np.int64(state.deck[at])
            state.deck[at] = 0
            state.deck_size = at
        insert(state.display, size, card)
        state.display_size = size + 1
        emit(rules, state, Event.SHOW, NOTHING, card, NOTHING)


# Harvest -------------------------------------------------------------------------------------------------------------


@kernel
def next_harvest(rules, state):
    """Let the next seat harvest; after the last one comes winter."""
    n = np.int64(rules.num_players)
    if state.phase != Phase.HARVEST:
        state.phase = Phase.HARVEST
        state.turn = state.marker
    else:
        state.turn = (np.int64(state.turn) + 1) % n
        if state.turn == state.marker:
            state.turn = -1
            winter(rules, state)
            return end_year(rules, state)
    emit(rules, state, Event.HARVEST, np.int64(state.turn), NOTHING, NOTHING)
    push(state, Frame.HARVEST, NOTHING)
    return Stage.RESUME


@kernel
def go_on_harvest(rules, state):
    step = top_step(state)
    if step == SCORCHING:
        return offer_scorch(rules, state)
    if step == COLLECTING:
        harvest(rules, state, np.int64(state.turn))
        set_step(state, TWO)
        return next_trade(rules, state)
    if step == OVER:
        pop(state)
        return Stage.HARVEST
    return next_trade(rules, state)


@kernel
def harvest(rules, state, p):
    """Give a seat the fame and resources of its territories (NORTH-HARV-02 … -04)."""
    fame, food, wood, lore = ZERO, ZERO, ZERO, ZERO
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            if not has(state.open_land, t) and not has(state.wolves, t):  # NORTH-CRE-35
                fame += np.int64(rules.harvest_fame[state.extent[t]])
            for b in range(BUILDINGS):
                fame += np.int64(state.buildings[t, b]) * np.int64(rules.build_fame[b])
            food += harvest_yield(rules, state, t, ZERO)
            wood += harvest_yield(rules, state, t, ONE)
            lore += harvest_yield(rules, state, t, TWO)
    add_fame(rules, state, p, fame)
    gain(rules, state, p, ZERO, food)
    gain(rules, state, p, ONE, wood)
    gain(rules, state, p, TWO, lore)


# Winter --------------------------------------------------------------------------------------------------------------


@kernel
def winter(rules, state):
    """Let every seat pay for its units (NORTH-WINT)."""
    n = np.int64(rules.num_players)
    for i in range(n):
        p = (np.int64(state.marker) + i) % n
        units = np.int64(state.on_map[p])
        food, wood = np.int64(rules.winter_food[units]), np.int64(rules.winter_wood[units])
        paid_food, paid_wood = (
            min(food, np.int64(state.resources[p, FOOD])),
            min(wood, np.int64(state.resources[p, WOOD])),
        )
        state.resources[p, FOOD] -= paid_food
        state.resources[p, WOOD] -= paid_wood
        emit(rules, state, Event.WINTER, p, paid_food, paid_wood)
        if paid_food < food or paid_wood < wood:
            take_unrest(rules, state, p)


@kernel
def take_unrest(rules, state, p):
    """Put an Unrest card on the draw pile, or lose fame and the pile's top card (NORTH-WINT-03, -04)."""
    if state.unrest > 0:
        state.unrest -= 1
        push_pile(state, p, np.int64(UNREST), all_seats(rules))
        emit(rules, state, Event.UNREST, p, ONE, NOTHING)
        return
    emit(rules, state, Event.UNREST, p, ZERO, NOTHING)
    add_fame(rules, state, p, -UNREST_FAME)
    size = np.int64(state.pile_size[p])
    if size > 0:
        card = np.int64(state.pile[p, size - 1])
        state.pile[p, size - 1] = 0
        state.pile_known[p, size - 1] = 0
        state.pile_size[p] = size - 1
        add_discard(state, p, card)
        emit(rules, state, Event.DISCARD, p, card, NOTHING)


# End of Year ---------------------------------------------------------------------------------------------------------


@kernel
def end_year(rules, state):
    """End the game, or give second chances (NORTH-EOY-01 … -04)."""
    if ends_by_conquest(rules, state) or state.year == rules.years:
        state.phase = Phase.END
        state.decision = Decision.END
        state.player = -1
        emit(rules, state, Event.END, NOTHING, NOTHING, NOTHING)
        return Stage.OFFERED
    state.phase = Phase.SECOND
    return Stage.SECOND


@kernel
def next_second(rules, state):
    """Find the next seat without figures; after the last one the year is over."""
    n, marker = np.int64(rules.num_players), np.int64(state.marker)
    first = 0 if state.turn < 0 else (np.int64(state.turn) - marker) % n + 1
    for i in range(first, n):
        p = (marker + i) % n
        if not has_figures(state, p):
            state.turn = p
            emit(rules, state, Event.SECOND, p, NOTHING, NOTHING)
            push(state, Frame.SECOND, NOTHING)
            return Stage.RESUME
    state.year += 1
    return Stage.YEAR
