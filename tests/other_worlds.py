"""Traces of games (`contract/trace.py`) in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

SCRIPT = Path(__file__).parent / "contract" / "trace.py"


def trace(*arguments: str, **environment: str) -> list[str]:
    """Run the script and return its lines. Raises AssertionError with its error text when it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    command = [sys.executable, "-W", "error", str(SCRIPT), *arguments]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@cache
def usual_trace() -> list[str]:
    """Return the lines of the script in the usual world, with the JIT on and without checks; run once in a process."""
    return trace()
