"""What a picture of a game may show: the table as one viewer sees it, as plain Python values.

Texts and SVG are drawn from a `Scene` and never from the state, so that none of them can show what the viewer may not
know (NORTH-INFO-01 … -08).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from northmen_env.games.northgard import board, scoring
from northmen_env.games.northgard.codec import facts
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.plots import has
from northmen_env.games.northgard.state import Decision, Phase
from northmen_env.games.northgard.tables import (
    BUILDINGS,
    CARDS,
    CREATURES,
    REWARDS,
    SIDES,
    TILES,
    card_name,
    creature_name,
)

Context = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """A card as printed."""

    id: int
    name: str


@dataclass(frozen=True)
class Area:
    """An area of a placed tile; `sides` are its world sides, `space` a `Space`, `building` a type or None."""

    slot: int
    territory: int
    sides: tuple[int, ...]
    icons: tuple[int, ...]
    space: int
    building: int | None
    lair: bool


@dataclass(frozen=True)
class Place:
    """A tile of the map; `column` and `row` are its plain coordinates, the starting tile being at 0, 0."""

    index: int
    tile: int
    column: int
    row: int
    rotation: int
    areas: tuple[Area, ...]
    borders: tuple[tuple[int, int, int], ...]  # area, area, Border

    @property
    def around(self) -> tuple[int, ...]:
        """The area on each world side, N first."""
        return tuple(next(i for i, area in enumerate(self.areas) if side in area.sides) for side in range(SIDES))


@dataclass(frozen=True)
class Territory:
    """A territory, named by its canonical id."""

    id: int
    slots: tuple[int, ...]
    open: bool
    size: int
    units: tuple[int, ...]  # by seat
    kaija: bool
    yields: tuple[int, ...]  # food, wood, lore, buildings included
    free: tuple[int, ...]  # small, carved, large spaces
    buildings: tuple[int, ...]  # tokens by type
    spaceless: tuple[int, ...]  # of these, without a space
    lair: bool
    creatures: tuple[int, ...]
    token: bool
    regular: tuple[int, ...]  # adjacent territories
    rough: tuple[int, ...]


@dataclass(frozen=True)
class Seat:
    """A seat. What the viewer may not see is None."""

    seat: int
    clan: str | None
    resources: tuple[int, ...]
    fame: int
    passed: bool
    taken: bool
    kaija_free: bool
    conquer: bool
    units: int  # on the map
    territories: int
    hand_size: int
    hand: tuple[Card, ...] | None  # the viewer's own
    hand_known: tuple[Card, ...]  # of others: cards that the viewer knows to be there
    pile_size: int
    pile: tuple[Card, ...] | None  # the viewer's own, sorted: what is in it, not where
    pile_known: tuple[tuple[int, Card], ...]  # (place, card) that the viewer knows, place 1 is the top
    unseen: tuple[Card, ...]  # what is in hand, draw pile and a running DRAW together (NORTH-INFO-04)
    discard: tuple[Card, ...]
    played: tuple[Card, ...]
    idle: tuple[Card, ...]
    upgrades: tuple[Card, ...]
    tile_hand_size: int
    tile_hand: tuple[int, ...] | None
    total: int | None  # fame at the end
    rank: int | None

    @property
    def name(self) -> str:
        return f"seat {self.seat}"


@dataclass(frozen=True)
class Scene:
    """The table as `viewer` (a seat, or None for a spectator) sees it.

    Attributes that are named as keys of State JSON (NORTH-PH-10) have their meaning there. While REACT is asked, the
    others see no decision and no player (NORTH-INFO-08).
    """

    viewer: int | None
    num_players: int
    options: dict[str, str]
    years: int
    year: int
    phase: Phase
    decision: Decision | None
    player: int | None
    turn: int | None
    marker: int | None
    main_used: bool
    seats: tuple[Seat, ...]
    teams: bool
    display: tuple[Card, ...]
    achievements: tuple[Card, ...]
    deck_size: int
    removed: tuple[Card, ...]
    unrest: int
    supply: tuple[int, ...]
    places: tuple[Place, ...]
    territories: tuple[Territory, ...]
    frontier: tuple[tuple[int, int, int], ...]  # empty cells that touch the map: name, column, row
    stack_size: int
    stack_known: tuple[tuple[int, int], ...]  # (place, tile) that the viewer knows, place 1 is the top
    loose: tuple[int, ...]  # tiles that are not on the map
    kaija: int | None
    token: int | None
    creatures: tuple[tuple[int, int], ...]
    creature_pile: tuple[int, ...]  # as a set
    creature_top: int
    creature_discard: tuple[int, ...]
    last_rolls: tuple[int, ...]
    frames: tuple[Context, ...]  # what the viewer may not see is None in them
    card_names: tuple[str, ...]  # printed names by id
    creature_names: tuple[str, ...]
    creature_values: tuple[tuple[int, int], ...]  # by id: value, fame

    def territory(self, slot: int) -> Territory:
        """Return the territory with this canonical id."""
        return next(t for t in self.territories if t.id == slot)


def scene(rules: Any, state: Any, viewer: int | None) -> Scene:
    """Return the table as `viewer` sees it.

    Args:
        rules, state: the two records.
        viewer: a seat, or None for a spectator, who sees no hand at all.

    Raises:
        ValueError: `viewer` is not a seat of this game.
    """
    n = int(rules.num_players)
    if viewer is not None and not 0 <= viewer < n:
        raise ValueError(f"there is no seat {viewer} to show the table to; the seats are 0..{n - 1}, or None")
    d = facts(rules, state)
    decision: Decision | None = Decision[d["decision"]]
    player = d["player"]
    if decision is Decision.REACT and viewer != player:
        decision = player = None
    on_map = {entry[0] for entry in d["tiles"]}
    left_out = {1} if rules.num_tiles < TILES else set()
    places = _places(rules, state, d)
    return Scene(
        viewer=viewer,
        num_players=n,
        options=_options(rules),
        years=int(rules.years),
        year=d["year"],
        phase=Phase[d["phase"]],
        decision=decision,
        player=player,
        turn=d["turn"],
        marker=d["marker"],
        main_used=d["main_used"],
        seats=_seats(rules, state, d, viewer),
        teams=bool(rules.teams),
        display=_cards(rules, d["display"]),
        achievements=_cards(rules, d["achievements"]),
        deck_size=len(d["dev_deck"]),
        removed=_cards(rules, d["removed"]),
        unrest=d["unrest"],
        supply=tuple(d["supply"]),
        places=places,
        territories=_territories(rules, state, d, places),
        frontier=_frontier(state),
        stack_size=len(d["tile_stack"]),
        stack_known=_known(d["tile_stack"], d["tile_known"], viewer),
        loose=tuple(tile for tile in range(TILES) if tile not in on_map | left_out),
        kaija=d["kaija"],
        token=d["token"],
        creatures=tuple((creature, slot) for creature, slot in d["creatures"]),
        creature_pile=tuple(sorted(d["creature_pile"])),
        creature_top=d["creature_top"],
        creature_discard=tuple(d["creature_discard"]),
        last_rolls=tuple(d["last_rolls"]),
        frames=tuple(_visible(rules, d, frame, viewer) for frame in d["frames"]),
        card_names=tuple(card_name(rules, card) for card in range(CARDS)),
        creature_names=tuple(creature_name(rules, creature) for creature in range(CREATURES)),
        creature_values=tuple(zip(rules.creature_value.tolist(), rules.creature_fame.tolist(), strict=True)),
    )


def _options(rules: Any) -> dict[str, str]:
    """Return the options that change the rules, as the configuration spells them (section 8)."""
    clans = [int(clan) for clan in rules.clan_list if clan >= 0]
    selection = " ".join(map(str, clans)) if clans else "choose" if rules.clan_choice else "random"
    flags = {name: "true" if rules[name] else "false" for name in ("teams", "creatures", "more_creatures")}
    in_stack = "true" if rules.num_players == 5 or rules.five_tile_in_stack else "false"
    return {
        "clan_selection": selection,
        "years": str(int(rules.years)),
        **flags,
        "map_size": str(int(rules.map_size)),
        "five_tile_in_stack": in_stack,
        "reward": REWARDS[int(rules.reward)],
    }


# ---- Seats ----------------------------------------------------------------------------------------------------------


def _cards(rules: Any, cards: Any) -> tuple[Card, ...]:
    return tuple(Card(int(card), card_name(rules, int(card))) for card in cards)


def _known(items: list[int], masks: list[int], viewer: int | None) -> tuple[tuple[int, int], ...]:
    """Return (place from the top, item) for each item of a pile, top first, whose mask holds the viewer."""
    if viewer is None:
        return ()
    pairs = enumerate(zip(items, masks, strict=True), 1)
    return tuple((place, item) for place, (item, mask) in pairs if mask >> viewer & 1)


def _seats(rules: Any, state: Any, d: Context, viewer: int | None) -> tuple[Seat, ...]:
    over = d["decision"] == "END"
    ranks = scoring.ranks(rules, state) if over else []
    totals = np.zeros(int(rules.num_players))
    if over:
        scoring.scores(rules, state, totals)
    seats = [_seat(rules, state, d, viewer, p) for p in range(int(rules.num_players))]
    if not over:
        return tuple(Seat(**seat, total=None, rank=None) for seat in seats)
    return tuple(Seat(**seat, total=int(totals[p]), rank=int(ranks[p])) for p, seat in enumerate(seats))


def _seat(rules: Any, state: Any, d: Context, viewer: int | None, p: int) -> Context:
    own = viewer == p
    hand, pile, clan = d["hand"][p], d["draw_pile"][p], d["clan"][p]
    drawn = [card for frame in d["frames"] if frame["frame"] == "DRAW" and d["turn"] == p for card in frame["drawn"]]
    masks = zip(hand, d["hand_known"][p], strict=True)
    known = [card for card, mask in masks if viewer is not None and not own and mask >> viewer & 1]
    places = _known(pile, d["draw_known"][p], viewer)
    return {
        "seat": p,
        "clan": None if clan is None else Clan(clan).name.capitalize(),
        "resources": tuple(d["resources"][p]),
        **{key: d[key][p] for key in ("fame", "passed", "taken", "kaija_free", "conquer")},
        "units": int(state.on_map[p]),
        "territories": sum(int(word).bit_count() for word in state.owned[p]),
        "hand_size": len(hand),
        "hand": _cards(rules, hand) if own else None,
        "hand_known": _cards(rules, known),
        "pile_size": len(pile),
        "pile": _cards(rules, sorted(pile)) if own else None,
        "pile_known": tuple((place, _cards(rules, [card])[0]) for place, card in places),
        "unseen": _cards(rules, sorted((Counter(hand) + Counter(pile) + Counter(drawn)).elements())),
        **{key: _cards(rules, d[key][p]) for key in ("discard", "played", "idle", "upgrades")},
        "tile_hand_size": len(d["tile_hands"][p]),
        "tile_hand": tuple(d["tile_hands"][p]) if own else None,
    }


# ---- Map ------------------------------------------------------------------------------------------------------------


def _places(rules: Any, state: Any, d: Context) -> tuple[Place, ...]:
    built = dict(d["buildings"])
    places = []
    for index, (tile, _, _, turn) in enumerate(d["tiles"]):
        areas = []
        for a in range(int(rules.tile_areas[tile])):
            slot = SIDES * index + a
            root = int(state.root[int(state.plot_base[index]) + a])
            areas.append(
                Area(
                    slot=slot,
                    territory=int(state.slot[root]),
                    sides=tuple(side for side in range(SIDES) if int(rules.tile_world[tile, turn, side]) == a),
                    icons=tuple(rules.tile_icons[tile, a].tolist()),
                    space=int(rules.tile_space[tile, a]),
                    building=built.get(slot),
                    lair=int(rules.tile_lair[tile]) == a,
                )
            )
        pairs = [(a, b) for a in range(len(areas)) for b in range(a + 1, len(areas))]
        borders = tuple((a, b, int(rules.tile_border[tile, a, b])) for a, b in pairs if rules.tile_border[tile, a, b])
        column, row = int(state.tile_x[index]), int(state.tile_y[index])
        places.append(Place(index, tile, column, row, turn, tuple(areas), borders))
    return tuple(places)


def _territories(rules: Any, state: Any, d: Context, places: tuple[Place, ...]) -> tuple[Territory, ...]:
    slots: dict[int, list[int]] = {}
    for place in places:
        for area in place.areas:
            slots.setdefault(area.territory, []).append(area.slot)
    spaceless = {(slot, kind): number for slot, kind, number in d["spaceless"]}
    plots = {slot: int(board.plot_of(state, slot)) for slot in slots}
    names = {plot: slot for slot, plot in plots.items()}
    found = []
    for slot, members in sorted(slots.items()):
        t = plots[slot]
        near = [u for u in sorted(names) if has(state.near[t], u)]
        found.append(
            Territory(
                id=slot,
                slots=tuple(members),
                open=bool(has(state.open_land, t)),
                size=int(state.extent[t]),
                units=tuple(state.units[t, : int(rules.num_players)].tolist()),
                kaija=d["kaija"] == slot,
                yields=tuple(state.yields[t].tolist()),
                free=tuple(state.spaces[t].tolist()),
                buildings=tuple(state.buildings[t].tolist()),
                spaceless=tuple(spaceless.get((slot, kind), 0) for kind in range(BUILDINGS)),
                lair=bool(has(state.lairs, t)),
                creatures=tuple(creature for creature, at in d["creatures"] if at == slot),
                token=d["token"] == slot,
                regular=tuple(names[u] for u in near if has(state.smooth[t], u)),
                rough=tuple(names[u] for u in near if not has(state.smooth[t], u)),
            )
        )
    return tuple(found)


def _frontier(state: Any) -> tuple[tuple[int, int, int], ...]:
    words = range(len(state.front))
    used = [board.NAMES * w + i for w in words for i in range(board.NAMES) if int(state.front[w]) >> i & 1]
    return tuple((name, int(board.cell_x(state, name)), int(board.cell_y(state, name))) for name in used)


# ---- Running operations ---------------------------------------------------------------------------------------------

_SECRET = {
    "SETUP": ("tile",),
    "UPGRADE": ("card",),
    "SECOND": ("tile",),
    "EXPLORE": ("tile", "drawn"),
    "DRAW": ("drawn", "drawn_known", "last"),
}
"""Fields of frames that the turn player alone knows."""


def _visible(rules: Any, d: Context, frame: Context, viewer: int | None) -> Context:
    """Return a frame with None for what the viewer may not know."""
    kind: str = frame["frame"]
    secret: tuple[str, ...] = ()
    if viewer is None or viewer != d["turn"]:
        secret = _SECRET.get(kind, ())
    if kind == "HAND":
        seen = int(rules.card_b[frame["row"]]) == 1
        knows = viewer is not None and (viewer == frame["victim"] or (seen and viewer == d["turn"]))
        secret = () if knows else ("card",)
    return {key: None if key in secret else value for key, value in frame.items()}
