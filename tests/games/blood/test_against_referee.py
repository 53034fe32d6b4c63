"""The engine equals the referee, an independent reading of the ledger, at every decision of whole games."""

from collections import Counter

import pytest
from blood_against_referee import compare_game, compare_position, random_bandits, random_tiles
from blood_play import ABILITIES, EFFECTS, POINTS, SAMPLERS, report
from blood_referee_tables import parse_bandits, parse_tiles

PLAYERS = (1, 2, 3, 4, 5)
CHANGES = {
    "default": {},
    "base": {"goods": False, "citadels": False, "abilities": False},
    "goods": {"citadels": False, "reward": "win"},
    "citadels": {"goods": False, "reward": "score"},
    "vikings": {"vikings_every_turn": True, "ability_pool": [7, 0, 5, 3, 1], "reward": "win"},
    "narrow": {"grid_size": 8, "reward": "score", "ability_pool": [2, 3, 4, 6, 7]},
    "wide": {"grid_size": 64, "abilities": False},
}


def tables(folder, seed):
    """Options that name two random tables, written into the folder."""
    files = {"tile_table": random_tiles(seed), "bandit_table": random_bandits(seed)}
    for name, text in files.items():
        (folder / f"{name}_{seed}.csv").write_text(text, encoding="utf-8")
    return {name: str(folder / f"{name}_{seed}.csv") for name in files}


def met_by(number, n):
    """Whether the short form plays this change with n players: each change is met with two numbers of them."""
    return (n - number) % len(PLAYERS) in (0, 2)


@pytest.mark.parametrize(
    ("n", "change"),
    [
        pytest.param(n, change, marks=[] if met_by(number, n) else [pytest.mark.long])
        for number, change in enumerate(CHANGES)
        for n in PLAYERS
    ],
)
@pytest.mark.rule("BLOOD-PHASE-02", "BLOOD-PHASE-04", "BLOOD-PHASE-08", "BLOOD-ACTION-01", "BLOOD-ACTION-02")
def test_engine_and_referee_play_the_same_games(n, change):
    name = list(SAMPLERS)[(n + list(CHANGES).index(change)) % 2]
    assert compare_game({"num_players": n, **CHANGES[change]}, 2**63 + 11, name, Counter()) > 10


@pytest.mark.parametrize("n", PLAYERS)
@pytest.mark.rule("BLOOD-FURS-03", "BLOOD-CIT-05", "BLOOD-FOREST-02", "BLOOD-RESOLVE-06", "BLOOD-SOLO-07")
def test_engine_and_referee_agree_from_positions_with_all_pieces_put_elsewhere(n):
    for seed in range(2):
        assert compare_position({"num_players": n}, 40 + seed, "eager", Counter()) > 0


@pytest.mark.parametrize("n", PLAYERS)
@pytest.mark.rule("BLOOD-OPT-01", "BLOOD-OPT-04", "BLOOD-EFFECT-01", "BLOOD-LAKE-05")
def test_engine_and_referee_agree_on_other_tables(n, tmp_path):
    assert compare_game({"num_players": n, **tables(tmp_path, 1)}, 6, "eager", Counter()) > 5


@pytest.mark.rule("BLOOD-OPT-04")
def test_random_tables_are_tables():
    for seed in range(5):
        parse_tiles(random_tiles(seed))
        parse_bandits(random_bandits(seed))


CIRCUMSTANCES = ("Bjarmia", "ban in force", "battle of three or more", "empty pile in battle")
ROUNDS = 32


@pytest.mark.long
@pytest.mark.rule("BLOOD-CORNER-11", "BLOOD-CORNER-12")
def test_two_thousand_games_equal_the_referee_and_everything_occurs(tmp_path, capsys):
    seen = Counter()
    for number in range(ROUNDS):
        for place, change in enumerate([*CHANGES, "tables"]):
            options = tables(tmp_path, number) if change == "tables" else CHANGES[change]
            for n in (1, 1, 1, 1, *PLAYERS[1:]):
                seed = 1_000_000 * (number + 1) + 1000 * place + sum(seen[f"games of {k}"] for k in PLAYERS)
                name = list(SAMPLERS)[(number + place + n) % 2]
                compare = compare_position if number % 3 == 2 else compare_game
                seen["decisions"] += compare({"num_players": n, **options}, seed, name, seen, knowledge=number % 4 == 0)
                seen[f"games of {n}"] += 1
    with capsys.disabled():
        print("\n" + report(seen))
    assert seen["games"] >= 2000
    expected = [f"point {point}" for point in POINTS] + [f"effect {name}" for name in EFFECTS if name != "PLAY"]
    expected += [f"ability {name}" for name in ABILITIES.values()] + [f"card {card:03d}" for card in range(1, 121)]
    assert [what for what in [*expected, *CIRCUMSTANCES] if seen[what] == 0] == []
