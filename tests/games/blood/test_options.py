"""The options of Blood: defaults, allowed values, and sentences for all others."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from northmen_env.games.blood.options import Options
from northmen_env.games.blood.tables import RULES, build_rules, tables_sha256

LEDGER = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "blood.md").read_text(encoding="utf-8")

DEFAULTS = {
    "num_players": 2,
    "goods": True,
    "citadels": True,
    "abilities": True,
    "ability_pool": (0, 1, 2, 3, 4, 5, 6, 7),
    "grid_size": 32,
    "vikings_every_turn": False,
    "tile_table": "builtin",
    "bandit_table": "builtin",
    "reward": "rank",
}

# Option -> the fields of RULES that change, and their values.
OTHERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"goods": False}, {"goods": 0, "num_abilities": 7, "ability_pool": [0, 1, 3, 4, 5, 6, 7, -1]}),
    ({"citadels": False}, {"citadels": 0, "num_abilities": 7, "ability_pool": [0, 1, 2, 3, 4, 5, 7, -1]}),
    ({"abilities": False}, {"abilities": 0, "num_abilities": 0, "ability_pool": [-1] * 8}),
    ({"ability_pool": [7, 0]}, {"num_abilities": 2, "ability_pool": [0, 7, *[-1] * 6]}),
    ({"grid_size": 8}, {"grid_size": 8}),
    ({"grid_size": 64}, {"grid_size": 64}),
    ({"vikings_every_turn": True}, {"vikings_every_turn": 1}),
    ({"reward": "win"}, {"reward": 1}),
    ({"reward": "score"}, {"reward": 2}),
    ({"num_players": 1}, {"num_players": 1, "solo": 1}),
    ({"num_players": 3}, {"num_players": 3, "colours": 3, "pile_size": 90}),
]


@pytest.mark.rule("BLOOD-OPT-01", "BLOOD-OPT-03")
def test_the_options_are_those_of_the_ledger() -> None:
    section = LEDGER[LEDGER.index("**BLOOD-OPT-01**") : LEDGER.index("**BLOOD-OPT-02**")]
    printed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", section, re.MULTILINE))
    assert set(printed) == set(Options.model_fields)
    words = {
        "ability_pool": "all eight",
        "tile_table": "1.3",
        "bandit_table": "1.4",
        **{name: str(value).lower() for name, value in DEFAULTS.items() if not isinstance(value, tuple)
           and value != "builtin"},
    }  # fmt: skip
    assert {name: default.strip("`") for name, default in printed.items()} == words
    assert Options().model_dump() == DEFAULTS


@pytest.mark.rule("BLOOD-OPT-01", "BLOOD-OPT-02")
@pytest.mark.parametrize(("given", "changed"), OTHERS)
def test_an_option_changes_its_own_fields_of_the_rules(given: dict[str, Any], changed: dict[str, Any]) -> None:
    base, rules = build_rules(Options())[0], build_rules(Options(**given))[0]
    different = {name: rules[name].tolist() for name in RULES.names if not np.array_equal(rules[name], base[name])}
    assert different == changed


BAD = [
    ({"num_players": 0}, r"num_players must be 1 \(solo\), 2, 3, 4 or 5, not 0"),
    ({"num_players": 6}, "num_players must be .* not 6"),
    ({"num_players": 2.0}, "num_players must be .* not 2.0"),
    ({"num_players": True}, "num_players must be .* not True"),
    ({"num_players": "2"}, "num_players must be .* not '2'"),
    ({"num_players": None}, "num_players must be .* not None"),
    ({"goods": 1}, "goods must be true or false, not 1"),
    ({"citadels": "true"}, "citadels must be true or false, not 'true'"),
    ({"abilities": None}, "abilities must be true or false, not None"),
    ({"vikings_every_turn": 0.0}, "vikings_every_turn must be true or false, not 0.0"),
    ({"ability_pool": [0, 8]}, r"ability_pool must be a list of different ability ids from 0 to 7, not \[0, 8\]"),
    ({"ability_pool": [0, -1]}, r"ability_pool must be a list .* not \[0, -1\]"),
    ({"ability_pool": [0, 0, 1]}, r"ability_pool must be a list of different .* not \[0, 0, 1\]"),
    ({"ability_pool": [0, True]}, r"ability_pool must be a list .* not \[0, True\]"),
    ({"ability_pool": [0, 1.0]}, r"ability_pool must be a list .* not \[0, 1.0\]"),
    ({"ability_pool": "01"}, "ability_pool must be a list .* not '01'"),
    ({"ability_pool": 3}, "ability_pool must be a list .* not 3"),
    ({"ability_pool": {0, 1}}, "ability_pool must be a list"),
    ({"ability_pool": [3]}, r"ability_pool has 1 abilities that can act with these modules \[3\], and 2 players need"),
    ({"ability_pool": []}, r"ability_pool has 0 abilities .* add ids or play with abilities = false"),
    ({"ability_pool": [1, 2], "goods": False}, r"ability_pool has 1 abilities .* \[1\]"),
    ({"ability_pool": [1, 6], "citadels": False}, r"ability_pool has 1 abilities .* \[1\]"),
    ({"ability_pool": [0, 1, 2, 3], "num_players": 5}, "5 players need one each"),
    ({"grid_size": 7}, "grid_size must be an integer from 8 to 64, not 7"),
    ({"grid_size": 65}, "grid_size must be an integer from 8 to 64, not 65"),
    ({"grid_size": 32.0}, "grid_size must be .* not 32.0"),
    ({"grid_size": True}, "grid_size must be .* not True"),
    ({"grid_size": "32"}, "grid_size must be .* not '32'"),
    ({"tile_table": ""}, "tile_table must be 'builtin' or the path of a CSV file"),
    ({"tile_table": 3}, "tile_table must be .* not 3"),
    ({"bandit_table": b"x"}, "bandit_table must be 'builtin' or the path of a CSV file"),
    ({"bandit_table": "a\0b"}, "bandit_table must be 'builtin' or the path of a CSV file"),
    ({"reward": "points"}, "reward must be 'rank', 'win' or 'score', not 'points'"),
    ({"reward": ["rank"]}, r"reward must be .* not \['rank'\]"),
    ({"players": 2}, "players"),
]


@pytest.mark.rule("BLOOD-OPT-01")
@pytest.mark.parametrize(("given", "sentence"), BAD)
def test_wrong_values_are_refused_by_name(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Options(**given)


@pytest.mark.rule("BLOOD-OPT-01", "BLOOD-SETUP-03")
def test_pools_that_are_just_large_enough() -> None:
    assert Options(num_players=5, goods=False, citadels=False).dealt_abilities == (0, 1, 3, 4, 5, 7)
    assert Options(num_players=1, ability_pool=[2]).dealt_abilities == (2,)
    assert Options(ability_pool=[], abilities=False).ability_pool == ()
    assert Options(ability_pool=[2, 6], abilities=False, goods=False).ability_pool == (2, 6)


def test_numpy_values_are_taken_for_what_they_are() -> None:
    options = Options(
        num_players=np.int64(3), goods=np.False_, grid_size=np.uint8(9), ability_pool=np.array([4, 3, 1], np.int8)
    )
    assert [type(value) for value in (options.num_players, options.grid_size, *options.ability_pool)] == [int] * 5
    assert options.goods is False
    assert options == Options(num_players=3, goods=False, grid_size=9, ability_pool=[1, 3, 4])
    assert json.loads(json.dumps(options.to_json("", "")))["ability_pool"] == [1, 3, 4]


def test_options_are_values(tmp_path: Path) -> None:
    options = Options(num_players=4, ability_pool=[5, 4, 3, 2, 1], tile_table=tmp_path)
    assert options == pickle.loads(pickle.dumps(options)) == copy.deepcopy(options)
    assert (
        len({options, Options(num_players=4, ability_pool=(1, 2, 3, 4, 5), tile_table=str(tmp_path)), Options()}) == 2
    )
    with pytest.raises(ValidationError, match="frozen"):
        options.num_players = 2
    assert Options(**options.model_dump()) == Options.model_validate_json(options.model_dump_json()) == options


@pytest.mark.rule("BLOOD-PHASE-08")
def test_json_has_the_keys_of_the_ledger_and_the_tables_by_their_hashes() -> None:
    tiles, bandits = tables_sha256(Options())
    assert Options().to_json(tiles, bandits) == {
        "goods": True, "citadels": True, "abilities": True, "ability_pool": [0, 1, 2, 3, 4, 5, 6, 7], "grid_size": 32,
        "vikings_every_turn": False, "reward": "rank", "tile_table": tiles, "bandit_table": bandits,
    }  # fmt: skip
    (row,) = re.findall(r"^\| `game`, `num_players`, `options` \|(.*)\|$", LEDGER, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", row))
    assert set(Options().to_json("", "")) == named
    assert Options(ability_pool=[6, 5, 2], goods=False).to_json("", "")["ability_pool"] == [2, 5, 6]  # as configured


def test_the_hash_of_a_table_does_not_depend_on_other_options() -> None:
    assert tables_sha256(Options()) == tables_sha256(Options(num_players=1, goods=False))
