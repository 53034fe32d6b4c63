"""What random games hardly ever meet, met on purpose: the engine equals the referee there, at every decision.

Each position is played on by both with the chance of one seed (`northgard_against_referee`); what occurs is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from northgard_against_referee import Play, Streams, compare_play
from northgard_referee_actions import DONE, PASS
from northgard_referee_play import SAMPLERS, Watched
from northgard_referee_positions import FIELD, TABLES
from northgard_scenes import scene

BEAR, BOAR = 0, 1
FORTRESS = 5
STRONGHOLDS = (
    "0@(0,0)/0 3@(0,-1)/2 18@(1,0)/3 34@(1,-1)/2 25@(-1,0)/3 15@(-1,-1)/2 14@(2,-1)/0 32@(2,0)/1 16@(1,1)/2 "
    "6@(0,1)/3 33@(2,1)/2 19@(1,2)/3"
)
# 2, 9 and 32 are closed and have large spaces (slots 37, 9, 32).
BUILT = [[9, FORTRESS], [32, FORTRESS], [37, FORTRESS]]
EVERYWHERE = {1: {0: 1, 1: 1, 2: 1, 3: 1, 8: 1}}
LAIRS = [18, *(tile for tile in range(1, 35) if tile not in (3, 14, 18))]
"""A stack with a tile on top that has a lair."""


def passing(game: Watched, rng: random.Random) -> int:
    """Pass, trade nothing, and otherwise do anything but decline a second chance."""
    legal = game.legal_actions()
    if game.decision == "MENU":
        return PASS
    if game.decision == "TR_GIVE":
        return DONE
    if game.decision == "SC_TERR":
        return rng.choice([action for action in legal if action != DONE])
    return rng.choice(legal)


def exploring(game: Watched, rng: random.Random) -> int:
    """Play the first card, lay the tile anywhere, then pass."""
    return game.legal_actions()[0] if game.decision == "MENU" else rng.choice(game.legal_actions())


def declining(game: Watched, rng: random.Random) -> int:
    """Pass, and take no second chance."""
    return DONE if game.decision == "SC_TERR" else passing(game, rng)


Sampler = Callable[[Watched, random.Random], int]


@pytest.fixture
def follow(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Counter[str]]:
    """Play a position on engine and referee; return what occurred."""

    def run(d: Mapping[str, Any], sampler: Sampler, seed: int = 5, stops: tuple[str, ...] = ("END",)) -> Counter[str]:
        monkeypatch.setitem(SAMPLERS, "this", sampler)
        judge = Watched.from_dict(dict(d), TABLES, Streams(seed))
        judge.seen = Counter()
        play = Play(dict(d["options"])).read(dict(d), seed)
        compare_play(play, judge, "this", random.Random(seed), f"{sampler.__name__}, seed {seed}", 400, stops)
        return judge.seen

    return run


@pytest.mark.rule("NORTH-EOY-01", "NORTH-END-01", "NORTH-END-05", "NORTH-END-06", "NORTH-VAR-01", "NORTH-TEAM-08")
def test_the_end_by_three_strongholds(follow: Callable[..., Counter[str]]) -> None:
    units = {0: {2: 1, 9: 1, 32: 1}, 1: {5: 1}}
    early = {"year": 3, "fame": [20, 60], "display": [5, 6], "achievements": [57, 58]}

    def seen(slots: list[int], **given: Any) -> Counter[str]:
        built = [[slot, FORTRESS] for slot in sorted(slots)]
        return follow(scene(STRONGHOLDS, units, {0: [4]}, buildings=built, **{**early, **given}).to_dict(), passing)

    three = seen([37, 9, 32])
    assert (three["games"], three["end by three strongholds"]) == (1, 1)
    assert three["point MENU"] <= 2, "the game is over at the end of the year"
    two = seen([37, 9])
    assert (two["games"], two["end by three strongholds"]) == (1, 0)
    assert two["point PASS_PICK"] > three["point PASS_PICK"]
    teams = {
        "options": {"teams": True},
        "fame": [20, 60] * 2,
        "display": [5, 6, 7, 8],
        "achievements": [57, 58, 59, 60],
    }
    d = scene(
        STRONGHOLDS, {**units, 2: {1: 1}, 3: {3: 1}}, {0: [4]}, 4, buildings=BUILT, **{**early, **teams}
    ).to_dict()
    assert follow(d, passing)["point PASS_PICK"] > 4, "a team needs five"
    long = seen([37, 9, 32], options={"years": 10})
    assert long["point PASS_PICK"] > two["point PASS_PICK"], "years 3 to 10"


@pytest.mark.rule("NORTH-CRE-04", "NORTH-CRE-07")
def test_no_creature_left_for_a_lair(follow: Callable[..., Counter[str]]) -> None:
    creatures = [[creature, (0, 1, 2, 3, 8)[creature % 5]] for creature in range(9)]
    d = scene(
        FIELD, {0: {0: 3}, 1: {2: 3}}, {0: [2]}, tile_stack=LAIRS, creatures=creatures, creature_pile=[],
        options={"creatures": True},
    ).to_dict()  # fmt: skip
    assert follow(d, exploring, stops=("HARVEST", "END"))["no creature left"] >= 1


@pytest.mark.rule("NORTH-EOY-03", "NORTH-EOY-04", "NORTH-EOY-05", "NORTH-EOY-06", "NORTH-CORN-15")
@pytest.mark.parametrize("seed", range(2))
def test_second_chances(follow: Callable[..., Counter[str]], seed: int) -> None:
    kaija = follow(scene(FIELD, {1: {2: 3}}, {0: [4]}, clans=[BEAR, BOAR]).to_dict(), passing, seed)
    assert kaija["answer SC_TERR TERR"] >= 1
    assert kaija["point SC_KAIJA"] >= 1
    all_gone = follow(scene(FIELD, {}, {0: [4]}, clans=[BEAR, BOAR], marker=1).to_dict(), passing, seed)
    assert all_gone["answer SC_TERR TERR"] >= 2
    tile = follow(scene(FIELD, EVERYWHERE, {0: [4]}, clans=[BEAR, BOAR]).to_dict(), passing, seed)
    assert tile["point SC_CELL"] >= 1
    assert tile["point SC_ROT"] >= 1
    declined = follow(scene(FIELD, EVERYWHERE, {0: [4]}).to_dict(), declining, seed)
    assert declined["answer SC_TERR DONE"] >= 2, "one after the other, year after year"
