"""The referee's view dict, read back from an observation: block by block, seats made absolute again.

The facts are those of `referee.Referee.view`, so that the two can be compared key by key. Everything comes from the
vector and the printed tables; the observer's own seat is the one thing that a relative vector cannot say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from northmen_env.engine.layout import ObservationLayout

SUIT = 8  # cards of a kingdom: suit = id div 8 (SAGA-DATA-20)
PLACES_IN_PILE = 64

Blocks = dict[str, np.ndarray]


def decoded_view(layout: ObservationLayout, observation: np.ndarray, player: int) -> dict[str, Any]:
    """Return what `player` knows, in the form of the referee's view.

    Raises:
        ValueError: a block holds something although nothing of its kind is to be known there.
    """
    b = layout.decode(observation)
    n = 2 + only(b["num_players"])
    seats = [(seat - player) % n for seat in range(n)]  # column of each absolute seat
    if b["present"].tolist() != [int(k < n) for k in range(len(b["present"]))]:
        raise ValueError("the flags of present seats do not fit the number of players")
    table = bool(flag(layout, b, "table_recall"))
    names = layout["decision"].columns
    view = {
        "player": player,
        "num_players": n,
        "round": 1 + only(b["round"]),
        "leader": absolute(only(b["leader"]), player, n),
        "decision": names[only(b["decision"])],
        "acting": absolute(maybe(b["acting"]), player, n),
        "cubes": b["cubes"][:, seats].tolist(),
        "heroes": b["heroes"][:, seats].tolist(),
        "tokens": b["tokens"].tolist(),
        "group": int(b["group"][0]),
        "controller": [absolute(maybe(row), player, n) for row in b["controller"]],
        "delayed": b["delayed"].astype(bool).tolist(),
        "time_used": b["time_used"][seats].astype(bool).tolist(),
        "slots": [maybe(row) for row in b["slots"]],
        "draw_pile_size": int(b["draw_pile_size"][0]),
        "hand_sizes": b["hand_size"][seats].tolist(),
        "pile_sizes": b["pile_size"][seats].tolist(),
        "routes_done": [members(b["routes_done"][k]) for k in seats],
        "routes_open_counts": b["routes_open_count"][seats].tolist(),
        "route_deck_size": int(b["route_deck_size"][0]),
        "hand": members(b["own_hand"]),
        "routes_open": members(b["own_routes"]),
    }
    for key in ("reserve", "infamy", "hero_supply", "plunder", "held_count", "hand_before_hold"):
        view[key] = b[key][seats].tolist()
    view |= piles(b, view, seats, table)
    if not table:
        view |= memory(b, seats, player, n)
    else:
        nothing(b, "known_hand", "known_hand_prev", "maybe_held", "route_pos", "route_holder")
    view["context"] = context(b, view)
    return view


def piles(b: Blocks, view: dict[str, Any], seats: list[int], table: bool) -> dict[str, Any]:
    """Return `pile_tops`, `piles` (None where the order is not known) and `pile_cards` (SAGA-INFO-03)."""
    known = [pile(b["pile"][k]) for k in seats]
    revealed = members(b["revealed"])
    out: dict[str, Any] = {
        "pile_tops": [cards[-1] if cards else None for cards in known],
        "piles": [],
        "pile_cards": [],
    }
    for seat, cards in enumerate(known):
        own = seat == view["player"]
        shown = {c for c in revealed if view["controller"][c // SUIT] == seat}
        if own and not shown <= set(cards):
            raise ValueError("a revealed card is not in its controller's pile")
        out["piles"].append(None if table and not own else cards)
        out["pile_cards"].append(sorted(set(cards) | shown))
    if any(view["controller"][c // SUIT] is None for c in revealed) or (revealed and not table):
        raise ValueError("cards are revealed that no controller has shown")
    return out


def pile(row: np.ndarray) -> list[int]:
    """Return the cards of a pile, oldest first; with `recall = table` of others only the top one."""
    cards = np.flatnonzero(row)
    return sorted(cards.tolist(), key=lambda card: PLACES_IN_PILE - row[card])


def memory(b: Blocks, seats: list[int], player: int, n: int) -> dict[str, Any]:
    """Return what perfect recall adds (SAGA-INFO-04, -05, -07)."""
    return {
        "known_hand": [members(b["known_hand"][k]) for k in seats],
        "known_hand_prev": [members(b["known_hand_prev"][k]) for k in seats],
        "not_held": np.flatnonzero(b["maybe_held"] == 0).tolist(),
        "route_pos": (b["route_pos"] - 1).tolist(),
        "route_known_holder": [absolute(maybe(row), player, n) for row in b["route_holder"]],
    }


def context(b: Blocks, view: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the decision (SAGA-INFO-09), after looking that no other context is there."""
    decision, own = view["decision"], view["acting"] == view["player"]
    used: list[str] = []
    found: dict[str, Any] = {}
    if decision == "HIRE":
        used, found = ["card"], {"card": only(b["card"])}
    elif decision == "DELAY":
        used, found = ["kingdom", "march_pass"], {"kingdom": only(b["kingdom"])}
    elif decision in ("CUBE", "HERO"):
        used = ["kingdom", "march_pass", "march", "pieces_left", "last_region"]
        found = {"kingdom": only(b["kingdom"]), "last": only(b["last_region"])}
        found |= dict(zip(("armies", "fleets", "land", "sea"), b["march"].tolist())) if decision == "CUBE" else {}
        found["cubes_left" if decision == "CUBE" else "heroes_left"] = int(b["pieces_left"][0])
    elif decision == "ROUTE" and own:
        last = maybe(b["route_last"])
        used, found = ["route_last"], {"last": -1 if last is None else last}
    elif decision == "KEEP" and own:
        used, found = ["routes_drawn"], {"drawn": [only(row) for row in b["routes_drawn"]]}
    elif decision == "HOLD" and own:
        used, found = ["held", "hold_last"], {"held": members(b["held"]), "last": int(b["hold_last"][0]) - 1}
    nothing(b, *(name for name in CONTEXT if name not in used))
    return found


CONTEXT = (
    "card", "kingdom", "march_pass", "march", "pieces_left", "last_region", "route_last", "routes_drawn", "held",
    "hold_last",
)  # fmt: skip


def nothing(b: Blocks, *names: str) -> None:
    """Raise ValueError where one of the blocks is not all zero."""
    for name in names:
        if b[name].any():
            raise ValueError(f"the block {name} holds something where it should be empty")


def flag(layout: ObservationLayout, b: Blocks, column: str) -> int:
    """Return one column of the block of options."""
    return int(b["options"][layout["options"].columns.index(column)])


def members(row: np.ndarray) -> list[int]:
    """Return the ids whose flag is set."""
    if not set(row.tolist()) <= {0, 1}:
        raise ValueError("a flag is neither 0 nor 1")
    return np.flatnonzero(row).tolist()


def maybe(row: np.ndarray) -> int | None:
    """Return the id that a one-hot row names, None for an empty row."""
    found = members(row)
    if len(found) > 1:
        raise ValueError("a one-hot row names several ids")
    return found[0] if found else None


def only(row: np.ndarray) -> int:
    """Return the id that a one-hot row names."""
    found = maybe(row)
    if found is None:
        raise ValueError("a one-hot row names nothing")
    return found


def absolute(seat: int | None, player: int, n: int) -> int | None:
    """Return the seat that stands `seat` places clockwise of `player`."""
    return None if seat is None else (seat + player) % n
