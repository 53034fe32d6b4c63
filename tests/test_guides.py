"""The guides for an agent and for a game of one's own run as they are printed, entry point included."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import northmen_agents
import northmen_env as nm
from northmen_agents.kinds import kind_class
from northmen_env.cli.app import northmen

DOCS = Path(__file__).resolve().parents[1] / "docs"


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"nm": nm}
    exec(code, names)
    return names


def test_the_agent_of_the_guide_is_registered_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, module, use = blocks("agents.md", "python")
    assert module.startswith("# my_agents.py")
    (tmp_path / "my_agents.py").write_text(module)
    info = tmp_path / "my_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-agents\nVersion: 1.0\n")
    name, place = re.findall(r'^(\w+) = "(.+)"$', blocks("agents.md", "toml")[0], re.MULTILINE)[0]
    (info / "entry_points.txt").write_text(f"[northmen.agents]\n{name} = {place}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    kind_class.cache_clear()
    names = run(use)
    assert names["action"] == names["state"].legal_actions()[-1]
    command = next(line for line in blocks("agents.md", "sh")[0].splitlines() if line.startswith("northmen watch"))
    result = CliRunner().invoke(northmen, [*command.split()[1:], "--seed", "1"])
    assert result.exit_code == 0, result.output
    with pytest.raises(ValueError, match="has no parameter 'size'; its parameters are: end, whim"):
        northmen_agents.make_factory("stubborn", size=3)


@pytest.mark.parametrize(("number", "simulations"), [(0, 50), (1, 64)])
def test_the_searches_of_the_guide_run(number: int, simulations: int, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(blocks("agents.md", "python")[number])
    assert names["result"].visits.sum() == simulations
    assert names["result"].action in names["state"].legal_actions()


def test_the_trajectories_of_the_guide_are_assembled(capsys: pytest.CaptureFixture[str]) -> None:
    names = run(blocks("training.md", "python")[1])
    assert len(names["advantages"]) == len(names["rollout"]) > 0


@pytest.mark.parametrize("number", range(2))
def test_the_game_of_the_guide_plays_and_is_checked(number: int) -> None:
    names = run(blocks("games.md", "python")[number])
    assert names["game"].name == "coin"


def test_the_base_of_agents_is_public() -> None:
    assert northmen_agents.BaseAgent.__module__ == "northmen_agents.base"
    assert set(northmen_agents.__all__) <= set(dir(northmen_agents))
    assert not hasattr(northmen_agents, "Nothing")
