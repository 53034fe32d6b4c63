"""What comes from outside is judged before a kernel uses it: bytes, seeds, opponents, folders that change."""

import hashlib
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import northmen_env as nm
from northmen_env.games.saga import tables

CHECKSUM = 16


def played(game, decisions=12):
    state = game.new_initial_state(seed=3)
    for _ in range(decisions):
        state.apply_action(state.legal_actions()[0])
    return state


def forged(data, record, field, dtype):
    """Return saved bytes in which one field of the record is far out of range, with a checksum that fits."""
    at = data.index(record) + dtype.fields[field][1]
    size = dtype.fields[field][0].itemsize
    body = data[:at] + b"\x7f" * size + data[at + size : -CHECKSUM]
    return body + hashlib.sha256(body).digest()[:CHECKSUM]


FIELDS = ("hand", "player", "decision", "kingdom", "pile_size", "draw_top", "slot", "round_number", "march_pass")


@pytest.mark.parametrize("field", FIELDS)
def test_forged_bytes_of_a_state_are_refused(field):
    game = nm.load("saga", num_players=3)
    state = played(game)
    record = state.array.tobytes()
    with pytest.raises(ValueError, match="impossible state"):
        game.state_from_bytes(forged(state.to_bytes(), record, field, game.spec.state_dtype))


@pytest.mark.parametrize("field", FIELDS)
def test_forged_bytes_of_where_the_log_begins_are_refused(field):
    game = nm.load("saga", num_players=3)
    state = game.state_from_dict(played(game).to_dict())
    root = state.array.tobytes()
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="impossible state"):
        game.state_from_bytes(forged(state.to_bytes(), root, field, game.spec.state_dtype))


FACES = {
    "aec": lambda: nm.make("saga", num_players=3),
    "gym": lambda: nm.make_gym("saga", num_players=3, seat=0),
    "vector": lambda: nm.make_vec("saga", num_envs=2, num_players=3),
    "learners": lambda: nm.make_vec("saga", num_envs=2, num_players=3, seat=0),
}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("field", ["hand", "player", "decision"])
def test_forged_bytes_of_an_environment_are_refused_and_change_nothing(face, field):
    env = FACES[face]()
    env.reset(seed=3)
    saved = env.get_state()
    record = nm.load("saga", num_players=3).new_initial_state(seed=3).array.tobytes()
    with pytest.raises(ValueError, match="impossible state"):
        env.set_state(forged(saved, record, field, nm.load("saga").spec.state_dtype))
    assert env.get_state() == saved


class Crashes:
    """An opponent that raises at its third decision."""

    needs_view = False
    calls = 0

    def act(self, observation, info):
        Crashes.calls += 1
        if Crashes.calls == 3:
            raise RuntimeError("the opponent crashed")
        return int(observation["action_mask"].argmax())


def play_on(env):
    while True:
        env.step(int(env.action_masks().argmax()))


def test_after_an_opponent_raised_the_learner_never_plays_for_it():
    Crashes.calls = 0
    env = nm.make_gym("saga", num_players=3, seat=0, opponents=lambda game, seat, seed: Crashes())
    env.reset(seed=3)
    with pytest.raises(RuntimeError, match="crashed"):
        play_on(env)
    before = env.get_state()
    with pytest.raises(ResetNeeded, match="opponent raised"):
        env.step(0)
    assert env.get_state() == before
    env.reset(seed=3)
    assert env.action_masks().any()


def python_opponent(game, seat, seed):
    return Crashes()


@pytest.mark.parametrize("opponents", ["random", python_opponent], ids=["kernels", "python"])
def test_batches_of_learners_take_the_seeds_that_every_face_takes(opponents):
    Crashes.calls = 10
    env = nm.make_vec("saga", num_envs=2, seat=0, opponents=opponents)
    expected = env.reset(seed=5)[0]["observation"].copy()
    assert np.array_equal(env.reset(seed=np.int64(5))[0]["observation"], expected)
    for wrong in (True, 1.0, "5"):
        with pytest.raises(TypeError, match="seed"):
            env.reset(seed=wrong)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    env.reset(seed=2**64 - 1)


@pytest.fixture
def folder(tmp_path):
    source = Path(tables.__file__).parent / "data"
    target = tmp_path / "tables"
    target.mkdir()
    for file in source.glob("*.csv"):
        shutil.copy(file, target)
    return target


def test_a_game_keeps_its_tables_when_the_folder_changes_or_goes(folder):
    game = nm.load("saga", data=str(folder))
    state = played(game)
    saved, pickled, named = state.to_bytes(), pickle.dumps(state), state.to_dict()["options"]["data"]
    routes = folder / "routes.csv"
    routes.write_text(routes.read_text().replace(",4\n", ",9\n"))
    assert game.options_dict["data"] == named
    assert game.state_from_bytes(saved).digest() == state.digest()
    with pytest.raises(ValueError, match="load the game they were written for"):
        nm.load("saga", data=str(folder)).state_from_bytes(saved)
    with pytest.raises(ValueError, match="has changed"):
        pickle.loads(pickled)
    shutil.rmtree(folder)
    assert state.to_bytes() == saved
    assert repr(game)
