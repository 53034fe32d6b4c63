"""What users of the environments get wrong, each told in a sentence that names the argument as they wrote it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env

import northmen_env as nm
from coin_league import TINY_GAMES, coin_game
from northmen_env import registry
from northmen_env.envs import rendering
from northmen_env.envs.episodes import FORMS
from northmen_env.envs.opponents import random_agent


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def make_learners(game: Any, **arguments: Any) -> Any:
    return nm.make_vec(game, 2, **{"seat": "random", **arguments})


def make_all_seats(game: Any, **arguments: Any) -> Any:
    return nm.make_vec(game, 2, **arguments)


TAKES: dict[Callable[..., Any], set[str]] = {
    nm.make: {"mask_in", "render_mode", "render_seat"},
    nm.make_gym: {"seat", "opponents", "mask_in", "render_mode", "render_seat"},
    make_learners: {"seat", "opponents", "mask_in", "copy", "configurations", "num_threads", "num_envs"},
    make_all_seats: {"legal", "observe", "buffers", "configurations", "num_threads", "num_envs", "seat", "opponents"},
}


@pytest.mark.parametrize("game", ["coin", coin_game(3)], ids=["name", "Game"])
@pytest.mark.parametrize("make", TAKES)
def test_an_argument_of_another_form_is_named_as_such(make: Callable[..., Any], game: Any) -> None:
    for name in set(FORMS) - TAKES[make]:
        with pytest.raises(TypeError, match=f"^`{name}` belongs to make"):
            make(game, **{name: None})
    with pytest.raises(ValueError, match="coin has no option 'depth'"):
        make("coin", depth=3)


def test_opponents_without_a_seat_ask_for_one() -> None:
    with pytest.raises(ValueError, match="give its seat too"):
        make_all_seats("coin", opponents="random")


@pytest.mark.parametrize("opponents", [3, None, 0.5, {"random": 1}])
def test_opponents_that_are_none_are_told(opponents: Any) -> None:
    with pytest.raises(TypeError, match=r"opponents is a name, a factory .* or a list of them, not "):
        nm.make_gym("coin", opponents=opponents)


@pytest.mark.parametrize("make", [nm.make_gym, make_learners])
def test_a_wrong_seat_is_named_as_it_was_written(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"^seat must be an integer from 0 to 1, not 2"):
        make("coin", seat=2)
    with pytest.raises(TypeError, match=r"^seat must be an integer from 0 to 1, not 0.5"):
        make("coin", seat=0.5)


@pytest.mark.parametrize("make", [nm.make, nm.make_gym])
def test_a_wrong_render_seat_is_named_as_it_was_written(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"^render_seat must be an integer from 0 to 1, not 7"):
        make("coin", render_seat=7)


def test_load_takes_a_game_or_says_what_it_takes() -> None:
    game = coin_game(3)
    assert nm.load(game) is game
    for options in ({"num_players": 2}, {"history": 3}, {"dense": True}):
        with pytest.raises(ValueError, match=f"a Game has its options already; leave out {next(iter(options))}"):
            nm.load(game, **options)
    for wrong in (3, None, ["coin"]):
        with pytest.raises(TypeError, match="a game is named by one of 'saga'"):
            nm.load(wrong)


# -- seeds of a batch --------------------------------------------------------------------------------------------------


def with_python(game: Any, **arguments: Any) -> Any:
    return make_learners(game, opponents=random_agent, **arguments)


@pytest.mark.parametrize("make", [make_learners, with_python, make_all_seats])
def test_a_batch_takes_a_list_of_seeds(make: Callable[..., Any]) -> None:
    env, one = make("coin"), make("coin")
    for seeds in ([7, 8], (7, 8), np.array([7, 8])):
        shown, expected = env.reset(seed=seeds)[0], one.reset(seed=7)[0]
        for part in expected:
            np.testing.assert_array_equal(shown[part], expected[part])
    mixed, plain = env.reset(seed=[2**64 - 1, None])[0]["observation"].copy(), one.reset()[0]["observation"].copy()
    np.testing.assert_array_equal(mixed[1], plain[1])
    with pytest.raises(ValueError, match="seed is a list of 3, but there are 2 environments"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="seed must be an integer from 0"):
        env.reset(seed=[1, -1])
    with pytest.raises(TypeError, match="seed must be an integer from 0"):
        env.reset(seed="7")


@pytest.mark.parametrize("make", [make_learners, with_python, make_all_seats])
def test_a_closed_batch_is_closed(make: Callable[..., Any]) -> None:
    env = make("coin", **({} if make is with_python else {"num_threads": 2}))
    env.reset(seed=0)
    env.close()
    env.close()
    for use in (env.reset, lambda: env.step(np.zeros(2, int))):
        with pytest.raises(ClosedEnvironmentError, match="closed"):
            use()


# -- PettingZoo --------------------------------------------------------------------------------------------------------


def test_an_agent_that_is_not_there_is_named() -> None:
    env = nm.make("coin")
    env.reset(seed=0)
    for use in (env.action_space, env.observation_space, env.observe):
        for agent in ("player_7", 0, None, []):
            with pytest.raises(ValueError, match=r"there is no agent .*; the agents are player_0, player_1"):
                use(agent)


def test_after_everybody_has_left_last_asks_for_a_reset_and_spaces_stay() -> None:
    env = nm.make("coin")
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
        assert env.action_space(agent).n == 7
    for use in (env.last, lambda: env.last(observe=False)):
        with pytest.raises(ResetNeeded, match="everybody has left it"):
            use()
    assert env.action_space("player_0").n == 7


# -- pictures without the extra ----------------------------------------------------------------------------------------


@pytest.fixture(params=["resvg_py", "PIL"])
def _without_the_extra(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "find_spec", lambda name: None if name == request.param else find_spec(name))


@pytest.mark.usefixtures("_without_the_extra")
@pytest.mark.parametrize("make", [nm.make, nm.make_gym])
def test_pixels_without_the_extra_are_refused_when_the_environment_is_made(make: Callable[..., Any]) -> None:
    with pytest.raises(ImportError, match=r"pip install 'northmen-env\[render\]'"):
        make("coin", render_mode="rgb_array")
    assert make("coin", render_mode="ansi").metadata["render_modes"] == ["human", "ansi"]


@pytest.mark.usefixtures("_without_the_extra")
def test_check_env_has_nothing_to_say_on_the_base_install() -> None:
    check_env(gymnasium.make("northmen/saga-v0", num_players=2).unwrapped)


def test_with_the_extra_pixels_are_listed() -> None:
    assert "rgb_array" in nm.make("coin").metadata["render_modes"]
    assert "rgb_array" in nm.make_gym("coin").metadata["render_modes"]
