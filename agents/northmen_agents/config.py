"""Where the configurations are, and the models that a composed configuration has to satisfy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from northmen_agents.arena.schedule import LineUps, Orders, Schedule
from northmen_agents.arena.sequential import DealByDeal, SequentialTest
from northmen_agents.kinds import AgentFactory, make_factory

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

_PACKAGE = Path(__file__).resolve().parent
_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
Model = TypeVar("Model", bound=BaseModel)
_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class ConfigError(ValueError):
    """A configuration cannot be used; the sentence names the entry and what is allowed."""


def configs_folder() -> Path:
    """Return the folder of the configurations: inside the package in a wheel, at the top of a checkout.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for folder in (_PACKAGE / "configs", _PACKAGE.parent.parent / "configs"):
        if (folder / "tournament.yaml").is_file():
            return folder
    raise FileNotFoundError(f"the configurations of northmen-env were not found beside {_PACKAGE}; install it again")


def _is_a_folder(value: str) -> str:
    if not _FOLDER.fullmatch(value):
        raise ValueError(f"name is a folder's name of letters, digits, dots, dashes and underscores, not {value!r}")
    return value


FolderName = Annotated[str, AfterValidator(_is_a_folder)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GameConfig(_Strict):
    """The group `game/`.

    Attributes:
        name: one of `northmen_env.games()`.
        options: options of the game, `num_players` excepted.
    """

    name: str
    options: dict[str, Any] = Field(default_factory=dict)


class ExecutorConfig(_Strict):
    """The group `executor/`; it does not change results.

    Attributes:
        kind: `"local"`: processes of this machine. `"ray"`: tasks on a Ray cluster.
        workers: how many games are played at once; None for one per usable core, or per CPU of the cluster. One local
            worker plays in this process.
        start_method: local: how processes are started.
        address: ray: `"auto"` for the cluster that this machine belongs to, `"host:6379"` for one that it can join as
            a driver; None starts Ray on this machine for this run.
    """

    kind: Literal["local", "ray"] = "local"
    workers: int | None = Field(None, ge=1, le=100_000)
    start_method: Literal["spawn", "forkserver", "fork"] = "spawn"
    address: str | None = None

    @model_validator(mode="after")
    def _belong_together(self) -> ExecutorConfig:
        other = {"local": "address", "ray": "start_method"}[self.kind]
        if other in self.model_fields_set:
            raise ValueError(f"executor={self.kind} has no {other}")
        return self


class SequentialConfig(_Strict):
    """The entry `sequential`: play until a test has decided, see `arena.sequential`.

    Attributes:
        agents: the two that are compared; the claim is that the first is the stronger one.
        low, high, alpha, beta: see `arena.sequential.SequentialTest`.
    """

    agents: Annotated[list[str], Field(min_length=2, max_length=2)]
    low: float = 0.0
    high: float = 35.0
    alpha: float = 0.05
    beta: float = 0.05

    @model_validator(mode="after")
    def _is_a_test(self) -> SequentialConfig:
        self.test()
        return self

    def test(self) -> SequentialTest:
        """Return the test. Raises ValueError with a sentence where the entries make none."""
        first, second = self.agents
        return SequentialTest((first, second), self.low, self.high, self.alpha, self.beta)


class TournamentConfig(_Strict):
    """The configuration of `northmen tournament`.

    Attributes:
        name: of the folder in `results`.
        results: folder of all results.
        game: what is played.
        players: seats of each game.
        agents: display name -> kind and parameters.
        seed: of the tournament: deals, agents' chance, bootstrap.
        deals: number of deals; each line-up plays each in its seat orders.
        line_ups, orders, focus: see `arena.schedule.Schedule`.
        sequential: None plays all deals; otherwise `deals` is the most that are played.
        anchors: agent -> rating; these agents have theirs on average. Without any, the mean of all is 1500.
        bootstrap: resamples behind the intervals.
        overwrite: whether to start anew where results exist.
        executor: who plays.
    """

    name: FolderName
    results: str = "results"
    game: GameConfig
    players: int
    agents: dict[str, dict[str, Any]]
    seed: int = Field(0, ge=0, le=2**64 - 1)
    deals: int = Field(ge=1, le=10_000_000)
    line_ups: LineUps = "round-robin"
    orders: Orders = "auto"
    focus: list[str] = Field(default_factory=list)
    sequential: SequentialConfig | None = None
    anchors: dict[str, float] = Field(default_factory=dict)
    bootstrap: int = Field(200, ge=0, le=100_000)
    overwrite: bool = False
    executor: ExecutorConfig = Field(default_factory=ExecutorConfig)

    @field_validator("anchors", mode="before")
    @classmethod
    def _may_be_none(cls, value: Any) -> Any:
        return {} if value is None else value  # in YAML, so that anchors={random: 1000} can be written

    @field_validator("agents")
    @classmethod
    def _are_named(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        for name, entry in value.items():
            if not _AGENT.fullmatch(name):
                raise ValueError(f"an agent's name is made of letters, digits, dashes and underscores, not {name!r}")
            if not isinstance(entry.get("kind"), str):
                raise ValueError(f"agents.{name} needs a kind, as in agents.{name}={{kind: random}}")
        return value

    @model_validator(mode="after")
    def _name_agents(self) -> TournamentConfig:
        if len(self.agents) < min(self.players, 2):
            raise ValueError("a tournament needs at least two agents under agents:")
        named = {
            "focus": self.focus,
            "anchors": list(self.anchors),
            "sequential.agents": self.sequential.agents if self.sequential else [],
        }
        for entry, names in named.items():
            for name in names:
                if name not in self.agents:
                    raise ValueError(
                        f"{entry} names {name!r}, which is not one of the agents: {', '.join(self.agents)}"
                    )
        return self

    def factories(self) -> dict[str, AgentFactory]:
        """Return the agents' factories by name. Raises ConfigError for a wrong kind or parameter."""
        found = {}
        for name, entry in sorted(self.agents.items()):
            parameters = {key: value for key, value in entry.items() if key != "kind"}
            try:
                found[name] = make_factory(entry["kind"], **parameters)
            except ValueError as error:
                raise ConfigError(f"agents.{name}: {error}") from error
        return found

    def load_game(self) -> Game:
        """Return the game. Raises ConfigError for a wrong game, option or number of players."""
        import northmen_env as nm

        if "num_players" in self.game.options:
            raise ConfigError("set the number of players by players=, not by game.options.num_players")
        try:
            return nm.load(self.game.name, num_players=self.players, **self.game.options)
        except (ValueError, TypeError, OSError) as error:
            raise ConfigError(str(error)) from error

    def schedule(self, game: Game) -> Schedule:
        """Return the games to play. Raises ConfigError where line-ups, orders and focus do not fit together."""
        sides = game.teams if any(len(team) > 1 for team in game.teams) else ()
        try:
            return Schedule(
                tuple(self.agents),
                game.num_players,
                self.deals,
                self.seed,
                line_ups=self.line_ups,
                orders=self.orders,
                focus=tuple(self.focus),
                teams=sides,
            )
        except ValueError as error:
            raise ConfigError(str(error)) from error

    def judge(self, schedule: Schedule) -> DealByDeal | None:
        """Return what judges the sequential test, if there is one. Raises ConfigError where others play too."""
        if self.sequential is None:
            return None
        try:
            return DealByDeal(self.sequential.test(), schedule)
        except ValueError as error:
            raise ConfigError(str(error)) from error

    def identity(self, game: Game, factories: Mapping[str, AgentFactory]) -> dict[str, Any]:
        """Return everything that decides the results, as JSON values: stored with them and compared on resuming."""
        from northmen_agents.arena.replay import tables_sha256
        from northmen_env.ledger import ledger_version
        from northmen_env.version import __version__

        return {
            "package_version": __version__,
            "ledger_version": ledger_version(game.name),
            "tables_sha256": tables_sha256(game),
            "observation_schema": game.observation_schema,
            "game": game.name,
            "options": game.options_dict,
            "agents": {name: factory.described(self.game.name) for name, factory in factories.items()},
            "seed": self.seed,
            "deals": self.deals,
            "line_ups": self.line_ups,
            "orders": self.orders,
            "focus": sorted(self.focus),
            "sequential": self.sequential.model_dump() if self.sequential else None,
        }

    def settings(self) -> dict[str, Any]:
        """Return the whole configuration as JSON values."""
        return self.model_dump(mode="json")


def validated(composed: Any) -> TournamentConfig:
    """Return the checked configuration.

    Args:
        composed: nested dicts, as Hydra composed them.

    Raises:
        ConfigError: the sentences name each wrong entry.
    """
    return validated_as(TournamentConfig, composed, "a tournament")


def validated_as(model: type[Model], composed: Any, what: str) -> Model:
    """Return `composed` as a model, checked; `what` is the configuration's name in a sentence. Raises ConfigError."""
    try:
        return model.model_validate(composed)
    except ValidationError as error:
        raise ConfigError("; ".join(_sentence(item, what) for item in error.errors())) from None


def _sentence(item: Any, what: str) -> str:
    where = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"there is no entry {where!r} in the configuration of {what}"
    if item["type"] == "value_error":
        return str(item["ctx"]["error"])
    return f"{where} cannot be {item.get('input')!r}: {item['msg'][0].lower()}{item['msg'][1:]}"
