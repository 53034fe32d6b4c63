"""`northmen watch`: agents play, the board is shown after each decision."""

from __future__ import annotations

import secrets
import sys
from time import sleep

import click

from northmen_env.cli.common import FiniteRange, compile_notice, game_argument, game_options, load_game, seat_number
from northmen_env.cli.play import CLEAR, show_result
from northmen_env.cli.seats import agent_errors, agent_option, agents_on_seats, named


@click.command()
@game_argument
@game_options
@agent_option
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of the game and of the agents (default: drawn).")
@click.option("--delay", type=FiniteRange(0, 3600), help="Seconds between decisions (terminal: 0.5).")
@click.option(
    "--seat", metavar="SEAT", help="Look over the shoulder of SEAT: its hand, and its events in place of moves."
)
def watch(
    game: str,
    players: int | None,
    options: tuple[str, ...],
    agents: tuple[str, ...],
    seed: int | None,
    delay: float | None,
    seat: str | None,
) -> None:
    """Watch agents play GAME; the board shows no hands unless --seat is given."""
    terminal = sys.stdout.isatty()
    pause = delay if delay is not None else 0.5 * terminal
    loaded = load_game(game, players, options)
    viewer = None if seat is None else seat_number(seat, loaded.num_players, "--seat")
    factories = agents_on_seats(agents, list(range(loaded.num_players)))
    seed = secrets.randbits(64) if seed is None else seed

    from northmen_agents.arena.play import decided, seated, warm
    from northmen_agents.arena.schedule import agent_seed

    where = f"the game of {loaded.name} with seed {seed}"
    with agent_errors(), compile_notice():
        warm(loaded, named(factories))
    state = loaded.new_initial_state(seed=seed)
    with agent_errors():
        hosts = [
            seated(loaded, place, factory, agent_seed(seed, place), factory.kind, where)
            for place, factory in factories.items()
        ]
    render = loaded.spec.render_text
    seen = 0
    while not state.is_terminal():
        actor = state.current_player
        with agent_errors():
            action = decided(hosts[actor], state, factories[actor].kind, where)
        state.apply_action(action)
        text = render(loaded.rules[0], state.record, viewer)
        if viewer is None:
            said = f"seat {actor} ({factories[actor].kind}): {loaded.action_to_string(action)}"
        else:
            lines = state.information_state(viewer).splitlines()
            said, seen = "\n".join(lines[seen:]), len(lines)
        click.echo((CLEAR if terminal else "") + f"{text}\n{said}\n")
        sleep(pause)
    show_result(state, {place: factory.kind for place, factory in factories.items()})
    click.echo(f"seed: {seed}")
