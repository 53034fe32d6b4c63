"""`northmen warmup`: compile a game's kernels now, so that nothing waits for them later."""

from __future__ import annotations

from time import perf_counter

import click
import numpy as np

import northmen_env as nm
from northmen_env.cli.common import checked_game, compile_notice, load_game


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
def warmup(games: tuple[str, ...]) -> None:
    """Compile the kernels of GAME (default: of all games) and keep them for every later process of this user."""
    from northmen_env.engine.jit import JIT_ENABLED, cache_folder

    names = [checked_game(name) for name in games] or list(nm.games())
    if not JIT_ENABLED:
        raise click.UsageError("NUMBA_DISABLE_JIT is set, so there is nothing to compile")
    for name in names:
        started = perf_counter()
        click.echo(f"{name}: looking for what is not compiled yet", err=True)
        with compile_notice():
            _use_everything(name)
        click.echo(f"{name}: ready in {perf_counter() - started:.1f} s")
    folder = cache_folder()
    click.echo(f"kernels are kept in {folder}" if folder else "no folder can be written, so nothing was kept")


def _use_everything(name: str) -> None:
    """Call each face of the game once."""
    from northmen_agents.arena.play import warm
    from northmen_agents.kinds import BUILT_IN, make_factory

    game = load_game(name, None, ())
    game.playouts(1, seed=0)
    state = game.new_initial_state(seed=0)
    state.clone().resample(state.current_player, seed=0)
    state.observation(0), state.events(0), game.state_from_dict(state.to_dict()), state.fingerprint()
    warm(game, [make_factory(kind) for kind in BUILT_IN if kind != "ppo"])  # which has nothing to compile
    env = nm.make(name)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    single = nm.make_gym(name)
    observation, _ = single.reset(seed=0)
    single.step(int(np.flatnonzero(observation["action_mask"])[0]))
    batch = nm.make_vec(name, num_envs=2)
    batch.reset(seed=0)
