"""What a setting of Saga's environment does for a learner: reward, dense payments, history, order of the march.

    python benchmarks/ablation.py [--seeds 3] [--results results/ablation] [--markdown docs/results/ablation.md]

Each variant changes one setting of `configs/train/ablation.yaml`, and is trained once for each seed. All are measured
by first places against random opponents, whatever they were paid for. A run that is interrupted goes on; one that is
done is not trained again. What is said of a variant is its seeds' mean, lowest and highest.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from northmen_agents.config import configs_folder
from northmen_agents.train.config import validated_training
from northmen_agents.train.run import MEASURED, run_training
from northmen_env.cli.common import compile_notice

VARIANTS = {
    "as it is: reward rank, sparse, no history, march sorted": [],
    "reward win": ["game.options.reward=win"],
    "reward score": ["game.options.reward=score"],
    "dense": ["dense=true"],
    "history of 16 events": ["history=16"],
    "march in any order": ["game.options.march_order=free"],
}


def trained(changes: list[str], seed: int, folder: Path) -> dict[str, float]:
    """Return how a variant fares with one seed: share of first places, seconds, decisions of a game."""
    told = folder / MEASURED
    if not told.is_file():
        with initialize_config_dir(str(configs_folder()), version_base="1.3"):
            composed = compose("train", ["train=ablation", f"seed={seed}", *changes])
        config = validated_training(OmegaConf.to_container(composed, resolve=True))
        run_training(config, folder, compiling=compile_notice, quiet=True)
    measured = json.loads(told.read_text(encoding="utf-8"))
    (row,) = [row for row in measured["together"] if row["opponent"] == "random"]
    return {"share": row["share"], "seconds": measured["seconds"], "length": measured["seats"][0]["length"]}


def report(seeds: int, results: Path) -> str:
    """Train what is missing, and return the table of `docs/results/ablation.md`."""
    lines = [
        f"Saga, 2 players, 262,144 decisions of the learner, {seeds} seeds, one core; measured over 500 games in each",
        "seat against a random opponent, where an equal share is 0.5.",
        "",
        "| what is changed | first places, mean | lowest and highest seed | decisions a game | minutes a run |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, changes in VARIANTS.items():
        folder = results / (changes[0].replace("game.options.", "") if changes else "base")
        rows = [trained(changes, seed, folder / f"seed-{seed}") for seed in range(seeds)]
        shares = [row["share"] for row in rows]
        lines.append(
            f"| {name} | {statistics.mean(shares):.3f} | {min(shares):.3f} – {max(shares):.3f} | "
            f"{statistics.mean(row['length'] for row in rows):.0f} | "
            f"{statistics.median(row['seconds'] for row in rows) / 60:.1f} |"
        )
    return "\n".join([*lines, "", "Written by `python benchmarks/ablation.py --markdown docs/results/ablation.md`."])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", type=Path, default=Path("results/ablation"))
    parser.add_argument("--markdown", type=Path, help="write the table here")
    arguments = parser.parse_args()
    text = report(arguments.seeds, arguments.results)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(f"# Saga: what settings do for a learner\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
