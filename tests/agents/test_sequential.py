"""The sequential test: error rates, and a verdict that depends on nothing but the games."""

from __future__ import annotations

from math import inf, isnan, log
from typing import Any

import numpy as np
import pytest

from northmen_agents.arena.schedule import GameKey, Schedule
from northmen_agents.arena.sequential import DealByDeal, SequentialTest, points_of, score_of

Game = tuple[GameKey, tuple[str, ...], tuple[int, ...]]


def deals_of(kind: str, mean: float, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Return shares of deals with this mean.

    Args:
        kind: `"pair"`: two games without ties that do not influence each other; `"lopsided"`: one seat nearly always
            wins, so that nine of ten deals are split; `"copies"`: the games of a deal all end alike; `"smooth"`: many
            games a deal.
    """
    if kind == "pair":
        return ((rng.random(shape) < mean).astype(float) + (rng.random(shape) < mean)) / 2
    if kind == "lopsided":
        draw, lead = rng.random(shape), 2 * mean - 1
        lost = max(0.0, (0.1 - lead) / 2)
        return np.select([draw < lost, draw < 2 * lost + lead], [0.0, 1.0], 0.5)
    if kind == "copies":
        return (rng.random(shape) < mean).astype(float)
    return np.clip(mean + 0.1 * rng.standard_normal(shape), 0.0, 1.0)


def error_rates(kind: str, low: float, high: float, deals: int, tournaments: int) -> tuple[float, float]:
    """Return how often "high" was accepted where "low" is true, and the other way round."""
    test = SequentialTest(("a", "b"), low, high)
    rng = np.random.default_rng(0)
    rates = []
    for truth, wrong in ((low, "high"), (high, "low")):
        scores = deals_of(kind, score_of(truth), (tournaments, deals), rng)
        rates.append(np.mean([test.judge(row).decision == wrong for row in scores]))
    return float(rates[0]), float(rates[1])


KINDS = ["pair", "lopsided", "copies", "smooth"]
DIFFERENCES = [(0.0, 35.0, 1500), (0.0, 100.0, 400), (-10.0, 10.0, 3000)]


@pytest.mark.parametrize("kind", KINDS)
def test_equal_agents_are_told_apart_no_more_often_than_stated(kind: str) -> None:
    false_positives, false_negatives = error_rates(kind, 0.0, 35.0, 1000, 400)
    margin = 2.6 * (0.05 * 0.95 / 400) ** 0.5  # 99.5 % of samples from a true 5 %
    assert false_positives <= 0.05 + margin
    assert false_negatives <= 0.05 + margin


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("low", "high", "deals"), DIFFERENCES)
def test_error_rates_are_the_stated_ones_at_most(kind: str, low: float, high: float, deals: int) -> None:
    rates = error_rates(kind, low, high, deals, 10_000)
    print(f"{kind}, {low:g} against {high:g}: {rates[0]:.4f}, {rates[1]:.4f}")
    assert max(rates) <= 0.0555  # 99 % of samples from a true 5 %


def test_a_true_difference_is_found_in_fewer_deals_than_are_allowed() -> None:
    scores = deals_of("pair", score_of(35.0), (200, 3000), np.random.default_rng(1))
    verdicts = [SequentialTest(("a", "b")).judge(row) for row in scores]
    assert np.mean([verdict.decision == "high" for verdict in verdicts]) > 0.9
    assert np.mean([verdict.deals for verdict in verdicts]) < 400


def plan(players: int, deals: int) -> Schedule:
    return Schedule(("a", "b"), players, deals, orders="auto")


def games_of(schedule: Schedule, lead: float, seed: int = 0) -> list[Game]:
    """Return the results of all games, with ties; `lead` is that of "a" in log worth."""
    rng = np.random.default_rng(seed)
    found = []
    for job in schedule:
        luck = np.round(rng.gumbel(size=len(job.agents)) + [lead * (name == "a") for name in job.agents], 1)
        ranks = tuple(int(1 + (luck > value).sum()) for value in luck)
        found.append((job.key, job.agents, ranks))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_verdict_depends_on_the_deals_in_order_and_not_on_the_order_of_completion(players: int) -> None:
    schedule, test = plan(players, 150), SequentialTest(("a", "b"), 0.0, 60.0)
    games = games_of(schedule, 0.35)
    expected = DealByDeal(test, schedule).add_all(games)
    assert expected.decision == "high"
    assert 1 < expected.deals < 150
    rng = np.random.default_rng(2)
    for _ in range(20):
        shuffled = [games[i] for i in rng.permutation(len(games))]
        assert DealByDeal(test, schedule).add_all(shuffled) == expected
    enough = [game for game in games if game[0].deal < expected.deals]
    assert DealByDeal(test, schedule).add_all(enough) == expected
    less = [game for game in games if game[0].deal < expected.deals - 1]
    assert DealByDeal(test, schedule).add_all(less).decision == "undecided"


def test_a_deal_counts_when_all_its_games_are_in_and_those_before_it_are() -> None:
    schedule = plan(2, 3)
    games = games_of(schedule, 0.0)
    judge = DealByDeal(SequentialTest(("a", "b")), schedule)
    assert [judge.add(*game).deals for game in (games[4], games[5], games[0], games[2], games[1], games[3])] == [
        0, 0, 0, 0, 1, 3,
    ]  # fmt: skip


def test_a_share_counts_ties_half_and_every_meeting_of_the_two() -> None:
    schedule = plan(3, 1)
    games = [(job.key, job.agents, (1, 2, 2)) for job in schedule]
    verdict = DealByDeal(SequentialTest(("a", "b")), schedule).add_all(games)
    # Meetings of a with b are two in each of six games. The first seat wins against the others, these tie: a has
    # aab 1 + 1/2, aba 1 + 1/2, baa 0 + 0, abb 1 + 1, bab 0 + 1/2, bba 0 + 1/2.
    assert verdict.score == 6 / 12


def test_partners_are_one_meeting() -> None:
    schedule = Schedule(("a", "b"), 4, 1, teams=((0, 2), (1, 3)))
    games = [(job.key, job.agents, tuple(1 if name == "a" else 3 for name in job.agents)) for job in schedule]
    assert DealByDeal(SequentialTest(("a", "b")), schedule).add_all(games).score == 1.0


def test_a_few_equal_deals_decide_nothing() -> None:
    test = SequentialTest(("a", "b"))
    assert test.judge([0.5] * 20).decision == "undecided"
    assert test.judge([1.0] * 10).decision == "undecided"
    assert test.judge([0.5] * 500).decision == "low"
    assert test.judge([1.0] * 500).decision == "high"


def test_the_test_stops_at_the_first_deal_outside_the_bounds() -> None:
    test = SequentialTest(("a", "b"))
    scores = [0.75] * 60 + [0.0] * 500
    ratios = test.ratios(scores)
    lower, upper = test.bounds
    assert (lower, upper) == pytest.approx((-log(19), log(19)))
    verdict = test.judge(scores)
    assert verdict.decision == "high"
    assert ratios[verdict.deals - 1] == verdict.ratio >= upper
    assert (ratios[: verdict.deals - 1] < upper).all()
    assert test.judge(scores[: verdict.deals]) == verdict


def test_swapping_the_agents_swaps_the_verdict() -> None:
    schedule, games = plan(2, 120), games_of(plan(2, 120), 0.5)
    forward = DealByDeal(SequentialTest(("a", "b"), -30.0, 30.0), schedule).add_all(games)
    backward = DealByDeal(SequentialTest(("b", "a"), -30.0, 30.0), schedule).add_all(games)
    assert (forward.decision, backward.decision) == ("high", "low")
    assert forward.deals == backward.deals
    assert forward.ratio == pytest.approx(-backward.ratio)
    assert forward.score == pytest.approx(1.0 - backward.score)


def test_points_and_shares_are_inverse() -> None:
    assert score_of(0.0) == 0.5
    assert score_of(400.0) == pytest.approx(10 / 11)
    for points in (-300.0, -1.0, 0.0, 35.0):
        assert points_of(score_of(points)) == pytest.approx(points)
    assert (points_of(0.0), points_of(1.0)) == (-inf, inf)


def test_no_deal_is_no_verdict() -> None:
    verdict = SequentialTest(("a", "b")).judge([])
    assert (verdict.decision, verdict.deals, verdict.ratio) == ("undecided", 0, 0.0)
    assert isnan(verdict.score)


def test_the_verdict_is_a_sentence() -> None:
    test = SequentialTest(("new", "old"))
    assert test.described(test.judge([1.0] * 500)).startswith(
        "Sequential test: new leads old by 35 points or more, rather"
    )
    assert "by 0 points or less, rather than by 35" in test.described(test.judge([0.5] * 500))
    assert "undecided between new leading old by 0 and by 35 points (10 deals" in test.described(test.judge([0.5] * 10))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"agents": ("a", "a")}, "two different agents"),
        ({"low": 35.0}, "low must be less than high"),
        ({"alpha": 0.0}, "error rates between 0 and 0.5"),
        ({"beta": 0.7}, "error rates between 0 and 0.5"),
    ],
)
def test_a_test_that_cannot_be_made_is_refused_in_a_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        SequentialTest(**{"agents": ("a", "b"), **change})


def test_other_agents_and_solo_games_are_refused() -> None:
    for schedule in (Schedule(("a", "b", "c"), 2, 1), Schedule(("a", "b"), 1, 1)):
        with pytest.raises(ValueError, match="between these two and nobody else"):
            DealByDeal(SequentialTest(("a", "b")), schedule)
