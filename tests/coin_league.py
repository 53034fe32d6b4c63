"""A tournament of the tiny game "guess the coins", in this process or as a command line of its own."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import Any

from northmen_agents import AgentFactory, make_factory
from northmen_agents.arena.execute import run_here
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.results import exported
from northmen_agents.arena.schedule import Schedule
from northmen_env.engine.game import Game
from tiny.coin import GAME as COIN

TESTS = Path(__file__).resolve().parent
CONFIGS = TESTS / "agents" / "configs"

# What a process has to run before it knows the tiny game by name.
PREPARED = (
    f"import sys; sys.path[:0] = [{str(TESTS)!r}]; import northmen_env.registry as r; "
    "r.GAMES['coin'] = ('tiny.coin', 0); from northmen_env.cli import main; "
)


TINY_GAMES = {"coin": ("tiny.coin", 0), "ask": ("tiny.ask", 0)}
"""Entries for `northmen_env.registry.GAMES`; a test that adds them takes them out again (`monkeypatch.setitem`)."""


def coin_game(players: int = 2) -> Game:
    """Return the tiny game."""
    return Game(COIN, num_players=players)


def league() -> dict[str, AgentFactory]:
    """Return four agents."""
    return {
        "random": make_factory("random"),
        "heuristic": make_factory("heuristic"),
        "mc-10": make_factory("flat-mc", simulations=10),
        "mc-100": make_factory("flat-mc", simulations=100),
    }


def played(players: int, deals: int, **schedule: Any) -> list[GameResult]:
    """Return the games of a tournament of the league, played in this process."""
    factories = league()
    plan = Schedule(tuple(factories), players, deals, **schedule)
    return list(chain.from_iterable(run_here(coin_game(players), factories, plan)))


def comparable(results: list[GameResult]) -> list[dict[str, Any]]:
    """Return what two runs of one tournament must agree on."""
    return list(exported(sorted(results, key=lambda result: result.key)))


def command(*arguments: str, before: str = "") -> list[str]:
    """Return a command line that runs `northmen` with these arguments, after the Python code `before`."""
    return [sys.executable, "-c", f"{PREPARED}{before}main()", *arguments]


def tournament(folder: Path, *overrides: str, before: str = "") -> list[str]:
    """Return the command line of a tournament of the tiny game with its results in `folder`."""
    return command(
        "tournament", "--config-dir", str(CONFIGS), "game=coin", "tournament=smoke", f"results={folder}",
        "name=${game.name}-${players}p", *overrides,
        before=before,
    )  # fmt: skip
