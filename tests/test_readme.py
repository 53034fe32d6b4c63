"""The README's tour runs as it is printed there, warnings being errors."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_tour_shows_every_face():
    faces = ("nm.make(", "nm.make_gym(", "nm.make_vec(", "nm.load(")
    assert [face for face in faces if not any(face in block for block in BLOCKS)] == []


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_tour_runs(number, capsys):
    names = {}
    exec(compile("import northmen_env as nm\n" + BLOCKS[number], f"README block {number}", "exec"), names)
    if "agent_iter" in BLOCKS[number]:
        assert names["env"].agents == []
        assert names["terminated"] is True
