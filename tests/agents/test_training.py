"""Self-play PPO on the tiny games: masks, ratios, the pool, resuming after a kill, the command line, ONNX."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from click.testing import CliRunner

import northmen_env as nm
import northmen_env.registry as registry
from coin_league import PREPARED, TINY_GAMES
from northmen_agents import make_factory
from northmen_agents.checkpoint import CheckpointError, read_checkpoint
from northmen_agents.config import ConfigError
from northmen_agents.network import load_policy, write_policy
from northmen_agents.train import evaluate
from northmen_agents.train.config import (
    EvaluateConfig,
    MeasureConfig,
    PoolConfig,
    TrainConfig,
    validated_evaluation,
    validated_training,
)
from northmen_agents.train.errors import BusyRunError, ChangedRunError, DivergedTraining, InterruptedTraining
from northmen_agents.train.evaluate import wilson
from northmen_agents.train.model import arrays_of, network_of, new_model
from northmen_agents.train.onnx_export import export_onnx
from northmen_agents.train.pool import Pool
from northmen_agents.train.run import LOCK, run_training
from northmen_agents.train.state import STATE, refuse_changes
from northmen_agents.train.vecenv import SelfPlayVecEnv
from northmen_env.cli.app import northmen
from northmen_env.engine.opponents import ASKED, HEURISTIC, RANDOM

PPO = {"envs": 8, "rollout": 16, "batch": 64, "epochs": 2, "learning_rate": 3e-3}
SMALL: dict[str, Any] = {
    "name": "tiny",
    "game": {"name": "coin", "options": {}},
    "players": [2, 3],
    "steps": 8 * 16 * 4,
    "ppo": PPO,
    "network": {"trunk": [16], "policy": [8], "value": [8]},
    "pool": {"past": 2, "every": 128, "members": {"random": {"kind": "random"}}},
    "save": 128,
    "measure": {"games": 6},
}  # fmt: skip
RESIDUAL = {**SMALL, "network": {**SMALL["network"], "trust": 1.5}}
GOING_ON = {**RESIDUAL, "imitation": {"steps": 100}, "playouts": {"steps": 200}}
SEARCHING = {
    **SMALL,
    "pool": {**SMALL["pool"], "members": {"random": {"kind": "random"}, "mc": {"kind": "flat-mc", "simulations": 3}}},
}


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def logged(folder: Path) -> list[dict[str, str]]:
    """Return the rows of a run's log."""
    return list(csv.DictReader((folder / "progress.csv").read_text(encoding="utf-8").splitlines()))


def made(given: dict[str, Any]) -> tuple[TrainConfig, SelfPlayVecEnv, Any]:
    """Return a configuration, its environment and its learner."""
    config = validated_training(given)
    games = config.load_games(dense=config.dense)
    pool = Pool(config.pool, games[0], _Uniform())
    envs = SelfPlayVecEnv(games, config.ppo.envs, pool, config.seed, 1, config.told, config.departure)
    model = new_model(config, envs)
    pool.set_latest(network_of(model.policy))
    return config, envs, model


class _Uniform:
    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


# -- learning ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [SMALL, RESIDUAL], ids=["plain", "residual"])
def test_in_the_first_epoch_every_stored_sample_has_the_ratio_one(given: dict[str, Any]) -> None:
    """What is learned from is what was played: observations, masks, actions and log-probabilities belong together."""
    config, _, model = made({**given, "players": [2, 3, 4]})
    model.learn(PPO["envs"] * PPO["rollout"])
    model.policy.set_training_mode(False)
    model._last_obs = model.env.reset()
    model._last_episode_starts = np.ones(PPO["envs"], np.bool_)
    _, callback = model._setup_learn(1, None)
    assert model.collect_rollouts(model.env, callback, model.rollout_buffer, PPO["rollout"])
    seen = 0
    with torch.no_grad():
        for part in model.rollout_buffer.get(config.ppo.batch):
            _, log_prob, _ = model.policy.evaluate_actions(
                part.observations, part.actions.long().flatten(), action_masks=part.action_masks
            )
            ratio = (log_prob - part.old_log_prob).exp().numpy()
            assert ratio == pytest.approx(np.ones(len(ratio)), abs=1e-5)
            legal = part.action_masks.numpy()[np.arange(len(ratio)), part.actions.long().flatten().numpy()]
            assert (legal == 1).all()
            seen += len(ratio)
    assert seen == PPO["envs"] * PPO["rollout"]


def test_all_false_masks_raise() -> None:
    _, envs, model = made(SMALL)
    seen = torch.as_tensor(envs.reset())
    masks = envs.action_masks()
    model.policy(seen, action_masks=masks)
    masks[3] = 0
    for call in (
        lambda: model.policy(seen, action_masks=masks),
        lambda: model.policy.get_distribution(seen, action_masks=masks),
        lambda: model.policy.evaluate_actions(seen, torch.zeros(8), action_masks=torch.as_tensor(masks)),
        lambda: model.predict(envs.reset(), action_masks=masks),
    ):
        with pytest.raises(ValueError, match="an action mask is all zero"):
            call()
    with pytest.raises(ValueError, match="there is no action mask"):
        model.policy(seen)


def test_a_residual_policy_starts_from_the_heuristic_and_learns_where_to_depart_from_it(tmp_path: Path) -> None:
    _, envs, model = made({**RESIDUAL, "network": {**RESIDUAL["network"], "trust": 20.0}})
    seen = envs.reset()
    for _ in range(10):
        actions, *_ = model.policy.forward(torch.as_tensor(seen), action_masks=envs.action_masks())
        assert np.array_equal(actions.numpy(), seen[:, -1])
        seen, *_ = envs.step(actions.numpy())
    run_training(validated_training(RESIDUAL), tmp_path, quiet=True)
    checkpoint, network = load_policy(tmp_path / "policy.safetensors")
    assert network.needs_suggestion
    assert checkpoint.arrays["trust.0.bias"] != np.float32(1.5) and checkpoint.arrays["trust.0.weight"].any()


def test_playouts_teach_what_is_better_than_the_heuristic(tmp_path: Path) -> None:
    """The heuristic says what its coin shows, and believes what it is told: so it pays to lie to it."""
    steps = 8 * 16 * 60
    given = {
        **RESIDUAL, "steps": steps + 8 * 16,
        "playouts": {"steps": steps, "worlds": 4, "learning_rate": 1e-2, "batch": 128},
    }  # fmt: skip
    trained = run_training(validated_training(given), tmp_path, quiet=True)
    rows = logged(tmp_path)
    assert [bool(row["playouts_loss"]) for row in rows] == [True] * 60 + [False]
    assert [bool(row["kl"]) for row in rows] == [False] * 60 + [True]
    _, network = load_policy(trained.policy)
    _, envs, _ = made(RESIDUAL)
    seen, claims, lies = envs.reset(), 0, 0
    for _ in range(40):
        masks, suggested = envs.action_masks(), seen[:, -1].astype(np.int64)
        chosen = network.act_many(seen[:, :-1], masks, None, suggested)
        claimed = masks[:, :2].all(axis=1)
        claims += int(claimed.sum())
        lies += int((chosen != suggested)[claimed].sum())
        seen, *_ = envs.step(chosen)
    assert claims > 50 and lies > 0.9 * claims


@pytest.mark.parametrize("steps", [10, 200, 256])
def test_the_rate_falls_and_is_never_negative_where_steps_are_no_whole_rollouts(steps: int) -> None:
    _, _, model = made({**SMALL, "steps": steps, "pool": {"latest": 1.0, "past": 0}})
    rates: list[float] = []
    taught = model._update_learning_rate

    def noted(optimizers: Any) -> None:
        taught(optimizers)
        rates.append(model.policy.optimizer.param_groups[0]["lr"])

    model._update_learning_rate = noted
    model.learn(steps)
    assert rates == pytest.approx([(1.0 - 128 * i / steps) * PPO["learning_rate"] for i in range(-(-steps // 128))])
    assert min(rates) > 0


def test_partners_are_no_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four seats of this game are two pairs: of three others two are counted."""
    _, envs, _ = made({**SMALL, "game": {"name": "ask", "options": {}}, "players": [4]})
    counted: list[float] = []
    monkeypatch.setattr(envs.pool, "record", lambda kind, won: counted.append(won))
    envs.reset()
    while len(envs.finished) < 20:
        envs.step(envs.action_masks().argmax(axis=1))
    assert len(counted) == 2 * len(envs.finished)


def test_who_is_not_told_the_suggestion_cannot_pay_for_departures_or_compare() -> None:
    config, envs, _ = made(SMALL)
    with pytest.raises(ValueError, match="set told too"):
        SelfPlayVecEnv(envs.envs.games, 8, envs.pool, 0, departure=0.1)
    with pytest.raises(ValueError, match="one of the candidates"):
        envs.compare(config.playouts)


def test_a_departure_from_the_suggestion_is_paid_for() -> None:
    rewards = {}
    for departure in (0.0, 0.25):
        _, envs, _ = made({**RESIDUAL, "departure": departure})
        seen, rng = envs.reset(), np.random.default_rng(4)
        paid, departed = [], []
        for _ in range(30):
            masks = envs.action_masks()
            actions = (masks * rng.random(masks.shape)).argmax(axis=1)
            departed.append(actions != seen[:, -1])
            seen, reward, *_ = envs.step(actions)
            paid.append(reward)
        rewards[departure] = np.stack(paid)
    departed = np.stack(departed)
    assert 0 < departed.mean() < 1
    assert rewards[0.25] == pytest.approx(rewards[0.0] - 0.25 * departed, abs=1e-6)
    with pytest.raises(ConfigError, match=r"set network\.trust too"):
        validated_training({**SMALL, "departure": 0.1})


@pytest.mark.parametrize("given", [SMALL, RESIDUAL], ids=["plain", "residual"])
def test_the_network_in_numpy_is_the_one_in_torch(given: dict[str, Any]) -> None:
    config, envs, model = made(given)
    seen, masks = envs.reset(), envs.action_masks()
    told = (seen[:, :-1], masks, seen[:, -1].astype(np.int64)) if config.told else (seen, masks)
    probabilities, values = network_of(model.policy)(*told)
    with torch.no_grad():
        distribution = model.policy.get_distribution(torch.as_tensor(seen), action_masks=masks)
        expected = model.policy.predict_values(torch.as_tensor(seen))[:, 0].numpy()
    assert probabilities == pytest.approx(distribution.distribution.probs.numpy(), abs=1e-5)
    assert values == pytest.approx(expected, abs=1e-5)


def test_who_imitates_comes_to_play_as_the_heuristic_and_goes_on_by_ppo(tmp_path: Path) -> None:
    steps = 8 * 16 * 60
    given = {**SMALL, "steps": steps + 8 * 16, "imitation": {"steps": steps, "learning_rate": 1e-2}}
    config, envs, _ = made(given)
    run_training(config, tmp_path, quiet=True)
    rows = logged(tmp_path)
    assert [bool(row["imitation_loss"]) for row in rows] == [True] * 60 + [False]
    assert [bool(row["kl"]) for row in rows] == [False] * 60 + [True]
    losses = [float(row["imitation_loss"]) for row in rows[:-1]]
    assert losses[-1] < 0.2 < losses[0]
    _, network = load_policy(tmp_path / "policy.safetensors")
    seen, same = envs.reset(), 0
    for _ in range(20):
        chosen = network.act_many(seen[:, :-1], envs.action_masks(), None)
        same += int((chosen == seen[:, -1]).sum())
        seen, *_ = envs.step(chosen)
    assert same >= 0.95 * 20 * 8


def test_the_learner_is_paid_its_own_rewards_in_every_seat() -> None:
    _, envs, _ = made({**SMALL, "players": [2, 3]})
    rng, seats, total = np.random.default_rng(0), set(), np.zeros(8)
    envs.reset()
    for _ in range(150):
        masks = envs.action_masks()
        seats |= {(int(seat), env % 2) for env, seat in enumerate(envs.envs.learners.seat)}
        seen, rewards, ended, infos = envs.step((masks * rng.random(masks.shape)).argmax(axis=1))
        assert seen.dtype == np.float32 and not np.shares_memory(seen, envs.envs.batch.observation)
        total += rewards
        for env in np.flatnonzero(ended).tolist():
            assert total[env] == pytest.approx(infos[env]["episode"]["r"], abs=1e-6)
            total[env] = 0.0
    assert seats == {(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)}
    assert sum(member.games for member in envs.pool.members) > 0


# -- pool --------------------------------------------------------------------------------------------------------------


def test_harder_opponents_are_met_more_often_and_nobody_is_forgotten() -> None:
    members = {"random": {"kind": "random"}, "heuristic": {"kind": "heuristic"}}
    config = PoolConfig(latest=0.25, past=1, members=members)
    pool = Pool(config, nm.load("coin"), _Uniform())
    for _ in range(300):
        pool.record(RANDOM, 1.0)
        pool.record(HEURISTIC, 0.0)
    kinds = np.zeros((4000, 2), np.int64)
    pool.choose(np.random.default_rng(1), kinds)
    own = (kinds == ASKED).all(axis=1)
    assert own.mean() == pytest.approx(0.25, abs=0.03)
    assert not (kinds[~own] == ASKED).any()
    share = (kinds[~own] == RANDOM).mean()
    assert 0.01 < share < 0.1
    assert pool.scores()["random"] > 0.95 and pool.scores()["heuristic"] < 0.05


def test_a_past_self_that_is_retired_plays_its_games_to_the_end() -> None:
    _, _, model = made(SMALL)
    pool = Pool(PoolConfig(latest=1.0, past=1), nm.load("coin"), _Uniform())
    network = network_of(model.policy)
    assert pool.add_past_self("a", network, "a", {ASKED}) == []
    assert pool.add_past_self("b", network, "b", {ASKED, ASKED + 1}) == []
    assert pool.policies[1] is network
    assert pool.add_past_self("c", network, "c", {ASKED}) == ["a", "b"]
    assert pool.policies[1:] == [None, None, network]
    assert [member.name for member in pool.members] == ["latest", "c"]


def test_an_empty_pool_and_wrong_numbers_are_refused() -> None:
    for change, sentence in (
        ({"pool": {"latest": 0.5, "members": {}}}, "the pool is empty at the start"),
        ({"pool": {"members": {"a": {"kind": "oracle"}}}}, "pool.members.a: there is no kind of agent 'oracle'"),
        ({"pool": {"members": {"a": {}}}}, "pool.members.a needs a kind"),
        ({"ppo": {**PPO, "batch": 60}}, "ppo.batch must divide envs x rollout, 128 samples"),
        ({"steps": 0}, "steps cannot be 0"),
        ({"stesp": 1}, "there is no entry 'stesp' in the configuration of a training"),
        ({"name": "a/b"}, "name is a folder's name"),
    ):
        with pytest.raises(ConfigError, match=sentence):
            validated_training({**SMALL, **change})
    with pytest.raises(ConfigError, match="has no option 'moves'"):
        validated_training({**SMALL, "game": {"name": "coin", "options": {"moves": 1}}}).load_games()
    with pytest.raises(ConfigError, match="players="):
        validated_training({**SMALL, "game": {"name": "coin", "options": {"num_players": 2}}}).load_games()


# -- runs --------------------------------------------------------------------------------------------------------------


def test_a_run_leaves_a_policy_logs_and_measurements(tmp_path: Path) -> None:
    config = validated_training(SEARCHING)
    before = np.random.get_state()[1].tolist()
    trained = run_training(config, tmp_path)
    assert np.random.get_state()[1].tolist() == before
    assert trained.policy == tmp_path / "policy.safetensors"
    checkpoint, _ = load_policy(trained.policy)
    assert checkpoint.about["steps"] == 512 and checkpoint.about["players"] == [2, 3]
    assert checkpoint.about["config"]["ppo"]["learning_rate"] == 3e-3
    rows = logged(tmp_path)
    assert [row["step"] for row in rows] == ["128", "256", "384", "512"]
    assert all(row["return"] and row["kl"] and row["entropy"] for row in rows)
    assert rows[-1]["score_random"] and rows[-1]["score_mc"]
    assert list((tmp_path / "tensorboard").iterdir())
    selves = {path.name for path in (tmp_path / "selves").iterdir()}
    assert {f"self-{steps:010d}.safetensors" for steps in (384, 512)} <= selves
    measured = json.loads((tmp_path / "evaluation.json").read_text())
    assert [(row["players"], row["seat"], row["games"]) for row in measured["seats"]] == [
        (2, 0, 6), (2, 1, 6), (3, 0, 6), (3, 1, 6), (3, 2, 6),
    ]  # fmt: skip
    assert measured["opponents"] == {"random": make_factory("random").described("coin")}
    agent = make_factory("ppo", checkpoint=str(trained.policy))(nm.load("coin", num_players=4), 3, 1)
    seen = np.zeros(checkpoint.about["observation_size"], np.float32)
    mask = np.zeros(checkpoint.about["num_actions"], np.int8)
    mask[2] = 1
    assert agent.act({"observation": seen, "action_mask": mask}, {}) == 2
    with pytest.raises(ChangedRunError, match="was begun with seed = 0, not 5; choose another name="):
        run_training(validated_training({**SEARCHING, "seed": 5}), tmp_path)
    again = run_training(validated_training({**SEARCHING, "seed": 5, "overwrite": True, "steps": 128}), tmp_path)
    assert load_policy(again.policy)[0].about["steps"] == 128


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
import northmen_env.registry as registry
from coin_league import TINY_GAMES
registry.GAMES.update(TINY_GAMES)
from northmen_agents.train import run, state
from northmen_agents.train.config import validated_training
import northmen_agents.checkpoint as checkpoint
count, spot, at = 0, {spot!r}, {at}
def counted(original, name):
    def wrapped(*arguments, **named):
        global count
        count += name == spot
        if name == spot and count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments, **named)
    return wrapped
Path.replace = counted(Path.replace, "replace")
os.fsync = counted(os.fsync, "fsync")
run.SelfPlayVecEnv.step_wait = counted(run.SelfPlayVecEnv.step_wait, "step")
run.run_training(validated_training({given!r}), Path({folder!r}))
"""


def test_a_run_killed_again_and_again_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Killed while it plays, between the bytes and the name of a checkpoint, and within its bytes."""
    whole = run_training(validated_training(GOING_ON), tmp_path / "whole")
    folder, tests = tmp_path / "killed", str(Path(__file__).resolve().parents[1])
    for spot, at in (("step", 20), ("replace", 6), ("fsync", 13)):
        code = KILLED.format(tests=tests, spot=spot, at=at, given=GOING_ON, folder=str(folder))
        done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
    assert read_checkpoint(folder / STATE).about["steps"] > 0
    ended = run_training(validated_training(GOING_ON), folder)
    first, second = (load_policy(each.policy)[0] for each in (whole, ended))
    assert set(first.arrays) == set(second.arrays)
    for name, array in first.arrays.items():
        assert np.array_equal(array, second.arrays[name]), name
    kept = [logged(path) for path in (tmp_path / "whole", folder)]
    for rows in kept:
        for row in rows:
            del row["seconds"]
    assert [row["step"] for row in kept[1]] == ["128", "256", "384", "512"]
    assert [row["kl"] for row in kept[0]] == [row["kl"] for row in kept[1]]


def test_a_run_that_is_done_goes_on_with_more_steps(tmp_path: Path) -> None:
    first = run_training(validated_training({**SMALL, "steps": 256}), tmp_path)
    assert load_policy(first.policy)[0].about["steps"] == 256
    more = run_training(validated_training(SMALL), tmp_path)
    assert load_policy(more.policy)[0].about["steps"] == 512
    assert [row["step"] for row in logged(tmp_path)] == ["128", "256", "384", "512"]
    with pytest.raises(ChangedRunError, match="begun with seed = 0, not 1"):
        run_training(validated_training({**SMALL, "seed": 1}), tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"pool": {"members": {"x": {"kind": "ppo", "checkpoint": "nowhere"}}}},
        {"measure": {"opponents": {"x": {"kind": "ppo", "checkpoint": "nowhere"}}}},
    ],
)
def test_what_is_refused_throws_nothing_away_and_trains_nothing(changes: dict[str, Any], tmp_path: Path) -> None:
    run_training(validated_training({**SMALL, "steps": 128}), tmp_path, quiet=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(CheckpointError, match="nowhere cannot be read"):
        run_training(validated_training({**SMALL, **changes, "overwrite": True}), tmp_path, quiet=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_weights_that_diverge_end_a_training_in_a_sentence(tmp_path: Path) -> None:
    given = {**SMALL, "ppo": {**PPO, "learning_rate": 1e30, "max_gradient": 1e30}}
    with pytest.raises(DivergedTraining, match=r"the network is no policy any more: .* choose a smaller"):
        run_training(validated_training(given), tmp_path, quiet=True)
    with pytest.raises(ConfigError, match="learning_rate"):
        validated_training({**SMALL, "ppo": {**PPO, "learning_rate": float("inf")}})


def test_a_change_is_named_by_its_place(tmp_path: Path) -> None:
    run_training(validated_training({**SMALL, "steps": 128}), tmp_path, quiet=True)
    with pytest.raises(ChangedRunError, match=r"begun with ppo\.clip = 0\.2, not 0\.3"):
        run_training(validated_training({**SMALL, "ppo": {**PPO, "clip": 0.3}}), tmp_path, quiet=True)


def test_a_setting_that_came_later_is_said_to_have_been_missing(tmp_path: Path) -> None:
    config = validated_training(SMALL)
    older, now = config.identity(), config.identity()
    del older["departure"]
    with pytest.raises(ChangedRunError, match=r"begun without departure, not 0\.0; choose another name="):
        refuse_changes(tmp_path / STATE, older, now)
    with pytest.raises(ChangedRunError, match=r"begun with long_gone = 1, which is gone; choose another name="):
        refuse_changes(tmp_path / STATE, {**now, "long_gone": 1}, now)


def test_an_opponent_whose_checkpoint_was_replaced_is_another_opponent(tmp_path: Path) -> None:
    weights = run_training(validated_training({**SMALL, "steps": 128}), tmp_path / "first", quiet=True).policy
    frozen = tmp_path / "frozen.safetensors"
    frozen.write_bytes(weights.read_bytes())
    given = {**SMALL, "pool": {**SMALL["pool"], "members": {"frozen": {"kind": "ppo", "checkpoint": str(frozen)}}}}
    run_training(validated_training({**given, "steps": 128}), tmp_path / "run", quiet=True)
    run_training(validated_training({**given, "steps": 256}), tmp_path / "run", quiet=True)
    frozen.write_bytes(
        run_training(validated_training({**SMALL, "seed": 1, "steps": 128}), tmp_path / "other").policy.read_bytes()
    )
    with pytest.raises(ChangedRunError, match=r"begun with pool\.members\.frozen\.checkpoint_sha256 = "):
        run_training(validated_training(given), tmp_path / "run", quiet=True)


def test_the_heuristic_and_random_play_can_be_measured_themselves() -> None:
    games = [nm.load("saga", num_players=n) for n in (2, 3)]
    config = MeasureConfig(opponents={"random": {"kind": "random"}}, games=30)
    heuristic, uniform = (evaluate.batched_policy(make_factory(kind), games[0]) for kind in ("heuristic", "random"))
    assert heuristic is not None and uniform is not None
    assert all(row.share > 0.8 for row in evaluate.measure(heuristic, games, config, 1))
    rows = evaluate.together(evaluate.measure(uniform, games, MeasureConfig(opponents=config.opponents, games=100), 2))
    assert all(row["low"] < row["equal"] < row["high"] for row in rows)
    assert evaluate.batched_policy(make_factory("mcts"), games[0]) is None


def test_two_trainings_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    run_training(validated_training({**SMALL, "steps": 128}), tmp_path, quiet=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    code = "import sys, filelock; held = filelock.FileLock(sys.argv[1]).acquire(timeout=0); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / LOCK)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None and other.stdout is not None
        other.stdout.readline()
        for overwrite in (False, True):
            with pytest.raises(BusyRunError, match=r"another process trains in .* choose another name="):
                run_training(validated_training({**SMALL, "overwrite": overwrite}), tmp_path, quiet=True)
        other.kill()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != LOCK} == before
    run_training(validated_training(SMALL), tmp_path, quiet=True)  # a lock that a killed process left holds nobody up


def test_who_interrupts_the_measuring_is_told_where_the_policy_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluate, "measure", interrupted)
    with pytest.raises(InterruptedTraining, match=r"measured; it is whole in .*policy\.safetensors"):
        run_training(validated_training({**SMALL, "steps": 128}), tmp_path, quiet=True)
    assert load_policy(tmp_path / "policy.safetensors")[0].about["steps"] == 128


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "own" / "game"
    config.mkdir(parents=True)
    (config / "coin.yaml").write_text("name: coin\noptions: {}\n")
    (tmp_path / "results" / "taken" / "config.json").mkdir(parents=True)
    done = run("train", "--config-dir", str(tmp_path / "own"), "game=coin", "train=smoke", "steps=64", "name=taken")
    assert done.exit_code == 1 and "cannot be written or read" in done.output and "Traceback" not in done.output
    assert [path.name for path in (tmp_path / "results" / "taken").iterdir()] == ["config.json"]


def test_a_damaged_state_is_refused_in_a_sentence(tmp_path: Path) -> None:
    run_training(validated_training({**SMALL, "steps": 128}), tmp_path)
    data = (tmp_path / STATE).read_bytes()
    (tmp_path / STATE).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(CheckpointError, match="or it is damaged"):
        run_training(validated_training({**SMALL, "steps": 128}), tmp_path)


# -- command line, export ----------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(northmen, list(arguments))


def test_the_command_line_trains_evaluates_and_exploits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "own" / "game"
    config.mkdir(parents=True)
    (config / "coin.yaml").write_text("name: coin\noptions: {}\n")
    coin = ["--config-dir", str(tmp_path / "own"), "game=coin"]
    sizes = [
        "network.trunk=[8]",
        "network.policy=[]",
        "network.value=[]",
        "ppo.envs=4",
        "ppo.rollout=8",
        "ppo.batch=32",
    ]
    done = run("train", *coin, "train=smoke", "steps=64", "measure.games=4", *sizes)
    assert done.exit_code == 0, done.output
    policy = tmp_path / "results" / "coin-train-smoke" / "policy.safetensors"
    assert "share of wins" in done.output and policy.is_file()
    done = run("evaluate", *coin, "agent=ppo", f"agent.checkpoint={policy}", "measure.games=4", "players=[2,3]")
    assert done.exit_code == 0, done.output
    assert len(json.loads((tmp_path / "results" / "coin-evaluate" / "evaluation.json").read_text())["seats"]) == 10
    train = [f"training.{each}" for each in sizes]
    done = run("evaluate", *coin, f"exploit={policy}", "name=probe", "training.steps=64", "measure.games=4", *train)
    assert done.exit_code == 0, done.output
    assert "a lower bound on how much the agent can be exploited" in done.output
    for arguments, sentence in (
        (["evaluate", *coin], "say who is measured"),
        (["evaluate", *coin, "agent=ppo", "agent.checkpoint=nowhere"], "the checkpoint nowhere cannot be read"),
        (["evaluate", "game=saga", "agent=ppo", f"agent.checkpoint={policy}"], "was trained with game = 'coin'"),
        (["train", *coin, "train=smoke", "seed=3", *sizes], "was begun with"),
        (["train", *coin, "players=1", "name=one", *sizes], "players"),
        (["evaluate", *coin, "agent=mcts", "name=one"], "has no policy that plays many games at once"),
        (["evaluate", *coin, "agent=heuristic", "name=probe"], "is the folder of a training"),
        (["train", *coin, "train=smoke", "network.trust=1e39", "name=one"], "more than 32 bits compute with"),
    ):
        done = run(*arguments)
        assert done.exit_code == 2 and sentence in " ".join(done.output.split()), done.output
    assert not (tmp_path / "results" / "one").exists()
    again = ["evaluate", *coin, "exploit=random", "name=probe", "training.steps=64", "measure.games=4", *train]
    assert "was begun with pool.members.frozen.checkpoint = " in " ".join(run(*again).output.split())
    done = run(*again, "overwrite=true")
    assert done.exit_code == 0, done.output
    done = run("evaluate", *coin, "agent=heuristic", "measure.games=4", "name=reference")
    assert done.exit_code == 0 and "heuristic" in done.output, done.output


def test_who_interrupts_before_the_first_step_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SelfPlayVecEnv, "reset", interrupted)
    with pytest.raises(InterruptedTraining, match="interrupted before the first step"):
        run_training(validated_training(SMALL), tmp_path / "new", quiet=True)
    assert not (tmp_path / "new").exists()


def test_every_training_composes_and_is_valid() -> None:
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    from northmen_agents.config import configs_folder

    with initialize_config_dir(str(configs_folder()), version_base="1.3"):
        for path in sorted((configs_folder() / "train").glob("*.yaml")):
            composed = OmegaConf.to_container(compose("train", [f"train={path.stem}"]), resolve=True)
            config = validated_training(composed)
            assert config.ppo.gamma == 1.0
            assert config.load_games()


@pytest.mark.parametrize("given", [SMALL, RESIDUAL], ids=["plain", "residual"])
def test_the_onnx_graph_gives_what_torch_gives(given: dict[str, Any], tmp_path: Path) -> None:
    config, envs, model = made(given)
    path = tmp_path / "policy.safetensors"
    write_policy(path, arrays_of(model.policy), envs.envs.games[0])
    graph = export_onnx(path, tmp_path / "policy.onnx")
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(3)
    for rows in (1, 5, 64):
        seen = rng.normal(size=(rows, model.observation_space.shape[0])).astype(np.float32)
        masks = (rng.random((rows, int(model.action_space.n))) < 0.4).astype(np.int8)
        masks[:, 1] = 1
        inputs = {"observation": seen, "action_mask": masks}
        if config.told:
            seen[:, -1] = suggested = rng.integers(-1, model.action_space.n, rows)
            inputs = {**inputs, "observation": seen[:, :-1], "suggestion": suggested}
        logits, values = session.run(["logits", "value"], inputs)
        with torch.no_grad():
            tensor = torch.as_tensor(seen)
            expected = model.policy.get_distribution(tensor, action_masks=masks).distribution.probs.numpy()
            value = model.policy.predict_values(tensor)[:, 0].numpy()
        assert np.isneginf(logits[masks == 0]).all()
        assert np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True) == pytest.approx(expected, abs=1e-5)
        assert values == pytest.approx(value, abs=1e-5)
    with pytest.raises(CheckpointError, match="cannot be read"):
        export_onnx(tmp_path / "nothing", graph)


@pytest.mark.parametrize(
    ("share", "games", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (1.0, 20, 0.8389, 1.0), (0.0, 0, 0.0, 1.0)]
)
def test_intervals(share: float, games: int, low: float, high: float) -> None:
    assert wilson(share, games) == pytest.approx((low, high), abs=1e-4)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("northmen_env.cli.train.NEEDED", ("torch", "no_such_module"))
    done = run("train", "train=smoke")
    assert (
        done.exit_code == 1
        and "no_such_module, which is not installed: pip install 'northmen-env[train]'" in done.output
    )


def test_an_evaluation_needs_one_subject() -> None:
    with pytest.raises(ValueError, match="not both"):
        EvaluateConfig(name="a", game={"name": "coin"}, agent={"kind": "random"}, exploit={"kind": "random"})  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"training\.pool cannot be set"):
        validated_evaluation(
            {"name": "a", "game": {"name": "coin"}, "exploit": "random", "training": {"steps": 64, "pool": {"past": 5}}}
        )
    assert PREPARED
