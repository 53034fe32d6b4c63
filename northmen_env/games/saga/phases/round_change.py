"""The round change (SAGA-PLAN-09, -10) and the end of the game."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import emit
from northmen_env.engine.jit import kernel
from northmen_env.games.saga.actions import Event
from northmen_env.games.saga.amounts import GROUP, NOTHING
from northmen_env.games.saga.phases.pieces import next_seat
from northmen_env.games.saga.phases.stages import Stage
from northmen_env.games.saga.setup import all_cards, deal
from northmen_env.games.saga.state import Decision


@kernel
def change_round(rules, state):
    """Everything that is not held is shuffled and dealt; then the leader token passes on."""
    cards = all_cards(rules)
    for seat in range(np.int64(rules.num_players)):
        cards &= ~state.hand[seat]
        for i in range(np.int64(state.pile_size[seat])):
            state.pile[seat, i] = -1
        state.pile_size[seat] = 0
    state.round_number += 1
    deal(rules, state, cards)
    state.group = GROUP
    leader = next_seat(rules, np.int64(state.leader))
    state.leader = leader
    state.player = leader
    emit(rules, state, Event.ROUND, leader, np.int64(state.round_number), NOTHING)
    return Stage.TURN


@kernel
def end_game(rules, state):
    """Nobody is to act any more."""
    state.player = -1
    state.decision = Decision.END
    emit(rules, state, Event.END, NOTHING, NOTHING, NOTHING)
    return Stage.OFFERED
