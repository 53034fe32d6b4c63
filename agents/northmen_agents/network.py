"""A policy network as arrays, run by NumPy: what a checkpoint of the kind "policy" holds.

One hidden trunk that policy and value share, and a head of further layers for each:

    trunk.0 ... trunk.k   (ReLU after each)
    policy.0 ... policy.k (ReLU between)  -> logits (B, A)
    value.0 ... value.k   (ReLU between)  -> the expected return of the seat to act (B,)
    trust.0 ... trust.k   (ReLU between)  -> what is added to the logit of the heuristic's suggestion (B,)

The last is there in a residual policy only, which is told what the game's heuristic would do and learns where to
depart from it (Silver, Allen, Tenenbaum & Kaelbling: Residual policy learning, 2018). Each layer has `<name>.weight`
(out, in) and `<name>.bias` (out,), float32, as torch writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from northmen_agents.checkpoint import Checkpoint, CheckpointError, about_game, read_checkpoint, write_checkpoint
from northmen_env.envs.opponents import NoLegalAction

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

PARTS = ("trunk", "policy", "value", "trust")
Layer = tuple[np.ndarray, np.ndarray]
"""Weight (in, out) and bias (out,)."""


class PolicyNetwork:
    """The network. Calling it is what `northmen_agents.tree_search.Network` asks for.

    Args:
        arrays: by the names above.

    Attributes:
        needs_suggestion: whether the policy is a residual one, which has to be given the heuristic's suggestions.

    Raises:
        ValueError: arrays are missing, of another type or not finite, or do not fit together.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.needs_suggestion = "trust.0.weight" in arrays
        parts = PARTS if self.needs_suggestion else PARTS[:-1]
        self._layers: dict[str, list[Layer]] = {part: _layers(part, arrays) for part in parts}
        count = 2 * sum(len(layers) for layers in self._layers.values())
        if len(arrays) != count:
            raise ValueError(f"it has {len(arrays)} arrays, and the layers are made of {count}")
        trunk, policy, *numbers = (self._layers[part] for part in parts)
        for head in (policy, *numbers):
            for first, second in pairwise(trunk + head):
                _refuse_other_sizes(first, second)
        for name, head in zip(parts[2:], numbers):
            if head[-1][0].shape[1] != 1:
                raise ValueError(f"the {name} is not one number")
        self.observation_size = trunk[0][0].shape[0]
        self.num_actions = policy[-1][0].shape[1]

    def forward(self, observations: np.ndarray, suggestions: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return logits (B, A) and values (B,), float32.

        Args:
            observations: float32 (B, D).
            suggestions: int64 (B,), what the heuristic would do, -1 where nothing is known of it; None if the policy
                needs none.

        Raises:
            CheckpointError: logits or values are not finite.
            ValueError: the policy needs suggestions, and there are none.
        """
        if self.needs_suggestion and suggestions is None:
            raise ValueError("this policy departs from the game's heuristic, so it has to be told what that would do")
        with np.errstate(over="ignore", invalid="ignore"):
            hidden = observations
            for weight, bias in self._layers["trunk"]:
                hidden = np.maximum(hidden @ weight + bias, np.float32(0.0))
            logits, values = _head(self._layers["policy"], hidden), _head(self._layers["value"], hidden)[:, 0]
            if self.needs_suggestion and suggestions is not None:
                rows = np.flatnonzero(suggestions >= 0)
                logits[rows, suggestions[rows]] += _head(self._layers["trust"], hidden[rows])[:, 0]
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise CheckpointError("the network's weights are so large that what it computes are no numbers any more")
        return logits, values

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, suggestions: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return probabilities (B, A), 0 for illegal actions, and values (B,).

        Raises:
            NoLegalAction: a mask is all zero.
        """
        logits, values = self.forward(observations, suggestions)
        return masked_softmax(logits, masks), values

    def act_many(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        keys: np.ndarray | None,
        suggestions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return int64 (B,): actions drawn by the chance `keys` uint64 (B,), or with None the most probable ones."""
        logits, _ = self.forward(observations, suggestions)
        return chosen(masked_softmax(logits, masks), keys)


class Greedy:
    """A policy that takes the most probable action of another."""

    def __init__(self, network: PolicyNetwork) -> None:
        self._network = network
        self.needs_suggestion = network.needs_suggestion

    def act_many(
        self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray, suggestions: np.ndarray | None = None
    ) -> np.ndarray:
        """As `envs.opponents.Policy`; the keys are not used."""
        return self._network.act_many(observations, masks, None, suggestions)


def masked_softmax(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return float64 (B, A). Raises NoLegalAction where a mask is all zero."""
    legal = masks != 0
    if not legal.any(axis=1).all():
        raise NoLegalAction("an action mask is all zero: it is not this seat's turn, so there is nothing to choose")
    shown = np.where(legal, logits.astype(np.float64), -np.inf)
    weights = np.exp(shown - shown.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def chosen(probabilities: np.ndarray, keys: np.ndarray | None) -> np.ndarray:
    """Return int64 (B,): drawn by the uint64 `keys`, or with None the most probable (of equals the first)."""
    if keys is None:
        return np.asarray(probabilities.argmax(axis=1))
    edges = probabilities.cumsum(axis=1)
    points = (np.asarray(keys, np.uint64) >> np.uint64(11)).astype(np.float64) / 2.0**53 * edges[:, -1]
    return np.asarray((edges > points[:, None]).argmax(axis=1))


def write_policy(path: Path, arrays: Mapping[str, np.ndarray], game: Game, **about: Any) -> None:
    """Write a checkpoint of the kind "policy"; `about` is added to its description."""
    PolicyNetwork(arrays)
    write_checkpoint(path, arrays, {**about, **about_game(game), "kind": "policy"})


def policy_of(checkpoint: Checkpoint) -> PolicyNetwork:
    """Return the network of a checkpoint. Raises CheckpointError where it holds none."""
    checkpoint.refuse_other_kinds("policy")
    try:
        network = PolicyNetwork(checkpoint.arrays)
    except ValueError as error:
        raise CheckpointError(f"{checkpoint.path} holds no policy that can be run: {error}") from None
    sizes = (network.observation_size, network.num_actions)
    if sizes != (checkpoint.about.get("observation_size"), checkpoint.about.get("num_actions")):
        raise CheckpointError(f"{checkpoint.path} holds a policy of other sizes, {sizes}, than it says")
    return network


KEPT = 16
"""Most checkpoints that are remembered."""

_loaded: dict[tuple[str, int, int], tuple[Checkpoint, PolicyNetwork]] = {}


def load_policy(path: Path | str) -> tuple[Checkpoint, PolicyNetwork]:
    """Return a checkpoint and its network; one of the last KEPT is not read again unless it changed.

    Raises:
        CheckpointError: see `read_checkpoint` and `policy_of`.
    """
    path = Path(path)
    try:
        status = path.stat()
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
    key = (str(path.resolve()), status.st_mtime_ns, status.st_size)
    if key not in _loaded:
        checkpoint = read_checkpoint(path)
        _loaded[key] = (checkpoint, policy_of(checkpoint))
        while len(_loaded) > KEPT:
            _loaded.pop(next(iter(_loaded)))
    return _loaded[key]


def _head(layers: list[Layer], hidden: np.ndarray) -> np.ndarray:
    for weight, bias in layers[:-1]:
        hidden = np.maximum(hidden @ weight + bias, np.float32(0.0))
    weight, bias = layers[-1]
    return np.asarray(hidden @ weight + bias)


def _layers(part: str, arrays: Mapping[str, np.ndarray]) -> list[Layer]:
    found: list[Layer] = []
    while f"{part}.{len(found)}.weight" in arrays:
        weight, bias = arrays[f"{part}.{len(found)}.weight"], arrays.get(f"{part}.{len(found)}.bias")
        if bias is None or weight.ndim != 2 or bias.shape != weight.shape[:1]:
            raise ValueError(f"layer {len(found)} of {part} is no matrix with a bias")
        if weight.dtype != np.float32 or bias.dtype != np.float32:
            raise ValueError(f"layer {len(found)} of {part} is not float32")
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise ValueError(f"layer {len(found)} of {part} has numbers that are not finite")
        found.append((np.ascontiguousarray(weight.T), bias.copy()))
    if not found:
        raise ValueError(f"it has no layers of {part}")
    return found


def _refuse_other_sizes(first: Layer, second: Layer) -> None:
    if first[0].shape[1] != second[0].shape[0]:
        raise ValueError(f"a layer of {first[0].shape[1]} is followed by one that takes {second[0].shape[0]}")
