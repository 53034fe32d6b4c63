"""One whole game as a text that a person can read and a test can compare: the golden playthroughs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

import northmen_env as nm
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, stream
from northmen_env.registry import spec

FOLDER = Path(__file__).resolve().parent / "golden"
SEED = 2026
SHOWN_EVERY = 50
"""Decisions from one full picture to the next; between them a decision is one line."""
LAST_EVENTS = 12
"""Events in a full picture."""


def configurations() -> list[tuple[str, int]]:
    """Return every registered game with every number of players."""
    return [(name, n) for name in nm.games() for n in spec(name).player_counts]


def path(name: str, num_players: int) -> Path:
    """Return the file of a playthrough."""
    return FOLDER / f"{name}-{num_players}p.txt"


def playthrough(name: str, num_players: int) -> str:
    """Play one game by the sampler of `engine.playout` and return its text."""
    game = nm.load(name, num_players=num_players)
    state = game.new_initial_state(seed=SEED)
    key = np.uint64(stream(np.uint64(SEED), PURPOSE_SAMPLER, 0, 0))
    lines, decisions = _header(game), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        action = legal[below(draw(key, decisions), len(legal))]
        if decisions % SHOWN_EVERY == 0:
            lines += _picture(state, decisions)
        before = f"{decisions:4d}  player {state.current_player}  of {len(legal):2d}"
        state.apply_action(action)
        lines.append(f"{before}  {action:3d} {game.action_to_string(action):56.56s}  {state.digest()[:8]}")
        decisions += 1
    return "\n".join([*lines, *_picture(state, decisions), *_end(state)]) + "\n"


def _header(game: Any) -> list[str]:
    return [
        f"{game.spec.title} for {game.num_players}, one game at random (python tests/golden/regenerate.py)",
        "",
        f"options       {json.dumps(game.options_dict)}",
        f"seed          {SEED}",
        f"actions       {game.num_actions}, at most {game.max_legal} legal, at most {game.max_decisions} decisions",
        f"observation   {game.observation_size} numbers, schema {game.observation_schema}",
        f"state         {game.spec.state_dtype.itemsize} bytes, layout {game.state_layout}",
        "",
        "Each line below is a decision: its number, seat, number of legal actions, the action, the digest after it.",
    ]


def _picture(state: Any, decisions: int) -> list[str]:
    """Return what the seat to act sees, at the end what everybody sees."""
    game, player = state.game, max(state.current_player, 0)
    rules, viewer = game.rules[0], None if state.is_terminal() else player
    observed = [hashlib.sha256(state.observation(p).tobytes()).hexdigest()[:8] for p in range(game.num_players)]
    lines = ["", f"---- decision {decisions} ".ljust(100, "-")]
    lines += [*game.spec.render_text(rules, state.record, viewer).splitlines(), ""]
    lines += [f"digest        {state.digest()}", f"observations  {' '.join(observed)}"]
    lines.append(f"player {player} saw, latest last")
    lines += [f"    {game.spec.event_text(rules, player, row)}" for row in state.events(player)[-LAST_EVENTS:]]
    if not state.is_terminal():
        lines.append(f"player {player} may")
        lines += [f"    {action:3d} {game.action_to_string(action)}" for action in state.legal_actions()]
    return [line.rstrip() for line in [*lines, ""]]


def _end(state: Any) -> list[str]:
    return [
        f"scores        {' '.join(f'{x:g}' for x in state.scores())}",
        f"ranks         {' '.join(map(str, state.ranks()))}",
        f"returns       {' '.join(f'{x:g}' for x in state.returns())}",
        f"fingerprint   {state.fingerprint()}",
    ]
