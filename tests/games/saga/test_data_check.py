"""The check of data folders: every violation is told with file and line; sound folders replace the printed tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import northmen_env as nm
from northmen_env.games.saga import tables
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.tables import build_rules, check_data, load_tables

BUILTIN = Path(tables.__file__).parent / "data"


def rules(data: str = "builtin") -> np.record:
    return build_rules(Options(data=data))[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    copy.mkdir()
    for name in tables.FILES:
        (copy / name).write_bytes((BUILTIN / name).read_bytes())
    return copy


def replace(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        return text.replace(old, new)

    return edit


def in_card(card: int, column: int, value: str) -> Callable[[str], str]:
    """Return an edit of one field of cards.csv."""

    def edit(text: str) -> str:
        lines = text.split("\n")
        fields = lines[card + 1].split(",")
        fields[column] = value
        lines[card + 1] = ",".join(fields)
        return "\n".join(lines)

    return edit


def without_regions(first: int) -> Callable[[str], str]:
    """Return an edit that takes the region and mark from all cards beginning with `first`."""

    def edit(text: str) -> str:
        lines = text.rstrip("\n").split("\n")
        kept = [line for i, line in enumerate(lines) if i <= first]
        return "\n".join(kept + [",".join([*line.split(",")[:4], "-", "-"]) for line in lines[first + 1 :]]) + "\n"

    return edit


def marked_four(text: str) -> str:
    return re.sub(r"^(\d+,\w+,\d,\d,[A-Z][\w ]+),-$", r"\1,4", text, flags=re.MULTILINE)


VIOLATIONS = [
    # Exactly 7 kingdoms, 9 regions, 56 cards, 20 routes, with their ids in order.
    ("kingdoms.csv", replace("6,Norwegians\n", ""), r"kingdoms\.csv:7: 6 kingdoms; .* exactly 7"),
    ("kingdoms.csv", replace("6,Norwegians\n", "6,Norwegians\n7,Picts\n"), r"kingdoms\.csv:9: 8 kingdoms"),
    ("kingdoms.csv", replace("3,Saxons", "4,Saxons"), r"kingdoms\.csv:5: id 4 where 3 is due"),
    ("kingdoms.csv", replace("3,Saxons", "3,Rus"), r"kingdoms\.csv:5: the name 'Rus' is taken by id 1"),
    ("kingdoms.csv", replace("3,Saxons", "3,"), r"kingdoms\.csv:5: the name '' cannot be used"),
    ("kingdoms.csv", replace("3,Saxons", "3, Saxons"), r"kingdoms\.csv:5: the name ' Saxons' cannot be used"),
    ("kingdoms.csv", replace("3,Saxons", "3,Sax\x1b[2Jons"), r"kingdoms\.csv:5: the name .* printable"),
    ("kingdoms.csv", replace("3,Saxons", f"3,{'Æ' * 33}"), r"kingdoms\.csv:5: the name .* 66 bytes; .* 64"),
    ("regions.csv", replace("8,Poland,no\n", ""), r"regions\.csv:9: 8 regions; .* exactly 9"),
    ("regions.csv", replace("8,Poland,no", "8,-,no"), r"regions\.csv:10: the name '-' cannot be used"),
    ("regions.csv", replace("8,Poland,no", "8,Poland,maybe"), r"regions\.csv:10: coastal must be yes or no, not "),
    ("regions.csv", lambda text: text.replace(",yes", ",no"), r"regions\.csv:10: no region is coastal"),
    ("cards.csv", replace("55,Norwegians,0,1,Iberia,4\n", ""), r"cards\.csv:56: 55 cards; .* exactly 56"),
    ("cards.csv", replace("17,Magyars,2,0,Africa,3-4\n", ""), r"cards\.csv:19: id 18 where 17 is due"),
    ("cards.csv", lambda text: text + "56,Rus,1,0,-,-\n", r"cards\.csv:58: 57 cards"),
    ("cards.csv", in_card(17, 0, "seventeen"), r"cards\.csv:19: id must be an integer from 0 to 999, not 'seventeen'"),
    ("cards.csv", in_card(17, 0, "16"), r"cards\.csv:19: id 16 where 17 is due"),
    ("routes.csv", replace("19,Norwegians,Iberia,3\n", ""), r"routes\.csv:20: 19 trade routes; .* exactly 20"),
    ("routes.csv", replace("4,Rus,Finland,2", "5,Rus,Finland,2"), r"routes\.csv:6: id 5 where 4 is due"),
    # Eight cards per suit, suit = id div 8.
    ("cards.csv", in_card(17, 1, "Rus"), r"cards\.csv:19: card 17 is of suit 1 \(Rus\); its suit is id div 8 = 2"),
    ("cards.csv", in_card(17, 1, "Picts"), r"cards\.csv:19: unknown kingdom 'Picts'; known are Normans, "),
    # Value 1-3.
    ("cards.csv", in_card(6, 2, "0"), r"cards\.csv:8: the value armies \+ fleets is 0; it must be 1, 2 or 3"),
    ("cards.csv", in_card(4, 2, "3"), r"cards\.csv:6: the value armies \+ fleets is 4"),
    ("cards.csv", in_card(4, 2, "4"), r"cards\.csv:6: armies must be an integer from 0 to 3, not '4'"),
    ("cards.csv", in_card(4, 3, "-1"), r"cards\.csv:6: fleets must be an integer from 0 to 3, not '-1'"),
    ("cards.csv", in_card(4, 3, "1.0"), r"cards\.csv:6: fleets must be an integer from 0 to 3, not '1\.0'"),
    ("cards.csv", in_card(4, 3, "٣"), r"cards\.csv:6: fleets must be an integer"),
    ("cards.csv", in_card(4, 3, "9" * 5000), r"cards\.csv:6: fleets must be an integer"),
    # Region valid or none; marks known, and only on cards with a region.
    ("cards.csv", in_card(4, 4, "Atlantis"), r"cards\.csv:6: unknown region 'Atlantis'; known are Africa, "),
    ("cards.csv", in_card(4, 4, ""), r"cards\.csv:6: unknown region ''"),
    ("cards.csv", in_card(4, 5, "2"), r"cards\.csv:6: mark must be one of -, 3-4, 4, not '2'"),
    ("cards.csv", in_card(0, 5, "3-4"), r"cards\.csv:2: the mark 3-4 needs a region"),
    ("cards.csv", in_card(0, 5, "4"), r"cards\.csv:2: the mark 4 needs a region"),
    # Fifteen placing cards for every number of players.
    ("cards.csv", without_regions(15), r"cards\.csv:57: only 13 cards place a plunder token with 2 players"),
    ("cards.csv", without_regions(15), r"cards\.csv:57: only 11 cards place a plunder token with 3 players"),
    ("cards.csv", marked_four, r"cards\.csv:57: only 0 cards place a plunder token with 4 players; at least 15 must"),
    # An adjacent region for every kingdom.
    ("adjacency.csv", replace("Norwegians,Finland;Ireland\n", ""), r"adjacency\.csv:7: Norwegians has no row"),
    ("adjacency.csv", replace("Finland;Ireland\n", "\n"), r"adjacency\.csv:8: Norwegians has no adjacent region"),
    ("adjacency.csv", replace("Finland;Ireland\n", "Finland;Finland\n"), r"adjacency\.csv:8: Finland is named 2 "),
    ("adjacency.csv", replace("Finland;Ireland\n", "Finland; Ireland\n"), r"adjacency\.csv:8: unknown region ' "),
    ("adjacency.csv", replace("Saxons,", "Rus,"), r"adjacency\.csv:5: Rus has a second row"),
    ("adjacency.csv", replace("Saxons,", "Picts,"), r"adjacency\.csv:5: unknown kingdom 'Picts'"),
    # Routes: known names, value at least 1, pairs all different.
    ("routes.csv", replace("4,Rus,Finland,2", "4,Picts,Finland,2"), r"routes\.csv:6: unknown kingdom 'Picts'"),
    ("routes.csv", replace("4,Rus,Finland,2", "4,Rus,Atlantis,2"), r"routes\.csv:6: unknown region 'Atlantis'"),
    ("routes.csv", replace("4,Rus,Finland,2", "4,Rus,Finland,0"), r"routes\.csv:6: value must be an integer from 1 "),
    ("routes.csv", replace("4,Rus,Finland,2", "4,Rus,Arabia,2"), r"routes\.csv:6: Rus and Arabia are joined by "
     r"route 3"),
    # The form of the files.
    ("routes.csv", replace("id,kingdom", "no,kingdom"), r"routes\.csv:1: the first line must be the header"),
    ("routes.csv", lambda _: "", r"routes\.csv:1: the first line must be the header"),
    ("routes.csv", lambda text: "\ufeff" + text, r"routes\.csv:1: the file begins with a byte order mark"),
    ("routes.csv", lambda text: text.replace("\n", "\r\n"), r"routes\.csv:1: the line ends with CR"),
    ("routes.csv", replace("4,Rus,Finland,2", "4,Rus,Finland"), r"routes\.csv:6: the line has 3 fields, but "),
    ("routes.csv", replace("4,Rus,Finland,2", "4,Rus,Finland,2,"), r"routes\.csv:6: the line has 5 fields"),
    ("routes.csv", replace("4,Rus,Finland,2", "4;Rus;Finland;2"), r"routes\.csv:6: the line has 1 field, but"),
    ("routes.csv", replace("4,Rus,Finland,2", ""), r"routes\.csv:6: the line is empty"),
]  # fmt: skip


@pytest.mark.rule("SAGA-DATA-20")
@pytest.mark.parametrize(("file", "edit", "sentence"), VIOLATIONS)
def test_each_violation_is_told_with_file_and_line(
    folder: Path, file: str, edit: Callable[[str], str], sentence: str
) -> None:
    target = folder / file
    target.write_bytes(edit(target.read_text(encoding="utf-8")).encode())
    found = check_data(str(folder))
    assert [fault for fault in found if re.match(sentence, fault)], found
    with pytest.raises(ValueError, match="`northmen data check saga "):
        build_rules(Options(data=str(folder)))


@pytest.mark.rule("SAGA-DATA-20")
def test_the_default_data_and_a_copy_are_sound(folder: Path) -> None:
    assert check_data("builtin") == check_data(str(folder)) == []
    assert load_tables(str(folder)) == load_tables("builtin")
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().rstrip(b"\n"))  # the last line may lack its end
    assert check_data(str(folder)) == []


@pytest.mark.rule("SAGA-DATA-20")
def test_all_violations_are_told_at_once(folder: Path) -> None:
    cards = (folder / "cards.csv").read_text(encoding="utf-8")
    for edit in (in_card(3, 2, "x"), in_card(3, 5, "5"), in_card(9, 4, "Atlantis"), in_card(20, 1, "Rus")):
        cards = edit(cards)
    (folder / "cards.csv").write_text(cards, encoding="utf-8")
    (folder / "kingdoms.csv").unlink()
    (folder / "routes.csv").write_bytes(b"\xef\xbb\xbfid,kingdom,region,value\r\n0,Normans,\xff,3\r\n")
    told = [re.match(r"\w+\.csv:\d+: ", fault) for fault in check_data(str(folder))]
    assert all(told)
    assert [match.group() for match in told if match] == [
        "kingdoms.csv:1: ",  # missing, so that no kingdom can be looked up
        "routes.csv:1: ",  # byte order mark
        "routes.csv:1: ",  # CR
        "routes.csv:2: ",  # 0xff
        "cards.csv:5: ",  # x
        "cards.csv:5: ",  # mark 5
        "cards.csv:11: ",  # Atlantis
        "routes.csv:2: ",  # one route
        "routes.csv:2: ",  # its region
    ]


@pytest.mark.rule("SAGA-DATA-20")
@pytest.mark.parametrize("file", list(tables.FILES))
def test_a_missing_file_is_told_alone(folder: Path, file: str) -> None:
    (folder / file).unlink()
    (fault,) = check_data(str(folder))
    assert fault.startswith(f"{file}:1: the file is missing")
    (folder / file).mkdir()
    assert check_data(str(folder)) == [fault]


@pytest.mark.rule("SAGA-DATA-20")
def test_what_is_no_folder_is_told(folder: Path) -> None:
    for path, sentence in (
        (folder / "nowhere", "is not a folder that can be read"),
        (folder / "cards.csv", "is a file; a data set is a folder"),
        (Path(f"{folder}\0"), "is not a folder that can be read"),
        (Path("x" * 5000), "is not a folder that can be read"),
    ):
        (fault,) = check_data(str(path))
        assert sentence in fault
        assert fault.startswith(str(path))


@pytest.mark.rule("SAGA-DATA-20")
def test_damaged_files_never_raise(folder: Path) -> None:
    choose = Random(20)
    for _ in range(150):
        file = folder / choose.choice(list(tables.FILES))
        sound = file.read_bytes()
        damaged = bytearray(sound)
        for _ in range(choose.randrange(1, 4)):
            at = choose.randrange(len(damaged))
            damaged[at : at + choose.randrange(3)] = choose.choice(
                [b"", b"\n", b",", b"\0", b"\xff", b'"', b"7", b"Rus"]
            )
        file.write_bytes(damaged)
        faults = check_data(str(folder))
        assert all(re.match(r"\w+\.csv:\d+: .+", fault) for fault in faults)
        if not faults:
            build_rules(Options(data=str(folder)))
        file.write_bytes(sound)


def test_the_error_of_a_bad_folder_shows_three_faults_and_counts_the_rest(folder: Path) -> None:
    cards = (folder / "cards.csv").read_text(encoding="utf-8").replace("Bulgaria", "Atlantis")
    (folder / "cards.csv").write_text(cards, encoding="utf-8")
    with pytest.raises(ValueError, match=r"cards\.csv:6: .*cards\.csv:28: .*cards\.csv:35: .*\(and 2 more\)"):
        build_rules(Options(data=str(folder)))


def test_the_hash_is_over_the_five_files_in_order(folder: Path) -> None:
    names = ("kingdoms.csv", "regions.csv", "adjacency.csv", "cards.csv", "routes.csv")
    expected = hashlib.sha256(b"".join((BUILTIN / name).read_bytes() for name in names)).hexdigest()
    assert tables.tables_sha256(Options()) == tables.tables_sha256(Options(data=str(folder))) == expected
    assert tables.data_sha256(rules(data=str(folder))) == expected


# ---- Corrections by a data line -------------------------------------------------------------------------------------


CORRECTIONS = [
    pytest.param("regions.csv", replace("5,Iberia", "5,Al-Andalus"), {"region_name"}, id="region"),
    pytest.param("kingdoms.csv", replace("4,Danes", "4,Jutes"), {"kingdom_name"}, id="kingdom"),
    pytest.param(
        "adjacency.csv",
        replace("Danes,Holy Roman Empire;Poland", "Danes,Holy Roman Empire"),
        {"adjacent", "march_class", "march_regions"},
        id="adjacency",
    ),
    pytest.param(
        "cards.csv",
        in_card(26, 2, "3"),
        {"card_armies", "card_value", "chart_armies"},
        id="card",
    ),
    pytest.param("routes.csv", replace("2,Normans,Poland,4", "2,Normans,Poland,3"), {"route_value"}, id="route"),
]


@pytest.mark.rule("SAGA-OPEN-01", "SAGA-OPEN-02", "SAGA-OPEN-03", "SAGA-OPEN-04", "SAGA-OPEN-05")
@pytest.mark.parametrize(("file", "edit", "changed"), CORRECTIONS)
def test_one_data_line_corrects_one_table(
    folder: Path, file: str, edit: Callable[[str], str], changed: set[str]
) -> None:
    target = folder / file
    target.write_text(edit(target.read_text(encoding="utf-8")), encoding="utf-8")
    for other in folder.iterdir():  # names are written out in the other files
        text = other.read_text(encoding="utf-8").replace("Iberia", "Al-Andalus") if "region_name" in changed else None
        text = other.read_text(encoding="utf-8").replace("Danes", "Jutes") if "kingdom_name" in changed else text
        if text is not None:
            other.write_text(text, encoding="utf-8")
    old, new = rules(), rules(data=str(folder))
    different = {name for name in tables.RULES.names if not np.array_equal(old[name], new[name])}
    assert different == changed | {"data_sha256"}


@pytest.mark.rule("SAGA-OPEN-02")
def test_another_chart_order_is_another_kingdoms_file(folder: Path) -> None:
    def swap(text: str) -> str:
        return text.replace("Danes", "?").replace("Saxons", "Danes").replace("?", "Saxons")

    for name in ("kingdoms.csv", "cards.csv"):
        (folder / name).write_text(swap((folder / name).read_text(encoding="utf-8")), encoding="utf-8")
    old, new = rules(), rules(data=str(folder))
    assert [tables.kingdom_name(new, k) for k in (3, 4)] == ["Danes", "Saxons"]
    assert new.march_class[3].tolist() == old.march_class[4].tolist()
    assert new.route_kingdom[9:15].tolist() == [4, 4, 4, 3, 3, 3]


def test_a_game_plays_with_a_folder_and_names_it_by_its_hash(folder: Path) -> None:
    game = nm.load("saga", data=str(folder))
    state = game.new_initial_state(seed=1)
    assert state.to_dict()["options"]["data"] == tables.tables_sha256(Options())
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert len(state.returns()) == 2
