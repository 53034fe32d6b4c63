"""Simulations: walk down the tree, value the leaf, back up."""

from __future__ import annotations

from northmen_env.engine import verbs
from northmen_env.engine.jit import lean_kernel
from northmen_env.engine.observation import write_observation
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, below, draw, mix, stream
from northmen_env.engine.search.keys import observation_key
from northmen_env.engine.search.selection import select
from northmen_env.engine.search.tree import NONE, add_edge, add_node, clear, find_node
from northmen_env.engine.search.workspace import (
    ACTING,
    DECISIONS,
    DEEPEST,
    PATH,
    ROOT,
    SIMULATIONS,
    SLOT,
    WAITING,
)  # fmt: skip

CHOICES, PLAYOUTS = 0, 1  # streams of draws: of the root's choice, and of all that follows it

LEAVE, GUIDED = NONE, -2
"""What a node may answer instead of an edge: the simulation leaves the tree; the heuristic is asked for the action."""


@lean_kernel
def search(rules, states, tree, work, how, key, first, count):
    """Run the simulations number `first` .. `first + count - 1` of the decision whose chance is `key`.

    With a network (`how.network`) they are walked to their leaves, which wait in the slots 0 .. count - 1; those of the
    call before are backed up first, from the slots' values and `work.leaf_prior`. A call with `count` = 0 ends it.

    Args:
        rules: array (1,).
        states: array (SLOT + B,) of states; the one at ROOT is searched from, `how.player` being to act there.
        tree, work, how: `Tree`, `Workspace`, `Settings`.
        key: uint64.
        first, count: int64; `count` is at most B with a network.
    """
    for slot in range(int(work.desk[0].counters[WAITING])):
        share_values(work, how, slot)
        expand(tree, work, slot)
        back_up(tree, work, slot, 1)
    work.desk[0].counters[WAITING] = 0
    for i in range(count):
        number = first + i
        slot = i if how.network != 0 else 0
        if how.keys == PATH and number % how.worlds_every == 0:
            harvest(tree, work)
            clear(tree)
        states[SLOT + slot] = states[ROOT]
        walk(rules[0], states[SLOT + slot], tree, work, how, key, number, slot)
        if how.network == 0:
            share_values(work, how, slot)
            back_up(tree, work, slot, 0)
    if how.network != 0:
        work.desk[0].counters[WAITING] = count
    work.desk[0].counters[SIMULATIONS] += count


@lean_kernel
def walk(rules, state, tree, work, how, key, number, slot):
    """Walk `state` down the tree, add a node, and play out; or stop there for a network.

    The world is drawn when the root has chosen, whose choice does not depend on it: see `luck`. Leaves the edges in
    `work.path[slot]` and the seats' values in the slot. Tree and playout share one loop, so that each verb is
    compiled into it once.
    """
    inside, node, depth, played, made, count = True, NONE, 0, 0, 0, 0
    path, draws = mix(0, 0), stream(key, PURPOSE_SAMPLER, CHOICES, number)
    work.slots[slot].leaf = NONE
    while int(state.player) >= 0:
        player, edge = int(state.player), LEAVE
        if inside or how.by_suggest == 0 or how.network != 0:
            count = verbs.legal_ids(rules, state, work.desk[0].ids)
        if inside:
            found = node_key(rules, state, work, how, player, path)
            parent, node = node, find_node(tree, found)
            if node < 0:
                work.slots[slot].leaf = add_node(tree, found, parent, player)
                if depth == 0 and how.network == 0:
                    node = int(work.slots[slot].leaf)  # the root's first simulation tries an action as all others do
            if node >= 0:
                edge = enter_node(tree, work, how, slot, node, depth, player, count, draw(draws, made))
            inside = edge != LEAVE
        if not inside and (how.network != 0 or played >= how.limit):
            break
        if edge >= 0:
            action = int(tree.edges[edge].action)
        elif how.by_suggest != 0:
            action = int(verbs.suggest(rules, state, player, mix(draws, made)))
        else:
            action = int(work.desk[0].ids[below(draw(draws, made), count)])
        if edge == GUIDED:
            edge = add_edge(tree, node, action, 0.0)
            inside = edge >= 0
        if made == 0:
            world = luck(tree, how, edge, number)
            verbs.resample(rules, state, player, stream(key, PURPOSE_RESAMPLE, player, world))
            draws = stream(key, PURPOSE_SAMPLER, PLAYOUTS, world)
        if inside:
            inside = take(tree, work, how, slot, depth, edge)
            path = mix(path, action)
            depth += 1
        else:
            played += 1
        verbs.step(rules, state, action)
        made += 1
    work.slots[slot].depth = depth
    work.desk[0].counters[DECISIONS] += made
    work.desk[0].counters[DEEPEST] = max(int(work.desk[0].counters[DEEPEST]), depth)
    if how.network != 0 and int(state.player) >= 0:
        show_leaf(rules, state, work, slot, int(state.player), count)
    else:
        work.slots[slot].player = -1
        write_value(rules, state, work, how, slot)


@lean_kernel
def luck(tree, how, edge, number):
    """Return the number of the world and of the stream of draws of a simulation that begins with `edge`.

    The n-th simulation of each action of the root gets the n-th world, so that actions are compared under the same luck
    (common random numbers: Veness, Lanctot & Bowling 2011). A searcher of single worlds keeps its world for a while.
    """
    if how.keys == PATH:
        return number // how.worlds_every
    if edge < 0:
        return number
    return int(tree.edges[edge].visits) + int(tree.edges[edge].pending)


@lean_kernel
def enter_node(tree, work, how, slot, number, depth, player, count, chance):
    """Return the edge to take at node `number`; GUIDED where the heuristic is to give its first; LEAVE at a leaf."""
    if tree.nodes[number].first < 0:
        if how.network != 0:
            work.slots[slot].leaf = number
            return LEAVE
        if how.by_suggest != 0:
            tree.nodes[number].visits += 1
            return GUIDED
    return select(tree, work, how, number, depth, player, count, chance)


@lean_kernel
def take(tree, work, how, slot, depth, edge):
    """Append an edge to the path of a slot; return whether the path may go on."""
    work.path[slot, depth] = edge
    if how.network != 0:
        tree.edges[edge].pending += 1
    return depth + 1 < work.path.shape[1]


@lean_kernel
def node_key(rules, state, work, how, player, path):
    """Return the key of the node of `state`, `player` being to act."""
    if how.keys == PATH:
        return path
    viewer = player if how.keys == ACTING else how.player
    write_observation(rules, state, viewer, work.observation)
    return observation_key(work.bits, work.constants, player)


@lean_kernel
def show_leaf(rules, state, work, slot, player, count):
    """Write what a network is to be asked about a leaf."""
    work.slots[slot].player = player
    write_observation(rules, state, player, work.leaf_observation[slot])
    for a in range(work.leaf_mask.shape[1]):
        work.leaf_mask[slot, a] = 0
    for i in range(count):
        work.leaf_mask[slot, work.desk[0].ids[i]] = 1


@lean_kernel
def write_value(rules, state, work, how, slot):
    """Write what a playout is worth to the seats: `returns`; `evaluate` where it was cut off; or the mean of both."""
    ended = int(state.player) < 0
    seats = work.desk[0].payoff.shape[0]
    share = 0.0
    if ended:
        verbs.returns(rules, state, work.desk[0].payoff)
        share = 0.5 if how.with_estimate != 0 else 1.0
        for p in range(seats):
            work.slots[slot].value[p] = share * work.desk[0].payoff[p]
    if share < 1.0:
        verbs.evaluate(rules, state, work.desk[0].payoff)
        for p in range(seats):
            before = work.slots[slot].value[p] if ended else 0.0
            work.slots[slot].value[p] = before + (1.0 - share) * work.desk[0].payoff[p]


@lean_kernel
def expand(tree, work, slot):
    """Give the leaf of a slot its edges, with the network's probabilities, and its value."""
    number = int(work.slots[slot].leaf)
    if number < 0 or tree.nodes[number].first >= 0:
        return
    tree.nodes[number].value = work.slots[slot].value[int(work.slots[slot].player)]
    for action in range(work.leaf_mask.shape[1]):
        if work.leaf_mask[slot, action] != 0:
            if add_edge(tree, number, action, work.leaf_prior[slot, action]) < 0:
                return


@lean_kernel
def back_up(tree, work, slot, waited):
    """Add the seats' values of a slot to the edges it took; `waited` (0 or 1) are counted out of `pending`."""
    for i in range(work.slots[slot].depth):
        edge = tree.edges[int(work.path[slot, i])]
        edge.visits += 1
        edge.pending -= waited
        for p in range(work.desk[0].payoff.shape[0]):
            edge.total[p] += work.slots[slot].value[p]


@lean_kernel
def share_values(work, how, slot):
    """Replace each seat's value by the mean of its team; or, paranoid, by that of the searching team, or against it."""
    seats, mine = work.desk[0].payoff.shape[0], int(work.desk[0].teams[how.player])
    for p in range(seats):
        work.desk[0].payoff[p] = work.slots[slot].value[p]
    for p in range(seats):
        team = mine if how.paranoid != 0 else int(work.desk[0].teams[p])
        total, members = 0.0, 0
        for q in range(seats):
            if int(work.desk[0].teams[q]) == team:
                total += work.desk[0].payoff[q]
                members += 1
        mean = total / members
        work.slots[slot].value[p] = -mean if how.paranoid != 0 and int(work.desk[0].teams[p]) != mine else mean


@lean_kernel
def harvest(tree, work):
    """Add what the tree of one world says about the root's actions to `work.actions`."""
    if int(tree.used[0]) == 0:
        return
    e = int(tree.nodes[0].first)
    while e >= 0:
        edge = tree.edges[e]
        action = int(edge.action)
        work.actions[action].visits += int(edge.visits)
        for p in range(work.desk[0].payoff.shape[0]):
            work.actions[action].total[p] += edge.total[p]
        e = int(edge.next)
