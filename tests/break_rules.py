"""Draws rules of a ledger by a seed and prints the tests that cite them: the start of an exercise by hand.

    python tests/break_rules.py [--seed 2] [--number 30] [--game saga]

For each rule: break it in one line of a copy of the project, run `pytest --rule ID` there (with NUMBA_DISABLE_JIT=1, so
that nothing is compiled) and see a test fail. Where none does, the test is to be made stricter. What came of it is
recorded in docs/results/broken-rules.md.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import pytest

import ledger

TESTS = Path(__file__).resolve().parent
RULES = TESTS.parent / "docs" / "rules"


class Collector:
    """A pytest plugin that notes which tests cite which rule."""

    def __init__(self) -> None:
        self.tests: dict[str, set[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            if item.path.name in ledger.NOT_THE_ENGINE:
                continue
            for marker in item.iter_markers("rule"):
                for rule in marker.args:
                    self.tests.setdefault(rule, set()).add(item.nodeid.split("[")[0])


def cited(game: str) -> dict[str, list[str]]:
    """Return the tests that cite each rule of a game's ledger, tests of the referee left out."""
    ids = ledger.defined_rules((RULES / f"{game}.md").read_text(encoding="utf-8"))
    (word,) = {rule.split("-")[0] for rule in ids}
    prefix, collector, output = f"{word}-", Collector(), io.StringIO()
    modules = {m for rule, found in ledger.cited_rules(TESTS).items() if rule.startswith(prefix) for m in found}
    modules |= {file.relative_to(TESTS).as_posix() for file in (TESTS / "games" / game).glob("test_*.py")}  # by others
    files = [str(TESTS / module) for module in sorted(modules)]
    with contextlib.redirect_stdout(output):
        code = pytest.main(["--collect-only", "-q", "-m", "", "--rootdir", str(TESTS.parent), *files], [collector])
    if code != pytest.ExitCode.OK:
        raise SystemExit(output.getvalue())
    return {rule: sorted(tests) for rule, tests in sorted(collector.tests.items()) if rule.startswith(prefix)}


def drawn(rules: list[str], number: int, seed: int) -> list[str]:
    """Return the `number` rules whose hashes with the seed are smallest: one rule more changes one choice at most."""
    return sorted(sorted(rules, key=lambda rule: hashlib.sha256(f"{seed} {rule}".encode()).digest())[:number])


def main() -> None:
    """Print the drawn rules with their tests."""
    parser = argparse.ArgumentParser(description="Draw rules to be broken by hand, with the tests that cite them.")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--number", type=int, default=30)
    parser.add_argument("--game", default="saga")
    options = parser.parse_args()
    tests = cited(options.game)
    print(f"seed {options.seed}: {options.number} of {len(tests)} rules of {options.game} that tests cite")
    for rule in drawn(list(tests), options.number, options.seed):
        print(rule, *(f"    {test}" for test in tests[rule]), sep="\n")


if __name__ == "__main__":
    main()
