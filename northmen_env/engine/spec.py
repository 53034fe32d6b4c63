"""What a game hands to the engine: one `GameSpec`, built in the game's `__init__.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel

from northmen_env.engine import verbs
from northmen_env.engine.events import MOST_KINDS
from northmen_env.engine.layout import ActionTable, ObservationLayout


@dataclass(frozen=True)
class EventKind:
    """One code of the event log.

    Attributes:
        name: lower case (`"play"`).
        about: what happened and what `a` and `b` are.
    """

    name: str
    about: str


@dataclass(frozen=True)
class GameSpec:
    """Everything the generic code needs to know about a game.

    Functions that take `rules` and `state` get the records (`np.record`), never arrays.

    Attributes:
        name: registry name (`"saga"`); the state's first field is `<name>_tag`.
        title: the printed name.
        version: raised when meaning, spaces or tables change; the `-vN` of the registered ids.
        player_counts: legal `num_players`.
        options: pydantic model (frozen, extra forbidden) of every option in the ledger, `num_players` included.
        state_dtype, rules_dtype: the two records.
        kernels: every verb of `verbs.VERBS`, by name.
        actions: named ranges of the action space.
        observation: named blocks of the base observation (without history and generic options).
        max_legal: most actions that can be legal at once.
        events: event kinds, at most 127; the code is the index.
        build_rules: `(options) -> (1,) array of rules_dtype`, with `history` = `dense` = 0. Raises ValueError.
        max_decisions: `(options) -> int`, a proved bound on the decisions of a game.
        teams: `(options) -> tuple of tuples of seats` that win together.
        options_dict: `(options) -> dict` of JSON values: every option, data sets by their hash.
        ranks: `(rules, state) -> list of int`: 1 for the best key so far (final at the end), ties share a rank.
        action_text: `(rules, action) -> str`, unique per action, without commas or line breaks.
        action_features: `(rules) -> float32 (num_actions, F)`, and `feature_columns` their names.
        event_text: `(rules, viewer, row) -> str`: one line for row `(code, seat, a, b)` as `viewer` saw it.
        to_dict: `(options, rules, state) -> dict`: the ledger's State JSON.
        from_dict: `(options, rules, dict, state) -> None`: fills a zeroed state; raises ValueError with a sentence.
        observation_text: `(rules, state, player) -> str`: all that the seat knows, for a person or a language model.
        render_text: `(rules, state, seat_or_None) -> str`.
        render_svg: `(rules, state, seat_or_None) -> str`.
        hidden_targets: `(rules, state) -> dict[str, np.ndarray]`: what trainers may predict (full information).
        check_data: `(path) -> list of sentences`, each naming file, line and condition; empty when the data is sound.
        module: the module that holds this spec as `GAME` (`__name__`): pickled games and states find it there.
        num_actions: `(options) -> int`: the size of the action space where options cut off the end of the last range;
            None: all of `actions`.
        choice_text: `(rules, state, action) -> str`: what a legal action means in this state where its name does
            not say it, for a person who chooses; "" where it does. None: names say it all.
    """

    name: str
    title: str
    version: int
    player_counts: tuple[int, ...]
    options: type[BaseModel]
    state_dtype: np.dtype
    rules_dtype: np.dtype
    kernels: Mapping[str, Callable[..., Any]]
    actions: ActionTable
    observation: ObservationLayout
    max_legal: int
    events: tuple[EventKind, ...]
    feature_columns: tuple[str, ...]
    build_rules: Callable[[Any], np.ndarray]
    max_decisions: Callable[[Any], int]
    teams: Callable[[Any], tuple[tuple[int, ...], ...]]
    options_dict: Callable[[Any], dict[str, Any]]
    ranks: Callable[[Any, Any], list[int]]
    action_text: Callable[[Any, int], str]
    action_features: Callable[[Any], np.ndarray]
    event_text: Callable[[Any, int, tuple[int, int, int, int]], str]
    to_dict: Callable[[Any, Any, Any], dict[str, Any]]
    from_dict: Callable[[Any, Any, Mapping[str, Any], Any], None]
    observation_text: Callable[[Any, Any, int], str]
    render_text: Callable[[Any, Any, int | None], str]
    render_svg: Callable[[Any, Any, int | None], str]
    hidden_targets: Callable[[Any, Any], dict[str, np.ndarray]]
    check_data: Callable[[str], list[str]]
    module: str
    num_actions: Callable[[Any], int] | None = None
    choice_text: Callable[[Any, Any, int], str] | None = None

    def __post_init__(self) -> None:
        tag = (self.state_dtype.names or ("",))[0]
        for dtype, name in ((self.state_dtype, self.name), (self.rules_dtype, f"{self.name}_rules")):
            first = (dtype.names or ("",))[0]
            if not first.startswith(f"{name}_tag"):
                raise ValueError(
                    f"a record of {self.name} begins with the field {first!r} and must begin with '{name}_tag': make "
                    f"its dtype with engine.layout.record_dtype({name!r}, ...), or numba confuses it with other games'"
                )
        if len(self.events) > MOST_KINDS:
            raise ValueError(
                f"{self.name} has {len(self.events)} kinds of events, and a history can show {MOST_KINDS}; let kinds "
                "that say the same of different things share a code"
            )
        verbs.register(tag, dict(self.kernels))
