"""The rally phase (SAGA-RALLY) and the frame of turns and decisions around it (SAGA-TURN)."""

from __future__ import annotations

import pytest
from positions import (
    ARABIA,
    BULGARIA,
    BUY,
    DELAY,
    DRAW,
    DRAW_PILE,
    EMPIRE,
    FINLAND,
    HIRE,
    HOLD,
    MAGYARS,
    NORMANS,
    PASS,
    RUS,
    SAXONS,
    after,
    game,
    last_turn,
    load,
    play,
    position,
)

MARK_3_4, MARK_4, NO_REGION = 7, 27, 8  # cards of SAGA-EX-06


def walk(num_players: int, seed: int, **options):
    """Play a game by an arithmetic rule; yield each state before its action, and the last one."""
    state = game(num_players=num_players, **options).new_initial_state(seed=seed)
    turn = 0
    while not state.is_terminal():
        yield state
        legal = state.legal_actions()
        turn += 1
        state.apply_action(legal[(turn * 7 + seed) % len(legal)])
    yield state


# ---- Frame ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-TURN-01")
def test_three_rounds_of_rally_march_and_planning() -> None:
    order = {
        "PLAY": 0,
        "HIRE": 0,
        "DRAW": 0,
        "DELAY": 1,
        "CUBE": 1,
        "HERO": 1,
        "ROUTE": 1,
        "BUY": 2,
        "KEEP": 2,
        "HOLD": 2,
    }
    places = []
    for state in walk(3, 4):
        d = state.to_dict()
        places.append((d["round"], order.get(d["decision"], 3)))
    assert places == sorted(places)
    assert {(r, phase) for r in (1, 2) for phase in (0, 1, 2)} | {(3, 0), (3, 1), (3, 3)} == set(places)


@pytest.mark.rule("SAGA-TURN-02", "SAGA-OPT-02")
def test_round_3_has_no_planning_unless_the_option_asks_for_it() -> None:
    last_visit = {
        "decision": "ROUTE",
        "in_round": 3,
        "cubes": {7 + ARABIA: {0: 1}},
        "controller": [None, 0, None, None, None, None, None],
        "routes_open": [[3], []],
        "infamy": [9, 9],
    }
    assert after(position(**last_visit), PASS)["decision"] == "END"
    planned = play(position(**last_visit, options={"final_planning": True}), PASS)
    assert planned.to_dict()["decision"] == "BUY"
    for _ in range(4):  # nobody buys, nobody holds
        planned.apply_action(PASS)
    end = planned.to_dict()
    assert end["decision"] == "END" and end["hands"] == [[], []]  # planned, but nothing is dealt
    assert after(position(**{**last_visit, "in_round": 2}), PASS)["decision"] == "BUY"


@pytest.mark.rule("SAGA-TURN-03")
def test_a_single_legal_action_is_taken_without_asking() -> None:
    # Seat 1 has one card and seat 0 draws the only card there is: both happen within one step.
    d = position(
        hands={0: [8, 15], 1: [22]},
        piles={0: list(range(16, 22)) + list(range(24, 40)), 1: [*range(8), *range(9, 15), 23, *range(40, 55)]},
        slots=[55, None, None],
        draw_pile=[],
        infamy=[0, 0],
    )
    e = after(d, 8)
    assert (e["player"], e["hands"]) == (0, [[15, 55], []])
    assert e["piles"][1][-1] == 22 and e["piles"][0][-1] == 8


@pytest.mark.rule("SAGA-TURN-03", "SAGA-TURN-04")
@pytest.mark.parametrize("n", (2, 3, 4))
def test_every_decision_offers_two_of_its_own_actions(n: int) -> None:
    own = {
        "PLAY": range(56), "HIRE": (HIRE, PASS), "DRAW": range(112, 116), "DELAY": (DELAY, PASS),
        "CUBE": range(116, 125), "HERO": range(125, 134), "ROUTE": (*range(134, 154), PASS), "BUY": (BUY, PASS),
        "KEEP": range(154, 174), "HOLD": (*range(56, 112), PASS),
    }  # fmt: skip
    seen = set()
    for seed in range(6):
        for state in walk(n, seed, final_planning=True):
            d = state.to_dict()
            seen.add(d["decision"])
            if state.is_terminal():
                assert d["player"] is None and state.legal_actions() == []
                continue
            assert d["player"] == state.current_player
            assert len(state.legal_actions()) >= 2
            assert set(state.legal_actions()) <= set(own[d["decision"]])
    assert seen == {*own, "END"}


@pytest.mark.rule("SAGA-TURN-05", "SAGA-TURN-07")
def test_a_game_goes_on_from_its_json_alone() -> None:
    for state in walk(4, 11, draw_after_last_token=True):
        if state.is_terminal():
            break
        again = load(state.to_dict(), seed=11)
        before = state.clone()
        for _ in range(3):
            if not before.is_terminal():
                action = before.legal_actions()[-1]
                before.apply_action(action)
                again.apply_action(action)
        assert again.to_dict() == before.to_dict()
        assert again.record.tobytes() == before.record.tobytes()


@pytest.mark.rule("SAGA-TURN-05")
def test_the_order_within_a_turn_and_from_turn_to_turn() -> None:
    d = position(3, hands={0: [26, 0, 1, 2, 3, 4]}, player=0)
    state = load(d)
    decisions = []
    for action in (26, HIRE, DRAW_PILE):
        decisions.append((state.to_dict()["decision"], state.current_player))
        state.apply_action(action)
    assert decisions == [("PLAY", 0), ("HIRE", 0), ("DRAW", 0)]
    assert (state.to_dict()["decision"], state.current_player) == ("PLAY", 1)


# ---- Playing a card -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-RALLY-01")
@pytest.mark.parametrize("leader", (0, 1, 2))
def test_the_leader_begins_and_turns_pass_clockwise(leader: int) -> None:
    state = game(num_players=3, first_leader=leader).new_initial_state(seed=6)
    seats = []
    while len(seats) < 7:
        if state.to_dict()["decision"] == "PLAY":
            seats.append(state.current_player)
        state.apply_action(state.legal_actions()[-1])
    assert seats == [(leader + i) % 3 for i in range(7)]
    while state.to_dict()["round"] == 1:
        state.apply_action(state.legal_actions()[-1])
    assert (state.to_dict()["leader"], state.current_player) == ((leader + 1) % 3, (leader + 1) % 3)


@pytest.mark.rule("SAGA-RALLY-02", "SAGA-ACT-02")
def test_any_hand_card_is_played_onto_the_own_pile() -> None:
    d = position(hands={0: [3, 10, 26, 40, 41, 50]}, piles={0: [55, 1], 1: [2]})
    assert load(d).legal_actions() == [3, 10, 26, 40, 41, 50]  # and no PASS
    for card in d["hands"][0]:
        e = after(d, card)
        assert e["piles"] == [[55, 1, card], [2]]
        assert e["hands"][0] == sorted(set(d["hands"][0]) - {card})
        assert e["card"] == card


@pytest.mark.rule("SAGA-RALLY-03")
def test_a_seat_without_cards_is_skipped() -> None:
    d = position(3, decision="DRAW", piles={0: [8]}, hands={1: []})
    e = after(d, DRAW_PILE)
    assert (e["decision"], e["player"]) == ("PLAY", 2)


@pytest.mark.rule("SAGA-RALLY-04")
@pytest.mark.parametrize(("card", "kingdom", "symbols"), [(0, 0, 3), (4, 0, 2), (7, 0, 1), (33, 4, 3), (52, 6, 2)])
def test_one_cube_for_each_symbol(card: int, kingdom: int, symbols: int) -> None:
    d = position(hands={0: [card, 8, 15, 22, 31, 38]})
    e = after(d, card)
    assert e["cubes"] == [[symbols, 0] if place == kingdom else [0, 0] for place in range(16)]
    assert e["reserve"] == [27 - symbols, 27]


def short_of_cubes(reserve: int, infamy: int, **more):
    """Seat 0 has only `reserve` cubes left: the others stand on the Normans, under cards that placed them."""
    away = 30 - reserve - infamy
    normans = [0, 1, 2, 3, 4, 5, 6, 7]  # 15 symbols
    rus = [8, 9, 10, 11, 12, 13]  # 14 symbols
    cubes = {NORMANS: {0: min(away, 15)}, RUS: {0: away - min(away, 15)}}
    return position(hands={0: [24, 15, 22, 31, 38]}, piles={0: normans + rus}, infamy=[infamy, 3], cubes=cubes, **more)


@pytest.mark.rule("SAGA-RALLY-05", "SAGA-EX-07", "SAGA-EDGE-01")
def test_a_short_reserve_places_what_is_left() -> None:
    d = short_of_cubes(1, 4)
    state = play(d, 24)
    e = state.to_dict()
    assert e["cubes"][SAXONS] == [1, 0] and e["reserve"][0] == 0
    assert state.legal_actions() == [HIRE, PASS]
    hired = after(state, HIRE)
    assert (hired["reserve"][0], hired["infamy"][0], hired["tokens"][0], hired["group"]) == (3, 1, 1, 14)
    assert hired["cubes"][SAXONS] == [1, 0] and hired["heroes"][SAXONS] == [1, 0]


@pytest.mark.rule("SAGA-RALLY-06", "SAGA-EX-07")
def test_infamy_is_never_placed_and_the_card_counts_as_played() -> None:
    e = after(short_of_cubes(0, 4), 24)
    assert e["cubes"][SAXONS] == [0, 0]
    assert (e["infamy"][0], e["reserve"][0]) == (4, 0)
    assert e["decision"] == "DRAW"  # no HIRE without a cube
    assert (e["tokens"][0], e["group"]) == (1, 14)


# ---- Hiring ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-RALLY-07", "SAGA-RALLY-09", "SAGA-EX-01")
@pytest.mark.parametrize("n", (2, 3, 4))
def test_rollo_hires_a_hero(n: int) -> None:
    d = position(n, hands={0: [26, 0, 8, 15, 22, 31]}, infamy=[3, *[6] * (n - 1)])
    state = play(d, 26)
    e = state.to_dict()
    assert (e["cubes"][SAXONS][0], e["heroes"][SAXONS][0], e["reserve"][0]) == (2, 0, 25)
    assert e["tokens"] == [0] * 9 and e["group"] == 15  # the token comes after the hero
    assert (e["decision"], state.legal_actions()) == ("HIRE", [HIRE, PASS])
    state.apply_action(HIRE)
    e = state.to_dict()
    assert (e["infamy"][0], e["reserve"][0], e["hero_supply"][0]) == (0, 28, 2)
    assert (e["cubes"][SAXONS][0], e["heroes"][SAXONS][0]) == (2, 1)
    assert (e["tokens"][BULGARIA], e["group"]) == (1, 14)
    assert (e["decision"], state.legal_actions()) == ("DRAW", [112, 113, 114, 115])


@pytest.mark.rule("SAGA-RALLY-07")
def test_at_most_one_hero_a_turn_and_none_by_passing() -> None:
    d = position(hands={0: [26, 0, 8, 15, 22, 31]}, infamy=[12, 3])
    assert after(d, 26, HIRE)["decision"] == "DRAW"
    e = after(d, 26, PASS)
    assert (e["decision"], e["infamy"][0], e["heroes"][SAXONS]) == ("DRAW", 12, [0, 0])


@pytest.mark.rule("SAGA-TURN-04", "SAGA-EDGE-02")
def test_no_hero_without_three_infamy_or_without_heroes() -> None:
    hands = {0: [26, 0, 15, 31, 38]}
    assert after(position(hands=hands, infamy=[2, 6]), 26)["decision"] == "DRAW"
    spent = {"hands": hands, "infamy": [9, 3], "piles": {0: [8, 9, 10]}, "cubes": {RUS: {0: 8}}}
    assert after(position(**spent, heroes={RUS: {0: 3}}), 26)["decision"] == "DRAW"
    assert after(position(**spent, heroes={RUS: {0: 2}}), 26)["decision"] == "HIRE"


@pytest.mark.rule("SAGA-EDGE-02")
def test_heroes_that_come_home_can_be_hired_again() -> None:
    d = position(
        decision="ROUTE",
        cubes={7 + ARABIA: {0: 1}},
        heroes={7 + ARABIA: {0: 3}},
        routes_open=[[3], []],
        controller=[None, 0, None, None, None, None, None],
        infamy=[2, 2],
        known_hand=[[], []],
    )
    state = play(d, PASS, PASS, PASS)  # nobody holds a card
    e = state.to_dict()
    assert (e["round"], e["hero_supply"]) == (2, [3, 3])


@pytest.mark.rule("SAGA-RALLY-08", "SAGA-OPT-02")
def test_a_hero_needs_a_cube_that_this_card_placed() -> None:
    assert after(short_of_cubes(0, 9), 24)["decision"] == "DRAW"
    free = short_of_cubes(0, 9, options={"hero_needs_cube": False})
    state = play(free, 24)
    assert state.legal_actions() == [HIRE, PASS]
    assert after(state, HIRE)["heroes"][SAXONS] == [1, 0]


@pytest.mark.rule("SAGA-RALLY-09")
def test_infamy_spent_comes_back_for_the_next_placement_only() -> None:
    e = after(short_of_cubes(2, 4), 24, HIRE)
    assert (e["cubes"][SAXONS][0], e["reserve"][0], e["infamy"][0]) == (2, 3, 1)


# ---- Plunder --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-RALLY-10", "SAGA-EX-06")
@pytest.mark.parametrize(
    ("card", "n", "region"),
    [
        (MARK_3_4, 2, EMPIRE), (MARK_3_4, 3, None), (MARK_3_4, 4, None),
        (MARK_4, 2, FINLAND), (MARK_4, 3, FINLAND), (MARK_4, 4, None),
        (NO_REGION, 2, None), (NO_REGION, 3, None), (NO_REGION, 4, None),
        (26, 4, BULGARIA),
    ],
)  # fmt: skip
def test_marks_decide_whether_a_card_places_a_token(card: int, n: int, region: int | None) -> None:
    d = position(n, hands={0: [card, 0, 15, 22, 31, 38]}, infamy=[0] * n)
    e = after(d, card)
    assert e["tokens"] == [int(r == region) for r in range(9)]
    assert e["group"] == (15 if region is None else 14)


@pytest.mark.rule("SAGA-RALLY-10")
def test_tokens_of_earlier_rounds_stay_and_add_up() -> None:
    d = position(in_round=2, hands={0: [26, 0, 15, 22, 31, 38]}, tokens={BULGARIA: 6, ARABIA: 2}, infamy=[0, 0])
    e = after(d, 26)
    assert (e["tokens"][BULGARIA], e["tokens"][ARABIA], e["group"]) == (7, 2, 14)


@pytest.mark.rule("SAGA-RALLY-11", "SAGA-RALLY-12", "SAGA-EX-09")
def test_the_fifteenth_token_ends_the_rally_at_once() -> None:
    d = last_turn(4, infamy=[0, 0, 0, 0])
    state = play(d, 14)
    e = state.to_dict()
    assert e["group"] == 0 and e["decision"] == "CUBE" and e["march"]["kingdom"] == RUS
    assert len(e["hands"][0]) == 4 and e["slots"] == d["slots"] and e["draw_pile"] == d["draw_pile"]
    earlier = after({**d, "group": 2, "plunder": [0, 0, 0, 13]}, 14)
    assert (earlier["group"], earlier["decision"]) == (1, "DRAW")


@pytest.mark.rule("SAGA-EX-09")
def test_a_hand_of_five_can_be_held_whole_and_is_filled_to_six() -> None:
    hand = [0, 8, 15, 22, 31, 38]
    d = position(4, hands={0: [14, *hand[1:]]}, group=1, infamy=[6, 0, 0, 0], routes_open=[[], [], [], [*range(20)]])
    state = play(d, 14, PASS)  # no hero
    while state.to_dict()["decision"] != "HOLD":
        state.apply_action(state.legal_actions()[-1])
    assert state.to_dict()["hands"][0] == hand[1:]
    for card in hand[1:]:
        state.apply_action(HOLD + card)
    e = state.to_dict()
    assert e["round"] == 2 and set(hand[1:]) < set(e["hands"][0]) and len(e["hands"][0]) == 6


@pytest.mark.rule("SAGA-RALLY-12", "SAGA-OPT-02")
def test_the_option_lets_the_last_player_draw() -> None:
    d = last_turn(options={"draw_after_last_token": True}, infamy=[0, 0])
    state = play(d, 14)
    e = state.to_dict()
    assert (e["group"], e["decision"], e["player"]) == (0, "DRAW", 0)
    state.apply_action(DRAW_PILE)
    e = state.to_dict()
    assert e["decision"] == "CUBE" and d["draw_pile"][0] in e["hands"][0]


# ---- Drawing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-RALLY-13", "SAGA-ACT-02")
def test_a_slot_is_filled_from_the_pile_at_once() -> None:
    d = position(decision="DRAW", piles={0: [8]}, slots=[20, 30, 40])
    assert load(d).legal_actions() == [112, 113, 114, 115]
    for slot in range(3):
        e = after(d, DRAW + slot)
        assert e["hands"][0] == sorted([*d["hands"][0], d["slots"][slot]])
        assert e["slots"] == [d["draw_pile"][0] if i == slot else d["slots"][i] for i in range(3)]
        assert e["draw_pile"] == d["draw_pile"][1:]
    e = after(d, DRAW_PILE)
    assert e["hands"][0] == sorted([*d["hands"][0], d["draw_pile"][0]])
    assert (e["slots"], e["draw_pile"]) == (d["slots"], d["draw_pile"][1:])


def exhausted(slots, draw_pile, **more):
    """Four seats at DRAW with almost no card left to draw; all other cards lie in the piles."""
    hands = {1: [0, 1, 2, 3, 4, 5], 2: [6, 7, 9, 10, 11, 12], 3: [13, 14, 15, 16, 17, 18], 0: [19, 20, 21, 22, 23]}
    used = {c for hand in hands.values() for c in hand} | {c for c in (*slots, *draw_pile) if c is not None} | {8}
    played = [c for c in range(56) if c not in used]
    piles = {0: [*played[:9], 8], 1: played[9:18], 2: played[18:], 3: []}
    return position(4, "DRAW", hands=hands, piles=piles, slots=slots, draw_pile=draw_pile, **more)


@pytest.mark.rule("SAGA-RALLY-14", "SAGA-EDGE-03")
def test_with_an_empty_pile_a_slot_stays_empty() -> None:
    d = exhausted([50, 51, 52], [])
    assert load(d).legal_actions() == [112, 113, 114]
    e = after(d, 113)
    assert e["slots"] == [50, None, 52] and 51 in e["hands"][0]
    assert load(exhausted([50, None, 52], [])).legal_actions() == [112, 114]
    last = exhausted([50, 51, 52], [53])
    assert load(last).legal_actions() == [112, 113, 114, 115]  # one card is a pile
    assert 53 in after(last, DRAW_PILE)["hands"][0] and after(last, 112)["slots"] == [53, 51, 52]


@pytest.mark.rule("SAGA-RALLY-14", "SAGA-EDGE-03")
def test_the_only_card_is_drawn_and_without_cards_nothing_is() -> None:
    d = exhausted([50, None, 52], [])
    state = play(d, 112)  # seat 1 plays; then only slot 2 is left, which it must take
    state.apply_action(0)
    if state.to_dict()["decision"] == "HIRE":
        state.apply_action(PASS)
    e = state.to_dict()
    assert (e["player"], e["decision"], e["slots"]) == (2, "PLAY", [None] * 3) and 52 in e["hands"][1]
    state.apply_action(6)
    if state.to_dict()["decision"] == "HIRE":
        state.apply_action(PASS)
    e = state.to_dict()
    assert (e["player"], e["decision"], len(e["hands"][2])) == (3, "PLAY", 5)


@pytest.mark.rule("SAGA-RALLY-15")
def test_the_rally_ends_when_every_hand_is_empty() -> None:
    d = position(
        hands={0: [8, 15], 1: []},
        piles={0: [*range(16, 40)], 1: [*range(8), *range(9, 15), *range(40, 56)]},
        slots=[None] * 3,
        draw_pile=[],
        group=4,
        infamy=[0, 0],
    )
    e = after(d, 8)  # the other card follows by itself, then nobody has one
    assert e["hands"] == [[], []] and e["group"] == 4
    assert (e["decision"], e["march"]["kingdom"]) == ("CUBE", RUS)


@pytest.mark.rule("SAGA-EX-06", "SAGA-RALLY-10")
def test_the_token_goes_to_the_region_named_by_the_card() -> None:
    e = after(position(hands={0: [18, 0, 8, 15, 22, 31]}, infamy=[0, 0]), 18)
    assert e["tokens"][FINLAND] == 1 and e["cubes"][MAGYARS] == [2, 0]


# ---- Actions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-ACT-03")
def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = load(position(hands={0: [3, 10, 26, 40, 41, 50]}))
    before = state.record.tobytes()
    for action in range(178):
        if action not in state.legal_actions():
            with pytest.raises(ValueError, match=f"action {action}"):
                state.apply_action(action)
            assert state.record.tobytes() == before
    assert state.legal_actions() == [3, 10, 26, 40, 41, 50]


@pytest.mark.rule("SAGA-ACT-04")
def test_paying_names_no_cubes() -> None:
    for price, state, action in (
        (3, load(position(decision="HIRE", piles={0: [26]}, cubes={SAXONS: {0: 2}}, infamy=[7, 3])), HIRE),
        (3, load(position(decision="BUY", infamy=[7, 3])), BUY),
        (1, load(position(decision="HOLD", infamy=[7, 3], hands={0: [3, 10, 26]})), HOLD + 3),
        (5, load(position(decision="DELAY", infamy=[7, 3], piles={0: [26, 0]}, cubes={SAXONS: {0: 2}, NORMANS: {0: 2}},
                          march={"kingdom": NORMANS})), DELAY),
    ):  # fmt: skip
        before, reserve = state.to_dict()["infamy"][0], state.to_dict()["reserve"][0]
        state.apply_action(action)
        assert state.to_dict()["infamy"][0] == before - price
        assert state.to_dict()["reserve"][0] == reserve + price
