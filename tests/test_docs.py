"""The pages: links lead somewhere, the README's commands are the ones CI runs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("docs", "northmen_env", "agents", "configs", "benchmarks", "notebooks", "tests")
PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_relative_links_lead_to_files_of_the_project(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    for link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert not anchor or anchor in _anchors(target), f"{link}: no such heading"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_has_one_test_command_and_ci_takes_it_from_there() -> None:
    commands = [
        line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if "-m pytest -q" in line
    ]
    assert commands == ["pip install -c constraints.txt -e '.[dev]' && python -m pytest -q"]
    assert "grep -m 1 -- '-m pytest -q' README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", ["run", "smoke"])
def test_ci_scripts_are_valid_shell(script: str) -> None:
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci" / script)], capture_output=True).returncode == 0


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in sorted(folder.glob("0*.md")) if f"({page.name})" not in index] == []
