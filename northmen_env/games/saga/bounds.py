"""Bounds that hold for every game: the number of decisions (SAGA-EDGE-09, -10)."""

from __future__ import annotations

from northmen_env.games.saga.amounts import CUBES, GROUP, HAND, HEROES, ROUNDS, START_ROUTES
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.tables import CARDS, KINGDOMS, ROUTES, Tables, load_tables

MAX_LEGAL = ROUTES + 1
"""Most actions legal at once: ROUTE, with every trade route completable, and PASS."""


def teams(options: Options) -> tuple[tuple[int, ...], ...]:
    """Every seat plays for itself."""
    return tuple((seat,) for seat in range(options.num_players))


def max_decisions(options: Options) -> int:
    """Return the proved bound of SAGA-EDGE-10 on the decisions of one game.

    The three rounds of a game have at most: three decisions a turn of the rally (one less in the last turn), a DELAY a
    kingdom, a CUBE a cube that can be placed and a HERO a hero. Over the game, a route is completed once and a visit
    declined once a round; each BUY takes a route out of the deck for good and brings one KEEP; a planning turn has one
    declined BUY and a HOLD a card.
    """
    n = options.num_players
    turns, cubes = rally_bounds(load_tables("builtin"), n) if options.data == "builtin" else (CARDS, CUBES * n)
    rally = 3 * turns - 1 + (1 if options.draw_after_last_token else 0)
    march = KINGDOMS + cubes + HEROES * n
    plannings = ROUNDS if options.final_planning else ROUNDS - 1
    routes = ROUTES + ROUNDS * n + 2 * (ROUTES - START_ROUTES * n)
    return ROUNDS * (rally + march) + routes + plannings * (1 + HAND) * n


def rally_bounds(tables: Tables, num_players: int) -> tuple[int, int]:
    """Return T and C: the most turns of a rally (SAGA-EDGE-09), and the most cubes that those turns can place."""
    values = [(card.places(num_players), card.armies + card.fleets) for card in tables.cards]
    placing = sorted((value for places, value in values if places), reverse=True)[:GROUP]
    others = [value for places, value in values if not places]
    return len(others) + len(placing), min(CUBES * num_players, sum(others) + sum(placing))
