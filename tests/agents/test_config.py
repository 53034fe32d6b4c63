"""The configurations: where they are found, that they compose, and that they say what the code says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

import northmen_agents
import northmen_env as nm
from northmen_agents import kinds, make_factory
from northmen_agents.config import ConfigError, configs_folder, validated
from northmen_env import ledger, registry

CHECKOUT = Path(__file__).resolve().parents[2]


def composed(*overrides: str) -> dict[str, Any]:
    with initialize_config_dir(str(configs_folder()), version_base="1.3"):
        found = OmegaConf.to_container(compose("tournament", list(overrides)), resolve=True)
    assert isinstance(found, dict)
    return {str(key): value for key, value in found.items()}


def test_a_checkout_uses_its_configs_folder() -> None:
    assert configs_folder() == CHECKOUT / "configs"


def test_a_wheel_uses_the_folder_inside_the_package(tmp_path: Path) -> None:
    package = tmp_path / "northmen_agents"
    shutil.copytree(Path(northmen_agents.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(CHECKOUT / "configs", package / "configs")
    code = "from northmen_agents.config import configs_folder; print(configs_folder())"
    paths = os.pathsep.join([str(tmp_path), str(CHECKOUT)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == package / "configs"


def test_an_incomplete_installation_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("northmen_agents.config._PACKAGE", tmp_path / "a" / "b")
    with pytest.raises(FileNotFoundError, match="install it again"):
        configs_folder()


def test_every_game_has_a_configuration_with_its_default_options() -> None:
    for name in nm.games():
        game = composed(f"game={name}")["game"]
        defaults = registry.spec(name).options().model_dump(mode="json", exclude={"num_players"})
        assert game["name"] == name
        assert game["options"] == defaults


def test_every_kind_has_a_configuration_with_its_default_parameters() -> None:
    for path in (configs_folder() / "agent").glob("*.yaml"):
        entry = OmegaConf.to_container(OmegaConf.load(path))
        assert isinstance(entry, dict)
        kind = str(entry.pop("kind"))
        assert kind in kinds()
        needed = {name: "file" for name, value in entry.items() if value == "???"}  # what has no default
        assert {**entry, **needed} == make_factory(kind, **needed).parameters


def test_every_line_up_composes_and_is_valid() -> None:
    for path in (configs_folder() / "tournament").glob("*.yaml"):
        config = validated(composed(f"tournament={path.stem}"))
        assert len(config.factories()) >= 2
        assert len(config.schedule(config.load_game())) > 0


def test_the_default_tournament_is_saga_with_four_named_agents() -> None:
    config = validated(composed())
    assert config.name == "saga-2p"
    assert set(config.factories()) == {"random", "heuristic", "flat-mc-20", "flat-mc-200"}
    assert config.factories()["flat-mc-20"].parameters["simulations"] == 20
    assert config.factories()["flat-mc-200"].parameters["simulations"] == 200


def test_overrides_reach_the_game_and_the_agents() -> None:
    config = validated(composed("players=4", "game.options.march_order=free", "agents.flat-mc-20.simulations=30"))
    assert config.name == "saga-4p"
    assert config.game.options["march_order"] == "free"
    assert config.factories()["flat-mc-20"].parameters["simulations"] == 30


def test_agents_can_be_added_and_removed() -> None:
    config = validated(composed("+agents.mine={kind: flat-mc, simulations: 7}", "~agents.random"))
    assert set(config.factories()) == {"mine", "heuristic", "flat-mc-20", "flat-mc-200"}


def test_the_identity_holds_what_decides_the_results_and_nothing_of_how_they_are_made() -> None:
    def identity(*overrides: str) -> dict[str, Any]:
        config = validated(composed(*overrides))
        return config.identity(config.load_game(), config.factories())

    first = identity()
    for part in ("package_version", "ledger_version", "tables_sha256", "observation_schema"):
        assert first[part], part
    assert identity("executor=ray", "executor.address=auto", "anchors={random: 1000}") == first
    assert identity("executor.workers=7", "overwrite=true", "name=x", "results=y", "bootstrap=3") == first
    for override in ("players=3", "game.options.recall=table", "deals=1", "seed=1", "agents.flat-mc-20.simulations=1",
                     "orders=rotations", "line_ups=one-against-many", "~agents.random", "focus=[random]",
                     "sequential={agents: [random, heuristic]}"):  # fmt: skip
        assert identity(override) != first, override


def test_anchors_and_a_test_can_be_given_on_the_command_line() -> None:
    config = validated(
        composed("anchors={random: 1000}", "sequential={agents: [random, heuristic], high: 50}", "focus=[random]")
    )
    assert config.anchors == {"random": 1000.0}
    assert config.sequential is not None
    assert config.sequential.test().high == 50.0
    assert config.settings()["focus"] == ["random"]


def test_a_sequential_test_of_other_agents_than_play_is_refused() -> None:
    config = validated(composed("sequential={agents: [random, heuristic]}"))
    with pytest.raises(ConfigError, match="needs games between these two and nobody else"):
        config.judge(config.schedule(config.load_game()))


def test_a_ledgers_version_changes_with_its_words_and_not_with_its_line_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules").mkdir()
    monkeypatch.setattr(ledger, "_PACKAGE", tmp_path)

    def version(text: str) -> str | None:
        (tmp_path / "rules" / "saga.md").write_text(text, encoding="utf-8")
        ledger.ledger_version.cache_clear()
        return ledger.ledger_version("saga")

    try:
        first = version("A player may pay 3 infamy.\n")
        assert version("A player may\npay 3 infamy.") == first
        assert version("A player may pay 4 infamy.") != first
        assert ledger.ledger_version("chess") is None
    finally:
        ledger.ledger_version.cache_clear()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"deals": True}, "deals cannot be True"),
        ({"seed": -1}, "seed cannot be -1"),
        ({"agents": {"a,b": {"kind": "random"}, "c": {"kind": "random"}}}, "an agent's name is made of"),
        ({"agents": {"a": {"kind": "random"}}}, "at least two agents"),
        ({"extra": 1}, "there is no entry 'extra'"),
        ({"executor": {"kind": "cloud"}}, "executor.kind cannot be 'cloud'"),
        ({"executor": {"kind": "local", "address": "auto"}}, "executor=local has no address"),
        ({"executor": {"kind": "ray", "start_method": "fork"}}, "executor=ray has no start_method"),
        ({"focus": ["nobody"]}, "focus names 'nobody', which is not one of the agents: random"),
        ({"anchors": {"nobody": 1000.0}}, "anchors names 'nobody'"),
        ({"sequential": {"agents": ["random", "nobody"]}}, "sequential.agents names 'nobody'"),
        ({"sequential": {"agents": ["random"]}}, "sequential.agents cannot be"),
        ({"sequential": {"agents": ["random", "random"]}}, "compares two different agents"),
        ({"sequential": {"agents": ["random", "heuristic"], "low": 50.0}}, "low must be less than high"),
        ({"sequential": {"agents": ["random", "heuristic"], "alpha": 0.7}}, "error rates between 0 and 0.5"),
    ],
)
def test_wrong_entries_are_refused_in_a_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        validated({**composed(), **change})
    assert sentence in str(caught.value)
