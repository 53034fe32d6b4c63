"""Engine and referee side by side: masks, State JSON, rewards, views and possible worlds compared over whole games."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from pathlib import Path
from typing import Any

import blood_referee_tables
from blood_decoded_view import decoded_view
from blood_play import SAMPLERS, Watched, count, count_end
from blood_referee_tables import KINDS, VILLAGES, canon

import northmen_env as nm
from northmen_env.engine.game import Game
from northmen_env.engine.random import mix, to_draw

PURPOSES = {"abilities": 1, "tiles": 2}


class Mismatch(AssertionError):
    """Engine and referee disagree."""


def load(options: dict[str, Any]) -> Game:
    """Return the engine's game in this configuration."""
    if "blood" in nm.games():
        return nm.load("blood", **options)
    return Game(importlib.import_module("northmen_env.games.blood").GAME, **options)


def chance(seed: int) -> Any:
    """Return the referee's oracle for the set-up of the engine's game `seed`: items sorted by the draws of a stream."""

    def shuffle(purpose: str, occurrence: int, items: list[int]) -> list[int]:
        key = mix(mix(mix(seed, PURPOSES[purpose]), 0), occurrence)
        return sorted(items, key=lambda item: to_draw(mix(key, item)) >> 12 << 12 | item)

    return shuffle


def tables_of(options: dict[str, Any]) -> dict:
    """Return the referee's tables for the engine's options."""
    texts = {"tile_table": blood_referee_tables.TILES_CSV, "bandit_table": blood_referee_tables.BANDITS_CSV}
    for key in texts:
        if options.get(key, "builtin") != "builtin":
            texts[key] = Path(options[key]).read_text(encoding="utf-8")
    return blood_referee_tables.tables(texts["tile_table"], texts["bandit_table"])


def referee_of(options: dict[str, Any], seed: int, seen: Counter[str]) -> Watched:
    """Return the referee of the engine's game `seed`: same options, same chance."""
    plain = {key: value for key, value in options.items() if not key.endswith("_table")}
    judge = Watched(plain, tables_of(options), chance(seed))
    judge.seen = seen
    return judge


KNOWLEDGE_EVERY = 11


def compare_game(options: dict[str, Any], seed: int, name: str, seen: Counter[str], knowledge: bool = True) -> int:
    """Play one game on both, counting what occurred in `seen`; return the decisions. Raises Mismatch."""
    state = load(options).new_initial_state(seed=seed)
    judge = referee_of(options, seed, seen)
    return compare_play(state, judge, name, random.Random(seed), f"options {options}, seed {seed}", knowledge)


def compare_position(options: dict[str, Any], seed: int, name: str, seen: Counter[str], knowledge: bool = True) -> int:
    """Play on from the middle of a game of the referee, with all pieces put elsewhere (`disturbed`)."""
    judge = disturbed_game(options, seed, seen)
    state = load(options).state_from_dict(judge.to_dict(), seed=seed)
    return compare_play(
        state, judge, name, random.Random(seed), f"disturbed, options {options}, seed {seed}", knowledge
    )


def compare_play(state: Any, judge: Watched, name: str, rng: random.Random, where: str, knowledge: bool) -> int:
    """Play to the end on both; return the decisions."""
    played: list[int] = []
    while True:
        at = f"{where}, actions {played}"
        legal = compare_states(state, judge, at)
        if knowledge and len(played) % KNOWLEDGE_EVERY == 0:
            compare_views(state, judge, at)
            compare_worlds(state, judge, rng.randrange(2**63), at)
        if judge.is_terminal():
            count_end(judge, judge.seen)
            return len(played)
        action = SAMPLERS[name](judge, legal, rng)
        count(judge, action, judge.seen)
        state.apply_action(action)
        judge.apply(action)
        played.append(action)


def disturbed_game(options: dict[str, Any], seed: int, seen: Counter[str]) -> Watched:
    """Return a game of the referee that was played for some turns at random and then disturbed."""
    rng = random.Random(seed)
    while True:
        judge = referee_of(options, seed, Counter())
        turns = rng.randrange(3, 25)
        while not judge.is_terminal() and (turns > 0 or judge.decision != "D01"):
            turns -= judge.decision == "D01"
            judge.apply(rng.choice(judge.legal_actions()))
        if judge.is_terminal():
            continue
        judge = Watched.from_dict(disturbed(judge, rng), judge.tables)
        judge.seen = seen
        if len(judge.legal_actions()) > 1:
            return judge


def disturbed(judge: Watched, rng: random.Random) -> dict:
    """Return the State JSON (at D01) with warbands, points, reserves, citadels and prepared tiles put elsewhere.

    Few warbands in settlements, armies together on few tiles, now and then a short pile: what random play seldom shows.
    """
    d = judge.to_dict()
    goods, citadels = d["options"]["goods"], d["options"]["citadels"]
    villages = [x["cell"] for x in d["map"] if judge.village(x["cell"])]
    crowded = rng.sample(sorted(judge.map), min(len(judge.map), rng.randint(1, 4))) + rng.sample(
        villages, min(len(villages), 4)
    )
    d["citadels"] = [x if x is not None and x["permanent"] else None for x in d["citadels"]]
    inner = [(c, side) for c in judge.map for side in range(3) if judge.nb(c, side) in judge.map]
    for x in d["map"]:
        x["warbands"] = [0] * judge.colours
    for p in range(judge.colours):
        bandits = judge.is_bandits(p)
        d["vp"][p] = rng.choice([0, 0, 1, 2, 4, 5])
        d["reserve"][p] = rng.choice([0, 1, 3]) if goods and not bandits else 0
        for _ in range(rng.choice([0, 1, 3]) if citadels and not bandits else 0):
            taken = [(x["cell"], x["side"]) for x in d["citadels"] if x is not None]
            free = [place for place in inner if place not in taken]
            if free and None in d["citadels"]:
                c, side = rng.choice(free)
                piece = {"cell": c, "side": side, "owner": p, "permanent": False}
                d["citadels"][d["citadels"].index(None)] = piece
        own = sum(x is not None and x["owner"] == p for x in d["citadels"])
        while own + d["vp"][p] + d["reserve"][p] > 12:
            key = "reserve" if d["reserve"][p] else "vp"
            d[key][p] -= 1
        left = 12 - own - d["vp"][p] - d["reserve"][p]
        d["settlement"][p] = min(left, rng.choice([0, 0, 0, 1, 2, 12])) if crowded else left
        for _ in range(left - d["settlement"][p]):
            c = rng.choice(crowded)
            next(x for x in d["map"] if x["cell"] == c)["warbands"][p] += 1
        for _ in range(rng.choice([0, 1, 3]) if goods or bandits else 0):
            if len(d["pile"]) > 5:
                d["prepared"][p] = sorted([*d["prepared"][p], d["pile"].pop()])
    if rng.random() < 0.3:
        keep = rng.randint(1, 12)
        d["discard"], d["pile"] = sorted([*d["discard"], *d["pile"][keep:]]), d["pile"][:keep]
    return d


def compare_states(state: Any, judge: Watched, where: str) -> list[int]:
    """Compare State JSON, masks, scores, ranks and returns; return the legal actions."""
    mine, other = state.to_dict(), judge.to_dict()
    if mine != other:
        keys = [key for key in other if mine.get(key) != other[key]] + [key for key in mine if key not in other]
        shown = {key: (mine.get(key, "missing"), other.get(key, "missing")) for key in keys}
        raise Mismatch(f"{where}: State JSON differs (engine, referee): {shown}")
    legal = judge.legal_actions()
    if (state.current_player, state.legal_actions()) != (judge.current_player, legal):
        missing, extra = set(legal) - set(state.legal_actions()), set(state.legal_actions()) - set(legal)
        raise Mismatch(
            f"{where} ({mine['decision']}): player {state.current_player}, by the referee {judge.current_player}; "
            f"the engine lacks {sorted(missing)} and adds {sorted(extra)}"
        )
    if state.is_terminal() != judge.is_terminal():
        raise Mismatch(f"{where}: only one of the two has ended")
    if state.scores().tolist() != judge.scores() or list(state.ranks()) != judge.ranks():
        shown = (state.scores().tolist(), state.ranks(), judge.scores(), judge.ranks())
        raise Mismatch(f"{where}: scores or ranks differ: {shown}")
    if max(abs(a - b) for a, b in zip(state.returns().tolist(), judge.returns())) > 1e-12:
        raise Mismatch(f"{where}: returns {state.returns()}, referee {judge.returns()}")
    return legal


def compare_views(state: Any, judge: Watched, where: str) -> None:
    """Compare what each seat sees with what the referee lets it know, less what no vector can say (hashes)."""
    for player in range(judge.n):
        try:
            mine = decoded_view(state.game.observation_layout, state.observation(player), player)
        except ValueError as error:
            raise Mismatch(f"{where}: the observation of player {player} cannot be: {error}") from None
        other = judge.view(player)
        other["options"] = {key: value for key, value in other["options"].items() if not key.endswith("_table")}
        other["options"]["ability_pool"] = judge.pool() if judge.options["abilities"] else []
        for key in sorted({*mine, *other}):
            if key not in mine or key not in other or mine[key] != other[key]:
                shown = (mine.get(key, "missing"), other.get(key, "missing"))
                raise Mismatch(f"{where}: `{key}` in the view of player {player} (engine, referee): {shown}")


def compare_worlds(state: Any, judge: Watched, seed: int, where: str) -> None:
    """Whatever the engine deals anew for a seat is possible by the referee."""
    for player in range(judge.n):
        sample = state.resample(player, seed=seed).to_dict()
        if not judge.possible(sample, player):
            raise Mismatch(f"{where}: impossible for player {player}: resample with seed {seed} gives {sample}")


# ------------------------------------------------------------------------------------------------ other tables


def random_tiles(seed: int) -> str:
    """A tile table of random sides: lakes in pieces, roads side by side, up to six mountains."""
    rng = random.Random(seed)
    villages = [village for village in VILLAGES for _ in range(10)] + ["-"] * 80
    rng.shuffle(villages)
    lines, alike = ["id,village,sides"], set()
    for t, village in enumerate(villages, 1):
        weights = [rng.randint(1, 4) for _ in KINDS]
        sides = "".join(rng.choices(KINDS, weights, k=6))
        while village == "-" and canon(sides) in alike:
            sides = "".join(rng.choices(KINDS, weights, k=6))
        alike.add(canon(sides))
        lines.append(f"{t},{village},{sides}")
    return "\n".join(lines) + "\n"


PLACES = "ANY VILLAGE EMPTY MOUNTAIN LAKE ROAD FOREST WARBAND JUSTPLACED".split()


def random_effect(rng: random.Random) -> str:
    """Any effect of the vocabulary, IFWON with another inside; moves and attacks more often than the rest."""
    few = str(rng.randint(1, 3))
    armies, places = rng.choice([few, "ARMIES"]), rng.choice([*PLACES, *["WARBAND"] * 6])
    moves = rng.choice([few, few, "ARMIES", "VILLAGES", "WARBANDS"])
    attack = rng.choice([f"ATTACK({few})", f"ATTACK({few},SMALLEST)", f"ATTACK({few},LARGEST)"])
    points = rng.choice(["1", "1", "1", "ARMIES", "WON", "BRIBED"])
    return rng.choice(
        [
            f"PLACE({rng.randint(1, 6)},{places})", f"EACH({places})", f"LAKE({moves})", f"ROAD({moves})", attack,
            f"LAKE({few})", f"ROAD({few})", f"ROADONE({rng.randint(1, 4)})", f"ROADATTACK({rng.randint(1, 4)})", attack,
            "EACH(WARBAND)", f"SCORE({points})", f"BRIBE({few})", "BRIBEVILLAGES", f"PREPARE({armies})", "DISCARD(1)",
        ]
    )  # fmt: skip


def random_bandits(seed: int) -> str:
    """A bandit table of random rows of one to six effects; cards up to 030 mostly place bandits first."""
    rng = random.Random(seed)
    lines = ["card,redirect,tag,effects"]
    for card in range(1, 121):
        row = [random_effect(rng) for _ in range(rng.randint(1, 6))]
        if card <= 30 and rng.random() < 0.8:
            row[0] = f"PLACE({rng.randint(1, 12)},{rng.choice(PLACES[:6])})"
        row = [f"IFWON({effect})" if rng.random() < 0.1 else effect for effect in row]
        if rng.random() < 0.02:
            row[-1] = "IFWON(WIN)"
        elif rng.random() < 0.15:
            row[-1] = "PLAY"
        redirect = "-" if card <= 30 else f"{(card - 1) % 30 + 1:03d}"
        lines.append(f"{card:03d},{redirect},D,{';'.join(row)}")
    return "\n".join(lines) + "\n"
