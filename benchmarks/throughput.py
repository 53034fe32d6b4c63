"""Figures of every game and player count: `python benchmarks/throughput.py [FOLDER]` writes one JSON file for each.

The measuring itself is `northmen_env.bench`, which `northmen bench` calls as well.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import northmen_env as nm
from northmen_env import bench, registry


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/bench")
    folder.mkdir(parents=True, exist_ok=True)
    for name in nm.games():
        for players in registry.spec(name).player_counts:
            print(f"{name}, {players} players")
            report = bench.report(nm.load(name, num_players=players), seconds=2.0)
            (folder / f"{name}-{players}p.json").write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
