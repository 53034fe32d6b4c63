"""northmen-env: a fast research environment for three Viking board games with hidden information.

    import northmen_env as nm

    env = nm.make("saga", num_players=4)         # PettingZoo AEC
    env = nm.make_gym("saga")                    # Gymnasium, one learner against opponents
    env = nm.make_vec("saga", num_envs=1024)     # all seats' games, batched
    game = nm.load("saga", num_players=4)        # the raw engine

Importing this package registers its environment ids and imports no numba.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from northmen_env import registry
from northmen_env.envs.registration import make, make_gym, make_vec, register_all
from northmen_env.registry import load
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_env.registry import games
else:
    from northmen_env import games

    class _CallableFolder(ModuleType):
        """`northmen_env.games()` and the folder `northmen_env/games` share a name, and importing the folder rebinds
        it; so the folder's module answers the call."""

        def __call__(self) -> tuple[str, ...]:
            return registry.games()

    games.__class__ = _CallableFolder

__all__ = ["__version__", "games", "load", "make", "make_gym", "make_vec"]

register_all()
