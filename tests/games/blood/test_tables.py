"""The tables of Blood: the tiles and bandit cards of the ledger, and what RULES makes of them."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from northmen_env.games.blood import tables
from northmen_env.games.blood.bandit_table import Effect, Op, Pick, Unit, Where
from northmen_env.games.blood.options import Ability, Options
from northmen_env.games.blood.tables import RULES, build_rules, card_effects, load_tables, sides_text
from northmen_env.games.blood.tile_table import LETTERS, Side, Tile, Village, match

ROOT = Path(__file__).resolve().parents[3]
LEDGER = (ROOT / "docs" / "rules" / "blood.md").read_text(encoding="utf-8")
BUILTIN = Path(tables.__file__).parent / "data"
T = load_tables(Options())
TILE = dict(enumerate(T.tiles, 1))
CARD = dict(enumerate(T.cards, 1))
COUNTS = (1, 2, 3, 4, 5)


def rules(**options) -> np.record:
    return build_rules(Options(**options))[0]


def block(header: str) -> str:
    """Return the CSV block of the ledger that begins with `header`."""
    (found,) = re.findall(rf"```csv\n({re.escape(header)}\n.*?)```", LEDGER, re.DOTALL)
    return found


def terrain() -> list[Tile]:
    return [tile for tile in T.tiles if tile.village == Village.NONE]


# ---- Tiles ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-TILE-03", "BLOOD-CARD-03")
@pytest.mark.parametrize(
    ("file", "header"), [("tiles.csv", "id,village,sides"), ("bandits.csv", "card,redirect,tag,effects")]
)
def test_the_tables_are_those_of_the_ledger(file: str, header: str) -> None:
    content = (BUILTIN / file).read_bytes()
    assert content.decode() == block(header)
    printed = re.findall(r"`([0-9a-f]{64})`", LEDGER)
    assert hashlib.sha256(content).hexdigest() == printed[("tiles.csv", "bandits.csv").index(file)]
    assert tables.hashes(rules()) == tables.tables_sha256(Options()) == tuple(printed)


@pytest.mark.rule("BLOOD-COMP-01")
def test_counts_of_the_tiles() -> None:
    assert len(T.tiles) == 120
    assert Counter(tile.village.name for tile in T.tiles) == {
        "NONE": 80,
        "MEAD": 10,
        "SILVER": 10,
        "FURS": 10,
        "TUSK": 10,
    }
    assert len({tile.shape for tile in terrain()}) == 80


@pytest.mark.rule("BLOOD-TILE-01")
def test_a_side_is_one_of_five_kinds_and_a_village_is_no_side() -> None:
    assert {letter for tile in T.tiles for letter in tile.sides} == set(LETTERS) == set("FLRM-")
    assert {len(tile.sides) for tile in T.tiles} == {6}
    assert [side.name[0] for side in Side if side != Side.EMPTY] == list(LETTERS[:4])
    r = rules()
    assert (r.kind_sides[1:].sum(axis=2) == 63).all()  # each side of each tile shows exactly one letter
    assert set(r.village.tolist()) == {-1, 0, 1, 2, 3}


@pytest.mark.rule("BLOOD-TILE-02")
def test_a_tile_has_the_number_of_its_card() -> None:
    ids = [int(line.split(",")[0]) for line in block("id,village,sides").splitlines()[1:]]
    cards = [int(line.split(",")[0]) for line in block("card,redirect,tag,effects").splitlines()[1:]]
    assert ids == cards == list(range(1, 121))


@pytest.mark.rule("BLOOD-TILE-03")
def test_the_tile_table_meets_what_the_ledger_says_of_it() -> None:
    for row in re.findall(r"^\| (terrain|each village type|all) \| (\d+) \|((?: \d+ \|){5})$", LEDGER, re.MULTILINE):
        group, size, numbers = row[0], int(row[1]), [int(number) for number in re.findall(r"\d+", row[2])]
        groups = {"terrain": [terrain()], "all": [list(T.tiles)]}.get(group) or [
            [tile for tile in T.tiles if tile.village == village] for village in Village if village != Village.NONE
        ]
        for tiles in groups:
            assert len(tiles) == size
            assert [sum(tile.sides.count(letter) for tile in tiles) for letter in "FLMR-"] == numbers
    assert Counter(tile.sides.count("M") for tile in T.tiles) == {0: 48, 1: 49, 2: 20, 3: 3}
    assert sum(6 - tile.sides.count("-") for tile in T.tiles) / 120 == 3.775
    villages = [tile.village for tile in T.tiles[2::3]]
    assert villages == [Village.MEAD, Village.SILVER, Village.FURS, Village.TUSK] * 10
    for tile in T.tiles:
        assert 1 <= tile.sides.count("-") <= 4
        assert all(tile.sides.count(letter) <= 3 for letter in "FLMR")
        doubled = tile.sides * 2
        assert "RR" not in doubled[:7]
        assert "L" * tile.sides.count("L") in doubled  # one lake: its sides are neighbours
    same = {tuple(sorted(n for n, t in TILE.items() if t.shape == tile.shape)) for tile in T.tiles}
    assert {pair for pair in same if len(pair) == 2} == {(41, 81), (54, 70), (57, 103), (65, 87), (75, 113), (82, 105)}
    assert {len(group) for group in same} == {1, 2}


@pytest.mark.rule("BLOOD-HEX-02")
def test_rotation_turns_clockwise() -> None:
    r = rules()
    assert [sides_text(r, 8, k) for k in range(6)] == ["FLLR--", "-FLLR-", "--FLLR", "R--FLL", "LR--FL", "LLR--F"]
    for number, k in itertools.product(TILE, range(6)):
        assert sides_text(r, number, k) == TILE[number].turned(k)
        for d, letter in enumerate(TILE[number].turned(k)):
            assert TILE[number].sides[(d - k) % 6] == letter
            assert int(r.turned[number, k]) >> 5 * d & 31 == 1 << LETTERS.index(letter)
            assert int(r.kind_sides[number, k, LETTERS.index(letter)]) >> d & 1


@pytest.mark.rule("BLOOD-PLACE-07")
def test_tiles_with_a_period_have_fewer_rotations() -> None:
    r = rules()
    assert {n: int(r.period[n]) for n in TILE if r.period[n] < 6} == {
        n: next(k for k in (1, 2, 3) if TILE[n].sides == TILE[n].turned(k))
        for n in TILE
        if TILE[n].sides in (TILE[n].turned(2), TILE[n].turned(3))
    }
    assert r.period[40] == 2  # R-R-R-
    assert r.period[43] == 3  # FR-FR-
    assert Tile(Village.NONE, "MMMMMM").period == 1
    for n in TILE:
        assert len({TILE[n].turned(k) for k in range(6)}) == r.period[n]


@pytest.mark.rule("BLOOD-PLACE-05", "BLOOD-TEST-02")
def test_matching_is_the_table_of_the_ledger() -> None:
    rows = re.findall(r"^\| \*\*([FLMR-])\*\* \|((?: (?:yes|no) \|){5})$", LEDGER, re.MULTILINE)
    assert "".join(letter for letter, _ in rows) == "FLMR-"
    r, pairs = rules(), 0
    for new, words in rows:
        for old, word in zip("FLMR-", re.findall(r"yes|no", words), strict=True):
            pairs += 1
            assert match(new, old) == (word == "yes")
            assert bool(int(r.fail[LETTERS.index(new)]) >> LETTERS.index(old) & 1) == (word == "no")
    assert pairs == 25


@pytest.mark.rule("BLOOD-BATTLE-06", "BLOOD-TEST-08")
def test_mountains_are_the_strength_of_a_tile() -> None:
    r = rules()
    assert [int(r.mountains[t]) for t in (103, 14, 7, 100, 67)] == [1, 1, 1, 0, 2]
    assert [int(m) for m in r.mountains[1:]] == [tile.sides.count("M") for tile in T.tiles]
    assert r.mountains[0] == 0


@pytest.mark.rule("BLOOD-VILL-01")
def test_village_sets_hold_the_tiles_of_each_type() -> None:
    r = rules()
    all_villages = [n for n in TILE if TILE[n].village != Village.NONE]
    for i in range(5):
        words = r.village_set[i]
        tiles = [t for t in range(121) if int(words[t // 61]) >> t % 61 & 1]
        assert tiles == (all_villages if i == 4 else [n for n in TILE if TILE[n].village == i])
        assert (words >= 0).all()


# ---- Bandit cards ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-CARD-01", "BLOOD-CARD-02")
def test_cards_above_thirty_name_a_card_for_an_empty_map() -> None:
    r = rules()
    assert r.card_redirect[:31].tolist() == [0] * 31
    assert r.card_redirect[31:].tolist() == [(n - 1) % 30 + 1 for n in range(31, 121)]
    printed = {1: 1, 31: 1, 42: 12, 61: 1, 73: 13, 91: 1, 102: 12}
    assert {n: int(r.card_redirect[n]) for n in printed if n > 30} == {n: k for n, k in printed.items() if n > 30}


@pytest.mark.rule("BLOOD-CARD-03")
def test_the_bandit_table_meets_what_the_ledger_says_of_it() -> None:
    tags = {int(line.split(",")[0]): line.split(",")[2] for line in block("card,redirect,tag,effects").splitlines()[1:]}
    printed = {*range(1, 14), *range(31, 43), *range(61, 74), *range(91, 103)}
    assert {n for n, tag in tags.items() if tag == "R"} == printed
    assert Counter(tags.values()) == {"R": 50, "D": 70}
    for n in range(1, 31):
        assert CARD[n].effects[0].op in (Op.PLACE, Op.EACH)
        assert len(CARD[n].effects) in (2, 3)
    for n in range(43, 61):
        assert CARD[n].effects[0].op == Op.LAKE
    for n in (*range(74, 91), 117):
        assert Op.ATTACK in [effect.op for effect in CARD[n].effects]
    kinds = {Op.SCORE, Op.BRIBE, Op.PREPARE, Op.DISCARD, Op.PLAY, Op.ROAD}
    for n in range(103, 121):
        assert {effect.op for effect in CARD[n].effects} <= kinds | ({Op.ATTACK} if n == 117 else set())


@pytest.mark.rule("BLOOD-EFFECT-01")
def test_the_rows_of_numbers_are_the_effects_as_written() -> None:
    r = rules()
    for line in block("card,redirect,tag,effects").splitlines()[1:]:
        number, _, _, effects = line.split(",", 3)
        assert ";".join(str(effect) for effect in card_effects(r, int(number))) == effects
        assert card_effects(r, int(number)) == CARD[int(number)].effects
        assert not r.effect_op[int(number), len(CARD[int(number)].effects) :].any()


@pytest.mark.rule("BLOOD-EFFECT-01")
def test_effects_mean_what_the_vocabulary_says() -> None:
    r = rules()
    assert card_effects(r, 1) == (Effect(Op.PLACE, 2, what=Where.EMPTY), Effect(Op.LAKE, 1))
    assert card_effects(r, 11)[1] == Effect(Op.ATTACK, 1, what=Pick.SMALLEST)
    assert card_effects(r, 12)[1] == Effect(Op.ATTACK, 1, what=Pick.LARGEST)
    assert card_effects(r, 13)[0] == Effect(Op.PLACE, 3, what=Where.JUSTPLACED)
    assert card_effects(r, 41)[1] == Effect(Op.SCORE, unit=Unit.ARMIES)
    assert card_effects(r, 64)[1] == Effect(Op.PREPARE, 4, if_won=True)
    assert card_effects(r, 68)[1] == Effect(Op.WIN, if_won=True)
    assert card_effects(r, 93)[0] == Effect(Op.ROAD, unit=Unit.VILLAGES)
    assert card_effects(r, 94)[0] == Effect(Op.ROAD, unit=Unit.WARBANDS)
    assert card_effects(r, 99)[1] == Effect(Op.SCORE, unit=Unit.BRIBED)
    assert card_effects(r, 100) == (Effect(Op.BRIBEVILLAGES),)
    used = {effect.op for card in T.cards for effect in card.effects}
    assert used == set(Op) - {Op.NONE}
    assert {effect.unit for card in T.cards for effect in card.effects} == set(Unit)
    assert {e.what for card in T.cards for e in card.effects if e.op in (Op.PLACE, Op.EACH)} == set(Where) - {
        Where.NONE
    }


@pytest.mark.rule("BLOOD-EFFECT-01")
def test_play_is_the_last_effect_of_its_row() -> None:
    for card in T.cards:
        assert Op.PLAY not in [effect.op for effect in card.effects[:-1]]


# ---- RULES ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-SETUP-04", "BLOOD-SETUP-10")
def test_sizes_by_number_of_players() -> None:
    assert [int(rules(num_players=n).pile_size) for n in COUNTS] == [60, 60, 90, 120, 120]
    assert [int(rules(num_players=n).colours) for n in COUNTS] == [2, 2, 3, 4, 5]
    assert [int(rules(num_players=n).solo) for n in COUNTS] == [1, 0, 0, 0, 0]


@pytest.mark.rule("BLOOD-COMP-06", "BLOOD-SETUP-03")
@pytest.mark.parametrize("goods", [True, False])
@pytest.mark.parametrize("citadels", [True, False])
def test_the_pool_leaves_out_abilities_that_can_never_act(goods: bool, citadels: bool) -> None:
    r = rules(goods=goods, citadels=citadels)
    out = {Ability.SAILS: goods, Ability.BANDITS: citadels}
    assert r.ability_pool[: r.num_abilities].tolist() == [a for a in Ability if out.get(a, True)]
    assert (r.ability_pool[r.num_abilities :] == -1).all()
    assert list(Ability) == list(range(8))


@pytest.mark.rule("BLOOD-OPT-01")
def test_no_ability_is_dealt_without_abilities() -> None:
    r = rules(abilities=False)
    assert (r.num_abilities, r.ability_pool.tolist()) == (0, [-1] * 8)


def test_the_number_of_players_changes_sizes_only() -> None:
    two, five = rules(num_players=2), rules(num_players=5)
    different = {name for name in RULES.names if not np.array_equal(two[name], five[name])}
    assert different == {"num_players", "colours", "pile_size"}


def test_rules_are_fresh_and_without_engine_settings() -> None:
    first, second = build_rules(Options()), build_rules(Options())
    assert (first.shape, first.dtype) == ((1,), RULES)
    assert (first[0].history, first[0].dense) == (0, 0)
    first["letters"] = 0
    assert second["letters"].any()
    assert build_rules(Options())["letters"].any()


def test_no_field_hides_an_attribute_of_arrays() -> None:
    """A record answers to its fields by name only where an array has no attribute of that name."""
    assert not [name for name in RULES.names if hasattr(np.ndarray, name)]
