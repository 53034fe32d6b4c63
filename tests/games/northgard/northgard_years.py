"""Passing through a year of the engine, for tests of what comes at its end."""

from __future__ import annotations

from northgard_scenes import Play, do

PASSING = ("MENU", "PASS_PICK", "PASS_CRE", "REACT")


def first(game: Play) -> Play:
    """Take the first of what is offered."""
    return game.step(game.legal()[0])


def all_pass(game: Play) -> Play:
    """Pass until the Actions phase of this year is over, taking the first of what is offered on the way."""
    d = game.to_dict()
    year = d["year"]
    while d["phase"] == "ACTIONS" and d["year"] == year and d["decision"] in PASSING:
        do(game, "PASS") if d["decision"] == "MENU" else first(game)
        d = game.to_dict()
    return game


def end_year(game: Play) -> Play:
    """Pass, trade nothing, and stop at the first decision of another kind or of the next year."""
    year = game["year"]
    all_pass(game)
    while game.decision == "TR_GIVE" and game["year"] == year:
        do(game, "DONE")
    return game
