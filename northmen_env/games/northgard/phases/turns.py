"""Turns (NORTH-TURN): wait, replace, remove, upgrade and pass. Playing a card is in `cards/playing.py`.

The frame PASS goes on at one step only: the creature that appeared has acted; next is the end of the turn.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import (
    CARD,
    DONE,
    PASS,
    PLAY,
    REMOVE,
    REPLACE,
    UPGRADE,
    WAIT,
    YES,
    Event,
)
from northmen_env.games.northgard.amounts import LORE, NOTHING, ONE, THREE, TWO, ZERO
from northmen_env.games.northgard.board import list_terr, terr_of
from northmen_env.games.northgard.card_table import FIRST_CLAN, UNREST
from northmen_env.games.northgard.cards.plain import all_seats, take_displayed
from northmen_env.games.northgard.cards.playing import offer_play
from northmen_env.games.northgard.cards.rows import can_play_any
from northmen_env.games.northgard.decks import (
    add_idle,
    add_to_hand,
    clear_table,
    draw_cards,
    list_cards,
    list_hand,
    take_from_hand,
)
from northmen_env.games.northgard.goods import spend
from northmen_env.games.northgard.phases.frames import ask, pop, push
from northmen_env.games.northgard.phases.lairs import place_creature, reveal
from northmen_env.games.northgard.phases.roaming import act, begin_roaming
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import bit_of
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import CLAN_CARDS

# MENU ----------------------------------------------------------------------------------------------------------------


@kernel
def offer_menu(state):
    ask(state, np.int64(state.turn), Decision.MENU)
    return Stage.OFFERED


@kernel
def list_menu(rules, state, ids):
    """MENU (NORTH-TURN-02)."""
    p, n = np.int64(state.turn), 0
    size, lore = np.int64(state.hand_size[p]), np.int64(state.resources[p, LORE])
    if size > 0:
        if can_play_any(rules, state, p):
            ids[n] = PLAY
            n += 1
        ids[n] = WAIT
        n += 1
        if lore >= 1:
            ids[n] = REPLACE
            n += 1
        if lore >= 2 and state.hand[p, 0] != UNREST:  # the hand is sorted, and Unrest is the last card
            ids[n] = REMOVE
            n += 1
        if lore >= 3 and state.upgrades[p] != 0:
            ids[n] = UPGRADE
            n += 1
    ids[n] = PASS
    return n + 1


@kernel
def answer_menu(rules, state, action):
    p = np.int64(state.turn)
    if action == PLAY:
        return offer_play(rules, state)
    if action == PASS:
        return pass_year(rules, state)
    if action == WAIT:
        ask(state, p, Decision.WAIT_CARD)
    elif action == REPLACE:
        spend(rules, state, p, LORE, ONE)
        ask(state, p, Decision.REPLACE_CARD)
    elif action == REMOVE:
        spend(rules, state, p, LORE, TWO)
        ask(state, p, Decision.REMOVE_CARD)
    else:
        spend(rules, state, p, LORE, THREE)
        ask(state, p, Decision.UPG_CARD)
    return Stage.OFFERED


@kernel
def list_own_hand(rules, state, ids):
    """WAIT_CARD, REPLACE_CARD, UPG_CARD."""
    return list_hand(state, np.int64(state.turn), ids, ZERO)


@kernel
def list_removable(rules, state, ids):
    """REMOVE_CARD: all but Unrest, the last card of a sorted hand."""
    p = np.int64(state.turn)
    size = np.int64(state.hand_size[p])
    while size > 0 and state.hand[p, size - 1] == UNREST:
        size -= 1
    return list_cards(state.hand[p], size, ids, ZERO)


@kernel
def answer_wait(rules, state, action):
    p, card = np.int64(state.turn), action - CARD
    take_from_hand(state, p, card)
    add_idle(state, p, card)
    emit(rules, state, Event.WAIT, p, card, NOTHING)
    return Stage.TURN_OVER


@kernel
def answer_replace(rules, state, action):
    p, card = np.int64(state.turn), action - CARD
    take_from_hand(state, p, card)
    add_idle(state, p, card)
    emit(rules, state, Event.REPLACE, p, card, NOTHING)
    draw_cards(rules, state, p, ONE)
    return Stage.TURN_OVER


@kernel
def answer_remove(rules, state, action):
    p, card = np.int64(state.turn), action - CARD
    take_from_hand(state, p, card)
    state.removed[card] += 1
    emit(rules, state, Event.REMOVE, p, card, NOTHING)
    draw_cards(rules, state, p, TWO)
    return Stage.TURN_OVER


# UPG_CARD, UPG_DEST, UPG_PICK (NORTH-TURN-11) ------------------------------------------------------------------------


@kernel
def answer_upgraded(rules, state, action):
    push(state, Frame.UPGRADE, NOTHING)
    state.card = action - CARD
    ask(state, np.int64(state.turn), Decision.UPG_DEST)
    return Stage.OFFERED


@kernel
def list_leaving(rules, state, ids):
    """UPG_DEST."""
    ids[0] = DONE
    if state.card == UNREST:
        return 1
    ids[1] = YES
    return 2


@kernel
def answer_leaving(rules, state, action):
    p, card = np.int64(state.turn), np.int64(state.card)
    take_from_hand(state, p, card)
    if action == YES:
        state.removed[card] += 1
    else:
        add_idle(state, p, card)
    emit(rules, state, Event.UPGRADE, p, card, ONE if action == YES else NOTHING)
    state.card = -1
    pop(state)
    ask(state, p, Decision.UPG_PICK)
    return Stage.OFFERED


@kernel
def first_upgrade(state, p):
    """Return the card that comes before a seat's upgrades: its clan's initial card."""
    return FIRST_CLAN + CLAN_CARDS * np.int64(state.clan[p])


@kernel
def list_upgrades(rules, state, ids):
    """UPG_PICK."""
    p, n = np.int64(state.turn), 0
    for k in range(1, CLAN_CARDS):
        if (np.int64(state.upgrades[p]) >> (k - 1)) & 1 != 0:
            ids[n] = CARD + first_upgrade(state, p) + k
            n += 1
    return n


@kernel
def answer_upgrade(rules, state, action):
    p, card = np.int64(state.turn), action - CARD
    state.upgrades[p] &= ~(1 << (card - first_upgrade(state, p) - 1))
    add_to_hand(state, p, card, all_seats(rules))
    emit(rules, state, Event.TAKE, p, card, NOTHING)
    return Stage.TURN_OVER


# PASS (NORTH-TURN-12, -13) -------------------------------------------------------------------------------------------


@kernel
def pass_year(rules, state):
    """Discard hand and active area; who passes first takes the marker."""
    p, first = np.int64(state.turn), True
    for other in range(np.int64(rules.num_players)):
        if state.passed[other] != 0:
            first = False
    state.passed[p] = 1
    clear_table(state, p)
    emit(rules, state, Event.PASS, p, NOTHING, NOTHING)
    if first:
        state.marker = p
        emit(rules, state, Event.FIRST, p, NOTHING, NOTHING)
    if state.taken[p] == 0 and state.display_size > 0:
        ask(state, p, Decision.PASS_PICK)
        return Stage.OFFERED
    return offer_creature(rules, state)


@kernel
def answer_pick(rules, state, action):
    take_displayed(rules, state, np.int64(state.turn), action - CARD)
    return offer_creature(rules, state)


@kernel
def offer_creature(rules, state):
    """More Creatures: with fewer creatures than players on the map the player may let one appear (NORTH-CRE-30)."""
    cards = state.creature_pile_size > 0 or state.creature_discard != 0
    if rules.more_creatures == 0 or state.line_size >= rules.num_players or not cards:
        return Stage.TURN_OVER
    ask(state, np.int64(state.turn), Decision.PASS_CRE)
    return Stage.OFFERED


@kernel
def answer_creature(rules, state, action):
    if action == DONE:
        return Stage.TURN_OVER
    push(state, Frame.PASS, NOTHING)
    state.creature = reveal(rules, state)
    ask(state, np.int64(state.turn), Decision.PASS_CRE_AT)
    return Stage.OFFERED


@kernel
def list_creature_places(rules, state, ids):
    """PASS_CRE_AT (NORTH-CRE-31)."""
    low, high = np.int64(state.land[0]), np.int64(state.land[1])
    for i in range(np.int64(state.line_size)):
        t = np.int64(state.creature_at[np.int64(state.line[i])])
        low &= ~bit_of(t, ZERO)
        high &= ~bit_of(t, ONE)
    if low & state.lairs[0] | high & state.lairs[1] != 0:
        low &= state.lairs[0]
        high &= state.lairs[1]
    return list_terr(state, low, high, ids, ZERO)


@kernel
def answer_creature_place(rules, state, action):
    creature = np.int64(state.creature)
    place_creature(rules, state, creature, terr_of(state, action))
    return act(rules, state, creature)


@kernel
def go_on_pass(rules, state):
    state.creature = -1
    pop(state)
    return Stage.TURN_OVER


# The next turn -------------------------------------------------------------------------------------------------------


@kernel
def next_turn(rules, state):
    """Let the next player clockwise who has not passed take a turn (NORTH-TURN-01); without one the phase is over."""
    n = np.int64(rules.num_players)
    state.main_used = 0
    state.resolved = 0
    for distance in range(1, n + 1):
        p = (np.int64(state.turn) + distance) % n
        if state.passed[p] == 0:
            state.turn = p
            return Stage.MENU
    if rules.creatures != 0:
        return begin_roaming(rules, state)
    return Stage.HARVEST
