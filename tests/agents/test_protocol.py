"""What an agent gets, what it may not touch, and that its seed decides its moves."""

from __future__ import annotations

import gc
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from coin_league import coin_game
from northmen_agents import AgentFactory, kinds, make_factory
from northmen_agents.arena.play import Seat
from northmen_agents.base import Agent, NoViewError
from northmen_env.engine.game import Game
from northmen_env.engine.state import State
from northmen_env.engine.view import View
from northmen_env.envs.opponents import NoLegalAction

KINDS = {
    "random": make_factory("random"),
    "heuristic": make_factory("heuristic"),
    "flat-mc": make_factory("flat-mc", simulations=12),
    "random flat-mc": make_factory("flat-mc", simulations=12, playout="random", value="returns"),
    "mcts": make_factory("mcts", simulations=12, reuse=True),
    "threaded mcts": make_factory("mcts", simulations=12, observer="root", playout="random", threads=2),
    "pimc": make_factory("pimc", simulations=12, world_simulations=4),
}


@pytest.fixture(params=list(KINDS))
def factory(request: pytest.FixtureRequest) -> AgentFactory:
    return KINDS[request.param]


def seats_of(game: Game, factory: AgentFactory, seed: int) -> list[Seat]:
    return [Seat(game, seat, factory, seed + seat) for seat in range(game.num_players)]


def moves(game: Game, factory: AgentFactory, game_seed: int, agent_seed: int) -> list[int]:
    state, seats, made = game.new_initial_state(seed=game_seed), seats_of(game, factory, agent_seed), []
    while not state.is_terminal():
        before = state.to_bytes()
        action = seats[state.current_player].act(state)
        assert state.to_bytes() == before, "asking an agent changed the game"
        assert action in state.legal_actions()
        state.apply_action(action)
        made.append(action)
    return made


def test_all_kinds_keep_the_protocol(factory: AgentFactory) -> None:
    agent = factory(coin_game(3), 2, 5)
    assert isinstance(agent, Agent)
    assert type(agent).needs_view in (True, False)
    assert factory.kind in kinds()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_legal_to_the_end_and_untouched_by_asking(factory: AgentFactory, players: int) -> None:
    for seed in range(5):
        assert moves(coin_game(players), factory, seed, 100 + seed)


def test_the_same_seed_plays_the_same_game_and_another_seed_another(factory: AgentFactory) -> None:
    game = coin_game(4)
    first = [moves(game, factory, seed, 7) for seed in range(4)]
    assert first == [moves(game, factory, seed, 7) for seed in range(4)]
    if factory.kind != "heuristic":
        assert first != [moves(game, factory, seed, 8) for seed in range(4)]


def test_a_factory_makes_a_new_object_for_each_seat_and_game(factory: AgentFactory) -> None:
    game = coin_game(3)
    agents = [seat.agent for _ in range(2) for seat in seats_of(game, factory, 0)]
    assert len({id(agent) for agent in agents}) == 6


class Recorder:
    """An agent that keeps all it was ever given."""

    needs_view = True

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.given: list[Any] = []

    def act(self, observation: Any, info: Any) -> int:
        self.given.append((observation, info))
        return int(np.flatnonzero(observation["action_mask"])[0])


def reachable(root: Any) -> list[Any]:
    """Return every object that references lead to from `root`; modules and classes lead everywhere and are left out."""
    seen, todo = {}, [root]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, (ModuleType, type)):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, np.ndarray) and thing.base is not None:
            todo.append(thing.base)
        todo += gc.get_referents(thing) if not callable(thing) else []
    return list(seen.values())


@pytest.mark.parametrize("kind", ["recorder", "flat-mc", "mcts", "threaded mcts", "pimc"])
def test_no_reference_leads_from_an_agent_to_the_true_state(kind: str) -> None:
    game = coin_game(3)
    state = game.new_initial_state(seed=3)
    seats = [Seat(game, seat, KINDS.get(kind, Recorder), 50 + seat) for seat in range(3)]
    while not state.is_terminal():
        state.apply_action(seats[state.current_player].act(state))
        for seat in seats:
            things = reachable(seat.agent)
            assert not any(thing is state or thing is state._buffer or thing is state.array for thing in things)
            arrays = [thing for thing in things if isinstance(thing, np.ndarray)]
            records = [thing.array for thing in things if isinstance(thing, State)]
            records += [array for array in arrays if array.dtype == state.array.dtype]
            assert all(state.record.seed not in array["seed"] for array in records)
            assert not any(np.may_share_memory(array, state.array) for array in arrays)
            assert kind == "recorder" or len(arrays) > 4
    assert kind != "recorder" or any(seat.agent.given for seat in seats)


def test_views_are_bound_to_the_seat_and_exist_at_its_own_decisions_only() -> None:
    game = coin_game(3)
    state = game.new_initial_state(seed=3)
    seats = [Seat(game, seat, Recorder, 50 + seat) for seat in range(3)]
    while not state.is_terminal():
        player = state.current_player
        other = (player + 1) % 3
        with pytest.raises(ValueError, match="not to act"):
            View(state, other, 0)
        seats[player].act(state)
        observation, info = seats[player].agent.given[-1]
        assert set(info) == {"view"}
        assert info["view"].player == player
        sample = info["view"].sample(1)
        np.testing.assert_array_equal(sample.observation(player), observation["observation"])
        state.apply_action(state.legal_actions()[-1])


def test_an_agent_without_a_view_gets_nothing_but_its_observation() -> None:
    class Plain(Recorder):
        needs_view = False

    game = coin_game(2)
    state = game.new_initial_state(seed=0)
    seat = Seat(game, state.current_player, Plain, 0)
    seat.act(state)
    observation, info = seat.agent.given[0]
    assert info == {}
    assert set(observation) == {"observation", "action_mask"}


@pytest.mark.parametrize("kind", ["heuristic", "flat-mc", "mcts", "pimc"])
def test_who_is_asked_without_the_view_it_needs_says_how_to_make_one(kind: str) -> None:
    game = coin_game(2)
    state = game.new_initial_state(seed=0)
    player = state.current_player
    seen = {"observation": state.observation(player), "action_mask": state.legal_action_mask()}
    agent = make_factory(kind)(game, player, 0)
    with pytest.raises(NoViewError, match=r"^this agent has needs_view = True, .* View\(state, state.current_player"):
        agent.act(seen, {})
    assert agent.act(seen, {"view": View(state, player, 1)}) in state.legal_actions()


@pytest.mark.parametrize("kind", ["heuristic", "flat-mc", "mcts", "pimc"])
def test_the_view_of_another_seat_is_refused(kind: str) -> None:
    game = coin_game(3)
    state = game.new_initial_state(seed=0)
    player = state.current_player
    agent = make_factory(kind)(game, (player + 1) % 3, 0)
    seen = {"observation": state.observation(player), "action_mask": state.legal_action_mask()}
    with pytest.raises(ValueError, match=f"this agent has seat {(player + 1) % 3}, but the view is of seat {player}"):
        agent.act(seen, {"view": View(state, player, 1)})


def test_an_all_zero_mask_is_refused() -> None:
    game = coin_game(2)
    agent = make_factory("random")(game, 0, 0)
    mask = np.zeros(game.num_actions, np.int8)
    with pytest.raises(NoLegalAction, match="all zero"):
        agent.act({"observation": np.zeros(game.observation_size, np.float32), "action_mask": mask}, {})


@pytest.mark.parametrize("playout", ["suggest", "random"])
@pytest.mark.parametrize("value", ["returns", "returns+evaluate"])
def test_flat_monte_carlo_spends_its_simulations_and_prefers_the_better_action(playout: str, value: str) -> None:
    game = coin_game(2)
    state = game.new_initial_state(seed=0)
    while len(state.legal_actions()) != 3:  # claims first, then guesses of 0, 1 or 2 heads
        state.apply_action(state.legal_actions()[0])
    player = state.current_player
    agent = make_factory("flat-mc", simulations=3000, playout=playout, value=value)(game, player, 1)
    means = agent.evaluate(View(state, player, 1))
    assert sorted(means) == state.legal_actions()
    assert agent._visits[:3].sum() == 3000
    one_head = state.legal_actions()[1]
    own = int(state.record.coin[player])
    impossible = state.legal_actions()[0 if own else 2]
    assert max(means, key=lambda action: means[action]) == one_head or means[one_head] > means[impossible]
    assert means[impossible] == min(means.values())


def test_flat_monte_carlo_with_fewer_simulations_than_actions_plays_a_tried_one() -> None:
    game = coin_game(4)
    assert moves(game, make_factory("flat-mc", simulations=1), 0, 0)


@pytest.mark.parametrize(
    ("kind", "parameters", "sentence"),
    [
        ("oracle", {}, "there is no kind of agent 'oracle'; the kinds are: "),
        ("random", {"simulations": 3}, "has no parameter 'simulations'; its parameters are: none"),
        (
            "flat-mc",
            {"simulation": 3},
            "has no parameter 'simulation'; its parameters are: simulations, playout, value",
        ),
        ("flat-mc", {"simulations": 0}, "parameter 'simulations' of the kind of agent 'flat-mc' cannot be 0"),
        ("flat-mc", {"simulations": "many"}, "cannot be 'many'"),
        ("flat-mc", {"simulations": 2.5}, "cannot be 2.5"),
        ("flat-mc", {"playout": "clever"}, "parameter 'playout' of the kind of agent 'flat-mc' cannot be 'clever'"),
    ],
)
def test_wrong_kinds_and_parameters_are_refused_in_a_sentence(
    kind: str, parameters: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError) as caught:
        make_factory(kind, **parameters)
    assert sentence in str(caught.value)
