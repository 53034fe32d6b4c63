"""`northmen info`: what there is, and where things are kept."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

import northmen_env as nm
from northmen_env.cli.common import game_options, load_game

if TYPE_CHECKING:
    from northmen_env.engine.game import Game


@click.command()
@click.argument("game", required=False)
@game_options
def info(game: str | None, players: int | None, options: tuple[str, ...]) -> None:
    """List the games and folders, or describe GAME: options, actions and observation."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    if game is None:
        if players is not None or options:
            raise click.UsageError("name a game to describe it with --players or --option")
        _overview(console)
    else:
        _describe(load_game(game, players, options), console)


def _overview(console: Console) -> None:
    from northmen_agents import kinds
    from northmen_agents.config import configs_folder
    from northmen_env import registry
    from northmen_env.engine.jit import cache_folder

    console.print(f"northmen-env {nm.__version__}", style="bold")
    for name in nm.games():
        spec = registry.spec(name)
        seats = f"{min(spec.player_counts)}–{max(spec.player_counts)} players"
        console.print(f"  {name}: {spec.title}, {seats}, northmen/{name}-v{spec.version}")
    console.print(f"agents: {', '.join(kinds())}")
    console.print(f"configurations: {configs_folder()}", soft_wrap=True)
    folder = cache_folder()
    console.print(f"compiled kernels: {folder or 'not kept: no folder can be written'}", soft_wrap=True)
    console.print("northmen info GAME describes a game.")


def _describe(game: Game, console: Console) -> None:
    spec = game.spec
    console.print(f"{spec.title} ({game.name}, version {spec.version})", style="bold")
    console.print(
        f"{game.num_players} players of {', '.join(map(str, spec.player_counts))}; {game.num_actions} actions, "
        "at most "
        f"{game.max_legal} legal at once; at most {game.max_decisions} decisions a game; observation of "
        f"{game.observation_size} numbers (schema {game.observation_schema}); a state has "
        f"{spec.state_dtype.itemsize} bytes."
    )
    _print(console, "Options", ("option", "default", "now", "meaning"), _option_rows(game))
    _print(
        console,
        "Actions",
        ("range", "name", "meaning"),
        [(f"{r.start}–{r.stop - 1}", r.name, r.meaning) for r in spec.actions.ranges],
    )
    _print(
        console,
        "Observation",
        ("slice", "block", "shape", "kind", "scale", "about"),
        [
            (f"{b.start}:{b.stop}", b.name, "×".join(map(str, b.shape)), b.kind, f"{b.scale:g}", b.about)
            for b in game.observation_blocks
        ],
    )


def _option_rows(game: Game) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, field in game.spec.options.model_fields.items():
        rows.append((name, _json(field.default), _json(getattr(game.options, name)), field.description or ""))
    return rows


def _json(value: Any) -> str:
    return json.dumps(value, default=str)


def _print(console: Console, title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)
