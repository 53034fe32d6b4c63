"""Write the golden playthroughs anew: `python tests/golden/regenerate.py`, then read what changed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import golden_playthrough as golden


def main() -> None:
    """Write one file per game and number of players, and remove files of games that are no more."""
    chosen = golden.configurations()
    for name, num_players in chosen:
        text = golden.playthrough(name, num_players)
        golden.path(name, num_players).write_text(text, encoding="utf-8", newline="\n")
        print(f"{golden.path(name, num_players).name}: {len(text.encode())} bytes")
    for file in set(golden.FOLDER.glob("*.txt")) - {golden.path(*entry) for entry in chosen}:
        file.unlink()
        print(f"{file.name}: removed")


if __name__ == "__main__":
    main()
