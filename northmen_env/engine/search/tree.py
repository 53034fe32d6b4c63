"""The tree: nodes and edges as arrays of records, and the table that finds a node by its key.

Statistics stand on edges, and edges do not point to nodes: the node behind an action is found by the key of the state
that the action leads to, because chance and hidden information lead to several. Two paths to one information set share
its node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from northmen_env.engine.jit import kernel, lean_kernel
from northmen_env.engine.random import to_draw

NONE = -1

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),  # hash of what makes two states one node
                ("value", np.float64),  # a network's value for the seat to act
                ("visits", np.int32),  # simulations that chose an action here
                ("parent", np.int32),  # node before it on the path that added it, NONE for a root; smaller than its own
                ("player", np.int32),  # seat to act
                ("first", np.int32),  # its first edge, NONE before there is one
                ("last", np.int32),  # its latest edge
            ],
            align=True,
        ),
    )
)


def edge_dtype(seats: int) -> np.dtype:
    """Return the record of an edge, an action at a node, in games of `seats` seats."""
    fields = [
        ("total", np.float64, (seats,)),  # sum of the seats' values over the visits
        ("action", np.int32),
        ("next", np.int32),  # the node's next edge, NONE at the end
        ("visits", np.int32),  # simulations that took it and came back
        ("pending", np.int32),  # simulations that took it and wait for a network
        ("available", np.int32),  # simulations in which it could be taken
        ("prior", np.float32),  # a network's probability
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Tree(NamedTuple):
    """A tree of at most N nodes and E edges; T >= 2 N is a power of two."""

    used: np.ndarray  # (2,) int64, nodes and edges in use
    table: np.ndarray  # (T,) int32, number of a node + 1, 0 where empty: linear probing
    nodes: np.ndarray  # (N,) NODE
    edges: np.ndarray  # (E,) edge_dtype(S)


def new_tree(nodes: int, edges: int, seats: int) -> Tree:
    """Return an empty tree of a fixed capacity."""
    size = 1 << (2 * nodes - 1).bit_length()
    return Tree(
        used=np.zeros(2, np.int64),
        table=np.zeros(size, np.int32),
        nodes=np.zeros(nodes, NODE),
        edges=np.zeros(edges, edge_dtype(seats)),
    )


def tree_bytes(tree: Tree) -> int:
    """Return the memory of a tree, which never grows."""
    return sum(array.nbytes for array in tree)


@lean_kernel
def clear(tree):
    """Forget all nodes."""
    tree.used[:] = 0
    tree.table[:] = 0


@lean_kernel
def find_node(tree, key):
    """Return the number of the node with this key, or NONE."""
    last = tree.table.shape[0] - 1
    at = to_draw(key) & last
    while tree.table[at] != 0:
        node = int(tree.table[at]) - 1
        if tree.nodes[node].key == key:
            return node
        at = (at + 1) & last
    return NONE


@lean_kernel
def add_node(tree, key, parent, player):
    """Add a node whose key is not in the tree; return its number, or NONE where the tree is full."""
    number = int(tree.used[0])
    if number == tree.nodes.shape[0]:
        return NONE
    tree.used[0] = number + 1
    node = tree.nodes[number]
    node.key = key
    node.value = 0.0
    node.visits = 0
    node.parent = parent
    node.player = player
    node.first = NONE
    node.last = NONE
    enter(tree, number)
    return number


@lean_kernel
def enter(tree, number):
    """Enter a node in the table."""
    last = tree.table.shape[0] - 1
    at = to_draw(tree.nodes[number].key) & last
    while tree.table[at] != 0:
        at = (at + 1) & last
    tree.table[at] = number + 1


@lean_kernel
def add_edge(tree, number, action, prior):
    """Add an edge behind the others of node `number`; return its number, or NONE where the tree is full."""
    new = int(tree.used[1])
    if new == tree.edges.shape[0]:
        return NONE
    tree.used[1] = new + 1
    edge = tree.edges[new]
    edge.total[:] = 0.0
    edge.action = action
    edge.next = NONE
    edge.visits = 0
    edge.pending = 0
    edge.available = 1
    edge.prior = prior
    node = tree.nodes[number]
    if node.first < 0:
        node.first = new
    else:
        tree.edges[int(node.last)].next = new
    node.last = new
    return new


@kernel
def keep_subtree(tree, key, place):
    """Forget all nodes but the one with this key and those first reached through it; it becomes node 0.

    Nodes follow their parents, so that one pass finds them. A node that was first reached by another path is lost.

    Args:
        place: int32 (N,), scratch.

    Returns:
        The number of nodes that are left: 0 where there is none with this key.
    """
    root = find_node(tree, key)
    nodes, edges = int(tree.used[0]), 0
    kept = 0
    for i in range(nodes):
        parent = int(tree.nodes[i].parent)
        place[i] = NONE
        if i == root or (root >= 0 and i > root and parent >= 0 and place[parent] >= 0):
            place[i] = kept
            tree.nodes[kept] = tree.nodes[i]
            tree.nodes[kept].parent = NONE if i == root else place[parent]
            kept += 1
    edges = _keep_edges(tree, kept)
    tree.table[:] = 0
    tree.used[0] = kept
    tree.used[1] = edges
    for i in range(kept):
        enter(tree, i)
    return kept


@kernel
def _keep_edges(tree, nodes):
    """Move the edges of the first `nodes` nodes to the front, in their old order; return how many they are.

    `next` of an edge is larger than its own number, so it can be followed before it is overwritten.
    """
    used = int(tree.used[1])
    owner = np.full(used, NONE, np.int32)
    for i in range(nodes):
        e = int(tree.nodes[i].first)
        while e >= 0:
            owner[e] = i
            e = int(tree.edges[e].next)
        tree.nodes[i].first = NONE
    kept = 0
    for e in range(used):
        if owner[e] < 0:
            continue
        tree.edges[kept] = tree.edges[e]
        tree.edges[kept].next = NONE
        tree.edges[kept].pending = 0
        node = tree.nodes[owner[e]]
        if node.first < 0:
            node.first = kept
        else:
            tree.edges[int(node.last)].next = kept
        node.last = kept
        kept += 1
    return kept
