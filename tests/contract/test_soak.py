"""Random play at length: invariants after every step, proved bounds, and every way to save and restore a state."""

import numpy as np
import pytest

import configurations
import northmen_env as nm
import soak
from northmen_env.engine.events import EVENTS
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, episode_seed, mix, stream

CHOSEN = configurations.single_changes()


def check_soak(configuration, first, games):
    """Soak one configuration; return the decisions made."""
    name, options = configuration
    game = nm.load(name, history=4, **options)
    made, report = soak.soak(game, first, games, 2**64 - 7)
    assert report[soak.BROKEN] == 0, f"invariant {report[soak.BROKEN]} does not hold"
    assert report[soak.FEW_ACTIONS] == 0, "a decision with fewer than two legal actions was offered, or one at the end"
    assert report[soak.DISORDER] == 0, "legal actions do not ascend"
    assert report[soak.OFF_TABLE] == 0, "a legal action is not in the action space"
    assert 0 < report[soak.DECISIONS] <= game.max_decisions
    return made


def test_twenty_thousand_random_decisions_keep_every_invariant():
    assert sum(check_soak(configuration, 0, 3) for configuration in CHOSEN) > 20_000


@pytest.mark.long
def test_a_million_random_decisions_keep_every_invariant():
    games = 2 + 1_000_000 // (150 * len(CHOSEN))
    assert sum(check_soak(configuration, 3, games) for configuration in CHOSEN) > 1_000_000


def steps(game, seed):
    """Play one game by the documented sampler, yielding each state with the action that follows (None at the end)."""
    state = game.new_initial_state(seed=seed)
    key = np.uint64(stream(np.uint64(seed), PURPOSE_SAMPLER, 0, 0))
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        action = legal[below(draw(key, decisions), len(legal))]
        yield state, action
        state.apply_action(action)
        decisions += 1
    yield state, None


@pytest.mark.parametrize("configuration", configurations.extremes(), ids=configurations.label)
def test_playouts_are_the_games_that_stepping_plays(configuration):
    name, options = configuration
    game = nm.load(name, **options)
    seed, key = 99, mix(0, 0)
    result = game.playouts(3, seed=seed)
    for number in range(3):
        played = list(steps(game, int(episode_seed(np.uint64(seed), number))))
        last = played[-1][0]
        key = mix(key, int(last.fingerprint(), 16))
        assert result.decisions[number] == len(played) - 1
        assert result.returns[number].tolist() == last.returns().tolist()
    assert result.digest == f"{int(key):016x}"


COUNTERS = {"northgard": ("dice", "shuffles")}
"""Fields that count the random draws so far and have no key in the game's State JSON: its future luck is new."""


@pytest.mark.parametrize("configuration", configurations.extremes(), ids=configurations.label)
@pytest.mark.rule("SAGA-TURN-07", "SAGA-TURN-08", "NORTH-PH-10")
def test_every_state_of_a_game_comes_back_from_json(configuration):
    """Equal to the last byte, event log and `COUNTERS` apart, so that it plays on identically with the same seed."""
    name, options = configuration
    game, seed = nm.load(name, **options), 2**63 + 5
    for state, action in steps(game, seed):
        written = state.to_dict()
        again = game.state_from_dict(written, seed=seed)
        assert again.to_dict() == written
        assert again.digest() == state.digest()
        for field in COUNTERS.get(name, ()):
            again.record[field] = state.record[field]
        assert again.fingerprint() == state.fingerprint()
        assert again.legal_actions() == state.legal_actions()
        if action is not None:
            again.apply_action(action)
            following = state.clone()
            following.apply_action(action)
            assert again.fingerprint() == following.fingerprint()


@pytest.mark.parametrize("configuration", configurations.extremes(), ids=configurations.label)
def test_no_event_of_a_game_is_lost(configuration):
    """However many rows a single step emits: its last ones stand in the ring that is written as the game is played."""
    name, options = configuration
    game = nm.load(name, history=EVENTS, **options)
    *_, (last, _) = steps(game, 11)
    for player in range(game.num_players):
        events, count = last.events(player), int(last.record.event_count[player])
        assert len(events) == count
        ring = last.record.event_rows[player]
        assert events[-EVENTS:] == [
            tuple(ring[number % EVENTS].tolist()) for number in range(max(0, count - EVENTS), count)
        ]


@pytest.mark.parametrize("history", [0, 5])
@pytest.mark.parametrize("configuration", configurations.extremes(), ids=configurations.label)
def test_every_state_of_a_game_comes_back_from_bytes(configuration, history):
    name, options = configuration
    game = nm.load(name, history=history, **options)
    for number, (state, action) in enumerate(steps(game, 3)):
        saved = state.to_bytes()
        again = game.state_from_bytes(saved)
        assert again == state
        assert again.to_bytes() == saved
        assert again.legal_actions() == state.legal_actions()
        if number % 25 == 0 or action is None:
            for player in range(game.num_players):
                assert again.events(player) == state.events(player)
                assert again.observation(player).tobytes() == state.observation(player).tobytes()
