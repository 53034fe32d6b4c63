"""What a picture of a game may show: the state as one viewer sees it, as plain Python values.

Text and SVG are drawn from a `Board` and never from the state, so that neither can show what the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from northmen_env.games.saga.observe import has_moved
from northmen_env.games.saga.scoring import count_higher, score
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import KINGDOMS, SLOTS, kingdom_name, region_name

_PHASES = {
    Decision.PLAY: "rally",
    Decision.HIRE: "rally",
    Decision.DRAW: "rally",
    Decision.DELAY: "march",
    Decision.CUBE: "march",
    Decision.HERO: "march",
    Decision.ROUTE: "march",
    Decision.BUY: "planning",
    Decision.KEEP: "planning",
    Decision.HOLD: "planning",
    Decision.END: "end",
}


@dataclass(frozen=True)
class Card:
    """A printed influence card; `places` is SAGA-DATA-14 for this number of players."""

    id: int
    suit: int
    armies: int
    fleets: int
    region: int | None
    places: bool


@dataclass(frozen=True)
class Route:
    id: int
    kingdom: int
    region: int
    value: int


@dataclass(frozen=True)
class March:
    """Context of DELAY, CUBE and HERO (SAGA-INFO-09); the numbers are 0 in DELAY."""

    kingdom: int
    march_pass: int
    armies: int
    fleets: int
    land: int
    sea: int
    last: int


@dataclass(frozen=True)
class Player:
    """One seat. `hand` and `routes_open` are None when the viewer may not see them, as is a covered card of `pile`."""

    seat: int
    reserve: int
    infamy: int
    hero_supply: int
    time_used: bool
    plunder: int
    score: int
    rank: int | None
    hand_size: int
    hand: tuple[Card, ...] | None
    pile: tuple[Card | None, ...]
    routes_open_count: int
    routes_open: tuple[Route, ...] | None
    routes_done: tuple[Route, ...]
    known_hand: tuple[Card, ...] | None  # None under recall = table
    known_hand_prev: tuple[Card, ...] | None
    held_count: int
    hand_before_hold: int


@dataclass(frozen=True)
class Board:
    """The table as `viewer` (a seat, or None for a spectator) sees it.

    Rows of `cubes` and `heroes` are kingdoms, then regions.
    """

    viewer: int | None
    num_players: int
    options: dict[str, str]
    kingdoms: tuple[str, ...]
    regions: tuple[str, ...]
    coastal: tuple[bool, ...]
    roads: tuple[tuple[int, int], ...]  # adjacent (kingdom, region)
    military: tuple[int, ...]  # chart numbers (SAGA-DATA-05)
    round_number: int
    phase: str
    leader: int
    decision: Decision
    player: int | None
    cubes: tuple[tuple[int, ...], ...]
    heroes: tuple[tuple[int, ...], ...]
    tokens: tuple[int, ...]
    group: int
    controller: tuple[int | None, ...]
    delayed: tuple[bool, ...]
    moved: tuple[bool, ...]
    slots: tuple[Card | None, ...]
    draw_size: int
    route_deck_size: int
    card: Card | None
    march: March | None
    players: tuple[Player, ...]
    routes_drawn: tuple[Route, ...]  # the viewer's own pair in KEEP
    held: tuple[Card, ...]  # the viewer's own held cards in HOLD
    hold_last: int  # -1 unless the viewer is in HOLD
    route_last: int  # -1 unless the viewer is in ROUTE


def board(rules: Any, state: Any, viewer: int | None) -> Board:
    """Return the table as `viewer` sees it.

    Args:
        rules, state: the two records.
        viewer: a seat, or None for a spectator, who sees no hand at all.

    Raises:
        ValueError: `viewer` is not a seat of this game.
    """
    n = int(rules.num_players)
    if viewer is not None and not 0 <= viewer < n:
        raise ValueError(f"there is no seat {viewer} to show the board to; the seats are 0..{n - 1}, or None")
    true_decision = Decision(int(state.decision))
    acting = int(state.player)
    own_turn = viewer is not None and viewer == acting
    hidden_route = true_decision is Decision.ROUTE and not own_turn  # SAGA-INFO-08
    num_kingdoms, num_regions = int(rules.num_kingdoms), int(rules.num_regions)
    places = [*range(num_kingdoms), *range(KINGDOMS, KINGDOMS + num_regions)]
    kingdom = int(state.kingdom)
    march = None
    if kingdom >= 0:
        fields = (state.march_pass, state.armies, state.fleets, state.land, state.sea, state.last)
        march = March(kingdom, *(int(x) for x in fields))
    drawn = [int(t) for t in state.routes_drawn if t >= 0] if own_turn else []
    return Board(
        viewer=viewer,
        num_players=n,
        options=_options(rules),
        kingdoms=tuple(kingdom_name(rules, k) for k in range(num_kingdoms)),
        regions=tuple(region_name(rules, r) for r in range(num_regions)),
        coastal=tuple(bool(x) for x in rules.coastal[:num_regions]),
        roads=tuple((k, r) for k in range(num_kingdoms) for r in range(num_regions) if rules.adjacent[k, r]),
        military=tuple(int(rules.chart_armies[k]) + int(rules.chart_fleets[k]) for k in range(num_kingdoms)),
        round_number=int(state.round_number),
        phase=_PHASES[true_decision],
        leader=int(state.leader),
        decision=Decision.NONE if hidden_route else true_decision,
        player=None if hidden_route or acting < 0 else acting,
        cubes=tuple(tuple(int(x) for x in state.cubes[place, :n]) for place in places),
        heroes=tuple(tuple(int(x) for x in state.heroes[place, :n]) for place in places),
        tokens=tuple(int(x) for x in state.tokens[:num_regions]),
        group=int(state.group),
        controller=tuple(int(x) if x >= 0 else None for x in state.controller[:num_kingdoms]),
        delayed=tuple(bool(x) for x in state.delayed[:num_kingdoms]),
        moved=tuple(bool(has_moved(state, k)) for k in range(num_kingdoms)),
        slots=tuple(_card(rules, state.slot[i]) for i in range(SLOTS)),
        draw_size=int(state.draw_end) - int(state.draw_top),
        route_deck_size=int(state.route_count),
        card=_card(rules, state.card),
        march=march,
        players=tuple(_player(rules, state, viewer, seat) for seat in range(n)),
        routes_drawn=tuple(_route(rules, t) for t in drawn),
        held=_cards(rules, state.held) if own_turn else (),
        hold_last=int(state.hold_last) if own_turn else -1,
        route_last=int(state.route_last) if own_turn else -1,
    )


def _player(rules: Any, state: Any, viewer: int | None, seat: int) -> Player:
    own = viewer == seat
    recall = int(rules.table_recall) == 0
    paid = 0
    if int(state.decision) == Decision.HOLD and int(state.player) == seat and not own:
        paid = int(state.held).bit_count()  # the step is shown as it began (SAGA-INFO-08)
    return Player(
        seat=seat,
        reserve=int(state.reserve[seat]) - paid,
        infamy=int(state.infamy[seat]) + paid,
        hero_supply=int(state.hero_supply[seat]),
        time_used=bool(state.time_used[seat]),
        plunder=int(state.plunder[seat]),
        score=int(score(rules, state, seat)),
        rank=1 + int(count_higher(rules, state, seat)) if int(state.decision) == Decision.END else None,
        hand_size=int(state.hand_size[seat]),
        hand=_cards(rules, state.hand[seat]) if own else None,
        pile=_pile(rules, state, seat, own or recall),
        routes_open_count=int(state.routes_open[seat]).bit_count(),
        routes_open=_routes(rules, state.routes_open[seat]) if own else None,
        routes_done=_routes(rules, state.routes_done[seat]),
        known_hand=_cards(rules, state.known_hand[seat]) if recall else None,
        known_hand_prev=_cards(rules, state.known_hand_prev[seat]) if recall else None,
        held_count=int(state.held_count[seat]),
        hand_before_hold=int(state.hand_before_hold[seat]),
    )


def _pile(rules: Any, state: Any, seat: int, whole: bool) -> tuple[Card | None, ...]:
    """Return the seat's pile, oldest first.

    Where the viewer may not look at it (SAGA-INFO-03): None for each covered card, then what has been revealed by its
    number, because the place it was taken from is not known, then the top card.
    """
    cards = [int(card) for card in state.pile[seat, : int(state.pile_size[seat])]]
    if whole:
        return tuple(_card(rules, card) for card in cards)
    moved = [suit for suit in range(int(rules.num_kingdoms)) if has_moved(state, suit)]
    own = {suit for suit in moved if int(state.controller[suit]) == seat}
    revealed = sorted(card for card in cards[:-1] if int(rules.card_suit[card]) in own)
    covered = [None] * (len(cards[:-1]) - len(revealed))
    return (*covered, *(_card(rules, card) for card in (*revealed, *cards[-1:])))


def _options(rules: Any) -> dict[str, str]:
    """Return the options that change the rules, as the configuration spells them (SAGA-OPT-02)."""
    first = int(rules.first_leader)
    return {
        "first_leader": "random" if first < 0 else str(first),
        "final_planning": _truth(rules.final_planning),
        "draw_after_last_token": _truth(rules.draw_after_last_token),
        "hero_needs_cube": _truth(rules.hero_needs_cube),
        "heroes_collect": _truth(rules.heroes_collect),
        "march_order": "free" if rules.free_march else "sorted",
        "recall": "table" if rules.table_recall else "full",
    }


def _truth(value: Any) -> str:
    return "true" if value else "false"


def _members(word: Any) -> Iterator[int]:
    rest = int(word)
    while rest:
        yield (rest & -rest).bit_length() - 1
        rest &= rest - 1


def _card(rules: Any, card: Any) -> Card | None:
    c = int(card)
    if c < 0:
        return None
    region = int(rules.card_region[c])
    return Card(
        id=c,
        suit=int(rules.card_suit[c]),
        armies=int(rules.card_armies[c]),
        fleets=int(rules.card_fleets[c]),
        region=region if region >= 0 else None,
        places=bool(rules.card_places[c]),
    )


def _cards(rules: Any, word: Any) -> tuple[Card, ...]:
    return tuple(card for c in _members(word) if (card := _card(rules, c)) is not None)


def _route(rules: Any, route: int) -> Route:
    t = int(route)
    return Route(t, int(rules.route_kingdom[t]), int(rules.route_region[t]), int(rules.route_value[t]))


def _routes(rules: Any, word: Any) -> tuple[Route, ...]:
    return tuple(_route(rules, t) for t in _members(word))


def status(b: Board) -> str:
    """Return who decides what, or how the game ended."""
    if b.decision is Decision.END:
        return f"the game is over, {_winners(b)}"
    if b.player is None:
        return "nobody is asked for a decision"
    where = b.kingdoms[b.march.kingdom] if b.march is not None else ""
    words = {
        Decision.PLAY: "plays a card",
        Decision.HIRE: "may hire a hero",
        Decision.DRAW: "draws a card",
        Decision.DELAY: f"may delay the {where}",
        Decision.CUBE: f"moves a cube of the {where}",
        Decision.HERO: f"moves a hero of the {where}",
        Decision.ROUTE: "may complete a trade route",
        Decision.BUY: "may buy a trade route",
        Decision.KEEP: "keeps one of two trade routes",
        Decision.HOLD: "may hold cards for the next round",
    }
    return f"seat {b.player} {words[b.decision]}"


def march_line(b: Board) -> str:
    """Return the march of the moving kingdom in numbers, empty while no kingdom moves."""
    if b.march is None or b.decision is Decision.DELAY:
        return ""
    m = b.march
    line = f"inland {m.land} of {m.armies} armies, overseas {m.sea} of {m.fleets} fleets"
    return line if m.last == 0 else f"{line}, on from {b.regions[m.last]}"


def _winners(b: Board) -> str:
    seats = [p.seat for p in b.players if p.rank == 1]
    points = b.players[seats[0]].score
    if len(seats) == 1:
        return f"seat {seats[0]} wins with {points} points"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} share the win with {points} points"


@cache
def short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return for each name its shortest head of 3 to 5 letters that no other name shares, else 3 letters and its id."""
    short = []
    for number, name in enumerate(names):
        others = [other for other in names if other != name]
        heads = [name[:size].strip() for size in (3, 4, 5)]
        unique = [head for head in heads if not any(other.startswith(head) for other in others)]
        short.append(unique[0] if unique else f"{name[:3].strip()}{number}")
    return tuple(short)
