"""Every rule of every ledger is held by a test, and every citation means a rule that exists."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ledger
import northmen_env as nm

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TESTS = Path(__file__).resolve().parent
RULES = TESTS.parent / "docs" / "rules"
EXEMPT = tomllib.loads((TESTS / "rules_exempt.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", nm.games())
def test_every_rule_has_a_test_or_a_reason(game: str) -> None:
    defined = ledger.defined_rules((RULES / f"{game}.md").read_text(encoding="utf-8"))
    (prefix,) = {rule.split("-")[0] for rule in defined}
    cited = [rule for rule in ledger.cited_rules(TESTS) if rule.startswith(f"{prefix}-")]
    found = ledger.faults(defined, cited, EXEMPT.get(game, {}))
    assert not found, "\n".join([f"docs/rules/{game}.md, {len(defined)} rules:", *found])


def test_citations_and_exemptions_belong_to_a_ledger() -> None:
    pages = {page.stem: ledger.defined_rules(page.read_text(encoding="utf-8")) for page in RULES.glob("*.md")}
    assert set(pages) >= set(nm.games())
    known = {rule.split("-")[0] for rules in pages.values() for rule in rules}
    foreign = {rule for rule in ledger.cited_rules(TESTS) if rule.split("-")[0] not in known}
    assert not foreign, f"cited, but no ledger has them: {sorted(foreign)}"
    assert set(EXEMPT) <= set(nm.games())


def test_the_ledgers_refer_to_nothing_outside_the_project() -> None:
    for page in sorted(RULES.glob("*.md")):
        assert "../.." not in page.read_text(encoding="utf-8")
        assert "rulebooks/" not in page.read_text(encoding="utf-8")


TEN = [f"TOY-PLAY-{number:02d}" for number in range(10)]


@pytest.mark.parametrize(
    ("defined", "cited", "exempt", "fault"),
    [
        (TEN, TEN[1:], {}, "TOY-PLAY-00 has no test and no exemption"),
        (TEN, [*TEN, "TOY-PLAY-99"], {}, "TOY-PLAY-99 is cited by a test but is not in the ledger"),
        (TEN, TEN, {"TOY-PLAY-98": "gone"}, "TOY-PLAY-98 is exempt but is not in the ledger"),
        (TEN, TEN, {"TOY-PLAY-03": "a definition"}, "TOY-PLAY-03 is exempt although a test cites it"),
        (TEN, TEN[1:], {"TOY-PLAY-00": " "}, "TOY-PLAY-00 is exempt without a reason"),
        (TEN, TEN[2:], dict.fromkeys(TEN[:2], "why"), "2 of 10 rules are exempt, more than one in ten"),
        ([*TEN, TEN[0]], TEN, {}, "TOY-PLAY-00 is defined twice"),
    ],
)
def test_each_fault_is_found(defined: list[str], cited: list[str], exempt: dict[str, str], fault: str) -> None:
    assert ledger.faults(defined, cited, exempt) == [fault]


def test_a_clean_ledger_has_no_faults() -> None:
    assert ledger.faults(TEN, TEN[1:], {TEN[0]: "a definition"}) == []


def test_definitions_and_citations_are_read_from_files(tmp_path: Path) -> None:
    text = "**TOY-PLAY-01** [R] see **TOY-PLAY-02**\n\n  **TOY-PLAY-03** indented\n**TOY-PLAY-04** [I] and so on\n"
    assert ledger.defined_rules(text) == ["TOY-PLAY-01", "TOY-PLAY-04"]

    (tmp_path / "test_toy.py").write_text(
        'import pytest\npytestmark = pytest.mark.rule("TOY-PLAY-01")\n'
        '@pytest.mark.rule("TOY-PLAY-02", "TOY-PLAY-03")\ndef test_it(): "TOY-PLAY-05"\n'
        'CASES = [pytest.param(1, marks=pytest.mark.rule("TOY-PLAY-04"))]\n'
    )
    (tmp_path / "test_referee.py").write_text('import pytest\npytestmark = pytest.mark.rule("TOY-PLAY-07")\n')
    (tmp_path / "helper.py").write_text('import pytest\npytest.mark.rule("TOY-PLAY-06")\n')
    assert ledger.cited_rules(tmp_path) == {f"TOY-PLAY-0{number}": {"test_toy.py"} for number in (1, 2, 3, 4)}

    (tmp_path / "test_toy.py").write_text('import pytest\nRULE = "TOY-PLAY-01"\nmark = pytest.mark.rule(RULE)\n')
    with pytest.raises(ValueError, match="literal string"):
        ledger.cited_rules(tmp_path)
