"""The marching phase (SAGA-MARCH): control, delays, moves, battles, collecting, trade routes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from positions import (
    AFRICA,
    ARABIA,
    BULGARIA,
    BYZANTINES,
    COMPLETE,
    CUBE,
    DANES,
    DELAY,
    EMPIRE,
    FINLAND,
    HERO,
    HIRE,
    IBERIA,
    IRELAND,
    ITALY,
    MAGYARS,
    NORMANS,
    NORWEGIANS,
    PASS,
    POLAND,
    REGION,
    RUS,
    SAXONS,
    after,
    game,
    last_turn,
    load,
    play,
    position,
)

NORMAN_CARDS = [0, 1, 2, 3, 4, 5, 6, 7]  # 15 symbols


def control(leader: int = 0, n: int = 2, *, cubes, heroes=None, infamy=None):
    """The JSON after M1 for Norman pieces by seat: the last seat in leader order ends the rally with a Rus card."""
    player = (leader + n - 1) % n
    piles = {p: NORMAN_CARDS[2 * p : 2 * p + 2] for p in range(n)}
    more = {"cubes": {NORMANS: cubes}, "heroes": {NORMANS: heroes or {}}, "infamy": infamy or [0] * n}
    return after(last_turn(n, player=player, leader=leader, piles=piles, **more), 14)


# ---- M1 -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SAGA-MARCH-01", "SAGA-MARCH-03", "SAGA-EX-02")
def test_most_pieces_control_and_the_others_lose_theirs() -> None:
    e = control(cubes={0: 3, 1: 2}, heroes={1: 2})  # 3 against 4: heroes count like cubes
    assert e["controller"][NORMANS] == 1
    assert (e["cubes"][NORMANS], e["heroes"][NORMANS]) == ([0, 2], [0, 2])
    assert (e["infamy"], e["hero_supply"]) == ([3, 0], [3, 1])
    e = control(cubes={0: 4, 1: 2}, heroes={1: 1})  # case c
    assert e["controller"][NORMANS] == 0
    assert (e["cubes"][NORMANS], e["infamy"], e["hero_supply"]) == ([4, 0], [0, 2], [3, 3])


@pytest.mark.rule("SAGA-MARCH-02", "SAGA-EX-02")
def test_ties_go_to_heroes_then_to_leader_distance() -> None:
    for leader in (0, 1):
        e = control(leader, cubes={0: 3, 1: 3})
        assert e["controller"][NORMANS] == leader
        assert e["infamy"][1 - leader] == 3 and e["infamy"][leader] == 0
        assert control(leader, cubes={0: 3, 1: 2}, heroes={1: 1})["controller"][NORMANS] == 1  # case b
    assert control(2, 3, cubes={0: 3, 1: 3})["controller"][NORMANS] == 0  # case d: distance 1 against 2
    assert control(1, 3, cubes={0: 3, 2: 3})["controller"][NORMANS] == 2


@pytest.mark.rule("SAGA-MARCH-04")
def test_an_empty_kingdom_has_no_controller_and_does_not_move() -> None:
    state = play(last_turn(infamy=[0, 0]), 14)
    assert state.to_dict()["controller"] == [None, 0, *[None] * 5]
    state.apply_action(state.legal_actions()[0])
    assert state.to_dict()["round"] == 2  # only the Rus moved, and no route was offered


@pytest.mark.rule("SAGA-MARCH-06")
def test_kingdoms_are_resolved_independently() -> None:
    piles = {0: [0, 16, 24], 1: [2, 17, 26]}
    one = {NORMANS: {0: 3, 1: 2}, MAGYARS: {0: 1, 1: 2}, SAXONS: {0: 2, 1: 2}}
    e = after(last_turn(piles=piles, cubes=one, player=1, hands={0: [40, 41, 42, 43, 44, 45]}, infamy=[0, 0]), 14)
    assert e["controller"][:4] == [0, 1, 1, 0]
    assert e["infamy"] == [1, 4]


# ---- M2, M3 ---------------------------------------------------------------------------------------------------------


def two_kingdoms(**more):
    """EX-10: seat 0 controls Normans and Rus and is asked for the first."""
    return position(
        decision="DELAY",
        piles={0: [5, 14, 10], 1: [48]},
        cubes={NORMANS: {0: 1}, RUS: {0: 1}, NORWEGIANS: {1: 2}},
        march={"kingdom": NORMANS},
        **{"infamy": [5, 3], **more},
    )


@pytest.mark.rule("SAGA-MARCH-07", "SAGA-MARCH-09", "SAGA-EX-10")
def test_kingdoms_move_in_chart_order_and_delayed_ones_after_all() -> None:
    state = load(two_kingdoms())
    moved = []
    state.apply_action(DELAY)
    while state.to_dict()["march"] is not None:
        march = state.to_dict()["march"]
        moved.append((march["kingdom"], march["pass"], state.current_player))
        state.apply_action(state.legal_actions()[0])
    assert moved == [(RUS, 1, 0), (NORWEGIANS, 1, 1), (NORWEGIANS, 1, 1), (NORMANS, 2, 0)]


@pytest.mark.rule("SAGA-MARCH-08", "SAGA-EX-10")
def test_a_delay_costs_five_and_the_time_token() -> None:
    state = load(two_kingdoms())
    assert state.legal_actions() == [DELAY, PASS]
    assert state.to_dict()["march"] == {"kingdom": NORMANS, "pass": 1}  # nothing is revealed yet
    e = after(state, DELAY)
    assert (e["infamy"][0], e["reserve"][0]) == (0, 28)
    assert e["time_used"] == [True, False] and e["delayed"] == [True, *[False] * 6]
    assert e["cubes"][NORMANS] == [1, 0] and (e["decision"], e["march"]["kingdom"]) == ("CUBE", RUS)


@pytest.mark.rule("SAGA-MARCH-08")
def test_one_delay_a_round_however_rich() -> None:
    e = after(two_kingdoms(infamy=[20, 3]), DELAY)
    assert (e["decision"], e["march"]["kingdom"]) == ("CUBE", RUS)


@pytest.mark.rule("SAGA-MARCH-09")
def test_two_delayed_kingdoms_move_in_chart_order_without_a_second_delay() -> None:
    d = two_kingdoms(infamy=[10, 10])
    state = play(d, DELAY)
    assert state.to_dict()["decision"] == "CUBE"  # Rus of seat 0: its token is used
    state.apply_action(state.legal_actions()[0])
    assert (state.to_dict()["decision"], state.current_player) == ("DELAY", 1)
    state.apply_action(DELAY)
    march = state.to_dict()["march"]
    assert (march["kingdom"], march["pass"], state.to_dict()["decision"]) == (NORMANS, 2, "CUBE")
    state.apply_action(state.legal_actions()[0])
    march = state.to_dict()["march"]
    assert (march["kingdom"], march["pass"], state.to_dict()["decision"]) == (NORWEGIANS, 2, "CUBE")


@pytest.mark.rule("SAGA-MARCH-08", "SAGA-MARCH-10", "SAGA-TURN-04", "SAGA-EX-10")
def test_a_player_is_asked_at_each_kingdom_while_it_can_pay() -> None:
    state = play(two_kingdoms(), PASS)
    assert (state.to_dict()["decision"], state.to_dict()["march"]["kingdom"]) == ("CUBE", NORMANS)
    state.apply_action(state.legal_actions()[0])
    assert (state.to_dict()["decision"], state.to_dict()["march"]["kingdom"]) == ("DELAY", RUS)


@pytest.mark.rule("SAGA-MARCH-10")
@pytest.mark.parametrize(("infamy", "asked"), [(3, True), (2, False)])
def test_cubes_lost_in_m1_pay_for_delays(infamy: int, asked: bool) -> None:
    d = last_turn(
        player=1, piles={0: [0], 1: [2]}, cubes={NORMANS: {0: 3, 1: 2}}, infamy=[0, infamy],
        hands={0: [40, 41, 42, 43, 44, 45]},
    )  # fmt: skip
    state = play(d, 14, *([PASS] if infamy == 3 else []))  # no hero
    assert state.to_dict()["infamy"][1] == infamy + 2
    state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    while state.current_player == 0:  # the Normans of seat 0
        state.apply_action(state.legal_actions()[0])
    e = state.to_dict()
    assert (e["decision"], e["march"]["kingdom"]) == ("DELAY" if asked else "CUBE", RUS)


# ---- Moves ----------------------------------------------------------------------------------------------------------


def ragnar(**more):
    return position(
        decision="CUBE",
        piles={0: [16, 22, 19]},
        cubes={MAGYARS: {0: 6}},
        heroes={MAGYARS: {0: 2}},
        march={"kingdom": MAGYARS},
        **{"infamy": [0, 0], **more},
    )


@pytest.mark.rule("SAGA-MARCH-13", "SAGA-MARCH-15", "SAGA-MARCH-16", "SAGA-TURN-03", "SAGA-EX-03", "SAGA-ACT-02")
def test_ragnar_moves_step_by_step() -> None:
    state = load(ragnar())
    assert (state.to_dict()["march"]["armies"], state.to_dict()["march"]["fleets"]) == (4, 2)
    steps = [
        ([116, 117, 118, 119, 120, 121, 122, 123], 118),
        ([118, 119, 120, 121, 122, 123], 119),
        ([119, 120, 121, 122, 123, 124], 119),
        ([120, 124], 124),
        ([125, 126, 127, 128, 129, 130, 131, 132, 133], 128),
        ([128, 129, 130, 131, 132, 133], 133),
    ]
    for mask, action in steps[:-1]:
        assert state.legal_actions() == mask
        state.apply_action(action)
    e = state.to_dict()
    assert state.legal_actions() == steps[-1][0]
    assert [e["cubes"][REGION + r][0] for r in range(9)] == [0, 0, 1, 2, 0, 0, 0, 0, 3]
    assert e["heroes"][REGION + FINLAND][0] == 1 and e["cubes"][MAGYARS] == [0, 0]
    state.apply_action(133)
    assert state.to_dict()["round"] == 2 and state.to_dict()["heroes"] == [[0, 0]] * 16


@pytest.mark.rule("SAGA-MARCH-15", "SAGA-EX-08")
def test_danes_with_fewer_cubes_than_symbols() -> None:
    def danes(cubes: int):
        more = {"piles": {0: [32, 35]}, "infamy": [0, 0]}
        return load(position(decision="CUBE", cubes={DANES: {0: cubes}}, march={"kingdom": DANES}, **more))

    state = danes(4)
    assert state.legal_actions() == list(range(116, 124))
    state = play(state, 120, 120)
    assert state.legal_actions() == [120, 121, 122, 123]
    assert play(state, 121).legal_actions() == [121, 122, 123, 124]
    forced = after(danes(4), 121, 121)
    assert forced["round"] == 2  # both others had to go to Poland, and nothing was left to decide
    five = play(danes(5), 119)
    assert five.legal_actions() == list(range(119, 124))
    assert play(five, 120).legal_actions() == list(range(120, 124))


def test_the_last_two_danes_go_to_poland() -> None:
    d = position(
        decision="CUBE",
        piles={0: [32, 35], 1: [48]},
        cubes={DANES: {0: 4}, NORWEGIANS: {1: 2}},
        march={"kingdom": DANES},
    )
    e = after(d, 121, 121)
    assert e["cubes"][REGION + POLAND] == [2, 0] and e["cubes"][REGION + IBERIA] == [2, 0]
    assert e["march"]["kingdom"] == NORWEGIANS


@pytest.mark.rule("SAGA-MARCH-11", "SAGA-MARCH-12", "SAGA-RALLY-05")
def test_all_symbols_of_the_suit_in_the_own_pile_count() -> None:
    # Cards 16 and 19 of seat 0 with one cube for their five symbols; Magyars of seat 1 and other suits say nothing.
    d = last_turn(piles={0: [16, 0, 19], 1: [18]}, cubes={MAGYARS: {0: 2, 1: 1}, NORMANS: {0: 1}}, infamy=[0, 0])
    state = play(d, 14)
    while state.to_dict()["march"]["kingdom"] != MAGYARS:
        state.apply_action(state.legal_actions()[0])
    march = state.to_dict()["march"]
    assert (march["armies"], march["fleets"], state.to_dict()["cubes"][MAGYARS]) == (3, 2, [2, 0])


@pytest.mark.rule("SAGA-MARCH-13")
@pytest.mark.parametrize(
    ("kingdom", "cards", "regions"),
    [
        (RUS, [9], [BULGARIA, FINLAND, POLAND]),  # armies: adjacent regions
        (SAXONS, [24], [EMPIRE, IRELAND]),
        (NORWEGIANS, [49], [0, 1, 2, 3, 5, 6, 7]),  # fleets: every coast
        (DANES, [33], [0, 1, 2, 3, 5, 6, 7]),
        (BYZANTINES, [40], [AFRICA, ARABIA, BULGARIA, ITALY]),
    ],
)
def test_armies_go_next_door_and_fleets_along_every_coast(kingdom: int, cards: list[int], regions: list[int]) -> None:
    d = position(decision="CUBE", piles={0: cards}, cubes={kingdom: {0: 1}}, march={"kingdom": kingdom})
    assert load(d).legal_actions() == [CUBE + r for r in regions]


@pytest.mark.rule("SAGA-MARCH-13", "SAGA-MARCH-16")
@pytest.mark.parametrize("kingdom", range(7))
def test_heroes_go_by_land_or_sea_in_addition_to_the_symbols(kingdom: int) -> None:
    d = position(
        decision="HERO",
        piles={0: [8 * kingdom]},
        heroes={kingdom: {0: 2}},
        cubes={REGION + ITALY: {0: 1}},
        march={"kingdom": kingdom},
    )
    reach = {EMPIRE: (NORMANS, MAGYARS, SAXONS, DANES), POLAND: (RUS, MAGYARS, DANES)}
    regions = [r for r in range(9) if kingdom in reach.get(r, range(7))]
    state = load(d)
    assert state.legal_actions() == [HERO + r for r in regions]
    state.apply_action(HERO + IBERIA)
    assert state.legal_actions() == [HERO + r for r in regions if r >= IBERIA]


@pytest.mark.rule("SAGA-MARCH-14", "SAGA-MARCH-16")
def test_every_piece_leaves_the_kingdom_for_a_region() -> None:
    d = ragnar()
    d["piles"][1], d["cubes"][NORWEGIANS], d["controller"][NORWEGIANS] = [48], [0, 2], 1
    d["draw_pile"].remove(48)
    d["reserve"][1] -= 2
    state = load(d)
    while state.current_player == 0:
        assert PASS not in state.legal_actions()
        state.apply_action(state.legal_actions()[0])
    e = state.to_dict()
    assert (e["cubes"][MAGYARS], e["heroes"][MAGYARS]) == ([0, 0], [0, 0])
    assert sum(row[0] for row in e["cubes"][REGION:]) == 6 and sum(row[0] for row in e["heroes"][REGION:]) == 2
    assert e["cubes"][NORWEGIANS] == [0, 2] and e["march"]["kingdom"] == NORWEGIANS


@pytest.mark.rule("SAGA-MARCH-16")
def test_heroes_begin_again_at_the_first_region() -> None:
    state = load(position(
        decision="CUBE", piles={0: [48]}, cubes={NORWEGIANS: {0: 1}}, heroes={NORWEGIANS: {0: 1}},
        march={"kingdom": NORWEGIANS},
    ))  # fmt: skip
    state.apply_action(CUBE + ITALY)
    assert state.to_dict()["march"]["last"] == 0
    assert state.legal_actions() == [HERO + r for r in (0, 1, 2, 3, 5, 6, 7)]


@pytest.mark.rule("SAGA-MARCH-17")
def test_pieces_from_several_kingdoms_add_up() -> None:
    d = position(
        decision="CUBE", piles={0: [24, 48], 1: [1]}, march={"kingdom": SAXONS},
        cubes={SAXONS: {0: 1}, NORWEGIANS: {0: 2}, REGION + IRELAND: {0: 1, 1: 2}}, tokens={IRELAND: 4}, infamy=[0, 0],
    )  # fmt: skip
    state = play(d, CUBE + IRELAND)
    assert state.to_dict()["cubes"][REGION + IRELAND] == [2, 2]
    state = play(state, CUBE + IRELAND, CUBE + ITALY)  # 3 of seat 0 from three moves beat 2
    assert (state.to_dict()["infamy"], state.to_dict()["plunder"]) == ([0, 2], [4, 11])


def literal_mask(klass, armies, fleets, land, sea, cubes, last, free):
    """SAGA-MARCH-15, condition by condition, region by region."""
    m, legal = cubes - 1, []
    for r in range(9):
        if klass[r] == 0 or (r < last and not free):
            continue
        land_, sea_ = land + (klass[r] == 1), sea + (klass[r] == 2)
        if land_ > armies or sea_ > fleets:
            continue
        ahead = klass if free else klass[r:]
        rest = (armies - land_ if 1 in ahead else 0) + (fleets - sea_ if 2 in ahead else 0)
        if m == 0 or 3 in ahead or rest >= m:
            legal.append(CUBE + r)
    return legal


def kernel_mask(rules, array, ids, kingdom, armies, fleets, land, sea, cubes, last):
    from northmen_env.engine import boundary

    array["kingdom"], array["armies"], array["fleets"] = kingdom, armies, fleets
    array["land"], array["sea"], array["last"] = land, sea, last
    array["cubes"][0, kingdom, 0] = cubes
    return ids[: boundary.legal(rules, array, ids) & 65535].tolist()


@pytest.mark.rule("SAGA-MARCH-15")
@pytest.mark.parametrize("order", ("sorted", "free"))
def test_the_mask_of_a_cube_is_the_ledgers_condition(order: str) -> None:
    rules = game(num_players=2, march_order=order).rules
    classes = rules["march_class"][0].tolist()
    array, ids = load(ragnar()).array, np.empty(32, np.int16)
    for kingdom in range(7):
        for armies, fleets in np.ndindex(4, 4):
            for land, sea in np.ndindex(armies + 1, fleets + 1):
                for cubes in range(1, armies + fleets - land - sea + 1):
                    for last in range(9) if order == "sorted" else (0,):
                        move = (armies, fleets, land, sea, cubes, last)
                        expected = literal_mask(classes[kingdom], *move, order == "free")
                        assert kernel_mask(rules, array, ids, kingdom, *move) == expected, (kingdom, move)


@pytest.mark.rule("SAGA-MARCH-15", "SAGA-EDGE-05")
def test_every_distribution_has_one_path_and_none_a_dead_end() -> None:
    rules = game(num_players=2).rules
    classes = rules["march_class"][0].tolist()
    array, ids = load(ragnar()).array, np.empty(32, np.int16)

    @cache
    def paths(kingdom, armies, fleets, land, sea, cubes, last) -> int:
        if cubes == 0:
            return 1
        legal = kernel_mask(rules, array, ids, kingdom, armies, fleets, land, sea, cubes, last)
        assert legal
        return sum(
            paths(kingdom, armies, fleets, land + (k == 1), sea + (k == 2), cubes - 1, r)
            for r, k in ((action - CUBE, classes[kingdom][action - CUBE]) for action in legal)
        )

    outcomes = sum(
        paths(kingdom, armies, fleets, 0, 0, cubes, 0)
        for kingdom in range(7)
        for armies, fleets in np.ndindex(5, 5)
        for cubes in range(min(6, armies + fleets) + 1)
    )
    assert outcomes == 94_203


@pytest.mark.rule("SAGA-EDGE-06", "SAGA-RALLY-08")
def test_heroes_without_cubes_move_at_once() -> None:
    d = last_turn(piles={0: [0]}, heroes={NORMANS: {0: 1}}, infamy=[0, 0], options={"hero_needs_cube": False})
    state = play(d, 14)
    e = state.to_dict()
    assert e["controller"][NORMANS] == 0
    assert (e["decision"], e["march"]["kingdom"]) == ("HERO", NORMANS)


@pytest.mark.rule("SAGA-EDGE-07")
def test_who_controls_nothing_is_asked_nothing_until_planning() -> None:
    d = last_turn(3, infamy=[0, 8, 8], routes_open=[[], [3], []])
    state = play(d, 14)
    seats = set()
    while state.to_dict()["decision"] not in ("BUY", "HOLD"):
        seats.add(state.current_player)
        state.apply_action(state.legal_actions()[0])
    assert seats == {0} and state.current_player == 1


# ---- M4, M5 ---------------------------------------------------------------------------------------------------------


def battle(n: int, region: int, cubes, heroes=None, leader: int = 0, **more):
    """The last move before the battles: seat 0 sends a Norwegian cube to Africa."""
    elsewhere = {NORWEGIANS: {0: 1}} if region != AFRICA else {}
    d = position(
        n, "CUBE", leader=leader, piles={0: [55]}, cubes={**elsewhere, REGION + region: cubes},
        heroes={REGION + region: heroes or {}}, march={"kingdom": NORWEGIANS}, **{"infamy": [0] * n, **more},
    )  # fmt: skip
    return after(d, CUBE + AFRICA)


@pytest.mark.rule("SAGA-MARCH-18", "SAGA-MARCH-19", "SAGA-MARCH-21", "SAGA-MARCH-26", "SAGA-EX-04")
@pytest.mark.parametrize("leader", (0, 1, 2))
def test_erik_harald_and_sigrid(leader: int) -> None:
    e = battle(3, EMPIRE, {0: 2, 1: 4, 2: 3}, {2: 1}, leader, tokens={EMPIRE: 5, ITALY: 1})
    assert e["plunder"] == [0, 0, 5 + 9]  # 9 were hers before
    assert e["infamy"] == [2, 4, 0]
    assert e["reserve"] == [28, 26, 30] and e["hero_supply"] == [3, 3, 3]
    assert e["tokens"] == [0, 0, 0, 0, 0, 0, 0, 1, 0]


@pytest.mark.rule("SAGA-MARCH-18")
def test_a_battle_tied_in_pieces_and_heroes_goes_by_leader_distance() -> None:
    for leader in range(3):
        e = battle(3, EMPIRE, {0: 2, 1: 2, 2: 2}, leader=leader)
        assert [e["infamy"][(leader + d) % 3] for d in range(3)] == [0, 2, 2]


@pytest.mark.rule("SAGA-MARCH-19", "SAGA-MARCH-20")
def test_the_winner_loses_nothing_and_losers_heroes_go_to_the_supply() -> None:
    d = position(
        decision="CUBE", piles={0: [55], 1: [54]}, cubes={NORWEGIANS: {0: 1}, REGION + ITALY: {0: 3, 1: 1}},
        heroes={REGION + ITALY: {0: 1, 1: 1}}, march={"kingdom": NORWEGIANS}, infamy=[0, 0], routes_open=[[], []],
        hands={0: [], 1: []},
    )  # fmt: skip
    e = after(d, CUBE + AFRICA)
    assert (e["infamy"], e["reserve"], e["hero_supply"]) == ([0, 1], [30, 29], [3, 3])


@pytest.mark.rule("SAGA-MARCH-19", "SAGA-MARCH-20")
def test_a_winners_only_cube_stays_and_collects() -> None:
    e = battle(2, ITALY, {0: 1, 1: 1}, {0: 1}, tokens={ITALY: 2})
    assert (e["infamy"], e["plunder"]) == ([0, 1], [2, 13])


@pytest.mark.rule("SAGA-MARCH-20")
def test_battles_do_not_depend_on_each_other() -> None:
    d = position(
        decision="CUBE", piles={0: [55]}, march={"kingdom": NORWEGIANS}, infamy=[0, 0],
        cubes={NORWEGIANS: {0: 1}, REGION + ITALY: {0: 2, 1: 1}, REGION + POLAND: {0: 1, 1: 3}},
        tokens={ITALY: 2, POLAND: 3}, plunder=[10, 0],
    )  # fmt: skip
    e = after(d, CUBE + AFRICA)
    assert e["infamy"] == [1, 1] and e["plunder"] == [12, 3]


@pytest.mark.rule("SAGA-MARCH-21")
def test_tokens_without_cubes_stay_for_later_rounds() -> None:
    e = battle(2, POLAND, {1: 1}, tokens={POLAND: 2, FINLAND: 3, ITALY: 1})
    assert e["tokens"] == [0, 0, 0, 3, 0, 0, 0, 1, 0]
    assert e["plunder"] == [0, 2 + 9]


@pytest.mark.rule("SAGA-MARCH-21", "SAGA-MARCH-22", "SAGA-EX-14", "SAGA-OPT-02")
def test_a_hero_alone_wins_but_collects_nothing() -> None:
    more = {"leader": 1, "tokens": {ITALY: 4}}
    e = battle(2, ITALY, {1: 1}, {0: 1}, **more)
    assert e["infamy"][1] == 1 and e["tokens"][ITALY] == 4 and e["plunder"] == [0, 11]
    e = battle(2, ITALY, {1: 1}, {0: 1}, **more, options={"heroes_collect": True})
    assert e["infamy"][1] == 1 and e["tokens"][ITALY] == 0 and e["plunder"] == [4, 11]


# ---- M6, M7 ---------------------------------------------------------------------------------------------------------


def routes(open_routes, cubes, controller, heroes=None, n=2, **more):
    """The last move before M6: seat 0 sends a Norwegian cube to Africa."""
    d = position(
        n, "CUBE", piles={0: [55]}, cubes={NORWEGIANS: {0: 1}, **{REGION + r: seats for r, seats in cubes.items()}},
        heroes={REGION + r: seats for r, seats in (heroes or {}).items()}, march={"kingdom": NORWEGIANS},
        routes_open=open_routes, **{"infamy": [0] * n, **more},
    )  # fmt: skip
    for kingdom, seat in controller.items():
        d["controller"][kingdom] = seat
    return play(d, CUBE + AFRICA)


@pytest.mark.rule("SAGA-MARCH-23", "SAGA-MARCH-24", "SAGA-MARCH-05", "SAGA-EX-15", "SAGA-ACT-02")
def test_routes_need_control_and_a_cube_in_the_region() -> None:
    # All Norman cubes are gone, the cube in Italy came from elsewhere; the one in Africa is Norwegian.
    state = routes([[0, 1, 2], []], {ITALY: {0: 1}}, {NORMANS: 0})
    assert state.to_dict()["decision"] == "ROUTE"
    assert state.legal_actions() == [COMPLETE + 0, COMPLETE + 1, PASS]  # not 2: no cube in Poland
    e = after(state, COMPLETE + 0)
    assert (e["routes_open"][0], e["routes_done"][0], e["route_last"]) == ([1, 2], [0], 0)
    assert play(state, COMPLETE + 0).legal_actions() == [COMPLETE + 1, PASS]
    assert routes([[0, 1], []], {ITALY: {0: 1}}, {}).to_dict()["round"] == 2  # without control nothing


@pytest.mark.rule("SAGA-MARCH-24", "SAGA-OPT-02")
def test_a_hero_without_a_cube_completes_nothing() -> None:
    args = ([[1], []], {ITALY: {}}, {NORMANS: 0}, {ITALY: {0: 1}})
    assert routes(*args).to_dict()["round"] == 2
    assert routes(*args, options={"heroes_collect": True}).legal_actions() == [COMPLETE + 1, PASS]


@pytest.mark.rule("SAGA-MARCH-25", "SAGA-EX-15")
def test_routes_are_completed_in_increasing_id_within_a_visit() -> None:
    state = routes([[0, 1], []], {ITALY: {0: 1}}, {NORMANS: 0})
    e = after(state, COMPLETE + 1)
    assert e["routes_done"][0] == [1] and e["routes_open"][0] == [0]
    assert e["round"] == 2  # route 0 is below the last one


@pytest.mark.rule("SAGA-MARCH-25")
def test_visits_go_in_leader_order() -> None:
    state = routes(
        [[0], [6], [11]], {ARABIA: {1: 1}, POLAND: {2: 1}}, {NORMANS: 0, MAGYARS: 1, SAXONS: 2}, n=3, leader=1
    )
    seats = []
    while state.to_dict()["decision"] == "ROUTE":
        seats.append(state.current_player)
        state.apply_action(PASS)
    assert seats == [1, 2, 0]


@pytest.mark.rule("SAGA-MARCH-05", "SAGA-MARCH-23")
def test_control_outlasts_the_loss_of_all_pieces() -> None:
    # The only Norwegian cube of seat 0 is lost in Africa; its cube in Finland, of another kingdom, completes route 18.
    d = position(
        decision="CUBE", piles={0: [54, 55], 1: [50]}, march={"kingdom": NORWEGIANS}, routes_open=[[18, 17], []],
        cubes={NORWEGIANS: {0: 1}, REGION + AFRICA: {1: 4}, REGION + FINLAND: {0: 1}}, infamy=[0, 0],
    )  # fmt: skip
    state = play(d, CUBE + AFRICA)
    assert state.to_dict()["infamy"] == [1, 0]
    assert state.legal_actions() == [COMPLETE + 18, PASS]


@pytest.mark.rule("SAGA-MARCH-23")
def test_a_completed_route_stays_completed() -> None:
    e = after(routes([[1], []], {ITALY: {0: 1}}, {NORMANS: 0}), COMPLETE + 1)
    assert e["round"] == 2 and e["routes_done"] == [[1], []] and e["route_last"] == -1
    assert 1 not in e["route_deck"]


@pytest.mark.rule("SAGA-MARCH-26")
def test_everything_comes_home_but_tokens_and_infamy() -> None:
    d = position(
        decision="ROUTE", piles={0: [9]}, cubes={REGION + ARABIA: {0: 2}, REGION + ITALY: {1: 3}},
        heroes={REGION + ITALY: {1: 1}}, controller=[None, 0, 1, None, None, None, None],
        delayed=[False, True, *[False] * 5], time_used=[True, False], routes_open=[[3], []],
        infamy=[3, 4], tokens={POLAND: 2},
    )  # fmt: skip
    e = after(d, PASS)
    assert e["decision"] == "BUY"
    assert e["cubes"] == [[0, 0]] * 16 and e["heroes"] == [[0, 0]] * 16
    assert (e["reserve"], e["infamy"], e["hero_supply"]) == ([27, 26], [3, 4], [3, 3])
    assert (e["time_used"], e["delayed"], e["controller"]) == ([False] * 2, [False] * 7, [None] * 7)
    assert e["tokens"][POLAND] == 2 and e["plunder"] == d["plunder"] and e["piles"] == d["piles"]


@pytest.mark.rule("SAGA-EDGE-01")
def test_lost_cubes_fit_the_infamy_card() -> None:
    d = last_turn(
        player=1, piles={0: [0, 1, 2, 16, 17, 18], 1: [3, 4, 5, 6, 7, 19, 20, 21, 22, 23]},
        hands={1: [14, 15, 31, 38]}, cubes={NORMANS: {0: 8, 1: 7}, MAGYARS: {0: 7, 1: 7}}, infamy=[0, 16],
    )  # fmt: skip
    e = after(d, 14)  # no cube is left for the card itself
    assert (e["infamy"], e["reserve"]) == ([0, 30], [15, 0])
    assert [row[1] for row in e["cubes"]] == [0] * 16


@pytest.mark.rule("SAGA-EDGE-01", "SAGA-MARCH-03")
def test_each_lost_cube_is_one_infamy() -> None:
    d = last_turn(
        player=1, piles={0: [0, 1, 2, 16, 17, 18], 1: [3, 4, 5, 6, 7, 19, 20, 21, 22, 23]},
        hands={1: [14, 15, 31, 38]}, cubes={NORMANS: {0: 8, 1: 7}, MAGYARS: {0: 7, 1: 7}}, infamy=[0, 1],
    )  # fmt: skip
    e = after(d, 14)  # one army of the Rus, no hero
    assert e["infamy"][1] == 1 + 14
    assert e["reserve"][1] == 30 - 15 - 1


@pytest.mark.rule("SAGA-RALLY-06")
def test_hiring_is_not_possible_in_the_march() -> None:
    assert HIRE not in load(ragnar(infamy=[9, 3])).legal_actions()


@pytest.mark.rule("SAGA-OPT-02", "SAGA-OPT-03", "SAGA-MARCH-15")
def test_free_order_reaches_the_same_places_without_last() -> None:
    state = load(ragnar(options={"march_order": "free"}))
    state.apply_action(CUBE + ITALY)
    assert state.to_dict()["march"]["last"] == 0
    assert CUBE + AFRICA in state.legal_actions()
    # Condition 3 looks at all regions: with Danish armies 3 and fleets 2, a first cube to Poland leaves a way on.
    more = {"piles": {0: [32, 35]}, "cubes": {DANES: {0: 4}}, "march": {"kingdom": DANES}}
    assert CUBE + POLAND in load(position(decision="CUBE", **more, options={"march_order": "free"})).legal_actions()
    assert CUBE + POLAND not in load(position(decision="CUBE", **more)).legal_actions()
    heroes = {"piles": {0: [16]}, "cubes": {}, "heroes": {MAGYARS: {0: 2}}, "march": {"kingdom": MAGYARS}}
    state = load(position(decision="HERO", **heroes, options={"march_order": "free"}))
    assert play(state, HERO + POLAND).legal_actions() == [HERO + r for r in range(9)]
