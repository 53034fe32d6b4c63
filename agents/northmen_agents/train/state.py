"""Everything that a killed training goes on from (needs torch), in one checkpoint of the kind "training".

One file, written under another name and then renamed, so that a kill at any moment leaves the last whole state. Past
selves are files of their own, written before the state that names them. With the same number of threads a run that was
killed ends with the same bytes as one that was not, unless agents in Python were in the pool (they are made anew).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from northmen_agents.checkpoint import CheckpointError, about_game, read_checkpoint, write_checkpoint
from northmen_agents.train.config import STATE as STATE
from northmen_agents.train.errors import ChangedRunError

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

    from northmen_agents.train.vecenv import SelfPlayVecEnv


def write_state(
    path: Path, model: MaskablePPO, envs: SelfPlayVecEnv, identity: dict[str, Any], more: dict[str, Any]
) -> None:
    """Write the state of a training between two updates; `identity`: of its configuration; `more`: of the caller."""
    games, about_games = envs.saved()
    arrays = {f"weight.{name}": value.detach().numpy() for name, value in model.policy.named_parameters()}
    for number, moments in model.policy.optimizer.state_dict()["state"].items():
        for name, value in moments.items():
            arrays[f"adam.{number}.{name}"] = np.atleast_1d(np.asarray(value.numpy()))
    arrays["torch_rng"] = torch.get_rng_state().numpy()
    numpy_rng: Any = np.random.get_state()
    arrays["numpy_rng"] = numpy_rng[1].view(np.uint8)
    arrays["games"] = np.frombuffer(games, np.uint8)
    arrays["episode_starts"] = np.asarray(model._last_episode_starts, np.bool_)
    about = {
        **about_game(envs.envs.games[0]),
        "kind": "training",
        "config": identity,
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "numpy_position": [int(numpy_rng[2]), int(numpy_rng[3]), float(numpy_rng[4])],
        "batch": about_games,
        "pool": envs.pool.saved(),
        "more": more,
    }
    write_checkpoint(path, arrays, about)


def restore_state(path: Path, model: MaskablePPO, envs: SelfPlayVecEnv, identity: dict[str, Any]) -> dict[str, Any]:
    """Undo `write_state`; return `more`.

    Raises:
        CheckpointError: the file is damaged, or of another game or version.
        ChangedRunError: it was written with another configuration.
    """
    found = read_checkpoint(path)
    found.refuse_other_kinds("training")
    refuse_changes(path, found.about["config"], identity)
    found.refuse_other_games(envs.envs.games[0])
    arrays = found.arrays
    try:
        with torch.no_grad():
            for name, parameter in model.policy.named_parameters():
                parameter.copy_(torch.tensor(arrays[f"weight.{name}"]))
        optimizer = model.policy.optimizer.state_dict()
        optimizer["state"] = _moments(arrays)
        model.policy.optimizer.load_state_dict(optimizer)
        torch.set_rng_state(torch.tensor(arrays["torch_rng"]))
        position, gauss, cached = found.about["numpy_position"]
        np.random.set_state(("MT19937", arrays["numpy_rng"].view(np.uint32), position, gauss, cached))
        envs.pool.restore(found.about["pool"], path.parent)
        model._last_obs = envs.restore(arrays["games"].tobytes(), found.about["batch"])
    except (KeyError, RuntimeError) as error:
        raise CheckpointError(f"{path} does not hold this network ({error}); start anew with overwrite=true") from None
    model._last_episode_starts = arrays["episode_starts"].copy()
    model.num_timesteps, model._n_updates = found.about["steps"], found.about["updates"]
    more: dict[str, Any] = found.about["more"]
    return more


def refuse_changes(path: Path, before: dict[str, Any], identity: dict[str, Any]) -> None:
    """Raise ChangedRunError where a run was begun with another configuration; its number of steps may change."""
    before, now = _flat(before), _flat(json.loads(json.dumps(identity)))
    changed = sorted(name for name in {*before, *now} - {"steps"} if before.get(name) != now.get(name))
    if changed:
        name = changed[0]
        was = f"with {name} = {before[name]!r}" if name in before else f"without {name}"
        is_now = f"not {now[name]!r}" if name in now else "which is gone"
        raise ChangedRunError(
            f"the run in {path.parent} was begun {was}, {is_now}; choose another name=, or throw it away with "
            "overwrite=true"
        )


def _flat(entries: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Return entries of nested dicts by names such as `ppo.clip`."""
    found: dict[str, Any] = {}
    for name, value in entries.items():
        found.update(_flat(value, f"{above}{name}.") if isinstance(value, dict) and value else {above + name: value})
    return found


def _moments(arrays: dict[str, np.ndarray]) -> dict[int, dict[str, torch.Tensor]]:
    found: dict[int, dict[str, torch.Tensor]] = {}
    for name, array in arrays.items():
        part, _, rest = name.partition(".")
        if part == "adam":
            number, _, moment = rest.partition(".")
            value = torch.tensor(array)
            found.setdefault(int(number), {})[moment] = value[0] if moment == "step" else value
    return found
