"""The Scorched Earth token of the Snake clan: where it goes, and the harvest of its territory (NORTH-CLAN-09 … -13)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.actions import DONE, RES, Event
from northmen_env.games.northgard.amounts import NOTHING, ONE, ZERO
from northmen_env.games.northgard.board import controller, enemy_word, list_terr, near_own_word, neutral_word, terr_of
from northmen_env.games.northgard.goods import harvest_yield
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.frames import ask, runs, set_step
from northmen_env.games.northgard.phases.stages import Stage
from northmen_env.games.northgard.plots import bit_of
from northmen_env.games.northgard.state import Decision, Frame
from northmen_env.games.northgard.tables import RESOURCES

SCORCHED = np.int64(1)
"""Step of HARVEST: HV_SCORCH is answered; next is the harvest itself."""


@kernel
def token_word(rules, state, p, w):
    """Return the word `w` of the set of territories to which the token may go."""
    targets = (neutral_word(state, w) | enemy_word(rules, state, p, w)) & near_own_word(state, p, w)
    return targets if state.token < 0 else targets & ~bit_of(np.int64(state.token), w)


@kernel
def may_place(rules, state, p, card):
    """Return whether a seat that plays a card may place the token (NORTH-CLAN-10)."""
    return state.snake == p and rules.card_clan[card] == Clan.SNAKE


@kernel
def offer_token(rules, state):
    """Ask the turn player for the token, if it can go somewhere; then the frame on top goes on."""
    p = np.int64(state.turn)
    if token_word(rules, state, p, ZERO) | token_word(rules, state, p, ONE) == 0:
        return Stage.RESUME
    ask(state, p, Decision.TOKEN)
    return Stage.OFFERED


@kernel
def offer_token_after(rules, state):
    """Ask again after the Move of a card that was itself played (NORTH-MOVE-13); then the frame on top goes on."""
    if state.snake == state.turn and not runs(state, Frame.COPY):
        return offer_token(rules, state)
    return Stage.RESUME


@kernel
def list_token(rules, state, ids):
    p = np.int64(state.turn)
    ids[0] = DONE
    return list_terr(state, token_word(rules, state, p, ZERO), token_word(rules, state, p, ONE), ids, ONE)


@kernel
def answer_token(rules, state, action):
    if action != DONE:
        t = terr_of(state, action)
        state.token = t
        emit(rules, state, Event.TOKEN, np.int64(state.turn), np.int64(state.slot[t]), NOTHING)
    return Stage.RESUME


# HV_SCORCH -----------------------------------------------------------------------------------------------------------


@kernel
def offer_scorch(rules, state):
    """Ask the Snake what it takes out of the harvest of its enemy, the turn player."""
    set_step(state, SCORCHED)
    snake, t, p = np.int64(state.snake), np.int64(state.token), np.int64(state.turn)
    if snake < 0 or t < 0 or controller(state, t) != p or (np.int64(rules.enemies[snake]) >> p) & 1 == 0:
        return Stage.RESUME
    for r in range(RESOURCES):
        if harvest_yield(rules, state, t, r) > 0:
            ask(state, snake, Decision.HV_SCORCH)
            return Stage.OFFERED
    return Stage.RESUME


@kernel
def list_scorch(rules, state, ids):
    ids[0] = DONE
    n = ONE
    for r in range(RESOURCES):
        if harvest_yield(rules, state, np.int64(state.token), r) > 0:
            ids[n] = RES + r
            n += 1
    return n


@kernel
def answer_scorch(rules, state, action):
    """The harvest, which follows at once, gives back the one that is taken in advance."""
    if action != DONE:
        p, snake = np.int64(state.turn), np.int64(state.snake)
        state.resources[snake, action - RES] += 1
        state.resources[p, action - RES] -= 1
        emit(rules, state, Event.SCORCH, snake, action - RES, p)
    return Stage.RESUME
