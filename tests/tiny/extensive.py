"""Games given as tables: any small game of hidden information, written down as a tree.

A game has W worlds, one of which is drawn at the start; nodes with a seat to act, and payoffs at the leaves. Where an
action leads may depend on the world, and `sight` says what a seat sees at a node in a world. Two nodes, or two worlds,
that look alike to a seat are one information set of it. The tables stand in RULES: one compiled game serves all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from northmen_env.engine.events import event_fields
from northmen_env.engine.game import Game
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import ActionRange, ActionTable, Block, ObservationLayout, record_dtype
from northmen_env.engine.random import PURPOSE_RESAMPLE, below, draw, secret_seed, stream
from northmen_env.engine.spec import EventKind, GameSpec

SEATS, NODES, ACTIONS, WORLDS = 4, 512, 9, 2
WORLD = 1  # purpose of a random stream

RULES = record_dtype(
    "extensive_rules",
    [
        ("num_players", np.int64),
        ("history", np.int64),
        ("dense", np.int64),
        ("worlds", np.int64),
        ("partners", np.int64),  # 1: seats 0 and 2 play against 1 and 3
        ("actor", np.int16, (NODES,)),  # seat to act, -1 at a leaf
        ("child", np.int16, (NODES, ACTIONS, WORLDS)),  # node that an action leads to, -1 where it is illegal
        ("payoff", np.float64, (NODES, SEATS)),  # at a leaf
        ("sight", np.int16, (SEATS, NODES, WORLDS)),  # what a seat sees
    ],
    sources=Path(__file__),
)
STATE = record_dtype(
    "extensive",
    [
        ("seed", np.uint64),  # nobody
        ("player", np.int16),  # as `sight` says
        ("node", np.int16),  # as `sight` says
        ("world", np.int16),  # as `sight` says
        *event_fields(SEATS),
    ],
    Path(__file__),
)
OBSERVATION = ObservationLayout([Block("sight", (1,), "index", 1 / 2048, (), "number of what the seat sees")])


@kernel
def setup(rules, state, seed):
    state.seed = seed
    state.world = below(draw(stream(seed, WORLD, 0, 0), 0), int(rules.worlds))
    state.player = rules.actor[0]


@kernel
def legal_ids(rules, state, ids):
    count = 0
    if int(state.player) < 0:
        return count
    for a in range(ACTIONS):
        if rules.child[int(state.node), a, int(state.world)] >= 0:
            ids[count] = a
            count += 1
    return count


@kernel
def step(rules, state, action):
    state.node = rules.child[int(state.node), action, int(state.world)]
    state.player = rules.actor[int(state.node)]


@kernel
def observe(rules, state, player, out):
    out[0] = np.float32(int(rules.sight[player, int(state.node), int(state.world)])) * np.float32(1 / 2048)


@kernel
def resample(rules, state, player, seed):
    """Draw a world that shows `player` the same; the node is public in these games."""
    seen, node, alike = int(rules.sight[player, int(state.node), int(state.world)]), int(state.node), 0
    for w in range(int(rules.worlds)):
        alike += 1 if int(rules.sight[player, node, w]) == seen else 0
    chosen = below(draw(stream(seed, PURPOSE_RESAMPLE, 0, 0), 0), alike)
    for w in range(int(rules.worlds)):
        if int(rules.sight[player, node, w]) == seen:
            if chosen == 0:
                state.world = w
            chosen -= 1
    state.seed = secret_seed(seed, PURPOSE_RESAMPLE, SEATS, 0)


@kernel
def returns(rules, state, out):
    for p in range(out.shape[0]):
        out[p] = rules.payoff[int(state.node), p] if int(state.player) < 0 else 0.0


@kernel
def suggest(rules, state, player, seed):
    ids = np.empty(ACTIONS, np.int16)
    return int(ids[below(draw(seed, 0), legal_ids(rules, state, ids))])


@kernel
def evaluate(rules, state, out):
    for p in range(out.shape[0]):
        out[p] = rules.payoff[int(state.node), p]


@kernel
def check(rules, state):
    return 0


@dataclass
class Tables:
    """A game under construction; node 0 is the root."""

    actor: list[int] = field(default_factory=list)
    child: list[dict[tuple[int, int], int]] = field(default_factory=list)
    payoff: list[tuple[float, ...]] = field(default_factory=list)
    sight: dict[tuple[int, int, int], int] = field(default_factory=dict)
    worlds: int = 1
    partners: bool = False

    def add(self, actor: int, payoff: tuple[float, ...] = ()) -> int:
        """Add a node; return its number. A leaf has the actor -1."""
        self.actor.append(actor)
        self.child.append({})
        self.payoff.append(payoff)
        return len(self.actor) - 1

    def lead(self, node: int, action: int, *targets: int) -> None:
        """Let an action lead to a node, or to a node for each world."""
        for w in range(WORLDS):
            self.child[node][action, w] = targets[min(w, len(targets) - 1)]


class Options(BaseModel):
    """Seats, and one of `PUZZLES`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    num_players: int = Field(2, ge=1, le=SEATS)
    puzzle: str = "guess the coin"
    number: int = 0


PUZZLES: dict[str, Callable[[Options], Tables]] = {}
"""Name -> what makes its tables; tests add theirs."""


def build_rules(options: Options) -> np.ndarray:
    tables = PUZZLES[options.puzzle](options)
    rules = np.zeros(1, RULES)
    rules["num_players"], rules["worlds"] = options.num_players, tables.worlds
    rules["partners"] = tables.partners
    r = rules[0]
    r["actor"], r["child"] = -1, -1
    for node, actor in enumerate(tables.actor):
        r["actor"][node] = actor
        r["payoff"][node, : len(tables.payoff[node])] = tables.payoff[node]
        for (action, w), target in tables.child[node].items():
            r["child"][node, action, w] = target
        r["sight"][:, node, :] = node + 1  # everybody sees the node, nobody the world
    for (seat, node, w), seen in tables.sight.items():
        r["sight"][seat, node, w] = seen
    return rules


def text(rules: Any, state: Any, seat: int | None) -> str:
    return f"node {state.node}"


def teams(options: Options) -> tuple[tuple[int, ...], ...]:
    if PUZZLES[options.puzzle](options).partners:
        return ((0, 2), (1, 3))
    return tuple((p,) for p in range(options.num_players))


GAME = GameSpec(
    name="extensive",
    title="A game in extensive form",
    version=0,
    player_counts=(1, 2, 3, 4),
    options=Options,
    state_dtype=STATE,
    rules_dtype=RULES,
    kernels={
        "setup": setup, "step": step, "legal_ids": legal_ids, "observe": observe, "resample": resample,
        "returns": returns, "scores": returns, "suggest": suggest, "evaluate": evaluate, "check": check,
    },
    actions=ActionTable([ActionRange("MOVE", ACTIONS, "branch")]),
    observation=OBSERVATION,
    max_legal=ACTIONS,
    events=(EventKind("none", "nothing is logged"),),
    feature_columns=("branch",),
    build_rules=build_rules,
    max_decisions=lambda options: NODES,
    teams=teams,
    options_dict=lambda options: options.model_dump(),
    ranks=lambda rules, state: [1] * int(rules.num_players),
    action_text=lambda rules, action: f"MOVE {action}",
    action_features=lambda rules: np.arange(ACTIONS, dtype=np.float32)[:, None],
    event_text=lambda rules, viewer, row: "",
    to_dict=lambda options, rules, state: {"node": int(state.node), "world": int(state.world)},
    from_dict=lambda options, rules, d, state: None,
    observation_text=text,
    render_text=text,
    render_svg=lambda rules, state, seat: "<svg xmlns='http://www.w3.org/2000/svg'/>",
    hidden_targets=lambda rules, state: {},
    check_data=lambda path: [],
    module=__name__,
)  # fmt: skip


def load(puzzle: str, players: int = 2, number: int = 0) -> Game:
    """Return one of the `PUZZLES` as a game."""
    return Game(GAME, puzzle=puzzle, num_players=players, number=number)


# The two classical games in which hidden information is not what a searcher of single worlds takes it for -----------

SAFE, GAMBLE = 0, 1
HEADS, TAILS = 0, 1


def guess_the_coin(options: Options) -> Tables:
    """Seat 0 takes 0.5, or guesses a coin that it does not see for 1 or -1. In each single world the guess is sure."""
    t = Tables(worlds=2)
    root = t.add(0)
    guess = t.add(0)
    safe, right, wrong = t.add(-1, (0.5, -0.5)), t.add(-1, (1.0, -1.0)), t.add(-1, (-1.0, 1.0))
    t.lead(root, SAFE, safe)
    t.lead(root, GAMBLE, guess)
    t.lead(guess, HEADS, right, wrong)
    t.lead(guess, TAILS, wrong, right)
    return t


def safe_or_gamble(options: Options) -> Tables:
    """Seat 0 takes 0.5, or hands seat 1, who sees the coin and wins or loses with it, a choice that it does not see.

    In each single world one of two gambles wins 1, so a searcher of single worlds believes that it can gamble and
    choose the right one later. Seat 1 may also end the game at once, for 0, which is never better for it.
    """
    t = Tables(worlds=2)
    root = t.add(0)
    other = t.add(1)
    choice = t.add(0)
    safe, right, wrong, nothing = (
        t.add(-1, (0.5, -0.5)), t.add(-1, (1.0, -1.0)), t.add(-1, (-1.0, 1.0)), t.add(-1, (0.9, -0.9)),
    )  # fmt: skip
    t.lead(root, SAFE, safe)
    t.lead(root, GAMBLE, other)
    t.lead(other, 0, choice)
    t.lead(other, 1, nothing)
    t.lead(choice, HEADS, right, wrong)
    t.lead(choice, TAILS, wrong, right)
    for w in range(2):
        t.sight[1, other, w] = 1000 + w  # seat 1 sees the coin
    return t


PUZZLES["guess the coin"] = guess_the_coin
PUZZLES["safe or gamble"] = safe_or_gamble
