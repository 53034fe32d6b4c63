"""`northmen data check northgard`: each condition of a data set is told with file and line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from northmen_env.games.northgard import tables
from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.tables import FILES, RULES, build_rules, check_data

BUILTIN = Path(tables.__file__).parent / "data"


def rules(**options: str) -> np.record:
    return build_rules(Options(**options))[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    copy.mkdir()
    for name in FILES:
        (copy / name).write_bytes((BUILTIN / name).read_bytes())
    return copy


def replace(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        return text.replace(old, new)

    return edit


def field(line: int, column: int, value: str) -> Callable[[str], str]:
    """Return an edit of one field; lines count from 1 as editors do, columns from 0."""

    def edit(text: str) -> str:
        lines = text.split("\n")
        values = lines[line - 1].split(",")
        assert values[column] != value
        values[column] = value
        lines[line - 1] = ",".join(values)
        return "\n".join(lines)

    return edit


def row(number: int, *values: object) -> Callable[[str], str]:
    """Return an edit of the numbers `op a b c d fl` of card `number`."""

    def edit(text: str) -> str:
        lines = text.split("\n")
        kept = lines[number + 1].split(",")[:5]
        lines[number + 1] = ",".join([*kept, *map(str, values)])
        return "\n".join(lines)

    return edit


def swapped(first: int, second: int) -> Callable[[str], str]:
    """Return an edit that exchanges two lines."""

    def edit(text: str) -> str:
        lines = text.split("\n")
        lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]
        return "\n".join(lines)

    return edit


T = "tiles.csv"
TILES = [
    # Numbers and ids.
    (lambda text: text.rstrip("\n").rsplit("\n", 1)[0] + "\n", r"tiles\.csv:35: 34 tiles; a data set has exactly 35"),
    (lambda text: text + text.rstrip("\n").rsplit("\n", 1)[1] + "\n", r"tiles\.csv:37: 36 tiles; .* exactly 35"),
    (swapped(5, 6), r"tiles\.csv:5: id 4 where 3 is due; ids run from 0 to 34 in order"),
    (field(5, 1, "5"), r"tiles\.csv:5: n must be an integer from 1 to 4, not '5'"),
    (field(5, 1, "0"), r"tiles\.csv:5: n must be an integer from 1 to 4, not '0'"),
    (field(5, 2, "2"), r"tiles\.csv:5: N must be an integer from 0 to 1, not '2'"),
    (field(5, 2, "-1"), r"tiles\.csv:5: N must be an integer from 0 to 1, not '-1'"),
    (field(5, 6, "10"), r"tiles\.csv:5: f0 must be an integer from 0 to 9, not '10'"),
    (field(5, 9, "4"), r"tiles\.csv:5: s0 must be an integer from 0 to 3, not '4'"),
    (field(5, 10, "2"), r"tiles\.csv:5: x0 must be an integer from 0 to 1, not '2'"),
    (field(5, 26, "3"), r"tiles\.csv:5: b01 must be an integer from 0 to 2, not '3'"),
    (field(5, 26, "x"), r"tiles\.csv:5: b01 must be an integer from 0 to 2, not 'x'"),
    (field(5, 26, "01"), r"tiles\.csv:5: b01 must be .* not '01'"),
    # What one tile must hold.
    (field(5, 16, "1"), r"tiles\.csv:5: the tile has 2 areas \(n\), so the columns of area 2 must be 0"),
    (field(5, 25, "1"), r"tiles\.csv:5: the tile has 2 areas \(n\), so the columns of area 3 must be 0"),
    (field(5, 31, "1"), r"tiles\.csv:5: the tile has 2 areas \(n\), so b23 must be 0"),
    (field(5, 2, "1"), r"tiles\.csv:5: area 0 has no side; every area of a tile reaches at least one side"),
    (field(5, 4, "0"), r"tiles\.csv:5: areas 0 and 1 cross: one has the sides N and S, the other E and W"),
    (field(5, 26, "0"), r"tiles\.csv:5: areas 0 and 1 meet in a corner, so b01 must be 1 or 2, not 0"),
    (field(2, 28, "0"), r"tiles\.csv:2: areas 0 and 3 meet in a corner, so b03 must be 1 or 2, not 0"),
    (field(6, 15, "1"), r"tiles\.csv:6: the tile has more than one lair"),
    # Totals of NORTH-TILE-15.
    (field(5, 6, "1"), r"tiles\.csv:36: 13 food icons; .* exactly 12 \(.*no one of them is at fault"),
    (field(5, 7, "1"), r"tiles\.csv:36: 12 wood icons; a data set has exactly 11"),
    (field(5, 8, "1"), r"tiles\.csv:36: 9 lore icons; a data set has exactly 8"),
    (field(5, 9, "2"), r"tiles\.csv:36: 44 small spaces; a data set has exactly 45"),
    (field(5, 9, "2"), r"tiles\.csv:36: 9 carved spaces; a data set has exactly 8"),
    (field(5, 9, "3"), r"tiles\.csv:36: 15 large spaces; a data set has exactly 14"),
    (field(5, 10, "1"), r"tiles\.csv:36: 12 lairs; a data set has exactly 11"),
    (field(5, 26, "2"), r"tiles\.csv:36: 75 regular borders; a data set has exactly 76"),
    (field(5, 26, "2"), r"tiles\.csv:36: 22 rough borders; a data set has exactly 21"),
    (replace("14,1,0,0,0,0,", "14,2,0,1,1,1,"), r"tiles\.csv:16: areas 0 and 1 meet in a corner, so b01"),
    # The middle of five players.
    (replace("0,4,0,1,2,3,", "0,4,1,1,2,3,"), r"tiles\.csv:2: area 0 has no side"),
    (lambda text: field(3, 6, "1")(field(3, 21, "0")(text)),
     r"tiles\.csv:3: tile 1 is the five-player tile: .* W must have food"),
    (replace("\n0,4,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,1,1,1",
             "\n0,3,0,1,1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,1,0,0"),
     r"tiles\.csv:2: the area on side E of tile 0 must have no other side, so that the middle"),
    (replace("\n0,4,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,1,1,1",
             "\n0,3,0,1,1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,1,0,0"),
     r"tiles\.csv:36: 21 tiles with three areas; a data set has exactly 20"),
    (replace("\n0,4,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,1,1,1",
             "\n0,3,0,1,1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,1,0,0"),
     r"tiles\.csv:36: 102 areas; a data set has exactly 103"),
    # The form of the file.
    (replace("id,n,N,E,S,W", "id,n,N,E,W,S"), r"tiles\.csv:1: the first line must be the header 'id,n,N,E,S,W,f0"),
    (lambda _: "", r"tiles\.csv:1: the first line must be the header"),
    (lambda text: "\ufeff" + text, r"tiles\.csv:1: the file begins with a byte order mark"),
    (lambda text: text.replace("\n", "\r\n"), r"tiles\.csv:1: the line ends with CR"),
    (replace("14,1,0,0,0,0,0,1", "14,1,0,0,0,0,0,1,0"), r"tiles\.csv:16: the line has 33 fields, but a row has 32"),
]  # fmt: skip

CARDS = [
    # Ids, names, groups.
    (lambda text: text.rstrip("\n").rsplit("\n", 1)[0] + "\n", r"cards\.csv:86: 85 card types; .* exactly 86"),
    (swapped(10, 11), r"cards\.csv:10: id 9 where 8 is due"),
    (replace("21,Spy,", "21,Move,"), r"cards\.csv:23: the name 'Move' is taken by id 1"),
    (replace("21,Spy,", "21,,"), r"cards\.csv:23: the name '' cannot be used"),
    (replace("21,Spy,", f"21,{'x' * 65},"), r"cards\.csv:23: the name 'x+'… takes 65 bytes; the longest may take 64"),
    (replace("21,Spy,A", "21,Spy,B"), r"cards\.csv:23: group must be one of S, E, A, H, U, C0, C1.*, not 'B'"),
    (replace("21,Spy,A", "21,Spy,E"), r"cards\.csv:23: card 21 is of group E; its group is A"),
    (replace("20,Future Sight,E", "20,Future Sight,A"), r"cards\.csv:22: card 20 is of group A; its group is E"),
    (replace("64,Bear Clan,C0", "64,Bear Clan,C1"), r"cards\.csv:66: card 64 is of group C1; its group is C0"),
    (replace("84,Call to War,C6", "84,Call to War,C5"), r"cards\.csv:86: card 84 is of group C5; its group is C6"),
    (replace("85,Unrest,U", "85,Unrest,H"), r"cards\.csv:87: card 85 is of group H; its group is U"),
    # Flash, fame, operation.
    (replace("21,Spy,A,0", "21,Spy,A,2"), r"cards\.csv:23: flash must be an integer from 0 to 1, not '2'"),
    (replace("21,Spy,A,0,2", "21,Spy,A,0,10"), r"cards\.csv:23: fame must be an integer from 0 to 9, not '10'"),
    (row(21, 16, 0, 0, 0, 0, 0), r"cards\.csv:23: op must be an integer from 0 to 15, not '16'"),
    (row(21, 10, 1, 1, 1, -1, 0), r"cards\.csv:23: d must be an integer from 0 to 999, not '-1'"),
    (row(21, 0, 0, 0, 0, 0, 0), r"cards\.csv:23: op is 0; only achievements and Unrest \(groups H, U\) have no action"),
    (row(58, 6, 1, 0, 0, 0, 0), r"cards\.csv:60: a card of group H has no action; its op must be 0, not 6"),
    (row(85, 6, 1, 0, 0, 0, 0), r"cards\.csv:87: a card of group U has no action; its op must be 0, not 6"),
    (replace("0,Recruit,S,0,0", "0,Recruit,S,0,1"), r"cards\.csv:2: fame is 1; only development cards \(groups E, A\)"),
    (replace("85,Unrest,U,0,0", "85,Unrest,U,0,1"), r"cards\.csv:87: fame is 1; only development cards"),
    (replace("85,Unrest,U,0", "85,Unrest,U,1"), r"cards\.csv:87: flash must be 0: a card with op 0 is never played"),
    (replace("26,Defensive Strategy,A,0", "26,Defensive Strategy,A,1"), r"cards\.csv:28: flash must be 0: .* op 15"),
    (row(0, 2, 1, 0, 0, 0, 0), r"cards\.csv:2: card 0 has op 2; it is the RECRUIT \(op 1\) that cards with op 7 offer"),
    (row(3, 6, 1, 0, 0, 0, 0), r"cards\.csv:5: card 3 has op 6; it is the BUILD \(op 4\)"),
    (row(30, 15, 0, 0, 0, 0, 0), r"cards\.csv:32: a second reaction \(op 15\); line 28 has one, and a prompt names no"),
    (row(4, 15, 0, 0, 0, 0, 0), r"cards\.csv:6: only a development card .* can be a reaction \(op 15\)"),
    # Numbers of the vocabulary, one operation after the other.
    (row(7, 1, 0, 0, 0, 0, 0), r"cards\.csv:9: a of op 1 \(RECRUIT\) must be from 1 to 14, not 0"),
    (row(7, 1, 15, 0, 0, 0, 0), r"cards\.csv:9: a of op 1 \(RECRUIT\) must be from 1 to 14, not 15"),
    (row(7, 1, 1, 3, 0, 0, 0), r"cards\.csv:9: b of op 1 \(RECRUIT\) must be from 0 to 2, not 3"),
    (row(7, 1, 1, 0, 4, 0, 0), r"cards\.csv:9: c of op 1 \(RECRUIT\) must be from 0 to 3, not 4"),
    (row(7, 1, 1, 0, 3, 3, 0), r"cards\.csv:9: d of op 1 \(RECRUIT\) must be from 0 to 2, not 3"),
    (row(7, 1, 1, 0, 1, 1, 0), r"cards\.csv:9: d must be 0, as c is 1: it belongs to c = 2 and c = 3"),
    (row(7, 1, 1, 0, 0, 0, 8), r"cards\.csv:9: fl of op 1 \(RECRUIT\) must be a sum of 1, 2, 4, not 8"),
    (row(7, 1, 2, 0, 0, 0, 1), r"cards\.csv:9: the bits 1 and 2 of a RECRUIT add to one territory; .* a = 1 or c = 1"),
    (row(7, 1, 2, 0, 2, 0, 2), r"cards\.csv:9: the bits 1 and 2 of a RECRUIT add to one territory"),
    (row(9, 2, 5, 0, 0, 0, 0), r"cards\.csv:11: a of op 2 \(MOVE\) must be from 1 to 4, not 5"),
    (row(9, 2, 1, 10, 0, 0, 0), r"cards\.csv:11: b of op 2 \(MOVE\) must be from 0 to 9, not 10"),
    (row(9, 2, 1, 0, 0, 1, 0), r"cards\.csv:11: d of op 2 \(MOVE\) must be 0, not 1"),
    (row(9, 2, 1, 0, 0, 0, 128), r"cards\.csv:11: fl of op 2 \(MOVE\) must be a sum of 1, 2, .*, 64, not 128"),
    (row(9, 2, 2, 0, 0, 0, 64), r"cards\.csv:11: bit 64 makes a single move; a must be 1, not 2"),
    (row(6, 3, 4, 1, 0, 0, 0), r"cards\.csv:8: a of op 3 \(EXPLORE\) must be from 1 to 3, not 4"),
    (row(6, 3, 1, 0, 0, 0, 0), r"cards\.csv:8: b of op 3 \(EXPLORE\) must be from 1 to 3, not 0"),
    (row(6, 3, 2, 1, 0, 0, 1), r"cards\.csv:8: bit 1 exchanges one tile; a must be 1, not 2"),
    (row(10, 4, 3, 0, 0, 0, 0), r"cards\.csv:12: a of op 4 \(BUILD\) must be from 1 to 2, not 3"),
    (row(10, 4, 1, 4, 0, 0, 0), r"cards\.csv:12: b of op 4 \(BUILD\) must be from 0 to 3, not 4"),
    (row(10, 4, 1, 0, 0, 0, 16), r"cards\.csv:12: fl of op 4 \(BUILD\) must be a sum of 1, 2, 4, 8, not 16"),
    (row(8, 5, 3, 1, 1, 0, 0), r"cards\.csv:10: a must be b \+ c \+ d = 2, not 3: each drawn card has one place"),
    (row(8, 5, 0, 0, 0, 0, 0), r"cards\.csv:10: a DRAW draws at least one card; a must not be 0"),
    (row(8, 5, 2, 2, 0, 0, 2), r"cards\.csv:10: bit 2 counts territories; a, b, c and d must be 0"),
    (row(22, 6, 0, 0, 0, 0, 0), r"cards\.csv:24: a GAIN gives something; one of a, b, c must not be 0"),
    (row(22, 6, 1, 0, 0, 1, 0), r"cards\.csv:24: d of op 6 \(GAIN\) must be 0, not 1"),
    (row(15, 7, 2, 4, 0, 0, 0), r"cards\.csv:17: a is 2 different actions, but the set b = 4 has 1"),
    (row(15, 7, 1, 16, 0, 0, 0), r"cards\.csv:17: b of op 7 \(CHOOSE\) must be from 1 to 15, not 16"),
    (row(15, 7, 0, 1, 0, 0, 0), r"cards\.csv:17: a of op 7 \(CHOOSE\) must be from 1 to 4, not 0"),
    (row(55, 8, 3, 1, 0, 0, 0), r"cards\.csv:57: a of op 8 \(STRIKE\) must be from 1 to 2, not 3"),
    (row(55, 8, 1, 4, 0, 0, 0), r"cards\.csv:57: b of op 8 \(STRIKE\) must be from 1 to 3, not 4"),
    (row(27, 9, 4, 0, 0, 0, 0), r"cards\.csv:29: a of op 9 \(COPY\) must be from 1 to 3, not 4"),
    (row(27, 9, 1, 0, 0, 0, 1), r"cards\.csv:29: fl of op 9 \(COPY\) must be 0, not 1"),
    (row(21, 10, 3, 1, 1, 0, 0), r"cards\.csv:23: a of op 10 \(HAND\) must be from 1 to 2, not 3"),
    (row(21, 10, 1, 2, 4, 0, 0), r"cards\.csv:23: c of op 10 \(HAND\) must be from 1 to 3, not 4"),
    (row(21, 10, 1, 2, 1, 4, 0), r"cards\.csv:23: d of op 10 \(HAND\) must be from 0 to 3, not 4"),
    (row(21, 10, 1, 1, 2, 1, 0), r"cards\.csv:23: with b = 1 the actor chooses one card; c must be 1, not 2"),
    (row(46, 11, 3, 0, 0, 0, 0), r"cards\.csv:48: a of op 11 \(BRIBE\) must be from 1 to 2, not 3"),
    (row(50, 12, 1, 0, 0, 0, 0), r"cards\.csv:52: a of op 12 \(FETCH\) must be 0, not 1"),
    (row(20, 13, 0, 1, 0, 0, 0), r"cards\.csv:22: b of op 13 \(FORESEE\) must be 0, not 1"),
    (row(32, 14, 0, 0, 1, 0, 0), r"cards\.csv:34: c of op 14 \(CONQUER\) must be 0, not 1"),
    (row(26, 15, 0, 0, 0, 1, 0), r"cards\.csv:28: d of op 15 \(REACT\) must be 0, not 1"),
    (row(85, 0, 0, 0, 0, 0, 1), r"cards\.csv:87: fl of op 0 \(NONE\) must be 0, not 1"),
    (replace("id,name,group", "id,title,group"), r"cards\.csv:1: the first line must be the header 'id,name,group"),
    (replace("21,Spy,A,0,2,10,1,1,1,1,0", "21,Spy,A"), r"cards\.csv:23: the line has 3 fields, but a row has 11"),
]  # fmt: skip

SMALL = [
    ("die.csv", field(2, 0, "1"), r"die\.csv:2: id 1 where 0 is due; ids run from 0 to 5"),
    ("die.csv", replace("\n5,1,1,0", ""), r"die\.csv:6: 5 faces; a data set has exactly 6"),
    ("die.csv", field(4, 1, "0"), r"die\.csv:4: or is 1, so axes and skulls must both be 1 or more"),
    ("die.csv", field(4, 3, "2"), r"die\.csv:4: or must be an integer from 0 to 1, not '2'"),
    ("die.csv", field(3, 1, "10"), r"die\.csv:3: axes must be an integer from 0 to 9, not '10'"),
    ("creatures.csv", field(3, 0, "2"), r"creatures\.csv:3: id 2 where 1 is due"),
    ("creatures.csv", field(2, 1, "Fox"), r"creatures\.csv:2: name must be one of Wolf, Brown Bear, .*, not 'Fox'"),
    ("creatures.csv", field(2, 1, "Draugr"), r"creatures\.csv:10: 2 cards Wolf; a data set has exactly 3"),
    ("creatures.csv", field(2, 1, "Draugr"), r"creatures\.csv:10: 3 cards Draugr; a data set has exactly 2"),
    ("creatures.csv", field(2, 2, "brown"), r"creatures\.csv:3: a second Wolf in brown; line 2 has one"),
    ("creatures.csv", field(2, 2, ""), r"creatures\.csv:2: colour must be printable text of 1 to 32 bytes, not ''"),
    ("creatures.csv", field(2, 3, "0"), r"creatures\.csv:2: value must be an integer from 1 to 99, not '0'"),
    ("creatures.csv", field(2, 3, "7"), r"creatures\.csv:2: the value of a Wolf must be at most 6, not 7: the pile is"),
    ("creatures.csv", field(9, 3, "6"), r"creatures\.csv:9: the value of a Fallen Valkyrie must be more than 6, not 6"),
    ("creatures.csv", field(2, 4, "x"), r"creatures\.csv:2: fame must be an integer from 0 to 9, not 'x'"),
    ("creatures.csv", field(2, 5, "B"), r"creatures\.csv:2: prio1, prio2 and prio3 must be B, U and R .*, not B,B,U"),
    ("creatures.csv", field(2, 7, "X"), r"creatures\.csv:2: prio1, prio2 and prio3 must be .*, not R,B,X"),
    ("achievements.csv", field(3, 0, "60"), r"achievements\.csv:3: id 60 where 58 is due; ids run from 57 to 63"),
    ("achievements.csv", field(2, 1, "10"), r"achievements\.csv:2: small building must be an integer from 0 to 9"),
    ("achievements.csv", replace("card,small", "id,small"), r"achievements\.csv:1: the first line must be the header"),
    ("start.csv", field(2, 0, "0"), r"start\.csv:2: id 0 where 1 is due; ids run from 1 to 5"),
    ("start.csv", field(2, 3, "100"), r"start\.csv:2: lore must be an integer from 0 to 99, not '100'"),
    ("start.csv", replace("\n5,3,2,0", ""), r"start\.csv:5: 4 places; a data set has exactly 5"),
    ("winter.csv", field(2, 0, "1"), r"winter\.csv:2: the first row must be of units 0, not 1"),
    ("winter.csv", field(4, 0, "4"), r"winter\.csv:4: units 4 comes after units 4; rows go up"),
    ("winter.csv", field(6, 0, "15"), r"winter\.csv:6: units must be an integer from 0 to 14, not '15'"),
    ("winter.csv", field(5, 1, "1"), r"winter\.csv:5: food and wood must not be less than in the row before"),
    ("winter.csv", lambda text: text.split("\n")[0] + "\n", r"winter\.csv:1: the table has no row; .* units 0"),
    ("harvest.csv", field(2, 0, "1"), r"harvest\.csv:2: the first row must be of size 2, not 1"),
    ("harvest.csv", field(3, 1, "0"), r"harvest\.csv:3: fame must not be less than in the row before"),
    ("harvest.csv", field(3, 0, "36"), r"harvest\.csv:3: size must be an integer from 0 to 35, not '36'"),
]  # fmt: skip

VIOLATIONS = [("tiles.csv", *case) for case in TILES] + [("cards.csv", *case) for case in CARDS] + SMALL


@pytest.mark.rule("NORTH-DATA-06", "NORTH-TILE-15")
@pytest.mark.parametrize(("file", "edit", "sentence"), VIOLATIONS)
def test_each_violation_is_told_with_file_and_line(
    folder: Path, file: str, edit: Callable[[str], str], sentence: str
) -> None:
    target = folder / file
    target.write_bytes(edit(target.read_text(encoding="utf-8")).encode())
    found = check_data(str(folder))
    assert [fault for fault in found if re.match(sentence, fault)], found
    assert all(re.match(rf"{file}:\d+: .+", fault) for fault in found)
    with pytest.raises(ValueError, match=r"the Northgard data in .* cannot be used: .*`northmen data check northgard "):
        rules(data=str(folder))


@pytest.mark.rule("NORTH-DATA-06")
def test_the_printed_tables_and_copies_are_sound(folder: Path) -> None:
    assert check_data("builtin") == check_data(str(BUILTIN)) == check_data(str(folder)) == []
    assert rules(data=str(folder)).tobytes() == rules().tobytes()
    (folder / "notes.txt").write_text("other files are left alone")
    assert rules(data=str(folder)).tobytes() == rules().tobytes()


@pytest.mark.rule("NORTH-DATA-06")
@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_told(folder: Path, name: str) -> None:
    (folder / name).unlink()
    (fault,) = check_data(str(folder))
    assert fault.startswith(f"{name}:1: the file is missing; a data set has the files achievements.csv, cards.csv")


@pytest.mark.rule("NORTH-DATA-06")
def test_what_is_no_folder_is_told(folder: Path) -> None:
    for path, sentence in (
        (folder / "nowhere", "is not a folder that can be read"),
        (folder / "cards.csv", "is a file"),
        (Path(f"{folder}\0"), "is not a folder that can be read"),
        (Path("x" * 5000), "is not a folder that can be read"),
    ):
        (fault,) = check_data(str(path))
        assert sentence in fault
        assert fault.startswith(str(path))


@pytest.mark.rule("NORTH-DATA-06")
def test_all_violations_are_told_at_once(folder: Path) -> None:
    for name, edit in (
        ("tiles.csv", field(5, 26, "0")),
        ("cards.csv", row(21, 10, 3, 1, 1, 1, 0)),
        ("die.csv", field(4, 1, "0")),
        ("winter.csv", field(2, 0, "1")),
    ):
        (folder / name).write_text(edit((folder / name).read_text()))
    assert [re.sub(r"(:\d+:).*", r"\1", fault) for fault in check_data(str(folder))] == [
        "cards.csv:23:",
        "die.csv:4:",
        "tiles.csv:5:",
        "winter.csv:2:",
    ]
    with pytest.raises(ValueError, match=r"cards\.csv:23: .*die\.csv:4: .*tiles\.csv:5: .* \(and 1 more\)"):
        rules(data=str(folder))


@pytest.mark.rule("NORTH-DATA-06")
def test_damaged_files_never_raise(folder: Path) -> None:
    choose = Random(20)
    for _ in range(200):
        name = choose.choice(list(FILES))
        file = folder / name
        sound = file.read_bytes()
        damaged = bytearray(sound)
        for _ in range(choose.randrange(1, 4)):
            at = choose.randrange(len(damaged))
            damaged[at : at + choose.randrange(3)] = choose.choice(
                [b"", b"\n", b",", b"\0", b"\xff", b'"', b"7", b"0", b"-", b"C9", b"A"]
            )
        file.write_bytes(damaged)
        faults = check_data(str(folder))
        assert all(re.match(r"\w+\.csv:\d+: .+", fault) for fault in faults)
        if not faults:
            rules(data=str(folder))
        file.write_bytes(sound)


@pytest.mark.rule("NORTH-DATA-06", "NORTH-OPEN-01", "NORTH-OPEN-02", "NORTH-OPEN-03")
@pytest.mark.parametrize(
    ("file", "edit", "changed"),
    [
        ("cards.csv", row(0, 1, 2, 0, 0, 0, 0), {"card_a"}),  # the starting Recruit shows 2
        ("cards.csv", row(56, 10, 1, 2, 1, 2, 0), {"card_c", "card_d"}),  # Veiled Threats
        ("cards.csv", replace("56,Veiled Threats,A,0,1", "56,Hidden Threats,A,1,2"),
         {"card_name", "card_flash", "card_fame"}),
        ("cards.csv", row(26, 6, 1, 1, 0, 0, 0), {"card_op", "card_a", "card_b", "react_card"}),
        ("die.csv", field(5, 1, "3"), {"die_axes"}),
        ("die.csv", field(5, 2, "0"), {"die_skulls"}),
        ("die.csv", field(4, 3, "0"), {"die_choice"}),
        ("start.csv", field(6, 3, "1"), {"start_resources"}),
        ("winter.csv", field(6, 1, "5"), {"winter_food"}),
        ("harvest.csv", lambda text: text + "5,4\n", {"harvest_fame"}),
        ("achievements.csv", field(8, 9, "2"), {"achievement"}),
        ("creatures.csv", field(2, 3, "5"), {"creature_value"}),
        ("creatures.csv", field(2, 2, "grey"), {"creature_colour"}),
        ("creatures.csv", lambda text: text.replace("5,2,U,B,R", "5,2,B,U,R"), {"creature_prio"}),
        ("tiles.csv", swapped(1, 1), set()),
    ],
)  # fmt: skip
def test_one_data_line_corrects_one_table(
    folder: Path, file: str, edit: Callable[[str], str], changed: set[str]
) -> None:
    target = folder / file
    target.write_text(edit(target.read_text()))
    assert check_data(str(folder)) == []
    old, new = rules(), rules(data=str(folder))
    different = {name for name in RULES.names or () if not np.array_equal(old[name], new[name])}
    assert different == (changed | {"data_sha256"} if changed else set())
    content = b"".join((folder / name).read_bytes() for name in sorted(FILES))
    assert bytes(new.data_sha256) == hashlib.sha256(content).digest()


@pytest.mark.rule("NORTH-DATA-06", "NORTH-DATA-03")
def test_a_step_holds_from_its_number_on(folder: Path) -> None:
    (folder / "harvest.csv").write_text("size,fame\n2,1\n3,2\n5,4\n")
    assert rules(data=str(folder)).harvest_fame.tolist() == [0, 0, 1, 2, 2] + [4] * 31


@pytest.mark.rule("NORTH-DATA-06", "NORTH-TILE-13")
def test_two_sides_that_look_alike_are_counted_by_the_table(folder: Path) -> None:
    text = (folder / "tiles.csv").read_text()
    lines = text.split("\n")
    lines[15], lines[16] = (lines[15].replace("14,", "15,", 1), lines[16].replace("15,", "14,", 1))
    (folder / "tiles.csv").write_text("\n".join([*lines[:15], lines[16], lines[15], *lines[17:]]))
    found = rules(data=str(folder)).tile_rotations
    assert [tile for tile in range(35) if found[tile] != 4] == [15]
