"""Guess the coins: the smallest game with hidden hands, claims that may be lies, and chance during the game.

In each of `rounds` rounds every seat (2 to 4) tosses a coin that it alone sees. In turn each seat claims what its coin
shows, true or not; then in turn each guesses how many coins show heads. The coins are shown and a right guess scores
a point. Whoever has more points wins: the mean of (points of the seat - points of another) over the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from northmen_env.engine.events import emit, emit_to, event_fields, forget_events
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import ActionRange, ActionTable, Block, ObservationLayout, record_dtype
from northmen_env.engine.random import PURPOSE_RESAMPLE, below, draw, secret_seed, stream
from northmen_env.engine.spec import EventKind, GameSpec

SEATS = 4
TAILS, HEADS, GUESS = 0, 1, 2  # actions; a guess of k heads is GUESS + k
TOSS = 1  # purpose of a random stream
TOSSED, CLAIMED, GUESSED, SHOWN = 0, 1, 2, 3  # events

RULES = record_dtype(
    "coin_rules",
    [("num_players", np.int64), ("rounds", np.int64), ("history", np.int64), ("dense", np.int64)],
    sources=Path(__file__),
)
STATE = record_dtype(
    "coin",
    [
        ("seed", np.uint64),  # nobody
        ("player", np.int16),  # public
        ("round_number", np.int16),  # 0..rounds - 1; public
        ("turn", np.int16),  # 0..2n - 1: claims, then guesses; public
        ("coin", np.int16, (SEATS,)),  # 0 or 1; owner
        ("claim", np.int16, (SEATS,)),  # -1, 0 or 1; public
        ("guess", np.int16, (SEATS,)),  # -1 or 0..n; public
        ("points", np.int16, (SEATS,)),  # public
        *event_fields(SEATS),
    ],
    Path(__file__),
)
OBSERVATION = ObservationLayout(
    [
        Block("present", (SEATS,), "flag", about="seats in the game, the own one first"),
        Block("coin", (2,), "onehot", 1.0, ("tails", "heads"), "the own coin"),
        Block("claim", (SEATS, 2), "onehot", 1.0, ("tails", "heads"), "what each seat claimed"),
        Block("guess", (SEATS,), "index", 0.125, (), "number of heads each seat guessed"),
        Block("points", (SEATS,), "count", 0.25, (), "points of each seat"),
        Block("actor", (SEATS,), "onehot", 1.0, (), "seat to act"),
        Block("guessing", (1,), "flag", about="whether it guesses"),
        Block("rounds_left", (1,), "count", 0.25, (), "rounds after this one"),
    ]
)


@kernel
def setup(rules, state, seed):
    state.seed = seed
    toss(rules, state)


@kernel
def toss(rules, state):
    state.player = 0
    state.turn = 0
    state.claim[:] = -1
    state.guess[:] = -1
    for p in range(int(rules.num_players)):
        state.coin[p] = below(draw(stream(state.seed, TOSS, p, int(state.round_number)), 0), 2)
        emit_to(rules, state, p, TOSSED, p, int(state.coin[p]), -1)


@kernel
def legal_ids(rules, state, ids):
    n = int(rules.num_players)
    if int(state.player) < 0:
        return 0
    if int(state.turn) < n:
        ids[0], ids[1] = TAILS, HEADS
        return 2
    for k in range(n + 1):
        ids[k] = GUESS + k
    return n + 1


@kernel
def step(rules, state, action):
    n, p = int(rules.num_players), int(state.player)
    if int(state.turn) < n:
        state.claim[p] = action
        emit(rules, state, CLAIMED, p, action, -1)
    else:
        state.guess[p] = action - GUESS
        emit(rules, state, GUESSED, p, action - GUESS, -1)
    state.turn += 1
    state.player = int(state.turn) % n
    if int(state.turn) == 2 * n:
        show(rules, state)


@kernel
def show(rules, state):
    n, heads = int(rules.num_players), 0
    for p in range(n):
        heads += int(state.coin[p])
        emit(rules, state, SHOWN, p, int(state.coin[p]), -1)
    for p in range(n):
        if int(state.guess[p]) == heads:
            state.points[p] += 1
    state.round_number += 1
    if int(state.round_number) == int(rules.rounds):
        state.player = -1
    else:
        toss(rules, state)


@kernel
def observe(rules, state, player, out):
    n, one = int(rules.num_players), np.float32(1.0)
    out[:] = np.float32(0.0)
    out[SEATS + int(state.coin[player])] = one
    for i in range(n):
        p = (player + i) % n
        out[i] = one
        if int(state.claim[p]) >= 0:
            out[6 + 2 * i + int(state.claim[p])] = one
        out[14 + i] = np.float32(int(state.guess[p]) + 1) * np.float32(0.125)
        out[18 + i] = np.float32(int(state.points[p])) * np.float32(0.25)
    if int(state.player) >= 0:
        out[22 + (int(state.player) - player) % n] = one
        out[26] = one if int(state.turn) >= n else np.float32(0.0)
        out[27] = np.float32(int(rules.rounds) - int(state.round_number) - 1) * np.float32(0.25)


@kernel
def resample(rules, state, player, seed):
    if int(state.player) >= 0:  # at the end the coins have been shown
        for p in range(int(rules.num_players)):
            if p != player:
                state.coin[p] = below(draw(stream(seed, PURPOSE_RESAMPLE, p, 0), 0), 2)
    state.seed = secret_seed(seed, PURPOSE_RESAMPLE, SEATS, 0)
    forget_events(rules, state, player)


@kernel
def scores(rules, state, out):
    for p in range(int(rules.num_players)):
        out[p] = float(state.points[p])


@kernel
def evaluate(rules, state, out):
    n, total = int(rules.num_players), 0.0
    for p in range(n):
        total += float(state.points[p])
    for p in range(n):
        out[p] = (n * float(state.points[p]) - total) / (n - 1)


@kernel
def returns(rules, state, out):
    out[:] = 0.0
    if int(state.player) < 0:
        evaluate(rules, state, out)


@kernel
def suggest(rules, state, player, seed):
    """Tell the truth, and believe everybody."""
    n = int(rules.num_players)
    if int(state.turn) < n:
        return int(state.coin[player])
    heads = int(state.coin[player])
    for p in range(n):
        if p != player:
            heads += int(state.claim[p])
    return GUESS + heads


@kernel
def check(rules, state):
    n = int(rules.num_players)
    if not -1 <= int(state.player) < n or not 0 <= int(state.turn) <= 2 * n:
        return 1
    for p in range(SEATS):
        if not 0 <= int(state.coin[p]) <= 1 or (p >= n and int(state.coin[p]) + int(state.points[p]) != 0):
            return 2
    return 0


class Options(BaseModel):
    """Seats and rounds."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    num_players: int = Field(2, ge=2, le=SEATS)
    rounds: int = Field(2, ge=1, le=3)


def build_rules(options: Options) -> np.ndarray:
    rules = np.zeros(1, RULES)
    rules["num_players"], rules["rounds"] = options.num_players, options.rounds
    return rules


FIELDS = ("player", "round_number", "turn", "coin", "claim", "guess", "points")


def to_dict(options: Options, rules: Any, state: Any) -> dict[str, Any]:
    return {name: np.asarray(state[name]).tolist() for name in FIELDS}


def from_dict(options: Options, rules: Any, d: Any, state: Any) -> None:
    if set(d) != set(FIELDS):
        raise ValueError(f"a state has the keys {', '.join(FIELDS)}, not {', '.join(d)}")
    for name in FIELDS:
        state[name] = d[name]
    if check(rules, state) != 0:
        raise ValueError("there is no such state")


def text(rules: Any, state: Any, seat: int | None) -> str:
    lines = [f"round {state.round_number}, player {state.player}"]
    for p in range(int(rules.num_players)):
        coin = state.coin[p] if seat == p else "?"
        lines.append(f"seat {p}: coin {coin} claim {state.claim[p]} guess {state.guess[p]} points {state.points[p]}")
    return "\n".join(lines)


def ranks(rules: Any, state: Any) -> list[int]:
    points = state.points[: int(rules.num_players)].tolist()
    return [1 + sum(other > mine for other in points) for mine in points]


GAME = GameSpec(
    name="coin",
    title="Guess the coins",
    version=0,
    player_counts=(2, 3, 4),
    options=Options,
    state_dtype=STATE,
    rules_dtype=RULES,
    kernels={
        "setup": setup, "step": step, "legal_ids": legal_ids, "observe": observe, "resample": resample,
        "returns": returns, "scores": scores, "suggest": suggest, "evaluate": evaluate, "check": check,
    },
    actions=ActionTable([ActionRange("CLAIM", 2, "tails, heads"), ActionRange("GUESS", SEATS + 1, "heads")]),
    observation=OBSERVATION,
    max_legal=SEATS + 1,
    events=tuple(EventKind(name, "a = coin, claim or guess") for name in ("tossed", "claimed", "guessed", "shown")),
    feature_columns=("guess",),
    build_rules=build_rules,
    max_decisions=lambda options: 2 * options.num_players * options.rounds,
    teams=lambda options: tuple((p,) for p in range(options.num_players)),
    options_dict=lambda options: options.model_dump(),
    ranks=ranks,
    action_text=lambda rules, action: ("CLAIM tails", "CLAIM heads")[action] if action < 2 else f"GUESS {action - 2}",
    action_features=lambda rules: (np.arange(7, dtype=np.float32) >= 2)[:, None].astype(np.float32),
    event_text=lambda rules, viewer, row: f"{('tossed', 'claimed', 'guessed', 'shown')[row[0]]} {row[1]} {row[2]}",
    to_dict=to_dict,
    from_dict=from_dict,
    observation_text=text,
    render_text=text,
    render_svg=lambda rules, state, seat: f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    f"<rect width='{1 + int(state.turn)}' height='5' fill='red'/></svg>",
    hidden_targets=lambda rules, state: {"coin": np.asarray(state.coin)},
    check_data=lambda path: [],
    module=__name__,
)  # fmt: skip
