"""Builds positions of Saga as State JSON: a test states what matters, the builder fills in the rest consistently.

Places are rows of `cubes`: kingdoms 0-6, then `REGION + region id`. Cards, pieces, tokens and routes that a test does
not name go where they do not matter: cards into hands and draw pile, cubes into reserves, tokens to the last seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import northmen_env as nm
from northmen_env.engine.game import Game
from northmen_env.engine.state import State

REGION = 7
NORMANS, RUS, MAGYARS, SAXONS, DANES, BYZANTINES, NORWEGIANS = range(7)
AFRICA, ARABIA, BULGARIA, FINLAND, EMPIRE, IBERIA, IRELAND, ITALY, POLAND = range(9)

PLAY, HOLD, DRAW, CUBE, HERO, COMPLETE, KEEP = 0, 56, 112, 116, 125, 134, 154
DRAW_PILE, HIRE, DELAY, BUY, PASS = 115, 174, 175, 176, 177

Pieces = Mapping[int, Mapping[int, int]]  # place -> seat -> number


@cache
def _game(options: tuple[tuple[str, Any], ...]) -> Game:
    return nm.load("saga", **dict(options))


def game(**options: Any) -> Game:
    """Return the game with these options, made once."""
    return _game(tuple(sorted(options.items())))


def load(position: Mapping[str, Any], seed: int = 0) -> State:
    """Return the state of a position in the game with the position's own options."""
    return game(**position["options"]).state_from_dict(position, seed=seed)


def play(position: Mapping[str, Any] | State, *actions: int) -> State:
    """Load the position, or copy the state, and take the actions."""
    state = position.clone() if isinstance(position, State) else load(position)
    for action in actions:
        state.apply_action(action)
    return state


def after(position: Mapping[str, Any] | State, *actions: int) -> dict[str, Any]:
    """Return the State JSON after the actions."""
    return play(position, *actions).to_dict()


def position(
    num_players: int = 2,
    decision: str = "PLAY",
    *,
    player: int | None = 0,
    leader: int = 0,
    in_round: int = 1,
    hands: Mapping[int, Iterable[int]] | None = None,
    piles: Mapping[int, Sequence[int]] | None = None,
    slots: Sequence[int | None] | None = None,
    draw_pile: Sequence[int] | None = None,
    cubes: Pieces | None = None,
    heroes: Pieces | None = None,
    infamy: Sequence[int] | None = None,
    tokens: Mapping[int, int] | None = None,
    group: int | None = None,
    plunder: Sequence[int] | None = None,
    march: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
    **entries: Any,
) -> dict[str, Any]:
    """Return a State JSON object.

    Args:
        hands: cards by seat; other hands are filled to six (five for who has still to draw) with the lowest cards left.
        piles: cards played by seat, oldest first.
        slots, draw_pile: the lowest cards left, and all others ascending, unless given.
        cubes, heroes: pieces by place and seat; the rest is in reserves and hero supplies.
        infamy: per seat, 3 each unless given.
        tokens: by region id; `group` is 15 in the rally and 0 later; the last seat has the rest, unless `plunder` says.
        march: kingdom, pass, and what differs from a move that has just begun.
        options: options that differ from their defaults.
        entries: any other key of State JSON, as it shall stand there.
    """
    n = num_players
    d = game(num_players=n, **(options or {})).new_initial_state(seed=0).to_dict()
    d |= {"round": in_round, "leader": leader, "decision": decision, "player": player}
    _put_cards(d, decision, player, hands or {}, piles or {}, slots, draw_pile)
    _put_pieces(d, cubes or {}, heroes or {}, infamy)
    _put_tokens(d, decision, tokens or {}, group, plunder)
    _put_march(d, march, entries)
    if in_round > 1:
        d |= {"not_held": [[] for _ in range(n)], "hand_before_hold": [6] * n}
    _put_routes(d, entries)
    return d | entries


def _put_cards(d, decision, player, hands, piles, slots, draw_pile) -> None:
    n = d["num_players"]
    named = {c for cards in (*hands.values(), *piles.values(), slots or (), draw_pile or ()) for c in cards}
    left = [c for c in range(56) if c not in named]
    d["piles"] = [list(piles.get(p, ())) for p in range(n)]
    d["hands"] = []
    for p in range(n):
        size = 5 if p == player and decision in ("HIRE", "DRAW") else 6
        filling = [left.pop(0) for _ in range(size)] if p not in hands else hands[p]
        d["hands"].append(sorted(filling))
    if slots is None:
        slots = [left.pop(0) for _ in range(3)]
    d["slots"] = list(slots)
    d["draw_pile"] = left if draw_pile is None else list(draw_pile)
    d["card"] = d["piles"][player][-1] if decision in ("HIRE", "DRAW") else None


def _put_pieces(d, cubes, heroes, infamy) -> None:
    n = d["num_players"]
    d["infamy"] = [3] * n if infamy is None else list(infamy)
    for key, pieces, supply, all_of_them in (("cubes", cubes, "reserve", 30), ("heroes", heroes, "hero_supply", 3)):
        d[key] = [[pieces.get(place, {}).get(p, 0) for p in range(n)] for place in range(16)]
        d[supply] = [all_of_them - sum(row[p] for row in d[key]) for p in range(n)]
    d["reserve"] = [cubes_left - points for cubes_left, points in zip(d["reserve"], d["infamy"])]


def _put_tokens(d, decision, tokens, group, plunder) -> None:
    rally = decision in ("PLAY", "HIRE", "DRAW")
    d["tokens"] = [tokens.get(region, 0) for region in range(9)]
    placed = sum(d["tokens"]) + sum(plunder or ())
    if group is None:
        group = 15 * d["round"] - placed if rally and d["round"] == 1 else 15 if rally else 0
    d["group"] = group
    d["plunder"] = [0] * d["num_players"] if plunder is None else list(plunder)
    d["plunder"][-1] += 15 * d["round"] - placed - group


def _put_march(d, march, entries) -> None:
    if d["decision"] in ("DELAY", "CUBE", "HERO", "ROUTE"):
        owners = [[p for p in range(d["num_players"]) if d["cubes"][k][p] + d["heroes"][k][p]] for k in range(7)]
        d["controller"] = [seats[0] if seats else None for seats in owners]
    if march is None:
        return
    march = {"pass": 1, **march}
    d["controller"][march["kingdom"]] = d["player"]
    if d["decision"] != "DELAY":
        rules = game(num_players=d["num_players"]).rules[0]
        suit = [c for c in d["piles"][d["player"]] if c // 8 == march["kingdom"]]
        armies = sum(int(rules.card_armies[c]) for c in suit)
        fleets = sum(int(rules.card_fleets[c]) for c in suit)
        march = {"armies": armies, "fleets": fleets, "land": 0, "sea": 0, "last": 0, **march}
    d["march"] = march


def _put_routes(d, entries) -> None:
    n = d["num_players"]
    d["routes_open"] = [sorted(r) for r in entries.pop("routes_open", [[] for _ in range(n)])]
    d["routes_done"] = [sorted(r) for r in entries.pop("routes_done", [[] for _ in range(n)])]
    placed = {r for key in ("routes_open", "routes_done") for routes in d[key] for r in routes}
    placed |= set(entries.get("routes_drawn", ()))
    d["route_deck"] = entries.pop("route_deck", [r for r in range(20) if r not in placed])


def flat(lists: Iterable[Iterable[int]]) -> list[int]:
    """Return the members of all lists in one."""
    return [item for items in lists for item in items]


def last_turn(num_players: int = 2, *, player: int = 0, **more: Any) -> dict[str, Any]:
    """Return a rally turn that ends the rally with card 14 (Rus, 1 army, places on Arabia at every player count)."""
    hands = {player: [14, 15, 22, 31, 38], **more.pop("hands", {})}
    return position(num_players, player=player, hands=hands, group=1, **more)
