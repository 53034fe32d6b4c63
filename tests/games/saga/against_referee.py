"""Engine and referee side by side: masks, State JSON, rewards and views compared at every decision of whole games."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import northmen_env as nm
import referee as rules_from_ledger
from northmen_env.engine.random import mix, to_draw

PURPOSES = {"influence": 2, "routes": 3}
FIRST_LEADER = 1


def stream(seed: int, purpose: int, occurrence: int) -> int:
    """The engine's stream, in plain Python."""
    return mix(mix(mix(seed, purpose), 0), occurrence)


def chance(seed: int) -> Any:
    """Return the referee's oracle for the deals of the engine's game `seed`."""

    def shuffle(purpose: str, occurrence: int, items: list[int]) -> list[int]:
        key = stream(seed, PURPOSES[purpose], occurrence)
        return sorted(items, key=lambda item: to_draw(mix(key, item)) >> 12 << 12 | item)

    return shuffle


def first_leader(seed: int) -> Any:
    """Return the referee's oracle for the first leader of the engine's game `seed`."""
    return lambda n: ((to_draw(mix(stream(seed, FIRST_LEADER, 0), 0)) >> 31) * n) >> 31


class Mismatch(AssertionError):
    """Engine and referee disagree."""


def uniform(legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


PASS = 177


def eager(legal: list[int], rng: random.Random) -> int:
    """Seldom passes, so that heroes, delays, purchases, held cards and completed routes are common."""
    if legal[-1] == PASS and rng.random() < 0.9:
        return rng.choice(legal[:-1])
    return rng.choice(legal)


def slow(table: dict[str, Any], n: int) -> Any:
    """Return a sampler that avoids cards which place plunder, so that rallies are long and the draw pile runs out."""
    placing = [rules_from_ledger.places(table, card, n) for card in range(len(table["cards"]))]

    def sample(legal: list[int], rng: random.Random) -> int:
        quiet = [a for a in legal if a < len(placing) and not placing[a]]
        return rng.choice(quiet or legal)

    return sample


def compare_game(options: dict[str, Any], seed: int, sampler: Any, seen: Counter[str]) -> int:
    """Play one game on both, counting what occurred in `seen`; return the decisions. Raises Mismatch."""
    game = nm.load("saga", **options)
    state = game.new_initial_state(seed=seed)
    full = {**game.options_dict}
    tables = rules_from_ledger.default_tables()
    judge = rules_from_ledger.Referee(full, tables, chance(seed), first_leader(seed))
    rng = random.Random(seed)
    decisions = 0
    where = f"options {options}, seed {seed}"
    while True:
        mine, other = state.to_dict(), judge.to_dict()
        if mine != other:
            fields = [k for k in other if mine.get(k) != other[k]] + [k for k in mine if k not in other]
            shown = {k: (mine.get(k), other.get(k)) for k in fields}
            raise Mismatch(f"{where}, decision {decisions}: State JSON differs (engine, referee): {shown}")
        if (state.current_player, state.legal_actions()) != (judge.current_player, judge.legal_actions()):
            raise Mismatch(
                f"{where}, decision {decisions} ({mine['decision']}): player {state.current_player} may "
                f"{state.legal_actions()}, by the referee player {judge.current_player} {judge.legal_actions()}"
            )
        if state.scores().tolist() != judge.scores() or state.ranks() != judge.ranks():
            raise Mismatch(f"{where}, decision {decisions}: scores or ranks differ")
        if max(abs(a - b) for a, b in zip(state.returns().tolist(), judge.returns())) > 1e-12:
            raise Mismatch(f"{where}, decision {decisions}: returns {state.returns()}, referee {judge.returns()}")
        if state.is_terminal():
            count_end(mine, seen)
            return decisions
        legal = state.legal_actions()
        action = sampler(legal, rng)
        count_decision(game, mine, legal, action, seen)
        state.apply_action(action)
        judge.apply(action)
        decisions += 1


def count_decision(game: Any, d: dict[str, Any], legal: list[int], action: int, seen: Counter[str]) -> None:
    """Count decision point, kind of action, card and route rows, and rare circumstances."""
    kind, index = game.spec.actions.locate(action)
    seen[f"decision {d['decision']}"] += 1
    seen[f"action {kind}"] += 1
    if kind in ("PLAY", "HOLD"):
        seen[f"card {index} {kind}"] += 1
    if kind in ("COMPLETE", "KEEP"):
        seen[f"route {index} {kind}"] += 1
    if kind in ("CUBE", "HERO"):
        seen[f"region {index} {kind} from kingdom {d['march']['kingdom']}"] += 1
    p = d["player"]
    seen["empty draw pile at DRAW"] += d["decision"] == "DRAW" and not d["draw_pile"]
    seen["empty slot at DRAW"] += d["decision"] == "DRAW" and None in d["slots"]
    seen["empty reserve at PLAY"] += d["decision"] == "PLAY" and d["reserve"][p] == 0
    seen["short reserve at PLAY"] += d["decision"] == "PLAY" and 0 < d["reserve"][p] < 3
    seen["hand below six at PLAY"] += d["decision"] == "PLAY" and len(d["hands"][p]) < 6
    seen["delayed move"] += d["march"] is not None and d["march"]["pass"] == 2
    seen["trade deck below two at BUY"] += d["decision"] == "BUY" and len(d["route_deck"]) < 2
    seen["several routes at ROUTE"] += d["decision"] == "ROUTE" and len(legal) > 2


def count_end(d: dict[str, Any], seen: Counter[str]) -> None:
    """Count how the game ended."""
    seen["games"] += 1
    for option, value in d["options"].items():
        seen[f"option {option}={value}"] += 1
    best = max(d["infamy"])
    seen["shared infamy bonus"] += d["infamy"].count(best) > 1
    seen["infamy bonus at 0"] += best == 0


def report(seen: Counter[str]) -> str:
    """Return the table of occurrences."""
    return "\n".join(f"{count:9d}  {what}" for what, count in sorted(seen.items()))
