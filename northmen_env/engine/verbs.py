"""The verbs: plain functions that every game defines, dispatched by the type of the state record.

A verb called inside a kernel is resolved while compiling, by the name of the record's first field (`saga_tag`). Generic
kernels (playouts, batches, tree search) are therefore written once, compiled once per game and found in the disk cache
by the next process. Called from Python, a verb looks the game up in the same table.

    setup(rules, state, seed)                      a new game, up to its first decision
    step(rules, state, action)                     one legal action and all that follows without a choice
    legal_ids(rules, state, ids) -> count          the legal actions, ascending, in int16 `ids`; 0 at the end
    observe(rules, state, player, out)             float32 `out`, written whole, valid for every seat at any time
    resample(rules, state, player, seed)           another state that `player` cannot tell from this one
    returns(rules, state, out)                     float64 `out` (seats,): the rewards' sum, zero before the end
    scores(rules, state, out)                      float64 `out` (seats,): public points so far, final ones at the end
    suggest(rules, state, player, seed) -> action  the game's heuristic; uses only what `player` knows
    evaluate(rules, state, out)                    float64 `out` (seats,): estimates of `returns`
    check(rules, state) -> code                    0, or the number of the first invariant that does not hold

`rules` and `state` are records; generic code relies on `state.player` (seat to act, -1 at the end), `state.seed` and
`rules.num_players` and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from northmen_env.engine.jit import kernel

VERBS = (
    "setup", "step", "legal_ids", "observe", "resample", "returns", "scores", "suggest", "evaluate", "check",
)  # fmt: skip

_GAMES: dict[str, dict[str, Callable[..., Any]]] = {}


def register(tag: str, kernels: dict[str, Callable[..., Any]]) -> None:
    """Register the kernels of the game whose state record begins with the field `tag`.

    Raises:
        ValueError: a verb is missing or unknown, or `tag` is registered already.
    """
    if set(kernels) != set(VERBS):
        missing, unknown = sorted(set(VERBS) - set(kernels)), sorted(set(kernels) - set(VERBS))
        raise ValueError(f"the game {tag!r} must define each verb once; missing: {missing}, unknown: {unknown}")
    if tag in _GAMES:
        raise ValueError(f"a game with the state tag {tag!r} is registered already; give each game a name of its own")
    _GAMES[tag] = dict(kernels)


def _compiled(verb: str, state: Any) -> Callable[..., Any] | None:
    if not isinstance(state, types.Record):
        return None
    kernels = _GAMES.get(next(iter(state.fields)))
    return None if kernels is None else kernels[verb]


def _python(verb: str, state: Any) -> Callable[..., Any]:
    return _GAMES[state.dtype.names[0]][verb]


def setup(rules, state, seed):
    return _python("setup", state)(rules, state, seed)


def step(rules, state, action):
    return _python("step", state)(rules, state, action)


def legal_ids(rules, state, ids):
    return _python("legal_ids", state)(rules, state, ids)


def observe(rules, state, player, out):
    return _python("observe", state)(rules, state, player, out)


def resample(rules, state, player, seed):
    return _python("resample", state)(rules, state, player, seed)


def returns(rules, state, out):
    return _python("returns", state)(rules, state, out)


def scores(rules, state, out):
    return _python("scores", state)(rules, state, out)


def suggest(rules, state, player, seed):
    return _python("suggest", state)(rules, state, player, seed)


def evaluate(rules, state, out):
    return _python("evaluate", state)(rules, state, out)


def check(rules, state):
    return _python("check", state)(rules, state)


def _resolve(verb: Callable[..., Any]) -> None:
    """Let kernels call `verb`: typed and compiled as a call of the game's own kernel, with no code between."""

    @infer_global(verb)
    class Call(AbstractTemplate):
        def generic(self, args, kws):
            target = _compiled(verb.__name__, args[1])
            return None if target is None else typeof(target).get_call_type(self.context, args, kws)

    @lower_builtin(verb, types.VarArg(types.Any))  # type: ignore[attr-defined]
    def lower(context, builder, signature, args):
        target = context.get_function(typeof(_compiled(verb.__name__, signature.args[1])), signature)
        context.add_linking_libs(target.libs)
        return target(builder, args)


for _verb in (setup, step, legal_ids, observe, resample, returns, scores, suggest, evaluate, check):
    _resolve(_verb)


@kernel
def legal_actions(rules, state, mask):
    """Write the legal actions into the int8 `mask` (num_actions,) as 1, all else 0; return how many there are."""
    mask[:] = 0
    ids = np.empty(mask.shape[0], np.int16)
    count = legal_ids(rules, state, ids)
    for i in range(count):
        mask[ids[i]] = 1
    return count
