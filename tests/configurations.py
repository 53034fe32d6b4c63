"""Every player count and every option value of every game, as keyword arguments of `northmen_env.load`."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import northmen_env as nm
from northmen_env.registry import spec

# Values of options whose type does not list them, or not for each number of players, which the callable is given.
OPEN_VALUES: dict[str, dict[str, Any]] = {
    "saga": {"first_leader": lambda n: ["random", *range(1, n)], "score_scale": lambda n: [7.5]},
    "blood": {"ability_pool": lambda n: [(0, 1, 3, 4, 5, 7)], "grid_size": lambda n: [64, 8]},
    "northgard": {
        "clan_selection": lambda n: ["random", tuple(range(7 - n, 7))],
        "years": lambda n: [10],
        "teams": lambda n: [True] if n == 4 else [],
        "map_size": lambda n: [64, 12],
    },
}
NOT_VARIED = {"num_players", "data", "tile_table", "bandit_table"}
NEEDED: dict[tuple[str, str], dict[str, Any]] = {("northgard", "more_creatures"): {"creatures": True}}
"""What has to be set beside an option of a game."""


def option_values(name: str, num_players: int) -> dict[str, list[Any]]:
    """Return, for each option, its values other than the default."""
    values: dict[str, list[Any]] = {}
    for option, field in spec(name).options.model_fields.items():
        if option in NOT_VARIED:
            continue
        if option in OPEN_VALUES[name]:
            values[option] = OPEN_VALUES[name][option](num_players)
        elif field.annotation is bool:
            values[option] = [not field.default]
        elif typing.get_origin(field.annotation) is typing.Literal:
            values[option] = [v for v in typing.get_args(field.annotation) if v != field.default]
        else:
            raise AssertionError(f"list values of {name}'s option {option!r} in OPEN_VALUES")
    return values


def defaults() -> list[tuple[str, dict[str, Any]]]:
    """Return `(game, options)` for every game and player count."""
    return [(name, {"num_players": n}) for name in nm.games() for n in spec(name).player_counts]


def extremes() -> list[tuple[str, dict[str, Any]]]:
    """Return `defaults()` and, for every player count, one configuration in which every option is changed."""
    changed = [
        (name, {**options, **{o: v[-1] for o, v in option_values(name, options["num_players"]).items() if v}})
        for name, options in defaults()
    ]
    return defaults() + changed


def single_changes() -> list[tuple[str, dict[str, Any]]]:
    """Return `extremes()` and every configuration in which one option has one other value."""
    return extremes() + [
        (name, {**options, **change})
        for name, options in defaults()
        for change in _changes(name, options["num_players"])
    ]


def _changes(name: str, num_players: int) -> Iterator[dict[str, Any]]:
    for option, values in option_values(name, num_players).items():
        for value in values:
            yield {**NEEDED.get((name, option), {}), option: value}


def label(configuration: tuple[str, dict[str, Any]]) -> str:
    """Return a readable test id."""
    name, options = configuration
    return "-".join([name, *(f"{k}={v}" for k, v in options.items())])
