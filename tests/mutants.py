"""Breaks a game's kernels one line at a time and looks whether its short run notices.

    python tests/mutants.py saga            all of its mutations: a table, exit code 1 below 38 of 40
    python tests/mutants.py blood 3 17      these only

A game `<g>` keeps its mutations in tests/games/<g>/mutations.toml, and beside them `<g>_short_run.py`, a few games in
which nearly everything happens. Each mutation is applied to a copy of the package in a temporary folder; the working
tree is never touched.
"""

from __future__ import annotations

import argparse
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

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "northmen_env"
SHARE_CAUGHT = 38 / 40
LONGEST = 300
"""Seconds after which a run counts as caught: the mutant never ends a game."""


@dataclass(frozen=True)
class Mutation:
    """One line of a kernel, changed.

    Attributes:
        game: name of the game.
        number: place in its list, from 1.
        file: path below `northmen_env/games/<game>`.
        before: text that occurs once in the file.
        after: what it is replaced by.
        rule: id of the ledger's rule that is broken.
    """

    game: str
    number: int
    file: str
    before: str
    after: str
    rule: str

    def file_in(self, package: Path) -> Path:
        """Return the file in a copy of the package."""
        return package / "games" / self.game / self.file

    def source(self) -> str:
        """Return the text of the file as it is."""
        return self.file_in(PACKAGE).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Result:
    """What the short run said: whether it found something, its last line, and how long it took."""

    caught: bool
    words: str
    seconds: float


def games() -> list[str]:
    """Return the games that have a list of mutations."""
    return sorted(file.parent.name for file in TESTS.glob("games/*/mutations.toml"))


def listed(game: str) -> list[Mutation]:
    """Return all mutations of a game."""
    text = (TESTS / "games" / game / "mutations.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["mutation"]
    return [Mutation(game, i, e["file"], e["from"], e["to"], e["rule"]) for i, e in enumerate(entries, 1)]


def judge(game: str, mutation: Mutation | None, *parts: int) -> Result:
    """Run a game's short run, all of it or some of its parts (numbers from 0), on a copy of the package.

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
            mutation.file_in(copied).write_text(text, encoding="utf-8")
        return _short_run(game, folder, parts)


def _short_run(game: str, folder: str, parts: Sequence[int]) -> Result:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(TESTS)}
    script = TESTS / "games" / game / f"{game}_short_run.py"
    command = [sys.executable, "-W", "error", str(script), folder, *map(str, parts)]
    began = time.monotonic()
    try:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return Result(True, "the games do not end", time.monotonic() - began)
    words = (run.stderr.strip().splitlines() or [""])[-1]
    return Result(run.returncode != 0, words, time.monotonic() - began)


def judged(game: str, mutations: Sequence[Mutation]) -> Iterator[tuple[Mutation, Result]]:
    """Judge one mutation of a game after the other.

    Raises:
        RuntimeError: the short run finds something in the package as it is, so that it says nothing about mutants.
    """
    unchanged = judge(game, None)
    if unchanged.caught:
        raise RuntimeError(f"the short run fails without a mutation: {unchanged.words}")
    for mutation in mutations:
        yield mutation, judge(game, mutation)


def row(mutation: Mutation, result: Result) -> str:
    """Return one line of the table."""
    verdict = "caught  " if result.caught else "SURVIVED"
    where = f"{mutation.file:24} {mutation.rule:17}"
    return f"{mutation.number:3} {where} {verdict} {result.seconds:5.1f} s  {result.words:.140}"


def main(arguments: Sequence[str]) -> int:
    """Print the table; return 1 where too many survive."""
    parser = argparse.ArgumentParser(description="Break kernels one line at a time; a game's short run must notice.")
    parser.add_argument("game", choices=games())
    parser.add_argument("numbers", type=int, nargs="*", help="mutations of its list, from 1; without any, all of them")
    options = parser.parse_args(arguments)
    chosen = [each for each in listed(options.game) if not options.numbers or each.number in options.numbers]
    caught = 0
    for mutation, result in judged(options.game, chosen):
        print(row(mutation, result), flush=True)
        caught += result.caught
    print(f"{caught} of {len(chosen)} caught")
    return int(caught < SHARE_CAUGHT * len(chosen))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
