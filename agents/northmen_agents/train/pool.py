"""Whom a learner meets: itself, its past selves, and agents that never change.

With the probability `latest` all opponents of a game are the learner as it is. Otherwise each other seat is drawn from
the past selves and the fixed members, those more often who are harder to beat: in proportion to (1 - score) ** power,
the score being the learner's share of wins against them (ties count half), recent games counting more. This is
prioritised fictitious self-play: Heinrich, Lanctot & Silver, Fictitious self-play in extensive-form games, ICML 2015;
Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning, Nature 575, 2019.

A game keeps the opponents that it began with. Who is retired plays its games to the end, and its weights go then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from northmen_agents.network import PolicyNetwork, load_policy
from northmen_agents.train.config import PoolConfig, factories
from northmen_env.engine.opponents import ASKED
from northmen_env.envs.learners import OneByOne
from northmen_env.envs.opponents import COMPILED, Policy

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

MEMORY = 0.99
"""What a game counts for after another one against the same opponent."""
LEAST = 0.02
"""What is added to the weight of each member, so that nobody is forgotten."""
LATEST = "latest"


@dataclass
class Member:
    """One opponent.

    Attributes:
        name: as it stands in logs.
        kind: by which kernels and the batch know it (`engine.opponents`).
        games, won: discounted numbers; a tie is half won.
        file: of a past self's weights; None for the others.
        retired: whether it is chosen for no more games.
    """

    name: str
    kind: int
    games: float = 0.0
    won: float = 0.0
    file: str | None = None
    retired: bool = False

    @property
    def score(self) -> float:
        """The learner's share of wins, drawn towards one half while there are few games."""
        return (self.won + 1.0) / (self.games + 2.0)


class Pool:
    """The opponents of a training.

    Args:
        config: shares and numbers.
        game: whose policies are made.
        latest: the learner's policy.

    Attributes:
        policies: what a batch asks about kinds from `ASKED` on; the first is the learner's own. Only ever added to.
    """

    def __init__(self, config: PoolConfig, game: Game, latest: Policy) -> None:
        self.config = config
        self.policies: list[Any] = [latest]
        self.members: list[Member] = [Member(LATEST, ASKED)]
        for name, factory in factories(config.members, "pool.members").items():
            if factory.kind in COMPILED:
                self.members.append(Member(name, COMPILED[factory.kind]))
            else:
                self._add(name, factory.many(game) or OneByOne(factory), None)

    def _add(self, name: str, policy: Any, file: str | None) -> None:
        self.members.append(Member(name, ASKED + len(self.policies), file=file))
        self.policies.append(policy)

    def set_latest(self, policy: Policy) -> None:
        """Replace the learner's own policy, in the games that are going on too."""
        self.policies[0] = policy

    def choose(self, rng: np.random.Generator, kinds: np.ndarray) -> None:
        """Fill rows of `kinds` int64 (G, S - 1): the opponents of G games, clockwise from the learner."""
        games, others = kinds.shape
        open_to_all = [member for member in self.members[1:] if not member.retired]
        own = np.less(rng.random(games), self.config.latest)
        if not open_to_all:
            kinds[:] = ASKED
            return
        weights = np.array([(1.0 - member.score) ** self.config.power + LEAST for member in open_to_all])
        drawn = rng.choice(
            np.array([member.kind for member in open_to_all]), (games, others), p=weights / weights.sum()
        )
        kinds[:] = np.where(own[:, None], ASKED, drawn)

    def record(self, kind: int, won: float) -> None:
        """Take down a game against a member: 1 if the learner did better, 0.5 for a tie, 0."""
        for member in self.members:
            if member.kind == kind:
                member.games = MEMORY * member.games + 1.0
                member.won = MEMORY * member.won + won
                return

    def add_past_self(self, name: str, policy: PolicyNetwork, file: str, playing: Iterable[int]) -> list[str]:
        """Add the learner as it is; retire the oldest past self if there are too many.

        Args:
            name: its name.
            policy: its own copy.
            file: where its weights are.
            playing: kinds that are in a game now, or chosen for one.

        Returns:
            Files that nobody needs any more.
        """
        self._add(name, policy, file)
        past = [member for member in self.members if member.file is not None and not member.retired]
        for member in past[: max(len(past) - self.config.past, 0)]:
            member.retired = True
        still = set(playing)
        gone = [member for member in self.members if member.retired and member.kind not in still]
        for member in gone:
            self.policies[member.kind - ASKED] = None
            self.members.remove(member)
        return [member.file for member in gone if member.file is not None]

    def scores(self) -> dict[str, float]:
        """Return the learner's share of wins against each member that it met."""
        return {member.name: member.score for member in self.members if member.games > 0 and not member.retired}

    def saved(self) -> dict[str, Any]:
        """Return what `restore` needs, as JSON values."""
        return {"policies": len(self.policies), "members": [vars(member).copy() for member in self.members]}

    def restore(self, saved: Mapping[str, Any], folder: Path, read: Callable[[Path], Any] = load_policy) -> None:
        """Undo `saved`; files of past selves are in `folder`."""
        self.members = [Member(**member) for member in saved["members"]]
        self.policies += [None] * (saved["policies"] - len(self.policies))
        for member in self.members:
            if member.file is not None:
                self.policies[member.kind - ASKED] = read(folder / member.file)[1]
