"""Engine and referee side by side: masks, State JSON, rewards and views compared at every decision of whole games."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import referee as rules_from_ledger
from decoded_view import decoded_view

import northmen_env as nm
from northmen_env.engine.random import mix, to_draw

PURPOSES = {"influence": 2, "routes": 3}
FIRST_LEADER = 1


def stream(seed: int, purpose: int, occurrence: int) -> int:
    """The engine's stream, in plain Python."""
    return mix(mix(mix(seed, purpose), 0), occurrence)


TABLES = rules_from_ledger.default_tables()


def referee_of(game: Any, seed: int) -> Any:
    """Return the referee of the engine's game `seed`: same options, same chance."""
    return rules_from_ledger.Referee(game.options_dict, TABLES, chance(seed), leader(seed))


def chance(seed: int) -> Any:
    """Return the referee's oracle for the deals of the engine's game `seed`."""

    def shuffle(purpose: str, occurrence: int, items: list[int]) -> list[int]:
        key = stream(seed, PURPOSES[purpose], occurrence)
        return sorted(items, key=lambda item: to_draw(mix(key, item)) >> 12 << 12 | item)

    return shuffle


def leader(seed: int) -> Any:
    """Return the referee's oracle for the first leader of the engine's game `seed`."""
    return lambda n: ((to_draw(mix(stream(seed, FIRST_LEADER, 0), 0)) >> 31) * n) >> 31


SAMPLERS = ("uniform", "eager", "slow")


def sampler_named(name: str, n: int) -> Any:
    """Return the sampler of that name for games of `n` players."""
    return slow(n) if name == "slow" else {"uniform": uniform, "eager": eager}[name]


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


def slow(n: int) -> Any:
    """Return a sampler that avoids cards which place plunder, so that rallies are long and the draw pile runs out."""
    placing = [rules_from_ledger.places(TABLES, card, n) for card in range(len(TABLES["cards"]))]

    def sample(legal: list[int], rng: random.Random) -> int:
        quiet = [a for a in legal if a < len(placing) and not placing[a]]
        return rng.choice(quiet or legal)

    return sample


VIEWS_EVERY = 7


def compare_game(options: dict[str, Any], seed: int, sampler: Any, seen: Counter[str]) -> int:
    """Play one game on both, counting what occurred in `seen`; return the decisions. Raises Mismatch."""
    game = nm.load("saga", **options)
    state = game.new_initial_state(seed=seed)
    judge = referee_of(game, seed)
    rng = random.Random(seed)
    decisions = 0
    while True:
        where = f"options {options}, seed {seed}, decision {decisions}"
        mine = compare_states(state, judge, where)
        if decisions % VIEWS_EVERY == 0 or state.is_terminal():
            compare_views(state, judge, where)
        if state.is_terminal():
            count_end(mine, seen)
            return decisions
        legal = state.legal_actions()
        action = sampler(legal, rng)
        count_decision(game, mine, legal, action, seen)
        state.apply_action(action)
        judge.apply(action)
        decisions += 1


def compare_states(state: Any, judge: Any, where: str) -> dict[str, Any]:
    """Compare State JSON, masks, scores, ranks and returns; return the State JSON."""
    mine, other = state.to_dict(), plain(judge)
    if mine != other:
        fields = [k for k in other if mine.get(k) != other[k]] + [k for k in mine if k not in other]
        shown = {k: (mine.get(k), other.get(k)) for k in fields}
        raise Mismatch(f"{where}: State JSON differs (engine, referee): {shown}")
    if (state.current_player, state.legal_actions()) != (judge.current_player, judge.legal_actions()):
        raise Mismatch(
            f"{where} ({mine['decision']}): player {state.current_player} may {state.legal_actions()}, "
            f"by the referee player {judge.current_player} {judge.legal_actions()}"
        )
    if state.scores().tolist() != judge.scores() or state.ranks() != judge.ranks():
        raise Mismatch(f"{where}: scores or ranks differ")
    if max(abs(a - b) for a, b in zip(state.returns().tolist(), judge.returns())) > 1e-12:
        raise Mismatch(f"{where}: returns {state.returns()}, referee {judge.returns()}")
    return mine


def plain(judge: Any) -> dict[str, Any]:
    """Return `judge.to_dict()` without its deep copies, which take longer than all the rest of a comparison."""
    out: dict[str, Any] = {"game": "saga", "num_players": judge.n, "options": judge.options}
    out |= {key: getattr(judge, key) for key in judge.PLAIN}
    out |= {key: [sorted(members) for members in getattr(judge, key)] for key in judge.SETS}
    return {**out, "held": sorted(judge.held)}


def compare_views(state: Any, judge: Any, where: str) -> None:
    """Compare what each seat sees with what the referee says that it may know."""
    if plain(judge) != judge.to_dict():
        raise Mismatch(f"{where}: `plain` differs from the referee's own to_dict")
    for player in range(state.game.num_players):
        try:
            mine = decoded_view(state.game.observation_layout, state.observation(player), player)
        except ValueError as error:
            raise Mismatch(f"{where}: the observation of player {player} cannot be: {error}") from None
        other = judge.view(player)
        for key in sorted({*mine, *other}):
            if key not in mine or key not in other or mine[key] != other[key]:
                shown = (mine.get(key, "missing"), other.get(key, "missing"))
                raise Mismatch(f"{where}: `{key}` in the view of player {player} (engine, referee): {shown}")
        compare_beyond_the_view(state, judge, player, where)


def compare_beyond_the_view(state: Any, judge: Any, player: int, where: str) -> None:
    """Compare two facts that the referee's view leaves to be derived: the own discards and the pass of the march."""
    blocks = state.game.observation_layout.decode(state.observation(player))
    discards, passes = np.flatnonzero(blocks["own_discards"]).tolist(), np.flatnonzero(blocks["march_pass"]).tolist()
    if discards != sorted(judge._own_discards(player)):
        raise Mismatch(f"{where}: own discards of player {player} are {discards} in its observation")
    if passes != ([] if judge.march is None else [judge.march["pass"] - 1]):
        raise Mismatch(f"{where}: the pass of the march is {passes} in the observation of player {player}")


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
