"""Planning and round change (SAGA-PLAN), and the facts they leave behind (SAGA-INFO-04, -05, -07, -10, -11)."""

from __future__ import annotations

import numpy as np
import pytest
from positions import BUY, COMPLETE, DRAW, DRAW_PILE, HOLD, KEEP, PASS, after, flat, load, play, position

from northmen_env.engine.random import shuffle, stream

ALL = list(range(56))


def buying(n: int = 2, **more):
    return position(n, "BUY", **{"infamy": [9] * n, **more})


def holding(n: int = 2, **more):
    return position(n, "HOLD", **{"infamy": [3] + [0] * (n - 1), **more})


# ---- Buying ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-PLAN-01")
def test_planning_turns_go_in_leader_order() -> None:
    state = load(buying(3, leader=1, player=1, infamy=[3, 3, 3]))
    asked = []
    while state.to_dict()["round"] == 1:
        asked.append((state.current_player, state.to_dict()["decision"]))
        state.apply_action(PASS)
    assert asked == [(p, what) for p in (1, 2, 0) for what in ("BUY", "HOLD")]


@pytest.mark.rule("SAGA-PLAN-02", "SAGA-RALLY-09", "SAGA-ACT-02")
def test_three_infamy_draw_two_routes_and_keep_one() -> None:
    d = buying(routes_open=[[4], []], route_deck=[7, 2, *[r for r in range(20) if r not in (2, 4, 7)]])
    assert load(d).legal_actions() == [BUY, PASS]
    state = play(d, BUY)
    e = state.to_dict()
    assert (e["decision"], e["routes_drawn"], state.legal_actions()) == ("KEEP", [7, 2], [KEEP + 2, KEEP + 7])
    assert (e["infamy"][0], e["reserve"][0], e["route_deck"]) == (6, 24, d["route_deck"][2:])
    for kept, other in ((2, 7), (7, 2)):
        e = after(state, KEEP + kept)
        assert e["routes_open"][0] == sorted([4, kept])
        assert e["route_deck"] == [*d["route_deck"][2:], other]
        assert e["routes_drawn"] == []


@pytest.mark.rule("SAGA-PLAN-03")
def test_draws_are_bought_one_at_a_time_and_may_bring_a_card_back() -> None:
    d = buying(routes_open=[[*range(17)], []])
    assert d["route_deck"] == [17, 18, 19]
    state = play(d, BUY, KEEP + 17)
    assert (state.to_dict()["decision"], state.to_dict()["route_deck"]) == ("BUY", [19, 18])
    state.apply_action(BUY)
    assert state.to_dict()["routes_drawn"] == [19, 18]


@pytest.mark.rule("SAGA-PLAN-04", "SAGA-EDGE-04")
def test_a_single_route_costs_three_and_is_kept_without_a_choice() -> None:
    d = buying(routes_open=[[*range(19)], []], infamy=[9, 0])
    e = after(d, BUY)
    assert e["routes_open"][0] == list(range(20)) and e["route_deck"] == []
    assert e["infamy"][0] == 6 and e["decision"] == "HOLD"  # with an empty deck nothing can be bought
    sold_out = position(decision="HOLD", routes_open=[[*range(20)], []], infamy=[9, 9])
    assert after(sold_out, PASS)["player"] == 1 and after(sold_out, PASS)["decision"] == "HOLD"


@pytest.mark.rule("SAGA-PLAN-04", "SAGA-EDGE-04")
def test_the_last_route_is_for_sale() -> None:
    state = play(buying(routes_open=[[*range(18)], []], infamy=[6, 0]), BUY, KEEP + 18)
    assert (state.to_dict()["decision"], state.to_dict()["route_deck"]) == ("BUY", [19])
    assert state.legal_actions() == [BUY, PASS]


@pytest.mark.rule("SAGA-EDGE-04")
def test_routes_are_never_removed_from_the_game() -> None:
    state = load(buying(infamy=[15, 0], routes_open=[[0], [1]], routes_done=[[2], []]))
    while state.to_dict()["round"] == 1:
        d = state.to_dict()
        routes = [*d["route_deck"], *d["routes_drawn"], *flat(d["routes_open"] + d["routes_done"])]
        assert sorted(routes) == list(range(20))
        state.apply_action(state.legal_actions()[0])


@pytest.mark.rule("SAGA-TURN-04")
def test_no_buying_below_three_infamy() -> None:
    d = position(decision="ROUTE", cubes={7 + 1: {0: 1}}, routes_open=[[3], []], infamy=[2, 3])
    d["controller"][1] = 0
    state = play(d, PASS)
    assert (state.to_dict()["decision"], state.current_player) == ("HOLD", 0)
    state.apply_action(PASS)
    assert (state.to_dict()["decision"], state.current_player) == ("BUY", 1)


# ---- Holding --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-PLAN-05", "SAGA-PLAN-06", "SAGA-EX-11", "SAGA-ACT-02")
def test_olaf_plans() -> None:
    state = load(position(decision="BUY", infamy=[4, 0], hands={0: [3, 10, 26, 40, 41, 50]}))
    assert state.legal_actions() == [BUY, PASS]
    state.apply_action(BUY)
    assert (state.to_dict()["infamy"][0], len(state.to_dict()["routes_drawn"])) == (1, 2)
    state.apply_action(state.legal_actions()[0])
    assert state.legal_actions() == [59, 66, 82, 96, 97, 106, 177]
    state.apply_action(66)
    e = state.to_dict()
    assert (e["round"], e["infamy"][0]) == (2, 0)
    assert 10 in e["hands"][0] and len(e["hands"][0]) == 6


@pytest.mark.rule("SAGA-PLAN-05", "SAGA-PLAN-06")
def test_held_cards_stay_and_the_others_are_discarded() -> None:
    d = holding(3, player=0, leader=0, hands={0: [3, 10, 26, 40, 41, 50]}, infamy=[3, 1, 0])
    state = play(d, HOLD + 10)
    e = state.to_dict()
    assert (e["held"], e["hold_last"], e["infamy"][0], e["reserve"][0]) == ([10], 10, 2, 28)
    assert e["hands"][0] == [3, 10, 26, 40, 41, 50]
    assert state.legal_actions() == [HOLD + c for c in (26, 40, 41, 50)] + [PASS]
    e = after(state, HOLD + 41, PASS)
    assert (e["hands"][0], e["held"], e["hold_last"], e["player"]) == ([10, 41], [], -1, 1)
    assert e["infamy"][0] == 1
    gone = set(ALL) - set(flat(e["hands"] + e["piles"])) - set(e["slots"]) - set(e["draw_pile"])
    assert gone == {3, 26, 40, 50}


@pytest.mark.rule("SAGA-PLAN-06")
def test_holding_ends_with_the_infamy_or_above_the_last_card() -> None:
    d = holding(hands={0: [3, 10, 26]}, infamy=[2, 0])
    assert after(d, HOLD + 3, HOLD + 10)["round"] == 2
    assert after(d, HOLD + 26)["round"] == 2
    assert after(d, HOLD + 3)["decision"] == "HOLD"


@pytest.mark.rule("SAGA-PLAN-07")
def test_a_small_hand_can_be_held_whole() -> None:
    e = after(holding(hands={0: [3, 10], 1: []}, infamy=[5, 0]), HOLD + 3, HOLD + 10)
    assert e["round"] == 2 and {3, 10} < set(e["hands"][0]) and len(e["hands"][0]) == 6
    assert (e["held_count"], e["hand_before_hold"]) == ([2, 0], [2, 0])


@pytest.mark.rule("SAGA-PLAN-08")
def test_others_see_how_many_cards_were_held_but_not_which() -> None:
    d = holding(3, hands={0: [3, 10, 26, 40, 41, 50]}, infamy=[3, 1, 0])
    state = play(d, HOLD + 10, HOLD + 41, PASS)
    names = [kind.name for kind in state.game.spec.events]
    seen = [[(names[code], seat, a, b) for code, seat, a, b in state.events(p)] for p in range(3)]
    assert [row for row in seen[0] if row[0] == "hold"] == [("hold", 0, 10, -1), ("hold", 0, 41, -1)]
    for p in (1, 2):
        assert seen[p] == [("held", 0, 2, -1)]


# ---- Round change ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-PLAN-09", "SAGA-SETUP-08")
@pytest.mark.parametrize("leader", (0, 1, 2))
def test_all_cards_but_the_held_ones_are_shuffled_and_dealt_in_leader_order(leader: int) -> None:
    hand = [3, 10, 26, 40, 41, 50]
    last = (leader + 2) % 3
    d = position(
        3, "HOLD", player=last, leader=leader, hands={last: hand, leader: [0, 1], (leader + 1) % 3: []},
        piles={0: [55, 54, 53], 1: [30]}, infamy=[2, 2, 2], held_count=[0, 0, 0], hand_before_hold=[0, 0, 0],
        not_held=[ALL] * 3,
    )  # fmt: skip
    first, second = leader, (leader + 1) % 3
    visible = [55, 54, 53, 30, *d["slots"]]
    d["held_count"][first], d["hand_before_hold"][first] = 2, 2
    d["not_held"][first] = sorted({0, 1, *visible})
    d["not_held"][second] = sorted(visible)
    e = load(d, seed=77)
    e.apply_action(HOLD + 10)
    e.apply_action(PASS)
    e = e.to_dict()
    pool = np.asarray([c for c in ALL if c not in (0, 1, 10)], np.int16)
    shuffle(np.uint64(stream(np.uint64(77), 2, 0, 2)), pool, len(pool))
    order = pool.tolist()
    assert e["hands"][first] == sorted([0, 1, *order[:4]])
    assert e["hands"][second] == sorted(order[4:10])
    assert e["hands"][last] == sorted([10, *order[10:15]])
    assert e["slots"] == order[15:18] and e["draw_pile"] == order[18:]
    assert e["piles"] == [[], [], []]


@pytest.mark.rule("SAGA-PLAN-10")
def test_the_leader_token_passes_on_and_the_next_group_comes() -> None:
    for n in (2, 3, 4):
        for leader in range(n):
            last = (leader + n - 1) % n
            hands = {p: [] for p in range(n) if p != last}
            d = position(n, "HOLD", leader=leader, player=last, hands=hands, infamy=[1] * n)
            for p in range(n):
                if p != last:
                    d["not_held"][p] = sorted(d["slots"])
            e = after(d, PASS)
            assert (e["round"], e["leader"], e["player"], e["group"]) == (2, (leader + 1) % n, (leader + 1) % n, 15)
            assert e["decision"] == "PLAY" and e["tokens"] == d["tokens"] and e["plunder"] == d["plunder"]
            assert [len(hand) for hand in e["hands"]] == [6] * n


# ---- Facts ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-INFO-04")
def test_known_cards_are_those_taken_from_the_row_and_not_played() -> None:
    d = position(decision="DRAW", piles={0: [8]}, slots=[20, 30, 40], infamy=[0, 0], known_hand=[[1], []])
    d["hands"] = [[1, 2, 3, 4, 5], [9, 10, 11, 12, 13, 14]]
    d["draw_pile"] = sorted(set(ALL) - set(flat(d["hands"])) - {8, 20, 30, 40})
    assert after(d, DRAW + 1)["known_hand"] == [[1, 30], []]
    assert after(d, DRAW_PILE)["known_hand"] == [[1], []]
    state = play(d, DRAW + 1)
    state.apply_action(9)
    state.apply_action(DRAW + 2)
    assert state.to_dict()["known_hand"] == [[1, 30], [40]]
    assert after(state, 30)["known_hand"] == [[1], [40]]
    assert after(state, 2)["known_hand"] == [[1, 30], [40]]


@pytest.mark.rule("SAGA-INFO-04", "SAGA-INFO-05", "SAGA-INFO-10")
@pytest.mark.parametrize(("held", "known"), [([3, 10, 26], [3, 26]), ([3, 26], []), ([], [])])
def test_what_a_planning_turn_leaves_behind(held: list[int], known: list[int]) -> None:
    d = holding(
        3, hands={0: [3, 10, 26], 1: [0, 1, 2]}, piles={0: [50, 51], 2: [52]}, slots=[53, 54, 55], infamy=[4, 1, 0],
        known_hand=[[3, 26], [1], []],
    )  # fmt: skip
    state = play(d, *[HOLD + c for c in held], *([PASS] if 26 not in held else []))
    e = state.to_dict()
    assert state.current_player == 1
    assert e["known_hand"] == [known, [1], []]
    assert e["known_hand_prev"] == [[3, 26], [], []]
    assert (e["held_count"], e["hand_before_hold"]) == ([len(held), 0, 0], [3, 0, 0])
    assert e["not_held"] == [[3, 10, 26, 50, 51, 52, 53, 54, 55], ALL, ALL]
    assert e["hands"][0] == held


@pytest.mark.rule("SAGA-INFO-10", "SAGA-INFO-05")
def test_the_facts_are_written_although_holding_was_skipped() -> None:
    d = position(decision="BUY", infamy=[3, 1], hands={0: [3, 10], 1: [7]}, known_hand=[[3], []])
    e = after(d, BUY, load(d).to_dict()["route_deck"][0] + KEEP)
    assert (e["decision"], e["player"]) == ("HOLD", 1)
    assert (e["held_count"][0], e["hand_before_hold"][0]) == (0, 2)
    assert (e["known_hand_prev"][0], e["known_hand"][0], e["hands"][0]) == ([3], [], [])


@pytest.mark.rule("SAGA-INFO-05")
def test_the_facts_of_round_1() -> None:
    d = position(4)
    assert load(d).to_dict()["not_held"] == [ALL] * 4
    assert (d["held_count"], d["hand_before_hold"], d["known_hand_prev"]) == ([0] * 4, [0] * 4, [[]] * 4)


@pytest.mark.rule("SAGA-INFO-07")
def test_positions_in_the_trade_deck_are_followed() -> None:
    d = buying(3, infamy=[12, 12, 3], routes_open=[[*range(13)], [], []])
    assert d["route_deck"] == [13, 14, 15, 16, 17, 18, 19]
    state = play(d, BUY, KEEP + 13)  # 14 goes to the bottom
    e = state.to_dict()
    assert e["route_deck"] == [15, 16, 17, 18, 19, 14]
    assert e["route_pos"][0][14] == 5 and e["route_pos"][1] == [-1] * 20
    e = after(state, BUY, KEEP + 15)  # 16 returns
    assert e["route_deck"] == [17, 18, 19, 14, 16]
    assert (e["route_pos"][0][14], e["route_pos"][0][16]) == (3, 4)
    e = after(state, BUY, KEEP + 15, BUY, KEEP + 17, BUY)  # 19 and 14 of [19, 14, 16, 18] are drawn
    assert (e["routes_drawn"], e["route_pos"][0][14], e["route_pos"][0][16]) == ([19, 14], -1, 0)
    assert e["route_pos"][0][18] == 1 and e["route_known_holder"] == [[None] * 20] * 3


@pytest.mark.rule("SAGA-INFO-07")
def test_who_knew_the_only_route_knows_its_holder_until_it_is_completed() -> None:
    positions = [[-1] * 20 for _ in range(3)]
    positions[0][19] = positions[2][19] = 0
    open_routes = [[*range(9)], [*range(9, 18)], [18]]
    d = buying(3, leader=1, player=1, infamy=[0, 3, 0], routes_open=open_routes, route_pos=positions)
    e = after(d, BUY)
    assert e["routes_open"][1] == [*range(9, 18), 19] and e["route_pos"] == [[-1] * 20] * 3
    known = [[None] * 19 + [1], [None] * 20, [None] * 19 + [1]]
    assert e["route_known_holder"] == known
    visit = position(
        3, "ROUTE", player=1, cubes={7 + 5: {1: 1}}, routes_open=e["routes_open"], infamy=[0, 0, 0],
        route_known_holder=known,
    )  # fmt: skip
    visit["controller"][6] = 1
    assert after(visit, COMPLETE + 19)["route_known_holder"] == [[None] * 20] * 3
    positions[1][19] = 0  # the buyer knew it too
    assert after({**d, "route_pos": positions}, BUY)["route_known_holder"][1][19] == 1
