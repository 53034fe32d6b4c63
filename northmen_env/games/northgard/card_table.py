"""The cards as rows of numbers in the effect vocabulary (sections 1.6, 1.7), and `cards.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import NamedTuple

from northmen_env.engine.csvfiles import Row, Table, check_ids, integer, parse_table, read_names
from northmen_env.games.northgard.options import CLANS, Clan

CARDS = 86
CLAN_CARDS = 3
ACHIEVEMENTS = 7
NAME_BYTES = 64
MOST_FAME = 9

HEADER = "id,name,group,flash,fame,op,a,b,c,d,fl"

RECRUIT, MOVE, EXPLORE, BUILD, FEAST = range(5)
"""The starting cards; the first four rows are also the actions of CHOOSE (NORTH-FX-07)."""

FIRST_EARLY, FIRST_ADVANCED, FIRST_ACHIEVEMENT, FIRST_CLAN, UNREST = 5, 21, 57, 64, 85
STARTING = (RECRUIT, MOVE, EXPLORE, BUILD, FEAST, FEAST)
"""The six starting cards of a player (NORTH-CARD-02)."""


class Group(IntEnum):
    """What kind of card a row is."""

    STARTING = 0
    EARLY = 1
    ADVANCED = 2
    ACHIEVEMENT = 3
    CLAN = 4
    UNREST = 5


class Op(IntEnum):
    """What a card does (NORTH-FX-00 … -15)."""

    NONE = 0
    RECRUIT = 1
    MOVE = 2
    EXPLORE = 3
    BUILD = 4
    DRAW = 5
    GAIN = 6
    CHOOSE = 7
    STRIKE = 8
    COPY = 9
    HAND = 10
    BRIBE = 11
    FETCH = 12
    FORESEE = 13
    CONQUER = 14
    REACT = 15


class RecruitBit(IntFlag):
    """Bits of a RECRUIT (NORTH-FX-01)."""

    PAY2 = 1
    PULL = 2
    KAIJA_FREE = 4


class MoveBit(IntFlag):
    """Bits of a MOVE (NORTH-FX-02)."""

    SMOOTH = 1
    THROUGH = 2
    PUSH = 4
    EITHER = 8
    GATHER = 16
    TOKEN_AFTER = 32
    ANYWHERE = 64


class ExploreBit(IntFlag):
    """Bits of an EXPLORE (NORTH-FX-03)."""

    REDRAW = 1
    ANYWHERE = 2
    TILE_ICONS = 4


class BuildBit(IntFlag):
    """Bits of a BUILD (NORTH-FX-04)."""

    DUP = 1
    NO_SPACE = 2
    REPLACE = 4
    GATHER = 8


class DrawBit(IntFlag):
    """Bits of a DRAW (NORTH-FX-05)."""

    PAY3 = 1
    PER_CLOSED = 2


class HandBit(IntFlag):
    """Bits of a HAND (NORTH-FX-10)."""

    RANSOM = 1


class Card(NamedTuple):
    """A card type; `clan` is -1 for cards of no clan."""

    name: str
    group: Group
    clan: int
    flash: bool
    fame: int
    op: Op
    a: int
    b: int
    c: int
    d: int
    fl: int


class Form(NamedTuple):
    """The numbers an operation may have: ranges of a, b, c, d, and all its bits."""

    a: tuple[int, int] = (0, 0)
    b: tuple[int, int] = (0, 0)
    c: tuple[int, int] = (0, 0)
    d: tuple[int, int] = (0, 0)
    fl: int = 0


def _bits(flags: type[IntFlag]) -> int:
    return sum(int(flag) for flag in flags)


FORMS: Mapping[Op, Form] = {
    Op.NONE: Form(),
    Op.RECRUIT: Form(a=(1, 14), b=(0, 2), c=(0, 3), d=(0, 2), fl=_bits(RecruitBit)),
    Op.MOVE: Form(a=(1, 4), b=(0, 9), c=(0, 9), fl=_bits(MoveBit)),
    Op.EXPLORE: Form(a=(1, 3), b=(1, 3), fl=_bits(ExploreBit)),
    Op.BUILD: Form(a=(1, 2), b=(0, 3), fl=_bits(BuildBit)),
    Op.DRAW: Form(a=(0, 9), b=(0, 9), c=(0, 9), d=(0, 9), fl=_bits(DrawBit)),
    Op.GAIN: Form(a=(0, 9), b=(0, 9), c=(0, 9)),
    Op.CHOOSE: Form(a=(1, 4), b=(1, 15)),
    Op.STRIKE: Form(a=(1, 2), b=(1, 3)),
    Op.COPY: Form(a=(1, 3)),
    Op.HAND: Form(a=(1, 2), b=(1, 2), c=(1, 3), d=(0, 3), fl=_bits(HandBit)),
    Op.BRIBE: Form(a=(1, 2)),
    Op.FETCH: Form(),
    Op.FORESEE: Form(),
    Op.CONQUER: Form(),
    Op.REACT: Form(),
}
"""What the vocabulary admits: MOVE at most the four moves of NORTH-CORN-02, EXPLORE the three tiles of PICK."""


def group_name(card: int) -> str:
    """Return the group that NORTH-CARD-01 gives to a card id, as the column writes it."""
    if FIRST_CLAN <= card < UNREST:
        return f"C{(card - FIRST_CLAN) // CLAN_CARDS}"
    firsts = {FIRST_EARLY: "S", FIRST_ADVANCED: "E", FIRST_ACHIEVEMENT: "A", FIRST_CLAN: "H"}
    return next((name for end, name in firsts.items() if card < end), "U")


_GROUPS = {"S": Group.STARTING, "E": Group.EARLY, "A": Group.ADVANCED, "H": Group.ACHIEVEMENT, "U": Group.UNREST}
_GROUPS |= {f"C{clan}": Group.CLAN for clan in range(CLANS)}


def read_cards(file: str, content: bytes, faults: list[str]) -> tuple[Card, ...]:
    """Return the card types of a CSV by id, telling every violated condition."""
    table = parse_table(file, content, HEADER, faults)
    if table is None:
        return ()
    ids = check_ids(table, CARDS, "card types", faults)
    read_names(table, ids, NAME_BYTES, faults)
    cards = [(row, _card(row, card, faults)) for row, card in zip(table.rows, ids, strict=True) if row.fields]
    _check_reactions(table, cards, faults)
    return tuple(card for _, card in cards)


def _card(row: Row, number: int, faults: list[str]) -> Card:
    told = len(faults)
    text = row.fields["group"]
    due = group_name(number)
    if text not in _GROUPS:
        faults.append(row.fault(f"group must be one of {', '.join(_GROUPS)}, not {text[:80]!r}"))
    elif text != due and number < CARDS:
        faults.append(row.fault(f"card {number} is of group {text}; its group is {due}"))
    group = _GROUPS.get(text, Group.UNREST)
    clan = int(text[1:]) if group == Group.CLAN else -1
    flash = bool(integer(row, "flash", 0, 1, faults))
    fame = integer(row, "fame", 0, MOST_FAME, faults) or 0
    op = Op(integer(row, "op", 0, len(Op) - 1, faults) or 0)
    values = {column: integer(row, column, 0, 999, faults) or 0 for column in ("a", "b", "c", "d", "fl")}
    card = Card(row.fields["name"], group, clan, flash, fame, op, **values)
    if len(faults) == told:
        _check_kind(row, number, card, faults)
        _check_numbers(row, card, faults)
    return card


def _check_kind(row: Row, number: int, card: Card, faults: list[str]) -> None:
    """Conditions on which operation, fame and Flash a card of its group may have."""
    if number <= BUILD and card.op != number + 1:
        due = f"it is the {Op(number + 1).name} (op {number + 1}) that cards with op 7 offer"
        faults.append(row.fault(f"card {number} has op {card.op}; {due}"))
    silent = card.group in (Group.ACHIEVEMENT, Group.UNREST)
    if silent and card.op != Op.NONE:
        faults.append(
            row.fault(f"a card of group {row.fields['group']} has no action; its op must be 0, not {card.op}")
        )
    if not silent and card.op == Op.NONE:
        faults.append(row.fault("op is 0; only achievements and Unrest (groups H, U) have no action"))
    if card.fame and card.group not in (Group.EARLY, Group.ADVANCED):
        faults.append(row.fault(f"fame is {card.fame}; only development cards (groups E, A) have fame printed"))
    if card.flash and card.op in (Op.NONE, Op.REACT):
        faults.append(row.fault(f"flash must be 0: a card with op {card.op} is never played on the own turn"))
    if card.op == Op.REACT and card.group not in (Group.EARLY, Group.ADVANCED):
        faults.append(row.fault("only a development card (groups E, A) can be a reaction (op 15): there is one copy"))


def _check_reactions(table: Table, cards: list[tuple[Row, Card]], faults: list[str]) -> None:
    reactions = [row for row, card in cards if card.op == Op.REACT]
    for row in reactions[1:]:
        faults.append(
            row.fault(f"a second reaction (op 15); line {reactions[0].line} has one, and a prompt names no card")
        )


def _check_numbers(row: Row, card: Card, faults: list[str]) -> None:
    """Conditions of the vocabulary on the numbers of one operation."""
    told, form, name = len(faults), FORMS[card.op], f"op {card.op} ({card.op.name})"
    for column in ("a", "b", "c", "d"):
        low, high = getattr(form, column)
        if not low <= getattr(card, column) <= high:
            allowed = f"from {low} to {high}" if low < high else str(low)
            faults.append(row.fault(f"{column} of {name} must be {allowed}, not {getattr(card, column)}"))
    if card.fl & ~form.fl:
        known = ", ".join(str(1 << bit) for bit in range(form.fl.bit_length()))
        faults.append(row.fault(f"fl of {name} must be {f'a sum of {known}' if known else '0'}, not {card.fl}"))
    if len(faults) == told:
        faults.extend(row.fault(sentence) for broken, sentence in _together(card) if broken)


def _together(card: Card) -> list[tuple[bool, str]]:
    """Return (is it violated, sentence) for conditions on several numbers of one operation."""
    op, fl = card.op, card.fl
    if op == Op.RECRUIT:
        one_place = card.a == 1 or card.c == 1
        return [
            (card.c < 2 and card.d != 0, f"d must be 0, as c is {card.c}: it belongs to c = 2 and c = 3"),
            (bool(fl & (RecruitBit.PAY2 | RecruitBit.PULL)) and not one_place,
             "the bits 1 and 2 of a RECRUIT add to one territory; they need a = 1 or c = 1"),
        ]  # fmt: skip
    if op == Op.MOVE:
        return [(bool(fl & MoveBit.ANYWHERE) and card.a != 1, f"bit 64 makes a single move; a must be 1, not {card.a}")]
    if op == Op.EXPLORE:
        return [(bool(fl & ExploreBit.REDRAW) and card.a != 1, f"bit 1 exchanges one tile; a must be 1, not {card.a}")]
    if op == Op.DRAW:
        per_closed, total = bool(fl & DrawBit.PER_CLOSED), card.b + card.c + card.d
        return [
            (per_closed and card.a + total > 0, "bit 2 counts territories; a, b, c and d must be 0"),
            (not per_closed and card.a == 0, "a DRAW draws at least one card; a must not be 0"),
            (
                not per_closed and card.a != total,
                f"a must be b + c + d = {total}, not {card.a}: each drawn card has one place",
            ),
        ]
    if op == Op.GAIN:
        return [(card.a + card.b + card.c == 0, "a GAIN gives something; one of a, b, c must not be 0")]
    if op == Op.CHOOSE:
        size = card.b.bit_count()
        return [(card.a > size, f"a is {card.a} different actions, but the set b = {card.b} has {size}")]
    if op == Op.HAND:
        return [(card.b == 1 and card.c != 1, f"with b = 1 the actor chooses one card; c must be 1, not {card.c}")]
    return []


def clan_cards(clan: Clan | int) -> tuple[int, int, int]:
    """Return the initial card and the two upgrades of a clan (NORTH-CARD-01)."""
    first = FIRST_CLAN + CLAN_CARDS * clan
    return first, first + 1, first + 2
