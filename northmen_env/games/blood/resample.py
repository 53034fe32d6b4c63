"""The verb `resample`: another state that a seat cannot tell from this one (BLOOD-INFO-06).

Law. A state is possible for `player` exactly if

    * all that `player` observes is as it is, sizes of hands, prepared tiles and pile included;
    * what is known to lie in the hand or among the prepared tiles of a seat (`held`) lies there;
    * while another seat decides, that decision is offered to it. This says something of its hand at two points: in D01
      one of its tiles can be laid, in D07 one of them is a village tile.

All possible states are equally likely: hands, prepared and removed tiles count as sets, the pile as an order. History
and policies are not modelled, and the chance to come is keyed by `seed` alone. The sample is a function of what
`player` knows and of `seed`: nothing else of the true state shows in it.

In solo the prepared tiles of the bandits are hidden from everybody, so they are dealt anew, too.

Dealing shuffled hidden tiles to the places gives this law, since each state comes from equally many orders; where the
decision of another seat demands a hand, a deal is tried a few times, and then the rest of the law is drawn at once
(`resampling/offered.py`), so that it holds however rare the hands are that fit.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.events import forget_events
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_RESAMPLE, mix, stream
from northmen_env.games.blood.resampling.dealing import deal_to_all, list_hidden
from northmen_env.games.blood.resampling.offered import deal_an_offer, is_offered, seat_in_question
from northmen_env.games.blood.tables import TILES

# Occurrences of the stream (seed, PURPOSE_RESAMPLE, player, ...).
_FUTURE, _TILES = (np.int64(i) for i in range(2))

TRIES = 4
"""Deals that are tried: what the state demands is nearly always there."""


@kernel
def resample(rules, state, player, seed):
    """Redraw, in place, everything that `player` does not know."""
    key = stream(seed, PURPOSE_RESAMPLE, player, _TILES)
    hidden = np.empty(TILES, np.int16)
    number = list_hidden(rules, state, player, hidden)
    asked, found = seat_in_question(state, player), False
    for attempt in range(TRIES):
        deal_to_all(rules, state, player, hidden, number, mix(key, attempt))
        if asked < 0 or is_offered(rules, state, asked):
            found = True
            break
    if not found:
        deal_an_offer(rules, state, player, asked, hidden, number, mix(key, TRIES))
    state.seed = stream(seed, PURPOSE_RESAMPLE, player, _FUTURE)
    forget_events(rules, state, player)
