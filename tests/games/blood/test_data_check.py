"""The check of tables: every violation is told with file and line; sound tables replace the printed ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from northmen_env.games.blood import tables
from northmen_env.games.blood.options import Options
from northmen_env.games.blood.tables import RULES, build_rules, check_data

BUILTIN = Path(tables.__file__).parent / "data"
OPTION = {"tiles.csv": "tile_table", "bandits.csv": "bandit_table"}


def rules(**options: str) -> np.record:
    return build_rules(Options(**options))[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    copy.mkdir()
    for name in OPTION:
        (copy / name).write_bytes((BUILTIN / name).read_bytes())
    return copy


def replace(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        return text.replace(old, new)

    return edit


def effects(text: str) -> Callable[[str], str]:
    """Return an edit of the effects of card 100, on line 101."""
    return replace("BRIBEVILLAGES", text)


def flat(text: str) -> str:
    """Return the tile table with one mountain in place of the first letter of every tile, and no other."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join([lines[0], *(re.sub(r"[^,]+$", lambda m: "M" + m[0][1:].replace("M", "R"), x) for x in lines[1:])])


TILES = [
    # Counts, ids in order.
    (replace("120,Tusk,F-LRMR\n", ""), r"tiles\.csv:120: 119 tiles; a data set has exactly 120"),
    (replace("120,Tusk,F-LRMR\n", ""), r"tiles\.csv:120: 9 Tusk tiles; a tile table has exactly 10"),
    (lambda text: text + "121,-,MMMMMM\n", r"tiles\.csv:122: 121 tiles"),
    (lambda text: text + "121,-,MMMMMM\n", r"tiles\.csv:122: 81 terrain tiles without a village; .* exactly 80"),
    (replace("\n40,-,", "\n41,-,"), r"tiles\.csv:41: id 41 where 40 is due; ids run from 1 to 120"),
    (replace("\n40,-,R-R-R-", ""), r"tiles\.csv:41: id 41 where 40 is due"),
    (replace("\n40,-,", "\n040,-,"), r"tiles\.csv:41: id must be an integer from 0 to 999, not '040'"),
    (replace("\n1,-,MM----", "\n0,-,MM----"), r"tiles\.csv:2: id 0 where 1 is due"),
    (replace("\n3,Mead,", "\n3,Silver,"), r"tiles\.csv:121: 9 Mead tiles"),
    (replace("\n3,Mead,", "\n3,Silver,"), r"tiles\.csv:121: 11 Silver tiles"),
    (replace("\n3,Mead,", "\n3,-,"), r"tiles\.csv:121: 81 terrain tiles"),
    # Villages and letters.
    (replace("\n3,Mead,", "\n3,Beer,"), r"tiles\.csv:4: village must be one of -, Mead, .*Tusk, not 'Beer'"),
    (replace("\n3,Mead,", "\n3,mead,"), r"tiles\.csv:4: village must be one of"),
    (replace("\n3,Mead,", "\n3,,"), r"tiles\.csv:4: village must be one of .* not ''"),
    (replace("\n2,-,L--M--", "\n2,-,L--X--"), r"tiles\.csv:3: unknown letter 'X' in sides; known are F forest, L lake"),
    (replace("\n2,-,L--M--", "\n2,-,l--M--"), r"tiles\.csv:3: unknown letter 'l'"),
    (replace("\n2,-,L--M--", "\n2,-,L--M-"), r"tiles\.csv:3: sides must be six letters, not 'L--M-'"),
    (replace("\n2,-,L--M--", "\n2,-,L--M---"), r"tiles\.csv:3: sides must be six letters, not 'L--M---'"),
    (replace("\n2,-,L--M--", "\n2,-,"), r"tiles\.csv:3: sides must be six letters, not ''"),
    # No terrain tile twice, rotations included; mirror images and villages may agree.
    (replace("\n2,-,L--M--", "\n2,-,MM----"), r"tiles\.csv:3: terrain tile 2 \(MM----\) is tile 1 turned; no two"),
    (replace("\n2,-,L--M--", "\n2,-,---MM-"), r"tiles\.csv:3: terrain tile 2 \(---MM-\) is tile 1 turned"),
    # The deal for the first player must end.
    (flat, r"tiles\.csv:121: fewer than 4 tiles have fewer mountain sides than the tile with most \(1\)"),
    # The form of the file.
    (replace("id,village", "no,village"), r"tiles\.csv:1: the first line must be the header 'id,village,sides'"),
    (lambda _: "", r"tiles\.csv:1: the first line must be the header"),
    (lambda text: "\ufeff" + text, r"tiles\.csv:1: the file begins with a byte order mark"),
    (lambda text: text.replace("\n", "\r\n"), r"tiles\.csv:1: the line ends with CR"),
    (replace("\n2,-,L--M--", "\n2,-"), r"tiles\.csv:3: the line has 2 fields, but a row has 3"),
    (replace("\n2,-,L--M--", "\n2,-,L--M--,x"), r"tiles\.csv:3: the line has 4 fields"),
    (replace("\n2,-,L--M--", "\n"), r"tiles\.csv:3: the line is empty"),
]  # fmt: skip

BANDITS = [
    # Numbers, redirects, tags.
    (replace("120,030,D,SCORE(1);PLAY\n", ""), r"bandits\.csv:120: 119 cards; a data set has exactly 120"),
    (lambda text: text + "121,001,D,PLAY\n", r"bandits\.csv:122: 121 cards"),
    (replace("\n007,-", "\n008,-"), r"bandits\.csv:8: id 8 where 7 is due"),
    (replace("\n007,-", "\n7,-"), r"bandits\.csv:8: card must be a number of three digits from 001 to 120, not '7'"),
    (replace("\n007,-", "\n00x,-"), r"bandits\.csv:8: card must be a number of three digits"),
    (replace("\n007,-", "\n٠٠٧,-"), r"bandits\.csv:8: card must be a number of three digits"),
    (replace("\n007,-", "\n007,001"), r"bandits\.csv:8: card 007 acts directly; its redirect must be -, not '001'"),
    (replace("\n040,010", "\n040,-"), r"bandits\.csv:41: redirect of card 040 must be 001 to 030, not '-'"),
    (replace("\n040,010", "\n040,031"), r"bandits\.csv:41: redirect of card 040 must be 001 to 030, not '031'"),
    (replace("\n040,010", "\n040,10"), r"bandits\.csv:41: redirect of card 040 must be 001 to 030, not '10'"),
    (replace("\n040,010,R", "\n040,010,I"), r"bandits\.csv:41: tag must be R \(printed\) or D \(.*\), not 'I'"),
    # Effects.
    (effects("BRIBEALL"), r"bandits\.csv:101: unknown effect 'BRIBEALL'; known are PLACE, EACH, LAKE"),
    (effects("NONE"), r"bandits\.csv:101: unknown effect 'NONE'"),
    (effects(""), r"bandits\.csv:101: unknown effect ''"),
    (effects("BRIBE(1);"), r"bandits\.csv:101: unknown effect ''"),
    (effects("bribe(1)"), r"bandits\.csv:101: unknown effect 'bribe\(1\)'"),
    (effects("BRIBE(1"), r"bandits\.csv:101: unknown effect 'BRIBE\(1'"),
    (effects("BRIBE (1)"), r"bandits\.csv:101: unknown effect"),
    (effects("BRIBE"), r"bandits\.csv:101: 'BRIBE' has 0 values in brackets; write BRIBE\(k\)"),
    (effects("BRIBE(1,2)"), r"bandits\.csv:101: 'BRIBE\(1,2\)' has 2 values in brackets"),
    (effects("BRIBE()"), r"bandits\.csv:101: the number of BRIBE must be a number from 1 to 12, not ''"),
    (effects("BRIBEVILLAGES(1)"), r"bandits\.csv:101: .* has 1 values in brackets; write BRIBEVILLAGES"),
    (effects("BRIBE(0)"), r"bandits\.csv:101: the number of BRIBE must be a number from 1 to 12, not '0'"),
    (effects("BRIBE(13)"), r"bandits\.csv:101: the number of BRIBE must be .* not '13'"),
    (effects("BRIBE(01)"), r"bandits\.csv:101: the number of BRIBE must be .* not '01'"),
    (effects("BRIBE(ARMIES)"), r"bandits\.csv:101: the number of BRIBE must be .* not 'ARMIES'"),
    (effects("SCORE(VILLAGES)"), r"bandits\.csv:101: the number of SCORE must be a number from 1 to 12 or "
     r"ARMIES or WON or BRIBED, not 'VILLAGES'"),
    (effects("LAKE(WON)"), r"bandits\.csv:101: the number of LAKE must be .* not 'WON'"),
    (effects("PREPARE(WARBANDS)"), r"bandits\.csv:101: the number of PREPARE must be .* or ARMIES, not"),
    (effects("ROADONE(ARMIES)"), r"bandits\.csv:101: the number of ROADONE must be"),
    (effects("PLACE(2)"), r"bandits\.csv:101: 'PLACE\(2\)' has 1 values in brackets; write PLACE\(k,W\)"),
    (effects("PLACE(2,TOWN)"), r"bandits\.csv:101: unknown word 'TOWN' in PLACE; known are ANY, VILLAGE, "),
    (effects("PLACE(2,NONE)"), r"bandits\.csv:101: unknown word 'NONE' in PLACE"),
    (effects("PLACE(2,LARGEST)"), r"bandits\.csv:101: unknown word 'LARGEST' in PLACE"),
    (effects("EACH"), r"bandits\.csv:101: 'EACH' has 0 values in brackets; write EACH\(W\)"),
    (effects("EACH(1,ANY)"), r"bandits\.csv:101: 'EACH\(1,ANY\)' has 2 values"),
    (effects("ATTACK(1,WEAKEST)"), r"bandits\.csv:101: unknown word 'WEAKEST' in ATTACK; known are "
     r"SMALLEST, LARGEST"),
    (effects("IFWON(IFWON(WIN))"), r"bandits\.csv:101: unknown effect 'IFWON\(IFWON\(WIN\)\)'"),
    (effects("IFWON()"), r"bandits\.csv:101: unknown effect 'IFWON\(\)'"),
    (effects("PLAY;SCORE(1)"), r"bandits\.csv:101: PLAY must be the last effect of its card"),
    (effects("ATTACK(1);IFWON(PLAY);SCORE(1)"), r"bandits\.csv:101: PLAY must be the last effect"),
    (effects(";".join(["LAKE(1)"] * 7)), r"bandits\.csv:101: 7 effects; a card has at most 6"),
    # The form of the file.
    (replace("card,redirect", "id,redirect"), r"bandits\.csv:1: the first line must be the header 'card,"),
    (replace("\n100,010,R,BRIBEVILLAGES", "\n100,010,R"), r"bandits\.csv:101: the line has 3 fields, but a row has 4"),
    (lambda text: text.replace("\n", "\r\n"), r"bandits\.csv:1: the line ends with CR"),
]  # fmt: skip

VIOLATIONS = [("tiles.csv", *case) for case in TILES] + [("bandits.csv", *case) for case in BANDITS]


@pytest.mark.rule("BLOOD-OPT-04", "BLOOD-COMP-01", "BLOOD-EFFECT-01")
@pytest.mark.parametrize(("file", "edit", "sentence"), VIOLATIONS)
def test_each_violation_is_told_with_file_and_line(
    folder: Path, file: str, edit: Callable[[str], str], sentence: str
) -> None:
    target = folder / file
    target.write_bytes(edit(target.read_text(encoding="utf-8")).encode())
    found = check_data(str(folder))
    assert [fault for fault in found if re.match(sentence, fault)], found
    assert all(re.match(rf"{file}:\d+: .+", fault) for fault in found)
    with pytest.raises(ValueError, match=f"the {OPTION[file]} .* cannot be used: .*`northmen data check blood "):
        rules(**{OPTION[file]: str(target)})


@pytest.mark.rule("BLOOD-OPT-04")
def test_the_printed_tables_and_copies_are_sound(folder: Path) -> None:
    assert check_data("builtin") == check_data(str(BUILTIN)) == check_data(str(folder)) == []
    for file, option in OPTION.items():
        (folder / file).write_bytes((BUILTIN / file).read_bytes().rstrip(b"\n"))  # the last line may lack its end
        assert rules(**{option: str(folder / file)}).tobytes() == rules().tobytes()
    assert check_data(str(folder)) == []


@pytest.mark.rule("BLOOD-OPT-04")
def test_a_folder_may_have_one_table_alone_and_under_any_name(folder: Path) -> None:
    for name in OPTION:
        assert check_data(str(folder / name)) == []
    (folder / "bandits.csv").unlink()
    (folder / "tiles.csv").rename(folder / "my map.csv")
    (folder / "notes.txt").write_text("no table")
    assert check_data(str(folder)) == []
    text = (folder / "my map.csv").read_text()
    (folder / "my map.csv").write_text(text.replace("\n2,-,L--M--", "\n2,-,L--X--"))
    (fault,) = check_data(str(folder))
    assert fault.startswith("my map.csv:3: unknown letter 'X'")


@pytest.mark.rule("BLOOD-OPT-04")
def test_a_file_that_is_no_table_is_told(folder: Path) -> None:
    (folder / "towns.csv").write_text("id,name\n1,Jorvik\n")
    (fault,) = check_data(str(folder))
    assert fault.startswith("towns.csv:1: the first line must be the header 'id,village,sides' (tiles.csv) or 'card")
    (folder / "towns.csv").unlink()
    (folder / "towns.csv").mkdir()
    (fault,) = check_data(str(folder))
    assert fault.startswith("towns.csv:1: the file cannot be read")


@pytest.mark.rule("BLOOD-OPT-04")
def test_what_is_no_folder_with_tables_is_told(folder: Path) -> None:
    empty = folder / "empty"
    empty.mkdir()
    for path, sentence in (
        (empty, "there is no table in this folder; give one with tiles.csv or bandits.csv"),
        (folder / "nowhere", "is not a folder that can be read"),
        (Path(f"{folder}\0"), "is not a folder that can be read"),
        (Path("x" * 5000), "is not a folder that can be read"),
    ):
        (fault,) = check_data(str(path))
        assert sentence in fault
        assert fault.startswith(str(path))


@pytest.mark.rule("BLOOD-OPT-04")
def test_all_violations_are_told_at_once(folder: Path) -> None:
    tiles = (folder / "tiles.csv").read_text().replace("\n2,-,L--M--", "\n2,-,L--X--").replace("\n3,Mead,", "\n3,Beer,")
    (folder / "tiles.csv").write_text(tiles)
    cards = (folder / "bandits.csv").read_text().replace("EACH(LAKE)", "EACH(SEA)").replace("IFWON(WIN)", "WIN(1)")
    (folder / "bandits.csv").write_text(cards)
    assert [re.sub(r"(:\d+:).*", r"\1", fault) for fault in check_data(str(folder))] == [
        "bandits.csv:4:",
        "bandits.csv:69:",
        "tiles.csv:3:",
        "tiles.csv:4:",
        "tiles.csv:121:",  # 81 terrain tiles
        "tiles.csv:121:",  # 9 Mead tiles
    ]


@pytest.mark.rule("BLOOD-OPT-04")
def test_damaged_files_never_raise(folder: Path) -> None:
    choose = Random(20)
    for _ in range(150):
        name = choose.choice(list(OPTION))
        file = folder / name
        sound = file.read_bytes()
        damaged = bytearray(sound)
        for _ in range(choose.randrange(1, 4)):
            at = choose.randrange(len(damaged))
            damaged[at : at + choose.randrange(3)] = choose.choice(
                [b"", b"\n", b",", b"\0", b"\xff", b'"', b"7", b"LAKE", b"(", b")", b";"]
            )
        file.write_bytes(damaged)
        faults = check_data(str(folder))
        assert all(re.match(r"\w+\.csv:\d+: .+", fault) for fault in faults)
        if not faults:
            rules(**{OPTION[name]: str(file)})
        file.write_bytes(sound)


@pytest.mark.rule("BLOOD-OPT-04")
def test_the_error_of_a_bad_table_shows_three_faults_and_counts_the_rest(folder: Path) -> None:
    cards = (folder / "bandits.csv").read_text().replace("PLACE(2", "PLACE(0")
    (folder / "bandits.csv").write_text(cards)
    with pytest.raises(ValueError, match=r"bandits\.csv:2: .*bandits\.csv:6: .*bandits\.csv:10: .*\(and 3 more\)"):
        rules(bandit_table=str(folder / "bandits.csv"))
    with pytest.raises(ValueError, match=r"the tile_table '.*nowhere.csv' cannot be used: .* cannot be read"):
        rules(tile_table=str(folder / "nowhere.csv"))


@pytest.mark.rule("BLOOD-OPT-01", "BLOOD-TILE-03", "BLOOD-CARD-03")
@pytest.mark.parametrize(
    ("file", "edit", "changed"),
    [
        ("tiles.csv", replace("\n2,-,L--M--", "\n2,-,L--M-M"), {"letters", "mountains", "turned", "kind_sides"}),
        ("bandits.csv", effects("BRIBE(2)"), {"effect_op", "effect_count"}),
        ("bandits.csv", replace("\n040,010", "\n040,011"), {"card_redirect"}),
    ],
)  # fmt: skip
def test_one_data_line_corrects_one_table(
    folder: Path, file: str, edit: Callable[[str], str], changed: set[str]
) -> None:
    target = folder / file
    target.write_text(edit(target.read_text()))
    old, new = rules(), rules(**{OPTION[file]: str(target)})
    different = {name for name in RULES.names if not np.array_equal(old[name], new[name])}
    digest = {"tiles.csv": "tile_sha256", "bandits.csv": "bandit_sha256"}[file]
    assert different == changed | {digest}
    assert bytes(new[digest]) == hashlib.sha256(target.read_bytes()).digest()
