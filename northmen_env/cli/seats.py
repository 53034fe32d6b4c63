"""Who sits where: the flags that put agents on seats, for `play` and `watch`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from northmen_agents.kinds import AgentFactory

F = TypeVar("F", bound=Callable[..., Any])

_ON_SEAT = re.compile(r"([0-9]{1,4})=(.*)", re.DOTALL)


def agent_option(function: F) -> F:
    """Add `--agent` (repeatable)."""
    return click.option(
        "--agent",
        "-a",
        "agents",
        multiple=True,
        metavar="[SEAT=]KIND[:PARAMETER=VALUE,...]",
        help="The agent on SEAT, or on all seats that nothing else is said of (default: heuristic). "
        "Example: -a random -a 2=flat-mc:simulations=500",
    )(function)


def agents_on_seats(agents: tuple[str, ...], seats: list[int]) -> dict[int, AgentFactory]:
    """Return the factory of each of `seats`. Raises click.UsageError with the sentence of what is wrong."""
    default, placed = "heuristic", {}
    for text in agents:
        on_seat = _ON_SEAT.fullmatch(text)
        if on_seat is None:
            default = text
            continue
        seat = int(on_seat[1])
        if seat not in seats:
            free = ", ".join(map(str, seats)) or "none"
            raise click.UsageError(f"no agent can sit on seat {seat}; the seats for agents are: {free}")
        placed[seat] = on_seat[2]
    return {seat: _factory(placed.get(seat, default)) for seat in seats}


def named(factories: dict[int, AgentFactory]) -> dict[str, AgentFactory]:
    """Return one factory for each kind with its parameters, by the kind."""
    distinct: dict[str, AgentFactory] = {}
    for factory in factories.values():
        if factory not in distinct.values():
            name = factory.kind if factory.kind not in distinct else f"{factory.kind} {factory.parameters}"
            distinct[name] = factory
    return distinct


@contextmanager
def agent_errors() -> Iterator[None]:
    """Turn the failure of an agent into the sentence that names it."""
    from northmen_agents.arena.play import AgentError

    try:
        yield
    except AgentError as error:
        raise click.ClickException(str(error)) from None


def _factory(text: str) -> AgentFactory:
    from northmen_agents import make_factory

    kind, _, rest = text.partition(":")
    parameters: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        name, equals, value = item.partition("=")
        if not equals:
            raise click.UsageError(f"parameters are written NAME=VALUE, as in flat-mc:simulations=500, not {item!r}")
        try:
            parameters[name] = json.loads(value)
        except ValueError:
            parameters[name] = value
    try:
        return make_factory(kind, **parameters)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
