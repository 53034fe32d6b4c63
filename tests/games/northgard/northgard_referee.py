"""Slow, plain referee for Northgard: Uncharted Lands, written from the rules ledger alone.

It shares no code and no data file with the package. The game is one generator that yields at every decision, so the
running rule is the place in the code where it waits; `frames` is kept beside it, for the State JSON only. Comments name
the ledger rule that a line follows. The rules are spread over

* `northgard_referee_map` (tiles, territories, placements), `northgard_referee_setup`, `northgard_referee_turns`,
* `northgard_referee_year` (harvest, winter, second chance, scores), `northgard_referee_creatures`,
* `northgard_referee_cards` (the operations), `northgard_referee_explore` (explore and build),
  `northgard_referee_move` (moves), `northgard_referee_combat`, `northgard_referee_information`,
* `northgard_referee_tables` (what is printed on cards and tiles).

Chance comes from an oracle `chance` with three methods: `first(n)`, the first player; `die(seat)`, the face
rolled by a seat (None for a creature); and
`shuffle(what, seat, items)`, the items (sorted) in a new order, top first. `what` is "clans", "early", "advanced",
"achievements", "stack" (tiles before setup), "returned" (the stack after setup), "deck" (first draw pile of a seat),
"discard" (a seat's discard pile becomes its draw pile), "beasts" (the creatures of value 6 or less), "bottom" (the
lower part of the creature pile), "slain" (the creature discard pile).
"""

from __future__ import annotations

import copy
from collections.abc import Generator
from typing import Any

from northgard_referee_cards import CardRules
from northgard_referee_combat import CombatRules
from northgard_referee_creatures import CreatureRules
from northgard_referee_explore import ExploreRules
from northgard_referee_information import Information
from northgard_referee_map import MapRules
from northgard_referee_move import MoveRules
from northgard_referee_setup import SetupRules
from northgard_referee_turns import TurnRules
from northgard_referee_year import YearRules

DEFAULT_OPTIONS = {  # section 8
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

FRAMES: dict[str, dict[str, Any]] = {  # NORTH-PH-10
    "SETUP": {"tile": None, "cell": None, "terr": None},
    "UPGRADE": {"card": None},
    "PASS": {"creature": None},
    "CREATURES": {"creature": None, "queue": []},
    "HARVEST": {"give": None, "take": None, "swaps": 0, "swaps_over": False},
    "SECOND": {"tile": None, "cell": None, "terr": None, "placed": False},
    "CARD": {"card": None},
    "COPY": {"row": None, "who": None},
    "CHOOSE": {"row": None, "done": []},
    "RECRUIT": {"row": None, "left": 0, "room": [], "placed": [], "kaija": False, "terr": None},
    "MOVE": {"row": None, "left": 0, "src": None, "dst": None, "num": None, "terr": None, "due": []},
    "EXPLORE": {"row": None, "left": 0, "drawn": [], "redrawn": False, "tile": None, "cell": None},
    "BUILD": {"row": None, "left": 0, "large": False, "terr": None, "gather": None, "type": None, "old": None},
    "DRAW": {"row": None, "drawn": [], "drawn_known": [], "keep": 0, "top": 0, "last": None},
    "STRIKE": {"row": None, "terr": None, "struck": False},
    "HAND": {"row": None, "victim": None, "left": 0, "card": None, "attacked": False},
    "BRIBE": {"row": None, "src": None, "dst": None},
    "FETCH": {"row": None},
    "FORESEE": {"row": None},
    "PAY": {"payer": None, "left": 0, "last": None, "to": None},
    "COMBAT": {
        "terr": None, "attacker": None, "defender": None, "creature": None, "row": None, "food_a": None, "food_d": None,
        "roll_a": None, "roll_d": None, "face_a": None, "face_d": None, "either": None, "loser": None, "to": None,
    },
}  # fmt: skip

Steps = Generator[tuple[str, int, list[int]], int, Any]


class Referee(
    TurnRules,
    SetupRules,
    YearRules,
    CardRules,
    ExploreRules,
    MoveRules,
    CombatRules,
    CreatureRules,
    MapRules,
    Information,
):
    """One game; only real choices are asked (NORTH-PH-02)."""

    def __init__(self, options: dict, tables: dict, chance: Any):
        self._configure(options, tables, chance)
        n = self.n
        self.year, self.phase, self.turn, self.marker = 1, "CLAN", None, None
        self.main_used = self.resolved = False
        self.passed, self.taken, self.kaija_free, self.conquer = ([False] * n for _ in range(4))
        self.resources, self.fame = [[0, 0, 0] for _ in range(n)], [0] * n
        self.clan: list[int | None] = [None] * n
        self.upgrades, self.discard, self.played, self.idle = ([[] for _ in range(n)] for _ in range(4))
        self.hand, self.pile = ([[] for _ in range(n)] for _ in range(2))  # lists of [card, mask]; piles top first
        self.removed, self.display, self.achievements, self.dev_deck = [], [], [], []
        self.unrest, self.supply = 10, [7] * 8  # NORTH-COMP-02, NORTH-SETUP-01
        self.tiles, self.stack, self.tile_hands = [], [], [[] for _ in range(n)]  # the stack: [tile, mask]
        self.units, self.kaija, self.token = {}, None, None  # units by (territory, seat)
        self.buildings, self.spaceless = {}, {}  # by slot; by (territory, type)
        self.creatures, self.creature_pile, self.creature_top, self.creature_discard = [], [], 0, []
        self._start(self._game())

    def _configure(self, options: dict, tables: dict, chance: Any) -> None:
        if set(options) - set(DEFAULT_OPTIONS):
            raise ValueError(f"unknown options {sorted(set(options) - set(DEFAULT_OPTIONS))}")
        self.options = {**DEFAULT_OPTIONS, **options}
        self.n, self.S, self.years = (self.options[key] for key in ("num_players", "map_size", "years"))
        self.tables, self.chance = tables, chance
        if self.options["teams"] and self.n != 4:
            raise ValueError("teams are for four players")
        if self.options["more_creatures"] and not self.options["creatures"]:
            raise ValueError("more_creatures needs creatures")
        self.intruder: int | None = None
        self.frames: list[dict] = []
        self.last_rolls: list[int] = []

    def _start(self, steps: Steps) -> None:
        self._steps = steps
        self._go(None)

    def _go(self, answer: int | None) -> None:
        try:
            self.decision, self.player, self._legal = self._steps.send(answer)
        except StopIteration:
            self.phase, self.turn = "END", None
            self.decision, self.player, self._legal = "END", None, []

    def _game(self) -> Steps:
        yield from self.setup()
        yield from self.all_years()

    # ------------------------------------------------------------------------------------------ the public face

    def legal_actions(self) -> list[int]:
        return list(self._legal)

    def is_terminal(self) -> bool:
        return self.decision == "END"

    def apply(self, action: int) -> None:
        if action not in self._legal:
            raise ValueError(f"{action} is not legal at {self.decision}: {self._legal}")
        self.last_rolls = []
        self._go(action)

    # ------------------------------------------------------------------------------------------ asking

    def ask(self, decision: str, player: int, legal: Any) -> Steps:
        """Return the answer; a single legal action is taken without asking (NORTH-PH-02)."""
        actions = sorted(set(legal))
        assert actions, decision
        if len(actions) == 1:
            return actions[0]
        return (yield decision, player, actions)

    def push(self, name: str, **fields: Any) -> dict:
        frame = {"frame": name, **copy.deepcopy(FRAMES[name]), **fields}
        self.frames.append(frame)
        return frame

    def pop(self, name: str) -> None:
        assert self.frames[-1]["frame"] == name, (self.frames, name)
        self.frames.pop()

    # ------------------------------------------------------------------------------------------ State JSON

    def to_dict(self) -> dict:
        """NORTH-PH-10."""
        everyone = range(self.n)
        for p in everyone:
            self.hand[p].sort()
        return {
            "game": "northgard",
            "num_players": self.n,
            "options": copy.deepcopy(self.options),
            "year": self.year,
            "phase": self.phase,
            "decision": self.decision,
            "player": self.player,
            "turn": self.turn if self.phase in ("SETUP", "ACTIONS", "HARVEST", "SECOND") else None,
            "marker": self.marker,
            "main_used": self.main_used,
            "resolved": self.resolved,
            **{key: list(getattr(self, key)) for key in ("passed", "taken", "kaija_free", "conquer", "fame", "clan")},
            "resources": [list(r) for r in self.resources],
            "hand": [[card for card, _ in self.hand[p]] for p in everyone],
            "hand_known": [[mask for _, mask in self.hand[p]] for p in everyone],
            "draw_pile": [[card for card, _ in self.pile[p]] for p in everyone],
            "draw_known": [[mask for _, mask in self.pile[p]] for p in everyone],
            **{
                k: [sorted(x) for x in getattr(self, k)]
                for k in ("upgrades", "discard", "played", "idle", "tile_hands")
            },
            "removed": sorted(self.removed),
            "display": sorted(self.display),
            "achievements": sorted(self.achievements),
            "dev_deck": list(self.dev_deck),
            "unrest": self.unrest,
            "supply": list(self.supply),
            "tiles": [list(tile) for tile in self.tiles],
            "tile_stack": [tile for tile, _ in self.stack],
            "tile_known": [mask for _, mask in self.stack],
            "units": sorted([t, p, k] for (t, p), k in self.units.items()),
            "kaija": self.kaija,
            "token": self.token,
            "buildings": sorted([slot, kind] for slot, kind in self.buildings.items()),
            "spaceless": sorted([t, kind, k] for (t, kind), k in self.spaceless.items()),
            "creatures": [list(c) for c in self.creatures],
            "creature_pile": list(self.creature_pile),
            "creature_top": self.creature_top,
            "creature_discard": sorted(self.creature_discard),
            "last_rolls": list(self.last_rolls),
            "frames": copy.deepcopy(self.frames),
        }

    @classmethod
    def from_dict(cls, d: dict, tables: dict, chance: Any) -> Referee:
        """Go on from a State JSON with decision MENU."""
        if (d["phase"], d["decision"]) != ("ACTIONS", "MENU"):
            raise ValueError("the referee goes on at MENU only")
        self = cls.__new__(cls)
        d = copy.deepcopy(d)
        self._configure(d["options"], tables, chance)
        for key in (
            "year phase turn marker main_used resolved passed taken kaija_free conquer resources fame clan upgrades "
            "discard played idle removed display achievements dev_deck unrest supply tiles tile_hands kaija token "
            "creatures creature_pile creature_top creature_discard last_rolls"
        ).split():
            setattr(self, key, d[key])
        self.hand = [[list(x) for x in zip(*pair)] for pair in zip(d["hand"], d["hand_known"])]
        self.pile = [[list(x) for x in zip(*pair)] for pair in zip(d["draw_pile"], d["draw_known"])]
        self.stack = [list(x) for x in zip(d["tile_stack"], d["tile_known"])]
        self.units = {(t, p): k for t, p, k in d["units"]}
        self.buildings = dict(d["buildings"])
        self.spaceless = {(t, kind): k for t, kind, k in d["spaceless"]}
        rolls = self.last_rolls
        self._start(self.all_years(d["player"]))
        if self.frames == []:
            self.last_rolls = rolls
        return self
