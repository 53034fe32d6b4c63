"""Print a hash of what the batched forms and the Gymnasium form show, for comparison between processes."""

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import northmen_env as nm
from northmen_env.engine.game import Game
from northmen_env.envs.gym import NorthmenGym
from northmen_env.envs.vector import make_vector
from tiny import ask, coin

FORMS = ({"legal": "both"}, {"seat": "random"}, {"seat": 1, "opponents": "heuristic"})


def main() -> None:
    games = [Game(coin.GAME, num_players=3, dense=True, history=2), Game(ask.GAME, num_players=4, history=2)]
    for game in [*games, *(nm.load(name, num_players=3, dense=True) for name in nm.games())]:
        print(game.name, *(batched(game, form) for form in FORMS), single(game))


def batched(game: Game, form: dict) -> str:
    env, rng, digest = make_vector(game, 3, **form), np.random.default_rng(0), hashlib.sha256()
    observation, info = env.reset(seed=2**64 - 2)
    for step in range(40):
        mask = observation["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        if step % 20 == 19:
            actions[step % 3] = mask[step % 3].argmin()
        observation, rewards, terminated, _, info = env.step(actions)
        for array in (*observation.values(), rewards, terminated, info["player"]):
            digest.update(array.tobytes())
    for i in range(3):
        digest.update(env.game_state(i).to_bytes())
    return digest.hexdigest()[:16]


def single(game: Game) -> str:
    env, rng, digest = NorthmenGym(game, opponents="heuristic"), np.random.default_rng(1), hashlib.sha256()
    env.reset(seed=5)
    for _ in range(30):
        observation, reward, terminated, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        digest.update(observation["observation"].tobytes() + repr((reward, terminated)).encode())
        if terminated:
            env.reset()
    digest.update(env.game_state().to_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    main()
