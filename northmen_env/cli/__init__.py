"""The command line: `northmen info | play | watch | bench | warmup | data | replay | report | tournament |
train | evaluate`."""

from __future__ import annotations

from northmen_env.cli.app import main

__all__ = ["main"]
