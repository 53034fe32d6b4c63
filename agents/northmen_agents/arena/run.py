"""A whole tournament: what is left to play, played; every game written; the tables at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
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

from northmen_agents.arena.execute import ExecutorError, run_here, run_in_processes, usable_cores
from northmen_agents.arena.play import AgentError, GameResult, warm
from northmen_agents.arena.ray_executor import check_ray, run_on_ray
from northmen_agents.arena.report.tournament import Tournament
from northmen_agents.arena.report.write import write_page
from northmen_agents.arena.results import FILE_NAME, ResultsFile, StoredResults
from northmen_agents.arena.schedule import GameKey, Job, Schedule
from northmen_agents.arena.sequential import DealByDeal
from northmen_agents.arena.summary import Summary, summarise
from northmen_agents.arena.table import show
from northmen_agents.config import ExecutorConfig, TournamentConfig

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
    """Play what is missing from a tournament, print its tables and write the page of its report.

    Args:
        config: the checked configuration.
        folder: where `results.sqlite` is, or will be.
        console: where the tables go (default: standard output).
        compiling: entered while kernels are made ready, to tell what the user is waiting for.

    Raises:
        ConfigError: the configuration names what does not exist; nothing was written.
        ResultsError: the results file cannot be used, or the report cannot be written.
        AgentError: an agent failed; the games before are kept, and without any nothing is left in the folder.
        ExecutorError: workers cannot be started, or were lost; likewise.
        InterruptedTournament: Ctrl-C; the games before are kept.
    """
    console = console or output_console()
    game = config.load_game()
    factories = config.factories()
    schedule = config.schedule(game)
    judge = config.judge(schedule)
    if config.executor.kind == "ray":
        check_ray()
    path = folder / FILE_NAME
    identity = config.identity(game, factories)
    with (
        _kept_if_played(path),
        closing(ResultsFile(path, identity, config.settings(), overwrite=config.overwrite)) as file,
    ):
        if not file.finished:
            _complete(file, schedule, judge, _Players(config.executor, game, factories, compiling))
        games = file.games()
    summary = summarise(
        games,
        bootstrap=config.bootstrap,
        seed=config.seed,
        schedule=schedule,
        anchors=config.anchors,
        cheats=[name for name, factory in factories.items() if factory.described(config.game.name)["cheats"]],
        sequential=config.sequential.test() if config.sequential else None,
    )
    title = f"{game.spec.title}, {game.num_players} players"
    show(summary, console, title)
    console.print(f"Results: {path}", soft_wrap=True)
    page = write_page(Tournament(path, title, identity, config.settings(), True, games, summary))
    console.print(f"Report: {page}", soft_wrap=True)
    return summary


def output_console() -> Console:
    """Return a console for standard output that does not fold tables when the output is a file."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


@dataclass(frozen=True)
class _Players:
    """Who plays: an executor, the game and the agents."""

    executor: ExecutorConfig
    game: Game
    factories: dict[str, AgentFactory]
    compiling: Callable[[], AbstractContextManager[None]]

    def play(self, jobs: Iterator[Job], count: int) -> Generator[list[GameResult], None, None]:
        """Play the games, of which there are `count`, and yield results as they come in."""
        workers, start_method = self.executor.workers, self.executor.start_method
        if self.executor.kind == "ray":
            tell = Console(stderr=True, highlight=False).print
            yield from run_on_ray(self.game, self.factories, jobs, self.executor.address, workers, tell)
            return
        with self.compiling():
            warm(self.game, self.factories)
        workers = min(workers or usable_cores(), count)
        if workers == 1:
            yield from run_here(self.game, self.factories, jobs)
        else:
            yield from run_in_processes(self.game, self.factories, jobs, workers, start_method)


def _complete(file: ResultsFile, schedule: Schedule, judge: DealByDeal | None, players: _Players) -> None:
    """Play the games that are missing, or as many as a sequential test needs, and write each as it comes in."""
    done = file.keys()
    if judge is not None:
        judge.add_all((game.key, game.agents, game.ranks) for game in file.games())
    if len(done) < len(schedule) and (judge is None or not _decided(judge)):
        _play(file, schedule, done, judge, players)
    file.finish(judge.verdict.deals - 1 if judge is not None else None)


def _decided(judge: DealByDeal) -> bool:
    return judge.verdict.decision != "undecided"


def _play(
    file: ResultsFile, schedule: Schedule, done: set[GameKey], judge: DealByDeal | None, players: _Players
) -> None:
    total, written = len(schedule), len(done)
    playing = players.play(schedule.missing(done), total - written)
    try:
        with _progress(total, written) as advance, closing(playing) as chunks:
            for results in chunks:
                file.add_all(results)
                written += len(results)
                advance(written)
                if judge is not None:
                    judge.add_all((result.key, result.agents, result.ranks) for result in results)
                    if _decided(judge):
                        return
    except KeyboardInterrupt:
        raise InterruptedTournament(
            f"interrupted after {len(file)} of {total} games, which are safe in {file.path}; "
            "run the same command again to go on"
        ) from None


@contextmanager
def _kept_if_played(path: Path) -> Iterator[None]:
    """Remove the results file of a tournament that failed before its first game: there is nothing to go on from."""
    try:
        yield
    except (AgentError, ExecutorError):
        with StoredResults(path) as stored:
            empty = len(stored) == 0
        if empty:
            path.unlink()
        raise


@contextmanager
def _progress(total: int, done: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with games, rate and time left on standard error, or where that is no terminal a line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines(total, done)
        return
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
    )
    with bar:
        task = bar.add_task("games", total=total, completed=done, rate="")
        yield Advance(bar, task)


class Lines:
    """Says on standard error that games begin, and each tenth of them."""

    def __init__(self, total: int, done: int) -> None:
        self._total, self._tenth = total, 10 * done // total
        there = f", {done} are there already" if done else ""
        self._say(f"playing {total - done} of {total} games{there}")

    def __call__(self, done: int) -> None:
        tenth = 10 * done // self._total
        if tenth > self._tenth:
            self._tenth = tenth
            self._say(f"{done} of {self._total} games")

    @staticmethod
    def _say(text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


class Advance:
    """Moves the bar to a number of games."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task = bar, task

    def __call__(self, done: int) -> None:
        speed = self._bar.tasks[self._task].speed
        self._bar.update(self._task, completed=done, rate=f"{speed:.1f} games/s" if speed else "")
