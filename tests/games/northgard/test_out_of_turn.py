"""Decisions while another seat has the turn reach the right agent: the same trace in every face, each seat the learner.

They are the defender's (food, face), the reaction, the ransom and a teammate's consent to a swap. The reaction is asked
in secret: two games that differ in who holds it must not differ for anybody else.
"""

from __future__ import annotations

import numpy as np
import pytest
from northgard_referee_positions import FIELD
from northgard_scenes import scene

import northmen_env as nm
from contract.test_same_game import check_faces, written
from northmen_agents.arena import replay
from northmen_env import testing
from northmen_env.engine.game import Game
from northmen_env.engine.state import State
from northmen_env.envs.aec import NorthmenAEC
from northmen_env.games.northgard.actions import CARD, CLAN, DONE, PASS, PLAY, PLAYER, UPGRADE
from northmen_env.games.northgard.board import enemy_word, terr_of
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.plots import WORDS, has
from northmen_env.games.northgard.state import Decision

DEFENDER = (Decision.CB_FOOD_D, Decision.CB_FACE_D)
OUT_OF_TURN = (*DEFENDER, Decision.REACT, Decision.HD_RANSOM)
REACTION, EXPLOITATION = 26, 77
WANTED = (CARD + REACTION, CARD + EXPLOITATION)


class Quarreller:
    """Attacks, takes the cards that others have to answer, and offers swaps; notes who decides out of turn.

    One seat, by the seed, leads the Snake: its card 77 alone asks for ransoms.
    """

    def __init__(self) -> None:
        self.out_of_turn: set[tuple[int, Decision]] = set()

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        record, legal = state.record, state.legal_actions()
        seat, decision = int(record.player), Decision(int(record.decision))
        if record.turn >= 0 and seat != record.turn:
            self.out_of_turn.add((seat, decision))
        if decision == Decision.CLAN:
            return self.clan(state, seat, legal, rng)
        if decision == Decision.MV_DST:
            return int(rng.choice(self.with_enemies(state, seat, legal) or legal))
        if decision == Decision.MV_NUM:
            return int(legal[-1])
        if decision == Decision.TR_GIVE:
            return int(legal[-1]) if legal[-1] >= PLAYER else DONE
        if decision == Decision.MENU:
            first = [action for action in (UPGRADE, PLAY) if action in legal]
            return first[0] if first and rng.random() < 0.9 else int(rng.choice(legal[:-1] or legal))
        wanted = [action for action in WANTED if action in legal and decision != Decision.WAIT_CARD]
        acts = wanted or [action for action in legal if action != DONE]
        return int(rng.choice(acts if acts and rng.random() < 0.8 else legal))

    @staticmethod
    def clan(state: State, seat: int, legal: list[int], rng: np.random.Generator) -> int:
        snake = int(state.array["seed"][0]) % state.game.num_players
        if seat == snake:
            return CLAN + Clan.SNAKE
        return int(rng.choice([action for action in legal if action != CLAN + Clan.SNAKE]))

    @staticmethod
    def with_enemies(state: State, seat: int, legal: list[int]) -> list[int]:
        rules, record = state.game.rules[0], state.record
        words = np.array([enemy_word(rules, record, seat, np.int64(w)) for w in range(WORDS)], np.int64)
        return [action for action in legal if has(words, terr_of(record, action))]


GAMES = {
    2: (777, 166),
    3: (331, 431, 1174),
    4: (294, 277, 384, 251, 468),
    5: (163, 82, 40, 61, 393, 314),
}
"""Seeds of games in which each seat makes each of these decisions while it is another's turn; four seats are teams."""


@pytest.mark.parametrize("n", GAMES)
@pytest.mark.rule("NORTH-COMB-06", "NORTH-COMB-08", "NORTH-TURN-09", "NORTH-SPEC-06", "NORTH-TEAM-07", "NORTH-PH-02")
def test_decisions_out_of_turn_reach_the_right_agent_in_every_face(n: int) -> None:
    game, quarreller = nm.load("northgard", num_players=n, teams=n == 4, dense=True), Quarreller()
    for seed in GAMES[n]:
        check_faces(game, written(game, quarreller, seed))
    wanted = OUT_OF_TURN if n != 4 else (*OUT_OF_TURN, Decision.SW_OK)
    assert quarreller.out_of_turn >= {(seat, decision) for seat in range(n) for decision in wanted}


# ---- Who holds the reaction is a secret ------------------------------------------------------------------------------

UNREST = 85
"""Lies in the hand instead of the reaction: neither can be played."""
UNITS = {0: {1: 3}, 1: {8: 3}, 2: {0: 3}}
HANDS = {0: [0, 1, 4, 22], 1: [0, 1, 4, 26], 2: [1, 2, 3, 4]}


def twins(game: Game) -> tuple[State, State]:
    """Return seat 0 at MENU twice: seat 1 has the reaction in its hand, or at the bottom of its draw pile."""
    clans, piles = (2, 1, 3), [[2, 3, 4, 70], [2, 3, 4, 67, UNREST], [0, 4, 73]]
    holder = scene(FIELD, UNITS, HANDS, 3, draw_pile=piles, clans=clans, unrest=9).to_dict()
    hand, pile = list(holder["hand"][1]), list(holder["draw_pile"][1])
    hand[hand.index(REACTION)], pile[pile.index(UNREST)] = UNREST, REACTION
    other = {
        **holder,
        "hand": [sorted(hand) if p == 1 else cards for p, cards in enumerate(holder["hand"])],
        "draw_pile": [pile if p == 1 else cards for p, cards in enumerate(holder["draw_pile"])],
    }
    return game.state_from_dict(holder, seed=7), game.state_from_dict(other, seed=7)


def alike(first: State, second: State, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Play both on alike until seat 1 would have to show its hand, the reaction being declined; return the actions."""
    first, second = first.clone(), second.clone()
    ours: list[int] = []
    theirs: list[int] = []
    shown = {PASS, CARD + REACTION, CARD + UNREST}
    while first.record.player != 1 or first.record.hand_size[1] > 1:
        for state, actions in ((first, ours), (second, theirs)):
            while state.to_dict()["decision"] == "REACT":
                actions.append(DONE)
                state.apply_action(DONE)
        assert first.current_player == second.current_player
        for player in (0, 2):
            testing.check_same_views(first, second, player)
        shared = set(first.legal_actions()) & set(second.legal_actions())
        shared -= shown if first.current_player == 1 else set()
        rather = [action for action in sorted(shared) if action != PASS]
        if not shared:
            break
        action = PLAY if PLAY in rather else int(rng.choice(rather or sorted(shared)))
        for state, actions in ((first, ours), (second, theirs)):
            actions.append(action)
            state.apply_action(action)
    return ours, theirs


def placed(state: State) -> NorthmenAEC:
    env = NorthmenAEC(state.game, mask_in="both")
    env.set_game_state(state)
    return env


@pytest.mark.rule("NORTH-INFO-08", "NORTH-TURN-09")
@pytest.mark.parametrize("seed", range(4))
def test_two_games_that_differ_in_who_can_react_are_the_same_to_all_others(seed: int) -> None:
    game = nm.load("northgard", num_players=3, history=8)
    holder, other = twins(game)
    ours, theirs = alike(holder, other, np.random.default_rng(seed))
    assert len(ours) >= len(theirs) + 3, "asked and declined three times at least"
    for player in (0, 2):
        testing.check_same_sequences(placed(holder), ours, placed(other), theirs, f"player_{player}")
        mine, theirs_seen = replay.seat_replay(holder, ours, player), replay.seat_replay(other, theirs, player)
        assert mine.header == theirs_seen.header
        assert mine.decisions == theirs_seen.decisions
