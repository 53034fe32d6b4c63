"""Collection: `pytest --rule SAGA-RALLY-07` runs the tests of that rule. Whole runs use every core."""

from __future__ import annotations

import os

import pytest

from ledger import RULE_ID


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rule",
        action="append",
        default=[],
        metavar="ID",
        help="run only the tests marked with this rule of a ledger (may be given several times)",
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return a worker per usable core for a whole run, and none for a part: starting them takes longer than a file."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.rule:
        return 0
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = set(config.getoption("--rule"))
    kept, dropped = [], []
    for item in items:
        held = _rules(item)
        (kept if not wanted or wanted & held else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
    items.sort(key=_takes_minutes, reverse=True)


def _takes_minutes(item: pytest.Item) -> bool:
    """Whether a test compiles everything anew, or nothing: begun last, it would leave the other cores idle."""
    return item.path.name == "test_worlds.py"


def _rules(item: pytest.Item) -> set[str]:
    """Return the rules a test is marked with; a marker that names none is an error, because nobody would count it."""
    held: set[str] = set()
    for marker in item.iter_markers("rule"):
        wrong = [rule for rule in marker.args if not isinstance(rule, str) or not RULE_ID.fullmatch(rule)]
        if wrong or not marker.args:
            raise pytest.UsageError(f"{item.nodeid}: rule() takes ids such as 'SAGA-RALLY-07', not {wrong}")
        held.update(marker.args)
    return held
