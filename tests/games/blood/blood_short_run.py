"""The short run: games in which nearly everything happens, judged by the referee and by the invariants.

    NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python tests/games/blood/blood_short_run.py FOLDER [PART ...]

Without numbers of parts (from 0) all of them are played. FOLDER holds the package `northmen_env` to be judged, a copy
with one mutation (`tests/mutants.py`). Compared with the referee at every decision: State JSON, legal actions, scores,
ranks and returns; at every thirteenth, and at the first three of each decision point: every seat's observation with the
referee's view, who reaches Bjarmia, and resamples (`compare_resamples`). Invariants are slow without a compiler: they
are judged at the end of whole games. The first difference ends it as an exception.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from short_runs import Secrets, import_from

VIKINGS_AND_SAILS = {"ability_pool": [2, 7], "vikings_every_turn": True, "citadels": False}
PARTS: tuple[tuple[str, int, str, int, dict[str, Any]], ...] = (
    ("games", 1, "eager", 3, {"num_players": 2}),
    ("set-ups", 8, "uniform", 0, {}),
    ("turns", 24, "eager", 1, {"num_players": 1, "ability_pool": [5]}),
    ("turns", 36, "eager", 2, {"num_players": 1, "tables": 2}),
    ("turns", 16, "eager", 3, {"num_players": 3, "reward": "win", "ability_pool": [1, 3, 6]}),
    ("turns", 24, "eager", 4, {"num_players": 2, "reward": "score", **VIKINGS_AND_SAILS}),
    ("turns", 8, "eager", 5, {"num_players": 5, "grid_size": 8}),
    ("settlers", 60, "eager", 6, {"num_players": 2}),
    ("ends", 12, "eager", 7, {"num_players": 4, "reward": "win"}),
    ("games", 1, "uniform", 6, {"num_players": 4, "reward": "win"}),
)
"""What is played and how often (`play_part`), with which sampler, seed and options; `tables`: seed of random tables."""

EVERY, FIRST = 13, 3
TURNS_EVERY, TURNS = 3, 2
RESAMPLES = 2


def main(folder: str, *chosen: str) -> None:
    """Judge the package in `folder` by all parts or the chosen ones."""
    import_from(folder)
    import blood_against_referee as compare

    for what, number, name, seed, options in [PARTS[int(part)] for part in chosen] or PARTS:
        with tempfile.TemporaryDirectory() as tables:
            if "tables" in options:
                options = with_tables(compare, options, Path(tables))
            play_part(compare, what, range(seed, seed + number), name, options)


def with_tables(compare: Any, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Write two random tables; return options that name them."""
    seed = options["tables"]
    texts = {"tile_table": compare.random_tiles(seed), "bandit_table": compare.random_bandits(seed)}
    for key, text in texts.items():
        (folder / f"{key}.csv").write_text(text, encoding="utf-8")
    return {key: options[key] for key in options if key != "tables"} | {
        key: str(folder / f"{key}.csv") for key in texts
    }


def play_part(compare: Any, what: str, seeds: range, name: str, options: dict[str, Any]) -> None:
    """Play whole games; or turns from the middle of games with all pieces put elsewhere.

    Or compare set-ups only; or ends; or who reaches Bjarmia from villages of all types.
    """
    if what == "set-ups":
        for n in range(1, 6):
            table = Table(compare, {"num_players": n}, name)
            for seed in seeds:
                match = Match(table, seed)
                compare.compare_states(match.state, match.judge, f"set-up {n}p, seed {seed}")
        return
    table = Table(compare, options, name)
    if what == "games":
        for seed in seeds:
            Match(table, seed).play()
    for seed, judge in zip(seeds, disturbed(compare, options, what, seeds[0]) if what in DISTURBANCES else ()):
        match = Match(table, seed, judge)
        if what == "settlers":
            match.compare_bjarmia(f"{match.where}, settlers")
        else:
            match.play(TURNS if what == "turns" else 0)
    for words in table.secrets.kept():
        raise compare.Mismatch(words)


def disturbed(compare: Any, options: dict[str, Any], what: str, seed: int) -> Iterator[Any]:
    """Play games on the referee alone; yield a copy with all pieces put elsewhere, every few turns."""
    rng, turns = random.Random(seed), 0
    for game in count(seed):
        judge = compare.referee_of(options, game, Counter())
        while not judge.is_terminal():
            if judge.decision == "D01" and len(judge.map) >= 3:
                turns += 1
                if turns % TURNS_EVERY == 0:
                    d = compare.disturbed(judge, rng)
                    DISTURBANCES[what](d, judge.villages, rng)
                    copy = type(judge).from_dict(d, judge.tables)
                    copy.seen = judge.seen
                    if copy.is_terminal() or len(copy.legal_actions()) > 1:
                        yield copy
            judge.apply(rng.choice(judge.legal_actions()))


def rearrange(d: dict[str, Any], villages: Any, rng: random.Random) -> None:
    """Prepare tiles known to all, give the active seat villages of one type, and now and then fill the reserves."""
    if not d["options"]["goods"]:
        return
    for p in range(d["num_players"]):
        known = [tile for tile in d["held"][p] if tile in d["hands"][p]]
        d["hands"][p] = [tile for tile in d["hands"][p] if tile not in known]
        d["prepared"][p] = sorted([*d["prepared"][p], *known])
    hand, pile = d["hands"][d["active"]], d["pile"]
    village = rng.choice(sorted({villages[tile] for tile in pile if villages[tile]} or {None}))
    for place in [i for i, tile in enumerate(pile) if village and villages[tile] == village][: min(2, len(hand))]:
        pile[place], hand[0] = hand[0], pile[place]
        hand.append(hand.pop(0))
    hand.sort()
    if rng.random() < 0.4:
        fill_reserves(d, villages)


def fill_reserves(d: dict[str, Any], villages: Any) -> None:
    """Put all warbands of each seat into its reserve, but for one, in a village if possible."""
    for p in range(d["num_players"]):
        tiles = sorted(d["map"], key=lambda x: not villages[x["tile"]])
        own = [x["warbands"] for x in tiles if x["warbands"][p] > 0]
        d["reserve"][p] += d["settlement"][p] + d["vp"][p] + sum(warbands[p] for warbands in own) - bool(own)
        d["settlement"][p] = d["vp"][p] = 0
        for place, warbands in enumerate(own):
            warbands[p] = int(place == 0)


def gather(d: dict[str, Any]) -> None:
    """Put all warbands of the map and of the reserves into the settlements."""
    for p in range(d["num_players"]):
        d["settlement"][p] += d["reserve"][p] + sum(x["warbands"][p] for x in d["map"])
        d["reserve"][p] = 0
        for x in d["map"]:
            x["warbands"][p] = 0


def settle(d: dict[str, Any], villages: Any, rng: random.Random) -> None:
    """Put one warband of each seat on a village of each type, and all others into the settlement."""
    gather(d)
    for village in sorted({villages[x["tile"]] for x in d["map"] if villages[x["tile"]]}):
        for p in range(d["num_players"]):
            if d["settlement"][p] > 0:
                x = rng.choice([x for x in d["map"] if villages[x["tile"]] == village])
                x["warbands"][p] += 1
                d["settlement"][p] -= 1


def finish(d: dict[str, Any], villages: Any, rng: random.Random) -> None:
    """End the game: some seats have six points."""
    gather(d)
    winners = sorted(rng.sample(range(d["num_players"]), rng.randint(1, d["num_players"])))
    for p in winners:
        d["settlement"][p] -= 6 - d["vp"][p]
        d["vp"][p] = 6
    d.update(decision="END", player=None, winners=winners)


DISTURBANCES = {"turns": rearrange, "settlers": settle, "ends": finish}


class Table:
    """What the games of a part have in common: configuration, sampler, and what was met in them."""

    def __init__(self, compare: Any, options: dict[str, Any], name: str) -> None:
        self.compare, self.options, self.name = compare, options, name
        self.game, self.sampler = compare.load(options), compare.SAMPLERS[name]
        self.secrets = Secrets()
        self.decisions: Counter[str] = Counter()

    def is_due(self, point: str) -> bool:
        """Count a decision; return whether all that the seats know is to be compared there."""
        self.decisions[point] += 1
        return self.decisions[point] <= FIRST or sum(self.decisions.values()) % EVERY == 0

    def judge_invariants(self, state: Any, where: str) -> None:
        """Look whether BLOOD-CORNER-14 holds."""
        broken = int(self.game.spec.kernels["check"](self.game.rules[0], state.record))
        if broken:
            raise self.compare.Mismatch(f"{where}: invariant {broken} does not hold")


class Match:
    """A game on engine and referee, from its set-up or from a position of the referee."""

    def __init__(self, table: Table, seed: int, judge: Any = None) -> None:
        self.table, self.compare, self.rng = table, table.compare, random.Random(seed)
        if judge is None:
            self.judge = self.compare.referee_of(table.options, seed, Counter())
            self.state = table.game.new_initial_state(seed=seed)
        else:
            self.judge = judge
            self.state = table.game.state_from_dict(judge.to_dict(), seed=seed)
        self.where = f"{table.name} {seed} {self.judge.n}p"

    def play(self, turns: int = 1000) -> None:
        """Play so many turns on both. Raises Mismatch."""
        decisions = 0
        while True:
            where = f"{self.where}, decision {decisions}"
            legal = self.compare.compare_states(self.state, self.judge, where)
            turns -= self.judge.decision == "D01"
            if self.table.is_due(self.judge.decision):
                self.compare_knowledge(decisions % self.judge.n, where)
            if self.judge.is_terminal() or turns < 0:
                break
            action = self.table.sampler(self.judge, legal, self.rng)
            self.state.apply_action(action)
            self.judge.apply(action)
            decisions += 1
        if turns > TURNS:  # a whole game was played
            self.table.judge_invariants(self.state, self.where)
            self.table.judge_invariants(self.state.resample(0, seed=1), f"{self.where}, resample")

    def compare_knowledge(self, player: int, where: str) -> None:
        """Compare what the seats see, and what resamples show."""
        self.compare.compare_views(self.state, self.judge, where)
        self.compare_bjarmia(where)
        self.compare_resamples(player, where)

    def compare_bjarmia(self, where: str) -> None:
        """Look whether engine and referee agree about who would win by Bjarmia, were this the end of a turn."""
        from northmen_env.games.blood.reach import reaches_bjarmia

        if self.judge.decision == "D06":
            return  # a side that fails to match still waits for its citadel
        for p in range(self.judge.n):
            if bool(reaches_bjarmia(self.state.game.rules[0], self.state.record, p)) != self.judge.bjarmia(p):
                raise self.compare.Mismatch(f"{where}: Bjarmia of seat {p} is not {self.judge.bjarmia(p)}")

    def compare_resamples(self, player: int, where: str) -> None:
        """Look whether resamples look the same, are possible by BLOOD-INFO-06, and differ in what is hidden."""
        state, judge, mismatch = self.state, self.judge, self.compare.Mismatch
        seen = state.observation(player).tobytes()
        before, hidden = secret_parts(judge.to_dict(), player), len(judge.hidden(player))
        for seed in range(RESAMPLES):
            sample = state.resample(player, seed)
            d = sample.to_dict()
            if sample.observation(player).tobytes() != seen or int(sample.record.seed) == int(state.record.seed):
                raise mismatch(f"{where}: a resample for player {player} looks different to it, or keeps the seed")
            if not judge.possible(d, player):
                raise mismatch(f"{where}: a resample is not possible for player {player} (BLOOD-INFO-06)")
            # Compared with the true state, and then with the resample before.
            after = secret_parts(d, player)
            for part, tiles in after.items():
                self.table.secrets.compare(f"{part}, seed {seed}", 0 < 2 * len(tiles) <= hidden, tiles == before[part])
            before = after


def secret_parts(d: dict[str, Any], player: int) -> dict[str, list[int]]:
    """Return the tiles of a State JSON in places that `player` does not see, less those known to lie there."""
    parts = {"pile": d["pile"], "removed tiles": d["removed"]}
    for p, prepared in enumerate(d["prepared"]):
        if p == player:
            continue
        held = d["held"][p] if p < d["num_players"] else []
        parts[f"prepared tiles of colour {p}"] = [tile for tile in prepared if tile not in held]
        if p < d["num_players"]:
            parts[f"hand of seat {p}"] = [tile for tile in d["hands"][p] if tile not in held]
        if p == d["active"]:
            parts["fresh tiles"] = [tile for tile in d["fresh"] if tile not in held]
    return parts


if __name__ == "__main__":
    main(*sys.argv[1:])
