"""The observation in words says what the observation says, by name, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from positions import CUBE, PASS, game, load, play, position
from test_observe import EVERYBODY, PRIVATE, PUBLIC, RARE, edited, middle, seers, walk

from northmen_env.games.saga.actions import card_text, route_text


def texts(state):
    return [state.observation_text(p) for p in range(state.game.num_players)]


@pytest.mark.rule("SAGA-INFO-01", "SAGA-INFO-03")
@pytest.mark.parametrize("recall", ["full", "table"])
@pytest.mark.parametrize("fact", [*PUBLIC, *PRIVATE])
def test_the_text_tells_each_fact_to_those_who_know_it(fact, recall) -> None:
    state = middle(recall)
    change = PUBLIC[fact] if fact in PUBLIC else PRIVATE[fact][0]
    other = edited(state, change)
    told = {p for p in EVERYBODY if texts(state)[p] != texts(other)[p]}
    assert told == seers(state, other)


@pytest.mark.parametrize(
    "options", [{"num_players": 2}, {"num_players": 3, "recall": "table"} | RARE, {"num_players": 4}], ids=str
)
def test_whatever_changes_what_a_seat_sees_changes_its_text(options) -> None:
    states = list(walk(options, 6))
    for before, after in pairwise(states):
        for p in range(options["num_players"]):
            same = before.observation(p).tobytes() == after.observation(p).tobytes()
            assert (before.observation_text(p) == after.observation_text(p)) == same


def test_cards_and_routes_are_named_and_hidden_ones_are_not() -> None:
    state = game(num_players=3).new_initial_state(seed=2)
    d, rules = state.to_dict(), state.game.rules[0]
    for p, text in enumerate(texts(state)):
        for q in range(3):
            for card in d["hands"][q]:
                assert (card_text(rules, card) in text) == (p == q)
            for route in d["routes_open"][q]:
                assert (route_text(rules, route) in text) == (p == q)
        assert all(card_text(rules, card) in text for card in d["slots"])


@pytest.mark.rule("SAGA-INFO-08", "SAGA-INFO-09")
def test_the_text_has_the_decision_with_its_context_and_the_legal_actions() -> None:
    state = load(
        position(2, "CUBE", piles={0: [16, 19, 22]}, cubes={2: {0: 5}}, heroes={2: {0: 1}}, march={"kingdom": 2})
    )
    text = play(state, CUBE + 2).observation_text(0)
    assert "Kingdom: Magyars (first pass)." in text
    assert "4 armies and 2 fleets; 0 cubes sent by land only, 0 by sea only; 4 cubes left to send" in text
    assert "from Bulgaria on" in text
    legal = play(state, CUBE + 2).legal_actions()
    assert all(f"\n  {state.game.action_to_string(a)}\n" in text for a in legal)
    assert "Waiting for seat 0 (CUBE)." in play(state, CUBE + 2).observation_text(1)


@pytest.mark.rule("SAGA-INFO-08")
def test_hidden_prompts_name_nobody() -> None:
    d = position(
        3, "ROUTE", cubes={14: {0: 1}, 10: {1: 1}}, controller=[0, 1, None, None, None, None, None],
        routes_open=[[1], [4], [19]],
    )  # fmt: skip
    state = load(d)
    assert texts(state)[2] == texts(play(state, PASS))[2]
    assert "whether another player is asked is not shown" in texts(state)[2]
    assert "legal actions" not in texts(state)[2]
    assert "It is your decision (ROUTE)" in texts(state)[0]
