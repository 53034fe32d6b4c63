"""The agents at Saga: legal to the end with any number of players, repeatable, and as strong as they have to be."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

import northmen_env as nm
from northmen_agents import make_factory
from northmen_agents.arena.execute import run_here
from northmen_agents.arena.play import GameResult, Seat
from northmen_agents.arena.schedule import Schedule, agent_seed
from northmen_env.engine.view import View

FACTORIES = {
    "random": make_factory("random"),
    "heuristic": make_factory("heuristic"),
    "flat-mc-4": make_factory("flat-mc", simulations=4),
    "mcts-4": make_factory("mcts", simulations=4, reuse=True),
    "pimc-4": make_factory("pimc", simulations=4, world_simulations=2),
    "mcts-200": make_factory("mcts", simulations=200),
    "mcts-2000": make_factory("mcts", simulations=2000),
    "pimc-200": make_factory("pimc", simulations=200),
    "flat-mc-200": make_factory("flat-mc", simulations=200),
}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_legal_to_the_end_and_untouched_by_asking(players: int) -> None:
    game = nm.load("saga", num_players=players, march_order="free", final_planning=True)
    names = ["mcts-4", "flat-mc-4", "heuristic", "pimc-4"][:players]
    histories = []
    for _ in range(2):
        state = game.new_initial_state(seed=players)
        seats = [Seat(game, seat, FACTORIES[name], agent_seed(1, seat)) for seat, name in enumerate(names)]
        while not state.is_terminal():
            before = bytes(state.array.tobytes())
            action = seats[state.current_player].act(state)
            assert state.array.tobytes() == before
            state.apply_action(action)  # raises if it is illegal
        histories.append(state.to_bytes())
    assert histories[0] == histories[1]


def test_the_heuristic_knows_no_more_than_its_seat() -> None:
    game = nm.load("saga", num_players=3)
    state = game.new_initial_state(seed=11)
    agent = make_factory("heuristic")
    number = 0
    while not state.is_terminal():
        seat = state.current_player
        moves = {agent(game, seat, 5).act({}, {"view": View(state, seat, seed)}) for seed in range(4)}
        assert len(moves) == 1, "another resample of the same information set changed the move"
        state.apply_action(moves.pop() if number % 3 else state.legal_actions()[number % len(state.legal_actions())])
        number += 1


def shares(results: list[GameResult], name: str, against: str) -> tuple[float, float]:
    """Return the share of first places (shared ones in part) of the only `name` of a table, and its lower bound.

    The bound is the 2.5 % quantile of a bootstrap over deals.
    """
    deals: dict[int, list[float]] = {}
    for result in results:
        if result.agents.count(name) == 1 and result.agents.count(against) == len(result.agents) - 1:
            rank = result.ranks[result.agents.index(name)]
            deals.setdefault(result.key.deal, []).append(1.0 / result.ranks.count(1) if rank == 1 else 0.0)
    means = np.array([np.mean(values) for _, values in sorted(deals.items())])
    rng = np.random.default_rng(0)
    drawn = means[rng.integers(len(means), size=(4000, len(means)))].mean(1)
    return float(means.mean()), float(np.quantile(drawn, 0.025))


def duel(name: str, against: str, players: int, deals: int) -> tuple[float, float]:
    schedule = Schedule((name, against), players, deals, line_ups="one-against-many")
    game = nm.load("saga", num_players=players)
    jobs = (job for job in schedule if job.agents.count(name) == 1)
    return shares(list(chain.from_iterable(run_here(game, FACTORIES, jobs))), name, against)


def test_the_heuristic_beats_random_in_a_few_games() -> None:
    share, _ = duel("heuristic", "random", 2, deals=15)
    assert share > 0.7


@pytest.mark.long
@pytest.mark.parametrize(("players", "bound"), [(2, 0.80), (4, 0.60)])
def test_the_heuristic_beats_random(players: int, bound: float) -> None:
    share, low = duel("heuristic", "random", players, deals=400 // players)
    print(f"heuristic against random, {players} seats: {share:.3f}, lower 95 % bound {low:.3f}")
    assert low >= bound


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 4])
def test_flat_monte_carlo_is_not_below_the_heuristic(players: int) -> None:
    share, low = duel("flat-mc-200", "heuristic", players, deals=160 // players)
    print(f"flat-mc-200 against heuristic, {players} seats: {share:.3f}, lower 95 % bound {low:.3f}")
    assert low >= 1.0 / players
