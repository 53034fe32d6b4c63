"""Checkpoints: what was written is read; everything else is refused in a sentence, and nothing in a file is run."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import northmen_env as nm
from northmen_agents import make_factory, network
from northmen_agents.checkpoint import (
    CheckpointError,
    about_game,
    encoded,
    read_checkpoint,
    write_atomically,
    write_checkpoint,
)
from northmen_agents.network import PolicyNetwork, load_policy, masked_softmax, write_policy
from northmen_env.engine.game import Game
from northmen_env.envs.learners import NorthmenSyncVectorEnv, NorthmenVectorEnv
from northmen_env.envs.opponents import NoLegalAction
from northmen_env.envs.vector import make_vector
from tiny import ask, coin

COIN = Game(coin.GAME, num_players=3)


def arrays(game: Game, seed: int = 0, hidden: int = 8, residual: bool = False) -> dict[str, np.ndarray]:
    """Return a small network of random weights."""
    rng, sizes = np.random.default_rng(seed), [("trunk.0", game.observation_size, hidden), ("trunk.1", hidden, hidden)]
    sizes += [("policy.0", hidden, game.num_actions), ("value.0", hidden, 4), ("value.1", 4, 1)]
    sizes += [("trust.0", hidden, 1)] if residual else []
    found = {}
    for name, inputs, outputs in sizes:
        found[f"{name}.weight"] = rng.normal(size=(outputs, inputs)).astype(np.float32)
        found[f"{name}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "policy.safetensors"
    write_policy(found, arrays(COIN), COIN, steps=7, config={"seed": 1})
    return found


def test_what_is_written_is_read(path: Path, tmp_path: Path) -> None:
    found = read_checkpoint(path)
    assert found.about["steps"] == 7 and found.about["config"] == {"seed": 1}
    assert {name: found.about[name] for name in about_game(COIN)} == about_game(COIN)
    for name, array in arrays(COIN).items():
        assert np.array_equal(found.arrays[name], array) and found.arrays[name].dtype == array.dtype
    more = {"bytes": np.arange(3, dtype=np.uint8), "flags": np.array([True]), "empty": np.zeros((0, 2))}
    write_checkpoint(tmp_path / "more", {**more, "whole": np.array([[-5]])}, {"kind": "training"})
    assert read_checkpoint(tmp_path / "more").arrays["whole"].tolist() == [[-5]]
    assert read_checkpoint(tmp_path / "more").arrays["empty"].shape == (0, 2)
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


def test_other_libraries_read_it_and_their_files_are_foreign(path: Path, tmp_path: Path) -> None:
    theirs = load_file(path)
    assert set(theirs) == set(arrays(COIN))
    assert all(np.array_equal(theirs[name], array) for name, array in arrays(COIN).items())
    save_file(theirs, tmp_path / "foreign")
    with pytest.raises(CheckpointError, match="there is no entry '__metadata__'"):
        read_checkpoint(tmp_path / "foreign")


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_never_run(tmp_path: Path, protocol: int) -> None:
    trace, path = tmp_path / "exploded", tmp_path / "policy.safetensors"
    path.write_bytes(pickle.dumps(Bomb(trace), protocol))
    with zipfile.ZipFile(tmp_path / "torch.zip", "w") as archive:
        archive.write(path, "archive/data.pkl")  # what torch.save writes
    for name in (path, tmp_path / "torch.zip"):
        with pytest.raises(CheckpointError, match="is not a checkpoint of northmen-env, or it is damaged"):
            read_checkpoint(name)
        with pytest.raises(CheckpointError, match="nothing in it was run"):
            make_factory("ppo", checkpoint=str(name))(COIN, 0, 0)
    assert not trace.exists()


def test_every_cut_and_every_changed_byte_is_noticed(path: Path) -> None:
    data = path.read_bytes()
    damaged = path.with_name("damaged")
    spots = [*range(0, 40), *range(40, len(data), 37)]
    for at in spots:
        damaged.write_bytes(data[:at])
        with pytest.raises(CheckpointError):
            read_checkpoint(damaged)
    size = int.from_bytes(data[:8], "little")
    for at in [*range(8), *range(8 + size, len(data), 11)]:
        damaged.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(CheckpointError):
            read_checkpoint(damaged)
    damaged.write_bytes(data + b"\0")
    with pytest.raises(CheckpointError, match="have changed since"):
        read_checkpoint(damaged)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [True], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]},
        {"dtype": "object", "shape": [1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [10**30, 10**30], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1]},
        "x",
    ],
)
def test_a_header_that_lies_is_refused(tmp_path: Path, entry: Any) -> None:
    data = encoded({"a": np.zeros(1, np.float32)}, {"kind": "policy"})
    size = int.from_bytes(data[:8], "little")
    header = {**json.loads(data[8 : 8 + size]), "a": entry}
    head = json.dumps(header).encode()
    (tmp_path / "lie").write_bytes(len(head).to_bytes(8, "little") + head + data[8 + size :])
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        read_checkpoint(tmp_path / "lie")


@pytest.mark.parametrize("header", ["1234", '"ab"', "null", "[1]", "{}", '{"__metadata__": 5}'])
def test_a_header_that_is_none_is_refused(tmp_path: Path, header: str) -> None:
    (tmp_path / "foreign").write_bytes(len(header).to_bytes(8, "little") + header.encode())
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        read_checkpoint(tmp_path / "foreign")


def test_another_game_version_history_or_kind_is_refused(path: Path, tmp_path: Path) -> None:
    checkpoint, _ = load_policy(path)
    checkpoint.refuse_other_games(Game(coin.GAME, num_players=2, rounds=1))
    with pytest.raises(CheckpointError, match="was trained with game = 'coin', but this game has 'ask'"):
        checkpoint.refuse_other_games(Game(ask.GAME, num_players=2))
    with pytest.raises(CheckpointError, match="Load the game with the history it was trained with"):
        checkpoint.refuse_other_games(Game(coin.GAME, num_players=3, history=2))
    older = {**about_game(COIN), "version": COIN.spec.version + 1, "kind": "policy"}
    write_checkpoint(tmp_path / "other", arrays(COIN), older)
    with pytest.raises(CheckpointError, match=r"was trained with version = .* Train it again"):
        make_factory("ppo", checkpoint=str(tmp_path / "other"))(COIN, 0, 0)
    with pytest.raises(CheckpointError, match="is a checkpoint of the kind 'policy', not 'training'"):
        checkpoint.refuse_other_kinds("training")
    with pytest.raises(CheckpointError, match="cannot be read: No such file"):
        load_policy(tmp_path / "nothing")


def test_a_file_is_read_once_and_the_oldest_are_forgotten(path: Path, tmp_path: Path) -> None:
    first = load_policy(path)
    assert load_policy(path)[1] is first[1]
    for number in range(network.KEPT):
        copy = tmp_path / f"{number}.safetensors"
        copy.write_bytes(path.read_bytes())
        load_policy(copy)
    assert len(network._loaded) == network.KEPT
    assert load_policy(path)[1] is not first[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trunk.0.bias": np.zeros(3, np.float32)}, "is no matrix with a bias"),
        ({"trunk.0.bias": np.full(8, np.nan, np.float32)}, "not finite"),
        ({"policy.0.bias": np.zeros(COIN.num_actions)}, "is not float32"),
        ({"extra": np.zeros(1, np.float32)}, "it has 11 arrays, and the layers are made of 10"),
        ({"value.1.weight": np.zeros((2, 4), np.float32), "value.1.bias": np.zeros(2, np.float32)}, "not one number"),
        ({"value.0.weight": np.zeros((4, 7), np.float32)}, "a layer of 8 is followed by one that takes 7"),
        (
            {"trust.0.weight": np.zeros((2, 8), np.float32), "trust.0.bias": np.zeros(2, np.float32)},
            "the trust is not one number",
        ),
        ({"trust.0.weight": np.zeros((1, 8), np.float32)}, "is no matrix with a bias"),
    ],
)
def test_arrays_that_make_no_network_are_refused(path: Path, change: dict[str, np.ndarray], sentence: str) -> None:
    write_checkpoint(path, {**arrays(COIN), **change}, {**about_game(COIN), "kind": "policy"})
    with pytest.raises(CheckpointError, match=sentence):
        load_policy(path)


def test_a_kill_while_writing_leaves_the_last_whole_file(path: Path) -> None:
    """The process is killed between the bytes and the name, and then in the middle of the bytes."""
    before = path.read_bytes()
    for spot in ("replace", "fsync"):
        code = f"""
import os, signal
from pathlib import Path
from northmen_agents.checkpoint import write_atomically
def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)
{"Path.replace = die" if spot == "replace" else "os.fsync = die"}
write_atomically(Path({str(path)!r}), b"x" * 1_000_000)
"""
        done = subprocess.run([sys.executable, "-c", code], env=os.environ)
        assert done.returncode == -signal.SIGKILL
        assert path.read_bytes() == before
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_network_gives_probabilities_of_legal_actions_and_refuses_empty_masks() -> None:
    network, rng = PolicyNetwork(arrays(COIN)), np.random.default_rng(1)
    seen = rng.normal(size=(50, COIN.observation_size)).astype(np.float32)
    masks = (rng.random((50, COIN.num_actions)) < 0.5).astype(np.int8)
    masks[:, 2] = 1
    probabilities, values = network(seen, masks)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(50))
    assert (probabilities[masks == 0] == 0).all() and values.shape == (50,)
    assert np.array_equal(network.act_many(seen, masks, None), probabilities.argmax(axis=1))
    keys = rng.integers(2**64, size=50, dtype=np.uint64)
    drawn = network.act_many(seen, masks, keys)
    assert (masks[np.arange(50), drawn] == 1).all()
    many = rng.integers(2**64, size=20_000, dtype=np.uint64)
    counts = np.bincount(
        network.act_many(seen[:1].repeat(20_000, 0), masks[:1].repeat(20_000, 0), many), minlength=COIN.num_actions
    )
    assert counts / 20_000 == pytest.approx(probabilities[0], abs=0.015)
    masks[7] = 0
    for call in (lambda: network(seen, masks), lambda: network.act_many(seen, masks, keys)):
        with pytest.raises(NoLegalAction, match="all zero"):
            call()
    assert masked_softmax(np.array([[1e30, -1e30, 0.0]]), np.array([[0, 1, 1]])).tolist() == [[0.0, 0.0, 1.0]]


@pytest.mark.parametrize("greedy", [False, True])
def test_the_agent_plays_alone_as_in_batches(path: Path, greedy: bool) -> None:
    """`make_vec` asks the policy about all games at once, and gets the games that agents would play."""
    factory = make_factory("ppo", checkpoint=str(path), greedy=greedy)
    batch = nm.make_vec(COIN, 4, seat="random", opponents=factory)
    singles = nm.make_vec(COIN, 4, seat="random", opponents=lambda *made: factory(*made))
    assert type(batch).__name__ == "NorthmenVectorEnv" and type(singles).__name__ == "NorthmenSyncVectorEnv"
    (seen, _), (other, _) = batch.reset(seed=3), singles.reset(seed=3)
    rng = np.random.default_rng(2)
    for _ in range(80):
        assert np.array_equal(seen["observation"], other["observation"])
        actions = (seen["action_mask"] * rng.random(seen["action_mask"].shape)).argmax(axis=1)
        seen, rewards, ended, _, _ = batch.step(actions)
        other, expected, over, _, _ = singles.step(actions)
        assert np.array_equal(rewards, expected) and np.array_equal(ended, over)
    copied = pickle.loads(pickle.dumps(batch))
    for env in (batch, copied):
        env.step(actions := (seen["action_mask"]).argmax(axis=1))
    assert np.array_equal(batch.batch.observation, copied.batch.observation)


def test_results_store_which_file_played(path: Path) -> None:
    factory = make_factory("ppo", checkpoint=str(path))
    first = factory.described("coin")["checkpoint_sha256"]
    write_policy(path, arrays(COIN, seed=1, hidden=9), COIN)
    assert factory.described("coin")["checkpoint_sha256"] != first
    assert len(first) == 64


def test_agents_are_imported_without_torch() -> None:
    code = "import sys, northmen_agents.ppo, northmen_agents.train.config; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_that_cannot_be_written_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="taken"):
        write_atomically(tmp_path / "taken", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_policy_that_computes_no_numbers_does_not_play(tmp_path: Path) -> None:
    huge = {name: array * np.float32(1e30) for name, array in arrays(COIN).items()}
    write_policy(tmp_path / "huge", huge, COIN)
    state = COIN.new_initial_state(1)
    seen = {"observation": state.observation(0), "action_mask": state.legal_action_mask()}
    with pytest.raises(CheckpointError, match="no numbers any more"):
        make_factory("ppo", checkpoint=str(tmp_path / "huge"))(COIN, 0, 0).act(seen, {})


def test_a_residual_policy_adds_its_trust_to_what_is_suggested() -> None:
    weights, rng = arrays(COIN, residual=True), np.random.default_rng(2)
    network = PolicyNetwork(weights)
    plain = PolicyNetwork({name: array for name, array in weights.items() if not name.startswith("trust")})
    assert network.needs_suggestion and not plain.needs_suggestion
    seen = rng.normal(size=(40, COIN.observation_size)).astype(np.float32)
    suggested = rng.integers(-1, COIN.num_actions, 40)
    (logits, values), (without, same) = network.forward(seen, suggested), plain.forward(seen)
    hidden = seen
    for layer in ("trunk.0", "trunk.1"):
        hidden = np.maximum(hidden @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"], 0.0)
    trust = (hidden @ weights["trust.0.weight"].T + weights["trust.0.bias"])[:, 0]
    added = np.zeros_like(without)
    added[np.arange(40)[suggested >= 0], suggested[suggested >= 0]] = trust[suggested >= 0]
    assert (suggested < 0).any() and np.abs(trust).min() > 0
    assert logits == pytest.approx(without + added, abs=1e-4) and np.array_equal(values, same)
    masks = np.ones((40, COIN.num_actions), np.int8)
    assert np.array_equal(network.act_many(seen, masks, None, suggested), logits.argmax(axis=1))
    for call in (lambda: network.forward(seen), lambda: network(seen, masks)):
        with pytest.raises(ValueError, match="it has to be told what that would do"):
            call()


def test_a_residual_policy_plays_alone_as_it_does_in_batches(tmp_path: Path) -> None:
    """As an agent it asks its view, in a batch it is told: the heuristic's chance is the same."""
    path = tmp_path / "policy.safetensors"
    write_policy(path, arrays(COIN, seed=5, residual=True), COIN)
    factory = make_factory("ppo", checkpoint=str(path))
    batch = make_vector(COIN, 6, seat="random", opponents=factory)
    singles = NorthmenSyncVectorEnv([COIN], 6, "random", factory)
    assert isinstance(batch, NorthmenVectorEnv)
    (seen, _), (other, _) = batch.reset(seed=3), singles.reset(seed=3)
    ended = 0
    for step in range(60):
        assert np.array_equal(seen["observation"], other["observation"])
        keys = np.arange(6, dtype=np.uint64) + np.uint64(step)
        actions = batch.suggestions(keys)
        assert np.array_equal(actions, singles.suggestions(keys))
        seen, _, over, *_ = batch.step(actions)
        other, _, same, *_ = singles.step(actions)
        assert np.array_equal(over, same)
        ended += int(over.sum())
    assert ended > 5
