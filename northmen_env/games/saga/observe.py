"""What a seat sees: the observation's blocks and the verb `observe` (SAGA-INFO).

Every fact is decided by its owner, never by the phase: a block either holds what is public, or what `player` alone
knows. Two prompts depend on hidden cards and are masked for all others (SAGA-INFO-08):

    ROUTE   decision NONE, no acting seat, no last route
    HOLD    the state as it was when the step began: the infamy paid so far is put back, nothing is held

Seats are relative: index 0 is the observer, then clockwise. Rows of absent seats are zero, as are features that an
option removes. The vector is cleared once and then written sparsely.
"""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import count, lowest
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import Block, ObservationLayout
from northmen_env.games.saga.amounts import CUBES as ALL_CUBES
from northmen_env.games.saga.amounts import HEROES as ALL_HEROES
from northmen_env.games.saga.phases.planning import open_cards
from northmen_env.games.saga.setup import all_cards
from northmen_env.games.saga.state import Decision
from northmen_env.games.saga.tables import CARDS, KINGDOMS, PLACES, REGIONS, ROUTES, SEATS, SLOTS

PILE_PLACES = 64
"""The block `pile` holds `PILE_PLACES - i` for the i-th card of a pile, so that every card there is far from 0."""

_UNIT, _CUBES, _HEROES, _TOKENS, _GROUP = 1.0, 1 / 30, 1 / 3, 1 / 45, 1 / 15
_HAND, _CARDS, _ROUTES, _SYMBOLS, _PLACE = 1 / 6, 1 / 56, 1 / 20, 1 / 24, 1 / PILE_PLACES

_SEAT_COLUMNS = ("own", "next", "second", "third")
_DECISIONS = tuple(decision.name for decision in Decision)
_OPTION_COLUMNS = (
    "final_planning", "draw_after_last_token", "hero_needs_cube", "heroes_collect", "free_march", "table_recall",
)  # fmt: skip


def _per_seat(name: str, kind: str, scale: float, about: str) -> Block:
    return Block(name, (SEATS,), kind, scale, _SEAT_COLUMNS, about)


OBSERVATION = ObservationLayout(
    [
        # The situation.
        Block("round", (3,), "onehot", _UNIT, ("1", "2", "3"), "round (public)"),
        Block("decision", (len(_DECISIONS),), "onehot", _UNIT, _DECISIONS, "pending decision (SAGA-INFO-08: NONE)"),
        _per_seat("acting", "onehot", _UNIT, "seat to act; none at the end and where a ROUTE of another is pending"),
        _per_seat("leader", "onehot", _UNIT, "leader (public)"),
        _per_seat("present", "flag", _UNIT, "seats in the game"),
        # Players.
        _per_seat("reserve", "count", _CUBES, "cubes in the reserve (public)"),
        _per_seat("infamy", "count", _CUBES, "infamy (public)"),
        _per_seat("hero_supply", "count", _HEROES, "heroes in the supply (public)"),
        _per_seat("time_used", "flag", _UNIT, "time token used (public)"),
        _per_seat("plunder", "count", _TOKENS, "plunder tokens collected (public)"),
        _per_seat("hand_size", "count", _HAND, "cards in hand (public)"),
        _per_seat("pile_size", "count", _CARDS, "cards played this round (public)"),
        _per_seat("routes_open_count", "count", _ROUTES, "uncompleted trade routes (public)"),
        _per_seat("held_count", "count", _HAND, "cards held in the seat's last planning turn (SAGA-INFO-05)"),
        _per_seat("hand_before_hold", "count", _HAND, "hand before that (SAGA-INFO-05)"),
        # Board.
        Block("group", (1,), "count", _GROUP, (), "plunder tokens left in this round's group (public)"),
        Block("draw_pile_size", (1,), "count", _CARDS, (), "cards in the draw pile (public)"),
        Block("route_deck_size", (1,), "count", _ROUTES, (), "routes in the trade deck (public)"),
        Block("tokens", (REGIONS,), "count", _TOKENS, (), "plunder tokens by region (public)"),
        Block("cubes", (PLACES, SEATS), "count", _CUBES, _SEAT_COLUMNS, "cubes in kingdoms 0-6, then regions (public)"),
        Block("heroes", (PLACES, SEATS), "count", _HEROES, _SEAT_COLUMNS, "heroes there (public)"),
        Block("controller", (KINGDOMS, SEATS), "onehot", _UNIT, _SEAT_COLUMNS, "controller of each kingdom (public)"),
        Block("delayed", (KINGDOMS,), "flag", _UNIT, (), "delayed kingdoms (public)"),
        # Cards.
        Block("own_hand", (CARDS,), "flag", _UNIT, (), "own hand (owner)"),
        Block("own_discards", (CARDS,), "flag", _UNIT, (), "own discards, until the round change (owner)"),
        Block("slots", (SLOTS, CARDS), "onehot", _UNIT, (), "face-up cards (public)"),
        Block(
            "pile", (SEATS, CARDS), "count", _PLACE, (),
            "64 - i for the i-th card, from 0, of a seat's pile; with recall = table of the own pile and of the top "
            "card of the others (SAGA-INFO-03)",
        ),
        Block(
            "revealed", (CARDS,), "flag", _UNIT, (),
            "recall = table: cards of the kingdoms that have moved, in their controllers' piles (SAGA-INFO-03)",
        ),
        Block("known_hand", (SEATS, CARDS), "flag", _UNIT, (), "cards certainly in each hand (SAGA-INFO-04)"),
        Block("known_hand_prev", (SEATS, CARDS), "flag", _UNIT, (), "the same before planning (SAGA-INFO-05)"),
        Block("maybe_held", (CARDS,), "flag", _UNIT, (), "cards an opponent can have held: not in NOTHELD (owner)"),
        # Trade routes.
        Block("own_routes", (ROUTES,), "flag", _UNIT, (), "own uncompleted routes (owner)"),
        Block("routes_done", (SEATS, ROUTES), "flag", _UNIT, (), "completed routes (public)"),
        Block("routes_drawn", (2, ROUTES), "onehot", _UNIT, (), "the two routes of KEEP, in draw order (acting seat)"),
        Block("route_pos", (ROUTES,), "index", _ROUTES, (), "known place in the trade deck (SAGA-INFO-07, owner)"),
        Block("route_holder", (ROUTES, SEATS), "onehot", _UNIT, _SEAT_COLUMNS, "known holder (SAGA-INFO-07, owner)"),
        # Context of the decision (SAGA-INFO-09).
        Block("card", (CARDS,), "onehot", _UNIT, (), "HIRE: the card just played (public)"),
        Block("kingdom", (KINGDOMS,), "onehot", _UNIT, (), "DELAY, CUBE, HERO: the kingdom (public)"),
        Block("march_pass", (2,), "onehot", _UNIT, ("M2", "M3"), "DELAY, CUBE, HERO: first or second pass (public)"),
        Block(
            "march", (4,), "count", _SYMBOLS, ("armies", "fleets", "land", "sea"),
            "CUBE, HERO: a, s, L, F of SAGA-MARCH-15 (public)",
        ),
        Block("pieces_left", (1,), "count", _CUBES, (), "CUBE: cubes left in the kingdom; HERO: heroes left (public)"),
        Block("last_region", (REGIONS,), "onehot", _UNIT, (), "CUBE, HERO: last (public)"),
        Block("route_last", (ROUTES,), "onehot", _UNIT, (), "ROUTE: last route completed in this visit (acting seat)"),
        Block("held", (CARDS,), "flag", _UNIT, (), "HOLD: cards held so far (acting seat)"),
        Block("hold_last", (1,), "index", _CARDS, (), "HOLD: last card held (acting seat)"),
        # Options that change play (SAGA-OPT-02).
        Block("num_players", (3,), "onehot", _UNIT, ("2", "3", "4"), "number of players"),
        Block("options", (len(_OPTION_COLUMNS),), "flag", _UNIT, _OPTION_COLUMNS, "options of the rules"),
        Block("reward", (3,), "onehot", _UNIT, ("rank", "win", "score"), "what the final rewards measure"),
    ]
)  # fmt: skip


def _start(name: str) -> int:
    return OBSERVATION[name].start


ROUND, DECISION, ACTING, LEADER, PRESENT = map(_start, ("round", "decision", "acting", "leader", "present"))
RESERVE, INFAMY, HERO_SUPPLY, TIME_USED = map(_start, ("reserve", "infamy", "hero_supply", "time_used"))
PLUNDER, HAND_SIZE, PILE_SIZE = map(_start, ("plunder", "hand_size", "pile_size"))
OPEN_COUNT, HELD_COUNT, HAND_BEFORE = map(_start, ("routes_open_count", "held_count", "hand_before_hold"))
GROUP, DRAW_PILE, ROUTE_DECK, TOKENS = map(_start, ("group", "draw_pile_size", "route_deck_size", "tokens"))
CUBES, HEROES, CONTROLLER, DELAYED = map(_start, ("cubes", "heroes", "controller", "delayed"))
HAND, DISCARDS, SLOT, PILE, REVEALED = map(_start, ("own_hand", "own_discards", "slots", "pile", "revealed"))
KNOWN, KNOWN_PREV, MAYBE_HELD = map(_start, ("known_hand", "known_hand_prev", "maybe_held"))
OWN_ROUTES, DONE, DRAWN = map(_start, ("own_routes", "routes_done", "routes_drawn"))
ROUTE_POS, ROUTE_HOLDER = map(_start, ("route_pos", "route_holder"))
CARD, KINGDOM, PASS, MARCH, LEFT, LAST = map(
    _start, ("card", "kingdom", "march_pass", "march", "pieces_left", "last_region")
)
ROUTE_LAST, HELD, HOLD_LAST = map(_start, ("route_last", "held", "hold_last"))
NUM_PLAYERS, OPTIONS, REWARD = map(_start, ("num_players", "options", "reward"))

_ONE = np.float32(1.0)
_PER_CUBE, _PER_HERO, _PER_TOKEN, _PER_GROUP = map(np.float32, (_CUBES, _HEROES, _TOKENS, _GROUP))
_PER_HAND, _PER_CARD, _PER_ROUTE, _PER_SYMBOL, _PER_PLACE = map(np.float32, (_HAND, _CARDS, _ROUTES, _SYMBOLS, _PLACE))


@kernel
def observe(rules, state, player, out):
    """Write what `player` knows into float32 `out` (OBSERVATION.size,): valid for every seat, at the end too."""
    out[:] = np.float32(0.0)
    n = int(rules.num_players)
    _write_situation(rules, state, player, out, n)
    _write_seats(state, player, out, n)
    _write_pieces(state, player, out, n)
    _write_board(rules, state, player, out, n)
    _write_own_cards(rules, state, player, out)
    _write_routes(state, player, out, n)
    if rules.table_recall == 0:
        _write_memory(rules, state, player, out, n)
    else:
        _write_table(rules, state, player, out, n)
    _write_context(state, player, out)
    _write_options(rules, out, n)


# Helpers --------------------------------------------------------------------------------------------------------------


@kernel
def put_set(out, base, members):
    """Write a 1 at `base + i` for each member i of a bit set."""
    while members != 0:
        out[base + lowest(members)] = _ONE
        members &= members - 1


@kernel
def put_sets(out, base, width, sets, player, n):
    """Write the bit sets of all seats, relative, `width` apart: one loop over their union, which is short.

    Four plain stores cost less than a loop for each seat, whose end the processor cannot foresee.
    """
    own, following = int(sets[player]), int(sets[absolute(player, 1, n)])
    second = int(sets[absolute(player, 2, n)]) if n > 2 else 0
    third = int(sets[absolute(player, 3, n)]) if n > 3 else 0
    rest = own | following | second | third
    while rest != 0:
        i = lowest(rest)
        rest &= rest - 1
        out[base + i] = np.float32((own >> i) & 1)
        out[base + width + i] = np.float32((following >> i) & 1)
        out[base + 2 * width + i] = np.float32((second >> i) & 1)
        out[base + 3 * width + i] = np.float32((third >> i) & 1)


@kernel
def relative(player, seat, n):
    """Return the place of `seat` counted clockwise from `player`."""
    return seat - player if seat >= player else seat - player + n


@kernel
def absolute(player, k, n):
    """Return the seat at place `k` < `n` counted clockwise from `player`."""
    return player + k if player + k < n else player + k - n


@kernel
def has_planned(rules, state, seat):
    """Return whether the planning turn of `seat` in this round is over (and the round not yet changed)."""
    decision = int(state.decision)
    if decision == Decision.END:
        return rules.final_planning != 0
    if decision < Decision.BUY:
        return False
    n, leader = int(rules.num_players), int(state.leader)
    return relative(leader, seat, n) < relative(leader, int(state.player), n)


@kernel
def discards_of(rules, state, seat):
    """Return what `seat` discarded in its planning turn of this round: NOTHELD less what lies elsewhere."""
    if not has_planned(rules, state, seat):
        return 0
    return state.not_held[seat] & ~(open_cards(rules, state) | state.hand[seat])


@kernel
def has_moved(state, kingdom):
    """Return whether a kingdom's own cards lie revealed: from its move on, until M7 (SAGA-INFO-03)."""
    if state.controller[kingdom] < 0:
        return False
    decision, asked = int(state.decision), int(state.kingdom)
    if asked < 0:  # ROUTE; before M1 and after M7 there are no controllers
        return True
    if kingdom == asked:
        return decision != Decision.DELAY
    if state.delayed[kingdom] != 0:
        return state.march_pass == 2 and kingdom < asked
    return state.march_pass == 2 or kingdom < asked


# Parts of the observation ---------------------------------------------------------------------------------------------


@kernel
def _write_situation(rules, state, player, out, n):
    decision, acting = int(state.decision), int(state.player)
    if decision == Decision.ROUTE and acting != player:  # SAGA-INFO-08
        decision, acting = 0, -1
    out[ROUND + int(state.round_number) - 1] = _ONE
    out[DECISION + decision] = _ONE
    if acting >= 0:
        out[ACTING + relative(player, acting, n)] = _ONE
    out[LEADER + relative(player, int(state.leader), n)] = _ONE
    out[GROUP] = np.float32(int(state.group)) * _PER_GROUP
    out[DRAW_PILE] = np.float32(int(state.draw_end) - int(state.draw_top)) * _PER_CARD
    out[ROUTE_DECK] = np.float32(int(state.route_count)) * _PER_ROUTE


@kernel
def _write_seats(state, player, out, n):
    """Write the public numbers of all seats."""
    for k in range(n):
        seat = absolute(player, k, n)
        out[PRESENT + k] = _ONE
        out[RESERVE + k] = np.float32(int(state.reserve[seat])) * _PER_CUBE
        out[INFAMY + k] = np.float32(int(state.infamy[seat])) * _PER_CUBE
        out[HERO_SUPPLY + k] = np.float32(int(state.hero_supply[seat])) * _PER_HERO
        out[TIME_USED + k] = np.float32(int(state.time_used[seat]))
        out[PLUNDER + k] = np.float32(int(state.plunder[seat])) * _PER_TOKEN
        out[HAND_SIZE + k] = np.float32(int(state.hand_size[seat])) * _PER_HAND
        out[PILE_SIZE + k] = np.float32(int(state.pile_size[seat])) * _PER_CARD
        out[OPEN_COUNT + k] = np.float32(count(state.routes_open[seat])) * _PER_ROUTE
        out[HELD_COUNT + k] = np.float32(int(state.held_count[seat])) * _PER_HAND
        out[HAND_BEFORE + k] = np.float32(int(state.hand_before_hold[seat])) * _PER_HAND
    if state.decision == Decision.HOLD and state.player != player:  # SAGA-INFO-08
        seat, paid = int(state.player), count(state.held)
        k = relative(player, seat, n)
        out[RESERVE + k] = np.float32(int(state.reserve[seat]) - paid) * _PER_CUBE
        out[INFAMY + k] = np.float32(int(state.infamy[seat]) + paid) * _PER_CUBE


@kernel
def _write_pieces(state, player, out, n):
    """Write all pieces. They are conserved (SAGA-DATA-02), so what is not in kingdoms or supplies is in regions."""
    in_regions, heroes = 0, 0
    for k in range(n):
        seat = absolute(player, k, n)
        in_regions += ALL_CUBES - int(state.reserve[seat]) - int(state.infamy[seat])
        heroes += ALL_HEROES - int(state.hero_supply[seat])
        for kingdom in range(KINGDOMS):
            cubes = int(state.cubes[kingdom, seat])
            out[CUBES + kingdom * SEATS + k] = np.float32(cubes) * _PER_CUBE
            in_regions -= cubes
    if in_regions != 0:
        for k in range(n):
            seat = absolute(player, k, n)
            for place in range(KINGDOMS, PLACES):
                out[CUBES + place * SEATS + k] = np.float32(int(state.cubes[place, seat])) * _PER_CUBE
    if heroes != 0:
        for k in range(n):
            seat = absolute(player, k, n)
            for place in range(PLACES):
                out[HEROES + place * SEATS + k] = np.float32(int(state.heroes[place, seat])) * _PER_HERO


@kernel
def _write_board(rules, state, player, out, n):
    for region in range(REGIONS):
        out[TOKENS + region] = np.float32(int(state.tokens[region])) * _PER_TOKEN
    for kingdom in range(KINGDOMS):
        controller = int(state.controller[kingdom])
        if controller >= 0:
            out[CONTROLLER + kingdom * SEATS + relative(player, controller, n)] = _ONE
            out[DELAYED + kingdom] = np.float32(int(state.delayed[kingdom]))
    for i in range(SLOTS):
        card = int(state.slot[i])
        if card >= 0:
            out[SLOT + i * CARDS + card] = _ONE


@kernel
def _write_own_cards(rules, state, player, out):
    put_set(out, HAND, int(state.hand[player]))
    if state.decision >= Decision.BUY:
        put_set(out, DISCARDS, discards_of(rules, state, player))


@kernel
def _write_routes(state, player, out, n):
    """Write what the seat alone knows of trade routes; what completed ones say is public."""
    put_set(out, OWN_ROUTES, int(state.routes_open[player]))
    put_sets(out, DONE, ROUTES, state.routes_done, player, n)
    if state.decision == Decision.KEEP and state.player == player:
        out[DRAWN + int(state.routes_drawn[0])] = _ONE
        out[DRAWN + ROUTES + int(state.routes_drawn[1])] = _ONE


@kernel
def _write_memory(rules, state, player, out, n):
    """Write what perfect recall adds: piles in order, known cards and known routes (SAGA-INFO-01)."""
    for k in range(n):
        _write_pile(state, absolute(player, k, n), k, 0, out)
    put_sets(out, KNOWN, CARDS, state.known_hand, player, n)
    put_sets(out, KNOWN_PREV, CARDS, state.known_hand_prev, player, n)
    put_set(out, MAYBE_HELD, all_cards(rules) & ~int(state.not_held[player]))
    unknown = -1
    for route in range(ROUTES):
        unknown &= int(state.route_pos[player, route]) & int(state.route_holder[player, route])
    if unknown != -1:
        _write_known_routes(rules, state, player, out, n)


@kernel
def _write_known_routes(rules, state, player, out, n):
    for route in range(int(rules.num_routes)):
        place, holder = int(state.route_pos[player, route]), int(state.route_holder[player, route])
        if place >= 0:
            out[ROUTE_POS + route] = np.float32(place + 1) * _PER_ROUTE
        if holder >= 0:
            out[ROUTE_HOLDER + route * SEATS + relative(player, holder, n)] = _ONE


@kernel
def _write_pile(state, seat, k, first, out):
    """Write the cards of a pile from the one at place `first` on."""
    base = PILE + k * CARDS
    value = np.float32(PILE_PLACES - first) * _PER_PLACE
    for i in range(first, int(state.pile_size[seat])):
        out[base + int(state.pile[seat, i])] = value
        value -= _PER_PLACE  # exact: a power of two


@kernel
def _write_table(rules, state, player, out, n):
    """Write what lies open with `recall = table`: the own pile, the others' top cards, revealed cards."""
    _write_pile(state, player, 0, 0, out)
    for k in range(1, n):
        seat = absolute(player, k, n)
        _write_pile(state, seat, k, max(int(state.pile_size[seat]) - 1, 0), out)
    put_set(out, REVEALED, revealed_cards(rules, state))


@kernel
def revealed_cards(rules, state):
    """Return the cards of the kingdoms that have moved in their controllers' piles (SAGA-MARCH-11)."""
    cards = 0
    for kingdom in range(int(rules.num_kingdoms)):
        if has_moved(state, kingdom):
            cards |= pile_cards(state, int(state.controller[kingdom])) & int(rules.suit_cards[kingdom])
    return cards


@kernel
def pile_cards(state, seat):
    """Return the set of the cards in a seat's pile."""
    cards = 0
    for i in range(int(state.pile_size[seat])):
        cards |= 1 << int(state.pile[seat, i])
    return cards


@kernel
def _write_context(state, player, out):
    decision = int(state.decision)
    if decision == Decision.HIRE:
        out[CARD + int(state.card)] = _ONE
    elif Decision.DELAY <= decision <= Decision.HERO:
        _write_march(state, out)
    elif state.player != player:
        return
    elif decision == Decision.ROUTE:
        if state.route_last >= 0:
            out[ROUTE_LAST + int(state.route_last)] = _ONE
    elif decision == Decision.HOLD:
        put_set(out, HELD, int(state.held))
        out[HOLD_LAST] = np.float32(int(state.hold_last) + 1) * _PER_CARD


@kernel
def _write_march(state, out):
    kingdom, seat = int(state.kingdom), int(state.player)
    out[KINGDOM + kingdom] = _ONE
    out[PASS + int(state.march_pass) - 1] = _ONE
    if state.decision == Decision.DELAY:
        return
    out[MARCH] = np.float32(int(state.armies)) * _PER_SYMBOL
    out[MARCH + 1] = np.float32(int(state.fleets)) * _PER_SYMBOL
    out[MARCH + 2] = np.float32(int(state.land)) * _PER_SYMBOL
    out[MARCH + 3] = np.float32(int(state.sea)) * _PER_SYMBOL
    left = int(state.cubes[kingdom, seat]) if state.decision == Decision.CUBE else int(state.heroes[kingdom, seat])
    out[LEFT] = np.float32(left) * _PER_CUBE
    out[LAST + int(state.last)] = _ONE


@kernel
def _write_options(rules, out, n):
    out[NUM_PLAYERS + n - 2] = _ONE
    out[OPTIONS] = np.float32(int(rules.final_planning))
    out[OPTIONS + 1] = np.float32(int(rules.draw_after_last_token))
    out[OPTIONS + 2] = np.float32(int(rules.hero_needs_cube))
    out[OPTIONS + 3] = np.float32(int(rules.heroes_collect))
    out[OPTIONS + 4] = np.float32(int(rules.free_march))
    out[OPTIONS + 5] = np.float32(int(rules.table_recall))
    out[REWARD + int(rules.reward)] = _ONE
