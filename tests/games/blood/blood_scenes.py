"""Scenes for tests of the rules: a position of the engine in the ledger's notation, and its actions by name."""

from __future__ import annotations

from typing import Any

from blood_games import Play, load
from blood_positions import MAP_A, at, offset, position

from northmen_env.games.blood import board
from northmen_env.games.blood.actions import ACTIONS
from northmen_env.games.blood.invariants import check

N, NE, SE, S, SW, NW = range(6)
CORSAIRS, MARAUDERS, SAILS, PICAROON, WARRIORS, NORMAN, BANDITS, VIKINGS = range(8)
ROADS = "45@(0,0)/0 21@(0,1)/3 4@(1,1)/0"
PLAIN = {"citadels": False}


def scene(text: str = "", n: int = 2, warbands: Any = None, **given: Any) -> Play:
    """Return a position of the engine (see `blood_positions.position`); sets may be given in any order."""
    d = position(text, n, warbands, **given)
    for key in ("hands", "held", "prepared"):
        d[key] = [sorted(tiles) for tiles in d[key]]
    return load(d | {key: sorted(d[key]) for key in ("fresh", "discard")})


def size_of(play: Play) -> int:
    return int(play.rules.grid_size)


def name_of(play: Play, action: int) -> Any:
    """Return `"PASS"`, `"TILE 40"`, `"COUNT 2"` …, for a cell its offset from the first cell."""
    kind, i = ACTIONS.locate(action)
    if kind == "CELL":
        return offset(i, size_of(play))
    shift = {"TILE": 1, "COUNT": 1, "ROT": 0, "SIDE": 0, "PIECE": 0}
    return f"{kind} {i + shift[kind]}" if kind in shift else kind


def offered(play: Play) -> set[Any]:
    """Return the legal actions by name."""
    return {name_of(play, action) for action in play.legal()}


def words(play: Play) -> set[str]:
    """Return the legal actions that are no cells."""
    return {name for name in offered(play) if isinstance(name, str)}


def cells(play: Play) -> set[tuple[int, int]]:
    """Return the offsets of the legal cells."""
    return {name for name in offered(play) if not isinstance(name, str)}


def go(play: Play, *names: Any) -> dict[str, Any]:
    """Take actions by name, check every state on the way, and return the State JSON."""
    for name in names:
        (action,) = [a for a in play.legal() if name_of(play, a) == name]
        play.step(action)
        assert check(play.rules, play.record) == 0
    return play.to_dict()


def point(play: Play) -> str:
    return play.to_dict()["decision"]


def lay(play: Play, tile: int, where: tuple[int, int], rotation: int) -> dict[str, Any]:
    """Lay a hand tile, as far as there is a choice."""
    for decision, name in (("D01", f"TILE {tile}"), ("D03", where), ("D04", f"ROT {rotation}")):
        if point(play) == decision:
            go(play, name)
    entry = tile_at(play.to_dict(), where, size_of(play))
    assert (entry["tile"], entry["rotation"]) == (tile, rotation)
    return play.to_dict()


def tile_at(d: dict[str, Any], where: tuple[int, int], size: int = 32) -> dict[str, Any]:
    (entry,) = [entry for entry in d["map"] if entry["cell"] == at(*where, size)]
    return entry


def there(play: Play, where: tuple[int, int]) -> list[int]:
    """Return the warbands of all colours on a tile."""
    return tile_at(play.to_dict(), where, size_of(play))["warbands"]


def tile_id(play: Play, where: tuple[int, int]) -> int:
    return int(play.record.grid[at(*where, size_of(play))])


def tiles_to_offsets(play: Play, w0: int, w1: int) -> set[tuple[int, int]]:
    """Return the places of a set of tiles."""
    word = int(w0) | int(w1) << 61
    return {offset(int(play.record.cell[t]), size_of(play)) for t in range(1, 121) if word >> t & 1}


def placements(play: Play, tile: int, breaches: int) -> dict[tuple[int, int], list[int]]:
    """Return the legal placements of a tile, by cell."""
    rules, state = play.rules, play.record
    found = {}
    for i in range(int(state.front_size)):
        turns = [k for k in range(int(rules.period[tile])) if board.fits(rules, state, tile, k, i, breaches)]
        if turns and board.room_at(rules, state, i):
            found[offset(int(state.front_cell[i]), size_of(play))] = turns
    return found


def bandits(card: int, warbands: Any = None, text: str = MAP_A, **given: Any) -> Play:
    """Return the game after the bandit phase began with this card: the player refused a tile before."""
    pile = [119, card, *given.pop("pile", [])]  # the player takes tile 119
    given.setdefault("hands", [[36, 112]])
    play = scene(text, 1, warbands, decision="D02", placing={"tile": 118, "cell": None}, pile=pile, **given)
    go(play, "PASS")
    return play


def fight(numbers: list[int], hands: list[list[int]], pile: list[int], n: int = 2, **given: Any) -> Play:
    """Return the game after seat 0 began a battle on (0, 0) of MAP-A in its mountain phase, with one action."""
    warbands = {(0, 0): numbers, **given.pop("more", {})}
    where = given.pop("where", (0, 0))
    text, laid = given.pop("text", MAP_A), given.pop("laid", at(0, 1))
    a = given.pop("a", 1)
    play = scene(text, n, warbands, hands=hands, pile=pile, decision="D16", laid=laid, a=a, **given)
    go(play, where)
    return play


def end_phases(play: Play) -> dict[str, Any]:
    """Pass as long as the active seat may pass in its turn."""
    turn = play.to_dict()["active"]
    while not play.over() and play.to_dict()["active"] == turn and "PASS" in words(play) and point(play) != "D01":
        go(play, "PASS")
    return play.to_dict()
