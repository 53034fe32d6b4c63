"""The short run: games in which nearly everything happens, judged by the referee.

    NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python tests/games/northgard/northgard_short_run.py FOLDER [PART ...]

Without numbers of parts (from 0) all of them are played. FOLDER holds the package `northmen_env` to be judged, a copy
with one mutation (`tests/mutants.py`). Compared with the referee at every decision: State JSON, legal actions, scores,
ranks and returns; at some, and at the first of each decision point: every seat's observation with the referee's view,
and resamples (`compare_resamples`). The first difference ends it as an exception.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from northgard_plain_records import Plain

from short_runs import Secrets, import_from

Options = dict[str, Any]
TWO, THREE, TEAMS = {"num_players": 2}, {"num_players": 3}, {"num_players": 4, "teams": True}
BEASTS = {**THREE, "creatures": True, "more_creatures": True}
BEAR, BOAR, GOAT, RAVEN, SNAKE, STAG, WOLF = ((clan,) for clan in range(7))
MOVES, EXPLORES, HARVESTS = (9, 17, 42, 47, 48, 53), (2, 33, 38, 39, 69), (28, 41, 52, 84)
ROWS = tuple(row for row in range(85) if row not in (26, *range(57, 64)))
BASIC = (1, 2, 3, 4, 5)
"""Operations of data sets: RECRUIT, MOVE, EXPLORE, BUILD, DRAW."""


@dataclass(frozen=True)
class Part:
    """What is played.

    Attributes:
        what: "set-ups"; "positions", from which some decisions are played; "cards", single ones from there; "laws".
        times: how often, with how many seeds from `seed` on.
        rows: cards that are played; in a data set those with these operations.
        clans, changes, maps: of `rare_game`.
        first: actions that are taken first, each if it is legal.
        more: whether a turn is played on after the card.
    """

    what: str
    times: int
    seed: int
    options: Options
    rows: tuple[int, ...] = ()
    clans: tuple[int, ...] = ()
    changes: tuple[str, ...] = ()
    maps: str = "small"
    first: tuple[int, ...] = ()
    longest: int = 30
    data: bool = False
    more: bool = False


PASSING, UPGRADING, REMOVING = (7,), (6,), (5,)
PARTS = (
    Part("positions", 4, 1, {**BEASTS, "num_players": 2}),
    Part("set-ups", 6, 2, {**BEASTS, "num_players": 5, "clan_selection": "random"}),
    Part("set-ups", 1, 3, {**THREE, "five_tile_in_stack": False, "clan_selection": [0, 5, 4]}),
    Part("cards", 1, 4, BEASTS, ROWS),
    Part("cards", 16, 5, TEAMS, (47, 48, 42), maps="grown"),
    Part("cards", 6, 6, {**TEAMS, "creatures": True}, (47, 48), changes=("bears",)),
    Part("cards", 3, 7, TEAMS, (0, 22, 31), changes=("reaction",)),
    Part("cards", 2, 8, THREE, (22, 24, 45, 50), changes=("reaction",), more=True),
    Part("cards", 2, 9, THREE, EXPLORES, maps="full"),
    Part("cards", 3, 52, THREE, EXPLORES, BOAR, maps="grown"),
    Part("cards", 12, 10, THREE, (38,), maps="full"),
    Part("cards", 6, 11, THREE, EXPLORES, BOAR + SNAKE, ("loose",), "strong"),
    Part("cards", 2, 12, {**THREE, "map_size": 12}, EXPLORES, maps="long"),
    Part("cards", 2, 13, THREE, (*EXPLORES, 42, 47, 46), SNAKE, maps="ring"),
    Part("cards", 6, 14, BEASTS, (*EXPLORES, 9, 46, 47, 53), changes=("haunt",)),
    Part("cards", 3, 15, BEASTS, (*MOVES, 64, 65), BEAR, ("kaija", "rich")),
    Part("cards", 3, 16, THREE, (55, 74, 83, 77, 46, 48), (6, 0), ("kaija",)),
    Part("cards", 6, 47, BEASTS, MOVES, changes=("haunt",)),
    Part("cards", 12, 44, THREE, (64,), BEAR),
    Part("cards", 8, 45, THREE, (77,), SNAKE, ("poor",)),
    Part("cards", 4, 17, BEASTS, MOVES, STAG, ("beasts",)),
    Part("cards", 3, 18, THREE, (*MOVES, 76, 77, 78), SNAKE, ("token",)),
    Part("cards", 8, 19, TWO, (47, 48), WOLF, ("conquer", "forts"), "strong"),
    Part("cards", 16, 48, THREE, (82,), WOLF, ("deploy",)),
    Part("cards", 4, 49, {"num_players": 4}, (77, 37), SNAKE, ("rich",)),
    Part("cards", 8, 20, BEASTS, (79, 2), STAG, ("bears",)),
    Part("cards", 2, 21, THREE, HARVESTS, maps="full"),
    Part("cards", 3, 22, THREE, (66, 36, 40, 71, 81), maps="grown"),
    Part("cards", 4, 23, THREE, (4, 36, 40), changes=("twins",)),
    Part("cards", 12, 24, THREE, (25,), changes=("double",), maps="grown"),
    Part("positions", 4, 25, THREE, (55,), changes=("deploy",), longest=4),
    Part("positions", 4, 26, THREE, (78,), SNAKE, ("exile",), longest=2),
    Part("positions", 8, 27, THREE, changes=("few",), first=REMOVING, longest=4),
    Part("positions", 2, 28, THREE, changes=("rich",), first=UPGRADING, longest=6),
    Part("positions", 2, 29, THREE, changes=("foreseen",), first=PASSING, longest=2),
    Part("positions", 4, 30, BEASTS, changes=("late", "lairs"), first=PASSING, longest=4),
    Part("positions", 4, 31, BEASTS, changes=("late", "spent"), first=PASSING, longest=8),
    Part("positions", 8, 32, {**BEASTS, "num_players": 4, "reward": "fame"}, (), BEAR, ("late",), first=PASSING),
    Part("positions", 4, 33, {**BEASTS, "years": 10}, changes=("haunt", "banish", "late"), first=PASSING),
    Part("positions", 4, 34, {**THREE, "years": 10}, changes=("conquer", "poor", "late"), first=PASSING),
    Part("positions", 4, 35, TWO, changes=("unrest", "poor", "late"), first=PASSING),
    Part("positions", 4, 36, THREE, (), SNAKE, ("token", "late"), first=PASSING),
    Part("positions", 4, 37, TEAMS, changes=("rich", "late"), first=PASSING, longest=60),
    Part("positions", 6, 38, THREE, changes=("strongholds", "poor", "late"), maps="strong", first=PASSING),
    Part("positions", 6, 39, {**THREE, "reward": "win"}, changes=("level", "late"), first=PASSING),
    Part("positions", 6, 40, THREE, changes=("level", "late"), first=PASSING),
    Part("positions", 8, 46, THREE, (), BEAR, ("kaija", "warlord"), longest=0),
    Part("cards", 4, 50, THREE, (1,), BEAR, ("absent", "rich"), data=True),
    Part("cards", 4, 51, THREE, (4,), GOAT, ("rich",), data=True),
    Part("cards", 2, 41, BEASTS, BASIC, BEAR, ("kaija", "rich"), data=True),
    Part("cards", 4, 42, THREE, (9, 10), SNAKE, ("token",), data=True),
    Part("laws", 500, 43, {}),
)
LAWS = ("upgrades one of two",)

EVERY, FIRST = 25, 1
SECRET = dict.fromkeys(("REACT", "UPG_DEST", "HD_CARD", "HD_RANSOM", "DR_KEEP", "EX_PICK", "EX_CELL"), 4)
"""Knowledge is compared at every so many decisions, at the first of each point, and oftener where it is intricate."""
RESAMPLES = 2
FEW, TRIES = 3, 20
"""So many hidden cards or tiles may be dealt anew as they were."""
JUDGED = 12
"""The invariants are slow without a compiler: of so many State JSON objects that the engine reads one is judged."""


def main(folder: str, *chosen: str) -> None:
    """Judge the package in `folder` by all parts or the chosen ones."""
    import_from(folder)
    import northgard_against_referee as compare

    check = compare.reading.check
    for part in [PARTS[int(number)] for number in chosen] or PARTS:
        compare.reading.check = seldom(check)
        with tempfile.TemporaryDirectory() as data:
            play_part(compare, part, Path(data))


def seldom(check: Callable[..., int]) -> Callable[..., int]:
    """Return a function that finds nothing but for one call of many."""
    calls = count()
    return lambda rules, state: check(rules, state) if next(calls) % JUDGED == JUDGED - 1 else 0


def play_part(compare: Any, part: Part, data: Path) -> None:
    """Play set-ups; single cards from disturbed positions; some decisions from there; or compare laws of resamples."""
    seeds = range(1000 * part.seed, 1000 * part.seed + part.times)
    if part.what == "laws":
        for name in LAWS:
            compare_law(compare, name, seeds)
        return
    points: Counter[str] = Counter()
    table = Table(compare, part, part.options, points)
    for seed in seeds:
        if part.data:
            table = Table(compare, part, with_data(part.options, data / str(seed), seed), points)
        if part.what == "set-ups":
            Match(table, compare.referee_of(part.options, seed, Counter()), seed).play(1000, ("MENU",))
        elif part.what == "cards":
            for row in table.rows():
                play_card(table, row, seed + 10 * row)
        else:
            match = Match(table, table.position(seed, *part.rows), seed)
            match.play(part.longest, first=part.first)
    for words in table.secrets.kept():
        raise compare.Mismatch(words)


def with_data(options: Options, folder: Path, seed: int) -> Options:
    """Write a random data set; return options that name it."""
    import northgard_random_data

    northgard_random_data.write(folder, seed)
    return {**options, "data": str(folder)}


def play_card(table: Table, row: int, first_seed: int) -> None:
    """Play one card from a disturbed position, as far as the next decision between cards."""
    from northgard_referee_actions import CARD, PLAY

    for attempt in range(TRIES):
        seed = first_seed + 10_000 * attempt
        judge = table.position(seed, row)
        if row in judge.playable(judge.turn):
            match = Match(table, judge, seed)
            match.where += f", card {row}"
            match.play(60, ("MENU", "END") if table.part.more else ("MENU", "CONT", "END"), (PLAY, CARD + row))
            return


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
    chosen: dict[str, list[float]] = {}  # by what was chosen in secret: how often it is found, and should be
    for key, weight in possible.items():
        numbers = chosen.setdefault(str(json.loads(key)[1]), [0, 0])
        numbers[0] += found[key]
        numbers[1] += len(seeds) * weight / sum(possible.values())
    p = chisquare(*zip(*chosen.values())).pvalue
    if set(found) - set(possible) or p < 1e-5:
        raise compare.Mismatch(f"{name}: samples are not by NORTH-INFO-10 (p = {p:.1e})")


class Table:
    """What the games of a part have in common: configuration, and what was met in them."""

    def __init__(self, compare: Any, part: Part, options: Options, points: Counter[str]) -> None:
        self.compare, self.part, self.options, self.points = compare, part, options, points
        self.shown, self.tables = compare.options_of(options), compare.tables_of(options)
        self.rules = Plain(compare.Play(options).rules)
        self.secrets = Secrets()

    def rows(self) -> tuple[int, ...]:
        """Return the cards to be played."""
        if not self.part.data:
            return self.part.rows
        cards = self.tables["cards"]
        clans = range(64 + 3 * self.part.clans[0], 67 + 3 * self.part.clans[0])
        return tuple(row for row in (*range(57), *clans) if cards[row]["op"] in self.part.rows)

    def position(self, seed: int, card: int | None = None) -> Any:
        """Return the referee at a disturbed position."""
        from northgard_rare_positions import rare_game

        watched, part = self.compare.Watched, self.part
        return rare_game(
            self.shown, seed, watched, self.tables, lambda: self.compare.Streams(seed), part.maps, part.clans,
            part.changes, card,
        )  # fmt: skip

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
        return self.points[point] <= SECRET.get(point, FIRST) or sum(self.points.values()) % EVERY == 0


class Match:
    """A game on engine and referee, from its set-up or from a position of the referee."""

    def __init__(self, table: Table, judge: Any, seed: int) -> None:
        self.table, self.compare, self.judge = table, table.compare, judge
        self.rng = random.Random(seed)
        self.play_on = table.play(judge.to_dict() if judge.decision == "MENU" else None, seed)
        self.where, self.decisions = f"{table.options}, seed {seed}", 0

    def compare_states(self) -> None:
        self.compare.compare_states(self.play_on, self.judge, f"{self.where}, decision {self.decisions}")

    def play(self, longest: int, stops: tuple[str, ...] = ("END",), first: tuple[int, ...] = ()) -> None:
        """Play so many decisions at most on both, up to a decision of these names. Raises Mismatch."""
        for action in first:
            self.compare_states()
            if action in self.judge.legal_actions():
                self.apply(action)
        for _ in range(longest):
            self.compare_states()
            if self.judge.decision in stops:
                break
            if self.table.is_due(self.judge.decision):
                self.compare_knowledge()
            self.apply(choose(self.judge, self.rng))
        self.compare.compare_views(self.play_on, self.judge, f"{self.where}, at last")
        self.compare_scores(f"{self.where}, at last")

    def apply(self, action: int) -> None:
        """Take an action on both."""
        self.play_on.step(action)
        self.judge.apply(action)
        self.decisions += 1

    def compare_knowledge(self) -> None:
        """Compare what the seats would have, what they see, and what resamples show."""
        where = f"{self.where}, decision {self.decisions} ({self.judge.decision})"
        self.compare_scores(where)
        self.compare.compare_views(self.play_on, self.judge, where)
        others = [player for player in range(self.judge.n) if player != self.judge.player]
        self.compare_resamples(self.rng.choice(others), where)

    def compare_scores(self, where: str) -> None:
        """Compare what the seats would have if the game ended now."""
        if self.judge.frames:  # cards in nobody's zone, figures of two seats in one territory
            return
        scores, ranks, _ = self.play_on.results()
        if (scores, ranks) != (self.judge.scores(), self.judge.ranks()):
            raise self.compare.Mismatch(f"{where}: scores or ranks are not {self.judge.scores()}, {self.judge.ranks()}")

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
            if not np.array_equal(observed(compare, sample, player), observed(compare, self.play_on, player)):
                found.append("another observation")
            if found:
                raise compare.Mismatch(f"{where}: a resample is not possible for player {player}: {found}")
            # Compared with the true state, and then with the resample before.
            after = secret_parts(d, player)
            for part, items in after.items():
                self.table.secrets.compare(f"{part}, seed {seed}", len(set(items)) > FEW, items == before[part])
            before = after


def observed(compare: Any, play: Any, player: int) -> np.ndarray:
    """Return what a seat observes."""
    out = np.zeros(compare.OBSERVATION.size, np.float32)
    compare.observe(play.rules, play.record, np.int64(player), out)
    return out


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
    """Return an action: cards are played, members of a team swap, who plays last passes, the last card is cancelled."""
    from northgard_rare_positions import facing
    from northgard_referee_actions import CELL, DONE, PASS, PLAYER, YES
    from northgard_referee_play import eager

    legal = judge.legal_actions()
    if judge.decision == "MENU" and sum(judge.passed) == judge.n - 1 and PASS in legal and rng.random() < 0.7:
        return PASS
    if judge.decision == "EX_CELL" and judge.token is not None:
        near = [action for action in legal if judge.token in facing(judge, judge.cell_of(action - CELL))]
        return rng.choice(near or legal)
    if judge.decision == "REACT":
        return YES if judge.resolved or rng.random() < 0.3 else DONE
    if judge.decision == "PASS_CRE" or (judge.decision == "SW_OK" and rng.random() < 0.95):
        return YES
    if judge.decision == "TR_GIVE" and legal[-1] >= PLAYER and rng.random() < 0.9:
        return int(legal[-1])
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
