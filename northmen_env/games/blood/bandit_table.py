"""The bandit cards of solo play: effects as rows of numbers, and the CSV of option `bandit_table` (BLOOD-CARD-03)."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from northmen_env.engine.csvfiles import Row, Table, check_ids, parse_table

CARDS = 120
DIRECT_CARDS = 30
MAX_EFFECTS = 6
MOST = 12
"""Largest number in an effect: no player and no card moves, places or scores more pieces than there are."""

HEADER = "card,redirect,tag,effects"
TAGS = ("R", "D")


class Op(IntEnum):
    """What an effect does (BLOOD-EFFECT-01)."""

    NONE = 0
    PLACE = 1
    EACH = 2
    LAKE = 3
    ROAD = 4
    ROADONE = 5
    ROADATTACK = 6
    ATTACK = 7
    SCORE = 8
    BRIBE = 9
    BRIBEVILLAGES = 10
    PREPARE = 11
    DISCARD = 12
    PLAY = 13
    WIN = 14


class Unit(IntEnum):
    """What the number of an effect is: NUMBER stands for `number`, the others are counted in the game."""

    NUMBER = 0
    ARMIES = 1
    VILLAGES = 2
    WARBANDS = 3
    WON = 4
    BRIBED = 5


class Where(IntEnum):
    """Tiles that a PLACE or EACH may choose: W of BLOOD-EFFECT-01."""

    NONE = 0
    ANY = 1
    VILLAGE = 2
    EMPTY = 3
    MOUNTAIN = 4
    LAKE = 5
    ROAD = 6
    FOREST = 7
    WARBAND = 8
    JUSTPLACED = 9


class Pick(IntEnum):
    """Which of the contested tiles an ATTACK may choose."""

    NONE = 0
    SMALLEST = 1
    LARGEST = 2


class Effect(NamedTuple):
    """One effect of a card; `what` is a `Where` for PLACE and EACH, a `Pick` for ATTACK, else 0."""

    op: Op
    number: int = 0
    unit: Unit = Unit.NUMBER
    what: int = 0
    if_won: bool = False

    def __str__(self) -> str:
        values = [str(self.number) if self.unit == Unit.NUMBER else self.unit.name] if self.op in _UNITS else []
        values += [_whats(self.op)(self.what).name] if self.what else []
        text = f"{self.op.name}({','.join(values)})" if values else self.op.name
        return f"IFWON({text})" if self.if_won else text


class Card(NamedTuple):
    """A bandit card; `redirect` is 0 on the cards that act directly."""

    redirect: int
    effects: tuple[Effect, ...]


_UNITS: dict[Op, tuple[Unit, ...]] = {
    Op.PLACE: (Unit.NUMBER,),
    Op.LAKE: (Unit.NUMBER, Unit.ARMIES, Unit.VILLAGES, Unit.WARBANDS),
    Op.ROAD: (Unit.NUMBER, Unit.ARMIES, Unit.VILLAGES, Unit.WARBANDS),
    Op.ROADONE: (Unit.NUMBER,),
    Op.ROADATTACK: (Unit.NUMBER,),
    Op.ATTACK: (Unit.NUMBER,),
    Op.SCORE: (Unit.NUMBER, Unit.ARMIES, Unit.WON, Unit.BRIBED),
    Op.BRIBE: (Unit.NUMBER,),
    Op.PREPARE: (Unit.NUMBER, Unit.ARMIES),
    Op.DISCARD: (Unit.NUMBER,),
}
"""Effects with a number, and the words that may stand for it."""

_PLACING = (Op.PLACE, Op.EACH)
_EFFECT = re.compile(r"([A-Z]+)(?:\(([^()]*)\))?")
_IF_WON = re.compile(r"IFWON\((.*)\)")
_NUMBER = re.compile(r"[1-9][0-9]?")


def _whats(op: Op) -> type[Where] | type[Pick]:
    return Where if op in _PLACING else Pick


def read_cards(file: str, content: bytes, faults: list[str]) -> tuple[Card, ...]:
    """Return the cards of a CSV, card `n` at `n - 1`, telling every violated condition of BLOOD-OPT-04."""
    table = parse_table(file, content, HEADER, faults, open_end=True)
    if table is None:
        return ()
    numbers = check_ids(_with_ids(table, faults), CARDS, "cards", faults, first=1)
    pairs = zip(table.rows, numbers, strict=True)
    return tuple(_card(row, number, faults) for row, number in pairs if row.fields)


def _with_ids(table: Table, faults: list[str]) -> Table:
    """Return the table with a column `id`: the card numbers without the zeros before them."""
    rows = []
    for row in table.rows:
        card = row.fields.get("card", "000")
        three = re.fullmatch(r"[0-9]{3}", card) is not None
        if not three:
            faults.append(row.fault(f"card must be a number of three digits from 001 to {CARDS}, not {card[:80]!r}"))
        rows.append(Row(row.file, row.line, {**row.fields, "id": str(int(card))} if three and row.fields else {}))
    return Table(table.file, rows)


def _card(row: Row, number: int, faults: list[str]) -> Card:
    redirect, tag = row.fields["redirect"], row.fields["tag"]
    target = int(redirect) if re.fullmatch(r"[0-9]{3}", redirect) else 0
    if number <= DIRECT_CARDS and redirect != "-":
        faults.append(row.fault(f"card {number:03d} acts directly; its redirect must be -, not {redirect[:80]!r}"))
    elif number > DIRECT_CARDS and not 1 <= target <= DIRECT_CARDS:
        faults.append(row.fault(f"redirect of card {number:03d} must be 001 to 030, not {redirect[:80]!r}"))
    if tag not in TAGS:
        faults.append(row.fault(f"tag must be R (printed) or D (reconstructed), not {tag[:80]!r}"))
    return Card(target if number > DIRECT_CARDS else 0, _effects(row, faults))


def _effects(row: Row, faults: list[str]) -> tuple[Effect, ...]:
    texts = row.fields["effects"].split(";")
    if len(texts) > MAX_EFFECTS:
        faults.append(row.fault(f"{len(texts)} effects; a card has at most {MAX_EFFECTS}"))
    effects = [_effect(row, text, faults) for text in texts]
    if any(effect.op == Op.PLAY for effect in effects[:-1]):
        faults.append(row.fault("PLAY must be the last effect of its card"))
    return tuple(effects)


def _effect(row: Row, text: str, faults: list[str]) -> Effect:
    """Return the effect that a text names; `Effect(Op.NONE)` with a fault told if it names none."""
    inner = _IF_WON.fullmatch(text)
    form = _EFFECT.fullmatch(inner[1] if inner else text)
    if form is None or form[1] not in Op.__members__ or form[1] == Op.NONE.name:
        known = ", ".join(op.name for op in Op if op != Op.NONE)
        faults.append(row.fault(f"unknown effect {text[:80]!r}; known are {known} and IFWON(effect)"))
        return Effect(Op.NONE)
    op = Op[form[1]]
    values = [] if form[2] is None else form[2].split(",")
    return _with_values(row, text, Effect(op, if_won=inner is not None), values, faults)


def _with_values(row: Row, text: str, effect: Effect, values: list[str], faults: list[str]) -> Effect:
    op, units = effect.op, _UNITS.get(effect.op, ())
    least = (op in _UNITS) + (op in _PLACING)
    most = least + (op == Op.ATTACK)
    if not least <= len(values) <= most:
        faults.append(row.fault(f"{text[:80]!r} has {len(values)} values in brackets; {_form(op)}"))
        return Effect(Op.NONE)
    words = {unit.name: unit for unit in units if unit != Unit.NUMBER}
    if units:
        first = values.pop(0)
        if first in words:
            effect = effect._replace(unit=words[first])
        elif _NUMBER.fullmatch(first) and int(first) <= MOST:
            effect = effect._replace(number=int(first))
        else:
            allowed = " or ".join([f"a number from 1 to {MOST}", *words])
            faults.append(row.fault(f"the number of {op.name} must be {allowed}, not {first[:80]!r}"))
    for value in values:
        kinds = {kind.name: kind for kind in _whats(op) if kind}
        if value not in kinds:
            faults.append(row.fault(f"unknown word {value[:80]!r} in {op.name}; known are {', '.join(kinds)}"))
        effect = effect._replace(what=int(kinds.get(value, 0)))
    return effect


def _form(op: Op) -> str:
    """Return how an effect is written."""
    number = "k" if op in _UNITS else ""
    forms = {Op.PLACE: "PLACE(k,W)", Op.EACH: "EACH(W)", Op.ATTACK: "ATTACK(k), ATTACK(k,SMALLEST) or "
             "ATTACK(k,LARGEST)"}  # fmt: skip
    return f"write {forms.get(op, f'{op.name}({number})' if number else op.name)}"
