"""Samples are worlds that the referee, who knows the ledger only, finds possible for the seat (SAGA-INFO-11)."""

import random

import pytest
from against_referee import eager, referee_of

import northmen_env as nm


def worlds_along_a_game(options, seed):
    """Yield (judge, player, sampled State JSON) for every seat at some decisions of one game."""
    state = nm.load("saga", **options).new_initial_state(seed=seed)
    judge = referee_of(state.game, seed)
    rng = random.Random(seed)
    while not state.is_terminal():
        rare = judge.decision not in ("PLAY", "DRAW", "CUBE")
        if rng.random() < (0.4 if rare else 0.05):
            for player in range(judge.n):
                yield judge, player, state.to_dict()
                yield judge, player, state.resample(player, rng.getrandbits(64)).to_dict()
        action = eager(state.legal_actions(), rng)
        state.apply_action(action)
        judge.apply(action)


@pytest.mark.parametrize(("num_players", "final_planning"), [(2, True), (3, False), (4, True)])
@pytest.mark.rule("SAGA-INFO-11", "SAGA-INFO-06")
def test_the_true_state_and_every_sample_are_possible_for_the_seat(num_players, final_planning):
    options = {"num_players": num_players, "final_planning": final_planning, "first_leader": "random"}
    asked = 0
    for seed in range(4):
        for judge, player, world in worlds_along_a_game(options, seed):
            assert judge.possible(world, player), (judge.decision, judge.round, player, seed)
            asked += 1
    assert asked > 300
