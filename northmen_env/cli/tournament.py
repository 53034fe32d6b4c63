"""`northmen tournament`: Hydra composes the configuration, the arena plays it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

    All configurations of a sweep are composed before the first job begins, so that editing them does not change jobs
    that wait. A job that fails does not keep the others from running; it is named at the end. (Launchers of other
    packages run the jobs elsewhere, and each says for itself how it failed.)

    Raises:
        click.ClickException: with a sentence, for anything that is wrong with the overrides or the output folder, and
            for jobs that failed.
    """
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from northmen_agents.config import configs_folder

    jobs: list[_Job] = []
    here = os.getpid()

    def compose(composed: Any) -> None:
        job = _Job.of(composed)
        if job.launcher in (None, _LAUNCHED_HERE) and os.getpid() == here:
            jobs.append(job)
        else:
            job.run_elsewhere(task)

    run = hydra.main(config_path=str(configs_folder()), config_name=config_name, version_base="1.3")(compose)
    try:
        with _command_line(f"northmen {config_name}", overrides):
            run()
    except (HydraException, OmegaConfBaseException) as error:
        raise click.UsageError(_hydra_sentence(error)) from None
    except OSError as error:
        raise click.ClickException(f"the output folder cannot be made: {error}; choose another with results=") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if len(jobs) == 1:
        task(jobs[0].config, jobs[0].folder)
    else:
        _run_all(task, jobs)


_LAUNCHED_HERE = "hydra._internal.core_plugins.basic_launcher.BasicLauncher"


@dataclass(frozen=True)
class _Job:
    """One job of a sweep, or the only one.

    Attributes:
        config: resolved.
        folder: for its results.
        name: its overrides.
        launcher: class that runs it, if it is one of a sweep.
    """

    config: Any
    folder: Path
    name: str
    launcher: str | None

    @classmethod
    def of(cls, composed: Any) -> _Job:
        from hydra.core.hydra_config import HydraConfig
        from hydra.types import RunMode
        from omegaconf import OmegaConf

        own = HydraConfig.get()
        launcher = own.launcher["_target_"] if own.mode == RunMode.MULTIRUN else None
        name = " ".join(own.overrides.task)
        config = OmegaConf.to_container(composed, resolve=True)
        return cls(config, Path(own.runtime.output_dir), name, launcher)

    def run_elsewhere(self, task: Callable[[Any, Path], None]) -> None:
        """Run the job in a worker of a launcher, which hands nothing but an exception back."""
        try:
            task(self.config, self.folder)
        except click.ClickException as failure:
            click.echo(f"failed: {self.name}: {failure.format_message()}", err=True)
            raise ValueError(f"{self.name}: {failure.format_message()}") from None


def _run_all(task: Callable[[Any, Path], None], jobs: list[_Job]) -> None:
    """Run the jobs of a sweep one after the other. Raises click.ClickException if some failed, naming each."""
    failed = []
    for number, job in enumerate(jobs, 1):
        click.echo(f"[{number}/{len(jobs)}] {job.name}", err=True)
        try:
            task(job.config, job.folder)
        except click.ClickException as failure:
            click.echo(f"Error: {failure.format_message()}", err=True)
            failed.append(f"  {job.name}: {failure.format_message()}")
    if failed:
        raise click.ClickException(f"{len(failed)} of {len(jobs)} jobs failed:\n" + "\n".join(failed))


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
    from northmen_agents.arena.execute import ExecutorError
    from northmen_agents.arena.play import AgentError
    from northmen_agents.arena.results import ChangedConfigError, ResultsError
    from northmen_agents.arena.run import InterruptedTournament, run_tournament
    from northmen_agents.config import ConfigError, validated

    try:
        run_tournament(validated(composed), folder, compiling=compile_notice)
    except ConfigError as error:
        remove_if_empty(folder)
        raise click.UsageError(str(error)) from None
    except ChangedConfigError as error:
        raise click.UsageError(str(error)) from None
    except (ResultsError, AgentError, ExecutorError) as error:
        remove_if_empty(folder)
        raise click.ClickException(str(error)) from None
    except InterruptedTournament as error:
        click.echo(str(error), err=True)
        raise SystemExit(130) from None


def remove_if_empty(folder: Path) -> None:
    """Remove an output folder, and the one around it, if nothing was written there."""
    with contextlib.suppress(OSError):
        folder.rmdir()
        folder.parent.rmdir()
