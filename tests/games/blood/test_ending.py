"""Bjarmia, Vikings, the end of a turn and of the game, rewards, and the frame of decisions."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # pytest's pythonpath names Saga's folder only

from blood_games import FULL_OPTIONS, walk
from blood_positions import at
from blood_scenes import VIKINGS, S, cells, fight, go, offered, point, scene, there

from northmen_env.games.blood import reach, scoring
from northmen_env.games.blood.actions import CELL, num_actions
from northmen_env.games.blood.bounds import MAX_LEGAL, max_decisions
from northmen_env.games.blood.invariants import check
from northmen_env.games.blood.options import Options

FOUR = "113@(0,0)/3 99@(0,-1)/2 42@(-1,0)/1 108@(-1,1)/1 45@(0,1)/0"
OWN = {where: [1, 0] for where in ((0, -1), (-1, 0), (-1, 1), (0, 1))}
WALLED = "39@(0,0)/0 42@(1,0)/0 21@(0,1)/5 72@(1,-1)/1"


def returns(play):
    out = np.empty(5)
    scoring.returns(play.rules, play.record, out)
    return out[: play.options.num_players].tolist()


# ---- Bjarmia --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-BJAR-01", "BLOOD-END-02", "BLOOD-TEST-10")
def test_four_connected_villages_win_at_the_end_of_the_own_turn() -> None:
    play = scene(FOUR, warbands=OWN, decision="D15", laid=at(0, 0), a=1, hands=[[1], [2]])
    d = go(play, "PASS")
    assert (d["decision"], d["winners"]) == ("END", [0]) and returns(play) == [1.0, -1.0]
    # not at the end of another's turn
    other = scene(FOUR, warbands=OWN, active=1, player=1, decision="D02", placing={"tile": 7, "cell": None},
                  hands=[[1], [2]])  # fmt: skip
    assert go(other, "PASS")["decision"] != "END"


@pytest.mark.rule("BLOOD-BJAR-02", "BLOOD-TEST-10")
def test_tiles_with_others_alone_do_not_connect() -> None:
    def wins(warbands, p=0):
        play = scene(FOUR, warbands=warbands, hands=[[1, 2], [3]])
        return bool(reach.reaches_bjarmia(play.rules, play.record, p))

    assert wins(OWN)
    assert not wins({**OWN, (0, 0): [0, 1]})
    assert wins({**OWN, (0, 0): [1, 1]})
    assert wins({where: [1, 2] for where in OWN}) and wins({where: [1, 2] for where in OWN}, 1)  # others may be there
    assert not wins({where: numbers for where, numbers in OWN.items() if where != (0, 1)})


@pytest.mark.rule("BLOOD-BJAR-02", "BLOOD-TEST-17", "BLOOD-CIT-08")
def test_mountains_and_the_citadels_of_others_do_not_connect() -> None:
    both = {where: [1, 1] for where in ((0, 0), (1, 0), (0, 1), (1, -1))}

    def who(citadels):
        play = scene(WALLED, warbands=both, citadels=citadels, hands=[[8, 9], [3]])
        return [bool(reach.reaches_bjarmia(play.rules, play.record, p)) for p in (0, 1)]

    assert who([]) == [False, False]
    assert who([((1, -1), S, 1, False)]) == [False, True]


# ---- Vikings --------------------------------------------------------------------------------------------------------

TWO_FURS = "9@(0,0)/0 21@(-1,0)/0 4@(-2,0)/3"


def after_turn(active, **given):
    """A turn in which nothing was laid ends."""
    given = {"abilities": [VIKINGS, None], "warbands": {(0, 0): [1, 1], (-1, 0): [1, 0]}, **given}
    play = scene(TWO_FURS, active=active, player=active, decision="D02", placing={"tile": 7, "cell": None},
                 hands=[[3], [5]], **given)  # fmt: skip
    go(play, "PASS")
    return play


@pytest.mark.rule("BLOOD-ABIL-09", "BLOOD-PHASE-06")
def test_vikings_score_after_a_turn_with_two_villages_of_one_type() -> None:
    assert after_turn(0).to_dict()["vp"] == [1, 0]
    assert after_turn(1).to_dict()["vp"] == [0, 0]
    assert after_turn(1, options={"vikings_every_turn": True}).to_dict()["vp"] == [1, 0]
    assert after_turn(0, warbands={(0, 0): [2, 1]}).to_dict()["vp"] == [0, 0]
    sixth = after_turn(0, vp=[5, 0]).to_dict()
    assert (sixth["decision"], sixth["winners"]) == ("END", [0])


@pytest.mark.rule("BLOOD-ABIL-09", "BLOOD-RESOLVE-06", "BLOOD-PHASE-03")
def test_vikings_mark_their_point_as_in_a_battle() -> None:
    many = {(0, 0): [6, 1], (-1, 0): [6, 0]}
    play = after_turn(1, options={"vikings_every_turn": True}, warbands=many)
    d = play.to_dict()
    assert (d["decision"], d["player"], d["active"], d["battle"]) == ("D22", 0, 1, None)
    assert offered(play) == {"PASS", (0, 0), (-1, 0)}
    passed = go(play.copy(), "PASS")
    assert passed["vp"] == [0, 0] and (passed["decision"], passed["active"]) == ("D01", 0)
    d = go(play, (-1, 0))
    assert d["vp"] == [1, 0] and (d["decision"], d["player"]) == ("D01", 0)


@pytest.mark.rule("BLOOD-PHASE-06")
def test_prepared_tiles_become_usable_even_if_the_game_ends_there() -> None:
    play = scene(FOUR, warbands=OWN, decision="D15", laid=at(0, 0), a=1, hands=[[1], [2]], fresh=[30])
    d = go(play, "PASS")
    assert d["decision"] == "END" and d["fresh"] == [] and d["prepared"][0] == [30]


@pytest.mark.rule("BLOOD-CORNER-09", "BLOOD-PHASE-06")
def test_bjarmia_comes_before_vikings_and_the_final_evaluation() -> None:
    used = [t for t in range(1, 121) if t not in (113, 99, 42, 108, 45, 1, 2)]
    play = scene(FOUR, warbands=OWN, decision="D15", laid=at(0, 0), a=1, hands=[[1], [2]], discard=used[:53],
                 vp=[5, 0], abilities=[VIKINGS, None])  # fmt: skip
    assert play.to_dict()["pile"] == []
    d = go(play, "PASS")
    assert d["winners"] == [0] and d["vp"] == [5, 0]


# ---- End ------------------------------------------------------------------------------------------------------------

LAST = "9@(0,0)/0 21@(-1,0)/0 33@(-2,0)/3 4@(-2,1)/5"


def ended(points, numbers, n=3, **given):
    """The last turn of a game ends: villages 3, 3, 2 unless `numbers` say otherwise."""
    warbands = {(0, 0): numbers[0], (-1, 0): [1, 1, 1], (-2, 0): [1, 1, 0], (-2, 1): numbers[1]}
    used = [t for t in range(1, 121) if t not in (9, 21, 33, 4, 7, 5, 13, 3)]
    play = scene(LAST, n, warbands, decision="D02", placing={"tile": 7, "cell": None}, vp=points,
                 hands=[[5], [13], [3]], discard=used[:82], **given)  # fmt: skip
    assert play.to_dict()["pile"] == []
    go(play, "PASS")
    assert point(play) == "END"
    return play


@pytest.mark.rule("BLOOD-END-03", "BLOOD-END-04", "BLOOD-END-05", "BLOOD-TEST-21", "BLOOD-END-06")
def test_the_final_evaluation() -> None:
    win = {"options": {"reward": "win"}}
    play = ended([2, 2, 5], ([1, 1, 1], [3, 2, 5]), **win)
    assert play.to_dict()["winners"] == [0] and returns(play) == [1.0, -0.5, -0.5]
    draw = ended([2, 2, 5], ([1, 1, 1], [3, 3, 5]), **win)
    assert draw.to_dict()["winners"] == [0, 1] and returns(draw) == [0.25, 0.25, -0.5]
    points = ended([2, 3, 5], ([1, 1, 1], [3, 2, 5]), **win)
    assert points.to_dict()["winners"] == [1]  # villages, then points, then warbands on the map


@pytest.mark.rule("BLOOD-END-08", "BLOOD-END-06")
def test_ranks_and_the_reward_schemes() -> None:
    def of(**given):
        play = ended([2, 2, 5], ([1, 1, 1], [3, 3, 5]), **given)
        return returns(play), scoring.ranks(play.rules, play.record)

    assert of() == ([0.5, 0.5, -1.0], [1, 1, 3])
    assert of(options={"reward": "score"})[0] == pytest.approx([-0.25, -0.25, 0.5])
    play = ended([2, 2, 5], ([1, 1, 1], [3, 2, 5]))
    assert returns(play) == [1.0, 0.0, -1.0] and scoring.ranks(play.rules, play.record) == [1, 2, 3]
    out = np.empty(5)
    scoring.scores(play.rules, play.record, out)
    assert out[:3].tolist() == [2, 2, 5]
    for options in FULL_OPTIONS[1:]:
        *_, last = walk(3, **options)
        assert sum(returns(last)) == pytest.approx(0)


@pytest.mark.rule("BLOOD-END-04", "BLOOD-END-06")
def test_nobody_is_paid_before_the_end() -> None:
    made = 0
    for play in walk(2, num_players=2):
        made += 1
        d = play.to_dict()
        assert (d["winners"] is None) == (d["decision"] != "END")
        assert d["decision"] == "END" or returns(play) == [0.0, 0.0]
        assert d["decision"] != "D01" or d["pile"]  # no turn starts with an empty pile
    assert made > 50


@pytest.mark.rule("BLOOD-END-07")
def test_at_the_end_nobody_acts() -> None:
    *_, last = walk(2, num_players=4)
    d = last.to_dict()
    assert d["player"] is None and last.legal() == [] and d["active"] in range(4)


# ---- The frame ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-PHASE-01")
def test_turns_pass_clockwise_and_points_are_visited_in_order() -> None:
    order, before = [], None
    for play in walk(6, num_players=3):
        d = play.to_dict()
        if before and d["decision"] != "END":
            if d["active"] == before["active"] and d["decision"] not in ("D01", "D02") and before["laid"]:
                rank = {"D17": before["decision"], "D18": before["decision"]}.get(d["decision"], d["decision"])
                village = ("D08", "D09", "D10", "D11", "D12")
                assert rank >= before["decision"] or before["decision"] >= "D16" or before["decision"] in village
            elif d["active"] != before["active"]:
                assert d["active"] == (before["active"] + 1) % 3
                order.append(d["active"])
        before = d
    assert len(order) > 20


@pytest.mark.rule("BLOOD-PHASE-02", "BLOOD-ACTION-01", "BLOOD-ACTION-02")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=lambda options: f"{options['num_players']} players")
def test_every_decision_offers_two_of_its_own_actions(options) -> None:
    own = {
        "D01": "TILE PILE", "D02": "DO PASS", "D03": "CELL", "D04": "ROT", "D05": "SIDE PASS",
        "D06": "CELL VP RES PIECE", "D07": "TILE PASS", "D08": "DO CELL RES PASS", "D09": "DO CELL VP PASS",
        "D10": "CELL PASS", "D11": "TILE", "D12": "TILE PASS", "D13": "DO CELL VP DRAW SPEND PASS",
        "D14": "CELL DRAW SPEND PASS", "D15": "CELL DRAW SPEND PASS", "D16": "CELL DRAW SPEND PASS", "D17": "COUNT",
        "D18": "CELL", "D19": "TILE PASS", "D20": "TILE PILE", "D21": "COUNT PASS", "D22": "CELL PASS",
    }  # fmt: skip
    limit = num_actions(options.get("grid_size", 32))
    for i, play in enumerate(walk(12, **options)):
        legal = play.legal()
        assert i % 7 != 0 or check(play.rules, play.record) == 0
        if play.over():
            continue
        assert 2 <= len(legal) <= MAX_LEGAL and legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] < limit
        kinds = {str(name).split()[0] if isinstance(name, str) else "CELL" for name in offered(play)}
        assert kinds <= set(own.get(point(play), "CELL").split())
        if all(action >= CELL for action in legal):
            assert cells(play)


@pytest.mark.rule("BLOOD-PHASE-02", "BLOOD-ACTION-02")
def test_a_point_with_one_legal_action_is_not_shown() -> None:
    whole = {"more": {(1, 0): [7, 0], (0, 1): [1, 0]}, "vp": [2, 0]}
    empty = fight([2, 1], [[], []], [49, 8, 4, 5], **whole)
    assert empty.to_dict()["settlement"][0] == 0 and point(empty) == "D22"  # D21 would offer PASS alone
    full = fight([2, 1], [[], []], [49, 8, 4, 5])
    assert point(full) == "D21" and len(full.legal()) == 3


@pytest.mark.rule("BLOOD-CORNER-11", "BLOOD-CORNER-12")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=lambda options: f"{options['num_players']} players")
def test_every_game_ends_within_the_bound(options) -> None:
    states = [play.over() for play in walk(77, **options)]
    assert states[-1] and not any(states[:-1])
    assert len(states) - 1 <= max_decisions(Options(**options))


@pytest.mark.rule("BLOOD-CORNER-12")
def test_the_bound_is_the_ledgers() -> None:
    bounds = [max_decisions(Options(num_players=n)) for n in range(1, 6)]
    assert bounds == [22243, 14947, 21727, 28507, 28507]


@pytest.mark.rule("BLOOD-PHASE-07", "BLOOD-CORNER-14")
def test_the_sixth_point_ends_a_battle_phase_with_actions_left() -> None:
    play = fight([3, 3], [[], []], [8, 13, 4, 25, 27, 6, 9], a=3, vp=[5, 0])
    d = play.to_dict()
    assert (d["decision"], d["winners"]) == ("END", [0]) and there(play, (0, 0)) == [2, 2]
    assert d["a"] == 0 and d["laid"] is None
