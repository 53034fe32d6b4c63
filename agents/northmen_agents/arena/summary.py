"""What a finished tournament says, as numbers; `table` prints them and `northmen report` draws them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from northmen_agents.arena.games import Games
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.ratings import Ratings, fit_columns
from northmen_agents.arena.schedule import GameKey, Schedule
from northmen_agents.arena.sequential import DealByDeal, SequentialTest, Verdict

FEW_DISTINCT = 0.9
"""Below this share of distinct games the table warns."""

SOLO_WIN = 1.0
"""A solo game that returns this much was won, whatever `reward` is; a draw returns 0 (BLOOD-END-06, BLOOD-END-08)."""


@dataclass(frozen=True)
class Solo:
    """What games of one player say; float64 (K,) each, with 95 % intervals over the deals.

    Attributes:
        wins, wins_low, wins_high: share of the games won, with Wilson's interval.
        score, score_low, score_high: mean score, with Student's interval; NaN with fewer than two games.
    """

    wins: np.ndarray
    wins_low: np.ndarray
    wins_high: np.ndarray
    score: np.ndarray
    score_low: np.ndarray
    score_high: np.ndarray


@dataclass(frozen=True)
class Summary:
    """The numbers behind tables and report: K agents, n sides; a side is a seat, or the seats of partners.

    Attributes:
        names: the agents, sorted; arrays (K,) are in this order.
        games, deals: how many there were.
        distinct: share of the games that differ from all others in their deal or their moves.
        game_length: mean number of decisions of a game.
        ratings: see `ratings.Ratings`; None for games of one player.
        solo: see `Solo`; None for games of several players.
        played: int64 (K,), sides taken: an agent that sits twice counts twice.
        mean_rank: float64 (K,), ties share the mean of the places they take.
        first: float64 (K,), share of the games won, a shared first place counting its part.
        decisions: float64 (K,), per side and game.
        seconds: float64 (K,), per decision.
        above: float64 (K, K), how often row finished above column, ties half; NaN where they never met. This is what
            was observed; `ratings.above` is what the model expects.
        met: int64 (K, K), how often they met.
        side_names: n texts, the seats of each side: "0", or "0+2" for partners.
        side_rank, side_first: float64 (n,), mean rank and share of first places of each side, whoever sat there.
        cheats: names of agents that act on what their seat cannot know.
        plan: a sentence on line-ups and seat orders; empty where the schedule is not known.
        test, verdict: the sequential test and where it stands, if there is one.
    """

    names: tuple[str, ...]
    games: int
    deals: int
    distinct: float
    game_length: float
    ratings: Ratings | None
    solo: Solo | None
    played: np.ndarray
    mean_rank: np.ndarray
    first: np.ndarray
    decisions: np.ndarray
    seconds: np.ndarray
    above: np.ndarray
    met: np.ndarray
    side_names: tuple[str, ...]
    side_rank: np.ndarray
    side_first: np.ndarray
    cheats: frozenset[str] = frozenset()
    plan: str = ""
    test: SequentialTest | None = None
    verdict: Verdict | None = None


def summarise(
    results: Iterable[GameResult],
    *,
    bootstrap: int,
    seed: int,
    schedule: Schedule | None = None,
    anchors: Mapping[str, float] | None = None,
    cheats: Collection[str] = (),
    sequential: SequentialTest | None = None,
) -> Summary:
    """Return the summary of the games of a tournament.

    Args:
        results: at least one game; `Games` are read fastest.
        bootstrap: resamples of the deals behind the intervals, 0 for none.
        seed: of the bootstrap.
        schedule: what was played; it is needed for partners and for a sequential test.
        anchors: agent -> rating, see `ratings`; without meaning for games of one player.
        cheats: names of agents that act on what their seat cannot know.
        sequential: the test that the games were played for.

    Raises:
        ValueError: there are no games, partners have different ranks, or anchors or test name others than played.
    """
    games = Games.of(results)
    if len(games) == 0:
        raise ValueError("there are no games to summarise")
    sides = schedule.sides if schedule else tuple((seat,) for seat in range(games.seats))
    heads = [side[0] for side in sides]
    for side in sides:
        if (games.ranks[:, side] != games.ranks[:, side[:1]]).any():
            raise ValueError(f"seats {side} are partners, but a game ranks them differently")
    agents, ranks = games.agents[:, heads], games.ranks[:, heads]
    places = (ranks[:, :, None] > ranks[:, None, :]).sum(2) + ((ranks[:, :, None] == ranks[:, None, :]).sum(2) + 1) / 2
    firsts = (places == places.min(1, keepdims=True)) / (places == places.min(1, keepdims=True)).sum(1, keepdims=True)
    k = len(games.names)

    def by_agent(values: np.ndarray) -> np.ndarray:
        sums: np.ndarray = np.bincount(agents.ravel(), values.ravel(), k)
        return sums

    def of_sides(values: np.ndarray) -> np.ndarray:
        return np.stack([values[:, side].sum(1) for side in sides], 1)

    played = np.bincount(agents.ravel(), minlength=k)
    decided, spent = by_agent(of_sides(games.decisions)), by_agent(of_sides(games.seconds))
    above, met = _cross_table(agents, ranks, k)
    solo = len(sides) == 1
    return Summary(
        names=games.names,
        games=len(games),
        deals=len(np.unique(games.deal)),
        distinct=len(set(zip(games.seeds, games.actions))) / len(games),
        game_length=float(games.decisions.sum(1).mean()),
        ratings=None
        if solo
        else fit_columns(games.names, agents, ranks, games.deal, bootstrap=bootstrap, seed=seed, anchors=anchors),
        solo=_solo(games, k) if solo else None,
        played=played,
        mean_rank=by_agent(places) / played,
        first=by_agent(firsts) / played,
        decisions=decided / played,
        seconds=spent / np.maximum(decided, 1),
        above=above,
        met=met,
        side_names=tuple("+".join(map(str, side)) for side in sides),
        side_rank=places.mean(0),
        side_first=firsts.mean(0),
        cheats=frozenset(cheats) & frozenset(games.names),
        plan=schedule.described() if schedule else "",
        test=sequential,
        verdict=_verdict(games, schedule, sequential),
    )


def _cross_table(agents: np.ndarray, ranks: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return float64 (K, K): share of the meetings in which row finished above column; int64 (K, K): meetings."""
    half_points, met = np.zeros((k, k), np.int64), np.zeros((k, k), np.int64)
    for a in range(agents.shape[1]):
        for b in range(agents.shape[1]):
            if a != b:
                points = 2 * (ranks[:, a] < ranks[:, b]) + (ranks[:, a] == ranks[:, b])
                np.add.at(half_points, (agents[:, a], agents[:, b]), points)
                np.add.at(met, (agents[:, a], agents[:, b]), 1)
    np.fill_diagonal(met, 0)
    shares: np.ndarray = np.divide(half_points, 2 * met, out=np.full((k, k), np.nan), where=met > 0)
    return shares, met


def _solo(games: Games, k: int) -> Solo:
    agents, scores = games.agents[:, 0], games.scores[:, 0]
    n = np.bincount(agents, minlength=k)
    wins = np.bincount(agents, games.returns[:, 0] >= SOLO_WIN, k).astype(np.int64)
    mean = np.bincount(agents, scores, k) / n
    squares = np.bincount(agents, (scores - mean[agents]) ** 2, k)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = stdtrit(n - 1.0, 0.975) * np.sqrt(squares / (n - 1) / n)
    half = np.where(n > 1, half, np.nan)
    return Solo(wins / n, *wilson(wins, n), mean, mean - half, mean + half)


def wilson(wins: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the 95 % interval of a share (Wilson: Probable inference, 1927).

    Args:
        wins, games: int64 (...), successes and trials, `games` > 0.
    """
    z2 = 1.959963984540054**2
    share = wins / games
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = np.sqrt(z2 * (share * (1 - share) / games + z2 / (4 * games**2))) / (1 + z2 / games)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def _verdict(games: Games, schedule: Schedule | None, test: SequentialTest | None) -> Verdict | None:
    if test is None:
        return None
    if schedule is None:
        raise ValueError("a sequential test is judged by its schedule: pass schedule=")
    names = games.names
    keys = (GameKey(*key) for key in zip(games.deal.tolist(), games.line_ups, games.order.tolist()))
    agents = ([names[i] for i in row] for row in games.agents.tolist())
    return DealByDeal(test, schedule).add_all(zip(keys, agents, games.ranks.tolist()))
