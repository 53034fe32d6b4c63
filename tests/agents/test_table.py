"""The numbers of a tournament and the tables that show them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from coin_league import league, played
from northmen_agents.arena.games import Games
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.schedule import GameKey, Schedule
from northmen_agents.arena.sequential import SequentialTest
from northmen_agents.arena.summary import Summary, wilson
from northmen_agents.arena.table import show, summarise


def shown(summary: Summary) -> str:
    out = io.StringIO()
    show(summary, Console(file=out, width=160), "A tournament")
    return out.getvalue()


def game(deal: int, agents: Sequence[str], ranks: Sequence[int], **changes: Any) -> GameResult:
    """Return a game that takes one decision of two seconds a seat and whose moves tell the deal and the agents."""
    n = len(agents)
    result = GameResult(
        key=GameKey(deal, ",".join(sorted(agents)), 0),
        agents=tuple(agents),
        seed=deal,
        ranks=tuple(ranks),
        returns=(0.0,) * n,
        scores=(0.0,) * n,
        decisions=(1,) * n,
        actions=tuple(ord(name[0]) for name in agents),
        digest="",
        seconds=(2.0,) * n,
    )
    return replace(result, **changes)


def test_the_numbers_of_a_small_tournament() -> None:
    results = [
        game(0, "abc", (1, 1, 3), decisions=(4, 2, 1), seconds=(2.0, 1.0, 0.5)),
        game(1, "cab", (2, 1, 3), decisions=(2, 4, 3), seconds=(0.5, 6.0, 0.5)),
    ]
    summary = summarise(results, bootstrap=0, seed=0)
    assert (summary.names, summary.games, summary.deals, summary.distinct) == (("a", "b", "c"), 2, 2, 1.0)
    assert summary.game_length == 8.0
    np.testing.assert_allclose(summary.mean_rank, [1.25, 2.25, 2.5])
    np.testing.assert_allclose(summary.first, [0.75, 0.25, 0.0])
    np.testing.assert_allclose(summary.decisions, [4.0, 2.5, 1.5])
    np.testing.assert_allclose(summary.seconds, [1.0, 0.3, 1 / 3])
    np.testing.assert_allclose(summary.above, [[np.nan, 0.75, 1.0], [0.25, np.nan, 0.5], [0.0, 0.5, np.nan]])
    np.testing.assert_array_equal(summary.met, 2 * (1 - np.eye(3)))
    np.testing.assert_allclose(summary.side_rank, [1.75, 1.25, 3.0])
    np.testing.assert_allclose(summary.side_first, [0.25, 0.75, 0.0])


def test_games_in_columns_and_one_by_one_give_the_same_summary() -> None:
    results = played(3, 2)
    first, second = (summarise(form, bootstrap=5, seed=0) for form in (results, Games.of(results)))
    assert shown(first) == shown(second)
    shuffled = summarise(results[::-1], bootstrap=5, seed=0)
    assert shown(shuffled) == shown(first)


def test_an_agent_on_two_seats_counts_for_each_but_never_meets_itself() -> None:
    summary = summarise([game(0, "aab", (1, 2, 3)), game(1, "aba", (1, 2, 2))], bootstrap=0, seed=0)
    assert summary.played.tolist() == [4, 2]
    assert summary.met.tolist() == [[0, 4], [4, 0]]
    assert summary.above[0, 1] == 3.5 / 4


def test_partners_are_rated_as_one() -> None:
    schedule = Schedule(("a", "b"), 4, 3, teams=((0, 2), (1, 3)))
    results = []
    for job in schedule:
        first = job.agents[0] == "a" or job.key.deal == 0
        results.append(replace(game(job.key.deal, job.agents, (1, 3, 1, 3) if first else (3, 1, 3, 1)), key=job.key))
    summary = summarise(results, bootstrap=0, seed=0, schedule=schedule)
    assert summary.played.tolist() == [6, 6], "one side a game"
    assert summary.side_names == ("0+2", "1+3")
    assert summary.mean_rank.tolist() == pytest.approx([7 / 6, 11 / 6])
    assert summary.decisions.tolist() == [2.0, 2.0], "of both seats together"
    assert summary.ratings is not None
    assert summary.ratings.seat_effect.shape == (2,)
    text = shown(summary)
    assert "0+2" in text and "partners on seats 0+2 and 1+3" in text
    with pytest.raises(ValueError, match="are partners, but a game ranks them differently"):
        summarise([game(0, "abab", (1, 2, 3, 4))], bootstrap=0, seed=0, schedule=schedule)


def test_solo_games_have_win_rates_and_scores_and_no_ratings() -> None:
    results = [
        game(deal, [name], [1], returns=(value,), scores=(score,))
        for name, games in {"good": [(1.0, 6.0)] * 3 + [(0.0, 6.0)], "poor": [(-1.0, 2.0)] * 3 + [(0.5, 5.0)]}.items()
        for deal, (value, score) in enumerate(games)
    ]
    summary = summarise(results, bootstrap=10, seed=0, schedule=Schedule(("good", "poor"), 1, 4))
    assert summary.ratings is None
    assert summary.solo is not None
    np.testing.assert_allclose(summary.solo.wins, [0.75, 0.0])
    np.testing.assert_allclose(summary.solo.score, [6.0, 2.75])
    np.testing.assert_allclose(summary.solo.score_high - summary.solo.score, [0.0, 3.182446 * 0.75], rtol=1e-6)
    text = shown(summary)
    assert re.search(r"good .* 75\.0 % .* 30\.1–95\.4 % .* 6\.00", text)
    assert "Solo: each of 2 agents plays each deal alone" in text
    assert "rating" not in text and "Seats" not in text


def test_the_ends_of_wilsons_interval_are_the_shares_that_a_score_test_just_accepts() -> None:
    wins, games = np.array([3, 0, 10, 520]), np.array([4, 10, 10, 1000])
    low, high = wilson(wins, games)
    for end in (low, high):
        np.testing.assert_allclose((wins / games - end) ** 2, 1.96**2 * end * (1 - end) / games, rtol=1e-4, atol=1e-12)
    assert (low >= 0).all() and (high <= 1).all(), "no -0.0 % where nothing was won"
    assert (low <= wins / games).all() and (wins / games <= high).all() and (low < high).all()


def test_fewer_than_90_percent_distinct_games_are_warned_of() -> None:
    results = [game(deal, order, (1, 2)) for deal in range(10) for order in ("ab", "ba")]
    assert "Warning" not in shown(summarise(results, bootstrap=0, seed=0))
    copies = [replace(result, actions=(0,)) for result in results]
    summary = summarise(copies, bootstrap=0, seed=0)
    assert summary.distinct == 0.5
    assert "50.0 % of them distinct" in shown(summary)
    assert "Warning: fewer than 90 % of the games are distinct" in shown(summary)


def test_agents_that_cheat_are_marked_wherever_they_are_named() -> None:
    text = shown(summarise(played(2, 2), bootstrap=0, seed=0, cheats=["mc-100", "somebody else"]))
    named = [line for line in text.splitlines() if "mc-100" in line]
    assert len(named) == 5, "ratings, and rows and columns of two tables"
    assert all("mc-100 (cheats)" in line for line in named)
    assert "cheats: the agent acts on what its seat cannot know." in text
    assert "cheats" not in shown(summarise(played(2, 2), bootstrap=0, seed=0))


def test_the_table_says_what_was_played_and_where_the_scale_is_held() -> None:
    schedule = Schedule(tuple(league()), 3, 2)
    text = shown(summarise(played(3, 2), bootstrap=5, seed=0, schedule=schedule, anchors={"random": 1000.0}))
    assert "4 line-ups (round-robin); 24 games per deal: all seat orders." in text
    assert "random is held at 1000" in text
    assert re.search(r"random *│ *1000 │ *± 0", text)
    assert "Expected place in a game of the best 3: " in text
    both = summarise(played(2, 2), bootstrap=0, seed=0, anchors={"random": 1000.0, "heuristic": 1200.0})
    assert "the anchors have the ratings they were given (heuristic 1200, random 1000)" in shown(both)


def test_without_bootstrap_there_are_no_intervals() -> None:
    text = shown(summarise(played(2, 2), bootstrap=0, seed=0))
    assert "nan" not in text
    assert re.search(r"random *│ *\d+ │ *– │", text)


def test_a_sequential_test_ends_the_table() -> None:
    schedule = Schedule(("a", "b"), 2, 200)
    results = [
        replace(game(job.key.deal, job.agents, (1, 2) if job.agents[0] == "a" else (2, 1)), key=job.key)
        for job in schedule
    ]
    test = SequentialTest(("a", "b"))
    summary = summarise(results, bootstrap=0, seed=0, schedule=schedule, sequential=test)
    assert summary.verdict is not None
    assert summary.verdict.decision == "high"
    assert f"Sequential test: a leads b by 35 points or more, rather than by 0 ({summary.verdict.deals} deals" in shown(
        summary
    )
    with pytest.raises(ValueError, match="pass schedule="):
        summarise(results, bootstrap=0, seed=0, sequential=test)


def test_many_agents_have_no_table_of_everybody_against_everybody() -> None:
    names = [f"agent{number}" for number in range(11)]
    results = [game(0, pair, (1, 2)) for pair in pairwise(names)]
    text = shown(summarise(results, bootstrap=0, seed=0))
    assert "Row finishes above column" not in text
    assert "More than 10 agents" in text


def test_the_guides_example_runs() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
    ratings = guide[guide.index("\n## Ratings\n") : guide.index("\n## Sequential test\n")]
    (example,) = re.findall(r"```python\n(.*?)```", ratings, re.DOTALL)
    exec(example, {"summary": summarise(played(3, 2), bootstrap=0, seed=0)})


def test_no_games_are_no_tournament() -> None:
    with pytest.raises(ValueError, match="no games"):
        summarise([], bootstrap=0, seed=0)
