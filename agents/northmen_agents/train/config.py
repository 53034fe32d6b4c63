"""What a training, and an evaluation, are made of: the models that a composed configuration has to satisfy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from northmen_agents.config import ConfigError, FolderName, GameConfig, validated_as
from northmen_agents.kinds import AgentFactory, kinds, make_factory

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

Sizes = Annotated[list[Annotated[int, Field(ge=1, le=65536)]], Field(max_length=16)]
Players = Annotated[list[int], Field(min_length=1)]


MOST = 1e30
STATE = "training.safetensors"
"""File in the folder of a training that it goes on from."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _fits_float32(cls, value: Any) -> Any:
        if isinstance(value, float) and abs(value) > MOST:
            raise ValueError(f"a number beyond {MOST:g} is more than 32 bits compute with")
        return value


class NetworkConfig(_Strict):
    """Sizes of the hidden layers.

    Attributes:
        trunk: shared by policy and value; at least one.
        policy, value: of each head, between the trunk and the output.
        trust: None; or the policy is a residual one: it is told what the game's heuristic would do, adds to that
            action's logit what the trunk says, at the beginning this number, and learns where to depart from it.
    """

    trunk: Annotated[Sizes, Field(min_length=1)] = Field(default_factory=lambda: [256])
    policy: Sizes = Field(default_factory=lambda: [128])
    value: Sizes = Field(default_factory=lambda: [128])
    trust: float | None = None


class PPOConfig(_Strict):
    """Settings of PPO, by the names of their papers.

    Attributes:
        envs: games at once.
        rollout: decisions of the learner in each game between two updates.
        batch: samples of a gradient step.
        epochs: passes over a rollout.
        learning_rate, anneal: the rate, and whether it falls to 0 from the first of all steps to the last.
        gamma: 1 in games that end.
        gae_lambda, clip, entropy, value_weight, max_gradient: as usual.
        target_kl: an update stops where the policy has moved further than this; None: never.
    """

    envs: int = Field(64, ge=1, le=65536)
    rollout: int = Field(128, ge=1, le=1_000_000)
    batch: int = Field(1024, ge=2)
    epochs: int = Field(4, ge=1, le=1000)
    learning_rate: float = Field(3e-4, gt=0)
    anneal: bool = True
    gamma: float = Field(1.0, gt=0, le=1)
    gae_lambda: float = Field(0.95, ge=0, le=1)
    clip: float = Field(0.2, gt=0)
    entropy: float = Field(0.01, ge=0)
    value_weight: float = Field(0.5, ge=0)
    max_gradient: float = Field(0.5, gt=0)
    target_kl: float | None = Field(None, gt=0)

    @model_validator(mode="after")
    def _divides(self) -> PPOConfig:
        if (self.envs * self.rollout) % self.batch:
            raise ValueError(
                f"ppo.batch must divide envs x rollout, {self.envs * self.rollout} samples, which {self.batch} does not"
            )
        return self


class ImitationConfig(_Strict):
    """A beginning in which the learner plays, and is told what the game's heuristic would have done.

    Attributes:
        steps: of all `steps`, those that it takes, at most; 0: none.
        learning_rate: of policy and value; it falls to a fiftieth towards the end.
        batch: samples of a gradient step.
        epochs: passes over a rollout.
    """

    steps: int = Field(0, ge=0)
    learning_rate: float = Field(1e-3, gt=0)
    batch: int = Field(1024, ge=2)
    epochs: int = Field(2, ge=1, le=1000)


class PlayoutsConfig(_Strict):
    """A part, after imitation and before PPO, in which playouts tell what other actions would have been worth.

    At each decision of the learner some legal actions are played out (see `train.playouts`), and the policy's logits
    learn the differences divided by `temperature`; the value learns the returns of the learner's own play.

    Attributes:
        steps: of all `steps`, those that it takes, at most; 0: none.
        candidates: most actions that are compared: the heuristic's, the learner's and others at random.
        worlds: playouts of each.
        limit: decisions of a playout before the game's `evaluate` estimates the rest; None: to the end.
        temperature: the difference of returns that makes one action e times as probable as another.
        even: share of the error in which all candidates count alike; in the rest they count as probable as they are.
        learning_rate: of policy and value; it falls to a fiftieth towards the end.
        batch: samples of a gradient step.
        epochs: passes over a rollout.
    """

    steps: int = Field(0, ge=0)
    candidates: int = Field(4, ge=2, le=1024)
    worlds: int = Field(2, ge=1, le=10_000)
    limit: int | None = Field(None, ge=0)
    temperature: float = Field(0.05, gt=0)
    even: float = Field(1.0, ge=0, le=1)
    learning_rate: float = Field(1e-3, gt=0)
    batch: int = Field(1024, ge=2)
    epochs: int = Field(1, ge=1, le=1000)


class PoolConfig(_Strict):
    """Whom the learner meets; see `train.pool`.

    Attributes:
        latest: share of games in which all opponents are the learner as it is.
        past: most past selves that are kept; 0: none.
        every: decisions of the learner between two past selves.
        power: how much more often those are met who are harder to beat; 0: all alike.
        members: name -> kind and parameters of an agent that is always in the pool.
    """

    latest: float = Field(0.5, ge=0, le=1)
    past: int = Field(8, ge=0, le=1000)
    every: int = Field(100_000, ge=1)
    power: float = Field(1.0, ge=0, le=10)
    members: dict[str, dict[str, Any]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _somebody(self) -> PoolConfig:
        if self.latest < 1 and not self.members:
            raise ValueError(
                "the pool is empty at the start: put somebody under pool.members, or set pool.latest to 1 (self-play)"
            )
        factories(self.members, "pool.members")
        return self


class MeasureConfig(_Strict):
    """How a policy is measured.

    Attributes:
        opponents: name -> kind and parameters; each fills all other seats.
        games: in each seat.
        greedy: whether the policy plays its most probable action.
        most_decisions: cap on the learner's decisions in a game; a game that is longer counts as unfinished.
    """

    opponents: dict[str, dict[str, Any]] = Field(default_factory=lambda: {"random": {"kind": "random"}})
    games: int = Field(200, ge=1, le=10_000_000)
    greedy: bool = False
    most_decisions: int = Field(10_000, ge=1)

    @model_validator(mode="after")
    def _exist(self) -> MeasureConfig:
        factories(self.opponents, "measure.opponents")
        return self


class _Playing(_Strict):
    """What a training and an evaluation have in common."""

    name: FolderName
    results: str = "results"
    game: GameConfig
    players: Players = Field(default_factory=lambda: [2])
    history: int = Field(0, ge=0)
    seed: int = Field(0, ge=0, le=2**32 - 1)
    measure: MeasureConfig = Field(default_factory=MeasureConfig)

    @field_validator("players", mode="before")
    @classmethod
    def _may_be_one(cls, value: Any) -> Any:
        return [value] if isinstance(value, int) else value

    def load_games(self, **options: Any) -> list[Game]:
        """Return the game with each number of players. Raises ConfigError for a wrong name, option or number."""
        import northmen_env as nm

        if "num_players" in self.game.options:
            raise ConfigError("set the number of players by players=, not by game.options.num_players")
        given = {**self.game.options, "history": self.history, **options}
        try:
            games = [nm.load(self.game.name, num_players=players, **given) for players in self.players]
        except (ValueError, TypeError, OSError) as error:
            raise ConfigError(str(error)) from error
        if any(game.num_players < 2 for game in games):
            raise ConfigError("a learner needs opponents: choose at least two players")
        return games


class TrainConfig(_Playing):
    """The configuration of `northmen train`.

    Attributes:
        name, results: the run's folder is `<results>/<name>`.
        game, players: what is played; with several numbers of players one network learns them all.
        history, dense: as in `northmen_env.load`.
        departure: reward that is taken off for each action that is not the heuristic's suggestion, so that the learner
            departs only where it gains more. Needs `network.trust`.
        seed: of games, network and opponents.
        steps: decisions of the learner.
        imitation, playouts, ppo, network, pool, measure: see there.
        save: decisions between two writes of the state that a killed run goes on from.
        threads: of torch.
        env_threads: that the games are divided among.
        overwrite: whether to start anew where a run exists.
    """

    dense: bool = False
    departure: float = Field(0.0, ge=0)
    steps: int = Field(ge=1)
    imitation: ImitationConfig = Field(default_factory=ImitationConfig)
    playouts: PlayoutsConfig = Field(default_factory=PlayoutsConfig)
    ppo: PPOConfig = Field(default_factory=PPOConfig)
    network: NetworkConfig = Field(default_factory=NetworkConfig)
    pool: PoolConfig = Field(default_factory=PoolConfig)
    save: int = Field(100_000, ge=1)
    threads: int = Field(1, ge=1, le=1024)
    env_threads: int = Field(1, ge=1, le=1024)
    overwrite: bool = False

    @model_validator(mode="after")
    def _from_somewhere(self) -> TrainConfig:
        if self.departure > 0 and self.network.trust is None:
            raise ValueError(
                "departure is paid by a policy that knows the heuristic's suggestion: set network.trust too"
            )
        return self

    @property
    def told(self) -> bool:
        """Whether the learner is told what the heuristic would do."""
        return self.network.trust is not None or self.imitation.steps + self.playouts.steps > 0

    def identity(self) -> dict[str, Any]:
        """Return what decides the result, as JSON values: compared where a run goes on.

        Members of the pool are there with their versions, and checkpoints with the hash of what is in them.
        """
        from northmen_env.version import __version__

        kept = self.model_dump(mode="json", exclude={"name", "results", "overwrite", "measure", "save", "env_threads"})
        members = factories(self.pool.members, "pool.members")
        kept["pool"]["members"] = {name: factory.described(self.game.name) for name, factory in members.items()}
        return {"package_version": __version__, **kept}


class EvaluateConfig(_Playing):
    """The configuration of `northmen evaluate`.

    Attributes:
        agent: kind and parameters of who is measured; None with `exploit`.
        exploit: None; or an agent that is frozen, and that a fresh learner is trained against: the name of a kind, the
            path of a checkpoint, or kind and parameters.
        training: entries of a `TrainConfig`, for the learner of `exploit`.
        overwrite: whether the training of `exploit` starts anew where one exists.
    """

    agent: dict[str, Any] | None = None
    exploit: dict[str, Any] | None = None
    training: dict[str, Any] = Field(default_factory=dict)
    overwrite: bool = False

    @field_validator("exploit", mode="before")
    @classmethod
    def _may_be_a_name(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return {"kind": value} if value in kinds() else {"kind": "ppo", "checkpoint": value}

    @model_validator(mode="after")
    def _one_of_both(self) -> EvaluateConfig:
        if (self.agent is None) == (self.exploit is None):
            raise ValueError(
                "say who is measured, as in agent=ppo agent.checkpoint=results/my-run/policy.safetensors, or against "
                "whom a fresh learner is trained, as in exploit=heuristic; not both"
            )
        own = sorted(
            {"pool", "measure", "name", "results", "game", "players", "history", "seed", "overwrite"} & {*self.training}
        )
        if own:
            raise ValueError(f"training.{own[0]} cannot be set: it follows from the evaluation and from who is frozen")
        for name, entry in (("agent", self.agent), ("exploit", self.exploit)):
            if entry is not None:
                factories({name: entry}, "")
        return self


def factories(agents: dict[str, dict[str, Any]], where: str) -> dict[str, AgentFactory]:
    """Return factories by name. Raises ValueError for an entry without a kind, and for a wrong kind or parameter."""
    found = {}
    for name, entry in agents.items():
        place = f"{where}.{name}" if where else name
        if not isinstance(entry.get("kind"), str):
            raise ValueError(f"{place} needs a kind, as in {place}={{kind: random}}")
        try:
            found[name] = make_factory(entry["kind"], **{key: value for key, value in entry.items() if key != "kind"})
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
    return found


def validated_training(composed: Any) -> TrainConfig:
    """Return the checked configuration. Raises ConfigError, which names each wrong entry."""
    return validated_as(TrainConfig, composed, "a training")


def validated_evaluation(composed: Any) -> EvaluateConfig:
    """Return the checked configuration. Raises ConfigError, which names each wrong entry."""
    return validated_as(EvaluateConfig, composed, "an evaluation")
