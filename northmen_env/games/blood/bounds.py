"""Bounds that hold for every game: legal actions at once, and decisions (BLOOD-CORNER-12)."""

from __future__ import annotations

from northmen_env.games.blood.bandit_table import MAX_EFFECTS, MOST
from northmen_env.games.blood.options import BUILTIN, Options
from northmen_env.games.blood.state import FRONTIER
from northmen_env.games.blood.tables import PILE_SIZE

MAX_LEGAL = FRONTIER
"""Most actions legal at once: D03 with every cell of the longest frontier. A hand has 120 tiles at most, a map too."""

PER_TILE, LAST_TURN = 226, 1387
CARDS, PER_CARD = 57, 128
"""Solo: cards turned over at most (three of the 60 tiles are dealt), decisions of a printed or reconstructed card."""

_VILLAGE_TILES = 40
_PER_MOVE, _PER_BATTLE = 3, 8
"""Decisions of one bandit move (start, way, end), and of a bandit battle (choice of tile, additions, points, and the
player's PASS of D19, D21 and D22; the tiles it reveals are in the bound per tile)."""


def teams(options: Options) -> tuple[tuple[int, ...], ...]:
    """Every seat plays for itself, in solo against the bandits."""
    return tuple((seat,) for seat in range(options.num_players))


def max_decisions(options: Options) -> int:
    """Return the bound of CORNER-12 on the decisions of a game.

    A bandit table of somebody else may have cards with more decisions than the printed ones; of these the bound allows
    for the largest that the form of a table admits.
    """
    bound = PER_TILE * PILE_SIZE[options.num_players] + LAST_TURN
    if options.num_players > 1:
        return bound
    if options.bandit_table == BUILTIN:
        return bound + CARDS * PER_CARD
    blank_tiles = MOST + 1  # D20 with an empty pile and tiles in hand
    longest = max(_VILLAGE_TILES * _PER_MOVE, MOST * (_PER_MOVE + _PER_BATTLE + blank_tiles), 120 * 2)
    return bound + CARDS * MAX_EFFECTS * longest
