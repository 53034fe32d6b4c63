"""The engine equals the referee, an independent reading of the ledger, at every decision of whole games."""

from __future__ import annotations

from collections import Counter

import northgard_random_data
import pytest
from northgard_against_referee import compare_card, compare_game, compare_position
from northgard_referee_play import OPERATIONS, POINTS, SAMPLERS, report

CHANGES = {
    "default": {},
    "random clans": {"clan_selection": "random", "reward": "win", "five_tile_in_stack": False},
    "creatures": {"creatures": True, "reward": "fame"},
    "more creatures": {"creatures": True, "more_creatures": True, "clan_selection": "random"},
    "long": {"years": 10, "map_size": 64},
    "narrow": {"map_size": 12, "creatures": True, "years": 10},
}
TEAMS = {"num_players": 4, "teams": True}
ROWS = [row for row in range(85) if row not in (26, *range(57, 64))]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.rule("NORTH-PH-02", "NORTH-PH-04", "NORTH-PH-09", "NORTH-PH-10", "NORTH-ACT-01", "NORTH-ACT-02")
def test_engine_and_referee_play_the_same_games(n):
    change = list(CHANGES)[n]
    assert compare_game({"num_players": n, **CHANGES[change]}, 2**63 + 11, list(SAMPLERS)[n % 2], Counter()) > 50


@pytest.mark.parametrize("change", ["default", "creatures"])
@pytest.mark.rule("NORTH-TEAM-01", "NORTH-TEAM-05", "NORTH-TEAM-07", "NORTH-TEAM-08")
def test_engine_and_referee_play_the_same_team_games(change):
    assert compare_game({**TEAMS, **CHANGES[change]}, 17, "eager", Counter()) > 50


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("change", ["default", "more creatures"])
@pytest.mark.rule("NORTH-FX-00", "NORTH-COMB-12", "NORTH-SPEC-05", "NORTH-CORN-12", "NORTH-INFO-06")
def test_engine_and_referee_agree_from_positions_with_everything_moved_about(n, change):
    for seed in range(2):
        assert compare_position({"num_players": n, **CHANGES[change]}, 40 + seed, "eager", Counter(), 100) > 0


ROUNDS = 68


@pytest.mark.parametrize("card", ROWS)
@pytest.mark.rule("NORTH-CARD-03", "NORTH-FX-01", "NORTH-FX-02", "NORTH-FX-03", "NORTH-FX-04", "NORTH-FX-05")
def test_engine_and_referee_agree_on_each_card(card):
    for number, options in enumerate(({"num_players": 2}, {"num_players": 3, "creatures": True}, TEAMS)):
        if number == card % 3 or card in (30, 42, 46, 78):
            compare_card(options, card, 500 + number, Counter())


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.rule("NORTH-DATA-06", "NORTH-TURN-09", "NORTH-COMB-09")
def test_engine_and_referee_agree_on_other_data(seed, tmp_path):
    northgard_random_data.write(tmp_path / "data", seed)
    options = {"num_players": 1 + seed, "data": str(tmp_path / "data"), "creatures": seed == 2}
    assert compare_position(options, seed, "eager", Counter(), 80) > 0


BITS = (
    "RECRUIT 1,RECRUIT 2,RECRUIT 4,MOVE 1,MOVE 2,MOVE 4,MOVE 8,MOVE 16,MOVE 32,MOVE 64,EXPLORE 1,EXPLORE 2,EXPLORE 4,"
    "BUILD 1,BUILD 2,BUILD 4,BUILD 8,DRAW 1,DRAW 2,HAND 1"
).split(",")
CIRCUMSTANCES = (
    "fight with a creature", "combat", "combat after a bribe", "several combats due", "chain of five frames",
    "copied effect", "end by three strongholds", "explore in vain", "tiles without a place", "creatures shuffled anew",
    "no Unrest left", "no refuge", "retreat of the defender", "way through the teammate",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.rule("NORTH-FX-01", "NORTH-FX-02", "NORTH-FX-03", "NORTH-FX-04", "NORTH-FX-05", "NORTH-CARD-03")
def test_two_thousand_games_equal_the_referee_and_everything_occurs(capsys):
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        for place, change in enumerate(CHANGES):
            for n in (2, 3, 4, 5, "teams"):
                options = {**(TEAMS if n == "teams" else {"num_players": n}), **CHANGES[change]}
                seed = 1_000_000 * (number + 1) + 1000 * place + (6 if n == "teams" else n)
                compare = compare_game if number % 2 == 0 else compare_position
                seen["decisions"] += compare(options, seed, list(SAMPLERS)[(number + place) % 3], seen)
                seen[f"games of {n}"] += 1
                seen["decisions"] += sum(compare_card(options, card, seed + 10, seen) for card in ROWS[number::ROUNDS])
    with capsys.disabled():
        print("\n" + report(seen))
    assert sum(number for what, number in seen.items() if what.startswith("games of ")) >= 2000
    expected = [f"point {point}" for point in POINTS] + [f"operation {name}" for name in OPERATIONS]
    expected += [f"row {row:02d}" for row in ROWS] + [f"bit {bit}" for bit in BITS]
    assert [what for what in [*expected, *CIRCUMSTANCES] if seen[what] == 0] == []
