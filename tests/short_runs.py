"""What the short runs of the games share: the package that they judge, and what resamples must not give away.

A short run is a script `<game>_short_run.py FOLDER [PART ...]` beside the game's list of mutations: `mutants.py` runs
it on copies of the package with one line changed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path


def import_from(folder: str) -> None:
    """Import the package to be judged, a copy in `folder`, and not that of this checkout, should it be installed.

    Raises:
        SystemExit: another one was imported, or kernels would be compiled.
    """
    sys.path.insert(0, folder)
    import northmen_env
    from northmen_env.engine.jit import JIT_ENABLED

    if Path(folder).resolve() not in Path(northmen_env.__file__).resolve().parents or JIT_ENABLED:
        raise SystemExit("this is not the package to be judged, or NUMBA_DISABLE_JIT is not set")


class Secrets:
    """How often resamples have a part of the state that the seat cannot know as it truly is."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.same: Counter[str] = Counter()

    def compare(self, part: str, is_hidden: bool, is_same: bool) -> None:
        """Count one resample of a part, if the seat cannot know that part."""
        if is_hidden:
            self.seen[part] += 1
            self.same[part] += is_same

    def kept(self) -> list[str]:
        """Return a sentence for each part that is as in the true state in more than half of its resamples."""
        return [
            f"{part}: as in the true state in {self.same[part]} of {number} resamples"
            for part, number in self.seen.items()
            if 2 * self.same[part] > number
        ]
