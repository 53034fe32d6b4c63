"""Opponents that play inside kernels: uniformly random ones, and the game's heuristic.

The opponent on seat `p` of the game with seed `s` has the key `secret_seed(s, PURPOSE_AGENT, p, 0)`. At its decision
number `t` (from 0) a random one takes the legal action at index `below(draw(key, t), count)` of the ascending legal
actions, and the heuristic calls `suggest` with the seed `stream(key, PURPOSE_AGENT, p, t)`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.observation import write_observation
from northmen_env.engine.random import PURPOSE_AGENT, below, draw, secret_seed, stream
from northmen_env.engine.rewards import pay

PYTHON, RANDOM, HEURISTIC, ASKED = 0, 1, 2, 3
"""Who plays a seat: somebody outside of the kernels (the learner, an agent in Python), or one of the two above; from
ASKED on, number `kind - ASKED` of the policies that a batch asks about many games at once."""

SEAT = np.dtype((np.record, np.dtype([("kind", np.int64), ("key", np.uint64), ("made", np.int64)], align=True)))
"""One seat: who plays it, the key of its chance, and its decisions so far."""


@kernel
def seat_opponents(seats, kinds, learner, num_players, seed):
    """Fill in SEAT `seats` (S,) for a new game; `kinds` are the opponents', clockwise from the learner."""
    for p in range(num_players):
        seats[p].kind = PYTHON if p == learner else kinds[(p - learner) % num_players - 1]
        seats[p].key = secret_seed(seed, PURPOSE_AGENT, p, 0)
        seats[p].made = 0


@kernel
def play_opponents(rules, state, learner, seats, ids, paid, rewards, received):
    """Play on until the learner or another seat that no kernel plays is to act, or the game ends.

    Returns:
        `received` and the learner's payments on the way, added in their order.
    """
    while True:
        p = int(state.player)
        if p < 0 or seats[p].kind == PYTHON or seats[p].kind >= ASKED:
            return received
        if seats[p].kind == RANDOM:
            count = verbs.legal_ids(rules, state, ids)
            action = int(ids[below(draw(seats[p].key, seats[p].made), count)])
        else:
            action = verbs.suggest(rules, state, p, stream(seats[p].key, PURPOSE_AGENT, p, seats[p].made))
        seats[p].made += 1
        verbs.step(rules, state, action)
        if rules.dense != 0 or int(state.player) < 0:
            pay(rules, state, paid, rewards)
            received += rewards[learner]


@kernel
def learner_begins(rules, states, learner, seats, kinds, seed, ids, paid, rewards, received):
    """Begin the game `seed` in `states[0]` (all bytes zero) and play on to the first decision made in Python.

    `received` (1,) is the learner's payment so far. Returns the number that `engine.boundary` describes.
    """
    verbs.setup(rules[0], states[0], seed)
    seat_opponents(seats, kinds, learner, int(rules[0].num_players), seed)
    received[0] = play_opponents(rules[0], states[0], learner, seats, ids, paid, rewards, 0.0)
    count = verbs.legal_ids(rules[0], states[0], ids)
    return ((int(states[0].player) + 1) << 16) | int(count)


@kernel
def learner_turn(rules, states, action, learner, seats, ids, mask, observation, paid, rewards, received):
    """Take the legal `action` of the seat to act and play on to the next decision made in Python, or to the end.

    The learner's payments are added to `received`; `mask` and `observation` are the learner's. Returns the number that
    `engine.boundary` describes; -1, and nothing has changed, where the action is not legal.
    """
    count = verbs.legal_ids(rules[0], states[0], ids)
    legal = False
    for k in range(count):
        if ids[k] == action:
            legal = True
    if not legal:
        return -1
    verbs.step(rules[0], states[0], action)
    pay(rules[0], states[0], paid, rewards)
    received[0] = play_opponents(
        rules[0], states[0], learner, seats, ids, paid, rewards, received[0] + rewards[learner]
    )
    return learner_view(rules, states, learner, ids, mask, observation)


@kernel
def learner_view(rules, states, learner, ids, mask, observation):
    """Write the learner's mask (zero where it is not to act) and observation; return as `learner_turn`."""
    count = verbs.legal_ids(rules[0], states[0], ids)
    player = int(states[0].player)
    mask[:] = 0
    if player == learner:
        for k in range(count):
            mask[ids[k]] = 1
    write_observation(rules[0], states[0], learner, observation)
    return ((player + 1) << 16) | int(count)
