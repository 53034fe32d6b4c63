"""Observations hold exactly the facts of the ledger's section 5 (BLOOD-INFO)."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import blood_referee as ref
import numpy as np
import pytest
from blood_decoded_view import decoded_view
from blood_games import FULL_OPTIONS, Play, load, some, walk
from blood_positions import MAP_A, TABLES, at, position
from blood_seats import blocks, look, words

from northmen_env.games.blood.actions import CELL, DRAW, PASS, TILE
from northmen_env.games.blood.observe import OBSERVATION
from northmen_env.games.blood.state import Decision

NO_MODULES = {"num_players": 3, "goods": False, "citadels": False, "abilities": False, "reward": "score"}
CONFIGURATIONS = [*FULL_OPTIONS, NO_MODULES]


def first(wanted: Callable[[Any], Any], options: dict[str, Any], seeds: Any = range(1, 60)) -> Play:
    """Return the first state of some games for which `wanted(record)` holds."""
    for seed in seeds:
        for play in walk(seed, **options):
            if wanted(play.record):
                return play.copy()
    raise AssertionError("no such state in these games")


def edited(play: Play, change: Callable[[Any], Any]) -> Play:
    """Return a copy with a changed record."""
    other = play.copy()
    change(other.record)
    return other


def seers(one: Play, other: Play) -> set[int]:
    """Return the seats that can tell the two states apart."""
    return {p for p in range(int(one.rules.num_players)) if not np.array_equal(look(one, p), look(other, p))}


# ---- Everything, at every decision -----------------------------------------------------------------------------------


def referees_view(play: Play, seat: int) -> dict[str, Any]:
    """Return what the referee lets the seat know, less what no vector can say: the hashes of the tables."""
    view: dict[str, Any] = ref.Referee.from_dict(play.to_dict(), TABLES).view(seat)
    options = {key: value for key, value in view["options"].items() if not key.endswith("_table")}
    options["ability_pool"] = list(play.options.dealt_abilities) if options["abilities"] else []
    return {**view, "options": options}


@pytest.mark.rule(
    "BLOOD-INFO-01", "BLOOD-INFO-02", "BLOOD-INFO-03", "BLOOD-INFO-04", "BLOOD-INFO-05", "BLOOD-ACTION-03",
    "BLOOD-PLACE-08", "BLOOD-REVEAL-04", "BLOOD-ABIL-01", "BLOOD-SETUP-09",
)  # fmt: skip
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_an_observation_decodes_to_what_the_referee_lets_its_seat_know(options: dict[str, Any]) -> None:
    seen: Counter[int] = Counter()
    for seed in (1, 2, 3):
        for play in walk(seed, **options):
            seen[int(play.record.decision)] += 1
            if seen[int(play.record.decision)] > 6:
                continue
            for p in range(options["num_players"]):
                assert decoded_view(OBSERVATION, look(play, p), p) == referees_view(play, p)
    assert len(seen) > 12


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-ACTION-03")
@pytest.mark.parametrize("decision", ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "D21", "D19"])
def test_the_context_of_rare_points_is_told(decision: str) -> None:
    options = {"num_players": 1} if decision[0] == "B" else {"num_players": 2}
    play = first(lambda r: int(r.decision) == Decision[decision], options)
    view = decoded_view(OBSERVATION, look(play, 0), 0)
    assert view["decision"] == decision
    assert view == referees_view(play, 0)


def test_an_observation_has_one_length_for_all_configurations() -> None:
    assert OBSERVATION.size <= 4000
    for options in CONFIGURATIONS:
        for play in some(4, 40, **options):
            for p in range(options["num_players"]):
                assert not (look(play, p) == 9).any()  # written whole


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_values_are_integers_times_the_scale_and_within_one(options: dict[str, Any]) -> None:
    for play in some(4, 9, **options):
        observation = look(play, 0)
        assert observation.dtype == np.float32
        assert np.abs(observation).max() <= 1
        for block, whole in zip(OBSERVATION.blocks, OBSERVATION.decode(observation).values(), strict=True):
            values = whole.astype(np.float32) * np.float32(block.scale)
            assert np.array_equal(observation[block.slice], values.reshape(-1)), block.name


LARGEST = {
    "settlement": 12, "vp": 6, "reserve": 12, "hand_size": 120, "village_left": 1000, "a": 1000, "drawn": 120,
    "move_count": 12, "battle_owed": 1000, "battle_strength": 1000, "battle_add": 2, "card": 120, "effect": 6,
    "left": 1000, "run_left": 1000, "won": 1000, "bribed": 1000, "warbands": 12, "rotation": 5,
}  # fmt: skip


def test_the_largest_numbers_stay_within_one() -> None:
    play = first(lambda r: r.battle_tile > 0 and r.citadel_owner.max() >= 0, {"num_players": 5})

    def raise_all(r: Any) -> None:
        for field, value in LARGEST.items():
            r[field] = value
        r.move_kind, r.run_kind, r.run_first, r.phase = 2, 3, 2, Decision.D16
        r.prepared[1], r.pile_top = words(range(1, 121)), 0

    for p in range(5):
        assert np.abs(look(edited(play, raise_all), p)).max() == 1
        whole = blocks(edited(play, raise_all), p)
        assert (whole["village_left"][0], whole["actions_left"][0], whole["battle_strength"][0]) == (32, 32, 128)
        assert (whole["effect_left"][0], whole["run_left"][5], whole["pile_size"][0]) == (64, 64, 120)


# ---- Relative seats, and a frame that moves with the map -------------------------------------------------------------


def turned(d: dict[str, Any]) -> dict[str, Any]:
    """Return the same state with every seat one place further clockwise."""
    n = d["num_players"]

    def seat(q: int | None) -> int | None:
        return None if q is None else (q + 1) % n

    new = copy.deepcopy(d)
    for key in ("hands", "held", "abilities", "prepared", "settlement", "vp", "reserve"):
        new[key] = [d[key][(p - 1) % n] for p in range(n)]
    new["player"], new["active"] = seat(d["player"]), seat(d["active"])
    new["winners"] = sorted(map(seat, d["winners"])) if d["winners"] else None
    for entry in new["map"]:
        entry["warbands"] = [entry["warbands"][(p - 1) % n] for p in range(n)]
    for citadel in filter(None, new["citadels"]):
        citadel["owner"] = seat(citadel["owner"])
    if d["battle"]:
        new["battle"]["order"] = [seat(p) for p in d["battle"]["order"]]
    return new


@pytest.mark.parametrize("options", CONFIGURATIONS[1:], ids=str)
def test_seats_are_relative_to_the_observer(options: dict[str, Any]) -> None:
    for play in some(5, 23, **options):
        other = load(turned(play.to_dict()))
        for p in range(options["num_players"]):
            assert np.array_equal(look(play, p), look(other, (p + 1) % options["num_players"]))


def moved(d: dict[str, Any], q: int, r: int) -> dict[str, Any]:
    """Return the same state with its map elsewhere on the torus."""
    side = d["options"]["grid_size"]

    def cell(c: int | None) -> int | None:
        return None if c is None else (c // side + q) % side * side + (c % side + r) % side

    new = copy.deepcopy(d)
    new["map"] = sorted(({**entry, "cell": cell(entry["cell"])} for entry in d["map"]), key=lambda e: e["cell"])
    for part in [new["placing"], new["battle"], *new["citadels"]]:
        if part:
            part["cell"] = cell(part["cell"])
    for key in ("laid", "silver_cell"):
        new[key] = cell(d[key])
    if d["move"]:
        new["move"]["source"] = cell(d["move"]["source"])
    if d["bandit"]:
        bandit = new["bandit"]
        bandit["target"] = cell(bandit["target"])
        bandit["forbidden"] = bandit["forbidden"] and [cell(c) for c in bandit["forbidden"]]
        for key in ("remaining", "served"):
            bandit[key] = sorted(map(cell, bandit[key]))
        for key in ("from", "via", "one") if bandit["run"] else ():
            bandit["run"][key] = cell(bandit["run"][key])
    return new


@pytest.mark.rule("BLOOD-HEX-03", "BLOOD-HEX-06")
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_the_frame_moves_with_the_map(options: dict[str, Any]) -> None:
    frame = OBSERVATION["frame"]
    for i, play in enumerate(some(6, 19, **options)):
        if not play.record.map_size:
            continue
        other = load(moved(play.to_dict(), 7 * i + 3, 11 * i + 5))
        for p in range(options["num_players"]):
            one, two = look(play, p), look(other, p)
            assert not np.array_equal(one[frame.slice], two[frame.slice])
            one[frame.start : frame.start + 2] = two[frame.start : frame.start + 2] = 0
            assert np.array_equal(one, two)


# ---- For each fact, two states that differ in it alone ---------------------------------------------------------------

EVERYBODY = {0, 1, 2}


@cache
def middle() -> Play:
    """Return a state in the middle of a game of three in which everybody has something of everything."""

    def wanted(r: Any) -> bool:
        rich = r.discard.any() and r.held[1].any() and (r.citadel_owner >= 0).sum() > 1 and r.map_size > 12
        return bool(rich and r.decision == Decision.D14 and r.active == 0 and r.army[1].any() and r.hand_size[1] > 2)

    return first(wanted, {"num_players": 3})


def put(field: str, where: Any, value: Any) -> Callable[[Any], None]:
    def change(r: Any) -> None:
        r[field][where] = value(r[field][where]) if callable(value) else value

    return change


def set_to(field: str, value: Any) -> Callable[[Any], None]:
    def change(r: Any) -> None:
        r[field] = value(r[field]) if callable(value) else value

    return change


def a_tile(sets: Any) -> int:
    """Return the lowest tile of a set."""
    word = int(sets[0]) | int(sets[1]) << 61
    return (word & -word).bit_length() - 1


def swap(one: Any, other: Any) -> None:
    """Exchange the lowest tiles of two sets."""
    a, b = a_tile(one), a_tile(other)
    for sets, gone, new in ((one, a, b), (other, b, a)):
        sets[:] = [x & ~y | z for x, y, z in zip(map(int, sets), words([gone]), words([new]), strict=True)]


PUBLIC = {
    "acting seat": set_to("player", 1),
    "active seat": set_to("active", 1),
    "decision": set_to("decision", Decision.D15),
    "winners": set_to("winners", 3),
    "settlement": put("settlement", 1, lambda x: x - 1 if x else 1),
    "victory points": put("vp", 1, lambda x: x + 1),
    "reserve": put("reserve", 1, lambda x: x + 1),
    "ability": put("ability", 1, lambda x: (x + 1) % 8),
    "hand size": put("hand_size", 1, lambda x: x - 1),
    "number of prepared tiles": lambda r: r.prepared.__setitem__(1, words([a_tile(r.hand[1]), a_tile(r.hand[2])])),
    "number of fresh tiles": lambda r: r.fresh.__setitem__(slice(None), words([a_tile(r.hand[1])])),
    "pile size": set_to("pile_top", lambda x: x + 1),
    "discard pile": lambda r: swap(r.discard, r.removed),
    "known tiles": lambda r: swap(r.held[1], r.removed),
    "tile on the map": lambda r: r.on_map.__setitem__(slice(None), r.on_map & (r.on_map - 1)),
    "rotation": lambda r: r.rotation.__setitem__(a_tile(r.on_map), (r.rotation[a_tile(r.on_map)] + 1) % 6),
    "cell": lambda r: r.cell.__setitem__(a_tile(r.on_map), r.cell[a_tile(r.on_map)] + 2),
    "warbands": lambda r: r.warbands.__setitem__((a_tile(r.army[1]), 1), r.warbands[a_tile(r.army[1]), 1] % 12 + 1),
    "place of a citadel": put("citadel_tile", 0, lambda x: x + 1),
    "side of a citadel": put("citadel_side", 0, lambda x: (x + 1) % 3),
    "owner of a citadel": put("citadel_owner", 0, lambda x: (x + 1) % 3),
    "permanence of a citadel": put("citadel_permanent", 0, lambda x: 1 - x),
    "citadel in the supply": put("citadel_owner", 0, -1),
    "laid tile": set_to("laid", lambda x: x - 1 if x > 1 else 2),
    "phase": set_to("phase", Decision.D15),
    "a": set_to("a", lambda x: x + 1),
    "b": set_to("b", lambda x: 1 - x),
    "action performed": set_to("performed", lambda x: 1 - x),
    "tiles drawn": set_to("drawn", lambda x: x + 1),
    "draw made earlier": set_to("drew_earlier", lambda x: 1 - x),
    "village actions": set_to("village_left", 3),
    "points returned for furs": set_to("furs_returned", 1),
    "tile for silver": lambda r: set_to("silver_tile", a_tile(r.on_map))(r),
    "revealed or chosen tile": set_to("placing_tile", lambda x: 5),
    "chosen cell": set_to("placing_cell", 3),
    "side of the citadel": set_to("breach", 2),
    "move": lambda r: (set_to("move_kind", 1)(r), set_to("move_source", a_tile(r.on_map))(r)),
}


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-INFO-02", "BLOOD-INFO-03", "BLOOD-ACTION-03")
@pytest.mark.parametrize("fact", PUBLIC)
def test_public_facts_are_seen_by_all(fact: str) -> None:
    assert seers(middle(), edited(middle(), PUBLIC[fact])) == EVERYBODY


def brawl(r: Any) -> bool:
    shown = r.battle_revealed[0].any() and r.battle_size == 2
    return bool(r.decision == Decision.D20 and shown and r.battle_at == 0)


BATTLE = {
    "its tile": lambda r: set_to("battle_tile", a_tile(r.on_map) if a_tile(r.on_map) != r.battle_tile else 1)(r),
    "who takes part": lambda r: r.battle_order.__setitem__(slice(0, 2), r.battle_order[[1, 0]]),
    "whose turn it is": set_to("battle_at", 1),
    "tiles owed": put("battle_owed", 1, lambda x: x + 1),
    "strength": put("battle_strength", 1, lambda x: x + 1),
    "revealed tiles": lambda r: swap(r.battle_revealed[0], r.removed),
    "who revealed": lambda r: r.battle_revealed.__setitem__(slice(0, 2), r.battle_revealed[[1, 0]]),
    "bandits to be added": set_to("battle_add", 2),
}


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-ACTION-03", "BLOOD-BATTLE-06")
@pytest.mark.parametrize("fact", BATTLE)
def test_a_battle_is_seen_by_all(fact: str) -> None:
    play = first(brawl, {"num_players": 3})
    assert seers(play, edited(play, BATTLE[fact])) == EVERYBODY


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-ACTION-03", "BLOOD-SOLO-05")
@pytest.mark.parametrize(
    "field", ["card", "effect", "left", "run_left", "won", "last_won", "bribed", "target", "remaining", "served",
              "run_kind", "run_first", "move_from", "move_via", "one", "forbidden_from", "forbidden_to"],
)  # fmt: skip
def test_the_bandit_phase_is_seen(field: str) -> None:
    run = field.startswith(("run", "move", "one"))
    play = first(
        lambda r: r.card > 0 and (r.run_kind > 0) == run and not r.one and not r.served.any(), {"num_players": 1}
    )
    there = a_tile(play.record.on_map)

    def change(r: Any) -> None:
        if field in ("remaining", "served"):
            r[field][:] = words([there]) if not r[field].any() else [0, 0]
        elif field in ("target", "move_from", "move_via", "one", "forbidden_from", "forbidden_to"):
            r[field] = there if r[field] != there else 0
        elif field == "run_left":
            r.run_left[0] += 1
        else:
            r[field] = {"card": r.card % 120 + 1, "last_won": 1 - r.last_won, "run_first": 3 - r.run_first,
                        "run_kind": r.run_kind % 3 + 1}.get(field, r[field] + 1)  # fmt: skip

    assert seers(play, edited(play, change)) == {0}


def other_pile_order(r: Any) -> None:
    r.pile[int(r.pile_top) :] = r.pile[int(r.pile_top) :][::-1].copy()


def other_top(r: Any) -> None:
    """Exchange the top of the pile for a removed tile."""
    top, gone = int(r.pile[r.pile_top]), a_tile(r.removed)
    r.pile[r.pile_top] = gone
    r.removed[:] = words([t for t in range(1, 121) if (words([t]) & r.removed).any() and t != gone] + [top])


def stocked() -> Play:
    """Return a state in which seat 1 has usable prepared tiles and the active seat 0 a fresh one."""
    d = position(
        MAP_A, n=3, warbands={(0, 0): [1, 1, 0]}, decision="D13", laid=at(1, -1), a=1, hands=[[2, 3], [5, 7], [9, 11]],
        prepared=[[12], [13, 14], []], fresh=[19], held=[[3], [5], []],
    )  # fmt: skip
    return load(d)


PRIVATE: dict[str, tuple[Callable[[Any], Any], set[int]]] = {
    "own hand": (lambda r: swap(r.hand[2], r.removed), {2}),
    "own prepared tiles": (lambda r: swap(r.prepared[1], r.removed), {1}),
    "own fresh tiles": (lambda r: swap(r.fresh, r.removed), {0}),
    "which known tile is prepared": (lambda r: swap(r.hand[1], r.prepared[1]), {1}),
    "order of the pile": (other_pile_order, set()),
    "removed tiles": (other_top, set()),
    "chance": (set_to("seed", 99), set()),
}


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-INFO-03", "BLOOD-SETUP-05")
@pytest.mark.parametrize("fact", PRIVATE)
def test_private_facts_are_seen_by_their_owner_alone(fact: str) -> None:
    change, knows = PRIVATE[fact]
    assert seers(stocked(), edited(stocked(), change)) == knows


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-SOLO-09")
def test_nobody_sees_the_prepared_tiles_of_the_bandits_and_all_see_their_number() -> None:
    play = first(lambda r: r.prepared[1].any(), {"num_players": 1})
    assert seers(play, edited(play, lambda r: swap(r.prepared[1], r.removed))) == set()
    fewer = edited(play, lambda r: r.prepared.__setitem__(1, [0, 0]))
    assert seers(play, fewer) == {0}


# ---- Choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BLOOD-INFO-02", "BLOOD-INFO-03", "BLOOD-TUSK-01")
def test_which_tile_is_prepared_is_seen_by_its_owner_alone() -> None:
    play = first(lambda r: r.decision == Decision.D12 and r.hand_size[r.player] > 2, {"num_players": 3}, range(1, 200))
    tiles = [a for a in play.legal() if a > TILE]
    one, two = play.copy().step(tiles[0]), play.copy().step(tiles[1])
    assert seers(one, two) == {int(play.record.player)}
    assert seers(one, play) == EVERYBODY
    assert np.array_equal(one.record.held, play.record.held)


@pytest.mark.rule("BLOOD-INFO-02")
def test_a_tile_chosen_to_be_laid_is_seen_by_all() -> None:
    play = Play(num_players=3).start(5)
    tiles = [a for a in play.legal() if a > TILE]
    assert seers(play.copy().step(tiles[0]), play.copy().step(tiles[1])) == EVERYBODY


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-ACT-02")
def test_a_drawn_tile_is_seen_by_its_owner_alone() -> None:
    play = first(lambda r: r.decision == Decision.D14 and r.drawn == 0 and r.a > 1, {"num_players": 3}, range(1, 9))
    while DRAW not in play.legal():
        play.step(PASS)
    other = edited(play, other_top)
    owner = int(play.record.player)
    assert seers(play, other) == set()
    assert seers(play.copy().step(DRAW), other.copy().step(DRAW)) == {owner}


@pytest.mark.rule("BLOOD-INFO-01", "BLOOD-REVEAL-03")
def test_a_tile_taken_instead_of_a_refused_one_is_seen_by_its_owner_alone() -> None:
    play = first(lambda r: r.decision == Decision.D02 and r.pile_top < 100, {"num_players": 3})
    owner, refused = int(play.record.player), int(play.record.placing_tile)
    one, two = play.copy().step(PASS), edited(play, other_top).step(PASS)
    # The next seat may be asked or not: compare what is told of tiles.
    tiles = [OBSERVATION[name].slice for name in ("tile_place", "tile_held", "hand_size", "pile_size")]
    told = [[np.concatenate([look(x, p)[s] for s in tiles]) for p in range(3)] for x in (one, two)]
    assert [p for p in range(3) if not np.array_equal(told[0][p], told[1][p])] == [owner]
    discarded = OBSERVATION["tile_place"].columns.index("discard")
    assert all(blocks(one, p)["tile_place"][refused - 1, discarded] for p in range(3))


@pytest.mark.rule("BLOOD-INFO-03", "BLOOD-SETUP-06", "BLOOD-SETUP-09")
def test_face_up_tiles_are_known_to_all_until_they_leave() -> None:
    play = Play(num_players=3).start(5)
    dealt = blocks(play, 0)["tile_held"]
    assert (dealt.sum(0)[:3] >= 1).all()
    active = int(play.record.active)
    known = [t for t in range(1, 121) if dealt[t - 1, active % 3] and TILE + t in play.legal()]
    after = play.copy().step(TILE + known[0])
    assert not blocks(after, 0)["tile_held"][known[0] - 1].any()


@pytest.mark.rule("BLOOD-ACTION-03")
def test_cells_of_actions_are_places_of_the_frame() -> None:
    play = first(lambda r: r.decision == Decision.D14 and r.map_size > 5, {"num_players": 2})
    whole = blocks(play, 0)
    for action in play.legal():
        if action >= CELL:
            q, r = divmod(action - CELL, 32)
            place = [(q - whole["frame"][0]) % 32, (r - whole["frame"][1]) % 32]
            (row,) = np.flatnonzero((whole["tile_at"] == place).all(1))
            assert whole["tile_place"][row, 0] == 1
            assert play.record.cell[row + 1] == action - CELL
