"""One step can be many turns in which nobody has a choice: all its dice and events are told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import northmen_env as nm
from northmen_env.engine.events import EVENTS
from northmen_env.engine.state import State
from northmen_env.games.northgard.actions import DONE, PASS, Event
from northmen_env.games.northgard.state import ROLLS, Decision

GAMES: dict[str, dict[str, Any]] = {
    "two": {"num_players": 2, "creatures": True},
    "narrow": {"num_players": 3, "map_size": 12, "creatures": True, "more_creatures": True, "years": 10},
    "teams": {"num_players": 4, "teams": True, "creatures": True, "more_creatures": True},
    "long": {"num_players": 5, "creatures": True, "more_creatures": True, "years": 10},
    "plain": {"num_players": 5, "clan_selection": "random"},
}


def choose(state: State, rng: np.random.Generator) -> int:
    """Return an action: many a year is passed at once, in others much is played; little is declined."""
    legal = state.legal_actions()
    if state.record.decision == Decision.MENU:
        return PASS if rng.random() < 0.2 else int(rng.choice(legal))
    acts = [action for action in legal if action != DONE]
    return int(rng.choice(acts if rng.random() < 0.8 else legal))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.rule("NORTH-INFO-01", "NORTH-DIE-01", "NORTH-PH-02")
def test_no_step_of_many_games_loses_dice_or_events(name: str) -> None:
    """The rings hold each step whole: its rolls are as many as the dice that were drawn, and as the state shows."""
    game, seats, met = nm.load("northgard", history=EVENTS, **GAMES[name]), GAMES[name]["num_players"], Counter[int]()
    for seed in range(12):
        state, rng = game.new_initial_state(seed), np.random.default_rng(seed)
        while not state.is_terminal():
            before, drawn = state.record.event_count.copy(), int(state.record.dice.sum())
            state.apply_action(choose(state, rng))
            record = state.record
            rolled = int(record.dice.sum()) - drawn
            assert rolled == int(record.rolls) <= ROLLS
            met[rolled] += 1
            for seat in range(seats):
                new = range(int(before[seat]), int(record.event_count[seat]))
                assert len(new) <= EVENTS
                rows = [record.event_rows[seat, number % EVENTS].tolist() for number in new]
                faces = [face for code, _, face, _ in rows if code == Event.ROLL]
                assert faces == record.rolled[:rolled].tolist()
        log = state.events(0)
        assert len(log) == int(state.record.event_count[0])
    assert min(met[2], met[4] + met[3]) > 0 or name == "plain", met
