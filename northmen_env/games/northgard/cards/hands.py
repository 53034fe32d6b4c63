"""HAND (NORTH-SPEC-06): enemies discard cards of their hands, or pay a ransom for them; then the actor draws."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit, emit_to
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import CARD, DONE, PLAYER, YES, Event
from northmen_env.games.northgard.amounts import NOTHING, TWO, ZERO
from northmen_env.games.northgard.card_table import HandBit
from northmen_env.games.northgard.cards.paying import begin_pay
from northmen_env.games.northgard.decks import add_discard, avail, draw_cards, list_hand, see_hand, take_from_hand
from northmen_env.games.northgard.goods import total
from northmen_env.games.northgard.phases.frames import ask, pop, push, top_row
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.state import Decision, Frame

ONE_ENEMY = 1  # a: one enemy, chosen by the actor; else all
SEEN = 1  # b: the actor sees the hand and chooses the card; else its owner
_RANSOM = int(HandBit.RANSOM)


@kernel
def is_target(rules, state, p, other):
    """Return whether a seat is an enemy that holds a card."""
    return (np.int64(rules.enemies[p]) >> other) & 1 != 0 and state.hand_size[other] > 0


@kernel
def next_target(rules, state, p, after):
    """Return the first enemy of `p` with a card, clockwise after the seat `after` and before `p`; -1: none."""
    n = np.int64(rules.num_players)
    other = (after + 1) % n
    while other != p:
        if is_target(rules, state, p, other):
            return other
        other = (other + 1) % n
    return -1


@kernel
def may_draw(rules, state, p, row):
    """Return whether the row draws and there is a card."""
    return rules.card_d[row] > 0 and avail(state, p) > 0


@kernel
def can_raid(rules, state, p, row):
    """P: some enemy holds a card, or there is one to draw (NORTH-FX-10)."""
    return next_target(rules, state, p, p) >= 0 or may_draw(rules, state, p, row)


@kernel
def begin_raid(rules, state, row):
    push(state, Frame.HAND, row)
    p = np.int64(state.turn)
    if next_target(rules, state, p, p) < 0:
        return offer_draw(rules, state)
    ask(state, p, Decision.HD_WHO if rules.card_a[row] == ONE_ENEMY else Decision.HD_ALL)
    return Stage.OFFERED


# ---- Who is attacked ------------------------------------------------------------------------------------------------


@kernel
def list_victim(rules, state, ids):
    """HD_WHO."""
    p, n, seats = np.int64(state.turn), 0, np.int64(rules.num_players)
    if may_draw(rules, state, p, top_row(state)):
        ids[0] = DONE
        n = 1
    for distance in range(1, seats):
        if is_target(rules, state, p, (p + distance) % seats):
            ids[n] = PLAYER + distance - 1
            n += 1
    return n


@kernel
def answer_victim(rules, state, action):
    if action == DONE:
        return offer_draw(rules, state)
    return attack(rules, state, (np.int64(state.turn) + action - PLAYER + 1) % np.int64(rules.num_players))


@kernel
def list_all(rules, state, ids):
    """HD_ALL."""
    n = 0
    if avail(state, np.int64(state.turn)) > 0:
        ids[0] = DONE
        n = 1
    ids[n] = YES
    return n + 1


@kernel
def answer_all(rules, state, action):
    if action == DONE:
        return offer_draw(rules, state)
    p = np.int64(state.turn)
    return attack(rules, state, next_target(rules, state, p, p))


@kernel
def attack(rules, state, victim):
    row = top_row(state)
    state.victim = victim
    state.left = rules.card_c[row]
    state.attacked = 1
    if rules.card_b[row] == SEEN:
        see_hand(rules, state, np.int64(state.turn), victim)
    return ask_loss(rules, state)


@kernel
def ask_loss(rules, state):
    """Ask for a card of the victim, who has one."""
    p, victim = np.int64(state.turn), np.int64(state.victim)
    ask(state, p if rules.card_b[top_row(state)] == SEEN else victim, Decision.HD_CARD)
    return Stage.OFFERED


@kernel
def go_on_raid(rules, state):
    """The ransom is paid: it counts as a discard."""
    state.left -= 1
    return next_loss(rules, state)


@kernel
def next_loss(rules, state):
    """The next card of the victim, else the next victim, else the cards of the actor."""
    p, victim, row = np.int64(state.turn), np.int64(state.victim), top_row(state)
    if state.left > 0 and state.hand_size[victim] > 0:
        return ask_loss(rules, state)
    state.left = 0
    state.victim = -1
    if rules.card_a[row] != ONE_ENEMY:
        victim = next_target(rules, state, p, victim)
        if victim >= 0:
            return attack(rules, state, victim)
    return offer_draw(rules, state)


# ---- A card of the victim -------------------------------------------------------------------------------------------


@kernel
def list_lost(rules, state, ids):
    """HD_CARD."""
    return list_hand(state, np.int64(state.victim), ids, ZERO)


@kernel
def answer_lost(rules, state, action):
    card, victim, row = action - CARD, np.int64(state.victim), top_row(state)
    if rules.card_fl[row] & _RANSOM == 0 or total(state, victim) < TWO:
        return lose_card(rules, state, card)
    state.named = card
    by = np.int64(state.turn) if rules.card_b[row] == SEEN else victim
    for viewer in range(np.int64(rules.num_players)):
        emit_to(rules, state, viewer, Event.NAMED, victim, card if viewer in (victim, by) else NOTHING, NOTHING)
    ask(state, victim, Decision.HD_RANSOM)
    return Stage.OFFERED


@kernel
def lose_card(rules, state, card):
    victim = np.int64(state.victim)
    take_from_hand(state, victim, card)
    add_discard(state, victim, card)
    emit(rules, state, Event.DISCARD, victim, card, NOTHING)
    state.left -= 1
    return next_loss(rules, state)


@kernel
def answer_ransom(rules, state, action):
    card, victim, p = np.int64(state.named), np.int64(state.victim), np.int64(state.turn)
    state.named = -1
    if action == DONE:
        return lose_card(rules, state, card)
    emit(rules, state, Event.RANSOM, victim, p, NOTHING)
    return begin_pay(rules, state, victim, TWO, p)


# ---- The cards of the actor -----------------------------------------------------------------------------------------


@kernel
def offer_draw(rules, state):
    """Ask HD_DRAW; who attacked nobody draws without being asked."""
    p = np.int64(state.turn)
    if not may_draw(rules, state, p, top_row(state)):
        return end_raid(state)
    if state.attacked == 0:
        return draw_and_end(rules, state)
    ask(state, p, Decision.HD_DRAW)
    return Stage.OFFERED


@kernel
def answer_draw(rules, state, action):
    return end_raid(state) if action == DONE else draw_and_end(rules, state)


@kernel
def draw_and_end(rules, state):
    draw_cards(rules, state, np.int64(state.turn), np.int64(rules.card_d[top_row(state)]))
    return end_raid(state)


@kernel
def end_raid(state):
    state.attacked = 0
    pop(state)
    return Stage.RESUME
