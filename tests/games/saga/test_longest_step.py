"""The longest step of the printed game: its events still fit into a seat's ring, so that none is ever lost."""

import pytest

import northmen_env as nm
from northmen_env.engine.events import EVENTS
from northmen_env.games.saga.actions import CUBE, Event

ITALY = 7
NORMANS = list(range(8))  # all cards of the suit: 8 armies and 7 fleets, the most that any kingdom shows


@pytest.fixture
def last_move():
    """Four players, round 1: seat 0 holds all Norman cards and moves 15 cubes out of the delayed kingdom, last of all.

    Eight regions have two cubes of one seat and a hero of another, Italy has a hero; nobody has infamy.
    """
    game = nm.load("saga", num_players=4, history=1)
    d = game.new_initial_state(seed=0).to_dict()
    cards = [card for card in range(56) if card not in NORMANS]
    d |= {"decision": "CUBE", "player": 0, "round": 1, "leader": 0, "group": 0, "card": None}
    d |= {"hands": [cards[5 * p : 5 * p + 5] for p in range(4)], "slots": cards[20:23]}
    d |= {"piles": [NORMANS, cards[23:30], cards[30:37], cards[37:44]], "draw_pile": cards[44:]}
    d |= {"known_hand": [[]] * 4, "tokens": [2, 2, 2, 2, 2, 2, 1, 1, 1], "infamy": [0] * 4}
    d |= {"time_used": [True, False, False, False], "delayed": [True] + [False] * 6}
    d |= {"controller": [0, 1, 2, 3, 1, 2, 3]}
    d |= {"routes_open": [[6, 7], [0, 2], [1, 3], [4, 5]], "route_deck": list(range(8, 20))}  # of kingdoms of others
    d["march"] = {"kingdom": 0, "pass": 2, "armies": 8, "fleets": 7, "land": 0, "sea": 0, "last": 0}
    cubes, heroes = [[0] * 4 for _ in range(16)], [[0] * 4 for _ in range(16)]
    cubes[0][0] = 15
    for region in range(9):
        owner = region % 3 + 1
        heroes[7 + region][owner % 3 + 1] = 1
        if region != ITALY:
            cubes[7 + region][owner] = 2
    d |= {"cubes": cubes, "heroes": heroes}
    d["reserve"] = [30 - sum(row[p] for row in cubes) for p in range(4)]
    d["hero_supply"] = [3 - sum(row[p] for row in heroes) for p in range(4)]
    return game.state_from_dict(d)


@pytest.mark.rule("SAGA-TURN-03", "SAGA-MARCH-14", "SAGA-MARCH-18", "SAGA-MARCH-21", "SAGA-PLAN-09")
def test_the_longest_step_fits_into_the_ring_of_events(last_move):
    """15 cubes to Italy, 14 of them forced; nine battles and nine collections; four planning turns without a choice;
    then the deal of round 2."""
    last_move.apply_action(CUBE + ITALY)
    assert (last_move.current_player, last_move.to_dict()["round"]) == (1, 2)
    for player in range(4):
        codes = [Event(row[0]).name for row in last_move.events(player)]
        fights, planning = ["BATTLE", "COLLECT"] * 9, ["HELD"] * 4
        assert codes == ["CUBE"] * 15 + fights + planning + ["DEAL"] * 6 + ["REVEAL"] * 3 + ["ROUND"]
        assert len(codes) == last_move.record.event_count[player] == 47 <= EVENTS
