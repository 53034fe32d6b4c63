"""Drives `northmen_env.engine.search` for one seat: budgets of simulations or time, threads, networks, results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import numpy as np

from northmen_env.engine import boundary
from northmen_env.engine.random import mix
from northmen_env.engine.search.keys import observation_key
from northmen_env.engine.search.simulation import harvest, search
from northmen_env.engine.search.tree import NONE, clear, find_node, keep_subtree, new_tree, tree_bytes
from northmen_env.engine.search.workspace import (
    ACTING,
    CLOCK,
    DECISIONS,
    DEEPEST,
    PATH,
    ROOT,
    SIMULATIONS,
    SLOT,
    Settings,
    new_workspace,
)  # fmt: skip

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State
    from northmen_env.engine.view import View

MOST_NODES = 200_000
"""Nodes of a tree whose budget is a time, or a larger number of simulations; see `Searcher.memory`."""

CHUNK = 4096  # simulations of one call of the kernel, between which a process can be interrupted
SLICE = 0.005  # seconds that such a call should take where time is limited


class Network(Protocol):
    """What may replace the playout: a policy and a value of information sets, evaluated in batches.

    If it has a true attribute `needs_suggestion`, it gets a third argument: int64 (B,), what the game's heuristic would
    do in each of them.
    """

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Evaluate B information sets, each of the seat that is to act in it.

        Args:
            observations: float32 (B, D).
            masks: int8 (B, A), 1 for each legal action.

        Returns:
            The probabilities of the actions, (B, A), which are masked and made to sum to 1; and the expected returns:
            of the seat to act, (B,), the others then sharing what it wins or loses; or of all seats, (B, seats), that
            one first and then clockwise.
        """
        ...


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about one decision (K actions tried, n seats).

    Attributes:
        seat: which decides.
        actions: int64 (K,), ascending.
        visits: int64 (K,), simulations that took each.
        values: float64 (K, n), mean values of each to all seats.
        simulations: spent on this decision, all threads together.
        decisions: made in them, in the tree and in playouts.
        nodes: in the trees afterwards.
        depth: of the deepest leaf, in decisions.
    """

    seat: int
    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    simulations: int
    decisions: int
    nodes: int
    depth: int

    @property
    def action(self) -> int:
        """The action with most visits; among equals the one with the better mean, then the smaller number."""
        order = np.lexsort((self.actions, -self.values[:, self.seat], -self.visits))
        return int(self.actions[order[0]])

    @property
    def value(self) -> np.ndarray:
        """Float64 (n,): the mean value of all simulations to each seat."""
        mean: np.ndarray = self.visits @ self.values / max(int(self.visits.sum()), 1)
        return mean


class _Worker:
    """A tree and what belongs to it: of one thread."""

    def __init__(self, game: Game, nodes: int, edges: int, batch: int) -> None:
        self.states = np.zeros(SLOT + max(batch, 1), game.spec.state_dtype)
        self.work = new_workspace(game, batch)
        self.tree = new_tree(nodes, edges, game.seats)
        self.place = np.zeros(nodes, np.int32)

    @property
    def memory(self) -> int:
        arrays = [*self.work, self.states, self.place]
        return tree_bytes(self.tree) + sum(array.nbytes for array in arrays)


class Searcher:
    """Searches the decisions of one seat of one game.

    Args:
        game: the configuration.
        settings: of the kernels; `settings.player` is the seat.
        simulations: per decision, all threads together; or None, and then
        seconds: per decision.
        threads: trees that are grown at once and then added up (root parallelism: Chaslot, Winands & van den Herik:
            Parallel Monte-Carlo tree search, CG 2008). Which simulations a tree gets does not depend on the others.
        reuse: whether what the last decision's tree says about this one is kept.
        nodes: most nodes of a tree; where it is full, simulations go on and add none. None: as many as the simulations
            can add, at most `MOST_NODES`.
        network: replaces playouts; `settings.network` is then 1.
        batch: simulations that wait for the network at once.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        *,
        simulations: int | None = 200,
        seconds: float | None = None,
        threads: int = 1,
        reuse: bool = False,
        nodes: int | None = None,
        network: Network | None = None,
        batch: int = 16,
    ) -> None:
        if (network is None) != (settings.network == 0):
            raise ValueError("settings.network must be 1 with a network, and 0 without one")
        if network is not None and threads > 1:
            raise ValueError("a network is asked in batches by one thread: leave threads at 1")
        if (simulations is None) == (seconds is None):
            raise ValueError("a search needs a number of simulations or of seconds, and not both")
        self.game = game
        self.settings = settings
        self.simulations = simulations
        self.seconds = seconds
        self.reuse = reuse
        self.network = network
        share = MOST_NODES if simulations is None else -(-simulations // threads)
        if settings.keys == PATH:
            share = min(share, settings.worlds_every)
        nodes = min(MOST_NODES, (share + 1) * (2 if reuse else 1)) if nodes is None else nodes
        edges = nodes * game.max_legal if network is not None else 2 * nodes + game.max_legal
        slots = 0 if network is None else batch
        self._workers = [_Worker(game, nodes, edges, slots) for _ in range(threads)]

    @property
    def memory(self) -> int:
        """Bytes of all arrays, allocated once: about 200 a node."""
        return sum(worker.memory for worker in self._workers)

    def search(self, view: View, key: int) -> SearchResult:
        """Search the decision at hand.

        Args:
            view: of the seat.
            key: 0..2**64 - 1, the chance of this decision.
        """
        root = view.sample(key)
        for worker in self._workers:
            worker.states[ROOT : ROOT + 1].view(np.uint8)[:] = root.array.view(np.uint8)
            worker.work.desk["counters"][0, CLOCK + 1 :] = 0
            self._begin(worker, root)
        if self.network is not None:
            self._with_network(self._workers[0], key, self.network)
        elif len(self._workers) == 1:
            self._spend(0, key)
        else:
            with ThreadPoolExecutor(len(self._workers) - 1) as pool:  # this thread takes the first share itself
                others = pool.map(partial(self._spend, key=key), range(1, len(self._workers)))
                self._spend(0, key)
                list(others)
        return self._result()

    def node(self, state: State) -> SearchResult | None:
        """Return what the first tree says about the node of `state`, or None where it has none or knows no action.

        `state` is what a search imagines: a sample of a view, and what follows from it.
        """
        if state.is_terminal():
            return None
        tree = self._workers[0].tree
        number = int(find_node(tree, np.uint64(self._key(state))))
        if number < 0 or tree.nodes["first"][number] < 0:
            return None
        return self._summed([self._edges(0, number)], state.current_player)

    # -- parts of a search --------------------------------------------------------------------------------------------

    def _begin(self, worker: _Worker, root: State) -> None:
        if self.reuse:
            keep_subtree(worker.tree, np.uint64(self._key(root)), worker.place)
        else:
            clear(worker.tree)
        worker.work.actions["visits"] = 0
        worker.work.actions["total"] = 0.0

    def _key(self, state: State) -> int:
        work = self._workers[0].work
        player = state.current_player
        bits = np.zeros_like(work.bits)
        observation = state.observation(player if self.settings.keys == ACTING else self.settings.player)
        bits[: observation.size] = observation.view(np.uint32)
        return int(observation_key(bits, work.constants, player))

    def _spend(self, number: int, key: int) -> None:
        """Spend the budget of the worker of this number."""
        worker = self._workers[number]
        run = partial(
            search, self.game.rules, worker.states, worker.tree, worker.work, self.settings, np.uint64(mix(key, number))
        )
        if self.simulations is None:
            _until(run, perf_counter() + (self.seconds or 0.0))
        else:
            share = (self.simulations + len(self._workers) - 1 - number) // len(self._workers)
            for first in range(0, share, CHUNK):
                run(first, min(CHUNK, share - first))
        if self.settings.keys == PATH:
            harvest(worker.tree, worker.work)

    def _with_network(self, worker: _Worker, key: int, network: Network) -> None:
        """Spend the budget in batches; the first simulation asks about the root itself and is not counted."""
        run = partial(search, self.game.rules, worker.states, worker.tree, worker.work, self.settings, np.uint64(key))
        work, done, batch = worker.work, 0, 1
        limit = None if self.seconds is None else perf_counter() + self.seconds
        while batch > 0:
            run(done, batch)
            self._ask(worker, batch, network)
            done += batch
            left = len(work.slots) if self.simulations is None else self.simulations + 1 - done
            batch = min(len(work.slots), left)
            if limit is not None and done > 1 and perf_counter() >= limit:
                batch = 0
        run(done, 0)

    def _ask(self, worker: _Worker, count: int, network: Network) -> None:
        """Write the network's answers about the leaves in the first `count` slots."""
        work = worker.work
        slots = np.flatnonzero(work.slots["player"][:count] >= 0)
        if slots.size == 0:
            return
        masks = work.leaf_mask[slots]
        given: tuple[np.ndarray, ...] = (work.leaf_observation[slots], masks)
        if getattr(network, "needs_suggestion", False):
            given = (*given, self._suggestions(worker, slots))
        priors, values = (np.asarray(each) for each in network(*given))
        if priors.shape != masks.shape or values.shape not in {(len(masks),), (len(masks), self.game.num_players)}:
            raise ValueError(
                f"the network gave probabilities {priors.shape} and values {values.shape}: for {len(masks)} "
                f"observations they are {masks.shape}, and ({len(masks)},) or by seat "
                f"({len(masks)}, {self.game.num_players})"
            )
        if not (np.isfinite(priors).all() and np.isfinite(values).all()):
            raise ValueError("the network gave probabilities or values that are not finite")
        priors = np.where(masks != 0, np.maximum(priors, 0.0), 0.0)
        sums = priors.sum(axis=1, keepdims=True)
        work.leaf_prior[slots] = np.where(sums > 0, priors, masks) / np.where(sums > 0, sums, masks.sum(1)[:, None])
        work.slots["value"][slots] = self._seat_values(values.astype(np.float64), work.slots["player"][slots])

    def _suggestions(self, worker: _Worker, slots: np.ndarray) -> np.ndarray:
        """Return int64 (B,): what the heuristic would do at the leaves in these slots, by one chance for all."""
        found = np.zeros(len(slots), np.int64)
        for row, slot in enumerate(slots.tolist()):
            state, player = worker.states[SLOT + slot : SLOT + slot + 1], int(worker.work.slots["player"][slot])
            found[row] = boundary.suggest(self.game.rules, state, player, np.uint64(0))
        return found

    def _seat_values(self, values: np.ndarray, players: np.ndarray) -> np.ndarray:
        """Return values (B, S) by seat."""
        n, teams = self.game.num_players, self._workers[0].work.desk["teams"][0]
        found = np.zeros((len(players), len(teams)))
        if values.ndim == 2:
            seats = (players[:, None] + np.arange(n)) % n
            found[np.arange(len(players))[:, None], seats] = values
            return found
        same = teams[players][:, None] == teams[:n]
        others = np.maximum(n - same.sum(axis=1), 1)
        found[:, :n] = np.where(same, values[:, None], (-values * same.sum(axis=1) / others)[:, None])
        return found

    # -- results ------------------------------------------------------------------------------------------------------

    def _result(self) -> SearchResult:
        if self.settings.keys == PATH:
            parts = [self._worlds(i) for i in range(len(self._workers))]
        else:
            parts = [self._edges(i, 0) for i in range(len(self._workers))]
        return self._summed(parts, self.settings.player)

    def _edges(self, worker: int, node: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the actions of a node, their visits and their sums of values (K, S)."""
        tree, numbers = self._workers[worker].tree, []
        e = int(tree.nodes["first"][node]) if node < tree.used[0] else NONE  # a worker may have had no simulation
        while e >= 0:
            numbers.append(e)
            e = int(tree.edges["next"][e])
        found = tree.edges[numbers]
        return found["action"], found["visits"], found["total"]

    def _worlds(self, worker: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        work = self._workers[worker].work
        actions = np.flatnonzero(work.actions["visits"])
        found = work.actions[actions]
        return actions, found["visits"], found["total"]

    def _summed(self, parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], seat: int) -> SearchResult:
        actions = np.unique(np.concatenate([part[0] for part in parts])).astype(np.int64)
        visits, totals = np.zeros(len(actions), np.int64), np.zeros((len(actions), self.game.num_players))
        for found, count, total in parts:
            at = np.searchsorted(actions, found)
            visits[at] += count
            totals[at] += total[:, : self.game.num_players]
        works = [worker.work.desk["counters"][0] for worker in self._workers]
        tried = visits > 0
        return SearchResult(
            seat=seat,
            actions=actions[tried],
            visits=visits[tried],
            values=totals[tried] / visits[tried, None],
            simulations=int(sum(counters[SIMULATIONS] for counters in works)) - (self.network is not None),
            decisions=int(sum(counters[DECISIONS] for counters in works)),
            nodes=int(sum(worker.tree.used[0] for worker in self._workers)),
            depth=int(max(counters[DEEPEST] for counters in works)),
        )


def _until(run: Callable[[int, int], None], end: float) -> None:
    """Call `run(first, count)` until the clock shows `end`, in pieces that take about `SLICE` seconds each."""
    done, count = 0, 1
    now = perf_counter()
    while True:
        run(done, count)
        done += count
        before, now = now, perf_counter()
        if now >= end:
            return
        rate = count / max(now - before, 1e-9)
        count = max(1, min(CHUNK, 2 * count, int(rate * min(SLICE, end - now))))
