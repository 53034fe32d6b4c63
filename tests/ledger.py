"""Reads the ledgers in docs/rules and finds the tests that cite their rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

RULE_ID = re.compile(r"[A-Z]+-[A-Z]+-\d\d")
MOST_EXEMPT = 0.10
NOT_THE_ENGINE = ("test_referee.py",)
"""Tests of the referees: they cite the rules they are about, but the engine could break each of them unnoticed."""

_DEFINITION = re.compile(rf"^\*\*({RULE_ID.pattern})\*\*", re.MULTILINE)


def defined_rules(text: str) -> list[str]:
    """Return the ids that a ledger defines, in its order (an id defined twice stands there twice)."""
    return _DEFINITION.findall(text)


def cited_rules(folder: Path) -> dict[str, set[str]]:
    """Return, for each id in a `pytest.mark.rule(...)` of a test module below `folder`, the modules that cite it.

    Tests of a referee do not count (`NOT_THE_ENGINE`).

    Raises:
        ValueError: a citation is not a literal string; nothing could be counted then.
    """
    cited: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        if file.name in NOT_THE_ENGINE:
            continue
        for rule in _citations(file):
            cited.setdefault(rule, set()).add(file.relative_to(folder).as_posix())
    return cited


def _citations(file: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"):
            continue
        for argument in node.args:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"{file}:{argument.lineno}: cite a rule by a literal string")
            yield argument.value


def faults(defined: list[str], cited: Iterable[str], exempt: dict[str, str]) -> list[str]:
    """Return what is wrong between the rules of one ledger, the tests and the exemptions, a sentence each.

    Args:
        defined: ids in the ledger.
        cited: ids that tests of this ledger's game cite.
        exempt: id -> reason.
    """
    rules, cited = set(defined), set(cited)
    found = [f"{rule} is defined twice" for rule in sorted({rule for rule in defined if defined.count(rule) > 1})]
    found += [f"{rule} has no test and no exemption" for rule in defined if rule not in cited and rule not in exempt]
    found += [f"{rule} is cited by a test but is not in the ledger" for rule in sorted(cited - rules)]
    found += [f"{rule} is exempt but is not in the ledger" for rule in sorted(set(exempt) - rules)]
    found += [f"{rule} is exempt although a test cites it" for rule in sorted(set(exempt) & cited)]
    found += [f"{rule} is exempt without a reason" for rule, reason in sorted(exempt.items()) if not reason.strip()]
    if len(exempt) > MOST_EXEMPT * len(rules):
        found.append(f"{len(exempt)} of {len(rules)} rules are exempt, more than one in ten")
    return found
