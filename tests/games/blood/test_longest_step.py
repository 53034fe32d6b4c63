"""On a crowded map one step can be many turns in which nobody has a choice: all of it is told."""

import random
from itertools import pairwise

import northmen_env as nm
from northmen_env.engine.events import EVENTS


def test_a_step_may_emit_more_rows_than_a_ring_holds_and_none_is_lost():
    """The smallest torus: near the end no tile fits any more, so turn after turn passes by itself."""
    game, rng = nm.load("blood", num_players=4, grid_size=8, history=EVENTS), random.Random(161)
    state = game.new_initial_state(seed=161)
    counts = [int(state.record.event_count[0])]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        counts.append(int(state.record.event_count[0]))
    longest = max(after - before for before, after in pairwise(counts))
    assert longest > 2 * EVENTS, "this game has no such step any more: look for another seed"
    events = state.events(0)
    assert len(events) == counts[-1]
    turns = [seat for code, seat, _, _ in events if game.spec.events[code].name == "turn"]
    assert turns == [(turns[0] + number) % 4 for number in range(len(turns))], "turns go round without a gap"
