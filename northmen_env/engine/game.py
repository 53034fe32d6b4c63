"""The Python face of a game: one configuration, immutable, from which states are made."""

from __future__ import annotations

import hashlib
import importlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from pydantic import ValidationError

from northmen_env.engine import boundary, playout
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.events import EVENTS, KEEP_FIRST
from northmen_env.engine.jit import entry_point
from northmen_env.engine.layout import ObservationLayout, PlacedBlock
from northmen_env.engine.observation import with_history
from northmen_env.engine.spec import GameSpec
from northmen_env.engine.state import State

MAX_SEED = 2**64 - 1


@dataclass(frozen=True)
class Playouts:
    """Result of `Game.playouts`.

    Attributes:
        games: number of games played.
        decisions: int64 (games,), decisions made in each.
        returns: float64 (games, num_players).
        digest: 16 hex digits over the final states' bytes, in order.
    """

    games: int
    decisions: np.ndarray
    returns: np.ndarray
    digest: str

    @property
    def total_decisions(self) -> int:
        return int(self.decisions.sum())


class Game:
    """One configuration of a game. Made by `northmen_env.load`; safe to share between threads.

    Attributes:
        spec: the game's `GameSpec`.
        options: the validated options (a frozen pydantic model).
        history: rows of the seat's own events appended to each observation, 0..64.
        dense: whether environments pay differences of public scores.
        rules: array (1,) of the game's RULES record, read-only.
        num_players, num_actions, max_legal, observation_size: sizes.
        max_decisions: a proved bound on the decisions of one game.
        teams: tuple of tuples of seats that win together.
    """

    def __init__(self, spec: GameSpec, *, history: int = 0, dense: bool = False, **options: Any) -> None:
        self.spec = spec
        self.name = spec.name
        self.options = _validated(spec, options)
        self.history = _checked_history(history)
        self.dense = _checked_flag("dense", dense)
        self.rules = spec.build_rules(self.options)
        # Every option of the ledger as JSON values, data sets by their hash: now, because a folder may change later.
        self.options_dict: dict[str, Any] = spec.options_dict(self.options)
        self.rules["history"] = self.history
        self.rules["dense"] = int(self.dense)
        self.rules.setflags(write=False)
        self._logging_rules = self.rules.copy()
        self._logging_rules["history"] = KEEP_FIRST
        self._logging_rules.setflags(write=False)
        self.num_players: int = int(self.options.num_players)
        self.num_actions = spec.actions.num_actions if spec.num_actions is None else spec.num_actions(self.options)
        self.max_legal = spec.max_legal
        self.max_decisions = spec.max_decisions(self.options)
        self.teams = spec.teams(self.options)
        self.observation_layout: ObservationLayout = with_history(spec.observation, self.history)
        self.observation_size = self.observation_layout.size
        self.seats = len(np.zeros(1, spec.state_dtype)["event_count"][0])

    # -- descriptions -------------------------------------------------------------------------------------------------

    @property
    def observation_blocks(self) -> tuple[PlacedBlock, ...]:
        """The observation's named blocks: `.name .slice .shape .kind .scale .columns .about`."""
        return self.observation_layout.blocks

    @cached_property
    def observation_schema(self) -> str:
        """16 hex digits that change whenever the meaning of an observation or an action changes."""
        ranges = [[r.name, r.size, r.meaning] for r in self.spec.actions.ranges]
        size = [] if self.spec.num_actions is None else [self.num_actions]
        text = json.dumps([self.name, self.spec.version, self.observation_layout.schema, ranges, *size])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def state_layout(self) -> str:
        """16 hex digits that change whenever the bytes of a state change their meaning."""
        text = json.dumps([self.name, self.spec.version, str(self.spec.state_dtype.descr)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def action_features(self) -> np.ndarray:
        """Float32 (num_actions, F), read-only: what each action is about; columns in `spec.feature_columns`."""
        features = self.spec.action_features(self.rules[0])
        features.setflags(write=False)
        return features

    def action_to_string(self, action: int) -> str:
        """Return the unique text of `action`. Raises ValueError outside 0..num_actions - 1."""
        return self._action_texts[self.checked_action(action)]

    def string_to_action(self, text: str) -> int:
        """Return the action with this text. Raises ValueError for a text that no action has."""
        try:
            return self._actions_by_text[text]
        except (KeyError, TypeError):
            raise ValueError(f"{text!r} is not the text of an action of {self.name}; see action_to_string") from None

    @cached_property
    def _action_texts(self) -> list[str]:
        return [self.spec.action_text(self.rules[0], a) for a in range(self.num_actions)]

    @cached_property
    def _actions_by_text(self) -> dict[str, int]:
        return {text: action for action, text in enumerate(self._action_texts)}

    def __repr__(self) -> str:
        return f"Game({self.name!r}, {json.dumps(self.options_dict)}, history={self.history}, dense={self.dense})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules.tobytes() == other.rules.tobytes() and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.name, self.rules.tobytes()))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self  # nothing of it ever changes

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.spec.module, self.history, self.dense, self.options.model_dump(), self.options_dict)

    # -- states -------------------------------------------------------------------------------------------------------

    def new_initial_state(self, seed: int | None = None) -> State:
        """Return a new game at its first decision.

        Args:
            seed: 0 .. 2**64 - 1 determines all chance of the game; None draws one from the operating system.
        """
        return State._initial(self, self.checked_seed(seed))

    def state_from_dict(self, d: Mapping[str, Any], seed: int = 0) -> State:
        """Return the state that a State JSON object describes; `seed` determines the chance still to come.

        Raises:
            ValueError: the object is not a state of this game with these options; the sentence says why.
        """
        return State._from_dict(self, d, self.checked_seed(seed))

    def state_from_bytes(self, data: bytes) -> State:
        """Return the state that `State.to_bytes` wrote.

        Raises:
            ValueError: the bytes are corrupt, foreign, of another version, or of a game with other options.
        """
        return State._from_bytes(self, data)

    def hidden_targets(self, state: State) -> dict[str, np.ndarray]:
        """Return what a trainer may let a network predict: full information, never for an agent that plays."""
        return self.spec.hidden_targets(self.rules[0], state.record)

    # -- kernels of the boundary ---------------------------------------------------------------------------------------

    @cached_property
    def advance(self) -> Callable[..., int]:
        """`engine.boundary.advance` for this game's types."""
        return entry_point(boundary.advance, self.rules, self._states(), 0, self._ids())

    @cached_property
    def turn(self) -> Callable[..., int]:
        """`engine.boundary.turn` for this game's types."""
        mask, observation = np.empty(self.num_actions, np.int8), np.empty(self.observation_size, np.float32)
        pay = np.empty(self.seats)
        return entry_point(boundary.turn, self.rules, self._states(), 0, self._ids(), mask, observation, pay, pay)

    def _states(self) -> np.ndarray:
        return new_buffer(self.spec.state_dtype)[1]

    def _ids(self) -> np.ndarray:
        return np.empty(self.max_legal, np.int16)

    # -- random play --------------------------------------------------------------------------------------------------

    def playouts(self, num_games: int, seed: int | None = None) -> Playouts:
        """Play games uniformly at random inside one kernel.

        Game number `k` has the seed `engine.random.episode_seed(seed, k)` (game 0: `seed` itself) and follows the
        sampler documented in `engine.playout`, so that stepping a `State` gives the same games.
        """
        games = checked_int("num_games", num_games, 1, 2**40)
        _, states = new_buffer(self.spec.state_dtype)
        decisions = np.zeros(games, np.int64)
        returns = np.zeros((games, self.num_players))
        key = playout.playouts(
            self.rules,
            states,
            playout.state_words(states),
            0,
            games,
            np.uint64(self.checked_seed(seed)),
            np.zeros(self.max_legal, np.int16),
            np.zeros(self.num_actions, np.int8),
            decisions,
            returns,
        )
        return Playouts(games, decisions, returns, f"{int(key):016x}")

    # -- checks at the boundary ---------------------------------------------------------------------------------------

    @staticmethod
    def checked_seed(seed: int | None) -> int:
        """Return `seed` as an int, a fresh one for None. Raises TypeError or ValueError outside 0 .. 2**64 - 1."""
        return secrets.randbits(64) if seed is None else checked_int("seed", seed, 0, MAX_SEED)

    def checked_player(self, player: int) -> int:
        """Return `player` as an int. Raises TypeError or ValueError outside 0 .. num_players - 1."""
        return checked_int("player", player, 0, self.num_players - 1)

    def checked_action(self, action: int) -> int:
        """Return `action` as an int. Raises TypeError or ValueError outside 0 .. num_actions - 1."""
        return checked_int("action", action, 0, self.num_actions - 1)


def checked_int(name: str, value: Any, low: int, high: int) -> int:
    """Return `value` as an int in [low, high]; bools and floats are refused."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer from {low} to {high}, not {value!r} ({type(value).__name__})")
    if not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value}")
    return int(value)


def _checked_history(history: Any) -> int:
    return checked_int("history", history, 0, EVENTS)


def _checked_flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def _validated(spec: GameSpec, options: dict[str, Any]) -> Any:
    known = spec.options.model_fields
    for name in options:
        if name not in known:
            raise ValueError(f"{spec.name} has no option {name!r}; its options are: {', '.join(known)}")
    try:
        return spec.options(**options)
    except ValidationError as error:
        problems = []
        for item in error.errors():
            cause = item.get("ctx", {}).get("error")  # a validator's own sentence names option and value already
            where = ".".join(str(part) for part in item["loc"]) or "options"
            problems.append(str(cause) if cause else f"{where}: {item['msg']} (given: {item.get('input')!r:.80})")
        raise ValueError(f"wrong options for {spec.name}: " + "; ".join(problems)) from None


def _rebuild(module: str, history: int, dense: bool, options: dict[str, Any], expected: dict[str, Any]) -> Game:
    game = Game(importlib.import_module(module).GAME, history=history, dense=dense, **options)
    if game.options_dict != expected:
        raise ValueError(f"the data of {game.name} in {options.get('data')!r} has changed since this was pickled")
    return game


__all__ = ["Game", "Playouts", "checked_int"]
