"""The one list of games; everything else iterates over it."""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.spec import GameSpec

GAMES: dict[str, tuple[str, int]] = {
    "saga": ("northmen_env.games.saga", 0),
    "blood": ("northmen_env.games.blood", 0),
    "northgard": ("northmen_env.games.northgard", 0),
}
"""Name -> (module that defines GAME, version of the registered id). Names are kept here so that listing and
registering the games imports none of them."""


def games() -> tuple[str, ...]:
    """Return the names of the games."""
    return tuple(GAMES)


@cache
def spec(name: str) -> GameSpec:
    """Return the `GameSpec` of a game (imports numba).

    Raises:
        ValueError: there is no such game.
    """
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; the games are: {', '.join(GAMES)}")
    found: GameSpec = importlib.import_module(GAMES[name][0]).GAME
    return found


def load(name: str | Game, *, history: int = 0, dense: bool = False, **options: Any) -> Game:
    """Return a game in one configuration.

    Args:
        name: one of `games()`; or a `Game`, which is returned as it is and takes no options.
        history: number of the seat's own last events appended to each observation, 0..64.
        dense: whether environments pay differences of public scores whose sum is `returns`.
        options: the game's options, as on its page; `num_players` is one of them.

    Raises:
        ValueError: no such game, or a wrong option (the sentence names it and what is allowed).
        TypeError: `name` is neither a name nor a `Game`.
    """
    from northmen_env.engine.game import Game

    if isinstance(name, Game):
        given = [*options, *(["history"] if history else []), *(["dense"] if dense else [])]
        if given:
            raise ValueError(f"a Game has its options already; leave out {', '.join(given)}, or give the game's name")
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game is named by one of {', '.join(map(repr, GAMES))}, or is a Game, not {name!r}")
    if "data" in options:  # a folder, whose files may change
        return Game(spec(name), history=history, dense=dense, **options)
    try:
        return _loaded(name, history=history, dense=dense, **options)
    except TypeError:  # an option that cannot be a key, or is of a wrong type: Game says so
        return Game(spec(name), history=history, dense=dense, **options)


@lru_cache(maxsize=64, typed=True)
def _loaded(name: str, /, **arguments: Any) -> Game:
    """Return the same `Game` for the same arguments: nothing of it ever changes, and making one takes milliseconds."""
    from northmen_env.engine.game import Game

    return Game(spec(name), **arguments)
