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
"""Places in `Workspace.counters`: see there."""

UNLIMITED = 2**40


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


class Workspace(NamedTuple):
    """Arrays of a search: S seats, A actions, K most legal, D floats of an observation, B simulations in flight.

    A tree that plays its simulations to the end has B = 1 and leaf arrays of width 0.
    """

    counters: np.ndarray  # (5,) int64: stamps given, leaves that wait, simulations and decisions made, deepest leaf
    observation: np.ndarray  # (D,) float32
    bits: np.ndarray  # (D or D + 1,) uint32: the same memory, of even size
    constants: np.ndarray  # like `bits`, (2, ...): of the hash
    ids: np.ndarray  # (K,) int16, legal actions of the state under the search
    stamp: np.ndarray  # (A,) int64, when an action was last seen to be legal
    teams: np.ndarray  # (S,) int64, team number of each seat, -1 for absent ones
    payoff: np.ndarray  # (S,) float64, scratch
    path: np.ndarray  # (B, L) int32, edges taken
    depth: np.ndarray  # (B,) int64, how many
    value: np.ndarray  # (B, S) float64, of the leaf, to each seat
    leaf: np.ndarray  # (B,) int64, node that waits for a network, NONE where the tree is full
    leaf_player: np.ndarray  # (B,) int64, seat to act at the leaf, -1 where the game has ended
    leaf_observation: np.ndarray  # (B, D) float32, of that seat
    leaf_mask: np.ndarray  # (B, A) int8
    leaf_prior: np.ndarray  # (B, A) float32, probabilities that the network gives
    visits: np.ndarray  # (A,) int64, PATH: visits of the root's actions in the worlds before this one
    total: np.ndarray  # (A, S) float64, PATH: their sums of values


def new_workspace(game: Game, batch: int = 0, longest_path: int = 1024) -> Workspace:
    """Return the arrays of a search.

    Args:
        batch: simulations that wait for a network at once; 0 where there is none.
        longest_path: edges that a path in the tree may have; what is below is played out.
    """
    floats, seats, actions = game.observation_size, game.seats, game.num_actions
    bits = np.zeros(floats + floats % 2, np.uint32)
    slots = max(batch, 1)
    return Workspace(
        counters=np.zeros(5, np.int64),
        observation=bits.view(np.float32)[:floats],
        bits=bits,
        constants=hash_constants(len(bits)),
        ids=np.zeros(game.max_legal, np.int16),
        stamp=np.zeros(actions, np.int64),
        teams=team_numbers(game.teams, seats),
        payoff=np.zeros(seats),
        path=np.zeros((slots, min(game.max_decisions, longest_path)), np.int32),
        depth=np.zeros(slots, np.int64),
        value=np.zeros((slots, seats)),
        leaf=np.zeros(slots, np.int64),
        leaf_player=np.zeros(slots, np.int64),
        leaf_observation=np.zeros((batch, floats), np.float32),
        leaf_mask=np.zeros((batch, actions), np.int8),
        leaf_prior=np.zeros((batch, actions), np.float32),
        visits=np.zeros(actions, np.int64),
        total=np.zeros((actions, seats)),
    )
