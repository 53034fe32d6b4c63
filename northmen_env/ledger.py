"""Which rules a result was made by: the version of a game's ledger, kept with every tournament and replay."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from northmen_env.registry import GAMES

_PACKAGE = Path(__file__).resolve().parent


def rules_folder() -> Path:
    """Return the folder of the ledgers: inside the package in a wheel, `docs/rules` in a checkout.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for folder in (_PACKAGE / "rules", _PACKAGE.parent / "docs" / "rules"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the rules of northmen-env were not found beside {_PACKAGE}; install it again")


@cache
def ledger_version(name: str) -> str | None:
    """Return 16 hex digits that change whenever a word of the game's ledger does; its line breaks do not count.

    Args:
        name: of a game; None is the answer for one from outside this package, which has no ledger here.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    module = GAMES.get(name, ("", 0))[0]
    if not module.startswith("northmen_env."):
        return None
    words = (rules_folder() / f"{name}.md").read_text(encoding="utf-8").split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]
