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

NOT_FOLLOWED = {
    "a card twice": (
        "attacks_on_hands copying menu_wait_and_replace only_useful_cards_can_be_played "
        "remove_and_upgrade winter snake_places_the_token_before_and_after_the_move"
    ),
    "a card of another clan": "build_with_2_wood recruit_rooms",
    "a building where it cannot stand": (
        "harvest_and_winter teams_win_together three_fortresses_win_over_fame what_may_be_built"
    ),
    "creature cards that are nowhere": (
        "a_creature_appears_with_an_explored_tile a_valkyrie_appears_and_attacks_the_explorer more_creatures"
    ),
}
"""Tests whose positions no game reaches, by what is wrong; the engine refuses them. Their rules have other tests."""
UNREAL = {name for names in NOT_FOLLOWED.values() for name in names.split()}


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
                name = name.removeprefix("test_")
                marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "rule"]
                found.append(pytest.param(function, marks=[] if name in UNREAL else marks, id=name))
    return found


@pytest.mark.parametrize("test", cases())
def test_the_engine_does_what_the_referee_does(test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    shadow = Shadow().install(monkeypatch)  # compares at every action
    test()
    refused = test.__name__.removeprefix("test_") in UNREAL
    assert (shadow.refused > 0) == refused, shadow.reasons


def test_the_shadow_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    shadow = Shadow().install(monkeypatch)
    module = load(HERE / "test_referee_moves.py")
    module.test_two_combats_in_the_order_of_the_actor()
    module.test_pushing_a_unit_away()
    assert shadow.compared >= 8 and shadow.refused == 0, shadow.reasons
