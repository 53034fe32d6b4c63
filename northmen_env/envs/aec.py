"""The PettingZoo form: one seat after the other acts (`pettingzoo.AECEnv`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo.utils.env import AECEnv

from northmen_env.engine import boundary, rewards
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.game import Game
from northmen_env.engine.state import State, refuse_impossible
from northmen_env.envs.episodes import (
    MASK_IN,
    EpisodeSeeds,
    as_action,
    checked_choice,
    checked_render_seat,
    copied_space,
    game_header,
    game_of,
    generators,
    observation_space,
    pack,
    set_generators,
    unpack,
)
from northmen_env.envs.rendering import checked_render_mode, render_modes, rendered

T = TypeVar("T")
METADATA: dict[str, Any] = {
    "name": "northmen",
    "render_modes": render_modes(),
    "is_parallelizable": False,
    "render_fps": 2,
}
_AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")


class NorthmenAEC(AECEnv[str, Any, int]):
    """A game of two or more seats as a PettingZoo environment.

    Description:
        Agents are `player_0` ... `player_<n-1>`, one for each seat. `agent_selection` is the seat to act.

    Action Space:
        Discrete(A). The legal actions of the seat to act are those with a 1 in its mask.

    Observation Space:
        With `mask_in` "obs" (default) or "both" a Dict: `observation` float32 (D,) in [-1, 1], `action_mask` int8 (A,).
        With "info" the observation alone, and the mask in `info["action_mask"]`; with "both" it is in both places. The
        mask of a seat that is not to act, and every mask after the end, is all zero. `observe` is valid for every seat
        at any time after `reset`, also for seats that have left. Arrays are fresh: they are yours to keep and change.

    Rewards:
        `rewards` holds the payments of the last step; `last` gives what a seat was paid since it acted before. A seat's
        payments add up to `State.returns`. They are zero before the end, unless `dense=True`.

    Episode End:
        All seats terminate in the same step and nobody is ever truncated. Then each is selected once more, in the order
        of the seats, and accepts `step(None)` only; after the last one `agents` is empty.

    Illegal actions:
        An action that is not legal ends the game: -1 for who chose it, an equal share of +1 for each other player (a
        team counts as one), all terminated, and `infos[agent]["illegal_action"]` is True for who chose it. A number
        outside of the action space, or something that is no integer, raises and changes nothing.

    Seeds:
        `reset(seed=s)` starts `game.new_initial_state(s)`. A reset without a seed goes on: game number `k` after it has
        the seed `engine.random.episode_seed(s, k)`. No global random state is read or changed.

    Saving:
        `copy.deepcopy`, `pickle` and `get_state` / `set_state` work at every point, spaces' random generators included.

    Args:
        game: a name of `northmen_env.games()`, or a `Game`.
        mask_in: "obs", "info" or "both".
        render_mode: None; "human" prints the board as text after each step; "ansi" returns it; "rgb_array" returns
            uint8 (H, W, 3) and needs the extra `render`.
        render_seat: whose hidden pieces `render` shows; None for a spectator, who sees no hidden piece.
        options: of the game, `history` and `dense`; none with a `Game`.

    Attributes:
        game: the configuration.
        state_space: of `state()`.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game,
        *,
        mask_in: str = "obs",
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = game = game_of(game, options)
        self.mask_in = checked_choice("mask_in", mask_in, MASK_IN)
        self.render_mode = checked_render_mode(render_mode)
        self.render_seat = checked_render_seat(game, render_seat)
        name = f"northmen_{game.name}_v{game.spec.version}"
        self.metadata = {**self.metadata, "name": name, "render_modes": render_modes()}
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.observation_spaces = {agent: observation_space(game, mask_in) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self.state_space = spaces.Box(-1.0, 1.0, (game.num_players * game.observation_size,), np.float32)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeds = EpisodeSeeds()
        self._allocate()

    def _allocate(self) -> None:
        game = self.game
        self._rules, self._size, self._num_actions = game.rules, game.observation_size, game.num_actions
        self._turn = game.turn
        self._buffer, self._states = new_buffer(game.spec.state_dtype)
        self._ids = np.zeros(game.max_legal, np.int16)
        self._paid = np.zeros(game.seats)
        self._payments = np.zeros(game.seats)
        self._code = 0  # seat to act and number of its legal actions, see engine.boundary
        self._ready: Any = None  # the observation of the seat to act, made in `step`, handed out once
        self._running = False
        self._has_reset = False
        self._steps = 0  # counts calls that move the game on, for `agent_iter`

    # -- playing -------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; see "Seeds" above. All `options` are ignored."""
        key = np.uint64(self._seeds.next(seed))
        self._buffer[:] = bytes(len(self._buffer))
        self._states["seed"] = key
        observation, mask = np.empty(self._size, np.float32), np.empty(self._num_actions, np.int8)
        self._code = self._turn(
            self._rules, self._states, boundary.BEGIN, self._ids, mask, observation, self._paid, self._payments
        )
        self._start()

    def set_game_state(self, state: State) -> None:
        """Play on from a copy of `state`, a state of the same `Game` that has not ended, as if the game began there.

        For puzzles, curricula and tests. Nothing counts as paid yet, and the stream of seeds is where it was.
        """
        if not isinstance(state, State) or state.game != self.game:
            raise ValueError(f"set_game_state takes a State of {self.game!r}, not {state!r}")
        if state.is_terminal():
            raise ValueError("this game has ended already, so nobody could act")
        self._buffer[:] = state.array.tobytes()
        self._code = boundary.legal(self._rules, self._states, self._ids)
        self._start()

    def _start(self) -> None:
        self._paid[:] = 0.0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._ready, self._running, self._has_reset = None, True, True
        self._steps += 1
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[(self._code >> 16) - 1]
        if self.mask_in != "obs":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._mask(agent)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Take `action` for `agent_selection`; None, and nothing else, for a seat that has terminated.

        Raises:
            ValueError, TypeError: the action is outside of the action space, or not None after the end.
            ResetNeeded: there is no game, or everybody has left it.
        """
        if not self._running or type(action) is not int:
            if self._running and isinstance(action, np.integer):
                action = int(action)
            else:
                action = self._checked(action)
            if action is None:
                self._was_dead_step(None)
                self._steps += 1
                return
        if not 0 <= action < self._num_actions:
            as_action(action, self._num_actions)  # raises
        observation = np.empty(self._size, np.float32)
        mask = np.empty(self._num_actions, np.int8)
        self._code = code = self._turn(
            self._rules, self._states, action, self._ids, mask, observation, self._paid, self._payments
        )
        agent = self.agent_selection
        self._steps += 1
        if code < 65536:
            self._end(agent, code == boundary.REFUSED)
            return
        self._cumulative_rewards[agent] = 0.0
        if self.game.dense:
            self._pay()
        if self.mask_in == "obs":
            self._ready = {"observation": observation, "action_mask": mask}
            self.agent_selection = self.possible_agents[(code >> 16) - 1]
            if self.render_mode == "human":
                self.render()
        else:
            self._ready = observation if self.mask_in == "info" else {"observation": observation, "action_mask": mask}
            self._select()

    def _checked(self, action: Any) -> int | None:
        """Return the action as an int, or None for the step of a seat that has terminated."""
        self._need_reset("step")
        if not self.agents:
            raise ResetNeeded("the game is over and everybody has left it: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"{agent} has terminated, so step() takes None for it, not {action!r}")
            return None
        if action is None:
            raise ValueError(f"{agent} is to act: step() takes None only for agents that have terminated")
        return as_action(action, self._num_actions)

    def _pay(self) -> None:
        self.rewards = dict(zip(self.possible_agents, self._payments.tolist()))
        self._accumulate_rewards()

    def _end(self, agent: str, illegal: bool) -> None:
        if illegal:
            game = self.game
            teams = rewards.team_numbers(game.teams, game.seats)
            rewards.pay_illegal(teams, self._seats[agent], game.num_players, self._paid, self._payments)
            self.infos[agent]["illegal_action"] = True
        self._cumulative_rewards[agent] = 0.0
        self._pay()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _deads_step_first(self) -> str:
        """As PettingZoo's; its wrapper for illegal actions calls this too, when it ends the game by itself."""
        self._running, self._ready = False, None
        if self.mask_in != "obs":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = np.zeros(self._num_actions, np.int8)
        first: str = super()._deads_step_first()
        return first

    # -- what agents receive -------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Any:
        """Return what `agent` may know now, as an element of its observation space: fresh arrays."""
        self._need_reset("observe")
        seat = self._of(agent, self._seats)
        observation = np.empty(self._size, np.float32)
        boundary.observe(self._rules, self._states, seat, observation)
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> np.ndarray:
        mask = np.zeros(self._num_actions, np.int8)
        if self._running and agent == self.agent_selection:
            mask[self._ids[: self._code & 65535]] = 1
        return mask

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last action, terminated, truncated and info of `agent_selection`."""
        if not self._has_reset:
            self._need_reset("last")
        if not self.agents:
            raise ResetNeeded("the game is over and everybody has left it: call reset() before last()")
        agent = self.agent_selection
        observation = None
        if observe:
            observation, self._ready = self._ready, None
            if observation is None:
                observation = self.observe(agent)
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield `agent_selection` until everybody has left; the loop has to call `step` (or `reset`) each time."""
        self._need_reset("agent_iter")
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        steps = -1
        while self.agents and max_iter > 0:
            if steps == self._steps:
                raise ResetNeeded("a loop over agent_iter() has to call step() or reset() each time")
            steps = self._steps
            max_iter -= 1
            yield self.agent_selection

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space: the same object each time, another one for each agent."""
        return self._of(agent, self.observation_spaces)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space: the same object each time, another one for each agent."""
        return self._of(agent, self.action_spaces)

    def _of(self, agent: str, kept: dict[str, T]) -> T:
        """Return what is kept for an agent. Raises ValueError if there is no such agent."""
        try:
            return kept[agent]
        except (KeyError, TypeError):
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}") from None

    # -- full information, for trainers and pictures ------------------------------------------------------------------

    def state(self) -> np.ndarray:
        """Return float32 (n * D,): the observations of all seats, seat 0 first.

        This is more than any seat may know. It serves centralised training; whoever acts on it cheats.
        """
        self._need_reset("state")
        out = np.empty((self.game.num_players, self._size), np.float32)
        for seat in range(self.game.num_players):
            boundary.observe(self._rules, self._states, seat, out[seat])
        return out.reshape(-1)

    def game_state(self) -> State:
        """Return a copy of the game's state: full information, as `state`. Its event log begins here."""
        self._need_reset("game_state")
        return State._from_record_bytes(self.game, self._buffer)

    def render(self) -> Any:
        """Return the picture that `render_mode` asks for; see the arguments of the class."""
        self._need_reset("render")
        return rendered(self.game, self._states[0], self.render_mode, self.render_seat)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    # -- copies --------------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET or name == "num_agents":
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _need_reset(self, name: str) -> None:
        if not self._has_reset:
            raise ResetNeeded(f"call reset() before {name}()")

    def _all_spaces(self) -> list[spaces.Space[Any]]:
        return [*self.observation_spaces.values(), *self.action_spaces.values(), self.state_space]

    def get_state(self) -> bytes:
        """Return everything that `set_state` needs to go on from here, spaces' generators included."""
        head = {
            "kind": "aec",
            **game_header(self.game),
            "base": self._seeds.base,
            "episode": self._seeds.episode,
            "code": self._code,
            "running": self._running,
            "has_reset": self._has_reset,
            "generators": [generators(space) for space in self._all_spaces()],
        }
        if self._has_reset:
            names = ("agents", "agent_selection", "_skip_agent_selection", "rewards", "_cumulative_rewards")
            head["table"] = {name: getattr(self, name) for name in (*names, "terminations", "truncations")}
            head["illegal"] = [agent for agent in self.agents if "illegal_action" in self.infos[agent]]
        return pack(head, bytes(self._buffer), self._paid.tobytes())

    def set_state(self, data: bytes) -> None:
        """Go on from where `get_state` was called, in an environment made with the same arguments.

        Raises:
            ValueError: the bytes are corrupt or of another configuration; nothing has changed.
        """
        head, (buffer, paid) = unpack(data, {"kind": "aec", **game_header(self.game)})
        if head["has_reset"]:
            refuse_impossible(self.game, buffer)
        self._seeds = EpisodeSeeds(head["base"], head["episode"])
        self._running, self._has_reset = head["running"], head["has_reset"]
        for space, states in zip(self._all_spaces(), head["generators"]):
            set_generators(space, states)
        self._buffer[:] = buffer
        self._paid[:] = np.frombuffer(paid)
        self._ready = None
        self._steps += 1
        if not self._has_reset:
            for name in _AFTER_RESET:
                self.__dict__.pop(name, None)
            return
        for name, value in head["table"].items():
            setattr(self, name, value)
        self._code = head["code"]
        if self._running:
            boundary.legal(self._rules, self._states, self._ids)
        self.infos = {agent: {} for agent in self.agents}
        for agent in self.agents:
            if agent in head["illegal"]:
                self.infos[agent]["illegal_action"] = True
            if self.mask_in != "obs":
                self.infos[agent]["action_mask"] = self._mask(agent)

    def __deepcopy__(self, memo: dict[int, Any]) -> NorthmenAEC:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        memo[id(self)] = other
        other.metadata = {**self.metadata, "render_modes": list(self.metadata["render_modes"])}
        other.possible_agents = self.possible_agents.copy()
        other.observation_spaces = {a: copied_space(space) for a, space in self.observation_spaces.items()}
        other.action_spaces = {a: copied_space(space) for a, space in self.action_spaces.items()}
        other.state_space = copied_space(self.state_space)  # type: ignore[assignment]
        other._seeds = EpisodeSeeds(self._seeds.base, self._seeds.episode)
        other._buffer, other._states = new_buffer(self.game.spec.state_dtype)
        other._buffer[:] = self._buffer
        other._ids, other._paid, other._payments = self._ids.copy(), self._paid.copy(), self._payments.copy()
        other._ready = None
        if self._has_reset:
            other.agents = self.agents.copy()
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(other, name, dict(getattr(self, name)))
            other.infos = {
                agent: {key: value.copy() if isinstance(value, np.ndarray) else value for key, value in info.items()}
                for agent, info in self.infos.items()
            }
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = {"mask_in": self.mask_in, "render_mode": self.render_mode, "render_seat": self.render_seat}
        return _rebuild, (type(self), self.game, arguments, self.get_state())


def _rebuild(kind: type[NorthmenAEC], game: Game, arguments: dict[str, Any], state: bytes) -> NorthmenAEC:
    env = kind(game, **arguments)
    env.set_state(state)
    return env
