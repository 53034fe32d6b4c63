"""Named layouts: the fields of a record, the ranges of the action space, the blocks of the observation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from northmen_env.engine.jit import source_hash

_PACKAGE = Path(__file__).resolve().parent.parent


def record_dtype(game: str, fields: Sequence[tuple[Any, ...]], sources: Path | None = None) -> np.dtype:
    """Return the dtype of a record: attribute access, aligned, first field `<game>_tag` (uint8, unused).

    Args:
        game: name of the game, or `<game>_rules` for its RULES. Two records of equal layout are one type to numba, and
            one that begins with another's fields is its subtype: the tag keeps the records of games apart.
        fields: `(name, dtype)` or `(name, dtype, shape)`, without the tag.
        sources: folder or file of the game's kernels, for a game outside this package: its hash becomes part of the
            tag, so that generic kernels compiled for an older version of the game are not found in the cache.
    """
    tag = f"{game}_tag"
    if sources is not None and not Path(sources).resolve().is_relative_to(_PACKAGE):
        tag = f"{game}_tag_{source_hash(Path(sources).resolve())}"
    return np.dtype((np.record, np.dtype([(tag, np.uint8), *fields], align=True)))


@dataclass(frozen=True)
class ActionRange:
    """A contiguous range of the action space.

    Attributes:
        name: what the action does, upper case (`"PLAY"`).
        size: number of actions in the range.
        meaning: what `action - start` stands for.
        start: first action; set by `ActionTable`.
    """

    name: str
    size: int
    meaning: str
    start: int = 0

    @property
    def stop(self) -> int:
        return self.start + self.size


class ActionTable:
    """The flat discrete action space as named ranges, in the order given."""

    def __init__(self, ranges: Sequence[ActionRange]) -> None:
        placed, start = [], 0
        for entry in ranges:
            placed.append(ActionRange(entry.name, entry.size, entry.meaning, start))
            start += entry.size
        self.ranges: tuple[ActionRange, ...] = tuple(placed)
        self.num_actions = start
        self._by_name = {entry.name: entry for entry in placed}
        if len(self._by_name) != len(placed):
            raise ValueError("two action ranges have one name")

    def __getitem__(self, name: str) -> ActionRange:
        return self._by_name[name]

    def locate(self, action: int) -> tuple[str, int]:
        """Return `(range name, action - start)`.

        Raises:
            ValueError: `action` is outside the action space.
        """
        for entry in self.ranges:
            if entry.start <= action < entry.stop:
                return entry.name, action - entry.start
        raise ValueError(f"action {action} is outside 0..{self.num_actions - 1}")


@dataclass(frozen=True)
class Block:
    """A named part of the flat observation.

    Attributes:
        name: lower case, unique.
        shape: the part's shape; it is stored in C order.
        kind: `"flag"` (0 or 1), `"onehot"` (one 1 along the last axis, or none), `"count"` (an integer times `scale`),
            `"index"` (an integer plus one, times `scale`; 0 stands for none) or `"signed"` (an integer times `scale`,
            which may be negative).
        scale: the float32 constant that the stored integer is multiplied with.
        columns: names along the last axis (may be empty when the axis is an id of the game's tables).
        about: one sentence for the documentation, with the rule that lets the seat know it.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    scale: float = 1.0
    columns: tuple[str, ...] = ()
    about: str = ""

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class PlacedBlock(Block):
    """A block with its place in the vector: `observation[block.slice].reshape(block.shape)`."""

    start: int = 0

    @property
    def stop(self) -> int:
        return self.start + self.size

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


class ObservationLayout:
    """Blocks one after the other in one float32 vector."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        placed, start = [], 0
        for b in blocks:
            placed.append(PlacedBlock(b.name, b.shape, b.kind, b.scale, b.columns, b.about, start))
            start += b.size
        self.blocks: tuple[PlacedBlock, ...] = tuple(placed)
        self.size = start
        self._by_name = {b.name: b for b in placed}
        if len(self._by_name) != len(placed):
            raise ValueError("two observation blocks have one name")

    def __getitem__(self, name: str) -> PlacedBlock:
        return self._by_name[name]

    def extended(self, more: Sequence[Block]) -> ObservationLayout:
        """Return a layout with `more` blocks behind these."""
        return ObservationLayout([*self.blocks, *more])

    def decode(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Return the integers that the observation was written from, by block name, in the blocks' shapes (int64)."""
        values = np.asarray(observation, np.float32)
        if values.shape != (self.size,):
            raise ValueError(f"an observation has shape ({self.size},), not {values.shape}")
        return {
            b.name: np.rint(values[b.slice].astype(np.float64) / b.scale).astype(np.int64).reshape(b.shape)
            for b in self.blocks
        }

    @cached_property
    def schema(self) -> str:
        """SHA-256 (first 16 hex digits) of names, shapes, kinds, scales and columns, in order."""
        rows = [[b.name, list(b.shape), b.kind, float(np.float32(b.scale)), list(b.columns)] for b in self.blocks]
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
