"""The Python face of a state: OpenSpiel's verbs over one record, with legality checked at this boundary."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from northmen_env.engine import boundary
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.events import EVENTS
from northmen_env.engine.playout import fingerprint, state_words
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

_MAGIC = b"NORTHMEN"
_FORMAT = 1
_CHECKSUM = 16

Event = tuple[int, int, int, int]
Moves = tuple[Any, int] | None  # the actions so far as a linked list, latest first: O(1) to extend and to share


class IllegalActionError(ValueError):
    """An action that is not legal in this state; the state is unchanged."""


class State:
    """One point of one game. Copies are independent; every method that takes a seat checks it.

    Attributes:
        game: the `Game` it belongs to.
        array: the record as an array of shape (1,), for kernels.
    """

    __slots__ = ("_buffer", "_code", "_ids", "_moves", "_root", "_rules", "array", "game")

    game: Game
    array: np.ndarray
    _buffer: bytearray
    _code: int
    _ids: np.ndarray | None  # int16 (max_legal,): the legal actions, listed anew where it is None
    _rules: np.ndarray
    _moves: Moves
    _root: bytes | None  # where the event log begins: a state's bytes, or None for the setup with the state's seed

    # -- making states ------------------------------------------------------------------------------------------------

    @classmethod
    def _initial(cls, game: Game, seed: int) -> State:
        self = cls._blank(game)
        self._ids = ids = np.empty(game.max_legal, np.int16)
        self.array["seed"] = np.uint64(seed)
        self._code = game.advance(self._rules, self.array, boundary.BEGIN, ids)
        return self

    @classmethod
    def _blank(cls, game: Game) -> State:
        self = cls.__new__(cls)
        self.game = game
        self._rules = game.rules
        self._buffer, self.array = new_buffer(game.spec.state_dtype)
        self._ids = self._moves = self._root = None
        self._code = 0
        return self

    @classmethod
    def _from_record_bytes(cls, game: Game, data: bytes | bytearray) -> State:
        self = cls._blank(game)
        self._buffer[:] = data
        self._root = bytes(data)
        self._refresh()
        return self

    @classmethod
    def _from_dict(cls, game: Game, d: Mapping[str, Any], seed: int) -> State:
        if not isinstance(d, Mapping):
            raise ValueError(f"a State JSON object is a dict, not {type(d).__name__}")
        self = cls._blank(game)
        self.array["seed"] = np.uint64(seed)
        game.spec.from_dict(game.options, game.rules[0], d, self.record)
        self._root = bytes(self._buffer)
        self._refresh()
        return self

    def _refresh(self) -> np.ndarray:
        self._ids = ids = np.empty(self.game.max_legal, np.int16)
        self._code = boundary.legal(self._rules, self.array, ids)
        return ids

    def clone(self) -> State:
        """Return an independent copy, generator and event log included."""
        other = State.__new__(State)
        other.game = self.game
        other._rules = self._rules
        other._buffer = buffer = bytearray(self._buffer)
        other.array = np.ndarray((1,), self.array.dtype, buffer)
        other._ids = None
        other._code = self._code
        other._moves = self._moves
        other._root = self._root
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, self.to_bytes())

    # -- playing ------------------------------------------------------------------------------------------------------

    @property
    def current_player(self) -> int:
        """The seat to act, -1 at the end."""
        return (self._code >> 16) - 1

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self._code >> 16 == 0

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to act, ascending; empty at the end."""
        ids = self._ids
        if ids is None:
            ids = self._refresh()
        return ids[: self._code & 65535].tolist()  # type: ignore[no-any-return]

    def legal_action_mask(self) -> np.ndarray:
        """Return int8 (num_actions,), 1 for each legal action: a fresh array."""
        mask = np.zeros(self.game.num_actions, np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Take a legal action, and all that follows without a choice.

        Raises:
            IllegalActionError: the action is not legal here (its number, its text and the legal ones are named).
            TypeError: the action is not an integer.
        """
        ids = self._ids
        if ids is None:
            ids = self._ids = np.empty(self.game.max_legal, np.int16)
        if type(action) is not int:
            action = _as_action(action)
        code = self.game.advance(self._rules, self.array, action, ids) if -1 < action < 32768 else boundary.REFUSED
        if code < 0:
            self._refuse(action)
        self._code = code
        self._moves = (self._moves, action)

    def _refuse(self, action: int) -> None:
        self._refresh()  # the scratch list may have been overwritten
        game = self.game
        text = f" ({game.action_to_string(action)})" if 0 <= action < game.num_actions else ""
        if self.is_terminal():
            raise IllegalActionError(f"action {action}{text} is not possible: the game has ended")
        legal = "; ".join(f"{a} ({game.action_to_string(a)})" for a in self.legal_actions())
        raise IllegalActionError(f"action {action}{text} is illegal for player {self.current_player}; legal: {legal}")

    # -- information --------------------------------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        """The STATE record (`np.record`): a live view for reading; write to it at your own risk."""
        return self.array[0]

    def observation(self, player: int) -> np.ndarray:
        """Return float32 (observation_size,): what `player` knows, a fresh array, valid at any time."""
        out = np.empty(self.game.observation_size, np.float32)
        boundary.observe(self.game.rules, self.array, self.game.checked_player(player), out)
        return out

    def observation_text(self, player: int) -> str:
        """Return what `player` knows in words, complete enough to play from."""
        return self.game.spec.observation_text(self.game.rules[0], self.record, self.game.checked_player(player))

    def events(self, player: int) -> list[Event]:
        """Return the rows `(code, seat, a, b)` that `player` saw since the log began, oldest first.

        The log begins at the setup, or where the state was read from JSON or resampled. Codes are the indices of
        `game.spec.events`; -1 stands for what the seat may not know.
        """
        player = self.game.checked_player(player)
        return self._replayed_events(player)

    def information_state(self, player: int) -> str:
        """Return the log of all that `player` saw, one event a line."""
        player = self.game.checked_player(player)
        text, rules = self.game.spec.event_text, self.game.rules[0]
        return "\n".join(text(rules, player, row) for row in self._replayed_events(player))

    def _actions(self) -> list[int]:
        actions, moves = [], self._moves
        while moves is not None:
            moves, action = moves
            actions.append(action)
        actions.reverse()
        return actions

    def _replayed_events(self, player: int) -> list[Event]:
        game = self.game
        buffer, states = new_buffer(game.spec.state_dtype)
        ids = np.empty(game.max_legal, np.int16)
        rows: list[Event] = []

        def log(action: int) -> None:
            """Take an action and note its rows; as often as it takes, because a ring holds EVENTS of them."""
            before, noted, emitted = bytes(buffer), 0, 1
            while noted < emitted:
                buffer[:] = before
                states["event_count"][0, player] = -noted
                boundary.advance(game._logging_rules, states, action, ids)
                emitted = noted + int(states["event_count"][0, player])
                rows.extend(_rows(states, player, 0, min(EVENTS, emitted - noted)))
                noted += EVENTS

        if self._root is None:
            states["seed"] = self.array["seed"]
            log(boundary.BEGIN)
        else:
            buffer[:] = self._root
            count = int(states["event_count"][0, player])
            rows.extend(_rows(states, player, max(0, count - EVENTS), count))
        for action in self._actions():
            log(action)
        return rows

    def resample(self, player: int, seed: int) -> State:
        """Return another state that `player` cannot tell from this one, by the ledger's law, with fresh chance.

        Its event log begins anew.
        """
        game = self.game
        other = State._blank(game)
        other._buffer[:] = self._buffer
        boundary.resample(game.rules, other.array, game.checked_player(player), np.uint64(game.checked_seed(seed)))
        other._root = bytes(other._buffer)
        other._code = self._code
        return other

    # -- results ------------------------------------------------------------------------------------------------------

    def returns(self) -> np.ndarray:
        """Return float64 (num_players,): each seat's sum of rewards so far (0 before the end)."""
        out = np.zeros(self.game.num_players)
        boundary.returns(self.game.rules, self.array, out)
        return out

    def scores(self) -> np.ndarray:
        """Return float64 (num_players,): public points so far, final ones at the end."""
        out = np.zeros(self.game.num_players)
        boundary.scores(self.game.rules, self.array, out)
        return out

    def ranks(self) -> list[int]:
        """Return each seat's rank (1 is best, ties share it) by what is public so far, final at the end."""
        return self.game.spec.ranks(self.game.rules[0], self.record)

    # -- serialisation ------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger's State JSON object: the complete state but for the random generator."""
        return self.game.spec.to_dict(self.game.options, self.game.rules[0], self.record)

    def digest(self) -> str:
        """Return the SHA-256 (hex) of the canonical State JSON: sorted keys, no spaces, UTF-8."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def fingerprint(self) -> str:
        """Return 16 hex digits over the state's bytes, the random generator included."""
        return f"{int(fingerprint(state_words(self.array))):016x}"

    def to_bytes(self) -> bytes:
        """Return everything: the state, the random generator, the log of actions, and a version."""
        header = self._header()
        header["root"] = self._root is not None
        actions = self._actions()
        head = json.dumps(header, sort_keys=True).encode()
        body = b"".join(
            [
                _MAGIC,
                struct.pack("<HII", _FORMAT, len(head), len(actions)),
                head,
                bytes(self._buffer),
                self._root or b"",
                np.asarray(actions, "<i2").tobytes(),
            ]
        )
        return body + hashlib.sha256(body).digest()[:_CHECKSUM]

    def _header(self) -> dict[str, Any]:
        game = self.game
        return {
            "game": game.name,
            "layout": game.state_layout,
            "options": game.options_dict,
            "history": game.history,
            "dense": game.dense,
        }

    @classmethod
    def _from_bytes(cls, game: Game, data: bytes) -> State:
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a saved state is bytes, not {type(data).__name__}")
        data = bytes(data)
        head, record, root, actions = _split(game, data)
        expected = State._blank(game)._header()
        for key in ("game", "layout", "options", "history", "dense"):
            if head.get(key) != expected[key]:
                raise ValueError(
                    f"these bytes are a state with {key} = {head.get(key)!r}, but this game has {expected[key]!r} "
                    f"(northmen-env {__version__}); load the game they were written for"
                )
        for part in (record, root):
            if part is not None:
                refuse_impossible(game, part)
        self = cls._from_record_bytes(game, record)
        self._root = root
        for action in actions:
            self._moves = (self._moves, action)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self._buffer == other._buffer

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        who = "ended" if self.is_terminal() else f"player {self.current_player} to act"
        return f"<State of {self.game.name}: {who}>"

    def __str__(self) -> str:
        return self.game.spec.render_text(self.game.rules[0], self.record, None)

    def _repr_svg_(self) -> str:
        return self.game.spec.render_svg(self.game.rules[0], self.record, None)


def _as_action(action: Any) -> int:
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
        raise TypeError(f"an action is an integer, not {action!r} ({type(action).__name__})")
    return int(action)


def refuse_impossible(game: Game, record: bytes) -> None:
    """Raise ValueError unless the bytes are a record that passes the game's invariants.

    To be called before any other kernel uses the numbers of a record from outside: indices are not checked there.
    """
    buffer, states = new_buffer(game.spec.state_dtype)
    if len(record) != len(buffer):
        raise ValueError("these bytes hold a state of another size")
    buffer[:] = record
    if boundary.check(game.rules, states) != 0:
        raise ValueError("these bytes hold an impossible state")


def _rows(states: np.ndarray, player: int, start: int, stop: int) -> list[Event]:
    """Return the rows with the numbers `start` .. `stop` - 1 of the seat's ring."""
    ring = states["event_rows"][0, player]
    return [tuple(ring[number % EVENTS].tolist()) for number in range(start, stop)]


def _split(game: Game, data: bytes) -> tuple[dict[str, Any], bytes, bytes | None, list[int]]:
    """Take saved bytes apart, checking magic, version, length and checksum."""
    if not data.startswith(_MAGIC):
        raise ValueError("these bytes are not a state saved by northmen-env")
    fixed = len(_MAGIC) + struct.calcsize("<HII")
    if len(data) < fixed + _CHECKSUM:
        raise ValueError("these bytes are cut short")
    version, head_size, num_actions = struct.unpack("<HII", data[len(_MAGIC) : fixed])
    if version != _FORMAT:
        raise ValueError(f"these bytes have format {version}; this version of northmen-env reads format {_FORMAT}")
    body, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if hashlib.sha256(body).digest()[:_CHECKSUM] != checksum:
        raise ValueError("these bytes are corrupt: the checksum does not fit")
    head = json.loads(body[fixed : fixed + head_size])
    at = fixed + head_size
    if head.get("game") != game.name or head.get("layout") != game.state_layout:
        raise ValueError(
            f"these bytes are a state of {head.get('game')!r} in layout {head.get('layout')!r}; this game is "
            f"{game.name!r} in layout {game.state_layout!r}: another game or another version of northmen-env"
        )
    size = game.spec.state_dtype.itemsize
    record = body[at : at + size]
    at += size
    root = None
    if head.get("root"):
        root = body[at : at + size]
        at += size
    actions = np.frombuffer(body[at:], "<i2").tolist()
    if len(actions) != num_actions:
        raise ValueError("these bytes are corrupt: the log of actions has another length")
    return head, record, root, actions


def _unpickle(game: Game, data: bytes) -> State:
    return State._from_bytes(game, data)


__all__ = ["Event", "IllegalActionError", "State", "refuse_impossible"]
