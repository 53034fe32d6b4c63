"""The law of `resample` (NORTH-INFO-10), against an enumeration of all possible states, and samplers that must fail.

Every check is a function of the sampler, so that mutants of it can be passed in: `test_mutants_fail` holds that each of
them is caught.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
from northgard_referee_information import differences
from northgard_referee_positions import TABLES
from northgard_scenes import Play
from northgard_seats import CONFIGURATIONS, dealt_anew, is_sound, look, some, walk
from northgard_secrets import POSITIONS, small
from northgard_worlds import world_key
from scipy.stats import chi2_contingency, chisquare

from northmen_env.games.northgard.describe import observation_text
from northmen_env.games.northgard.rules import step
from northmen_env.games.northgard.targets import hidden_targets

Sampler = Callable[[Play, int, int], Play]
P_VALUE = 1e-6
PARTS = ("hand", "draw_pile", "dev_deck", "tile_stack", "tile_hands", "creature_pile")


# ---- Checks ---------------------------------------------------------------------------------------------------------


def check_uniform(name: str, sampler: Sampler) -> None:
    """All possible states occur, nothing else does, and all as often as they should."""
    play, seat, part, possible = small(name)
    assert world_key(play.to_dict(), part) in possible
    draws = max(1000, 12 * len(possible))
    counts = Counter(world_key(sampler(play, seat, seed).to_dict(), part) for seed in range(draws))
    assert set(counts) <= set(possible), "a sample is not possible"
    total = sum(possible.values())
    keys = sorted(possible)
    p = chisquare([counts[key] for key in keys], [draws * possible[key] / total for key in keys]).pvalue
    assert len(keys) == 1 or p > P_VALUE, f"samples are not uniform (p = {p:.1e})"


def check_view(play: Play, seat: int, sampler: Sampler) -> None:
    """The seat cannot tell the sample from the state, and the sample is a state of the game."""
    before = play.array.tobytes()
    for seed in (1, 2):
        other = sampler(play, seat, seed)
        assert np.array_equal(look(other, seat), look(play, seat))
        assert observation_text(other.rules, other.record, seat) == observation_text(play.rules, play.record, seat)
        assert (other.record.player, other.record.decision) == (play.record.player, play.record.decision)
        if play.record.player == seat:
            assert other.legal() == play.legal()
        assert is_sound(other)
        assert other.array.tobytes() == sampler(play, seat, seed).array.tobytes()
    assert play.array.tobytes() == before


def check_possible(play: Play, seat: int, sampler: Sampler) -> None:
    """The referee finds the sample possible."""
    assert differences(play.to_dict(), sampler(play, seat, 3).to_dict(), seat, TABLES) == []


def check_fresh_chance(play: Play, seat: int, sampler: Sampler) -> None:
    """The chance to come is a new one in every sample."""
    seeds = [int(sampler(play, seat, seed).record.seed) for seed in range(20)]
    assert len(set(seeds)) == 20
    assert int(play.record.seed) not in seeds


def check_distinct(play: Play, seat: int, sampler: Sampler, number: int) -> None:
    """Samples differ as much as `number` worlds let them."""
    draws = min(400, 20 * number)
    samples = [sampler(play, seat, seed).to_dict() for seed in range(draws)]
    found = {str([sample[key] for key in PARTS]) for sample in samples}
    assert len(found) > 0.9 * min(draws, number), f"{len(found)} different samples of {number} worlds"


def check_independent(play: Play, seat: int, sampler: Sampler) -> None:
    """The sample says nothing of the true state: from each state of the information set the samples are the same."""
    truths = [play, dealt_anew(play, seat, 7), dealt_anew(play, seat, 8)]
    for seed in range(10):
        found = {sampler(truth, seat, seed).array.tobytes() for truth in truths}
        assert len(found) == 1, "one seed gives another sample in another true state"
    samples = [
        [sampler(truth, seat, 1000 * i + seed).to_dict() for seed in range(60)] for i, truth in enumerate(truths)
    ]
    for part in PARTS:
        tables = [Counter(item for sample in row for item in leaves(sample, part, seat)) for row in samples]
        names = sorted(name for name in set().union(*tables) if sum(t[name] for t in tables) >= 20)
        if len(names) > 1:
            p = chi2_contingency([[table[name] for name in names] for table in tables]).pvalue
            assert p > P_VALUE, f"the law of {part} depends on the true state (p = {p:.1e})"


def leaves(d: dict[str, Any], part: str, seat: int) -> Iterable[str]:
    """Return who has which card or tile, and what lies on top."""
    value = d[part]
    if part in ("hand", "tile_hands"):
        return [f"{q} {item}" for q, items in enumerate(value) if q != seat for item in items]
    if part == "draw_pile":
        return [f"{q} {pile[0]}" for q, pile in enumerate(value) if pile]
    return map(str, value[:1])


def check_redrawn(states: list[Play], seat: int, sampler: Sampler) -> None:
    """Over some states, every part that the seat does not know differs from the truth in some sample."""
    differs: Counter[str] = Counter()
    for play in states:
        truth = play.to_dict()
        for seed in (1, 2, 3):
            sample = sampler(play, seat, seed).to_dict()
            for key in ("hand", "draw_pile"):
                for q in range(truth["num_players"]):
                    if len(truth[key][q]) > 2 and (q != seat or key != "hand"):
                        differs[f"{key} of {q}"] += truth[key][q] != sample[key][q]
            for key in ("dev_deck", "tile_stack", "creature_pile"):
                if len(truth[key]) > 2:
                    differs[key] += truth[key] != sample[key]
            if truth["dev_deck"]:
                differs["left-out cards"] += set(truth["dev_deck"]) != set(sample["dev_deck"])
    missing = [name for name, number in differs.items() if number == 0]
    assert not missing, f"never redrawn: {missing}"


def check_plays_on(play: Play, seat: int, sampler: Sampler) -> None:
    """A game that goes on from a sample keeps every invariant to its end."""
    other, choose = sampler(play, seat, 5), Random(5)
    while not other.over():
        step(other.rules, other.record, choose.choice(other.legal()))
    assert is_sound(other)


# ---- Tests ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-INFO-10", "NORTH-INFO-04", "NORTH-INFO-05", "NORTH-INFO-06")
@pytest.mark.parametrize("name", POSITIONS)
def test_samples_are_uniform_over_all_possible_states(name: str) -> None:
    check_uniform(name, dealt_anew)
    play, seat, _, _ = small(name)
    check_view(play, seat, dealt_anew)
    check_independent(play, seat, dealt_anew)


@pytest.mark.rule("NORTH-INFO-10", "NORTH-INFO-07")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_samples_keep_the_view_and_can_be_played_on(options: dict[str, Any]) -> None:
    states = list(some(3, 18 * options["num_players"], **options))
    for i, play in enumerate(states):
        for seat in range(options["num_players"]):
            check_view(play, seat, dealt_anew)
            check_possible(play, seat, dealt_anew)
            if i % 6 == 0 and seat == 0:
                check_plays_on(play, seat, dealt_anew)
                check_fresh_chance(play, seat, dealt_anew)
    check_redrawn(states, 0, dealt_anew)


@pytest.mark.rule("NORTH-INFO-10")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_samples_tell_nothing_of_the_true_state(options: dict[str, Any]) -> None:
    for play in some(5, 80 * options["num_players"], **options):
        check_independent(play, 0, dealt_anew)
        if not play.over():
            check_distinct(play, 0, dealt_anew, 10**6)


@pytest.mark.rule("NORTH-INFO-05", "NORTH-SETUP-02")
def test_every_development_card_not_seen_is_as_likely_in_every_place() -> None:
    play = next(p for p in walk(2, num_players=2) if p.record.year == 2).copy()
    truth, draws = play.to_dict(), 2000
    early = sum(card < 21 for card in truth["dev_deck"])
    decks = [dealt_anew(play, 0, seed).to_dict()["dev_deck"] for seed in range(draws)]
    seen = {
        card for key in ("hand", "draw_pile", "discard", "played", "idle") for cards in truth[key] for card in cards
    }
    seen |= {*truth["display"], *truth["removed"]}
    for first, last, places in ((5, 20, range(early)), (21, 56, range(early, len(truth["dev_deck"])))):
        unseen = [card for card in range(first, last + 1) if card not in seen]
        for place in (places[:1], places[-1:]):
            found = Counter(deck[i] for deck in decks for i in place)
            assert set(found) <= set(unseen)
            assert not place or chisquare([found[card] for card in unseen]).pvalue > P_VALUE


@pytest.mark.rule("NORTH-INFO-06")
def test_masks_of_places_stay_and_a_card_dealt_is_known_to_its_owner_alone() -> None:
    for options in CONFIGURATIONS[1:]:
        n = options["num_players"]
        for play in some(4, 41, **options):
            d, sample = play.to_dict(), dealt_anew(play, 0, 9).to_dict()
            for key in ("draw_known", "tile_known"):
                assert sample[key] == d[key]
            assert sample["hand_known"][0] == d["hand_known"][0]
            for q in range(1, n):
                assert set(sample["hand_known"][q]) <= {1 << q, 1 << q | 1, (1 << n) - 1}


@pytest.mark.rule("NORTH-INFO-10")
def test_a_sample_of_a_sample_for_other_seats_is_a_state_too() -> None:
    for play in some(8, 61, **CONFIGURATIONS[2]):
        world = play
        for depth in range(8):
            world = dealt_anew(world, depth * 3 % 4, 100 + depth)
            assert is_sound(world)


def test_targets_are_what_is_hidden() -> None:
    for options in CONFIGURATIONS:
        for play in some(9, 45, **options):
            targets, d = hidden_targets(play.rules, play.record), play.to_dict()
            drawn_tiles = [f["tile"] for f in d["frames"] if f["frame"] in ("EXPLORE", "SECOND") and f["tile"]]
            drawn_tiles += [t for f in d["frames"] if f["frame"] == "EXPLORE" for t in f["drawn"]]
            drawn = [card for f in d["frames"] if f["frame"] == "DRAW" for card in f["drawn"]]
            for name, key in (("development", "dev_deck"), ("tile_stack", "tile_stack"),
                              ("creature_pile", "creature_pile")):  # fmt: skip
                assert (targets[name][targets[name] > 0] - 1).tolist() == d[key]
            assert sorted(np.flatnonzero(targets["drawn_tiles"]).tolist()) == sorted(drawn_tiles)
            assert np.repeat(np.arange(86), targets["drawn"].astype(int)).tolist() == drawn
            for p in range(options["num_players"]):
                assert np.repeat(np.arange(86), targets["hands"][p].astype(int)).tolist() == d["hand"][p]
                pile = targets["draw_piles"][p]
                assert (pile[pile > 0] - 1).tolist() == d["draw_pile"][p]
                assert np.flatnonzero(targets["tile_hands"][p]).tolist() == d["tile_hands"][p]
            assert not targets["hands"][options["num_players"] :].any()


# ---- Mutants --------------------------------------------------------------------------------------------------------


def clone(play: Play, seat: int, seed: int) -> Play:
    return play.copy()


def keeps_a_hand(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then gives the next seat its true hand and draw pile back."""
    other, q = dealt_anew(play, seat, seed), (seat + 1) % int(play.rules.num_players)
    for field in ("hand", "hand_known", "pile", "pile_known"):
        other.record[field][q] = play.record[field][q]
    return other


def keeps_the_own_order(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then puts the own draw pile into its true order."""
    other = dealt_anew(play, seat, seed)
    other.record.pile[seat] = play.record.pile[seat]
    return other


def keeps_the_stack(play: Play, seat: int, seed: int) -> Play:
    """Resamples, then lets the tiles that lie in both stacks lie in their true order."""
    other, r = dealt_anew(play, seat, seed), play.record
    size = int(r.stack_size)
    truth = r.stack[:size].tolist()
    order = {tile: i for i, tile in enumerate(truth)}
    mine = other.record.stack[:size].tolist()
    other.record.stack[:size] = sorted(mine, key=lambda tile: order.get(tile, 99))
    return other


def keeps_the_development_deck(play: Play, seat: int, seed: int) -> Play:
    other = dealt_anew(play, seat, seed)
    other.record.deck[:] = play.record.deck
    return other


def keeps_the_creatures(play: Play, seat: int, seed: int) -> Play:
    other = dealt_anew(play, seat, seed)
    other.record.creature_pile[:] = play.record.creature_pile
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


def mixes_known_cards(play: Play, seat: int, seed: int) -> Play:
    """Deals as if the seat knew no place."""
    other = play.copy()
    for field in ("hand_known", "pile_known"):
        for q in range(int(play.rules.num_players)):
            if q != seat:
                other.record[field][q] &= ~(1 << seat)
    return dealt_anew(other, seat, seed)


def spoils_one_in_ten(play: Play, seat: int, seed: int) -> Play:
    """Uses every tenth seed for one and the same world."""
    return dealt_anew(play, seat, seed if seed % 10 else 0)


MUTANTS = [
    clone, keeps_a_hand, keeps_the_own_order, keeps_the_stack, keeps_the_development_deck, keeps_the_creatures,
    keeps_the_generator, rejects_by_mask, asks_anything, mixes_known_cards, spoils_one_in_ten,
]  # fmt: skip


def check_all(sampler: Sampler) -> None:
    """Run the checks on small positions and along a game."""
    for name in ("hand and draw pile", "known places", "the own draw pile", "plays", "creatures"):
        check_uniform(name, sampler)
    states = list(some(3, 67, **CONFIGURATIONS[0]))
    for play in states:
        check_view(play, 0, sampler)
        check_fresh_chance(play, 0, sampler)
    check_redrawn(states, 0, sampler)
    check_independent(states[1], 0, sampler)
    check_distinct(states[1], 0, sampler, 10**6)


def test_the_honest_sampler_passes() -> None:
    check_all(dealt_anew)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_fail(mutant: Sampler) -> None:
    with pytest.raises(AssertionError):
        check_all(mutant)
