"""The tables of Northgard: the tiles, cards and small tables of the ledger, and what RULES makes of them."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from northmen_env.games.northgard import card_table, small_tables, tables, tile_table
from northmen_env.games.northgard.card_table import Card, Group, Op, clan_cards
from northmen_env.games.northgard.options import Clan, Options
from northmen_env.games.northgard.small_tables import Kind, Priority, Weight
from northmen_env.games.northgard.tables import Building, build_rules, card_name, creature_name, load_tables
from northmen_env.games.northgard.tile_table import PAIRS, Border, Space

ROOT = Path(__file__).resolve().parents[3]
LEDGER = (ROOT / "docs" / "rules" / "northgard.md").read_text(encoding="utf-8")
BUILTIN = Path(tables.__file__).parent / "data"
T = load_tables("builtin")
R = build_rules(Options())[0]


def block(header: str) -> str:
    """Return the CSV block of the ledger that begins with `header`."""
    (found,) = re.findall(rf"```csv\n({re.escape(header)}\n.*?)```", LEDGER, re.DOTALL)
    return str(found)


# ---- Files ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-TILE-14", "NORTH-CARD-03", "NORTH-DATA-05")
@pytest.mark.parametrize(
    ("file", "header"),
    [
        ("tiles.csv", tile_table.HEADER),
        ("cards.csv", card_table.HEADER),
        ("creatures.csv", small_tables.CREATURE_HEADER),
    ],
)
def test_the_tables_are_those_of_the_ledger(file: str, header: str) -> None:
    assert (BUILTIN / file).read_bytes().decode() == block(header)


@pytest.mark.rule("NORTH-DATA-06")
def test_the_hash_is_over_the_files_in_the_order_of_their_names() -> None:
    names = sorted(file.name for file in BUILTIN.iterdir())
    assert names == list(tables.FILES)
    content = b"".join((BUILTIN / name).read_bytes() for name in names)
    digest = hashlib.sha256(content).hexdigest()
    assert T.sha256 == tables.tables_sha256(Options()) == tables.data_sha256(R) == digest
    assert tables.data_sha256(build_rules(Options(num_players=5, creatures=True))[0]) == digest


# ---- Tiles ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-TILE-15", "NORTH-COMP-03")
def test_totals_of_the_tiles() -> None:
    assert len(T.tiles) == 35
    areas = [area for tile in T.tiles for area in tile.areas]
    assert len(areas) == 103
    assert Counter(len(tile.areas) for tile in T.tiles) == {1: 1, 2: 7, 3: 20, 4: 7}
    assert [sum(area.icons[kind] for area in areas) for kind in range(3)] == [12, 11, 8]
    assert Counter(area.space for area in areas) == {Space.NONE: 36, Space.SMALL: 45, Space.CARVED: 8, Space.LARGE: 14}
    assert sum(area.lair for area in areas) == 11
    borders = Counter(border for tile in T.tiles for border in tile.borders)
    assert (borders[Border.REGULAR], borders[Border.ROUGH]) == (76, 21)


@pytest.mark.rule("NORTH-TILE-01", "NORTH-TILE-11")
def test_a_tile_shows_one_to_four_areas_with_at_most_one_space_and_the_rules_say_the_same() -> None:
    for number, tile in enumerate(T.tiles):
        assert R.tile_areas[number] == len(tile.areas) == len(set(tile.sides))
        for area in range(4):
            content = tile.areas[area] if area < len(tile.areas) else None
            assert R.tile_icons[number, area].tolist() == list(content.icons if content else (0, 0, 0))
            assert R.tile_space[number, area] == (content.space if content else 0)
        lairs = [area for area, content in enumerate(tile.areas) if content.lair]
        assert lairs == ([R.tile_lair[number]] if R.tile_lair[number] >= 0 else [])
        assert R.tile_total[number].tolist() == np.sum([area.icons for area in tile.areas], axis=0).tolist()
        for a, b in itertools.product(range(4), repeat=2):
            pair = (min(a, b), max(a, b))
            assert R.tile_border[number, a, b] == (tile.borders[PAIRS.index(pair)] if a != b else 0)


@pytest.mark.rule("NORTH-TILE-02", "NORTH-TILE-03")
def test_a_border_ends_in_a_corner_where_two_sides_belong_to_different_areas() -> None:
    for number, tile in enumerate(T.tiles):
        for corner in range(4):
            here, there = tile.sides[corner], tile.sides[(corner + 1) % 4]
            assert bool(R.tile_corners[number, 0] >> corner & 1) == (here != there)
            assert (R.tile_border[number, here, there] > 0) == (here != there)


@pytest.mark.rule("NORTH-TILE-04")
def test_a_printed_side_faces_the_world_side_that_many_quarters_on() -> None:
    assert [R.tile_world[8, r].tolist() for r in range(4)] == [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]
    for number, tile in enumerate(T.tiles):
        for rotation, side in itertools.product(range(4), repeat=2):
            area = tile.sides[side]
            world = (side + rotation) % 4
            assert R.tile_world[number, rotation, world] == tile.turned(rotation)[world] == area
            assert R.tile_facing[number, rotation, area] >> world & 1
            corner = R.tile_corners[number, 0] >> side & 1
            assert R.tile_corners[number, rotation] >> world & 1 == corner  # corners turn with the tile
        assert (R.tile_facing[number].sum(axis=1) == 0b1111).all()  # each side belongs to exactly one area


@pytest.mark.rule("NORTH-TILE-13")
def test_tile_14_alone_looks_the_same_in_every_rotation() -> None:
    assert [tile for tile in range(35) if R.tile_rotations[tile] != 4] == [14]
    assert R.tile_rotations[14] == 1


@pytest.mark.rule("NORTH-SETUP-04", "NORTH-EX-14")
def test_the_five_player_tile_has_food_where_it_joins_the_starting_tile() -> None:
    area = R.tile_world[1, 0, 3]
    assert R.tile_icons[1, area].tolist() == [1, 0, 0]
    assert R.tile_facing[1, 0, area] == 1 << 3  # and no other side, so the joint territory is closed
    assert R.tile_facing[0, 0, R.tile_world[0, 0, 1]] == 1 << 1


# ---- Buildings, die, small tables -----------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-BLD-01", "NORTH-COMP-02")
def test_the_buildings_are_those_of_the_ledger() -> None:
    rows = re.findall(r"^\| (\d) \| ([\w ]+) \| (small|large) \| ([\w ]+) \| (\d) \| (.+?) \|$", LEDGER, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(range(8))
    for text, name, size, space, wood, _ in rows:
        i = int(text)
        assert tables.building_name(i) == name
        assert Building(i).name == name.upper().replace(" ", "_")
        assert R.build_large[i] == (size == "large") == (space == "large")
        assert R.build_carved[i] == (space == "carved only")
        assert R.build_wood[i] == int(wood)
    effects = {name: R[f"build_{name}"].tolist() for name in ("casualties", "units", "points", "cards", "fame")}
    assert effects == {
        "casualties": [0, 0, 1, 0, 0, 0, 0, 0],
        "units": [0, 0, 0, 1, 0, 0, 0, 0],
        "points": [0, 0, 0, 0, 0, 2, 0, 0],
        "cards": [0, 0, 0, 0, 0, 0, 1, 0],
        "fame": [0, 0, 0, 0, 0, 0, 0, 3],
    }
    gains = {tuple(where): int(R.build_prod[tuple(where)]) for where in np.argwhere(R.build_prod).tolist()}
    assert gains == {(0, 0): 1, (1, 1): 1, (4, 2): 1}
    assert tables.TOKENS * tables.BUILDINGS == 56


@pytest.mark.rule("NORTH-DIE-01")
def test_the_die_has_one_face_for_each_result() -> None:
    axes, skulls = (
        re.findall(rf"^\| {kind} .*?\| (.+) \|$", LEDGER, re.MULTILINE)[0].split(" | ") for kind in ("axes", "skulls")
    )
    assert [word.replace(" **or**", "").replace("**or** ", "") for word in axes] == [str(n) for n in R.die_axes]
    assert [word.replace("**or** ", "") for word in skulls] == [str(n) for n in R.die_skulls]
    assert R.die_choice.tolist() == ["or" in word for word in axes] == [0, 0, 1, 0, 0, 0]


@pytest.mark.rule("NORTH-DATA-01", "NORTH-DATA-02", "NORTH-DATA-03")
def test_starting_resources_winter_and_harvest() -> None:
    assert R.start_resources.tolist() == [[2, 2, 0]] * 3 + [[3, 2, 0]] * 2
    winter = list(zip(R.winter_food.tolist(), R.winter_wood.tolist(), strict=True))
    assert winter == [(0, 0)] * 4 + [(1, 0)] * 3 + [(2, 0)] * 3 + [(3, 1)] * 3 + [(4, 2)] * 2
    assert R.harvest_fame.tolist() == [0, 0, 1] + [2] * 33


@pytest.mark.rule("NORTH-DATA-04")
def test_what_achievements_count() -> None:
    expected = {
        "Builder": {Weight.SMALL_BUILDING: 1, Weight.LARGE_BUILDING: 3},
        "Explorer": {Weight.SMALL_SPACE: 1, Weight.LARGE_SPACE: 3},
        "Food Trader": {Weight.FOOD: 2},
        "Wood Trader": {Weight.WOOD: 2},
        "Scholar": {Weight.LORE: 2},
        "Trapper": {Weight.LAIR: 3},
        "Warlord": {Weight.FIGURE: 1},
    }
    for row, (name, weights) in enumerate(expected.items()):
        assert card_name(R, 57 + row) == name
        assert {Weight(i): n for i, n in enumerate(R.achievement[row].tolist()) if n} == weights


@pytest.mark.rule("NORTH-DATA-05", "NORTH-COMP-05", "NORTH-SETUP-11")
def test_the_creature_cards() -> None:
    names = [line.split(",")[1:3] for line in block(small_tables.CREATURE_HEADER).splitlines()[1:]]
    assert [creature_name(R, i) for i in range(9)] == [f"{name} ({colour})" for name, colour in names]
    kinds = [Kind.WOLF] * 3 + [Kind.BEAR] * 2 + [Kind.DRAUGR] * 2 + [Kind.VALKYRIE] * 2
    assert R.creature_kind.tolist() == kinds
    assert R.creature_value.tolist() == [4, 4, 4, 6, 6, 5, 5, 7, 7]
    assert R.creature_fame.tolist() == [1, 1, 1, 3, 3, 2, 2, 4, 4]
    b, u, r = Priority.BUILDINGS, Priority.UNITS, Priority.RESOURCES
    orders = {Kind.WOLF: [r, b, u], Kind.BEAR: [b, r, u], Kind.DRAUGR: [u, b, r], Kind.VALKYRIE: [r, b, u]}
    assert R.creature_prio.tolist() == [orders[kind] for kind in kinds]
    assert [i for i in range(9) if R.creature_value[i] > 6] == [7, 8]  # the Valkyries begin in the lower part


# ---- Cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NORTH-CARD-01", "NORTH-COMP-05")
def test_the_groups_of_cards() -> None:
    groups = Counter(Group(int(group)) for group in R.card_group)
    assert groups == {
        Group.STARTING: 5,
        Group.EARLY: 16,
        Group.ADVANCED: 36,
        Group.ACHIEVEMENT: 7,
        Group.CLAN: 21,
        Group.UNREST: 1,
    }
    assert sorted(R.card_group.tolist()) == R.card_group.tolist()
    for clan in Clan:
        cards = clan_cards(clan)
        assert cards == tuple(range(64 + 3 * clan, 67 + 3 * clan))
        assert [card for card in range(86) if R.card_clan[card] == clan] == list(cards)
        if clan != Clan.BEAR:
            assert clan.name.title() in card_name(R, cards[0])
    assert [card_name(R, clan_cards(clan)[0]) for clan in Clan] == [f"{clan.name.title()} Clan" for clan in Clan]
    assert (tables.UNREST, tables.UNREST_CARDS) == (85, 10)


@pytest.mark.rule("NORTH-CARD-02")
def test_a_player_starts_with_six_cards() -> None:
    assert [card_name(R, card) for card in tables.STARTING] == ["Recruit", "Move", "Explore", "Build", "Feast", "Feast"]
    assert [R.card_op[card] for card in tables.STARTING[:5]] == [Op.RECRUIT, Op.MOVE, Op.EXPLORE, Op.BUILD, Op.CHOOSE]


@pytest.mark.rule("NORTH-CARD-03", "NORTH-FX-00")
def test_the_rules_hold_each_row_as_it_is_written() -> None:
    lines = block(card_table.HEADER).splitlines()
    for card, line in enumerate(lines[1:]):
        number, name, _, *values = line.split(",")
        assert (int(number), name) == (card, card_name(R, card))
        columns = ("flash", "fame", "op", "a", "b", "c", "d", "fl")
        assert [int(R[f"card_{column}"][card]) for column in columns] == [int(value) for value in values]
    assert R.react_card == 26
    assert [card_name(R, card) for card in range(86) if R.card_op[card] == Op.REACT] == ["Defensive Strategy"]


@pytest.mark.rule("NORTH-CARD-04", "NORTH-CARD-05", "NORTH-FX-00")
def test_unrest_and_achievements_alone_have_no_action() -> None:
    silent = [card for card in range(86) if R.card_op[card] == Op.NONE]
    assert silent == [*range(57, 64), 85]


def ledger_bits(rule: str) -> dict[str, int]:
    """Return the bits that a rule of section 1.7 names."""
    text = LEDGER[LEDGER.index(f"**{rule}**") :]
    text = text[: text.index("\n\n")]
    return {name: int(number) for number, name in re.findall(r"\b(\d+)\s+([A-Z][A-Z_]*[A-Z2-9])\b", text)}


@pytest.mark.rule("NORTH-FX-01", "NORTH-FX-02", "NORTH-FX-03", "NORTH-FX-04", "NORTH-FX-05", "NORTH-FX-10")
@pytest.mark.parametrize(
    ("rule", "flags"),
    [
        ("NORTH-FX-01", card_table.RecruitBit),
        ("NORTH-FX-02", card_table.MoveBit),
        ("NORTH-FX-03", card_table.ExploreBit),
        ("NORTH-FX-04", card_table.BuildBit),
        ("NORTH-FX-05", card_table.DrawBit),
        ("NORTH-FX-10", card_table.HandBit),
    ],
)
def test_bits_have_the_names_and_numbers_of_the_vocabulary(rule: str, flags: type) -> None:
    named = ledger_bits(rule)
    named.pop(Op(int(rule[-2:])).name, None)  # "op 1 RECRUIT"
    assert {bit.name: int(bit) for bit in flags} == named


@pytest.mark.rule("NORTH-FX-00", "NORTH-FX-06", "NORTH-FX-15")
def test_operations_have_the_names_and_numbers_of_the_vocabulary() -> None:
    named = re.findall(r"^\*\*NORTH-FX-(\d\d)\*\* \[\w\] op (\d+) ([A-Z]+)", LEDGER, re.MULTILINE)
    assert [(f"{op:02d}", str(int(op)), op.name) for op in Op] == named


@pytest.mark.rule("NORTH-CARD-03")
def test_every_operation_and_bit_is_on_some_card() -> None:
    assert {card.op for card in T.cards} == set(Op)
    for op, form in card_table.FORMS.items():
        used = 0
        for card in T.cards:
            used |= card.fl if card.op == op else 0
        assert used == form.fl, op


def test_two_card_rows_never_share_a_name() -> None:
    assert len({card.name for card in T.cards}) == len(T.cards) == 86
    assert isinstance(T.cards[0], Card)
