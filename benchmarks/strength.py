"""Who beats whom: one agent against another in all other seats, in every seat of every deal, with 95 % intervals.

    python benchmarks/strength.py [--games saga blood northgard] [--players 2 4] [--only WORD] [--times 1.0]
                                  [--results results/strength] [--told] [--markdown docs/results/strength.md]

Each pairing is a tournament of its own, which goes on where it was interrupted and is not played again once it is done;
`--times 0.1` plays a tenth of the deals; `--told` plays nothing and tells what has been played. A claim holds where the
lower bound of the interval (Wilson) is above an equal share of first places; one that k seats have in common counts
1 / k for each. Seconds are the agents' own, on one core.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import northmen_env as nm
from northmen_agents.arena.games import Games
from northmen_agents.arena.results import FILE_NAME, StoredResults
from northmen_agents.arena.run import run_tournament
from northmen_agents.config import validated
from northmen_agents.train.evaluate import wilson
from northmen_env.cli.common import compile_notice

AGENTS: dict[str, dict[str, Any]] = {
    "random": {"kind": "random"},
    "heuristic": {"kind": "heuristic"},
    "pimc-200": {"kind": "pimc", "simulations": 200},
    "mcts-200": {"kind": "mcts", "simulations": 200},
    "mcts-2000": {"kind": "mcts", "simulations": 2000},
    "ppo": {"kind": "ppo", "greedy": True},
}


PPO_GAMES = 2000
"""Games of a policy, which takes a tenth of a millisecond a decision: its lead is smaller than a searcher's."""

GAMES = {("blood", "pimc-200"): 1000}
"""Games of the pairings of a game with an agent, where a hundred left an interval on both sides of an equal share."""

OF_A_GAME = {"blood": {"playout_decisions": 40}}
"""Parameters of the searchers at a game, found by matches; see docs/agents.md."""


def parameters(agent: str, game: str) -> dict[str, Any]:
    """Return kind and parameters of an agent at a game."""
    searches = AGENTS[agent]["kind"] in ("mcts", "pimc")
    return {**AGENTS[agent], **(OF_A_GAME.get(game, {}) if searches else {})}


@dataclass(frozen=True)
class Claim:
    """That `one` takes more than an equal share of first places against copies of `many`.

    Attributes:
        games: to be played; the deals are this number divided by the seats.
        aim: share of first places that the lower bound has to exceed; None: an equal share.
    """

    game: str
    players: int
    one: str
    many: str
    games: int
    aim: float | None = None

    @property
    def name(self) -> str:
        return f"{self.game}-{self.players}p-{self.one}-{self.many}"


def claims() -> list[Claim]:
    """Return all, those that take longest last."""
    found = []
    for one, many in (
        ("heuristic", "random"), ("ppo", "random"), ("ppo", "heuristic"), ("mcts-200", "heuristic"),
        ("mcts-200", "pimc-200"), ("mcts-2000", "mcts-200"),
    ):  # fmt: skip
        for game in nm.games():
            for players in (2, 4):
                games = GAMES.get((game, many), PPO_GAMES if one == "ppo" else (400 if game == "saga" else 100))
                found.append(Claim(game, players, one, many, games))
    return [*found, Claim("saga", 4, "mcts-2000", "random", 100, aim=0.95)]


def stored(claim: Claim, results: Path) -> Games:
    """Return the games of a claim that have been played."""
    with StoredResults(results / claim.name) as file:
        return file.games()


def played(claim: Claim, times: float, results: Path) -> Games:
    """Play what is missing of a claim's tournament, and return its games."""
    given = {
        "name": claim.name,
        "game": {"name": claim.game, "options": {}},
        "players": claim.players,
        "agents": {name: parameters(name, claim.game) for name in (claim.one, claim.many)},
        "deals": max(1, round(times * claim.games / claim.players)),
        "line_ups": "one-against-many",
        "focus": [claim.one],
        "orders": "all",
        "bootstrap": 0,
        "executor": {"workers": 1},
    }
    run_tournament(validated(given), results / claim.name, Console(file=io.StringIO()), compile_notice)
    return stored(claim, results)


def row(claim: Claim, games: Games) -> str:
    """Return the line of a claim in the table."""
    one = games.agents == games.names.index(claim.one)
    first = games.ranks == games.ranks.min(axis=1, keepdims=True)
    shares = (first * one).sum(axis=1) / first.sum(axis=1)
    low, high = wilson(float(shares.mean()), len(games))
    aim = claim.aim or 1.0 / claim.players
    each = [float(games.seconds[own].sum() / games.decisions[own].sum()) for own in (one, ~one)]
    who = f"{claim.game} | {claim.players} | {claim.one} | {claim.many}"
    return (
        f"| {who} | {shares.mean():.3f} | {low:.3f} – {high:.3f} | "
        f"{aim:.2f} | {'yes' if low > aim else 'no'} | {len(games)} | {1000 * each[0]:.2f} | {1000 * each[1]:.2f} | "
        f"{float(np.sum(games.seconds)) / 3600:.2f} |"
    )


def report(chosen: list[Claim], times: float, results: Path, told: bool) -> str:
    """Play what is missing, or nothing, and return the page `docs/results/strength.md`."""
    missing: list[str] = []
    lines = [
        f"northmen-env {version('northmen-env')}, Python {platform.python_version()}, {platform.machine()}, "
        f'{os.cpu_count()} cores that other work shared. Default options. "One"',
        'meets copies of "many" in all other seats, in every seat of every deal. At Blood the searchers cut their',
        "playouts off after 40 decisions.",
        "",
        "| game | players | one | many | first places of one | 95 % | more than | holds | games | ms a decision, one | "
        "many | CPU hours |",
        "|---|---:|---|---|---:|---:|---:|---|---:|---:|---:|---:|",
    ]
    for claim in chosen:
        if told and not (results / claim.name / FILE_NAME).is_file():
            missing.append(f"{claim.one} against {claim.many}, {claim.game} with {claim.players}")
            continue
        lines.append(row(claim, stored(claim, results) if told else played(claim, times, results)))
        print(lines[-1], flush=True)
    if missing:
        lines += ["", "Not played yet:", "", *(f"- {name}" for name in missing)]
    return "\n".join(
        [*lines, "", "Written by `python benchmarks/strength.py --told --markdown docs/results/strength.md`."]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", nargs="+", default=list(nm.games()), choices=nm.games())
    parser.add_argument("--players", nargs="+", type=int, default=[2, 4], choices=[2, 4])
    parser.add_argument("--only", default="", help="claims with this in their name, such as mcts-2000")
    parser.add_argument("--times", type=float, default=1.0, help="share of the deals that are played")
    parser.add_argument("--told", action="store_true", help="play nothing; leave out what was not begun")
    parser.add_argument("--results", type=Path, default=Path("results/strength"))
    parser.add_argument("--markdown", type=Path, help="write the table here")
    arguments = parser.parse_args()
    chosen = [
        claim
        for claim in claims()
        if claim.game in arguments.games and claim.players in arguments.players and arguments.only in claim.name
    ]
    text = report(chosen, arguments.times, arguments.results, arguments.told)
    if arguments.markdown:
        arguments.markdown.write_text(f"# Strength of the agents\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
