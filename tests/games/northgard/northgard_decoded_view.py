"""What a seat of Northgard knows, read out of nothing but its observation.

The result is in the form of the referee's `view` (`northgard_referee_information.py`), whose keys are those of State
JSON. Nothing of the package is used but the layout of the vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.layout import ObservationLayout

FRAMES = (
    "SETUP UPGRADE PASS CREATURES HARVEST SECOND CARD COPY CHOOSE RECRUIT MOVE EXPLORE BUILD DRAW STRIKE HAND BRIBE "
    "FETCH FORESEE PAY COMBAT"
).split()
OPERATIONS = FRAMES[9:19]
UNREST, FIRST_SINGLE, FIRST_ACHIEVEMENT, FIRST_CLAN = 85, 5, 57, 64
UNSEEN, HAND, DISCARD, PLAYED, IDLE = range(5)
POINTERS = ("place", "src", "dst", "combat", "retreat")
FLAGS = ("recruit_kaija", "second_placed", "swaps_over", "redrawn", "large_built", "struck", "named", "attacked")
CONTEXT_SEATS = ("copied", "victim", "payer", "payee", "attacker", "defender", "loser")
TILES = 35


def decoded_view(layout: ObservationLayout, observation: np.ndarray, viewer: int) -> dict[str, Any]:
    """Return the view of `viewer` as its observation tells it."""
    return _Decoder(layout, observation, viewer).view()


def comparable(view: dict[str, Any]) -> dict[str, Any]:
    """Return the referee's view less what no vector says: the hash of the data, how clans were to be dealt, and who
    else knows a place (NORTH-INFO-07 lists no such thing)."""
    options = {key: value for key, value in view["options"].items() if key not in ("data", "clan_selection")}
    if options["num_players"] == 5:
        options["five_tile_in_stack"] = False
    frames = [{key: value for key, value in frame.items() if key != "drawn_known"} for frame in view["frames"]]
    rest = {key: value for key, value in view.items() if key not in ("own_known", "pile_masks", "stack_masks")}
    return {**rest, "options": options, "frames": frames}


class _Decoder:
    def __init__(self, layout: ObservationLayout, observation: np.ndarray, viewer: int) -> None:
        self.b = layout.decode(observation)
        self.columns = {block.name: block.columns for block in layout.blocks}
        self.viewer = viewer
        self.n = int(self.b["present"].sum())
        assert self.n == self.hot("num_players") + 2

    # Blocks of one kind.

    def hot(self, name: str, *at: int) -> int | None:
        """The place of the one 1."""
        found = np.flatnonzero(self.b[name][at] if at else self.b[name])
        assert len(found) <= 1, name
        return int(found[0]) if len(found) else None

    def index(self, name: str, *at: int) -> int | None:
        value = int(self.b[name][at or 0])
        return value - 1 if value else None

    def seat(self, relative: int | None) -> int | None:
        return None if relative is None else (self.viewer + relative) % self.n

    def by_seat(self, name: str) -> list[Any]:
        """The rows of a block, seat 0 first."""
        return [self.b[name][(p - self.viewer) % self.n] for p in range(self.n)]

    def pointer(self, name: str) -> int | None:
        return self.index("pointers", POINTERS.index(name))

    def flag(self, name: str) -> bool:
        return bool(self.b["context_flags"][FLAGS.index(name)])

    def context_seat(self, name: str) -> int | None:
        return self.seat(self.hot("context_seats", CONTEXT_SEATS.index(name)))

    # The view.

    def view(self) -> dict[str, Any]:
        b = self.b
        player = self.seat(self.hot("acting"))
        decision = self.hot("decision")
        tiles = self.tiles()
        flags = [row.astype(bool).tolist() for row in self.by_seat("seat_flags")]
        return {
            "game": "northgard", "num_players": self.n, "options": self.options(), "viewer": self.viewer,
            "year": int(b["year"][0]), "phase": self.columns["phase"][self.hot("phase")],
            "decision": "NONE" if decision is None else self.columns["decision"][decision], "player": player,
            "turn": self.seat(self.hot("turn")), "marker": self.seat(self.hot("marker")),
            "main_used": bool(b["turn_flags"][0]), "resolved": bool(b["turn_flags"][1]),
            **{key: [row[i] for row in flags] for i, key in enumerate(("passed", "taken", "kaija_free", "conquer"))},
            "resources": [row.tolist() for row in self.by_seat("resources")],
            **{key: [int(x) for x in self.by_seat(name)] for key, name in (
                ("fame", "fame"), ("hand_sizes", "hand_size"), ("draw_sizes", "pile_size"),
                ("tile_hand_sizes", "tile_hand_size"))},
            "clan": [None if not row.any() else int(row.argmax()) for row in self.by_seat("clan")],
            **self.cards(),
            "unrest": int(b["unrest"][0]), "supply": b["supply"].tolist(), "tiles": tiles,
            "known_stack": [self.index("stack", i) for i in range(int(b["stack_size"][0]))],
            "tile_hand": self.held() if b["phase"][1] else [],
            "tile_set": [t for t in range(TILES) if t not in [tile[0] for tile in tiles] and not self.left_out(t)],
            **self.map(), **self.creatures(),
            "last_rolls": [self.index("rolled", i) for i in range(int(b["rolls"][0]))],
            "frames": [self.frame(FRAMES[i]) for i in np.flatnonzero(b["frames"])],
        }  # fmt: skip

    def options(self) -> dict[str, Any]:
        flags = dict(zip(self.columns["options"], self.b["options"].astype(bool).tolist(), strict=True))
        assert self.b["reward"].sum() == 1
        return {
            "num_players": self.n,
            "years": 10 if flags["ten_years"] else 7,
            **{key: flags[key] for key in ("teams", "creatures", "more_creatures", "five_tile_in_stack")},
            "map_size": int(self.b["map_size"][0]),
            "reward": self.columns["reward"][self.hot("reward")],
        }

    def left_out(self, tile: int) -> bool:
        return tile == 1 and not self.options()["five_tile_in_stack"]

    # Cards.

    def cards(self) -> dict[str, Any]:
        b = self.b
        single = b["card_middle"].astype(bool)
        dealt = {place: self.place(place) for place in range(5)}
        assert self.own_hand() == dealt[HAND][self.viewer]
        commons = [card for row, card in enumerate((0, 1, 2, 3, 4, UNREST)) for _ in range(b["common_removed"][row])]
        return {
            "public_decks": dealt[UNSEEN], "known_hand": dealt[HAND], "discard": dealt[DISCARD],
            "played": dealt[PLAYED], "idle": dealt[IDLE],
            "upgrades": [self.upgrades(p) for p in range(self.n)],
            "known_pile": [
                [self.index("pile", (p - self.viewer) % self.n, i) for i in range(int(size))]
                for p, size in enumerate(self.by_seat("pile_size"))
            ],
            "display": (np.flatnonzero(single[:, 0]) + FIRST_SINGLE).tolist(),
            "removed": sorted(commons + (np.flatnonzero(single[:, 1]) + FIRST_SINGLE).tolist()),
            "achievements": (np.flatnonzero(b["achievements"]) + FIRST_ACHIEVEMENT).tolist(),
            "dev_deck_size": int(b["deck_size"][0]),
        }  # fmt: skip

    def own_hand(self) -> list[int]:
        return [card for card, number in enumerate(self.b["hand"]) for _ in range(number)]

    def place(self, place: int) -> list[list[int]]:
        """The cards of each seat there."""
        found = []
        for p in range(self.n):
            k = (p - self.viewer) % self.n
            cards = (np.flatnonzero(self.b["card_seat"][:, place] == k + 1) + FIRST_SINGLE).tolist()
            for row, card in enumerate((0, 1, 2, 3, 4, UNREST)):
                cards += [card] * int(self.b["common"][k, row, place])
            found.append(sorted(cards))
        return found

    def upgrades(self, p: int) -> list[int]:
        k = (p - self.viewer) % self.n
        clan = self.hot("clan", k)
        return [FIRST_CLAN + 3 * (clan or 0) + 1 + i for i in np.flatnonzero(self.b["upgrades"][k]).tolist()]

    # Map.

    def tiles(self) -> list[list[int]]:
        size = int(self.b["map_size"][0])
        found = []
        for p in range(TILES):
            tile, turn = self.index("tile_id", p), self.index("tile_turn", p)
            if tile is not None and turn is not None:
                x, y = self.b["tile_at"][p].tolist()
                found.append([tile, x % size, y % size, turn])
        assert not self.b["tile_id"][len(found) :].any()
        return found

    def held(self, row: int | None = None) -> Any:
        """The own tiles to pick from, or that of one row."""
        if row is not None:
            return self.index("held_id", row)
        return [self.index("held_id", i) for i in range(3) if self.b["held_id"][i]]

    def map(self) -> dict[str, Any]:
        slots = self.b["terr_units"].reshape(4 * TILES, -1)
        units = [[slot, (self.viewer + int(k)) % self.n, int(slots[slot, k])] for slot, k in zip(*np.nonzero(slots))]
        buildings, spaceless = [], []
        for kind, row in enumerate(self.b["buildings"].tolist()):
            buildings += [[value - 1, kind] for value in row if value > 0]
            where = [-value - 1 for value in row if value < 0]
            spaceless += [[slot, kind, where.count(slot)] for slot in set(where)]
        return {
            "units": sorted(units), "buildings": sorted(buildings), "spaceless": sorted(spaceless),
            "kaija": self.index("kaija"), "token": self.index("token"),
        }  # fmt: skip

    def creatures(self) -> dict[str, Any]:
        line = self.line()
        pile = np.flatnonzero(self.b["creature_pile"]).tolist()
        return {
            "creatures": [[c, self.index("creature_at", c)] for c in line],
            "creature_pile_set": pile, "creature_pile_size": len(pile), "creature_top": int(self.b["creature_top"][0]),
            "creature_discard": np.flatnonzero(self.b["creature_discard"]).tolist(),
        }  # fmt: skip

    def line(self) -> list[int]:
        places = self.b["creature_line"].tolist()
        return sorted((c for c in range(9) if places[c]), key=lambda c: places[c])

    # Running operations.

    def frame(self, kind: str) -> dict[str, Any]:
        fields = {
            "SETUP": self.setup, "UPGRADE": self.upgrade, "PASS": lambda: {"creature": self.hot("creature_now")},
            "CREATURES": self.awaited, "HARVEST": self.harvest, "SECOND": self.second,
            "CARD": lambda: {"card": self.index("card")}, "COPY": lambda: {"who": self.context_seat("copied")},
            "CHOOSE": lambda: {"done": np.flatnonzero(self.b["chosen"]).tolist()}, "RECRUIT": self.recruit,
            "MOVE": self.move, "EXPLORE": self.explore, "BUILD": self.build, "DRAW": self.draw,
            "STRIKE": lambda: {"terr": self.pointer("place"), "struck": self.flag("struck")}, "HAND": self.hand,
            "BRIBE": lambda: {"src": self.pointer("src"), "dst": self.pointer("dst")}, "FETCH": dict, "FORESEE": dict,
            "PAY": self.pay, "COMBAT": self.combat,
        }  # fmt: skip
        rows = {"COPY": 0, "CHOOSE": 1, "COMBAT": 3, **dict.fromkeys(OPERATIONS, 2)}
        row = {"row": self.index("rows", rows[kind])} if kind in rows else {}
        return {"frame": kind, **row, **fields[kind]()}

    def mine(self) -> bool:
        return self.hot("turn") == 0

    def left(self, which: int = 0) -> int:
        return int(self.b["left"][which])

    def chosen_tile(self) -> Any:
        """The tile chosen: to others only that there is one."""
        assert (self.b["held_id"][3] > 0) == (self.mine() and self.b["loose"][1] > 0)
        return self.held(3) if self.mine() else bool(self.b["loose"][1])

    def setup(self) -> dict[str, Any]:
        return {"tile": self.chosen_tile(), "cell": self.index("cell"), "terr": self.pointer("place")}

    def second(self) -> dict[str, Any]:
        return {**self.setup(), "placed": self.flag("second_placed")}

    def upgrade(self) -> dict[str, Any]:
        return {"card": self.index("card") if self.mine() else True}

    def awaited(self) -> dict[str, Any]:
        queue = [c for c in self.line() if not self.b["creature_awake"][c]]
        return {"creature": self.hot("creature_now"), "queue": queue}

    def harvest(self) -> dict[str, Any]:
        over = self.flag("swaps_over")
        return {"give": self.hot("swap", 0), "take": self.hot("swap", 1), "swaps": int(self.b["swaps"][0]),
                "swaps_over": over}  # fmt: skip

    def recruit(self) -> dict[str, Any]:
        marks = self.b["terr_mark"].reshape(-1).tolist()
        return {
            "left": self.left(),
            "room": [[slot, None if mark < 0 else mark] for slot, mark in enumerate(marks) if mark],
            "placed": [slot - 1 for slot in self.b["recruited"].tolist() if slot],
            "kaija": self.flag("recruit_kaija"),
            "terr": self.pointer("place"),
        }

    def move(self) -> dict[str, Any]:
        marks = self.b["terr_mark"].reshape(-1).tolist()
        return {
            "left": self.left(),
            "src": self.pointer("src"), "dst": self.pointer("dst"), "num": self.index("num"),
            "terr": self.pointer("place"),
            "due": [[slot, None if mark == 1 else mark - 2] for slot, mark in enumerate(marks) if mark],
        }  # fmt: skip

    def explore(self) -> dict[str, Any]:
        number = int(self.b["loose"][0])
        drawn = self.held() if self.mine() else number
        assert not self.mine() or len(drawn) == number
        return {"left": self.left(), "drawn": drawn, "redrawn": self.flag("redrawn"), "tile": self.chosen_tile(),
                "cell": self.index("cell")}  # fmt: skip

    def build(self) -> dict[str, Any]:
        gather = self.hot("gathered")
        return {
            "left": self.left(), "large": self.flag("large_built"), "terr": self.pointer("place"),
            "gather": None if gather is None else bool(gather),
            "type": self.index("build", 0), "old": self.index("build", 1),
        }  # fmt: skip

    def draw(self) -> dict[str, Any]:
        number = int(self.b["drawn_size"][0])
        known = [card - 1 for card in self.b["drawn"].tolist() if card]
        assert not self.mine() or len(known) == number
        return {"drawn": known if self.mine() else number, "keep": self.left(1), "top": self.left(2),
                "last": self.index("last")}  # fmt: skip

    def hand(self) -> dict[str, Any]:
        victim, card = self.context_seat("victim"), self.index("named")
        knows = (self.mine() and self.b["row_numbers"][1] == 1) or victim == self.viewer
        assert knows or card is None
        return {"victim": victim, "left": self.left(), "card": card if knows else self.flag("named"),
                "attacked": self.flag("attacked")}  # fmt: skip

    def pay(self) -> dict[str, Any]:
        return {"payer": self.context_seat("payer"), "left": self.left(3), "last": self.hot("paid_last"),
                "to": self.context_seat("payee")}  # fmt: skip

    def combat(self) -> dict[str, Any]:
        b = self.b
        return {
            "terr": self.pointer("combat"), "to": self.pointer("retreat"), "creature": self.index("foe"),
            **{key: self.context_seat(key) for key in ("attacker", "defender", "loser")},
            "food_a": self.index("food", 0), "food_d": self.index("food", 1),
            "roll_a": self.index("roll", 0), "roll_d": self.index("roll", 1),
            "face_a": self.index("face", 0), "face_d": self.index("face", 1),
            "either": self.index("face", 2) if b["face"][2] else None,
        }  # fmt: skip
