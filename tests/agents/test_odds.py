"""What ratings say about games: probabilities that add up, and agree with games that follow the model."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from northmen_agents.arena.odds import above_matrix, expected_ranks, finish_probabilities, line_up_outcome, outcome
from northmen_agents.arena.ratings import RatedGame, Ratings, fit_ratings

TIES = [{}, {2: -1.0}, {2: 0.0, 3: -0.5, 4: -1.0, 5: -1.5}]


def drawn(utility: list[float], ties: dict[int, float], rng: np.random.Generator) -> list[list[int]]:
    """Return one game as groups that finish together, best first, straight from the definition of the model."""
    left, groups = list(range(len(utility))), []
    while left:
        sets = [[i for i, taken in zip(left, bits) if taken] for bits in np.ndindex(*[2] * len(left))]
        sets = [s for s in sets if len(s) == 1 or len(s) in ties]
        worth = [np.prod(np.exp([utility[i] for i in s])) ** (1 / len(s)) for s in sets]
        weight = [w * (np.exp(ties[len(s)]) if len(s) > 1 else 1.0) for w, s in zip(worth, sets)]
        groups.append(sets[rng.choice(len(sets), p=np.array(weight) / sum(weight))])
        left = [i for i in left if i not in groups[-1]]
    return groups


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_agent_takes_one_place_and_every_place_is_taken(players: int, ties: dict[int, float]) -> None:
    utility = np.random.default_rng(players).normal(size=(7, players))
    found = outcome(utility, ties)
    np.testing.assert_allclose(found.place.sum(-1), 1.0)
    np.testing.assert_allclose(found.place.sum(-2), 1.0)
    apart = ~np.eye(players, dtype=bool)
    np.testing.assert_allclose((found.above + np.swapaxes(found.above, -1, -2))[:, apart], 1.0)
    # A place is one more than how many finish above.
    expected = found.place @ np.arange(1.0, players + 1.0)
    np.testing.assert_allclose(expected, 1.0 + found.above.sum(-2))


@pytest.mark.parametrize("ties", TIES[1:])
def test_the_probabilities_are_the_shares_of_simulated_games(ties: dict[int, float]) -> None:
    utility, games = [0.8, 0.0, -0.5, 0.2], 4000
    rng = np.random.default_rng(0)
    place, above = np.zeros((4, 4)), np.zeros((4, 4))
    for _ in range(games):
        best = 0
        groups = drawn(utility, ties, rng)
        for number, group in enumerate(groups):
            for i in group:
                place[i, best : best + len(group)] += 1 / len(group)
                above[i, [j for j in group if j != i]] += 0.5
                above[i, [j for later in groups[number + 1 :] for j in later]] += 1.0
            best += len(group)
    found = outcome(np.array(utility), ties)
    np.testing.assert_allclose(place / games, found.place, atol=0.03)
    np.testing.assert_allclose(above / games, found.above, atol=0.03)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_table_is_a_game_against_each_other_among_average_agents(players: int, ties: dict[int, float]) -> None:
    rng = np.random.default_rng(players)
    strength, seat = rng.normal(size=4), rng.normal(size=players)
    table = above_matrix(strength, seat, ties)
    seats = np.array(list(permutations(range(players))))
    for i, j in permutations(range(4), 2):
        line_up = np.array([strength[i], strength[j], *[strength.mean()] * (players - 2)])
        assert table[i, j] == pytest.approx(outcome(line_up + seat[seats], ties).above.mean(0)[0, 1])
    assert np.isnan(np.diag(table)).all()


def games_of(players: int) -> list[RatedGame]:
    """Return games of four agents, "d" the best, "a" the worst, in which a pair of scores is equal in one of twenty."""
    rng = np.random.default_rng(0)
    games = []
    for deal in range(60):
        for order in permutations("abcd", players):
            scores = np.floor(4 * (rng.gumbel(size=players) + ["abcd".index(name) / 2 for name in order]))
            games.append(RatedGame(deal, order, tuple(int((scores > own).sum()) for own in scores)))
    return games


def fitted(players: int) -> Ratings:
    return fit_ratings(games_of(players), bootstrap=0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_expected_ranks_of_any_line_up(players: int) -> None:
    ratings = fitted(players)
    best = list("dcba"[:players])
    ranks = expected_ranks(ratings, best)
    assert (np.diff(ranks) > 0).all()
    assert ranks.sum() == pytest.approx(players * (players + 1) / 2)
    np.testing.assert_allclose(expected_ranks(ratings, best[::-1]), ranks[::-1])
    np.testing.assert_allclose(expected_ranks(ratings, ["a"] * players), (players + 1) / 2)
    place = finish_probabilities(ratings, best)
    np.testing.assert_allclose(place.sum(0), 1.0)
    np.testing.assert_allclose(place @ np.arange(1.0, players + 1.0), ranks)


def test_expected_ranks_are_the_mean_places_of_the_games_that_were_rated() -> None:
    games = games_of(4)
    places = dict.fromkeys("abcd", 0.0)
    for game in games:
        for name, rank in zip(game.agents, game.ranks):
            others = np.array(game.ranks)
            places[name] += ((others < rank).sum() + ((others == rank).sum() + 1) / 2) / len(games)
    np.testing.assert_allclose(expected_ranks(fitted(4), list("abcd")), list(places.values()), atol=0.04)


def test_seats_matter_when_the_order_is_given() -> None:
    orders = (("a", "b"), ("b", "a"))
    games = [RatedGame(deal, order, (1, 2) if deal % 4 else (2, 1)) for deal in range(40) for order in orders]
    ratings = fit_ratings(games, bootstrap=0)
    np.testing.assert_allclose(expected_ranks(ratings, ["a", "b"]), 1.5, atol=1e-6)
    assert line_up_outcome(ratings, ["a", "b"], in_order=True).above[0, 1] == pytest.approx(0.75, abs=0.02)


def test_a_line_up_that_does_not_fit_is_refused_in_a_sentence() -> None:
    ratings = fitted(3)
    with pytest.raises(ValueError, match="has 3 agents, not 2"):
        expected_ranks(ratings, ["a", "b"])
    with pytest.raises(ValueError, match="'x' has no rating; rated are: a, b, c, d"):
        expected_ranks(ratings, ["a", "b", "x"])
