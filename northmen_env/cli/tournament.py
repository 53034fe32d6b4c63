"""`northmen tournament`: Hydra composes the configuration, the arena plays it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from northmen_env.cli.common import compile_notice


@click.command(
    add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("overrides", nargs=-1, type=click.UNPROCESSED)
def tournament(overrides: tuple[str, ...]) -> None:
    """Let agents play each other and rate them: northmen tournament game=saga players=4 (--help shows everything)."""
    run_with_hydra("tournament", _play, list(overrides))


def run_with_hydra(config_name: str, task: Callable[[Any, Path], None], overrides: list[str]) -> None:
    """Compose the configuration `config_name` and call `task(config, output folder)` for it, or for each of a sweep.

    Raises:
        click.ClickException: with a sentence, for anything that is wrong with the overrides or the output folder.
    """
    import hydra
    from hydra.core.hydra_config import HydraConfig
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from northmen_agents.config import configs_folder

    failures: list[click.ClickException | SystemExit] = []

    def job(composed: Any) -> None:
        if failures:  # an earlier job of a sweep
            return
        folder = Path(HydraConfig.get().runtime.output_dir)
        try:
            task(OmegaConf.to_container(composed, resolve=True), folder)
        except (click.ClickException, SystemExit) as failure:  # Hydra would print a line of its own about it
            failures.append(failure)

    run = hydra.main(config_path=str(configs_folder()), config_name=config_name, version_base="1.3")(job)
    try:
        with _command_line(f"northmen {config_name}", overrides):
            run()
    except (HydraException, OmegaConfBaseException) as error:
        raise click.UsageError(_hydra_sentence(error)) from None
    except OSError as error:
        raise click.ClickException(f"the output folder cannot be made: {error}; choose another with results=") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if failures:
        raise failures[0]


@contextmanager
def _command_line(program: str, overrides: list[str]) -> Iterator[None]:
    """Give Hydra its arguments, and let its exceptions through instead of printing them itself."""
    arguments, full = sys.argv, os.environ.get("HYDRA_FULL_ERROR")
    sys.argv = [program, *overrides]
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        yield
    finally:
        sys.argv = arguments
        if full is None:
            del os.environ["HYDRA_FULL_ERROR"]
        else:
            os.environ["HYDRA_FULL_ERROR"] = full


def _hydra_sentence(error: Exception) -> str:
    """Return Hydra's message, with the cause where it hides the interesting half."""
    text = str(error).partition("Config search path:")[0].strip()
    cause = error.__cause__
    if cause is not None and str(cause).strip() not in text:
        text += "\n" + str(cause).strip().split("\n")[0]
    return text


def _play(composed: Any, folder: Path) -> None:
    """Play one tournament; wrong configurations leave nothing behind."""
    from northmen_agents.arena.play import AgentError
    from northmen_agents.arena.results import ChangedConfigError, ResultsError
    from northmen_agents.arena.run import InterruptedTournament, run_tournament
    from northmen_agents.config import ConfigError, validated

    try:
        run_tournament(validated(composed), folder, compiling=compile_notice)
    except ConfigError as error:
        _remove_if_empty(folder)
        raise click.UsageError(str(error)) from None
    except ChangedConfigError as error:
        raise click.UsageError(str(error)) from None
    except (ResultsError, AgentError) as error:
        raise click.ClickException(str(error)) from None
    except InterruptedTournament as error:
        click.echo(str(error), err=True)
        raise SystemExit(130) from None


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
        folder.parent.rmdir()
