"""The options of Saga: defaults, allowed values, and sentences for all others."""

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

import northmen_env as nm
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.tables import RULES, build_rules, tables_sha256

LEDGER = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "saga.md").read_text(encoding="utf-8")

DEFAULTS = {
    "num_players": 2,
    "first_leader": 0,
    "final_planning": False,
    "draw_after_last_token": False,
    "hero_needs_cube": True,
    "heroes_collect": False,
    "march_order": "sorted",
    "recall": "full",
    "reward": "rank",
    "score_scale": 20,
    "data": "builtin",
}

# Option -> (other value, the fields of RULES that change, their value).
OTHERS: list[tuple[dict[str, Any], dict[str, float]]] = [
    ({"num_players": 3, "first_leader": 2}, {"first_leader": 2}),
    ({"first_leader": "random"}, {"first_leader": -1}),
    ({"final_planning": True}, {"final_planning": 1}),
    ({"draw_after_last_token": True}, {"draw_after_last_token": 1}),
    ({"hero_needs_cube": False}, {"hero_needs_cube": 0}),
    ({"heroes_collect": True}, {"heroes_collect": 1}),
    ({"march_order": "free"}, {"free_march": 1}),
    ({"recall": "table"}, {"table_recall": 1}),
    ({"reward": "win"}, {"reward": 1}),
    ({"reward": "score"}, {"reward": 2}),
    ({"score_scale": 7.5}, {"score_scale": 7.5}),
]


@pytest.mark.rule("SAGA-OPT-02", "SAGA-OPT-04")
def test_the_options_are_those_of_the_ledger() -> None:
    section = LEDGER[LEDGER.index("**SAGA-OPT-02**") : LEDGER.index("**SAGA-OPT-03**")]
    printed = re.findall(r"^\| `(\w+)` \| (.+?) \|", section, re.MULTILINE)
    assert [name for name, _ in printed] == list(Options.model_fields)
    words = {name: default.strip("`") for name, default in printed}
    assert {name: "built in" if v == "builtin" else str(v).lower() for name, v in DEFAULTS.items()} == words
    assert Options().model_dump() == DEFAULTS


@pytest.mark.rule("SAGA-OPT-02")
@pytest.mark.parametrize(("given", "changed"), OTHERS)
def test_an_option_changes_its_own_field_of_the_rules(given: dict[str, Any], changed: dict[str, float]) -> None:
    base = build_rules(Options(num_players=given.get("num_players", 2)))[0]
    rules = build_rules(Options(**given))[0]
    assert {name: rules[name] for name in RULES.names if not np.array_equal(rules[name], base[name])} == changed


@pytest.mark.rule("SAGA-OPT-03")
def test_the_canonical_order_is_the_default_and_free_offers_more() -> None:
    assert not build_rules(Options())[0].free_march
    assert steps_back("sorted") == 0 < steps_back("free")


def steps_back(order: str) -> int:
    """Return how many cubes of a game could go to a region below the one its kingdom's last cube went to."""
    state = nm.load("saga", march_order=order).new_initial_state(seed=3)
    found, before = 0, (-1, -1)
    while not state.is_terminal():
        actions, position = state.legal_actions(), state.to_dict()
        if position["decision"] == "CUBE":
            kingdom = position["march"]["kingdom"]
            found += kingdom == before[0] and actions[0] < before[1]
            before = (kingdom, actions[-1])
        state.apply_action(actions[-1])
    return found


BAD = [
    ({"num_players": 1}, "num_players must be 2, 3 or 4, not 1"),
    ({"num_players": 5}, "num_players must be 2, 3 or 4, not 5"),
    ({"num_players": 2.0}, "num_players must be 2, 3 or 4, not 2.0"),
    ({"num_players": True}, "num_players must be 2, 3 or 4, not True"),
    ({"num_players": "2"}, "num_players must be 2, 3 or 4, not '2'"),
    ({"num_players": None}, "num_players must be 2, 3 or 4, not None"),
    ({"first_leader": 2}, r"first_leader must be a seat of the 2 players \(0, 1\) or 'random', not 2"),
    ({"num_players": 4, "first_leader": 4}, r"first_leader must be a seat of the 4 players \(0, 1, 2, 3\)"),
    ({"first_leader": -1}, "first_leader must be .* not -1"),
    ({"first_leader": False}, "first_leader must be .* not False"),
    ({"first_leader": 0.0}, "first_leader must be .* not 0.0"),
    ({"first_leader": "Random"}, "first_leader must be .* or 'random', not 'Random'"),
    ({"final_planning": 1}, "final_planning must be true or false, not 1"),
    ({"draw_after_last_token": "true"}, "draw_after_last_token must be true or false, not 'true'"),
    ({"hero_needs_cube": None}, "hero_needs_cube must be true or false, not None"),
    ({"heroes_collect": 0.0}, "heroes_collect must be true or false, not 0.0"),
    ({"march_order": "any"}, "march_order must be 'sorted' or 'free', not 'any'"),
    ({"recall": ["full"]}, r"recall must be 'full' or 'table', not \['full'\]"),
    ({"reward": "points"}, "reward must be 'rank', 'win' or 'score', not 'points'"),
    ({"score_scale": 0}, "score_scale must be a finite number above 0, not 0"),
    ({"score_scale": -1.5}, "score_scale must be .* not -1.5"),
    ({"score_scale": float("nan")}, "score_scale must be .* not nan"),
    ({"score_scale": float("inf")}, "score_scale must be .* not inf"),
    ({"score_scale": 10**400}, "score_scale must be a finite number"),
    ({"score_scale": True}, "score_scale must be .* not True"),
    ({"score_scale": "20"}, "score_scale must be .* not '20'"),
    ({"data": ""}, "data must be 'builtin' or the path of a folder"),
    ({"data": 3}, "data must be 'builtin' or the path of a folder .* not 3"),
    ({"data": b"folder"}, "data must be 'builtin' or the path of a folder"),
    ({"data": "a\0b"}, "data must be 'builtin' or the path of a folder"),
    ({"players": 2}, "players"),
]


@pytest.mark.rule("SAGA-OPT-02")
@pytest.mark.parametrize(("given", "sentence"), BAD)
def test_wrong_values_are_refused_by_name(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Options(**given)


@pytest.mark.rule("SAGA-OPT-02")
@pytest.mark.parametrize("given", [given for given, _ in BAD])
def test_a_game_refuses_wrong_values_by_the_name_of_the_option(given: dict[str, Any]) -> None:
    name = list(given)[-1]
    with pytest.raises(ValueError, match=name) as refused:
        nm.load("saga", **given)
    assert "\n" not in str(refused.value)


def test_numpy_values_are_taken_for_what_they_are() -> None:
    options = Options(
        num_players=np.int64(3), first_leader=np.uint8(1), final_planning=np.True_, score_scale=np.float32(2)
    )
    assert [type(value) for value in (options.num_players, options.first_leader)] == [int, int]
    assert options.final_planning is True
    assert options == Options(num_players=3, first_leader=1, final_planning=True, score_scale=2)
    assert json.loads(json.dumps(options.to_json("")))["num_players"] == 3


def test_options_are_values() -> None:
    options = Options(num_players=4, first_leader="random", reward="score")
    assert options == pickle.loads(pickle.dumps(options)) == copy.deepcopy(options)
    assert len({options, Options(num_players=4, first_leader="random", reward="score"), Options()}) == 2
    with pytest.raises(ValidationError, match="frozen"):
        options.num_players = 2
    assert Options(**options.model_dump()) == Options.model_validate_json(options.model_dump_json()) == options


@pytest.mark.rule("SAGA-TURN-08")
def test_json_has_every_option_as_configured(tmp_path: Path) -> None:
    assert json.dumps(Options().to_json("ff")) == json.dumps(DEFAULTS)  # 20, not 20.0; the hash only for folders
    given = Options(first_leader="random", score_scale=2.5, data=tmp_path)
    assert given.to_json("ff") == {**DEFAULTS, "first_leader": "random", "score_scale": 2.5, "data": "ff"}


def test_the_hash_of_the_tables_does_not_depend_on_other_options() -> None:
    assert tables_sha256(Options()) == tables_sha256(Options(num_players=4, recall="table"))
    assert re.fullmatch("[0-9a-f]{64}", tables_sha256(Options()))
