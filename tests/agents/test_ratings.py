"""The batch fit: ties, seats, order of games and names, intervals by blocks."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

import northmen_env as nm
from northmen_agents import make_factory
from northmen_agents.arena.execute import run_here
from northmen_agents.arena.odds import above_matrix
from northmen_agents.arena.ratings import SCALE, RatedGame, Ratings, fit_columns, fit_ratings
from northmen_agents.arena.schedule import Orders, Schedule
from northmen_agents.arena.summary import summarise
from northmen_agents.arena.tied_choices import stages

PARTS = (
    "rating", "low", "high", "seat_effect", "seat_low", "seat_high", "above", "above_low", "above_high",
)  # fmt: skip


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


def results_of(utility: np.ndarray, ties: dict[int, float], rng: np.random.Generator) -> np.ndarray:
    """Return ranks (N, n) of games that follow the model, ties included.

    Args:
        utility: float64 (N, n), log worth of each agent on its seat.
        ties: size of a tie -> log delta.
        rng: decides the games.
    """
    games, n = utility.shape
    ranks, left = np.zeros((games, n), int), np.full((games, n), True)
    for who in product((True, False), repeat=n):  # every set of seats that may be left, larger ones first
        if not any(who):
            continue
        here = np.flatnonzero((left == who).all(1))
        seats = np.flatnonzero(who)
        sets = [s for size in (1, *ties) if size <= len(seats) for s in combinations(seats.tolist(), size)]
        weight = [utility[here][:, list(s)].mean(1) + (ties[len(s)] if len(s) > 1 else 0.0) for s in sets]
        chosen = (np.array(weight) + rng.gumbel(size=(len(sets), len(here)))).argmax(0)  # Gumbel's way to draw
        for number, winners in enumerate(sets):
            games_here = np.ix_(here[chosen == number], winners)
            ranks[games_here], left[games_here] = n - len(seats) + 1, False
    return ranks


class Truth:
    """A tournament of K agents with known strengths on n seats of known effects, to be played again and again."""

    def __init__(
        self, players: int, agents: int, ties: dict[int, float], orders: Orders = "auto", luck: float = 0.0
    ) -> None:
        self.names = tuple("abcdefgh"[:agents])
        jobs = Schedule(self.names, players, 1, orders=orders)
        self.line_ups = np.array([[self.names.index(name) for name in job.agents] for job in jobs])
        self.strength = np.linspace(-0.6, 0.6, agents)
        self.seats = np.linspace(0.4, -0.4, players)
        self.ties, self.luck = ties, luck

    def fitted(self, deals: int, bootstrap: int, seed: int) -> Ratings:
        """Return ratings from new games. With `luck`, the games of a deal share good and bad cards of its seats."""
        rng = np.random.default_rng(seed)
        agents = np.tile(self.line_ups, (deals, 1))
        deal = np.repeat(np.arange(deals), len(self.line_ups))
        shared = self.luck * rng.gumbel(size=(deals, len(self.seats)))[deal]
        ranks = results_of(self.strength[agents] + self.seats + shared, self.ties, rng)
        return fit_columns(self.names, agents, ranks, deal, bootstrap=bootstrap, seed=seed)

    def known(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what the fit should find: ratings, seat effects, probabilities to finish above."""
        if self.luck:  # luck that is shared makes differences smaller; only very many deals tell by how much
            many = self.fitted(20_000, 0, 987_654_321)
            return many.rating, many.seat_effect, many.above
        above = above_matrix(self.strength, self.seats, self.ties)
        return 1500.0 + SCALE * self.strength, SCALE * self.seats, above

    def coverage(self, tournaments: int, deals: int, bootstrap: int) -> tuple[float, float, float]:
        """Return how often the intervals of ratings, seat effects and probabilities held the truth."""
        rating, seat, above = self.known()
        apart = ~np.eye(len(rating), dtype=bool)
        hits: list[list[np.ndarray]] = [[], [], []]
        for seed in range(tournaments):
            f = self.fitted(deals, bootstrap, seed)
            hits[0].append((f.low <= rating) & (rating <= f.high))
            hits[1].append((f.seat_low <= seat) & (seat <= f.seat_high))
            hits[2].append(((f.above_low <= above) & (above <= f.above_high))[apart])
        return float(np.mean(hits[0])), float(np.mean(hits[1])), float(np.mean(hits[2]))


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


def test_100_shuffles_of_games_and_names_change_nothing() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 6, [0.3, 0.0, -0.3])
    games = [RatedGame(g.block, g.agents, (1, 1, 3) if i % 5 == 0 else g.ranks) for i, g in enumerate(games)]
    anchors = {"a": 1000.0, "c": 1200.0}
    expected = fit_ratings(games, bootstrap=10, anchors=anchors)
    rng = np.random.default_rng(1)
    for _ in range(100):
        renamed = dict(zip("abc", rng.permutation(["fox", "owl", "ram"]).tolist()))
        shuffled = [
            RatedGame(games[i].block, tuple(renamed[name] for name in games[i].agents), games[i].ranks)
            for i in rng.permutation(len(games))
        ]
        other = {renamed[name]: value for name, value in reversed(anchors.items())}
        found = fit_ratings(shuffled, bootstrap=10, anchors=other)
        at = [found.names.index(renamed[name]) for name in expected.names]
        for part in PARTS:
            value = getattr(found, part)
            value = value if part.startswith("seat") else value[np.ix_(at, at)] if value.ndim == 2 else value[at]
            np.testing.assert_allclose(value, getattr(expected, part), rtol=0, atol=1e-9, err_msg=part)
        assert found.ties == pytest.approx(expected.ties, rel=0, abs=1e-9)


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
    assert fitted.low[0] < fitted.rating[1] < fitted.high[0]


def test_an_agent_that_never_loses_has_a_finite_rating() -> None:
    games = [RatedGame(deal, order, rank) for deal in range(50) for order, rank in
             ((("best", "worst"), (1, 2)), (("worst", "best"), (2, 1)))]  # fmt: skip
    fitted = fit_ratings(games, bootstrap=10)
    assert np.isfinite(fitted.rating).all()
    assert fitted.rating[0] > fitted.rating[1] + 400


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_copies_of_a_deals_games_do_not_make_the_interval_smaller(players: int) -> None:
    truth = Truth(players, 3, {2: -1.0}, "rotations")
    rng = np.random.default_rng(3)
    agents, deal = np.tile(truth.line_ups, (20, 1)), np.repeat(np.arange(20), len(truth.line_ups))
    ranks = results_of(truth.strength[agents] + truth.seats, truth.ties, rng)
    single = fit_columns(truth.names, agents, ranks, deal, bootstrap=50)
    copied = fit_columns(
        truth.names, np.tile(agents, (10, 1)), np.tile(ranks, (10, 1)), np.tile(deal, 10), bootstrap=50
    )
    assert (copied.high - copied.low > 0.99 * (single.high - single.low)).all()
    assert (copied.seat_high - copied.seat_low > 0.99 * (single.seat_high - single.seat_low)).all()


def test_seats_that_only_copy_a_game_do_not_make_the_interval_smaller() -> None:
    """Four seats of two agents whose pairs always finish together say no more than two seats do."""
    rng = np.random.default_rng(4)
    two, four = [], []
    for deal in range(60):
        for first, second in (("a", "b"), ("b", "a")):
            won = rng.random() < (0.65 if first == "a" else 0.35)
            two.append(RatedGame(deal, (first, second), (1, 2) if won else (2, 1)))
            ranks = (1, 1, 3, 3) if won else (3, 3, 1, 1)
            four.append(RatedGame(deal, (first, first, second, second), ranks))
    narrow, wide = fit_ratings(two, bootstrap=200), fit_ratings(four, bootstrap=200)
    signal = [(fit.rating[0] - fit.rating[1]) / (fit.high[0] - fit.low[0]) for fit in (narrow, wide)]
    assert signal[1] < 1.15 * signal[0], "the same evidence looks stronger because it is written down twice"


def test_more_deals_make_the_interval_smaller() -> None:
    few = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 25, [0.0, 0.0]), bootstrap=200)
    many = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 400, [0.0, 0.0]), bootstrap=200)
    assert ((many.high - many.low) < 0.5 * (few.high - few.low)).all()


def test_one_deal_gives_no_interval() -> None:
    fitted = fit_ratings(synthetic({"a": 0.0, "b": 0.5}, 1, [0.0, 0.0]))
    assert np.isnan(fitted.low).all()
    assert np.isnan(fitted.high).all()


TIES: dict[int, dict[int, float]] = {2: {2: -1.0}, 3: {2: -1.0, 3: -2.0}, 4: {2: -1.0, 3: -2.0}, 5: {2: -1.5}}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_intervals_cover_the_truth(players: int) -> None:
    """A short form of the test below."""
    ratings, seats, _ = Truth(players, max(3, players), TIES[players], "rotations").coverage(40, 16, 40)
    margin = 3 * (0.05 * 0.95 / (40 * players)) ** 0.5
    assert abs((ratings + seats) / 2 - 0.95) < margin


@pytest.mark.long
@pytest.mark.parametrize("luck", [0.0, 1.0], ids=["independent games", "deals with luck"])
@pytest.mark.parametrize(
    ("players", "agents", "orders", "tournaments"),  # two of either: few intervals, so many tournaments
    [(2, 4, "all", 800), (3, 3, "all", 250), (4, 4, "balanced", 250), (5, 5, "rotations", 250), (4, 2, "all", 800)],
    ids=["2 seats", "3 seats", "4 seats", "5 seats", "2 agents on 4 seats"],
)
def test_95_percent_intervals_cover_the_truth_in_93_to_97_percent(
    players: int, agents: int, orders: Orders, tournaments: int, luck: float
) -> None:
    found = Truth(players, agents, TIES[players], orders, luck).coverage(tournaments, 30, 60)
    print(
        f"{players} seats, {agents} agents, luck {luck:g}: ratings, seats, odds", *(f"{share:.3f}" for share in found)
    )
    assert all(0.93 <= share <= 0.97 for share in found), found


def test_equal_agents_are_rated_equal_although_seats_differ() -> None:
    """Random against random at Saga, where the first of two seats wins more."""
    game = nm.load("saga", num_players=2)
    agents = {"one": make_factory("random"), "two": make_factory("random")}
    schedule = Schedule(tuple(agents), 2, 200)
    ratings = summarise([r for chunk in run_here(game, agents, schedule) for r in chunk], bootstrap=100, seed=0).ratings
    assert ratings is not None
    assert (ratings.low < 1500.0).all() and (ratings.high > 1500.0).all()
    assert ratings.above_low[0, 1] < 0.5 < ratings.above_high[0, 1]
    assert ratings.seat_low[0] > 0.0 > ratings.seat_high[1], "the seats differ by more than chance"


def test_one_anchor_moves_the_table_and_changes_no_difference() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 20, [0.2, 0.0, -0.2])
    free, held = fit_ratings(games), fit_ratings(games, anchors={"b": 1000.0})
    assert held.rating[1] == pytest.approx(1000.0)
    assert held.low[1] == pytest.approx(1000.0) == held.high[1], "what fixes the scale has no interval"
    np.testing.assert_allclose(np.diff(held.rating), np.diff(free.rating))
    np.testing.assert_array_equal(held.above, free.above)
    np.testing.assert_array_equal(held.seat_effect, free.seat_effect)
    assert free.anchors == {}
    assert held.anchors == {"b": 1000.0}


def test_several_anchors_have_their_ratings_on_average() -> None:
    games = synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 20, [0.2, 0.0, -0.2])
    free, held = fit_ratings(games, bootstrap=0), fit_ratings(games, bootstrap=0, anchors={"a": 900.0, "c": 1300.0})
    assert (held.rating[0] + held.rating[2]) / 2 == pytest.approx(1100.0)
    np.testing.assert_allclose(np.diff(held.rating), np.diff(free.rating))


def test_anchors_make_tables_of_different_tournaments_comparable() -> None:
    """A new agent gets the same rating, whoever else plays, if the frozen agent is held."""
    strong = synthetic({"frozen": 0.0, "new": 0.5, "strong": 1.5}, 150, [0.0, 0.0, 0.0], seed=1)
    weak = synthetic({"frozen": 0.0, "new": 0.5, "weak": -1.5}, 150, [0.0, 0.0, 0.0], seed=2)
    found = [fit_ratings(games, bootstrap=0, anchors={"frozen": 1500.0}) for games in (strong, weak)]
    assert abs(found[0].rating[1] - found[1].rating[1]) < 30.0
    free = [fit_ratings(games, bootstrap=0) for games in (strong, weak)]
    assert abs(free[0].rating[1] - free[1].rating[1]) > 100.0


def test_an_anchor_that_did_not_play_is_an_error() -> None:
    with pytest.raises(ValueError, match="the anchor 'x' did not play; rated are: a, b"):
        fit_ratings([RatedGame(0, ("a", "b"), (1, 2))], anchors={"x": 1500.0})


def test_the_odds_table_has_its_intervals_round_it() -> None:
    fitted = fit_ratings(synthetic({"a": 0.0, "b": 0.4, "c": 1.0}, 30, [0.2, 0.0, -0.2]))
    apart = ~np.eye(3, dtype=bool)
    low, p, high = fitted.above_low[apart], fitted.above[apart], fitted.above_high[apart]
    assert (low > 0.0).all() and (low < p).all() and (p < high).all() and (high < 1.0).all()
    np.testing.assert_allclose((fitted.above + fitted.above.T)[apart], 1.0)
    np.testing.assert_allclose((fitted.above_low + fitted.above_high.T)[apart], 1.0)
    assert np.isnan(np.diag(fitted.above)).all()


def test_a_result_is_a_series_of_choices() -> None:
    first, second, third = (0, 1), (1, 0), (2, 2)  # (agent, seat)
    assert stages([1, 0, 2], [1, 1, 3]) == [((first, second, third), (first, second))]
    assert stages([1, 0, 2], [2, 1, 2]) == [((first, second, third), (first,)), ((second, third), (second, third))]


def test_games_that_cannot_be_rated_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        fit_ratings([])
    with pytest.raises(ValueError, match="at least two seats"):
        fit_ratings([RatedGame(0, ("a",), (1,))])
    with pytest.raises(ValueError, match="one number of seats"):
        fit_ratings([RatedGame(0, ("a", "b"), (1, 2)), RatedGame(0, ("a", "b", "c"), (1, 2, 3))])
