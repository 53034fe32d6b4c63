"""What `northmen train game=saga train=smoke` promises: a few minutes, and better than random from every seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from northmen_env.cli.app import northmen


@pytest.mark.long
def test_the_smoke_training_beats_random_from_every_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(northmen, ["train", "game=saga", "train=smoke"])
    assert done.exit_code == 0, done.output
    measured = json.loads((tmp_path / "results" / "saga-train-smoke" / "evaluation.json").read_text())
    rows = [row for row in measured["seats"] if row["opponent"] == "random"]
    assert [row["seat"] for row in rows] == [0, 1]
    for row in rows:
        assert row["games"] >= 200 and row["unfinished"] == 0
        assert row["low"] > row["equal"], row
    assert (tmp_path / "results" / "saga-train-smoke" / "policy.safetensors").stat().st_size < 3_000_000
