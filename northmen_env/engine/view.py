"""What an agent that searches holds instead of the state: its own information set, to sample from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from northmen_env.engine import boundary, verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SAMPLER, draw, secret_seed, stream

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State


class View:
    """The information set of one seat at one of its own decisions.

    The view resamples the state it is made from once and keeps that resample only. The law of a resample depends on
    what the seat knows and not on which of the possible worlds is the true one, and a resample of a resample has the
    same law; so nothing is lost, no sample says anything about the true state, and no reference leads there. The
    seeds of samples are the agent's own: they decide which worlds it imagines and never touch the real game.

    Attributes:
        game: the configuration that is played.
        player: the seat whose view this is, which is to act.
    """

    __slots__ = ("_base", "game", "player")

    game: Game
    player: int
    _base: State

    def __init__(self, state: State, player: int, seed: int) -> None:
        """Make the view of `player`, who is to act in `state`.

        Args:
            state: the true state, which is not kept.
            player: the seat to act.
            seed: 0..2**64 - 1, of the resample that is kept. It must tell nothing about the seed of `state`
                (`engine.random.secret_seed`).

        Raises:
            ValueError: another seat is to act, or the game has ended.
        """
        if state.game.checked_player(player) != state.current_player:
            raise ValueError(f"player {player} is not to act, so it has no view: views exist at own decisions only")
        self.game = state.game
        self.player = int(player)
        self._base = state.resample(player, seed)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat, ascending."""
        return self._base.legal_actions()

    def sample(self, seed: int) -> State:
        """Return a state that the seat cannot tell from the true one, drawn by the law of `State.resample`."""
        return self._base.resample(self.player, seed)

    def sample_many(self, n: int, seed: int, weight: Callable[[State], float] | None = None) -> list[State]:
        """Return `n` independent samples.

        Args:
            n: at least 1.
            seed: 0..2**64 - 1; determines all of them.
            weight: how likely a sampled world is for the seat in addition to the law of `resample`, which ignores
                what the others' actions say about their intentions; at least 0. With it, `n` worlds are drawn and the
                result is drawn from them, with replacement, in proportion to their weights. Where all weights are 0
                they count as equal.
        """
        from northmen_env.engine.state import State

        records = self.sample_records(n, seed)
        states = [State._from_record_bytes(self.game, row.tobytes()) for row in records.view(np.uint8).reshape(n, -1)]
        if weight is None:
            return states
        weights = np.array([weight(state) for state in states], np.float64)
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("weight must return a finite number that is not negative")
        edges = np.cumsum(weights if weights.any() else np.ones(n))
        key = np.uint64(stream(np.uint64(seed), PURPOSE_SAMPLER, self.player, 0))
        points = [draw(key, i) / 2**62 * edges[-1] for i in range(n)]
        chosen = np.minimum(np.searchsorted(edges, points, side="right"), n - 1)
        return [states[i].clone() for i in chosen.tolist()]

    def sample_records(self, n: int, seed: int) -> np.ndarray:
        """Return `n` samples as an array (n,) of STATE records, made in one kernel: for searches in kernels."""
        from northmen_env.engine.game import checked_int

        n = checked_int("n", n, 1, 2**31)
        seed = self.game.checked_seed(checked_int("seed", seed, 0, 2**64 - 1))
        records = np.empty(n, self.game.spec.state_dtype)
        _fill(self.game.rules, self._base.array, self.player, np.uint64(seed), records)
        return records

    def suggest(self, seed: int) -> int:
        """Return what the game's heuristic would do; `seed` breaks its ties."""
        seed = self.game.checked_seed(seed)
        return int(boundary.suggest(self.game.rules, self._base.array, self.player, np.uint64(seed)))

    def __repr__(self) -> str:
        return f"<View of player {self.player} in {self.game.name}>"


@kernel
def _fill(rules, base, player, seed, records):
    """Write resamples of `base[0]` into all of `records`."""
    for i in range(records.shape[0]):
        records[i] = base[0]
        verbs.resample(rules[0], records[i], player, secret_seed(seed, PURPOSE_RESAMPLE, player, i))
