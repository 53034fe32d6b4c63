"""Connect four over the engine's verbs: the game on which speed is compared with other libraries' engines.

Bit boards with seven bits a column (six squares and one that stays empty), so that shifts by 1, 7, 6 and 8 follow
columns, rows and both diagonals without wrapping.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from northmen_env.engine.events import event_fields
from northmen_env.engine.game import Game
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import ActionRange, ActionTable, Block, ObservationLayout, record_dtype
from northmen_env.engine.spec import EventKind, GameSpec

COLUMNS, ROWS, HEIGHT = 7, 6, 7
BOTTOM_ROW = sum(1 << (c * HEIGHT) for c in range(COLUMNS))
TOP_ROW = BOTTOM_ROW << (ROWS - 1)
BOARD = BOTTOM_ROW * ((1 << ROWS) - 1)

RULES = record_dtype(
    "connect_four_rules",
    [("num_players", np.int32), ("history", np.int32), ("dense", np.int32)],
    sources=Path(__file__),
)
STATE = record_dtype(
    "connect_four",
    [
        ("seed", np.uint64),  # unused: there is no chance in this game
        ("stones", np.int64, (2,)),  # bit board of each seat
        ("player", np.int16),  # seat to act, -1 at the end
        ("winner", np.int16),  # -1 while nobody has four in a row
        *event_fields(2),
    ],
    sources=Path(__file__),
)


@kernel
def setup(rules, state, seed):
    state.seed = seed
    state.winner = -1


@kernel
def legal_ids(rules, state, ids):
    count = 0
    if state.player < 0:
        return count
    filled = int(state.stones[0]) | int(state.stones[1])
    for column in range(COLUMNS):
        ids[count] = column
        count += 1 - ((filled >> (column * HEIGHT + ROWS - 1)) & 1)
    return count


@kernel
def has_four(stones):
    for shift in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = stones & (stones >> shift)
        if pairs & (pairs >> (2 * shift)):
            return True
    return False


@kernel
def step(rules, state, action):
    player = int(state.player)
    filled = int(state.stones[0]) | int(state.stones[1])
    column = ((1 << ROWS) - 1) << (int(action) * HEIGHT)
    stones = int(state.stones[player]) | ((filled + (BOTTOM_ROW & column)) & column & ~filled)
    state.stones[player] = stones
    if has_four(stones):
        state.winner = player
        state.player = -1
    else:
        state.player = 1 - player if (filled | stones) != BOARD else -1


@kernel
def observe(rules, state, player, out):
    for square in range(COLUMNS * HEIGHT):
        out[square] = np.float32((int(state.stones[player]) >> square) & 1)
        out[COLUMNS * HEIGHT + square] = np.float32((int(state.stones[1 - player]) >> square) & 1)


@kernel
def resample(rules, state, player, seed):
    state.seed = seed  # nothing is hidden


@kernel
def returns(rules, state, out):
    winner = int(state.winner)
    for p in range(2):
        out[p] = 0.0 if winner < 0 else (1.0 if winner == p else -1.0)


@kernel
def suggest(rules, state, player, seed):
    ids = np.empty(COLUMNS, np.int16)
    return int(ids[legal_ids(rules, state, ids) // 2])  # a middle column


@kernel
def check(rules, state):
    return 1 if int(state.stones[0]) & int(state.stones[1]) else 0


class Options(BaseModel):
    """Connect four has no options."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    num_players: Literal[2] = 2


def build_rules(options: Options) -> np.ndarray:
    rules = np.zeros(1, RULES)
    rules["num_players"] = 2
    return rules


def to_dict(options: Options, rules: Any, state: Any) -> dict[str, Any]:
    return {"stones": state.stones.tolist(), "player": int(state.player), "winner": int(state.winner)}


def from_dict(options: Options, rules: Any, d: Any, state: Any) -> None:
    state.stones, state.player, state.winner = d["stones"], d["player"], d["winner"]


def text(rules: Any, state: Any, seat: int | None) -> str:
    def square(column: int, row: int) -> str:
        return next(("XO"[p] for p in (0, 1) if int(state.stones[p]) >> (column * HEIGHT + row) & 1), ".")

    return "\n".join("".join(square(c, r) for c in range(COLUMNS)) for r in reversed(range(ROWS)))


GAME = GameSpec(
    name="connect_four",
    title="Connect four",
    version=0,
    player_counts=(2,),
    options=Options,
    state_dtype=STATE,
    rules_dtype=RULES,
    kernels={
        "setup": setup, "step": step, "legal_ids": legal_ids, "observe": observe, "resample": resample,
        "returns": returns, "scores": returns, "suggest": suggest, "evaluate": returns, "check": check,
    },
    actions=ActionTable([ActionRange("DROP", COLUMNS, "column")]),
    observation=ObservationLayout([Block("stones", (2, COLUMNS, HEIGHT), "flag")]),
    max_legal=COLUMNS,
    events=(EventKind("none", "nothing is logged: everything is public"),),
    feature_columns=("column",),
    build_rules=build_rules,
    max_decisions=lambda options: COLUMNS * ROWS,
    teams=lambda options: ((0,), (1,)),
    options_dict=lambda options: options.model_dump(),
    ranks=lambda rules, state: [1, 1] if state.winner < 0 else [1 + (state.winner != p) for p in (0, 1)],
    action_text=lambda rules, action: f"DROP column {action}",
    action_features=lambda rules: np.arange(COLUMNS, dtype=np.float32)[:, None] / np.float32(COLUMNS),
    event_text=lambda rules, viewer, row: "",
    to_dict=to_dict,
    from_dict=from_dict,
    observation_text=lambda rules, state, player: text(rules, state, None),
    render_text=text,
    render_svg=lambda rules, state, seat: "<svg xmlns='http://www.w3.org/2000/svg'/>",
    hidden_targets=lambda rules, state: {},
    check_data=lambda path: [],
    module=__name__,
)  # fmt: skip


def load() -> Game:
    """Return the game."""
    return Game(GAME)
