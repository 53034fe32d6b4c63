"""Collection: `pytest --rule SAGA-RALLY-07` runs the tests of that rule; traces that take minutes begin early."""

from __future__ import annotations

import pytest

import other_worlds
from ledger import RULE_ID


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rule",
        action="append",
        default=[],
        metavar="ID",
        help="run only the tests marked with this rule of a ledger (may be given several times)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = set(config.getoption("--rule"))
    kept, dropped = [], []
    for item in items:
        held = _rules(item)
        (kept if not wanted or wanted & held else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
    items.sort(key=_reads_a_trace)


def pytest_collection_finish(session: pytest.Session) -> None:
    alone = not hasattr(session.config, "workerinput")  # a worker of pytest-xdist collects tests that others run
    if alone and any(map(_reads_a_trace, session.items)) and not session.config.option.collectonly:
        other_worlds.begin()


def pytest_unconfigure(config: pytest.Config) -> None:
    other_worlds.end()


def _reads_a_trace(item: pytest.Item) -> bool:
    """Whether a test waits for a process that runs beside the others: such tests come last."""
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
