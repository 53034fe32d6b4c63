"""Many games at once: kernels that step a block of games and write into buffers their caller owns.

Game `i` of a batch follows the rules `rules[config[i]]`. Its first game has the seed `seed[i]`, and game number `k`
after it `episode_seed(seed[i], k)`. A game that ends is replaced by the next in the same step; what it ended with stays
in the `final_*` buffers. Kernels are serial and release the GIL: a user who wants threads gives each a range of games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from northmen_env.engine import verbs
from northmen_env.engine.game import Game
from northmen_env.engine.jit import kernel
from northmen_env.engine.observation import write_observation
from northmen_env.engine.opponents import PYTHON, SEAT, play_opponents, seat_opponents
from northmen_env.engine.playout import state_words
from northmen_env.engine.random import PURPOSE_AGENT, PURPOSE_SEAT, below, draw, episode_seed, mix, stream
from northmen_env.engine.rewards import pay, pay_illegal, team_numbers

RANDOM_SEAT = -1
MOST_SKIPPED = 1000
"""Games in a row that may end before the learner is asked anything, before that is called an error."""


class Batch(NamedTuple):
    """The arrays of a batch of N games in C configurations (S seats, A actions, K most legal, D floats).

    Buffers that nobody wants (`mask`, `legal_ids`, `observation`, `final_obs`) have width 0.
    """

    rules: np.ndarray  # (C,) RULES, read-only
    teams: np.ndarray  # (C, S) int64, team number of each seat, -1 for absent ones
    config: np.ndarray  # (N,) int64
    states: np.ndarray  # (N,) STATE
    words: np.ndarray  # (N, W) uint64, the bytes of `states`
    seed: np.ndarray  # (N,) uint64
    episode: np.ndarray  # (N,) int64
    ids: np.ndarray  # (N, K) int16, legal actions that `step_games` checks against: never handed out
    listed: np.ndarray  # (N,) int64, how many they are
    paid: np.ndarray  # (N, S) float64, paid to each seat in this game
    decisions: np.ndarray  # (N,) int64, made in this game
    player: np.ndarray  # (N,) int64, seat to act
    observation: np.ndarray  # (N, D) float32, of that seat
    mask: np.ndarray  # (N, A) int8
    legal_ids: np.ndarray  # (N, K) int16, -1 beyond `legal_count`
    legal_count: np.ndarray  # (N,) int64
    rewards: np.ndarray  # (N, S) float64, of the last step
    terminated: np.ndarray  # (N,) bool, whether a game ended in the last step
    illegal: np.ndarray  # (N,) bool, by an illegal action
    final_obs: np.ndarray  # (N, D) float32, what is below: of the last game that ended
    final_player: np.ndarray  # (N,) int64, seat that made its last decision
    final_returns: np.ndarray  # (N, S) float64
    final_scores: np.ndarray  # (N, S) float64
    final_decisions: np.ndarray  # (N,) int64
    final_seed: np.ndarray  # (N,) uint64


class Learners(NamedTuple):
    """What a batch has in addition where one seat of each game learns, and kernels or policies play the others."""

    wanted: np.ndarray  # (N,) int64, the learner's seat, or RANDOM_SEAT for another in each game
    kinds: np.ndarray  # (N, S - 1) int64, opponents in the next game, clockwise from the learner
    seat: np.ndarray  # (N,) int64, the learner's seat in this game
    others: np.ndarray  # (N, S) SEAT
    reward: np.ndarray  # (N,) float64, the learner's in the last step
    carried: np.ndarray  # (N,) float64, what it was paid before its first decision: part of its next reward
    fresh: np.ndarray  # (N,) bool, whether it has not decided in this game yet
    asked: np.ndarray  # (N,) int64, who is to act: PYTHON for the learner, ASKED or more for a policy
    keys: np.ndarray  # (N,) uint64, the chance of that policy's decision: what `BaseAgent.next_key` gives


def new_batch(games: Sequence[Game], num_envs: int, buffers: dict[str, np.ndarray], ids_wanted: bool) -> Batch:
    """Return the arrays of a batch; env `i` plays `games[i % len(games)]`.

    Args:
        games: configurations of one game, of equal spaces.
        buffers: ready-made arrays for some fields; their shapes have been checked.
        ids_wanted: whether `legal_ids` is filled in.
    """
    first = games[0]
    n, seats, width = num_envs, first.seats, first.max_legal
    rules = np.zeros(len(games), first.rules.dtype)
    for i, game in enumerate(games):
        rules[i : i + 1].view(np.uint8)[:] = game.rules.view(np.uint8)
    rules.setflags(write=False)
    states = np.zeros(n, first.spec.state_dtype)
    made: dict[str, np.ndarray] = {
        "rules": rules,
        "teams": np.stack([team_numbers(game.teams, seats) for game in games]),
        "config": np.arange(n, dtype=np.int64) % len(games),
        "states": states,
        "words": state_words(states).reshape(n, -1),
        "seed": np.zeros(n, np.uint64),
        "ids": np.zeros((n, width), np.int16),
        "observation": np.zeros((n, first.observation_size), np.float32),
        "mask": np.zeros((n, first.num_actions), np.int8),
        "legal_ids": np.full((n, width if ids_wanted else 0), -1, np.int16),
        "terminated": np.zeros(n, np.bool_),
        "illegal": np.zeros(n, np.bool_),
        "final_obs": np.zeros((n, first.observation_size), np.float32),
        "final_seed": np.zeros(n, np.uint64),
    }
    for name in ("episode", "listed", "decisions", "player", "legal_count", "final_player", "final_decisions"):
        made[name] = np.zeros(n, np.int64)
    for name in ("paid", "rewards", "final_returns", "final_scores"):
        made[name] = np.zeros((n, seats))
    return Batch(**{**made, **buffers})


def new_learners(batch: Batch, seat: int, kinds: Sequence[int]) -> Learners:
    """Return the learners' arrays; `seat` may be RANDOM_SEAT, `kinds` are every env's, clockwise from the learner."""
    n, seats = batch.rewards.shape
    return Learners(
        wanted=np.full(n, seat, np.int64),
        kinds=np.tile(np.asarray(kinds, np.int64), (n, 1)),
        seat=np.zeros(n, np.int64),
        others=np.zeros((n, seats), SEAT),
        reward=np.zeros(n),
        carried=np.zeros(n),
        fresh=np.ones(n, np.bool_),
        asked=np.zeros(n, np.int64),
        keys=np.zeros(n, np.uint64),
    )


# -- all seats ---------------------------------------------------------------------------------------------------------


# The loops index the arrays directly: a row taken as an array of its own (`b.mask[i]`) is counted and released by two
# atomic operations, which cost more than what is done with it.


@kernel
def begin_games(b, first, last):
    """Start game number `episode[i]` of each env `i` in [first, last)."""
    for i in range(first, last):
        _start(b.rules[b.config[i]], b.states[i], b.words[i], episode_seed(b.seed[i], b.episode[i]))
        b.paid[i] = 0.0
        b.rewards[i] = 0.0
        b.decisions[i] = 0
        b.terminated[i] = False
        b.illegal[i] = False
    show_games(b, first, last)


@kernel
def show_games(b, first, last):
    """Write the seats to act, their legal actions and observations, for each env in [first, last)."""
    found = np.empty(b.ids.shape[1], np.int16)
    for i in range(first, last):
        rules, state = b.rules[b.config[i]], b.states[i]
        b.player[i] = int(state.player)
        b.listed[i] = _list(rules, state, found, i, b.ids, b.mask, b.legal_ids)
        b.legal_count[i] = b.listed[i]
        if b.observation.shape[1] > 0:
            write_observation(rules, state, int(state.player), b.observation[i])


@kernel
def step_games(b, actions, first, last):
    """Take int64 `actions` (N,) in the envs [first, last); a game that ends is replaced by the next.

    Each game is shown right after its step, while its state is in the processor's cache.
    """
    found = np.empty(b.ids.shape[1], np.int16)
    for i in range(first, last):
        rules, state = b.rules[b.config[i]], b.states[i]
        actor = int(state.player)
        b.decisions[i] += 1
        b.illegal[i] = not _is_listed(i, b.ids, b.listed[i], actions[i])
        if b.illegal[i]:
            pay_illegal(b.teams[b.config[i]], actor, int(rules.num_players), b.paid[i], b.rewards[i])
        else:
            verbs.step(rules, state, int(actions[i]))
            _pay(rules, state, i, b.paid, b.rewards)
        b.terminated[i] = b.illegal[i] or int(state.player) < 0
        if b.terminated[i]:
            _close(b, i, actor)
            _start(rules, state, b.words[i], episode_seed(b.seed[i], b.episode[i]))
        b.player[i] = int(state.player)
        b.listed[i] = _list(rules, state, found, i, b.ids, b.mask, b.legal_ids)
        b.legal_count[i] = b.listed[i]
        if b.observation.shape[1] > 0:
            write_observation(rules, state, int(state.player), b.observation[i])


@kernel
def _start(rules, state, words, seed):
    words[:] = 0
    verbs.setup(rules, state, seed)


@kernel
def _list(rules, state, found, i, ids, mask, legal_ids):
    """List the legal actions in row `i` of three arrays, as far as they have a width; return how many there are."""
    count = verbs.legal_ids(rules, state, found)
    for k in range(count):
        ids[i, k] = found[k]
    for k in range(legal_ids.shape[1]):
        legal_ids[i, k] = found[k] if k < count else -1
    for a in range(mask.shape[1]):
        mask[i, a] = 0
    for k in range(count if mask.shape[1] > 0 else 0):
        mask[i, found[k]] = 1
    return count


@kernel
def _is_listed(i, ids, count, action):
    for k in range(count):
        if ids[i, k] == action:
            return True
    return False


@kernel
def _pay(rules, state, i, paid, rewards):
    """As `rewards.pay`, for row `i`; most steps pay nothing."""
    if rules.dense != 0 or int(state.player) < 0:
        pay(rules, state, paid[i], rewards[i])
        return
    for p in range(rewards.shape[1]):
        rewards[i, p] = 0.0


@kernel
def _close(b, i, seat):
    """Keep what the game of env `i` ended with, `seat` being the one that is told, and go on to the next number."""
    rules, state = b.rules[b.config[i]], b.states[i]
    if b.final_obs.shape[1] > 0:
        write_observation(rules, state, seat, b.final_obs[i])
    b.final_player[i] = seat
    b.final_returns[i] = b.paid[i]
    b.final_decisions[i] = b.decisions[i]
    b.final_seed[i] = episode_seed(b.seed[i], b.episode[i])
    verbs.scores(rules, state, b.final_scores[i])
    b.episode[i] += 1
    b.paid[i] = 0.0
    b.decisions[i] = 0


# -- one learner in each game ------------------------------------------------------------------------------------------


@kernel
def begin_learners(b, who, first, last):
    """As `begin_games`, up to the first decision that no kernel makes; return False where a learner is never asked."""
    found = np.empty(b.ids.shape[1], np.int16)
    for i in range(first, last):
        b.terminated[i] = False
        b.illegal[i] = False
        who.reward[i] = 0.0
        if not _start_learner(b, who, i):
            return False
        _show_learner(b, who, found, i)
    return True


@kernel
def _start_learner(b, who, i):
    """Begin games until somebody outside of the kernels is asked in one."""
    rules, state = b.rules[b.config[i]], b.states[i]
    for _ in range(MOST_SKIPPED):
        seed = episode_seed(b.seed[i], b.episode[i])
        _start(rules, state, b.words[i], seed)
        b.paid[i] = 0.0
        b.decisions[i] = 0
        n = int(rules.num_players)
        seat = int(who.wanted[i])
        if seat == RANDOM_SEAT:
            seat = below(draw(stream(seed, PURPOSE_SEAT, 0, 0), 0), n)
        who.seat[i] = seat
        who.fresh[i] = True
        seat_opponents(who.others[i], who.kinds[i], seat, n, seed)
        who.carried[i] = play_opponents(rules, state, seat, who.others[i], b.ids[i], b.paid[i], b.rewards[i], 0.0)
        if int(state.player) >= 0:
            return True
        b.episode[i] += 1
    return False


@kernel
def step_learners(b, who, actions, first, last):
    """Take the learners' `actions` (N,) and play on to the next decisions that no kernel makes; as `begin_learners`."""
    found = np.empty(b.ids.shape[1], np.int16)
    for i in range(first, last):
        b.decisions[i] += 1
        who.reward[i] = _turn(b, who, actions[i], found, i, who.carried[i])
        who.carried[i] = 0.0
        who.fresh[i] = False
        b.terminated[i] = b.illegal[i] or int(b.states[i].player) < 0
        if b.terminated[i]:
            _close(b, i, int(who.seat[i]))
            if not _start_learner(b, who, i):
                return False
        _show_learner(b, who, found, i)
    return True


@kernel
def answer_learners(b, who, actions, first, last):
    """Where a policy was asked, take its action from `actions` (N,) and play on; as `step_learners`.

    What the learner is paid belongs to its last decision, or to its first one if it has not decided in this game yet.
    A game that ends before the learner was asked anything is passed over.
    """
    found = np.empty(b.ids.shape[1], np.int16)
    for i in range(first, last):
        if who.asked[i] == PYTHON:
            continue
        who.others[i, int(b.states[i].player)].made += 1
        own = b.illegal[i]
        received = _turn(b, who, actions[i], found, i, who.carried[i] if who.fresh[i] else who.reward[i])
        over = b.illegal[i] or int(b.states[i].player) < 0
        b.illegal[i] = own
        if who.fresh[i]:
            who.carried[i] = received
        else:
            who.reward[i] = received
        if over and who.fresh[i]:
            b.episode[i] += 1
        elif over:
            b.terminated[i] = True
            _close(b, i, int(who.seat[i]))
        if over and not _start_learner(b, who, i):
            return False
        _show_learner(b, who, found, i)
    return True


@kernel
def suggest_games(b, keys, actions, first, last):
    """Write into `actions` (N,) what the heuristic would do in each env of [first, last) by the chance `keys` (N,)."""
    for i in range(first, last):
        rules, state = b.rules[b.config[i]], b.states[i]
        actions[i] = verbs.suggest(rules, state, int(state.player), keys[i])


@kernel
def _turn(b, who, action, found, i, received):
    """Take the action of the seat to act in env `i` and play on; return `received` and the learner's payments."""
    rules, state, seat = b.rules[b.config[i]], b.states[i], int(who.seat[i])
    b.illegal[i] = not _is_listed(i, b.ids, b.listed[i], action)
    if b.illegal[i]:
        pay_illegal(b.teams[b.config[i]], int(state.player), int(rules.num_players), b.paid[i], b.rewards[i])
        return received + b.rewards[i, seat]
    verbs.step(rules, state, int(action))
    _pay(rules, state, i, b.paid, b.rewards)
    received += b.rewards[i, seat]
    return play_opponents(rules, state, seat, who.others[i], found, b.paid[i], b.rewards[i], received)


@kernel
def _show_learner(b, who, found, i):
    """Write who is to act in env `i`, its legal actions and observation."""
    rules, state = b.rules[b.config[i]], b.states[i]
    p = int(state.player)
    b.player[i] = p
    b.listed[i] = _list(rules, state, found, i, b.ids, b.mask, b.legal_ids)
    b.legal_count[i] = b.listed[i]
    write_observation(rules, state, p, b.observation[i])
    who.asked[i] = int(who.others[i, p].kind)
    who.keys[i] = mix(stream(who.others[i, p].key, PURPOSE_AGENT, p, 0), who.others[i, p].made + 1)
