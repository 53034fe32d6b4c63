"""What a card does, in words made from its row of numbers (section 1.7): texts and pages, never the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from northmen_env.games.northgard.card_table import (
    BuildBit,
    Card,
    DrawBit,
    ExploreBit,
    Group,
    HandBit,
    MoveBit,
    Op,
    RecruitBit,
)
from northmen_env.games.northgard.tables import FIRST_ACHIEVEMENT, Weight, card_name

KINDS = ("food", "wood", "lore")
ACTS = ("Recruit", "Move", "Explore", "Build")
ALL = 14
"""A RECRUIT of as many figures has no limit but the reserve."""

_RECRUIT_BITS = {
    RecruitBit.PAY2: "then pay two resources for one more unit there, if you like",
    RecruitBit.PULL: "then move one unit there from an adjacent own territory, if you like",
    RecruitBit.KAIJA_FREE: "Kaija may enter enemy territories this year",
}
_MOVE_BITS = {
    MoveBit.SMOOTH: "rough borders cost one move",
    MoveBit.THROUGH: "you may move on out of enemy territories",
    MoveBit.PUSH: "before each combat you may push away one defending unit",
    MoveBit.EITHER: "one axe or one skull more in each combat",
    MoveBit.GATHER: "if Kaija moves, first take the food and wood of the territory it leaves",
    MoveBit.TOKEN_AFTER: "afterwards the Snake may place its token",
    MoveBit.ANYWHERE: "the move goes to any open territory",
}
_EXPLORE_BITS = {
    ExploreBit.REDRAW: "once you may put the tile under the stack and draw another",
    ExploreBit.ANYWHERE: "from any open territory",
    ExploreBit.TILE_ICONS: "first take the resources shown on the tile",
}
_BUILD_BITS = {
    BuildBit.DUP: "the type may already be in the territory",
    BuildBit.NO_SPACE: "a small building needs no space",
    BuildBit.REPLACE: "then you may exchange one own building",
    BuildBit.GATHER: "collect the resources of the territory before or after",
}


def card_words(rules: Any, card: int) -> str:
    """Return a card type in one line: name, id, effect, Flash and printed fame."""
    row = _row(rules, card)
    marks = ["Flash"] * row.flash + [f"fame {row.fame}"] * (row.fame > 0)
    effect = _worth(rules, card) if row.group == Group.ACHIEVEMENT else effect_words(row)
    return f"{row.name} [{card}]: {effect}{''.join(f'; {mark}' for mark in marks)}"


def effect_words(row: Card) -> str:
    """Return the effect of a row."""
    return _EFFECTS[row.op](row)


def _row(rules: Any, card: int) -> Card:
    numbers = {key: int(rules[f"card_{key}"][card]) for key in ("clan", "fame", "a", "b", "c", "d", "fl")}
    group, op, flash = Group(int(rules.card_group[card])), Op(int(rules.card_op[card])), bool(rules.card_flash[card])
    return Card(card_name(rules, card), group=group, op=op, flash=flash, **numbers)


_WEIGHTS = {
    Weight.SMALL_BUILDING: "small building",
    Weight.LARGE_BUILDING: "large building",
    Weight.SMALL_SPACE: "empty small or carved space",
    Weight.LARGE_SPACE: "empty large space",
    Weight.FOOD: "food produced",
    Weight.WOOD: "wood produced",
    Weight.LORE: "lore produced",
    Weight.LAIR: "lair",
    Weight.FIGURE: "figure on the map",
}


def _worth(rules: Any, card: int) -> str:
    """Return what an achievement gives at the end (NORTH-DATA-04)."""
    weights = rules.achievement[card - FIRST_ACHIEVEMENT].tolist()
    parts = [f"{fame} for each {_WEIGHTS[Weight(i)]}" for i, fame in enumerate(weights) if fame]
    return f"fame at the end, in own territories: {' and '.join(parts) or 'none'}"


def _some(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _bits(row: Card, words: Any) -> str:
    return "".join(f"; {text}" for bit, text in words.items() if row.fl & bit)


def _none(row: Card) -> str:
    return "-5 fame at the end" if row.group == Group.UNREST else "no action"


def _recruit(row: Card) -> str:
    where = ("own territories", "own or neutral territories", "neutral territories")[row.b]
    if row.c == 1:
        where = f"one of your {where}" if row.b == 0 else f"one of the {where}"
    elif row.c == 2:
        near = ("", " that are open or show wood", " next to an enemy")[row.d]
        where = f"{where}{near}, one in each"
    elif row.c == 3:
        where = f"{where}, as many in each as it produces {KINDS[row.d]}"
    number = "any number of figures" if row.a >= ALL else f"up to {_some(row.a, 'figure')}"
    return f"recruit {number} in {where}{_bits(row, _RECRUIT_BITS)}"


def _move(row: Card) -> str:
    axes = f"; +{row.b} in each combat" if row.b else ""
    shield = f"; {row.c} casualt{'y' if row.c == 1 else 'ies'} less in each combat" if row.c else ""
    return f"move {row.a}{axes}{shield}{_bits(row, _MOVE_BITS)}"


def _explore(row: Card) -> str:
    tiles = "" if row.a == 1 else f", one of {row.a} tiles"
    times = "" if row.b == 1 else f" up to {row.b} times"
    return f"explore{times}{tiles}{_bits(row, _EXPLORE_BITS)}"


def _build(row: Card) -> str:
    times = "build" if row.a == 1 else f"build up to {row.a} buildings, at most one of them large"
    cheaper = f", {row.b} wood cheaper" if row.b else ""
    return f"{times}{cheaper}{_bits(row, _BUILD_BITS)}"


def _draw(row: Card) -> str:
    parts = [f"draw {_some(row.a, 'card')}"]
    if row.fl & DrawBit.PER_CLOSED:
        parts = ["draw a card for each closed territory of three tiles or more"]
    elif row.b < row.a:
        parts += [f"keep {row.b}"] + [f"discard {row.c}"] * (row.c > 0) + [f"put {row.d} on the pile"] * (row.d > 0)
    more = "; then pay three resources for one more, if you like" if row.fl & DrawBit.PAY3 else ""
    return ", ".join(parts) + more


def _gain(row: Card) -> str:
    return "gain " + ", ".join(f"{n} {kind}" for n, kind in zip((row.a, row.b, row.c), KINDS, strict=True) if n)


def _choose(row: Card) -> str:
    acts = [act for bit, act in enumerate(ACTS) if row.b >> bit & 1]
    number = "one" if row.a == 1 else f"up to {row.a} different ones"
    return f"{number} of {', '.join(acts)}"


def _strike(row: Card) -> str:
    where = "an enemy territory next to an own one" if row.a == 1 else "any enemy territory"
    then = ("draw a card", "collect a resource of a kind produced there", "add a unit to an own territory")[row.b - 1]
    return f"remove a figure from {where}; {then}"


def _copy(row: Card) -> str:
    whose = ("that you played this year", "in the active area of an enemy next to you",
             "in the active area of the enemy in the scorched territory")[row.a - 1]  # fmt: skip
    return f"copy a card {whose}"


def _hand(row: Card) -> str:
    whom = "an enemy" if row.a == 1 else "every enemy"
    how = "whose hand you see discards the card you choose" if row.b == 1 else f"discards {_some(row.c, 'card')}"
    ransom = ", or gives you two resources" if row.fl & HandBit.RANSOM else ""
    draw = f"; draw {row.d}" if row.d else ""
    return f"{whom}{',' if row.b == 1 else ''} {how}{ransom}{draw}"


def _bribe(row: Card) -> str:
    return f"move up to {_some(row.a, 'enemy unit')} to an adjacent territory"


_EFFECTS: dict[Op, Callable[[Card], str]] = {
    Op.NONE: _none,
    Op.RECRUIT: _recruit,
    Op.MOVE: _move,
    Op.EXPLORE: _explore,
    Op.BUILD: _build,
    Op.DRAW: _draw,
    Op.GAIN: _gain,
    Op.CHOOSE: _choose,
    Op.STRIKE: _strike,
    Op.COPY: _copy,
    Op.HAND: _hand,
    Op.BRIBE: _bribe,
    Op.FETCH: lambda row: "take a card of your discard pile into the hand, or draw one",
    Op.FORESEE: lambda row: "take a card of the display now, on top of your draw pile",
    Op.CONQUER: lambda row: "ignore Defense Towers and Fortresses when you attack players this year",
    Op.REACT: lambda row: "from the hand: cancel a card that an enemy plays",
}
