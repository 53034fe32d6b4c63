"""The measure of what shared deals are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from northmen_agents.arena.pairing import Pairing, pairing
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.schedule import Schedule


def results(schedule: Schedule, luck: float, seed: int = 0) -> list[GameResult]:
    """Return games whose scores are the luck that a deal gives to a seat, and noise of variance 1."""
    rng = np.random.default_rng(seed)
    shared = luck * rng.normal(size=(schedule.deals, schedule.players))
    zeros = (0.0,) * schedule.players
    found = []
    for job in schedule:
        points = shared[job.key.deal] + rng.normal(size=schedule.players)
        ranks = tuple(int(1 + (points > own).sum()) for own in points)
        found.append(
            GameResult(job.key, job.agents, job.seed, ranks, zeros, zeros, (0,) * schedule.players, (), "", zeros)
        )
    return found


HEAD_TO_HEAD = Schedule(("a", "b"), 2, 600)
COMMON_OPPONENT = Schedule(("a", "b", "c"), 2, 600, line_ups="many-against-one", focus=("c",))
THREE_SEATS = Schedule(("a", "b"), 3, 300, orders="auto")


@pytest.mark.parametrize("schedule", [HEAD_TO_HEAD, COMMON_OPPONENT, THREE_SEATS], ids=["two", "common", "three"])
def test_luck_that_games_share_is_paired_away(schedule: Schedule) -> None:
    without, much = (pairing(results(schedule, luck), "a", "b") for luck in (0.0, 2.0))
    assert without.low < 1.0 < without.high
    assert much.high < 0.6
    assert (without.deals, without.games) == (schedule.deals, schedule.games_per_deal)


def test_the_variances_are_those_of_tournaments_that_share_deals_or_do_not() -> None:
    paired = pairing(results(HEAD_TO_HEAD, 1.0), "a", "b")
    shared, independent = [], []
    for seed in range(600):
        first = results(Schedule(("a", "b"), 2, 1), 1.0, 1000 + 2 * seed)
        second = results(Schedule(("a", "b"), 2, 1), 1.0, 1001 + 2 * seed)
        won = [[1.0 if game.ranks[game.agents.index("a")] == 1 else -1.0 for game in deal] for deal in (first, second)]
        shared.append((won[0][0] + won[0][1]) / 2)
        independent.append((won[0][0] + won[1][1]) / 2)
    assert paired.shared == pytest.approx(np.var(shared), rel=0.2)
    assert paired.independent == pytest.approx(np.var(independent), rel=0.2)
    assert paired.difference == pytest.approx(0.0, abs=0.1)


def test_games_of_neither_agent_have_no_part() -> None:
    schedule = Schedule(("a", "b", "c", "d"), 2, 50)
    everything = results(schedule, 1.0)
    concerned = [game for game in everything if {"a", "b"} & set(game.agents)]
    assert pairing(everything, "a", "b") == pairing(concerned, "a", "b")
    assert pairing(everything, "a", "b").games == 10


def test_agents_that_never_differ_have_no_ratio() -> None:
    games = [replace(game, ranks=(1, 1)) for game in results(Schedule(("a", "b"), 2, 5), 0.0)]
    found = pairing(games, "a", "b")
    assert (found.shared, found.independent) == (0.0, 0.0)
    assert np.isnan([found.ratio, found.low, found.high]).all()
    assert Pairing(1, 1, 0.0, 1.0, 4.0, 0.0, 0.0).ratio == 0.25


def test_games_that_cannot_be_compared_are_refused_in_a_sentence() -> None:
    games = results(Schedule(("a", "b"), 2, 3), 0.0)
    with pytest.raises(ValueError, match="every deal has to be played in the same line-ups and orders"):
        pairing(games[:-1], "a", "b")
    with pytest.raises(ValueError, match="'x' did not play; the agents are: a, b"):
        pairing(games, "a", "x")
    with pytest.raises(ValueError, match="at least two deals"):
        pairing(games[:2], "a", "b")
