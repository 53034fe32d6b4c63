"""Exports of a results file: the same games in every form."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from coin_league import played
from northmen_agents.arena import export
from northmen_agents.arena.games import Games
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.results import FILE_NAME, ResultsError, ResultsFile

RESULTS = sorted(played(3, 2), key=lambda result: result.key)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = ResultsFile(tmp_path / FILE_NAME, {"game": "coin"})
    file.add_all(RESULTS)
    file.close()
    return tmp_path / FILE_NAME


def rows(result: GameResult) -> list[list[object]]:
    key = [result.key.deal, result.key.line_up, result.key.order]
    return [
        [*key, result.seed, seat, result.agents[seat], result.ranks[seat], result.returns[seat], result.scores[seat],
         result.decisions[seat], result.digest, result.seconds[seat]]
        for seat in range(len(result.agents))
    ]  # fmt: skip


def test_csv_has_a_row_for_each_seat(file: Path) -> None:
    export.export_csv(file, file.with_name("games.csv"))
    with file.with_name("games.csv").open(newline="", encoding="utf-8") as lines:
        header, *found = csv.reader(lines)
    assert header == list(export.COLUMNS)
    assert found == [[str(value) for value in row] for result in RESULTS for row in rows(result)]


def test_parquet_has_the_same_rows_and_the_actions(file: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    export.export_parquet(file, file.with_name("games.parquet"))
    table = parquet.read_table(file.with_name("games.parquet")).to_pydict()
    actions = table.pop("actions")
    assert list(table) == list(export.COLUMNS)
    assert [list(row) for row in zip(*table.values())] == [row for result in RESULTS for row in rows(result)]
    assert actions == [value for result in RESULTS for value in (list(result.actions), None, None)]


def test_json_lines_are_the_games_without_times(file: Path) -> None:
    export.export_json(file, file.with_name("games.jsonl"))
    lines = [json.loads(line) for line in file.with_name("games.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [tuple(line["key"]) for line in lines] == [tuple(result.key) for result in RESULTS]
    assert [tuple(line["actions"]) for line in lines] == [result.actions for result in RESULTS]
    assert all("seconds" not in line for line in lines)


def test_the_payoff_tensor_holds_the_mean_return_of_each_seat_for_each_seating(file: Path) -> None:
    export.export_payoff(file, file.with_name("payoff.npz"))
    found = np.load(file.with_name("payoff.npz"))
    agents = found["agents"].tolist()
    assert agents == ["heuristic", "mc-10", "mc-100", "random"]
    assert found["payoff"].shape == (3, 4, 4, 4)
    assert found["games"].sum() == len(RESULTS)
    for seating in np.ndindex(4, 4, 4):
        same = [r.returns for r in RESULTS if r.agents == tuple(agents[i] for i in seating)]
        assert found["games"][seating] == len(same)
        expected = np.mean(same, axis=0) if same else [np.nan] * 3
        np.testing.assert_array_equal(found["payoff"][(slice(None), *seating)], expected)


def test_a_tensor_that_would_fill_the_memory_is_refused() -> None:
    game = RESULTS[0]
    crowd = [GameResult(**{**vars(game), "agents": (f"a{i}", f"b{i}", f"c{i}")}) for i in range(100)]
    with pytest.raises(ResultsError, match="the payoff tensor of 300 agents on 3 seats"):
        export.payoff(Games.of(crowd))
