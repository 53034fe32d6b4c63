"""Which action a simulation takes at a node: UCB1 with availability counts, PUCT, progressive widening."""

from __future__ import annotations

import math

from northmen_env.engine.jit import lean_kernel
from northmen_env.engine.random import below
from northmen_env.engine.search.tree import NONE, add_edge
from northmen_env.engine.search.workspace import CLOCK


@lean_kernel
def select(tree, work, how, number, depth, player, count, chance):
    """Return the edge that a simulation takes at node `number`, whose `count` legal actions are in `work.desk[0].ids`.

    An action that has no edge yet is tried first, in random order, unless widening forbids it: not at the root (`depth`
    0), whose choice is what is searched for. An action is a choice
    only in the worlds in which it is legal: `available` counts them, and takes the place of the node's visits in the
    bandit's rule (Cowling et al. 2012, section V).

    Args:
        player: the seat to act, whose value counts.
        chance: int64 draw for the choice among actions without an edge.

    Returns:
        NONE where an edge is to be added and the tree is full.
    """
    node = tree.nodes[number]
    node.visits += 1
    legal = int(work.desk[0].counters[CLOCK]) + 2
    tried = legal + 1
    work.desk[0].counters[CLOCK] = legal
    for i in range(count):
        work.actions[work.desk[0].ids[i]].stamp = legal
    best, best_score, known = NONE, 0.0, 0
    last_available, logarithm = 0, 0.0
    e = int(node.first)
    while e >= 0:
        edge = tree.edges[e]
        action = int(edge.action)
        if work.actions[action].stamp == legal:
            work.actions[action].stamp = tried
            known += 1
            available = int(edge.available) + 1
            edge.available = available
            if available != last_available:
                last_available = available
                logarithm = math.log(available)
            if how.network != 0:
                score = puct(edge, player, how.exploration, node.value)
            else:
                score = ucb(edge, player, how.exploration, logarithm)
            if best < 0 or score > best_score:
                best, best_score = e, score
        e = int(edge.next)
    if known == count or (depth > 0 and best >= 0 and known >= width(how, int(node.visits))):
        return best
    return _add_untried(tree, work, number, count, legal, below(chance, count - known))


@lean_kernel
def ucb(edge, player, exploration, logarithm):
    """Return mean value + c * sqrt(ln(available) / visits)."""
    visits = int(edge.visits)
    if visits == 0:
        return math.inf
    return edge.total[player] / visits + exploration * math.sqrt(logarithm / visits)


@lean_kernel
def puct(edge, player, exploration, otherwise):
    """Return mean value + c * prior * sqrt(available) / (1 + visits), simulations in flight counted as visits.

    An action without a value takes `otherwise`, the node's own.
    """
    visits = int(edge.visits)
    mean = edge.total[player] / visits if visits > 0 else otherwise
    return mean + exploration * edge.prior * math.sqrt(edge.available) / (1 + visits + int(edge.pending))


@lean_kernel
def width(how, visits):
    """Return how many actions a node with so many visits may have."""
    if how.widening <= 0.0:
        return 2**31
    return int(how.widening * visits**how.widening_exponent)


@lean_kernel
def _add_untried(tree, work, number, count, legal, index):
    """Add the edge of the legal action at place `index` among those stamped `legal`: the ones without an edge."""
    for i in range(count):
        action = int(work.desk[0].ids[i])
        if work.actions[action].stamp != legal:
            continue
        if index == 0:
            return add_edge(tree, number, action, 1.0 / count)
        index -= 1
    return NONE
