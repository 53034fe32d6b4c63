"""No game leaks: what a seat receives, and in which order, follows from what it may know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import northmen_env as nm
from cases import SEATS, Case, every_case
from northmen_env import testing
from northmen_env.engine.state import State
from northmen_env.envs.aec import NorthmenAEC

PASS = 177  # of Saga


@every_case
def test_no_view_of_a_seat_depends_on_what_it_cannot_know(case: Case) -> None:
    game = case.game(history=8)
    rng = np.random.default_rng(0)
    share = 12 / float(game.playouts(5, seed=0).decisions.mean())
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


def restarted(state: State, d: dict[str, Any]) -> State:
    """Return the state of a State JSON with the chance of `state` still to come; its log begins here."""
    return state.game.state_from_dict(d, seed=int(state.array["seed"][0]))


def without_the_route(state: State, seat: int, route: int) -> Iterator[State]:
    """Yield states like this one in which `seat` has another route in place of one that nobody knows it has."""
    d = state.to_dict()
    known = {r for row in d["route_pos"] for r, place in enumerate(row) if place >= 0}
    known |= {r for row in d["route_known_holder"] for r, holder in enumerate(row) if holder is not None}
    for place, other in enumerate(d["route_deck"]):
        if {route, other} & known:
            continue
        mine = sorted({*d["routes_open"][seat], other} - {route})
        deck = [*d["route_deck"][:place], route, *d["route_deck"][place + 1 :]]
        routes = [mine if p == seat else routes for p, routes in enumerate(d["routes_open"])]
        yield restarted(state, {**d, "routes_open": routes, "route_deck": deck})


def twins(num_players: int, seed: int) -> tuple[State, State, int] | None:
    """Return two states that differ in one route of one seat, which is asked about it after the next action, or not."""
    game, rng = nm.load("saga", num_players=num_players, history=8), np.random.default_rng(seed)
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        before, action = state.clone(), int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        asked = state.to_dict()
        if asked["decision"] != "ROUTE" or before.to_dict()["decision"] == "ROUTE":
            continue
        seat = state.current_player
        for route in asked["routes_open"][seat]:
            for other in without_the_route(before, seat, route):
                after = other.clone()
                after.apply_action(action)
                if after.to_dict()["decision"] != "ROUTE" and after.current_player >= 0:
                    return restarted(before, before.to_dict()), other, seat
    return None


def script(first: State, second: State, seat: int, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Play both on alike, `seat` declining what it is asked in secret and nobody drawing routes; return the actions."""
    first, second = first.clone(), second.clone()
    ours: list[int] = []
    theirs: list[int] = []
    for _ in range(80):
        secret = False
        for state, actions in ((first, ours), (second, theirs)):
            if state.to_dict()["decision"] == "ROUTE" and state.current_player == seat:
                actions.append(PASS)
                state.apply_action(PASS)
                secret = True
        if secret:
            continue
        if first.is_terminal() or second.is_terminal():
            break
        assert first.current_player == second.current_player
        shared = sorted(set(first.legal_actions()) & set(second.legal_actions()))
        action = PASS if first.to_dict()["decision"] == "BUY" else int(rng.choice(shared))
        for state, actions in ((first, ours), (second, theirs)):
            actions.append(action)
            state.apply_action(action)
    return ours, theirs


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
