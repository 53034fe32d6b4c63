"""Running games: in this process, or in processes of this machine.

An executor turns jobs into results in any order; it knows nothing of files, tables or what was played before. A worker
only turns (configuration, job) into a result, so another executor (`ray_executor`) needs nothing else.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

from northmen_agents.arena.play import GameResult, play_game
from northmen_agents.arena.schedule import Job
from northmen_agents.kinds import AgentFactory

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

CHUNK_SECONDS = 0.2
MAX_CHUNK = 64  # three of them, which may lie ready for workers that are no more, fit into a pipe
ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Chunk = tuple[list[GameResult], float]
"""Results, and the seconds that it took to play them."""


class ExecutorError(Exception):
    """The workers cannot be started, or were lost; the sentence says what to do."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_here(game: Game, factories: Mapping[str, AgentFactory], jobs: Iterable[Job]) -> Iterator[list[GameResult]]:
    """Play the games one after the other in this process; yield each as it ends."""
    with one_thread():
        for job in jobs:
            yield [play_game(game, job, factories)]


def run_in_processes(
    game: Game, factories: Mapping[str, AgentFactory], jobs: Iterable[Job], workers: int, start_method: str = "spawn"
) -> Iterator[list[GameResult]]:
    """Play the games in `workers` processes and yield results as they come in.

    The kernels should be in the disk cache already, so that no worker compiles. Jobs travel in chunks that take about
    `CHUNK_SECONDS`; those in flight are lost when the process is killed.

    Raises:
        AgentError: an agent failed.
        ExecutorError: a worker ended without an answer.
    """
    context = multiprocessing.get_context(start_method)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(game, dict(factories)))
    pending: set[Future[Chunk]] = set()
    chunks = Chunks(jobs)
    try:
        while True:
            with _environment():
                while len(pending) < 2 * workers and (batch := chunks.next()):
                    pending.add(pool.submit(_play_chunk, batch))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                results, seconds = future.result()
                chunks.took(len(results), seconds)
                yield results
    except BrokenProcessPool as error:
        raise ExecutorError(
            "a worker process ended without an answer (out of memory, or killed); the games that were written are "
            "safe, run the same command again"
        ) from error
    finally:
        _stop(pool)


class Chunks:
    """Cuts jobs into chunks that take about `CHUNK_SECONDS` to play, by what the last ones took."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._size = 1

    def next(self) -> list[Job]:
        """Return the next jobs; empty at the end."""
        return list(islice(self._jobs, self._size))

    def took(self, games: int, seconds: float) -> None:
        """Note how long a chunk took."""
        self._size = max(1, min(MAX_CHUNK, 4 * self._size, int(CHUNK_SECONDS * games / max(seconds, 1e-9))))


@contextmanager
def one_thread() -> Iterator[None]:
    """Let this process compute on one thread, as every worker does: with more of them, sums of floats may differ."""
    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else None
    with _environment():
        _use_one_thread()
        try:
            yield
        finally:
            if torch and threads:
                torch.set_num_threads(threads)


def _use_one_thread() -> None:
    """Tell the libraries that were loaded before the environment could."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


@contextmanager
def _environment() -> Iterator[None]:
    """Let processes that are started here use one thread each: the libraries read these names when they are loaded."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers without waiting for games that nobody will read."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    # A worker killed within its answer leaves half of it in the pipe. The pool's thread would wait for the rest for
    # ever, and the interpreter for the thread, as long as this process itself holds the end that workers write to.
    answers = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
    if answers is not None:
        answers.close()


_worker: dict[str, tuple[Game, dict[str, AgentFactory]]] = {}


def _begin_worker(game: Game, factories: dict[str, AgentFactory]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent alone answers it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ.update(ONE_THREAD)  # forked from a process that had loaded its libraries, or from a server
    _use_one_thread()
    _worker["game"] = (game, factories)


def _end_with_parent() -> None:
    """A killed parent cannot tell its workers to stop, and a worker would wait for its next job for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_chunk(jobs: list[Job]) -> Chunk:
    return play_chunk(*_worker["game"], jobs)


def play_chunk(game: Game, factories: Mapping[str, AgentFactory], jobs: Iterable[Job]) -> Chunk:
    """Play the games in this process: all that a worker does."""
    started = perf_counter()
    return [play_game(game, job, factories) for job in jobs], perf_counter() - started
