"""`northmen data check`: is a folder of tables sound?"""

from __future__ import annotations

from pathlib import Path

import click

from northmen_env import registry
from northmen_env.cli.common import checked_game, game_argument


@click.group()
def data() -> None:
    """The printed tables of a game: check a corrected or new set."""


@data.command()
@game_argument
@click.argument("path", type=click.Path(path_type=Path))
def check(game: str, path: Path) -> None:
    """Check the tables of GAME in folder PATH; exit status 1 if a condition is violated."""
    spec = registry.spec(checked_game(game))
    try:
        problems = spec.check_data(str(path))
    except (OSError, ValueError) as error:
        problems = [str(error)]
    for problem in problems:
        click.echo(problem)
    if problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise click.ClickException(f"{path} is not a sound set of tables for {game}: {count}")
    click.echo(f"{path} is a sound set of tables for {game}")
