"""The options of Northgard (section 8), validated strictly: a value of the wrong kind is refused, never converted."""

from __future__ import annotations

import os
from enum import IntEnum
from operator import index
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

SEATS = 5
TEAM_SEATS = 4
YEARS = (7, 10)
SMALLEST_MAP, LARGEST_MAP = 12, 64
BUILTIN = "builtin"
REWARDS = ("rank", "win", "fame")
SELECTIONS = ("choose", "random")


class Clan(IntEnum):
    """The clans; their numbers are those of NORTH-CARD-01."""

    BEAR = 0
    BOAR = 1
    GOAT = 2
    RAVEN = 3
    SNAKE = 4
    STAG = 5
    WOLF = 6


CLANS = len(Clan)


class Options(BaseModel):
    """One configuration of Northgard: Uncharted Lands. Frozen, hashable; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    num_players: int = Field(2, description="number of seats: 2, 3, 4 or 5")
    clan_selection: Literal["choose", "random"] | tuple[int, ...] = Field(
        "choose",
        description="choose: seats take a clan in order; random: dealt; or a list of clan ids by seat: "
        "0 Bear, 1 Boar, 2 Goat, 3 Raven, 4 Snake, 5 Stag, 6 Wolf",
    )
    years: int = Field(7, description="years of the game: 7, or 10 for the longer game")
    teams: bool = Field(False, description="seats 0 and 2 against seats 1 and 3; needs 4 players")
    creatures: bool = Field(False, description="the creatures module")
    more_creatures: bool = Field(False, description="who passes may let a creature appear; needs creatures")
    map_size: int = Field(
        36, description="side of the torus that numbers the cells, 12 to 64; 36 or more loses no cell"
    )
    data: str = Field(BUILTIN, description="builtin, or a folder with the eight CSV files of a data set")
    five_tile_in_stack: bool = Field(True, description="with 2 to 4 players the five-player tile is in the stack")
    reward: Literal["rank", "win", "fame"] = Field("rank", description="what the final rewards measure")

    @field_validator("num_players", mode="before")
    @classmethod
    def _check_num_players(cls, value: Any) -> int:
        number = _integer(value)
        if number is None or not 2 <= number <= SEATS:
            raise ValueError(f"num_players must be 2, 3, 4 or 5, not {value!r:.80}")
        return number

    @field_validator("clan_selection", mode="before")
    @classmethod
    def _check_clan_selection(cls, value: Any) -> str | tuple[int, ...]:
        if isinstance(value, str) and value in SELECTIONS:
            return str(value)
        clans = [_integer(item) for item in value] if isinstance(value, (list, tuple, np.ndarray)) else [None]
        known = [number for number in clans if number is not None and 0 <= number < CLANS]
        if not clans or len(known) < len(clans) or len(set(known)) < len(known):
            ids = ", ".join(f"{clan.value} {clan.name.title()}" for clan in Clan)
            allowed = "'choose', 'random' or a list of different clan ids, one for each seat"
            raise ValueError(f"clan_selection must be {allowed} ({ids}), not {value!r:.80}")
        return tuple(known)

    @field_validator("years", mode="before")
    @classmethod
    def _check_years(cls, value: Any) -> int:
        number = _integer(value)
        if number not in YEARS:
            raise ValueError(f"years must be 7 or 10, not {value!r:.80}")
        return number

    @field_validator("teams", "creatures", "more_creatures", "five_tile_in_stack", mode="before")
    @classmethod
    def _check_flag(cls, value: Any, info: ValidationInfo) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{info.field_name} must be true or false, not {value!r:.80}")
        return bool(value)

    @field_validator("map_size", mode="before")
    @classmethod
    def _check_map_size(cls, value: Any) -> int:
        number = _integer(value)
        if number is None or not SMALLEST_MAP <= number <= LARGEST_MAP:
            raise ValueError(f"map_size must be an integer from {SMALLEST_MAP} to {LARGEST_MAP}, not {value!r:.80}")
        return number

    @field_validator("data", mode="before")
    @classmethod
    def _check_data(cls, value: Any) -> str:
        path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
        if not isinstance(path, str) or not path or "\0" in path:
            raise ValueError(f"data must be 'builtin' or the path of a folder with a data set, not {value!r:.80}")
        return path

    @field_validator("reward", mode="before")
    @classmethod
    def _check_reward(cls, value: Any) -> str:
        if not isinstance(value, str) or value not in REWARDS:
            raise ValueError(f"reward must be 'rank', 'win' or 'fame', not {value!r:.80}")
        return str(value)

    @model_validator(mode="after")
    def _check_together(self) -> Options:
        if self.teams and self.num_players != TEAM_SEATS:
            raise ValueError(
                f"teams = true needs {TEAM_SEATS} players, two in each team, and num_players is {self.num_players}; "
                "set num_players = 4 or play with teams = false"
            )
        if self.more_creatures and not self.creatures:
            raise ValueError("more_creatures = true needs creatures = true; set both, or more_creatures = false")
        if isinstance(self.clan_selection, tuple) and len(self.clan_selection) != self.num_players:
            raise ValueError(
                f"clan_selection names {len(self.clan_selection)} clans {list(self.clan_selection)}, and "
                f"{self.num_players} players need one each"
            )
        return self

    def to_json(self, data_sha256: str) -> dict[str, Any]:
        """Return the `options` object of State JSON (NORTH-PH-10).

        Args:
            data_sha256: hash of the tables in use (`tables.data_sha256(rules)`); written when `data` is a folder,
                whatever is in it, because the name `builtin` means the tables of this version of the package.
        """
        clans = self.clan_selection
        return {
            **self.model_dump(),
            "clan_selection": list(clans) if isinstance(clans, tuple) else clans,
            "data": BUILTIN if self.data == BUILTIN else data_sha256,
        }


def _integer(value: Any) -> int | None:
    """Return an int or a NumPy integer as int; None for all else (True and 1.0 are no integers here)."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return index(value)
    return None
