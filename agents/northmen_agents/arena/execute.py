"""Running games: in this process, or in processes of this machine.

A runner turns jobs into results in any order; it knows nothing of files, tables or what was played before. A worker
only turns (configuration, job) into a result, so another executor needs nothing else.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

from northmen_agents.arena.play import AgentError, GameResult, play_game
from northmen_agents.arena.schedule import Job
from northmen_agents.kinds import AgentFactory

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

CHUNK_SECONDS = 0.2
MAX_CHUNK = 64
ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_here(game: Game, factories: Mapping[str, AgentFactory], jobs: Iterable[Job]) -> Iterator[GameResult]:
    """Play the games one after the other in this process."""
    for job in jobs:
        yield play_game(game, job, factories)


def run_in_processes(
    game: Game, factories: Mapping[str, AgentFactory], jobs: Iterable[Job], workers: int, start_method: str = "spawn"
) -> Iterator[GameResult]:
    """Play the games in `workers` processes and yield each result as it comes in.

    The kernels should be in the disk cache already, so that no worker compiles. Jobs travel in chunks that take about
    `CHUNK_SECONDS`; those in flight are lost when the process is killed.
    """
    context = multiprocessing.get_context(start_method)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(game, dict(factories)))
    pending: set[Future[tuple[list[GameResult], float]]] = set()
    remaining = iter(jobs)
    chunk = 1
    try:
        while True:
            with _one_thread_each():
                while len(pending) < 2 * workers and (batch := list(islice(remaining, chunk))):
                    pending.add(pool.submit(_play_chunk, batch))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                results, seconds = future.result()
                chunk = max(1, min(MAX_CHUNK, int(CHUNK_SECONDS * len(results) / max(seconds, 1e-9))))
                yield from results
    except BrokenProcessPool as error:
        raise AgentError(
            "a worker process ended without an answer (out of memory, or killed); the games that were written are "
            "safe, run the same command again"
        ) from error
    finally:
        _stop(pool)


@contextmanager
def _one_thread_each() -> Iterator[None]:
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
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


_worker: dict[str, tuple[Game, dict[str, AgentFactory]]] = {}


def _begin_worker(game: Game, factories: dict[str, AgentFactory]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent alone answers it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker["game"] = (game, factories)


def _end_with_parent() -> None:
    """A killed parent cannot tell its workers to stop, and a worker would wait for its next job for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_chunk(jobs: list[Job]) -> tuple[list[GameResult], float]:
    game, factories = _worker["game"]
    started = perf_counter()
    return [play_game(game, job, factories) for job in jobs], perf_counter() - started
