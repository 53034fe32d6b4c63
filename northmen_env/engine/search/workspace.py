"""Settings of a search, and the arrays that it needs beside its tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from northmen_env.engine.game import Game
from northmen_env.engine.rewards import team_numbers
from northmen_env.engine.search.keys import hash_constants

ACTING, ROOT_SEAT, PATH = 0, 1, 2
"""What makes two states one node, `Settings.keys`: the acting seat's observation; the searching seat's observation and
the seat to act; the actions since the root (for a world whose chance is fixed)."""

ROOT, SLOT = 0, 1
"""Places in the array of states: what is searched from (kept), and the first of the simulations."""

CLOCK, WAITING, SIMULATIONS, DECISIONS, DEEPEST = range(5)
"""Places in the desk's `counters`: see there."""


class Settings(NamedTuple):
    """What a kernel has to know about a search; flags are 0 or 1."""

    player: int  # the searching seat
    keys: int  # ACTING, ROOT_SEAT or PATH
    worlds_every: int  # PATH: a new world after this many simulations
    exploration: float  # c of UCB1 or PUCT, in units of the returns
    widening: float  # nodes below the root have widening * visits ** widening_exponent actions; 0: all at once
    widening_exponent: float
    network: int  # whether leaves wait for a network, and PUCT chooses
    by_suggest: int  # whether playouts, and the first action of a node, follow the game's heuristic
    limit: int  # decisions of a playout before it is cut off and estimated
    with_estimate: int  # whether a playout that ends counts half by `returns` and half by `evaluate`
    paranoid: int  # whether all others are taken to play against the searching seat's side


def desk_dtype(seats: int, max_legal: int) -> np.dtype:
    """Return the record of what a search keeps at hand."""
    fields = [
        ("counters", np.int64, (5,)),  # stamps given, leaves that wait, simulations, decisions, deepest leaf
        ("payoff", np.float64, (seats,)),  # scratch
        ("teams", np.int64, (seats,)),  # team number of each seat, -1 for absent ones
        ("ids", np.int16, (max_legal,)),  # legal actions of the state under the search
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def slot_dtype(seats: int) -> np.dtype:
    """Return the record of a simulation."""
    fields = [
        ("value", np.float64, (seats,)),  # of the leaf, to each seat
        ("depth", np.int64),  # edges taken
        ("leaf", np.int64),  # node that waits for a network, NONE where the tree is full
        ("player", np.int64),  # seat to act at the leaf, -1 where the game has ended
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def action_dtype(seats: int) -> np.dtype:
    """Return the record of an action; sums are over the worlds before this one (PATH)."""
    fields = [
        ("total", np.float64, (seats,)),  # sum of the values that the root's action had
        ("visits", np.int64),  # of the root's action
        ("stamp", np.int64),  # when it was last seen to be legal
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Workspace(NamedTuple):
    """Arrays of a search: S seats, A actions, K most legal, D floats of an observation, B simulations in flight.

    Few arrays of records, because numba passes each array of a tuple in nine parts, through every call: a tuple of many
    arrays takes seconds to compile. A tree that plays its simulations to the end has B = 1 and leaf arrays of width 0.
    """

    desk: np.ndarray  # (1,) desk_dtype(S, K)
    slots: np.ndarray  # (B,) slot_dtype(S)
    actions: np.ndarray  # (A,) action_dtype(S)
    path: np.ndarray  # (B, L) int32, edges taken
    observation: np.ndarray  # (D,) float32
    bits: np.ndarray  # (D or D + 1,) uint32: the same memory, of even size
    constants: np.ndarray  # like `bits`, (2, ...): of the hash
    leaf_observation: np.ndarray  # (B, D) float32, of the seat to act
    leaf_mask: np.ndarray  # (B, A) int8
    leaf_prior: np.ndarray  # (B, A) float32, probabilities that the network gives


def new_workspace(game: Game, batch: int = 0, longest_path: int = 1024) -> Workspace:
    """Return the arrays of a search.

    Args:
        batch: simulations that wait for a network at once; 0 where there is none.
        longest_path: edges that a path in the tree may have; what is below is played out.
    """
    floats, seats, actions = game.observation_size, game.seats, game.num_actions
    bits = np.zeros(floats + floats % 2, np.uint32)
    slots = max(batch, 1)
    desk = np.zeros(1, desk_dtype(seats, game.max_legal))
    desk["teams"] = team_numbers(game.teams, seats)
    return Workspace(
        desk=desk,
        slots=np.zeros(slots, slot_dtype(seats)),
        actions=np.zeros(actions, action_dtype(seats)),
        path=np.zeros((slots, min(game.max_decisions, longest_path)), np.int32),
        observation=bits.view(np.float32)[:floats],
        bits=bits,
        constants=hash_constants(len(bits)),
        leaf_observation=np.zeros((batch, floats), np.float32),
        leaf_mask=np.zeros((batch, actions), np.int8),
        leaf_prior=np.zeros((batch, actions), np.float32),
    )
