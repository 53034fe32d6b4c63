"""A kit of checks for environments with hidden information: ours, and anybody's where the method applies.

Each check is a function that returns None or raises AssertionError with a sentence that says what went wrong, where,
and how to see it again. The first group needs nothing but a PettingZoo AEC environment; the second needs states that
can be resampled. `docs/testing.md` lists the contracts.
"""

from northmen_env.testing.environments import (
    check_aliasing,
    check_copy,
    check_dead_steps,
    check_determinism,
    check_masks,
    check_reward_sums,
    check_spaces,
)
from northmen_env.testing.information import (
    check_leak,
    check_resample,
    check_same_sequences,
    check_same_views,
    check_uniform,
)
from northmen_env.testing.traces import trace_digest

__all__ = [
    "check_aliasing",
    "check_copy",
    "check_dead_steps",
    "check_determinism",
    "check_leak",
    "check_masks",
    "check_resample",
    "check_reward_sums",
    "check_same_sequences",
    "check_same_views",
    "check_spaces",
    "check_uniform",
    "trace_digest",
]
