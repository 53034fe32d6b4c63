"""The group of commands, and the one place where errors become sentences and exit statuses.

Exit status 0: done; 1: a check failed or results cannot be used; 2: wrong usage; 130: interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import NoReturn

import click

from northmen_env.version import __version__

COMMANDS = {
    "info": "northmen_env.cli.info:info",
    "play": "northmen_env.cli.play:play",
    "watch": "northmen_env.cli.watch:watch",
    "bench": "northmen_env.cli.bench:bench",
    "warmup": "northmen_env.cli.warmup:warmup",
    "data": "northmen_env.cli.data:data",
    "replay": "northmen_env.cli.replay:replay",
    "report": "northmen_env.cli.report:report",
    "tournament": "northmen_env.cli.tournament:tournament",
    "train": "northmen_env.cli.train:train",
    "evaluate": "northmen_env.cli.train:evaluate",
}
"""Name -> command; a command is imported when it is used, so that the others do not wait for it."""


class Commands(click.Group):
    """A group that imports its commands late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="northmen-env")
def northmen() -> None:
    """Viking board games with hidden information: play, watch, measure, and let agents meet."""


def main() -> NoReturn:
    """Run the command line; anything a user can get wrong ends in a sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):  # a terminal of another encoding gets ? for what it cannot show
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = northmen.main(prog_name="northmen", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        status = 130
    except BrokenPipeError:  # `northmen info | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status if isinstance(status, int) else 0)
