"""Agents that search a tree: information-set Monte Carlo tree search, and PIMC as the known-weaker method.

`MCTSAgent` grows one tree over information sets: each simulation draws a world that the seat cannot tell from the true
one, and what it learns is kept where the seat that decides sees the same (Cowling, Powley & Whitehouse 2012).
`PIMCAgent` draws worlds and searches each as if all cards were open, which believes that a seat will know later what it
cannot know (strategy fusion; Frank & Basin 1998, Long et al. 2010). Both share `northmen_env.engine.search`, where all
sources are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from northmen_agents.base import BaseAgent, Observation, view_of
from northmen_agents.tree_search import Network, Searcher, SearchResult
from northmen_env.engine.playout import UNLIMITED
from northmen_env.engine.search.workspace import ACTING, PATH, ROOT_SEAT, Settings

if TYPE_CHECKING:
    from northmen_env.engine.game import Game
    from northmen_env.engine.view import View


class TreeSearchParameters(BaseModel):
    """What the two searchers have in common.

    Attributes:
        simulations: per decision, all threads together; None with `seconds`.
        seconds: time per decision, in place of `simulations`. What is played then depends on the machine.
        exploration: c of UCB1, or of PUCT with a network, in units of the returns.
        playout: `"random"`: uniformly; `"suggest"`: all seats play by the game's heuristic, which also gives the first
            action that is tried at a node.
        playout_decisions: None plays to the end; a number cuts playouts off after so many decisions behind the tree,
            and the game's `evaluate` estimates the rest.
        value: what the end of a game is worth: `"returns"`; or `"returns+evaluate"`, the mean of both, so that a clear
            result counts for more than a narrow one.
        backup: `"max-n"`: each seat maximises its own value; `"paranoid"`: all others are taken to minimise the
            searching seat's. Partners (`game.teams`) share the mean of their values.
        widening, widening_exponent: a node below the root that was visited v times chooses among
            `widening * v ** widening_exponent` actions, at least one; 0: among all.
        threads: trees that are grown at once and added up.
        nodes: most nodes of a tree, about 200 bytes each; None: as many as the simulations add, at most 200,000.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    simulations: int | None = Field(200, ge=1, le=10_000_000, strict=True)
    seconds: float | None = Field(None, gt=0, le=86_400)
    exploration: float = Field(0.7, ge=0, le=1000)
    playout: Literal["random", "suggest"] = "suggest"
    playout_decisions: int | None = Field(None, ge=0, le=1_000_000, strict=True)
    value: Literal["returns", "returns+evaluate"] = "returns+evaluate"
    backup: Literal["max-n", "paranoid"] = "max-n"
    widening: float = Field(1.0, ge=0, le=1000)
    widening_exponent: float = Field(0.5, ge=0, le=1)
    threads: int = Field(1, ge=1, le=256, strict=True)
    nodes: int | None = Field(None, ge=1, le=100_000_000, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _one_budget(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or given.get("seconds") is None:
            return given
        if given.get("simulations") is not None:
            raise ValueError("give simulations or seconds, not both (simulations=null with seconds)")
        return {**given, "simulations": None}

    @model_validator(mode="after")
    def _some_budget(self) -> TreeSearchParameters:
        if self.simulations is None and self.seconds is None:
            raise ValueError("give simulations or seconds: without either a search has no end")
        return self


class MCTSParameters(TreeSearchParameters):
    """Parameters of `MCTSAgent`.

    Attributes:
        observer: `"acting"`: nodes are what the seat to act sees, so that the others decide on what they know;
            `"root"`: what the searching seat sees, so that the statistics of the others' decisions are pooled over what
            they may hold, and are reached more often.
        reuse: whether the tree behind what was played since the last decision is kept.
        batch: simulations that wait for a network at once (`MCTSAgent.network`).
    """

    observer: Literal["acting", "root"] = "acting"
    reuse: bool = False
    batch: int = Field(16, ge=1, le=65536, strict=True)


class PIMCParameters(TreeSearchParameters):
    """Parameters of `PIMCAgent`.

    Attributes:
        world_simulations: simulations that each world gets before the next is drawn.
    """

    world_simulations: int = Field(20, ge=1, le=10_000_000, strict=True)


class TreeSearchAgent(BaseAgent):
    """What the two searchers have in common. With `simulations`, one seed gives one game."""

    needs_view: ClassVar[bool] = True
    Parameters: ClassVar[type[BaseModel]] = TreeSearchParameters
    parameters: TreeSearchParameters
    searcher: Searcher

    def act(self, observation: Observation, info: Mapping[str, Any]) -> int:
        return self.search(view_of(info)).action

    def search(self, view: View) -> SearchResult:
        """Return what a search of the decision at hand finds; the agent's stream moves on as with `act`."""
        return self.searcher.search(self.own(view), self.next_key())

    def settings(self, **more: Any) -> Settings:
        """Return the settings of the kernels, `more` in place of what the parameters say."""
        p = self.parameters
        values = {
            "player": self.seat,
            "keys": ACTING,
            "worlds_every": 1,
            "exploration": p.exploration,
            "widening": p.widening,
            "widening_exponent": p.widening_exponent,
            "network": 0,
            "by_suggest": int(p.playout == "suggest"),
            "limit": UNLIMITED if p.playout_decisions is None else p.playout_decisions,
            "with_estimate": int(p.value == "returns+evaluate"),
            "paranoid": int(p.backup == "paranoid"),
        }
        return Settings(**{**values, **more})


class MCTSAgent(TreeSearchAgent):
    """Single-observer information-set Monte Carlo tree search."""

    version: ClassVar[int] = 0
    Parameters: ClassVar[type[BaseModel]] = MCTSParameters
    parameters: MCTSParameters

    def __init__(self, game: Game, seat: int, seed: int, **parameters: Any) -> None:
        super().__init__(game, seat, seed, **parameters)
        p, network = self.parameters, self.network()
        self.searcher = Searcher(
            game,
            self.settings(
                keys=ACTING if p.observer == "acting" else ROOT_SEAT,
                network=int(network is not None),
            ),
            simulations=p.simulations,
            seconds=p.seconds,
            threads=p.threads,
            reuse=p.reuse,
            nodes=p.nodes,
            network=network,
            batch=p.batch,
        )

    def network(self) -> Network | None:
        """Return what evaluates leaves in place of playouts; a subclass with a network overrides this."""
        return None


class PIMCAgent(TreeSearchAgent):
    """Perfect information Monte Carlo: a search of each of many worlds with open cards, added up."""

    version: ClassVar[int] = 0
    Parameters: ClassVar[type[BaseModel]] = PIMCParameters
    parameters: PIMCParameters

    def __init__(self, game: Game, seat: int, seed: int, **parameters: Any) -> None:
        super().__init__(game, seat, seed, **parameters)
        p = self.parameters
        self.searcher = Searcher(
            game,
            self.settings(keys=PATH, worlds_every=p.world_simulations),
            simulations=p.simulations,
            seconds=p.seconds,
            threads=p.threads,
            nodes=p.nodes,
        )
