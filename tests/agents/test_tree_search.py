"""Tree search on games small enough to know the answer: hidden information, forced moves, values, budgets, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from omegaconf import OmegaConf
from pydantic import ValidationError

from northmen_agents import make_factory, tree_search
from northmen_agents.config import configs_folder
from northmen_agents.kinds import Preset, mcts_200, mcts_2000, pimc_200
from northmen_agents.mcts import MCTSAgent, MCTSParameters
from northmen_agents.tree_search import Searcher, SearchResult
from northmen_env.engine.game import Game
from northmen_env.engine.playout import UNLIMITED
from northmen_env.engine.search.keys import hash_constants, observation_key
from northmen_env.engine.search.tree import add_edge, add_node, find_node, keep_subtree, new_tree
from northmen_env.engine.search.workspace import ACTING, Settings
from northmen_env.engine.view import View
from tiny import coin, puzzles
from tiny.extensive import GAMBLE, HEADS, PUZZLES, SAFE, TAILS, Options, load

TESTS = Path(__file__).resolve().parents[1]
EXACT = {"value": "returns", "playout": "random", "widening": 0.0}


def searched(game: Game, kind: str = "mcts", seed: int = 1, **parameters: Any) -> SearchResult:
    """Return the search of the first decision of a game."""
    return agent_of(game, kind, seed, **parameters).search(first_view(game))


def agent_of(game: Game, kind: str = "mcts", seed: int = 1, **parameters: Any) -> Any:
    return make_factory(kind, **{**EXACT, **parameters})(game, game.new_initial_state(0).current_player, seed)


def first_view(game: Game) -> View:
    state = game.new_initial_state(0)
    return View(state, state.current_player, 3)


# Hidden information -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", ["guess the coin", "safe or gamble"])
@pytest.mark.parametrize("observer", ["acting", "root"])
@pytest.mark.parametrize("playout", ["random", "suggest"])
def test_a_tree_of_information_sets_takes_the_safe_move(puzzle: str, observer: str, playout: str) -> None:
    for seed in range(5):
        result = searched(load(puzzle), seed=seed, simulations=1000, observer=observer, playout=playout)
        assert result.action == SAFE
        assert result.visits.sum() == result.simulations == 1000
        assert result.values[SAFE] == pytest.approx([0.5, -0.5])
        assert result.values[GAMBLE, 0] < 0.45


@pytest.mark.parametrize("puzzle", ["guess the coin", "safe or gamble"])
def test_a_searcher_of_single_worlds_gambles(puzzle: str) -> None:
    """It believes that it will know the coin when it has to name it: strategy fusion."""
    for seed in range(5):
        result = searched(load(puzzle), "pimc", seed, simulations=2000, world_simulations=200, exploration=1.4)
        assert result.action == GAMBLE
        assert result.values[GAMBLE, 0] > 0.8


def test_a_coin_that_is_not_seen_is_guessed_at_even_odds() -> None:
    game = load("guess the coin")
    agent = agent_of(game, simulations=2000, exploration=2.0)
    view = first_view(game)
    agent.search(view)
    for seed in range(4):
        state = view.sample(seed)
        state.apply_action(GAMBLE)
        guess = agent.searcher.node(state)
        assert guess is not None
        assert guess.actions.tolist() == [HEADS, TAILS]
        assert abs(guess.value[0]) < 0.25
        state.apply_action(HEADS)
        assert agent.searcher.node(state) is None  # the end is no node


def test_the_seat_that_sees_the_coin_has_a_node_for_each_side_and_the_root_observer_one_for_both() -> None:
    game = load("safe or gamble")
    view = first_view(game)
    for observer, nodes in (("acting", 4), ("root", 3)):
        assert searched(game, simulations=500, observer=observer, exploration=2.0).nodes == nodes
    agent = agent_of(game, simulations=500, exploration=2.0)
    agent.search(view)
    seen = []
    for seed in range(20):
        state = view.sample(seed)
        state.apply_action(GAMBLE)
        found = agent.searcher.node(state)
        seen.append((int(state.record.world), tuple(found.visits.tolist())))
    assert len(set(seen)) == 2


def test_actions_that_are_not_always_legal_compete_by_their_availability() -> None:
    """Seat 1's best answer exists in half of the worlds, and is taken in nearly all of those."""
    game = load("sometimes")
    agent = agent_of(game, simulations=4000, observer="root", exploration=0.5)
    view = first_view(game)
    agent.search(view)
    state = next(s for s in map(view.sample, range(50)) if s.record.world == 0)
    state.apply_action(1)
    answers = agent.searcher.node(state)
    tree = agent.searcher._workers[0].tree
    edges = tree.edges[: tree.used[1]]
    third = edges[edges["action"] == 2][0]
    others = edges[(edges["action"] < 2) & (edges["total"][:, 0] > 0)]
    assert answers.actions.tolist() == [0, 1, 2]
    assert 0.4 < third["available"] / others["available"].max() < 0.6
    assert third["visits"] / third["available"] > 0.8


# Forced moves and values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "players", "seat"),
    [(kind, n, seat) for kind, positions in puzzles.ROWS.items() for n in positions for seat in range(n)],
)
def test_forced_wins_and_blocks_are_found_for_each_seat(kind: str, players: int, seat: int) -> None:
    game = load(kind, players, seat)
    right = puzzles.ROWS[kind][players][1]
    for backup in ("max-n", "paranoid"):
        result = searched(game, simulations=1500, backup=backup)
        assert result.seat == seat
        assert result.action in right, f"{backup}: {dict(zip(result.actions, result.visits))}"
    assert searched(game, "pimc", simulations=1500, world_simulations=750).action in right


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(5))
def test_the_values_are_those_of_exhaustive_max_n(players: int, number: int) -> None:
    """The line of most visits ends where all seats' best play ends, with its values exactly; the mean comes close."""
    tables = PUZZLES["random tree"](Options(num_players=players, number=number))
    exact = puzzles.max_n(tables)
    game = load("random tree", players, number)
    agent = agent_of(game, simulations=10_000, exploration=2.0)
    view = first_view(game)
    state, found = view.sample(0), agent.search(view)
    assert found.value == pytest.approx(exact, abs=0.1)
    while not state.is_terminal():
        found = agent.searcher.node(state)
        state.apply_action(found.action)
    assert tuple(state.returns()) == exact
    assert tuple(found.values[list(found.actions).index(found.action)]) == pytest.approx(exact)


def test_partners_share_what_they_win() -> None:
    game = load("partners", 4)
    assert game.teams == ((0, 2), (1, 3))
    for backup in ("max-n", "paranoid"):
        result = searched(game, backup=backup)
        assert result.action == 1
        assert result.values[1].tolist() == [0.5, -0.5, 0.5, -0.5]


def test_a_paranoid_search_trusts_nobody() -> None:
    game = load("trust", 3)
    assert searched(game, simulations=500, backup="max-n").action == 1
    result = searched(game, simulations=500, backup="paranoid")
    assert result.action == 0
    assert result.values[1].tolist() == pytest.approx((result.values[1, 0] * np.array([1, -1, -1])).tolist())


# Budgets, threads, memory -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mcts", "pimc"])
def test_there_may_be_more_threads_than_simulations(kind: str) -> None:
    game = load("win", 2)
    agent = make_factory(kind, simulations=2, threads=4)(game, 0, 1)
    for _ in range(2):  # the second search finds what the first left
        result = agent.search(first_view(game))
        assert result.simulations == result.visits.sum() == 2


def test_time_is_limited_whatever_a_simulation_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock of our own: a piece of work takes 5 ms at most, and the search ends with the piece that is late."""
    for cost in (1e-6, 1e-3, 0.02):
        now, pieces = [0.0], []
        monkeypatch.setattr(tree_search, "perf_counter", lambda now=now: now[0])

        def run(first: int, count: int, cost: float = cost, now: list[float] = now, pieces: list[int] = pieces) -> None:
            assert first == sum(pieces)
            pieces.append(count)
            now[0] += count * cost

        tree_search._until(run, 0.1)
        assert 0.1 <= now[0] <= 0.1 + max(0.006, cost)
        assert sum(pieces) >= 0.09 / cost
        assert len(pieces) < 60


@pytest.mark.parametrize("kind", ["mcts", "pimc"])
def test_a_time_limit_holds_by_the_clock(kind: str) -> None:
    game = load("win", 2)
    agent = agent_of(game, kind, seconds=0.05)
    agent.search(first_view(game))
    begun = time.perf_counter()
    result = agent.search(first_view(game))
    assert 0.05 <= time.perf_counter() - begun < 2.0  # other processes may take the processor in between
    assert result.simulations > 100
    assert result.action == 2


@pytest.mark.parametrize("kind", ["mcts", "pimc"])
def test_threads_share_the_simulations_and_give_the_same_result_each_time(kind: str) -> None:
    game = load("block", 3)
    results = [searched(game, kind, threads=3, simulations=1000) for _ in range(3)]
    for result in results:
        assert result.simulations == result.visits.sum() == 1000
        assert result.visits.tolist() == results[0].visits.tolist()
        assert result.values.tolist() == results[0].values.tolist()
    one = searched(game, kind, simulations=1000)
    assert one.simulations == 1000
    assert one.visits.tolist() != results[0].visits.tolist()
    assert one.action == results[0].action == 2


def test_memory_is_bounded_and_a_full_tree_goes_on_without_new_nodes() -> None:
    game = load("win", 2)
    agent = agent_of(game, simulations=3000, nodes=7)
    memory = agent.searcher.memory
    result = agent.search(first_view(game))
    assert (result.nodes, result.simulations, result.action) == (7, 3000, 2)
    assert agent.searcher.memory == memory
    tree = agent.searcher._workers[0].tree
    assert tree.used[1] <= 14
    large = agent_of(game, simulations=10_000_000)
    per_node = (large.searcher.memory - memory) / (tree_search.MOST_NODES - 7)
    assert 150 < per_node < 250
    assert agent_of(game, seconds=1.0).searcher.memory == large.searcher.memory


def test_one_simulation_is_enough_for_a_move() -> None:
    for kind in ("mcts", "pimc"):
        result = searched(load("win", 4), kind, simulations=1)
        assert result.visits.tolist() == [1]
        assert result.action in (2, 5)


def test_most_visits_win_then_the_better_mean_then_the_smaller_number() -> None:
    def result(visits: list[int], means: list[float]) -> SearchResult:
        values = np.stack([-np.array(means), np.array(means)], axis=1)
        return SearchResult(1, np.array([3, 5, 8]), np.array(visits), values, 1, 1, 1, 1)

    assert result([4, 9, 8], [1.0, 0.0, 0.5]).action == 5
    assert result([4, 9, 9], [1.0, 0.0, 0.5]).action == 8
    assert result([9, 9, 9], [0.5, 0.0, 0.5]).action == 3
    assert result([1, 2, 1], [0.0, 1.0, 0.0]).value.tolist() == [-0.5, 0.5]


# Cut-off playouts, widening, reuse ----------------------------------------------------------------------------------


def test_a_playout_that_is_cut_off_is_estimated() -> None:
    """The estimate of these games is 0 before the end, so that a playout of no decision knows nothing."""
    game = load("fork", 2)
    for limit, decisions in ((0, 1), (1, 2)):
        result = searched(game, simulations=5, playout_decisions=limit)
        assert result.decisions == 5 * decisions
        assert not result.values.any()
    assert searched(game, simulations=2000, playout_decisions=0).action in {3, 6}
    half = searched(load("guess the coin"), simulations=50, value="returns+evaluate")
    assert half.values[SAFE] == pytest.approx([0.5, -0.5])  # the mean of two equal numbers


def test_widening_lets_a_node_have_more_actions_the_more_often_it_is_visited() -> None:
    """At the root all actions are tried: 5 here; behind each of them another seat has 4."""
    game = load("fork", 2)
    view = first_view(game)
    for parameters, width in (
        ({"widening": 1.0, "widening_exponent": 0.5}, lambda visits: int(visits**0.5)),
        ({"widening": 1.0, "widening_exponent": 0.0}, lambda visits: 1),
        ({"widening": 0.0}, lambda visits: visits),
    ):
        agent = agent_of(game, simulations=40, **parameters)
        assert len(agent.search(view).actions) == 5
        checked = 0
        for action in view.legal_actions():
            state = view.sample(0)
            state.apply_action(action)
            node = agent.searcher.node(state)
            if node is not None:
                checked += 1
                visits = int(node.visits.sum())
                assert len(node.actions) == min(max(width(visits), 1), 4)
        assert checked >= 3


def test_a_tree_that_is_kept_knows_the_next_decision() -> None:
    game = load("fork", 2)
    state = game.new_initial_state(0)
    for reuse in (True, False):
        agent = agent_of(game, simulations=600, reuse=reuse)
        agent.search(View(state, 0, 1))
        later = state.clone()
        later.apply_action(3)
        later.apply_action(5)
        before = agent.searcher.node(later)
        nodes = agent.searcher._workers[0].tree.used[0]
        result = agent.search(View(later, 0, 1))
        assert result.simulations == 600
        assert result.visits.sum() == 600 + (before.visits.sum() if reuse else 0)
        assert result.action == 6
        assert result.nodes < nodes
    assert before.visits.sum() >= 4


def test_keeping_a_subtree_loses_nothing_of_it() -> None:
    """A tree with a chain 0 - 1 - 2 and branches, entered by hand: below node 1 all stays, the rest goes."""
    tree = new_tree(8, 16, 2)
    parents = {10: None, 11: 10, 12: 10, 13: 11, 14: 12, 15: 13}
    for key, parent in parents.items():
        number = add_node(tree, np.uint64(key), -1 if parent is None else find_node(tree, np.uint64(parent)), key % 2)
        for action in range(key % 3 + 1):
            edge = add_edge(tree, number, action, 0.5)
            tree.edges["visits"][edge] = 100 * key + action
    assert keep_subtree(tree, np.uint64(11), np.zeros(8, np.int32)) == 3
    assert tree.used.tolist() == [3, 3 + 2 + 1]
    for key in (10, 12, 14):
        assert find_node(tree, np.uint64(key)) == -1
    for key in (11, 13, 15):
        number, visits = find_node(tree, np.uint64(key)), []
        e = tree.nodes["first"][number]
        while e >= 0:
            visits.append(int(tree.edges["visits"][e]))
            e = tree.edges["next"][e]
        assert visits == [100 * key + action for action in range(key % 3 + 1)]
    assert tree.nodes["parent"][:3].tolist() == [-1, 0, 1]
    assert keep_subtree(tree, np.uint64(99), np.zeros(8, np.int32)) == 0
    assert tree.used.tolist() == [0, 0]
    assert not tree.table.any()


# Networks -----------------------------------------------------------------------------------------------------------


class Told(MCTSAgent):
    """An agent whose network is a function, and which keeps what it was asked."""

    answer: Any
    asked: list[tuple[np.ndarray, np.ndarray]]

    def network(self) -> Any:
        self.asked = []

        def evaluate(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            self.asked.append((observations.copy(), masks.copy()))
            return type(self).answer(observations, masks)

        return evaluate


def told(answer: Any, game: Game, **parameters: Any) -> Told:
    kind = type("Told", (Told,), {"answer": staticmethod(answer)})
    return kind(game, game.new_initial_state(0).current_player, 1, **{**EXACT, **parameters})


def even(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return equal probabilities, illegal actions too, and values of 0."""
    return np.ones(masks.shape), np.zeros(len(masks))


def test_a_network_replaces_playouts_and_is_asked_in_batches() -> None:
    game = load("fork", 2)
    agent = told(even, game, simulations=800, batch=8, exploration=1.0)
    result = agent.search(first_view(game))
    assert result.simulations == result.visits.sum() == 800
    assert result.action in {3, 6}
    sizes = [len(masks) for _, masks in agent.asked]
    assert sizes[0] == 1  # the root by itself
    assert 1 < max(sizes) <= 8
    tree = agent.searcher._workers[0].tree
    assert not tree.edges["pending"].any()
    observation = game.new_initial_state(0).observation(0)
    assert agent.asked[0][0][0].tolist() == observation.tolist()
    assert agent.asked[0][1][0].tolist() == game.new_initial_state(0).legal_action_mask().tolist()
    assert all(masks.sum(axis=1).min() >= 1 for _, masks in agent.asked)


def test_a_network_that_departs_from_the_heuristic_is_told_what_that_would_do() -> None:
    game, asked = load("fork", 2), []

    class Residual:
        needs_suggestion = True

        def __call__(
            self, observations: np.ndarray, masks: np.ndarray, suggestions: np.ndarray
        ) -> tuple[np.ndarray, np.ndarray]:
            asked.append((masks.copy(), suggestions.copy()))
            return np.ones(masks.shape), np.zeros(len(masks))

    agent = told(None, game, simulations=40, batch=4)
    agent.searcher.network = Residual()
    view = first_view(game)
    agent.search(view)
    assert asked[0][1].tolist() == [view.suggest(0)]
    for masks, suggestions in asked:
        assert suggestions.shape == (len(masks),) and masks[np.arange(len(masks)), suggestions].all()
    assert len({action for _, suggestions in asked for action in suggestions.tolist()}) > 1


def test_probabilities_lead_the_search_and_illegal_ones_are_masked() -> None:
    game = load("win", 2)

    def leaning(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        priors = np.full(masks.shape, 0.01)
        priors[:, 0] = 50.0  # taken already
        priors[:, 8] = 1.0
        return priors, np.zeros(len(masks))

    agent = told(leaning, game, simulations=12, batch=1, exploration=50.0)
    result = agent.search(first_view(game))
    assert result.action == 8
    tree = agent.searcher._workers[0].tree
    root = tree.edges[: game.new_initial_state(0).legal_action_mask().sum()]
    assert root["prior"].sum() == pytest.approx(1.0)
    assert set(root["action"].tolist()) == {2, 5, 6, 7, 8}


def test_a_value_is_that_of_the_seat_to_act_and_the_others_share_the_opposite() -> None:
    game = load("block", 3, 1)

    def one(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(masks.shape), np.full(len(masks), 0.6)

    def all_seats(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(masks.shape), np.tile([0.6, -0.1, -0.5], (len(masks), 1))

    # Each simulation but the first ends at a new node, where seat 2 is to act.
    assert told(one, game, simulations=1, batch=1).search(first_view(game)).value == pytest.approx([-0.3, -0.3, 0.6])
    result = told(all_seats, game, simulations=1, batch=1).search(first_view(game))
    assert result.value == pytest.approx([-0.1, -0.5, 0.6])


@pytest.mark.parametrize(
    "answer",
    [
        lambda seen, masks: (np.ones(masks.shape), np.zeros((len(masks), 1))),
        lambda seen, masks: (np.ones(masks.shape), np.zeros((len(masks), 3))),
        lambda seen, masks: (np.ones((len(masks), 1)), np.zeros(len(masks))),
        lambda seen, masks: (np.ones(masks.shape), np.float64(0.0)),
    ],
)
def test_answers_of_another_shape_are_refused(answer: Any) -> None:
    """Values (B, 1), as many value heads give them, are no values by seat."""
    game = load("fork", 2)
    with pytest.raises(ValueError, match=r"the network gave .* and values .*: for 1 observations"):
        told(answer, game, simulations=10).search(first_view(game))


def test_a_network_can_be_limited_by_time() -> None:
    game = load("win", 2)
    result = told(even, game, seconds=0.02).search(first_view(game))
    assert result.action == 2


# What cannot be used ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"simulations": 5, "seconds": 1.0}, "not both"),
        ({"simulations": None}, "without either a search has no end"),
        ({"simulations": 0}, "greater than or equal to 1"),
        ({"seconds": 0.0}, "greater than 0"),
        ({"playout": "clever"}, "'random' or 'suggest'"),
        ({"backup": "minimax"}, "'max-n' or 'paranoid'"),
        ({"observer": "all"}, "'acting' or 'root'"),
        ({"exploration": -1.0}, "greater than or equal to 0"),
    ],
)
def test_wrong_parameters_are_refused_in_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_factory("mcts", **parameters)


def test_seconds_take_the_place_of_simulations() -> None:
    assert MCTSParameters(seconds=0.5).simulations is None
    assert make_factory("pimc", seconds=2).parameters["simulations"] is None
    again = make_factory("mcts", **make_factory("mcts", seconds=2).parameters)
    assert again.parameters["seconds"] == 2.0
    with pytest.raises(ValidationError):
        MCTSParameters(seconds=1.0, simulations=200)


def test_a_searcher_refuses_what_does_not_fit_together() -> None:
    game = load("win", 2)
    how = Settings(0, ACTING, 1, 0.7, 0.0, 0.5, 0, 0, UNLIMITED, 0, 0)
    for more, sentence in (
        ({"network": even}, "settings.network must be 1"),
        ({"seconds": 1.0}, "and not both"),
        ({"simulations": None}, "and not both"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Searcher(game, how, **more)
    with pytest.raises(ValueError, match="by one thread"):
        Searcher(game, how._replace(network=1), network=even, threads=2)


# The same everywhere ------------------------------------------------------------------------------------------------


def test_keys_tell_observations_and_seats_apart() -> None:
    constants = hash_constants(6)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (200, 6)).astype(np.float32)
    distinct = {row.tobytes() for row in rows}
    keys = {observation_key(row.view(np.uint32), constants, seat) for row in rows for seat in range(3)}
    assert len(keys) == 3 * len(distinct)
    assert all(0 <= key < 2**64 for key in keys)


SHOWN = "import json, sys; sys.path.insert(0, {tests!r}); from tiny.puzzles import shown; print(json.dumps(shown()))"


def test_searches_are_the_same_without_the_jit() -> None:
    code = SHOWN.format(tests=str(TESTS))
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == puzzles.shown()


@pytest.mark.parametrize("kind", ["mcts", "pimc", "flat-mc", "heuristic", "random"])
def test_the_configuration_of_a_kind_names_all_its_parameters_with_their_defaults(kind: str) -> None:
    written = OmegaConf.to_container(OmegaConf.load(configs_folder() / "agent" / f"{kind}.yaml"))
    assert written == {"kind": kind, **make_factory(kind).parameters}


def test_a_preset_has_the_version_of_its_kind() -> None:
    preset = Preset("mcts", simulations=7)
    agent = preset(load("win", 2), 0, 1)
    assert isinstance(agent, MCTSAgent)
    assert agent.parameters.simulations == 7
    assert preset.version == MCTSAgent.version
    for made, kind, simulations in ((mcts_200, "mcts", 200), (mcts_2000, "mcts", 2000), (pimc_200, "pimc", 200)):
        assert (made.kind, made.parameters) == (kind, {"simulations": simulations})


def test_a_tree_without_room_still_compares_all_actions_of_the_root() -> None:
    game = Game(coin.GAME, num_players=3)
    state = game.new_initial_state(seed=4)
    while len(state.legal_actions()) < 3:
        state.apply_action(state.legal_actions()[0])
    seat = state.current_player
    agent = make_factory("mcts", simulations=50, nodes=1)(game, seat, 3)
    found = agent.search(View(state, seat, 1))
    assert found.actions.tolist() == state.legal_actions() and found.visits.sum() == found.simulations == 50
