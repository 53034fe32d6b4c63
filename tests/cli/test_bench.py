"""`northmen bench` and `northmen warmup`: the report's form, and that all faces play the same games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import coin_league
from northmen_env import bench, registry
from northmen_env.cli.app import northmen

METRICS = {
    "playout_decisions_per_s", "heuristic_decisions_per_s", "observed_decisions_per_s", "aec_decisions_per_s",
    "state_decisions_per_s", "gym_decisions_per_s", "vector_decisions_per_s", "clone_us", "resample_us",
    "resample_kernel_us", "import_s", "cold_start_s", "warm_start_s", "mean_decisions_per_game", "state_bytes",
    "observation_floats",
}  # fmt: skip


def test_the_report_has_every_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "coin", coin_league.TINY_GAMES["coin"])
    monkeypatch.setattr(bench, "start_s", lambda game: (2.0, 1.0))  # a new process does not know the tiny game
    file = tmp_path / "bench.json"
    result = CliRunner().invoke(northmen, ["bench", "coin", "--players", "3", "--seconds", "0.05", "--json", str(file)])
    assert result.exit_code == 0, result.output
    report = json.loads(file.read_text())
    assert set(report) == {"game", "players", "version", "machine", "threads", "metrics"}
    assert (report["game"], report["players"], report["threads"]) == ("coin", 3, 1)
    assert set(report["metrics"]) == METRICS
    assert all(value > 0 for value in report["metrics"].values())
    assert report["metrics"]["mean_decisions_per_game"] == 12
    for name in METRICS:
        assert name in result.output
    assert result.output.count(", digest ") == sum(name.endswith("decisions_per_s") for name in METRICS)


STARTS = {"import_s", "cold_start_s", "warm_start_s"}


def test_without_starts_the_file_has_all_that_was_measured_and_null(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.GAMES, "coin", coin_league.TINY_GAMES["coin"])
    monkeypatch.setattr(bench, "_python", None)  # no process is started
    file = tmp_path / "bench.json"
    result = CliRunner().invoke(northmen, ["bench", "coin", "--seconds", "0.05", "--no-starts", "--json", str(file)])
    assert result.exit_code == 0, result.output
    metrics = json.loads(file.read_text())["metrics"]
    assert set(metrics) == METRICS
    assert {name for name, value in metrics.items() if value is None} == STARTS
    assert not any(name in result.output for name in STARTS)


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (KeyboardInterrupt(), 1, ""),
        (subprocess.CalledProcessError(1, "python", stderr="Trace\nMemoryError: full"), 1, "failed: MemoryError: full"),
    ],
    ids=["interrupted", "failed"],
)
def test_what_was_measured_before_an_end_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, sentence: str
) -> None:
    def fails() -> float:
        raise error

    monkeypatch.setitem(registry.GAMES, "coin", coin_league.TINY_GAMES["coin"])
    monkeypatch.setattr(bench, "import_s", fails)
    file = tmp_path / "bench.json"
    result = CliRunner().invoke(northmen, ["bench", "coin", "--seconds", "0.05", "--json", str(file)])
    assert result.exit_code == status
    assert sentence in result.output
    metrics = json.loads(file.read_text())["metrics"]
    assert {name for name, value in metrics.items() if value is None} == {*STARTS, "state_bytes", "observation_floats"}


@pytest.mark.parametrize("face", ["observed", "stepped_states", "stepped_aec"])
def test_every_face_plays_the_games_of_the_playout_kernel(face: str) -> None:
    game = coin_league.coin_game(4)
    played = game.playouts(30, seed=bench.SEED)
    assert getattr(bench, face)(game)(30) == (played.total_decisions, 30, played.digest)


@pytest.mark.parametrize("face", ["suggested", "stepped_gym", "stepped_vector"])
def test_the_other_faces_play_the_same_games_each_time(face: str) -> None:
    game = coin_league.coin_game(3)
    first = getattr(bench, face)(game)(20)
    assert first == getattr(bench, face)(game)(20)
    assert first.digest != getattr(bench, face)(game)(60).digest


def test_a_cold_start_says_what_is_being_compiled_and_leaves_nothing_to_compile(tmp_path: Path) -> None:
    environment = {**os.environ, "NORTHMEN_CACHE_DIR": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            coin_league.command(*arguments), env=environment, capture_output=True, text=True, timeout=300, check=True
        )

    cold = run("warmup", "coin")
    lines = cold.stderr.splitlines()
    assert lines[1].startswith("compiling engine ")
    assert "kernel 1, first use on this machine" in lines[1]
    assert lines[-1].startswith("compiled ")
    assert "coin: ready in" in cold.stdout
    assert str(tmp_path) in cold.stdout
    assert run("watch", "coin", "-a", "flat-mc:simulations=2", "-a", "0=heuristic").stderr == ""


def test_import_time_is_measured_in_a_new_process() -> None:
    assert 0.0 < bench.import_s() < 10.0


def test_the_command_is_a_module_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "northmen_env.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("northmen-env")
