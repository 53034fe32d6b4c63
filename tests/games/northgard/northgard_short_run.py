"""The short run: games in which nearly everything happens, judged by the referee.

    NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python tests/games/northgard/northgard_short_run.py FOLDER [PART ...]

Without numbers of parts (from 0) all of them are played. FOLDER holds the package `northmen_env` to be judged, a copy
with one mutation (`tests/mutants.py`). Compared with the referee at every decision: State JSON, legal actions, scores,
ranks and returns; at some, and at the first of each decision point: every seat's observation with the referee's view,
and resamples (`compare_resamples`). The first difference ends it as an exception.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from northgard_plain_records import Plain

from short_runs import Secrets, import_from

TEAMS = {"num_players": 4, "teams": True}
CREATURES = {"creatures": True, "more_creatures": True}
ALL_ROWS = tuple(row for row in range(85) if row not in (26, *range(57, 64)))
Options = dict[str, Any]

PARTS: tuple[tuple[str, int, int, Options, dict[str, Any]], ...] = (
    ("positions", 8, 1, {"num_players": 2, **CREATURES}, {}),
    ("set-ups", 2, 2, {"num_players": 5, "clan_selection": "random", **CREATURES}, {}),
    ("set-ups", 1, 3, {"num_players": 4, "creatures": True, "five_tile_in_stack": False}, {}),
    ("cards", 1, 4, {"num_players": 3, **CREATURES}, {"rows": ALL_ROWS}),
    ("positions", 24, 5, TEAMS, {"longest": 16}),
    ("positions", 16, 6, {"num_players": 3, "years": 10}, {"changes": ("sprawl",)}),
    ("positions", 12, 7, {"num_players": 3, "map_size": 12}, {"changes": ("stretch",)}),
    ("positions", 16, 8, {"num_players": 3, **CREATURES}, {"changes": ("haunt",)}),
    ("positions", 12, 9, {"num_players": 3}, {"changes": ("twins",)}),
    ("positions", 12, 10, {"num_players": 2}, {"changes": ("few",)}),
    ("data", 6, 11, {"num_players": 3, "creatures": True}, {"longest": 40}),
    ("positions", 12, 12, {"num_players": 4, "reward": "fame", **CREATURES}, {"changes": ("late",)}),
    ("positions", 12, 13, {**TEAMS, "years": 10}, {"changes": ("late", "rich")}),
    ("positions", 6, 14, {"num_players": 4, "reward": "win"}, {"changes": ("level", "late")}),
    ("positions", 6, 15, {"num_players": 3}, {"changes": ("level", "late")}),
    ("laws", 200, 16, {}, {"names": ("upgrades",)}),
)
"""What is played and how often (`play_part`), the first seed, the options, and what else the part needs to know."""

LONGEST = 30
"""Decisions that are played on from a position."""
EVERY, FIRST = 25, 1
RESAMPLES = 2
FEW = 3
"""So many hidden cards or tiles may be dealt anew as they were."""
JUDGED = 12
"""The invariants are slow without a compiler: of so many State JSON objects that the engine reads one is judged."""


def main(folder: str, *chosen: str) -> None:
    """Judge the package in `folder` by all parts or the chosen ones."""
    import_from(folder)
    import northgard_against_referee as compare

    check = compare.reading.check
    for what, number, seed, options, more in [PARTS[int(part)] for part in chosen] or PARTS:
        compare.reading.check = seldom(check)
        with tempfile.TemporaryDirectory() as data:
            play_part(compare, what, range(seed, seed + number), options, more, Path(data))


def seldom(check: Callable[..., int]) -> Callable[..., int]:
    """Return a function that finds nothing but for one call of many."""
    calls = count()
    return lambda rules, state: check(rules, state) if next(calls) % JUDGED == JUDGED - 1 else 0


def play_part(compare: Any, what: str, seeds: range, options: Options, more: dict[str, Any], data: Path) -> None:
    """Play set-ups; single cards from disturbed positions; some decisions from there; or compare laws of resamples."""
    if what == "laws":
        for name in more["names"]:
            compare_law(compare, name, seeds)
        return
    points: Counter[str] = Counter()
    table = Table(compare, options, points)
    for seed in seeds:
        if what == "set-ups":
            match = Match(table, compare.referee_of(options, seed, Counter()), seed)
            match.play(1000, ("MENU",))
        elif what == "cards":
            for row in more["rows"]:
                play_card(table, row, 100 * seed + row)
        else:
            if what == "data":
                table = Table(compare, with_data(options, data / str(seed), seed), points)
            Match(table, table.position(more.get("changes", ()), seed), seed).play(more.get("longest", LONGEST))
    for words in table.secrets.kept():
        raise compare.Mismatch(words)


def with_data(options: Options, folder: Path, seed: int) -> Options:
    """Write a random data set; return options that name it."""
    import northgard_random_data

    northgard_random_data.write(folder, seed)
    return {**options, "data": str(folder)}


def play_card(table: Table, row: int, seed: int) -> None:
    """Play one card from a disturbed position, as far as the next decision between cards."""
    from northgard_referee_actions import CARD, PLAY
    from northgard_referee_disturbed import card_game

    compare = table.compare
    judge = card_game(table.shown, row, seed, compare.Watched, table.tables, lambda: compare.Streams(seed))
    match = Match(table, judge, seed)
    match.where += f", card {row}"
    for action in (PLAY, CARD + row):
        if action in judge.legal_actions():
            match.compare_states()
            match.apply(action)
    match.play(60, ("MENU", "CONT", "END"))


def compare_law(compare: Any, name: str, seeds: range) -> None:
    """Look whether resamples of a small position are all possible, and as frequent as they should be."""
    from northgard_secrets import small
    from northgard_worlds import world_key
    from scipy.stats import chisquare

    play, seat, part, possible = small(name)
    found: Counter[str] = Counter()
    for seed in seeds:
        other = play.copy()
        compare.resample(other.rules, other.record, np.int64(seat), np.uint64(seed))
        found[world_key(other.to_dict(), part)] += 1
    total = sum(possible.values())
    p = chisquare([found[key] for key in possible], [len(seeds) * n / total for n in possible.values()]).pvalue
    if set(found) - set(possible) or p < 1e-6:
        raise compare.Mismatch(f"{name}: samples are not by NORTH-INFO-10 (p = {p:.1e})")


class Table:
    """What the games of a part have in common: configuration, and what was met in them."""

    def __init__(self, compare: Any, options: Options, points: Counter[str]) -> None:
        self.compare, self.options, self.points = compare, options, points
        self.shown, self.tables = compare.options_of(options), compare.tables_of(options)
        self.rules = Plain(compare.Play(options).rules)
        self.secrets = Secrets()

    def position(self, changes: tuple[str, ...], seed: int) -> Any:
        """Return the referee at a disturbed position."""
        from northgard_rare_positions import rare_game

        watched, streams = self.compare.Watched, self.compare.Streams
        return rare_game(self.shown, changes, seed, watched, self.tables, lambda: streams(seed))

    def play(self, d: dict[str, Any] | None, seed: int) -> Any:
        """Return a game of the engine, read from State JSON if there is any."""
        play = self.compare.Play(self.options)
        play.rules, play.record = self.rules, Plain(play.record)
        play.record.seed = np.uint64(seed)
        if d is None:
            return play.start(seed)
        self.compare.reading.from_dict(play.options, play.rules, d, play.record)
        return play

    def offered(self, play: Any) -> bool:
        """Return whether the pending decision of a game of the engine is one."""
        from northgard_secrets import offered

        return offered(play)

    def is_due(self, point: str) -> bool:
        """Count a decision; return whether all that the seats know is to be compared there."""
        self.points[point] += 1
        return self.points[point] <= FIRST or sum(self.points.values()) % EVERY == 0


class Match:
    """A game on engine and referee, from its set-up or from a position of the referee."""

    def __init__(self, table: Table, judge: Any, seed: int) -> None:
        self.table, self.compare, self.judge = table, table.compare, judge
        self.rng = random.Random(seed)
        self.play_on = table.play(judge.to_dict() if judge.decision == "MENU" else None, seed)
        self.where, self.decisions = f"{table.options}, seed {seed}", 0

    def compare_states(self) -> None:
        self.compare.compare_states(self.play_on, self.judge, f"{self.where}, decision {self.decisions}")

    def play(self, longest: int, stops: tuple[str, ...] = ("END",)) -> None:
        """Play so many decisions at most on both, up to a decision of these names. Raises Mismatch."""
        for _ in range(longest):
            self.compare_states()
            if self.table.is_due(self.judge.decision):
                self.compare_knowledge()
            if self.judge.decision in stops:
                return
            self.apply(choose(self.judge, self.rng))

    def apply(self, action: int) -> None:
        """Take an action on both."""
        self.play_on.step(action)
        self.judge.apply(action)
        self.decisions += 1

    def compare_knowledge(self) -> None:
        """Compare what the seats would have, what they see, and what resamples show."""
        where = f"{self.where}, decision {self.decisions} ({self.judge.decision})"
        scores, ranks, _ = self.play_on.results()
        running = any(frame["frame"] == "DRAW" for frame in self.judge.frames)  # the referee counts at its end
        if not running and (scores, ranks) != (self.judge.scores(), self.judge.ranks()):
            raise self.compare.Mismatch(f"{where}: scores or ranks are not {self.judge.scores()}, {self.judge.ranks()}")
        self.compare.compare_views(self.play_on, self.judge, where)
        others = [player for player in range(self.judge.n) if player != self.judge.player]
        self.compare_resamples(self.rng.choice(others), where)

    def compare_resamples(self, player: int, where: str) -> None:
        """Look whether resamples are possible by NORTH-INFO-10, and differ in what is hidden."""
        compare, known = self.compare, self.judge.to_dict()
        before = secret_parts(known, player)
        for seed in range(RESAMPLES):
            sample = compare.Play(self.table.options)
            sample.rules, sample.record = self.play_on.rules, self.play_on.record.copy()
            compare.resample(sample.rules, sample.record, np.int64(player), np.uint64(seed))
            d = sample.to_dict()
            found = compare.differences(known, d, player, self.judge.tables) + not_there(d)
            if int(sample.record.seed) == int(self.play_on.record.seed):
                found.append("the same chance to come")
            if not self.judge.is_terminal() and not self.table.offered(sample):
                found.append("no choice")
            if found:
                raise compare.Mismatch(f"{where}: a resample is not possible for player {player}: {found}")
            # Compared with the true state, and then with the resample before.
            after = secret_parts(d, player)
            for part, items in after.items():
                self.table.secrets.compare(f"{part}, seed {seed}", len(set(items)) > FEW, items == before[part])
            before = after


def not_there(d: dict[str, Any]) -> list[str]:
    """Return what was chosen in secret and does not lie where it was chosen from."""
    found = []
    for frame in d["frames"]:
        kind, turn = frame["frame"], d["turn"]
        if kind == "UPGRADE" and frame["card"] not in d["hand"][turn]:
            found.append("upgraded card")
        if kind == "HAND" and frame["card"] is not None and frame["card"] not in d["hand"][frame["victim"]]:
            found.append("named card")
        if kind == "SETUP" and frame["tile"] is not None and frame["tile"] not in d["tile_hands"][turn]:
            found.append("chosen tile")
    return found


def choose(judge: Any, rng: random.Random) -> int:
    """Return an action: cards are played, members of a team swap, who plays last passes."""
    from northgard_referee_actions import PASS, PLAYER, YES
    from northgard_referee_play import eager

    legal = judge.legal_actions()
    if judge.decision == "MENU" and sum(judge.passed) == judge.n - 1 and PASS in legal and rng.random() < 0.7:
        return PASS
    if judge.decision == "TR_GIVE" and legal[-1] >= PLAYER and rng.random() < 0.9:
        return int(legal[-1])
    if judge.decision == "SW_OK" and rng.random() < 0.9:
        return YES
    return int(eager(judge, rng))


def secret_parts(d: dict[str, Any], player: int) -> dict[str, list[int]]:
    """Return what lies in the places of a State JSON object that a seat does not see, all seats in one list."""
    piles = [_hidden(d["draw_pile"][p], d["draw_known"][p], player) for p in range(d["num_players"])]
    hands = [_hidden(d["hand"][p], d["hand_known"][p], player) for p in range(d["num_players"])]
    return {
        "hands": [card for hand, pile in zip(hands, piles) if len(pile) >= FEW for card in hand],
        "draw piles": [card for pile in piles if len(pile) >= FEW for card in pile],
        "early cards": [card for card in d["dev_deck"] if card <= 20],
        "advanced cards": [card for card in d["dev_deck"] if card > 20],
        "tiles": _hidden(d["tile_stack"], d["tile_known"], player),
        "creatures": d["creature_pile"],
    }


def _hidden(items: list[int], masks: list[int], player: int) -> list[int]:
    return [item for item, mask in zip(items, masks) if not mask >> player & 1]


if __name__ == "__main__":
    main(*sys.argv[1:])
