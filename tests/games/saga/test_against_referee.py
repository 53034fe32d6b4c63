"""The engine equals the referee, an independent reading of the ledger, at every decision of whole games."""

from collections import Counter

import pytest
from against_referee import SAMPLERS, compare_game, report, sampler_named

import configurations
import northmen_env as nm


def saga(chosen):
    return [options for name, options in chosen if name == "saga"]


def play(options, name, seed, seen):
    return compare_game(options, seed, sampler_named(name, options["num_players"]), seen)


def label(options):
    return configurations.label(("saga", options))


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("options", saga(configurations.extremes()), ids=label)
@pytest.mark.rule("SAGA-TURN-05", "SAGA-TURN-08", "SAGA-ACT-02")
def test_engine_and_referee_play_the_same_games(options, name):
    assert play(options, name, 2**63 + 11, Counter()) > 100


SINGLE = saga(configurations.single_changes())[len(configurations.extremes()) :]


@pytest.mark.parametrize("place", range(len(SINGLE)), ids=[label(options) for options in SINGLE])
@pytest.mark.rule("SAGA-OPT-02", "SAGA-TURN-06")
def test_engine_and_referee_agree_on_each_value_of_each_option(place):
    assert play(SINGLE[place], SAMPLERS[place % 3], 5 + place, Counter()) > 100


DECISIONS = ("PLAY", "HIRE", "DRAW", "DELAY", "CUBE", "HERO", "ROUTE", "BUY", "KEEP", "HOLD")
CIRCUMSTANCES = (
    "delayed move", "empty draw pile at DRAW", "empty reserve at PLAY", "empty slot at DRAW", "infamy bonus at 0",
    "several routes at ROUTE", "shared infamy bonus", "short reserve at PLAY", "trade deck below two at BUY",
)  # fmt: skip
GAMES_EACH = 60


@pytest.mark.long
@pytest.mark.rule("SAGA-EDGE-09", "SAGA-EDGE-10")
def test_two_thousand_games_equal_the_referee_and_everything_occurs(capsys):
    """A hand below six at PLAY cannot occur with these cards (SAGA-EDGE-03); tests of SAGA-RALLY-14 construct it."""
    seen = Counter()
    chosen = saga(configurations.single_changes())
    for number in range(GAMES_EACH):
        for place, options in enumerate(chosen):
            seed = 1_000_000 * (number + 1) + place
            seen["decisions"] += play(options, SAMPLERS[(number + place) % 3], seed, seen)
    with capsys.disabled():
        print("\n" + report(seen))
    assert seen["games"] >= 2000
    expected = [f"decision {name}" for name in DECISIONS]
    expected += [f"action {entry.name}" for entry in nm.load("saga").spec.actions.ranges]
    expected += [f"card {card} {kind}" for card in range(56) for kind in ("PLAY", "HOLD")]
    expected += [f"route {route} {kind}" for route in range(20) for kind in ("COMPLETE", "KEEP")]
    expected += CIRCUMSTANCES
    assert [what for what in expected if seen[what] == 0] == []
