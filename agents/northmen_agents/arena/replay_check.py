"""Checking replays: the game is played again and compared step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from northmen_agents.arena.replay import (
    FullHeader,
    Replay,
    ReplayDeparts,
    ReplayError,
    Result,
    SeatHeader,
    SeatReplay,
    configuration,
    result_of,
    seat_of,
)
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_env.engine.game import Game


def load(name: str, options: Mapping[str, Any], data: str | None = None, history: int = 0) -> Game:
    """Return the game that was recorded with these options, data sets by their hash.

    Args:
        name, options, history: as in `game.name`, `game.options_dict` and `game.history`.
        data: folder of the tables, where they are not the built-in ones.

    Raises:
        ReplayError: there is no such game or option here, or the tables are needed.
    """
    import northmen_env as nm

    if name not in nm.games():
        raise ReplayError(f"the game was {name!r:.80}, and the games here are: {', '.join(nm.games())}")
    chosen = dict(options) if data is None else {**options, "data": data}
    try:
        return nm.load(name, history=history, **chosen)
    except (ValueError, TypeError, OSError) as error:
        if data is None and options.get("data", "builtin") != "builtin":
            raise ReplayError(
                f"the game was played with tables of its own (SHA-256 {options['data']!r:.80}); say in which folder "
                "they are: --data FOLDER"
            ) from None
        raise ReplayError(f"the game cannot be loaded: {error}") from None


def game_of(header: FullHeader | SeatHeader, data: str | None = None) -> Game:
    """Return the game that a replay is of; `data` as in `load`.

    Raises:
        ReplayError: there is no such game here, or its actions, observations, tables or options are others.
    """
    game = load(header.game, header.options, data, header.history)
    here = configuration(game)
    for field, what in (
        ("game_version", f"of {header.game}-v{header.game_version}"),
        ("observation_schema", "of other actions or observations"),
        ("tables", "played with other tables or options"),
    ):
        mine, theirs = here[field], getattr(header, field)
        if mine != theirs:
            raise ReplayError(
                f"the replay is {what} ({field} {theirs!r:.80}, here {mine!r}); it was written by northmen-env "
                f"{header.package:.40}, and this is {__version__}"
            )
    return game


def check(replay: Replay, game: Game) -> None:
    """Play the game again and compare every step.

    Raises:
        ReplayDeparts: at which decision the file and the game differ, and in what.
    """
    if len(replay.header.agents) != game.num_players:
        raise ReplayDeparts(f"is damaged: it names {len(replay.header.agents)} agents for {game.num_players} seats")
    state = game.new_initial_state(seed=int(replay.header.seed))
    if state.digest() != replay.header.digest:
        raise ReplayDeparts("departs before the first decision: the setup of this seed is another one here")
    for line in replay.decisions:
        where = f"departs at decision {line.n}"
        if state.is_terminal():
            raise ReplayDeparts(f"{where}: the game has ended, and the file goes on")
        if line.player != state.current_player:
            raise ReplayDeparts(f"{where}: player {line.player} in the file, player {state.current_player} here")
        legal = state.legal_actions()
        if line.action not in legal:
            named = "; ".join(f"{action} ({game.action_to_string(action)})" for action in legal)
            what = f"action {line.action} ({line.text:.80}) is illegal here for player {line.player}"
            raise ReplayDeparts(f"{where}: {what}; legal: {named}")
        text = game.action_to_string(line.action)
        if line.text != text:
            raise ReplayDeparts(f"{where}: action {line.action} is {line.text:.80} in the file, {text} here")
        state.apply_action(line.action)
        if (digest := state.digest()) != line.digest:
            raise ReplayDeparts(
                f"{where}: player {line.player}'s {text} leads to another state (digest {line.digest:.16} in the "
                f"file, {digest:.16} here)"
            )
    if not state.is_terminal():
        raise ReplayDeparts(f"departs at the end: the file ends after {len(replay.decisions)} decisions, the game not")
    _check_result(replay.result, result_of(state))


def check_form(seat: SeatReplay, game: Game) -> None:
    """Check what can be checked of a seat's replay alone: its seat exists, and each action has its text.

    Raises:
        ReplayDeparts: at which of the seat's decisions the file makes no sense.
    """
    if not 0 <= seat.header.seat < game.num_players:
        raise ReplayDeparts(f"departs before the first decision: there is no seat {seat.header.seat} in this game")
    for line in seat.decisions:
        text = game.action_to_string(line.action) if 0 <= line.action < game.num_actions else "no action"
        if line.text != text:
            raise ReplayDeparts(
                f"departs at the seat's decision {line.n}: action {line.action} is {line.text:.80} in the file, "
                f"{text} here"
            )


def check_seat(seat: SeatReplay, full: Replay, game: Game) -> None:
    """Compare a seat's replay with the full replay of its game, which is checked first.

    Raises:
        ReplayDeparts: at which of the seat's decisions they differ, and in what.
    """
    check_form(seat, game)
    check(full, game)
    here = seat_of(full, game, seat.header.seat)
    for name in ("game", "options", "history", "observation_schema", "tables", "agent"):
        mine, theirs = getattr(here.header, name), getattr(seat.header, name)
        if mine != theirs:
            raise ReplayDeparts(f"departs before the first decision: {name} {theirs!r:.80} in the file, {mine!r} here")
    for theirs, mine in zip(seat.decisions, here.decisions):
        for name in ("events", "observation", "action", "text"):
            if getattr(theirs, name) != getattr(mine, name):
                raise ReplayDeparts(
                    f"departs at the seat's decision {mine.n}: {name} {getattr(theirs, name)!r:.200} in the file, "
                    f"{getattr(mine, name)!r:.200} here"
                )
    if len(seat.decisions) != len(here.decisions):
        raise ReplayDeparts(
            f"departs at the end: {len(seat.decisions)} decisions in the file, {len(here.decisions)} here"
        )
    _check_result(seat.result, here.result)


def _check_result(theirs: Result, mine: Result) -> None:
    for name in ("events", "ranks", "scores", "returns"):
        if getattr(theirs, name) != getattr(mine, name):
            raise ReplayDeparts(
                f"departs at the result: {name} {getattr(theirs, name)!r:.200} in the file, {getattr(mine, name)} here"
            )
