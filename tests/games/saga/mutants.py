"""Breaks Saga's kernels one line at a time and looks whether the short run notices.

    python tests/games/saga/mutants.py            all of `mutations.toml`: a table, exit code 1 below 38 of 40
    python tests/games/saga/mutants.py 3 17       these only

Each mutation is applied to a copy of the package in a temporary folder; the working tree is never touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "northmen_env"
SAGA = Path("games", "saga")
SHARE_CAUGHT = 38 / 40
LONGEST = 300
"""Seconds after which a run counts as caught: the mutant never ends a game."""


@dataclass(frozen=True)
class Mutation:
    """One line of a kernel, changed.

    Attributes:
        number: place in the list, from 1.
        file: path below `northmen_env/games/saga`.
        before: text that occurs once in the file.
        after: what it is replaced by.
        rule: id of the ledger's rule that is broken.
    """

    number: int
    file: str
    before: str
    after: str
    rule: str

    def source(self) -> str:
        """Return the text of the file as it is."""
        return (PACKAGE / SAGA / self.file).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Result:
    """What the short run said: whether it found something, its last line, and how long it took."""

    caught: bool
    words: str
    seconds: float


def listed() -> list[Mutation]:
    """Return all mutations."""
    entries = tomllib.loads((HERE / "mutations.toml").read_text(encoding="utf-8"))["mutation"]
    return [Mutation(i, e["file"], e["from"], e["to"], e["rule"]) for i, e in enumerate(entries, 1)]


def judge(mutation: Mutation | None, *games: int) -> Result:
    """Run the short run, all of it or some of its games (numbers from 0), on a copy of the package.

    Args:
        mutation: applied to the copy; None judges the package as it is.

    Raises:
        ValueError: the text that it replaces is not in the file, or more than once.
    """
    if mutation is not None and mutation.source().count(mutation.before) != 1:
        raise ValueError(f"mutation {mutation.number}: {mutation.before!r} must occur once in {mutation.file}")
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
        if mutation is not None:
            text = mutation.source().replace(mutation.before, mutation.after)
            (copied / SAGA / mutation.file).write_text(text, encoding="utf-8")
        return _short_run(folder, games)


def _short_run(folder: str, games: Sequence[int]) -> Result:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    command = [sys.executable, "-W", "error", str(HERE / "short_run.py"), folder, *map(str, games)]
    began = time.monotonic()
    try:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return Result(True, "the games do not end", time.monotonic() - began)
    words = (run.stderr.strip().splitlines() or [""])[-1]
    return Result(run.returncode != 0, words, time.monotonic() - began)


def judged(mutations: Sequence[Mutation]) -> Iterator[tuple[Mutation, Result]]:
    """Judge one mutation after the other.

    Raises:
        RuntimeError: the short run finds something in the package as it is, so that it says nothing about mutants.
    """
    unchanged = judge(None)
    if unchanged.caught:
        raise RuntimeError(f"the short run fails without a mutation: {unchanged.words}")
    for mutation in mutations:
        yield mutation, judge(mutation)


def row(mutation: Mutation, result: Result) -> str:
    """Return one line of the table."""
    verdict = "caught  " if result.caught else "SURVIVED"
    where = f"{mutation.file:24} {mutation.rule:14}"
    return f"{mutation.number:3} {where} {verdict} {result.seconds:5.1f} s  {result.words:.140}"


def main(arguments: Sequence[str]) -> int:
    """Print the table; return 1 where too many survive."""
    numbers = {int(argument) for argument in arguments}
    chosen = [mutation for mutation in listed() if not numbers or mutation.number in numbers]
    caught = 0
    for mutation, result in judged(chosen):
        print(row(mutation, result), flush=True)
        caught += result.caught
    print(f"{caught} of {len(chosen)} caught")
    return int(caught < SHARE_CAUGHT * len(chosen))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
