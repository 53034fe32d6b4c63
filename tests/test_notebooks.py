"""The notebooks run from top to bottom, with settings that take seconds, and are kept without their outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SMALL: dict[str, dict[str, Any]] = {
    "01-play-and-observe.ipynb": {"players": 3, "seed": 7, "games": 16},
    "02-search-a-decision.ipynb": {
        "players": 2, "seed": 7, "decision": 30, "simulations": (5, 20, 40), "seconds": 0.05,
    },
    "03-train-ppo.ipynb": {
        "players": [2], "steps": 1024, "envs": 16, "rollout": 32, "batch": 128, "games": 8, "folder": "results/train",
    },
    "04-from-a-sweep-to-a-figure.ipynb": {
        "players": (2,), "simulations": (2, 4), "seeds": (0, 1), "deals": 2, "folder": "results",
        "workers": 1,
    },
}  # fmt: skip
"""Notebook -> what its cell of settings is replaced by."""


def test_every_notebook_has_small_settings_here() -> None:
    assert sorted(SMALL) == sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize("name", SMALL)
def test_a_notebook_is_kept_without_outputs_and_says_what_can_be_set(name: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    (settings,) = [cell for cell in code if "parameters" in cell.metadata.get("tags", [])]
    known: dict[str, Any] = {}
    exec(settings.source, known)
    assert {key for key in known if not key.startswith("__")} == set(SMALL[name])


@pytest.mark.parametrize("name", SMALL)
def test_a_notebook_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source = "\n".join(f"{key} = {value!r}" for key, value in SMALL[name].items())
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    if name.startswith("01"):
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert "actions are legal" in str(outputs) and "games ended" in str(outputs)
    if name.startswith("03"):
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert "share of wins" in str(outputs) and "'game': 'saga', 'version': 0" in str(outputs)
        assert "a random player's mean return against it" in str(outputs)
    if name.startswith("02"):
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert "20 simulations" in str(outputs)
    if name.startswith("04"):
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert "12 rows of agents; 12 rows of seeds together" in str(outputs)
        assert (tmp_path / "results" / "figure.pdf").read_bytes().startswith(b"%PDF")
        assert (tmp_path / "results" / "sweep.html").is_file()
