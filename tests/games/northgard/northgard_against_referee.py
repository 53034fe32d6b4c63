"""Engine and referee side by side: masks, State JSON, scores, ranks and rewards compared over whole games."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import northgard_referee_tables
import numpy as np
from northgard_decoded_view import comparable, decoded_view
from northgard_referee_actions import CARD, PLAY
from northgard_referee_disturbed import card_game, disturbed_game
from northgard_referee_information import differences
from northgard_referee_play import SAMPLERS, Watched, count, count_end

from northmen_env.engine.random import below, mix, to_draw
from northmen_env.games.northgard import codec, reading, scoring
from northmen_env.games.northgard.blocks import OBSERVATION
from northmen_env.games.northgard.observe import observe
from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.resample import resample
from northmen_env.games.northgard.rules import legal_ids, step
from northmen_env.games.northgard.setup import setup
from northmen_env.games.northgard.state import STATE
from northmen_env.games.northgard.tables import build_rules

ACTIONS = 434
CARD_TYPES = 86
REREAD_EVERY, KNOWLEDGE_EVERY = 5, 9
DECK, DICE, CREATURES, TILES, DEVELOPMENT, ACHIEVEMENTS, FIRST, CLANS = range(1, 9)  # purposes of the engine's draws
CREATURE = 5  # owner of a creature's rolls
PURPOSES = {
    "deck": DECK, "discard": DECK, "beasts": CREATURES, "bottom": CREATURES, "slain": CREATURES, "stack": TILES,
    "returned": TILES, "early": DEVELOPMENT, "advanced": DEVELOPMENT, "achievements": ACHIEVEMENTS, "clans": CLANS,
}  # fmt: skip


class Mismatch(AssertionError):
    """Engine and referee disagree."""


class Streams:
    """The referee's oracle for the engine's game `seed`: every draw of the engine's streams, counted as they come."""

    def __init__(self, seed: int) -> None:
        self.seed, self.used = seed, Counter[tuple[int, int]]()

    def key(self, purpose: int, owner: int, occurrence: int) -> int:
        return mix(mix(mix(self.seed, purpose), owner), occurrence)

    def first(self, n: int) -> int:
        return int(below(to_draw(mix(self.key(FIRST, 0, 0), 0)), n))

    def die(self, seat: int | None) -> int:
        owner = CREATURE if seat is None else seat
        self.used[DICE, owner] += 1
        return int(below(to_draw(mix(self.key(DICE, owner, self.used[DICE, owner] - 1), 0)), 6))

    def shuffle(self, what: str, seat: int | None, items: list[int]) -> list[int]:
        purpose, owner = PURPOSES[what], seat or 0
        key = self.key(purpose, owner, self.used[purpose, owner])
        if purpose != DEVELOPMENT:  # both parts of the development deck are one draw per card
            self.used[purpose, owner] += 1
        names = [item + CARD_TYPES * items[:i].count(item) for i, item in enumerate(items)]
        if purpose != DECK:
            names = list(items)
        order = sorted(names, key=lambda name: to_draw(mix(key, name)) >> 12 << 12 | name)
        return [name % CARD_TYPES for name in order]


@cache
def _rules(options: Options) -> np.ndarray:
    return build_rules(options)


class Play:
    """A game of the engine, on its kernels."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.given, self.options = options, Options(**options)
        self.rules = _rules(self.options)[0]
        self.array = np.zeros(1, STATE)
        self.record = self.array[0]

    def start(self, seed: int) -> Play:
        self.array[:] = np.zeros(1, STATE)
        setup(self.rules, self.record, np.uint64(seed))
        return self

    def read(self, d: dict[str, Any], seed: int) -> Play:
        self.array["seed"] = np.uint64(seed)
        reading.from_dict(self.options, self.rules, d, self.record)
        return self

    def reread(self, where: str) -> None:
        """Go on from the State JSON of the present state; only the random generator is kept."""
        d, old = self.to_dict(), self.array.copy()
        try:
            self.read(d, int(old["seed"][0]))
        except ValueError as error:
            raise Mismatch(f"{where}: the engine does not read its own State JSON: {error}") from error
        for key in ("dice", "shuffles"):
            self.array[key] = old[key]

    def to_dict(self) -> dict[str, Any]:
        return codec.to_dict(self.options, self.rules, self.record)

    def legal(self) -> list[int]:
        ids = np.empty(ACTIONS, np.int16)
        return ids[: legal_ids(self.rules, self.record, ids)].tolist() if self.record.player >= 0 else []

    def step(self, action: int) -> None:
        step(self.rules, self.record, action)

    def results(self) -> tuple[list[float], list[int], list[float]]:
        n = int(self.rules.num_players)
        scores, returns = np.zeros(n, np.float64), np.zeros(n, np.float64)
        scoring.scores(self.rules, self.record, scores)
        scoring.returns(self.rules, self.record, returns)
        return scores.tolist(), list(scoring.ranks(self.rules, self.record)), returns.tolist()


def referee_of(options: dict[str, Any], seed: int, seen: Counter[str]) -> Watched:
    """Return the referee of the engine's game `seed`: same options, same chance."""
    judge = Watched(options_of(options), tables_of(options), Streams(seed))
    judge.seen = seen
    return judge


def texts_of(options: dict[str, Any]) -> dict[str, str]:
    folder = options.get("data", "builtin")
    if folder == "builtin":
        return northgard_referee_tables.BUILT_IN
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.csv"))}


def tables_of(options: dict[str, Any]) -> dict[str, Any]:
    return northgard_referee_tables.tables(texts_of(options))


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the State JSON has them: a data set by its hash."""
    if options.get("data", "builtin") == "builtin":
        return options
    content = "".join(text for _, text in sorted(texts_of(options).items()))
    return {**options, "data": hashlib.sha256(content.encode()).hexdigest()}


def compare_game(options: dict[str, Any], seed: int, name: str, seen: Counter[str]) -> int:
    """Play one game on both, counting what occurred in `seen`; return the decisions. Raises Mismatch."""
    play = Play(options).start(seed)
    judge = referee_of(options, seed, seen)
    return compare_play(play, judge, name, random.Random(seed), f"options {options}, seed {seed}")


def compare_position(options: dict[str, Any], seed: int, name: str, seen: Counter[str], longest: int = 10_000) -> int:
    """Play on from a disturbed position, read by the engine from State JSON, for some decisions at most."""
    judge = disturbed_game(lambda: referee_of(options, seed, Counter()), seed, Watched, lambda: Streams(seed))
    judge.seen = seen
    play = Play(options).read(judge.to_dict(), seed)
    return compare_play(play, judge, name, random.Random(seed), f"disturbed, options {options}, seed {seed}", longest)


def compare_card(options: dict[str, Any], card: int, seed: int, seen: Counter[str], longest: int = 60) -> int:
    """Play one card from a disturbed position, as far as the next decision between cards; return the decisions."""
    judge = card_game(options_of(options), card, seed, Watched, tables_of(options), lambda: Streams(seed))
    judge.seen = seen
    play = Play(options).read(judge.to_dict(), seed)
    where, rng = f"card {card}, options {options}, seed {seed}", random.Random(seed)
    compare_states(play, judge, where)
    for action in (PLAY, CARD + card):
        if action in judge.legal_actions():
            count(judge, action, seen)
            play.step(action)
            judge.apply(action)
    return compare_play(play, judge, "eager", rng, where, longest, ("MENU", "CONT", "END"))


def compare_play(
    play: Play,
    judge: Watched,
    name: str,
    rng: random.Random,
    where: str,
    longest: int = 10_000,
    stops: tuple[str, ...] = ("END",),
) -> int:
    """Play on both up to a decision of these names or for some decisions; return the decisions.

    Every second game lives on State JSON: the engine reads its own every few decisions.
    """
    played: list[int] = []
    rereads = rng.random() < 0.5
    while len(played) < longest:
        at = f"{where}, ply {len(played)}, actions {played}"
        if rereads and len(played) % REREAD_EVERY == 1 and not judge.is_terminal():
            play.reread(at)
        compare_states(play, judge, at)
        if judge.is_terminal():
            count_end(judge, judge.seen)
        if judge.decision in stops:
            break
        if len(played) % KNOWLEDGE_EVERY == 3:
            compare_views(play, judge, at)
            compare_worlds(play, judge, rng.randrange(2**63), at)
        action = SAMPLERS[name](judge, rng)
        count(judge, action, judge.seen)
        played.append(action)
        try:
            play.step(action)
        except Exception as error:
            raise Mismatch(f"{at}, then {action} ({judge.decision}): the engine fails: {error!r}") from error
        judge.apply(action)
    return len(played)


def compare_states(play: Play, judge: Watched, where: str) -> None:
    """Compare State JSON, masks and, at the end, scores, ranks and returns."""
    mine, other = play.to_dict(), judge.to_dict()
    if mine != other:
        keys = [key for key in other if mine.get(key) != other[key]] + [key for key in mine if key not in other]
        shown = {key: (mine.get(key, "missing"), other.get(key, "missing")) for key in keys}
        raise Mismatch(f"{where} ({other['decision']}): State JSON differs (engine, referee): {shown}")
    legal = judge.legal_actions()
    if play.legal() != legal:
        missing, extra = set(legal) - set(play.legal()), set(play.legal()) - set(legal)
        raise Mismatch(f"{where} ({other['decision']}): the engine lacks {sorted(missing)} and adds {sorted(extra)}")
    if judge.is_terminal():
        scores, ranks, returns = play.results()
        close = max(abs(a - b) for a, b in zip(returns, judge.returns())) < 1e-9
        if (scores, ranks) != (judge.scores(), judge.ranks()) or not close:
            shown = (scores, ranks, returns, judge.scores(), judge.ranks(), judge.returns())
            raise Mismatch(f"{where}: scores, ranks or returns differ: {shown}")


def compare_views(play: Play, judge: Watched, where: str) -> None:
    """What each seat observes is what the referee lets it know."""
    observation = np.zeros(OBSERVATION.size, np.float32)
    for player in range(judge.n):
        observe(play.rules, play.record, np.int64(player), observation)
        mine, other = decoded_view(OBSERVATION, observation, player), comparable(judge.view(player))
        if mine != other:
            shown = {key: (mine.get(key, "missing"), other[key]) for key in other if mine.get(key) != other[key]}
            raise Mismatch(f"{where} ({judge.decision}): the view of player {player} differs: {shown}")


def compare_worlds(play: Play, judge: Watched, seed: int, where: str) -> None:
    """Whatever the engine deals anew for a seat is possible by the referee, and a position that the engine reads."""
    known = judge.to_dict()
    for player in range(judge.n):
        other = Play(play.given)
        other.array[:] = play.array
        resample(other.rules, other.record, np.int64(player), np.uint64(seed))
        sample = other.to_dict()
        found = differences(known, sample, player, judge.tables)
        if found or (judge.player == player and other.legal() != judge.legal_actions()):
            shown = {key: (known.get(key), sample.get(key)) for key in sample if known.get(key) != sample[key]}
            raise Mismatch(f"{where} ({known['decision']}): impossible for player {player}, {found}: {shown}")
        try:
            Play(play.given).read(sample, seed)
        except ValueError as error:
            raise Mismatch(f"{where} ({known['decision']}): resampled for player {player}: {error}") from error
