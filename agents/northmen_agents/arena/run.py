"""A whole tournament: what is left to play, played; every game written; the tables at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from northmen_agents.arena.execute import run_here, run_in_processes, usable_cores
from northmen_agents.arena.play import GameResult, warm
from northmen_agents.arena.results import FILE_NAME, ResultsFile
from northmen_agents.arena.schedule import Job
from northmen_agents.arena.table import Summary, show, summarise
from northmen_agents.config import TournamentConfig

if TYPE_CHECKING:
    from northmen_agents.kinds import AgentFactory
    from northmen_env.engine.game import Game


class InterruptedTournament(Exception):
    """Ctrl-C: the sentence says how much is done and how to go on."""


def run_tournament(
    config: TournamentConfig,
    folder: Path,
    console: Console | None = None,
    compiling: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Summary:
    """Play what is missing from a tournament and print its tables.

    Args:
        config: the checked configuration.
        folder: where `results.sqlite` is, or will be.
        console: where the tables go (default: standard output).
        compiling: entered while kernels are made ready, to tell what the user is waiting for.

    Raises:
        ConfigError: the configuration names what does not exist; nothing was written.
        ResultsError: the results file cannot be used.
        AgentError: an agent failed; the games before are kept.
        InterruptedTournament: Ctrl-C; the games before are kept.
    """
    console = console or output_console()
    game = config.load_game()
    factories = config.factories()
    schedule = config.schedule()
    identity = config.identity(game, factories)
    with closing(ResultsFile(folder / FILE_NAME, identity, overwrite=config.overwrite)) as file:
        done = file.keys()
        missing = [job for job in schedule if job.key not in done]
        if missing:
            with compiling():
                warm(game, factories.values())
            _play(config, game, factories, missing, file, len(done))
        file.finish()
        results = file.results()
    summary = summarise(results, bootstrap=config.bootstrap, seed=config.seed)
    title = f"{game.spec.title}, {game.num_players} players"
    show(summary, console, title)
    console.print(f"Results: {folder / FILE_NAME}", soft_wrap=True)
    return summary


def output_console() -> Console:
    """Return a console for standard output that does not fold tables when the output is a file."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def _play(
    config: TournamentConfig,
    game: Game,
    factories: dict[str, AgentFactory],
    missing: list[Job],
    file: ResultsFile,
    already: int,
) -> None:
    """Play the missing games and write each as it comes in."""
    total = already + len(missing)
    written = already
    workers = min(config.executor.workers or usable_cores(), len(missing))
    if workers == 1:
        results: Iterator[GameResult] = run_here(game, factories, missing)
    else:
        results = run_in_processes(game, factories, missing, workers, config.executor.start_method)
    try:
        with _progress(total, already) as advance, closing(results):  # type: ignore[type-var]
            for result in results:
                file.add(result)
                written += 1
                advance(written)
    except KeyboardInterrupt:
        raise InterruptedTournament(
            f"interrupted after {len(file.keys())} of {total} games, which are safe in {file.path}; "
            "run the same command again to go on"
        ) from None


@contextmanager
def _progress(total: int, done: int) -> Iterator[Advance]:
    """Show a bar with games, rate and time left on standard error; silent when that is not a terminal."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("games", total=total, completed=done, rate="")
        yield Advance(bar, task)


class Advance:
    """Moves the bar to a number of games."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task = bar, task

    def __call__(self, done: int) -> None:
        speed = self._bar.tasks[self._task].speed
        self._bar.update(self._task, completed=done, rate=f"{speed:.1f} games/s" if speed else "")
