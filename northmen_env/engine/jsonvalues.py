"""Reading of State JSON by hand-written readers: each value is checked, and a wrong one is named in a sentence.

Every function takes the value and `where` it stands (`"hands[2]"`), and raises ValueError.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeGuard


def shown(value: Any) -> str:
    """Return a value as a sentence may show it, 80 signs at most."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def is_integer(value: Any) -> TypeGuard[int]:
    """Return whether a value is an int (True is none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_keys(value: Any, keys: Collection[str], where: str, rule: str) -> Mapping[str, Any]:
    """Return an object that has exactly these keys; `rule` is the rule that lists them."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} must be an object, not {shown(value)}")
    missing, unknown = sorted(set(keys) - set(value)), sorted(map(str, set(value) - set(keys)))
    if missing or unknown:
        raise ValueError(f"{where} has exactly the keys of {rule}; missing: {missing}, unknown: {unknown}")
    return value


def integer(value: Any, where: str, low: int, high: int) -> int:
    """Return an integer in [low, high]."""
    if not is_integer(value) or not low <= value <= high:
        raise ValueError(f"`{where}` must be an integer in {low}..{high}, not {shown(value)}")
    return value


def optional(value: Any, where: str, high: int, none: int = -1) -> int:
    """Return an integer in [0, high], `none` for null."""
    if value is None:
        return none
    if not is_integer(value) or not 0 <= value <= high:
        raise ValueError(f"`{where}` must be null or an integer in 0..{high}, not {shown(value)}")
    return value


def flag(value: Any, where: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool):
        raise ValueError(f"`{where}` must be true or false, not {shown(value)}")
    return value


def word(value: Any, where: str, allowed: Collection[str]) -> str:
    """Return a string out of a list."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"`{where}` must be one of {' '.join(allowed)}, not {shown(value)}")
    return value


def entries(value: Any, where: str, length: int) -> list[Any]:
    """Return a list of this length."""
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ValueError(f"`{where}` must be a list of {length} entries, not {shown(value)}")
    return list(value)


def integers(value: Any, where: str, length: int, low: int, high: int) -> list[int]:
    """Return a list of this many integers in [low, high]."""
    return [integer(item, f"{where}[{i}]", low, high) for i, item in enumerate(entries(value, where, length))]


def sequence(value: Any, where: str, low: int, high: int, longest: int) -> list[int]:
    """Return a list of different ids in [low, high], in order."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"`{where}` must be a list of ids, not {shown(value)}")
    if len(value) > longest:
        raise ValueError(f"`{where}` has {len(value)} entries; at most {longest} are possible")
    items = [integer(item, f"{where}[{i}]", low, high) for i, item in enumerate(value)]
    if len(set(items)) < len(items):
        raise ValueError(f"`{where}` names an id twice: {shown(value)}")
    return items


def ascending(value: Any, where: str, low: int, high: int, longest: int) -> list[int]:
    """Return a set of ids, which is written as a sorted list."""
    items = sequence(value, where, low, high, longest)
    if items != sorted(items):
        raise ValueError(f"`{where}` is a set and must be sorted by id, not {shown(value)}")
    return items
