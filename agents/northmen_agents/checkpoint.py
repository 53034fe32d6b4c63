"""Checkpoints: arrays and a JSON description in one file of the safetensors format. Reading one never runs code.

The format (https://huggingface.co/docs/safetensors) is a little-endian uint64, a JSON header of that many bytes, and
raw arrays. The description is a JSON text in the header's `__metadata__`, under `northmen`: the game, its version and
`observation_schema`, the configuration that made it, and a SHA-256 of the arrays. Any safetensors library reads the
arrays; here it takes NumPy alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

FORMAT = 1
MOST_HEADER = 10_000_000  # bytes
KEY = "northmen"
_TYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"), "F32": np.dtype("<f4"), "F16": np.dtype("<f2"),
    "I64": np.dtype("<i8"), "I32": np.dtype("<i4"), "U8": np.dtype("u1"), "BOOL": np.dtype("?"),
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the sentence names the file and says why."""


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds.

    Attributes:
        arrays: by name, read-only.
        about: the description: `kind` ("policy" or "training"), `game`, `version`, `observation_schema`,
            `num_actions`, and what the writer added.
        sha256: of the whole file.
    """

    arrays: dict[str, np.ndarray]
    about: dict[str, Any]
    sha256: str
    path: Path

    def refuse_other_games(self, game: Game) -> None:
        """Raise CheckpointError unless the checkpoint's observations and actions mean what this game's do."""
        for name, own in about_game(game).items():
            made = self.about.get(name)
            if made != own:
                raise CheckpointError(
                    f"{self.path} was trained with {name} = {made!r}, but this game has {own!r}: its numbers would "
                    f"mean something else. {_ADVICE[name]}"
                )

    def refuse_other_kinds(self, kind: str) -> None:
        """Raise CheckpointError unless this is a checkpoint of the kind "policy" or "training"."""
        if self.about.get("kind") != kind:
            raise CheckpointError(f"{self.path} is a checkpoint of the kind {self.about.get('kind')!r}, not {kind!r}")


_ADVICE = {
    "game": "Choose a checkpoint of this game.",
    "version": "Train it again with this version, or install the version it was made with.",
    "observation_schema": "Load the game with the history it was trained with, or train it again with this version.",
    "observation_size": "Load the game with the history it was trained with, or train it again with this version.",
    "num_actions": "Load the game with the options it was trained with.",
}


def about_game(game: Game) -> dict[str, Any]:
    """Return what a checkpoint and a game must agree on."""
    return {
        "game": game.name,
        "version": game.spec.version,
        "observation_schema": game.observation_schema,
        "observation_size": game.observation_size,
        "num_actions": game.num_actions,
    }


def write_checkpoint(path: Path, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Write a checkpoint in place of what is there: another process, and a crash at any moment, find all or nothing."""
    write_atomically(path, encoded(arrays, about))


def encoded(arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> bytes:
    """Return the bytes of a checkpoint; equal arrays and descriptions give equal bytes."""
    header: dict[str, Any] = {}
    parts: list[bytes] = []
    at = 0
    for name, array in sorted(arrays.items()):
        data = np.ascontiguousarray(array).tobytes()
        dtype = _NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    body = b"".join(parts)
    text = {**about, "format": FORMAT, "sha256": hashlib.sha256(body).hexdigest()}
    header["__metadata__"] = {KEY: json.dumps(text, sort_keys=True)}
    head = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # arrays begin at a multiple of eight
    return len(head).to_bytes(8, "little") + head + body


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under another name in the same folder, flush it to the disk, and give it its name.

    Raises:
        OSError: it cannot be written; what was there is still there, and nothing else.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):  # some file systems have no folders to flush
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_checkpoint(path: Path | str) -> Checkpoint:
    """Return what a file holds.

    Raises:
        CheckpointError: there is no such file, or it is foreign or damaged.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
    try:
        arrays, about = _decoded(data)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CheckpointError(
            f"{path} is not a checkpoint of northmen-env, or it is damaged ({_cause(error)}); nothing in it was run"
        ) from None
    return Checkpoint(arrays, about, hashlib.sha256(data).hexdigest(), path)


def _cause(error: Exception) -> str:
    return f"there is no entry {error}" if isinstance(error, KeyError) else str(error)


def _decoded(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > min(MOST_HEADER, len(data) - 8):
        raise ValueError("it does not begin with a header of the safetensors format")
    header = json.loads(data[8 : 8 + size].decode(), object_pairs_hook=_without_repeats)
    if not isinstance(header, dict):
        raise ValueError("its header is no JSON object")
    about = json.loads(header.pop("__metadata__")[KEY])
    body = memoryview(data)[8 + size :]
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']!r}, and this version reads {FORMAT}")
    if about["sha256"] != hashlib.sha256(body).hexdigest():
        raise ValueError("its arrays have changed since it was written")
    arrays: dict[str, np.ndarray] = {}
    at = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        dtype, shape, (first, last) = _TYPES[entry["dtype"]], tuple(entry["shape"]), entry["data_offsets"]
        whole = all(type(number) is int and number >= 0 for number in (*shape, first, last))
        if not whole or first != at or last - first != dtype.itemsize * int(np.prod(shape, dtype=object)):
            raise ValueError(f"the array {name!r} is not where the header says")
        arrays[name] = np.frombuffer(body[first:last], dtype).reshape(shape)
        at = last
    if at != len(body):
        raise ValueError("there are bytes that belong to no array")
    return arrays, about


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("its header names something twice")
    return found


__all__ = ["Checkpoint", "CheckpointError", "about_game", "read_checkpoint", "write_checkpoint"]
