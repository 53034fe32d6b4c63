"""The rally phase: PLAY (D1), HIRE (D2), DRAW (D3)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest, several
from northmen_env.engine.events import emit, emit_secret
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import DRAW, HIRE, PASS, PLAY, Event
from northmen_env.games.saga.amounts import HERO_COST, NOTHING
from northmen_env.games.saga.phases.pieces import next_seat, spend
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import SLOTS

PILE = SLOTS
"""The option of DRAW that stands for the draw pile."""


@kernel
def begin_turn(rules, state):
    """Find the next seat with cards, from `state.player` on, and offer PLAY."""
    seat = np.int64(state.player)
    for _ in range(np.int64(rules.num_players)):
        if state.hand[seat] != 0:
            state.player = seat
            return offer_play(rules, state)
        seat = next_seat(rules, seat)  # SAGA-RALLY-03
    return Stage.CONTROL  # SAGA-RALLY-15


# D1 PLAY --------------------------------------------------------------------------------------------------------------


@kernel
def offer_play(rules, state):
    hand = state.hand[state.player]
    if several(hand):
        state.decision = Decision.PLAY
        return Stage.OFFERED
    return play(rules, state, lowest(hand))


@kernel
def legal_play(rules, state, ids):
    """Every card of the own hand (SAGA-RALLY-02)."""
    rest = state.hand[state.player]
    n = 0
    while rest != 0:
        ids[n] = PLAY + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def play(rules, state, card):
    """The card goes onto the own pile, cubes onto its kingdom."""
    seat = np.int64(state.player)
    kingdom = np.int64(rules.card_suit[card])
    gone = ~(1 << card)
    state.hand[seat] &= gone
    state.hand_size[seat] -= 1
    state.known_hand[seat] &= gone  # SAGA-INFO-04
    state.pile[seat, state.pile_size[seat]] = card
    state.pile_size[seat] += 1
    state.card = card
    emit(rules, state, Event.PLAY, seat, card, NOTHING)
    placed = min(np.int64(rules.card_value[card]), np.int64(state.reserve[seat]))  # SAGA-RALLY-04, -05
    state.reserve[seat] -= placed
    state.cubes[kingdom, seat] += placed
    if state.infamy[seat] < HERO_COST or state.hero_supply[seat] == 0:
        return Stage.PLUNDER
    if placed == 0 and rules.hero_needs_cube != 0:  # SAGA-RALLY-08
        return Stage.PLUNDER
    state.decision = Decision.HIRE
    return Stage.OFFERED


# D2 HIRE --------------------------------------------------------------------------------------------------------------


@kernel
def legal_hire(rules, state, ids):
    ids[0] = HIRE
    ids[1] = PASS
    return 2


@kernel
def hire(rules, state, action):
    """One hero from the own supply joins the kingdom of the card (SAGA-RALLY-07)."""
    if action == HIRE:
        seat = np.int64(state.player)
        kingdom = np.int64(rules.card_suit[state.card])
        spend(state, seat, HERO_COST)
        state.hero_supply[seat] -= 1
        state.heroes[kingdom, seat] += 1
        emit(rules, state, Event.HIRE, seat, kingdom, NOTHING)
    return Stage.PLUNDER


@kernel
def place_plunder(rules, state):
    """Step 4, and the offer of step 5 unless the rally ends here (SAGA-RALLY-10, -11, -12)."""
    card = np.int64(state.card)
    if rules.card_places[card] != 0:
        region = np.int64(rules.card_region[card])
        state.tokens[region] += 1
        state.group -= 1
        emit(rules, state, Event.TOKEN, np.int64(state.player), region, NOTHING)
        if state.group == 0 and rules.draw_after_last_token == 0:
            return end_turn(rules, state)
    return offer_draw(rules, state)


# D3 DRAW --------------------------------------------------------------------------------------------------------------


@kernel
def draw_options(state):
    """Return the bit set of what can be drawn: slots 0-2 and the pile (SAGA-RALLY-13, -14)."""
    options = 0
    for i in range(SLOTS):
        if state.slot[i] >= 0:
            options |= 1 << i
    if state.draw_top < state.draw_end:
        options |= 1 << PILE
    return options


@kernel
def offer_draw(rules, state):
    options = draw_options(state)
    if options == 0:
        return end_turn(rules, state)
    if several(options):
        state.decision = Decision.DRAW
        return Stage.OFFERED
    return draw_card(rules, state, lowest(options))


@kernel
def legal_draw(rules, state, ids):
    rest = draw_options(state)
    n = 0
    while rest != 0:
        ids[n] = DRAW + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@kernel
def take_top(state):
    """Take the top card of the draw pile, -1 where it is empty."""
    top = np.int64(state.draw_top)
    if top == state.draw_end:
        return -1
    card = np.int64(state.draw_pile[top])
    state.draw_pile[top] = -1
    state.draw_top = top + 1
    return card


@kernel
def draw_card(rules, state, option):
    """Take a face-up card, whose slot is filled from the pile at once, or the top of the pile."""
    seat = np.int64(state.player)
    if option == PILE:
        card = take_top(state)
        emit_secret(rules, state, Event.DRAW, seat, card, NOTHING)
    else:
        card = np.int64(state.slot[option])
        emit(rules, state, Event.TAKE, seat, option, card)
        state.known_hand[seat] |= 1 << card  # SAGA-INFO-04
        following = take_top(state)
        state.slot[option] = following
        if following >= 0:
            emit(rules, state, Event.REVEAL, NOTHING, option, following)
    state.hand[seat] |= 1 << card
    state.hand_size[seat] += 1
    return end_turn(rules, state)


@kernel
def end_turn(rules, state):
    """Go on to the next seat, or to the march when the last token of the group lies on the board."""
    state.card = -1
    if state.group == 0:
        return Stage.CONTROL
    state.player = next_seat(rules, np.int64(state.player))
    return Stage.TURN
