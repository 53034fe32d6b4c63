"""The automatic stages of the machine (BLOOD-PHASE-04, -06), between two decisions."""

from __future__ import annotations

from enum import IntEnum


class Stage(IntEnum):
    """What to go on with; `OFFERED`: a seat has a choice, or the game is over."""

    OFFERED = 0
    TURN = 1  # the turn of state.active begins
    CELL = 2  # where state.placing_tile is laid
    LAID = 3  # a tile was laid: citadel
    FOUND = 4  # the source of the citadel on side state.breach
    VILLAGE = 5  # Sails and the count of village actions
    VILLAGE_ACTION = 6  # the next village action
    FOREST = 7  # the forest phase begins
    ACTION = 8  # the next action of phase state.phase
    COUNT = 9  # how many warbands move from state.move_source
    DESTINATION = 10  # where to
    REVEAL = 11  # the participant state.battle_at reveals
    RESOLVE = 12  # all have revealed
    POINTS = 13  # points of the battle, from entry state.battle_at on
    FOUGHT = 14  # the battle is over
    ADDING = 15  # the bandits add state.battle_add bandits
    END_TURN = 16  # the turn ends
    RAIDED = 17  # ... after Vikings
    CARD = 18  # the bandit phase begins
    EFFECT = 19  # the next effect of state.card
    PLACING = 20  # PLACE: state.left bandits go to state.target
    SERVING = 21  # EACH: the next tile of state.remaining
    RUNNING = 22  # the next action of the run
    ATTACKING = 23  # ATTACK: state.left battles
    SCORING = 24  # SCORE: state.left points
    BRIBING = 25  # BRIBE: state.left warbands
