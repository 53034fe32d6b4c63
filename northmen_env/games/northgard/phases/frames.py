"""The stack of running operations (NORTH-PH-09): which frames run, outermost first, and where each goes on.

A frame is begun by its module with `push`, which returns a `Stage`. When the frames above it have ended, `flow.resume`
calls its `go_on_…`, which looks at its step. A frame that has ended is taken off by `pop` and returns `Stage.RESUME`.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.jit import kernel


@kernel
def push(state, kind, row):
    """Put a frame on the stack; `row` is the card whose row runs, -1 for frames without one."""
    depth = np.int64(state.depth)
    state.frame_kind[depth] = kind
    state.frame_row[depth] = row
    state.frame_step[depth] = 0
    state.depth = depth + 1


@kernel
def pop(state):
    """Take the frame on top off the stack. Its fields are reset by its module."""
    depth = np.int64(state.depth) - 1
    state.frame_kind[depth] = 0
    state.frame_row[depth] = -1
    state.frame_step[depth] = 0
    state.depth = depth


@kernel
def top_kind(state):
    """Return the kind of the frame on top, 0 where none runs."""
    return np.int64(state.frame_kind[state.depth - 1]) if state.depth > 0 else 0


@kernel
def top_row(state):
    """Return the card whose row the frame on top runs."""
    return np.int64(state.frame_row[state.depth - 1])


@kernel
def top_step(state):
    """Return where the frame on top goes on."""
    return np.int64(state.frame_step[state.depth - 1])


@kernel
def set_step(state, step):
    """Let the frame on top go on at `step`."""
    state.frame_step[state.depth - 1] = step


@kernel
def runs(state, kind):
    """Return whether a frame of this kind runs."""
    for i in range(np.int64(state.depth)):
        if state.frame_kind[i] == kind:
            return True
    return False


@kernel
def ask(state, seat, decision):
    """Let a seat decide."""
    state.player = seat
    state.decision = decision
