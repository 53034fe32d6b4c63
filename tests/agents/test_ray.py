"""Tournaments on Ray: a cluster of two nodes gives the same bytes, and what goes wrong is said in a sentence."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from coin_league import tournament
from northmen_agents.arena import ray_executor
from northmen_agents.arena.execute import ExecutorError

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")


@needs_ray
def test_a_cluster_of_two_nodes_writes_the_same_export(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).parent / "arena_process.py"), "ray", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    exports = json.loads(done.stdout)
    assert exports["ray"] == exports["local"]
    assert exports["ray"].count("\n") == 48
    assert "kernels are ready on 2 of 2" in done.stderr


@needs_ray
@pytest.mark.long
def test_ray_is_started_for_a_run_that_names_no_cluster(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}  # for the workers
    command = tournament(tmp_path, "executor=ray", "executor.workers=2")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ray: 1 node, 2 CPUs" in done.stderr
    assert "games of" in done.stdout


@needs_ray
@pytest.mark.parametrize("address", ["nonsense", "host:port", ":6379", "free"])
def test_a_cluster_that_is_not_there_is_told_in_a_sentence(address: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    where = f"127.0.0.1:{port}" if address == "free" else address
    expected = "no Ray cluster can be used at" if address == "free" else "executor.address is auto, HOST:PORT or null"
    with pytest.raises(ExecutorError, match=expected):
        ray_executor._connect(where, None)


def test_without_ray_the_command_that_helps_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_executor, "find_spec", lambda name: None)
    with pytest.raises(ExecutorError, match=r"pip install 'northmen-env\[ray\]'"):
        ray_executor.check_ray()
