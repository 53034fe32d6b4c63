"""The options of Saga (SAGA-OPT-02), validated strictly: a value of the wrong kind is refused, never converted."""

from __future__ import annotations

import math
import os
from operator import index
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

_CHOICES = {
    "march_order": ("sorted", "free"),
    "recall": ("full", "table"),
    "reward": ("rank", "win", "score"),
}
_EXACT = 2**53


class Options(BaseModel):
    """One configuration of Saga of the Northmen. Frozen, hashable; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    num_players: int = Field(2, description="number of seats: 2, 3 or 4")
    first_leader: int | Literal["random"] = Field(0, description="seat of the first leader, or random")
    final_planning: bool = Field(False, description="planning phase also in round 3")
    draw_after_last_token: bool = Field(False, description="who places the 15th token of a round still draws a card")
    hero_needs_cube: bool = Field(True, description="a hero is hired only with a card that placed a cube")
    heroes_collect: bool = Field(False, description="a hero alone collects plunder and completes routes like a cube")
    march_order: Literal["sorted", "free"] = Field(
        "sorted", description="sorted: pieces march in ascending region order (best for search); free: in any order"
    )
    recall: Literal["full", "table"] = Field(
        "full", description="full: what was once public stays observed; table: only what lies open on the table"
    )
    reward: Literal["rank", "win", "score"] = Field("rank", description="what the final rewards measure")
    score_scale: float = Field(20.0, description="divisor of score differences; only for reward = score")
    data: str = Field("builtin", description="builtin, or a folder with the five CSV files of a data set")

    @field_validator("num_players", mode="before")
    @classmethod
    def _check_num_players(cls, value: Any) -> int:
        number = _integer(value)
        if number not in (2, 3, 4):
            raise ValueError(f"num_players must be 2, 3 or 4, not {value!r:.80}")
        return number

    @field_validator("first_leader", mode="before")
    @classmethod
    def _check_first_leader(cls, value: Any, info: ValidationInfo) -> int | str:
        if isinstance(value, str) and value == "random":
            return "random"
        number, seats = _integer(value), info.data.get("num_players", 4)
        if number is None or not 0 <= number < seats:
            allowed = ", ".join(str(seat) for seat in range(seats))
            raise ValueError(
                f"first_leader must be a seat of the {seats} players ({allowed}) or 'random', not {value!r:.80}"
            )
        return number

    @field_validator("final_planning", "draw_after_last_token", "hero_needs_cube", "heroes_collect", mode="before")
    @classmethod
    def _check_flag(cls, value: Any, info: ValidationInfo) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{info.field_name} must be true or false, not {value!r:.80}")
        return bool(value)

    @field_validator("march_order", "recall", "reward", mode="before")
    @classmethod
    def _check_choice(cls, value: Any, info: ValidationInfo) -> str:
        allowed = _CHOICES[str(info.field_name)]
        if not isinstance(value, str) or value not in allowed:
            words = " or ".join([", ".join(map(repr, allowed[:-1])), repr(allowed[-1])])
            raise ValueError(f"{info.field_name} must be {words}, not {value!r:.80}")
        return str(value)

    @field_validator("score_scale", mode="before")
    @classmethod
    def _check_score_scale(cls, value: Any) -> float:
        number = _number(value)
        if not (math.isfinite(number) and number > 0):
            raise ValueError(f"score_scale must be a finite number above 0, not {value!r:.80}")
        return number

    @field_validator("data", mode="before")
    @classmethod
    def _check_data(cls, value: Any) -> str:
        path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
        if not isinstance(path, str) or not path or "\0" in path:
            raise ValueError(f"data must be 'builtin' or the path of a folder with a data set, not {value!r:.80}")
        return path

    def to_json(self, data_sha256: str) -> dict[str, Any]:
        """Return the `options` object of State JSON (SAGA-TURN-08).

        Args:
            data_sha256: hash of the tables in use (`tables.data_sha256(rules)`); written when `data` is a folder,
                whatever is in it, because the name `builtin` means the tables of this version of the package.
        """
        scale = self.score_scale
        whole = int(scale) if scale.is_integer() and scale < _EXACT else scale  # 20, as the ledger writes it
        data = "builtin" if self.data == "builtin" else data_sha256
        return {**self.model_dump(), "score_scale": whole, "data": data}


def _integer(value: Any) -> int | None:
    """Return an int or a NumPy integer as int; None for all else (True and 1.0 are no integers here)."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return index(value)
    return None


def _number(value: Any) -> float:
    """Return a real number as float; NaN for all else."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
