"""What several commands share: loading a game from flags, and the notice that something is being compiled."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

import northmen_env as nm
from northmen_env import registry

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

F = TypeVar("F", bound=Callable[..., Any])

SECONDS_BETWEEN_LINES = 5.0

game_argument = click.argument("game", metavar="GAME")


def game_options(function: F) -> F:
    """Add `--players` and `--option`."""
    players = click.option("--players", "-p", type=int, help="Number of seats (default: the game's).")
    option = click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game, as in `northmen info`.",
    )
    return players(option(function))


def load_game(name: str, players: int | None, options: tuple[str, ...]) -> Game:
    """Return the game that the flags describe. Raises click.UsageError with the sentence of what is wrong."""
    chosen = dict(_parsed(name, option) for option in options)
    if players is not None:
        chosen["num_players"] = players
    try:
        return nm.load(name, **chosen)
    except (ValueError, TypeError, OSError) as error:
        raise click.UsageError(str(error)) from None


def checked_game(name: str) -> str:
    """Return the name of a game. Raises click.UsageError if there is none of this name."""
    if name not in nm.games():
        raise click.UsageError(f"there is no game {name!r}; the games are: {', '.join(nm.games())}")
    return name


def _parsed(game: str, option: str) -> tuple[str, Any]:
    name, equals, value = option.partition("=")
    if not equals or not name:
        raise click.UsageError(f"an option is written NAME=VALUE{_example(game)}, not {option!r}")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _example(game: str) -> str:
    """Return an option of the game as it is written; nothing where there is no such game, or it has no option."""
    if game not in nm.games():
        return ""
    fields = registry.spec(game).options.model_fields
    names = [name for name in fields if name != "num_players"]
    if not names:
        return ""
    default = fields[names[0]].default
    return f", as in -o {names[0]}={default if isinstance(default, str) else json.dumps(default)}"


@contextmanager
def compile_notice() -> Iterator[None]:
    """Say on standard error what is being compiled while the block runs; silent if nothing is.

    A terminal shows one line that changes; a file gets a line at the start, one every five seconds, and one at the end.
    """
    from numba.core import event

    notice = CompileNotice()
    try:
        with event.install_listener("numba:compile", notice.listener()):
            yield
    finally:
        notice.close()


class CompileNotice:
    """Counts compilations and shows the one that is running."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._terminal = self._stream.isatty()
        self._depth = 0
        self._kernels = 0
        self._started = 0.0
        self._shown = -SECONDS_BETWEEN_LINES

    def listener(self) -> Any:
        from numba.core.event import Listener

        notice = self

        class _Listener(Listener):
            def on_start(self, event: Any) -> None:
                notice.start(event.data["dispatcher"].py_func)

            def on_end(self, event: Any) -> None:
                notice.end()

        return _Listener()

    def start(self, function: Callable[..., Any]) -> None:
        """Note that the compilation of a kernel begins."""
        now = monotonic()
        if self._kernels == 0:
            self._started = now
        self._depth += 1
        self._kernels += 1
        self._show(f"{_part(function)}: {function.__name__}", now)

    def end(self) -> None:
        """Note that a compilation is done."""
        self._depth -= 1
        if self._terminal and self._depth == 0:
            self._stream.write("\r\x1b[K")

    def _show(self, what: str, now: float) -> None:
        if not self._terminal and now - self._shown < SECONDS_BETWEEN_LINES:
            return
        first = "first use on this machine, kept for later" if self._kernels == 1 else f"{now - self._started:.0f} s"
        text = f"compiling {what} (kernel {self._kernels}, {first})"
        self._stream.write(f"\r\x1b[K{text[:110]}" if self._terminal else text + "\n")
        self._stream.flush()
        self._shown = now

    def close(self) -> None:
        """Say how much was compiled, if anything was."""
        if self._kernels == 0:
            return
        end = f"compiled {self._kernels} kernels in {monotonic() - self._started:.1f} s\n"
        self._stream.write(f"\r\x1b[K{end}" if self._terminal else end)
        self._stream.flush()


def _part(function: Callable[..., Any]) -> str:
    """Return where a kernel belongs: `saga march`, `engine boundary`, `agents flat_mc`."""
    names = function.__module__.split(".")
    return " ".join(name for name in names[1:] if name not in ("games", "phases")) or Path(names[0]).name


class FiniteRange(click.FloatRange):
    """A `FloatRange` without NaN, which compares with nothing and so is in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def seat_number(text: str, players: int, flag: str) -> int:
    """Return a seat that was written on the command line. Raises click.UsageError."""
    if text not in map(str, range(players)):
        raise click.UsageError(f"{flag} takes a seat from 0 to {players - 1}, not {text!r}")
    return int(text)
