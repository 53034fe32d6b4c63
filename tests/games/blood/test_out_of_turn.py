"""Decisions out of turn (D19-D22) reach the right agent: the same trace in every face, the learner in each seat."""

import pytest

import northmen_env as nm
from contract.test_same_game import check_faces, random_choice, written
from northmen_env.games.blood.actions import CELL, DRAW, PASS, PILE
from northmen_env.games.blood.state import Decision

IN_BATTLES = (Decision.D19, Decision.D20, Decision.D21, Decision.D22)


class Fighter:
    """Moves to tiles with enemies and seldom passes; notes who decided what while another seat was active."""

    def __init__(self):
        self.out_of_turn = set()

    def __call__(self, state, rng):
        record, legal = state.record, state.legal_actions()
        seat, decision = int(record.player), Decision(int(record.decision))
        if seat != record.active:
            self.out_of_turn.add((seat, decision))
        if decision == Decision.D18:
            meets = [a for a in legal if a >= CELL and self.enemies(record, seat, int(record.grid[a - CELL]))]
            return int(rng.choice(meets or legal))
        active = [a for a in legal if a not in (PASS, DRAW, PILE)]
        return int(rng.choice(active)) if active and rng.random() < 0.9 else random_choice(state, rng)

    @staticmethod
    def enemies(record, seat, tile):
        return int(record.warbands[tile].sum() - record.warbands[tile, seat])


GAMES = {2: (10, 15), 3: (13, 6, 17)}
"""Seeds of games in which each seat makes each of these decisions while it is another's turn."""


@pytest.mark.parametrize("n", GAMES)
@pytest.mark.rule("BLOOD-PHASE-03")
def test_decisions_in_battles_reach_the_right_agent_in_every_face(n):
    fighter, game = Fighter(), nm.load("blood", num_players=n, dense=True)
    for seed in GAMES[n]:
        check_faces(game, written(game, fighter, seed))
    assert fighter.out_of_turn >= {(seat, decision) for seat in range(n) for decision in IN_BATTLES}
