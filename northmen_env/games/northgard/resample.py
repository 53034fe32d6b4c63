"""The verb `resample`: another state that a seat cannot tell from this one (NORTH-INFO-10).

Law. A state is possible for `player` exactly if

    * all that `player` observes is as it is, sizes of hands, piles and stacks included;
    * each opponent's cards of hand, draw pile and running DRAW are those of its public multiset, those of them that
      `player` knows the place of lie there, and the own pile holds its cards;
    * the development deck, Early cards above Advanced ones, holds cards that lie nowhere else, the rest is left out;
    * tiles not on the map lie in the stack, in setup hands and with the seat that drew them, known ones where they are;
    * the upper part of the creature pile holds no Fallen Valkyrie;
    * while another seat decides, that decision is offered to it (`resampling/offered.py`).

All possible states are equally likely: hands, drawn cards and hands of tiles count as sets, piles as orders, copies of
a card are told apart. History and policies are not modelled, and the chance to come is keyed by `seed` alone. The
sample is a function of what `player` knows, of public history and of `seed`: nothing else of the true state shows.

What other seats know is made up to fit. Which places of a draw pile or of the tile stack a seat knows follows from
public events, so the masks of places stay where they are; so do those of the own cards. A card dealt into another hand
is known to its owner alone, and of a card that `player` knows there it stays known to all if it was.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import forget_events
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_RESAMPLE, mix, stream
from northmen_env.games.northgard.resampling.cards import deal_seat, shuffle_creatures_anew, shuffle_development
from northmen_env.games.northgard.resampling.offered import (
    asks_for_tiles,
    deal_seat_in_question,
    deal_tiles_in_question,
    seat_in_question,
)
from northmen_env.games.northgard.resampling.tiles import deal_tiles
from northmen_env.games.northgard.rules import refresh

# Occurrences of the stream (seed, PURPOSE_RESAMPLE, player, ...).
_FUTURE, _CARDS, _TILES, _EARLY, _ADVANCED, _UPPER, _LOWER = (np.int64(i) for i in range(7))


@kernel
def resample(rules, state, player, seed):
    """Redraw, in place, everything that `player` does not know."""
    redraw_cards(rules, state, player, stream(seed, PURPOSE_RESAMPLE, player, _CARDS))
    tiles = stream(seed, PURPOSE_RESAMPLE, player, _TILES)
    if asks_for_tiles(state, player):
        deal_tiles_in_question(rules, state, player, tiles)
    else:
        deal_tiles(rules, state, player, tiles)
    shuffle_development(
        rules,
        state,
        stream(seed, PURPOSE_RESAMPLE, player, _EARLY),
        stream(seed, PURPOSE_RESAMPLE, player, _ADVANCED),
    )
    shuffle_creatures_anew(
        rules,
        state,
        stream(seed, PURPOSE_RESAMPLE, player, _UPPER),
        stream(seed, PURPOSE_RESAMPLE, player, _LOWER),
    )
    state.seed = stream(seed, PURPOSE_RESAMPLE, player, _FUTURE)
    state.dice[:] = 0  # the streams of the new seed are unused
    state.shuffles[:] = 0
    forget_events(rules, state, player)
    if state.player >= 0 and state.player != player:
        refresh(rules, state)


@kernel
def redraw_cards(rules, state, player, key):
    """Deal the cards of all seats anew."""
    asked = seat_in_question(state, player)
    for q in range(np.int64(rules.num_players)):
        if q == asked:
            deal_seat_in_question(rules, state, player, q, mix(key, q))
        else:
            deal_seat(rules, state, player, q, mix(key, q))
