"""Sweeps: a folder for each job, a job that fails beside others, and the same sweep again."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import coin_league
from northmen_agents.arena.results import FILE_NAME, StoredResults
from northmen_env import registry
from northmen_env.cli import tournament as command
from northmen_env.cli.app import northmen


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def sweep(folder: Path, *overrides: str) -> Result:
    arguments = ["--multirun", "--config-dir", str(coin_league.CONFIGS), f"results={folder}", "tournament=smoke"]
    base = ["game=coin", "deals=1", "bootstrap=0", "executor.workers=1", "+agent@agents.mc=flat-mc"]
    return CliRunner().invoke(northmen, ["tournament", *arguments, *base, *overrides])


def folders(results: Path) -> list[str]:
    return sorted(str(file.parent.relative_to(results)) for file in results.rglob(FILE_NAME))


def test_a_job_is_in_the_folder_of_its_overrides_less_those_that_change_no_game(tmp_path: Path) -> None:
    done = sweep(tmp_path, "players=2,3", "agents.mc.simulations=5,10", "overwrite=false")
    assert done.exit_code == 0, done.output
    common = "+agent@agents.mc=flat-mc"
    assert folders(tmp_path) == [
        f"coin-{n}p-smoke/{common},agents.mc.simulations={s},deals=1,game=coin,players={n},tournament=smoke"
        for n in (2, 3)
        for s in (10, 5)
    ]
    for folder in folders(tmp_path):
        with StoredResults(tmp_path / folder) as stored:
            assert f"simulations={stored.config['agents']['mc']['simulations']}," in folder
            assert f"players={stored.config['options']['num_players']}," in folder


def test_a_job_that_fails_leaves_the_others_and_is_named_at_the_end(tmp_path: Path) -> None:
    done = sweep(tmp_path, "players=9,2", "agents.mc.simulations=0,5", "name=mixed")
    assert done.exit_code == 1
    assert len(folders(tmp_path / "mixed")) == 1, "the only job that can be played"
    assert "simulations=5" in folders(tmp_path / "mixed")[0]
    end = done.output.partition("3 of 4 jobs failed:")[2]
    assert end.count("num_players") == 2
    assert end.count("agents.mc: parameter 'simulations' of the kind of agent 'flat-mc' cannot be 0") >= 1
    assert "Traceback" not in done.output


def test_the_same_sweep_again_goes_on_where_it_was(tmp_path: Path) -> None:
    assert sweep(tmp_path, "players=2,3").exit_code == 0
    shutil.copytree(tmp_path, tmp_path.with_name("whole"))
    half, lost = (tmp_path / folder for folder in folders(tmp_path))
    db = sqlite3.connect(half / FILE_NAME)
    db.execute("DELETE FROM games WHERE seat_order = 0")
    db.execute("DELETE FROM timings WHERE seat_order = 0")
    db.execute("UPDATE meta SET value = 'running' WHERE key = 'state'")
    db.commit()
    db.close()
    shutil.rmtree(lost)
    done = sweep(tmp_path, "players=2,3", "executor.start_method=fork")
    assert done.exit_code == 0, done.output
    assert folders(tmp_path) == folders(tmp_path.with_name("whole"))
    for folder in folders(tmp_path):
        with StoredResults(tmp_path / folder) as again, StoredResults(tmp_path.with_name("whole") / folder) as whole:
            assert again.export() == whole.export()


def test_an_edit_during_a_sweep_does_not_change_the_jobs_that_wait(tmp_path: Path) -> None:
    configs = tmp_path / "configs"
    shutil.copytree(coin_league.CONFIGS, configs)
    (configs / "agent").mkdir()
    (configs / "agent" / "mine.yaml").write_text("kind: flat-mc\nsimulations: 5\n")
    seen: list[int] = []

    def task(config: Any, folder: Path) -> None:
        seen.append(config["agents"]["mine"]["simulations"])
        (configs / "agent" / "mine.yaml").write_text("kind: flat-mc\nsimulations: 500\n")

    overrides = ["--multirun", "--config-dir", str(configs), "game=coin", f"results={tmp_path}", "players=2,3,4"]
    command.run_with_hydra("tournament", task, [*overrides, "+agent@agents.mine=mine"])
    assert seen == [5, 5, 5]


def test_a_job_elsewhere_says_for_itself_how_it_failed(capsys: pytest.CaptureFixture[str]) -> None:
    def task(config: Any, folder: Path) -> None:
        raise click.UsageError("no such thing")

    job = command._Job({}, Path(), "players=9", "hydra_plugins.somewhere.Launcher")
    with pytest.raises(ValueError, match="players=9: no such thing"):
        job.run_elsewhere(task)
    assert "failed: players=9: no such thing" in capsys.readouterr().err
