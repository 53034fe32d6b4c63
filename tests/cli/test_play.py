"""People at the terminal: choices by number and name, words, several people, and nothing that a seat may not see."""

from __future__ import annotations

import io
from typing import Any

import pytest
from click.testing import CliRunner, Result

import coin_league
from northmen_env import registry
from northmen_env.cli.app import northmen
from northmen_env.cli.play import Session
from northmen_env.engine.game import Game
from northmen_env.engine.state import State

HAND_OVER = "pass the keyboard to seat "


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def play(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(northmen, ["play", *arguments], input=text)


def test_a_game_by_numbers_ends_with_the_result() -> None:
    result = play("1\n1\n2\n2\n", "coin", "--seed", "4")
    assert result.exit_code == 0
    assert "seat 0 (you): rank" in result.output
    assert "seat 1 (heuristic): rank" in result.output
    assert result.output.endswith("seed: 4\n")
    assert HAND_OVER not in result.output, "one person keeps the keyboard"


def test_names_and_beginnings_of_names_are_choices_too() -> None:
    by_number = play("2\n1\n1\n1\n", "coin", "--seed", "4").output
    by_name = play("CLAIM heads\nguess 0\nclaim t\n  GUESS   0 \n", "coin", "--seed", "4").output
    assert by_name == by_number


@pytest.mark.parametrize("number", ["0", "-1", "99", "+3"])
def test_a_number_that_is_no_choice_is_told_the_numbers(number: str) -> None:
    result = play(f"{number}\nquit\n", "coin")
    assert "the choices are numbered 1 to 2; type choices to see them" in result.output


def test_what_fits_nothing_or_too_much_is_told_and_asked_again() -> None:
    result = play("c\nbirds\n7\n0\n1\n1\n1\n1\n", "coin", "--seed", "4")
    assert "'c' fits 2 choices: claim tails; claim heads" in result.output
    assert "no choice begins with 'birds'" in result.output
    assert result.output.count("the choices are numbered 1 to 2") == 2
    assert "rank" in result.output


def test_words_help_board_log_and_choices() -> None:
    result = play("help\nboard\nlog\nchoices\nall\n\nquit\n", "coin", "--seed", "4")
    assert result.exit_code == 0
    assert "leave the game" in result.output
    assert result.output.count("your choices:") == 2
    assert result.output.count("round 0, player 0") == 3
    assert result.output.count("tossed 0") == 2
    assert "the game was left before its end" in result.output


@pytest.mark.parametrize("word", ["undo", "birds", "g o"])
def test_an_unknown_word_is_told_in_one_line_what_can_be_typed(word: str) -> None:
    (line,) = [line for line in play(f"{word}\nquit\n", "coin").output.splitlines() if "no choice begins" in line]
    for known in ("number", "name", "choices", "board", "all", "log", "help", "quit"):
        assert known in line


def test_a_question_mark_is_help() -> None:
    assert play("?\nquit\n", "coin", "--seed", "4").output == play("help\nquit\n", "coin", "--seed", "4").output


def test_the_end_of_the_input_leaves_the_game() -> None:
    result = play("1\n", "coin", "--seed", "4")
    assert result.exit_code == 0
    assert "the game was left before its end" in result.output


def test_the_same_seed_and_choices_play_the_same_game() -> None:
    assert play("1\n1\n2\n2\n", "coin", "--seed", "9").output == play("1\n1\n2\n2\n", "coin", "--seed", "9").output


def test_two_people_hand_the_keyboard_over_and_see_their_own_hand_only() -> None:
    result = play("\n1\n\n1\n\n1\n\n1\n" * 2, "coin", "--seed", "4", "-s", "0", "-s", "1")
    assert result.exit_code == 0
    turns = result.output.split(HAND_OVER)[1:]
    assert [turn[0] for turn in turns] == ["0", "1"] * 4
    for turn in turns[:-1]:
        own, other = int(turn[0]), 1 - int(turn[0])
        board = turn.partition("your choices")[0].partition("round ")[2]
        assert f"seat {other}: coin ?" in board
        assert f"seat {own}: coin ?" not in board


def test_choices_whose_names_do_not_say_it_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(rules: Any, state: Any, action: int) -> str:
        return f"about {action} " * (action % 2) * 20

    monkeypatch.setitem(vars(registry.spec("coin")), "choice_text", told)
    lines = play("quit\n", "coin", "--seed", "4").output.partition("your choices:\n")[2].splitlines()
    explained = [line for line in lines if "about" in line]
    assert len(explained) > 1 and all(len(line) <= 100 for line in explained)
    assert play("1\n1\n2\n2\n", "coin", "--seed", "4").exit_code == 0, "names are typed without the explanation"


class Declines:
    """An agent that takes the first legal action: it travels the short way, and declines when it is asked."""

    def act(self, state: State) -> int:
        return state.legal_actions()[0]


def test_an_agent_asked_in_secret_leaves_no_trace_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(registry.spec("ask"))
    start = game.new_initial_state(seed=0).to_dict()
    texts, asked = [], []
    for knife in (1, 0):
        state = game.state_from_dict({**start, "knife": [0, knife, *start["knife"][2:]]})
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
        assert Session(state, [0], {1: Declines()}).run()  # type: ignore[dict-item]
        texts.append(capsys.readouterr().out)
        asked.append(game.string_to_action("DECLINE") in state._actions())
    assert asked == [True, False], "the agent was asked in one of the two games only"
    assert texts[0] == texts[1]
    assert texts[0].count("your choices:") == 2


def test_the_hand_over_does_not_say_what_is_asked() -> None:
    for seed in range(10):
        result = play("\n1\n" * 20, "ask", "--seed", str(seed), "-s", "0", "-s", "1")
        for turn in result.output.split(HAND_OVER)[1:]:
            assert turn[1:].startswith(", who presses Enter: ")
