"""The verb `resample`: another state that a seat cannot tell from this one (SAGA-INFO-11).

Law. A state is possible for `player` exactly if

    * all that `player` observes is as it is, sizes of hands and decks included;
    * KH[q] is in the hand of q; known places in the trade deck and known holders of routes hold;
    * a set of held cards exists for each opponent q (below);
    * while another seat decides, that decision is offered to it.

All possible states are equally likely: hands and discards count as sets, decks and the drawn pair as orders. History
and policies are not modelled, and the chance to come is keyed by `seed` alone. The sample is a function of what
`player` knows, of public history and of `seed`: nothing else of the true state shows in it.

Held cards. Until q ends its planning turn of the round, rounds 2 and 3 demand, with X = hand and pile of q, that
|X & KHprev[q]| >= held_n[q] - (H[q] - |KHprev[q]|), and, until `player` has ended its own, |X - NOTHELD[player]| >=
held_n[q]. Facts are compared only when they are of the same planning phase; within it held_n[q] and NOTHELD[player]
can be a round apart and then say nothing about each other. Once q has ended its turn its hand is the held set itself,
and what it does not keep of KHprev[q] lies on the discards.

Hidden decisions of another seat q:

    ROUTE   q is asked after the same route; among its open routes is one that it can complete now above that
    KEEP    the drawn pair is any two of the routes that `player` does not know the place of
    HOLD    `player` sees the state as it was when the step began. How many cards q holds so far, and which, is open:
            any set that leaves q infamy and a hand card above the last held one. Each hand allows equally many sets,
            so the set is drawn after the hand; infamy and reserve of q follow

With `recall = table` the facts that the option removes (covered cards of the others' piles, KH, KHprev, NOTHELD, pos
and holders) are not known and restrict nothing. Covered cards are redrawn; see `resampling/covered.py`.

What other seats know is made up to fit the new world: NOTHELD by `resampling/knowledge.py`; of the trade deck they know
what now lies at the places they know, and as many holders as before, because who returned a route and when was public.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, highest
from northmen_env.engine.events import forget_events
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_RESAMPLE, mix, stream
from northmen_env.games.saga.observe import discards_of
from northmen_env.games.saga.resampling.choices import CHOOSE, fraction, some_of
from northmen_env.games.saga.resampling.covered import redraw_table
from northmen_env.games.saga.resampling.hands import redraw_hands
from northmen_env.games.saga.resampling.knowledge import redraw_knowledge
from northmen_env.games.saga.resampling.routes import redraw_routes
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import CARDS

# Occurrences of the stream (seed, PURPOSE_RESAMPLE, player, ...).
_FUTURE, _CARDS, _ROUTES, _KNOWLEDGE, _HOLD = range(5)


@kernel
def resample(rules, state, player, seed):
    """Redraw, in place, everything that `player` does not know."""
    own_discards = discards_of(rules, state, player)
    cards = stream(seed, PURPOSE_RESAMPLE, player, _CARDS)
    if rules.table_recall == 0:
        discards = redraw_hands(rules, state, player, cards)
    else:
        discards = redraw_table(rules, state, player, cards)
    redraw_routes(rules, state, player, stream(seed, PURPOSE_RESAMPLE, player, _ROUTES))
    if state.decision == Decision.HOLD and state.player != player:
        redraw_hold(state, stream(seed, PURPOSE_RESAMPLE, player, _HOLD))
    redraw_knowledge(rules, state, player, discards, own_discards, stream(seed, PURPOSE_RESAMPLE, player, _KNOWLEDGE))
    state.seed = stream(seed, PURPOSE_RESAMPLE, player, _FUTURE)
    forget_events(rules, state, player)


@kernel
def redraw_hold(state, key):
    """Draw what the seat in HOLD has held so far: cards below its highest one, and one infamy more than they cost."""
    seat = int(state.player)
    infamy = int(state.infamy[seat]) + count(state.held)
    reserve = int(state.reserve[seat]) - count(state.held)
    below_top = int(state.hand[seat]) & ~(1 << highest(state.hand[seat]))
    size = count(below_top)
    most, total = min(size, infamy - 1), 0.0
    for number in range(most + 1):
        total += CHOOSE[size, number]
    goal, reached, held_count = fraction(key, 0) * total, 0.0, 0
    for number in range(most + 1):
        reached += CHOOSE[size, number]
        if reached > goal:
            held_count = number
            break
    held = some_of(mix(key, 1), below_top, held_count, np.empty(CARDS, np.int16))
    state.held = held
    state.hold_last = highest(held) if held != 0 else -1
    state.infamy[seat] = infamy - held_count
    state.reserve[seat] = reserve + held_count
