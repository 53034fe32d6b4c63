"""The action space of Saga, its texts and features, and the texts of events."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from northmen_env.games.saga import actions
from northmen_env.games.saga.actions import ACTIONS, EVENTS, FEATURE_COLUMNS, Event, action_text, event_text
from northmen_env.games.saga.options import Options
from northmen_env.games.saga.tables import build_rules, load_tables, rules_from

LEDGER = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "saga.md").read_text(encoding="utf-8")
RULES = {n: build_rules(Options(num_players=n))[0] for n in (2, 3, 4)}
T = load_tables("builtin")


@pytest.mark.rule("SAGA-ACT-01")
def test_the_ranges_are_those_of_the_ledger() -> None:
    section = LEDGER[LEDGER.index("**SAGA-ACT-01**") : LEDGER.index("**SAGA-ACT-02**")]
    printed = re.findall(r"^\| (\d+)(?:–\d+)? \| (\d+) \| (\w+) \|", section, re.MULTILINE)
    assert [(str(r.start), str(r.size), r.name) for r in ACTIONS.ranges] == printed
    assert ACTIONS.num_actions == 178
    starts = {name: getattr(actions, name) for _, _, name in printed}
    assert starts == {name: int(start) for start, _, name in printed}
    assert all(type(start) is int for start in starts.values())
    assert actions.DRAW_PILE == 115


@pytest.mark.rule("SAGA-ACT-01")
def test_the_space_is_the_same_for_every_configuration() -> None:
    for options in (Options(num_players=4), Options(march_order="free"), Options(final_planning=True)):
        rules = build_rules(options)[0]
        assert actions.action_features(rules).shape[0] == 178
        assert [action_text(rules, a).split(" ")[0] for a in range(178)] == [
            entry.name for entry in ACTIONS.ranges for _ in range(entry.size)
        ]


@pytest.mark.parametrize("num_players", RULES)
def test_texts_are_unique_plain_lines(num_players: int) -> None:
    texts = [action_text(RULES[num_players], action) for action in range(178)]
    assert len(set(texts)) == 178
    for text in texts:
        assert text.isprintable()
        assert "," not in text
        assert text == text.strip()


def test_texts_say_what_is_printed() -> None:
    expected = {
        0: "PLAY Normans 3 armies (card 0)",
        4: "PLAY Normans 1 army 1 fleet / Bulgaria (card 4)",
        26: "PLAY Saxons 2 armies / Bulgaria (card 26)",
        66: "HOLD Rus 2 armies / Italy (card 10)",
        113: "DRAW from face-up slot 1",
        115: "DRAW from the pile",
        118: "CUBE to Bulgaria",
        133: "HERO to Poland",
        135: "COMPLETE Normans - Italy worth 2 (route 1)",
        155: "KEEP Normans - Italy worth 2 (route 1)",
        174: "HIRE a hero for 3 infamy",
        175: "DELAY the kingdom for 5 infamy",
        176: "BUY trade routes for 3 infamy",
        177: "PASS",
    }
    assert {action: action_text(RULES[2], action) for action in expected} == expected


@pytest.mark.rule("SAGA-EX-06")
def test_texts_say_when_a_mark_silences_a_card() -> None:
    assert action_text(RULES[3], 27) == "PLAY Saxons 2 fleets / Finland (card 27)"
    assert action_text(RULES[4], 27) == "PLAY Saxons 2 fleets / Finland without token (card 27)"


@pytest.mark.parametrize("action", [-1, 178])
def test_an_action_outside_the_space_has_no_text(action: int) -> None:
    with pytest.raises(ValueError, match=r"outside 0\.\.177"):
        action_text(RULES[2], action)


def test_smaller_tables_leave_texts_unique_and_features_empty() -> None:
    rules = rules_from(
        type(T)(T.kingdoms[:1], T.regions[:4], T.coastal[:4], T.adjacent[:1], T.cards[:2], T.routes[:1], T.sha256),
        Options(),
    )[0]
    assert len({action_text(rules, action) for action in range(178)}) == 178
    features = actions.action_features(rules)
    for gone in (actions.PLAY + 2, actions.CUBE + 4, actions.KEEP + 1):
        assert features[gone].sum() == 1  # its kind, nothing else


# ---- Features -------------------------------------------------------------------------------------------------------


def column(name: str, num_players: int = 2) -> np.ndarray:
    return actions.action_features(RULES[num_players])[:, FEATURE_COLUMNS.index(name)]


@pytest.mark.parametrize("num_players", RULES)
def test_features_are_small_numbers_with_one_kind(num_players: int) -> None:
    features = actions.action_features(RULES[num_players])
    assert features.dtype == np.float32
    assert features.shape == (178, len(FEATURE_COLUMNS))
    assert len(set(FEATURE_COLUMNS)) == len(FEATURE_COLUMNS)
    assert features.min() >= 0
    assert features.max() == 1
    for prefix, most in (("kind_", 1), ("kingdom_", 1), ("slot_", 1)):
        part = features[:, [i for i, name in enumerate(FEATURE_COLUMNS) if name.startswith(prefix)]]
        assert (part.sum(axis=1) <= most).all()
    kinds = features[:, :11]
    assert (kinds.sum(axis=1) == 1).all()
    assert kinds.argmax(axis=1).tolist() == [i for i, entry in enumerate(ACTIONS.ranges) for _ in range(entry.size)]


def test_features_tell_all_actions_apart() -> None:
    # Two cards differ in their mark alone only where the mark matters, so the table of two players is the hardest.
    assert len(np.unique(actions.action_features(RULES[2]), axis=0)) == 178


def test_features_of_cards_regions_and_routes() -> None:
    hold = actions.HOLD + 26
    for action in (26, hold):
        assert column("kingdom_3")[action] == column("region_2")[action] == column("region_coastal")[action] == 1
        assert column("armies")[action] == column("value")[action] == np.float32(2) * np.float32(1 / 3)
        assert column("fleets")[action] == 0
    assert column("armies")[0] == 1
    assert [column("places_token", n)[27] for n in (2, 3, 4)] == [1, 1, 0]
    assert not column("places_token")[8]
    for start in (actions.CUBE, actions.HERO):
        assert column("region_coastal")[start : start + 9].tolist() == [float(coastal) for coastal in T.coastal]
        assert column("region_4")[start : start + 9].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    for start in (actions.COMPLETE, actions.KEEP):
        assert column("route_value")[start : start + 3].tolist() == [3 / 8, 2 / 8, 4 / 8]
        assert column("route_land")[start : start + 3].tolist() == [0, 1, 0]
        assert column("route_sea")[start : start + 3].tolist() == [1, 1, 0]
        assert column("kingdom_1")[start + 3] == 1
    assert np.flatnonzero(column("slot_2")).tolist() == [114]
    assert np.flatnonzero(column("draw_pile")).tolist() == [115]


# ---- Events ---------------------------------------------------------------------------------------------------------


def test_every_code_has_a_kind() -> None:
    assert [kind.name for kind in EVENTS] == [event.name.lower() for event in sorted(Event)]
    assert [int(event) for event in sorted(Event)] == list(range(len(EVENTS)))
    assert len({kind.about for kind in EVENTS}) == len(EVENTS)


CARD, ROUTE = "Saxons 2 armies / Bulgaria (card 26)", "Normans - Italy worth 2 (route 1)"

LINES = [
    ((Event.DEAL, 0, 26, -1), f"seat 0 (you) is dealt {CARD}"),
    ((Event.DEAL_ROUTE, 0, 1, -1), f"seat 0 (you) is dealt {ROUTE}"),
    ((Event.REVEAL, -1, 2, 26), f"face-up slot 2 shows {CARD}"),
    ((Event.PLAY, 1, 26, -1), f"seat 1 plays {CARD}"),
    ((Event.HIRE, 1, 3, -1), "seat 1 hires a hero in Saxons"),
    ((Event.TOKEN, 1, 2, -1), "seat 1 puts a plunder token on Bulgaria"),
    ((Event.TAKE, 1, 0, 26), f"seat 1 takes {CARD} from face-up slot 0"),
    ((Event.DRAW, 0, 26, -1), f"seat 0 (you) draws {CARD} from the pile"),
    ((Event.DRAW, 1, -1, -1), "seat 1 draws a card from the pile"),
    ((Event.CONTROL, 1, 2, -1), "seat 1 controls Magyars"),
    ((Event.CONTROL, -1, 2, -1), "nobody controls Magyars"),
    ((Event.DELAY, 1, 2, -1), "seat 1 delays Magyars"),
    ((Event.MARCH, 1, 2, -1), "seat 1 moves Magyars"),
    ((Event.CUBE, 1, 2, 8), "seat 1 sends a cube from Magyars to Poland"),
    ((Event.HERO, 1, 2, 8), "seat 1 sends a hero from Magyars to Poland"),
    ((Event.BATTLE, 1, 4, -1), "seat 1 wins the battle in Holy Roman Empire"),
    ((Event.COLLECT, 1, 4, 1), "seat 1 collects 1 plunder token in Holy Roman Empire"),
    ((Event.COLLECT, 1, 4, 3), "seat 1 collects 3 plunder tokens in Holy Roman Empire"),
    ((Event.COMPLETE, 1, 1, -1), f"seat 1 completes {ROUTE}"),
    ((Event.BUY, 1, -1, -1), "seat 1 pays 3 infamy for trade routes"),
    ((Event.DRAWN, 0, 1, -1), f"seat 0 (you) draws {ROUTE}"),
    ((Event.KEEP, 0, 1, 0), f"seat 0 (you) keeps {ROUTE} and returns Normans - Africa worth 3 (route 0)"),
    ((Event.KEEP, 0, 1, -1), f"seat 0 (you) keeps {ROUTE}"),
    ((Event.KEEP, 1, -1, -1), "seat 1 keeps a trade route"),
    ((Event.HOLD, 0, 26, -1), f"seat 0 (you) holds {CARD}"),
    ((Event.HELD, 1, 0, -1), "seat 1 holds 0 cards for the next round"),
    ((Event.HELD, 1, 1, -1), "seat 1 holds 1 card for the next round"),
    ((Event.ROUND, 1, 2, -1), "round 2 begins led by seat 1"),
    ((Event.END, -1, -1, -1), "the game is over"),
]


@pytest.mark.parametrize(("row", "line"), LINES)
def test_events_read_as_one_line(row: tuple[int, int, int, int], line: str) -> None:
    assert event_text(RULES[2], 0, row) == line


def test_every_event_has_a_line_and_unknown_codes_are_refused() -> None:
    assert {row[0] for row, _ in LINES} == set(Event)
    with pytest.raises(ValueError, match="23"):
        event_text(RULES[2], 0, (23, 0, 0, 0))
