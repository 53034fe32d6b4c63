"""The options of Blood (BLOOD-OPT-01), validated strictly: a value of the wrong kind is refused, never converted."""

from __future__ import annotations

import os
from enum import IntEnum
from operator import index
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

SEATS = 5
SMALLEST_GRID, LARGEST_GRID = 8, 64
BUILTIN = "builtin"
REWARDS = ("rank", "win", "score")


class Ability(IntEnum):
    """Ability tiles; their numbers are the ids of BLOOD-ABIL-02 … -09."""

    CORSAIRS = 0
    MARAUDERS = 1
    SAILS = 2
    PICAROON = 3
    WARRIORS = 4
    NORMAN = 5
    BANDITS = 6
    VIKINGS = 7


ABILITIES = len(Ability)


class Options(BaseModel):
    """One configuration of Blood of the Northmen. Frozen, hashable; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    num_players: int = Field(2, description="number of seats: 1 (solo, against the bandits) to 5")
    goods: bool = Field(True, description="module Goods: village actions, reserve, prepared tiles")
    citadels: bool = Field(True, description="module Citadels")
    abilities: bool = Field(True, description="each player has an ability tile")
    ability_pool: tuple[int, ...] = Field(
        tuple(range(ABILITIES)), description="ids of the abilities that may be dealt, at least one for each player"
    )
    grid_size: int = Field(
        32, description="side of the torus that numbers the cells, 8 to 64; 64 never rules a placement out"
    )
    vikings_every_turn: bool = Field(False, description="Vikings may score after every player's turn")
    tile_table: str = Field(BUILTIN, description="builtin, or a CSV file of the 120 map tiles")
    bandit_table: str = Field(BUILTIN, description="builtin, or a CSV file of the 120 bandit cards")
    reward: Literal["rank", "win", "score"] = Field("rank", description="what the final rewards measure")

    @field_validator("num_players", mode="before")
    @classmethod
    def _check_num_players(cls, value: Any) -> int:
        number = _integer(value)
        if number is None or not 1 <= number <= SEATS:
            raise ValueError(f"num_players must be 1 (solo), 2, 3, 4 or 5, not {value!r:.80}")
        return number

    @field_validator("goods", "citadels", "abilities", "vikings_every_turn", mode="before")
    @classmethod
    def _check_flag(cls, value: Any, info: ValidationInfo) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{info.field_name} must be true or false, not {value!r:.80}")
        return bool(value)

    @field_validator("ability_pool", mode="before")
    @classmethod
    def _check_ability_pool(cls, value: Any) -> tuple[int, ...]:
        ids = [_integer(item) for item in value] if isinstance(value, (list, tuple, np.ndarray)) else [None]
        known = [number for number in ids if number is not None and 0 <= number < ABILITIES]
        if len(known) < len(ids) or len(set(known)) < len(known):
            allowed = f"a list of different ability ids from 0 to {ABILITIES - 1}"
            raise ValueError(f"ability_pool must be {allowed}, not {value!r:.80}")
        return tuple(sorted(known))

    @field_validator("grid_size", mode="before")
    @classmethod
    def _check_grid_size(cls, value: Any) -> int:
        number = _integer(value)
        if number is None or not SMALLEST_GRID <= number <= LARGEST_GRID:
            raise ValueError(f"grid_size must be an integer from {SMALLEST_GRID} to {LARGEST_GRID}, not {value!r:.80}")
        return number

    @field_validator("tile_table", "bandit_table", mode="before")
    @classmethod
    def _check_table(cls, value: Any, info: ValidationInfo) -> str:
        path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
        if not isinstance(path, str) or not path or "\0" in path:
            raise ValueError(f"{info.field_name} must be 'builtin' or the path of a CSV file, not {value!r:.80}")
        return path

    @field_validator("reward", mode="before")
    @classmethod
    def _check_reward(cls, value: Any) -> str:
        if not isinstance(value, str) or value not in REWARDS:
            raise ValueError(f"reward must be 'rank', 'win' or 'score', not {value!r:.80}")
        return str(value)

    @model_validator(mode="after")
    def _check_pool_size(self) -> Options:
        if self.abilities and len(self.dealt_abilities) < self.num_players:
            raise ValueError(
                f"ability_pool has {len(self.dealt_abilities)} abilities that can act with these modules "
                f"{list(self.dealt_abilities)}, and {self.num_players} players need one each; add ids or play with "
                "abilities = false"
            )
        return self

    @property
    def dealt_abilities(self) -> tuple[int, ...]:
        """The abilities of the pool that can act with the modules in use (BLOOD-SETUP-03)."""
        idle = [Ability.SAILS] * (not self.goods) + [Ability.BANDITS] * (not self.citadels)
        return tuple(ability for ability in self.ability_pool if ability not in idle)

    @property
    def num_colours(self) -> int:
        """Colours with warbands: the seats, in solo the player and the bandits."""
        return max(2, self.num_players)

    def to_json(self, tile_sha256: str, bandit_sha256: str) -> dict[str, Any]:
        """Return the `options` object of State JSON (BLOOD-PHASE-08), the tables by the hashes of their bytes."""
        return {
            "goods": self.goods,
            "citadels": self.citadels,
            "abilities": self.abilities,
            "ability_pool": list(self.ability_pool),
            "grid_size": self.grid_size,
            "vikings_every_turn": self.vikings_every_turn,
            "reward": self.reward,
            "tile_table": tile_sha256,
            "bandit_table": bandit_sha256,
        }


def _integer(value: Any) -> int | None:
    """Return an int or a NumPy integer as int; None for all else (True and 1.0 are no integers here)."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return index(value)
    return None
