"""`northmen bench`: how fast is it here?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import click

from northmen_env.cli.common import FiniteRange, compile_notice, game_argument, game_options, load_game


@click.command()
@game_argument
@game_options
@click.option("--seconds", default=2.0, type=FiniteRange(0.05, 600), show_default=True, help="Per throughput.")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures to this file.")
@click.option(
    "--starts/--no-starts",
    default=True,
    show_default=True,
    help="Whether new processes are measured too: import, cold and warm start (the cold one compiles everything anew).",
)
def bench(
    game: str, players: int | None, options: tuple[str, ...], seconds: float, file: Path | None, starts: bool
) -> None:
    """Measure GAME through all its faces on one thread; compiling is never part of a throughput.

    The file of --json has every metric by name, null where it was not measured: with --no-starts, or because the
    command was interrupted or failed before.
    """
    if file is not None and not file.parent.is_dir():
        raise click.UsageError(f"--json: there is no folder {file.parent}")
    with compile_notice():
        loaded = load_game(game, players, options)
        from northmen_env import bench as measuring

        click.echo(f"{loaded.spec.title}, {loaded.num_players} players; {measuring.machine()}; one thread")
        report = measuring.empty_report(loaded)
        try:
            measuring.measure(loaded, seconds, report["metrics"], click.echo, starts=starts)
        except subprocess.CalledProcessError as error:
            last = (error.stderr or "").strip().splitlines()[-1:] or ["no message"]
            raise click.ClickException(f"a new process, started to be measured, failed: {last[0]}") from None
        finally:
            if file is not None:
                _write(report, file)


def _write(report: dict[str, Any], file: Path) -> None:
    try:
        file.write_text(json.dumps(report, indent=2) + "\n")
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error}") from None
    click.echo(f"written to {file}")
