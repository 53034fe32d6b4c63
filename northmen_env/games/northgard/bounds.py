"""Bounds that hold for every game: legal actions at once, and decisions (NORTH-CORN-02)."""

from __future__ import annotations

from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.state import LEGAL

MAX_LEGAL = LEGAL
"""Most actions legal at once: DONE and every territory. A straight row of 35 tiles touches 72 cells, a deck has 29
cards."""

_DECISIONS = 650_000


def teams(options: Options) -> tuple[tuple[int, ...], ...]:
    """Return the seats that win together (NORTH-TEAM-01): opposite ones in team play, else each for itself."""
    if options.teams:
        return ((0, 2), (1, 3))
    return tuple((seat,) for seat in range(options.num_players))


def max_decisions(options: Options) -> int:
    """Return the bound of NORTH-CORN-02 on the decisions of a game."""
    return _DECISIONS
