"""State JSON (BLOOD-PHASE-08): written and read to the letter, and what is refused."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from blood_damage import damaged
from blood_games import FULL_OPTIONS, Play, load, some, walk
from blood_positions import BANDIT, MAP_A, at, neutral, position

from northmen_env.games.blood.invariants import INVARIANTS, Broken, check
from northmen_env.games.blood.reading import BANDIT_KEYS, KEYS
from northmen_env.games.blood.state import STATE

LEDGER = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "blood.md").read_text(encoding="utf-8")
HASHES = re.findall(r"`([0-9a-f]{64})`", LEDGER)


# ---- To JSON and back -----------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-PHASE-08", "BLOOD-CORNER-14")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_every_state_survives_json_to_the_byte(options: dict[str, Any]) -> None:
    seen: Counter[int] = Counter()
    for play in walk(7, **options):
        seen[int(play.record.decision)] += 1
        if seen[int(play.record.decision)] % 12 != 1:
            continue
        d = play.to_dict()
        assert set(d) == set(KEYS)
        again = load(json.loads(json.dumps(d)), seed=int(play.record.seed))
        different = [name for name in STATE.names if again.array[name].tobytes() != play.array[name].tobytes()]
        assert not different
        neutral(d)


@pytest.mark.rule("BLOOD-PHASE-08")
def test_the_keys_are_those_of_the_ledger() -> None:
    section = LEDGER[LEDGER.index("**BLOOD-PHASE-08**") : LEDGER.index("# 4. Rules")]
    rows = re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE)[1:]
    named = [key for row in rows if not row.startswith("–") for key in re.findall(r"`(\w+)`", row)]
    assert named == list(KEYS)
    inner = [key for row in rows if row.startswith("–") for key in re.findall(r"`(\w+)`", row)]
    assert inner == list(BANDIT_KEYS)


@pytest.mark.rule("BLOOD-PHASE-08")
def test_the_values_have_the_ledgers_form() -> None:
    d = position(
        MAP_A, n=3, warbands={(0, 0): [1, 2, 0], (1, 0): [0, 3, 1]}, decision="D18", active=1, player=1, a=1,
        performed=True, laid=at(1, -1), move={"kind": "LAKE", "source": at(0, 0), "count": 2},
        hands=[[3, 9], [], [120]], held=[[9], [], []], prepared=[[], [1, 100], []], vp=[0, 5, 0],
        reserve=[0, 0, 2], abilities=[7, 3, 0], discard=[6, 12], citadels=[((1, 0), 5, 2, False)],
        options={"ability_pool": [7, 0, 3]},
    )  # fmt: skip
    e = load(d).to_dict()
    assert e == d
    assert e["options"] == {
        "goods": True, "citadels": True, "abilities": True, "ability_pool": [0, 3, 7], "grid_size": 32,
        "vikings_every_turn": False, "reward": "rank", "tile_table": HASHES[0], "bandit_table": HASHES[1],
    }  # fmt: skip
    assert (e["game"], e["num_players"], e["decision"], e["player"], e["active"]) == ("blood", 3, "D18", 1, 1)
    assert e["winners"] is None
    assert e["map"][0] == {"cell": at(-1, 1), "tile": 97, "rotation": 1, "warbands": [0, 0, 0]}
    assert [entry["cell"] for entry in e["map"]] == sorted(entry["cell"] for entry in e["map"])
    assert e["citadels"] == [{"cell": at(0, 0), "side": 2, "owner": 2, "permanent": False}, *[None] * 11]
    assert len(e["pile"]) + len(e["removed"]) + len(e["map"]) + 7 == 120
    assert shape(e) == shape(json.loads(json.dumps(e)))


def shape(value: Any) -> Any:
    """Return the types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value)


@pytest.mark.rule("BLOOD-PHASE-08", "BLOOD-SETUP-11")
def test_a_state_from_json_plays_on_as_the_original() -> None:
    original = Play(num_players=3).start(5)
    other = load(original.to_dict(), seed=99)
    steps = 0
    while not original.over():
        legal = original.legal()
        action = legal[steps * 7 % len(legal)]
        original.step(action)
        other.step(action)
        steps += 1
        assert other.to_dict() == original.to_dict()
    assert steps > 50


# ---- What is refused ------------------------------------------------------------------------------------------------


def refused(d: Any, match: str, **options: Any) -> None:
    play = Play(**options).start(1)
    before = play.array.tobytes()
    with pytest.raises(ValueError, match=match):
        play.read(d)
    assert play.array.tobytes() == before or play.record.seed == 0


def start(**options: Any) -> dict[str, Any]:
    return Play(**options).start(4).to_dict()


@pytest.mark.rule("BLOOD-PHASE-08")
@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_needed_and_checked(key: str) -> None:
    d = start()
    refused({k: v for k, v in d.items() if k != key}, f"missing: .*{key}")
    for nonsense in (object(), "x", 1.5, [[[]]], {"a": 1}, -2, 10**30):
        refused({**d, key: nonsense}, key)


def test_unknown_keys_and_foreign_objects_are_refused() -> None:
    d = start()
    refused({**d, "seed": 3}, "unknown: .*seed")
    refused({**d, "game": "saga"}, "`game` must be 'blood'")
    for foreign in (None, [], "state", 3):
        refused(foreign, "must be an object")


def test_options_must_be_the_games() -> None:
    d = start()
    for key, value in (
        ("goods", False), ("goods", 1), ("citadels", None), ("grid_size", 33), ("grid_size", 32.0), ("reward", "win"),
        ("ability_pool", [0, 1]), ("ability_pool", [False, True, 2, 3, 4, 5, 6, 7]), ("tile_table", "builtin"),
        ("bandit_table", "0" * 64), ("vikings_every_turn", True),
    ):  # fmt: skip
        refused({**d, "options": {**d["options"], key: value}}, rf"`options\.{key}` is .* load the game with the same")
    refused({**d, "num_players": 3}, "`num_players` is 3, but this game has 2")
    refused({**d, "options": {**d["options"], "num_players": 2}}, "unknown: .*num_players")
    refused(start(num_players=3), "`num_players` is 3")


def nested(path: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return an edit that sets `map.0.cell` and the like."""

    def edit(d: dict[str, Any]) -> dict[str, Any]:
        d = copy.deepcopy(d)
        *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
        target = d
        for part in parents:
            target = target[part]
        target[last] = value
        return d

    return edit


BATTLE = {"cell": at(0, 0), "order": [0, 1], "owed": [2, 1], "revealed": [[], []], "strength": [0, 0], "add": 0}


def full() -> dict[str, Any]:
    """Return a position in which every context has a value, so that each can be damaged (it is no position itself)."""
    d = position(
        MAP_A, n=2, warbands={(0, 0): [2, 1], (1, 0): [0, 3]}, citadels=[((0, 0), 2, 0, False)], laid=at(0, 0),
        hands=[[3, 9], [120]], placing={"tile": 5, "cell": 12}, move={"kind": "ROAD", "source": at(0, 0), "count": 1},
        battle=copy.deepcopy(BATTLE), decision="D20",
    )  # fmt: skip
    run = {"kind": "MOVES", "moves": ["LAKE", "ROAD"], "from": at(0, 0), "via": at(1, 0), "one": None}
    d["bandit"] = {
        "card": 31, "next": 1, "left": 0, "target": None, "remaining": [], "served": [], "run": run,
        "forbidden": [at(0, 0), at(1, 0)], "won": 0, "last_won": False, "bribed": 0,
    }  # fmt: skip
    return d


WRONG = [
    ("decision", "D23", "`decision` must be one of D01 D02"), ("decision", "TILE", "decision"),
    ("player", 2, "`player` must be null or an integer in 0..1"), ("player", True, "player"),
    ("active", None, "`active` must be an integer"), ("active", 2, "active"),
    ("winners", [], "`winners` must be null or name somebody"), ("winners", [1, 0], "sorted"),
    ("winners", [2], "winners"),
    ("pile", [1, 1], "`pile` names an id twice"), ("pile", [0], r"`pile\[0\]`"), ("pile", [121], r"`pile\[0\]`"),
    ("pile", list(range(1, 122)), "`pile` has 121 entries"),
    ("discard", [4, 3], "`discard` is a set and must be sorted"),
    ("removed", [True], r"`removed\[0\]`"), ("hands", [[3]], "`hands` must be a list of 2"),
    ("hands.0", [5, 5], r"`hands\[0\]` names an id twice"), ("held.1", [2.0], r"`held\[1\]\[0\]`"),
    ("abilities", [8, None], r"`abilities\[0\]`"), ("prepared", [[], [], []], "`prepared` must be a list of 2"),
    ("fresh", None, "`fresh` must be a list"),
    ("settlement", [13, 0], r"`settlement\[0\]` must be an integer in 0..12"),
    ("vp", [7, 0], r"`vp\[0\]` must be an integer in 0..6"), ("reserve", [-1, 0], r"`reserve\[0\]`"),
    ("map", {}, "`map` must be a list"), ("map.0.cell", 1024, r"`map\[0\].cell` must be an integer in 0..1023"),
    ("map.1.cell", 3, "`map` must be sorted by cell"), ("map.1.tile", 97, "`map` has tile 97 twice"),
    ("map.0.rotation", 6, r"`map\[0\].rotation`"), ("map.0.warbands", [1], r"`map\[0\].warbands` must be a list of 2"),
    ("map.0.warbands", [13, 0], r"`map\[0\].warbands\[0\]`"), ("map.0", {"cell": 1}, "missing: .*rotation"),
    ("map.0", [1, 2], r"`map\[0\]` must be an object"), ("citadels", [None] * 11, "`citadels` must be a list of 12"),
    ("citadels.0.cell", None, r"`citadels\[0\].cell` must be a cell"),
    ("citadels.0.cell", 0, r"`citadels\[0\].cell` is cell 0, which holds no tile"),
    ("citadels.0.side", 3, r"`citadels\[0\].side`"), ("citadels.0.owner", 2, r"`citadels\[0\].owner`"),
    ("citadels.0.owner", None, r"`citadels\[0\].owner`"), ("citadels.0.permanent", 1, r"`citadels\[0\].permanent`"),
    ("citadels.0", {"cell": at(1, 0), "side": 2, "owner": 0, "permanent": False}, "must stand between two tiles"),
    ("citadels.3", {"cell": at(0, 0), "side": 2, "owner": 1, "permanent": False}, "where another citadel stands"),
    ("laid", 1, "`laid` is cell 1, which holds no tile"), ("placing", 5, "`placing` must be an object"),
    ("placing.tile", 0, "`placing.tile`"), ("placing.cell", 1024, "`placing.cell`"),
    ("citadel_side", 6, "citadel_side"),
    ("village_left", -1, "village_left"), ("furs_returned", 0, "`furs_returned` must be true or false"),
    ("silver_cell", 2, "silver_cell"), ("a", 1001, "`a`"), ("b", 2, "`b` must be an integer in 0..1"),
    ("performed", None, "performed"), ("drawn", 121, "drawn"), ("drew_earlier", "no", "drew_earlier"),
    ("move.kind", "RIVER", "`move.kind` must be one of LAKE ROAD"),
    ("move.source", None, "`move.source` must be a cell"),
    ("move.count", 0, "`move.count`"), ("move", {"kind": "LAKE"}, "missing: .*count"),
    ("battle.cell", 7, "`battle.cell` is cell 7, which holds no tile"),
    ("battle.order", [0, 0], "`battle.order` names"),
    ("battle.order", [1, 2], r"`battle.order\[1\]`"), ("battle.order", [1], "`battle.owed` must be a list of 1"),
    ("battle.owed", [1, -1], r"`battle.owed\[1\]`"), ("battle.strength", [0], "`battle.strength`"),
    ("battle.revealed", [[], [2, 1]], r"`battle.revealed\[1\]` is a set"), ("battle.add", 3, "`battle.add`"),
    ("bandit.card", 121, "`bandit.card`"), ("bandit.next", 7, "`bandit.next`"), ("bandit.left", -1, "`bandit.left`"),
    ("bandit.target", 3, "`bandit.target` is cell 3"), ("bandit.remaining", [at(1, 0), at(0, 0)], "sorted"),
    ("bandit.remaining", [0], r"`bandit.remaining\[0\]` is cell 0"), ("bandit.served", None, "bandit.served"),
    ("bandit.run.kind", "WALK", "`bandit.run.kind` must be one of MOVES ROADONE ROADATTACK"),
    ("bandit.run.moves", ["LAKE", "SEA"], r"`bandit.run.moves\[1\]` must be one of LAKE ROAD"),
    ("bandit.run.moves", "LAKE", "`bandit.run.moves` must be a list"),
    ("bandit.run.moves", ["LAKE", "ROAD"] * 4, "changes between lakes and roads more than 5 times"),
    ("bandit.run.moves", ["LAKE"] * 721, "a list of at most 720 moves"),
    ("bandit.run.from", 5, "`bandit.run.from` is cell 5"), ("bandit.run", {}, "missing: .*kind"),
    ("bandit.forbidden", [at(0, 0)], "`bandit.forbidden` must be a list of 2"),
    ("bandit.forbidden", [at(0, 0), None], r"`bandit.forbidden\[1\]` must be a cell"),
    ("bandit.won", None, "`bandit.won`"), ("bandit.last_won", 0, "`bandit.last_won`"), ("bandit.bribed", 1.0, "bribed"),
]  # fmt: skip


@pytest.mark.rule("BLOOD-PHASE-08")
@pytest.mark.parametrize(("path", "value", "match"), WRONG, ids=[f"{path}={value!r:.40}" for path, value, _ in WRONG])
def test_values_out_of_range_are_named(path: str, value: Any, match: str) -> None:
    refused(nested(path, value)(full()), match)


def test_a_tile_with_few_rotations_has_no_others() -> None:
    d = position("40@(0,0)/0", n=2)  # R-R-R-: rotations 0 and 1
    refused(nested("map.0.rotation", 2)(d), r"`map\[0\].rotation` must be an integer in 0..1")


def test_a_battle_waits_for_a_participant() -> None:
    d = position(MAP_A, n=3, warbands={(0, 0): [2, 1, 0]}, decision="D20", player=2, battle=copy.deepcopy(BATTLE),
                 laid=at(1, -1), hands=[[3], [4], [5]])  # fmt: skip
    refused(d, r"`battle.order` is \[0, 1\], but D20 waits for colour 2", num_players=3)


def changed(d: dict[str, Any], **more: Any) -> dict[str, Any]:
    return copy.deepcopy(d) | more


@cache
def sound() -> dict[str, dict[str, Any]]:
    """Return positions that are accepted, by decision."""
    turn = {"n": 2, "warbands": {(0, 0): [2, 2], (1, 0): [1, 0]}, "laid": at(1, -1), "hands": [[3, 9], [12, 15]]}
    move = {"kind": "LAKE", "source": at(0, 0), "count": None}
    furs = "45@(0,0)/0 21@(0,1)/3 4@(1,1)/0"  # the map of BLOOD-TEST-06
    solo = {"n": 1, "warbands": {(-1, 2): [0, 2], (1, 0): [1, 0]}, "laid": at(1, -1)}
    run = {"kind": "MOVES", "moves": ["LAKE", "LAKE", "ROAD"], "from": at(-1, 2), "via": None, "one": None}
    return {
        "D01": position(MAP_A, n=2, decision="D01", hands=[[8], [9]]),
        "D04": position(MAP_A, n=2, decision="D04", placing={"tile": 8, "cell": at(2, -1)}),
        "D08": position(furs, n=2, warbands={(0, 0): [3, 0]}, decision="D08", laid=at(0, 1), village_left=2),
        "D13": position(MAP_A, decision="D13", a=1, **turn),
        "D17": position(MAP_A, decision="D17", a=1, move=move, **turn),
        "D20": position(MAP_A, decision="D20", performed=True, battle=BATTLE | {"owed": [3, 2]}, **turn),
        "END": position(MAP_A, n=2, decision="END", player=None, winners=[0], warbands={(0, 0): [1, 0]}),
        "B4": position(MAP_A, decision="B4", bandit=BANDIT | {"card": 31, "next": 2, "run": run}, **solo),
    }


@pytest.mark.rule("BLOOD-PHASE-08", "BLOOD-CORNER-14")
@pytest.mark.parametrize("decision", ["D01", "D04", "D08", "D13", "D17", "D20", "END", "B4"])
def test_constructed_positions_are_read_and_written(decision: str) -> None:
    d = sound()[decision]
    assert load(d).to_dict() == d


@pytest.mark.rule("BLOOD-PHASE-08")
@pytest.mark.parametrize(("won", "last_won"), [(0, False), (1, True), (1, False), (2, True), (2, False)])
def test_the_last_battle_and_the_number_won_are_told_apart(won: int, last_won: bool) -> None:
    """The last of two attacks may be lost after the first was won."""
    d = sound()["B4"]
    d = changed(d, bandit=d["bandit"] | {"won": won, "last_won": last_won})
    assert load(d).to_dict()["bandit"] == d["bandit"]


@cache
def impossible() -> list[tuple[Broken, dict[str, Any]]]:
    """Return pairs of the invariant that is broken and a position that breaks it."""
    s = sound()
    d01, d04, d08, d13, d17, d20, end, b4 = (s[key] for key in ("D01", "D04", "D08", "D13", "D17", "D20", "END", "B4"))
    far = {"cell": at(1, 2), "tile": 40, "rotation": 0, "warbands": [0, 0]}
    permanent = {"cell": at(0, 0), "side": 2, "owner": 0, "permanent": True}
    return [
        (Broken.TURN, changed(d01, player=None)),
        (Broken.TURN, changed(d01, player=1)),
        (Broken.TURN, changed(d01, winners=[0])),
        (Broken.TURN, changed(end, winners=None)),
        (Broken.TURN, changed(d13, decision="B5")),
        (Broken.WARBANDS, changed(d01, settlement=[11, 12])),
        (Broken.WARBANDS, changed(d01, vp=[1, 0])),
        (Broken.TILES, changed(d01, pile=d01["pile"][1:])),
        (Broken.TILES, changed(d01, hands=[[8, d01["pile"][0]], [9]])),
        (Broken.TILES, changed(d01, removed=d01["removed"][1:], discard=d01["removed"][:1])),
        (Broken.HELD, changed(d01, held=[[], [8]])),
        (Broken.MODULES, changed(d01, fresh=d01["pile"][:1], pile=d01["pile"][1:])),
        (Broken.ABILITIES, changed(d01, abilities=[3, 3])),
        (Broken.CONNECTED, changed(d01, map=sorted([*d01["map"], far], key=lambda e: e["cell"]), **moved_out(d01, 40))),
        (Broken.SIDES, nested("map.0.rotation", 0)(d01)),
        (Broken.SIDES, changed(d01, citadels=[permanent, *[None] * 11], settlement=[11, 12])),
        (Broken.POINTS, changed(d13, vp=[6, 0], settlement=[3, 10])),
        (Broken.PLACING, changed(d01, placing={"tile": d01["pile"][0], "cell": None}, pile=d01["pile"][1:])),
        (Broken.PLACING, changed(d04, placing={"tile": 8, "cell": None})),
        (Broken.PLACING, changed(d04, placing={"tile": 8, "cell": at(9, 9)})),
        (Broken.PLACING, changed(d01, pile=[], discard=sorted(d01["pile"]))),
        (Broken.LAID, changed(d13, laid=None)),
        (Broken.LAID, changed(d13, citadel_side=2)),
        (Broken.VILLAGE, changed(d13, village_left=1)),
        (Broken.VILLAGE, changed(d08, village_left=0)),
        (Broken.VILLAGE, changed(d08, decision="D09")),
        (Broken.ACTIONS, changed(d01, a=1)),
        (Broken.ACTIONS, changed(d13, b=1)),
        (Broken.ACTIONS, changed(d13, drawn=1, performed=True)),
        (Broken.ACTIONS, changed(d13, move=d17["move"])),
        (Broken.MOVE, changed(d17, a=0)),
        (Broken.MOVE, changed(d17, move=d17["move"] | {"source": at(0, 1)})),
        (Broken.MOVE, changed(d17, move=d17["move"] | {"kind": "LAKE", "count": 1})),
        (Broken.BATTLE, changed(d20, battle=d20["battle"] | {"order": [1, 0]})),
        (Broken.BATTLE, changed(d20, battle=d20["battle"] | {"owed": [3, 0]})),
        (Broken.BATTLE, changed(d20, battle=d20["battle"] | {"add": 1})),
        (Broken.REVEALED, changed(d20, battle=d20["battle"] | {"strength": [2, 0]})),
        (Broken.BANDITS, changed(b4, bandit=b4["bandit"] | {"next": 0})),
        (Broken.BANDITS, changed(b4, bandit=b4["bandit"] | {"target": at(0, 0)})),
        (Broken.RUN, changed(b4, bandit=b4["bandit"] | {"run": None})),
        (Broken.RUN, changed(b4, bandit=b4["bandit"] | {"run": b4["bandit"]["run"] | {"from": at(0, 0)}})),
        (Broken.OFFER, changed(d13, a=0, drew_earlier=True)),
        (Broken.OFFER, changed(d01, hands=[[], [9]], discard=[8])),
    ]


def moved_out(d: dict[str, Any], tile: int) -> dict[str, Any]:
    """Return pile and removed tiles without a tile, of the right sizes."""
    removed = [t for t in d["removed"] if t != tile]
    pile = [t for t in d["pile"] if t != tile]
    missing = len(d["removed"]) - len(removed)
    return {"removed": sorted(removed + pile[:missing]), "pile": pile[missing:]}


@pytest.mark.rule("BLOOD-CORNER-14", "BLOOD-COMP-03", "BLOOD-PHASE-08")
@pytest.mark.parametrize("number", range(43))
def test_impossible_positions_are_refused_by_the_broken_invariant(number: int) -> None:
    broken, d = impossible()[number]
    names = {key: value for key, value in d["options"].items() if not key.endswith("_table")}
    refused(d, re.escape(INVARIANTS[broken]), num_players=d["num_players"], **names)


def test_every_impossible_position_is_tried() -> None:
    assert len(impossible()) == 43


def test_damaged_objects_never_do_anything_but_raise_a_sentence() -> None:
    """Leaves of some states are replaced by other values: they are refused, or the state read says the same."""
    values = [None, 0, 1, 5, 11, 119, -1, 10**6, True, "x", [], [0], {}, 0.5]
    told: Counter[bool] = Counter()
    for options in (FULL_OPTIONS[0], FULL_OPTIONS[2]):
        for i, play in enumerate(walk(11, **options)):
            if i % 61:
                continue
            d = play.to_dict()
            for number, path in enumerate(leaves(d)):
                if number % 7 == i % 7:
                    changed = nested(".".join(map(str, path)), values[(number + i) % len(values)])(d)
                    told[is_read(play, changed)] += 1
    assert told[False] > 10 * told[True] > 0


def is_read(play: Play, d: dict[str, Any]) -> bool:
    """Return whether an object is read as a state of the game of `play`; it says the same then."""
    other = play.copy()
    try:
        other.read(d)
    except ValueError as error:
        return "\n" in str(error)
    assert other.to_dict() == d
    return True


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for i, item in enumerate(value) for leaf in leaves(item, (*path, i))]
    return [path]


@pytest.mark.rule("BLOOD-PHASE-08", "BLOOD-CORNER-14")
@pytest.mark.parametrize(
    ("games", "tries"), [(3, 2), pytest.param(100, 20, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_what_is_read_can_be_played_on(games: int, tries: int) -> None:
    """Damaged states are refused or are states: they say the same, and all invariants hold for fifteen decisions."""
    read = 0
    for seed in range(games):
        choose, options = Random(seed), FULL_OPTIONS[seed % 5]
        for play in some(seed, 5, **options):
            for _ in range(tries):
                d = damaged(play.to_dict(), choose)
                other = Play(**options)
                try:
                    other.read(d)
                except ValueError:
                    continue
                assert other.to_dict() == d
                read += 1
                play_on(other, choose)
    assert read > 20 * games


def play_on(play: Play, choose: Random) -> None:
    for _ in range(15):
        if play.over():
            break
        legal = play.legal()
        assert len(legal) >= 2
        assert legal == sorted(set(legal))
        play.step(choose.choice(legal))
        assert check(play.rules, play.record) == 0
