"""The frames of a State JSON object (NORTH-PH-10): their fields, how they may lie on each other, where they go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from northmen_env.engine.jsonvalues import check_keys, entries, flag, integer, optional, shown, word
from northmen_env.games.northgard.codec import WITH_ROW
from northmen_env.games.northgard.plots import include
from northmen_env.games.northgard.state import CELLS, DECK, DUE, FRAMES, HAND_TILES, Frame
from northmen_env.games.northgard.tables import BUILDINGS, CARDS, CREATURES, FACES, RESOURCES, TILES, UNITS, Op

RULE = "NORTH-PH-10"

FIELDS: Mapping[Frame, tuple[str, ...]] = {
    Frame.SETUP: ("tile", "cell", "terr"),
    Frame.UPGRADE: ("card",),
    Frame.PASS: ("creature",),
    Frame.CREATURES: ("creature", "queue"),
    Frame.HARVEST: ("give", "take", "swaps", "swaps_over"),
    Frame.SECOND: ("tile", "cell", "terr", "placed"),
    Frame.CARD: ("card",),
    Frame.COPY: ("row", "who"),
    Frame.CHOOSE: ("row", "done"),
    Frame.RECRUIT: ("row", "left", "room", "placed", "kaija", "terr"),
    Frame.MOVE: ("row", "left", "src", "dst", "num", "terr", "due"),
    Frame.EXPLORE: ("row", "left", "drawn", "redrawn", "tile", "cell"),
    Frame.BUILD: ("row", "left", "large", "terr", "gather", "type", "old"),
    Frame.DRAW: ("row", "drawn", "drawn_known", "keep", "top", "last"),
    Frame.STRIKE: ("row", "terr", "struck"),
    Frame.HAND: ("row", "victim", "left", "card", "attacked"),
    Frame.BRIBE: ("row", "src", "dst"),
    Frame.FETCH: ("row",),
    Frame.FORESEE: ("row",),
    Frame.PAY: ("payer", "left", "last", "to"),
    Frame.COMBAT: (
        *("terr", "attacker", "defender", "creature", "row", "food_a", "food_d", "roll_a", "roll_d"),
        *("face_a", "face_d", "either", "loser", "to"),
    ),
}
"""The fields of each frame, without `frame`, in the order of the ledger."""

_OPS = (
    *(Frame.RECRUIT, Frame.MOVE, Frame.EXPLORE, Frame.BUILD, Frame.DRAW, Frame.STRIKE, Frame.HAND, Frame.BRIBE),
    *(Frame.FETCH, Frame.FORESEE),
)
_BASIC = _OPS[:4]

BENEATH: Mapping[Frame, tuple[Frame, ...]] = {
    **dict.fromkeys((Frame.SETUP, Frame.UPGRADE, Frame.PASS, Frame.CREATURES, Frame.HARVEST), (Frame.NONE,)),
    Frame.SECOND: (Frame.NONE,),
    Frame.CARD: (Frame.NONE,),
    Frame.COPY: (Frame.CARD,),
    Frame.CHOOSE: (Frame.CARD, Frame.COPY),
    **dict.fromkeys(_BASIC, (Frame.CARD, Frame.COPY, Frame.CHOOSE)),
    **dict.fromkeys(_OPS[4:], (Frame.CARD, Frame.COPY)),
    Frame.PAY: (Frame.RECRUIT, Frame.DRAW, Frame.HAND, Frame.HARVEST),
    Frame.COMBAT: (Frame.MOVE, Frame.BRIBE, Frame.EXPLORE, Frame.PASS, Frame.SECOND, Frame.CREATURES),
}
"""What a frame may lie on; NONE: it is the outermost one."""


class FrameReader:
    """Reads the list `frames` into the record, which holds everything else already."""

    def __init__(self, rules: Any, frames: Any, state: Any, territory: Callable[..., int]) -> None:
        self.rules, self.frames, self.state, self.territory = rules, frames, state, territory
        self.n = int(rules.num_players)
        self.where = ""

    def read(self) -> None:
        frames, state = self.frames, self.state
        if not isinstance(frames, (list, tuple)) or len(frames) > FRAMES:
            raise ValueError(f"`frames` must be a list of at most {FRAMES} objects, not {shown(frames)}")
        below = Frame.NONE
        for depth, frame in enumerate(frames):
            self.where = f"frames[{depth}]"
            if not isinstance(frame, Mapping) or "frame" not in frame:
                raise ValueError(f"`{self.where}` must be an object with the key `frame`, not {shown(frame)}")
            kind = Frame[word(frame["frame"], f"{self.where}.frame", tuple(kind.name for kind in FIELDS))]
            if below not in BENEATH[kind]:
                lies = "is the outermost frame" if below == Frame.NONE else f"lies on {below.name}"
                raise ValueError(f"`{self.where}` is a {kind.name} and {lies}, which never happens ({RULE})")
            check_keys(frame, ("frame", *FIELDS[kind]), f"`{self.where}`", RULE)
            state.frame_kind[depth] = kind
            state.frame_row[depth] = self.row(kind, below, frame, frames, depth) if kind in WITH_ROW else -1
            getattr(self, f"read_{kind.name.lower()}")(frame)
            below = kind
        state.depth = len(frames)

    # -- values --------------------------------------------------------------------------------------------------------

    def row(self, kind: Frame, below: Frame, frame: Mapping[str, Any], frames: Any, depth: int) -> int:
        """Return the card whose row runs: it has the operation of the frame, and is what the frame below runs."""
        where = f"{self.where}.row"
        row = optional(frame["row"], where, CARDS - 1)
        if kind == Frame.COMBAT:
            due = int(self.state.frame_row[depth - 1]) if below == Frame.MOVE else -1
        elif below == Frame.CARD:
            due = int(self.state.card)
        elif below == Frame.CHOOSE:
            due = _BASIC.index(kind)
        else:
            due = row
        if row != due:
            raise ValueError(
                f"`{where}` must be {'null' if due < 0 else due} on a {below.name}, not {shown(frame['row'])}"
            )
        if kind != Frame.COMBAT and (row < 0 or Op(int(self.rules.card_op[row])).name != kind.name):
            raise ValueError(f"`{where}` must be a card with the operation {kind.name}, not {shown(frame['row'])}")
        return row

    def at(self, frame: Mapping[str, Any], key: str) -> int:
        """Return a territory, -1 for null."""
        return self.territory(frame[key], f"{self.where}.{key}")

    def maybe(self, frame: Mapping[str, Any], key: str, high: int) -> int:
        return optional(frame[key], f"{self.where}.{key}", high)

    def number(self, frame: Mapping[str, Any], key: str, high: int) -> int:
        return integer(frame[key], f"{self.where}.{key}", 0, high)

    def truth(self, frame: Mapping[str, Any], key: str) -> bool:
        return flag(frame[key], f"{self.where}.{key}")

    def ascending(
        self, frame: Mapping[str, Any], key: str, longest: int, high: int, *, twice: bool = False
    ) -> list[int]:
        """Return a sorted list of integers in [0, high], with `twice` a multiset."""
        value, where = frame[key], f"{self.where}.{key}"
        if not isinstance(value, (list, tuple)) or len(value) > longest:
            raise ValueError(f"`{where}` must be a list of at most {longest} integers, not {shown(value)}")
        items = [integer(item, f"{where}[{i}]", 0, high) for i, item in enumerate(value)]
        if items != sorted(items) or (not twice and len(set(items)) < len(items)):
            raise ValueError(
                f"`{where}` must be sorted{'' if twice else ' and name nothing twice'}, not {shown(value)}"
            )
        return items

    # -- one method a frame --------------------------------------------------------------------------------------------

    def laying(self, frame: Mapping[str, Any]) -> None:
        self.state.tile = self.maybe(frame, "tile", TILES - 1)
        cell = self.maybe(frame, "cell", CELLS - 1)
        if cell >= 0 and not int(self.state.front[cell // 60]) >> cell % 60 & 1:
            raise ValueError(f"`{self.where}.cell` is {cell}, which names no empty cell beside the map (NORTH-EXPL-08)")
        self.state.cell = cell

    def read_setup(self, frame: Mapping[str, Any]) -> None:
        self.laying(frame)
        self.state.place = self.at(frame, "terr")

    def read_second(self, frame: Mapping[str, Any]) -> None:
        self.read_setup(frame)
        self.state.second_placed = self.truth(frame, "placed")

    def read_upgrade(self, frame: Mapping[str, Any]) -> None:
        self.state.card = self.maybe(frame, "card", CARDS - 1)

    read_card = read_upgrade

    def read_pass(self, frame: Mapping[str, Any]) -> None:
        self.state.creature = self.maybe(frame, "creature", CREATURES - 1)

    def read_creatures(self, frame: Mapping[str, Any]) -> None:
        self.read_pass(frame)
        state, where = self.state, f"{self.where}.queue"
        line = state.line[: int(state.line_size)].tolist()
        value = frame["queue"]
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"`{where}` must be a list, not {shown(value)}")
        queue = [integer(creature, f"{where}[{i}]", 0, CREATURES - 1) for i, creature in enumerate(value)]
        active = int(state.creature)
        due = line[line.index(active) + 1 :] if active in line else line[len(line) - len(queue) :]
        if queue != due:
            raise ValueError(f"`{where}` must be the creatures of the line {line} after {active}, not {queue}")
        state.awake = sum(1 << creature for creature in line if creature not in queue)

    def read_harvest(self, frame: Mapping[str, Any]) -> None:
        self.state.swap_give = self.maybe(frame, "give", RESOURCES - 1)
        self.state.swap_take = self.maybe(frame, "take", RESOURCES - 1)
        self.state.swaps = self.number(frame, "swaps", 6)
        self.state.swaps_over = self.truth(frame, "swaps_over")

    def read_copy(self, frame: Mapping[str, Any]) -> None:
        self.state.copy_who = self.maybe(frame, "who", self.n - 1)

    def read_choose(self, frame: Mapping[str, Any]) -> None:
        self.state.chosen = sum(1 << act for act in self.ascending(frame, "done", 4, 3))

    def read_recruit(self, frame: Mapping[str, Any]) -> None:
        state = self.state
        state.left = self.number(frame, "left", UNITS + 1)
        state.recruit_kaija = self.truth(frame, "kaija")
        state.place = self.at(frame, "terr")
        before = -1
        rooms = frame["room"]
        if not isinstance(rooms, (list, tuple)):
            raise ValueError(f"`{self.where}.room` must be a list, not {shown(rooms)}")
        for i, entry in enumerate(rooms):
            slot, room = entries(entry, f"{self.where}.room[{i}]", 2)
            t = self.territory(slot, f"{self.where}.room[{i}][0]", none=False)
            if t <= before:
                raise ValueError(f"`{self.where}.room` must be sorted by territory, each once, not {shown(rooms)}")
            if room is not None:
                integer(room, f"{self.where}.room[{i}][1]", 1, 99)
            state.room[t], before = -1 if room is None else room, t
        for i, slot in enumerate(self.ascending(frame, "placed", 103, 4 * TILES - 1)):
            include(state.recruited, self.territory(slot, f"{self.where}.placed[{i}]", none=False))

    def read_move(self, frame: Mapping[str, Any]) -> None:
        state = self.state
        state.left = self.number(frame, "left", 99)
        for key in ("src", "dst"):
            state[key] = self.at(frame, key)
        state.num = self.maybe(frame, "num", UNITS)
        state.place = self.at(frame, "terr")
        due = frame["due"]
        if not isinstance(due, (list, tuple)) or len(due) > DUE:
            raise ValueError(f"`{self.where}.due` must be a list of at most {DUE} pairs, not {shown(due)}")
        before = -1
        for i, entry in enumerate(due):
            slot, creature = entries(entry, f"{self.where}.due[{i}]", 2)
            t = self.territory(slot, f"{self.where}.due[{i}][0]", none=False)
            if t <= before:
                raise ValueError(f"`{self.where}.due` must be sorted by territory, each once, not {shown(due)}")
            state.due_place[i] = before = t
            state.due_creature[i] = optional(creature, f"{self.where}.due[{i}][1]", CREATURES - 1)
        state.due_size = len(due)

    def read_explore(self, frame: Mapping[str, Any]) -> None:
        self.laying(frame)
        self.state.left = self.number(frame, "left", 99)
        self.state.redrawn = self.truth(frame, "redrawn")
        drawn = self.ascending(frame, "drawn", HAND_TILES, TILES - 1)
        self.state.drawn_tile[: len(drawn)] = drawn

    def read_build(self, frame: Mapping[str, Any]) -> None:
        state = self.state
        state.left = self.number(frame, "left", 99)
        state.large_built = self.truth(frame, "large")
        state.place = self.at(frame, "terr")
        state.gathered = -1 if frame["gather"] is None else self.truth(frame, "gather")
        state.build_type = self.maybe(frame, "type", BUILDINGS - 1)
        state.build_old = self.maybe(frame, "old", BUILDINGS - 1)

    def read_draw(self, frame: Mapping[str, Any]) -> None:
        state = self.state
        drawn = self.ascending(frame, "drawn", DECK, CARDS - 1, twice=True)
        masks = entries(frame["drawn_known"], f"{self.where}.drawn_known", len(drawn))
        own = 1 << int(state.turn) if state.turn >= 0 else 0
        for i, mask in enumerate(masks):
            integer(mask, f"{self.where}.drawn_known[{i}]", 0, (1 << self.n) - 1)
        pairs = list(zip(drawn, masks, strict=True))
        if pairs != sorted(pairs) or any(mask & own == 0 for mask in masks):
            raise ValueError(f"`{self.where}.drawn_known` must hold the drawer in each mask, sorted with the cards")
        state.drawn_size = len(drawn)
        state.drawn[: len(drawn)] = drawn
        state.drawn_known[: len(drawn)] = masks
        for key in ("keep", "top"):
            state[key] = self.number(frame, key, len(drawn))
        state.last = self.maybe(frame, "last", CARDS - 1)

    def read_strike(self, frame: Mapping[str, Any]) -> None:
        self.state.place = self.at(frame, "terr")
        self.state.struck = self.truth(frame, "struck")

    def read_hand(self, frame: Mapping[str, Any]) -> None:
        self.state.victim = self.maybe(frame, "victim", self.n - 1)
        self.state.left = self.number(frame, "left", 9)
        self.state.named = self.maybe(frame, "card", CARDS - 1)
        self.state.attacked = self.truth(frame, "attacked")

    def read_bribe(self, frame: Mapping[str, Any]) -> None:
        self.state.src, self.state.dst = self.at(frame, "src"), self.at(frame, "dst")

    def read_fetch(self, frame: Mapping[str, Any]) -> None:
        """FETCH and FORESEE have no field but `row`."""

    read_foresee = read_fetch

    def read_pay(self, frame: Mapping[str, Any]) -> None:
        self.state.payer = self.maybe(frame, "payer", self.n - 1)
        self.state.owed = self.number(frame, "left", 3)
        self.state.paid_last = self.maybe(frame, "last", RESOURCES - 1)
        self.state.paid_to = self.maybe(frame, "to", self.n - 1)

    def read_combat(self, frame: Mapping[str, Any]) -> None:
        state = self.state
        state.fight_at = self.at(frame, "terr")
        for key in ("attacker", "defender", "loser"):
            state[key] = self.maybe(frame, key, self.n - 1)
        state.foe = self.maybe(frame, "creature", CREATURES - 1)
        for key in ("food_a", "food_d"):
            state[key] = self.maybe(frame, key, UNITS + 1)
        for key in ("roll_a", "roll_d"):
            state[key] = self.maybe(frame, key, FACES - 1)
        for key in ("face_a", "face_d", "either"):
            state[key] = self.maybe(frame, key, 1)
        state.retreat_to = self.at(frame, "to")
        sides = [state.attacker >= 0, state.defender >= 0, state.foe >= 0]
        if state.fight_at < 0 or sides.count(True) != 2 or state.attacker == state.defender:
            raise ValueError(f"`{self.where}` needs a territory and two of attacker, defender and creature")
