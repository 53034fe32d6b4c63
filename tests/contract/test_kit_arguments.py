"""Wrong arguments of the kit of checks, and environments as PettingZoo wraps them, are told in a sentence."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from gymnasium.utils import EzPickle
from pettingzoo.utils import wrappers

import northmen_env as nm
from contract.test_kit import Noughts
from northmen_env import testing

CHECKS = (
    testing.check_aliasing, testing.check_copy, testing.check_dead_steps, testing.check_determinism,
    testing.check_masks, testing.check_reward_sums, testing.check_spaces, testing.trace_digest,
)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS)
def test_what_makes_no_environment_is_told(check: Any) -> None:
    for wrong, sentence in (
        (Noughts(), "give a function that makes the environment, as lambda"),
        (None, "give a function that makes the environment, as lambda"),
        (lambda: 3, "make returned 3, which is no PettingZoo AEC environment: it has no reset"),
    ):
        with pytest.raises(TypeError, match=sentence):
            check(wrong)
    with pytest.raises(ValueError, match="is written \"module:function\", not 'saga'"):
        check("saga")
    with pytest.raises(ValueError, match="there is no function 'northmen_env:nothing'"):
        check("northmen_env:nothing")


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_that_would_check_nothing_is_refused(check: Any) -> None:
    with pytest.raises(ValueError, match="games=0 would check nothing"):
        check(Noughts, games=0)
    with pytest.raises(TypeError, match=r"games is a number of them, 1 or more, not 1.5"):
        check(Noughts, games=1.5)


@pytest.mark.parametrize("check", [testing.check_leak, testing.check_resample])
def test_checks_of_states_want_a_game(check: Any) -> None:
    with pytest.raises(TypeError, match=r"give a game, as northmen_env.load makes it, not 'saga'"):
        check("saga")
    with pytest.raises(ValueError, match="games=0 would check nothing"):
        check(nm.load("saga"), games=0)


class Classic(Noughts, EzPickle):
    """As PettingZoo's classic games are: copies and pickles begin anew."""

    def __init__(self) -> None:
        EzPickle.__init__(self)
        super().__init__()


def wrapped(kind: type[Noughts]) -> Any:
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(kind()))


def test_copies_of_wrapped_environments_are_checked_before_the_first_reset_too() -> None:
    testing.check_copy(lambda: wrapped(Noughts))


@pytest.mark.parametrize("make", [Classic, lambda: wrapped(Classic)], ids=["bare", "wrapped"])
def test_environments_that_cannot_be_copied_are_told_what_is_needed(make: Any) -> None:
    with pytest.raises(AssertionError, match=r"copy by copy.deepcopy .* EzPickle keep .* ways=\{\.\.\.\}"):
        testing.check_copy(make)
    with pytest.raises(AssertionError, match="copy by thaw at step 0 from seed 0 cannot be made"):
        testing.check_copy(Noughts, ways={"thaw": lambda env: copy.copy(env) if not hasattr(env, "agents") else 1 / 0})


def test_a_seed_that_decides_nothing_is_told_of_chance() -> None:
    class Fixed(Noughts):
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(0)

    with pytest.raises(AssertionError, match="chance=False"):
        testing.check_determinism(Fixed)


def test_masks_of_a_game_that_is_made_by_name_take_seconds() -> None:
    """Each of some 1,800 replays makes an environment anew; making one by name must not be what takes the time."""
    testing.check_masks(lambda: nm.make("saga", num_players=2), positions=1)  # compiled
    assert nm.load("saga", num_players=2) is nm.load("saga", num_players=2)
    started = time.process_time()
    testing.check_masks(lambda: nm.make("saga", num_players=2), positions=2)
    assert time.process_time() - started < 5.0
