"""Print a hash of everything that a few games show, for comparison between processes: `python trace.py [--short]`.

Each line is one configuration: states, masks, observations (now and then those of all seats), texts, events, returns
and the digests, along games of the documented sampler and along games of the heuristic.
"""

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import configurations
import northmen_env as nm
from northmen_env.engine import boundary
from northmen_env.engine.random import PURPOSE_SAMPLER, below, draw, stream


def trace(name, options, seed, by_heuristic):
    game = nm.load(name, history=6, **options)
    state = game.new_initial_state(seed=seed)
    digest = hashlib.sha256()
    key = np.uint64(stream(np.uint64(seed), PURPOSE_SAMPLER, 0, 0))
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        show(digest, state, decisions)
        if by_heuristic:
            action = boundary.suggest(game.rules, state.array, state.current_player, np.uint64(decisions))
        else:
            action = legal[below(draw(key, decisions), len(legal))]
        state.apply_action(int(action))
        decisions += 1
    show(digest, state, 0)
    for player in range(game.num_players):
        digest.update(json.dumps(state.events(player)).encode())
    digest.update(json.dumps([state.returns().tolist(), state.scores().tolist(), state.ranks()]).encode())
    return f"{decisions} {digest.hexdigest()[:24]} {state.digest()[:12]}"


def show(digest, state, decision):
    digest.update(state.to_bytes() if decision % 40 == 0 else state.fingerprint().encode())
    digest.update(json.dumps(state.legal_actions()).encode())
    for player in range(state.game.num_players):
        if player == state.current_player or decision % 8 == 0:
            digest.update(state.observation(player).tobytes())
        if decision % 40 == 0:
            digest.update(state.observation_text(player).encode())
            digest.update(state.resample(player, decision).fingerprint().encode())


if __name__ == "__main__":
    chosen = list(enumerate(configurations.extremes()))
    if "--short" in sys.argv:
        three = [(number, (name, options)) for number, (name, options) in chosen if options["num_players"] == 3]
        chosen = list({name: (number, (name, options)) for number, (name, options) in three}.values())
    for number, (name, options) in chosen:
        for by_heuristic in (False, True):
            print(name, json.dumps(options), by_heuristic, trace(name, options, 2**64 - 1 - number, by_heuristic))
