"""What holds in every state: sound games keep it, and each kind of damage is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from northgard_scenes import FIELD, Play, do, go, scene

from northmen_env.games.northgard.board import lay_tile
from northmen_env.games.northgard.invariants import INVARIANTS, Broken, check
from northmen_env.games.northgard.state import Decision, Frame, Phase

GOAT, BOAR, BEAR = 2, 1, 0


def quiet() -> Play:
    """Seat 0 at MENU: cards in all piles, two buildings, units of both seats."""
    return scene(
        FIELD,
        {0: {0: 2, 1: 1}, 1: {2: 2}},
        {0: [0, 1, 22], 1: [3]},
        discard=[[4], []],
        played=[[], [0]],
        idle=[[2], []],
        buildings=[[9, 2]],
        spaceless=[[0, 0, 1]],
        resources=[[3, 2, 1], [2, 2, 0]],
    )


def with_creatures() -> Play:
    return scene(FIELD, {0: {0: 2}, 1: {2: 2}}, {0: [0]}, options={"creatures": True}, creatures=[[0, 1], [3, 3]])


def bribed() -> Play:
    """Seat 1's bribed units attack: CB_FOOD_A."""
    game = scene(FIELD, {0: {3: 3}, 1: {2: 3}}, {0: [46]}, resources=[[1, 0, 0], [1, 0, 0]])
    return go(do(game, "PLAY"), "BR_DST: TERR 3; BR_NUM: NUM 2")


def put(field: str, value: int, *index: int) -> Callable[[Any], None]:
    def damage(state: Any) -> None:
        if index:
            state[field][index] = value
        else:
            state[field] = value

    return damage


def add(field: str, value: int, *index: int) -> Callable[[Any], None]:
    def damage(state: Any) -> None:
        if index:
            state[field][index] += value
        else:
            state[field] += value

    return damage


def swap_cards(state: Any) -> None:
    state.hand[0, 0], state.hand[0, 1] = int(state.hand[0, 1]), int(state.hand[0, 0])


def twin(state: Any) -> None:
    """The top tile of the stack lies there twice."""
    state.stack[0] = state.stack[1]


def misfit(state: Any) -> None:
    """Tile 12 of the stack lies where a border of the starting tile stops in the middle of four tiles."""
    size = int(state.stack_size)
    rest = [int(tile) for tile in state.stack[:size] if tile != 12]
    state.stack[:size] = [*rest, 0]
    state.stack_size = size - 1
    lay_tile(quiet().rules, state, np.int64(12), np.int64(0), np.int64(-1), np.int64(0))


def intruder(state: Any) -> None:
    """A unit of seat 1 where only seat 0 has figures."""
    state.units[0, 1] = 1
    state.on_map[1] += 1
    state.owned[1, 0] |= 1


def lost_creature(state: Any) -> None:
    state.creature_pile[int(state.creature_pile_size) - 1] = 0
    state.creature_pile_size -= 1


def late(state: Any) -> None:
    """A year later, with the cards of the year before."""
    state.year += 1


def upside_down(state: Any) -> None:
    size = int(state.deck_size)
    state.deck[:size] = state.deck[:size][::-1].copy()


DAMAGES: list[tuple[Broken, Callable[[], Play], Callable[[Any], None]]] = [
    (Broken.TURN, quiet, put("decision", int(Decision.TR_GIVE))),
    (Broken.TURN, quiet, put("player", -1)),
    (Broken.TURN, quiet, put("phase", int(Phase.HARVEST))),
    (Broken.TURN, quiet, put("year", 8)),
    (Broken.RANGES, quiet, put("resources", -1, 0, 0)),
    (Broken.RANGES, quiet, put("passed", 2, 1)),
    (Broken.ABSENT, quiet, put("fame", 3, 4)),
    (Broken.EVENTS, quiet, put("event_count", 1, 3)),
    (Broken.LISTS, quiet, swap_cards),
    (Broken.LISTS, quiet, put("hand_known", 0, 0, 0)),
    (Broken.CLANS, quiet, put("clan", GOAT, 1)),
    (Broken.CLANS, quiet, put("snake", 1)),
    (Broken.CARDS, quiet, put("discard", 3, 0, 0)),
    (Broken.CARDS, quiet, put("unrest", 9)),
    (Broken.TILES, quiet, twin),
    (Broken.GRID, quiet, put("tile_x", 2, 1)),
    (Broken.GRID, quiet, put("tile_turn", 1, 1)),
    (Broken.FRONT, quiet, add("front_need", 1, 0)),
    (Broken.FRONT, quiet, put("front_plot", 0, 3, 2)),
    (Broken.BORDERS, quiet, misfit),
    (Broken.TERRITORIES, quiet, put("root", 4, 4)),
    (Broken.TERRITORIES, quiet, add("extent", 1, 0)),
    (Broken.TERRITORIES, quiet, add("open_sides", 1, 0)),
    (Broken.ADJACENCY, quiet, put("near", 0, 0, 0)),
    (Broken.ADJACENCY, quiet, put("smooth", 0, 1, 0)),
    (Broken.SPACES, quiet, add("spaces", 1, 1, 2)),
    (Broken.SPACES, quiet, put("built", 7, 6)),
    (Broken.SUPPLY, quiet, put("supply", 7, 0)),
    (Broken.YIELDS, quiet, add("yields", 1, 0, 2)),
    (Broken.UNITS, quiet, put("on_map", 5, 0)),
    (Broken.UNITS, quiet, put("kaija", 0)),
    (Broken.UNITS, quiet, put("owned", 0, 1, 0)),
    (Broken.SHARED, quiet, intruder),
    (Broken.CREATURES, with_creatures, lost_creature),
    (Broken.CREATURES, with_creatures, put("bears", 0, 0)),
    (Broken.CREATURES, with_creatures, put("creature_at", 0, 5)),
    (Broken.FRAMES, quiet, put("depth", 1)),
    (Broken.FRAMES, bribed, put("frame_kind", int(Frame.STRIKE), 1)),
    (Broken.FRAMES, bribed, put("frame_row", 22, 1)),
    (Broken.NEUTRAL, quiet, put("card", 3)),
    (Broken.NEUTRAL, quiet, put("struck", 1)),
    (Broken.NEUTRAL, quiet, put("food_a", 0)),
    (Broken.NEUTRAL, bribed, put("chosen", 1)),
    (Broken.CONTEXT, bribed, put("card", -1)),
    (Broken.CONTEXT, bribed, put("attacker", -1)),
    (Broken.SHARED, bribed, put("fight_at", -1)),
    (Broken.YEAR, quiet, late),
    (Broken.YEAR, with_creatures, upside_down),
    (Broken.YEAR, quiet, put("taken", 1, 0)),
    (Broken.YEAR, quiet, put("passed", 1, 1)),
    (Broken.OFFER, quiet, put("legal_count", 1)),
    (Broken.OFFER, quiet, put("legal", 3, 0)),
]


def test_sound_positions() -> None:
    for make in (quiet, with_creatures, bribed):
        game = make()
        assert check(game.rules, game.record) == 0


@pytest.mark.rule("NORTH-COMP-02", "NORTH-COMP-03", "NORTH-COMP-05", "NORTH-DECK-04", "NORTH-CORN-12", "NORTH-EXPL-06")
@pytest.mark.parametrize(
    ("broken", "make", "damage"), DAMAGES, ids=[f"{entry[0].name}-{i}" for i, entry in enumerate(DAMAGES)]
)
def test_damage_is_named(broken: Broken, make: Callable[[], Play], damage: Callable[[Any], None]) -> None:
    game = make()
    damage(game.record)
    found = check(game.rules, game.record)
    assert Broken(found) == broken, INVARIANTS.get(found)


def test_each_invariant_has_a_sentence_and_a_damage() -> None:
    assert set(INVARIANTS) == set(Broken) - {Broken.NONE}
    assert {entry[0] for entry in DAMAGES} == set(INVARIANTS)


def random_walk(seed: int, **options: Any) -> Iterator[Play]:
    game, choose = Play(**options).start(seed), Random(seed)
    while not game.over():
        yield game
        legal = game.legal()
        acts = [action for action in legal if not 3 <= action <= 7]  # rather play than wait, replace, remove, pass
        game.step(choose.choice(acts if acts and choose.random() < 0.9 else legal))
    yield game


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 2},
        {"num_players": 4, "teams": True, "creatures": True, "more_creatures": True},
        {"num_players": 5, "years": 10, "map_size": 12},
    ],
    ids=["two", "teams", "long"],
)
def test_random_games_keep_them(options: dict[str, Any]) -> None:
    """`Play.step` asserts the invariants after each step."""
    decisions = sum(1 for _ in random_walk(11, **options))
    assert decisions > 50
