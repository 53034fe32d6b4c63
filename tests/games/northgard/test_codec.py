"""State JSON (NORTH-PH-10): written and read to the letter, and what is refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from northgard_referee_positions import FIELD, TWO_CLOSED, development, position
from northgard_walks import WALKS, Table, choose, load, some, walk

from northmen_env.games.northgard.reading import KEYS
from northmen_env.games.northgard.reading_frames import BENEATH, FIELDS
from northmen_env.games.northgard.reading_moment import TOP
from northmen_env.games.northgard.state import STATE, Decision, Frame, Phase
from northmen_env.games.northgard.tables import data_sha256

LEDGER = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "northgard.md").read_text(encoding="utf-8")
SECTION = LEDGER[LEDGER.index("**NORTH-PH-10**") : LEDGER.index("### 3.2 Decision points")]
OWN = ("dice", "shuffles")
"""Counters of the random streams: State JSON does not write them, no more than the seed."""


def different(one: Table, other: Table) -> list[str]:
    """Return the fields that are not equal, but for the random streams and the event log."""
    names = [name for name in STATE.names or () if name not in OWN and not name.startswith("event")]
    return [name for name in names if one.array[name].tobytes() != other.array[name].tobytes()]


# ---- To JSON and back -----------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-PH-10", "NORTH-PH-09")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_every_state_survives_json_to_the_byte(options: dict[str, Any]) -> None:
    for number, table in enumerate(walk(7, **options)):
        if number % 3 and not table.over():
            continue
        d = table.to_dict()
        assert list(d) == list(KEYS)
        again = load(json.loads(json.dumps(d)), seed=int(table.record.seed))
        assert different(table, again) == [], table.decision
        assert again.to_dict() == d


@pytest.mark.rule("NORTH-PH-10")
def test_the_keys_are_those_of_the_ledger() -> None:
    table, frames = SECTION.split("| frame (present) | fields |\n|---|---|\n")
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert [key for row in rows for key in re.findall(r"`(\w+)`", row)] == list(KEYS)
    named = re.findall(r"^\| ([A-Z, ]+?)(?: \([^|]*\))? \| (.*) \|$", frames, re.MULTILINE)
    fields = {}
    for kinds, text in named:
        for kind in kinds.split(", "):
            words = dict.fromkeys(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)|it joins .*", "", text)))
            fields[kind] = tuple(words)
    written = {kind.name: set(names) for kind, names in FIELDS.items()}
    assert {kind: set(words) for kind, words in fields.items()} == written


@pytest.mark.rule("NORTH-PH-10")
def test_every_decision_point_of_the_ledger_has_its_frame() -> None:
    section = LEDGER[LEDGER.index("### 3.2 Decision points") : LEDGER.index("## 4. Rules")]
    points = [name for row in re.findall(r"^\| ([A-Z_, ]+) \|", section, re.MULTILINE) for name in row.split(", ")]
    assert len(points) == 83
    assert [decision.name for decision in Decision if decision != Decision.END] == points
    assert set(TOP) == set(Decision)
    assert {kind for kinds in TOP.values() for kind in kinds} == set(Frame)
    assert {kind for kinds in BENEATH.values() for kind in kinds} <= set(Frame)


@pytest.mark.rule("NORTH-PH-10", "NORTH-TILE-07", "NORTH-TILE-12")
def test_the_values_have_the_ledgers_form() -> None:
    d = position(
        TWO_CLOSED, {0: {0: 3}, 1: {10: 2}}, {0: [6, 70]}, buildings=[[4, 0]], spaceless=[[4, 2, 1]],
        resources=[[1, 2, 3], [0, 0, 0]], fame=[4, -5], token=None, last_rolls=[], taken=[True, False],
    )  # fmt: skip
    e = development(d)
    assert load(e).to_dict() == e
    assert e["tiles"][1] == [34, 0, 35, 3]  # y = -1 modulo 36
    assert e["units"] == [[0, 0, 3], [10, 1, 2]]
    assert (e["kaija"], e["token"], e["frames"], e["clan"]) == (None, None, [], [2, 1])
    assert shape(e) == shape(json.loads(json.dumps(e)))


def shape(value: Any) -> Any:
    """Return the types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value)


@pytest.mark.rule("NORTH-PH-10")
def test_a_data_set_is_written_by_its_hash(tmp_path: Path) -> None:
    folder = Path(__file__).resolve().parents[3] / "northmen_env" / "games" / "northgard" / "data"
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    table = Table(data=str(tmp_path)).start(1)
    d = table.to_dict()
    assert d["options"]["data"] == data_sha256(table.rules)
    assert different(table, Table(data=str(tmp_path)).read(d, 1)) == []
    with pytest.raises(ValueError, match=r"`options\.data` is '[0-9a-f]{64}', but this game has 'builtin'"):
        Table().read(d)


@pytest.mark.rule("NORTH-PH-10", "NORTH-PH-04")
def test_a_state_from_json_offers_the_same_and_plays_on_alike() -> None:
    original, rng, steps = Table(num_players=3, clan_selection="random").start(5), Random(5), 0
    while not original.over() and steps < 160:
        other = load(original.to_dict(), seed=int(original.record.seed))
        assert other.legal() == original.legal()
        action = choose(original.legal(), rng)
        for table in (original, other):  # dice and shuffles to come are equal, too, while none was drawn before
            table.step(action)
        if original.record.dice.sum() + original.record.shuffles.sum() == 0:
            assert other.to_dict() == original.to_dict()
        steps += 1
    assert steps > 100


# ---- What is refused ------------------------------------------------------------------------------------------------


@cache
def _start(options: tuple[tuple[str, Any], ...], steps: int) -> str:
    for number, table in enumerate(walk(4, **dict(options))):
        if number == steps:
            return json.dumps(table.to_dict())
    raise AssertionError(steps)


def start(steps: int = 0, **options: Any) -> dict[str, Any]:
    """Return the State JSON after so many decisions."""
    found: dict[str, Any] = json.loads(_start(tuple(options.items()), steps))
    return found


def refused(d: Any, match: str, **options: Any) -> None:
    table = Table(**options)
    before = table.array.tobytes()
    with pytest.raises(ValueError, match=match):
        table.read(d)
    assert table.array.tobytes() == before


@pytest.mark.rule("NORTH-PH-10")
@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_needed_and_checked(key: str) -> None:
    d = start()
    refused({k: v for k, v in d.items() if k != key}, f"missing: .*{key}")
    for nonsense in (object(), "x", 1.5, [[[]]], {"a": 1}, -20000, 10**30):
        refused({**d, key: nonsense}, key)


def test_unknown_keys_and_foreign_objects_are_refused() -> None:
    d = start()
    refused({**d, "seed": 3}, "unknown: .*seed")
    refused({**d, "game": "saga"}, "`game` must be 'northgard'")
    for foreign in (None, [], "state", 3):
        refused(foreign, "must be an object")


def test_options_must_be_the_games() -> None:
    d = start()
    for key, value in (
        ("clan_selection", "random"), ("clan_selection", [0, 1]), ("years", 10), ("years", 7.0), ("teams", 0),
        ("creatures", True), ("more_creatures", None), ("map_size", 35), ("data", "0" * 64), ("reward", "win"),
        ("five_tile_in_stack", False), ("num_players", 3),
    ):  # fmt: skip
        refused({**d, "options": {**d["options"], key: value}}, rf"`options\.{key}` is .* load the game with the same")
    refused({**d, "num_players": 3}, "`num_players` is 3, but this game has 2")
    refused({**d, "options": {**d["options"], "seed": 2}}, "unknown: .*seed")
    refused(start(num_players=3), "`num_players` is 3")


def nested(path: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return an edit that sets `hand.0.1` and the like."""

    def edit(d: dict[str, Any]) -> dict[str, Any]:
        found = copy.deepcopy(d)
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        target: Any = found
        for part in way:
            target = target[part]
        target[last] = value
        return found

    return edit


WRONG = [
    # Turn and seats.
    ("year", 0, "`year` must be an integer in 1..7, not 0"),
    ("year", 8, "`year` must be an integer in 1..7, not 8"),
    ("phase", "WINTER", "`phase` must be one of CLAN SETUP ACTIONS"),
    ("phase", "HARVEST", "`phase` must be ACTIONS at MENU, not HARVEST"),
    ("decision", "NONE", "`decision` must be one of CLAN"),
    ("decision", "CLAN", "`phase` must be CLAN at CLAN"),
    ("decision", "MV_SRC", "`decision` MV_SRC needs the frame MOVE innermost, not none"),
    ("decision", "TOKEN", "`decision` TOKEN needs the frame CARD or the frame MOVE innermost"),
    ("player", None, "`player` must be seat 0 at MENU, not null"),
    ("player", 1, "`player` must be seat 0 at MENU, not 1"),
    ("turn", None, "`turn` must be a seat in the phase ACTIONS"),
    ("marker", None, "`marker` must be a seat in the phase ACTIONS"),
    ("passed.0", 1, r"`passed\[0\]` must be true or false, not 1"),
    ("resources.0", [1, 2], r"`resources\[0\]` must be a list of 3 entries"),
    ("resources.0.1", -1, r"`resources\[0\]\[1\]` must be an integer in 0\.\.9999, not -1"),
    ("clan.0", None, r"`upgrades\[0\]` must be some of \[\], the upgrades of its clan, not \[71, 72\]"),
    ("clan.0", 1, "`clan` names a clan twice"),
    ("upgrades.0", [70, 71], r"`upgrades\[0\]` must be some of \[71, 72\]"),
    ("upgrades.0", [72, 71], r"`upgrades\[0\]` is a multiset and must be sorted"),
    # Cards.
    ("hand.0", [6, 4], r"`hand\[0\]` and its masks must be sorted"),
    ("hand_known.0.0", 2, r"`hand_known\[0\]` must hold the owner in each mask"),
    ("hand_known.0", [1], r"`hand_known\[0\]` must be a list of 2 entries"),
    ("hand.0.1", 86, r"`hand\[0\]\[1\]` must be an integer in 0\.\.85"),
    ("hand.0.1", 5, r"this State JSON has card 5 2 times; the game has it 1 times"),
    ("hand.0", [6, 69], r"seat 0 has card 69 1 times; it is dealt that card 0 times"),
    ("hand.0.0", 0, r"seat 0 has card 0 2 times; it is dealt that card 1 times"),
    ("draw_pile.0.0", 85, "this State JSON has card 85 11 times; the game has it 10 times|has card"),
    ("draw_known.0.0", 4, r"`draw_known\[0\]\[0\]` must be an integer in 0\.\.3"),
    ("discard.1", [1, 0], r"`discard\[1\]` is a multiset and must be sorted"),
    ("removed", [0], "seat|has card 0"),
    ("display", [5], "early cards|has 3 early"),
    ("dev_deck.0", 0, r"`display`, `achievements` and `dev_deck` cannot hold the cards \[0\]"),
    ("achievements", [57], "1 achievement cards; 2 players are dealt 2"),
    ("unrest", 9, "this State JSON has card 85 9 times; the game has it 10 times"),
    ("supply.0", 6, r"`supply` is \[6, 7, .*, but with the buildings of the map \[7, 7"),
    # Tiles and map.
    ("tiles.0", [0, 1, 0, 0], r"`tiles\[0\]` must be the starting tile"),
    ("tiles.1.1", 5, r"`tiles\[1\]` lies at 5, 0, which is no empty cell beside the tiles before it"),
    ("tiles.1.1", 36, r"`tiles\[1\]\[1\]` must be an integer in 0\.\.35"),
    ("tiles.1.3", 1, r"`tiles\[1\]\[3\]` must be an integer in 0\.\.0"),  # tile 14 looks the same in every rotation
    ("tiles.2.0", 14, "`tiles` has tile 14 twice"),
    ("tiles.2.0", 7, r"each tile of the game once; missing: \[3\], too many: \[7\]"),
    ("tile_stack", [], "`tile_known` must be a list of 0 entries"),
    ("tile_known.0", 4, r"`tile_known\[0\]` must be an integer in 0\.\.3"),
    ("tile_hands.0", [3], r"each tile of the game once; missing: \[\], too many: \[3\]"),
    ("units", [[1, 0, 3], [0, 1, 2]], "`units` must be sorted and name nothing twice"),
    ("units", [[1, 0, 15]], r"`units\[0\]\[2\]` must be an integer in 1\.\.14"),
    ("units", [[0, 0, 8], [1, 0, 8]], "`units` has more than 14 units of seat 0"),
    ("units", [[4, 0, 3]], r"`units\[0\]\[0\]` is 4, which is no canonical territory id"),
    ("units", [[5, 0, 3]], r"`units\[0\]\[0\]` is 5, which is no canonical territory id"),
    ("units", [[12, 0, 3]], r"`units\[0\]\[0\]` must be an integer in 0\.\.11"),
    ("kaija", 0, "`kaija` must be null: no seat has the Bear clan"),
    ("token", 0, "`token` must be null: no seat has the Snake clan"),
    ("buildings", [[0, 0]], r"`buildings\[0\]`: slot 0 has no free space for a building of type 0"),
    ("buildings", [[4, 0]], r"`buildings\[0\]`: slot 4 has no free space for a building of type 0"),
    ("buildings", [[9, 4]], r"`buildings\[0\]`: slot 9 has no free space for a building of type 4"),
    ("buildings", [[12, 0]], r"`buildings\[0\]\[0\]` must be an integer in 0\.\.11"),
    ("spaceless", [[1, 5, 1]], r"`spaceless\[0\]`: a large building \(type 5\) needs a space"),
    ("spaceless", [[1, 0, 8]], r"`spaceless\[0\]\[2\]` must be an integer in 1\.\.7"),
    ("spaceless", [[0, 0, 4], [1, 0, 4]], "the map has more than 7 buildings of type 0"),
    ("creatures", [[0, 1]], r"each creature card of the game once; missing: \[\], too many: \[0\]"),
    ("creature_top", 1, "`creature_top` must be an integer in 0..0, not 1"),
    ("last_rolls", [6], r"`last_rolls\[0\]` must be an integer in 0\.\.5"),
    ("frames", [{"frame": "MOVE"}], "is a MOVE and is the outermost frame, which never happens"),
    ("frames", [{"frame": "X"}], r"`frames\[0\]\.frame` must be one of SETUP"),
    ("frames", [{}], r"`frames\[0\]` must be an object with the key `frame`"),
    ("frames", [{"frame": "UPGRADE"}], r"`frames\[0\]` has exactly the keys of NORTH-PH-10; missing: \['card'\]"),
    ("frames", [{"frame": "UPGRADE", "card": 6}], "`decision` MENU needs no frame innermost, not UPGRADE"),
]  # fmt: skip


@pytest.mark.rule("NORTH-PH-10", "NORTH-COMP-02", "NORTH-COMP-03", "NORTH-COMP-05")
@pytest.mark.parametrize(("path", "value", "sentence"), WRONG)
def test_wrong_values_are_refused_by_name(path: str, value: Any, sentence: str) -> None:
    d = development(position(FIELD, {0: {1: 3}, 1: {0: 2}}, {0: [4, 6]}))
    load(d)
    refused(nested(path, value)(d), sentence)


def running(frames: list[dict[str, Any]], decision: str, player: int | None = 0, **given: Any) -> dict[str, Any]:
    """Return a position in which card 9 (MOVE 2), 7 (RECRUIT) or another one is being played by seat 0."""
    card = given.pop("card", 9)
    d = development(position(FIELD, {0: {1: 3}, 1: {0: 2}}, {0: [4]}, played=[[card], []], **given))
    frames = [{"frame": "CARD", "card": card}, *frames]
    return {**d, "decision": decision, "player": player, "frames": frames}


MOVE = {"frame": "MOVE", "row": 9, "left": 2, "src": None, "dst": None, "num": None, "terr": None, "due": []}
RECRUIT = {"frame": "RECRUIT", "row": 7, "left": 1, "room": [[1, None]], "placed": [], "kaija": False, "terr": None}
COMBAT = {"frame": "COMBAT", "terr": 0, "attacker": 0, "defender": 1, "creature": None, "row": 9,
          "food_a": None, "food_d": None, "roll_a": None, "roll_d": None, "face_a": None, "face_d": None,
          "either": None, "loser": None, "to": None}  # fmt: skip


@pytest.mark.rule("NORTH-PH-10")
def test_frames_that_never_run_so_are_refused() -> None:
    load(running([MOVE], "MV_SRC"))
    refused(running([], "MV_SRC"), "`decision` MV_SRC needs the frame MOVE innermost, not CARD")
    refused(running([MOVE], "MV_DST"), "`src` of the frame MOVE must be set at MV_DST")
    refused(running([{**MOVE, "src": 1}], "MV_SRC"), "`src` of the frame MOVE must be null at MV_SRC")
    refused(running([{**MOVE, "row": 1}], "MV_SRC"), r"`frames\[1\]\.row` must be 9 on a CARD, not 1")
    refused(running([MOVE], "MV_SRC", card=7), r"`frames\[1\]\.row` must be 7 on a CARD, not 9")
    refused(running([{**MOVE, "row": 7}], "MV_SRC", card=7), "must be a card with the operation MOVE, not 7")
    refused(running([{**MOVE, "src": 5}], "MV_DST"), r"`frames\[1\]\.src` is 5, which is no canonical territory id")
    refused(running([{**MOVE, "due": [[1, None], [0, None]]}], "CB_PICK"), "must be sorted by territory, each once")
    refused(running([MOVE, MOVE], "MV_SRC"), r"`frames\[2\]` is a MOVE and lies on MOVE, which never happens")
    refused(running([MOVE], "MV_SRC", player=1), "`player` must be seat 0 at MV_SRC, not 1")
    refused(running([MOVE], "PAY"), "`decision` PAY needs the frame PAY innermost")
    refused(running([{**RECRUIT, "room": [[1, 0]]}], "REC_TERR", card=7), r"room\[0\]\[1\]` must be an integer in 1")
    refused(running([RECRUIT], "REC_KAIJA", card=7), "`terr` of the frame RECRUIT must be set at REC_KAIJA")
    refused(running([MOVE, {**COMBAT, "row": None}], "CB_FOOD_A"), r"`frames\[2\]\.row` must be 9 on a MOVE, not None")
    refused(running([MOVE, {**COMBAT, "defender": None}], "CB_FOOD_A"), "two of attacker, defender and creature")
    refused(running([MOVE, {**COMBAT, "loser": 0}], "CB_FOOD_A"), "`loser` of the frame COMBAT must be null")
    refused(running([MOVE, COMBAT], "CB_FOOD_D", player=0), "`player` must be seat 1 at CB_FOOD_D, not 0")
    refused(running([], "REACT", player=1), "`player` must be an enemy of the turn player with the reaction in hand")


BUILD = {"frame": "BUILD", "row": 3, "left": 1, "large": False, "terr": 1, "gather": None, "type": None, "old": None}


@pytest.mark.rule("NORTH-PH-10", "NORTH-TURN-05")
def test_numbers_that_no_row_gives_are_refused() -> None:
    rich = {"resources": [[0, 9, 9], [0, 0, 0]], "card": 3}
    load(running([BUILD], "BD_TYPE", **rich))
    refused(
        running([{**BUILD, "terr": 0}], "BD_TYPE", **rich), "`terr` of the frame BUILD is 0, which BD_TERR does not"
    )
    refused(running([{**BUILD, "left": 2}], "BD_TYPE", **rich), "`left` of the frame BUILD must be 1, not 2,")
    refused(running([{**BUILD, "gather": True}], "BD_TYPE", **rich), "`gather` of the frame BUILD must be null")
    refused(running([{**BUILD, "large": True}], "BD_TYPE", **rich), "`large` of the frame BUILD must be false")
    refused(running([{**MOVE, "left": 3}], "MV_SRC"), r"`left` of the frame MOVE must be an integer in 0\.\.2, not 3")
    refused(running([{**MOVE, "src": 0}], "MV_DST"), "`src` of the frame MOVE is 0, which MV_SRC does not offer")
    refused(
        running([{**RECRUIT, "room": [[0, None]]}], "REC_TERR", card=7), "`room` of the frame RECRUIT must be neutral"
    )
    again = {**rich, "main_used": True, "resolved": True}
    refused(running([BUILD], "BD_TYPE", **again), "`main_used` must be false: card 3 has no Flash")
    refused(running([MOVE], "MV_SRC", main_used=True), "`resolved` must be true where `main_used` is")


@pytest.mark.rule("NORTH-PH-10", "NORTH-SETUP-13")
def test_a_tile_that_is_set_up_is_one_of_the_own_hand() -> None:
    table = next(t for t in walk(3, **WALKS[1]) if t.decision == "SETUP_CELL")
    d = table.to_dict()
    assert table.copy().read(d).to_dict() == d
    wrong = nested("frames.0.tile", d["tile_stack"][0])(d)
    refused(wrong, "`tile` of the frame SETUP must be in the tile hand of seat", **WALKS[1])


@pytest.mark.rule("NORTH-PH-10", "NORTH-CRE-20")
def test_the_creatures_still_to_come_are_those_after_the_active_one() -> None:
    states = [t.copy() for t in walk(3, **WALKS[1]) if t.decision == "CR_MOVE"]
    table = next(t for t in states if t.to_dict()["frames"][0]["queue"])
    d = table.to_dict()
    queue = d["frames"][0]["queue"]
    assert table.copy().read(d).to_dict() == d
    for wrong in ([], [creature for creature, _ in d["creatures"]], [*queue, 99], "all"):
        refused(nested("frames.0.queue", wrong)(d), r"`frames\[0\]\.queue", **WALKS[1])
    wrong = nested("frames.0.queue", list(map(float, queue)))(d)
    refused(wrong, r"`frames\[0\]\.queue\[0\]` must be an integer", **WALKS[1])


def moved(d: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the object with one card more or less in this list of the middle, a removed card in exchange."""
    found = [{**d, key: d[key][1:], "removed": sorted([*d["removed"], *d[key][:1]])}]
    return found + [
        {**d, key: sorted([*d[key], card]), "removed": rest(d["removed"], card)} for card in d["removed"][:1]
    ]


def rest(cards: list[int], card: int) -> list[int]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@pytest.mark.rule("NORTH-PH-10", "NORTH-YEAR-02", "NORTH-YEAR-03", "NORTH-SETUP-02", "NORTH-TURN-13")
@pytest.mark.parametrize("options", WALKS[:2], ids=str)
def test_the_middle_holds_the_cards_of_its_year_and_those_to_come(options: dict[str, Any]) -> None:
    """Else the display of a later year is filled from an empty deck, or with more cards than there are seats."""
    seen, years = set(), Table(**options).options.years
    for table in walk(5, **options):
        phase, year = Phase(int(table.record.phase)), int(table.record.year)
        moment = (phase, year in (2, years) if phase == Phase.ACTIONS else None)
        if moment in seen:
            continue
        seen.add(moment)
        d = table.to_dict()
        for other in {1, year - 1, year + 1, years} - {0, year, years + 1}:
            refused({**d, "year": other}, "`dev_deck`|`year`|`achievements`", **options)
        for key in ("display", "achievements", "dev_deck"):
            for wrong in moved(d, key) if d[key] else []:
                refused(wrong, f"`{key}`", **options)
        if d["dev_deck"] and d["dev_deck"][0] < 21:
            refused({**d, "dev_deck": d["dev_deck"][::-1]}, "`dev_deck` must hold .* early above", **options)
        if year > 1:
            for key in ("taken", "passed"):
                flags = [flag != (q == table.record.turn) for q, flag in enumerate(d[key])]
                if flags != d[key]:
                    refused({**d, key: flags}, "`display`|`taken|`passed", **options)
    assert {phase.name for phase, _ in seen} >= {"SETUP", "ACTIONS", "HARVEST", "END"}


@pytest.mark.rule("NORTH-PH-02", "NORTH-PH-10")
def test_a_decision_without_a_choice_is_refused() -> None:
    d = development(position(FIELD, {0: {1: 3}, 1: {0: 2}}, {0: []}))
    refused(d, "not a position of the game: MENU leaves no choice there")  # only PASS is left


@pytest.mark.rule("NORTH-PH-10")
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_damaged_objects_never_raise_anything_but_a_sentence(options: dict[str, Any]) -> None:
    rng = Random(9)
    states = [table.to_dict() for table in some(3, 23, **options)]
    table = Table(**options)
    for _ in range(120):
        d = copy.deepcopy(rng.choice(states))
        for _ in range(rng.randrange(1, 3)):
            _damage(d, rng)
        before = table.array.tobytes()
        try:
            table.read(d)
        except ValueError:
            assert table.array.tobytes() == before
        else:
            assert table.over() or len(table.legal()) >= 2
            for action in table.legal()[:3]:
                table.copy().step(action)


def _damage(value: Any, rng: Random) -> None:
    """Change one value somewhere inside."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            value.append(rng.choice([0, 1, None, [0, 1]]))
            return
        key = rng.choice(keys)
        if isinstance(value[key], (dict, list)) and rng.random() < 0.85:
            value = value[key]
            continue
        value[key] = rng.choice([0, 1, 2, 5, 17, 60, 139, -1, None, True, False, "", "MENU", [], {}, 2.0])
        return


def test_numpy_integers_are_never_written() -> None:
    (table, *_) = some(1, 10**6, **WALKS[3])
    assert "np." not in repr(table.to_dict())
    assert not any(isinstance(value, np.generic) for value in table.to_dict().values())
