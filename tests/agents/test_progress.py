"""What a tournament says of its progress where nobody looks at a terminal."""

from __future__ import annotations

import pytest

from northmen_agents.arena.run import _progress


@pytest.mark.parametrize("total", [1, 3, 36, 1000])
@pytest.mark.parametrize("chunk", [1, 7])
def test_a_log_says_that_games_begin_and_each_tenth(total: int, chunk: int, capsys: pytest.CaptureFixture[str]) -> None:
    with _progress(total, 0) as advance:
        assert capsys.readouterr().err == f"playing {total} of {total} games\n"
        for done in [*range(chunk, total, chunk), total]:
            advance(done)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 10
    assert lines[-1] == f"{total} of {total} games"
    assert [line.endswith(f" of {total} games") for line in lines] == [True] * len(lines)


def test_going_on_says_how_many_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with _progress(40, 20) as advance:
        advance(21)
        advance(24)
    assert capsys.readouterr().err == "playing 20 of 40 games, 20 are there already\n24 of 40 games\n"
