"""End, scores, ranks and rewards (SAGA-END), termination (SAGA-EDGE-08 to -10)."""

from __future__ import annotations

import numpy as np
import pytest
from positions import ARABIA, DRAW_PILE, HIRE, PASS, game, load, play, position

from northmen_env.games.saga.bounds import rally_bounds
from northmen_env.games.saga.tables import load_tables


def end(*plunder: int, infamy, done=None, **options):
    """A finished game; tokens that nobody has lie in Africa."""
    n = len(plunder)
    d = position(
        n, "END", player=None, in_round=3, infamy=infamy, plunder=plunder, tokens={0: 45 - sum(plunder)}, group=0,
        routes_done=done or [[] for _ in range(n)], options=options,
    )  # fmt: skip
    return load(d)


@pytest.mark.rule("SAGA-END-01")
def test_the_game_ends_after_round_3() -> None:
    d = position(decision="ROUTE", in_round=3, cubes={7 + ARABIA: {0: 1}}, routes_open=[[3], []])
    d["controller"][1] = 0
    state = play(d, PASS)
    assert state.is_terminal() and state.current_player == -1 and state.legal_actions() == []
    assert not play({**d, "round": 2, "plunder": [0, 30]}, PASS).is_terminal()
    with pytest.raises(ValueError, match="ended"):
        state.apply_action(PASS)


@pytest.mark.rule("SAGA-END-02", "SAGA-EX-05")
def test_the_infamy_bonus_counts_completed_routes() -> None:
    assert end(0, 0, infamy=[4, 3], done=[[0, 1], [2]]).scores().tolist() == [3 + 3 + 2, 4]
    state = end(0, 0, 0, infamy=[5, 5, 2], done=[[0, 1], [], [2, 3, 4]])
    bonus = state.scores() - [3 + 2, 0, 4 + 3 + 2]
    assert bonus.tolist() == [3, 1, 0]


@pytest.mark.rule("SAGA-END-03")
def test_with_no_infamy_at_all_everybody_has_the_bonus() -> None:
    assert end(3, 1, infamy=[0, 0], done=[[], [1]]).scores().tolist() == [4, 1 + 2 + 2]


@pytest.mark.rule("SAGA-END-04")
def test_tokens_in_regions_and_open_routes_count_nothing() -> None:
    d = position(
        decision="END", player=None, in_round=3, plunder=[7, 4], tokens={0: 4, 3: 30}, infamy=[1, 0],
        routes_open=[[2, 11], [16]], routes_done=[[12], [0, 9]],
    )  # fmt: skip
    assert load(d).scores().tolist() == [7 + 3 + 2, 4 + 3 + 2]


@pytest.mark.rule("SAGA-END-04")
def test_before_the_end_scores_are_the_public_points_without_bonus() -> None:
    state = load(position(in_round=2, plunder=[7, 4], routes_done=[[12], [0]], group=15))
    assert state.scores().tolist() == [7 + 3, 8 + 3]  # the builder gave the last seat the four tokens left
    assert state.returns().tolist() == [0, 0]


FIRST = {"infamy": [3, 5, 5, 0], "done": [[2, 11, 16, 0, 3, 1], [], [], []]}  # 20, 18, 18, 11


@pytest.mark.rule("SAGA-END-05", "SAGA-END-06", "SAGA-EX-13")
def test_ranks_go_by_score_and_then_by_infamy() -> None:
    state = end(0, 17, 17, 11, **FIRST)
    assert state.scores().tolist() == [20, 18, 18, 11]
    assert state.ranks() == [1, 2, 2, 4]
    state = end(20, 17, 8, infamy=[2, 6, 9], done=[[], [0], []])
    assert state.scores().tolist() == [20, 20, 9]
    assert state.ranks() == [2, 1, 3]


@pytest.mark.rule("SAGA-END-07", "SAGA-EX-13")
def test_rank_rewards() -> None:
    assert end(0, 17, 17, 11, **FIRST).returns().tolist() == [1, 0, 0, -1]
    assert end(20, 17, 8, infamy=[2, 6, 9], done=[[], [0], []]).returns().tolist() == [0, 1, -1]
    assert end(11, 11, infamy=[4, 4]).returns().tolist() == [0, 0]


@pytest.mark.rule("SAGA-END-07")
def test_rewards_are_zero_until_the_end_and_sum_to_zero() -> None:
    for n in (2, 3, 4):
        for reward in ("rank", "win", "score"):
            state = game(num_players=n, reward=reward).new_initial_state(seed=n)
            while not state.is_terminal():
                assert not state.returns().any()
                state.apply_action(state.legal_actions()[-1])
            assert state.returns().shape == (n,)
            assert abs(state.returns().sum()) < 1e-12
            if reward != "score":
                assert (abs(state.returns()) <= 1).all()


@pytest.mark.rule("SAGA-END-08", "SAGA-EX-13", "SAGA-OPT-02")
def test_win_rewards() -> None:
    assert end(0, 17, 17, 11, **FIRST, reward="win").returns() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert end(11, 11, infamy=[4, 4], reward="win").returns().tolist() == [0, 0]
    # Two of three share: 3/2 * (1/2 - 1/3), 3/2 * (0 - 1/3)
    assert end(12, 12, 2, infamy=[4, 4, 0], reward="win").returns() == pytest.approx([1 / 4, 1 / 4, -1 / 2])


@pytest.mark.rule("SAGA-END-08", "SAGA-OPT-02")
def test_score_rewards() -> None:
    state = end(20, 17, 8, infamy=[2, 6, 9], done=[[], [0], []], reward="score")
    assert state.returns() == pytest.approx([(20 - 14.5) / 20, (20 - 14.5) / 20, (9 - 20) / 20])
    state = end(30, 3, infamy=[1, 0], reward="score", score_scale=4.0)
    assert state.returns() == pytest.approx([28 / 4, -28 / 4])


@pytest.mark.rule("SAGA-EDGE-08", "SAGA-END-06")
@pytest.mark.parametrize("reward", ("rank", "win", "score"))
def test_everybody_may_win(reward: str) -> None:
    state = end(5, 5, 5, infamy=[2, 2, 2], reward=reward)
    assert state.ranks() == [1, 1, 1] and state.returns().tolist() == [0, 0, 0]


# ---- Termination ----------------------------------------------------------------------------------------------------


def rally_turns(n: int, seed: int) -> int:
    """Turns of the first rally when everybody avoids placing tokens."""
    state = game(num_players=n).new_initial_state(seed=seed)
    places = state.game.rules["card_places"][0]
    turns = 0
    while True:
        decision = state.to_dict()["decision"]
        if decision not in ("PLAY", "HIRE", "DRAW"):
            return turns
        legal = state.legal_actions()
        if decision == "PLAY":
            turns += 1
            state.apply_action(min(legal, key=lambda card: places[card]))
        else:
            state.apply_action(DRAW_PILE if DRAW_PILE in legal else PASS if PASS in legal else legal[0])


@pytest.mark.rule("SAGA-EDGE-09")
@pytest.mark.parametrize(("n", "most"), [(2, 26), (3, 31), (4, 35)])
def test_a_rally_ends_within_the_bound(n: int, most: int) -> None:
    assert rally_bounds(load_tables("builtin"), n)[0] == most
    longest = max(rally_turns(n, seed) for seed in range(20))
    assert 15 <= longest <= most


@pytest.mark.rule("SAGA-EDGE-10")
def test_the_bound_on_decisions_is_the_ledgers() -> None:
    assert [game(num_players=n).max_decisions for n in (2, 3, 4)] == [536, 624, 700]
    assert [rally_bounds(load_tables("builtin"), n)[1] for n in (2, 3, 4)] == [60, 67, 73]
    assert game(num_players=3, final_planning=True).max_decisions == 624 + 21
    assert game(num_players=3, draw_after_last_token=True).max_decisions == 624 + 3


@pytest.mark.rule("SAGA-EDGE-10", "SAGA-EDGE-09")
@pytest.mark.parametrize(("n", "mean"), [(2, 193), (3, 218), (4, 249)])
def test_random_games_stay_far_below_it(n: int, mean: int) -> None:
    decisions = game(num_players=n).playouts(300, seed=1).decisions
    assert decisions.max() < game(num_players=n).max_decisions
    assert abs(float(np.mean(decisions)) - mean) < 4


@pytest.mark.rule("SAGA-EDGE-02")
def test_a_seat_that_hires_whenever_it_can_never_has_more_than_three_heroes() -> None:
    state = game(num_players=2).new_initial_state(seed=5)
    while not state.is_terminal():
        heroes = np.asarray(state.to_dict()["heroes"]).sum(axis=0) + state.to_dict()["hero_supply"]
        assert heroes.tolist() == [3, 3]
        legal = state.legal_actions()
        state.apply_action(HIRE if HIRE in legal else legal[0])
