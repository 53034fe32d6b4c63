"""What all environments share: which game a user means, the seeds of its episodes, its spaces, its saved bytes."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from northmen_env.engine.game import Game, checked_int
from northmen_env.engine.random import episode_seed
from northmen_env.registry import load

MASK_IN = ("obs", "info", "both")
FORMS = {
    "seat": "make_gym and make_vec",
    "opponents": "make_gym, and make_vec with seat=",
    "mask_in": "make, make_gym, and make_vec with seat=",
    "render_mode": "make and make_gym",
    "render_seat": "make and make_gym",
    "copy": "make_vec with seat=",
    "legal": "make_vec without seat=",
    "observe": "make_vec without seat=",
    "buffers": "make_vec without seat=",
    "num_envs": "make_vec",
    "configurations": "make_vec",
    "num_threads": "make_vec",
}
"""Arguments that only some forms take, and which: whoever gives one to another form is told so."""

_MAGIC = b"NORTHENV"
_CHECKSUM = 16


def game_of(game: str | Game, options: dict[str, Any]) -> Game:
    """Return `game` itself, or load it by name.

    Args:
        game: a name of `northmen_env.games()` with `options` (those of the game, `history` and `dense`), or a `Game`
            and no options, because it has them already.
    """
    refuse_arguments_of_other_forms(options)
    if not isinstance(game, Game):
        return load(game, **options)
    if options:
        raise ValueError(f"a Game has its options already; leave out {', '.join(options)}, or give the game's name")
    return game


def refuse_arguments_of_other_forms(options: Iterable[str]) -> None:
    """Raise TypeError if what is left as options of a game is an argument of another form."""
    for name in options:
        if name in FORMS:
            raise TypeError(f"`{name}` belongs to {FORMS[name]}")


def checked_render_seat(game: Game, seat: int | None) -> int | None:
    """Return the seat whose pieces are shown, None for a spectator."""
    return None if seat is None else checked_int("render_seat", seat, 0, game.num_players - 1)


def checked_choice(name: str, value: Any, choices: Sequence[str | None]) -> Any:
    """Return `value`, which must be one of `choices`."""
    if not isinstance(value, (str, type(None))) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")
    return value


def as_action(action: Any, num_actions: int) -> int:
    """Return an action as an int in 0 .. num_actions - 1.

    Raises:
        TypeError: it is not an integer (nor a 0-d integer array).
        ValueError: it is outside the action space.
    """
    if isinstance(action, np.ndarray) and action.shape == () and np.issubdtype(action.dtype, np.integer):
        action = int(action)
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
        raise TypeError(f"an action is an integer from 0 to {num_actions - 1}, not {action!r}")
    if not 0 <= action < num_actions:
        raise ValueError(f"action {action} is outside the action space 0..{num_actions - 1}")
    return int(action)


class EpisodeSeeds:
    """Seeds of one game after another: number `k` after a reset with seed `s` has `episode_seed(s, k)`.

    Attributes:
        base: the seed given last, or drawn from the operating system at the first reset without one; None before.
        episode: number of the current game.
    """

    __slots__ = ("base", "episode")

    def __init__(self, base: int | None = None, episode: int = 0) -> None:
        self.base = base
        self.episode = episode

    def next(self, seed: int | None) -> int:
        """Return the seed of the next game; `seed` starts the count anew."""
        if seed is not None or self.base is None:
            self.base, self.episode = Game.checked_seed(seed), 0
        else:
            self.episode += 1
        return self.current()

    def current(self) -> int:
        """Return the seed of the current game."""
        assert self.base is not None
        return int(episode_seed(np.uint64(self.base), self.episode))


# -- spaces ------------------------------------------------------------------------------------------------------------


def observation_space(game: Game, mask_in: str) -> spaces.Space[Any]:
    """Return Dict(observation, action_mask), or the plain Box where the mask is in the info only."""
    box = spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32)
    if mask_in == "info":
        return box
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def copied_space(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """Return a copy with a random generator of its own in the same state; bounds are shared: nobody writes them."""
    other = type(space).__new__(type(space))
    other.__dict__.update(space.__dict__)
    if space._np_random is not None:
        other._np_random = copy.deepcopy(space._np_random)
    if isinstance(other, spaces.Dict):
        other.spaces = {key: copied_space(part) for key, part in other.spaces.items()}
    return other


def generators(space: spaces.Space[Any]) -> list[dict[str, Any] | None]:
    """Return the states of the space's random generators, parts included, as JSON values (None: not drawn from yet)."""
    return [None if part._np_random is None else dict(part._np_random.bit_generator.state) for part in _parts(space)]


def set_generators(space: spaces.Space[Any], states: Sequence[dict[str, Any] | None]) -> None:
    """Put the space's random generators into the states that `generators` returned."""
    for part, state in zip(_parts(space), states):
        part._np_random = generator(state)  # type: ignore[assignment]


def generator(state: dict[str, Any] | None) -> np.random.Generator | None:
    """Return a NumPy generator in the state of one of `generators`."""
    if state is None:
        return None
    bits = getattr(np.random, state["bit_generator"])()
    bits.state = state
    return np.random.Generator(bits)


def _parts(space: spaces.Space[Any]) -> Iterator[spaces.Space[Any]]:
    yield space
    if isinstance(space, spaces.Dict):
        for part in space.spaces.values():
            yield from _parts(part)


# -- saved bytes -------------------------------------------------------------------------------------------------------


def game_header(game: Game) -> dict[str, Any]:
    """Return what saved bytes must agree on with the environment that reads them."""
    return {
        "game": game.name,
        "layout": game.state_layout,
        "schema": game.observation_schema,
        "options": game.options_dict,
        "history": game.history,
        "dense": game.dense,
    }


def pack(head: dict[str, Any], *parts: bytes) -> bytes:
    """Return bytes that `unpack` takes apart: a JSON head, raw parts, and a checksum."""
    text = json.dumps({**head, "sizes": [len(part) for part in parts]}, sort_keys=True, default=_listed).encode()
    body = b"".join([_MAGIC, len(text).to_bytes(4, "little"), text, *parts])
    return body + hashlib.sha256(body).digest()[:_CHECKSUM]


def unpack(data: bytes, expected: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Return the head and the parts of saved bytes.

    Raises:
        TypeError: `data` is not bytes.
        ValueError: the bytes are corrupt or foreign, or their head differs from `expected`.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a saved environment is bytes, not {type(data).__name__}")
    data = bytes(data)
    at = len(_MAGIC) + 4
    if not data.startswith(_MAGIC) or len(data) < at + _CHECKSUM:
        raise ValueError("these bytes are not an environment saved by get_state")
    body, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if hashlib.sha256(body).digest()[:_CHECKSUM] != checksum:
        raise ValueError("these bytes are corrupt: the checksum does not fit")
    size = int.from_bytes(data[at - 4 : at], "little")
    head = json.loads(body[at : at + size])
    for key, value in json.loads(json.dumps(expected)).items():
        if head.get(key) != value:
            raise ValueError(
                f"these bytes are an environment with {key} = {head.get(key)!r}, but this one has {value!r}; "
                "make the environment with the same arguments first"
            )
    at += size
    parts = []
    for length in head["sizes"]:
        parts.append(body[at : at + length])
        at += length
    return head, parts


def _listed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be saved")
