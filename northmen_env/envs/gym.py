"""The Gymnasium form: one learner against opponents (`gymnasium.Env`)."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from northmen_env.engine import boundary, rewards
from northmen_env.engine.batch import MOST_SKIPPED, RANDOM_SEAT
from northmen_env.engine.boundary import new_buffer
from northmen_env.engine.game import Game, checked_int
from northmen_env.engine.opponents import SEAT, learner_begins, learner_turn, learner_view
from northmen_env.engine.random import PURPOSE_RESAMPLE, PURPOSE_SEAT, below, draw, secret_seed, stream
from northmen_env.engine.state import State, refuse_impossible
from northmen_env.engine.view import View
from northmen_env.envs.episodes import (
    MASK_IN,
    EpisodeSeeds,
    as_action,
    checked_choice,
    checked_render_seat,
    game_header,
    game_of,
    generator,
    generators,
    observation_space,
    pack,
    set_generators,
    unpack,
)
from northmen_env.envs.opponents import Agent, Opponents, resolve
from northmen_env.envs.rendering import checked_render_mode, render_modes, rendered

METADATA: dict[str, Any] = {"render_modes": render_modes(), "render_fps": 2}


class NorthmenGym(gymnasium.Env[Any, int]):
    """One seat of a game as a Gymnasium environment; the other seats are played by opponents.

    Description:
        A step takes the learner's action and plays on, through the others' decisions, to the learner's next one. If
        the others end a game before the learner has decided anything, `reset` goes on to the next game.

    Action Space:
        Discrete(A). The legal actions are those with a 1 in the mask, which `action_masks()` returns too.

    Observation Space:
        With `mask_in` "obs" (default) or "both" a Dict: `observation` float32 (D,) in [-1, 1], `action_mask` int8 (A,).
        With "info" the observation alone, and the mask in `info["action_mask"]`; with "both" it is in both places. A
        policy should read `observation` only. The mask has a 1 as long as the game goes on and is zero at its end.

    Rewards:
        What the learner was paid since its action, during the others' decisions too; what it was paid before its first
        decision comes with its first reward. The sum over a game is the learner's entry of `State.returns`.

    Episode End:
        `terminated` with the game; never `truncated`. An illegal action ends the game with -1 for who chose it and an
        equal share of +1 for each other player: `info["illegal_action"]` is True if it was the learner's, and
        `info["opponent_illegal_action"]` is the seat of an opponent.

    Information:
        `player`: the learner's seat. At the end also `returns` and `scores`, float64 (num_players,), and `decisions`,
        the learner's own.

    Seeds:
        As in the PettingZoo form. A random seat is drawn anew for each game, and each opponent gets a seed of its own
        for each game; both follow from the game's seed through streams of their own.

    Args:
        game: a name of `northmen_env.games()`, or a `Game`.
        seat: the learner's seat, or "random" for another one in each game.
        opponents: a name or a factory for all other seats, or a list with one for each, clockwise from the learner;
            see `northmen_env.envs.opponents`. "random" and "heuristic" are built in.
        mask_in: "obs", "info" or "both".
        render_mode, render_seat: as in the PettingZoo form.
        options: of the game, `history` and `dense`; none with a `Game`.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game,
        *,
        seat: int | str = "random",
        opponents: Opponents = "random",
        mask_in: str = "obs",
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        self.game = game = game_of(game, options)
        self.seat = checked_seat(game, seat)
        self.opponents = opponents
        kinds, self._factories = resolve(opponents, game.num_players)
        self._kinds = np.array(kinds, np.int64)
        self.mask_in = checked_choice("mask_in", mask_in, MASK_IN)
        self.render_mode = checked_render_mode(render_mode)
        self.render_seat = checked_render_seat(game, render_seat)
        self.metadata = {**self.metadata, "render_modes": render_modes()}
        self.observation_space = observation_space(game, mask_in)
        self.action_space = spaces.Discrete(game.num_actions)  # type: ignore[assignment]
        self._buffer, self._states = new_buffer(game.spec.state_dtype)
        self._ids = np.zeros(game.max_legal, np.int16)
        self._paid, self._payments, self._received = np.zeros(game.seats), np.zeros(game.seats), np.zeros(1)
        self._others = np.zeros(game.seats, SEAT)
        self._seeds = EpisodeSeeds()
        self._agents: dict[int, Agent] = {}  # those in Python, by seat
        self._asked = [0] * game.num_players  # decisions of those agents
        self._learner, self._code, self._decisions = 0, 0, 0
        self._game_seed = 0
        self._outcome: dict[str, Any] = {}  # who ended the game by an illegal action
        self._has_reset = False

    # -- playing -------------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game and return the learner's first observation; all `options` are ignored."""
        if seed is not None:
            seed = self.game.checked_seed(seed)
        super().reset(seed=seed)
        for _ in range(MOST_SKIPPED):
            self._begin(self._seeds.next(seed))
            seed = None
            if self._code >= 65536:
                return self._shown()
        raise RuntimeError(f"{MOST_SKIPPED} games in a row ended before seat {self._learner} was asked anything")

    def _begin(self, seed: int) -> None:
        game, n = self.game, self.game.num_players
        self._buffer[:] = bytes(len(self._buffer))
        self._paid[:] = 0.0
        self._game_seed, self._decisions, self._outcome, self._has_reset = seed, 0, {}, True
        key = np.uint64(seed)
        self._learner = self.seat if self.seat != RANDOM_SEAT else int(below(draw(_key(key, PURPOSE_SEAT), 0), n))
        self._code = learner_begins(
            game.rules, self._states, self._learner, self._others, self._kinds, key,
            self._ids, self._paid, self._payments, self._received,
        )  # fmt: skip
        self._agents, self._asked = {}, [0] * n
        for distance, factory in enumerate(self._factories, 1):
            if factory is not None:
                p = (self._learner + distance) % n
                self._agents[p] = _made(factory, game, p, int(self._others["key"][p]))
        self._play_agents()

    def _play_agents(self) -> None:
        """Let the opponents in Python act until the learner is to act or the game ends."""
        while self._code >= 65536 and (player := (self._code >> 16) - 1) != self._learner:
            agent = self._agents[player]
            info: dict[str, Any] = {}
            if getattr(agent, "needs_view", False):
                seed = secret_seed(np.uint64(self._game_seed), PURPOSE_RESAMPLE, player, self._asked[player])
                info["view"] = View(State._from_record_bytes(self.game, self._buffer), player, int(seed))
            self._asked[player] += 1
            action = as_action(agent.act(self._seen(player), info), self.game.num_actions)
            mask, observation = self._empty()
            self._turn(action, player, mask, observation)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learner's action and play on to its next decision.

        Raises:
            ValueError, TypeError: the action is outside of the action space; nothing has changed.
            ResetNeeded: there is no game under way.
        """
        if self._code >= 65536 and (self._code >> 16) - 1 != self._learner:
            raise ResetNeeded("an opponent raised at its decision, so this game cannot go on: call reset()")
        if self._code < 65536:
            raise ResetNeeded("call reset() first" if not self._has_reset else "the game is over: call reset()")
        if type(action) is not int or not 0 <= action < self.game.num_actions:
            action = as_action(action, self.game.num_actions)
        mask, observation = self._empty()
        self._decisions += 1
        self._turn(action, self._learner, mask, observation)
        if self._code >= 65536 and (self._code >> 16) - 1 != self._learner:
            self._play_agents()
            self._view(mask, observation)
        reward = float(self._received[0])
        self._received[0] = 0.0
        terminated = self._code < 65536
        if self.render_mode == "human":
            self.render()
        return self._given(observation, mask), reward, terminated, False, self._info(mask, terminated)

    def _turn(self, action: int, player: int, mask: np.ndarray, observation: np.ndarray) -> None:
        game = self.game
        self._code = learner_turn(
            game.rules, self._states, action, self._learner, self._others,
            self._ids, mask, observation, self._paid, self._payments, self._received,
        )  # fmt: skip
        if self._code != boundary.REFUSED:
            return
        teams = rewards.team_numbers(game.teams, game.seats)
        rewards.pay_illegal(teams, player, game.num_players, self._paid, self._payments)
        self._received[0] += self._payments[self._learner]
        self._code = 0
        self._outcome = {"illegal_action": True} if player == self._learner else {"opponent_illegal_action": player}
        self._view(mask, observation)

    def _empty(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty(self.game.num_actions, np.int8), np.empty(self.game.observation_size, np.float32)

    def _view(self, mask: np.ndarray, observation: np.ndarray) -> None:
        """Write the learner's mask and observation as they are now."""
        learner_view(self.game.rules, self._states, self._learner, self._ids, mask, observation)
        if self._code < 65536:
            mask[:] = 0  # after an illegal action the state itself has not ended

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        mask, observation = self._empty()
        self._view(mask, observation)
        if self.render_mode == "human":
            self.render()
        return self._given(observation, mask), self._info(mask, False)

    def _given(self, observation: np.ndarray, mask: np.ndarray) -> Any:
        return observation if self.mask_in == "info" else {"observation": observation, "action_mask": mask}

    def _info(self, mask: np.ndarray, terminated: bool) -> dict[str, Any]:
        info: dict[str, Any] = {"player": self._learner}
        if self.mask_in != "obs":
            info["action_mask"] = mask.copy()
        if terminated:
            n, scores = self.game.num_players, np.zeros(self.game.seats)
            boundary.scores(self.game.rules, self._states, scores)
            info.update(returns=self._paid[:n].copy(), scores=scores[:n], decisions=self._decisions, **self._outcome)
        return info

    def _seen(self, player: int) -> dict[str, np.ndarray]:
        """Return the observation of an opponent who is to act."""
        mask, observation = self._empty()
        boundary.observe(self.game.rules, self._states, player, observation)
        mask[:] = 0
        mask[self._ids[: self._code & 65535]] = 1
        return {"observation": observation, "action_mask": mask}

    def action_masks(self) -> np.ndarray:
        """Return int8 (A,): 1 for each legal action of the learner; all zero when the game is over. A fresh array."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before action_masks()")
        mask, observation = self._empty()
        self._view(mask, observation)
        return mask

    def suggestion(self, key: int) -> int:
        """Return what the game's heuristic would do for the learner, by the chance `key`, 0..2**64 - 1.

        Raises:
            ResetNeeded: the learner is not to act.
        """
        if self._code < 65536 or (self._code >> 16) - 1 != self._learner:
            raise ResetNeeded("there is no decision of the learner that could be suggested: call reset()")
        key = self.game.checked_seed(key)
        return int(boundary.suggest(self.game.rules, self._states, self._learner, np.uint64(key)))

    # -- pictures, full information, copies ---------------------------------------------------------------------------

    def render(self) -> Any:
        """Return the picture that `render_mode` asks for."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before render()")
        return rendered(self.game, self._states[0], self.render_mode, self.render_seat)

    def game_state(self) -> State:
        """Return a copy of the game's state: full information, for trainers; whoever acts on it cheats."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before game_state()")
        return State._from_record_bytes(self.game, self._buffer)

    def get_state(self) -> bytes:
        """Return everything that `set_state` needs to go on from here.

        Agents in Python are pickled into it, so read only bytes that you trust if there are any.
        """
        head = {
            **self._header(),
            "base": self._seeds.base,
            "episode": self._seeds.episode,
            "learner": self._learner,
            "code": self._code,
            "decisions": self._decisions,
            "game_seed": self._game_seed,
            "asked": self._asked,
            "outcome": self._outcome,
            "has_reset": self._has_reset,
            "generators": [generators(self.observation_space), generators(self.action_space)],
            "np_random": None if self._np_random is None else self._np_random.bit_generator.state,
            "np_random_seed": self._np_random_seed,
        }
        agents = pickle.dumps(self._agents) if self._agents else b""
        numbers = (self._paid.tobytes(), self._received.tobytes(), self._others.tobytes())
        return pack(head, bytes(self._buffer), agents, *numbers)

    def _header(self) -> dict[str, Any]:
        return {"kind": "gym", **game_header(self.game), "seat": self.seat, "opponents": self._kinds.tolist()}

    def set_state(self, data: bytes) -> None:
        """Go on from where `get_state` was called, in an environment made with the same arguments.

        Raises:
            ValueError: the bytes are corrupt or of another configuration; nothing has changed.
        """
        head, (buffer, agents, paid, received, others) = unpack(data, self._header())
        if head["has_reset"]:
            refuse_impossible(self.game, buffer)
        self._agents = pickle.loads(agents) if agents else {}
        self._seeds = EpisodeSeeds(head["base"], head["episode"])
        self._learner, self._code, self._decisions = head["learner"], head["code"], head["decisions"]
        self._game_seed, self._asked = head["game_seed"], head["asked"]
        self._outcome, self._has_reset = head["outcome"], head["has_reset"]
        for space, states in zip((self.observation_space, self.action_space), head["generators"]):
            set_generators(space, states)
        self._np_random, self._np_random_seed = generator(head["np_random"]), head["np_random_seed"]
        self._buffer[:] = buffer
        self._paid[:], self._received[:] = np.frombuffer(paid), np.frombuffer(received)
        self._others.view(np.uint8)[:] = np.frombuffer(others, np.uint8)
        boundary.legal(self.game.rules, self._states, self._ids)

    def __deepcopy__(self, memo: dict[int, Any]) -> NorthmenGym:
        other = _rebuild(type(self), self.game, self._arguments(), self.get_state(), copy.deepcopy(self.spec))
        memo[id(self)] = other
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.game, self._arguments(), self.get_state(), self.spec)

    def _arguments(self) -> dict[str, Any]:
        seat: int | str = "random" if self.seat == RANDOM_SEAT else self.seat
        names = ("opponents", "mask_in", "render_mode", "render_seat")
        return {"seat": seat, **{name: getattr(self, name) for name in names}}


def checked_seat(game: Game, seat: int | str) -> int:
    """Return a learner's seat as a number, RANDOM_SEAT for "random"."""
    if isinstance(seat, str):
        if seat != "random":
            raise ValueError(f'seat must be "random" or 0..{game.num_players - 1}, not {seat!r}')
        return RANDOM_SEAT
    return checked_int("seat", seat, 0, game.num_players - 1)


def _key(seed: Any, purpose: int) -> Any:
    return np.uint64(stream(seed, purpose, 0, 0))


def _made(factory: Any, game: Game, seat: int, seed: int) -> Agent:
    agent: Agent = factory(game, seat, seed)
    if not callable(getattr(agent, "act", None)):
        raise TypeError(f"the opponents' factory returned {agent!r}, which has no act(observation, info)")
    return agent


def _rebuild(kind: type[NorthmenGym], game: Game, arguments: dict[str, Any], state: bytes, spec: Any) -> NorthmenGym:
    env = kind(game, **arguments)
    env.spec = spec
    env.set_state(state)
    return env
