"""The batch fit: ties, seats, order of games and names, intervals by blocks."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from northmen_agents.arena.ratings import SCALE, RatedGame, fit_ratings
from northmen_agents.arena.tied_choices import stages


def synthetic(strength: dict[str, float], deals: int, seat_effect: list[float], seed: int = 0) -> list[RatedGame]:
    """Return games by the Plackett–Luce model itself (Gumbel noise), every order of all agents on each deal."""
    rng = np.random.default_rng(seed)
    games = []
    for deal in range(deals):
        for order in permutations(strength):
            worth = np.array([strength[name] for name in order]) + seat_effect + rng.gumbel(size=len(order))
            ranks = tuple(int(rank) for rank in np.argsort(np.argsort(-worth)) + 1)
            games.append(RatedGame(deal, order, ranks))
    return games


def tie_patterns(players: int) -> list[tuple[int, ...]]:
    """Return every pattern of ties, best first, ties sharing the better rank: (1, 1, 3), (1, 2, 2), ..."""
    found = []
    for levels in product((False, True), repeat=players - 1):
        ranks = [1]
        for place, new_level in enumerate(levels, 2):
            ranks.append(place if new_level else ranks[-1])
        found.append(tuple(ranks))
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_pattern_of_ties_rates_a_better_place_higher_and_equal_places_equal(players: int) -> None:
    names = tuple("abcde"[:players])
    for ranks in tie_patterns(players):
        place = dict(zip(names, ranks))
        # Every seat order, so that no seat is favoured.
        games = [RatedGame(0, order, tuple(place[name] for name in order)) for order in permutations(names)]
        fitted = fit_ratings(games, bootstrap=0)
        for (a, rating_a), (b, rating_b) in product(zip(fitted.names, fitted.rating), repeat=2):
            if place[a] == place[b]:
                assert abs(rating_a - rating_b) < 1e-6, (ranks, a, b)
            elif place[a] < place[b]:
                assert rating_a > rating_b + 1.0, (ranks, a, b)


def test_the_order_of_games_and_of_listing_changes_nothing() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 6, [0.3, 0.0, -0.3])
    games = [RatedGame(g.block, g.agents, (1, 1, 3) if i % 5 == 0 else g.ranks) for i, g in enumerate(games)]
    expected = fit_ratings(games, bootstrap=20)
    rng = np.random.default_rng(1)
    for _ in range(20):
        shuffled = [games[i] for i in rng.permutation(len(games))]
        found = fit_ratings(shuffled, bootstrap=20)
        assert found.names == expected.names
        for part in ("rating", "low", "high", "seat_effect", "seat_low", "seat_high"):
            np.testing.assert_allclose(getattr(found, part), getattr(expected, part), rtol=0, atol=1e-9)


def test_names_change_nothing() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 6, [0.0, 0.0, 0.0])
    renamed = {"a": "z", "b": "m", "c": "k"}
    other = [RatedGame(g.block, tuple(renamed[name] for name in g.agents), g.ranks) for g in games]
    first, second = fit_ratings(games, bootstrap=0), fit_ratings(other, bootstrap=0)
    by_name = dict(zip(second.names, second.rating))
    for name, rating in zip(first.names, first.rating):
        assert abs(by_name[renamed[name]] - rating) < 1e-9


def test_only_the_order_of_ranks_counts() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 4, [0.0, 0.0, 0.0])
    stretched = [RatedGame(g.block, g.agents, tuple(10 * rank for rank in g.ranks)) for g in games]
    np.testing.assert_array_equal(fit_ratings(games, bootstrap=0).rating, fit_ratings(stretched, bootstrap=0).rating)


def test_known_strengths_and_seat_effects_are_found() -> None:
    strength = {"a": -0.6, "b": 0.0, "c": 0.2, "d": 0.9}
    seats = [0.5, 0.1, -0.2, -0.4]
    fitted = fit_ratings(synthetic(strength, 120, seats), bootstrap=0)
    truth = SCALE * np.array(list(strength.values()))
    np.testing.assert_allclose(fitted.rating - 1500.0, truth - truth.mean(), atol=20.0)
    np.testing.assert_allclose(fitted.seat_effect, SCALE * np.array(seats), atol=20.0)


def test_two_equal_agents_with_a_strong_seat_are_rated_equal() -> None:
    games = [RatedGame(deal, order, (1, 2)) for deal in range(30) for order in (("a", "b"), ("b", "a"))]
    fitted = fit_ratings(games, bootstrap=20)
    assert abs(fitted.rating[0] - fitted.rating[1]) < 1e-6
    assert fitted.seat_effect[0] - fitted.seat_effect[1] > 400
    assert fitted.high[0] - fitted.low[0] < 1e-6, "each deal says the same, so there is no doubt about the agents"


def test_an_agent_that_never_loses_has_a_finite_rating() -> None:
    games = [RatedGame(deal, order, rank) for deal in range(50) for order, rank in
             ((("best", "worst"), (1, 2)), (("worst", "best"), (2, 1)))]  # fmt: skip
    fitted = fit_ratings(games, bootstrap=10)
    assert np.isfinite(fitted.rating).all()
    assert fitted.rating[0] > fitted.rating[1] + 400


def test_copies_of_a_deals_games_do_not_make_the_interval_smaller() -> None:
    games = synthetic({"a": 0.0, "b": 0.5}, 40, [0.0, 0.0])
    single, copied = fit_ratings(games, bootstrap=200), fit_ratings(games * 10, bootstrap=200)
    width, copied_width = single.high - single.low, copied.high - copied.low
    assert (copied_width > 0.9 * width).all()


def test_more_deals_make_the_interval_smaller() -> None:
    few = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 25, [0.0, 0.0]), bootstrap=200)
    many = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 400, [0.0, 0.0]), bootstrap=200)
    assert ((many.high - many.low) < 0.5 * (few.high - few.low)).all()


def test_one_deal_gives_no_interval() -> None:
    fitted = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 1, [0.0, 0.0]))
    assert np.isnan(fitted.low).all()
    assert np.isnan(fitted.high).all()


def test_the_interval_is_as_wide_as_ratings_of_other_deals_are_apart() -> None:
    fits = [fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 20, [0.0, 0.0], seed), bootstrap=30) for seed in range(60)]
    spread = np.std([fitted.rating[0] for fitted in fits], ddof=1)
    half_width = np.mean([(fitted.high[0] - fitted.low[0]) / 2 for fitted in fits])
    assert 0.75 < half_width / (2.093 * spread) < 1.35  # Student's 97.5 % quantile for 20 deals


@pytest.mark.long
def test_the_interval_covers_the_truth_in_95_of_100_tournaments() -> None:
    strength = {"a": -0.5, "b": 0.0, "c": 0.5}
    truth = SCALE * np.array(list(strength.values())) + 1500.0
    covered = []
    for seed in range(400):
        fitted = fit_ratings(synthetic(strength, 40, [0.2, 0.0, -0.2], seed), bootstrap=200, seed=seed)
        covered.append((fitted.low <= truth) & (truth <= fitted.high))
    assert 0.925 <= np.mean(covered) <= 0.975


def test_a_result_is_a_series_of_choices() -> None:
    first, second, third = (0, 1), (1, 0), (2, 2)  # (agent, seat)
    assert stages([1, 0, 2], [1, 1, 3]) == [((first, second, third), (first, second))]
    assert stages([1, 0, 2], [2, 1, 2]) == [((first, second, third), (first,)), ((second, third), (second, third))]


def test_no_games_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        fit_ratings([])
