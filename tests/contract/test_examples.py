"""The examples of the guide run as they stand, without a warning."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_the_guide_runs(number: int) -> None:
    names: dict[str, Any] = {}
    exec("import northmen_env as nm\n" + EXAMPLES[number], names)
    env = names["env"]
    if number == 0:
        assert env.agents == []
    assert env.game_state(0).current_player >= 0 if hasattr(env, "num_envs") else env.game_state().is_terminal()


def test_the_guide_has_an_example_of_each_form() -> None:
    assert [line for text in EXAMPLES for line in re.findall(r"nm\.(make\w*)", text)] == [
        "make",
        "make_gym",
        "make_vec",
    ]
