"""The heuristic: legal everywhere, blind to what its seat cannot know, and better than random (issue: `suggest`)."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from northgard_scenes import FIELD, Play, army, go, play, scene

from northmen_env.games.northgard import scoring
from northmen_env.games.northgard.heuristic import evaluate, suggest
from northmen_env.games.northgard.resample import resample

FORTRESS, ALTAR, FORGE = 5, 7, 6


def advice(game: Play, seed: int = 0) -> int:
    return int(suggest(game.rules, game.record, np.int64(game.player), np.uint64(seed)))


def match(seed: int, mine: set[int], **options: object) -> list[float]:
    """Return the rewards of a game in which the seats `mine` follow the heuristic and the others play at random."""
    game, choose, moves = Play(**options).start(seed), Random(seed), 0
    while not game.over():
        legal = game.legal()
        if game.player in mine:
            action = advice(game, 1000 * seed + moves)
            assert action in legal
        else:
            action = choose.choice(legal)
        game.step(action)
        moves += 1
    out = np.zeros(5)
    scoring.returns(game.rules, game.record, out)
    return list(out[: int(game.rules.num_players)])


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_random_play(seats: int) -> None:
    wins = sum(match(seed, {seed % seats}, num_players=seats)[seed % seats] == 1.0 for seed in range(8))
    assert wins >= 7


def test_teams_with_creatures() -> None:
    rewards = [
        match(seed, {seed % 2, seed % 2 + 2}, num_players=4, teams=True, creatures=True, more_creatures=True)
        for seed in range(2)
    ]
    assert [reward[seed % 2] for seed, reward in enumerate(rewards)] == [1.0, 1.0]


def test_it_uses_only_what_its_seat_knows() -> None:
    game, choose, compared = Play(num_players=3, creatures=True).start(3), Random(3), 0
    while not game.over():
        if choose.random() < 0.1:
            chosen = advice(game, 7)
            for k in range(3):
                other = game.copy()
                resample(other.rules, other.record, np.int64(game.player), np.uint64(k))
                assert advice(other, 7) == chosen
            compared += 1
        game.step(advice(game) if choose.random() < 0.7 else choose.choice(game.legal()))
    assert compared > 10


def test_it_is_a_function_of_state_and_seed() -> None:
    game = Play(num_players=2).start(1)
    for _ in range(30):
        assert advice(game, 5) == advice(game.copy(), 5)
        game.step(advice(game, 5))


@pytest.mark.rule("NORTH-END-01")
def test_wood_goes_into_a_large_building() -> None:
    game = scene(FIELD, {0: {1: 1, 8: 1}, 1: {2: 1}}, {0: [3]}, resources=[[0, 3, 0], [0, 0, 0]])
    play(game, 3)
    while game.decision.startswith("BD_"):
        game.step(advice(game))
    assert [kind for _, kind in game["buildings"]] in ([FORTRESS], [FORGE], [ALTAR])


def test_it_takes_free_land_and_leaves_none() -> None:
    game = scene(FIELD, {0: {0: 3}, 1: {2: 1}}, {0: [1]})
    play(game, 1)
    while game.decision.startswith("MV_"):
        game.step(advice(game))
    assert army(game, 0)[0] >= 1 and 1 in army(game, 0)  # 1 yields a food and a wood, 3 nothing


def test_it_fights_where_it_is_stronger() -> None:
    def moved(attackers: int, defenders: int) -> dict[int, int]:
        game = scene(FIELD, {0: {3: attackers}, 1: {2: defenders}}, {0: [1]})
        play(game, 1)
        while game.decision.startswith("MV_"):
            game.step(advice(game))
        return army(game, 0)

    assert 2 not in moved(2, 5)
    game = scene(FIELD, {0: {3: 6}, 1: {2: 1}}, {0: [1]}, spaceless=[[2, 0, 4]])  # dearer than the free territory 1
    go(play(game, 1), "MV_SRC: TERR 3")
    assert advice(game) == 94 + 2


def test_estimates_lie_between_the_worst_and_the_best() -> None:
    game, out = Play(num_players=3).start(2), np.zeros(5)
    while not game.over():
        evaluate(game.rules, game.record, out)
        assert np.all(np.abs(out) <= 1.0)
        game.step(advice(game))
    evaluate(game.rules, game.record, out)
    final = np.zeros(5)
    scoring.returns(game.rules, game.record, final)
    assert int(np.argmax(out[:3])) == int(np.argmax(final[:3]))
