"""The Gymnasium form, over every game, player count and option."""

from __future__ import annotations

import copy
import gc
import pickle
import types
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import northmen_env as nm
from cases import (
    SEATS,
    Case,
    every_case,
    every_seat_count,
    every_seat_count_with_opponents,
    returns_after_illegal,
)
from northmen_env.engine.state import State
from northmen_env.envs.gym import NorthmenGym
from northmen_env.envs.opponents import NoLegalAction, RandomAgent, random_agent
from northmen_env.testing.traces import difference


@pytest.fixture
def registered() -> Iterator[Any]:
    """Return a function that registers a game with Gymnasium for one test and gives its id."""
    ids: list[str] = []

    def register(game: Any, **arguments: Any) -> str:
        ids.append(f"northmen-tests/{game.name}{len(ids)}-v0")
        gymnasium.register(ids[-1], entry_point=NorthmenGym, kwargs={"game": game, **arguments})
        return ids[-1]

    yield register
    for name in ids:
        del gymnasium.registry[name]


def play(env: NorthmenGym, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """Play a game that has been reset to its end; return what each step gave."""
    given: list[tuple[Any, ...]] = []
    while not given or not given[-1][2]:
        given.append(env.step(int(rng.choice(np.flatnonzero(env.action_masks())))))
    return given


# -- other people's tests ----------------------------------------------------------------------------------------------


@every_case
def test_check_env_has_nothing_to_say(case: Case, registered: Any) -> None:
    check_env(gymnasium.make(registered(case.game(history=2, dense=True))).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mask_in", ["obs", "info", "both"])
@pytest.mark.parametrize("case", SEATS[::2], ids=str)
def test_check_env_with_pictures_for_any_place_of_the_mask(case: Case, mask_in: str, registered: Any) -> None:
    check_env(gymnasium.make(registered(case.game(), mask_in=mask_in)).unwrapped)


def test_is_registered() -> None:
    for name in nm.games():
        env = gymnasium.make(f"northmen/{name}-v0", num_players=3, seat=1, opponents=["random", "heuristic"])
        observation, info = env.reset(seed=3)
        assert env.observation_space.contains(observation)
        assert info["player"] == 1


# -- what the learner receives -----------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("opponents", ["random", random_agent])
def test_rewards_are_the_learners_own_and_masks_are_never_zero(case: Case, dense: bool, opponents: Any) -> None:
    env = NorthmenGym(case.game(dense=dense), opponents=opponents, mask_in="both")
    rng = np.random.default_rng(1)
    for game in range(4):
        observation, info = env.reset(seed=5 if game == 0 else None)
        total, terminated = 0.0, False
        while not terminated:
            mask = observation["action_mask"]
            assert mask.any()
            assert np.array_equal(mask, env.action_masks())
            assert np.array_equal(mask, info["action_mask"])
            assert env.game_state().current_player == info["player"]
            observation, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(mask))))
            assert type(reward) is float
            assert truncated is False
            total += reward
        state = env.game_state()
        assert state.is_terminal()
        assert not observation["action_mask"].any()
        assert np.array_equal(observation["observation"], state.observation(info["player"]))
        assert total == pytest.approx(state.returns()[info["player"]])
        assert info["returns"] == pytest.approx(state.returns())
        assert np.array_equal(info["scores"], state.scores())


class FixedMoves:
    """An opponent that plays the first legal action, or the last."""

    def __init__(self, last: bool) -> None:
        self.last = last

    def act(self, observation: Any, info: Any) -> int:
        assert "view" not in info
        return int(np.flatnonzero(observation["action_mask"])[-1 if self.last else 0])


@pytest.mark.parametrize("case", SEATS[:3], ids=str)
def test_a_game_that_ends_in_an_opponents_turn_pays_the_learner_its_own_return(case: Case) -> None:
    """The last guess decides: whoever is rewarded for somebody else's return learns to lose."""
    game = case.game()
    for seat in range(game.num_players - 1):
        env = NorthmenGym(game, seat=seat, opponents=lambda game, seat, seed: FixedMoves(last=True))
        results = set()
        for seed in range(20):
            env.reset(seed=seed)
            given = play(env, np.random.default_rng(seed))
            state = env.game_state()
            assert given[-1][1] == state.returns()[seat]
            results.add(given[-1][1])
        assert len(results) > 1


@every_seat_count
def test_an_illegal_action_of_the_learner(case: Case) -> None:
    game = case.game()
    for mask_in in ("obs", "info"):
        env = NorthmenGym(game, mask_in=mask_in)
        env.reset(seed=2)
        env.step(int(env.action_masks().argmax()))
        state = env.game_state()
        observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(env.action_masks() == 0)[0]))
        assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
        assert env.game_state() == state
        assert not env.action_masks().any()
        assert sorted(info["returns"]) == pytest.approx(sorted(returns_after_illegal(game, 0)))
        assert env.observation_space.contains(observation)
        with pytest.raises(ResetNeeded, match="game is over"):
            env.step(0)


class Cheat:
    """An opponent that breaks the rules at its first decision, in some games."""

    def __init__(self, honest: bool) -> None:
        self.honest = honest

    def act(self, observation: Any, info: Any) -> int:
        return int((observation["action_mask"] == int(self.honest)).argmax())


def test_an_illegal_action_of_an_opponent_ends_the_game_too() -> None:
    env = NorthmenGym(SEATS[1].game(), seat=0, opponents=["random", lambda game, seat, seed: Cheat(False)])
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(int(env.action_masks().argmax()))
    assert (reward, terminated, info["opponent_illegal_action"]) == (0.5, True, 2)
    assert "illegal_action" not in info


def test_a_game_that_ends_before_the_learner_is_asked_is_followed_by_the_next() -> None:
    made: list[int] = []

    def cheat_at_first(game: Any, seat: int, seed: int) -> Cheat:
        made.append(seat)
        return Cheat(len(made) > 2)

    env = NorthmenGym(SEATS[0].game(), seat=1, opponents=cheat_at_first)
    env.reset(seed=3)
    assert made == [0, 0, 0]
    assert env.action_masks().any()
    expected = NorthmenGym(SEATS[0].game(), seat=1, opponents=lambda game, seat, seed: Cheat(True))
    for _ in range(3):
        expected.reset(seed=3 if _ == 0 else None)
    assert env.game_state() == expected.game_state()
    hopeless = NorthmenGym(SEATS[0].game(), seat=1, opponents=lambda game, seat, seed: Cheat(False))
    with pytest.raises(RuntimeError, match="1000 games in a row"):
        hopeless.reset(seed=3)


# -- seats and opponents -----------------------------------------------------------------------------------------------


@every_seat_count
def test_a_random_seat_is_drawn_for_each_game_and_follows_from_the_seed(case: Case) -> None:
    n = case.game().num_players
    env, other = NorthmenGym(case.game()), NorthmenGym(case.game())
    seats = [env.reset(seed=9 if k == 0 else None)[1]["player"] for k in range(60)]
    assert seats == [other.reset(seed=9 if k == 0 else None)[1]["player"] for k in range(60)]
    assert set(seats) == set(range(n))
    for seat in range(n):
        assert NorthmenGym(case.game(), seat=seat).reset(seed=1)[1]["player"] == seat


def test_each_opponent_is_made_once_for_each_seat_and_game_with_a_seed_of_its_own() -> None:
    made: list[tuple[int, int]] = []

    def factory(game: Any, seat: int, seed: int) -> RandomAgent:
        made.append((seat, seed))
        return RandomAgent(game, seat, seed)

    env = NorthmenGym(SEATS[2].game(), seat=1, opponents=factory)
    for k in range(3):
        env.reset(seed=7 if k == 0 else None)
        play(env, np.random.default_rng(k))
    assert [seat for seat, _ in made] == [2, 3, 0] * 3
    assert len({seed for _, seed in made}) == 9
    assert int(env.game_state().array["seed"][0]) not in {seed for _, seed in made}


def test_a_list_of_opponents_goes_clockwise_from_the_learner() -> None:
    seats: dict[str, int] = {}

    def named(name: str) -> Any:
        def factory(game: Any, seat: int, seed: int) -> RandomAgent:
            seats[name] = seat
            return RandomAgent(game, seat, seed)

        return factory

    env = NorthmenGym(SEATS[2].game(), opponents=[named("left"), named("across"), named("right")])
    for k in range(10):
        learner = env.reset(seed=k)[1]["player"]
        assert [(seats[name] - learner) % 4 for name in ("left", "across", "right")] == [1, 2, 3]


@every_seat_count
@pytest.mark.parametrize("dense", [False, True])
def test_the_random_opponent_in_a_kernel_plays_as_the_one_in_python(case: Case, dense: bool) -> None:
    env = NorthmenGym(case.game(dense=dense), opponents="random")
    other = NorthmenGym(case.game(dense=dense), opponents=random_agent)
    for game in range(3):
        seed = 8 if game == 0 else None
        assert difference(env.reset(seed=seed), other.reset(seed=seed)) is None
        steps = [play(each, np.random.default_rng(game)) for each in (env, other)]
        assert difference(steps[0], steps[1]) is None


@every_seat_count
def test_the_heuristic_is_a_built_in_opponent(case: Case) -> None:
    env = NorthmenGym(case.game(), opponents="heuristic")
    env.reset(seed=0)
    play(env, np.random.default_rng(0))
    assert env.game_state().is_terminal()


class Searcher:
    """An opponent that looks at everything it is given."""

    needs_view = True
    given: list[Any]

    def __init__(self) -> None:
        self.given = []

    def act(self, observation: Any, info: Any) -> int:
        view = info["view"]
        self.given += [observation, info]
        state = view.sample(len(self.given))
        assert np.array_equal(state.observation(view.player), observation["observation"])
        assert view.legal_actions() == np.flatnonzero(observation["action_mask"]).tolist() == state.legal_actions()
        assert view.suggest(3) in view.legal_actions()
        return int(view.legal_actions()[0])


def reachable(root: Any) -> Iterator[Any]:
    """Yield all objects that references lead to, without going through modules, classes and code."""
    seen, todo = set(), [root]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, (types.ModuleType, type, types.FunctionType, types.CodeType)):
            continue
        seen.add(id(thing))
        yield thing
        todo += gc.get_referents(thing)


@every_seat_count_with_opponents
def test_an_opponent_that_searches_gets_a_view_and_cannot_reach_the_state(case: Case) -> None:
    agents: list[Searcher] = []

    def factory(game: Any, seat: int, seed: int) -> Searcher:
        agents.append(Searcher())
        return agents[-1]

    env = NorthmenGym(case.game(), seat=0, opponents=factory)
    env.reset(seed=2**63 + 6)
    for _ in range(3):
        if env.step(int(env.action_masks().argmax()))[2]:
            break
    seed = int(env.game_state().array["seed"][0])
    found = list(reachable(agents))
    states = [thing for thing in found if isinstance(thing, State)]
    assert states
    assert all(int(state.array["seed"][0]) != seed for state in states)
    assert not any(thing is env or thing is env._states or thing is env._buffer for thing in found)
    assert seed not in [thing for thing in found if type(thing) is int]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"opponents": "nobody"}, ValueError, r"no opponent 'nobody'; the names here are .*heuristic.*random"),
        ({"opponents": ["random"] * 3}, ValueError, r"a list of 3, but there are 1 other seats"),
        ({"opponents": [3]}, TypeError, r"a name or a factory"),
        ({"seat": 2}, ValueError, r"seat must be an integer from 0 to 1"),
        ({"seat": "first"}, ValueError, r'seat must be "random" or 0..1'),
        ({"mask_in": 1}, ValueError, r"mask_in must be one of"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        NorthmenGym(SEATS[0].game(), **arguments)


def test_a_factory_that_makes_no_agent_is_named() -> None:
    with pytest.raises(TypeError, match=r"no act\(observation, info\)"):
        NorthmenGym(SEATS[0].game(), opponents=lambda game, seat, seed: 3).reset()


def test_the_random_agent_refuses_a_zero_mask() -> None:
    agent = RandomAgent(SEATS[0].game(), 0, 5)
    with pytest.raises(NoLegalAction, match="not this seat's turn"):
        agent.act({"action_mask": np.zeros(7, np.int8)}, {})


# -- order, copies -----------------------------------------------------------------------------------------------------


def test_nothing_can_be_done_before_the_first_reset() -> None:
    env = NorthmenGym(SEATS[0].game())
    for call in (lambda: env.step(0), env.action_masks, env.render, env.game_state):
        with pytest.raises(ResetNeeded, match="reset"):
            call()


@every_seat_count
def test_what_is_no_action_raises_and_changes_nothing(case: Case) -> None:
    env = NorthmenGym(case.game())
    env.reset(seed=3)
    before = env.get_state()
    for action, error in ((-1, ValueError), (env.action_space.n, ValueError), (None, TypeError), (0.5, TypeError)):
        with pytest.raises(error):
            env.step(action)  # type: ignore[arg-type]
        assert env.get_state() == before
    env.step(np.array(env.action_masks().argmax()))  # a 0-d array, as some libraries give


@every_seat_count
@pytest.mark.parametrize("opponents", ["random", random_agent])
def test_copies_go_on_alike_at_every_decision(case: Case, opponents: Any) -> None:
    env = NorthmenGym(case.game(dense=True), opponents=opponents, mask_in="both")
    env.action_space.seed(3)
    restored = NorthmenGym(case.game(dense=True), opponents=opponents, mask_in="both")
    env.reset(seed=4)
    stride = 1 + int(case.game().playouts(5, seed=0).decisions.mean()) // 40
    for step in range(20 * stride):
        if step % stride == 0:
            before = env.get_state()
            restored.set_state(before)
            others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), restored]
            for other in others:
                assert other.get_state() == before
            endings = [[*play(other, np.random.default_rng(step)), other.reset()] for other in others]
            assert difference(endings[0], endings[1]) is None
            assert difference(endings[0], endings[2]) is None
            assert env.get_state() == before
            assert [other.action_space.sample() for other in others] == [copy.deepcopy(env).action_space.sample()] * 3
        if env.step(int(env.action_masks().argmax()))[2]:
            env.reset()


def test_saved_bytes_of_something_else_are_refused() -> None:
    env = NorthmenGym(SEATS[0].game(), seat=0)
    env.reset(seed=1)
    data = env.get_state()
    for bad in (b"", data[:-1], NorthmenGym(SEATS[0].game(), seat=1).get_state(), data[::-1]):
        with pytest.raises(ValueError, match="these bytes"):
            env.set_state(bad)
        assert env.get_state() == data
