"""The phases of a round: for each decision point its legality and its effect, and what follows without a choice.

Every kernel that changes the phase returns the `Stage` to go on with; `flow.advance` runs stages until a seat has a
choice of at least two actions (SAGA-TURN-03). A stage finds all it needs in the state, so a state read from JSON goes
on like the one it was written from.
"""
