"""How much narrower intervals are because all games of a deal share their luck: `python benchmarks/pairing.py [FILE]`.

Two agents are compared at Saga, head to head and against a common opponent, the heuristic. Both are the heuristic, but
choose at random now and then: two that are much alike, as an agent and a small change to it are, and two that are not.
Prints a table of the variance of their difference with shared deals against independent deals (see
`northmen_agents.arena.pairing`) and writes it to FILE as JSON. Takes some minutes on one core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import northmen_env as nm
from northmen_agents.arena.pairing import Pairing, pairing
from northmen_agents.arena.play import play_game
from northmen_agents.arena.schedule import Schedule
from northmen_agents.base import Observation, legal_ids
from northmen_agents.heuristic import HeuristicAgent
from northmen_env.engine.game import Game

DEALS = {2: 400, 3: 150, 4: 80}
PAIRS = {"alike": (2, 4), "apart": (10, 30)}  # percentages of decisions made at random
COMMON = "heuristic"


class Careless(HeuristicAgent):
    """The heuristic, but for a percentage of decisions that are random."""

    def __init__(self, game: Game, seat: int, seed: int, percent: int) -> None:
        super().__init__(game, seat, seed)
        self.percent = percent

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        draw = self.next_key()
        if draw % 100 >= self.percent:
            return super().act(observation, info)
        ids = legal_ids(observation)
        return int(ids[(draw // 100) % len(ids)])


def measure(players: int, deals: int, percents: tuple[int, int]) -> dict[str, Pairing]:
    """Return what pairing is worth in each comparison."""
    game = nm.load("saga", num_players=players)
    first, second = (f"careless-{percent}" for percent in percents)
    plans = {
        "head to head": Schedule((first, second), players, deals, orders="auto"),
        "against a common opponent": Schedule(
            (first, second, COMMON), players, deals, line_ups="many-against-one", focus=(COMMON,), orders="auto"
        ),
    }
    factories: dict[str, Callable[..., Any]] = {
        first: partial(Careless, percent=percents[0]),
        second: partial(Careless, percent=percents[1]),
        COMMON: HeuristicAgent,
    }
    found = {}
    for name, plan in plans.items():
        results = [play_game(game, job, factories) for job in plan]  # type: ignore[arg-type]  # they need no name
        found[name] = pairing(results, first, second)
    return found


def main() -> None:
    rows = []
    print("| players | agents | comparison | deals | games per deal | shared | independent | ratio |")
    print("|---:|---|---|---:|---:|---:|---:|---:|")
    for (agents, percents), (players, deals) in product(PAIRS.items(), DEALS.items()):
        for comparison, p in measure(players, deals, percents).items():
            row = {"players": players, "agents": agents, "comparison": comparison}
            rows.append({**row, "ratio": p.ratio, **asdict(p)})
            print(
                f"| {players} | {agents} | {comparison} | {p.deals} | {p.games} | {p.shared:.4f} | {p.independent:.4f} "
                f"| {p.ratio:.2f} ({p.low:.2f}–{p.high:.2f}) |",
                flush=True,
            )
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
