"""Opponents that a batch asks about many games at once play the games that agents play one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from northmen_agents import make_factory
from northmen_agents.random_agent import RandomAgent
from northmen_env.engine.game import Game
from northmen_env.engine.opponents import ASKED
from northmen_env.engine.view import View
from northmen_env.envs.learners import NorthmenSyncVectorEnv, NorthmenVectorEnv, OneByOne
from northmen_env.envs.vector import make_vector
from tiny import ask, coin

GAMES = {
    f"{spec.name}-{n}-{'dense' if dense else 'sparse'}": Game(spec, num_players=n, dense=dense)
    for spec in (coin.GAME, ask.GAME)
    for n in (2, 3, 4)
    for dense in (False, True)
}


class Alone:
    """A factory of random agents, which have to be asked one by one."""

    def __call__(self, game: Game, seat: int, seed: int) -> RandomAgent:
        return RandomAgent(game, seat, seed)


class Together(Alone):
    """The same, with a policy."""

    def __init__(self, illegal: bool = False) -> None:
        self.illegal = illegal
        self.rows: list[int] = []

    def many(self, game: Game) -> Together:
        return self

    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.rows.append(len(keys))
        assert observations.shape[0] == masks.shape[0] == len(keys)
        if self.illegal:
            return masks.argmin(axis=1)
        ids = [np.flatnonzero(mask) for mask in masks]
        return np.array([own[(key * own.size) >> 64] for own, key in zip(ids, keys.tolist())])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_says_what_the_heuristic_would_do_for_each_learner(threads: int) -> None:
    envs = NorthmenVectorEnv(
        [Game(coin.GAME, num_players=n) for n in (2, 3)], 6, "random", "random", num_threads=threads
    )
    with pytest.raises(ResetNeeded, match="suggestions"):
        envs.suggestions(np.zeros(6, np.uint64))
    _, info = envs.reset(seed=5)
    with pytest.raises(ValueError, match="one for each env"):
        envs.suggestions(np.zeros(5, np.uint64))
    for step in range(12):
        keys = np.arange(6, dtype=np.uint64) + np.uint64(100 * step)
        before = envs.get_state()
        found = envs.suggestions(keys)
        assert envs.get_state() == before
        for i in range(6):
            view = View(envs.game_state(i), int(info["player"][i]), 0)
            assert found[i] == view.suggest(int(keys[i]))
        *_, info = envs.step(found)


def compare(first: Any, second: Any, steps: int = 60) -> int:
    """Step both with the same actions and compare everything; return how many games ended."""
    (seen, _), (other, _) = first.reset(seed=3), second.reset(seed=3)
    rng, games = np.random.default_rng(1), 0
    for _ in range(steps):
        assert np.array_equal(seen["observation"], other["observation"])
        assert np.array_equal(seen["action_mask"], other["action_mask"])
        actions = (seen["action_mask"] * rng.random(seen["action_mask"].shape)).argmax(axis=1)
        seen, rewards, ended, _, info = first.step(actions)
        other, expected, over, _, told = second.step(actions)
        assert np.array_equal(rewards, expected) and np.array_equal(ended, over)
        for i in np.flatnonzero(ended).tolist():
            assert np.array_equal(info["final_obs"][i]["observation"], told["final_obs"][i]["observation"])
            n = first.games[0].num_players
            assert np.array_equal(info["final_info"]["returns"][i][:n], told["final_info"]["returns"][i][:n])
            games += 1
    return games


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("mixed", [False, True])
def test_a_policy_plays_as_the_agents_would(name: str, mixed: bool) -> None:
    game, policy = GAMES[name], Together()
    more: list[Any] = ["heuristic" if mixed else policy] * (game.num_players - 2)
    batch = make_vector(game, 5, seat="random", opponents=[policy, *more])
    singles = make_vector(game, 5, seat="random", opponents=[Alone(), *(each if mixed else Alone() for each in more)])
    assert isinstance(batch, NorthmenVectorEnv) and isinstance(singles, NorthmenSyncVectorEnv)
    assert compare(batch, singles) > 5
    assert max(policy.rows) > 1, "it was asked about several games at once"
    assert len(batch.policies) == 1


@pytest.mark.parametrize("name", ["coin-3-sparse", "ask-3-dense"])
def test_agents_without_a_policy_can_be_asked_one_by_one(name: str) -> None:
    """What a training does with opponents that search; their views are the ones of the Gymnasium form."""
    game, factory = GAMES[name], make_factory("flat-mc", simulations=4)
    batch = NorthmenVectorEnv([game], 3, "random", "random")
    batch.learners.kinds[:] = ASKED
    batch.policies = [OneByOne(factory)]
    assert compare(batch, make_vector(game, 3, seat="random", opponents=factory), steps=30) > 2


def test_an_illegal_action_of_a_policy_ends_the_game_as_the_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("northmen_env.engine.batch.MOST_SKIPPED", 20)
    game = GAMES["coin-3-sparse"]
    batch = make_vector(game, 4, seat=2, opponents=Together(illegal=True))
    with pytest.raises(RuntimeError, match="games in a row ended before the learner was asked"):
        batch.reset(seed=1)
    late = make_vector(game, 4, seat=0, opponents=Together(illegal=True))
    late.reset(seed=1)
    _, rewards, ended, _, info = late.step(late.action_masks().argmax(axis=1))
    assert ended.all() and rewards == pytest.approx(np.full(4, 0.5))
    assert not info["final_info"]["illegal_action"].any()


def test_the_forms_say_who_cannot_be_asked() -> None:
    game = GAMES["coin-2-sparse"]
    with pytest.raises(ValueError, match="agents without a policy for batches"):
        NorthmenVectorEnv([game], 2, 0, Alone())
    none: Callable[..., Any] = type("None_", (Alone,), {"many": lambda self, game: None})()
    assert isinstance(make_vector(game, 2, seat=0, opponents=none), NorthmenSyncVectorEnv)
