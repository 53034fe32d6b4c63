"""The options of Northgard: defaults, allowed values and combinations, and sentences for all others."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from pydantic import ValidationError

from northmen_env.games.northgard.options import Clan, Options
from northmen_env.games.northgard.tables import RULES, build_rules, tables_sha256

ROOT = Path(__file__).resolve().parents[3]
LEDGER = (ROOT / "docs" / "rules" / "northgard.md").read_text(encoding="utf-8")

DEFAULTS = {
    "num_players": 2,
    "clan_selection": "choose",
    "years": 7,
    "teams": False,
    "creatures": False,
    "more_creatures": False,
    "map_size": 36,
    "data": "builtin",
    "five_tile_in_stack": True,
    "reward": "rank",
}

# Option -> the fields of RULES that change, and their values, against two players and the defaults.
OTHERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"clan_selection": "random"}, {"clan_choice": 0}),
    ({"clan_selection": [4, 0]}, {"clan_choice": 0, "clan_list": [4, 0, -1, -1, -1]}),
    ({"years": 10}, {"years": 10, "deck_early": 6, "deck_advanced": 12, "conquest": 0}),
    ({"creatures": True}, {"creatures": 1}),
    ({"creatures": True, "more_creatures": True}, {"creatures": 1, "more_creatures": 1}),
    ({"map_size": 12}, {"map_size": 12}),
    ({"map_size": 64}, {"map_size": 64}),
    ({"five_tile_in_stack": False}, {"five_tile_in_stack": 0, "num_tiles": 34}),
    ({"reward": "win"}, {"reward": 1}),
    ({"reward": "fame"}, {"reward": 2}),
    (
        {"num_players": 3},
        {
            "num_players": 3,
            "deck_early": 6,
            "deck_advanced": 12,
            "team": [0, 1, 2, -1, -1],
            "enemies": [0b110, 0b101, 0b011, 0, 0],
        },
    ),
]


@pytest.mark.rule("NORTH-COMP-01", "NORTH-SETUP-06", "NORTH-VAR-01", "NORTH-TILE-12")
def test_the_options_are_those_of_the_ledger() -> None:
    section = LEDGER[LEDGER.index("## 8. Variants") : LEDGER.index("### 8.1")]
    printed = dict(re.findall(r"^\| `(\w+)` \| .+? \| (.+?) \|", section, re.MULTILINE))
    words = {name: json.dumps(value).replace('"builtin"', "built in") for name, value in DEFAULTS.items()}
    assert printed == words
    assert Options().model_dump() == DEFAULTS


def test_the_default_configuration_names_every_option() -> None:
    found = yaml.safe_load((ROOT / "configs" / "game" / "northgard.yaml").read_text(encoding="utf-8"))
    assert found == {"name": "northgard", "options": {k: v for k, v in DEFAULTS.items() if k != "num_players"}}


@pytest.mark.rule("NORTH-SETUP-02", "NORTH-SETUP-05", "NORTH-SETUP-06", "NORTH-VAR-01")
@pytest.mark.parametrize(("given", "changed"), OTHERS)
def test_an_option_changes_its_own_fields_of_the_rules(given: dict[str, Any], changed: dict[str, Any]) -> None:
    base, rules = build_rules(Options())[0], build_rules(Options(**given))[0]
    different = {name: rules[name].tolist() for name in RULES.names if not np.array_equal(rules[name], base[name])}
    assert different == changed


@pytest.mark.rule("NORTH-TEAM-01", "NORTH-TEAM-03", "NORTH-TEAM-08")
def test_teams_sit_opposite_and_need_five_territories() -> None:
    alone, rules = build_rules(Options(num_players=4))[0], build_rules(Options(num_players=4, teams=True))[0]
    different = {name: rules[name].tolist() for name in RULES.names if not np.array_equal(rules[name], alone[name])}
    assert different == {
        "teams": 1,
        "conquest": 5,
        "ally": [2, 3, 0, 1, -1],
        "team": [0, 1, 0, 1, -1],
        "enemies": [0b1010, 0b0101, 0b1010, 0b0101, 0],
    }
    assert alone.conquest == 3
    assert alone.ally.tolist() == [-1] * 5
    assert alone.enemies.tolist() == [0b1110, 0b1101, 0b1011, 0b0111, 0]


@pytest.mark.rule("NORTH-SETUP-02", "NORTH-SETUP-05", "NORTH-VAR-01", "NORTH-VAR-02")
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_sizes_of_the_deck_and_the_stack(n: int) -> None:
    short, long = build_rules(Options(num_players=n))[0], build_rules(Options(num_players=n, years=10))[0]
    assert (short.deck_early, short.deck_advanced) == (2 * n, 4 * n)
    assert (long.deck_early, long.deck_advanced) == (3 * n, 6 * n)
    assert long.deck_early <= 16
    assert long.deck_advanced <= 36
    without = build_rules(Options(num_players=n, five_tile_in_stack=False))[0]
    assert (short.num_tiles, without.num_tiles) == (35, 35 if n == 5 else 34)
    assert short.five_tile_in_stack == (n < 5)  # with five players it is placed
    assert without.five_tile_in_stack == 0


@pytest.mark.rule("NORTH-TEAM-09", "NORTH-CRE-30", "NORTH-TEAM-01")
def test_every_combination_of_modules_is_legal_or_told() -> None:
    flags = ("teams", "creatures", "more_creatures", "five_tile_in_stack")
    legal = 0
    for n, years, reward, clans in itertools.product((2, 3, 4, 5), (7, 10), ("rank", "win", "fame"), ("choose", "all")):
        for values in itertools.product((False, True), repeat=len(flags)):
            given = dict(zip(flags, values, strict=True))
            selection = tuple(range(n)) if clans == "all" else clans
            base = {"num_players": n, "years": years, "reward": reward, "clan_selection": selection}
            if (given["teams"] and n != 4) or (given["more_creatures"] and not given["creatures"]):
                with pytest.raises(ValidationError, match=r"needs (4 players|creatures = true)"):
                    Options(**base, **given)
                continue
            rules = build_rules(Options(**base, **given))[0]
            assert [rules[flag] for flag in flags[:3]] == [given[flag] for flag in flags[:3]]
            legal += 1
    assert legal == 2 * 3 * 2 * (3 * 6 + 12)  # years, rewards, clans; teams with four players


BAD = [
    ({"num_players": 1}, r"num_players must be 2, 3, 4 or 5, not 1"),
    ({"num_players": 6}, "num_players must be .* not 6"),
    ({"num_players": 2.0}, "num_players must be .* not 2.0"),
    ({"num_players": True}, "num_players must be .* not True"),
    ({"num_players": "2"}, "num_players must be .* not '2'"),
    ({"num_players": None}, "num_players must be .* not None"),
    (
        {"clan_selection": "Choose"},
        r"clan_selection must be 'choose', 'random' or .* \(0 Bear, 1 Boar, .*, 6 Wolf\), not",
    ),
    ({"clan_selection": "01"}, "clan_selection must be .* not '01'"),
    ({"clan_selection": None}, "clan_selection must be .* not None"),
    ({"clan_selection": 3}, "clan_selection must be .* not 3"),
    ({"clan_selection": []}, r"clan_selection must be .* not \[\]"),
    ({"clan_selection": [0, 7]}, r"clan_selection must be .* not \[0, 7\]"),
    ({"clan_selection": [0, -1]}, r"clan_selection must be .* not \[0, -1\]"),
    ({"clan_selection": [3, 3]}, r"clan_selection must be .* different .* not \[3, 3\]"),
    ({"clan_selection": [0, True]}, r"clan_selection must be .* not \[0, True\]"),
    ({"clan_selection": [0, 1.0]}, r"clan_selection must be .* not \[0, 1.0\]"),
    ({"clan_selection": {0, 1}}, "clan_selection must be"),
    ({"clan_selection": [0, 1, 2]}, r"clan_selection names 3 clans \[0, 1, 2\], and 2 players need one each"),
    ({"clan_selection": [0, 1], "num_players": 5}, r"names 2 clans \[0, 1\], and 5 players need one each"),
    ({"years": 8}, "years must be 7 or 10, not 8"),
    ({"years": 7.0}, "years must be 7 or 10, not 7.0"),
    ({"years": "10"}, "years must be 7 or 10, not '10'"),
    ({"teams": 1}, "teams must be true or false, not 1"),
    ({"creatures": "true"}, "creatures must be true or false, not 'true'"),
    ({"more_creatures": None}, "more_creatures must be true or false, not None"),
    ({"five_tile_in_stack": 0.0}, "five_tile_in_stack must be true or false, not 0.0"),
    ({"teams": True}, r"teams = true needs 4 players, .* num_players is 2; set num_players = 4 or play with teams ="),
    ({"teams": True, "num_players": 5}, "teams = true needs 4 players, .* num_players is 5"),
    ({"more_creatures": True}, "more_creatures = true needs creatures = true; set both, or more_creatures = false"),
    ({"map_size": 11}, "map_size must be an integer from 12 to 64, not 11"),
    ({"map_size": 65}, "map_size must be an integer from 12 to 64, not 65"),
    ({"map_size": 36.0}, "map_size must be .* not 36.0"),
    ({"map_size": "36"}, "map_size must be .* not '36'"),
    ({"data": ""}, "data must be 'builtin' or the path of a folder with a data set"),
    ({"data": 3}, "data must be .* not 3"),
    ({"data": b"x"}, "data must be .* not b'x'"),
    ({"data": "a\0b"}, "data must be 'builtin' or the path"),
    ({"reward": "score"}, "reward must be 'rank', 'win' or 'fame', not 'score'"),
    ({"reward": ["rank"]}, r"reward must be .* not \['rank'\]"),
    ({"players": 2}, "players"),
]


@pytest.mark.rule("NORTH-COMP-01", "NORTH-TILE-12", "NORTH-TEAM-01", "NORTH-CRE-30")
@pytest.mark.parametrize(("given", "sentence"), BAD)
def test_wrong_values_are_refused_by_name(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Options(**given)


def test_numpy_values_are_taken_for_what_they_are() -> None:
    options = Options(
        num_players=np.int64(3), creatures=np.True_, map_size=np.uint8(12), clan_selection=np.array([6, 2, 4], np.int8)
    )
    assert isinstance(options.clan_selection, tuple)
    assert [type(value) for value in (options.num_players, options.map_size, *options.clan_selection)] == [int] * 5
    assert options.creatures is True
    assert options == Options(num_players=3, creatures=True, map_size=12, clan_selection=[6, 2, 4])
    assert json.loads(json.dumps(options.to_json("")))["clan_selection"] == [6, 2, 4]  # by seat, so never sorted
    assert Options(clan_selection=[Clan.WOLF, Clan.BEAR]).clan_selection == (6, 0)


def test_options_are_values(tmp_path: Path) -> None:
    options = Options(num_players=3, clan_selection=[5, 4, 3], data=tmp_path)
    assert options == pickle.loads(pickle.dumps(options)) == copy.deepcopy(options)
    assert len({options, Options(num_players=3, clan_selection=(5, 4, 3), data=str(tmp_path)), Options()}) == 2
    with pytest.raises(ValidationError, match="frozen"):
        options.num_players = 2
    assert Options(**options.model_dump()) == Options.model_validate_json(options.model_dump_json()) == options


@pytest.mark.rule("NORTH-PH-10", "NORTH-DATA-06")
def test_json_has_every_option_under_its_name_and_a_folder_by_its_hash(tmp_path: Path) -> None:
    digest = tables_sha256(Options())
    assert Options().to_json(digest) == DEFAULTS
    found = Options(num_players=3, data=tmp_path, clan_selection=[5, 4, 3]).to_json("ab" * 32)
    assert found == DEFAULTS | {"num_players": 3, "data": "ab" * 32, "clan_selection": [5, 4, 3]}
    assert list(found) == list(DEFAULTS)
