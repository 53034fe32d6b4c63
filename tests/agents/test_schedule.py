"""Line-ups, seat orders and seeds of a tournament."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations
from math import factorial
from typing import Any

import pytest

from northmen_agents.arena.schedule import LineUps, Orders, Schedule

NAMES = ("delta", "alpha", "charlie", "bravo")


@pytest.mark.parametrize(("players", "line_ups"), [(2, 6), (3, 4), (4, 1)])
def test_every_set_of_agents_plays_every_deal_in_all_orders(players: int, line_ups: int) -> None:
    schedule = Schedule(NAMES, players, deals=3)
    jobs = list(schedule)
    assert len(jobs) == len(schedule) == 3 * line_ups * factorial(players)
    assert len({job.key for job in jobs}) == len(jobs)
    seats = Counter((job.key.deal, seat, name) for job in jobs for seat, name in enumerate(job.agents))
    assert len(set(seats.values())) == 1, "an agent sits on one seat more often than on another"


def test_one_deal_has_one_seed_for_all_line_ups_and_orders() -> None:
    jobs = list(Schedule(NAMES, 3, deals=5))
    seeds = {job.key.deal: job.seed for job in jobs}
    assert all(job.seed == seeds[job.key.deal] for job in jobs)
    assert len(set(seeds.values())) == 5


def test_the_order_of_listing_changes_nothing() -> None:
    assert list(Schedule(NAMES, 3, deals=2)) == list(Schedule(tuple(sorted(NAMES)), 3, deals=2))


def test_an_agents_chance_belongs_to_deal_seat_and_name_and_not_to_its_opponents() -> None:
    found: dict[tuple[int, int, str], set[int]] = {}
    for job in Schedule(NAMES, 2, deals=2):
        for seat, (name, seed) in enumerate(zip(job.agents, job.agent_seeds)):
            found.setdefault((job.key.deal, seat, name), set()).add(seed)
    assert all(len(seeds) == 1 for seeds in found.values())
    assert len({seed for seeds in found.values() for seed in seeds}) == len(found)
    assert not {seed for seeds in found.values() for seed in seeds} & {job.seed for job in Schedule(NAMES, 2, deals=2)}


def test_fewer_agents_than_seats_fill_the_seats_by_repetition() -> None:
    schedule = Schedule(("a", "b"), 4, deals=1)
    assert schedule.all_line_ups() == [("a", "a", "a", "b"), ("a", "a", "b", "b"), ("a", "b", "b", "b")]
    assert len(schedule) == 4 + 6 + 4


@pytest.mark.parametrize("line_ups", ["one-against-many", "many-against-one"])
def test_without_focus_every_agent_is_the_one_and_the_many(line_ups: LineUps) -> None:
    schedule = Schedule(("a", "b"), 4, deals=2, line_ups=line_ups)
    assert schedule.all_line_ups() == [("a", "a", "a", "b"), ("a", "b", "b", "b")]
    assert len(schedule) == len(list(schedule)) == 2 * 8


def test_the_focus_is_the_one_or_the_many_or_in_every_line_up() -> None:
    def line_ups(kind: LineUps, players: int) -> list[str]:
        schedule = Schedule(("a", "b", "c"), players, 1, line_ups=kind, focus=("b",))
        return ["".join(line_up) for line_up in schedule.all_line_ups()]

    assert line_ups("one-against-many", 3) == ["aab", "bcc"]
    assert line_ups("many-against-one", 3) == ["abb", "bbc"]
    assert line_ups("round-robin", 2) == ["ab", "bc"]
    assert line_ups("one-against-many", 2) == line_ups("many-against-one", 2) == ["ab", "bc"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_balanced_orders_put_every_two_agents_on_every_two_seats_equally_often(players: int) -> None:
    """Hence on every seat, and before and behind every other agent round the table; repeated agents included."""
    for line_up in combinations_with_replacement("abcde"[:players], players):
        names = tuple(sorted(set(line_up)))
        orders = Schedule(names, players, 1, orders="balanced").seat_orders(line_up)
        assert len(set(orders)) == len(orders)
        assert all(sorted(order) == sorted(line_up) for order in orders)
        met: dict[tuple[str, str], Counter[tuple[int, int]]] = {}
        for order in orders:
            for first, second in permutations(range(players), 2):
                met.setdefault((order[first], order[second]), Counter())[first, second] += 1
        for seats in met.values():
            assert len(seats) == players * (players - 1)
            assert len(set(seats.values())) == 1, line_up
    assert len(Schedule(tuple("abcde"[:players]), players, 1, orders="balanced")) == players * (players - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_auto_plays_all_orders_where_there_are_no_more_than_24(players: int) -> None:
    assert list(Schedule(NAMES, players, 2, orders="auto")) == list(Schedule(NAMES, players, 2, orders="all"))


def test_auto_plays_balanced_orders_where_there_are_more_than_24() -> None:
    names = (*NAMES, "echo")
    assert list(Schedule(names, 5, 2, orders="auto")) == list(Schedule(names, 5, 2, orders="balanced"))
    two = Schedule(("a", "b"), 5, 1, orders="auto")
    assert len(two) == 5 + 10 + 10 + 5, "two agents on five seats have few orders, so all are played"


def test_no_order_is_played_twice() -> None:
    for orders in ("all", "balanced", "rotations", "auto"):
        for players in (2, 3, 4, 5):
            jobs = list(Schedule(("a", "b", "c"), players, 1, orders=orders))
            assert len({(job.key.line_up, job.agents) for job in jobs}) == len(jobs)


def test_partners_are_one_agent() -> None:
    schedule = Schedule(("a", "b", "c"), 4, deals=1, teams=((0, 2), (1, 3)))
    assert schedule.all_line_ups() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [job.agents for job in schedule][:2] == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert len(schedule) == 6
    assert {job.key.line_up for job in schedule} == {"a,b", "a,c", "b,c"}


def test_solo_every_agent_plays_every_deal_alone() -> None:
    jobs = list(Schedule(NAMES, 1, deals=3, orders="auto"))
    assert len(jobs) == 3 * len(NAMES)
    assert {(job.key.deal, job.agents) for job in jobs} == {(deal, (name,)) for deal in range(3) for name in NAMES}


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("orders", ["auto", "balanced", "rotations"])
def test_the_length_is_the_number_of_games(players: int, orders: Orders) -> None:
    for names in (("a", "b"), NAMES):
        schedule = Schedule(names, players, 2, orders=orders)
        assert len(schedule) == len(list(schedule)) == 2 * schedule.games_per_deal


def test_the_plan_says_which_orders_are_played() -> None:
    five = Schedule((*NAMES, "echo"), 5, 1, orders="auto").described()
    assert five.startswith("1 line-up (round-robin); 20 games per deal: a balanced choice of the seat orders")
    assert (
        Schedule(NAMES, 2, 1, orders="auto").described()
        == "6 line-ups (round-robin); 12 games per deal: all seat orders."
    )
    partners = Schedule(NAMES, 4, 1, teams=((0, 2), (1, 3)), focus=("alpha",)).described()
    assert partners.startswith("3 line-ups (round-robin with focus on alpha) of partners on seats 0+2 and 1+3; 6 games")
    assert Schedule(NAMES, 1, 1).described() == "Solo: each of 4 agents plays each deal alone; 4 games per deal."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"focus": ("x",)}, "focus names 'x', which is not an agent"),
        ({"names": ("a", "a")}, "agents of different names"),
        ({"names": ()}, "agents of different names"),
        ({"names": ("a",), "line_ups": "many-against-one"}, "needs at least two agents"),
        ({"teams": ((0,), (0, 1))}, "do not hold each of the 3 seats once"),
        ({"players": 6, "orders": "balanced"}, "use orders=rotations"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_in_a_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Schedule(**{"names": ("a", "b"), "players": 3, "deals": 1, **change})


def test_rotations_put_every_agent_on_every_seat_once() -> None:
    jobs = list(Schedule(NAMES, 4, deals=1, orders="rotations"))
    assert len(jobs) == 4
    for seat in range(4):
        assert {job.agents[seat] for job in jobs} == set(NAMES)


def test_another_tournament_seed_means_other_deals() -> None:
    first = {job.seed for job in Schedule(NAMES, 2, deals=20, seed=0)}
    second = {job.seed for job in Schedule(NAMES, 2, deals=20, seed=1)}
    assert not first & second
