"""The referee's view, read back from an observation: block by block, seats and cells made absolute again.

The facts are those of `blood_referee_information.Information.view`, so that the two can be compared key by key.
Everything comes from the vector; the observer's own seat is the one thing that a relative vector cannot say. Of
`options` a vector has no table hashes and, of the ability pool, what is dealt with the modules in use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.layout import ObservationLayout

PILE_SIZE = {1: 60, 2: 60, 3: 90, 4: 120, 5: 120}
MOVES, RUNS = ("LAKE", "ROAD"), ("MOVES", "ROADONE", "ROADATTACK")
VILLAGE_POINTS = ("D08", "D09", "D10", "D11", "D12")
PHASES = ("D13", "D14", "D15", "D16")
REWARDS = ("rank", "win", "score")

Blocks = dict[str, np.ndarray]


def decoded_view(layout: ObservationLayout, observation: np.ndarray, player: int) -> dict[str, Any]:
    """Return what `player` knows, in the form of the referee's view.

    Raises:
        ValueError: a block holds something although nothing of its kind is to be known there.
    """
    return _View(layout, layout.decode(observation), player).all()


class _View:
    def __init__(self, layout: ObservationLayout, b: Blocks, player: int) -> None:
        self.layout, self.b, self.player = layout, b, player
        self.n = 1 + only(b["num_players"])
        self.colours = max(2, self.n)
        self.seats = [(p - player) % self.colours for p in range(self.n)]  # column of each absolute seat
        self.columns = [(p - player) % self.colours for p in range(self.colours)]
        self.size = int(b["grid_size"][0])
        self.decision = layout["decision"].columns[only(b["decision"])]
        places = layout["tile_place"].columns
        self.tiles = {place: tiles_with(b["tile_place"][:, i]) for i, place in enumerate(places)}
        self.cell_of = {t: self.cell(b["tile_at"][t - 1]) for t in self.tiles["map"]}
        self.tile_on = {cell: t for t, cell in self.cell_of.items()}

    def all(self) -> dict[str, Any]:
        self.look_at_tiles()
        return {**self.situation(), **self.own(), **self.map(), **self.turn(), **self.fight(), **self.bandits()}

    def per(self, name: str, columns: list[int]) -> list[int]:
        rest = [k for k in range(self.b[name].shape[0]) if k not in columns]
        require(not self.b[name][rest].any(), f"{name} says something of seats that are not there")
        return self.b[name][columns].tolist()

    def absolute(self, colour: int | None) -> int | None:
        return None if colour is None else (colour + self.player) % self.colours

    def cell(self, at: np.ndarray) -> int:
        q, r = ((int(at[i]) + int(self.b["frame"][i])) % self.size for i in range(2))
        return q * self.size + r

    # -- parts ---------------------------------------------------------------------------------------------------------

    def situation(self) -> dict[str, Any]:
        b = self.b
        require(b["present"].tolist() == [int(k < self.colours) for k in range(5)], "present seats")
        winners = sorted(int(self.absolute(k) or 0) for k in members(b["winners"]))
        return {
            "game": "blood",
            "viewer": self.player,
            "num_players": self.n,
            "options": self.options(),
            "decision": self.decision,
            "player": self.absolute(maybe(b["acting"])),
            "active": self.absolute(only(b["active"])),
            "winners": winners or None,
            "settlement": self.per("settlement", self.columns),
            "vp": self.per("vp", self.columns),
            "reserve": self.per("reserve", self.columns),
            "abilities": [maybe(b["ability"][k]) for k in self.seats],
            "pile_size": int(b["pile_size"][0]),
            "removed_size": 120 - PILE_SIZE[self.n],
            "hand_sizes": self.per("hand_size", self.seats),
            "prepared_sizes": self.per("prepared_size", self.columns),
            "fresh_size": int(b["fresh_size"][0]),
        }

    def options(self) -> dict[str, Any]:
        b, names = self.b, self.layout["options"].columns
        flags = {name: bool(value) for name, value in zip(names, b["options"], strict=True)}
        pool = {"ability_pool": members(b["ability_pool"]), "grid_size": self.size}
        return {**flags, **pool, "reward": REWARDS[only(b["reward"])]}

    def own(self) -> dict[str, Any]:
        held = [tiles_with(self.b["tile_held"][:, k]) for k in self.seats]
        require(not self.b["tile_held"][:, len(self.seats) :].any(), "tiles held by absent seats")
        return {
            "hand": self.tiles["hand"],
            "own_prepared": self.tiles["prepared"],
            "own_fresh": self.tiles["fresh"],
            "discard": self.tiles["discard"],
            "held": held,
        }

    def look_at_tiles(self) -> None:
        """Look that nothing is said of a tile that the seat does not see."""
        b = self.b
        on_map = {t - 1 for t in self.tiles["map"]}
        off = [i for i in range(120) if i not in on_map]
        for name in ("tile_at", "tile_rotation", "tile_warbands", "tile_each"):
            require(not b[name][off].any(), f"{name} says something of tiles that are not on the map")
        shown = on_map | {t - 1 for place in ("hand", "prepared", "fresh", "placing") for t in self.tiles[place]}
        shown |= set(np.flatnonzero(b["tile_revealed"])) | set(np.flatnonzero(b["tile_held"].any(1)))
        hidden = [i for i in range(120) if i not in shown]
        require(not b["tile_sides"][hidden].any() and not b["tile_village"][hidden].any(), "sides of unseen tiles")
        require(bool(b["tile_sides"][sorted(shown)].all()), "sides of seen tiles are missing")

    def map(self) -> dict[str, Any]:
        b = self.b
        tiles = [
            {
                "cell": cell,
                "tile": t,
                "rotation": int(b["tile_rotation"][t - 1]) - 1,
                "warbands": b["tile_warbands"][t - 1][self.columns].tolist(),
            }
            for cell, t in sorted(self.tile_on.items())
        ]
        require(not b["tile_warbands"][:, self.colours :].any(), "warbands of absent colours")
        return {"map": tiles, "citadels": [self.citadel(number) for number in range(12)]}

    def citadel(self, number: int) -> dict[str, Any] | None:
        b, owner = self.b, maybe(self.b["citadel_owner"][number])
        if owner is None:
            rest = ("citadel_at", "citadel_side", "citadel_permanent")
            require(not any(b[name][number].any() for name in rest), "a citadel without an owner")
            return None
        return {
            "cell": self.cell(b["citadel_at"][number]),
            "side": only(b["citadel_side"][number]),
            "owner": self.absolute(owner),
            "permanent": bool(b["citadel_permanent"][number]),
        }

    def pointer(self, name: str) -> int | None:
        """Return the cell of a tile that the context names."""
        i = self.layout["context_tile"].columns.index(name)
        tile, at = int(self.b["context_tile"][i]), self.b["context_at"][i]
        if tile == 0:
            require(not at.any(), f"{name} names a place and no tile")
            return None
        require(self.cell(at) == self.cell_of[tile], f"{name} names another place than its tile's")
        return self.cell_of[tile]

    def flag(self, name: str) -> bool:
        return bool(self.b["turn"][self.layout["turn"].columns.index(name)])

    def turn(self) -> dict[str, Any]:
        b, placing, cell = self.b, self.tiles["placing"], self.b["context_at"][-1]
        require(len(placing) <= 1, "several tiles are being placed")
        chosen = self.cell(cell) if cell.any() else None
        return {
            "laid": self.pointer("laid"),
            "placing": {"tile": placing[0], "cell": chosen} if placing else None,
            "citadel_side": maybe(b["citadel_due"]),
            "village_left": int(b["village_left"][0]),
            "furs_returned": self.flag("furs_returned"),
            "silver_cell": self.pointer("silver"),
            "a": int(b["actions_left"][0]),
            "b": int(self.flag("free")),
            "performed": self.flag("performed"),
            "drawn": int(b["drawn"][0]),
            "drew_earlier": self.flag("drew_earlier"),
            "move": self.move(),
        }

    def move(self) -> dict[str, Any] | None:
        kind, source = maybe(self.b["move_kind"]), self.pointer("source")
        phase = maybe(self.b["phase"])
        require(self.decision not in PHASES or phase == PHASES.index(self.decision), "phase and decision differ")
        require((kind is None) == (source is None), "half a move")
        if kind is None:
            return None
        require(phase == 1 + kind, "the move is not of its phase")
        return {"kind": MOVES[kind], "source": source, "count": int(self.b["move_count"][0]) or None}

    def fight(self) -> dict[str, Any]:
        b, where = self.b, self.pointer("battle")
        order = [k for row in b["battle_order"] if (k := maybe(row)) is not None]
        shown = {k: tiles_with(b["tile_revealed"] == 1 + k) for k in range(5)}
        size, rest = len(order), [k for k in range(5) if k not in order]
        require(not any(shown[k] for k in rest), "tiles revealed by somebody who does not take part")
        require(not b["battle_owed"][size:].any() and not b["battle_strength"][size:].any(), "nobody's numbers")
        if where is None:
            require(size == 0 and not b["battle_at"].any() and not b["battle_add"].any(), "half a battle")
            return {"battle": None}
        due = self.absolute(order[only(b["battle_at"])])
        acting = self.absolute(maybe(b["acting"]))
        require(due == (acting if self.decision[0] == "D" else 1), "another participant is due")
        battle = {
            "cell": where,
            "order": [self.absolute(k) for k in order],
            "owed": b["battle_owed"][:size].tolist(),
            "revealed": [shown[k] for k in order],
            "strength": b["battle_strength"][:size].tolist(),
            "add": int(b["battle_add"][0]),
        }
        return {"battle": battle}

    def bandits(self) -> dict[str, Any]:
        b, card = self.b, int(self.b["card"][0])
        if card == 0:
            names = [name for name in b if name.startswith(("effect_", "run_", "bandit_"))]
            require(not any(b[name].any() for name in names), "a bandit phase without a card")
            require(not b["tile_each"].any(), "EACH without a card")
            return {"bandit": None}
        banned = [self.pointer("banned_from"), self.pointer("banned_to")]
        bandit = {
            "card": card,
            "next": int(b["effect_next"][0]),
            "left": int(b["effect_left"][0]),
            "target": self.pointer("target"),
            "remaining": sorted(self.cell_of[t] for t in tiles_with(b["tile_each"] == 1)),
            "served": sorted(self.cell_of[t] for t in tiles_with(b["tile_each"] == -1)),
            "run": self.run(),
            "forbidden": None if banned == [None, None] else banned,
            "won": int(b["bandit_won"][0]),
            "last_won": bool(b["bandit_last_won"][0]),
            "bribed": int(b["bandit_bribed"][0]),
        }
        return {"bandit": bandit}

    def run(self) -> dict[str, Any] | None:
        b, kind, first = self.b, maybe(self.b["run_kind"]), maybe(self.b["run_first"])
        ends = {"from": self.pointer("from"), "via": self.pointer("via"), "one": self.pointer("one")}
        if kind is None:
            require(first is None and not b["run_left"].any() and not any(ends.values()), "half a run")
            return None
        moves = [MOVES[((first or 0) + i) % 2] for i, left in enumerate(b["run_left"].tolist()) for _ in range(left)]
        return {"kind": RUNS[kind], "moves": moves, **ends}


def require(condition: bool, what: str) -> None:
    """Raise ValueError where a condition does not hold."""
    if not condition:
        raise ValueError(f"the observation contradicts itself: {what}")


def tiles_with(row: np.ndarray) -> list[int]:
    """Return the ids of the tiles whose flag is set."""
    return [i + 1 for i in members(row)]


def members(row: np.ndarray) -> list[int]:
    """Return the places whose flag is set."""
    require(set(row.tolist()) <= {0, 1}, "a flag is neither 0 nor 1")
    return np.flatnonzero(row).tolist()


def maybe(row: np.ndarray) -> int | None:
    """Return the place that a one-hot row names, None for an empty row."""
    found = members(row)
    require(len(found) <= 1, "a one-hot row names several")
    return found[0] if found else None


def only(row: np.ndarray) -> int:
    """Return the place that a one-hot row names."""
    found = maybe(row)
    if found is None:
        raise ValueError("a one-hot row names nothing")
    return found
