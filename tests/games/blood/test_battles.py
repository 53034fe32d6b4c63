"""Battles, their resolution, and the abilities that change them (BLOOD-BATTLE, BLOOD-RESOLVE, BLOOD-ABIL)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import walk
from blood_positions import MAP_A, at
from blood_scenes import BANDITS, MARAUDERS, SE, S, cells, fight, go, offered, point, scene, there, words

# Mountain sides: 49 three, 1 and 28 two, 5, 7 and 14 one, 4, 8, 13, 25 and 27 none.


def to_the_end(play):
    """Reveal from the pile until the battle is over or asks something else."""
    while point(play) == "D20":
        go(play, "PILE")
    return play.to_dict()


@pytest.mark.rule("BLOOD-BATTLE-01")
def test_a_battle_starts_on_a_contested_tile() -> None:
    warbands = {(0, 0): [1, 1], (1, 0): [2, 0], (0, 1): [0, 2]}
    play = scene(MAP_A, decision="D16", laid=at(0, 1), a=1, warbands=warbands, hands=[[4], [6]])
    assert cells(play) == {(0, 0)}
    d = go(play, (0, 0))
    assert d["battle"]["cell"] == at(0, 0) and d["a"] == 0 and d["performed"]


@pytest.mark.rule("BLOOD-BATTLE-02", "BLOOD-BATTLE-03", "BLOOD-TEST-08", "BLOOD-PHASE-03")
def test_the_battle_example() -> None:
    play = fight([1, 2, 1], [[1], [2], [67]], [103, 14, 7, 100], n=3)
    d = play.to_dict()
    assert (d["decision"], d["player"]) == ("D20", 0)
    assert (d["battle"]["order"], d["battle"]["owed"]) == ([0, 1, 2], [2, 2, 1])
    d = go(play, "PILE")  # one at a time
    assert d["battle"]["revealed"][0] == [103] and d["battle"]["owed"] == [1, 2, 1]
    d = go(play, "PILE", "PILE", "PILE")
    assert (d["decision"], d["player"], d["battle"]["strength"]) == ("D20", 2, [2, 1, 0])
    assert words(play) == {"PILE", "TILE 67"}
    d = go(play, "TILE 67")
    assert there(play, (0, 0)) == [0, 1, 0] and d["vp"] == [1, 0, 1]
    assert d["discard"] == [7, 14, 67, 100, 103] and d["battle"] is None and d["settlement"] == [11, 11, 11]
    assert d["decision"] == "D01" and d["active"] == 1  # no D21, no D22


@pytest.mark.rule("BLOOD-BATTLE-02")
def test_participants_reveal_clockwise_from_the_active_player() -> None:
    play = fight([1, 2, 1], [[4], [6], [67]], [8, 13], n=3, active=2, player=2)
    d = play.to_dict()
    assert d["battle"]["order"] == [2, 0, 1] and d["battle"]["owed"] == [2, 1, 2] and d["player"] == 2


@pytest.mark.rule("BLOOD-BATTLE-03")
def test_any_hand_tile_or_the_pile_may_be_revealed() -> None:
    play = fight([1, 1], [[4, 49], [6]], [8, 13])
    assert words(play) == {"TILE 4", "TILE 49", "PILE"}
    d = go(play, "TILE 49")
    assert d["battle"]["strength"][0] == 3 and d["hands"][0] == [4] and d["player"] == 0  # a second one is owed
    d = go(play, "TILE 4")
    assert d["player"] == 1 and d["hands"][0] == []


@pytest.mark.rule("BLOOD-BATTLE-04")
def test_prepared_tiles_come_first_and_unused_ones_stay() -> None:
    play = fight([1, 1], [[4], [6]], [8, 13, 25], prepared=[[], [1, 28]])
    go(play, "PILE", "PILE")
    d = play.to_dict()
    assert (d["decision"], d["player"]) == ("D19", 1) and words(play) == {"TILE 1", "TILE 28", "PASS"}
    d = go(play, "TILE 28")
    assert d["battle"]["owed"] == [0, 1]  # in addition to the basic tile
    d = go(play, "PASS", "PILE", "PASS")
    assert d["prepared"][1] == [1] and 28 in d["discard"] and d["vp"] == [0, 1]


@pytest.mark.rule("BLOOD-BATTLE-05", "BLOOD-END-03")
def test_an_empty_pile_reveals_nothing() -> None:
    used = [t for t in range(1, 121) if t not in (58, 26, 113, 97, 16, 71, 4, 6, 8)]
    play = fight([1, 1], [[4], [6]], [8], discard=used[:51])
    d = go(play, "PILE")
    assert d["pile"] == [] and d["battle"]["owed"] == [1, 1]
    assert words(play) == {"PILE", "TILE 4"}
    d = go(play, "PILE")
    assert d["battle"]["strength"] == [0, 0] and d["player"] == 1
    d = go(play, "PILE")
    assert d["decision"] == "END" and there(play, (0, 0)) == [0, 0] and d["vp"] == [1, 1]


@pytest.mark.rule("BLOOD-BATTLE-06")
def test_strength_is_the_mountains_revealed_which_are_discarded_then() -> None:
    play = fight([1, 1], [[4, 7], [6]], [1, 8])
    d = go(play, "PILE", "TILE 7")
    assert d["battle"]["strength"] == [3, 0] and d["battle"]["revealed"][0] == [1, 7] and d["discard"] == []
    d = go(play, "PILE", "PASS")
    assert d["discard"] == [1, 7, 8] and d["battle"] is None


@pytest.mark.rule("BLOOD-BATTLE-07")
def test_the_next_battle_is_chosen_after_the_last_is_resolved() -> None:
    play = fight([3, 3], [[], []], [8, 13, 4, 25, 27, 6, 9], a=2, more={(1, 0): [1, 1]})
    d = to_the_end(play)
    assert there(play, (0, 0)) == [2, 2] and d["decision"] == "D16" and d["a"] == 1
    assert cells(play) == {(0, 0), (1, 0)}


# ---- Resolution -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-RESOLVE-01", "BLOOD-RESOLVE-03", "BLOOD-RESOLVE-05", "BLOOD-TEST-09")
def test_a_single_winner() -> None:
    play = fight([2, 1], [[], []], [49, 8, 4, 5])  # 3 against 1: the loser is 2 short and has one
    d = play.to_dict()
    assert (d["decision"], d["player"], d["battle"]["strength"]) == ("D21", 0, [3, 1])
    assert there(play, (0, 0)) == [2, 0] and d["settlement"] == [10, 12]
    assert words(play) == {"PASS", "COUNT 1", "COUNT 2"}
    d = go(play.copy(), "PASS")
    assert d["vp"] == [1, 0]
    both = play.copy()
    d = go(both, "COUNT 2")
    assert there(both, (0, 0)) == [4, 0] and d["settlement"][0] == 7 and d["vp"] == [1, 0]


@pytest.mark.rule("BLOOD-RESOLVE-01")
def test_losers_lose_the_difference() -> None:
    # 0 reveals 49 and 8, 1 reveals 5, 13, 4 and 25, 2 reveals 1, 27 and 3: 3, 1 and 3
    play = fight([1, 4, 3], [[], [], []], [49, 8, 5, 13, 6, 25, 1, 27, 15], n=3)
    assert play.to_dict()["discard"] == [1, 5, 6, 8, 13, 15, 25, 27, 49]
    assert there(play, (0, 0)) == [0, 2, 2] and play.to_dict()["vp"] == [1, 0, 1]


@pytest.mark.rule("BLOOD-RESOLVE-05", "BLOOD-CORNER-05")
def test_one_may_be_added_beside_others_and_none_from_an_empty_settlement() -> None:
    play = fight([2, 3], [[], []], [49, 8, 4, 5, 1, 3])  # 3 against 1 + 2 + 1: the defender is the strongest
    d = play.to_dict()
    assert (d["decision"], d["player"], d["battle"]["strength"]) == ("D21", 1, [3, 4])
    assert words(play) == {"PASS", "COUNT 1"} and there(play, (0, 0)) == [1, 3]
    none = fight([2, 1], [[], []], [49, 8, 4, 5], more={(1, 0): [7, 0], (0, 1): [1, 0]}, vp=[2, 0])
    assert point(none) == "D22"  # settlement 0: no addition, the point from the map


@pytest.mark.rule("BLOOD-RESOLVE-06", "BLOOD-TEST-09")
def test_with_an_empty_settlement_the_point_comes_from_the_map_or_not_at_all() -> None:
    play = fight([2, 1], [[], []], [49, 8, 4, 5], more={(1, 0): [6, 0], (0, 1): [1, 0]}, vp=[2, 0])
    d = play.to_dict()
    assert d["settlement"][0] == 1 and words(play) == {"PASS", "COUNT 1"}
    d = go(play, "COUNT 1")
    assert (d["decision"], d["player"]) == ("D22", 0) and offered(play) == {"PASS", (0, 0), (1, 0), (0, 1)}
    assert go(play.copy(), "PASS")["vp"][0] == 2
    d = go(play, (1, 0))
    assert d["vp"][0] == 3 and there(play, (1, 0)) == [5, 0]


@pytest.mark.rule("BLOOD-RESOLVE-02", "BLOOD-CORNER-08")
def test_a_tie_costs_each_winner_one() -> None:
    play = fight([1, 1], [[], []], [8, 13, 4])  # 0 against 0
    d = play.to_dict()
    assert there(play, (0, 0)) == [0, 0] and d["vp"] == [1, 1] and d["settlement"] == [11, 11]
    # 2, 2 and 1: the two lose one each, the third the difference
    three = fight([2, 2, 4], [[], [], []], [1, 8, 13, 28, 4, 25, 27, 6, 5], n=3)
    assert there(three, (0, 0)) == [1, 1, 3] and three.to_dict()["vp"] == [1, 1, 0]


@pytest.mark.rule("BLOOD-RESOLVE-04")
def test_losses_then_addition_then_points_then_discard() -> None:
    play = fight([2, 1], [[], []], [49, 8, 4, 5])
    d = play.to_dict()
    assert there(play, (0, 0)) == [2, 0] and d["vp"] == [0, 0] and d["discard"] == []  # D21: losses only
    d = go(play, "COUNT 1")
    assert d["vp"] == [1, 0] and d["discard"] == [4, 5, 8, 49]


@pytest.mark.rule("BLOOD-END-01", "BLOOD-CORNER-09")
def test_the_sixth_point_in_a_tie_is_a_draw() -> None:
    play = fight([1, 1], [[], []], [8, 13, 4], vp=[5, 5])
    d = play.to_dict()
    assert d["decision"] == "END" and d["winners"] == [0, 1] and d["vp"] == [6, 6]
    alone = fight([1, 1], [[], []], [8, 13, 4], vp=[5, 4]).to_dict()
    assert alone["decision"] == "END" and alone["winners"] == [0]


# ---- Abilities ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-ABIL-03", "BLOOD-ABIL-08")
def test_marauders_and_bandits_in_battle() -> None:
    play = fight([1, 2], [[4], [6]], [], abilities=[MARAUDERS, BANDITS], citadels=[((0, 0), S, 1, False)])
    assert play.to_dict()["battle"]["strength"] == [1, 0] and play.to_dict()["battle"]["owed"] == [2, 4]
    two = [((0, 0), S, 1, False), ((0, 0), SE, 1, False)]
    play = fight([1, 2], [[4], [6]], [], abilities=[MARAUDERS, BANDITS], citadels=two)
    assert play.to_dict()["battle"]["owed"] == [2, 6]
    play = fight([2, 2], [[4], [6]], [], abilities=[MARAUDERS, BANDITS], citadels=[((0, 0), S, 0, False)])
    assert play.to_dict()["battle"]["strength"] == [0, 0] and play.to_dict()["battle"]["owed"] == [3, 2]


@pytest.mark.rule("BLOOD-ABIL-01")
def test_an_ability_is_kept_for_the_whole_game() -> None:
    seen = {tuple(play.to_dict()["abilities"]) for play in walk(4, num_players=3)}
    assert len(seen) == 1
