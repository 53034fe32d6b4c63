"""`northmen replay`: play a recorded game again and compare every step; write replays of a tournament's games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from northmen_env.cli.common import compile_notice, seat_number

if TYPE_CHECKING:
    from northmen_agents.arena.replay import Replay
    from northmen_env.engine.game import Game

_SQLITE = b"SQLite format 3\0"
_KEY = re.compile(r"([0-9]{1,9})/([^/]+)/([0-9]{1,9})")


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--game", "keys", multiple=True, metavar="KEY", help="A game of a results file, as DEAL/LINE_UP/ORDER; repeatable."
)
@click.option("--seat", metavar="SEAT", help="Write what SEAT knew, and nothing else.")
@click.option("--write", "target", type=click.Path(path_type=Path), help="Write to this folder, or this .jsonl file.")
@click.option(
    "--against",
    "full",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The full replay that a seat's replay is compared with.",
)
@click.option("--data", type=click.Path(file_okay=False), help="Folder of the tables, where they are not built in.")
def replay(
    file: Path, keys: tuple[str, ...], seat: str | None, target: Path | None, full: Path | None, data: str | None
) -> None:
    """Play the game in FILE again and compare every step; exit status 1, and where, if it departs.

    FILE is a replay, or a tournament's results file or folder, whose games are all played again, or only those
    named by --game. With --write they are written as replays; with --seat as well, only what that seat knew.
    """
    from northmen_agents.arena.replay import ReplayError
    from northmen_agents.arena.results import ResultsError

    if seat is not None and target is None:
        raise click.UsageError("--seat says what to write: give --write too")
    try:
        with compile_notice():
            if file.is_dir() or _begins(file) == _SQLITE:
                if full is not None:
                    raise click.UsageError("--against is for a seat's replay, and this is a results file")
                _from_results(file, keys, seat, target, data)
            elif keys:
                raise click.UsageError(f"--game chooses from a results file, and {file} is not one")
            else:
                _from_replay(file, seat, target, full, data)
    except (ReplayError, ResultsError) as error:
        raise click.ClickException(str(error)) from None


def _begins(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_SQLITE))
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}") from None


# -- one replay --------------------------------------------------------------------------------------------------------


def _from_replay(file: Path, seat: str | None, target: Path | None, full: Path | None, data: str | None) -> None:
    from northmen_agents.arena import replay, replay_check

    found = replay.read(file)
    try:
        game = replay_check.game_of(found.header, data)
        if isinstance(found, replay.SeatReplay):
            if target is not None:
                raise click.UsageError(f"{file} is what one seat knew; --write needs the full replay")
            _check_seat(file, found, full, game)
            return
        if full is not None:
            raise click.UsageError(f"--against is for a seat's replay, and {file} is a full one")
        replay_check.check(found, game)
    except replay.ReplayError as error:
        raise click.ClickException(f"{file}: {error}") from None
    ended = ", ".join(f"{name} rank {rank}" for name, rank in zip(found.header.agents, found.result.ranks))
    click.echo(
        f"{file}: {game.spec.title}, {game.num_players} players, seed {found.header.seed}: all "
        f"{len(found.decisions)} decisions and the result are as recorded ({ended})"
    )
    if target is not None:
        path = target if target.suffix == ".jsonl" else target / file.name
        if seat is not None and path == target / file.name:
            path = path.with_name(f"{file.stem}-seat-{seat}.jsonl")
        if path.exists() and path.samefile(file):
            raise click.UsageError(f"--write would replace {file} itself; name another file")
        _write(found, game, seat, path)
        click.echo(f"written to {path}")


def _check_seat(file: Path, found: object, full: Path | None, game: Game) -> None:
    from northmen_agents.arena import replay, replay_check

    assert isinstance(found, replay.SeatReplay)
    said = (
        f"{file}: what seat {found.header.seat} knew of a game of {game.spec.title}, {len(found.decisions)} decisions"
    )
    if full is None:
        replay_check.check_form(found, game)
        click.echo(
            f"{said}; its form is sound. It holds nothing to play the game again from: compare it with the full "
            "replay by --against"
        )
        return
    whole = replay.read(full)
    if isinstance(whole, replay.SeatReplay):
        raise click.UsageError(f"--against needs a full replay, and {full} is what one seat knew")
    replay_check.check_seat(found, whole, game)
    click.echo(f"{said}; all are as in {full}")


# -- the games of a tournament -----------------------------------------------------------------------------------------


def _from_results(file: Path, keys: tuple[str, ...], seat: str | None, target: Path | None, data: str | None) -> None:
    from northmen_agents.arena.replay import check_recorded, replay_of
    from northmen_agents.arena.results import StoredResults

    wanted = [_key(text) for text in keys]
    with StoredResults(file) as stored:
        game = _game(stored.config, data)
        games = list(enumerate(stored.games()))
    if wanted:
        known = {tuple(result.key): (number, result) for number, result in games}
        missing = [text for text, key in zip(keys, wanted) if key not in known]
        if missing:
            example = "/".join(map(str, games[0][1].key)) if games else "none: no game was played"
            raise click.UsageError(f"there is no game {missing[0]!r} in {file}; its first is {example}")
        games = [known[key] for key in wanted]
    if target is not None and target.suffix == ".jsonl" and len(games) != 1:
        raise click.UsageError(f"{len(games)} games need a folder after --write, not one file; or choose one by --game")
    for number, result in games:
        if target is None:
            check_recorded(game, result)
        else:
            _write(
                replay_of(game, result),
                game,
                seat,
                target if target.suffix == ".jsonl" else target / _name(number, seat),
            )
    count = "1 game" if len(games) == 1 else f"{len(games)} games"
    click.echo(f"{file}: {count} of {game.spec.title} played again, all ended as recorded")
    if target is not None:
        click.echo(f"written to {target}")


def _key(text: str) -> tuple[int, str, int]:
    found = _KEY.fullmatch(text)
    if found is None:
        raise click.UsageError(f"a game is named DEAL/LINE_UP/ORDER, as in 0/heuristic,random/1, not {text!r:.80}")
    return int(found[1]), found[2], int(found[3])


def _name(number: int, seat: str | None) -> str:
    """Return the name of a replay's file: games are numbered in the order of their keys; who played is not said."""
    return f"game-{number:06d}.jsonl" if seat is None else f"game-{number:06d}-seat-{seat}.jsonl"


def _game(config: dict[str, object], data: str | None) -> Game:
    """Return the game of a results file."""
    from northmen_agents.arena.replay import ReplayError, tables_sha256
    from northmen_agents.arena.replay_check import load

    options = config.get("options")
    if not isinstance(options, dict):
        raise click.ClickException("the results file does not say which game was played; it is damaged")
    game = load(str(config.get("game")), options, data)
    for name, here in (("tables_sha256", tables_sha256(game)), ("observation_schema", game.observation_schema)):
        if config.get(name) != here:
            raise ReplayError(
                f"the games were played with other tables or rules ({name} {config.get(name)}, here {here})"
            )
    return game


def _write(found: Replay, game: Game, seat: str | None, path: Path) -> None:
    from northmen_agents.arena import replay

    chosen = found if seat is None else replay.seat_of(found, game, seat_number(seat, game.num_players, "--seat"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replay.write(chosen, path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from None
