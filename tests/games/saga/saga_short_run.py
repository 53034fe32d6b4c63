"""The short run: a few games in which nearly everything happens, judged by the referee and by the invariants.

    NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python tests/games/saga/saga_short_run.py FOLDER [GAME ...]

Without numbers of games (from 0) all of them are played. FOLDER holds the package `northmen_env` to be judged, a copy
with one mutation (`tests/mutants.py`). Compared at every decision: State JSON, legal actions, scores, ranks and
returns with the referee, and the invariants; at every seventh, and at all of the rarer kinds: every seat's observation
with the referee's view, and resamples (`compare_resamples`). Nothing is compiled. The first difference ends it as an
exception.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from short_runs import Secrets, import_from

RARE = {"final_planning": True, "draw_after_last_token": True, "hero_needs_cube": False, "heroes_collect": True}
GAMES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("eager", 3, {"num_players": 3, "first_leader": 1, "reward": "score"}),
    ("eager", 7, {"num_players": 2, "recall": "table", "reward": "win"}),
    ("uniform", 2, {"num_players": 3, "march_order": "free", "reward": "win", "first_leader": 2}),
    ("slow", 4, {"num_players": 4, "first_leader": 3}),
    ("eager", 5, {"num_players": 4, "march_order": "free", "recall": "table", **RARE}),
    ("slow", 33, {"num_players": 2, "first_leader": "random", **RARE}),
    ("eager", 8, {"num_players": 2, "first_leader": 1}),
)
COMMON = ("PLAY", "HIRE", "DRAW", "CUBE")
RESAMPLES = 2


def main(folder: str, *chosen: str) -> None:
    """Judge the package in `folder` by all games or the chosen ones."""
    import_from(folder)
    import against_referee as compare

    import northmen_env as nm

    secrets = Secrets()
    for name, seed, options in [GAMES[int(number)] for number in chosen] or GAMES:
        play(compare, nm.load("saga", **options), name, seed, secrets)
    for words in secrets.kept():
        raise compare.Mismatch(words)


def play(compare: Any, game: Any, name: str, seed: int, secrets: Secrets) -> None:
    """Play one game on engine and referee. Raises Mismatch."""
    sampler, rng = compare.sampler_named(name, game.num_players), random.Random(seed)
    state, judge = game.new_initial_state(seed=seed), compare.referee_of(game, seed)
    decisions = 0
    while True:
        where = f"{name} {seed} {game.num_players}p, decision {decisions}"
        mine = compare.compare_states(state, judge, where)
        broken = int(game.spec.kernels["check"](game.rules[0], state.record))
        if broken:
            raise compare.Mismatch(f"{where}: invariant {broken} does not hold")
        if decisions % compare.VIEWS_EVERY == 0 or mine["decision"] not in COMMON:
            compare.compare_views(state, judge, where)
            compare_resamples(compare, state, mine, judge, decisions % game.num_players, where, secrets)
        if state.is_terminal():
            return
        action = sampler(state.legal_actions(), rng)
        state.apply_action(action)
        judge.apply(action)
        decisions += 1


def compare_resamples(
    compare: Any, state: Any, mine: dict[str, Any], judge: Any, player: int, where: str, secrets: Secrets
) -> None:
    """Look whether resamples look the same to `player`, are possible by SAGA-INFO-11, and have another future."""
    seen = state.observation(player).tobytes()
    others = [q for q in range(judge.n) if q != player]
    for seed in range(RESAMPLES):
        sample = state.resample(player, seed)
        d = sample.to_dict()
        if sample.observation(player).tobytes() != seen or int(sample.record.seed) == int(state.record.seed):
            raise compare.Mismatch(
                f"{where}: a resample for player {player} looks different to it, or keeps the chance"
            )
        if mine["options"]["recall"] == "full" and not judge.possible(d, player):
            raise compare.Mismatch(f"{where}: a resample is not possible for player {player} (SAGA-INFO-11)")
        broken = int(state.game.spec.kernels["check"](state.game.rules[0], sample.record))
        if broken:
            raise compare.Mismatch(f"{where}: invariant {broken} does not hold in a resample for player {player}")
        for q in others:
            hidden = len(mine["hands"][q]) - len(mine["known_hand"][q])
            secrets.compare(f"hand of the seat {q}", hidden > 0, mine["hands"][q] == d["hands"][q])
            is_open, is_same = bool(mine["routes_open"][q]), mine["routes_open"][q] == d["routes_open"][q]
            secrets.compare(f"routes of the seat {q}", is_open, is_same)
        secrets.compare("draw pile", len(mine["draw_pile"]) > 1, mine["draw_pile"] == d["draw_pile"])
        secrets.compare("trade deck", len(mine["route_deck"]) > 9, mine["route_deck"] == d["route_deck"])


if __name__ == "__main__":
    main(*sys.argv[1:])
