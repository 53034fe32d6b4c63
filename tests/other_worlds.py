"""Traces of games (`contract/trace.py`) in processes of their own, started early and read late.

Two of them take minutes, because they compile everything anew or nothing at all. A plain test run keeps one core
busy, so they begin on another one as soon as the tests that read them are collected.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path

SCRIPT = Path(__file__).parent / "contract" / "trace.py"

WORLDS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "bounds checks": (("--short",), {"NUMBA_BOUNDSCHECK": "1"}),
    "no JIT": ((), {"NUMBA_DISABLE_JIT": "1"}),
}
"""Name -> (arguments of the script, environment variables) of the long ones, the longest first."""

_RUNNING: set[subprocess.Popen[str]] = set()


def trace(*arguments: str, **environment: str) -> list[str]:
    """Run the script and return its lines. Raises AssertionError with its error text when it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", str(SCRIPT), *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    _RUNNING.add(process)
    out, error = process.communicate(timeout=1200)
    _RUNNING.discard(process)
    assert process.returncode == 0, error
    return out.splitlines()


@cache
def begin() -> dict[str, Future[list[str]]]:
    """Start the long traces, one after the other, and return what they will print; once in a process."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worlds")
    futures = {name: pool.submit(trace, *arguments, **variables) for name, (arguments, variables) in WORLDS.items()}
    pool.shutdown(wait=False)
    return futures


def end() -> None:
    """Stop what still runs, so that an interrupted test run does not wait for it."""
    if begin.cache_info().currsize:
        for future in begin().values():
            future.cancel()
    for process in list(_RUNNING):
        process.kill()
