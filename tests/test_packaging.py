"""The wheel: what is in it, what it says about itself, and that it works away from the checkout."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoint, PathDistribution
from pathlib import Path

import pytest

import northmen_env as nm

ROOT = Path(__file__).resolve().parents[1]

PLAY = """
import warnings
from pathlib import Path
import northmen_env as nm
assert Path(nm.__file__).is_relative_to({site!r}), nm.__file__
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for name in nm.games():
        state = nm.load(name).new_initial_state(seed=3)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        print(name, state.digest())
print(sum("NORTHMEN_CACHE_DIR" in str(warning.message) for warning in seen), "warnings")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as an installer would leave it, read-only."""
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture(scope="module")
def distribution(site: Path) -> PathDistribution:
    (info,) = site.glob("*.dist-info")
    return PathDistribution(info)


def run(site: Path, code: str, cwd: Path, **environment: str) -> str:
    """Run `code` against the extracted wheel, with no home, no display and no variable of ours but those given."""
    mine = ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE", "DISPLAY")
    kept = {name: value for name, value in os.environ.items() if name not in mine and not name.startswith("NORTHMEN_")}
    kept |= {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_is_pure_python_and_named_by_the_version(wheel: Path) -> None:
    assert wheel.name == f"northmen_env-{nm.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        sizes = {entry.filename: entry.compress_size for entry in archive.infolist()}
    policies = {name for name in sizes if name.endswith(".safetensors")}
    assert policies == {f"northmen_agents/baselines/{name}.safetensors" for name in nm.games()}
    assert sum(size for name, size in sizes.items() if name not in policies) < 1_000_000


def test_the_wheel_holds_the_two_packages_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"northmen_env", "northmen_agents", f"northmen_env-{nm.__version__}.dist-info"}
    assert not [name for name in names if "test_" in name or "__pycache__" in name or name.endswith((".nbi", ".nbc"))]
    assert {"northmen_env/py.typed", "northmen_agents/py.typed", "northmen_agents/__init__.py"} <= names


def test_the_wheel_holds_every_module_table_and_configuration(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    places = [("northmen_env", "northmen_env"), ("agents/northmen_agents", "northmen_agents")]
    places += [("configs", "northmen_agents/configs"), ("docs/rules", "northmen_env/rules")]
    for source, target in places:
        files = [file for file in (ROOT / source).rglob("*") if file.suffix in (".py", ".csv", ".yaml", ".md")]
        assert files, f"{source} is empty"
        missing = {f"{target}/{file.relative_to(ROOT / source).as_posix()}" for file in files} - shipped
        assert not missing
    for game in nm.games():
        assert any(name.startswith(f"northmen_env/games/{game}/data/") and name.endswith(".csv") for name in shipped)


def test_the_metadata_say_what_an_installer_needs(distribution: PathDistribution) -> None:
    metadata = email.message_from_string(distribution.read_text("METADATA") or "")
    assert metadata["Name"] == "northmen-env"
    assert metadata["Version"] == nm.__version__
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["License-Expression"] == "MIT"
    extras = {"train", "ray", "render", "report", "notebooks", "peers", "dev", "all"}
    assert set(metadata.get_all("Provides-Extra")) == extras
    base = [requirement for requirement in metadata.get_all("Requires-Dist") if "extra ==" not in requirement]
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in base}
    assert names == {
        "numpy", "numba", "scipy", "gymnasium", "pettingzoo", "pydantic", "hydra-core", "click", "rich",
    }  # fmt: skip
    assert not [requirement for requirement in base if "<" in requirement or "==" in requirement]


def test_every_entry_point_leads_somewhere(distribution: PathDistribution) -> None:
    points = {(point.group, point.name): point for point in distribution.entry_points}
    assert ("console_scripts", "northmen") in points
    assert {name for group, name in points if group == "northmen.agents"} >= {"random", "heuristic", "flat-mc"}
    for point in points.values():
        assert callable(EntryPoint(point.name, point.value, point.group).load())


def test_import_without_a_home_writes_nothing_and_imports_no_numba(site: Path, tmp_path: Path) -> None:
    before = sorted(site.rglob("*"))
    code = "import sys, northmen_env as nm; print(nm.__file__, nm.games(), 'numba' in sys.modules)"
    out = run(site, code, tmp_path, TMPDIR=str(tmp_path))
    assert out.split()[0] == str(site / "northmen_env" / "__init__.py")
    assert out.split()[-1] == "False"
    assert sorted(site.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_read_only_install_without_a_home_plays(site: Path, tmp_path: Path) -> None:
    before = sorted(site.rglob("*"))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    out = run(site, PLAY.format(site=str(site)), tmp_path, TMPDIR=str(scratch))
    assert out.splitlines()[-1] == "0 warnings"
    assert sorted(site.rglob("*")) == before
    assert list(tmp_path.iterdir()) == [scratch]


@pytest.mark.long
def test_with_nowhere_to_write_it_plays_the_same_games_and_warns_once(site: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("a file, so no folder can be made below it")
    out = run(site, PLAY.format(site=str(site)), tmp_path, NORTHMEN_CACHE_DIR=str(nowhere / "cache"))
    expected = []
    for name in nm.games():
        state = nm.load(name).new_initial_state(seed=3)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        expected.append(f"{name} {state.digest()}")
    assert out.splitlines() == [*expected, "1 warnings"]
    assert list(tmp_path.iterdir()) == [nowhere]
