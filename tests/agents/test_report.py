"""Reports: their figures are the database's, the page needs nothing but itself, and seeds are aggregated as stated."""

from __future__ import annotations

import builtins
import json
import math
import os
import shutil
import sqlite3
from collections import Counter, defaultdict
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import trim_mean

import coin_league
from northmen_agents.arena.games import Games
from northmen_agents.arena.play import GameResult
from northmen_agents.arena.ratings import RatedGame, fit_ratings
from northmen_agents.arena.report import ReportError, aggregate, svg, write_report, write_sweep
from northmen_agents.arena.report.content import Cell, Report, Section, Table
from northmen_agents.arena.report.curves import read_curve
from northmen_agents.arena.report.markdown import markdown_of
from northmen_agents.arena.report.page import html_of
from northmen_agents.arena.report.sweep import gather
from northmen_agents.arena.report.tournament import Tournament, number, report_of
from northmen_agents.arena.results import FILE_NAME
from northmen_agents.arena.run import run_tournament
from northmen_agents.arena.schedule import GameKey, Schedule
from northmen_agents.arena.summary import summarise
from northmen_agents.config import validated
from northmen_env import registry


@pytest.fixture(autouse=True, scope="module")
def _tiny_games() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        for name, entry in coin_league.TINY_GAMES.items():
            patch.setitem(registry.GAMES, name, entry)
        yield


def play(folder: Path, **entries: Any) -> Path:
    """Play a tournament of the tiny game; return its results file."""
    config: dict[str, Any] = {
        "name": "x",
        "game": {"name": "coin", "options": {}},
        "players": 3,
        "agents": {
            "random": {"kind": "random"},
            "heuristic": {"kind": "heuristic"},
            "mc": {"kind": "flat-mc", "simulations": 8},
            "mc-2": {"kind": "flat-mc", "simulations": 4},
        },
        "deals": 4,
        "bootstrap": 20,
        "executor": {"workers": 1},
    }
    with open(os.devnull, "w") as nowhere:
        run_tournament(validated(config | entries), folder, Console(file=nowhere))
    return folder / FILE_NAME


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament, one agent of which is said to cheat; do not change it."""
    file = play(tmp_path_factory.mktemp("tournament"))
    db = sqlite3.connect(file)
    config = json.loads(db.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()[0])
    config["agents"]["mc"]["cheats"] = True
    db.execute("UPDATE meta SET value = ? WHERE key = 'config'", (json.dumps(config),))
    db.commit()
    db.close()
    return file


@pytest.fixture(scope="module")
def page(results: Path) -> Page:
    """Its report."""
    return Page(write_report(results).page.read_text(encoding="utf-8"))


class Page(HTMLParser):
    """A page taken apart.

    Attributes:
        tables: id -> rows of (text, value or None), the headings first.
        tags: all elements with their attributes.
        text: everything that is not markup.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[tuple[str, float | None]]]] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text, self._table, self._open = "", "", False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "table":
            self._table = str(found["id"])
            self.tables[self._table] = []
        elif tag == "tr":
            self.tables[self._table].append([])
        elif tag in ("td", "th"):
            self.tables[self._table][-1].append(("", None))
            self._open = True
        elif tag == "data":
            text, _ = self.tables[self._table][-1][-1]
            self.tables[self._table][-1][-1] = (text, float(str(found["value"])))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open:
            text, value = self.tables[self._table][-1][-1]
            self.tables[self._table][-1][-1] = (text + data, value)

    def column(self, table: str, heading: str) -> dict[str, float]:
        """Return the numbers of a column by the name of the row."""
        headings, *rows = self.tables[f"table-{table}"]
        at = [text for text, _ in headings].index(heading)
        return {row[0][0].removesuffix(" (cheats)"): float(row[at][1] or 0) for row in rows}


def rows_of(file: Path) -> list[dict[str, Any]]:
    """Return the games as the database has them."""
    db = sqlite3.connect(file)
    rows = db.execute(
        "SELECT deal, agents, ranks, decisions, seconds FROM games JOIN timings USING (deal, line_up, seat_order)"
    )
    names = ("deal", "agents", "ranks", "decisions", "seconds")
    found = [{name: value if name == "deal" else json.loads(value) for name, value in zip(names, row)} for row in rows]
    db.close()
    return found


# -- figures -----------------------------------------------------------------------------------------------------------


def test_the_page_s_figures_are_the_database_s(results: Path, page: Page) -> None:
    games = rows_of(results)
    played: Counter[str] = Counter()
    places, firsts, decided, spent = (defaultdict(float) for _ in range(4))
    won, met = defaultdict(float), Counter()
    seat_rank, seat_first = [0.0] * 3, [0.0] * 3
    for game in games:
        for seat, (name, rank) in enumerate(zip(game["agents"], game["ranks"])):
            same = game["ranks"].count(rank)
            place = sum(other < rank for other in game["ranks"]) + (same + 1) / 2
            first = 1 / game["ranks"].count(1) if rank == 1 else 0.0
            played[name] += 1
            places[name] += place
            firsts[name] += first
            seat_rank[seat] += place / len(games)
            seat_first[seat] += first / len(games)
            decided[name] += game["decisions"][seat]
            spent[name] += game["seconds"][seat]
            for other, theirs in zip(game["agents"], game["ranks"]):
                if other != name:
                    won[name, other] += 1.0 * (rank < theirs) + 0.5 * (rank == theirs)
                    met[name, other] += 1
    assert page.column("overview", "value")["games"] == len(games) == 96
    assert page.column("ratings", "games") == dict(played)
    for heading, sums in (("mean rank", places), ("first", firsts), ("decisions per game", decided)):
        assert page.column("ratings", heading) == pytest.approx({name: sums[name] / played[name] for name in played})
    assert page.column("seconds", "seconds") == pytest.approx({name: spent[name] / decided[name] for name in played})
    for name in played:
        shares = page.column("above", name if name != "mc" else "mc (cheats)")
        assert shares == pytest.approx({n: won[n, name] / met[n, name] if met[n, name] else 0 for n in played})
    assert list(page.column("seats", "mean rank").values()) == pytest.approx(seat_rank)
    assert list(page.column("seats", "first").values()) == pytest.approx(seat_first)
    lengths = [sum(game["decisions"]) for game in games]
    assert page.column("lengths", "decisions")["median"] == float(np.median(lengths))
    assert page.column("lengths", "decisions")["longest"] == max(lengths)
    assert page.column("overview", "value")["decisions per game"] == pytest.approx(np.mean(lengths))


def test_ratings_probabilities_and_seat_effects_are_those_of_the_fit(results: Path, page: Page) -> None:
    rated = [RatedGame(game["deal"], tuple(game["agents"]), tuple(game["ranks"])) for game in rows_of(results)]
    ratings = fit_ratings(rated, bootstrap=20, seed=0)
    for heading, values in (("rating", ratings.rating), ("low", ratings.low), ("high", ratings.high)):
        assert page.column("ratings", heading) == pytest.approx(dict(zip(ratings.names, values.tolist())))
    assert list(page.column("ratings", "rating").values()) == sorted(ratings.rating.tolist(), reverse=True)
    assert list(page.column("seats", "effect").values()) == pytest.approx(ratings.seat_effect.tolist())
    assert list(page.column("seats", "low").values()) == pytest.approx(ratings.seat_low.tolist())
    for j, name in enumerate(ratings.names):
        shares = page.column("model", name if name != "mc" else "mc (cheats)")
        above = {n: 0.0 if i == j else ratings.above[i, j] for i, n in enumerate(ratings.names)}
        assert shares == pytest.approx(above)


def test_what_is_shown_is_the_value_rounded(page: Page) -> None:
    shown = [cell for rows in page.tables.values() for row in rows for cell in row if cell[1] is not None]
    assert len(shown) > 80
    for text, value in shown:
        if text.endswith(" %"):
            assert float(text[:-2]) == pytest.approx(100 * float(value or 0), abs=0.0501)
        else:
            assert float(text) == pytest.approx(value, abs=0.501)


def test_markdown_has_the_same_figures(results: Path, page: Page) -> None:
    text = (results.parent / "report.md").read_text(encoding="utf-8").replace("\\", "")
    for rows in page.tables.values():
        for row in rows:
            assert "| " + " | ".join(cell for cell, _ in row) + " |" in text
    for picture in ("ratings", "above", "model", "seats", "lengths", "seconds"):
        assert f"(figures/{picture}.png)" in text
        assert (results.parent / "figures" / f"{picture}.png").stat().st_size > 1000


def test_pictures_are_not_blank_and_the_same_every_time(results: Path, tmp_path: Path) -> None:
    from PIL import Image

    written = write_report(results, tmp_path / "a")
    again = write_report(results, tmp_path / "b")
    assert written.left_out == []
    for file in [written.page, *written.files]:
        if file.suffix in (".html", ".md", ".svg", ".png", ".csv"):
            assert file.read_bytes() == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()
        if file.suffix == ".png":
            with Image.open(file) as picture:
                assert picture.width > 400
                assert len(set(picture.convert("L").resize((64, 64)).tobytes())) > 10
    assert len(again.files) == len(written.files)


# -- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_asks_the_network_for_nothing(results: Path, page: Page) -> None:
    text = (results.parent / "report.html").read_text(encoding="utf-8")
    assert "//" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in text and "@import" not in text
    forbidden = ("script", "iframe", "object", "embed", "img", "image", "use", "video", "audio", "form", "base")
    assert [tag for tag, _ in page.tags if tag in forbidden] == []
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("src", "srcset", "action") for name in attributes)
        assert not attributes.get("href") or str(attributes["href"]).startswith("#") or tag == "link"
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert str(policy).startswith("default-src 'none'")
    assert [a["href"] for t, a in page.tags if t == "link"] == ["data:,"]


def test_the_page_can_be_read_without_eyes_and_on_a_phone(page: Page) -> None:
    by_tag = defaultdict(list)
    for tag, attributes in page.tags:
        by_tag[tag].append(attributes)
    assert by_tag["html"][0]["lang"] == "en"
    assert any(meta.get("name") == "viewport" for meta in by_tag["meta"])
    assert len(by_tag["h1"]) == len(by_tag["main"]) == 1
    ids = [str(attributes["id"]) for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [a["aria-labelledby"] for tag in ("table", "section") for a in by_tag[tag]]
    assert len(named) > 10 and set(named) <= set(ids)
    assert {str(a["href"])[1:] for a in by_tag["a"]} <= set(ids)
    assert all(a.get("scope") in ("col", "row") for a in by_tag["th"])
    assert all(a["role"] == "img" and a["aria-label"] for a in by_tag["svg"])
    assert all("width" not in a and "viewbox" in a for a in by_tag["svg"])
    assert all(a.get("tabindex") == "0" for a in by_tag["div"] if a.get("class") == "scroll")
    assert all(text for rows in page.tables.values() for text, _ in rows[0]), "every column has a heading"


def test_agents_that_cheat_are_marked_everywhere(results: Path, page: Page) -> None:
    assert "Marked (cheats): mc." in page.text
    for table in ("ratings", "above", "model", "seconds"):
        names = [row[0][0] for row in page.tables[f"table-{table}"]]
        assert "mc (cheats)" in names and "mc" not in names and "mc-2" in names
    for picture in ("ratings", "above", "model", "seconds"):
        assert ">mc (cheats)<" in (results.parent / "figures" / f"{picture}.svg").read_text()


def test_nothing_that_is_named_can_become_markup() -> None:
    evil = "<script>alert('x')</script> & | [a](http://x) `b`"
    table = Table("evil", evil, ("", evil), [[Cell(evil), Cell(evil, 1.0)]])
    report = Report(evil, [Section("evil", evil, [evil], [table], warnings=[evil], text=evil)], evil)
    assert "script" not in {tag for tag, _ in Page(html_of(report)).tags}
    text = markdown_of(report, "figures", ".png").split("```")[0]
    assert "<script" not in text.replace("\\<", "")
    assert "[a](" not in text.replace("\\[", "")


# -- other tournaments -------------------------------------------------------------------------------------------------


def test_one_deal_has_no_intervals_and_a_report_all_the_same(tmp_path: Path) -> None:
    page = Page(write_report(play(tmp_path, deals=1, players=2)).page.read_text(encoding="utf-8"))
    assert page.tables["table-ratings"][1][2] == ("–", None)
    assert "table-model-interval" not in page.tables


def test_an_unfinished_tournament_says_so_and_an_empty_one_is_refused(results: Path, tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    file.write_bytes(results.read_bytes())
    db = sqlite3.connect(file)
    db.execute("DELETE FROM games WHERE deal = 3")
    db.execute("UPDATE meta SET value = 'running' WHERE key = 'state'")
    db.commit()
    page = Page(write_report(tmp_path).page.read_text(encoding="utf-8"))
    assert "is not finished" in page.text
    assert page.column("overview", "value")["games"] == 72
    db.execute("DELETE FROM games")
    db.commit()
    db.close()
    with pytest.raises(ReportError, match="holds no games yet"):
        write_report(tmp_path)


@pytest.mark.parametrize("value", [0.0, -1e-16, 1e-16, 1.0, 1500.0, -3.0, 1e12])
def test_an_axis_over_one_value_has_it_inside_and_readable_ticks(value: float) -> None:
    axis = svg.Axis.over([value, value], 0, 100)
    assert 10 < axis.at(value) < 90
    ticks = axis.ticks()
    assert 2 <= len(ticks) == len({svg._number(tick) for tick in ticks}) <= 8
    assert number(-1e-16, "+.0f").text == "0"


def test_games_that_repeat_themselves_are_warned_of(tmp_path: Path) -> None:
    file = play(tmp_path, agents={"a": {"kind": "heuristic"}, "b": {"kind": "heuristic"}}, players=2, deals=4)
    page = Page(write_report(file).page.read_text(encoding="utf-8"))
    assert page.column("overview", "value")["distinct games"] < 0.9
    assert "Fewer than 90 % of the games are distinct" in page.text


def test_without_the_extra_everything_is_there_but_png(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] in ("PIL", "resvg_py", "pyarrow", "matplotlib", "jinja2"):
            raise ImportError(name)
        return known(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    written = write_report(results, tmp_path)
    assert [sentence.split()[0] for sentence in written.left_out] == ["figures", "games.parquet:"]
    assert all("pip install 'northmen-env[report]'" in sentence for sentence in written.left_out)
    assert "(figures/ratings.svg)" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert written.page.read_bytes() == (results.parent / "report.html").read_bytes()
    assert {file.suffix for file in written.files} == {".md", ".svg", ".csv", ".npz"}


# -- learning curves ---------------------------------------------------------------------------------------------------


def log(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "progress.csv").write_text(text)
    return folder / "progress.csv"


def test_logs_of_training_beside_the_results_are_drawn(results: Path, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(results.read_bytes())
    log(tmp_path / "ppo-1", "step,return,loss\n0,-1.0,\n1000,0.25,0.5\n2000,0.5,0.25\n30")
    log(tmp_path / "ppo-2", "step,return\n0,-0.5\n")
    page = Page(write_report(tmp_path).page.read_text(encoding="utf-8"))
    rows = [[text for text, _ in row] for row in page.tables["table-curves"][1:]]
    assert rows == [
        ["ppo-1", "return", "2000", "0.5"],
        ["ppo-2", "return", "0", "-0.5"],
        ["ppo-1", "loss", "2000", "0.25"],
    ]
    assert (tmp_path / "figures" / "curve-0.svg").read_text().count("<path") == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "needs a first line with the column step"),
        ("time,return\n0,1\n", "needs a first line with the column step"),
        ("step,return\n0,good\n1,2\n", "line 2: .* are not numbers"),
        ("step,return\n0\n1,2\n", "line 2 has 1 values for 2 columns"),
        ("step,return\n,1\n", "every line needs a step"),
    ],
)
def test_a_log_that_makes_no_sense_is_refused_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ReportError, match=sentence):
        read_curve(log(tmp_path, text), "x")


# -- sweeps ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two numbers of players and three seeds of each; do not change it."""
    folder = tmp_path_factory.mktemp("sweep")
    agents = {"random": {"kind": "random"}, "heuristic": {"kind": "heuristic"}}
    for players in (2, 3):
        for seed in (0, 1, 2):
            run = folder / f"coin-{players}p" / f"players={players},seed={seed}"
            play(run, players=players, seed=seed, deals=3, bootstrap=5, agents=agents)
    return folder


def test_a_sweep_is_one_table_with_what_differs_as_columns(sweep: Path, tmp_path: Path) -> None:
    written = write_sweep(sweep, tmp_path)
    page = Page(written.page.read_text(encoding="utf-8"))
    headings, *rows = page.tables["table-agents"]
    assert [text for text, _ in headings][:4] == ["run", "players", "seed", "agent"]
    assert len(rows) == 12
    for row in rows:
        single = Page((sweep / row[-1][0] / "report.html").read_text(encoding="utf-8"))
        assert f"players={row[1][0]},seed={row[2][0]}" in row[-1][0]
        assert row[4][1] == single.column("ratings", "rating")[row[3][0]]
        assert row[7][1] == single.column("ratings", "first")[row[3][0]]
    lines = (tmp_path / "agents.csv").read_text().splitlines()
    assert lines[0].startswith("run,players,seed,agent,rating,low,high,first")
    assert len(lines) == 13
    assert "**Agents of all tournaments" in (tmp_path / "sweep.md").read_text(encoding="utf-8")


def test_seeds_are_taken_together_by_interquartile_mean(sweep: Path, tmp_path: Path) -> None:
    page = Page(write_sweep(sweep, tmp_path).page.read_text(encoding="utf-8"))
    agents = page.tables["table-agents"][1:]
    rows = page.tables["table-seeds"][1:]
    assert len(rows) == 8  # two measures, two numbers of players, two agents
    for measure, players, agent, mean, low, high, seeds in rows:
        column = {"rating": 4, "first": 7}[measure[0]]
        values = [row[column][1] for row in agents if (row[1][0], row[3][0]) == (players[0], agent[0])]
        assert len(values) == seeds[1] == 3
        assert mean[1] == pytest.approx(trim_mean(values, 0.25))
        assert min(values) <= low[1] <= mean[1] <= high[1] <= max(values)
    rows = page.tables["table-all-games"][1:]
    assert [(row[0][0], row[1][0]) for row in rows] == [("first", "heuristic"), ("first", "random")]
    values = [row[7][1] for row in agents if row[3][0] == "heuristic"]
    assert rows[0][2][1] == pytest.approx(trim_mean(values, 0.25))
    assert [cell for cell, _ in rows[0][5:]] == ["2", "6"]


def test_trainings_are_gathered_by_their_folders_names_or_their_configuration(tmp_path: Path) -> None:
    for rate in ("0.1", "0.2"):
        for seed in range(4):
            folder = tmp_path / f"agent.rate={rate},net=[8,8],seed={seed}"
            log(folder, "step,return\n" + "".join(f"{t},{float(rate) * t + seed}\n" for t in (0, 10, 20)))
    log(tmp_path / "other", "step,return\n0,1\n20,7\n")
    (tmp_path / "other" / "config.json").write_text('{"agent": {"rate": 0.3}, "net": "[8,8]", "seed": 0, "name": "x"}')
    found = gather(tmp_path)
    assert found.columns == ("agent.rate", "seed")
    assert found.runs[0].chosen == {"agent.rate": "0.1", "net": "[8,8]", "seed": "0"}
    page = Page(write_sweep(tmp_path).page.read_text(encoding="utf-8"))
    assert [row[4][1] for row in page.tables["table-training"][1:]] == [2, 3, 4, 5, 4, 5, 6, 7, 7]
    seeds = page.tables["table-seeds"][1:]
    assert [(row[1][0], row[3][1], row[6][1]) for row in seeds] == [("0.1", 3.5, 4), ("0.2", 5.5, 4)]
    drawn = (tmp_path / "sweep-figures" / "curve-0.svg").read_text()
    assert drawn.count('fill-opacity="0.18"') == 2
    assert ">agent.rate=0.3<" in drawn


def test_a_folder_without_runs_is_refused_and_a_run_that_cannot_be_read_is_named(sweep: Path, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"neither results.sqlite nor progress.csv"):
        write_sweep(tmp_path)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / FILE_NAME).write_text("no database at all " * 100)
    with pytest.raises(ReportError, match="is not a results file"):
        write_sweep(tmp_path)
    log(tmp_path / "wrong", "time\n0\n")
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy" / FILE_NAME).write_bytes(next(sweep.rglob(FILE_NAME)).read_bytes())
    shutil.copy(tmp_path / "busy" / FILE_NAME, tmp_path / FILE_NAME)
    running = sqlite3.connect(tmp_path / "busy" / FILE_NAME, isolation_level=None)
    running.execute("BEGIN EXCLUSIVE")
    written = write_sweep(tmp_path)
    running.close()
    assert len(written.left_out) == 3
    for sentence in ("busy/results.sqlite is in use", "damaged/results.sqlite is not a", "wrong/progress.csv needs a"):
        assert any(sentence in told for told in written.left_out)
        assert sentence in Page(written.page.read_text(encoding="utf-8")).text


def test_games_of_one_player_and_of_partners_have_reports() -> None:
    rng = np.random.default_rng(0)
    solo = [
        GameResult(
            GameKey(deal, name, 0), (name,), deal, (1,), (won,), (10.0 * won + deal,), (5 + deal,), (deal,), "", (0.01,)
        )
        for deal in range(12)
        for name in ("a", "b")
        for won in [float(rng.integers(2))]
    ]
    partners = [
        GameResult(
            GameKey(deal, "a,b", order), agents, deal, (1, 2, 1, 2), (1.0, -1.0, 1.0, -1.0), (3.0, 2.0, 3.0, 2.0),
            (5, 6, 5, 7), (deal, order), "", (0.01,) * 4,
        )
        for deal in range(4)
        for order, agents in enumerate([("a", "b", "a", "b"), ("b", "a", "b", "a")])
    ]  # fmt: skip
    teams = Schedule(("a", "b"), 4, 4, teams=((0, 2), (1, 3)))
    for games, schedule, table in ((solo, Schedule(("a", "b"), 1, 12), "wins"), (partners, teams, "seats")):
        summary = summarise(games, bootstrap=5, seed=0, schedule=schedule)
        report = report_of(Tournament(Path("x"), "Title", {}, {}, True, Games.of(games), summary))
        page = Page(html_of(report))
        assert markdown_of(report, "figures", ".svg").count("![") == len(report.drawings)
        rows = page.tables[f"table-{table}"][1:]
        if table == "wins":
            assert page.column("wins", "won") == {
                name: sum(g.returns[0] for g in solo if g.agents == (name,)) / 12 for name in "ab"
            }
            assert "table-ratings" not in page.tables
        else:
            assert [row[0][0] for row in rows] == ["0+2", "1+3"]
            assert page.column("seats", "first") == {"0+2": 1.0, "1+3": 0.0}


# -- aggregation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("runs", [1, 2, 3, 4, 5, 8, 11])
def test_the_interquartile_mean_is_rliable_s(runs: int) -> None:
    scores = np.random.default_rng(runs).normal(size=(6, runs))
    assert aggregate.interquartile_mean(scores) == pytest.approx(trim_mean(scores, 0.25, axis=1))


def test_the_bootstrap_is_stratified_by_task() -> None:
    tasks = [np.full(5, float(task)) for task in range(4)]
    mean, low, high = aggregate.iqm_interval(tasks)
    assert mean == low == high == 1.5, "within each task nothing varies, and tasks are not drawn"
    _, low, high = aggregate.iqm_interval([np.concatenate(tasks)])
    assert low < 1.0 and high > 2.0, "as one task everything varies"


def test_the_interval_covers_and_is_the_same_every_time() -> None:
    rng, inside = np.random.default_rng(1), 0
    for _ in range(200):
        strata = [rng.normal(task, 1.0, size=20) for task in (0.0, 0.2, 0.4)]
        _, low, high = aggregate.iqm_interval(strata, resamples=400)
        inside += low <= 0.2 <= high
    assert 0.90 <= inside / 200 <= 0.99
    assert aggregate.iqm_interval(strata) == aggregate.iqm_interval(strata)
    assert math.isnan(aggregate.iqm_interval([np.array([1.0])])[1])


def test_curves_of_different_steps_are_compared_where_all_are_known() -> None:
    first = (np.array([0.0, 10.0, 30.0]), np.array([0.0, 1.0, 3.0]))
    second = (np.array([5.0, 20.0]), np.array([0.5, 2.0]))
    step, mean, low, high = aggregate.iqm_band([first, second], points=4)
    assert step.tolist() == [5.0, 10.0, 15.0, 20.0]
    assert mean == pytest.approx(step / 10)
    assert low == pytest.approx(mean) and high == pytest.approx(mean)
    apart = (np.array([40.0]), np.array([1.0]))
    assert len(aggregate.iqm_band([first, apart])[0]) == 0
