"""How a policy fares in each seat against opponents that fill the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from northmen_agents.kinds import AgentFactory
from northmen_env.engine.random import mix
from northmen_env.envs.opponents import Policy, suggestion_keys
from northmen_env.envs.vector import make_vector

if TYPE_CHECKING:
    from northmen_agents.train.config import MeasureConfig
    from northmen_env.engine.game import Game

ENVS = 64
Z = 1.959963984540054  # of a 95 % interval


@dataclass(frozen=True)
class Fared:
    """Games of a policy in one seat against one opponent in all others.

    Attributes:
        opponent, players, seat: who was met, where.
        games: finished.
        unfinished: given up because they took too many decisions.
        share: of first places; one that k seats have in common counts 1 / k.
        low, high: 95 % interval of the share (Wilson).
        equal: what a player as good as the others has.
        mean_return: of the learner.
        length: its mean number of decisions.
    """

    opponent: str
    players: int
    seat: int
    games: int
    unfinished: int
    share: float
    low: float
    high: float
    equal: float
    mean_return: float
    length: float


class Suggested:
    """The policy that takes the heuristic's suggestion."""

    needs_suggestion = True

    def act_many(
        self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray, suggestions: np.ndarray
    ) -> np.ndarray:
        return suggestions


class Uniform:
    """The policy that chooses uniformly among the legal actions."""

    def act_many(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        chosen = ((keys >> np.uint64(11)) * 2.0**-53 * masks.sum(axis=1)).astype(np.int64)
        return np.asarray((np.cumsum(masks, axis=1, dtype=np.int64) == chosen[:, None] + 1).argmax(axis=1))


def batched_policy(factory: AgentFactory, game: Game) -> Policy | None:
    """Return what plays many games at once as agents of a factory would; None: they have to be asked one by one."""
    own: dict[str, Any] = {"heuristic": Suggested, "random": Uniform}
    return own[factory.kind]() if factory.kind in own else factory.many(game)


def measure(
    policy: Policy, games: Sequence[Game], config: MeasureConfig, seed: int, num_threads: int = 1
) -> list[Fared]:
    """Play `config.games` games in each seat, with each number of players, against each opponent.

    Args:
        policy: who is measured. Chance follows from `seed`, whatever the number of threads.
        games: a configuration for each number of players.
        config: opponents and numbers.
        seed: of the games and of all players.
    """
    from northmen_agents.train.config import factories

    found = []
    for name, factory in factories(config.opponents, "measure.opponents").items():
        for game in games:
            for seat in range(game.num_players):
                found.append(_fared(policy, game, name, factory, seat, config, seed, num_threads))
    return found


def _fared(
    policy: Any, game: Game, name: str, factory: AgentFactory, seat: int, config: MeasureConfig, seed: int, threads: int
) -> Fared:
    num_envs = min(ENVS, config.games)
    share = -(-config.games // num_envs)  # as many of each env: games that end soon must not count for more
    wanted = np.full(num_envs, share)
    wanted[: share * num_envs - config.games] -= 1
    opponents: Any = factory.kind if factory.kind in ("random", "heuristic") else factory
    envs: Any = make_vector(game, num_envs, seat=seat, opponents=opponents, mask_in="both", num_threads=threads)
    observation, info = envs.reset(seed=seed % 2**32)
    key, done = mix(mix(seed, game.num_players), seat), np.zeros(num_envs, np.int64)
    decisions, step = np.zeros(num_envs, np.int64), 0
    wins: list[float] = []
    returns: list[float] = []
    lengths: list[int] = []
    unfinished = 0
    while (done < wanted).any():
        keys = np.array([mix(key, step * num_envs + i) for i in range(num_envs)], np.uint64)
        given: tuple[Any, ...] = (observation["observation"], observation["action_mask"], keys)
        if getattr(policy, "needs_suggestion", False):
            given = (*given, envs.suggestions(suggestion_keys(keys)))
        actions = policy.act_many(*given)
        observation, _, ended, _, info = envs.step(actions)
        step, decisions = step + 1, decisions + 1
        for i in np.flatnonzero(ended).tolist():
            if done[i] < wanted[i]:
                final = np.asarray(info["final_info"]["returns"][i])[: game.num_players]
                wins.append(float(final[seat] == final.max()) / int((final == final.max()).sum()))
                returns.append(float(final[seat]))
                lengths.append(int(decisions[i]))
                done[i] += 1
            decisions[i] = 0
        late = (decisions >= config.most_decisions) & (done < wanted)
        unfinished += int((wanted - done)[late].sum())  # this env would never come to its other games
        wanted[late] = done[late]
    envs.close()
    mean = float(np.mean(wins)) if wins else 0.0
    low, high = wilson(mean, len(wins))
    return Fared(
        name, game.num_players, seat, len(wins), unfinished, mean, low, high, 1.0 / game.num_players,
        float(np.mean(returns)) if returns else 0.0, float(np.mean(lengths)) if lengths else 0.0,
    )  # fmt: skip


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); (0, 1) without games."""
    if games == 0:
        return 0.0, 1.0
    z2 = Z * Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games)) / (1 + z2)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def together(rows: Sequence[Fared]) -> list[dict[str, Any]]:
    """Return, for each opponent and number of players, all seats as one: games, share, interval, equal share."""
    groups: dict[tuple[str, int], list[Fared]] = {}
    for row in rows:
        groups.setdefault((row.opponent, row.players), []).append(row)
    found = []
    for (opponent, players), group in groups.items():
        games = sum(row.games for row in group)
        share = sum(row.share * row.games for row in group) / max(games, 1)
        low, high = wilson(share, games)
        found.append(
            {"opponent": opponent, "players": players, "games": games, "share": share, "low": low, "high": high,
             "equal": 1.0 / players}
        )  # fmt: skip
    return found


def as_json(rows: Sequence[Fared], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return rows and their sums as JSON values."""
    return {**more, "seats": [asdict(row) for row in rows], "together": together(rows)}


def show(rows: Sequence[Fared], console: Console, title: str) -> None:
    """Print a table."""
    table = Table(title=title, title_justify="left")
    for column in ("against", "players", "seat", "games", "unfinished", "share of wins", "95 %", "equal", "return"):
        table.add_column(column, justify="left" if column == "against" else "right")
    for row in rows:
        table.add_row(
            row.opponent, str(row.players), str(row.seat), str(row.games), str(row.unfinished), f"{row.share:.3f}",
            f"{row.low:.3f}–{row.high:.3f}", f"{row.equal:.3f}", f"{row.mean_return:+.3f}",
        )  # fmt: skip
    console.print(table)
