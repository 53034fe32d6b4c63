"""Write the generated parts of the games' pages: `python docs/generate.py` (with --check: say what would change).

A page (`northmen_env/games/<game>/README.md`) has markers `<!-- generated: NAME -->` and `<!-- end -->`; what stands
between them is written from the game's own tables, so that a page cannot differ from the code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import northmen_env as nm
from northmen_env.engine.game import Game

ROOT = Path(__file__).resolve().parents[1]
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: list[str], rows: list[list[Any]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def options(game: Game) -> str:
    """Name, default and description of every option."""
    fields = game.spec.options.model_fields
    return table(
        ["option", "default", "meaning"],
        [[f"`{name}`", f"`{field.default}`", field.description or ""] for name, field in fields.items()],
    )


def actions(game: Game) -> str:
    """The ranges of the action space."""
    rows = [[f"{r.start}–{r.stop - 1}", r.size, f"`{r.name}`", r.meaning] for r in game.spec.actions.ranges]
    return f"{game.num_actions} actions.\n\n" + table(["actions", "size", "name", "index − start"], rows)


def observation(game: Game) -> str:
    """The blocks of the observation."""
    rows = [
        [f"{b.start}–{b.stop - 1}", f"`{b.name}`", "×".join(map(str, b.shape)), b.kind, f"{b.scale:.6g}", b.about]
        for b in game.observation_blocks
    ]
    head = ["floats", "block", "shape", "kind", "scale", "meaning"]
    return f"{game.observation_size} float32 values, schema `{game.observation_schema}`.\n\n" + table(head, rows)


def columns(game: Game) -> str:
    """Blocks whose last axis has named columns."""
    blocks = [b for b in game.observation_blocks if b.columns]
    return table(["block", "columns"], [[f"`{b.name}`", ", ".join(f"`{c}`" for c in b.columns)] for b in blocks])


def events(game: Game) -> str:
    """The codes of the event log."""
    return table(["code", "name", "meaning"], [[i, f"`{e.name}`", e.about] for i, e in enumerate(game.spec.events)])


PARTS: dict[str, Callable[[Game], str]] = {
    "options": options, "actions": actions, "observation": observation, "columns": columns, "events": events,
}  # fmt: skip


def page(name: str) -> Path:
    """Return the path of a game's page."""
    return ROOT / "northmen_env" / "games" / name / "README.md"


def generated(name: str) -> str:
    """Return the text of a game's page with its generated parts written anew."""
    game = nm.load(name)
    text = page(name).read_text(encoding="utf-8")
    return PART.sub(lambda found: f"{found[1]}{PARTS[found[2]](game)}\n{found[3]}", text)


def main() -> int:
    stale = [name for name in nm.games() if generated(name) != page(name).read_text(encoding="utf-8")]
    if "--check" in sys.argv:
        print("\n".join(f"{page(name).relative_to(ROOT)} is stale: run python docs/generate.py" for name in stale))
        return 1 if stale else 0
    for name in stale:
        page(name).write_text(generated(name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
