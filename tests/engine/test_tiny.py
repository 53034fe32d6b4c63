"""The engine knows no game: two tiny ones, written in `tests/tiny`, get everything that it promises."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

import northmen_env as nm
from cases import TINY, Case
from northmen_env import testing
from northmen_env.engine.events import EVENTS
from northmen_env.engine.game import Game
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, episode_seed, stream
from northmen_env.engine.state import IllegalActionError, State
from northmen_env.envs.aec import NorthmenAEC
from tiny import ask, coin

every_tiny_game = pytest.mark.parametrize("case", TINY, ids=str)


def sampled(state: State, seed: int, decision: int) -> int:
    """Return the action of the documented sampler."""
    legal = state.legal_actions()
    return legal[below(draw(np.uint64(stream(np.uint64(seed), PURPOSE_SAMPLER, 0, 0)), decision), len(legal))]


@every_tiny_game
def test_playouts_are_what_stepping_a_state_gives(case: Case) -> None:
    game = case.game()
    played = game.playouts(20, seed=3)
    for k in range(20):
        seed = int(episode_seed(np.uint64(3), k))
        state, decisions = game.new_initial_state(seed), 0
        while not state.is_terminal():
            state.apply_action(sampled(state, seed, decisions))
            decisions += 1
        assert decisions == played.decisions[k] <= game.max_decisions
        assert np.array_equal(state.returns(), played.returns[k])
    assert game.playouts(20, seed=3).digest == played.digest != game.playouts(20, seed=4).digest


@every_tiny_game
def test_the_kit_passes(case: Case) -> None:
    game = case.game(history=4)
    testing.check_leak(game, games=2)
    testing.check_resample(game, hidden=hidden, draws=200)

    def make() -> NorthmenAEC:
        return NorthmenAEC(game)

    testing.check_masks(make)
    testing.check_copy(make)
    testing.check_determinism(make)


def hidden(state: State, player: int) -> list[str]:
    """Return the parts of a state that a seat does not know: the others' coins or knives."""
    name = "coin" if state.game.name == "coin" else "knife"
    return [f"{name}[{p}]" for p in range(state.game.num_players) if p != player]


@every_tiny_game
def test_states_survive_json_bytes_copy_and_pickle(case: Case) -> None:
    game = case.game(history=4)
    for _, state in testing.information.positions(game, 1, 2):
        again = game.state_from_dict(json.loads(json.dumps(state.to_dict())))
        assert again.digest() == state.digest()
        for other in (game.state_from_bytes(state.to_bytes()), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert other == state
            assert other.to_bytes() == state.to_bytes()
            assert other.information_state(0) == state.information_state(0)
        if not state.is_terminal():
            before = state.to_bytes()
            state.clone().apply_action(state.legal_actions()[0])
            assert state.to_bytes() == before


@every_tiny_game
def test_an_illegal_action_raises_and_changes_nothing(case: Case) -> None:
    state = case.game().new_initial_state(1)
    before = state.to_bytes()
    for action in (-1, state.game.num_actions, 2**40, *set(range(state.game.num_actions)) - set(state.legal_actions())):
        with pytest.raises(IllegalActionError, match=rf"action {action}\b.* is illegal for player 0; legal: "):
            state.apply_action(action)
        assert state.to_bytes() == before


@every_tiny_game
def test_events_are_the_history_of_the_observation(case: Case) -> None:
    game = case.game(history=EVENTS)
    for _, state in testing.information.positions(game, 1, 6):
        for player in range(game.num_players):
            told = game.observation_layout.decode(state.observation(player))
            events = state.events(player)[::-1][:EVENTS]
            assert (told["history_code"][: len(events)] - 1).tolist() == [event[0] for event in events]
            assert (told["history_a"][: len(events)] - 1).tolist() == [event[2] for event in events]
            assert not told["history_code"][len(events) :].any()


def test_resamples_are_uniform_by_enumeration() -> None:
    game = Game(coin.GAME, num_players=4)
    state = game.new_initial_state(9)
    for action in (0, 1, 1):
        state.apply_action(action)
    for player in range(4):
        own = int(state.record.coin[player])
        worlds = [
            {**state.to_dict(), "coin": [a, b, c, d]}
            for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)
            if (a, b, c, d)[player] == own
        ]  # fmt: skip
        testing.check_uniform(state, player, worlds)


def test_whoever_is_asked_in_secret_holds_a_knife_in_every_sample() -> None:
    game = Game(ask.GAME, num_players=4)
    state = game.state_from_dict({**game.new_initial_state(1).to_dict(), "knife": [0, 0, 1, 1]})
    state.apply_action(ask.LONG)
    assert state.current_player == 2
    for player, known in ((0, 0), (1, 0), (3, 1)):
        worlds = []
        for bits in range(16):
            knife = [bits >> p & 1 for p in range(4)]
            if knife[2] == 1 and knife[player] == known:
                worlds.append({**state.to_dict(), "knife": knife})
        testing.check_uniform(state, player, worlds)
        seen = game.observation_layout.decode(state.observation(player))
        assert seen["decision"].tolist() == [1, 0, 0]
    assert game.observation_layout.decode(state.observation(2))["decision"].tolist() == [0, 0, 1]


def placed(game: Game, knives: list[int]) -> NorthmenAEC:
    """Return an environment at the first journey, with knives as given."""
    env = NorthmenAEC(game, mask_in="both")
    env.set_game_state(game.state_from_dict({**game.new_initial_state(1).to_dict(), "knife": knives}))
    return env


@pytest.mark.parametrize("agent", ["player_0", "player_2"])
def test_asked_and_declined_is_like_never_asked(agent: str) -> None:
    """Seat 1 declines at each journey of seats 0 and 2, or has no knife and is not asked."""
    game = Game(ask.GAME, num_players=3, history=8, dense=True)
    travels = [ask.LONG, ask.SHORT, ask.SHORT] * 2

    declined: list[int] = []
    for journey, travel in enumerate(travels):
        declined += [travel, ask.DECLINE] if journey % 3 != 1 else [travel]
    armed, unarmed = [0, 1, 0, 0], [0, 0, 0, 0]
    testing.check_same_sequences(placed(game, armed), declined, placed(game, unarmed), travels, agent)
    struck = [ask.LONG, ask.STRIKE, *travels[1:]]
    with pytest.raises(AssertionError, match="can tell the two games apart"):
        testing.check_same_sequences(placed(game, armed), struck, placed(game, unarmed), travels, agent)


def test_partners_of_a_team_are_paid_alike_also_for_an_illegal_action() -> None:
    env = NorthmenAEC(Game(ask.GAME, num_players=4))
    env.reset(seed=0)
    env.step(ask.STRIKE)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0, "player_2": -1.0, "player_3": 1.0}


def test_a_record_without_the_tag_of_its_game_is_refused() -> None:
    """numba takes a record that begins with another's fields for its subtype, and two equal ones for one type."""
    plain = np.dtype((np.record, np.dtype([("num_players", np.int64), ("history", np.int64)], align=True)))
    with pytest.raises(ValueError, match="must begin with 'coin_rules_tag'"):
        dataclasses.replace(coin.GAME, rules_dtype=plain)


def test_more_kinds_of_events_than_a_history_can_show_are_refused() -> None:
    """One more, and the code of the last in an observation were above 1."""
    kind = coin.GAME.events[0]
    with pytest.raises(ValueError, match="coin has 128 kinds of events, and a history can show 127"):
        dataclasses.replace(coin.GAME, events=(kind,) * 128)


def test_games_in_one_process_are_not_confused() -> None:
    """Warnings are errors: numba warns when it passes one game's record for another's."""
    for game in (nm.load("saga"), *(case.game() for case in TINY)):
        state = game.new_initial_state(seed=1)
        state.apply_action(state.legal_actions()[0])
        assert game.playouts(2, seed=1).games == 2
