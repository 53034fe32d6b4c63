"""Ambush: the smallest game with a hidden prompt.

Every seat (2 to 4) may secretly hold a knife (a toss decides). In turn a seat travels and earns 1 or 2 coins. Whoever
else holds a knife is then asked in secret, clockwise, whether to use it: that takes the coins, shows the knife and uses
it up. Declining is not seen by anybody, so nobody can tell who declined from who was never asked; while somebody is
asked, the others see that something is pending and not for whom. After 2 journeys each, whoever has more coins wins.
Four seats play as two pairs.
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

SEATS, JOURNEYS = 4, 2
SHORT, LONG, DECLINE, STRIKE = 0, 1, 2, 3  # actions
NONE, TRAVEL, ASK = 0, 1, 2  # decisions
DEAL = 1  # purpose of a random stream
DEALT, TRAVELLED, STRUCK = 0, 1, 2  # events

RULES = record_dtype(
    "ask_rules",
    [("num_players", np.int64), ("history", np.int64), ("dense", np.int64)],
    sources=Path(__file__),
)
STATE = record_dtype(
    "ask",
    [
        ("seed", np.uint64),  # nobody
        ("player", np.int16),  # public in TRAVEL
        ("decision", np.int16),  # public in TRAVEL
        ("journey", np.int16),  # 0..2n; public
        ("earned", np.int16),  # coins of the journey under way; public
        ("knife", np.int16, (SEATS,)),  # 0 or 1; owner
        ("struck", np.int16, (SEATS,)),  # whether the seat has used a knife; public
        ("coins", np.int16, (SEATS,)),  # public
        *event_fields(SEATS),
    ],
    Path(__file__),
)
OBSERVATION = ObservationLayout(
    [
        Block("present", (SEATS,), "flag", about="seats in the game, the own one first"),
        Block("knife", (1,), "flag", about="whether this seat holds a knife"),
        Block("struck", (SEATS,), "flag", about="who has used a knife"),
        Block("coins", (SEATS,), "count", 1 / 32, (), "coins of each seat"),
        Block("traveller", (SEATS,), "onehot", 1.0, (), "whose journey it is"),
        Block("decision", (3,), "onehot", 1.0, ("none", "travel", "ask"), "none while another is asked"),
        Block("earned", (1,), "count", 0.5, (), "coins of the journey under way"),
        Block("journey", (1,), "count", 0.125, (), "journeys begun"),
    ]
)  # fmt: skip


@kernel
def setup(rules, state, seed):
    state.seed = seed
    state.decision = TRAVEL
    for p in range(int(rules.num_players)):
        state.knife[p] = below(draw(stream(seed, DEAL, p, 0), 0), 2)
        emit_to(rules, state, p, DEALT, p, int(state.knife[p]), -1)


@kernel
def legal_ids(rules, state, ids):
    if int(state.player) < 0:
        return 0
    first = SHORT if int(state.decision) == TRAVEL else DECLINE
    ids[0], ids[1] = first, first + 1
    return 2


@kernel
def step(rules, state, action):
    n, p = int(rules.num_players), int(state.player)
    traveller = int(state.journey) % n
    if action <= LONG:
        state.earned = 1 + action
        emit(rules, state, TRAVELLED, p, 1 + action, -1)
        ask_next(rules, state, traveller)
    elif action == DECLINE:
        ask_next(rules, state, p)
    else:
        state.knife[p] = 0
        state.struck[p] = 1
        emit(rules, state, STRUCK, p, -1, -1)
        arrive(rules, state, p)


@kernel
def ask_next(rules, state, after):
    """Ask the next seat behind `after` that holds a knife; the journey ends with the traveller."""
    n = int(rules.num_players)
    traveller, p = int(state.journey) % n, (after + 1) % n
    while p != traveller:
        if int(state.knife[p]) == 1:
            state.player = p
            state.decision = ASK
            return
        p = (p + 1) % n
    arrive(rules, state, traveller)


@kernel
def arrive(rules, state, winner):
    n = int(rules.num_players)
    state.coins[winner] += int(state.earned)
    state.earned = 0
    state.journey += 1
    over = int(state.journey) == JOURNEYS * n
    state.player = -1 if over else int(state.journey) % n
    state.decision = NONE if over else TRAVEL


@kernel
def observe(rules, state, player, out):
    n, one = int(rules.num_players), np.float32(1.0)
    out[:] = np.float32(0.0)
    out[4] = np.float32(int(state.knife[player]))
    for i in range(n):
        p = (player + i) % n
        out[i] = one
        out[5 + i] = np.float32(int(state.struck[p]))
        out[9 + i] = np.float32(int(state.coins[p])) * np.float32(1 / 32)
    if int(state.player) < 0:
        return
    out[13 + (int(state.journey) % n - player) % n] = one
    hidden = int(state.decision) == ASK and int(state.player) != player
    out[17 + (NONE if hidden else int(state.decision))] = one
    out[20] = np.float32(int(state.earned)) * np.float32(0.5)
    out[21] = np.float32(int(state.journey)) * np.float32(0.125)


@kernel
def resample(rules, state, player, seed):
    for p in range(int(rules.num_players)):
        if p == player or int(state.struck[p]) == 1:
            continue
        asked = int(state.decision) == ASK and int(state.player) == p  # its decision is offered in the sample too
        state.knife[p] = 1 if asked else below(draw(stream(seed, PURPOSE_RESAMPLE, p, 0), 0), 2)
    state.seed = secret_seed(seed, PURPOSE_RESAMPLE, SEATS, 0)
    forget_events(rules, state, player)


@kernel
def scores(rules, state, out):
    for p in range(int(rules.num_players)):
        out[p] = float(state.coins[p])


@kernel
def evaluate(rules, state, out):
    """Write each side's lead over the mean of the others; of four seats, those opposite each other are partners."""
    n, total = int(rules.num_players), 0.0
    for p in range(n):
        total += float(state.coins[p])
    for p in range(n):
        mine, sides = float(state.coins[p]), n
        if n == 4:
            mine, sides = mine + float(state.coins[(p + 2) % 4]), 2
        out[p] = (sides * mine - total) / (sides - 1) / 8


@kernel
def returns(rules, state, out):
    out[:] = 0.0
    if int(state.player) < 0:
        evaluate(rules, state, out)


@kernel
def suggest(rules, state, player, seed):
    return LONG if int(state.decision) == TRAVEL else (STRIKE if int(state.earned) == 2 else DECLINE)


@kernel
def check(rules, state):
    n, coins = int(rules.num_players), 0
    for p in range(SEATS):
        coins += int(state.coins[p])
        if int(state.knife[p]) * int(state.struck[p]) != 0 or not 0 <= int(state.knife[p]) <= 1:
            return 1
        if p >= n and int(state.knife[p]) + int(state.struck[p]) + int(state.coins[p]) != 0:
            return 2
    if not int(state.journey) <= coins <= 2 * int(state.journey):
        return 3
    if int(state.decision) == ASK and int(state.knife[int(state.player)]) != 1:
        return 4
    return 0


class Options(BaseModel):
    """Seats."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    num_players: int = Field(2, ge=2, le=SEATS)


def build_rules(options: Options) -> np.ndarray:
    rules = np.zeros(1, RULES)
    rules["num_players"] = options.num_players
    return rules


FIELDS = ("player", "decision", "journey", "earned", "knife", "struck", "coins")


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
    n = int(rules.num_players)
    asked = state.decision == ASK and seat == int(state.player)
    lines = [f"journey {state.journey} of seat {state.journey % n} earned {state.earned}{', asked' if asked else ''}"]
    for p in range(n):
        knife = state.knife[p] if seat == p else "?"
        lines.append(f"seat {p}: knife {knife} struck {state.struck[p]} coins {state.coins[p]}")
    return "\n".join(lines)


def ranks(rules: Any, state: Any) -> list[int]:
    coins = state.coins[: int(rules.num_players)].tolist()
    if len(coins) == 4:
        coins = [coins[p] + coins[(p + 2) % 4] for p in range(4)]
    return [1 + sum(other > mine for other in coins) for mine in coins]


GAME = GameSpec(
    name="ask",
    title="Ambush",
    version=0,
    player_counts=(2, 3, 4),
    options=Options,
    state_dtype=STATE,
    rules_dtype=RULES,
    kernels={
        "setup": setup, "step": step, "legal_ids": legal_ids, "observe": observe, "resample": resample,
        "returns": returns, "scores": scores, "suggest": suggest, "evaluate": evaluate, "check": check,
    },
    actions=ActionTable([ActionRange("TRAVEL", 2, "short, long"), ActionRange("ANSWER", 2, "decline, strike")]),
    observation=OBSERVATION,
    max_legal=2,
    events=tuple(EventKind(name, "a = knife or coins") for name in ("dealt", "travelled", "struck")),
    feature_columns=("answer",),
    build_rules=build_rules,
    max_decisions=lambda options: JOURNEYS * options.num_players**2,
    teams=lambda o: ((0, 2), (1, 3)) if o.num_players == 4 else tuple((p,) for p in range(o.num_players)),
    options_dict=lambda options: options.model_dump(),
    ranks=ranks,
    action_text=lambda rules, action: ("TRAVEL short", "TRAVEL long", "DECLINE", "STRIKE")[action],
    action_features=lambda rules: np.array([[0], [0], [1], [1]], np.float32),
    event_text=lambda rules, viewer, row: f"{('dealt', 'travelled', 'struck')[row[0]]} {row[1]} {row[2]}",
    to_dict=to_dict,
    from_dict=from_dict,
    observation_text=text,
    render_text=text,
    render_svg=lambda rules, state, seat: f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    f"<rect width='{1 + int(state.journey)}' height='5' fill='red'/></svg>",
    hidden_targets=lambda rules, state: {"knife": np.asarray(state.knife)},
    check_data=lambda path: [],
    module=__name__,
)  # fmt: skip
