"""The PettingZoo form, over every game, player count and option."""

from __future__ import annotations

import copy
import importlib
import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import northmen_env as nm
from cases import SEATS, Case, every_case, every_seat_count, returns_after_illegal
from northmen_env import testing
from northmen_env.engine.random import episode_seed
from northmen_env.envs.aec import NorthmenAEC

every_mask_place = pytest.mark.parametrize("mask_in", ["obs", "info", "both"])


def wrapped(env: Any) -> Any:
    """Return `env` in the three wrappers of PettingZoo's own board games."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


def play_legally(env: Any, decisions: int, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        env.step(testing.traces.next_action(env, rng))


def typical(case: Case) -> int:
    """Return how many decisions a game has."""
    return int(case.game().playouts(5, seed=0).decisions.mean())


def illegal_action(env: Any) -> int:
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


# -- other people's tests ----------------------------------------------------------------------------------------------


@every_case
def test_passes_the_api_and_seed_tests_of_pettingzoo(case: Case) -> None:
    api_test(NorthmenAEC(case.game()), num_cycles=12)
    seed_test(lambda: NorthmenAEC(case.game(history=3, dense=True)), num_cycles=12)


@every_mask_place
@pytest.mark.parametrize("case", SEATS[::2], ids=str)
def test_passes_them_wherever_the_mask_is(case: Case, mask_in: str) -> None:
    api_test(NorthmenAEC(case.game(), mask_in=mask_in), num_cycles=12)
    api_test(wrapped(NorthmenAEC(case.game(), mask_in=mask_in)), num_cycles=12)
    seed_test(lambda: NorthmenAEC(case.game(), mask_in=mask_in), num_cycles=12)


@every_seat_count
def test_state_is_in_its_space(case: Case) -> None:
    module = importlib.import_module("pettingzoo.test.state_test")
    env = NorthmenAEC(case.game())
    module.test_state_space(env)
    module.test_state(env, 5)
    env.reset(seed=1)
    seats = [env.observe(agent)["observation"] for agent in env.agents]
    assert np.array_equal(env.state(), np.concatenate(seats))


def test_is_registered() -> None:
    for name in nm.games():
        env = pettingzoo.make("aec", f"northmen/{name}-v0", num_players=3)
        assert env.metadata["name"] == f"northmen_{name}_v0"
        assert str(env) == f"northmen_{name}_v0"
        assert env.metadata["is_parallelizable"] is False
        assert env.metadata["render_fps"] > 0
        assert env.possible_agents == ["player_0", "player_1", "player_2"]


# -- the kit -----------------------------------------------------------------------------------------------------------


@every_case
@every_mask_place
def test_spaces_rewards_and_the_end(case: Case, mask_in: str) -> None:
    game = case.game(dense=mask_in == "both", history=2)

    def make() -> NorthmenAEC:
        return NorthmenAEC(game, mask_in=mask_in)

    testing.check_spaces(make, games=1)
    testing.check_dead_steps(make, games=1)
    testing.check_reward_sums(make, returns=lambda env: env.game_state().returns(), games=2)


@every_seat_count
def test_masks_say_what_is_accepted(case: Case) -> None:
    testing.check_masks(lambda: NorthmenAEC(case.game()), positions=4, outside=178)


@every_seat_count
@every_mask_place
def test_arrays_are_fresh(case: Case, mask_in: str) -> None:
    testing.check_aliasing(lambda: NorthmenAEC(case.game(), mask_in=mask_in), games=1)


@every_seat_count
def test_copies_go_on_alike(case: Case) -> None:
    stride = 1 + typical(case) // 6
    testing.check_copy(lambda: NorthmenAEC(case.game(history=2, dense=True), mask_in="both"), stride=stride)


@pytest.mark.parametrize("case", SEATS[::2], ids=str)
def test_copies_go_on_alike_through_pettingzoos_wrappers(case: Case) -> None:
    testing.check_copy(lambda: wrapped(NorthmenAEC(case.game())), stride=1 + typical(case) // 10)


@pytest.mark.long
@every_seat_count
def test_copies_go_on_alike_at_every_ply(case: Case) -> None:
    testing.check_copy(lambda: NorthmenAEC(case.game()), games=4)
    testing.check_copy(lambda: wrapped(NorthmenAEC(case.game())), games=1)


@pytest.mark.parametrize("name", nm.games())
def test_the_same_in_other_processes(name: str) -> None:
    testing.check_determinism("northmen_env:make", {"name": name, "num_players": 3, "history": 4}, games=2)


# -- order, bounds, illegal actions ------------------------------------------------------------------------------------


def test_nothing_can_be_used_before_the_first_reset() -> None:
    env = NorthmenAEC(SEATS[0].game())
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match=rf"{name} cannot be accessed before reset"):
            getattr(env, name)
    calls = [env.last, env.state, env.render, env.agent_iter, env.game_state, lambda: env.step(0)]
    for call in [*calls, lambda: env.observe("player_0")]:
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    assert copy.deepcopy(env).get_state() == pickle.loads(pickle.dumps(env)).get_state() == env.get_state()


def test_a_loop_that_does_not_step_is_told_so() -> None:
    env = NorthmenAEC(SEATS[0].game())
    env.reset(seed=0)
    with pytest.raises(ResetNeeded, match=r"has to call step\(\) or reset\(\)"):
        list(env.agent_iter())
    assert len([env.step(0) for _ in env.agent_iter(3)]) == 3


def test_a_step_when_everybody_has_left_is_refused() -> None:
    env = NorthmenAEC(SEATS[0].game())
    env.reset(seed=0)
    testing.traces.play(env, np.random.default_rng(0))
    assert env.agents == []
    assert env.num_agents == 0
    with pytest.raises(ResetNeeded, match="game is over"):
        env.step(None)
    env.reset()
    assert env.num_agents == len(env.possible_agents)


@every_seat_count
def test_what_is_no_action_raises_and_changes_nothing(case: Case) -> None:
    env = NorthmenAEC(case.game())
    env.reset(seed=3)
    play_legally(env, 2)
    before = env.get_state()
    size = case.game().num_actions
    for action, error in (
        (size, ValueError),
        (-1, ValueError),
        (2**70, ValueError),
        (None, ValueError),
        (True, TypeError),
        (1.0, TypeError),
        ("0", TypeError),
        (np.array([0]), TypeError),
    ):
        with pytest.raises(error):
            env.step(action)
        assert env.get_state() == before
    for kind in (np.int16, np.int64, np.uint16, np.array):
        other = copy.deepcopy(env)
        other.step(kind(int(np.flatnonzero(other.last()[0]["action_mask"])[0])))
        assert not any(other.terminations.values())


@every_case
@pytest.mark.parametrize("dense", [False, True])
def test_an_illegal_action_ends_the_game(case: Case, dense: bool, capfd: pytest.CaptureFixture[str]) -> None:
    game = case.game(dense=dense)
    env = NorthmenAEC(game)
    for decisions in (0, 3):  # no game ends earlier
        env.reset(seed=4)
        play_legally(env, decisions)
        state, offender = env.game_state(), env.agent_selection
        env.step(illegal_action(env))
        assert env.game_state() == state
        assert set(env.terminations.values()) == {True}
        assert set(env.truncations.values()) == {False}
        assert env.agent_selection == "player_0"
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            assert (terminated, truncated) == (True, False)
            assert not observation["action_mask"].any()
            assert ("illegal_action" in info) == (agent == offender)
            total[agent] = reward
            env.step(None)
        if not dense:  # with dense rewards something may have been paid before
            expected = returns_after_illegal(game, env.possible_agents.index(offender))
            assert total == dict(zip(env.possible_agents, expected))
            if len(game.teams) > 1:
                assert sum(total[env.possible_agents[seats[0]]] for seats in game.teams) == pytest.approx(0)
    assert capfd.readouterr() == ("", "")


@every_seat_count
def test_all_rewards_of_a_game_ended_by_an_illegal_action_add_up_to_the_penalty(case: Case) -> None:
    env = NorthmenAEC(case.game(dense=True))
    env.reset(seed=4)
    paid = np.zeros(case.game().num_players)
    for step in range(4):
        env.step(illegal_action(env) if step == 3 else int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
        paid += [env.rewards[agent] for agent in env.possible_agents]
    assert sorted(paid) == pytest.approx(sorted(returns_after_illegal(case.game(), 0)))


@pytest.mark.parametrize("mask_in", ["obs", "info"])
@pytest.mark.parametrize("case", SEATS[::2], ids=str)
def test_two_games_in_a_row_in_pettingzoos_wrappers(case: Case, mask_in: str) -> None:
    env = wrapped(NorthmenAEC(case.game(), mask_in=mask_in))
    rng = np.random.default_rng(0)
    for game in range(3):
        env.reset(seed=game)
        for step, agent in enumerate(env.agent_iter()):
            assert env.agent_selection == env.unwrapped.agent_selection == agent
            observation, _, terminated, truncated, info = env.last()
            mask = observation["action_mask"] if mask_in == "obs" else info["action_mask"]
            if terminated or truncated:
                assert not mask.any()
                env.step(None)
            elif step == 3 and game != 1:
                env.step(int(np.flatnonzero(mask == 0)[0]))
            else:
                env.step(int(rng.choice(np.flatnonzero(mask))))
            assert env.agent_selection == env.unwrapped.agent_selection
        assert env.agents == []


# -- what agents receive -----------------------------------------------------------------------------------------------


@every_seat_count
@every_mask_place
def test_masks_are_where_they_are_wanted_and_zero_out_of_turn(case: Case, mask_in: str) -> None:
    env = NorthmenAEC(case.game(), mask_in=mask_in)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    while env.agents:
        acting = None if env.terminations[env.agent_selection] else env.agent_selection
        masks = []
        for agent in env.agents:
            seen = env.observe(agent)
            assert isinstance(seen, np.ndarray) == (mask_in == "info")
            assert ("action_mask" in env.infos[agent]) == (mask_in != "obs")
            found = [] if mask_in == "info" else [seen["action_mask"]]
            found += [env.infos[agent]["action_mask"]] if mask_in != "obs" else []
            assert all(mask.dtype == np.int8 and mask.any() == (agent == acting) for mask in found)
            assert all(np.array_equal(mask, found[0]) for mask in found)
            masks += found
        if acting is not None:
            state = env.game_state()
            assert np.array_equal(sum(masks) > 0, state.legal_action_mask() > 0)
        env.step(testing.traces.next_action(env, rng))


@every_seat_count
def test_every_agent_can_be_observed_at_any_time_also_after_it_has_left(case: Case) -> None:
    env = NorthmenAEC(case.game())
    env.reset(seed=0)
    testing.traces.play(env, np.random.default_rng(1))
    end = env.game_state()
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"], end.observation(seat))
        assert not seen["action_mask"].any()
    with pytest.raises(ValueError, match=r"no agent 'player_9'.*player_0"):
        env.observe("player_9")


@every_seat_count
def test_no_part_of_what_an_agent_receives_depends_on_what_it_cannot_know(case: Case) -> None:
    game = case.game(history=8)
    env, twin = (NorthmenAEC(game, mask_in="both") for _ in range(2))
    rng = np.random.default_rng(2)
    for where, state in testing.information.positions(game, 1, 5):
        if state.is_terminal() or rng.random() > 30 / typical(case):
            continue
        for seat, agent in enumerate(env.possible_agents):
            env.set_game_state(state)
            twin.set_game_state(state.resample(seat, 8))
            seen = [env.observe(agent), env.infos[agent], env.rewards[agent]]
            same = [twin.observe(agent), twin.infos[agent], twin.rewards[agent]]
            assert testing.traces.difference(seen, same) is None, where


@every_seat_count
def test_last_without_observation_and_twice_with_it(case: Case) -> None:
    env = NorthmenAEC(case.game())
    env.reset(seed=0)
    for _ in range(3):
        assert env.last(observe=False)[0] is None
        first, second = env.last()[0], env.last()[0]
        assert testing.traces.difference(first, second) is None
        assert not np.shares_memory(first["observation"], second["observation"])
        env.step(int(first["action_mask"].argmax()))


# -- seeds -------------------------------------------------------------------------------------------------------------


@every_seat_count
def test_a_seed_is_a_game_and_a_reset_without_one_goes_on(case: Case) -> None:
    game = case.game()
    env = NorthmenAEC(game)
    for seed in (0, 12, 2**64 - 1):
        env.reset(seed=seed)
        assert env.game_state() == game.new_initial_state(seed)
        for k in (1, 2):
            env.reset(options={"unknown": 1})
            assert env.game_state() == game.new_initial_state(int(episode_seed(np.uint64(seed), k)))


def test_without_any_seed_games_differ_from_each_other_and_from_another_environments() -> None:
    env, other = NorthmenAEC(SEATS[0].game()), NorthmenAEC(SEATS[0].game())
    seeds = set()
    for each in (env, other, env, other):
        each.reset()
        seeds.add(int(each.game_state().array["seed"][0]))
    assert len(seeds) == 4


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, "1"])
def test_a_wrong_seed_is_refused_and_changes_nothing(seed: Any) -> None:
    env = NorthmenAEC(SEATS[0].game())
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises((TypeError, ValueError), match="seed must be an integer from 0"):
        env.reset(seed=seed)
    assert env.get_state() == before


# -- saving and pictures -----------------------------------------------------------------------------------------------


def test_saved_bytes_of_something_else_are_refused() -> None:
    env = NorthmenAEC(SEATS[0].game())
    env.reset(seed=1)
    data = env.get_state()
    wrong = [b"", b"nonsense", data[:-1], data[:40] + b"!" + data[41:], data + b" "]
    wrong += [NorthmenAEC(SEATS[1].game()).get_state(), NorthmenAEC(SEATS[0].game(dense=True)).get_state()]
    for bad in wrong:
        with pytest.raises(ValueError, match="these bytes"):
            env.set_state(bad)
        assert env.get_state() == data
    with pytest.raises(TypeError, match="bytes"):
        env.set_state("text")  # type: ignore[arg-type]


def test_play_can_begin_at_any_state_of_the_game() -> None:
    game = SEATS[0].game()
    state = game.new_initial_state(3)
    state.apply_action(state.legal_actions()[0])
    env = NorthmenAEC(game)
    env.set_game_state(state)
    assert env.game_state() == state
    assert env.agent_selection == f"player_{state.current_player}"
    testing.traces.play(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="ended"):
        env.set_game_state(env.game_state())
    with pytest.raises(ValueError, match="State of"):
        env.set_game_state(SEATS[1].game().new_initial_state(0))


@every_seat_count
def test_pictures(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    game = case.game()
    pictures = {}
    for mode in ("human", "ansi", "rgb_array"):
        env = NorthmenAEC(game, render_mode=mode, render_seat=game.num_players - 1 if mode == "ansi" else None)
        env.reset(seed=0)
        shots = [env.render()]
        play_legally(env, 3)
        shots.append(env.render())
        pictures[mode] = shots
    assert pictures["human"] == [None, None]
    assert capsys.readouterr().out.strip()
    assert all(isinstance(text, str) for text in pictures["ansi"])
    assert pictures["ansi"][0] != pictures["ansi"][1]
    before, after = pictures["rgb_array"]
    assert before.dtype == np.uint8
    assert before.ndim == 3
    assert before.shape[2] == 3
    assert before.min() < before.max()
    assert before.shape != after.shape or (before != after).any()


def test_render_without_a_mode_warns() -> None:
    env = NorthmenAEC(SEATS[0].game())
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"mask_in": "somewhere"}, r"mask_in must be one of 'obs', 'info', 'both', not 'somewhere'"),
        ({"render_mode": "video"}, r"render_mode must be one of None, 'human'"),
        ({"render_seat": 7}, r"render_seat must be an integer from 0"),
        ({"history": 3}, r"a Game has its options already; leave out history"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        NorthmenAEC(SEATS[0].game(), **arguments)


def test_a_wrong_game_or_option_is_named() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        NorthmenAEC("chess")
    for name in nm.games():
        with pytest.raises(ValueError, match="no option 'colour'"):
            NorthmenAEC(name, colour="red")
