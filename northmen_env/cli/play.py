"""`northmen play`: people take seats at this terminal, agents take the others."""

from __future__ import annotations

import secrets
import sys
import textwrap
from typing import TYPE_CHECKING

import click

from northmen_env.cli.common import compile_notice, game_argument, game_options, load_game, seat_number
from northmen_env.cli.seats import agent_errors, agent_option, agents_on_seats, named

if TYPE_CHECKING:
    from northmen_agents.arena.play import Seat
    from northmen_env.engine.state import State

HELP = """\
Choose by number, by name, or by the beginning of a name that fits one choice only. Other words:
  choices   list the choices again        board   show the board again
  all       all that you know, in words   log     all that you saw so far
  help      this page                     quit    leave the game"""

OTHERS = "type the number or the beginning of the name of one, or: choices, board, all, log, help, quit"
COLUMNS = 100

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the lines above the screen too: they hold what another player saw


@click.command()
@game_argument
@game_options
@click.option(
    "--seat", "-s", "people", multiple=True, metavar="SEAT", help="A seat for a person (default: 0); repeatable."
)
@agent_option
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of the game and of the agents (default: drawn).")
def play(
    game: str,
    players: int | None,
    options: tuple[str, ...],
    people: tuple[str, ...],
    agents: tuple[str, ...],
    seed: int | None,
) -> None:
    """Play GAME in the terminal.

    Several people may sit at one terminal (--seat 0 --seat 2): the screen is cleared before the keyboard goes from one
    to the other. What an agent decides is never announced; each person reads what the own seat saw at the next own
    decision. The one thing that a shared keyboard shows is whose turn it is: when a person is asked
    in secret, the others notice that the keyboard is handed over, though not what the question is.
    """
    loaded = load_game(game, players, options)
    seats = sorted({seat_number(text, loaded.num_players, "--seat") for text in people}) or [0]
    factories = agents_on_seats(agents, [seat for seat in range(loaded.num_players) if seat not in seats])
    seed = secrets.randbits(64) if seed is None else seed

    from northmen_agents.arena.play import seated, warm
    from northmen_agents.arena.schedule import agent_seed

    where = f"the game of {loaded.name} with seed {seed}"
    with agent_errors(), compile_notice():
        warm(loaded, named(factories))
    state = loaded.new_initial_state(seed=seed)
    with agent_errors():
        hosts = {
            seat: seated(loaded, seat, factory, agent_seed(seed, seat), factory.kind, where)
            for seat, factory in factories.items()
        }
        kinds = {seat: factory.kind for seat, factory in factories.items()}
        finished = Session(state, seats, hosts, kinds, where).run()
    if finished:
        show_result(state, kinds)
    click.echo(f"seed: {seed}")


class Session:
    """A game at the terminal.

    Args:
        state: the game; it is played on.
        people: the seats of people.
        agents: the agents on the other seats.
        names: of the agents.
        where: the game, for a sentence about an agent that fails.
    """

    def __init__(
        self,
        state: State,
        people: list[int],
        agents: dict[int, Seat],
        names: dict[int, str] | None = None,
        where: str = "this game",
    ) -> None:
        self.state = state
        self.people = people
        self.agents = agents
        self._names, self._where = names or {}, where
        self._at_keyboard: int | None = people[0] if len(people) == 1 else None
        self._read = dict.fromkeys(people, 0)

    def run(self) -> bool:
        """Play until the end; return whether it was reached."""
        click.echo("type help to see what you can type besides your choice")
        while not self.state.is_terminal():
            seat = self.state.current_player
            action = self._ask(seat) if seat in self._read else self._agent(seat)
            if action is None:
                click.echo("the game was left before its end")
                return False
            self.state.apply_action(action)
        return True

    def _agent(self, seat: int) -> int:
        from northmen_agents.arena.play import decided

        return decided(self.agents[seat], self.state, self._names.get(seat, "of this seat"), self._where)

    def _ask(self, seat: int) -> int | None:
        """Return the choice of a person, None to leave."""
        if self._at_keyboard != seat and not self._hand_over(seat):
            return None
        self._news(seat)
        self._board(seat)
        self._choices()
        action = self._answer(seat)
        if len(self.people) > 1:
            self._clear()
        return action

    def _hand_over(self, seat: int) -> bool:
        """Clear the screen and wait for the person of `seat`; return False if the input has ended."""
        self._clear()
        self._at_keyboard = seat
        return _line(f"pass the keyboard to seat {seat}, who presses Enter: ") is not None

    @staticmethod
    def _clear() -> None:
        click.echo(CLEAR if sys.stdout.isatty() else "-" * 60, nl=not sys.stdout.isatty())

    def _news(self, seat: int) -> None:
        lines = self.state.information_state(seat).splitlines()
        news = lines[self._read[seat] :]
        self._read[seat] = len(lines)
        if news:
            click.echo("\nsince your last decision:")
            click.echo("\n".join(f"  {line}" for line in news))

    def _board(self, seat: int) -> None:
        game = self.state.game
        click.echo("\n" + game.spec.render_text(game.rules[0], self.state.record, seat))

    def _choices(self) -> None:
        click.echo("\nyour choices:")
        game, about = self.state.game, self.state.game.spec.choice_text
        for number, action in enumerate(self.state.legal_actions(), 1):
            more = about(game.rules[0], self.state.record, action) if about else ""
            line = f"  {number:3}  {game.action_to_string(action)}{f': {more}' if more else ''}"
            click.echo(textwrap.fill(line, COLUMNS, subsequent_indent=" " * 9))

    def _answer(self, seat: int) -> int | None:
        """Return the action that the person names, None to leave."""
        while (line := _line(f"seat {seat}> ")) is not None:
            word = " ".join(line.split()).lower()
            if word in ("quit", "exit"):
                return None
            if word in ("help", "?"):
                click.echo(HELP)
            elif word == "choices":
                self._choices()
            elif word == "board":
                self._board(seat)
            elif word == "all":
                click.echo(self.state.observation_text(seat))
            elif word == "log":
                click.echo(self.state.information_state(seat))
            elif word:
                action = self._named(word)
                if action is not None:
                    return action
        return None

    def _named(self, word: str) -> int | None:
        """Return the legal action with this number or name, or say why there is none."""
        legal = self.state.legal_actions()
        if word.removeprefix("-").removeprefix("+").isdecimal():
            numbers = {str(number): action for number, action in enumerate(legal, 1)}
            if word in numbers:
                return numbers[word]
            click.echo(f"the choices are numbered 1 to {len(legal)}; type choices to see them")
            return None
        names = {" ".join(self.state.game.action_to_string(action).lower().split()): action for action in legal}
        if word in names:
            return names[word]
        fitting = [name for name in names if name.startswith(word)]
        if len(fitting) == 1:
            return names[fitting[0]]
        if fitting:
            click.echo(f"{word!r} fits {len(fitting)} choices: {'; '.join(fitting[:5])}")
        else:
            click.echo(f"no choice begins with {word!r}; {OTHERS}")
        return None


def _line(prompt: str) -> str | None:
    """Return a line of input, None at its end."""
    click.echo(prompt, nl=False)
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return "\ufffd"  # not text, so no choice
    if not line:
        click.echo()
        return None
    return line


def show_result(state: State, agents: dict[int, str]) -> None:
    """Print the final board and who finished where."""
    click.echo(f"\n{state}\n")
    for seat, (rank, score) in enumerate(zip(state.ranks(), state.scores().tolist())):
        click.echo(f"seat {seat} ({agents.get(seat, 'you')}): rank {rank}, {score:g} points")
