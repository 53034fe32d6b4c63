"""Replays: played again they are the same game, a change is found where it is, and a seat's holds what it knew."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coin_league
import northmen_env as nm
from northmen_agents.arena import replay, replay_check
from northmen_agents.arena.replay import Replay, ReplayDeparts, ReplayError, SeatReplay
from northmen_env import registry, testing
from northmen_env.engine.game import Game
from northmen_env.engine.state import State
from tiny.ask import DECLINE
from tiny.ask import GAME as ASK
from tiny.coin import GAME as COIN
from twin_games import script, twins

GAMES: dict[str, Callable[[], Game]] = {
    "coin": lambda: Game(COIN, num_players=3),
    "ask": lambda: Game(ASK, num_players=4),
    "saga": lambda: nm.load("saga", num_players=2),
    "saga-free": lambda: nm.load("saga", num_players=4, march_order="free", first_leader="random", history=4),
}


@pytest.fixture(autouse=True)
def _tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, entry in coin_league.TINY_GAMES.items():
        monkeypatch.setitem(registry.GAMES, name, entry)


def random_actions(state: State, seed: int) -> list[int]:
    """Return the actions of a random game from `state` to its end."""
    rng, state = np.random.default_rng(seed), state.clone()
    actions = []
    while not state.is_terminal():
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    return actions


def made(game: Game, seed: int = 7) -> Replay:
    """Return the replay of a random game."""
    return replay.full_replay(game, seed, random_actions(game.new_initial_state(seed), seed))


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def rewrite(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A replay of the tiny game, on disk."""
    path = tmp_path / "game.jsonl"
    replay.write(made(GAMES["coin"]()), path)
    return path


def verified(path: Path) -> None:
    """Do what the command does with a full replay."""
    found = replay.read(path)
    assert isinstance(found, Replay)
    replay_check.check(found, replay_check.game_of(found.header))


# -- the same game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_comes_back_from_its_file_and_is_the_same_game(name: str, tmp_path: Path) -> None:
    game = GAMES[name]()
    whole = made(game)
    path = tmp_path / "game.jsonl"
    replay.write(whole, path)
    assert replay.read(path) == whole
    verified(path)
    lines = lines_of(path)
    assert lines[0]["game"] == game.name and lines[0]["options"] == game.options_dict
    assert lines[0]["package"] == nm.__version__
    state = game.new_initial_state(int(lines[0]["seed"]))
    for n, line in enumerate(lines[1:-1]):
        assert (line["n"], line["player"]) == (n, state.current_player)
        assert game.string_to_action(line["text"]) == line["action"]
        state.apply_action(line["action"])
        assert line["digest"] == state.digest()
    assert lines[-1]["result"]["ranks"] == state.ranks()
    assert lines[-1]["result"]["returns"] == state.returns().tolist()


def test_replays_of_a_tournament_s_games_are_those_games() -> None:
    game = coin_league.coin_game()
    for result in coin_league.played(2, 1):
        whole = replay.replay_of(game, result)
        assert whole.header.agents == list(result.agents)
        assert whole.header.key == tuple(result.key)
        assert whole.decisions[-1].digest == result.digest
        assert [line.action for line in whole.decisions] == list(result.actions)


def test_a_recorded_game_that_ends_otherwise_is_told() -> None:
    result = coin_league.played(2, 1)[0]
    for change, sentence in (
        ({"digest": "0" * 64}, "ends as another one: final digest"),
        ({"ranks": (3, 3)}, "ends as another one: ranks"),
        ({"returns": (0.25, -0.25)}, "ends as another one: returns"),
        ({"actions": result.actions[:-1]}, "has not ended"),
        ({"actions": (6, *result.actions[1:])}, "illegal"),
        ({"actions": (999, *result.actions[1:])}, "cannot be played again"),
    ):
        with pytest.raises(ReplayDeparts, match=sentence):
            replay.replay_of(coin_league.coin_game(), type(result)(**{**vars(result), **change}))


# -- where it departs --------------------------------------------------------------------------------------------------

Lines = list[dict[str, Any]]


def with_line(number: int, **change: Any) -> Callable[[Lines], Lines]:
    return lambda lines: [{**line, **change} if i == number else line for i, line in enumerate(lines)]


def with_result(**change: Any) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:-1], {"result": {**lines[-1]["result"], **change}}]


def another_legal(lines: Lines) -> Lines:
    """Change the first claim of the game, which is legal and leads elsewhere."""
    action = 1 - lines[1]["action"]
    return with_line(1, action=action, text=("CLAIM tails", "CLAIM heads")[action])(lines)


DEPARTURES: list[tuple[str, Callable[[Lines], Lines], str]] = [
    ("another legal action", another_legal, "departs at decision 0: player 0's CLAIM .* leads to another state"),
    ("an illegal action", with_line(5, action=1), r"decision 4: action 1 .* illegal here for player \d; legal: 2 \(GU"),
    ("another player", with_line(3, player=0), "departs at decision 2: player 0 in the file, player 2 here"),
    ("another text", with_line(2, text="CLAIM war"), "departs at decision 1: action . is CLAIM war in the file"),
    ("another digest", with_line(7, digest="0" * 64), r"departs at decision 6: .*digest 0000000000000000 in the file"),
    ("another seed", with_line(0, seed="8"), "departs before the first decision"),
    ("one decision less", lambda lines: [*lines[:-2], lines[-1]], "ends after 11 decisions, the game not"),
    (
        "one decision more",
        lambda lines: [*lines[:-1], {**lines[-2], "n": 12}, lines[-1]],
        "departs at decision 12: the game has ended",
    ),
    ("other ranks", with_result(ranks=[9, 9, 9]), r"departs at the result: ranks \[9, 9, 9\] in the file"),
    ("other returns", with_result(returns=[0.0, 0.0, 9.0]), "departs at the result: returns"),
    ("agents of other seats", with_line(0, agents=["a"]), "it names 1 agents for 3 seats"),
]


@pytest.mark.parametrize(("change", "sentence"), [d[1:] for d in DEPARTURES], ids=[d[0] for d in DEPARTURES])
def test_a_change_is_found_at_its_decision(file: Path, change: Callable[[Lines], Lines], sentence: str) -> None:
    rewrite(file, change(lines_of(file)))
    with pytest.raises(ReplayDeparts, match=sentence):
        verified(file)


REFUSALS: list[tuple[str, Callable[[Lines], Lines], str]] = [
    ("newer", with_line(0, version=2), "format version 2, and .* reads version 1: install a newer northmen-env"),
    ("version as text", with_line(0, version="1"), "format version"),
    ("version 0", with_line(0, version=0), "format version 0"),
    ("another format", with_line(0, format="chess"), "is not a replay of northmen-env"),
    ("cut short", lambda lines: lines[:-1], "cut short"),
    ("header only", lambda lines: lines[:1], "cut short"),
    ("a field is missing", lambda lines: [lines[0], {"n": 0}, *lines[2:]], "line 2, player: field required"),
    ("a field too many", with_line(4, hand=[3]), "line 5, hand: extra inputs are not permitted"),
    ("a wrong type", with_line(4, action="2"), "line 5, action: input should be a valid integer"),
    ("a line is gone", lambda lines: [*lines[:3], *lines[4:]], "line 4 has decision 3 where decision 2"),
    ("no seed", with_line(0, seed="99999999999999999999"), "a seed is a number"),
    ("not a number", with_result(returns=[float("nan")] * 3), "returns.0: input should be a finite number"),
    ("another game", with_line(0, game="chess"), "the game was 'chess', and the games here are"),
    ("another rule version", with_line(0, game_version=7), "of coin-v7"),
    ("other observations", with_line(0, observation_schema="00"), "of other actions or observations"),
    ("other tables", with_line(0, tables="00"), "played with other tables or options"),
    ("other options", with_line(0, options={"num_players": 3, "rounds": 1}), "played with other tables or options"),
    ("unknown options", with_line(0, options={"size": 3}), "coin has no option 'size'"),
    ("reserved options", with_line(0, options={"name": "saga"}), "cannot be loaded"),
    ("a table set", with_line(0, options={"data": "ab" * 32}), "say in which folder they are: --data"),
]


@pytest.mark.parametrize(("change", "sentence"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_what_cannot_be_checked_is_refused_in_a_sentence(
    file: Path, change: Callable[[Lines], Lines], sentence: str
) -> None:
    rewrite(file, change(lines_of(file)))
    with pytest.raises(ReplayError, match=sentence) as caught:
        verified(file)
    assert not isinstance(caught.value, ReplayDeparts)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n\n", b"\xff\xfe\x00", b"[" * 100_000 + b"\n\n\n", b'{"seat": 1}\n{}\n', b"deal,line_up\n0,a\n"],
)
def test_a_foreign_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match="is not a replay of northmen-env"):
        replay.read(path)


def test_a_file_cut_at_any_byte_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for size in range(0, len(data), 97):
        file.write_bytes(data[:size])
        with pytest.raises(ReplayError):
            replay.read(file)


# -- what a seat knew --------------------------------------------------------------------------------------------------


def declining(game: Game, seed: int, seat: int) -> tuple[Replay, SeatReplay]:
    """Return a game of ambushes in which everybody travels by a fixed plan and declines what it is asked in secret."""
    state, actions, journeys = game.new_initial_state(seed), [], 0
    while not state.is_terminal():
        asked = DECLINE in state.legal_actions()
        actions.append(DECLINE if asked else journeys % 2)
        journeys += not asked
        state.apply_action(actions[-1])
    whole = replay.full_replay(game, seed, actions, ["me" if s == seat else f"other-{seed}-{s}" for s in range(3)])
    return whole, replay.seat_of(whole, game, seat)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_all_games_that_a_seat_cannot_tell_apart_have_the_same_bytes(seat: int) -> None:
    """Who holds a knife is hidden, and so is who is asked to use it: the games differ in length, this seat's do not."""
    game = Game(ASK, num_players=3)
    texts: dict[int, set[str]] = defaultdict(set)
    worlds: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    lengths: dict[int, set[int]] = defaultdict(set)
    for seed in range(40):
        knives = tuple(game.new_initial_state(seed).to_dict()["knife"][:3])
        whole, own = declining(game, seed, seat)
        worlds[knives[seat]].add(knives)
        lengths[knives[seat]].add(len(whole.decisions))
        texts[knives[seat]].add(replay.text_of(own))
    for knife in (0, 1):
        assert len(worlds[knife]) == 4
        assert len(lengths[knife]) > 1, "the games differ in how many decisions there were"
        assert len(texts[knife]) == 1, "and the seat's replay does not say so"
    assert texts[0] != texts[1], "its own knife it does know"


@pytest.mark.rule("SAGA-INFO-08")
def test_a_seat_s_replay_does_not_tell_who_was_asked_about_a_route_in_secret() -> None:
    met = 0
    for seed in range(60):
        found = twins(3, seed)
        if found is None:
            continue
        first, second, asked = found
        ours, theirs = script(first, second, asked, np.random.default_rng(seed))
        for seat in {0, 1, 2} - {asked}:
            mine, other = replay.seat_replay(first, ours, seat), replay.seat_replay(second, theirs, seat)
            assert mine.header == other.header
            assert mine.decisions == other.decisions
            met += len(ours) > len(theirs) and len(mine.decisions) > 2
        if met >= 4:
            break
    assert met >= 4


@pytest.mark.parametrize("name", ["coin", "saga-free"])
def test_a_seat_s_replay_follows_from_what_the_seat_received(name: str) -> None:
    """Two worlds of a resample, played on alike for as long as the seat cannot tell them apart."""
    game, compared, different = GAMES[name](), 0, 0
    visited = [state for _, state in testing.information.positions(game, 1, seed=2) if not state.is_terminal()]
    for number, state in enumerate(visited[:: max(1, len(visited) // 12)]):
        for seat in range(game.num_players):
            one, two = state.resample(seat, 10 * number), state.resample(seat, 10 * number + 1)
            actions = alike(one, two, seat)
            first, second = replay.seat_replay(one, actions, seat), replay.seat_replay(two, actions, seat)
            assert first.header == second.header
            assert first.decisions == second.decisions
            compared += len(first.decisions)
            different += one.digest() != two.digest()
    assert compared > 20
    assert different > 10


def alike(one: State, two: State, seat: int) -> list[int]:
    """Return actions that can be played in both worlds before `seat` decides on something else in one of them."""
    one, two, rng = one.clone(), two.clone(), np.random.default_rng(0)
    actions: list[int] = []
    while not one.is_terminal() and one.current_player == two.current_player and len(actions) < 60:
        shared = sorted(set(one.legal_actions()) & set(two.legal_actions()))
        own = one.current_player == seat
        if not shared or (own and not same_to(seat, one, two)):
            break
        actions.append(int(rng.choice(shared)))
        one.apply_action(actions[-1])
        two.apply_action(actions[-1])
    return actions


def same_to(seat: int, one: State, two: State) -> bool:
    """Return whether the seat received the same so far."""
    return one.events(seat) == two.events(seat) and (one.observation(seat) == two.observation(seat)).all()


def test_a_seat_s_replay_has_neither_seed_nor_plies_nor_others_names(tmp_path: Path) -> None:
    game = GAMES["saga"]()
    seed = 123_456_789_123_456_789
    names = ["me", "somebody-else"]
    whole = replay.full_replay(game, seed, random_actions(game.new_initial_state(seed), 3), names)
    path = tmp_path / "seat.jsonl"
    replay.write(replay.seat_of(whole, game, 0), path)
    text = path.read_text()
    for secret in (str(seed), "somebody-else", "seed", "second", *(line.digest for line in whole.decisions)):
        assert secret not in text
    lines = lines_of(path)
    own = [line for line in whole.decisions if line.player == 0]
    assert [line["n"] for line in lines[1:-1]] == list(range(len(own)))
    assert [line["action"] for line in lines[1:-1]] == [line.action for line in own]
    assert set(lines[1]) == {"n", "events", "observation", "action", "text"}
    assert set(lines[-1]["result"]) == {"events", "ranks", "scores", "returns"}
    state, at = game.new_initial_state(seed), iter(lines[1:-1])
    told: list[str] = []
    for line in whole.decisions:
        if state.current_player == 0:
            mine = next(at)
            told += mine["events"]
            assert mine["observation"] == replay.observation_sha256(state, 0)
        state.apply_action(line.action)
    assert told + lines[-1]["result"]["events"] == state.information_state(0).splitlines()


def test_a_seat_s_replay_is_compared_with_the_full_one(tmp_path: Path) -> None:
    game = GAMES["coin"]()
    whole, other = made(game), made(game, seed=8)
    path = tmp_path / "seat.jsonl"
    replay.write(replay.seat_of(whole, game, 1), path)
    own = replay.read(path)
    assert isinstance(own, SeatReplay)
    replay_check.check_form(own, game)
    replay_check.check_seat(own, whole, game)
    with pytest.raises(ReplayDeparts, match="departs at the seat's decision 0"):
        replay_check.check_seat(own, other, game)
    lines = lines_of(path)
    for change, sentence in (
        (with_line(3, observation="0" * 64), "departs at the seat's decision 2: observation"),
        (with_line(2, events=["a miracle"]), "departs at the seat's decision 1: events"),
        (with_line(2, text="GUESS 9"), "departs at the seat's decision 1: action . is GUESS 9 in the file"),
        (with_line(0, seat=3), "there is no seat 3 in this game"),
        (with_line(0, agent="me"), "agent 'me' in the file"),
        (lambda lines: [*lines[:-2], lines[-1]], "3 decisions in the file, 4 here"),
        (with_result(scores=[0.0, 0.0, 9.0]), "departs at the result: scores"),
    ):
        rewrite(path, change(lines))
        changed = replay.read(path)
        assert isinstance(changed, SeatReplay)
        with pytest.raises(ReplayDeparts, match=sentence):
            replay_check.check_seat(changed, whole, game)
