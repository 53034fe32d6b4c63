"""The pending decision of another seat is offered in the sample, too (NORTH-INFO-10).

That says something of hidden cards or tiles where what is legal depends on them, because a seat is asked only if it has
at least two legal actions:

    cards   PLAY_CARD, CONT, WAIT_CARD, REPLACE_CARD, REMOVE_CARD, UPG_CARD, UPG_DEST, REACT of the seat asked;
            HD_CARD, HD_RANSOM of the victim; DR_KEEP, DR_TOP of the cards drawn
    tiles   SETUP_TILE, SETUP_CELL, SETUP_ROT, EX_REDRAW, EX_PICK, EX_CELL, EX_ROT, SC_CELL, SC_ROT

Deals are tried until the decision is offered. The true state is one that would do, and among 29 cards or 34 tiles no
deal is so rare that this takes long; `TRIES` only bounds the work in states that no game has.

A card chosen or named in secret (UPG_DEST, HD_RANSOM, DR_KEEP) is drawn with the deal: each different card of the hand
is as likely as every other, so a place of the hand is drawn, and only the first of equal cards counts.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel
from northmen_env.engine.random import below, draw, mix
from northmen_env.games.northgard.amounts import NOTHING, ZERO
from northmen_env.games.northgard.cards.hands import SEEN
from northmen_env.games.northgard.decks import hand_has
from northmen_env.games.northgard.phases.explore import any_placeable
from northmen_env.games.northgard.phases.frames import top_row
from northmen_env.games.northgard.resampling.cards import deal_seat
from northmen_env.games.northgard.resampling.tiles import deal_tiles
from northmen_env.games.northgard.rules import refresh
from northmen_env.games.northgard.state import Decision

TRIES = 1 << 20
_CHOICE = np.int64(4096)
"""Stream of the chosen card, beside those of the cards."""


# Cards ---------------------------------------------------------------------------------------------------------------


@kernel
def seat_in_question(state, player):
    """Return the seat whose hidden cards the pending decision of another seat says something of, or -1."""
    asked, decision = np.int64(state.player), state.decision
    if asked < 0 or asked == player:
        return NOTHING
    if decision == Decision.HD_CARD or decision == Decision.HD_RANSOM:
        return NOTHING if state.victim == player else np.int64(state.victim)
    if (
        decision == Decision.PLAY_CARD
        or decision == Decision.CONT
        or (Decision.WAIT_CARD <= decision <= Decision.UPG_DEST)
        or decision == Decision.REACT
        or decision == Decision.DR_KEEP
        or decision == Decision.DR_TOP
    ):
        return asked
    return NOTHING


@kernel
def deal_seat_in_question(rules, state, player, q, key):
    """Deal the cards of a seat so that the pending decision is offered."""
    for attempt in range(TRIES):
        again = mix(key, attempt)
        deal_seat(rules, state, player, q, again)
        if choose_card(rules, state, player, q, mix(again, _CHOICE)) and offers_cards(rules, state):
            return


@kernel
def choose_card(rules, state, player, q, key):
    """Draw the card that was chosen or named in secret, where there is one; return False where it does not count."""
    decision = state.decision
    if (
        decision != Decision.UPG_DEST
        and decision != Decision.HD_RANSOM
        and (decision != Decision.DR_KEEP or state.last < 0)
    ):
        return True
    if decision == Decision.HD_RANSOM and state.turn == player and rules.card_b[top_row(state)] == SEEN:
        return hand_has(state, q, np.int64(state.named))
    i = below(draw(key, ZERO), np.int64(state.hand_size[q]))
    card = np.int64(state.hand[q, i])
    if i > 0 and state.hand[q, i - 1] == card:
        return False
    if decision == Decision.UPG_DEST:
        state.card = card
    elif decision == Decision.HD_RANSOM:
        state.named = card
    else:
        state.last = card
    return True


@kernel
def offers_cards(rules, state):
    """Return whether the pending decision is one, as the cards lie."""
    if state.decision == Decision.REACT:
        return hand_has(state, np.int64(state.player), np.int64(rules.react_card))
    return refresh(rules, state) >= 2


# Tiles ---------------------------------------------------------------------------------------------------------------


@kernel
def asks_for_tiles(state, player):
    """Return whether the pending decision of another seat says something of hidden tiles."""
    if state.player < 0 or state.player == player:
        return False
    decision = state.decision
    return (
        (Decision.SETUP_TILE <= decision <= Decision.SETUP_ROT)
        or (Decision.EX_REDRAW <= decision <= Decision.EX_ROT)
        or decision == Decision.SC_CELL
        or decision == Decision.SC_ROT
    )


@kernel
def deal_tiles_in_question(rules, state, player, key):
    """Deal the tiles so that the pending decision is offered."""
    for attempt in range(TRIES):
        deal_tiles(rules, state, player, mix(key, attempt))
        if state.decision == Decision.EX_REDRAW:
            if any_placeable(rules, state):
                return
        elif refresh(rules, state) >= 2:
            return
