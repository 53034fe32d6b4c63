"""Twin games of Saga: two states that differ in one hidden route, and scripts that play both on alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import northmen_env as nm
from northmen_env.engine.state import State

PASS = 177  # of Saga


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
