"""The law of `resample` (BLOOD-INFO-06), against an enumeration of all possible states, and samplers that must fail.

Every check is a function of the sampler, so that mutants of it can be passed in: `test_mutants_fail` holds that each of
them is caught.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from math import perm
from random import Random
from typing import Any

import blood_referee as ref
import numpy as np
import pytest
from blood_games import FULL_OPTIONS, Play, load, some, walk
from blood_positions import MAP_A, TABLES, at, grown, position, tiles_of
from blood_referee_information import world_key
from blood_seats import dealt_anew, hidden_part, is_sound, look, words
from scipy.stats import chi2_contingency, chisquare

from northmen_env.games.blood.targets import hidden_targets

Sampler = Callable[[Play, int, int], Play]
P_VALUE = 1e-6
NO_MODULES = {"num_players": 3, "goods": False, "citadels": False, "abilities": False}
CONFIGURATIONS = [*FULL_OPTIONS, NO_MODULES]


def key(play: Play) -> str:
    return world_key(hidden_part(play))


def referee(play: Play) -> ref.Referee:
    return ref.Referee.from_dict(play.to_dict(), TABLES)


# ---- Small positions -------------------------------------------------------------------------------------------------


def few_tiles(hidden: list[int], text: str = MAP_A, n: int = 4, removed: int = 0, **given: Any) -> Play:
    """Return a position for seat 0 that leaves little open: `hidden` lie in pile and removed tiles, the rest is open.

    With fewer than four players only `removed` tiles are left of those that went out of the game; no game has so few.
    """
    given = {"hands": [[] for _ in range(n)], "warbands": {(0, 0): [1, 1, 0, 0, 0][: max(n, 2)]}, **given}
    play = load(position(text, n, pile=hidden[removed:], **given))
    r = play.record
    open_tiles = [t for t in range(1, 121) if t in play.to_dict()["pile"] + play.to_dict()["removed"]]
    open_tiles = [t for t in open_tiles if t not in hidden]
    r.removed[:] = words(hidden[:removed])
    r.discard[:] = words(open_tiles)
    left = hidden[removed:]
    r.pile[:] = 0
    r.pile_top = 120 - len(left)
    r.pile[120 - len(left) :] = left
    return play


ROW = "62@(0,0)/0 61@(-1,0)/0 15@(-2,1)/0"
NOWHERE = (1, 2, 5, 6, 8, 9, 10, 11)  # without citadels none of these can be laid beside ROW
SOMEWHERE = (3, 4)
HARBOUR = grown(14, 1, 75)
SAILS = {
    "text": HARBOUR, "decision": "D07", "active": 1, "player": 1, "abilities": [0, 2, 1, 3],
    "laid": next(at(*where) for t, where, _ in tiles_of(HARBOUR) if t == 75), "warbands": {(0, 0): [1, 1, 0, 0]},
}  # fmt: skip
LAYS = {"text": ROW, "active": 1, "player": 1, "options": {"citadels": False}}


def test_the_tiles_of_small_positions_fit_as_they_are_said_to() -> None:
    judge = ref.Referee.from_dict(position(ROW, 4, options=LAYS["options"]), TABLES)
    assert [t for t in (*NOWHERE, *SOMEWHERE) if judge.placements(t, 1)] == list(SOMEWHERE)


SMALL: dict[str, Callable[[], Play]] = {
    "hands and pile": lambda: few_tiles([2, 3], hands=[[20], [4, 5], [7], []]),
    "prepared tiles": lambda: few_tiles([2], hands=[[20], [4, 5], [], []], prepared=[[19], [8, 11], [], [10]]),
    "known tile in hand": lambda: few_tiles([2, 3], hands=[[20], [4, 5], [7], []], held=[[], [5], [], []]),
    "known tiles in hand or prepared": lambda: few_tiles(
        [2, 3], hands=[[20], [4, 5], [], []], prepared=[[], [8, 11], [], []], held=[[], [5, 8], [], []]
    ),
    "fresh tiles of another": lambda: few_tiles(
        [2], decision="D13", active=1, player=1, laid=at(1, -1), a=1, hands=[[], [4], [7], []],
        prepared=[[], [8], [], []], fresh=[11, 20], held=[[], [11], [], []],
    ),
    "own fresh tiles": lambda: few_tiles(
        [2, 3], decision="D13", laid=at(1, -1), a=1, hands=[[19], [4], [7], []], fresh=[11, 20],
        prepared=[[], [8], [], []],
    ),
    "another seat lays": lambda: few_tiles([4, 1, 2], hands=[[], [3, 5], [6], []], **LAYS),
    "another seat lays, one tile fits": lambda: few_tiles([*NOWHERE[:4]], hands=[[], [3], [], []], **LAYS),
    "another seat lays, known tiles": lambda: few_tiles(
        [4, 1], hands=[[], [3, 5], [6], []], prepared=[[], [8, 9], [], []], held=[[], [3, 8], [], []], **LAYS
    ),
    "another seat sails": lambda: few_tiles([2, 4, 5, 7], hands=[[], [3, 8], [], []], **SAILS),
    "another seat sails, known tiles": lambda: few_tiles(
        [2, 4, 6], hands=[[], [3, 8], [], []], prepared=[[], [7, 9], [], []], held=[[], [3, 7, 9], [], []], **SAILS
    ),
    "removed tiles": lambda: few_tiles([2, 3, 4, 5], n=2, removed=2, hands=[[20], [7, 8]], held=[[], [8]]),
    "solo": lambda: few_tiles([2, 3, 4], n=1, removed=1, hands=[[20]], prepared=[[9], [7, 8]]),
    "a battle": lambda: few_tiles(
        [2, 3], decision="D20", active=1, player=1, laid=at(1, -1), performed=True, hands=[[20], [7, 8], [11], []],
        battle={"cell": at(0, 0), "order": [1, 0], "owed": [2, 1], "revealed": [[], []], "strength": [0, 0], "add": 0},
    ),
}  # fmt: skip


@cache
def small(name: str) -> tuple[Play, frozenset[str]]:
    """Return a small position and all worlds that the referee finds possible for seat 0."""
    play = SMALL[name]()
    return play, frozenset(world_key(world) for world in referee(play).worlds(0))


# ---- Checks ----------------------------------------------------------------------------------------------------------


def check_uniform(name: str, sampler: Sampler, draws: int = 2000) -> None:
    """All possible states occur, nothing else does, and all about equally often."""
    play, possible = small(name)
    assert key(play) in possible
    counts = Counter(key(sampler(play, 0, seed)) for seed in range(max(draws, 12 * len(possible))))
    assert set(counts) <= possible, "a sample is not possible"
    p = chisquare([counts[world] for world in sorted(possible)]).pvalue
    assert len(possible) == 1 or p > P_VALUE, f"samples are not uniform (p = {p:.1e})"


def check_view(play: Play, seat: int, sampler: Sampler, whole: bool = True) -> None:
    """The seat cannot tell the sample from the state; if the state is `whole`, the sample is a state of the game."""
    before = play.array.tobytes()
    for seed in (1, 2):
        other = sampler(play, seat, seed)
        assert np.array_equal(look(other, seat), look(play, seat))
        assert other.say(seat) == play.say(seat)
        assert (other.record.player, other.record.decision) == (play.record.player, play.record.decision)
        if play.record.player == seat:
            assert other.legal() == play.legal()
        assert other.over() or len(other.legal()) >= 2
        assert is_sound(other) or not whole
        assert other.array.tobytes() == sampler(play, seat, seed).array.tobytes()
    assert play.array.tobytes() == before


def check_possible(play: Play, seat: int, sampler: Sampler) -> None:
    """The referee finds the sample possible."""
    assert referee(play).possible(sampler(play, seat, 3).to_dict(), seat)


def check_fresh_chance(play: Play, seat: int, sampler: Sampler) -> None:
    """The chance to come is a new one in every sample."""
    seeds = [int(sampler(play, seat, seed).record.seed) for seed in range(20)]
    assert len(set(seeds)) == 20
    assert int(play.record.seed) not in seeds


def check_distinct(play: Play, seat: int, sampler: Sampler, number: int) -> None:
    """A thousand samples differ as much as those of `number` equally likely worlds, or more, do on average."""
    found = {key(sampler(play, seat, seed)) for seed in range(1000)}
    expected = 1000.0 if number > 10**6 else number * (1 - (1 - 1 / number) ** 1000)
    assert len(found) > 0.9 * expected, f"{len(found)} different samples of {number} worlds"


def orders(play: Play) -> int:
    """Return in how many ways the tiles of the pile and those out of the game can be these, in order and apart."""
    hidden = hidden_part(play)
    return perm(len(hidden["pile"]) + len(hidden["removed"]), len(hidden["pile"]))


def check_independent(play: Play, seat: int, sampler: Sampler) -> None:
    """The sample says nothing of the true state: from each state of the information set the samples are the same."""
    truths = [play, dealt_anew(play, seat, 7), dealt_anew(play, seat, 8)]
    for seed in range(20):
        found = {sampler(truth, seat, seed).array.tobytes() for truth in truths}
        assert len(found) == 1, "one seed gives another sample in another true state"
    samples = [
        [hidden_part(sampler(truth, seat, 1000 * i + seed)) for seed in range(120)] for i, truth in enumerate(truths)
    ]
    for part in ("pile", "removed", "hands", "prepared", "fresh"):
        tables = [Counter(item for hidden in row for item in leaves(hidden, part, seat)) for row in samples]
        names = sorted(name for name in set().union(*tables) if sum(t[name] for t in tables) >= 20)
        if len(names) > 1:
            p = chi2_contingency([[table[name] for name in names] for table in tables]).pvalue
            assert p > P_VALUE, f"the law of {part} depends on the true state (p = {p:.1e})"


def leaves(hidden: dict[str, Any], part: str, seat: int) -> Iterable[str]:
    """Return (where, tile) pairs of a hidden part: who has which tile, what lies on top."""
    value = hidden[part]
    if part in ("hands", "prepared"):
        return [f"{q} {t}" for q, tiles in enumerate(value) if q != seat for t in tiles]
    return [f"{i} {t}" for i, t in enumerate(value[:1])] if part == "pile" else map(str, value)


def check_redrawn(states: list[Play], seat: int, sampler: Sampler) -> None:
    """Over some positions, every part that the seat does not know differs from the truth in some sample."""
    differs: Counter[str] = Counter()
    for play in states:
        truth = hidden_part(play)
        for seed in (1, 2, 3):
            sample = hidden_part(sampler(play, seat, seed))
            for part in ("hands", "prepared"):
                for q, tiles in enumerate(truth[part]):
                    if q != seat and (tiles or part == "hands"):
                        differs[f"{part} of {q}"] += tiles != sample[part][q]
            if truth["removed"]:
                differs["removed tiles"] += truth["removed"] != sample["removed"]
            differs["pile"] += set(truth["pile"]) != set(sample["pile"]) or not truth["removed"]
            differs["order"] += order_kept(truth["pile"], sample["pile"]) is False
            if truth["fresh"] and play.record.active != seat:
                differs["fresh tiles"] += truth["fresh"] != sample["fresh"]
    missing = [name for name, number in differs.items() if number == 0]
    assert not missing, f"never redrawn: {missing}"


def order_kept(truth: list[int], sample: list[int]) -> bool | None:
    """Return whether the tiles that lie in both piles lie there in the same order."""
    common = [t for t in sample if t in truth]
    return common == [t for t in truth if t in common] if len(common) > 3 else None


def check_plays_on(play: Play, seat: int, sampler: Sampler) -> None:
    """A game that goes on from a sample keeps every invariant to its end."""
    other, choose = sampler(play, seat, 5), Random(5)
    while not other.over():
        other.step(choose.choice(other.legal()))
        assert is_sound(other)


# ---- Tests -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-INFO-06", "BLOOD-INFO-03", "BLOOD-INFO-04")
@pytest.mark.parametrize("name", SMALL)
def test_samples_are_uniform_over_all_possible_states(name: str) -> None:
    check_uniform(name, dealt_anew)
    check_view(small(name)[0], 0, dealt_anew, whole=False)
    check_independent(small(name)[0], 0, dealt_anew)
    check_distinct(small(name)[0], 0, dealt_anew, len(small(name)[1]))


@pytest.mark.rule("BLOOD-INFO-06", "BLOOD-INFO-05")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_samples_keep_the_view_and_can_be_played_on(options: dict[str, Any]) -> None:
    for seed in (3, 4):
        states = list(some(seed, 13 if options["num_players"] < 3 else 31, **options))
        for i, play in enumerate(states):
            for seat in range(options["num_players"]):
                check_view(play, seat, dealt_anew)
                if i % 6 == seed % 6:
                    check_possible(play, seat, dealt_anew)
                    check_plays_on(play, seat, dealt_anew)
                    check_fresh_chance(play, seat, dealt_anew)
        check_redrawn(states, 0, dealt_anew)


@pytest.mark.rule("BLOOD-INFO-06")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_samples_tell_nothing_of_the_true_state(options: dict[str, Any]) -> None:
    for play in some(5, 120, **options):
        check_independent(play, 0, dealt_anew)
        check_distinct(play, 0, dealt_anew, orders(play))


@pytest.mark.rule("BLOOD-INFO-06", "BLOOD-COMP-05")
def test_every_hidden_tile_is_equally_likely_everywhere() -> None:
    """In a whole game of two: each hidden tile in the other hand, on top of the pile, and out of the game."""
    games = (play for seed in range(1, 40) for play in walk(seed, num_players=2))
    play = next(p for p in games if p.record.map_size > 4 and p.record.player == 0 and p.record.hand_size[1] > 2).copy()
    truth, hidden = hidden_part(play), referee(play).hidden(0)
    counts: dict[str, Counter[int]] = {"hand": Counter(), "top": Counter(), "removed": Counter()}
    samples = 3000
    for seed in range(samples):
        sample = hidden_part(dealt_anew(play, 0, seed))
        counts["hand"].update(t for t in sample["hands"][1] if t in hidden)
        counts["top"].update(sample["pile"][:1])
        counts["removed"].update(sample["removed"])
    sizes = {"hand": len(set(truth["hands"][1]) & hidden), "top": 1, "removed": 60}
    assert sizes["hand"] > 0
    for part, size in sizes.items():
        assert sum(counts[part].values()) == samples * size
        assert set(counts[part]) <= hidden
        assert chisquare([counts[part][t] for t in sorted(hidden)]).pvalue > P_VALUE


@pytest.mark.rule("BLOOD-INFO-06")
def test_a_sample_of_a_sample_for_other_seats_is_a_state_too() -> None:
    for play in some(8, 31, num_players=5):
        world = play
        for depth in range(8):
            world = dealt_anew(world, depth * 3 % 5, 100 + depth)
            assert is_sound(world)
            assert world.over() or len(world.legal()) >= 2


def test_targets_are_the_hidden_tiles() -> None:
    for options in ({"num_players": 1}, {"num_players": 3}):
        for play in some(9, 25, **options):
            targets, d = hidden_targets(play.rules, play.record), hidden_part(play)
            assert targets["pile"][: len(d["pile"])].tolist() == d["pile"]
            assert not targets["pile"][len(d["pile"]) :].any()
            for name in ("removed", "fresh"):
                assert (np.flatnonzero(targets[name]) + 1).tolist() == d[name]
            for name in ("hands", "prepared"):
                assert targets[name].shape == (5, 120)
                assert targets[name].dtype == np.float32
                for p, tiles in enumerate(d[name]):
                    assert (np.flatnonzero(targets[name][p]) + 1).tolist() == tiles
                assert not targets[name][len(d[name]) :].any()


# ---- Mutants ---------------------------------------------------------------------------------------------------------


def clone(play: Play, seat: int, seed: int) -> Play:
    return play.copy()


def exchange(play: Play, mine: int, wanted: int) -> None:
    """Let two tiles change places, wherever they lie."""
    r = play.record
    for sets in (*r.hand, *r.prepared, r.fresh, r.removed):
        tiles = {t for t in range(1, 121) if (words([t]) & sets).any()}
        if len(tiles & {mine, wanted}) == 1:
            sets[:] = words(tiles ^ {mine, wanted})
    one, other = r.pile == mine, r.pile == wanted
    r.pile[one], r.pile[other] = wanted, mine


def keeps_a_hand(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then gives the next seat its true hand back, tile by tile."""
    other, q = dealt_anew(play, seat, seed), (seat + 1) % int(play.rules.num_players)
    truth, mine = (set(hidden_part(x)["hands"][q]) for x in (play, other))
    for wrong, right in zip(sorted(mine - truth), sorted(truth - mine), strict=True):
        exchange(other, wrong, right)
    return other


def keeps_the_order(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then lets the tiles of the pile lie in their true order."""
    other, truth = dealt_anew(play, seat, seed), hidden_part(play)["pile"]
    r = other.record
    tiles = hidden_part(other)["pile"]
    r.pile[int(r.pile_top) :] = sorted(tiles, key=lambda t: truth.index(t) if t in truth else 200)
    return other


def keeps_the_removed(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then lets those tiles be out of the game that truly are."""
    other = dealt_anew(play, seat, seed)
    truth, mine = (set(hidden_part(x)["removed"]) for x in (play, other))
    for wrong, right in zip(sorted(mine - truth), sorted(truth - mine), strict=True):
        exchange(other, wrong, right)
    return other


def keeps_the_bandits(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then gives the bandits (or the next seat) their true prepared tiles back."""
    other = dealt_anew(play, seat, seed)
    truth, mine = (set(hidden_part(x)["prepared"][1]) for x in (play, other))
    for wrong, right in zip(sorted(mine - truth), sorted(truth - mine), strict=True):
        exchange(other, wrong, right)
    return other


def keeps_the_generator(play: Play, seat: int, seed: int) -> Play:
    other = dealt_anew(play, seat, seed)
    other.record.seed = play.record.seed
    return other


def rejects_by_mask(play: Play, seat: int, seed: int) -> Play:
    """Resamples until the legal actions are the true ones: of another seat they tell its hand."""
    for k in range(200):
        other = dealt_anew(play, seat, 1000 * seed + k)
        if other.legal() == play.legal():
            return other
    return play.copy()


def asks_anything(play: Play, seat: int, seed: int) -> Play:
    """Deals as if nobody else was asked something."""
    other = play.copy()
    other.record.player = -1
    other = dealt_anew(other, seat, seed)
    other.record.player = play.record.player
    return other


def leaves_known_tiles_in_hand(play: Play, seat: int, seed: int) -> Play:
    """Puts the known tiles of a seat into its hand as far as it holds them."""
    other = dealt_anew(play, seat, seed)
    d, held = hidden_part(other), other.record.held
    for q, hand in enumerate(d["hands"]):
        known = [t for t in d["prepared"][q] if q != seat and (words([t]) & held[q]).any()]
        loose = [t for t in hand if not (words([t]) & held[q]).any()]
        for mine, wanted in zip(known, loose, strict=False):
            exchange(other, mine, wanted)
    return other


def spoils_one_in_ten(play: Play, seat: int, seed: int) -> Play:
    """Uses every tenth seed for one and the same world."""
    return dealt_anew(play, seat, seed if seed % 10 else 0)


MUTANTS = [
    clone, keeps_a_hand, keeps_the_order, keeps_the_removed, keeps_the_bandits, keeps_the_generator, rejects_by_mask,
    asks_anything, leaves_known_tiles_in_hand, spoils_one_in_ten,
]  # fmt: skip


def check_all(sampler: Sampler) -> None:
    """Run the checks on small positions and along games."""
    for name in ("hands and pile", "removed tiles", "solo", "known tiles in hand or prepared", "another seat lays"):
        check_uniform(name, sampler, draws=400)
    check_distinct(small("removed tiles")[0], 0, sampler, len(small("removed tiles")[1]))
    for options in ({"num_players": 1}, {"num_players": 2}):
        states = list(some(3, 29, **options))
        for play in states:
            check_view(play, 0, sampler)
            check_fresh_chance(play, 0, sampler)
        check_redrawn(states, 0, sampler)
        check_independent(states[1], 0, sampler)


def test_the_honest_sampler_passes() -> None:
    check_all(dealt_anew)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_fail(mutant: Sampler) -> None:
    with pytest.raises(AssertionError):
        check_all(mutant)
