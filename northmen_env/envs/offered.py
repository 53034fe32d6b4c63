"""Agents that installed packages offer through an entry-point group, for opponents and line-ups alike."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

GROUP = "northmen.agents"


def offered(name: str) -> Any:
    """Return the class or factory function that is offered under a name, None if there is none.

    Raises:
        ValueError: it is offered, and cannot be imported; the sentence says why.
    """
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    if point is None:
        return None
    try:
        return point.load()
    except Exception as error:  # an import runs any code
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"the kind of agent {name!r} ({point.value}) cannot be loaded: {told}") from error
