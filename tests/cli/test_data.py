"""`northmen data check`: sound tables pass, each fault is a sentence with file and line and exit status 1."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import northmen_env as nm
from northmen_env.cli.app import northmen
from northmen_env.games import saga

BUILT_IN = Path(saga.__file__).parent / "data"


def check(path: Path, game: str = "saga") -> Result:
    return CliRunner().invoke(northmen, ["data", "check", game, str(path)])


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BUILT_IN, tmp_path / "tables"))


@pytest.mark.parametrize("game", nm.games())
def test_the_tables_of_the_package_are_sound(game: str) -> None:
    result = check(BUILT_IN.parents[1] / game / "data", game)
    assert result.exit_code == 0
    assert f"is a sound set of tables for {game}" in result.output


@pytest.mark.parametrize("game", nm.games())
def test_a_folder_that_is_not_there_is_told(game: str, tmp_path: Path) -> None:
    result = check(tmp_path / "nowhere", game)
    assert result.exit_code == 1
    assert "nowhere" in result.output
    assert "is not a sound set of tables" in result.output


def test_a_wrong_number_is_told_with_file_and_line(tables: Path) -> None:
    cards = tables / "cards.csv"
    lines = cards.read_text().splitlines()
    fields = lines[3].split(",")
    lines[3] = ",".join([*fields[:-1], "99"])
    cards.write_text("\n".join(lines) + "\n")
    result = check(tables)
    assert result.exit_code == 1
    assert "cards.csv" in result.output
    assert "line 4" in result.output or ":4" in result.output
    assert "is not a sound set of tables" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", ["kingdoms.csv", "regions.csv", "adjacency.csv", "cards.csv", "routes.csv"])
@pytest.mark.parametrize("content", [b"", b"a;b;c\n1;2;3\n", bytes(range(256))], ids=["empty", "header", "binary"])
def test_a_file_that_cannot_be_read_is_told_once_and_blamed_on_no_other(
    tables: Path, name: str, content: bytes
) -> None:
    (tables / name).write_bytes(content)
    lines = check(tables).output.splitlines()
    assert lines
    assert all(line.startswith((f"{name}:", "Error: ")) for line in lines), lines
    assert len(lines) <= 4, lines  # bytes, line ends and header of that file, and the verdict


@pytest.mark.parametrize("fault", ["missing file", "empty file", "binary file", "no folder", "a file for a folder"])
def test_broken_folders_are_told_in_a_sentence(tables: Path, fault: str) -> None:
    path = tables
    if fault == "missing file":
        (tables / "routes.csv").unlink()
    elif fault == "empty file":
        (tables / "routes.csv").write_text("")
    elif fault == "binary file":
        (tables / "routes.csv").write_bytes(bytes(range(256)))
    elif fault == "no folder":
        path = tables / "nowhere"
    else:
        path = tables / "routes.csv"
    result = check(path)
    assert result.exit_code == 1, result.output
    assert "is not a sound set of tables" in result.output
    assert len(result.output.splitlines()) >= 2
