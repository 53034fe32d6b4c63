"""`observation_text`: what a seat knows in words, for a person or a language model.

The text is written from the seat's `Scene`, which holds nothing the seat may not know, and from the legal actions of
its own decision.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from northmen_env.games.northgard.actions import ACTIONS, action_text
from northmen_env.games.northgard.card_words import KINDS, card_words
from northmen_env.games.northgard.rules import legal_ids
from northmen_env.games.northgard.scene import Card, Scene, Seat, Territory, scene
from northmen_env.games.northgard.state import LEGAL, Decision, Phase
from northmen_env.games.northgard.tables import BUILDINGS, Border, Space, building_name
from northmen_env.games.northgard.words import TASKS, frame_lines, names, status

_SIDES = "NESW"
_SPACES = {Space.SMALL: "small space", Space.CARVED: "carved-stone space", Space.LARGE: "large space"}
_REWARDS = {"rank": "by the rank", "win": "for the first place alone", "fame": "the lead in fame over the others"}
_LAYING = (Decision.SETUP_TILE, Decision.SETUP_CELL, Decision.SETUP_ROT, Decision.EX_REDRAW, Decision.EX_PICK,
           Decision.EX_CELL, Decision.EX_ROT, Decision.SC_CELL, Decision.SC_ROT)  # fmt: skip


def observation_text(rules: Any, state: Any, player: int) -> str:
    """Return all that `player` knows, in sections; at its own decision with the legal actions by name."""
    s = scene(rules, state, player)
    sections = [
        _situation(s),
        _choices(rules, state, s),
        _players(s),
        _map(s),
        _tiles(rules, s),
        *(_cards_of(s, seat) for seat in s.seats),
        _middle(s),
        _texts(rules, s),
        _rules(s),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _who(s: Scene, seat: int | None) -> str:
    return "you" if seat == s.viewer else f"seat {seat}"


def _situation(s: Scene) -> list[str]:
    lines = [f"Northgard: Uncharted Lands, {s.num_players} players. You are seat {s.viewer}."]
    if s.teams and s.viewer is not None:
        lines.append(f"You and seat {(s.viewer + 2) % 4} are a team.")
    if s.decision is Decision.END:
        words = status(s)
        return [*lines, f"{words[0].upper()}{words[1:]}."]
    turn = "" if s.turn is None else ", your turn" if s.turn == s.viewer else f", turn of seat {s.turn}"
    lines.append(f"Year {s.year} of {s.years}, {_PHASES[s.phase]}{turn}.")
    if s.decision is None or s.player is None:
        lines.append(f"Waiting for seat {s.turn}.")
    elif s.player == s.viewer:
        lines.append(f"It is your decision ({s.decision.name}): {TASKS[s.decision].you}.")
    else:
        lines.append(f"Waiting for {_who(s, s.player)} ({s.decision.name}).")
    if s.phase is Phase.ACTIONS and s.main_used:
        lines.append("The main card of this turn is used; only Flash cards can follow.")
    lines += frame_lines(s)
    if s.last_rolls:
        lines.append(f"Faces rolled since the last decision: {', '.join(map(str, s.last_rolls))}.")
    return lines


_PHASES = {
    Phase.CLAN: "choice of clans",
    Phase.SETUP: "setup",
    Phase.ACTIONS: "actions",
    Phase.CREATURES: "creatures",
    Phase.HARVEST: "harvest",
    Phase.SECOND: "second chances",
    Phase.END: "end",
}


def _choices(rules: Any, state: Any, s: Scene) -> list[str]:
    if s.player is None or s.player != s.viewer:
        return []
    ids = np.empty(LEGAL, np.int16)
    number = legal_ids(rules, state, ids)
    return ["Your legal actions:", *(f"  {action_text(rules, int(action))}" for action in ids[:number])]


def choice_text(rules: Any, state: Any, action: int) -> str:
    """Return what a legal action means in this state where its name does not say it; "" where it does."""
    kind, i = ACTIONS.locate(action)
    if kind == "PICK":
        held = state.tile_hand[int(state.turn)] if state.decision == Decision.SETUP_TILE else state.drawn_tile
        return f"tile t{int(held[i])}, {_printed(rules, int(held[i]))}"
    if kind == "CELL":
        laid, side = divmod(i, len(_SIDES))
        return (
            f"{_SIDES[side]} of t{int(state.tile_id[laid])} at x {int(state.tile_x[laid])} y {int(state.tile_y[laid])}"
        )
    if kind == "PLAYER":
        return f"seat {(int(state.turn) + i + 1) % int(rules.num_players)}"
    if kind == "CARD":
        return card_words(rules, i).split("]: ", 1)[1]
    return ""


# ---- Players --------------------------------------------------------------------------------------------------------


def _players(s: Scene) -> list[str]:
    lines = ["Players:"]
    for seat in s.seats:
        who = f"you, seat {seat.seat}" if seat.seat == s.viewer else f"seat {seat.seat}"
        lines.append(f"  {who}: {', '.join(_numbers(s, seat))}")
    return lines


def _numbers(s: Scene, seat: Seat) -> Iterable[str]:
    yield f"{seat.clan} clan" if seat.clan else "no clan yet"
    yield f"fame {seat.fame}"
    yield from (f"{kind} {number}" for kind, number in zip(KINDS, seat.resources, strict=True))
    yield f"units on the map {seat.units} of 14"
    yield f"territories {seat.territories}"
    yield f"hand {seat.hand_size} cards"
    yield f"draw pile {seat.pile_size} cards"
    if seat.tile_hand_size:
        yield f"setup tiles {seat.tile_hand_size}"
    flags = (
        (s.marker == seat.seat, "has the first-player marker"),
        (seat.passed, "has passed"),
        (seat.taken, "took a card of the display this year"),
        (seat.kaija_free, "Kaija may enter enemy territories this year"),
        (seat.conquer, "ignores towers and fortresses this year"),
    )
    yield from (words for true, words in flags if true)
    if seat.rank is not None:
        yield f"total fame {seat.total}"
        yield f"rank {seat.rank}"


def _cards_of(s: Scene, seat: Seat) -> list[str]:
    own = seat.seat == s.viewer
    whose = "Your" if own else f"Seat {seat.seat}'s"
    parts: list[tuple[str, Iterable[Card]]] = [
        ("hand", seat.hand or ()),
        ("cards you know to be in hand", seat.hand_known),
        ("draw pile (order unknown)", seat.pile or ()),
        ("hand and draw pile together", () if own else seat.unseen),
        ("played this year", seat.played),
        ("in the active area without effect", seat.idle),
        ("discard pile", seat.discard),
        ("upgrades aside", seat.upgrades),
    ]
    lines = [f"{whose} {label}: {names(cards)}" for label, cards in parts if tuple(cards)]
    places = [f"place {place} {card.name} [{card.id}]" for place, card in seat.pile_known]
    if places:
        lines.append(f"{whose} draw pile, as far as you know (1 is the top): {', '.join(places)}")
    if seat.tile_hand:
        lines.append(f"Your setup tiles: {', '.join(f't{tile}' for tile in seat.tile_hand)}")
    return lines


# ---- Map ------------------------------------------------------------------------------------------------------------


def _map(s: Scene) -> list[str]:
    lines = ["Territories (prod: food/wood/lore; free: small/carved/large spaces; ~: a rough border only):"]
    lines += [f"  {t.id}: {', '.join(_territory(s, t))}" for t in s.territories]
    if s.decision in _LAYING and s.player == s.viewer:
        lines.append(
            "Tiles of the map in the order of laying, with id (column, row): areas with their sides and territory:"
        )
        for place in s.places:
            parts = [f"{_sides(area.sides)} in {area.territory}" for area in place.areas]
            lines.append(f"  #{place.index} t{place.tile} ({place.column}, {place.row}): {'; '.join(parts)}")
        cells = [f"{name} ({column}, {row})" for name, column, row in s.frontier]
        lines.append(f"Empty cells beside the map (column, row): {', '.join(cells)}")
    return lines


def _sides(sides: tuple[int, ...]) -> str:
    return "".join(_SIDES[side] for side in sides)


def _territory(s: Scene, t: Territory) -> Iterable[str]:
    yield f"{'open' if t.open else 'closed'}, size {t.size}"
    here = [f"{_who(s, p)} {number} unit{'s' if number > 1 else ''}" for p, number in enumerate(t.units) if number]
    if t.kaija:
        here.append("Kaija")
    yield " and ".join(here) if here else "neutral"
    yield f"prod {'/'.join(map(str, t.yields))}"
    if any(t.free):
        yield f"free {'/'.join(map(str, t.free))}"
    yield from (f"{building_name(b)} x{t.buildings[b]}" for b in range(BUILDINGS) if t.buildings[b])
    if t.lair:
        yield "lair"
    for creature in t.creatures:
        value, fame = s.creature_values[creature]
        yield f"{s.creature_names[creature]} of value {value} and fame {fame}"
    if t.token:
        yield "Scorched Earth token"
    near = [str(u) for u in t.regular] + [f"~{u}" for u in t.rough]
    yield f"next to {' '.join(near) or 'nothing'}"


def _tiles(rules: Any, s: Scene) -> list[str]:
    """Return the tiles that the viewer holds or has drawn, as printed."""
    own = s.seats[s.viewer or 0]
    held = list(own.tile_hand or ())
    for frame in s.frames:
        held += [tile for tile in [frame.get("tile"), *(frame.get("drawn") or [])] if frame["frame"] != "DRAW" and
                 tile is not None]  # fmt: skip
    return [f"Tile t{tile} as printed: {_printed(rules, tile)}" for tile in sorted(set(held))]


def _printed(rules: Any, tile: int) -> str:
    areas = []
    for a in range(int(rules.tile_areas[tile])):
        sides = "".join(_SIDES[d] for d in range(4) if int(rules.tile_world[tile, 0, d]) == a)
        shown = [
            f"{number} {kind}" for kind, number in zip(KINDS, rules.tile_icons[tile, a].tolist(), strict=True) if number
        ]
        space = Space(int(rules.tile_space[tile, a]))
        shown += [_SPACES[space]] if space else []
        shown += ["lair"] if int(rules.tile_lair[tile]) == a else []
        areas.append(f"{sides} ({', '.join(shown) or 'plain'})")
    pairs = [(a, b) for a in range(len(areas)) for b in range(a) if rules.tile_border[tile, a, b] == Border.ROUGH]
    rough = [f"{areas[b].split(' ')[0]}/{areas[a].split(' ')[0]}" for a, b in pairs]
    return "; ".join(areas) + (f"; rough borders {', '.join(rough)}" if rough else "")


# ---- The middle, texts ----------------------------------------------------------------------------------------------


def _middle(s: Scene) -> list[str]:
    tokens = ", ".join(f"{building_name(b)} {s.supply[b]}" for b in range(BUILDINGS))
    lines = [
        f"Display: {names(s.display) or 'empty'}",
        f"Achievements laid out: {names(s.achievements) or 'none'}",
        f"Development deck: {s.deck_size} cards. Unrest cards: {s.unrest}. Removed: {names(s.removed) or 'none'}",
        f"Buildings left: {tokens}",
        f"Tile stack: {s.stack_size}. Tiles not on the map: {', '.join(f't{tile}' for tile in s.loose)}",
    ]
    if s.stack_known:
        known = ", ".join(f"place {place} tile t{tile}" for place, tile in s.stack_known)
        lines.append(f"Tiles of the stack that you know (1 is the top): {known}")
    if s.options["creatures"] == "true":
        pile = ", ".join(s.creature_names[creature] for creature in s.creature_pile) or "empty"
        top = f"; its {s.creature_top} upper cards hold no Fallen Valkyrie" if s.creature_top else ""
        lines.append(f"Creature pile, in some order: {pile}{top}")
        slain = ", ".join(s.creature_names[creature] for creature in s.creature_discard)
        lines.append(f"Creatures slain: {slain or 'none'}")
    return lines


def _texts(rules: Any, s: Scene) -> list[str]:
    """Return what the cards do that the viewer may reach now, and those that lie open."""
    own = s.seats[s.viewer or 0]
    near = [
        *(own.hand or ()),
        *own.upgrades,
        *s.display,
        *s.achievements,
        *(card for seat in s.seats for card in seat.played),
    ]
    return ["What these cards do:", *(f"  {card_words(rules, card)}" for card in sorted({card.id for card in near}))]


def _rules(s: Scene) -> list[str]:
    o, words = s.options, {"creatures": "creatures", "more_creatures": "more creatures", "teams": "teams"}
    modules = [name for key, name in words.items() if o[key] == "true"]
    return [f"Modules: {', '.join(modules) or 'none'}. Years: {s.years}. Reward {_REWARDS[o['reward']]}."]
