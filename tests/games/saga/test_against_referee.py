"""The engine equals the referee, an independent reading of the ledger, at every decision of whole games."""

from collections import Counter

import configurations
import northmen_env as nm
import pytest
import referee
from against_referee import compare_game, eager, report, slow, uniform

SAMPLERS = ("uniform", "eager", "slow")


def sampler(name, num_players):
    return {"uniform": uniform, "eager": eager}.get(name) or slow(referee.default_tables(), num_players)


def play(configuration, name, seeds, seen):
    _, options = configuration
    return [compare_game(options, seed, sampler(name, options["num_players"]), seen) for seed in seeds]


def saga(configurations_of_all):
    return [c for c in configurations_of_all if c[0] == "saga"]


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("configuration", saga(configurations.single_changes()), ids=configurations.label)
@pytest.mark.rule("SAGA-TURN-05", "SAGA-TURN-08", "SAGA-ACT-02")
def test_engine_and_referee_play_the_same_games(configuration, name):
    seen = Counter()
    assert min(play(configuration, name, [2**63 + 11, 5], seen)) > 50
    assert seen["games"] == 2


DECISIONS = ("PLAY", "HIRE", "DRAW", "DELAY", "CUBE", "HERO", "ROUTE", "BUY", "KEEP", "HOLD")
CIRCUMSTANCES = (
    "delayed move", "empty draw pile at DRAW", "empty reserve at PLAY", "empty slot at DRAW", "hand below six at PLAY",
    "several routes at ROUTE", "shared infamy bonus", "short reserve at PLAY",
)  # fmt: skip
CONSTRUCTED = {"infamy bonus at 0", "trade deck below two at BUY"}
"""Circumstances that whole games hardly ever reach; tests of the rules SAGA-END-03 and SAGA-PLAN-04 construct them."""


@pytest.mark.long
@pytest.mark.rule("SAGA-EDGE-09", "SAGA-EDGE-10")
def test_two_thousand_games_equal_the_referee_and_everything_occurs(capsys):
    seen = Counter()
    chosen = saga(configurations.single_changes())
    for number in range(60):
        for place, configuration in enumerate(chosen):
            name = SAMPLERS[(number + place) % 3]
            play(configuration, name, [1_000_000 * (number + 1) + place], seen)
    with capsys.disabled():
        print("\n" + report(seen))
    assert seen["games"] >= 2000
    expected = [f"decision {name}" for name in DECISIONS]
    expected += [f"action {entry.name}" for entry in nm.load("saga").spec.actions.ranges]
    expected += [f"card {card} {kind}" for card in range(56) for kind in ("PLAY", "HOLD")]
    expected += [f"route {route} {kind}" for route in range(20) for kind in ("COMPLETE", "KEEP")]
    expected += CIRCUMSTANCES
    assert [what for what in expected if seen[what] == 0] == []
