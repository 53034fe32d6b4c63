"""The tests of the referee once more, the engine following each action (`northgard_shadow`)."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from northgard_shadow import Shadow

HERE = Path(__file__).parent


def load(path: Path) -> ModuleType:
    """Import a test module under a name of its own: other games have modules of the same name."""
    spec = importlib.util.spec_from_file_location(f"northgard_shadowed_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases() -> list[Any]:
    """Every test function of these modules without arguments of its own, with its marks."""
    found = []
    for module in map(load, sorted(HERE.glob("test_referee*.py"))):
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if not name.startswith("test_") or function.__module__ != module.__name__:
                continue
            if not inspect.signature(function).parameters:
                marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "rule"]
                found.append(pytest.param(function, marks=marks, id=name.removeprefix("test_")))
    return found


@pytest.mark.parametrize("test", cases())
def test_the_engine_does_what_the_referee_does(test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    Shadow().install(monkeypatch)  # compares at every action
    test()


def test_the_shadow_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    shadow = Shadow().install(monkeypatch)
    module = load(HERE / "test_referee_moves.py")
    module.test_two_combats_in_the_order_of_the_actor()
    module.test_pushing_a_unit_away()
    assert shadow.compared >= 8 and shadow.refused == 0, shadow.reasons
