"""`northmen bench`: how fast is it here?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from northmen_env.cli.common import FiniteRange, compile_notice, game_argument, game_options, load_game


@click.command()
@game_argument
@game_options
@click.option("--seconds", default=2.0, type=FiniteRange(0.05, 600), show_default=True, help="Per throughput.")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures to this file.")
def bench(game: str, players: int | None, options: tuple[str, ...], seconds: float, file: Path | None) -> None:
    """Measure GAME through all its faces on one thread; compiling is never part of a throughput."""
    if file is not None and not file.parent.is_dir():
        raise click.UsageError(f"--json: there is no folder {file.parent}")
    with compile_notice():
        loaded = load_game(game, players, options)
        from northmen_env import bench as measuring

        click.echo(f"{loaded.spec.title}, {loaded.num_players} players; {measuring.machine()}; one thread")
        report = measuring.report(loaded, seconds, click.echo)
    if file is not None:
        try:
            file.write_text(json.dumps(report, indent=2) + "\n")
        except OSError as error:
            raise click.ClickException(f"{file} cannot be written: {error}") from None
        click.echo(f"written to {file}")
