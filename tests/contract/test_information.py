"""No game leaks: what a seat receives, and in which order, follows from what it may know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cases import SEATS, Case, every_case
from northmen_env import testing
from northmen_env.engine.state import State
from northmen_env.envs.aec import NorthmenAEC
from twin_games import script, twins


@every_case
def test_no_view_of_a_seat_depends_on_what_it_cannot_know(case: Case) -> None:
    game = case.game(history=8)
    rng = np.random.default_rng(0)
    share = 6 / float(game.playouts(5, seed=0).decisions.mean())
    for where, state in testing.information.positions(game, 1, seed=3):
        if rng.random() < share or state.is_terminal():
            for player in range(game.num_players):
                other = state.resample(player, int(rng.integers(2**62)))
                found = testing.traces.difference(
                    testing.information.seat_views(state, player), testing.information.seat_views(other, player)
                )
                assert found is None, f"{where}, player {player}: {found}"


@pytest.mark.long
@pytest.mark.parametrize("case", SEATS, ids=str)
def test_no_view_of_a_seat_depends_on_it_at_any_ply(case: Case) -> None:
    testing.check_leak(case.game(history=8), games=2, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("case", SEATS, ids=str)
def test_resamples_pass_the_kit_at_every_ply(case: Case) -> None:
    testing.check_resample(case.game(history=2), games=1, seed=5)


# -- twin games of Saga ------------------------------------------------------------------------------------------------


def placed(state: State) -> Any:
    env = NorthmenAEC(state.game, mask_in="both")
    env.set_game_state(state)
    return env


@pytest.mark.rule("SAGA-INFO-08")
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_seat_that_is_asked_about_routes_and_declines_is_like_one_that_is_never_asked(num_players: int) -> None:
    met = 0
    for seed in range(60):
        found = twins(num_players, seed)
        if found is None:
            continue
        first, second, seat = found
        ours, theirs = script(first, second, seat, np.random.default_rng(seed))
        for player in range(num_players):
            acts = sum(1 for _ in own_decisions(first, ours, player))
            if player != seat and acts > 0:
                testing.check_same_sequences(placed(first), ours, placed(second), theirs, f"player_{player}")
                met += len(ours) > len(theirs)
        if met >= 4:
            break
    assert met >= 4


def own_decisions(state: State, actions: list[int], player: int) -> Iterator[int]:
    """Yield the actions of the script that are the player's."""
    state = state.clone()
    for action in actions:
        if state.current_player == player:
            yield action
        state.apply_action(action)
