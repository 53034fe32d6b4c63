"""Hex planes, tile lists and index maps agree with the state that the observation was taken of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from blood_games import FULL_OPTIONS, Play, some
from blood_seats import look

from northmen_env.games.blood.actions import CELL
from northmen_env.games.blood.codec import members
from northmen_env.games.blood.observe import OBSERVATION
from northmen_env.games.blood.planes import PLANES, TILE_COLUMNS, cell_places, index_map, planes, tile_list
from northmen_env.games.blood.tables import sides_text

LETTERS = {"F": "forest", "L": "lake", "R": "road", "M": "mountain", "-": "empty"}
VILLAGES = ("mead", "silver", "furs", "tusk")
SIDES = ("n", "ne", "se", "s", "sw", "nw")
SEATS = ("own", "next", "second", "third", "fourth")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def places(play: Play) -> dict[int, tuple[int, int]]:
    """Return the place of each tile of the map, from the state alone."""
    r, side = play.record, int(play.rules.grid_size)
    origin = (int(r.q_min) - 1, int(r.r_min) - 1)
    return {
        t: tuple((x - o) % side for x, o in zip(divmod(int(r.cell[t]), side), origin, strict=True))
        for t in members(r.on_map)
    }  # type: ignore[return-value]


def expected(play: Play, seat: int) -> dict[tuple[str, int, int], float]:
    """Return every value of the planes that is not zero, as plainly as can be said."""
    rules, r, found = play.rules, play.record, {}
    where, colours = places(play), int(rules.colours)
    for t, (q, s) in where.items():
        letters = sides_text(rules, t, int(r.rotation[t]))
        names = ["tile", *(f"{LETTERS[letter]}_{side}" for side, letter in zip(SIDES, letters, strict=True))]
        names += [VILLAGES[rules.village[t]]] if rules.village[t] >= 0 else []
        found |= {(name, q, s): 1.0 for name in names}
        for p in range(colours):
            if r.warbands[t, p]:
                found[f"warbands_{SEATS[(p - seat) % colours]}", q, s] = float(np.float32(r.warbands[t, p] / 12))
    for number in np.flatnonzero(r.citadel_owner >= 0):
        q, s = where[int(r.citadel_tile[number])]
        side, who = int(r.citadel_side[number]), "own" if r.citadel_owner[number] == seat else "other"
        found[f"{who}_citadel_{SIDES[side]}", q, s] = 1.0
        found[f"{who}_citadel_{SIDES[side + 3]}", q + STEPS[side][0], s + STEPS[side][1]] = 1.0
    fields = ("laid", "silver_tile", "move_source", "battle_tile", "target", "move_from", "move_via", "one",
              "forbidden_from", "forbidden_to")  # fmt: skip
    for name, field in zip(PLANES[-len(fields) :], fields, strict=True):
        if r[field]:
            found[(name, *where[int(r[field])])] = 1.0
    found |= {("each", *where[t]): 1.0 for t in members(r.remaining)}
    return found | {("each", *where[t]): -1.0 for t in members(r.served)}


@pytest.mark.rule("BLOOD-HEX-01", "BLOOD-HEX-02", "BLOOD-HEX-03")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_planes_show_the_map(options: dict[str, Any]) -> None:
    for play in some(3, 41, **options):
        for seat in range(options["num_players"]):
            shown = planes(look(play, seat))
            assert (shown.shape, shown.dtype) == ((len(PLANES), 64, 64), np.float32)
            values = {(PLANES[c], int(q), int(r)): float(shown[c, q, r]) for c, q, r in np.argwhere(shown)}
            assert values == pytest.approx(expected(play, seat), abs=1e-6)


@pytest.mark.rule("BLOOD-HEX-03", "BLOOD-ACTION-01", "BLOOD-ACTION-03")
@pytest.mark.parametrize("options", FULL_OPTIONS, ids=str)
def test_cells_of_actions_lead_to_rows_of_the_tile_list(options: dict[str, Any]) -> None:
    for play in some(3, 41, **options):
        observation = look(play, 0)
        rows, where, tiles = index_map(observation), cell_places(observation), tile_list(observation)
        side, at = int(play.rules.grid_size), places(play)
        assert sorted(where[: side * side].tolist()) == sorted(64 * q + r for q in range(side) for r in range(side))
        assert (where[side * side :] == -1).all()
        for cell in range(side * side):
            assert rows.reshape(-1)[where[cell]] == int(play.record.grid[cell]) - 1
        for t, (q, r) in at.items():
            assert rows[q, r] == t - 1
            assert (tiles[t - 1, TILE_COLUMNS.index("at_q")] * 64, tiles[t - 1, TILE_COLUMNS.index("at_r")] * 64) == (
                q,
                r,
            )
        for action in play.legal():
            if action >= CELL:
                q, r = divmod(int(where[action - CELL]), 64)
                assert rows[q, r] >= 0 or any((q + dq, r + dr) in at.values() for dq, dr in STEPS)


def test_batches_give_what_single_observations_give() -> None:
    seen = [look(play, seat) for play in some(3, 60, num_players=3) for seat in range(3)]
    batch = np.stack(seen)
    batch = batch[: len(batch) // 2 * 2].reshape(2, -1, OBSERVATION.size)
    longer = np.concatenate([batch, np.ones((*batch.shape[:2], 7), np.float32)], -1)  # as with `history`
    for make in (planes, tile_list, index_map, cell_places):
        singles = np.stack([make(observation) for observation in batch.reshape(-1, OBSERVATION.size)])
        for array in (batch, longer):
            assert np.array_equal(make(array).reshape(singles.shape), singles)
            assert make(array).shape[:2] == batch.shape[:2]


def test_what_is_no_observation_is_refused() -> None:
    with pytest.raises(TypeError, match="a NumPy array or a torch tensor, not list"):
        planes([0.0])
    with pytest.raises(ValueError, match="at least 3852 numbers along its last axis"):
        index_map(np.zeros(100, np.float32))
