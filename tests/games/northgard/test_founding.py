"""The rulebook's Setup: what a game begins with, and the first two groups of everybody."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from northgard_walks import Table

from northmen_env.games.northgard.actions import CELL, CLAN, TERR, YES
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases.founding import find_founding_tile

COUNTS = (2, 3, 4, 5)
STARTING = [0, 1, 2, 3, 4, 4]


def founded(n: int, seed: int, **options: Any) -> Table:
    """Return the game when the first seat chooses its first tile."""
    clans = options.pop("clan_selection", list(range(1, n + 1)))
    table = Table(num_players=n, clan_selection=clans, **options).start(seed)
    assert table.to_dict()["phase"] == "SETUP"
    return table


@pytest.mark.rule("NORTH-SETUP-06")
@pytest.mark.parametrize("n", COUNTS)
def test_clans_are_chosen_in_seat_order(n: int) -> None:
    table = Table(num_players=n).start(3)
    taken: list[int] = []
    for seat in range(n):
        assert (table.decision, int(table.record.player)) == ("CLAN", seat)
        assert table.legal() == [CLAN + clan for clan in range(7) if clan not in taken]
        d = table.to_dict()
        assert (d["marker"], d["turn"], d["year"]) == (None, None, 1)
        assert d["clan"] == taken + [None] * (n - len(taken))
        taken.append(6 - seat)
        table.step(CLAN + 6 - seat)
    assert table.to_dict()["clan"] == taken


@pytest.mark.rule("NORTH-SETUP-06")
def test_clans_are_dealt_or_given() -> None:
    dealt = [tuple(Table(num_players=3, clan_selection="random").start(seed).to_dict()["clan"]) for seed in range(12)]
    assert len(set(dealt)) > 6
    assert all(len(set(clans)) == 3 for clans in dealt)
    assert Table(num_players=3, clan_selection=[6, 0, 2]).start(1).to_dict()["clan"] == [6, 0, 2]


@pytest.mark.rule(
    "NORTH-SETUP-01", "NORTH-SETUP-02", "NORTH-SETUP-03", "NORTH-SETUP-07", "NORTH-SETUP-08", "NORTH-SETUP-10",
    "NORTH-SETUP-12", "NORTH-DATA-01", "NORTH-CARD-02", "NORTH-CLAN-09", "NORTH-COMP-02", "NORTH-COMP-05",
)  # fmt: skip
@pytest.mark.parametrize("n", COUNTS)
def test_what_everybody_begins_with(n: int) -> None:
    d = founded(n, 4).to_dict()
    assert (d["year"], d["unrest"], d["supply"], d["removed"], d["units"], d["token"]) == (1, 10, [7] * 8, [], [], None)
    assert [5 <= card <= 20 for card in d["dev_deck"]] == [True] * 2 * n + [False] * 4 * n
    assert all(21 <= card <= 56 for card in d["dev_deck"][2 * n :])
    assert len(set(d["dev_deck"])) == 6 * n
    assert len(set(d["achievements"])) == n
    assert set(d["achievements"]) <= set(range(57, 64))
    for p in range(n):
        first = 64 + 3 * d["clan"][p]
        assert sorted(d["draw_pile"][p]) == [*STARTING, first]
        assert d["upgrades"][p] == [first + 1, first + 2]
    assert d["hand"] == [[]] * n
    assert d["draw_known"] == [[0] * 7] * n
    goods = [d["resources"][(d["marker"] + k) % n] for k in range(n)]
    assert goods == [[2, 2, 0]] * min(n, 3) + [[3, 2, 0]] * max(0, n - 3)
    assert [len(hand) for hand in d["tile_hands"]] == [3] * n
    assert d["turn"] == d["marker"]


@pytest.mark.rule("NORTH-SETUP-04", "NORTH-SETUP-05", "NORTH-EX-14", "NORTH-COMP-03")
@pytest.mark.parametrize("n", COUNTS)
def test_the_starting_tiles_and_the_stack(n: int) -> None:
    for in_stack in (True, False):
        d = founded(n, 5, five_tile_in_stack=in_stack).to_dict()
        assert d["tiles"] == [[0, 0, 0, 0], [1, 1, 0, 0]][: 2 if n == 5 else 1]
        loose = sorted(d["tile_stack"] + [tile for hand in d["tile_hands"] for tile in hand])
        out = {0, 1} if n == 5 or not in_stack else {0}
        assert loose == [tile for tile in range(35) if tile not in out]


@pytest.mark.rule(
    "NORTH-SETUP-09", "NORTH-SETUP-02", "NORTH-SETUP-03", "NORTH-SETUP-05", "NORTH-SETUP-07", "NORTH-PH-04"
)
def test_chance_differs_from_seed_to_seed() -> None:
    games = [founded(4, seed).to_dict() for seed in range(40)]
    first = Counter(d["marker"] for d in games)
    assert set(first) == {0, 1, 2, 3}
    assert max(first.values()) < 22
    for key in ("dev_deck", "achievements", "draw_pile", "tile_stack", "tile_hands"):
        assert len({repr(d[key]) for d in games}) > 15, key
    again = founded(4, 7).to_dict()
    assert again == games[7]


@pytest.mark.rule("NORTH-SETUP-11")
@pytest.mark.parametrize("n", COUNTS)
def test_the_creature_pile(n: int) -> None:
    for seed in range(3):
        d = founded(n, seed, creatures=True).to_dict()
        assert sorted(d["creature_pile"]) == list(range(9))
        assert d["creature_top"] == n + 1
        assert not {7, 8} & set(d["creature_pile"][: n + 1])  # the Fallen Valkyries are below
    assert founded(n, 0).to_dict()["creature_pile"] == []


def play_setup(table: Table, seed: int) -> list[dict[str, Any]]:
    """Play the setup at random; return the State JSON before each decision and after the last."""
    rng, met = Random(seed), [table.to_dict()]
    while met[-1]["phase"] == "SETUP":
        legal = table.legal()
        table.step(legal[rng.randrange(len(legal))])
        met.append(table.to_dict())
    return met


@pytest.mark.rule(
    "NORTH-SETUP-13", "NORTH-SETUP-14", "NORTH-SETUP-16", "NORTH-SETUP-20", "NORTH-SETUP-21", "NORTH-SETUP-22",
    "NORTH-YEAR-01", "NORTH-YEAR-02",
)  # fmt: skip
@pytest.mark.parametrize("n", COUNTS)
def test_everybody_founds_two_groups_in_turn_order(n: int) -> None:
    met = play_setup(founded(n, 6), 6)
    turns = [d["turn"] for d in met[:-1]]
    order = [seat for i, seat in enumerate(turns) if i == 0 or seat != turns[i - 1]]
    clockwise = [(met[0]["marker"] + k) % n for k in range(n)]
    # In the second round the order is the same; the last of the first round and its first differ, as n > 1.
    assert order == clockwise * 2
    end = met[-1]
    assert end["phase"] == "ACTIONS"
    assert (end["year"], end["turn"], end["player"], end["frames"]) == (1, end["marker"], end["marker"], [])
    groups = Counter(seat for _, seat, number in end["units"] for _ in range(number))
    assert groups == dict.fromkeys(range(n), 6)
    assert len({slot for slot, _, _ in end["units"]}) == 2 * n  # each in a territory of its own
    assert len(end["tiles"]) == 2 * n + (2 if n == 5 else 1)
    assert end["tile_hands"] == [[]] * n
    assert set(end["tile_known"]) == {0}
    assert (end["fame"], end["resources"]) == ([0] * n, met[0]["resources"])
    assert [len(hand) for hand in end["hand"]] == [4] * n
    assert len(end["display"]) == n


@pytest.mark.rule("NORTH-SETUP-13", "NORTH-SETUP-14", "NORTH-SETUP-15", "NORTH-SETUP-16")
@pytest.mark.parametrize("n", [2, 5])
def test_where_tiles_and_groups_may_go(n: int) -> None:
    table, rng, starting = founded(n, 8), Random(8), 2 if n == 5 else 1
    placed = 0
    while table.to_dict()["phase"] == "SETUP":
        d, legal = table.to_dict(), table.legal()
        tiles = {(x - 36 if x > 18 else x, y - 36 if y > 18 else y): p for p, (_, x, y, _) in enumerate(d["tiles"])}
        if table.decision == "SETUP_CELL":
            for action in legal:
                p, side = divmod(action - CELL, 4)
                x, y = next(at for at, index in tiles.items() if index == p)
                cell = (x + (0, 1, 0, -1)[side], y + (-1, 0, 1, 0)[side])
                assert cell not in tiles
                around = [tiles.get((cell[0] + dx, cell[1] + dy)) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
                touching = [index for index in around if index is not None]
                assert p == min(touching)  # NORTH-EXPL-08
                assert placed >= n or min(touching) < starting
        if table.decision == "SETUP_TERR":
            held = {slot for slot, _, _ in d["units"]}
            assert not held & {action - TERR for action in legal}
        before = len(d["tiles"])
        table.step(legal[rng.randrange(len(legal))])
        placed += len(table.to_dict()["tiles"]) - before
    assert placed == 2 * n


@pytest.mark.rule("NORTH-SETUP-17", "NORTH-CLAN-01", "NORTH-CLAN-03")
def test_kaija_may_be_one_of_a_group() -> None:
    table, rng = founded(2, 9, clan_selection=[Clan.BEAR, Clan.BOAR]), Random(9)
    asked = []
    while table.to_dict()["phase"] == "SETUP":
        legal = table.legal()
        if table.decision == "SETUP_KAIJA":
            asked.append(int(table.record.player))
            terr = table.to_dict()["frames"][0]["terr"]
            table.step(YES)
            d = table.to_dict()
            assert (d["kaija"], [terr, 0, 2] in d["units"]) == (terr, True)
            continue
        table.step(legal[rng.randrange(len(legal))])
    assert asked == [0]  # once it stands there, nobody asks again
    units = Counter(seat for _, seat, number in table.to_dict()["units"] for _ in range(number))
    assert units == {0: 5, 1: 6}


@pytest.mark.rule("NORTH-SETUP-19", "NORTH-CRE-03", "NORTH-CRE-08", "NORTH-SETUP-11")
def test_a_lair_brings_a_creature_that_does_not_act() -> None:
    appeared = 0
    for seed in range(3):
        table = founded(4, seed, creatures=True)
        met = play_setup(table, seed)
        end = met[-1]
        lairs = [tile for tile, *_ in end["tiles"][1:] if table.rules.tile_lair[tile] >= 0]
        assert len(end["creatures"]) == len(lairs)
        appeared += len(lairs)
        pile = met[0]["creature_pile"]
        assert [creature for creature, _ in end["creatures"]] == pile[: len(lairs)]
        assert end["creature_top"] == max(0, 5 - len(lairs))
        groups = Counter(seat for _, seat, number in end["units"] for _ in range(number))
        assert groups == dict.fromkeys(range(4), 6)  # no Draugr took a unit
        assert end["last_rolls"] == []
    assert appeared > 3


# ---- Placements ------------------------------------------------------------------------------------------------------


def placements(table: Table, tiles: int) -> int:
    """Return in how many ways the seat can lay one of its tiles, `tiles` being on the map."""
    if int(table.record.tiles) > tiles:  # the last steps of a placement were forced
        return 1
    legal = table.legal()
    if table.decision == "SETUP_ROT":
        return len(legal)
    return sum(placements(table.copy().step(action), tiles) for action in legal)


@pytest.mark.rule("NORTH-TILE-16", "NORTH-SETUP-15")
@pytest.mark.parametrize("n", [2, 5])
def test_setup_offers_many_placements(n: int) -> None:
    table, rng, offers = founded(n, n), Random(n), list[int]()
    turn: tuple[int, int] | None = None
    while table.to_dict()["phase"] == "SETUP":
        now = (int(table.record.setup_round), int(table.record.turn))
        if table.decision == "SETUP_TILE" and now != turn:
            offers.append(placements(table, int(table.record.tiles)))
            turn = now
        table.step(rng.choice(table.legal()))
    assert len(offers) == 2 * n
    assert 20 < sum(offers[:n]) / n < 80
    assert 40 < sum(offers[n:]) / n < 150


@pytest.mark.rule("NORTH-SETUP-18")
def test_a_hand_that_fits_nowhere_is_exchanged_tile_by_tile() -> None:
    """Every cell is made to need a border in each corner, which tiles of four areas alone have."""
    table = founded(2, 5)
    r, p = table.record, int(table.record.turn)
    hand, stack = r.tile_hand[p].tolist(), r.stack[: int(r.stack_size)].tolist()
    four = [tile for tile in hand + stack if table.rules.tile_corners[tile, 0] == 15]
    rest = sorted(tile for tile in hand + stack if tile not in four)
    top = [rest[4], four[0]]
    r.tile_hand[p] = first = [rest[0], rest[1], rest[5]]
    lower = [tile for tile in hand + stack if tile not in (*first, *top)]
    r.stack[: len(stack)] = [*lower, *top[::-1]]
    r.front_need[:] = 15
    assert find_founding_tile(table.rules, r)
    assert r.tile_hand[p].tolist() == sorted([four[0], rest[4], rest[5]])  # the smaller two of the hand were exchanged
    size = int(r.stack_size)
    assert r.stack[:size].tolist() == [rest[1], rest[0], *lower]
    assert r.stack_known[:3].tolist() == [1 << p, 1 << p, 0]
    r.front[:] = 0  # no cell at all: once through the stack, and no tile is placed
    before = sorted([*r.tile_hand[p].tolist(), *r.stack[:size].tolist()])
    assert not find_founding_tile(table.rules, r)
    assert sorted([*r.tile_hand[p].tolist(), *r.stack[:size].tolist()]) == before
    assert (r.stack_known[:size] == 1 << p).all()
