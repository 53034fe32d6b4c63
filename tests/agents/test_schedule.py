"""Line-ups, seat orders and seeds of a tournament."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from northmen_agents.arena.schedule import Schedule

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


def test_one_against_many() -> None:
    schedule = Schedule(("a", "b"), 4, deals=2, line_ups="one-against-many")
    assert schedule.all_line_ups() == [("a", "a", "a", "b"), ("a", "b", "b", "b")]
    assert len(schedule) == len(list(schedule)) == 2 * 8


def test_rotations_put_every_agent_on_every_seat_once() -> None:
    jobs = list(Schedule(NAMES, 4, deals=1, orders="rotations"))
    assert len(jobs) == 4
    for seat in range(4):
        assert {job.agents[seat] for job in jobs} == set(NAMES)


def test_another_tournament_seed_means_other_deals() -> None:
    first = {job.seed for job in Schedule(NAMES, 2, deals=20, seed=0)}
    second = {job.seed for job in Schedule(NAMES, 2, deals=20, seed=1)}
    assert not first & second
