"""What the contract suite of the environments runs over: the tiny games, and every game with every option value."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

import configurations
import northmen_env as nm
from northmen_env.engine.game import Game
from northmen_env.engine.spec import GameSpec
from northmen_env.registry import spec
from tiny import ask, coin

SPECS: dict[str, GameSpec] = {"coin": coin.GAME, "ask": ask.GAME, **{name: spec(name) for name in nm.games()}}


@dataclass(frozen=True)
class Case:
    """One configuration of one game."""

    name: str
    options: dict[str, Any] = field(hash=False)

    def game(self, **more: Any) -> Game:
        """Return the game, the same one for the same arguments; `more` are `history`, `dense` and other options."""
        return _game(self, tuple(more.items()))

    def __str__(self) -> str:
        return configurations.label((self.name, self.options))


@cache
def _game(case: Case, more: tuple[tuple[str, Any], ...]) -> Game:
    return Game(SPECS[case.name], **{**case.options, **dict(more)})


# Tests of the command line register the tiny games too.
REGISTERED = [each for each in configurations.single_changes() if each[0] not in ("coin", "ask")]
TINY = [Case(name, {"num_players": n}) for name in ("coin", "ask") for n in (2, 3, 4)]
SEATS = TINY + [Case(*each) for each in REGISTERED if set(each[1]) == {"num_players"}]
"""Each game with each number of players."""


def _is_short(name: str, options: dict[str, Any]) -> bool:
    """Return whether options are default, or all changed with the fewest or the most players."""
    few_or_many = options["num_players"] in (spec(name).player_counts[0], spec(name).player_counts[-1])
    return (name, options) in (configurations.extremes() if few_or_many else configurations.defaults())


every_case = pytest.mark.parametrize(
    "case",
    [*TINY, *(pytest.param(Case(*each), marks=[] if _is_short(*each) else [pytest.mark.long]) for each in REGISTERED)],
    ids=str,
)
"""The same, and all options changed at once with the fewest and the most players; in the long tests with every number,
and each other value of each option by itself."""

every_seat_count = pytest.mark.parametrize("case", SEATS, ids=str)

every_seat_count_with_opponents = pytest.mark.parametrize(
    "case", [c for c in SEATS if c.options["num_players"] > 1], ids=str
)


def returns_after_illegal(game: Game, offender: int) -> list[float]:
    """Return what the seats get for a game that an illegal action ended: -1 for its team, the other teams share 1."""
    return [
        -1.0 if any({offender, seat} <= set(team) for team in game.teams) else 1 / (len(game.teams) - 1)
        for seat in range(game.num_players)
    ]
