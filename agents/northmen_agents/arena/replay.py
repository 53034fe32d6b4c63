"""Replays: one game as JSON lines, to be checked step by step; or what one seat knew of it, and no more.

A *full replay* begins with a header (format and its version, package, game, options, tables' hash, seed, agents), has a
line for each decision (number, player, action by number and text, digest of the state after it) and ends with the
result. Whoever has it can play the game again: `replay_check.check` does, and says where it departs.

A *seat's replay* holds one seat's own decisions only. Each has the events that the seat saw since its last one, the
SHA-256 of its observation (float32, little-endian), and its action. What the seat could not know is not there: seed,
plies, times, other agents' names, and decisions of others that are asked in secret. Two games that the seat cannot tell
apart have the same bytes, so nothing in the file can be checked against the game alone, but against a full replay it
can.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from northmen_env.ledger import ledger_version
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_agents.arena.play import GameResult
    from northmen_env.engine.game import Game
    from northmen_env.engine.state import State

FORMAT = "northmen-replay"
VERSION = 1
LARGEST = 256 * 2**20


class ReplayError(Exception):
    """A replay cannot be used; the sentence says why."""


class ReplayDeparts(ReplayError):
    """The game, played again, is another one than the file says; the sentence says from where on, and how."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _Header(_Line):
    format: str
    version: int
    package: str
    game: str
    game_version: int
    options: dict[str, Any]
    history: int
    observation_schema: str
    tables: str
    ledger: str | None


class FullHeader(_Header):
    """First line of a full replay.

    Attributes:
        format, version: `FORMAT`, `VERSION`.
        package: version of northmen-env that wrote it.
        game, game_version, options, history: the configuration; `options` as in `game.options_dict`.
        observation_schema: `game.observation_schema`.
        tables: `tables_sha256(game)`.
        ledger: `northmen_env.ledger.ledger_version`: the text of the rules; not compared, the game itself is.
        seat: None.
        seed: the game's, as decimal digits (JSON numbers of 64 bits do not survive everywhere).
        agents: name of each seat's.
        key: deal, line-up and seat order of a tournament's game.
        digest: of the state at the first decision.
    """

    seat: None
    seed: str
    agents: list[str]
    key: tuple[int, str, int] | None
    digest: str

    @field_validator("seed")
    @classmethod
    def _is_a_seed(cls, value: str) -> str:
        if not (value.isascii() and value.isdecimal() and len(value) <= 20 and int(value) < 2**64):
            raise ValueError("a seed is a number from 0 to 2**64 - 1")
        return value


class SeatHeader(_Header):
    """First line of a seat's replay: as `FullHeader`, with the seat and the name of its own agent."""

    seat: int
    agent: str


class Decision(_Line):
    """A line of a full replay: decision number `n` (from 0), and the digest of the state after it."""

    n: int
    player: int
    action: int
    text: str
    digest: str


class SeatDecision(_Line):
    """A line of a seat's replay: its own decision number `n` (from 0).

    Attributes:
        events: what the seat saw since its last decision, a line each.
        observation: SHA-256 of the observation it decided on.
        action, text: what it chose.
    """

    n: int
    events: list[str]
    observation: str
    action: int
    text: str


class Result(_Line):
    """The last line; `events` is what the seat saw after its last decision (in a seat's replay only)."""

    events: list[str] | None = None
    ranks: list[int]
    scores: list[float]
    returns: list[float]


@dataclass(frozen=True)
class Replay:
    """A full replay.

    Attributes:
        header, decisions, result: its lines.
    """

    header: FullHeader
    decisions: list[Decision]
    result: Result


@dataclass(frozen=True)
class SeatReplay:
    """A seat's replay.

    Attributes:
        header, decisions, result: its lines.
    """

    header: SeatHeader
    decisions: list[SeatDecision]
    result: Result


# -- making ------------------------------------------------------------------------------------------------------------


def tables_sha256(game: Game) -> str:
    """Return the SHA-256 of the game's RULES record: its printed tables and options, as the kernels read them."""
    digest = hashlib.sha256()
    for name in game.rules.dtype.names or ():  # field by field: the gaps between them hold no table
        if name not in ("history", "dense"):
            digest.update(name.encode() + b"=" + game.rules[name].tobytes())
    return digest.hexdigest()


def observation_sha256(state: State, seat: int) -> str:
    """Return the SHA-256 of what `seat` observes: float32, little-endian."""
    return hashlib.sha256(state.observation(seat).astype("<f4").tobytes()).hexdigest()


def full_replay(
    game: Game,
    seed: int,
    actions: Sequence[int],
    agents: Sequence[str] = (),
    key: tuple[int, str, int] | None = None,
) -> Replay:
    """Return the replay of the game with this seed in which these actions were taken, to its end.

    Raises:
        ValueError: an action is illegal, or the game does not end with the last one.
    """
    state = game.new_initial_state(seed=seed)
    header = FullHeader(
        **configuration(game),
        seat=None,
        seed=str(seed),
        agents=list(agents) or [f"player {seat}" for seat in range(game.num_players)],
        key=key,
        digest=state.digest(),
    )
    decisions = []
    for n, action in enumerate(actions):
        player, text = state.current_player, game.action_to_string(action)
        state.apply_action(action)
        decisions.append(Decision(n=n, player=player, action=int(action), text=text, digest=state.digest()))
    if not state.is_terminal():
        raise ValueError(f"the game has not ended after these {len(actions)} actions")
    return Replay(header, decisions, result_of(state))


def replay_of(game: Game, result: GameResult) -> Replay:
    """Return the full replay of a tournament's game. Raises ReplayDeparts where the game ends as another one."""
    check_recorded(game, result)
    return full_replay(game, result.seed, result.actions, result.agents, result.key)


def check_recorded(game: Game, result: GameResult) -> None:
    """Play a tournament's game again. Raises ReplayDeparts where it ends as another one than was recorded."""
    where = f"game {shown_key(result.key)}"
    state = game.new_initial_state(seed=result.seed)
    try:
        for action in result.actions:
            state.apply_action(action)
    except (ValueError, TypeError) as error:
        raise ReplayDeparts(f"{where} cannot be played again: {error}") from error
    if not state.is_terminal():
        raise ReplayDeparts(f"{where} has not ended after its {len(result.actions)} actions")
    here = (state.digest(), tuple(state.ranks()), tuple(state.scores().tolist()), tuple(state.returns().tolist()))
    there = (result.digest, result.ranks, result.scores, result.returns)
    for name, mine, recorded in zip(("final digest", "ranks", "scores", "returns"), here, there):
        if mine != recorded:
            raise ReplayDeparts(f"{where} ends as another one: {name} {recorded} recorded, {mine} here")


def seat_replay(start: State, actions: Iterable[int], seat: int, agent: str = "") -> SeatReplay:
    """Return what `seat` knew of a game.

    Args:
        start: where the game begins, as a rule its first decision; it is not changed.
        actions: all seats', to the end of the game or as far as it was played.
        seat: whose replay it is.
        agent: its name.
    """
    game, state = start.game, start.clone()
    header = SeatHeader(**configuration(game), seat=game.checked_player(seat), agent=agent)
    decisions: list[SeatDecision] = []
    seen = 0
    for action in actions:
        if state.current_player == seat:
            rows = state.events(seat)
            line = SeatDecision(
                n=len(decisions),
                events=_told(game, seat, rows[seen:]),
                observation=observation_sha256(state, seat),
                action=int(action),
                text=game.action_to_string(action),
            )
            decisions.append(line)
            seen = len(rows)
        state.apply_action(action)
    events = _told(game, seat, state.events(seat)[seen:])
    return SeatReplay(header, decisions, result_of(state).model_copy(update={"events": events}))


def _told(game: Game, seat: int, rows: Sequence[tuple[int, int, int, int]]) -> list[str]:
    return [game.spec.event_text(game.rules[0], seat, row) for row in rows]


def seat_of(replay: Replay, game: Game, seat: int) -> SeatReplay:
    """Return what `seat` knew of the game of a full replay, which should have been checked."""
    start = game.new_initial_state(seed=int(replay.header.seed))
    return seat_replay(start, [line.action for line in replay.decisions], seat, replay.header.agents[seat])


def configuration(game: Game) -> dict[str, Any]:
    """Return what every header says of the game."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": __version__,
        "game": game.name,
        "game_version": game.spec.version,
        "options": game.options_dict,
        "history": game.history,
        "observation_schema": game.observation_schema,
        "tables": tables_sha256(game),
        "ledger": ledger_version(game.name),
    }


def result_of(state: State) -> Result:
    """Return how the game stands: at its end, how it ended."""
    return Result(
        ranks=[int(rank) for rank in state.ranks()], scores=state.scores().tolist(), returns=state.returns().tolist()
    )


# -- files -------------------------------------------------------------------------------------------------------------


def text_of(replay: Replay | SeatReplay) -> str:
    """Return the replay as JSON lines."""
    decisions: Sequence[_Line] = replay.decisions
    lines = [*(line.model_dump() for line in (replay.header, *decisions)), _last(replay.result)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _last(result: Result) -> dict[str, Any]:
    fields = result.model_dump(exclude={"events"})
    return {"result": fields} if result.events is None else {"result": {"events": result.events, **fields}}


def write(replay: Replay | SeatReplay, path: Path) -> None:
    """Write the replay to a file. Raises OSError."""
    path.write_text(text_of(replay), encoding="utf-8", newline="\n")


def read(path: Path) -> Replay | SeatReplay:
    """Return the replay in a file, whose form is checked and not yet its game.

    Raises:
        ReplayError: the file cannot be read, is no replay, is damaged, or is of a version that is not known here.
    """
    try:
        if not path.is_file():
            raise ReplayError(f"{path} is not a file")
        if path.stat().st_size > LARGEST:
            raise ReplayError(f"{path} is larger than any replay")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ReplayError(f"{path} is not a replay of northmen-env: it is not text in UTF-8") from None
    return _parsed(path, text)


def _parsed(path: Path, text: str) -> Replay | SeatReplay:
    lines = text.split("\n")
    first = _object(lines[0])
    if first is None or first.get("format") != FORMAT:
        raise ReplayError(f"{path} is not a replay of northmen-env")
    version = first.get("version")
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        advice = "install a newer northmen-env to read it" if newer else "there is no such version"
        raise ReplayError(
            f"{path} is a replay of format version {json.dumps(version):.40}, and northmen-env {__version__} reads "
            f"version {VERSION}: {advice}"
        )
    if lines[-1] != "" or len(lines) < 3 or "result" not in (_object(lines[-2]) or {}):
        raise ReplayError(f"{path} is cut short: it does not end with a result")
    last = (_object(lines[-2]) or {})["result"]
    body = list(enumerate(lines[1:-2], 2))
    if first.get("seat") is None:
        header = _as(FullHeader, path, 1, first)
        decisions = [_as(Decision, path, number, _object(line)) for number, line in body]
        _check_numbers(path, (line.n for line in decisions))
        return Replay(header, decisions, _as(Result, path, len(lines) - 1, last))
    own = [_as(SeatDecision, path, number, _object(line)) for number, line in body]
    _check_numbers(path, (line.n for line in own))
    return SeatReplay(_as(SeatHeader, path, 1, first), own, _as(Result, path, len(lines) - 1, last))


def _object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


L = TypeVar("L", bound=_Line)


def _as(model: type[L], path: Path, number: int, line: Any) -> L:
    if not isinstance(line, dict):
        raise ReplayError(f"{path} is damaged: line {number} is not a JSON object")
    try:
        return model.model_validate_json(json.dumps(line))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        said = first["msg"][0].lower() + first["msg"][1:]
        raise ReplayError(f"{path} is damaged: line {number}, {where}: {said}") from None


def _check_numbers(path: Path, numbers: Iterable[int]) -> None:
    for n, found in enumerate(numbers):
        if found != n:
            raise ReplayError(f"{path} is damaged: line {n + 2} has decision {found} where decision {n} should be")


def shown_key(key: tuple[int, str, int]) -> str:
    """Return the key of a tournament's game as it is written on the command line: deal/line-up/order."""
    return "/".join(map(str, key))
