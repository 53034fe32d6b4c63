"""The event log: what each seat saw, as short rows of numbers, kept inside the state.

Each seat has a ring of its own with the last `EVENTS` rows `(code, seat, a, b)` it saw; an argument that a seat may not
know is -1 in its ring. Rings are written unless `rules.history` is 0; the Python face replays a game with the log
switched on (`KEEP_FIRST`) when somebody asks for its events.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.jit import kernel

EVENTS = 64
"""Rows in a seat's ring, and the largest `history`."""

MOST_KINDS = 127
"""Kinds of events that a game may have: an observation's `history_code` is 1 for the code of the last."""

KEEP_FIRST = -1
"""The `rules.history` of a replay: the ring keeps the rows with the numbers 0 .. EVENTS - 1 and only counts the others.

A step may emit more rows than a ring holds (all that happens on a crowded map before somebody can choose again). It is
then taken once more from the same state with a count that begins below zero, so that the next rows come to stand there.
"""

COLUMNS = ("code", "seat", "a", "b")


def event_fields(seats: int) -> list[tuple[Any, ...]]:
    """Return the fields of a state record that hold the event rings."""
    return [
        ("event_count", np.int32, (seats,)),  # rows ever written to the seat's ring; owner
        ("event_rows", np.int16, (seats, EVENTS, 4)),  # row number i at [i % EVENTS]; owner
    ]


@kernel
def emit_to(rules, state, viewer, code, seat, a, b):
    """Append a row to the ring of `viewer` alone."""
    if rules.history == 0:
        return
    number = int(state.event_count[viewer])
    state.event_count[viewer] += 1
    if rules.history == KEEP_FIRST and not 0 <= number < EVENTS:
        return
    at = number % EVENTS
    state.event_rows[viewer, at, 0] = code
    state.event_rows[viewer, at, 1] = seat
    state.event_rows[viewer, at, 2] = a
    state.event_rows[viewer, at, 3] = b


@kernel
def emit(rules, state, code, seat, a, b):
    """Append a row that everybody sees whole."""
    if rules.history == 0:
        return
    for viewer in range(int(rules.num_players)):
        emit_to(rules, state, viewer, code, seat, a, b)


@kernel
def emit_secret(rules, state, code, seat, a, b):
    """Append a row whose arguments only `seat` sees; to the others they are -1."""
    if rules.history == 0:
        return
    for viewer in range(int(rules.num_players)):
        if viewer == seat:
            emit_to(rules, state, viewer, code, seat, a, b)
        else:
            emit_to(rules, state, viewer, code, seat, -1, -1)


@kernel
def forget_events(rules, state, player):
    """Empty the rings of everybody but `player`: part of `resample`, because they hold what others alone saw."""
    for viewer in range(int(rules.num_players)):
        if viewer != player:
            state.event_count[viewer] = 0
            state.event_rows[viewer, :, :] = 0
