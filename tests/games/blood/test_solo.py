"""Solo play against the bandits: their phase, their moves, the effects of their cards (BLOOD-SOLO, BLOOD-EFFECT)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import walk
from blood_positions import MAP_A, at
from blood_scenes import SE, bandits, cells, fight, go, offered, point, scene, there, words

from northmen_env.games.blood import scoring

# The card turned over is tile `card` of the pile; cards above 30 need a bandit on the map.


def reward(play):
    out = np.empty(5)
    scoring.returns(play.rules, play.record, out)
    return float(out[0])


def context(play):
    return play.to_dict()["bandit"]


# ---- The bandit phase -----------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SOLO-05", "BLOOD-CARD-01", "BLOOD-TEST-18")
def test_a_card_above_030_is_redirected_while_no_bandit_is_on_the_map() -> None:
    play = bandits(91)  # 091 is 001: PLACE(2,EMPTY);LAKE(1)
    d = play.to_dict()
    assert d["decision"] == "B1" and d["bandit"]["card"] == 1 and d["bandit"]["left"] == 2
    assert d["discard"] == [91, 118] and d["hands"][0] == [36, 112, 119]
    there_is_one = bandits(98, {(0, 0): [0, 1]})  # SCORE(1);BRIBE(2)
    assert there_is_one.to_dict()["vp"] == [0, 1] and point(there_is_one) == "D01"


@pytest.mark.rule("BLOOD-SOLO-01", "BLOOD-SOLO-04", "BLOOD-EFFECT-01", "BLOOD-TEST-18")
def test_place_asks_the_player_for_one_tile_for_all() -> None:
    two = "9@(0,0)/0 30@(-1,0)/3 4@(-2,0)/2"
    play = bandits(2, text=two)  # PLACE(3,VILLAGE);LAKE(1)
    d = play.to_dict()
    assert (d["decision"], d["player"]) == ("B1", 0) and cells(play) == {(0, 0), (-1, 0)}
    assert d["settlement"] == [12, 12] and len(d["hands"]) == 1 and d["reserve"] == [0, 0]
    d = go(play, (-1, 0))
    assert there(play, (-1, 0)) == [0, 3] and d["settlement"][1] == 9


@pytest.mark.rule("BLOOD-SOLO-06", "BLOOD-TEST-18")
def test_what_cannot_be_done_is_skipped() -> None:
    none = bandits(2, text="4@(0,0)/0 8@(-1,0)/5")  # no village
    assert point(none) == "D01" and none.to_dict()["settlement"][1] == 12
    play = bandits(9, {(1, 0): [0, 1]})  # PLACE(2,WARBAND);ATTACK(1): no warband, nothing contested
    assert point(play) == "D01" and there(play, (1, 0)) == [0, 1]


@pytest.mark.rule("BLOOD-SOLO-07", "BLOOD-EFFECT-01")
def test_without_a_supply_bandits_come_from_elsewhere() -> None:
    text = "9@(0,0)/0 4@(-1,0)/0 8@(-2,0)/5"
    play = bandits(10, {(-1, 0): [0, 1], (-2, 0): [0, 6]}, text, vp=[0, 5])  # PLACE(3,VILLAGE);ATTACK(1)
    d = play.to_dict()
    assert d["decision"] == "B2" and cells(play) == {(-1, 0), (-2, 0)}
    assert (d["bandit"]["left"], d["bandit"]["target"]) == (3, at(0, 0))
    go(play, (-1, 0))
    assert point(play) == "D01" and there(play, (0, 0)) == [0, 3] and play.to_dict()["vp"] == [0, 5]


@pytest.mark.rule("BLOOD-EFFECT-01", "BLOOD-SOLO-07")
def test_each_with_a_short_supply() -> None:
    warbands = {(0, 0): [1, 0], (1, 0): [2, 0], (0, 1): [1, 0], (-1, 1): [0, 8]}
    play = bandits(11, warbands, vp=[0, 3], pile=[49, 8, 13])  # EACH(WARBAND);ATTACK(1,SMALLEST)
    d = play.to_dict()
    assert d["settlement"][1] == 1 and d["decision"] == "B1" and len(cells(play)) == 3
    assert d["bandit"]["remaining"] == sorted([at(0, 0), at(1, 0), at(0, 1)])
    d = go(play, (1, 0))
    assert d["bandit"]["served"] == [at(1, 0)] and d["settlement"][1] == 0 and cells(play) == {(0, 0), (0, 1)}
    d = go(play, (0, 0))  # the bandit put on (1, 0) stays: both come from (-1, 1)
    assert d["decision"] == "B5" and there(play, (-1, 1)) == [0, 6]
    assert cells(play) == {(0, 0), (0, 1)} and d["bandit"]["served"] == []  # the fewest player warbands
    covered = bandits(11, {(0, 0): [1, 0], (1, 0): [2, 0]}, pile=[49, 8, 13])
    assert context(covered) is not None and there(covered, (1, 0)) == [2, 1]


@pytest.mark.rule("BLOOD-SOLO-08", "BLOOD-EFFECT-01")
def test_bandit_points_always_score() -> None:
    play = bandits(101, {(0, 0): [0, 5], (1, 0): [0, 5]}, vp=[0, 2])  # SCORE(2);PREPARE(1), supply empty
    d = play.to_dict()
    assert d["decision"] == "B7" and cells(play) == {(0, 0), (1, 0)} and d["bandit"]["left"] == 2
    d = go(play, (0, 0))
    assert d["vp"][1] == 3 and d["decision"] == "B7"
    d = go(play, (1, 0))
    assert d["vp"][1] == 4 and there(play, (0, 0)) == [0, 4] and len(d["prepared"][1]) == 1
    sixth = bandits(101, {(0, 0): [0, 1]}, vp=[0, 5]).to_dict()
    assert (sixth["decision"], sixth["winners"], sixth["vp"]) == ("END", [1], [0, 6])


@pytest.mark.rule("BLOOD-SOLO-09", "BLOOD-TUSK-02")
def test_bandits_reveal_all_prepared_tiles_and_add_the_most() -> None:
    # 061: PREPARE(1);ATTACK(1): tile 1 is prepared, two basic tiles are 49 and 8
    play = bandits(61, {(0, 0): [2, 1]}, pile=[1, 49, 8, 13, 4])
    d = play.to_dict()
    assert (d["decision"], d["player"]) == ("D20", 0) and d["battle"]["order"] == [1, 0]
    assert d["battle"]["strength"] == [5, 0] and d["battle"]["owed"] == [0, 2]
    d = go(play, "PILE", "PILE")
    # 5 against 0: alone on the tile they add two from their supply
    assert d["decision"] == "D01" and there(play, (0, 0)) == [0, 3] and d["vp"] == [0, 1]
    assert {1, 49, 8, 13, 4} <= set(d["discard"]) and d["prepared"][1] == []


@pytest.mark.rule("BLOOD-SOLO-09", "BLOOD-SOLO-07")
def test_additions_come_from_the_map_without_a_supply() -> None:
    warbands = {(0, 0): [1, 1], (1, 0): [0, 5], (0, 1): [0, 2]}
    play = bandits(64, warbands, vp=[0, 4], pile=[49, 8, 13], hands=[[]])  # ATTACK(1);IFWON(PREPARE(4))
    go(play, *["PILE"] * (point(play) == "D20"))
    d = play.to_dict()
    assert d["decision"] == "B2" and d["battle"]["add"] == 2 and cells(play) == {(1, 0), (0, 1)}
    d = go(play, (1, 0))
    assert d["decision"] == "B2" and d["battle"]["add"] == 1
    d = go(play, (0, 1))  # then their point: the supply is empty
    assert d["decision"] == "B7" and d["battle"] is not None and cells(play) == {(0, 0), (1, 0), (0, 1)}
    d = go(play, (1, 0))
    assert d["vp"][1] == 5 and len(d["prepared"][1]) == 4 and d["decision"] == "D01"


@pytest.mark.rule("BLOOD-SOLO-09", "BLOOD-SOLO-01")
def test_in_a_battle_of_the_player_the_bandits_come_second() -> None:
    play = fight([1, 1], [[4]], [8, 13, 25], n=1, prepared=[[], [7]])
    assert play.to_dict()["battle"]["order"] == [0, 1] and play.to_dict()["battle"]["owed"] == [2, 1]
    d = go(play, "PILE", "TILE 4")
    # 0 against 1: the bandits win, add two and score
    assert there(play, (0, 0)) == [0, 3] and d["vp"] == [0, 1] and d["prepared"][1] == []


# ---- Moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SOLO-10", "BLOOD-TEST-19")
def test_bandits_move_as_many_as_possible_to_tiles_with_miniatures() -> None:
    play = bandits(43, {(0, 0): [0, 5], (-1, 2): [1, 0]})  # LAKE(1);BRIBE(1): three move, then a bribe
    assert there(play, (0, 0)) == [0, 2] and there(play, (-1, 2)) == [0, 3]
    # ROAD(1);SCORE(1): all of them, past an empty tile, to one of two tiles with warbands
    road = bandits(116, {(0, 0): [0, 4], (1, 1): [1, 0]}, "45@(0,0)/0 21@(0,1)/3 4@(1,1)/0")
    assert there(road, (1, 1)) == [1, 4] and there(road, (0, 0)) == [0, 0]


@pytest.mark.rule("BLOOD-SOLO-11", "BLOOD-TEST-19")
def test_the_ledgers_bandit_moves() -> None:
    # (a) LAKE(2);PREPARE(1)
    play = bandits(48, {(0, 0): [0, 4], (-1, 2): [1, 0]})
    assert point(play) == "D01" and there(play, (-1, 2)) == [1, 4] and there(play, (0, 0)) == [0, 0]
    # (b) LAKE(1);BRIBE(1) does nothing; LAKE(2);BRIBE(1)
    play = bandits(43, {(-1, 2): [0, 2], (1, 0): [1, 0]})
    assert point(play) == "D01" and there(play, (-1, 2)) == [0, 2]
    play = bandits(47, {(-1, 2): [0, 2], (1, 0): [1, 0]})
    assert point(play) == "B4" and cells(play) == {(0, 0), (0, 1)}
    assert context(play)["run"]["from"] == at(-1, 2) and context(play)["run"]["moves"] == ["LAKE", "LAKE"]
    go(play, (0, 1))
    assert point(play) == "D01" and there(play, (1, 0)) == [0, 2]
    # (c) LAKE(1);ROAD(1)
    play = bandits(32, {(-1, 2): [0, 2], (1, 0): [1, 0]})
    assert point(play) == "B4" and cells(play) == {(-1, 1), (0, 1)} and context(play)["next"] == 2
    go(play, (-1, 1))
    assert point(play) == "D01" and there(play, (1, 0)) == [1, 2]


@pytest.mark.rule("BLOOD-SOLO-11")
def test_a_divided_army_does_not_go_back() -> None:
    warbands = {(0, 0): [0, 5], (-1, 2): [1, 0]}
    play = bandits(42, warbands, pile=[46])  # LAKE(1);PLAY, then LAKE(1);PREPARE(2)
    assert point(play) == "D01" and there(play, (-1, 2)) == [1, 5]
    play = bandits(42, {**warbands, (1, 0): [1, 0]}, pile=[46])
    assert point(play) == "B4" and cells(play) == {(-1, 2), (1, 0)} and context(play)["forbidden"] is None
    go(play, (-1, 2))
    assert context(play)["forbidden"] == [at(-1, 2), at(0, 0)] and context(play)["card"] == 46
    assert point(play) == "B4" and cells(play) == {(-1, 2), (1, 0)}
    go(play, (1, 0))
    assert point(play) == "D01" and there(play, (1, 0)) == [1, 2]


@pytest.mark.rule("BLOOD-EFFECT-01", "BLOOD-SOLO-11")
def test_one_bandit_goes_by_road_and_not_back() -> None:
    # 095: ROADONE(4);DISCARD(5)
    text = "45@(0,0)/0 21@(0,1)/3 4@(1,1)/0"
    play = bandits(95, {(0, 0): [0, 3], (0, 1): [1, 0], (1, 1): [1, 0]}, text)
    assert point(play) in ("B3", "B4") and context(play)["run"]["kind"] == "ROADONE"
    go(play, (0, 1))
    run = context(play)["run"] if context(play) else None
    total = [there(play, where)[1] for where in ((0, 0), (0, 1), (1, 1))]
    assert sum(total) == 3 and total[0] == 2 and (run is None or run["one"] is not None)


# ---- Effects --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SOLO-03", "BLOOD-EFFECT-01", "BLOOD-EFFECT-02")
def test_card_068_wins_the_game_for_bandits_that_won() -> None:
    play = bandits(68, {(0, 0): [1, 1]}, pile=[49, 8, 13], hands=[[]])
    while point(play) == "D20":
        go(play, "PILE")
    d = play.to_dict()
    assert d["decision"] == "END" and d["winners"] == [1] and d["vp"] == [0, 1] and reward(play) == -1.0
    tie = bandits(68, {(0, 0): [1, 1]}, pile=[8, 13, 4], hands=[[]])  # a tie scores, but is no win
    while point(tie) == "D20":
        go(tie, "PILE")
    assert tie.to_dict()["vp"] == [1, 1] and point(tie) != "END"


@pytest.mark.rule("BLOOD-EFFECT-03", "BLOOD-EFFECT-01")
def test_a_bribe_needs_a_bandit_and_a_warband() -> None:
    play = bandits(106, {(0, 0): [1, 1], (1, 0): [3, 1], (0, 1): [1, 0], (-1, 1): [0, 1]})  # BRIBE(3)
    d = play.to_dict()
    assert d["decision"] == "B6" and cells(play) == {(0, 0), (1, 0)} and d["bandit"]["left"] == 3
    d = go(play, (0, 0))  # the rest is on (1, 0) alone
    assert there(play, (1, 0)) == [1, 1] and there(play, (0, 0)) == [0, 1] and d["settlement"][0] == 10
    assert d["decision"] == "D01" and d["vp"] == [0, 0]


@pytest.mark.rule("BLOOD-EFFECT-04", "BLOOD-EFFECT-01")
def test_card_100() -> None:
    text = "9@(0,0)/0 21@(-1,0)/0 33@(-2,0)/3 4@(-2,1)/5"
    play = bandits(100, {(0, 0): [1, 1], (-1, 0): [0, 2], (-2, 0): [1, 0], (-2, 1): [1, 1]}, text)
    d = play.to_dict()
    assert d["vp"] == [0, 1] and d["settlement"][0] == 12 - 2 and there(play, (0, 0)) == [0, 1]


@pytest.mark.rule("BLOOD-EFFECT-01")
def test_numbers_that_are_counted_in_the_game() -> None:
    armies = bandits(108, {(0, 0): [0, 1], (1, 0): [0, 2], (0, 1): [1, 0]}).to_dict()  # PREPARE(ARMIES)
    assert len(armies["prepared"][1]) == 2
    points = bandits(99, {(0, 0): [2, 1]}).to_dict()  # BRIBE(2);SCORE(BRIBED)
    assert points["vp"] == [0, 2] and points["settlement"][0] == 12
    pile = bandits(109, {(0, 0): [0, 1]})  # SCORE(2);DISCARD(5)
    assert len(pile.to_dict()["discard"]) == 2 + 5 and pile.to_dict()["vp"] == [0, 2]
    played = bandits(120, {(0, 0): [0, 1]}, pile=[103]).to_dict()  # SCORE(1);PLAY, then PREPARE(3)
    assert played["vp"] == [0, 1] and len(played["prepared"][1]) == 3 and {120, 103} <= set(played["discard"])


@pytest.mark.rule("BLOOD-EFFECT-01")
def test_where_bandits_are_placed() -> None:
    assert cells(bandits(5)) == {(1, 0), (1, -1)}  # PLACE(2,MOUNTAIN)
    mountain = bandits(27, {})  # EACH(MOUNTAIN);DISCARD(5): of MAP-A 26, 71 (and no other) show mountains
    shown = {where for where in ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 2), (1, -1)) if there(mountain, where)[1]}
    assert shown == {(1, 0), (1, -1)}
    forest = bandits(21, {})  # PLACE(2,FOREST)
    assert cells(forest) == {(0, 0), (-1, 2), (1, -1)}
    road = bandits(7, {})  # EACH(ROAD);ROAD(1)
    assert there(road, (1, 0))[1] + there(road, (0, 1))[1] + there(road, (-1, 1))[1] == 3
    lake = bandits(3, {})  # EACH(LAKE);LAKE(1)
    assert sum(there(lake, where)[1] for where in ((0, 0), (0, 1), (-1, 1), (-1, 2), (1, -1))) == 5


# ---- End ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SOLO-12", "BLOOD-SOLO-03")
def test_the_player_has_lost_when_the_pile_is_empty() -> None:
    used = [t for t in range(1, 121) if t not in (58, 26, 113, 97, 16, 71, 7, 36)]
    play = scene(MAP_A, 1, decision="D02", placing={"tile": 7, "cell": None}, hands=[[36]], discard=used[:52])
    assert play.to_dict()["pile"] == []
    d = go(play, "PASS")
    assert (d["decision"], d["winners"]) == ("END", [1]) and reward(play) == -1.0
    # after the bandit phase, which is finished first
    last = scene(MAP_A, 1, {(0, 0): [0, 1]}, decision="D02", placing={"tile": 7, "cell": None}, hands=[[36]],
                 pile=[5, 103], discard=[t for t in used if t not in (5, 103)][:50])  # fmt: skip
    d = go(last, "PASS")
    assert d["winners"] == [1] and d["prepared"] == [[], []] and d["pile"] == []


@pytest.mark.rule("BLOOD-SOLO-03", "BLOOD-END-06", "BLOOD-END-08")
def test_the_player_wins_with_six_points_or_bjarmia() -> None:
    play = fight([1, 1], [[]], [49, 8, 13], n=1, vp=[5, 0])
    while not play.over():
        go(play, "PASS" if "PASS" in words(play) else "PILE")
    assert play.to_dict()["winners"] == [0] and reward(play) == 1.0
    assert scoring.ranks(play.rules, play.record) == [1]


@pytest.mark.rule("BLOOD-CORNER-10")
def test_both_may_reach_six_in_one_battle() -> None:
    play = fight([1, 1], [[]], [8, 13, 4], n=1, vp=[5, 5])
    assert play.to_dict()["winners"] == [0, 1] and reward(play) == 0.0
    scored = fight([1, 1], [[]], [8, 13, 4], n=1, vp=[5, 5], options={"reward": "score"})
    assert reward(scored) == 0.0


@pytest.mark.rule("BLOOD-END-08")
def test_the_score_of_a_lost_game_is_the_difference_of_points() -> None:
    used = [t for t in range(1, 121) if t not in (58, 26, 113, 97, 16, 71, 7, 36)]
    play = scene(MAP_A, 1, decision="D02", placing={"tile": 7, "cell": None}, hands=[[36]], discard=used[:52],
                 vp=[2, 5], options={"reward": "score"})  # fmt: skip
    go(play, "PASS")
    assert reward(play) == pytest.approx(-0.5) and scoring.ranks(play.rules, play.record) == [2]


@pytest.mark.rule("BLOOD-SOLO-01", "BLOOD-CIT-08")
def test_the_players_citadels_block_the_bandits() -> None:
    given = {(0, 0): [0, 2], (1, 0): [1, 0]}
    play = bandits(43, given)  # LAKE(1);BRIBE(1) over the open side to (1, 0)
    assert there(play, (1, 0)) == [0, 2]
    blocked = bandits(43, given, citadels=[((0, 0), SE, 0, False)])
    assert there(blocked, (0, 0)) == [0, 2]


@pytest.mark.rule("BLOOD-SOLO-02", "BLOOD-SOLO-04")
def test_one_pile_serves_both_and_one_player_decides() -> None:
    for play in walk(40, num_players=1):
        d = play.to_dict()
        assert d["player"] in (0, None) and d["active"] == 0
        assert d["decision"][0] != "B" or offered(play) == cells(play)
