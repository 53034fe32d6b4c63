"""Agents of other packages, sound and misbehaving: found by name, and named in one sentence where they fail."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

import coin_league
import northmen_env as nm
from northmen_agents import kinds, make_factory
from northmen_agents.arena.play import AgentError, Seat
from northmen_agents.arena.run import run_tournament
from northmen_agents.config import validated
from northmen_agents.kinds import kind_class
from northmen_env import registry
from northmen_env.cli.app import northmen

PACKAGE = '''
import numpy as np

class Plain:
    """The least that an agent has: a constructor and act."""
    def __init__(self, game, seat, seed):
        self.game = game
    def act(self, observation, info):
        assert info == {}
        return np.flatnonzero(observation["action_mask"])[0]

class Illegal(Plain):
    def act(self, observation, info):
        return self.game.num_actions - 1 - int(observation["action_mask"][-1])

class Late(Plain):
    """Sound at its first decision, then lost."""
    asked = 0
    def act(self, observation, info):
        self.asked += 1
        return super().act(observation, info) if self.asked < 2 else 1000

class Raises(Plain):
    def act(self, observation, info):
        raise RuntimeError("out of\\nideas")

class Nothing(Plain):
    def act(self, observation, info):
        return None

class Fraction(Plain):
    def act(self, observation, info):
        return 0.5

class NeverMade(Plain):
    def __init__(self, game, seat, seed):
        raise RuntimeError("no model file")

class Odd(Plain):
    Parameters = dict
'''
BROKEN = "raise RuntimeError('needs a licence')"
NAMES = ("Plain", "Illegal", "Late", "Raises", "Nothing", "Fraction", "NeverMade", "Odd")


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package that offers agents on the path, with the metadata that pip writes."""
    site = tmp_path / "site"
    (site / "own_agents-1.0.dist-info").mkdir(parents=True)
    (site / "own_agents.py").write_text(PACKAGE)
    (site / "own_broken.py").write_text(BROKEN)
    points = [f"own-{name.lower()} = own_agents:{name}" for name in NAMES]
    points += ["own-broken = own_broken:Agent", "own-absent = own_agents:Absent"]
    (site / "own_agents-1.0.dist-info" / "entry_points.txt").write_text("[northmen.agents]\n" + "\n".join(points))
    (site / "own_agents-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: own-agents\nVersion: 1.0")
    monkeypatch.syspath_prepend(str(site))
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)
    kind_class.cache_clear()


def league(kind: str, folder: Path, **entry: object) -> None:
    """Play a tournament with an agent of this kind under the name "mine"."""
    entries = {"name": "x", "game": {"name": "coin"}, "players": 2, "deals": 2, "executor": {"workers": 1}}
    agents = {"mine": {"kind": kind, **entry}, "random": {"kind": "random"}}
    run_tournament(validated({**entries, "bootstrap": 0, "agents": agents}), folder, Console(file=io.StringIO()))


def test_an_agent_without_needs_view_plays_everywhere_and_gets_no_view(tmp_path: Path) -> None:
    league("own-plain", tmp_path / "x")
    assert CliRunner().invoke(northmen, ["watch", "coin", "-a", "own-plain"]).exit_code == 0
    assert CliRunner().invoke(northmen, ["play", "coin", "-a", "own-plain"], input="1\n1\n1\n1\n").exit_code == 0
    env = nm.make_gym("coin", opponents="own-plain")
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))


FAILURES = [
    ("own-illegal", "which is illegal; legal: "),
    ("own-late", "chose action 1000, which is illegal"),
    ("own-raises", "failed at its decision: RuntimeError: out of ideas"),
    ("own-nothing", "failed at its decision: TypeError: 'NoneType' object cannot be interpreted as an integer"),
    ("own-fraction", "failed at its decision: TypeError: 'float' object"),
    ("own-nevermade", "RuntimeError: no model file"),
]


@pytest.mark.parametrize(("kind", "sentence"), FAILURES)
def test_a_failing_agent_is_named_with_seat_and_game_and_leaves_no_empty_results(
    kind: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(AgentError) as caught:
        league(kind, tmp_path / "x")
    told = str(caught.value)
    assert sentence in told
    assert "agent 'mine'" in told
    assert "seat " in told
    assert "game " in told
    assert "\n" not in told
    assert not list((tmp_path / "x").iterdir())


@pytest.mark.parametrize("command", ["watch", "play"])
@pytest.mark.parametrize(("kind", "sentence"), FAILURES)
def test_watch_and_play_end_with_the_sentence_and_status_1(command: str, kind: str, sentence: str) -> None:
    result = CliRunner().invoke(northmen, [command, "coin", "-a", kind], input="1\n" * 9)
    assert result.exit_code == 1, result.output
    told = " ".join(result.output.split())
    assert sentence in told
    assert f"agent '{kind}'" in told
    assert "seat " in told
    assert "game of coin" in told


@pytest.mark.parametrize("kind", ["own-broken", "own-absent"])
def test_an_entry_point_that_cannot_be_imported_is_told_in_the_same_sentence_everywhere(
    kind: str, tmp_path: Path
) -> None:
    told = []
    for use in (
        lambda: make_factory(kind),
        lambda: nm.make_gym("coin", opponents=kind),
        lambda: nm.make_vec("coin", 2, seat=0, opponents=kind),
        lambda: league(kind, tmp_path / "x"),
    ):
        with pytest.raises(ValueError, match="cannot be loaded") as caught:
            use()
        told.append(str(caught.value).removeprefix("agents.mine: "))
    assert len(set(told)) == 1
    assert f"the kind of agent '{kind}' (own_" in told[0]
    assert told[0] in " ".join(CliRunner().invoke(northmen, ["watch", "coin", "-a", kind]).output.split())
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("own-plain", "the kind of agent 'own-plain' cannot be called as kind(game, seat, seed, depth=...): got an"),
        ("flat-mc-20", "the kind of agent 'flat-mc-20' cannot be called as kind(game, seat, seed, depth=...): got an"),
        ("own-odd", "Parameters of the kind of agent 'own-odd' must be a pydantic model"),
    ],
)
def test_a_class_that_does_not_take_a_parameter_is_told_before_anything_is_played(
    kind: str, sentence: str, tmp_path: Path
) -> None:
    assert kind in kinds()
    with pytest.raises(ValueError) as caught:
        league(kind, tmp_path / "x", depth=3)
    assert str(caught.value).startswith("agents.mine: " + sentence)
    assert not (tmp_path / "x").exists()


def test_the_command_line_leaves_nothing_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = coin_league.tournament(tmp_path / "results", "+agents.mine.kind=own-illegal", "executor.workers=1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("Error: agent 'mine' on seat 0 of a first game of coin (seed 0)")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_seat_asks_for_a_view_only_where_the_agent_says_so() -> None:
    game = coin_league.coin_game(2)
    state = game.new_initial_state(seed=0)
    seat = Seat(game, 0, make_factory("own-plain"), 0)
    assert seat.act(state) in state.legal_actions()
