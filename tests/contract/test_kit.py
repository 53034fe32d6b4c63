"""The public kit finds the faults it is for, in somebody else's environment too."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.classic.tictactoe.board import TTT_GAME_NOT_OVER, TTT_TIE, Board
from pettingzoo.test.example_envs import generated_agents_env_v0

from northmen_env import testing
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.game import Game
from northmen_env.engine.state import State
from northmen_env.envs.aec import NorthmenAEC
from tiny import ask, coin


class Noughts(AECEnv):
    """Tic-tac-toe as somebody else might write it, the first player drawn by chance: none of this package in it."""

    metadata: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self.metadata = {"name": "noughts_v0", "render_modes": [], "is_parallelizable": False}
        self.possible_agents = ["player_0", "player_1"]
        box = {"observation": spaces.Box(0, 2, (9,), np.int8), "action_mask": spaces.Box(0, 1, (9,), np.int8)}
        self.observation_spaces = {agent: spaces.Dict(copy.deepcopy(box)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(9) for agent in self.possible_agents}
        self.rng = np.random.default_rng()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.board = Board()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.rng.integers(2)]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        squares = np.array(self.board.squares, np.int8)
        acting = agent == self.agent_selection and not self.terminations.get(agent, True)
        return {"observation": squares, "action_mask": ((squares == 0) & acting).astype(np.int8)}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or self.board.squares[action] != 0:
            raise ValueError(f"{agent} cannot play {action}")
        seat = self.agents.index(agent)
        self.board.play_turn(seat, action)
        status = self.board.game_status()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if status != TTT_GAME_NOT_OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            if status != TTT_TIE:
                self.rewards = {a: 1.0 if a == agent else -1.0 for a in self.agents}
        self._accumulate_rewards()
        self.agent_selection = self.agents[1 - seat]
        self._deads_step_first()


def test_a_sound_environment_of_somebody_else_passes() -> None:
    testing.check_spaces(Noughts)
    testing.check_masks(Noughts)
    testing.check_copy(Noughts)
    testing.check_dead_steps(Noughts)
    testing.check_reward_sums(Noughts)
    testing.check_aliasing(Noughts)
    testing.check_determinism(Noughts)


# -- planted faults of environments ------------------------------------------------------------------------------------


class NewSpaceEachTime(Noughts):
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(9)


class OneSpaceForAll(Noughts):
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces["player_0"]


class OutsideItsSpace(Noughts):
    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"] * 3}


class MaskForEverybody(Noughts):
    """As a well-known wrapper does: each seat is shown what is legal for the one to act."""

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return super().observe(self.agent_selection)


class MaskTooNarrow(Noughts):
    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        if seen["action_mask"].sum() > 3:
            seen["action_mask"][np.flatnonzero(seen["action_mask"])[0]] = 0
        return seen


class MaskTooWide(Noughts):
    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        if seen["action_mask"].any():
            seen["action_mask"][:] = 1
        return seen

    def step(self, action: int | None) -> None:
        if action is not None and not self.terminations[self.agent_selection] and self.board.squares[action] != 0:
            self.agent_selection = self.agents[1 - self.agents.index(self.agent_selection)]
            self.infos[self.agent_selection] = {"illegal_action": True}
            return
        super().step(action)


class TakesIllegalActions(Noughts):
    def step(self, action: int | None) -> None:
        if action is not None and not self.terminations[self.agent_selection] and self.board.squares[action] != 0:
            self.agent_selection = self.agents[1 - self.agents.index(self.agent_selection)]
            return
        super().step(action)


class CopiedByConstructor(Noughts):
    """As with EzPickle: a copy is a new environment made from the same arguments."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()


class SharesItsBoard(Noughts):
    def __deepcopy__(self, memo: dict[int, Any]) -> SharesItsBoard:
        other = copy.copy(self)
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            if name in self.__dict__:
                setattr(other, name, copy.deepcopy(self.__dict__[name]))
        return other


class SpacesStartAnew(Noughts):
    """A copy whose spaces have forgotten their seeds."""

    def __deepcopy__(self, memo: dict[int, Any]) -> SpacesStartAnew:
        other = type(self)()
        for name, value in self.__dict__.items():
            if not name.endswith("_spaces"):
                setattr(other, name, copy.deepcopy(value, memo))
        return other


class ForgetsAReward(Noughts):
    """Pays in `rewards` and does not add it up: what a seat earns in another's turn is lost."""

    def _accumulate_rewards(self) -> None:
        pass


class AcceptsAnythingAtTheEnd(Noughts):
    def _was_dead_step(self, action: Any) -> None:
        super()._was_dead_step(None)


class BothFlags(Noughts):
    def step(self, action: int | None) -> None:
        super().step(action)
        self.truncations = dict(self.terminations)


class HandsOutItsBuffer(Noughts):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.buffer = np.zeros(9, np.int8)
        super().reset(seed)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        self.buffer[:] = seen["observation"]
        return {**seen, "observation": self.buffer}


class IgnoresItsSeed(Noughts):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(5)


class DrawsAnew(Noughts):
    made = 0

    def __init__(self) -> None:
        super().__init__()
        DrawsAnew.made += 1
        self.first = DrawsAnew.made % 2  # by turns, because two real draws of so little chance are often equal

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed)
        self.agent_selection = self.agents[self.first]


class UsesTheGlobalGenerator(Noughts):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            random.seed(seed)
        super().reset(random.randrange(100))


PLANTED: list[tuple[type[Noughts], Callable[..., None], str]] = [
    (NewSpaceEachTime, testing.check_spaces, "a space of player_. is another object"),
    (OneSpaceForAll, testing.check_spaces, "two agents share a space object"),
    (OutsideItsSpace, testing.check_spaces, "outside of its space"),
    (MaskForEverybody, testing.check_masks, "is not to act and its action mask is not all zero"),
    (MaskTooNarrow, testing.check_masks, r"leaves out \d, which step accepts"),
    (MaskTooWide, testing.check_masks, r"offers action \d, which step refuses"),
    (TakesIllegalActions, testing.check_masks, r"leaves out \d, which step accepts"),
    (CopiedByConstructor, testing.check_copy, "has no attribute|differs from the original"),
    (SharesItsBoard, testing.check_copy, "changed the original"),
    (SpacesStartAnew, testing.check_copy, "differs from the original 0 steps later: .'generators'"),
    (ForgetsAReward, testing.check_reward_sums, "last reported"),
    (AcceptsAnythingAtTheEnd, testing.check_dead_steps, r"has ended, and step\(0\) is accepted"),
    (BothFlags, testing.check_dead_steps, "is both, or neither, at its end"),
    (HandsOutItsBuffer, testing.check_aliasing, "shares memory"),
    (IgnoresItsSeed, testing.check_determinism, "the seed is ignored"),
    (DrawsAnew, testing.check_determinism, "show different things"),
    (UsesTheGlobalGenerator, testing.check_determinism, "global random generator"),
]


@pytest.mark.parametrize(
    ("environment", "check", "sentence"), PLANTED, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_planted_fault_is_found_and_said(
    environment: type[Noughts], check: Callable[..., None], sentence: str
) -> None:
    with pytest.raises((AssertionError, AttributeError), match=sentence):
        check(environment)


def test_wrong_returns_are_found() -> None:
    def make() -> NorthmenAEC:
        return NorthmenAEC(Game(coin.GAME))

    with pytest.raises(AssertionError, match="its return is"):
        testing.check_reward_sums(make, returns=lambda env: env.game_state().scores())


def test_an_environment_without_a_mask_is_told_what_the_check_needs() -> None:
    with pytest.raises(AssertionError, match="needs an action mask"):
        testing.check_masks(generated_agents_env_v0.env)


# -- planted leaks -----------------------------------------------------------------------------------------------------


def views_with(leak: Callable[[State, int], Any]) -> Callable[[State, int], dict[str, Any]]:
    """Return the usual views and something that should not be there."""
    return lambda state, player: {**testing.information.seat_views(state, player), "more": leak(state, player)}


LEAKS = {
    "another hand": lambda state, player: int(state.record.coin[(player + 1) % state.game.num_players]),
    "the sum of all hands": lambda state, player: int(state.record.coin.sum()),
    "the seed": lambda state, player: int(state.record.seed),
}


@pytest.mark.parametrize("leak", LEAKS, ids=str)
def test_a_planted_leak_is_found(leak: str) -> None:
    game = Game(coin.GAME, num_players=3)
    testing.check_leak(game)
    with pytest.raises(AssertionError, match=r"at ply \d+ .* depends on what it cannot know: \['more'\]"):
        testing.check_leak(game, views=views_with(LEAKS[leak]))


def test_showing_who_is_asked_is_found_as_a_leak_between_twins() -> None:
    first, second = twins()
    testing.check_same_views(first, second, 0)
    with pytest.raises(AssertionError, match=r"player 0 can tell two states apart.*knife"):
        testing.check_same_views(first, second, 0, views=lambda state, player: {"knife": state.to_dict()["knife"]})


def twins() -> tuple[State, State]:
    """Return two states in which seat 0 is about to travel, and seat 1 holds a knife, or does not."""
    game = Game(ask.GAME, num_players=3)
    start = game.new_initial_state(1).to_dict()
    return tuple(game.state_from_dict({**start, "knife": [1, knife, 0, 0]}) for knife in (1, 0))  # type: ignore[return-value]


class CountsSteps(NorthmenAEC):
    """Tells agents how many steps there were, hidden ones too."""

    def last(self, observe: bool = True) -> Any:
        *more, info = super().last(observe)
        return *more, {**info, "step": self._steps}


def placed(state: State, make: type[NorthmenAEC] = NorthmenAEC) -> NorthmenAEC:
    env = make(state.game)
    env.set_game_state(state)
    return env


def test_a_step_counter_is_found_as_a_leak_between_games() -> None:
    first, second = twins()
    declined = [ask.LONG, ask.DECLINE, ask.LONG, ask.DECLINE, ask.LONG]
    never_asked = [ask.LONG, ask.LONG, ask.DECLINE, ask.LONG]
    testing.check_same_sequences(placed(first), declined, placed(second), never_asked, "player_2")
    with pytest.raises(AssertionError, match=r"player_2 can tell the two games apart.*step"):
        testing.check_same_sequences(
            placed(first, CountsSteps), declined, placed(second, CountsSteps), never_asked, "player_2"
        )
    with pytest.raises(AssertionError, match="no decision of player_2"):
        testing.check_same_sequences(placed(first), declined[:2], placed(second), never_asked[:1], "player_2")


# -- planted cheats of resampling --------------------------------------------------------------------------------------


def edited(state: State, change: Callable[[Any], None]) -> State:
    """Return a copy with some fields of its record changed."""
    buffer, array = new_buffer(state.game.spec.state_dtype)
    buffer[:] = state.array.tobytes()
    change(array[0])
    return State._from_record_bytes(state.game, buffer)


def keep(fields: Callable[[Any, Any, int], None]) -> Callable[[State, int, int], State]:
    """Return a sampler that puts something of the truth back into an honest sample."""
    return lambda state, player, seed: edited(
        state.resample(player, seed), lambda record: fields(record, state.record, player)
    )


def _seed_kept(record: Any, truth: Any, player: int) -> None:
    record.seed = truth.seed


def _one_hand_kept(record: Any, truth: Any, player: int) -> None:
    record.coin[(player + 1) % 3] = truth.coin[(player + 1) % 3]


def _mostly_true(record: Any, truth: Any, player: int) -> None:
    if int(record.seed) % 4 == 0:
        record.coin[:] = truth.coin


def _own_hand_lost(record: Any, truth: Any, player: int) -> None:
    record.coin[player] = 1 - truth.coin[player]


def _impossible(record: Any, truth: Any, player: int) -> None:
    record.coin[(player + 1) % 3] = 2


CHEATS: dict[str, tuple[Callable[[State, int, int], State], str]] = {
    "a clone": (lambda state, player, seed: state.clone(), "gives it away|share a generator"),
    "a clone with new chance": (
        lambda state, player, seed: edited(state, lambda record: setattr(record, "seed", seed)),
        "depends on the true state|gives it away",
    ),
    "the generator kept": (keep(_seed_kept), "share a generator of future chance"),
    "one hand kept": (keep(_one_hand_kept), "depends on the true state"),
    "the truth too often": (keep(_mostly_true), "depends on the true state"),
    "the own hand redrawn": (keep(_own_hand_lost), "shows player 0 something else"),
    "an impossible world": (keep(_impossible), "breaks an invariant|shows player"),
}


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_sampler_that_cheats_is_found(cheat: str) -> None:
    sampler, sentence = CHEATS[cheat]
    with pytest.raises(AssertionError, match=sentence):
        testing.check_resample(Game(coin.GAME, num_players=3), resample=sampler)


def test_a_sampler_that_keeps_a_hand_is_found_by_naming_what_is_hidden_if_nothing_else_can_be_trusted() -> None:
    game, sampler = Game(coin.GAME, num_players=3), keep(_one_hand_kept)

    def hidden(state: State, player: int) -> list[str]:
        return [f"coin[{p}]" for p in range(3) if p != player]

    testing.check_resample(game, hidden=hidden)
    with pytest.raises(AssertionError, match=r"no resample for player 0 differs from the truth in coin\[1\]"):
        testing.check_resample(game, resample=sampler, truths=sampler, hidden=hidden, fixed_positions=0)


def test_a_sampler_that_is_not_uniform_is_found_by_enumeration() -> None:
    game = Game(coin.GAME, num_players=3)
    state = game.new_initial_state(2)
    own = int(state.record.coin[0])
    worlds = [{**state.to_dict(), "coin": [own, a, b, 0]} for a in (0, 1) for b in (0, 1)]
    testing.check_uniform(state, 0, worlds)

    def biased(state: State, player: int, seed: int) -> State:
        other = state.resample(player, seed)
        return other if other.record.coin[1] == 0 or seed % 3 else state.resample(player, seed + 10**6)

    with pytest.raises(AssertionError, match="not uniform"):
        testing.check_uniform(state, 0, worlds, resample=biased)
    with pytest.raises(AssertionError, match="not among the worlds"):
        testing.check_uniform(state, 0, worlds[:3])


def test_a_sampler_that_changes_the_state_is_found() -> None:
    def careless(state: State, player: int, seed: int) -> State:
        other = state.resample(player, seed)
        state.record.points[0] += 1
        return other

    with pytest.raises(AssertionError, match=r"changed the state itself|something else|with one seed differ"):
        testing.check_resample(Game(coin.GAME, num_players=3), resample=careless)


def test_actions_outside_the_mask_are_drawn_where_there_are_many():
    """Each action that is tried is tried in an environment of its own, so counting those counts the actions."""

    def tried(outside: int) -> int:
        made: list[Noughts] = []

        def make() -> Noughts:
            made.append(Noughts())
            return made[-1]

        testing.check_masks(make, positions=3, outside=outside)
        return len(made)

    assert tried(1) < tried(2) < tried(9) == tried(200)
    with pytest.raises(ValueError, match="outside=0 would check nothing"):
        testing.check_masks(Noughts, outside=0)
