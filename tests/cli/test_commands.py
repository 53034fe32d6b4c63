"""The commands as a user calls them: what they print, their exit status, and that no mistake ends in a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import coin_league
import northmen_env as nm
from northmen_env import registry
from northmen_env.cli.app import COMMANDS, northmen


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def run(*arguments: str, text: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(northmen, list(arguments), input=text)


def words(text: str) -> str:
    """Return a text without its line breaks and boxes."""
    return " ".join(text.replace("│", " ").split())


def test_help_names_every_command() -> None:
    text = run("--help").output
    for name in COMMANDS:
        assert name in text
        assert run(name, "--help").exit_code == 0
    assert nm.__version__ in run("--version").output


MISTAKES = [
    (["info", "chess"], "there is no game 'chess'; the games are: saga"),
    (["info", "coin", "-o", "rounds=9"], "rounds: Input should be less than or equal to 3 (given: 9)"),
    (["info", "coin", "-o", "size=9"], "coin has no option 'size'; its options are: num_players, rounds"),
    (["info", "coin", "-o", "rounds"], "written NAME=VALUE, as in -o rounds="),
    (["info", "coin", "-p", "7"], "num_players"),
    (["info", "--players", "3"], "name a game"),
    (["play", "coin", "--seat", "2"], "--seat takes a seat from 0 to 1, not '2'"),
    (["play", "coin", "--seat", "²"], "--seat takes a seat from 0 to 1, not '²'"),
    (["play", "coin", "--seat", "1" * 5000], "--seat takes a seat from 0 to 1"),
    (["watch", "coin", "-a", "1" * 5000 + "=random"], "agent"),
    (["watch", "coin", "-a", "random:kind=1"], "kind"),
    (["watch", "coin", "--delay", "nan"], "'nan' is not a number"),
    (["bench", "coin", "--seconds", "nan"], "'nan' is not a number"),
    (["info", "coin", "-o", "rounds=" + "[" * 100_000], "rounds"),
    (["play", "coin", "--seat", "-1"], "--seat takes a seat from 0 to 1, not '-1'"),
    (["play", "coin", "--agent", "0=random"], "no agent can sit on seat 0; the seats for agents are: 1"),
    (["play", "coin", "--agent", "oracle"], "there is no kind of agent 'oracle'"),
    (["play", "coin", "--seed", "-1"], "--seed"),
    (
        ["watch", "coin", "-a", "flat-mc:sims=3"],
        "has no parameter 'sims'; its parameters are: simulations",
    ),
    (["watch", "coin", "-a", "flat-mc:simulations=0"], "cannot be 0"),
    (["watch", "coin", "-a", "flat-mc:simulations"], "NAME=VALUE"),
    (["watch", "coin", "--delay", "-1"], "--delay"),
    (["bench", "coin", "--json", "/no/such/folder/b.json"], "there is no folder /no/such/folder"),
    (["bench", "coin", "--seconds", "fast"], "--seconds"),
    (["warmup", "chess"], "there is no game 'chess'"),
    (["data", "check", "chess", "."], "there is no game 'chess'"),
    (["data", "check", "saga"], "Missing argument"),
    (["dance"], "No such command 'dance'"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_a_mistake_is_told_in_a_sentence_with_status_2(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert sentence in words(result.output)


TOURNAMENT_MISTAKES = [
    (["game=chess"], "Could not find 'game/chess'"),
    (["colour=red"], "Could not override 'colour'"),
    (["+colour=red"], "there is no entry 'colour' in the configuration of a tournament"),
    (["players=nine"], "players cannot be 'nine'"),
    (["players=9"], "num_players"),
    (["deals=0"], "deals cannot be 0"),
    (["name=a/b"], "name is a folder's name"),
    (["name=.."], "name is a folder's name"),
    (["agents.random.kind=oracle"], "agents.random: there is no kind of agent 'oracle'"),
    (["agents.mc.simulations=0"], "agents.mc: parameter 'simulations' of the kind of agent 'flat-mc' cannot be 0"),
    (["+agents.mc.speed=2"], "agents.mc: the kind of agent 'flat-mc' has no parameter 'speed'"),
    (["~agents.random", "~agents.mc"], "a tournament needs at least two agents"),
    (["+agents.x={simulations: 3}"], "agents.x needs a kind"),
    (["game.options.rounds=7"], "rounds"),
    (["+game.options.num_players=2"], "set the number of players by players="),
    (["line_ups=everybody"], "line_ups cannot be 'everybody'"),
    (["executor.workers=0"], "executor.workers cannot be 0"),
    (["executor=cloud"], "Could not find 'executor/cloud'"),
    (["deals="], "deals cannot be ''"),
    (["deals"], "deals"),
    (["deals=[1"], "no viable alternative at input '[1'"),
]


@pytest.mark.parametrize(("overrides", "sentence"), TOURNAMENT_MISTAKES, ids=lambda value: str(value)[:40])
def test_a_wrong_override_is_told_in_a_sentence_and_leaves_nothing_behind(
    tmp_path: Path, overrides: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    configs = ["--config-dir", str(coin_league.CONFIGS)]
    base = ["game=coin", "tournament=smoke", "+agent@agents.mc=flat-mc"]
    kept = [entry for entry in base if entry.partition("=")[0] != overrides[0].partition("=")[0]]
    result = run("tournament", *configs, *kept, *overrides)
    assert result.exit_code == 2, result.output
    assert sentence in words(result.output)
    assert "Traceback" not in result.output
    assert not list(tmp_path.rglob("*.sqlite"))
    assert not (tmp_path / "outputs").exists()


def test_errors_are_sentences_in_a_real_process_too(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    (tmp_path / "coin-2p").mkdir()
    (tmp_path / "coin-2p" / "results.sqlite").write_text("not a database " * 100)
    cases = [
        (coin_league.tournament(tmp_path), 1, "is not a results file, or it is damaged"),
        (coin_league.tournament(tmp_path / "taken"), 1, "choose another with results="),
        (coin_league.tournament(tmp_path, "players=5"), 2, "num_players"),
        (coin_league.command("watch", "coin", "-a", "oracle"), 2, "there is no kind of agent"),
    ]
    for command, status, sentence in cases:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == status, done.stderr
        assert sentence in words(done.stderr)
        assert "Traceback" not in done.stderr


def test_a_changed_configuration_is_refused_with_the_difference_and_overwrite_starts_anew(tmp_path: Path) -> None:
    def played(*overrides: str) -> Result:
        configs = ["--config-dir", str(coin_league.CONFIGS), f"results={tmp_path}"]
        return run("tournament", *configs, "game=coin", "tournament=smoke", "executor.workers=1", *overrides)

    assert played().exit_code == 0
    refused = played("deals=3")
    assert refused.exit_code == 2
    assert "deals: 2 in the file, 3 now" in refused.output
    assert "overwrite=true" in refused.output
    assert played("executor.workers=2").exit_code == 0, "how it is run is not part of what is run"
    anew = played("deals=3", "overwrite=true")
    assert anew.exit_code == 0
    assert "6 games" in anew.output


def test_multirun_keeps_each_job_in_a_folder_of_its_own(tmp_path: Path) -> None:
    configs = ["--config-dir", str(coin_league.CONFIGS), f"results={tmp_path}"]
    result = run(
        "tournament", "--multirun", *configs, "game=coin", "tournament=smoke", "executor.workers=1", "players=2,3"
    )
    assert result.exit_code == 0, result.output
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.sqlite"))
    assert [file.split("/")[0] for file in files] == ["coin-2p-smoke", "coin-3p-smoke"]
    assert ["players=2" in files[0], "players=3" in files[1]] == [True, True]


def test_cfg_shows_the_configuration_and_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("tournament", "--cfg", "job", "players=4", "game.options.march_order=free")
    assert result.exit_code == 0
    assert "march_order: free" in result.output
    assert "players: 4" in result.output
    assert list(tmp_path.iterdir()) == []


def test_info_describes_options_actions_and_observation() -> None:
    text = run("info", "coin", "-p", "3").output
    for part in ("Guess the coins", "num_players", "rounds", "CLAIM", "0–1", "4:6", "the own coin", "3 players"):
        assert part in text


def test_watch_shows_every_decision_and_the_result() -> None:
    result = run("watch", "coin", "--seed", "3", "-a", "random", "-a", "1=heuristic")
    assert result.exit_code == 0
    assert result.output.count("(random): ") + result.output.count("(heuristic): ") >= 8
    assert "seat 1 (heuristic): rank" in result.output
    assert result.output == run("watch", "coin", "--seed", "3", "-a", "random", "-a", "1=heuristic").output


def test_watch_over_a_shoulder_shows_that_hand_only() -> None:
    spectator = run("watch", "coin", "--seed", "3").output
    shoulder = run("watch", "coin", "--seed", "3", "--seat", "0").output
    board = [line for line in spectator.splitlines() if line.startswith(("seat 0:", "seat 1:"))]
    assert board and all("coin ?" in line for line in board)
    own = [line for line in shoulder.splitlines() if line.startswith("seat 0:")]
    assert any("coin 0" in line or "coin 1" in line for line in own)
    assert all("coin ?" in line for line in shoulder.splitlines() if line.startswith("seat 1:"))


def test_a_fixed_seed_is_printed_and_a_drawn_one_repeats_the_game() -> None:
    drawn = run("watch", "coin").output
    seed = drawn.splitlines()[-1].removeprefix("seed: ")
    assert run("watch", "coin", "--seed", seed).output == drawn
