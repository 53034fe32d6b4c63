"""Components, grid and set-up (BLOOD-COMP, BLOOD-HEX, BLOOD-SETUP)."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import Play, walk
from blood_positions import MAP_A, at
from blood_scenes import go, offered, point, scene, tile_id

from northmen_env.games.blood import board
from northmen_env.games.blood.tile_table import LETTERS

PILE = {1: 60, 2: 60, 3: 90, 4: 120, 5: 120}


def new(seed: int, **options):
    return Play(**options).start(seed)


# ---- Components -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-COMP-02", "BLOOD-SETUP-01")
def test_every_colour_begins_with_twelve_warbands_and_the_supply_with_twelve_citadels() -> None:
    d = new(1, num_players=5).to_dict()
    assert d["settlement"] == [12] * 5 and d["citadels"] == [None] * 12
    assert d["vp"] == d["reserve"] == [0] * 5 and d["prepared"] == [[]] * 5 and d["map"] == d["discard"] == []


@pytest.mark.rule("BLOOD-COMP-03", "BLOOD-CORNER-14")
@pytest.mark.parametrize("n", range(1, 6))
def test_warbands_are_always_in_exactly_one_place(n: int) -> None:
    for play in walk(30 + n, num_players=n):
        d = play.to_dict()
        for p in range(max(n, 2)):
            on_map = sum(entry["warbands"][p] for entry in d["map"])
            inside = sum(c is not None and c["owner"] == p for c in d["citadels"])
            assert d["settlement"][p] + on_map + d["vp"][p] + d["reserve"][p] + inside == 12


@pytest.mark.rule("BLOOD-COMP-05")
def test_tiles_are_taken_from_the_top_of_one_pile() -> None:
    play = scene(MAP_A, hands=[[40, 4], [1]], pile=[9, 8, 7], decision="D14", laid=at(0, 0), a=2,
                 warbands={(0, 0): [1, 0]})  # fmt: skip
    d = go(play, "DRAW")
    assert d["hands"][0] == [4, 9, 40] and d["pile"][:2] == [8, 7]
    assert 8 in go(play, "DRAW")["hands"][0]


@pytest.mark.rule("BLOOD-COMP-06", "BLOOD-SETUP-02")
def test_abilities_are_eight_and_none_occurs_twice() -> None:
    seen = set()
    for seed in range(12):
        abilities = new(seed, num_players=5).to_dict()["abilities"]
        assert len(set(abilities)) == 5
        seen |= set(abilities)
    assert seen == set(range(8))
    assert new(1, num_players=5, abilities=False).to_dict()["abilities"] == [None] * 5


@pytest.mark.rule("BLOOD-SETUP-03")
def test_abilities_that_can_never_act_are_not_dealt() -> None:
    for seed in range(12):
        assert 2 not in new(seed, num_players=5, goods=False).to_dict()["abilities"]
        assert 6 not in new(seed, num_players=5, citadels=False).to_dict()["abilities"]
    both = new(3, num_players=5, goods=False, citadels=False, ability_pool=(0, 1, 2, 3, 4, 5, 6)).to_dict()
    assert sorted(both["abilities"]) == [0, 1, 3, 4, 5]


# ---- Grid -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-HEX-01")
def test_sides_go_clockwise_from_north() -> None:
    rules = Play().rules
    steps = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
    for d, (q, r) in enumerate(steps):
        cell = board.beside(rules, at(3, 4), d)
        assert cell == at(3 + q, 4 + r)
        assert board.beside(rules, cell, (d + 3) % 6) == at(3, 4) and board.FACING[d] == (d + 3) % 6
        before, after = steps[d - 1], steps[(d + 1) % 6]
        assert (q, r) == (before[0] + after[0], before[1] + after[1])


@pytest.mark.rule("BLOOD-HEX-02")
def test_a_rotation_turns_the_printed_letters_clockwise() -> None:
    play = scene("58@(0,0)/0 26@(1,0)/0 113@(0,1)/4 97@(-1,1)/1", hands=[[1], [2]])
    for where, shown in (((0, 0), "FF-LL-"), ((0, 1), "LR--LL"), ((-1, 1), "RLL-R-")):
        tile = tile_id(play, where)
        letters = [LETTERS[board.letter_at(play.rules, play.record, tile, side)] for side in range(6)]
        assert "".join(letters) == shown


@pytest.mark.rule("BLOOD-HEX-03")
@pytest.mark.parametrize("size", (8, 33, 64))
def test_the_grid_is_a_torus(size: int) -> None:
    rules = Play(grid_size=size).rules
    last = size * size - 1
    assert board.beside(rules, last, 3) == (size - 1) * size  # r wraps
    assert board.beside(rules, last, 2) == size - 1  # q wraps
    assert board.beside(rules, 0, 0) == size - 1 and board.beside(rules, 0, 5) == (size - 1) * size


@pytest.mark.rule("BLOOD-HEX-04", "BLOOD-CORNER-13")
def test_no_map_spans_more_than_the_window() -> None:
    widest, ruled_out = 0, 0
    for seed in range(4):
        for play in walk(seed, num_players=4, grid_size=8):
            state = play.record
            widest = max(widest, int(state.q_span), int(state.r_span))
            if point(play) == "D03":
                for i in range(int(state.front_size)):
                    ruled_out += bool(board.outside_window(play.rules, state, int(state.front_cell[i])))
    assert widest == 6 and ruled_out > 0


@pytest.mark.rule("BLOOD-HEX-05")
def test_the_largest_grid_never_rules_a_cell_out() -> None:
    for play in walk(5, num_players=4, grid_size=64):
        tiles = int(play.record.map_size)
        assert max(int(play.record.q_span), int(play.record.r_span)) <= (tiles + 3) // 2 <= 62


@pytest.mark.rule("BLOOD-HEX-06", "BLOOD-PLACE-01")
@pytest.mark.parametrize("size", (8, 33))
def test_the_first_tile_lies_in_the_middle_without_a_choice(size: int) -> None:
    play = new(2, grid_size=size, citadels=False, goods=False)
    d = play.to_dict()
    hand = d["hands"][d["player"]]
    assert offered(play) == {"PILE", *(f"TILE {t}" for t in hand)}  # any tile may begin the map
    d = go(play, f"TILE {hand[0]}")
    assert d["decision"] not in ("D03", "D04")
    assert [(e["cell"], e["tile"], e["rotation"]) for e in d["map"]] == [(size // 2 * size + size // 2, hand[0], 0)]


# ---- Set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SETUP-04", "BLOOD-SETUP-05", "BLOOD-SETUP-11")
@pytest.mark.parametrize("n", range(1, 6))
def test_the_pile_and_the_tiles_that_leave_the_game(n: int) -> None:
    plays = [new(seed, num_players=n) for seed in range(4)]
    for play in plays:
        d = play.to_dict()
        assert len(d["pile"]) + sum(map(len, d["hands"])) == PILE[n] and len(d["removed"]) == 120 - PILE[n]
        assert sorted([*d["pile"], *d["removed"], *(t for hand in d["hands"] for t in hand)]) == list(range(1, 121))
        assert d["decision"] == "D01"
    assert len({tuple(play.to_dict()["pile"]) for play in plays}) == 4
    removed = plays[0].to_dict()["removed"]
    for play in walk(0, num_players=n):
        assert play.to_dict()["removed"] == removed


@pytest.mark.rule("BLOOD-SETUP-06", "BLOOD-SETUP-07", "BLOOD-SETUP-09")
@pytest.mark.parametrize("n", (2, 3, 4, 5))
def test_most_mountains_on_the_newest_face_up_tile_begin(n: int) -> None:
    rounds = set()
    for seed in range(60):
        play = new(seed, num_players=n)
        d = play.to_dict()
        held = [set(tiles) for tiles in d["held"]]
        assert all(held[p] <= set(d["hands"][p]) for p in range(n))
        rounds.add(max(map(len, held)))
        longest = [p for p in range(n) if len(held[p]) == max(map(len, held))]
        assert d["active"] in longest and all(held)
        if max(map(len, held)) == 1:
            mountains = [int(play.rules.mountains[min(tiles)]) for tiles in held]
            assert mountains.count(max(mountains)) == 1 and d["active"] == mountains.index(max(mountains))
        else:
            most = [sum(int(play.rules.mountains[t]) for t in held[p]) for p in longest]
            assert most[longest.index(d["active"])] == max(most) and most.count(max(most)) == 1
    assert {1, 2} <= rounds


@pytest.mark.rule("BLOOD-SETUP-08")
@pytest.mark.parametrize("n", (2, 3, 4, 5))
def test_hands_are_filled_clockwise_to_three_four_five(n: int) -> None:
    for seed in range(80):
        d = new(seed, num_players=n).to_dict()
        for p in range(n):
            due = 3 + (p - d["active"]) % n
            assert len(d["hands"][p]) == max(due, len(d["held"][p]))


@pytest.mark.rule("BLOOD-SETUP-10", "BLOOD-SOLO-02")
def test_solo() -> None:
    d = new(4, num_players=1).to_dict()
    assert len(d["hands"][0]) == 3 and d["held"] == [[]] and d["settlement"] == [12, 12]
    assert d["active"] == 0 and len(d["abilities"]) == 1 and d["abilities"][0] is not None
    assert len(d["pile"]) == 57 and d["prepared"] == [[], []]


@pytest.mark.rule("BLOOD-SETUP-11")
def test_after_set_up_nothing_is_left_to_chance() -> None:
    one, two = new(7, num_players=3), new(7, num_players=3)
    two.array["seed"] = 99
    choose = Random(1)
    while not one.over():
        action = choose.choice(one.legal())
        one.step(action)
        two.step(action)
        assert one.to_dict() == two.to_dict()


@pytest.mark.rule("BLOOD-ACTION-04")
def test_seat_0_is_not_always_first() -> None:
    assert {new(seed, num_players=3).to_dict()["active"] for seed in range(20)} == {0, 1, 2}


@pytest.mark.rule("BLOOD-PLACE-08")
def test_tiles_on_the_map_never_move_or_leave() -> None:
    before: dict = {}
    for play in walk(8, num_players=2):
        now = {e["tile"]: (e["cell"], e["rotation"]) for e in play.to_dict()["map"]}
        assert before.items() <= now.items()
        before = now
    assert len(before) > 20
